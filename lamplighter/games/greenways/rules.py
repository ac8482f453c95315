"""Greenways, the rules. Paragraphs are those of RULES.md, rulings (R…) those of RULINGS.md.

Every seat has a board and a pile of its own; a race is solo games side by side (R14). What a tile does to the board it
is laid on is in `board`; text and pictures live elsewhere.
"""

from __future__ import annotations

from typing import Any

from lamplighter.games.greenways.board import (
    green_lines,
    height,
    is_last_cell,
    is_open,
    lay_start,
    lay_tile,
    look_around,
    measure,
    open_cell,
    side_of,
    tile_at,
    ways_of,
    width,
)
from lamplighter.games.greenways.components import (
    BLANK,
    MAX_HAND,
    MAX_PICTURES,
    NEAR_BUILDING,
    NEAR_PARK,
    NO_TILE,
    SIDES,
)
from lamplighter.games.greenways.state import NETWORKS, Reason
from lamplighter.games.greenways.ways import longest_path
from lamplighter.jit import first_bit, kernel

Box = Any
State = Any
Out = Any  # an int64 array that a kernel fills


@kernel
def setup(box: Box, state: State) -> None:
    """§1 For each seat the start tile on the board and all others in the pile."""
    for seat in range(int(box["seats"])):
        for kind in range(int(box["kinds"])):
            state["pile"][seat, kind] = box["count"][kind]
        state["unused"][seat] = box["tiles"]
        lay_start(box, state, seat)
        if can_go_on(box, state, seat):
            state["playing"] = int(state["playing"]) | 1 << seat
    begin_round(box, state)


@kernel
def begin_round(box: Box, state: State) -> None:
    """§2 Tiles for the first seat that still plays; nothing once nobody does."""
    state["dealing"] = -1
    if state["playing"] != 0:
        state["turn"] += 1
        state["dealing"] = first_bit(int(state["playing"]))
    number_draw(box, state)


@kernel
def action_count(box: Box) -> int:
    return int(box["room"]) * int(box["pictures"])


@kernel
def far_action(box: Box, cell: int, picture: int) -> int:
    """The number for a picture in a cell that is not open: there is one, so that `check` can say why not."""
    return action_count(box) + cell * (MAX_PICTURES + 1) + picture


# --- chance ---------------------------------------------------------------------------------------------------


@kernel
def waiting(box: Box, state: State) -> int:
    """§2 Every seat with a hand, once all hands are dealt."""
    return int(state["waiting"])


@kernel
def chance_seat(box: Box, state: State) -> int:
    """§2 Tiles are dealt seat by seat."""
    return int(state["dealing"])


@kernel
def outcomes(box: Box, state: State, out: Out, weights: Out) -> int:
    """§2, §4 The next tile: any kind in the pile, as likely as it has tiles there."""
    seat = int(state["dealing"])
    n = 0
    if seat >= 0:
        for kind in range(int(box["kinds"])):
            if state["pile"][seat, kind] > 0:
                out[n] = kind
                weights[n] = state["pile"][seat, kind]
                n += 1
    return n


@kernel
def apply_chance(box: Box, state: State, outcome: int) -> None:
    """§2, §4 One tile is drawn. A full hand is dealt, unless no tile of it can be used: then it is set aside."""
    seat = int(state["dealing"])
    state["pile"][seat, outcome] -= 1
    state["drawn"][seat] += 1
    take_in_hand(state, seat, outcome)
    if is_full(box, state, seat):
        if int(state["usable"][seat]) & hand_pictures(box, state, seat) != 0:
            mix_back(state, seat)
            deal_next(box, state)
        else:
            set_aside(state, seat)
    number_draw(box, state)


@kernel
def take_in_hand(state: State, seat: int, kind: int) -> None:
    """§2 The order of a hand has no meaning: it is kept ascending."""
    at = int(state["held"][seat])
    while at > 0 and state["hand"][seat, at - 1] > kind + 1:
        state["hand"][seat, at] = state["hand"][seat, at - 1]
        at -= 1
    state["hand"][seat, at] = kind + 1
    state["held"][seat] += 1


