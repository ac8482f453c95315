"""Where every legal move is made on the sheet."""

from __future__ import annotations

import numpy as np

from lamplighter.engine.variant import State, Variant
from lamplighter.games.last_minute.components import ornament_names
from lamplighter.games.last_minute.notation import format_square, split_action
from lamplighter.games.last_minute.picture.plan import Plan, make_plan
from lamplighter.games.last_minute.state import MAX_LEGAL
from lamplighter.svg import Target


def legal_actions(variant: Variant, state: State, seat: int) -> list[int]:
    """Return every legal action of a seat."""
    out = np.zeros(MAX_LEGAL, np.int64)
    n = variant.game.rules.legal_actions(variant.box, state, seat, out)
    return [int(action) for action in out[:n].tolist()]


def targets(variant: Variant, state: State, seat: int) -> list[Target]:
    """Return every legal move of a seat, with its place; what a die shows comes before what it can be changed into."""
    plan = make_plan(variant)

    def change(action: int) -> tuple[int, int]:
        face, ornament, _ = split_action(variant, action)
        return face, int(variant.box["cost"][face, ornament])

    return [_target(variant, plan, action) for action in sorted(legal_actions(variant, state, seat), key=change)]


def _target(variant: Variant, plan: Plan, action: int) -> Target:
    """Return where a move is made: die and ornament are taken, the square is the place."""
    face, ornament, square = split_action(variant, action)
    x, y = plan.middle(int(variant.box["row"][square]), int(variant.box["col"][square]))
    source = f"{face + 1} {ornament_names(variant.file)[ornament]}"
    cell = format_square(variant, square)
    return Target(f"{source} {cell}", source, cell, "", f"o{ornament + 1}", x, y)
