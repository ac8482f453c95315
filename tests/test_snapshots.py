"""Playthroughs and counts are as they were. `make snapshots` rewrites them after a wanted change."""

from __future__ import annotations

import pytest
from snapshots import LARGEST, count_lines, position_at, read_back, render

from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant
from lamplighter.jit import BOUNDS_CHECKED, PURE

NAMES = ("short", "typical", "longest")


@pytest.mark.parametrize("name", NAMES)
def test_playthrough(own_game: Game, name: str) -> None:
    if PURE and name != "short":
        pytest.skip("plain Python plays the short one")
    path = own_game.folder / "tests" / "playthroughs" / f"{name}.txt"
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) <= LARGEST
    assert f"RulesVersion: {own_game.rules_version}" in text
    match = read_back(text)
    assert match.is_over
    assert render(match).splitlines() == text.splitlines()


def test_a_changed_playthrough_is_noticed(own_game: Game) -> None:
    path = own_game.folder / "tests" / "playthroughs" / "short.txt"
    text = path.read_text(encoding="utf-8")
    result = text.split("Result: ")[1].splitlines()[0]
    changed = text.replace(f"Result: {result}", "Result: 0 0 0 0 0 0 0")
    assert render(read_back(changed)) != changed


def test_counts(own_game: Game) -> None:
    rows = (own_game.folder / "tests" / "counts.txt").read_text(encoding="utf-8").split("\n")[:-1]
    assert rows
    limit = 400 if PURE or BOUNDS_CHECKED else 1 << 30
    for row in rows:
        text, entries, depth, count = row.split(" | ")
        if int(count) <= limit:
            assert count_lines(position_at(text, int(entries)), int(depth)) == int(count), row


def test_counting_counts(own_game: Game) -> None:
    """Two levels are the sum over one level."""
    start = Variant(own_game).start()
    followers = []
    for outcome in start.outcome_numbers()[0]:
        followers.append(start.copy())
        followers[-1].apply_outcome(outcome)
    for seat in start.waiting[:1]:
        for action in start.legal_actions(seat):
            followers.append(start.copy())
            followers[-1].act(seat, action)
    assert followers
    assert count_lines(start, 1) == len(followers)
    assert count_lines(start, 2) == sum(count_lines(position, 1) for position in followers)
