"""The record of a match, how actions are numbered, and why a move can be refused.

An action is `index * pictures + picture`: the open cell (an empty one beside a tile) by its index in reading order, and
which tile is laid there in which orientation. With the 63 tiles of the box that makes 128 * 46 = 5888 numbers. Numbers
from there on name cells that are not open; no rule allows them, but a player may ask why (`rules.far_action`).

A cell is one number, `(row + 90) * 180 + col + 90`, so that its neighbours are 180 and 1 away. No board comes near the
edge: it has at most 65 tiles.

What can be found from the tiles in a moment is not kept: networks are followed when they are asked for. Open cells are
kept, with their surroundings, because every move asks for all of them. They are in reading order, each noted by its
way from the one before: every row that a board touches has an open cell at both ends, so that no way is longer than
246. That takes half the room of the cells themselves.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from lamplighter.games.greenways.components import MAX_HAND, MAX_KINDS, MAX_TILES
from lamplighter.jit import SPARE

SEATS = 3
BOARD_TILES = MAX_TILES + 1  # with the start tile
OPEN_CELLS = 2 * BOARD_TILES + 3  # a straight line touches the most; one more while a tile is laid
NETWORKS = 2  # streets, greenways

CELL_ROW = 180  # from a cell to the one below
START_CELL = 90 * CELL_ROW + 90
NO_CELL = -1

MAX_LEGAL = (2 * MAX_TILES + 2) * MAX_HAND * 4 + SPARE
MAX_OUTCOMES = MAX_KINDS

STATE = np.dtype(
    [
        ("waiting", np.int64),  # seats with a hand to lay from, as bits; 0 while tiles are dealt
        ("dealing", np.int64),  # the seat that is dealt to; -1: none
        ("draws", np.int32),  # the number of the next draw: tiles drawn by the seat that is dealt to
        ("first_open", np.int16, SEATS),  # the first open cell in reading order
        ("around", np.uint16, (SEATS, OPEN_CELLS)),  # the surroundings of each open cell, in reading order
        ("cell", np.int16, (SEATS, BOARD_TILES)),  # where each tile lies, in the order laid, the start tile first
        ("drawn", np.int16, SEATS),  # tiles drawn so far
        ("unused", np.int16, SEATS),  # §12 tiles in the pile, those in hand and set aside among them
        ("redraws", np.int16, SEATS),  # §4 hands that were set aside
        ("opened", np.int16, SEATS),  # how many open cells there are
        ("turn", np.int16),  # the round, from 1; the last one when the match is over
        ("gap", np.uint8, (SEATS, OPEN_CELLS)),  # the way from each open cell to the next
        ("picture", np.int8, (SEATS, BOARD_TILES)),  # which tile is in each cell, and how it is turned
        ("pile", np.int8, (SEATS, MAX_KINDS)),  # tiles of each kind to draw from: neither in hand nor set aside
        ("tiles", np.int8, SEATS),  # on the board
        ("hand", np.int8, (SEATS, MAX_HAND)),  # kind + 1 of each tile in hand, ascending; 0 behind the last
        ("aside", np.int8, (SEATS, MAX_HAND)),  # §4 the same for tiles set aside while a new hand is drawn
        ("held", np.int8, SEATS),  # tiles in hand
        ("top", np.int8, SEATS),  # §11 the rows and columns of the outermost tiles, from the start tile
        ("bottom", np.int8, SEATS),
        ("left", np.int8, SEATS),
        ("right", np.int8, SEATS),
        ("playing", np.int8),  # seats whose game goes on, as bits
        ("won", np.int8),  # §11 seats that reached the goal, as bits
    ]
)

FACTS = ("won", "placed", "redraws")
DRAWS_FOLLOW_PLAY = True  # §2, §4 two tiles of a hand go back into the pile, and which two is the player's choice


class Reason(IntEnum):
    OK = 0
    NO_SUCH_ACTION = 1
    NOT_WAITING = 2
    NOT_IN_HAND = 3
    CELL_TAKEN = 4
    NOT_BESIDE_A_TILE = 5
    SIDES_DIFFER = 6
    NOT_CONNECTED = 7
    PARKS_TOUCH = 8
    BUILDINGS_TOUCH = 9
    STREET_WITHOUT_INTERSECTION = 10
    GREENWAY_WITHOUT_PARK = 11


REFUSALS = {
    Reason.NO_SUCH_ACTION: ("§2", "there is no such action"),
    Reason.NOT_WAITING: ("§2", "this seat has no tile to lay now"),
    Reason.NOT_IN_HAND: ("§2", "this tile is not in your hand"),
    Reason.CELL_TAKEN: ("§P1", "a tile already lies there"),
    Reason.NOT_BESIDE_A_TILE: ("§P1", "a tile must be laid beside another, side to side"),
    Reason.SIDES_DIFFER: ("§P2", "touching sides must match: street to street, greenway to greenway, blank to blank"),
    Reason.NOT_CONNECTED: ("§P3", "a tile with a street or a greenway must go on from one of them"),
    Reason.PARKS_TOUCH: ("§P4", "two parks may not lie side by side"),
    Reason.BUILDINGS_TOUCH: ("§P4", "two buildings may not lie side by side"),
    Reason.STREET_WITHOUT_INTERSECTION: ("§P5", "this would complete a street that has no intersection"),
    Reason.GREENWAY_WITHOUT_PARK: ("§P5", "this would complete a greenway that has no park"),
}
