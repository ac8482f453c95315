"""A die of Last Minute Christmas as a picture of its own, with the ornament that it gives."""

from __future__ import annotations

from lamplighter.engine.variant import Variant
from lamplighter.games.last_minute.components import FACES
from lamplighter.games.last_minute.picture.ornaments import place_ornament, symbols
from lamplighter.strokes import die
from lamplighter.svg import Picture

SIDE, EDGE, ORNAMENT = 56, 4, 40


def draw_outcome(variant: Variant, text: str) -> Picture | None:
    """§4 Draw a die by its face. Who begins is said in words."""
    if text not in map(str, range(1, FACES + 1)):
        return None
    face, width = int(text), SIDE + 2 * EDGE
    drawn = [die(EDGE, EDGE, SIDE, face), place_ornament(face - 1, width / 2, SIDE + 2 * EDGE + ORNAMENT / 2, 1)]
    own = symbols(1)[f"o{face}"]
    return Picture(width, SIDE + 3 * EDGE + ORNAMENT, drawn, {f"o{face}": own})
