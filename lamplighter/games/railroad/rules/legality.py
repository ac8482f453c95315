"""Which actions are legal: what a seat has to draw. Where it fits is in `routes`."""

from __future__ import annotations

from lamplighter.games.railroad.components.tables import WORD
from lamplighter.games.railroad.rules.power import check_power, list_power
from lamplighter.games.railroad.rules.routes import check_place, entry_of, fits_somewhere, fitting_spaces
from lamplighter.games.railroad.rules.turns import Box, Out, State, action_count, waiting
from lamplighter.games.railroad.state import Reason
from lamplighter.jit import first_bit, inlined_kernel, kernel, list_bits, natural


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
    entry = entry_of(box, action)
    if extra_now and (entry < int(box["special_entry"]) or entry >= int(box["copy_entry"])):
        return Reason.EXTRA_SPECIAL_FIRST
    if action == done:
        return Reason.MUST_DRAW if has_result_to_draw(box, state, seat) else Reason.OK
    reason = check_source(box, state, seat, entry)
    return reason if reason != Reason.OK else check_place(box, state, seat, entry, action - entry * int(box["spaces"]))


@kernel
def check_source(box: Box, state: State, seat: int, entry: int) -> Reason:
    """§2.1–§2.3, §3.4, §4.2, §4.3 Say why the seat does not have this route to draw, or `Reason.OK`."""
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
    """§2.1 Return the routes on those dice that are among `dice` (bits), as bits; Power Grid dice show none."""
    routes = 0
    while dice:
        routes |= 1 << int(state["dice"][first_bit(dice)])
        dice &= dice - 1
    return routes


@kernel
def copied_dice(box: Box, state: State, seat: int) -> int:
    """§4.3 Return the dice that a factory of this seat may copy: any route die of the round, or those drawn (R3), as bits."""
    dice = (1 << int(box["route_dice"])) - 1
    if box["copy_drawn"]:
        dice &= ~int(state["todo"][seat])
    return dice


@kernel
def must_draw_extra(box: Box, state: State, seat: int) -> bool:
    """§4.2 Return whether the special route of the third university must be drawn or skipped now (R2)."""
    return int(state["extra"][seat]) > 0 and not box["special_later"]


@kernel
def within_limits(box: Box, state: State, seat: int) -> bool:
    """§2.3 Return whether the limits of the round and of the match allow one more special route."""
    return int(state["counted"][seat]) < int(box["specials_a_game"]) and int(state["counted_now"][seat]) < int(
        box["specials_a_round"]
    )


@kernel
def uses_extra(box: Box, state: State, seat: int) -> bool:
    """§4.2 Return whether a special route drawn now is the extra one: when it must be drawn, or beyond the limits (R2)."""
    return must_draw_extra(box, state, seat) or not within_limits(box, state, seat)


@kernel
def has_result_to_draw(box: Box, state: State, seat: int) -> bool:
    """§2.2 Return whether an undrawn route result fits somewhere. Lamp results, copies and specials never oblige."""
    for die in range(int(box["route_dice"])):
        if (int(state["todo"][seat]) >> die) & 1 and fits_somewhere(box, state, seat, int(state["dice"][die])):
            return True
    return False


@kernel
def may_draw_special(box: Box, state: State, seat: int) -> bool:
    """§2.3, §4.2 Return whether a special route may be drawn: one a round, three a match, and an extra one."""
    return within_limits(box, state, seat) or int(state["extra"][seat]) > 0


@kernel
def legal_actions(box: Box, state: State, seat: int, out: Out) -> int:
    """§2–§6 Write every action that `check` accepts to `out`, in ascending order. Return how many there are."""
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
    if n == 0 or out[0] >= int(box["lamp_entry"]) * int(box["spaces"]):  # §2.2 results come first: none can be drawn
        out[n] = int(box["done_action"])
        return n + 1
    return n


@inlined_kernel
def list_routes(box: Box, state: State, seat: int, only_specials: bool, out: Out) -> int:
    """§2.2, §2.3, §3, §4.3 Write every way to draw a result, a lamp result, a special route or a copy. Return their number."""
    todo = 0 if only_specials else int(state["todo"][seat])
    copies = 0 if only_specials else int(state["copies"][seat])
    special = may_draw_special(box, state, seat)
    free = int(box["open"]) & ~int(state["drawn"][seat])
    words, per_entry = int(box["words"]), int(box["spaces"])
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
            entry = natural(word * WORD + first_bit(wanted))
            wanted &= wanted - 1
            spaces = fitting_spaces(box, state, seat, entry) & free
            n = list_bits(spaces, (entry + shift) * per_entry, out, n)
    return n


@kernel
def list_lamps(box: Box, out: Out) -> int:
    """§5.1 Write every row and every column, with lamps or without. Return how many there are."""
    lines = int(box["rows"]) + int(box["columns"])
    for line in range(lines):
        out[line] = int(box["lamp_action"]) + line
    return lines


@kernel
def entries_of_dice(box: Box, state: State, dice: int, word: int) -> int:
    """§2.1 Return one word of the set of entries that those dice (bits) allow, turned in every way."""
    entries = 0
    for die in range(int(box["route_dice"]) + int(box["lamp_dice"])):
        shown = int(box["route_entries"][int(state["dice"][die]), word])
        entries |= shown if (dice >> die) & 1 else 0
    return entries
