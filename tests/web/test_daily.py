"""The match of the day: one counted try, the same opponents, and dice that nobody sees before playing."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from serving import (
    Listener,
    LocalServer,
    Person,
    good,
    until,
)

from lamplighter import games
from lamplighter.engine.chance import promise
from lamplighter.engine.game import Game
from lamplighter.web import db_schema
from lamplighter.web.service import today

Start = Callable[..., LocalServer]
HOME, AWAY = "203.0.113.7", "198.51.100.4"


@pytest.fixture
def match() -> str:
    """A game of ours whose match of the day has opponents."""
    return next(name for name in games.own_names() if games.load(name).seats[0] > 1)


def begin(server: LocalServer, game: str, name: str, address: str = HOME, cookie: str = "") -> Person:
    """Begin the match of the day, from an address that the proxy in front of the server tells."""
    headers = {"x-forwarded-for": address} | ({"cookie": f"browser={cookie}"} if cookie else {})
    made = good(Person(server.url).ask("POST", f"/api/daily/{game}", {"name": name}, headers=headers))
    return Person(server.url, made["id"], made["token"], made["seats"])


def board(server: LocalServer, game: str, day: str = "", cookie: str = "") -> Any:
    headers = {"cookie": f"browser={cookie}"} if cookie else {}
    path = f"/api/daily?day={day}" if day else "/api/daily"
    rows = good(Person(server.url).ask("GET", path, headers=headers))
    return next(row for row in rows if row["game"] == game)


def shown(server: LocalServer, game: str, day: str = "") -> list[tuple[str, bool]]:
    """The names on a board, and whether each is marked."""
    return [(row["name"], row["shared"]) for row in board(server, game, day)["board"]]


def let_the_day_pass(server: LocalServer) -> str:
    """Everything that was played today was played yesterday; return yesterday's date."""
    yesterday = (datetime.now(UTC) - timedelta(days=1)).date().isoformat()
    tables, results = db_schema.tables, db_schema.results

    def job(connection: sa.Connection) -> None:
        connection.execute(sa.update(tables).values(day=yesterday, created=tables.c.created - 86400))
        connection.execute(sa.update(results).values(at=results.c.at - 86400))
        connection.execute(sa.update(db_schema.entries).values(at=db_schema.entries.c.at - 86400))

    server.app.state.store.write(job).result()
    server.service._day = ""
    for table_id in list(server.service.cache._sessions):
        server.forget(table_id)
    return yesterday


# --- one counted try ------------------------------------------------------------------------------------------


def test_a_name_at_an_address_is_counted_once(start: Start, match: str) -> None:
    server = start()
    first = begin(server, match, "Ana")
    again = begin(server, match, " \u0410NA\u200b ")  # without the cookie, and in other letters
    assert first.table != again.table
    assert (first.view()["counts"], again.view()["counts"]) == ("yes", "again")
    again.play_on(random.Random(1))
    assert board(server, match)["board"] == []
    elsewhere = begin(server, match, "Ana", AWAY)
    assert elsewhere.view()["counts"] == "yes"
    elsewhere.play_on(random.Random(1))
    assert shown(server, match) == [("Ana", False)]
    assert begin(server, games.own_names()[0 if match != games.own_names()[0] else 1], "Ana").view()["counts"] == "yes"


def test_an_uncounted_try_is_told(start: Start, match: str) -> None:
    server = start()
    begin(server, match, "Ana", cookie="one")
    begin(server, match, "Ana", cookie="two")
    assert [board(server, match, cookie=cookie)["counted"] for cookie in ("one", "two", "three")] == [True, False, None]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::7", "2001:db8:1:2:9:9:9:9", True),
        ("2001:db8:1:2::7", "2001:db8:1:3::7", False),
        ("203.0.113.7", "::ffff:203.0.113.7", True),
        ("203.0.113.7", "203.0.113.8", False),
    ],
)
def test_an_ipv6_household_is_one_address(start: Start, match: str, one: str, other: str, same: bool) -> None:
    server = start()
    assert begin(server, match, "Ana", one).view()["counts"] == "yes"
    assert begin(server, match, "Ana", other).view()["counts"] == ("again" if same else "yes")


