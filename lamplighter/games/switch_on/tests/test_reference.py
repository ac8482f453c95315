"""The reference against the tables, examples and figures of the rules. The kernel is not looked at here."""

import importlib.util
import random
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

import pytest


def _load_reference() -> Any:
    name = "switch_on_reference"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


reference = _load_reference()
BOX = reference.load_box()
DEFAULTS = {
    "seats": 2,
    "open_hands": False,
    "hand_start": 6,
    "hand_limit": 8,
    "first_player": "random",
    "track_limit": "sheet",
    "tree_mode": "labelled",
    "unpowered_cable_scores": True,
}
PLACEMENTS = {
    "line3": 32,
    "line4": 16,
    "corner3": 15,
    "corner4": 30,
    "arch3": 16,
    "arch4": 6,
    "dash3": 93,
    "dash4": 73,
}
EXAMPLE_CABLES = [
    ("line4", "i0 h0 g0 f0"),
    ("line4", "f0 f1 f2 f3"),
    ("arch3", "f3 e3 d3"),
    ("corner3", "b8 a8 a7"),
    ("dash3", "d3 d4 d5"),
]
EXAMPLE_DECORATIONS = [
    ("star", "f0"),
    ("angel", "f1"),
    ("star", "f2"),
    ("lantern", "a8"),
    ("reindeer", "e3"),
    ("bauble", "e4"),
    ("banner", "e0"),
]


def new_match(**options: object) -> Any:
    return reference.Reference({**DEFAULTS, **options}, BOX)


def draw_all(match: Any) -> None:
    """Reveal the first outcome offered until somebody must act."""
    while not match.waiting() and not match.is_over():
        match.reveal(min(match.outcomes()))


def match_at(action: str, hand: str = "", **options: object) -> Any:
    """A match in which seat 0 has chosen an action and holds exactly `hand`."""
    match = new_match(first_player="0", **options)
    draw_all(match)
    match.play(0, action)
    match.sheets[0].hand = hand.split()
    return match


def draw_example(match: Any, seat: int = 0) -> Any:
    for shape, cells in EXAMPLE_CABLES:
        match.put_cable(seat, shape, cells)
    for decoration, cell in EXAMPLE_DECORATIONS:
        match.put_decoration(seat, decoration, cell)
    return match


def play_randomly(match: Any, generator: random.Random) -> Any:
    while not match.is_over():
        waiting = sorted(match.waiting())
        if waiting:
            seat = generator.choice(waiting)
            match.play(seat, generator.choice(sorted(match.moves(seat))))
        else:
            outcomes = match.outcomes()
            match.reveal(generator.choices(list(outcomes), list(outcomes.values()))[0])
    return match


def finish_turn(match: Any) -> None:
    """End the turn with as little as the rules allow."""
    turn = match.turn
    while match.turn == turn and match.waiting():
        seat = min(match.waiting())
        moves = match.moves(seat)
        quiet = sorted(moves & {"cable", "pass"}) or sorted(move for move in moves if "discard" in move)
        match.play(seat, quiet[0])


def has_lay(match: Any, shape: str, cells: str) -> bool:
    """Whether seat 0 may draw the shape on these squares, given from either end, with some card."""
    squares = cells.split()
    texts = {" ".join(squares), " ".join(reversed(squares))}
    return any(move.split(maxsplit=2)[2] in {f"{shape} {text}" for text in texts} for move in lays(match))


def lays(match: Any) -> list[str]:
    return [move for move in match.moves(0) if move.startswith("lay ")]


def hangs(match: Any, decoration: str) -> set[str]:
    return {move for move in match.moves(0) if move.startswith(f"hang {decoration} ")}


def squares_of(match: Any, decoration: str) -> set[str]:
    return {move.split()[3] for move in hangs(match, decoration)}


# Components


