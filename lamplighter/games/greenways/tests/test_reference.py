"""The reference of Greenways against the worked examples, tables and counts of its rules."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

import pytest


def load_reference() -> Any:
    """Load `reference.py` of this folder under a name no other game uses."""
    name = "greenways_reference"
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


reference = load_reference()

SCORE_LINES = ["streets", "greenways", "parks", "longest", "unused"]

EXAMPLE_BOARD = """
.       .       .       .       S2:-S-S S2:-S-S ST:-SSS X:GSGS
.       .       .       .       SE:-S-- ST:-SSS SC:S--S P1:G---
.       .       .       .       B:----  S2:S-S- B:----  GC:-GG-
.       B:----  .       B:----  SC:-SS- SX:SSSS SE:---S P2:G-G-
G2:-G-G GC:--GG .       .       ST:SSS- .       SC:--SS G2:G-G-
.       G2:G-G- B:----  SE:-S-- XC:SGGS P2:-G-G X:SGSG  P3:G-GG
.       GC:GG-- PC:--GG SC:-SS- X:GSGS  .       START:SGSG GC:G--G
.       .       GC:GG-- X:SGSG  GC:G--G SC:SS-- SC:S--S B:----
"""
"""The 84-point board, rows and columns 1 to 8; the start tile is in row 7, column 7."""

EXAMPLE_ORDER = """
SC(8,7)S--S SC(8,6)SS-- X(6,7)SGSG  P2(6,6)-G-G SC(5,7)--SS XC(6,5)SGGS ST(5,5)SSS-
SC(4,5)-SS- X(7,5)GSGS  GC(8,5)G--G SX(4,6)SSSS B(3,5)----  P3(6,8)G-GG SE(6,4)-S--
G2(5,8)G-G- SC(7,4)-SS- SE(4,7)---S GC(7,8)G--G S2(3,6)S-S- B(6,3)----  B(4,4)----
P2(4,8)G-G- ST(2,6)-SSS X(8,4)SGSG  B(8,8)----  SE(2,5)-S-- GC(3,8)-GG- GC(8,3)GG--
SC(2,7)S--S PC(7,3)--GG B(3,7)----  ST(1,7)-SSS GC(7,2)GG-- S2(1,6)-S-S G2(6,2)G-G-
X(1,8)GSGS  P1(2,8)G--- GC(5,2)--GG B(4,2)----  S2(1,5)-S-S G2(5,1)-G-G
"""
"""A legal order of its 41 placements, in the same rows and columns."""


def example_moves() -> list[str]:
    """The 41 placements as moves, counted from the start tile."""
    moves = []
    for text in EXAMPLE_ORDER.split():
        tile_id, rest = text.split("(")
        place, sides = rest.split(")")
        row, column = (int(number) - 7 for number in place.split(","))
        moves.append(f"{tile_id} {row},{column} {sides}")
    return moves


def new_match(box: Any = None, **changes: Any) -> Any:
    """A match with the default options, but for the changes."""
    options: dict[str, object] = {
        "seats": 1,
        "leftover": "return",
        "intersection_counts_in_A": True,
        "longest": "component",
    }
    return reference.Reference({**options, **changes}, reference.load_box() if box is None else box)


def small_box(**counts: int) -> dict[str, object]:
    """The default box with only these tiles in the pile."""
    box: Any = reference.load_box()
    box["tiles"] = [{**tile, "count": counts.get(tile["id"], 0)} for tile in box["tiles"]]
    return dict(box)


def put_all(match: Any, *moves: str) -> None:
    """Put tiles straight on the board of seat 0."""
    for move in moves:
        match.put(0, move)


def reveal_all(match: Any, *tile_ids: str) -> None:
    """Tell the next draws."""
    for tile_id in tile_ids:
        match.reveal(tile_id)


def draw_at_random(match: Any, generator: random.Random) -> None:
    """Reveal one outcome by its weight."""
    outcomes = match.outcomes()
    names = sorted(outcomes)
    match.reveal(generator.choices(names, [outcomes[name] for name in names])[0])


def play_at_random(match: Any, generator: random.Random) -> None:
    """Play a match to its end: any seat that waits, any of its moves."""
    while not match.is_over():
        if match.outcomes():
            draw_at_random(match, generator)
        else:
            seat = generator.choice(sorted(match.waiting()))
            match.play(seat, generator.choice(sorted(match.moves(seat))))


# Components


def test_box_counts() -> None:
    """63 tiles in the pile: 20 street, 17 greenway, 6 parks, 5 mixed, 15 buildings."""
    tiles = new_match().box.tiles.values()
    groups: Counter[str] = Counter()
    for tile in tiles:
        kinds = set(tile.sides) - {"-"}
        groups["park" if tile.is_park else "".join(sorted(kinds))] += tile.count
    assert sum(tile.count for tile in tiles) == 63
    assert groups == {"S": 20, "G": 17, "park": 6, "GS": 5, "": 15}
    assert {tile.id for tile in tiles if tile.is_intersection} == {"ST", "SX"}
    assert {tile.id for tile in tiles if tile.is_park} == {"P1", "P2", "PC", "P3"}
    assert {tile.id for tile in tiles if tile.is_building} == {"B"}


def test_box_rows() -> None:
    """Every row of the tile table."""
    box = new_match().box
    assert (box.start.id, box.start.sides) == ("START", "SGSG")
    assert {tile.id: (tile.sides, tile.count) for tile in box.tiles.values()} == {
        "S2": ("S-S-", 6),
        "SC": ("SS--", 6),
        "SE": ("S---", 4),
        "ST": ("SSS-", 3),
        "SX": ("SSSS", 1),
        "G2": ("G-G-", 7),
        "GC": ("GG--", 8),
        "GE": ("G---", 2),
        "P1": ("G---", 2),
        "P2": ("G-G-", 2),
        "PC": ("GG--", 1),
        "P3": ("GGG-", 1),
        "X": ("SGSG", 4),
        "XC": ("SSGG", 1),
        "B": ("----", 15),
    }
    assert (box.hand, box.goal_rows, box.goal_columns, box.points["park"]) == (3, 8, 8, 2)


def test_most_points_per_line() -> None:
    """With everything placed: A 26, B 29, C 12, D 29, the start tile included."""
    box = new_match().box
    everything = [*box.tiles.values(), box.start]
    assert sum(tile.count for tile in everything if "S" in tile.sides) == 26
    assert sum(tile.count for tile in everything if "G" in tile.sides) == 29
    assert sum(tile.count * box.points["park"] for tile in everything if tile.is_park) == 12


def test_turning_is_enough() -> None:
    """No tile is chiral: its mirror image is one of its turns."""
    for tile in new_match().box.tiles.values():
        north, east, south, west = tile.sides
        assert north + west + south + east in tile.pictures()


def test_turning_clockwise() -> None:
    """A quarter turn brings the north side to the east."""
    tiles = new_match().box.tiles
    assert tiles["S2"].pictures() == {"S-S-", "-S-S"}
    assert tiles["XC"].pictures() == {"SSGG", "GSSG", "GGSS", "SGGS"}
    assert tiles["P3"].pictures() == {"GGG-", "-GGG", "G-GG", "GG-G"}
    assert tiles["B"].pictures() == {"----"}


@pytest.mark.parametrize(
    "change",
    [{"hand": 0}, {"goal": 8}, {"tiles": {}}, {"start": {"id": "START", "name": "s", "sides": "SGS"}}],
    ids=["empty hand", "goal no table", "tiles no list", "three sides"],
)
def test_bad_box_is_refused(change: dict[str, object]) -> None:
    """A box with a mistake is refused."""
    with pytest.raises(ValueError, match=r"hand|goal|tiles|sides"):
        new_match(box={**reference.load_box(), **change})


def test_equal_ids_are_refused() -> None:
    """Tile ids must differ."""
    box: Any = reference.load_box()
    box["tiles"][0]["id"] = "START"
    with pytest.raises(ValueError, match="unique"):
        new_match(box=box)


@pytest.mark.parametrize("change", [{"leftover": "burn"}, {"longest": "road"}, {"seats": 0}])
def test_bad_option_is_refused(change: dict[str, object]) -> None:
    """An option value that does not exist is refused."""
    with pytest.raises(ValueError, match=next(iter(change))):
        new_match(**change)


# Placement


@pytest.mark.parametrize(
    ("before", "move", "rule"),
    [
        ([], "S2 -1,0 S-S-", None),
        (["S2 -1,0 S-S-"], "S2 -1,1 S-S-", "§P3"),
        ([], "G2 -1,0 G-G-", "§P2"),
        ([], "B 0,1 ----", "§P2"),
        (["SE -1,0 --S-"], "SE 1,0 S---", "§P5"),
        (["SE -1,0 --S-", "ST 1,0 SS-S", "SE 1,-1 -S--"], "SE 1,1 ---S", None),
        (["GE 0,1 ---G"], "GE 0,-1 -G--", "§P5"),
        (["GE 0,1 ---G"], "P1 0,-1 -G--", None),
        (["P2 0,1 -G-G"], "P1 0,2 ---G", "§P4"),
        (["S2 -1,0 S-S-", "B -1,1 ----"], "B -1,2 ----", "§P4"),
        ([], "S2 0,0 S-S-", "§P1"),
        ([], "S2 -2,0 S-S-", "§P1"),
        ([], "S2 -1,1 S-S-", "§P1"),
    ],
)
def test_placement_table(before: list[str], move: str, rule: str | None) -> None:
    """Every row of the table of restrictions, and the cells that touch nothing (or only a corner)."""
    match = new_match()
    put_all(match, *before)
    assert match.why_not(0, move) == rule
    if rule is None:
        match.put(0, move)
    else:
        with pytest.raises(ValueError, match=rule):
            match.put(0, move)


def test_first_moves_of_every_tile() -> None:
    """How many placements each tile has beside the start tile alone, counted by hand."""
    match = new_match()
    board, tiles = match.seats[0].board, match.box.tiles
    counted = {tile_id: len(list(reference.placements(board, tile))) for tile_id, tile in tiles.items()}
    streets = {"S2": 2, "SC": 4, "SE": 2, "ST": 6, "SX": 2}
    greenways = {"G2": 2, "GC": 4, "GE": 2, "P1": 2, "P2": 2, "PC": 4, "P3": 6}
    assert counted == {**streets, **greenways, "X": 4, "XC": 8, "B": 0}


def test_mixed_tile_is_tested_for_both_networks() -> None:
    """§P5: a crossing may complete its street, its greenway or both, and each needs its own mark."""
    tiles = new_match().box.tiles
    streets = {(-1, 0): ("SE", "--S-"), (1, 0): ("SE", "S---")}
    greenways = {(0, -1): ("GE", "-G--"), (0, 1): ("GE", "---G")}
    park = {(0, -1): ("P1", "-G--"), (0, 1): ("GE", "---G")}
    for around, rule in (
        (streets, "§P5"),
        (greenways, "§P5"),
        (park, None),
        ({**streets, **park}, "§P5"),
        ({**streets, **park, (1, 0): ("SX", "SSSS")}, None),
        ({**streets, **greenways, (1, 0): ("SX", "SSSS")}, "§P5"),
    ):
        board = {}
        for cell, (tile_id, sides) in around.items():
            board[cell] = reference.PlacedTile(tiles[tile_id], sides)
        assert reference.broken_rule(board, tiles["X"], (0, 0), "SGSG") == rule


def test_ring_without_park_is_refused() -> None:
    """§P5: a closed ring is complete too."""
    tiles = new_match().box.tiles
    corners = {(0, 0): "-GG-", (0, 1): "--GG", (1, 0): "GG--"}
    board = {cell: reference.PlacedTile(tiles["GC"], sides) for cell, sides in corners.items()}
    assert reference.broken_rule(board, tiles["GC"], (1, 1), "G--G") == "§P5"
    assert reference.broken_rule(board, tiles["PC"], (1, 1), "G--G") is None


# Scoring


def test_street_with_intersection() -> None:
    """§12 A: a finished street of 5 tiles with an intersection; 4 when the intersection is left out."""
    moves = ["SE -1,0 --S-", "ST 1,0 SS-S", "SE 1,-1 -S--", "SE 1,1 ---S"]
    match = new_match()
    put_all(match, *moves)
    assert match.score(0)["streets"] == 5
    without = new_match(intersection_counts_in_A=False)
    put_all(without, *moves)
    assert without.score(0)["streets"] == 4


def test_street_without_intersection() -> None:
    """§12 A: three street tiles, no intersection: nothing."""
    match = new_match()
    put_all(match, "S2 -1,0 S-S-", "S2 1,0 S-S-", "SC 2,0 SS--")
    assert match.score(0)["streets"] == 0


def test_greenway_with_park() -> None:
    """§12 B: greenway end, start tile, park: 3; D counts the same 3, E the rest."""
    match = new_match()
    put_all(match, "GE 0,1 ---G", "P1 0,-1 -G--")
    expected = {"streets": 0, "greenways": 3, "parks": 2, "longest": 3, "unused": 61}
    assert match.score(0) == expected
    assert list(match.score(0)) == SCORE_LINES


def test_greenway_without_park() -> None:
    """§12 B, D: without a park the greenway still is the longest one."""
    match = new_match()
    put_all(match, "G2 0,1 -G-G", "G2 0,-1 -G-G")
    assert match.score(0)["greenways"] == 0
    assert match.score(0)["longest"] == 3


def test_empty_board_scores() -> None:
    """The start tile alone is a greenway of one tile; 63 tiles are unused."""
    for longest in ("component", "path"):
        expected = dict(zip(SCORE_LINES, [0, 0, 0, 1, 63], strict=True))
        assert new_match(longest=longest).score(0) == expected


def test_longest_path() -> None:
    """§12 D: three arms at a park: 4 tiles as a component, 3 along a path."""
    for longest, points in (("component", 4), ("path", 3)):
        match = new_match(longest=longest)
        put_all(match, "P3 0,1 G-GG", "G2 -1,1 G-G-", "G2 1,1 G-G-")
        assert match.score(0)["longest"] == points


def test_longest_is_not_the_sum_of_equals() -> None:
    """§12 D: of two greenways with the same length one counts."""
    match = new_match()
    put_all(match, "X 1,0 SGSG", "G2 1,1 -G-G", "G2 0,1 -G-G")
    assert match.score(0)["longest"] == 2


# The 84-point board


def expected_board() -> dict[tuple[int, int], tuple[str, str]]:
    """The drawn board, counted from the start tile."""
    board = {}
    for row, line in enumerate(EXAMPLE_BOARD.split("\n")[1:-1], start=1):
        for column, text in enumerate(line.split(), start=1):
            if text != ".":
                tile_id, sides = text.split(":")
                board[row - 7, column - 7] = (tile_id, sides)
    return board


@pytest.mark.parametrize(
    ("changes", "points"),
    [
        ({}, [14, 20, 10, 18, 22]),
        ({"intersection_counts_in_A": False}, [10, 20, 10, 18, 22]),
        ({"longest": "path"}, [14, 20, 10, 16, 22]),
    ],
)
def test_example_board(changes: dict[str, object], points: list[int]) -> None:
    """§13: 41 legal placements, won exactly at the last, 84 points."""
    match = new_match(**changes)
    for move in example_moves():
        assert not match.is_over()
        assert match.facts(0)["won"] == 0
        assert match.why_not(0, move) is None
        match.put(0, move)
    board = match.seats[0].board
    assert {cell: (placed.tile.id, placed.sides) for cell, placed in board.items()} == expected_board()
    assert match.is_over()
    assert match.facts(0) == {"won": 1, "placed": 41, "redraws": 0}
    assert match.score(0) == dict(zip(SCORE_LINES, points, strict=True))
    assert match.standing(0) == (sum(points), 1)
    if not changes:
        assert sum(points) == 84


def test_example_networks() -> None:
    """§13: streets of 14, 5 and 3 tiles, greenways of 18 (four parks) and 2 (one park)."""
    match = new_match()
    put_all(match, *example_moves())
    board = match.seats[0].board
    streets = reference.components(board, "S")
    greenways = reference.components(board, "G")
    assert sorted((len(one), reference.has_intersection(board, one)) for one in streets) == [
        (3, False),
        (5, False),
        (14, True),
    ]
    assert sorted((len(one), sum(board[cell].tile.is_park for cell in one)) for one in greenways) == [
        (2, 1),
        (18, 4),
    ]


def test_example_through_play() -> None:
    """§13: the same match by draws and moves; each hand holds the tile that is wanted."""
    match = new_match()
    for move in example_moves():
        reveal_all(match, move.split(" ")[0])
        while match.outcomes():
            match.reveal(max(match.outcomes()))
        assert match.waiting() == {0}
        assert move in match.moves(0)
        match.play(0, move)
    assert match.is_over()
    assert match.waiting() == set()
    assert match.chance_seat() is None
    assert match.standing(0) == (84, 1)


def test_win_needs_every_row_and_column() -> None:
    """§11: the finished box is not won when a row or a column has no greenway, nor when it is too small."""
    match = new_match()
    put_all(match, *example_moves())
    board = match.seats[0].board
    assert reference.is_won(board, 8, 8)
    assert not reference.is_won(board, 9, 8)
    assert not reference.is_won(board, 8, 9)
    building = reference.PlacedTile(match.box.tiles["B"], "----")
    assert not reference.is_won({**board, (2, 1): building}, 8, 8)
    assert not reference.is_won({**board, (1, 2): building}, 8, 8)
    assert reference.is_won({**board, (-6, -6): building}, 8, 8)


# Turns


def test_first_draw() -> None:
    """§2: three draws without replacement, then the seat is waited for and must place."""
    match = new_match()
    assert match.chance_seat() == 0
    assert match.waiting() == set()
    assert match.moves(0) == set()
    assert match.outcomes()["SC"] == 6
    assert sum(match.outcomes().values()) == 63
    reveal_all(match, "SC", "SX")
    assert match.outcomes()["SC"] == 5
    assert "SX" not in match.outcomes()
    reveal_all(match, "SC")
    assert match.outcomes() == {}
    assert match.chance_seat() is None
    assert match.waiting() == {0}
    assert match.moves(0) == {
        "SC -1,0 -SS-",
        "SC -1,0 --SS",
        "SC 1,0 SS--",
        "SC 1,0 S--S",
        "SX -1,0 SSSS",
        "SX 1,0 SSSS",
    }


@pytest.mark.parametrize(("leftover", "unused", "curves"), [("return", 62, 5), ("discard", 60, 4)])
def test_leftover(leftover: str, unused: int, curves: int) -> None:
    """The two other tiles go back, or are gone; while held they count as unused."""
    match = new_match(leftover=leftover)
    reveal_all(match, "SC", "SC", "B")
    assert match.score(0)["unused"] == 63
    match.play(0, "SC 1,0 SS--")
    assert match.score(0)["unused"] == unused
    assert match.outcomes()["SC"] == curves
    assert match.outcomes()["B"] == (15 if leftover == "return" else 14)
    assert match.facts(0) == {"won": 0, "placed": 1, "redraws": 0}


@pytest.mark.parametrize("leftover", ["return", "discard"])
def test_redraw(leftover: str) -> None:
    """§4: unusable hands are out of the draw for one hand, then mixed back; they stay unused tiles."""
    match = new_match(leftover=leftover)
    reveal_all(match, "B", "B", "B")
    assert match.waiting() == set()
    assert match.facts(0)["redraws"] == 1
    assert match.outcomes()["B"] == 12
    assert sum(match.outcomes().values()) == 60
    reveal_all(match, "B", "B")
    assert match.outcomes()["B"] == 10
    reveal_all(match, "B")
    assert match.facts(0)["redraws"] == 2
    assert match.outcomes()["B"] == 12
    assert sum(match.outcomes().values()) == 60
    assert match.score(0)["unused"] == 63
    reveal_all(match, "B", "B", "S2")
    assert match.waiting() == {0}
    assert match.moves(0) == {"S2 -1,0 S-S-", "S2 1,0 S-S-"}
    match.play(0, "S2 1,0 S-S-")
    assert match.outcomes()["B"] == (15 if leftover == "return" else 13)


def test_redraw_from_a_short_pile() -> None:
    """§4: three unusable tiles aside leave one; it is a hand of one, and the three are back afterwards."""
    match = new_match(box=small_box(B=3, S2=1))
    reveal_all(match, "B", "B", "B")
    assert match.outcomes() == {"S2": 1}
    match.reveal("S2")
    assert match.waiting() == {0}
    match.play(0, "S2 1,0 S-S-")
    assert match.outcomes() == {"B": 3}
    reveal_all(match, "B", "B", "B")
    assert match.moves(0) == {"B 1,1 ----", "B 1,-1 ----"}
    match.play(0, "B 1,1 ----")
    reveal_all(match, "B", "B")
    assert match.moves(0) == {"B 1,-1 ----"}
    match.play(0, "B 1,-1 ----")
    assert match.is_over()
    assert match.score(0)["unused"] == 1
    assert match.facts(0) == {"won": 0, "placed": 3, "redraws": 1}


def test_nothing_to_place_ends() -> None:
    """§3: a pile without a usable tile, or no pile at all, ends the game unwon before any draw."""
    for box, unused in ((small_box(B=4), 4), (small_box(), 0)):
        match = new_match(box=box)
        assert match.is_over()
        assert match.outcomes() == {}
        assert match.standing(0) == (1 + unused, 0)


def test_win_is_tested_before_the_pile() -> None:
    """§11 before §3: the placement that wins with the last tile wins."""
    box = {**small_box(X=1), "goal": {"rows": 2, "columns": 1}}
    match = new_match(box=box)
    match.reveal("X")
    match.play(0, "X 1,0 SGSG")
    assert match.is_over()
    assert match.facts(0)["won"] == 1


def test_illegal_texts_are_refused() -> None:
    """A move or outcome that is not listed is refused."""
    match = new_match()
    with pytest.raises(ValueError, match="START"):
        match.reveal("START")
    with pytest.raises(ValueError, match="illegal"):
        match.play(0, "S2 1,0 S-S-")
    with pytest.raises(ValueError, match="no turn"):
        match.why_not(0, "S2 1,0 SS--")
    match.put(0, "SX 1,0 SSSS")
    with pytest.raises(ValueError, match="no such tile"):
        match.put(0, "SX -1,0 SSSS")
    reveal_all(match, "S2", "S2", "S2")
    with pytest.raises(ValueError, match="between hands"):
        match.put(0, "S2 -1,0 S-S-")
    with pytest.raises(ValueError, match="not among"):
        match.reveal("S2")


# Race


def test_race_round() -> None:
    """Hands are dealt seat by seat, redraws included; then all place in any order; piles are apart."""
    match = new_match(seats=3)
    reveal_all(match, "B", "B", "B")
    assert match.chance_seat() == 0
    reveal_all(match, "S2", "S2", "SX")
    assert match.chance_seat() == 1
    assert match.waiting() == set()
    assert match.outcomes()["SX"] == 1
    reveal_all(match, "SX", "S2", "S2")
    assert match.chance_seat() == 2
    reveal_all(match, "SX", "S2", "S2")
    assert match.chance_seat() is None
    assert match.waiting() == {0, 1, 2}
    match.play(1, "SX 1,0 SSSS")
    assert match.waiting() == {0, 2}
    match.play(2, "SX -1,0 SSSS")
    match.play(0, "S2 1,0 S-S-")
    assert match.waiting() == set()
    assert match.chance_seat() == 0
    assert match.outcomes()["SX"] == 1
    assert [match.score(seat)["streets"] for seat in range(3)] == [0, 2, 2]
    assert [match.facts(seat)["redraws"] for seat in range(3)] == [1, 0, 0]


def test_race_goes_on_without_ended_seats() -> None:
    """A seat whose game has ended is dealt nothing; the match ends with the last seat's game."""
    box = {**small_box(X=1, S2=2), "goal": {"rows": 2, "columns": 1}}
    match = new_match(box=box, seats=2)
    reveal_all(match, "X", "S2", "S2", "X", "S2", "S2")
    match.play(0, "X 1,0 SGSG")
    assert match.waiting() == {1}
    match.play(1, "S2 1,0 S-S-")
    assert match.chance_seat() == 1
    assert not match.is_over()
    reveal_all(match, "S2", "X")
    assert match.waiting() == {1}
    match.play(1, "X 2,0 SGSG")
    reveal_all(match, "S2")
    match.play(1, "S2 -1,0 S-S-")
    assert match.is_over()
    assert match.standing(0) == (3, 1)
    assert match.standing(1) == (1, 0)


