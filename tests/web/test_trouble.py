"""The store is out of reach: it is said, nothing is lost, it is logged once, and it goes on without a restart."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from serving import PATIENCE, LocalServer, Person, Postgres, all_at_once, new_key, one_by_one, run, until, variant_where

from lamplighter.web.feed import Feed, Notices
from lamplighter.web.service import TableService
from lamplighter.web.settings import Settings
from lamplighter.web.store import Entry, Store, TableRow, migrate
from lamplighter.web.trouble import StoreTrouble, Troubles


def a_move(person: Person) -> dict[str, Any]:
    view = person.view()
    return {"seat": view["you"], "move": view["moves"][0], "version": view["version"], "key": new_key()}


def errors_of(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """One that may go away."""
    made = Postgres()
    yield made
    made.close()


def test_a_database_that_goes_away_and_comes_back(
    own_postgres: Postgres, start: Any, caplog: pytest.LogCaptureFixture
) -> None:
    server = start(database=own_postgres.new_database())
    me = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])
    listener = me.listen()
    me.play()
    body = a_move(me)
    own_postgres.stop()
    for _ in range(20):
        answer = me.ask("POST", "moves", body)
        assert answer.status_code == 503 and answer.json()["error"]["code"] == "store/away"
        assert int(answer.headers["retry-after"]) >= 1
    health = me.ask("GET", "/health", headers={"accept": "text/html"})
    assert health.status_code == 503 and health.json()["status"] == "trouble", "JSON, whoever asks"
    assert Person(server.url, "unknown").ask("GET", "").status_code == 503  # not 404: it cannot know
    assert me.ask("GET", "/").status_code == 200  # pages need no store
    own_postgres.start()
    until(lambda: me.ask("GET", "/health").status_code == 200, "it is well again")
    assert me.ask("POST", "moves", body).status_code == 200  # the same request, now carried out
    assert sum(entry["kind"] == "move" for entry in me.view()["log"]) == 2
    listener.wait(lambda entries: sum(entry["kind"] == "move" for entry in entries) == 2)
    assert not listener.ended.is_set()
    listener.close()
    said = [record.getMessage() for record in errors_of(caplog)]
    assert len([text for text in said if "the store cannot be" in text]) <= 3, (
        said
    )  # a line a fault, not a line a request
    assert len(said) <= 8 and not [record for record in errors_of(caplog) if record.exc_info], said


@pytest.fixture
def small_disk() -> Iterator[Any]:
    """Lets no file of this process grow beyond a size, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))

    yield limit
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk(start: Any, small_disk: Any, caplog: pytest.LogCaptureFixture) -> None:
    server: LocalServer = start()
    me = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])
    me.play()
    body = a_move(me)
    small_disk(1)
    try:
        answers = [me.ask("POST", "moves", body) for _ in range(10)]
        seen = me.view()
        health = me.ask("GET", "/health")
    finally:
        small_disk(resource.RLIM_INFINITY)
    assert {answer.status_code for answer in answers} == {503} and health.status_code == 503
    assert sum(entry["kind"] == "move" for entry in seen["log"]) == 1  # what was refused is not shown as done
    assert me.ask("GET", "/health").status_code == 200
    assert me.ask("POST", "moves", body).status_code == 200
    assert me.ask("POST", "moves", body).status_code == 200  # the same key: once
    assert sum(entry["kind"] == "move" for entry in me.view()["log"]) == 2
    said = [record.getMessage() for record in errors_of(caplog)]
    assert len(said) == 2 and "cannot be written" in said[0] and "written again" in said[1], said


def test_a_file_that_is_not_ours_any_more(start: Any, tmp_path: Path) -> None:
    """Somebody wrote rubbish into the file: it is said as trouble, not as a mistake of the server."""
    server: LocalServer = start()
    me = Person(server.url).lay(variant_where(all_at_once), ["me", "me"])
    server.forget(me.table)
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        connection.execute("DROP TABLE entries")
    answer = me.ask("GET", "")
    assert answer.status_code == 503 and answer.json()["error"]["code"] == "store/away"


