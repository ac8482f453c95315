"""Laying a tile, and how far the board has come towards the goal.

Nothing here asks whether the tile may lie there: that is for `legality.check`.
"""

from __future__ import annotations

from lamplighter.games.greenways.components import (
    BARE_STREET,
    BLANK,
    NEAR_BUILDING,
    NEAR_PARK,
    NO_TILE,
    SIDES,
    STREET,
)
from lamplighter.games.greenways.rules.board import (
    STEPS,
    Box,
    State,
    close_cell,
    column_of,
    insert_cell,
    move_cell,
    open_cell,
    row_of,
    seek,
    side_of,
    sides_of,
)
from lamplighter.games.greenways.rules.networks import add_tile, count_tiles, mark_last_cell, ways_of
from lamplighter.games.greenways.state import NETWORKS, START_CELL
from lamplighter.jit import count_bits, kernel


@kernel
def lay_start(box: Box, state: State, seat: int) -> None:
    """§1 Lay the start tile, as if its cell had been open."""
    state["opened"][seat] = 1
    state["first_open"][seat] = START_CELL
    lay_tile(box, state, seat, 0, int(box["pictures"]))


@kernel
def lay_tile(box: Box, state: State, seat: int, index: int, picture: int) -> None:
    """Lay a tile into an open cell."""
    cell, tile = open_cell(state, seat, index), int(state["tiles"][seat])
    around = int(state["around"][seat, index])
    state["cell"][seat, tile] = cell
    state["picture"][seat, tile] = picture
    state["tiles"][seat] = tile + 1
    open_neighbours(box, state, seat, index, cell, picture)
    for network in range(NETWORKS):
        ways = ways_of(int(box["sides"][picture]), network)
        if ways != 0 and count_bits(ways & ~(around | around >> 1)) <= 1:  # more than one open side leads to two cells
            mark_last_cell(box, state, seat, network, tile)
    state["top"][seat] = min(int(state["top"][seat]), row_of(cell))
    state["bottom"][seat] = max(int(state["bottom"][seat]), row_of(cell))
    state["left"][seat] = min(int(state["left"][seat]), column_of(cell))
    state["right"][seat] = max(int(state["right"][seat]), column_of(cell))


@kernel
def usable(box: Box, state: State, seat: int) -> int:
    """§P1–§P5 Return the pictures that fit somewhere, as bits."""
    pictures = 0
    for index in range(int(state["opened"][seat])):
        pictures |= int(box["fits"][int(state["around"][seat, index])])
    return pictures


@kernel
def fits_somewhere(box: Box, state: State, seat: int, pictures: int) -> bool:
    """§P1–§P5 Return whether one of these pictures (bits) can be laid."""
    for index in range(int(state["opened"][seat])):
        if int(box["fits"][int(state["around"][seat, index])]) & pictures != 0:
            return True
    return False


@kernel
def open_neighbours(box: Box, state: State, seat: int, index: int, cell: int, picture: int) -> None:
    """A tile's cell is open no more; the empty ones around it are, and have one more side to match."""
    at = cell  # what stands at the index: the cell, until a neighbour in its row takes its place
    around = int(state["around"][seat, index])
    sides = int(box["sides"][picture])
    near = NEAR_PARK * int(box["gem"][1, picture]) + NEAR_BUILDING * int(box["building"][picture])
    for side in range(SIDES):
        if side_of(around, side) == NO_TILE:
            i, found = seek(state, seat, index, at, cell + STEPS[side])
            if i == int(state["opened"][seat]) or found != cell + STEPS[side]:
                if at == cell and abs(STEPS[side]) == 1:
                    i, at = index, cell + STEPS[side]
                    move_cell(state, seat, index, STEPS[side])
                else:
                    insert_cell(state, seat, i, found, cell + STEPS[side])
                    if i <= index:
                        index += 1
            facing = side_of(sides, side)
            seen = int(state["around"][seat, i]) | near | facing << 2 * ((side + 2) % SIDES)
            if facing != BLANK:
                seen &= ~(BARE_STREET << (facing - STREET))  # `mark_last_cell` notes it again if it is still so
            state["around"][seat, i] = seen
    if at == cell:
        close_cell(state, seat, index)


@kernel
def height(state: State, seat: int) -> int:
    """§11 Return how many rows the board has."""
    return int(state["bottom"][seat]) - int(state["top"][seat]) + 1


@kernel
def width(state: State, seat: int) -> int:
    """§11 Return how many columns the board has."""
    return int(state["right"][seat]) - int(state["left"][seat]) + 1


@kernel
def green_lines(box: Box, state: State, seat: int) -> tuple[int, int]:
    """§11 Return how many rows and how many columns contain a tile with a greenway."""
    rows = columns = (0, 0)
    for tile in range(int(state["tiles"][seat])):
        green = ways_of(sides_of(box, state, seat, tile), 1) != 0
        cell = int(state["cell"][seat, tile])
        rows = add_tile(rows, row_of(cell) - int(state["top"][seat]), green)
        columns = add_tile(columns, column_of(cell) - int(state["left"][seat]), green)
    return count_tiles(rows), count_tiles(columns)
