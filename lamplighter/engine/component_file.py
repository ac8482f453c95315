"""A component file: the contents of a game's box as TOML, and errors that name the line."""

from __future__ import annotations

import bisect
import re
import tomllib
from collections.abc import Iterable
from typing import Any, NoReturn

from lamplighter.engine.reading import BOX_LIMIT
from lamplighter.errors import BadBox, shown, suggest

Path = tuple[str | int, ...]
DOTS = 100  # in a line
TITLE_LIMIT = 60  # characters

_TABLE = re.compile(r"\s*(\[\[?)\s*([\w.\-\"]+)\s*\]\]?")
_KEY = re.compile(r"\s*([\w\-\"]+)\s*=\s*")


class ComponentFile:
    """Component data with the text it came from.

    At the top a file may say its `game` and its own `title`; `data` has the rest, which the game reads. The `need_…` methods
    return a value of the wanted kind, or refuse the file with the line and the reason.
    """

    def __init__(self, text: str, name: str = "component file") -> None:
        self.text, self.name = text, name
        if len(text) > BOX_LIMIT:
            raise BadBox(f"a component file may have at most {BOX_LIMIT:,} characters", 0, name)
        for number, line in enumerate(text.split("\n"), 1):
            if line.count(".") > DOTS:  # the time that Python's reader takes grows with their square
                raise BadBox(f"a line may have at most {DOTS} dots", number, name)
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"line ([0-9]+)", str(error))
            reason = re.sub(r" \(at .*\)", "", str(error))
            raise BadBox(f"not TOML: {reason}", int(found[1]) if found else 0, name) from None
        except (ValueError, RecursionError):
            raise BadBox("not TOML: a number is too long, or brackets are nested too deeply", 0, name) from None
        self.game = self._take_head("game")
        self.title = self._take_head("title")
        if len(self.title) > TITLE_LIMIT or not self.title.isprintable():
            self.fail(f"title must be one line of at most {TITLE_LIMIT} characters", "title")

    def _take_head(self, key: str) -> str:
        """Return a text at the top of the file that is not for the game to read; empty if it is not there."""
        if key not in self.data:
            return ""
        value = self.need_text(key).strip()
        del self.data[key]
        return value

    def fail(self, reason: str, *path: str | int) -> NoReturn:
        """Refuse the file because of the value at `path`."""
        raise BadBox(reason, self.line_of(*path) if path else 0, self.name)

    def line_of(self, *path: str | int) -> int:
        """Return the line of the value at `path`, or of the nearest part of the path that has one; 0 if none has."""
        try:
            lines = _lines(self.text)
        except (ValueError, IndexError, RecursionError):
            return 0  # valid TOML, written in a way that this does not follow
        while path and path not in lines:
            path = path[:-1]
        return lines.get(path, 0)

    def get(self, *path: str | int) -> Any:
        """Return the value at `path`. Refuse the file if it is missing."""
        value: Any = self.data
        for depth, step in enumerate(path):
            known = (
                step in value
                if isinstance(value, dict)
                else (isinstance(value, list) and isinstance(step, int) and step < len(value))
            )
            if not known:
                self.fail(f"{_name(path[: depth + 1])} is missing", *path[:depth])
            value = value[step]
        return value

    def need_keys(self, required: Iterable[str], optional: Iterable[str] = (), at: Path = ()) -> None:
        """Refuse the file unless the table at `at` has all `required` keys, and no unknown one."""
        table, known = self.need_table(*at), [*required, *optional]
        for key in table:
            if key not in known:
                self.fail(f"unknown key {shown(key)}: {suggest(key, known)}", *at, key)
        for key in required:
            self.get(*at, key)

    def need_table(self, *path: str | int) -> dict[str, Any]:
        value = self.get(*path)
        if not isinstance(value, dict):
            self.fail(f"{_name(path)} must be a table", *path)
        return value

    def need_int(self, low: int, high: int, *path: str | int) -> int:
        value = self.get(*path)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fail(f"{_name(path)} must be a whole number from {low} to {high}, not {shown(value)}", *path)
        return value

    def need_bool(self, *path: str | int) -> bool:
        value = self.get(*path)
        if not isinstance(value, bool):
            self.fail(f"{_name(path)} must be true or false, not {shown(value)}", *path)
        return value

    def need_text(self, *path: str | int) -> str:
        value = self.get(*path)
        if not isinstance(value, str) or not value.strip():
            self.fail(f"{_name(path)} must be a text, not {shown(value)}", *path)
        return value

    def need_choice(self, choices: Iterable[str], *path: str | int) -> str:
        value, known = self.need_text(*path), list(choices)
        if value not in known:
            self.fail(f"{_name(path)} cannot be {shown(value)}: {suggest(value, known)}", *path)
        return value

    def need_list(self, low: int, high: int, *path: str | int) -> list[Any]:
        value = self.get(*path)
        if not isinstance(value, list) or not low <= len(value) <= high:
            count = f"{low}" if low == high else f"{low} to {high}"
            have = f"{len(value)}" if isinstance(value, list) else shown(value)
            self.fail(f"{_name(path)} must be a list of {count} entries, not {have}", *path)
        return value


def _name(path: Path) -> str:
    """Return a path as a person writes it.

    >>> _name(("tracks", 2, 0))
    'tracks[2][0]'
    """
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".") or "the file"


def _lines(text: str) -> dict[Path, int]:
    """Return the line of every key and list entry of a valid TOML text."""
    found: dict[Path, int] = {}
    table: Path = ()
    counts: dict[Path, int] = {}
    position = 0
    breaks = [at for at, letter in enumerate(text) if letter == "\n"]
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        line = bisect.bisect_left(breaks, position) + 1
        row = text[position:end]
        if header := _TABLE.match(row):
            table = tuple(part.strip('"') for part in header[2].split("."))
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                found.setdefault(table, line)
                table = (*table, counts[table])
            found.setdefault(table, line)
        elif key := _KEY.match(row):
            path = (*table, key[1].strip('"'))
            found[path] = line
            end = _walk(text, position + key.end(), path, found, breaks)
        position = end + 1
    return found


def _walk(text: str, position: int, path: Path, found: dict[Path, int], breaks: list[int]) -> int:
    """Note the lines of all entries of the value that starts at `position`. Return the position after it."""
    opening = text[position]
    if opening in "\"'":
        mark = opening * 3 if text.startswith(opening * 3, position) else opening
        end = text.index(mark, position + len(mark))
        while opening == '"' and text[end - 1] == "\\" and text[end - 2] != "\\":
            end = text.index(mark, end + 1)
        return end + len(mark)
    if opening not in "[{":
        bare = re.compile(r"[^,\]}\n#]*").match(text, position)
        return bare.end() if bare else position
    index, position = 0, position + 1
    while text[position] not in "]}":
        if text[position] == "#":
            position = text.index("\n", position)
        elif text[position] in ", \t\r\n":
            position += 1
        else:
            entry: Path = (*path, index)
            if opening == "{" and (key := _KEY.match(text, position)):
                entry, position = (*path, key[1].strip('"')), key.end()
            found[entry] = bisect.bisect_left(breaks, position) + 1
            position = _walk(text, position, entry, found, breaks)
            index += 1
    return position + 1
