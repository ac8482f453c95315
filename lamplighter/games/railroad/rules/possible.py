"""Which records no match can reach, as far as counting can tell: plain Python, asked when a position is read.

A seat cannot have drawn more than the dice have shown, nor have what it has done nothing for. That a board could have been
drawn in some order is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lamplighter.games.railroad.components.tables import GOALS
from lamplighter.games.railroad.rules.effects import active_universities
from lamplighter.games.railroad.rules.goals import goal_count
from lamplighter.games.railroad.rules.legality import has_result_to_draw, must_draw_extra

Box = Any
State = Any


def why_impossible(box: Box, state: State, seat: int) -> str:
    """§2–§6 Return what a seat cannot have, or nothing. The seats that are done are known already."""
    for reasons in (_specials, _routes, _lamps, _power, _goals, _done):
        for reason in reasons(box, state, seat):
            return reason
    return ""


def _is_acting(box: Box, state: State) -> bool:
    """§2.1 Whether all dice of the round are rolled."""
    return int(state["rolled"]) == int(box["dice"])


def _is_drawing(box: Box, state: State) -> bool:
    return _is_acting(box, state) and not state["power_step"]


def _used(box: Box, state: State, seat: int, first: int, count: int) -> tuple[int, int]:
    """§2.1 Return how many results of some dice the seat can have used before this round, and has used in it."""
    before = count * max(0, int(state["turn"]) - 1)
    if not _is_acting(box, state):
        return before, 0
    step = first >= int(box["route_dice"]) + int(box["lamp_dice"])  # those dice are used in the Power Grid step
    if step != bool(state["power_step"]):
        return before, 0 if step else count
    left = int(state["todo"][seat]) >> first & (1 << count) - 1
    return before, count - left.bit_count()


def _specials(box: Box, state: State, seat: int) -> Iterator[str]:
    """§2.3, §4.2 The limits of special routes, and the extra one."""
    counted, now, used, extra = (
        int(state["counted"][seat]),
        int(state["counted_now"][seat]),
        int(state["specials"][seat]).bit_count(),
        int(state["extra"][seat]),
    )
    drawing, rounds = _is_drawing(box, state), int(state["turn"]) - 1 + _is_acting(box, state)
    if not counted <= used <= counted + bool(box["challenge"]) or counted > int(box["specials_a_game"]):
        yield f"has used {used} special routes, of which {counted} cannot count"
    if now > min(counted, int(box["specials_a_round"])) or (now and not drawing):
        yield f"cannot have used {now} special routes in this round"
    if counted > max(0, rounds) * int(box["specials_a_round"]):
        yield f"cannot have used {counted} special routes in {max(0, rounds)} rounds"
    if extra > (1 if box["challenge"] and (drawing or box["special_later"]) else 0) or extra + used - counted > 1:
        yield "cannot have an extra special route now"
    if extra + used > counted and int(active_universities(box, state, seat)) < int(box["universities_needed"]):
        yield "cannot have an extra special route: too few universities are active"


def _routes(box: Box, state: State, seat: int) -> Iterator[str]:
    """§2.2, §3.4, §4.3 Routes, lamp routes and copies: no more than dice, special routes and factories give."""
    drawn, lamps = int(state["drawn"][seat]), int(state["lamps"][seat])
    copies, factories = int(state["copies"][seat]), int(box["factories"]) & drawn
    if copies > factories.bit_count() or (copies and not _is_drawing(box, state)):
        yield f"cannot have {copies} copies to draw now"
    before, now = _used(box, state, seat, 0, int(box["route_dice"]))
    lamps_before, lamps_now = _used(box, state, seat, int(box["route_dice"]), int(box["lamp_dice"]))
    used = int(state["specials"][seat]).bit_count()
    plain, lit = (drawn & ~lamps).bit_count(), lamps.bit_count()
    most, most_lamps = before + now + used + factories.bit_count() - copies, lamps_before + lamps_now
    if lit > most_lamps:
        yield f"cannot have drawn {lit} lamp routes by now: {most_lamps} at most"
    if plain > most:
        yield f"cannot have drawn {plain} routes by now: {most} at most"
    least = used + (now + lamps_now if _is_drawing(box, state) else 0)
    if plain + lit < least:
        yield f"must have drawn {least} routes or more by now, not {plain + lit}"


def _lamps(box: Box, state: State, seat: int) -> Iterator[str]:
    """§5.1 Lamps are chosen and lit after special routes only."""
    used, choosing = int(state["specials"][seat]).bit_count(), bool(state["choosing"][seat])
    if choosing and not (box["lamps"] and _is_drawing(box, state) and used):
        yield "has no lamps to choose now"
    if int(state["lit"][seat]) and used - choosing < 1:
        yield "cannot have a lit lamp: no row or column was chosen yet"


def _power(box: Box, state: State, seat: int) -> Iterator[str]:
    """§6.2–§6.5 A die gives one charge, or electrifies one line."""
    charges, electrified = int(state["charges"][seat]), int(state["electrified"][seat]).bit_count()
    dice = int(box["dice"]) - int(box["route_dice"]) if box["power"] else 0
    uses = sum(_used(box, state, seat, int(box["route_dice"]), dice)) if dice else 0
    if charges > min(int(box["most_charges"]), uses):
        yield f"cannot have {charges} charges: {min(int(box['most_charges']), uses)} at most by now"
    if electrified > (uses - charges) * int(box["arrow_count"].max()):
        yield f"cannot have {electrified} electrified spaces by now"


def _goals(box: Box, state: State, seat: int) -> Iterator[str]:
    """§4.4 A goal is reached in a round in which goals were checked, and stays reached."""
    turn, checked = int(state["turn"]), bool(state["power_step"]) and not box["goals_after_power"]
    last = (turn if checked else turn - 1) if box["challenge"] else 0
    reached = [int(when) for when in state["goal_round"][seat]]
    if max(reached) > max(0, last):
        yield f"cannot have reached goals in rounds {'.'.join(map(str, reached))}"
    for i in range(GOALS):
        goal = int(state["goals"][i])
        if goal < 0:
            continue
        met = goal_count(box, state, seat, int(box["goal_kind"][goal])) >= int(box["goal_need"][goal])
        if reached[i] and not met:
            yield f"cannot have reached goal {i + 1}: the board does not show it"
        if met and not reached[i] and turn > 1 and not _is_acting(box, state):
            yield f"must have reached goal {i + 1}: the board shows it"


def _done(box: Box, state: State, seat: int) -> Iterator[str]:
    """§2.2, §2.4 Done is said when nothing is owed."""
    if int(state["done"]) >> seat & 1:
        owes = bool(state["choosing"][seat]) or must_draw_extra(box, state, seat)
        if not _is_acting(box, state) or (_is_drawing(box, state) and (owes or has_result_to_draw(box, state, seat))):
            yield "cannot be done yet"
