"""`engine.explanation`: what is told about a scoring line. What each game says is in tests/test_explain.py."""

from __future__ import annotations

import pytest

import lamplighter
from lamplighter.engine.explanation import Explanation, explain_line, score_cells
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError


def test_an_explanation_is_a_sentence() -> None:
    assert str(Explanation("rows", 5, ("a1", "a2"), "Rows that rise: 1.")) == (
        "rows: 5 points. Rows that rise: 1. Cells: a1 a2."
    )
    assert str(Explanation("rows", 0, (), "")) == "rows: 0 points."


def test_every_line_is_explained(game: Game) -> None:
    variant = Variant(game)
    position = variant.start()
    for line in variant.score_lines:
        told = explain_line(variant, position.state, 0, line, 3)
        assert told.line == line and told.points == 3
        assert list(told.cells) == list(dict.fromkeys(score_cells(variant, position.state, 0).get(line, [])))


def test_an_unknown_line_suggests_the_nearest(game: Game) -> None:
    variant = Variant(game)
    with pytest.raises(LamplighterError) as refused:
        explain_line(variant, variant.start().state, 0, variant.score_lines[0] + "x", 0)
    assert variant.score_lines[0] in str(refused.value)


def test_a_game_without_explanations_says_so() -> None:
    position = lamplighter.load("connect_four").start()
    assert position.variant.game.explain is None
    told = position.why_score("won", 0)
    assert "does not say which cells" in told.sentence and told.cells == ()
