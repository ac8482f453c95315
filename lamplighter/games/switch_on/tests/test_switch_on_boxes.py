"""A sheet of one's own: everything that a component file of Switch-On can say, played, scored, drawn and printed."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from test_against_reference import load_reference, walk_together
from walks import random_match

from lamplighter import games, svg
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.position import Position, parse_position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, BadNotation
from lamplighter.games.switch_on import explain, picture
from lamplighter.games.switch_on.components import dots_of, names, numbers, oddities
from lamplighter.games.switch_on.components.cards import CARD_NAMES, DECK
from lamplighter.games.switch_on.notation import figure_of, format_square, placement_squares
from lamplighter.games.switch_on.picture.sheet import plan_sheet
from lamplighter.games.switch_on.picture.symbols import SIDE
from lamplighter.jit import BOUNDS_CHECKED, PURE
from lamplighter.paper import Style, print_game

GAME = games.load("switch_on")
PATH = GAME.folder / "tests" / "boxes" / "typed_in.toml"
TEXT = PATH.read_text(encoding="utf-8")


def typed_in(text: str = TEXT, **options: bool | int | str) -> Variant:
    return Variant(GAME, {"first_player": "0", **options}, ComponentFile(text, PATH.name))


def with_change(old: str, new: str, text: str = TEXT) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)


def at(variant: Variant, phase: str, sheet: str, hand: str, turn: int = 15) -> Position:
    """A position of two seats in which the first one has this sheet (money, cable, strands, decorations) and hand."""
    held = hand.split(".")
    dealt = min(2 * (figure_of(variant, numbers.HAND_START) + turn), DECK)
    deck = [*CARD_NAMES, "joker"]
    for card in held:
        deck.remove(card)
    money, cable, rest = sheet.split(",", 2)
    discards = ".".join(deck[: dealt - len(held)])
    return parse_position(variant, f"{turn};0;{phase};{discards};{money},{cable},{hand},{rest};0,0,-,-,-")


# --- play -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_matches_go_as_the_reference_says(seats: int) -> None:
    """§B1–§B6: every move, outcome and score, step by step."""
    module = load_reference(GAME)
    for seed in range(1 if PURE or BOUNDS_CHECKED else 4):
        assert walk_together(typed_in(seats=seats, first_player="random"), module, seed) > 50


def draw_randomly(rng: random.Random, variant: Variant, reference: Any) -> Position:
    """A sheet full of strands and decorations, drawn without paying, on both sides."""
    position = variant.start()
    state, known = position.state, names(variant.file, "shapes")
    for placement in rng.sample(range(figure_of(variant, numbers.FITS)), 60):
        if not GAME.rules.check_overlap(variant.box, state, 0, placement) and state["cable_count"][0] < 20:
            GAME.rules.lay(variant.box, state, 0, placement)
            squares = [format_square(variant, square) for square in placement_squares(variant, placement)]
            reference.put_cable(0, known[int(variant.box["shape_of"][placement])], " ".join(squares))
    decorations = names(variant.file, "decorations")
    few = rng.sample(range(len(decorations)), 3) + [decorations.index("candle")] * 3
    rows, cols = figure_of(variant, numbers.ROWS), figure_of(variant, numbers.COLS)
    corner = rng.randrange(rows - 3) * cols + rng.randrange(cols - 6)
    block = [corner + row * cols + col for row in range(4) for col in range(7)]
    for square in rng.sample(block, rng.randrange(10, 25)):
        kind = rng.choice(few)
        GAME.rules.hang(state, 0, kind, square)
        reference.put_decoration(0, decorations[kind], format_square(variant, square))
    return position


SEEDS = [*range(10), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(10, 40))]


@pytest.mark.parametrize("mode", ["labelled", "count"])
@pytest.mark.parametrize("seed", SEEDS[: 2 if PURE else None])
def test_full_sheets_score_as_the_reference_says(seed: int, mode: str) -> None:
    """§13, §B4, §B5: patterns of all shapes that overlap, dots anywhere, trees that reach far."""
    rng, variant = random.Random(seed), typed_in(tree_mode=mode)
    reference = load_reference(GAME).Reference(dict(variant.options), variant.file.data)
    position = draw_randomly(rng, variant, reference)
    assert position.score(0) == reference.score(0)
    assert position.facts(0) == reference.facts(0)
    chosen = explain.best_patterns(variant, position.state, 0)
    assert sum(points for points, _ in chosen) == position.score(0)["patterns"]
    squares = [square for _, taken in chosen for square in taken]
    assert len(squares) == len(set(squares))


def test_many_overlapping_patterns_are_scored_exactly() -> None:
    """§S4: 27 candles side by side can be paired and grouped in very many ways."""
    variant = typed_in(
        with_change('name = "far"', 'name = "quad"').replace('shape = ["c...c"]', 'shape = ["cc", "cc"]')
    )
    position = variant.start()
    candle = names(variant.file, "decorations").index("candle")
    wide = 4 if PURE else 9
    for row, col in itertools.product(range(3), range(wide)):
        GAME.rules.hang(position.state, 0, candle, row * 12 + 36 + col)
    chosen = explain.best_patterns(variant, position.state, 0)
    assert position.score(0)["patterns"] == sum(points for points, _ in chosen) >= (3 * wide // 2) * 6


PAYMENTS = [  # a decoration, cards, and whether they pay
    ("star", "3s+4h+5d", True), ("star", "3s+5d+as", True), ("star", "3s+6d+as", False), ("star", "3s+3h+4c", False),
    ("star", "qs+kd+ah", True), ("star", "2s+kd+ah", False), ("star", "2s+ah+joker", True), ("star", "as+ah+ac", True),
    ("comet", "2h+kd+3s+4c", True), ("comet", "kh+kd+3s+4c", True), ("comet", "2h+3d+ks+4c", False),
    ("comet", "2s+3c+ah+joker", True), ("comet", "2s+3c+4c+joker", False),
    ("garland", "5s+9c", True), ("garland", "5s+9h", False), ("garland", "10s+9c", False), ("garland", "ks+as", True),
    ("snow-man", "2c+9c+kc", True), ("snow-man", "2c+9c+kd", False), ("snow-man", "2c+ah+joker", True),
    ("bauble", "2c+3s+4c+5s", True), ("bauble", "2c+3h+4c+5s", False), ("bauble", "2c+5s+ah+ad", True),
    ("bauble", "2c+6s+ah+ad", False), ("choir", "as", True), ("choir", "joker", True), ("choir", "ks", False),
    ("bell", "7s+7h", True), ("bell", "js+jh", False), ("bell", "js+ah", False), ("bell", "7s+ah", True),
    ("bell", "7s+8h", False),
    ("candle", "5c", True), ("candle", "9h", True), ("candle", "10h", False), ("candle", "as", True),
]  # fmt: skip
SQUARES = {"star": "a0", "comet": "f1", "garland": "a0", "snow-man": "b2", "bauble": "d4", "choir": "e4"}


@pytest.mark.parametrize(("decoration", "cards", "pays"), PAYMENTS)
def test_costs(decoration: str, cards: str, pays: bool) -> None:
    """§B2: conditions on one to four cards, what they have in common, and wild cards."""
    order = sorted(cards.split("+"), key=CARD_NAMES.index)
    position = at(typed_in(), "decorate", "1,0,tee:a0a1a2b1,-", ".".join(order))
    move = f"hang {decoration} {'+'.join(order)} {SQUARES.get(decoration, 'c0')}"
    assert (move in position.legal_moves(0)) == pays
    refusal = position.why(move, 0)
    assert refusal is None if pays else refusal is not None and refusal.reason == "WRONG_PAYMENT"
    if pays:
        position.play(move, 0)
        assert position.state["hand_size"][0] == 0


def test_every_set_of_cards_is_one_move() -> None:
    """§B2: two jokers are the same card, also beside two others; cards that are not held are refused."""
    position = at(typed_in(), "decorate", "1,0,-,-", "2s.3s.as.joker.joker")
    ways = {move.split()[2] for move in position.legal_moves(0) if move.startswith("hang bauble")}
    assert ways == {
        "2s+3s+as+joker", "2s+3s+joker+joker", "2s+as+joker+joker", "3s+as+joker+joker",
    }  # fmt: skip
    assert len(position.legal_moves(0)) == len(set(position.legal_moves(0)))
    for cards in ("2s+3s+4s+5s", "2s+2s+3s+as", "9c+9c+9c+9c"):
        refusal = position.why(f"hang bauble {cards} d4", 0)
        assert refusal is not None and refusal.reason == "NOT_HELD", cards
    with pytest.raises(BadNotation, match="the bauble costs 4 cards, not 2"):
        position.parse_move(0, "hang bauble 2s+3s d4")


@pytest.mark.parametrize(("decoration", "cards", "square", "reason"), [
    ("lantern", "2s", "b1", ""), ("lantern", "2s", "a1", ""), ("lantern", "2s", "c0", "WRONG_PLACE"),
    ("star", "2s+3s+4s", "g0", "NEEDS_LIGHT_CABLE"), ("garland", "2s+3s", "a3", ""), ("garland", "2s+3s", "c2", "WRONG_PLACE"),
    ("comet", "2h+kd+as+2s", "f1", ""), ("comet", "2h+kd+as+2s", "b7", "WRONG_PLACE"), ("choir", "as", "d0", ""),
    ("choir", "as", "d1", ""), ("choir", "as", "b2", "WRONG_PLACE"),
    ("bell", "2s+2h", "d4", ""), ("bell", "2s+2h", "c9", "ON_CHURCH"),
])  # fmt: skip
def test_places(decoration: str, cards: str, square: str, reason: str) -> None:
    """§B1: shops, open ground, grounds of one's own, one kind of tree, and lists of them."""
    position = at(typed_in(), "decorate", "1,0,ring:a0a1b1b0,-", "2s.3s.4s.as.2h.kd")
    refusal = position.why(f"hang {decoration} {cards} {square}", 0)
    assert (refusal.reason if refusal else "") == reason


