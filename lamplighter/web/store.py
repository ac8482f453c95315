"""The store: tables and their logs in SQLite or PostgreSQL. A log only grows; everything else can be told from it.

Reads are plain functions. Writes go through one thread that commits all that wait in one transaction, so that many
tables share one wait for the disk. Whoever gets an answer knows that it is on the disk.
"""

from __future__ import annotations

import contextlib
import queue
import re
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lamplighter.errors import LamplighterError
from lamplighter.web import schema

Result = TypeVar("Result")
BATCH = 64  # writes that share a transaction, at most
_LAST = sa.select(sa.func.max(schema.entries.c.seq)).where(schema.entries.c.table_id == sa.bindparam("table"))
_ADD = sa.insert(schema.entries)


class Conflict(Exception):
    """Somebody else wrote first: what was to be appended does not follow the log any more."""


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a log."""

    seq: int
    kind: str  # join, bot, person, name, chance, unroll, move, undo, nudge, rematch
    seat: int | None
    text: str
    at: float
    key: str | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """What a table is, apart from its log."""

    id: str
    kind: str
    game: str
    variant: str
    rules: int
    seed: str | None
    promise: str | None  # hash of the seed
    host: str
    created: float
    source: str | None = None
    ghost: int | None = None
    day: str | None = None
    client: str | None = None


@dataclass(frozen=True, slots=True)
class Holder:
    """Who may act for a seat."""

    seat: int
    token: str  # hashed
    seen: float


@dataclass(frozen=True, slots=True)
class ResultRow:
    """How a seat came out."""

    seat: int
    name: str
    person: bool
    total: int
    won: bool


def read_address(url: str) -> sa.URL:
    try:
        return sa.make_url(url)
    except sa.exc.ArgumentError:
        raise LamplighterError(
            f"cannot read the database address {_without_password(url)!r}: write sqlite:///FILE or postgresql://USER@HOST/NAME"
        ) from None


def file_of(url: str) -> Path | None:
    """The SQLite file of a database URL, in a folder that exists; None for other databases."""
    parsed = read_address(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    path = Path(str(parsed.database))
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def connect(url: str) -> Engine:
    """An engine for a database URL; SQLite waits its turn and writes ahead."""
    parsed = read_address(url)
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() != "sqlite":
        return sa.create_engine(parsed, pool_pre_ping=True, hide_parameters=True)
    file_of(url)
    engine = sa.create_engine(parsed, connect_args={"timeout": 30, "check_same_thread": False}, hide_parameters=True)
    sa.event.listen(engine, "connect", _tune_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _tune_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # SQLAlchemy says BEGIN itself
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """The writer takes SQLite's only write lock at once, so that it never fails half-way."""
    connection.exec_driver_sql(connection.get_execution_options().get("lamplighter_begin", "BEGIN"))


def _without_password(url: str) -> str:
    return re.sub(r":[^:@/]*@", ":***@", url)


def migrate(url: str) -> None:
    """Bring the schema of a database up to date."""
    import alembic.util
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    engine = connect(url)
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except sa.exc.OperationalError as error:
        raise LamplighterError(f"cannot open the database {_without_password(url)!r}: {error.orig}") from None
    except alembic.util.CommandError:
        raise LamplighterError(
            f"the database {_without_password(url)!r} was made by a newer version of Lamplighter: update this one"
        ) from None
    finally:
        engine.dispose()


