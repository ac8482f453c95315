"""Switch-On: rulings, options, the box, hidden hands, and figures of play. Worked examples are files in examples/."""

from __future__ import annotations

import random

import numpy as np
import pytest

import lamplighter
from lamplighter import bots, games
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position, parse_position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, BadNotation, BadVariant, IllegalMove, NoTakeBack
from lamplighter.games.switch_on.components import EXTRA, KINDS, OFFSETS, numbers, squares_of
from lamplighter.games.switch_on.components.cards import CARD_NAMES, DECK
from lamplighter.games.switch_on.rules.squares import has_room, tree_factor
from lamplighter.jit import BOUNDS_CHECKED, PURE
from lamplighter.lab.simulate import simulate

GAME = games.load("switch_on")
BARE = "-,-"  # no cables, no decorations


def load(text: str = "") -> Variant:
    return lamplighter.load(f"switch_on?{text}")


def odd_town(**options: bool | int | str) -> Variant:
    path = GAME.folder / "tests" / "boxes" / "odd_town.toml"
    return Variant(GAME, options, ComponentFile(path.read_text(encoding="utf-8"), path.name))


def box_with(old: str, new: str) -> ComponentFile:
    assert GAME.box_text.count(old) == 1, old
    return ComponentFile(GAME.box_text.replace(old, new), "my.toml")


def line_with(text: str) -> int:
    return GAME.box_text[: GAME.box_text.index(text)].count("\n") + 1


def at(
    phase: str,
    *sheets: str,
    turn: int = 20,
    first: int = 0,
    variant: Variant | None = None,
    hands: tuple[str, ...] = (),
) -> Position:
    """A position of two seats (or more) late in a match; cards that nobody needs to hold are discarded.

    A sheet is `money,cable,cables,decorations`; `hands` are the cards of each seat.
    """
    variant = variant or load("seats=2&first_player=0")
    held = [card for hand in hands for card in hand.split(".") if hand != "-"]
    seats, start = variant.seats, int(variant.box["figures"][numbers.HAND_START])
    dealt = min(seats * (start + turn), DECK)
    deck = [*CARD_NAMES, "joker"]
    for card in held:
        deck.remove(card)
    discards = ".".join(deck[: dealt - len(held)]) or "-"
    parts = []
    for sheet, hand in zip(sheets, hands, strict=True):
        money, cable, rest = sheet.split(",", 2)
        parts.append(f"{money},{cable},{hand},{rest}")
    return parse_position(variant, ";".join([str(turn), str(first), phase, discards, *parts]))


def finish(match: Match, policy: int = 0) -> Match:
    """Play a seeded match to its end: the first legal move of the first seat, or any."""
    rng = random.Random(policy)
    while not match.is_over:
        match.roll()
        if match.waiting:
            seat = rng.choice(match.waiting)
            match.act(seat, rng.choice(match.position.legal_actions(seat)))
    return match


# --- the box --------------------------------------------------------------------------------------------------


def test_the_town() -> None:
    """§9, §14: what is on the map, and how many squares each tree multiplies."""
    box, town = load().box, "".join(ComponentFile(GAME.box_text).get("map", "rows"))
    assert {mark: town.count(mark) for mark in "HPsE.tTC"} == dict(
        zip("HPsE.tTC", (47, 1, 12, 4, 10, 4, 1, 2), strict=True)
    )
    factors = box["factor"][:81].tolist()
    assert (factors.count(3), factors.count(2)) == (9, 35)
    assert squares_of(box["church"]) == [24, 25] and squares_of(box["power"]) == [72]


def test_clean_sheet_placements() -> None:
    """§7, §8, §9: how many ways each shape has on a clean sheet."""
    box = load().box
    ways = {
        name: int(box["first_fit"][i + 1]) - int(box["first_fit"][i])
        for i, name in enumerate(GAME.components.names(ComponentFile(GAME.box_text), "shapes"))
    }
    assert ways == {
        "line3": 32, "line4": 16, "corner3": 15, "corner4": 30, "arch3": 16, "arch4": 6, "dash3": 93, "dash4": 73,
    }  # fmt: skip
    for card, shape in (("9s", "line3"), ("kc", "corner4"), ("2h", "arch3"), ("qd", "dash4")):
        position = at("cable", f"0,1,{BARE}", f"0,0,{BARE}", hands=(card, "-"))
        assert len(position.legal_moves(0)) == 1 + ways[shape]
        assert all(f" {card} {shape} " in move for move in position.legal_moves(0)[1:])
    position = at("cable", f"0,1,{BARE}", f"0,0,{BARE}", hands=("joker", "-"))
    assert len(position.legal_moves(0)) == 1 + sum(ways.values())


