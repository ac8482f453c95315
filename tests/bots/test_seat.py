"""`bots.seat`: a bot in a seat is shown what its seat may see, and repeats itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lamplighter import games
from lamplighter.bots import Budget, Choice, Parameter
from lamplighter.bots.seat import SeatedBot
from lamplighter.bots.simple import Uniform
from lamplighter.engine.match import Match, View
from lamplighter.engine.variant import Variant


class Witness:
    """A bot that keeps what it is shown, and plays the first legal move."""

    name, title, level, help, policy = "witness", "Witness", 1, "keeps what it is shown", None
    parameters: tuple[Parameter, ...] = ()

    def __init__(self) -> None:
        self.shown: list[tuple[View, Budget, list[int]]] = []

    def choose(self, view: View, budget: Budget, stream: object) -> Choice:
        self.shown.append((view, budget, list(stream)))  # type: ignore[call-overload]
        return Choice(view.legal_moves[0])


def moments(match: Match, count: int) -> Iterator[int]:
    """Play on with first moves. Yield the seat that is next, so many times."""
    for _ in range(count):
        match.roll()
        if not match.waiting:
            return
        yield match.waiting[0]
        match.play(match.legal_moves(match.waiting[0])[0], match.waiting[0])


@pytest.mark.parametrize("name", games.names())
def test_it_is_shown_what_its_seat_may_see(name: str) -> None:
    match, witness = Variant(games.load(name)).match(seed="seat"), Witness()
    budget = Budget(seconds=5)
    for seat in moments(match, 6):
        SeatedBot(witness, match, seat).choose(match, budget)
        view, given, _ = witness.shown[-1]
        assert view.seat == seat and given is budget
        assert view.position.key == match.position.seen_by(seat).key
        assert view.log == match.view(seat).log


def test_every_moment_and_seat_has_a_stream_of_its_own() -> None:
    match, witness = Variant(games.load("connect_four")).match(seed="seat"), Witness()
    for seat in moments(match, 6):
        for _ in range(2):
            SeatedBot(witness, match, seat).choose(match)
    streams = [tuple(stream) for _, _, stream in witness.shown]
    assert streams[::2] == streams[1::2], "the same moment has the same stream"
    assert len(set(streams)) == 6


def test_another_seed_gives_other_choices() -> None:
    def choices(seed: str | None) -> list[str]:
        match = Match(Variant(games.load("connect_four")), seed)
        return [SeatedBot(Uniform(), match, seat).choose(match).move for seat in moments(match, 12)]

    assert choices("one") == choices("one") != choices("two")
    assert choices(None) == choices(None), "typed dice have no seed, and a bot repeats itself all the same"
