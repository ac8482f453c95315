"""The record of a match, and why a move can be refused. An action is the number of a column, from 0.

A set of squares is an int64, one bit a square. The seventh bit of each column is never set, so that no line of four
runs over the top of a column into the next one:

    (6 13 20 27 34 41 48)
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
     a  b  c  d  e  f  g
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from connect_four.components import COLUMNS, ROWS, SEATS

COLUMN_BITS = ROWS + 1
MAX_LEGAL = COLUMNS
MAX_OUTCOMES = 1  # nothing is left to chance

STATE = np.dtype(
    [
        ("discs", np.int64, SEATS),  # the squares of each seat, as bits
        ("draws", np.int32),  # always 0: there is no chance
        ("turn", np.int16),  # the number of the next move, from 1
        ("winner", np.int16),  # §5 the seat that has four in a line; -1 while nobody has
    ]
)

FACTS = ()  # nothing else is worth counting


class Reason(IntEnum):
    OK = 0
    NO_SUCH_ACTION = 1
    NOT_WAITING = 2
    COLUMN_FULL = 3


REFUSALS = {
    Reason.NO_SUCH_ACTION: ("§1", "there is no such column"),
    Reason.NOT_WAITING: ("§2", "it is not this seat's turn"),
    Reason.COLUMN_FULL: ("§3", "this column is full"),
}
