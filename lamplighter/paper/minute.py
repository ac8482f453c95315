"""The rules in a minute: a game's MINUTE.md as parts with figures, for a page of paper and for the browser.

The file has four headings, `HEADINGS`. A paragraph `[figure: 2]` shows the second figure of the game's picture beside its part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lamplighter import svg
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadGame, LamplighterError
from lamplighter.paper import prose
from lamplighter.paper.document import Document, Style, describe
from lamplighter.paper.typeset import page_count

HEADINGS = ("Goal", "A turn", "Scoring", "The end")
WIDE, HIGH = 68.0, 62.0  # mm that a figure may be wide and high beside its part, at scale 1
SCALES = (1.25, 1.0, 0.85, 0.7, 0.55)  # tried one after the other until all is on one page
_FIGURE = re.compile(r"\[figure: (\d+)\]")


@dataclass
class Part:
    """What is under one heading, and the numbers of the figures beside it, from 1."""

    heading: str
    blocks: list[prose.Block] = field(default_factory=list)
    figures: list[int] = field(default_factory=list)


def parse_minute(text: str, name: str) -> list[Part]:
    """Return the parts of a MINUTE.md. A title above them is skipped; other headings than the four are refused."""
    parts: list[Part] = []
    for block in prose.parse(text)[0]:
        words = prose.plain(block.get("spans", []))
        if block["kind"] == "heading":
            if not parts and block["level"] == 1 and words not in HEADINGS:
                continue
            parts.append(Part(words))
        elif not parts:
            raise BadGame(f"{name}: nothing may stand before the heading {HEADINGS[0]!r} but a title")
        elif block["kind"] == "paragraph" and (found := _FIGURE.fullmatch(words.strip())):
            parts[-1].figures.append(int(found[1]))
        else:
            parts[-1].blocks.append(block)
    found_headings = [part.heading for part in parts]
    if found_headings != list(HEADINGS):
        raise BadGame(
            f"{name}: the headings must be {', '.join(HEADINGS)}, and are {', '.join(found_headings) or 'none'}"
        )
    return parts


def read_minute(game: Game) -> list[Part]:
    """Return the parts of a game's rules in a minute; a game that has none is refused with a sentence."""
    if not game.minute_text:
        raise LamplighterError(f"{game.id} has no rules in a minute: a MINUTE.md in its folder would bring them")
    return parse_minute(game.minute_text, str(game.folder / "MINUTE.md"))


def minute_figures(variant: Variant, part: Part) -> list[tuple[str, svg.Picture]]:
    """Return the figures beside a part with their captions. With a box of one's own some may not exist."""
    if not part.figures:
        return []
    make = getattr(variant.game.picture, "figures", None) if variant.game.has_picture else None
    drawn = list(make(variant)) if make else []
    missing = [number for number in part.figures if not 1 <= number <= len(drawn)]
    if missing and not variant.own_box:
        raise BadGame(f"{variant.game.folder / 'MINUTE.md'}: there is no figure {missing[0]}, only {len(drawn)}")
    return [drawn[number - 1] for number in part.figures if number not in missing]


def print_minute(variant: Variant, style: Style | None = None) -> bytes:
    """A PDF of a game's rules in a minute: one page, but for large print."""
    chosen, parts = style or Style(), read_minute(variant.game)
    for scale in SCALES:
        made = _document(variant, chosen, parts, scale).pdf()
        if chosen.large or page_count(made) == 1:
            return made
    raise BadGame(f"{variant.game.folder / 'MINUTE.md'} does not fit on a page: make it shorter")


def _document(variant: Variant, style: Style, parts: list[Part], scale: float) -> Document:
    document = Document(variant, style, describe(variant))
    shown = []
    for part in parts:
        figures = []
        for caption, drawn in minute_figures(variant, part):
            unit = min(WIDE * scale / drawn.width, HIGH * scale / drawn.height)
            width = round(drawn.width * unit, 2)
            figures.append({"picture": document.frame(drawn, caption), "caption": caption, "width": width})
        shown.append({"heading": part.heading, "blocks": part.blocks, "figures": figures})
    document.add("minute", parts=shown, room=round(WIDE * scale, 2))
    return document