@pytest.mark.parametrize(("card", "move", "reason"), [
    ("5s", "tee a4 a5 a6 b5", "WRONG_GROUND"), ("5s", "tee e5 e6 e7 f6", ""), ("5s", "tee f5 f6 f7 e6", "WRONG_GROUND"),
    ("5s", "tee g5 g6 g7 f6", ""), ("5s", "tee a2 a3 a4 b3", "INSIDE_POWER"), ("2c", "tail a2 a1 a0", "WRONG_GROUND"),
    ("2c", "tail e1 e2 e3", "WRONG_GROUND"), ("2c", "tail c0 c1 c2", "WRONG_GROUND"), ("kc", "tail a5 b5 c5", ""),
    ("2c", "bridge d0 d1 d2 d3 d4", "WRONG_GROUND"), ("kh", "bridge d5 d6 d7 d8 d9", ""),
    ("kh", "beads a0 b0 b1", "WRONG_GROUND"),
    ("4h", "beads f0 g0 g1", ""), ("3d", "lamp d1", ""), ("3d", "lamp d4", "WRONG_GROUND"),
    ("9h", "ring g0 g1 f1 f0", "WRONG_GROUND"),
])  # fmt: skip
def test_strands(card: str, move: str, reason: str) -> None:
    """§B3: shapes that branch, dots in the middle, terrain square by square, cards by any condition."""
    position = at(typed_in(), "cable", "0,1,-,-", card)
    refusal = position.why(f"lay {card} {move}", 0)
    assert (refusal.reason if refusal else "") == reason
    if not reason:
        assert f"lay {card} {move}" in position.legal_moves(0)


