"""Estimate states, and find plans for a whole turn with a beam. Compiled once for all games.

A game comes as a `table` of its kernels, and states are rows of words (`engine.table`).

A *plan* is what a seat does until others or chance follow: one move in most games, several marks in some.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lamplighter.bots.search.room import Beam, Desk
from lamplighter.engine import chance
from lamplighter.engine.table import (
    FEATURES,
    GROUP,
    apply,
    evaluate,
    features,
    group,
    is_over,
    lane,
    legal_actions,
    point,
    score,
    stage,
    waiting,
)  # fmt: skip
from lamplighter.jit import Floats, Ints, Table, Words, copy_row, kernel

Array = Any

LANES = 4
LONGEST = 32  # moves of a plan; a turn that has more goes on with a new search
MASK = (1 << 63) - 1
NOTHING = -1e18  # a worth below all others

# in `counts`: how many states each list of a beam holds, the slot of its lowest, and more: whether
# the same moves in another order lead to the same state, …
LOWEST = 2 * LANES + 1
STAMP, TRIES, KEPT, MOST, ORDER_FREE = range(2 * LOWEST, 2 * LOWEST + 5)
COUNTS = 2 * LOWEST + 5


# --- what a state is worth --------------------------------------------------------------------------------------


@kernel
def worth(game: Table, states: Words, row: int, seat: int, desk: Desk) -> float:
    """Return what a seat may expect in the end, in points: fitted if there are weights, else as the game estimates it."""
    if game[FEATURES] != 0 and desk.value.shape[0] > 0:
        left = min(stage(game, states, row, seat), desk.value.shape[0] - 1)
        n = features(game, states, row, seat, desk.numbers)
        nodes = ask_nodes(n, desk)
        # four sums at once: each addition waits for the one before it
        one, two, three, four = desk.value[left, n + nodes], 0.0, 0.0, 0.0
        for i in range(0, n - 3, 4):
            one += desk.value[left, i] * float(desk.numbers[i])
            two += desk.value[left, i + 1] * float(desk.numbers[i + 1])
            three += desk.value[left, i + 2] * float(desk.numbers[i + 2])
            four += desk.value[left, i + 3] * float(desk.numbers[i + 3])
        for i in range(n & ~3, n):
            one += desk.value[left, i] * float(desk.numbers[i])
        for i in range(nodes):
            two += desk.value[left, n + i] * max(float(desk.nodes[i]), 0.0)
        return float((one + two) + (three + four))
    return float(evaluate(game, states, row, seat, desk.lines)) / float(point(game, states))


@kernel
def ask_nodes(n: int, desk: Desk) -> int:
    """Write what the hidden nodes say of the `n` features on the desk; below 0 they are silent. Return how many there are."""
    nodes, deep = desk.hidden.shape[1], desk.deep.shape[1]
    for i in range(nodes):
        desk.nodes[i] = desk.hidden[n, i]
    for j in range(n if nodes else 0):
        if desk.numbers[j]:
            number = np.float32(desk.numbers[j])
            for i in range(nodes):
                desk.nodes[i] += number * desk.hidden[j, i]
    for i in range(deep):
        desk.nodes[nodes + i] = desk.deep[nodes, i]
    for j in range(nodes if deep else 0):
        number = desk.nodes[j]
        if number > 0:
            for i in range(deep):
                desk.nodes[nodes + i] += number * desk.deep[j, i]
    return int(nodes + deep)


@kernel
def worth_after(game: Table, states: Words, row: int, seat: int, desk: Desk) -> float:
    """Return the worth of a state, or the points themselves when the match is over."""
    if is_over(game, states, row):
        return float(score(game, states, row, seat, desk.lines))
    return float(worth(game, states, row, seat, desk))


@kernel
def lead(game: Table, states: Words, row: int, seat: int, seats: int, rivals: float, desk: Desk) -> float:
    """Return the worth for a seat, less a share of what the best of the others has."""
    own = worth_after(game, states, row, seat, desk)
    if rivals == 0.0 or seats == 1:
        return float(own)
    best = NOTHING
    for other in range(seats):
        if other != seat:
            best = max(best, worth_after(game, states, row, other, desk))
    return float(own - rivals * best)


@kernel
def worth_of(game: Table, states: Words, seat: int, desk: Desk) -> float:
    """Return `worth` of row 0, for calls from Python."""
    return float(worth(game, states, 0, seat, desk))


@kernel
def stage_of(game: Table, states: Words, seat: int) -> int:
    """Return `stage` of row 0, for calls from Python."""
    return int(stage(game, states, 0, seat))


@kernel
def count_features(game: Table, states: Words, numbers: Ints) -> int:
    """Return how many features a state of seat 0 has."""
    return int(features(game, states, 0, 0, numbers))


# --- plans for a turn -------------------------------------------------------------------------------------------


@kernel
def hash_state(numbers: Array) -> int:
    """Return a hash of a state's bytes, in 63 bits."""
    one, two, three, four = 1, 2, 3, 4
    for i in range(0, len(numbers) - 3, 4):
        one = (one * 0x1E3779B97F4A7C15 + int(numbers[i])) & MASK
        two = (two * 0x2545F4914F6CDD1D + int(numbers[i + 1])) & MASK
        three = (three * 0x14D049BB133111EB + int(numbers[i + 2])) & MASK
        four = (four * 0x3F58476D1CE4E5B9 + int(numbers[i + 3])) & MASK
    one = (one ^ (two >> 29) ^ (three >> 31)) * 0x14D049BB133111EB
    return (one + two + 3 * three + 5 * four) & MASK


