"""Moves, outcomes and positions of My Game as text.

A move is the name of a square: `b1`. An outcome is a face: `4`. A position is `turn;die;sheet;…`, one sheet a seat,
with `-` for a die that is not rolled yet. A sheet goes row by row: `12./.4./...`, with `.` for an empty square.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lamplighter.engine.grid import format_cell, parse_cell
from lamplighter.engine.reading import parse_number
from lamplighter.engine.variant import State, Variant
from lamplighter.errors import BadNotation

from .state import STATE

FACES = "123456"


# --- moves ----------------------------------------------------------------------------------------------------


def format_move(variant: Variant, state: State, seat: int, action: int) -> str:
    return format_cell(*divmod(action, int(variant.box["size"])))


def parse_move(variant: Variant, state: State, seat: int, text: str) -> int:
    """The action that a text names, legal or not: why it is refused is for `rules.check` to say."""
    size = int(variant.box["size"])
    row, col = parse_cell(text, size, size)
    return row * size + col


def move_fields(variant: Variant, state: State, seat: int, action: int) -> dict[str, Any]:
    """The named parts of a move, for programs that do not know our kernels."""
    row, col = divmod(action, int(variant.box["size"]))
    return {"kind": "write", "cell": format_cell(row, col), "row": row, "column": col, "face": str(state["die"])}


# --- outcomes -------------------------------------------------------------------------------------------------


def format_outcome(variant: Variant, state: State, outcome: int) -> str:
    return str(outcome)


def outcome_fields(variant: Variant, state: State, outcome: int) -> dict[str, Any]:
    return {"kind": "die", "die": 0, "face": str(outcome)}


# --- positions ------------------------------------------------------------------------------------------------


def format_position(variant: Variant, state: State) -> str:
    die = str(state["die"]) if state["die"] else "-"
    return ";".join([str(state["turn"]), die, *(_format_sheet(variant, state, seat) for seat in range(variant.seats))])


def _format_sheet(variant: Variant, state: State, seat: int) -> str:
    size = int(variant.box["size"])
    marks = "".join(str(number) if number else "." for number in state["numbers"][seat][: size * size])
    return "/".join(marks[row * size : (row + 1) * size] for row in range(size))


def parse_position(variant: Variant, text: str) -> State:
    """The state of a position text; one that no match could reach by counting alone is refused.

    Every field must come back as play would have left it, byte by byte.
    """
    turn, die, *sheets = text.split(";") if text.count(";") else ("", "")
    squares = int(variant.box["size"]) ** 2
    if len(sheets) != variant.seats:
        raise BadNotation(f"it must have a turn, a die and {variant.seats} sheets, joined with ';'")
    if parse_number(turn) is None or not 1 <= int(turn) <= squares + 1:
        raise BadNotation(f"{turn!r} is not a turn from 1 to {squares + 1}")
    if die not in ("-", *FACES) or (die != "-" and int(turn) > squares):
        raise BadNotation(f"{die!r} is not a die: write its face, or '-' if none is rolled")
    state = np.zeros(1, STATE)[0]
    state["turn"], state["die"] = int(turn), 0 if die == "-" else int(die)
    state["draws"] = int(turn) - (die == "-")
    for seat, sheet in enumerate(sheets):
        _parse_sheet(variant, state, seat, sheet)
    if state["acted"] == variant.game.rules.everybody(variant.box):
        raise BadNotation(f"everybody has written, so this is turn {int(turn) + 1}")
    return state


def _parse_sheet(variant: Variant, state: State, seat: int, text: str) -> None:
    size = int(variant.box["size"])
    marks = text.replace("/", "")
    if [len(row) for row in text.split("/")] != [size] * size or set(marks) - {".", *FACES}:
        raise BadNotation(f"the sheet {text!r} must have {size} rows of {size} squares, each a face or '.'")
    for square, mark in enumerate(marks):
        state["numbers"][seat, square] = 0 if mark == "." else int(mark)
    written, turn = len(marks) - marks.count("."), int(state["turn"])
    if written == turn and state["die"]:
        state["acted"] |= 1 << seat
    elif written != turn - 1:
        raise BadNotation(f"seat {seat} cannot have written {written} numbers in turn {turn}")
