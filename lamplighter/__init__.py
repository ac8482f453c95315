"""Lamplighter plays, referees, draws, prints, simulates and teaches pencil-and-grid games.

match = lamplighter.load("GAME?seats=3").match(seed=7, players=["Ana", "Bo", "Cy"])
match.roll()                       # dice, cards or tiles, until somebody must act
match.legal_moves(seat=0)          # as text
match.play("…", seat=0)            # or a refusal with the rule
match.score(0)                     # line by line
match.save("evening.lamp")         # lamplighter.read("evening.lamp") goes on
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lamplighter.errors import (
    BadBox,
    BadChance,
    BadGame,
    BadNotation,
    BadRecord,
    BadVariant,
    IllegalMove,
    LamplighterError,
    MissingRecord,
    NoTakeBack,
    NotYourTurn,
    UnknownGame,
)
from lamplighter.version import VERSION

if TYPE_CHECKING:
    from lamplighter.engine.batch import Batch
    from lamplighter.engine.match import Match
    from lamplighter.engine.position import Position
    from lamplighter.engine.variant import Variant

__version__ = VERSION
__all__ = [
    "BadBox", "BadChance", "BadGame", "BadNotation", "BadRecord", "BadVariant", "Batch", "IllegalMove", "LamplighterError",
    "Match", "MissingRecord", "NoTakeBack", "NotYourTurn", "Position", "UnknownGame", "Variant", "load", "names", "position",
    "read",
]  # fmt: skip
_LATER = {"Batch": "batch", "Match": "match", "Position": "position", "Variant": "variant"}


def __getattr__(name: str) -> Any:
    """Import a class when it is first used: NumPy takes longer than all else that a short command needs."""
    if name not in _LATER:
        raise AttributeError(f"module 'lamplighter' has no attribute {name!r}")
    return getattr(importlib.import_module(f"lamplighter.engine.{_LATER[name]}"), name)


def names() -> list[str]:
    """Return the ids of all games."""
    from lamplighter import games

    return games.names()


def load(variant: str, **options: str | int | bool) -> Variant:
    """Return a game with its options, from text such as `game?seats=4&option=value`, or as keywords; the rest has defaults."""
    from lamplighter import games
    from lamplighter.engine.game import format_value
    from lamplighter.engine.variant import parse_variant, split_variant

    if not isinstance(variant, str):
        raise BadVariant(f"a game is loaded by a text, such as 'game?seats=2', not by {variant!r}")
    name, pairs = split_variant(variant)
    twice = pairs.keys() & options.keys()
    if twice:
        raise BadVariant(f"{', '.join(sorted(twice))}: said twice, in the text {variant!r} and as a keyword")
    return parse_variant(games.load(name), pairs | {key: format_value(value) for key, value in options.items()})


def position(text: str) -> Position:
    """Return the position of a line of text (`Position.text`)."""
    from lamplighter.engine.position import parse_position

    variant, _, rest = text.strip().partition(";")
    return parse_position(load(variant), rest)


def read(path: str | Path) -> Match:
    """Read a match from a record file: checked, replayed, ready to go on."""
    from lamplighter.engine import record

    return record.read(path)
