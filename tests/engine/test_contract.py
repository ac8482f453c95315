"""`engine.contract`: a game that lacks something is refused with the file, the name and the way out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lamplighter.engine import contract
from lamplighter.engine.game import Game

INIT = """
from lamplighter.engine.game import Game
GAME = Game(id="tiny", title="Tiny", package=__name__, summary="Count to three.", source="made up",
            seats=(1, 2), default_seats=2, rules_version=1)
"""
STATE = """
from enum import IntEnum
import numpy as np
STATE = np.dtype([("count", np.int64, 2), ("draws", np.int32), ("turn", np.int32)])
class Reason(IntEnum):
    OK = 0
    NOT_WAITING = 1
    TOO_MUCH = 2
"""
RULES = """
from lamplighter.jit import kernel
from .state import Reason
@kernel
def setup(box, state):
    state["turn"] = 1
@kernel
def action_count(box):
    return 3
@kernel
def waiting(box, state):
    seat = (int(state["turn"]) - 1) % int(box["seats"])
    return 0 if state["count"][0] + state["count"][1] >= 10 else 1 << seat
@kernel
def check(box, state, seat, action):
    if not (waiting(box, state) >> seat) & 1:
        return Reason.NOT_WAITING
    return Reason.OK if 0 <= action < 3 else Reason.TOO_MUCH
@kernel
def apply(box, state, seat, action):
    state["count"][seat] += action + 1
    state["turn"] += 1
@kernel
def score(box, state, seat, out):
    out[0] = state["count"][seat]
    return int(out[0])
"""
PLAY = """
import lamplighter
from lamplighter import bots
from lamplighter.lab.simulate import record_match, simulate
variant = lamplighter.load("tiny")
match = variant.match(seed="1")
while match.waiting:
    match.play(match.legal_moves()[0])
