"""Quick words of people on their way to the other processes of a server. They are in no log, and soon gone."""

from __future__ import annotations

import json
from concurrent.futures import Future
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lamplighter.web import db_schema
from lamplighter.web.store import Store
from lamplighter.web.writer import CHANNEL

SAID, LATEST = "said", 20  # where an SQLite file has what was said lately, and how much of it


def tell_others(store: Store, table_id: str, seat: int, reaction: str) -> Future[None]:
    """Tell the other processes what somebody said: PostgreSQL passes it on, an SQLite file has the latest few."""
    values = db_schema.server_values

    def job(connection: Connection) -> None:
        if connection.dialect.name == "postgresql":
            notice = f"{store.origin} {table_id} {SAID} {seat} {reaction}"
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, notice)))
            return
        said = read_said(connection.execute(sa.select(values.c.value).where(values.c.name == SAID)).scalar())
        said.append([said[-1][0] + 1 if said else 1, store.origin, table_id, seat, reaction])
        connection.execute(sa.delete(values).where(values.c.name == SAID))
        connection.execute(sa.insert(values), {"name": SAID, "value": json.dumps(said[-LATEST:])})

    return store.write(job)


def read_said(value: str | None) -> list[list[Any]]:
    """Return what was said lately, as an SQLite file has it: number, process, table, seat and reaction of each."""
    return json.loads(value) if value else []
