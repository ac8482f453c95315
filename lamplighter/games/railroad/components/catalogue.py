"""Routes as pictures: every way to turn a route, how that is written, and the catalogue of what players may draw.

A picture is a set of segments; a segment is a set of (side, type) pairs that are joined. No kernel lives here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lamplighter.engine.game import Value

if TYPE_CHECKING:
    from lamplighter.engine.component_file import ComponentFile
    from lamplighter.engine.variant import Variant

SIDES = "NESW"
TYPES = "HR"  # highway, railway
HIGHWAY, RAILWAY = 0, 1
ORIENTATIONS = 8
CODE = re.compile(r"[A-Z][0-9]")
NAME = re.compile(r"[a-z][a-z0-9-]*")
RESULT, LAMP, SPECIAL, COPY = "result", "lamp", "special", "copy"  # how a route comes to be drawn

Segment = frozenset[tuple[str, str]]
Picture = frozenset[Segment]


@dataclass(frozen=True)
class Route:
    """A face of a die, or a special route."""

    code: str
    name: str
    picture: Picture  # as the box shows it
    station: bool
    lamp: bool

    def turned(self, orientation: int) -> Picture:
        """Return the picture turned clockwise by 0 to 3 quarter turns; 4 to 7: mirrored left to right first."""
        return frozenset(
            frozenset((_turn(side, orientation), kind) for side, kind in segment) for segment in self.picture
        )

    @functools.cached_property
    def pictures(self) -> tuple[Picture, ...]:
        """Every different picture, in the order of the orientations that show it first."""
        return tuple(dict.fromkeys(self.turned(orientation) for orientation in range(ORIENTATIONS)))


def _turn(side: str, orientation: int) -> str:
    """Return where a side goes.

    >>> _turn("W", 1), _turn("W", 4), _turn("W", 5)
    ('N', 'E', 'S')
    """
    number = SIDES.index(side)
    if orientation >= 4:
        number = -number % 4
    return SIDES[(number + orientation) % 4]


def sides_text(segment: Segment, kind: str = TYPES) -> str:
    """Return the sides of a segment that have one of the types, in the order n e s w."""
    return "".join(side.lower() for side in SIDES for found, of in segment if found == side and of in kind)


def picture_sides(picture: Picture) -> str:
    """Return the sides of a picture, as moves write them.

    A curve is `ne`, a station `ns/w` (highway sides, railway sides), two segments of one type `ne+sw`; of an overpass only
    the highway is named.
    """
    segments = sorted(picture, key=lambda segment: "n" not in sides_text(segment))
    kinds = [{kind for _, kind in segment} for segment in segments]
    if len(segments) == 1:
        (segment,) = segments
        return f"{sides_text(segment, 'H')}/{sides_text(segment, 'R')}" if len(kinds[0]) == 2 else sides_text(segment)
    if kinds[0] == kinds[1]:
        return "+".join(sides_text(segment) for segment in segments)
    return next(sides_text(segment) for segment, kind in zip(segments, kinds, strict=True) if "H" in kind)


def second_sides(picture: Picture) -> str:
    """Of two segments of one type: the sides of the one without north. Otherwise nothing."""
    if len(picture) == 2 and len({kind for segment in picture for _, kind in segment}) == 1:
        return next(text for text in map(sides_text, picture) if "n" not in text)
    return ""


SPLITS = {
    "ew": "x",
    "sw": "a",
    "es": "b",
}  # the second of two segments of one type, and the letter that positions write


def picture_text(picture: Picture, station: bool, lamp: bool) -> str:
    """Return a picture as positions write it: its sides n e s w, `*` for a station, how two segments lie, `o` for a lamp."""
    kinds = {side: kind.lower() for segment in picture for side, kind in segment}
    sides = "".join(kinds.get(side, "-") for side in SIDES)
    return sides + "*" * station + SPLITS.get(second_sides(picture), "") + "o" * lamp


@dataclass(frozen=True)
class Entry:
    """One thing that can be drawn in any space: a route, how it is turned, and where it comes from."""

    source: str  # RESULT, LAMP, SPECIAL or COPY
    route: int  # its number in the catalogue
    picture: Picture

    @functools.cached_property
    def sides(self) -> str:
        """The sides of the picture, as moves write them."""
        return picture_sides(self.picture)


@dataclass(frozen=True)
class Catalogue:
    """What a variant's players may draw, numbered: routes of the dice, lamp routes, then special routes.

    Entries are in the order of their actions: results, lamp results, special routes, copies.
    """

    routes: tuple[Route, ...]
    results: int  # routes numbered below this are on the route dice
    specials: int  # routes from this number on are special
    entries: tuple[Entry, ...]

    @functools.cached_property
    def numbers(self) -> dict[tuple[str, int, str], int]:
        """The number of the entry for a source, a route and its sides."""
        return {(entry.source, entry.route, entry.sides): number for number, entry in enumerate(self.entries)}

    @functools.cached_property
    def ways(self) -> dict[str, dict[str, dict[str, int]]]:
        """By the word before a route's name (`special`, `copy` or none), by that name, by its sides: the number of the entry."""
        found: dict[str, dict[str, dict[str, int]]] = {"": {}, SPECIAL: {}, COPY: {}}
        for number, entry in enumerate(self.entries):
            prefix = entry.source if entry.source in (SPECIAL, COPY) else ""
            found[prefix].setdefault(self.routes[entry.route].name, {})[entry.sides] = number
        return found


def catalogue(file: ComponentFile, options: Mapping[str, Value]) -> Catalogue:
    """Return the catalogue of a variant, out of a component file that `components.build` has accepted."""
    dice = [*file.get("sets", str(options["edition"])), *file.get("sets", str(options["expansion"]))]
    faces = {face for die in dice for face in file.get("dice", die)}
    ends = bool(options["dead_end_station"])
    known = [read_route(code, data, ends) for code, data in file.get("routes").items() if code in faces]
    results = [route for route in known if not route.lamp]
    lamps = [route for route in known if route.lamp]
    specials = [read_route(code, data, ends) for code, data in file.get("specials").items()]
    routes = (*results, *lamps, *specials)
    first_special = len(results) + len(lamps)
    drawn = {
        RESULT: range(len(results)),
        LAMP: range(len(results), first_special),
        SPECIAL: range(first_special, len(routes)),
        COPY: range(len(results) if options["edition"] == "challenge" else 0),
    }
    entries = tuple(
        Entry(source, number, picture)
        for source, numbers in drawn.items()
        for number in numbers
        for picture in routes[number].pictures
    )
    return Catalogue(routes, len(results), first_special, entries)


def read_route(code: str, data: Mapping[str, Any], ends: bool) -> Route:
    """Read a route; with `ends` a dead end is a station too (R20)."""
    picture = frozenset(frozenset(segment.items()) for segment in data["segments"])
    lamp = bool(data.get("lamp", False))
    dead_end = sum(map(len, picture)) == 1 and not lamp
    return Route(code, data["name"], picture, bool(data.get("station", False)) or (ends and dead_end), lamp)


@functools.lru_cache(maxsize=64)
def entries_by_text(variant: Variant) -> dict[str, int]:
    """Return the first entry of every picture, by its text in a position without lamps lit and electricity."""
    found: dict[str, int] = {}
    for number, entry in enumerate(catalogue_of(variant).entries):
        route = catalogue_of(variant).routes[entry.route]
        found.setdefault(picture_text(entry.picture, route.station, route.lamp), number)
    return found


@functools.lru_cache(maxsize=64)
def catalogue_of(variant: Variant) -> Catalogue:
    """Return what this variant's players may draw."""
    return catalogue(variant.file, variant.options)
