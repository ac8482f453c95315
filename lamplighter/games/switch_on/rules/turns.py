"""How a match goes: set-up, whom it waits for, the cards, the end, and what a seat may see."""

from __future__ import annotations

from typing import Any

from lamplighter.engine.chance import below
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import DECK, JOKER
from lamplighter.games.switch_on.rules.hands import card_at, with_card
from lamplighter.games.switch_on.rules.numbering import figure
from lamplighter.games.switch_on.state import Phase
from lamplighter.jit import count_bits, first_bit, kernel, natural

Box = Any
State = Any
Out = Any  # an int64 array that a kernel fills
PLAIN_CARDS = (1 << JOKER) - 1


@kernel
def setup(box: Box, state: State) -> None:
    """§T, §16, §D Start with empty sheets and both tracks at their start. A lot decides who begins, or the variant (R15)."""
    state["first"] = figure(box, at.FIRST_PLAYER)
    state["draws"] = 0 if figure(box, at.FIRST_PLAYER) < 0 else 1
    for seat in range(figure(box, at.SEATS)):
        state["money"][seat] = figure(box, at.START_MONEY)
        state["cable"][seat] = figure(box, at.START_CABLE)


@kernel
def action_count(box: Box) -> int:
    return figure(box, at.ACTIONS)


@kernel
def waiting(box: Box, state: State) -> int:
    """§1, §C, §H Return the active seat while it chooses; then all seats at once, until each is done."""
    phase = int(state["phase"])
    if phase == Phase.DRAW or phase == Phase.OVER:
        return 0
    if phase == Phase.CHOOSE:
        return 1 << active_seat(box, state)
    if phase == Phase.LIMIT:
        return over_limit(box, state)
    return ((1 << figure(box, at.SEATS)) - 1) & ~int(state["done"])


@kernel
def active_seat(box: Box, state: State) -> int:
    """§1 Return whose turn it is: turns go clockwise."""
    return (int(state["first"]) + max(int(state["turn"]), 1) - 1) % figure(box, at.SEATS)


@kernel
def over_limit(box: Box, state: State) -> int:
    """§H Return the seats that hold too many cards."""
    mask = 0
    for seat in range(figure(box, at.SEATS)):
        if int(state["hand_size"][seat]) > figure(box, at.HAND_LIMIT):
            mask |= 1 << seat
    return mask


@kernel
def dealt(state: State) -> int:
    """Return how many cards have left the face-down deck."""
    return max(int(state["draws"]) - 1, 0)


@kernel
def chance_seat(box: Box, state: State) -> int:
    """§D The lot is for everybody, a card for one seat: dealt from the first seat on, drawn from the active one on."""
    if state["first"] < 0:
        return -1
    seats = figure(box, at.SEATS)
    before = seats * figure(box, at.HAND_START)
    if dealt(state) < before:
        return (int(state["first"]) + dealt(state)) % seats
    return (active_seat(box, state) + dealt(state) - before) % seats


@kernel
def outcomes(box: Box, state: State, out: Out, weights: Out) -> int:
    """§D, §N The seat that begins, or the top card: any that is neither discarded nor in a hand."""
    n = 0
    if state["first"] < 0:
        for seat in range(figure(box, at.SEATS)):
            out[seat] = seat
            weights[seat] = 1
        return figure(box, at.SEATS)
    if state["phase"] != Phase.DRAW:
        return 0
    seen = int(state["discards"])
    jokers = 2 - count_bits(seen >> JOKER)
    for seat in range(figure(box, at.SEATS)):
        hand = int(state["hands"][seat])
        seen |= hand
        jokers -= count_bits(hand >> JOKER)
    rest = PLAIN_CARDS & ~seen
    while rest != 0:
        n = natural(n)
        out[n] = first_bit(rest)
        weights[n] = 1
        rest &= rest - 1
        n += 1
    if jokers > 0:
        out[n] = JOKER
        weights[n] = jokers
        n += 1
    return n


@kernel
def apply_chance(box: Box, state: State, outcome: int) -> None:
    """§D, §N The lot falls on a seat, or a seat takes the top card; after the last one the active seat chooses."""
    if state["first"] < 0:
        state["first"] = outcome
        state["draws"] = 1
        return
    seats = figure(box, at.SEATS)
    before = seats * figure(box, at.HAND_START)
    seat = chance_seat(box, state)
    if dealt(state) == before:
        state["turn"] = 1
    state["hands"][seat] = with_card(int(state["hands"][seat]), outcome)
    state["hand_size"][seat] += 1
    state["draws"] += 1
    if state["turn"] > 0 and (dealt(state) == DECK or dealt(state) == before + seats * int(state["turn"])):
        state["phase"] = Phase.CHOOSE


@kernel
def is_past_last_turn(box: Box, state: State) -> bool:
    """§10, §N The deck always ends in the same turn, so the number of turns is known: 23, 15 or 12 with six cards."""
    return int(state["turn"]) > figure(box, at.TURNS)


@kernel
def is_over(box: Box, state: State) -> bool:
    """§N Return whether the last turn is over."""
    return int(state["phase"]) == Phase.OVER


@kernel
def hides_draws(box: Box) -> bool:
    """§D A card is for the seat that it is dealt to, unless all play with open hands (R14)."""
    return figure(box, at.OPEN_HANDS) == 0


@kernel
def hide(box: Box, state: State, seat: int) -> None:
    """§D Blank the hands that a seat (-1: a spectator) may not see; how many cards they have is open (R14)."""
    if hides_draws(box):
        for other in range(figure(box, at.SEATS)):
            if other != seat:
                state["hands"][other] = 0


@kernel
def resample(box: Box, state: State, seat: int, stream: Out) -> None:
    """§D Deal the hands that a seat may not see again: any card that it has not seen, each as likely (R14)."""
    if not hides_draws(box):
        return
    own = int(state["hands"][seat]) if seat >= 0 else 0
    discards = int(state["discards"])
    jokers = 2 - count_bits(discards >> JOKER) - count_bits(own >> JOKER)
    rest = PLAIN_CARDS & ~discards & ~own
    for other in range(figure(box, at.SEATS)):
        if other == seat:
            continue
        hand = 0
        for _ in range(int(state["hand_size"][other])):
            place = below(jokers + count_bits(rest), stream)
            if place < jokers:
                card = JOKER
                jokers -= 1
            else:
                card = card_at(rest, place - jokers)
                rest &= ~(1 << card)
            hand = with_card(hand, card)
        state["hands"][other] = hand
