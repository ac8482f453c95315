"""Dice, cards and tiles as pictures of their own, for a room to read and for fingers to tap."""

from __future__ import annotations

from collections.abc import Iterable

from lamplighter import svg
from lamplighter.engine.phrase import messages_of, translate, translate_sheet
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError


def draw_face(variant: Variant, text: str, theme: str, language: str) -> str:
    """Return the picture of an outcome as SVG. It depends on the variant alone, so it tells nobody what was drawn."""
    picture = _picture(variant, text)
    if picture is None:
        raise LamplighterError(f"there is no picture of {text!r} in this game")
    messages = messages_of(variant.game, language)
    said = translate(variant.game.texts.say(variant, text), messages)
    return translate_sheet(svg.frame(picture, said, "", theme=theme), messages)


def pictured(variant: Variant, texts: Iterable[str]) -> list[str]:
    """Return which of these outcomes have a picture; the others are said in words."""
    return [text for text in sorted(set(texts)) if _picture(variant, text) is not None]


def _picture(variant: Variant, text: str) -> svg.Picture | None:
    draw = getattr(variant.game.picture, "draw_outcome", None) if variant.game.has_picture else None
    return None if draw is None else draw(variant, text)
