"""The store: tables and their logs in SQLite or PostgreSQL. A log only grows; everything else can be told from it.

Reads are plain functions. Writes go through one thread (`writer`). Whoever gets an answer knows that it is on the disk.
"""

from __future__ import annotations

import contextlib
import functools
import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from lamplighter.errors import CannotStart, LamplighterError
from lamplighter.web import db_schema
from lamplighter.web.trouble import Troubles
from lamplighter.web.writer import BATCH, Append, Conflict, Entry, Writer, insert_entries

__all__ = ["Conflict", "Entry", "Holder", "ResultRow", "Store", "TableRow", "connect", "file_of", "migrate"]

Result = TypeVar("Result")
IDLE = 5.0  # seconds after which a pooled connection is tried before it is used
# when a PostgreSQL server counts as away: seconds without an answer, and milliseconds without a sign that data arrived
IMPATIENCE = {
    "connect_timeout": "10", "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}  # fmt: skip
ADVICE = {
    "is not a database": "it is another kind of file, so name another one with --database sqlite:///FILE",
    "readonly database": "make the file and its folder writable, or name another one with --database sqlite:///FILE",
    "unable to open database file": "make the file and its folder writable, or name another one with --database sqlite:///FILE",
    "database or disk is full": "make room on the disk",
    "database is locked": "another program holds it, so stop that one first",
    "password authentication failed": "check the user and the password in the address",
    "no password supplied": "write the password into the address: postgresql://USER:PASSWORD@HOST/NAME",
    "does not exist": "make it with createdb and createuser, or correct the address",
    "resolve": "check the name of the host",
    "refused": "start the database server, or correct host and port in the address",
    "timeout": "start the database server, or correct host and port in the address",
    "permission denied": "let this user make tables there",
}


@dataclass(frozen=True, slots=True)
class TableRow:
    """What a table is, apart from its log."""

    id: str
    kind: str
    game: str
    variant: str
    rules: int
    seed: str | None
    promise: str | None  # hash of salt and seed
    host: str
    created: float
    source: str | None = None
    ghost: int | None = None
    day: str | None = None
    client: str | None = None
    maker: str | None = None
    counted: bool = True
    shared: bool = False
    address: str | None = None
    person: str | None = None
    salt: str | None = None
    box: str | None = None  # the text of a component file
    hold: str = "short"  # how long what follows a move waits for a take-back: short, long, done
    hints: bool = True  # whether people may ask for some


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
    hinted: bool = False  # looked at hints


def read_address(url: str) -> sa.URL:
    """The parts of the address of a database that Lamplighter can use."""
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        parsed = None
    if parsed is None or parsed.get_backend_name() not in ("sqlite", "postgresql", "postgres"):
        raise LamplighterError(
            f"cannot read the database address {_without_password(url)!r}: write sqlite:///FILE or postgresql://USER@HOST/NAME"
        )
    return parsed


def file_of(url: str) -> Path | None:
    """The SQLite file of a database URL, in a folder that exists; None for other databases."""
    parsed = read_address(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    path = Path(str(parsed.database))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotStart(
            f"cannot make the folder {str(path.parent)!r} for the database ({error.strerror}): "
            "make it yourself, or name another place with --database sqlite:///FILE"
        ) from None
    return path


def connect(url: str) -> Engine:
    """An engine for a database URL; SQLite waits its turn and writes ahead."""
    parsed = read_address(url)
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.get_backend_name() != "sqlite":
        parsed = parsed.set(query=IMPATIENCE | dict(parsed.query))
        engine = sa.create_engine(parsed, hide_parameters=True)
        sa.event.listen(engine, "checkin", _note_use)
        sa.event.listen(engine, "checkout", functools.partial(_ping_if_idle, engine))
        return engine
    file_of(url)
    patience = {"timeout": 10, "check_same_thread": False}  # seconds that it waits for another writer
    engine = sa.create_engine(parsed, connect_args=patience, hide_parameters=True)
    sa.event.listen(engine, "connect", _tune_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _note_use(_: Any, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _ping_if_idle(engine: Engine, connection: Any, record: Any, _: Any) -> None:
    """Replace a pooled connection that broke while nobody used it; a busy one is not worth a round trip."""
    if time.monotonic() - record.info.get("used", 0.0) > IDLE:
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error:
            raise sa.exc.DisconnectionError from None


def _tune_sqlite(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # SQLAlchemy says BEGIN itself
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """The writer takes SQLite's only write lock at once, so that it never fails half-way."""
    connection.exec_driver_sql(connection.get_execution_options().get("lamplighter_begin", "BEGIN"))


def _without_password(url: str) -> str:
    """A database address to show, also one that makes no sense: without what may be a password."""
    hidden = re.sub(r"(//[^:/@]*):.*@", r"\1:***@", url)
    return re.sub(r"(password=)[^&]*", r"\1***", hidden)


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
    except sa.exc.DBAPIError as error:
        reason = " ".join(str(error.orig).split())
        raise CannotStart(
            f"cannot open the database {_without_password(url)!r} ({reason}): {_what_to_do(reason)}"
        ) from None
    except alembic.util.CommandError:
        raise LamplighterError(
            f"the database {_without_password(url)!r} was made by a newer version of Lamplighter: update this one"
        ) from None
    finally:
        engine.dispose()


def _what_to_do(reason: str) -> str:
    """Advice about what a database said when it was opened."""
    for words, advice in ADVICE.items():
        if words in reason:
            return advice
    return "is it the right address, may you write there, and does the database run?"


class Store:
    """Tables, their logs, who holds which seat, and results."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = connect(url)
        self.reading, self.writing = Troubles("read"), Troubles("written")
        self.origin = secrets.token_hex(4)  # names this process to the others
        # SQLite reads within a transaction of its own; for PostgreSQL that would be two more round trips
        single = {} if self.engine.dialect.name == "sqlite" else {"isolation_level": "AUTOCOMMIT"}
        self._reader = self.engine.execution_options(**single)
        self._writer = Writer(self.engine, self.writing)

    def close(self) -> None:
        self._writer.close()
        self.engine.dispose()

    # --- reading ----------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection to read with."""
        with self.reading.noted(), self._reader.connect() as connection:
            yield connection

    def table(self, table_id: str) -> TableRow | None:
        with self.connection() as connection:
            found = connection.execute(_TABLE, {"table": table_id}).mappings().first()
        return None if found is None else TableRow(**found)

    def holders(self, table_id: str) -> list[Holder]:
        with self.connection() as connection:
            return _holders(connection, table_id)

    def entries(self, table_id: str, after: int = 0) -> list[Entry]:
        """Return the entries of a log after a number."""
        with self.connection() as connection:
            return _entries(connection, table_id, after)

    def entries_and_holders(self, table_id: str, after: int = 0) -> tuple[list[Entry], list[Holder]]:
        """Return the entries of a log after a number, and who holds the seats."""
        with self.connection() as connection:
            return _entries(connection, table_id, after), _holders(connection, table_id)

    def whole(self, table_id: str) -> tuple[TableRow, list[Holder], list[Entry]] | None:
        """A table with its holders and its whole log."""
        with self.connection() as connection:
            found = connection.execute(_TABLE, {"table": table_id}).mappings().first()
            if found is None:
                return None
            entries = _entries(connection, table_id, 0)  # before the holders, who are written with their entries
            return TableRow(**found), _holders(connection, table_id), entries

    def check(self) -> None:
        """See that the store can be read, and written if the last attempt failed; else there is a `StoreTrouble`."""
        self.newest()
        if self.writing.now:
            with contextlib.suppress(Conflict):  # another process tried at the same moment, and could
                self.write(_try_to_write).result()

    def newest(self) -> int:
        with self.connection() as connection:
            return connection.execute(sa.select(sa.func.max(db_schema.entries.c.n))).scalar() or 0

    def count_tables(self) -> int:
        with self.connection() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(db_schema.tables)).scalar_one()

    def count_made(self, maker: str) -> int:
        """How many tables a client has set up lately."""
        query = sa.select(sa.func.count()).select_from(db_schema.tables).where(db_schema.tables.c.maker == maker)
        with self.connection() as connection:
            return connection.execute(query).scalar_one()

    def daily_table(self, day: str, game: str, client: str) -> str | None:
        """The match that this browser plays today."""
        columns = db_schema.tables.c
        query = sa.select(columns.id).where(columns.day == day, columns.game == game, columns.client == client)
        with self.connection() as connection:
            return connection.execute(query).scalar()

    def board(self, day: str, game: str, limit: int = 20) -> list[dict[str, Any]]:
        """The best results of a day, with the tables where they were made."""
        results, tables = db_schema.results.c, db_schema.tables.c
        told = results.name, results.total, results.at, results.hinted
        query = (
            sa.select(*told, _shared().label("shared"), tables.id.label("table"))
            .join(db_schema.tables, tables.id == results.table_id)
            .where(*_on_board(day, game))
            .order_by(results.total.desc(), results.at)
            .limit(limit)
        )
        with self.connection() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def place(self, table_id: str) -> int | None:
        """The place of the person at a daily table among all of that day; None before the end, or if it is not counted."""
        results, tables = db_schema.results.c, db_schema.tables.c
        with self.connection() as connection:
            day = connection.execute(sa.select(tables.day, tables.game).where(tables.id == table_id)).first()
            if day is None or day.day is None:
                return None
            counted = sa.select(results.total, results.at).join(db_schema.tables).where(*_on_board(day.day, day.game))
            found = connection.execute(counted.where(results.table_id == table_id)).first()
            if found is None:
                return None
            better = sa.or_(results.total > found.total, sa.and_(results.total == found.total, results.at < found.at))
            return (
                1
                + connection.execute(
                    sa.select(sa.func.count()).select_from(counted.where(better).subquery())
                ).scalar_one()
            )

    def totals(self, table_id: str) -> list[int]:
        """What every seat had when the match ended."""
        columns = db_schema.results.c
        query = sa.select(columns.total).where(columns.table_id == table_id).order_by(columns.seat)
        with self.connection() as connection:
            return list(connection.execute(query).scalars())

    def old_tables(self, untouched: float, never_begun: float) -> list[str]:
        """Some tables whose log has not grown since a moment, or since another if nobody has ever moved there."""
        with self.connection() as connection:
            return list(connection.execute(_too_old(untouched, never_begun).limit(BATCH)).scalars())

    def secret(self) -> str:
        """A word that only this server knows; made when first asked for."""
        query = sa.select(db_schema.server_values.c.value).where(db_schema.server_values.c.name == "secret")
        with self.connection() as connection:
            found = connection.execute(query).scalar()
        if found is not None:
            return str(found)
        value = {"name": "secret", "value": secrets.token_hex(32)}
        with contextlib.suppress(Conflict):  # another worker was quicker
            self.write(lambda connection: connection.execute(sa.insert(db_schema.server_values), value)).result()
        return self.secret()

    # --- writing ----------------------------------------------------------------------------------------------

    def write(self, job: Callable[[Connection], Result]) -> Future[Result]:
        """Let the writer carry out a job; the future is done when it is on the disk."""
        return self._writer.submit(job)

    def create(self, table: TableRow, holders: Sequence[Holder], entries: Sequence[Entry]) -> Future[None]:
        """A new table with the beginning of its log."""
        return self.write(lambda connection: self.insert(connection, table, holders, entries))

    def insert(self, at: Connection, table: TableRow, holders: Sequence[Holder], entries: Sequence[Entry]) -> None:
        """Write a new table, as part of a job."""
        at.execute(sa.insert(db_schema.tables), {name: getattr(table, name) for name in TableRow.__slots__})
        self._insert_holders(at, table.id, holders)
        insert_entries(at, table.id, entries, self.origin)

    def append(
        self, table_id: str, entries: Sequence[Entry], holders: Sequence[Holder] = (), results: Sequence[ResultRow] = ()
    ) -> Future[None]:
        """Append entries that follow the log as the caller knows it, or a `Conflict`; with them who sat down, or the end."""

        def more(connection: Connection) -> None:
            self._insert_holders(connection, table_id, holders)
            self._insert_results(connection, table_id, results)

        return self.write(Append(table_id, entries, self.origin, more if holders or results else None))

    def throw_away(self, table_ids: Sequence[str], untouched: float, never_begun: float) -> Future[int]:
        """Delete tables that are still too old, each with its whole log. Return how many."""

        def job(connection: Connection) -> int:
            query = _too_old(untouched, never_begun).where(db_schema.tables.c.id.in_(table_ids))
            old = list(connection.execute(query).scalars())
            for table in (*db_schema.OF_A_TABLE, db_schema.entries):
                connection.execute(sa.delete(table).where(table.c.table_id.in_(old)))
            return connection.execute(sa.delete(db_schema.tables).where(db_schema.tables.c.id.in_(old))).rowcount

        return self.write(job)

    def forget_makers(self, before: float) -> Future[None]:
        """Forget who set up the tables that are older than this moment."""
        columns = db_schema.tables.c
        query = (
            sa.update(db_schema.tables).where(columns.maker.is_not(None), columns.created < before).values(maker=None)
        )

        def job(connection: Connection) -> None:
            connection.execute(query)

        return self.write(job)

    def forget_addresses(self, today: str) -> Future[None]:
        """Delete from where the matches of past days came, and keep what the boards say about it."""
        tables = db_schema.tables
        past = sa.and_(tables.c.day < today, sa.or_(tables.c.address.is_not(None), tables.c.person.is_not(None)))

        def job(connection: Connection) -> None:
            results = db_schema.results.c
            query = sa.select(results.table_id).join(tables).where(past, results.person, _shared())
            shared = list(connection.execute(query).scalars())
            connection.execute(sa.update(tables).where(tables.c.id.in_(shared)).values(shared=True))
            connection.execute(sa.update(tables).where(past).values(address=None, person=None))

        return self.write(job)

    def saw(self, table_id: str, seats: Sequence[int]) -> Future[None]:
        """Note a sign of life."""
        columns = db_schema.holders.c

        def job(connection: Connection) -> None:
            query = sa.update(db_schema.holders).where(columns.table_id == table_id, columns.seat.in_(seats))
            connection.execute(query.values(seen=time.time()))

        return self.write(job)

    @staticmethod
    def _insert_holders(connection: Connection, table_id: str, holders: Sequence[Holder]) -> None:
        if holders:
            values = [{"table_id": table_id, "seat": h.seat, "token": h.token, "seen": h.seen} for h in holders]
            connection.execute(sa.insert(db_schema.holders), values)

    @staticmethod
    def _insert_results(connection: Connection, table_id: str, results: Sequence[ResultRow]) -> None:
        if results:
            fields = ResultRow.__slots__
            shared = {"table_id": table_id, "at": time.time()}
            values = [shared | {name: getattr(row, name) for name in fields} for row in results]
            connection.execute(sa.insert(db_schema.results), values)


_TABLE = sa.select(db_schema.tables).where(db_schema.tables.c.id == sa.bindparam("table"))
_HOLDERS = (
    sa.select(db_schema.holders.c.seat, db_schema.holders.c.token, db_schema.holders.c.seen)
    .where(db_schema.holders.c.table_id == sa.bindparam("table"))
    .order_by(db_schema.holders.c.seat)
)
_ENTRIES = (
    sa.select(*(db_schema.entries.c[name] for name in ("seq", "kind", "seat", "text", "at", "key")))
    .where(db_schema.entries.c.table_id == sa.bindparam("table"), db_schema.entries.c.seq > sa.bindparam("after"))
    .order_by(db_schema.entries.c.seq)
)


def _try_to_write(connection: Connection) -> None:
    """Write something new: SQLite does not touch the disk for what is there already."""
    connection.execute(sa.delete(db_schema.server_values).where(db_schema.server_values.c.name == "tried"))
    connection.execute(sa.insert(db_schema.server_values), {"name": "tried", "value": secrets.token_hex(8)})


def _holders(connection: Connection, table_id: str) -> list[Holder]:
    return [Holder(*row) for row in connection.execute(_HOLDERS, {"table": table_id})]


def _entries(connection: Connection, table_id: str, after: int) -> list[Entry]:
    return [Entry(*row) for row in connection.execute(_ENTRIES, {"table": table_id, "after": after})]


def end_of(day: str) -> float:
    """The moment at which a day is over, for everybody at once."""
    return datetime.fromisoformat(f"{day}T00:00+00:00").timestamp() + 24 * 3600


def _on_board(day: str, game: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Which results a board has: of people who played to the end, by themselves, before the dice were told."""
    results, tables = db_schema.results.c, db_schema.tables.c
    mine = tables.day == day, tables.game == game, tables.counted
    return *mine, results.person, results.at < end_of(day)


def _shared() -> sa.ColumnElement[bool]:
    """Whether another try at the same address may have shown the dice before a result: it began before that."""
    tables, other = db_schema.tables.c, db_schema.tables.alias()
    same = other.c.day == tables.day, other.c.game == tables.game, other.c.address == tables.address
    began = sa.exists().where(*same, other.c.id != tables.id, other.c.created < db_schema.results.c.at)
    return sa.or_(tables.shared, began.correlate(db_schema.tables, db_schema.results))


def _too_old(untouched: float, never_begun: float) -> sa.Select[Any]:
    tables, entries = db_schema.tables.c, db_schema.entries.c
    moves = sa.func.count().filter(entries.kind == "move")
    touched = sa.func.coalesce(sa.func.max(entries.at), tables.created)
    return (
        sa.select(tables.id)
        .outerjoin(db_schema.entries, entries.table_id == tables.id)
        .where(tables.created < max(untouched, never_begun))
        .group_by(tables.id)
        .having(touched < sa.case((moves > 0, untouched), else_=never_begun))
    )
