"""What a fitted value weighs, against slow calculations in plain Python on random boards of the base game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from walks import random_positions

import lamplighter
from lamplighter.bots.search.learn import mirrored
from lamplighter.bots.search.plan import FEATURES
from lamplighter.games.railroad.features import features, features_of_networks
from lamplighter.games.railroad.features.lines import STARTS, features_of_lines, hoped_lines, note_starts
from lamplighter.games.railroad.rules.networks import down_links, longest_line, nodes_of, right_links
from lamplighter.jit import PURE

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # n e s w
Space = tuple[int, int]
BOARDS = 12 if PURE else 150


def boards() -> Iterator[Any]:
    variant = lamplighter.load("railroad?seats=1")
    for seed in range(BOARDS):
        for position in random_positions(variant, seed, 3):
            yield variant.box, position.state


class Lines:
    """The routes of one type as a graph."""

    def __init__(self, state: Any, kind: int) -> None:
        drawn = int(state["drawn"][0])
        self.empty = {divmod(i, 7) for i in range(49) if not drawn >> i & 1}
        self.sides = {divmod(i, 7): self._sides(state, kind, i) for i in range(49) if self._sides(state, kind, i)}
        self.links: dict[Space, set[Space]] = {space: set() for space in self.sides}
        self.ends: dict[Space, list[Space]] = {}  # by the empty space that they look at
        for space, sides in self.sides.items():
            for side in sides:
                other = (space[0] + STEPS[side][0], space[1] + STEPS[side][1])
                if side ^ 2 in self.sides.get(other, ()):
                    self.links[space].add(other)
                if other in self.empty:
                    self.ends.setdefault(other, []).append(space)

    @staticmethod
    def _sides(state: Any, kind: int, i: int) -> list[int]:
        return [side for side in range(4) if int(state["sides"][0, kind + side]) >> i & 1]

    def longest_from(self, space: Space, path: frozenset[Space] = frozenset()) -> int:
        path |= {space}
        return 1 + max((self.longest_from(other, path) for other in self.links[space] - path), default=0)

    def component(self, space: Space) -> set[Space]:
        found, todo = {space}, [space]
        while todo:
            for other in self.links[todo.pop()] - found:
                found.add(other)
                todo.append(other)
        return found

    def has_ring(self) -> bool:
        links = sum(map(len, self.links.values())) // 2
        return links != len(self.links) - len({min(self.component(space)) for space in self.links})

    def with_ends_longer(self, through: bool) -> int:
        """The longest line if every end went one space further; `through`: also where ends meet."""
        longer = Lines.__new__(Lines)
        longer.links = {space: set(others) for space, others in self.links.items()}
        for space, ends in self.ends.items():
            if len(ends) == 1 or through:
                longer.links[space] = set(ends)
                for end in ends:
                    longer.links[end].add(space)
        return -1 if longer.has_ring() else max(map(longer.longest_from, longer.links), default=0)


@pytest.mark.parametrize("kind", [0, 4])
def test_lines_that_could_be(kind: int) -> None:
    out, checked = np.zeros(480, np.int64), 0
    for box, state in boards():
        lines = Lines(state, kind)
        if lines.has_ring():
            continue
        empty = int(box["open"]) & ~int(state["drawn"][0])
        length = longest_line(box, state, 0, kind, True)
        features_of_lines(box, state, 0, kind, empty, length, out, 0)
        depths = {space: lines.longest_from(space) for space in lines.sides}
        ends = [depths[end] for found in lines.ends.values() for end in found]
        assert length == max(depths.values(), default=0)
        assert out[0] == (max(ends) + 1 if ends else 0)
        assert out[1] == ends.count(max(ends, default=0))
        assert out[2] == sum(depth >= length - 2 for depth in ends)
        met = []
        for found in lines.ends.values():
            deepest = max(depths[end] for end in found)
            totals = [
                depths[one] + depths[other] + 1
                for one in found if depths[one] == deepest
                for other in found if other not in lines.component(one)
            ]  # fmt: skip
            met.append(max(totals, default=0))
        assert out[3] <= max([length, *met]) and out[5] <= sum(total > length for total in met)
        if all(len(found) < 3 for found in lines.ends.values()):  # else one of two equal ends is looked at
            assert out[3] == max([length, *met]) and out[5] == sum(total > length for total in met)
        checked += 1
    assert checked > BOARDS


@pytest.mark.parametrize("kind", [0, 4])
def test_lines_with_every_end_a_space_longer(kind: int) -> None:
    checked = 0
    for box, state in boards():
        lines, empty = Lines(state, kind), int(box["open"]) & ~int(state["drawn"][0])
        apart, through = hoped_lines(box, state, 0, kind, empty)
        for found, slow in ((apart, lines.with_ends_longer(False)), (through, lines.with_ends_longer(True))):
            if slow >= 0:
                assert found == slow
                checked += 1
    assert checked > BOARDS


def test_every_space_of_a_line_has_a_depth() -> None:
    out = np.zeros(480, np.int64)
    for box, state in boards():
        for kind in (0, 4):
            nodes, columns = nodes_of(state, 0, kind), int(box["columns"])
            note_starts(
                nodes, down_links(box, state, 0, kind), right_links(box, state, 0, kind), 5, columns, out
            )  # fmt: skip
            lines = Lines(state, kind)
            for space in lines.sides:
                middle = [
                    i for i in lines.component(space) if any(int(s) >> 7 * i[0] + i[1] & 1 for s in out[STARTS:340])
                ]
                assert middle


def test_two_networks_meet_where_no_route_joins_them_yet() -> None:
    """The first three numbers of straights of highways: spaces between networks, between other ends, and beside the edge."""
    out, slow_total = np.zeros(480, np.int64), 0
    for box, state in boards():
        empty = int(box["open"]) & ~int(state["drawn"][0])
        features_of_networks(box, state, 0, empty, out, 16)
        first = 16 + 9 + 9
        closed = 0
        offers = [int(state["offers"][0, mark]) for mark in range(8)]
        for i in range(49):
            pairs = [
                (a, b) for a, b in ((0, 2), (1, 3)) if offers[a] >> i & 1 and offers[b] >> i & 1 and empty >> i & 1
            ]
            closed += any(int(box["inner"][a]) & int(box["inner"][b]) & 1 << i for a, b in pairs)
        assert 0 <= out[first + 1] <= closed
        slow_total += closed
    assert slow_total


# --- the mirror -----------------------------------------------------------------------------------------------


def turned(spaces: int) -> int:
    """Return spaces after the board was turned by a quarter, clockwise."""
    return sum(1 << (i % 7 * 7 + 6 - i // 7) for i in range(49) if spaces >> i & 1)


def seen_in_a_mirror(state: Any) -> Any:
    """Return a board turned by a quarter, with railways for highways and highways for railways."""
    other = state.copy()
    for name in ("drawn", "stations"):
        other[name][0] = turned(int(state[name][0]))
    for side in range(4):
        for kind in (0, 4):
            for name in ("offers", "sides"):
                other[name][0, (kind ^ 4) + (side + 1) % 4] = turned(int(state[name][0, kind + side]))
        other["second"][0, (side + 1) % 4] = turned(int(state["second"][0, side]))
    return other


def test_a_board_seen_in_a_mirror_has_the_features_of_the_other_type() -> None:
    """Where two ends look at one space, `lines_between` counts one of them; which one may differ, on few boards."""
    variant = lamplighter.load("railroad?seats=1")
    places, count, moved, ties = mirrored(variant), 0, 0, 0
    for box, state in boards():
        one, two = np.zeros(FEATURES, np.int64), np.zeros(FEATURES, np.int64)
        n = features(box, state, 0, one)
        features(box, seen_in_a_mirror(state), 0, two)
        differ = set(np.flatnonzero(two[:n] != one[places]).tolist())
        assert differ <= {73, 75, 76, 83, 85, 86}
        count, ties, moved = count + 1, ties + bool(differ), moved + (not np.array_equal(two[:n], one[:n]))
    assert ties <= count // 25
    assert moved > count // 2, "so that a mirror without pairs would be noticed"


@pytest.mark.parametrize("more", ["edition=challenge", "expansion=lamps", "expansion=power"])
def test_other_boards_have_no_mirror(more: str) -> None:
    assert mirrored(lamplighter.load(f"railroad?seats=1&{more}")) == []


def test_what_comes_up_is_the_same_in_a_mirror() -> None:
    """Dice and special routes have as many highways as railways, and the exits are those of the other type when turned."""
    variant = lamplighter.load("railroad?seats=1")
    start = variant.start().state
    assert np.array_equal(seen_in_a_mirror(start)["offers"], start["offers"])
    data = variant.file.data
    for die in data["sets"]["base"]:
        routes = [data["routes"][face] for face in data["dice"][die]]
        assert sorted(map(shape, routes)) == sorted(shape(route, "RH") for route in routes)
    assert sorted(map(shape, data["specials"].values())) == sorted(
        shape(one, "RH") for one in data["specials"].values()
    )
    highway_t, railway_t = data["routes"]["A3"], data["routes"]["A2"]
    assert shape(highway_t) != shape(railway_t) == shape(highway_t, "RH"), "shapes tell types apart"


def shape(route: Any, types: str = "HR") -> str:
    """Return a name for a route, however it is turned or flipped, with these types for highway and railway."""
    names = []
    for turn in range(4):
        for flip in (1, -1):
            parts = [
                sorted(("NESW".index(side) * flip + turn) % 4 * 10 + types.index(kind) for side, kind in one.items())
                for one in route["segments"]
            ]
            names.append(f"{sorted(parts)} {route.get('station', False)}")
    return min(names)
