"""Hints over the API: for one's own seat, while it must act, from what it may see; and whoever looks at one is noted."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import orjson
import pytest
from serving import LocalServer, Person, is_secret, until, variant_where

from lamplighter import bots
from lamplighter.engine import chance
from lamplighter.engine.match import Match
from lamplighter.web.api import hints
from lamplighter.web.middleware import cost_of
from lamplighter.web.store import Entry, TableRow
from lamplighter.web.table import Table


def ask(person: Person, seat: int = 0) -> dict[str, object]:
    return dict(person.post("hint", seat=seat))


def test_a_hint_is_for_ones_own_seat(server: LocalServer) -> None:
    me = Person(server.url).lay("connect_four", ["me", "open"])
    assert "nothing to do" in me.refused(409, "POST", "hint", {"seat": 0})["message"], "the match has not begun"
    other = me.join("Bo")
    found = me.post("hint", seat=0)
    view = me.view()
    assert found["seat"] == 0 and found["bot"].partition("?")[0] in bots.names() and found["version"] == view["version"]
    assert set(found["moves"][0]) == {"move", "said", "points", "value", "reasons"}
    assert {advice["move"] for advice in found["moves"]} <= set(view["moves"])
    assert me.post("hint", seat=0) == found
    assert other.refused(403, "POST", "hint", {"seat": 0})["message"] == "this seat is not yours"
    assert me.watcher.refused(403, "POST", "hint", {"seat": 0})["message"] == "this seat is not yours"
    assert me.refused(403, "POST", "hint?as=spectator", {"seat": 0})
    assert "nothing to do" in other.refused(409, "POST", "hint", {"seat": 1})["message"]
    assert "63" in me.refused(400, "POST", "hint", {"seat": 99})["message"]
    me.play(seat=0)
    assert other.post("hint", seat=1)["seat"] == 1


def test_the_log_notes_who_looks_and_it_is_no_move(server: LocalServer) -> None:
    """Once for each moment; the seat is where it was, and everybody can see it, at the end and in the record too."""
    me = Person(server.url).lay("connect_four", ["me", "open"])
    other = me.join("Bo")
    before = me.view()
    for _ in range(3):
        ask(me)
    after = me.watcher.view()
    noted = [entry for entry in after["log"] if entry["kind"] == "hint"]
    assert [entry["seat"] for entry in noted] == [0] and noted[0]["text"] == ""
    assert [seat["hinted"] for seat in after["seats"]] == [True, False]
    assert me.view()["version"] == before["version"] and me.view()["moves"] == before["moves"]
    server.forget(me.table)  # and it is so from the log
    assert me.view()["seats"][0]["hinted"]
    while me.view()["phase"] != "over":
        for person in (me, other):
            if person.view()["moves"]:
                person.play(random.Random(3))
    assert [seat["hinted"] for seat in other.view()["seats"]] == [True, False]
    assert '[Hints "0"]' in me.ask("GET", "record").text
    assert "nothing to do" in me.refused(409, "POST", "hint", {"seat": 0})["message"]


def test_a_table_may_switch_hints_off(server: LocalServer) -> None:
    me = Person(server.url).lay("connect_four", ["me", "me"], hints=False)
    assert me.view()["hints"] is False
    assert "switched off" in me.refused(409, "POST", "hint", {"seat": 0})["message"]
    assert not any(entry["kind"] == "hint" for entry in me.view()["log"])
    me.play_on()
    again = me.post("rematch")["id"]
    assert Person(server.url, again, me.token, me.seats).view()["hints"] is False
    assert Person(server.url).lay("connect_four", ["me", "me"]).view()["hints"] is True


def test_a_hint_that_comes_too_late_is_not_given(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seat moves while its hint is worked out: neither a hint of the past nor an entry in the log."""
    me = Person(server.url).lay("connect_four", ["me", "me"])
    heavy = server.app.state.heavy

    async def move_meanwhile(*_: object) -> bytes:
        await server.service.play(server.service.cache.find(me.table), 0, "d", me_version, "meanwhile", True)
        return b"{}"

    me_version = me.view(0)["version"]
    monkeypatch.setattr(heavy, "run", move_meanwhile)
    assert me.refused(409, "POST", "hint", {"seat": 0})["code"] == "move/stale"
    assert not any(entry["kind"] == "hint" for entry in me.view()["log"])


