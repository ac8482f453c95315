"""`new-game`: what it refuses, what it writes, and that a new game plays and passes the shared tests at once.

`python tests/test_new_game.py` writes the template's playthroughs and counts anew, after a wanted change.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from test_architecture import files_naming

from lamplighter import games
from lamplighter.cli.new_game import TEMPLATE, TEMPLATE_ID, TEMPLATE_TITLE, copy_template
from lamplighter.errors import LamplighterError

MODULE = importlib.import_module("lamplighter.cli.new_game")  # in its package the name is the command's
ROOT = Path(__file__).parent.parent
ID, TITLE = "pear_tree_9", "Pear Tree 9"
SHARED = ("every_game", "against_reference", "examples", "snapshots", "explain", "hidden", "rules_text")


# --- refusals -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game_id", "reason"),
    [
        ("Pear Tree", "such as 'pear_tree'"),
        ("2pears", "such as 'pears'"),
        ("pear-tree", "such as 'pear_tree'"),
        ("_pear", "a letter first"),
        ("birnbäume", "lower-case letters, digits and underscores"),
        ("../pear", "lower-case letters"),
        ("", "lower-case letters"),
        ("7", "a letter first"),
        ("class", "a word of Python: try 'class_game'"),
        ("random", "Python has a module of that name"),
        ("numpy", "try 'numpy_game'"),
        (TEMPLATE_ID, "is taken: choose another id"),
        (games.own_names()[0], "is taken: choose another id"),
    ],
)
def test_bad_ids_are_refused(game_id: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(LamplighterError, match=re.escape(reason)):
        copy_template(game_id, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ID).mkdir()
    (tmp_path / ID / "mine.txt").write_text("mine")
    with pytest.raises(LamplighterError, match="is there already: choose another id, or another folder with --into"):
        copy_template(ID, tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == [ID, "mine.txt"]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LamplighterError, match="cannot make"):
        copy_template(ID, tmp_path / "file")


def test_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(game_id: str, folder: Path) -> None:
        (folder / "half.py").write_text("")
        assert folder.name.startswith("_"), "nobody takes it for a game"
        raise KeyboardInterrupt

    monkeypatch.setattr(MODULE, "write_files", stop)
    with pytest.raises(KeyboardInterrupt):
        copy_template(ID, tmp_path)
    assert list(tmp_path.iterdir()) == []


# --- what it writes -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    parent = tmp_path_factory.mktemp("games")
    copy_template(ID, parent)
    return parent / ID


def files_of(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}


def test_every_file_is_copied_and_renamed(folder: Path) -> None:
    assert files_of(folder) == {name.replace(TEMPLATE_ID, ID) for name in files_of(TEMPLATE)}
    for name in files_of(folder):
        text = (folder / name).read_text(encoding="utf-8")
        assert TEMPLATE_ID not in text
        assert TEMPLATE_TITLE not in text
    assert (folder / "RULES.md").read_text(encoding="utf-8").startswith(f"# {TITLE}\n")


def test_imports_are_relative(folder: Path) -> None:
    """So that the folder can move: into another package, or into Lamplighter."""
    for path in folder.glob("*.py"):
        assert not re.search(rf"(from|import) [\w.]*{ID}", path.read_text(encoding="utf-8")), path.name


def test_the_name_in_the_guide_is_free() -> None:
    """Whoever types the guide's example must not find its name in the package: no file there may name a game."""
    examples = set(re.findall(r"new-game (\w+)", (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")))
    assert examples
    for game_id in examples:
        assert files_naming(game_id, ROOT / "lamplighter", ROOT / "lamplighter" / "games" / game_id) == []


def test_bots_of_a_new_game_play_at_any_seat(folder: Path) -> None:
    """It says nothing about what states are worth, and everybody acts at once: a level plays for the last seat first."""
    script = f"""
import lamplighter
from lamplighter import bots
from lamplighter.bots import Budget
from lamplighter.bots.seat import SeatedBot

match = lamplighter.load("{ID}?seats=2").match(seed="1")
match.roll()
assert match.waiting == (0, 1)
while match.waiting:
    for seat in reversed(match.waiting):
        match.play(SeatedBot(bots.load("medium"), match, seat).choose(match, Budget(simulations=6)).move, seat)
    match.roll()
print("over", match.is_over)
"""
    surroundings = os.environ | {"LAMPLIGHTER_GAMES": str(folder), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=surroundings, capture_output=True, text=True)
    assert done.stdout == "over True\n", done.stderr


def test_the_template_is_not_a_game() -> None:
    assert not {TEMPLATE_ID, TEMPLATE.name} & set(games.names())


def test_it_says_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy_template(ID, tmp_path / "new folder")
    said = capsys.readouterr().out
    assert f"LAMPLIGHTER_GAMES='{tmp_path}/new folder/{ID}' lamplighter play {ID}\n" in said
    assert f"make test GAME={ID} GAME_FOLDER='{tmp_path}/new folder/{ID}'\n" in said
    assert "docs/adding-a-game.md" in said
    assert f'[project.entry-points."lamplighter.games"]\n  {ID} = "{ID}"' in said


def test_it_goes_among_the_games_of_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = tmp_path / "lamplighter" / "games"
    inside.mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.setattr(MODULE, "GAMES", inside)
    monkeypatch.chdir(tmp_path / "here")
    copy_template(ID, None)
    assert (tmp_path / "here" / ID / "rules.py").exists(), "an installed package is no place for it"
    (tmp_path / "pyproject.toml").touch()
    capsys.readouterr()
    copy_template(ID, None)
    assert (inside / ID / "rules.py").exists()
    assert "LAMPLIGHTER_GAMES" not in capsys.readouterr().out, "it is found there"


# --- it plays -------------------------------------------------------------------------------------------------


def run(folder: Path, *arguments: str) -> str:
    """What a Python that knows the new game prints; it must end well. Compiled kernels are kept beside the folder."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    environment |= {"LAMPLIGHTER_GAMES": str(folder), "NUMBA_CACHE_DIR": str(folder.parent / "cache"), "CI_QUICK": "1"}
    command = [sys.executable, "-m", *arguments]
    result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_it_is_listed(folder: Path) -> None:
    listed = {game["id"]: game for game in json.loads(run(folder, "lamplighter", "games", "--json"))}
    assert listed[ID]["title"] == TITLE
    assert listed[ID]["seats"] == [1, 6]


def test_it_plays(folder: Path) -> None:
    arguments = ["simulate", f"{ID}?seats=2", "--bots", "greedy,uniform", "--games", "50", "--json"]
    summary = json.loads(run(folder, "lamplighter", *arguments))
    assert summary["moves"] == 50 * 2 * 9
    assert summary["seats"][0]["mean"] > 0


def test_the_command_that_it_prints_passes(folder: Path) -> None:
    """Run as it is printed, it finds the tests that every game must pass, and the game's own."""
    (command,) = re.findall(r"test it +(.*)", MODULE.next_steps(ID, folder))
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "MAKE"))}
    environment |= {"CI_QUICK": "1", "WORKERS": "1", "PYTEST_ADDOPTS": "-rp -p no:cacheprovider"}
    done = subprocess.run(command, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.findall(r"^PASSED \S*\b(test_\w+)\.py::(\S+)", done.stdout, re.MULTILINE)
    assert {name.removeprefix("test_") for name, _ in passed} == {*SHARED, ID}
    assert f"test_kernel_equals_reference[{ID}]" in {test for _, test in passed}


# --- the template's snapshots ---------------------------------------------------------------------------------


def rewrite_snapshots() -> None:
    """Play a new game's playthroughs and counts, and keep them in the template."""
    with tempfile.TemporaryDirectory() as parent:
        copy_template(ID, Path(parent))
        command = [sys.executable, "tests/snapshots.py", ID]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "LAMPLIGHTER_GAMES": f"{parent}/{ID}"}, check=True)
        tests = Path(parent) / ID / "tests"
        for path in (tests / "counts.txt", *tests.glob("playthroughs/*.txt")):
            target = TEMPLATE / "tests" / path.relative_to(tests)
            target.parent.mkdir(exist_ok=True)
            target.write_text(path.read_text(encoding="utf-8").replace(ID, TEMPLATE_ID), encoding="utf-8")


if __name__ == "__main__":
    rewrite_snapshots()
