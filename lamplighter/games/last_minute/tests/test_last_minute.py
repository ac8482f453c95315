"""Last Minute Christmas: rulings, options, the box, and figures of play. Worked examples are files in examples/."""

from __future__ import annotations

import numpy as np
import pytest

import lamplighter
from lamplighter import bots, games
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.position import Position, parse_position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, BadNotation, BadVariant
from lamplighter.jit import BOUNDS_CHECKED, PURE
from lamplighter.lab.simulate import simulate

GAME = games.load("last_minute")
EMPTY = "x1/x3/x5/x3/x5/x7"
SIX_OTHERS = "x1/234/x1562x1/x3/x5/x7,021111,000111,0,0,122354"  # a sheet after six turns, three of them passive


def at(text: str, variant: str = "last_minute?seats=2") -> Position:
    return parse_position(lamplighter.load(variant), text)


def box_with(old: str, new: str) -> ComponentFile:
    assert old in GAME.box_text
    return ComponentFile(GAME.box_text.replace(old, new), "my.toml")


def small_box() -> Variant:
    path = GAME.folder / "tests" / "boxes" / "small_and_uneven.toml"
    return Variant(GAME, {"seats": 2, "first_player": "0"}, ComponentFile(path.read_text(encoding="utf-8"), path.name))


# --- the box --------------------------------------------------------------------------------------------------


def test_default_box() -> None:
    """§8, R1, R2: squares, icons and the ornaments of the six faces."""
    box = lamplighter.load("last_minute").box
    squares = [(int(box["row"][i]), int(box["col"][i])) for i in range(box["squares"])]
    icons = [square for i, square in enumerate(squares) if int(box["icons"]) >> i & 1]
    assert len(squares) == 24
    assert sum(int(near).bit_count() for near in box["near"]) // 2 == 63
    assert icons == [(0, 3), (2, 2), (2, 4), (4, 1), (4, 5), (5, 3)]
    assert GAME.components.ornament_names(ComponentFile(GAME.box_text)) == [
        "bauble",
        "candy-cane",
        "star",
        "bow",
        "bell",
        "light",
    ]


@pytest.mark.parametrize(("seats", "turns"), [(2, 16), (3, 15), (4, 16), (5, 15)])
def test_turns_and_active_players(seats: int, turns: int) -> None:
    """§2, §3: everybody is active equally often, in the order of the seats."""
    match = lamplighter.load(f"last_minute?seats={seats}&first_player=1").match(seed=1)
    active = []
    while not match.is_over:
        match.roll()
        active.append(match.waiting[0])
        while match.waiting:
            match.act(match.waiting[-1], match.position.legal_actions(match.waiting[-1])[0])
    assert active == [(1 + turn) % seats for turn in range(turns)]
    assert match.position.turn == turns + 1
    boxes = match.position.state["turn_points"][0]
    assert all(boxes[:turns]) and not any(boxes[turns:])


BAD_BOXES = [
    ('"...+...",', '"...+..",', 12, "row 0 of the tree must be a text as long as the others"),
    ('"..###..",', '"..#?#..",', 13, "'?' in the tree is none of"),
    ('".+###+.",\n    "###+###",\n', "", 11, "squares, but 2 players draw"),
    ('"Candy cane", ', "", 22, "must be a list of 6 entries, not 5"),
    ('"Candy cane"', '"Star"', 22, "the ornament 'star' stands twice"),
    ('"Candy cane"', '"Powers"', 22, "cannot be called 'powers'"),
    ("[1, 3, 6, 10, 15, 21],  # bow", "[1, 3, 3, 10, 15, 21],  # bow", 30, "must rise: 3 follows 3"),
    ("[1, 3, 6, 10, 15, 21],  # light", '[1, 3, "x", 10],  # light', 32, "must be a whole number"),
    ("power_boxes = 6", "power_boxes = -1", 36, "power_boxes must be a whole number from 0 to 60"),
    ("icon_bonus = 5", "icon_bonus = 5.5", 39, "icon_bonus must be a whole number"),
    ("icon_bonus = 5", "icon_bonos = 5", 39, "did you mean 'icon_bonus'?"),
    ("2 = 16", "2 = 99", 43, "must be a whole number from 1 to 32"),
    ("2 = 16\n", "", 42, "turns.2 is missing"),
    ("tree = [", "tree = [[", 22, "not TOML"),
]


@pytest.mark.parametrize(("old", "new", "line", "reason"), BAD_BOXES)
def test_bad_box_is_refused_with_line_and_reason(old: str, new: str, line: int, reason: str) -> None:
    with pytest.raises(BadBox) as caught:
        Variant(GAME, {"seats": 2}, box_with(old, new))
    assert reason in str(caught.value)
    assert str(caught.value).startswith("my.toml, line ")
    assert caught.value.line == line


def test_icon_bonus_needs_icons() -> None:
    text = GAME.box_text.replace("+", "#")
    with pytest.raises(BadBox, match="no icons to cover"):
        Variant(GAME, {}, ComponentFile(text))


