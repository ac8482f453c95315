"""Railroad, the rules: phases, legality, drawing, scoring. Paragraphs are those of RULES.md, rulings (R…) of RULINGS.md.

Pure geometry lives in `routes` (where a picture fits), `lines` (networks, loops, longest lines), `goals` and `power`.
Text and pictures live elsewhere.
"""

from __future__ import annotations

from typing import Any

from lamplighter.games.railroad.components import GOALS, MARKS, MAX_DICE, MAX_ENTRIES, SIZE, SPACES, WORD
from lamplighter.games.railroad.goals import FIRST_ROW, check_goals, score_goal
from lamplighter.games.railroad.lines import all_exits, all_links, longest_line, network_exits
from lamplighter.games.railroad.power import check_power, list_power, power_dice, score_power, use_power
from lamplighter.games.railroad.routes import (
    FIRST_COLUMN,
    check_place,
    draw,
    fits_somewhere,
    fitting_spaces,
)
from lamplighter.games.railroad.state import Reason
from lamplighter.jit import count_bits, first_bit, kernel

Box = Any
State = Any
Out = Any  # an int64 array that a kernel fills

DRAWS_A_ROUND = 16
ROOM = 8191  # more than MAX_LEGAL


@kernel
def setup(box: Box, state: State) -> None:
    """§1.1, §1.5, §1.9 Empty sheets: every seat sees the exits. Goals that the variant names lie there already."""
    for die in range(MAX_DICE):
        state["dice"][die] = -1
    for i in range(GOALS):
        state["goals"][i] = box["goals"][i]
    for seat in range(int(box["seats"])):
        for mark in range(MARKS):
            state["offers"][seat, mark] = box["exit_offers"][mark]
    state["turn"] = 0 if box["draw_goals"] else 1
    state["draws"] = DRAWS_A_ROUND * int(state["turn"])


@kernel
def action_count(box: Box) -> int:
    return int(box["actions"])


# --- chance ---------------------------------------------------------------------------------------------------


@kernel
def waiting(box: Box, state: State) -> int:
    """§2.1, §2.4 When all dice are rolled, every seat that has not said done in this step."""
    if int(state["rolled"]) < int(box["dice"]):
        return 0
    return ((1 << int(box["seats"])) - 1) & ~int(state["done"])


@kernel
def step(box: Box, state: State) -> int:
    """§2.4 Drawing and the Power Grid are steps of their own: what was done in one is final when everybody is done."""
    return 2 * int(state["turn"]) + int(state["power_step"])


@kernel
def chance_seat(box: Box, state: State) -> int:
    """§2.1 Dice and goals are for everybody."""
    return -1


@kernel
def outcomes(box: Box, state: State, out: Out, weights: Out) -> int:
    """§1.2, §1.3, §1.6, §1.7, §4.4 A goal not drawn yet, or a face of the next die; equal faces are one outcome."""
    die = int(state["rolled"]) if state["turn"] > 0 else MAX_DICE
    faces = 0 if is_over(box, state) else int(box["die_faces"][die])
    n = 0
    for i in range(faces):
        face = int(box["die_face"][die, i])
        out[n] = face
        weights[n] = int(box["die_weight"][die, i])
        if die != MAX_DICE or (face != state["goals"][0] and face != state["goals"][1]):
            n += 1
    return n


@kernel
def apply_chance(box: Box, state: State, outcome: int) -> None:
    """§2.1, §4.4 One goal, or one die; with the last die every seat may draw."""
    state["draws"] += 1
    if state["turn"] == 0:
        drawn = int(state["draws"])
        state["goals"][drawn - 1] = outcome
        if drawn == GOALS:
            state["turn"] = 1
            state["draws"] = DRAWS_A_ROUND
        return
    rolled = int(state["rolled"])
    state["dice"][rolled] = outcome
    state["rolled"] = rolled + 1
    if rolled + 1 == int(box["dice"]):
        for seat in range(int(box["seats"])):
            state["todo"][seat] = (1 << (int(box["route_dice"]) + int(box["lamp_dice"]))) - 1


# --- legality -------------------------------------------------------------------------------------------------


