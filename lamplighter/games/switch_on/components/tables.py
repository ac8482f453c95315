"""The box as kernels read it: limits, letters, and the record `BOX` with the columns of its small tables.

Squares count row by row from 0. A set of squares is two int64 of 62 bits, the first for squares 0 to 61.
"""

from __future__ import annotations

import numpy as np

from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import DECK, MAX_CARDS

WORD = 62  # bits of one word of a set of squares
MAX_SQUARES = 2 * WORD
MAX_SIDE = 26
MAX_SHAPES = 16
MAX_LENGTH = 12  # squares of one strand
MAX_FITS = 2048  # placements on the town's ground, of all shapes
MAX_PLACEMENTS = (
    MAX_SHAPES * 8 * MAX_SQUARES
)  # also those that the ground refuses: every shape, turned and mirrored, anywhere
MAX_DECORATIONS = 12
MAX_LINES = 128  # patterns, each in one orientation
MAX_PATTERN = 9  # squares of a pattern
MAX_TREES = 62
MAX_REACH = 25
MAX_TRACK = 99
MAX_UNITS = 24
MAX_GROUNDS = 6  # of one's own
MOST_START, MOST_KEPT = 12, 16  # cards of a hand at the start and after a turn
FIRST_RAISE = 3  # the first action after the three choices
MOST_ACTIONS = 1 << 15  # `build` refuses a box that could offer more at once
SHEET = "sheet"  # an option that is left to the sheet

SHOP, POWER, CHURCH, STREET, ENTRANCE, OPEN = "HPCsE."
FITS, INSIDE_POWER, OFF_GROUND, ON_CHURCH = 0, 1, 2, 3  # what the ground says to a placement

# columns of small tables
BODY, DOTS, INNER = 0, 1, 2  # of `cable_squares`
POINTS, ELECTRIC, CARDS, RELATION = 0, 1, 2, 3  # of `chart`
LENGTH, EXTRA, KINDS = 0, 1, 2  # of `lines`; the decorations start at KINDS,
OFFSETS = KINDS + MAX_PATTERN  # and how far their squares are behind the first one at OFFSETS

BOX = np.dtype(
    [
        ("cable_squares", np.int64, (MAX_PLACEMENTS, 3, 2)),  # §8 of each placement: all squares, its dots, the rest
        ("pays", np.int64, (MAX_DECORATIONS, DECK)),  # §2 costs of two cards: with each as the lower, the higher ones
        ("cost_cards", np.int64, (MAX_DECORATIONS, MAX_CARDS)),  # §2, §B2 the cards that meet each condition of a cost
        ("buyers", np.int64, MAX_SHAPES),  # §7 the cards that buy a shape
        ("places", np.int64, (MAX_DECORATIONS, 2)),  # §4, §B1 the squares where it may be drawn, strand or not
        ("lit_places", np.int64, (MAX_DECORATIONS, 2)),  # §3, §B1 those where it needs a light strand
        ("near_trees", np.int64, MAX_SQUARES),  # §14, §B5 the trees that reach a square, as bits
        ("starts", np.int64, (MAX_LINES, 2)),  # §13 the squares where a pattern that begins there stays inside the map
        ("church", np.int64, 2),  # §5
        ("power", np.int64, 2),  # §12
        ("figures", np.int32, at.COUNT),  # single numbers, see numbers.py
        ("first_hang", np.int32, MAX_DECORATIONS + 1),  # the actions that hang decoration i start here
        ("chart", np.int16, (MAX_DECORATIONS, 4)),  # §13 points, §12 is it light, §2 how many cards and their relation
        ("lines", np.int16, (MAX_LINES, OFFSETS + MAX_PATTERN)),  # §13, §B4 patterns: size and points
        ("first_line", np.int16, MAX_DECORATIONS + 1),  # lines that begin with decoration i: from here to [i + 1]
        ("first_fit", np.int16, MAX_SHAPES + 1),  # the placements of shape i that fit: from first_fit[i] to [i + 1]
        ("cells", np.int8, (MAX_PLACEMENTS, MAX_LENGTH)),  # the squares of a placement; -1 after the last
        ("shape_of", np.int8, MAX_PLACEMENTS),
        ("ground", np.int8, MAX_PLACEMENTS),  # §5, §8, §9 FITS, INSIDE_POWER, OFF_GROUND or ON_CHURCH
        ("light", np.int8, MAX_SHAPES),  # §15 1: light strand, 0: dashed
        ("units", np.int8, DECK + 1),  # §F for each card; the last one for no card
        ("tree_values", np.int8, MAX_TREES),  # §14 the highest first
        ("factor", np.int8, MAX_SQUARES),  # §14 what a single decoration here is multiplied by
    ]
)


def add_square(words: np.ndarray, square: int) -> None:
    """Put a square into a set."""
    words[square // WORD] |= 1 << square % WORD


def squares_of(words: np.ndarray) -> list[int]:
    """Return the squares of a set, ascending."""
    return [square for square in range(MAX_SQUARES) if int(words[square // WORD]) >> square % WORD & 1]
