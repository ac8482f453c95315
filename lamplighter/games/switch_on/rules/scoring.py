"""The scoring lines, their sum, and who wins."""

from __future__ import annotations

from lamplighter.games.switch_on.components import (
    ELECTRIC,
    POINTS,
    WORD,
)
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.rules.numbering import figure
from lamplighter.games.switch_on.rules.squares import (
    best_patterns,
    shining,
)
from lamplighter.games.switch_on.rules.turns import Box, Out, State
from lamplighter.jit import count_bits, first_bit, kernel


@kernel
def score_decorations(box: Box, state: State, seat: int) -> int:
    """§S3, §13, §14 Chart value times the tree's: a star beside a small tree is worth 20 x 2."""
    total = 0
    for word in range(2):
        alive = shining(box, state, seat, word)
        while alive != 0:
            square = word * WORD + first_bit(alive)
            decoration = int(state["decorations"][seat, square]) - 1
            total += int(box["chart"][decoration, POINTS]) * int(box["factor"][square])
            alive &= alive - 1
    return total


@kernel
def score_patterns(box: Box, state: State, seat: int) -> int:
    """§S4, §13 The best set of patterns that share no decoration: star, angel, star beside one tree is worth 35 x 2."""
    return best_patterns(box, state, seat, shining(box, state, seat, 0), shining(box, state, seat, 1))


@kernel
def light_squares(state: State, seat: int) -> int:
    """§15 Return how many squares have a light strand."""
    return count_bits(int(state["light"][seat, 0])) + count_bits(int(state["light"][seat, 1]))


@kernel
def score_cable(box: Box, state: State, seat: int) -> int:
    """§S5, §15 So much for every square with a light strand, powered or not (R10): 12 squares are worth 60."""
    squares = light_squares(state, seat)
    if not figure(box, at.DEAD_CABLE_SCORES):
        squares = 0
        for word in range(2):
            squares += count_bits(int(state["light"][seat, word]) & int(state["powered"][seat, word]))
    return figure(box, at.CABLE_POINTS) * squares


@kernel
def score(box: Box, state: State, seat: int, out: Out) -> int:
    """§11 The crowd: decorations, patterns, light strands."""
    out[0] = score_decorations(box, state, seat)
    out[1] = score_patterns(box, state, seat)
    out[2] = score_cable(box, state, seat)
    return int(out[0]) + int(out[1]) + int(out[2])


@kernel
def electric_decorations(box: Box, state: State, seat: int, alive: bool) -> int:
    """§12 Return how many light decorations shine, or are struck."""
    found = 0
    for word in range(2):
        shine = shining(box, state, seat, word)
        rest = shine if alive else int(state["decorated"][seat, word]) & ~shine
        while rest != 0:
            if box["chart"][int(state["decorations"][seat, word * WORD + first_bit(rest)]) - 1, ELECTRIC]:
                found += 1
            rest &= rest - 1
    return found


@kernel
def standing(box: Box, state: State, seat: int, total: int) -> int:
    """§11, §N The largest crowd wins, then more light decorations that shine, then more squares with light strands (R16)."""
    return (total * 128 + electric_decorations(box, state, seat, True)) * 128 + light_squares(state, seat)


@kernel
def facts(box: Box, state: State, seat: int, out: Out) -> int:
    """§12, §7 Light decorations that shine, strands drawn, decorations struck."""
    out[0] = electric_decorations(box, state, seat, True)
    out[1] = int(state["cable_count"][seat])
    out[2] = electric_decorations(box, state, seat, False)
    return 3
