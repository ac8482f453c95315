"""The board of Railroad: what is printed on it, and the routes that a player has drawn."""

from __future__ import annotations

import functools
from dataclasses import replace

from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad.explain import open_ends
from lamplighter.games.railroad.notation import format_space, place
from lamplighter.games.railroad.picture import icons
from lamplighter.games.railroad.picture.route_symbols import CELL, HALF, route_symbols, symbol_names
from lamplighter.svg import Element, Kept, Picture, group, number, path, rect, text, use

MARGIN = 20  # room for exits
TOP = 98  # the board's upper edge
LEAST = 7  # columns for which there is always room: what is around the board needs it
CORNER = 15  # from the middle of a space to a small icon in its corner


def board_symbols(variant: Variant, needed: set[str]) -> dict[str, list[Element]]:
    """Return the symbols a sheet needs: small things, special routes, and other routes that are drawn or can be drawn now."""
    found = dict(icons.symbols_of(variant))
    for code, symbols in route_symbols(variant).items():
        if code in needed:
            found |= symbols
    return found


def sheet_width(variant: Variant) -> int:
    return max(int(variant.box["columns"]), LEAST) * CELL + 2 * MARGIN


def board_left(variant: Variant) -> int:
    """Return where the board begins: a narrow one is in the middle of the sheet."""
    return MARGIN + max(0, LEAST - int(variant.box["columns"])) * CELL // 2


def board_bottom(variant: Variant) -> int:
    return TOP + int(variant.box["rows"]) * CELL


def middle(variant: Variant, space: int) -> tuple[int, int]:
    row, column = place(variant, space)
    return board_left(variant) + column * CELL + HALF, TOP + row * CELL + HALF


@functools.lru_cache(maxsize=64)
def board_cells(variant: Variant) -> dict[str, tuple[float, float, float, float]]:
    middles = {format_space(variant, space): middle(variant, space) for space in range(int(variant.box["spaces"]))}
    return {name: (x - HALF, y - HALF, CELL, CELL) for name, (x, y) in middles.items()}


def lifted(picture: Picture, up: float) -> Picture:
    """Return a picture without its upper part, where the roll would be."""
    body = [group(*picture.body, transform=f"translate(0 {number(-up)})")]
    cells = {name: (x, y - up, width, height) for name, (x, y, width, height) in picture.cells.items()}
    return replace(picture, height=picture.height - up, body=body, cells=cells)


# --- the board ------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def draw_printed(variant: Variant) -> Element:
    """Draw the frame, the grid, the shaded centre, names of rows and columns, and the exits."""
    box, left = variant.box, board_left(variant)
    rows, columns, spaces = (int(box[name]) for name in ("rows", "columns", "spaces"))
    wide, high = columns * CELL, rows * CELL
    centre = int(box["centre"])
    shaded = "".join(
        f"M{x - HALF} {y - HALF}h{CELL}v{CELL}h-{CELL}z"
        for x, y in (middle(variant, space) for space in range(spaces) if centre >> space & 1)
    )
    upright = "".join(f"M{left + i * CELL} {TOP}v{high}" for i in range(1, columns))
    grid = upright + "".join(f"M{left} {TOP + i * CELL}h{wide}" for i in range(1, rows))
    drawn = [path(shaded, "f-faint soft"), path(grid, "print thin dot soft")]
    offers = box["exit_offers"].tolist()
    for mark, exits in enumerate(offers):
        for space in range(spaces):
            if exits >> space & 1:
                x, y = middle(variant, space)
                turned = f"rotate({mark % 4 * 90} {x} {y})" if mark % 4 else None
                drawn.append(use("xR" if mark >= 4 else "xH", x, y, transform=turned))
    drawn.append(rect(left, TOP, wide, high, "print", 3))
    for i in range(rows):
        drawn.append(text(left - 11, TOP + i * CELL + 12, chr(ord("a") + i), "t small p"))
    for i in range(columns):
        drawn.append(text(left + i * CELL + 7, TOP - 6, str(i), "t small p"))
    return Kept(drawn)


def draw_structures(variant: Variant, drawn: int, active: int) -> list[Element]:
    """Draw printed icons: large in an empty space, in the corner of a drawn one, circled when active."""
    found: list[Element] = []
    for field, name in (("factories", "factory"), ("villages", "village"), ("universities", "university")):
        spaces = int(variant.box[field])
        for space in range(spaces.bit_length()):
            if spaces >> space & 1:
                x, y = middle(variant, space)
                if (drawn >> space & 1) or space == int(variant.box["accumulator"]):
                    x, y = x - CORNER, y + CORNER
                    found.append(use(f"{name}-small", x, y))
                    if active >> space & 1:
                        found.append(use("ring", x, y))
                else:
                    found.append(use(name, x, y))
    return found


def draw_accumulator(variant: Variant, charges: int) -> Element:
    x, y = middle(variant, int(variant.box["accumulator"]))
    return group(*icons.battery(int(variant.box["most_charges"]), charges), transform=f"translate({x} {y})")


def draw_routes(variant: Variant, state: State, seat: int) -> tuple[list[Element], set[str]]:
    """Draw every route with its lamp or lightning; return also the codes of the routes."""
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
    for space in range(drawn.bit_length()):
        if not drawn >> space & 1:
            continue
        bit = 1 << space
        key = "".join("h" if sides[s] & bit else "r" if sides[4 + s] & bit else "-" for s in range(4))
        key += "*" * bool(stations & bit) + "".join("nesw"[s] for s in range(4) if second[s] & bit)
        symbol = names[key + "o" * bool(lamps & bit)]
        x, y = middle(variant, space)
        codes.add(symbol[:-1])
        routes.append(use(symbol, x, y))
        if lit & bit:
            marks.append(use("lit", x, y))
        if electrified & bit:
            marks.append(use("el", x, y))
    return [*routes, *draw_structures(variant, drawn, active), *marks], codes


def draw_open_ends(variant: Variant, state: State, seat: int) -> list[Element]:
    """§7.4 Mark the ends that cost a point: an arrowhead while they can still be joined, a bar when the next space is drawn."""
    drawn, columns = int(state["drawn"][seat]), int(variant.box["columns"])
    steps = ((0, -1, -columns), (1, 0, 1), (0, 1, columns), (-1, 0, -1))  # x, y and space of the neighbour
    open_, lost = "", ""
    for space, side in open_ends(variant, state, seat):
        dx, dy, step = steps[side]
        x, y = middle(variant, space)
        x, y = x + dx * HALF, y + dy * HALF
        if drawn >> space + step & 1:
            lost += bar(x, y, dx, dy)
        else:
            open_ += arrowhead(x, y, dx, dy)
    return [path(d, style) for d, style in ((open_, "error both"), (lost, "error fat")) if d]


def arrowhead(x: float, y: float, dx: int, dy: int) -> str:
    """Return an arrowhead just outside the edge at x, y, as a path."""
    near, far, half = 2, 7, 6
    ends = [(near, -half), (far, 0), (near, half)]
    return "M" + "L".join(
        f"{number(x + dx * out - dy * along)} {number(y + dy * out + dx * along)}" for out, along in ends
    )


def bar(x: float, y: float, dx: int, dy: int) -> str:
    """Return a bar along the edge at x, y, as a path."""
    return f"M{number(x - dy * 8)} {number(y - dx * 8)}L{number(x + dy * 8)} {number(y + dx * 8)}"
