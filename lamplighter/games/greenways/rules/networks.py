"""Streets and greenways: following them from tile to tile, counting them, and where they end.

A set of tiles takes two words and is handed around as a pair.
"""

from __future__ import annotations

from lamplighter.games.greenways.components import (
    BARE_STREET,
)
from lamplighter.games.greenways.rules.board import STEPS, Box, State, neighbour, open_index, sides_of, tile_at
from lamplighter.games.greenways.state import NO_CELL
from lamplighter.jit import count_bits, first_bit, kernel

Tiles = tuple[int, int]
WORD = 60  # tiles in the first word of a set


@kernel
def add_tile(tiles: Tiles, tile: int, wanted: bool = True) -> Tiles:
    """Return a set of tiles with one more, if it is wanted."""
    if tile < WORD:
        return tiles[0] | int(wanted) << tile, tiles[1]
    return tiles[0], tiles[1] | int(wanted) << (tile - WORD)


@kernel
def has_tile(tiles: Tiles, tile: int) -> bool:
    """Return whether a tile is in the set."""
    return bool((tiles[0] >> tile) & 1 if tile < WORD else (tiles[1] >> (tile - WORD)) & 1)


@kernel
def first_tile(tiles: Tiles) -> int:
    """Return the lowest tile of a set that is not empty."""
    return first_bit(tiles[0]) if tiles[0] != 0 else WORD + first_bit(tiles[1])


@kernel
def drop_first(tiles: Tiles) -> Tiles:
    """Return a set that is not empty, without its lowest tile."""
    if tiles[0] != 0:
        return tiles[0] & (tiles[0] - 1), tiles[1]
    return 0, tiles[1] & (tiles[1] - 1)


@kernel
def count_tiles(tiles: Tiles) -> int:
    return count_bits(tiles[0]) + count_bits(tiles[1])


@kernel
def join_sets(one: Tiles, two: Tiles) -> Tiles:
    return one[0] | two[0], one[1] | two[1]


@kernel
def ways_of(sides: int, network: int) -> int:
    """Return the sides of a picture with a street (0) or a greenway (1), a bit for each at twice the number of the side."""
    second = (sides >> 1) & 0b01010101  # of the two bits of a side: both mean greenway, the second alone street
    return second & sides if network else second & ~sides


@kernel
def network_from(box: Box, state: State, seat: int, network: int, tile: int) -> Tiles:
    """Return all tiles of the street (0) or greenway (1) that this tile is part of."""
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
    """Return a street (0) or greenway (1) whose tiles are not in a set, the first laid first; empty if there is none."""
    for tile in range(int(state["tiles"][seat])):
        if ways_of(sides_of(box, state, seat, tile), network) != 0 and not has_tile(known, tile):
            return network_from(box, state, seat, network, tile)
    return 0, 0


@kernel
def count_gems(box: Box, state: State, seat: int, network: int, tiles: Tiles) -> int:
    """§8, §9 Return how many intersections a street has, or parks a greenway."""
    gems = 0
    while count_tiles(tiles) > 0:
        gems += int(box["gem"][network, int(state["picture"][seat, first_tile(tiles)])])
        tiles = drop_first(tiles)
    return gems


@kernel
def measure(box: Box, state: State, seat: int, network: int) -> tuple[int, int, int]:
    """§12 Return the tiles in streets (0) or greenways (1) with a gem, the gems, and the tiles of the longest of all."""
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
    """Return how many open sides a network has."""
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
    """§P5 Return the cell that all open sides of a network face, if it is only one and the network has no gem; else NO_CELL.

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
    """§P5 Return whether all networks that these sides of a cell touch have no gem and are open to no other cell."""
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
