"""Every line of every rules.py is run by matches of all variants, the examples and the games' own tests.

Run with NUMBA_DISABLE_JIT=1: compiled code cannot be measured. Lines that nothing ran are printed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import coverage
import pytest

from lamplighter import games
from lamplighter.jit import PURE


def run_everything() -> int:
    """A short match of every variant, then examples and the tests of each game."""
    from walks import random_match, variants

    own = [games.load(name) for name in games.own_names()]
    for game in own:
        for seed, variant in enumerate(variants(game)):
            random_match(variant, seed)
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