def test_the_town_has_the_stated_squares() -> None:
    match = new_match()
    assert Counter(match.town.values()) == {"H": 47, "P": 1, "s": 12, "E": 4, ".": 10, "t": 4, "T": 1, "C": 2}
    assert Counter(match.multiplier([cell]) for cell in match.town) == {3: 9, 2: 35, 1: 37}
    usable = [cell for cell in match.town if match.multiplier([cell]) == 3 and match.town[cell] != "C"]
    assert len(usable) == 7


def test_the_deck_has_54_cards() -> None:
    match = new_match(first_player="0")
    outcomes = match.outcomes()
    assert sum(outcomes.values()) == 54
    assert outcomes["joker"] == 2
    assert {card for card, copies in outcomes.items() if copies == 1} == {
        rank + suit for rank in [*"23456789", "10", *"jqka"] for suit in "schd"
    }


@pytest.mark.parametrize(
    ("cards", "units"),
    [
        ("none", 1),
        ("2s 3c 4h 5s 6c", 2),
        ("7s 8c 9h 10s", 3),
        ("js qc kh", 4),
        ("2d 6d", 3),
        ("7d 10d", 4),
        ("jd qd kd", 5),
        ("as ac ah ad joker", 5),
    ],
)
def test_funds_chart(cards: str, units: int) -> None:
    """§F"""
    assert {new_match().units(card) for card in cards.split()} == {units}


# Setup, §D, §H, §N


def test_first_player_deal_and_draw_go_clockwise() -> None:
    """§1 §D"""
    match = new_match(seats=3)
    assert match.outcomes() == {"first 0": 1, "first 1": 1, "first 2": 1}
    assert match.chance_seat() is None
    assert match.waiting() == set()
    match.reveal("first 1")
    seats = []
    while not match.waiting():
        seats.append(match.chance_seat())
        match.reveal(min(match.outcomes()))
    assert seats == [1, 2, 0] * 7
    assert match.waiting() == {1}
    assert match.outcomes() == {}
    assert match.chance_seat() is None
    assert match.moves(0) == set()
    assert match.moves(1) == {"funds", "decorate", "cable"}


def test_jokers_are_two_equal_cards() -> None:
    match = new_match(first_player="0")
    match.reveal("joker")
    assert match.outcomes()["joker"] == 1
    match.reveal("joker")
    assert "joker" not in match.outcomes()
    with pytest.raises(ValueError, match="not due"):
        match.reveal("joker")


@pytest.mark.parametrize(("seats", "turns"), [(2, 23), (3, 15), (4, 12)])
def test_number_of_turns(seats: int, turns: int) -> None:
    """§10 §N"""
    match = new_match(seats=seats, first_player="1")
    active = []
    draws: Counter[int] = Counter()
    while not match.is_over():
        while not match.waiting():
            draws[match.turn] += match.turn > 0
            match.reveal(min(match.outcomes()))
        active.append(match.active)
        finish_turn(match)
    assert match.turn == turns
    assert active == [(1 + turn) % seats for turn in range(turns)]
    assert match.end_turn == turns - seats
    assert draws[turns - seats] == (2 if seats == 4 else seats)
    assert not any(draws[turn] for turn in range(turns - seats + 1, turns + 1))
    assert match.moves(0) == set()
    assert match.outcomes() == {}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("hand_start", [1, 4, 5, 7, 8])
