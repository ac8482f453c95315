"""Networks, loops and longest lines, on sets of spaces: one bit a space, all spaces at once.

A *node* is one segment's share of one type in one space. Of one type a space holds one node, or two where two segments of
that type pass each other; the second of them is in a layer of its own. A *link* joins two nodes across a side: `down` has
the spaces linked with the one below, `right` those linked with the one on the right. `second` masks say where the side
belongs to the second layer; north never does.

The longest line stays cheap and exact like this. In a forest, take away all leaves at once, again and again: a line of n
spaces is gone after (n + 1) // 2 times, so some ten bit operations for each two spaces find the longest of all lines.
Only what is left, a ring or a double segment that meets itself, is searched, ring by ring: from its ends, choosing only
where it branches, and giving up where the spaces within reach cannot beat the best line so far.
"""

from __future__ import annotations

from typing import Any

from lamplighter.games.railroad.components import SIZE
from lamplighter.games.railroad.routes import LAST_COLUMN
from lamplighter.jit import count_bits, kernel

Box = Any
State = Any

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
EVEN = sum(1 << space for space in range(0, SIZE * SIZE, 2))  # spaces of one colour of a chessboard


# --- links ----------------------------------------------------------------------------------------------------


@kernel
def down_links(state: State, seat: int, kind: int) -> int:
    """§3.2 The spaces whose route goes on, in this type (0 highway, 4 railway), into the space below."""
    return int(state["sides"][seat, kind + SOUTH]) & (int(state["sides"][seat, kind + NORTH]) >> SIZE)


@kernel
def right_links(state: State, seat: int, kind: int) -> int:
    """§3.2 The spaces whose route goes on into the space on the right."""
    return int(state["sides"][seat, kind + EAST]) & (int(state["sides"][seat, kind + WEST]) >> 1) & ~LAST_COLUMN


@kernel
def nodes_of(state: State, seat: int, kind: int) -> int:
    """The spaces that hold this type."""
    sides = state["sides"]
    return (
        int(sides[seat, kind + NORTH])
        | int(sides[seat, kind + EAST])
        | int(sides[seat, kind + SOUTH])
        | int(sides[seat, kind + WEST])
    )


@kernel
def neighbours(nodes: int, down: int, right: int) -> int:
    """The nodes linked with some of these; one layer."""
    return (
        ((nodes & down) << SIZE) | ((nodes >> SIZE) & down) | ((nodes & right) << 1) | ((nodes >> 1) & right)
    )


@kernel
def neighbours_twice(first: int, second: int, down: int, right: int, east: int, south: int, west: int) -> Any:
    """The nodes of both layers linked with some of these; `east`, `south`, `west`: sides of the second layer."""
    below = (((first & ~south) | (second & south)) & down) << SIZE
    above = (first >> SIZE) & down
    after = (((first & ~east) | (second & east)) & right) << 1
    before = (((first & ~west) | (second & west)) >> 1) & right
    return (
        below | (above & ~south) | (after & ~west) | (before & ~east),
        (above & south) | (after & west) | (before & east),
    )


@kernel
def branching(down: int, right: int) -> int:
    """The spaces with two links or more; one layer."""
    up, left = down << SIZE, right << 1
    return (up & right) | (down & left) | ((up | right) & (down | left))


# --- networks -------------------------------------------------------------------------------------------------


@kernel
def all_links(state: State, seat: int) -> Any:
    """Everything that joins nodes: links down and right of highways, of railways; stations; second sides e, s, w."""
    return (
        down_links(state, seat, 0),
        right_links(state, seat, 0),
        down_links(state, seat, 4),
        right_links(state, seat, 4),
        int(state["stations"][seat]),
        int(state["second"][seat, EAST]),
        int(state["second"][seat, SOUTH]),
        int(state["second"][seat, WEST]),
    )


