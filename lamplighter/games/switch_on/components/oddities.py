"""What is odd in a component file though it can be played: things that nobody can ever draw, pay or score.

Every sentence names the thing, says what is odd and why. Nothing here refuses a file.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import (
    DECK,
    RUN,
    SAME_COLOUR,
    SAME_RANK,
    SAME_SUIT,
    SUIT_CARDS,
    WILD_CARDS,
    Cost,
    cards_that_meet,
)  # fmt: skip
from lamplighter.games.switch_on.components.decorations import cost_of, orientations
from lamplighter.games.switch_on.components.strands import dots_of
from lamplighter.games.switch_on.components.tables import BODY, CARDS, DOTS, ELECTRIC, squares_of

if TYPE_CHECKING:
    from lamplighter.engine.component_file import ComponentFile, Path

RANK_CARDS = sum(1 << 13 * suit for suit in range(4))  # the cards of the first rank


def find_oddities(file: ComponentFile, box: np.void) -> list[tuple[str, Path]]:
    """Return a sentence and the place in the file for everything that is odd."""
    return [*_town(file, box), *_shapes(file, box), *_decorations(file, box), *_patterns(file, box), *_funds(box)]


def _covered(box: np.void, column: int, light_only: bool) -> set[int]:
    """Return the squares that some strand can cover, or on which it can have a dot."""
    words = np.zeros(2, np.int64)
    for placement in range(int(box["figures"][at.FITS])):
        if not light_only or box["light"][int(box["shape_of"][placement])]:
            words |= box["cable_squares"][placement, column]
    return set(squares_of(words))


def _town(file: ComponentFile, box: np.void) -> Iterator[tuple[str, Path]]:
    town = "".join(file.get("map", "rows"))
    for letter in file.get("trees"):
        if letter not in town:
            yield f"no tree {letter!r} is on the map", ("trees", letter)
    for i, ground in enumerate(file.data.get("grounds", [])):
        if ground["letter"] not in town:
            yield f"no {ground['name']} is on the map", ("grounds", i)
    if not _covered(box, DOTS, False) & set(squares_of(box["power"])):
        yield "no strand can have a dot on Power, so nothing can ever shine", ("map", "rows")


def _shapes(file: ComponentFile, box: np.void) -> Iterator[tuple[str, Path]]:
    for i, entry in enumerate(file.get("shapes")):
        if box["first_fit"][i] == box["first_fit"][i + 1]:
            yield f"the shape {entry['name']!r} fits nowhere on the map", ("shapes", i, "cells")
        if not dots_of(entry):
            yield f"the shape {entry['name']!r} has no dot, so power can never reach it", ("shapes", i, "dots")


def _squares_for(box: np.void, decoration: int) -> set[int]:
    """Return the squares where a decoration could ever be drawn."""
    lit = set(squares_of(box["lit_places"][decoration])) & _covered(box, BODY, True)
    return lit | set(squares_of(box["places"][decoration]))


def _decorations(file: ComponentFile, box: np.void) -> Iterator[tuple[str, Path]]:
    hand = int(box["figures"][at.SLOTS]) - 1
    for i, entry in enumerate(file.get("decorations")):
        name, squares = entry["name"], _squares_for(box, i)
        if not squares:
            yield f"the {name} can be drawn nowhere: no square of the map suits it", ("decorations", i, "where")
        elif box["chart"][i, ELECTRIC] and not squares & _covered(box, BODY, False):
            yield f"the {name} needs power, but no strand reaches its squares", ("decorations", i, "where")
        if int(box["chart"][i, CARDS]) > hand:
            yield f"the {name} costs more cards than a hand can hold, which is {hand}", ("decorations", i, "cost")
        elif "wild" not in cost_of(entry).cards and not _can_be_paid_plain(cost_of(entry)):
            yield (
                f"only wild cards can help to pay for the {name}: no other cards are all of that",
                ("decorations", i, "cost"),
            )


def _can_be_paid_plain(cost: Cost) -> bool:
    """Return whether some cards that are not wild pay a cost."""
    groups = [sum(SUIT_CARDS << 13 * suit for suit in suits) for suits in ((0,), (1,), (2,), (3,))]
    if not cost.relation & SAME_SUIT:
        groups = [groups[0] | groups[1], groups[2] | groups[3]]
        groups = groups if cost.relation & SAME_COLOUR else [groups[0] | groups[1]]
    met = [(cards_that_meet(condition) or 0) & ~WILD_CARDS for condition in cost.cards]
    return any(_can_be_dealt([cards & group for cards in met], cost.relation) for group in groups)


def _can_be_dealt(met: list[int], relation: int) -> bool:
    """Return whether different cards meet all conditions, of one rank or in a run if they must be."""
    count = len(met)
    if relation & RUN:
        for low, order in itertools.product(range(13 - count), itertools.permutations(met)):
            if all(cards & RANK_CARDS << low + i for i, cards in enumerate(order)):
                return True
        return False
    ranks = [RANK_CARDS << rank for rank in range(12)] if relation & SAME_RANK else [-1]
    groups = [group for size in range(1, count + 1) for group in itertools.combinations(range(count), size)]
    return any(
        all(_union([met[i] & rank for i in group]).bit_count() >= len(group) for group in groups) for rank in ranks
    )


def _union(sets: list[int]) -> int:
    found = 0
    for cards in sets:
        found |= cards
    return found


def _patterns(file: ComponentFile, box: np.void) -> Iterator[tuple[str, Path]]:
    entries = file.get("decorations")
    letters = [entry["letter"] for entry in entries]
    squares = {letter: _squares_for(box, i) for i, letter in enumerate(letters)}
    rows, cols = int(box["figures"][at.ROWS]), int(box["figures"][at.COLS])
    for number, entry in enumerate(file.get("patterns")):
        path: Path = ("patterns", number)
        ways = orientations(entry)
        if not any(
            all(
                0 <= row + down < rows and 0 <= col + right < cols and (row + down) * cols + col + right in squares[letter]
                for down, right, letter in spots
            )
            for spots in ways for row, col in itertools.product(range(rows), range(cols))
        ):  # fmt: skip
            yield f"the pattern {entry['name']!r} can be formed nowhere on the map", path
        price = sum(int(box["chart"][letters.index(letter), CARDS]) for _, _, letter in ways[0])
        if price > DECK // 2:
            yield f"the pattern {entry['name']!r} costs {price} cards, more than a player ever gets", path
        if entry["points"] == 0:
            yield f"the pattern {entry['name']!r} scores nothing", (*path, "points")


def _funds(box: np.void) -> Iterator[tuple[str, Path]]:
    if box["figures"][at.MOST_UNITS] == 0:
        for key, start, thing in (
            ("start_money", at.START_MONEY, "decoration"),
            ("start_cable", at.START_CABLE, "strand"),
        ):
            if box["figures"][start] == 0:
                yield f"nobody can ever buy a {thing}: a track starts at 0 and no card gives a unit", ("tracks", key)
