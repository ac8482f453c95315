"""What is in the box: the tiles, read from `box.toml` and turned into tables for the kernel.

A *kind* is a tile of the file, a *picture* one way in which it can be turned: a curve has four, a straight two, a building
one. No rule lives here but those that a table answers: `fits` says which pictures may lie in a cell with given
surroundings (§P2–§P5); `rules.check` says the same at length.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from lamplighter.engine.component_file import ComponentFile, Path
from lamplighter.engine.game import Value

NO_TILE, BLANK, STREET, GREENWAY = 0, 1, 2, 3  # what lies on one side of a cell, in two bits
LETTERS = "?-SG"  # the same as written
SIDES = 4  # north, east, south, west

# The surroundings of a cell in twelve bits: two a side, then
NEAR_PARK = 1 << 8
NEAR_BUILDING = 1 << 9
BARE_STREET = 1 << 10  # §P5 filling this cell can complete a street without an intersection
BARE_GREENWAY = 1 << 11  # §P5 filling this cell can complete a greenway without a park
SURROUNDINGS = 1 << 12

MAX_TILES = 64  # that can be laid in a match, beside the start tile
MAX_PILE = 192
MAX_PICTURES = 62  # a set of pictures is an int64
MAX_KINDS = 40
MAX_HAND = 6
MAX_COUNT = 127  # of one kind
MAX_POINTS = 1000
MAX_FORKS = 8  # tiles with three or four greenway sides, where the longest path is asked for

_ID = re.compile(r"[A-Za-z0-9]{1,8}")
_SIDES = re.compile(r"[SG-]{4}")

# §12 A to E: the scoring lines, and what the file calls what a tile of it is worth
LINES = {"streets": "street", "greenways": "greenway", "parks": "park", "longest": "longest", "unused": "unused"}
A, B, C, D, E = range(len(LINES))
USUAL = 1  # for what the file does not say

BOX = np.dtype(
    [
        ("fits", np.int64, SURROUNDINGS),  # §P2–§P5 the pictures that may lie in such surroundings, as bits
        ("kind_pictures", np.int64, MAX_KINDS),  # the pictures of each kind, as bits
        ("sides", np.int16, MAX_PICTURES + 1),  # of each picture, two bits a side; the last picture is the start tile
        ("kind", np.int8, MAX_PICTURES + 1),  # of each picture; -1 for the start tile
        ("gem", np.int8, (2, MAX_PICTURES + 1)),  # 1 for what a street or greenway needs: intersection, park
        ("building", np.int8, MAX_PICTURES + 1),  # 1 for a building
        ("fork", np.int8, MAX_PICTURES + 1),  # 1 for three or four greenway sides
        ("count", np.int16, MAX_KINDS),  # §1 tiles of each kind
        ("kinds", np.int16),
        ("pictures", np.int16),  # without the start tile; also the number of its picture
        ("tiles", np.int16),  # §1 in the pile
        ("room", np.int16),  # most open cells there can be when a tile is laid
        ("hand", np.int16),  # §2
        ("rows", np.int16),  # §11
        ("columns", np.int16),  # §11
        ("points", np.int16, len(LINES)),  # §12 what a tile of each scoring line is worth
        ("seats", np.int16),
        ("discard", np.bool_),  # R6
        ("intersections_count", np.bool_),  # R9
        ("longest_path", np.bool_),  # R10
    ]
)


@functools.lru_cache(maxsize=64)
def tile_ids(file: ComponentFile) -> list[str]:
    """Return the ids of the kinds, as moves write them.

    >>> from lamplighter import games
    >>> tile_ids(ComponentFile(games.load("greenways").box_text))[:3]
    ['S2', 'SC', 'SE']
    """
    return [str(tile["id"]) for tile in file.get("tiles")]


def score_lines(file: ComponentFile) -> tuple[str, ...]:
    """§12 A to E, in the order of `rules.score`."""
    return tuple(LINES)


def turn_sides(sides: str, quarters: int) -> str:
    """Return the sides of a tile after quarter turns clockwise.

    >>> turn_sides("SS--", 1)
    '-SS-'
    """
    return sides[SIDES - quarters :] + sides[: SIDES - quarters]


def encode_sides(sides: str) -> int:
    """Return four letters as two bits a side, north lowest."""
    return sum(LETTERS.index(letter) << 2 * side for side, letter in enumerate(sides))


def format_sides(code: int) -> str:
    """Return the letters of an encoded picture.

    >>> format_sides(encode_sides("SG-S"))
    'SG-S'
    """
    return "".join(LETTERS[code >> 2 * side & 3] for side in range(SIDES))


def build(file: ComponentFile, options: Mapping[str, Value]) -> np.ndarray[Any, Any]:
    """Return the box as kernels read it; a file that does not make sense is refused."""
    file.need_keys(["hand", "goal", "points", "start", "tiles"])
    file.need_keys(["rows", "columns"], at=("goal",))
    file.need_keys([LINES["parks"]], LINES.values(), ("points",))
    boxes = np.zeros(1, BOX)
    box = boxes[0]
    box["seats"] = int(options["seats"])
    box["discard"] = options["leftover"] == "discard"
    box["intersections_count"] = options["intersection_counts_in_A"]
    box["longest_path"] = options["longest"] == "path"
    box["hand"] = file.need_int(1, MAX_HAND, "hand")
    box["rows"] = file.need_int(1, MAX_TILES + 1, "goal", "rows")
    box["columns"] = file.need_int(1, MAX_TILES + 1, "goal", "columns")
    for line, key in enumerate(LINES.values()):
        box["points"][line] = file.need_int(0, MAX_POINTS, "points", key) if key in file.get("points") else USUAL
    _read_tiles(file, box)
    _read_start(file, box)
    _limit_tiles(file, box)
    _fill_fits(box)
    return boxes


def _read_tiles(file: ComponentFile, box: np.void) -> None:
    tiles = file.need_list(1, MAX_KINDS, "tiles")
    ids: list[str] = []
    picture = 0
    for kind in range(len(tiles)):
        file.need_keys(["id", "name", "sides", "count"], ["park", "building"], ("tiles", kind))
        ids.append(_need_id(file, ids, "tiles", kind))
        box["count"][kind] = file.need_int(1, MAX_COUNT, "tiles", kind, "count")
        sides = _need_sides(file, "tiles", kind)
        for turned in dict.fromkeys(turn_sides(sides, quarters) for quarters in range(SIDES)):
            if picture == MAX_PICTURES:
                file.fail(f"the tiles can lie in more than {MAX_PICTURES} different ways, too many", "tiles", kind)
            _set_picture(file, box, picture, turned, "tiles", kind)
            box["kind"][picture] = kind
            box["kind_pictures"][kind] |= 1 << picture
            picture += 1
    box["kinds"], box["pictures"], box["tiles"] = len(tiles), picture, box["count"].sum()


def _read_start(file: ComponentFile, box: np.void) -> None:
    file.need_keys(["id", "name", "sides"], ["park", "building"], ("start",))
    _need_id(file, tile_ids(file), "start")
    sides = _need_sides(file, "start")
    if sides == LETTERS[BLANK] * SIDES:
        file.fail("the start tile needs a street or a greenway, or nothing could ever join it", "start", "sides")
    start = int(box["pictures"])
    _set_picture(file, box, start, sides, "start")
    box["kind"][start] = -1


def _need_id(file: ComponentFile, taken: list[str], *path: str | int) -> str:
    file.need_text(*path, "name")
    word = file.need_text(*path, "id")
    if not _ID.fullmatch(word):
        file.fail(f"the id {word!r} must be one to eight letters and digits", *path, "id")
    if word.lower() in [other.lower() for other in taken]:
        file.fail(f"the id {word!r} stands twice", *path, "id")
    return word


def _need_sides(file: ComponentFile, *path: str | int) -> str:
    sides = file.need_text(*path, "sides")
    if not _SIDES.fullmatch(sides):
        file.fail(f"sides must be four of 'S', 'G' and '-', north, east, south, west, not {sides!r}", *path, "sides")
    return sides


def _set_picture(file: ComponentFile, box: np.void, picture: int, sides: str, *path: str | int) -> None:
    park, building = (field in file.get(*path) and file.need_bool(*path, field) for field in ("park", "building"))
    if park and "G" not in sides:
        file.fail("a park needs a greenway side: parks count as greenway tiles", *path, "sides")
    box["sides"][picture] = encode_sides(sides)
    box["gem"][0, picture] = sides.count("S") >= 3
    box["gem"][1, picture] = park
    box["building"][picture] = building
    box["fork"][picture] = sides.count("G") >= 3


def _limit_tiles(file: ComponentFile, box: np.void) -> None:
    """The sizes that the record of a match has room for."""
    tiles, hand = int(box["tiles"]), int(box["hand"])
    if tiles > MAX_PILE:
        file.fail(f"there are {tiles} tiles in the pile, more than {MAX_PILE}", "tiles")
    most = -(-tiles // hand) if box["discard"] else tiles
    if most > MAX_TILES:
        file.fail(f"{most} tiles could be laid in one match, more than {MAX_TILES}", "tiles")
    box["room"] = 2 * most + 2  # a straight line of the start and `most` - 1 tiles touches this many cells
    forks = 0
    for kind in range(int(box["kinds"])):
        forks += int(box["count"][kind]) * (str(file.get("tiles", kind, "sides")).count("G") >= 3)
    if box["longest_path"] and forks > MAX_FORKS:
        file.fail(
            f"longest=path is worked out exactly for at most {MAX_FORKS} tiles with three or four greenway sides, "
            f"and there are {forks}",
            "tiles",
        )


def _fill_fits(box: np.void) -> None:
    """§P2–§P5 for all surroundings at once: which pictures may lie there."""
    around = np.arange(SURROUNDINGS)
    facing = [around >> 2 * side & 3 for side in range(SIDES)]
    for picture in range(int(box["pictures"])):
        own = [int(box["sides"][picture]) >> 2 * side & 3 for side in range(SIDES)]
        good = around & 0xFF != 0
        joined = np.zeros(SURROUNDINGS, bool)
        for side in range(SIDES):
            good &= (facing[side] == NO_TILE) | (facing[side] == own[side])  # §P2
            joined |= (facing[side] == own[side]) & (own[side] != BLANK)
        if any(side != BLANK for side in own):
            good &= joined  # §P3
        if box["gem"][1, picture]:
            good &= around & NEAR_PARK == 0  # §P4
        if box["building"][picture]:
            good &= around & NEAR_BUILDING == 0
        for network, bare in ((STREET, BARE_STREET), (GREENWAY, BARE_GREENWAY)):
            if network in own and not box["gem"][network - STREET, picture]:  # §P5
                ends = np.ones(SURROUNDINGS, bool)
                for side in range(SIDES):
                    if own[side] == network:
                        ends &= facing[side] != NO_TILE
                good &= ~(ends & (around & bare != 0))
        box["fits"][good] |= np.int64(1) << picture


# --- what is odd ----------------------------------------------------------------------------------------------


def oddities(file: ComponentFile) -> list[tuple[str, Path]]:
    """Return what is odd about a set of tiles that can be played, each with the place in the file."""
    return [*_odd_goal(file), *_odd_tiles(file), *_odd_networks(file)]


def _odd_goal(file: ComponentFile) -> list[tuple[str, Path]]:
    """§11 A goal that nobody can reach: too large for the tiles, or for those with a greenway."""
    rows, columns = file.get("goal", "rows"), file.get("goal", "columns")
    tiles = 1 + sum(tile["count"] for tile in file.get("tiles"))
    green = ("G" in file.get("start", "sides")) + sum(
        tile["count"] for tile in file.get("tiles") if "G" in tile["sides"]
    )
    if rows + columns - 1 > tiles:
        words = f"{rows} rows and {columns} columns take at least {rows + columns - 1} tiles, and there are {tiles}"
        return [(f"{words}: the goal cannot be reached (§11)", ("goal",))]
    if max(rows, columns) > green:
        words = (
            f"{rows} rows and {columns} columns need {max(rows, columns)} tiles with a greenway, and there are {green}"
        )
        return [(f"{words}: the goal cannot be reached (§11)", ("goal",))]
    return []


def _odd_tiles(file: ComponentFile) -> list[tuple[str, Path]]:
    """§P2, §P3 Tiles that fit nowhere: no tile that can be laid before them has a side like theirs."""
    tiles = file.get("tiles")
    shown = set(file.get("start", "sides"))
    while True:
        laid = [kind for kind, tile in enumerate(tiles) if _ways_in(tile["sides"]) & shown]
        more = shown.union(*(tiles[kind]["sides"] for kind in laid))
        if more == shown:
            break
        shown = more
    return [
        (f"the tile {tile['id']} fits nowhere: no tile that can be laid has a side to join it (§P3)", ("tiles", kind))
        for kind, tile in enumerate(tiles)
        if kind not in laid
    ]


def _ways_in(sides: str) -> set[str]:
    """Return the sides by which a tile can be laid: streets and greenways, or blank ones if it has nothing else."""
    return set(sides) - {"-"} or {"-"}


def _odd_networks(file: ComponentFile) -> list[tuple[str, Path]]:
    """§8, §9, §12 Streets or greenways that can never be completed, nor score; a hand that is the whole pile."""
    tiles = [file.get("start"), *file.get("tiles")]
    found: list[tuple[str, Path]] = []
    if any("S" in tile["sides"] for tile in tiles) and not any(tile["sides"].count("S") >= 3 for tile in tiles):
        found.append(("no tile is an intersection: streets are never completed and score nothing (§8)", ("tiles",)))
    if any("G" in tile["sides"] for tile in tiles) and not any(tile.get("park") for tile in tiles):
        found.append(("no tile is a park: greenways are never completed, and B and C score nothing (§9)", ("tiles",)))
    pile = sum(tile["count"] for tile in file.get("tiles"))
    if file.get("hand") >= pile > 1:
        found.append(
            (f"a hand of {file.get('hand')} is the whole pile of {pile}: nothing is left to chance", ("hand",))
        )
    return found
