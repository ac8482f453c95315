"""`new-game`: a copy of the template under a name of its own, and what to do next."""

from __future__ import annotations

import importlib.machinery
import keyword
import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

from lamplighter import games
from lamplighter.cli.terminal import console
from lamplighter.errors import LamplighterError

GAMES = Path(games.__file__).parent
TEMPLATE = GAMES / "_template"
TEMPLATE_ID, TEMPLATE_TITLE = "my_game", "My Game"  # as they stand in the template's files and in their names


def copy_template(game_id: str, into: Path | None) -> None:
    """Make the folder of a new game in `into`, or among the games of this checkout, or else here; say what is next."""
    check_id(game_id)
    parent = default_folder() if into is None else into.expanduser().absolute()
    folder = make_folder(game_id, parent)
    console.print(next_steps(game_id, folder), markup=False, soft_wrap=True)


def check_id(game_id: str) -> None:
    """Refuse a name that cannot be a game's, and say which one could."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", game_id):
        near = re.sub(r"[^a-z0-9]+", "_", game_id.lower()).lstrip("_0123456789").rstrip("_")
        hint = f", such as {near!r}" if near else ""
        raise LamplighterError(
            f"a game cannot be called {game_id!r}: "
            f"write lower-case letters, digits and underscores, a letter first{hint}"
        )
    if keyword.iskeyword(game_id):
        raise LamplighterError(f"a game cannot be called {game_id!r}, a word of Python: try {game_id + '_game'!r}")
    if game_id in (TEMPLATE_ID, *games.names()):
        raise LamplighterError(f"the name {game_id!r} is taken: choose another id")


def default_folder() -> Path:
    """Among the games if this is a checkout of Lamplighter, else where we are."""
    return GAMES if (GAMES.parents[1] / "pyproject.toml").is_file() else Path.cwd()


def make_folder(game_id: str, parent: Path) -> Path:
    """Copy the template to a folder of that name, whole or not at all. Return the folder."""
    folder = parent / game_id
    if folder.exists() or folder.is_symlink():
        raise LamplighterError(f"{str(folder)!r} is there already: choose another id, or another folder with --into")
    if is_module(game_id):
        raise LamplighterError(
            f"a game cannot be called {game_id!r}: Python has a module of that name, and a game outside Lamplighter "
            f"is imported by its folder's name; try {game_id + '_game'!r}"
        )
    try:
        parent.mkdir(parents=True, exist_ok=True)
        # Its name starts with an underscore, so that nobody takes a half-written folder for a game.
        draft = Path(tempfile.mkdtemp(dir=parent, prefix=f"_{game_id}_"))
        try:
            draft.chmod(0o755)
            write_files(game_id, draft)
            draft.rename(folder)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
    except OSError as error:
        raise LamplighterError(f"cannot make {str(folder)!r}: {error.strerror}") from None
    return folder


def is_module(name: str) -> bool:
    """Python imports something under this name. A folder that merely has the name does not count."""
    if name in sys.stdlib_module_names:
        return True
    spec = importlib.machinery.PathFinder.find_spec(name)
    return spec is not None and spec.origin is not None


def write_files(game_id: str, folder: Path) -> None:
    """The template's files with id and title put in, in their names too."""
    title = " ".join(word.capitalize() for word in game_id.split("_") if word)
    for source in sorted(TEMPLATE.rglob("*")):
        if source.is_dir() or "__pycache__" in source.parts:
            continue
        target = folder / str(source.relative_to(TEMPLATE)).replace(TEMPLATE_ID, game_id)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8").replace(TEMPLATE_ID, game_id).replace(TEMPLATE_TITLE, title)
        target.write_text(text, encoding="utf-8", newline="\n")


def next_steps(game_id: str, folder: Path) -> str:
    """Return what to do with the new folder."""
    inside = folder.parent == GAMES
    name = "" if inside else f"LAMPLIGHTER_GAMES={shlex.quote(str(folder))} "
    test = f"make test GAME={game_id}" + ("" if inside else f" GAME_FOLDER={shlex.quote(str(folder))}")
    steps = [
        f"{folder} is a game that already plays and passes every test.",
        "",
        f"  play it   {name}lamplighter play {game_id}",
        f"            {name}lamplighter serve",
        f"  test it   {name}{test}",
        "            (in a checkout of Lamplighter, which has the tests that every game must pass)",
        "  write it  RULES.md first, then state.py, tests/reference.py and rules.py. Only state.py and rules.py must be there:",
        "            what you delete of the rest has a default. docs/adding-a-game.md goes through every file",
        f"            {name}python tests/snapshots.py {game_id} rewrites its playthroughs and counts",
    ]
    if not inside:
        steps += [
            "",
            "To publish it in a package of your own, its pyproject.toml needs, in [project] and below:",
            "",
            '  dependencies = ["lamplighter"]',
            '  [project.entry-points."lamplighter.games"]',
            f'  {game_id} = "{game_id}"',
        ]
    return "\n".join(steps)
