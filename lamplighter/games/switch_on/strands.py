"""Cables as strands: a wire with bulbs and a black dot at each end, arched over streets, dashed where it is dashed.

How a cable lies is written as its steps from the first square on, such as `ee` or `sse`. One lie of a shape is drawn,
the others turn and mirror it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lamplighter.games.switch_on.components import names
from lamplighter.games.switch_on.notation import placement_squares
from lamplighter.games.switch_on.symbols import SIDE
from lamplighter.svg import Element, circle, element, number, path

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]  # as SVG writes it: x goes to (a, b), y to (c, d), 0 to (e, f)

STEPS = {(0, 1): "e", (1, 0): "s", (0, -1): "w", (-1, 0): "n"}
SAG, LIFT = 4, 24  # how far the middle of a step hangs down, and of an arch stands up, is half of this
BULBS, HANG = (0.29, 0.71), 3.5  # where bulbs are on the way from square to square, and how far below
TURNS = tuple((a, b, -b, a) for a, b in ((1, 0), (0, 1), (-1, 0), (0, -1)))
MATRICES = (*TURNS, *((a, b, -c, -d) for a, b, c, d in TURNS))


# --- how it lies ------------------------------------------------------------------------------------------------


def lie_of(squares: list[int], cols: int) -> str:
    """The steps from square to square."""
    return "".join(
        STEPS[two // cols - one // cols, two % cols - one % cols] for one, two in itertools.pairwise(squares)
    )


def points_of(lie: str) -> list[Point]:
    """The middles of the squares of a lie, the first at 0."""
    points: list[Point] = [(0, 0)]
    for letter in lie:
        down, right = next(step for step, name in STEPS.items() if name == letter)
        points.append((points[-1][0] + right * SIDE, points[-1][1] + down * SIDE))
    return points


def is_arch(variant: Variant, shape: int) -> bool:
    """A straight light cable of which only the ends stand on shops."""
    entry = variant.file.get("shapes", shape)
    rows, cols, grounds = zip(*entry["cells"], strict=True)
    straight = len(set(rows)) == 1 or len(set(cols)) == 1
    return bool(entry["kind"] == "light" and len(grounds) > 2 and straight and set(grounds[1:-1]) == {"e"})


def find_matrix(base: list[Point], wanted: list[Point]) -> Matrix:
    """How one cable is laid onto another of the same shape, whichever end is first."""
    for a, b, c, d in MATRICES:
        turned = [(a * x + c * y, b * x + d * y) for x, y in base]
        for way in (turned, turned[::-1]):
            x, y = way[0]
            if [(px - x, py - y) for px, py in way] == wanted:
                return a, b, c, d, -x, -y
    raise ValueError(f"{wanted} is not {base}, turned or mirrored")


# --- wire and bulbs ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Strand:
    """One shape in one lie, the middle of its first square at 0."""

    symbol: str
    kind: str  # light or dashed
    wire: tuple[Point, ...]  # a start, then for each curve what pulls it and where it ends
    bulbs: tuple[Point, ...]

    def wire_path(self, x: float = 0, y: float = 0) -> str:
        """The wire as a path, the first square at x, y."""
        points = [f"{number(px + x)} {number(py + y)}" for px, py in self.wire]
        return f"M{points[0]}" + "".join(f"Q{pull} {end}" for pull, end in zip(points[1::2], points[2::2], strict=True))

    def bulb_path(self, x: float = 0, y: float = 0) -> str:
        """The middles of the bulbs, as a path of points."""
        return "".join(f"M{number(px + x)} {number(py + y)}h0" for px, py in self.bulbs)


def string(symbol: str, points: list[Point], kind: str) -> Strand:
    """A cable through these points; kind is light, arch or dashed."""
    wire, bulbs = [points[0]], list[Point]()
    if kind == "arch":
        (x, y), (right, bottom) = points[0], points[-1]
        top = ((x + right) / 2, y - LIFT) if y == bottom else (x - LIFT, (y + bottom) / 2)
        wire += [top, points[-1]]
        count = 2 * len(points) - 2
        bulbs = [_on_curve((i + 0.5) / count, points[0], top, points[-1]) for i in range(count)]
    else:
        for (x, y), (right, bottom) in itertools.pairwise(points):
            sag, hang = (0, 0) if kind == "dashed" else (SAG, HANG)
            down, aside = (1, 0) if y == bottom else (0, 1)
            wire += [((x + right) / 2 + aside * sag, (y + bottom) / 2 + down * sag), (right, bottom)]
            if kind == "light":
                ways = ((x + t * (right - x), y + t * (bottom - y)) for t in BULBS)
                bulbs += [(px + aside * hang, py + down * hang) for px, py in ways]
    rounded = tuple((round(x, 1), round(y, 1)) for x, y in bulbs)
    return Strand(symbol, "dashed" if kind == "dashed" else "light", tuple(wire), rounded)


def _on_curve(t: float, start: Point, pull: Point, end: Point) -> Point:
    weights = ((1 - t) ** 2, 2 * t * (1 - t), t * t)
    x, y = (sum(w * p[i] for w, p in zip(weights, (start, pull, end), strict=True)) for i in (0, 1))
    return x, y


def _move(strand: Strand, symbol: str, matrix: Matrix) -> Strand:
    a, b, c, d, e, f = matrix
    wire, bulbs = (
        tuple((a * x + c * y + e, b * x + d * y + f) for x, y in points) for points in (strand.wire, strand.bulbs)
    )
    return Strand(symbol, strand.kind, wire, bulbs)


def draw_strand(strand: Strand) -> list[Element]:
    """A cable that no power reaches: its bulbs are hollow."""
    drawn = [path(strand.wire_path(), "power dash" if strand.kind == "dashed" else "power")]
    if strand.bulbs:
        drawn += [path(strand.bulb_path(), "ink w7"), path(strand.bulb_path(), "paper fat")]
    return [*drawn, *(circle(*end, 4.5, "f-ink") for end in (strand.wire[0], strand.wire[-1]))]


# --- symbols ----------------------------------------------------------------------------------------------------


def symbols(variant: Variant) -> tuple[dict[str, list[Element]], dict[tuple[int, str], Strand]]:
    """Every shape in every lie that the town has room for: its symbol, and the strand by shape and lie."""
    cols = len(variant.file.get("map", "rows", 0))
    drawn: dict[str, list[Element]] = {}
    found: dict[tuple[int, str], Strand] = {}
    for shape in range(len(names(variant.file, "shapes"))):
        first, end = variant.box["first_fit"][shape : shape + 2].tolist()
        lies = sorted({lie_of(placement_squares(variant, placement), cols) for placement in range(first, end)})
        kind = "arch" if is_arch(variant, shape) else str(variant.file.get("shapes", shape, "kind"))
        base = string(f"k{len(found)}", points_of(lies[0]), kind)
        found[shape, lies[0]], drawn[base.symbol] = base, draw_strand(base)
        for lie in lies[1:]:
            symbol, matrix = f"k{len(found)}", find_matrix(points_of(lies[0]), points_of(lie))
            found[shape, lie] = _move(base, symbol, matrix)
            drawn[symbol] = [
                element("use", href=f"#{base.symbol}", transform=f"matrix({' '.join(map(number, matrix))})")
            ]
    return drawn, found
