"""The record of a match, how actions are numbered, and why a move can be refused.

An action is the number of the square to write in. What number goes there is known: it is the die's.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from .components import FACES, MAX_SQUARES, SEATS

MAX_OUTCOMES = FACES  # room for the outcomes of one die

# Every state has the fields `turn` and `draws`; the others are yours. Keep the record small, and clear what is over,
# such as the die of the last turn: equal positions must have equal bytes.
STATE = np.dtype(
    [
        ("numbers", np.int8, (SEATS, MAX_SQUARES)),  # §4 what each seat has written in each square; 0: it is empty
        ("die", np.int8),  # §3 the face rolled; 0 before
        ("acted", np.int8),  # the seats that have written in this turn, one bit a seat
        ("turn", np.int16),  # from 1; past the last one when the match is over
        ("draws", np.int32),  # dice rolled so far: the number of the next one, from which a seed makes its face
    ]
)


class Reason(IntEnum):
    OK = 0
    NO_SUCH_ACTION = 1
    NOT_WAITING = 2  # every game has this one, by this name
    SQUARE_TAKEN = 3
    NOT_BESIDE = 4


# What a player is told: the paragraph of RULES.md, and the end of a sentence, without a full stop.
REFUSALS = {
    Reason.NO_SUCH_ACTION: ("§4", "there is no such square"),
    Reason.NOT_WAITING: ("§4", "this seat has nothing to write now"),
    Reason.SQUARE_TAKEN: ("§4", "there already is a number in this square"),
    Reason.NOT_BESIDE: ("§4", "the square must share a side with a number of yours"),
}
