"""The room that a search works in, as its kernels get it: where plans grow, what a game needs, and a fitted value."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Array = Any


class Beam(NamedTuple):
    """Where plans grow. Slot 0 is room to try; then two layers of lanes take turns, then the plans that are finished."""

    states: Array
    bytes: Array  # the same memory as rows of integers, to tell equal states
    values: Array  # in points
    groups: Array
    keys: Array  # what tells the states of a layer apart
    moves: Array
    lengths: Array
    counts: Array
    table: Array  # hashes of the states met in a layer, and the stamp of the layer
    stamps: Array


class Tree(NamedTuple):
    """Where a tree of moves grows. Node 0 is the state that is searched; a number of 0 elsewhere says that there is none."""

    children: Array  # the latest child of each node
    siblings: Array  # the child of the same node that was added before
    actions: Array  # the move that leads to a node
    seats: Array  # who makes it
    visits: Array
    totals: Array  # sums of the results of the seat that makes the move, in points
    full: Array  # 1 where every move has been tried, whatever was drawn or is hidden
    path: Array  # the nodes of a walk
    results: Array  # what came out of a walk for each seat
    counts: Array
    sums: Array

    def ranked(self, node: int) -> list[int]:
        """Return the children of a node, the most visited first."""
        found, child = list[int](), int(self.children[node])
        while child:
            found.append(child)
            child = int(self.siblings[child])
        return sorted(found, key=lambda one: (-self.visits[one], -self.totals[one], self.actions[one]))


class Desk(NamedTuple):
    """What the kernels of a game need beside states."""

    actions: Array
    weights: Array
    lines: Array
    words: Array
    numbers: Array  # features
    value: Array  # fitted weights, a row for each `stage`; none if empty
    hidden: Array  # weights of hidden nodes, a row for each feature and one of constants; no columns if there are none
    deep: Array  # weights of a second layer of nodes, a row for each node of the first and one of constants; likewise
    nodes: Array  # what the nodes of both layers say of a state


class Value(NamedTuple):
    """A fitted value: features, then what hidden nodes say of them, then a constant, weighed by the turns that are left."""

    rows: Array
    hidden: Array  # a row for each feature and one of constants, a column for each node of the first layer
    deep: Array = np.zeros((1, 0))  # likewise of the second layer: a row for each node of the first