def test_two_tries_at_once_are_one_that_counts(start: Start, match: str, database: str) -> None:
    server = start(database=database)
    with ThreadPoolExecutor(4) as pool:
        tries = list(pool.map(lambda _: begin(server, match, "Ana"), range(4)))
    assert sorted(one.view()["counts"] for one in tries) == ["again"] * 3 + ["yes"]


def test_the_board_marks_what_it_cannot_know(start: Start, match: str, database: str) -> None:
    """Whoever ends after another try at the address began could have seen the dice there."""
    server = start(database=database)
    ana = begin(server, match, "Ana")
    ana.play_on(random.Random(1))
    assert shown(server, match) == [("Ana", False)]
    bo = begin(server, match, "Bo")
    bo.play_on(random.Random(2))
    begin(server, match, "Cy", AWAY).play_on(random.Random(3))
    assert dict(shown(server, match)) == {"Ana": False, "Bo": True, "Cy": False}
    day = let_the_day_pass(server)
    assert dict(shown(server, match, day)) == {"Ana": False, "Bo": True, "Cy": False}
    assert dict(shown(server, match, day)) == {"Ana": False, "Bo": True, "Cy": False}  # now from what is kept


def test_a_second_try_that_is_played_first_marks_the_first(start: Start, match: str) -> None:
    """Begin, look at the dice in another browser under the same name, and come back."""
    server = start()
    ana = begin(server, match, "Ana")
    begin(server, match, "Ana").play_on(random.Random(1))
    ana.play_on(random.Random(2))
    assert shown(server, match) == [("Ana", True)]


def test_no_address_stands_in_the_store(start: Start, match: str) -> None:
    server = start()
    begin(server, match, "Ana")
    rows = server.app.state.store
    columns = db_schema.tables.c
    query = sa.select(columns.address, columns.person, columns.game)

    def kept() -> list[Any]:
        with rows.engine.connect() as connection:
            return list(connection.execute(query).all())

    [(address, person, _)] = kept()
    assert len(address) == len(person) == 64 and address != person
    marks = [server.service._day_mark("address", day, HOME) for day in (today(), "2001-01-01")]
    assert address == marks[0] != marks[1]  # another one on another day
    let_the_day_pass(server)
    board(server, match)
    assert [row[:2] for row in kept()] == [(None, None)]
    assert board(server, match, cookie="x")["counted"] is None


# --- the same opponents ---------------------------------------------------------------------------------------


def test_opponents_stay(start: Start, match: str) -> None:
    me = begin(start(away=0.0), match, "Ana")
    seat = me.view()["seats"][1]
    assert seat["kind"] == "bot" and not seat["replaceable"]
    assert "same bots" in me.refused(403, "POST", "seats/1", {"bot": "uniform"})["message"]
    me.refused(403, "POST", "seats/1", {"person": True})
    me.refused(409, "POST", "join", {"name": "Bo"}, headers={"authorization": ""})
    after = me.view()["seats"][1]
    assert [after[name] for name in ("name", "kind", "bot", "replaceable")] == [seat["name"], "bot", seat["bot"], False]


def test_the_name_of_a_counted_try_stays(start: Start, match: str) -> None:
    """Else whoever begins without a name could take the name of an earlier try."""
    me = begin(start(), match, "Ana")
    assert "the name cannot be changed" in me.refused(409, "POST", "seats/0", {"name": "Bo"})["message"]
    assert me.view()["seats"][0]["name"] == "Ana"


def test_who_lets_a_bot_play_is_not_counted(start: Start, match: str) -> None:
    server = start()
    me = begin(server, match, "Ana")
    assert me.post("seats/0", bot="greedy")["counts"] == "bot"
    assert me.post("seats/0", person=True)["counts"] == "bot"  # it stays so
    me.play_on(random.Random(1))
    assert me.view()["counts"] == "bot" and board(server, match)["board"] == []