def test_number_of_turns_with_other_hands(seats: int, hand_start: int) -> None:
    """§N ceil((54 - h n) / n) + n"""
    match = new_match(seats=seats, hand_start=hand_start)
    draw_all(match)
    while not match.is_over():
        finish_turn(match)
        draw_all(match)
    assert match.turn == -(-(54 - hand_start * seats) // seats) + seats


def test_last_draw_with_four_players_serves_the_active_seat_and_the_next() -> None:
    """§D"""
    match = new_match(seats=4, first_player="0")
    draw_all(match)
    while match.turn < 8:
        finish_turn(match)
        if match.turn == 8:
            break
        draw_all(match)
    receivers = []
    while not match.waiting():
        receivers.append(match.chance_seat())
        match.reveal(min(match.outcomes()))
    assert receivers == [3, 0]
    assert match.active == 3
    assert match.end_turn == 8


def test_hand_limit_is_met_by_all_seats_at_once_one_card_at_a_time() -> None:
    """§H"""
    match = match_at("cable", "2s 3s 4s 5s 6s 7s 8s 9s 10s joker", seats=3)
    match.sheets[1].hand = [*(f"{rank}c" for rank in range(2, 10)), "joker"]
    for seat in (2, 0, 1):
        match.play(seat, "pass")
    assert match.waiting() == {0, 1}
    assert match.moves(0) == {f"discard {card}" for card in match.sheets[0].hand}
    assert match.moves(2) == set()
    match.play(0, "discard joker")
    match.play(1, "discard 2c")
    assert match.waiting() == {0}
    match.play(0, "discard 10s")
    assert match.waiting() == set()
    assert (match.turn, match.active, match.chance_seat()) == (2, 1, 1)
    assert len(match.sheets[0].hand) == 8


def test_hand_limit_holds_in_the_last_turn_too() -> None:
    """§H §N"""
    match = new_match(first_player="0", hand_limit=2)
    draw_all(match)
    while match.turn < 23:
        finish_turn(match)
        draw_all(match)
    match.sheets[1].hand = ["2s", "3s", "4s"]
    match.play(match.active, "cable")
    match.play(0, "pass")
    match.play(1, "pass")
    assert match.waiting() == {1}
    assert not match.is_over()
    match.play(1, "discard 3s")
    assert match.is_over()


def test_a_fixed_first_player_must_have_a_seat() -> None:
    with pytest.raises(ValueError, match="first player 3"):
        new_match(seats=3, first_player="3")


def test_all_seats_act_at_the_same_time() -> None:
    """§1 The order of the seats within an action changes nothing."""
    ends = []
    for order in ((0, 1), (1, 0)):
        match = match_at("funds", "7d 2s")
        assert match.waiting() == {0, 1}
        for seat in order:
            match.play(seat, "raise none 1+0")
        ends.append((match.sheets, match.phase, match.active, match.deck))
    assert ends[0] == ends[1]


# §F Raise Funds


def test_funds_moves_are_all_splits() -> None:
    """§F"""
    assert match_at("funds", "7d 2s joker joker").moves(0) == {
        *("raise none 0+1", "raise none 1+0"),
        *(f"raise 7d {money}+{4 - money}" for money in range(5)),
        *(f"raise 2s {money}+{2 - money}" for money in range(3)),
        *(f"raise joker {money}+{5 - money}" for money in range(6)),
    }


def test_funds_surplus_is_lost() -> None:
    """§16 §F"""
    match = match_at("funds", "kd ad")
    match.sheets[0].money = 8
    match.play(0, "raise kd 4+1")
    assert (match.sheets[0].money, match.sheets[0].cable, match.sheets[0].hand) == (10, 3, ["ad"])
    assert match.waiting() == {1}
    match.sheets[1].hand = ["joker"]
    match.sheets[1].cable = 9
    match.play(1, "raise joker 1+4")
    assert (match.sheets[1].money, match.sheets[1].cable) == (3, 10)


def test_start_of_the_tracks() -> None:
    """§16"""
    match = new_match()
    assert [(sheet.money, sheet.cable) for sheet in match.sheets] == [(2, 2), (2, 2)]


# §L Install Light Cable


@pytest.mark.parametrize(
    ("number", "court", "shape", "court_shape"),
    [
        ("2s 10s", "js qs ks", "line3", "line4"),
        ("2c 10c", "jc qc kc", "corner3", "corner4"),
        ("2h 10h", "jh qh kh", "arch3", "arch4"),
        ("2d 10d", "jd qd kd", "dash3", "dash4"),
    ],
)
def test_cable_chart_and_placements_on_a_clean_sheet(number: str, court: str, shape: str, court_shape: str) -> None:
    """§7 §9"""
    for cards, name in ((number, shape), (court, court_shape)):
        for card in cards.split():
            moves = lays(match_at("cable", card))
            assert len(moves) == PLACEMENTS[name]
            assert all(move.startswith(f"lay {card} {name} ") for move in moves)


@pytest.mark.parametrize("card", ["as", "ac", "ah", "ad", "joker"])
def test_a_wild_card_buys_any_shape(card: str) -> None:
    """§6 §7"""
    assert Counter(move.split()[2] for move in lays(match_at("cable", card))) == PLACEMENTS


def test_cells_begin_with_the_end_first_in_row_major_order() -> None:
    match = match_at("cable", "5c qc 5h")
    assert "lay 5c corner3 h8 i8 i7" in match.moves(0)
    assert "lay 5c corner3 i7 i8 h8" not in match.moves(0)
    assert "lay qc corner4 a1 a0 b0 c0" in match.moves(0)
    assert "lay 5h arch3 d3 e3 f3" in match.moves(0)
    for move in lays(match):
        cells = [reference.parse_cell(text) for text in move.split()[3:]]
        assert cells[0] < cells[-1]
        assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1 for a, b in pairwise(cells))


