"""The room that a search works in, as its kernels get it: where plans grow, what a game needs, and a fitted value."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lamplighter.jit import FloatColumn, FloatRows, Floats, IntColumn, IntRows, Ints, SingleRows, Singles, Words

Array = Any


class Beam(NamedTuple):
    """Where plans grow. Slot 0 is room to try; then two layers of lanes take turns, then the plans that are finished."""

    states: Words
    values: Floats  # in points
    groups: Ints
    keys: Ints  # what tells the states of a layer apart
    moves: IntRows
    lengths: Ints
    counts: Ints
    table: Ints  # hashes of the states met in a layer, and the stamp of the layer
    stamps: Ints


class Tree(NamedTuple):
    """Where a tree of moves grows. Node 0 is the state that is searched; a number of 0 elsewhere says that there is none."""

    children: IntColumn  # the latest child of each node
    siblings: IntColumn  # the child of the same node that was added before
    actions: IntColumn  # the move that leads to a node
    seats: IntColumn  # who makes it
    visits: IntColumn
    totals: FloatColumn  # sums of the results of the seat that makes the move, in points
    full: IntColumn  # 1 where every move has been tried, whatever was drawn or is hidden
    path: Ints  # the nodes of a walk
    results: Floats  # what came out of a walk for each seat
    counts: Ints
    sums: Floats

    def ranked(self, node: int) -> list[int]:
        """Return the children of a node, the most visited first."""
        found, child = list[int](), int(self.children[node])
        while child:
            found.append(child)
            child = int(self.siblings[child])
        return sorted(found, key=lambda one: (-self.visits[one], -self.totals[one], self.actions[one]))


class Desk(NamedTuple):
    """What the kernels of a game need beside states."""

    actions: Ints
    weights: Ints
    lines: Ints
    words: Ints
    numbers: Ints  # features
    value: FloatRows  # fitted weights, a row for each `stage`; none if empty
    hidden: (
        SingleRows  # weights of hidden nodes, a row for each feature and one of constants; no columns if there are none
    )
    deep: SingleRows  # weights of a second layer of nodes, a row for each node of the first and one of constants; likewise
    nodes: Singles  # what the nodes of both layers say of a state


class Value(NamedTuple):
    """A fitted value: features, then what hidden nodes say of them, then a constant, weighed by the turns that are left."""

    rows: Array
    hidden: Array  # a row for each feature and one of constants, a column for each node of the first layer
    deep: Array = np.zeros((1, 0))  # likewise of the second layer: a row for each node of the first
