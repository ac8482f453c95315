"""A drawn tile of Greenways as a picture of its own."""

from __future__ import annotations

from lamplighter.engine.variant import Variant
from lamplighter.games.greenways.picture.symbols import TILE, draw_tile, ground
from lamplighter.svg import Picture, group

EDGE = 2


def draw_outcome(variant: Variant, text: str) -> Picture | None:
    """§2 Draw a tile by its id, as it is printed."""
    tile = next((one for one in variant.file.get("tiles") if one["id"] == text), None)
    if tile is None:
        return None
    parts = draw_tile(str(tile["sides"]), bool(tile.get("park")), bool(tile.get("building")))
    side = TILE + 2 * EDGE
    return Picture(side, side, [group(*ground(), *parts, transform=f"translate({side / 2:g} {side / 2:g})")])
