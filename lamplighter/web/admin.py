"""What whoever runs a server can do with its database, also while the server plays on it.

A server has tables in memory. What is changed here is announced (`announce`), and every server process looks
for that once a second (`heed`) and reads its tables again.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qs

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lamplighter import bots
from lamplighter.errors import LamplighterError
from lamplighter.web import db_schema, kept, views
from lamplighter.web.driver import TRIES
from lamplighter.web.errors import NoTable, OlderRules
from lamplighter.web.feed import Feed
from lamplighter.web.service import DAY, TableService
from lamplighter.web.settings import Settings
from lamplighter.web.store import Conflict, Entry, Store, connect, file_of, migrate, read_address
from lamplighter.web.table_cache import TableCache
from lamplighter.web.tokens import hash_token
from lamplighter.web.trouble import StoreTrouble
from lamplighter.web.writer import next_seq

Result = TypeVar("Result")
LOOK = 1.0  # seconds between two looks of a server for what was announced
MOMENT = 3 * LOOK  # seconds after which every server has heard it
PHASES = ("lobby", "running", "finished")
# what tells something of a person in the row of a table, apart from the token that laid it
PERSONAL = ("client", "maker", "address", "person")
SQLITE, POSTGRES = b"SQLite format 3\0", b"PGDMP"


# --- a server that plays meanwhile ----------------------------------------------------------------------------


def announce(connection: Connection) -> None:
    """Tell every server that its database was changed from outside."""
    columns = db_schema.server_values.c
    connection.execute(sa.delete(db_schema.server_values).where(columns.name == "changed"))
    connection.execute(sa.insert(db_schema.server_values), {"name": "changed", "value": secrets.token_hex(8)})


def announced(store: Store) -> str | None:
    query = sa.select(db_schema.server_values.c.value).where(db_schema.server_values.c.name == "changed")
    with store.connection() as connection:
        return connection.execute(query).scalar()


async def heed(cache: TableCache) -> None:
    """Read all tables again whenever something was changed from outside, for as long as it runs."""
    known: str | None = None
    first = True
    while True:
        try:
            found = await asyncio.to_thread(announced, cache.store)
        except StoreTrouble:
            pass  # the store has logged it
        else:
            if found != known and not first:
                await cache.forget_all()
            known, first = found, False
        await asyncio.sleep(LOOK)


# --- opening --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def opened(url: str) -> Iterator[TableService]:
    """The tables of a database that exists and is up to date."""
    version, newest = schema_version(url), newest_version()
    if version is None:
        raise LamplighterError("this is not a database of Lamplighter: it has no tables of a server")
    if version != newest:
        raise LamplighterError(
            f"the database has schema {version}, and this version of Lamplighter has {newest}: "
            "make a backup, then start the server of the newer one once"
        )
    store = Store(url)
    service = TableService(store, Settings(url), Feed())
    try:
        yield service
    finally:
        service.close()
        store.close()


def schema_version(url: str) -> str | None:
    """Return the revision of a database's schema; None if it is not one of ours. Nothing is made or changed."""
    path = _path_of(url)
    if path is not None:
        return _sqlite_version(path)
    engine = connect(url)
    try:
        with engine.connect() as connection:
            if not sa.inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    except sa.exc.DatabaseError as error:
        raise LamplighterError(f"cannot open the database: {error.orig}") from None
    finally:
        engine.dispose()


def _path_of(url: str) -> Path | None:
    """Return the SQLite file of a database URL, as `file_of`, but no folder is made for it."""
    address = read_address(url)
    return Path(str(address.database)) if address.get_backend_name() == "sqlite" else None


def _sqlite_version(path: Path) -> str | None:
    if not path.exists():
        raise LamplighterError(f"there is no database {str(path)!r}: start a server, or name one with --database")
    try:
        with contextlib.closing(_read_sqlite(path)) as connection:
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError:
        return None
    return None if found is None else str(found[0])