@kernel
def is_full(box: Box, state: State, seat: int) -> bool:
    """§2, R5 Three tiles, or all that are left."""
    held = int(state["held"][seat])
    if held == int(box["hand"]):
        return True
    for kind in range(int(box["kinds"])):
        if state["pile"][seat, kind] > 0:
            return False
    return True


@kernel
def hand_pictures(box: Box, state: State, seat: int) -> int:
    """§2 What can be laid from a hand, wherever it fits, as bits."""
    pictures = 0
    for i in range(int(state["held"][seat])):
        pictures |= int(box["kind_pictures"][int(state["hand"][seat, i]) - 1])
    return pictures


@kernel
def mix_back(state: State, seat: int) -> None:
    """§4 The tiles that were set aside go back into the pile."""
    for i in range(MAX_HAND):
        if state["aside"][seat, i] > 0:
            state["pile"][seat, int(state["aside"][seat, i]) - 1] += 1
            state["aside"][seat, i] = 0


@kernel
def set_aside(state: State, seat: int) -> None:
    """§4 A useless hand waits until another is drawn from the rest. What was aside before is mixed back.

    The rest is never empty: some tile of the pile can be used (`can_go_on`), and it was not in this hand.
    """
    mix_back(state, seat)
    for i in range(int(state["held"][seat])):
        state["aside"][seat, i] = state["hand"][seat, i]
        state["hand"][seat, i] = 0
    state["held"][seat] = 0
    state["redraws"][seat] += 1


@kernel
def deal_next(box: Box, state: State) -> None:
    """§2 The next seat that still plays is dealt to; after the last all of them lay their tiles."""
    later = int(state["playing"]) >> (int(state["dealing"]) + 1)
    if later != 0:
        state["dealing"] += 1 + first_bit(later)
    else:
        state["dealing"] = -1
        state["waiting"] = state["playing"]


@kernel
def number_draw(box: Box, state: State) -> None:
    """R14 Draws are numbered by seat, so that equal choices meet equal tiles at every seat."""
    dealing = int(state["dealing"])
    draws = 0
    for seat in range(int(box["seats"])):
        if dealing < 0 or seat == dealing:
            draws = max(draws, int(state["drawn"][seat]))
    state["draws"] = draws


# --- legality -------------------------------------------------------------------------------------------------


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
    """§6, §7, §P2 Every side that touches a tile has what that tile turns towards it."""
    for side in range(SIDES):
        if side_of(around, side) not in (NO_TILE, side_of(sides, side)):
            return False
    return True


@kernel
def is_connected(sides: int, around: int) -> bool:
    """§5, §P3 A tile with a street or a greenway goes on from one; a building only has to touch."""
    blank = True
    for side in range(SIDES):
        if side_of(sides, side) != BLANK:
            blank = False
            if side_of(around, side) == side_of(sides, side):
                return True
    return blank


@kernel
def completes_bare(box: Box, state: State, seat: int, network: int, cell: int, picture: int) -> bool:
    """§8, §9, §P5 This picture in this cell ends a street (0) without an intersection or a greenway (1) without a park."""
    sides = int(box["sides"][picture])
    if box["gem"][network, picture] or ways_of(sides, network) == 0:
        return False
    return is_last_cell(box, state, seat, network, cell, sides)


@kernel
def legal_actions(box: Box, state: State, seat: int, out: Out) -> int:
    """§2, §P1–§P5 Every action that `check` accepts, in ascending order."""
    n = 0
    if (waiting(box, state) >> seat) & 1:
        pictures = int(box["pictures"])
        hand = hand_pictures(box, state, seat)
        for index in range(int(state["opened"][seat])):
            fits = int(box["fits"][int(state["around"][seat, index])]) & hand
            while fits != 0:
                out[n] = index * pictures + first_bit(fits)
                fits &= fits - 1
                n += 1
    return n


# --- laying ---------------------------------------------------------------------------------------------------


