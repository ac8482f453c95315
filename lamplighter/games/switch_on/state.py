"""The record of a match, how actions are numbered, and why a move can be refused.

A hand is always sorted, and an action names a card by its *slot*: its place in the hand of the seat that acts. The last
slot stands for a card that is not in the hand; only moves that are typed in and refused use it. A pair of slots a < b
has the number that counts pairs (0, 1), (0, 2), … (1, 2), … Of two jokers the first is meant.

    0 1 2           choose funds, decorate, cable
    FIRST_RAISE     ((slot + 1) * (u + 1) + money) * (u + 1) + cable; u: the most units of a card; slot -1: no card
    pass_action     draw no strand
    first_lay       slot * fits + placement, placements that fit the ground; the shape is the placement's
    first_misfit    a placement that the ground refuses, whatever the card
    stop_action     hang nothing more
    first_hang[i]   decoration i: (slot or pair of slots) * squares + square
    first_discard   slot

With the standard box and hands that is 22,166 actions. By cards instead of slots it would be about 500,000.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from lamplighter.games.switch_on.components import MAX_SQUARES, MOST_ACTIONS
from lamplighter.games.switch_on.components.cards import JOKER
from lamplighter.jit import SPARE

__all__ = ["FACTS", "MAX_LEGAL", "MAX_OUTCOMES", "REFUSALS", "STATE", "Phase", "Reason"]

MAX_SEATS = 4
MAX_DRAWN = 27  # strands of a seat: each takes a card, and no seat gets more than half of the 54
MAX_LEGAL = MOST_ACTIONS + SPARE
MAX_OUTCOMES = JOKER + 1  # kinds of cards


class Phase(IntEnum):
    DRAW = 0  # §D, and the lot and the deal before it
    CHOOSE = 1  # §C
    FUNDS = 2  # §F
    DECORATE = 3  # §I
    CABLE = 4  # §L
    LIMIT = 5  # §H
    OVER = 6  # §N


STATE = np.dtype(
    [
        ("hands", np.int64, MAX_SEATS),  # cards as bits (see cards.py); nothing where a viewer may not look
        ("discards", np.int64),  # §10 cards that lie face up
        ("wired", np.int64, (MAX_SEATS, 2)),  # squares with a strand of any kind
        ("dots", np.int64, (MAX_SEATS, 2)),  # §8 squares with a black dot of a strand
        ("light", np.int64, (MAX_SEATS, 2)),  # §15 squares with a light strand
        ("powered", np.int64, (MAX_SEATS, 2)),  # §S1 squares of strands joined to Power
        ("decorated", np.int64, (MAX_SEATS, 2)),  # squares with a decoration
        ("cables", np.int16, (MAX_SEATS, MAX_DRAWN)),  # placements drawn, + 1, ascending; then zeros
        ("decorations", np.int8, (MAX_SEATS, MAX_SQUARES)),  # the decoration on each square, + 1; 0 for none
        ("cable_count", np.int8, MAX_SEATS),  # strands drawn
        ("hand_size", np.int8, MAX_SEATS),
        ("money", np.int8, MAX_SEATS),  # §16 the tracks
        ("cable", np.int8, MAX_SEATS),
        ("phase", np.int8),
        ("done", np.int8),  # seats that have carried out the action of this turn, as bits
        ("first", np.int8),  # who began; -1 before the lot is drawn
        ("turn", np.int16),  # from 1; 0 until everybody has a hand; past the last one when the match is over
        ("draws", np.int32),  # the number of the next draw: 0 is the lot, the next 54 are the cards
    ]
)

FACTS = ("powered", "cables", "struck")  # of a seat: light decorations that shine, strands drawn, decorations struck


class Reason(IntEnum):
    OK = 0
    NO_SUCH_ACTION = 1
    NOT_WAITING = 2
    NOT_NOW = 3
    NOT_HELD = 4
    WRONG_SUM = 5
    NO_CABLE = 6
    WRONG_CARD = 7
    WRONG_GROUND = 8
    ON_CHURCH = 9
    INSIDE_POWER = 10
    NO_DOT = 11
    SAME_CABLE = 12
    NO_MONEY = 13
    WRONG_PAYMENT = 14
    NEEDS_LIGHT_CABLE = 15
    WRONG_PLACE = 16
    SQUARE_TAKEN = 17


REFUSALS = {
    Reason.NO_SUCH_ACTION: ("§1", "there is no such action"),
    Reason.NOT_WAITING: ("§1", "this seat has nothing to do now"),
    Reason.NOT_NOW: ("§C", "this is not what everybody does now"),
    Reason.NOT_HELD: ("§10", "this card is not in your hand"),
    Reason.WRONG_SUM: ("§F", "the two parts must add up to exactly what the card is worth"),
    Reason.NO_CABLE: ("§7", "it costs 1 Cable, and you have none"),
    Reason.WRONG_CARD: ("§7", "this card does not buy this shape"),
    Reason.WRONG_GROUND: ("§9", "a square of this strand lies on ground that the shape does not allow"),
    Reason.ON_CHURCH: ("§5", "nothing may be drawn on the church"),
    Reason.INSIDE_POWER: ("§8", "only a black dot of a strand may lie on Power"),
    Reason.NO_DOT: ("§8", "strands share a square only where a black dot meets a black dot"),
    Reason.SAME_CABLE: ("§8", "this very strand is there already"),
    Reason.NO_MONEY: ("§2", "it costs 1 Money, and you have none"),
    Reason.WRONG_PAYMENT: ("§2", "these cards do not pay for this decoration"),
    Reason.NEEDS_LIGHT_CABLE: ("§3", "this decoration needs a square with a light strand"),
    Reason.WRONG_PLACE: ("§4", "this decoration does not go on such a square"),
    Reason.SQUARE_TAKEN: ("§I", "there already is a decoration on this square"),
}
