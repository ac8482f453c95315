"""`engine.kernels`: every way to call a kernel gives the same answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from walks import random_match, variants

from lamplighter.bots.hindsight_kernels import PROGRAM as HINDSIGHT
from lamplighter.bots.search.program import PROGRAM as SEARCH
from lamplighter.engine.game import Game
from lamplighter.jit import PURE, Ints, Program, kernel


def test_rows_answer_as_records_do(game: Game) -> None:
    for number, variant in enumerate(variants(game)[:3]):
        position = random_match(variant, number, 25).position
        box, boxes, states = variant.box, variant.boxes, np.array([position.state, position.state])
        room, more = np.zeros(5000, np.int64), np.zeros(5000, np.int64)
        for name in ("waiting", "chance_seat", "is_over", "step"):
            assert getattr(game.rows, name)(boxes, states, 1) == getattr(game.kernels, name)(box, position.state)
        for seat in range(variant.seats):
            assert game.rows.standing(boxes, states, 1, seat, 9) == game.kernels.standing(box, position.state, seat, 9)
            for name in ("legal_actions", "score", "facts"):
                one = getattr(game.rows, name)(boxes, states, 1, seat, room)
                assert one == getattr(game.kernels, name)(box, position.state, seat, more)
                assert (room == more).all(), name
            for action in range(0, variant.action_count, 1 + variant.action_count // 50):
                assert game.rows.check(boxes, states, 1, seat, action) == game.kernels.check(
                    box, position.state, seat, action
                )
        assert type(game.rows.check(boxes, states, 0, 0, 0)) is int
        assert game.rows.action_count(boxes) == game.kernels.action_count(box)


def test_there_is_no_other_kernel(game: Game) -> None:
    with pytest.raises(AttributeError):
        game.rows.is_ovr  # noqa: B018
    with pytest.raises(AttributeError):
        game.loops.batches.play_rows  # noqa: B018


PROGRAM = """
import sys, numpy, lamplighter
from lamplighter.engine.batch import Batch, Simulator
variant = lamplighter.load("connect_four")
print(Simulator(variant).play_matches(numpy.zeros(2, numpy.int64), 1, 0, 10)[0])
batch = Batch(variant, 2); batch.reset("1"); batch.step([3, 3]); print(batch.play(0, 3))
"""


@pytest.mark.skipif(PURE, reason="nothing is compiled")
def test_loops_come_from_the_cache_on_every_later_start(tmp_path: Path) -> None:
    """The copies of a loop for a game are found again by every process, and the cache does not grow."""
    seen = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
        )  # fmt: skip
        files = sorted((path.name, path.stat().st_mtime_ns) for path in tmp_path.rglob("*.*"))
        seen.append((done.stdout, files))
    assert seen[0] == seen[1] == seen[2]
    names = {name for name, _ in seen[0][1]}
    assert {"connect_four.matches.program", "connect_four.batches.program"} <= names


MORE_FORMS = {"lamplighter.games.greenways.rules.networks.add_tile"}  # it is called with a default and without


@pytest.mark.skipif(PURE, reason="nothing is compiled")
def test_no_kernel_is_compiled_for_a_second_kind_of_arguments(own_game: Game) -> None:
    """Each kind is compiled again, with everything that it calls: pass arrays of one layout."""
    for program in (own_game.loops.rules, own_game.loops.matches, own_game.loops.batches, SEARCH, HINDSIGHT):
        assert set(program.load().forms) <= MORE_FORMS, program.name


@pytest.mark.skipif(PURE, reason="nothing is compiled")
def test_a_second_kind_of_arguments_is_noticed(tmp_path: Path) -> None:
    program = Program("twice", (tmp_path,), {"both": both})
    assert program.load().forms == {f"{__name__}.first": 2}


@kernel
def first(numbers: Ints) -> int:
    return int(numbers[0])


def both(numbers: Ints) -> int:
    return first(numbers) + first(numbers[::2])
