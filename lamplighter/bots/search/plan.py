"""How a search goes: candidates from a beam, samples of what follows, halving, and the gate.

1. A beam finds plans for the turn. Equal states are tried once; what a game calls alike counts as one.
2. The best plans by worth are the candidates. If the match ends with them, the best one is played.
3. Samples are played after all candidates, with the same dice for each: every roll in turn if there are so few that each
   candidate can meet all of them, else rolls that are spread evenly. Then the weaker half is dropped, and so on.
4. The first candidate, which is best without samples, is left only for one that is better by so many standard errors.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.bots import Budget
from lamplighter.bots.search.beam import COUNTS, KEPT, LANES, LONGEST, MOST, ORDER_FREE, TRIES
from lamplighter.bots.search.program import PROGRAM, has_features, own_habits
from lamplighter.bots.search.room import Beam, Desk, Tree, Value
from lamplighter.bots.search.samples import BEST, UNIFORM, Manner
from lamplighter.bots.search.tree import NODES
from lamplighter.engine import chance
from lamplighter.engine.defaults import SCORE_LINES
from lamplighter.engine.table import make_table, new_rows
from lamplighter.errors import LamplighterError

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant

Array = Any
SLICE_SECONDS = 0.01  # a compiled call should not take much longer: then somebody may have stopped the search
FEATURES = 480  # the most that a game may have, with the room that it needs
MOST_SAMPLES = 4096  # of one plan
LEAST_FINALS = 24  # samples that each finalist must be able to get, or there are no finals
MOST_KEPT = 1 << 20  # states of a beam: no limit
MOST_NODES = 1 << 20  # of a tree
DEEPEST = 256  # nodes of a walk down a tree
OFTEN = 64  # visits of a node that make it a part of the plan
# where only the clock counts: the width of a beam that tells how long wider ones take, the share of the time for the beam, and
# the samples, or the share of the time, that tell how many more there is time for
NARROW, BEAM_SHARE, FIRST_SAMPLES, FIRST_SHARE = 4, 0.2, 64, 0.03


@dataclass(frozen=True)
class Habits:
    """How a search goes about a game. A game's `evaluate.SEARCH` changes some of it, a level the rest."""

    beam: int = 8  # states that are kept in each lane of a layer
    last_beam: int = 0  # the same in a seat's last turn, when nothing has to be estimated; 0: as always
    moves: int = 0  # of a plan, at the most; 0: the whole turn
    candidates: int = 12  # plans that samples are played for
    simulations: int = (
        256  # samples in all, where a better sample counts for several; 0: the beam's best plan is played
    )
    gate: float = 1.0  # standard errors by which another plan must be better than the first
    prior: float = 0.0  # how much of what a plan seems worth without samples counts beside them
    policy: str = "best"  # how seats play on in a sample: `best` or `uniform`
    others: str = "best"  # the same for the seats that do not think
    width: int = 1  # of their beam
    turns: int = 0  # that the seat plays on before its worth is estimated; 0: to the end
    fewest: int = 2  # plans that are left in the end
    finalists: int = 0  # plans that are tried in better samples, once no more are left; 0: none
    final_turns: int = 0  # the turns of those samples; 0: to the end
    final_width: int = 1  # and the width of their beam
    rivals: float = 0.25  # how much the points of the best other seat count
    fitted: bool = True  # whether the fitted value is used, if there is one
    unfitted: Mapping[str, Any] = field(default_factory=dict)  # what is otherwise where there is none, by these names
    stops: bool = False  # whether a move that ends the step is tried even if it seems worth less than all candidates
    fewer_later: bool = False  # whether a level plays a half, a third, … of the samples for later moves of a turn
    tree: str = ""  # instead of plans a tree of moves: of the seat's `own`, or of `all` seats
    explore: float = 1.0  # of a tree: how much what was seldom tried is tried again, over how far results differ
    widening: float = 0.0  # of a tree: children of a node, over the root of its visits; 0: all moves are tried
    timed: bool = False  # as many samples as there is time for, by the seconds of the budget


