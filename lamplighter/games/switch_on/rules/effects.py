"""What an action does to the state."""

from __future__ import annotations

from lamplighter.games.switch_on.components import (
    BODY,
    DOTS,
    WORD,
)
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import DECK
from lamplighter.games.switch_on.rules.hands import card_at, cards_at, with_card, without_card
from lamplighter.games.switch_on.rules.numbering import figure, payment_slots, split_hang, split_raise
from lamplighter.games.switch_on.rules.squares import (
    spread_power,
)
from lamplighter.games.switch_on.rules.turns import Box, State, dealt, is_past_last_turn, over_limit
from lamplighter.games.switch_on.state import Phase
from lamplighter.jit import first_bit, kernel


@kernel
def discard(state: State, seat: int, card: int) -> None:
    """§10 A used card goes face up under the deck; it never comes back."""
    state["hands"][seat] = without_card(int(state["hands"][seat]), card)
    state["discards"] = with_card(int(state["discards"]), card)
    state["hand_size"][seat] -= 1


@kernel
def apply(box: Box, state: State, seat: int, action: int) -> None:
    """§1, §C The active seat's choice, or one seat's part in it; when all are done the turn goes on by itself."""
    phase = int(state["phase"])
    if phase == Phase.CHOOSE:
        state["phase"] = Phase.FUNDS + action
        return
    if phase == Phase.LIMIT:
        discard(state, seat, card_at(int(state["hands"][seat]), action - figure(box, at.FIRST_DISCARD)))
    elif phase == Phase.FUNDS:
        raise_funds(box, state, seat, action)
    elif phase == Phase.CABLE and action != figure(box, at.PASS_ACTION):
        number = action - figure(box, at.FIRST_LAY)
        state["cable"][seat] -= 1
        discard(state, seat, card_at(int(state["hands"][seat]), number // figure(box, at.FITS)))
        lay(box, state, seat, number % figure(box, at.FITS))
    elif phase == Phase.DECORATE and action != figure(box, at.STOP_ACTION):
        pay_and_hang(box, state, seat, action)
        return
    if phase != Phase.LIMIT:
        state["done"] = int(state["done"]) | 1 << seat
        if int(state["done"]) != (1 << figure(box, at.SEATS)) - 1:
            return
    state["phase"] = Phase.LIMIT
    state["done"] = 0
    if over_limit(box, state) == 0:
        end_turn(box, state)


@kernel
def raise_funds(box: Box, state: State, seat: int, action: int) -> None:
    """§F, §16 Discard the card, move both tracks up; what goes over the end is lost (R4)."""
    slot, money, cable = split_raise(box, action)
    if slot >= 0:
        discard(state, seat, card_at(int(state["hands"][seat]), slot))
    state["money"][seat] = min(int(state["money"][seat]) + money, figure(box, at.MONEY_LIMIT))
    state["cable"][seat] = min(int(state["cable"][seat]) + cable, figure(box, at.CABLE_LIMIT))


@kernel
def lay(box: Box, state: State, seat: int, placement: int) -> None:
    """§7, §8, §S1 Draw a strand with its dots, and let power run on."""
    light = bool(box["light"][int(box["shape_of"][placement])])
    for word in range(2):
        state["wired"][seat, word] |= box["cable_squares"][placement, BODY, word]
        state["dots"][seat, word] |= box["cable_squares"][placement, DOTS, word]
        if light:
            state["light"][seat, word] |= box["cable_squares"][placement, BODY, word]
    cables = state["cables"]
    i = int(state["cable_count"][seat])
    while i > 0 and int(cables[seat, i - 1]) > placement + 1:
        cables[seat, i] = cables[seat, i - 1]
        i -= 1
    cables[seat, i] = placement + 1
    state["cable_count"][seat] += 1
    spread_power(box, state, seat)


@kernel
def pay_and_hang(box: Box, state: State, seat: int, action: int) -> None:
    """§I, §2 Pay 1 Money and the cards, and draw the decoration."""
    decoration, payment, square = split_hang(box, action)
    cards = cards_at(int(state["hands"][seat]), payment_slots(box, decoration, payment))
    state["money"][seat] -= 1
    while cards != 0:
        discard(state, seat, first_bit(cards))
        cards &= cards - 1
    hang(state, seat, decoration, square)


@kernel
def hang(state: State, seat: int, decoration: int, square: int) -> None:
    """§2, §I Draw a decoration."""
    state["decorations"][seat, square] = decoration + 1
    state["decorated"][seat, square // WORD] |= 1 << square % WORD


@kernel
def end_turn(box: Box, state: State) -> None:
    """§N, §10 The next seat's turn. After the face-down cards are gone each seat has one more, without a draw (R3)."""
    state["turn"] += 1
    if is_past_last_turn(box, state):
        state["phase"] = Phase.OVER
    else:
        state["phase"] = Phase.DRAW if dealt(state) < DECK else Phase.CHOOSE
