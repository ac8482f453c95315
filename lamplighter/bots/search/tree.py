"""A tree of moves, inside a game's kernels: open-loop Monte-Carlo tree search.

As in `kernels`, names such as `apply` stand for the game's own kernels. A node is a line of moves, whatever the dice were in
between: each walk rolls again, and looks only at the children that are legal with its dice. A walk goes down to a node that has
not been tried, adds it, plays on as a sample does, and every node of its path learns what came out for the seat that moved.

The next child is the one with the highest upper bound (UCT: Kocsis and Szepesvári, 2006). With `widening` a node has few children
at first and more as it is visited: otherwise a game with hundreds of moves would spend all its walks on the first move. New
children are the best by worth, or any move where samples are played by any move.

Seats that act at the same time do not see each other's moves. So the tree has a move of another seat only where that seat acts
alone; elsewhere it is played as in a sample.
"""

from __future__ import annotations

import math
from typing import Any

from lamplighter.bots.search.kernels import NOTHING, TRIES, lead, worth
from lamplighter.bots.search.room import Beam, Desk, Tree
from lamplighter.bots.search.samples import UNIFORM, Manner, draw_next, play_sample, play_seat
from lamplighter.engine import chance
from lamplighter.jit import first_bit, inlined_loop

Array = Any

# the game's own, see `jit.compile_for`
waiting: Any = None
check: Any = None
legal_actions: Any = None
apply: Any = None
resample: Any = None
hides_draws: Any = None
group: Any = None
HAS_GROUPS = False

NODES, WALKS = 0, 1  # in `counts`: nodes in use, and walks that have ended
SUM, SQUARES = 0, 1  # in `sums`: of the results of the seat that thinks, and of their squares


@inlined_loop
def is_alike(box: Any, state: Any, who: int, one: int, two: int) -> bool:
    """Return whether two moves count as one."""
    return one == two or (HAS_GROUPS and group(box, state, who, one) == group(box, state, who, two))


@inlined_loop
def has_child(box: Any, state: Any, tree: Tree, node: int, who: int, action: int) -> bool:
    """Return whether a move of a seat, or one like it, has been tried at a node."""
    child = int(tree.children[node])
    while child > 0:
        if tree.seats[child] == who and is_alike(box, state, who, action, int(tree.actions[child])):
            return True
        child = int(tree.siblings[child])
    return False


@inlined_loop
def new_move(
    boxes: Array, tree: Tree, beam: Beam, world: Array, node: int, who: int, tried: int, manner: Manner, desk: Desk
) -> int:  # fmt: skip
    """Return a legal move in world[0] that has not been tried at a node: any one, or the best by worth; -1 if there is none.

    So many of the legal ones have been `tried`.
    """
    box = boxes[0]
    n = legal_actions(box, world[0], who, desk.actions)
    beam.counts[TRIES] += n
    if not HAS_GROUPS and tried == n:
        return -1
    best, best_value, found = -1, NOTHING, 0
    for i in range(n):
        action = int(desk.actions[i])
        if has_child(box, world[0], tree, node, who, action):
            continue
        found += 1
        if manner.policy == UNIFORM:
            if chance.below(found, desk.words[4:8]) == 0:
                best = action
        else:
            beam.states[0] = world[0]
            apply(box, beam.states[0], who, action)
            value = worth(box, beam.states[0], who, desk)
            if value > best_value:
                best, best_value = action, value
    return best


@inlined_loop
def best_child(box: Any, world: Array, tree: Tree, node: int, who: int, certain: bool, explore: float) -> Any:
    """Return the legal child of a node with the highest upper bound, 0 if there is none, and how many are legal.

    It is `certain` that all are where nothing was drawn and nothing is hidden.
    """
    best, highest, legal = 0, NOTHING, 0
    logarithm = math.log(tree.visits[node] + 1.0)
    child = int(tree.children[node])
    while child > 0:
        if tree.seats[child] == who and (certain or 0 + check(box, world[0], who, int(tree.actions[child])) == 0):
            legal += 1
            visits = float(tree.visits[child])
            bound = tree.totals[child] / visits + explore * math.sqrt(logarithm / visits)
            if bound > highest:
                best, highest = child, bound
        child = int(tree.siblings[child])
    return best, legal