print(match.totals, match.winners(), match.position.why("7", 0))
print(lamplighter.position(match.position.text) == match.position, match.is_over)
print(simulate(variant, bots.seat_bots("greedy,uniform", 2), 20, "1").games)
print(match.position.draw(0))
"""


def make(folder: Path, rules: str = RULES, state: str = STATE) -> Path:
    """Write the smallest game there can be: two files and a title."""
    game = folder / "tiny"
    game.mkdir()
    (game / "__init__.py").write_text(INIT)
    (game / "state.py").write_text(state)
    (game / "rules.py").write_text(rules)
    (game / "RULES.md").write_text("# Tiny\n")
    return game


def run(game: Path, program: str = PLAY) -> subprocess.CompletedProcess[str]:
    """Run a program that knows the game. Plain Python will do: nothing here is about compiling."""
    environment = {**os.environ, "LAMPLIGHTER_GAMES": str(game), "NUMBA_DISABLE_JIT": "1"}
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120, check=False
    )


def refusal(game: Path) -> str:
    done = run(game)
    assert done.returncode
    return done.stderr.strip().splitlines()[-1]


def test_two_files_are_a_game(tmp_path: Path) -> None:
    done = run(make(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].startswith("[5, 5] [0, 1] ")
    assert done.stdout.splitlines()[1:3] == ["True True", "20"]


def test_what_an_author_must_know(tmp_path: Path) -> None:
    needed = [need.name for name in ("state", "rules") for need in contract.MODULES[name].members() if not need.default]
    assert needed == ["STATE", "Reason", "setup", "action_count", "waiting", "check", "apply", "score"]
    assert [name for name, need in contract.MODULES.items() if not need.default] == ["state", "rules"]


def test_a_missing_kernel_is_named(tmp_path: Path) -> None:
    said = refusal(make(tmp_path, RULES.replace("def apply(", "def apply_it(")))
    assert "rules.py has no apply(box, state, seat, action); it has 'apply_it': is that the one?" in said
    assert contract.GUIDE in said


def test_a_misspelt_hook_is_noticed(tmp_path: Path) -> None:
    extra = "@kernel\ndef legal_action(box, state, seat, out):\n    return 0\n"
    said = refusal(make(tmp_path, RULES + extra))
    assert "has 'legal_action', which nothing reads: is it meant to be legal_actions(box, state, seat, out)?" in said


def test_wrong_parameters_are_named(tmp_path: Path) -> None:
    said = refusal(make(tmp_path, RULES.replace("def waiting(box, state)", "def waiting(state)")))
    assert "waiting(state) must be waiting(box, state)" in said


OUTCOMES = "@kernel\ndef outcomes(box, state, out, weights):\n    return 0\n"
CHANCE = "@kernel\ndef apply_chance(box, state, outcome):\n    pass\n"
END = "@kernel\ndef is_over(box, state):\n    return False\n"


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (OUTCOMES + END, "has outcomes, so rules.py must have apply_chance(box, state, outcome)"),
        (OUTCOMES + CHANCE, "has outcomes, so rules.py must have is_over(box, state)"),
        (OUTCOMES + CHANCE + END, "has outcomes, so state.py must have MAX_OUTCOMES"),
        (CHANCE + END, "has apply_chance, so rules.py must have outcomes(box, state, out, weights)"),
        ("@kernel\ndef facts(box, state, seat, out):\n    return 0\n", "has facts, so state.py must have FACTS"),
        ("@kernel\ndef hide(box, state, seat):\n    pass\n", "has hide, so rules.py must have resample("),
        ("@kernel\ndef hides_draws(box):\n    return True\n", "has hides_draws, so rules.py must have hide("),
    ],
)
def test_what_belongs_together_comes_together(extra: str, said: str, tmp_path: Path) -> None:
    assert said in refusal(make(tmp_path, RULES + extra))


def test_a_move_that_is_written_is_read_too(tmp_path: Path) -> None:
    game = make(tmp_path)
    (game / "notation.py").write_text("def format_move(variant, state, seat, action):\n    return chr(97 + action)\n")
    assert "has format_move, so notation.py must have parse_move(variant, state, seat, text)" in refusal(game)


def test_a_misspelt_constant_is_noticed(tmp_path: Path) -> None:
    said = refusal(make(tmp_path, state=STATE + "MAX_OUTCOME = 6\n"))
    assert "state.py has 'MAX_OUTCOME', which nothing reads: is it meant to be MAX_OUTCOMES?" in said


@pytest.mark.parametrize(("was", "instead"), [("notation", "notations"), ("rules", "rule"), ("evaluate", "evaluates")])
def test_a_misspelt_file_is_noticed(was: str, instead: str, tmp_path: Path) -> None:
    game = make(tmp_path)
    (game / "rules.py").rename(game / "rule.py") if was == "rules" else (game / f"{instead}.py").write_text("")
    assert f"{instead}.py is read by nothing: is it meant to be {was}.py?" in refusal(game)


@pytest.mark.parametrize(
    ("was", "instead", "said"),
    [
        ('("draws", np.int32), ', "", "STATE has no field 'draws'"),
        ("OK = 0", "FINE = 0", "Reason needs OK = 0 and NOT_WAITING"),
        ("import numpy", "REFUSALS = {}\nimport numpy", "REFUSALS has no sentence for NOT_WAITING"),
    ],
)
def test_a_wrong_state_is_named(was: str, instead: str, said: str, tmp_path: Path) -> None:
    assert said in refusal(make(tmp_path, state=STATE.replace(was, instead)))


def test_no_state_at_all(tmp_path: Path) -> None:
    game = make(tmp_path)
    (game / "state.py").unlink()
    (game / "rules.py").write_text(RULES.replace("from .state import Reason", ""))
    assert "has no state.py: the record of a match, and why moves are refused." in refusal(game)


@pytest.mark.parametrize("how", ["a simulation", "a match of bots"])
def test_a_match_without_end_is_stopped(how: str, tmp_path: Path) -> None:
    game = make(tmp_path, RULES.replace("return 0 if state", "return 1 << seat if state"))
    program = "simulate(variant, bots.seat_bots('uniform', 2), 1, '1')"
    if how == "a match of bots":
        program = "record_match(variant, bots.seat_bots('greedy?slips=100', 2), '1', 0)"
    head = PLAY.partition("match = ")[0]
    done = run(
        game,
        head.replace("import lamplighter\n", "import lamplighter\nfrom lamplighter.engine import loops\n") + program,
    )
    assert done.returncode
    said = done.stderr.strip().splitlines()[-1]
    assert "a match of tiny?seats=2 has not ended after 20,000 entries: in its rules, `waiting`" in said


def test_dice_without_end_are_stopped(tmp_path: Path) -> None:
    extra = """
@kernel
def outcomes(box, state, out, weights):
    out[0], weights[0] = 1, 1
    return 1
@kernel
def apply_chance(box, state, outcome):
    state["draws"] += 1
@kernel
def is_over(box, state):
    return False
"""
    endless = RULES.replace("return 0 if state", "return 0 if True or state") + extra
    game = make(tmp_path, endless, f"{STATE}\nMAX_OUTCOMES = 1\n")
    for program in ("tiny.match(seed='1').roll()", "Batch(tiny, 2).reset('1')", "Batch(tiny, 2).begin(0, 7)"):
        head = "import lamplighter; from lamplighter.engine.batch import Batch; tiny = lamplighter.load('tiny'); "
        done = run(game, head + program)
        assert "has not ended after 20,000 entries" in done.stderr.strip().splitlines()[-1], program


def test_every_game_keeps_the_contract(game: Game) -> None:
    for name in contract.MODULES:
        if game.has(name):
            contract.check_module(name, game.module(name))
