"""Symbols for strands: a wire with bulbs and black dots, arched over streets, dashed where it is dashed.

How a strand is turned is written as its steps from the first square on, such as `ee` or `sse`; where a step goes to no
neighbour, steps have points between them, such as `e.e.sw`. Each shape is drawn once; its other orientations turn and
mirror that symbol.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lamplighter.games.switch_on.components import dots_of, is_reversible, links_of, names
from lamplighter.games.switch_on.notation import placement_squares
from lamplighter.games.switch_on.picture.symbols import SIDE
from lamplighter.svg import Element, circle, element, number, path

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

Point = tuple[float, float]
Curve = tuple[Point, Point, Point]  # a start, what pulls the curve, and its end
Matrix = tuple[float, float, float, float, float, float]  # as SVG writes it: x goes to (a, b), y to (c, d), 0 to (e, f)

STEPS = {(0, 1): "e", (1, 0): "s", (0, -1): "w", (-1, 0): "n"}
SAG, LIFT = 4, 24  # how far the middle of a step hangs down, and of an arch stands up, is half of this
BULBS, HANG = (0.29, 0.71), 3.5  # where bulbs are on the way from square to square, and how far below
TURNS = tuple((a, b, -b, a) for a, b in ((1, 0), (0, 1), (-1, 0), (0, -1)))
MATRICES = (*TURNS, *((a, b, -c, -d) for a, b, c, d in TURNS))


# --- orientation ------------------------------------------------------------------------------------------------


def steps_of(squares: list[int], cols: int) -> str:
    """Return the steps from square to square.

    >>> steps_of([0, 1, 5], 4), steps_of([0, 1, 2, 5], 4)
    ('es', 'e.e.sw')
    """
    steps = []
    for one, two in itertools.pairwise(squares):
        down, right = two // cols - one // cols, two % cols - one % cols
        steps.append(("s" * down or "n" * -down) + ("e" * right or "w" * -right))
    return "".join(steps) if all(len(step) == 1 for step in steps) else ".".join(steps)


def points_of(steps: str) -> list[Point]:
    """Return the middles of the squares along these steps, the first at 0."""
    points: list[Point] = [(0, 0)]
    for step in steps.split(".") if "." in steps else steps:
        x, y = points[-1]
        for letter in step:
            down, right = next(way for way, name in STEPS.items() if name == letter)
            x, y = x + right * SIDE, y + down * SIDE
        points.append((x, y))
    return points


def is_arch(variant: Variant, shape: int) -> bool:
    """Return whether a shape is a straight light strand of which only the ends, which have dots, are on shops."""
    entry = variant.file.get("shapes", shape)
    rows, cols, grounds = zip(*entry["cells"], strict=True)
    last = len(rows) - 1
    straight = len(set(rows)) == 1 or len(set(cols)) == 1
    joined = set(dots_of(entry)) == {0, last} and links_of(entry) == list(itertools.pairwise(range(last + 1)))
    return bool(entry["kind"] == "light" and last > 1 and straight and joined and set(grounds[1:-1]) == {"e"})


def find_matrix(base: list[Point], wanted: list[Point], reversible: bool) -> Matrix:
    """Return how one strand is laid onto another of the same shape; if it is reversible, whichever end is first."""
    for a, b, c, d in MATRICES:
        turned = [(a * x + c * y, b * x + d * y) for x, y in base]
        for way in (turned, turned[::-1]) if reversible else (turned,):
            x, y = way[0]
            if [(px - x, py - y) for px, py in way] == wanted:
                return a, b, c, d, -x, -y
    raise ValueError(f"{wanted} is not {base}, turned or mirrored")


# --- wire and bulbs ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Strand:
    """One shape in one orientation, the middle of its first square at 0."""

    symbol: str
    kind: str  # light or dashed
    wire: tuple[Curve, ...]
    bulbs: tuple[Point, ...]
    dots: tuple[Point, ...]

    def wire_path(self, x: float = 0, y: float = 0) -> str:
        """Return the wire as a path, the first square at x, y."""
        drawn, before = "", None
        for start, pull, end in self.wire:
            first, middle, last = (f"{number(px + x)} {number(py + y)}" for px, py in (start, pull, end))
            drawn += f"Q{middle} {last}" if start == before else f"M{first}Q{middle} {last}"
            before = end
        return drawn

    def bulb_path(self, x: float = 0, y: float = 0) -> str:
        """Return the middles of the bulbs, as a path of points."""
        return "".join(f"M{number(px + x)} {number(py + y)}h0" for px, py in self.bulbs)


def string(symbol: str, points: list[Point], kind: str, entry: dict[str, Any]) -> Strand:
    """Return a strand of a shape over these points; kind is light, arch or dashed."""
    wire, bulbs = list[Curve](), list[Point]()
    if kind == "arch":
        (x, y), (right, bottom) = points[0], points[-1]
        top = ((x + right) / 2, y - LIFT) if y == bottom else (x - LIFT, (y + bottom) / 2)
        wire.append((points[0], top, points[-1]))
        count = 2 * len(points) - 2
        bulbs = [_on_curve((i + 0.5) / count, points[0], top, points[-1]) for i in range(count)]
    else:
        for (x, y), (right, bottom) in ((points[i], points[j]) for i, j in links_of(entry)):
            sag, hang = (0, 0) if kind == "dashed" else (SAG, HANG)
            down, aside = (1, 0) if y == bottom else (0, 1)
            wire.append(((x, y), ((x + right) / 2 + aside * sag, (y + bottom) / 2 + down * sag), (right, bottom)))
            if kind == "light":
                ways = ((x + t * (right - x), y + t * (bottom - y)) for t in BULBS)
                bulbs += [(px + aside * hang, py + down * hang) for px, py in ways]
    bulbs = bulbs or [points[0]] * (kind == "light")  # a strand of one square
    rounded = tuple((round(x, 1), round(y, 1)) for x, y in bulbs)
    dots = tuple(points[dot] for dot in dots_of(entry))
    return Strand(symbol, "dashed" if kind == "dashed" else "light", tuple(wire), rounded, dots)


def _on_curve(t: float, start: Point, pull: Point, end: Point) -> Point:
    weights = ((1 - t) ** 2, 2 * t * (1 - t), t * t)
    x, y = (sum(w * p[i] for w, p in zip(weights, (start, pull, end), strict=True)) for i in (0, 1))
    return x, y


def _move(strand: Strand, symbol: str, matrix: Matrix) -> Strand:
    a, b, c, d, e, f = matrix

    def moved(point: Point) -> Point:
        x, y = point
        return a * x + c * y + e, b * x + d * y + f

    wire = tuple((moved(start), moved(pull), moved(end)) for start, pull, end in strand.wire)
    bulbs, dots = (tuple(map(moved, points)) for points in (strand.bulbs, strand.dots))
    return Strand(symbol, strand.kind, wire, bulbs, dots)


def draw_strand(strand: Strand) -> list[Element]:
    """Draw a strand that no power reaches: its bulbs are hollow."""
    style = "power dash" if strand.kind == "dashed" else "power"
    drawn = [path(strand.wire_path(), style) if strand.wire else circle(0, 0, 7, style)]
    if strand.bulbs:
        drawn += [path(strand.bulb_path(), "ink w7"), path(strand.bulb_path(), "paper fat")]
    return [*drawn, *(circle(*dot, 4.5, "f-ink") for dot in strand.dots)]


# --- symbols ----------------------------------------------------------------------------------------------------


def symbols(variant: Variant) -> tuple[dict[str, list[Element]], dict[tuple[int, str], Strand]]:
    """Return the symbols of every shape in every orientation that the town has room for, and the strands by shape and steps."""
    cols = len(variant.file.get("map", "rows", 0))
    drawn: dict[str, list[Element]] = {}
    found: dict[tuple[int, str], Strand] = {}
    for shape in range(len(names(variant.file, "shapes"))):
        first, end = variant.box["first_fit"][shape : shape + 2].tolist()
        known = sorted({steps_of(placement_squares(variant, placement), cols) for placement in range(first, end)})
        if not known:
            continue  # it fits nowhere
        entry = variant.file.get("shapes", shape)
        kind = "arch" if is_arch(variant, shape) else str(entry["kind"])
        base = string(f"k{len(found)}", points_of(known[0]), kind, entry)
        found[shape, known[0]], drawn[base.symbol] = base, draw_strand(base)
        for steps in known[1:]:
            matrix = find_matrix(points_of(known[0]), points_of(steps), is_reversible(entry))
            symbol = f"k{len(found)}"
            found[shape, steps] = _move(base, symbol, matrix)
            drawn[symbol] = [
                element("use", href=f"#{base.symbol}", transform=f"matrix({' '.join(map(number, matrix))})")
            ]
    return drawn, found