@kernel
def check(box: Box, state: State, seat: int, action: int) -> Reason:
    """§2–§6 Say why `action` is refused, or `Reason.OK`."""
    if action < 0 or action >= action_count(box):
        return Reason.NO_SUCH_ACTION
    if not (waiting(box, state) >> seat) & 1:
        return Reason.NOT_WAITING
    done = int(box["done_action"])
    if state["power_step"]:
        if action < done:
            return Reason.DRAWING_IS_OVER
        return Reason.OK if action == done else check_power(box, state, seat, action - done - 1)
    if action > done:
        return Reason.DRAW_FIRST
    lights = action >= int(box["lamp_action"]) and action < int(box["skip_action"])
    if state["choosing"][seat]:
        return Reason.OK if lights else Reason.CHOOSE_LAMPS
    if lights:
        return Reason.NO_LAMPS_TO_CHOOSE
    skips = action >= int(box["skip_action"]) and action < done
    extra_now = must_draw_extra(box, state, seat)
    if skips:
        return Reason.OK if extra_now else Reason.NOTHING_TO_SKIP
    entry = action // SPACES
    if extra_now and (entry < int(box["special_entry"]) or entry >= int(box["copy_entry"])):
        return Reason.EXTRA_SPECIAL_FIRST
    if action == done:
        return Reason.MUST_DRAW if has_result_to_draw(box, state, seat) else Reason.OK
    reason = check_source(box, state, seat, entry)
    return reason if reason != Reason.OK else check_place(box, state, seat, entry, action % SPACES)


@kernel
def check_source(box: Box, state: State, seat: int, entry: int) -> Reason:
    """§2.1–§2.3, §3.4, §4.2, §4.3 Whether the seat has this route to draw, wherever it may go."""
    route = int(box["entry_route"][entry])
    if entry >= int(box["special_entry"]) and entry < int(box["copy_entry"]):
        if (int(state["specials"][seat]) >> (route - int(box["first_special"]))) & 1:
            return Reason.SPECIAL_USED
        if int(state["extra"][seat]) > 0:
            return Reason.OK
        if int(state["counted"][seat]) >= int(box["specials_a_game"]):
            return Reason.NO_MORE_SPECIALS
        within = int(state["counted_now"][seat]) < int(box["specials_a_round"])
        return Reason.OK if within else Reason.ONE_SPECIAL_A_ROUND
    if not (rolled_routes(state, (1 << (int(box["route_dice"]) + int(box["lamp_dice"]))) - 1) >> route) & 1:
        return Reason.NOT_ROLLED
    todo = int(state["todo"][seat])
    if entry >= int(box["copy_entry"]):
        if int(state["copies"][seat]) == 0:
            return Reason.NO_COPY
        copied = (rolled_routes(state, copied_dice(box, state, seat)) >> route) & 1
        return Reason.OK if copied else Reason.COPY_NOT_DRAWN
    return Reason.OK if (rolled_routes(state, todo) >> route) & 1 else Reason.RESULT_USED


@kernel
def rolled_routes(state: State, dice: int) -> int:
    """§2.1 The routes on those dice that are among `dice` (bits), as bits; Power Grid dice show none."""
    routes = 0
    while dice:
        routes |= 1 << int(state["dice"][first_bit(dice)])
        dice &= dice - 1
    return routes


@kernel
def copied_dice(box: Box, state: State, seat: int) -> int:
    """§4.3 The dice that a factory of this seat may copy: any route die of the round, or those drawn (R3), as bits."""
    dice = (1 << int(box["route_dice"])) - 1
    if box["copy_drawn"]:
        dice &= ~int(state["todo"][seat])
    return dice


@kernel
def must_draw_extra(box: Box, state: State, seat: int) -> bool:
    """§4.2 The third university waits for its special route, now or never (R2)."""
    return int(state["extra"][seat]) > 0 and not box["special_later"]


@kernel
def has_result_to_draw(box: Box, state: State, seat: int) -> bool:
    """§2.2 A route result is not drawn yet and fits somewhere. Lamp results, copies and specials never oblige."""
    for die in range(int(box["route_dice"])):
        if (int(state["todo"][seat]) >> die) & 1 and fits_somewhere(box, state, seat, int(state["dice"][die])):
            return True
    return False


@kernel
def may_draw_special(box: Box, state: State, seat: int) -> bool:
    """§2.3, §4.2 Once a round and three times a match; and an extra one."""
    within = int(state["counted"][seat]) < int(box["specials_a_game"]) and int(state["counted_now"][seat]) < int(
        box["specials_a_round"]
    )
    return within or int(state["extra"][seat]) > 0


