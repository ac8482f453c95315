"""What a fitted value weighs: numbers that say how good a board is, and how much it may still become."""

from __future__ import annotations

from typing import Any

from lamplighter.games.railroad.components.tables import GOALS, MARKS
from lamplighter.games.railroad.features.lines import beside, features_of_lines, hoped_lines
from lamplighter.games.railroad.rules.effects import active_universities
from lamplighter.games.railroad.rules.goals import goal_count, line_spaces, score_goal
from lamplighter.games.railroad.rules.networks import all_exits, all_links, longest_line, network_of
from lamplighter.games.railroad.rules.power import linked_exits, onward
from lamplighter.games.railroad.rules.scoring import score_centre, score_expansion, score_villages
from lamplighter.games.railroad.rules.turns import Box, Out, State
from lamplighter.jit import count_bits, first_bit, kernel

# room in `out`, after the features
HIGHWAYS, RAILWAYS, EXITS, NEAR = 144, 156, 168, 180  # a number for each network; of NEAR four
ENDS, ALIKE, SEEN, OPEN, EDGE = 228, 236, 340, 348, 356  # a number for each mark; of ALIKE for each two
MOST_NETWORKS = 12

# features of highways, and the same of railways: lines, ends, spaces that ends see, meetings; shapes; lines that are hoped for
MIRROR = (
    (1, 2), (5, 6), (7, 8), (9, 10), (25, 26),
    *((i, i + 6) for i in range(34, 40)),
    *((i, i + 10) for i in range(67, 77)),
)  # fmt: skip


@kernel
def stage(box: Box, state: State, seat: int) -> int:
    """Rounds still to play, in sixteenths: dice that are not drawn yet are a part of a round."""
    left = int(box["rounds"]) - int(state["turn"])
    if int(state["rolled"]) < int(box["dice"]):
        return 16 * (left + 1)
    if state["power_step"] or (int(state["done"]) >> seat) & 1:
        return 16 * left
    return 16 * left + 16 * count_bits(int(state["todo"][seat])) // int(box["route_dice"])


