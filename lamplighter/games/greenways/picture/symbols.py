"""The tiles of Greenways as symbols, seen from above like a planner's model.

A tile is 40 wide around its own middle, with the sides as `box.toml` gives them; turning it is left to whoever uses it.
Streets have kerbs, a dashed middle and a roundabout where they meet; greenways have a path between trees; a park fills
its tile and has a pond; a building has a hip roof.
"""

from __future__ import annotations

import functools
import math

from lamplighter.engine.variant import Variant
from lamplighter.games.greenways.components import SIDES, format_sides, tile_ids, turn_sides
from lamplighter.svg import Element, circle, group, number, path, rect

TILE = 40
HALF = TILE // 2

# How a street or a greenway can look, before it is turned: an end, a straight, a curve, a fork, a crossing.
SHAPES = {"+---": "end", "+-+-": "straight", "++--": "curve", "+++-": "fork", "++++": "crossing"}
UNDERPASS = "underpass"  # a straight greenway where a street leads over it
SHORT_END = "short end"  # an end that leaves the middle to something else

# The kerbs of a street, in an order in which the tile's edges join them to an outline, and the dashes in its middle.
STREET_KERBS = {
    "end": "M-6 -20V-5.3A8 8 0 1 0 6 -5.3V-20",
    SHORT_END: "M-6 -20V-13.5A6.5 6.5 0 1 0 6 -13.5V-20",
    "straight": "M-6 -20V20M6 20V-20",
    "curve": "M-6 -20A26 26 0 0 0 20 6M20 -6A14 14 0 0 1 6 -20",
    "fork": "M-6 -20V-8.6A10.5 10.5 0 0 0 -6 8.6V20"
    "M6 20V8.6A10.5 10.5 0 0 0 8.6 6H20M20 -6H8.6A10.5 10.5 0 0 0 6 -8.6V-20",
    "crossing": "M-6 -20V-8.6A10.5 10.5 0 0 0 -8.6 -6H-20M-20 6H-8.6A10.5 10.5 0 0 0 -6 8.6V20"
    "M6 20V8.6A10.5 10.5 0 0 0 8.6 6H20M20 -6H8.6A10.5 10.5 0 0 0 6 -8.6V-20",
}
STREET_DASHES = {
    "end": "M0 -18.5V-10", SHORT_END: "M0 -18.5V-14", "straight": "M0 -17.5V18", "curve": "M0 -18.5A20 20 0 0 0 18.5 0",
    "fork": "M0 -18.5V-13M13 0H18.5M0 13V18.5", "crossing": "M0 -18.5V-13M13 0H18.5M0 13V18.5M-18.5 0H-13",
}  # fmt: skip
WAYS = {
    "end": "M0 -20V1", SHORT_END: "M0 -20V-12", "straight": "M0 -20V20", UNDERPASS: "M0 -20V-6M0 6V20",
    "curve": "M0 -20A20 20 0 0 0 20 0",
    "fork": "M0 -20V20M0 0H20", "crossing": "M0 -20V20M-20 0H20",
}  # fmt: skip
GREEN_BANDS = {
    "end": "M-8 -20V0A8 8 0 0 0 8 0V-20Z",
    SHORT_END: "M-8 -20V-12A8 8 0 0 0 8 -12V-20Z",
    "straight": "M-8 -20H8V20H-8Z",
    UNDERPASS: "M-8 -20H8V-6H-8ZM-8 6H8V20H-8Z",
    "curve": "M-8 -20A28 28 0 0 0 20 8V-8A12 12 0 0 1 8 -20Z",
    "fork": "M-8 -20H8V-11Q8 -8 11 -8H20V8H11Q8 8 8 11V20H-8Z",
    "crossing": "M-8 -20H8V-11Q8 -8 11 -8H20V8H11Q8 8 8 11V20H-8V11Q-8 8 -11 8H-20V-8H-11Q-8 -8 -8 -11Z",
}
# Trees along a greenway: x, y and the radius of the crown.
Trees = tuple[tuple[float, float, float], ...]
TREES: dict[str, Trees] = {
    "end": ((-9, -14, 3.6), (9, -12, 4.1), (-10, -3, 4), (10.5, -1, 3.4), (-7.5, 7, 4.3), (1, 11, 4), (8.5, 7.5, 3.7)),
    SHORT_END: ((-9, -15, 3.4), (9, -14, 3.8)),
    UNDERPASS: ((-9, -14, 4.1), (9, -13, 3.6), (-9.5, 14, 3.6), (9, 13, 4.2)),
    "straight": ((-9, -14, 4.1), (9, -11, 3.5), (-9.5, -4, 3.3), (9.5, 1, 4.2), (-9, 9, 3.9), (8.5, 13.5, 3.5)),
    "curve": ((-9, -15, 3.6), (-6.5, -2.5, 4.2), (1.5, 6.5, 3.5), (13.5, 8.8, 4.1), (8.6, -16, 3.2), (13, -10, 3.8)),
    "fork": ((-9.5, -13, 4), (-9, -1, 3.5), (-9.5, 11, 4.2), (11.5, -11.5, 4.6), (11.5, 11.5, 4.4)),
    "crossing": ((-11.5, -11.5, 4.5), (11.5, -11, 4.2), (-11, 11.5, 4.1), (11.5, 11.5, 4.7)),
}
PARK_TREES: Trees = (
    (-14, -14, 3.9), (14, -13.5, 4.3), (-13.5, 13.5, 4.4), (14, 14, 3.8), (-14.5, -6, 2.8), (7.5, -14.5, 2.9),
    (14.5, 6, 3), (-7, 14.5, 2.8),
)  # fmt: skip
HOUSE_PLACES = ((0, 0), (0, 9), (-9, 0), (0, -9), (9, 0), (-11, 11), (-11, -11), (11, -11), (11, 11))
START_SIGN = (-13.5, -13.5)