@kernel
def legal_actions(box: Box, state: State, seat: int, out: Out) -> int:
    """§2–§6 Every action that `check` accepts, in ascending order."""
    if not (waiting(box, state) >> seat) & 1:
        return 0
    if state["power_step"]:
        return list_power(box, state, seat, out)
    if state["choosing"][seat]:
        return list_lamps(box, out)
    extra_now = must_draw_extra(box, state, seat)
    n = list_routes(box, state, seat, extra_now, out)
    if extra_now:
        out[n] = int(box["skip_action"])
        return n + 1
    if n == 0 or out[0] >= int(box["lamp_entry"]) * SPACES:  # §2.2 results come first: none can be drawn
        out[n] = int(box["done_action"])
        return n + 1
    return n


@kernel
def list_routes(box: Box, state: State, seat: int, only_specials: bool, out: Out) -> int:
    """§2.2, §2.3, §3, §4.3 Write every way to draw a result, a lamp result, a special route, a copy; how many there are."""
    todo = 0 if only_specials else int(state["todo"][seat])
    copies = 0 if only_specials else int(state["copies"][seat])
    special = may_draw_special(box, state, seat)
    free = int(box["open"]) & ~int(state["drawn"][seat])
    words = int(box["words"])
    n = 0
    for part in range(2 * words if copies else words):
        word, shift = part, 0
        if part < words:
            wanted = entries_of_dice(box, state, todo, word)
            if special:
                wanted |= int(box["special_entries"][int(state["specials"][seat]), word])
        else:
            word, shift = part - words, int(box["copy_entry"])
            wanted = entries_of_dice(box, state, copied_dice(box, state, seat), word)
        while wanted:
            entry = (word * WORD + first_bit(wanted)) & (MAX_ENTRIES - 1)  # not negative, says the mask to the compiler
            wanted &= wanted - 1
            spaces = fitting_spaces(box, state, seat, entry) & free
            action = (entry + shift) * SPACES
            behind = n + count_bits(spaces)
            while True:  # eight at a time, to guess less often; what is written beyond `behind` is not read
                n &= ROOM
                for i in range(8):
                    out[n + i] = action + first_bit(spaces)
                    spaces &= spaces - 1
                n += 8
                if spaces == 0:
                    break
            n = behind
    return n


@kernel
def list_lamps(box: Box, out: Out) -> int:
    """§5.1 Every row and every column, lamps or not."""
    for line in range(2 * SIZE):
        out[line] = int(box["lamp_action"]) + line
    return 2 * SIZE


@kernel
def entries_of_dice(box: Box, state: State, dice: int, word: int) -> int:
    """§2.1 Every way in which the routes on those dice (bits) can lie: one word of the set of entries."""
    entries = 0
    while dice:
        entries |= int(box["route_entries"][int(state["dice"][first_bit(dice)]), word])
        dice &= dice - 1
    return entries


# --- acting ---------------------------------------------------------------------------------------------------


