"""The thread that writes to the store. What waits together is committed together, so that many tables share one wait."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lamplighter.errors import LamplighterError
from lamplighter.web import db_schema
from lamplighter.web.trouble import StoreTrouble, Troubles

Result = TypeVar("Result")
BATCH = 64  # writes that share a transaction, at most
CHANNEL = "lamplighter"  # on which PostgreSQL tells the other processes
NOTICE = 3_000  # characters of entries that go with a notice; PostgreSQL takes 8,000 bytes

_LAST = sa.select(sa.func.max(db_schema.entries.c.seq)).where(db_schema.entries.c.table_id == sa.bindparam("table"))
_ADD = sa.insert(db_schema.entries)
# All entries of a batch in one statement, and so in one round trip and one commit. An entry whose predecessor is missing
# keeps the whole batch out; one whose number or key is taken raises an integrity error.
_ADD_ALL = """
WITH given AS (
  SELECT * FROM unnest(%s::text[], %s::int[], %s::text[], %s::int[], %s::text[], %s::text[], %s::float8[])
    AS row (table_id, seq, kind, seat, text, key, at)
), loose AS (
  SELECT 1 FROM (SELECT table_id, min(seq) AS seq FROM given GROUP BY table_id) AS first
  WHERE seq > 1 AND NOT EXISTS
    (SELECT 1 FROM entries WHERE entries.table_id = first.table_id AND entries.seq = first.seq - 1)
), added AS (
  INSERT INTO entries (table_id, seq, kind, seat, text, key, at)
  SELECT table_id, seq, kind, seat, text, key, at FROM given WHERE NOT EXISTS (SELECT 1 FROM loose) RETURNING 1
), told AS (
  SELECT pg_notify(%s, notice) FROM unnest(%s::text[]) AS notice WHERE NOT EXISTS (SELECT 1 FROM loose)
)
SELECT (SELECT count(*) FROM loose) + 0 * (SELECT count(*) FROM told)
"""


class Conflict(Exception):
    """Somebody else wrote first: what was to be appended does not follow the log any more."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log."""

    seq: int
    kind: str  # join, bot, person, name, chance, unroll, move, undo, nudge, vote, hint, rematch, promise, round, told
    seat: int | None
    text: str
    at: float
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Append:
    """Entries that follow the log of a table, and what is written with them. Called with a connection, it writes."""

    table_id: str
    entries: Sequence[Entry]
    origin: str  # the process that writes, so that it does not read what it wrote itself
    more: Callable[[Connection], None] | None = None

    def __call__(self, connection: Connection) -> None:
        if next_seq(connection, self.table_id) != self.entries[0].seq:
            raise Conflict
        insert_entries(connection, self.table_id, self.entries, self.origin)
        if self.more is not None:
            self.more(connection)

    @property
    def notice(self) -> str:
        """What the other processes are told: who wrote, where, how far; and the entries, if they are all and not too long."""
        words = f"{self.origin} {self.table_id} {self.entries[-1].seq}"
        values = [[getattr(entry, name) for name in Entry.__slots__] for entry in self.entries]
        told = "" if self.more else json.dumps(values)
        return f"{words} {told}" if len(told) < NOTICE else words


def next_seq(connection: Connection, table_id: str) -> int:
    """Return the number of the entry that would follow the log of a table."""
    return 1 + (connection.execute(_LAST, {"table": table_id}).scalar() or 0)


def insert_entries(connection: Connection, table_id: str, entries: Sequence[Entry], origin: str) -> None:
    """Add entries to a log within a transaction; the other processes hear of it when it is committed."""
    if entries:
        values = [
            {"table_id": table_id, **{name: getattr(entry, name) for name in Entry.__slots__}} for entry in entries
        ]
        connection.execute(_ADD, values)
        if connection.dialect.name == "postgresql":
            notice = Append(
                table_id, entries, origin, more=lambda _: None
            ).notice  # with holders or results: to be read
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, notice)))


Job = tuple[Callable[[Connection], Any], "Future[Any]"]


class Writer:
    """One thread that carries write jobs out, in the order in which they came."""

    def __init__(self, engine: Engine, troubles: Troubles) -> None:
        self._engine = engine.execution_options(lamplighter_begin="BEGIN IMMEDIATE")
        self._single = engine.execution_options(isolation_level="AUTOCOMMIT")  # a statement is a transaction
        self._is_postgres = engine.dialect.name == "postgresql"
        self._troubles = troubles
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[Connection], Result]) -> Future[Result]:
        """Queue a job. Its future is done when its changes are on the disk."""
        if self._closed:
            raise LamplighterError("the server is stopping")
        future: Future[Result] = Future()
        future.set_running_or_notify_cancel()  # whoever stops waiting does not stop the write
        self._jobs.put((job, future))
        return future

    def close(self) -> None:
        """Write what waits, then stop."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            batch, last = self._next_batch()
            if batch:
                self._write_together(batch)
            if last:
                return

    def _next_batch(self) -> tuple[list[Job], bool]:
        first = self._jobs.get()
        if first is None:
            return [], True
        batch = [first]
        while len(batch) < BATCH and not self._jobs.empty():
            more = self._jobs.get()
            if more is None:
                return batch, True
            batch.append(more)
        return batch, False

    def _write_together(self, batch: list[Job]) -> None:
        """Write all in one transaction; if one of them fails, each in its own."""
        try:
            with self._troubles.noted():
                results = self._carry_out(batch)
        except Exception as error:
            if len(batch) == 1 or isinstance(error, StoreTrouble):  # what is out of reach is so for all of them
                for _, future in batch:
                    future.set_exception(Conflict() if isinstance(error, sa.exc.IntegrityError) else error)
            else:
                for one in batch:
                    self._write_together([one])
            return
        for (_, future), result in zip(batch, results, strict=True):
            future.set_result(result)

    def _carry_out(self, batch: list[Job]) -> list[Any]:
        appends = [job for job, _ in batch if isinstance(job, Append) and job.more is None]
        if self._is_postgres and len(appends) == len(batch):
            with self._single.connect() as connection:
                _add_all(connection, appends)
            return [None] * len(batch)
        with self._engine.begin() as connection:
            return [job(connection) for job, _ in batch]


def _add_all(connection: Connection, appends: Sequence[Append]) -> None:
    """Add the entries of many tables in one statement (PostgreSQL)."""
    pairs = [(append.table_id, entry) for append in appends for entry in append.entries]
    columns = [[table_id for table_id, _ in pairs]]
    columns += [[getattr(entry, name) for _, entry in pairs] for name in ("seq", "kind", "seat", "text", "key", "at")]
    notices = [append.notice for append in appends]
    with contextlib.closing(connection.exec_driver_sql(_ADD_ALL, (*columns, CHANNEL, notices))) as found:
        if found.scalar_one():
            raise Conflict