@kernel
def apply(box: Box, state: State, seat: int, action: int) -> None:
    """§2, §3, §11 A tile is laid; the others of the hand go back (R6); the seat's game may be won or at its end."""
    pictures = int(box["pictures"])
    index, picture = action // pictures, action % pictures
    empty_hand(box, state, seat, int(box["kind"][picture]))
    lay_tile(box, state, seat, index, picture)
    if has_won(box, state, seat):
        state["won"] = int(state["won"]) | 1 << seat
        state["playing"] = int(state["playing"]) & ~(1 << seat)
    elif not can_go_on(box, state, seat):
        state["playing"] = int(state["playing"]) & ~(1 << seat)
    state["waiting"] = int(state["waiting"]) & ~(1 << seat)
    if state["waiting"] == 0:
        begin_round(box, state)


@kernel
def empty_hand(box: Box, state: State, seat: int, laid: int) -> None:
    """§2, R6 One tile leaves the hand for the board, the others for the pile, or for good."""
    for i in range(int(state["held"][seat])):
        kind = int(state["hand"][seat, i]) - 1
        state["hand"][seat, i] = 0
        if kind == laid:
            state["unused"][seat] -= 1
            laid = -1
        elif box["discard"]:
            state["unused"][seat] -= 1
        else:
            state["pile"][seat, kind] += 1
    state["held"][seat] = 0


@kernel
def can_go_on(box: Box, state: State, seat: int) -> bool:
    """§3 Some tile of the pile can be laid somewhere."""
    usable = int(state["usable"][seat])
    for kind in range(int(box["kinds"])):
        if state["pile"][seat, kind] > 0 and usable & int(box["kind_pictures"][kind]) != 0:
            return True
    return False


@kernel
def has_won(box: Box, state: State, seat: int) -> bool:
    """§11 At least 8 rows and 8 columns, gaps allowed, each with a greenway tile."""
    rows, columns = height(state, seat), width(state, seat)
    if rows < int(box["rows"]) or columns < int(box["columns"]):
        return False
    green = green_lines(box, state, seat)
    return green[0] == rows and green[1] == columns


@kernel
def is_over(box: Box, state: State) -> bool:
    """§2, §3 When no seat's game goes on."""
    return int(state["playing"]) == 0


# --- scoring --------------------------------------------------------------------------------------------------


@kernel
def score_streets(box: Box, state: State, seat: int) -> int:
    """§12 A: tiles of streets with an intersection. A start tile and a dead end on an intersection are 3 (R9: or 2)."""
    tiles, intersections, _ = measure(box, state, seat, 0)
    return tiles if box["intersections_count"] else tiles - intersections


@kernel
def score_longest(box: Box, state: State, seat: int, most: int) -> int:
    """§12 D: the tiles of the longest greenway, park or not. Greenways of 18 and 2 tiles are 18 (R10: or a way in one)."""
    return longest_path(box, state, seat) if box["longest_path"] else most


@kernel
def score(box: Box, state: State, seat: int, out: Out) -> int:
    """§12, §13 A to E. The example board: 14 + 20 + 10 + 18 + 22 = 84.

    B: tiles of greenways with a park, which counts too; a park, the start tile and an end are 3. C: 2 for each park on
    the board; five parks are 10. E: a point for each tile still in the pile.
    """
    tiles, parks, most = measure(box, state, seat, 1)
    out[0] = score_streets(box, state, seat)
    out[1] = tiles
    out[2] = parks * int(box["park_points"])
    out[3] = score_longest(box, state, seat, most)
    out[4] = int(state["unused"][seat])
    return int(out[0]) + int(out[1]) + int(out[2]) + int(out[3]) + int(out[4])


@kernel
def standing(box: Box, state: State, seat: int) -> int:
    """R14 In a race the higher total wins, then the goal reached; then the victory is shared."""
    tiles, parks, most = measure(box, state, seat, 1)
    total = score_streets(box, state, seat) + tiles + parks * int(box["park_points"])
    total += score_longest(box, state, seat, most) + int(state["unused"][seat])
    return 2 * total + ((int(state["won"]) >> seat) & 1)


@kernel
def facts(box: Box, state: State, seat: int, out: Out) -> int:
    """§3, §4, §11 Whether the goal was reached, tiles laid, hands set aside."""
    out[0] = (int(state["won"]) >> seat) & 1
    out[1] = int(state["tiles"][seat]) - 1
    out[2] = int(state["redraws"][seat])
    return 3
