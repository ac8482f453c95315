"""`lamplighter.bots.hint`: the best moves, why, and from what the seat may see alone."""

from __future__ import annotations

import importlib.metadata
import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from walks import last_turn, random_match

import lamplighter
from lamplighter import bots
from lamplighter.bots import Budget, Choice, Parameter
from lamplighter.bots.hint import ADVISER, explain_move, hint, rank_moves
from lamplighter.bots.levels import habits_of
from lamplighter.bots.search.order import can_begin_with
from lamplighter.bots.search.plan import Search
from lamplighter.engine import chance
from lamplighter.engine.game import Game
from lamplighter.engine.match import Match, View
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.jit import PURE


def running_match(game: Game, seed: int = 5, moves: int = 30) -> Match:
    """A match in its middle, in which somebody must act."""
    for entries in (moves, moves // 2, moves // 4, 5):
        match = random_match(Variant(game), seed, entries)
        while not match.waiting and not match.is_over:
            match.apply_outcome(match.outcome_numbers()[0][0]) if match.seed is None else match.roll()
        if match.waiting:
            return match
    raise AssertionError(f"matches of {game.id} are too short")


def test_a_hint_names_legal_moves_and_their_changes(game: Game) -> None:
    match = running_match(game)
    seat = match.waiting[0]
    found = hint(match, seat, 4, "greedy")
    legal = match.legal_moves(seat)
    assert 1 <= len(found) <= 4 and len({advice.move for advice in found}) == len(found)
    for advice in found:
        assert advice.move in legal
        after = match.position.copy()
        after.play(advice.move, seat)
        assert advice.points == after.total(seat) - match.position.total(seat)
        assert advice.points == sum(reason.change for reason in advice.reasons)
        assert all(reason.change for reason in advice.reasons)
        old, new = match.score(seat), after.score(seat)
        assert {reason.line: reason.change for reason in advice.reasons} == {
            line: new[line] - old[line] for line in new if new[line] != old[line]
        }
        if game.explain is not None:
            assert all(reason.sentence for reason in advice.reasons)
        assert f"{advice.points:+d}" in str(advice) and advice.fields()["move"] == advice.move


def test_the_first_move_is_the_bots(game: Game) -> None:
    """Greedy's own choice comes first; where several moves look equal, one of them."""
    from lamplighter.bots.hint import _by_evaluation

    match = running_match(game)
    seat = match.waiting[0]
    first = hint(match, seat, 1, "greedy")[0].move
    best = _by_evaluation(match.view(seat))[0]
    view = match.view(seat)
    trial = [view.position.copy(), view.position.copy()]
    for position, move in zip(trial, (first, best), strict=True):
        position.play(move, seat)
    evaluate = game.kernels.evaluate
    room = np.zeros(64, np.int64)
    values = [evaluate(view.position.variant.box, position.state, seat, room) for position in trial]
    assert values[0] == values[1]


def test_a_hint_does_not_depend_on_what_is_hidden(game: Game) -> None:
    """What the seat may not see is drawn again, and the seed of the match is another: the hint stays the same."""
    match = running_match(game, 9, 60)
    for seat in match.waiting:
        wanted = hint(match, seat, 5, seconds=None)
        for number in range(3):
            stream = np.zeros(4, np.int64)
            chance.start_stream(3, number, stream)
            belief = match.position.seen_by(seat)
            belief.resample(seat, stream)
            other = match.copy()
            other.position, other.seed = belief, f"another {number}"
            assert other.hint(seat, count=5, seconds=None) == wanted


def test_a_hint_does_not_depend_on_the_clock(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, the same samples are played."""
    match = running_match(game)
    seat = match.waiting[0]
    quiet = hint(match, seat, 10)
    clock = itertools.count(1e9, 1000.0)
    monkeypatch.setattr(bots.time, "monotonic", lambda: next(clock))
    assert hint(match, seat, 10) == quiet
    assert bots.Budget(1.0).is_spent, "somebody who gives seconds is cut short"


def test_something_is_hidden_somewhere() -> None:
    """The test above would prove nothing if no game hid anything."""
    assert any(
        running_match(match.game, 9, 60).is_secret for match in (lamplighter.load(name) for name in lamplighter.names())
    )


def test_who_has_nothing_to_do_gets_no_hint() -> None:
    match = lamplighter.load("connect_four").match(seed="1")
    with pytest.raises(LamplighterError, match="seat 1 has nothing to do now"):
        match.hint(1)
    with pytest.raises(LamplighterError, match="there is no bot 'nobody'"):
        match.hint(bot="nobody")


class Valued:
    """A bot that says what moves are worth."""

    name, title, level, help, policy = "hard", "Valued", 9, "says what moves are worth", None
    parameters: tuple[Parameter, ...] = ()

    def choose(self, view: View, budget: Budget, stream: object) -> Choice:
        assert budget.seconds == 10.0
        return Choice("d", 0.75, (("a", 0.1), ("d", 0.75), ("c", 0.5)))


def drawn_round(variant: str, seed: str) -> Match:
    """A match of Railroad in which a seat alone has drawn all its dice, and may add a special route."""
    match = lamplighter.load(variant).match(seed=seed)
    match.roll()
    while "done" not in match.legal_moves():
        match.play(next(move for move in match.legal_moves() if not move.startswith("special")))
    return match


@pytest.mark.skipif(PURE, reason="a search would take minutes")
@pytest.mark.parametrize("variant", ["railroad", "railroad?edition=challenge&goals=abc&expansion=power"])
def test_the_move_that_ends_the_step_has_a_value_like_the_others(variant: str) -> None:
    """It was not among the candidates where the game's estimate likes special routes, which lose points at once."""
    for seed in "123":
        match = drawn_round(variant, seed)
        values = dict(rank_moves(match.view(0)))
        assert len(match.legal_moves()) > 20 and values["done"] is not None
        told = [move for move, value in values.items() if value is not None]
        better = [move for move in told[1:] if (values[move] or 0.0) > values["done"]]
        assert told[0] == "done" or told.index("done") == 1 + len(better), "it is where its value puts it"


@pytest.mark.skipif(PURE, reason="a search would take minutes")
@pytest.mark.parametrize("seed", ["15", "18", "27"])
def test_a_move_of_the_best_plan_is_worth_as_much_in_another_order(seed: str) -> None:
    match = last_turn("railroad", seed)
    best, *others = match.hint(count=16)
    plan = Search(match.variant, habits_of(match.variant, "hard")).plans(
        match.position.state, 0, Budget(), np.zeros(4, np.int64), 1
    )[0]
    assert best.value == plan.value
    for advice in others:
        first = match.position.parse_move(0, advice.move)
        if advice.value is not None and can_begin_with(match.position, 0, plan.actions, first):
            assert advice.value == best.value, advice.move


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    known = {**bots._makers(), "hard": Valued}
    monkeypatch.setattr(bots, "_makers", lambda: known)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [])
    return None


def test_values_of_the_bot_are_told_best_first(installed: None) -> None:
    assert ADVISER.partition("?")[0] in bots.names()
    match = lamplighter.load("connect_four").match(seed="1")
    found = match.hint(count=4, bot="hard")
    assert [(advice.move, advice.value) for advice in found] == [("d", 0.75), ("c", 0.5), ("a", 0.1), ("b", None)]
    assert "d (worth 0.8)" in str(found[0])


def test_what_comes_later_is_not_worth_more(installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot leaves its first plan only for one that is better beyond doubt: a value above its own is within the error."""
    monkeypatch.setattr(Valued, "choose", lambda *_: Choice("d", 0.75, (("a", 0.8), ("c", 0.5))))
    found = lamplighter.load("connect_four").match(seed="1").hint(count=3, bot="hard")
    assert [(advice.move, advice.value) for advice in found] == [("d", 0.75), ("a", 0.75), ("c", 0.5)]


def test_a_move_that_wins_says_so() -> None:
    match = lamplighter.load("connect_four").match(seed="1")
    for move in "dadbdc":
        match.play(move)
    advice = explain_move(match.view(0), "d")
    assert advice.points > 0 and advice.reasons[0].change == advice.points
    assert match.hint()[0].move == "d"