def test_the_board_of_the_day_marks_hints(server: LocalServer) -> None:
    game = Person(server.url).get("/api/daily")[0]["game"]
    people = []
    for name in ("Ana", "Bo"):
        made = Person(server.url).post(f"/api/daily/{game}", name=name)
        people.append(Person(server.url, made["id"], made["token"], made["seats"]))
    until(lambda: people[0].view()["moves"], "it is Ana's turn")
    ask(people[0], people[0].seats[0])
    for person in people:
        person.play_on(random.Random(5))
    board = next(one for one in Person(server.url).get("/api/daily") if one["game"] == game)["board"]
    assert {row["name"]: row["hinted"] for row in board if row["name"] in ("Ana", "Bo")} == {"Ana": True, "Bo": False}


def test_reasons_are_in_the_language_of_who_asks(server: LocalServer) -> None:
    me = Person(server.url).lay(variant_where(is_secret), ["me", "me"])
    seat = me.view()["waiting"][0]
    english, german = (
        me.ask("POST", "hint", {"seat": seat}, headers={"accept-language": code}).json() for code in ("en", "de")
    )
    assert [one["move"] for one in english["moves"]] == [one["move"] for one in german["moves"]]
    assert [one["said"] for one in english["moves"]] != [one["said"] for one in german["moves"]]


def test_a_hint_does_not_depend_on_what_is_hidden(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other cards in the other hand, and another seed: the same bytes."""
    me = Person(server.url).lay(variant_where(is_secret), ["me", "me"])
    for _ in range(6):
        me.play(random.Random(1))
    table = server.table(me.table)
    seat = table.waiting[0]
    wanted = hints.hint_json(table.row, table.log, seat, "en")

    def fold_with_other_cards(row: TableRow, entries: list[Entry]) -> Table:
        folded = Table(dataclasses.replace(row, seed="another"))
        folded.match = other_cards(table.match, seat)
        folded.seats = table.seats
        return folded

    monkeypatch.setattr(hints, "fold", fold_with_other_cards)
    assert hints.hint_json(table.row, table.log, seat, "en") == wanted
    hidden = other_cards(table.match, seat)
    assert hidden.position.key != table.match.position.key, "something was hidden, and is other now"
    assert orjson.loads(wanted)["moves"]


def other_cards(match: Match, seat: int) -> Match:
    """The match with what a seat may not see drawn again."""
    other, stream = match.copy(), np.zeros(4, np.int64)
    chance.start_stream(11, 1, stream)
    belief = match.position.seen_by(seat)
    belief.resample(seat, stream)
    other.position, other.seed = belief, "another"
    return other


def test_a_hint_costs_more() -> None:
    assert cost_of("/api/tables/x/hint") >= 5 * cost_of("/api/tables/x")


def test_no_stranger_starts_a_program(server: LocalServer) -> None:
    """A path is no bot's name, wherever a bot is named."""
    for seats in (["me", "bot:/bin/sh"], ["me", "bot:./examples/first_engine.py"]):
        answer = Person(server.url).refused(400, "POST", "/api/tables", {"variant": "connect_four", "seats": seats})
        assert "there is no bot" in answer["message"]
    me = Person(server.url).lay("connect_four", ["me", "open"])
    assert "there is no bot" in me.refused(400, "POST", "seats/0", {"bot": "/bin/sh"})["message"]


def test_no_stranger_lets_a_bot_think_for_an_hour(server: LocalServer) -> None:
    seats = ["me", "bot:search?ms=3600000"]
    answer = Person(server.url).refused(400, "POST", "/api/tables", {"variant": "connect_four", "seats": seats})
    assert "is for measurements" in answer["message"]
    me = Person(server.url).lay("connect_four", ["me", "open"])
    assert "is for measurements" in me.refused(400, "POST", "seats/0", {"bot": "search"})["message"]
