"""Where every legal move is made on the sheet."""

from __future__ import annotations

import numpy as np

from lamplighter.engine.variant import State, Variant
from lamplighter.games.greenways.notation import split_action
from lamplighter.games.greenways.picture.symbols import picture_table, symbol_name
from lamplighter.games.greenways.picture.town import (
    Plan,
    cell_name,
    cell_of,
    make_plan,
    place_tile,
    quarters_of,
)
from lamplighter.games.greenways.state import MAX_LEGAL
from lamplighter.svg import Target


def targets(variant: Variant, state: State, seat: int) -> list[Target]:
    """Return every legal move of a seat: a tile of the hand, the cell, and its sides as it is laid."""
    out = np.zeros(MAX_LEGAL, np.int64)
    n = variant.game.rules.legal_actions(variant.box, state, seat, out)
    rows, columns = (
        range(int(state[low][seat]), int(state[high][seat]) + 1) for low, high in (("top", "bottom"), ("left", "right"))
    )
    plan, table = make_plan(rows, columns), picture_table(variant)
    return [_target(plan, table, *split_action(variant, state, seat, action)) for action in out[:n].tolist()]


def _target(plan: Plan, table: list[tuple[str, int, str]], code: int, picture: int) -> Target:
    cell, (tile_id, quarters, sides) = cell_of(code), table[picture]
    x, y, transform = place_tile(plan, cell, quarters_of(quarters, sides, cell))
    name = cell_name(cell)
    return Target(f"{tile_id} {name} {sides}", tile_id, name, sides, symbol_name(tile_id), x, y, transform)


def flip(sides: str) -> str:
    """Return the sides of a tile that is mirrored left to right; they are named clockwise from the north.

    >>> flip("SG--")
    'S--G'
    """
    return sides[0] + sides[3] + sides[2] + sides[1]
