"""`engine.defaults`: what a game leaves out is filled in, and says what the game would have said."""

from __future__ import annotations

import numpy as np
from walks import random_match

from lamplighter.engine import defaults, kernels
from lamplighter.engine.contract import MODULES
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant
from lamplighter.jit import bind


def test_every_optional_kernel_has_a_default() -> None:
    wanted = {need.name for need in MODULES["rules"].members() if need.default}
    assert wanted == set(kernels.DEFAULTS)


def test_defaults_say_what_the_game_says(game: Game) -> None:
    """`legal_actions` of a game may be faster than asking `check`; the default is the slow way, and never different."""
    variant = Variant(game)
    position = random_match(variant, 3, 10).position
    slow = bind(defaults.checked_actions, **vars(game.kernels))
    room, more = np.zeros(5000, np.int64), np.zeros(5000, np.int64)
    for seat in range(variant.seats):
        n = game.kernels.legal_actions(variant.box, position.state, seat, room)
        assert slow(variant.box, position.state, seat, more) == n
        assert (room[:n] == more[:n]).all()
