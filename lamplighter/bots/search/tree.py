"""A tree of moves, inside a game's kernels: open-loop Monte-Carlo tree search.

A node is a line of moves, whatever the dice were in
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

from lamplighter.bots.search.beam import NOTHING, TRIES, lead, worth
from lamplighter.bots.search.room import Beam, Desk, Tree
from lamplighter.bots.search.samples import UNIFORM, Manner, draw_next, play_sample, play_seat
from lamplighter.engine import chance
from lamplighter.engine.table import GROUP, apply, check, group, hides_draws, legal_actions, resample, waiting
from lamplighter.jit import Table, Words, copy_row, first_bit, kernel

NODES, WALKS = 0, 1  # in `counts`: nodes in use, and walks that have ended
SUM, SQUARES = 0, 1  # in `sums`: of the results of the seat that thinks, and of their squares


@kernel
def is_alike(game: Table, states: Words, who: int, one: int, two: int) -> bool:
    """Return whether two moves count as one."""
    return one == two or (game[GROUP] != 0 and group(game, states, 0, who, one) == group(game, states, 0, who, two))


@kernel
def has_child(game: Table, states: Words, tree: Tree, node: int, who: int, action: int) -> bool:
    """Return whether a move of a seat, or one like it, has been tried at a node."""
    child = int(tree.children[node])
    while child > 0:
        if tree.seats[child] == who and is_alike(game, states, who, action, int(tree.actions[child])):
            return True
        child = int(tree.siblings[child])
    return False


@kernel
def new_move(
    game: Table, tree: Tree, beam: Beam, world: Words, node: int, who: int, tried: int, manner: Manner, desk: Desk
) -> int:  # fmt: skip
    """Return a legal move in world[0] that has not been tried at a node: any one, or the best by worth; -1 if there is none.

    So many of the legal ones have been `tried`.
    """
    n = legal_actions(game, world, 0, who, desk.actions)
    beam.counts[TRIES] += n
    if game[GROUP] == 0 and tried == n:
        return -1
    best, best_value, found = -1, NOTHING, 0
    for i in range(n):
        action = int(desk.actions[i])
        if has_child(game, world, tree, node, who, action):
            continue
        found += 1
        if manner.policy == UNIFORM:
            if chance.below(found, desk.words[4:8]) == 0:
                best = action
        else:
            copy_row(beam.states, 0, world, 0)
            apply(game, beam.states, 0, who, action)
            value = worth(game, beam.states, 0, who, desk)
            if value > best_value:
                best, best_value = action, value
    return best


@kernel
def best_child(game: Table, world: Words, tree: Tree, node: int, who: int, certain: bool, explore: float) -> Any:
    """Return the legal child of a node with the highest upper bound, 0 if there is none, and how many are legal.

    It is `certain` that all are where nothing was drawn and nothing is hidden.
    """
    best, highest, legal = 0, NOTHING, 0
    logarithm = math.log(tree.visits[node] + 1.0)
    child = int(tree.children[node])
    while child > 0:
        if tree.seats[child] == who and (certain or check(game, world, 0, who, int(tree.actions[child])) == 0):
            legal += 1
            visits = float(tree.visits[child])
            bound = tree.totals[child] / visits + explore * math.sqrt(logarithm / visits)
            if bound > highest:
                best, highest = child, bound
        child = int(tree.siblings[child])
    return best, legal


@kernel
def add_child(tree: Tree, node: int, who: int, action: int) -> int:
    """Add a child to a node and return it."""
    child = int(tree.counts[NODES])
    tree.counts[NODES] = child + 1
    tree.actions[child], tree.seats[child] = action, who
    tree.siblings[child] = tree.children[node]
    tree.children[node] = child
    return child


@kernel
def walk(
    game: Table, tree: Tree, beam: Beam, world: Words, seat: int, seats: int, key: int, sample: int, manner: Manner, whole: bool,
    explore: float, widening: float, desk: Desk,
) -> None:  # fmt: skip
    """Go down the tree from the state in world[0], play on from there, and let the path learn what came out.

    The tree has the moves of all seats if it is `whole`; else only those of the seat that thinks.
    """
    node, length, draws, more = 0, 0, 0, True
    walks = float(max(tree.counts[WALKS], 1))
    mean = tree.sums[SUM] / walks
    scale = explore * math.sqrt(max(tree.sums[SQUARES] / walks - mean * mean, 1e-6))
    while more and length < len(tree.path):
        mask = waiting(game, world, 0)
        if mask == 0:
            more = draw_next(game, world, key, sample, draws, desk)
            draws += 1
            continue
        who = seat if (mask >> seat) & 1 else first_bit(mask)
        if who != seat and not (whole and mask & (mask - 1) == 0):
            play_seat(game, beam, world, who, False, manner, desk)
            continue
        certain = draws == 0 and not hides_draws(game, world)
        child, legal = best_child(game, world, tree, node, who, certain, scale)
        room = tree.counts[NODES] < len(tree.actions) and not (certain and tree.full[node] == 1)
        if room and (widening == 0.0 or legal == 0 or legal < widening * math.sqrt(tree.visits[node])):
            action = new_move(game, tree, beam, world, node, who, legal, manner, desk)
            if action >= 0:
                child, more = add_child(tree, node, who, action), False
            elif certain:
                tree.full[node] = 1
        if child == 0:
            break
        apply(game, world, 0, who, int(tree.actions[child]))
        tree.path[length] = child
        length += 1
        node = child
    result = play_sample(game, beam, world, seat, seats, key, sample, draws, manner, desk)
    tree.counts[WALKS] += 1
    tree.sums[SUM] += result
    tree.sums[SQUARES] += result * result
    tree.visits[0] += 1
    tree.results[seat] = result
    for other in range(seats if whole else 0):
        if other != seat:
            tree.results[other] = lead(game, world, 0, other, seats, manner.rivals, desk)
    for i in range(length):
        node = int(tree.path[i])
        tree.visits[node] += 1
        tree.totals[node] += tree.results[tree.seats[node]]


@kernel
def grow_tree(
    game: Table, roots: Words, tree: Tree, beam: Beam, world: Words, seat: int, seats: int, first: int, last: int, most: int,
    key: int, manner: Manner, whole: bool, explore: float, widening: float, desk: Desk,
) -> int:  # fmt: skip
    """Go on walks number `first` to `last`; roots[0] is what the seat sees. Return the next number after `most` tried moves."""
    before = beam.counts[TRIES]
    for number in range(first, last):
        if beam.counts[TRIES] - before >= most:
            return number
        copy_row(world, 0, roots, 0)
        chance.start_stream(key, number, desk.words[4:8])
        resample(game, world, 0, seat, desk.words[4:8])
        walk(game, tree, beam, world, seat, seats, key, number, manner, whole, explore, widening, desk)
        if manner.policy == UNIFORM:
            beam.counts[TRIES] += 8
    return last
