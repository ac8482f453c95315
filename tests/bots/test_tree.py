"""`lamplighter.bots.search.tree`: what a tree counts, that it sees what plans overlook, and that it plays every game."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from walks import new_stream, waiting_position

import lamplighter
from lamplighter import games
from lamplighter.bots import Budget
from lamplighter.bots.arena import Contest, compete
from lamplighter.bots.levels import habits_of
from lamplighter.bots.search.plan import MOST_NODES, Habits, Search, new_tree
from lamplighter.bots.search.room import Tree
from lamplighter.bots.search.tree import NODES
from lamplighter.engine.game import Game
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.jit import PURE

TREE = Habits(policy="uniform", tree="all", rivals=1.0, simulations=40 if PURE else 2000)
SMALL = Habits(tree="own", widening=1.0, turns=1, simulations=4)
# To compile a tree takes a minute for a large game. Those that are not played by one are tried by `make pure`.
every_game = pytest.mark.parametrize(
    "name", [name for name in games.names() if PURE or not games.load(name).has("evaluate")]
)


def grown(position: Position, habits: Habits, monkeypatch: pytest.MonkeyPatch, nodes: int = MOST_NODES) -> Tree:
    """Return the tree that a search lets grow, with room for so many nodes."""
    made = list[Tree]()

    def make(wanted: int, seats: int) -> Tree:
        made.append(new_tree(min(wanted, nodes), seats))
        return made[-1]

    monkeypatch.setattr("lamplighter.bots.search.plan.new_tree", make)
    search = Search(position.variant, habits)
    search.choose(position.seen_by(position.waiting[0]).state, position.waiting[0], Budget(), new_stream())
    assert search.simulations == habits.simulations
    return made[0]


@every_game
def test_every_walk_is_counted_on_its_way(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = grown(waiting_position(lamplighter.load(name)), replace(TREE, simulations=12), monkeypatch)
    assert tree.visits[0] == 12 == sum(tree.visits[child] for child in tree.ranked(0))
    for node in range(1, int(tree.counts[NODES])):
        assert tree.visits[node] >= 1 + sum(tree.visits[child] for child in tree.ranked(node))
    assert tree.ranked(0) == sorted(tree.ranked(0), key=lambda child: -tree.visits[child])


@every_game
def test_the_same_simulations_give_the_same_choice(name: str) -> None:
    position = waiting_position(lamplighter.load(name))
    seat, found = position.waiting[0], []
    for most in (2000, 2000, 1):  # slices of another length change nothing
        search = Search(position.variant, SMALL)
        search._most = most
        found.append(search.choose(position.state, seat, Budget(), new_stream()))
    assert found[0] == found[1] == found[2]


@every_game
def test_what_is_hidden_does_not_change_the_choice(name: str) -> None:
    variant = Variant(games.load(name), {"seats": games.load(name).seats[1]})
    position = waiting_position(variant)
    seat = position.waiting[0]
    other = position.seen_by(seat)
    other.resample(seat, new_stream(5))
    assert (other != position) == bool(variant.game.rows.hides_draws(variant.boxes))
    chosen = [
        Search(variant, SMALL).choose(one.seen_by(seat).state, seat, Budget(), new_stream())
        for one in (position, other)
    ]
    assert chosen[0] == chosen[1]


@every_game
def test_every_seat_gets_moves_of_its_own(name: str) -> None:
    """Also where others must act as well: they are not in the tree then, since nobody sees their moves."""
    position = waiting_position(Variant(games.load(name), {"seats": games.load(name).seats[1]}))
    for seat in position.waiting:
        for kind in ("own", "all"):
            habits = replace(TREE, tree=kind, simulations=8)
            plans = Search(position.variant, habits).choose(position.seen_by(seat).state, seat, Budget(), new_stream())
            assert all(position.refusal(seat, plan.actions[0]) is None for plan in plans)


@every_game
def test_a_plan_is_of_legal_moves_of_one_turn(name: str) -> None:
    """Moves that were tried often follow the first; each is legal after those before it."""
    position = waiting_position(lamplighter.load(name))
    seat = position.waiting[0]
    habits = replace(SMALL, simulations=4 if PURE else 300)
    for plan in Search(position.variant, habits).choose(position.state, seat, Budget(), new_stream())[:3]:
        later = position.copy()
        for action in plan.actions:
            assert later.refusal(seat, action) is None
            later.act(seat, action)


def test_a_spent_budget_still_gives_a_legal_move() -> None:
    position = waiting_position(lamplighter.load("connect_four"))
    stopped = Budget()
    stopped.stop()
    plans = Search(position.variant, replace(TREE, simulations=10**7)).choose(position.state, 0, stopped, new_stream())
    assert position.refusal(0, plans[0].actions[0]) is None


def test_few_walks_are_not_one_for_each_move(monkeypatch: pytest.MonkeyPatch) -> None:
    position = waiting_position(lamplighter.load("connect_four"))
    tree = grown(position, replace(TREE, simulations=20), monkeypatch)
    assert len(tree.ranked(0)) < 7 and tree.visits[tree.ranked(0)[0]] > 3


def test_a_tree_that_is_full_goes_on_without_new_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    position = waiting_position(lamplighter.load("connect_four"))
    tree = grown(position, replace(TREE, simulations=40), monkeypatch, nodes=10)
    assert tree.counts[NODES] == 10 and tree.visits[0] == 40


def test_a_tree_of_ones_own_has_no_moves_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    position = waiting_position(lamplighter.load("connect_four"))
    for kind, seats in (("own", {0}), ("all", {0, 1})):
        tree = grown(position, replace(TREE, tree=kind, simulations=40), monkeypatch)
        assert set(tree.seats[1 : int(tree.counts[NODES])].tolist()) == seats


def test_a_tree_widens_as_it_is_visited(monkeypatch: pytest.MonkeyPatch) -> None:
    position = waiting_position(lamplighter.load("connect_four"))
    children = [
        len(grown(position, replace(TREE, widening=0.5, simulations=count), monkeypatch).ranked(0)) for count in (4, 30)
    ]
    assert children == [1, 3]


@pytest.mark.skipif(PURE, reason="thousands of samples")
def test_a_tree_agrees_with_all_lines_of_play() -> None:
    """Near the end of Connect Four all lines are tried; the tree plays a move that loses nothing, wherever moves differ."""
    variant, rng, seen = lamplighter.load("connect_four"), random.Random(3), 0

    def best(position: Position, seat: int) -> int:
        """What a seat gets with the best play of both: its points less those of the other."""
        if position.is_over:
            return position.total(seat) - position.total(1 - seat)
        acting = position.waiting[0]
        values = [best(after(position, action), seat) for action in position.legal_actions(acting)]
        return max(values) if acting == seat else min(values)

    def after(position: Position, action: int) -> Position:
        later = position.copy()
        later.act(later.waiting[0], action)
        return later

    while seen < 6:
        position = waiting_position(variant)
        for _ in range(34):
            if not position.is_over:
                position = after(position, rng.choice(position.legal_actions(position.waiting[0])))
        if position.is_over:
            continue
        seat = position.waiting[0]
        values = {action: best(after(position, action), seat) for action in position.legal_actions(seat)}
        if len(set(values.values())) > 1:
            seen += 1
            found = Search(variant, TREE).choose(position.state, seat, Budget(), new_stream(seen))
            assert values[found[0].actions[0]] == max(values.values())


@pytest.mark.skipif(PURE, reason="thousands of samples")
def test_a_tree_beats_plans_where_two_take_turns() -> None:
    """Which is why games without an `evaluate.py` are played with one."""
    bots = ("search?simulations=500&tree=3", "search?simulations=500&tree=1")
    summary = compete(Contest(lamplighter.load("connect_four"), bots), 40).summary()
    assert summary["differences"][0]["ci95"][0] > 0


def test_only_games_without_an_opinion_are_played_by_a_tree(game: Game) -> None:
    assert bool(habits_of(Variant(game), "expert").tree) == (not game.has("evaluate"))
