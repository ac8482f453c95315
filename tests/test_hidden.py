"""What a seat may not see, for every game: views do not depend on it, and what a seat may believe can be played.

How likely each belief is, and that a bot in a compiled loop is shown no more, is tested in games that hide something.
"""

from __future__ import annotations

import random

import numpy as np
from walks import random_match, variants

from lamplighter.engine import chance
from lamplighter.engine.game import Game
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position


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
