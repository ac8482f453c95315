"""My Game, the rules, in the order of RULES.md. Text and pictures live elsewhere.

Kernels see numbers only, and run compiled or, with NUMBA_DISABLE_JIT=1, as the plain Python they look like. So they
read a field as `int(state["turn"])`, lest small integers wrap; they neither raise nor allocate; and what varies between
variants comes from `box`, because a module's constants are frozen when it is compiled.
"""

from __future__ import annotations

from typing import Any

from lamplighter.jit import kernel

from .components import FACES
from .state import Reason

Box = Any
State = Any
Out = Any  # an int64 array that a kernel fills


@kernel
def setup(box: Box, state: State) -> None:
    """§1 Empty sheets. The record comes with zeros in every field."""
    state["turn"] = 1


@kernel
def action_count(box: Box) -> int:
    """§4 One action a square."""
    return int(box["size"]) * int(box["size"])


# --- chance ---------------------------------------------------------------------------------------------------


@kernel
def waiting(box: Box, state: State) -> int:
    """§4 Once the die is rolled, everybody who has not written yet, one bit a seat; 0 means chance or the end."""
    if state["die"] == 0:
        return 0
    return everybody(box) & ~int(state["acted"])


@kernel
def everybody(box: Box) -> int:
    """§1 All seats, one bit a seat."""
    return (1 << int(box["seats"])) - 1


@kernel
def outcomes(box: Box, state: State, out: Out, weights: Out) -> int:
    """§3 What the next die may show, each face as likely as the others. One die or one card at a time."""
    if is_over(box, state):
        return 0
    for face in range(FACES):
        out[face] = face + 1
        weights[face] = 1
    return FACES


@kernel
def apply_chance(box: Box, state: State, outcome: int) -> None:
    """§3 The die is rolled."""
    state["die"] = outcome
    state["draws"] += 1


# --- legality -------------------------------------------------------------------------------------------------


@kernel
def check(box: Box, state: State, seat: int, action: int) -> Reason:
    """§4 Say why `action` is refused, or `Reason.OK`. Legality lives here and nowhere else."""
    if action < 0 or action >= action_count(box):
        return Reason.NO_SUCH_ACTION
    if not (waiting(box, state) >> seat) & 1:
        return Reason.NOT_WAITING
    if state["numbers"][seat, action] != 0:
        return Reason.SQUARE_TAKEN
    if box["touching"] and int(state["turn"]) > 1 and not is_beside(box, state, seat, action):
        return Reason.NOT_BESIDE
    return Reason.OK


@kernel
def is_beside(box: Box, state: State, seat: int, square: int) -> bool:
    """R2 A square beside this one has a number."""
    for other in range(action_count(box)):
        if (int(box["beside"][square]) >> other) & 1 and state["numbers"][seat, other] != 0:
            return True
    return False


# --- writing --------------------------------------------------------------------------------------------------


@kernel
def apply(box: Box, state: State, seat: int, action: int) -> None:
    """§4 A seat writes the die's number. Seats that wait together may come in any order, with the same end."""
    state["numbers"][seat, action] = state["die"]
    state["acted"] = int(state["acted"]) | 1 << seat
    if int(state["acted"]) == everybody(box):
        end_turn(state)


@kernel
def end_turn(state: State) -> None:
    """§2 Everybody has written: the next turn begins."""
    state["turn"] += 1
    state["die"] = 0
    state["acted"] = 0


@kernel
def is_over(box: Box, state: State) -> bool:
    """§2 Every square is full."""
    return int(state["turn"]) > action_count(box)


# --- scoring --------------------------------------------------------------------------------------------------


@kernel
def rises(box: Box, state: State, seat: int, square: int, step: int) -> bool:
    """§5, §6 The line that begins at `square` is full and rises: 2 3 6 does, 2 4 4 does not (R1)."""
    least = 1  # an empty square holds 0
    for i in range(int(box["size"])):
        number = int(state["numbers"][seat, square + i * step])
        if number < least:
            return False
        least = number if box["equal"] else number + 1
    return True


@kernel
def rising_rows(box: Box, state: State, seat: int) -> int:
    """§5 How many rows rise."""
    size = int(box["size"])
    n = 0
    for row in range(size):
        if rises(box, state, seat, row * size, 1):
            n += 1
    return n


@kernel
def rising_columns(box: Box, state: State, seat: int) -> int:
    """§6 How many columns rise."""
    size = int(box["size"])
    n = 0
    for col in range(size):
        if rises(box, state, seat, col, size):
            n += 1
    return n


@kernel
def score_rows(box: Box, state: State, seat: int) -> int:
    """§5 Two rising rows score 5."""
    return int(box["row_points"][rising_rows(box, state, seat)])


@kernel
def score_columns(box: Box, state: State, seat: int) -> int:
    """§6 Two rising columns score 7."""
    return int(box["column_points"][rising_columns(box, state, seat)])


@kernel
def score(box: Box, state: State, seat: int, out: Out) -> int:
    """§5, §6 Each scoring line into `out`, as if the match ended now; their sum is the total."""
    out[0] = score_rows(box, state, seat)
    out[1] = score_columns(box, state, seat)
    return int(out[0]) + int(out[1])


@kernel
def standing(box: Box, state: State, seat: int, total: int) -> int:
    """§7 One number for the total and what breaks a tie: greater is better, and equal ones share the victory."""
    return total * 8 + rising_rows(box, state, seat)


# What is not here has a default: every action that `check` accepts is listed, dice are for everybody, and all is open.
# docs/adding-a-game.md has the whole list under 'rules.py'.
