"""What a sheet shows for a die, card or tile can be typed, beside the notation."""

from __future__ import annotations

import random

import pytest

from lamplighter import games, load
from lamplighter.engine.labels import Labels
from lamplighter.errors import BadChance, BadNotation


@pytest.mark.parametrize("name", games.own_names())
def test_every_legal_move_is_read_as_it_is_shown(name: str) -> None:
    """In notation, with the labels of the sheet, and in capitals."""
    match, rng = load(name).match(seed="labels"), random.Random(3)
    labels = Labels(match.variant)
    for _ in range(12):
        match.roll()
        if match.is_over:
            break
        seat = match.waiting[0]
        legal = match.legal_moves(seat)
        shown = [labels.show(move) for move in legal]
        assert len(set(shown)) == len(legal)
        for move in rng.sample(legal, min(20, len(legal))):
            for typed in (move, labels.show(move), labels.show(move).upper()):
                assert labels.read(match.position, seat, typed) == move, typed
                assert labels.find(typed, legal) == [move], typed
        match.play(rng.choice(legal), seat)


@pytest.mark.parametrize("name", games.own_names())
def test_every_outcome_is_read_as_it_is_said(name: str) -> None:
    position = load(name).start()
    labels, names = Labels(position.variant), [f"P{n}" for n in range(position.variant.seats)]
    for _ in range(3):
        for text in position.outcomes():
            for typed in (text, labels.show(text), labels.say(text, names), labels.say(text, names).upper()):
                assert labels.read_outcomes(position, typed, names) == [text], typed
        position.roll(next(iter(position.outcomes())))
        if position.waiting:
            break


@pytest.mark.parametrize("name", games.own_names())
def test_nonsense_is_refused_in_its_own_words(name: str) -> None:
    match = load(name).match(seed="labels")
    labels = Labels(match.variant)
    with pytest.raises(BadChance, match=r"the next outcome can be .*, not 'z9'"):
        labels.read_outcomes(match.position, "z9", match.players)
    match.roll()
    with pytest.raises(BadNotation, match="cannot read the move 'Nonsense'"):
        labels.read(match.position, match.waiting[0], "Nonsense")