BAD_BOXES = [
    ("[scoring]", "[scores]", "[scoring]", "unknown key 'scores': did you mean 'scoring'"),
    ('"PHHHEHHHH"', '"HHHHEHHHH"', "rows = [", "the map has no Power square"),
    ('"H.tHsHCCH"', '"H.tHsHCC"', '"H.tHsHCCH"', "row 2 of the map must be a text as long as the first"),
    ('"H.tHsHCCH"', '"H.tHs?CCH"', '"H.tHsHCCH"', "'?' in the map is none of"),
    ("T = 3 # great", "T = 0 # great", "T = 3 # great", "trees.T must be a whole number from 1 to 99, not 0"),
    ("T = 3 # great", "E = 3 # great", "T = 3 # great", "a tree cannot be called 'E'"),
    ("limit = 10", "limit = 0", "limit = 10", "tracks.limit must be a whole number from 1"),
    ("start_money = 2", "start_money = 11", "start_money = 2", "must be a whole number from 0 to 10, not 11"),
    ("none = 1 # no", "none = -1 # no", "none = 1 # no", "raise_funds.none must be a whole number"),
    ("j = 4\n", "", "[raise_funds.rank]", "raise_funds.rank.j is missing"),
    ("d = 1", "e = 1", "d = 1", "unknown key 'e'"),
    ('[2, 0, "H"], [1, 0, "H"]', '[2, 0, "H"], [1, 0, "t"]', '[2, 0, "H"], [1, 0, "H"]', "cannot be 't'"),
    ('[2, 0, "H"], [1, 0, "H"]', '[3, 0, "H"], [1, 0, "H"]', '[2, 0, "H"], [1, 0, "H"]', "a strand goes on beside"),
    ('[[2, 0, "H"], [1, 0, "H"]', '[[0, 0, "H"], [1, 0, "H"]', '[2, 0, "H"], [1, 0, "H"]', "a strand does not come back"),
    ('[[0, 0, "*"], [0, 1, "*"], [0, 2, "*"]]', '[]', '[[0, 0, "*"], [0, 1, "*"], [0, 2, "*"]]', "1 to 12"),
    ('name = "line4"', 'name = "line3"', 'name = "line4"', "the name 'line3' stands twice"),
    ('name = "line4"', 'name = "Line 4"', 'name = "line4"', "must be lower case"),
    ('letter = "S"', 'letter = "L"', 'letter = "S"', "'L' must be a letter of its own"),
    ('cost = "same-rank"', 'cost = "same-ranks"', 'cost = "same-rank"', "did you mean 'same-rank'"),
    ('where = "entrance"', 'where = "river"', 'where = "entrance"', "decorations[5].where cannot be 'river'"),
    ('lines = ["SAS"]', 'lines = ["SXS"]', 'lines = ["SAS"]', "no decoration has the letter 'X'"),
    ('lines = ["SAS"]', 'lines = ["S"]', 'lines = ["SAS"]', "a pattern line has 2 to 9 letters"),
    ('["row", "column", "diagonal"]', '["row", "spiral"]', '["row", "column", "diagonal"]', "cannot be 'spiral'"),
    ("cable_points = 5", "cable_points = true", "cable_points = 5", "must be a whole number from 0 to 1000"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "place", "reason"), BAD_BOXES)
def test_bad_component_files(old: str, new: str, place: str, reason: str) -> None:
    """§7, §9: a component file that makes no sense is refused, with its line."""
    with pytest.raises(BadBox) as error:
        Variant(GAME, {}, box_with(old, new))
    assert reason in error.value.reason
    assert error.value.line == line_with(place), str(error.value)


def with_town(rows: list[str], more: str = "") -> ComponentFile:
    """The standard box with another map, and with more tables behind it."""
    start = GAME.box_text.index("rows = [")
    end = GAME.box_text.index("]", start) + 1
    return ComponentFile(f"{GAME.box_text[:start]}rows = {rows}{GAME.box_text[end:]}\n{more}", "my.toml")


TOWN = ComponentFile(GAME.box_text).get("map", "rows")
LARGE_TOWN = ["PHHHHHHHHHH", "HEHssHHHHtH", *["H" * 11] * 9]
SHAPE = """[[shapes]]
name = "more{}"
suit = "s"
band = "number"
kind = "dashed"
cells = [[0, 0, "*"], [0, 1, "*"], [1, 1, "*"]]
"""
DECORATION = """[[decorations]]
name = "more{0}"
letter = "{0}"
power = false
where = "any"
cost = "run"
points = 1
"""


PATTERN = f"""[[patterns]]
name = "many"
lines = {[a + b for a in "LSABWN" for b in "LSABWN"]}
directions = ["row", "column", "diagonal"]
points = 1
"""


@pytest.mark.parametrize(("file", "reason"), [
    (with_town([row + row[:5] for row in TOWN]), "the map has 126 squares, more than 124"),
    (with_town(["t" * 9] * 8 + ["P" * 9]), "the map has 72 trees, more than 62"),
    (with_town([]), r"map.rows must be a list of 1 to 26 entries, not 0"),
    (with_town(LARGE_TOWN, "".join(SHAPE.format(i) for i in range(5))), r"ways to draw a strand, more than 2048"),
    (with_town(LARGE_TOWN, "".join(DECORATION.format(i) for i in "xyz")), r"a player could have \d+ moves at once"),
    (with_town(TOWN, PATTERN), r"the patterns can lie in 158 ways, more than 128"),
    (with_town(TOWN, "".join(DECORATION.format(i) for i in "uvwxy")), r"decorations must be a list of 1 to 12 entries"),
])  # fmt: skip
def test_more_bad_component_files(file: ComponentFile, reason: str) -> None:
    """§7, §9: what is wrong in no single line, and what would need more room than there is."""
    with pytest.raises(BadBox, match=reason):
        Variant(GAME, {"hand_limit": 12}, file)


def test_action_numbers() -> None:
    """The docstring of state.py says how many actions there are."""
    assert load().action_count == 22_166
    assert f"{load().action_count:,}" in (GAME.module("state").__doc__ or "")


def test_numbers_that_are_no_moves() -> None:
    """§1: numbers beyond the last action, and the second joker by itself, are no moves; nothing is drawn meanwhile."""
    position = at("limit", f"0,0,{BARE}", f"0,0,{BARE}", turn=18, hands=("2s.3s.4s.5s.6s.7s.8s.joker.joker", "-"))
    box, reason = position.variant.box, GAME.state.Reason
    first = int(box["figures"][numbers.FIRST_DISCARD])
    for action in (-1, position.variant.action_count, first + 8):
        assert GAME.rules.check(box, position.state, 0, action) == reason.NO_SUCH_ACTION
    assert GAME.rules.check(box, position.state, 0, first + 7) == reason.OK
    assert GAME.rules.check(box, position.state, 0, first + 9) == reason.NOT_HELD
    room = np.zeros(GAME.state.MAX_OUTCOMES, np.int64)
    assert GAME.rules.outcomes(box, position.state, room, room) == 0
    assert position.legal_actions(1) == []
    decorate = at("decorate", f"1,0,{BARE}", f"0,0,{BARE}", hands=("joker.joker", "-"))
    wreath = decorate.parse_move(0, "hang wreath joker a0")
    squares = int(box["figures"][numbers.SQUARES])
    assert GAME.rules.check(box, decorate.state, 0, wreath + squares) == reason.NO_SUCH_ACTION


