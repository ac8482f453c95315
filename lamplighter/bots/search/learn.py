"""How a value is learnt by trying: value iteration on states of self-play, again and again, with hidden nodes or without.

A sweep plays matches with the value of the moment, most of them with mistakes, and takes the states after turns: those that
were chosen, and some to which other good plans would have led, since telling these apart is what a value is for. Then it goes
from the last turn back to the first. Each state is tried on a few next turns, with dice that are spread evenly, each played by
a beam; what the net says of the states that come out is the target, on the average. The net learns the new targets
together with those of earlier sweeps, which count less and less. It knows the last turns well before it needs them for
the turns before. Where a game says that boards have a mirror (`mirror` in its `SEARCH`), each state counts in both forms.

Matches and targets are shared out among threads. Each has a number of its own to draw from, so that any number of threads
learns the same.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.bots.search.fit import MOST_NOTES, Fit, Recipe
from lamplighter.bots.search.net import Net
from lamplighter.bots.search.plan import FEATURES, by_stage, new_beam, new_desk
from lamplighter.bots.search.program import TRAINING, own_habits
from lamplighter.bots.search.room import Beam, Desk, Value
from lamplighter.bots.search.samples import BEST, Manner
from lamplighter.bots.search.weights import Weights, count_features
from lamplighter.engine import chance
from lamplighter.engine.table import new_rows

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

Array = Any
Progress = Callable[[float], None]


@dataclass(frozen=True)
class Practice:
    """How learning goes."""

    matches: int = 1000  # a sweep
    width: int = 2  # of the beam inside a turn
    rolls: int = 4  # next turns that are played from a state
    rivals: int = 3  # states of other plans, for each turn of a match
    plans: int = 24  # that they are chosen from
    plain: float = 0.3  # the share of the matches without mistakes
    few: float = 0.35  # the share with fewer mistakes, and the wider beam
    noise: float = 2.0  # in points, at the most: how far states are mistaken
    memory: float = 0.9  # how much the targets of a sweep count in the next one
    sweeps: int = 20  # that are remembered
    epochs: int = 3  # how often the net learns all that is remembered, for each turn of a sweep
    first_epochs: int = 8  # the same in the first sweep
    nodes: int = 32
    deep: int = 0  # nodes of a second layer
    threads: int = 1


class Place:
    """What one thread plays with."""

    def __init__(self, variant: Variant, practice: Practice, value: Value | None) -> None:
        self.beams: dict[int, Beam] = {
            width: new_beam(variant, width, practice.plans, 13) for width in {1, practice.width}
        }
        self.desk: Desk = new_desk(variant, None if value is None else value._replace(rows=by_stage(value.rows)))
        self.roots = new_rows(variant, 1)[1]
        self.world, self.worlds = new_rows(variant, 1)
        self.states, self.whose = new_rows(variant, MOST_NOTES)[1], np.zeros(MOST_NOTES, np.int64)
        self.results = np.zeros((1, practice.rolls))


def mirrored(variant: Variant) -> list[int]:
    """Return where each feature is found when a board is seen in a mirror, as the game says; nothing if it does not."""
    pairs = own_habits(variant.game).get("mirror", lambda variant: ())(variant)
    places = list(range(count_features(variant))) if pairs else []
    for one, two in pairs:
        places[one], places[two] = two, one
    return places


class Learning(Fit):
    """Learning in progress."""

    def __init__(self, variant: Variant, seed: str, practice: Practice, before: Weights | None = None) -> None:
        super().__init__(variant, seed, Recipe(matches=practice.matches, width=practice.width), before)
        self.practice = practice
        self._learnt: dict[int, list[tuple[Array, Array]]] = {}
        self._net = None if before is None else Net.of(before.value, before.sweeps)
        self._value = None if before is None else before.value
        self._mirror = mirrored(variant)

    # --- self-play --------------------------------------------------------------------------------------------

    def _share(self, count: int, work: Callable[[Place, int], None], progress: Progress) -> None:
        """Do a piece of work for each number below `count`, on all threads."""
        threads = max(self.practice.threads, 1)

        def some(first: int) -> None:
            place = Place(self.variant, self.practice, self._value)
            for number in range(first, count, threads):
                work(place, number)
                if first == 0 and number % (20 * threads) == 0:
                    progress(number / count)

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(some, range(threads)))

    def _collect(self, progress: Progress) -> dict[int, tuple[Array, Array, Array]]:
        """Play matches. Return states after turns, whose they are, and their features, by the turns that are left."""
        practice, boxes = self.practice, self.variant.boxes
        key = chance.signed(chance.seed_key(f"{self.seed} {self.variant.text} refine {self.sweeps}"))
        generator = np.random.default_rng(abs(key))
        kinds, sizes = generator.random(practice.matches), generator.random(practice.matches)
        found: dict[int, tuple[Array, Array, Array, Array]] = {}  # by the number of the match: threads end in any order
        totals = np.full(practice.matches, np.nan)

        def play(place: Place, number: int) -> None:
            width, noise = practice.width, 0.0
            if kinds[number] >= practice.plain + practice.few:
                width, noise = 1, practice.noise * sizes[number]
            elif kinds[number] >= practice.plain:
                noise = practice.noise / 2 * sizes[number]
            place.worlds[0] = self._start
            n = TRAINING.note_match(
                self.table, place.beams[width], place.worlds, self.variant.seats, key, number, Manner(BEST, width, 0, 0.0, noise),
                practice.plans, practice.rivals, place.states, place.whose, place.desk,
            )  # fmt: skip
            states, whose = place.states[:n].copy(), place.whose[:n].copy()
            numbers, stages = np.zeros((n, FEATURES)), np.zeros(n, np.int64)
            count = TRAINING.note_features(self.table, states, whose, numbers, stages, place.desk)
            found[number] = states, whose, numbers[:, :count].astype(np.float32), stages >> 4
            if noise == 0.0:
                score = self.variant.game.rows.score
                seats = range(self.variant.seats)
                totals[number] = np.mean([score(boxes, place.world, 0, seat, place.desk.lines) for seat in seats])

        self._share(practice.matches, play, lambda part: progress(0.1 * part))
        self.mean = 0.0 if np.isnan(totals).all() else float(np.nanmean(totals))
        states, whose, numbers, turns = (
            np.concatenate(parts) for parts in zip(*(found[i] for i in range(practice.matches)), strict=True)
        )
        groups = {}
        for turn in range(1, len(self.rows) or int(turns.max()) + 1):
            chosen = generator.permutation(np.flatnonzero(turns == turn))
            chosen = chosen[: practice.matches * (1 + practice.rivals)]  # where several seats play there are more
            groups[turn] = states[chosen], whose[chosen], numbers[chosen]
        return groups

    def _targets(self, states: Array, whose: Array, key: int, progress: Progress = lambda part: None) -> Array:
        """Return what each state turns out to be worth after the next turn, on the average."""
        practice = self.practice
        none, zero = np.zeros((1, 1), np.int64), np.zeros(1, np.int64)
        manner = Manner(BEST, practice.width, 1, 0.0, 0.0)
        targets = np.zeros(len(states))

        def look(place: Place, number: int) -> None:
            place.roots[0] = states[number]
            TRAINING.try_plans(
                self.table, place.roots, place.beams[practice.width], place.worlds, int(whose[number]),
                self.variant.seats, none, zero, zero, 0, practice.rolls, 1 << 60, key ^ (number << 20), manner,
                place.results, place.desk,
            )  # fmt: skip
            targets[number] = place.results[0].mean()

        self._share(len(states), look, progress)
        return targets

    # --- regression -------------------------------------------------------------------------------------------

    def sweep(self, progress: Progress = lambda part: None) -> float:
        """Play, and learn what all turns are worth once. Return by how much the new targets are missed, in points."""
        practice = self.practice
        groups = self._collect(progress)
        key = chance.signed(chance.seed_key(f"{self.seed} {self.variant.text} learn {self.sweeps}"))
        if self._net is None:
            self._net = Net(groups[1][2].shape[1], practice.nodes, len(groups) + 1, abs(key), practice.deep)
        elif not self._learnt:
            self._net.widen(practice.nodes, practice.deep, groups[1][2])
        net, missed = self._net, []
        # all turns share their nodes: those that have no targets yet must go on saying what they said
        said = {
            turn: (numbers, net.predict(numbers, turn), np.ones(len(numbers)))
            for turn, (_, _, numbers) in groups.items()
            if self.sweeps and turn not in self._learnt
        }
        for turn, (states, whose, numbers) in groups.items():
            done, share = 0.1 + 0.9 * (turn - 1) / len(groups), 0.8 / len(groups)

            def tell(part: float, done: float = done, share: float = share) -> None:
                progress(done + share * part)

            targets = self._targets(states, whose, key ^ turn, tell)
            known = self._learnt.setdefault(turn, [])
            known.append((numbers, targets))
            if self._mirror:  # a board that is seen in a mirror is worth the same
                known[-1] = np.concatenate([numbers, numbers[:, self._mirror]]), np.tile(targets, 2)
            del known[: -practice.sweeps]
            if len(known) == 1 and self.sweeps == 0:  # a turn more changes less than no weights at all
                net.rows[turn], net.of_nodes[turn] = net.rows[turn - 1], net.of_nodes[turn - 1]
            net.train({**said, **self._lessons()}, practice.epochs if self.sweeps else practice.first_epochs, turn)
            self._value = net.value(max(turn, len(self.rows) - 1))
            self.rows = self._value.rows
            missed.append(float((targets - net.predict(numbers, turn)).std()))
        self.sweeps += 1
        return float(np.mean(missed))

    def _lessons(self) -> dict[int, tuple[Array, Array, Array]]:
        """Return all that is remembered, by the turns that are left."""
        lessons = {}
        for turn, known in self._learnt.items():
            weights = [np.full(len(one[1]), self.practice.memory**age) for age, one in enumerate(reversed(known))]
            numbers, targets = (np.concatenate(parts) for parts in zip(*known, strict=True))
            lessons[turn] = numbers, targets, np.concatenate(weights[::-1])
        return lessons

    def weights(self, command: str) -> Weights:
        """Return what there is so far."""
        if self._value is None:
            return super().weights(command)
        hidden, deep = (
            tuple(map(tuple, part.tolist())) if part.shape[1] else () for part in (self._value.hidden, self._value.deep)
        )
        known = {**vars(super().weights(command)), "features": len(self._value.hidden) - 1}
        return Weights(**{**known, "hidden": hidden, "deep": deep})