@inlined_loop
def add_child(tree: Tree, node: int, who: int, action: int) -> int:
    """Add a child to a node and return it."""
    child = int(tree.counts[NODES])
    tree.counts[NODES] = child + 1
    tree.actions[child], tree.seats[child] = action, who
    tree.siblings[child] = tree.children[node]
    tree.children[node] = child
    return child


@inlined_loop
def walk(
    boxes: Array, tree: Tree, beam: Beam, world: Array, seat: int, seats: int, key: int, sample: int, manner: Manner, whole: bool,
    explore: float, widening: float, desk: Desk,
) -> None:  # fmt: skip
    """Go down the tree from the state in world[0], play on from there, and let the path learn what came out.

    The tree has the moves of all seats if it is `whole`; else only those of the seat that thinks.
    """
    box = boxes[0]
    node, length, draws, more = 0, 0, 0, True
    walks = float(max(tree.counts[WALKS], 1))
    mean = tree.sums[SUM] / walks
    scale = explore * math.sqrt(max(tree.sums[SQUARES] / walks - mean * mean, 1e-6))
    while more and length < len(tree.path):
        mask = int(waiting(box, world[0]))
        if mask == 0:
            more = draw_next(boxes, world, key, sample, draws, desk)
            draws += 1
            continue
        who = seat if (mask >> seat) & 1 else first_bit(mask)
        if who != seat and not (whole and mask & (mask - 1) == 0):
            play_seat(boxes, beam, world, who, False, manner, desk)
            continue
        certain = draws == 0 and not hides_draws(box)
        child, legal = best_child(box, world, tree, node, who, certain, scale)
        room = tree.counts[NODES] < len(tree.actions) and not (certain and tree.full[node] == 1)
        if room and (widening == 0.0 or legal == 0 or legal < widening * math.sqrt(tree.visits[node])):
            action = new_move(boxes, tree, beam, world, node, who, legal, manner, desk)
            if action >= 0:
                child, more = add_child(tree, node, who, action), False
            elif certain:
                tree.full[node] = 1
        if child == 0:
            break
        apply(box, world[0], who, int(tree.actions[child]))
        tree.path[length] = child
        length += 1
        node = child
    result = play_sample(boxes, beam, world, seat, seats, key, sample, draws, manner, desk)
    tree.counts[WALKS] += 1
    tree.sums[SUM] += result
    tree.sums[SQUARES] += result * result
    tree.visits[0] += 1
    tree.results[seat] = result
    for other in range(seats if whole else 0):
        if other != seat:
            tree.results[other] = lead(box, world[0], other, seats, manner.rivals, desk)
    for i in range(length):
        node = int(tree.path[i])
        tree.visits[node] += 1
        tree.totals[node] += tree.results[tree.seats[node]]


def grow_tree(
    boxes: Array, roots: Array, tree: Tree, beam: Beam, world: Array, seat: int, seats: int, first: int, last: int, most: int,
    key: int, manner: Manner, whole: bool, explore: float, widening: float, desk: Desk,
) -> int:  # fmt: skip
    """Go on walks number `first` to `last`; roots[0] is what the seat sees. Return the next number after `most` tried moves."""
    before = beam.counts[TRIES]
    for number in range(first, last):
        if beam.counts[TRIES] - before >= most:
            return number
        world[0] = roots[0]
        chance.start_stream(key, number, desk.words[4:8])
        resample(boxes[0], world[0], seat, desk.words[4:8])
        walk(boxes, tree, beam, world, seat, seats, key, number, manner, whole, explore, widening, desk)
        if manner.policy == UNIFORM:
            beam.counts[TRIES] += 8
    return last