def test_another_box_plays() -> None:
    variant = small_box()
    assert variant.score_lines == ("turns", "ball", "cane", "star", "bow", "bell", "light", "powers", "icons")
    assert int(variant.box["squares"]) == 20


# --- rulings and options --------------------------------------------------------------------------------------


def test_no_free_power_box() -> None:
    """R4: with two boxes the third icon gives no power, even when both are used up."""
    variant = small_box()
    position = variant.start()
    sheet = position.state
    rules = GAME.rules
    for turn, (square, powers) in enumerate([(0, 1), (3, 2), (13, 2)], 1):
        sheet["turn"] = turn
        rules.draw_ornament(variant.box, sheet, 0, 0, square)
        assert int(sheet["powers"][0]) == powers
    sheet["powers"][0] = 0
    rules.draw_ornament(variant.box, sheet, 0, 0, 14)
    assert int(sheet["powers"][0]) == 0
    assert position.score(0)["icons"] == 7


def test_connect_four_squares() -> None:
    """R5: with connect=4 diagonals do not connect, but they still score."""
    tree = EMPTY.replace("x5/x3", "1x4/x3", 1)
    position = at(f"2;0;-;{tree},100000,000000,0,0,1;{tree},100000,000010,0,0,1")
    assert position.variant.options["connect"] == 8
    for connect, cells in ((8, {"b2", "c2", "d2"}), (4, {"c2"})):
        start = at(position.text.partition(";")[2], f"last_minute?seats=2&connect={connect}")
        for face in "234":
            start.roll(face)
        assert {move.split()[2] for move in start.legal_moves(1)} == cells


def test_cross_uses_drawn() -> None:
    """R6: the other reading crosses out what was drawn, a rescue included."""
    text = f"2;1;-;1/x3/x5/x3/x5/x7,100000,000010,1,0,1;{EMPTY.replace('x7', '6x6')},000001,000000,0,0,1"
    for option, crossed in (("face", [0, 0, 1, 0, 0, 0]), ("drawn", [0, 0, 0, 1, 0, 0])):
        position = at(text, f"last_minute?seats=2&cross_uses={option}")
        for face in "334":
            position.roll(face)
        position.play("3 bow b3", 0)
        assert position.state["crossed"][1].tolist() == crossed
    rescue = f"7;0;-;x1/111/x1111x1/x3/x5/x7,600000,010110,0,0,111111;{SIX_OTHERS}"
    position = at(rescue, "last_minute?seats=2&cross_uses=drawn")
    for face in "111":
        position.roll(face)
    position.play("1 star d3", 0)
    assert position.state["crossed"][1].tolist() == [0, 0, 1, 1, 1, 1]


def test_powers_come_before_rescue() -> None:
    """R7: with one power a 1 becomes a candy cane, so there is no rescue and the power must be spent."""
    position = at(f"7;0;-;1/111/x21x2/x11x1/x5/x7,600000,010110,1,0,111111;{SIX_OTHERS}")
    for face in "111":
        position.roll(face)
    assert {move.split()[1] for move in position.legal_moves(0)} == {"candy-cane"}
    refusal = position.why("1 star c1", 0)
    assert refusal is not None and refusal.reason == "NOT_ENOUGH_POWER"
    position.play("1 candy-cane c1", 0)
    assert int(position.state["powers"][0]) == 0
    assert position.facts(0)["rescues"] == 0


def test_every_track_full() -> None:
    """R8: with no free value anywhere any ornament may be drawn, for nothing and without a circle."""
    variant = small_box()
    position = variant.start()
    position.state["circled"][0] = variant.box["track_length"]
    for face in "123":
        position.roll(face)
    assert {move.split()[1] for move in position.legal_moves(0)} == set(variant.score_lines[1:7])
    before = position.state["circled"][0].tolist()
    position.play("1 light a0", 0)
    assert position.state["circled"][0].tolist() == before
    assert position.facts(0) == {"rescues": 1, "closed": 6, "covered": 1}


def test_wrap() -> None:
    """R9: 6 becomes 1 for one power, and 1 a light."""
    text = f"2;1;-;1/x3/x5/x3/x5/x7,100000,000010,1,0,1;{EMPTY.replace('x7', '6x6')},000001,000000,0,0,1"
    for wrap, kinds in (("false", {"bell", "light"}), ("true", {"bell", "light", "bauble"})):
        position = at(text, f"last_minute?seats=2&wrap={wrap}")
        for face in "666":
            position.roll(face)
        assert {move.split()[1] for move in position.legal_moves(0)} == kinds


def test_tree_in_two_parts() -> None:
    """R10: when the left half is full, the right half is open."""
    variant = small_box()
    position = variant.start()
    left = sum(1 << i for i in range(20) if variant.box["col"][i] < 2)
    position.state["decorated"][0] = position.state["ornaments"][0, 0] = position.state["reach"][0] = left
    for face in "123":
        position.roll(face)
    assert {move.split()[2][1] for move in position.legal_moves(0)} == {"4", "5"}


