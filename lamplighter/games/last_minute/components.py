"""What is in the box: the tree, the tracks and the dice, read from `box.toml` and turned into tables for the kernel.

No rule lives here; a sheet of the same kind can be typed into a component file of its own.
"""

from __future__ import annotations

import functools
import statistics
from collections.abc import Mapping
from typing import Any

import numpy as np

from lamplighter.engine.component_file import ComponentFile, Path
from lamplighter.engine.game import Value
from lamplighter.engine.grid import EIGHT, FOUR
from lamplighter.errors import BadVariant

FACES = 6  # a die has six faces, each an ornament
MAX_SQUARES = 64  # a set of squares is an int64 with all its bits: the last square is the sign
MAX_ROWS = 26  # a letter each
MAX_COLS = 16  # wider ones would be too narrow to draw in
MAX_TRACK = 15  # positions count circles and crosses in one hexadecimal digit
MAX_TURNS = 32
MAX_BOXES = 60
MAX_NAME = 16  # letters of an ornament
SEATS = ("2", "3", "4", "5")
NO_SQUARE, SQUARE, ICON = ".", "#", "+"
PLACES = ("right", "left", "below")  # where the power boxes are; the first is the usual place

BOX = np.dtype(
    [
        ("near", np.int64, MAX_SQUARES),  # §10 the squares around each square, as bits
        ("connects", np.int64, MAX_SQUARES),  # §11 the squares that connect with it
        ("icons", np.int64),  # §12 the squares with a +1/-1 icon
        ("tree", np.int64),  # all squares
        ("tracks", np.int16, (FACES, MAX_TRACK)),  # §14 the values of each ornament's track, lowest first
        ("track_length", np.int8, FACES),
        ("cost", np.int8, (FACES, FACES)),  # §13 powers it takes to turn a face into another
        ("payable", np.int8, (FACES, FACES)),  # §13 what so many powers turn a face into at most, ornaments as bits
        ("square_at", np.int8, (MAX_ROWS, MAX_COLS)),  # the number of the square at row, column; -1 where there is none
        ("row", np.int8, MAX_SQUARES),
        ("col", np.int8, MAX_SQUARES),
        ("squares", np.int16),
        ("rows", np.int16),
        ("cols", np.int16),
        ("icon_bonus", np.int16),  # §14
        ("power_boxes", np.int16),  # §12
        ("turns", np.int16),  # §2
        ("seats", np.int16),
        ("first_player", np.int16),  # -1: drawn by lot
        ("cross_drawn", np.bool_),  # R6
    ]
)


@functools.lru_cache(maxsize=64)
def ornament_names(file: ComponentFile) -> list[str]:
    """Return the ornaments of faces 1 to 6 as moves write them.

    >>> from lamplighter import games
    >>> ornament_names(ComponentFile(games.load("last_minute").box_text))[1]
    'candy-cane'
    """
    return ["-".join(str(name).lower().split()) for name in file.get("ornaments")]


def boxes_at(file: ComponentFile) -> str:
    """Return where on the sheet the power boxes are."""
    return str(file.data.get("power_boxes_at", PLACES[0]))


def bit_of(square: int) -> int:
    """Return the set of one square, as an int64 has it.

    >>> bit_of(3), bit_of(63) == -(2**63)
    (8, True)
    """
    return 1 << square if square < MAX_SQUARES - 1 else -1 << square


def squares_in(squares: int) -> list[int]:
    """Return the squares of a set, ascending.

    >>> squares_in(bit_of(63) | 5)
    [0, 2, 63]
    """
    return [square for square in range(MAX_SQUARES) if squares >> square & 1]


def score_lines(file: ComponentFile) -> tuple[str, ...]:
    """The names of the scoring lines, in the order of `rules.score`."""
    return ("turns", *ornament_names(file), "powers", "icons")