def test_laying_costs_one_cable_and_the_card() -> None:
    """§7 §L"""
    match = match_at("cable", "ks 2s")
    match.play(0, "lay ks line4 f0 f1 f2 f3")
    sheet = match.sheets[0]
    assert (sheet.cable, sheet.money, sheet.hand) == (1, 2, ["2s"])
    assert match.waiting() == {1}
    assert match.light_squares(sheet) == {(5, 0), (5, 1), (5, 2), (5, 3)}


@pytest.mark.parametrize("hand", ["", "ks joker"])
def test_a_seat_that_cannot_lay_is_asked_and_passes(hand: str) -> None:
    """§L"""
    match = match_at("cable", hand)
    if hand:
        match.sheets[0].cable = 0
    assert match.waiting() == {0, 1}
    assert match.moves(0) == {"pass"}


@pytest.mark.parametrize(
    ("shape", "cells", "legal"),
    [
        ("line3", "f1 f2 f3", False),
        ("line3", "f0 f1 f2", False),
        ("line3", "d3 d2 d1", True),
        ("arch4", "h0 h1 h2 h3", False),
        ("dash3", "h0 h1 h2", False),
        ("dash3", "g0 g1 g2", False),
        ("dash3", "e3 e2 e1", False),
        ("dash3", "d5 e5 f5", True),
        ("dash3", "f0 e0 d0", True),
        ("corner3", "h0 i0 i1", False),
        ("corner3", "c3 d3 d2", False),
        ("line3", "i0 i1 i2", True),
        ("line3", "f0 g0 h0", False),
        ("arch4", "g5 g6 g7 g8", True),
        ("arch4", "b5 b6 b7 b8", False),
        ("arch4", "c5 c6 c7 c8", False),
        ("line4", "f0 f1 f2 f3", False),
        ("arch3", "d3 e3 f3", False),
    ],
)
def test_legal_cable_on_the_worked_sheet(shape: str, cells: str, legal: bool) -> None:
    """§8 §9"""
    assert has_lay(draw_example(match_at("cable", "joker")), shape, cells) is legal


@pytest.mark.parametrize(("shape", "cells"), [("corner3", "h0 i0 i1"), ("corner4", "g0 h0 i0 i1")])
def test_only_an_end_lies_on_power_even_on_a_clean_sheet(shape: str, cells: str) -> None:
    """§8 §12"""
    assert not has_lay(match_at("cable", "joker"), shape, cells)


def test_an_arch_may_end_on_h0_of_a_clean_sheet() -> None:
    """§8 What refuses it on the worked sheet is the cable there, which has no dot."""
    assert has_lay(match_at("cable", "joker"), "arch4", "h0 h1 h2 h3")


