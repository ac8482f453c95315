"""`lab.simulate`: sums of thousands of matches, the same for any number of threads."""

from __future__ import annotations

import numpy as np

from lamplighter import bots
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant
from lamplighter.jit import PURE
from lamplighter.lab.simulate import record_match, simulate

MATCHES = 6 if PURE else 60


def test_threads_do_not_matter(game: Game) -> None:
    variant = Variant(game)
    one = simulate(variant, bots.seat_bots("uniform", variant.seats), MATCHES, "1").summary()
    two = simulate(variant, bots.seat_bots("uniform", variant.seats), MATCHES, "1", threads=2).summary()
    changing = ("seconds", "games_per_second", "moves_per_second")
    assert {name: one[name] for name in one if name not in changing} == {
        name: two[name] for name in two if name not in changing
    }


def test_sums_are_those_of_the_matches(game: Game) -> None:
    variant = Variant(game)
    seated = bots.seat_bots("uniform", variant.seats)
    result = simulate(variant, seated, 4, "sums")
    matches = [record_match(variant, seated, "sums", number) for number in range(4)]
    assert np.concatenate(result.totals).tolist() == [match.totals for match in matches]
    assert result.moves == sum(entry.kind == "move" for match in matches for entry in match.log)
    for seat, row in enumerate(result.summary()["seats"]):
        for line, mean in row["lines"].items():
            assert mean == round(sum(match.score(seat)[line] for match in matches) / 4, 4)
        shares = [1 / len(match.winners()) if seat in match.winners() else 0 for match in matches]
        assert row["win_rate"] == round(sum(shares) / 4, 4)


def test_progress_is_told(game: Game) -> None:
    variant, told = Variant(game), []
    simulate(variant, bots.seat_bots("uniform", variant.seats), MATCHES, "1", progress=told.append)
    assert sum(told) == MATCHES