# --- parts ----------------------------------------------------------------------------------------------------


def _shape(sides: str, letter: str) -> tuple[str, int]:
    """Return what a tile's streets (`S`) or greenways (`G`) look like, and by how many quarters that is turned."""
    ways = "".join("+" if side == letter else "-" for side in sides)
    for quarters in range(SIDES):
        for upright, name in SHAPES.items():
            if turn_sides(upright, quarters) == ways:
                return name, quarters
    return "", 0


def _turned(parts: list[Element], quarters: int) -> list[Element]:
    return [group(*parts, transform=f"rotate({90 * quarters})")] if quarters else parts


def _outline(kerbs: str) -> str:
    """Return kerbs as one closed line: every stroke goes on from the last one along the tile's edge."""
    first, *rest = kerbs[1:].split("M")
    return "M" + "L".join([first, *rest]) + "Z"


def _street(shape: str, bridge: bool) -> list[Element]:
    kerbs = STREET_KERBS[shape]
    road = _outline(kerbs)
    parts = [path(road, "f-print wash"), path(kerbs, "ink thin"), path(STREET_DASHES[shape], "ink thin gap")]
    if shape in ("fork", "crossing"):
        parts += [circle(0, 0, 4.6, "f-paper"), circle(0, 0, 4.6, "ink thin"), circle(0, 0, 1.6, "f-ink")]
    if shape == "end":
        parts.append(circle(0, 0, 2.2, "print thin"))
    if bridge:
        parts.append(path("M-9 -11.5Q-6.5 -10 -6.5 -8V8Q-6.5 10 -9 11.5M9 -11.5Q6.5 -10 6.5 -8V8Q6.5 10 9 11.5", "ink"))
    return parts


def _greenway(shape: str) -> list[Element]:
    band, way = GREEN_BANDS[shape], WAYS[shape]
    parts = [path(band, "f-green wash"), path(way, "green fat butt"), path(way, "paper butt")]
    if shape == "end":
        parts += [circle(0, 1.5, 3.4, "f-paper"), circle(0, 1.5, 3.4, "green thin")]
    return parts