@kernel
def add_move(key: int, action: int) -> int:
    """Return the key of a set of moves with one more. The order of the moves does not matter."""
    word = (int(action) + 1) * 0x1E3779B97F4A7C15 & MASK
    word = (word ^ (word >> 29)) * 0x14D049BB133111EB & MASK
    return (int(key) + (word ^ (word >> 32))) & MASK


@kernel
def is_new(beam: Beam, key: int) -> bool:
    """Note a hash. Return whether it was not met before in this layer."""
    stamp = beam.counts[STAMP]
    size = len(beam.table) - 1
    at = (key ^ (key >> 32)) & size
    for _ in range(16):
        if beam.stamps[at] != stamp:
            beam.stamps[at] = stamp
            beam.table[at] = key
            return True
        if beam.table[at] == key:
            return False
        at = (at + 1) & size
    return True  # the table is full there: a state may be tried twice


@kernel
def begin_beam(beam: Beam) -> None:
    """Empty all lists. The state to begin with comes into slot 1, as `start_plans` puts it there."""
    for i in range(2 * LOWEST):
        beam.counts[i] = 0
    beam.counts[STAMP] += 1


@kernel
def start_plans(game: Table, beam: Beam, seat: int) -> None:
    """Begin with the state in slot 0: the first layer has nothing else."""
    begin_beam(beam)
    first = min(max(lane(game, beam.states, 0, seat), 0), LANES - 1)
    slot = 1 + first * beam.counts[KEPT]
    copy_row(beam.states, slot, beam.states, 0)
    beam.lengths[slot] = 0
    beam.keys[slot] = 0
    beam.counts[first] = 1


@kernel
def keep(
    beam: Beam, has_groups: bool, which: int, width: int, value: float, alike: int, key: int, parent: int, action: int
) -> None:  # fmt: skip
    """Put the state in slot 0 into a list, if it is among the best `width` there."""
    start = 1 + which * beam.counts[KEPT]
    count = beam.counts[which]
    full = count >= width
    if full and value <= beam.values[beam.counts[LOWEST + which]]:
        return
    slot = start + count
    if has_groups:
        for other in range(start, start + count):
            if beam.groups[other] == alike:
                if value <= beam.values[other]:
                    return
                slot = other
    if slot == start + count:
        if full:
            slot = beam.counts[LOWEST + which]
        else:
            beam.counts[which] = count + 1
    copy_row(beam.states, slot, beam.states, 0)
    beam.values[slot] = value
    beam.groups[slot] = alike
    beam.keys[slot] = key
    length = beam.lengths[parent]
    for i in range(length):
        beam.moves[slot, i] = beam.moves[parent, i]
    beam.moves[slot, length] = action
    beam.lengths[slot] = length + 1
    if beam.counts[which] >= width:
        low = start
        for other in range(start + 1, start + width):
            if beam.values[other] < beam.values[low]:
                low = other
        beam.counts[LOWEST + which] = low


@kernel
def grow(
    game: Table, beam: Beam, seat: int, parent: int, layer: int, width: int, ended: int, noise: float, desk: Desk
) -> int:
    """Try every move after one state of a layer. Return how many there were."""
    n = legal_actions(game, beam.states, parent, seat, desk.actions)
    length = beam.lengths[parent]
    order_free, has_groups = beam.counts[ORDER_FREE] != 0, game[GROUP] != 0
    for i in range(n):
        action = int(desk.actions[i])
        key = add_move(beam.keys[parent], action)
        if order_free and not is_new(beam, key):
            continue
        copy_row(beam.states, 0, beam.states, parent)
        apply(game, beam.states, 0, seat, action)
        if not order_free and not is_new(beam, hash_state(beam.states[0])):
            continue
        alike = group(game, beam.states, parent, seat, action)
        alike += parent << 40
        on = (waiting(game, beam.states, 0) >> seat) & 1 == 1 and length + 1 < beam.counts[MOST]
        if on:
            which = (1 - layer) * LANES + min(max(lane(game, beam.states, 0, seat), 0), LANES - 1)
            value = worth(game, beam.states, 0, seat, desk)
        else:
            which = 2 * LANES
            value = worth_after(game, beam.states, 0, seat, desk)
        if noise > 0.0:
            value += noise * normal(desk.words[4:8])
        keep(beam, has_groups, which, width if on else ended, value, alike, key, parent, action)
    beam.counts[TRIES] += n
    return int(n)


