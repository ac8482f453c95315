"""Browsers and their server, one of each for every worker of the test run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import PATIENCE, NotInstalled, Visit, Visitor, launch, pages
from playwright.sync_api import Browser, expect, sync_playwright
from serving import UNLIMITED, Person, ServerProcess

from lamplighter import games
from lamplighter.engine.game import Game
from lamplighter.web.settings import Settings

Browsers = Callable[[str], Browser]


expect.set_options(timeout=PATIENCE)  # ms; a busy machine may need more than the usual five seconds


# With `--dist loadgroup` two workers have a browser and a server, and no others; each takes half of the time.
FIRST_HALF = (
    "test_after", "test_boxes", "test_caller", "test_class", "test_daily", "test_feed", "test_fifth_game", "test_firefox",
    "test_first_start", "test_hint", "test_keys", "test_layout", "test_learn", "test_life",
)  # fmt: skip


@pytest.hookimpl(tryfirst=True)  # before the plugin that deals tests out reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent:
            half = "first" if item.path.stem in FIRST_HALF else "second"
            item.add_marker(pytest.mark.xdist_group(f"browser-{half}"))


# Playwright leaves its event loop running in this thread, so it ends with the folder: other tests have loops of their own.
@pytest.fixture(scope="package")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browsers]:
    """Give the browser that has only a wide or only a narrow font; it starts when it is first asked for."""
    with sync_playwright() as playwright:

        @functools.cache
        def browser_with(font: str) -> Browser:
            try:
                made = launch(playwright, tmp_path_factory.mktemp(font), font)
            except NotInstalled as missing:
                pytest.skip(str(missing))
            started.append(made)
            return made

        started: list[Browser] = []
        yield browser_with
        for made in started:
            made.close()


@pytest.fixture(scope="package")
def browser(browsers: Browsers) -> Browser:
    """The browser of most tests: what fits in its wide font fits in others."""
    return browsers("wide")


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose rolls wait for "done", and which counts nobody as present whose page is closed.

    It has time for a review in which a busy machine finds mistakes, too.
    """
    folder = tmp_path_factory.mktemp("server")
    patient = UNLIMITED | {"review_seconds": 12.0}
    made = ServerProcess(Settings(f"sqlite:///{folder}/tables.db", hold=3600, hold_long=3600, away=0, **patient))
    yield made
    made.close()


@pytest.fixture(scope="package")
def addresses(server: ServerProcess) -> dict[str, str]:
    """Where each kind of page is found."""
    return pages(server.url)


@pytest.fixture
def our_game(request: pytest.FixtureRequest) -> Game:
    """The game of a test that has `each_game`."""
    return games.load(request.param)


@pytest.fixture
def someone(server: ServerProcess) -> Person:
    """Somebody without a browser, who brings tables to where a test begins."""
    return Person(server.url)


@pytest.fixture
def visit(browser: Browser, server: ServerProcess) -> Iterator[Visit]:
    """Lets people come with browsers; no page of theirs may have had a problem."""
    came: list[Visitor] = []

    def come(url: str = "", **options: Any) -> Visitor:
        came.append(Visitor(browser, url or server.url, **options))
        return came[-1]

    yield come
    problems = [problem for visitor in came for problem in visitor.problems]
    for visitor in came:
        visitor.context.close()
    assert problems == []
