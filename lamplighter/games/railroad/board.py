"""The board of Railroad: what is printed on it, and the routes that a player has drawn."""

from __future__ import annotations

import functools
from dataclasses import replace

from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad import icons
from lamplighter.games.railroad.components import SIZE, SPACES
from lamplighter.games.railroad.notation import format_space
from lamplighter.games.railroad.tracks import CELL, HALF, route_symbols, symbol_names
from lamplighter.svg import Element, Kept, Picture, group, number, path, rect, text, use

MARGIN = 20  # room for exits
WIDTH = SIZE * CELL + 2 * MARGIN
TOP = 98  # the board's upper edge
BOTTOM = TOP + SIZE * CELL
CORNER = 15  # from the middle of a space to a small icon in its corner


def board_symbols(variant: Variant, needed: set[str]) -> dict[str, list[Element]]:
    """The small things, the special routes, and of the others those that lie on the sheet or can be drawn now."""
    box = variant.box
    found = dict(icons.symbols(bool(box["challenge"]), bool(box["lamps"]), bool(box["power"])))
    for code, symbols in route_symbols(variant).items():
        if code in needed:
            found |= symbols
    return found


def middle(space: int) -> tuple[int, int]:
    return MARGIN + space % SIZE * CELL + HALF, TOP + space // SIZE * CELL + HALF


@functools.lru_cache(maxsize=1)
def board_cells() -> dict[str, tuple[float, float, float, float]]:
    middles = {format_space(space): middle(space) for space in range(SPACES)}
    return {name: (x - HALF, y - HALF, CELL, CELL) for name, (x, y) in middles.items()}


def lifted(picture: Picture, up: float) -> Picture:
    """A picture without its upper part, where the roll would lie."""
    body = [group(*picture.body, transform=f"translate(0 {number(-up)})")]
    cells = {name: (x, y - up, width, height) for name, (x, y, width, height) in picture.cells.items()}
    return replace(picture, height=picture.height - up, body=body, cells=cells)


# --- the board ------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def draw_printed(variant: Variant) -> Element:
    """The frame, the grid, the shaded centre, names of rows and columns, and the exits."""
    box, end = variant.box, SIZE * CELL
    centre = int(box["centre"])
    shaded = "".join(
        f"M{x - HALF} {y - HALF}h{CELL}v{CELL}h-{CELL}z"
        for x, y in (middle(space) for space in range(SPACES) if centre >> space & 1)
    )
    grid = "".join(f"M{MARGIN + i * CELL} {TOP}v{end}M{MARGIN} {TOP + i * CELL}h{end}" for i in range(1, SIZE))
    drawn = [path(shaded, "f-faint soft"), path(grid, "print thin dot soft")]
    offers = box["exit_offers"].tolist()
    for mark, spaces in enumerate(offers):
        for space in range(SPACES):
            if spaces >> space & 1:
                x, y = middle(space)
                turned = f"rotate({mark % 4 * 90} {x} {y})" if mark % 4 else None
                drawn.append(use("xR" if mark >= 4 else "xH", x, y, transform=turned))
    drawn.append(rect(MARGIN, TOP, end, end, "print", 3))
    for i in range(SIZE):
        drawn.append(text(9, TOP + i * CELL + 12, chr(ord("a") + i), "t small p"))
        drawn.append(text(MARGIN + i * CELL + 7, TOP - 6, str(i), "t small p"))
    return Kept(drawn)


def draw_structures(variant: Variant, drawn: int, active: int) -> list[Element]:
    """Printed icons: large in an empty space, in the corner of a drawn one, circled when active."""
    found: list[Element] = []
    for field, name in (("factories", "factory"), ("villages", "village"), ("universities", "university")):
        spaces = int(variant.box[field])
        for space in range(SPACES):
            if spaces >> space & 1:
                x, y = middle(space)
                if (drawn >> space & 1) or space == int(variant.box["accumulator"]):
                    x, y = x + CORNER, y + CORNER
                    found.append(use(f"{name}-small", x, y))
                    if active >> space & 1:
                        found.append(use("ring", x, y))
                else:
                    found.append(use(name, x, y))
    return found


def draw_accumulator(variant: Variant, charges: int) -> Element:
    x, y = middle(int(variant.box["accumulator"]))
    return group(*icons.battery(int(variant.box["most_charges"]), charges), transform=f"translate({x} {y})")


def draw_routes(variant: Variant, state: State, seat: int) -> tuple[list[Element], set[str]]:
    """Every drawn route with its lamp or lightning, and the codes of the routes."""
    box, names = variant.box, symbol_names(variant)
    sides, second = state["sides"][seat].tolist(), state["second"][seat].tolist()
    drawn, stations, lamps, lit, electrified = (
        int(state[field][seat]) for field in ("drawn", "stations", "lamps", "lit", "electrified")
    )
    triggered = drawn if box["lamps_trigger"] else drawn & ~lamps
    active = (triggered & ~int(box["villages"])) | (stations & int(box["villages"]))
    if box["universities_given"]:
        active |= 1 << int(box["accumulator"])
    routes, marks, codes = [], [], set()
    for space in range(SPACES):
        if not drawn >> space & 1:
            continue
        bit = 1 << space
        key = "".join("h" if sides[s] & bit else "r" if sides[4 + s] & bit else "-" for s in range(4))
        key += "*" * bool(stations & bit) + "".join("nesw"[s] for s in range(4) if second[s] & bit)
        symbol = names[key + "o" * bool(lamps & bit)]
        x, y = middle(space)
        codes.add(symbol[:-1])
        routes.append(use(symbol, x, y))
        if lit & bit:
            marks.append(use("lit", x, y))
        if electrified & bit:
            marks.append(use("el", x, y))
    return [*routes, *draw_structures(variant, drawn, active), *marks], codes
