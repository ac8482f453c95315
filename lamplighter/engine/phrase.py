"""Sentences for people that can be said in several languages."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lamplighter import svg

if TYPE_CHECKING:
    from lamplighter.engine.game import Game

SOURCE = "en"  # the language in which games are written
FOLDER = "locale"  # of a game: a file of translations for each language
SHARED = Path(__file__).parent / FOLDER  # words that every game uses, such as "player 1"
NUMBER = re.compile(r"\d+")


class Seat(int):
    """A seat in a sentence: people count from 1, and the page that knows who sits there says the name.

    >>> str(Seat(0))
    'player 1'
    """

    def __str__(self) -> str:
        return f"player {int(self) + 1}"


class Phrase(str):
    """An English sentence that remembers how it was made, so that it can be said in another language.

    Values that are words are translated too. Everything that takes a text takes a phrase.

    >>> phrase = Phrase("Draw the {piece}: tap a lit square.", piece="rail curve")
    >>> phrase
    'Draw the rail curve: tap a lit square.'
    >>> phrase.translate_by({"Draw the {piece}: tap a lit square.": "Zeichne: {piece}.", "rail curve": "Schienenkurve"})
    'Zeichne: Schienenkurve.'
    """

    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, **values: Any) -> Phrase:
        made = super().__new__(cls, _fill(template, values, {}))
        made.template, made.values = template, values
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        """Let it be copied and sent between processes."""
        return (self.template,), dict(self.values)

    def with_names(self, names: Sequence[str]) -> Phrase:
        """Return the sentence with the names of people in the place of their seats.

        >>> Phrase("{player} begins", player=Seat(1)).with_names(["Ana", "Bo"])
        'Bo begins'
        """
        named: dict[str, Any] = {}
        for key, value in self.values.items():
            if isinstance(value, Seat) and value < len(names):
                value = names[value] or value
            named[key] = value.with_names(names) if isinstance(value, Phrase) else value
        return Phrase(self.template, **named)

    def translate_by(self, messages: Mapping[str, str]) -> str:
        """Return the sentence in the language of these messages; English where one is missing."""
        return _fill(messages.get(self.template, self.template), self.values, messages)


def counted(n: int, one: str, several: str, none: str = "", **values: Any) -> Phrase:
    """Return the sentence about one thing, or the one about several, or about none; `{n}` is their number.

    >>> lit = "{n} lamp is lit.", "{n} lamps are lit."
    >>> counted(1, *lit), counted(0, *lit), counted(0, *lit, none="No lamp is lit yet.")
    ('1 lamp is lit.', '0 lamps are lit.', 'No lamp is lit yet.')
    """
    return Phrase(one if n == 1 else none if not n and none else several, n=n, **values)


def all_of(things: Sequence[Any]) -> Phrase:
    """Return several things as one part of a sentence.

    >>> all_of([4, 3, 2]), all_of(["rail"])
    ('4, 3 and 2', 'rail')
    """
    *most, last = things
    return Phrase("{most} and {last}", most=most, last=last) if most else Phrase("{last}", last=last)


def any_of(things: Sequence[Any]) -> Phrase:
    """Return things to choose from as one part of a sentence.

    >>> any_of(["a copy", "a special route"]), any_of(["rail"])
    ('a copy or a special route', 'rail')
    """
    *most, last = things
    return Phrase("{most} or {last}", most=most, last=last) if most else Phrase("{last}", last=last)


def _fill(template: str, values: Mapping[str, Any], messages: Mapping[str, str]) -> str:
    """Return a template with its values, in the language of these messages."""
    return (
        template.format(**{name: translate(value, messages) for name, value in values.items()}) if values else template
    )


def translate(text: Any, messages: Mapping[str, str]) -> str:
    """Return a text, or several, in the language of these messages.

    A list is joined with commas. A text with numbers may be written with `#` in the place of each:

    >>> translate("round 3 of 7", {"round # of #": "Runde # von #"})
    'Runde 3 von 7'
    """
    if isinstance(text, list | tuple):
        return ", ".join(translate(one, messages) for one in text)
    if isinstance(text, Phrase):
        return text.translate_by(messages)
    text = str(text)
    found = messages.get(text)
    if found is None and (numbers := NUMBER.findall(text)):
        pattern = messages.get(NUMBER.sub("#", text))
        if pattern is not None:
            rest = iter(numbers)
            found = re.sub("#", lambda _: next(rest, ""), pattern)
    return text if found is None else found


def messages_of(game: Game, language: str) -> Mapping[str, str]:
    """Return a game's translations, English sentence = translation: its folder's `locale/<language>.toml` and shared words."""
    return {} if language == SOURCE else _read(language, game.folder / FOLDER)


def shared_messages(language: str) -> Mapping[str, str]:
    """Return the translations of words that belong to no game, such as the levels of bots."""
    return {} if language == SOURCE else _read(language)


@functools.cache
def _read(language: str, *folders: Path) -> Mapping[str, str]:
    """Return the shared words, then what these folders add to them."""
    found: dict[str, str] = {}
    for folder in (SHARED, *folders):
        path = folder / f"{language}.toml"
        if path.exists():
            found |= tomllib.loads(path.read_text(encoding="utf-8"))
    return found


# --- drawn sheets ---------------------------------------------------------------------------------------------

_TEXT = re.compile(r"<text ([^>]*)>([^<]+)</text>")
_NAME = re.compile(r"<title>([^<]+)</title>")  # of a part of the sheet; the sheet's own has an id
_SIZES = {"small": 11.0, "big": 18.0}
LETTER = 0.52  # the usual width of a letter, for its height


def translate_sheet(drawn: str, messages: Mapping[str, str]) -> str:
    """Return a drawn sheet with its words in another language; longer words are drawn closer, so that they fit."""
    if not messages:
        return drawn

    def wrap(found: re.Match[str]) -> str:
        said = translate(svg.words_of(found), messages)
        x, y, letters, lines = float(found["x"]), float(found["y"]), int(found["letters"]), int(found["lines"])
        return str(svg.paragraph(x, y, said, letters, lines, found["class"]))

    def put(found: re.Match[str]) -> str:
        attributes, words = found[1], unescape(found[2])
        said = translate(words, messages)
        if said == words:
            return found[0]
        if len(said) > max(4, len(words)) and "textLength" not in attributes:
            size = next((height for name, height in _SIZES.items() if name in attributes), 13.0)
            room = LETTER * size * max(len(words) * 1.1, len(said) * 0.7)
            if LETTER * size * len(said) > room:
                attributes += f' textLength="{room:.1f}" lengthAdjust="spacingAndGlyphs"'
        return f"<text {attributes}>{escape(said, quote=False)}</text>"

    named = _NAME.sub(
        lambda found: f"<title>{escape(translate(unescape(found[1]), messages), quote=False)}</title>", drawn
    )
    return _TEXT.sub(put, svg.PARAGRAPH.sub(wrap, named))
