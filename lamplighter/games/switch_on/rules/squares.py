"""Sets of squares: placements that are free, where power runs, the best patterns.

A set of squares is two words (see components.py). Paragraphs are those of RULES.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lamplighter.games.switch_on.components import (
    BODY,
    DOTS,
    ELECTRIC,
    EXTRA,
    INNER,
    KINDS,
    LENGTH,
    MAX_SQUARES,
    OFFSETS,
    WORD,
)
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.rules.numbering import figure
from lamplighter.jit import allocating_kernel, count_bits, first_bit, kernel, list_bits, natural

FEW = 10  # patterns of which all sets can be tried
MEMORY = 1 << 13  # sets of squares that are remembered; a power of 2
SPREAD = (0x1E3779B97F4A7C15, 0x2545F4914F6CDD1D)  # odd numbers that spread sets over the memory

Box = Any
State = Any
Out = Any  # an int64 array that a kernel fills


@kernel
def is_drawn(state: State, seat: int, placement: int) -> bool:
    """§8 Return whether this very strand is on the sheet. Only one that is all dots needs asking: others block themselves."""
    found = False
    for i in range(int(state["cable_count"][seat])):
        found = found or int(state["cables"][seat, i]) == placement + 1
    return found


@kernel
def list_placements(box: Box, state: State, seat: int, shape: int, number: int, out: Out, n: int) -> int:
    """§8 Write the placements of one shape that may be drawn now after the first `n`. Return the new count."""
    cables = box["cable_squares"]
    wired0, wired1 = int(state["wired"][seat, 0]), int(state["wired"][seat, 1])
    bare0, bare1 = wired0 & ~int(state["dots"][seat, 0]), wired1 & ~int(state["dots"][seat, 1])
    first, end = int(box["first_fit"][shape]), int(box["first_fit"][shape + 1])
    has_middle = (int(cables[first, INNER, 0]) | int(cables[first, INNER, 1])) != 0
    for placement in range(first, end):
        met = int(cables[placement, INNER, 0]) & wired0 | int(cables[placement, INNER, 1]) & wired1
        met |= int(cables[placement, DOTS, 0]) & bare0 | int(cables[placement, DOTS, 1]) & bare1
        out[natural(n)] = number + placement
        n += int(met == 0 and (has_middle or not is_drawn(state, seat, placement)))
    return n


@kernel
def list_squares(out: Out, n: int, number: int, low: int, high: int) -> int:
    """Write number + square for every square of a set after the first `n`. Return the new count."""
    return list_bits(high, number + WORD, out, list_bits(low, number, out, n))


@kernel
def copy_block(out: Out, start: int, size: int, n: int, step: int) -> int:
    """Write `size` numbers from `start` again after the first `n`, each `step` higher. Return the new count."""
    start, n = natural(start), natural(n)
    for i in range(size):
        out[n + i] = int(out[start + i]) + step
    return n + size


@kernel
def spread_power(box: Box, state: State, seat: int) -> None:
    """§12, §S1 Every strand with a dot on a powered square is powered, dashed ones too; until nothing changes (R9)."""
    powered, power, squares = state["powered"], box["power"], box["cable_squares"]
    changed = True
    while changed:
        changed = False
        for i in range(int(state["cable_count"][seat])):
            cable = int(state["cables"][seat, i]) - 1
            low, high = int(powered[seat, 0]), int(powered[seat, 1])
            met = int(squares[cable, DOTS, 0]) & (low | int(power[0]))
            met |= int(squares[cable, DOTS, 1]) & (high | int(power[1]))
            if met != 0 and (int(squares[cable, BODY, 0]) & ~low | int(squares[cable, BODY, 1]) & ~high) != 0:
                powered[seat, 0] = low | int(squares[cable, BODY, 0])
                powered[seat, 1] = high | int(squares[cable, BODY, 1])
                changed = True


@kernel
def shining(box: Box, state: State, seat: int, word: int) -> int:
    """§12, §S2 Return the decorations (one word of their squares) that are not struck: light ones need power."""
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
    """§S4 Return the best patterns among the decorations on these squares, exactly.

    A pattern's first square is its lowest, so a square that begins no pattern and is in none that began before it can be
    dropped. Where there are many patterns, those that share no square with others are searched apart from them.
    """
    if not figure(box, at.MANY_PATTERNS):
        return try_patterns(box, state, seat, low, high)
    found, best, low_rest, high_rest = 0, 0, low, high
    while (low_rest | high_rest) != 0:
        square = first_bit(low_rest) if low_rest != 0 else WORD + first_bit(high_rest)
        decoration = int(state["decorations"][seat, square]) - 1
        for line in range(int(box["first_line"][decoration]), int(box["first_line"][decoration + 1])):
            points = take_pattern(box, state, seat, line, square, low_rest, high_rest)[2]
            if points > 0:
                found, best = found + 1, max(best, points)
        if low_rest != 0:
            low_rest &= low_rest - 1
        else:
            high_rest &= high_rest - 1
        if found == 0:
            low, high = low_rest, high_rest
    if found < 2:
        return best
    return try_patterns(box, state, seat, low, high) if found <= FEW else search_groups(box, state, seat, low, high)


@kernel
def try_patterns(box: Box, state: State, seat: int, low: int, high: int) -> int:
    """§S4 Return the best sum of a few patterns: the first square is used by one that begins there, or by none."""
    while (low | high) != 0:
        square = first_bit(low) if low != 0 else WORD + first_bit(high)
        decoration = int(state["decorations"][seat, square]) - 1
        best, tried = 0, False
        for line in range(int(box["first_line"][decoration]), int(box["first_line"][decoration + 1])):
            low_left, high_left, points = take_pattern(box, state, seat, line, square, low, high)
            if points > 0:
                best = max(best, points + try_patterns(box, state, seat, low_left, high_left))
                tried = True
        if low != 0:
            low &= low - 1
        else:
            high &= high - 1
        if tried:
            return max(best, try_patterns(box, state, seat, low, high))
    return 0


@allocating_kernel
def search_groups(box: Box, state: State, seat: int, low: int, high: int) -> int:
    """§S4 Return the best sum of many patterns, group by group."""
    total = 0
    while (low | high) != 0:
        square = first_bit(low) if low != 0 else WORD + first_bit(high)
        low_group, high_group = group_of(box, state, seat, square, low, high)
        memory = np.zeros((MEMORY, 3), np.int64)
        total += search_patterns(box, state, seat, low_group, high_group, memory)
        low, high = low & ~low_group, high & ~high_group
    return total


@kernel
def group_of(box: Box, state: State, seat: int, square: int, low: int, high: int) -> tuple[int, int]:
    """§S4 Return the squares that patterns join with this one, directly or through others."""
    low_group = 1 << square if square < WORD else 0
    high_group = 0 if square < WORD else 1 << square - WORD
    grown = True
    while grown:
        grown = False
        low_rest, high_rest = low, high
        while (low_rest | high_rest) != 0:
            first = first_bit(low_rest) if low_rest != 0 else WORD + first_bit(high_rest)
            if low_rest != 0:
                low_rest &= low_rest - 1
            else:
                high_rest &= high_rest - 1
            kind = int(state["decorations"][seat, first]) - 1
            for line in range(int(box["first_line"][kind]), int(box["first_line"][kind + 1])):
                low_left, high_left, points = take_pattern(box, state, seat, line, first, low, high)
                low_taken, high_taken = low & ~low_left, high & ~high_left
                joined = (low_taken & low_group) | (high_taken & high_group)
                more = (low_taken & ~low_group) | (high_taken & ~high_group)
                if points > 0 and joined != 0 and more != 0:
                    low_group, high_group, grown = low_group | low_taken, high_group | high_taken, True
    return low_group, high_group


@kernel
def search_patterns(box: Box, state: State, seat: int, low: int, high: int, memory: Out) -> int:
    """§S4 Return the best sum on these squares: the first square is used by a pattern that begins there, or by none.

    What was found for a set of squares is remembered, until another set needs the same place in the memory.
    """
    place = ((low * SPREAD[0] ^ high * SPREAD[1]) >> 40) & (len(memory) - 1)
    if int(memory[place, 2]) > 0 and int(memory[place, 0]) == low and int(memory[place, 1]) == high:
        return int(memory[place, 2]) - 1
    low_rest, high_rest, best, tried = low, high, 0, False
    while (low_rest | high_rest) != 0 and not tried:
        square = first_bit(low_rest) if low_rest != 0 else WORD + first_bit(high_rest)
        decoration = int(state["decorations"][seat, square]) - 1
        for line in range(int(box["first_line"][decoration]), int(box["first_line"][decoration + 1])):
            low_left, high_left, points = take_pattern(box, state, seat, line, square, low_rest, high_rest)
            if points > 0:
                best = max(best, points + search_patterns(box, state, seat, low_left, high_left, memory))
                tried = True
        if low_rest != 0:
            low_rest &= low_rest - 1
        else:
            high_rest &= high_rest - 1
    if tried:
        best = max(best, search_patterns(box, state, seat, low_rest, high_rest, memory))
    memory[place, 0], memory[place, 1], memory[place, 2] = low, high, best + 1
    return best


@kernel
def take_pattern(
    box: Box, state: State, seat: int, line: int, square: int, low: int, high: int
) -> tuple[int, int, int]:
    """§13, §14, §B4 Return the squares left and the points, if a pattern starts at `square`, which has its first
    decoration; else 0 points."""
    second = square + int(box["lines"][line, OFFSETS + 1])  # most patterns fail here, so it is asked first
    if second >= MAX_SQUARES or int(state["decorations"][seat, second]) - 1 != int(box["lines"][line, KINDS + 1]):
        return low, high, 0
    if not has_room(box, line, square):
        return low, high, 0
    low_left = low & ~(1 << square) if square < WORD else low
    high_left = high if square < WORD else high & ~(1 << square - WORD)
    trees = int(box["near_trees"][square])
    for i in range(1, int(box["lines"][line, LENGTH])):
        here = square + int(box["lines"][line, OFFSETS + i])
        if int(state["decorations"][seat, here]) - 1 != int(box["lines"][line, KINDS + i]):
            return low, high, 0
        bit = 1 << here % WORD
        if not (low if here < WORD else high) & bit:
            return low, high, 0
        if here < WORD:
            low_left ^= bit
        else:
            high_left ^= bit
        trees &= int(box["near_trees"][here])
    return low_left, high_left, int(box["lines"][line, EXTRA]) * tree_factor(box, trees)


@kernel
def has_room(box: Box, line: int, square: int) -> bool:
    """§13 Return whether a pattern that starts at `square` stays inside the map."""
    return (int(box["starts"][line, square // WORD]) >> square % WORD) & 1 == 1


@kernel
def tree_factor(box: Box, trees: int) -> int:
    """§14 Return the value of the best of these trees; in the other mode one more than their number, at most 3 (R11)."""
    if trees == 0:
        return 1
    return min(1 + count_bits(trees), 3) if figure(box, at.COUNT_TREES) else int(box["tree_values"][first_bit(trees)])
