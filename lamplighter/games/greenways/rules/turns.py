"""How a match goes: set-up, drawing tiles, hands that are set aside, the end."""

from __future__ import annotations

from typing import Any

from lamplighter.games.greenways.components import (
    MAX_HAND,
    MAX_PICTURES,
)
from lamplighter.games.greenways.rules.laying import fits_somewhere, lay_start
from lamplighter.jit import first_bit, kernel, natural

Box = Any
State = Any
Out = Any  # an int64 array that a kernel fills


@kernel
def setup(box: Box, state: State) -> None:
    """§1 Put, for each seat, the start tile on the board and all others in the pile."""
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
    """Return the number for a picture in a cell that is not open: there is one, so that `check` can say why not."""
    return action_count(box) + cell * (MAX_PICTURES + 1) + picture


@kernel
def waiting(box: Box, state: State) -> int:
    """§2 Return every seat with a hand, once all hands are dealt."""
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
            n = natural(n)
            out[n] = kind
            weights[n] = state["pile"][seat, kind]
            n += int(state["pile"][seat, kind] > 0)
    return n


@kernel
def apply_chance(box: Box, state: State, outcome: int) -> None:
    """§2, §4 One tile is drawn. A full hand is dealt, unless no tile of it can be used: then it is set aside."""
    seat = int(state["dealing"])
    state["pile"][seat, outcome] -= 1
    state["drawn"][seat] += 1
    take_in_hand(state, seat, outcome)
    if is_full(box, state, seat):
        if fits_somewhere(box, state, seat, hand_pictures(box, state, seat)):
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
    """§2, R5 Return whether a hand has three tiles, or all that are left."""
    held = int(state["held"][seat])
    if held == int(box["hand"]):
        return True
    for kind in range(int(box["kinds"])):
        if state["pile"][seat, kind] > 0:
            return False
    return True


@kernel
def hand_pictures(box: Box, state: State, seat: int) -> int:
    """§2 Return what can be laid from a hand, wherever it fits, as bits."""
    pictures = 0
    for i in range(int(state["held"][seat])):
        pictures |= int(box["kind_pictures"][int(state["hand"][seat, i]) - 1])
    return pictures


@kernel
def pile_pictures(box: Box, state: State, seat: int) -> int:
    """§2 Return what could be laid from the pile, wherever it fits, as bits."""
    pictures = 0
    for kind in range(int(box["kinds"])):
        pictures |= int(box["kind_pictures"][kind]) if state["pile"][seat, kind] > 0 else 0
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


@kernel
def can_go_on(box: Box, state: State, seat: int) -> bool:
    """§3 Return whether some tile of the pile can be laid somewhere."""
    return fits_somewhere(box, state, seat, pile_pictures(box, state, seat))


@kernel
def is_over(box: Box, state: State) -> bool:
    """§2, §3 Return whether no seat's game goes on."""
    return int(state["playing"]) == 0
