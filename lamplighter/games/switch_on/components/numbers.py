"""The single numbers of a box, by name: `figure(box, at.SEATS)`. Kept in one field, because fields make calls slow.

Handing a record to a kernel from Python costs about 0.2 µs for each of its fields.
"""

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
MONEY_LIMIT = 12  # §16
CABLE_LIMIT = 13
START_MONEY = 14
START_CABLE = 15
CABLE_POINTS = 16  # §15 of a square
MOST_UNITS = 17  # §F of any card
SHAPES = 18
FITS = 19  # placements numbered below this fit the ground
PLACEMENTS = 20
DECORATIONS = 21
# how actions are numbered (see state.py)
PASS_ACTION = 22
FIRST_LAY = 23
FIRST_MISFIT = 24
STOP_ACTION = 25
FIRST_DISCARD = 26
ACTIONS = 27
MANY_PATTERNS = 28  # §S4 1: so many may overlap that trying all sets of them could take long
COUNT = 29
