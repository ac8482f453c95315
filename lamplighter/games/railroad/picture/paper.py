"""Dice of Railroad, on the table and to be cut out, and the goals to be drawn by lot."""

from __future__ import annotations

import textwrap
from collections import Counter

from lamplighter.engine.variant import Variant
from lamplighter.games.railroad.components.goals import goal_words
from lamplighter.games.railroad.components.tables import ARROWS, GOAL_LETTERS, GOALS, MAX_DICE, POWER_FACES
from lamplighter.games.railroad.picture import icons
from lamplighter.games.railroad.picture.route_symbols import CELL, route_symbols
from lamplighter.svg import Element, Picture, Pieces, circle, group, number, path, rect, text, use

FACE = 16.0  # mm, of a face to cut out
GOAL = 48.0, 22.0  # mm, of a card with a goal
CARD = 60  # the side of a face in units
GOAL_LETTERS_A_LINE = 18


def die_face(variant: Variant, x: float, y: float, size: float, face: str) -> Element:
    """Draw a die that shows a route, by its code, or a Power Grid face, around x and y."""
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


def cutouts(variant: Variant) -> list[Pieces]:
    """Return every face of every die of the variant; and the goals, if they are drawn by lot."""
    options, file = variant.options, variant.file
    dice = [*file.get("sets", str(options["edition"])), *file.get("sets", str(options["expansion"]))]
    faces = Counter((die, face) for die in dice for face in file.get("dice", die))
    kinds = [(_face_card(variant, die, face), count) for (die, face), count in faces.items()]
    words = f"the faces of the dice {', '.join(dice)}: glue them on, or draw one a die"
    found = [Pieces(words, FACE, FACE, kinds)]
    if variant.box["challenge"] and int(variant.box["goals"][0]) < 0:
        cards = [(_goal_card(variant, goal), 1) for goal in range(int(variant.box["die_faces"][MAX_DICE]))]
        found.append(Pieces(f"the goals: draw {GOALS} for a match", *GOAL, cards))
    return found


def _face_card(variant: Variant, die: str, face: str) -> Picture:
    drawn = draw_face(variant, face)
    drawn.body.append(text(11, CARD - 9, die, "t small p"))
    return drawn


def draw_face(variant: Variant, face: str) -> Picture:
    """Draw a die that shows a route, by its code, or a Power Grid face."""
    small = icons.symbols_of(variant)
    needed: dict[str, list[Element]] = {name: small[name] for name in ("house", "lamp") if name in small}
    if face not in POWER_FACES:
        needed |= route_symbols(variant)[face]
    return Picture(CARD, CARD, [die_face(variant, CARD / 2, CARD / 2, CARD - 6, face)], needed)


def _goal_card(variant: Variant, goal: int) -> Picture:
    """§4.4 Draw the letter of a goal, and what it asks for."""
    width, height = (4 * side for side in GOAL)
    lines = textwrap.wrap(goal_words(variant, goal), GOAL_LETTERS_A_LINE)
    drawn = [circle(24, height / 2, 13, "ink thin"), text(24, height / 2 + 6, GOAL_LETTERS[goal], "t big bold")]
    top = height / 2 + 5 - 9 * (len(lines) - 1)
    drawn += [text(48, top + 18 * i, words, "ts") for i, words in enumerate(lines)]
    return Picture(width, height, drawn)
