"""What is in the box: the grid and the points, read from `box.toml` and turned into tables for the kernels.

Whatever never changes during a match belongs in BOX: sizes, tables, and the options of the variant. No rule lives here.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from lamplighter.engine.component_file import ComponentFile, Path
from lamplighter.engine.game import Value
from lamplighter.engine.grid import FOUR

SEATS = 6  # §1 the most seats; records have room for all of them
FACES = 6  # §3
MIN_SIZE, MAX_SIZE = 3, 5
MAX_SQUARES = MAX_SIZE * MAX_SIZE  # at most 62, so that a set of squares is one int64

# Squares are numbered row by row from the top left corner: square = row * size + column.
BOX = np.dtype(
    [
        ("beside", np.int64, MAX_SQUARES),  # R2 the squares that share a side with each square, one bit a square
        ("row_points", np.int16, MAX_SIZE + 1),  # §5 by the number of rows that rise
        ("column_points", np.int16, MAX_SIZE + 1),  # §6 by the number of columns that rise
        ("size", np.int16),  # §1 rows, and columns
        ("seats", np.int16),  # §1
        ("equal", np.bool_),  # R1
        ("touching", np.bool_),  # R2
    ]
)


def score_lines(file: ComponentFile) -> tuple[str, ...]:
    """The names of the scoring lines, in the order of `rules.score`."""
    return ("rows", "columns")


def build(file: ComponentFile, options: Mapping[str, Value]) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """The box as kernels read it, an array of one record; a file that does not make sense is refused with its line."""
    file.need_keys(["size", "row_points", "column_points"])
    boxes = np.zeros(1, BOX)
    box = boxes[0]
    size = file.need_int(MIN_SIZE, MAX_SIZE, "size")
    box["size"], box["seats"] = size, options["seats"]
    box["equal"], box["touching"] = options["equal"], options["touching"]
    for field in ("row_points", "column_points"):
        table = file.need_list(size + 1, size + 1, field)
        for i in range(size + 1):
            box[field][i] = file.need_int(0, 1000, field, i)
            if i and table[i] < table[i - 1]:
                file.fail(f"points must not fall: {table[i]} follows {table[i - 1]}", field, i)
    for square in range(size * size):
        for down, right in FOUR:
            row, col = square // size + down, square % size + right
            if 0 <= row < size and 0 <= col < size:
                box["beside"][square] |= 1 << (row * size + col)
    return boxes


def oddities(file: ComponentFile) -> list[tuple[str, Path]]:
    """What is odd about a file though it can be played, each with its place. You may leave this function out."""
    return [
        (f"{field} gives no points for anything", (field,))
        for field in ("row_points", "column_points")
        if not any(file.get(field))
    ]
