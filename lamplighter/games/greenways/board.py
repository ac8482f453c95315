"""The board of one seat: laying a tile, and what follows from it for networks, open cells and the goal.

Pure geometry in the record's own terms: it trusts its caller that the tile may lie there (`rules.check`). A *network*
is a street (0) or a greenway (1); its tiles share a label, and its sums say how long it is and where it is open.
"""

from __future__ import annotations

from typing import Any

from lamplighter.games.greenways.components import (
    BARE_STREET,
    BLANK,
    GREENWAY,
    NEAR_BUILDING,
    NEAR_PARK,
    NO_TILE,
    SIDES,
    STREET,
    SURROUNDINGS,
)
from lamplighter.games.greenways.state import CELL_ROW, CELL_SHIFT, LINE_WORDS, NETWORKS, START_CELL
from lamplighter.jit import count_bits, first_bit, kernel

Box = Any
State = Any

STEPS = (-CELL_ROW, 1, CELL_ROW, -1)  # to the neighbour in the north, east, south, west
AROUND = SURROUNDINGS - 1
HALF = 60  # of a set of tiles, which takes two words


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
        if state["tile_cell"][seat, tile] == cell:
            return tile
    return -1


@kernel
def open_index(state: State, seat: int, cell: int) -> int:
    """How many open cells come before this one in reading order."""
    opened = int(state["opened"][seat])
    for index in range(opened):
        if state["open_cells"][seat, index] >= cell << CELL_SHIFT:
            return index
    return opened


@kernel
def is_open(state: State, seat: int, index: int, cell: int) -> bool:
    """This cell is the open one of that index."""
    return index < int(state["opened"][seat]) and int(state["open_cells"][seat, index]) >> CELL_SHIFT == cell


@kernel
def look_around(box: Box, state: State, seat: int, cell: int) -> int:
    """What lies around a cell: the sides turned towards it, and whether a park or a building is among them."""
    around = 0
    for side in range(SIDES):
        tile = tile_at(state, seat, cell + STEPS[side])
        if tile >= 0:
            picture = int(state["tile_picture"][seat, tile])
            around |= side_of(int(box["sides"][picture]), (side + 2) % SIDES) << (2 * side)
            around |= NEAR_PARK * int(box["gem"][1, picture]) | NEAR_BUILDING * int(box["building"][picture])
    return around


@kernel
def labels_around(state: State, seat: int, network: int, cell: int, sides: int) -> int:
    """The networks of the tiles that these sides of a cell touch, as bits."""
    labels = 0
    for side in range(SIDES):
        if side_of(sides, side) == STREET + network:
            tile = tile_at(state, seat, cell + STEPS[side])
            if tile >= 0:
                labels |= 1 << int(state["label"][seat, network, tile])
    return labels


# --- laying ---------------------------------------------------------------------------------------------------


@kernel
def lay_start(box: Box, state: State, seat: int) -> None:
    """§1 The start tile, as if its cell had been open."""
    state["opened"][seat] = 1
    state["open_cells"][seat, 0] = START_CELL << CELL_SHIFT
    lay_tile(box, state, seat, 0, int(box["pictures"]))


@kernel
def lay_tile(box: Box, state: State, seat: int, index: int, picture: int) -> None:
    """A tile goes into an open cell."""
    key = int(state["open_cells"][seat, index])
    cell, around = key >> CELL_SHIFT, key & AROUND
    sides = int(box["sides"][picture])
    tile = int(state["tiles"][seat])
    state["tile_cell"][seat, tile] = cell
    state["tile_picture"][seat, tile] = picture
    state["tiles"][seat] = tile + 1
    close_cell(state, seat, index)
    open_neighbours(box, state, seat, cell, around, picture)
    for network in range(NETWORKS):
        grow(state, seat, network, tile, cell, around, sides, int(box["gem"][network, picture]))
    stretch(state, seat, cell, int(state["label"][seat, 1, tile]) > 0)
    usable = 0
    for i in range(int(state["opened"][seat])):
        usable |= int(box["fits"][int(state["open_cells"][seat, i]) & AROUND])
    state["usable"][seat] = usable


@kernel
def close_cell(state: State, seat: int, index: int) -> None:
    """An open cell is open no more; those behind it move up."""
    last = int(state["opened"][seat]) - 1
    for i in range(index, last):
        state["open_cells"][seat, i] = state["open_cells"][seat, i + 1]
    state["open_cells"][seat, last] = 0
    state["opened"][seat] = last


