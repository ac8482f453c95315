"""Which actions are legal. Which cards pay and where shapes fit is in the box."""

from __future__ import annotations

from lamplighter.games.switch_on.components import (
    CARDS,
    DOTS,
    FIRST_RAISE,
    FITS,
    INNER,
    INSIDE_POWER,
    ON_CHURCH,
    RELATION,
    WORD,
)
from lamplighter.games.switch_on.components import cards as card_sets
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import DECK, JOKER
from lamplighter.games.switch_on.rules.hands import card_at, cards_at
from lamplighter.games.switch_on.rules.numbering import choose, figure, payment_slots, phase_of, split_hang, split_raise
from lamplighter.games.switch_on.rules.squares import (
    copy_block,
    is_drawn,
    list_placements,
    list_squares,
)
from lamplighter.games.switch_on.rules.turns import Box, Out, State, waiting
from lamplighter.games.switch_on.state import Phase, Reason
from lamplighter.jit import count_bits, first_bit, kernel

SECOND_JOKER = 2  # of the bits of both jokers: the second without the first
pays_set = kernel(card_sets.pays_set)


@kernel
def check(box: Box, state: State, seat: int, action: int) -> Reason:
    """§1, §C Say why `action` is refused, or `Reason.OK`."""
    if action < 0 or action >= figure(box, at.ACTIONS):
        return Reason.NO_SUCH_ACTION
    if not (waiting(box, state) >> seat) & 1:
        return Reason.NOT_WAITING
    if phase_of(box, action) != int(state["phase"]):
        return Reason.NOT_NOW
    if action < FIRST_RAISE or action == figure(box, at.PASS_ACTION) or action == figure(box, at.STOP_ACTION):
        return Reason.OK
    if action < figure(box, at.PASS_ACTION):
        return check_raise(box, state, seat, action)
    if action < figure(box, at.STOP_ACTION):
        return check_lay(box, state, seat, action)
    if action < figure(box, at.FIRST_DISCARD):
        return check_hang(box, state, seat, action)
    return check_card(state, seat, action - figure(box, at.FIRST_DISCARD))


@kernel
def check_card(state: State, seat: int, slot: int) -> Reason:
    """§10 The card must be in the hand; the second of two jokers is the same as the first."""
    card = card_at(int(state["hands"][seat]), slot)
    if card < 0:
        return Reason.NOT_HELD
    return Reason.NO_SUCH_ACTION if card > JOKER else Reason.OK


@kernel
def check_raise(box: Box, state: State, seat: int, action: int) -> Reason:
    """§F One card or none; every unit becomes Money or Cable."""
    slot, money, cable = split_raise(box, action)
    units = int(box["units"][DECK])
    if slot >= 0:
        held = check_card(state, seat, slot)
        if held != Reason.OK:
            return held
        units = int(box["units"][card_at(int(state["hands"][seat]), slot)])
    return Reason.OK if money + cable == units else Reason.WRONG_SUM


@kernel
def check_lay(box: Box, state: State, seat: int, action: int) -> Reason:
    """§L, §7–§9 The ground, the card, 1 Cable, and what lies there already."""
    if action >= figure(box, at.FIRST_MISFIT):
        return check_ground(box, figure(box, at.FITS) + action - figure(box, at.FIRST_MISFIT))
    number = action - figure(box, at.FIRST_LAY)
    slot, placement = number // figure(box, at.FITS), number % figure(box, at.FITS)
    held = check_card(state, seat, slot)
    if held != Reason.OK:
        return held
    if state["cable"][seat] == 0:
        return Reason.NO_CABLE
    if not buys_shape(box, card_at(int(state["hands"][seat]), slot), int(box["shape_of"][placement])):
        return Reason.WRONG_CARD
    return check_overlap(box, state, seat, placement)


@kernel
def check_ground(box: Box, placement: int) -> Reason:
    """§5, §8, §9 Light strands on shops, an arch over empty squares, dashed ones on both; Power takes dots only (R8)."""
    ground = int(box["ground"][placement])
    if ground == FITS:
        return Reason.OK
    if ground == INSIDE_POWER:
        return Reason.INSIDE_POWER
    return Reason.ON_CHURCH if ground == ON_CHURCH else Reason.WRONG_GROUND


