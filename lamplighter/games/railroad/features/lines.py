"""What a fitted value weighs of lines: the longest of each type, and what it would be if ends went on or met."""

from __future__ import annotations

from typing import Any

from lamplighter.games.railroad.rules.networks import branching, down_links, nodes_of, peel, right_links
from lamplighter.games.railroad.rules.power import onward
from lamplighter.games.railroad.rules.turns import Box, Out, State
from lamplighter.jit import count_bits, first_bit, kernel

# room in `out`, after the features; `features` has other numbers there at other times
STARTS, DEPTHS, BEHIND = 300, 340, 404  # for each depth of a line; for each space; likewise
MOST_DEPTH = 39


@kernel
def beside(box: Box, spaces: int) -> int:
    """Return the spaces next to these."""
    return onward(box, spaces, 0) | onward(box, spaces, 1) | onward(box, spaces, 2) | onward(box, spaces, 3)


@kernel
def hoped_lines(box: Box, state: State, seat: int, kind: int, empty: int) -> Any:
    """Return the longest line of a type if every end went one space further: not through spaces where ends meet, and through."""
    columns = int(box["columns"])
    nodes, down, right = (
        nodes_of(state, seat, kind),
        down_links(box, state, seat, kind),
        right_links(box, state, seat, kind),
    )
    north, east = int(state["offers"][seat, kind]) & empty, int(state["offers"][seat, kind + 1]) & empty
    south, west = int(state["offers"][seat, kind + 2]) & empty, int(state["offers"][seat, kind + 3]) & empty
    # only what routes show, not exits
    north, south = north & ~int(box["outer"][0]), south & ~int(box["outer"][2])
    east, west = east & ~int(box["outer"][1]), west & ~int(box["outer"][3])
    twice = (north & south) | (east & west) | ((north | south) & (east | west))
    joined = hoped_line(nodes, down, right, north, east, south, west, columns)
    if twice == 0:
        return joined, joined
    north, east, south, west = north & ~twice, east & ~twice, south & ~twice, west & ~twice
    return hoped_line(nodes, down, right, north, east, south, west, columns), joined


@kernel
def features_of_lines(
    box: Box, state: State, seat: int, kind: int, empty: int, length: int, out: Out, n: int
) -> int:  # fmt: skip
    """How long lines of a type could get with a space more, where two would meet, and how many ways there are.

    The *depth* of an end is how many spaces the longest line has that stops there. A wave finds all depths at once: it
    begins in the middle of each line, when half of the line is counted, and goes on a space at a time.
    """
    columns = int(box["columns"])
    nodes, down, right = (
        nodes_of(state, seat, kind),
        down_links(box, state, seat, kind),
        right_links(box, state, seat, kind),
    )
    note_starts(nodes, down, right, length, columns, out)
    seen, twice, reached, front, depth = 0, 0, 0, 0, 0
    deepest, ends_there, deep_ends = 0, 0, 0
    while reached != nodes:
        depth += 1
        front = neighbours(front, down, right, columns) | int(out[STARTS + min(depth, MOST_DEPTH)])
        front &= ~reached
        reached |= front
        ends = 0
        for side in range(4):
            ahead = onward(box, front & int(state["sides"][seat, kind + side]), side) & empty
            twice |= seen & ahead
            seen |= ahead
            ends += count_bits(ahead)
            while ahead:
                space = first_bit(ahead)
                out[DEPTHS + space] = depth
                out[BEHIND + space] = onward(box, ahead & -ahead, side ^ 2)
                ahead &= ahead - 1
        if ends:
            deepest, ends_there = depth, ends
        deep_ends = deep_ends + ends if depth >= length - 2 else 0
    out[n] = deepest + int(deepest > 0)
    out[n + 1] = ends_there
    out[n + 2] = deep_ends
    out[n + 3], out[n + 5] = lines_through(box, state, seat, kind, twice, down, right, length, out)
    out[n + 4], out[n + 6], out[n + 7] = lines_between(box, seen, empty, down, right, length, out)
    return n + 8


