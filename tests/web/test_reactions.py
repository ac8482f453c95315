"""Quick words between people: who may say them, how often, who hears them, and that nothing keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from serving import UNLIMITED, LocalServer, Person, closing, one_by_one, until, variant_where

from lamplighter.web.settings import Settings
from lamplighter.web.store import migrate


@pytest.fixture
def host(someone: Person) -> Person:
    return someone.lay(variant_where(one_by_one), ["me", "open"], name="Ana")


def said(listener: Any) -> list[tuple[int, str]]:
    heard = [event["data"] for event in list(listener.seen) if event["event"] == "reaction"]
    return [(one["seat"], one["reaction"]) for one in heard]


def react(person: Person, seat: int, reaction: str) -> int:
    return person.ask("POST", "react", {"seat": seat, "reaction": reaction}).status_code


def test_all_who_look_hear_it_and_nothing_keeps_it(host: Person) -> None:
    bo, before = host.join("Bo"), host.view()
    with closing(host.listen(), bo.listen(), host.watcher.listen()) as listeners:
        assert react(bo, 1, "well-played") == 204
        for listener in listeners:
            until(lambda one=listener: said(one), "it is heard")
            assert said(listener) == [(1, "well-played")]
            assert listener.entries == []
    with closing(host.listen(0)) as late:
        late.wait(lambda entries: entries)
        assert said(late) == []
    assert host.view()["seq"] == before["seq"]
    assert "well-played" not in host.ask("GET", "record").text + repr(host.view())


def test_only_who_sits_there_may_say_something(host: Person) -> None:
    bo = host.join("Bo")
    assert host.watcher.refused(403, "POST", "react", {"seat": 0, "reaction": "wow"})["code"] == "seat/not-yours"
    assert bo.refused(403, "POST", "react", {"seat": 0, "reaction": "wow"})["code"] == "seat/not-yours"
    assert react(Person(bo.url, bo.table, "guess"), 1, "wow") == 403
    assert bo.ask("POST", "react?as=spectator", {"seat": 1, "reaction": "wow"}).status_code == 403


@pytest.mark.parametrize("reaction", ["", "rude", "Well played!", "<b>", None, ["wow"]])
def test_nothing_else_can_be_said(reaction: Any, host: Person) -> None:
    assert host.ask("POST", "react", {"seat": 0, "reaction": reaction}).status_code == 400


def test_nobody_can_say_much(someone: Person) -> None:
    """A few at once; all seats of one device share them, and another device's are its own."""
    us = someone.lay(variant_where(one_by_one, 3), ["me", "me", "open"])
    bo = us.join("Bo")
    assert [react(us, seat, "wow") for seat in (0, 1, 0, 1, 0)] == [204, 204, 204, 429, 429]
    assert react(bo, 2, "thanks") == 204
    refused = us.ask("POST", "react", {"seat": 0, "reaction": "wow"})
    assert refused.json()["error"]["code"] == "table/too-many" and int(refused.headers["retry-after"]) <= 4


@pytest.fixture
def pair(database: str) -> Iterator[tuple[LocalServer, LocalServer]]:
    """Two processes of one server."""
    migrate(database)
    settings = Settings(database, workers=2, **UNLIMITED)
    with closing(LocalServer(settings), LocalServer(settings)) as servers:
        yield servers


def test_other_processes_pass_it_on(pair: tuple[LocalServer, LocalServer]) -> None:
    one, two = pair
    host = Person(one.url).lay(variant_where(one_by_one), ["me", "me"])
    there = Person(two.url, host.table, host.token)
    with closing(host.listen(), there.listen()) as (here, far):
        assert react(host, 0, "good-luck") == 204
        until(lambda: said(far), "it is heard in the other process")
        assert react(there, 1, "thanks") == 204
        until(lambda: len(said(here)) == len(said(far)) == 2, "and the answer in both")
        assert said(here) == said(far) == [(0, "good-luck"), (1, "thanks")]
