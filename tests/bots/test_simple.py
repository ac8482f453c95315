"""`bots.simple`: any legal move, and the move that looks best one move ahead."""

from __future__ import annotations

from collections import Counter

import pytest
from walks import new_stream

import lamplighter
from lamplighter.bots import Budget
from lamplighter.bots.simple import Greedy, Uniform
from lamplighter.errors import LamplighterError


def test_who_has_nothing_to_do_is_not_asked() -> None:
    match = lamplighter.load("connect_four").match(seed="1")
    with pytest.raises(LamplighterError, match="seat 1 has nothing to do now"):
        Uniform().choose(match.view(1), Budget(), new_stream())
    with pytest.raises(LamplighterError, match="seat None has nothing to do now"):
        Greedy().choose(match.view(None), Budget(), new_stream())


def test_uniform_is_uniform() -> None:
    """Each of seven columns comes as often as the others, within five standard errors of 2,000 choices."""
    view, count = lamplighter.load("connect_four").match(seed="1").view(0), 2000
    found = Counter(Uniform().choose(view, Budget(), new_stream(number)).move for number in range(count))
    share = 1 / 7
    assert len(found) == 7
    assert all(abs(n - count * share) < 5 * (count * share * (1 - share)) ** 0.5 for n in found.values())


def test_greedy_takes_what_wins_at_once() -> None:
    match = lamplighter.load("connect_four").match(seed="1")
    for move in "dadbdc":
        match.play(move)
    assert {Greedy().choose(match.view(0), Budget(), new_stream(n)).move for n in range(20)} == {"d"}
    slipped = {Greedy(slips=100).choose(match.view(0), Budget(), new_stream(n)).move for n in range(60)}
    assert len(slipped) == 7
