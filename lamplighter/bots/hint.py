"""Hints: the best few moves of a seat, what each is worth, and why, scoring line by scoring line.

A hint is made from what the seat may see and from nothing else: the same view always gives the same hint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lamplighter import bots
from lamplighter.bots import Budget
from lamplighter.bots.search.program import PROGRAM
from lamplighter.engine import chance
from lamplighter.engine.defaults import SCORE_LINES
from lamplighter.engine.explanation import explain_line
from lamplighter.engine.match import Match, View
from lamplighter.engine.position import Position
from lamplighter.engine.table import make_table, new_rows
from lamplighter.jit import PURE

# Who gives hints: a search that thinks for a number of samples, so that the same view gives the same hint. It always tries
# the move that ends a step, and few moves beside it, so that each has enough samples. In plain Python it would take minutes.
ADVISER = "greedy" if PURE else "search?simulations=200&candidates=16&stops=1"
SECONDS = 10.0  # that any other bot may think; the adviser's answer must not depend on how busy the machine is
SIMULATIONS = (
    1_000  # and samples that it may play; with a number of them it thinks afresh and follows no plan of its own
)
COUNT = 3  # moves in a hint


@dataclass(frozen=True)
class Reason:
    """How a move changes a scoring line at once, and how the line reads then."""

    line: str
    change: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.line} {self.change:+d}" + (f" ({self.sentence.rstrip('.')})" if self.sentence else "")


@dataclass(frozen=True)
class Advice:
    """A move that is worth a thought."""

    move: str
    said: str  # as people say it
    points: int  # what it changes in the total at once
    value: float | None  # what the adviser compares moves by, in points, if it says so
    reasons: tuple[Reason, ...]

    def __str__(self) -> str:
        why = "; ".join(map(str, self.reasons)) or "nothing scores at once"
        worth = "" if self.value is None else f" (worth {self.value:.1f})"
        return f"{self.said}{worth}: {self.points:+d} now: {why}"

    def fields(self) -> dict[str, Any]:
        """The same as plain data."""
        reasons = [{"line": one.line, "change": one.change, "sentence": one.sentence} for one in self.reasons]
        value = None if self.value is None else round(self.value, 2)
        return {"move": self.move, "said": self.said, "points": self.points, "value": value, "reasons": reasons}


def hint(
    match: Match, seat: int | None = None, count: int = COUNT, bot: str = "", seconds: float | None = None
) -> list[Advice]:
    """Return the best moves that a bot finds for a seat, or for the only one that must act; the best one first.

    With `seconds` the clock may cut the thinking short, and the same position may get another hint.
    """
    seat = match.position._acting_seat(seat)
    view = match.view(seat)
    return [explain_move(view, move, value) for move, value in rank_moves(view, bot, seconds)[: max(1, count)]]


def rank_moves(view: View, bot: str = "", seconds: float | None = None) -> list[tuple[str, float | None]]:
    """Return the moves that a bot looked at, best first, with what it thinks each is worth in the end.

    A value above that of the chosen move is lowered to it: such a lead rests on few samples.
    Moves that it gave no value follow in the order of what the game's `evaluate` says after each.
    """
    chosen = bots.load(bot or ADVISER)
    budget = Budget(SECONDS if bot and seconds is None else seconds, SIMULATIONS)
    choice = chosen.choose(view, budget, _stream_of(view))
    valued: dict[str, float | None] = {choice.move: choice.value}
    for move, value in sorted(choice.alternatives, key=lambda pair: -pair[1]):
        valued.setdefault(move, value if choice.value is None else min(value, choice.value))
    for move in _by_evaluation(view):
        valued.setdefault(move, None)
    return list(valued.items())


def _stream_of(view: View) -> Any:
    """Return random words that depend on nothing but what the seat may see."""
    stream = np.zeros(4, np.int64)
    key = chance.derive(view.position.text, "hint", str(view.seat))
    chance.start_stream(int.from_bytes(key[:8], "big", signed=True), 0, stream)
    return stream


def _by_evaluation(view: View) -> list[str]:
    """Return all legal moves, those first after which `evaluate` is highest."""
    position, seat = view.position, view.acting_seat
    variant = position.variant
    states, words = new_rows(variant, 2)
    states[0] = position.state
    actions, values = np.zeros(variant.max_legal, np.int64), np.zeros(variant.max_legal, np.int64)
    lines = np.zeros(2 * SCORE_LINES, np.int64)
    n = PROGRAM.rate_actions(make_table(variant), words, seat, actions, values, lines)
    order = np.argsort(-values[:n], kind="stable")
    return [position.format_move(seat, int(actions[i])) for i in order]


def explain_move(view: View, move: str, value: float | None = None) -> Advice:
    """Say what a move changes, scoring line by scoring line; the greatest change comes first."""
    seat, before = view.acting_seat, view.position
    after = before.copy()
    after.play(move, seat)
    old, new = before.score(seat), after.score(seat)
    reasons = [
        Reason(line, new[line] - old[line], _say_line(after, seat, line, new[line]))
        for line in sorted(new, key=lambda line: -abs(new[line] - old[line]))
        if new[line] != old[line]
    ]
    said = str(before.variant.game.texts.say(before.variant, move))
    return Advice(move, said, sum(new.values()) - sum(old.values()), value, tuple(reasons))


def _say_line(position: Position, seat: int, line: str, points: int) -> str:
    """Say how a scoring line comes about; nothing where a game does not say it."""
    if position.variant.game.explain is None:
        return ""
    return explain_line(position.variant, position.state, seat, line, points).sentence
