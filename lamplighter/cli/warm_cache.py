"""Which programs are in the cache, and the processes that put them there.

Nothing here loads Numba, so that the server can ask before its first page.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import lamplighter
from lamplighter import games, jit

SEARCH = "search"  # the program that is the same for all games
BOTS = jit.PACKAGE / "bots"
SEARCH_FILES = (
    jit.PACKAGE / "engine" / "table.py", *(BOTS / "search" / f"{name}.py" for name in ("room", "beam", "samples", "tree")),
)  # fmt: skip


PART = 4  # seconds of a job that do not depend on the length of its sources


def jobs_of(game_ids: list[str]) -> list[str]:
    """Return the programs that these games need, the longest first: those of games by their ids, and the search."""
    longest, *others = sorted(game_ids, key=_length, reverse=True)
    return [longest, SEARCH, *others]


def seconds_of(jobs: list[str]) -> int:
    """Return how long jobs take on one core, about."""
    return len(jobs) * PART + sum(_length(job) for job in jobs if job != SEARCH) // jit.BYTES_A_SECOND


def _length(game_id: str) -> int:
    return sum(path.stat().st_size for path in jit.sources(games.load(game_id).folder))


def is_warm(job: str, part: str = "") -> bool:
    """Return whether a program, or a part of a game such as its batches, is in the cache for the sources as they are now."""
    sources = SEARCH_FILES if job == SEARCH else (games.load(job).folder,)
    folder = jit.cache_folder(*sources)
    return folder is not None and (folder / f"{job}{part and '.'}{part}.program").exists()


def compile_command(job: str) -> list[str]:
    """Return the command of a process that compiles a program in the background."""
    program = "import sys; from lamplighter.cli.warm import main_in_background; main_in_background(*sys.argv[1:])"
    return [sys.executable, "-P", "-c", program, job]


def child_environment(**more: str) -> dict[str, str]:
    """Return the environment of a process of ours: it finds this package, whatever is in the current folder."""
    root = str(Path(lamplighter.__file__).parent.parent)
    known = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{known}" if known else root, **more}