def build(file: ComponentFile, options: Mapping[str, Value]) -> np.ndarray[Any, Any]:
    """Return the box as kernels read it; a file that does not make sense is refused."""
    seats = int(options["seats"])
    file.need_keys(["tree", "ornaments", "tracks", "power_boxes", "icon_bonus", "turns"], ["power_boxes_at"])
    boxes = np.zeros(1, BOX)
    box = boxes[0]
    box["seats"] = seats
    box["power_boxes"] = file.need_int(0, MAX_BOXES, "power_boxes")
    box["icon_bonus"] = file.need_int(0, 1000, "icon_bonus")
    if "power_boxes_at" in file.data:
        file.need_choice(PLACES, "power_boxes_at")
    _read_turns(file, box)
    box["cross_drawn"] = options["cross_uses"] == "drawn"
    _set_first_player(box, str(options["first_player"]))
    _read_ornaments(file)
    _read_tracks(file, box)
    _read_tree(file, box, EIGHT if options["connect"] == 8 else FOUR)
    for players, turns in sorted(file.get("turns").items()):
        if turns > box["squares"]:
            file.fail(
                f"the tree has {box['squares']} squares, but {players} players draw {turns} ornaments each", "tree"
            )
    for face in range(FACES):
        for ornament in range(FACES):
            way = abs(face - ornament)
            cost = min(way, FACES - way) if options["wrap"] else way
            box["cost"][face, ornament] = cost
            box["payable"][face, cost:] |= 1 << ornament
    return boxes


def _read_turns(file: ComponentFile, box: np.void) -> None:
    """Read the turns for this number of players, and look at the others too: they are on the same sheet."""
    file.need_keys([str(box["seats"])], SEATS, ("turns",))
    for players in file.get("turns"):
        file.need_int(1, MAX_TURNS, "turns", players)
    box["turns"] = file.get("turns", str(box["seats"]))


def _set_first_player(box: np.void, first: str) -> None:
    if first != "random" and int(first) >= box["seats"]:
        raise BadVariant(
            f"player {int(first) + 1} cannot begin, because {box['seats']} play (first_player: with {box['seats']} "
            f"seats they are 0 to {box['seats'] - 1}, or random)"
        )
    box["first_player"] = -1 if first == "random" else int(first)


def _read_ornaments(file: ComponentFile) -> None:
    file.need_list(FACES, FACES, "ornaments")
    for i in range(FACES):
        file.need_text("ornaments", i)
    names = ornament_names(file)
    for i, name in enumerate(names):
        if name in names[:i]:
            file.fail(f"the ornament {name!r} stands twice", "ornaments", i)
        if name in ("turns", "powers", "icons") or not name.replace("-", "").isalpha():
            file.fail(f"an ornament cannot be called {name!r}: use letters", "ornaments", i)
        if len(name) > MAX_NAME:
            file.fail(f"the ornament {name!r} has more than {MAX_NAME} letters", "ornaments", i)


def _read_tracks(file: ComponentFile, box: np.void) -> None:
    file.need_list(FACES, FACES, "tracks")
    for i in range(FACES):
        track = file.need_list(1, MAX_TRACK, "tracks", i)
        for j in range(len(track)):
            box["tracks"][i, j] = file.need_int(0, 1000, "tracks", i, j)
            if j and track[j] <= track[j - 1]:
                file.fail(f"values of a track must rise: {track[j]} follows {track[j - 1]}", "tracks", i, j)
        box["track_length"][i] = len(track)


def _read_tree(file: ComponentFile, box: np.void, directions: tuple[tuple[int, int], ...]) -> None:
    rows = file.need_list(1, MAX_ROWS, "tree")
    box["square_at"][:] = -1
    squares: list[tuple[int, int]] = []
    width = statistics.mode(len(str(row)) for row in rows)
    for i, row in enumerate(rows):
        if not isinstance(row, str) or len(row) != width or width > MAX_COLS:
            file.fail(f"row {i} of the tree must be a text as long as the others, at most {MAX_COLS} long", "tree", i)
        for j, mark in enumerate(row):
            if mark not in (NO_SQUARE, SQUARE, ICON):
                file.fail(f"{mark!r} in the tree is none of '.', '#' and '+'", "tree", i)
            if mark != NO_SQUARE:
                squares.append((i, j))
            if len(squares) > MAX_SQUARES:
                file.fail(f"here the tree has more than {MAX_SQUARES} squares, for which there is no room", "tree", i)
    box["squares"], box["rows"], box["cols"] = len(squares), len(rows), width
    if box["icon_bonus"] and not any(ICON in row for row in rows):
        file.fail("a tree without a '+' square has no icons to cover: icon_bonus must be 0", "icon_bonus")
    numbers = {place: number for number, place in enumerate(squares)}
    for number, (row, col) in enumerate(squares):
        box["square_at"][row, col], box["row"][number], box["col"][number] = number, row, col
        box["tree"] |= bit_of(number)
        if rows[row][col] == ICON:
            box["icons"] |= bit_of(number)
        for around, field in ((EIGHT, "near"), (directions, "connects")):
            for step in around:
                other = numbers.get((row + step[0], col + step[1]))
                if other is not None:
                    box[field][number] |= bit_of(other)


