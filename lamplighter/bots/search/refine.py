"""How a fitted value is refined: value iteration, from the last turn back to the first.

A fit (`fit`) learns from the one state that followed another in self-play. A refinement asks the dice: from each state the
next turn is played a few times as well as it can be, with dice that are spread evenly, and what the rows of the turn after say
of the states that come out is the target. So a row learns what the best of many states turns out to be worth.

The states are of matches with mistakes of many sizes and in many styles: where the bot of the moment does not get to by itself
is just where it must know better.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.bots.search.fit import Fit, Recipe, ridge
from lamplighter.bots.search.kernels import BEST, Manner
from lamplighter.bots.search.plan import FEATURES, by_stage
from lamplighter.bots.search.weights import Weights
from lamplighter.engine import chance

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

Array = Any


@dataclass(frozen=True)
class Drill:
    """How a refinement goes."""

    rolls: int = 4  # next turns that are played from a state
    plain: float = 0.2  # the share of the matches without mistakes; of the others every second one has a style
    noise: float = 2.0  # in points, at the most, where there is no style
    new: float = 0.5  # how much of a new row counts beside the old one
    memory: float = 0.6  # how much the targets of a sweep count in the next one
    sweeps: int = 3  # that are remembered


class Refinement(Fit):
    """A refinement in progress."""

    def __init__(self, variant: Variant, seed: str, recipe: Recipe, drill: Drill, before: Weights | None) -> None:
        super().__init__(variant, seed, recipe, before)
        self.drill = drill
        self._learnt: dict[int, list[tuple[Array, Array]]] = {}
        self._spread: Array = np.ones(max(self.rows.shape[1] - 1, 0))
        self._roots, self._room = np.zeros(1, variant.game.state.STATE), np.zeros((1, drill.rolls))

    def _strange(self, generator: Any) -> tuple[Array, float, int]:
        """Return how a match is played: its weights, its noise, and the width of the beam."""
        kind = generator.random()
        if kind < self.drill.plain:
            return self.rows, 0.0, self.recipe.width
        if kind < (1 + self.drill.plain) / 2:
            return self.rows, self.drill.noise * generator.random(), 1
        return self._in_style(self.rows, self._spread, generator), self.recipe.noise * generator.random(), 1

    def _collect(self, progress: Callable[[float], None]) -> dict[int, tuple[Array, Array, Array]]:
        """Play matches. Return states after turns, whose they are, and their features, by the turns that are left."""
        key = chance.signed(chance.seed_key(f"{self.seed} {self.variant.text} refine {self.sweeps}"))
        generator = np.random.default_rng(abs(key))
        found, plain = [], []
        for number in range(self.recipe.matches):
            rows, noise, width = self._strange(generator)
            states, whose = self._play(self._start, rows, key, number, width, noise)
            numbers, stages = np.zeros((len(states), FEATURES)), np.zeros(len(states), np.int64)
            count = self.kernels.note_features(self.variant.boxes, states, whose, numbers, stages, self._desk)
            found.append((states, whose, numbers[:, :count], stages >> 4))
            if noise == 0.0:
                plain.append(float(numbers[-1, 0]))
            if number % 20 == 0:
                progress(0.2 * number / self.recipe.matches)
        self.mean = float(np.mean(plain)) if plain else 0.0
        states, whose, numbers, turns = (np.concatenate(parts) for parts in zip(*found, strict=True))
        self._spread = np.maximum(numbers.std(axis=0), 0.2)
        groups = {}
        for turn in range(1, len(self.rows) or int(turns.max()) + 1):
            chosen = generator.permutation(np.flatnonzero(turns == turn))
            chosen = chosen[: self.recipe.matches]  # where several seats play there are more
            groups[turn] = states[chosen], whose[chosen], numbers[chosen]
        return groups

    def _targets(self, states: Array, whose: Array, key: int) -> Array:
        """Return what each state turns out to be worth after the next turn, on the average."""
        none, zero = np.zeros((1, 1), np.int64), np.zeros(1, np.int64)
        manner, desk = Manner(BEST, self.recipe.width, 1, 0.0, 0.0), self._desk._replace(value=by_stage(self.rows))
        targets = np.zeros(len(states))
        for i, (state, seat) in enumerate(zip(states, whose, strict=True)):
            self._roots[0] = state
            self.kernels.try_plans(
                self.variant.boxes, self._roots, self._beams[self.recipe.width], self._world, int(seat),
                self.variant.seats, none, zero, zero, 0, self.drill.rolls, 1 << 60, key ^ (i << 20), manner, self._room,
                desk,
            )  # fmt: skip
            targets[i] = self._room[0].mean()
        return targets

    def sweep(self, progress: Callable[[float], None] = lambda part: None) -> float:
        drill = self.drill
        groups = self._collect(progress)
        key = chance.signed(chance.seed_key(f"{self.seed} {self.variant.text} rolls {self.sweeps}"))
        missed = []
        for turn, (states, whose, numbers) in groups.items():
            if len(states) < 2 * numbers.shape[1]:
                continue
            targets = self._targets(states, whose, key ^ turn)
            known = self._learnt.setdefault(turn, [])
            known.append((numbers, targets))
            del known[: -drill.sweeps]
            weights = [np.full(len(one[1]), drill.memory**age) for age, one in enumerate(reversed(known))]
            numbers_of_all, targets_of_all = (np.concatenate(parts) for parts in zip(*known, strict=True))
            row = ridge(numbers_of_all, targets_of_all, np.concatenate(weights[::-1]), self.rows[turn])
            missed.append(float((targets - numbers @ row[:-1] - row[-1]).std()))
            self.rows[turn] += drill.new * (row - self.rows[turn])
            progress(0.2 + 0.8 * turn / len(groups))
        self.sweeps += 1
        return float(np.mean(missed)) if missed else 0.0
