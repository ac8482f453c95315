"""The figures of the rules booklet, drawn from positions of the usual box."""

from __future__ import annotations

from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad.components.catalogue import ORIENTATIONS, catalogue_of, picture_sides
from lamplighter.games.railroad.explain import score_cells
from lamplighter.games.railroad.notation import parse_position, parse_space
from lamplighter.games.railroad.picture import icons
from lamplighter.games.railroad.picture.board import (
    MARGIN,
    TOP,
    board_bottom,
    board_symbols,
    draw_accumulator,
    draw_printed,
    draw_routes,
    lifted,
    middle,
    sheet_width,
)
from lamplighter.games.railroad.picture.paper import die_face
from lamplighter.games.railroad.picture.route_symbols import CELL, HALF
from lamplighter.strokes import pencil_cross
from lamplighter.svg import Element, Picture, group, number, rect, text, use

LIFT = TOP - 30  # figures have no roll above the board
EMPTY = "/7/7/7/7/7"
STARTED = f"1h-h-5/7{EMPTY}"
CURVES = {"b1 ne": True, "d0 nw": True, "a3 ne": False, "e4 ne": False}  # where a highway curve may go
SCORED = f"1hh---h-h-h-h-h-hh--h1/-r-r-rrr5{EMPTY}"
CHALLENGE = "7/7/-hh-6/hh-h-hhh-h-h---h2-hh-/1h-h-4h-h-/4h-r-*2/3-rr-r--r2"
LIT = f"1hh--i-hhhi-h-h-hhhi2/2hhhh1h-h-o2{EMPTY}"
ARROWS = "1hh--!-h-h!r--h*!3/-r-r-r-r-r-r4/2--hh4/-h-h-h-hhh-h4/7/7/7"
LINKED = "1hh--!-hhh!r--h*!1h-h-!1/2h-h-!1-h-h!h--h!1/2h-h-!4/-h-h!-h-h!h-hh!4/2h-h-!4/--rr!1h-h-!4/rh--*!-hhh!h--h!4"
HIGHWAY_CROSSROADS = 2  # the number of the special route in LIT


def figures(variant: Variant) -> list[tuple[str, Picture]]:
    """Return the routes of the dice and the special ones; of the usual box also worked examples, those of its parts last."""
    found = [_faces(variant)]
    if variant.own_box:
        return found
    game, box = variant.game, variant.box
    usual = Variant(game)
    found += [_where(usual), _scored(usual)]
    if box["challenge"]:
        found.append(_structures(Variant(game, {"edition": "challenge", "goals": "abc"})))
    if box["lamps"]:
        found.append(_lamps(Variant(game, {"expansion": "lamps"})))
    if box["power"]:
        powered = Variant(game, {"expansion": "power"})
        found += [_charges(powered), _arrows(powered), _linked(powered)]
    return found


