"""Where every legal move is made on the sheet."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from lamplighter.games.switch_on.components import names
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import CARD_NAMES, cards_of
from lamplighter.games.switch_on.notation import figure_of, format_move, format_square
from lamplighter.games.switch_on.state import MAX_LEGAL, Phase
from lamplighter.svg import Target

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant
from lamplighter.games.switch_on.picture.sheet import plan_sheet


def targets(variant: Variant, state: State, seat: int) -> list[Target]:
    """Return every legal move of a seat, with its place; ways to pay for the same thing share a target."""
    out = np.zeros(MAX_LEGAL, np.int64)
    actions = out[: variant.game.rules.legal_actions(variant.box, state, seat, out)].tolist()
    phase = int(state["phase"])
    if phase == Phase.CABLE:
        return [Target("pass", "pass"), *_lay_targets(variant, state, seat, actions[1:])]
    if phase == Phase.DECORATE:
        return [Target("stop", "stop"), *_hang_targets(variant, state, seat, actions[1:])]
    return [_plain_target(format_move(variant, state, seat, action)) for action in actions]


def _plain_target(move: str) -> Target:
    """A choice, funds raised with a card and their split, or a card that is discarded."""
    verb, *rest = move.split(" ")
    return Target(move, rest[0] if rest else verb, orientation=rest[1] if len(rest) > 1 else "")


def _lay_targets(variant: Variant, state: State, seat: int, actions: Iterable[int]) -> list[Target]:
    """Return a target for every cable in every place; the cards that buy it share it."""
    town, shapes = plan_sheet(variant, False).town, names(variant.file, "shapes")
    hand = [CARD_NAMES[one] for one in cards_of(int(state["hands"][seat]))]
    first, fits = figure_of(variant, at.FIRST_LAY), figure_of(variant, at.FITS)
    cards: dict[int, list[str]] = {}
    for action in actions:
        slot, placement = divmod(action - first, fits)
        cards.setdefault(placement, []).append(hand[slot])
    found = []
    for placement, pays in cards.items():
        cable = town.cables[placement]
        x, y = town.middle(cable.start)
        shape, cell = shapes[cable.shape], cable.cells.partition(" ")[0]
        move = f"lay {pays[0]} {shape} {cable.cells}"
        found.append(Target(move, shape, cell, cable.steps, cable.strand.symbol, x, y, pays=_pays(pays)))
    return sorted(found, key=lambda one: (one.source, one.orientation))


def _hang_targets(variant: Variant, state: State, seat: int, actions: Iterable[int]) -> list[Target]:
    """Return a target for every decoration on every square; all payments share it."""
    town, squares = plan_sheet(variant, False).town, figure_of(variant, at.SQUARES)
    starts, known = variant.box["first_hang"].tolist(), names(variant.file, "decorations")
    cards: dict[int, str] = {}  # of every payment, by the number of its action on the first square
    pays: dict[tuple[int, int], list[str]] = {}
    for action in actions:
        kind = next(i for i in itertools.count() if action < starts[i + 1])
        square = (action - starts[kind]) % squares
        if action - square not in cards:
            cards[action - square] = format_move(variant, state, seat, action).split(" ")[2]
        pays.setdefault((kind, square), []).append(cards[action - square])
    found = []
    for (kind, square), ways in pays.items():
        cell, (x, y) = format_square(variant, square), town.middle(square)
        move = f"hang {known[kind]} {ways[0]} {cell}"
        found.append(Target(move, known[kind], cell, "", f"d{kind}", x, y, pays=_pays(ways)))
    return found


def _pays(ways: list[str]) -> tuple[str, ...]:
    """Return what may be paid, where there is a choice."""
    return tuple(ways) if len(ways) > 1 else ()


def flip(steps: str) -> str:
    """Return the steps of a cable that is mirrored left to right; a straight one stays as it is.

    >>> flip("ees"), flip("ee")
    ('wws', 'ee')
    """
    return steps.translate(str.maketrans("ew", "we")) if "s" in steps else steps
