"""How a value is fitted to rivals: plans that compete for a turn, all tried on the same samples.

`fit` and `learn` find out what states are worth. What a choice needs to know is how the plans of one turn
differ, which is far less than how states of different matches do. So at some turns of a match the best plans, and a few others,
are played to the end on the same dice, all seats playing as well as the weights of the moment allow. The weights are then fitted
to how the results of a turn differ; how high they are counts a little, for states that are over and have points instead.

Each sweep tries what the weights of the sweep before play. The first one plays by the game's `evaluate`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.bots import Budget
from lamplighter.bots.search.fit import LEAST_SPREAD, Fit, Recipe
from lamplighter.bots.search.plan import FEATURES, Habits, Plan, Search, by_stage
from lamplighter.bots.search.program import TRAINING, own_habits
from lamplighter.bots.search.room import Value
from lamplighter.bots.search.weights import Weights
from lamplighter.engine import chance
from lamplighter.engine.table import new_rows
from lamplighter.errors import LamplighterError

if TYPE_CHECKING:
    from lamplighter.engine.match import Match
    from lamplighter.engine.variant import Variant

Array = Any


@dataclass(frozen=True)
class Trial:
    """How rivals are tried."""

    samples: int = 32  # of each plan
    share: float = 0.3  # of the turns
    plans: int = 10  # the best by worth
    others: int = 3  # beside them, by chance, of
    tail: int = 12  # the next ones
    swerve: float = 0.25  # how often a match goes on with any good plan instead of the best
    level: float = 0.1  # how much the height of results counts beside their differences
    ridge: float = 0.1  # how much weights are held near 0, on features of equal spread
    smooth: float = 0.3  # and near those of the next row
    memory: float = 0.25  # how much the plans of a sweep count in the next one
    sweeps: int = 3  # that are remembered


@dataclass
class Tried:
    """Plans that were tried: their features, stages and results, and the turn each was for."""

    numbers: Array
    stages: Array
    results: Array
    turns: Array


class Rivalry(Fit):
    """A fit to rivals in progress."""

    def __init__(
        self, variant: Variant, seed: str, recipe: Recipe, trial: Trial, before: Weights | None = None
    ) -> None:
        super().__init__(variant, seed, recipe, before)
        self.trial = trial
        self._memory: list[Tried] = []
        own = own_habits(variant.game)
        known = {field.name for field in fields(Habits)}
        given = {name: value for name, value in {**own, **own.get("expert", {})}.items() if name in known}
        self._habits = replace(Habits(), **{**given, "rivals": 0.0, "turns": 0, "candidates": trial.plans + trial.tail})

    # --- matches ----------------------------------------------------------------------------------------------

    def _try_rivals(self, progress: Callable[[float], None]) -> Tried:
        """Play matches. Return what was tried at some of their turns."""
        word = f"{self.seed} {self.variant.text} rivals {self.sweeps}"
        generator = np.random.default_rng(abs(chance.signed(chance.seed_key(word))))
        value = Value(by_stage(self.rows), np.zeros((1, 0))) if len(self.rows) else None
        search = Search(self.variant, self._habits, value)
        found: list[tuple[Array, Array, Array]] = []
        totals = []
        for number in range(self.recipe.matches):
            match = self.variant.match(seed=f"{word} {number}")
            match.roll()
            while match.waiting:
                self._play_turn(match, search, generator, found)
                match.roll()
            totals.append(float(match.position.results()["total"].mean()))
            progress(number / self.recipe.matches)
        if not found:
            raise LamplighterError("no turn had several plans to try: play more matches")
        self.mean = float(np.mean(totals))
        numbers, stages, results = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return Tried(numbers, stages, results, np.repeat(np.arange(len(found)), [len(one[1]) for one in found]))

    def _play_turn(self, match: Match, search: Search, generator: Any, found: list[tuple[Array, Array, Array]]) -> None:
        """Choose a plan for the first seat that is waiting, and play it. If rivals are tried, note them."""
        trial, seat, state = self.trial, match.waiting[0], match.position.state
        tries = generator.random() < trial.share
        wanted = trial.plans + trial.tail if tries else 4
        plans = search.plans(state, seat, Budget(), generator.integers(0, 1 << 32, 4), wanted)
        best = 0
        if tries and len(plans) > 2:
            tail = plans[trial.plans :]
            chosen = generator.choice(len(tail), min(trial.others, len(tail)), replace=False)
            plans = plans[: trial.plans] + [tail[i] for i in chosen]
            results = search.try_all(plans, seat, trial.samples, int(generator.integers(0, 1 << 62))).mean(axis=1)
            numbers, stages, over = self._look_at(plans, seat, state)
            if (~over).sum() > 1:
                found.append((numbers[~over], stages[~over], results[~over]))
            best = int(np.argmax(results))
        if generator.random() < trial.swerve:
            best = int(generator.integers(0, min(len(plans), 5)))
        for action in plans[best].actions:
            match.play(match.position.format_move(seat, action), seat)

    def _look_at(self, plans: list[Plan], seat: int, state: Any) -> tuple[Array, Array, Array]:
        """Return features and stages of the states after plans, and whether the match is over there."""
        states, over = new_rows(self.variant, len(plans))[1], np.zeros(len(plans), bool)
        rows, boxes = self.variant.game.rows, self.variant.boxes
        for i, plan in enumerate(plans):
            self._world[0] = state
            for action in plan.actions:
                rows.apply(boxes, self._world, 0, seat, action)
            states[i], over[i] = self._worlds[0], rows.is_over(boxes, self._world, 0)
        numbers, stages = np.zeros((len(plans), FEATURES)), np.zeros(len(plans), np.int64)
        whose = np.full(len(plans), seat, np.int64)
        count = TRAINING.note_features(self.table, states, whose, numbers, stages, self._desk)
        return numbers[:, :count].astype(np.float32), stages, over

    # --- regression -------------------------------------------------------------------------------------------

    def sweep(self, progress: Callable[[float], None] = lambda part: None) -> float:
        """Play, and fit all rows once. Return by how much they miss the differences of rivals, in points."""
        trial = self.trial
        self._memory = [*self._memory, self._try_rivals(progress)][-trial.sweeps :]
        last = max(int(one.stages.max()) for one in self._memory)
        count = (last + 15 >> 4) + 1
        normal = NormalEquations(self._memory[-1].numbers, count, trial.level)
        for age, tried in enumerate(reversed(self._memory)):
            normal.add(tried, trial.memory**age)
        self.rows = normal.solve(trial.ridge, trial.smooth)
        self.sweeps += 1
        return normal.missed(self._memory[-1])


class NormalEquations:
    """The normal equations of all rows at once. A stage between two rows takes part in both."""

    def __init__(self, numbers: Array, rows: int, level: float) -> None:
        self._mean, self._spread = numbers.mean(axis=0), np.maximum(numbers.std(axis=0), LEAST_SPREAD)
        self._rows, self._width, self._level = rows, numbers.shape[1] + 1, level
        self._products = np.zeros((rows * self._width, rows * self._width))
        self._sums = np.zeros(rows * self._width)
        self._solved = self._sums
        self._base: float | None = None

    def _slices(self, tried: Tried) -> Any:
        """Yield some turns after the other: their equations and results, each less the mean of its turn, and that mean."""
        bounds = np.searchsorted(tried.turns, np.arange(0, int(tried.turns[-1]) + 2, 100))
        for first, last in zip(bounds, [*bounds[1:], len(tried.turns)], strict=True):
            if first == last:
                continue
            numbers = np.ones((last - first, self._width))
            numbers[:, :-1] = (tried.numbers[first:last] - self._mean) / self._spread
            row = np.minimum(tried.stages[first:last] >> 4, self._rows - 1)
            over = np.minimum(row + 1, self._rows - 1)
            part = ((tried.stages[first:last] & 15) / 16.0)[:, None]
            equations = np.zeros((last - first, self._rows, self._width))
            each = np.arange(last - first)
            equations[each, row] += (1 - part) * numbers
            equations[each, over] += part * numbers
            equations = equations.reshape(last - first, -1)
            turns = tried.turns[first:last] - tried.turns[first]
            sizes = np.bincount(turns)
            together = np.zeros((len(sizes), equations.shape[1]))
            np.add.at(together, turns, equations)
            mean = (together / sizes[:, None])[turns]
            results = tried.results[first:last] - self._base
            level = (np.bincount(turns, results) / sizes)[turns]
            yield equations - mean, results - level, mean, level

    def add(self, tried: Tried, weight: float) -> None:
        if self._base is None:
            self._base = float(tried.results.mean())
        share = self._level**0.5
        for apart, results, mean, level in self._slices(tried):
            equations, wanted = apart + share * mean, results + share * level
            self._products += weight * equations.T @ equations
            self._sums += weight * equations.T @ wanted

    def solve(self, ridge: float, smooth: float) -> Array:
        """Return the rows of weights. With no turn left the first feature, the total, is all."""
        width, products = self._width, self._products.copy()
        size = len(products)
        free = np.arange(size) % width == width - 1  # the constants
        held = np.where(free, 1e-6, ridge)
        near = np.where(free, smooth / 20, smooth)[: size - width]
        one = np.arange(size - width)
        products[np.arange(size), np.arange(size)] += held
        products[one, one] += near
        products[one + width, one + width] += near
        products[one, one + width] -= near
        products[one + width, one] -= near
        self._solved = np.linalg.solve(products, self._sums)
        weights = self._solved.reshape(self._rows, width).copy()
        weights[:, :-1] /= self._spread
        weights[:, -1] += (self._base or 0.0) - weights[:, :-1] @ self._mean
        weights[0] = 0.0
        weights[0, 0] = 1.0
        return weights

    def missed(self, tried: Tried) -> float:
        """Return by how much the solution misses how the results of a turn differ, on the average."""
        wrong = [results - apart @ self._solved for apart, results, _, _ in self._slices(tried)]
        return float(np.concatenate(wrong).std())
