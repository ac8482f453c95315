"""Whole matches inside compiled code, for any game and any mix of bots.

The loop is written once. It gets a game's kernels as arguments of function type, so it is compiled once per state
layout, found in the cache on every later start, and never stale. `NUMBA_DISABLE_JIT=1` runs it as it stands.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from lamplighter.bots import GREEDY
from lamplighter.engine import chance
from lamplighter.engine.variant import Variant
from lamplighter.jit import kernel, specialise

Function = Any
Array = Any

LOG_CHANCE = -1  # in a log: the seat of an outcome


@kernel
def choose_best(
    legal_actions: Function,
    apply: Function,
    evaluate: Function,
    box: Any,
    states: Array,
    seat: int,
    actions: Array,
    lines: Array,
    stream: Array,
) -> int:
    """The action after which `evaluate` is highest for this seat; among equals any. states[1] is room to try."""
    n = legal_actions(box, states[0], seat, actions)
    best = -1
    best_value = 0
    ties = 0
    for i in range(n):
        states[1] = states[0]
        apply(box, states[1], seat, actions[i])
        value = evaluate(box, states[1], seat, lines)
        if best < 0 or value > best_value:
            best, best_value, ties = i, value, 1
        elif value == best_value:
            ties += 1
            if chance.below(ties, stream) == 0:
                best = i
    return int(actions[best])


def _play(
    waiting: Function,
    outcomes: Function,
    apply_chance: Function,
    legal_actions: Function,
    apply: Function,
    evaluate: Function,
    box: Any,
    states: Array,
    policies: Array,
    key: int,
    actions: Array,
    weights: Array,
    lines: Array,
    words: Array,
    log: Array,
) -> int:
    """Play states[0] to its end; the number of moves.

    `key` gives the outcomes and the bots' own streams. `log`, if it has room, gets (seat, action) pairs and
    (LOG_CHANCE, outcome) pairs one after the other, then a pair of -2.
    """
    stream = words[4:8]
    chance.start_stream(key, 0, stream)
    moves = 0
    logged = 0
    while True:
        mask = waiting(box, states[0])
        if mask == 0:
            n = outcomes(box, states[0], actions, weights)
            if n == 0:
                break
            index = chance.pick(weights, n, key, int(states[0]["draws"]), words)
            seat, action = LOG_CHANCE, int(actions[index])
            apply_chance(box, states[0], action)
        else:
            seat = 0
            while not (mask >> seat) & 1:
                seat += 1
            if policies[seat] == GREEDY:
                action = choose_best(legal_actions, apply, evaluate, box, states, seat, actions, lines, stream)
            else:
                n = legal_actions(box, states[0], seat, actions)
                action = int(actions[chance.below(n, stream)])
            apply(box, states[0], seat, action)
            moves += 1
        if logged + 3 < len(log):
            log[logged], log[logged + 1] = seat, action
            logged += 2
    if logged + 1 < len(log):
        log[logged], log[logged + 1] = -2, -2
    return moves


def _play_many(
    setup: Function,
    waiting: Function,
    outcomes: Function,
    apply_chance: Function,
    legal_actions: Function,
    apply: Function,
    evaluate: Function,
    score: Function,
    standing: Function,
    facts: Function,
    box: Any,
    states: Array,
    policies: Array,
    key: int,
    first: int,
    count: int,
    totals: Array,
    ranks: Array,
    sums: Array,
    actions: Array,
    weights: Array,
    lines: Array,
    words: Array,
) -> int:
    """Play matches number `first` to `first + count - 1` of `key`; the number of moves.

    `totals` and `ranks` get a number per match and seat. `sums` has, per seat, the sum of every scoring line and of
    every fact. states[2] is a blank record.
    """
    seats = len(policies)
    room = len(lines)
    moves = 0
    no_log = words[:0]
    for i in range(count):
        chance.philox(key, first + i, MATCH_DOMAIN, words)
        match_key = (int(words[0]) << 32) | int(words[1])
        states[0] = states[2]
        setup(box, states[0])
        moves += play_one(
            waiting, outcomes, apply_chance, legal_actions, apply, evaluate,
            box, states, policies, match_key, actions, weights, lines, words, no_log,
        )  # fmt: skip
        for seat in range(seats):
            totals[i * seats + seat] = score(box, states[0], seat, lines)
            ranks[i * seats + seat] = standing(box, states[0], seat)
            for line in range(room // 2):
                sums[seat * room + line] += lines[line]
            n = facts(box, states[0], seat, lines)
            for fact in range(n):
                sums[seat * room + room // 2 + fact] += lines[fact]
    return moves


MATCH_DOMAIN = 0x6D617463  # keeps the keys of matches apart from everything else drawn from a seed
MAX_LINES = 24  # the most scoring lines, and the most facts, that a game may have
play_one = kernel(_play)


@functools.cache
def _signatures(state: np.dtype[Any], box: np.dtype[Any]) -> dict[str, Any]:
    integers = [np.int64]
    score = (np.int64, box, state, np.int64, integers)
    return {
        "setup": (None, box, state),
        "waiting": (np.int64, box, state),
        "outcomes": (np.int64, box, state, integers, integers),
        "apply_chance": (None, box, state, np.int64),
        "legal_actions": (np.int64, box, state, np.int64, integers),
        "apply": (None, box, state, np.int64, np.int64),
        "evaluate": score,
        "score": score,
        "standing": (np.int64, box, state, np.int64),
        "facts": score,
    }


_ONE = ("waiting", "outcomes", "apply_chance", "legal_actions", "apply", "evaluate")
_MANY = ("setup", *_ONE, "score", "standing", "facts")


@functools.cache
def _compiled(state: np.dtype[Any], box: np.dtype[Any]) -> tuple[Any, Any, Any]:
    """The loops for this layout: one match, many matches, and one greedy choice."""
    signatures, integers = _signatures(state, box), [np.int64]
    one = [signatures[name] for name in _ONE]
    many = [signatures[name] for name in _MANY]
    choice = [signatures[name] for name in ("legal_actions", "apply", "evaluate")]
    return (
        specialise(_play, np.int64, *one, box, [state], integers, np.int64, *[integers] * 5),
        specialise(_play_many, np.int64, *many, box, [state], integers, *[np.int64] * 3, *[integers] * 7),
        specialise(_choose_best, np.int64, *choice, box, [state], np.int64, *[integers] * 3),
    )


_choose_best = getattr(choose_best, "py_func", choose_best)


def _room_apart(count: int, dtype: Any = np.int64) -> Array:
    """Zeros with a kilobyte free on both sides, so that two threads never write to one cache line."""
    free = -(-1024 // np.dtype(dtype).itemsize)
    return np.zeros(count + 2 * free, dtype)[free : free + count]


class Player:
    """The compiled loops for one variant, with the room they work in. One thread uses one Player."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        game = variant.game
        kernels = {name: getattr(game.rules, name) for name in _MANY if name != "evaluate"}
        kernels["evaluate"] = game.evaluate
        self._one = [kernels[name] for name in _ONE]
        self._many = [kernels[name] for name in _MANY]
        self._choice = [kernels[name] for name in ("legal_actions", "apply", "evaluate")]
        self._play, self._play_many, self._choose = _compiled(game.state.STATE, game.components.BOX)
        self._states = _room_apart(3, game.state.STATE)
        self._actions = _room_apart(max(game.state.MAX_LEGAL, game.state.MAX_OUTCOMES))
        self._weights = _room_apart(game.state.MAX_OUTCOMES)
        self._lines = _room_apart(2 * MAX_LINES)
        self._words = _room_apart(8)

    def play_many(self, policies: Array, key: int, first: int, count: int) -> tuple[int, Array, Array, Array]:
        """Matches by number: moves; totals and standings by match and seat; sums of lines and facts by seat."""
        seats = self.variant.seats
        totals, ranks = np.zeros(count * seats, np.int64), np.zeros(count * seats, np.int64)
        sums = np.zeros(seats * len(self._lines), np.int64)
        moves = self._play_many(
            *self._many, self.variant.box, self._states, policies, key, first, count,
            totals, ranks, sums, self._actions, self._weights, self._lines, self._words,
        )  # fmt: skip
        return int(moves), totals.reshape(count, seats), ranks.reshape(count, seats), sums.reshape(seats, -1)

    def play_logged(self, policies: Array, key: int, room: int = 1 << 16) -> list[tuple[int, int]]:
        """One match with its log: (seat, action) and (LOG_CHANCE, outcome) pairs."""
        log = np.zeros(room, np.int64)
        self._states[0] = self._states[2]
        self.variant.game.rules.setup(self.variant.box, self._states[0])
        self._play(
            *self._one, self.variant.box, self._states, policies, key,
            self._actions, self._weights, self._lines, self._words, log,
        )  # fmt: skip
        pairs = log.reshape(-1, 2).tolist()
        return [(seat, value) for seat, value in pairs[: pairs.index([-2, -2])]]

    def choose(self, policy: int, state: Any, seat: int, stream: Array) -> int:
        """What a bot plays in this state."""
        self._states[0] = state
        if policy == GREEDY:
            return int(
                self._choose(*self._choice, self.variant.box, self._states, seat, self._actions, self._lines, stream)
            )
        n = self.variant.game.rules.legal_actions(self.variant.box, self._states[0], seat, self._actions)
        return int(self._actions[chance.below(n, stream)])


def match_key(key: int, number: int) -> int:
    """The key of match `number` of a simulation, as kernels take it."""
    words = np.zeros(4, np.int64)
    chance.philox(key, number, MATCH_DOMAIN, words)
    return chance.signed((int(words[0]) << 32) | int(words[1]))
