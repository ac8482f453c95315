"""Symbols for routes: highways with two edges and a dashed middle, railways with ties, bridges and dead ends.

Every symbol is centred on its own middle and is one space large. `A50` is route A5 as the box shows it, `A51` to `A57`
are the ways it can be turned and mirrored, numbered as in the short form of moves. Houses and lanterns stay upright
however the route is turned.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping, Sequence

from lamplighter.engine.variant import Variant
from lamplighter.games.railroad.components.catalogue import (
    ORIENTATIONS,
    SIDES,
    Picture,
    Route,
    catalogue_of,
    second_sides,
)
from lamplighter.svg import Element, Kept, circle, element, number, path

CELL = 48
HALF = CELL // 2
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
DASHES = (6, 18)  # where the dashes of a highway's middle lie, from the middle of the space
TIES = (3, 9, 15, 21)  # where the ties of a railway lie
CORNER_DASHES = (15, 45, 75)  # the same on a curve, in degrees
CORNER_TIES = (7.5, 22.5, 37.5, 52.5, 67.5, 82.5)

Sides = Mapping[str, str]  # side → type, of one segment


# --- lines ----------------------------------------------------------------------------------------------------


def highway(d: str, middle: str, sides: Iterable[str] = ()) -> list[Element]:
    """Draw two edges around a paper road, and its dashed middle."""
    return [path(d, "ink w16 butt"), path(d + _joints(sides), "paper w12 butt"), path(middle, "ink thin")]


def railway(d: str, ties: str, sides: Iterable[str] = (), pen: str = "ink") -> list[Element]:
    """Draw two rails on ties."""
    return [path(d, f"{pen} w7 butt"), path(d + _joints(sides), "paper w4 butt"), path(ties, f"{pen} both")]


def _joints(sides: Iterable[str]) -> str:
    """A hair's breadth over the edge on these sides, so that no seam shows where two spaces meet."""
    steps = (STEPS[side] for side in sides)
    return "".join(f"M{dx * HALF} {dy * HALF}l{number(dx * 0.6)} {number(dy * 0.6)}" for dx, dy in steps)


def _arm(side: str) -> str:
    """From the edge to the middle."""
    dx, dy = STEPS[side]
    return f"M{dx * HALF} {dy * HALF}L0 0"


def _across(one: str, other: str) -> str:
    (x, y), (u, v) = STEPS[one], STEPS[other]
    if one == SIDES[SIDES.index(other) - 2]:
        return f"M{x * HALF} {y * HALF}L{u * HALF} {v * HALF}"
    turn = int(x * v - y * u < 0)
    return f"M{x * HALF} {y * HALF}A{HALF} {HALF} 0 0 {turn} {u * HALF} {v * HALF}"


def _arm_dashes(side: str, places: Iterable[float]) -> str:
    dx, dy = STEPS[side]
    way = f"h{dx * 6}" if dx else f"v{dy * 6}"
    return "".join(f"M{number(dx * (p - 3))} {number(dy * (p - 3))}{way}" for p in places)


def _arm_ties(side: str, places: Iterable[float]) -> str:
    dx, dy = STEPS[side]
    way = f"v{dx * 12}" if dx else f"h{dy * 12}"
    return "".join(f"M{number(dx * p - dy * 6)} {number(dy * p - dx * 6)}{way}" for p in places)


def _corner(one: str, other: str) -> tuple[float, float, float]:
    """Return the corner around which a curve goes, and the angle at which it begins, in degrees."""
    x, y = (STEPS[one][i] + STEPS[other][i] for i in (0, 1))
    return x * HALF, y * HALF, math.degrees(math.atan2(-y, -x)) - 45


def _corner_marks(one: str, other: str, angles: Iterable[float], ties: bool) -> str:
    """Return ties across a curve, or dashes along it."""
    x, y, start = _corner(one, other)
    drawn = ""
    for angle in angles:
        ends = ((HALF - 6, 0), (HALF + 6, 0)) if ties else ((HALF, -7.2), (HALF, 7.2))
        points = []
        for r, more in ends:
            a = math.radians(start + angle + more)
            points.append(f"{number(x + r * math.cos(a))} {number(y + r * math.sin(a))}")
        drawn += f"M{points[0]}{'L' if ties else f'A{HALF} {HALF} 0 0 1 '}{points[1]}"
    return drawn


# --- segments -------------------------------------------------------------------------------------------------


def draw_route(segments: Sequence[Sides]) -> list[Element]:
    """Draw a route as the box shows it, without station and lamp; of two crossing segments the highway is a bridge."""
    if len(segments) == 2 and all(_straight(segment) for segment in segments):
        over, under = sorted(segments, key=lambda segment: "H" not in segment.values())
        return [*_segment(under), *_bridge(over)]
    return [part for segment in segments for part in _segment(segment)]


def _straight(segment: Sides) -> bool:
    return set(segment) in ({"N", "S"}, {"E", "W"})