@kernel
def network_of(links: Any, highway: int, highway_second: int, railway: int, railway_second: int) -> Any:
    """§1.8, §7.1 The whole network of some nodes: highway nodes, those in the second layer, railway nodes, likewise.

    Stations join highway and railway; overpasses and double curves join nothing.
    """
    down_h, right_h, down_r, right_r, stations, east, south, west = links
    before_h, before_r = -1, -1
    if east | south == 0:  # no space has two segments of one type
        while highway != before_h or railway != before_r:
            before_h, before_r = highway, railway
            highway |= (highway & down_h) << SIZE
            highway |= (highway >> SIZE) & down_h
            highway |= (highway & right_h) << 1
            highway |= (highway >> 1) & right_h
            railway |= (railway & down_r) << SIZE
            railway |= (railway >> SIZE) & down_r
            railway |= (railway & right_r) << 1
            railway |= (railway >> 1) & right_r
            met = (highway | railway) & stations
            highway |= met
            railway |= met
        return highway, 0, railway, 0
    before_hs, before_rs = -1, -1
    while (
        highway != before_h or railway != before_r or highway_second != before_hs or railway_second != before_rs
    ):
        before_h, before_r, before_hs, before_rs = highway, railway, highway_second, railway_second
        more, more_second = neighbours_twice(highway, highway_second, down_h, right_h, east, south, west)
        highway |= more
        highway_second |= more_second
        more, more_second = neighbours_twice(railway, railway_second, down_r, right_r, east, south, west)
        railway |= more
        railway_second |= more_second
        met = (highway | railway) & stations
        highway |= met
        railway |= met
    return highway, highway_second, railway, railway_second


@kernel
def connected_exits(box: Box, state: State, seat: int, kind: int) -> Any:
    """§7.1 The exits of a type whose edge space carries it on that side: of first segments, of second segments."""
    exits = 0
    of_second = 0
    for side in range(4):
        mark = kind + side
        here = int(state["sides"][seat, mark]) & int(state["offers"][seat, mark]) & int(box["outer"][side])
        exits |= here
        of_second |= here & int(state["second"][seat, side])
    return exits & ~of_second, of_second


@kernel
def all_exits(box: Box, state: State, seat: int) -> Any:
    """§7.1 Connected exits as bits of their spaces: of highways, second ones, of railways, second ones."""
    highway, highway_second = connected_exits(box, state, seat, 0)
    railway, railway_second = connected_exits(box, state, seat, 4)
    return highway, highway_second, railway, railway_second


@kernel
def network_exits(links: Any, exits: Any, start: int) -> int:
    """§7.1 The exits that share a network with the one in space `start`, itself included, as bits of their spaces."""
    highway, highway_second, railway, railway_second = exits
    nodes = network_of(
        links, start & highway, start & highway_second, start & railway, start & railway_second
    )
    return (
        (nodes[0] & highway) | (nodes[1] & highway_second) | (nodes[2] & railway) | (nodes[3] & railway_second)
    )


@kernel
def most_stations(state: State, seat: int) -> int:
    """§4.4 The most station spaces in one network."""
    links = all_links(state, seat)
    left = int(state["stations"][seat])
    most = 0
    while count_bits(left) > most:
        start = left & -left
        met = network_of(links, start, 0, start, 0)[0] & left
        most = max(most, count_bits(met))
        left &= ~met
    return most


@kernel
def has_loop(state: State, seat: int) -> bool:
    """§4.4 Some joined segments form a ring, of either type or both. Where a route only crosses itself it forms none.

    Segments at which a ring cannot pass, those with fewer than two links, are taken away until none or only rings are
    left.
    """
    down_h, right_h, down_r, right_r, stations, east, south, west = all_links(state, seat)
    while True:
        before_h, before_r, before_hr, before_rr = down_h, down_r, right_h, right_r
        # A station is one segment for both types, so its links count together.
        of_both = stations & branching(down_h | down_r, right_h | right_r)
        down_h, right_h = cut_leaves(down_h, right_h, stations, of_both, east, south, west)
        down_r, right_r = cut_leaves(down_r, right_r, stations, of_both, east, south, west)
        if down_h == before_h and down_r == before_r and right_h == before_hr and right_r == before_rr:
            return down_h | right_h | down_r | right_r != 0


