"""`Match`: chance, history, taking back."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from walks import random_match, random_step

import lamplighter
from lamplighter import bots, games
from lamplighter.engine import history
from lamplighter.engine import match as match_module
from lamplighter.engine.game import Game
from lamplighter.engine.match import Entry, Match
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadChance, LamplighterError, NoTakeBack
from lamplighter.lab.simulate import record_match

GAMES = [games.load(name) for name in games.own_names()]
every_game = pytest.mark.parametrize("own", GAMES, ids=lambda own: own.id)


def longest(own: Game) -> Match:
    """A whole match with as many seats as there are."""
    return random_match(Variant(own, {"seats": own.seats[1]}), 3)


def play_on(match: Match, choice: random.Random, outcomes: int) -> None:
    """Let a match with typed dice go on until so many outcomes came."""
    while outcomes and not match.is_over:
        outcomes -= not match.waiting
        random_step(match, choice)


def replayed(match: Match, entries: int | None = None) -> Match:
    """The same log, or the first entries of it, played from the start by texts."""
    again = Match(match.variant, match.seed, match.players)
    for entry in match.log[:entries]:
        if entry.kind == "chance":
            again.confirm_outcome(entry.text)
        else:
            again.play(entry.text, entry.seat)
    return again


def can_take_back(match: Match, seat: int) -> bool:
    try:
        match.copy().take_back(seat)
    except NoTakeBack:
        return False
    return True


def assert_same(one: Match, other: Match) -> None:
    assert one.log == other.log
    assert one.position == other.position
    for seat in range(one.variant.seats):
        assert can_take_back(one, seat) == can_take_back(other, seat)


# --- chance ---------------------------------------------------------------------------------------------------


def test_each_argument_is_one_outcome() -> None:
    match = lamplighter.load("last_minute?seats=2").match(typed=True)
    assert match.roll("first 1", "5") == ["first 1", "5"]
    with pytest.raises(BadChance, match=r"typed dice: give roll\(\) what was rolled; the next outcome can be 1, 2"):
        match.roll()
    with pytest.raises(BadChance, match="not '4, 2'"):
        match.roll("4, 2")
    with pytest.raises(BadChance, match="not '4 2'"):
        match.roll("4 2")
    with pytest.raises(BadChance, match="this match has no seed, its dice are typed in: the next outcome can be 1, 2"):
        match.next_outcome()
    assert match.roll("4", "2") == ["4", "2"]
    assert match.waiting == (1,) and match.roll() == [], "nothing is due"


def test_without_a_seed_dice_are_fresh() -> None:
    variant = lamplighter.load("last_minute?seats=2")
    seeds = {variant.match().seed, variant.match(seed=None).seed, variant.match(seed="").seed}
    assert len(seeds) == 3 and None not in seeds
    assert variant.match(seed=0).seed == variant.match(seed=np.int64(0)).seed == "0"
    assert variant.match(seed=np.int64(7)).seed == variant.match(seed="7").seed == "7"
    assert variant.match(typed=True).seed is None


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"seed": 1.5}, "a seed is a text or a whole number, not 1.5"),
        ({"seed": True}, "a seed is a text or a whole number, not True"),
        ({"seed": b"7"}, "a seed is a text or a whole number"),
        ({"seed": 7, "typed": True}, "a match with typed dice has no seed"),
        ({"players": "Ana"}, "players are a list of names, not 'Ana'"),
    ],
)
def test_what_a_match_cannot_begin_with(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(LamplighterError, match=reason):
        lamplighter.load("last_minute?seats=2").match(**given)


@every_game
def test_a_seeded_match_takes_only_what_its_seed_gives(own: Game) -> None:
    """Nobody may type dice in, and a wrong outcome changes nothing."""
    match = Variant(own).match(seed="a seed")
    while len(match.outcome_numbers()[0]) < 2:
        random_step(match, random.Random(1)) if match.waiting else match.apply_outcome(match.outcome_numbers()[0][0])
    before, given = match.position.key, match.next_outcome()
    with pytest.raises(BadChance, match="rolls its own dice"):
        match.roll(given)
    for number, text in zip(match.outcome_numbers()[0], match.outcomes(), strict=True):
        if text != given:
            with pytest.raises(BadChance, match="seed 'a seed' gives"):
                match.confirm_outcome(text)
            with pytest.raises(BadChance, match="seed 'a seed' gives"):
                match.apply_outcome(number)
    with pytest.raises(BadChance, match="the next outcome can be"):
        match.confirm_outcome("no such outcome")
    with pytest.raises(BadChance, match="not number -1"):
        match.apply_outcome(-1)
    assert match.position.key == before
    by_number = match.copy()
    match.confirm_outcome(f" {given.upper()} ")
    by_number.apply_outcome(match.log[-1].value)
    assert match.log[-1].text == given
    assert_same(match, by_number)


@every_game
def test_without_an_outcome_due_there_is_none_to_apply(own: Game) -> None:
    for seed in ("x", None):
        match = Match(Variant(own), seed)
        match.roll(*(Variant(own).match(seed="x").roll() if seed is None else ()))
        assert match.waiting and not match.outcomes() and match.roll() == []
        with pytest.raises(BadChance, match="no outcome is due"):
            match.apply_outcome(0)
        with pytest.raises(BadChance, match="no outcome is due"):
            match.confirm_outcome("1")
        if seed is not None:
            with pytest.raises(BadChance, match="no outcome is due"):
                match.next_outcome()


# --- history --------------------------------------------------------------------------------------------------


@every_game
def test_every_moment_is_that_of_a_play_from_the_start(own: Game) -> None:
    match = longest(own)
    position, moments = match.variant.start(), [match.variant.start().key]
    for entry in match.log:
        if entry.kind == "chance":
            position.apply_outcome(entry.value)
        else:
            position.act(entry.seat or 0, entry.value)
        moments.append(position.key)
    assert [match.at(n).key for n in range(len(match.log) + 1)] == moments
    assert [match.at(n).key for n in reversed(range(len(match.log) + 1))] == moments[::-1]
    assert [position.key for _, position in match.replay()] == moments[1:]
    assert match._history.size <= history.ROOM
    for n in (-1, len(match.log) + 1):
        with pytest.raises(LamplighterError, match="no moment"):
            match.at(n)
        with pytest.raises(LamplighterError, match="no moment"):
            match.branch(n)


@every_game
def test_a_moment_is_a_copy(own: Game) -> None:
    match = longest(own)
    for n in (0, 9, history.STRIDE, len(match.log)):
        before = match.at(n).key
        match.at(n).state["turn"] = 99
        assert match.at(n).key == before


@every_game
def test_a_match_can_begin_at_any_position(own: Game) -> None:
    whole, choice = longest(own), random.Random(8)
    middle = whole.at(len(whole.log) // 2)
    match = Match(whole.variant, None, start=middle)
    while not match.is_over and len(match.log) < 30:
        random_step(match, choice)
    assert match.at(0) == middle == whole.at(len(whole.log) // 2)
    assert [match.at(n) for n, _ in enumerate(match.log, 1)] == [position.copy() for _, position in match.replay()]
    while any(entry.kind == "chance" for entry in match.log):
        match.take_back_outcome()
    assert match.at(0) == middle


@every_game
def test_a_branch_plays_on_and_leaves_the_match_alone(own: Game) -> None:
    match, choice = longest(own), random.Random(4)
    match.comment("the end")
    match.tags["Event"] = "home"
    text, moments = match.text, [match.at(n).key for n in range(len(match.log) + 1)]
    for n in choice.sample(range(len(match.log)), 4):
        branch = match.branch(n)
        assert_same(branch, replayed(match, n))
        while not branch.is_over and len(branch.log) < n + 60:
            random_step(branch, choice)
        assert branch.log[:n] == match.log[:n] and branch.tags == match.tags
        assert_same(branch, replayed(branch))
        for back, (_, position) in enumerate(replayed(branch).replay(), 1):
            assert branch.at(back) == position
    assert match.text == text
    assert [match.at(n).key for n in range(len(match.log) + 1)] == moments
    whole = match.branch(len(match.log))
    assert whole.text == text


@every_game
def test_a_branch_of_a_seeded_match_has_its_dice(own: Game) -> None:
    variant = Variant(own)
    match = record_match(variant, bots.seat_bots("uniform", variant.seats), "branches", 0)
    for n in (0, len(match.log) // 2):
        branch = match.branch(n)
        for entry in match.log[n:]:
            if entry.kind == "move":
                branch.roll()
                branch.play(entry.text, entry.seat)
        branch.roll()
        assert branch.text == match.text


@every_game
def test_a_branch_takes_back(own: Game) -> None:
    match = random_match(Variant(own, {"seats": own.seats[1]}), 5, steps=60)
    before, taken = [match.at(n) for n in range(len(match.log) + 1)], 0
    for n in range(0, len(match.log) + 1, 3):
        again = replayed(match, n)
        assert_same(match.branch(n), again)
        for seat in range(match.variant.seats):
            if can_take_back(again, seat):
                branch, other = match.branch(n), again.copy()
                assert branch.take_back(seat) == other.take_back(seat)
                assert branch.log == other.log and branch.position == other.position == replayed(branch).position
                assert [branch.at(k) for k in range(branch._borders[-1])] == before[: branch._borders[-1]]
                taken += 1
    assert taken


# --- taking outcomes back -------------------------------------------------------------------------------------


@every_game
def test_taking_outcomes_back_equals_never_having_typed_them(own: Game) -> None:
    match, choice = Match(Variant(own), None), random.Random(5)
    play_on(match, choice, 45)
    taken = 0
    while any(entry.kind == "chance" for entry in match.log):
        length = max(i for i, entry in enumerate(match.log) if entry.kind == "chance")
        assert match.log[length].text == match.take_back_outcome()
        taken += 1
        assert len(match.log) == length
        if taken % 5 == 0 or not match.log:
            assert_same(match, replayed(match))
    assert taken > 20
    with pytest.raises(NoTakeBack, match="no outcome"):
        match.take_back_outcome()


@every_game
def test_outcomes_are_taken_back_without_a_replay_from_the_start(own: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    match, choice, repeated = Match(Variant(own), None), random.Random(6), 0
    play_on(match, choice, 40)
    repeat = match_module._repeat

    def counted(position: Position, entry: Entry) -> None:
        nonlocal repeated
        repeated += 1
        repeat(position, entry)

    monkeypatch.setattr(match_module, "_repeat", counted)
    for _ in range(200):  # typed and taken back, again and again
        repeated = 0
        match.copy().take_back_outcome()
        match.take_back_outcome()
        assert repeated < 2 * match._history.stride
        play_on(match, choice, 1)
    assert match._history.size <= history.ROOM
    assert_same(match, replayed(match))


def test_dice_of_a_seed_are_not_taken_back() -> None:
    match = Match(Variant(GAMES[0]), "seed")
    match.roll()
    with pytest.raises(BadChance, match="rolls its own dice"):
        match.take_back_outcome()


def test_a_copy_takes_back_for_itself() -> None:
    match, choice = Match(Variant(GAMES[0]), None), random.Random(7)
    play_on(match, choice, 2)
    other = match.copy()
    match.take_back_outcome()
    play_on(match, choice, 3)
    other.take_back_outcome()
    assert other.position == replayed(other).position
