"""The board of a box: its size, its spaces by name, exits, structures, and the tables that follow from them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.engine.grid import FOUR
from lamplighter.games.railroad.components.catalogue import SIDES, TYPES
from lamplighter.games.railroad.components.tables import (
    MAX_SIDE,
    MAX_SPACES,
    MAX_VILLAGES,
    MIN_SIDE,
    OTHER_SIDE,
    OTHER_TYPE,
)

if TYPE_CHECKING:
    from lamplighter.engine.component_file import ComponentFile

_SPACE = re.compile(r"([A-Z])([0-9])")


def read_size(file: ComponentFile) -> tuple[int, int]:
    """Return rows and columns: `size = 7`, or `size = [6, 9]`."""
    if isinstance(file.get("board", "size"), list):
        file.need_list(2, 2, "board", "size")
        rows, columns = (file.need_int(MIN_SIDE, MAX_SIDE, "board", "size", i) for i in range(2))
    else:
        rows = columns = file.need_int(MIN_SIDE, MAX_SIDE, "board", "size")
    if rows * columns > MAX_SPACES:
        file.fail(f"a board can have {MAX_SPACES} spaces at most, not {rows} × {columns}", "board", "size")
    return rows, columns


def _space(file: ComponentFile, *path: str | int) -> int:
    """Return the number of the space that is named there."""
    rows, columns = read_size(file)
    found = _SPACE.fullmatch(str(file.need_text(*path)))
    row, column = (ord(found[1]) - ord("A"), int(found[2])) if found else (rows, columns)
    if row >= rows or column >= columns:
        last = f"{chr(ord('A') + rows - 1)}{columns - 1}"
        file.fail(f"{file.get(*path)!r} is not a space: write A0 to {last}", *path)
    return row * columns + column


def _space_set(file: ComponentFile, low: int, high: int, *path: str | int) -> int:
    bits = 0
    for i in range(len(file.need_list(low, high, *path))):
        bit = 1 << _space(file, *path, i)
        if bits & bit:
            file.fail(f"{file.get(*path, i)} stands twice", *path, i)
        bits |= bit
    return bits


def behind(box: Any, space: int, side: int) -> int:
    """Return the space on the other side of a side; -1 on the outer edge.

    >>> behind({"rows": 6, "columns": 9}, 0, 1), behind({"rows": 6, "columns": 9}, 0, 2)
    (1, 9)
    """
    rows, columns = int(box["rows"]), int(box["columns"])
    row, column = space // columns + FOUR[side][0], space % columns + FOUR[side][1]
    return row * columns + column if 0 <= row < rows and 0 <= column < columns else -1


def read_board(file: ComponentFile, box: np.void, given: bool) -> None:
    file.need_keys(["size", "centre", "accumulator", "middle_exits", "exits"], at=("board",))
    _set_size(box, *read_size(file))
    spaces = int(box["spaces"])
    box["centre"] = _space_set(file, 0, spaces, "board", "centre")
    accumulator = _space(file, "board", "accumulator")
    if any(behind(box, accumulator, side) < 0 for side in range(4)):
        file.fail("the accumulator cannot stand on the outer edge", "board", "accumulator")
    box["accumulator"] = accumulator if box["power"] else -1
    box["open"] = int(box["board"]) & ~(1 << accumulator if box["power"] else 0)
    if given and box["power"]:
        box["centre_given"] = int(box["centre"]) >> accumulator & 1
    for space in range(spaces):
        for side in range(4):
            other = behind(box, space, side)
            if other >= 0:
                box["seen_from"][space, [side ^ OTHER_SIDE, side ^ OTHER_SIDE ^ OTHER_TYPE]] = 1 << other
            if other < 0:
                box["outer"][side] |= 1 << space
            elif other != box["accumulator"]:
                box["inner"][side] |= 1 << space
            elif box["power"]:
                box["beside"][side] = 1 << space
                box["around"] |= 1 << space
    columns = int(box["columns"])
    for corner in (0, columns - 1, spaces - columns, spaces - 1):
        box["corners"] |= 1 << corner
    _set_arrows(box)
    names = _read_exits(file, box)
    middle = file.need_list(0, len(names), "board", "middle_exits")
    for i, name in enumerate(middle):
        if name not in names:
            file.fail(
                f"{name!r} is none of the exits: write space and outer side, such as A3N", "board", "middle_exits", i
            )
        box["middle_exits"] |= 1 << names[name]


def _set_size(box: np.void, rows: int, columns: int) -> None:
    """The sets of spaces that follow from the size alone."""
    spaces = rows * columns
    box["rows"], box["columns"], box["spaces"], box["per_space"] = rows, columns, spaces, (1 << 32) // spaces + 1
    box["board"] = (1 << spaces) - 1
    box["first_column"] = sum(1 << space for space in range(0, spaces, columns))
    box["last_column"] = int(box["first_column"]) << (columns - 1)
    box["block_edges"] = sum(int(box["first_column"]) << column for column in range(columns - 2))
    box["even"] = sum(1 << space for space in range(spaces) if (space // columns + space % columns) % 2 == 0)


def _set_arrows(box: np.void) -> None:
    """Number the lines that an arrow can electrify: by direction, first space and how many."""
    move = 0
    for direction in range(4):
        for first in range(int(box["spaces"])):
            box["first_arrow"][direction, first] = move
            space, count = first, 0
            while space >= 0:
                count += 1
                box["arrow_first"][move], box["arrow_count"][move], box["arrow_way"][move] = first, count, direction
                space, move = behind(box, space, direction), move + 1
    box["arrow_moves"] = move


def _read_exits(file: ComponentFile, box: np.void) -> dict[str, int]:
    """Return the exits by name, and the space of each."""
    names: dict[str, int] = {}
    for i in range(len(file.need_list(1, 2 * int(box["rows"] + box["columns"]) - 4, "board", "exits"))):
        path = ("board", "exits", i)
        file.need_keys(["space", "side", "type"], at=path)
        space = _space(file, *path, "space")
        side = SIDES.index(file.need_choice(SIDES, *path, "side"))
        kind = TYPES.index(file.need_choice(TYPES, *path, "type"))
        if behind(box, space, side) >= 0:
            file.fail(f"side {SIDES[side]} of {file.get(*path, 'space')} is not on the outer edge", *path)
        if space in names.values():
            file.fail(f"{file.get(*path, 'space')} has two exits: a space can have one", *path)
        names[file.get(*path, "space") + SIDES[side]] = space
        box["exit_offers"][kind * 4 + side] |= 1 << space
        box["exit_at"][side] |= 1 << space
        box["exit_spaces"] |= 1 << space
    return names


def read_structures(file: ComponentFile, box: np.void, given: bool) -> None:
    file.need_keys(["factories", "villages", "universities"], at=("structures",))
    taken, spaces = 0, int(box["spaces"])
    for name, most in (("factories", spaces), ("villages", MAX_VILLAGES), ("universities", spaces)):
        found = _space_set(file, 0, most, "structures", name)
        if found & taken:
            file.fail(f"a space of {name} holds another structure already", "structures", name)
        taken |= found
        if box["challenge"]:
            box[name] = found
    if given and box["power"]:
        box["universities_given"] = int(box["universities"]) >> int(box["accumulator"]) & 1
