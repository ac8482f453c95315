"""The drawn sheet of Switch-On: targets, the cells behind every line, glow and strokes, the blank sheet, figures."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from walks import random_positions, variants

from lamplighter import games, load, svg
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.games.switch_on import explain, picture
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import CARD_NAMES, DECK
from lamplighter.games.switch_on.notation import figure_of, parse_square, placement_squares
from lamplighter.games.switch_on.picture.cable_symbols import points_of
from lamplighter.games.switch_on.picture.sheet import plan_sheet
from lamplighter.games.switch_on.state import Phase

GAME = games.load("switch_on")
SEEDS = range(16)
CARDS = ".".join((*CARD_NAMES, "joker"))
WORKED = "line4:f0f1f2f3+line4:f0g0h0i0+corner3:a7a8b8+arch3:d3e3f3+dash3:d3d4d5"
HUNG = "lantern:a8+star:f0f2+angel:f1+bauble:e4+banner:e0+reindeer:e3"


def some_positions(seed: int) -> Iterator[Position]:
    yield from random_positions(random.Random(seed).choice(variants(GAME)), seed, 2)


def at_the_end(cables: str = "-", decorations: str = "-", options: str = "") -> Position:
    """A finished match in which the first seat has this on its sheet."""
    variant = load(f"switch_on?seats=2&first_player=0{options}")
    turn = figure_of(variant, at.TURNS) + 1
    text = f"{turn};0;over;{CARDS};0,0,-,{cables},{decorations};0,0,-,-,-"
    return Position(variant, variant.game.notation.parse_position(variant, text))


def drawn(position: Position, seat: int = 0) -> str:
    return "".join(map(str, picture.draw(position.variant, position.state, seat).body))


# --- moves ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_every_legal_move_has_one_target(seed: int) -> None:
    for position in some_positions(seed):
        for seat in position.waiting:
            targets = picture.targets(position.variant, position.state, seat)
            shown = Counter(move for target in targets for move in target.ways())
            assert shown == Counter(position.legal_moves(seat))
            assert len({(one.source, one.cell, one.orientation) for one in targets}) == len(targets)
            sheet = picture.draw(position.variant, position.state, seat)
            for target in targets:
                assert (target.symbol == "") == (target.cell is None)
                assert target.symbol in sheet.symbols or not target.symbol
                if target.cell is not None:
                    x, y, width, height = sheet.cells[target.cell]
                    assert (target.x, target.y) == (x + width / 2, y + height / 2)


def many_moves(variant: Variant, phase: Phase) -> Position:
    """A hand full of wild cards over a sheet on which everything is possible."""
    position = variant.start()
    state, rng = position.state, random.Random(3)
    cards = max(figure_of(variant, at.HAND_LIMIT), figure_of(variant, at.HAND_START)) + 1
    deck = sorted(range(DECK), key=lambda card: (card < 52, card % 13 != 12, card))
    state["hands"][0], state["hand_size"][0] = sum(1 << card for card in deck[:cards]), cards
    state["turn"], state["first"], state["draws"], state["phase"] = 10, 0, 40, phase
    state["money"][0] = state["cable"][0] = 2
    placements = range(figure_of(variant, at.FITS)) if phase == Phase.DECORATE else ()
    for placement in rng.sample(placements, len(placements)):
        if not GAME.rules.check_overlap(variant.box, state, 0, placement) and state["cable_count"][0] < 20:
            GAME.rules.lay(variant.box, state, 0, placement)
    return position


@pytest.mark.parametrize("phase", [Phase.CABLE, Phase.DECORATE])
def test_the_most_moves_make_a_small_sheet(phase: Phase) -> None:
    for variant in variants(GAME):
        position = many_moves(variant, phase)
        text = position.svg(0, targets=True)
        assert len(text.encode()) < (80_000 if variant.own_box else 60_000), variant.text
        assert text.count("data-move=") == len(picture.targets(variant, position.state, 0)) > 100


def test_payments_share_a_target() -> None:
    position = many_moves(load("switch_on"), Phase.DECORATE)
    star = next(one for one in picture.targets(position.variant, position.state, 0) if one.source == "star")
    assert len(star.ways()) == len(star.pays) > 20
    assert set(star.ways()) <= set(position.legal_moves(0))
    assert star.cell is not None
    assert all(move.startswith("hang star ") and move.endswith(f" {star.cell}") for move in star.ways())


# --- what scores ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_cells_behind_a_line_make_its_points(seed: int) -> None:
    for position in some_positions(seed):
        variant, state = position.variant, position.state
        entries = variant.file.get("decorations")
        for seat in range(variant.seats):
            cells, score = explain.score_cells(variant, state, seat), position.score(seat)
            assert set(cells) == set(variant.score_lines)
            assert score["cable"] == figure_of(variant, at.CABLE_POINTS) * len(cells["cable"])
            squares = [parse_square(variant, cell) for cell in cells["decorations"]]
            hung = [(entries[int(state["decorations"][seat, square]) - 1], square) for square in squares]
            assert score["decorations"] == sum(e["points"] * int(variant.box["factor"][square]) for e, square in hung)
            chosen = explain.best_patterns(variant, state, seat)
            assert score["patterns"] == sum(points for points, _ in chosen)
            assert cells["patterns"] == sorted(set(cells["patterns"]), key=lambda cell: parse_square(variant, cell))
            assert len(cells["patterns"]) == sum(len(squares) for _, squares in chosen)
            assert set(cells["patterns"]) <= set(cells["decorations"])


def test_cells_of_the_worked_sheet() -> None:
    position = at_the_end(WORKED, HUNG)
    cells = explain.score_cells(position.variant, position.state, 0)
    assert cells["decorations"] == ["e0", "e3", "e4", "f0", "f1", "f2"]
    assert cells["patterns"] == ["f0", "f1", "f2"]
    assert len(cells["cable"]) == 12 and "d4" not in cells["cable"] and "e3" in cells["cable"]
    dark = at_the_end(WORKED, HUNG, "&unpowered_cable_scores=false")
    assert len(explain.score_cells(dark.variant, dark.state, 0)["cable"]) == 9


def test_overlapping_patterns_are_counted_once() -> None:
    cables = "line4:f0f1f2f3+line4:f0g0h0i0"
    crossing = at_the_end(cables, "star:f0f1f2g0h0")  # f0 f1 f2 or f0 g0 h0, both near the tree at g1
    assert [points for points, _ in explain.best_patterns(crossing.variant, crossing.state, 0)] == [60]
    apart = at_the_end(cables, "star:f0f1f2f3g0h0")  # f0 g0 h0 leaves f1 f2 f3, of which f3 is too far from the tree
    cells = explain.score_cells(apart.variant, apart.state, 0)
    assert cells["patterns"] == ["f0", "f1", "f2", "f3", "g0", "h0"]
    assert apart.score(0)["patterns"] == 90


# --- what is drawn --------------------------------------------------------------------------------------------


def test_strands_glow_with_power_only() -> None:
    lit, dark = drawn(at_the_end("line3:i0i1i2")), drawn(at_the_end("line3:i1i2i3"))
    assert 'class="lamp wide soft"' in lit and 'class="lamp fat"' in lit
    assert 'class="lamp wide soft"' not in dark and 'class="lamp fat"' not in dark
    dashed = drawn(at_the_end("dash3:i0i1i2"))
    assert 'class="lamp wide wash"' in dashed and 'class="lamp fat"' not in dashed


def test_light_decorations_shine_or_are_struck() -> None:
    shining, struck = (drawn(at_the_end(cable, "lantern:i2")) for cable in ("line3:i0i1i2", "line3:i1i2i3"))
    assert 'href="#shine"' in shining and 'class="error"' not in shining
    assert 'href="#shine"' not in struck and 'class="error"' in struck
    wreath = drawn(at_the_end("line3:i1i2i3", "wreath:i2"))
    assert 'href="#disc"' in wreath and 'class="error"' not in wreath


def test_hands_are_drawn_for_their_owner() -> None:
    match = load("switch_on?first_player=0").match(seed=4)
    match.roll()
    own, other = match.position.seen_by(0), match.position.seen_by(1)
    cards = [
        one.attributes["data-source"]
        for one in picture.draw(own.variant, own.state, 0).body
        if "data-source" in one.attributes
    ]
    assert len(cards) == 7 and 'href="#back"' not in drawn(own)
    assert drawn(other).count('href="#back"') == 7 and "data-source=" not in drawn(other)
    assert "no cards" in drawn(at_the_end())


@pytest.mark.parametrize("seed", SEEDS)
def test_what_can_be_taken_is_lit_on_the_sheet(seed: int) -> None:
    """Charts when an action is chosen, cards, strands, decorations; only what ends a step has no place there."""
    for position in some_positions(seed):
        for seat in position.waiting:
            listed = {one.source for one in picture.targets(position.variant, position.state, seat)} - {"stop", "pass"}
            groups = re.findall(r'<g data-source="([^"]+)">(.*?)</g>', drawn(position, seat))
            assert {source for source, inside in groups if 'class="may"' in inside} == listed


def test_on_a_wide_screen_the_charts_are_beside_the_town() -> None:
    """They are moved to the right of everything else, and nothing is left below."""
    position = at_the_end(WORKED, HUNG)
    sheet = picture.draw(position.variant, position.state, 0)
    assert sheet.wide is not None
    width, height = sheet.wide
    assert width == 2 * sheet.width and height < 0.6 * sheet.height
    moved = {str(one.attributes["data-wide"]) for one in sheet.body if "data-wide" in one.attributes}
    assert len(moved) == 1 and moved.pop().startswith(f"translate({svg.number(sheet.width)} -")


def test_strands_end_in_the_middle_of_their_squares() -> None:
    for variant in variants(GAME):
        town = plan_sheet(variant, False).town
        for placement, cable in enumerate(town.cables):
            squares = placement_squares(variant, placement)
            points = points_of(cable.steps)
            joined = {point for start, _, end in cable.strand.wire for point in (start, end)}
            assert {(0, 0), *joined} == ({points[0], points[-1]} if len(cable.strand.wire) == 1 else set(points)), (
                variant
            )
            assert set(cable.strand.dots) <= set(points)
            assert cable.start == squares[0] and cable.strand.symbol in town.symbols
            assert bool(cable.strand.bulbs) == bool(variant.box["light"][cable.shape])


def test_blank_sheet() -> None:
    variant = load("switch_on")
    blank, start = picture.draw(variant, None, 0), picture.draw(variant, variant.start().state, 0)
    assert (blank.width, start.width, len(blank.cells)) == (560, 360, 81)
    assert blank.height < start.height
    text = "".join(map(str, blank.body))
    for word in (
        "Raise Funds",
        "Buying Light Cable",
        "Installing Decorations",
        "Scoring",
        "Money",
        "×3",
        "reindeer",
        "+40",
    ):
        assert word in text
    assert "turn" not in text and "deck" not in text


def test_trees_add_up_in_the_other_mode() -> None:
    variant = load("switch_on?tree_mode=count")
    text = "".join(map(str, picture.draw(variant, None, 0).body))
    assert ">+1<" in text and "×2" not in text


def test_symbols_exist() -> None:
    variant = load("switch_on")
    symbols = picture.draw(variant, None, 0).symbols
    assert {f"d{i}" for i in range(8)} | {f"k{i}" for i in range(24)} <= set(symbols)
    assert len({"".join(map(str, symbols[f"d{i}"])) for i in range(8)}) == 8
    assert len({"".join(map(str, symbols[f"s{suit}"])) for suit in "schd"}) == 4


def test_a_wide_town_makes_a_wide_sheet() -> None:
    text = GAME.box_text
    start = text.index("rows = [")
    rows = text[start : text.index("\n]\n", start) + 2]
    wide = 'rows = ["PHHHHHHHHHHHHHHHHH", "HHHHEsstssCCssssEH", "HHHHHH..HHHHHHHHHH", "HHHHHHHTHHHHHHHHHH"]'
    variant = Variant(GAME, {}, ComponentFile(text.replace(rows, wide), "wide.toml"))
    drawn = picture.draw(variant, None, 0)
    assert drawn.width > 18 * 38
    assert all(x >= 0 and x + width <= drawn.width for x, _, width, _ in drawn.cells.values())
    assert svg.frame(drawn, "wide", "a wide town").startswith("<svg")


def test_figures() -> None:
    variant = load("switch_on?seats=3")
    figures = picture.figures(variant)
    assert len(figures) == 4
    assert "The crowd is 323." in figures[2][0] and "Decorations 97, patterns 80." in figures[3][0]
    assert all(len(svg.frame(drawn, "figure", caption)) < 60_000 for caption, drawn in figures)
    path = GAME.folder / "tests" / "boxes" / "odd_town.toml"
    assert picture.figures(Variant(GAME, {}, ComponentFile(path.read_text(encoding="utf-8"), path.name))) == []
