"""Why a score of Switch-On is what it is: the squares behind every scoring line, and a sentence about it."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from lamplighter.engine.phrase import Phrase, all_of
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components import squares_of
from lamplighter.games.switch_on.notation import figure_of, format_square
from lamplighter.games.switch_on.rules.squares import take_pattern

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant


def score_cells(variant: Variant, state: State, seat: int) -> dict[str, list[str]]:
    """Return the squares behind every scoring line."""
    found = {
        "decorations": squares_of(_shining(variant, state, seat)),
        "patterns": sorted(square for _, squares in best_patterns(variant, state, seat) for square in squares),
        "cable": squares_of(_scoring_cable(variant, state, seat)),
    }
    return {name: [format_square(variant, square) for square in squares] for name, squares in found.items()}


def score_reasons(variant: Variant, state: State, seat: int) -> dict[str, str]:
    """Return a sentence for every scoring line that says how its points come about."""
    each, squares = figure_of(variant, at.CABLE_POINTS), squares_of(_scoring_cable(variant, state, seat))
    return {
        "decorations": _say_decorations(variant, state, seat),
        "patterns": _say_patterns(variant, state, seat),
        "cable": Phrase("{n} squares with light strands × {each} (§15).", n=len(squares), each=each),
    }


def _say_decorations(variant: Variant, state: State, seat: int) -> Phrase:
    """§S2, §S3 What each decoration is worth, with the tree beside it; and how many are struck."""
    parts = []
    for square in squares_of(_shining(variant, state, seat)):
        entry = variant.file.get("decorations", int(state["decorations"][seat, square]) - 1)
        factor = int(variant.box["factor"][square])
        worth = f"{entry['points']} × {factor}" if factor > 1 else str(entry["points"])
        where = format_square(variant, square)
        parts.append(Phrase("{decoration} on {square}: {worth}", decoration=entry["name"], square=where, worth=worth))
    struck = int(np.count_nonzero(state["decorations"][seat])) - len(parts)
    counted = Phrase("None of your decorations counts yet (§S3).")
    if parts:
        counted = Phrase("Your decorations that count: {all} (§S3).", all=all_of(parts))
    words = "{counted} Struck, because no power reaches them: {struck} (§S2)."
    return Phrase(words, counted=counted, struck=struck) if struck else counted


def _say_patterns(variant: Variant, state: State, seat: int) -> Phrase:
    """§S4 Every pattern that counts, with its points."""
    chosen = [
        Phrase("{points} on {squares}", points=points, squares=all_of([format_square(variant, one) for one in squares]))
        for points, squares in best_patterns(variant, state, seat)
    ]
    if not chosen:
        return Phrase("You have no pattern of decorations that count yet (§S4).")
    return Phrase("Your patterns: {all}; no decoration is in two (§S4).", all=chosen)


def _scoring_cable(variant: Variant, state: State, seat: int) -> np.ndarray:
    """§S5 Return the squares with light strands that score (R10)."""
    light: np.ndarray = state["light"][seat]
    return light if variant.options["unpowered_cable_scores"] else np.bitwise_and(light, state["powered"][seat])


def _shining(variant: Variant, state: State, seat: int) -> np.ndarray:
    """§S2 Return the squares of the decorations that are not struck."""
    return np.array([variant.game.rules.shining(variant.box, state, seat, word) for word in range(2)], np.int64)


def best_patterns(variant: Variant, state: State, seat: int) -> list[tuple[int, list[int]]]:
    """§S4 Return the patterns that count: points and squares of each."""
    alive = _shining(variant, state, seat)
    low, high = alive.tolist()
    found: list[tuple[int, list[int]]] = []
    for square in squares_of(alive):
        kind = int(state["decorations"][seat, square]) - 1
        first, end = variant.box["first_line"][kind : kind + 2].tolist()
        for pattern in range(first, end):
            low_left, high_left, points = take_pattern(variant.box, state, seat, pattern, square, low, high)
            if points > 0:
                taken = squares_of(np.array([low ^ low_left, high ^ high_left], np.int64))
                found.append((int(points), taken))
    return _best_set(found)


def _best_set(patterns: list[tuple[int, list[int]]]) -> list[tuple[int, list[int]]]:
    """Return the patterns with the largest sum of which no two share a square."""
    found: dict[int, list[tuple[int, int, list[int]]]] = {}
    for points, squares in patterns:
        found.setdefault(min(squares), []).append((points, sum(1 << square for square in squares), squares))

    @functools.cache
    def best(free: int) -> tuple[int, tuple[tuple[int, list[int]], ...]]:
        """The best of the patterns whose squares are all free: the lowest square begins one of them, or none."""
        if not free:
            return 0, ()
        lowest = free & -free
        ways = [best(free ^ lowest)]
        for points, taken, squares in found.get(lowest.bit_length() - 1, []):
            if free & taken == taken:
                total, others = best(free & ~taken)
                ways.append((points + total, ((points, squares), *others)))
        return max(ways, key=lambda way: way[0])

    return list(best(sum(1 << square for square in {square for _, squares in patterns for square in squares}))[1])
