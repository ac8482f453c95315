"""The sheet of Greenways in words."""

from __future__ import annotations

from lamplighter import load


def test_the_sheet_says_what_its_codes_mean_and_counts_one_tile() -> None:
    match = load("greenways").match(seed="1")
    match.roll()
    drawn = str(match.position.draw(0))
    for tile in match.variant.file.get("tiles")[1:]:
        if f" {tile['id']} " in drawn:
            assert tile["name"] in drawn
    assert "S2 6  street, straight" in drawn
    assert "1 row, 1 green" in drawn and "1 tile, 2 open" in drawn and "1 tiles" not in drawn
