"""What a seat cannot exceed, once the dice that are still to come are known. `evaluate.py` offers it.

Each scoring line has a maximum of its own, and they are added up; errors are at best 0. It is a proof, not a guess:

- *Lines.* A line passes a space by two sides of its type, except at its two ends. So of the spaces with one side of the type at
  most two are in it, and those with more count once, however often the line comes back (R10).
- *Exits.* A network of s segments has at least s - 1 links, each of two sides, and every exit in it takes one more side. So n
  exits need n - 2 sides beyond two for each segment. Straights and curves have none of those, a T has one, a crossroads two.
- *Everything else* counts spaces, stations, lamps or charges, of which there are no more than those that are there and those that
  may still be drawn: the dice, a copy for each factory, and special routes within their limits.
"""

from __future__ import annotations

from lamplighter.games.railroad.components.tables import GOALS, MAX_SIDE, MAX_SPECIALS
from lamplighter.games.railroad.rules.effects import active_universities
from lamplighter.games.railroad.rules.goals import centre_spaces, score_goal
from lamplighter.games.railroad.rules.networks import all_exits
from lamplighter.games.railroad.rules.turns import Box, Out, State
from lamplighter.jit import count_bits, kernel

# Where the counts are in `out`: spaces with one side of a type (highway, railway), with more of it, sides beyond two of each
# segment; routes, stations, lamp routes, Power Grid dice that are still to come.
ONE, MORE, SPARE_SIDES, ROUTES, STATIONS, LAMPS, POWER, COUNTS = 0, 2, 4, 5, 6, 7, 8, 9
WIDTH = 4 * MAX_SIDE + 1  # exits are 4 * MAX_SIDE at most
ENDS = 2  # of a line


@kernel
def ceiling(box: Box, state: State, seat: int, dice: Out, plays: Out, out: Out) -> int:
    """§7 Return the sum of what each scoring line can be at most. What the others play changes nothing in it."""
    for i in range(COUNTS):
        out[i] = 0
    count_board(box, state, seat, out)
    count_dice(box, state, seat, dice, out)
    specials = specials_left(box, state, seat)
    copies = int(state["copies"][seat]) + count_bits(int(box["factories"]) & ~int(state["drawn"][seat]))
    for _ in range(copies if box["challenge"] else 0):  # §4.3 it may be any route: one that is good for everything
        add_route(out, 2, 2, True, False)
        out[ROUTES] += 1
        out[STATIONS] += 1
    free = int(box["open"]) & ~int(state["drawn"][seat])
    routes = min(int(out[ROUTES]) + specials, count_bits(free))
    centre = centre_spaces(box, state, seat) + min(count_bits(int(box["centre"]) & free), routes)
    return (
        most_of_networks(box, state, seat, specials, routes, out)
        + centre
        + most_of_villages(box, state, seat, specials, out)
        + most_of_goals(box, state, seat)
        + most_of_expansion(box, state, seat, specials, out)
    )


# --- what is there, and what may come -------------------------------------------------------------------------


@kernel
def add_route(out: Out, highway: int, railway: int, station: bool, double: bool) -> None:
    """§1.8 Count a route by its sides of each type; `double`: they are two segments of one type."""
    for kind in range(2):
        sides = highway if kind == 0 else railway
        if sides == 1:
            out[ONE + kind] += 1
        elif sides > 1:
            out[MORE + kind] += 1
    if station:
        out[SPARE_SIDES] += max(0, highway + railway - 2)
    elif not double:
        out[SPARE_SIDES] += max(0, highway - 2) + max(0, railway - 2)


@kernel
def count_board(box: Box, state: State, seat: int, out: Out) -> None:
    """Count the routes that are drawn."""
    for space in range(int(box["spaces"])):
        if not (int(state["drawn"][seat]) >> space) & 1:
            continue
        highway, railway, second = 0, 0, 0
        for side in range(4):
            highway += (int(state["sides"][seat, side]) >> space) & 1
            railway += (int(state["sides"][seat, side + 4]) >> space) & 1
            second += (int(state["second"][seat, side]) >> space) & 1
        add_route(out, highway, railway, bool((int(state["stations"][seat]) >> space) & 1), second > 0)


@kernel
def count_dice(box: Box, state: State, seat: int, dice: Out, out: Out) -> None:
    """§2.1 Count what is left of this step's dice, and all dice that come. All dice of this round have been rolled."""
    for die in range(int(box["dice"])):
        if (int(state["todo"][seat]) >> die) & 1:
            count_die(box, die, int(state["dice"][die]), out)
        elif not state["power_step"] and die >= int(box["route_dice"]) + int(box["lamp_dice"]):
            out[POWER] += 1  # §6.2 used after drawing
    for i in range(len(dice)):
        count_die(box, i % int(box["dice"]), int(dice[i]), out)


@kernel
def count_die(box: Box, die: int, face: int, out: Out) -> None:
    if die >= int(box["route_dice"]) + int(box["lamp_dice"]):
        out[POWER] += 1
        return
    count_route(box, face, out)
    out[ROUTES] += 1
    out[STATIONS] += int(box["entry_station"][int(box["first_entry"][face])])
    if die >= int(box["route_dice"]):
        out[LAMPS] += 1


