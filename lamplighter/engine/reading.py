"""What all readers of text share: numbers of plain digits, and limits on length. Whatever is wrong gets a sentence."""

from __future__ import annotations

import re
from pathlib import Path

from lamplighter.errors import BadNotation, LamplighterError

# characters
MOVE_LIMIT = 1_000
POSITION_LIMIT = 50_000
VARIANT_LIMIT = 4_000
BOX_LIMIT = 100_000
RECORD_LIMIT = 2_000_000

# a terminal obeys the first, among them lines and tabs; the others change the order of what is shown
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def find_control(text: str, allowed: str = "") -> str | None:
    """Return the first control character of a text that is not allowed, as its code; None if there is none.

    >>> find_control("Ana"), find_control("\\x1b[2J"), find_control("two\\nlines", "\\n")
    (None, 'U+001B', None)
    """
    found = next((one for one in _CONTROL.findall(text) if one not in allowed), None)
    return None if found is None else f"U+{ord(found):04X}"


def without_control(text: str, allowed: str = "") -> str:
    """Return a text with a mark in place of each control character that is not allowed."""
    return _CONTROL.sub(lambda found: found[0] if found[0] in allowed else "\N{REPLACEMENT CHARACTER}", text)


def parse_number(text: str, digits: int = 4) -> int | None:
    """Return the number that a text of at most so many digits from 0 to 9 is; None if it is not one.

    `str.isdigit` and `int` also take the digits of other scripts, and `int` refuses thousands of them with an error.

    >>> parse_number("042"), parse_number("²"), parse_number("-1"), parse_number("9" * 5)
    (42, None, None, None)
    """
    return int(text) if len(text) <= digits and text.isascii() and text.isdigit() else None


def need_short(text: str, limit: int, what: str, error: type[LamplighterError] = BadNotation) -> str:
    """Return the text. Refuse it if it is longer than a limit."""
    if len(text) > limit:
        raise error(f"{what} may have at most {limit:,} characters, and this one has {len(text):,}")
    return text


def read_file(path: str | Path, limit: int) -> str:
    """Return a text file, or its first `limit` + 1 characters. Raise OSError or ValueError if it cannot be read."""
    with Path(path).open(encoding="utf-8") as file:
        return file.read(limit + 1)
