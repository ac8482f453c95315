"""Switch-On, the rules. Paragraphs are those of RULES.md, rulings (R…) those of RULINGS.md.

Sets of squares are pairs of words (see components.py), hands are sets of cards (see cards.py). What the charts print is
in the box: which cards pay, where shapes fit, what a tree multiplies. Text and pictures live elsewhere.
"""

from __future__ import annotations

from typing import Any

from lamplighter.games.switch_on import figures as at
from lamplighter.games.switch_on.actions import phase_of, split_hang, split_raise
from lamplighter.games.switch_on.cards import DECK, JOKER, card_at, with_card, without_card
from lamplighter.games.switch_on.components import (
    BODY,
    ELECTRIC,
    ENDS,
    FIRST_RAISE,
    FITS,
    INNER,
    INSIDE_POWER,
    NEEDS_PAIR,
    ON_CABLE,
    ON_CHURCH,
    POINTS,
    WORD,
)
from lamplighter.games.switch_on.figures import figure
from lamplighter.games.switch_on.squares import (
    best_patterns,
    copy_block,
    is_drawn,
    list_placements,
    list_squares,
    shining,
    spread_power,
)
from lamplighter.games.switch_on.state import Phase, Reason
from lamplighter.jit import count_bits, first_bit, kernel

Box = Any
State = Any
Out = Any  # an int64 array that a kernel fills

PLAIN_CARDS = (1 << JOKER) - 1


@kernel
def setup(box: Box, state: State) -> None:
    """§16, §N Empty sheets, both tracks at their start. The lot decides who begins unless the variant says so (R15)."""
    state["first"] = figure(box, at.FIRST_PLAYER)
    state["draws"] = 0 if figure(box, at.FIRST_PLAYER) < 0 else 1
    for seat in range(figure(box, at.SEATS)):
        state["money"][seat] = figure(box, at.START_MONEY)
        state["cable"][seat] = figure(box, at.START_CABLE)


@kernel
def action_count(box: Box) -> int:
    return figure(box, at.ACTIONS)


@kernel
def discard(state: State, seat: int, card: int) -> None:
    """§10 A used card goes face up under the deck; it never comes back."""
    state["hands"][seat] = without_card(int(state["hands"][seat]), card)
    state["discards"] = with_card(int(state["discards"]), card)
    state["hand_size"][seat] -= 1


# --- chance ---------------------------------------------------------------------------------------------------


@kernel
def waiting(box: Box, state: State) -> int:
    """§1, §C, §H The active seat alone chooses; then all seats at once, until each is done."""
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
    """§1 Turns go clockwise."""
    return (int(state["first"]) + max(int(state["turn"]), 1) - 1) % figure(box, at.SEATS)


@kernel
def over_limit(box: Box, state: State) -> int:
    """§H The seats that hold too many cards."""
    mask = 0
    for seat in range(figure(box, at.SEATS)):
        if int(state["hand_size"][seat]) > figure(box, at.HAND_LIMIT):
            mask |= 1 << seat
    return mask


@kernel
def dealt(state: State) -> int:
    """Cards that have left the face-down deck."""
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


# --- legality -------------------------------------------------------------------------------------------------


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
    """§5, §8, §9 Light cable on shops, an arch over empty squares, dashed cable on both; Power takes ends only (R8)."""
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
    """§8 Where cable lies already, an end must meet a dot; and no cable is drawn twice."""
    squares = box["cable_squares"]
    for word in range(2):
        wired = int(state["wired"][seat, word])
        without_dot = wired & ~int(state["dots"][seat, word])
        if int(squares[placement, INNER, word]) & wired or int(squares[placement, ENDS, word]) & without_dot:
            return Reason.NO_DOT
    return Reason.SAME_CABLE if is_drawn(state, seat, placement) else Reason.OK


@kernel
def check_hang(box: Box, state: State, seat: int, action: int) -> Reason:
    """§I, §2–§6 The cards, 1 Money, and the square."""
    decoration, one, two, square = split_hang(box, action)
    hand = int(state["hands"][seat])
    first, second = card_at(hand, one), card_at(hand, two)
    if first < 0 or second < 0:
        return Reason.NOT_HELD
    if second > JOKER and (first != JOKER or one == two):
        return Reason.NO_SUCH_ACTION
    if state["money"][seat] == 0:
        return Reason.NO_MONEY
    if not pays_for(box, decoration, first, second):
        return Reason.WRONG_PAYMENT
    return check_square(box, state, seat, decoration, square)


@kernel
def pays_for(box: Box, decoration: int, first: int, second: int) -> bool:
    """§2, §6 Exactly the cost on the chart; wild cards fit any part of it."""
    if box["chart"][decoration, NEEDS_PAIR]:
        return (int(box["pays"][decoration, first]) >> second) & 1 == 1
    return (int(box["pays_alone"][decoration]) >> first) & 1 == 1


@kernel
def check_square(box: Box, state: State, seat: int, decoration: int, square: int) -> Reason:
    """§3, §4, §5 Light decorations on light cable, street ones on streets, none on the church; one a square."""
    word, bit = square // WORD, square % WORD
    if (int(box["church"][word]) >> bit) & 1:
        return Reason.ON_CHURCH
    if not (int(box["places"][decoration, word]) >> bit) & 1:
        return Reason.NEEDS_LIGHT_CABLE if box["chart"][decoration, ON_CABLE] else Reason.WRONG_PLACE
    if box["chart"][decoration, ON_CABLE] and not (int(state["light"][seat, word]) >> bit) & 1:
        return Reason.NEEDS_LIGHT_CABLE
    return Reason.SQUARE_TAKEN if (int(state["decorated"][seat, word]) >> bit) & 1 else Reason.OK


