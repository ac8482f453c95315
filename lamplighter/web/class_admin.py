"""What whoever runs a server can do with its classes: list them, delete them, forget a child."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lamplighter.web import db_schema
from lamplighter.web.admin import Place, announce, delete_tables, forget_person, insist
from lamplighter.web.class_store import delete_classes, remove_pupil, tables_of, tidy_code
from lamplighter.web.errors import NoClass
from lamplighter.web.store import Store
from lamplighter.web.tokens import hash_token

_CLASS, _PUPIL = db_schema.classes.c, db_schema.pupils.c
TOLD = ("id", "code", "variant", "phase", "match", "created", "touched")


@dataclasses.dataclass(frozen=True)
class Child:
    """A child of a class."""

    class_id: str
    number: int


def list_classes(store: Store) -> list[dict[str, Any]]:
    """Return the classes, the one that was touched last first; the seed of a match is not told."""
    count = sa.select(sa.func.count()).where(_PUPIL.class_id == _CLASS.id).scalar_subquery()
    query = sa.select(*(_CLASS[name] for name in TOLD), count.label("children")).order_by(_CLASS.touched.desc())
    with store.connection() as connection:
        return [dict(row) for row in connection.execute(query).mappings()]


def delete_class(store: Store, code: str) -> int:
    """Delete a class with its children and all its tables. Return how many tables there were."""

    def job(connection: Connection) -> int:
        class_id = connection.execute(sa.select(_CLASS.id).where(_CLASS.code == tidy_code(code))).scalar()
        if class_id is None:
            raise NoClass(f"there is no class with the code {code!r} here: nothing was deleted")
        tables = tables_of(connection, class_id)
        delete_tables(connection, tables)
        delete_classes(connection, [class_id])
        announce(connection)
        return len(tables)

    return store.write(job).result()


def children_of_name(store: Store, name: str) -> list[Child]:
    """Return the children of that name in all classes."""
    return _children(store, _PUPIL.name == name)


def children_of_token(store: Store, token: str) -> list[Child]:
    """Return the children whose seats a private link opens."""
    return _children(store, _PUPIL.token == hash_token(token))


def _children(store: Store, condition: sa.ColumnElement[bool]) -> list[Child]:
    query = sa.select(_PUPIL.class_id, _PUPIL.number).where(condition).order_by(_PUPIL.class_id, _PUPIL.number)
    with store.connection() as connection:
        return [Child(*row) for row in connection.execute(query)]


def take_out(store: Store, child: Child) -> list[str]:
    """Delete a child from a class, and its name from all of its tables, where a bot plays on. Return these tables."""

    def job(connection: Connection) -> list[str]:
        places = [Place(*seat) for seat in remove_pupil(connection, child.class_id, child.number)]
        for place in places:
            forget_person(connection, place)
        announce(connection)
        return [place.table for place in places]

    return insist(store, job)


def forget_children(store: Store, children: Sequence[Child]) -> None:
    """Take the names of children out of their classes. Nothing lets anybody come back as one of them."""

    def job(connection: Connection) -> None:
        for child in children:
            name = f"Player {child.number}"
            here = _PUPIL.class_id == child.class_id, _PUPIL.number == child.number
            values = {"name": name, "look": f"{name} forgotten", "token": "", "pin": ""}
            connection.execute(sa.update(db_schema.pupils).where(*here).values(values))

    store.write(job).result()