@kernel
def cut_leaves(down: int, right: int, stations: int, kept: int, east: int, south: int, west: int) -> Any:
    """The links of a type without those of nodes with fewer than two; of stations those in `kept` stay."""
    up, left = down << SIZE, right << 1
    right_1, down_1, left_1 = right & ~east, down & ~south, left & ~west
    right_2, down_2, left_2 = right & east, down & south, left & west
    first = (up & right_1) | (down_1 & left_1) | ((up | right_1) & (down_1 | left_1))
    first = (first & ~stations) | kept
    second = (right_2 & (down_2 | left_2)) | (down_2 & left_2)
    alive_down = (first & ~south) | (second & south)
    alive_right = (first & ~east) | (second & east)
    alive_left = (first & ~west) | (second & west)
    return down & alive_down & (first >> SIZE), right & alive_right & (alive_left >> 1)


# --- longest lines --------------------------------------------------------------------------------------------


@kernel
def longest_line(state: State, seat: int, kind: int, once: bool) -> int:
    """§7.2 Spaces of the longest line of a type (0 highway, 4 railway); `once`: it may enter each space once only (R10).

    A closed loop of four curves has a line of 4; a T adds its two longer arms.
    """
    nodes = nodes_of(state, seat, kind)
    down, right = down_links(state, seat, kind), right_links(state, seat, kind)
    rings, length = peel(nodes, down, right)
    east, south, west = (
        int(state["second"][seat, EAST]) & nodes,
        int(state["second"][seat, SOUTH]) & nodes,
        int(state["second"][seat, WEST]) & nodes,
    )
    doubles = east | south
    if rings == 0:
        if doubles == 0:
            return length
        return peel_twice(nodes, doubles, down, right, east, south, west)
    return search_lines(nodes, doubles, down, right, east, south, west, once)


@kernel
def peel(nodes: int, down: int, right: int) -> Any:
    """Take away all leaves at once until none is left: what stays (rings, and what joins them), and the longest line.

    The length is right if nothing stays. One layer.
    """
    length = 0
    while True:
        leaves = nodes & ~branching(down, right)
        if leaves == 0:
            return nodes, length
        length += 2 if down | right else 1
        nodes &= ~leaves
        down &= ~(leaves | (leaves >> SIZE))
        right &= ~(leaves | (leaves >> 1))


@kernel
def peel_twice(nodes: int, doubles: int, down: int, right: int, east: int, south: int, west: int) -> int:
    """The longest line of a forest in two layers in which no line passes a space twice."""
    length = 0
    second = doubles
    while nodes | second:
        up, left = down << SIZE, right << 1
        right_1, down_1, left_1 = right & ~east, down & ~south, left & ~west
        right_2, down_2, left_2 = right & east, down & south, left & west
        leaves = nodes & ~((up & right_1) | (down_1 & left_1) | ((up | right_1) & (down_1 | left_1)))
        leaves_2 = second & ~((right_2 & (down_2 | left_2)) | (down_2 & left_2))
        length += 2 if down | right else 1
        nodes &= ~leaves
        second &= ~leaves_2
        gone_down = (leaves & ~south) | (leaves_2 & south)
        gone_right = (leaves & ~east) | (leaves_2 & east)
        gone_left = (leaves & ~west) | (leaves_2 & west)
        down &= ~(gone_down | (leaves >> SIZE))
        right &= ~(gone_right | (gone_left >> 1))
    return length


@kernel
def search_lines(
    nodes: int, doubles: int, down: int, right: int, east: int, south: int, west: int, once: bool
) -> int:
    """§7.2 The longest line where there are rings or spaces that a line may meet twice: component by component."""
    best = 0
    left, left_2 = nodes, doubles
    while left | left_2:
        first, second = left & -left, 0
        if left == 0:
            second = left_2 & -left_2
        before, before_2 = 0, 0
        while first != before or second != before_2:
            before, before_2 = first, second
            more, more_2 = neighbours_twice(first, second, down, right, east, south, west)
            first |= more
            second |= more_2
        left &= ~first
        left_2 &= ~second
        if count_bits(first | second) <= best:
            continue
        own_down = down & ((first & ~south) | (second & south))
        own_right = right & ((first & ~east) | (second & east))
        if first & second:
            best = search_twice(first, second, own_down, own_right, east, south, west, once, best)
        else:
            best = search_once(first | second, own_down, own_right, best)
    return best


