"""A small net beside the weighted sum: hidden nodes see all features, and each number of turns left weighs what they say.

There may be a second layer of nodes, which see what those of the first say. It is trained here with NumPy alone, by Adam
(Kingma and Ba, 2015) on the squared misses of all turns together; then the weights of each turn are solved for once more.
What comes out is a `Value`, as kernels take it.
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
RATE = 0.01  # of the steps, at first; it falls to 0
REHEARSAL = 4  # how many times more often new lessons are learnt than those that are known
WARM_UP = 200  # steps until the rate is reached
DECAY = 0.05  # of the weights of the nodes, in every step
RIDGE = 10.0  # how much the last solution holds on to what Adam has found
MOMENTS = 0.9, 0.999
HIDDEN, SILENCE, DEEP, DEEP_SILENCE, ROWS, OF_NODES, LEVELS = range(7)  # the parts of a net


class Net:
    """A value that can be trained. Inside, features are counted from their mean, in units of their spread."""

    def __init__(self, features: int, nodes: int, turns: int, seed: int, deep: int = 0) -> None:
        self._generator = np.random.default_rng(seed)
        self._mean, self._spread = np.zeros(features), np.ones(features)
        self.hidden = self._generator.normal(size=(features, nodes)) / features**0.5
        self.silence = np.zeros(nodes)
        self.deep = self._generator.normal(size=(nodes, deep)) * (2 / max(nodes, 1)) ** 0.5
        self.deep_silence = np.zeros(deep)
        self.rows, self.levels = np.zeros((turns, features)), np.zeros(turns)
        self.of_nodes = np.zeros((turns, nodes + deep))

    @classmethod
    def of(cls, value: Value, seed: int) -> Net:
        """Return a net that says what a value says."""
        features, nodes = len(value.hidden) - 1, value.hidden.shape[1]
        net = cls(features, nodes, len(value.rows), seed, value.deep.shape[1])
        net.hidden, net.silence = value.hidden[:-1].copy(), value.hidden[-1].copy()
        if value.deep.shape[1]:
            net.deep, net.deep_silence = value.deep[:-1].copy(), value.deep[-1].copy()
        net.rows, net.of_nodes = value.rows[:, :features].copy(), value.rows[:, features:-1].copy()
        net.levels = value.rows[:, -1].copy()
        return net

    def widen(self, nodes: int, deep: int, numbers: Array) -> None:
        """Have at least so many nodes in each layer. The new ones change nothing until the net is trained."""
        self._count_from(numbers)
        old, old_deep = self.hidden.shape[1], self.deep.shape[1]
        new = Net(
            len(self._mean),
            max(nodes, old),
            len(self.rows),
            int(self._generator.integers(1 << 62)),
            max(deep, old_deep),
        )
        new.hidden[:, :old], new.silence[:old] = self.hidden, self.silence
        new.deep[:old, :old_deep], new.deep[old:, :old_deep] = self.deep, 0.0
        new.deep_silence[:old_deep] = self.deep_silence
        first = new.hidden.shape[1]
        new.of_nodes[:, :old] = self.of_nodes[:, :old]
        new.of_nodes[:, first : first + old_deep] = self.of_nodes[:, old:]
        self.hidden, self.silence, self.deep, self.deep_silence = new.hidden, new.silence, new.deep, new.deep_silence
        self.of_nodes = new.of_nodes

    def value(self, turns: int) -> Value:
        """Return the value for up to so many turns left. With none left the first feature, the total, is all."""
        hidden = self.hidden / self._spread[:, None]
        rows = self.rows / self._spread
        whole = np.hstack([rows, self.of_nodes, (self.levels - rows @ self._mean)[:, None]])[: turns + 1]
        whole[0] = 0.0
        whole[0, 0] = 1.0
        first = np.vstack([hidden, self.silence - self._mean @ hidden])
        return Value(whole, first, np.vstack([self.deep, self.deep_silence]))

    def predict(self, numbers: Array, turn: int) -> Array:
        """Return what states with these features and so many turns left are worth."""
        scaled = (numbers - self._mean) / self._spread
        return scaled @ self.rows[turn] + self._ask(scaled)[2] @ self.of_nodes[turn] + self.levels[turn]

    def train(self, lessons: Lessons, epochs: int, new: int = 0) -> None:
        """Learn all lessons, so many times; if the lessons of one turn are new, the others a few times less."""
        self._count_from(np.concatenate([numbers for numbers, _, _ in lessons.values()]))
        scaled = {
            turn: ((numbers - self._mean) / self._spread, targets, weights / weights.mean())
            for turn, (numbers, targets, weights) in lessons.items()
        }
        parts = self._parts()
        first, second = ([np.zeros_like(part) for part in parts] for _ in range(2))
        steps = epochs * max(max(len(targets) for _, targets, _ in scaled.values()) // BATCH, 1)
        orders = {turn: np.zeros(0, np.int64) for turn in scaled}
        sizes = {turn: BATCH if turn == new or new == 0 else BATCH // REHEARSAL for turn in scaled}
        for step in range(1, steps + 1):
            batch = {}
            for turn, lesson in scaled.items():
                while len(orders[turn]) < sizes[turn]:
                    orders[turn] = np.concatenate([orders[turn], self._generator.permutation(len(lesson[1]))])
                chosen, orders[turn] = orders[turn][: sizes[turn]], orders[turn][sizes[turn] :]
                batch[turn] = tuple(part[chosen] for part in lesson)
            rate = RATE * min(1.0, step / WARM_UP) * (1 + np.cos(np.pi * step / steps)) / 2
            for i, (part, slope) in enumerate(zip(parts, self._slopes(batch), strict=True)):
                first[i] += (1 - MOMENTS[0]) * (slope - first[i])
                second[i] += (1 - MOMENTS[1]) * (slope**2 - second[i])
                size = np.sqrt(second[i] / (1 - MOMENTS[1] ** step)) + 1e-7
                decay = DECAY * part if i in (HIDDEN, DEEP, OF_NODES) else 0.0
                part -= rate * (first[i] / (1 - MOMENTS[0] ** step) / size + decay)
        for turn, lesson in scaled.items():
            self._solve(turn, *lesson)

    def _parts(self) -> list[Array]:
        return [self.hidden, self.silence, self.deep, self.deep_silence, self.rows, self.of_nodes, self.levels]

    def _count_from(self, numbers: Array) -> None:
        """Count features from the mean of these, in units of their spread. What the net says stays the same."""
        mean, spread = numbers.mean(axis=0, dtype=float), np.maximum(numbers.std(axis=0, dtype=float), LEAST_SPREAD)
        shift = (mean - self._mean) / self._spread
        self.silence, self.levels = self.silence + shift @ self.hidden, self.levels + self.rows @ shift
        self.hidden, self.rows = self.hidden * (spread / self._spread)[:, None], self.rows * (spread / self._spread)
        self._mean, self._spread = mean, spread

    def _ask(self, scaled: Array) -> tuple[Array, Array, Array]:
        """Return what the nodes of each layer say, and what of it is heard: nothing below 0."""
        first = scaled @ self.hidden + self.silence
        loud = np.maximum(first, 0.0)
        second = loud @ self.deep + self.deep_silence
        return first, second, np.hstack([loud, np.maximum(second, 0.0)])

    def _slopes(self, batch: Lessons) -> list[Array]:
        """Return how the squared misses of some states change with each weight."""
        slopes = [np.zeros_like(part) for part in self._parts()]
        scaled = np.concatenate([numbers for numbers, _, _ in batch.values()])
        first, second, loud = self._ask(scaled)
        back = np.zeros_like(loud)
        at = 0
        for turn, (numbers, targets, weights) in batch.items():
            part = slice(at, at + len(targets))
            at += len(targets)
            missed = numbers @ self.rows[turn] + loud[part] @ self.of_nodes[turn] + self.levels[turn] - targets
            missed *= weights / len(targets)
            back[part] = np.outer(missed, self.of_nodes[turn])
            slopes[ROWS][turn] = numbers.T @ missed
            slopes[OF_NODES][turn] = loud[part].T @ missed
            slopes[LEVELS][turn] = missed.sum()
        nodes = self.hidden.shape[1]
        of_second = back[:, nodes:] * (second > 0)
        of_first = (back[:, :nodes] + of_second @ self.deep.T) * (first > 0)
        slopes[HIDDEN], slopes[SILENCE] = scaled.T @ of_first, of_first.sum(axis=0)
        slopes[DEEP], slopes[DEEP_SILENCE] = loud[:, :nodes].T @ of_second, of_second.sum(axis=0)
        return slopes

    def _solve(self, turn: int, scaled: Array, targets: Array, weights: Array) -> None:
        """Solve for the weights of a turn by ridge regression, with the nodes as they are."""
        inputs = np.hstack([scaled, self._ask(scaled)[2]])
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