def test_crossing_a_closed_track() -> None:
    """R11: a full track stays as it is."""
    position = at(f"2;1;-;1/x3/x5/x3/x5/x7,100000,000010,1,0,1;{EMPTY.replace('x7', '6x6')},000001,000000,0,0,1")
    position.state["crossed"][1, 2] = 6
    for face in "334":
        position.roll(face)
    position.play("3 star b3", 0)
    assert int(position.state["crossed"][1, 2]) == 6


def test_first_player() -> None:
    """R12: the lot is an outcome of its own, or a seat begins."""
    lot = lamplighter.load("last_minute?seats=3").start()
    assert lot.outcomes() == {"first 0": 1, "first 1": 1, "first 2": 1}
    lot.roll("first 2")
    fixed = lamplighter.load("last_minute?seats=3&first_player=2").start()
    assert fixed.key == lot.key
    with pytest.raises(BadVariant, match="seats they are 0 to 2"):
        lamplighter.load("last_minute?seats=3&first_player=3")


def test_same_seed_same_dice_whoever_begins() -> None:
    """Dice are numbered by turn, so who begins does not change them."""
    rolls = [
        lamplighter.load(f"last_minute?seats=4{more}").match(seed=5).roll()[-3:] for more in ("", "&first_player=2")
    ]
    assert rolls[0] == rolls[1]


# --- text -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"1;0;7;{EMPTY};{EMPTY}", "not a roll"),
        (f"99;0;-;{EMPTY},000000,000000,0,0,-;{EMPTY},000000,000000,0,0,-", "not a turn"),
        (f"1;5;-;{EMPTY},000000,000000,0,0,-;{EMPTY},000000,000000,0,0,-", "not a seat"),
        (f"0;0;-;{EMPTY},000000,000000,0,0,-;{EMPTY},000000,000000,0,0,-", "go together"),
        (f"1;0;-;x1/x9/x5/x3/x5/x7,000000,000000,0,0,-;{EMPTY},000000,000000,0,0,-", "must describe 3 squares"),
        (f"1;0;-;x1/x3,000000,000000,0,0,-;{EMPTY},000000,000000,0,0,-", "must have 6 rows"),
        (f"2;0;-;1/x3/x5/x3/x5/x7,000000,000000,9,0,1;{EMPTY},000000,000000,0,0,-", "cannot have '9' powers"),
        (f"1;0;-;{EMPTY},700000,000000,0,0,-;{EMPTY},000000,000000,0,0,-", "more circles"),
        (f"1;0;-;{EMPTY},000000,900000,0,0,-;{EMPTY},000000,000000,0,0,-", "more circles and crosses"),
        (f"2;0;12!3;{EMPTY},000000,000000,0,0,-;{EMPTY},000000,000000,0,0,-", "0 ornaments|has not drawn"),
        (f"1;0;-;1/x3/x5/x3/x5/x7,100000,000000,0,0,1;{EMPTY},000000,000000,0,0,-", "no die is taken"),
    ],
)
def test_bad_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadNotation, match=reason):
        at(text)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("3 star", "write the die's face"),
        ("7 star c3", "'7' is not the face of a die"),
        ("3 stra c3", "did you mean 'star'"),
        ("3 star z9", "there is no square 'z9'"),
        ("3 star a0", "lies beside the tree"),
    ],
)
def test_bad_moves_say_what_is_wrong(move: str, reason: str) -> None:
    position = lamplighter.load("last_minute?seats=2&first_player=0").start()
    with pytest.raises(BadNotation, match=reason):
        position.why(move, 0)


# --- figures --------------------------------------------------------------------------------------------------

# players: mean of uniform play (600 games: standard error below 0.2), least mean of greedy play
FIGURES = {2: (78.3, 97.6), 3: (71.3, 88.5), 4: (78.1, 94.7), 5: (71.0, 86.9)}


@pytest.mark.skipif(PURE or BOUNDS_CHECKED, reason="thousands of matches need compiled kernels")
@pytest.mark.parametrize("seats", FIGURES)
def test_figures_of_play(seats: int) -> None:
    variant = Variant(GAME, {"seats": seats})
    uniform, greedy = FIGURES[seats]
    totals = np.concatenate(simulate(variant, bots.seat_bots("uniform", seats), 5000, "1").totals)
    assert totals.mean() == pytest.approx(uniform, abs=0.6)
    totals = np.concatenate(simulate(variant, bots.seat_bots("greedy", seats), 500, "1").totals)
    assert totals.mean() > greedy


def test_who_begins_in_words() -> None:
    """A lot names a seat from 0; people count from 1. A die is its own word."""
    variant = lamplighter.load("last_minute")
    assert [GAME.texts.say(variant, text) for text in ("first 0", "5")] == ["player 1 begins", "5"]
