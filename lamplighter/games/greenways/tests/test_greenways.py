"""Greenways: rulings, options, the box, and figures of play. Worked examples are files in examples/."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

import lamplighter
from lamplighter import bots, games
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position, parse_position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, BadNotation
from lamplighter.games.greenways.explain import networks
from lamplighter.games.greenways.notation import open_cells
from lamplighter.games.greenways.rules import board
from lamplighter.games.greenways.rules.laying import green_lines
from lamplighter.jit import BOUNDS_CHECKED, PURE
from lamplighter.lab.simulate import simulate

GAME = games.load("greenways")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def at(tiles: str = "-", hand: str = "-", variant: str | Variant = "greenways") -> Position:
    """A solo position by its tiles and its hand; without a hand one is about to be drawn."""
    chosen = lamplighter.load(variant) if isinstance(variant, str) else variant
    laid = 0 if tiles == "-" else len(tiles.split("/"))
    held = 0 if hand == "-" else len(hand.split("+"))
    drawn = laid * int(chosen.box["hand"]) + held
    return parse_position(chosen, f"{laid + 1};{'-' if held else 0};{drawn},0,{hand},-,-,{tiles}")


def box_with(old: str, new: str) -> ComponentFile:
    assert old in GAME.box_text
    return ComponentFile(GAME.box_text.replace(old, new, 1), "my.toml")


def small_box(
    *tiles: tuple[str, str, int], start: str = "SGSG", hand: int = 3, rows: int = 8, columns: int = 8
) -> ComponentFile:
    """A box of a few tiles: id, sides and count. Ids that begin with P are parks, with B buildings."""
    text = f"hand = {hand}\n[goal]\nrows = {rows}\ncolumns = {columns}\n[points]\npark = 2\n"
    text += f'[start]\nid = "START"\nname = "start"\nsides = "{start}"\n'
    for word, sides, count in tiles:
        flag = {"P": "park = true", "B": "building = true"}.get(word[0], "")
        text += f'[[tiles]]\nid = "{word}"\nname = "a tile"\nsides = "{sides}"\ncount = {count}\n{flag}\n'
    return ComponentFile(text, "small.toml")


def reveal(position: Position, tiles: str) -> Position:
    for tile in tiles.split():
        position.roll(tile)
    return position


def run(position: Position, *moves: str) -> Position:
    for move in moves:
        position.play(move, 0)
    return position


# --- the box --------------------------------------------------------------------------------------------------


def test_default_box() -> None:
    """§1, R1, R2: 63 tiles, and the most that each scoring line could bring."""
    file = ComponentFile(GAME.box_text)
    tiles = [tile for tile in file.get("tiles") for _ in range(tile["count"])]
    both = [tile for tile in tiles if "S" in tile["sides"] and "G" in tile["sides"]]
    parks = [tile for tile in tiles if tile.get("park")]
    assert len(tiles) == 63
    assert len(both) == 5
    assert len(parks) == 6
    assert sum(tile.get("building", False) for tile in tiles) == 15
    assert sum("S" in tile["sides"] for tile in tiles) - len(both) == 20
    assert sum("G" in tile["sides"] for tile in tiles) - len(both) - len(parks) == 17
    assert file.get("start", "sides") == "SGSG"
    assert (file.get("goal"), file.get("hand"), file.get("points", "park")) == ({"rows": 8, "columns": 8}, 3, 2)
    variant = lamplighter.load("greenways")
    assert variant.start().outcomes() == {tile["id"]: tile["count"] for tile in file.get("tiles")}
    assert variant.start().score(0) == {"streets": 0, "greenways": 0, "parks": 0, "longest": 1, "unused": 63}
    assert (int(variant.box["pictures"]), variant.action_count) == (46, 5888)


@pytest.mark.parametrize(
    ("old", "new", "there", "reason"),
    [
        ("count = 6", "count = 0", "count = 0", "whole number from 1 to 127, not 0"),
        ("count = 6", "count = 8", "[[tiles]]", "65 tiles could be laid in one match, more than 64"),
        ('sides = "S-S-"', 'sides = "S-s-"', "S-s-", "four of 'S', 'G' and '-'"),
        ('sides = "S-S-"', 'sides = "S-S"', 'S-S"', "four of 'S', 'G' and '-'"),
        ('sides = "S-S-"', "", "[[tiles]]", "tiles[0].sides is missing"),
        ('id = "SC"', 'id = "s2"', "s2", "the id 's2' stands twice"),
        ('id = "SC"', 'id = "START"', "START", "the id 'START' stands twice"),
        ('id = "SC"', 'id = "S C"', "S C", "letters and digits"),
        ('id = "SC"', 'id = "S:C"', "S:C", "letters and digits"),
        ('sides = "SGSG"', "", "[start]", "start.sides is missing"),
        ('sides = "SGSG"', 'sides = "----"', "----", "the start tile needs a street or a greenway"),
        ('sides = "G---"\ncount = 2\npark', 'sides = "S---"\ncount = 2\npark', "S---", "a park needs a greenway side"),
        ("park = true", 'park = "yes"', "yes", "must be true or false"),
        ("count = 15", "count = 15\nroof = true", "roof", "unknown key 'roof'"),
        ("hand = 3", "hand = 0", "hand = 0", "whole number from 1 to 6, not 0"),
        ("rows = 8", "rows = 0", "rows = 0", "whole number from 1 to 65, not 0"),
        ("columns = 8", "", "[goal]", "goal.columns is missing"),
        ("park = 2", "park = -2", "park = -2", "whole number from 0 to 1000"),
    ],
)
def test_bad_boxes(old: str, new: str, there: str, reason: str) -> None:
    """A file that makes no sense is refused with the reason and the line where it stands."""
    file = box_with(old, new)
    with pytest.raises(BadBox) as error:
        Variant(GAME, {}, file)
    assert reason in str(error.value)
    assert there in file.text.splitlines()[error.value.line - 1]


def test_a_box_without_a_pile() -> None:
    text = GAME.box_text.partition("[[tiles]]")[0]
    with pytest.raises(BadBox, match="tiles is missing"):
        Variant(GAME, {}, ComponentFile(text))
    with pytest.raises(BadBox, match="1 to 40 entries, not 0"):
        Variant(GAME, {}, ComponentFile("tiles = []\n" + text))


def test_boxes_that_are_too_large() -> None:
    many = [(f"T{number}", "SS--", 1) for number in range(16)]
    with pytest.raises(BadBox, match="more than 62 different ways"):
        Variant(GAME, {}, small_box(*many))
    with pytest.raises(BadBox, match="more than 192"):
        Variant(GAME, {"leftover": "discard"}, small_box(("X", "S-S-", 120), ("Y", "SS--", 73)))
    forks = small_box(("F", "GGG-", 9))
    assert Variant(GAME, {}, forks)
    with pytest.raises(BadBox, match="at most 8 tiles with three or four greenway sides"):
        Variant(GAME, {"longest": "path"}, forks)


def test_a_large_set_where_leftovers_are_gone() -> None:
    """R6: what counts is how many tiles can be laid; thrown away, 192 tiles last for 64 turns."""
    box = small_box(("I", "S-S-", 127), ("J", "-S-S", 65))
    assert Variant(GAME, {"leftover": "discard"}, box).action_count == 130 * 4
    with pytest.raises(BadBox, match="192 tiles could be laid"):
        Variant(GAME, {}, box)


# --- drawing --------------------------------------------------------------------------------------------------


def test_weights_of_a_draw() -> None:
    """§2: what is in hand is not in the pile; afterwards all but one are back."""
    position = lamplighter.load("greenways").start()
    for drawn, left in (("S2", 6), ("S2", 5), ("P3", 1)):
        assert position.outcomes()[drawn] == left
        position.roll(drawn)
    assert position.outcomes() == {}
    assert position.score(0)["unused"] == 63
    position.play("S2 1,0 S-S-")
    outcomes = position.outcomes()
    assert (outcomes["S2"], outcomes["P3"], sum(outcomes.values())) == (5, 1, 62)


def test_redraw() -> None:
    """§4, R7: three buildings are of no use at the start; they come back once three others are drawn."""
    position = reveal(lamplighter.load("greenways").start(), "B B B")
    assert not position.waiting
    assert position.facts(0) == {"won": 0, "placed": 0, "redraws": 1}
    assert (position.outcomes()["B"], sum(position.outcomes().values())) == (12, 60)
    reveal(position, "B GE")
    assert (position.outcomes()["B"], sum(position.outcomes().values())) == (11, 58)
    position.roll("S2")
    assert position.waiting == (0,)
    assert position.score(0)["unused"] == 63
    assert int(position.state["pile"][0].sum()) == 60
    position.play("S2 1,0 S-S-")
    assert position.outcomes()["B"] == 15


def test_redraw_twice() -> None:
    """§4, R7: a second useless hand lies aside alone; the first is back by then."""
    position = reveal(lamplighter.load("greenways").start(), "B B B B B B")
    assert position.facts(0)["redraws"] == 2
    assert (position.outcomes()["B"], sum(position.outcomes().values())) == (12, 60)


def test_the_rest_of_a_pile() -> None:
    """§4, R5: beside three useless tiles there is one; the hand is that one."""
    position = reveal(Variant(GAME, {}, small_box(("B", "----", 3), ("I", "S-S-", 1))).start(), "B B B")
    assert position.outcomes() == {"I": 1}
    position.roll("I")
    assert position.legal_moves() == ["I -1,0 S-S-", "I 1,0 S-S-"]
    again = parse_position(position.variant, position.text.partition(";")[2])
    assert again.key == position.key


def test_a_short_pile() -> None:
    """§2, R5: two tiles are left, two are drawn."""
    position = Variant(GAME, {}, small_box(("I", "S-S-", 2))).start()
    reveal(position, "I")
    assert not position.waiting
    reveal(position, "I")
    assert position.waiting == (0,)
    position.play("I 1,0 S-S-")
    reveal(position, "I")
    assert position.waiting == (0,)


def test_leftovers_return() -> None:
    """R6"""
    position = run(at(hand="S2+S2+GE"), "S2 1,0 S-S-")
    assert (position.score(0)["unused"], position.outcomes()["S2"], position.outcomes()["GE"]) == (62, 5, 2)


def test_leftovers_are_gone() -> None:
    """R6: thrown away with the option; a useless hand is not."""
    variant = lamplighter.load("greenways?leftover=discard")
    position = run(reveal(variant.start(), "B B B S2 S2 GE"), "S2 1,0 S-S-")
    outcomes = position.outcomes()
    assert (position.score(0)["unused"], outcomes["S2"], outcomes["GE"], outcomes["B"]) == (60, 4, 1, 15)
    assert position.text.endswith(",S2+GE,S2:1:0:S-S-")
    assert parse_position(variant, position.text.partition(";")[2]).key == position.key


# --- laying ---------------------------------------------------------------------------------------------------


def test_pictures() -> None:
    """R3, R16: a curve lies in four ways, a straight in two, a building in one; equal tiles are one choice."""
    box = lamplighter.load("greenways").box
    ways = [int(box["kind_pictures"][kind]).bit_count() for kind in range(int(box["kinds"]))]
    assert ways == [2, 4, 4, 4, 1, 2, 4, 4, 4, 2, 4, 4, 2, 4, 1]
    assert at(hand="SX+B+B").legal_moves() == ["SX -1,0 SSSS", "SX 1,0 SSSS"]
    assert at(hand="X+X+G2").legal_moves() == [
        "X -1,0 SGSG",
        "G2 0,-1 -G-G",
        "X 0,-1 SGSG",
        "G2 0,1 -G-G",
        "X 0,1 SGSG",
        "X 1,0 SGSG",
    ]


def test_intersections_left_out() -> None:
    """§12, R9: a start tile and a dead end on an intersection are 3, or 2 with the option."""
    tiles = "ST:1:0:SS-S/SE:1:1:---S"
    assert at(tiles).score(0)["streets"] == 3
    assert at(tiles, variant="greenways?intersection_counts_in_A=false").score(0)["streets"] == 2


FORK = "P3:0:1:G-GG/G2:-1:1:G-G-/G2:1:1:G-G-/GC:2:1:G--G"
RING = "GC:0:1:--GG/GC:1:1:G--G/X:1:0:SGSG/GC:1:-1:GG--/PC:0:-1:-GG-"


@pytest.mark.parametrize(("tiles", "component", "path"), [("-", 1, 1), (FORK, 5, 4), (RING, 6, 6)])
def test_longest_path(tiles: str, component: int, path: int) -> None:
    """§12, R10: a fork has a side that the way leaves out; a ring is gone round."""
    for longest, expected in (("component", component), ("path", path)):
        assert at(tiles, variant=f"greenways?longest={longest}").score(0)["longest"] == expected


def test_a_long_way() -> None:
    """R10: more tiles than fit one word of a set."""
    variant = Variant(GAME, {"longest": "path"}, small_box(("G", "G-G-", 64), start="-G-G", hand=1, rows=2))
    tiles = [f"G:0:{column}:-G-G" for column in range(1, 64)]
    assert at("/".join(tiles), variant=variant).score(0)["longest"] == 64


def longest_by_trying(cells: dict[tuple[int, int], str]) -> int:
    """The longest way through greenways, by walking them all."""

    def walk(cell: tuple[int, int], seen: frozenset[tuple[int, int]]) -> int:
        best = 0
        for side, (row, col) in enumerate(STEPS):
            other = (cell[0] + row, cell[1] + col)
            if cells[cell][side] == "G" and other in cells and other not in seen:
                best = max(best, walk(other, seen | {other}))
        return 1 + best

    return max((walk(cell, frozenset([cell])) for cell in cells if "G" in cells[cell]), default=0)


@pytest.mark.parametrize("seed", range(3 if PURE else 30))
def test_longest_paths_among_forks(seed: int) -> None:
    """R10: with eight forks, against plain search."""
    box = small_box(("F", "GGG-", 5), ("C", "GGGG", 3), ("L", "GG--", 6), ("P", "G---", 2), ("E", "G---", 6), hand=2)
    variant = Variant(GAME, {"longest": "path"}, box)
    position, rng = variant.start(), random.Random(seed)
    while not position.is_over:
        if position.waiting:
            position.act(0, rng.choice(position.legal_actions(0)))
        else:
            position.apply_outcome(rng.choice(position.outcome_numbers()[0]))
    assert position.score(0)["longest"] == longest_by_trying(board_of(position, 0))


@pytest.mark.parametrize("direction", range(4))
@pytest.mark.parametrize("tiles", [64] if not PURE else [12])
def test_a_line_of_all_tiles(direction: int, tiles: int) -> None:
    """§P1, R11: all tiles in a straight line, in each direction, and never an edge. No board has more open cells."""
    variant = Variant(GAME, {}, small_box(("I", "S-S-", tiles), start="SSSS", hand=1))
    position = variant.start()
    row, col = STEPS[direction]
    sides = "S-S-" if row else "-S-S"
    for step in range(1, tiles + 1):
        assert int(position.state["opened"][0]) == 2 * step + 2 <= int(variant.box["room"])
        position.roll("I")
        assert f"I {row * step},{col * step} {sides}" in position.legal_moves()
        assert "?" not in "".join(position.legal_moves())
        position.play(f"I {row * step},{col * step} {sides}")
    assert position.is_over
    assert position.score(0) == {"streets": tiles + 1, "greenways": 0, "parks": 0, "longest": 0, "unused": 0}
    size = GAME.rules.height(position.state, 0), GAME.rules.width(position.state, 0)
    assert sorted(size) == [1, tiles + 1]
    assert parse_position(variant, position.text.partition(";")[2]).key == position.key
    assert max(len(line) for line in str(position.draw(0)).splitlines()) <= 110


def board_of(position: Position, seat: int) -> dict[tuple[int, int], str]:
    """The tiles by row and column."""
    text = position.text.split(";")[3 + seat].split(",")[5]
    words = [word.split(":") for word in text.split("/")] if text != "-" else []
    start = str(position.variant.file.get("start", "sides"))
    return {(0, 0): start} | {(int(row), int(col)): sides for _, row, col, sides in words}


def networks_of(cells: dict[tuple[int, int], str], letter: str) -> list[set[tuple[int, int]]]:
    """Which tiles hang together by streets, or by greenways."""
    left, found = {cell for cell in cells if letter in cells[cell]}, []
    while left:
        reached, todo = set(), [left.pop()]
        while todo:
            cell = todo.pop()
            reached.add(cell)
            for side, (row, col) in enumerate(STEPS):
                other = (cell[0] + row, cell[1] + col)
                if cells[cell][side] == letter and other in left:
                    left.discard(other)
                    todo.append(other)
        found.append(reached)
    return found


@pytest.mark.parametrize("seed", range(2 if PURE else 25))
def test_what_the_record_keeps_is_true(seed: int) -> None:
    """§8, §9, §11: networks, open cells and green lines, kept from tile to tile, against a look at the whole board."""
    match = lamplighter.load("greenways?seats=2").match(seed=seed)
    rng = random.Random(seed)
    while not match.is_over:
        match.roll()
        for seat in match.waiting:
            match.act(seat, rng.choice(match.position.legal_actions(seat)))
        state, cells = match.position.state, board_of(match.position, seed % 2)
        seat = seed % 2
        opened = {(r + row, c + col) for r, c in cells for row, col in STEPS} - set(cells)
        kept = open_cells(state, seat)
        assert [(cell // 180 - 90, cell % 180 - 90) for cell in kept] == sorted(opened)
        assert [board.open_cell(state, seat, i) for i in range(len(kept))] == list(kept)
        assert all(board.look_around(match.variant.box, state, seat, cell) == kept[cell] & 0x3FF for cell in kept)
        for kind, letter in enumerate("SG"):
            looked = []
            for tiles in networks_of(cells, letter):
                ends = [
                    (r + row, c + col)
                    for r, c in tiles
                    for side, (row, col) in enumerate(STEPS)
                    if cells[r, c][side] == letter and (r + row, c + col) not in cells
                ]
                looked.append((len(tiles), len(ends)))
            found = networks(match.variant.box, state, seat, kind)
            assert sorted(looked) == sorted((len(network.tiles), network.ends) for network in found)
        green = [cell for cell in cells if "G" in cells[cell]]
        lines = len({row for row, _ in green}), len({col for _, col in green})
        assert green_lines(match.variant.box, state, seat) == lines


# --- the end --------------------------------------------------------------------------------------------------


def test_nothing_fits() -> None:
    """§3, R13: nothing can be laid beside this start tile, so that the game is over before it begins."""
    position = Variant(GAME, {"seats": 2}, small_box(("B", "----", 3))).start()
    assert position.is_over
    assert (position.turn, position.waiting, position.outcomes(), position.chance_seat) == (0, (), {}, None)
    assert (position.totals, position.winners(), position.facts(1)["won"]) == ([4, 4], [0, 1], 0)
    assert parse_position(position.variant, position.text.partition(";")[2]).key == position.key


def test_nothing_fits_any_more() -> None:
    """§3, R13: the last open street can be ended with an intersection only, and there is none in the pile."""
    variant = Variant(GAME, {}, small_box(("E", "S---", 5), start="SS--"))
    position = reveal(variant.start(), "E E E")
    assert position.legal_moves() == ["E -1,0 --S-", "E 0,1 ---S"]
    position.play("E -1,0 --S-")
    assert position.is_over
    assert position.facts(0) == {"won": 0, "placed": 1, "redraws": 0}
    assert position.score(0)["unused"] == 4


def test_the_pile_runs_out() -> None:
    """§3, R13"""
    position = Variant(GAME, {}, small_box(("I", "S-S-", 2), hand=1)).start()
    run(reveal(position, "I"), "I 1,0 S-S-")
    run(reveal(position, "I"), "I 2,0 S-S-")
    assert position.is_over
    assert position.facts(0) == {"won": 0, "placed": 2, "redraws": 0}
    assert position.score(0)["unused"] == 0


def test_buildings_stretch_the_board() -> None:
    """§11, R11: two columns are enough here, unless a building has made a row without a greenway."""
    variant = Variant(GAME, {}, small_box(("G", "G-G-", 2), ("B", "----", 2), start="-G-G", rows=1, columns=2))
    assert run(at(hand="G+G+B", variant=variant), "G 0,1 -G-G").facts(0)["won"] == 1
    position = run(at("B:-1:0:----", "G+G+B", variant), "G 0,1 -G-G")
    assert (position.is_over, position.facts(0)["won"]) == (False, 0)
    assert GAME.rules.height(position.state, 0) == 2


def test_the_win_comes_before_the_pile() -> None:
    """§11: the last tile of the pile wins."""
    variant = Variant(GAME, {}, small_box(("G", "G-G-", 1), start="-G-G", rows=1, columns=2))
    position = run(reveal(variant.start(), "G"), "G 0,1 -G-G")
    assert (position.is_over, position.facts(0)["won"], position.score(0)["unused"]) == (True, 1, 0)


# --- a race ---------------------------------------------------------------------------------------------------


def play_by_rule(match: Match, seat: int, rule: int, step: int) -> None:
    moves = match.legal_moves(seat)
    match.play(random.Random(f"{rule} {step}").choice(moves), seat)


@pytest.mark.parametrize("seed", ["1", "another"])
def test_a_race_is_solo_games(seed: str) -> None:
    """R14: each seat of a race plays exactly the solo game of its seed; those who choose alike meet the same tiles."""
    rules = (0, 1, 0)
    race = lamplighter.load("greenways?seats=3").match(seed=seed)
    for step in itertools.count():
        race.roll()
        for seat in reversed(race.waiting):
            play_by_rule(race, seat, rules[seat], step)
        if race.is_over:
            break
    for seat, rule in enumerate(rules):
        solo = lamplighter.load("greenways").match(seed=seed)
        for step in itertools.count():
            solo.roll()
            if solo.is_over:
                break
            play_by_rule(solo, 0, rule, step)
        own = [(entry.kind, entry.text) for entry in race.log if entry.seat == seat]
        assert own == [(entry.kind, entry.text) for entry in solo.log]
        assert race.score(seat) == solo.score(0)
        assert race.position.facts(seat) == solo.position.facts(0)


def test_rounds_of_a_race() -> None:
    """§2, R14: hands seat by seat, then tiles in any order; whose game is over gets none."""
    box = small_box(("G", "G-G-", 4), ("S", "S-S-", 4), hand=2, rows=1, columns=2)
    position = Variant(GAME, {"seats": 3}, box).start()
    for seat in range(3):
        assert (position.chance_seat, position.waiting) == (seat, ())
        reveal(position, "G S")
    assert (position.chance_seat, position.waiting, position.outcomes()) == (None, (0, 1, 2), {})
    position.play("S 1,0 S-S-", 2)
    assert (position.waiting, position.turn) == ((0, 1), 1)
    position.play("G 0,1 -G-G", 1)
    assert position.facts(1) == {"won": 1, "placed": 1, "redraws": 0}
    position.play("S 1,0 S-S-", 0)
    assert (position.turn, position.chance_seat) == (2, 0)
    reveal(position, "G S")
    assert position.chance_seat == 2
    reveal(position, "G S")
    assert position.waiting == (0, 2)


def test_who_wins_a_race() -> None:
    """R14: the total, then the goal."""
    box = small_box(("G", "G-G-", 1), ("S", "S-S-", 1), hand=2, rows=1, columns=2)
    position = Variant(GAME, {"seats": 3}, box).start()
    reveal(position, "G S G S G S")
    position.play("G 0,1 -G-G", 0)
    position.play("S 1,0 S-S-", 1)
    position.play("S 1,0 S-S-", 2)
    reveal(position, "G G")
    position.play("G 0,-1 -G-G", 1)
    position.play("G 0,1 -G-G", 2)
    assert position.is_over
    assert (position.totals, position.winners()) == ([3, 2, 2], [0])
    standing = position.results()["standing"].tolist()
    assert standing == [7, 4, 4]


# --- text -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("S2 1,0", "write the tile, the cell and the tile's sides"),
        ("S9 1,0 S-S-", "there is no tile 's9'"),
        ("START 1,0 SGSG", "there is no tile 'start'"),
        ("S2 c3 S-S-", "'c3' is not a cell"),
        ("S2 1,0 SS--", "the tile S2 cannot have the sides 'SS--': they can be S-S-, -S-S"),
        ("S2 1000,0 S-S-", "1000,0 is too far away"),
    ],
)
def test_moves_that_cannot_be_read(move: str, reason: str) -> None:
    with pytest.raises(BadNotation) as error:
        at(hand="S2+GE+B").play(move)
    assert reason in str(error.value)


def test_named_parts() -> None:
    position = at(hand="P1+GE+B")
    action = position.parse_move(0, "p1 0,-1 -g--")
    fields = GAME.notation.move_fields(position.variant, position.state, 0, action)
    assert fields == {
        "kind": "place", "tile": "P1", "cell": "0,-1", "row": 0, "column": -1, "sides": "-G--",
        "park": True, "building": False, "intersection": False,
    }  # fmt: skip
    start = position.variant.start()
    outcome = GAME.notation.outcome_fields(start.variant, start.state, 0)
    assert outcome == {"kind": "tile", "seat": 0, "tile": "S2", "left": 6}


def test_tiles_have_names_for_people() -> None:
    assert [GAME.texts.say(at().variant, text) for text in ("GE", "no tile")] == ["greenway, end", "no tile"]


def test_left_to_draw() -> None:
    """§2 A drawn tile is not in the pile."""
    start = at().variant.start()
    before = GAME.notation.left_to_draw(start.variant, start.state, 0)
    start.roll("S2")
    assert GAME.notation.left_to_draw(start.variant, start.state, 0) == {**before, "S2": before["S2"] - 1}


def test_actions_that_are_none() -> None:
    position = at(hand="S2+GE+B")
    reasons = GAME.state.Reason
    check = GAME.rules.check
    for action in (-1, 4 * 46, position.variant.action_count - 1, position.variant.action_count + 62):
        assert check(position.variant.box, position.state, 0, action) == reasons.NO_SUCH_ACTION
        assert position.refusal(0, action) is not None
    far = GAME.rules.far_action(position.variant.box, 90 * 181 + 1, 0)
    assert check(position.variant.box, position.state, 0, far) == reasons.NO_SUCH_ACTION, (
        "an open cell has its own number"
    )


GOOD = "2;-;6,0,S2+GE+B,-,-,S2:1:0:S-S-"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("2;-", "x;-", "'x' is not the number of a round"),
        ("2;-", "64;-", "'64' is not the number of a round"),
        ("2;-", "2;1", "'1' is not a seat that tiles can be dealt to"),
        ("2;-", "2;0", "seat 0 has a full hand"),
        ("2;-", "3;-", "in round 3"),
        ("2;-", "1;-", "round 1 is over"),
        ("6,0,S2", "x,0,S2", "'x' is not a number of draws"),
        ("6,0,S2", "5,0,S2", "cannot have drawn 5 tiles"),
        ("6,0,S2", "6,1,S2", "cannot have drawn 6 tiles"),
        ("S2+GE+B,-", "S2+GE+B+B,-", "4 tiles in hand or aside"),
        ("6,0,S2+GE+B", "4,0,S2", "must have a full hand"),
        ("6,0,S2+GE+B", "3,0,-", "must have a full hand"),
        ("S2+GE+B", "S2+GE+Q", "there is no tile 'Q'"),
        ("B,-,-", "B,SX,-", "must have a full hand, and nothing aside"),
        ("B,-,-", "B,SX+SX,-", "more tiles SX than there are"),
        ("B,-,-", "B,-,SX", "cannot have thrown 1 tiles away"),
        ("S2:1:0:S-S-", "S2:1:0", "'S2:1:0' is not a tile"),
        ("S2:1:0:S-S-", "S2:2:0:S-S-", "the cell is taken or touches no tile (§P1)"),
        ("S2:1:0:S-S-", "S2:0:1:S-S-", "§P2 touching sides must match"),
        ("S2:1:0:S-S-", "S2:1:0:SS--", "cannot have the sides 'SS--'"),
        ("S2:1:0:S-S-", "S2:999:0:S-S-", "too far away"),
        (",S2:1:0:S-S-", "", "must have draws, redraws, hand, aside, gone and tiles"),
        ("-,-,S2", "-,-;S2", "joined with ';'"),
    ],
)
def test_positions_that_cannot_be(old: str, new: str, reason: str) -> None:
    variant = lamplighter.load("greenways")
    parse_position(variant, GOOD)
    with pytest.raises(BadNotation) as error:
        parse_position(variant, GOOD.replace(old, new, 1))
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1;-;3,0,B+B+B,-,-,-", "can use no tile of its hand"),
        ("1;0;4,0,S2,B+B+B,-,-", "cannot have drawn 4 tiles in 0 hands"),
        ("1;0;4,1,S2,S2+B+B,-,-", "cannot have these tiles aside"),
        ("1;0;4,1,S2,B+B,-,-", "cannot have these tiles aside"),
    ],
)
def test_hands_that_cannot_be(text: str, reason: str) -> None:
    variant = lamplighter.load("greenways")
    parse_position(variant, "1;0;4,1,S2,B+B+B,-,-")
    with pytest.raises(BadNotation) as error:
        parse_position(variant, text)
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1;1;3,0,S2+S2+B,-,-,-;3,0,S2+S2+B,-,-,-", "seat 1 has a full hand"),
        ("1;0;0,0,-,-,-,-;3,0,S2+S2+B,-,-,-", "seat 1 can have no tiles in hand"),
        ("1;1;0,0,-,-,-,-;0,0,-,-,-,-", "seat 0 must have a full hand"),
        ("1;1;3,0,-,-,-,S2:1:0:S-S-;0,0,-,-,-,-", "seat 1 cannot be dealt to now"),
        ("1;-;6,0,S2+S2+B,-,-,S2:1:0:S-S-;3,0,S2+S2+B,-,-,-", "seat 0 can have no tiles in hand"),
    ],
)
def test_rounds_that_cannot_be(text: str, reason: str) -> None:
    variant = lamplighter.load("greenways?seats=2")
    parse_position(variant, "1;1;3,0,S2+S2+B,-,-,-;2,0,S2+B,-,-,-")
    parse_position(variant, "1;-;3,0,-,-,-,S2:1:0:S-S-;3,0,S2+S2+B,-,-,-")
    with pytest.raises(BadNotation) as error:
        parse_position(variant, text)
    assert reason in str(error.value)


def test_nothing_after_the_goal() -> None:
    """§11: the game is over with the tile that reaches the goal."""
    variant = Variant(GAME, {}, small_box(("G", "G-G-", 3), start="-G-G", rows=1, columns=2))
    assert parse_position(variant, "1;-;3,0,-,-,-,G:0:1:-G-G").is_over
    with pytest.raises(BadNotation, match="it has reached the goal"):
        parse_position(variant, "2;-;5,0,-,-,-,G:0:1:-G-G/G:0:2:-G-G")
    with pytest.raises(BadNotation, match="can have no tiles in hand"):
        parse_position(variant, "1;-;5,0,G+G,-,-,G:0:1:-G-G")
    with pytest.raises(BadNotation, match="in round 0"):
        parse_position(variant, "0;-;3,0,-,-,-,G:0:1:-G-G")


@pytest.mark.parametrize(("columns", "shows"), [(3, "════╪"), (20, "═╪═"), (40, "╪")])
def test_wide_boards_are_drawn_small(columns: int, shows: str) -> None:
    """The sheet fits a terminal: tiles of five characters, of three, of one."""
    variant = Variant(GAME, {}, small_box(("I", "S-S-", 60), ("X", "SGSG", 1), start="SSSS", hand=1))
    tiles = ["X:0:1:GSGS", *(f"I:0:{column}:-S-S" for column in range(2, columns))]
    text = str(at("/".join(tiles), variant=variant).draw(0))
    assert shows in text
    assert max(len(line) for line in text.splitlines()) <= 100


# --- figures --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(PURE or BOUNDS_CHECKED, reason="thousands of matches")
def test_figures_of_play() -> None:
    """R1: near the figures that the tiles were chosen by; a bot of one thought does better than they ask."""
    variant = lamplighter.load("greenways")
    uniform = simulate(variant, bots.seat_bots("uniform", 1), 4000, "1")
    assert np.concatenate(uniform.totals).mean() == pytest.approx(74.5, abs=0.7)
    won, placed, redraws = uniform.facts[0] / uniform.games
    assert won == pytest.approx(0.006, abs=0.006)
    assert placed == pytest.approx(57.3, abs=0.6)
    assert redraws == pytest.approx(2.9, abs=0.6)
    greedy = simulate(variant, bots.seat_bots("greedy", 1), 2000, "1")
    assert np.concatenate(greedy.totals).mean() > 95
    assert greedy.facts[0, 0] / greedy.games > 0.72


def test_greedy_finishes_variants() -> None:
    """The evaluation copes with boxes and options unlike the usual ones."""
    for path in sorted((GAME.folder / "tests" / "boxes").glob("*.toml")):
        box = ComponentFile(path.read_text(encoding="utf-8"), path.name)
        for options in ({}, {"seats": 2, "longest": "path", "leftover": "discard"}):
            variant = Variant(GAME, options, box)
            result = simulate(variant, bots.seat_bots("greedy", variant.seats), 1 if PURE else 20, "1")
            assert result.games == (1 if PURE else 20)