# --- turns, draws and the end ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "turns"), [
    ("seats=2", 23), ("seats=3", 15), ("seats=4", 12), ("seats=2&hand_start=1", 28), ("seats=4&hand_start=8", 10),
    ("seats=3&hand_start=5&hand_limit=12", 16),
])  # fmt: skip
def test_number_of_turns(options: str, turns: int) -> None:
    """§N, §10: ceil((54 - cards dealt) / seats) + seats turns."""
    match = finish(load(options).match(seed=3))
    assert match.position.turn == turns + 1
    assert max(entry.turn for entry in match.log) == turns
    assert sum(entry.kind == "chance" and entry.text in CARD_NAMES for entry in match.log) == DECK


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_draws(seats: int) -> None:
    """§1, §D, §C: dealt from the first seat on, then one each from the active seat on, who then chooses alone."""
    match = load(f"seats={seats}&first_player=1").match(seed=2)
    match.roll()
    dealt = [entry.seat for entry in match.log]
    assert dealt[: 6 * seats] == [(1 + i) % seats for i in range(6 * seats)]
    assert {entry.turn for entry in match.log[: 6 * seats]} == {0}
    finish(match)
    for turn in range(1, int(match.variant.box["figures"][numbers.TURNS]) + 1):
        drawn = [entry.seat for entry in match.log if entry.turn == turn and entry.kind == "chance"]
        active = (1 + turn - 1) % seats
        moved = [entry.seat for entry in match.log if entry.turn == turn and entry.kind == "move"]
        assert drawn == [(active + i) % seats for i in range(len(drawn))]
        assert moved[0] == active and set(moved) == set(range(seats))


def test_end_trigger() -> None:
    """§10, §N: with four seats the eighth turn draws two cards; then each seat has one more turn without drawing."""
    match = finish(load("seats=4&first_player=2").match(seed=5))
    drawn = {turn: sum(e.turn == turn and e.kind == "chance" for e in match.log) for turn in range(1, 13)}
    assert drawn == {**dict.fromkeys(range(1, 8), 4), 8: 2, **dict.fromkeys(range(9, 13), 0)}
    last = [entry.seat for entry in match.log if entry.turn == 8 and entry.kind == "chance"]
    assert last == [1, 2], "the active seat and the next"
    active = [next(e.seat for e in match.log if e.turn == turn and e.kind == "move") for turn in range(9, 13)]
    assert active == [2, 3, 0, 1]


def test_the_last_move_of_a_turn_can_be_taken_back_until_somebody_goes_on() -> None:
    """§N: also in the last turns, which begin without a draw."""
    position = at("funds!0", f"0,0,{BARE}", f"0,0,{BARE}", turn=22, hands=("-", "-"))
    match = Match(position.variant, None, start=position)
    match.play("raise none 1+0", 1)
    assert match.position.turn == 23 and match.waiting == (0,)
    assert match.take_back(1) == "raise none 1+0" and match.waiting == (1,)
    match.play("raise none 1+0", 1)
    match.play("funds", 0)
    with pytest.raises(NoTakeBack):
        match.take_back(1)


def test_the_last_strand_of_a_turn_can_be_taken_back_until_the_next_card() -> None:
    """§L, §D: the next turn has begun, and nothing of it is known yet."""
    position = at("funds!0", f"0,0,{BARE}", f"0,0,{BARE}", turn=3, hands=("-", "-"))
    match = Match(position.variant, None, start=position)
    match.play("raise none 1+0", 1)
    assert match.position.turn == 4 and match.waiting == ()
    assert match.take_back(1) == "raise none 1+0" and match.waiting == (1,)


def test_taking_an_earlier_decoration_back() -> None:
    """§I: the cards of later decorations stay the same cards, though they move up in the hand."""
    position = at("decorate", f"9,0,{BARE}", f"0,0,{BARE}", hands=("2s.3s.4h.5h", "-"))
    match = Match(position.variant, None, start=position)
    match.play("hang wreath 2s a0", 0)
    match.play("hang reindeer 4h b4", 0)
    match.play("hang wreath 3s a1", 0)
    assert match.take_back(0, "hang wreath 2s a0") == "hang wreath 2s a0"
    assert [entry.text for entry in match.log] == ["hang reindeer 4h b4", "hang wreath 3s a1"]
    assert match.position.text.split(";")[5] == "7,0,2s.5h,-,wreath:a1+reindeer:b4"


def test_all_seats_act_at_once() -> None:
    """§1, §C: the choice binds everybody, any order will do, and a seat that is done waits."""
    for order in ((0, 1, 2), (2, 0, 1)):
        position = at("choose", *[f"1,1,{BARE}"] * 3, turn=2, variant=load("seats=3"), hands=("2s", "3s", "4s"))
        assert position.waiting == (1,)
        position.play("funds", 1)
        assert position.waiting == (0, 1, 2)
        for i, seat in enumerate(order):
            position.play("raise none 0+1", seat)
            assert set(position.waiting) == set(order[i + 1 :])
        assert position.turn == 3 and position.outcomes() and position.chance_seat == 2


def test_first_player() -> None:
    """§N: the lot, or the seat that the variant names."""
    assert load("seats=3").start().outcomes() == {"first 0": 1, "first 1": 1, "first 2": 1}
    assert load("seats=3").start().chance_seat is None
    fixed = load("seats=3&first_player=2").start()
    assert fixed.chance_seat == 2 and fixed.outcomes() == {**dict.fromkeys(CARD_NAMES, 1), "joker": 2}
    with pytest.raises(BadVariant, match="with 2 seats they are 0 to 1"):
        load("seats=2&first_player=2")


def test_the_same_seed_deals_the_same_cards() -> None:
    """The lot has a draw number of its own, so that naming the first player changes no card."""
    drawn = load("seats=2").match(seed="cards")
    drawn.roll()
    named = load(f"seats=2&first_player={drawn.log[0].text[-1]}").match(seed="cards")
    named.roll()
    assert [entry.text for entry in drawn.log[1:]] == [entry.text for entry in named.log]