def test_dots_in_the_middle_meet_and_conduct() -> None:
    """§B3, §8, §S1: a strand is joined at any dot, and power runs through all of it; a tip without a dot meets nothing."""
    variant = typed_in()
    sheet = "0,1,tee:a2a3a4b3,-"
    with pytest.raises(BadNotation, match="INSIDE_POWER"):
        at(variant, "cable", sheet, "kh")
    position = at(variant, "cable", "0,1,tee:f6f7f8e7,lantern:f5", "4h")
    assert position.facts(0) == {"powered": 0, "cables": 1, "struck": 1}
    refusal = position.why("lay 4h beads f7 g7 g6", 0)
    assert refusal is not None and refusal.reason == "NO_DOT"
    position.play("lay 4h beads f8 g8 g7", 0)
    powered = position.state["powered"][0].tolist()
    assert powered == position.state["wired"][0].tolist()


def test_two_ways_to_lie_on_the_same_squares() -> None:
    """§B3: a strand with a dot at one end is another strand when it is turned round, and moves say which."""
    text = with_change(
        'cells = [[0, 0, "H"], [0, 1, "H*"], [0, 2, "sM."]]', 'cells = [[0, 0, "H"], [0, 1, "H"], [0, 2, "H"]]'
    )
    position = at(typed_in(text), "cable", "0,1,-,-", "2c")
    there, back = (position.parse_move(0, f"lay 2c tail {cells}") for cells in ("g0 g1 g2", "g2 g1 g0"))
    assert there != back and {"lay 2c tail g0 g1 g2", "lay 2c tail g2 g1 g0"} <= set(position.legal_moves(0))


