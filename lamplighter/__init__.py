"""Lamplighter plays, referees, draws, prints, simulates and teaches pencil-and-grid games.

match = lamplighter.load("GAME?seats=3").match(seed=7, players=["Ana", "Bo", "Cy"])
match.roll()                       # dice, cards or tiles, until somebody must act
match.legal_moves(seat=0)          # as text
match.play("…", seat=0)            # or a refusal with the rule
match.score(0)                     # line by line
match.save("evening.lamp")         # lamplighter.read("evening.lamp") goes on
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lamplighter.version import VERSION

if TYPE_CHECKING:
    from lamplighter.engine.match import Match
    from lamplighter.engine.position import Position
    from lamplighter.engine.variant import Variant

__version__ = VERSION
__all__ = ["load", "names", "position", "read"]


def names() -> list[str]:
    """Return the ids of all games."""
    from lamplighter import games

    return games.names()


def load(variant: str) -> Variant:
    """Return a game with its options, from text such as `game?seats=4&option=value`; `game` alone takes the defaults."""
    from lamplighter import games
    from lamplighter.engine.variant import parse_variant, split_variant

    name, pairs = split_variant(variant)
    return parse_variant(games.load(name), pairs)


def position(text: str) -> Position:
    """Return the position of a line of text (`Position.text`)."""
    from lamplighter.engine.position import parse_position

    variant, _, rest = text.strip().partition(";")
    return parse_position(load(variant), rest)


def read(path: str | Path) -> Match:
    """Read a match from a record file: checked, replayed, ready to go on."""
    from lamplighter.engine import record

    return record.read(path)