# Whole games


def test_random_games() -> None:
    """Uniform play comes near the known means; score lines and tiles always add up."""
    generator = random.Random(2)
    results = []
    for _ in range(25):
        match = new_match()
        play_at_random(match, generator)
        score, facts = match.score(0), match.facts(0)
        assert facts["placed"] + score["unused"] == 63
        assert facts["placed"] == len(match.seats[0].board) - 1
        assert match.standing(0) == (sum(score.values()), facts["won"])
        assert all(points <= most for points, most in zip(score.values(), [26, 29, 12, 29, 63], strict=True))
        assert score["longest"] >= 1
        results.append({**score, **facts, "total": sum(score.values())})
    bands = {
        "streets": (21.1, 3.5),
        "greenways": (23.6, 3.5),
        "parks": (10.2, 2.0),
        "longest": (14.1, 3.0),
        "unused": (5.5, 6.0),
        "placed": (57.5, 6.0),
        "redraws": (3.2, 3.0),
        "won": (0.006, 0.1),
        "total": (74.5, 4.5),
    }
    for name, (figure, width) in bands.items():
        assert mean(result[name] for result in results) == pytest.approx(figure, abs=width), name


def test_random_games_end_for_a_reason() -> None:
    """§2, §3: a game ends won, or with a pile in which no tile fits any more."""
    generator = random.Random(3)
    for _ in range(6):
        match = new_match(longest="path")
        play_at_random(match, generator)
        game = match.seats[0]
        pile = [match.box.tiles[tile_id] for tile_id, count in game.pile.items() if count]
        assert match.facts(0)["won"] or not any(reference.is_usable(game.board, tile) for tile in pile)
        assert match.score(0)["longest"] <= max(len(one) for one in reference.components(game.board, "G"))


def test_discarding_leaves_21_turns() -> None:
    """With `discard` a hand of three is gone each turn: 21 turns at most, nearly always exactly."""
    generator = random.Random(4)
    turns = []
    for _ in range(30):
        match = new_match(leftover="discard")
        play_at_random(match, generator)
        placed = match.facts(0)["placed"]
        assert match.score(0)["unused"] == 63 - 3 * placed
        turns.append(placed)
    assert max(turns) == 21
    assert mean(turns) > 20


def test_random_races() -> None:
    """Every seat of a race plays a whole game of its own."""
    generator = random.Random(5)
    for seats in (2, 6):
        match = new_match(seats=seats)
        play_at_random(match, generator)
        for seat in range(seats):
            assert match.facts(seat)["placed"] + match.score(seat)["unused"] == 63
        assert len({match.standing(seat) for seat in range(seats)}) > 1
