"""A drawing in text: lines of spans, each with a role. Terminals colour the roles; plain text forgets them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lamplighter.engine.phrase import translate

# The roles, and what they mean everywhere a sheet is shown.
ROLES = ("ink", "print", "lamp", "power", "green", "error", "title")

Span = tuple[str, str]  # text, role
Line = list[Span]


@dataclass(frozen=True)
class TextSheet:
    """Lines of text whose parts have roles, so that one drawing serves terminals, files and screen readers."""

    lines: list[Line]

    def __str__(self) -> str:
        return "\n".join("".join(text for text, _ in line).rstrip() for line in self.lines)

    def translate_by(self, messages: Mapping[str, str]) -> TextSheet:
        """Return the drawing in the language of these messages. Words keep their place where they are not longer."""
        return TextSheet([[(_translate_span(text, messages), role) for text, role in line] for line in self.lines])


def _translate_span(text: str, messages: Mapping[str, str]) -> str:
    """Return a text in another language, with as much space around it as before.

    >>> _translate_span("  hand   ", {"hand": "main"}), _translate_span("hand  ", {"hand": "Handkarten"})
    ('  main   ', 'Handkarten ')
    """
    words = text.strip()
    said = translate(words, messages) if words else words
    if said == words:
        return text
    before, after = len(text) - len(text.lstrip()), len(text) - len(text.rstrip())
    return " " * before + said + " " * (after and max(1, after + len(words) - len(said)))


def side_by_side(left: Iterable[Line], right: Iterable[Line], gap: int = 3) -> list[Line]:
    """Return two drawings next to each other."""
    rows_left, rows_right = list(left), list(right)
    width = max((sum(len(text) for text, _ in line) for line in rows_left), default=0) + gap
    height = max(len(rows_left), len(rows_right))
    joined: list[Line] = []
    for i in range(height):
        line = list(rows_left[i]) if i < len(rows_left) else []
        if i < len(rows_right):
            pad = width - sum(len(text) for text, _ in line)
            line = [*line, (" " * pad, "ink"), *rows_right[i]]
        joined.append(line)
    return joined
