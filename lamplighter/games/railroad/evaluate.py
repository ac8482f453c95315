"""What the one-ply greedy bot maximises: the score, and what open ends, networks and lines promise for the rounds left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamplighter.games.railroad.ceiling import ceiling as ceiling
from lamplighter.games.railroad.components.tables import GOALS, MARKS
from lamplighter.games.railroad.features import MIRROR
from lamplighter.games.railroad.features import features as features
from lamplighter.games.railroad.features import stage as stage
from lamplighter.games.railroad.rules.effects import active_universities
from lamplighter.games.railroad.rules.goals import goal_count, score_goal
from lamplighter.games.railroad.rules.networks import all_exits, all_links, longest_line, network_exits
from lamplighter.games.railroad.rules.power import linked_exits, onward
from lamplighter.games.railroad.rules.scoring import score_centre, score_expansion, score_villages
from lamplighter.games.railroad.rules.turns import Box, Out, State
from lamplighter.jit import count_bits, kernel

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

# In hundredths of a point, found by an evolution strategy over some thousand matches of one greedy seat. Those marked *
# count once for every round that is still to come.
POINT = 100
LONE_EXIT = -50  # a connected exit before it meets another
JOINED_EXIT = 60  # * each exit of a network after its first: networks grow
LINE = -15  # * a space of a longest line: early ones come of themselves
CENTRE = -35  # * a space of the centre
DEAD_END = -170  # an end against a blank side: it stays
OPEN_END = 30  # * an end that can still be continued loses less than a point
PAIR = 125  # an empty space that two ends of one type and none of the other look at
MIXED = 20  # an empty space that both types look at
SPECIAL = -25  # * a special route used
GOAL = 400  # a goal that will be reached when the step ends
UNIVERSITY = 60  # an active university on the way to the extra special route
COPY = 50  # a copy not drawn yet
CHARGE = 60  # a charge, whatever is linked
LINKED = 80  # a linked exit, whatever the charges
LIT_EXIT = 40  # an electrified edge space with an exit
LIT_BESIDE = 40  # an electrified space beside the accumulator
ELECTRIFIED = 5  # an electrified space


@kernel
def evaluate(box: Box, state: State, seat: int, out: Out) -> int:
    """Return the total now and the value of what is left for later rounds, in hundredths of a point."""
    # A seat alone that says done is in the next round already: that must not make done look worse.
    rolled = int(state["rolled"]) == int(box["dice"])
    left = int(box["rounds"]) - int(state["turn"]) + (0 if rolled else 1)
    once = bool(box["cross_once"])
    lengths = 0
    for kind in range(0, MARKS, 4):
        lengths += longest_line(box, state, seat, kind, once)
    value = (POINT + LINE * left) * lengths
    value += (POINT + CENTRE * left) * score_centre(box, state, seat)
    value += value_of_exits(box, state, seat, left) + value_of_ends(box, state, seat, left)
    value += SPECIAL * left * count_bits(int(state["specials"][seat]))
    value += POINT * score_expansion(box, state, seat)
    if box["challenge"]:
        value += value_of_challenge(box, state, seat)
    if box["power"]:
        value += value_of_power(box, state, seat)
    return value


@kernel
def value_of_exits(box: Box, state: State, seat: int, left: int) -> int:
    """Points for exits, and networks that have begun to grow."""
    exits = all_exits(box, state, seat)
    links = all_links(box, state, seat)
    rest = exits[0] | exits[1] | exits[2] | exits[3]
    value = LONE_EXIT * count_bits(rest)
    while rest:
        met = network_exits(links, exits, rest & -rest)
        rest &= ~met
        n = count_bits(met)
        value += POINT * int(box["exit_points"][n]) + JOINED_EXIT * left * (n - 1)
    return value


@kernel
def value_of_ends(box: Box, state: State, seat: int, left: int) -> int:
    """Ends that are lost, ends that can still be continued, and empty spaces where ends meet."""
    drawn = int(state["drawn"][seat])
    empty = int(box["open"]) & ~drawn
    value = 0
    highway, highway_pair, railway, railway_pair = 0, 0, 0, 0
    for side in range(4):
        blocked = onward(box, drawn, (side + 2) & 3)
        for mark in range(side, MARKS, 4):
            ends = int(state["sides"][seat, mark]) & ~int(state["offers"][seat, mark]) & int(box["inner"][side])
            dead = count_bits(ends & blocked)
            value += DEAD_END * dead + (OPEN_END * left - POINT) * (count_bits(ends) - dead)
        seen_highway = int(state["offers"][seat, side]) & empty
        seen_railway = int(state["offers"][seat, side + 4]) & empty
        highway_pair |= highway & seen_highway
        railway_pair |= railway & seen_railway
        highway |= seen_highway
        railway |= seen_railway
    value += PAIR * count_bits((highway_pair & ~railway) | (railway_pair & ~highway))
    return value + MIXED * count_bits(highway & railway)


@kernel
def value_of_challenge(box: Box, state: State, seat: int) -> int:
    """Villages, goals reached or about to be, universities and copies."""
    value = POINT * score_villages(box, state, seat) + COPY * int(state["copies"][seat])
    value += UNIVERSITY * min(active_universities(box, state, seat), int(box["universities_needed"]))
    for i in range(GOALS):
        goal = int(state["goals"][i])
        if int(state["goal_round"][seat, i]) > 0:
            value += POINT * score_goal(box, state, seat, i)
        elif goal_count(box, state, seat, int(box["goal_kind"][goal])) >= int(box["goal_need"][goal]):
            value += GOAL
    return value


@kernel
def value_of_power(box: Box, state: State, seat: int) -> int:
    """Charges and electrified spaces that are not worth anything yet."""
    electrified = int(state["electrified"][seat])
    value = CHARGE * int(state["charges"][seat]) + ELECTRIFIED * count_bits(electrified)
    value += LINKED * count_bits(linked_exits(box, state, seat)) + LIT_EXIT * count_bits(
        electrified & int(box["exit_spaces"])
    )
    return value + LIT_BESIDE * count_bits(electrified & int(box["around"]))


# --- for a search ---------------------------------------------------------------------------------------------


@kernel
def point(box: Box) -> int:
    """Return how much of `evaluate` is a point."""
    return POINT


@kernel
def lane(box: Box, state: State, seat: int) -> int:
    """Boards are compared after as many dice: without a special route, with one, and before the lamps of one are lit."""
    if state["choosing"][seat]:
        return 2
    return 1 if int(state["counted_now"][seat]) > 0 else 0


def mirror(variant: Variant) -> tuple[tuple[int, int], ...]:
    """Return the features that change places when highways become railways, and railways highways.

    On the board of the base game that changes nothing else, if the board is turned by a quarter; dice and special routes have
    as many of both. Other boards have spaces of their own.
    """
    if variant.own_box or variant.options["edition"] != "base" or variant.options["expansion"] != "none":
        return ()
    return MIRROR


# Without weights a sample plays two rounds, and more of them are needed: only the base game has weights.
SEARCH = {
    "mirror": mirror,
    "fitted_for": ("edition", "expansion"), "order_free": True, "beam": 8, "last_beam": 0, "width": 1, "turns": 1,
    "unfitted": {"turns": 2}, "gate": 0.0, "prior": 0.5,
    "medium": {"beam": 1, "fitted": True, "unfitted": {"beam": 30}},
    "hard": {
        "beam": 24, "last_beam": 60, "candidates": 8, "simulations": 40,
        "unfitted": {"turns": 2, "beam": 40, "last_beam": 100, "candidates": 24, "simulations": 230},
    },
    "expert": {
        "beam": 80, "last_beam": 400, "candidates": 48, "simulations": 800, "fewest": 4,
        "finalists": 8, "final_turns": 2, "final_width": 2,
        "unfitted": {
            "turns": 2, "beam": 150, "last_beam": 1000, "candidates": 128, "simulations": 2500, "finalists": 16,
        },
    },
}  # fmt: skip
