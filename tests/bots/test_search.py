"""`lamplighter.bots.search`: plans, samples and halving. The same numbers give the same choice, and nothing hidden is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest
from walks import new_stream, waiting_position

import lamplighter
from lamplighter import games
from lamplighter.bots import Budget
from lamplighter.bots.search import beam as beams
from lamplighter.bots.search import samples
from lamplighter.bots.search.plan import Habits, Plan, Search, new_beam
from lamplighter.bots.search.program import PROGRAM
from lamplighter.engine.defaults import SCORE_LINES
from lamplighter.engine.game import Game
from lamplighter.engine.position import Position
from lamplighter.engine.table import make_table, new_rows
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.jit import PURE

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


# --- by the clock ---------------------------------------------------------------------------------------------


class Clock:
    """A clock that only goes on when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr("time.monotonic", lambda: self.now)

    def budget(self, seconds: float) -> Budget:
        return Budget(seconds, started=self.now)


def test_by_the_clock_there_are_as_many_samples_as_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    position, clock = waiting_position(lamplighter.load("connect_four")), Clock(monkeypatch)
    search = Search(position.variant, replace(SMALL, candidates=7, simulations=10_000, timed=True))
    play, played = search._play, 0

    def slow(*given: Any) -> bool:
        nonlocal played
        samples = (given[4] - given[3]) * len(given[2])
        clock.now, played = clock.now + 0.01 * samples, played + samples
        return play(*given)

    monkeypatch.setattr(search, "_play", slow)
    plans = search.plans(position.state, 0, Budget(), new_stream(), 7)
    assert 90 <= search._samples_in_time(plans, 0, clock.budget(1.0)) <= 100
    assert search._samples_in_time(plans, 0, clock.budget(0.02)) <= 1
    played = 0
    search.choose(position.state, 0, clock.budget(1.0), new_stream())
    assert 80 <= played <= 110, "hardly any time is left over, and none is taken that is not there"
    played = 0
    found = search.choose(position.state, 0, clock.budget(0.02), new_stream())
    assert found[0].samples == 0 and played <= 1, "no time for samples: the plan that seems best is played"


def test_by_the_clock_a_beam_is_as_wide_as_a_fifth_of_the_time_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    position, clock = waiting_position(lamplighter.load("connect_four")), Clock(monkeypatch)
    search, widths = Search(position.variant, replace(SMALL, timed=True)), list[int]()
    plans = search.plans

    def slow(*given: Any) -> list[Plan]:
        widths.append(given[5])
        clock.now += 0.001 * given[5]
        return plans(*given)

    monkeypatch.setattr(search, "plans", slow)
    assert 190 <= search._width_in_time(position.state, 0, clock.budget(1.0), new_stream()) <= 200
    assert search._width_in_time(position.state, 0, clock.budget(0.001), new_stream()) == 1
    assert widths[0] == widths[1] < 10, "a narrow one tells how long it takes"


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


def test_finalists_are_judged_by_their_last_samples_alone() -> None:
    """The first four samples favour plan 0; plan 2 was dropped after them; the last four favour plan 1."""
    search = Search(lamplighter.load("connect_four"), Habits(gate=0.0))
    plans = [Plan((i,), 1.0) for i in range(3)]
    results = np.array([[9.0] * 4 + [1.0] * 4, [0.0] * 4 + [2.0] * 4, [5.0] * 4 + [0.0] * 4])
    first, second, third = search._judge(plans, results, np.array([8, 8, 4]), 4)
    assert (first.actions, first.value) == ((1,), 2.0)
    assert (second.actions, second.value) == ((2,), 7.0), "compared with plan 1 in the first four"
    assert (third.actions, third.value) == ((0,), 1.0)
    assert search._judge(plans, results, np.array([8, 8, 4]))[0].actions == (0,), "without finals all samples count"


def test_finalists_get_samples_of_their_own_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    position = waiting_position(lamplighter.load("connect_four"))
    habits = Habits(candidates=7, simulations=140, policy="uniform", gate=0.0, finalists=3, final_turns=2, turns=1)
    search, played = Search(position.variant, habits), []
    play = search._play

    def noted(*given: Any) -> bool:
        played.append((len(given[2]), given[10].turns, given[3]))
        return play(*given)

    monkeypatch.setattr(search, "_play", noted)
    search.choose(position.state, 0, Budget(), new_stream())
    assert [(plans, turns) for plans, turns, _ in played] == [(7, 1), (3, 1), (2, 1)], "there are too few samples"
    played.clear()
    search.habits = replace(habits, simulations=300)
    search.choose(position.state, 0, Budget(), new_stream())
    assert [(plans, turns) for plans, turns, _ in played] == [(7, 1), (3, 2), (2, 2)]
    assert len({first for _, _, first in played}) == 3, "with dice that nobody was chosen by"
    assert search.simulations < 230, "a sample of two turns counts twice"
    played.clear()
    search.habits = replace(habits, fewest=3, finalists=0)
    search.choose(position.state, 0, Budget(), new_stream())
    assert [plans for plans, _, _ in played] == [7, 3, 3]


# --- kernels --------------------------------------------------------------------------------------------------


