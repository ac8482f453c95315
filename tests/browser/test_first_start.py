"""The home page on a server's first start: it tells how far compiling has come, in the language of the browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsing import Visit
from playwright.sync_api import expect
from serving import UNLIMITED, LocalServer, closing

from lamplighter import games
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
