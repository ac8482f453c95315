"""Medals for matches that are played alone: how many points each needs, read from `medals.toml` in a game's folder."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from lamplighter.engine.component_file import ComponentFile
from lamplighter.errors import BadBox, BadGame, LamplighterError

if TYPE_CHECKING:
    from lamplighter.engine.game import Game
    from lamplighter.engine.variant import Variant

FILE = "medals.toml"
MEDALS = ("bronze", "silver", "gold")
MOST_VARIANTS = 100
MOST_POINTS = 1_000_000
Bands = dict[str, int]  # the points that each medal needs


def medals_of(variant: Variant) -> Bands | None:
    """Return what the medals of a variant need; None where nobody has measured it."""
    return None if variant.own_box else read_medals(variant.game).get(variant.text)


def medal_for(points: int, bands: Bands) -> str | None:
    """Return the best medal for so many points; None if there is none.

    >>> [medal_for(points, {"bronze": 30, "silver": 40, "gold": 50}) for points in (29, 30, 49, 50)]
    [None, 'bronze', 'silver', 'gold']
    """
    return next((medal for medal in reversed(MEDALS) if points >= bands[medal]), None)


@functools.cache
def read_medals(game: Game) -> dict[str, Bands]:
    """Return the medals of a game by the texts of its variants; none if it has no file. Refuse a file with a mistake."""
    path = game.folder / FILE
    return parse_medals(game, path.read_text(encoding="utf-8")) if path.exists() else {}


def parse_medals(game: Game, text: str) -> dict[str, Bands]:
    """Return what a file says."""
    from lamplighter.engine.variant import parse_variant, split_variant

    found: dict[str, Bands] = {}
    try:
        file = ComponentFile(text, FILE)
        file.need_keys(["medals"])
        for number in range(len(file.need_list(1, MOST_VARIANTS, "medals"))):
            at = ("medals", number)
            file.need_keys(["variant", *MEDALS], at=at)
            name, pairs = split_variant(file.need_text(*at, "variant"))
            variant = parse_variant(game, pairs)
            bands = {medal: file.need_int(-MOST_POINTS, MOST_POINTS, *at, medal) for medal in MEDALS}
            if name != game.id or variant.seats != 1:
                file.fail("medals are for variants of this game that are played alone", *at, "variant")
            if variant.text in found:
                file.fail(f"{variant.text} has medals already", *at, "variant")
            if not bands["bronze"] < bands["silver"] < bands["gold"]:
                file.fail("silver must need more points than bronze, and gold more than silver", *at, "bronze")
            found[variant.text] = bands
    except BadBox as error:
        raise BadGame(str(error)) from None
    except LamplighterError as error:
        raise BadGame(f"{FILE}: {error}") from None
    return found
