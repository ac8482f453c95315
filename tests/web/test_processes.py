"""Servers as processes: two on one database, and one that is killed again and again."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from typing import Any

import httpx
import pytest
from serving import PATIENCE, UNLIMITED, Person, ServerProcess, all_at_once, new_key, one_by_one, variant_where

from lamplighter.bots import OPPONENT
from lamplighter.web.settings import Settings
from lamplighter.web.store import Store


def test_two_processes_serve_one_table(database: str) -> None:
    settings = Settings(database, workers=2, hold=0.5, **UNLIMITED)
    servers = [ServerProcess(settings), ServerProcess(settings)]
    try:
        one = Person(servers[0].url).lay(variant_where(all_at_once), ["me", "open"], name="Ana")
        here, there = one.listen(0), Person(servers[1].url, one.table).listen(0)
        two = Person(servers[1].url, one.table).join("Bo")  # through the other process
        two.url = servers[1].url
        here.wait(lambda entries: any(entry["text"] == "Bo" for entry in entries))
        choice = random.Random(3)
        for _ in range(8):
            for person in (one, two):
                if person.view()["moves"]:
                    person.play(choice)
        seq = one.view()["seq"]
        for listener in (here, there):
            heard = listener.wait(
                lambda entries: entries and entries[-1]["seq"] >= seq and entries
            )  # a roll may have followed
            assert [entry["seq"] for entry in heard] == list(range(1, len(heard) + 1))
        assert one.watcher.view()["log"] == Person(servers[1].url, one.table).view()["log"]

        _conflicts_resolve(one, two, servers)
        _who_is_there_keeps_the_seat(one, two)
        for listener in (here, there):
            listener.close()
    finally:
        for server in servers:
            server.close()


def _conflicts_resolve(one: Person, two: Person, servers: list[ServerProcess]) -> None:
    """The same seat, through both processes at once: one move wins, and both processes know it."""
    seat = one.view()["waiting"][0]
    owner = (one, two)[seat]
    doors = [Person(server.url, one.table, owner.token, [seat]) for server in servers]
    view = doors[0].view()
    answers: list[httpx.Response] = []
    threads = [
        threading.Thread(target=lambda door=door: answers.append(door.move(view["moves"][0], view))) for door in doors
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert doors[0].view()["version"] == doors[1].view()["version"] > view["version"]


def _who_is_there_keeps_the_seat(one: Person, two: Person) -> None:
    """Somebody who asks the other process is a person who is here."""
    two.view()
    assert one.refused(403, "POST", "seats/1", {"bot": OPPONENT})["code"] == "seat/not-yours"


class Script(threading.Thread):
    """A client that plays a table to its end, whatever happens to the server, and notes what was acknowledged."""

    def __init__(self, person: Person, seed: int) -> None:
        super().__init__(daemon=True)
        self.person, self.choice = person, random.Random(seed)
        self.acknowledged: list[tuple[int, str, str]] = []
        self.tries = 0
        self.over = False

    def insist(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Ask until there is an answer, as a browser does."""
        end = time.monotonic() + 4 * PATIENCE
        while True:
            with contextlib.suppress(httpx.TransportError):
                self.tries += 1
                return self.person.ask(method, path, body)
            assert time.monotonic() < end
            time.sleep(0.05)

    def run(self) -> None:
        while not self.over:
            view = self.insist("GET", "?sheet=false").json()
            self.over = view["phase"] == "over"
            if not view["moves"]:
                time.sleep(0.02)
                continue
            body = {"seat": view["you"], "move": self.choice.choice(view["moves"]), "version": view["version"]}
            body |= {"key": new_key(), "done": self.choice.random() < 0.7}
            answer = self.insist("POST", "moves?sheet=false", body)
            if answer.status_code == 200:
                self.acknowledged.append((body["seat"], body["move"], f"{body['seat']}:{body['key']}"))


@pytest.mark.thorough
def test_killed_at_any_moment_nothing_is_lost(database: str) -> None:
    """On PostgreSQL with another process on the same tables, which goes on with them."""
    settings = Settings(database, hold=0.05, **UNLIMITED)
    server = ServerProcess(settings)
    other = ServerProcess(settings) if settings.shared else None
    choice = random.Random(8)
    try:
        someone = Person(server.url)
        people = [someone.lay(variant_where(kind), plan) for kind in (one_by_one, all_at_once) for plan in
                  (["me", "me"], ["me", "bot:uniform"])]  # fmt: skip
        if other is not None:  # half of the people ask the process that lives
            for person in people[::2]:
                person.url = other.url
        scripts = [Script(person, seed) for seed, person in enumerate(people)]
        for script in scripts:
            script.start()
        kills = 0
        while kills < 4:
            time.sleep(choice.uniform(0.1, 0.6))
            server.kill()
            kills += 1
            server.start()
        for script in scripts:
            script.join(4 * PATIENCE)
            assert script.over
    finally:
        for one in (server, other):
            if one is not None:
                one.kill()
    store = Store(database)
    try:
        for script in scripts:
            rows = {row.key: row for row in store.entries(script.person.table) if row.key}
            written = [
                (seat, move)
                for seat, move, key in script.acknowledged
                if (rows[key].seat, rows[key].text) == (seat, move)
            ]
            assert len(written) == len(script.acknowledged) > 5
            assert store.totals(script.person.table)
    finally:
        store.close()
