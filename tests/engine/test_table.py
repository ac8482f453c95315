"""`engine.table`: code that knows no game gets the same answers from a table as from the game's own kernels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from walks import new_stream, random_match, variants

import lamplighter
from lamplighter.engine import table
from lamplighter.engine.game import Game
from lamplighter.jit import PURE, Ints, Program, Table, Words, copy_row


def ask(game: Table, states: Words, row: int, seat: int, out: Ints, weights: Ints, answers: Ints) -> None:
    """Write what every kernel says of a row that has one."""
    answers[0] = table.waiting(game, states, row)
    answers[1] = int(table.is_over(game, states, row))
    answers[2] = int(table.hides_draws(game, states))
    answers[3] = table.legal_actions(game, states, row, seat, out)
    answers[4] = table.outcomes(game, states, row, out, weights)
    answers[5] = table.score(game, states, row, seat, out)
    answers[6] = table.evaluate(game, states, row, seat, out)
    answers[7] = table.point(game, states)
    answers[8] = table.lane(game, states, row, seat)
    answers[9] = table.stage(game, states, row, seat)
    answers[10] = table.group(game, states, row, seat, 3)
    answers[11] = table.check(game, states, row, seat, 3)


PROGRAM = Program("asking", (Path(__file__).resolve(),), {"ask": ask})


def test_a_table_answers_as_the_kernels_do(game: Game) -> None:
    for number, variant in enumerate(variants(game)[:2]):
        position = random_match(variant, number, 12).position
        states, words = table.new_rows(variant, 3)
        states[2] = position.state
        kernels, box, state = game.kernels, variant.box, position.state
        added = table.exported(game)
        out, weights, answers = np.zeros(5000, np.int64), np.zeros(5000, np.int64), np.zeros(12, np.int64)
        PROGRAM.ask(table.make_table(variant), words, 2, 0, out, weights, answers)
        assert answers.tolist() == [
            kernels.waiting(box, state), kernels.is_over(box, state), kernels.hides_draws(box),
            kernels.legal_actions(box, state, 0, out), kernels.outcomes(box, state, out, weights),
            kernels.score(box, state, 0, out), kernels.evaluate(box, state, 0, out),
            added["point"](box) if "point" in added else 1,
            added["lane"](box, state, 0) if "lane" in added else 0,
            added["stage"](box, state, 0) if "stage" in added else 0,
            added["group"](box, state, 0, 3) if "group" in added else 3,
            kernels.check(box, state, 0, 3),
        ]  # fmt: skip


def test_rows_hold_whole_states() -> None:
    variant = lamplighter.load("connect_four")
    states, words = table.new_rows(variant, 2)
    states[0] = random_match(variant, 1, 6).position.state
    copy_row(words, 1, words, 0)
    assert states[1].tobytes() == states[0].tobytes() != np.zeros(1, states.dtype).tobytes()
    assert words.shape[1] * 8 % table.ROW_BYTES == 0 and words.shape[1] * 8 >= states.dtype.itemsize


def test_uniform_play_goes_to_the_end() -> None:
    variant = lamplighter.load("connect_four")
    states, words = table.new_rows(variant, 1)
    states[0] = variant.start().state
    moves = table.play_uniformly(table.make_table(variant), words, 0, new_stream(), np.zeros(64, np.int64))
    assert 7 <= moves <= 42 and table.is_over(table.make_table(variant), words, 0)


@pytest.mark.skipif(PURE, reason="nothing is compiled")
def test_a_table_refuses_states_that_are_no_rows_of_words() -> None:
    variant = lamplighter.load("connect_four")
    room = np.zeros(64, np.int64)
    with pytest.raises(TypeError):
        PROGRAM.ask(table.make_table(variant), np.zeros(8, np.int64), 0, 0, room, room, room)