def _read_sqlite(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30)


def newest_version() -> str | None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return ScriptDirectory.from_config(config).get_current_head()


# --- looking --------------------------------------------------------------------------------------------------


def list_tables(store: Store, game: str = "", phase: str = "", older_than: float | None = None) -> list[dict[str, Any]]:
    """Return the tables, the one that was touched last first."""
    tables, entries = db_schema.tables.c, db_schema.entries.c
    touched = sa.func.coalesce(sa.func.max(entries.at), tables.created)
    begun = sa.func.count().filter(entries.kind.in_(("chance", "move")))
    ended = sa.exists().where(db_schema.results.c.table_id == tables.id)
    phase_now = sa.case((ended, PHASES[2]), (begun > 0, PHASES[1]), else_=PHASES[0])
    columns = [tables.id, tables.game, tables.variant, tables.kind, tables.created, tables.rules, tables.day]
    told = [phase_now.label("phase"), touched.label("touched"), sa.func.count(entries.seq).label("entries")]
    query = sa.select(*columns, *told).outerjoin(db_schema.entries, entries.table_id == tables.id)
    query = query.group_by(tables.id).order_by(touched.desc(), tables.id)
    if game:
        query = query.where(tables.game == game)
    if phase:
        query = query.having(phase_now == phase)
    if older_than is not None:
        query = query.having(touched < time.time() - older_than * DAY)
    with store.connection() as connection:
        return [dict(row) for row in connection.execute(query).mappings()]


def describe(store: Store, table_id: str, with_secrets: bool = False) -> dict[str, Any]:
    """Return what a table is. The seed is told when the match has ended, or on request."""
    row, entries = store.table(table_id), store.entries(table_id)
    if row is None:
        raise NoTable(f"there is no table {table_id!r} here")
    found = next(one for one in list_tables(store, row.game) if one["id"] == table_id)
    holders = {holder.seat: holder for holder in store.holders(table_id)}
    count = 1 + max((one.seat for one in entries if one.seat is not None), default=-1)
    totals = store.totals(table_id)
    seats = [
        {"seat": number, "name": seat.name, "kind": seat.kind, "bot": seat.bot, "holder": number in holders}
        | ({"total": totals[number]} if number < len(totals) else {})
        for number, seat in enumerate(kept.seats_of(entries, count))
    ]
    told = with_secrets or (found["phase"] == "finished" and views.may_tell(row))
    dice = {name: value for name, value in views.dice_of(row, told).items() if value is not None}
    return found | dice | {"source": row.source, "seats": seats}


# --- taking out -----------------------------------------------------------------------------------------------


def export(service: TableService, table_id: str, with_secrets: bool = False) -> tuple[str, str]:
    """Return a match as a record: a name for its file, and the text."""
    try:
        table = asyncio.run(service.cache.reread(table_id)).table
    except OlderRules:
        return _export_older(service.store, table_id, with_secrets)
    told = with_secrets or views.is_open(table)
    if not table.match.is_over and table.is_secret and not with_secrets:
        raise LamplighterError(
            f"table {table_id} is being played, and its hands are hidden: a record would show them. "
            "With --secrets it is written all the same"
        )
    return f"{table.row.game}-{table_id}.lamp", views.record(table, told).text


def _export_older(store: Store, table_id: str, with_secrets: bool) -> tuple[str, str]:
    row, entries, found = store.table(table_id), store.entries(table_id), kept.read(store, table_id)
    assert row is not None
    is_over = bool(store.totals(table_id))
    told = with_secrets or (is_over and views.may_tell(row))
    if found is not None:
        return f"{row.game}-{table_id}.lamp", kept.record(found, row, entries, False, told)
    return f"{row.game}-{table_id}.jsonl", kept.bare_record(row, entries, told, None if with_secrets or is_over else ())


