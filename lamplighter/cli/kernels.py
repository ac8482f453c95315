"""Which games have their kernels in the cache, and the processes that put them there.

Nothing here loads Numba, so that the server can ask before its first page.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import lamplighter
from lamplighter import games, jit

# Numba files a kernel that is passed to a loop under another name than one that is called, and a process saves only the
# name that it met first. So there are three passes, each in a process of its own; then every later start finds both.
PASSES = ("whole matches", "single moves", "once more")
MARK = "all-passes-done"
# compiled for every game, too: hints and hindsight, which use the search
SEARCH = jit.PACKAGE / "bots" / "search"
OF_SEARCH = tuple(SEARCH / name for name in ("kernels.py", "samples.py", "tree.py"))
BOTS = (jit.PACKAGE / "bots" / "kernels.py", *OF_SEARCH)  # as `bots.kernels` has them


def is_warm(game_id: str) -> bool:
    """Return whether all passes of a game have been done, for the sources as they are now and where they are now."""
    mark = _mark(game_id)
    return mark is not None and mark.exists()


def note_warm(game_id: str) -> None:
    """Note that all passes of a game have been done."""
    mark = _mark(game_id)
    if mark is not None:
        mark.touch()


def _mark(game_id: str) -> Path | None:
    """Return the file that says so. Numba knows sources by path, time and size: it compiles a copy, or a new checkout, again."""
    home = games.load(game_id).folder
    folder = jit.cache_folder(home, *BOTS)
    if folder is None:
        return None
    stats = [(str(path), path.stat()) for path in sorted([*jit.CORE, *BOTS, *jit.sources(home)])]
    known = repr([(path, stat.st_mtime_ns, stat.st_size) for path, stat in stats])
    return folder / f"{MARK}-{hashlib.sha256(known.encode()).hexdigest()[:16]}"


def compile_command(what: str, game_id: str, background: bool = False) -> list[str]:
    """Return the command of a process that does one pass of a game."""
    how = "main_in_background" if background else "main"
    program = f"import sys; from lamplighter.cli.warm import {how}; {how}(*sys.argv[1:])"
    return [sys.executable, "-P", "-c", program, what, game_id]


def child_environment(**more: str) -> dict[str, str]:
    """Return the environment of a process of ours: it finds this package, whatever is in the current folder."""
    root = str(Path(lamplighter.__file__).parent.parent)
    known = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{known}" if known else root, **more}
