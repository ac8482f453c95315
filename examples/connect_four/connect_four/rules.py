"""Connect Four, the rules. Paragraphs are those of RULES.md; state.py shows how squares are numbered."""

from __future__ import annotations

from typing import Any

from connect_four.components import COLUMNS, ROWS
from connect_four.state import COLUMN_BITS, Reason
from lamplighter.jit import kernel

Box = Any
State = Any
Out = Any  # an int64 array that a kernel fills


@kernel
def setup(box: Box, state: State) -> None:
    """§1 An empty grid."""
    state["turn"] = 1
    state["winner"] = -1


@kernel
def action_count(box: Box) -> int:
    """§1 One action a column."""
    return COLUMNS


@kernel
def waiting(box: Box, state: State) -> int:
    """§2 The seats take turns, seat 0 first."""
    return 0 if is_over(box, state) else 1 << ((int(state["turn"]) - 1) & 1)


@kernel
def step(box: Box, state: State) -> int:
    """§4 Every move is final: a step of its own."""
    return int(state["turn"])


# --- moves ----------------------------------------------------------------------------------------------------


@kernel
def taken(state: State) -> int:
    """The squares that hold a disc."""
    return int(state["discs"][0]) | int(state["discs"][1])


@kernel
def is_full(squares: int, column: int) -> bool:
    """§3 The highest square of a column is one of these squares."""
    return (squares >> (column * COLUMN_BITS + ROWS - 1)) & 1 == 1


@kernel
def check(box: Box, state: State, seat: int, action: int) -> Reason:
    """§1–§3 Say why `action` is refused, or `Reason.OK`."""
    if action < 0 or action >= COLUMNS:
        return Reason.NO_SUCH_ACTION
    if not (waiting(box, state) >> seat) & 1:
        return Reason.NOT_WAITING
    if is_full(taken(state), action):
        return Reason.COLUMN_FULL
    return Reason.OK


@kernel
def legal_actions(box: Box, state: State, seat: int, out: Out) -> int:
    """§3 Every column that `check` accepts, in ascending order."""
    if not (waiting(box, state) >> seat) & 1:
        return 0
    n = 0
    squares = taken(state)
    for column in range(COLUMNS):
        if not is_full(squares, column):
            out[n] = column
            n += 1
    return n


@kernel
def apply(box: Box, state: State, seat: int, action: int) -> None:
    """§3, §5 The disc falls: adding 1 at the foot of a column carries to its lowest free square."""
    squares = taken(state)
    discs = int(state["discs"][seat]) | ((squares + (1 << (action * COLUMN_BITS))) & ~squares)
    state["discs"][seat] = discs
    state["turn"] += 1
    if has_four(discs):
        state["winner"] = seat


@kernel
def has_four(discs: int) -> bool:
    """§5 Four in a line: two pairs next to each other, in a column, a row or one of the two diagonals."""
    for way in (1, COLUMN_BITS, COLUMN_BITS - 1, COLUMN_BITS + 1):
        pairs = discs & (discs >> way)
        if pairs & (pairs >> (2 * way)):
            return True
    return False


@kernel
def is_over(box: Box, state: State) -> bool:
    """§5, §6 Somebody has four in a line, or the grid is full."""
    return int(state["winner"]) >= 0 or int(state["turn"]) > COLUMNS * ROWS


# --- scoring --------------------------------------------------------------------------------------------------


@kernel
def score(box: Box, state: State, seat: int, out: Out) -> int:
    """§5, §6 Whoever has four in a line gets 1; nobody else gets anything."""
    out[0] = 1 if int(state["winner"]) == seat else 0
    return int(out[0])
