"""`engine.box_check`: a component file is checked before anybody plays with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lamplighter import games
from lamplighter.engine import box_check
from lamplighter.engine.component_file import ComponentFile
from lamplighter.errors import BadBox

GAME = next(name for name in games.names() if games.load(name).box_text)


def test_a_file_is_for_the_game_that_it_names() -> None:
    text = games.load(GAME).box_text
    assert box_check.game_of(ComponentFile(f'game = "{GAME}"\n{text}')).id == GAME
    with pytest.raises(BadBox, match="it does not say its game"):
        box_check.game_of(ComponentFile(text))


def test_numbers_of_players_that_a_box_is_not_for_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.load(GAME)
    build, most = game.components.build, game.seats[1]

    def build_for_fewer(file: ComponentFile, options: dict[str, int]) -> object:
        if options["seats"] == most:
            raise BadBox("too small", 3, file.name)
        return build(file, options)

    monkeypatch.setattr(game.components, "build", build_for_fewer)
    file = ComponentFile(game.box_text, "mine.toml")
    found = box_check.check_box(game, file)
    assert (3, f"not for {most} players: too small") in found.remarks()
    with pytest.raises(BadBox, match="line 3: too small"):
        box_check.check_box(game, file, {"seats": str(most)})


def test_checking_a_box_needs_no_compiler(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(f'game = "{GAME}"\n{games.load(GAME).box_text}', encoding="utf-8")
    program = (
        "import sys; from lamplighter.engine import box_check; from lamplighter.engine.variant import read_box\n"
        "file = read_box(sys.argv[1]); box_check.check_box(box_check.game_of(file), file)\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program, str(mine)], check=True, capture_output=True)
