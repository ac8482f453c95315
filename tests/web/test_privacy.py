"""The privacy page says what is so: the numbers are the server's own, and every cookie is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from serving import HTTP, LocalServer, Person, one_by_one, variant_where

from lamplighter import games
from lamplighter.web import i18n
from lamplighter.web.settings import Settings

WEB = Path(i18n.__file__).parent


def cookies_in(source: str) -> set[str]:
    """The names of the cookies that a piece of the server sets, in Python or in a script."""
    given = re.findall(r"""(?:give_cookie\([^"()]*|set_cookie\()"(\w+)\"""", source)
    return {*given, *re.findall(r"document\.cookie = [`\"'](\w+)=", source)}


def all_cookies() -> set[str]:
    sources = [*WEB.rglob("*.py"), *(WEB / "static").glob("*.js")]
    return set().union(*(cookies_in(path.read_text(encoding="utf-8")) for path in sources))


def test_cookies_are_found() -> None:
    assert cookies_in('give_cookie(request, response, "seat", token)\nset_cookie("x")') == {"seat", "x"}
    assert cookies_in("document.cookie = `lang=${value}`;") == {"lang"}
    assert {"seat", "browser", "lang"} <= all_cookies()


def test_every_cookie_that_is_set_is_named(server: LocalServer, someone: Person) -> None:
    page = HTTP.get(f"{server.url}/privacy").text
    named = set(re.findall(r"<code>(\w+)</code>", page))
    assert named == all_cookies()
    laid = someone.ask("POST", "/api/tables", {"variant": variant_where(one_by_one), "seats": ["me", "me"]})
    daily = someone.ask("POST", f"/api/daily/{games.own_names()[0]}", {"name": "Ana"})
    given = {cookie.partition("=")[0] for answer in (laid, daily) for cookie in answer.headers.get_list("set-cookie")}
    assert given <= named
    assert given == {"seat", "browser"}


@pytest.mark.parametrize("language", i18n.languages())
def test_the_numbers_are_those_of_the_server(language: str, tmp_path: Path) -> None:
    settings = Settings(
        f"sqlite:///{tmp_path}/t.db", keep_days=123, keep_lobby_days=4.5, contact="games@example.org", warm=False
    )
    server = LocalServer(settings)
    try:
        page = HTTP.get(f"{server.url}/privacy", headers={"cookie": f"lang={language}"}).text
    finally:
        server.close()
    assert f'<html lang="{language}"' in page
    assert "123" in page and "4.5" in page
    assert "games@example.org" in page


def test_the_page_is_linked_and_says_whom_to_ask(server: LocalServer) -> None:
    for place in ("/", "/help", "/t/some"):
        assert 'href="/privacy"' in HTTP.get(server.url + place).text
    page = HTTP.get(f"{server.url}/privacy").text
    assert "365 days" in page and "7 days" in page
    assert "ask whoever runs this server" in page