# --- funds and the hand ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "units"), [
    ("none", 1), ("2s", 2), ("6c", 2), ("7h", 3), ("10s", 3), ("jc", 4), ("kh", 4), ("6d", 3), ("10d", 4), ("kd", 5),
    ("as", 5), ("ad", 5), ("joker", 5),
])  # fmt: skip
def test_raise_funds(card: str, units: int) -> None:
    """§F, §6: the chart; every split is a move; any ace gives the wild value."""
    hand = "-" if card == "none" else card
    position = at("funds", f"0,0,{BARE}", f"0,0,{BARE}", hands=(hand, "-"))
    splits = [move for move in position.legal_moves(0) if move.startswith(f"raise {card} ")]
    assert splits == [f"raise {card} {money}+{units - money}" for money in range(units + 1)]
    assert "pass" not in position.legal_moves(0)
    wrong = position.why(f"raise {card} {units}+1", 0) if units < 5 else position.why(f"raise {card} 5+5", 0)
    assert wrong is not None and wrong.reason == "WRONG_SUM"
    position.play(splits[1], 0)
    assert position.state["money"][0] == 1 and position.state["cable"][0] == units - 1


def test_surplus_is_lost() -> None:
    """§16: both tracks end at 10."""
    position = at("funds", f"9,8,{BARE}", f"0,0,{BARE}", hands=("kd", "-"))
    position.play("raise kd 3+2", 0)
    assert position.state["money"][0] == 10 and position.state["cable"][0] == 10
    assert load().start().state["money"][1] == 2 and load().start().state["cable"][1] == 2


def test_hand_limit() -> None:
    """§H: at the end of a turn, all who hold too many at once, one card at a time."""
    nine, ten = "2s.3s.4s.5s.6s.7s.8s.9s.10s", "2h.3h.4h.5h.6h.7h.8h.joker.joker"
    position = at("funds", f"0,0,{BARE}", f"0,0,{BARE}", turn=18, hands=(nine, ten))
    position.play("raise none 0+1", 0)
    position.play("raise none 0+1", 1)
    assert position.waiting == (0, 1) and position.turn == 18
    assert len(position.legal_moves(0)) == 9
    assert len(position.legal_moves(1)) == 8, "two jokers are one choice"
    refusal = position.why("discard ks", 0)
    assert refusal is not None and refusal.reason == "NOT_HELD"
    position.play("discard joker", 1)
    assert position.waiting == (0,) and position.turn == 18
    position.play("discard 10s", 0)
    assert position.turn == 19 and position.state["hand_size"].tolist()[:2] == [8, 8]


def test_hand_limit_below_the_start() -> None:
    """§H, §D: a start hand above the limit is kept until the end of the first turn; then it is cut card by card."""
    match = load("seats=2&hand_start=8&hand_limit=2&first_player=0").match(seed=1)
    match.roll()
    assert match.position.state["hand_size"].tolist()[:2] == [9, 9]
    match.play("cable", 0)
    match.play("pass", 0)
    match.play("pass", 1)
    for left in range(9, 2, -1):
        assert match.waiting == (0, 1) and match.position.state["hand_size"][0] == left
        for seat in (0, 1):
            match.play(match.legal_moves(seat)[0], seat)
    assert match.position.turn == 2


def test_hand_limit_in_the_last_turn() -> None:
    """§H: the last turn too, then it is over."""
    hand = "2s.3s.4s.5s.6s.7s.8s.9s.10s"
    position = at("cable!1", f"0,0,{BARE}", f"0,0,{BARE}", turn=23, hands=(hand, "-"))
    position.play("pass", 0)
    assert not position.is_over and position.waiting == (0,)
    position.play("discard 2s", 0)
    assert position.is_over


# --- cable ----------------------------------------------------------------------------------------------------


def test_cards_buy_shapes() -> None:
    """§7, §6: suit and band of the card; aces and jokers buy any shape; without Cable nothing."""
    shapes = {"2s": "line3", "ks": "line4", "10c": "corner3", "jc": "corner4", "5h": "arch3", "qh": "arch4",
              "9d": "dash3", "kd": "dash4"}  # fmt: skip
    for card, shape in shapes.items():
        position = at("cable", f"0,1,{BARE}", f"0,0,{BARE}", hands=(f"{card}.ac", "-"))
        bought = {tuple(move.split()[1:3]) for move in position.legal_moves(0)[1:]}
        assert bought == {(card, shape), *(("ac", name) for name in shapes.values())}
    poor = at("cable", f"9,0,{BARE}", f"0,0,{BARE}", hands=("5h", "-"))
    assert poor.legal_moves(0) == ["pass"]
    refusal = poor.why("lay 5h arch3 a3 a4 a5", 0)
    assert refusal is not None and refusal.reason == "NO_CABLE"


def test_several_ends_on_power() -> None:
    """§8: dots meet on Power as anywhere; both cables are joined to it."""
    position = at("cable", "0,1,line3:g0h0i0,-", f"0,0,{BARE}", hands=("5s", "-"))
    position.play("lay 5s line3 i0 i1 i2", 0)
    assert position.state["powered"].tolist()[0] == position.state["wired"].tolist()[0]


def test_same_cable_twice() -> None:
    """§8: not the same shape on the same squares; another shape may join the same two dots."""
    variant = odd_town(first_player="0")
    sheets = ("0,2,short:a1a2,-", f"0,0,{BARE}")
    position = at("cable", *sheets, variant=variant, hands=("5s", "-"))
    refusal = position.why("lay 5s short a1 a2", 0)
    assert refusal is not None and refusal.reason == "SAME_CABLE"
    assert "lay 5s short a1 a2" not in position.legal_moves(0)
    position.play("lay 5s short-dash a1 a2", 0)


# --- decorations ----------------------------------------------------------------------------------------------


PAYMENTS = [  # §2, §6: a cost, and whether these cards pay it
    ("star", "5c+ah", True), ("star", "5c+9c", True), ("star", "5c+5s", False), ("star", "joker+joker", True),
    ("angel", "5c+5s", True), ("angel", "5c+6c", False), ("angel", "as+ah", True), ("angel", "5c+joker", True),
    ("banner", "kd+as", True), ("banner", "2c+kd", False), ("banner", "2c+3h", True), ("banner", "qs+kd", True),
    ("banner", "10s+js", True), ("banner", "9s+js", False), ("banner", "ac+ad", True),
    ("sleigh", "js+2d", True), ("sleigh", "js+qh", True), ("sleigh", "2c+3h", False), ("sleigh", "2c+as", True),
    ("lantern", "2c", True), ("lantern", "2h", False), ("lantern", "ah", True),
    ("bauble", "2h", True), ("bauble", "2c", False), ("reindeer", "as", True), ("wreath", "2c", True),
]  # fmt: skip
SQUARES = {"bauble": "g1", "banner": "e0", "sleigh": "e2", "reindeer": "e2"}


