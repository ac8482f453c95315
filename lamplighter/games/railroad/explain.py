"""Why a score of Railroad is what it is: the spaces behind every scoring line, and a sentence about it.

Longest lines and loops are found by leaving out: a space without which the line is still as long is not needed. When
nothing more can be left out, exactly one line remains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from lamplighter.engine.phrase import Phrase, all_of, counted
from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad.components.goals import goal_words
from lamplighter.games.railroad.components.tables import GOAL_LETTERS, GOALS, MARKS
from lamplighter.games.railroad.notation import bits_of, format_space
from lamplighter.games.railroad.rules import goals, networks
from lamplighter.games.railroad.rules.power import linked_exits
from lamplighter.games.railroad.rules.scoring import score_villages


def score_cells(variant: Variant, state: State, seat: int) -> dict[str, list[str]]:
    """Return the spaces behind every scoring line. A space with two open ends is listed twice among the errors."""
    box, drawn = variant.box, int(state["drawn"][seat])
    found = {
        "exits": bits_of(_union(network_spaces(variant, state, seat))),
        "highway": bits_of(longest_line(variant, state, seat, 0)),
        "railway": bits_of(longest_line(variant, state, seat, 4)),
        "centre": bits_of(_centre(variant, drawn)),
        "errors": [space for space, _ in open_ends(variant, state, seat)],
        "villages": bits_of(int(state["stations"][seat]) & int(box["villages"])),
    }
    for i in range(GOALS):
        reached = int(state["goal_round"][seat, i]) > 0
        found[f"goal{i + 1}"] = bits_of(behind_goal(variant, state, seat, int(state["goals"][i]))) if reached else []
    expansion = int(state["lit"][seat])
    if box["power"]:
        expansion = int(linked_exits(box, state, seat)) if int(state["charges"][seat]) else 0
    found["expansion"] = bits_of(expansion)
    return {name: [format_space(variant, space) for space in spaces] for name, spaces in found.items()}


def score_reasons(variant: Variant, state: State, seat: int) -> dict[str, str]:
    """Return a sentence for every scoring line that says how its points come about."""
    cells = score_cells(variant, state, seat)
    count = {line: len(found) for line, found in cells.items()}
    found = {
        "exits": _say_exits(variant, state, seat),
        "highway": counted(
            count["highway"],
            "Your longest highway has 1 space: 1 point (§7.2).",
            "Your longest highway has {n} spaces, 1 point each (§7.2).",
            "You have no highway yet (§7.2).",
        ),
        "railway": counted(
            count["railway"],
            "Your longest railway has 1 space: 1 point (§7.2).",
            "Your longest railway has {n} spaces, 1 point each (§7.2).",
            "You have no railway yet (§7.2).",
        ),
        "centre": _say_centre(variant, count["centre"]),
        "errors": counted(
            count["errors"],
            "1 open end inside the board costs 1 point (§7.4).",
            "{n} open ends inside the board cost 1 point each (§7.4).",
            "You have no open ends inside the board (§7.4).",
        ),
        "villages": counted(
            count["villages"],
            "1 village with a station: the village track gives {points} (§4.1).",
            "{n} villages with a station: the village track gives {points} (§4.1).",
            "You have no village with a station yet (§4.1).",
            points=int(score_villages(variant.box, state, seat)),
        ),
        "expansion": _say_expansion(variant, state, seat),
    }
    return {line: found.get(line) or _say_goal(variant, state, seat, int(line[-1]) - 1) for line in cells}


def _say_exits(variant: Variant, state: State, seat: int) -> Phrase:
    """§7.1 How many exits each network joins, and what that is worth."""
    sizes = sorted((met.bit_count() for met in exit_networks(variant, state, seat)), reverse=True)
    joined = [size for size in sizes if size > 1]
    points = [int(variant.box["exit_points"][size]) for size in joined]
    if not joined:
        return Phrase("None of your networks joins two exits yet (§7.1).")
    if len(joined) == 1:
        return Phrase("Your network joins {exits} exits: {points} points (§7.1).", exits=joined[0], points=points[0])
    return Phrase(
        "Your {n} networks join {exits} exits: {points} (§7.1).",
        n=len(joined),
        exits=all_of(joined),
        points=" + ".join(map(str, points)),
    )


def _say_centre(variant: Variant, count: int) -> Phrase:
    """§7.3, R19 How many spaces of the centre count."""
    given = int(variant.box["centre_given"])
    drawn = counted(
        count - given,
        "You have a route in 1 space of the centre: 1 point (§7.3).",
        "You have routes in {n} spaces of the centre, 1 point each (§7.3).",
        "You have no route in the centre yet (§7.3).",
    )
    return Phrase("{drawn} The accumulator’s space counts as one more.", drawn=drawn) if given else drawn


def _say_goal(variant: Variant, state: State, seat: int, i: int) -> Phrase:
    """§4.4 What the goal asks for, and when the seat reached it."""
    goal, reached = int(state["goals"][i]), int(state["goal_round"][seat, i])
    if goal < 0:
        if not variant.box["challenge"]:
            return Phrase("This match has no such goal.")
        return Phrase("This goal is not drawn yet (§4.4).")
    asked = {"letter": GOAL_LETTERS[goal], "words": goal_words(variant, goal)}
    if not reached:
        return Phrase("Goal {letter}, {words}: not reached yet (§4.4).", **asked)
    points = int(goals.score_goal(variant.box, state, seat, i))
    words = "Goal {letter}, {words}: reached in round {round}, {points} points (§4.4)."
    return Phrase(words, **asked, round=reached, points=points)


def _say_expansion(variant: Variant, state: State, seat: int) -> Phrase:
    """§5.2, §6.6 Lamps, or charges and exits."""
    box = variant.box
    if box["power"]:
        charges, exits = int(state["charges"][seat]), int(linked_exits(box, state, seat)).bit_count()
        words = "Charges of the accumulator times exits linked to it: {charges} × {exits} (§6.6)."
        return Phrase(words, charges=charges, exits=exits)
    if box["lamps"]:
        return counted(
            int(state["lit"][seat]).bit_count(),
            "1 lamp is lit: 1 point (§5.2).",
            "{n} lamps are lit, 1 point each (§5.2).",
            "No lamp is lit yet (§5.2).",
        )
    return Phrase("This match has no expansion.")


def exit_networks(variant: Variant, state: State, seat: int) -> list[int]:
    """§7.1 Return networks with a connected exit, each as the set of its exits' spaces."""
    exits = networks.all_exits(variant.box, state, seat)
    links = networks.all_links(variant.box, state, seat)
    left, found = int(exits[0] | exits[1] | exits[2] | exits[3]), []
    while left:
        met = int(networks.network_exits(links, exits, left & -left))
        found.append(met)
        left &= ~met
    return found


