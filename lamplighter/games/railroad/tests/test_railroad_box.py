"""Boxes of Railroad that are not the usual one: played beside the reference, drawn, printed; and what is odd about a file."""

from __future__ import annotations

import functools
import re
from typing import Any

import pytest
from test_against_reference import load_reference, walk_together
from walks import random_match

from lamplighter import games, svg
from lamplighter.engine import record
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.position import parse_position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, BadNotation
from lamplighter.games.railroad import components, explain, picture
from lamplighter.games.railroad.components.tables import MAX_SPACES
from lamplighter.jit import BOUNDS_CHECKED, PURE
from lamplighter.paper import page_count, print_game, print_match

GAME = games.load("railroad")
WIDE = (GAME.folder / "tests" / "boxes" / "wide_board.toml").read_text(encoding="utf-8")
SLOW = PURE or BOUNDS_CHECKED
PLAYED: list[dict[str, Any]] = [
    {},
    {"seats": 2, "expansion": "lamps"},
    {"expansion": "power"},
    {"seats": 3, "edition": "challenge"},
    {"edition": "challenge", "expansion": "lamps", "dead_end_station": True},
    {"edition": "challenge", "expansion": "power", "accumulator_centre": True},
]
SIZES = [(3, 3), (9, 5), (4, 9), (7, 8), (8, 7), (6, 9)]


@functools.cache
def reference() -> Any:
    return load_reference(GAME)


def wide(**options: Any) -> Variant:
    return Variant(GAME, options, ComponentFile(WIDE, "wide_board.toml"))