def _segment(segment: Sides) -> list[Element]:
    drawn: list[Element] = []
    of_highway = [side for side in SIDES if segment.get(side) == "H"]
    of_railway = [side for side in SIDES if segment.get(side) == "R"]
    if len(segment) == 1:
        return _dead_end(*segment.items())
    if len(segment) == 2 and not (of_highway and of_railway):
        one, other = of_highway or of_railway
        line, straight = _across(one, other), _straight(segment)
        if of_highway:
            along = [_arm_dashes(side, DASHES) for side in (one, other)]
            marks = "".join(along) if straight else _corner_marks(one, other, CORNER_DASHES, ties=False)
            return highway(line, marks, segment)
        across = [_arm_ties(side, TIES) for side in (one, other)]
        ties = "".join(across) if straight else _corner_marks(one, other, CORNER_TIES, ties=True)
        return railway(line, ties, segment)
    if of_railway:
        ties = "".join(_arm_ties(side, TIES[1:]) for side in of_railway)
        drawn += railway("".join(map(_arm, of_railway)), ties, of_railway)
    if of_highway:
        dashes = "".join(_arm_dashes(side, DASHES[1:]) for side in of_highway)
        if len(segment) == len(of_highway) == 3:
            through = [side for side in of_highway if SIDES[SIDES.index(side) - 2] in of_highway]
            dashes += _arm_dashes(through[0], [0])
        drawn += highway("".join(map(_arm, of_highway)), dashes, of_highway)
    return drawn


def _dead_end(end: tuple[str, str]) -> list[Element]:
    """A road with a turning place, a railway with a buffer."""
    side, kind = end
    dx, dy = STEPS[side]
    if kind == "H":
        drawn = highway(_arm(side), _arm_dashes(side, DASHES[1:]), side)
        return [drawn[0], circle(0, 0, 11, "f-ink"), drawn[1], circle(0, 0, 9, "f-paper"), drawn[2]]
    buffer = f"M{number(dx * -1 - dy * 8)} {number(dy * -1 - dx * 8)}l{dy * 16} {dx * 16}"
    return [*railway(_arm(side), _arm_ties(side, TIES[1:]), side), path(buffer, "ink fat")]


def _bridge(over: Sides) -> list[Element]:
    """Draw a road or railway above another: walls on both sides, and what lies below stays below."""
    one = next(side for side in SIDES if side in over)
    dx, dy = STEPS[one]
    below = path(f"M{dx * 15} {dy * 15}L{dx * -15} {dy * -15}", "paper w16 butt")
    out = 10 if over[one] == "H" else 9
    walls = ""
    for s in (-1, 1):  # a wall with wings
        points = ((out + 3, 14), (out, 10), (out, -10), (out + 3, -14))
        walls += "M" + "L".join(f"{s * (dy * a) + dx * b} {s * (dx * a) + dy * b}" for a, b in points)
    return [path(walls, "paper w7 butt"), below, *_segment(over), path(walls, "ink")]


# --- symbols --------------------------------------------------------------------------------------------------


def transform_of(orientation: int) -> str | None:
    """Return how a symbol is turned: clockwise quarters, from 4 on mirrored left to right first."""
    turned = f"rotate({orientation % 4 * 90})" if orientation % 4 else ""
    return (turned + ("scale(-1 1)" if orientation >= 4 else "")) or None


def picture_key(sides: str, station: bool, second: str, lamp: bool) -> str:
    """Return what tells drawn routes apart: `h`, `r` or `-` for n e s w, station, the sides of a second segment, lamp."""
    return f"{sides}{'*' * station}{second}{'o' * lamp}"


@functools.lru_cache(maxsize=64)
def symbol_names(variant: Variant) -> dict[str, str]:
    """Return the symbol of every drawn route, by its key."""
    found: dict[str, str] = {}
    for route in catalogue_of(variant).routes:
        for orientation in range(ORIENTATIONS):
            picture = route.turned(orientation)
            found.setdefault(_key(route, picture), f"{route.code}{orientation}")
    return found


def _key(route: Route, picture: Picture) -> str:
    types = {side: kind.lower() for segment in picture for side, kind in segment}
    sides = "".join(types.get(side, "-") for side in SIDES)
    return picture_key(sides, route.station, second_sides(picture), route.lamp)


@functools.lru_cache(maxsize=64)
def entry_symbols(variant: Variant) -> list[str]:
    """Return the symbol of every entry of the catalogue."""
    found = catalogue_of(variant)
    first = {
        (number_, picture): orientation
        for number_, route in enumerate(found.routes)
        for orientation in reversed(range(ORIENTATIONS))
        for picture in (route.turned(orientation),)
    }
    return [f"{found.routes[e.route].code}{first[e.route, e.picture]}" for e in found.entries]


@functools.lru_cache(maxsize=64)
def route_symbols(variant: Variant) -> dict[str, dict[str, list[Element]]]:
    """Return the symbols of every route, by its code: all its pictures, and what they share."""
    found: dict[str, dict[str, list[Element]]] = {}
    names = dict.fromkeys(entry_symbols(variant))
    file = variant.file
    for route in catalogue_of(variant).routes:
        table = "specials" if route.code in file.get("specials") else "routes"
        drawn = draw_route([dict(segment) for segment in file.get(table, route.code, "segments")])
        standing = ["house"] * route.station + ["lamp"] * route.lamp
        upright = [element("use", href=f"#{name}") for name in standing]
        own: dict[str, list[Element]] = {route.code if upright else f"{route.code}0": drawn}
        base = next(iter(own))
        for name in names:
            if name[:-1] == route.code and name not in own:
                own[name] = [element("use", href=f"#{base}", transform=transform_of(int(name[-1]))), *upright]
        found[route.code] = {name: [Kept(parts)] for name, parts in own.items()}
    return found