def test_draws_are_spread_evenly_over_the_samples() -> None:
    """Each of 6 faces comes 16 or 17 times, give or take two, in 100 samples: far more evenly than by chance."""
    words = np.zeros(4, np.int64)
    for draw in range(3):
        faces = np.bincount([int(samples.spread(11, sample, draw, words) * 6) for sample in range(100)], minlength=6)
        assert faces.sum() == 100 and abs(faces - 100 / 6).max() < 4


def all_rolls(position: Position) -> Counter[bytes]:
    """The states in which somebody must act after all that chance may do now, each counted by its weight."""
    outcomes, weights = position.outcome_numbers()
    if position.waiting or not outcomes:
        return Counter({position.state.tobytes(): 1})
    found = Counter[bytes]()
    for outcome, weight in zip(outcomes, weights, strict=True):
        after = position.copy()
        after.apply_outcome(outcome)
        for state, count in all_rolls(after).items():
            found[state] += weight * count
    return found


def small_rolls() -> Iterator[tuple[Search, Position, int, int]]:
    """Searches at moments in which few rolls can follow a move, with the seat and the move."""
    variants = [Variant(games.load(name), {"seats": max(games.load(name).seats[0], 2)}) for name in games.own_names()]
    for variant in sorted(
        variants, key=lambda one: not one.match(seed="small").is_secret
    ):  # decks run out: few are left
        match, search = variant.match(seed="small"), Search(variant, SMALL)
        match.roll()
        while match.waiting:
            seat = match.waiting[0]
            action = match.position.legal_actions(seat)[0]
            search.root[0] = match.position.state
            if search._count_rolls([Plan((action,), 0.0)], seat, 64):
                yield search, match.position, seat, action
            match.play(match.legal_moves(seat)[0], seat)
            match.roll()


def test_a_small_roll_is_gone_through() -> None:
    """Every roll comes as often as its weight says, as a slow search of all of them finds it."""
    looked = 0
    for search, position, seat, action in islice(small_rolls(), 3 if PURE else 12):
        after = position.copy()
        after.act(seat, action)
        expected, (world, words) = all_rolls(after), new_rows(position.variant, 1)
        rolls, found = search._count_rolls([Plan((action,), 0.0)], seat, 64), Counter[bytes]()
        assert rolls == expected.total() > 1
        for number in range(rolls):
            world[0] = after.state
            assert samples.roll_number(search.table, words, number, rolls, search.desk) == rolls
            found[world[0].tobytes()] += 1
        assert found == expected
        assert search._count_rolls([Plan((action,), 0.0)], seat, rolls - 1) == 0, "there is no room for all of them"
        looked += 1
    assert looked > 2


@pytest.mark.skipif(PURE, reason="hundreds of samples take minutes in plain Python")
def test_samples_meet_every_small_roll_equally_often(monkeypatch: pytest.MonkeyPatch) -> None:
    search, position, seat, _ = next(small_rolls())
    search.habits = Habits(beam=2, candidates=3, simulations=400, turns=1)
    played: list[tuple[int, int, int]] = []
    play = search._play

    def noted(*given: Any) -> bool:
        played.append((given[3], given[4], given[10].rolls))
        return play(*given)

    monkeypatch.setattr(search, "_play", noted)
    view = position.seen_by(seat)
    search.choose(view.state, seat, Budget(), new_stream())
    assert played and all(rolls > 1 and first % rolls == until % rolls == 0 for first, until, rolls in played)
    played.clear()
    search.habits = Habits(beam=2, candidates=3, simulations=6, turns=1)
    search.choose(view.state, seat, Budget(), new_stream())
    assert [rolls for _, _, rolls in played] == [0] * len(played) != [], "too few samples for all rolls"


def test_equal_states_are_told_and_others_are_not() -> None:
    variant = lamplighter.load("connect_four")
    beam, (states, words) = new_beam(variant, 2, 1, 6), new_rows(variant, 1)
    beams.begin_beam(beam)
    states[0] = variant.start().state
    key = beams.hash_state(words[0])
    assert beams.is_new(beam, key) and not beams.is_new(beam, key)
    states["turn"] += 1
    assert beams.is_new(beam, beams.hash_state(words[0]))
    beams.next_layer(beam, 0)
    assert beams.is_new(beam, key), "the next layer has met nothing yet"


def test_every_legal_action_is_rated(game: Game) -> None:
    """The actions are those that the rules allow, and each is rated as `evaluate` rates the state after it."""
    if game.evaluate is None:
        pytest.skip("this game says nothing about what states are worth")
    variant = Variant(game)
    match = variant.match(seed="3")
    match.roll()
    seat, position = match.waiting[0], match.position
    states, words = new_rows(variant, 2)
    states[0] = position.state
    actions, values, lines = (np.zeros(max(variant.max_legal, SCORE_LINES), np.int64) for _ in range(3))
    n = PROGRAM.rate_actions(make_table(variant), words, seat, actions, values, lines)
    assert actions[:n].tolist() == position.legal_actions(seat)
    assert states[0].tobytes() == position.state.tobytes(), "the state itself is left as it is"
    for action, value in list(zip(actions[:n].tolist(), values[:n].tolist(), strict=True))[:20]:
        after = position.copy()
        after.apply(seat, action)
        assert value == game.evaluate(variant.box, after.state, seat, lines)
