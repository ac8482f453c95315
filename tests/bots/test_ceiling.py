"""`ceiling` of a game's evaluate.py: no play of any match has more than it says."""

from __future__ import annotations

import importlib
import random
import time
from pathlib import Path

import pytest
from walks import random_match, variants

from lamplighter import bots, games
from lamplighter.bots import hindsight as module
from lamplighter.bots.hindsight import ceiling_at, hindsight
from lamplighter.cli.hindsight import say
from lamplighter.engine.game import Game
from lamplighter.engine.match import Match
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadGame
from lamplighter.jit import PURE
from lamplighter.lab.simulate import record_match

HAVE_ONE = [
    name
    for name in games.own_names()
    if games.load(name).has("evaluate") and hasattr(games.load(name).module("evaluate"), "ceiling")
]
SEEDS = 1 if PURE else 2
MOMENTS = 1 if PURE else 4  # of each seat, beside its first move and its last
SECONDS = 1.0  # for a beam


@pytest.fixture(params=HAVE_ONE)
def bounded(request: pytest.FixtureRequest) -> Game:
    return games.load(request.param)


def moments(match: Match, seat: int, seed: int) -> list[int]:
    """The seat's first move, its last, and some between them."""
    own = [i for i, entry in enumerate(match.log) if entry.kind == "move" and entry.seat == seat]
    return sorted({own[0], own[-1], *random.Random(seed).sample(own, min(MOMENTS, len(own)))})


def too_low(match: Match, seed: int = 0) -> list[str]:
    """Where a ceiling is below what the seat then had."""
    found = []
    seats = range(match.variant.seats)
    for seat in [len(match.log) % len(seats)] if PURE else seats:
        for entry in moments(match, seat, seed):
            most = ceiling_at(match, seat, entry)
            if most is not None and most < match.totals[seat]:
                had = match.totals[seat]
                found.append(f"{match.variant.text}, seed {seed}, seat {seat}, entry {entry}: {most} < {had}")
    return found


def greedy_match(variant: Variant, seed: int) -> Match:
    return record_match(variant, bots.seat_bots("greedy", variant.seats), str(seed), 0)


def test_nobody_has_more_than_the_ceiling(bounded: Game) -> None:
    """Random and greedy matches of every variant, from the start, the middle and the last move."""
    for variant in variants(bounded):
        for seed in range(SEEDS):
            assert not too_low(random_match(variant, seed), seed)
            if not PURE:
                assert not too_low(greedy_match(variant, seed), seed)


