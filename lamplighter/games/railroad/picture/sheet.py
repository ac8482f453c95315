"""The sheet of Railroad as a picture: the roll, the board with its exits, special routes, goals and structures.

Without a state it is the blank sheet to print, with room for the score (§1.11).
"""

from __future__ import annotations

import numpy as np

from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad.components.catalogue import catalogue_of
from lamplighter.games.railroad.components.tables import LINES, POWER_FACES
from lamplighter.games.railroad.picture import side_panels
from lamplighter.games.railroad.picture.board import (
    MARGIN,
    arrowhead,
    bar,
    board_bottom,
    board_cells,
    board_symbols,
    draw_accumulator,
    draw_open_ends,
    draw_printed,
    draw_routes,
    draw_structures,
    lifted,
    sheet_width,
)
from lamplighter.games.railroad.picture.move_targets import legal_sources
from lamplighter.games.railroad.picture.paper import die_face
from lamplighter.score_panel import say_points
from lamplighter.strokes import pencil_check
from lamplighter.svg import Element, Picture, group, path, rect, text

DIE = 40
LEGEND = 18  # the line that says what the marks of open ends mean
BLANK = 42  # a blank sheet has so much less above its board


def draw(variant: Variant, state: State | None, seat: int) -> Picture:
    """Draw a seat's sheet, or the blank one."""
    sources = legal_sources(variant, state, seat) if state is not None else set()
    body: list[Element] = [draw_printed(variant)]
    y: float = board_bottom(variant) + MARGIN + 6
    width = sheet_width(variant)
    if variant.box["power"]:
        body.append(draw_accumulator(variant, 0 if state is None else int(state["charges"][seat])))
    if state is None:
        body += [*side_panels.rounds(variant, MARGIN, width - MARGIN, BLANK + 6), *draw_structures(variant, 0, 0)]
        needed: set[str] = set()
    else:
        drawn, needed = draw_routes(variant, state, seat)
        body += [*_roll(variant, state, seat, sources), *drawn, *draw_open_ends(variant, state, seat)]
        needed |= {catalogue_of(variant).routes[face].code for _, face in _route_dice(variant, state)}
    more, y = side_panels.draw(variant, state, seat, sources, MARGIN, width - MARGIN, y)
    if state is not None:
        more += _legend(y)
        y += LEGEND
    routes = catalogue_of(variant).routes
    needed |= {route.code for route in routes[catalogue_of(variant).specials :]}
    sheet = Picture(width, y, body + more, board_symbols(variant, needed), board_cells(variant))
    return lifted(sheet, BLANK) if state is None else sheet


def _legend(y: float) -> list[Element]:
    """§7.4 Say what the marks of open ends mean."""
    return [
        path(arrowhead(MARGIN, y + 7, 1, 0), "error both"),
        text(MARGIN + 14, y + 11, "open end: −1", "ts small p"),
        path(bar(MARGIN + 120, y + 7, 1, 0), "error fat"),
        text(MARGIN + 130, y + 11, "cannot be joined any more: −1", "ts small p"),
    ]


def _route_dice(variant: Variant, state: State) -> list[tuple[int, int]]:
    """Return the dice that show routes and are rolled: number and route."""
    last = min(int(variant.box["route_dice"]) + int(variant.box["lamp_dice"]), int(state["rolled"]))
    return list(enumerate(state["dice"][:last].tolist()))


def _roll(variant: Variant, state: State, seat: int, sources: set[str]) -> list[Element]:
    """The round and its dice; those drawn already are pale with a tick, those that can be used have a dotted ring."""
    box, width = variant.box, sheet_width(variant)
    rolled, todo, all_dice = int(state["rolled"]), int(state["todo"][seat]), int(box["dice"])
    turn, rounds = int(state["turn"]), int(box["rounds"])
    if turn > rounds:
        total = variant.game.rules.score(box, state, seat, np.zeros(len(LINES), np.int64))
        return [
            text(MARGIN, 19, "The end", "ts bold"),
            text(width / 2, 58, say_points(total), "t big bold"),
        ]
    drawn = [text(MARGIN, 19, f"Round {turn} of {rounds}" if turn else "Goals are drawn", "ts bold")]
    if status := _status(variant, state, seat):
        drawn.append(text(width - MARGIN, 19, status, "te small"))
    step = min(DIE + 8.0, (width - 2 * MARGIN + 4) / max(1, all_dice))
    size = min(DIE, step - 4)
    shown = dict(_route_dice(variant, state))
    for die in range(rolled):
        x, y = MARGIN + die * step + size / 2, 28 + size / 2
        face = int(state["dice"][die])
        route = catalogue_of(variant).routes[shown[die]] if die in shown else None
        source = route.name if route is not None else POWER_FACES[face]
        now = (die in shown) != bool(state["power_step"])
        used = rolled == all_dice and not todo >> die & 1 and (now or die in shown)
        parts = [die_face(variant, x, y, size, route.code if route is not None else POWER_FACES[face])]
        if used:
            parts = [group(*parts, class_="soft"), pencil_check(x, y, size / 2 - 7, "green")]
        elif source in sources:
            parts.append(rect(x - size / 2 - 2, y - size / 2 - 2, size + 4, size + 4, "may", 9))
        drawn.append(group(*parts, data_source=None if used else source))
    for die in range(rolled, all_dice if turn else 0):
        drawn.append(rect(MARGIN + die * step, 28, size, size, "print thin gap", 8))
    return drawn


def _status(variant: Variant, state: State, seat: int) -> str:
    """Return what the seat is to do, in words."""
    if int(state["turn"]) == 0:
        return ""
    if int(state["rolled"]) < int(variant.box["dice"]):
        return "the dice are being rolled"
    if int(state["done"]) >> seat & 1:
        return "done"
    if state["choosing"][seat]:
        return "light a row or column of lamps"
    if state["extra"][seat]:
        return "a university gives a special route"
    if state["power_step"]:
        return "use the Power Grid dice"
    copies = int(state["copies"][seat])
    return "a factory copies a result" if copies == 1 else f"{copies} factory copies" if copies else ""
