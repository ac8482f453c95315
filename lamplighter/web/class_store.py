"""Classes in the store: what a class is, its children, and where each of them sat in which match."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lamplighter.web import db_schema
from lamplighter.web.errors import Full
from lamplighter.web.names import looks
from lamplighter.web.store import Entry, Holder, Store, TableRow
from lamplighter.web.writer import BATCH, Conflict, insert_entries, next_seq

MOST = 40  # children of one class


@dataclass(frozen=True, slots=True)
class ClassRow:
    """What a class is, apart from its children."""

    id: str
    code: str
    teacher: str  # hashed
    game: str
    variant: str
    box: str | None
    pace: str  # teacher, timer, free
    minutes: float
    leaving: str  # bot, wait
    door: bool
    phase: str  # lobby, play, ended
    match: int
    round: int
    due: float | None
    seed: str | None
    created: float
    touched: float


@dataclass(frozen=True, slots=True)
class Pupil:
    """A child of a class."""

    number: int
    name: str
    token: str  # hashed
    pin: str


@dataclass(frozen=True, slots=True)
class Seating:
    """Where a child sits in a match, and how it ended."""

    match: int
    pupil: int
    table_id: str
    seat: int
    total: int | None = None
    over: bool | None = None
    bot: bool | None = None


_CLASS, _PUPIL, _PLACE = db_schema.classes.c, db_schema.pupils.c, db_schema.places.c


class ClassStore:
    """Reads and writes classes, through the store of the tables."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # --- reading ----------------------------------------------------------------------------------------------

    def by_id(self, class_id: str) -> ClassRow | None:
        return self._one(_CLASS.id == class_id)

    def by_code(self, code: str) -> ClassRow | None:
        return self._one(_CLASS.code == code)

    def _one(self, condition: sa.ColumnElement[bool]) -> ClassRow | None:
        with self._store.connection() as connection:
            found = connection.execute(sa.select(db_schema.classes).where(condition)).mappings().first()
        return None if found is None else ClassRow(**found)

    def count(self) -> int:
        with self._store.connection() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(db_schema.classes)).scalar_one()

    def due(self, now: float) -> list[ClassRow]:
        """Return the classes whose timer has run out."""
        query = (
            sa.select(db_schema.classes)
            .where(_CLASS.due <= now, _CLASS.phase == "play")
            .order_by(_CLASS.due)
            .limit(BATCH)
        )
        with self._store.connection() as connection:
            return [ClassRow(**row) for row in connection.execute(query).mappings()]

    def everybody(self, class_id: str) -> tuple[list[Pupil], list[Seating]]:
        """Return the children of a class, and where they sat in all of its matches."""
        with self._store.connection() as connection:
            return _pupils(connection, class_id), _places(connection, class_id)

    # --- writing ----------------------------------------------------------------------------------------------

    def create(self, row: ClassRow) -> Future[Any]:
        values = {name: getattr(row, name) for name in ClassRow.__slots__}
        return self._store.write(lambda connection: connection.execute(sa.insert(db_schema.classes), values))

    def change(self, row: ClassRow, **values: Any) -> Future[bool]:
        """Change a class that is still in the phase, the match and the round of `row`. Return whether it was."""
        same = _CLASS.id == row.id, _CLASS.match == row.match, _CLASS.round == row.round, _CLASS.phase == row.phase
        query = sa.update(db_schema.classes).where(*same).values(**values, touched=time.time())

        def job(connection: Connection) -> bool:
            return bool(connection.execute(query).rowcount)

        return self._store.write(job)

    def add_pupil(self, row: ClassRow, name: str, look: str, token: str, pin: str) -> Future[Pupil]:
        """Let a child in. A `Conflict` says that another one has that name."""

        def job(connection: Connection) -> Pupil:
            known = _pupils(connection, row.id)
            if any(looks(one.name) & looks(name) for one in known):
                raise Conflict
            if len(known) >= MOST:
                raise Full(f"the class is full: it has {MOST} children")
            pupil = Pupil(max((one.number for one in known), default=0) + 1, name, token, pin)
            values = {field: getattr(pupil, field) for field in Pupil.__slots__}
            connection.execute(sa.insert(db_schema.pupils), {"class_id": row.id, "look": look, **values})
            connection.execute(sa.update(db_schema.classes).where(_CLASS.id == row.id).values(touched=time.time()))
            return pupil

        return self._store.write(job)

    def change_pupil(self, class_id: str, number: int, **values: Any) -> Future[Any]:
        query = sa.update(db_schema.pupils).where(_PUPIL.class_id == class_id, _PUPIL.number == number)
        return self._store.write(lambda connection: connection.execute(query.values(**values)))

    def move_pupil(self, row: ClassRow, pupil: Pupil, token: str) -> Future[None]:
        """Let another browser have a child's seats, and the old one none of them.

        In a match that is played an entry says that the child is back: with it other processes read who holds the seat.
        """
        seats = sa.select(_PLACE.table_id, _PLACE.seat, _PLACE.match).where(
            _PLACE.class_id == row.id, _PLACE.pupil == pupil.number
        )
        holders = db_schema.holders.c

        def job(connection: Connection) -> None:
            own = _PUPIL.class_id == row.id, _PUPIL.number == pupil.number
            connection.execute(sa.update(db_schema.pupils).where(*own).values(token=token))
            for table_id, seat, match in connection.execute(seats).all():
                here = holders.table_id == table_id, holders.seat == seat
                connection.execute(sa.update(db_schema.holders).where(*here).values(token=token))
                if row.phase == "play" and match == row.match:
                    back = Entry(next_seq(connection, table_id), "person", seat, "", time.time())
                    insert_entries(connection, table_id, [back], self._store.origin)

        return self._store.write(job)

    def seat(
        self, class_id: str, table: TableRow, holders: Sequence[Holder], log: Sequence[Entry], seats: Sequence[Seating]
    ) -> Future[None]:
        """Set up a table of a class with its children; a `Conflict` says that one of them has a seat by now."""
        values = [{"class_id": class_id, **{name: getattr(one, name) for name in Seating.__slots__}} for one in seats]

        def job(connection: Connection) -> None:
            self._store.insert(connection, table, holders, log)
            connection.execute(sa.insert(db_schema.places), values)

        return self._store.write(job)

    def note_results(self, class_id: str, seats: Sequence[Seating]) -> Future[None]:
        """Note how a match ended for everybody."""

        def job(connection: Connection) -> None:
            for one in seats:
                own = _PLACE.class_id == class_id, _PLACE.match == one.match, _PLACE.pupil == one.pupil
                values = {"total": one.total, "over": one.over, "bot": one.bot}
                connection.execute(sa.update(db_schema.places).where(*own).values(**values))

        return self._store.write(job)

    def throw_away(self, untouched: float, never_begun: float) -> Future[int]:
        """Delete classes that are too old, with their children. Return how many."""
        old = sa.select(_CLASS.id).where(_CLASS.touched < sa.case((_CLASS.match > 0, untouched), else_=never_begun))

        def job(connection: Connection) -> int:
            ids = list(connection.execute(old.limit(BATCH)).scalars())
            delete_classes(connection, ids)
            return len(ids)

        return self._store.write(job)