def test_tracks_hands_and_funds() -> None:
    """§B6: tracks that end differently, hands of another size, single cards with a value of their own."""
    variant = typed_in()
    state = variant.start().state
    assert (state["money"][0], state["cable"][0]) == (3, 1)
    position = at(variant, "funds", "9,6,-,-", "7d.as.joker")
    units = {move.split()[1]: sum(map(int, move.split()[2].split("+"))) for move in position.legal_moves(0)}
    assert units == {"none": 1, "7d": 6, "as": 1, "joker": 8}
    position.play("raise joker 4+4", 0)
    assert (position.state["money"][0], position.state["cable"][0]) == (9, 6)
    assert figure_of(variant, numbers.HAND_START) == 5 and figure_of(variant, numbers.HAND_LIMIT) == 7
    chosen = typed_in(hand_start=3, hand_limit=4, track_limit="9")
    assert [figure_of(chosen, which) for which in (numbers.HAND_START, numbers.HAND_LIMIT)] == [3, 4]
    assert [figure_of(chosen, which) for which in (numbers.MONEY_LIMIT, numbers.CABLE_LIMIT)] == [9, 9]


# --- text, picture and paper ----------------------------------------------------------------------------------


def test_it_is_drawn_and_printed() -> None:
    variant = typed_in()
    blank = svg.frame(picture.draw(variant, None, 0), "sheet", "typed in")
    for words in (
        "3 in a run,",
        "light strand",
        "open ground",
        "♣",
        "red court",
        "tent",
        "×3",
        "+90",
        "square 3:",
        "kiosk",
    ):
        assert words in blank, words
    match = random_match(variant, 3)
    played = svg.frame(picture.draw(variant, match.position.state, 0), "sheet", "played")
    assert len(played) < 80_000
    text = str(match.position.draw(0))
    for words in ("M tent", "S 30 any+any+any run", "h 8-10: ring", ".e./cBc/.e. 90"):
        assert words in text, words
    assert print_game(variant, Style(), 1).startswith(b"%PDF")


