"""`lamplighter puzzle`: a puzzle in the terminal."""

from __future__ import annotations

import pytest
from test_cli import run

from lamplighter.bots.puzzle import make
from lamplighter.jit import PURE

DAY = "2026-11-17"
GAME = "last_minute"
pytestmark = pytest.mark.skipif(PURE, reason="bots think for minutes in plain Python")


def test_a_puzzle_is_solved_or_not() -> None:
    puzzle = make(GAME, DAY)
    assert puzzle is not None
    typed = ["help", "undo", "answer", "moves", "nonsense", puzzle.solutions[0][0], "undo", "score"]
    shown = run("puzzle", GAME, "--date", DAY, given="\n".join([*typed, *puzzle.solutions[0], "answer"]) + "\n").stdout
    assert f"Solved: {puzzle.best} points" in shown and "not finished yet" in shown and "nothing to take back" in shown
    before = shown.partition("Solved")[0]
    assert f"{puzzle.best} points" not in before.replace(f"{puzzle.best} points. Type answer", "")
    worst = puzzle.worths[-1]
    shown = run("puzzle", GAME, "--date", DAY, given="\n".join([*worst.line, "answer"]) + "\n").stdout
    assert f"Your answer makes {worst.total} points. The best possible is {puzzle.best}." in shown
    assert all(str(one.total) in shown for one in puzzle.worths)


def test_a_day_and_a_game_must_be_known() -> None:
    assert "a day is written like" in run("puzzle", GAME, "--date", "yesterday", expect=2).stderr
    assert "did you mean" in run("puzzle", GAME[:-1], expect=2).stderr
    assert run("puzzle", GAME, "--date", DAY, given="quit\n").stdout.count("Find it") == 1