@kernel
def note_starts(nodes: int, down: int, right: int, length: int, columns: int, out: Out) -> None:
    """Note the middle of every line by how far it is to an end from there: from it other spaces count on."""
    for i in range(MOST_DEPTH + 1):
        out[STARTS + i] = 0
    times = 0
    while True:
        leaves = nodes & ~branching(down, right, columns)
        if leaves == 0:
            break
        times += 1
        linked = down | (down << columns) | right | (right << 1)
        two, two_right = down & leaves & (leaves >> columns), right & leaves & (leaves >> 1)
        out[STARTS + min(times, MOST_DEPTH)] |= leaves & ~linked
        out[STARTS + min(times + 1, MOST_DEPTH)] |= two | (two << columns) | two_right | (two_right << 1)
        nodes &= ~leaves
        down &= ~(leaves | (leaves >> columns))
        right &= ~(leaves | (leaves >> 1))
    if nodes:
        out[STARTS + min(count_bits(nodes), max(length, 1), MOST_DEPTH)] |= nodes


@kernel
def neighbours(spaces: int, down: int, right: int, columns: int) -> int:
    """Return the spaces linked with some of these; one layer."""
    return (
        ((spaces & down) << columns) | ((spaces >> columns) & down) | ((spaces & right) << 1) | ((spaces >> 1) & right)
    )


@kernel
def lines_through(
    box: Box, state: State, seat: int, kind: int, twice: int, down: int, right: int, length: int, out: Out
) -> Any:  # fmt: skip
    """Return the longest line if two met in one space, at least what there is; and in how many spaces it would get longer."""
    columns = int(box["columns"])
    best, spaces = length, 0
    while twice:
        space = twice & -twice
        twice &= twice - 1
        depth, behind, longest = int(out[DEPTHS + first_bit(space)]), int(out[BEHIND + first_bit(space)]), length
        for side in range(4):
            other = onward(box, space, side)
            if int(state["offers"][seat, kind + side]) & space & int(box["inner"][side]) and other != behind:
                total = depth + depth_of(other, down, right, columns) + 1
                if total > longest and not is_linked(behind, other, down, right, columns):
                    longest = total
        spaces += int(longest > length)
        best = max(best, longest)
    return best, spaces


@kernel
def lines_between(box: Box, seen: int, empty: int, down: int, right: int, length: int, out: Out) -> Any:
    """Return the longest line if two met in two spaces, how often it would get longer, and the longest if in three spaces."""
    columns = int(box["columns"])
    best, pairs, best_of_three = length, 0, length
    rest = seen
    while rest:
        space = rest & -rest
        rest &= rest - 1
        depth, behind = int(out[DEPTHS + first_bit(space)]), int(out[BEHIND + first_bit(space)])
        around = beside(box, space)
        others = around & rest
        while others:
            other = first_bit(others)
            others &= others - 1
            total = depth + int(out[DEPTHS + other]) + 2
            if total > length and not is_linked(behind, int(out[BEHIND + other]), down, right, columns):
                best = max(best, total)
                pairs += 1
        others = beside(box, around & empty) & rest
        while others:
            other = first_bit(others)
            others &= others - 1
            total = depth + int(out[DEPTHS + other]) + 3
            if total > best_of_three and not is_linked(behind, int(out[BEHIND + other]), down, right, columns):
                best_of_three = total
    return best, pairs, best_of_three


@kernel
def depth_of(space: int, down: int, right: int, columns: int) -> int:
    """Return how many spaces a line from this one has."""
    depth, reached, front = 0, 0, space
    while front:
        depth += 1
        reached |= front
        front = neighbours(front, down, right, columns) & ~reached
    return depth


@kernel
def is_linked(one: int, other: int, down: int, right: int, columns: int) -> bool:
    """Return whether two spaces belong to the same lines."""
    reached, before = one, 0
    while reached != before:
        before = reached
        reached |= neighbours(reached, down, right, columns)
        if reached & other:
            return True
    return False


@kernel
def hoped_line(
    nodes: int, down: int, right: int, north: int, east: int, south: int, west: int, columns: int
) -> int:  # fmt: skip
    """Return the longest line with these spaces added, each to the one on that side of it; of rings every space."""
    rings, length = peel(
        nodes | north | east | south | west, down | (north >> columns) | south, right | (west >> 1) | east, columns
    )
    return int(length) + count_bits(int(rings))
