"""Where a route may be drawn, and drawing it. All spaces at once: a set of spaces is an int64, one bit a space.

`offers[mark]` are the spaces that have something of the mark's type behind the mark's side: an exit or a drawn route. A
picture fits in the empty spaces that the offers of some of its marks hold, without those that the offers of the other
type on the same sides hold: eight reads and a few bit operations for the whole board.
"""

from __future__ import annotations

from typing import Any

from lamplighter.games.railroad.components.tables import MARKS
from lamplighter.games.railroad.state import Reason
from lamplighter.jit import kernel

Box = Any
State = Any


@kernel
def entry_of(box: Box, action: int) -> int:
    """Return the entry of an action that draws: the action divided by the number of spaces, without a slow division.

    Exact, as no action reaches 2³² / spaces.
    """
    return (action * int(box["per_space"])) >> 32


@kernel
def check_place(box: Box, state: State, seat: int, entry: int, space: int) -> Reason:
    """§3.1–§3.3, §6.1 Return why this picture may not be drawn in this space, or `Reason.OK`."""
    if space == int(box["accumulator"]):
        return Reason.ON_ACCUMULATOR
    if (int(state["drawn"][seat]) >> space) & 1:
        return Reason.SPACE_TAKEN
    connected = False
    for i in range(4):
        if (int(state["offers"][seat, int(box["entry_clashes"][entry, i])]) >> space) & 1:
            return Reason.TYPES_CLASH
        if (int(state["offers"][seat, int(box["entry_marks"][entry, i])]) >> space) & 1:
            connected = True
    return Reason.OK if connected else Reason.NOT_CONNECTED


@kernel
def fitting_spaces(box: Box, state: State, seat: int, entry: int) -> int:
    """§3.2, §3.3 Return the spaces, drawn ones too, where this picture continues something and clashes with nothing."""
    offers, marks, clashes = state["offers"][seat], box["entry_marks"][entry], box["entry_clashes"][entry]
    same = int(offers[marks[0]]) | int(offers[marks[1]]) | int(offers[marks[2]]) | int(offers[marks[3]])
    other = int(offers[clashes[0]]) | int(offers[clashes[1]]) | int(offers[clashes[2]]) | int(offers[clashes[3]])
    return same & ~other


@kernel
def fits_somewhere(box: Box, state: State, seat: int, route: int) -> bool:
    """§2.2 Return whether the route fits in some space, in some way."""
    free = int(box["open"]) & ~int(state["drawn"][seat])
    for entry in range(int(box["first_entry"][route]), int(box["end_entry"][route])):
        if fitting_spaces(box, state, seat, entry) & free:
            return True
    return False


@kernel
def draw(box: Box, state: State, seat: int, entry: int, space: int) -> None:
    """§1.8, §3 Draw a picture: its sides, its station, its second segment, and what its neighbours now see of it."""
    bit = 1 << space
    for mark in range(MARKS):
        state["sides"][seat, mark] |= int(box["entry_has"][entry, mark]) & bit
    for mark in range(MARKS):
        state["offers"][seat, mark] |= int(box["entry_shows"][entry, mark]) & int(box["seen_from"][space, mark])
    state["drawn"][seat] |= bit
    state["stations"][seat] |= int(box["entry_station"][entry]) << space
    second = int(box["entry_second"][entry])
    if second:
        for side in range(4):
            state["second"][seat, side] |= ((second >> side) & 1) << space
