"""`lamplighter.bots.levels`: four levels in every game and edition, what they answer, and what they refuse."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from walks import new_stream

import lamplighter
from lamplighter import bots, games
from lamplighter.bots import Budget, Choice, Stream, levels
from lamplighter.bots.search.plan import Habits, Search
from lamplighter.bots.search.room import Value
from lamplighter.bots.search.weights import value_for
from lamplighter.bots.seat import SeatedBot
from lamplighter.engine.game import Game
from lamplighter.engine.match import View
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.jit import PURE

NAMES = ["easy", "medium", "hard", "expert"]


def editions(game: Game) -> Iterator[Variant]:
    """Every combination of editions and expansions, with the fewest seats."""
    kinds = [option for option in game.options if option.kind in ("edition", "expansion")]
    for values in itertools.product(*(option.values for option in kinds)):
        chosen = {option.name: value for option, value in zip(kinds, values, strict=True)}
        yield Variant(game, {"seats": game.seats[0], **chosen})


def test_levels_are_what_people_are_offered() -> None:
    assert [bot.name for bot in bots.opponents()] == NAMES
    assert [bot.level for bot in bots.opponents()] == sorted({bot.level for bot in bots.opponents()})
    assert bots.OPPONENT in NAMES
    assert not bots.load("greedy").for_people and not bots.load("uniform").for_people


@pytest.mark.parametrize("name", NAMES)
def test_every_level_answers_legally_in_every_edition(game: Game, name: str) -> None:
    for variant in editions(game):
        match = variant.match(seed="levels")
        for _ in range(1 if PURE else 4):
            match.roll()
            if not match.waiting:
                break
            seat = match.waiting[0]
            choice = SeatedBot(bots.load(name), match, seat).choose(match, Budget(simulations=2 if PURE else 8))
            assert choice.move in match.legal_moves(seat)
            assert all(move in match.legal_moves(seat) for move, _ in choice.alternatives)
            assert choice.value is not None and choice.move not in dict(choice.alternatives)
            match.play(choice.move, seat)


@pytest.mark.parametrize("fitted", [True, False])
def test_without_weights_a_level_searches_as_the_game_says(fitted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Habits]()

    class Noted(Search):
        def __init__(self, variant: Variant, habits: Habits, value: Value | None = None) -> None:
            assert (value is not None) == fitted
            asked.append(habits)
            super().__init__(variant, habits, value)

    monkeypatch.setattr("lamplighter.bots.search.plan.Search", Noted)
    variant = next(
        Variant(game, {"seats": seats})
        for game in map(games.load, games.own_names())
        for seats in range(game.seats[0], game.seats[1] + 1)
        if value_for(Variant(game, {"seats": seats})) is not None
    )
    match = variant.match(seed="1")
    match.roll()
    seat = match.waiting[0]
    habits = Habits(beam=1, candidates=2, simulations=0, fitted=fitted, unfitted={"beam": 3, "turns": 2})
    levels._search("noted", match.view(seat), seat, habits, Budget(), new_stream())
    assert (asked[0].beam, asked[0].turns) == ((1, 0) if fitted else (3, 2))


def test_numbers_that_are_given_hold_without_weights(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a game says of searches without a fitted value does not take the place of what somebody asked for."""
    asked = list[Habits]()

    def note(name: str, view: View, seat: int, habits: Habits, budget: Budget, stream: Stream) -> Choice:
        asked.append(levels.with_value(view.position.variant, habits)[0])
        return Choice(view.legal_moves[0])

    monkeypatch.setattr(levels, "_search", note)
    for variant in editions(game):
        match = variant.match(seed="1")
        match.roll()
        view = match.view(match.waiting[0])
        bots.load("search?simulations=7&beam=5&candidates=3&fitted=0").choose(view, Budget(), new_stream())
        assert (asked[-1].simulations, asked[-1].beam, asked[-1].candidates) == (7, 5, 3)


def test_a_name_that_nobody_has_suggests_the_nearest() -> None:
    with pytest.raises(LamplighterError, match=r"there is no bot 'exprt': did you mean .*expert"):
        bots.load("exprt")


def test_an_easy_bot_makes_mistakes_that_a_medium_one_does_not() -> None:
    """In Connect Four it sometimes overlooks the winning column, and more often it does not."""
    match = lamplighter.load("connect_four").match(seed="1")
    for move in "dadbdc":
        match.play(move)
    easy = [bots.load("easy").choose(match.view(0), Budget(), new_stream(n)).move for n in range(40)]
    assert easy.count("d") > 20
    assert bots.load("medium").choose(match.view(0), Budget(), new_stream()).move == "d"


