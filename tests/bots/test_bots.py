"""`lamplighter.bots`: what a bot is, how bots are found, and what they are told and refuse."""

from __future__ import annotations

import importlib.metadata
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lamplighter
from lamplighter import bots
from lamplighter.bots import Budget, Choice, Parameter
from lamplighter.bots.seat import SeatedBot
from lamplighter.bots.simple import Greedy
from lamplighter.engine.game import Game
from lamplighter.engine.match import View
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.jit import PURE
from lamplighter.lab.simulate import record_match, simulate


def test_every_bot_says_what_it_is() -> None:
    found = bots.everyone()
    assert bots.names()[:2] == ["uniform", "greedy"]
    assert [bot.level for bot in found] == sorted(bot.level for bot in found)
    for bot in found:
        assert bot.title and bot.help and bots.load(bot.name) == bot
        assert not bot.help.endswith(".")


def test_every_bot_plays_every_game(game: Game) -> None:
    for bot in [*bots.everyone(), bots.load("greedy?slips=50")]:
        match = Variant(game).match(seed="bots")
        seated = [SeatedBot(bot, match, seat) for seat in range(match.variant.seats)]
        for _ in range(3 if PURE else 30):
            match.roll()
            if not match.waiting:
                break
            seat = match.waiting[0]
            if PURE:  # which is so slow that bots must be held back
                choice = seated[seat].choose(match, Budget(seconds=0.1, simulations=2))
            else:
                choice = seated[seat].choose(match, Budget(simulations=2))
                assert choice == seated[seat].choose(match, Budget(simulations=2)), "the same moment, the same choice"
            match.play(choice.move, seat)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gredy", "there is no bot 'gredy': did you mean"),
        ("greedy?slip=3", "the bot greedy has no parameter 'slip': did you mean"),
        ("greedy?slips=101", "slips of the bot greedy is a number from 0 to 100, not '101'"),
        ("greedy?slips=", "not ''"),
        ("greedy?slips=²", "not '²'"),
        ("uniform?x=1", "the bot uniform has no parameter 'x': it has none"),
    ],
)
def test_wrong_names_are_refused(text: str, said: str) -> None:
    with pytest.raises(LamplighterError) as refused:
        bots.load(text)
    assert said in str(refused.value)


def test_parameters_are_part_of_the_name() -> None:
    assert bots.load("greedy?slips=20").name == "greedy?slips=20"
    assert bots.load("greedy?slips=0").name == "greedy"
    assert [bot.name for bot in bots.seat_bots("greedy?slips=20,uniform", 2)] == ["greedy?slips=20", "uniform"]
    with pytest.raises(LamplighterError, match="2 bots for 3 seats"):
        bots.seat_bots("greedy,uniform", 3)


class First:
    """A bot of a package: always the first legal move."""

    name, title, level, help, policy = "first", "First", 3, "plays the first legal move", None
    parameters: tuple[Parameter, ...] = ()

    def choose(self, view: View, budget: Budget, stream: object) -> Choice:
        moves = view.legal_moves
        return Choice(moves[0], 1.0, tuple((move, 0.0) for move in moves[1:]))


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if packages with these bots were installed. One of them wants to be called like ours."""
    entries = [importlib.metadata.EntryPoint(name, f"{__name__}:First", bots.GROUP) for name in ("first", "greedy")]
    monkeypatch.setattr(importlib.metadata.EntryPoint, "load", lambda self: First)
    real = importlib.metadata.entry_points  # Numba asks for its own while something is compiled for the first time

    def found(**wanted: str) -> Any:
        return entries if wanted == {"group": bots.GROUP} else real(**wanted)

    monkeypatch.setattr(importlib.metadata, "entry_points", found)
    bots._found.cache_clear()
    yield
    bots._found.cache_clear()


def test_an_installed_bot_is_found_and_simulated(installed: None) -> None:
    assert bots.names() == ["uniform", "greedy", "easy", "first", "medium", "search", "hard", "expert"]
    assert "first" in [bot.name for bot in bots.opponents()], "a bot that does not say is for people"
    assert isinstance(bots.load("greedy"), Greedy), "ours cannot be replaced"
    variant = lamplighter.load("connect_four")
    result = simulate(variant, bots.seat_bots("first,uniform", 2), 6, "1")
    assert result.games == 6 and [seat["bot"] for seat in result.summary()["seats"]] == ["first", "uniform"]
    again = record_match(variant, bots.seat_bots("first,uniform", 2), "1", 3)
    assert again.totals == np.concatenate(result.totals)[3].tolist()
    assert again.log[0].text == "a"


def test_a_package_that_fails_is_named_and_the_others_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real packages, as pip leaves them: one has a module that is not there, one fails when it is imported."""
    (tmp_path / "spoilt_bot.py").write_text("raise RuntimeError('no licence')")
    for name, value in (("absent", "no_such_module:Bot"), ("spoilt", "spoilt_bot:Bot")):
        folder = tmp_path / f"{name}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[{bots.GROUP}]\n{name} = {value}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    bots._found.cache_clear()
    try:
        assert "absent" not in bots.names() and "medium" in bots.names()
        with pytest.raises(LamplighterError, match=r"'absent' .* no_such_module:Bot fails with ModuleNotFoundError"):
            bots.load("absent")
        with pytest.raises(LamplighterError, match=r"fails with RuntimeError: no licence; repair the package"):
            bots.load("spoilt")
    finally:
        bots._found.cache_clear()


def test_a_python_loop_plays_the_matches_of_the_compiled_one() -> None:
    """With the same dice and numbers of matches; only the bots' own streams differ."""
    variant = lamplighter.load("connect_four")
    one = simulate(variant, bots.seat_bots("greedy?slips=100", 2), 300 if not PURE else 20, "1").summary()
    two = simulate(variant, bots.seat_bots("uniform", 2), 300 if not PURE else 20, "1").summary()
    assert abs(one["seats"][0]["win_rate"] - two["seats"][0]["win_rate"]) < (0.2 if not PURE else 0.6)


def test_who_sits_at_a_servers_table() -> None:
    """Nobody who thinks for as long as a stranger likes; and people are told of the levels alone."""
    for name in ("medium", "expert", "greedy?slips=20", "uniform"):
        assert bots.load_for_table(name).name == name
    for name in ("search", "search?ms=3600000", "search?simulations=1"):
        with pytest.raises(LamplighterError, match=r"'search' is for measurements, .*: easy, medium, hard, expert"):
            bots.load_for_table(name)
    with pytest.raises(LamplighterError, match="there is no bot 'hrad': did you mean 'hard'"):
        bots.load_for_table("hrad")
    with pytest.raises(LamplighterError, match=r"there is no bot 'zzz': there are: easy, medium, hard, expert$"):
        bots.load_for_table("zzz")
    with pytest.raises(LamplighterError, match="slips of the bot greedy is a number"):
        bots.load_for_table("greedy?slips=101")


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(LamplighterError, match="at least 1 simulation, not 0"):
        Budget(simulations=0)
    for seconds in (0.0, -1.0, float("nan")):
        with pytest.raises(LamplighterError, match="more than 0 seconds, not"):
            Budget(seconds)


def test_a_budget_ends() -> None:
    assert not Budget().is_spent
    assert Budget(seconds=1e-9).is_spent
    budget = Budget(seconds=3600)
    threading.Thread(target=budget.stop).start()
    while not budget.is_spent:
        time.sleep(0.001)
