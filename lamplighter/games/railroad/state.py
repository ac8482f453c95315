"""The record of a match, how actions are numbered, and why a move can be refused.

Actions of a variant are numbered in blocks, one behind the other; blocks the variant does not need are empty. On a board
of 7 × 7 they are:

    entry * 49 + space     draw: results, lamp results, special routes, copies, each turned in every way
    14                     §5.1 light a row (0 to 6) or a column (7 to 13)
    1                      §4.2 skip the extra special route
    1                      done
    4 * 196                §6.3 arrow: by direction, first new space and how many, none off the board
    4                      §6.4 charge with an arrow
    49                     §6.5 question mark: electrify a space
    1                      §6.5 question mark: charge
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from lamplighter.games.railroad.components.tables import (
    GOALS,
    MARKS,
    MAX_DICE,
    MAX_GOALS,
    MAX_OTHER_DICE,
    MAX_ROUTE_DICE,
    MAX_SPACES,
    MAX_SPECIALS,
)
from lamplighter.jit import SPARE

SEATS = 6
MAX_LEGAL = 8 * MAX_SPACES * (2 * MAX_ROUTE_DICE + MAX_OTHER_DICE + MAX_SPECIALS) + SPARE  # 8 orientations
MAX_OUTCOMES = MAX_GOALS

STATE = np.dtype(
    [
        ("offers", np.int64, (SEATS, MARKS)),  # §3.2 spaces with this type behind this side: an exit or a route
        ("sides", np.int64, (SEATS, MARKS)),  # spaces whose route has this type on this side
        ("second", np.int64, (SEATS, 4)),  # §1.8 spaces where this side is of the second of two segments of a type
        ("drawn", np.int64, SEATS),  # spaces that hold a route
        ("stations", np.int64, SEATS),  # §1.8 spaces that hold a station
        ("lamps", np.int64, SEATS),  # §1.6 spaces with a street lamp
        ("lit", np.int64, SEATS),  # §5.1 those that are active
        ("electrified", np.int64, SEATS),  # §6.3
        ("goal_round", np.int8, (SEATS, GOALS)),  # §4.4 the round in which each goal was reached; 0: not yet
        ("todo", np.int16, SEATS),  # dice of this step that the seat has not used, as bits; 0 between steps
        ("specials", np.int8, SEATS),  # §2.3 special routes used, as bits
        ("counted", np.int8, SEATS),  # §2.3 how many of them count against the limit
        ("counted_now", np.int8, SEATS),  # and against that of the round
        ("extra", np.int8, SEATS),  # §4.2 extra special routes earned and neither drawn nor skipped
        ("copies", np.int8, SEATS),  # §4.3 results that may be drawn once more in this round
        ("choosing", np.int8, SEATS),  # §5.1 1: a row or column of lamps must be chosen now
        ("charges", np.int8, SEATS),  # §6.4
        ("dice", np.int8, MAX_DICE),  # what the dice show, in their order; -1 where not rolled
        ("goals", np.int8, GOALS),  # §4.4 the goals of the match, 0 is A; -1 where not drawn, or none
        ("rolled", np.int8),  # dice rolled in this round
        ("done", np.int8),  # §2.4 the seats that have said done in this step, as bits
        ("power_step", np.int8),  # §6.2 1: the Power Grid dice are being used
        ("turn", np.int16),  # the round, from 1; 0 while goals are drawn; past the last one when the match is over
        ("draws", np.int32),  # the number of the next draw: sixteen a round, so that a die keeps its number
    ]
)

FACTS = (
    "exits",
    "networks",
    "specials",
)  # of a seat: exits joined to another, networks with two or more, specials used


class Reason(IntEnum):
    OK = 0
    NO_SUCH_ACTION = 1
    NOT_WAITING = 2
    NOT_ROLLED = 3
    RESULT_USED = 4
    SPACE_TAKEN = 5
    NOT_CONNECTED = 6
    TYPES_CLASH = 7
    ON_ACCUMULATOR = 8
    SPECIAL_USED = 9
    NO_MORE_SPECIALS = 10
    ONE_SPECIAL_A_ROUND = 11
    MUST_DRAW = 12
    NO_COPY = 13
    COPY_NOT_DRAWN = 14
    CHOOSE_LAMPS = 15
    NO_LAMPS_TO_CHOOSE = 16
    EXTRA_SPECIAL_FIRST = 17
    NOTHING_TO_SKIP = 18
    DRAW_FIRST = 19
    DRAWING_IS_OVER = 20
    NOT_THIS_DIE = 21
    DIE_USED = 22
    NO_START = 23
    NO_ROUTE = 24
    ALREADY_ELECTRIFIED = 25
    FULLY_CHARGED = 26
    CHARGE_FROM_ELECTRIFIED = 27


REFUSALS = {
    Reason.NO_SUCH_ACTION: ("§1.9", "there is no such action in this variant"),
    Reason.NOT_WAITING: ("§2.4", "this seat has nothing to do now"),
    Reason.NOT_ROLLED: ("§2.1", "no die shows this route in this round"),
    Reason.RESULT_USED: ("§2.2", "you have drawn this result already"),
    Reason.SPACE_TAKEN: ("§3.1", "there is a route in this space already"),
    Reason.NOT_CONNECTED: ("§3.2", "no side continues an exit or a route of the same type"),
    Reason.TYPES_CLASH: ("§3.3", "a highway cannot meet a railway here"),
    Reason.ON_ACCUMULATOR: ("§6.1", "the accumulator stands in this space"),
    Reason.SPECIAL_USED: ("§2.3", "you have used this special route already"),
    Reason.NO_MORE_SPECIALS: ("§2.3", "you have used all the special routes a match allows"),
    Reason.ONE_SPECIAL_A_ROUND: ("§2.3", "you have used a special route in this round already"),
    Reason.MUST_DRAW: ("§2.2", "a result that you have not drawn still fits somewhere"),
    Reason.NO_COPY: ("§4.3", "you have no factory's copy to draw"),
    Reason.COPY_NOT_DRAWN: ("§4.3", "a factory copies only what you have drawn in this round"),
    Reason.CHOOSE_LAMPS: ("§5.1", "choose a row or column of lamps first"),
    Reason.NO_LAMPS_TO_CHOOSE: ("§5.1", "a row or column is chosen only after a special route"),
    Reason.EXTRA_SPECIAL_FIRST: ("§4.2", "draw or skip the extra special route first"),
    Reason.NOTHING_TO_SKIP: ("§4.2", "there is no extra special route to skip"),
    Reason.DRAW_FIRST: ("§6.2", "the Power Grid dice are used after everybody has drawn"),
    Reason.DRAWING_IS_OVER: ("§6.2", "drawing is over in this round: use the Power Grid dice, or say done"),
    Reason.NOT_THIS_DIE: ("§6.2", "no Power Grid die shows this"),
    Reason.DIE_USED: ("§6.2", "you have used, or given up, this Power Grid die already"),
    Reason.NO_START: ("§6.3", "an arrow starts at an exit or in an electrified space, against its direction"),
    Reason.NO_ROUTE: ("§6.3", "a space without a route cannot be electrified"),
    Reason.ALREADY_ELECTRIFIED: ("§6.3", "this space is electrified already"),
    Reason.FULLY_CHARGED: ("§6.4", "the accumulator is fully charged"),
    Reason.CHARGE_FROM_ELECTRIFIED: ("§6.4", "an arrow charges from an electrified space beside the accumulator"),
}