def test_a_line_may_join_two_old_dots() -> None:
    """§8"""
    match = match_at("cable", "2s joker")
    match.put_cable(0, "corner3", "b0 a0 a1")
    match.put_cable(0, "arch3", "b3 b4 b5")
    match.put_cable(0, "line3", "d3 c3 b3")
    match.put_cable(0, "dash3", "a3 a4 a5")
    assert has_lay(match, "line3", "a1 a2 a3")
    assert not has_lay(match, "dash3", "a4 b4 c4")


def test_dashed_cable_blocks_like_light_cable() -> None:
    """§8"""
    match = match_at("cable", "joker")
    match.put_cable(0, "dash3", "f0 f1 f2")
    assert not has_lay(match, "line3", "f1 f2 f3")
    assert has_lay(match, "line4", "f0 g0 h0 i0")
    assert not has_lay(match, "dash3", "f0 f1 f2")


def test_the_same_shape_is_not_drawn_twice_on_the_same_squares() -> None:
    """§8 Only a shape that is all ends could be, so none of the default box."""
    link = {
        "name": "link",
        "suit": "s",
        "band": "number",
        "kind": "light",
        "cells": [[0, 0, "H"], [0, 1, "H"]],
    }
    match = reference.Reference(DEFAULTS, {**BOX, "shapes": [*BOX["shapes"], link]})
    sheet = match.sheets[0]
    match.put_cable(0, "link", "a0 a1")
    assert match.may_lay(sheet, "link", ((0, 1), (0, 2)))
    assert not match.may_lay(sheet, "link", ((0, 0), (0, 1)))


# §I Install Decorations


@pytest.mark.parametrize(
    ("cost", "paid", "refused"),
    [
        ("black", "2s kc ah ad joker", "2h kd"),
        ("red", "2h kd as ac joker", "2s kc"),
        ("any", "2s kc 5h 9d as joker", "2s+3s"),
        ("same-suit", "5c+ah 2s+ks 5c+joker as+ac joker+joker", "5c+5s 5c kh+kd"),
        ("same-rank", "5c+5h kh+kd 7d+as ah+joker", "5c+6c 2s+2c+2h kd+qd"),
        ("run", "2s+3h qd+kc 10s+js kd+as 2s+ah joker+joker", "kd+2s 2s+4s 5c+5h 9h+jh"),
        ("court+any", "js+2c qd+kd 5s+ah joker+3d ad+as 2h+kc", "2s+3s 10d+9d ks"),
    ],
)
def test_costs(cost: str, paid: str, refused: str) -> None:
    """§2 §6"""
    for cards in paid.split():
        assert reference.is_paid(cost, tuple(cards.split("+"))), cards
    for cards in refused.split():
        assert not reference.is_paid(cost, tuple(cards.split("+"))), cards


def test_the_chart_of_decorations() -> None:
    """§2 §13"""
    named = {value: name for name, value in reference.NAMED_COSTS.items()}
    rows = [
        (one.letter, one.name, one.power, *one.where, named[one.cards, one.common], one.points)
        for one in new_match().decorations.values()
    ]
    assert rows == [
        ("L", "lantern", True, "cable", "black", 10),
        ("S", "star", True, "cable", "same-suit", 20),
        ("A", "angel", True, "cable", "same-rank", 26),
        ("B", "bauble", False, "tree", "red", 8),
        ("W", "wreath", False, "any", "any", 5),
        ("N", "banner", False, "entrance", "run", 25),
        ("R", "reindeer", False, "street", "red", 10),
        ("Z", "sleigh", False, "street", "court+any", 16),
    ]


def test_locations_on_a_clean_sheet() -> None:
    """§3 §4 §5"""
    match = match_at("decorate", "joker joker")
    counts = {name: len(squares_of(match, name)) for name in match.decorations}
    assert list(counts.values()) == [0, 0, 0, 5, 79, 4, 12, 12]
    assert not {"c6", "c7"} & squares_of(match, "wreath")
    assert {"i0", "b6", "e4"} <= squares_of(match, "wreath")
    assert squares_of(match, "banner") == {"a4", "e0", "e8", "i4"}


