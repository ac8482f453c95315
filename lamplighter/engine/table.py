"""A game's kernels for code that is compiled once for all games, such as the search: a function a kernel.

Such code gets a *table* of the game, with the addresses of its kernels, and states as rows of words: their bytes, whatever
record they are. `NUMBA_DISABLE_JIT=1` runs the same source as plain Python, with a `PlainTable`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.engine.kernels import exported
from lamplighter.jit import PURE, Ints, Table, Words, call, kernel

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

ROW_BYTES = 32  # rows are a multiple of this, so that copying them is quick
NAMES = (
    "box", "waiting", "is_over", "hides_draws", "resample", "outcomes", "apply_chance", "check", "legal_actions", "apply",
    "score", "evaluate", "point", "lane", "group", "features", "stage", "play_uniformly",
)  # fmt: skip
(
    BOX, WAITING, IS_OVER, HIDES_DRAWS, RESAMPLE, OUTCOMES, APPLY_CHANCE, CHECK, LEGAL_ACTIONS, APPLY,
    SCORE, EVALUATE, POINT, LANE, GROUP, FEATURES, STAGE, PLAY_UNIFORMLY,
) = range(len(NAMES))  # fmt: skip


class PlainTable:
    """The table of plain Python, which holds the kernels themselves."""

    def __init__(self, variant: Variant) -> None:
        game, kernels = variant.game, exported(variant.game)
        self._kernels = [kernels.get(name) for name in NAMES]
        self._box, self._layout = variant.box, game.state.STATE

    def __getitem__(self, which: int) -> int:
        return int(which == BOX or self._kernels[which] is not None)

    def call(self, which: int, states: Any, row: int, one: Any, two: Any) -> int:
        kernel: Any = self._kernels[which]
        given = (self._box, states[row].view(np.uint8)[: self._layout.itemsize].view(self._layout)[0], one, two)
        return int(kernel(*given[: kernel.__code__.co_argcount]) or 0)


def make_table(variant: Variant) -> Any:
    """Return the table of a game with the box of a variant. The variant must live as long as it is used."""
    if PURE:
        return PlainTable(variant)
    addresses = variant.game.loops.rules.load().addresses
    table = np.array([addresses.get(name, 0) for name in NAMES], np.int64)
    table[BOX] = variant.boxes.ctypes.data
    return table


def new_rows(variant: Variant, count: int) -> tuple[Any, Any]:
    """Return room for states of a variant as an array of records, and the same memory as rows of words."""
    layout = variant.game.state.STATE
    row = -(-layout.itemsize // ROW_BYTES) * ROW_BYTES
    words = np.zeros((count, row // 8), np.int64)
    return np.ndarray((count,), layout, words, 0, (row,)), words


# --- the kernels ------------------------------------------------------------------------------------------------


@kernel
def waiting(game: Table, states: Words, row: int) -> int:
    return call(game, WAITING, states, row, 0, 0)


@kernel
def is_over(game: Table, states: Words, row: int) -> bool:
    return call(game, IS_OVER, states, row, 0, 0) != 0


@kernel
def hides_draws(game: Table, states: Words) -> bool:
    return call(game, HIDES_DRAWS, states, 0, 0, 0) != 0


@kernel
def resample(game: Table, states: Words, row: int, seat: int, stream: Ints) -> None:
    call(game, RESAMPLE, states, row, seat, stream)


@kernel
def outcomes(game: Table, states: Words, row: int, out: Ints, weights: Ints) -> int:
    return call(game, OUTCOMES, states, row, out, weights)


@kernel
def apply_chance(game: Table, states: Words, row: int, outcome: int) -> None:
    call(game, APPLY_CHANCE, states, row, outcome, 0)


@kernel
def check(game: Table, states: Words, row: int, seat: int, action: int) -> int:
    return call(game, CHECK, states, row, seat, action)


@kernel
def legal_actions(game: Table, states: Words, row: int, seat: int, out: Ints) -> int:
    return call(game, LEGAL_ACTIONS, states, row, seat, out)


@kernel
def apply(game: Table, states: Words, row: int, seat: int, action: int) -> None:
    call(game, APPLY, states, row, seat, action)


@kernel
def score(game: Table, states: Words, row: int, seat: int, out: Ints) -> int:
    return call(game, SCORE, states, row, seat, out)


@kernel
def evaluate(game: Table, states: Words, row: int, seat: int, out: Ints) -> int:
    return call(game, EVALUATE, states, row, seat, out)


@kernel
def play_uniformly(game: Table, states: Words, row: int, stream: Ints, out: Ints) -> int:
    """Play any legal move of whoever must act, until chance is due or the match is over. Return the number of moves."""
    return call(game, PLAY_UNIFORMLY, states, row, stream, out)


# --- what a game may leave out ----------------------------------------------------------------------------------


@kernel
def point(game: Table, states: Words) -> int:
    return call(game, POINT, states, 0, 0, 0) if game[POINT] != 0 else 1


@kernel
def lane(game: Table, states: Words, row: int, seat: int) -> int:
    return call(game, LANE, states, row, seat, 0) if game[LANE] != 0 else 0


@kernel
def group(game: Table, states: Words, row: int, seat: int, action: int) -> int:
    return call(game, GROUP, states, row, seat, action) if game[GROUP] != 0 else action


@kernel
def features(game: Table, states: Words, row: int, seat: int, out: Ints) -> int:
    return call(game, FEATURES, states, row, seat, out) if game[FEATURES] != 0 else 0


@kernel
def stage(game: Table, states: Words, row: int, seat: int) -> int:
    return call(game, STAGE, states, row, seat, 0) if game[STAGE] != 0 else 0