@kernel
def open_squares(box: Box, state: State, seat: int, decoration: int, word: int) -> int:
    """§3, §4, §5 The squares (one word of them) where a decoration may be hung now."""
    squares = int(box["places"][decoration, word]) & ~int(state["decorated"][seat, word])
    return squares & int(state["light"][seat, word]) if box["chart"][decoration, ON_CABLE] else squares


@kernel
def legal_actions(box: Box, state: State, seat: int, out: Out) -> int:
    """§C Every action that `check` accepts, in ascending order."""
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
    """§L, §7, §8 Pass, or a cable for each card. Neighbours in the hand that buy the same shapes share one search."""
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
        needs_pair = int(box["chart"][decoration, NEEDS_PAIR]) == 1
        number, row, rest = int(box["first_hang"][decoration]), figure(box, at.SLOTS) - 1, hand
        block, size, written = n, 0, 0  # the first block of squares, which the others repeat
        while rest != 0:
            card = first_bit(rest)
            rest &= rest - 1
            walk = rest if needs_pair else 1 << card
            chosen = walk & int(box["pays"][decoration, card] if needs_pair else box["pays_alone"][decoration])
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


# --- drawing --------------------------------------------------------------------------------------------------


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
    limit = figure(box, at.TRACK_LIMIT)
    state["money"][seat] = min(int(state["money"][seat]) + money, limit)
    state["cable"][seat] = min(int(state["cable"][seat]) + cable, limit)


@kernel
def lay(box: Box, state: State, seat: int, placement: int) -> None:
    """§7, §8, §S1 Draw a cable with its two dots, and let power run on."""
    light = bool(box["light"][int(box["shape_of"][placement])])
    for word in range(2):
        state["wired"][seat, word] |= box["cable_squares"][placement, BODY, word]
        state["dots"][seat, word] |= box["cable_squares"][placement, ENDS, word]
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
    decoration, one, two, square = split_hang(box, action)
    hand = int(state["hands"][seat])
    first, second = card_at(hand, one), card_at(hand, two)
    state["money"][seat] -= 1
    discard(state, seat, first)
    if one != two:
        discard(state, seat, second)
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


@kernel
def is_past_last_turn(box: Box, state: State) -> bool:
    """§10, §N The deck always ends in the same turn, so the number of turns is known: 23, 15 or 12 with six cards."""
    return int(state["turn"]) > figure(box, at.TURNS)


@kernel
def is_over(box: Box, state: State) -> bool:
    """§N After the last turn."""
    return int(state["phase"]) == Phase.OVER


@kernel
def step(box: Box, state: State) -> int:
    """What was played in a turn is final in the next, though the last turns begin without a draw."""
    return int(state["turn"])


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


# --- scoring --------------------------------------------------------------------------------------------------


@kernel
def score_decorations(box: Box, state: State, seat: int) -> int:
    """§S3, §13, §14 Chart value times the tree's: a star beside a small tree is worth 20 x 2."""
    total = 0
    for word in range(2):
        alive = shining(box, state, seat, word)
        while alive != 0:
            square = word * WORD + first_bit(alive)
            decoration = int(state["decorations"][seat, square]) - 1
            total += int(box["chart"][decoration, POINTS]) * int(box["factor"][square])
            alive &= alive - 1
    return total


@kernel
def score_patterns(box: Box, state: State, seat: int) -> int:
    """§S4, §13 The best set of patterns that share no decoration: star, angel, star beside one tree is worth 35 x 2."""
    return best_patterns(box, state, seat, shining(box, state, seat, 0), shining(box, state, seat, 1))


@kernel
def light_squares(state: State, seat: int) -> int:
    """§15 Squares with light cable."""
    return count_bits(int(state["light"][seat, 0])) + count_bits(int(state["light"][seat, 1]))


@kernel
def score_cable(box: Box, state: State, seat: int) -> int:
    """§S5, §15 So much for every square with light cable, powered or not (R10): 12 squares are worth 60."""
    squares = light_squares(state, seat)
    if not figure(box, at.DEAD_CABLE_SCORES):
        squares = 0
        for word in range(2):
            squares += count_bits(int(state["light"][seat, word]) & int(state["powered"][seat, word]))
    return figure(box, at.CABLE_POINTS) * squares


@kernel
def score(box: Box, state: State, seat: int, out: Out) -> int:
    """§11 The crowd: decorations, patterns, light cable."""
    out[0] = score_decorations(box, state, seat)
    out[1] = score_patterns(box, state, seat)
    out[2] = score_cable(box, state, seat)
    return int(out[0]) + int(out[1]) + int(out[2])


@kernel
def electric_decorations(box: Box, state: State, seat: int, alive: bool) -> int:
    """§12 Light decorations that shine, or that are struck."""
    found = 0
    for word in range(2):
        shine = shining(box, state, seat, word)
        rest = shine if alive else int(state["decorated"][seat, word]) & ~shine
        while rest != 0:
            if box["chart"][int(state["decorations"][seat, word * WORD + first_bit(rest)]) - 1, ELECTRIC]:
                found += 1
            rest &= rest - 1
    return found


@kernel
def standing(box: Box, state: State, seat: int) -> int:
    """§11, §N The largest crowd wins, then more light decorations that shine, then more light cable (R16)."""
    total = score_decorations(box, state, seat) + score_patterns(box, state, seat) + score_cable(box, state, seat)
    return (total * 128 + electric_decorations(box, state, seat, True)) * 128 + light_squares(state, seat)


@kernel
def facts(box: Box, state: State, seat: int, out: Out) -> int:
    """§12, §7 Light decorations that shine, cables drawn, decorations struck."""
    out[0] = electric_decorations(box, state, seat, True)
    out[1] = int(state["cable_count"][seat])
    out[2] = electric_decorations(box, state, seat, False)
    return 3