def test_legal_decorations_on_the_worked_sheet() -> None:
    """§3 §4 §6"""
    match = draw_example(match_at("decorate", "5c ah kd 2s joker"))
    moves = match.moves(0)
    assert "hang star 5c+ah f3" in moves
    assert "hang star 5c+kd f3" not in moves
    assert "hang banner ah+kd i4" in moves
    assert "hang banner 2s+kd i4" not in moves
    assert not squares_of(match, "reindeer") & {"a4", "e0", "e8", "i4"}
    free_lit = {"i0", "h0", "g0", "f3", "d3", "b8", "a7"}
    for name in ("lantern", "star", "angel"):
        assert squares_of(match, name) == free_lit
    assert "e3" not in squares_of(match, "reindeer")
    assert "e4" not in squares_of(match, "wreath")


def test_each_distinct_set_of_cards_is_a_choice() -> None:
    """§I"""
    match = match_at("decorate", "joker 4d ah joker 4c kc")
    match.put_cable(0, "line3", "a0 a1 a2")
    payments = {move.split()[2] for move in hangs(match, "angel")}
    assert payments == {
        *("4c+4d", "4c+ah", "4c+joker", "kc+ah", "kc+joker"),
        *("ah+4d", "4d+joker", "ah+joker", "joker+joker"),
    }
    assert {move.split()[2] for move in hangs(match, "reindeer")} == {"ah", "4d", "joker"}


def test_hanging_costs_money_and_cards_until_the_seat_stops() -> None:
    """§2 §I"""
    match = match_at("decorate", "2h 3d 4s")
    match.play(0, "hang reindeer 2h e1")
    match.play(1, "stop")
    match.play(0, "hang wreath 4s e2")
    sheet = match.sheets[0]
    assert (sheet.money, sheet.cable, sheet.hand) == (0, 2, ["3d"])
    assert match.waiting() == {0}
    assert match.moves(0) == {"stop"}
    match.play(0, "stop")
    assert match.turn == 2


def test_cable_may_be_drawn_under_a_decoration() -> None:
    """The two are independent."""
    match = match_at("cable", "2s")
    match.put_decoration(0, "wreath", "a1")
    assert has_lay(match, "line3", "a0 a1 a2")


def test_an_illegal_move_is_refused() -> None:
    match = match_at("decorate", "2h")
    for move in ("hang reindeer 2h e0", "hang wreath 3h a0", "pass", "nonsense"):
        with pytest.raises(ValueError, match="illegal move"):
            match.play(0, move)


# §S1 to §S5 Scoring


def test_the_worked_sheet_scores_323() -> None:
    """§11 §12 §13 §14 §15"""
    match = draw_example(new_match(), seat=1)
    assert match.score(1) == {"decorations": 132 + 61, "patterns": 70, "cable": 60}
    assert list(match.score(1)) == ["decorations", "patterns", "cable"]
    assert match.standing(1) == (323, 3, 12)
    assert match.facts(1) == {"powered": 3, "cables": 5, "struck": 1}
    assert match.score(0) == {"decorations": 0, "patterns": 0, "cable": 0}
    assert match.standing(0) == (0, 0, 0)
    assert match.facts(0) == {"powered": 0, "cables": 0, "struck": 0}


def test_unpowered_cable_may_score_nothing() -> None:
    """§15 The option; the tie-break still counts all light cable."""
    match = draw_example(new_match(unpowered_cable_scores=False))
    assert match.score(0)["cable"] == 5 * 9
    assert match.standing(0) == (308, 3, 12)


