"""The goals of the Challenge edition: what each counts, when it is reached, and what it is worth."""

from __future__ import annotations

from typing import Any

from lamplighter.games.railroad.components import GOALS, KINDS, SIZE
from lamplighter.games.railroad.lines import (
    all_exits,
    all_links,
    has_loop,
    longest_line,
    most_stations,
    network_exits,
)
from lamplighter.games.railroad.routes import FIRST_COLUMN
from lamplighter.jit import count_bits, kernel

Box = Any
State = Any

CENTRE, VILLAGES, LINE, CORNERS, BLOCK, LOOP, EXITS, STATIONS, HIGHWAY, RAILWAY, OPPOSITE, MIDDLE = range(len(KINDS))
FIRST_ROW = (1 << SIZE) - 1
FIVE_COLUMNS = FIRST_COLUMN * 31  # where a block of three by three may have its left edge


@kernel
def full_lines(drawn: int) -> int:
    """§4.4 Full rows and columns."""
    count = 0
    for i in range(SIZE):
        row, column = FIRST_ROW << (i * SIZE), FIRST_COLUMN << i
        count += int(drawn & row == row) + int(drawn & column == column)
    return count


@kernel
def full_blocks(drawn: int) -> int:
    """§4.4 Full blocks of three by three, wherever they lie."""
    across = drawn & (drawn >> 1) & (drawn >> 2) & FIVE_COLUMNS
    return count_bits(across & (across >> SIZE) & (across >> 2 * SIZE))


@kernel
def exits_in_one_network(box: Box, state: State, seat: int, kind: int) -> int:
    """§4.4 The most exits, or the most middle exits, of one network; or how many networks join opposite sides."""
    exits = all_exits(box, state, seat)
    links = all_links(state, seat)
    left = exits[0] | exits[1] | exits[2] | exits[3]
    best = 0
    opposite = 0
    while left:
        met = network_exits(links, exits, left & -left)
        left &= ~met
        best = max(best, count_bits(met & int(box["middle_exits"])) if kind == MIDDLE else count_bits(met))
        for side in range(2):
            if met & int(box["exit_at"][side]) and met & int(box["exit_at"][side + 2]):
                opposite += 1
                break
    return opposite if kind == OPPOSITE else best


@kernel
def goal_count(box: Box, state: State, seat: int, kind: int) -> int:
    """§4.4 How much a seat has of what a kind of goal counts."""
    drawn = int(state["drawn"][seat])
    if kind == CENTRE:
        return count_bits(drawn & int(box["centre"]))
    if kind == VILLAGES:
        return count_bits(int(state["stations"][seat]) & int(box["villages"]))
    if kind == LINE:
        return full_lines(drawn)
    if kind == CORNERS:
        return count_bits(drawn & int(box["corners"]))
    if kind == BLOCK:
        return full_blocks(drawn)
    if kind == LOOP:
        return int(has_loop(state, seat))
    if kind == STATIONS:
        return most_stations(state, seat)
    if kind in (HIGHWAY, RAILWAY):
        return longest_line(state, seat, 0 if kind == HIGHWAY else 4, bool(box["cross_once"]))
    return exits_in_one_network(box, state, seat, kind)


@kernel
def check_goals(box: Box, state: State) -> None:
    """§4.4 Note the goals that seats have reached for the first time in this round."""
    for seat in range(int(box["seats"])):
        for i in range(GOALS):
            goal = int(state["goals"][i])
            if state["goal_round"][seat, i] == 0 and goal_count(box, state, seat, int(box["goal_kind"][goal])) >= int(
                box["goal_need"][goal]
            ):
                state["goal_round"][seat, i] = state["turn"]


@kernel
def score_goal(box: Box, state: State, seat: int, i: int) -> int:
    """§4.4 The points of goal `i`: who is first to reach it, alone or with others of that round, gets 4."""
    reached = int(state["goal_round"][seat, i])
    if reached == 0:
        return 0
    if box["solo"]:
        return int(box["solo_points"][0 if reached <= int(box["solo_rounds"][i]) else 1])
    earlier = 0  # rounds before, as bits
    for other in range(int(box["seats"])):
        when = int(state["goal_round"][other, i])
        if when > 0 and when < reached:
            earlier |= 1 << when
    return int(box["goal_points"][min(count_bits(earlier), GOALS - 1)])