def test_a_plan_is_followed_and_forgotten_when_it_does_not_fit() -> None:
    plans = levels.Plans()
    match = lamplighter.load("connect_four").match(seed="1")
    from lamplighter.bots.search.plan import Plan

    plans.note("hard", match.view(0), 0, Plan((3, 4), 1.0))
    assert plans.recall("hard", match.view(0), 0) is None
    match.play("d")
    assert plans.recall("hard", match.view(0), 0) == Plan((4,), 1.0)
    assert plans.recall("expert", match.view(0), 0) is None and plans.recall("hard", match.view(1), 1) is None
    match.play("e")  # the other seat's move is no part of it
    assert plans.recall("hard", match.view(0), 0) == Plan((4,), 1.0)
    shorter = lamplighter.load("connect_four").match(seed="1")
    plans.note("hard", shorter.view(0), 0, Plan((3,), 1.0))
    assert plans.recall("hard", match.view(0), 0) is None, "what followed the same moves in another match is forgotten"
    plans.note("hard", shorter.view(0), 0, Plan((3, 4), 1.0))
    for number in range(plans.MOST):
        plans.note(str(number), match.view(0), 0, Plan((1, 2), 0.0))
    assert plans.recall("hard", match.view(0), 0) is None, "only so many are kept"


def test_later_moves_of_a_turn_get_fewer_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    from lamplighter.bots.search.plan import Habits

    match = lamplighter.load("connect_four").match(seed="1")
    thought = []

    def note(name: str, view: View, seat: int, habits: Habits, *rest: object) -> Choice:
        thought.append(habits.simulations)
        return Choice("d")

    monkeypatch.setattr(levels, "_search", note)
    for fewer, moves in ((True, "dede"), (False, "abab")):
        monkeypatch.setattr(levels, "habits_of", lambda *_, fewer=fewer: Habits(simulations=600, fewer_later=fewer))
        bots.load("expert").choose(match.view(match.waiting[0]), Budget(), new_stream())
        for move in moves:  # two moves of each seat, and no dice between them
            match.play(move)
        bots.load("expert").choose(match.view(match.waiting[0]), Budget(), new_stream())
    assert thought == [600, 200, 600, 600]


def test_dice_begin_a_turn(own_game: Game) -> None:
    match = Variant(own_game).match(seed="1")
    match.roll()
    seat = match.waiting[0]
    assert levels._moves_since_chance(match.view(seat), seat) == 0
    match.play(match.legal_moves(seat)[0], seat)
    rolled = match.roll()
    assert levels._moves_since_chance(match.view(seat), seat) == (0 if rolled else 1)


def test_a_thinking_bot_can_be_stopped() -> None:
    """It answers soon after, with a legal move."""
    match = lamplighter.load("connect_four").match(seed="1")
    bot = bots.load("search?simulations=10000000")
    bot.choose(match.view(0), Budget(simulations=8), new_stream())  # compiled
    budget = Budget()
    threading.Timer(0.3, budget.stop).start()
    started = time.monotonic()
    assert bot.choose(match.view(0), budget, new_stream()).move in "abcdefg"
    assert time.monotonic() - started < 60, "far below what it wanted to do"


@pytest.mark.skipif(PURE, reason="a level plays thousands of samples")
def test_a_level_is_held_back_by_its_own_seconds_or_by_those_it_is_given() -> None:
    """Samples take 0.1 s here; a level that has no time left plays what seems best at once, one with time plays them all."""
    match = lamplighter.load("connect_four").match(seed="1")
    no_time = replace(levels.HARD, seconds=1e-9)
    hurried = no_time.choose(match.view(0), Budget(), new_stream())
    whole = no_time.choose(match.view(0), Budget(3600), new_stream())
    assert whole == levels.HARD.choose(match.view(0), Budget(3600), new_stream())
    assert hurried != whole


def test_who_thinks_long_is_known() -> None:
    assert [name for name in bots.names() if bots.thinks_long(bots.load(name))] == ["search", "hard", "expert"]
    assert not bots.thinks_long(bots.load("greedy?slips=3"))


@pytest.mark.parametrize(
    "text", ["search?simulations=-1", "search?simulations=0", "search?ms=x", "search?ms=0", "search?candidates=5000"]
)
def test_numbers_of_a_search_are_checked(text: str) -> None:
    """A budget of 0 is refused: without a number there is no limit of that kind."""
    with pytest.raises(LamplighterError, match=r"is a number from [01] to"):
        bots.load(text)


def test_a_search_has_its_numbers_in_its_name() -> None:
    assert bots.load("search?ms=100&fitted=0").name == "search?ms=100&fitted=0"
    assert bots.load("search").name == "search"
    match = lamplighter.load("connect_four").match(seed="1")
    assert bots.load("search?ms=30").choose(match.view(0), Budget(), new_stream()).move in "abcdefg"