def keep_matches(service: TableService) -> Iterator[tuple[str, int]]:
    """Keep every finished match that is not kept yet: its table, and how many bytes that took; 0 if it cannot be kept."""
    for table_id in kept.unkept(service.store, limit=2**31 - 1):
        try:
            yield table_id, asyncio.run(kept.keep(service, table_id))
        except Conflict:
            continue  # the server has kept it meanwhile
        except StoreTrouble:
            raise
        except LamplighterError:
            yield table_id, 0


# --- throwing away, forgetting --------------------------------------------------------------------------------


def delete(store: Store, table_ids: Sequence[str]) -> None:
    """Delete tables with everything that belongs to them, all or none."""
    unknown = [table_id for table_id in table_ids if store.table(table_id) is None]
    if unknown:
        raise NoTable(f"there is no table {unknown[0]!r} here: nothing was deleted")

    def job(connection: Connection) -> None:
        delete_tables(connection, table_ids)
        announce(connection)

    store.write(job).result()


def delete_tables(connection: Connection, table_ids: Sequence[str]) -> None:
    """Delete tables with everything that belongs to them, as part of a job."""
    for table in (*db_schema.OF_A_TABLE, db_schema.entries):
        connection.execute(sa.delete(table).where(table.c.table_id.in_(table_ids)))
    connection.execute(sa.delete(db_schema.tables).where(db_schema.tables.c.id.in_(table_ids)))


@dataclass(frozen=True)
class Place:
    """A seat that somebody has or had."""

    table: str
    seat: int


def places_of_name(store: Store, name: str) -> list[Place]:
    """Return every seat whose person ever had that name."""
    entries, results = db_schema.entries.c, db_schema.results.c
    said = sa.select(entries.table_id, entries.seat).where(entries.kind.in_(("join", "name")), entries.text == name)
    noted = sa.select(results.table_id, results.seat).where(results.name == name)
    return _places(store, said, noted)


def places_of_token(store: Store, token: str) -> list[Place]:
    """Return every seat that a private link opens: a rematch keeps the link."""
    holders = db_schema.holders.c
    return _places(store, sa.select(holders.table_id, holders.seat).where(holders.token == hash_token(token)))


def places_of_browser(store: Store, browser: str) -> list[Place]:
    """Return the seats of a browser's daily matches, by its cookie."""
    tables, entries = db_schema.tables.c, db_schema.entries.c
    query = sa.select(entries.table_id, entries.seat).join(db_schema.tables, tables.id == entries.table_id)
    return _places(store, query.where(tables.client == hash_token(browser), entries.kind == "join"))


def _places(store: Store, *queries: sa.Select[Any]) -> list[Place]:
    with store.connection() as connection:
        rows = [row for query in queries for row in connection.execute(query.distinct())]
    return [Place(*pair) for pair in sorted({(str(table), int(seat)) for table, seat in rows})]


def token_of_link(link: str) -> str:
    """Return the secret of a private seat link.

    >>> token_of_link("http://localhost:8000/t/abc#seat=s3cret")
    's3cret'
    """
    token = parse_qs(link.partition("#")[2]).get("seat", [""])[0]
    if not token:
        raise LamplighterError("this is no private seat link: it ends with #seat=…")
    return token


def forget(store: Store, places: Sequence[Place]) -> None:
    """Take everything that is known of the people at these seats out of the database.

    Names become "Player n", private links open nothing any more, and a bot plays on where a match is not over.
    """

    def job(connection: Connection) -> None:
        for place in places:
            forget_person(connection, place)
            _forget_browser(connection, place)
        announce(connection)

    insist(store, job)


def insist(store: Store, job: Callable[[Connection], Result]) -> Result:
    """Carry a job out that writes to the logs of tables at which a server plays."""
    for _ in range(TRIES):
        with contextlib.suppress(Conflict):  # a server wrote to the log of such a table at the same time
            return store.write(job).result()
    raise LamplighterError("the tables are too busy: try again, nothing was changed")


