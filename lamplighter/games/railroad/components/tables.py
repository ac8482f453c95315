"""Limits of a box, names, and the record that kernels read.

Sets of spaces are int64 with one bit a space, of which 62 can be used without care for signs: that limits the board.
"""

from __future__ import annotations

import numpy as np

MIN_SIDE, MAX_SIDE = 3, 9  # rows, and columns: one letter, one digit
MAX_SPACES = 62  # rows × columns
MARKS = 8
OTHER_TYPE = 4  # mark ^ OTHER_TYPE is the other type on the same side
OTHER_SIDE = 2  # mark ^ OTHER_SIDE is the same type on the side across
GOALS = 3  # in a match
MAX_ARROW_MOVES = max(  # §6.3 first and last new space on one line, in four directions
    rows * columns * (rows + columns + 2)
    for rows in range(MIN_SIDE, MAX_SIDE + 1)
    for columns in range(MIN_SIDE, MAX_SIDE + 1)
    if rows * columns <= MAX_SPACES
)
MAX_ROUTE_DICE = 5
MAX_OTHER_DICE = 3
MAX_DICE = MAX_ROUTE_DICE + MAX_OTHER_DICE
MAX_FACES = 12  # of a die
MAX_SPECIALS = 6
MAX_ROUTES = 48
WORD = 62  # entries in one word of a set
MAX_WORDS = 4
MAX_ENTRIES = 512  # with copies
MAX_VILLAGES = 8
MAX_ROUNDS = 20

ARROWS = ("up", "right", "down", "left")  # the Power Grid faces 0 to 3: towards n e s w
QUESTION = 4
POWER_FACES = (*ARROWS, "question")
GOAL_LETTERS = "ABCDEFGHIJKL"  # of the cards; a box may have fewer
MAX_GOALS = len(GOAL_LETTERS)
KINDS = (
    "centre", "villages", "line", "corners", "block", "loop", "exits", "stations", "highway", "railway", "opposite",
    "middle",
)  # fmt: skip
LINES = ("exits", "highway", "railway", "centre", "errors", "villages", "goal1", "goal2", "goal3", "expansion")

