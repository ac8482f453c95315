"""The tables of the store. A change here needs a migration beside it."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("kind", sa.String(12), nullable=False),  # table, daily, caller, entry, class
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),  # the version of the rules it is played by
    sa.Column("seed", sa.Text),  # None: dice are typed in
    sa.Column("promise", sa.String(64)),  # hash of salt and seed, shown from the start
    sa.Column("host", sa.String(64), nullable=False),  # hash of the token that set up the table
    sa.Column("source", sa.String(24)),  # the table whose dice, script or ghost this one takes
    sa.Column("ghost", sa.Integer),  # the seat of `source` that is raced
    sa.Column("day", sa.String(10)),  # of a daily match
    sa.Column("client", sa.String(64)),  # hash of the browser that plays a daily match, or the class
    sa.Column("maker", sa.String(64)),  # keyed hash of the client that set it up, for a month
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("box", sa.Text),  # the component file it is played with, whole; None: the game's own
    sa.Column("salt", sa.String(32)),  # told with the seed; None: an old promise, which would tell the dice
    sa.Column("counted", sa.Boolean, nullable=False, server_default=sa.true()),  # a daily match: for the board
    sa.Column("shared", sa.Boolean, nullable=False, server_default=sa.false()),  # its dice were seen at its address
    sa.Column("address", sa.String(64)),  # keyed hash of a daily match's address, until the day is over
    sa.Column("person", sa.String(64)),  # the same with the name, of the try that is counted
    sa.Column("hold", sa.String(8), nullable=False, server_default="short"),  # short, long, done: what a move waits for
    sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.true()),  # people may ask for hints
    sa.Index("tables_person", "day", "game", "person", unique=True),
    sa.Index("tables_address", "day", "game", "address"),
    sa.Index("tables_maker", "maker"),
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
    sa.Column("hinted", sa.Boolean, nullable=False, server_default=sa.false()),  # looked at hints
)

kept = sa.Table(  # finished matches as they can be shown when their rules have moved on; without names
    "kept",
    metadata,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),  # compressed
    sa.Column("at", sa.Float, nullable=False),
)

puzzles = sa.Table(  # the puzzles of the last weeks, so that each is made once
    "puzzles",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("game", sa.String(64), primary_key=True),
    sa.Column("edition", sa.String(32), nullable=False),  # of the maker and of the rules
    sa.Column("body", sa.Text, nullable=False),  # JSON; null: there is none that day
)

reviews = sa.Table(  # finished matches looked through, and those that are being looked through; without names
    "reviews",
    metadata,
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("key", sa.String(64), nullable=False),  # hash of what whoever began it can stop it with
    sa.Column("done", sa.Integer, nullable=False, server_default="0"),  # moves that were looked at
    sa.Column("moves", sa.Integer, nullable=False, server_default="0"),  # of so many; 0: it has not begun with them
    sa.Column("at", sa.Float, nullable=False),  # the last sign of life of the process that does it
    sa.Column("body", sa.LargeBinary),  # what was found; None: it is not done
)

server_values = sa.Table(  # what the server keeps for itself, by name
    "facts",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

classes = sa.Table(  # a class: children who play one game with the same dice
    "classes",
    metadata,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("code", sa.String(8), nullable=False, unique=True),  # what children type to join
    sa.Column("teacher", sa.String(64), nullable=False),  # hash of the teacher's token
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("variant", sa.Text, nullable=False),
    sa.Column("box", sa.Text),  # as of a table
    sa.Column("pace", sa.String(8), nullable=False),  # teacher, timer, free: what begins a round
    sa.Column("minutes", sa.Float, nullable=False),  # of a round, by the timer
    sa.Column("leaving", sa.String(8), nullable=False),  # bot, wait: for a child who leaves
    sa.Column("door", sa.Boolean, nullable=False),  # children may join
    sa.Column("phase", sa.String(8), nullable=False),  # lobby, play, ended
    sa.Column("match", sa.Integer, nullable=False),  # the number of the match, from 1 when it has begun
    sa.Column("round", sa.Integer, nullable=False),  # the last round that may begin
    sa.Column("due", sa.Float),  # when the timer begins the next one
    sa.Column("seed", sa.Text),  # of the match, the same at all tables
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("touched", sa.Float, nullable=False),
    sa.Index("classes_due", "due"),
)

pupils = sa.Table(  # the children of a class
    "pupils",
    metadata,
    sa.Column("class_id", sa.String(24), sa.ForeignKey("classes.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("look", sa.Text, nullable=False),  # of the name: no two children look alike
    sa.Column("token", sa.String(64), nullable=False),  # hash of what their browser keeps
    sa.Column("pin", sa.String(8), nullable=False),  # to come back from another device; empty: cannot be used
    sa.UniqueConstraint("class_id", "look", name="pupils_look"),
)

places = sa.Table(  # where a child sat in a match of the class, and how it ended
    "places",
    metadata,
    sa.Column("class_id", sa.String(24), sa.ForeignKey("classes.id"), primary_key=True),
    sa.Column("match", sa.Integer, primary_key=True),
    sa.Column("pupil", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("total", sa.Integer),  # None: the match goes on
    sa.Column("over", sa.Boolean),  # it was played to the end
    sa.Column("bot", sa.Boolean),  # a bot played for a while
    sa.Index("places_table", "table_id"),
)

OF_A_TABLE = (reviews, kept, results, holders, places)  # what goes with a table, before its log and itself
