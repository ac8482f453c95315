"""Dice of Railroad on paper: every face as a card to cut out, and a face as it lies on the table."""

from __future__ import annotations

from lamplighter.engine.variant import Variant
from lamplighter.games.railroad import icons
from lamplighter.games.railroad.components import ARROWS, POWER_FACES
from lamplighter.games.railroad.tracks import CELL, route_symbols
from lamplighter.svg import Element, Picture, group, number, path, rect, text, use

CUTOUT_SIZE = (16.0, 16.0)
CARD = 60  # the side of a card in units


def die_face(variant: Variant, x: float, y: float, size: float, face: str) -> Element:
    """A die that shows a route, by its code, or a Power Grid face, around x and y."""
    half, corner = size / 2, size * 0.2
    body = [rect(x - half, y - half, size, size, style, corner) for style in ("f-paper", "ink")]
    scale = number((size - 5) / CELL)
    place = f"translate({number(x)} {number(y)})"
    if face not in POWER_FACES:
        return group(*body, use(f"{face}0", 0, 0, transform=f"{place} scale({scale})"))
    if face in ARROWS:
        turned = f"{place} rotate({ARROWS.index(face) * 90}) scale({scale})"
        return group(*body, group(path("M0 14V-13M-9 -4L0 -14L9 -4", "power fat"), transform=turned))
    mark = group(*icons.bolt(), transform=f"{place} scale({scale}) translate(15 -13) scale(.8)")
    return group(*body, text(x, y + 6.5, "?", "t big bold"), mark)


def cutouts(variant: Variant) -> list[tuple[Picture, int]]:
    """Every face of every die of the variant, once for each time it stands on one."""
    options, file = variant.options, variant.file
    dice = [*file.get("sets", str(options["edition"])), *file.get("sets", str(options["expansion"]))]
    faces: dict[tuple[str, str], int] = {}
    for die in dice:
        for face in file.get("dice", die):
            faces[die, face] = faces.get((die, face), 0) + 1
    return [(_card(variant, die, face), count) for (die, face), count in faces.items()]


def _card(variant: Variant, die: str, face: str) -> Picture:
    box = variant.box
    small = icons.symbols(bool(box["challenge"]), bool(box["lamps"]), bool(box["power"]))
    needed: dict[str, list[Element]] = {name: small[name] for name in ("house", "lamp") if name in small}
    if face not in POWER_FACES:
        needed |= route_symbols(variant)[face]
    shown = group(die_face(variant, 0, 0, 40, face), transform=f"translate({CARD // 2} {CARD // 2}) scale(1.35)")
    drawn = [shown, text(11, CARD - 9, die, "t small p")]
    return Picture(CARD, CARD, drawn, needed)