@kernel
def normal(stream: Array) -> float:
    """Return a number that is normally distributed, nearly: the sum of four evenly distributed ones."""
    total = 0
    for _ in range(4):
        total += chance.next_word(stream)
    return (total / 4294967296.0 - 2.0) * 1.7320508


@kernel
def grow_slice(
    game: Table, beam: Beam, seat: int, layer: int, first: int, most: int, width: int, ended: int, noise: float, desk: Desk
) -> int:  # fmt: skip
    """Grow from the states of a layer, from number `first` on, until `most` moves were tried. Return the next number.

    -1 says that the layer is done.
    """
    number = 0
    tried = 0
    for i in range(LANES):
        which = layer * LANES + i
        for j in range(beam.counts[which]):
            if number >= first:
                if tried >= most:
                    return number
                tried += grow(
                    game, beam, seat, 1 + which * beam.counts[KEPT] + j, layer, width, ended, noise, desk
                )  # fmt: skip
            number += 1
    return -1


@kernel
def next_layer(beam: Beam, layer: int) -> int:
    """Empty the layer that was grown from. Return how many states the next one has."""
    total = 0
    for i in range(LANES):
        beam.counts[layer * LANES + i] = 0
        total += beam.counts[(1 - layer) * LANES + i]
    beam.counts[STAMP] += 1
    return int(total)


@kernel
def look_ahead(game: Table, roots: Words, beam: Beam, seat: int, values: Floats, desk: Desk) -> int:
    """Write what each legal move in roots[0] seems worth. Return how many there are; the moves are on the desk."""
    n = legal_actions(game, roots, 0, seat, desk.actions)
    for i in range(n):
        copy_row(beam.states, 0, roots, 0)
        apply(game, beam.states, 0, seat, int(desk.actions[i]))
        values[i] = worth_after(game, beam.states, 0, seat, desk)
    return int(n)


@kernel
def play_beam(
    game: Table, beam: Beam, world: Words, seat: int, width: int, ended: int, noise: float, desk: Desk
) -> int:  # fmt: skip
    """Play a whole turn of a seat in world[0], the best that a beam finds. Return its slot; the best `ended` are there."""
    copy_row(beam.states, 0, world, 0)
    start_plans(game, beam, seat)
    layer = 0
    while True:
        grow_slice(game, beam, seat, layer, 0, MASK, width, ended, noise, desk)
        if next_layer(beam, layer) == 0:
            break
        layer = 1 - layer
    best = 1 + 2 * LANES * beam.counts[KEPT]
    for slot in range(best + 1, best + beam.counts[2 * LANES]):
        if beam.values[slot] > beam.values[best]:
            best = slot
    copy_row(world, 0, beam.states, best)
    return int(best)


@kernel
def play_best(game: Table, beam: Beam, world: Words, seat: int, desk: Desk) -> None:
    """Play one move of a seat in world[0]: the best one; any of those that are equal."""
    n = legal_actions(game, world, 0, seat, desk.actions)
    best, best_value, ties = 0, NOTHING, 0
    for i in range(n):
        copy_row(beam.states, 0, world, 0)
        apply(game, beam.states, 0, seat, int(desk.actions[i]))
        value = worth(game, beam.states, 0, seat, desk)
        if value > best_value:
            best, best_value, ties = i, value, 1
        elif value == best_value:
            ties += 1
            if chance.below(ties, desk.words[4:8]) == 0:
                best = i
    beam.counts[TRIES] += n
    apply(game, world, 0, seat, int(desk.actions[best]))


@kernel
def rate_actions(game: Table, states: Words, seat: int, actions: Ints, values: Ints, lines: Ints) -> int:
    """Write the legal actions of a seat in row 0, and what `evaluate` says after each. Return how many there are.

    Row 1 is room to try.
    """
    n = legal_actions(game, states, 0, seat, actions)
    for i in range(n):
        copy_row(states, 1, states, 0)
        apply(game, states, 1, seat, int(actions[i]))
        values[i] = evaluate(game, states, 1, seat, lines)
    return int(n)
