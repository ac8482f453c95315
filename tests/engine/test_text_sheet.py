"""`engine.text_sheet`: sheets as lines of text in roles."""

from __future__ import annotations

from lamplighter.engine.text_sheet import ROLES, TextSheet, side_by_side

LEFT = [[("ab", "ink")], [("c", "lamp"), ("  ", "ink")]]
RIGHT = [[("x", "title")], [("y", "print")], [("z", "print")]]


def test_text_forgets_the_roles() -> None:
    assert str(TextSheet(LEFT)) == "ab\nc"
    assert {role for line in LEFT + RIGHT for _, role in line} <= set(ROLES)


def test_side_by_side() -> None:
    together = side_by_side(LEFT, RIGHT, gap=2)
    assert str(TextSheet(together)) == "ab   x\nc    y\n     z"
    assert together[1][0] == ("c", "lamp")
    assert side_by_side([], RIGHT, gap=0)[0][-1] == ("x", "title")
    assert LEFT[1] == [("c", "lamp"), ("  ", "ink")], "what is given stays as it is"
