"""The store and the tables over it, on SQLite and on PostgreSQL: the log is the truth, whatever happens in between."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from hypothesis import given, settings
from hypothesis import strategies as st
from serving import UNLIMITED, all_at_once, is_secret, new_key, one_by_one, run, variant_where

from lamplighter.engine import chance
from lamplighter.engine.record import parse_record
from lamplighter.errors import LamplighterError
from lamplighter.web import db_schema, store, views
from lamplighter.web.errors import Stale
from lamplighter.web.feed import Feed
from lamplighter.web.service import TableService
from lamplighter.web.session import Session
from lamplighter.web.settings import Settings
from lamplighter.web.store import Conflict, Entry, Holder, Store, TableRow, connect, migrate
from lamplighter.web.tokens import hash_token
from lamplighter.web.trouble import StoreTrouble

KINDS = (all_at_once, one_by_one, is_secret)


@contextlib.asynccontextmanager
async def service_on(database: str, **more: Any) -> AsyncIterator[TableService]:
    """The tables of a server, without a server."""
    kept = Store(database)
    service = TableService(kept, Settings(database, **(UNLIMITED | {"hold": 0.01, "idle": 0.0} | more)), Feed())
    try:
        yield service
    finally:
        service.close()
        kept.close()


def told(session: Session) -> dict[str, Any]:
    """Everything that a log says."""
    seats = [(seat.kind, seat.name, seat.bot, seat.version, seat.since) for seat in session.table.seats]
    match = session.table.match
    return {
        "position": match.position.key,
        "log": [(entry.kind, entry.seat, entry.text, entry.turn) for entry in match.log],
        "players": list(match.players),
        "seats": seats,
        "keys": set(session.table.keys),
        "tokens": dict(session.tokens),
        "rematch": session.table.rematch,
        "rolled": session.table.rolled,
        "votes": [(seat.votes, seat.acted) for seat in session.table.seats],
        "phase": session.table.phase,
        "entries": list(session.table.log),
    }


async def settle(service: TableService, session: Session) -> Session:
    """Let bots and held rolls come to rest; the session as it is in memory then."""
    while True:
        found = await service.get(session.id)  # which wakes the bots of a table that was forgotten
        if not service.driver.tasks:
            return found
        await asyncio.gather(*service.driver.tasks)


# --- any interleaving -----------------------------------------------------------------------------------------


async def do(service: TableService, session: Session, what: str, choice: random.Random) -> None:
    """Something that people do. Much of it is refused, as the moment is: that may change nothing."""
    seats = range(len(session.table.seats))
    seat = choice.choice(session.table.match.waiting or seats)
    key, version = new_key(), session.table.seats[seat].version
    if what == "join":
        await service.join(session, choice.choice(["Ana", "Bo", ""]), choice.choice([None, *seats]))
    elif what == "play" and seat in session.table.match.waiting:
        move = choice.choice(session.table.match.legal_moves(seat))
        sent = [
            service.play(session, seat, move, version, key, choice.random() < 0.5) for _ in range(choice.choice([1, 2]))
        ]
        await asyncio.gather(*sent)
    elif what == "stale":
        await service.play(session, seat, "x", version - 1, key, True)
    elif what == "take back":
        await service.take_back(session, seat := choice.choice(seats), session.table.seats[seat].version, key)
    elif what == "bot":
        await service.give_to_bot(session, choice.choice(seats), choice.choice(["uniform", "greedy"]), seats, True)
    elif what == "person":
        await service.give_back(session, choice.choice(seats))
    elif what == "name":
        await service.rename(session, choice.choice(seats), choice.choice(["Cy", "Di"]))
    elif what == "nudge":
        await service.nudge(session, seat)
    elif what == "vote":
        await service.vote(session, seat, [choice.choice(seats)])
    elif what == "release":
        await service.finish(session, choice.choice(seats))
    elif what == "forget":
        service.cache.forget(session)


WHAT = ["play"] * 8 + [
    "join",
    "stale",
    "take back",
    "take back",
    "bot",
    "person",
    "name",
    "nudge",
    "vote",
    "release",
    "forget",
]


@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 2**32), steps=st.lists(st.sampled_from(WHAT), max_size=60))
@settings(max_examples=15)
def test_a_table_is_what_its_log_says(filled: str, kind: Any, seed: int, steps: list[str]) -> None:
    choice = random.Random(seed)

    async def live() -> None:
        async with service_on(filled) as service:
            plan = ["me"] + [choice.choice(["open", "me", "bot:uniform"]) for _ in range(2)]
            session, *_ = await service.create(variant_where(kind, 3), plan)
            for number, what in enumerate(steps):
                session = await service.get(session.id)
                with contextlib.suppress(LamplighterError):
                    await do(service, session, what, choice)
                if number % 7 == 0:
                    await settle(service, session)
            session = await settle(service, session)
            assert told(await service.cache.reread(session.id)) == told(session)
            assert [entry.seq for entry in session.table.log] == list(range(1, session.table.seq + 1))
            assert session.saved == session.table.seq

    run(live())


def test_a_table_that_says_something_else_is_noticed(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled) as service:
            session, *_ = await service.create(variant_where(one_by_one), ["me", "me"])
            session.table.seats[0].version += 1
            assert told(await service.cache.reread(session.id)) != told(session)

    run(live())


@pytest.mark.parametrize("kind", [all_at_once, is_secret])
@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_seats_does_not_matter(filled: str, kind: Any, seed: int) -> None:
    """The same moves of every seat, in another order between the seats, come to the same position."""
    choice = random.Random(seed)

    async def play_turn(service: TableService, session: Session, moves: dict[int, list[str]]) -> None:
        left = {seat: list(played) for seat, played in moves.items()}
        while any(left.values()):
            seat = choice.choice([seat for seat in session.table.match.waiting if left.get(seat)])
            await service.play(session, seat, left[seat].pop(0), session.table.seats[seat].version, new_key(), True)

    async def live() -> None:
        async with service_on(filled) as service:
            tables = [(await service.create(variant_where(kind, 3), ["me"] * 3, seed=f"s{seed}"))[0] for _ in range(2)]
            turns = 0
            while not tables[0].table.match.is_over and turns < 8:
                scratch, moves = tables[0].table.match.copy(), dict[int, list[str]]()
                step = scratch.position.step
                while scratch.waiting and scratch.position.step == step:
                    seat = choice.choice(scratch.waiting)
                    moves.setdefault(seat, []).append(choice.choice(scratch.legal_moves(seat)))
                    scratch.play(moves[seat][-1], seat)
                for session in tables:
                    await play_turn(service, session, moves)
                assert tables[0].table.match.position.key == tables[1].table.match.position.key
                turns += 1
            assert turns > 3

    run(live())


# --- writing --------------------------------------------------------------------------------------------------


def a_table(table_id: str) -> TableRow:
    return TableRow(table_id, "table", "x", "x?seats=2", 1, "seed", "hash", "host", time.time())


def an_entry(seq: int, key: str | None = None) -> Entry:
    return Entry(seq, "nudge", 0, "", 1.0, key)


@pytest.fixture
def kept(filled: str) -> Any:
    made = Store(filled)
    made.create(a_table("t"), [Holder(0, "token", 1.0)], [an_entry(1)]).result()
    yield made
    made.close()


def test_what_does_not_follow_is_refused(kept: Store) -> None:
    kept.append("t", [an_entry(2), an_entry(3)]).result()
    for seq in (1, 3, 5):
        with pytest.raises(Conflict):
            kept.append("t", [an_entry(seq)]).result()
    with pytest.raises(Conflict):
        kept.create(a_table("t"), [], []).result()
    assert [entry.seq for entry in kept.entries("t")] == [1, 2, 3]


def test_a_key_is_used_once(kept: Store) -> None:
    kept.append("t", [an_entry(2, "k")]).result()
    with pytest.raises(Conflict):
        kept.append("t", [an_entry(3, "k")]).result()
    kept.append("t", [an_entry(3, "other")]).result()


def test_a_seat_is_taken_once(kept: Store) -> None:
    with pytest.raises(Conflict):
        kept.append("t", [an_entry(2)], [Holder(0, "another", 2.0)]).result()
    assert [entry.seq for entry in kept.entries("t")] == [1]  # the entry went with it
    assert kept.holders("t") == [Holder(0, "token", 1.0)]


def test_one_that_fails_does_not_harm_those_beside_it(kept: Store) -> None:
    kept.create(a_table("u"), [], [an_entry(1)]).result()
    futures = [
        kept.append(*job)
        for job in (("t", [an_entry(2)]), ("t", [an_entry(2)]), ("u", [an_entry(2)]), ("t", [an_entry(3)]))
    ]
    outcomes = [future.exception() for future in futures]
    assert [type(error) for error in outcomes] == [type(None), Conflict, type(None), type(None)]
    assert [[entry.seq for entry in kept.entries(name)] for name in "tu"] == [[1, 2, 3], [1, 2]]


def test_two_processes_cannot_both_be_first(filled: str, kept: Store) -> None:
    other = Store(filled)
    try:
        for seq in range(2, 30):
            futures = [one.append("t", [an_entry(seq)]) for one in (kept, other)]
            errors = [future.exception() for future in futures]
            assert sorted(type(error).__name__ for error in errors) == ["Conflict", "NoneType"]
    finally:
        other.close()
    assert [entry.seq for entry in kept.entries("t")] == list(range(1, 30))


def test_a_closed_store_writes_what_waits(filled: str) -> None:
    one = Store(filled)
    futures = [one.create(a_table(f"t{number}"), [], []) for number in range(50)]
    one.close()
    assert all(future.done() and future.exception() is None for future in futures)
    with pytest.raises(LamplighterError, match="stopping"):
        one.create(a_table("late"), [], [])


def test_the_secret_is_made_once(filled: str) -> None:
    stores = [Store(filled), Store(filled)]
    secrets = {one.secret() for one in stores}
    for one in stores:
        one.close()
    assert len(secrets) == 1 and len(secrets.pop()) == 64


def test_an_address_that_makes_no_sense() -> None:
    for address in ("nonsense", "sqlite:////proc/no/such/file.db"):
        with pytest.raises((LamplighterError, OSError)):
            migrate(address)
    with pytest.raises(LamplighterError, match="cannot open the database"):
        migrate("postgresql://nobody@127.0.0.1:1/nothing")


# --- failures -------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def full_disk(engine: sa.Engine) -> Iterator[None]:
    """Nothing can be added to a log meanwhile."""

    def refuse(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "INSERT INTO entries" in statement:
            raise sa.exc.OperationalError(statement, {}, OSError("no space left"))

    sa.event.listen(engine, "before_cursor_execute", refuse)
    try:
        yield
    finally:
        sa.event.remove(engine, "before_cursor_execute", refuse)


def test_a_write_that_fails_is_forgotten_and_the_table_comes_back(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled) as service:
            session, *_ = await service.create(variant_where(one_by_one), ["me", "me"])
            before, key = told(session), new_key()
            seat = session.table.match.waiting[0]
            move, version = session.table.match.legal_moves(seat)[0], session.table.seats[seat].version
            with full_disk(service.store.engine), pytest.raises(StoreTrouble):
                await service.play(session, seat, move, version, key, True)
            fresh = await service.get(session.id)
            assert fresh is not session and told(fresh) == before
            assert (await service.nudge(session, seat)).table.seats[
                seat
            ].version == version  # on the new one, not on the old
            fresh = await service.get(session.id)
            await service.play(fresh, seat, move, version, key, True)
            await service.play(fresh, seat, move, version, key, True)
            assert sum(entry.kind == "move" for entry in fresh.table.log) == 1
            service.cache.forget(fresh)
            again = await service.get(session.id)
            await service.play(again, seat, move, version, key, True)  # the key outlives the memory
            assert told(again) == told(fresh)

    run(live())


def test_somebody_else_wrote_first(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled) as service:
            session, *_ = await service.create(variant_where(one_by_one), ["me", "me"])
            seat = session.table.match.waiting[0]
            move, version = session.table.match.legal_moves(seat)[0], session.table.seats[seat].version
            other = Entry(session.table.seq + 1, "move", seat, move, time.time(), f"{seat}:theirs")
            service.store.append(session.id, [other]).result()
            with pytest.raises(Stale):
                await service.play(session, seat, move, version, "mine", True)
            fresh = await service.get(session.id)
            assert f"{seat}:theirs" in fresh.table.keys and f"{seat}:mine" not in fresh.table.keys
            await service.play(fresh, seat, "nonsense", 0, "theirs", True)  # theirs, sent again: already done

    run(live())


def test_two_services_share_a_table(filled: str) -> None:
    """Two processes play the same seats at the same time: every move is accepted once or refused."""

    async def live() -> None:
        more = {"workers": 2, "hold": 0.0}
        async with service_on(filled, **more) as one, service_on(filled, **more) as other:
            session, *_ = await one.create(variant_where(all_at_once), ["me", "me"])
            accepted = 0
            for _ in range(30):
                seen = [await service.get(session.id) for service in (one, other)]
                if seen[0].table.match.is_over:
                    break
                seat = seen[0].table.match.waiting[0]
                move, version = seen[0].table.match.legal_moves(seat)[0], seen[0].table.seats[seat].version
                both = [
                    s.play(t, seat, move, version, new_key(), True) for s, t in zip((one, other), seen, strict=True)
                ]
                ends = await asyncio.gather(*both, return_exceptions=True)
                assert sorted(type(end).__name__ for end in ends) == ["Session", "Stale"]
                accepted += 1
            last = [told(await service.get(session.id)) for service in (one, other)]
            assert last[0] == last[1] == told(await one.cache.reread(session.id))
            assert sum(entry.kind == "move" for entry in last[0]["entries"]) == accepted > 10

    run(live())


def test_the_same_request_at_two_processes_is_one_move(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled, workers=2) as one, service_on(filled, workers=2) as other:
            session, *_ = await one.create(variant_where(one_by_one), ["me", "me"])
            for _ in range(10):
                seen = [await service.get(session.id) for service in (one, other)]
                seat, key = seen[0].table.match.waiting[0], new_key()
                move, version = seen[0].table.match.legal_moves(seat)[0], seen[0].table.seats[seat].version
                await asyncio.gather(
                    *(s.play(t, seat, move, version, key, True) for s, t in zip((one, other), seen, strict=True))
                )
                rows = (await one.get(session.id)).table.log
                assert sum(row.key == f"{seat}:{key}" for row in rows) == 1

    run(live())


def test_a_seat_that_two_processes_give_away(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled, workers=2) as one, service_on(filled, workers=2) as other:
            for _ in range(5):
                session, token, _ = await one.create(variant_where(all_at_once), ["me", "open"])
                seen = [await service.get(session.id) for service in (one, other)]
                jobs = [one.join(seen[0], "Ana"), other.join(seen[1], "Bo")]
                ends = await asyncio.gather(*jobs, return_exceptions=True)
                assert sum(isinstance(end, LamplighterError) for end in ends) == 1
                [(winner, seat)] = [end for end in ends if isinstance(end, tuple)]
                for service in (one, other):
                    assert (await service.get(session.id)).tokens == {0: hash_token(token), seat: hash_token(winner)}

    run(live())


# --- the schema -----------------------------------------------------------------------------------------------


def differences(database: str, metadata: sa.MetaData) -> list[Any]:
    """How the tables of a database differ from what the code says."""
    engine = connect(database)
    try:
        with engine.connect() as connection:
            context = MigrationContext.configure(
                connection, opts={"compare_type": True, "compare_server_default": True}
            )
            found = compare_metadata(context, metadata)
            return list(found)
    finally:
        engine.dispose()


def test_migrations_make_what_the_code_says(filled: str) -> None:
    assert differences(filled, db_schema.metadata) == []
    migrate(filled)  # once more changes nothing
    assert differences(filled, db_schema.metadata) == []


def test_a_forgotten_migration_is_noticed(filled: str) -> None:
    other = sa.MetaData()
    for table in db_schema.metadata.sorted_tables:
        table.to_metadata(other)
    other.tables["tables"].append_column(sa.Column("colour", sa.Text))
    [(what, _, table, column)] = differences(filled, other)
    assert (what, table, column.name) == ("add_column", "tables", "colour")


def go_back(database: str, revision: str) -> None:
    """Make a database what an older version had."""
    config = Config()
    config.set_main_option("script_location", f"{store.Path(store.__file__).parent}/migrations")
    engine = connect(database)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)
    engine.dispose()


def test_migrations_go_back(filled: str) -> None:
    go_back(filled, "base")
    engine = connect(filled)
    with engine.connect() as connection:
        assert set(sa.inspect(connection).get_table_names()) <= {"alembic_version"}
    engine.dispose()
    migrate(filled)
    assert differences(filled, db_schema.metadata) == []


def test_old_tables_keep_the_short_wait(filled: str) -> None:
    async def begin() -> str:
        async with service_on(filled) as service:
            return (await service.create(variant_where(one_by_one), ["me", "me"], hold="done"))[0].id

    async def chosen(name: str) -> str:
        async with service_on(filled) as service:
            return (await service.get(name)).row.hold

    name = run(begin())
    assert run(chosen(name)) == "done"
    go_back(filled, "0006")
    migrate(filled)
    assert run(chosen(name)) == "short"


def test_matches_that_go_on_get_a_new_promise(filled: str) -> None:
    """An old database: what it promised for a match that goes on was the key of its dice."""

    async def begin() -> list[str]:
        async with service_on(filled) as service:
            plans = {"lobby": ["me", "open"], "running": ["me", "me"], "over": ["bot:uniform", "bot:uniform"]}
            tables = [(await service.create(variant_where(one_by_one), plan))[0] for plan in plans.values()]
            tables.append((await service.create(variant_where(one_by_one), ["me", "me"], typed=True))[0])
            seat = tables[1].table.waiting[0]
            await service.play(
                tables[1],
                seat,
                tables[1].table.match.legal_moves(seat)[0],
                tables[1].table.seats[seat].version,
                "k",
                True,
            )
            return [(await settle(service, session)).id for session in tables]

    async def look(ids: list[str]) -> list[dict[str, Any]]:
        async with service_on(filled) as service:
            return [{"row": (await service.get(name)).row, **told(await service.get(name))} for name in ids]

    names = run(begin())
    go_back(filled, "0001")
    engine = connect(filled)
    with engine.connect() as connection:
        columns = sa.text("SELECT id, seed, promise FROM tables")
        old = {table: (seed, promise) for table, seed, promise in connection.execute(columns)}
        before = dict(connection.execute(sa.text("SELECT table_id, max(seq) FROM entries GROUP BY table_id")).all())
    engine.dispose()
    assert [old[name][1] for name in names[:3]] == [chance.seed_hash(old[name][0]) for name in names[:3]]
    migrate(filled)
    lobby, running, over, typed = run(look(names))
    for table in (lobby, running):
        row = table["row"]
        assert row.promise == chance.promise(row.seed, row.salt) != old[row.id][1]
        assert [one.kind for one in table["entries"]].count("promise") == 1
        assert (table["entries"][-1].kind, table["entries"][-1].text) == ("promise", row.promise)
        assert len(table["entries"]) == before[row.id] + 1
    assert lobby["row"].salt != running["row"].salt
    assert sum(entry[0] == "move" for entry in running["log"]) == 1 and running["phase"] == "play"
    assert (over["row"].promise, over["row"].salt, over["phase"]) == (old[over["row"].id][1], None, "over")
    assert typed["row"].promise is None and "promise" not in [one.kind for one in typed["entries"]]

    async def go_on() -> None:
        async with service_on(filled) as service:
            session, old_one = await service.get(names[1]), await service.get(names[2])
            assert views.dice(session.table) == {
                "rolls": "seeded",
                "hash": session.row.promise,
                "salt": None,
                "seed": None,
            }
            kept = views.dice(old_one.table)
            assert kept == {"rolls": "seeded", "hash": old_one.row.promise, "salt": None, "seed": old_one.row.seed}
            assert views.verify(old_one.table, old_one.table.match.totals)["ok"]
            assert parse_record(views.record(old_one.table).text).tags["SeedHash"] == old_one.row.promise
            while session.table.phase != "over":
                seat = session.table.waiting[0]
                move = session.table.match.legal_moves(seat)[0]
                session = await service.play(session, seat, move, session.table.seats[seat].version, new_key(), True)
            assert views.verify(session.table, session.table.match.totals)["ok"]
            assert parse_record(views.record(session.table).text).tags["Salt"] == session.row.salt

    run(go_on())


def test_an_old_promise_of_today_is_not_shown(filled: str) -> None:
    """A match of the day is over, but others still play with its dice: its old promise would tell them."""

    async def play() -> str:
        async with service_on(filled) as service:
            plan = ["bot:uniform", "bot:uniform"]
            session, *_ = await service.create(variant_where(one_by_one), plan, kind="daily", day="2999-01-01")
            return (await settle(service, session)).id

    name = run(play())
    go_back(filled, "0001")
    migrate(filled)

    async def look() -> None:
        async with service_on(filled) as service:
            session = await service.get(name)
            assert session.table.phase == "over" and session.row.promise and session.row.salt is None
            assert views.dice(session.table) == {"rolls": "seeded", "hash": None, "salt": None, "seed": None}
            assert session.row.promise not in views.record(session.table).text

    run(look())


# --- what fails half-way --------------------------------------------------------------------------------------


def test_a_change_that_fails_half_way_leaves_nothing(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled) as service:
            session, *_ = await service.create(variant_where(one_by_one), ["me", "me"])
            before = told(session)

            def command(session: Session) -> None:
                session.add("nudge", 0, "")
                raise LamplighterError("half-way")

            with pytest.raises(LamplighterError, match="half-way"):
                await service.driver.execute(session.id, command)
            async with service.cache.steady(session) as still:
                assert still is not session and told(still) == before and still.saved == still.table.seq

    run(live())


def test_seats_of_two_processes_do_not_disturb_each_other(filled: str) -> None:
    """Both write at the same moment: the slower one tries again, and nobody is refused."""

    async def live() -> None:
        more = {"workers": 2, "hold": 0.0}
        async with service_on(filled, **more) as one, service_on(filled, **more) as other:
            session, *_ = await one.create(variant_where(all_at_once), ["me", "me"])
            for _ in range(20):
                seen = [await service.get(session.id) for service in (one, other)]
                if len(seen[0].table.waiting) < 2:
                    break
                moves = [
                    (seat, seen[seat].table.match.legal_moves(seat)[0], seen[seat].table.seats[seat].version)
                    for seat in (0, 1)
                ]
                jobs = [s.play(session, *move, new_key(), True) for s, move in zip((one, other), moves, strict=True)]
                await asyncio.gather(*jobs)
            last = [told(await service.get(session.id)) for service in (one, other)]
            assert last[0] == last[1] and sum(entry.kind == "move" for entry in last[0]["entries"]) >= 10

    run(live())


# --- old tables -----------------------------------------------------------------------------------------------


def test_old_tables_are_thrown_away(filled: str) -> None:
    store = Store(filled)
    try:
        ages = {"old": 1.0, "lobby": 60.0, "played": 60.0, "new": 99.0, "old-but-touched": 1.0}
        for name, at in ages.items():
            store.create(
                replace(a_table(name), created=at), [Holder(0, "token", at)], [replace(an_entry(1), at=at)]
            ).result()
        store.append("played", [Entry(2, "move", 0, "", 60.0)]).result()
        store.append("old-but-touched", [Entry(2, "move", 0, "", 99.0)]).result()
        old = store.old_tables(50.0, 80.0)
        assert sorted(old) == ["lobby", "old"]
        assert store.throw_away([*old, "new"], 50.0, 80.0).result() == 2  # only what is too old
        assert [name for name in ages if store.table(name)] == ["played", "new", "old-but-touched"]
        assert store.entries("old") == [] and store.holders("old") == [] and len(store.entries("played")) == 2
    finally:
        store.close()


def test_a_password_is_not_said() -> None:
    with pytest.raises(LamplighterError, match=r"ana:\*\*\*@") as refused:
        connect("nonsense//ana:hidden@host/games")
    assert "hidden" not in str(refused.value)
