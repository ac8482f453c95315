"""`bots.kernels`: loops around a game's kernels for hints and hindsight."""

from __future__ import annotations

import numpy as np
import pytest

import lamplighter
from lamplighter.bots.kernels import HERE, compiled
from lamplighter.bots.search.compiled import SOURCES
from lamplighter.cli import kernels as warming
from lamplighter.engine.defaults import SCORE_LINES
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant


def test_every_legal_action_is_rated(game: Game) -> None:
    """The actions are those that the rules allow, and each is rated as `evaluate` rates the state after it."""
    if game.evaluate is None:
        pytest.skip("this game says nothing about what states are worth")
    variant = Variant(game)
    match = variant.match(seed="3")
    match.roll()
    seat, position = match.waiting[0], match.position
    states = np.zeros(2, game.state.STATE)
    states[0] = position.state
    actions, values, lines = (np.zeros(max(variant.max_legal, SCORE_LINES), np.int64) for _ in range(3))
    n = compiled(game, "rate_actions")(variant.boxes, states, seat, actions, values, lines)
    assert actions[:n].tolist() == position.legal_actions(seat)
    assert states[0].tobytes() == position.state.tobytes(), "the state itself is left as it is"
    for action, value in list(zip(actions[:n].tolist(), values[:n].tolist(), strict=True))[:20]:
        after = position.copy()
        after.apply(seat, action)
        assert value == game.evaluate(variant.box, after.state, seat, lines)


def test_equal_numbers_have_equal_hashes() -> None:
    game = lamplighter.load("connect_four").game
    found = np.zeros((3, 2), np.int64)
    for i, numbers in enumerate(([1, 2, 3], [1, 2, 3], [1, 2, 4])):
        compiled(game, "hash_into")(np.array(numbers), np.zeros(2, np.int64), found[i])
    assert found[0].tolist() == found[1].tolist() != found[2].tolist()


def test_warming_up_knows_all_files_that_are_compiled_for_a_game() -> None:
    """Else a game would count as compiled when it is not, or never."""
    assert (HERE, *SOURCES) == warming.BOTS