def sized(rows: int, columns: int) -> str:
    """The usual box on a board of another size, with an exit at every second space of the edge and structures in between."""

    def name(row: int, column: int) -> str:
        return f"{chr(ord('A') + row)}{column}"

    edge = [(0, column, "N") for column in range(columns)] + [(row, columns - 1, "E") for row in range(1, rows)]
    edge += [(rows - 1, column, "S") for column in range(columns - 2, -1, -1)] + [
        (row, 0, "W") for row in range(rows - 2, 0, -1)
    ]
    exits = [f'{{ space = "{name(row, col)}", side = "{side}", type = "{"HR"[i // 2 % 2]}" }}'
             for i, (row, col, side) in enumerate(edge) if i % 2]  # fmt: skip
    others = [name(row, col) for i, (row, col, _) in enumerate(edge) if i % 2 == 0][:4]
    middle = name(rows // 2, columns // 2)
    board = [
        f"[board]\nsize = [{rows}, {columns}]\ncentre = [\"{middle}\"]\naccumulator = \"{middle}\"\nmiddle_exits = []",
        f"exits = [{', '.join(exits)}]",
        f"[structures]\nfactories = [\"{others[0]}\"]\nvillages = [\"{others[1]}\"]",
        f"universities = {others[2:]}".replace("'", '"'),
    ]  # fmt: skip
    text = "\n".join(board) + "\n" + GAME.box_text[GAME.box_text.index("# Rounds of a match") :]
    points = f"exit_points = {[0, *(4 * i for i in range(len(exits)))]}"
    text = re.sub(r"exit_points = \[.*?\]", points, text)
    text = text.replace("village_points = [2, 4, 6, 8]", "village_points = [2]")
    return re.sub(r"at_least = \d+", "at_least = 1", text)


@pytest.mark.parametrize("options", PLAYED, ids=str)
def test_another_sheet_is_played_as_the_reference_does(options: dict[str, Any]) -> None:
    """§1–§7 Whole matches on a sheet that differs in everything."""
    for seed in range(1 if SLOW else 4):
        assert walk_together(wide(**options), reference(), seed) > 20


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_other_sizes_are_played_as_the_reference_does(rows: int, columns: int) -> None:
    """§1.1 From the smallest board to the largest, high and wide."""
    assert rows * columns <= MAX_SPACES
    box = ComponentFile(sized(rows, columns), "sized.toml")
    for expansion in ("lamps",) if SLOW else ("lamps", "power"):
        variant = Variant(GAME, {"edition": "challenge", "expansion": expansion}, box)
        assert walk_together(variant, reference(), rows) > 20


@pytest.mark.parametrize("options", PLAYED, ids=str)
def test_another_sheet_is_told_and_drawn(options: dict[str, Any]) -> None:
    """Positions, records, text sheets, pictures and explanations follow the box."""
    variant = wide(**options)
    match = random_match(variant, 5)
    assert record.parse_record(match.text).position.key == match.position.key
    for number, (_, moment) in enumerate(match.replay()):
        if number % (40 if SLOW else 9):
            continue
        assert parse_position(variant, moment.text.partition(";")[2]).key == moment.key
        for seat in range(variant.seats):
            assert max(len(line) for line in str(moment.draw(seat)).splitlines()) <= 80
            drawn = picture.draw(variant, moment.state, seat)
            assert set(drawn.cells) == {f"{row}{column}" for row in "abcdef" for column in range(9)}
            for target in picture.targets(variant, moment.state, seat):
                assert not target.symbol or target.symbol in drawn.symbols
                assert 0 <= target.x <= drawn.width and 0 <= target.y <= drawn.height
            cells = explain.score_cells(variant, moment.state, seat)
            assert len(cells["centre"]) == moment.score(seat)["centre"]
            assert len(cells["highway"]) == moment.score(seat)["highway"]
    blank = svg.frame(picture.draw(variant, None, 0), "blank", "blank")
    assert ">60<" in blank, "what fourteen exits are worth"
    assert len(picture.figures(variant)) == 1


def test_another_sheet_is_printed() -> None:
    """Blank sheets, dice to cut out and rules as one PDF."""
    variant = wide(edition="challenge", expansion="power")
    faces = picture.cutouts(variant)[0].kinds
    assert sum(count for _, count in faces) == 8 + 8 + 4 + 4 + 5 + 3 * 5
    assert len(picture.cutouts(variant)[1].kinds) == 10, "a card for each goal"
    assert page_count(print_game(variant, copies=2, rules=True)) > 3
    assert page_count(print_match(random_match(variant, 1))) > 0


def test_names_end_with_the_board() -> None:
    """§1.1 Rows a to f, columns 0 to 8."""
    start = wide(expansion="lamps").start()
    assert start.parse_move(0, "lamps row f") + 9 == start.parse_move(0, "lamps column 8")
    for move in ("road g0 ew", "road a9 ew", "lamps row g", "lamps column 9"):
        with pytest.raises(BadNotation):
            start.parse_move(0, move)


def test_goals_that_the_box_does_not_have() -> None:
    """§4.4 Ten goals, so neither K nor L."""
    assert list(wide(edition="challenge").start().outcomes())[-1] == "goal j"
    with pytest.raises(BadBox, match="asks for the goals ABK, and this box has only ABCDEFGHIJ"):
        wide(edition="challenge", goals="abk")


def test_a_box_without_special_routes() -> None:
    """§2.3, §4.2 Then a university has nothing to give: it is skipped."""
    text = GAME.box_text.partition("# The special routes")[0] + "[specials]\n"
    text = text.replace("specials_a_game = 3", "specials_a_game = 0").replace(
        "specials_a_round = 1", "specials_a_round = 0"
    )
    variant = Variant(GAME, {"edition": "challenge"}, ComponentFile(text, "plain.toml"))
    for seed in range(1 if SLOW else 3):
        assert walk_together(variant, reference(), seed) > 20
    assert picture.draw(variant, None, 0).body


# --- oddities -------------------------------------------------------------------------------------------------

ODD = [
    ('A = ["A0", "A1", "A2", "A3", "A4", "A5"]', 'A = ["A0", "A1", "A2", "A3", "A4", "A4"]', "shows the route A5, highway-curve"),
    ('base = ["A", "A", "A", "B"]', 'base = ["A", "A", "A", "D"]', "die B is in no set"),
    ('lamps = ["L", "L"]', "lamps = []", "the expansion lamps has no dice"),
    ('A5 = { name = "highway-curve", segments = [{ N = "H", W = "H" }] }',
     'A5 = { name = "highway-curve", segments = [{ N = "H", S = "H" }] }', "A5 looks like A4"),
    ('base = ["A", "A", "A", "B"]\nchallenge = ["A", "A", "C", "D"]', 'base = ["E"]\nchallenge = ["A", "A", "C", "D"]',
     "no die of the base set continues the railway exit at A3"),
    ('centre = ["C2", "C3", "C4", "D2", "D3", "D4", "E2", "E3", "E4"]', "centre = []", "the board has no centre"),
    ('accumulator = "D3"', 'accumulator = "C4"', "the village at C4 lies under the accumulator"),
    ('accumulator = "D3"', 'accumulator = "F2"', "the factory at F2 lies under the accumulator"),
    ("universities_for_special = 3", "universities_for_special = 5", "5 universities are needed"),
    ("none = 7", "none = 13", "13 rounds of 4 routes \\(base, none\\) do not fit on 7 × 7"),
    ("specials_a_round = 1", "specials_a_round = 4", "a round allows more special routes than a match"),
    ("exit_points = [0, 0, 4, 8", "exit_points = [0, 0, 9, 8", "exit_points should not fall: 8 follows 9"),
    ("goal_points = [4, 2, 1]", "goal_points = [4, 2, 3]", "goal_points should not rise: 3 follows 2"),
    ("solo_goal_rounds = [3, 4, 5]", "solo_goal_rounds = [3, 4, 9]", "goal 3 is early until round 9"),
    ('B = { kind = "villages", at_least = 3 }', 'B = { kind = "villages", at_least = 5 }', "goal B asks for 5"),
    ('D = { kind = "corners", at_least = 3 }', 'D = { kind = "corners", at_least = 5 }', "goal D asks for 5"),
    ('K = { kind = "opposite", at_least = 1 }', 'K = { kind = "loop", at_least = 1 }', "goal K is the same"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said"), ODD, ids=lambda text: str(text)[:24])
def test_what_is_odd_is_said(old: str, new: str, said: str) -> None:
    """Every oddity is told with its place in the file, and the file can be played all the same."""
    assert old in GAME.box_text
    text = GAME.box_text.replace(old, new, 1)
    if '["E"]' in new:
        text = text.replace("[dice]\n", '[dice]\nE = ["A3", "A4", "A5", "A3", "A4", "A5"]\n')
    file = ComponentFile(text, "odd.toml")
    found = components.oddities(file)
    told = [(words, path) for words, path in found if re.search(said, words)]
    assert told, found
    assert file.line_of(*told[0][1]) > 0
    assert Variant(GAME, {"edition": "challenge"}, file).start().outcomes()


def test_more_that_is_odd() -> None:
    """One exit, no stations for villages, more special routes than there are."""
    text = re.sub(r"exits = \[\n(    \{[^\n]*\n)(    \{[^\n]*\n)+\]", r"exits = [\n\1]", GAME.box_text)
    text = text.replace('middle_exits = ["A3N", "D0W", "D6E", "G3S"]', "middle_exits = []")
    text = re.sub(r"exit_points = \[.*?\]", "exit_points = [0, 0]", text)
    text = text.replace('challenge = ["A", "A", "C", "D"]', 'challenge = ["A", "A", "D"]')
    text = text.partition("# The special routes")[0] + "[specials]\n"
    said = [words for words, _ in components.oddities(ComponentFile(text, "odd.toml"))]
    for wanted in (
        "one exit alone scores nothing",
        "no route of the Challenge edition holds a station, so villages never count",
        "a match allows 3 special routes, and there are 0",
    ):
        assert wanted in said


def test_the_usual_box_is_not_odd() -> None:
    assert components.oddities(ComponentFile(GAME.box_text, "box.toml")) == []
    assert components.oddities(ComponentFile(WIDE, "wide_board.toml")) == []
