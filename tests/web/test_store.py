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
from serving import UNLIMITED, all_at_once, is_secret, new_key, one_by_one, variant_where

from lamplighter.errors import LamplighterError
from lamplighter.web import schema, store
from lamplighter.web.feed import Feed
from lamplighter.web.refusals import Stale
from lamplighter.web.settings import Settings
from lamplighter.web.store import Conflict, Holder, Row, Store, TableRow, connect, migrate
from lamplighter.web.table import Table, hash_token
from lamplighter.web.tables import Tables

KINDS = (all_at_once, one_by_one, is_secret)


@contextlib.asynccontextmanager
async def service_on(database: str, **more: Any) -> AsyncIterator[Tables]:
    """The tables of a server, without a server."""
    kept = Store(database)
    service = Tables(kept, Settings(database, **(UNLIMITED | {"hold": 0.01} | more)), Feed())
    try:
        yield service
    finally:
        service.close()
        kept.close()


@pytest.fixture
def filled(database: str) -> str:
    """A database with its tables."""
    migrate(database)
    return database


def told(table: Table) -> dict[str, Any]:
    """Everything that a log says."""
    seats = [(seat.kind, seat.name, seat.bot, seat.version, seat.since) for seat in table.seats]
    match = table.match
    return {
        "position": match.position.key,
        "log": [(entry.kind, entry.seat, entry.text, entry.turn) for entry in match.log],
        "players": list(match.players),
        "seats": seats,
        "keys": set(table.keys),
        "tokens": dict(table.tokens),
        "rematch": table.rematch,
        "phase": table.phase,
        "rows": list(table.rows),
    }


async def settle(service: Tables, table: Table) -> Table:
    """Let bots and held rolls come to rest; the table as it is in memory then."""
    while service._tasks:
        await asyncio.gather(*service._tasks)
    return await service.get(table.id)


# --- any interleaving -----------------------------------------------------------------------------------------


async def do(service: Tables, table: Table, what: str, choice: random.Random) -> None:
    """Something that people do. Much of it is refused, as the moment is: that may change nothing."""
    seats = range(len(table.seats))
    seat = choice.choice(table.match.waiting or seats)
    key, version = new_key(), table.seats[seat].version
    if what == "join":
        await service.join(table, choice.choice(["Ana", "Bo", ""]), choice.choice([None, *seats]))
    elif what == "play" and seat in table.match.waiting:
        move = choice.choice(table.match.legal_moves(seat))
        sent = [
            service.play(table, seat, move, version, key, choice.random() < 0.5) for _ in range(choice.choice([1, 2]))
        ]
        await asyncio.gather(*sent)
    elif what == "stale":
        await service.play(table, seat, "x", version - 1, key, True)
    elif what == "take back":
        await service.take_back(table, seat := choice.choice(seats), table.seats[seat].version, key)
    elif what == "bot":
        await service.give_to_bot(table, choice.choice(seats), choice.choice(["uniform", "greedy"]), seats, True)
    elif what == "person":
        await service.give_back(table, choice.choice(seats))
    elif what == "name":
        await service.rename(table, choice.choice(seats), choice.choice(["Cy", "Di"]))
    elif what == "nudge":
        await service.nudge(table, seat)
    elif what == "release":
        await service.finish(table, choice.choice(seats))
    elif what == "forget":
        service.forget(table)


WHAT = ["play"] * 8 + ["join", "stale", "take back", "take back", "bot", "person", "name", "nudge", "release", "forget"]


@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 2**32), steps=st.lists(st.sampled_from(WHAT), max_size=60))
@settings(max_examples=15)
def test_a_table_is_what_its_log_says(filled: str, kind: Any, seed: int, steps: list[str]) -> None:
    choice = random.Random(seed)

    async def live() -> None:
        async with service_on(filled) as service:
            plan = ["me"] + [choice.choice(["open", "me", "bot:uniform"]) for _ in range(2)]
            table, *_ = await service.create(variant_where(kind, 3), plan)
            for number, what in enumerate(steps):
                table = await service.get(table.id)
                with contextlib.suppress(LamplighterError):
                    await do(service, table, what, choice)
                if number % 7 == 0:
                    await settle(service, table)
            table = await settle(service, table)
            assert told(await service.reread(table.id)) == told(table)
            assert [row.seq for row in table.rows] == list(range(1, table.seq + 1)) and table.saved == table.seq

    asyncio.run(live())


