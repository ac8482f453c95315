"""Moves and positions of Connect Four as text.

A move is the letter of a column: `d`. A position lists the columns from `a` to `g`, each from its foot up, `x` for a
disc of seat 0 and `o` for one of seat 1: `///xox/o//`. Whose turn it is follows from the number of discs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from connect_four.components import COLUMNS, ROWS
from connect_four.state import COLUMN_BITS, STATE
from lamplighter.errors import BadNotation

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant

LETTERS = "abcdefg"
MARKS = "xo"  # of seat 0 and seat 1


def format_move(variant: Variant, state: State, seat: int, action: int) -> str:
    return LETTERS[action] if 0 <= action < COLUMNS else str(action)  # refusals name impossible actions too


def parse_move(variant: Variant, state: State, seat: int, text: str) -> int:
    if len(text) != 1 or text not in LETTERS:
        raise BadNotation(f"write the letter of a column, {LETTERS[0]!r} to {LETTERS[-1]!r}")
    return LETTERS.index(text)


def move_fields(variant: Variant, state: State, seat: int, action: int) -> dict[str, Any]:
    """The named parts of a move, for programs that do not know our kernels; rows count from the top."""
    return {"kind": "drop", "row": ROWS - 1 - len(column_text(state, action)), "column": action}


def column_text(state: State, column: int) -> str:
    """The discs in a column, from its foot up."""
    first, second = (int(discs) >> (column * COLUMN_BITS) for discs in state["discs"])
    return "".join(MARKS[second >> row & 1] for row in range(ROWS) if (first | second) >> row & 1)


def format_position(variant: Variant, state: State) -> str:
    return "/".join(column_text(state, column) for column in range(COLUMNS))


def parse_position(variant: Variant, text: str) -> State:
    """The state of a position text; one that no match could reach by counting alone is refused."""
    columns, rules = text.split("/"), variant.game.rules
    if len(columns) != COLUMNS:
        raise BadNotation(f"it must have {COLUMNS} columns, joined with '/'")
    state = np.zeros(1, STATE)[0]
    rules.setup(variant.box, state)
    for column, marks in enumerate(columns):
        if len(marks) > ROWS or marks.strip(MARKS):
            raise BadNotation(f"the column {marks!r} must be at most {ROWS} marks, 'x' or 'o'")
        for row, mark in enumerate(marks):
            state["discs"][MARKS.index(mark)] |= 1 << (column * COLUMN_BITS + row)
            state["turn"] += 1
    first, second = text.count("x"), text.count("o")
    if first - second not in (0, 1):
        raise BadNotation(f"seat 0 moves first, so it cannot have {first} discs while seat 1 has {second}")
    last = 1 - (first - second)  # who has just moved
    if rules.has_four(int(state["discs"][1 - last])):
        raise BadNotation(f"seat {1 - last} has four in a line, but seat {last} moved after that")
    if rules.has_four(int(state["discs"][last])):
        state["winner"] = last
    return state
