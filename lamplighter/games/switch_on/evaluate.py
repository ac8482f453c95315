"""What the one-ply greedy bot maximises: the crowd it has, and what its sheet, hand and tracks promise.

Promises are counted in sixteenths of a point and fade as the turns run out. All weights were found by playing matches
against itself. A seat looks at nothing but its own sheet and hand.
"""

from __future__ import annotations

from lamplighter.games.switch_on.ceiling import ceiling as ceiling
from lamplighter.games.switch_on.components import (
    CARDS,
    ELECTRIC,
    EXTRA,
    KINDS,
    LENGTH,
    MAX_SQUARES,
    OFFSETS,
    POINTS,
    WORD,
)
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import DECK, JOKER
from lamplighter.games.switch_on.rules.effects import lay
from lamplighter.games.switch_on.rules.hands import cards_at
from lamplighter.games.switch_on.rules.legality import buys_shape, check_overlap, open_squares, pays_for
from lamplighter.games.switch_on.rules.numbering import choose, figure, payment_slots, phase_of, split_hang, split_raise
from lamplighter.games.switch_on.rules.scoring import score
from lamplighter.games.switch_on.rules.squares import has_room, shining, tree_factor
from lamplighter.games.switch_on.rules.turns import Box, Out, State
from lamplighter.games.switch_on.state import Phase, Reason
from lamplighter.jit import count_bits, first_bit, kernel

POINT = 16

# a card in the hand
BLACK = 186
RED = 331
COURT = 13
WILD = 101
PAIR = 20
# units on the tracks: the first three, the next three, the rest
MONEY_FEW = 90
MONEY_SOME = 79
MONEY_MANY = 20
CABLE_FEW = 77
CABLE_SOME = 46
CABLE_MANY = 10
# squares with light cable and no decoration: powered or not yet, times the tree
OPEN_LIT = 70
OPEN_DARK = 20
ROW_LIT = 30
# decorations that wait for power, in sixteenths of their worth
WAITING = 6
# a pattern that lacks two or one of its decorations, in sixteenths of its worth
BEGUN = 1
NEARLY = 6
# how much of a promise is kept with so many turns left, in sixteenths
FADE = (0, 1, 7, 8, 14, 15, 16)


@kernel
def evaluate(box: Box, state: State, seat: int, out: Out) -> int:
    """Return the points a seat has and may expect, in sixteenths; if it is about to act, after the best it can do."""
    phase = int(state["phase"])
    acted = phase == Phase.LIMIT or (int(state["done"]) >> seat) & 1 == 1
    to_act = not acted and (phase == Phase.FUNDS or phase == Phase.CABLE or phase == Phase.DECORATE)
    left = figure(box, at.TURNS) - int(state["turn"]) + (0 if acted or to_act else 1)
    kept = fade(left)
    value = (
        value_of_sheet(box, state, seat, kept, out)
        + value_of_hand(int(state["hands"][seat])) * kept // 16
        + value_of_tracks(int(state["money"][seat]), int(state["cable"][seat])) * kept // 16
    )
    if to_act and phase == Phase.FUNDS:
        value += best_raise(box, state, seat, kept)
    elif to_act and phase == Phase.CABLE:
        value += best_lay(box, state, seat, kept, out)
    elif to_act:
        value += best_hangs(box, state, seat, kept)
    return value


@kernel
def fade(left: int) -> int:
    """Return how much of a promise is kept, in sixteenths, with so many turns left."""
    return FADE[min(max(left, 0), len(FADE) - 1)]


# --- hand and tracks ------------------------------------------------------------------------------------------


@kernel
def value_of_card(card: int) -> int:
    """Return what a card is worth in the hand."""
    if card >= JOKER or card % 13 == 12:
        return BLACK + WILD
    return (BLACK if card < 26 else RED) + (COURT if card % 13 >= 9 else 0)


@kernel
def value_of_hand(hand: int) -> int:
    """Return the value of all cards, and something for ranks that are there twice."""
    total = 0
    rest = hand
    while rest != 0:
        total += value_of_card(first_bit(rest))
        rest &= rest - 1
    suits = 0x1FFF
    spades, clubs, hearts, diamonds = hand & suits, (hand >> 13) & suits, (hand >> 26) & suits, (hand >> 39) & suits
    twice = spades & clubs | (spades | clubs) & (hearts | diamonds) | hearts & diamonds
    return total + PAIR * count_bits(twice)


