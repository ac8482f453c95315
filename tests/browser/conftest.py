"""Browsers and their server, one of each for every worker of the test run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import Visit, Visitor, launch
from playwright.sync_api import Browser, sync_playwright
from serving import UNLIMITED, Person, ServerProcess

from lamplighter.web.settings import Settings


# Playwright leaves its event loop running in this thread, so it ends with the folder: other tests have loops of their own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        made = launch(playwright)
        yield made
        made.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose rolls wait for "done", and which counts nobody as present whose page is closed."""
    folder = tmp_path_factory.mktemp("server")
    made = ServerProcess(Settings(f"sqlite:///{folder}/tables.db", hold=3600, away=0, **UNLIMITED))
    yield made
    made.close()


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