def test_a_table_that_says_something_else_is_noticed(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled) as service:
            table, *_ = await service.create(variant_where(one_by_one), ["me", "me"])
            table.seats[0].version += 1
            assert told(await service.reread(table.id)) != told(table)

    asyncio.run(live())


@pytest.mark.parametrize("kind", [all_at_once, is_secret])
@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_seats_does_not_matter(filled: str, kind: Any, seed: int) -> None:
    """The same moves of every seat, in another order between the seats, come to the same position."""
    choice = random.Random(seed)

    async def play_turn(service: Tables, table: Table, moves: dict[int, list[str]]) -> None:
        left = {seat: list(played) for seat, played in moves.items()}
        while any(left.values()):
            seat = choice.choice([seat for seat in table.match.waiting if left.get(seat)])
            await service.play(table, seat, left[seat].pop(0), table.seats[seat].version, new_key(), True)

    async def live() -> None:
        async with service_on(filled) as service:
            tables = [(await service.create(variant_where(kind, 3), ["me"] * 3, seed=f"s{seed}"))[0] for _ in range(2)]
            turns = 0
            while not tables[0].match.is_over and turns < 8:
                scratch, moves = tables[0].match.copy(), dict[int, list[str]]()
                step = scratch.position.step
                while scratch.waiting and scratch.position.step == step:
                    seat = choice.choice(scratch.waiting)
                    moves.setdefault(seat, []).append(choice.choice(scratch.legal_moves(seat)))
                    scratch.play(moves[seat][-1], seat)
                for table in tables:
                    await play_turn(service, table, moves)
                assert tables[0].match.position.key == tables[1].match.position.key
                turns += 1
            assert turns > 3

    asyncio.run(live())


# --- writing --------------------------------------------------------------------------------------------------


def a_table(table_id: str) -> TableRow:
    return TableRow(table_id, "table", "x", "x?seats=2", 1, "seed", "hash", "host", time.time())


def a_row(seq: int, key: str | None = None) -> Row:
    return Row(seq, "nudge", 0, "", 1.0, key)


@pytest.fixture
def kept(filled: str) -> Any:
    made = Store(filled)
    made.create(a_table("t"), [Holder(0, "token", 1.0)], [a_row(1)]).result()
    yield made
    made.close()


def test_what_does_not_follow_is_refused(kept: Store) -> None:
    kept.append("t", [a_row(2), a_row(3)]).result()
    for seq in (1, 3, 5):
        with pytest.raises(Conflict):
            kept.append("t", [a_row(seq)]).result()
    with pytest.raises(Conflict):
        kept.create(a_table("t"), [], []).result()
    assert [row.seq for row in kept.rows("t")] == [1, 2, 3]


def test_a_key_is_used_once(kept: Store) -> None:
    kept.append("t", [a_row(2, "k")]).result()
    with pytest.raises(Conflict):
        kept.append("t", [a_row(3, "k")]).result()
    kept.append("t", [a_row(3, "other")]).result()


def test_a_seat_is_taken_once(kept: Store) -> None:
    with pytest.raises(Conflict):
        kept.append("t", [a_row(2)], [Holder(0, "another", 2.0)]).result()
    assert [row.seq for row in kept.rows("t")] == [1]  # the entry went with it
    assert kept.holders("t") == [Holder(0, "token", 1.0)]


def test_one_that_fails_does_not_harm_those_beside_it(kept: Store) -> None:
    kept.create(a_table("u"), [], [a_row(1)]).result()
    futures = [
        kept.append(*job) for job in (("t", [a_row(2)]), ("t", [a_row(2)]), ("u", [a_row(2)]), ("t", [a_row(3)]))
    ]
    outcomes = [future.exception() for future in futures]
    assert [type(error) for error in outcomes] == [type(None), Conflict, type(None), type(None)]
    assert [[row.seq for row in kept.rows(name)] for name in "tu"] == [[1, 2, 3], [1, 2]]


def test_two_processes_cannot_both_be_first(filled: str, kept: Store) -> None:
    other = Store(filled)
    try:
        for seq in range(2, 30):
            futures = [one.append("t", [a_row(seq)]) for one in (kept, other)]
            errors = [future.exception() for future in futures]
            assert sorted(type(error).__name__ for error in errors) == ["Conflict", "NoneType"]
    finally:
        other.close()
    assert [row.seq for row in kept.rows("t")] == list(range(1, 30))


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
        if statement.startswith("INSERT INTO entries"):
            raise sa.exc.OperationalError(statement, {}, OSError("no space left"))

    sa.event.listen(engine, "before_cursor_execute", refuse)
    try:
        yield
    finally:
        sa.event.remove(engine, "before_cursor_execute", refuse)