def forget_person(connection: Connection, place: Place) -> None:
    """Take the name of who sat there out of a table, and let no link open the seat; a bot plays on."""
    _forget_names(connection, place)
    _forget_tokens(connection, place)
    _stand_in(connection, place)


def _forget_names(connection: Connection, place: Place) -> None:
    entries, results, name = db_schema.entries.c, db_schema.results.c, f"Player {place.seat + 1}"
    said = sa.update(db_schema.entries).where(entries.table_id == place.table, entries.seat == place.seat)
    connection.execute(said.where(entries.kind.in_(("join", "name"))).values(text=name))
    noted = sa.update(db_schema.results).where(results.table_id == place.table, results.seat == place.seat)
    connection.execute(noted.values(name=name))


def _forget_tokens(connection: Connection, place: Place) -> None:
    """No link opens the seat any more, nor, if it was theirs, the table."""
    holders, tables = db_schema.holders.c, db_schema.tables.c
    here = sa.and_(holders.table_id == place.table, holders.seat == place.seat)
    token = connection.execute(sa.select(holders.token).where(here)).scalar()
    connection.execute(sa.delete(db_schema.holders).where(here))
    if token is not None:
        own = tables.id == place.table, tables.host == token
        connection.execute(sa.update(db_schema.tables).where(*own).values(host=""))


def _forget_browser(connection: Connection, place: Place) -> None:
    """Nothing names the browser any more, or where it was."""
    row = sa.update(db_schema.tables).where(db_schema.tables.c.id == place.table)
    connection.execute(row.values(dict.fromkeys(PERSONAL)))


def _stand_in(connection: Connection, place: Place) -> None:
    """Let a bot play on for somebody who sat there, where the match is not over."""
    entries = db_schema.entries.c
    ended = sa.select(sa.func.count()).select_from(db_schema.results).where(db_schema.results.c.table_id == place.table)
    here = sa.select(entries.kind).where(entries.table_id == place.table, entries.seat == place.seat)
    last = here.where(entries.kind.in_(("join", "bot", "person"))).order_by(entries.seq.desc()).limit(1)
    if connection.execute(ended).scalar_one() or connection.execute(last).scalar() == "bot":
        return
    entry = Entry(next_seq(connection, place.table), "bot", place.seat, bots.OPPONENT, time.time())
    values = {name: getattr(entry, name) for name in Entry.__slots__}
    connection.execute(sa.insert(db_schema.entries), {"table_id": place.table, **values})


# --- backups --------------------------------------------------------------------------------------------------


def backup(url: str, target: Path, overwrite: bool = False) -> None:
    """Copy a database, as it is at one moment, into a file; servers may play on it meanwhile."""
    if target.exists() and not overwrite:
        raise LamplighterError(f"{str(target)!r} exists: choose another name, or say --yes to replace it")
    if schema_version(url) is None:
        raise LamplighterError("this is not a database of Lamplighter: there is nothing to back up")
    if not target.name or target.is_dir():
        raise LamplighterError(f"{str(target)!r} is a folder: name a file in it")
    half = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        half.unlink(missing_ok=True)
        half.touch(0o600)  # it has seeds in it
        path = _path_of(url)
        if path is not None:
            _copy_sqlite(path, half)
        else:
            _call_postgres("pg_dump", url, "--format=custom", "--no-owner", f"--file={half}")
        half.replace(target)
    except OSError as error:
        raise LamplighterError(f"cannot write {str(target)!r}: {error.strerror}") from None
    except sqlite3.Error as error:
        raise LamplighterError(f"cannot copy the database to {str(target)!r}: {error}") from None
    finally:
        if half.exists():
            half.unlink()


def _copy_sqlite(source: Path, target: Path) -> None:
    """SQLite's own online copy, in one step: readers and the writer go on, and the copy is of one moment."""
    with (
        contextlib.closing(_read_sqlite(source)) as there,
        contextlib.closing(sqlite3.connect(target)) as here,
    ):
        there.backup(here)
        here.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
        found = here.execute("PRAGMA quick_check").fetchone()[0]
    if found != "ok":
        raise LamplighterError(f"the copy is damaged: {found}")