@pytest.mark.parametrize(("decoration", "cards", "pays"), PAYMENTS)
def test_payments(decoration: str, cards: str, pays: bool) -> None:
    """§2, §6: the relations are checked on the cards that are not wild; an ace is never a number."""
    hand = ".".join(cards.split("+"))
    position = at("decorate", "1,0,line4:f0g0h0i0,-", f"0,0,{BARE}", hands=(hand, "-"))
    move = f"hang {decoration} {cards} {SQUARES.get(decoration, 'f0')}"
    refusal = position.why(move, 0)
    assert (refusal is None) == pays
    assert (position.format_move(0, position.parse_move(0, move)) in position.legal_moves(0)) == pays
    if refusal is not None:
        assert refusal.reason == "WRONG_PAYMENT"


def test_every_payment_is_a_move() -> None:
    """§2: each set of cards that pays; the two jokers are the same card."""
    position = at("decorate", f"1,0,{BARE}", f"0,0,{BARE}", hands=("2s.2h.3h.as.joker.joker", "-"))
    moves = position.legal_moves(0)
    banners = {move.split()[2] for move in moves if move.startswith("hang banner") and move.endswith(" e0")}
    assert banners == {
        "2s+3h", "2s+as", "2s+joker", "as+2h", "as+3h", "as+joker", "2h+3h", "2h+joker", "3h+joker", "joker+joker",
    }  # fmt: skip
    wreaths = [move.split()[2] for move in moves if move.startswith("hang wreath") and move.endswith(" a0")]
    assert wreaths == ["2s", "as", "2h", "3h", "joker"]


def test_money_is_needed() -> None:
    """§2: 1 Money for each; a seat with nothing to do is still asked to stop."""
    position = at("decorate", f"1,0,{BARE}", f"0,0,{BARE}", hands=("2s.2h", "-"))
    assert position.legal_moves(1) == ["stop"]
    position.play("hang wreath 2s a0", 0)
    assert position.waiting == (0, 1) and position.legal_moves(0) == ["stop"]
    refusal = position.why("hang wreath 2h a1", 0)
    assert refusal is not None and refusal.reason == "NO_MONEY"
    unread = position.why("hang wreath ks a1", 0)
    assert unread is not None and unread.reason == "NOT_HELD"


# --- scoring --------------------------------------------------------------------------------------------------


def test_unpowered_cable_scores() -> None:
    """§15, §S5: without power light cable scores too, unless the variant says no; the tie-break counts it all."""
    sheets = ("0,0,corner3:b8a8a7+line3:g0h0i0,-", f"0,0,{BARE}")
    for option, points in (("true", 30), ("false", 15)):
        variant = load(f"seats=2&first_player=0&unpowered_cable_scores={option}")
        position = at("choose", *sheets, variant=variant, hands=("-", "-"))
        assert position.score(0)["cable"] == points
        assert GAME.rules.standing(variant.box, position.state, 0, points) % 128 == 6


def test_tree_mode() -> None:
    """§14: labelled trees multiply by their value, the best one counts; counted ones by their number, at most 3."""
    sheets = ("0,0,-,wreath:a6b7b1d3a0", f"0,0,{BARE}")
    near = {"a6": (3, 2), "b7": (3, 2), "b1": (2, 2), "d3": (2, 3), "a0": (1, 1)}
    for i, mode in enumerate(("labelled", "count")):
        variant = load(f"seats=2&first_player=0&tree_mode={mode}")
        position = at("choose", *sheets, variant=variant, hands=("-", "-"))
        assert position.score(0)["decorations"] == 5 * sum(factors[i] for factors in near.values())
    team = ("0,0,-,sleigh:e1+reindeer:e2e3", f"0,0,{BARE}")
    assert at("choose", *team, hands=("-", "-")).score(0)["patterns"] == 40, "the tree is near one of the three only"


def test_tree_mode_for_patterns() -> None:
    """§14: a pattern counts the trees that are near all three of its squares."""
    sheets = ("0,0,line4:f0g0h0i0+line4:f0f1f2f3,lantern:f0f1f2", f"0,0,{BARE}")
    for mode, points in (("labelled", 40), ("count", 40)):
        variant = load(f"seats=2&first_player=0&tree_mode={mode}")
        assert at("choose", *sheets, variant=variant, hands=("-", "-")).score(0)["patterns"] == points
    great = ("0,0,line3:a5a6a7+dash3:a5a4a3,lantern:a5a6a7", f"0,0,{BARE}")
    assert at("choose", *great, hands=("-", "-")).score(0) == {"decorations": 0, "patterns": 0, "cable": 15}


def lit_row(letters: str) -> Position:
    """Row f with powered light cable, and decorations on it by their letters, `.` for none."""
    names = {"S": "star", "A": "angel", "L": "lantern", "W": "wreath"}
    hung: dict[str, str] = {}
    for col, letter in enumerate(letters):
        if letter != ".":
            hung[names[letter]] = hung.get(names[letter], "") + f"f{col}"
    text = "+".join(f"{name}:{squares}" for name, squares in hung.items())
    cables = "line4:f0g0h0i0+line4:f0f1f2f3+arch3:f3f4f5+line4:f5f6f7f8"
    return at("choose", f"0,0,{cables},{text}", f"0,0,{BARE}", hands=("-", "-"))


@pytest.mark.parametrize(("letters", "points"), [
    ("LLL", 40), (".LLL", 20), ("...LLL", 40), ("LLLLL", 40), (".LLLLLL", 40), ("..LLLLLL", 40), ("LLLLLLLLL", 100),
    ("LLWLL", 0), ("SAS", 70), ("SSAS", 35), ("SASAS", 70), (".SASAS", 70), ("SASSAS", 140), ("SSASAS", 70),
    ("SSSSS", 60), (".SSSSS", 60), ("SSSSSS", 120), ("..SASSS", 35), ("SASWLLL", 90), ("SSSLLL", 100),
])  # fmt: skip
def test_best_patterns(letters: str, points: int) -> None:
    """§13, §S4: no decoration twice, and the best set; f0 to f2 and f3 to f5 lie beside a small tree, others do not."""
    assert lit_row(letters).score(0)["patterns"] == points


