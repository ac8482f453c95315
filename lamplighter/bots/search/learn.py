"""How a value with hidden nodes is learnt: value iteration on states of self-play, again and again.

A sweep plays matches with the value of the moment, most of them with mistakes, and takes the states after turns. Then it goes
from the last turn back to the first. Each state is tried on a few next turns, with dice that are spread evenly, each played by
a beam; what the net says of the states that come out is the target, on the average. The net learns the new targets
together with those of earlier sweeps, which count less and less. It knows the last turns well before it needs them for
the turns before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.bots.search.fit import Recipe
from lamplighter.bots.search.net import Net
from lamplighter.bots.search.plan import new_desk
from lamplighter.bots.search.refine import Drill, Refinement
from lamplighter.bots.search.weights import Weights
from lamplighter.engine import chance

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

Array = Any


@dataclass(frozen=True)
class Practice(Drill):
    """How learning goes."""

    plain: float = 0.3  # the share of the matches without mistakes
    few: float = 0.35  # the share with fewer mistakes, and the wider beam
    memory: float = 0.9
    sweeps: int = 20
    epochs: int = 3  # how often the net learns all that is remembered, for each turn of a sweep
    first_epochs: int = 8  # the same in the first sweep
    nodes: int = 32


class Learning(Refinement):
    """Learning in progress."""

    drill: Practice

    def __init__(
        self, variant: Variant, seed: str, recipe: Recipe, practice: Practice, before: Weights | None = None
    ) -> None:
        super().__init__(variant, seed, recipe, practice, before)
        self._hidden: Array = np.zeros((0, 0)) if before is None else before.value.hidden
        self._net = None if before is None else Net.of(before.value, before.sweeps)

    def _strange(self, generator: Any) -> tuple[Array, float, int]:
        kind = generator.random()
        if kind < self.drill.plain and len(self.rows):
            return self.rows, 0.0, self.recipe.width
        if kind < self.drill.plain + self.drill.few:
            return self.rows, self.drill.noise / 2 * generator.random(), self.recipe.width
        return self.rows, self.drill.noise * generator.random(), 1

    def sweep(self, progress: Callable[[float], None] = lambda part: None) -> float:
        groups = self._collect(progress)
        key = chance.signed(chance.seed_key(f"{self.seed} {self.variant.text} learn {self.sweeps}"))
        if self._net is None:
            self._net = Net(groups[1][2].shape[1], self.drill.nodes, len(groups) + 1, abs(key))
        missed = []
        for turn, (states, whose, numbers) in groups.items():
            targets = self._targets(states, whose, key ^ turn)
            known = self._learnt.setdefault(turn, [])
            known.append((numbers, targets))
            del known[: -self.drill.sweeps]
            if len(known) == 1 and self.sweeps == 0:  # a turn more changes less than no weights at all
                self._net.rows[turn], self._net.of_nodes[turn] = self._net.rows[turn - 1], self._net.of_nodes[turn - 1]
            self._net.train(self._lessons(), self.drill.epochs if self.sweeps else self.drill.first_epochs)
            self._use(max(turn, len(self.rows) - 1))
            missed.append(float((targets - self._net.predict(numbers, turn)).std()))
            progress(0.2 + 0.8 * turn / len(groups))
        self.sweeps += 1
        return float(np.mean(missed))

    def _lessons(self) -> dict[int, tuple[Array, Array, Array]]:
        """Return all that is remembered, by the turns that are left."""
        lessons = {}
        for turn, known in self._learnt.items():
            weights = [np.full(len(one[1]), self.drill.memory**age) for age, one in enumerate(reversed(known))]
            numbers, targets = (np.concatenate(parts) for parts in zip(*known, strict=True))
            lessons[turn] = numbers, targets, np.concatenate(weights[::-1])
        return lessons

    def _use(self, turns: int) -> None:
        """Play with what the net knows, for up to so many turns left."""
        assert self._net is not None
        value = self._net.value(turns)
        self.rows, self._hidden = value
        self._desk = new_desk(self.variant, value)

    def weights(self, command: str) -> Weights:
        """Return what there is so far."""
        return Weights(
            **{
                **vars(super().weights(command)),
                "features": len(self._hidden) - 1,
                "hidden": tuple(map(tuple, self._hidden.tolist())),
            }
        )