@kernel
def search_once(nodes: int, down: int, right: int, best: int) -> int:
    """The longest line of a component that holds each space once, if it is longer than `best`; else `best`.

    Both ends of a longest line are leaves or lie on rings (or between two), else it could go on.
    """
    rings, length = peel(nodes, down, right)
    if rings == 0:
        return max(best, length)
    starts = (nodes & ~branching(down, right)) | rings
    most = max(longest_possible(nodes, EVEN), longest_possible(nodes, ~EVEN))
    while starts and best < most:
        start = starts & -starts
        starts ^= start
        best = max(best, walk(start, nodes ^ start, down, right, best))
    return best


@kernel
def longest_possible(spaces: int, colour: int) -> int:
    """A line changes its colour at every step: the most spaces it can have if its first one is not of `colour`."""
    same = count_bits(spaces & colour)
    other = count_bits(spaces) - same
    return 2 * same + 1 if other > same else 2 * other


@kernel
def walk(here: int, free: int, down: int, right: int, best: int) -> int:
    """The longest line from `here` on through `free` spaces, if it is longer than `best`; else something not longer."""
    length = 1
    while True:
        ways = neighbours(here, down, right) & free
        if ways == 0:
            return length
        if ways & (ways - 1) == 0:
            here = ways
            free ^= ways
            length += 1
        else:
            reach, before = ways, 0
            while reach != before:
                before = reach
                reach |= neighbours(reach, down, right) & free
            if length + longest_possible(reach, EVEN if here & EVEN else ~EVEN) <= best:
                return length
            while ways:
                ahead = ways & -ways
                ways ^= ahead
                best = max(best, length + walk(ahead, free ^ ahead, down, right, best - length))
            return best


@kernel
def search_twice(
    first: int, second: int, down: int, right: int, east: int, south: int, west: int, once: bool, best: int
) -> int:
    """The longest line of a component that holds both segments of some space, if it is longer than `best`."""
    left, left_2 = first, second
    most = count_bits(first | second)
    while (left | left_2) and best < most:
        here, here_2 = left & -left, 0
        if left == 0:
            here_2 = left_2 & -left_2
        left ^= here
        left_2 ^= here_2
        found = walk_twice(
            here, here_2, first ^ here, second ^ here_2, 0, down, right, east, south, west, once, best
        )
        best = max(best, found)
    return best


@kernel
def walk_twice(
    here: int, here_2: int, free: int, free_2: int, passed: int,
    down: int, right: int, east: int, south: int, west: int, once: bool, best: int,
) -> int:  # fmt: skip
    """As `walk`, in two layers; a space that the line has `passed` counts no more, and with `once` is not entered again."""
    length = 0
    while True:
        space = here | here_2
        if passed & space == 0:
            length += 1
        passed |= space
        if once:
            free &= ~space
            free_2 &= ~space
        ways, ways_2 = neighbours_twice(here, here_2, down, right, east, south, west)
        ways &= free
        ways_2 &= free_2
        count = count_bits(ways) + count_bits(ways_2)
        if count == 0:
            return length
        if count > 1:
            break
        here, here_2 = ways, ways_2
        free ^= ways
        free_2 ^= ways_2
    reach, reach_2 = ways, ways_2
    before, before_2 = 0, 0
    while reach != before or reach_2 != before_2:
        before, before_2 = reach, reach_2
        more, more_2 = neighbours_twice(reach, reach_2, down, right, east, south, west)
        reach |= more & free
        reach_2 |= more_2 & free_2
    if length + count_bits((reach | reach_2) & ~passed) <= best:
        return length
    while ways | ways_2:
        here, here_2 = ways & -ways, 0
        if ways == 0:
            here_2 = ways_2 & -ways_2
        ways ^= here
        ways_2 ^= here_2
        found = walk_twice(
            here, here_2, free ^ here, free_2 ^ here_2, passed, down, right, east, south, west, once, best - length
        )
        best = max(best, length + found)
    return best