def test_dashed_cable_conducts() -> None:
    """§3 §12 §15"""
    match = new_match()
    match.put_cable(0, "dash3", "i0 i1 i2")
    match.put_cable(0, "line3", "d0 d1 d2")
    match.put_decoration(0, "star", "i4")
    match.put_cable(0, "dash4", "i2 i3 i4 i5")
    match.put_cable(0, "line3", "i5 i6 i7")
    match.put_decoration(0, "lantern", "i5")
    match.put_decoration(0, "lantern", "d0")
    assert match.facts(0) == {"powered": 2, "cables": 4, "struck": 1}
    assert match.score(0)["cable"] == 5 * 6


def test_squares_side_by_side_do_not_conduct() -> None:
    """§12 §S1"""
    match = new_match()
    match.put_cable(0, "line3", "i0 i1 i2")
    match.put_cable(0, "line3", "f0 g0 h0")
    match.put_decoration(0, "lantern", "h0")
    assert match.facts(0)["struck"] == 1


@pytest.mark.parametrize(
    ("mode", "cell", "expected"),
    [
        ("labelled", "d3", 2),
        ("count", "d3", 3),
        ("labelled", "b6", 3),
        ("count", "b6", 2),
        ("labelled", "e4", 2),
        ("count", "e4", 2),
        ("labelled", "a4", 1),
        ("count", "a4", 1),
    ],
)
def test_trees(mode: str, cell: str, expected: int) -> None:
    """§14"""
    match = new_match(tree_mode=mode)
    match.put_decoration(0, "wreath", cell)
    assert match.score(0)["decorations"] == 5 * expected


def test_the_count_mode_leaves_the_worked_sheet_as_it_is() -> None:
    """§14 Every tree of the example stands alone and is small."""
    assert draw_example(new_match(tree_mode="count")).standing(0)[0] == 323


def lines(match: Any, letters: str, cells: str) -> int:
    """The pattern points of decorations on squares that are all joined to Power."""
    names = {one.letter: one.name for one in match.decorations.values()}
    for letter, cell in zip(letters, cells.split(), strict=True):
        match.put_decoration(0, names[letter], cell)
        match.put_cable(0, "line3", f"i0 {cell} a0")
    return int(match.score(0)["patterns"])


@pytest.mark.parametrize(
    ("letters", "cells", "points"),
    [
        ("ZRR", "b4 c4 d4", 40),
        ("RRZ", "b4 c4 d4", 40),
        ("ZRR", "e1 e2 e3", 40),
        ("RRZ", "e1 e2 e3", 40),
        ("RZR", "e1 e2 e3", 0),
        ("RRZ", "e5 e6 e7", 40),
        ("WNW", "a3 a4 a5", 40),
        ("WNW", "d0 e0 f0", 40),
        ("SAS", "i4 i5 i6", 35),
        ("SAS", "f0 f1 f2", 70),
        ("SAS", "a5 a6 a7", 105),
        ("SAS", "d8 e8 f8", 35),
        ("SSS", "i4 i5 i6", 30),
        ("SSS", "f8 e8 d8", 30),
        ("SSS", "a0 b1 c2", 30),
        ("SSS", "d3 e2 f1", 30),
        ("SSS", "a7 b6 c5", 90),
        ("LLL", "i4 i5 i6", 20),
        ("LLL", "i2 i3 i4", 20),
        ("LLL", "g0 h0 i0", 20),
        ("LLL", "f0 g0 h0", 40),
        ("LLL", "a0 b1 c2", 0),
        ("SAS", "a0 b1 c2", 0),
        ("LLL", "i4 i5 i7", 0),
    ],
)
def test_patterns(letters: str, cells: str, points: int) -> None:
    """§13 §14"""
    assert lines(new_match(), letters, cells) == points


