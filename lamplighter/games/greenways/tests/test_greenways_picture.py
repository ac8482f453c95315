"""The sheet of Greenways as a picture: tiles, targets, scoring lines, and what is printed."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from walks import random_match, random_positions

import lamplighter
from lamplighter import games, svg
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.position import Position, parse_position
from lamplighter.engine.variant import Variant
from lamplighter.games.greenways import explain
from lamplighter.games.greenways.components import turn_sides
from lamplighter.games.greenways.explain import networks
from lamplighter.games.greenways.picture import booklet, symbols, town

GAME = games.load("greenways")
PICTURE = GAME.picture
RICH = Path(__file__).parent / "boxes" / "rich_town.toml"
LARGEST = 60_000


def rich(**options: bool | str | int) -> Variant:
    return Variant(GAME, options, ComponentFile(RICH.read_text(encoding="utf-8"), RICH.name))


VARIANTS = {
    "usual": lamplighter.load("greenways"),
    "race": lamplighter.load("greenways?seats=2"),
    "path": lamplighter.load("greenways?longest=path&intersection_counts_in_A=false"),
    "discard": lamplighter.load("greenways?leftover=discard"),
    "rich": rich(),
    "rich path": rich(longest="path", intersection_counts_in_A=False, seats=2),
}


def moments(name: str, matches: int = 3) -> list[tuple[Position, int]]:
    """Positions of random matches with every seat."""
    variant = VARIANTS[name]
    found = [position for seed in range(matches) for position in random_positions(variant, seed, 3)]
    found += [random_match(variant, seed).position for seed in range(matches)]
    return [(position, seat) for position in found for seat in range(variant.seats)]


def line_of_tiles() -> Position:
    """A board that is wide and low."""
    tiles = [f"G2:0:{i}:-G-G" for i in range(1, 8)] + [f"X:0:{i}:SGSG" for i in range(8, 12)]
    tiles += [
        "P2:0:12:-G-G",
        "GC:0:13:--GG",
        "GC:1:13:GG--",
        "P2:1:14:-G-G",
        "GC:1:15:G--G",
        "GC:0:15:-GG-",
        "GE:0:16:---G",
    ]
    return parse_position(VARIANTS["usual"], f"19;-;57,0,B+ST+SX,-,-,{'/'.join(tiles)}")


# --- tiles ----------------------------------------------------------------------------------------------------


def test_every_tile_can_be_drawn() -> None:
    """Whatever somebody types into a box: a different picture for every set of sides."""
    drawn = set()
    for letters in itertools.product("SG-", repeat=4):
        sides = "".join(letters)
        drawn.add("".join(map(str, symbols.draw_tile(sides))))
        for flags in itertools.product((False, True), repeat=3):
            if "G" in sides or not flags[0]:
                assert symbols.draw_tile(sides, *flags)
    assert len(drawn) == 81


def test_tiles_of_the_box_differ() -> None:
    for variant in (VARIANTS["usual"], VARIANTS["rich"]):
        drawn = symbols.tile_symbols(variant)
        assert (
            len({"".join(map(str, parts)) for parts in drawn.values()}) == len(drawn) == int(variant.box["kinds"]) + 1
        )


def test_pictures_are_turned_as_they_lie() -> None:
    for variant in (VARIANTS["usual"], VARIANTS["rich"]):
        table = symbols.picture_table(variant)
        tiles = {tile["id"]: tile["sides"] for tile in (*variant.file.get("tiles"), variant.file.get("start"))}
        assert len(table) == int(variant.box["pictures"]) + 1
        for tile_id, quarters, sides in table:
            assert turn_sides(tiles[tile_id], quarters) == sides


# --- the board ------------------------------------------------------------------------------------------------


def test_the_window_stays_while_the_board_is_small() -> None:
    """Seven rows and columns around the start tile, then the board and a ring."""
    assert town.make_plan(range(1), range(1)).rows == range(-3, 4)
    plan = town.make_plan(range(-2, 1), range(4))
    assert (plan.rows, plan.columns) == (range(-3, 4), range(-2, 5))
    plan = town.make_plan(range(-4, 5), range(-1, 2))
    assert (plan.rows, plan.columns) == (range(-5, 6), range(-3, 4))
    assert town.make_plan(range(-4, 5), range(-1, 2), ring=False).rows == range(-4, 5)


@pytest.mark.parametrize("columns", [1, 8, 12, 14, 20, 64])
def test_tiles_shrink_to_a_readable_size(columns: int) -> None:
    plan = town.make_plan(range(1), range(columns))
    assert town.SMALLEST <= plan.side <= town.LARGEST
    assert plan.corner(0, columns + 1)[0] <= plan.width - town.EDGE + plan.side
    assert plan.width == town.WIDTH or plan.side == town.SMALLEST


@pytest.mark.parametrize("name", VARIANTS)
def test_cells_are_tiles_and_open_cells(name: str) -> None:
    for position, seat in moments(name):
        state, picture = position.state, PICTURE.draw(position.variant, position.state, seat)
        playing = int(state["playing"]) >> seat & 1
        assert len(picture.cells) == int(state["tiles"][seat]) + playing * int(state["opened"][seat])
        for x, y, width, height in picture.cells.values():
            assert x >= 0 and y >= 0 and x + width <= picture.width and y + height <= picture.height


@pytest.mark.parametrize("name", ["usual", "rich"])
def test_open_ends_are_marked(name: str) -> None:
    """§8, §9: an arrow for every open side, filled where an intersection or a park is still needed."""
    for position, seat in moments(name):
        state, variant = position.state, position.variant
        board = town.read_town(variant, state, seat)
        arrows = {"ink thin": 0, "f-error": 0}
        for part in town.draw_ends(variant, board, town.make_plan(board.rows, board.columns)):
            arrows[str(part.attributes["class"])] = str(part.attributes["d"]).count("M")
        found = [network for kind in range(2) for network in networks(variant.box, state, seat, kind)]
        fine, bare = (sum(network.ends for network in found if bool(network.gems) == has) for has in (True, False))
        assert arrows == {"ink thin": fine, "f-error": bare}


def test_the_goal_is_shown() -> None:
    """§11: a leaf for each row and column with a greenway, at the border and in the boxes of the goal."""
    start = VARIANTS["usual"].start().svg(0)
    assert start.count('href="#leaf"') == 4
    assert start.count('href="#bare"') == 0
    assert "rows 1/8, green 1" in start
    position = parse_position(VARIANTS["usual"], "2;0;3,0,-,-,-,SC:1:0:S--S").svg(0)
    assert position.count('href="#leaf"') == 4
    assert position.count('href="#bare"') == 1, "row 1 has no greenway"


def test_hand_and_pile_are_shown() -> None:
    """§2, §4: tiles in hand with their ids; one that fits nowhere says so."""
    variant = VARIANTS["usual"]
    position = parse_position(variant, "1;-;3,0,SC+GC+B,-,-,-").svg(0)
    assert re.findall(r'<g data-source="(\w+)">', position) == ["SC", "GC", "B"]
    assert position.count("no place") == 1, "four open sides around the start tile, none of them blank"
    assert "60 to draw from, 63 left in all" in position
    assert "× 5" in position, "curves, one of six is in hand"


def test_the_end_is_told() -> None:
    board = f"41;-;123,0,-,-,-,{booklet.EXAMPLE}"
    assert "The goal is reached!" in parse_position(VARIANTS["usual"], board).svg(0)
    lost = next(p for p, _ in moments("usual", 5) if p.is_over and not p.facts(0)["won"])
    assert "The end." in lost.svg(0)


# --- targets and scoring lines --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_targets_lie_where_the_move_says(name: str) -> None:
    for position, seat in moments(name):
        if seat not in position.waiting:
            continue
        picture = PICTURE.draw(position.variant, position.state, seat)
        tiles = {tile["id"]: tile["sides"] for tile in position.variant.file.get("tiles")}
        listed = PICTURE.targets(position.variant, position.state, seat)
        assert [target.move for target in listed] == position.legal_moves(seat)
        for target in listed:
            assert target.move == f"{target.source} {target.cell} {target.orientation}"
            assert target.symbol in picture.symbols
            x, y, width, _ = picture.cells[target.cell]
            a, b, c, d, e, f = (float(part) for part in target.transform[7:-1].split(" "))
            assert (target.x, target.y) == (x + width / 2, y + width / 2)
            assert a * target.x + c * target.y + e == pytest.approx(target.x, abs=0.01)
            assert b * target.x + d * target.y + f == pytest.approx(target.y, abs=0.01)
            assert abs(a) + abs(b) == pytest.approx(width / symbols.TILE)
            quarters = (round(a > 0), round(b > 0), round(a < 0), round(b < 0)).index(1)
            assert turn_sides(tiles[target.source], quarters) == target.orientation


@pytest.mark.parametrize("name", VARIANTS)
def test_cells_behind_scoring_lines(name: str) -> None:
    """§12, R9, R10: as many cells as the line counts."""
    for position, seat in moments(name, 5):
        cells = explain.score_cells(position.variant, position.state, seat)
        score = position.score(seat)
        assert list(cells) == list(score)
        assert all(len(set(found)) == len(found) for found in cells.values())
        counts = {line: len(found) for line, found in cells.items()}
        counts["parks"] *= int(position.variant.box["points"][2])
        assert counts == score | {"unused": 0}


@pytest.mark.parametrize("name", ["path", "rich path"])
def test_the_longest_way_is_a_way(name: str) -> None:
    """R10: from tile to tile."""
    for position, seat in moments(name, 5):
        way = explain.score_cells(position.variant, position.state, seat)["longest"]
        places = [tuple(map(int, cell.split(","))) for cell in way]
        assert all(abs(r - s) + abs(c - d) == 1 for (r, c), (s, d) in itertools.pairwise(places))


def test_sheets_stay_small() -> None:
    """The longest boards of many matches, and a wide one."""
    full = [random_match(VARIANTS["usual"], seed) for seed in range(3)]
    late = [[position.copy() for _, position in match.replay() if position.waiting][-1] for match in full]
    for position in (*late, line_of_tiles()):
        assert len(position.svg(0, targets=True).encode()) < LARGEST
    assert len(line_of_tiles().legal_moves(0)) > 60


# --- paper ----------------------------------------------------------------------------------------------------


def words(picture: svg.Picture) -> str:
    return " ".join(re.findall(r">([^<>]+)<", "".join(map(str, picture.body))))


def test_score_sheet() -> None:
    """§12: lines A to E, the goal and all tiles; the options change what it says."""
    blank = PICTURE.draw(VARIANTS["usual"], None, 0)
    said = words(blank)
    for word in (
        "A Streets",
        "B Greenways",
        "C Parks 2 for each",
        "D Longest",
        "E Tiles",
        "Total",
        "8 rows and 8 columns",
    ):
        assert word in said
    for tile in VARIANTS["usual"].file.get("tiles"):
        assert f"× {tile['count']} {tile['name']}" in said
    assert blank.cells == {}
    other = words(PICTURE.draw(VARIANTS["rich path"], None, 0))
    for word in ("but intersections", "Longest way", "3 for each", "6 rows and 5 columns", "× 3 park"):
        assert word in other


def test_tiles_to_cut_out() -> None:
    """§1, R14: 64 tiles for each seat; the start tile first, with its S."""
    (pieces,) = PICTURE.cutouts(VARIANTS["usual"])
    assert [count for _, count in pieces.kinds] == [1, 6, 6, 4, 3, 1, 7, 8, 2, 2, 2, 1, 1, 4, 1, 15]
    (for_all,) = PICTURE.cutouts(VARIANTS["race"])
    assert sum(count for _, count in for_all.kinds) == 128 and "each player" in for_all.words
    sign = "".join(map(str, symbols._sign()))
    assert [sign in "".join(map(str, piece.body)) for piece, _ in pieces.kinds] == [True] + [False] * 15
    assert (pieces.width, pieces.height) == (25, 25)
    assert all(piece.width == piece.height == symbols.TILE for piece, _ in pieces.kinds)


def test_figures_tell_the_truth() -> None:
    """§5–§10, §12, §13: what the captions say is so."""
    usual = VARIANTS["usual"]
    captions = [caption for caption, _ in PICTURE.figures(VARIANTS["path"])]
    assert len(captions) == 6
    assert captions[5].startswith(
        "The goal reached: 84 points (§11–§13): streets with an intersection 14, greenways with a park 20, parks 10, "
        "longest greenway 18, tiles not laid 22."
    )
    assert len(PICTURE.figures(VARIANTS["rich"])) == 1
    curve = Position(usual, booklet.position(usual, booklet.EARLY, "GC+GC+GC"))
    assert not [move for move in curve.legal_moves() if " 0,-1 " in move]
    refused = Position(usual, booklet.position(usual, booklet.ENDED, "SE+B+B")).why("SE -1,0 --S-")
    assert refused is not None and refused.rule == "§P5"
    assert Position(usual, booklet.position(usual, booklet.CROSSED, "SE+B+B")).why("SE -1,1 ---S") is None
    for tiles, hand, legal, touching in (
        (booklet.PARKS, "P1+P1+B", "P1 0,-1 -G--", "P1 0,2 ---G"),
        (booklet.HOUSES, "B+B+B", "B -1,-1 ----", "B -1,2 ----"),
    ):
        beside = Position(usual, booklet.position(usual, tiles, hand))
        refused = beside.why(touching)
        assert beside.why(legal) is None and refused is not None and refused.rule == "§P4"
    counted = []
    for tiles, letter in booklet.SCORED:
        points = list(Position(usual, booklet.position(usual, tiles)).score(0).values())
        counted.append((letter, points["AB".index(letter)]))
    assert counted == [("A", 5), ("A", 0), ("B", 3), ("B", 0)]
    for _, drawn in PICTURE.figures(usual):
        assert all(name in drawn.symbols for name in re.findall(r'href="#([^"]+)"', "".join(map(str, drawn.body))))
