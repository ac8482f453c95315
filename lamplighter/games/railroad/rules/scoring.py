"""The scoring lines, their sum, and who wins."""

from __future__ import annotations

from typing import Any

from lamplighter.games.railroad.components.tables import GOALS, MARKS
from lamplighter.games.railroad.rules.goals import centre_spaces, score_goal
from lamplighter.games.railroad.rules.networks import all_exits, all_links, longest_line, network_exits
from lamplighter.games.railroad.rules.power import score_power
from lamplighter.games.railroad.rules.turns import Box, Out, State
from lamplighter.jit import count_bits, kernel


@kernel
def exit_networks(box: Box, state: State, seat: int) -> Any:
    """§7.1 Return points for exits, exits in networks with two or more, and how many such networks there are.

    Networks with 3 and 2 exits are worth 8 + 4; all twelve in one 45.
    """
    exits = all_exits(box, state, seat)
    left = exits[0] | exits[1] | exits[2] | exits[3]
    points, connected, networks = 0, 0, 0
    if left & (left - 1) == 0:
        return points, connected, networks
    links = all_links(box, state, seat)
    while left & (left - 1):
        met = network_exits(links, exits, left & -left)
        left &= ~met
        n = count_bits(met)
        points += int(box["exit_points"][n])
        if n > 1:
            connected += n
            networks += 1
    return points, connected, networks


@kernel
def score_exits(box: Box, state: State, seat: int) -> int:
    """§7.1 The points of all networks."""
    return int(exit_networks(box, state, seat)[0])


@kernel
def score_line(box: Box, state: State, seat: int, kind: int) -> int:
    """§7.2 1 point for each space of the longest highway (0) or railway (4)."""
    return longest_line(box, state, seat, kind, bool(box["cross_once"]))


@kernel
def score_centre(box: Box, state: State, seat: int) -> int:
    """§7.3 1 point for each drawn space of the centre: nine at most, eight with the accumulator (§6.7, R19)."""
    return centre_spaces(box, state, seat)


@kernel
def score_errors(box: Box, state: State, seat: int) -> int:
    """§7.4, §6.7 1 point less for each end that meets nothing of its type: a curve into an empty space is -1."""
    errors = 0
    for side in range(4):
        inner = int(box["inner"][side])
        for mark in range(side, MARKS, 4):
            errors += count_bits(int(state["sides"][seat, mark]) & ~int(state["offers"][seat, mark]) & inner)
    return -errors


@kernel
def score_villages(box: Box, state: State, seat: int) -> int:
    """§4.1, §7.5 Stations in villages: one is worth 2, three are worth 6."""
    return int(box["village_points"][count_bits(int(state["stations"][seat]) & int(box["villages"]))])


@kernel
def score_expansion(box: Box, state: State, seat: int) -> int:
    """§5.2, §6.6, §7.5 1 point for each active lamp; or charges times linked exits."""
    if box["power"]:
        return score_power(box, state, seat)
    return count_bits(int(state["lit"][seat]))


@kernel
def score(box: Box, state: State, seat: int, out: Out) -> int:
    """§7.1–§7.5 Exits, highway, railway, centre, errors, villages, three goals, expansion."""
    out[0] = score_exits(box, state, seat)
    for i in range(2):
        out[1 + i] = score_line(box, state, seat, 4 * i)
    out[3] = score_centre(box, state, seat)
    out[4] = score_errors(box, state, seat)
    out[5] = score_villages(box, state, seat)
    for i in range(GOALS):
        out[6 + i] = score_goal(box, state, seat, i)
    out[6 + GOALS] = score_expansion(box, state, seat)
    total = 0
    for line in range(7 + GOALS):
        total += int(out[line])
    return total


@kernel
def standing(box: Box, state: State, seat: int, total: int) -> int:
    """§7.6 The higher total wins, then fewer errors; then the victory is shared."""
    return total * 512 + score_errors(box, state, seat)


@kernel
def facts(box: Box, state: State, seat: int, out: Out) -> int:
    """§7.1, §2.3 Exits joined to others, networks of at least two exits, special routes used."""
    _, exits, networks = exit_networks(box, state, seat)
    out[0] = exits
    out[1] = networks
    out[2] = count_bits(int(state["specials"][seat]))
    return 3
