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

from lamplighter.jit import count_bits, kernel

Box = Any
State = Any

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3


# --- links ----------------------------------------------------------------------------------------------------


@kernel
def down_links(box: Box, state: State, seat: int, kind: int) -> int:
    """§3.2 Return the spaces whose route goes on, in this type (0 highway, 4 railway), into the space below."""
    return int(state["sides"][seat, kind + SOUTH]) & (int(state["sides"][seat, kind + NORTH]) >> int(box["columns"]))


@kernel
def right_links(box: Box, state: State, seat: int, kind: int) -> int:
    """§3.2 Return the spaces whose route goes on into the space on the right."""
    east, west = int(state["sides"][seat, kind + EAST]), int(state["sides"][seat, kind + WEST])
    return east & (west >> 1) & ~int(box["last_column"])


@kernel
def nodes_of(state: State, seat: int, kind: int) -> int:
    """Return the spaces that hold this type."""
    sides = state["sides"]
    return (
        int(sides[seat, kind + NORTH])
        | int(sides[seat, kind + EAST])
        | int(sides[seat, kind + SOUTH])
        | int(sides[seat, kind + WEST])
    )


@kernel
def neighbours_twice(
    first: int, second: int, down: int, right: int, east: int, south: int, west: int, columns: int
) -> Any:
    """Return the nodes of both layers linked with some of these; `east`, `south`, `west`: sides of the second layer."""
    below = (((first & ~south) | (second & south)) & down) << columns
    above = (first >> columns) & down
    after = (((first & ~east) | (second & east)) & right) << 1
    before = (((first & ~west) | (second & west)) >> 1) & right
    return (
        below | (above & ~south) | (after & ~west) | (before & ~east),
        (above & south) | (after & west) | (before & east),
    )


@kernel
def branching(down: int, right: int, columns: int) -> int:
    """Return the spaces with two links or more; one layer."""
    up, left = down << columns, right << 1
    return (up & right) | (down & left) | ((up | right) & (down | left))


# --- networks -------------------------------------------------------------------------------------------------


@kernel
def all_links(box: Box, state: State, seat: int) -> Any:
    """Return everything that joins nodes: links down and right of highways, of railways; stations; second sides e, s, w;
    and how many columns there are."""
    return (
        down_links(box, state, seat, 0),
        right_links(box, state, seat, 0),
        down_links(box, state, seat, 4),
        right_links(box, state, seat, 4),
        int(state["stations"][seat]),
        int(state["second"][seat, EAST]),
        int(state["second"][seat, SOUTH]),
        int(state["second"][seat, WEST]),
        int(box["columns"]),
    )


@kernel
def network_of(links: Any, highway: int, highway_second: int, railway: int, railway_second: int) -> Any:
    """§1.8, §7.1 Return the whole network of some nodes: highway nodes, those in the second layer, railway nodes, likewise.

    Stations join highway and railway; overpasses and double curves join nothing.
    """
    down_h, right_h, down_r, right_r, stations, east, south, west, columns = links
    before_h, before_r = -1, -1
    if east | south == 0:  # no space has two segments of one type
        while highway != before_h or railway != before_r:
            before_h, before_r = highway, railway
            highway |= (highway & down_h) << columns
            highway |= (highway >> columns) & down_h
            highway |= (highway & right_h) << 1
            highway |= (highway >> 1) & right_h
            railway |= (railway & down_r) << columns
            railway |= (railway >> columns) & down_r
            railway |= (railway & right_r) << 1
            railway |= (railway >> 1) & right_r
            met = (highway | railway) & stations
            highway |= met
            railway |= met
        return highway, 0, railway, 0
    before_hs, before_rs = -1, -1
    while highway != before_h or railway != before_r or highway_second != before_hs or railway_second != before_rs:
        before_h, before_r, before_hs, before_rs = highway, railway, highway_second, railway_second
        more, more_second = neighbours_twice(highway, highway_second, down_h, right_h, east, south, west, columns)
        highway |= more
        highway_second |= more_second
        more, more_second = neighbours_twice(railway, railway_second, down_r, right_r, east, south, west, columns)
        railway |= more
        railway_second |= more_second
        met = (highway | railway) & stations
        highway |= met
        railway |= met
    return highway, highway_second, railway, railway_second


@kernel
def connected_exits(box: Box, state: State, seat: int, kind: int) -> Any:
    """§7.1 Return the exits of a type whose edge space carries it on that side: of first segments, of second segments."""
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
    """§7.1 Return connected exits as bits of their spaces: of highways, second ones, of railways, second ones."""
    highway, highway_second = connected_exits(box, state, seat, 0)
    railway, railway_second = connected_exits(box, state, seat, 4)
    return highway, highway_second, railway, railway_second


