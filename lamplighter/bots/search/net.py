"""A small net beside the weighted sum: hidden nodes see all features, and each number of turns left weighs what they say.

It is trained here with NumPy alone, by Adam (Kingma and Ba, 2015) on the squared misses of all turns together; then the
weights of each turn are solved for once more. What comes out is a `Value`, as kernels take it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lamplighter.bots.search.room import Value

Array = Any
Lessons = dict[
    int, tuple[Array, Array, Array]
]  # by turns left: features, what they should be worth, how much each counts

LEAST_SPREAD = 0.1  # of a feature: one that hardly changes must not get a large weight
BATCH = 128  # states of each turn in one step
RATE = 0.0015  # of the steps, at first; it falls to 0
WARM_UP = 200  # steps until the rate is reached
DECAY = 0.001  # of the weights of the nodes, in every step
RIDGE = 10.0  # how much the last solution holds on to what Adam has found
MOMENTS = 0.9, 0.999


class Net:
    """A value that can be trained. Inside, features are counted from their mean, in units of their spread."""

    def __init__(self, features: int, nodes: int, turns: int, seed: int) -> None:
        self._generator = np.random.default_rng(seed)
        self._mean, self._spread = np.zeros(features), np.ones(features)
        self.hidden = self._generator.normal(size=(features, nodes)) / features**0.5
        self.silence = np.zeros(nodes)
        self.rows, self.of_nodes, self.levels = np.zeros((turns, features)), np.zeros((turns, nodes)), np.zeros(turns)

    @classmethod
    def of(cls, value: Value, seed: int) -> Net:
        """Return a net that says what a value says."""
        features, nodes = len(value.hidden) - 1, value.hidden.shape[1]
        net = cls(features, nodes, len(value.rows), seed)
        net.hidden, net.silence = value.hidden[:-1].copy(), value.hidden[-1].copy()
        net.rows, net.of_nodes = value.rows[:, :features].copy(), value.rows[:, features:-1].copy()
        net.levels = value.rows[:, -1].copy()
        return net

    def value(self, turns: int) -> Value:
        """Return the value for up to so many turns left. With none left the first feature, the total, is all."""
        hidden = self.hidden / self._spread[:, None]
        rows = self.rows / self._spread
        whole = np.hstack([rows, self.of_nodes, (self.levels - rows @ self._mean)[:, None]])[: turns + 1]
        whole[0] = 0.0
        whole[0, 0] = 1.0
        return Value(whole, np.vstack([hidden, self.silence - self._mean @ hidden]))

    def predict(self, numbers: Array, turn: int) -> Array:
        """Return what states with these features and so many turns left are worth."""
        scaled = (numbers - self._mean) / self._spread
        said = np.maximum(scaled @ self.hidden + self.silence, 0.0)
        return scaled @ self.rows[turn] + said @ self.of_nodes[turn] + self.levels[turn]

    def train(self, lessons: Lessons, epochs: int) -> None:
        """Learn all lessons, so many times."""
        everything = np.concatenate([numbers for numbers, _, _ in lessons.values()])
        self._rescale(everything.mean(axis=0), np.maximum(everything.std(axis=0), LEAST_SPREAD))
        scaled = {
            turn: ((numbers - self._mean) / self._spread, targets, weights / weights.mean())
            for turn, (numbers, targets, weights) in lessons.items()
        }
        parts = [self.hidden, self.silence, self.rows, self.of_nodes, self.levels]
        first, second = ([np.zeros_like(part) for part in parts] for _ in range(2))
        steps = epochs * max(max(len(targets) for _, targets, _ in scaled.values()) // BATCH, 1)
        orders = {turn: np.zeros(0, np.int64) for turn in scaled}
        for step in range(1, steps + 1):
            slopes = [np.zeros_like(part) for part in parts]
            for turn, lesson in scaled.items():
                while len(orders[turn]) < BATCH:
                    orders[turn] = np.concatenate([orders[turn], self._generator.permutation(len(lesson[1]))])
                chosen, orders[turn] = orders[turn][:BATCH], orders[turn][BATCH:]
                self._add_slopes(slopes, turn, *(part[chosen] for part in lesson))
            rate = RATE * min(1.0, step / WARM_UP) * (1 + np.cos(np.pi * step / steps)) / 2
            for i, part in enumerate(parts):
                first[i] += (1 - MOMENTS[0]) * (slopes[i] - first[i])
                second[i] += (1 - MOMENTS[1]) * (slopes[i] ** 2 - second[i])
                size = np.sqrt(second[i] / (1 - MOMENTS[1] ** step)) + 1e-7
                part -= rate * (first[i] / (1 - MOMENTS[0] ** step) / size + (DECAY * part if i in (0, 3) else 0.0))
        for turn, lesson in scaled.items():
            self._solve(turn, *lesson)

    def _rescale(self, mean: Array, spread: Array) -> None:
        """Count features from another mean, in other units. What the net says stays the same."""
        shift = (mean - self._mean) / self._spread
        self.silence, self.levels = self.silence + shift @ self.hidden, self.levels + self.rows @ shift
        self.hidden, self.rows = self.hidden * (spread / self._spread)[:, None], self.rows * (spread / self._spread)
        self._mean, self._spread = mean, spread

    def _add_slopes(self, slopes: list[Array], turn: int, scaled: Array, targets: Array, weights: Array) -> None:
        """Add how the squared misses of some states change with each weight."""
        said = scaled @ self.hidden + self.silence
        loud = np.maximum(said, 0.0)
        missed = scaled @ self.rows[turn] + loud @ self.of_nodes[turn] + self.levels[turn] - targets
        missed *= weights / len(targets)
        back = np.outer(missed, self.of_nodes[turn]) * (said > 0)
        slopes[0] += scaled.T @ back
        slopes[1] += back.sum(axis=0)
        slopes[2][turn] += scaled.T @ missed
        slopes[3][turn] += loud.T @ missed
        slopes[4][turn] += missed.sum()

    def _solve(self, turn: int, scaled: Array, targets: Array, weights: Array) -> None:
        """Solve for the weights of a turn by ridge regression, with the nodes as they are."""
        inputs = np.hstack([scaled, np.maximum(scaled @ self.hidden + self.silence, 0.0)])
        total = weights.sum()
        mean, level = weights @ inputs / total, weights @ targets / total
        inputs = inputs - mean
        weighted = (inputs * weights[:, None]).T
        near = np.concatenate([self.rows[turn], self.of_nodes[turn]])
        found = near + np.linalg.solve(
            weighted @ inputs + RIDGE * np.eye(len(near)), weighted @ (targets - level - inputs @ near)
        )
        self.rows[turn], self.of_nodes[turn] = np.split(found, [self.rows.shape[1]])
        self.levels[turn] = level - found @ mean
