"""`lamplighter.bots.hindsight`: lines that reach what they promise, and proofs that a plain search confirms."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import lamplighter
from lamplighter.bots import hindsight as module
from lamplighter.bots.hindsight import Bound, hindsight
from lamplighter.cli import app
from lamplighter.engine.game import Game
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.jit import PURE


def finished(game: Game, seed: str = "3") -> Match:
    """A match in which everybody always plays the middle one of their legal moves."""
    match = Variant(game).match(seed=seed)
    match.roll()
    while match.waiting:
        seat = match.waiting[0]
        legal = match.position.legal_actions(seat)
        match.act(seat, legal[len(legal) // 2])
        match.roll()
    return match


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NODES_LIMIT", 4_000 if PURE else 40_000)
    monkeypatch.setattr(module, "SLICE", 1_000)
    monkeypatch.setattr(module, "WIDTHS", () if PURE else (2,))  # completing matches takes minutes in plain Python
    monkeypatch.setattr(module, "TABLE_BITS", 16)


def total_of(match: Match, seat: int, bound: Bound) -> int:
    """Play a line among what the others played and the dice that came, by the rules. Return the seat's total."""
    position = match.at(bound.entry)
    rest = match.log[bound.entry :]
    dice = [entry.value for entry in rest if entry.kind == "chance"]
    others = {
        other: [entry.value for entry in rest if entry.kind == "move" and entry.seat == other]
        for other in range(match.variant.seats)
    }
    line = list(bound.line)
    while not position.is_over:
        if seat in position.waiting:
            position.play(line.pop(0), seat)
        elif position.waiting:
            position.act(position.waiting[0], others[position.waiting[0]].pop(0))
        else:
            position.apply_outcome(dice.pop(0))
    assert not line
    return position.total(seat)


def test_every_line_reaches_its_total(game: Game, quick: None) -> None:
    match = finished(game)
    seat = match.variant.seats - 1
    (found,) = hindsight(match, [seat], seconds=600)
    assert found.total == match.totals[seat]
    assert found.match.total >= found.last_round.total >= found.total
    for bound in (found.match, found.last_round):
        assert total_of(match, seat, bound) == bound.total
    assert (
        found.upper == found.match.total
        if found.match.proved
        else found.upper is None or found.upper > found.match.total
    )
    last_chance = max((i for i, entry in enumerate(match.log) if entry.kind == "chance"), default=-1)
    assert found.last_round.entry > last_chance or match.log[found.last_round.entry].seat == seat


def best_by_trying(position: Position, seat: int, others: dict[int, list[int]], met: set[bytes]) -> int:
    """The same as the exact search, plainly: every move of the seat, the others as they played. No more dice come."""
    position, others = position.copy(), {other: list(moves) for other, moves in others.items()}
    while seat not in position.waiting and not position.is_over:
        acting = position.waiting[0]
        if not others[acting] or position.refusal(acting, others[acting][0]) is not None:
            return -(10**9)
        position.apply(acting, others[acting].pop(0))
    if position.is_over:
        return position.total(seat)
    if position.key in met:
        return -(10**9)
    met.add(position.key)
    if len(met) > 300:
        raise OverflowError
    found = []
    for action in position.legal_actions(seat):
        after = position.copy()
        after.apply(seat, action)
        found.append(best_by_trying(after, seat, others, met))
    return max(found)


def test_what_is_proved_is_so(game: Game) -> None:
    """The last round again, by a plain search in Python; where it is too large for that, from its middle on."""
    match = finished(game)
    seat = match.variant.seats - 1
    own = [i for i, entry in enumerate(match.log) if entry.kind == "move" and entry.seat == seat]
    last_chance = max((i for i, entry in enumerate(match.log) if entry.kind == "chance"), default=-1)
    for entry in [i for i in own if i > last_chance] or own[-1:]:
        others = {
            other: [one.value for one in match.log[entry:] if one.kind == "move" and one.seat == other]
            for other in range(match.variant.seats)
        }
        try:
            wanted = best_by_trying(match.at(entry), seat, others, set())
        except OverflowError:
            continue
        found = module._exact(match, seat, entry)
        assert found.proved and found.total == wanted
        return
    pytest.fail("no moment of the last round was small enough")


def test_a_limit_leaves_it_unproved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLICE", 10)
    monkeypatch.setattr(module, "NODES_LIMIT", 20)
    match = lamplighter.load("connect_four").match(seed="1")
    for move in "abababgc" + "a":
        match.play(move) if not match.is_over else None
    while not match.is_over:
        match.play(match.legal_moves()[-1])
    assert not module._exact(match, 0, 0).proved


def test_a_beam_that_drops_nothing_proves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A beam as wide as all there is finds what the exact search finds, and says that it is proved."""
    match = lamplighter.load("connect_four").match(seed="1")
    for move in "dadbdacd"[:7]:
        match.play(move)
    while not match.is_over:
        match.play(match.legal_moves()[0])
    entry = [i for i, one in enumerate(match.log) if one.seat == 0][-2]
    exact, wide = module._exact(match, 0, entry), module._beam(match, 0, entry, 100_000, float("inf"))
    assert wide is not None and wide.proved and exact.proved and wide.total == exact.total
    monkeypatch.setattr(module, "SPREAD", 1)
    narrow = module._beam(match, 0, entry, 1, float("inf"))
    assert narrow is None or (narrow.total <= wide.total and not narrow.proved)


def test_a_beam_whose_time_is_up_tells_what_it_has() -> None:
    match = lamplighter.load("connect_four").match(seed="1")
    for move in "dadbdcd":
        match.play(move)
    found = module._beam(match, 1, 1, 50, 0.0)
    assert found is None or not found.proved


def test_equal_states_are_met_once() -> None:
    children = np.zeros(4, module.CHILD)
    children["one"], children["value"], children["stage"] = [1, 1, 2, 3], [5, 5, 4, 9], [0, 0, 0, 1]
    kept, dropped = module._best_of(children, 2)
    assert kept["one"].tolist() == [1, 2, 3] and not dropped
    kept, dropped = module._best_of(children, 1)
    assert kept["one"].tolist() == [1, 3] and dropped


def test_a_running_match_is_refused() -> None:
    match = lamplighter.load("connect_four").match(seed="1")
    match.play("d")
    with pytest.raises(LamplighterError, match="the match is not over"):
        hindsight(match)


def test_a_search_that_is_stopped_keeps_what_is_known(quick: None) -> None:
    match = lamplighter.load("connect_four").match(seed="1")
    for move in "dadbdcd":
        match.play(move)

    def stop(what: str) -> None:
        raise KeyboardInterrupt

    (found,) = hindsight(match, [0], progress=stop)
    assert found.match.total == found.last_round.total == 1 and not found.match.proved


def test_the_command(tmp_path: Path, quick: None) -> None:
    path = tmp_path / "match.lamp"
    match = lamplighter.load("connect_four").match(seed="1", players=["Ana", "Bo"])
    for move in "dadbdcd":
        match.play(move)
    match.save(path)
    runner = CliRunner()
    (seat,) = json.loads(runner.invoke(app, ["hindsight", str(path), "--seat", "1", "--json"]).stdout)["seats"]
    assert seat["player"] == "Bo" and seat["total"] == 0 and seat["best"] >= 0
    assert set(seat) == {"seat", "player", "total", "best", "proved", "upper", "match", "last_round", "seconds"}
    refused = runner.invoke(app, ["hindsight", str(path), "--seconds", "0"]).exception
    assert isinstance(refused, LamplighterError) and "--seconds is a number" in str(refused)
