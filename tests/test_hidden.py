"""What a seat may not see, for every game: views do not depend on it, and what a seat may believe can be played.

How likely each belief is, and that a bot in a compiled loop is shown no more, is tested in games that hide something.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from walks import random_match, variants

from lamplighter.engine import chance
from lamplighter.engine import match as match_module
from lamplighter.engine.game import Game
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position
from lamplighter.errors import LamplighterError


def some_matches(game: Game) -> list[Match]:
    """A match of every variant, in its middle."""
    return [random_match(variant, seed, 60) for seed, variant in enumerate(variants(game))]


def resampled(position: Position, seat: int, number: int) -> Position:
    """What a seat may believe: its view, filled in with draw `number`."""
    view, stream = position.seen_by(seat), np.zeros(4, np.int64)
    chance.start_stream(7, number, stream)
    view.resample(seat, stream)
    return view


def test_a_view_does_not_depend_on_what_is_hidden(game: Game) -> None:
    """Two states that differ only in what a seat may not see give it the same bytes, legal moves and score."""
    for match in some_matches(game):
        for seat in (*range(match.variant.seats), None):
            other = resampled(match.position, -1 if seat is None else seat, 1)
            one, two = match.position.seen_by(seat), other.seen_by(seat)
            assert one.key == two.key
            if seat is not None and seat in match.waiting:
                assert match.position.legal_actions(seat) == other.legal_actions(seat) == one.legal_actions(seat)
                assert match.position.score(seat) == one.score(seat)


def test_a_belief_can_be_played_to_its_end(game: Game) -> None:
    for number, match in enumerate(some_matches(game)):
        for seat in range(match.variant.seats):
            belief = resampled(match.position, seat, number)
            assert belief.seen_by(seat).key == match.position.seen_by(seat).key
            assert belief.waiting == match.waiting
            rng = random.Random(number)
            while not belief.is_over:
                if belief.waiting:
                    acting = rng.choice(belief.waiting)
                    belief.act(acting, rng.choice(belief.legal_actions(acting)))
                else:
                    belief.apply_outcome(rng.choices(*belief.outcome_numbers())[0])


def deal_otherwise(match: Match, seat: int, rng: random.Random) -> Iterator[tuple[int, Match]]:
    """Play a match again with other draws for the other seats, entry by entry, as far as all else can be as it was.

    Unlike a belief this does not trust `hide` or `resample`: the true histories differ, and what this seat saw does not.
    """
    twin = match.variant.match(typed=True)
    for number, entry in enumerate(match.log, 1):
        try:
            if entry.kind == "move":
                twin.play(entry.text, entry.seat)
            elif entry.seat in (None, seat) or rng.random() < 0.7:
                twin.roll(entry.text)
            else:
                twin.roll(rng.choice(list(twin.outcomes())))
        except LamplighterError:
            return
        yield number, twin


def first_leak(match: Match, seat: int, rng: random.Random) -> tuple[int, int | None]:
    """Return at how many moments the true states differed, and the first entry after which the seat could tell them apart."""
    other = 0
    for number, twin in deal_otherwise(match, seat, rng):
        original = match.branch(number)
        other += twin.position.key != original.position.key
        one, two = original.view(seat), twin.view(seat)
        seen = [(entry.kind, entry.seat, entry.text) for entry in one.log]
        if (
            one.position.key != two.position.key
            or seen != [(entry.kind, entry.seat, entry.text) for entry in two.log]
            or one.legal_moves != two.legal_moves
            or original.waiting != twin.waiting
            or original.totals != twin.totals
        ):
            return other, number
    return other, None


def secret_matches(game: Game) -> list[Match]:
    return [match for match in some_matches(game) if match.is_secret]


def test_two_matches_that_differ_in_what_others_were_dealt_look_the_same(game: Game) -> None:
    other = 0
    for match in secret_matches(game):
        for seat in range(match.variant.seats):
            for number in range(3):
                count, leak = first_leak(match, seat, random.Random(number))
                assert leak is None, match.log[: leak or 0][-1]
                other += count
    assert other > 20 or not secret_matches(game)


def test_a_view_that_peeks_would_be_noticed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not hiding a hand, or the text of what was dealt, is seen by the test above."""
    peeks: list[tuple[object, str, object]] = [
        (Position, "seen_by", lambda position, seat: position.copy()),
        (match_module, "_veiled", lambda entry: entry),
    ]
    for match in secret_matches(game)[:1]:
        for where, name, leak in peeks:
            with monkeypatch.context() as patch:
                patch.setattr(where, name, leak)
                found = [first_leak(match, seat, random.Random(1))[1] for seat in range(match.variant.seats)]
            assert any(found), name
