"""The figures of the rules booklet, drawn from positions of the usual box."""

from __future__ import annotations

from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad.board import (
    MARGIN,
    TOP,
    WIDTH,
    board_symbols,
    draw_accumulator,
    draw_printed,
    draw_routes,
    lifted,
    middle,
)
from lamplighter.games.railroad.catalogue import ORIENTATIONS, lie_text
from lamplighter.games.railroad.counted import score_cells
from lamplighter.games.railroad.notation import catalogue_of, parse_position, parse_space
from lamplighter.games.railroad.printed import die_face
from lamplighter.games.railroad.tracks import CELL, HALF
from lamplighter.pen import pencil_cross
from lamplighter.svg import Element, Picture, group, rect, text, use

LIFT = TOP - 30  # figures have no roll above the board
EMPTY = "/7/7/7/7/7"
STARTED = f"1h-h-5/7{EMPTY}"
CURVES = {"b1 ne": True, "d0 nw": True, "a3 ne": False, "e4 ne": False}  # where a highway curve may go
SCORED = f"1hh---h-h-h-h-h-hh--h1/-r-r-rrr5{EMPTY}"
POWERED = "7/7/7/-h-h!-h-h!-h-h!4/7/7/7"


def figures(variant: Variant) -> list[tuple[str, Picture]]:
    """The routes of the dice and the special ones; of the usual box also worked examples."""
    found = [_faces(variant)]
    if variant.own_box:
        return found
    usual = Variant(variant.game)
    found += [_where(usual), _scored(usual)]
    if variant.box["power"]:
        found.append(_electrified(Variant(variant.game, {"expansion": "power"})))
    return found


def _faces(variant: Variant) -> tuple[str, Picture]:
    """§1 Every route once, with its name."""
    routes = catalogue_of(variant).routes
    step, row, drawn = (WIDTH - 2 * MARGIN) / 4, 76, []
    for i, route in enumerate(routes):
        x, y = MARGIN + (i % 4 + 0.5) * step, 28 + i // 4 * row
        drawn.append(die_face(variant, x, y, 44, route.code))
        first, _, second = route.name.partition("-")
        drawn += [text(x, y + 34, first, "t small"), text(x, y + 45, second, "t small")]
    height = 12 + -(-len(routes) // 4) * row
    words = "The routes of the dice, and the special routes, with the names that moves use."
    return words, Picture(WIDTH, height, drawn, board_symbols(variant, {route.code for route in routes}))


def example(variant: Variant, sheet: str, charges: int = 0) -> State:
    """A position of one player before the roll of round 2, by the routes drawn."""
    return parse_position(variant, f"2;-;-;{sheet},-,-,0.0,-,{charges},0.0.0")


def _board(variant: Variant, state: State, more: list[Element], needed: set[str]) -> Picture:
    """A board with the routes of a position, and something on it."""
    drawn, codes = draw_routes(variant, state, 0)
    body = [draw_printed(variant), *drawn, *more]
    if variant.box["power"]:
        body.insert(1, draw_accumulator(variant, int(state["charges"][0])))
    return lifted(Picture(WIDTH, TOP + WIDTH - MARGIN + 4, body, board_symbols(variant, codes | needed)), LIFT)


def _where(variant: Variant) -> tuple[str, Picture]:
    """§3 One curve in four places: with a dotted ring where it fits, else crossed."""
    more: list[Element] = []
    route = next(route for route in catalogue_of(variant).routes if route.name == "highway-curve")
    for place, fits in CURVES.items():
        space, lie = place.split(" ")
        x, y = middle(parse_space(space))
        orientation = next(i for i in range(ORIENTATIONS) if lie_text(route.lie(i)) == lie)
        more.append(group(use(f"{route.code}{orientation}", x, y), class_="soft"))
        more.append(rect(x - 22, y - 22, 44, 44, "may", 6) if fits else pencil_cross(x, y, 16, "error"))
    words = (
        "Where a highway curve may go: it continues the route in a1, or the exit beside d0. In a3 it would meet a "
        "railway, in e4 it would stand alone (§3)."
    )
    return words, _board(variant, example(variant, STARTED), more, {route.code})


def _lit(cells: list[str]) -> list[Element]:
    middles = [middle(parse_space(cell)) for cell in dict.fromkeys(cells)]
    return [rect(x - HALF + 1, y - HALF + 1, CELL - 2, CELL - 2, "why", 6) for x, y in middles]


def _scored(variant: Variant) -> tuple[str, Picture]:
    """§7 Two exits, two longest lines, two open ends."""
    state = example(variant, SCORED)
    words = (
        "Two exits in one network are worth 4, the longest highway 5 and the longest railway 2. The two open ends in "
        "b1 cost a point each (§7)."
    )
    return words, _board(variant, state, _lit(score_cells(variant, state, 0)["errors"]), set())


def _electrified(variant: Variant) -> tuple[str, Picture]:
    """§6.6 Two charges, one exit."""
    words = "Electrified spaces join the exit beside d0 to the accumulator: 2 charges × 1 exit are 2 points (§6.6)."
    return words, _board(variant, example(variant, POWERED, 2), [], set())
