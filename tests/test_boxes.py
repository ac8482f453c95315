"""Component files of one's own: begun from a game's, checked, and used by every command that has `--box`."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import lamplighter
from lamplighter import games
from lamplighter.cli import app
from lamplighter.engine import box_check
from lamplighter.engine.component_file import TITLE_LIMIT, ComponentFile
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, LamplighterError

BOXED = [name for name in games.names() if games.load(name).box_text]
BARE = [name for name in games.names() if name not in BOXED]
GAME, OTHER = BOXED[:2]
OWN = [path for name in BOXED for path in sorted((games.load(name).folder / "tests" / "boxes").glob("*.toml"))]


def run(*arguments: str, expect: int = 0) -> str:
    """Run a command in this process; what it said, errors too. A refusal that `main` would print comes as its words."""
    result = CliRunner().invoke(app, arguments)
    if isinstance(result.exception, LamplighterError):
        assert expect == 2, result.exception
        return str(result.exception)
    assert result.exit_code == expect, result.output
    return result.output


# --- the head of a file ---------------------------------------------------------------------------------------


def test_a_file_may_say_its_game_and_its_title() -> None:
    game = games.load(GAME)
    file = ComponentFile(f'game = "{GAME}"\ntitle = " Ours "\n{game.box_text}', "mine.toml")
    assert (file.game, file.title) == (GAME, "Ours")
    assert file.data == tomllib.loads(game.box_text), "the game reads the rest"
    assert Variant(game, {}, file).boxes.tobytes() == Variant(game).boxes.tobytes()
    assert ComponentFile(game.box_text).game == ComponentFile("").title == ""


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("game = 3", "line 1: game must be a text"),
        ('title = ""', "line 1: title must be a text"),
        (f'title = "{"x" * (TITLE_LIMIT + 1)}"', "line 1: title must be one line"),
        ('title = "a\\nb"', "line 1: title must be one line"),
    ],
)
def test_a_wrong_head_is_refused(head: str, said: str) -> None:
    with pytest.raises(BadBox, match=said):
        ComponentFile(f"{head}\n{games.load(GAME).box_text}", "mine.toml")


def test_a_file_for_another_game_is_refused() -> None:
    file = ComponentFile(f'game = "{OTHER}"\n{games.load(GAME).box_text}', "mine.toml")
    with pytest.raises(BadBox, match=f"mine.toml, line 1: .*'{OTHER}', not for '{GAME}'"):
        Variant(games.load(GAME), {}, file)


# --- oddities -------------------------------------------------------------------------------------------------


def test_oddities_come_with_their_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.load(GAME)
    first, *_, last = ComponentFile(game.box_text).data
    odd = [("the last is odd", (last,)), ("all is odd", ()), ("the first is odd", (first,))]
    monkeypatch.setattr(game.components, "oddities", lambda file: odd, raising=False)
    variant = Variant(game)
    lines = [variant.file.line_of(first), variant.file.line_of(last)]
    assert 0 < lines[0] < lines[1]
    assert variant.oddities() == [(0, "all is odd"), (lines[0], "the first is odd"), (lines[1], "the last is odd")]


@pytest.mark.parametrize("name", games.names())
def test_oddities_of_our_own_boxes_can_be_asked_for(name: str) -> None:
    for line, sentence in Variant(games.load(name)).oddities():
        assert line >= 0 and sentence


# --- box new --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOXED)
def test_a_new_box_is_the_games_own_with_a_head(name: str, tmp_path: Path) -> None:
    target = tmp_path / "mine.toml"
    assert str(target) in run("box", "new", name, "--out", str(target))
    text = target.read_text(encoding="utf-8")
    assert games.load(name).box_text in text, "with its comments"
    file = ComponentFile(text)
    assert file.game == name and file.title
    assert box_check.check_box(games.load(name), file).refused == {}


def test_a_new_box_is_never_written_over_another_file_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("box", "new", GAME)
    target = tmp_path / f"{GAME}_box.toml"
    target.write_text("mine")
    said = run("box", "new", GAME, expect=2)
    assert "is there already" in said and "--force" in said
    assert "is there already" in run("box", "new", GAME, "-o", str(tmp_path), expect=2), "a folder takes the usual name"
    assert target.read_text() == "mine"
    run("box", "new", GAME, "--force")
    assert f'game = "{GAME}"' in target.read_text()


def test_what_cannot_become_a_box_is_told(tmp_path: Path) -> None:
    assert f"did you mean '{GAME}'" in run("box", "new", GAME + "x", expect=2)
    assert "should end in .toml" in run("box", "new", GAME, "-o", str(tmp_path / "mine.txt"), expect=2)
    assert "cannot write" in run("box", "new", GAME, "-o", str(tmp_path / "nowhere" / "mine.toml"), expect=2)
    assert "has no component file" in run("box", "new", BARE[0], expect=2)


# --- box check ------------------------------------------------------------------------------------------------


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A box of one's own, in a folder and under a name that shells and variants have to quote."""
    folder = tmp_path / "100% ours & more"
    folder.mkdir()
    path = folder / "my sheet.toml"
    run("box", "new", GAME, "--out", str(path))
    return path