@kernel
def buys_shape(box: Box, card: int, shape: int) -> bool:
    """§6, §7 The card's suit and band name the shape; a wild card is any."""
    return (int(box["buyers"][shape]) >> card) & 1 == 1


@kernel
def check_overlap(box: Box, state: State, seat: int, placement: int) -> Reason:
    """§8 Where a strand lies already, a dot must meet a dot; and no strand is drawn twice (R17)."""
    squares = box["cable_squares"]
    for word in range(2):
        wired = int(state["wired"][seat, word])
        without_dot = wired & ~int(state["dots"][seat, word])
        if int(squares[placement, INNER, word]) & wired or int(squares[placement, DOTS, word]) & without_dot:
            return Reason.NO_DOT
    return Reason.SAME_CABLE if is_drawn(state, seat, placement) else Reason.OK


@kernel
def check_hang(box: Box, state: State, seat: int, action: int) -> Reason:
    """§I, §2–§6 The cards, 1 Money, and the square."""
    decoration, payment, square = split_hang(box, action)
    cards = cards_at(int(state["hands"][seat]), payment_slots(box, decoration, payment))
    if cards == 0:
        return Reason.NOT_HELD
    if cards >> JOKER == SECOND_JOKER:
        return Reason.NO_SUCH_ACTION
    if state["money"][seat] == 0:
        return Reason.NO_MONEY
    if not pays_for(box, decoration, cards):
        return Reason.WRONG_PAYMENT
    return check_square(box, state, seat, decoration, square)


@kernel
def pays_for(box: Box, decoration: int, cards: int) -> bool:
    """§2, §6, §B2 Exactly the cost on the chart; wild cards fit any part of it."""
    count, relation = int(box["chart"][decoration, CARDS]), int(box["chart"][decoration, RELATION])
    return pays_set(box["cost_cards"][decoration], count, relation, cards)


@kernel
def check_square(box: Box, state: State, seat: int, decoration: int, square: int) -> Reason:
    """§3, §4, §5 Light decorations on light strands, street ones on streets, none on the church; one a square (R24)."""
    word, bit = square // WORD, square % WORD
    if (int(box["church"][word]) >> bit) & 1:
        return Reason.ON_CHURCH
    lit = int(box["lit_places"][decoration, word]) & int(state["light"][seat, word])
    if not ((int(box["places"][decoration, word]) | lit) >> bit) & 1:
        only_lit = int(box["places"][decoration, 0]) | int(box["places"][decoration, 1]) == 0
        return Reason.NEEDS_LIGHT_CABLE if only_lit else Reason.WRONG_PLACE
    return Reason.SQUARE_TAKEN if (int(state["decorated"][seat, word]) >> bit) & 1 else Reason.OK


@kernel
def open_squares(box: Box, state: State, seat: int, decoration: int, word: int) -> int:
    """§3, §4, §5 Return the squares (one word of them) where a decoration may be hung now."""
    lit = int(box["lit_places"][decoration, word]) & int(state["light"][seat, word])
    return (int(box["places"][decoration, word]) | lit) & ~int(state["decorated"][seat, word])


@kernel
def legal_actions(box: Box, state: State, seat: int, out: Out) -> int:
    """§C Write every action that `check` accepts to `out`, in ascending order. Return how many there are."""
    if not (waiting(box, state) >> seat) & 1:
        return 0
    phase = int(state["phase"])
    if phase == Phase.CHOOSE:
        out[0], out[1], out[2] = 0, 1, 2
        return 3
    if phase == Phase.FUNDS:
        return list_raises(box, state, seat, out)
    if phase == Phase.CABLE:
        return list_lays(box, state, seat, out)
    if phase == Phase.DECORATE:
        return list_hangs(box, state, seat, out)
    hand = int(state["hands"][seat])
    cards = count_bits(hand) - ((hand >> JOKER + 1) & 1)
    for slot in range(cards):
        out[slot] = figure(box, at.FIRST_DISCARD) + slot
    return cards


