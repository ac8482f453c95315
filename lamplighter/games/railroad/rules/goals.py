"""The goals of the Challenge edition: what each counts, when it is reached, and what it is worth."""

from __future__ import annotations

from typing import Any

from lamplighter.games.railroad.components.tables import GOALS, KINDS
from lamplighter.games.railroad.rules.networks import (
    all_exits,
    all_links,
    has_loop,
    longest_line,
    most_stations,
    network_exits,
)
from lamplighter.jit import count_bits, kernel

Box = Any
State = Any

CENTRE, VILLAGES, LINE, CORNERS, BLOCK, LOOP, EXITS, STATIONS, HIGHWAY, RAILWAY, OPPOSITE, MIDDLE = range(len(KINDS))


@kernel
def line_spaces(box: Box, line: int) -> int:
    """§4.4, §5.1 Return the spaces of a line: rows from the top are numbered first, then columns from the left."""
    rows, columns = int(box["rows"]), int(box["columns"])
    if line < rows:
        return ((1 << columns) - 1) << (line * columns)
    return int(box["first_column"]) << (line - rows)


@kernel
def full_lines(box: Box, drawn: int) -> int:
    """§4.4 Return how many rows and columns are full."""
    count = 0
    for line in range(int(box["rows"]) + int(box["columns"])):
        spaces = line_spaces(box, line)
        count += int(drawn & spaces == spaces)
    return count


@kernel
def full_blocks(box: Box, drawn: int) -> int:
    """§4.4 Return how many blocks of three by three, anywhere, are full."""
    columns = int(box["columns"])
    across = drawn & (drawn >> 1) & (drawn >> 2) & int(box["block_edges"])
    return count_bits(across & (across >> columns) & (across >> 2 * columns))


@kernel
def centre_spaces(box: Box, state: State, seat: int) -> int:
    """§7.3, §6.7 Return how many spaces of the centre count: those drawn, and the accumulator's if R19 says so."""
    return count_bits(int(state["drawn"][seat]) & int(box["centre"])) + int(box["centre_given"])


@kernel
def exits_in_one_network(box: Box, state: State, seat: int, kind: int) -> int:
    """§4.4 Return the most exits, or middle exits, of one network; or how many networks join opposite sides."""
    exits = all_exits(box, state, seat)
    links = all_links(box, state, seat)
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
    """§4.4 Return how much a seat has of what a kind of goal counts."""
    drawn = int(state["drawn"][seat])
    if kind == CENTRE:
        return centre_spaces(box, state, seat)
    if kind == VILLAGES:
        return count_bits(int(state["stations"][seat]) & int(box["villages"]))
    if kind == LINE:
        return full_lines(box, drawn)
    if kind == CORNERS:
        return count_bits(drawn & int(box["corners"]))
    if kind == BLOCK:
        return full_blocks(box, drawn)
    if kind == LOOP:
        return int(has_loop(box, state, seat))
    if kind == STATIONS:
        return most_stations(box, state, seat)
    if kind in (HIGHWAY, RAILWAY):
        return longest_line(box, state, seat, 0 if kind == HIGHWAY else 4, bool(box["cross_once"]))
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
    """§4.4 Return the points of goal `i`: who is first to reach it, alone or with others of that round, gets 4."""
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
