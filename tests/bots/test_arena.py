"""`lamplighter.bots.arena` and `bots.rolls`: the same dice for all, fair seats, honest intervals, files that are refused."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

import lamplighter
from lamplighter.bots.arena import (
    ALONE,
    FIELD,
    T95,
    TABLE,
    Contest,
    ContestResult,
    Deal,
    DealPlayer,
    compete,
    interval_of,
)
from lamplighter.cli import app
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError


def contest(text: str = "connect_four", bots: str = "greedy,uniform", **more: object) -> Contest:
    return Contest(lamplighter.load(text), tuple(bots.split(",")), **more)  # type: ignore[arg-type]


def test_how_bots_meet() -> None:
    assert contest().mode == TABLE
    assert contest(bots="greedy,uniform,greedy?slips=5").mode == FIELD
    assert contest(against="uniform").mode == FIELD
    solo = next(game for game in map(lamplighter.load, lamplighter.names()) if game.game.seats[0] == 1)
    assert Contest(Variant(solo.game, {"seats": 1}), ("greedy", "uniform")).mode == ALONE


def test_seats_rotate_and_everybody_has_each_as_often() -> None:
    table = contest()
    assert [table.tables(number) for number in range(3)] == [
        [["greedy", "uniform"]],
        [["uniform", "greedy"]],
        [["greedy", "uniform"]],
    ]
    field = contest(bots="uniform,greedy?slips=5", against="greedy")
    assert field.tables(0) == [["uniform", "greedy"], ["greedy?slips=5", "greedy"]]
    assert field.tables(1) == [["greedy", "uniform"], ["greedy", "greedy?slips=5"]]


def test_compiled_and_seated_matches_have_the_same_dice(game: Game) -> None:
    """A bot that plays from Python meets the dice of the compiled loop, so that pairs are pairs."""
    if game.draws_follow_play:
        pytest.skip("what can come depends on play here")
    variant = Variant(game)
    one = DealPlayer(Contest(variant, ("greedy", "uniform"), "7", against="greedy" if variant.seats > 1 else ""))
    two = DealPlayer(
        Contest(variant, ("greedy?slips=1", "uniform"), "7", against="greedy" if variant.seats > 1 else "")
    )
    assert one.is_compiled and not two.is_compiled
    match, roll = two._begin(3)
    roll()
    from lamplighter.engine.batch import Batch, match_key

    batch = Batch(variant, 4)
    batch.reset(seed="7")
    assert match.position.key == batch.states[3:4].tobytes()
    assert match.seed == f"0x{match_key(one._key, 3) & (1 << 64) - 1:016x}"


def test_the_result_does_not_depend_on_threads() -> None:
    for bots in ("greedy,uniform", "greedy?slips=50,uniform"):  # on threads, and in processes
        one, two = (compete(contest(bots=bots), 6, threads).summary() for threads in (1, 2))
        for key in ("games", "differences", "mode"):
            assert one[key] == two[key]
        assert [row["mean"] for row in one["bots"]] == [row["mean"] for row in two["bots"]]
        assert [row["win_rate"] for row in one["bots"]] == [row["win_rate"] for row in two["bots"]]


def test_greedy_is_better_on_any_dice(game: Game) -> None:
    variant = Variant(game)
    rows = compete(Contest(variant, ("greedy", "uniform"), against="uniform" if variant.seats > 1 else ""), 4).summary()
    assert rows["bots"][0]["mean"] > rows["bots"][1]["mean"]
    assert rows["differences"][0]["mean"] == pytest.approx(rows["bots"][0]["mean"] - rows["bots"][1]["mean"], abs=1e-3)


def test_summary_of_known_numbers() -> None:
    """Totals 10, 12, 14 against 9, 9, 9: a paired difference of 3 with standard deviation 2."""
    deals = {
        i: Deal([10 + 2 * i, 9], [1, 0], [5, 5], [0.5, 1.0], [[], []], [], [False, False], [True, True])
        for i in range(3)
    }
    summary = ContestResult(contest(), deals).summary()
    (pair,) = summary["differences"]
    half = T95[1] * 2 / math.sqrt(3)
    assert (pair["a"], pair["b"], pair["mean"]) == ("greedy", "uniform", 3)
    assert pair["ci95"] == pytest.approx([3 - half, 3 + half], abs=1e-3)
    assert [row["seconds_per_move"] for row in summary["bots"]] == [0.1, 0.2]
    assert [row["win_rate"] for row in summary["bots"]] == [1, 0]
    assert set(summary["bots"][0]) == {
        "name", "mean", "sd", "ci95", "win_rate", "forfeits", "facts", "seconds_per_move", "seconds_per_game",
    }  # fmt: skip


def test_intervals_hold_what_they_promise() -> None:
    """Of 2,000 samples of 8 normal numbers, about 95 % of the intervals hold the true mean; the limits are five errors wide."""
    generator = np.random.default_rng(1)
    held = sum(
        low <= 0 <= high for low, high in (interval_of(generator.normal(size=8))[2] or [1, 1] for _ in range(2000))
    )
    assert abs(held / 2000 - 0.95) < 5 * math.sqrt(0.05 * 0.95 / 2000)
    assert interval_of([4.0]) == (4.0, 0.0, None)


def test_a_contest_that_is_stopped_keeps_what_is_done() -> None:
    for threads, bots in ((1, "greedy,uniform"), (2, "greedy,uniform"), (2, "greedy?slips=50,uniform")):
        seen = []

        def stop(done: int, seen: list[int] = seen) -> None:
            seen.append(done)
            if len(seen) == 3:
                raise KeyboardInterrupt

        result = compete(contest(bots=bots), 10_000, threads, stop)
        assert 3 <= len(result.deals) < 10_000
        assert result.summary()["games"] == len(result.deals)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--bots", "greedy"), "name at least two bots"),
        (("--bots", "greedy,greedy"), "named twice"),
        (("--bots", ",", "--against", "greedy"), "name at least one bot"),
        (("--bots", "greedy,gredy"), "did you mean 'greedy'"),
        (("--bots", "greedy,exprt"), "there is no bot 'exprt': did you mean 'expert'"),
        (("--bots", "greedy,hard?depth=3"), "the bot hard has no parameter 'depth': it has none"),
        (("--bots", "greedy,search?beam=5000"), "beam of the bot search is a number from 0 to 4096"),
        (("--movetime", "0"), "--movetime is seconds"),
        (("--against", "nobody"), "there is no bot 'nobody'"),
        (("--rolls", "nosuch.jsonl"), "cannot read 'nosuch.jsonl'"),
    ],
)
def test_wrong_arguments_are_refused(arguments: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(app, ["arena", "connect_four", *arguments])
    assert isinstance(result.exception, LamplighterError)
    assert said in str(result.exception)


def test_the_command_prints_a_table_and_json() -> None:
    runner, common = CliRunner(), ["arena", "connect_four", "--games", "4"]
    summary = json.loads(runner.invoke(app, [*common, "--json"]).stdout)
    assert {"game", "variant", "games", "bots", "differences"} <= set(summary)
    assert summary["games"] == 4 and summary["game"] == "connect_four"
