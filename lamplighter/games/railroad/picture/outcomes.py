"""A die of Railroad as a picture of its own."""

from __future__ import annotations

from lamplighter.engine.variant import Variant
from lamplighter.games.railroad.components.tables import POWER_FACES
from lamplighter.games.railroad.picture.paper import draw_face
from lamplighter.games.railroad.picture.route_symbols import route_symbols
from lamplighter.svg import Picture


def draw_outcome(variant: Variant, text: str) -> Picture | None:
    """§2.1 Draw a die by the code of its face. Goals are said in words."""
    known = text in POWER_FACES or text in route_symbols(variant)
    return draw_face(variant, text) if known else None