@kernel
def network_exits(links: Any, exits: Any, start: int) -> int:
    """§7.1 Return the exits that share a network with the one in space `start`, itself included, as bits of their spaces."""
    highway, highway_second, railway, railway_second = exits
    nodes = network_of(links, start & highway, start & highway_second, start & railway, start & railway_second)
    return int((nodes[0] & highway) | (nodes[1] & highway_second) | (nodes[2] & railway) | (nodes[3] & railway_second))


@kernel
def most_stations(box: Box, state: State, seat: int) -> int:
    """§4.4 Return the most station spaces in one network."""
    links = all_links(box, state, seat)
    left = int(state["stations"][seat])
    most = 0
    while count_bits(left) > most:
        start = left & -left
        met = network_of(links, start, 0, start, 0)[0] & left
        most = max(most, count_bits(met))
        left &= ~met
    return most


@kernel
def has_loop(box: Box, state: State, seat: int) -> bool:
    """§4.4 Return whether joined segments form a ring, of either type or both. Crossing itself makes no ring.

    Segments at which a ring cannot pass, those with fewer than two links, are taken away until none or only rings are
    left.
    """
    down_h, right_h, down_r, right_r, stations, east, south, west, columns = all_links(box, state, seat)
    while True:
        before_h, before_r, before_hr, before_rr = down_h, down_r, right_h, right_r
        # A station is one segment for both types, so its links count together.
        of_both = stations & branching(down_h | down_r, right_h | right_r, columns)
        down_h, right_h = cut_leaves(down_h, right_h, stations, of_both, east, south, west, columns)
        down_r, right_r = cut_leaves(down_r, right_r, stations, of_both, east, south, west, columns)
        if down_h == before_h and down_r == before_r and right_h == before_hr and right_r == before_rr:
            return bool(down_h | right_h | down_r | right_r != 0)


@kernel
def cut_leaves(down: int, right: int, stations: int, kept: int, east: int, south: int, west: int, columns: int) -> Any:
    """Return the links of a type without those of nodes with fewer than two; of stations those in `kept` stay."""
    up, left = down << columns, right << 1
    right_1, down_1, left_1 = right & ~east, down & ~south, left & ~west
    right_2, down_2, left_2 = right & east, down & south, left & west
    first = (up & right_1) | (down_1 & left_1) | ((up | right_1) & (down_1 | left_1))
    first = (first & ~stations) | kept
    second = (right_2 & (down_2 | left_2)) | (down_2 & left_2)
    alive_down = (first & ~south) | (second & south)
    alive_right = (first & ~east) | (second & east)
    alive_left = (first & ~west) | (second & west)
    return down & alive_down & (first >> columns), right & alive_right & (alive_left >> 1)


# --- longest lines --------------------------------------------------------------------------------------------


@kernel
def longest_line(box: Box, state: State, seat: int, kind: int, once: bool) -> int:
    """§7.2 Return spaces of the longest line of a type (0 highway, 4 railway); `once`: it may enter each space once only (R10).

    A closed loop of four curves has a line of 4; a T adds its two longer arms.
    """
    nodes, columns = nodes_of(state, seat, kind), int(box["columns"])
    down, right = down_links(box, state, seat, kind), right_links(box, state, seat, kind)
    rings, length = peel(nodes, down, right, columns)
    east, south, west = (
        int(state["second"][seat, EAST]) & nodes,
        int(state["second"][seat, SOUTH]) & nodes,
        int(state["second"][seat, WEST]) & nodes,
    )
    doubles = east | south
    if rings == 0:
        if doubles == 0:
            return int(length)
        return peel_twice(nodes, doubles, down, right, east, south, west, columns)
    return search_lines(nodes, doubles, down, right, east, south, west, once, columns, int(box["even"]))


@kernel
def peel(nodes: int, down: int, right: int, columns: int) -> Any:
    """Take away all leaves at once until none is left: what stays (rings, and what joins them), and the longest line.

    The length is right if nothing stays. One layer.
    """
    length = 0
    while True:
        leaves = nodes & ~branching(down, right, columns)
        if leaves == 0:
            return nodes, length
        length += 2 if down | right else 1
        nodes &= ~leaves
        down &= ~(leaves | (leaves >> columns))
        right &= ~(leaves | (leaves >> 1))


@kernel
def peel_twice(nodes: int, doubles: int, down: int, right: int, east: int, south: int, west: int, columns: int) -> int:
    """Return the longest line of a forest in two layers in which no line passes a space twice."""
    length = 0
    second = doubles
    while nodes | second:
        up, left = down << columns, right << 1
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
        down &= ~(gone_down | (leaves >> columns))
        right &= ~(gone_right | (gone_left >> 1))
    return length


