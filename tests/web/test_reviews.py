"""Reviews over the API: of finished matches, in the background, once for each, with progress that survives; and stopped."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from serving import PATIENCE, LocalServer, Person, a_row, run, until
from walks import random_match

from lamplighter.engine.game import Game
from lamplighter.web import admin, db_schema, reviews
from lamplighter.web.api.reviews import _compare
from lamplighter.web.errors import Busy, TooMany
from lamplighter.web.reviews import Reviews
from lamplighter.web.store import Store, migrate
from lamplighter.web.table import Table


def never_end(line: Any, row: Any, entries: Any, seconds: float) -> None:
    """What stands for a review that takes for ever: it has come to the third of nine moves."""
    line.send_bytes(b"3 9")
    signal.pause()


def think_little(line: Any, row: Any, entries: Any, seconds: float) -> None:
    """A review with so few samples that they are all played, however slow the machine is."""
    from lamplighter.bots import review

    review.FRESH, review.SAME, review.SAMPLES = 1, 1, 96
    reviews.look_through(line, row, entries, 300.0)


def die(line: Any, row: Any, entries: Any, seconds: float) -> None:
    os._exit(1)


@pytest.fixture(autouse=True)
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "look_through", think_little)


@pytest.fixture(scope="module")
def finished(server: LocalServer) -> Person:
    """Somebody who missed a victory, and has won all the same."""
    me = Person(server.url).lay("connect_four", ["me", "me"], names=["Ana", "Bo"])
    for move in "dadbdcaed":
        me.move(move, me.view())
    assert me.view()["phase"] == "over"
    return me


def state(person: Person) -> str:
    return str(person.get("review")["state"])


def test_a_match_is_reviewed_once_and_for_all(finished: Person, server: LocalServer) -> None:
    stranger = finished.watcher
    assert stranger.get("review") == {"state": "none", "done": 0, "moves": 0, "ahead": 0, "review": None}
    assert "no review of entry 7" in stranger.refused(400, "GET", "review/7/better")["message"]
    begun = stranger.post("review")
    assert begun["state"] in ("waiting", "running") and begun["key"]
    assert finished.post("review")["key"] is None, "it is worked out once"
    until(lambda: state(finished) == "done", "the review is done")
    server.forget(finished.table)
    found = stranger.get("review")["review"]
    assert [move["entry"] for move in found["moves"]] == list(range(1, 10)) and found["not_looked_at"] == 0
    missed = found["moves"][6]
    assert (missed["move"], missed["best"], missed["grade"]) == ("a", "d", "blunder")
    assert 7 in found["turning_points"] and set(found["words"]) >= {"a", "d"}
    assert all("player" not in seat for seat in found["seats"]), "no name is kept"
    assert "luck had no part in it" in found["why_no_split"] and not any(seat["split"] for seat in found["seats"])
    again = finished.post("review")
    assert again["state"] == "done" and again["key"] is None and again["review"] == found


def test_the_better_move_is_shown_beside_the_move(finished: Person) -> None:
    finished.post("review")
    until(lambda: state(finished) == "done", "the review is done")
    both = finished.watcher.get("review/7/better")
    assert (both["seat"], both["move"]["move"], both["best"]["move"]) == (0, "a", "d")
    assert both["best"]["points"] == 1 and both["best"]["reasons"], "it wins"
    assert "no review of entry 99" in finished.refused(400, "GET", "review/99/better")["message"]


def test_each_move_is_on_a_sheet_of_its_own(own_game: Game) -> None:
    """The sheet as it was before, as the seat saw it, with the one move and no other."""
    table = Table(a_row(f"{own_game.id}?seats=2"))
    table.match = random_match(table.variant, 3, 60)
    entry, seat, legal = max(
        (number, entry.seat, table.match.at(number - 1).legal_moves(entry.seat))
        for number, entry in enumerate(table.match.log, 1)
        if entry.kind == "move" and len(table.match.at(number - 1).legal_moves(entry.seat)) > 2
    )
    played = table.match.log[entry - 1].text
    other = next(move for move in legal if move != played)
    grade = {"entry": entry, "seat": seat, "move": played, "best": other, "lost": 1.0}
    both = _compare(table, grade, "de")
    for name, move in (("move", played), ("best", other)):
        assert both[name]["move"] == move and both[name]["said"]
        places = re.findall(r'data-move="([^"]*)"', both[name]["sheet"])
        assert len(places) == 1, "one target, although there are more"
    assert table.match.at(entry - 1).svg(seat, targets=True).count("data-move=") > 1


def test_only_a_finished_match_is_reviewed(server: LocalServer) -> None:
    me = Person(server.url).lay("connect_four", ["me", "me"])
    for method, path in (("GET", "review"), ("POST", "review"), ("POST", "review/stop"), ("GET", "review/1/better")):
        refusal = me.refused(409, method, path, {} if method == "POST" else None)
        assert refusal["message"] == "a match can be reviewed when it is over"


def test_who_may_stop_it(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever began it, and the players. Then it can be begun again."""
    monkeypatch.setattr(reviews, "look_through", never_end)
    me = Person(server.url).lay("connect_four", ["me", "me"])
    me.play_on()
    key = me.watcher.post("review")["key"]
    until(lambda: me.get("review")["done"] == 3, "it has begun")
    assert me.get("review")["state"] == "running" and me.get("review")["moves"] == 9
    for wrong in ("", "nonsense"):
        assert "can stop it" in me.watcher.refused(403, "POST", "review/stop", {"key": wrong})["message"]
    assert me.watcher.post("review/stop", key=key)["state"] == "none"
    me.watcher.post("review")
    assert me.post("review/stop")["state"] == "none"
    assert state(me) == "none"


