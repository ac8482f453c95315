"""How a value is fitted: self-play from many kinds of states, and a regression from the last turn back to the first.

A sweep plays matches. Some begin at the beginning. The others begin in the middle of a match of another *style*: one in which
some features, chosen by chance, were liked or disliked more than they deserve. From there they are played as well as the
weights allow. So the weights come from states of all kinds, not only from those that the bot of the moment likes: else it
would never learn that others are better.

What a state is worth is then, from the last turn to the first, mostly what the new weights say of the state after the seat's
next turn, and a little what came out in the end. Ridge regression holds the weights of a turn near those of the turn after it.

A beam picks the best of thousands of states, and so it finds every state that is taken for better than it is. Two things keep
that small: earlier sweeps count on, so that weights come from many states; and updates are damped, a new row being mixed
with the old one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.bots.search.plan import FEATURES, by_stage, new_beam, new_desk
from lamplighter.bots.search.program import TRAINING, has_features
from lamplighter.bots.search.samples import BEST, Manner
from lamplighter.bots.search.weights import Weights, box_hash, deciding_options
from lamplighter.engine import chance
from lamplighter.engine.table import make_table, new_rows
from lamplighter.errors import LamplighterError

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

Array = Any
RIDGE = 10.0  # how much weights are held near those of the turn after, on features of equal spread
LEAST_SPREAD = 0.05  # of a feature: one that hardly changes must not get a large weight
MOST_NOTES = 256  # states noted in one match


@dataclass(frozen=True)
class Recipe:
    """How a fit goes."""

    matches: int = 600  # a sweep
    width: int = 3  # of the beam
    strange: float = 0.75  # the share of the matches that begin in the middle of others
    starts: int = 2  # in each of those
    features: int = 5  # that a style changes
    change: float = 1.0  # by how many points, where a feature differs by its usual spread
    noise: float = 0.4  # in points, at the most, in matches of a style
    first_noise: float = 2.0  # the same while there are no weights
    trust: float = 0.2  # how much of what came out in the end counts
    memory: float = 0.9  # how much the states of a sweep count in the next one
    sweeps: int = 40  # that are remembered; a fit that is resumed begins without any, which are of weaker play
    damping: float = 0.25  # the least share of the new weights


@dataclass
class Notes:
    """States after turns, match after match: what the regression needs to know of each."""

    numbers: Array  # features
    turns: Array  # that are left
    following: Array  # where the state after the seat's next turn is; -1: none
    totals: Array  # of the seat, in the end


class Fit:
    """A fit in progress."""

    def __init__(
        self, variant: Variant, seed: str, recipe: Recipe | None = None, before: Weights | None = None
    ) -> None:
        self.variant, self.seed, self.recipe = variant, seed, recipe or Recipe()
        if not has_features(variant.game):
            raise LamplighterError(
                f"no value can be fitted for {variant.game.id}: its evaluate.py has no features(box, state, seat, out)"
            )
        self.sweeps = 0
        self.mean = 0.0  # points a seat in the latest matches from the beginning, before they were learnt from
        self.rows: Array = np.zeros((0, 0))
        if before is not None:
            self.sweeps, self.rows, self.seed = before.sweeps, before.value.rows, before.seed
        self.table = make_table(variant)
        self._desk = new_desk(variant, None if before is None else before.value)
        self._known: list[Notes] = []
        self._beams = {width: new_beam(variant, width, 1, 13) for width in {1, self.recipe.width}}
        self._world, self._worlds = new_rows(variant, 1)
        self._world[0] = variant.start().state
        self._start = self._worlds[0].copy()  # states are rows of words here
        self._states, self._whose = new_rows(variant, MOST_NOTES)[1], np.zeros(MOST_NOTES, np.int64)

    # --- self-play --------------------------------------------------------------------------------------------

    def _play(self, start: Any, rows: Array, key: int, number: int, width: int, noise: float) -> tuple[Array, Array]:
        """Play from a state to the end. Return the states after turns, and whose turns they were."""
        self._worlds[0] = start
        n = TRAINING.note_match(
            self.table, self._beams[width], self._worlds, self.variant.seats, key, number,
            Manner(BEST, width, 0, 0.0, noise), 1, 0, self._states, self._whose, self._desk._replace(value=by_stage(rows)),
        )  # fmt: skip
        return self._states[:n].copy(), self._whose[:n].copy()

    def _note(self, states: Array, whose: Array) -> Notes:
        """Return what is known of the states of a match that has just been played to its end."""
        numbers, stages = np.zeros((len(states), FEATURES)), np.zeros(len(states), np.int64)
        count = TRAINING.note_features(self.table, states, whose, numbers, stages, self._desk)
        following, latest = np.full(len(states), -1), dict[int, int]()
        for i in range(len(states) - 1, -1, -1):
            following[i] = latest.get(int(whose[i]), -1)
            latest[int(whose[i])] = i
        score = self.variant.game.rows.score
        totals = np.array([score(self.variant.boxes, self._world, 0, int(seat), self._desk.lines) for seat in whose])
        return Notes(numbers[:, :count].astype(np.float32), stages >> 4, following, totals)

    def _self_play(self, progress: Callable[[float], None]) -> Notes:
        recipe = self.recipe
        key = chance.signed(chance.seed_key(f"{self.seed} {self.variant.text} {self.sweeps}"))
        generator = np.random.default_rng(abs(key))
        found: list[Notes] = []
        plain: list[float] = []
        for number in range(recipe.matches):
            starts = [(self._start, -1)]
            if generator.random() < recipe.strange:
                noise = recipe.noise if len(self.rows) else recipe.first_noise
                states, whose = self._play(
                    self._start, self._style(generator), key, number, 1, noise * generator.random()
                )
                chosen = generator.choice(len(states), min(recipe.starts, len(states)), replace=False)
                starts = [(states[i], int(whose[i])) for i in chosen]
            for i, (state, seat) in enumerate(starts):
                states, whose = self._play(state, self.rows, key ^ (i + 1), number, recipe.width, 0.0)
                if seat >= 0:
                    states, whose = np.concatenate([state[None], states]), np.concatenate([[seat], whose])
                found.append(self._note(states, whose))
                if seat < 0:
                    plain.append(float(found[-1].totals.mean()))
            if number % 20 == 0:
                progress(number / recipe.matches)
        self.mean = float(np.mean(plain)) if plain else 0.0
        return _join(found)

    def _style(self, generator: Any) -> Array:
        """Return the weights in some style; as they are while nothing is known of the features."""
        if not len(self.rows) or not self._known:
            return self.rows
        return self._in_style(self.rows, np.maximum(self._known[-1].numbers.std(axis=0), 0.2), generator)

    def _in_style(self, rows: Array, spread: Array, generator: Any) -> Array:
        """Return weights with some features liked or disliked more than they deserve."""
        changed: Array = rows.copy()
        chosen = generator.choice(len(spread), min(self.recipe.features, len(spread)), replace=False)
        changed[1:, chosen] += generator.normal(size=len(chosen)) * self.recipe.change / spread[chosen]
        return changed

    # --- regression -------------------------------------------------------------------------------------------

    def sweep(self, progress: Callable[[float], None] = lambda part: None) -> float:
        """Play, and fit all rows once. Return by how much the new rows miss their targets, in points."""
        recipe, old = self.recipe, self.rows
        self._known = [*self._known, self._self_play(progress)][-recipe.sweeps :]
        ages = range(len(self._known) - 1, -1, -1)
        weights = np.concatenate(
            [np.full(len(one.turns), recipe.memory**age) for one, age in zip(self._known, ages, strict=True)]
        )
        rows, missed = fit_rows(_join(self._known), weights, recipe.trust)
        share = max(recipe.damping, 1.0 / (1 + self.sweeps))
        same = min(len(old), len(rows))
        if same:
            rows[1:same] += (1 - share) * (old[1:same] - rows[1:same])
        self.rows = rows
        self.sweeps += 1
        return missed

    def weights(self, command: str) -> Weights:
        """Return what there is so far."""
        return Weights(
            self.variant.game.id, self.variant.game.rules_version, deciding_options(self.variant), box_hash(self.variant),
            self.rows.shape[1] - 1, self.sweeps, self.seed, command, tuple(map(tuple, self.rows.tolist())),
        )  # fmt: skip


def _join(notes: list[Notes]) -> Notes:
    """Return several notes as one."""
    before = np.cumsum([0, *(len(one.turns) for one in notes[:-1])])
    following = [np.where(one.following >= 0, one.following + at, -1) for one, at in zip(notes, before, strict=True)]
    numbers, turns, totals = ([getattr(one, name) for one in notes] for name in ("numbers", "turns", "totals"))
    return Notes(*(np.concatenate(parts) for parts in (numbers, turns, following, totals)))


def fit_rows(notes: Notes, weights: Array, trust: float) -> tuple[Array, float]:
    """Return weights for every number of turns left, and by how much they miss their targets on the average."""
    count, last = notes.numbers.shape[1], int(notes.turns.max())
    rows = np.zeros((last + 1, count + 1))
    rows[0, 0] = 1.0  # with no turn left the first feature, the total, is all
    values, returns = notes.totals.astype(float), notes.totals.astype(float)
    missed = []
    for turn in range(1, last + 1):
        chosen = np.flatnonzero(notes.turns == turn)
        following = notes.following[chosen]
        earlier = (following >= 0) & (notes.turns[following] < turn)
        targets = np.where(earlier, (1 - trust) * values[following] + trust * returns[following], notes.totals[chosen])
        numbers = notes.numbers[chosen].astype(float)
        rows[turn] = (
            rows[turn - 1] if len(chosen) < 2 * count else ridge(numbers, targets, weights[chosen], rows[turn - 1])
        )
        values[chosen], returns[chosen] = numbers @ rows[turn, :-1] + rows[turn, -1], targets
        if len(chosen):
            missed.append(float((targets - values[chosen]).std()))
    return rows, float(np.mean(missed)) if missed else 0.0


def ridge(numbers: Array, targets: Array, weights: Array, near: Array) -> Array:
    """Return weights and a constant that fit the targets, held near others."""
    total = weights.sum()
    mean, level = weights @ numbers / total, weights @ targets / total
    apart = numbers - mean
    weighted = apart * weights[:, None]
    products = weighted.T @ apart
    spread = np.maximum(np.sqrt(np.diag(products) / total), LEAST_SPREAD)
    left = weighted.T @ (targets - level - apart @ near[:-1])
    found = (
        near[:-1]
        + np.linalg.solve(products / np.outer(spread, spread) + RIDGE * np.eye(len(mean)), left / spread) / spread
    )
    return np.append(found, level - found @ mean)
