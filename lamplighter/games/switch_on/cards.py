"""The deck and which cards pay for what: sets of cards as bits of an int64, in the order in which hands are sorted.

A card is `13 * suit + rank`; suits are s c h d, ranks 2 to 10, j, q, k, a. The jokers are equal: one joker of a set is
bit 52, a second one bit 53 as well.
"""

from __future__ import annotations

from lamplighter.jit import first_bit, kernel

SUITS = "schd"
SUIT_SIGNS = dict(zip(SUITS, "♠♣♥♦", strict=True))
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a")
COURTS = ("j", "q", "k")
JOKER = 52
DECK = 54
CARD_NAMES = (*(rank + suit for suit in SUITS for rank in RANKS), "joker")

ACE = RANKS.index("a")
WILD = tuple(card >= JOKER or card % 13 == ACE for card in range(DECK))  # §6
SINGLE_COSTS = ("black", "red", "any")
PAIR_COSTS = ("same-suit", "same-rank", "run", "court+any")
BANDS = ("number", "court")


def suit_of(card: int) -> int:
    return card // 13


def rank_of(card: int) -> int:
    return card % 13


def is_court(card: int) -> bool:
    return RANKS[rank_of(card)] in COURTS


def pays_single(cost: str, card: int) -> bool:
    """§2, §6 One card pays a cost of one card.

    >>> pays_single("red", CARD_NAMES.index("5h")), pays_single("red", CARD_NAMES.index("as"))
    (True, True)
    """
    return WILD[card] or cost == "any" or (cost == "black") == (suit_of(card) < 2)


def pays_pair(cost: str, one: int, two: int) -> bool:
    """§2, §6 Two cards pay a cost of two cards; a wild card fits whatever the other one needs.

    >>> king, ace, two = (CARD_NAMES.index(name) for name in ("ks", "ah", "2c"))
    >>> pays_pair("run", king, ace), pays_pair("run", king, two)
    (True, False)
    """
    if WILD[one] or WILD[two]:
        return True
    if cost == "same-suit":
        return suit_of(one) == suit_of(two)
    if cost == "same-rank":
        return rank_of(one) == rank_of(two)
    if cost == "run":
        return abs(rank_of(one) - rank_of(two)) == 1
    return is_court(one) or is_court(two)


def buys(suit: str, band: str, card: int) -> bool:
    """§6, §7 A card buys the shapes of its suit and band; a wild card buys any.

    >>> buys("s", "court", CARD_NAMES.index("ks")), buys("s", "court", CARD_NAMES.index("9s"))
    (True, False)
    """
    return WILD[card] or (SUITS[suit_of(card)] == suit and is_court(card) == (band == "court"))


def cards_of(bits: int) -> list[int]:
    """The cards of a set, sorted; both jokers as `JOKER`."""
    found = []
    while bits:
        found.append(min((bits & -bits).bit_length() - 1, JOKER))
        bits &= bits - 1
    return found


# --- sets of cards in the kernel ------------------------------------------------------------------------------


@kernel
def with_card(cards: int, card: int) -> int:
    """A set and one more card; a second joker has a bit of its own."""
    if card >= JOKER:
        return cards | (1 << JOKER + 1 if (cards >> JOKER) & 1 else 1 << JOKER)
    return cards | 1 << card


@kernel
def without_card(cards: int, card: int) -> int:
    """A set without one of its cards; of two jokers the first stays."""
    if card >= JOKER:
        return cards & ~(1 << JOKER + 1 if (cards >> JOKER + 1) & 1 else 1 << JOKER)
    return cards & ~(1 << card)


@kernel
def card_at(hand: int, slot: int) -> int:
    """The card in a slot of a sorted hand; -1 behind the last."""
    for _ in range(slot):
        hand &= hand - 1
    return first_bit(hand) if hand != 0 else -1
