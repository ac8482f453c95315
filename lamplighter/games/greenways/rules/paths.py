"""The longest way through a greenway: a search over tiles, for the rule that asks for it (R10)."""

from __future__ import annotations

from typing import Any

from lamplighter.games.greenways.components import GREENWAY, SIDES
from lamplighter.games.greenways.rules.board import neighbour, side_of, sides_of
from lamplighter.games.greenways.rules.networks import (
    Tiles,
    add_tile,
    count_tiles,
    drop_first,
    first_tile,
    has_tile,
    join_sets,
    next_network,
)
from lamplighter.jit import count_bits, first_bit, kernel

Box = Any
State = Any


@kernel
def longest_path(box: Box, state: State, seat: int) -> int:
    """Return the most tiles on a way through one greenway that visits no tile twice, parks and mixed tiles included.

    Such a way ends at a dead end or beside a fork, or it is a whole ring, so that no other tile needs to be tried.
    """
    best = 0
    known = (0, 0)
    greenway = next_network(box, state, seat, 1, known)
    while count_tiles(greenway) > 0:
        known = join_sets(known, greenway)
        best = max(best, path_from(box, state, seat, first_tile(greenway)))
        while count_tiles(greenway) > 0:
            if may_end_path(box, state, seat, first_tile(greenway)):
                best = max(best, path_from(box, state, seat, first_tile(greenway)))
            greenway = drop_first(greenway)
        greenway = next_network(box, state, seat, 1, known)
    return best


@kernel
def may_end_path(box: Box, state: State, seat: int, tile: int) -> bool:
    """Return whether a greenway tile has at most one neighbour, or one with three or four greenway sides."""
    ways = ways_on(box, state, seat, tile, (0, 0))
    if count_bits(ways) <= 1:
        return True
    while ways != 0:
        other = neighbour(state, seat, tile, first_bit(ways))
        if box["fork"][int(state["picture"][seat, other])]:
            return True
        ways &= ways - 1
    return False


@kernel
def path_from(box: Box, state: State, seat: int, start: int) -> int:
    """Return the most tiles on a way from here. Every way is walked; the turns taken at forks tell them apart."""
    best = 0
    turns = 0  # two bits for each choice on the way
    while True:
        tile = start
        seen = add_tile((0, 0), start)
        length, choices, open_choices = 1, 0, 0
        ways = ways_on(box, state, seat, tile, seen)
        while ways != 0:
            if count_bits(ways) > 1:
                turn = (turns >> (2 * choices)) & 3
                if count_bits(ways) > turn + 1:
                    open_choices |= 1 << choices
                choices += 1
                for _ in range(turn):
                    ways &= ways - 1
            tile = neighbour(state, seat, tile, first_bit(ways))
            seen = add_tile(seen, tile)
            length += 1
            ways = ways_on(box, state, seat, tile, seen)
        best = max(best, length)
        if open_choices == 0:
            return best
        last = 0
        while open_choices >> (last + 1) != 0:
            last += 1
        turns = (turns & ((1 << (2 * last + 2)) - 1)) + (1 << (2 * last))


@kernel
def ways_on(box: Box, state: State, seat: int, tile: int, seen: Tiles) -> int:
    """Return the sides on which a greenway goes on from a tile to one that is not seen yet, as bits."""
    ways = 0
    sides = sides_of(box, state, seat, tile)
    for side in range(SIDES):
        if side_of(sides, side) == GREENWAY:
            other = neighbour(state, seat, tile, side)
            if other >= 0 and not has_tile(seen, other):
                ways |= 1 << side
    return ways