@kernel
def apply(box: Box, state: State, seat: int, action: int) -> None:
    """§2.4 Draw, light lamps, skip, use a Power Grid die; or say done, and the last to say so ends the step."""
    done = int(box["done_action"])
    if action < int(box["lamp_action"]):
        draw_route(box, state, seat, action // SPACES, action % SPACES)
    elif action > done:
        use_power(box, state, seat, action - done - 1)
    elif action == done:
        state["done"] = int(state["done"]) | 1 << seat
        if int(state["done"]) == (1 << int(box["seats"])) - 1:
            end_step(box, state)
    elif action >= int(box["skip_action"]):
        state["extra"][seat] -= 1
    else:
        light_lamps(state, seat, action - int(box["lamp_action"]))


@kernel
def draw_route(box: Box, state: State, seat: int, entry: int, space: int) -> None:
    """§2.2, §2.3, §3.4 Draw a picture, and note what it was drawn with."""
    draw(box, state, seat, entry, space)
    route = int(box["entry_route"][entry])
    lamp = False
    if entry < int(box["special_entry"]):
        use_result(box, state, seat, route)
        lamp = entry >= int(box["lamp_entry"])
        if lamp:
            state["lamps"][seat] |= 1 << space
    elif entry < int(box["copy_entry"]):
        use_special(box, state, seat, route - int(box["first_special"]))
    else:
        state["copies"][seat] -= 1
    if box["challenge"] and (not lamp or box["lamps_trigger"]):
        visit_structures(box, state, seat, 1 << space)


@kernel
def use_result(box: Box, state: State, seat: int, route: int) -> None:
    """§2.2 The first die that shows this route is used; equal dice are one choice."""
    shown = 0
    for die in range(MAX_DICE):
        shown |= int(state["dice"][die] == route) << die
    shown &= int(state["todo"][seat])
    state["todo"][seat] ^= shown & -shown


@kernel
def use_special(box: Box, state: State, seat: int, special: int) -> None:
    """§2.3, §4.2, §5.1 A special route is used up: the extra one at once, else as the limits allow (R2); then lamps."""
    state["specials"][seat] |= 1 << special
    within = int(state["counted"][seat]) < int(box["specials_a_game"]) and int(state["counted_now"][seat]) < int(
        box["specials_a_round"]
    )
    if must_draw_extra(box, state, seat) or not within:
        state["extra"][seat] -= 1
    else:
        state["counted"][seat] += 1
        state["counted_now"][seat] += 1
    if box["lamps"]:
        state["choosing"][seat] = 1


@kernel
def visit_structures(box: Box, state: State, seat: int, space: int) -> None:
    """§1.5, §4.2, §4.3 A factory gives a copy; the third university an extra special route."""
    if int(box["factories"]) & space:
        state["copies"][seat] += 1
    if int(box["universities"]) & space and active_universities(box, state, seat) == int(box["universities_needed"]):
        state["extra"][seat] += 1


@kernel
def active_universities(box: Box, state: State, seat: int) -> int:
    """§4.2, §5.3, §6.7 Universities with a route in their space."""
    drawn = int(state["drawn"][seat])
    if not box["lamps_trigger"]:
        drawn &= ~int(state["lamps"][seat])
    return count_bits(drawn & int(box["universities"])) + int(box["universities_given"])


@kernel
def light_lamps(state: State, seat: int, line: int) -> None:
    """§5.1 Every lamp of a row (0 to 6) or a column (7 to 13) becomes active."""
    spaces = FIRST_ROW << (line * SIZE) if line < SIZE else FIRST_COLUMN << (line - SIZE)
    state["lit"][seat] |= int(state["lamps"][seat]) & spaces
    state["choosing"][seat] = 0


@kernel
def end_step(box: Box, state: State) -> None:
    """§2.4, §4.3, §4.4, §6.2 Everybody is done: goals are checked (R5); the Power Grid dice; the next round."""
    drawing = state["power_step"] == 0
    use_power_dice = box["power"] and drawing
    if box["challenge"] and drawing != box["goals_after_power"]:
        check_goals(box, state)
    state["done"] = 0
    state["power_step"] = 1 if use_power_dice else 0
    for seat in range(int(box["seats"])):
        state["todo"][seat] = power_dice(box) if use_power_dice else 0
        state["copies"][seat] = 0
        state["counted_now"][seat] = 0
    if not use_power_dice:
        state["turn"] += 1
        state["rolled"] = 0
        state["draws"] = DRAWS_A_ROUND * int(state["turn"])
        for die in range(int(box["dice"])):
            state["dice"][die] = -1


@kernel
def is_over(box: Box, state: State) -> bool:
    """§1.9 After the last round."""
    return int(state["turn"]) > int(box["rounds"])


# --- scoring --------------------------------------------------------------------------------------------------


@kernel
def exit_networks(box: Box, state: State, seat: int) -> Any:
    """§7.1 Points for exits, exits in networks with two or more, and how many such networks there are.

    Networks with 3 and 2 exits are worth 8 + 4; all twelve in one 45.
    """
    exits = all_exits(box, state, seat)
    left = exits[0] | exits[1] | exits[2] | exits[3]
    points, connected, networks = 0, 0, 0
    if left & (left - 1) == 0:
        return points, connected, networks
    links = all_links(state, seat)
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
    return longest_line(state, seat, kind, bool(box["cross_once"]))


@kernel
def score_centre(box: Box, state: State, seat: int) -> int:
    """§7.3 1 point for each drawn space of the centre: nine at most, eight with the accumulator (§6.7)."""
    return count_bits(int(state["drawn"][seat]) & int(box["centre"]))


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
def standing(box: Box, state: State, seat: int) -> int:
    """§7.6 The higher total wins, then fewer errors; then the victory is shared."""
    errors = score_errors(box, state, seat)
    total = score_exits(box, state, seat) + score_centre(box, state, seat) + errors + score_villages(box, state, seat)
    for i in range(2):
        total += score_line(box, state, seat, 4 * i)
    for i in range(GOALS):
        total += score_goal(box, state, seat, i)
    return (total + score_expansion(box, state, seat)) * 512 + errors


@kernel
def facts(box: Box, state: State, seat: int, out: Out) -> int:
    """§7.1, §2.3 Exits joined to others, networks of at least two exits, special routes used."""
    _, exits, networks = exit_networks(box, state, seat)
    out[0] = exits
    out[1] = networks
    out[2] = count_bits(int(state["specials"][seat]))
    return 3
