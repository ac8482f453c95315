"""Every line of every rules.py is run by short matches in plain Python; the lines that are not are printed.

Run with NUMBA_DISABLE_JIT=1: compiled code cannot be measured.
"""

from __future__ import annotations

import sys

import coverage
import pytest

from lamplighter import games
from lamplighter.jit import PURE


def main() -> int:
    assert PURE, "set NUMBA_DISABLE_JIT=1"
    files = [str(games.load(name).folder / "rules.py") for name in games.own_names()]
    measure = coverage.Coverage(include=files, data_file=None)
    measure.start()
    code = pytest.main(
        ["-q", "-p", "no:cacheprovider", "tests/test_every_game.py", "tests/test_examples.py", "lamplighter/games"]
    )
    measure.stop()
    if code:
        return int(code)
    missed = 0
    for path in files:
        _, _, _, missing, text = measure.analysis2(path)
        missed += len(missing)
        print(f"{path}: {'every line' if not missing else 'not run: ' + text}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
