"""The board of one seat: laying a tile, the open cells around the tiles, and networks.

Pure geometry in the record's own terms: it trusts its caller that a tile may lie where it is laid (`rules.check`). A
*network* is a street (0) or a greenway (1). A set of tiles takes two words and is handed around as a pair.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

from lamplighter.games.greenways.components import (
    BARE_STREET,
    BLANK,
    NEAR_BUILDING,
    NEAR_PARK,
    NO_TILE,
    SIDES,
    STREET,
)
from lamplighter.games.greenways.state import CELL_ROW, NETWORKS, NO_CELL, START_CELL
from lamplighter.jit import count_bits, first_bit, kernel

Box = Any
State = Any
Tiles = tuple[int, int]

STEPS = (-CELL_ROW, 1, CELL_ROW, -1)  # to the neighbour in the north, east, south, west
WORD = 60  # tiles in the first word of a set


# --- looking --------------------------------------------------------------------------------------------------


@kernel
def side_of(sides: int, side: int) -> int:
    """One of the four sides of a picture or of a cell's surroundings."""
    return (sides >> (2 * side)) & 3


@kernel
def row_of(cell: int) -> int:
    """Rows from the start tile, growing downwards."""
    return cell // CELL_ROW - START_CELL // CELL_ROW


@kernel
def column_of(cell: int) -> int:
    """Columns from the start tile, growing to the right."""
    return cell % CELL_ROW - START_CELL % CELL_ROW


@kernel
def tile_at(state: State, seat: int, cell: int) -> int:
    """The tile that lies in a cell; -1 if it is empty."""
    for tile in range(int(state["tiles"][seat])):
        if state["cell"][seat, tile] == cell:
            return tile
    return -1


@kernel
def neighbour(state: State, seat: int, tile: int, side: int) -> int:
    """The tile on a side of another; -1 if there is none."""
    return tile_at(state, seat, int(state["cell"][seat, tile]) + STEPS[side])


@kernel
def sides_of(box: Box, state: State, seat: int, tile: int) -> int:
    """The sides of a tile as it lies."""
    return int(box["sides"][int(state["picture"][seat, tile])])


@kernel
def look_around(box: Box, state: State, seat: int, cell: int) -> int:
    """What lies around a cell: the sides turned towards it, and whether a park or a building is among them."""
    around = 0
    for side in range(SIDES):
        tile = tile_at(state, seat, cell + STEPS[side])
        if tile >= 0:
            picture = int(state["picture"][seat, tile])
            around |= side_of(int(box["sides"][picture]), (side + 2) % SIDES) << (2 * side)
            around |= NEAR_PARK * int(box["gem"][1, picture]) | NEAR_BUILDING * int(box["building"][picture])
    return around


# --- open cells -----------------------------------------------------------------------------------------------


@kernel
def open_cell(state: State, seat: int, index: int) -> int:
    """The open cell of that index in reading order."""
    cell = int(state["first_open"][seat])
    for i in range(index):
        cell += int(state["gap"][seat, i])
    return cell


