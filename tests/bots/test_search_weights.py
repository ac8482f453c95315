"""`lamplighter.bots.search.weights` and `fit`: files of fitted values, which are refused, and how they are made."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from walks import random_match, variants

import lamplighter
from lamplighter import games
from lamplighter.bots.search import weights
from lamplighter.bots.search.fit import Fit, Notes, Recipe, fit_rows, ridge
from lamplighter.bots.search.learn import Learning, Place, Practice
from lamplighter.bots.search.net import Net
from lamplighter.bots.search.plan import FEATURES, by_stage, new_desk
from lamplighter.bots.search.program import PROGRAM, TRAINING, has_features
from lamplighter.bots.search.rivals import NormalEquations, Rivalry, Trial, Tried
from lamplighter.bots.search.room import Value
from lamplighter.bots.search.samples import BEST, Manner
from lamplighter.bots.search.weights import BadWeights, Weights, check_weights, find_weights, read_weights
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.table import make_table, new_rows
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.jit import PURE

Array = Any
FITTED = [name for name in games.names() if has_features(games.load(name))]


@pytest.fixture
def variant() -> Variant:
    return Variant(games.load(FITTED[0]))


def some_weights(variant: Variant) -> Weights:
    count = weights.count_features(variant)
    row = (1.0, *(0.25 * i for i in range(count)))
    return Weights(
        variant.game.id, variant.game.rules_version, weights.deciding_options(variant), weights.box_hash(variant),
        count, 1, "1", "lamplighter train", (row, row),
    )  # fmt: skip


def test_weights_come_back_as_they_were_saved(variant: Variant, tmp_path: Path) -> None:
    some_weights(variant).save(tmp_path / "deep" / "some.json")
    found = read_weights(tmp_path / "deep" / "some.json")
    assert found == some_weights(variant)
    assert find_weights(variant, [tmp_path / "deep"]) == found
    assert find_weights(variant, [tmp_path]) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rules_version": 99}, "was made for version 99 of the rules"),
        ({"box": "another"}, "was made for another box"),
        ({"game": "chess"}, "has weights for chess"),
        ({"options": {"x": "y"}}, "was made for other options"),
        ({"features": 3}, "was made from 3 features"),
    ],
)
def test_weights_for_something_else_are_refused_with_the_command(
    variant: Variant, change: dict[str, object], said: str
) -> None:
    with pytest.raises(BadWeights, match=f"{said}.*make new ones with lamplighter train"):
        check_weights(replace(some_weights(variant), **change), variant, "some.json")  # type: ignore[arg-type]
    check_weights(some_weights(variant), variant, "some.json")


def test_a_bot_without_its_weights_says_so_and_plays(
    variant: Variant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    replace(some_weights(variant), rules_version=99).save(tmp_path / "old.json")
    monkeypatch.setattr(weights, "folders", lambda variant: [tmp_path])
    weights.value_for.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert weights.value_for(variant) is None
    assert "the bots search without a fitted value" in caplog.text
    weights.value_for.cache_clear()


@pytest.mark.parametrize("text", ['{"game": ', "older"])
def test_a_file_that_cannot_be_used_does_not_hide_another(variant: Variant, tmp_path: Path, text: str) -> None:
    """The user's own file comes first; if it is broken or too old, the game's is taken."""
    own, shipped = tmp_path / "own", tmp_path / "shipped"
    some_weights(variant).save(shipped / "good.json")
    replace(some_weights(variant), rules_version=99).save(own / "mine.json")
    if text != "older":
        (own / "mine.json").write_text(text)
    assert find_weights(variant, [own, shipped]) == some_weights(variant)
    with pytest.raises(BadWeights, match=r"mine\.json"):
        find_weights(variant, [own])


def test_a_changed_box_has_no_weights(variant: Variant, tmp_path: Path) -> None:
    some_weights(variant).save(tmp_path / "some.json")
    changed = Variant(variant.game, {}, ComponentFile(variant.game.box_text + "\n# mine\n", "mine.toml"))
    assert find_weights(changed, [tmp_path]) is not None, "a comment changes nothing"
    changed.file.data["mine"] = 1
    with pytest.raises(BadWeights, match="another box"):
        find_weights(changed, [tmp_path])


@pytest.mark.parametrize("text", ["", "{}", '{"rows": 3}', "[1]", '{"rows": [[1, 2], [1]]}', "[" * 100_000])
def test_a_file_that_is_no_weights_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(BadWeights, match=r"bad\.json is not a file of weights"):
        read_weights(tmp_path / "bad.json")
    with pytest.raises(BadWeights, match=r"none\.json cannot be read"):
        read_weights(tmp_path / "none.json")


@pytest.mark.parametrize(
    "changed", [{"rows": []}, {"rows": 5}, {"features": 10**30}, {"features": "7"}, {"game": 3}, {"box": None}]
)
def test_weights_of_odd_sizes_and_kinds_are_refused(
    variant: Variant, tmp_path: Path, changed: dict[str, object]
) -> None:
    path = tmp_path / "odd.json"
    some_weights(variant).save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))
    with pytest.raises(BadWeights, match=r"odd\.json is not a file of weights: make it again"):
        read_weights(path)


def test_weights_that_are_no_numbers_are_refused(variant: Variant, tmp_path: Path) -> None:
    replace(some_weights(variant), rows=((float("nan"),) * (weights.count_features(variant) + 1),)).save(
        tmp_path / "nan.json"
    )
    with pytest.raises(BadWeights, match="is not a file of weights"):
        read_weights(tmp_path / "nan.json")


@pytest.mark.parametrize("name", games.own_names())
def test_shipped_weights_fit_their_game(name: str) -> None:
    game = games.load(name)
    files = sorted((game.folder / "weights").glob("*.json"))
    assert sum(path.stat().st_size for path in files) < 1_000_000
    for path in files:
        found = read_weights(path)
        fitting = Variant(game, dict(found.options))
        check_weights(found, fitting, path.name)
        assert found.command.startswith(f"lamplighter train '{name}?")
        assert found.rows[0][0] == 1.0 and not any(found.rows[0][1:]), "at the end the total is all"


@pytest.mark.parametrize("name", FITTED)
def test_the_first_feature_is_the_total_and_old_numbers_do_not_matter(name: str) -> None:
    for variant in variants(games.load(name)):
        for entries in (0, 12, 25, 40):
            position = random_match(variant, 5, entries).position
            states, words = new_rows(variant, 1)
            states[0] = position.state
            one, two = np.zeros(FEATURES, np.int64), np.full(FEATURES, 99)
            n = PROGRAM.count_features(make_table(variant), words, one)
            assert n == PROGRAM.count_features(make_table(variant), words, two)
            assert np.array_equal(one[:n], two[:n]) and one[0] == position.total(0)


# --- fitting --------------------------------------------------------------------------------------------------


def test_ridge_finds_a_line() -> None:
    numbers = np.random.default_rng(1).integers(0, 9, (4000, 3)).astype(float)
    numbers[:, 1] = 4  # a feature that never changes keeps the weight it is held near
    targets, weights = numbers @ [2.0, 0.0, -1.0] + 5, np.ones(4000)
    targets[:50], weights[:50] = 1e6, 0.0  # what does not count
    assert np.allclose(ridge(numbers, targets, weights, np.zeros(4)), [2, 0, -1, 5], atol=0.1)
    assert ridge(numbers, targets, weights, np.array([0.0, 0.5, 0.0, 0.0]))[1] == 0.5


def test_rows_are_fitted_from_the_last_turn_back() -> None:
    """Two turns of a match in which feature 1 is doubled in the end: with a turn left it is worth 2, with two left 4."""
    generator = np.random.default_rng(2)
    first = generator.integers(0, 9, 2000)
    numbers = np.zeros((6000, 2), np.float32)
    numbers[0::3, 1], numbers[1::3, 1], numbers[2::3, 0] = first, 2 * first, 4 * first
    turns, following = np.tile([2, 1, 0], 2000), np.arange(1, 6001)
    following[2::3] = -1
    for trust in (0.0, 1.0):
        rows, missed = fit_rows(Notes(numbers, turns, following, np.repeat(4 * first, 3)), np.ones(6000), trust)
        assert rows[0].tolist() == [1, 0, 0] and missed < 0.1
        assert rows[1:, 1] == pytest.approx([2, 4], abs=0.05)


@pytest.mark.skipif(PURE, reason="a fit plays dozens of matches")
@pytest.mark.thorough
def test_a_fit_repeats_and_goes_on(variant: Variant, tmp_path: Path) -> None:
    recipe = Recipe(matches=40, width=2)
    one, two = Fit(variant, "7", recipe), Fit(variant, "7", recipe)
    for _ in range(2):
        one.sweep()
        two.sweep()
    assert np.array_equal(one.rows, two.rows) and one.sweeps == 2 and one.mean == two.mean > 0
    assert one.rows[0, 0] == 1 and not one.rows[0, 1:].any(), "at the end the total is all"
    one.weights("lamplighter train x").save(tmp_path / "one.json")
    again = Fit(variant, "ignored", recipe, read_weights(tmp_path / "one.json"))
    assert again.sweeps == 2 and again.seed == "7"
    assert np.allclose(again.rows, one.rows, rtol=1e-5)


@pytest.mark.skipif(PURE, reason="it plays turns")
def test_targets_are_what_the_next_turn_brings(variant: Variant) -> None:
    """With the total as the only weight, a turn is worth what it adds: no state can lose by a turn of the best move."""
    before = replace(some_weights(variant), rows=((1.0,) + (0.0,) * weights.count_features(variant),) * 2)
    fit = Learning(variant, before.seed, Practice(matches=10, rolls=3, nodes=0), before)
    states, words = new_rows(variant, 1)
    states[0] = variant.start().state
    position = variant.start()
    assert fit._targets(words, np.array([0]), 5)[0] > position.total(0)
    assert fit._targets(words, np.array([0]), 5)[0] == fit._targets(words, np.array([0]), 5)[0]


@pytest.mark.skipif(PURE, reason="it plays matches")
@pytest.mark.parametrize("name", FITTED)
def test_rivals_are_states_after_other_plans_of_the_same_turn(name: str) -> None:
    """The states of a match come in their order, each followed by what else could have been chosen in that turn."""
    variant = Variant(games.load(name))
    practice, table, noted = Practice(width=2), make_table(variant), {}
    for rivals in (0, 3):
        place = Place(variant, practice, None)
        place.world[0] = variant.start().state
        n = TRAINING.note_match(
            table, place.beams[2], place.worlds, variant.seats, 7, 1, Manner(BEST, 2, 0, 0.0, 0.0), practice.plans,
            rivals, place.states, place.whose, place.desk,
        )  # fmt: skip
        stages = [PROGRAM.stage_of(table, place.states[i : i + 1], int(place.whose[i])) for i in range(n)]
        noted[rivals] = [(place.states[i].tobytes(), int(place.whose[i]), stages[i]) for i in range(n)]
    assert len(noted[0]) < len(noted[3]) <= 4 * len(noted[0])
    chosen, others = list(noted[0]), 0
    latest = chosen.pop(0)
    assert noted[3][0] == latest
    for one in noted[3][1:]:
        if chosen and one == chosen[0]:
            latest = chosen.pop(0)
        else:
            assert one[1:] == latest[1:] and one != latest
            others += 1
    assert not chosen and others == len(noted[3]) - len(noted[0])


# --- hidden nodes ---------------------------------------------------------------------------------------------


def test_a_net_learns_what_a_sum_cannot() -> None:
    """With one turn left the larger of two features counts, with two left a point more."""
    numbers = np.random.default_rng(3).integers(0, 9, (4000, 2)).astype(float)
    larger, ones = numbers.max(axis=1), np.ones(4000)
    net = Net(2, 8, 3, 1)
    net.train({1: (numbers, larger, ones), 2: (numbers, larger + 1, ones)}, 30)
    line = ridge(numbers, larger, ones, np.zeros(3))
    by_a_sum = abs(numbers @ line[:-1] + line[-1] - larger).mean()
    for turn in (1, 2):
        assert abs(net.predict(numbers, turn) - larger - turn + 1).mean() < by_a_sum / 2
    value = net.value(2)
    folded = asked(value, numbers) @ value.rows[2]
    assert np.allclose(folded, net.predict(numbers, 2)), "a value says what its net says"
    assert np.allclose(Net.of(value, 1).predict(numbers, 2), folded), "and a net what its value says"
    assert value.rows[0].tolist() == [1.0, *[0.0] * 10], "at the end the total is all"


def asked(value: Value, numbers: Array) -> Array:
    """What a row of a value weighs: features, what the nodes of both layers say, and a constant."""
    said = np.maximum(numbers @ value.hidden[:-1] + value.hidden[-1], 0)
    more = np.maximum(said @ value.deep[:-1] + value.deep[-1], 0) if value.deep.shape[1] else said[:, :0]
    return np.hstack([numbers, said, more, np.ones((len(numbers), 1))])


def test_a_second_layer_says_what_its_value_says_and_learns_more() -> None:
    """The worth is a product of two features, which few nodes of one layer can only say roughly."""
    numbers = np.random.default_rng(4).integers(0, 9, (6000, 3)).astype(float)
    product, ones = numbers[:, 0] * numbers[:, 1] / 8, np.ones(6000)
    missed = {}
    for deep in (0, 6):
        net = Net(3, 6, 2, 1, deep)
        net.train({1: (numbers, product, ones)}, 60)
        missed[deep] = float((net.predict(numbers, 1) - product).std())
        value = net.value(1)
        assert np.allclose(asked(value, numbers) @ value.rows[1], net.predict(numbers, 1))
        assert np.allclose(Net.of(value, 1).predict(numbers, 1), net.predict(numbers, 1))
    assert missed[6] < missed[0] < product.std() / 4


def test_a_wider_net_says_the_same_until_it_is_trained() -> None:
    numbers = np.random.default_rng(4).integers(0, 9, (500, 3)).astype(float)
    for nodes, deep in ((0, 0), (4, 0), (4, 3)):
        net = Net(3, nodes, 2, 1, deep)
        net.train({1: (numbers, numbers[:, 0] * numbers[:, 1], np.ones(500))}, 5)
        before = net.predict(numbers, 1)
        net.widen(6, 5, numbers[:100])
        assert np.allclose(net.predict(numbers, 1), before)
        assert net.value(1).hidden.shape == (4, 6) and net.value(1).deep.shape == (7, 5)
        net.train({1: (numbers, numbers[:, 0] * numbers[:, 1], np.ones(500))}, 5)
        assert not np.allclose(net.predict(numbers, 1), before)


def test_the_slopes_of_a_net_are_how_its_misses_change() -> None:
    """Each slope is compared with what a small change of one weight does to the squared misses."""
    generator = np.random.default_rng(6)
    net = Net(3, 4, 3, 2, 5)
    for part in net._parts():
        part += generator.normal(size=part.shape) / 2
    batch = {
        turn: (generator.normal(size=(7, 3)), generator.normal(size=7), generator.random(7) + 0.5) for turn in (1, 2)
    }

    def misses() -> float:
        return sum(
            float((weights / 7 * (net.predict(numbers, turn) - targets) ** 2).sum()) / 2
            for turn, (numbers, targets, weights) in batch.items()
        )

    for part, slopes in zip(net._parts(), net._slopes(batch), strict=True):
        for i in np.ndindex(part.shape):
            part[i] += 1e-6
            above = misses()
            part[i] -= 2e-6
            below = misses()
            part[i] += 1e-6
            assert slopes[i] == pytest.approx((above - below) / 2e-6, abs=1e-5)


@pytest.mark.skipif(PURE, reason="learning plays dozens of matches")
def test_learning_repeats_and_goes_on(variant: Variant, tmp_path: Path) -> None:
    practice = Practice(matches=12, rolls=1, nodes=4, deep=3, epochs=2)
    one, two = (Learning(variant, "7", replace(practice, threads=threads)) for threads in (1, 3))
    for _ in range(2):
        assert one.sweep() == two.sweep() > 0
    one.weights("lamplighter train x").save(tmp_path / "one.json")
    found = read_weights(tmp_path / "one.json")
    check_weights(found, variant, "one.json")
    assert found.sweeps == 2 and found.seed == "7" and len(found.hidden[0]) == 4 and len(found.deep[0]) == 3
    assert np.allclose(found.value.hidden, two.weights("").value.hidden, rtol=1e-5)
    again = Learning(variant, found.seed, practice, found)
    again.sweep()
    assert again.sweeps == 3 and again.rows.shape == one.rows.shape


def test_hidden_nodes_are_asked_as_the_net_is(variant: Variant) -> None:
    """What a kernel says of a state is what NumPy says of its features."""
    generator, count = np.random.default_rng(5), weights.count_features(variant)
    value = Value(
        generator.normal(size=(40, count + 6)), generator.normal(size=(count + 1, 3)), generator.normal(size=(4, 2))
    )
    (states, words), numbers, table = new_rows(variant, 1), np.zeros(FEATURES, np.int64), make_table(variant)
    states[0] = random_match(variant, 5, 12).position.state
    PROGRAM.count_features(table, words, numbers)
    left = PROGRAM.stage_of(table, words, 0)
    said = asked(value, numbers[None, :count].astype(float))[0]
    low, high = value.rows[left // 16] @ said, value.rows[left // 16 + 1] @ said
    staged = value._replace(rows=by_stage(value.rows))
    found = PROGRAM.worth_of(table, words, 0, new_desk(variant, staged))
    assert abs(found - low - (high - low) * (left % 16) / 16) < 0.01


def test_rivals_teach_how_the_plans_of_a_turn_differ() -> None:
    """Turns differ by hundreds of points, plans by 2 for each of feature 1 with a turn left, by 4 with two."""
    generator = np.random.default_rng(3)
    numbers = generator.integers(0, 9, (6000, 2)).astype(np.float32)
    turns, stages = np.arange(6000) // 5, np.repeat(generator.choice([16, 24, 32], 1200), 5)
    results = numbers[:, 1] * stages / 8.0 + np.repeat(generator.normal(size=1200) * 100, 5)
    equations = NormalEquations(numbers, 3, level=1e-6)
    equations.add(Tried(numbers, stages, results, turns), 1.0)
    rows = equations.solve(ridge=1e-3, smooth=1e-3)
    assert rows[1:, 1] == pytest.approx([2, 4], abs=0.01) and rows[1:, 0] == pytest.approx([0, 0], abs=0.01)
    assert rows[0].tolist() == [1, 0, 0]
    assert equations.missed(Tried(numbers, stages, results, turns)) < 0.01


@pytest.mark.skipif(PURE, reason="rivals are tried on hundreds of samples")
def test_a_fit_to_rivals_repeats_and_goes_on(variant: Variant, tmp_path: Path) -> None:
    recipe, trial = Recipe(matches=4), Trial(samples=2)
    one, two = Rivalry(variant, "7", recipe, trial), Rivalry(variant, "7", recipe, trial)
    assert one.sweep() == two.sweep() > 0
    assert np.array_equal(one.rows, two.rows) and one.sweeps == 1 and one.mean == two.mean > 0
    assert one.rows[0, 0] == 1 and not one.rows[0, 1:].any(), "at the end the total is all"
    one.weights("lamplighter train x").save(tmp_path / "one.json")
    again = Rivalry(variant, "ignored", recipe, trial, read_weights(tmp_path / "one.json"))
    again.sweep()
    assert again.sweeps == 2 and again.rows.shape == one.rows.shape and not np.allclose(again.rows, one.rows)


def test_a_game_without_features_is_refused() -> None:
    with pytest.raises(LamplighterError, match="no value can be fitted for connect_four"):
        Fit(lamplighter.load("connect_four"), "1")