def test_a_write_that_fails_is_forgotten_and_the_table_comes_back(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled) as service:
            table, *_ = await service.create(variant_where(one_by_one), ["me", "me"])
            before, key = told(table), new_key()
            seat = table.match.waiting[0]
            move, version = table.match.legal_moves(seat)[0], table.seats[seat].version
            with full_disk(service.store.engine), pytest.raises(sa.exc.OperationalError):
                await service.play(table, seat, move, version, key, True)
            fresh = await service.get(table.id)
            assert fresh is not table and told(fresh) == before
            assert (await service.nudge(table, seat)).seats[seat].version == version  # on the new one, not on the old
            fresh = await service.get(table.id)
            await service.play(fresh, seat, move, version, key, True)
            await service.play(fresh, seat, move, version, key, True)
            assert sum(row.kind == "move" for row in fresh.rows) == 1
            service.forget(fresh)
            again = await service.get(table.id)
            await service.play(again, seat, move, version, key, True)  # the key outlives the memory
            assert told(again) == told(fresh)

    asyncio.run(live())


def test_somebody_else_wrote_first(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled) as service:
            table, *_ = await service.create(variant_where(one_by_one), ["me", "me"])
            seat = table.match.waiting[0]
            move, version = table.match.legal_moves(seat)[0], table.seats[seat].version
            other = Row(table.seq + 1, "move", seat, move, time.time(), f"{seat}:theirs")
            service.store.append(table.id, [other]).result()
            with pytest.raises(Stale):
                await service.play(table, seat, move, version, "mine", True)
            fresh = await service.get(table.id)
            assert f"{seat}:theirs" in fresh.keys and f"{seat}:mine" not in fresh.keys
            await service.play(fresh, seat, "nonsense", 0, "theirs", True)  # theirs, sent again: already done

    asyncio.run(live())


def test_two_services_share_a_table(filled: str) -> None:
    """Two processes play the same seats at the same time: every move is accepted once or refused."""

    async def live() -> None:
        more = {"workers": 2, "hold": 0.0}
        async with service_on(filled, **more) as one, service_on(filled, **more) as other:
            table, *_ = await one.create(variant_where(all_at_once), ["me", "me"])
            accepted = 0
            for _ in range(30):
                seen = [await service.get(table.id) for service in (one, other)]
                if seen[0].match.is_over:
                    break
                seat = seen[0].match.waiting[0]
                move, version = seen[0].match.legal_moves(seat)[0], seen[0].seats[seat].version
                both = [
                    s.play(t, seat, move, version, new_key(), True) for s, t in zip((one, other), seen, strict=True)
                ]
                ends = await asyncio.gather(*both, return_exceptions=True)
                assert sorted(type(end).__name__ for end in ends) == ["Stale", "Table"]
                accepted += 1
            last = [told(await service.get(table.id)) for service in (one, other)]
            assert last[0] == last[1] == told(await one.reread(table.id))
            assert sum(row.kind == "move" for row in last[0]["rows"]) == accepted > 10

    asyncio.run(live())


def test_the_same_request_at_two_processes_is_one_move(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled, workers=2) as one, service_on(filled, workers=2) as other:
            table, *_ = await one.create(variant_where(one_by_one), ["me", "me"])
            for _ in range(10):
                seen = [await service.get(table.id) for service in (one, other)]
                seat, key = seen[0].match.waiting[0], new_key()
                move, version = seen[0].match.legal_moves(seat)[0], seen[0].seats[seat].version
                await asyncio.gather(
                    *(s.play(t, seat, move, version, key, True) for s, t in zip((one, other), seen, strict=True))
                )
                rows = (await one.get(table.id)).rows
                assert sum(row.key == f"{seat}:{key}" for row in rows) == 1

    asyncio.run(live())


