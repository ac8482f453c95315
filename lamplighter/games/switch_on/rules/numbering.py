"""The single numbers of a box, and how actions are numbered; `components.numbers` and state.py describe them."""

from __future__ import annotations

from typing import Any

from lamplighter.games.switch_on.components import CARDS, FIRST_RAISE
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.state import Phase
from lamplighter.jit import kernel

Box = Any


@kernel
def figure(box: Box, which: int) -> int:
    """Return one of the numbers that `components.numbers` names."""
    return int(box["figures"][which])


@kernel
def phase_of(box: Box, action: int) -> Phase:
    """§C Return the part of a turn to which an action belongs."""
    if action < FIRST_RAISE:
        return Phase.CHOOSE
    if action < figure(box, at.PASS_ACTION):
        return Phase.FUNDS
    if action < figure(box, at.STOP_ACTION):
        return Phase.CABLE
    return Phase.DECORATE if action < figure(box, at.FIRST_DISCARD) else Phase.LIMIT


@kernel
def split_raise(box: Box, action: int) -> tuple[int, int, int]:
    """Return slot (-1: no card), Money and Cable of a raise."""
    base = figure(box, at.MOST_UNITS) + 1
    number = action - FIRST_RAISE
    return number // (base * base) - 1, number // base % base, number % base


@kernel
def split_hang(box: Box, action: int) -> tuple[int, int, int]:
    """Return decoration, number of the payment and square."""
    decoration = 0
    while action >= int(box["first_hang"][decoration + 1]):
        decoration += 1
    number = action - int(box["first_hang"][decoration])
    squares = figure(box, at.SQUARES)
    return decoration, number // squares, number % squares


@kernel
def choose(n: int, k: int) -> int:
    """Return in how many ways `k` of `n` can be chosen."""
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@kernel
def payment_slots(box: Box, decoration: int, payment: int) -> int:
    """Return the slots of the cards of a payment, as bits: payments are counted as (0, 1), (0, 2), … (1, 2), …"""
    left, slots, chosen = int(box["chart"][decoration, CARDS]), figure(box, at.SLOTS), 0
    if left == 1:
        return 1 << payment
    slot = 0
    if left == 2:  # the usual case, without a division
        row = slots - 1
        while payment >= row:
            payment -= row
            row -= 1
            slot += 1
        return 1 << slot | 1 << slot + 1 + payment
    while left > 0:
        ways = choose(slots - slot - 1, left - 1)  # with this slot as the next one
        if payment < ways:
            chosen |= 1 << slot
            left -= 1
        else:
            payment -= ways
        slot += 1
    return chosen