@kernel
def open_neighbours(box: Box, state: State, seat: int, cell: int, around: int, picture: int) -> None:
    """The empty cells around a new tile are open now and have one more side to match."""
    sides = int(box["sides"][picture])
    near = NEAR_PARK * int(box["gem"][1, picture]) + NEAR_BUILDING * int(box["building"][picture])
    for side in range(SIDES):
        if side_of(around, side) == NO_TILE:
            neighbour = cell + STEPS[side]
            index = open_index(state, seat, neighbour)
            if not is_open(state, seat, index, neighbour):
                insert_cell(state, seat, index, neighbour)
            facing = side_of(sides, side)
            key = int(state["open_cells"][seat, index]) | near | facing << 2 * ((side + 2) % SIDES)
            if facing != BLANK:
                key &= ~(BARE_STREET << (facing - STREET))  # `grow` marks it again if it is the network's only end
            state["open_cells"][seat, index] = key


@kernel
def insert_cell(state: State, seat: int, index: int, cell: int) -> None:
    """A cell becomes open; those behind it move down."""
    last = int(state["opened"][seat])
    for i in range(last, index, -1):
        state["open_cells"][seat, i] = state["open_cells"][seat, i - 1]
    state["open_cells"][seat, index] = cell << CELL_SHIFT
    state["opened"][seat] = last + 1


# --- networks -------------------------------------------------------------------------------------------------


@kernel
def grow(state: State, seat: int, network: int, tile: int, cell: int, around: int, sides: int, gem: int) -> None:
    """A new tile joins the networks that it touches into one, or begins one.

    `gem` is 1 for an intersection in a street and for a park in a greenway.
    """
    label = 0
    ends = 0
    ends_sum = 0
    has_network = False
    for side in range(SIDES):
        if side_of(sides, side) == STREET + network:
            has_network = True
            neighbour = cell + STEPS[side]
            if side_of(around, side) == NO_TILE:
                ends += 1
                ends_sum += neighbour
            else:
                ends -= 1
                ends_sum -= cell
                other = int(state["label"][seat, network, tile_at(state, seat, neighbour)])
                if label == 0:
                    label = other
                elif other != label:
                    merge(state, seat, network, label, other)
    if not has_network:
        return
    if label == 0:
        label = free_label(state, seat, network)
    state["label"][seat, network, tile] = label
    state["ends"][seat, network, label] += ends
    state["ends_sum"][seat, network, label] += ends_sum
    state["length"][seat, network, label] += 1
    state["gems"][seat, network, label] += gem
    mark_last_cell(state, seat, network, label)


@kernel
def free_label(state: State, seat: int, network: int) -> int:
    """The lowest number that no network of this kind has."""
    label = 1
    while state["length"][seat, network, label] > 0:
        label += 1
    return label


@kernel
def merge(state: State, seat: int, network: int, label: int, other: int) -> None:
    """Two networks become one."""
    labels = state["label"][seat, network]
    for tile in range(int(state["tiles"][seat])):
        if labels[tile] == other:
            labels[tile] = label
    move_sum(state["ends"][seat, network], label, other)
    move_sum(state["ends_sum"][seat, network], label, other)
    move_sum(state["length"][seat, network], label, other)
    move_sum(state["gems"][seat, network], label, other)


@kernel
def move_sum(sums: Any, label: int, other: int) -> None:
    sums[label] = int(sums[label]) + int(sums[other])
    sums[other] = 0


@kernel
def mark_last_cell(state: State, seat: int, network: int, label: int) -> None:
    """§P5 If all open sides of a bare network face one cell, filling it may complete the network: note it there.

    Open sides that all face one cell have it as their mean, so that there is one cell to look at.
    """
    ends = int(state["ends"][seat, network, label])
    if ends == 0 or ends > SIDES or state["gems"][seat, network, label] > 0:
        return
    cell = int(state["ends_sum"][seat, network, label]) // ends
    index = open_index(state, seat, cell)
    if is_open(state, seat, index, cell):
        key = int(state["open_cells"][seat, index])
        if is_last_cell(state, seat, network, cell, key & AROUND):
            state["open_cells"][seat, index] = key | BARE_STREET << network


@kernel
def is_last_cell(state: State, seat: int, network: int, cell: int, around: int) -> bool:
    """§P5 Every network of this kind that faces a cell is bare and faces no other cell."""
    labels = labels_around(state, seat, network, cell, around)
    ends = 0
    while labels != 0:
        label = first_bit(labels)
        labels &= labels - 1
        ends += int(state["ends"][seat, network, label])
        if state["gems"][seat, network, label] > 0:
            return False
    for side in range(SIDES):
        if side_of(around, side) == STREET + network:
            ends -= 1
    return ends == 0


# --- the goal -------------------------------------------------------------------------------------------------