def best_by_trying(values: dict[frozenset[int], int]) -> int:
    """The best disjoint set of patterns by trying all of them."""
    if not values:
        return 0
    first = next(iter(values))
    rest = {squares: value for squares, value in values.items() if squares != first}
    free = {squares: value for squares, value in rest.items() if not squares & first}
    return max(values[first] + best_by_trying(free), best_by_trying(rest))


@pytest.mark.parametrize("seed", range(4 if PURE else 25))
def test_best_patterns_are_exact(seed: int) -> None:
    """§S4: against trying every set, on sheets full of stars, angels and lanterns."""
    rng = random.Random(seed)
    variant = load("seats=2&first_player=0")
    position = at("choose", f"0,0,{BARE}", f"0,0,{BARE}", hands=("-", "-"))
    state, cols = position.state, 9
    kinds = [GAME.components.names(variant.file, "decorations").index(name) for name in ("star", "angel", "lantern")]
    weights = rng.choice([(8, 2, 1), (1, 0, 6), (3, 2, 3)])
    corner = rng.randrange(0, 5) * cols + rng.randrange(0, 4)
    squares = [corner + row * cols + col for row in range(4) for col in range(5)]
    for word in range(2):
        state["powered"][0, word] = -1 & (2**62 - 1)
    for square in rng.sample(squares, 16):
        GAME.rules.hang(state, 0, rng.choices(kinds, weights)[0], square)
    values: dict[frozenset[int], int] = {}
    for square in squares:
        for line in range(int(variant.box["first_line"][int(variant.box["figures"][numbers.DECORATIONS])])):
            if not has_room(variant.box, line, square):
                continue
            spots = [square + offset for offset in variant.box["lines"][line, OFFSETS : OFFSETS + 3].tolist()]
            found = [int(state["decorations"][0, spot]) - 1 for spot in spots]
            if found == variant.box["lines"][line, KINDS : KINDS + 3].tolist():
                trees = -1
                for spot in spots:
                    trees &= int(variant.box["near_trees"][spot])
                value = int(variant.box["lines"][line, EXTRA]) * int(tree_factor(variant.box, trees))
                values[frozenset(spots)] = max(value, values.get(frozenset(spots), 0))
    assert GAME.rules.score_patterns(variant.box, state, 0) == best_by_trying(values)


def test_ties() -> None:
    """§11, §N: the crowd, then light decorations that shine, then light cable; then the victory is shared."""
    lantern = "0,0,line3:g0h0i0,lantern:i0"  # 15 + 10
    wreaths = "0,0,line3:g0h0i0,wreath:a0a1"  # 15 + 5 + 5
    cable = "0,0,line3:g0h0i0+line3:a0a1a2,-"  # 30
    wreath = "0,0,line3:g0h0i0,wreath:a0a1a2"  # 15 + 15
    for sheets, winners in (((wreaths, lantern), [1]), ((wreath, cable), [1]), ((cable, cable), [0, 1])):
        position = at("over", *sheets, turn=24, hands=("-", "-"))
        assert position.totals[0] == position.totals[1] and position.is_over
        assert position.winners() == winners


def test_facts() -> None:
    """§12, §S2: light decorations that shine, cables, and decorations that are struck."""
    sheet = "0,0,line3:g0h0i0+corner3:b8a8a7,lantern:a8h0+star:i0+wreath:a0"
    assert at("choose", sheet, f"0,0,{BARE}", hands=("-", "-")).facts(0) == {"powered": 2, "cables": 2, "struck": 1}


# --- hidden hands ---------------------------------------------------------------------------------------------


def dealt_match(variant: Variant, cards: list[str]) -> Match:
    """A match of two seats with these cards, dealt and drawn in turns from seat 0 on."""
    match = variant.match(typed=True)
    for card in cards:
        match.roll(card)
    return match


@pytest.mark.parametrize("open_hands", [False, True])
def test_hidden_hands(open_hands: bool) -> None:
    """§D: two matches that differ only in cards a seat cannot see look the same to it, byte by byte."""
    variant = load(f"seats=2&first_player=0&hand_start=3&open_hands={str(open_hands).lower()}")
    mine = ["2s", "9d", "joker", "kh"]
    views = []
    for theirs in (["3c", "4c", "5c", "ah"], ["7h", "2d", "5c", "joker"]):
        match = dealt_match(variant, [card for pair in zip(mine, theirs, strict=True) for card in pair])
        match.play("funds", 0)
        match.play("raise 5c 0+2", 1)
        views.append(match.view(0))
        assert match.view(1).position.state["hands"][1] == match.position.state["hands"][1]
        assert match.view(None).position.text.count(",?") == (0 if open_hands else 2)
    one, two = views
    same = [one.position.key == two.position.key, one.position.text == two.position.text, one.log == two.log]
    assert same == [not open_hands] * 3
    assert one.legal_moves == two.legal_moves
    if not open_hands:
        assert one.position.text.split(";")[-1] == "2,4,?3,-,-"
        assert lamplighter.position(one.position.text) == one.position
        assert [entry.text for entry in one.log[:4]] == ["2s", "?", "9d", "?"]
        assert sum(entry.value == -1 for entry in one.log) == 5
        assert str(one.position.draw(1)) == str(two.position.draw(1))


def test_an_evaluation_sees_only_its_own_hand() -> None:
    """§D: bots judge by what their seat may know."""
    variant = load("seats=3")
    lines = np.zeros(48, np.int64)
    for seed in range(1 if PURE else 6):
        match = variant.match(seed=seed)
        rng = random.Random(seed)
        while not match.is_over and len(match.log) < 120:
            match.roll()
            seat = rng.choice(match.waiting or (0,))
            if match.waiting:
                match.act(seat, rng.choice(match.position.legal_actions(seat)))
            before = match.position.key
            seen = match.position.seen_by(seat)
            values = [int(GAME.evaluate(variant.box, p.state, seat, lines)) for p in (match.position, seen)]
            assert values[0] == values[1]
            assert match.position.key == before, "an evaluation leaves the position alone"