def network_spaces(variant: Variant, state: State, seat: int) -> list[int]:
    """§7.1 Return networks that join two exits or more, each as the set of all its spaces."""
    exits, links = networks.all_exits(variant.box, state, seat), networks.all_links(variant.box, state, seat)
    found = []
    for met in exit_networks(variant, state, seat):
        if met.bit_count() > 1:
            first = met & -met
            found.append(_union(map(int, networks.network_of(links, *(first & of for of in exits)))))
    return found


def open_ends(variant: Variant, state: State, seat: int) -> list[tuple[int, int]]:
    """§7.4 Return the space and the side of each end that meets nothing of its type; sides are north, east, south, west."""
    found: list[tuple[int, int]] = []
    for mark in range(MARKS):
        ends = int(state["sides"][seat, mark]) & ~int(state["offers"][seat, mark])
        found += [(space, mark % 4) for space in bits_of(ends & int(variant.box["inner"][mark % 4]))]
    return sorted(found)


def _left_out(variant: Variant, state: State, seat: int, marks: range, still: Callable[[State], bool]) -> int:
    """Wipe every space without which `still` holds. Return the spaces that remain."""
    copies = np.zeros(1, state.dtype)
    copies[0] = state
    rest, sides = copies[0], copies[0]["sides"][seat]
    before: Any = None
    for space in range(int(variant.box["spaces"])):
        if any(int(sides[mark]) >> space & 1 for mark in marks):
            before = sides.copy()
            for mark in marks:
                sides[mark] = int(sides[mark]) & ~(1 << space)
            if not still(rest):
                sides[:] = before
    return int(np.bitwise_or.reduce(sides[marks.start : marks.stop]))