@dataclass(frozen=True)
class Plan:
    """What a seat could do in its turn."""

    actions: tuple[int, ...]
    value: float  # in points
    samples: int = 0


class Search:
    """A search from one state. One thread uses one."""

    def __init__(self, variant: Variant, habits: Habits, value: Value | None = None) -> None:
        if habits.simulations < 0 or habits.beam < 1 or habits.candidates < 1:
            raise LamplighterError(f"a search needs a beam, candidates and no fewer than 0 simulations, not {habits}")
        self.variant, self.habits = variant, habits
        self.table = make_table(variant)
        self.desk = new_desk(variant, value)
        policy, others = (UNIFORM if name == "uniform" else BEST for name in (habits.policy, habits.others))
        self.manner = Manner(policy, habits.width, habits.turns, float(habits.rivals), 0.0, others)
        self.root, self._roots = new_rows(variant, 1)
        self.world, self._worlds = new_rows(variant, 1)
        self._pocket = new_beam(variant, max(habits.width, habits.final_width), 1, 12)  # for turns inside samples
        self.simulations = 0
        self._most = 2000  # of a slice

    # --- candidates -------------------------------------------------------------------------------------------

    def plans(
        self, state: State, seat: int, budget: Budget, stream: Array, wanted: int, widest: int = MOST_KEPT
    ) -> list[Plan]:
        """Return the best plans of a seat by what they seem worth, best first. The beam is no wider than `widest`."""
        habits = self.habits
        self.root[0] = state
        width = min(habits.last_beam if habits.last_beam and self._is_last(seat) else habits.beam, widest)
        if budget.simulations is not None:  # who may try little does not look at much either
            width = min(width, budget.simulations)
        beam = new_beam(self.variant, width, wanted, 13 if width <= 16 else 17)
        beam.states[0] = self._roots[0]
        if habits.moves:
            beam.counts[MOST] = min(habits.moves, LONGEST)
        self.desk.words[4:8] = stream
        PROGRAM.start_plans(self.table, beam, seat)
        layer = 0
        hurried = False
        while True:
            number = 0
            while number >= 0:
                started, before = time.perf_counter(), int(beam.counts[TRIES])
                number = PROGRAM.grow_slice(
                    self.table, beam, seat, layer, number, self._most, 1 if hurried else width, wanted,
                    0.0, self.desk,
                )  # fmt: skip
                self._adapt(int(beam.counts[TRIES]) - before, time.perf_counter() - started)
                if budget.is_spent and not hurried:  # finish what there is with one state a lane
                    hurried = True
                if hurried:
                    break
            if PROGRAM.next_layer(beam, layer) == 0:
                break
            layer = 1 - layer
            if hurried:
                self._narrow(beam, layer)
        stream[:] = self.desk.words[4:8]
        start = 1 + 2 * LANES * int(beam.counts[KEPT])
        slots = range(start, start + int(beam.counts[2 * LANES]))
        found = [
            Plan(tuple(beam.moves[slot, : beam.lengths[slot]].tolist()), float(beam.values[slot])) for slot in slots
        ]
        return sorted(found, key=lambda plan: (-plan.value, plan.actions))

    def look_ahead(self, state: State, seat: int) -> tuple[Array, Array]:
        """Return the legal moves of a seat, and what each seems worth after one move."""
        self.root[0] = state
        values = np.zeros(len(self.desk.actions))
        n = PROGRAM.look_ahead(self.table, self._roots, self._pocket, seat, values, self.desk)
        return self.desk.actions[:n].copy(), values[:n]

    def _is_last(self, seat: int) -> bool:
        """Whether the match, or the seat's part in it, ends with this turn."""
        if not has_features(self.variant.game):
            return False
        return int(PROGRAM.stage_of(self.table, self._roots, seat)) <= 16

    @staticmethod
    def _narrow(beam: Beam, layer: int) -> None:
        """Leave only the best state of each lane: there is no time for more."""
        kept = int(beam.counts[KEPT])
        for which in range(layer * LANES, (layer + 1) * LANES):
            count, start = int(beam.counts[which]), 1 + which * kept
            if count > 1:
                best = start + int(np.argmax(beam.values[start : start + count]))
                for array in (beam.states, beam.values, beam.groups, beam.keys, beam.lengths, beam.moves):
                    array[start] = array[best]
                beam.counts[which] = 1

    def _adapt(self, tried: int, seconds: float) -> None:
        """Make slices as long as they should be. That changes nothing but when the budget is looked at."""
        if tried > 0 and seconds > 0:
            self._most = int(min(max(tried * SLICE_SECONDS / seconds, 50), 4 * self._most, 1_000_000))

    # --- samples ----------------------------------------------------------------------------------------------

    def choose(
        self, state: State, seat: int, budget: Budget, stream: Array, stops: Sequence[int] = ()
    ) -> list[Plan]:  # fmt: skip
        """Return what was found, best first: the first plan is to be played. The moves in `stops` are candidates, too."""
        habits = self.habits
        if habits.tree:
            return self._grow(state, seat, budget, stream)
        widest = self._width_in_time(state, seat, budget, stream) if habits.timed else MOST_KEPT
        plans = self.plans(state, seat, budget, stream, max(habits.candidates, 1), widest)
        missed = set(stops) - {plan.actions[0] for plan in plans}
        if missed:
            more = [self._plan_from(state, seat, action, budget, stream) for action in sorted(missed)]
            plans = sorted([*plans, *more], key=lambda plan: (-plan.value, plan.actions))
            self.root[0] = state
        limit = habits.simulations if budget.simulations is None else min(habits.simulations, budget.simulations)
        if habits.timed:
            limit = min(limit, self._samples_in_time(plans, seat, budget))
        self.simulations = 0
        if len(plans) < 2 or limit < 4 or budget.is_spent or self._ends(state, seat, plans[0]):
            ties = sum(plan.value == plans[0].value for plan in plans)
            chosen = chance.below(ties, stream)
            return [plans[chosen], *plans[:chosen], *plans[chosen + 1 :]]
        key = int.from_bytes(np.asarray(stream[:2], np.uint32).tobytes(), "little", signed=True)
        return self._halve(plans, seat, budget, limit, key)

    def _width_in_time(self, state: State, seat: int, budget: Budget, stream: Array) -> int:
        """Return how wide a beam may be that leaves most of the time to samples, by the time that a narrow one takes."""
        started = time.monotonic()
        self.plans(state, seat, budget, stream.copy(), 1, NARROW)
        share = 1.0 if self._is_last(seat) else BEAM_SHARE
        return max(int(NARROW * share * budget.seconds_left / max(time.monotonic() - started, 1e-6)), 1)

    def _samples_in_time(self, plans: list[Plan], seat: int, budget: Budget) -> int:
        """Return how many samples there is time for, by the time that a few of the best plan take."""
        moves, lengths = _as_arrays(plans[:1])
        results, samples = np.zeros((1, FIRST_SAMPLES)), np.zeros(1, np.int64)
        started, enough, done = time.monotonic(), FIRST_SHARE * budget.seconds_left, 0
        while done < FIRST_SAMPLES and time.monotonic() - started < enough:
            if not self._play(moves, lengths, np.zeros(1, np.int64), done, done + 1, seat, budget, 1, results, samples):
                return 0
            done += 1
        return int(budget.seconds_left * done / max(time.monotonic() - started, 1e-6)) if done else 0

    def _plan_from(self, state: State, seat: int, action: int, budget: Budget, stream: Array) -> Plan:
        """Return the best plan that begins with a move."""
        rows, boxes = self.variant.game.rows, self.variant.boxes
        world = np.zeros(1, self.variant.game.state.STATE)
        world[0] = state
        rows.apply(boxes, world, 0, seat, action)
        if int(rows.waiting(boxes, world, 0)) >> seat & 1:  # its turn goes on
            rest = self.plans(world[0], seat, budget, stream, 1)[0]
            return Plan((action, *rest.actions), rest.value)
        actions, values = self.look_ahead(state, seat)
        return Plan((action,), float(values[actions.tolist().index(action)]))

    def _ends(self, state: State, seat: int, plan: Plan) -> bool:
        """Whether the match is over after a plan, so that all is known."""
        self.world[0] = state
        rows, boxes = self.variant.game.rows, self.variant.boxes
        for action in plan.actions:
            rows.apply(boxes, self.world, 0, seat, action)
        return bool(rows.is_over(boxes, self.world, 0))

    def _halve(self, plans: list[Plan], seat: int, budget: Budget, limit: int, key: int) -> list[Plan]:
        count, habits = min(len(plans), max(limit // 2, 2)), self.habits
        moves, lengths = _as_arrays(plans[:count])
        stages = max(int(np.ceil(np.log2(count / habits.fewest))) + 1, 1)
        per_stage = max(limit // stages, 1)
        results = np.zeros((count, min(limit, MOST_SAMPLES)))
        samples = np.zeros(count, np.int64)
        alive = np.arange(count)
        prior = np.array([plan.value for plan in plans[:count]])
        rolls = self._count_rolls(plans[:count], seat, per_stage // count)
        plain = manner = self.manner._replace(rolls=rolls)
        done, first, price, used, round_length = 0, 0, 1, 0, max(rolls, 1)
        best_price = max(habits.final_turns * habits.final_width // max(habits.turns * habits.width, 1), 1)
        finalists = habits.finalists if limit >= LEAST_FINALS * habits.finalists * best_price else 0
        for step in range(stages):
            if len(alive) <= finalists and manner is plain:  # only samples of one kind can be compared
                manner, first = manner._replace(turns=habits.final_turns, width=habits.final_width), done
                price = best_price
            left = limit - used if step == stages - 1 else per_stage
            rounds = max(left // (len(alive) * price * round_length), 1)
            until = min(done + rounds * round_length, results.shape[1])
            used += (until - done) * len(alive) * price
            if not self._play(moves, lengths, alive, done, until, seat, budget, key, results, samples, manner):
                break
            done = until
            if step < stages - 1 and done > first:
                worth = results[alive, first:done].mean(axis=1) + habits.prior * prior[alive]
                order = np.argsort(-worth, kind="stable")
                kept = alive[order[: max(len(alive) // 2, habits.fewest)]]
                alive = kept if 0 in kept else np.concatenate(([0], kept[:-1]))
                alive = np.sort(alive)
        return self._judge(plans, results, samples, first)

    def _count_rolls(self, plans: list[Plan], seat: int, most: int) -> int:
        """Return how many rolls may follow each of the plans; 0 if they are more than `most` or differ."""

        def count(plan: Plan) -> int:
            moves = np.array(plan.actions, np.int64)
            return int(PROGRAM.count_rolls(self.table, self._roots, self._worlds, seat, moves, most, self.desk))

        rolls = count(plans[0])
        return rolls if rolls and all(count(plan) == rolls for plan in plans[1:]) else 0

    def try_all(self, plans: list[Plan], seat: int, count: int, key: int) -> Array:
        """Return the results of so many samples of each plan, found by `plans` before, the same dice for all of them."""
        moves, lengths = _as_arrays(plans)
        results, samples = np.zeros((len(plans), count)), np.zeros(len(plans), np.int64)
        self._play(moves, lengths, np.arange(len(plans)), 0, count, seat, Budget(), key, results, samples)
        return results

    def _play(
        self, moves: Array, lengths: Array, alive: Array, first: int, last: int, seat: int, budget: Budget, key: int,
        results: Array, samples: Array, manner: Manner | None = None,
    ) -> bool:  # fmt: skip
        """Play samples number `first` to `last` of the plans that are alive. Return False if the budget ran out."""
        number, end = first * len(alive), last * len(alive)
        counts = self._pocket.counts
        while number < end:
            if budget.is_spent:
                break
            started, before, old = time.perf_counter(), int(counts[TRIES]), number
            number = PROGRAM.try_plans(
                self.table, self._roots, self._pocket, self._worlds, seat, self.variant.seats, moves, lengths,
                alive, number, end, self._most, key, manner or self.manner, results, self.desk,
            )  # fmt: skip
            self.simulations += number - old
            self._adapt(int(counts[TRIES]) - before, time.perf_counter() - started)
        samples[alive] = number // len(alive)
        return number >= end

    # --- a tree -----------------------------------------------------------------------------------------------

    def _grow(self, state: State, seat: int, budget: Budget, stream: Array) -> list[Plan]:
        """Let a tree of moves grow. Return its first moves, the most visited first, with what of the turn is known to follow."""
        habits, boxes = self.habits, self.variant.boxes
        limit = max(
            habits.simulations if budget.simulations is None else min(habits.simulations, budget.simulations), 1
        )
        tree = new_tree(min(limit + 1, MOST_NODES), self.variant.seats)
        key = int.from_bytes(np.asarray(stream[:2], np.uint32).tobytes(), "little", signed=True)
        self.root[0] = state
        number, counts = 0, self._pocket.counts
        moves = int(self.variant.game.rows.legal_actions(boxes, self.root, 0, seat, self.desk.actions))
        if moves == 1:
            limit = 1  # there is nothing to choose
        widening = habits.widening or float(limit < 4 * moves)  # else each move would be tried once
        while number < limit and not (budget.is_spent and number):
            started, before = time.perf_counter(), int(counts[TRIES])
            number = PROGRAM.grow_tree(
                self.table, self._roots, tree, self._pocket, self._worlds, seat, self.variant.seats, number, limit, self._most,
                key, self.manner, habits.tree == "all", habits.explore, widening, self.desk,
            )  # fmt: skip
            self._adapt(int(counts[TRIES]) - before, time.perf_counter() - started)
        self.simulations = number
        return [self._line(tree, child, seat) for child in tree.ranked(0)]

    def _line(self, tree: Tree, node: int, seat: int) -> Plan:
        """Return the moves of a seat that begin with a node, as long as they are of its turn and were tried often."""
        value, visits = float(tree.totals[node] / tree.visits[node]), int(tree.visits[node])
        rows, boxes, actions = self.variant.game.rows, self.variant.boxes, [int(tree.actions[node])]
        self.world[0] = self.root[0]
        rows.apply(boxes, self.world, 0, seat, actions[0])
        while len(actions) < LONGEST and int(rows.waiting(boxes, self.world, 0)) >> seat & 1:
            node = next((child for child in tree.ranked(node) if tree.visits[child] >= OFTEN), 0)
            if not node or int(tree.seats[node]) != seat:
                break
            actions.append(int(tree.actions[node]))
            rows.apply(boxes, self.world, 0, seat, actions[-1])
        return Plan(tuple(actions), value, visits)

    def _judge(self, plans: list[Plan], results: Array, samples: Array, finals: int = 0) -> list[Plan]:
        """Order the plans by their samples; the first stays first unless another is better beyond doubt.

        From sample number `finals` on they are of another kind, and only those count for the plans that have some.
        """
        judged = []
        habits = self.habits
        for i, plan in enumerate(plans[: len(samples)]):
            n = int(samples[i])
            if n > 0:
                first = finals if n > finals else 0
                judged.append((n, i, replace(plan, value=float(results[i, first:n].mean()), samples=n)))
        if not judged or samples[0] == 0:
            return plans
        most = max(count for count, _, _ in judged)
        finalists = [entry for entry in judged if entry[0] == most]
        _, best, _ = max(
            finalists, key=lambda entry: (entry[2].value + habits.prior * plans[entry[1]].value, -entry[1])
        )
        if best != 0:
            n = min(int(samples[0]), int(samples[best]))
            apart = results[best, :n] - results[0, :n]
            apart = apart[finals:] if n > finals else apart
            error = float(apart.std(ddof=1)) / len(apart) ** 0.5 if len(apart) > 1 else float("inf")
            gain = float(apart.mean()) + habits.prior * (plans[best].value - plans[0].value)
            sure = habits.gate if plans[best].value < plans[0].value else 0.0
            if gain <= sure * error:
                best = 0
        chosen = next(plan for _, i, plan in judged if i == best)
        others = []
        for n, i, plan in judged:
            if i != best:  # compared in the samples that both have: one that was dropped early may have had lucky dice
                first = finals if n > finals else 0
                apart = float((results[i, first:n] - results[best, first:n]).mean())
                others.append((i, replace(plan, value=chosen.value + apart)))
        return [chosen, *(plan for i, plan in sorted(others, key=lambda pair: (-pair[1].value, pair[0])))]


def _as_arrays(plans: list[Plan]) -> tuple[Array, Array]:
    """Return the actions of plans as kernels take them: a row for each, and how many there are in it."""
    lengths = np.array([len(plan.actions) for plan in plans], np.int64)
    moves = np.zeros((len(plans), int(lengths.max())), np.int64)
    for i, plan in enumerate(plans):
        moves[i, : lengths[i]] = plan.actions
    return moves, lengths


def new_desk(variant: Variant, value: Value | None = None) -> Desk:
    """Return a desk for a variant; `value` is its fitted value, with rows by stage."""
    most = variant.game.state.MAX_OUTCOMES
    rows, hidden, deep = value or Value(np.zeros((0, 0)), np.zeros((1, 0)))
    rows, hidden, deep = (
        np.ascontiguousarray(part, kind)
        for part, kind in ((rows, np.float64), (hidden, np.float32), (deep, np.float32))
    )
    return Desk(
        np.zeros(max(variant.max_legal, most), np.int64), np.zeros(most, np.int64), np.zeros(2 * SCORE_LINES, np.int64),
        np.zeros(8, np.int64), np.zeros(FEATURES, np.int64), rows, hidden, deep,
        np.zeros(hidden.shape[1] + deep.shape[1], np.float32),
    )  # fmt: skip


def new_tree(nodes: int, seats: int) -> Tree:
    """Return room for a tree, with its first node."""
    table = np.zeros((nodes, 8), np.int64)  # all that is known of a node is in one place, which is quicker to read
    children, siblings, actions, movers, visits, full, totals = (table[:, i] for i in range(7))
    counts = np.zeros(2, np.int64)
    counts[NODES] = 1
    return Tree(
        children, siblings, actions, movers, visits, totals.view(np.float64), full, np.zeros(DEEPEST, np.int64),
        np.zeros(seats), counts, np.zeros(2),
    )  # fmt: skip


def by_stage(rows: Array) -> Array:
    """Return a row for each stage, which is in sixteenths of a turn: in the middle of a turn two rows are mixed."""
    if len(rows) == 0:
        return rows
    stages = np.arange(16 * (len(rows) - 1) + 1)
    low, part = stages // 16, (stages % 16 / 16)[:, None]
    high = np.minimum(low + 1, len(rows) - 1)
    return np.ascontiguousarray(rows[low] * (1 - part) + rows[high] * part)


def new_beam(variant: Variant, width: int, ended: int, table_bits: int) -> Beam:
    """Return room for a beam."""
    kept = max(width, 1)
    slots = 1 + 2 * LANES * kept + max(ended, 1)
    counts = np.zeros(COUNTS, np.int64)
    counts[KEPT], counts[MOST] = kept, LONGEST
    counts[ORDER_FREE] = bool(own_habits(variant.game).get("order_free", False))
    return Beam(
        new_rows(variant, slots)[1], np.zeros(slots), np.zeros(slots, np.int64),
        np.zeros(slots, np.int64), np.zeros((slots, LONGEST), np.int64), np.zeros(slots, np.int64), counts,
        np.zeros(1 << table_bits, np.int64), np.zeros(1 << table_bits, np.int64),
    )  # fmt: skip
