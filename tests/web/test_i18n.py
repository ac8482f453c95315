"""The message catalogues: they hold what templates and scripts say, and translations keep the placeholders."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from fastapi import Request
from hypothesis import given
from hypothesis import strategies as st

from lamplighter.web import i18n, pages

WEB = Path(i18n.__file__).parent
OTHERS = [language for language in i18n.languages() if language != i18n.SOURCE]
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")
CALLED = re.compile(r"""\btn?\(\s*"((?:[^"\\]|\\.)*)\"""")


def said() -> set[str]:
    """Every message of the sources, by Babel's own reading."""
    keywords = {"_": None, "gettext": None, "ngettext": (1, 2), "t": None, "tn": (1, 2)}
    found = set()
    methods = {".js": "javascript", ".html": "jinja2", ".py": "python"}
    for path in [*(WEB / "static").glob("*.js"), *(WEB / "templates").glob("*.html"), WEB / "class_view.py"]:
        method = methods[path.suffix]
        for _, message, _, _ in extract_from_file(method, path, keywords=keywords):
            found.add(message if isinstance(message, str) else message[0])
    return found


def source(message_id: str | tuple[str, ...] | list[str]) -> str:
    return message_id if isinstance(message_id, str) else message_id[0]


def template() -> set[str]:
    with (i18n.FOLDER / f"{i18n.DOMAIN}.pot").open("rb") as file:
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
    assert {source(message.id) for message in i18n.catalogue(language) if message.id} == template()


@pytest.mark.parametrize("language", OTHERS)
def test_translations_keep_the_placeholders(language: str) -> None:
    for message in i18n.catalogue(language):
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


def untidy(said_first: str, form: str) -> str:
    """Return what is wrong with how a translation is written; empty if nothing is."""
    if not form:
        return "it is missing"
    if re.search(r"[.!?][^\W\d_]", form):
        return "a sentence begins right after another"
    if "'" in form:
        return "its apostrophe is not ’"
    ends = {".": ".", "?": "?", "…": "…"}
    return "it ends otherwise than the source" if ends.get(said_first[-1], "") != ends.get(form[-1], "") else ""


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_translated_and_tidy(language: str) -> None:
    found = {}
    for message in i18n.catalogue(language):
        if message.id:
            forms = [message.string] if isinstance(message.string, str) else list(message.string)
            found |= {form: why for form in forms if (why := untidy(source(message.id), form))}
    assert found == {}


@pytest.mark.parametrize(
    ("said_first", "form", "why"),
    [
        ("Choose a die.", "Scegli un dado.", ""),
        ("Your turn", "", "it is missing"),
        ("Choose a die.", "Scegli un dado.Scegli un dado.", "a sentence begins right after another"),
        ("First choose", "Choisissez d'abord", "its apostrophe is not ’"),
        ("Press Enter.", "Invio", "it ends otherwise than the source"),
    ],
)
def test_an_untidy_translation_is_found(said_first: str, form: str, why: str) -> None:
    assert untidy(said_first, form) == why


@pytest.mark.parametrize("language", OTHERS)
def test_the_main_words_are_translated(language: str) -> None:
    done = [message for message in i18n.catalogue(language) if message.id and message.string]
    assert len(done) >= 60
    assert i18n.script_messages(language)["Your turn"] != "Your turn"
    assert len(i18n.script_messages(language)["{n} point"]) == 2


def request(**headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": raw, "query_string": b""})


def test_the_language_follows_cookie_then_browser() -> None:
    assert i18n.choose(request(accept_language="nl, fr-CH;q=0.8, en;q=0.5")) == "fr"
    assert i18n.choose(request(accept_language="fr", cookie="lang=it")) == "it"
    assert i18n.choose(request(accept_language="nl", cookie="lang=../../etc")) == "en"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("FR", "fr"), ("fr_CH", "fr"), ("iT-it", "it"), ("*", "en"), ("nl, *;q=0.5, fr;q=0.4", "en"), ("es ; q = 0.5", "es"),
        ("it;q=0, fr;q=0.001", "fr"), ("fr;q=nan, es;q=inf, it;q=-1", "en"), ("fr;q=9, es;q=1.0", "es"), ("fr;q=", "en"),
        ("../../etc/passwd, fr", "fr"), (",,;;=, es", "es"), ("fr-" + "x" * 10_000, "en"), ("x," * 5_000, "en"), ("", "en"),
        ("de-AT", "de"),
    ],
)  # fmt: skip
def test_any_header_gives_a_language(header: str, language: str) -> None:
    assert i18n.choose(request(accept_language=header)) == language


PIECES = st.sampled_from(
    ["fr", "ES", "it_IT", "en-GB", "*", ";", "q=", "0.5", "nan", "1e999", "-1", ",", "-", " ", "\t", "é"]
)


@given(header=st.text(max_size=200) | st.lists(PIECES).map("".join), cookie=st.text(max_size=40))
def test_no_header_is_too_odd(header: str, cookie: str) -> None:
    chosen = i18n.choose(request(accept_language=header, cookie=f"lang={cookie}"))
    assert chosen in i18n.languages()


def test_a_page_speaks_the_language() -> None:
    shown = bytes(pages.page(request(accept_language="fr"), "daily.html").body).decode()
    assert '<html lang="fr"' in shown and "Les parties du jour" in shown
