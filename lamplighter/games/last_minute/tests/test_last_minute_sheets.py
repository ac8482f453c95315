"""Last Minute Christmas: sheets of other makes, what is odd about one, positions that no match reaches, pictures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_against_reference import load_reference, walk_together
from walks import random_match, random_positions

import lamplighter
from lamplighter import games, svg
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.position import Position, parse_position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, BadNotation
from lamplighter.jit import BOUNDS_CHECKED, PURE, count_bits
from lamplighter.paper import Style, page_count, print_game

GAME = games.load("last_minute")
LARGE = (Path(__file__).parent / "boxes" / "large_tree.toml").read_text(encoding="utf-8")
EMPTY = "x1/x3/x5/x3/x5/x7,000000,000000,0,0,-"


def with_box(text: str, **options: str | int) -> Variant:
    return Variant(GAME, options, ComponentFile(text, "large_tree.toml"))


# --- another sheet --------------------------------------------------------------------------------------------


def test_the_large_sheet_differs_in_everything() -> None:
    """§2, §12, §14, R2: every number of the usual sheet has another value here."""
    large, usual = with_box(LARGE).file.data, Variant(GAME).file.data
    assert all(large[key] != usual[key] for key in usual)
    box = with_box(LARGE).box
    assert int(box["squares"]) == 64
    assert count_bits(int(box["tree"])) == 64
    assert count_bits(int(box["icons"])) == 9
    assert sorted(int(length) for length in box["track_length"]) == [2, 3, 6, 8, 9, 15]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_whole_matches_against_the_reference(seats: int) -> None:
    """The last of 64 squares is a square like any other, and so is the thirtieth turn."""
    if seats == 5 and (PURE or BOUNDS_CHECKED):
        pytest.skip("150 moves, each compared with the reference, need compiled kernels")
    for option in ({"connect": 4}, {"wrap": True, "cross_uses": "drawn"}):
        walk_together(with_box(LARGE, seats=seats, **option), load_reference(GAME), seats)


def test_the_last_square_is_drawn_in() -> None:
    """§10, §11 The square that is the sign of a set: it can be drawn in, connects, scores and covers its icon."""
    position = with_box(LARGE, seats=2, first_player="0").start()
    for face in "346":
        position.roll(face)
    assert "3 comet h14" in position.legal_moves(0)
    position.play("3 comet h14", 0)
    position.play("4 ribbon h13", 1)
    assert position.facts(0)["covered"] == 1 and position.score(0)["powers"] == 1
    for face in "346":
        position.roll(face)
    position.play("3 comet h14", 1)
    assert {move.split()[2] for move in position.legal_moves(0)} == {"g13", "h13"}
    assert position.score(1)["turns"] == 3
    again = parse_position(position.variant, position.text.partition(";")[2])
    assert again.key == position.key
    assert "h14" in GAME.module("explain").score_cells(position.variant, position.state, 0)["icons"]


@pytest.mark.parametrize("place", ["right", "left", "below"])
def test_other_sheets_are_drawn_and_printed(place: str) -> None:
    """Nothing lies outside the sheet or on the tree, wherever the boxes are; the text keeps to 80 characters."""
    variant = with_box(LARGE.replace('"left"', f'"{place}"'))
    blank = GAME.picture.draw(variant, None, 0)
    plan = GAME.module("picture.plan").make_plan(variant)
    assert len(plan.powers) == 12 and len(plan.turns) == 24
    for x, y, width, height in [*plan.powers, *plan.turns, *blank.cells.values()]:
        assert x >= 0 and x + width <= blank.width and y >= 0 and y + height <= blank.height
    for x, y, width, height in blank.cells.values():
        for left, top, wide, high in [*plan.powers, *plan.turns]:
            assert x + width <= left or left + wide <= x or y + height <= top or top + high <= y
    assert page_count(print_game(variant, Style(), 1, rules=True)) > 1
    for position in random_positions(variant, 3, 4):
        assert max(map(len, str(position.draw(0)).splitlines())) <= 80
        assert len(position.svg(0, targets=True)) < 150_000


def test_power_boxes_are_to_the_right_of_the_tree() -> None:
    """§12, as the source says."""
    variant = Variant(GAME)
    plan, cells = GAME.module("picture.plan").make_plan(variant), GAME.picture.draw(variant, None, 0).cells
    assert min(x for x, _, _, _ in plan.powers) >= max(x + width for x, _, width, _ in cells.values())


LIMITS = [
    ('"+######+######+",\n', '"+######+######+",\n    "#..............",\n', 11, "more than 64 squares"),
    ('".......+.......",', '".......+..........",', 3, "as long as the others, at most 16"),
    ("79, 92, 106],", "79, 92, 106, 107],", 14, "must be a list of 1 to 15 entries"),
    ('at = "left"', 'at = "top"', 22, "power_boxes_at cannot be 'top'"),
    ("5 = 30", "5 = 33", 24, "turns.5 must be a whole number from 1 to 32"),
    ("5 = 30", "6 = 30", 24, "unknown key '6'"),
    ('"Comet"', '"Comet of Bethlehem"', 12, "more than 16 letters"),
]


@pytest.mark.parametrize(("old", "new", "line", "reason"), LIMITS)
def test_what_has_no_room_is_refused_with_its_line(old: str, new: str, line: int, reason: str) -> None:
    assert old in LARGE
    with pytest.raises(BadBox, match=re.escape(reason)) as caught:
        with_box(LARGE.replace(old, new))
    assert caught.value.line == line


# --- what is odd ----------------------------------------------------------------------------------------------


def odd(text: str) -> list[tuple[str, int]]:
    file = ComponentFile(text)
    Variant(GAME, {}, file)
    return [(words, file.line_of(*path)) for words, path in GAME.components.oddities(file)]


def test_nothing_is_odd_about_the_usual_sheet() -> None:
    assert odd(GAME.box_text) == []


ODD = [
    ("4 = 16", "4 = 18", "4 players have 18 turns, so they are not active equally often (§2)", 45),
    ("power_boxes = 6", "power_boxes = 4", "6 icons, but 4 power boxes: the last 2 give no power (R4)", 36),
    ("power_boxes = 6", "power_boxes = 7", "7 power boxes, but 6 icons: 1 can never be circled (§12)", 36),
    (
        "[1, 3, 6, 10, 15, 21],  # bell",
        "[4],",
        "the track of the bell has one value: the first cross closes it (§5)",
        31,
    ),
    (
        '"..###..",\n    ".+',
        '".......",\n    ".+',
        "the tree is in 2 parts: the next is begun when one is full (R10)",
        11,
    ),
]


@pytest.mark.parametrize(("old", "new", "words", "line"), ODD)
def test_what_is_odd_is_said_with_its_line(old: str, new: str, words: str, line: int) -> None:
    assert old in GAME.box_text
    assert odd(GAME.box_text.replace(old, new)) == [(words, line)]


def test_odd_tracks_and_bonus() -> None:
    few = re.sub(r"(\d) = 1\d", r"\1 = 5", GAME.box_text)
    words = [sentence for sentence, _ in odd(few)]
    assert sum("of the star has 6 values, but a match has at most 5 turns: the last 1" in one for one in words) == 1
    assert "nobody can cover 6 icons in 5 turns, so the bonus is never scored (§14)" in words
    short = re.sub(r"\[1, 3, 6, 10, 15, 21\]", "[1, 3]", GAME.box_text)
    assert [sentence for sentence, _ in odd(short)] == [
        "the tracks have 12 values for 16 ornaments: the last are drawn without a circle (R8)"
    ]


# --- positions that no match reaches --------------------------------------------------------------------------

BAUBLE = "1/x3/x5/x3/x5/x7,100000,000000,1,0,1"
CROSSED = "1/x3/x5/x3/x5/x7,100000,000010,1,0,1"
UNREACHABLE = [
    (f"0;-;3;{EMPTY};{EMPTY}", "in turn 0 there are no dice"),
    (f"2;0;-;{BAUBLE};{BAUBLE}", "seat 1 has 0 crosses after 1 turns of others"),
    (f"2;0;-;{CROSSED};{CROSSED}", "seat 0 has 1 crosses after 0 turns of others"),
    (f"1;0;46!3;{BAUBLE};{CROSSED}", "everybody has drawn, so this is turn 2"),
    (f"2;0;-;{BAUBLE.replace('100000', '000000', 1)};{CROSSED}", "lacks 1 circles"),
    (f"2;0;-;{BAUBLE.replace('1,0,1', '1,1,1')};{CROSSED}", "cannot have 1 rescues"),
    (f"2;0;-;{BAUBLE[:-1]}2;{CROSSED}", "its tree is worth 1"),
    (
        "3;0;-;1/x3/1x4/x3/x5/x7,200000,000001,0,0,11;1/2x2/x5/x3/x5/x7,110000,000010,1,0,12",
        "seat 0 has ornaments that do not connect",
    ),
    (
        "3;0;-;1/2x2/x5/x3/x5/x7,110000,000001,0,0,21;1/2x2/x5/x3/x5/x7,110000,000010,1,0,12",
        "cannot have these turn points",
    ),
]


@pytest.mark.parametrize(("text", "reason"), UNREACHABLE)
def test_unreachable_positions_are_refused(text: str, reason: str) -> None:
    with pytest.raises(BadNotation, match=re.escape(reason)):
        parse_position(lamplighter.load("last_minute?seats=2"), text)


def test_a_variant_says_who_begins() -> None:
    variant = lamplighter.load("last_minute?seats=2&first_player=1")
    with pytest.raises(BadNotation, match="seat 1 begins in this variant"):
        parse_position(variant, f"1;0;-;{EMPTY};{EMPTY}")


def test_there_are_no_dice_after_the_last_turn() -> None:
    over = random_match(lamplighter.load("last_minute?seats=2"), 4).position
    parts = over.text.split(";")
    assert parts[1] == "17"
    with pytest.raises(BadNotation, match="in turn 17 there are no dice"):
        parse_position(over.variant, ";".join([*parts[1:3], "346", *parts[4:]]))


def test_what_play_reaches_is_read() -> None:
    """Every position of matches, with full tracks and a tree in parts too, is read as it is."""
    small = (Path(__file__).parent / "boxes" / "small_and_uneven.toml").read_text(encoding="utf-8")
    for variant in (with_box(small, seats=3), with_box(LARGE, connect=4), Variant(GAME, {"seats": 5})):
        for position in random_positions(variant, 11, 12):
            again: Position = parse_position(variant, position.text.partition(";")[2])
            assert again.key == position.key


# --- figures and the final count ------------------------------------------------------------------------------


def words_in(picture: svg.Picture) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)<", "".join(map(str, picture.body)))


def test_boxes_of_the_final_count() -> None:
    """§14 A box for each scoring line and one for the total: empty until the end, then filled in."""
    variant = lamplighter.load("last_minute?seats=2")
    for state in (None, random_match(variant, 8, 40).position.state):
        drawn = words_in(GAME.picture.draw(variant, state, 0))
        assert {"points", "turns", "±1 left", "all ±1: 5", "total"} <= set(drawn)
    over = random_match(variant, 8).position
    drawn = words_in(GAME.picture.draw(variant, over.state, 0))
    assert drawn[drawn.index("total") + 1] == str(over.total(0))
    assert drawn[drawn.index("turns") + 1] == str(over.score(0)["turns"])


def test_figures_show_what_their_words_say() -> None:
    """§1, §10, §14 Four figures for any box, and the final count of the usual one."""
    captions = [words for words, _ in GAME.picture.figures(lamplighter.load("last_minute"))]
    assert len(captions) == 5 and "1 + 3 = 4" in captions[3] and "82 points" in captions[4]
    counted = lamplighter.load("last_minute?seats=2")
    position = parse_position(counted, GAME.module("picture.booklet").COUNTED)
    assert position.total(0) == 82 and position.score(0)["turns"] == 50
    large = GAME.picture.figures(with_box(LARGE))
    assert len(large) == 4 and "comet, ribbon or candle" in large[1][0]
    for words, picture in large:
        svg.frame(picture, "figure", words)
