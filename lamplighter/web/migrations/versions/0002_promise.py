"""A salt for every promise. Matches that go on get a new promise: the old one could be used to work out their dice."""

import hashlib
import hmac
import secrets
import time

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

TABLES = sa.table("tables", *map(sa.column, ("id", "seed", "promise", "salt")))
ENTRIES = sa.table("entries", *map(sa.column, ("table_id", "seq", "kind", "seat", "text", "at")))
RESULTS = sa.table("results", sa.column("table_id"))


def upgrade() -> None:
    op.add_column("tables", sa.Column("salt", sa.String(32)))
    connection, now = op.get_bind(), time.time()
    last = sa.select(sa.func.max(ENTRIES.c.seq)).where(ENTRIES.c.table_id == TABLES.c.id).scalar_subquery()
    over = sa.exists().where(RESULTS.c.table_id == TABLES.c.id)
    running = sa.select(TABLES.c.id, TABLES.c.seed, sa.func.coalesce(last, 0)).where(TABLES.c.seed.is_not(None), ~over)
    promises, entries = [], []
    for table, seed, seq in connection.execute(running).all():
        salt = secrets.token_hex(16)
        promise = hmac.digest(b"lamplighter promise", f"{salt}/{seed}".encode(), "sha256").hex()
        promises.append({"table": table, "new_promise": promise, "new_salt": salt})
        entries.append({"table_id": table, "seq": seq + 1, "kind": "promise", "text": promise, "at": now})
    if promises:
        renew = sa.update(TABLES).where(TABLES.c.id == sa.bindparam("table"))
        renew = renew.values(promise=sa.bindparam("new_promise"), salt=sa.bindparam("new_salt"))
        connection.execute(renew, promises)
        connection.execute(sa.insert(ENTRIES), entries)


def downgrade() -> None:
    """The old version knows one promise only. An entry that it does not know becomes one that changes nothing."""
    connection = op.get_bind()
    connection.execute(sa.update(ENTRIES).where(ENTRIES.c.kind == "promise").values(kind="nudge", seat=0, text=""))
    for table, seed in connection.execute(
        sa.select(TABLES.c.id, TABLES.c.seed).where(TABLES.c.salt.is_not(None))
    ).all():
        promise = hashlib.sha256(seed.encode()).hexdigest()
        connection.execute(sa.update(TABLES).where(TABLES.c.id == table).values(promise=promise))
    op.drop_column("tables", "salt")