def test_a_seat_that_two_processes_give_away(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled, workers=2) as one, service_on(filled, workers=2) as other:
            for _ in range(5):
                table, token, _ = await one.create(variant_where(all_at_once), ["me", "open"])
                seen = [await service.get(table.id) for service in (one, other)]
                jobs = [one.join(seen[0], "Ana"), other.join(seen[1], "Bo")]
                ends = await asyncio.gather(*jobs, return_exceptions=True)
                assert sum(isinstance(end, LamplighterError) for end in ends) == 1
                [(winner, seat)] = [end for end in ends if isinstance(end, tuple)]
                for service in (one, other):
                    assert (await service.get(table.id)).tokens == {0: hash_token(token), seat: hash_token(winner)}

    asyncio.run(live())


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
    assert differences(filled, schema.metadata) == []
    migrate(filled)  # once more changes nothing
    assert differences(filled, schema.metadata) == []


def test_a_forgotten_migration_is_noticed(filled: str) -> None:
    other = sa.MetaData()
    for table in schema.metadata.sorted_tables:
        table.to_metadata(other)
    other.tables["tables"].append_column(sa.Column("colour", sa.Text))
    [(what, _, table, column)] = differences(filled, other)
    assert (what, table, column.name) == ("add_column", "tables", "colour")


def test_migrations_go_back(filled: str) -> None:
    config = Config()
    config.set_main_option("script_location", f"{store.Path(store.__file__).parent}/migrations")
    engine = connect(filled)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
    with engine.connect() as connection:
        assert set(sa.inspect(connection).get_table_names()) <= {"alembic_version"}
    engine.dispose()
    migrate(filled)
    assert differences(filled, schema.metadata) == []


# --- what fails half-way --------------------------------------------------------------------------------------


def test_a_change_that_fails_half_way_leaves_nothing(filled: str) -> None:
    async def live() -> None:
        async with service_on(filled) as service:
            table, *_ = await service.create(variant_where(one_by_one), ["me", "me"])
            before = told(table)

            def change(table: Table) -> None:
                table.add("nudge", 0, "")
                raise LamplighterError("half-way")

            with pytest.raises(LamplighterError, match="half-way"):
                await service.change(table.id, change)
            async with service.steady(table) as still:
                assert still is not table and told(still) == before and still.saved == still.seq

    asyncio.run(live())


def test_seats_of_two_processes_do_not_disturb_each_other(filled: str) -> None:
    """Both write at the same moment: the slower one tries again, and nobody is refused."""

    async def live() -> None:
        more = {"workers": 2, "hold": 0.0}
        async with service_on(filled, **more) as one, service_on(filled, **more) as other:
            table, *_ = await one.create(variant_where(all_at_once), ["me", "me"])
            for _ in range(20):
                seen = [await service.get(table.id) for service in (one, other)]
                if len(seen[0].waiting) < 2:
                    break
                moves = [
                    (seat, seen[seat].match.legal_moves(seat)[0], seen[seat].seats[seat].version) for seat in (0, 1)
                ]
                jobs = [s.play(table, *move, new_key(), True) for s, move in zip((one, other), moves, strict=True)]
                await asyncio.gather(*jobs)
            last = [told(await service.get(table.id)) for service in (one, other)]
            assert last[0] == last[1] and sum(row.kind == "move" for row in last[0]["rows"]) >= 10

    asyncio.run(live())


# --- old tables -----------------------------------------------------------------------------------------------


def test_old_tables_are_thrown_away(filled: str) -> None:
    store = Store(filled)
    try:
        ages = {"old": 1.0, "lobby": 60.0, "played": 60.0, "new": 99.0, "old-but-touched": 1.0}
        for name, at in ages.items():
            store.create(
                replace(a_table(name), created=at), [Holder(0, "token", at)], [replace(a_row(1), at=at)]
            ).result()
        store.append("played", [Row(2, "move", 0, "", 60.0)]).result()
        store.append("old-but-touched", [Row(2, "move", 0, "", 99.0)]).result()
        old = store.old_tables(50.0, 80.0)
        assert sorted(old) == ["lobby", "old"]
        assert store.throw_away([*old, "new"], 50.0, 80.0).result() == 2  # only what is too old
        assert [name for name in ages if store.table(name)] == ["played", "new", "old-but-touched"]
        assert store.rows("old") == [] and store.holders("old") == [] and len(store.rows("played")) == 2
    finally:
        store.close()


def test_a_password_is_not_said() -> None:
    with pytest.raises(LamplighterError, match=r"ana:\*\*\*@") as refused:
        connect("nonsense//ana:hidden@host/games")
    assert "hidden" not in str(refused.value)
