"""What an action does to the state. Drawing a picture is in `routes`, using a Power Grid die in `power`."""

from __future__ import annotations

from lamplighter.games.railroad.components.tables import MAX_DICE
from lamplighter.games.railroad.rules.goals import check_goals, line_spaces
from lamplighter.games.railroad.rules.legality import uses_extra
from lamplighter.games.railroad.rules.power import power_dice, use_power
from lamplighter.games.railroad.rules.routes import draw, entry_of
from lamplighter.games.railroad.rules.turns import DRAWS_A_ROUND, Box, State
from lamplighter.jit import count_bits, kernel


@kernel
def apply(box: Box, state: State, seat: int, action: int) -> None:
    """§2.4 Draw, light lamps, skip, use a Power Grid die; or say done, and the last to say so ends the step."""
    done = int(box["done_action"])
    if action < int(box["lamp_action"]):
        entry = entry_of(box, action)
        draw_route(box, state, seat, entry, action - entry * int(box["spaces"]))
    elif action > done:
        use_power(box, state, seat, action - done - 1)
    elif action == done:
        state["done"] = int(state["done"]) | 1 << seat
        if int(state["done"]) == (1 << int(box["seats"])) - 1:
            end_step(box, state)
    elif action >= int(box["skip_action"]):
        state["extra"][seat] -= 1
    else:
        light_lamps(box, state, seat, action - int(box["lamp_action"]))


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
    """§2.2 Mark the first die that shows this route as used; equal dice are one choice."""
    shown = 0
    for die in range(MAX_DICE):
        shown |= int(state["dice"][die] == route) << die
    shown &= int(state["todo"][seat])
    state["todo"][seat] ^= shown & -shown


@kernel
def use_special(box: Box, state: State, seat: int, special: int) -> None:
    """§2.3, §4.2, §5.1 A special route is used up: the extra one at once, else as the limits allow (R2); then lamps."""
    state["specials"][seat] |= 1 << special
    if uses_extra(box, state, seat):
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
    """§4.2, §5.3, §6.7 Return how many universities have a route in their space."""
    drawn = int(state["drawn"][seat])
    if not box["lamps_trigger"]:
        drawn &= ~int(state["lamps"][seat])
    return count_bits(drawn & int(box["universities"])) + int(box["universities_given"])


@kernel
def light_lamps(box: Box, state: State, seat: int, line: int) -> None:
    """§5.1 Light every lamp of a row or a column."""
    state["lit"][seat] |= int(state["lamps"][seat]) & line_spaces(box, line)
    state["choosing"][seat] = 0


@kernel
def end_step(box: Box, state: State) -> None:
    """§2.4, §4.3, §4.4, §6.2 End a step when everybody is done: check goals (R5), go on to the Power Grid or the next round."""
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
