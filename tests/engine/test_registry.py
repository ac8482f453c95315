"""`engine.registry`: where games come from. What a named folder must be is in tests/test_architecture.py."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lamplighter import games
from lamplighter.engine import registry
from lamplighter.errors import UnknownGame


def test_names_and_games_agree() -> None:
    assert registry.names() == sorted(registry.names()) == games.names()
    assert [registry.load(name).id for name in registry.names()] == registry.names()
    assert set(registry.own_names()) < set(registry.names())


def test_an_unknown_name_suggests_the_nearest() -> None:
    name = registry.own_names()[0]
    with pytest.raises(UnknownGame) as refused:
        registry.load(name[:-1])
    assert name in str(refused.value)
    with pytest.raises(UnknownGame):
        registry.load("../" + name)


def test_a_named_folder_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "pebbles"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from lamplighter.engine.game import Game\n"
        "GAME = Game(id='pebbles', title='Pebbles', package=__name__, summary='.', source='.', seats=(1, 1),\n"
        "            default_seats=1, rules_version=1)\n"
    )
    program = "from lamplighter import games; print(games.load('pebbles').title, 'pebbles' in games.own_names())"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        env={**os.environ, "LAMPLIGHTER_GAMES": str(folder)},
    )  # fmt: skip
    assert done.stdout.strip() == "Pebbles False"


def test_a_package_that_cannot_be_imported_is_named(tmp_path: Path) -> None:
    """As an uninstalled or broken package leaves it: an entry point that leads nowhere."""
    info = tmp_path / "gone-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gone\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[lamplighter.games]\ngone = gone_game\n")
    path = os.pathsep.join(filter(None, [str(tmp_path), *sys.path]))
    done = subprocess.run(
        [sys.executable, "-m", "lamplighter", "show", "gone"], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"},
    )  # fmt: skip
    assert done.returncode == 2
    assert "error: the package 'gone_game' of the game 'gone' cannot be imported: No module named" in done.stderr