# --- what is odd ----------------------------------------------------------------------------------------------


def oddities(file: ComponentFile) -> list[tuple[str, Path]]:
    """Return what is odd about a sheet that can be played, each with the place in the file."""
    return [*_odd_turns(file), *_odd_tracks(file), *_odd_icons(file), *_odd_tree(file)]


def _odd_turns(file: ComponentFile) -> list[tuple[str, Path]]:
    return [
        (f"{players} players have {turns} turns, so they are not active equally often (§2)", ("turns", players))
        for players, turns in file.get("turns").items()
        if turns % int(players)
    ]


def _odd_tracks(file: ComponentFile) -> list[tuple[str, Path]]:
    """§7 Values that nobody can circle; tracks that are too short for the ornaments of a match."""
    turns, tracks, names = max(file.get("turns").values()), file.get("tracks"), ornament_names(file)
    found: list[tuple[str, Path]] = []
    for i, (name, track) in enumerate(zip(names, tracks, strict=True)):
        if len(track) > turns:
            words = f"the track of the {name} has {len(track)} values, but a match has at most {turns} turns:"
            found.append((f"{words} the last {len(track) - turns} can never be circled (§7)", ("tracks", i)))
        if len(track) == 1:
            found.append((f"the track of the {name} has one value: the first cross closes it (§5)", ("tracks", i)))
    values = sum(map(len, tracks))
    if values < turns:
        words = f"the tracks have {values} values for {turns} ornaments: the last are drawn without a circle (R8)"
        found.append((words, ("tracks",)))
    return found


def _odd_icons(file: ComponentFile) -> list[tuple[str, Path]]:
    """§12, §14 Icons without a box, boxes without an icon, a bonus that nobody can reach."""
    icons, boxes = "".join(file.get("tree")).count(ICON), file.get("power_boxes")
    turns, bonus = max(file.get("turns").values()), file.get("icon_bonus")
    found: list[tuple[str, Path]] = []
    if icons > boxes:
        words = f"{icons} icons, but {boxes} power boxes: the last {icons - boxes} give no power (R4)"
        found.append((words, ("power_boxes",)))
    if boxes > icons:
        words = f"{boxes} power boxes, but {icons} icons: {boxes - icons} can never be circled (§12)"
        found.append((words, ("power_boxes",)))
    if bonus and icons > turns:
        words = f"nobody can cover {icons} icons in {turns} turns, so the bonus is never scored (§14)"
        found.append((words, ("icon_bonus",)))
    return found


def _odd_tree(file: ComponentFile) -> list[tuple[str, Path]]:
    """§11 A tree in several parts."""
    rows = file.get("tree")
    left = {(i, j) for i, row in enumerate(rows) for j, mark in enumerate(row) if mark != NO_SQUARE}
    parts = 0
    while left:
        parts, todo = parts + 1, [left.pop()]
        while todo:
            row, col = todo.pop()
            beside = {(row + down, col + right) for down, right in EIGHT} & left
            left -= beside
            todo += beside
    if parts == 1:
        return []
    return [(f"the tree is in {parts} parts: the next is begun when one is full (R10)", ("tree",))]


def cross_name(ornament: int, at: int) -> str:
    """Return the name of the cross over a value of a track, from 0, by which it is found on a drawn sheet."""
    return f"cross-{ornament}-{at}"
