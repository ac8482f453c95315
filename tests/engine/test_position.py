"""`Position`: the verbs of chance, and copies."""

from __future__ import annotations

import random

import pytest

from lamplighter import games
from lamplighter.engine.game import Game
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadChance

GAMES = [games.load(name) for name in games.own_names()]
every_game = pytest.mark.parametrize("own", GAMES, ids=lambda own: own.id)


def first_choice(own: Game) -> Position:
    """The first position in which several outcomes can come."""
    position = Variant(own).start()
    while len(position.outcome_numbers()[0]) < 2:
        position.apply_outcome(position.outcome_numbers()[0][0])
    return position


@every_game
def test_outcomes_are_told_by_text_and_by_number(own: Game) -> None:
    position = first_choice(own)
    numbers, weights = position.outcome_numbers()
    assert position.outcomes() == dict(zip(map(position.format_outcome, numbers), weights, strict=True))
    for number, text in zip(numbers, position.outcomes(), strict=True):
        by_number, by_text = position.copy(), position.copy()
        by_number.apply_outcome(number)
        assert by_text.roll(f" {text.upper()}") == [text]
        assert by_number == by_text != position


@every_game
def test_each_argument_of_roll_is_one_outcome(own: Game) -> None:
    position, choice, texts = Variant(own).start(), random.Random(2), []
    while not position.waiting:
        texts += position.roll(choice.choice(list(position.outcomes())))
    again = Variant(own).start()
    assert again.roll() == []
    assert again.roll(*texts) == texts
    assert again == position


@every_game
def test_what_cannot_come_is_refused_and_changes_nothing(own: Game) -> None:
    position = first_choice(own)
    before = position.key
    with pytest.raises(BadChance, match="the next outcome can be"):
        position.roll("no such outcome")
    with pytest.raises(BadChance, match="not number -1"):
        position.apply_outcome(-1)
    assert position.key == before
    while not position.waiting:
        position.roll(next(iter(position.outcomes())))
    before = position.key
    assert position.outcomes() == {} and position.outcome_numbers() == ([], [])
    for refused in (lambda: position.roll("1"), lambda: position.apply_outcome(0)):
        with pytest.raises(BadChance, match="no outcome is due"):
            refused()
    assert position.key == before


@every_game
def test_a_copy_shares_nothing_but_the_variant(own: Game) -> None:
    position = first_choice(own)
    copy, before = position.copy(), position.key
    assert copy == position and copy.variant is position.variant
    copy.roll(next(iter(copy.outcomes())))
    assert copy != position and position.key == before
