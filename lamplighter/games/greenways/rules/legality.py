"""Which actions are legal: where a tile may lie. The table `fits` of the box gives the same answers faster."""

from __future__ import annotations

from lamplighter.games.greenways.components import (
    BLANK,
    MAX_PICTURES,
    NEAR_BUILDING,
    NEAR_PARK,
    NO_TILE,
    SIDES,
)
from lamplighter.games.greenways.rules.board import is_open, look_around, open_cell, side_of, tile_at
from lamplighter.games.greenways.rules.networks import is_last_cell, ways_of
from lamplighter.games.greenways.rules.turns import Box, Out, State, action_count, hand_pictures, waiting
from lamplighter.games.greenways.state import NETWORKS, Reason
from lamplighter.jit import first_bit, kernel, list_bits, natural


@kernel
def check(box: Box, state: State, seat: int, action: int) -> Reason:
    """§2, §5–§10, §P1–§P5 Say why `action` is refused, or `Reason.OK`."""
    pictures = int(box["pictures"])
    is_far = action >= action_count(box)
    if is_far:
        code = action - action_count(box)
        cell, picture = code // (MAX_PICTURES + 1), code % (MAX_PICTURES + 1)
        if picture >= pictures or is_open(state, seat, cell):
            return Reason.NO_SUCH_ACTION
    else:
        index, picture = action // pictures, action % pictures
        if action < 0 or index >= int(state["opened"][seat]):
            return Reason.NO_SUCH_ACTION
        cell = open_cell(state, seat, index)
    if not (waiting(box, state) >> seat) & 1:
        return Reason.NOT_WAITING
    if not (hand_pictures(box, state, seat) >> picture) & 1:
        return Reason.NOT_IN_HAND
    if is_far:
        return Reason.CELL_TAKEN if tile_at(state, seat, cell) >= 0 else Reason.NOT_BESIDE_A_TILE
    return check_picture(box, state, seat, cell, picture)


@kernel
def check_picture(box: Box, state: State, seat: int, cell: int, picture: int) -> Reason:
    """§5–§10, §P2–§P5 Say why a picture may not lie in an open cell, or `Reason.OK`."""
    sides = int(box["sides"][picture])
    around = look_around(box, state, seat, cell)
    if not sides_match(sides, around):
        return Reason.SIDES_DIFFER
    if not is_connected(sides, around):
        return Reason.NOT_CONNECTED
    if box["gem"][1, picture] and around & NEAR_PARK:  # §10, §P4
        return Reason.PARKS_TOUCH
    if box["building"][picture] and around & NEAR_BUILDING:  # §10, §P4
        return Reason.BUILDINGS_TOUCH
    for network in range(NETWORKS):
        if completes_bare(box, state, seat, network, cell, picture):
            return Reason.GREENWAY_WITHOUT_PARK if network else Reason.STREET_WITHOUT_INTERSECTION
    return Reason.OK


@kernel
def sides_match(sides: int, around: int) -> bool:
    """§6, §7, §P2 Return whether every side that touches a tile has what that tile turns towards it."""
    for side in range(SIDES):
        if side_of(around, side) not in (NO_TILE, side_of(sides, side)):
            return False
    return True


@kernel
def is_connected(sides: int, around: int) -> bool:
    """§5, §P3 Return whether a tile with a street or a greenway goes on from one; a building only has to touch."""
    blank = True
    for side in range(SIDES):
        if side_of(sides, side) != BLANK:
            blank = False
            if side_of(around, side) == side_of(sides, side):
                return True
    return blank


@kernel
def completes_bare(box: Box, state: State, seat: int, network: int, cell: int, picture: int) -> bool:
    """§8, §9, §P5 Return whether a picture here ends a street (0) without intersection, or a greenway (1) without park."""
    sides = int(box["sides"][picture])
    if box["gem"][network, picture] or ways_of(sides, network) == 0:
        return False
    return is_last_cell(box, state, seat, network, cell, sides)


@kernel
def legal_actions(box: Box, state: State, seat: int, out: Out) -> int:
    """§2, §P1–§P5 Write every action that `check` accepts to `out`, in ascending order. Return how many there are."""
    n = 0
    if (waiting(box, state) >> seat) & 1:
        pictures = int(box["pictures"])
        hand = hand_pictures(box, state, seat)
        for index in range(int(state["opened"][seat])):
            fits = int(box["fits"][int(state["around"][seat, index])]) & hand
            out[natural(n)] = index * pictures + first_bit(fits)  # means nothing if nothing fits
            n += int(fits != 0)
            fits &= fits - 1
            if fits != 0:
                n = list_bits(fits, index * pictures, out, n)
    return n
