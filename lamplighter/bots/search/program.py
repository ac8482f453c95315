"""The programs of the search, compiled once for all games, and what a game's `evaluate.py` says about it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lamplighter.bots.search import beam, room, samples, tree
from lamplighter.engine import table
from lamplighter.jit import Program

if TYPE_CHECKING:
    from lamplighter.engine.game import Game

SOURCES = tuple(Path(str(module.__file__)).resolve() for module in (table, room, beam, samples, tree))
PROGRAM = Program(
    "search",
    SOURCES,
    {
        one.__name__: one
        for one in (
            beam.start_plans, beam.grow_slice, beam.next_layer, beam.look_ahead, beam.rate_actions, beam.worth_of,
            beam.stage_of, beam.count_features, samples.count_rolls, samples.try_plans, tree.grow_tree,
        )
    },
    title="the bots",
)  # fmt: skip
TRAINING = Program(
    "training",
    SOURCES,
    {one.__name__: one for one in (samples.note_match, samples.note_features, samples.try_plans)},
    title="the training of bots",
)


def own_habits(game: Game) -> Mapping[str, Any]:
    """Return how a game wants to be searched."""
    return getattr(game.module("evaluate"), "SEARCH", {}) if game.has("evaluate") else {}


def has_features(game: Game) -> bool:
    """Return whether a value can be fitted to states of a game."""
    return game.has("evaluate") and hasattr(game.module("evaluate"), "features")