class Store:
    """Tables, their logs, who holds which seat, and results."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = connect(url)
        self._writer = _Writer(self.engine)

    def close(self) -> None:
        self._writer.close()
        self.engine.dispose()

    # --- reading ----------------------------------------------------------------------------------------------

    def table(self, table_id: str) -> TableRow | None:
        with self.engine.connect() as connection:
            found = (
                connection.execute(sa.select(schema.tables).where(schema.tables.c.id == table_id)).mappings().first()
            )
        return None if found is None else TableRow(**found)

    def holders(self, table_id: str) -> list[Holder]:
        columns = schema.holders.c
        query = sa.select(columns.seat, columns.token, columns.seen).where(columns.table_id == table_id)
        with self.engine.connect() as connection:
            return [Holder(*row) for row in connection.execute(query.order_by(columns.seat))]

    def rows(self, table_id: str, after: int = 0) -> list[Row]:
        """The log behind a number."""
        columns = schema.entries.c
        query = sa.select(columns.seq, columns.kind, columns.seat, columns.text, columns.at, columns.key)
        query = query.where(columns.table_id == table_id, columns.seq > after).order_by(columns.seq)
        with self.engine.connect() as connection:
            return [Row(*row) for row in connection.execute(query)]

    def news(self, table_id: str, after: int) -> tuple[list[Row], list[Holder]]:
        """The log behind a number, and who holds the seats."""
        return self.rows(table_id, after), self.holders(table_id)

    def changed(self, after: int) -> tuple[int, list[str]]:
        """The tables whose log has grown since a moment, and the moment now."""
        columns = schema.entries.c
        query = sa.select(sa.func.max(columns.n), columns.table_id).where(columns.n > after).group_by(columns.table_id)
        with self.engine.connect() as connection:
            found = connection.execute(query).all()
        return max((row[0] for row in found), default=after), [row[1] for row in found]

    def newest(self) -> int:
        with self.engine.connect() as connection:
            return connection.execute(sa.select(sa.func.max(schema.entries.c.n))).scalar() or 0

    def count_tables(self) -> int:
        with self.engine.connect() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(schema.tables)).scalar_one()

    def daily_table(self, day: str, game: str, client: str) -> str | None:
        """The match that this browser plays today."""
        columns = schema.tables.c
        query = sa.select(columns.id).where(columns.day == day, columns.game == game, columns.client == client)
        with self.engine.connect() as connection:
            return connection.execute(query).scalar()

    def board(self, day: str, game: str, limit: int = 20) -> list[dict[str, Any]]:
        """The best results of a day."""
        results, tables = schema.results.c, schema.tables.c
        query = (
            sa.select(results.name, results.total, results.at)
            .join(schema.tables, tables.id == results.table_id)
            .where(tables.day == day, tables.game == game, results.person)
            .order_by(results.total.desc(), results.at)
            .limit(limit)
        )
        with self.engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def place(self, table_id: str) -> int | None:
        """The place of the person at a daily table among all of that day; None before the end."""
        results, tables = schema.results.c, schema.tables.c
        mine = sa.select(results.total, results.at, tables.day, tables.game).join(schema.tables)
        mine = mine.where(results.table_id == table_id, results.person)
        with self.engine.connect() as connection:
            found = connection.execute(mine).first()
            if found is None:
                return None
            better = sa.or_(results.total > found.total, sa.and_(results.total == found.total, results.at < found.at))
            query = sa.select(sa.func.count()).select_from(schema.results).join(schema.tables)
            query = query.where(tables.day == found.day, tables.game == found.game, results.person, better)
            return 1 + connection.execute(query).scalar_one()

    def totals(self, table_id: str) -> list[int]:
        """What every seat had when the match ended."""
        columns = schema.results.c
        query = sa.select(columns.total).where(columns.table_id == table_id).order_by(columns.seat)
        with self.engine.connect() as connection:
            return list(connection.execute(query).scalars())

    def old_tables(self, untouched: float, never_begun: float) -> list[str]:
        """Some tables whose log has not grown since a moment, or since another if nobody has ever moved there."""
        with self.engine.connect() as connection:
            return list(connection.execute(_too_old(untouched, never_begun).limit(BATCH)).scalars())

    def secret(self) -> str:
        """A word that only this server knows; made when first asked for."""
        query = sa.select(schema.facts.c.value).where(schema.facts.c.name == "secret")
        with self.engine.connect() as connection:
            found = connection.execute(query).scalar()
        if found is not None:
            return str(found)
        value = {"name": "secret", "value": secrets.token_hex(32)}
        with contextlib.suppress(Conflict):  # another worker was quicker
            self.write(lambda connection: connection.execute(sa.insert(schema.facts), value)).result()
        return self.secret()

    # --- writing ----------------------------------------------------------------------------------------------

    def write(self, job: Callable[[Connection], Result]) -> Future[Result]:
        """Let the writer carry out a job; the future is done when it is on the disk."""
        return self._writer.submit(job)

    def create(self, table: TableRow, holders: Sequence[Holder], rows: Sequence[Row]) -> Future[None]:
        """A new table with the beginning of its log."""

        def job(connection: Connection) -> None:
            values = {name: getattr(table, name) for name in TableRow.__slots__}
            connection.execute(sa.insert(schema.tables), values)
            self._insert_holders(connection, table.id, holders)
            self._insert_rows(connection, table.id, rows)

        return self.write(job)

    def append(
        self, table_id: str, rows: Sequence[Row], holders: Sequence[Holder] = (), results: Sequence[ResultRow] = ()
    ) -> Future[None]:
        """Entries that follow the log as the caller knows it, or a `Conflict`; with them who sat down, or the end."""

        def job(connection: Connection) -> None:
            if (connection.execute(_LAST, {"table": table_id}).scalar() or 0) != rows[0].seq - 1:
                raise Conflict
            self._insert_rows(connection, table_id, rows)
            self._insert_holders(connection, table_id, holders)
            self._insert_results(connection, table_id, results)

        return self.write(job)

    def throw_away(self, table_ids: Sequence[str], untouched: float, never_begun: float) -> Future[int]:
        """Delete tables that are still too old, each with its whole log; how many."""

        def job(connection: Connection) -> int:
            query = _too_old(untouched, never_begun).where(schema.tables.c.id.in_(table_ids))
            old = list(connection.execute(query).scalars())
            for table in (schema.results, schema.holders, schema.entries):
                connection.execute(sa.delete(table).where(table.c.table_id.in_(old)))
            connection.execute(sa.delete(schema.tables).where(schema.tables.c.id.in_(old)))
            return len(old)

        return self.write(job)

    def saw(self, table_id: str, seats: Sequence[int]) -> Future[None]:
        """Note a sign of life."""
        columns = schema.holders.c

        def job(connection: Connection) -> None:
            query = sa.update(schema.holders).where(columns.table_id == table_id, columns.seat.in_(seats))
            connection.execute(query.values(seen=time.time()))

        return self.write(job)

    def _insert_rows(self, connection: Connection, table_id: str, rows: Sequence[Row]) -> None:
        if rows:
            values = [{"table_id": table_id, **{name: getattr(row, name) for name in Row.__slots__}} for row in rows]
            connection.execute(_ADD, values)
            if self.engine.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_notify("lamplighter", table_id)))

    @staticmethod
    def _insert_holders(connection: Connection, table_id: str, holders: Sequence[Holder]) -> None:
        if holders:
            values = [{"table_id": table_id, "seat": h.seat, "token": h.token, "seen": h.seen} for h in holders]
            connection.execute(sa.insert(schema.holders), values)

    @staticmethod
    def _insert_results(connection: Connection, table_id: str, results: Sequence[ResultRow]) -> None:
        if results:
            fields = ResultRow.__slots__
            now = time.time()
            values = [
                {"table_id": table_id, "at": now, **{name: getattr(row, name) for name in fields}} for row in results
            ]
            connection.execute(sa.insert(schema.results), values)


def _too_old(untouched: float, never_begun: float) -> sa.Select[Any]:
    tables, entries = schema.tables.c, schema.entries.c
    moves = sa.func.count().filter(entries.kind == "move")
    touched = sa.func.coalesce(sa.func.max(entries.at), tables.created)
    return (
        sa.select(tables.id)
        .outerjoin(schema.entries, entries.table_id == tables.id)
        .where(tables.created < max(untouched, never_begun))
        .group_by(tables.id)
        .having(touched < sa.case((moves > 0, untouched), else_=never_begun))
    )


Job = tuple[Callable[[Connection], Any], "Future[Any]"]


class _Writer:
    """One thread that writes. What waits together is committed together."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(lamplighter_begin="BEGIN IMMEDIATE")
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[Connection], Result]) -> Future[Result]:
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
        """All in one transaction; if one of them fails, each in its own."""
        results = []
        try:
            with self._engine.begin() as connection:
                for job, _ in batch:
                    results.append(job(connection))
        except Exception as error:
            if len(batch) == 1:
                batch[0][1].set_exception(Conflict() if isinstance(error, sa.exc.IntegrityError) else error)
            else:
                for one in batch:
                    self._write_together([one])
            return
        for (_, future), result in zip(batch, results, strict=True):
            future.set_result(result)
