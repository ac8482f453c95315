"""Every line of the rules of every game is run by matches of all variants, the examples and the games' own tests.

Run with NUMBA_DISABLE_JIT=1: compiled code cannot be measured. Lines that nothing ran are printed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import coverage
import numpy as np
import pytest

from lamplighter import games
from lamplighter.engine.game import Game
from lamplighter.engine.position import Position
from lamplighter.jit import PURE


def ask_out_of_turn(position: Position) -> None:
    """What the kernels say to a seat that has nothing to do, to an action that does not exist, and at the end."""
    box, state, rules = position.variant.box, position.state, position.variant.game.kernels
    room = np.zeros(max(position.variant.max_legal, position.variant.game.state.MAX_OUTCOMES), np.int64)
    rules.outcomes(box, state, room, room.copy())
    for seat in range(position.variant.seats):
        rules.legal_actions(box, state, seat, room)
        rules.check(box, state, seat, -1)


def believe(position: Position) -> None:
    """What every seat, and somebody who watches, may believe about what is hidden."""
    stream = np.ones(4, np.int64)
    for seat in range(-1, position.variant.seats):
        position.copy().resample(seat, stream)


def run_everything() -> int:
    """A short match of every variant, then examples and the tests of each game."""
    from walks import random_match, variants

    own = [games.load(name) for name in games.own_names()]
    for game in own:
        for seed, variant in enumerate(variants(game)):
            ask_out_of_turn(random_match(variant, seed).position)
            believe(random_match(variant, seed, 30).position)
            ask_out_of_turn(variant.start())
    of_rules = [path for game in own for path in sorted((game.folder / "tests").glob(f"test_{game.id}*.py"))]
    tests = [str(path) for path in of_rules if not path.stem.endswith(("_picture", "_texts", "_sheets"))]
    return int(pytest.main(["-q", "-p", "no:cacheprovider", "tests/test_examples.py", *tests]))


def rules_files(game: Game) -> list[str]:
    """The kernels of a game: its rules.py, or every file of its package `rules`."""
    package = game.folder / "rules"
    found = sorted(package.glob("*.py")) if package.is_dir() else [game.folder / "rules.py"]
    return [str(path) for path in found]


def main() -> int:
    assert PURE, "set NUMBA_DISABLE_JIT=1"
    sys.path.insert(0, str(Path(__file__).parent))
    files = [path for name in games.own_names() for path in rules_files(games.load(name))]
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