BOX = np.dtype(
    [  # int64 throughout, so that kernels are compiled for one kind of number
        ("rows", np.int64),  # §1.1 the size of the board
        ("columns", np.int64),
        ("spaces", np.int64),
        ("per_space", np.int64),  # 2³² / spaces, rounded up: see `rules.routes.entry_of`
        ("board", np.int64),  # all spaces
        ("first_column", np.int64),
        ("last_column", np.int64),
        (
            "block_edges",
            np.int64,
        ),  # §4.4 the spaces from which a block of three goes to the right without leaving its row
        ("even", np.int64),  # the spaces of one colour of a chessboard
        ("exit_offers", np.int64, MARKS),  # §1.1 the spaces with an exit of this type on this side
        ("exit_at", np.int64, 4),  # §4.4 the spaces with an exit on this side, of either type
        ("exit_spaces", np.int64),
        ("middle_exits", np.int64),  # §4.4 the spaces of the exits that goal L speaks of
        ("inner", np.int64, 4),  # §7.4 the spaces that have a space, and no accumulator, behind this side
        ("outer", np.int64, 4),  # the spaces whose side lies on the outer edge
        ("open", np.int64),  # §3.1, §6.1 the spaces where routes may be drawn
        ("centre", np.int64),  # §7.3
        ("centre_given", np.int64),  # R19 spaces of the centre that count though nothing is drawn there
        ("corners", np.int64),
        ("factories", np.int64),  # §4 none in the base game
        ("villages", np.int64),
        ("universities", np.int64),
        ("beside", np.int64, 4),  # §6.4 the space from which this arrow steps onto the accumulator, as a bit
        ("around", np.int64),  # §6.6 the spaces around the accumulator
        (
            "first_arrow",
            np.int64,
            (4, MAX_SPACES),
        ),  # §6.3 the move that electrifies this space alone; the next ones more
        ("arrow_first", np.int64, MAX_ARROW_MOVES),  # the first space of an arrow's move
        ("arrow_count", np.int64, MAX_ARROW_MOVES),  # how many it electrifies
        ("arrow_way", np.int64, MAX_ARROW_MOVES),  # and its direction
        ("arrow_moves", np.int64),  # how many such moves there are; charges and question marks stand behind them
        ("route_entries", np.int64, (MAX_ROUTES, MAX_WORDS)),  # the entries of a route, in words of 62 bits
        ("special_entries", np.int64, (1 << MAX_SPECIALS, MAX_WORDS)),  # §2.3 the entries left, by the specials used
        ("entry_marks", np.uint8, (MAX_ENTRIES, 4)),  # §1.8 the marks of an entry; fewer than four: some stand twice
        ("entry_clashes", np.uint8, (MAX_ENTRIES, 4)),  # §3.3 the marks of the other type on the same sides
        ("entry_has", np.int64, (MAX_ENTRIES, MARKS)),  # for each mark: -1 if the entry has it, else 0
        ("entry_shows", np.int64, (MAX_ENTRIES, MARKS)),  # the same for the mark under which its neighbour sees it
        (
            "seen_from",
            np.int64,
            (MAX_SPACES, MARKS),
        ),  # the neighbour that has this space behind the side of the mark, as a bit
        ("entry_second", np.int64, MAX_ENTRIES),  # of two segments of one type: the sides of the second, as bits
        ("entry_station", np.int64, MAX_ENTRIES),
        ("entry_route", np.int64, MAX_ENTRIES),
        ("first_entry", np.int64, MAX_ROUTES),  # the entries of a route, as result, lamp result or special
        ("end_entry", np.int64, MAX_ROUTES),  # the one behind its last
        ("exit_points", np.int64, 4 * MAX_SIDE),  # §7.1 by the number of exits
        ("village_points", np.int64, MAX_VILLAGES + 1),  # §4.1 by the number of villages
        ("goal_points", np.int64, GOALS),  # §4.4
        ("solo_points", np.int64, 2),  # §4.4 alone: early, late
        ("solo_rounds", np.int64, GOALS),
        ("goal_kind", np.int64, MAX_GOALS),  # a place in KINDS
        ("goal_need", np.int64, MAX_GOALS),
        ("goals", np.int64, GOALS),  # §4.4 chosen by the variant; -1: drawn by lot, or none
        # the different faces of each die: route numbers, or Power Grid faces; behind the dice, the goals
        ("die_face", np.int64, (MAX_DICE + 1, MAX_GOALS)),
        ("die_weight", np.int64, (MAX_DICE + 1, MAX_GOALS)),
        ("die_faces", np.int64, MAX_DICE + 1),
        ("route_dice", np.int64),  # dice 0 to route_dice - 1; then those of the expansion
        ("lamp_dice", np.int64),
        ("dice", np.int64),  # all together
        ("result_routes", np.int64),  # routes below this number are on the route dice
        ("first_special", np.int64),  # §1.4 the number of the first special route
        ("specials", np.int64),
        ("lamp_entry", np.int64),  # entries from here on are lamp results
        ("special_entry", np.int64),  # entries from here on are special routes
        ("copy_entry", np.int64),  # §4.3 entries from here on are copies, in the order of the results
        ("entries", np.int64),
        ("words", np.int64),  # words that the entries before the copies need
        ("lamp_action", np.int64),  # the first action that lights a row or column
        ("skip_action", np.int64),
        ("done_action", np.int64),  # Power Grid actions stand behind it
        ("actions", np.int64),
        ("seats", np.int64),
        ("rounds", np.int64),  # §1.9
        ("specials_a_round", np.int64),  # §2.3
        ("specials_a_game", np.int64),
        ("universities_needed", np.int64),  # §4.2
        ("universities_given", np.int64),  # R9 active from the start
        ("most_charges", np.int64),  # §6.1
        ("accumulator", np.int64),  # its space; -1 without the Power Grid
        ("challenge", np.bool_),
        ("lamps", np.bool_),
        ("power", np.bool_),
        ("draw_goals", np.bool_),  # §4.4 by lot
        ("special_later", np.bool_),  # R2
        ("copy_drawn", np.bool_),  # R3
        ("solo", np.bool_),  # R4
        ("goals_after_power", np.bool_),  # R5
        ("lamps_trigger", np.bool_),  # R7
        ("as_rolled", np.bool_),  # R8
        ("cross_once", np.bool_),  # R10
    ]
)