@kernel
def value_of_tracks(money: int, cable: int) -> int:
    """The first units are worth more than the last."""
    return (
        MONEY_FEW * min(money, 3)
        + MONEY_SOME * max(min(money - 3, 3), 0)
        + MONEY_MANY * max(money - 6, 0)
        + CABLE_FEW * min(cable, 2)
        + CABLE_SOME * max(min(cable - 2, 2), 0)
        + CABLE_MANY * max(cable - 4, 0)
    )


# --- the sheet ------------------------------------------------------------------------------------------------


@kernel
def value_of_sheet(box: Box, state: State, seat: int, kept: int, out: Out) -> int:
    """Return the score, and the promise of bare light cable, of decorations without power and of patterns that are begun."""
    value = POINT * score(box, state, seat, out)
    if kept == 0:
        return value
    promise = 0
    shining0, shining1 = shining(box, state, seat, 0), shining(box, state, seat, 1)
    for word in range(2):
        bare = int(state["light"][seat, word]) & ~int(state["decorated"][seat, word])
        powered = int(state["powered"][seat, word])
        while bare != 0:
            bit = first_bit(bare)
            square = word * WORD + bit
            if (powered >> bit) & 1:
                promise += OPEN_LIT * int(box["factor"][square])
                promise += ROW_LIT * rows_from(box, state, seat, square)
            else:
                promise += OPEN_DARK * int(box["factor"][square])
            bare &= bare - 1
        alive = shining0 if word == 0 else shining1
        dark = int(state["decorated"][seat, word]) & ~alive
        while dark != 0:
            square = word * WORD + first_bit(dark)
            decoration = int(state["decorations"][seat, square]) - 1
            promise += WAITING * int(box["chart"][decoration, POINTS]) * int(box["factor"][square])
            dark &= dark - 1
        while alive != 0:
            promise += begun_patterns(box, state, seat, word * WORD + first_bit(alive))
            alive &= alive - 1
    return value + promise * kept // 16


@kernel
def is_free_and_lit(state: State, seat: int, square: int) -> bool:
    word, bit = square // WORD, square % WORD
    lit = int(state["light"][seat, word]) & int(state["powered"][seat, word]) & ~int(state["decorated"][seat, word])
    return (lit >> bit) & 1 == 1


@kernel
def rows_from(box: Box, state: State, seat: int, square: int) -> int:
    """Rows and columns of three bare, powered squares that start here, each times its tree."""
    found, cols = 0, figure(box, at.COLS)
    for direction in range(2):
        step = 1 if direction == 0 else cols
        second, third = square + step, square + 2 * step
        if third >= figure(box, at.SQUARES) or not is_free_and_lit(state, seat, second):
            continue
        if is_free_and_lit(state, seat, third) and (direction == 1 or square % cols + 2 < cols):
            trees = int(box["near_trees"][square]) & int(box["near_trees"][second]) & int(box["near_trees"][third])
            found += tree_factor(box, trees)
    return found


@kernel
def begun_patterns(box: Box, state: State, seat: int, square: int) -> int:
    """Return the best promise of a pattern that this decoration is part of, shared with the others in it."""
    best = 0
    kind = int(state["decorations"][seat, square]) - 1
    for line in range(int(box["first_line"][figure(box, at.DECORATIONS)])):
        for place in range(int(box["lines"][line, LENGTH])):
            if int(box["lines"][line, KINDS + place]) == kind:
                best = max(best, promise_of_line(box, state, seat, line, place, square))
    return best


@kernel
def promise_of_line(box: Box, state: State, seat: int, line: int, place: int, square: int) -> int:
    """Return what a pattern promises whose `place`-th decoration is on `square`; 0 if it cannot be finished."""
    first, length = square - int(box["lines"][line, OFFSETS + place]), int(box["lines"][line, LENGTH])
    if first < 0:
        return 0
    trees = -1
    missing = 0
    for i in range(length):
        here = first + int(box["lines"][line, OFFSETS + i])
        if here >= MAX_SQUARES:
            return 0
        kind = int(box["lines"][line, KINDS + i])
        on_it = int(state["decorations"][seat, here]) - 1
        word, bit = here // WORD, here % WORD
        if box["chart"][kind, ELECTRIC] and not (int(state["powered"][seat, word]) >> bit) & 1:
            return 0
        if on_it != kind:
            if on_it >= 0 or not (open_squares(box, state, seat, kind, word) >> bit) & 1:
                return 0
            missing += 1
        trees &= int(box["near_trees"][here])
    if missing == 0 or missing > 2 or not has_room(box, line, first):
        return 0
    worth = int(box["lines"][line, EXTRA]) * tree_factor(box, trees)
    return (NEARLY if missing == 1 else BEGUN) * worth // max(length - missing, 1)


# --- the best that can be done now ----------------------------------------------------------------------------