@pytest.mark.skipif(PURE, reason="completing matches takes minutes in plain Python")
@pytest.mark.parametrize("first", [True, pytest.param(False, marks=pytest.mark.thorough)], ids=["usual", "others"])
def test_no_beam_finds_more_than_the_ceiling(bounded: Game, first: bool) -> None:
    """The best lines that a narrow beam knows, from the start and from the middle, in every variant."""
    for number, variant in enumerate(variants(bounded)):
        if first != (number == 0):
            continue
        match = greedy_match(variant, number)
        seat = number % variant.seats
        own = [i for i, entry in enumerate(match.log) if entry.kind == "move" and entry.seat == seat]
        for entry in (own[0], own[len(own) // 2]):
            most, until = ceiling_at(match, seat, entry), time.monotonic() + SECONDS
            found = module._beam(match, seat, entry, 4, until)
            assert most is None or found is None or found.total <= most, f"{variant.text}, seat {seat}, entry {entry}"


def test_the_last_round_has_no_more_than_the_ceiling(bounded: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The best that an exact search finds in the last round."""
    monkeypatch.setattr(module, "NODES_LIMIT", 2_000 if PURE else 200_000)
    monkeypatch.setattr(module, "SLICE", 1_000)
    monkeypatch.setattr(module, "TABLE_BITS", 18)
    for seed in range(SEEDS):
        match = random_match(Variant(bounded), 100 + seed)
        seat = seed % match.variant.seats
        drawn = max(i for i, entry in enumerate(match.log) if entry.kind == "chance")
        own = [i for i, entry in enumerate(match.log) if entry.kind == "move" and entry.seat == seat]
        entry = next((i for i in own if i > drawn), own[-1])
        most = ceiling_at(match, seat, entry)
        assert most is not None and most >= module._exact(match, seat, entry).total


# --- a ceiling that is wrong ----------------------------------------------------------------------------------

TEN = {
    "__init__.py": """
from lamplighter.engine.game import Game
GAME = Game(id="ten", title="Ten", package=__name__, summary="Count to ten.", source="made up", seats=(1, 1),
            default_seats=1, rules_version=1)
""",
    "state.py": """
from enum import IntEnum
import numpy as np
STATE = np.dtype([("count", np.int64), ("draws", np.int32), ("turn", np.int32)])
class Reason(IntEnum):
    OK = 0
    NOT_WAITING = 1
    TOO_MUCH = 2
""",
    "rules.py": """
from lamplighter.jit import kernel
from .state import Reason
@kernel
def setup(box, state):
    state["turn"] = 1
@kernel
def action_count(box):
    return 3
@kernel
def waiting(box, state):
    return 0 if state["count"] >= 10 else 1
@kernel
def check(box, state, seat, action):
    if not (waiting(box, state) >> seat) & 1:
        return Reason.NOT_WAITING
    return Reason.OK if 0 <= action < 3 else Reason.TOO_MUCH
@kernel
def apply(box, state, seat, action):
    state["count"] += action + 1
@kernel
def score(box, state, seat, out):
    out[0] = state["count"]
    return int(out[0])
""",
    "evaluate.py": """
from lamplighter.jit import kernel
@kernel
def evaluate(box, state, seat, out):
    return int(state["count"])
@kernel
def ceiling(box, state, seat, dice, plays, out):
    return 12 - MISTAKE
""",
}


def match_of_twelve(folder: Path, name: str, mistake: int) -> Match:
    """A match with 12 points, of a game whose ceiling is too low by some points."""
    (folder / name).mkdir()
    for file, text in TEN.items():
        (folder / name / file).write_text(text.replace("MISTAKE", str(mistake)), encoding="utf-8")
    match = Variant(importlib.import_module(name).GAME).match(seed="1")
    for action in (2, 2, 2, 2):
        match.act(0, action)
    return match


def test_a_ceiling_that_is_too_low_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    assert not too_low(match_of_twelve(tmp_path, "ten_with_a_ceiling", 0))
    wrong = match_of_twelve(tmp_path, "ten_with_a_low_ceiling", 1)
    assert wrong.totals == [12] and len(too_low(wrong)) >= 2


def connected() -> Match:
    """Connect Four has no ceiling: tests say one."""
    match = Variant(games.load("connect_four")).match(seed="1", players=["Ana", "Bo"])
    for move in "dadbdcd":
        match.play(move)
    assert match.totals == [1, 0] and ceiling_at(match, 0, 0) is None
    return match


def stop(what: str) -> None:
    raise KeyboardInterrupt


def test_hindsight_refuses_a_ceiling_that_is_too_low(monkeypatch: pytest.MonkeyPatch) -> None:
    match = connected()
    monkeypatch.setattr(module, "ceiling_at", lambda match, seat, entry: 0)
    with pytest.raises(BadGame, match="cannot have more than 0 points, but these moves have 1: d, d, d, d"):
        hindsight(match, [0], progress=stop)


def test_hindsight_tells_the_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an upper bound; where it is reached, that is a proof."""
    match = connected()
    (found,) = hindsight(match, [0], progress=stop)
    assert found.upper is None and "at least 1 (no upper bound" in say(found)[0]
    monkeypatch.setattr(module, "ceiling_at", lambda match, seat, entry: 3)
    (found,) = hindsight(match, [0], progress=stop)
    assert found.upper == 3 and not found.match.proved and found.fields()["upper"] == 3
    assert say(found)[0] == "Ana: 1 points. These dice allowed at least 1; no play could have more than 3."
    monkeypatch.setattr(module, "ceiling_at", lambda match, seat, entry: 1)
    (found,) = hindsight(match, [0], progress=stop)
    assert found.upper == 1 and found.match.proved
    assert say(found)[0] == "Ana: 1 points. These dice allowed 1 (proved: no play could have more)."