def delete_classes(connection: Connection, ids: Sequence[str]) -> None:
    """Delete classes with their children and places. Their tables are tables like others."""
    for column in (_PLACE.class_id, _PUPIL.class_id, _CLASS.id):
        connection.execute(sa.delete(column.table).where(column.in_(ids)))


def remove_pupil(connection: Connection, class_id: str, number: int) -> list[tuple[str, int]]:
    """Delete a child from a class, with the results, as part of a job; the tables stay. Return where it sat."""
    mine = _PLACE.class_id == class_id, _PLACE.pupil == number
    seats = connection.execute(sa.select(_PLACE.table_id, _PLACE.seat).where(*mine)).all()
    connection.execute(sa.delete(db_schema.places).where(*mine))
    connection.execute(sa.delete(db_schema.pupils).where(_PUPIL.class_id == class_id, _PUPIL.number == number))
    return [(str(table_id), int(seat)) for table_id, seat in seats]


def tables_of(connection: Connection, class_id: str) -> list[str]:
    """Return the tables of all matches of a class."""
    return list(connection.execute(sa.select(_PLACE.table_id).where(_PLACE.class_id == class_id).distinct()).scalars())


def _pupils(connection: Connection, class_id: str) -> list[Pupil]:
    columns = [_PUPIL[name] for name in Pupil.__slots__]
    query = sa.select(*columns).where(_PUPIL.class_id == class_id).order_by(_PUPIL.number)
    return [Pupil(*row) for row in connection.execute(query)]


def _places(connection: Connection, class_id: str) -> list[Seating]:
    columns = [_PLACE[name] for name in Seating.__slots__]
    query = sa.select(*columns).where(_PLACE.class_id == class_id).order_by(_PLACE.match, _PLACE.pupil)
    return [Seating(*row) for row in connection.execute(query)]


def tidy_code(code: str) -> str:
    """Return a code as it is stored, however it was typed.

    >>> tidy_code(" cdf-ghj ")
    'CDFGHJ'
    """
    return "".join(letter for letter in code.upper() if letter.isalnum())