def _park(shape: str, room: float) -> list[Element]:
    """Draw a lawn over the whole tile, paths that come in, and a pond where they meet."""
    lawn = "M-12 -18q12 1 24 0q6 0 6 6q-1 12 0 24q0 6 -6 6q-12 -1 -24 0q-6 0 -6 -6q1 -12 0 -24q0 -6 6 -6z"
    pond = "M-9 0C-10 -7 -2 -8 2 -7C9 -6 11 0 8 5C5 9 -7 8 -9 0Z"
    return [
        path(lawn, "w-green"),
        path(WAYS[shape], "green fat butt"), path(WAYS[shape], "paper butt"), group(
            path(pond, "f-paper"), path(pond, "w-power"),
            path("M-5 -1.5q1.5 -1.5 3 0t3 0M-1.5 3q1.5 -1.5 3 0t3 0", "power thin"),
            transform=None if room == 1 else f"scale({number(room)})",
        ),
    ]  # fmt: skip


def _crowns(trees: Trees) -> list[Element]:
    d = ""
    for x, y, r in trees:
        half = f"{number(r)} {number(r)} 0 1 0"
        d += f"M{number(x - r)} {number(y)}a{half} {number(2 * r)} 0 {half} {number(-2 * r)} 0"
    return [path(d, "w-green")] if d else []


def _house(x: float, y: float, size: float) -> Element:
    """Draw a house with a hip roof, and a lower one beside it."""
    main, wing = "M-15 -10H10V7H-15Z", "M3 7V14H15V-3H10"
    return group(
        *_crowns(((-10.5, 13, 3.8),) if size == 1 else ()),
        path("M-15 -10L-7 -1.5L-15 7ZM10 -10L2 -1.5L10 7Z", "f-warm tint"),
        path("M-15 7L-7 -1.5H2L10 7ZM3 7V14H15V-3H10V7Z", "f-warm soft"),
        path(main + wing, "ink thin"),
        path("M-15 -10L-7 -1.5L-15 7M10 -10L2 -1.5L10 7M-7 -1.5H2M9 7V14", "ink thin"),
        rect(-3.5, -7.5, 3.6, 3.6, "f-ink"),
        transform=None if (x, y, size) == (0, 0, 1) else f"translate({number(x)} {number(y)}) scale({number(size)})",
    )


def _meadow() -> list[Element]:
    tufts = "".join(f"M{x} {y}l1 -4M{x + 1.5:g} {y}l2.5 -3" for x, y in ((-10, -6), (7, -9), (-3, 9), (11, 8)))
    return [path(tufts, "print thin")]


def _sign() -> list[Element]:
    """The S of the start tile, drawn: it must be readable at every size."""
    x, y = START_SIGN
    letter = "M2.2 -2.4C1 -4.4 -3 -3.6 -2 -1.2C-1 .8 3 -.6 2.2 2C1.4 4.2 -2 3.8 -2.6 2.2"
    parts = [circle(0, 0, 5.6, "f-paper"), circle(0, 0, 5.6, "ink thin"), path(letter, "ink thin")]
    return [group(*parts, transform=f"translate({x} {y})")]


# --- whole tiles ----------------------------------------------------------------------------------------------


def _course(sides: str, letter: str) -> list[tuple[float, float]]:
    """Return points along the middle of a tile's streets or greenways."""
    shape, quarters = _shape(sides, letter)
    points: list[tuple[float, float]] = []
    if shape == "curve":
        angles = [math.pi * (4 + i) / 8 for i in range(5)]
        points = [(HALF + HALF * math.cos(angle), -HALF + HALF * math.sin(angle)) for angle in angles]
    elif shape:
        ways = next(upright for upright, name in SHAPES.items() if name == shape)
        for side, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            if ways[side] == "+":
                points += [(dx * t, dy * t) for t in (2, 8, 14, 20)]
    for _ in range(quarters):
        points = [(-y, x) for x, y in points]
    return points


def _clear(x: float, y: float, points: list[tuple[float, float]]) -> float:
    """Return how far a place is from a course."""
    return min((math.hypot(x - px, y - py) for px, py in points), default=float(TILE))