# --- texts ----------------------------------------------------------------------------------------------------


BAD_POSITIONS = [
    ("nonsense", "it must have turn, first, phase, discards and 2 sheets"),
    ("99;0;draw;-;2,2,-,-,-;2,2,-,-,-", "'99' is not a turn"),
    ("0;7;draw;-;2,2,-,-,-;2,2,-,-,-", "'7' is not a seat"),
    ("0;0;sleep;-;2,2,-,-,-;2,2,-,-,-", "'sleep' is not a phase"),
    ("0;0;draw!9;-;2,2,-,-,-;2,2,-,-,-", "'draw!9' is not a phase"),
    ("0;0;draw!1;-;2,2,-,-,-;2,2,-,-,-", "cannot be done now"),
    ("0;0;draw;2x;2,2,-,-,-;2,2,-,-,-", "there is no card '2x'"),
    ("0;0;draw;-;2,2,2s.2s,-,-;2,2,-,-,-", "the card 2s stands too often"),
    ("0;0;draw;-;2,2,2s,-,-;2,2,2s,-,-", "the card 2s stands too often"),
    ("0;0;draw;joker;2,2,joker.joker,-,-;2,2,-,-,-", "the card joker stands too often"),
    ("0;-;draw;-;2,2,2s,-,-;2,2,-,-,-", "nobody knows who begins"),
    ("0;0;draw;-;11,2,-,-,-;2,2,-,-,-", "cannot have '11' money"),
    ("0;0;draw;-;2,2,-,-;2,2,-,-,-", "must have money, cable, hand, strands and decorations"),
    ("0;0;draw;-;2,2,?10,-,-;2,2,-,-,-", "cannot hold 10 cards"),
    ("1;0;choose;2s;2,2,?6,line3:a0a1a2,-;2,2,?7,line9:a0a1a2,-", "there is no shape 'line9'"),
    ("1;0;choose;2s;2,2,?6,line3:a0a1,-;2,2,?7,-,-", "do not make a line3"),
    ("1;0;choose;2s;2,2,?6,line3:a0a1zz,-;2,2,?7,-,-", "are not squares written"),
    ("1;0;choose;2s;2,2,?6,line3:a3a4a5,-;2,2,?7,-,-", "cannot have the strand 'line3:a3a4a5': WRONG_GROUND"),
    ("1;0;choose;2s.3s;2,2,?6,line3:a0a1a2+line3:a1a2a3,-;2,2,?6,-,-", "NO_DOT"),
    ("1;0;choose;2s;2,2,?6,-,lamp:a0;2,2,?7,-,-", "there is no decoration 'lamp'"),
    ("1;0;choose;2s;2,2,?6,-,lantern:a0;2,2,?7,-,-", "cannot have a lantern on a0: NEEDS_LIGHT_CABLE"),
    ("1;0;choose;2s;2,2,?6,-,wreath:c6;2,2,?7,-,-", "cannot have a wreath on c6: ON_CHURCH"),
    ("1;0;choose;2s;2,2,?6,-,wreath:a0+wreath:a0;2,2,?7,-,-", "SQUARE_TAKEN"),
    ("1;0;choose;2s;2,2,?6,-,wreath:a0+banner:e0;2,2,?7,-,-", "costs 3 cards, and only 1 are discarded"),
    ("1;0;choose;-;2,2,?6,-,-;2,2,?6,-,-", "12 cards are dealt, which cannot be in turn 1"),
    ("0;0;choose;-;2,2,?6,-,-;2,2,?6,-,-", "12 cards are dealt, which cannot be in turn 0"),
    ("1;0;funds!01;-;2,2,?7,-,-;2,2,?7,-,-", "cannot be done now, or the turn would go on"),
    ("1;0;limit;-;2,2,?7,-,-;2,2,?7,-,-", "nobody holds too many cards"),
    ("1;0;over;-;2,2,?7,-,-;2,2,?7,-,-", "the match has 23 turns"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "reason"), BAD_POSITIONS)
def test_bad_positions(text: str, reason: str) -> None:
    with pytest.raises(BadNotation) as error:
        parse_position(load("seats=2"), text)
    assert reason in str(error.value)


BAD_MOVES = [
    ("fund", "write funds, decorate or cable"),
    ("raise 5c 1", "'1' is not a split"),
    ("raise 5c 1+9", "at most 5 each"),
    ("raise 11c 1+1", "there is no card '11c'"),
    ("lay 5c corner h8 i8 i7", "there is no shape 'corner': did you mean 'corner"),
    ("lay 5c corner3 h8 i8 i6", "the squares h8 i8 i6 do not make a corner3"),
    ("lay 5c corner3 h8 i8 i9", "there is no square 'i9'"),
    ("hang lamp 5c a0", "there is no decoration 'lamp'"),
    ("hang star 5c a0", "the star costs 2 cards, not 1"),
    ("hang wreath 5c+6c a0", "the wreath costs 1 card, not 2"),
    ("discard", "'discard 5c'"),
]


@pytest.mark.parametrize(("move", "reason"), BAD_MOVES)
def test_bad_moves(move: str, reason: str) -> None:
    position = at("choose", f"1,1,{BARE}", f"1,1,{BARE}", hands=("5c", "-"))
    with pytest.raises(BadNotation) as error:
        position.parse_move(0, move)
    assert reason in str(error.value)


