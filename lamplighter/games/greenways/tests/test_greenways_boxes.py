"""Greenways: a box of another make, played, drawn and printed; and what is odd about a box."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_against_reference import load_reference, walk_together
from walks import random_match, random_positions

import lamplighter
from lamplighter import bots, games
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.position import parse_position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, BadNotation
from lamplighter.jit import BOUNDS_CHECKED, PURE
from lamplighter.lab.simulate import simulate
from lamplighter.paper import Style, page_count, print_game

GAME = games.load("greenways")
CITY = (Path(__file__).parent / "boxes" / "garden_city.toml").read_text(encoding="utf-8")


def with_box(text: str, **options: str | int | bool) -> Variant:
    return Variant(GAME, options, ComponentFile(text, "garden_city.toml"))


# --- another box ----------------------------------------------------------------------------------------------


def test_the_city_differs_in_everything() -> None:
    """§1, §2, §11, §12: tiles, start tile, hand, goal and the points of every line."""
    city, usual = with_box(CITY), Variant(GAME)
    assert all(city.file.data[key] != usual.file.data[key] for key in usual.file.data)
    assert usual.box["points"].tolist() == [1, 1, 2, 1, 1]
    assert city.box["points"].tolist() == [3, 2, 7, 4, 0]
    ids = {str(tile["sides"]) for tile in city.file.get("tiles")}
    assert ids != {str(tile["sides"]) for tile in usual.file.get("tiles")}


@pytest.mark.parametrize(
    "options",
    [{"seats": 1}, {"seats": 2, "leftover": "discard"}, {"seats": 1, "intersection_counts_in_A": False}],
)
def test_whole_matches_against_the_reference(options: dict[str, int | str | bool]) -> None:
    for seed in range(1 if PURE or BOUNDS_CHECKED else 3):
        walk_together(with_box(CITY, **options), load_reference(GAME), seed)


def test_points_of_every_line() -> None:
    """§12: the same board, counted with the points of another box; and why, in words."""
    usual = Variant(GAME)
    match = random_match(usual, 9)
    text = GAME.box_text.replace("park = 2 ", "street = 10\ngreenway = 20\nlongest = 30\nunused = 40\npark = 50 ")
    dear = parse_position(with_box(text), match.position.text.partition(";")[2])
    worth = {"streets": 10, "greenways": 20, "parks": 25, "longest": 30, "unused": 40}
    assert dear.score(0) == {line: points * worth[line] for line, points in match.position.score(0).items()}
    words = GAME.module("explain").score_reasons(dear.variant, dear.state, 0)
    assert "× 10 (§12 A)" in words["streets"] and "× 40 (§12 E)" in words["unused"]
    assert "× 50 (§12 C)" in words["parks"]


@pytest.mark.skipif(PURE or BOUNDS_CHECKED, reason="whole matches of bots need compiled kernels")
def test_greedy_plays_for_the_points_of_the_box() -> None:
    """Parks worth 60 points are laid, nearly all six of them, in nearly every game; in the usual box five of them are."""
    parks = {}
    for points in (0, 60):
        variant = with_box(GAME.box_text.replace("park = 2 ", f"park = {points} "))
        result = simulate(variant, bots.seat_bots("greedy", 1), 60, "1")
        parks[points] = int(result.lines[0, variant.score_lines.index("parks")])
    assert parks[0] == 0 and parks[60] > 60 * 60 * 5.2


def test_the_city_is_drawn_and_printed() -> None:
    variant = with_box(CITY, seats=2)
    paper = GAME.module("picture.paper")
    assert [points for _, _, points in paper.score_words(variant)] == [
        "3 for each tile",
        "2 for each tile, parks too",
        "7 for each",
        "4 for each tile, park or not",
        "0 for each",
    ]
    blank = "".join(map(str, GAME.picture.draw(variant, None, 0).body))
    for word in ("Total", "4 rows and 7 columns or more,", "start, a park in", "× 9"):
        assert word in blank
    assert page_count(print_game(variant, Style(), 1, rules=True)) > 2
    for position in random_positions(variant, 5, 4):
        assert max(map(len, str(position.draw(0)).splitlines())) <= 80
        assert position.svg(0, targets=True)


def test_a_wrong_name_among_the_points() -> None:
    with pytest.raises(BadBox, match="unknown key 'streets'") as caught:
        with_box(CITY.replace("street = 3", "streets = 3"))
    assert "streets = 3" in CITY.replace("street = 3", "streets = 3").splitlines()[caught.value.line - 1]
    with pytest.raises(BadBox, match=r"points\.unused must be a whole number from 0 to 1000"):
        with_box(CITY.replace("unused = 0", "unused = 1001"))


# --- what is odd ----------------------------------------------------------------------------------------------


def odd(text: str) -> list[tuple[str, str]]:
    """The oddities of a box that can be played, each with the line of the file."""
    file = ComponentFile(text)
    Variant(GAME, {}, file)
    return [(words, text.splitlines()[file.line_of(*path) - 1]) for words, path in GAME.components.oddities(file)]


def test_nothing_is_odd_about_the_usual_box() -> None:
    assert odd(GAME.box_text) == []


ODD = [
    ("rows = 8", "rows = 58", "58 rows and 8 columns take at least 65 tiles, and there are 64", "[goal]"),
    ("rows = 8", "rows = 34", "need 34 tiles with a greenway, and there are 29", "[goal]"),
    ("hand = 3 ", "hand = 6 ", "", ""),
]


@pytest.mark.parametrize(("old", "new", "words", "there"), ODD)
def test_a_goal_that_cannot_be_reached(old: str, new: str, words: str, there: str) -> None:
    found = odd(GAME.box_text.replace(old, new))
    assert bool(found) == bool(words)
    for sentence, line in found:
        assert words in sentence and sentence.endswith("the goal cannot be reached (§11)") and line.startswith(there)


SMALL = """hand = 2
goal = { rows = 1, columns = 1 }
points = { park = 2 }
start = { id = "A", name = "a", sides = "SSSS" }
[[tiles]]
id = "I"
name = "i"
sides = "S-S-"
count = 4
"""
TILE = '[[tiles]]\nid = "Z"\nname = "z"\nsides = "%s"\ncount = 1\n'


def test_a_tile_that_fits_nowhere() -> None:
    """§P3: nothing has a greenway that it could join; with a tile that joins both, it fits."""
    text = SMALL.replace("rows = 1, columns = 1", "rows = 2, columns = 1") + TILE % "G-G-"
    found = odd(text)
    assert [words for words, _ in found] == [
        "2 rows and 1 columns need 2 tiles with a greenway, and there are 1: the goal cannot be reached (§11)",
        "the tile Z fits nowhere: no tile that can be laid has a side to join it (§P3)",
        "no tile is a park: greenways are never completed, and B and C score nothing (§9)",
    ]
    assert found[1][1] == "[[tiles]]"
    both = text + TILE.replace("Z", "Y") % "SG--"
    assert not any("fits nowhere" in words for words, _ in odd(both))


def test_blank_tiles_need_a_blank_side() -> None:
    """§P2: where all sides are streets, a building has no place."""
    crossings = SMALL.replace("S-S-", "SSSS") + TILE % "----"
    assert "the tile Z fits nowhere" in odd(crossings)[1][0]
    assert not any("fits nowhere" in words for words, _ in odd(SMALL + TILE % "----"))


def test_streets_without_intersections_and_whole_piles() -> None:
    words = [sentence for sentence, _ in odd(SMALL.replace("SSSS", "SS--").replace("hand = 2", "hand = 4"))]
    assert "no tile is an intersection: streets are never completed and score nothing (§8)" in words
    assert "a hand of 4 is the whole pile of 4: nothing is left to chance" in words


# --- rulings and positions ------------------------------------------------------------------------------------


def test_a_tile_with_both_counts_twice() -> None:
    """R17: one crossing, linked to an intersection and to a park, scores in A and in B."""
    position = parse_position(lamplighter.load("greenways"), "4;0;9,0,-,-,-,X:-1:0:SGSG/ST:1:0:SS-S/P1:-1:1:---G")
    cells = GAME.module("explain").score_cells(position.variant, position.state, 0)
    assert "-1,0" in cells["streets"] and "-1,0" in cells["greenways"]
    assert position.score(0)["streets"] == 3 and position.score(0)["greenways"] == 2


def test_leftovers_must_be_gone() -> None:
    """R6: where leftovers are thrown away, each tile laid has cost two others."""
    variant = lamplighter.load("greenways?leftover=discard")
    good = "2;0;3,0,-,-,S2+B,SC:1:0:SS--"
    parse_position(variant, good)
    with pytest.raises(BadNotation, match="cannot have thrown only 1 tiles away: 2 were not laid"):
        parse_position(variant, good.replace("S2+B", "S2"))
