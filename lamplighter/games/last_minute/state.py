"""The record of a match, how actions are numbered, and why a move can be refused.

An action is `(face * 6 + ornament) * squares + square`, face and ornament from 0: which die, what is drawn, where.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from lamplighter.games.last_minute.components import FACES, MAX_SQUARES, MAX_TURNS
from lamplighter.jit import SPARE

SEATS = 5
DICE = 3
MAX_LEGAL = DICE * FACES * MAX_SQUARES + SPARE
MAX_OUTCOMES = 6

STATE = np.dtype(
    [
        ("ornaments", np.int64, (SEATS, FACES)),  # the squares that hold each ornament, as bits
        ("decorated", np.int64, SEATS),  # the squares that hold any
        ("reach", np.int64, SEATS),  # §11 the squares that connect with a decorated one
        ("circled", np.int8, (SEATS, FACES)),  # §7 squares circled on each track, from its low end
        ("crossed", np.int8, (SEATS, FACES)),  # §5 squares crossed out, from its high end
        ("turn_points", np.int8, (SEATS, MAX_TURNS)),  # §10 the boxes of the turns
        ("powers", np.int8, SEATS),  # §12 +1/-1 circled and not yet used
        ("rescues", np.int8, SEATS),  # §9 ornaments drawn though no die fitted
        ("dice", np.int8, DICE),  # faces on the table, 1 to 6, in the order rolled; 0 where there is none
        ("rolled", np.int8),  # dice rolled in this turn
        ("taken", np.int8),  # §4 the face that the active player took; 0 before
        ("acted", np.int8),  # the seats that have drawn in this turn, as bits
        ("first", np.int8),  # who began; -1 before the lot is drawn
        ("turn", np.int16),  # from 1; 0 before the lot is drawn; past the last one when the match is over
        ("draws", np.int32),  # the number of the next draw: four a turn, so that a die keeps its number
    ]
)

FACTS = ("rescues", "closed", "covered")  # of a seat: rescues, tracks with no free square, icons covered


class Reason(IntEnum):
    OK = 0
    NO_SUCH_ACTION = 1
    NOT_WAITING = 2
    NO_SUCH_DIE = 3
    TRACK_FULL = 4
    NOT_ENOUGH_POWER = 5
    SQUARE_TAKEN = 6
    NOT_CONNECTED = 7


REFUSALS = {
    Reason.NO_SUCH_ACTION: ("§4", "there is no such action"),
    Reason.NOT_WAITING: ("§3", "this seat has nothing to draw now"),
    Reason.NO_SUCH_DIE: ("§4", "no die on the table shows this face"),
    Reason.TRACK_FULL: ("§9", "this ornament has no free square left on your track"),
    Reason.NOT_ENOUGH_POWER: ("§13", "turning this die into this ornament takes more +1/-1 than you have"),
    Reason.SQUARE_TAKEN: ("§11", "there already is an ornament on this square"),
    Reason.NOT_CONNECTED: ("§11", "the square must connect with an ornament on your tree"),
}
