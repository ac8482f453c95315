"""The interface in several languages: message catalogues, read directly from the .po files."""

from __future__ import annotations

import functools
import gettext
import re
from io import BytesIO
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from fastapi import Request

FOLDER = Path(__file__).parent / "locale"
DOMAIN = "lamplighter"
SOURCE = "en"  # the language in which templates and scripts are written
COOKIE = "lang"

# a language of an Accept-Language header with its weight from 0 to 1; some programs write fr_CH
_LIKED = re.compile(
    r"\s*(?P<name>\*|[a-z]{1,8}([-_][a-z0-9]{1,8})*)\s*(;\s*q\s*=\s*(?P<weight>0(\.\d*)?|1(\.0*)?)\s*)?",
    re.I | re.ASCII,
)

Messages = dict[str, str | list[str]]


@functools.cache
def languages() -> dict[str, str]:
    """Return every language there is, with its name in that language."""
    codes = [SOURCE, *sorted(path.name for path in FOLDER.iterdir() if path.is_dir())]
    return {code: str(Locale.parse(code).get_display_name(code)).capitalize() for code in codes}


@functools.cache
def catalogue(language: str) -> Catalog:
    """Return the messages of a language; none for English, which is in the source."""
    if language == SOURCE:
        return Catalog(SOURCE)
    path = FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    with path.open("rb") as file:
        return read_po(file, language)


@functools.cache
def translations(language: str) -> gettext.NullTranslations:
    """Return the catalogue as gettext wants it, made in memory."""
    made = BytesIO()
    write_mo(made, catalogue(language))
    made.seek(0)
    return gettext.GNUTranslations(made)


@functools.cache
def script_messages(language: str) -> Messages:
    """Return what the scripts say: each translated message, with its plural as a list."""
    found: Messages = {}
    for message in catalogue(language):
        said = message.string
        forms = [said] if isinstance(said, str) else list(said or ())
        if all(forms) and not message.fuzzy and any(name.endswith(".js") for name, _ in message.locations):
            source = message.id if isinstance(message.id, str) else message.id[0]
            found[source] = forms[0] if isinstance(said, str) else forms
    return found


def choose(request: Request) -> str:
    """Return the language of a request: the one that was chosen, else the first of the browser's that there is."""
    chosen = request.cookies.get(COOKIE, "")
    if chosen in languages():
        return chosen
    known = {code.lower().replace("_", "-"): code for code in languages()} | {"*": SOURCE}
    for name in _by_preference(request.headers.get("accept-language", "")):
        found = known.get(name) or known.get(name.partition("-")[0])
        if found:
            return found
    return SOURCE


def _by_preference(header: str) -> list[str]:
    """Return the languages of an Accept-Language header in lower case and order of preference; what cannot be read is left out.

    >>> _by_preference("en;q=0.5, fr-CH, ES;q=0.9, it;q=0, de;q=inf")
    ['fr-ch', 'es', 'en']
    """
    found = [one for part in header.split(",")[:20] if (one := _LIKED.fullmatch(part))]
    weighed = [(float(one["weight"] or 1), one["name"].lower().replace("_", "-")) for one in found]
    return [name for weight, name in sorted(weighed, key=lambda one: -one[0]) if weight]
