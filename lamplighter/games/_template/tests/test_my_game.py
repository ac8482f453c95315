"""My Game: the box, the options, the rulings and the notation. Worked examples are files in examples/.

What holds for every game is tested in tests/ of Lamplighter, over the folder's own reference, examples and boxes.
"""

from __future__ import annotations

import pytest

import lamplighter
from lamplighter import games
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.position import Position, parse_position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, BadNotation

GAME = games.load("my_game")


def at(text: str, options: str = "seats=1") -> Position:
    return parse_position(lamplighter.load(f"{GAME.id}?{options}"), text)


# --- the box --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 6])
def test_turns(seats: int) -> None:
    """§1, §2: nine turns, for any number of players."""
    match = Variant(GAME, {"seats": seats}).match(seed=1)
    while not match.is_over:
        match.roll()
        assert match.waiting == tuple(range(seats))
        for seat in match.waiting:
            match.act(seat, match.position.legal_actions(seat)[-1])
    assert [entry.turn for entry in match.log if entry.kind == "chance"] == list(range(1, 10))


BAD_BOXES = [
    ("size = 3", "size = 2", 7, "size must be a whole number from 3 to 5, not 2"),
    ("size = 3", "sizes = 3", 7, "did you mean 'size'?"),
    ("[0, 2, 5, 9]", "[0, 2, 5]", 10, "row_points must be a list of 4 entries, not 3"),
    ("[0, 3, 7, 12]", "[0, 3, 7, 6]", 11, "points must not fall: 6 follows 7"),
]


@pytest.mark.parametrize(("old", "new", "line", "reason"), BAD_BOXES)
def test_bad_box_is_refused_with_line_and_reason(old: str, new: str, line: int, reason: str) -> None:
    with pytest.raises(BadBox) as caught:
        Variant(GAME, {}, ComponentFile(GAME.box_text.replace(old, new), "my.toml"))
    assert caught.value.line == line
    assert reason in caught.value.reason


def test_what_is_odd_is_said_with_its_line() -> None:
    """Nothing is odd about the game's own box; points for nothing are."""
    assert GAME.components.oddities(ComponentFile(GAME.box_text)) == []
    file = ComponentFile(GAME.box_text.replace("[0, 3, 7, 12]", "[0, 0, 0, 0]"))
    assert GAME.components.oddities(file) == [("column_points gives no points for anything", ("column_points",))]
    assert file.line_of("column_points") == 11


# --- rulings and options --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("equal", "rows"), [("false", 5), ("true", 9)])
def test_equal_numbers(equal: str, rows: int) -> None:
    """R1: 3 6 6 rises only if the option says so."""
    assert at("10;-;123/245/366", f"seats=1&equal={equal}").score(0) == {"rows": rows, "columns": 12}


def test_touching() -> None:
    """R2: with the option, a number must share a side with another from the second turn on."""
    position = at("2;5;4../.../...", "seats=1&touching=true")
    assert position.legal_moves() == ["a1", "b0"]
    refusal = position.why("b1")
    assert refusal is not None
    assert refusal.reason == "NOT_BESIDE"
    assert len(at("1;5;.../.../...", "seats=1&touching=true").legal_moves()) == 9
    assert len(at("2;5;4../.../...").legal_moves()) == 8


def test_victory_shared() -> None:
    """R3, §7: equal totals and equal rows."""
    assert at("10;-;123/456/211;123/456/121", "seats=2").winners() == [0, 1]


# --- notation -------------------------------------------------------------------------------------------------


BAD_POSITIONS = [
    ("1;-", "1 sheets"),
    ("0;-;.../.../...", "'0' is not a turn from 1 to 10"),
    ("1;7;.../.../...", "'7' is not a die"),
    ("10;3;123/456/123", "'3' is not a die"),
    ("1;-;.../...", "3 rows of 3 squares"),
    ("1;-;.../.../..x", "3 rows of 3 squares"),
    ("1;-;4../.../...", "cannot have written 1 numbers in turn 1"),
    ("1;4;4../.../...", "everybody has written, so this is turn 2"),
]


@pytest.mark.parametrize(("text", "reason"), BAD_POSITIONS)
def test_bad_position_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadNotation, match=reason):
        at(text)


def test_sheet() -> None:
    """What rises has an arrow."""
    drawn = str(at("8;5;123/2.4/3.5").draw(0))
    assert drawn.splitlines()[2] == " a │ 1 │ 2 │ 3 │ →"
    assert drawn.splitlines()[-2] == "     ↓       ↓"
    assert drawn.endswith("die 5  rows 2  columns 7")