@pytest.mark.parametrize(("phase", "move", "reason"), [
    ("funds", "stop", "NOT_NOW"), ("decorate", "pass", "NOT_NOW"), ("cable", "funds", "NOT_NOW"),
    ("funds", "raise ks 2+2", "NOT_HELD"), ("cable", "lay 5c line3 a0 a1 a2", "WRONG_CARD"),
    ("cable", "lay ks line4 a0 a1 a2 a3", "NOT_HELD"), ("decorate", "hang angel 5c+5s a0", "NOT_HELD"),
    ("decorate", "hang angel 5c+5c a0", "NOT_HELD"), ("decorate", "hang angel ks+kd a0", "NOT_HELD"),
    ("decorate", "hang star 5c+6c a0", "NEEDS_LIGHT_CABLE"), ("decorate", "hang star 5c+6c g1", "NEEDS_LIGHT_CABLE"),
    ("decorate", "hang wreath 5c c6", "ON_CHURCH"), ("decorate", "hang banner 5c+6c e1", "WRONG_PLACE"),
])  # fmt: skip
def test_refusals(phase: str, move: str, reason: str) -> None:
    """§C, §2–§5, §7: a move that can be read is refused with its reason, and the text of the refusal can be read."""
    position = at(phase, f"1,1,{BARE}", f"1,1,{BARE}", hands=("5c.6c", "-"))
    with pytest.raises(IllegalMove) as error:
        position.play(move, 0)
    assert error.value.reason == reason
    assert f"{error.value.rule} {error.value.sentence}" in str(error.value)


def test_reading_is_generous() -> None:
    """§7: a cable may be written from either end, cards in either order; a card not held is written back as '?'."""
    position = at("cable", f"1,1,{BARE}", f"1,1,{BARE}", hands=("5c.6c", "-"))
    assert position.parse_move(0, "lay 5c corner3 i7 i8 h8") == position.parse_move(0, "lay 5c corner3 h8 i8 i7")
    assert position.format_move(0, position.parse_move(0, "lay 5c corner3 i7 i8 h8")) == "lay 5c corner3 h8 i8 i7"
    decorate = at("decorate", f"1,1,{BARE}", f"1,1,{BARE}", hands=("5c.6c", "-"))
    assert decorate.format_move(0, decorate.parse_move(0, "hang banner 6c+5c e0")) == "hang banner 5c+6c e0"
    assert decorate.format_move(0, decorate.parse_move(0, "hang banner 6c+7c e0")) == "hang banner 6c+? e0"
    assert decorate.format_move(0, decorate.parse_move(0, "discard ks")) == "discard ?"


def test_fields() -> None:
    """What other programs are told of a move and of an outcome."""
    notation, variant = GAME.notation, load("seats=2&first_player=0")
    position = at("cable", f"1,1,{BARE}", f"1,1,{BARE}", hands=("5c.6c", "-"))

    def fields(position: Position, move: str) -> dict[str, object]:
        found = notation.move_fields(variant, position.state, 0, position.parse_move(0, move))
        assert isinstance(found, dict)
        return found

    assert fields(position, "funds") == {"kind": "choose", "choice": "funds"}
    assert fields(position, "pass") == {"kind": "pass"}
    assert fields(position, "raise none 0+1") == {"kind": "raise", "card": None, "money": 0, "cable": 1}
    assert fields(position, "lay 5c corner3 h8 i8 i7") == {
        "kind": "lay", "card": "5c", "shape": "corner3", "cells": ["h8", "i8", "i7"],
        "rows": [7, 8, 8], "columns": [8, 8, 7], "light": True,
    }  # fmt: skip
    assert fields(position, "hang banner 5c+6c e0") == {
        "kind": "hang", "decoration": "banner", "cards": ["5c", "6c"], "cell": "e0", "row": 4, "column": 0,
        "tree_factor": 1,
    }  # fmt: skip
    assert fields(position, "discard 6c") == {"kind": "discard", "card": "6c"}
    start = variant.start()
    ace, joker = (notation.outcome_fields(variant, start.state, number) for number in (12, 52))
    assert ace == {"kind": "card", "seat": 0, "card": "as", "suit": "s", "rank": "a"}
    assert joker == {"kind": "card", "seat": 0, "card": "joker", "suit": None, "rank": None}
    lot = notation.outcome_fields(load(), load().start().state, 1)
    assert lot == {"kind": "first player", "first_player": 1}


def test_left_to_draw() -> None:
    """§10 A seat knows which cards it has not seen: neither used nor in its own hand."""
    match = load().match(seed=4)
    match.roll()
    hand = int(match.position.state["hands"][0])
    left = GAME.notation.left_to_draw(match.variant, match.position.state, 0)
    assert hand and sum(left.values()) == DECK - hand.bit_count()


def test_the_sheet_shows_what_a_player_needs() -> None:
    """The hand, both tracks, the cable with its dots, dashed cable, struck decorations and trees."""
    sheet = "3,1,line4:f0g0h0i0+dash3:f0f1f2+corner3:b8a8a7,lantern:a8+star:g0+wreath:a0"
    position = at("choose", sheet, f"0,0,{BARE}", hands=("10h.as.joker", "-"))
    text = str(position.draw(0))
    for part in ("A♠ 10♥ ★", "■■■□□□□□□□ 3", "●╍╍╍╍╍╍╍●", "L 10 black", "turn 20 of 23", "2 face down", "†", "▲", "³"):
        assert part in text, part
    roles = {(text, role) for line in position.draw(0).lines for text, role in line}
    assert {("L", "error"), ("S", "lamp"), ("W", "green"), ("●", "ink"), ("●", "lamp")} <= roles
    assert "no cards" in str(position.draw(1))
    assert "the deal" in str(load().start()) and "the end" in str(finish(load().match(seed=1)).position)
    assert "3 cards" in str(position.seen_by(1).draw(0))


# --- figures of play ------------------------------------------------------------------------------------------


@pytest.mark.skipif(PURE or BOUNDS_CHECKED, reason="thousands of matches")
@pytest.mark.parametrize(("seats", "uniform", "greedy"), [(2, 154, 440), (3, 103, 295), (4, 81, 230)])
def test_figures_of_play(seats: int, uniform: int, greedy: int) -> None:
    """§11: mean crowds of uniform and greedy players, as the rules were tuned."""
    variant = load(f"seats={seats}")
    means = {}
    for name, matches in (("uniform", 2000), ("greedy", 80)):
        result = simulate(variant, bots.seat_bots(name, seats), matches, "figures")
        means[name] = float(np.concatenate(result.totals).mean())
    assert means["uniform"] == pytest.approx(uniform, rel=0.06)
    assert means["greedy"] >= greedy