# --- the dice of the day --------------------------------------------------------------------------------------

LOOKS = ["", "?sheet=false", "?as=spectator", "replay", "record", "record.jsonl", "record.pdf", "verify", "events"]
LOOKS += ["sheets/0.svg", "sheets/0.svg?seq=3", "sheets/1.svg", "lines/{line}", "lines/{line}?seq=2"]


def looks(me: Person) -> list[str]:
    return [path.format(line=me.view()["seats"][0]["lines"][0]["name"]) for path in LOOKS]


def test_nobody_watches_the_dice_of_the_day(start: Start, match: str) -> None:
    server = start()
    me = begin(server, match, "Ana")
    other = begin(server, match, "Bo", AWAY)
    strangers = [me.watcher, Person(server.url, me.table, "guess"), Person(server.url, me.table, other.token)]
    for over in (False, True):
        if over:
            me.play_on(random.Random(1))
        for stranger in strangers:
            for path in looks(me):
                refused = stranger.refused(409, "GET", path)
                assert refused["code"] == "table/tomorrow" and "tomorrow" in refused["message"], path
        for path, body in (("join", {"name": "x"}), ("rematch", {}), ("nudge", {"seat": 0}), ("explain", {"seat": 0})):
            answer = me.watcher.ask("POST", path, body)
            assert answer.status_code == 409 and "view" not in answer.json(), path
    assert me.ask("POST", "session", {"token": me.token}, headers={"authorization": ""}).json() == {"seats": [0]}
    body = {"variant": me.view()["variant"], "same_dice_as": me.table}
    assert me.refused(409, "POST", "/api/tables", body)["code"] == "table/not-now"


def test_who_plays_sees_it_all(start: Start, match: str) -> None:
    me = begin(start(), match, "Ana")
    heard = Listener(me, 0)
    me.play_on(random.Random(1))
    heard.wait(lambda entries: any(entry["kind"] == "chance" for entry in entries))
    heard.close()
    for path in ("", "?as=spectator", "replay", "record", "record.jsonl", "verify", "sheets/1.svg?seq=3&as=spectator"):
        assert me.ask("GET", path).status_code == 200, path


def test_today_nothing_on_the_board_leads_to_the_dice(start: Start, match: str) -> None:
    server = start()
    me = begin(server, match, "Ana", cookie="ana")
    me.play_on(random.Random(1))
    row = board(server, match)
    assert row["dice"] is None and row["mine"] is None
    assert set(row["board"][0]) == {"name", "total", "at", "shared", "hinted"}
    assert me.table not in Person(server.url).ask("GET", "/api/daily").text
    assert board(server, match, cookie="ana")["mine"] == me.table


def test_tomorrow_everything_is_told(start: Start, match: str) -> None:
    server = start()
    me = begin(server, match, "Ana", cookie="ana")
    me.play_on(random.Random(1))
    promised = me.view()["dice"]["hash"]
    other = next(name for name in games.own_names() if name != match)
    day = let_the_day_pass(server)
    past = board(server, match, day, "ana")
    [row] = past["board"]
    assert (past["day"], past["mine"], past["place"], row["table"]) == (day, me.table, 1, me.table)
    told = Person(server.url, row["table"])
    assert past["dice"] == told.view()["dice"]
    assert past["dice"]["hash"] == promised == promise(past["dice"]["seed"], past["dice"]["salt"])
    assert told.get("replay")["steps"] and told.get("verify")["ok"]
    assert told.ask("GET", "sheets/0.svg?seq=1").status_code == 200
    assert board(server, other, day)["dice"]["seed"]  # also where nobody finished
    assert board(server, match)["board"] == []


