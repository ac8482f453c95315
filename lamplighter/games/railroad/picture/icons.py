"""Small things on the sheet of Railroad, each around its own middle: houses, lanterns, lightning, structures, exits."""

from __future__ import annotations

import functools

from lamplighter.engine.variant import Variant
from lamplighter.games.railroad.picture.route_symbols import CELL, HALF, highway, railway
from lamplighter.strokes import pencil_circle
from lamplighter.svg import Element, Kept, circle, element, path, rect, use

STUB = 17  # how far an exit reaches out of the frame
MAX_CELLS = 6  # cells that a battery has room for
LANTERN = (17, -16)  # where a lantern stands in its space
BOLT = "M2.5 -8L-4.5 1.5H-.5L-2.5 8L5 -2.5H.8Z"


def house() -> list[Element]:
    """Draw a station on the joint."""
    walls, roof = "M-8.5 -3V8.5H8.5V-3", "M-11.5 -2.5L0 -12L11.5 -2.5Z"
    return [
        path(walls, "f-paper"), path(roof, "f-warm"), path(walls, "ink both"), path(roof, "ink both"),
        path("M-2.5 8.5V2.5H2.5V8.5", "f-ink"),
    ]  # fmt: skip


def lamp(lit: bool) -> list[Element]:
    """Draw a lantern on a short post in the upper right corner; a lit one has rays."""
    x, y = LANTERN
    glass = f"M{x - 3} {y - 3}h6l-1 6h-4z"
    cap, post = f"M{x - 4} {y - 3}l4 -3.5l4 3.5z", f"M{x} {y + 3}v5M{x - 2.5} {y + 8}h5"
    drawn = [path(glass, "f-lamp" if lit else "f-paper"), path(f"{glass}{post}", "ink thin"), path(cap, "f-ink")]
    if lit:
        rays = f"M{x - 5} {y}h-3M{x + 5} {y}h2.2M{x - 4.5} {y + 3.5}l-2.5 1.7M{x + 4.5} {y + 3.5}l2 1.5"
        rays += f"M{x - 5} {y - 4.5}l-2 -1.6M{x + 5} {y - 4.5}l1.5 -1.4"
        drawn.append(path(rays, "ink thin"))
        drawn.insert(0, circle(x, y, 6.5, "f-lamp soft"))
    return drawn


def bolt() -> list[Element]:
    """Draw electricity."""
    return [path(BOLT, "f-power"), path(BOLT, "ink thin")]


def factory() -> list[Element]:
    walls = "M-13 11V-2L-6 -7V-2L1 -7V-2H4L5.5 -13H9L10.5 -2H13V11Z"
    return [path(walls, "print both"), path("M-8 5h3M-1 5h3M6 5h3", "print")]


def village() -> list[Element]:
    left, right = "M-12 10V1L-6.5 -5L-1 1V10Z", "M-1 10V-3L6 -10L13 -3V10"
    return [path(f"{left}{right}Z", "print both"), path("M-8.5 10v-4h3.5v4M4 10v-5h4v5", "print thin")]


def university() -> list[Element]:
    """Draw a front with columns."""
    front = "M-13 -4L0 -12L13 -4ZM-12 11H12M-13 -1H13"
    return [path(front, "print both"), path("M-9 2v6M-3 2v6M3 2v6M9 2v6", "print")]


def exit_stub(kind: str) -> list[Element]:
    """Draw a printed stub that leaves the space at the top."""
    d = f"M0 {-HALF - 1}V{-HALF - STUB}"
    if kind == "H":
        edges, road, _ = highway(d, "")
        edges.attributes["class"] = "print w16 butt"
        return [edges, road, path(f"M0 {-HALF - 4}v-3.5M0 {-HALF - 11}v-3.5", "print thin")]
    ties = "".join(f"M-6 {-HALF - p}h12" for p in (4, 9.5, 15))
    return railway(d, ties, pen="print")


def arrow(spaces: int) -> list[Element]:
    """Draw an arrow upwards into the space in its middle, over so many new spaces, with a bolt in each."""
    tail = (spaces - 1) * CELL + HALF + 8
    bolts = "".join(f"M2.5 {i * CELL - 8}l-7 9.5h4l-2 6.5l7.5 -10.5h-4.2z" for i in range(spaces))
    return [path(f"M-14 {tail}V-14M-19 -8l5 -8l5 8", "power"), path(bolts, "f-power"), path(bolts, "ink thin")]


def line_of_lamps(spaces: int) -> list[Element]:
    """Draw a row in which lamps are to be lit."""
    width = spaces * CELL - 4
    return [rect(-width / 2, -HALF + 2, width, CELL - 4, "w-lamp", 10)]


def battery(cells: int, charges: int) -> list[Element]:
    """Draw the accumulator: a circle for each charge it can hold, filled when it has it."""
    shown = min(cells, MAX_CELLS)
    width = 32.0
    drawn = [
        rect(-HALF + 3, -HALF + 3, CELL - 6, CELL - 6, "f-paper", 6),
        rect(-width / 2, -9, width, 22, "ink", 4),
        path("M-10 -9v-5h6v5M4 -9v-5h6v5", "ink both"),
    ]
    step = (width - 5) / max(1, shown)
    for i in range(shown):
        x = -width / 2 + 2.5 + i * step
        full = charges - i > 0 if cells <= MAX_CELLS else charges * shown >= (i + 1) * cells
        drawn.append(circle(x + step / 2, 2, min(4.0, step / 2 - 0.5), "f-ink" if full else "print thin"))
    return drawn


def charge() -> list[Element]:
    """Draw a charge before it is made."""
    return [rect(-HALF + 3, -HALF + 3, CELL - 6, CELL - 6, "w-lamp", 6), *bolt()]


def _small(structure: str) -> list[Element]:
    """Draw a structure in the corner of a drawn space."""
    return [circle(0, 0, 9, "f-paper"), element("use", href=f"#{structure}", transform="scale(.48)")]


def symbols_of(variant: Variant) -> dict[str, list[Element]]:
    """Return the small symbols that a variant needs."""
    box = variant.box
    parts = (bool(box[name]) for name in ("challenge", "lamps", "power"))
    return symbols(*parts, int(box["rows"]), int(box["columns"]))


@functools.cache
def symbols(challenge: bool, lamps: bool, power: bool, rows: int, columns: int) -> dict[str, list[Element]]:
    found = {"house": house(), "xH": exit_stub("H"), "xR": exit_stub("R")}
    if challenge:
        large = {"factory": factory(), "village": village(), "university": university()}
        found |= large | {f"{name}-small": _small(name) for name in large}
        found["ring"] = [pencil_circle(0, 0, 9, "ink both")]
    if lamps:
        found |= {
            "lamp": lamp(lit=False),
            "lit": lamp(lit=True),
            "row": line_of_lamps(columns),
            "column": line_of_lamps(rows),
        }
    if power:
        corner = use("bolt", 0, 0, transform="translate(17 15) scale(.85)")
        found |= {"bolt": bolt(), "el": [corner], "charge": charge()}
        found |= {f"go{n}": arrow(n) for n in range(1, max(rows, columns) + 1)}
    return {name: [Kept(parts)] for name, parts in found.items()}
