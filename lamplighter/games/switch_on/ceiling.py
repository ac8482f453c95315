"""What a seat cannot exceed, once the cards that are still to come and what the others play are known. `evaluate.py` offers it.

Everybody carries out the action of a turn (§1), so the moves of the others tell which action each turn has. Which cards the
seat gets, and when, is known too. What it makes of them is bounded by prices: every card has one, and so have a unit of Money,
a unit of Cable, and a square that gets light. Whatever the prices are, a seat has no more than the sum of

- what is on its sheet, and what is dark there and may shine in the end;
- the prices of its cards, of the units on its tracks, and of the squares that get light without a strand of their own;
- for every free square, the most by which a decoration there is worth more than it costs (§2), or 0;
- for every turn of Raise Funds, the most by which the units are worth more than the card (§F);
- for every strand, the most by which its squares are worth more than the card and 1 Cable (§7).

A card is used once and a unit is spent once (§10, §16), so what a play pays is never more than what the seat has and gets. That
makes any prices a proof, and looking for those with the lowest sum makes it tight. It is done for each number of strands, because
far squares need many; the highest of these bounds counts. Hand limit and track ends are left out: they only take away.
"""

from __future__ import annotations

from lamplighter.games.switch_on.components import (
    BODY,
    CARDS,
    DOTS,
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
from lamplighter.games.switch_on.components.tables import MAX_DECORATIONS, MAX_FITS
from lamplighter.games.switch_on.rules.legality import check_overlap
from lamplighter.games.switch_on.rules.numbering import figure, phase_of
from lamplighter.games.switch_on.rules.squares import best_patterns, has_room, tree_factor
from lamplighter.games.switch_on.rules.turns import Box, Out, State, dealt
from lamplighter.games.switch_on.state import Phase, Reason
from lamplighter.jit import count_bits, first_bit, kernel

POINT = 840  # prices are counted in parts of a point; patterns can be shared out by 2 to 8 cards without a rest
START_CARD, START_UNIT, START_LIGHT = 24 * POINT, 6 * POINT, 4 * POINT  # where the search for prices begins
FIRST_STEP, LAST_STEP = 8 * POINT, POINT // 4
WAYS = 27  # of changing many prices at once
MOST_TRIES = 1_000  # changes of a price, for each number of strands
NEVER = 1 << 40  # a price that nothing is worth
FAR = 1_000  # the distance of a square that power cannot reach

# Where numbers are in `out`. Cards are those in the hand and those to come; a card comes in a turn, and turns count from the one
# that the seat is in.
MOST_CARDS, MOST_TURNS, MOST_LEVELS = 32, 64, 64
TURNS, HAND, LAST_HANG, LAST_LAY, FIXED, OPTIONS, LONGEST = 0, 1, 2, 3, 4, 5, 6
ACTION = 8  # of each turn, as a `Phase`
CARD = ACTION + MOST_TURNS
COMES = CARD + MOST_CARDS
PRICE = COMES + MOST_CARDS  # of each card; then of a unit of Money, one of Cable, and a lit square at each level
MONEY, CABLE, LIGHT = PRICE + MOST_CARDS, PRICE + MOST_CARDS + 1, PRICE + MOST_CARDS + 2
BEFORE = LIGHT + MOST_LEVELS  # the prices before a change
PAY = BEFORE + LIGHT + MOST_LEVELS - PRICE  # the cheapest cards of each decoration, and 1 Money
LIT = PAY + MAX_DECORATIONS  # what a square costs that gets light, by its distance
GIVEN = LIT + MOST_LEVELS + 1  # squares of each level that get light beside those that strands bring
NEW, SPREADS = GIVEN + MOST_LEVELS, GIVEN + MOST_LEVELS + MOST_CARDS  # of each card, see `read_shapes`
LAID = SPREADS + MOST_CARDS  # what the best strand of each turn is worth
DISTANCE = LAID + MOST_TURNS  # of each square, in strands from power
WORTH = DISTANCE + MAX_SQUARES  # of each decoration on each square, its points; then its part of patterns
SHARED = WORTH + MAX_DECORATIONS * MAX_SQUARES
OPTION = SHARED + MAX_DECORATIONS * MAX_SQUARES  # four numbers each: square, decoration, worth, distance
LEGAL = OPTION + 4 * MAX_DECORATIONS * MAX_SQUARES  # how many placements may be drawn, and which
PAIRS = LEGAL + 1 + MAX_FITS  # for each decoration: how many pairs of cards pay for it, and which
MOST_PAIRS = 1 + MOST_CARDS * MOST_CARDS // 2


@kernel
def ceiling(box: Box, state: State, seat: int, dice: Out, plays: Out, out: Out) -> int:
    """§11 Return the highest bound over all numbers of strands that the seat may still draw."""
    if not read_turns(box, state, seat, plays, out):
        return -1
    read_cards(box, state, seat, dice, out)
    list_pairs(box, out)
    read_shapes(box, state, seat, out)
    measure(box, state, seat, out)
    set_prices(out)
    best, turns = -1, 0
    for turn in range(int(out[TURNS])):
        turns += int(out[ACTION + turn] == Phase.CABLE)
    for strands in range(turns, -1, -1):
        read_worth(box, state, seat, strands, out)
        list_options(box, state, seat, strands, out)
        best = max(best, lowest_bound(box, state, seat, strands, best, out))
    return best // POINT


# --- what is known --------------------------------------------------------------------------------------------


@kernel
def read_turns(box: Box, state: State, seat: int, plays: Out, out: Out) -> bool:
    """§1, §C Write the action of this turn, if it is still to be carried out, and of all later ones; False if not all are known.

    Everybody raises funds once, draws a strand or passes once, or stops hanging decorations once.
    """
    phase, other, n, skipped = int(state["phase"]), int(seat == 0), 0, 0
    turns = figure(box, at.TURNS) - int(state["turn"]) + int(phase != Phase.LIMIT)
    if phase == Phase.FUNDS or phase == Phase.DECORATE or phase == Phase.CABLE:
        out[ACTION] = phase
        n, skipped = 1, 1 - ((int(state["done"]) >> other) & 1)
    for i in range(plays.shape[1]):
        action = int(plays[other, i])
        does = 0 + phase_of(box, action)
        if does == Phase.FUNDS or does == Phase.CABLE or action == figure(box, at.STOP_ACTION):
            if skipped > 0:
                skipped -= 1
            elif n < turns:
                out[ACTION + n] = does
                n += 1
    out[TURNS], out[LAST_HANG], out[LAST_LAY] = n, -1, -1
    for turn in range(n):
        if out[ACTION + turn] == Phase.DECORATE:
            out[LAST_HANG] = turn
        elif out[ACTION + turn] == Phase.CABLE:
            out[LAST_LAY] = turn
    return n == turns


@kernel
def read_cards(box: Box, state: State, seat: int, dice: Out, out: Out) -> None:
    """§D Write the cards in the hand, and those that the seat is dealt in later turns. Both jokers are called `JOKER`."""
    seats, n, hand = figure(box, at.SEATS), 0, int(state["hands"][seat])
    while hand != 0:
        out[CARD + n], out[COMES + n] = min(first_bit(hand), JOKER), 0
        hand &= hand - 1
        n += 1
    now = int(state["turn"]) + int(state["phase"] == Phase.LIMIT)
    for i in range(len(dice)):
        drawn = dealt(state) + i - seats * figure(box, at.HAND_START)
        turn = drawn // seats + 1
        if (int(state["first"]) + turn - 1 + drawn) % seats == seat:
            out[CARD + n], out[COMES + n] = dice[i], turn - now
            n += 1
    out[HAND] = n


@kernel
def list_pairs(box: Box, out: Out) -> None:
    """§2, §6 List the pairs of cards that pay for each decoration that costs two, and that are there in time."""
    for kind in range(figure(box, at.DECORATIONS)):
        first = PAIRS + kind * MOST_PAIRS
        out[first] = 0
        for i in range(int(out[HAND]) if int(box["chart"][kind, CARDS]) == 2 else 0):
            for j in range(i):
                low, high = min(int(out[CARD + i]), int(out[CARD + j])), max(int(out[CARD + i]), int(out[CARD + j]))
                pays = (int(box["pays"][kind, low]) >> (high if low < JOKER else JOKER + 1)) & 1
                if pays and max(int(out[COMES + i]), int(out[COMES + j])) <= int(out[LAST_HANG]):
                    out[first] += 1
                    out[first + int(out[first])] = i * MOST_CARDS + j


@kernel
def read_shapes(box: Box, state: State, seat: int, out: Out) -> None:
    """§7, §8 List the placements that may be drawn; what is refused now stays so, because strands are never taken away.

    NEW: the most squares without light that a strand of this card covers, -1 if it buys none. SPREADS: how many squares with
    light and power it adds at most. A strand gets power where one of its dots meets a square that has power already (§S1). If
    that square is light, the strand adds its other squares. If it is not, it is Power or a dot of a dashed strand: those that
    are on the sheet are counted in GIVEN, and a new dashed strand adds its dots but for the one that joins it.
    """
    n, squares = 0, box["cable_squares"]
    out[LONGEST] = 0
    for i in range(int(out[HAND])):
        out[NEW + i], out[SPREADS + i] = -1, 0
    for shape in range(figure(box, at.SHAPES)):
        most, spreads = -1, 0
        for placement in range(int(box["first_fit"][shape]), int(box["first_fit"][shape + 1])):
            if check_overlap(box, state, seat, placement) != Reason.OK:
                continue
            n += 1
            out[LEGAL + n] = placement
            new, length, dots = 0, 0, 0
            for word in range(2):
                body = int(squares[placement, BODY, word])
                new += count_bits(body & ~int(state["light"][seat, word]))
                length += count_bits(body)
                dots += count_bits(int(squares[placement, DOTS, word]))
            light = int(box["light"][shape]) == 1
            most, spreads = max(most, new if light else 0), max(0, (length if light else dots) - 1)
        out[LONGEST] = max(int(out[LONGEST]), spreads)
        for i in range(int(out[HAND])):
            if (int(box["buyers"][shape]) >> int(out[CARD + i])) & 1:
                out[NEW + i], out[SPREADS + i] = max(int(out[NEW + i]), most), max(int(out[SPREADS + i]), spreads)
    out[LEGAL] = n


@kernel
def measure(box: Box, state: State, seat: int, out: Out) -> None:
    """§S1 Write how many new strands it takes at least until power reaches each square: 0 where it does now."""
    for square in range(MAX_SQUARES):
        out[DISTANCE + square] = FAR
    squares = box["cable_squares"]
    low, high = int(state["powered"][seat, 0]), int(state["powered"][seat, 1])
    dots_low = int(box["power"][0]) | low & int(state["dots"][seat, 0])
    dots_high = int(box["power"][1]) | high & int(state["dots"][seat, 1])
    old, new = int(state["cable_count"][seat]), int(out[LEGAL])
    distance, grown = 0, True
    while grown:
        grown = False
        for square in range(MAX_SQUARES):
            if ((low if square < WORD else high) >> square % WORD) & 1 and out[DISTANCE + square] == FAR:
                out[DISTANCE + square] = distance
                grown = True
        grown = grown or distance == 0
        distance += 1
        from_low, from_high = dots_low, dots_high
        for i in range(new):
            strand = int(out[LEGAL + 1 + i])
            if int(squares[strand, DOTS, 0]) & from_low or int(squares[strand, DOTS, 1]) & from_high:
                low, high = low | int(squares[strand, BODY, 0]), high | int(squares[strand, BODY, 1])
                dots_low, dots_high = (
                    dots_low | int(squares[strand, DOTS, 0]),
                    dots_high | int(squares[strand, DOTS, 1]),
                )
        for _ in range(old):  # strands that are drawn conduct for nothing, one after the other
            for i in range(old):
                strand = int(state["cables"][seat, i]) - 1
                if int(squares[strand, DOTS, 0]) & dots_low or int(squares[strand, DOTS, 1]) & dots_high:
                    low, high = low | int(squares[strand, BODY, 0]), high | int(squares[strand, BODY, 1])
                    dots_low, dots_high = (
                        dots_low | int(squares[strand, DOTS, 0]),
                        dots_high | int(squares[strand, DOTS, 1]),
                    )


# --- what it can be worth -------------------------------------------------------------------------------------


@kernel
def may_count(box: Box, state: State, seat: int, kind: int, square: int, strands: int, out: Out) -> bool:
    """§3, §4, §12, §I Return whether this decoration can count on this square in the end, with so many new strands."""
    word, bit, there = square // WORD, square % WORD, int(state["decorations"][seat, square])
    if box["chart"][kind, ELECTRIC] and int(out[DISTANCE + square]) > strands:
        return False
    if there > 0:
        return there - 1 == kind
    lit = int(box["lit_places"][kind, word])
    if strands == 0:
        lit &= int(state["light"][seat, word])
    return int(out[LAST_HANG]) >= 0 and ((int(box["places"][kind, word]) | lit) >> bit) & 1 == 1


@kernel
def read_worth(box: Box, state: State, seat: int, strands: int, out: Out) -> None:
    """§13–§15 Write what each decoration counts on each square, -1 if it cannot; and what is on the sheet.

    Of the patterns that count in the end, those that are there now share no square, so they are the best ones of now at most.
    """
    low, high, total, lit = 0, 0, 0, 0
    for square in range(figure(box, at.SQUARES)):
        if (int(state["light"][seat, square // WORD]) >> square % WORD) & 1:
            lit += int(figure(box, at.DEAD_CABLE_SCORES) == 1 or int(out[DISTANCE + square]) <= strands)
        for kind in range(figure(box, at.DECORATIONS)):
            worth = -1
            if may_count(box, state, seat, kind, square, strands, out):
                worth = int(box["chart"][kind, POINTS]) * int(box["factor"][square])
                if int(state["decorations"][seat, square]) > 0:
                    total += worth
                    if square < WORD:
                        low |= 1 << square
                    else:
                        high |= 1 << square - WORD
            out[WORTH + kind * MAX_SQUARES + square] = worth
            out[SHARED + kind * MAX_SQUARES + square] = POINT * worth
    total += best_patterns(box, state, seat, low, high) + figure(box, at.CABLE_POINTS) * lit
    out[FIXED] = POINT * total
    for line in range(int(box["first_line"][figure(box, at.DECORATIONS)])):
        for square in range(figure(box, at.SQUARES)):
            if has_room(box, line, square):
                share_pattern(box, state, seat, line, square, out)


@kernel
def share_pattern(box: Box, state: State, seat: int, line: int, square: int, out: Out) -> None:
    """§13, §14 Give the points of a pattern, and of the decorations that it lacks, to these decorations: to each card as much.

    A decoration is in one pattern at most, so it is worth no more than its points and its highest part of a pattern.
    """
    cards, points, trees, size = 0, 0, -1, int(box["lines"][line, LENGTH])
    for i in range(size):
        kind, here = int(box["lines"][line, KINDS + i]), square + int(box["lines"][line, OFFSETS + i])
        worth = int(out[WORTH + kind * MAX_SQUARES + here])
        if worth < 0:
            return
        trees &= int(box["near_trees"][here])
        if int(state["decorations"][seat, here]) == 0:
            cards += int(box["chart"][kind, CARDS])
            points += worth
    points += int(box["lines"][line, EXTRA]) * tree_factor(box, trees)
    for i in range(size if cards > 0 else 0):
        kind, here = int(box["lines"][line, KINDS + i]), square + int(box["lines"][line, OFFSETS + i])
        if int(state["decorations"][seat, here]) == 0:
            part = (POINT * points * int(box["chart"][kind, CARDS]) + cards - 1) // cards
            place = SHARED + kind * MAX_SQUARES + here
            out[place] = max(int(out[place]), part)


@kernel
def list_options(box: Box, state: State, seat: int, strands: int, out: Out) -> None:
    """§2, §3 List what may be hung where, with the distance of squares that need light; and count what gets light by itself.

    Power comes to a square at distance d through d new strands, and the i-th of them has only squares up to distance i. So at
    most strands - level of them have squares beyond that level. A square pays for every level below its distance.
    """
    n = 0
    for level in range(strands):
        out[GIVEN + level] = 0 if level == 0 else (strands - level) * int(out[LONGEST])
    for square in range(figure(box, at.SQUARES)):
        word, bit, distance = square // WORD, square % WORD, int(out[DISTANCE + square])
        light = int(state["light"][seat, word])
        if (((int(box["power"][word]) | int(state["dots"][seat, word])) & ~light) >> bit) & 1 and distance <= strands:
            for level in range(min(max(distance, 1), strands)):
                out[GIVEN + level] += 1
        if int(state["decorations"][seat, square]) > 0:
            continue
        for kind in range(figure(box, at.DECORATIONS)):
            worth = int(out[SHARED + kind * MAX_SQUARES + square])
            if worth > 0:
                dark = (
                    not ((int(box["places"][kind, word]) | light) >> bit) & 1 and int(box["chart"][kind, ELECTRIC]) == 1
                )
                out[OPTION + 4 * n], out[OPTION + 4 * n + 1] = square, kind
                out[OPTION + 4 * n + 2], out[OPTION + 4 * n + 3] = worth, max(distance, 1) if dark else 0
                n += 1
    out[OPTIONS] = n


# --- prices ---------------------------------------------------------------------------------------------------


@kernel
def set_prices(out: Out) -> None:
    """Write the prices with which the search begins."""
    for i in range(int(out[HAND])):
        out[PRICE + i] = START_CARD
    out[MONEY], out[CABLE] = START_UNIT, START_UNIT
    for level in range(MOST_LEVELS):
        out[LIGHT + level] = START_LIGHT if level == 0 else 0


@kernel
def lowest_bound(box: Box, state: State, seat: int, strands: int, enough: int, out: Out) -> int:
    """Return a low bound for so many strands, or one that is low `enough`: change a price as long as that lowers it.

    First the prices of all cards together, then each, then those of units and light; by smaller and smaller steps.
    """
    hand, tries, step = int(out[HAND]), 0, FIRST_STEP
    size = LIGHT + MOST_LEVELS - PRICE
    best = bound(box, state, seat, strands, out)
    while step >= LAST_STEP and best > enough and tries < MOST_TRIES:
        found = False
        for change in range(WAYS + 2 * (hand + 2 + strands)):
            for i in range(size):
                out[BEFORE + i] = out[PRICE + i]
            if change < WAYS:
                change_all(change, step, out)
            else:
                which = (change - WAYS) // 2
                place = PRICE + which if which < hand else MONEY + which - hand
                out[place] = max(0, int(out[place]) + (step if change % 2 else -step))
            value = bound(box, state, seat, strands, out)
            tries += 1
            if value < best:
                best, found = value, True
            else:
                for i in range(size):
                    out[PRICE + i] = out[BEFORE + i]
        if not found:
            step //= 2
    return best


@kernel
def change_all(way: int, step: int, out: Out) -> None:
    """Raise, leave or lower the prices of all cards, of both units, and of light: 3 x 3 x 3 ways."""
    for place in range(PRICE, LIGHT + 1):
        if place < PRICE + int(out[HAND]):
            sign = way % 3 - 1
        elif place < LIGHT:
            sign = way // 3 % 3 - 1
        else:
            sign = way // 9 - 1
        out[place] = max(0, int(out[place]) + sign * step)


@kernel
def bound(box: Box, state: State, seat: int, strands: int, out: Out) -> int:
    """Return what the seat cannot exceed with so many strands, as the prices tell it; -1 if it cannot draw so many."""
    total = int(out[FIXED]) + most_of_squares(box, strands, out) + most_of_funds(box, out)
    total += int(out[MONEY]) * int(state["money"][seat]) + int(out[CABLE]) * int(state["cable"][seat])
    for i in range(int(out[HAND])):
        total += int(out[PRICE + i])
    for level in range(strands):
        total += int(out[LIGHT + level]) * int(out[GIVEN + level])
    laid = most_of_strands(box, strands, out)
    return total + laid if laid > -NEVER else -1


@kernel
def most_of_squares(box: Box, strands: int, out: Out) -> int:
    """§2, §I Return the most that decorations are worth beyond their cards, 1 Money, and light: one for each square."""
    for kind in range(figure(box, at.DECORATIONS)):
        out[PAY + kind] = cheapest_cards(box, kind, out) + int(out[MONEY])
    out[LIT] = 0
    for level in range(strands):
        out[LIT + level + 1] = out[LIT + level] + out[LIGHT + level]
    total, square, best = 0, -1, 0
    for i in range(int(out[OPTIONS])):
        place = OPTION + 4 * i
        if int(out[place]) != square:
            total += best
            square, best = int(out[place]), 0
        price = int(out[PAY + int(out[place + 1])]) + int(out[LIT + int(out[place + 3])])
        best = max(best, int(out[place + 2]) - price)
    return total + best


@kernel
def cheapest_cards(box: Box, kind: int, out: Out) -> int:
    """§2, §B2 Return the lowest price of cards that pay for a decoration and are there in time.

    Of three or four cards only the conditions are asked, one by one.
    """
    hand, last, total = int(out[HAND]), int(out[LAST_HANG]), 0
    if int(box["chart"][kind, CARDS]) == 2:
        best, first = NEVER, PAIRS + kind * MOST_PAIRS
        for i in range(first + 1, first + 1 + int(out[first])):
            pair = int(out[i])
            best = min(best, int(out[PRICE + pair // MOST_CARDS]) + int(out[PRICE + pair % MOST_CARDS]))
        return best
    for part in range(int(box["chart"][kind, CARDS])):
        best = NEVER
        for i in range(hand):
            if int(out[COMES + i]) <= last and (int(box["cost_cards"][kind, part]) >> int(out[CARD + i])) & 1:
                best = min(best, int(out[PRICE + i]))
        total += best
    return total


@kernel
def most_of_funds(box: Box, out: Out) -> int:
    """§F Return the most that units are worth beyond their cards: one card or none in each turn of Raise Funds.

    A unit of Money is worth its price if decorations come later, one of Cable if strands do.
    """
    total = 0
    for turn in range(int(out[TURNS])):
        if int(out[ACTION + turn]) != Phase.FUNDS:
            continue
        unit = int(out[MONEY]) if turn < int(out[LAST_HANG]) else 0
        if turn < int(out[LAST_LAY]):
            unit = max(unit, int(out[CABLE]))
        best = unit * int(box["units"][DECK])
        for i in range(int(out[HAND])):
            if int(out[COMES + i]) <= turn:
                best = max(best, unit * int(box["units"][int(out[CARD + i])]) - int(out[PRICE + i]))
        total += best
    return total


@kernel
def most_of_strands(box: Box, strands: int, out: Out) -> int:
    """§7, §L, §15 Return the most that so many strands are worth beyond their cards and 1 Cable, one in a turn; -NEVER: too many.

    Each of its new squares scores. The light that it spreads counts after the last decorations too: it may join squares to power
    on which decorations hang already.
    """
    points = POINT * figure(box, at.CABLE_POINTS)
    for turn in range(int(out[TURNS])):
        out[LAID + turn] = -NEVER
        if int(out[ACTION + turn]) != Phase.CABLE:
            continue
        for i in range(int(out[HAND])):
            if int(out[COMES + i]) <= turn and int(out[NEW + i]) >= 0:
                value = (
                    points * int(out[NEW + i])
                    + int(out[LIGHT]) * int(out[SPREADS + i])
                    - int(out[PRICE + i])
                    - int(out[CABLE])
                )
                out[LAID + turn] = max(int(out[LAID + turn]), value)
    total = 0
    for _ in range(strands):
        best = 0
        for turn in range(int(out[TURNS])):
            if int(out[LAID + turn]) > int(out[LAID + best]):
                best = turn
        if int(out[LAID + best]) < -NEVER // 2:
            return -NEVER
        total += int(out[LAID + best])
        out[LAID + best] = -NEVER
    return total