def restore(url: str, source: Path, overwrite: bool = False) -> None:
    """Put a backup into an empty database, or into the place of another one, and bring its schema up to date."""
    try:
        with source.open("rb") as file:
            head = file.read(len(SQLITE))
    except OSError as error:
        raise LamplighterError(f"cannot read {str(source)!r}: {error.strerror}") from None
    wanted = SQLITE if _path_of(url) is not None else POSTGRES
    if not head.startswith((SQLITE, POSTGRES)):
        raise LamplighterError(f"{str(source)!r} is no backup of Lamplighter: nothing was changed")
    if not head.startswith(wanted):
        kind = "an SQLite" if wanted == POSTGRES else "a PostgreSQL"
        raise LamplighterError(f"{str(source)!r} is a backup of {kind} database: it goes into one of the same kind")
    if wanted == SQLITE:
        _restore_sqlite(url, source, overwrite)
    else:
        _restore_postgres(url, source, overwrite)


def _restore_sqlite(url: str, source: Path, overwrite: bool) -> None:
    if _sqlite_version(source) is None:
        raise LamplighterError(f"{str(source)!r} is no backup of Lamplighter: nothing was changed")
    path = file_of(url)
    if path is None or path.is_dir():
        raise LamplighterError(f"{url!r} is no file of a database: a backup goes into one")
    if path.exists() and path.stat().st_size and not overwrite:
        raise LamplighterError(f"there is a database {str(path)!r}: say --yes to replace it")
    half = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        half.unlink(missing_ok=True)
        half.touch(0o600)
        _copy_sqlite(source, half)
        migrate(f"sqlite:///{half}")
        _fold_in(half)
        for suffix in ("-wal", "-shm"):  # they belong to the file that goes
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        half.replace(path)
    except sqlite3.Error as error:
        raise LamplighterError(f"{str(source)!r} is damaged, and nothing was changed: {error}") from None
    finally:
        for suffix in ("", "-wal", "-shm"):
            half.with_name(half.name + suffix).unlink(missing_ok=True)


def _fold_in(path: Path) -> None:
    """Put what SQLite has written ahead into the file itself."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")


def _restore_postgres(url: str, source: Path, overwrite: bool) -> None:
    engine = connect(url)
    try:
        with engine.connect() as connection:
            full = bool(sa.inspect(connection).get_table_names())
            others = connection.execute(sa.text(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )).scalar_one()  # fmt: skip
    except sa.exc.OperationalError as error:
        raise LamplighterError(f"cannot open the database: {error.orig}") from None
    finally:
        engine.dispose()
    if others:
        raise LamplighterError("somebody is connected to this database: stop its server first")
    if full and not overwrite:
        raise LamplighterError("this database is not empty: say --yes to replace what it has")
    clean = ["--clean", "--if-exists"] if full else []
    _call_postgres("pg_restore", url, "--no-owner", "--single-transaction", "--exit-on-error", *clean, str(source))
    migrate(url)


def _call_postgres(program: str, url: str, *options: str) -> None:
    """Call a tool of PostgreSQL; the password is not in the command line."""
    newest = max(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"), key=lambda one: int(one.parts[-3]), default=None)
    found = newest or shutil.which(program)
    if found is None:
        raise LamplighterError(f"{program} is missing: install the client programs of PostgreSQL, which bring it")
    address = read_address(url).set(drivername="postgresql")
    environment = dict(os.environ) | ({"PGPASSWORD": str(address.password)} if address.password else {})
    shown = address._replace(password=None).render_as_string()
    done = subprocess.run(
        [str(found), f"--dbname={shown}", *options], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise LamplighterError(f"{program} failed: {done.stderr.strip()}")
