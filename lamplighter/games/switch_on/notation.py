"""Moves, outcomes and positions of Switch-On as text.

Cards are `2s` … `10s` `js` `qs` `ks` `as`, suits s c h d, and `joker`; squares a row letter and a column from 0. Moves:

    funds · decorate · cable                        the active seat's choice
    raise <card or none> <money>+<cable>            raise kd 2+3
    pass · lay <card> <shape> <squares>             lay 5c corner3 h8 i8 i7, from the end that comes first by rows
    stop · hang <decoration> <card[+card]> <square> hang star 5c+ah f0
    discard <card>

An outcome is the lot, `first 1`, or a card. A position is `turn;first;phase;discards;sheet;…`, one sheet a seat:

    phase   draw choose funds decorate cable limit over; behind `!` the seats that have carried out their action
    sheet   money,cable,hand,cables,decorations

Cards are joined with `.`, `-` stands for none, and `?6` for a hand of six cards that is hidden. Cables are
`line3:f0f1f2+dash3:…`, decorations `star:f0f2+angel:f1`. How many cards were dealt follows from hands and discards.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.engine.grid import format_cell, parse_cell
from lamplighter.errors import BadNotation, suggest
from lamplighter.games.switch_on import figures as at
from lamplighter.games.switch_on.actions import split_hang, split_raise
from lamplighter.games.switch_on.cards import CARD_NAMES, DECK, JOKER, SUIT_SIGNS, cards_of, with_card
from lamplighter.games.switch_on.components import FIRST_RAISE, MAX_LENGTH, NEEDS_PAIR, names
from lamplighter.games.switch_on.state import MAX_DRAWN, STATE, Phase, Reason

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant

CHOICES = ("funds", "decorate", "cable")
PHASES = tuple(phase.name.lower() for phase in Phase)
UNKNOWN = "?"  # a card that is not in the hand
_PARTS = re.compile(r"(\d{1,3})\+(\d{1,3})")
_CELLS = re.compile(r"(?:[a-z]\d{1,2})+")
_ORDER = {name: card for card, name in enumerate(CARD_NAMES)}


# --- moves ----------------------------------------------------------------------------------------------------


def figure_of(variant: Variant, which: int) -> int:
    """A number of the box; see figures.py."""
    return int(variant.box["figures"][which])


def format_square(variant: Variant, square: int) -> str:
    return format_cell(*divmod(square, figure_of(variant, at.COLS)))


def parse_square(variant: Variant, text: str) -> int:
    row, col = parse_cell(text, figure_of(variant, at.ROWS), figure_of(variant, at.COLS))
    return row * figure_of(variant, at.COLS) + col


def placement_squares(variant: Variant, placement: int) -> list[int]:
    """The squares along a cable."""
    return [square for square in variant.box["cells"][placement].tolist() if square >= 0]


def shape_name(variant: Variant, placement: int) -> str:
    return names(variant.file, "shapes")[int(variant.box["shape_of"][placement])]


def _card_text(state: State, seat: int, slot: int) -> str:
    hand = cards_of(int(state["hands"][seat]))
    return CARD_NAMES[hand[slot]] if slot < len(hand) else UNKNOWN


def format_move(variant: Variant, state: State, seat: int, action: int) -> str:
    box = variant.box
    if action < FIRST_RAISE:
        return CHOICES[action] if action >= 0 else UNKNOWN
    if action < figure_of(variant, at.PASS_ACTION):
        slot, money, cable = split_raise(box, action)
        return f"raise {'none' if slot < 0 else _card_text(state, seat, slot)} {money}+{cable}"
    if action == figure_of(variant, at.PASS_ACTION):
        return "pass"
    if action < figure_of(variant, at.STOP_ACTION):
        slot, placement = _split_lay(variant, action)
        cells = " ".join(format_square(variant, square) for square in placement_squares(variant, placement))
        return f"lay {_card_text(state, seat, slot)} {shape_name(variant, placement)} {cells}"
    if action == figure_of(variant, at.STOP_ACTION):
        return "stop"
    if action < figure_of(variant, at.FIRST_DISCARD):
        decoration, one, two, square = split_hang(box, action)
        cards = "+".join(_card_text(state, seat, slot) for slot in sorted({one, two}))
        return f"hang {names(variant.file, 'decorations')[decoration]} {cards} {format_square(variant, square)}"
    return f"discard {_card_text(state, seat, action - figure_of(variant, at.FIRST_DISCARD))}"


def _split_lay(variant: Variant, action: int) -> tuple[int, int]:
    """Slot and placement of a lay; where the ground refuses the placement the card does not matter."""
    fits = figure_of(variant, at.FITS)
    if action >= figure_of(variant, at.FIRST_MISFIT):
        return figure_of(variant, at.SLOTS) - 1, fits + action - figure_of(variant, at.FIRST_MISFIT)
    return divmod(action - figure_of(variant, at.FIRST_LAY), fits)


def parse_move(variant: Variant, state: State, seat: int, text: str) -> int:
    verb, *words = text.split(" ")
    fixed = {name: action for action, name in enumerate(CHOICES)}
    fixed |= {"pass": figure_of(variant, at.PASS_ACTION), "stop": figure_of(variant, at.STOP_ACTION)}
    if verb in fixed and not words:
        return fixed[verb]
    if verb == "raise" and len(words) == 2:
        return _parse_raise(variant, state, seat, words[0], words[1])
    if verb == "lay" and 4 <= len(words) <= 2 + MAX_LENGTH:
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
    """The slot of a card in a hand; the last slot for a card that is not in it."""
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
    """The number of a placement, from the squares along it in either direction."""
    shapes = names(variant.file, "shapes")
    if shape not in shapes:
        raise BadNotation(f"there is no shape {shape!r}: {suggest(shape, shapes)}")
    number = _placement_numbers(variant).get((shapes.index(shape), *min(squares, squares[::-1])))
    if number is None:
        cells = " ".join(format_square(variant, square) for square in squares)
        raise BadNotation(f"the squares {cells} do not make a {shape}")
    return number


@functools.lru_cache(maxsize=16)
def _placement_numbers(variant: Variant) -> dict[tuple[int, ...], int]:
    """Placements by their shape and squares."""
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
    wanted = 2 if box["chart"][decoration, NEEDS_PAIR] else 1
    if len(cards) != wanted:
        raise BadNotation(f"the {name} costs {wanted} card{'s' if wanted > 1 else ''}, not {len(cards)}")
    slots = sorted(_slot(variant, state, seat, card) for card in cards)
    last = figure_of(variant, at.SLOTS) - 1
    number = slots[0]
    if wanted == 2:
        if slots[0] == slots[1]:  # twice the same card: the second is the other joker, or not there
            twice = int(state["hands"][seat]) >> JOKER + 1 & 1 and cards[0] == CARD_NAMES[JOKER]
            slots = [slots[0], slots[0] + 1] if twice else [min(slots[0], last - 1), last]
        number = slots[0] * last - slots[0] * (slots[0] - 1) // 2 + slots[1] - slots[0] - 1
    return int(box["first_hang"][decoration]) + number * figure_of(variant, at.SQUARES) + parse_square(variant, cell)


def move_fields(variant: Variant, state: State, seat: int, action: int) -> dict[str, Any]:
    """The named parts of a move, for programs that do not know our kernels."""
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
        cells = [list(divmod(square, figure_of(variant, at.COLS))) for square in placement_squares(variant, placement)]
        return {"kind": verb, "card": words[0], "shape": words[1], "squares": words[2:], "cells": cells, "light": light}
    if verb == "hang":
        square = int(split_hang(box, action)[3])
        row, col = divmod(square, figure_of(variant, at.COLS))
        factor = int(box["factor"][square])
        return {
            "kind": verb, "decoration": words[0], "cards": words[1].split("+"), "square": words[2],
            "row": row, "col": col, "tree_factor": factor,
        }  # fmt: skip
    return {"kind": verb, "card": words[0]} if words else {"kind": verb}


# --- outcomes -------------------------------------------------------------------------------------------------


def format_outcome(variant: Variant, state: State, outcome: int) -> str:
    return f"first {outcome}" if state["first"] < 0 else CARD_NAMES[outcome]


def outcome_fields(variant: Variant, state: State, outcome: int) -> dict[str, Any]:
    if state["first"] < 0:
        return {"first_player": outcome}
    name = CARD_NAMES[outcome]
    seat = int(variant.game.rules.chance_seat(variant.box, state))
    suit, rank = (None, None) if outcome == JOKER else (name[-1], name[:-1])
    return {"seat": seat, "card": name, "suit": suit, "rank": rank}


def say(variant: Variant, text: str) -> str:
    """How people say a card, who begins, or a move that goes nowhere on the sheet; other texts as they are.

    >>> from lamplighter import load
    >>> [say(load("switch_on"), text) for text in ("10h", "raise 2d 0+3", "first 0", "raise")]
    ['10♥', '2♦: 3 cable', 'player 1 begins', 'raise']
    """
    if text in CARD_NAMES and text != "joker":
        return text[:-1].upper() + SUIT_SIGNS[text[-1]]
    verb, _, rest = text.partition(" ")
    if verb == "raise" and rest:
        card, units = rest.split(" ")
        gains = [f"{n} {kind}" for n, kind in zip(units.split("+"), ("money", "cable"), strict=True) if n != "0"]
        return f"{'no card' if card == 'none' else say(variant, card)}: {', '.join(gains)}"
    if verb == "first" and rest:
        return f"player {int(rest) + 1} begins"
    if verb == "discard" and rest:
        return f"discard {say(variant, rest)}"
    return {"funds": "raise funds", "decorate": "hang decorations", "cable": "lay light cable"}.get(text, text)


def left_to_draw(variant: Variant, state: State, seat: int) -> dict[str, int]:
    """§10 The cards that this seat has not seen yet, suit by suit; some of them are in hands."""
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
    """The state of a position text; one that the rules or the number of cards forbid is refused."""
    parts = text.split(";")
    if len(parts) != 4 + variant.seats:
        raise BadNotation(f"it must have turn, first, phase, discards and {variant.seats} sheets, joined with ';'")
    state = np.zeros(1, STATE)[0]
    turn, first, phase = parts[:3]
    if not re.fullmatch(r"\d{1,3}", turn) or int(turn) > figure_of(variant, at.TURNS) + 1:
        raise BadNotation(f"{turn!r} is not a turn from 0 to {figure_of(variant, at.TURNS) + 1}")
    if first != "-" and (not re.fullmatch(r"\d", first) or int(first) >= variant.seats):
        raise BadNotation(f"{first!r} is not a seat that can begin")
    state["turn"], state["first"] = int(turn), -1 if first == "-" else int(first)
    state["discards"] = _parse_cards(parts[3])
    for seat, sheet in enumerate(parts[4:]):
        _parse_sheet(variant, state, seat, sheet)
    _count_cards(variant, state)
    _parse_phase(variant, state, phase)
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
        raise BadNotation(f"the sheet {text!r} must have money, cable, hand, cables and decorations")
    limit = figure_of(variant, at.TRACK_LIMIT)
    for field, number in zip(("money", "cable"), parts[:2], strict=True):
        if not re.fullmatch(r"\d{1,3}", number) or int(number) > limit:
            raise BadNotation(f"seat {seat} cannot have {number!r} {field}: 0 to {limit}")
        state[field][seat] = int(number)
    if hidden := re.fullmatch(r"\?([1-9]\d?)", parts[2]):
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
    return [parse_square(variant, cell) for cell in re.findall(r"[a-z]\d+", text)]


def _parse_cable(variant: Variant, state: State, seat: int, text: str) -> None:
    shape, _, cells = text.partition(":")
    placement = _find_placement(variant, shape, _parse_cells(variant, cells))
    reason = variant.game.rules.check_ground(variant.box, placement)
    if reason == Reason.OK:
        reason = variant.game.rules.check_overlap(variant.box, state, seat, placement)
    if reason != Reason.OK:
        raise BadNotation(f"seat {seat} cannot have the cable {text!r}: {Reason(reason).name}")
    if int(state["cable_count"][seat]) == MAX_DRAWN:
        raise BadNotation(f"seat {seat} cannot have more than {MAX_DRAWN} cables")
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
        paid += sum(1 + int(box["chart"][kind - 1, NEEDS_PAIR]) for kind in state["decorations"][seat].tolist() if kind)
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