@pytest.mark.thorough
def test_a_review_whose_process_dies_can_be_begun_again(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "look_through", die)
    me = Person(server.url).lay("connect_four", ["me", "me"])
    me.play_on()
    assert me.post("review")["key"]
    until(lambda: state(me) == "none", "it was given up")
    assert me.post("review")["key"]
    until(lambda: state(me) == "none", "it was given up again")


def test_it_is_deleted_with_its_table(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "look_through", never_end)
    me = Person(server.url).lay("connect_four", ["me", "me"])
    me.play_on()
    me.post("review")
    admin.delete(server.service.store, [me.table])
    with server.service.store.connection() as connection:
        assert me.table not in connection.execute(sa.select(db_schema.reviews.c.table_id)).scalars().all()
    until(lambda: me.table not in server.app.state.reviews._jobs, "nobody works on it any more")


# --- several workers ------------------------------------------------------------------------------------------


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    migrate(database)
    made = Store(database)
    yield made
    made.close()


async def with_tables(store: Store, count: int) -> list[Any]:
    """Tables in the store, for reviews that nobody will finish."""
    rows = [reviews.TableRow(**{**fields_of(a_row("connect_four")), "id": f"t{n}"}) for n in range(count)]
    for row in rows:
        await asyncio.wrap_future(store.create(row, [], []))
    return rows


def fields_of(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__slots__}


async def until_so(condition: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not await condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


def test_every_worker_can_tell_and_stop(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "look_through", never_end)
    monkeypatch.setattr(reviews, "BEAT", 0.05)
    monkeypatch.setattr(reviews, "LOOK", 0.05)

    async def live() -> None:
        one, other = Reviews(store, 1.0), Reviews(store, 1.0)
        (row,) = await with_tables(store, 1)
        key = await one.begin(row, [], "ana")
        assert key and await other.begin(row, [], "bo") is None
        assert await other.may_stop(row.id, key) and not await other.may_stop(row.id, "x")

        async def is_told() -> bool:
            told = await other.state(row.id)
            return bool(told["state"] == "running" and told["done"] == 3)

        await until_so(is_told)
        await other.stop(row.id)

        async def is_over() -> bool:
            return (await one.state(row.id))["state"] == "none"

        await until_so(is_over)
        assert one._process is not None
        await asyncio.to_thread(one._process.join, 30)
        assert not one._process.is_alive()
        await one.close()
        await other.close()

    run(live())


def test_what_a_lost_process_left_is_begun_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "look_through", never_end)

    async def live() -> None:
        (row,) = await with_tables(store, 1)
        mine = Reviews(store, 1.0)
        await asyncio.wrap_future(store.write(lambda connection: reviews._insert(connection, row.id, "key")))
        assert (await mine.state(row.id))["state"] == "running" and await mine.begin(row, [], "x") is None
        monkeypatch.setattr(reviews, "LOST", -1.0)
        assert (await mine.state(row.id))["state"] == "none"
        assert await mine.begin(row, [], "x")
        await mine.close()
        monkeypatch.setattr(reviews, "LOST", 30.0)
        assert (await mine.state(row.id))["state"] == "none", "a server that stops leaves nothing behind"

    run(live())


def test_only_so_many_wait(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "look_through", never_end)

    async def live() -> None:
        rows = await with_tables(store, reviews.WAITING + 1)
        mine = Reviews(store, 1.0)
        for row in rows[: reviews.FOR_ONE]:
            assert await mine.begin(row, [], "greedy")
        with pytest.raises(TooMany, match="reviews at once"):
            await mine.begin(rows[reviews.FOR_ONE], [], "greedy")
        for number, row in enumerate(rows[reviews.FOR_ONE : -1]):
            assert await mine.begin(row, [], f"client {number}")
        assert (await mine.state(rows[3].id))["ahead"] == 2
        assert (await mine.state(rows[1].id))["ahead"] == reviews.WAITING - 1, "the second one of a client comes last"
        with pytest.raises(Busy):
            await mine.begin(rows[-1], [], "late")
        await mine.stop(rows[2].id)
        assert (await mine.state(rows[3].id))["ahead"] == 1
        assert await mine.begin(rows[-1], [], "late")
        await mine.close()

    run(live())


def test_who_asks_for_many_at_once_gets_no_more(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "look_through", never_end)

    async def live() -> None:
        mine = Reviews(store, 1.0)
        asked = [mine.begin(row, [], "greedy") for row in await with_tables(store, 6)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert sum(isinstance(answer, str) for answer in answers) == reviews.FOR_ONE
        assert sum(isinstance(answer, TooMany) for answer in answers) == 6 - reviews.FOR_ONE
        await mine.close()

    run(live())
