"""The tables of the store. A change here needs a migration beside it."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("kind", sa.String(12), nullable=False),  # table, daily, caller, entry
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),  # the version of the rules it is played by
    sa.Column("seed", sa.Text),  # None: dice are typed in
    sa.Column("promise", sa.String(64)),  # hash of the seed, shown from the start
    sa.Column("host", sa.String(64), nullable=False),  # hash of the token that laid the table
    sa.Column("source", sa.String(24)),  # the table whose dice, script or ghost this one takes
    sa.Column("ghost", sa.Integer),  # the seat of `source` that is raced
    sa.Column("day", sa.String(10)),  # of a daily match
    sa.Column("client", sa.String(64)),  # hash of the browser that plays a daily match
    sa.Column("created", sa.Float, nullable=False),
    sa.Index("tables_daily", "day", "game", "client", unique=True),
)

holders = sa.Table(  # who may act for a seat; tokens are hashed
    "holders",
    metadata,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("token", sa.String(64), nullable=False),
    sa.Column("seen", sa.Float, nullable=False),  # the last sign of life
)

entries = sa.Table(  # the log of every table: append only
    "entries",
    metadata,
    sa.Column("n", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("key", sa.String(96)),  # says that a request was carried out
    sa.Column("at", sa.Float, nullable=False),
    sa.UniqueConstraint("table_id", "seq", name="entries_seq"),
    sa.UniqueConstraint("table_id", "key", name="entries_key"),
)

results = sa.Table(  # finished matches, for the boards
    "results",
    metadata,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("person", sa.Boolean, nullable=False),  # sat there to the end
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("won", sa.Boolean, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)

facts = sa.Table(  # what the server keeps for itself
    "facts",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
