"""`engine.batch`: rows are the matches that positions and simulations play, whatever the number of rows and threads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from walks import variants

from lamplighter import bots, games
from lamplighter.engine.batch import Batch, Legal, Simulator, match_key, result_dtype
from lamplighter.engine.game import Game
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.errors import IllegalMove, LamplighterError, NotYourTurn
from lamplighter.jit import PURE
from lamplighter.lab.simulate import record_match

ROWS = 3 if PURE else 12


def played(variant: Variant, rows: int, threads: int = 1, seed: str = "7") -> Batch:
    """A batch whose matches were played to their ends, each by its own stream of choices."""
    batch = Batch(variant, rows, threads)
    batch.reset(seed)
    streams = [np.random.default_rng(row) for row in range(rows)]
    while not batch.done.all():
        legal = batch.legal()
        actions = [int(streams[row].choice(legal[row])) if len(legal[row]) else -1 for row in range(rows)]
        assert not batch.step(actions).any()
    batch.close()
    return batch


def test_rows_and_threads_do_not_matter(game: Game) -> None:
    variant = Variant(game)
    many, few = played(variant, ROWS, 2), played(variant, 2)
    assert many.states[:2].tobytes() == few.states.tobytes()
    assert many.results()[:2].tobytes() == few.results().tobytes()


def test_a_row_is_a_match(game: Game) -> None:
    """Row i rolls as match i of a simulation; moves, scores and standings are those of a position."""
    for variant in variants(game)[:: 4 if PURE else 2]:
        match = record_match(variant, bots.seat_bots("uniform", variant.seats), "7", 1)
        batch = Batch(variant, 2)
        batch.reset("7")
        for entry in match.log:
            if entry.kind == "move":
                before = batch.states[0].tobytes()
                assert not batch.step([-1, entry.value], [-1, entry.seat]).any()
                assert batch.states[0].tobytes() == before
        assert batch.states[1].tobytes() == match.position.key
        assert batch.done.tolist()[1] and not batch.done[0]
        result = batch.results()[1]
        assert result["total"].tolist() == match.totals
        assert [dict(zip(variant.score_lines, seat["lines"], strict=True)) for seat in result] == [
            match.score(seat) for seat in range(variant.seats)
        ]
        assert [list(seat["facts"]) for seat in result] == [
            list(match.position.facts(seat).values()) for seat in range(variant.seats)
        ]
        assert (result == match.position.results()).all()


def test_legal_actions_in_three_forms(game: Game) -> None:
    variant = Variant(game)
    batch = Batch(variant, 3, 2)
    batch.reset("forms")
    for _ in range(6):
        legal, bits, mask = batch.legal(), batch.legal_bits(), batch.legal_mask()
        unpacked = np.unpackbits(bits, axis=1, bitorder="little")[:, : variant.action_count]
        assert (unpacked == mask).all()
        for row in range(3):
            listed = Position(variant, batch.states[row]).legal_actions(max(int(batch.seats[row]), 0))
            assert legal[row].tolist() == np.flatnonzero(mask[row]).tolist() == listed
        assert legal.counts.tolist() == mask.sum(axis=1).tolist()
        batch.step(legal.pick(np.random.default_rng(3)))
    batch.close()


def test_lists_grow(game: Game) -> None:
    """However many actions are legal, all are listed: the room for them is made as it is needed."""
    batch = Batch(Variant(game), 5)
    batch.reset("1")
    batch._loops.list_rows  # noqa: B018  (compiled before its room is taken away)
    from lamplighter.engine import batch as module

    usual, module.FLAT_ROOM = module.FLAT_ROOM, 0
    try:
        tight = batch.legal()
    finally:
        module.FLAT_ROOM = usual
    assert tight.actions.tolist() == batch.legal().actions.tolist()


def test_a_refused_action_changes_nothing(game: Game) -> None:
    variant = Variant(game)
    batch = Batch(variant, 2)
    batch.reset("1")
    before = batch.states.tobytes()
    wrong = variant.action_count + 5
    reasons = batch.step([wrong, -1])
    assert reasons[0] and not reasons[1]
    assert batch.states.tobytes() == before
    with pytest.raises(IllegalMove, match="illegal move"):
        batch.play(0, wrong)
    assert batch.states.tobytes() == before


def idle_seat(batch: Batch) -> int:
    """A seat that need not act in row 0; -1 if all must."""
    idle = [seat for seat in range(batch.variant.seats) if not int(batch.waiting[0]) >> seat & 1]
    return idle[0] if idle else -1


def test_move_by_move(game: Game) -> None:
    """`begin` and `play` are `reset` and `step` for one row; `into` leaves the row before the move as it was."""
    variant = Variant(game)
    batch, slow = Batch(variant, 2), Batch(variant, 1)
    key = match_key(5, 5)
    slow.reset(keys=[key])
    n, row = batch.begin(0, key), 0
    while n:
        assert batch.actions[:n].tolist() == slow.legal()[0].tolist()
        action, before = int(batch.actions[n // 2]), batch.states[row].tobytes()
        n = batch.play(row, action, into=1 - row)
        slow.step([action])
        assert batch.states[row].tobytes() == before
        row = 1 - row
        assert batch.states[row].tobytes() == slow.states[0].tobytes()
        assert batch.waiting[row] == slow.waiting[0] and batch.keys[row] == key
    assert slow.done.all()


def test_rows_are_copied_with_their_dice(game: Game) -> None:
    variant = Variant(game)
    batch = Batch(variant, 4)
    batch.reset("copies")
    batch.copy_rows(0, [1, 2, 3])
    stream = np.random.default_rng(1)
    while not batch.done.all():
        picked = batch.legal()[0]
        batch.step([int(stream.choice(picked))] * 4)
        assert len({state.tobytes() for state in batch.states}) == 1


def test_open_chance(game: Game) -> None:
    """Without rolls chance is left open: outcomes are listed, and the program decides."""
    variant = Variant(game)
    batch = Batch(variant, 1, rolls=False)
    batch.reset("1")
    position, stream = variant.start(), np.random.default_rng(2)
    for _ in range(40):
        outcomes, weights = batch.outcomes(0)
        assert (outcomes.tolist(), weights.tolist()) == position.outcome_numbers()
        if len(outcomes):
            outcome = int(stream.choice(outcomes))
            with pytest.raises(LamplighterError, match="cannot come in row 0"):
                batch.apply_outcomes([10**6])
            batch.apply_outcomes([outcome])
            position.apply_outcome(outcome)
        elif batch.done[0]:
            break
        else:
            seat = int(batch.seats[0])
            action = int(stream.choice(batch.legal()[0]))
            batch.step([action])
            position.act(seat, action)
        assert batch.states.tobytes() == position.key
        assert batch.done[0] == position.is_over


def test_a_row_goes_on_from_a_state(game: Game) -> None:
    variant = Variant(game)
    match = record_match(variant, bots.seat_bots("uniform", variant.seats), "4", 0)
    middle = match.at(len(match.log) // 2)
    batch = Batch(variant, 2)
    batch.set_row(1, middle.state, 9)
    assert batch.states[1].tobytes() == middle.key
    assert [seat for seat in range(variant.seats) if int(batch.waiting[1]) >> seat & 1] == list(middle.waiting)


def test_what_a_batch_refuses(game: Game) -> None:
    variant = Variant(game)
    for rows, threads in ((0, 1), (1, 0)):
        with pytest.raises(LamplighterError, match="at least one row and one thread"):
            Batch(variant, rows, threads)
    batch = Batch(variant, 2)
    with pytest.raises(LamplighterError, match="one number for each of the 2 rows"):
        batch.step([1, 2, 3])


@pytest.mark.parametrize("row", [2, -1, 10**6])
def test_a_row_that_does_not_exist_is_refused(row: int) -> None:
    """Compiled code would write whatever lies there; the row after the last one is the blank state."""
    batch, stream = Batch(load_two_seats(), 2), np.zeros(4, np.int64)
    batch.reset("1")
    before = batch._states.tobytes()
    calls: list[Callable[[], object]] = [
        lambda: batch.begin(row, 7),
        lambda: batch.play(row, 3),
        lambda: batch.outcomes(row),
        lambda: batch.set_row(row, batch.states[0]),
        lambda: batch.hide(row, 0),
        lambda: batch.resample(row, 0, stream),
    ]
    if row > 0:  # -1 stands for "not into another row"
        calls.append(lambda: batch.play(0, 3, into=row))
    for call in calls:
        with pytest.raises(LamplighterError, match=f"there is no row {row}: rows are 0 to 1"):
            call()
    assert batch._states.tobytes() == before


@pytest.mark.parametrize("seat", [2, 64, 10**6])
def test_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    """Compiled code shifts by 64 as by 0, so that a mask alone would take seat 64 for seat 0."""
    batch, stream = Batch(load_two_seats(), 2), np.zeros(4, np.int64)
    batch.reset("1")
    before = batch._states.tobytes()
    calls: list[Callable[[], object]] = [
        lambda: batch.play(0, 3, seat),
        lambda: batch.step([3, 3], [0, seat]),
        lambda: batch.legal([seat, 0]),
        lambda: batch.legal_bits([seat, 0]),
        lambda: batch.legal_mask([seat, 0]),
        lambda: batch.hide(0, seat),
        lambda: batch.resample(0, seat, stream),
    ]
    for call in calls:
        with pytest.raises(LamplighterError, match=f"there is no seat {seat}: seats are 0 to 1"):
            call()
    assert batch._states.tobytes() == before


def test_a_seat_that_need_not_act_is_refused() -> None:
    batch = Batch(load_two_seats(), 1)
    batch.reset("1")
    assert idle_seat(batch) == 1
    with pytest.raises(NotYourTurn):
        batch.play(0, 3, seat=1)
    assert batch.step([3], [1])[0] == batch.variant.game.state.Reason.NOT_WAITING


def load_two_seats() -> Variant:
    import lamplighter

    return lamplighter.load("connect_four")


def test_lists_of_legal_actions() -> None:
    legal = Legal(np.array([4, 7, 9]), np.array([0, 2, 2, 3]))
    assert [legal[row].tolist() for row in range(3)] == [[4, 7], [], [9]]
    picked = np.array([legal.pick(np.random.default_rng(seed)) for seed in range(50)])
    assert set(picked[:, 0]) == {4, 7} and set(picked[:, 1]) == {-1} and set(picked[:, 2]) == {9}


def test_simulations_number_their_matches(game: Game) -> None:
    """Match i is the same in any block."""
    variant = Variant(game)
    policies = np.zeros(variant.seats, np.int64)
    whole = Simulator(variant).play_matches(policies, 3, 0, 4)[1]
    parts = [Simulator(variant).play_matches(policies, 3, first, 2)[1] for first in (0, 2)]
    assert np.concatenate(parts).tobytes() == whole.tobytes()
    assert whole.dtype == result_dtype(variant).base and whole.shape == (4, variant.seats)


@pytest.mark.parametrize("number", [2**31, 2**40, 2**63 - 1, 2**64, -5, -(2**31), -(2**62), -(2**70)])
def test_every_number_that_is_no_action_gets_a_refusal(own_game: Game, number: int) -> None:
    batch = Batch(Variant(own_game), 1)
    batch.reset("9")
    before = batch.states.tobytes()
    with pytest.raises(IllegalMove, match="illegal move"):
        batch.play(0, number)
    position = Position(batch.variant, batch.states[0])
    with pytest.raises(IllegalMove, match="illegal move"):
        position.act(position.waiting[0], number)
    assert batch.states.tobytes() == before


def test_numbers_beyond_64_bits_are_refused_as_a_column() -> None:
    batch = Batch(Variant(games.load("connect_four")), 2)
    batch.reset("9")
    with pytest.raises(LamplighterError, match="beyond 64 bits"):
        batch.step([2**64, 0])  # type: ignore[arg-type]
