"""The message catalogues: they hold what templates and scripts say, and translations keep the placeholders."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from fastapi import Request

from lamplighter.web import pages, texts

WEB = Path(texts.__file__).parent
OTHERS = [language for language in texts.languages() if language != texts.SOURCE]
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")
CALLED = re.compile(r"""\btn?\(\s*"((?:[^"\\]|\\.)*)\"""")


def said() -> set[str]:
    """Every message of the sources, by Babel's own reading."""
    keywords = {"_": None, "gettext": None, "ngettext": (1, 2), "t": None, "tn": (1, 2)}
    found = set()
    for path in [*(WEB / "static").glob("*.js"), *(WEB / "templates").glob("*.html")]:
        method = "javascript" if path.suffix == ".js" else "jinja2"
        for _, message, _, _ in extract_from_file(method, path, keywords=keywords):
            found.add(message if isinstance(message, str) else message[0])
    return found


def source(message_id: str | tuple[str, ...] | list[str]) -> str:
    return message_id if isinstance(message_id, str) else message_id[0]


def template() -> set[str]:
    with (texts.FOLDER / f"{texts.DOMAIN}.pot").open("rb") as file:
        return {source(message.id) for message in read_po(file) if message.id}


def test_the_template_is_up_to_date() -> None:
    """`make texts` was run after the last change of a text."""
    assert template() == said()


def test_no_script_hides_a_message() -> None:
    """Babel does not look into the `${…}` of a script: what stands there would never be translated."""
    for path in (WEB / "static").glob("*.js"):
        hidden = set(CALLED.findall(path.read_text(encoding="utf-8"))) - template()
        assert not hidden, path.name


@pytest.mark.parametrize("language", OTHERS)
def test_catalogues_follow_the_template(language: str) -> None:
    assert {source(message.id) for message in texts.catalogue(language) if message.id} == template()


@pytest.mark.parametrize("language", OTHERS)
def test_translations_keep_the_placeholders(language: str) -> None:
    for message in texts.catalogue(language):
        if message.id and message.string:
            forms = [message.string] if isinstance(message.string, str) else list(message.string)
            assert not wrong_forms(source(message.id), forms), message.id


def wrong_forms(said_first: str, forms: list[str]) -> list[str]:
    """The translations whose placeholders are not those of the source."""
    wanted = set(PLACEHOLDER.findall(said_first))
    return [form for form in forms if form and set(PLACEHOLDER.findall(form)) != wanted]


def test_a_lost_placeholder_is_found() -> None:
    assert wrong_forms("{name} wins", ["{nom} gagne"]) == ["{nom} gagne"]
    assert wrong_forms("%(low)s to %(high)s", ["de %(low)s à %(high)s"]) == []


@pytest.mark.parametrize("language", OTHERS)
def test_the_main_words_are_translated(language: str) -> None:
    done = [message for message in texts.catalogue(language) if message.id and message.string]
    assert len(done) >= 60
    assert texts.script_messages(language)["Your turn"] != "Your turn"
    assert len(texts.script_messages(language)["{n} point"]) == 2


def request(**headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": raw, "query_string": b""})


def test_the_language_follows_cookie_then_browser() -> None:
    assert texts.choose(request(accept_language="de, fr-CH;q=0.8, en;q=0.5")) == "fr"
    assert texts.choose(request(accept_language="fr", cookie="lang=it")) == "it"
    assert texts.choose(request(accept_language="de", cookie="lang=../../etc")) == "en"


def test_a_page_speaks_the_language() -> None:
    shown = bytes(pages.page(request(accept_language="fr"), "daily.html").body).decode()
    assert '<html lang="fr"' in shown and "Les parties du jour" in shown