def longest_line(variant: Variant, state: State, seat: int, kind: int) -> int:
    """§7.2 Return the spaces of a longest line of a type (0 highway, 4 railway)."""
    once = bool(variant.box["cross_once"])
    length = networks.longest_line(variant.box, state, seat, kind, once)
    if not length:
        return 0

    def still(rest: State) -> bool:
        return bool(networks.longest_line(variant.box, rest, seat, kind, once) == length)

    return _left_out(variant, state, seat, range(kind, kind + 4), still)


def behind_goal(variant: Variant, state: State, seat: int, goal: int) -> int:
    """§4.4 Return the spaces with which a seat has reached a goal."""
    box, drawn = variant.box, int(state["drawn"][seat])
    kind = int(box["goal_kind"][goal])
    if kind == goals.CENTRE:
        return _centre(variant, drawn)
    if kind == goals.VILLAGES:
        return int(state["stations"][seat]) & int(box["villages"])
    if kind == goals.CORNERS:
        return drawn & int(box["corners"])
    if kind in (goals.LINE, goals.BLOCK):
        shapes = _lines(variant) if kind == goals.LINE else _blocks(variant)
        return _union(shape for shape in shapes if drawn & shape == shape)
    if kind == goals.LOOP:

        def still(rest: State) -> bool:
            return bool(networks.has_loop(variant.box, rest, seat))

        return _left_out(variant, state, seat, range(MARKS), still) if still(state) else 0
    if kind in (goals.HIGHWAY, goals.RAILWAY):
        return longest_line(variant, state, seat, 0 if kind == goals.HIGHWAY else 4)
    if kind == goals.STATIONS:
        return _most_stations(variant, state, seat)
    joined = exit_networks(variant, state, seat)
    if kind == goals.OPPOSITE:
        sides = [int(at) for at in box["exit_at"]]
        return _union(met for met in joined if any(met & sides[i] and met & sides[i + 2] for i in (0, 1)))
    wanted = int(box["middle_exits"]) if kind == goals.MIDDLE else -1
    return max((met & wanted for met in joined), key=int.bit_count, default=0)


def _lines(variant: Variant) -> list[int]:
    """Return every row and every column."""
    return [int(goals.line_spaces(variant.box, i)) for i in range(int(variant.box["rows"] + variant.box["columns"]))]


def _blocks(variant: Variant) -> list[int]:
    """Return every block of three by three."""
    columns, spaces = int(variant.box["columns"]), int(variant.box["spaces"])
    block = sum(7 << columns * i for i in range(3))
    return [block << edge for edge in bits_of(int(variant.box["block_edges"])) if edge < spaces - 2 * columns]


def _centre(variant: Variant, drawn: int) -> int:
    """§7.3, R19 Return the spaces of the centre that count."""
    box = variant.box
    given = int(box["centre_given"]) << int(box["accumulator"]) if box["centre_given"] else 0
    return drawn & int(box["centre"]) | given


def _union(sets: Iterable[int]) -> int:
    """Return all spaces of some sets."""
    found = 0
    for bits in sets:
        found |= bits
    return found


def _most_stations(variant: Variant, state: State, seat: int) -> int:
    """§4.4 Return the stations of the network that has most."""
    links, left, best = networks.all_links(variant.box, state, seat), int(state["stations"][seat]), 0
    while left:
        start = left & -left
        met = int(networks.network_of(links, start, 0, start, 0)[0]) & left
        best = max(best, met, key=int.bit_count)
        left &= ~met
    return best