@pytest.mark.parametrize(
    ("letters", "cells", "points"),
    [
        ("LLLL", "i4 i5 i6 i7", 20),
        ("LLLLL", "i3 i4 i5 i6 i7", 20),
        ("LLLLLL", "i2 i3 i4 i5 i6 i7", 40),
        ("SASAS", "i3 i4 i5 i6 i7", 35),
        ("SASSS", "i3 i4 i5 i6 i7", 35),
        ("SASSSS", "i2 i3 i4 i5 i6 i7", 65),
        ("ZRRZ", "e5 e6 e7 e3", 40),
    ],
)
def test_a_decoration_is_in_one_pattern_only(letters: str, cells: str, points: int) -> None:
    """§13 §S4"""
    assert lines(new_match(), letters, cells) == points


def test_the_best_disjoint_patterns_need_not_hold_the_best_one() -> None:
    """§S4"""
    one, two, three = frozenset({(0, 0), (0, 1)}), frozenset({(0, 1), (0, 2)}), frozenset({(0, 2), (0, 3)})
    assert reference.best_disjoint([(two, 50), (one, 30), (three, 30)]) == 60
    assert reference.best_disjoint([(one, 30), (two, 70), (three, 30)]) == 70
    assert reference.best_disjoint([]) == 0


def test_a_pattern_counts_in_trees_near_all_of_it() -> None:
    """§14 In count mode too."""
    match = new_match(tree_mode="count")
    assert match.multiplier([(3, 3)]) == 3
    assert match.multiplier([(3, 1), (3, 2), (3, 3)]) == 2
    assert match.multiplier([(3, 2), (3, 3), (3, 4)]) == 1


def test_count_mode_goes_no_higher_than_three() -> None:
    """§14"""
    box = {**BOX, "map": {"rows": ["tHt", "HHH", "tPt"]}}
    match = reference.Reference({**DEFAULTS, "tree_mode": "count"}, box)
    assert match.multiplier([(1, 1)]) == 3
    assert match.multiplier([(1, 0)]) == 3
    assert match.multiplier([(0, 0)]) == 2


def test_struck_decorations_make_no_pattern() -> None:
    """§12 §13"""
    match = new_match()
    match.put_cable(0, "line3", "i4 i5 i6")
    for cell in ("i4", "i5", "i6"):
        match.put_decoration(0, "lantern", cell)
    assert match.score(0) == {"decorations": 0, "patterns": 0, "cable": 15}
    match.put_cable(0, "dash4", "i0 i1 i2 i3")
    assert match.facts(0)["struck"] == 3
    match.put_cable(0, "dash3", "i3 h3 i4")
    assert match.score(0)["patterns"] == 20


# Whole matches


def check_match(match: Any) -> None:
    for seat, sheet in enumerate(match.sheets):
        assert len(sheet.hand) <= match.hand_limit
        assert 0 <= sheet.money <= 10
        assert 0 <= sheet.cable <= 10
        assert sum(match.score(seat).values()) == match.standing(seat)[0]
        assert len(sheet.cables) == match.facts(seat)["cables"]
    assert match.deck.total() == 0
    assert match.waiting() == set()
    assert match.outcomes() == {}


@pytest.mark.parametrize(("seats", "turns", "expected"), [(2, 23, 154), (3, 15, 103), (4, 12, 81)])
def test_random_matches(seats: int, turns: int, expected: int) -> None:
    """Uniform choice among all legal moves comes near the stated means."""
    generator = random.Random(seats)
    totals = []
    for _ in range(20):
        match = play_randomly(new_match(seats=seats), generator)
        check_match(match)
        assert match.turn == turns
        totals += [match.standing(seat)[0] for seat in range(seats)]
    assert abs(mean(totals) - expected) < 0.15 * expected


@pytest.mark.parametrize(
    "options",
    [
        {"open_hands": True, "hand_limit": 1},
        {"hand_start": 1, "hand_limit": 12, "first_player": "2"},
        {"hand_start": 8, "tree_mode": "count", "unpowered_cable_scores": False},
    ],
)
def test_random_matches_with_options(options: dict[str, object]) -> None:
    for seed in range(3):
        check_match(play_randomly(new_match(seats=3, **options), random.Random(seed)))
