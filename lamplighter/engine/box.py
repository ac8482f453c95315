"""A component file: the contents of a game's box as TOML, and errors that name the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any, NoReturn

from lamplighter.errors import BadBox, suggest

Path = tuple[str | int, ...]

_TABLE = re.compile(r"\s*(\[\[?)\s*([\w.\-\"]+)\s*\]\]?")
_KEY = re.compile(r"\s*([\w\-\"]+)\s*=\s*")


class BoxFile:
    """Component data with the text it came from.

    The `need_…` methods hand out a value of the asked kind or refuse the file, naming the line and the reason.
    """

    def __init__(self, text: str, name: str = "component file") -> None:
        self.text, self.name = text, name
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"line (\d+)", str(error))
            reason = re.sub(r"\s*\(at .*\)", "", str(error))
            raise BadBox(f"not TOML: {reason}", int(found[1]) if found else 0, name) from None

    def fail(self, reason: str, *path: str | int) -> NoReturn:
        """Refuse the file because of the value at `path`."""
        raise BadBox(reason, self.line_of(*path) if path else 0, self.name)

    def line_of(self, *path: str | int) -> int:
        """The line where the value at `path` stands, or the nearest part of the path that has one; 0 if none has."""
        lines = _lines(self.text)
        while path and path not in lines:
            path = path[:-1]
        return lines.get(path, 0)

    def get(self, *path: str | int) -> Any:
        """The value at `path`; a missing one is refused."""
        value: Any = self.data
        for depth, step in enumerate(path):
            known = step in value if isinstance(value, dict) else isinstance(step, int) and step < len(value)
            if not known:
                self.fail(f"{_name(path[: depth + 1])} is missing", *path[:depth])
            value = value[step]
        return value

    def need_keys(self, required: Iterable[str], optional: Iterable[str] = (), at: Path = ()) -> None:
        """The table at `at` has all `required` keys and no key that nobody knows."""
        table, known = self.get(*at), [*required, *optional]
        if not isinstance(table, dict):
            self.fail(f"{_name(at)} must be a table", *at)
        for key in table:
            if key not in known:
                self.fail(f"unknown key {key!r}: {suggest(key, known)}", *at, key)
        for key in required:
            self.get(*at, key)

    def need_int(self, low: int, high: int, *path: str | int) -> int:
        value = self.get(*path)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fail(f"{_name(path)} must be a whole number from {low} to {high}, not {value!r}", *path)
        return value

    def need_bool(self, *path: str | int) -> bool:
        value = self.get(*path)
        if not isinstance(value, bool):
            self.fail(f"{_name(path)} must be true or false, not {value!r}", *path)
        return value

    def need_text(self, *path: str | int) -> str:
        value = self.get(*path)
        if not isinstance(value, str) or not value.strip():
            self.fail(f"{_name(path)} must be a text, not {value!r}", *path)
        return value

    def need_choice(self, choices: Iterable[str], *path: str | int) -> str:
        value, known = self.need_text(*path), list(choices)
        if value not in known:
            self.fail(f"{_name(path)} cannot be {value!r}: {suggest(value, known)}", *path)
        return value

    def need_list(self, low: int, high: int, *path: str | int) -> list[Any]:
        value = self.get(*path)
        if not isinstance(value, list) or not low <= len(value) <= high:
            count = f"{low}" if low == high else f"{low} to {high}"
            have = f"{len(value)}" if isinstance(value, list) else repr(value)
            self.fail(f"{_name(path)} must be a list of {count} entries, not {have}", *path)
        return value


def _name(path: Path) -> str:
    """A path as a person writes it.

    >>> _name(("tracks", 2, 0))
    'tracks[2][0]'
    """
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".") or "the file"


def _lines(text: str) -> dict[Path, int]:
    """The line of every key and list entry of a valid TOML text."""
    found: dict[Path, int] = {}
    table: Path = ()
    counts: dict[Path, int] = {}
    position = 0
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        line = text.count("\n", 0, position) + 1
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
            end = _walk(text, position + key.end(), path, found)
        position = end + 1
    return found


def _walk(text: str, position: int, path: Path, found: dict[Path, int]) -> int:
    """Note the lines of all entries of the value that starts at `position`; the position behind it."""
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
            found[entry] = text.count("\n", 0, position) + 1
            position = _walk(text, position, entry, found)
            index += 1
    return position + 1