def test_trouble_is_logged_when_it_begins_and_when_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    troubles = Troubles("written")
    for _ in range(1000):
        with pytest.raises(StoreTrouble), troubles.noted():
            raise sa.exc.OperationalError("INSERT", {}, OSError("no space left"))
    assert troubles.now
    with troubles.noted():
        pass
    assert not troubles.now
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "the store cannot be written",
        caplog.records[1].getMessage(),
    ]
    assert "1000 failed attempts" in caplog.records[1].getMessage()


def test_what_a_database_refuses_is_no_trouble() -> None:
    troubles = Troubles("written")
    with pytest.raises(sa.exc.IntegrityError), troubles.noted():
        raise sa.exc.IntegrityError("INSERT", {}, Exception("taken"))
    assert not troubles.now


@pytest.mark.xdist_group("postgresql")
def test_a_move_is_one_statement(postgres: Postgres) -> None:
    """On PostgreSQL, where every statement is a round trip, and another process may write to the same table."""
    database = postgres.new_database()
    migrate(database)

    async def live() -> None:
        store = Store(database)
        service = TableService(store, Settings(database, workers=2, hold=0.0), Feed())
        notices = service.cache.notices
        assert notices is not None
        watching = asyncio.create_task(notices.watch())
        try:
            while not notices._is_open:
                await asyncio.sleep(0.01)
            session, *_ = await service.create(variant_where(one_by_one), ["me", "me"])
            statements: list[str] = []
            sa.event.listen(store.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
            for _ in range(10):
                seat = session.table.waiting[0]
                session = await service.get(session.id)
                move, version = session.table.match.legal_moves(seat)[0], session.table.seats[seat].version
                session = await service.play(session, seat, move, version, new_key(), True)
            assert len(statements) == 10 and all("INSERT INTO entries" in text for text in statements)
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            service.close()
            store.close()

    run(live())


def test_the_limit_on_files_works(tmp_path: Path, small_disk: Any) -> None:
    """The stand-in for a full disk does what a full disk does."""
    small_disk(1000)
    try:
        with pytest.raises(OSError, match="File too large"):
            (tmp_path / "file").write_bytes(os.urandom(2000))
    finally:
        small_disk(resource.RLIM_INFINITY)


def test_a_hold_ends_after_an_outage(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The roll that waits for a take-back comes, although the store was away when its time came."""

    async def live() -> None:
        store = Store(filled)
        service = TableService(store, Settings(filled, workers=2, hold=0.1), Feed())
        try:
            session, *_ = await service.create(variant_where(one_by_one), ["me", "me"])
            for _ in range(50):
                seat = session.table.waiting[0]
                move, version = session.table.match.legal_moves(seat)[0], session.table.seats[seat].version
                session = await service.play(session, seat, move, version, new_key(), False)
                if session.hold_until is not None:
                    break
            assert session.hold_until is not None
            read = store.entries_and_holders

            def away(*_: Any) -> Any:
                raise StoreTrouble

            monkeypatch.setattr(store, "entries_and_holders", away)
            monkeypatch.setattr(store, "append", away)
            await asyncio.sleep(0.3)
            monkeypatch.undo()
            assert store.entries_and_holders == read
            async with asyncio.timeout(PATIENCE):
                while session.hold_until is not None or session.table.is_due:
                    await asyncio.sleep(0.05)
                    session = await service.get(session.id)
        finally:
            service.close()
            store.close()

    run(live())


def test_numbers_that_are_used_again_are_noticed(tmp_path: Path) -> None:
    """SQLite gives the numbers of a deleted table to the next entries."""
    database = f"sqlite:///{tmp_path}/tables.db"
    migrate(database)
    store = Store(database)
    notices = Notices(store, Feed())
    try:

        def a_table(name: str, entries: int) -> None:
            row = TableRow(name, "table", "x", "x", 1, None, None, "host", 1.0)
            store.create(row, [], [Entry(seq, "nudge", 0, "", 1.0) for seq in range(1, entries + 1)]).result()

        a_table("old", 3)
        a_table("new", 5)
        assert not notices.is_newest("new", 4) and notices.is_newest("new", 5)
        store.throw_away(["new"], 2.0, 2.0).result()
        store.append("old", [Entry(4, "nudge", 0, "", 1.0)]).result()
        assert not notices.is_newest("old", 3)
    finally:
        notices.close()
        store.close()
