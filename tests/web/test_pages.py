"""The pages as the server sends them: all there, safe to show, and easy on the eyes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from serving import HTTP, LocalServer

from lamplighter import games, svg
from lamplighter.engine.game import Game
from lamplighter.web import pages

PLACES = [
    "/",
    "/daily",
    "/help",
    "/privacy",
    "/t/some",
    "/t/some/watch",
    "/t/some/screen",
    "/t/some/caller",
    "/t/some/replay",
    "/race/some",
]
READS = 4.5  # the contrast that text needs


class Reader(HTMLParser):
    """What a page has in it: every tag with its attributes, and the texts of scripts and styles."""

    def __init__(self, shown: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(shown)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def ids(self) -> list[str]:
        return [found for _, attributes in self.tags if (found := attributes.get("id"))]


def every_place() -> list[str]:
    return PLACES + [f"/{part}/{name}" for part in ("new", "rules") for name in games.own_names()]


@pytest.mark.parametrize("place", every_place())
def test_a_page(place: str, server: LocalServer) -> None:
    """It has a language, a title, one first heading and no id twice; what it names is there."""
    answer = HTTP.get(server.url + place)
    page = Reader(answer.text)
    assert answer.status_code == 200
    assert ("html", {"lang": "en", "data-theme": "light"}) in page.tags
    assert [tag for tag, _ in page.tags].count("h1") == 1
    assert "<title>" in answer.text and len(page.ids()) == len(set(page.ids()))
    assert forbidden(page) == []
    for _, attributes in page.tags:
        named = attributes.get("src") or (attributes.get("href") or "").partition("#")[0]
        if named and named.startswith(("/static/", "/sheets.css", "/rules/", "/new/")):
            assert HTTP.get(server.url + named).status_code == 200, named


def forbidden(page: Reader) -> list[str]:
    """What the Content-Security-Policy would not let through."""
    found = [name for _, attributes in page.tags for name in attributes if name == "style" or name.startswith("on")]
    found += [tag for tag, attributes in page.tags if tag == "style" or (tag == "script" and "src" not in attributes)]
    return found


def test_what_browsers_would_not_let_through_is_found() -> None:
    assert forbidden(Reader('<p style="color:red" onclick="x()">a</p><script>x()</script>')) == [
        "style",
        "onclick",
        "script",
    ]


def test_pages_that_are_not_there_are_kind(server: LocalServer) -> None:
    for place in ("/nowhere", "/new/nothing", "/rules/nothing", "/t/some/else"):
        answer = HTTP.get(server.url + place)
        assert answer.status_code == 404 and "This page does not exist" in answer.text


def test_who_asks_too_often_is_told_so_in_a_page(start: Callable[..., LocalServer]) -> None:
    server = start(rate=0.001, burst=1)
    HTTP.get(f"{server.url}/help")
    browser = HTTP.get(f"{server.url}/help", headers={"accept": "text/html"})
    program = HTTP.get(f"{server.url}/api/games", headers={"accept": "application/json"})
    assert browser.status_code == program.status_code == 429
    assert "Too many requests" in browser.text and int(browser.headers["retry-after"]) > 0
    assert program.json()["error"]["code"] == "rate/too-many"


def test_friends_get_an_address_that_they_can_reach(start: Callable[..., LocalServer]) -> None:
    server = start(public="http://198.51.100.7:8000/")
    home = HTTP.get(f"{server.url}/")
    assert 'data-public="http://198.51.100.7:8000"' in home.text
    assert "data-public" not in HTTP.get(f"{server.url}/", headers={"host": "games.example"}).text
    for link, status in {
        "http://198.51.100.7:8000/t/x": 200,
        f"{server.url}/t/x": 200,
        "http://elsewhere.example/": 400,
    }.items():
        assert HTTP.post(f"{server.url}/api/qr", json={"text": link}).status_code == status, link


def test_the_rules_can_be_pointed_at(own_game: Game, server: LocalServer) -> None:
    """Every paragraph has a place, and every link inside the booklet leads to one."""
    page = Reader(HTTP.get(f"{server.url}/rules/{own_game.id}?part=1").text)
    links = {href[1:] for _, attributes in page.tags if (href := attributes.get("href") or "").startswith("#")}
    paragraphs = set(re.findall(r"^\*\*(§[^*]+)\*\*", own_game.rules_text, re.MULTILINE))
    assert links and links <= set(page.ids())
    assert {pages.anchor(paragraph) for paragraph in paragraphs} <= set(page.ids())
    reasons = {rule for rule, _ in own_game.state.REFUSALS.values()}
    for rule in reasons:
        assert pages.anchor(re.split("[ ,]", rule)[0]) in page.ids(), rule


def test_sheets_have_variables_for_all_colours() -> None:
    """A sheet in a page follows the theme: no colour is left in its style."""
    style = pages.sheet_style()
    assert "#" not in style
    assert all(f"var(--{role})" in style for role in svg.ROLES)
    colours = pages._colours("dark").values()
    assert len(set(colours)) == len(colours)


@pytest.mark.parametrize("theme", pages.THEMES)
def test_words_can_be_read(theme: str) -> None:
    colours = pages._colours(theme)
    for word, ground in itertools.product(("ink", "quiet", "error"), ("paper", "table")):
        assert svg.contrast(colours[word], colours[ground]) >= READS, (word, ground)
    assert svg.contrast(colours["on-lamp"], colours["lamp"]) >= READS
