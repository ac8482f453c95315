"""Kernels over sets of squares that the rules lean on: free placements, where power runs, the best patterns.

A set of squares is two words (see components.py). Paragraphs are those of RULES.md.
"""

from __future__ import annotations

from typing import Any

from lamplighter.games.switch_on import figures as at
from lamplighter.games.switch_on.components import BODY, ELECTRIC, ENDS, EXTRA, INNER, KINDS, LENGTH, STEP, WORD
from lamplighter.games.switch_on.figures import figure
from lamplighter.jit import count_bits, first_bit, kernel

Box = Any
State = Any
Out = Any  # an int64 array that a kernel fills


@kernel
def is_drawn(state: State, seat: int, placement: int) -> bool:
    """§8 This very cable is on the sheet. Only cables of two squares need to be asked: others block themselves."""
    found = False
    for i in range(int(state["cable_count"][seat])):
        found = found or int(state["cables"][seat, i]) == placement + 1
    return found


@kernel
def list_placements(box: Box, state: State, seat: int, shape: int, number: int, out: Out, n: int) -> int:
    """§8 The placements of one shape that may be drawn now, behind `n`; the new count."""
    cables = box["cable_squares"]
    wired0, wired1 = int(state["wired"][seat, 0]), int(state["wired"][seat, 1])
    bare0, bare1 = wired0 & ~int(state["dots"][seat, 0]), wired1 & ~int(state["dots"][seat, 1])
    first, end = int(box["first_fit"][shape]), int(box["first_fit"][shape + 1])
    has_middle = (int(cables[first, INNER, 0]) | int(cables[first, INNER, 1])) != 0
    for placement in range(first, end):
        met = int(cables[placement, INNER, 0]) & wired0 | int(cables[placement, INNER, 1]) & wired1
        met |= int(cables[placement, ENDS, 0]) & bare0 | int(cables[placement, ENDS, 1]) & bare1
        if met == 0 and (has_middle or not is_drawn(state, seat, placement)):
            out[n] = number + placement
            n += 1
    return n


@kernel
def list_squares(out: Out, n: int, number: int, low: int, high: int) -> int:
    """Write number + square for every square of a set behind `n`; the new count."""
    while low != 0:
        out[n] = number + first_bit(low)
        low &= low - 1
        n += 1
    while high != 0:
        out[n] = number + WORD + first_bit(high)
        high &= high - 1
        n += 1
    return n


@kernel
def copy_block(out: Out, start: int, size: int, n: int, step: int) -> int:
    """Write `size` numbers from `start` again behind `n`, each `step` higher; the new count."""
    for i in range(size):
        out[n + i] = int(out[start + i]) + step
    return n + size


@kernel
def spread_power(box: Box, state: State, seat: int) -> None:
    """§12, §S1 Every cable with an end on a powered square is powered, dashed ones too; until nothing changes (R9)."""
    powered, power, squares = state["powered"], box["power"], box["cable_squares"]
    changed = True
    while changed:
        changed = False
        for i in range(int(state["cable_count"][seat])):
            cable = int(state["cables"][seat, i]) - 1
            low, high = int(powered[seat, 0]), int(powered[seat, 1])
            met = int(squares[cable, ENDS, 0]) & (low | int(power[0]))
            met |= int(squares[cable, ENDS, 1]) & (high | int(power[1]))
            if met != 0 and (int(squares[cable, BODY, 0]) & ~low | int(squares[cable, BODY, 1]) & ~high) != 0:
                powered[seat, 0] = low | int(squares[cable, BODY, 0])
                powered[seat, 1] = high | int(squares[cable, BODY, 1])
                changed = True


@kernel
def shining(box: Box, state: State, seat: int, word: int) -> int:
    """§12, §S2 The decorations (one word of their squares) that are not struck: light ones need power."""
    alive = int(state["decorated"][seat, word])
    dark = alive & ~int(state["powered"][seat, word])
    while dark != 0:
        lowest = dark & -dark
        if box["chart"][int(state["decorations"][seat, word * WORD + first_bit(dark)]) - 1, ELECTRIC]:
            alive ^= lowest
        dark ^= lowest
    return alive


@kernel
def best_patterns(box: Box, state: State, seat: int, low: int, high: int) -> int:
    """§S4 The best patterns among the decorations on these squares; exact: the first square is used by one, or by none.

    A pattern's first square is its lowest, so a square that begins none of the chosen ones can be dropped. A seat has
    at most 27 decorations, hence at most 9 patterns of three.
    """
    while (low | high) != 0:
        square = first_bit(low) if low != 0 else WORD + first_bit(high)
        decoration = int(state["decorations"][seat, square]) - 1
        if low != 0:
            low &= low - 1
        else:
            high &= high - 1
        best, tried = 0, False
        for line in range(int(box["first_line"][decoration]), int(box["first_line"][decoration + 1])):
            low_left, high_left, points = take_pattern(box, state, seat, line, square, low, high)
            if points > 0:
                best = max(best, points + best_patterns(box, state, seat, low_left, high_left))
                tried = True
        if tried:
            return max(best, best_patterns(box, state, seat, low, high))
    return 0


@kernel
def take_pattern(
    box: Box, state: State, seat: int, line: int, square: int, low: int, high: int
) -> tuple[int, int, int]:
    """§13, §14 The squares left and the points, if a pattern line lies from `square` on; else 0 points."""
    trees = int(box["near_trees"][square])
    for i in range(1, int(box["lines"][line, LENGTH])):
        square = int(box["next_square"][square, int(box["lines"][line, STEP])])
        if square < 0 or int(state["decorations"][seat, square]) - 1 != int(box["lines"][line, KINDS + i]):
            return low, high, 0
        bit = 1 << square % WORD
        if not (low if square < WORD else high) & bit:
            return low, high, 0
        if square < WORD:
            low ^= bit
        else:
            high ^= bit
        trees &= int(box["near_trees"][square])
    return low, high, int(box["lines"][line, EXTRA]) * tree_factor(box, trees)


@kernel
def tree_factor(box: Box, trees: int) -> int:
    """§14 The value of the best of these trees; in the other mode one more than their number, at most 3 (R11)."""
    if trees == 0:
        return 1
    return min(1 + count_bits(trees), 3) if figure(box, at.COUNT_TREES) else int(box["tree_values"][first_bit(trees)])
