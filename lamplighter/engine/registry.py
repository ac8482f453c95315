"""Finds the games: every folder in `lamplighter/games`, every installed package that says so, every folder you name.

Third parties publish a game through the entry-point group `lamplighter.games`: the entry's name is the game's id, its
value the import name of the folder. `LAMPLIGHTER_GAMES` may name game folders (joined as in PATH) that are not
installed, for somebody who is writing one.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import os
import sys
from pathlib import Path

from lamplighter.engine.game import Game
from lamplighter.errors import BadGame, UnknownGame, shown, suggest

GROUP = "lamplighter.games"
FOLDER = Path(__file__).parent.parent / "games"


def _named_folders() -> list[Path]:
    """The folders that `LAMPLIGHTER_GAMES` names."""
    return [Path(named).resolve() for named in os.environ.get("LAMPLIGHTER_GAMES", "").split(os.pathsep) if named]


@functools.cache
def _packages() -> dict[str, str]:
    """The import name of each game, by id."""
    found: dict[str, str] = {}
    for path in _named_folders():
        if not (path / "__init__.py").exists():
            raise UnknownGame(f"LAMPLIGHTER_GAMES names {str(path)!r}, which is not a game's folder")
        if (FOLDER / path.name).exists():
            raise UnknownGame(f"LAMPLIGHTER_GAMES names {str(path)!r}, but there is a game {path.name!r}: rename yours")
        if str(path.parent) not in sys.path:
            sys.path.insert(0, str(path.parent))
        found[path.name] = path.name
    for entry in importlib.metadata.entry_points(group=GROUP):
        found.setdefault(entry.name, entry.value)
    for folder in sorted(FOLDER.iterdir()):
        if (folder / "__init__.py").exists() and not folder.name.startswith("_"):
            found[folder.name] = f"{GROUP}.{folder.name}"
    return dict(sorted(found.items()))


def names() -> list[str]:
    """Return the ids of all games."""
    return list(_packages())


def own_names() -> list[str]:
    """Return the ids of the games that ship with Lamplighter, and of named folders that bring the tests those must have."""
    tested = [path.name for path in _named_folders() if (path / "tests").is_dir()]
    return [name for name, package in _packages().items() if package.startswith(GROUP + ".") or name in tested]


@functools.cache
def load(name: str) -> Game:
    """Return the game of that id."""
    package = _packages().get(name)
    if package is None:
        raise UnknownGame(f"there is no game {shown(name)}: {suggest(name, names())}")
    try:
        game = getattr(importlib.import_module(package), "GAME", None)
    except ImportError as error:
        raise BadGame(f"the package {package!r} of the game {name!r} cannot be imported: {error}") from error
    if not isinstance(game, Game) or game.id != name:
        raise UnknownGame(f"the package {package!r} must have a GAME whose id is {name!r}")
    return game
