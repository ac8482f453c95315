"""The kernels that a game may leave out, written in terms of those it has.

Names such as `check` stand for the game's own kernels: `engine.kernels` compiles a copy of each function for every game
that needs it. Nothing here is called directly.
"""

from __future__ import annotations

from typing import Any

Box = Any
State = Any
Out = Any

# the game's own, see `jit.bind`
waiting: Any = None
outcomes: Any = None
check: Any = None
action_count: Any = None
SCORE_LINES = 24  # the most scoring lines, and the most facts, that a game may have


# --- chance: a game that leaves nothing to it -------------------------------------------------------------------


def no_outcomes(box: Box, state: State, out: Out, weights: Out) -> int:
    """Chance owes nothing."""
    return 0


def no_chance(box: Box, state: State, outcome: int) -> None:
    """Nothing is drawn."""


def everybody(box: Box, state: State) -> int:
    """An outcome is for everybody."""
    return -1


# --- moves and the end ------------------------------------------------------------------------------------------


def checked_actions(box: Box, state: State, seat: int, out: Out) -> int:
    """List the actions that `check` accepts, in ascending order."""
    n = 0
    for action in range(action_count(box)):
        if check(box, state, seat, action) == 0:
            out[n] = action
            n += 1
    return n


def nothing_left(box: Box, state: State) -> bool:
    """The match is over when nobody has to act."""
    return bool(waiting(box, state) == 0)


def same_step(box: Box, state: State) -> int:
    """Moves become final only when an outcome is revealed."""
    return 0


# --- scoring ----------------------------------------------------------------------------------------------------


def no_facts(box: Box, state: State, seat: int, out: Out) -> int:
    """There is nothing else to count."""
    return 0


def most_points(box: Box, state: State, seat: int, total: int) -> int:
    """More points are better; equal points share the victory."""
    return total


def all_open(box: Box, state: State, seat: int) -> None:
    """Everybody sees everything."""


def nothing_dealt_in_secret(box: Box) -> bool:
    """Everybody sees what is dealt."""
    return False


def nothing_hidden(box: Box, state: State, seat: int, stream: Out) -> None:
    """There is nothing to fill in."""
