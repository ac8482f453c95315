"""The rules of a game as pages show them: with the figures of the printed booklet, and what a variant does not use folded."""

from __future__ import annotations

import functools
import itertools
from typing import NamedTuple

from markupsafe import Markup

from lamplighter import games, svg
from lamplighter.engine.game import Game, format_value
from lamplighter.engine.variant import Variant, split_variant
from lamplighter.errors import BadVariant
from lamplighter.paper import prose
from lamplighter.paper.booklet import spread
from lamplighter.web.table import load_variant

CHOICES = ("edition", "expansion")  # the kinds of options that decide which figures are drawn


class Part(NamedTuple):
    """What is under one heading, and whether it is folded."""

    heading: prose.Block | None
    blocks: list[prose.Block]
    folded: bool = False


class Booklet(NamedTuple):
    title: list[prose.Block]
    parts: list[Part]
    rulings: list[prose.Block]


def booklet_of(game: str, variant_text: str = "") -> Booklet:
    """Return the rules for a variant of a game. If none is named, nothing is folded.

    Whoever asks can name any variant, so what is drawn and kept depends on few of its options only.
    """
    name, pairs = split_variant(variant_text or game)
    if name != game:
        raise BadVariant(f"{variant_text!r} is not a variant of {game!r}")
    own_box = bool(pairs.pop("box", ""))
    known = games.load(game)
    options = {option.name: option for option in known.options if option.kind in CHOICES}
    chosen = {key: format_value(options[key].parse(value)) for key, value in pairs.items() if key in options}
    found = _booklet(game, "&".join(f"{key}={value}" for key, value in sorted(chosen.items())), own_box)
    return found if variant_text else found._replace(parts=[part._replace(folded=False) for part in found.parts])


def choices_of(game: Game) -> dict[str, list[str]]:
    """Return the variants among which a reader chooses, with the names of their options: every edition with every expansion."""
    options = [option for option in game.options if option.kind in CHOICES]
    found = {}
    for values in itertools.product(*(option.values for option in options)):
        pairs = list(zip(options, values, strict=True))
        text = "&".join(f"{option.name}={format_value(value)}" for option, value in pairs)
        found[f"{game.id}?{text}"] = [option.label(value) for option, value in pairs]
    return found if len(found) > 1 else {}


@functools.lru_cache(maxsize=64)
def _booklet(game: str, options: str, own_box: bool) -> Booklet:
    found, variant = games.load(game), load_variant(f"{game}?{options}" if options else game)
    rulings = found.folder / "RULINGS.md"
    texts = [found.rules_text, *([rulings.read_text(encoding="utf-8")] if rulings.exists() else [])]
    rules, *rest = prose.parse(*texts)
    titles = [block for block in rules if block["kind"] == "heading" and block["level"] == 1]
    body = spread([block for block in rules if block not in titles], _figures(variant))
    return Booklet(titles, _parts(body, variant, own_box), rest[0] if rest else [])


def _figures(variant: Variant) -> list[prose.Block]:
    """Return the figures of the booklet as blocks."""
    make = getattr(variant.game.picture, "figures", None) if variant.game.has_picture else None
    return [
        {
            "kind": "figure",
            "caption": caption,
            "drawn": Markup(
                drawn
                if isinstance(drawn, str)
                else svg.frame(drawn, caption, "", theme=None, prefix=f"rules-{number}-")
            ),
        }
        for number, (caption, drawn) in enumerate(make(variant) if make else [])
    ]


def _parts(blocks: list[prose.Block], variant: Variant, own_box: bool) -> list[Part]:
    """Return blocks by headings. A figure stands before a heading, and belongs to the part that ends there."""
    parts = [Part(None, [])]
    for block in blocks:
        if block["kind"] == "heading" and block["level"] == 2:
            parts.append(Part(block, [], not _is_used(block.get("when", ""), variant, own_box)))
        else:
            parts[-1].blocks.append(block)
    return parts


def _is_used(when: str, variant: Variant, own_box: bool) -> bool:
    """Return whether a part is for this variant: `edition=challenge` names an option, `box` a component file of one's own."""
    name, _, value = when.partition("=")
    if name == "box":
        return own_box
    return not when or format_value(variant.options[name]) == value