@functools.lru_cache(maxsize=256)
def draw_tile(sides: str, park: bool = False, building: bool = False, start: bool = False) -> tuple[Element, ...]:
    """Draw a tile around its middle."""
    street, street_turn = _shape(sides, "S")
    green, green_turn = _shape(sides, "G")
    if (street and green) or building:
        street, green = (SHORT_END if shape == "end" else shape for shape in (street, green))
    bridge = street == green == "straight" and not park
    parts: list[Element] = []
    if park:
        parts += _turned(_park(green, 0.75 if street else 1), green_turn)
    elif green:
        parts += _turned(_greenway(UNDERPASS if bridge else green), green_turn)
    parts += _crowns(_trees(sides, park, UNDERPASS if bridge else green, green_turn))
    if street:
        over = [path(_outline(STREET_KERBS[street]), "f-paper")] if park else []
        parts += _turned([*over, *_street(street, bridge)], street_turn)
    if building:
        ways = _course(sides, "S") + _course(sides, "G")
        x, y = next((place for place in HOUSE_PLACES if _clear(*place, ways) > 9), HOUSE_PLACES[-1])
        parts.append(_house(x, y, 0.6 if ways else 1))
    return (*(parts or _meadow()), *(_sign() if start else ()))


def _trees(sides: str, park: bool, green: str, quarters: int) -> Trees:
    """Return the trees of a tile, without those that would stand in the way."""
    trees = PARK_TREES if park else TREES.get(green, ())
    for _ in range(0 if park else quarters):
        trees = tuple((-y, x, r) for x, y, r in trees)
    streets, paths = _course(sides, "S"), _course(sides, "G") if park else []
    return tuple((x, y, r) for x, y, r in trees if _clear(x, y, streets) > r + 6.5 and _clear(x, y, paths) > r + 1.5)


def ground(cutting: bool = False) -> list[Element]:
    """Draw the card that a tile is printed on; one that is cut out needs no shade."""
    styles = ("print thin",) if cutting else ("f-paper", "f-faint wash", "print thin")
    return [rect(-HALF, -HALF, TILE, TILE, style) for style in styles]


def symbol_name(tile_id: str) -> str:
    return f"t-{tile_id}"


@functools.lru_cache(maxsize=16)
def tile_symbols(variant: Variant) -> dict[str, list[Element]]:
    """Return a symbol for every tile of the box, the start tile last."""
    tiles = [*variant.file.get("tiles"), variant.file.get("start")]
    found = {}
    for i, tile in enumerate(tiles):
        flags = (bool(tile.get("park")), bool(tile.get("building")), i == len(tiles) - 1)
        found[symbol_name(str(tile["id"]))] = [*ground(), *draw_tile(str(tile["sides"]), *flags)]
    return found


@functools.lru_cache(maxsize=16)
def picture_table(variant: Variant) -> list[tuple[str, int, str]]:
    """Return for every picture, the start tile last: the tile's id, its quarter turns, and its sides as it is laid."""
    box, ids = variant.box, tile_ids(variant.file)
    found = []
    for picture in range(int(box["pictures"])):
        kind, sides = int(box["kind"][picture]), format_sides(int(box["sides"][picture]))
        printed = str(variant.file.get("tiles", kind, "sides"))
        quarters = next(q for q in range(SIDES) if turn_sides(printed, q) == sides)
        found.append((ids[kind], quarters, sides))
    return [*found, (str(variant.file.get("start", "id")), 0, str(variant.file.get("start", "sides")))]


def mark_symbols() -> dict[str, list[Element]]:
    """Return a leaf for rows and columns with a greenway, and an empty one for those without."""
    leaf = "M-5 4.5C-6.5 -2 -1 -5.5 5 -5C6.5 1 2 6 -5 4.5Z"
    return {
        "leaf": [path(leaf, "w-green"), path("M-5.5 5.5L2 -1.5", "green thin")],
        "bare": [path(leaf, "f-paper"), path(leaf, "error thin gap")],
    }
