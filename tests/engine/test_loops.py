"""`engine.loops`: what they call is there, and a bot inside of one is shown what its seat may see.

tests/engine/test_batch.py plays every game in them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lamplighter.engine import kernels, loops


def test_loops_know_the_names_of_kernels() -> None:
    """What a loop calls is a kernel of the contract, another loop, or imported."""
    placeholders = {name for name, value in vars(loops).items() if value is None}
    assert placeholders == {"evaluate"} | (placeholders & set(kernels.NAMES))


# Both seats are dealt a card of four, which the other may not see. Then both guess the other's card.
GUESS = {
    "__init__.py": """
from lamplighter.engine.game import Game
GAME = Game(id="guess", title="Guess", package=__name__, summary="Guess the other card.", source="made up",
            seats=(2, 2), default_seats=2, rules_version=1)
""",
    "state.py": """
from enum import IntEnum
import numpy as np
STATE = np.dtype([("card", np.int64, 2), ("guess", np.int64, 2), ("draws", np.int32), ("turn", np.int32)])
MAX_OUTCOMES = 4
class Reason(IntEnum):
    OK = 0
    NOT_WAITING = 1
    NO_SUCH_CARD = 2
""",
    "rules.py": """
from lamplighter.engine import chance
from lamplighter.jit import kernel
from .state import Reason
@kernel
def setup(box, state):
    pass
@kernel
def outcomes(box, state, out, weights):
    for card in range(4):
        out[card], weights[card] = card + 1, 1
    return 4 if state["draws"] < 2 else 0
@kernel
def apply_chance(box, state, outcome):
    state["card"][int(state["draws"])] = outcome
    state["draws"] += 1
@kernel
def chance_seat(box, state):
    return int(state["draws"])
@kernel
def action_count(box):
    return 4
@kernel
def waiting(box, state):
    if state["draws"] < 2 or state["turn"] == 2:
        return 0
    return 1 << int(state["turn"])
@kernel
def is_over(box, state):
    return state["turn"] == 2
@kernel
def check(box, state, seat, action):
    if not (waiting(box, state) >> seat) & 1:
        return Reason.NOT_WAITING
    return Reason.OK if 0 <= action < 4 else Reason.NO_SUCH_CARD
@kernel
def apply(box, state, seat, action):
    state["guess"][seat] = action + 1
    state["turn"] += 1
@kernel
def score(box, state, seat, out):
    out[0] = 1 if state["guess"][seat] != 0 and state["guess"][seat] == state["card"][1 - seat] else 0
    return int(out[0])
@kernel
def hides_draws(box):
    return True
@kernel
def hide(box, state, seat):
    for other in range(2):
        if other != seat:
            state["card"][other] = 0  # hidden
@kernel
def resample(box, state, seat, stream):
    for other in range(2):
        if other != seat and state["draws"] > other:
            state["card"][other] = 1 + chance.below(4, stream)
""",
}
MATCHES = 400
PROGRAM = f"""
import lamplighter
from lamplighter import bots
from lamplighter.lab.simulate import simulate
variant = lamplighter.load("guess")
result = simulate(variant, bots.seat_bots("greedy", 2), {MATCHES}, "1")
assert all(bot.policy is not None for bot in bots.seat_bots("greedy", 2))
print(sum(seat["mean"] for seat in result.summary()["seats"]) / 2)
"""


def share_guessed(folder: Path, hidden: str) -> float:
    """Play the game with a greedy bot in both seats, inside the loop. Return how often it guessed the other's card."""
    (folder / "guess").mkdir()
    for name, text in GUESS.items():
        (folder / "guess" / name).write_text(text.replace("= 0  # hidden", hidden))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False,
        env={**os.environ, "LAMPLIGHTER_GAMES": str(folder / "guess"), "NUMBA_CACHE_DIR": str(folder / "cache")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


def test_a_bot_in_a_compiled_loop_sees_no_hidden_card(tmp_path: Path) -> None:
    """A greedy bot takes what scores at once. It guesses one card of four, within five standard errors."""
    error = (0.25 * 0.75 / (2 * MATCHES)) ** 0.5
    assert abs(share_guessed(tmp_path, "= 0") - 0.25) < 5 * error


def test_a_loop_that_shows_hidden_cards_is_noticed(tmp_path: Path) -> None:
    assert share_guessed(tmp_path, "+= 0") == pytest.approx(1)
