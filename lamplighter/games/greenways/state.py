"""The record of a match, how actions are numbered, and why a move can be refused.

An action is `index * pictures + picture`: the open cell (an empty one beside a tile) by its index in reading order, and
how which tile lies there. With the 63 tiles of the box that makes 128 * 46 = 5888 numbers. Numbers from there on name
cells that are not open; no rule allows them, but a player may ask why (`rules.far_action`).

A cell is one number, `(row + 90) * 180 + col + 90`, so that its neighbours are 180 and 1 away. No board comes near the
edge: it has at most 81 tiles.

A seat's part of the record is 1.6 kB and the whole 9.9 kB, more than other games take: a board without edges needs its
tiles, the cells around them and its networks, kept up to date, to say in no time what fits where.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from lamplighter.games.greenways.components import MAX_HAND, MAX_KINDS, MAX_MIXED, MAX_TILES

SEATS = 6
BOARD_TILES = MAX_TILES + 1  # with the start tile
OPEN_CELLS = 2 * BOARD_TILES + 2  # a straight line touches the most
LABELS = MAX_MIXED + 2  # numbers of networks, from 1
NETWORKS = 2  # streets, greenways

CELL_ROW = 180  # from a cell to the one below
START_CELL = 90 * CELL_ROW + 90
CELL_SHIFT = 12  # an open cell is noted as `cell << 12 | surroundings`
LINE_WORDS = 4  # a set of rows or columns: 32 bits in each of four words, the row taken modulo 128

MAX_LEGAL = (2 * MAX_TILES + 2) * MAX_HAND * 4
MAX_OUTCOMES = MAX_KINDS

STATE = np.dtype(
    [
        ("waiting", np.int64),  # seats with a hand to lay from, as bits; 0 while tiles are dealt
        ("dealing", np.int64),  # the seat that is dealt to; -1: none
        ("usable", np.int64, SEATS),  # the pictures that fit somewhere, as bits
        ("green_rows", np.int64, (SEATS, LINE_WORDS)),  # §11 rows with a greenway tile, as bits
        ("green_columns", np.int64, (SEATS, LINE_WORDS)),
        ("open_cells", np.int32, (SEATS, OPEN_CELLS)),  # empty cells beside tiles in reading order, with surroundings
        ("ends_sum", np.int32, (SEATS, NETWORKS, LABELS)),  # of each network: the cells it is open to, added up
        ("drawn", np.int32, SEATS),  # tiles drawn so far
        ("tile_cell", np.int16, (SEATS, BOARD_TILES)),  # where each tile lies, in the order laid, the start tile first
        ("ends", np.int16, (SEATS, NETWORKS, LABELS)),  # of each network: its open sides
        ("pile", np.int16, (SEATS, MAX_KINDS)),  # tiles of each kind to draw from: neither in hand nor set aside
        ("unused", np.int16, SEATS),  # §12 tiles in the pile, those in hand and set aside among them
        ("redraws", np.int16, SEATS),  # §4 hands that were set aside
        ("opened", np.int16, SEATS),  # how many open cells there are
        ("tile_picture", np.int8, (SEATS, BOARD_TILES)),  # how which tile lies there
        ("label", np.int8, (SEATS, NETWORKS, BOARD_TILES)),  # the number of each tile's networks; 0: it has none
        ("length", np.int8, (SEATS, NETWORKS, LABELS)),  # of each network: its tiles
        ("gems", np.int8, (SEATS, NETWORKS, LABELS)),  # of each network: its intersections or parks
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
        ("turn", np.int16),  # the round, from 1; the last one when the match is over
        ("draws", np.int32),  # the number of the next draw: tiles drawn by the seat that is dealt to
    ]
)

FACTS = ("won", "placed", "redraws")


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
