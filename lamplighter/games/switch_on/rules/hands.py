"""Hands as sets of cards, one bit a card; `components.cards` says which."""

from __future__ import annotations

from lamplighter.games.switch_on.components.cards import JOKER
from lamplighter.jit import first_bit, kernel


@kernel
def with_card(cards: int, card: int) -> int:
    """Return a set and one more card; a second joker has a bit of its own."""
    if card >= JOKER:
        return cards | (1 << JOKER + 1 if (cards >> JOKER) & 1 else 1 << JOKER)
    return cards | 1 << card


@kernel
def without_card(cards: int, card: int) -> int:
    """Return a set without one of its cards; of two jokers the first stays."""
    if card >= JOKER:
        return cards & ~(1 << JOKER + 1 if (cards >> JOKER + 1) & 1 else 1 << JOKER)
    return cards & ~(1 << card)


@kernel
def cards_at(hand: int, slots: int) -> int:
    """Return the cards in these slots of a sorted hand as a set; 0 if one of them is after the last card."""
    found = 0
    while slots != 0:
        if hand == 0:
            return 0
        if slots & 1:
            found |= hand & -hand
        hand &= hand - 1
        slots >>= 1
    return found


@kernel
def card_at(hand: int, slot: int) -> int:
    """Return the card in a slot of a sorted hand; -1 after the last."""
    for _ in range(slot):
        hand &= hand - 1
    return first_bit(hand) if hand != 0 else -1
