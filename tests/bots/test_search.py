"""`lamplighter.bots.search`: plans, samples and halving. The same numbers give the same choice, and nothing hidden is used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import lamplighter
from lamplighter.bots import Budget
from lamplighter.bots.search import kernels
from lamplighter.bots.search.compiled import compiled
from lamplighter.bots.search.plan import Habits, Plan, Search, new_beam
from lamplighter.engine import chance
from lamplighter.engine.game import Game
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.jit import PURE


def new_stream(number: int = 0) -> np.ndarray:
    stream = np.zeros(4, np.int64)
    chance.start_stream(7, number, stream)
    return stream


def waiting_position(variant: Variant, moves: int = 0) -> Position:
    """A position in which somebody must act, some moves into a match."""
    match = variant.match(seed="search")
    match.roll()
    for _ in range(moves):
        match.play(match.legal_moves(match.waiting[0])[0], match.waiting[0])
        match.roll()
    return match.position


SMALL = Habits(beam=2, candidates=3, simulations=4 if PURE else 12, turns=1)


def test_the_same_simulations_give_the_same_choice(game: Game) -> None:
    position = waiting_position(Variant(game))
    seat = position.waiting[0]
    found = [Search(position.variant, SMALL).choose(position.state, seat, Budget(), new_stream()) for _ in range(2)]
    assert found[0] == found[1]
    again = Search(position.variant, SMALL)
    again._most = 1  # slices of another length change nothing
    assert again.choose(position.state, seat, Budget(), new_stream()) == found[0]


def test_a_plan_is_a_whole_turn_of_legal_moves(game: Game) -> None:
    position = waiting_position(Variant(game))
    seat = position.waiting[0]
    plans = Search(position.variant, SMALL).plans(position.state, seat, Budget(), new_stream(), 3)
    assert plans and [plan.value for plan in plans] == sorted((plan.value for plan in plans), reverse=True)
    for plan in plans:
        after = position.copy()
        for action in plan.actions:
            after.act(seat, action)
        assert seat not in after.waiting


def test_a_plan_may_be_held_to_one_move(game: Game) -> None:
    position = waiting_position(Variant(game))
    seat = position.waiting[0]
    plans = Search(position.variant, replace(SMALL, moves=1)).plans(position.state, seat, Budget(), new_stream(), 3)
    assert plans and all(len(plan.actions) == 1 for plan in plans)
    assert all(position.refusal(seat, plan.actions[0]) is None for plan in plans)


def test_what_is_hidden_does_not_change_the_choice(game: Game) -> None:
    """The hidden parts are dealt anew, and the seat plays the same; the true state is another one where something is hidden."""
    variant = Variant(game, {"seats": game.seats[1]})
    position = waiting_position(variant)
    seat = position.waiting[0]
    other = position.seen_by(seat)
    other.resample(seat, new_stream(5))
    assert other.seen_by(seat) == position.seen_by(seat)
    assert (other != position) == bool(game.rows.hides_draws(variant.boxes))
    chosen = [
        Search(variant, SMALL).choose(one.seen_by(seat).state, seat, Budget(), new_stream())
        for one in (position, other)
    ]
    assert chosen[0] == chosen[1]


def test_a_spent_budget_still_gives_a_legal_move(game: Game) -> None:
    position = waiting_position(Variant(game))
    seat = position.waiting[0]
    stopped = Budget()
    stopped.stop()
    search = Search(position.variant, Habits(beam=50, candidates=4, simulations=100_000))
    plans = search.choose(position.state, seat, stopped, new_stream())
    assert position.refusal(seat, plans[0].actions[0]) is None
    assert search.simulations == 0


def test_simulations_are_counted_and_kept_to() -> None:
    position = waiting_position(lamplighter.load("connect_four"))
    habits = Habits(candidates=7, simulations=210, policy="uniform", gate=0.0)
    search = Search(position.variant, habits)
    plans = search.choose(position.state, 0, Budget(), new_stream())
    assert 180 <= search.simulations <= 210
    assert sum(plan.samples for plan in plans) == search.simulations
    search.choose(position.state, 0, Budget(simulations=50), new_stream())
    assert search.simulations <= 50


def test_a_search_sees_a_win_and_a_threat() -> None:
    """Three discs on the ground with both ends free: seat 0 wins at once, seat 1 must stop it."""
    variant = lamplighter.load("connect_four")
    habits = Habits(candidates=7, simulations=300 if PURE else 2000, policy="uniform", gate=0.0, rivals=1.0)
    match = variant.match(seed="1")
    for move in "cacbd":
        match.play(move)
    match.play("g")
    found = Search(variant, habits).choose(match.position.state, 0, Budget(), new_stream())
    assert found[0].value > 0.5
    match.play("f")  # a mistake: now e, between d and f, or b matters less than the line on the ground
    assert Search(variant, habits).choose(match.position.state, 1, Budget(), new_stream())[0].actions


@pytest.mark.parametrize(
    "habits", [Habits(simulations=-1), Habits(beam=0), Habits(candidates=0)], ids=["simulations", "beam", "candidates"]
)
def test_a_search_without_room_is_refused(habits: Habits) -> None:
    with pytest.raises(LamplighterError, match="a search needs"):
        Search(lamplighter.load("connect_four"), habits)


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(LamplighterError, match="at least 1 simulation, not 0"):
        Budget(simulations=0)
    with pytest.raises(LamplighterError, match="0 seconds or more"):
        Budget(seconds=-1)
    with pytest.raises(LamplighterError, match="0 seconds or more"):
        Budget(seconds=float("nan"))


# --- the gate -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ahead", "gate", "best"), [(0.1, 2.0, 0), (0.1, 0.0, 1), (3.0, 2.0, 1)], ids=["doubt", "no gate", "clear"]
)
def test_the_first_plan_is_left_only_for_a_clearly_better_one(ahead: float, gate: float, best: int) -> None:
    search = Search(lamplighter.load("connect_four"), Habits(gate=gate))
    plans = [Plan((0,), 2.0), Plan((1,), 1.0)]
    noise = np.random.default_rng(1).normal(0, 1, 20)
    results = np.stack([np.zeros(20), noise - noise.mean() + ahead])
    judged = search._judge(plans, results, np.array([20, 20]))
    assert judged[0].actions == (best,)


def test_plans_that_seemed_equal_need_no_gate() -> None:
    search = Search(lamplighter.load("connect_four"), Habits(gate=9.0))
    judged = search._judge([Plan((0,), 1.0), Plan((1,), 1.0)], np.array([[0.0, 1.0], [1.0, 1.0]]), np.array([2, 2]))
    assert judged[0] == Plan((1,), 1.0, 2)


# --- kernels --------------------------------------------------------------------------------------------------


def test_draws_are_spread_evenly_over_the_samples() -> None:
    """Each of 6 faces comes 16 or 17 times, give or take two, in 100 samples: far more evenly than by chance."""
    spread, words = compiled(lamplighter.load("connect_four").game).spread, np.zeros(4, np.int64)
    for draw in range(3):
        faces = np.bincount([int(spread(11, sample, draw, words) * 6) for sample in range(100)], minlength=6)
        assert faces.sum() == 100 and abs(faces - 100 / 6).max() < 4


def test_equal_states_are_told_and_others_are_not() -> None:
    variant = lamplighter.load("connect_four")
    beam, tools = new_beam(variant, 2, 1, 6), compiled(variant.game)
    tools.begin_beam(beam)
    beam.states[0] = variant.start().state
    key = tools.hash_state(beam.bytes[0])
    assert tools.is_new(beam, key) and not tools.is_new(beam, key)
    beam.states[0]["turn"] += 1
    assert tools.is_new(beam, tools.hash_state(beam.bytes[0]))
    tools.next_layer(beam, 0)
    assert tools.is_new(beam, key), "the next layer has met nothing yet"


def test_every_kernel_of_the_search_can_be_asked_for() -> None:
    tools = compiled(lamplighter.load("connect_four").game)
    assert not tools.has_features
    with pytest.raises(AttributeError):
        tools.no_such_kernel  # noqa: B018
    assert callable(tools.worth) and kernels.LANES == 4
