"""The single numbers of a box, by name: `figure(box, at.SEATS)`. Kept in one field, because fields make calls slow.

Handing a record to a kernel from Python costs about 0.2 µs for each of its fields.
"""

from __future__ import annotations

from typing import Any

from lamplighter.jit import kernel

# the variant
SEATS = 0
HAND_START = 1
HAND_LIMIT = 2
FIRST_PLAYER = 3  # -1: drawn by lot
OPEN_HANDS = 4  # R14
COUNT_TREES = 5  # R11
DEAD_CABLE_SCORES = 6  # R10
TURNS = 7  # §10, §N of the whole match
SLOTS = 8  # cards that a hand can hold, and one for a card that is not in it
# the town and the charts
ROWS = 9
COLS = 10
SQUARES = 11
TRACK_LIMIT = 12  # §16
START_MONEY = 13
START_CABLE = 14
CABLE_POINTS = 15  # §15 of a square
MOST_UNITS = 16  # §F of any card
SHAPES = 17
FITS = 18  # placements numbered below this fit the ground
PLACEMENTS = 19
DECORATIONS = 20
# how actions are numbered (see state.py)
PASS_ACTION = 21
FIRST_LAY = 22
FIRST_MISFIT = 23
STOP_ACTION = 24
FIRST_DISCARD = 25
ACTIONS = 26
COUNT = 27


@kernel
def figure(box: Any, which: int) -> int:
    """One of the numbers above."""
    return int(box["figures"][which])
