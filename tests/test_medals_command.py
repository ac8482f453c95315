"""`lamplighter medals`: measures what a medal needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_cli import run

import lamplighter
from lamplighter import games
from lamplighter.cli import records
from lamplighter.engine.match import Match
from lamplighter.jit import PURE

ALONE = next(name for name in games.own_names() if games.load(name).seats[0] == 1)


@pytest.mark.skipif(PURE, reason="bots think too long as plain Python")
def test_the_file_is_printed_and_can_be_made_again() -> None:
    shown = run("medals", f"{ALONE}?seats=1", "--games", "2", "--seed", "3").stdout
    assert f'# lamplighter medals "{ALONE}?seats=1" --games 2 --seed 3' in shown
    assert re.search(rf'\[\[medals\]\]\nvariant = "{ALONE}\?seats=1"\nbronze = \d+\nsilver = \d+\ngold = \d+\n', shown)
    assert run("medals", f"{ALONE}?seats=1", "--games", "2", "--seed", "3").stdout == shown


def test_medals_are_for_one() -> None:
    assert "has 2 seats" in run("medals", f"{ALONE}?seats=2", expect=2).stderr


def played_alone() -> tuple[Match, list[str]]:
    """A match for one in which the first legal move was always played, and those moves."""
    match, typed = lamplighter.load(f"{ALONE}?seats=1").match(seed="3"), list[str]()
    while not match.is_over:
        match.roll()
        while match.waiting:
            typed.append(match.legal_moves()[0])
            match.play(typed[-1])
    return match, typed


def test_the_terminal_tells_the_medal_at_the_end(tmp_path: Path) -> None:
    match, typed = played_alone()
    wanted = records.medal_line(match)
    assert re.search(r"(medal\.|No medal this time\.)( \w+ needs \d+ points\.)?$", wanted)
    given = "\n".join(typed) + "\n"
    shown = run("play", f"{ALONE}?seats=1", "--seed", "3", given=given, cwd=tmp_path).stdout
    assert wanted in shown and "hints" not in shown


def test_which_medal_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    match, _ = played_alone()
    (total,) = match.totals
    for more, words in (
        (1, f"No medal this time. Bronze needs {total + 1} points."),
        (0, f"Bronze medal. Silver needs {total + 10} points."),
        (-20, "Gold medal."),
    ):
        bands = {"bronze": total + more, "silver": total + more + 10, "gold": total + more + 20}
        monkeypatch.setattr(records, "medals_of", lambda _, bands=bands: bands)
        assert records.medal_line(match) == words
    assert records.medal_line(lamplighter.load(f"{ALONE}?seats=1").match(seed="3")) == "", "it is not over"


def test_hints_are_told() -> None:
    match, _ = played_alone()
    assert records.hints_line(match) == ""
    match.tags["Hints"] = "0 7 x"
    assert records.hints_line(match) == f"With hints: {match.players[0]}."
