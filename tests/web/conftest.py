"""Servers that tests share: one in the process for each worker of the test run, one PostgreSQL where it is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import PATIENCE, UNLIMITED, LocalServer, Person, Postgres

from lamplighter.web.settings import Settings
from lamplighter.web.store import migrate


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """A server that all tests may use: each at tables of its own."""
    folder = tmp_path_factory.mktemp("server")
    made = LocalServer(Settings(f"sqlite:///{folder}/tables.db", hold=PATIENCE, **UNLIMITED))
    yield made
    made.close()


@pytest.fixture
def someone(server: LocalServer) -> Person:
    """Somebody who just came to the server."""
    return Person(server.url)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., LocalServer]]:
    """Starts a server with settings of its own."""
    started: list[LocalServer] = []

    def start_server(**settings: Any) -> LocalServer:
        database = f"sqlite:///{tmp_path}/tables.db"
        started.append(LocalServer(Settings(**({"database": database} | UNLIMITED | settings))))
        return started[-1]

    yield start_server
    for made in started:
        made.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    made = Postgres()
    yield made
    made.close()


# with `--dist loadgroup` one worker runs all tests that need PostgreSQL, so that it is started once
POSTGRES = pytest.mark.xdist_group("postgresql")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=POSTGRES)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/tables.db"
    made: Postgres = request.getfixturevalue("postgres")
    return made.new_database()


@pytest.fixture
def filled(database: str) -> str:
    """A database with its tables."""
    migrate(database)
    return database
