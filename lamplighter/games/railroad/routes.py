"""Where a route may be drawn, and drawing it. All spaces at once: a set of spaces is an int64, one bit a space.

`offers[mark]` are the spaces that have something of the mark's type behind the mark's side, an exit or a drawn route. Mark
m ^ 4 is the other type on the same side. So the spaces where a picture fits are the empty ones that some mark's offers
hold, without those that the other type's offers hold: eight reads and a few bit operations for the whole board.
"""

from __future__ import annotations

from typing import Any

from lamplighter.games.railroad.components import BOARD, MARKS, SIZE, SPACES
from lamplighter.games.railroad.state import Reason
from lamplighter.jit import kernel

Box = Any
State = Any

FIRST_COLUMN = sum(1 << space for space in range(0, SPACES, SIZE))
LAST_COLUMN = FIRST_COLUMN << (SIZE - 1)
OTHER_TYPE = 4  # mark ^ OTHER_TYPE


@kernel
def check_place(box: Box, state: State, seat: int, entry: int, space: int) -> Reason:
    """§3.1–§3.3, §6.1 Why this picture may not be drawn in this space, or `Reason.OK`."""
    if space == int(box["accumulator"]):
        return Reason.ON_ACCUMULATOR
    if (int(state["drawn"][seat]) >> space) & 1:
        return Reason.SPACE_TAKEN
    connected = False
    for i in range(4):
        mark = (int(box["entry_marks"][entry]) >> 3 * i) & 7
        if (int(state["offers"][seat, mark ^ OTHER_TYPE]) >> space) & 1:
            return Reason.TYPES_CLASH
        if (int(state["offers"][seat, mark]) >> space) & 1:
            connected = True
    return Reason.OK if connected else Reason.NOT_CONNECTED


@kernel
def fitting_spaces(box: Box, state: State, seat: int, entry: int) -> int:
    """§3.2, §3.3 The spaces, drawn ones too, where this picture continues something and clashes with nothing."""
    marks = int(box["entry_marks"][entry])
    a, b, c, d = marks & 7, (marks >> 3) & 7, (marks >> 6) & 7, (marks >> 9) & 7
    offers = state["offers"]
    same = int(offers[seat, a]) | int(offers[seat, b]) | int(offers[seat, c]) | int(offers[seat, d])
    other = (
        int(offers[seat, a ^ OTHER_TYPE])
        | int(offers[seat, b ^ OTHER_TYPE])
        | int(offers[seat, c ^ OTHER_TYPE])
        | int(offers[seat, d ^ OTHER_TYPE])
    )
    return same & ~other


@kernel
def fits_somewhere(box: Box, state: State, seat: int, route: int) -> bool:
    """§2.2 The route fits in some space, in some way."""
    free = int(box["open"]) & ~int(state["drawn"][seat])
    for entry in range(int(box["first_entry"][route]), int(box["end_entry"][route])):
        if fitting_spaces(box, state, seat, entry) & free:
            return True
    return False


@kernel
def draw(box: Box, state: State, seat: int, entry: int, space: int) -> None:
    """§1.8, §3 Draw a picture: its sides, its station, its second segment, and what its neighbours now see of it."""
    bit = 1 << space
    bits = int(box["entry_bits"][entry])
    for mark in range(MARKS):
        state["sides"][seat, mark] |= ((bits >> mark) & 1) << space
    for first in range(0, MARKS, 4):
        state["offers"][seat, first] |= (((bits >> (first + 2)) & 1) << (space + SIZE)) & BOARD
        state["offers"][seat, first + 1] |= (((bits >> (first + 3)) & 1) << space) >> 1 & ~LAST_COLUMN
        state["offers"][seat, first + 2] |= (((bits >> first) & 1) << space) >> SIZE
        state["offers"][seat, first + 3] |= (((bits >> (first + 1)) & 1) << (space + 1)) & ~FIRST_COLUMN & BOARD
    state["drawn"][seat] |= bit
    state["stations"][seat] |= int(box["entry_station"][entry]) << space
    second = int(box["entry_second"][entry])
    if second:
        for side in range(4):
            state["second"][seat, side] |= ((second >> side) & 1) << space