@kernel
def count_route(box: Box, route: int, out: Out) -> None:
    """Count a route of the catalogue. However it is turned, it has as many sides of each type."""
    entry = int(box["first_entry"][route])
    highway, railway = 0, 0
    for side in range(4):
        highway -= int(box["entry_has"][entry, side])
        railway -= int(box["entry_has"][entry, side + 4])
    add_route(out, highway, railway, box["entry_station"][entry] != 0, box["entry_second"][entry] != 0)


@kernel
def specials_left(box: Box, state: State, seat: int) -> int:
    """§2.3, §4.2 Return how many special routes can still be drawn: within the limits, and the extra one."""
    rounds = int(box["rounds"]) - int(state["turn"]) + 1
    a_round = int(box["specials_a_round"]) * rounds - int(state["counted_now"][seat])
    allowed = min(int(box["specials_a_game"]) - int(state["counted"][seat]), a_round) + int(state["extra"][seat])
    if box["challenge"] and active_universities(box, state, seat) < int(box["universities_needed"]):
        allowed += 1
    return min(allowed, int(box["specials"]) - count_bits(int(state["specials"][seat])))


# --- what it can be worth -------------------------------------------------------------------------------------


@kernel
def most_of_networks(box: Box, state: State, seat: int, specials: int, routes: int, out: Out) -> int:
    """§7.1, §7.2 Return the most that exits, highway and railway can be together, over all choices of special routes."""
    exits = all_exits(box, state, seat)
    joined = exits[0] | exits[1] | exits[2] | exits[3]
    free = int(box["exit_spaces"]) & int(box["open"]) & ~int(state["drawn"][seat])
    reached = count_bits(joined) + min(count_bits(free), routes)
    points = out[COUNTS + 5 :]
    fill_exit_points(box, reached, points)
    spaces = count_bits(int(state["drawn"][seat])) + routes
    counts, saved = out[:5], out[COUNTS : COUNTS + 5]
    for i in range(5):
        saved[i] = counts[i]
    best = 0
    for chosen in range(1 << int(box["specials"])):
        if chosen & int(state["specials"][seat]) or count_bits(chosen) > specials:
            continue
        for i in range(5):
            counts[i] = saved[i]
        for special in range(MAX_SPECIALS):
            if (chosen >> special) & 1:
                count_route(box, int(box["first_special"]) + special, counts)
        value = int(points[reached * WIDTH + min(int(counts[SPARE_SIDES]), reached)])
        for kind in range(2):
            value += min(int(counts[MORE + kind]) + min(int(counts[ONE + kind]), ENDS), spaces)
        best = max(best, value)
    return best


@kernel
def fill_exit_points(box: Box, exits: int, points: Out) -> None:
    """§7.1 Write the most points of so many exits with so many sides to spare, at exits * WIDTH + spare.

    A network of n exits takes n of the exits and n - 2 of the sides. How the rest is shared out is the same question again.
    """
    for n in range(exits + 1):
        for spare in range(exits + 1):
            best = int(points[(n - 1) * WIDTH + spare]) if n > 0 else 0
            for size in range(2, min(n, spare + 2) + 1):
                rest = int(points[(n - size) * WIDTH + spare - size + 2])
                best = max(best, int(box["exit_points"][size]) + rest)
            points[n * WIDTH + spare] = best


@kernel
def most_of_villages(box: Box, state: State, seat: int, specials: int, out: Out) -> int:
    """§4.1 Return the most of the village track within reach."""
    now = count_bits(int(box["villages"]) & int(state["stations"][seat]))
    free = count_bits(int(box["villages"]) & int(box["open"]) & ~int(state["drawn"][seat]))
    best = 0
    for villages in range(now, now + min(free, int(out[STATIONS]) + specials) + 1):
        best = max(best, int(box["village_points"][villages]))
    return best


@kernel
def most_of_goals(box: Box, state: State, seat: int) -> int:
    """§4.4 Return the points of goals that are reached, which stay, and the most that each of the others can give."""
    total = 0
    for i in range(GOALS if box["challenge"] else 0):
        if int(state["goal_round"][seat, i]) > 0:
            total += score_goal(box, state, seat, i)
        elif box["solo"]:
            early = int(box["solo_points"][0]) if int(state["turn"]) <= int(box["solo_rounds"][i]) else 0
            total += max(early, int(box["solo_points"][1]))
        else:
            points = box["goal_points"]
            total += max(int(points[0]), int(points[1]), int(points[2]))
    return total


@kernel
def most_of_expansion(box: Box, state: State, seat: int, specials: int, out: Out) -> int:
    """§5.2, §6.6 Return the most of lamps, a line of them for each special route; or of charges, each die one, times exits."""
    if box["power"]:
        charges = min(int(state["charges"][seat]) + int(out[POWER]), int(box["most_charges"]))
        return charges * count_bits(int(box["exit_spaces"]) & int(box["open"]))
    lines = specials + int(state["choosing"][seat])
    lit = count_bits(int(state["lit"][seat])) + lines * max(int(box["rows"]), int(box["columns"]))
    return min(lit, count_bits(int(state["lamps"][seat])) + int(out[LAMPS]))
