"""What is in the box: the tree, the tracks and the dice, read from `box.toml` and turned into tables for the kernel.

No rule lives here; a sheet of the same kind can be typed into a component file of its own.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from lamplighter.engine.box import BoxFile
from lamplighter.engine.game import Value
from lamplighter.engine.grid import EIGHT, FOUR
from lamplighter.errors import BadVariant

FACES = 6  # a die has six faces, each an ornament
MAX_SQUARES = 62  # a set of squares is an int64
MAX_SIDE = 9  # of the tree's grid
MAX_TRACK = 12
MAX_TURNS = 24
NO_SQUARE, SQUARE, ICON = ".", "#", "+"

BOX = np.dtype(
    [
        ("near", np.int64, MAX_SQUARES),  # §10 the squares around each square, as bits
        ("connects", np.int64, MAX_SQUARES),  # §11 the squares that connect with it
        ("icons", np.int64),  # §12 the squares with a +1/-1 icon
        ("tree", np.int64),  # all squares
        ("tracks", np.int16, (FACES, MAX_TRACK)),  # §14 the values of each ornament's track, lowest first
        ("track_length", np.int8, FACES),
        ("cost", np.int8, (FACES, FACES)),  # §13 powers it takes to turn a face into another
        ("square_at", np.int8, (MAX_SIDE, MAX_SIDE)),  # the number of the square at row, column; -1 where there is none
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
def ornament_names(file: BoxFile) -> list[str]:
    """The ornaments of faces 1 to 6 as moves write them.

    >>> from lamplighter import games
    >>> ornament_names(BoxFile(games.load("last_minute").box_text))[1]
    'candy-cane'
    """
    return ["-".join(str(name).lower().split()) for name in file.get("ornaments")]


def score_lines(file: BoxFile) -> tuple[str, ...]:
    """The names of the scoring lines, in the order of `rules.score`."""
    return ("turns", *ornament_names(file), "powers", "icons")


def build(file: BoxFile, options: Mapping[str, Value]) -> np.ndarray[Any, Any]:
    """The box as kernels read it; a file that does not make sense is refused."""
    seats = int(options["seats"])
    file.need_keys(["tree", "ornaments", "tracks", "power_boxes", "icon_bonus", "turns"])
    boxes = np.zeros(1, BOX)
    box = boxes[0]
    box["seats"] = seats
    box["power_boxes"] = file.need_int(0, 60, "power_boxes")
    box["icon_bonus"] = file.need_int(0, 1000, "icon_bonus")
    box["turns"] = file.need_int(1, MAX_TURNS, "turns", str(seats))
    box["cross_drawn"] = options["cross_uses"] == "drawn"
    _set_first_player(box, str(options["first_player"]))
    _read_ornaments(file)
    _read_tracks(file, box)
    _read_tree(file, box, EIGHT if options["connect"] == 8 else FOUR)
    if box["squares"] < box["turns"]:
        file.fail(
            f"the tree has {box['squares']} squares, but {seats} players draw {box['turns']} ornaments each", "tree"
        )
    for face in range(FACES):
        for ornament in range(FACES):
            way = abs(face - ornament)
            box["cost"][face, ornament] = min(way, FACES - way) if options["wrap"] else way
    return boxes


def _set_first_player(box: np.void, first: str) -> None:
    if first != "random" and int(first) >= box["seats"]:
        raise BadVariant(
            f"first_player cannot be {first!r}: with {box['seats']} seats they are 0 to {box['seats'] - 1}"
        )
    box["first_player"] = -1 if first == "random" else int(first)


def _read_ornaments(file: BoxFile) -> None:
    file.need_list(FACES, FACES, "ornaments")
    for i in range(FACES):
        file.need_text("ornaments", i)
    names = ornament_names(file)
    for i, name in enumerate(names):
        if name in names[:i]:
            file.fail(f"the ornament {name!r} stands twice", "ornaments", i)
        if name in ("turns", "powers", "icons") or not name.replace("-", "").isalpha():
            file.fail(f"an ornament cannot be called {name!r}: use letters", "ornaments", i)


def _read_tracks(file: BoxFile, box: np.void) -> None:
    file.need_list(FACES, FACES, "tracks")
    for i in range(FACES):
        track = file.need_list(1, MAX_TRACK, "tracks", i)
        for j in range(len(track)):
            box["tracks"][i, j] = file.need_int(0, 1000, "tracks", i, j)
            if j and track[j] <= track[j - 1]:
                file.fail(f"values of a track must rise: {track[j]} follows {track[j - 1]}", "tracks", i, j)
        box["track_length"][i] = len(track)


def _read_tree(file: BoxFile, box: np.void, directions: tuple[tuple[int, int], ...]) -> None:
    rows = file.need_list(1, MAX_SIDE, "tree")
    box["square_at"][:] = -1
    squares: list[tuple[int, int]] = []
    width = max(len(str(row)) for row in rows)
    for i, row in enumerate(rows):
        if not isinstance(row, str) or len(row) != width or width > MAX_SIDE:
            file.fail(f"row {i} of the tree must be a text as long as the others, at most {MAX_SIDE} long", "tree", i)
        for j, mark in enumerate(row):
            if mark not in (NO_SQUARE, SQUARE, ICON):
                file.fail(f"{mark!r} in the tree is none of '.', '#' and '+'", "tree", i)
            if mark != NO_SQUARE:
                squares.append((i, j))
    if len(squares) > MAX_SQUARES:
        file.fail(f"the tree has {len(squares)} squares, more than {MAX_SQUARES}", "tree")
    box["squares"], box["rows"], box["cols"] = len(squares), len(rows), len(rows[0])
    if box["icon_bonus"] and not any(ICON in row for row in rows):
        file.fail("a tree without a '+' square has no icons to cover: icon_bonus must be 0", "icon_bonus")
    for number, (row, col) in enumerate(squares):
        box["square_at"][row, col], box["row"][number], box["col"][number] = number, row, col
        box["tree"] |= 1 << number
        if rows[row][col] == ICON:
            box["icons"] |= 1 << number
        for around, field in ((EIGHT, "near"), (directions, "connects")):
            for step in around:
                other = (row + step[0], col + step[1])
                if other in squares:
                    box[field][number] |= 1 << squares.index(other)
