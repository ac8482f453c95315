"""The spaces behind every scoring line of Railroad.

Longest lines and loops are found by leaving out: a space without which the line would still be as long is not needed,
and when no more can be left out, exactly one line stands there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad import goals, lines
from lamplighter.games.railroad.components import GOALS, MARKS, SIZE, SPACES
from lamplighter.games.railroad.notation import bits_of, format_space
from lamplighter.games.railroad.power import linked_exits

FULL_LINES = [
    *(sum(1 << row * SIZE + col for col in range(SIZE)) for row in range(SIZE)),
    *(sum(1 << row * SIZE + col for row in range(SIZE)) for col in range(SIZE)),
]
BLOCKS = [
    sum(1 << (row + i) * SIZE + col + j for i in range(3) for j in range(3))
    for row in range(SIZE - 2)
    for col in range(SIZE - 2)
]


def score_cells(variant: Variant, state: State, seat: int) -> dict[str, list[str]]:
    """The spaces behind every scoring line; a space with two open ends stands twice among the errors."""
    box, drawn = variant.box, int(state["drawn"][seat])
    found = {
        "exits": bits_of(_union(network_spaces(variant, state, seat))),
        "highway": bits_of(longest_line(variant, state, seat, 0)),
        "railway": bits_of(longest_line(variant, state, seat, 4)),
        "centre": bits_of(drawn & int(box["centre"])),
        "errors": open_ends(variant, state, seat),
        "villages": bits_of(int(state["stations"][seat]) & int(box["villages"])),
    }
    for i in range(GOALS):
        reached = int(state["goal_round"][seat, i]) > 0
        found[f"goal{i + 1}"] = bits_of(behind_goal(variant, state, seat, int(state["goals"][i]))) if reached else []
    expansion = int(state["lit"][seat])
    if box["power"]:
        expansion = int(linked_exits(box, state, seat)) if int(state["charges"][seat]) else 0
    found["expansion"] = bits_of(expansion)
    return {name: [format_space(space) for space in spaces] for name, spaces in found.items()}


def exit_networks(variant: Variant, state: State, seat: int) -> list[int]:
    """§7.1 Networks with a connected exit, each as the set of its exits' spaces."""
    exits = lines.all_exits(variant.box, state, seat)
    links = lines.all_links(state, seat)
    left, found = int(exits[0] | exits[1] | exits[2] | exits[3]), []
    while left:
        met = int(lines.network_exits(links, exits, left & -left))
        found.append(met)
        left &= ~met
    return found


def network_spaces(variant: Variant, state: State, seat: int) -> list[int]:
    """§7.1 Networks that join two exits or more, each as the set of all its spaces."""
    exits, links = lines.all_exits(variant.box, state, seat), lines.all_links(state, seat)
    found = []
    for met in exit_networks(variant, state, seat):
        if met.bit_count() > 1:
            first = met & -met
            found.append(_union(map(int, lines.network_of(links, *(first & of for of in exits)))))
    return found


def open_ends(variant: Variant, state: State, seat: int) -> list[int]:
    """§7.4 A space for each end that meets nothing of its type."""
    found: list[int] = []
    for mark in range(MARKS):
        ends = int(state["sides"][seat, mark]) & ~int(state["offers"][seat, mark])
        found += bits_of(ends & int(variant.box["inner"][mark % 4]))
    return sorted(found)


def _left_out(state: State, seat: int, marks: range, still: Callable[[State], bool]) -> int:
    """The spaces that are left when every space is wiped without which `still` holds."""
    copies = np.zeros(1, state.dtype)
    copies[0] = state
    rest, sides = copies[0], copies[0]["sides"][seat]
    before: Any = None
    for space in range(SPACES):
        if any(int(sides[mark]) >> space & 1 for mark in marks):
            before = sides.copy()
            for mark in marks:
                sides[mark] = int(sides[mark]) & ~(1 << space)
            if not still(rest):
                sides[:] = before
    return int(np.bitwise_or.reduce(sides[marks.start : marks.stop]))


def longest_line(variant: Variant, state: State, seat: int, kind: int) -> int:
    """§7.2 The spaces of a longest line of a type (0 highway, 4 railway)."""
    once = bool(variant.box["cross_once"])
    length = lines.longest_line(state, seat, kind, once)
    if not length:
        return 0

    def still(rest: State) -> bool:
        return bool(lines.longest_line(rest, seat, kind, once) == length)

    return _left_out(state, seat, range(kind, kind + 4), still)


def behind_goal(variant: Variant, state: State, seat: int, goal: int) -> int:
    """§4.4 The spaces with which a seat has reached a goal."""
    box, drawn = variant.box, int(state["drawn"][seat])
    kind = int(box["goal_kind"][goal])
    if kind == goals.CENTRE:
        return drawn & int(box["centre"])
    if kind == goals.VILLAGES:
        return int(state["stations"][seat]) & int(box["villages"])
    if kind == goals.CORNERS:
        return drawn & int(box["corners"])
    if kind in (goals.LINE, goals.BLOCK):
        return _union(shape for shape in (FULL_LINES if kind == goals.LINE else BLOCKS) if drawn & shape == shape)
    if kind == goals.LOOP:

        def still(rest: State) -> bool:
            return bool(lines.has_loop(rest, seat))

        return _left_out(state, seat, range(MARKS), still) if still(state) else 0
    if kind in (goals.HIGHWAY, goals.RAILWAY):
        return longest_line(variant, state, seat, 0 if kind == goals.HIGHWAY else 4)
    if kind == goals.STATIONS:
        return _most_stations(state, seat)
    networks = exit_networks(variant, state, seat)
    if kind == goals.OPPOSITE:
        sides = [int(at) for at in box["exit_at"]]
        return _union(met for met in networks if any(met & sides[i] and met & sides[i + 2] for i in (0, 1)))
    wanted = int(box["middle_exits"]) if kind == goals.MIDDLE else -1
    return max((met & wanted for met in networks), key=int.bit_count, default=0)


def _union(sets: Any) -> int:
    found = 0
    for bits in sets:
        found |= bits
    return found


def _most_stations(state: State, seat: int) -> int:
    """§4.4 The stations of the network that has most."""
    links, left, best = lines.all_links(state, seat), int(state["stations"][seat]), 0
    while left:
        start = left & -left
        met = int(lines.network_of(links, start, 0, start, 0)[0]) & left
        best = max(best, met, key=int.bit_count)
        left &= ~met
    return best
