"""The grid of Connect Four, drawn. Both seats look at the same one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connect_four.components import COLUMNS, ROWS
from connect_four.notation import LETTERS, MARKS, column_text

if TYPE_CHECKING:
    from lamplighter.engine.text_sheet import Line
    from lamplighter.engine.variant import State, Variant

PENS = {MARKS[0]: "lamp", MARKS[1]: "power", ".": "print"}


def draw_text(variant: Variant, state: State, seat: int) -> list[Line]:
    """Six rows, the highest first, over the letters of the columns."""
    columns = [column_text(state, column).ljust(ROWS, ".") for column in range(COLUMNS)]
    rows: list[Line] = [[(f" {marks[row]}", PENS[marks[row]]) for marks in columns] for row in reversed(range(ROWS))]
    return [*rows, [(f" {letter}", "title") for letter in LETTERS]]
