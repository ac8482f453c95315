"""Why a score of Greenways is what it is: the tiles behind every scoring line, and a sentence about it."""

from __future__ import annotations

from typing import Any, NamedTuple

from lamplighter.engine.phrase import Phrase, counted
from lamplighter.engine.variant import State, Variant
from lamplighter.games.greenways.components import GREENWAY, A, B, C, D, E
from lamplighter.games.greenways.notation import format_cell
from lamplighter.games.greenways.rules.board import STEPS, neighbour
from lamplighter.games.greenways.rules.networks import (
    count_ends,
    count_gems,
    count_tiles,
    has_tile,
    join_sets,
    next_network,
)
from lamplighter.games.greenways.rules.paths import longest_path, path_from

STREETS, GREENWAYS = 0, 1


class Network(NamedTuple):
    """A street or a greenway."""

    tiles: list[int]
    gems: int  # its intersections or parks
    ends: int  # its open sides


def networks(box: Any, state: State, seat: int, network: int) -> list[Network]:
    """Return every street (0) or greenway (1), the first laid first."""
    found: list[Network] = []
    known = (0, 0)
    while count_tiles(tiles := next_network(box, state, seat, network, known)):
        known = join_sets(known, tiles)
        gems, ends = (count(box, state, seat, network, tiles) for count in (count_gems, count_ends))
        laid = [tile for tile in range(int(state["tiles"][seat])) if has_tile(tiles, tile)]
        found.append(Network(laid, int(gems), int(ends)))
    return found


def score_cells(variant: Variant, state: State, seat: int) -> dict[str, list[str]]:
    """§12 Return the tiles behind every scoring line; those left in the pile are on no cell."""
    pictures = state["picture"][seat, : int(state["tiles"][seat])].tolist()
    intersections, parks = ([tile for tile, at in enumerate(pictures) if gem[at]] for gem in variant.box["gem"])
    streets, greenways = (
        [tile for network in networks(variant.box, state, seat, kind) if network.gems for tile in network.tiles]
        for kind in (STREETS, GREENWAYS)
    )
    if not variant.box["intersections_count"]:  # R9
        streets = [tile for tile in streets if tile not in intersections]
    longest = _longest(variant, state, seat)
    found = {"streets": streets, "greenways": greenways, "parks": parks, "longest": longest, "unused": []}
    cells = [format_cell(int(cell)) for cell in state["cell"][seat]]
    return {name: [cells[tile] for tile in tiles] for name, tiles in found.items()}


def score_reasons(variant: Variant, state: State, seat: int) -> dict[str, str]:
    """§12 Return a sentence for every scoring line that says how its points come about."""
    box, count = variant.box, {line: len(cells) for line, cells in score_cells(variant, state, seat).items()}
    points = [int(worth) for worth in box["points"].tolist()]
    return {
        "streets": _say_streets(variant, state, seat, count["streets"], points[A]),
        "greenways": _say_greenways(variant, state, seat, count["greenways"], points[B]),
        "parks": Phrase("Your parks: {n} × {each} (§12 C).", n=count["parks"], each=points[C]),
        "longest": Phrase(
            "The longest way in your greenways has {n} tiles: {n} × {each} (§12 D)."
            if box["longest_path"]
            else "Your longest greenway has {n} tiles: {n} × {each} (§12 D).",
            n=count["longest"],
            each=points[D],
        ),
        "unused": Phrase(
            "Tiles that are not laid: {n} × {each} (§12 E).", n=int(state["unused"][seat]), each=points[E]
        ),
    }


def _say_streets(variant: Variant, state: State, seat: int, tiles: int, each: int) -> Phrase:
    """§12 A How many streets have an intersection, and how many tiles that makes."""
    found = networks(variant.box, state, seat, STREETS)
    counting = _counting(found)
    said = counted(
        counting,
        "{n} of your {all} streets has an intersection",
        "{n} of your {all} streets have an intersection",
        all=len(found),
    )
    if len(found) == 1:
        said = Phrase(
            "Your only street has an intersection" if counting else "Your only street does not have an intersection yet"
        )
    words = "{said}: {tiles} tiles × {each} (§12 A)."
    if not variant.box["intersections_count"]:
        words = "{said}: {tiles} tiles, not counting intersections, × {each} (§12 A)."
    return Phrase(words, said=said, tiles=tiles, each=each)


def _say_greenways(variant: Variant, state: State, seat: int, tiles: int, each: int) -> Phrase:
    """§12 B How many greenways have a park, and how many tiles that makes."""
    found = networks(variant.box, state, seat, GREENWAYS)
    counting = _counting(found)
    said = counted(
        counting, "{n} of your {all} greenways has a park", "{n} of your {all} greenways have a park", all=len(found)
    )
    if len(found) == 1:
        said = Phrase("Your only greenway has a park" if counting else "Your only greenway does not have a park yet")
    return Phrase("{said}: {tiles} tiles × {each} (§12 B).", said=said, tiles=tiles, each=each)


def _counting(found: list[Network]) -> int:
    """Return how many networks have an intersection or a park."""
    return sum(network.gems > 0 for network in found)


def _longest(variant: Variant, state: State, seat: int) -> list[int]:
    """§12 Return d The tiles of the longest greenway, the first of equal ones; or of a longest way, in its order (R10)."""
    greenways = [greenway.tiles for greenway in networks(variant.box, state, seat, GREENWAYS)]
    if not variant.box["longest_path"]:
        return max(greenways, key=len, default=[])
    length = int(longest_path(variant.box, state, seat))
    for start in sorted(tile for greenway in greenways for tile in greenway):
        if int(path_from(variant.box, state, seat, start)) == length:
            return _way_from(variant, state, seat, [start], length)
    return []


def _way_from(variant: Variant, state: State, seat: int, way: list[int], length: int) -> list[int]:
    """Return a way of this length that goes on from `way` and visits no tile twice; empty if there is none."""
    if len(way) == length:
        return way
    sides = int(variant.box["sides"][int(state["picture"][seat, way[-1]])])
    for side in range(len(STEPS)):
        other = int(neighbour(state, seat, way[-1], side)) if sides >> 2 * side & 3 == GREENWAY else -1
        if other >= 0 and other not in way:
            found = _way_from(variant, state, seat, [*way, other], length)
            if found:
                return found
    return []
