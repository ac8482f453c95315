"""The board of one seat: which tile is where, and the open cells around the tiles.

Pure geometry in the record's own terms. A *network* is a street (0) or a greenway (1).
"""

from __future__ import annotations

from typing import Any

from lamplighter.games.greenways.components import (
    NEAR_BUILDING,
    NEAR_PARK,
    SIDES,
)
from lamplighter.games.greenways.state import CELL_ROW, START_CELL
from lamplighter.jit import kernel

Box = Any
State = Any
STEPS = (-CELL_ROW, 1, CELL_ROW, -1)  # to the neighbour in the north, east, south, west


@kernel
def side_of(sides: int, side: int) -> int:
    """Return one of the four sides of a picture or of a cell's surroundings."""
    return (sides >> (2 * side)) & 3


@kernel
def row_of(cell: int) -> int:
    """Return the row of a cell, counted downwards from the start tile."""
    return cell // CELL_ROW - START_CELL // CELL_ROW


@kernel
def column_of(cell: int) -> int:
    """Return the column of a cell, counted to the right from the start tile."""
    return cell % CELL_ROW - START_CELL % CELL_ROW


@kernel
def tile_at(state: State, seat: int, cell: int) -> int:
    """Return the tile in a cell; -1 if it is empty."""
    found = 0
    for tile in range(int(state["tiles"][seat])):  # to the end: several at once are quicker than one after the other
        found |= tile + 1 if state["cell"][seat, tile] == cell else 0
    return found - 1


@kernel
def neighbour(state: State, seat: int, tile: int, side: int) -> int:
    """Return the tile on a side of another; -1 if there is none."""
    return tile_at(state, seat, int(state["cell"][seat, tile]) + STEPS[side])


@kernel
def sides_of(box: Box, state: State, seat: int, tile: int) -> int:
    """Return the sides of a tile as it is laid."""
    return int(box["sides"][int(state["picture"][seat, tile])])


@kernel
def look_around(box: Box, state: State, seat: int, cell: int) -> int:
    """Return what is around a cell: the sides turned towards it, and whether a park or a building is among them."""
    around = 0
    for side in range(SIDES):
        tile = tile_at(state, seat, cell + STEPS[side])
        if tile >= 0:
            picture = int(state["picture"][seat, tile])
            around |= side_of(int(box["sides"][picture]), (side + 2) % SIDES) << (2 * side)
            around |= NEAR_PARK * int(box["gem"][1, picture]) | NEAR_BUILDING * int(box["building"][picture])
    return around


@kernel
def open_cell(state: State, seat: int, index: int) -> int:
    """Return the open cell of that index in reading order."""
    cell = int(state["first_open"][seat])
    for i in range(index):
        cell += int(state["gap"][seat, i])
    return cell


@kernel
def seek(state: State, seat: int, index: int, at: int, cell: int) -> tuple[int, int]:
    """Return index and cell of the first open cell that is not before this one, on the way from another, `at`, of that index.

    If there is none, they are the number of open cells and the last of them.
    """
    opened = int(state["opened"][seat])
    while at < cell and index < opened:
        at += int(state["gap"][seat, index])
        index += 1
    while index > 0 and at - int(state["gap"][seat, index - 1]) >= cell:
        index -= 1
        at -= int(state["gap"][seat, index])
    return index, at


@kernel
def open_index(state: State, seat: int, cell: int) -> int:
    """Return how many open cells come before this one in reading order."""
    return seek(state, seat, 0, int(state["first_open"][seat]), cell)[0]


@kernel
def is_open(state: State, seat: int, cell: int) -> bool:
    """Return whether a cell is empty and beside a tile."""
    index, found = seek(state, seat, 0, int(state["first_open"][seat]), cell)
    return index < int(state["opened"][seat]) and found == cell


@kernel
def insert_cell(state: State, seat: int, index: int, after: int, cell: int) -> None:
    """A cell becomes open before that of an index, `after`, or behind all others; those behind it move on."""
    opened = int(state["opened"][seat])
    before = after - int(state["gap"][seat, index - 1]) if index > 0 else cell
    for i in range(opened, index, -1):
        state["around"][seat, i] = state["around"][seat, i - 1]
        state["gap"][seat, i] = state["gap"][seat, i - 1]
    state["around"][seat, index] = 0
    state["gap"][seat, index] = after - cell if index < opened else 0
    if index == 0:
        state["first_open"][seat] = cell
    else:
        state["gap"][seat, index - 1] = cell - before
    state["opened"][seat] = opened + 1


@kernel
def move_cell(state: State, seat: int, index: int, step: int) -> None:
    """An open cell that is not the first gives its place to the next or the one before."""
    state["around"][seat, index] = 0
    state["gap"][seat, index - 1] = int(state["gap"][seat, index - 1]) + step
    if index + 1 < int(state["opened"][seat]):
        state["gap"][seat, index] = int(state["gap"][seat, index]) - step


@kernel
def close_cell(state: State, seat: int, index: int) -> None:
    """An open cell that is neither the first nor the last is open no more; those behind it move up."""
    last = int(state["opened"][seat]) - 1
    state["gap"][seat, index - 1] = int(state["gap"][seat, index - 1]) + int(state["gap"][seat, index])
    for i in range(index, last):
        state["around"][seat, i] = state["around"][seat, i + 1]
        state["gap"][seat, i] = state["gap"][seat, i + 1]
    state["around"][seat, last] = 0
    state["opened"][seat] = last