def test_who_ends_after_the_day_is_not_counted(start: Start, match: str) -> None:
    """By then others can show the dice."""
    server = start()
    me = begin(server, match, "Ana")
    until(lambda: me.view()["moves"], "the bot has begun")
    day = let_the_day_pass(server)
    assert me.view()["counts"] == "late"
    me.play_on(random.Random(1))
    assert me.view()["counts"] == "late"
    assert board(server, match, day)["board"] == [] and me.watcher.view()["phase"] == "over"


@pytest.mark.parametrize(
    ("day", "status"),
    [
        ("yesterday", 400),
        ("2026-2-3", 400),
        ("20260203", 400),
        ("2026-02-30", 400),
        ("x" * 60, 400),
        ("2999-01-01", 409),
    ],
)
def test_a_day_that_cannot_be_shown(start: Start, day: str, status: int) -> None:
    refused = Person(start().url).refused(status, "GET", f"/api/daily?day={day}")
    assert refused["message"] and (len(day) > 40 or day in refused["message"])


def test_today_by_its_date(start: Start, match: str) -> None:
    server = start()
    begin(server, match, "Ana").play_on(random.Random(1))
    assert until(lambda: board(server, match)["board"])
    assert board(server, match, today()) == board(server, match)


def browser_of(answer: Any) -> dict[str, str]:
    """The cookie by which the server knows a browser again."""
    cookie = next(value for value in answer.headers.get_list("set-cookie") if value.startswith("browser="))
    return {"cookie": cookie.partition(";")[0]}


def test_a_match_a_day(own_game: Game, start: Start) -> None:
    someone = Person(start().url)
    address = f"/api/daily/{own_game.id}"
    begun = [someone.ask("POST", address, {"name": name}) for name in ("Ana", "Bo")]
    assert [answer.status_code for answer in begun] == [201, 201]
    ana, bo = (Person(someone.url, made["id"], made["token"], made["seats"]) for made in map(good, begun))
    assert ana.table != bo.table
    assert ana.view()["dice"]["hash"] != bo.view()["dice"]["hash"]  # the same dice, which no two promises show
    again = someone.ask("POST", address, {"name": "Ana"}, headers=browser_of(begun[0]))
    assert again.status_code == 200 and again.json()["id"] == ana.table
    ana.play_on(random.Random(5))
    assert ana.view()["dice"]["seed"] is None  # somebody else may still play today
    assert ana.get("verify")["ok"] and ana.get("verify")["seed"] is None
    assert "[Seed " not in ana.ask("GET", "record").text
    body = {"variant": ana.view()["variant"], "same_dice_as": ana.table}
    assert ana.refused(409, "POST", "/api/tables", body)["code"] == "table/not-now"
    board = {row["game"]: row for row in good(someone.ask("GET", "/api/daily", headers=browser_of(begun[0])))}
    assert set(board) == set(games.own_names())
    [row] = board[own_game.id]["board"]
    assert (row["name"], row["total"]) == ("Ana", ana.view()["seats"][0]["total"])
    assert board[own_game.id]["mine"] == ana.table
    someone.refused(404, "POST", "/api/daily/nothing", {"name": "x"})


def test_one_try_even_when_asked_twice_at_once(start: Start) -> None:
    someone = Person(start().url)
    address = f"/api/daily/{games.own_names()[0]}"
    headers = {"cookie": "browser=the-same-browser"}
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: someone.ask("POST", address, {"name": "x"}, headers=headers), range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert len({answer.json()["id"] for answer in answers}) == 1


def test_who_was_helped_by_a_bot_is_not_on_the_board(start: Start) -> None:
    someone = Person(start().url)
    game = games.own_names()[0]
    made = good(someone.ask("POST", f"/api/daily/{game}", {"name": "Ana"}))
    me = Person(someone.url, made["id"], made["token"], made["seats"])
    me.post("seats/0", bot="greedy")
    until(lambda: me.view()["phase"] == "over", "the bot plays to the end")
    board = {row["game"]: row["board"] for row in someone.get("/api/daily")}
    assert board[game] == []