@kernel
def features(box: Box, state: State, seat: int, out: Out) -> int:
    """The score and its parts; networks and how near they are; ends and the spaces they see; lines and what they could be."""
    drawn = int(state["drawn"][seat])
    empty = int(box["open"]) & ~drawn
    once = bool(box["cross_once"])
    n = features_of_ends(box, state, seat, empty, out, 4)
    out[1] = longest_line(box, state, seat, 0, once)
    out[2] = longest_line(box, state, seat, 4, once)
    out[3] = score_centre(box, state, seat)
    n, points = features_of_networks(box, state, seat, empty, out, n)
    hoped, seen = -int(out[1]) - int(out[2]), 0
    for kind in range(0, MARKS, 4):
        out[n], out[n + 1] = hoped_lines(box, state, seat, kind, empty)
        hoped += int(out[n + 1])
        n = features_of_lines(box, state, seat, kind, empty, int(out[1 + kind // 4]), out, n + 2)
    for mark in range(MARKS):
        seen |= int(state["offers"][seat, mark])
    seen_centre = count_bits(seen & empty & int(box["centre"]))
    usable = usable_specials(box, state, seat)
    for i in range(3):
        out[n + i] = int(usable > i)
    out[n + 3] = count_bits(int(state["stations"][seat]))
    out[n + 4] = seen_centre
    out[n + 7] = count_bits(beside(box, seen & empty) & empty & ~seen & int(box["centre"]))
    out[n + 5] = int(usable > 0) * (int(out[5]) + int(out[6]))
    out[n + 6] = int(usable > 0) * hoped
    n += 8
    total = points + int(out[1]) + int(out[2]) + int(out[3]) - int(out[4]) - int(out[5]) - int(out[6])
    if box["lamps"] or box["power"]:
        n, more = features_of_expansion(box, state, seat, out, n)
        total += more
    if box["challenge"]:
        n, more = features_of_challenge(box, state, seat, empty, out, n)
        total += more
    out[0] = total
    return int(n)


@kernel
def usable_specials(box: Box, state: State, seat: int) -> int:
    """Return how many special routes can still be drawn: no more than rounds and limits allow."""
    rounds = (stage(box, state, seat) + 15) >> 4
    if int(state["rolled"]) == int(box["dice"]) and int(state["counted_now"][seat]) >= int(box["specials_a_round"]):
        rounds = int(box["rounds"]) - int(state["turn"])
    left = int(box["specials_a_game"]) - int(state["counted"][seat])
    return min(left, rounds * int(box["specials_a_round"])) + int(state["extra"][seat])


@kernel
def features_of_ends(box: Box, state: State, seat: int, empty: int, out: Out, n: int) -> int:
    """Ends that are lost, open ends of both types, and empty spaces by the ends that they see. Return the next number."""
    dead, open_highway, open_railway = 0, 0, 0
    once_h, twice_h, once_r, twice_r = 0, 0, 0, 0
    many = 0
    for side in range(4):
        inner, blocked = int(box["inner"][side]), onward(box, int(state["drawn"][seat]), (side + 2) & 3)
        highway = int(state["sides"][seat, side]) & ~int(state["offers"][seat, side]) & inner
        railway = int(state["sides"][seat, side + 4]) & ~int(state["offers"][seat, side + 4]) & inner
        dead += count_bits(highway & blocked) + count_bits(railway & blocked)
        open_highway += count_bits(highway & ~blocked)
        open_railway += count_bits(railway & ~blocked)
        seen_h, seen_r = int(state["offers"][seat, side]) & empty, int(state["offers"][seat, side + 4]) & empty
        many |= (seen_h | seen_r) & (twice_h | twice_r | (once_h & once_r))
        twice_h |= once_h & seen_h
        twice_r |= once_r & seen_r
        once_h |= seen_h
        once_r |= seen_r
    out[n] = dead
    out[n + 1] = open_highway
    out[n + 2] = open_railway
    mixed = once_h & once_r
    out[n + 3] = count_bits(once_h & ~twice_h & ~mixed)
    out[n + 4] = count_bits(once_r & ~twice_r & ~mixed)
    out[n + 5] = count_bits(twice_h & ~mixed & ~many)
    out[n + 6] = count_bits(twice_r & ~mixed & ~many)
    out[n + 7] = count_bits(mixed & ~many)
    out[n + 8] = count_bits(many & ~mixed)
    out[n + 9] = count_bits(many & mixed)
    out[n + 10] = count_bits(empty & ~once_h & ~once_r)
    out[n + 11] = count_bits(twice_h & twice_r)
    return n + 12


@kernel
def features_of_networks(box: Box, state: State, seat: int, empty: int, out: Out, n: int) -> Any:
    """Networks with exits, and what they would be worth if all that are near each other met. Also their points."""
    exits = all_exits(box, state, seat)
    links = all_links(box, state, seat)
    rest = exits[0] | exits[1] | exits[2] | exits[3]
    points, networks, lone, most, second, squares, joined, stuck = 0, 0, 0, 0, 0, 0, 0, 0
    for i in range(MARKS + MARKS * MARKS):
        out[ENDS + i] = 0
    while rest and networks < MOST_NETWORKS:
        start = rest & -rest
        nodes = network_of(links, start & exits[0], start & exits[1], start & exits[2], start & exits[3])
        highway, railway = int(nodes[0] | nodes[1]), int(nodes[2] | nodes[3])
        met = (nodes[0] & exits[0]) | (nodes[1] & exits[1]) | (nodes[2] & exits[2]) | (nodes[3] & exits[3]) | start
        rest &= ~met
        count = count_bits(met)
        points += int(box["exit_points"][count])
        lone += int(count == 1)
        squares += count * count
        joined += count
        if count > most:
            second = most
            most = count
        elif count > second:
            second = count
        highways, railways = note_ends(box, state, seat, highway, railway, empty, out)
        out[HIGHWAYS + networks] = highways
        out[RAILWAYS + networks] = railways
        out[EXITS + networks] = count
        stuck += int((highways | railways) & empty == 0)
        networks += 1
    unused = int(box["exit_spaces"]) & empty
    out[n] = points
    out[n + 1] = networks
    out[n + 2] = lone
    out[n + 3] = most
    out[n + 4] = second
    out[n + 5] = squares
    out[n + 6] = count_bits(unused)
    out[n + 7] = count_bits(int(box["exit_spaces"]) & ~empty) - joined
    out[n + 8] = stuck
    n += 9
    exit_highways = 0
    for side in range(4):
        exit_highways |= int(state["offers"][seat, side]) & int(box["outer"][side])
    parts = networks  # an exit that nothing is joined to yet counts as a network
    while unused and parts < MOST_NETWORKS:
        start = unused & -unused
        out[HIGHWAYS + parts] = start & exit_highways
        out[RAILWAYS + parts] = start & ~exit_highways
        out[EXITS + parts] = 1
        unused &= unused - 1
        parts += 1
    n = features_of_meetings(box, state, seat, parts, out, n)
    n = features_of_shapes(box, state, seat, empty, out, n)
    find_near(box, empty, parts, out)
    for distance in range(3):
        edges = 0
        for i in range(parts):
            edges += count_bits(int(out[NEAR + distance * MOST_NETWORKS + i]))
        out[n] = edges >> 1
        n += 1
    for distance in range(4):
        n = features_of_groups(box, parts, distance, out, n)
    return n, points


@kernel
def note_ends(box: Box, state: State, seat: int, highway: int, railway: int, empty: int, out: Out) -> Any:
    """Note the empty spaces that the ends of a network look at: by the mark they show there, and where two marks are its own.

    Return those that see its highways, and those that see its railways.
    """
    north = onward(box, highway & int(state["sides"][seat, 2]), 2) & empty
    east = onward(box, highway & int(state["sides"][seat, 3]), 3) & empty
    south = onward(box, highway & int(state["sides"][seat, 0]), 0) & empty
    west = onward(box, highway & int(state["sides"][seat, 1]), 1) & empty
    rail_north = onward(box, railway & int(state["sides"][seat, 6]), 2) & empty
    rail_east = onward(box, railway & int(state["sides"][seat, 7]), 3) & empty
    rail_south = onward(box, railway & int(state["sides"][seat, 4]), 0) & empty
    rail_west = onward(box, railway & int(state["sides"][seat, 5]), 1) & empty
    marks = (north, east, south, west, rail_north, rail_east, rail_south, rail_west)
    for one in range(MARKS):
        out[ENDS + one] |= marks[one]
        for other in range(one):
            out[ALIKE + one * MARKS + other] |= marks[one] & marks[other]
    return north | east | south | west, rail_north | rail_east | rail_south | rail_west


@kernel
def features_of_shapes(box: Box, state: State, seat: int, empty: int, out: Out, n: int) -> int:
    """What a straight, a curve and a station would do: spaces where one joins two networks, two ends, or an end and the edge."""
    for mark in range(MARKS):
        offers, inner = int(state["offers"][seat, mark]), int(box["inner"][mark & 3])
        free = empty & ~int(state["offers"][seat, mark ^ 4])
        out[ENDS + mark] |= offers & int(box["outer"][mark & 3]) & empty  # exits not used yet
        out[SEEN + mark] = offers & free
        out[OPEN + mark] = offers & inner & free
        out[EDGE + mark] = ~offers & ~inner & free
    for kind in range(0, MARKS, 4):
        sets = with_pair(out, kind, kind + 2, with_pair(out, kind + 1, kind + 3, (0, 0, 0, 0)))
        n = count_shapes(sets, out, n)
        sets = with_pair(out, kind, kind + 1, with_pair(out, kind + 1, kind + 2, (0, 0, 0, 0)))
        sets = with_pair(out, kind + 2, kind + 3, with_pair(out, kind + 3, kind, sets))
        n = count_shapes(sets, out, n)
    straight, curve = (0, 0, 0, 0), (0, 0, 0, 0)
    for side in range(4):
        straight = with_pair(out, 4 + side, side ^ 2, straight)
        curve = with_pair(out, 4 + side, (side + 1) & 3, with_pair(out, 4 + side, (side + 3) & 3, curve))
    return count_shapes(curve, out, count_shapes(straight, out, n))


@kernel
def with_pair(out: Out, one: int, two: int, sets: Any) -> Any:
    """Add where a route with these two marks joins networks, joins ends, leads an end to the edge, and continues both."""
    met, closed, led_out, joined = sets
    alike = int(out[ALIKE + max(one, two) * MARKS + min(one, two)])
    met |= int(out[ENDS + one]) & int(out[ENDS + two]) & ~alike
    closed |= int(out[OPEN + one]) & int(out[OPEN + two])
    led_out |= (int(out[OPEN + one]) & int(out[EDGE + two])) | (int(out[EDGE + one]) & int(out[OPEN + two]))
    joined |= int(out[SEEN + one]) & int(out[SEEN + two])
    return met, closed, led_out, joined


@kernel
def count_shapes(sets: Any, out: Out, n: int) -> int:
    """Write how many spaces a shape can use, each for what it does best there. Return the next number."""
    met, closed, led_out, joined = sets
    out[n] = count_bits(met)
    out[n + 1] = count_bits(closed & ~met)
    out[n + 2] = count_bits(led_out & ~joined)
    return n + 3


@kernel
def features_of_meetings(box: Box, state: State, seat: int, parts: int, out: Out, n: int) -> int:
    """Empty spaces where networks can meet at once: how many, and what the best of them are worth, for a special route too."""
    highways, railways, both, shared_highways, shared_railways, shared = 0, 0, 0, 0, 0, 0
    for i in range(parts):
        one, two = int(out[HIGHWAYS + i]), int(out[RAILWAYS + i])
        shared_highways |= highways & one
        shared_railways |= railways & two
        shared |= both & (one | two)
        highways |= one
        railways |= two
        both |= one | two
    out[n] = count_bits(shared_highways)
    out[n + 1] = count_bits(shared_railways)
    out[n + 2] = count_bits(shared & ~shared_highways & ~shared_railways)
    best, second, plain, plain_second = 0, 0, 0, 0
    while shared:
        space = shared & -shared
        shared &= shared - 1
        all_gain, gain = meeting_gains(box, out, parts, space)
        for mark in range(MARKS):
            all_gain += int(int(state["offers"][seat, mark]) & space != 0)
        second = max(second, min(all_gain, best))
        best = max(best, all_gain)
        plain_second = max(plain_second, min(gain, plain))
        plain = max(plain, gain)
    usable = usable_specials(box, state, seat)
    out[n + 3] = best
    out[n + 4] = second
    out[n + 5] = plain
    out[n + 6] = plain_second
    out[n + 7] = best * int(usable > 0)
    out[n + 8] = second * int(usable > 1)
    return n + 9


@kernel
def meeting_gains(box: Box, out: Out, parts: int, space: int) -> Any:
    """Return what it is worth in exits if all networks that look at a space meet there; and all of one type, the better one."""
    exits, by_highway, by_railway, points, of_highway, of_railway = 0, 0, 0, 0, 0, 0
    for i in range(parts):
        highway, railway = int(out[HIGHWAYS + i]) & space, int(out[RAILWAYS + i]) & space
        if highway | railway:
            count = int(out[EXITS + i])
            worth = int(box["exit_points"][count])
            exits += count
            points += worth
            if highway:
                by_highway += count
                of_highway += worth
            if railway:
                by_railway += count
                of_railway += worth
    both = int(box["exit_points"][min(exits, MOST_NETWORKS)]) - points
    one = int(box["exit_points"][min(by_highway, MOST_NETWORKS)]) - of_highway
    two = int(box["exit_points"][min(by_railway, MOST_NETWORKS)]) - of_railway
    return both, max(one, two)


@kernel
def find_near(box: Box, empty: int, parts: int, out: Out) -> None:
    """Note which networks could meet: 0, in one space; 1, in two by routes of one type; 2, in two; 3, in three spaces."""
    for i in range(4 * MOST_NETWORKS):
        out[NEAR + i] = 0
    for i in range(parts):
        highways, railways = int(out[HIGHWAYS + i]), int(out[RAILWAYS + i])
        near = highways | railways
        highways |= beside(box, highways) & empty
        railways |= beside(box, railways) & empty
        both = highways | railways
        far = both | (beside(box, both) & empty)
        for j in range(i):
            highway, railway = int(out[HIGHWAYS + j]), int(out[RAILWAYS + j])
            other = highway | railway
            if far & other:
                out[NEAR + 3 * MOST_NETWORKS + i] |= 1 << j
                out[NEAR + 3 * MOST_NETWORKS + j] |= 1 << i
                if both & other:
                    out[NEAR + 2 * MOST_NETWORKS + i] |= 1 << j
                    out[NEAR + 2 * MOST_NETWORKS + j] |= 1 << i
                if (highways & highway) | (railways & railway):
                    out[NEAR + MOST_NETWORKS + i] |= 1 << j
                    out[NEAR + MOST_NETWORKS + j] |= 1 << i
                if near & other:
                    out[NEAR + i] |= 1 << j
                    out[NEAR + j] |= 1 << i


@kernel
def features_of_groups(box: Box, parts: int, distance: int, out: Out, n: int) -> int:
    """What groups of networks that are near each other would be worth, how many groups there are, and the largest one."""
    if distance == 3 and int(out[n - 2]) == 1:  # all are near already
        for i in range(3):
            out[n + i] = out[n + i - 3]
        return n + 3
    hoped, groups, largest = 0, 0, 0
    rest, near = (1 << parts) - 1, NEAR + distance * MOST_NETWORKS
    while rest:
        todo = rest & -rest
        group, count = todo, 0
        while todo:
            part = first_bit(todo)
            todo &= todo - 1
            count += int(out[EXITS + part])
            todo |= int(out[near + part]) & ~group
            group |= int(out[near + part])
        rest &= ~group
        groups += 1
        hoped += int(box["exit_points"][min(count, MOST_NETWORKS)])
        largest = max(largest, count)
    out[n] = hoped
    out[n + 1] = groups
    out[n + 2] = largest
    return n + 3


@kernel
def features_of_expansion(box: Box, state: State, seat: int, out: Out, n: int) -> Any:
    """Lamps and the line that would light most of them; charges and what is linked. Also the points of it."""
    points = score_expansion(box, state, seat)
    left = usable_specials(box, state, seat)
    if box["lamps"]:
        dark = int(state["lamps"][seat]) & ~int(state["lit"][seat])
        most, second = 0, 0
        for line in range(int(box["rows"]) + int(box["columns"])):
            count = count_bits(dark & line_spaces(box, line))
            second = max(second, min(count, most))
            most = max(most, count)
        out[n] = points
        out[n + 1] = count_bits(dark)
        out[n + 2] = most
        out[n + 3] = most * int(left > 0)
        out[n + 4] = second * int(left > 1)
        out[n + 5] = left * count_bits(dark)
        return n + 6, points
    electrified = int(state["electrified"][seat])
    linked, charges = count_bits(linked_exits(box, state, seat)), int(state["charges"][seat])
    out[n] = points
    out[n + 1] = charges
    out[n + 2] = linked
    out[n + 3] = count_bits(electrified)
    out[n + 4] = count_bits(electrified & int(box["exit_spaces"]))
    out[n + 5] = count_bits(electrified & int(box["around"]))
    out[n + 6] = count_bits(int(state["drawn"][seat]) & int(box["around"]))
    out[n + 7] = charges * count_bits(electrified & int(box["exit_spaces"]))
    out[n + 8] = count_bits(beside(box, electrified) & int(state["drawn"][seat]) & ~electrified)
    return n + 9, points


@kernel
def features_of_challenge(box: Box, state: State, seat: int, empty: int, out: Out, n: int) -> Any:
    """Villages, universities, copies, and the goals: reached, about to be, and how far. Also the points of it."""
    villages = score_villages(box, state, seat)
    goals, soon, progress = 0, 0, 0
    for i in range(GOALS):
        goal = int(state["goals"][i])
        if int(state["goal_round"][seat, i]) > 0:
            goals += score_goal(box, state, seat, i)
        else:
            have, need = goal_count(box, state, seat, int(box["goal_kind"][goal])), int(box["goal_need"][goal])
            soon += int(have >= need)
            progress += 16 * min(have, need) // max(need, 1)
    out[n] = villages
    out[n + 1] = count_bits(int(state["stations"][seat]) & int(box["villages"]))
    out[n + 2] = count_bits(empty & int(box["villages"]))
    out[n + 3] = min(active_universities(box, state, seat), int(box["universities_needed"]))
    out[n + 4] = count_bits(empty & int(box["universities"]))
    out[n + 5] = count_bits(empty & int(box["factories"]))
    out[n + 6] = int(state["extra"][seat])
    out[n + 7] = goals
    out[n + 8] = soon
    out[n + 9] = progress
    return n + 10, villages + goals
