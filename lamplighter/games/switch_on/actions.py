"""How actions are numbered, for kernels; state.py describes it."""

from __future__ import annotations

from typing import Any

from lamplighter.games.switch_on import figures as at
from lamplighter.games.switch_on.components import FIRST_RAISE, NEEDS_PAIR
from lamplighter.games.switch_on.figures import figure
from lamplighter.games.switch_on.state import Phase
from lamplighter.jit import kernel

Box = Any


@kernel
def phase_of(box: Box, action: int) -> Phase:
    """§C The part of a turn to which an action belongs."""
    if action < FIRST_RAISE:
        return Phase.CHOOSE
    if action < figure(box, at.PASS_ACTION):
        return Phase.FUNDS
    if action < figure(box, at.STOP_ACTION):
        return Phase.CABLE
    return Phase.DECORATE if action < figure(box, at.FIRST_DISCARD) else Phase.LIMIT


@kernel
def split_raise(box: Box, action: int) -> tuple[int, int, int]:
    """Slot (-1: no card), Money and Cable of a raise."""
    base = figure(box, at.MOST_UNITS) + 1
    number = action - FIRST_RAISE
    return number // (base * base) - 1, number // base % base, number % base


@kernel
def split_hang(box: Box, action: int) -> tuple[int, int, int, int]:
    """Decoration, slots of the cards (twice the same for one card) and square."""
    decoration = 0
    while action >= int(box["first_hang"][decoration + 1]):
        decoration += 1
    number = action - int(box["first_hang"][decoration])
    squares = figure(box, at.SQUARES)
    payment, square = number // squares, number % squares
    if not box["chart"][decoration, NEEDS_PAIR]:
        return decoration, payment, payment, square
    one, row = 0, figure(box, at.SLOTS) - 1
    while payment >= row:
        payment -= row
        row -= 1
        one += 1
    return decoration, one, one + 1 + payment, square