def test_every_dot_is_drawn_on_its_square() -> None:
    """§B3: the picture has the dots where the rules have them."""
    variant = typed_in()
    for placement, cable in enumerate(plan_sheet(variant, False).town.cables):
        squares = placement_squares(variant, placement)
        dots = dots_of(variant.file.get("shapes", cable.shape))
        x, y = squares[0] % 12, squares[0] // 12
        drawn = {(round(px / SIDE) + x, round(py / SIDE) + y) for px, py in cable.strand.dots}
        body = variant.box["cable_squares"][placement, 1].tolist()
        assert drawn == {(s % 12, s // 12) for s in squares if body[s // 62] >> s % 62 & 1}
        assert len(drawn) == len(dots)


# --- what is refused and what is odd --------------------------------------------------------------------------


BAD = [
    ('letter = "o"', 'letter = "M"', 'letter = "o"', "must be one letter that no other ground has"),
    ('name = "kiosk"', 'name = "street"', 'name = "kiosk"', "'street' must be a name of its own"),
    ("reach = 2", "reach = 26", "T = {", "trees.T.reach must be a whole number from 0 to 25"),
    ("limit = 7", "limit = 17", "limit = 7", "hands.limit must be a whole number from 1 to 16"),
    ("money_limit = 9\n", "", "[tracks]", "tracks.money_limit is missing"),
    ("7d = 6", "7x = 6", "7d = 6", "unknown key '7x'"),
    ("dots = [0, 1, 2]", "dots = [0, 1, 3]", "dots = [0, 1, 2]", "must be a whole number from 0 to 2, not 3"),
    ("dots = [0, 1, 2]", "dots = [0, 1, 1]", "dots = [0, 1, 2]", "square 1 has one dot only"),
    ('card = "h 2-7"', 'card = "h 2-17"', 'card = "h 2-7"', "'h 2-17' is no condition on a card"),
    ('card = "h 2-7"', 'card = "black h"', 'card = "h 2-7"', "no card is 'black h'"),
    ('"sM."', '"sX"', '"sM."', "cannot be 'sX'"),
    ('where = ["tree", "kiosk", "fountain"]', 'where = ["tree", "well"]', 'where = ["tree", "k', "cannot be 'well'"),
    ('where = "open"', "where = []", 'where = "open"', "must be a list of 1 to"),
    ('cost = ["wild"]', 'cost = ["wild", "any", "any", "any", "any"]', 'cost = ["wild"]', "a list of 1 to 4 entries, not 5"),
    ('relation = ["run", "same-colour"]', 'relation = ["run", "same-rank"]', "relation = [\"run\"", "are no run"),
    ('relation = ["run", "same-colour"]', 'relation = "flush"', "relation = [\"run\"", "cannot be 'flush'"),
    ('cost = "black"', 'cost = "black"\nrelation = "run"', 'points = 11', "needs a cost that is a list of cards"),
    ('shape = ["cG", "Gc"]', 'shape = ["cX", "Gc"]', 'shape = ["cG"', "no decoration has the letter 'X'"),
    ('shape = ["cG", "Gc"]', 'shape = ["c."]', 'shape = ["cG"', "a pattern has 2 to 9 letters"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "place", "reason"), BAD)
def test_bad_component_files(old: str, new: str, place: str, reason: str) -> None:
    """§B1–§B6: what makes no sense is refused, with its line."""
    with pytest.raises(BadBox) as error:
        typed_in(with_change(old, new))
    assert reason in error.value.reason
    assert error.value.line == TEXT[: TEXT.index(place)].count("\n") + 1, str(error.value)


def test_too_many_payments_are_refused() -> None:
    """§B2: four cards from a large hand, for any square, are more moves than there is room for."""
    text = with_change('cost = ["number", "number"]\nrelation = "same-rank"', 'cost = ["any", "any", "any", "any"]')
    typed_in(text)
    with pytest.raises(BadBox, match=r"a player could have \d+ moves at once, more than 32768") as error:
        typed_in(text, hand_limit=12)
    assert error.value.line == text[: text.index('cost = ["any", "any", "any", "any"]\npoints = 7')].count("\n") + 1


ODD = [  # a change to a sheet on which nothing is odd, and what is said about it
    ('cells = [[0, 0, "*"], [0, 1, "*"]]', 'cells = [[0, 0, "E"], [0, 1, "E"]]',
     "the shape 'dash' fits nowhere on the map", ("shapes", 6, "cells")),
    ("dots = [2]", "dots = []", "the shape 'bridge' has no dot", ("shapes", 3, "dots")),
    ('rows = [\n    "HHHPHHEHHHHH"', 'rows = [\n    "HHHPHHEHHHHH",\n    "HHHHHHHHHHHH"', "", ()),
    ('    "HTHHsMPHHHtH",\n', "", "no tree 'T' is on the map", ("trees", "T")),
    ('"HHosMsHHHCCH"', '"HHHsMsHHHCCH"', "no kiosk is on the map", ("grounds", 1)),
    ('cost = ["s 2-9", "any"]\nrelation = "same-colour"', 'cost = ["s 2-9", "h"]\nrelation = "same-suit"',
     "only wild cards can help to pay for the garland", ("decorations", 3, "cost")),
    ('shape = [".e.", "cBc", ".e."]', 'shape = ["BB"]', "the pattern 'crown' can be formed nowhere", ("patterns", 4)),
    ("points = 90", "points = 0", "the pattern 'crown' scores nothing", ("patterns", 4, "points")),
    ("[hands]\nstart = 5\nlimit = 7", "[hands]\nstart = 1\nlimit = 2",
     "the comet costs more cards than a hand can hold, which is 3",
     ("decorations", 2, "cost")),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said", "path"), ODD)
def test_oddities(old: str, new: str, said: str, path: tuple[str | int, ...]) -> None:
    """§B1–§B4: what nobody can draw, pay or form is told, with its place; a sheet that is only different is not odd."""
    found = oddities(ComponentFile(with_change(old, new), "my.toml"))
    if not said:
        assert found == []
        return
    assert [place for sentence, place in found if sentence.startswith(said)] == [path], found
    assert all(variant_line > 0 for variant_line in (ComponentFile(TEXT).line_of(*place) for _, place in found))


def test_oddities_of_the_standard_sheet() -> None:
    """The sheets of the game and of its tests have none; ours without entrances, light strands or funds has."""
    assert oddities(ComponentFile(GAME.box_text)) == []
    assert oddities(ComponentFile(TEXT)) == []
    said = [sentence for sentence, _ in oddities(ComponentFile(GAME.box_text.replace("E", ".")))]
    assert "the banner can be drawn nowhere: no square of the map suits it" in said
    assert "the pattern 'gate' can be formed nowhere on the map" in said
    dashed = [sentence for sentence, _ in oddities(ComponentFile(GAME.box_text.replace('"light"', '"dashed"')))]
    assert sum("can be drawn nowhere" in sentence for sentence in dashed) == 3
    alone = oddities(ComponentFile(with_power_alone(GAME.box_text)))
    assert any("nothing can ever shine" in sentence for sentence, _ in alone)
    poor = GAME.box_text.replace("start_money = 2", "start_money = 0")
    for line in ("none = 1", "wild = 5", *(f"\n{rank} = {units}" for rank, units in UNITS.items()), "\nd = 1"):
        assert poor.count(line) == 1, line
        poor = poor.replace(line, line.split("=")[0] + "= 0")
    assert [place for _, place in oddities(ComponentFile(poor))] == [("tracks", "start_money")]


UNITS = {**dict.fromkeys(range(2, 7), 2), **dict.fromkeys(range(7, 11), 3), **dict.fromkeys("jqk", 4)}


def with_power_alone(text: str) -> str:
    """A town whose Power square has trees on all sides."""
    start = text.index("rows = [")
    return (
        text[:start]
        + 'rows = ["HHHHsHHHE", "HHHHHsttt", "HHHHHstPt", "HCCEHHttt"]'
        + text[text.index("]", start) + 1 :]
    )


# --- positions that cannot be ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "reason"), [
    ("1;1;choose;-;2,2,?7,-,-;2,2,?7,-,-", "in this variant seat 0 begins"),
    ("2;0;choose;2s;2,2,?8,-,-;2,1,?7,line3:a0a1a2,-", ""),
    ("2;0;choose;2s;2,1,?8,line3:a0a1a2,-;2,2,?7,-,-", "seat 0 has 8 cards and paid 1 for what is drawn, but was dealt only 8"),
    ("1;0;choose;2s.3s;2,0,?5,line3:a0a1a2+line3:d0d1d2,-;2,2,?7,-,-", "takes more turns than there were"),
    ("3;0;choose;2s.3s;2,0,?7,line3:a0a1a2+line3:d0d1d2,-;2,2,?9,-,-", ""),
    ("3;0;choose;2s.3s;1,1,?7,line3:a0a1a2,wreath:a0;2,2,?9,-,-", ""),
    ("3;0;choose;2s.3s;2,1,?7,line3:a0a1a2,wreath:a0;2,2,?9,-,-", "takes more turns than there were"),
    ("1;0;choose;-;9,2,?7,-,-;2,2,?7,-,-", "takes more turns than there were"),
    ("2;0;choose;2s;7,2,?7,-,-;2,2,?8,-,-", ""),
])  # fmt: skip
def test_positions_that_cannot_be(text: str, reason: str) -> None:
    """§C, §D, §F, §H: cards that a seat never got, and more actions than there were turns."""
    variant = Variant(GAME, {"first_player": "0"})
    if reason:
        with pytest.raises(BadNotation) as error:
            parse_position(variant, text)
        assert reason in str(error.value)
    else:
        assert parse_position(variant, text).text.endswith(text)


def test_hands_that_cannot_be() -> None:
    """§H: a hand is cut after every turn, so it is never much larger than its limit."""
    variant = Variant(GAME, {"first_player": "0", "hand_start": 8, "hand_limit": 2})
    assert parse_position(variant, "1;0;choose;-;2,2,?9,-,-;2,2,?9,-,-")
    used = ".".join(CARD_NAMES[:13])
    with pytest.raises(BadNotation, match="seat 0 cannot hold 4 cards in turn 2"):
        parse_position(variant, f"2;0;choose;{used};2,2,?4,-,-;2,2,?3,-,-")


def test_every_position_of_a_match_can_be() -> None:
    """What counting refuses never comes in a match."""
    for variant in (Variant(GAME, {"seats": 3}), typed_in(seats=4), Variant(GAME, {"hand_start": 8, "hand_limit": 2})):
        for seed in range(1 if PURE else 3):
            for _, position in random_match(variant, seed).replay():
                assert parse_position(variant, position.text.partition(";")[2]) == position
