"""The interface in several languages: message catalogues, read from the .po files as they lie there."""

from __future__ import annotations

import functools
import gettext
from io import BytesIO
from pathlib import Path

from babel import Locale, negotiate_locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from fastapi import Request

FOLDER = Path(__file__).parent / "locale"
DOMAIN = "lamplighter"
SOURCE = "en"  # the language in which templates and scripts are written
COOKIE = "lang"

Messages = dict[str, str | list[str]]


@functools.cache
def languages() -> dict[str, str]:
    """Every language there is, with its name in that language."""
    codes = [SOURCE, *sorted(path.name for path in FOLDER.iterdir() if path.is_dir())]
    return {code: str(Locale.parse(code).get_display_name(code)).capitalize() for code in codes}


@functools.cache
def catalogue(language: str) -> Catalog:
    """The messages of a language; of the source language none, for it says what it means."""
    if language == SOURCE:
        return Catalog(SOURCE)
    path = FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    with path.open("rb") as file:
        return read_po(file, language)


@functools.cache
def translations(language: str) -> gettext.NullTranslations:
    """The catalogue as gettext wants it, made in memory."""
    made = BytesIO()
    write_mo(made, catalogue(language))
    made.seek(0)
    return gettext.GNUTranslations(made)


@functools.cache
def script_messages(language: str) -> Messages:
    """What the scripts say: each translated message, with its plural as a list."""
    found: Messages = {}
    for message in catalogue(language):
        said = message.string
        forms = [said] if isinstance(said, str) else list(said or ())
        if all(forms) and not message.fuzzy and any(name.endswith(".js") for name, _ in message.locations):
            source = message.id if isinstance(message.id, str) else message.id[0]
            found[source] = forms[0] if isinstance(said, str) else forms
    return found


def choose(request: Request) -> str:
    """The language of a request: the one that was chosen, else the first the browser likes that there is."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in languages():
        return chosen
    liked = _by_liking(request.headers.get("accept-language", ""))
    return negotiate_locale(liked, list(languages()), sep="-") or SOURCE


def _by_liking(header: str) -> list[str]:
    """The languages of an Accept-Language header, the best liked first.

    >>> _by_liking("en;q=0.5, fr-CH, es;q=0.9")
    ['fr-CH', 'es', 'en']
    """
    weighed = []
    for part in header.split(",")[:20]:
        name, _, weight = part.partition(";q=")
        try:
            weighed.append((float(weight or 1), name.strip()))
        except ValueError:
            continue
    return [name for _, name in sorted(weighed, key=lambda one: -one[0]) if name]