@kernel
def stretch(state: State, seat: int, cell: int, green: bool) -> None:
    """§11 The outermost rows and columns, and those with a greenway."""
    row, column = row_of(cell), column_of(cell)
    state["top"][seat] = min(int(state["top"][seat]), row)
    state["bottom"][seat] = max(int(state["bottom"][seat]), row)
    state["left"][seat] = min(int(state["left"][seat]), column)
    state["right"][seat] = max(int(state["right"][seat]), column)
    if green:
        state["green_rows"][seat, (row >> 5) % LINE_WORDS] |= 1 << (row & 31)
        state["green_columns"][seat, (column >> 5) % LINE_WORDS] |= 1 << (column & 31)


@kernel
def height(state: State, seat: int) -> int:
    """§11 Rows of the board."""
    return int(state["bottom"][seat]) - int(state["top"][seat]) + 1


@kernel
def width(state: State, seat: int) -> int:
    """§11 Columns of the board."""
    return int(state["right"][seat]) - int(state["left"][seat]) + 1


@kernel
def green_rows(state: State, seat: int) -> int:
    """§11 Rows that contain a tile with a greenway."""
    rows = 0
    for word in range(LINE_WORDS):
        rows += count_bits(int(state["green_rows"][seat, word]))
    return rows


@kernel
def green_columns(state: State, seat: int) -> int:
    """§11 Columns that contain a tile with a greenway."""
    columns = 0
    for word in range(LINE_WORDS):
        columns += count_bits(int(state["green_columns"][seat, word]))
    return columns


# --- the longest way ------------------------------------------------------------------------------------------


@kernel
def longest_path(box: Box, state: State, seat: int) -> int:
    """The most tiles on a way through one greenway that visits no tile twice, parks and mixed tiles included.

    Such a way ends at a dead end or beside a fork, or it is a whole ring, so that no other tile needs to be tried.
    """
    best = 0
    known = 0  # greenways of which one tile has been tried
    for tile in range(int(state["tiles"][seat])):
        label = int(state["label"][seat, 1, tile])
        if label > 0 and (not (known >> label) & 1 or may_end_path(box, state, seat, tile)):
            known |= 1 << label
            best = max(best, path_from(box, state, seat, tile))
    return best


@kernel
def may_end_path(box: Box, state: State, seat: int, tile: int) -> bool:
    """A greenway tile with at most one neighbour, or beside one with three or four greenway sides."""
    cell = int(state["tile_cell"][seat, tile])
    ways = ways_on(box, state, seat, tile, 0, 0)
    if count_bits(ways) <= 1:
        return True
    while ways != 0:
        other = tile_at(state, seat, cell + STEPS[first_bit(ways)])
        if box["fork"][int(state["tile_picture"][seat, other])]:
            return True
        ways &= ways - 1
    return False


@kernel
def path_from(box: Box, state: State, seat: int, start: int) -> int:
    """The most tiles on a way from here. Every way is walked, told apart by the turns taken where there is a choice."""
    best = 0
    turns = 0  # two bits for each choice on the way
    while True:
        tile = start
        seen, seen_late = add_seen(start, 0, 0)
        length, choices, open_choices = 1, 0, 0
        ways = ways_on(box, state, seat, tile, seen, seen_late)
        while ways != 0:
            if count_bits(ways) > 1:
                turn = (turns >> (2 * choices)) & 3
                if count_bits(ways) > turn + 1:
                    open_choices |= 1 << choices
                choices += 1
                for _ in range(turn):
                    ways &= ways - 1
            tile = tile_at(state, seat, int(state["tile_cell"][seat, tile]) + STEPS[first_bit(ways)])
            seen, seen_late = add_seen(tile, seen, seen_late)
            length += 1
            ways = ways_on(box, state, seat, tile, seen, seen_late)
        best = max(best, length)
        if open_choices == 0:
            return best
        last = 0
        while open_choices >> (last + 1) != 0:
            last += 1
        turns = (turns & ((1 << (2 * last + 2)) - 1)) + (1 << (2 * last))


@kernel
def ways_on(box: Box, state: State, seat: int, tile: int, seen: int, seen_late: int) -> int:
    """The sides on which a greenway goes on from a tile to one that is not seen yet, as bits."""
    ways = 0
    cell = int(state["tile_cell"][seat, tile])
    sides = int(box["sides"][int(state["tile_picture"][seat, tile])])
    for side in range(SIDES):
        if side_of(sides, side) == GREENWAY:
            other = tile_at(state, seat, cell + STEPS[side])
            if other >= 0 and not is_seen(other, seen, seen_late):
                ways |= 1 << side
    return ways


@kernel
def add_seen(tile: int, seen: int, seen_late: int) -> tuple[int, int]:
    """A set of tiles with one more, in two words."""
    if tile < HALF:
        return seen | 1 << tile, seen_late
    return seen, seen_late | 1 << (tile - HALF)


@kernel
def is_seen(tile: int, seen: int, seen_late: int) -> bool:
    """A tile is in the set."""
    return bool((seen >> tile) & 1 if tile < HALF else (seen_late >> (tile - HALF)) & 1)