@kernel
def list_raises(box: Box, state: State, seat: int, out: Out) -> int:
    """§F No card or one, with every split of its units (R4)."""
    n = 0
    base = figure(box, at.MOST_UNITS) + 1
    rest = int(state["hands"][seat]) & ~(1 << JOKER + 1)
    number = FIRST_RAISE
    units = int(box["units"][DECK])
    while True:
        for money in range(units + 1):
            out[n] = number + money * base + units - money
            n += 1
        if rest == 0:
            return n
        units = int(box["units"][first_bit(rest)])
        rest &= rest - 1
        number += base * base


@kernel
def list_lays(box: Box, state: State, seat: int, out: Out) -> int:
    """§L, §7, §8 Pass, or a strand for each card. Neighbours in the hand that buy the same shapes share one search."""
    out[0] = figure(box, at.PASS_ACTION)
    n = 1
    if state["cable"][seat] == 0:
        return n
    rest = int(state["hands"][seat]) & ~(1 << JOKER + 1)
    number = figure(box, at.FIRST_LAY)
    start, size, shapes_before, number_before = n, 0, -1, 0
    while rest != 0:
        card = first_bit(rest)
        shapes = 0
        for shape in range(figure(box, at.SHAPES)):
            shapes |= ((int(box["buyers"][shape]) >> card) & 1) << shape
        if shapes == shapes_before:
            n = copy_block(out, start, size, n, number - number_before)
        else:
            start, shapes_before, number_before = n, shapes, number
            while shapes != 0:
                n = list_placements(box, state, seat, first_bit(shapes), number, out, n)
                shapes &= shapes - 1
            size = n - start
        rest &= rest - 1
        number += figure(box, at.FITS)
    return n


@kernel
def list_hangs(box: Box, state: State, seat: int, out: Out) -> int:
    """§I, §2 Stop, or every decoration with every set of cards that pays, on every square that is open to it (R7)."""
    out[0] = figure(box, at.STOP_ACTION)
    n = 1
    hand = int(state["hands"][seat])
    if state["money"][seat] == 0 or hand == 0:
        return n
    squares = figure(box, at.SQUARES)
    for decoration in range(figure(box, at.DECORATIONS)):
        low = open_squares(box, state, seat, decoration, 0)
        high = open_squares(box, state, seat, decoration, 1)
        if (low | high) == 0:
            continue
        count = int(box["chart"][decoration, CARDS])
        if count > 2:
            n = list_large_payments(box, hand, decoration, low, high, out, n)
            continue
        needs_pair = count == 2
        number, row, rest = int(box["first_hang"][decoration]), figure(box, at.SLOTS) - 1, hand
        block, size, written = n, 0, 0  # the first block of squares, which the others repeat
        while rest != 0:
            card = first_bit(rest)
            rest &= rest - 1
            walk = rest if needs_pair else 1 << card
            chosen = walk & int(box["pays"][decoration, card] if needs_pair else box["cost_cards"][decoration, 0])
            here = number
            while chosen != 0:
                lowest = walk & -walk
                if chosen & lowest:
                    if size == 0:
                        n = list_squares(out, n, here, low, high)
                        size, written = n - block, here
                    else:
                        n = copy_block(out, block, size, n, here - written)
                    chosen ^= lowest
                walk ^= lowest
                here += squares
            number += squares * row if needs_pair else squares
            row -= 1
    return n


@kernel
def list_large_payments(box: Box, hand: int, decoration: int, low: int, high: int, out: Out, n: int) -> int:
    """§2, §B2 Write a decoration that costs three or four cards, with every set of cards that pays. Return the new count."""
    count, slots = int(box["chart"][decoration, CARDS]), figure(box, at.SLOTS)
    squares, number = figure(box, at.SQUARES), int(box["first_hang"][decoration])
    block, size, written = n, 0, 0  # the first block of squares, which the others repeat
    for payment in range(choose(slots, count)):
        cards = cards_at(hand, payment_slots(box, decoration, payment))
        if cards == 0 or cards >> JOKER == SECOND_JOKER or not pays_for(box, decoration, cards):
            continue
        here = number + payment * squares
        if size == 0:
            n = list_squares(out, n, here, low, high)
            size, written = n - block, here
        else:
            n = copy_block(out, block, size, n, here - written)
    return n
