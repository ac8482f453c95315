"""A server's first start: pages tell how far compiling has come, and that bots are slow until it is done."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from browsing import Visit, seat_link
from playwright.sync_api import expect
from serving import UNLIMITED, LocalServer, Person, all_at_once, closing, variant_where

from lamplighter import games
from lamplighter.web import driver, session
from lamplighter.web.settings import Settings

AGAIN = 2000  # ms until the page asks again


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "2 of 4 games are ready"),
        pytest.param("fr", "2 jeux sur 4 sont prêts", marks=pytest.mark.thorough),
        pytest.param("es", "2 de 4 juegos están listos", marks=pytest.mark.thorough),
        pytest.param("it", "2 giochi su 4 sono pronti", marks=pytest.mark.thorough),
    ],
    ids=["en", "fr", "es", "it"],
)
def test_the_home_page_tells_of_compiling(language: str, words: str, tmp_path: Path, visit: Visit) -> None:
    game = games.own_names()[0]
    with closing(LocalServer(Settings(f"sqlite:///{tmp_path}/tables.db", **UNLIMITED))) as server:
        progress = server.app.state.progress
        progress.game, progress.ready, progress.games = game, 2, 4
        visitor = visit(server.url, locale=language)
        visitor.page.clock.install()
        page = visitor.open("/")
        note = page.get_by_role("status").filter(has_text=games.load(game).title)
        expect(note).to_contain_text(words)
        progress.ready = 3
        page.clock.run_for(AGAIN)
        expect(note).to_contain_text(words.replace("2", "3"))
        progress.game = None
        page.clock.run_for(AGAIN)
        expect(note).to_have_count(0)


def test_a_table_says_while_bots_are_slow(tmp_path: Path, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that is waited for is slow until the games are compiled; the end of that is told at once."""
    goes_on = threading.Event()

    def think_when_told(*given: Any) -> Any:
        goes_on.wait(300)
        return session.think(*given)

    monkeypatch.setattr(driver, "think", think_when_told)
    with closing(LocalServer(Settings(f"sqlite:///{tmp_path}/tables.db", **UNLIMITED | {"hold": 0}))) as server:
        progress = server.app.state.progress
        progress.game, progress.ready, progress.games = games.own_names()[0], 2, 4
        person = Person(server.url).lay(variant_where(all_at_once), ["me", "bot:easy"], name="Ana")
        visitor = visit(server.url)
        visitor.page.clock.install()
        page = visitor.sit(seat_link(person))
        while 0 in person.view()["waiting"]:
            person.play()
        status = page.locator("#status .words")
        expect(status).to_contain_text("Bots are slow for the moment")
        progress.game = None
        page.clock.run_for(AGAIN)
        expect(page.locator(".toast")).to_contain_text("Bots play at full speed now")
        page.clock.run_for(AGAIN)
        expect(status).not_to_contain_text("slow")
        goes_on.set()
