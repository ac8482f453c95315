"""What a seat cannot exceed, once the tiles that are still to come are known. `evaluate.py` offers it.

A tile on the board is worth at most what all lines give for it: A for a street, B and D for a greenway, C for a park. A tile
that is laid leaves the pile, which is a loss of E. What can be gained so is limited twice: a hand lays one tile, and a kind has
so many.
"""

from __future__ import annotations

from lamplighter.games.greenways.components import GREENWAY, MAX_KINDS, STREET, A, B, C, D, E
from lamplighter.games.greenways.rules.turns import Box, Out, State
from lamplighter.jit import first_bit, kernel


@kernel
def ceiling(box: Box, state: State, seat: int, dice: Out, plays: Out, out: Out) -> int:
    """§12 Return the most that tiles on the board, tiles in the pile and hands to come can be worth.

    The gains of the tiles that are laid, added up, are the number of those with a gain of at least 1, of at least 2, and so on.
    """
    total = int(state["unused"][seat]) * int(box["points"][E])
    for tile in range(int(state["tiles"][seat])):
        total += most_of_tile(box, int(state["picture"][seat, tile]))
    most = 0
    for kind in range(int(box["kinds"])):
        out[kind] = most_of_tile(box, first_bit(int(box["kind_pictures"][kind]))) - int(box["points"][E])
        out[MAX_KINDS + kind] = int(state["pile"][seat, kind])
        most = max(most, int(out[kind]))
    for i in range(int(state["held"][seat])):
        out[MAX_KINDS + int(state["hand"][seat, i]) - 1] += 1
    for i in range(int(box["hand"])):
        if int(state["aside"][seat, i]) > 0:
            out[MAX_KINDS + int(state["aside"][seat, i]) - 1] += 1
    for gain in range(1, most + 1):
        tiles = 0
        for kind in range(int(box["kinds"])):
            tiles += int(out[MAX_KINDS + kind]) if out[kind] >= gain else 0
        total += min(tiles, hands_with(box, state, seat, gain, dice, out))
    return total


@kernel
def most_of_tile(box: Box, picture: int) -> int:
    """§12 Return what a tile on the board is worth at most."""
    sides, street, greenway = int(box["sides"][picture]), 0, 0
    for side in range(4):
        street |= int((sides >> 2 * side) & 3 == STREET)
        greenway |= int((sides >> 2 * side) & 3 == GREENWAY)
    points = box["points"]
    worth = street * int(points[A]) + greenway * (int(points[B]) + int(points[D]))
    return worth + int(box["gem"][1, picture]) * int(points[C])


@kernel
def hands_with(box: Box, state: State, seat: int, gain: int, dice: Out, gains: Out) -> int:
    """§2, §4 Return how many hands, this one and those to come, can lay a tile with at least this gain.

    A hand is short, and hands are then not known, only when fewer tiles than a hand are left beside those set aside. One tile is
    laid from a hand, so with enough tiles that never happens; else it happens to two hands' tiles at most.
    """
    size = int(box["hand"])
    later = len(dice) // size
    if box["seats"] > 1 or box["discard"] or int(state["unused"][seat]) - later - 1 < 2 * size:
        return later + 1 + 2 * size
    hands, best = 0, 0
    for i in range(int(state["held"][seat])):
        best = max(best, int(gains[int(state["hand"][seat, i]) - 1]))
    hands += int(best >= gain)
    for hand in range(later):
        best = 0
        for i in range(size):
            best = max(best, int(gains[int(dice[hand * size + i])]))
        hands += int(best >= gain)
    return hands
