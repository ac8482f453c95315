"""Positions that no match can reach, as far as counting tells: cards, hands, tracks and turns. No kernel is here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lamplighter.games.switch_on.components import CARDS
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.state import Phase

Box = Any
State = Any


def impossible(box: Box, state: State) -> str:
    """Return why no match can reach a position whose cards add up; empty if counting finds nothing."""
    return next(_faults(box, state), "")


def _faults(box: Box, state: State) -> Iterator[str]:
    figures = box["figures"].tolist()
    first = figures[at.FIRST_PLAYER]
    if first >= 0 and int(state["first"]) != first:
        yield f"in this variant seat {first} begins"
    spent = [_cards_on_sheet(box, state, seat) for seat in range(figures[at.SEATS])]
    turn, drawing = int(state["turn"]), int(state["phase"]) == Phase.DRAW
    most = max(figures[at.HAND_LIMIT], figures[at.HAND_START] if turn <= 1 else 0) + (turn > 0)
    for seat, got in enumerate(received(box, state)):
        hand = int(state["hand_size"][seat])
        if hand + spent[seat] > got:
            yield f"seat {seat} has {hand} cards and paid {spent[seat]} for what is drawn, but was dealt only {got}"
        if hand > most:
            yield f"seat {seat} cannot hold {hand} cards in turn {turn}: the hand is cut after every turn"
    yield from _turn_faults(figures, state, turn - 1 if drawing or int(state["phase"]) == Phase.CHOOSE else turn)


def received(box: Box, state: State) -> list[int]:
    """§D Return how many cards each seat was dealt: from the first seat on, then in every turn from the active one on."""
    figures = box["figures"].tolist()
    seats, dealt, first = figures[at.SEATS], max(int(state["draws"]) - 1, 0), max(int(state["first"]), 0)
    start = seats * figures[at.HAND_START]
    turn, rest = divmod(max(dealt - start, 0), seats)
    whole = dealt // seats if dealt <= start else figures[at.HAND_START] + turn
    active, rest = (first, dealt % seats) if dealt <= start else (first + turn, rest)
    return [whole + ((seat - active) % seats < rest) for seat in range(seats)]


def _cards_on_sheet(box: Box, state: State, seat: int) -> int:
    """§2, §7 Return how many cards a seat paid for what is on its sheet."""
    hung = [int(box["chart"][kind - 1, CARDS]) for kind in state["decorations"][seat].tolist() if kind]
    return int(state["cable_count"][seat]) + sum(hung)


def _turn_faults(figures: list[int], state: State, turns: int) -> Iterator[str]:
    """§C, §F Every turn has one action: a strand each, any decorations, or as many units as a card gives."""
    laid, hung, raised = 0, 0, 0
    for seat in range(figures[at.SEATS]):
        strands, decorations = int(state["cable_count"][seat]), sum(map(bool, state["decorations"][seat].tolist()))
        needs = 0
        for track, used, start in (("money", decorations, at.START_MONEY), ("cable", strands, at.START_CABLE)):
            needs += max(int(state[track][seat]) + used - figures[start], 0)
        short = needs > 0 and figures[at.MOST_UNITS] == 0
        raised = max(raised, turns + 1 if short else -(-needs // max(figures[at.MOST_UNITS], 1)))
        laid, hung = max(laid, strands), max(hung, min(decorations, 1))
    if laid + hung + raised > max(min(turns, figures[at.TURNS]), 0):
        yield "what is on the sheets and tracks takes more turns than there were"