@kernel
def search_lines(
    nodes: int,
    doubles: int,
    down: int,
    right: int,
    east: int,
    south: int,
    west: int,
    once: bool,
    columns: int,
    even: int,
) -> int:
    """§7.2 Return the longest line where there are rings or spaces that a line may meet twice: component by component."""
    best = min(count_bits(nodes), 1)  # one space is a line
    left, left_2 = nodes, doubles
    while left | left_2:
        first, second = left & -left, 0
        if left == 0:
            second = left_2 & -left_2
        first, second = within_reach(first, second, left, left_2, down, right, east, south, west, columns)
        left &= ~first
        left_2 &= ~second
        own_down = down & ((first & ~south) | (second & south))
        own_right = right & ((first & ~east) | (second & east))
        rings, length = peel(first | second, own_down, own_right, columns)
        if first & second == 0 and rings == 0:
            best = max(best, length)
            continue
        # Both ends of a longest line are leaves or lie on rings, or between two: else it could go on.
        ends = rings | ~branching(own_down, own_right, columns) if first & second == 0 else -1
        most = longest_possible(first | second, even) if first & second == 0 else count_bits(first | second)
        starts, starts_2 = first & ends, second & ends
        while starts | starts_2 and best < most:
            start, start_2 = starts & -starts, 0
            if starts == 0:
                start_2 = starts_2 & -starts_2
            starts ^= start
            starts_2 ^= start_2
            best = search_from(
                start, start_2, first, second, own_down, own_right, east, south, west, once, best, columns
            )
    return best


@kernel
def within_reach(
    first: int, second: int, free: int, free_2: int, down: int, right: int, east: int, south: int, west: int,
    columns: int,
) -> Any:  # fmt: skip
    """Return the nodes of both layers that can be reached from these through free ones."""
    before, before_2 = 0, 0
    while first != before or second != before_2:
        before, before_2 = first, second
        more, more_2 = neighbours_twice(first, second, down, right, east, south, west, columns)
        first |= more & free
        second |= more_2 & free_2
    return first, second


@kernel
def longest_possible(spaces: int, even_spaces: int) -> int:
    """Return the most spaces a line can have here: it alternates between the two colours of a chessboard."""
    even = count_bits(spaces & even_spaces)
    odd = count_bits(spaces) - even
    return 2 * min(even, odd) + int(even != odd)


@kernel
def ahead(
    here: int, here_2: int, direction: int, down: int, right: int, east: int, south: int, west: int, columns: int
) -> Any:
    """Return the node that a node (the one bit of either layer) is linked with on this side, in its layer; none: 0, 0."""
    if direction == NORTH:
        other = (here >> columns) & down
        return other & ~south, other & south
    if direction == EAST:
        other = (((here & ~east) | (here_2 & east)) & right) << 1
        return other & ~west, other & west
    if direction == SOUTH:
        return (((here & ~south) | (here_2 & south)) & down) << columns, 0
    other = (((here & ~west) | (here_2 & west)) >> 1) & right
    return other & ~east, other & east


@kernel
def search_from(
    here: int, here_2: int, first: int, second: int,
    down: int, right: int, east: int, south: int, west: int, once: bool, best: int, columns: int,
) -> int:  # fmt: skip
    """§7.2 Return the most spaces of a line that begins at one node of a component, if more than `best`; else `best`.

    The search remembers for each node of the line from where it came, two bits in two sets a layer: that is enough to go
    back, and to go on with the next side.
    """
    path, path_2 = here, here_2
    low, high, low_2, high_2 = 0, 0, 0, 0
    direction = 0
    nodes = 1
    while True:
        free, free_2 = first & ~path, second & ~path_2
        if once:
            free, free_2 = free & ~path_2, free_2 & ~path
        if direction == 0:
            best = max(best, count_bits(path | path_2))
            ways, ways_2 = neighbours_twice(here, here_2, down, right, east, south, west, columns)
            ways, ways_2 = ways & free, ways_2 & free_2
            if count_bits(ways) + count_bits(ways_2) > 1:  # a branch: is there enough beyond it?
                ways, ways_2 = within_reach(ways, ways_2, free, free_2, down, right, east, south, west, columns)
                if count_bits(path | path_2) + count_bits((ways | ways_2) & ~(path | path_2)) <= best:
                    direction = 4
        to, to_2 = 0, 0
        while direction < 4:
            to, to_2 = ahead(here, here_2, direction, down, right, east, south, west, columns)
            to, to_2 = to & free, to_2 & free_2
            if to | to_2:
                break
            direction += 1
        if to | to_2:
            path |= to
            path_2 |= to_2
            low |= to if direction & 1 else 0
            high |= to if direction & 2 else 0
            low_2 |= to_2 if direction & 1 else 0
            high_2 |= to_2 if direction & 2 else 0
            here, here_2 = to, to_2
            direction = 0
            nodes += 1
        else:
            nodes -= 1
            if nodes == 0:
                return best
            came = int((here & low) | (here_2 & low_2) != 0) + 2 * int((here & high) | (here_2 & high_2) != 0)
            path ^= here
            path_2 ^= here_2
            low, high, low_2, high_2 = low & ~here, high & ~here, low_2 & ~here_2, high_2 & ~here_2
            here, here_2 = ahead(here, here_2, (came + 2) & 3, down, right, east, south, west, columns)
            direction = came + 1