def _faces(variant: Variant) -> tuple[str, Picture]:
    """§1 Every route once, with its name."""
    routes = catalogue_of(variant).routes
    step, row, drawn = (sheet_width(variant) - 2 * MARGIN) / 4, 76, []
    for i, route in enumerate(routes):
        x, y = MARGIN + (i % 4 + 0.5) * step, 28 + i // 4 * row
        drawn.append(die_face(variant, x, y, 44, route.code))
        first, _, second = route.name.partition("-")
        drawn += [text(x, y + 34, first, "t small"), text(x, y + 45, second, "t small")]
    height = 12 + -(-len(routes) // 4) * row
    words = "The routes of the dice, and the special routes, with the names that moves use."
    return words, Picture(sheet_width(variant), height, drawn, board_symbols(variant, {route.code for route in routes}))


def example(variant: Variant, sheet: str, charges: int = 0, special: int | None = None) -> State:
    """A position of one player after the last round, by the routes drawn; at most one special route is used."""
    end, goals = int(variant.box["rounds"]) + 1, "abc" if variant.box["challenge"] else "-"
    used = "-,0.0" if special is None else f"{special},1.0"
    return parse_position(variant, f"{end};{goals};-;{sheet},-,{used},-,{charges},0.0.0")


def _board(variant: Variant, state: State, more: list[Element], needed: set[str]) -> Picture:
    """Draw a board with the routes of a position, and something on it."""
    drawn, codes = draw_routes(variant, state, 0)
    body = [draw_printed(variant), *drawn, *more]
    if variant.box["power"]:
        body.insert(1, draw_accumulator(variant, int(state["charges"][0])))
    return lifted(
        Picture(sheet_width(variant), board_bottom(variant) + MARGIN + 4, body, board_symbols(variant, codes | needed)),
        LIFT,
    )


def _where(variant: Variant) -> tuple[str, Picture]:
    """§3 One curve in four places: with a dotted ring where it fits, else crossed."""
    more: list[Element] = []
    route = next(route for route in catalogue_of(variant).routes if route.name == "highway-curve")
    for place, fits in CURVES.items():
        space, sides = place.split(" ")
        x, y = middle(variant, parse_space(variant, space))
        orientation = next(i for i in range(ORIENTATIONS) if picture_sides(route.turned(i)) == sides)
        more.append(group(use(f"{route.code}{orientation}", x, y), class_="soft"))
        more.append(rect(x - 22, y - 22, 44, 44, "may", 6) if fits else pencil_cross(x, y, 16, "error"))
    words = (
        "Where a highway curve may go: it continues the route in a1, or the exit beside d0. In a3 it would meet a "
        "railway, in e4 it would stand alone (§3)."
    )
    return words, _board(variant, example(variant, STARTED), more, {route.code})


def _lit(variant: Variant, cells: list[str]) -> list[Element]:
    middles = [middle(variant, parse_space(variant, cell)) for cell in dict.fromkeys(cells)]
    return [rect(x - HALF + 1, y - HALF + 1, CELL - 2, CELL - 2, "why", 6) for x, y in middles]


def _scored(variant: Variant) -> tuple[str, Picture]:
    """§7 Two exits, two longest lines, two open ends."""
    state = example(variant, SCORED)
    words = (
        "Two exits in one network are worth 4, the longest highway 5 and the longest railway 2. The two open ends in "
        "b1 cost a point each (§7)."
    )
    return words, _board(variant, state, _lit(variant, score_cells(variant, state, 0)["errors"]), set())


def _structures(variant: Variant) -> tuple[str, Picture]:
    """§4.1–§4.3 Three universities, a village, a factory."""
    words = (
        "Routes in c0, e1 and d3 make three universities active: the third gives a special route at once. The station in f4 "
        "is worth 2 for its village, and the highway in e6 let a factory copy a result (§4)."
    )
    return words, _board(variant, example(variant, CHALLENGE), [], set())


def _lamps(variant: Variant) -> tuple[str, Picture]:
    """§5.1 Three lamps of the first row."""
    x, y = middle(variant, parse_space(variant, "a3"))
    state = example(variant, LIT, special=HIGHWAY_CROSSROADS)
    words = (
        "After the special route in b2 Suzanne has chosen the top row: its three lamps are active and worth 3 points. The lamp "
        "in b4 is not (§5.1)."
    )
    return words, _board(variant, state, [use("row", x, y)], set())


def _charges(variant: Variant) -> tuple[str, Picture]:
    """§6.4 The accumulator, from empty to full."""
    most = int(variant.box["most_charges"])
    step = (sheet_width(variant) - 2 * MARGIN) / (most + 1)
    drawn: list[Element] = []
    for charges in range(most + 1):
        x = MARGIN + (charges + 0.5) * step
        drawn.append(group(*icons.battery(most, charges), transform=f"translate({number(x)} 32)"))
        drawn.append(text(x, 66, "empty" if not charges else f"charge {charges}", "t small"))
    return "The accumulator: a circle is filled for each charge (§6.4).", Picture(sheet_width(variant), 78, drawn, {})


def _arrows(variant: Variant) -> tuple[str, Picture]:
    """§6.3, §6.4 The three examples of the leaflet, numbered."""
    more: list[Element] = []
    for space, symbol, quarters in (("d2", "go3", 1), ("d3", "charge", 0), ("c2", "go2", 2)):
        x, y = middle(variant, parse_space(variant, space))
        more.append(use(symbol, x, y, transform=f"rotate({quarters * 90} {x} {y})" if quarters else None))
    for label, space, dx, dy in (("1", "d0", 0, 21), ("2", "d4", -17, 5), ("3", "b3", -17, -8)):
        x, y = middle(variant, parse_space(variant, space))
        more.append(text(x + dx, y + dy, label, "t bold"))
    words = (
        "Three uses of a die. 1: right, from the exit beside d0. 2: right again, from d2 onto the accumulator, which is charged. "
        "3: down, from a2 over a railway and a curve (§6.3, §6.4)."
    )
    return words, _board(variant, example(variant, ARROWS), more, set())


def _linked(variant: Variant) -> tuple[str, Picture]:
    """§6.6 Two charges, five exits."""
    words = (
        "Electrified spaces link five exits to Suzanne's accumulator, not the one above a5: 5 exits × 2 charges are 10 points "
        "(§6.6)."
    )
    return words, _board(variant, example(variant, LINKED, 2), [], set())
