"""The deck, and which cards pay for what: sets of cards as bits of an int64, in the order in which hands are sorted.

A card is `13 * suit + rank`; suits are s c h d, ranks 2 to 10, j, q, k, a. The jokers are equal: one joker of a set is
bit 52, a second one bit 53 as well.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lamplighter.jit import count_bits, first_bit

SUITS = "schd"
SUIT_SIGNS = dict(zip(SUITS, "♠♣♥♦", strict=True))
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a")
PLAIN_RANKS = RANKS[:-1]
COURTS = ("j", "q", "k")
JOKER = 52
DECK = 54
CARD_NAMES = (*(rank + suit for suit in SUITS for rank in RANKS), "joker")
ACE = RANKS.index("a")
WILD = tuple(card >= JOKER or card % 13 == ACE for card in range(DECK))  # §6
WILD_CARDS = sum(1 << card for card in range(DECK) if WILD[card])
SUIT_CARDS = (1 << 13) - 1  # the cards of the first suit
BANDS = ("number", "court")

MAX_CARDS = 4  # of one cost
SAME_SUIT, SAME_RANK, RUN, SAME_COLOUR = 1, 2, 4, 8  # relations of the cards of a cost, as bits
RELATIONS = {"same-suit": SAME_SUIT, "same-rank": SAME_RANK, "run": RUN, "same-colour": SAME_COLOUR}


class Cost(NamedTuple):
    """What each card must be, in words, and what they must be together."""

    cards: tuple[str, ...]
    relation: int = 0


COSTS = {  # costs that have a name of their own
    "black": Cost(("black",)),
    "red": Cost(("red",)),
    "any": Cost(("any",)),
    "same-suit": Cost(("any", "any"), SAME_SUIT),
    "same-rank": Cost(("any", "any"), SAME_RANK),
    "run": Cost(("any", "any"), RUN),
    "court+any": Cost(("court", "any")),
}


def suit_of(card: int) -> int:
    return card // 13


def rank_of(card: int) -> int:
    return card % 13


def is_court(card: int) -> bool:
    return RANKS[rank_of(card)] in COURTS


def _meets(word: str, card: int) -> bool | None:
    """Return whether a card that is not wild meets one word of a condition; None for a word that nobody knows."""
    if word in SUITS:
        return SUITS[suit_of(card)] == word
    if word in ("black", "red"):
        return (word == "black") == (suit_of(card) < 2)
    if word in BANDS:
        return is_court(card) == (word == "court")
    if word in ("any", "wild"):
        return word == "any"
    low, dash, high = word.partition("-")
    if low not in PLAIN_RANKS or (dash and high not in PLAIN_RANKS):
        return None
    first, last = RANKS.index(low), RANKS.index(high if dash else low)
    return first <= rank_of(card) <= last


def cards_that_meet(condition: str) -> int | None:
    """§2, §6, §B2 Return the cards that meet a condition, all wild ones among them; None if it cannot be read.

    >>> [CARD_NAMES[card] for card in cards_of(cards_that_meet("red court") & ~WILD_CARDS)]
    ['jh', 'qh', 'kh', 'jd', 'qd', 'kd']
    """
    words, found = condition.split(), WILD_CARDS
    for card in range(JOKER):
        met = [_meets(word, card) for word in words]
        if None in met:
            return None
        found |= all(met) << card
    return found if words else None


def pays_set(conditions: Any, count: int, relation: int, cards: int) -> bool:
    """§2, §6, §B2 Return whether a set of exactly as many cards as there are conditions pays. Kernels call it, too.

    Cards can be dealt to the conditions if every group of conditions is met by at least as many cards (Hall's theorem).
    The relation is asked of the cards that are not wild.

    >>> red, court = (cards_that_meet(word) for word in ("red", "court"))
    >>> king, nine, ace = (1 << CARD_NAMES.index(name) for name in ("kh", "9s", "as"))
    >>> pays_set((red, court), 2, 0, king | nine), pays_set((red, court), 2, SAME_SUIT, king | ace)
    (False, True)
    """
    for group in range(1, 1 << count):
        met = 0
        for i in range(count):
            if (group >> i) & 1:
                met |= int(conditions[i])
        if count_bits(met & cards) < count_bits(group):
            return False
    plain = cards & ~WILD_CARDS
    if relation == 0 or plain == 0:
        return True
    suits, ranks = 0, 0
    for suit in range(4):
        held = (plain >> (13 * suit)) & SUIT_CARDS
        ranks |= held
        if held != 0:
            suits |= 1 << suit
    if relation & SAME_SUIT and count_bits(suits) > 1:
        return False
    if relation & SAME_COLOUR and suits & 3 and suits & 12:
        return False
    if relation & SAME_RANK and count_bits(ranks) > 1:
        return False
    if relation & RUN:
        return count_bits(ranks) == count_bits(plain) and (ranks >> first_bit(ranks)) < 1 << count
    return True


def cards_of(bits: int) -> list[int]:
    """Return the cards of a set, sorted; both jokers as `JOKER`."""
    found = []
    while bits:
        found.append(min((bits & -bits).bit_length() - 1, JOKER))
        bits &= bits - 1
    return found
