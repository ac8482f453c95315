"""`engine.grid`: squares and their names."""

from __future__ import annotations

import pytest

from lamplighter.engine.grid import EIGHT, FOUR, format_cell, parse_cell
from lamplighter.errors import BadNotation


def test_names_round_trip() -> None:
    squares = [(row, col) for row in range(9) for col in range(12)]
    assert [parse_cell(format_cell(*square), 9, 12) for square in squares] == squares
    assert parse_cell("B3", 9, 12) == (1, 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("c", "cannot read the square 'c'"),
        ("3c", "cannot read the square"),
        ("c³", "cannot read the square"),
        ("c100", "cannot read the square"),
        ("j0", "there is no square 'j0': the grid goes from a0 to i11"),
        ("a12", "there is no square 'a12'"),
    ],
)
def test_wrong_names_are_refused(text: str, said: str) -> None:
    with pytest.raises(BadNotation) as refused:
        parse_cell(text, 9, 12)
    assert said in str(refused.value)


def test_neighbours() -> None:
    assert len(set(EIGHT)) == 8 and set(FOUR) < set(EIGHT)
    assert all((-row, -col) in EIGHT for row, col in EIGHT)