def test_a_good_box_is_shown(mine: Path, tmp_path: Path) -> None:
    svg, png = tmp_path / "sheet.svg", tmp_path / "sheet.png"
    said = run("box", "check", str(mine), "--svg", str(svg), "--png", str(png))
    sheet = str(lamplighter.load(GAME).start().draw(0)).splitlines()
    assert games.load(GAME).title in said and "It can be played." in said
    assert all(line in said for line in sheet)
    assert svg.read_text(encoding="utf-8").startswith("<svg") and png.read_bytes().startswith(b"\x89PNG")


def test_oddities_are_listed_and_the_box_is_still_good(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = next(iter(ComponentFile(mine.read_text()).data))
    line = ComponentFile(mine.read_text()).line_of(key)
    odd = [("nobody ever needs it", (key,))]
    monkeypatch.setattr(games.load(GAME).components, "oddities", lambda file: odd, raising=False)
    said = run("box", "check", str(mine))
    assert f"line {line}: nobody ever needs it" in said and "Nothing in it is odd" not in said


def test_a_bad_box_is_refused_with_its_line(mine: Path) -> None:
    text = mine.read_text(encoding="utf-8")
    lines = text.count("\n")
    mine.write_text(f"{text}\n[no_such_key]\n", encoding="utf-8")
    said = run("box", "check", str(mine), expect=1).replace("\n", "")
    assert f"line {lines + 2}: unknown key 'no_such_key'" in said
    mine.write_text("game = \n")
    assert "line 1: not TOML" in run("box", "check", str(mine), expect=1).replace("\n", "")
    assert "cannot be read" in run("box", "check", str(mine.parent), expect=1).replace("\n", "")
    assert "cannot be read" in run("box", "check", str(mine / "nothing"), expect=1).replace("\n", "")


def test_the_game_comes_from_the_file_or_from_the_command_line(mine: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.toml"
    bare.write_text(games.load(GAME).box_text, encoding="utf-8")
    said = run("box", "check", str(bare), expect=2)
    assert "does not say its game" in said and "--game" in said
    seats = games.load(GAME).seats[1]
    assert "It can be played." in run("box", "check", str(bare), "--game", f"{GAME}?seats={seats}")
    assert "not for" in run("box", "check", str(mine), "--game", OTHER, expect=1)
    assert "did you mean" in run("box", "check", str(mine), "--game", GAME + "x", expect=2)
    assert "leave 'box' out" in run("box", "check", str(mine), "--game", f"{GAME}?box=x", expect=2)
    assert "should end in .png" in run("box", "check", str(mine), "--png", "sheet.gif", expect=2)
    bare.write_text('game = "chess"\n')
    assert "line 1: there is no game 'chess'" in run("box", "check", str(bare), expect=1).replace("\n", "")


# --- every command that has --box -----------------------------------------------------------------------------


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_every_command_takes_a_box(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = path.parents[2].name
    mine = tmp_path / "a & b%20c.toml"
    mine.write_text(f'game = "{name}"\n{path.read_text(encoding="utf-8")}', encoding="utf-8")
    seats = str(next(n for n in games.load(name).options[0].values if n not in box_refusals(name, mine)))
    given = ("--seats", seats, "--box", str(mine))
    assert "A random match" in run("show", name, *given, "--seed", "1")
    run("show", name, *given, "--seed", "1", "--svg", "--out", "sheet.svg")
    run("print", name, *given, "--copies", "1", "--out", "sheets.pdf")
    assert (tmp_path / "sheets.pdf").read_bytes().startswith(b"%PDF")
    run("simulate", name, *given, "--games", "1", "--records", "matches")
    (record,) = (tmp_path / "matches").iterdir()
    mine.unlink()
    assert lamplighter.read(record).variant.file.game == name, "a record does not need the file"
    run("print", "--record", str(record), "--out", "match.pdf")


def box_refusals(name: str, path: Path) -> set[int]:
    return set(box_check.check_box(games.load(name), ComponentFile(path.read_text(encoding="utf-8"))).refused)


def test_a_box_is_played_in_the_terminal(mine: Path, tmp_path: Path) -> None:
    saved = tmp_path / "mine.lamp"
    command = [sys.executable, "-m", "lamplighter", "play", GAME, "--box", str(mine), "--seed", "1", "--bots", "none"]
    subprocess.run(command, input=f"save {saved}\nquit\n", text=True, capture_output=True, check=True, timeout=300)
    match = lamplighter.read(saved)
    assert match.variant.own_box and match.variant.box_name == str(mine)
