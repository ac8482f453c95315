"""A card of Switch-On as a picture of its own."""

from __future__ import annotations

from lamplighter.engine.variant import Variant
from lamplighter.games.switch_on.components.cards import CARD_NAMES
from lamplighter.games.switch_on.picture.sheet import draw_card
from lamplighter.games.switch_on.picture.symbols import fixed
from lamplighter.svg import Picture

WIDTH, HEIGHT = 38, 52
NEEDED = ("joker", "wild", "cs", "cc", "ch", "cd", "ss", "sc", "sh", "sd")


def draw_outcome(variant: Variant, text: str) -> Picture | None:
    """§2 Draw a card by its name. Who begins is said in words."""
    if text not in CARD_NAMES:
        return None
    return Picture(WIDTH, HEIGHT, [draw_card(text, WIDTH / 2, HEIGHT / 2)], {name: fixed()[name] for name in NEEDED})
