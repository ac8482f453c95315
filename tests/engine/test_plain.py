"""`engine.plain`: defaults for the modules that a game leaves out. tests/engine/test_contract.py plays such a game."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import lamplighter
from lamplighter.engine import plain
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadNotation


def test_a_position_is_its_bytes(game: Game) -> None:
    variant = Variant(game)
    state = variant.start().state
    text = plain.format_position(variant, state)
    assert plain.parse_position(variant, text).tobytes() == state.tobytes()
    for wrong in (text[:-4], text + "AAAA", "?" * len(text), ""):
        with pytest.raises(BadNotation, match="bytes of its record"):
            plain.parse_position(variant, wrong)


def test_moves_and_outcomes_are_numbers() -> None:
    variant = lamplighter.load("connect_four")
    state = variant.start().state
    assert plain.parse_move(variant, state, 0, plain.format_move(variant, state, 0, 12)) == 12
    assert plain.move_fields(variant, state, 0, 12) == {"action": 12}
    assert plain.outcome_fields(variant, state, 3) == {"outcome": int(plain.format_outcome(variant, state, 3))}
    with pytest.raises(BadNotation, match="a number below 7"):
        plain.parse_move(variant, state, 0, "c")


def test_a_box_of_options(game: Game) -> None:
    made = plain.components(game)
    options = {option.name: option.values[-1] for option in game.options}
    box = made.build(None, options)[0]
    for option in game.options:
        value = option.values[-1]
        assert box[option.name] == (option.values.index(value) if isinstance(value, str) else value)


def test_the_sheet_lists_the_fields(game: Game) -> None:
    state = Variant(game).start().state
    lines = plain.draw_text(Variant(game), state, 0)
    assert [line[0][0].strip() for line in lines] == list(state.dtype.names)


def test_defaults_fill_gaps_only() -> None:
    filled = plain.WithDefaults(SimpleNamespace(one=1), SimpleNamespace(one=0, two=2))
    assert (filled.one, filled.two, filled.two) == (1, 2, 2)
    with pytest.raises(AttributeError):
        filled.three  # noqa: B018
    assert np.dtype(plain.components(lamplighter.load("connect_four").game).BOX).names == ("seats",)
