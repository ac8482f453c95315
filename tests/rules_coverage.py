"""Every line of every rules.py is run by matches of all variants, the examples and the games' own tests.

Run with NUMBA_DISABLE_JIT=1: compiled code cannot be measured. Lines that nothing ran are printed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import coverage
import numpy as np
import pytest

from lamplighter import games
from lamplighter.engine.position import Position
from lamplighter.jit import PURE


def ask_out_of_turn(position: Position) -> None:
    """What the kernels say to a seat that has nothing to do, to an action that does not exist, and at the end."""
    box, state, rules = position.variant.box, position.state, position.variant.game.rules
    room = np.zeros(max(position.variant.game.state.MAX_LEGAL, position.variant.game.state.MAX_OUTCOMES), np.int64)
    rules.outcomes(box, state, room, room.copy())
    for seat in range(position.variant.seats):
        rules.legal_actions(box, state, seat, room)
        rules.check(box, state, seat, -1)


def run_everything() -> int:
    """A short match of every variant, then examples and the tests of each game."""
    from walks import random_match, variants

    own = [games.load(name) for name in games.own_names()]
    for game in own:
        for seed, variant in enumerate(variants(game)):
            ask_out_of_turn(random_match(variant, seed).position)
            ask_out_of_turn(variant.start())
    tests = [str(game.folder / "tests" / f"test_{game.id}.py") for game in own]
    return int(pytest.main(["-q", "-p", "no:cacheprovider", "tests/test_examples.py", *tests]))


def main() -> int:
    assert PURE, "set NUMBA_DISABLE_JIT=1"
    sys.path.insert(0, str(Path(__file__).parent))
    files = [str(games.load(name).folder / "rules.py") for name in games.own_names()]
    measure = coverage.Coverage(include=files, data_file=None)
    measure.start()
    code = run_everything()
    measure.stop()
    missed = 0
    for path in files:
        _, _, _, missing, text = measure.analysis2(path)
        missed += len(missing)
        print(f"{path}: {'every line' if not missing else 'not run: ' + text}")
    return code or int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
