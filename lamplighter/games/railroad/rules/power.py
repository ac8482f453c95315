"""The Power Grid step: arrows, question marks and the accumulator. Directions 0 to 3 are up, right, down, left.

An arrow is written down by the first new space and how many; where it starts follows: the exit behind that space if it
lies on the edge, else the space behind it.
"""

from __future__ import annotations

from typing import Any

from lamplighter.games.railroad.components.tables import QUESTION
from lamplighter.games.railroad.state import Reason
from lamplighter.jit import count_bits, first_bit, kernel

Box = Any
State = Any
Out = Any


@kernel
def onward(box: Box, spaces: int, direction: int) -> int:
    """Return the spaces one further in this direction; those that would leave the board are gone."""
    if direction == 0:
        return spaces >> int(box["columns"])
    if direction == 1:
        return (spaces & ~int(box["last_column"])) << 1
    if direction == 2:
        return (spaces << int(box["columns"])) & int(box["board"])
    return (spaces & ~int(box["first_column"])) >> 1


@kernel
def face_of(box: Box, move: int) -> int:
    """Return the face of the die that a move needs: arrows come first, then a charge with each arrow, then question marks."""
    charges = int(box["arrow_moves"])
    if move < charges:
        return int(box["arrow_way"][move])
    return move - charges if move < charges + 4 else QUESTION


@kernel
def power_die(box: Box, state: State, seat: int, face: int, todo: int) -> int:
    """§6.2 Return the first die among `todo` that shows this face; -1 if none does."""
    for die in range(int(box["route_dice"]), int(box["dice"])):
        if (todo >> die) & 1 and int(state["dice"][die]) == face:
            return die
    return -1


@kernel
def power_dice(box: Box) -> int:
    """§6.2 Return the Power Grid dice as bits."""
    return (1 << int(box["dice"])) - (1 << int(box["route_dice"]))


@kernel
def arrow_starts(box: Box, state: State, seat: int, direction: int) -> int:
    """§6.3 Return spaces that an arrow may electrify first: they are next to an exit or an electrified space."""
    return int(box["exit_at"][(direction + 2) & 3]) | onward(box, int(state["electrified"][seat]), direction)


@kernel
def can_be_electrified(state: State, seat: int) -> int:
    """§6.3, §6.5 Return spaces with a route and without electricity."""
    return int(state["drawn"][seat]) & ~int(state["electrified"][seat])


@kernel
def check_power(box: Box, state: State, seat: int, move: int) -> Reason:
    """§6.2–§6.5 Return why this use of a Power Grid die is refused, or `Reason.OK`."""
    face = face_of(box, move)
    if power_die(box, state, seat, face, power_dice(box)) < 0:
        return Reason.NOT_THIS_DIE
    if power_die(box, state, seat, face, int(state["todo"][seat])) < 0:
        return Reason.DIE_USED
    charges = int(box["arrow_moves"])
    questions = charges + 4
    last = questions + int(box["spaces"])  # a question mark that charges
    if move >= questions and move < last:
        return check_space(box, state, seat, 1 << (move - questions))
    if move >= charges:
        if move != last and int(state["electrified"][seat]) & int(box["beside"][face]) == 0:
            return Reason.CHARGE_FROM_ELECTRIFIED
        return Reason.FULLY_CHARGED if int(state["charges"][seat]) >= int(box["most_charges"]) else Reason.OK
    space = 1 << int(box["arrow_first"][move])
    if arrow_starts(box, state, seat, face) & space == 0:
        return Reason.NO_START
    for _ in range(int(box["arrow_count"][move])):
        reason = check_space(box, state, seat, space)
        if reason != Reason.OK:
            return reason
        space = onward(box, space, face)
    return Reason.OK


@kernel
def check_space(box: Box, state: State, seat: int, space: int) -> Reason:
    """§6.3, §6.5 Return why this space, given as a bit, cannot be electrified."""
    if int(state["electrified"][seat]) & space:
        return Reason.ALREADY_ELECTRIFIED
    if space == 1 << int(box["accumulator"]):
        return Reason.ON_ACCUMULATOR
    return Reason.OK if int(state["drawn"][seat]) & space else Reason.NO_ROUTE


@kernel
def list_power(box: Box, state: State, seat: int, out: Out) -> int:
    """§6.2–§6.5 Write done and every use of the seat's dice to `out`, ascending. Return how many there are."""
    base = int(box["done_action"]) + 1
    charges = base + int(box["arrow_moves"])
    out[0] = base - 1
    n = 1
    faces = 0
    for die in range(int(box["route_dice"]), int(box["dice"])):
        if (int(state["todo"][seat]) >> die) & 1:
            faces |= 1 << int(state["dice"][die])
    ready = can_be_electrified(state, seat)
    for direction in range(4):
        if (faces >> direction) & 1:
            starts = ready & arrow_starts(box, state, seat, direction)
            while starts:
                space = starts & -starts
                action = base + int(box["first_arrow"][direction, first_bit(starts)])
                while ready & space:
                    out[n] = action
                    n += 1
                    action += 1
                    space = onward(box, space, direction)
                starts &= starts - 1
    room = int(state["charges"][seat]) < int(box["most_charges"])
    for direction in range(4):
        if room and (faces >> direction) & 1 and int(state["electrified"][seat]) & int(box["beside"][direction]):
            out[n] = charges + direction
            n += 1
    if (faces >> QUESTION) & 1:
        while ready:
            out[n] = charges + 4 + first_bit(ready)
            ready &= ready - 1
            n += 1
        if room:
            out[n] = charges + 4 + int(box["spaces"])
            n += 1
    return n


@kernel
def use_power(box: Box, state: State, seat: int, move: int) -> None:
    """§6.2–§6.5 Use a Power Grid die: electrify spaces, or charge the accumulator."""
    face = face_of(box, move)
    die = power_die(box, state, seat, face, int(state["todo"][seat]))
    if box["as_rolled"]:
        state["todo"][seat] &= ~((2 << die) - 1)  # R8 what was rolled before it is given up
    else:
        state["todo"][seat] &= ~(1 << die)
    question = move - int(box["arrow_moves"]) - 4
    if move < int(box["arrow_moves"]):
        space = 1 << int(box["arrow_first"][move])
        for _ in range(int(box["arrow_count"][move])):
            state["electrified"][seat] |= space
            space = onward(box, space, face)
    elif question >= 0 and question < int(box["spaces"]):
        state["electrified"][seat] |= 1 << question
    else:
        state["charges"][seat] += 1


@kernel
def linked_exits(box: Box, state: State, seat: int) -> int:
    """§6.6 Return the exits, as bits of their spaces, that a chain of electrified spaces joins to the accumulator."""
    electrified = int(state["electrified"][seat])
    linked = electrified & int(box["around"])
    before = 0
    while linked != before:
        before = linked
        linked |= electrified & (
            onward(box, linked, 0) | onward(box, linked, 1) | onward(box, linked, 2) | onward(box, linked, 3)
        )
    return linked & int(box["exit_spaces"])


@kernel
def score_power(box: Box, state: State, seat: int) -> int:
    """§6.6 Charges times linked exits: 2 charges and 5 exits are 10."""
    charges = int(state["charges"][seat])
    return charges * count_bits(linked_exits(box, state, seat)) if charges else 0
