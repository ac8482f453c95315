"""Moves, outcomes and positions of Switch-On as text.

Cards are `2s` … `10s` `js` `qs` `ks` `as`, suits s c h d, and `joker`; squares a row letter and a column from 0. Moves:

    funds · decorate · cable                        the active seat's choice
    raise <card or none> <money>+<cable>            raise kd 2+3
    pass · lay <card> <shape> <squares>             lay 5c corner3 h8 i8 i7, from the end that comes first by rows
    stop · hang <decoration> <card[+card]> <square> hang star 5c+ah f0
    discard <card>

An outcome is the lot, `first 1`, or a card. A position is `turn;first;phase;discards;sheet;…`, one sheet a seat:

    phase   draw choose funds decorate cable limit over; behind `!` the seats that have carried out their action
    sheet   money,cable,hand,strands,decorations

Cards are joined with `.`, `-` stands for none, and `?6` for a hand of six cards that is hidden. Strands are
`line3:f0f1f2+dash3:…`, decorations `star:f0f2+angel:f1`. How many cards were dealt follows from hands and discards.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lamplighter.engine.grid import format_cell, parse_cell
from lamplighter.errors import BadNotation, suggest
from lamplighter.games.switch_on.components import CARDS, FIRST_RAISE, MAX_LENGTH, is_reversible, names
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import CARD_NAMES, DECK, JOKER, SUIT_SIGNS, cards_of
from lamplighter.games.switch_on.rules.counting import impossible
from lamplighter.games.switch_on.rules.hands import with_card
from lamplighter.games.switch_on.rules.numbering import split_hang, split_raise
from lamplighter.games.switch_on.state import MAX_DRAWN, STATE, Phase, Reason

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant

CHOICES = ("funds", "decorate", "cable")
PHASES = tuple(phase.name.lower() for phase in Phase)
UNKNOWN = "?"  # a card that is not in the hand
_PARTS = re.compile(r"([0-9]{1,3})\+([0-9]{1,3})")
_CELLS = re.compile(r"(?:[a-z][0-9]{1,2})+")
_ORDER = {name: card for card, name in enumerate(CARD_NAMES)}


# --- moves ----------------------------------------------------------------------------------------------------


class Words(NamedTuple):
    """What texts of a variant are made from, as plain Python values: they are asked for thousands of times a match."""

    figures: list[int]
    squares: list[str]  # the name of each square
    cables: list[str]  # shape and squares of each placement, as moves write them
    first_hang: list[int]
    cards: list[int]  # of the cost of each decoration
    decorations: tuple[str, ...]


def words_of(variant: Variant) -> Words:
    """Return them. They are kept with the variant, since looking an equal one up would mean comparing boxes."""
    if not isinstance(found := variant.kept.get("words"), Words):
        found = variant.kept["words"] = _make_words(variant)
    return found


def _make_words(variant: Variant) -> Words:
    box = variant.box
    figures, shapes = box["figures"].tolist(), names(variant.file, "shapes")
    squares = [format_cell(*divmod(square, figures[at.COLS])) for square in range(figures[at.SQUARES])]
    count = figures[at.PLACEMENTS]
    lines = zip(box["shape_of"][:count].tolist(), box["cells"][:count].tolist(), strict=True)
    cables = [" ".join([shapes[shape], *(squares[cell] for cell in cells if cell >= 0)]) for shape, cells in lines]
    cards, decorations = box["chart"][:, CARDS].tolist(), tuple(names(variant.file, "decorations"))
    return Words(figures, squares, cables, box["first_hang"].tolist(), cards, decorations)


def figure_of(variant: Variant, which: int) -> int:
    """Return a number of the box by its place; `components.numbers` names the places."""
    return words_of(variant).figures[which]


def format_square(variant: Variant, square: int) -> str:
    return words_of(variant).squares[square]


def parse_square(variant: Variant, text: str) -> int:
    row, col = parse_cell(text, figure_of(variant, at.ROWS), figure_of(variant, at.COLS))
    return row * figure_of(variant, at.COLS) + col


def placement_squares(variant: Variant, placement: int) -> list[int]:
    """Return the squares along a strand."""
    return [square for square in variant.box["cells"][placement].tolist() if square >= 0]


def shape_name(variant: Variant, placement: int) -> str:
    return names(variant.file, "shapes")[int(variant.box["shape_of"][placement])]


@functools.lru_cache(maxsize=1024)
def _hand_names(hand: int) -> tuple[str, ...]:
    return tuple(CARD_NAMES[card] for card in cards_of(hand))


def _card_text(state: State, seat: int, slot: int) -> str:
    hand = _hand_names(int(state["hands"][seat]))
    return hand[slot] if slot < len(hand) else UNKNOWN


def format_move(variant: Variant, state: State, seat: int, action: int) -> str:
    words = words_of(variant)
    figures = words.figures
    if action < FIRST_RAISE:
        return CHOICES[action] if action >= 0 else UNKNOWN
    if action < figures[at.PASS_ACTION]:
        base = figures[at.MOST_UNITS] + 1
        rest, cable = divmod(action - FIRST_RAISE, base)
        slot, money = divmod(rest, base)
        return f"raise {_card_text(state, seat, slot - 1) if slot else 'none'} {money}+{cable}"
    if action == figures[at.PASS_ACTION]:
        return "pass"
    if action < figures[at.STOP_ACTION]:
        slot, placement = _split_lay(variant, action)
        return f"lay {_card_text(state, seat, slot)} {words.cables[placement]}"
    if action == figures[at.STOP_ACTION]:
        return "stop"
    if action < figures[at.FIRST_DISCARD]:
        decoration, slots, square = _split_hang(words, action)
        cards = "+".join(_card_text(state, seat, slot) for slot in slots)
        return f"hang {words.decorations[decoration]} {cards} {words.squares[square]}"
    return f"discard {_card_text(state, seat, action - figures[at.FIRST_DISCARD])}"


def _split_hang(words: Words, action: int) -> tuple[int, tuple[int, ...], int]:
    """Return decoration, slots of the cards and square, as `rules.numbering` splits them."""
    decoration = bisect.bisect_right(words.first_hang, action, 0, len(words.decorations)) - 1
    payment, square = divmod(action - words.first_hang[decoration], words.figures[at.SQUARES])
    return decoration, _payments(words.figures[at.SLOTS], words.cards[decoration])[payment], square


@functools.cache
def _payments(slots: int, cards: int) -> list[tuple[int, ...]]:
    """Return the slots of so many cards in the order in which payments are numbered."""
    return list(itertools.combinations(range(slots), cards))


@functools.cache
def _payment_numbers(slots: int, cards: int) -> dict[tuple[int, ...], int]:
    return {chosen: number for number, chosen in enumerate(_payments(slots, cards))}


def _split_lay(variant: Variant, action: int) -> tuple[int, int]:
    """Return slot and placement of a lay; where the ground refuses the placement the card does not matter."""
    figures = words_of(variant).figures
    if action >= figures[at.FIRST_MISFIT]:
        return figures[at.SLOTS] - 1, figures[at.FITS] + action - figures[at.FIRST_MISFIT]
    return divmod(action - figures[at.FIRST_LAY], figures[at.FITS])


def parse_move(variant: Variant, state: State, seat: int, text: str) -> int:
    verb, *words = text.split(" ")
    fixed = {name: action for action, name in enumerate(CHOICES)}
    fixed |= {"pass": figure_of(variant, at.PASS_ACTION), "stop": figure_of(variant, at.STOP_ACTION)}
    if verb in fixed and not words:
        return fixed[verb]
    if verb == "raise" and len(words) == 2:
        return _parse_raise(variant, state, seat, words[0], words[1])
    if verb == "lay" and 3 <= len(words) <= 2 + MAX_LENGTH:
        return _parse_lay(variant, state, seat, words[0], words[1], words[2:])
    if verb == "hang" and len(words) == 3:
        return _parse_hang(variant, state, seat, words[0], words[1], words[2])
    if verb == "discard" and len(words) == 1:
        return figure_of(variant, at.FIRST_DISCARD) + _slot(variant, state, seat, words[0])
    raise BadNotation(
        "write funds, decorate or cable; 'raise 5d 1+2'; 'pass' or 'lay 5c corner3 h8 i8 i7'; "
        "'stop' or 'hang star 5c+ah f0'; 'discard 5c'"
    )


def _slot(variant: Variant, state: State, seat: int, text: str) -> int:
    """Return the slot of a card in a hand; the last slot for a card that is not in it."""
    if text != UNKNOWN and text not in _ORDER:
        raise BadNotation(f"there is no card {text!r}: write a rank and a suit, such as '10s', or 'joker'")
    hand = cards_of(int(state["hands"][seat]))
    return hand.index(_ORDER[text]) if _ORDER.get(text) in hand else figure_of(variant, at.SLOTS) - 1


def _parse_raise(variant: Variant, state: State, seat: int, card: str, parts: str) -> int:
    found = _PARTS.fullmatch(parts)
    most = figure_of(variant, at.MOST_UNITS)
    if found is None or max(int(found[1]), int(found[2])) > most:
        raise BadNotation(f"{parts!r} is not a split: write Money and Cable, such as '1+2', at most {most} each")
    slot = -1 if card == "none" else _slot(variant, state, seat, card)
    return FIRST_RAISE + ((slot + 1) * (most + 1) + int(found[1])) * (most + 1) + int(found[2])


def _parse_lay(variant: Variant, state: State, seat: int, card: str, shape: str, cells: list[str]) -> int:
    slot = _slot(variant, state, seat, card)
    placement = _find_placement(variant, shape, [parse_square(variant, cell) for cell in cells])
    fits = figure_of(variant, at.FITS)
    if placement >= fits:
        return figure_of(variant, at.FIRST_MISFIT) + placement - fits
    return figure_of(variant, at.FIRST_LAY) + slot * fits + placement


def _find_placement(variant: Variant, shape: str, squares: list[int]) -> int:
    """Return the number of a placement, from the squares in the order of the chart; a line may be written from either end."""
    shapes = names(variant.file, "shapes")
    if shape not in shapes:
        raise BadNotation(f"there is no shape {shape!r}: {suggest(shape, shapes)}")
    known, which = _placement_numbers(variant), shapes.index(shape)
    if is_reversible(variant.file.get("shapes", which)):
        squares = min(squares, squares[::-1])
    number = known.get((which, *squares))
    if number is None:
        cells = " ".join(format_square(variant, square) for square in squares)
        raise BadNotation(f"the squares {cells} do not make a {shape}")
    return number


@functools.lru_cache(maxsize=16)
def _placement_numbers(variant: Variant) -> dict[tuple[int, ...], int]:
    """Return placements by their shape and squares."""
    count = figure_of(variant, at.PLACEMENTS)
    shapes, cells = variant.box["shape_of"][:count].tolist(), variant.box["cells"][:count].tolist()
    return {
        (shape, *(square for square in squares if square >= 0)): number
        for number, (shape, squares) in enumerate(zip(shapes, cells, strict=True))
    }


def _parse_hang(variant: Variant, state: State, seat: int, name: str, payment: str, cell: str) -> int:
    box, known = variant.box, names(variant.file, "decorations")
    if name not in known:
        raise BadNotation(f"there is no decoration {name!r}: {suggest(name, known)}")
    decoration, cards = known.index(name), payment.split("+")
    wanted, last = words_of(variant).cards[decoration], figure_of(variant, at.SLOTS) - 1
    if len(cards) != wanted:
        raise BadNotation(f"the {name} costs {wanted} card{'s' if wanted > 1 else ''}, not {len(cards)}")
    slots = sorted(_slot(variant, state, seat, card) for card in cards)
    jokers = int(state["hands"][seat]) >> JOKER + 1 & 1 and cards.count(CARD_NAMES[JOKER]) == 2
    for i in reversed(range(wanted)):  # a card that is written again is the other joker, or is not there
        if i and slots[i] == slots[i - 1] < last:
            slots[i] = slots[i] + 1 if jokers and slots[i] + 1 not in slots else last
    slots = sorted(slots)
    while len(set(slots)) < wanted:  # cards that are not there are in the last slots
        slots = [min(slot, last - (wanted - 1 - i)) for i, slot in enumerate(slots)]
    number = _payment_numbers(last + 1, wanted)[tuple(slots)]
    return int(box["first_hang"][decoration]) + number * figure_of(variant, at.SQUARES) + parse_square(variant, cell)


def move_fields(variant: Variant, state: State, seat: int, action: int) -> dict[str, Any]:
    """Return the named parts of a move, for programs that do not know our kernels."""
    box = variant.box
    verb, *words = format_move(variant, state, seat, action).split(" ")
    if verb in CHOICES:
        return {"kind": "choose", "choice": verb}
    if verb == "raise":
        slot, money, cable = split_raise(box, action)
        return {"kind": verb, "card": None if slot < 0 else words[0], "money": int(money), "cable": int(cable)}
    if verb == "lay":
        placement = _split_lay(variant, action)[1]
        light = bool(box["light"][int(box["shape_of"][placement])])
        places = [divmod(square, figure_of(variant, at.COLS)) for square in placement_squares(variant, placement)]
        return {
            "kind": verb, "card": words[0], "shape": words[1], "cells": words[2:],
            "rows": [int(row) for row, _ in places], "columns": [int(col) for _, col in places], "light": light,
        }  # fmt: skip
    if verb == "hang":
        square = int(split_hang(box, action)[2])
        row, col = divmod(square, figure_of(variant, at.COLS))
        factor = int(box["factor"][square])
        return {
            "kind": verb, "decoration": words[0], "cards": words[1].split("+"), "cell": words[2],
            "row": row, "column": col, "tree_factor": factor,
        }  # fmt: skip
    return {"kind": verb, "card": words[0]} if words else {"kind": verb}


# --- outcomes -------------------------------------------------------------------------------------------------


def format_outcome(variant: Variant, state: State, outcome: int) -> str:
    return f"first {outcome}" if state["first"] < 0 else CARD_NAMES[outcome]


def outcome_fields(variant: Variant, state: State, outcome: int) -> dict[str, Any]:
    if state["first"] < 0:
        return {"kind": "first player", "first_player": outcome}
    name = CARD_NAMES[outcome]
    seat = int(variant.game.rules.chance_seat(variant.box, state))
    suit, rank = (None, None) if outcome == JOKER else (name[-1], name[:-1])
    return {"kind": "card", "seat": seat, "card": name, "suit": suit, "rank": rank}


def left_to_draw(variant: Variant, state: State, seat: int) -> dict[str, int]:
    """§10 Return the cards that this seat has not seen yet, suit by suit; some of them are in hands."""
    hands = [int(state["discards"]), int(state["hands"][seat])]
    left = {}
    for suit, sign in enumerate(SUIT_SIGNS.values()):
        cards = [card for card in range(13 * suit, 13 * suit + 13) if not any(hand >> card & 1 for hand in hands)]
        left[" ".join([sign, *(CARD_NAMES[card][:-1].upper() for card in cards)])] = len(cards)
    return {**left, "joker": 2 - sum((hand >> JOKER).bit_count() for hand in hands)}


# --- positions ------------------------------------------------------------------------------------------------


def format_position(variant: Variant, state: State) -> str:
    first = "-" if state["first"] < 0 else str(state["first"])
    done = "".join(str(seat) for seat in range(variant.seats) if int(state["done"]) >> seat & 1)
    phase = PHASES[int(state["phase"])] + (f"!{done}" if done else "")
    sheets = [_format_sheet(variant, state, seat) for seat in range(variant.seats)]
    return ";".join([str(state["turn"]), first, phase, _format_cards(int(state["discards"])), *sheets])


def _format_cards(bits: int) -> str:
    return ".".join(CARD_NAMES[card] for card in cards_of(bits)) or "-"


def _format_sheet(variant: Variant, state: State, seat: int) -> str:
    size, bits = int(state["hand_size"][seat]), int(state["hands"][seat])
    hand = f"?{size}" if size and not bits else _format_cards(bits)
    cables = [
        f"{shape_name(variant, cable - 1)}:{_format_squares(variant, placement_squares(variant, cable - 1))}"
        for cable in state["cables"][seat].tolist()
        if cable
    ]
    hung = state["decorations"][seat].tolist()
    decorations = [
        f"{name}:{_format_squares(variant, [square for square, kind in enumerate(hung) if kind == i + 1])}"
        for i, name in enumerate(names(variant.file, "decorations"))
        if i + 1 in hung
    ]
    parts = [str(state["money"][seat]), str(state["cable"][seat]), hand, "+".join(cables), "+".join(decorations)]
    return ",".join(part or "-" for part in parts)


def _format_squares(variant: Variant, squares: list[int]) -> str:
    return "".join(format_square(variant, square) for square in squares)


def parse_position(variant: Variant, text: str) -> State:
    """Return the state of a position text; one that the rules or the number of cards forbid is refused."""
    parts = text.split(";")
    if len(parts) != 4 + variant.seats:
        raise BadNotation(f"it must have turn, first, phase, discards and {variant.seats} sheets, joined with ';'")
    state = np.zeros(1, STATE)[0]
    turn, first, phase = parts[:3]
    if not re.fullmatch(r"[0-9]{1,3}", turn) or int(turn) > figure_of(variant, at.TURNS) + 1:
        raise BadNotation(f"{turn!r} is not a turn from 0 to {figure_of(variant, at.TURNS) + 1}")
    if first != "-" and (not re.fullmatch(r"[0-9]", first) or int(first) >= variant.seats):
        raise BadNotation(f"{first!r} is not a seat that can begin")
    state["turn"], state["first"] = int(turn), -1 if first == "-" else int(first)
    state["discards"] = _parse_cards(parts[3])
    for seat, sheet in enumerate(parts[4:]):
        _parse_sheet(variant, state, seat, sheet)
    _count_cards(variant, state)
    _parse_phase(variant, state, phase)
    if fault := impossible(variant.box, state):
        raise BadNotation(fault)
    return state


def _parse_cards(text: str) -> int:
    bits = 0
    for name in [] if text == "-" else text.split("."):
        if name not in _ORDER:
            raise BadNotation(f"there is no card {name!r} in {text!r}: join cards such as '10s' and 'joker' with '.'")
        after = int(with_card(bits, _ORDER[name]))
        if after == bits:
            raise BadNotation(f"the card {name} stands too often")
        bits = after
    return bits


def _parse_sheet(variant: Variant, state: State, seat: int, text: str) -> None:
    parts = text.split(",")
    if len(parts) != 5:
        raise BadNotation(f"the sheet {text!r} must have money, cable, hand, strands and decorations")
    limits = (figure_of(variant, at.MONEY_LIMIT), figure_of(variant, at.CABLE_LIMIT))
    for field, number, limit in zip(("money", "cable"), parts[:2], limits, strict=True):
        if not re.fullmatch(r"[0-9]{1,3}", number) or int(number) > limit:
            raise BadNotation(f"seat {seat} cannot have {number!r} {field}: 0 to {limit}")
        state[field][seat] = int(number)
    if hidden := re.fullmatch(r"\?([1-9][0-9]?)", parts[2]):
        state["hand_size"][seat] = int(hidden[1])
    else:
        state["hands"][seat] = _parse_cards(parts[2])
        state["hand_size"][seat] = int(state["hands"][seat]).bit_count()
    if int(state["hand_size"][seat]) >= figure_of(variant, at.SLOTS):
        raise BadNotation(f"seat {seat} cannot hold {state['hand_size'][seat]} cards")
    for cable in [] if parts[3] == "-" else parts[3].split("+"):
        _parse_cable(variant, state, seat, cable)
    for decoration in [] if parts[4] == "-" else parts[4].split("+"):
        _parse_decorations(variant, state, seat, decoration)


def _parse_cells(variant: Variant, text: str) -> list[int]:
    if not _CELLS.fullmatch(text):
        raise BadNotation(f"{text!r} are not squares written one behind the other, such as 'f0f1f2'")
    return [parse_square(variant, cell) for cell in re.findall(r"[a-z][0-9]{1,4}", text)]


def _parse_cable(variant: Variant, state: State, seat: int, text: str) -> None:
    shape, _, cells = text.partition(":")
    placement = _find_placement(variant, shape, _parse_cells(variant, cells))
    reason = variant.game.rules.check_ground(variant.box, placement)
    if reason == Reason.OK:
        reason = variant.game.rules.check_overlap(variant.box, state, seat, placement)
    if reason != Reason.OK:
        raise BadNotation(f"seat {seat} cannot have the strand {text!r}: {Reason(reason).name}")
    if int(state["cable_count"][seat]) == MAX_DRAWN:
        raise BadNotation(f"seat {seat} cannot have more than {MAX_DRAWN} strands")
    variant.game.rules.lay(variant.box, state, seat, placement)


def _parse_decorations(variant: Variant, state: State, seat: int, text: str) -> None:
    name, _, cells = text.partition(":")
    known = names(variant.file, "decorations")
    if name not in known:
        raise BadNotation(f"there is no decoration {name!r}: {suggest(name, known)}")
    for square in _parse_cells(variant, cells):
        reason = variant.game.rules.check_square(variant.box, state, seat, known.index(name), square)
        if reason != Reason.OK:
            where = format_square(variant, square)
            raise BadNotation(f"seat {seat} cannot have a {name} on {where}: {Reason(reason).name}")
        variant.game.rules.hang(state, seat, known.index(name), square)


def _count_cards(variant: Variant, state: State) -> None:
    """Every card is in one place, enough are discarded for what is drawn, and as many are dealt as the turn says."""
    box, seats = variant.box, range(variant.seats)
    sets = [int(state["discards"]), *(int(state["hands"][seat]) for seat in seats)]
    for card, name in enumerate(CARD_NAMES):
        there = sum((bits >> JOKER).bit_count() if card == JOKER else bits >> card & 1 for bits in sets)
        if there > (2 if card == JOKER else 1):
            raise BadNotation(f"the card {name} stands too often")
    paid = sum(int(state["cable_count"][seat]) for seat in seats)
    for seat in seats:
        paid += sum(int(box["chart"][kind - 1, CARDS]) for kind in state["decorations"][seat].tolist() if kind)
    discards = sets[0].bit_count()
    if paid > discards:
        raise BadNotation(f"what is drawn costs {paid} cards, and only {discards} are discarded")
    dealt = discards + sum(int(state["hand_size"][seat]) for seat in seats)
    if state["first"] < 0 and (dealt or state["turn"]):
        raise BadNotation("cards are dealt, but nobody knows who begins")
    state["draws"] = 0 if state["first"] < 0 else 1 + dealt


def _parse_phase(variant: Variant, state: State, text: str) -> None:
    """The phase, and whether turn and number of cards fit it."""
    box, rules, turn = variant.box, variant.game.rules, int(state["turn"])
    phase, mark, done = text.partition("!")
    if phase not in PHASES or (mark and not re.fullmatch(r"[0-3]+", done)):
        raise BadNotation(f"{text!r} is not a phase: {', '.join(PHASES)}, then '!' and the seats that are done")
    state["phase"] = PHASES.index(phase)
    for seat in map(int, done):
        state["done"] |= 1 << seat
    everybody = (1 << variant.seats) - 1
    if int(state["done"]) and (phase not in CHOICES or int(state["done"]) >= everybody):
        raise BadNotation(f"{text!r}: these seats cannot be done now, or the turn would go on")
    if phase == "limit" and not rules.over_limit(box, state):
        raise BadNotation("nobody holds too many cards, so it cannot be the phase 'limit'")
    if (phase == "over") != (turn > figure_of(variant, at.TURNS)):
        raise BadNotation(f"{text!r} in turn {turn}: the match has {figure_of(variant, at.TURNS)} turns")
    start = variant.seats * figure_of(variant, at.HAND_START)
    now = int(rules.dealt(state))
    before, after = (min(start + variant.seats * max(t, 0), DECK) for t in (turn - 1, turn))
    if phase == "draw":
        low, high = (0, start) if turn == 0 else (before + (turn == 1), after - 1)
    else:
        low = high = after if phase != "over" else DECK
    if (phase != "draw" and turn == 0) or not low <= now <= high:
        raise BadNotation(f"{now} cards are dealt, which cannot be in turn {turn}, phase {phase}")
