"""Squares and their names: a letter for the row from the top, a number for the column from the left, from 0."""

from __future__ import annotations

import re

from lamplighter.errors import BadNotation, shown

CELL = re.compile(r"([a-z])([0-9]{1,2})")
EIGHT = tuple((row, col) for row in (-1, 0, 1) for col in (-1, 0, 1) if (row, col) != (0, 0))
FOUR = ((-1, 0), (0, 1), (1, 0), (0, -1))  # north, east, south, west


def format_cell(row: int, col: int) -> str:
    """Return the name of a square.

    >>> format_cell(2, 3)
    'c3'
    """
    return f"{chr(ord('a') + row)}{col}"


def parse_cell(text: str, rows: int, cols: int) -> tuple[int, int]:
    """Return the square of a name, on a grid of this size."""
    match = CELL.fullmatch(text.lower())
    if match is None:
        raise BadNotation(f"cannot read the square {shown(text)}: write a row letter and a column number, such as 'c3'")
    row, col = ord(match[1]) - ord("a"), int(match[2])
    if row >= rows or col >= cols:
        last = format_cell(rows - 1, cols - 1)
        raise BadNotation(f"there is no square {text!r}: the grid goes from a0 to {last}")
    return row, col
