"""The scoring lines, their sum, and who wins."""

from __future__ import annotations

from lamplighter.games.greenways.components import A, B, C, D, E
from lamplighter.games.greenways.rules.networks import measure
from lamplighter.games.greenways.rules.paths import longest_path
from lamplighter.games.greenways.rules.turns import Box, Out, State
from lamplighter.jit import kernel


@kernel
def score_streets(box: Box, state: State, seat: int) -> int:
    """§12 A: tiles of streets with an intersection. A start tile and a dead end on an intersection are 3 (R9: or 2)."""
    tiles, intersections, _ = measure(box, state, seat, 0)
    counted = tiles if box["intersections_count"] else tiles - intersections
    return counted * int(box["points"][A])


@kernel
def score_longest(box: Box, state: State, seat: int, most: int) -> int:
    """§12 D: the tiles of the longest greenway, park or not. Greenways of 18 and 2 tiles are 18 (R10: or a way in one)."""
    tiles = longest_path(box, state, seat) if box["longest_path"] else most
    return tiles * int(box["points"][D])


@kernel
def score(box: Box, state: State, seat: int, out: Out) -> int:
    """§12, §13 A to E. The example board: 14 + 20 + 10 + 18 + 22 = 84.

    B: tiles of greenways with a park, which counts too; a park, the start tile and an end are 3. C: 2 for each park on
    the board; five parks are 10. E: a point for each tile still in the pile.
    """
    tiles, parks, most = measure(box, state, seat, 1)
    out[0] = score_streets(box, state, seat)
    out[1] = tiles * int(box["points"][B])
    out[2] = parks * int(box["points"][C])
    out[3] = score_longest(box, state, seat, most)
    out[4] = int(state["unused"][seat]) * int(box["points"][E])
    return int(out[0]) + int(out[1]) + int(out[2]) + int(out[3]) + int(out[4])


@kernel
def standing(box: Box, state: State, seat: int, total: int) -> int:
    """R14 In a race the higher total wins, then the goal reached; then the victory is shared."""
    return 2 * total + ((int(state["won"]) >> seat) & 1)


@kernel
def facts(box: Box, state: State, seat: int, out: Out) -> int:
    """§3, §4, §11 Whether the goal was reached, tiles laid, hands set aside."""
    out[0] = (int(state["won"]) >> seat) & 1
    out[1] = int(state["tiles"][seat]) - 1
    out[2] = int(state["redraws"][seat])
    return 3