@kernel
def best_raise(box: Box, state: State, seat: int, kept: int) -> int:
    """§F Return the best gain of raising funds, over all cards and all splits."""
    money, cable = int(state["money"][seat]), int(state["cable"][seat])
    money_end, cable_end = figure(box, at.MONEY_LIMIT), figure(box, at.CABLE_LIMIT)
    now = value_of_tracks(money, cable)
    hand = int(state["hands"][seat])
    before = value_of_hand(hand)
    rest = hand
    best = 0
    units, cost = int(box["units"][DECK]), 0
    while True:
        for part in range(units + 1):
            gain = value_of_tracks(min(money + part, money_end), min(cable + units - part, cable_end)) - now - cost
            best = max(best, gain)
        if rest == 0:
            break
        card = first_bit(rest)
        units, cost = int(box["units"][card]), before - value_of_hand(hand & ~(1 << card))
        rest &= rest - 1
    return best * kept // 16


@kernel
def best_lay(box: Box, state: State, seat: int, kept: int, out: Out) -> int:
    """§L Return the best gain of laying one cable: every placement is tried on the sheet and taken off again."""
    money, cable = int(state["money"][seat]), int(state["cable"][seat])
    if cable == 0:
        return 0
    hand = int(state["hands"][seat])
    price = value_of_tracks(money, cable) - value_of_tracks(money, cable - 1)
    before = value_of_sheet(box, state, seat, kept, out)
    best = 0
    for shape in range(figure(box, at.SHAPES)):
        cost = cheapest_buyer(box, hand, shape)
        if cost < 0:
            continue
        for placement in range(int(box["first_fit"][shape]), int(box["first_fit"][shape + 1])):
            if check_overlap(box, state, seat, placement) == Reason.OK:
                gain = try_lay(box, state, seat, placement, kept, out) - before
                best = max(best, gain - (cost + price) * kept // 16)
    return best


@kernel
def cheapest_buyer(box: Box, hand: int, shape: int) -> int:
    """Return the value of the least valuable card that buys a shape; -1 if none does."""
    cheapest = -1
    while hand != 0:
        card = first_bit(hand)
        if card <= JOKER and buys_shape(box, card, shape):
            value = value_of_card(card)
            if cheapest < 0 or value < cheapest:
                cheapest = value
        hand &= hand - 1
    return cheapest


@kernel
def try_lay(box: Box, state: State, seat: int, placement: int, kept: int, out: Out) -> int:
    """Return the value of the sheet with one more cable. The sheet is left as it was."""
    wired0, wired1 = int(state["wired"][seat, 0]), int(state["wired"][seat, 1])
    dots0, dots1 = int(state["dots"][seat, 0]), int(state["dots"][seat, 1])
    light0, light1 = int(state["light"][seat, 0]), int(state["light"][seat, 1])
    powered0, powered1 = int(state["powered"][seat, 0]), int(state["powered"][seat, 1])
    lay(box, state, seat, placement)
    value = value_of_sheet(box, state, seat, kept, out)
    state["wired"][seat, 0], state["wired"][seat, 1] = wired0, wired1
    state["dots"][seat, 0], state["dots"][seat, 1] = dots0, dots1
    state["light"][seat, 0], state["light"][seat, 1] = light0, light1
    state["powered"][seat, 0], state["powered"][seat, 1] = powered0, powered1
    cables = state["cables"]
    count = int(state["cable_count"][seat]) - 1
    i = 0
    while int(cables[seat, i]) != placement + 1:
        i += 1
    while i < count:
        cables[seat, i] = cables[seat, i + 1]
        i += 1
    cables[seat, count] = 0
    state["cable_count"][seat] = count
    return value


@kernel
def best_hangs(box: Box, state: State, seat: int, kept: int) -> int:
    """§I What the hand may hang now, one good decoration after the other, each on the best square left."""
    hand = int(state["hands"][seat])
    money, cable = int(state["money"][seat]), int(state["cable"][seat])
    used0, used1 = 0, 0
    total = 0
    while money > 0 and hand != 0:
        price = value_of_tracks(money, cable) - value_of_tracks(money - 1, cable)
        best, best_cards, best_square = 0, 0, 0
        for decoration in range(figure(box, at.DECORATIONS)):
            square = best_square_for(box, state, seat, decoration, used0, used1)
            if square < 0:
                continue
            worth = POINT * int(box["chart"][decoration, POINTS]) * int(box["factor"][square])
            if worth <= best:
                continue
            cards = cheapest_payment(box, hand, decoration)
            if cards == 0:
                continue
            gain = worth - (price + value_of_hand(hand) - value_of_hand(hand & ~cards)) * kept // 16
            if gain > best:
                best, best_cards, best_square = gain, cards, square
        if best == 0:
            break
        total += best
        hand &= ~best_cards
        money -= 1
        if best_square < WORD:
            used0 |= 1 << best_square
        else:
            used1 |= 1 << best_square - WORD
    return total


@kernel
def best_square_for(box: Box, state: State, seat: int, decoration: int, used0: int, used1: int) -> int:
    """Return the open square where a decoration counts most; a light one only where it shines. -1 if there is none."""
    best, best_factor = -1, 0
    for word in range(2):
        squares = open_squares(box, state, seat, decoration, word) & ~(used0 if word == 0 else used1)
        if box["chart"][decoration, ELECTRIC]:
            squares &= int(state["powered"][seat, word])
        while squares != 0:
            square = word * WORD + first_bit(squares)
            if int(box["factor"][square]) > best_factor:
                best, best_factor = square, int(box["factor"][square])
            squares &= squares - 1
    return best


@kernel
def cheapest_payment(box: Box, hand: int, decoration: int) -> int:
    """Return the least valuable cards that pay for a decoration, as a set; empty if none do."""
    best, best_value = 0, 1 << 40
    count = int(box["chart"][decoration, CARDS])
    if count > 2:
        return cheapest_large_payment(box, hand, decoration)
    rest = hand
    while rest != 0:
        card = first_bit(rest)
        rest &= rest - 1
        value = value_of_card(card)
        if count == 2:
            others = int(box["pays"][decoration, card]) & rest
            while others != 0:
                other = first_bit(others)
                if value + value_of_card(other) < best_value:
                    best, best_value = 1 << card | 1 << other, value + value_of_card(other)
                others &= others - 1
        elif (int(box["cost_cards"][decoration, 0]) >> card) & 1 and value < best_value:
            best, best_value = 1 << card, value
    return best


@kernel
def cheapest_large_payment(box: Box, hand: int, decoration: int) -> int:
    """The same for a decoration that costs three or four cards."""
    best, best_value = 0, 1 << 40
    for payment in range(choose(figure(box, at.SLOTS), int(box["chart"][decoration, CARDS]))):
        cards = cards_at(hand, payment_slots(box, decoration, payment))
        if cards != 0:
            value, rest = 0, cards
            while rest != 0:
                value += value_of_card(first_bit(rest))
                rest &= rest - 1
            if value < best_value and pays_for(box, decoration, cards):
                best, best_value = cards, value
    return best


# --- for a search ---------------------------------------------------------------------------------------------


@kernel
def point(box: Box) -> int:
    """Return how much of `evaluate` is a point."""
    return POINT


@kernel
def stage(box: Box, state: State, seat: int) -> int:
    """Turns in which the seat has still to act, in sixteenths."""
    acted = int(state["phase"]) == Phase.LIMIT or (int(state["done"]) >> seat) & 1 == 1
    return 16 * (figure(box, at.TURNS) - int(state["turn"]) + (0 if acted else 1))


@kernel
def lane(box: Box, state: State, seat: int) -> int:
    """Return a lane for each of the three actions: none of them is dropped before it is seen what it leads to."""
    return max(int(state["phase"]) - Phase.FUNDS, 0)


@kernel
def group(box: Box, state: State, seat: int, action: int) -> int:
    """Raises of as many units, strands in one place, and decorations of one kind on one square: only their cards differ."""
    phase = phase_of(box, action)
    if phase == Phase.FUNDS:
        _, money, cable = split_raise(box, action)
        return 3 * figure(box, at.ACTIONS) + money * 64 + cable
    if phase == Phase.CABLE and action != figure(box, at.PASS_ACTION):
        return figure(box, at.ACTIONS) + (action - figure(box, at.FIRST_LAY)) % figure(box, at.FITS)
    if phase == Phase.DECORATE and action != figure(box, at.STOP_ACTION):
        decoration, _, square = split_hang(box, action)
        return 2 * figure(box, at.ACTIONS) + decoration * figure(box, at.SQUARES) + square
    return action


# `hard` and `expert` think about one move at a time: an action to choose is one of three candidates, with all the samples.
# In those of `expert` the other seats play any move, which takes a third of the time.
SEARCH = {
    "beam": 2,
    "turns": 3,
    "gate": 1.0,
    "hard": {"moves": 1, "candidates": 6, "simulations": 12},
    "expert": {
        "moves": 1, "turns": 0, "candidates": 12, "simulations": 400, "fewer_later": True, "others": "uniform", "rivals": 0.0,
    },
}  # fmt: skip