@kernel
def seek(state: State, seat: int, index: int, at: int, cell: int) -> tuple[int, int]:
    """Index and cell of the first open cell that is not before this one, on the way from another, `at`, of that index.

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
    """How many open cells come before this one in reading order."""
    return seek(state, seat, 0, int(state["first_open"][seat]), cell)[0]


@kernel
def is_open(state: State, seat: int, cell: int) -> bool:
    """A cell is empty and beside a tile."""
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


# --- laying ---------------------------------------------------------------------------------------------------


@kernel
def lay_start(box: Box, state: State, seat: int) -> None:
    """§1 The start tile, as if its cell had been open."""
    state["opened"][seat] = 1
    state["first_open"][seat] = START_CELL
    lay_tile(box, state, seat, 0, int(box["pictures"]))


@kernel
def lay_tile(box: Box, state: State, seat: int, index: int, picture: int) -> None:
    """A tile goes into an open cell."""
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
    usable = 0
    for i in range(int(state["opened"][seat])):
        usable |= int(box["fits"][int(state["around"][seat, i])])
    state["usable"][seat] = usable


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


# --- sets of tiles --------------------------------------------------------------------------------------------


@kernel
def add_tile(tiles: Tiles, tile: int) -> Tiles:
    """A set of tiles with one more."""
    if tile < WORD:
        return tiles[0] | 1 << tile, tiles[1]
    return tiles[0], tiles[1] | 1 << (tile - WORD)


@kernel
def has_tile(tiles: Tiles, tile: int) -> bool:
    """A tile is in the set."""
    return bool((tiles[0] >> tile) & 1 if tile < WORD else (tiles[1] >> (tile - WORD)) & 1)


@kernel
def first_tile(tiles: Tiles) -> int:
    """The lowest tile of a set that is not empty."""
    return first_bit(tiles[0]) if tiles[0] != 0 else WORD + first_bit(tiles[1])


@kernel
def drop_first(tiles: Tiles) -> Tiles:
    """A set that is not empty, without its lowest tile."""
    if tiles[0] != 0:
        return tiles[0] & (tiles[0] - 1), tiles[1]
    return 0, tiles[1] & (tiles[1] - 1)


@kernel
def count_tiles(tiles: Tiles) -> int:
    return count_bits(tiles[0]) + count_bits(tiles[1])


@kernel
def join_sets(one: Tiles, two: Tiles) -> Tiles:
    return one[0] | two[0], one[1] | two[1]


# --- networks -------------------------------------------------------------------------------------------------


@kernel
def ways_of(sides: int, network: int) -> int:
    """The sides of a picture with a street (0) or a greenway (1), a bit for each at twice the number of the side."""
    second = (sides >> 1) & 0b01010101  # of the two bits of a side: both mean greenway, the second alone street
    return second & sides if network else second & ~sides


@kernel
def network_from(box: Box, state: State, seat: int, network: int, tile: int) -> Tiles:
    """All tiles of the street (0) or greenway (1) that this tile is part of."""
    found = add_tile((0, 0), tile)
    todo = found
    while count_tiles(todo) > 0:
        tile = first_tile(todo)
        todo = drop_first(todo)
        ways = ways_of(sides_of(box, state, seat, tile), network)
        while ways != 0:
            other = neighbour(state, seat, tile, first_bit(ways) // 2)
            ways &= ways - 1
            if other >= 0 and not has_tile(found, other):
                found = add_tile(found, other)
                todo = add_tile(todo, other)
    return found


@kernel
def next_network(box: Box, state: State, seat: int, network: int, known: Tiles) -> Tiles:
    """A street (0) or greenway (1) whose tiles are not in a set, the first laid first; empty if there is none."""
    for tile in range(int(state["tiles"][seat])):
        if ways_of(sides_of(box, state, seat, tile), network) != 0 and not has_tile(known, tile):
            return network_from(box, state, seat, network, tile)
    return 0, 0


@kernel
def count_gems(box: Box, state: State, seat: int, network: int, tiles: Tiles) -> int:
    """§8, §9 The intersections of a street, the parks of a greenway."""
    gems = 0
    while count_tiles(tiles) > 0:
        gems += int(box["gem"][network, int(state["picture"][seat, first_tile(tiles)])])
        tiles = drop_first(tiles)
    return gems


@kernel
def measure(box: Box, state: State, seat: int, network: int) -> tuple[int, int, int]:
    """§12 The tiles in streets (0) or greenways (1) with a gem, the gems, and the tiles of the longest of all."""
    tiles = gems = longest = 0
    found = known = next_network(box, state, seat, network, (0, 0))
    while count_tiles(found) > 0:
        own = count_gems(box, state, seat, network, found)
        if own > 0:
            tiles += count_tiles(found)
            gems += own
        longest = max(longest, count_tiles(found))
        found = next_network(box, state, seat, network, known)
        known = join_sets(known, found)
    return tiles, gems, longest


@kernel
def count_ends(box: Box, state: State, seat: int, network: int, tiles: Tiles) -> int:
    """The open sides of a network."""
    ends = 0
    while count_tiles(tiles) > 0:
        ways = ways_of(sides_of(box, state, seat, first_tile(tiles)), network)
        while ways != 0:
            if neighbour(state, seat, first_tile(tiles), first_bit(ways) // 2) < 0:
                ends += 1
            ways &= ways - 1
        tiles = drop_first(tiles)
    return ends


@kernel
def only_end(box: Box, state: State, seat: int, network: int, tile: int) -> int:
    """§P5 The cell that all open sides of a network face, if it is only one and the network has no gem; else NO_CELL.

    Most networks have a gem or two ends nearby, so that the search is soon over.
    """
    end = NO_CELL
    found = add_tile((0, 0), tile)
    todo = found
    while count_tiles(todo) > 0:
        tile = first_tile(todo)
        todo = drop_first(todo)
        if box["gem"][network, int(state["picture"][seat, tile])]:
            return NO_CELL
        ways = ways_of(sides_of(box, state, seat, tile), network)
        while ways != 0:
            cell = int(state["cell"][seat, tile]) + STEPS[first_bit(ways) // 2]
            ways &= ways - 1
            other = tile_at(state, seat, cell)
            if other >= 0 and not has_tile(found, other):
                found = add_tile(found, other)
                todo = add_tile(todo, other)
            elif other < 0:
                if end not in (NO_CELL, cell):
                    return NO_CELL
                end = cell
    return end


@kernel
def is_last_cell(box: Box, state: State, seat: int, network: int, cell: int, sides: int) -> bool:
    """§P5 All networks that these sides of a cell touch have no gem and are open to no other cell."""
    ways = ways_of(sides, network)
    while ways != 0:
        tile = tile_at(state, seat, cell + STEPS[first_bit(ways) // 2])
        if tile < 0 or only_end(box, state, seat, network, tile) != cell:
            return False
        ways &= ways - 1
    return True


@kernel
def mark_last_cell(box: Box, state: State, seat: int, network: int, tile: int) -> None:
    """§P5 Filling the only cell that bare networks are open to may complete them: note it there."""
    cell = only_end(box, state, seat, network, tile)
    if cell != NO_CELL:
        index = open_index(state, seat, cell)
        around = int(state["around"][seat, index])
        if is_last_cell(box, state, seat, network, cell, around):
            state["around"][seat, index] = around | BARE_STREET << network


# --- the goal -------------------------------------------------------------------------------------------------


@kernel
def height(state: State, seat: int) -> int:
    """§11 Rows of the board."""
    return int(state["bottom"][seat]) - int(state["top"][seat]) + 1


@kernel
def width(state: State, seat: int) -> int:
    """§11 Columns of the board."""
    return int(state["right"][seat]) - int(state["left"][seat]) + 1


@kernel
def green_lines(box: Box, state: State, seat: int) -> tuple[int, int]:
    """§11 How many rows and how many columns contain a tile with a greenway."""
    rows = columns = (0, 0)
    for tile in range(int(state["tiles"][seat])):
        if ways_of(sides_of(box, state, seat, tile), 1) != 0:
            cell = int(state["cell"][seat, tile])
            rows = add_tile(rows, row_of(cell) - int(state["top"][seat]))
            columns = add_tile(columns, column_of(cell) - int(state["left"][seat]))
    return count_tiles(rows), count_tiles(columns)


# --- for people -----------------------------------------------------------------------------------------------


def open_cells(state: State, seat: int) -> dict[int, int]:
    """The open cells in reading order, with their surroundings."""
    count = int(state["opened"][seat])
    cells = itertools.accumulate(state["gap"][seat, : count - 1].tolist(), initial=int(state["first_open"][seat]))
    return dict(zip(cells, state["around"][seat, :count].tolist(), strict=True))


class Network(NamedTuple):
    """A street or a greenway."""

    tiles: list[int]
    gems: int  # its intersections or parks
    ends: int  # its open sides


def networks(box: Box, state: State, seat: int, network: int) -> list[Network]:
    """Every street (0) or greenway (1), the first laid first."""
    found: list[Network] = []
    known = (0, 0)
    while count_tiles(tiles := next_network(box, state, seat, network, known)):
        known = join_sets(known, tiles)
        gems, ends = (count(box, state, seat, network, tiles) for count in (count_gems, count_ends))
        laid = [tile for tile in range(int(state["tiles"][seat])) if has_tile(tiles, tile)]
        found.append(Network(laid, int(gems), int(ends)))
    return found
