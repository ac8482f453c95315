"""What nobody may learn: another's hand, the seed, what comes next, tokens.

A viewer's answers must not change when everything they may not see is taken out of the position. That is how every
endpoint is checked here, without a word about which cards there are.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from serving import HTTP, LocalServer, Person, all_at_once, is_secret, new_key, one_by_one, until, variant_where

from lamplighter.engine.match import HIDDEN
from lamplighter.web import views
from lamplighter.web.table import hash_token

SEATS = 3


def without_clock(text: str) -> str:
    return re.sub(r'"now":[\d.]+', "", text)


def answers(person: Person) -> dict[str, str]:
    """Everything that somebody can ask for while a match goes on."""
    paths = ["", "?seat=0", "?seat=1", "?seat=2", "?sheet=false", "replay", "record", "record.jsonl", "verify"]
    for seat in range(SEATS):
        paths += [f"sheets/{seat}.svg", f"sheets/{seat}.svg?theme=dark&large=1", f"sheets/{seat}.svg?seq=3"]
        paths += [f"lines/{line['name']}?seat={seat}" for line in person.view()["seats"][seat]["lines"]]
    found = {path: without_clock(person.ask("GET", path).text) for path in paths}
    for seat in range(SEATS):
        body = {"seat": seat, "move": "pass", "version": 0, "key": new_key()}
        found[f"moves {seat}"] = without_clock(person.ask("POST", "moves", body).text)
        found[f"explain {seat}"] = person.ask("POST", "explain", {"seat": seat, "move": "pass"}).text
    return found


def differing(server: LocalServer, person: Person, seat: int | None) -> list[str]:
    """The answers that change when what this viewer may not see is taken away."""
    match = server.table(person.table).match
    honest, real = answers(person), match.position
    match.position = real.seen_by(seat)
    try:
        blind = answers(person)
    finally:
        match.position = real
    return [path for path, text in honest.items() if text != blind[path]]


@pytest.fixture
def people(someone: Person) -> list[Person]:
    """Everybody at a table with hidden hands, and somebody who watches."""
    host = someone.lay(variant_where(is_secret, SEATS), ["me"] + ["open"] * (SEATS - 1))
    return [host, *(host.join(f"Player {seat}") for seat in range(1, SEATS)), host.watcher]


def play_some(people: list[Person], choice: random.Random, moves: int) -> Iterator[None]:
    """Let people play, and stop after every few moves."""
    for number in range(moves):
        waiting = people[-1].view()["waiting"]
        if not waiting:
            return
        people[choice.choice(waiting)].play(choice)
        if number % 15 == 0:
            yield


def test_hands_stay_hidden(server: LocalServer, people: list[Person]) -> None:
    listeners = [person.listen(0) for person in people]
    looked = 0
    for _ in play_some(people, random.Random(4), 400):
        looked += 1
        for person in people:
            seat = person.seats[0] if person.seats else None
            assert differing(server, person, seat) == []
    assert looked > 2 and people[0].view()["phase"] == "over"
    rows = server.table(people[0].table).rows
    end = until(lambda: listeners[-1].seen[-1]["data"]["phase"] == "over" and rows[-1].seq, "the end is heard")
    for person, listener in zip(people, listeners, strict=True):
        mine = person.seats[0] if person.seats else None
        before_the_end = [event["data"] for event in listener.seen if event["event"] == "log"]
        heard = [entry for data in before_the_end if data["phase"] != "over" for entry in data["entries"]]
        dealt = [entry for entry in heard if entry["kind"] == "chance" and entry["seat"] is not None]
        assert all((entry["text"] == HIDDEN) == (entry["seat"] != mine) for entry in dealt) and len(dealt) > 10
        assert listener.last_id == end
        listener.close()


def test_a_leak_is_noticed(server: LocalServer, people: list[Person], monkeypatch: pytest.MonkeyPatch) -> None:
    next(play_some(people, random.Random(4), 3))
    watcher = people[-1]
    assert differing(server, watcher, None) == []
    with monkeypatch.context() as patch:
        patch.setattr(
            views, "_left", lambda position, seat: [{"name": server.table(watcher.table).match.position.text}]
        )
        assert "" in differing(server, people[0], 0)
    with monkeypatch.context() as patch:
        patch.setattr(views, "line_cells", lambda table, *_: [table.match.position.text])
        assert any(path.startswith("lines/") for path in differing(server, watcher, None))


def test_refusals_do_not_tell_the_position(server: LocalServer, people: list[Person]) -> None:
    """A refused move's own message has the whole position in it: that is for logs, not for players."""
    next(play_some(people, random.Random(4), 1))
    one = people[people[0].view()["waiting"][0]]
    view = one.view()
    move = view["moves"][0]
    one.move(move, view)
    answer = one.move(move, one.view())
    assert answer.status_code == 422
    assert server.table(one.table).match.position.text.partition(";")[2] not in answer.text
    told = one.ask("POST", "explain", {"seat": one.seats[0], "move": move})
    assert server.table(one.table).match.position.text.partition(";")[2] not in told.text


def test_after_the_end_hands_are_open(people: list[Person]) -> None:
    for _ in play_some(people, random.Random(5), 400):
        pass
    steps = people[-1].get("replay")["steps"]
    assert HIDDEN not in {step["text"] for step in steps}
    assert HIDDEN not in {entry["text"] for entry in people[-1].view()["log"]}


# --- dice and tokens ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("like", [all_at_once, one_by_one, is_secret])
def test_the_seed_and_the_next_outcome_are_told_at_the_end(server: LocalServer, someone: Person, like: Any) -> None:
    us = someone.lay(variant_where(like), ["me", "me"])
    seed = server.table(us.table).row.seed
    stream, choice, looks = us.listen(0), random.Random(6), 0
    while us.view()["phase"] != "over":
        if looks % 20 == 0:
            for person in (us, us.watcher):
                told = {path: person.ask("GET", path).text for path in ("", "verify", "record", "replay")}
                assert [path for path, text in told.items() if seed in text] == []
        looks += 1
        us.play(choice)
    assert us.view()["dice"]["seed"] == seed
    assert seed not in str(stream.seen)
    stream.close()


def test_what_is_told_depends_on_the_past_only(someone: Person) -> None:
    """Two tables of different seeds and the same past answer alike, but for the promise."""
    variant = variant_where(one_by_one)

    def told(us: Person) -> Any:
        view = us.view()
        moment = {name: value for name, value in view.items() if name not in ("id", "dice", "log", "seats")}
        moment["log"] = [(entry["kind"], entry["seat"], entry["text"]) for entry in view["log"]]
        moment["seats"] = [{**seat, "since": None} for seat in view["seats"]]
        return moment

    tables: dict[Any, Person] = {}
    for _ in range(60):
        us = someone.lay(variant, ["me", "me"], names=["Ana", "Bo"])
        past = tuple(entry["text"] for entry in us.view()["log"])
        if past in tables:
            assert told(us) == told(tables[past])
            return
        tables[past] = us
    pytest.fail("no two of sixty tables began alike")


def test_tokens_are_not_stored(server: LocalServer, someone: Person) -> None:
    host = someone.lay(variant_where(all_at_once), ["me", "open"])
    guest = host.join("Bo")
    path = server.app.state.settings.database.removeprefix("sqlite:///")
    with sqlite3.connect(path) as database:
        dump = "\n".join(database.iterdump())
    database.close()
    for person in (host, guest):
        assert person.token not in dump
        assert hash_token(person.token) in dump


def test_tokens_and_ids_cannot_be_guessed(someone: Person) -> None:
    people = [someone.lay(variant_where(one_by_one), ["me", "me"]) for _ in range(20)]
    for words, length in (([p.table for p in people], 12), ([p.token for p in people], 32)):
        assert len(set(words)) == 20 and all(len(word) == length for word in words)


def test_no_answer_names_another_ones_token(someone: Person) -> None:
    host = someone.lay(variant_where(all_at_once), ["me", "open"])
    guest = host.join("Bo")
    guest.play()
    for person in (host, host.watcher):
        for path in ("", "?seat=1", "sheets/1.svg"):
            text = person.ask("GET", path).text
            assert guest.token not in text and hash_token(guest.token) not in text
    assert HTTP.cookies.jar is not None and not list(HTTP.cookies.jar)


# --- as a spectator -------------------------------------------------------------------------------------------


def test_who_sits_at_the_table_can_look_as_a_stranger(people: list[Person]) -> None:
    """A screen on the wall is opened in the host's own browser, whose cookie holds a seat."""
    next(play_some(people, random.Random(4), 3))
    host, stranger = people[0], people[-1]
    paths = ["", *(f"sheets/{seat}.svg" for seat in range(SEATS))]
    paths += [f"lines/{line['name']}" for line in stranger.view()["seats"][0]["lines"]]
    for path in paths:
        as_host, as_stranger = (without_clock(one.ask("GET", f"{path}?as=spectator").text) for one in (host, stranger))
        assert as_host == as_stranger
    assert without_clock(host.ask("GET", "").text) != without_clock(stranger.ask("GET", "").text)
    assert host.ask("GET", "sheets/0.svg").text != stranger.ask("GET", "sheets/0.svg").text


def test_the_stream_of_a_spectator_hides_hands(people: list[Person]) -> None:
    host = people[0]
    url = f"{host.url}/api/tables/{host.table}/events?as=spectator"
    headers = {"authorization": f"Bearer {host.token}", "last-event-id": "0"}
    with HTTP.stream("GET", url, headers=headers) as answer:
        lines = answer.iter_lines()
        data = json.loads(next(line for line in lines if line.startswith("data: ") and "entries" in line)[6:])
    dealt = [entry["text"] for entry in data["entries"] if entry["kind"] == "chance" and entry["seat"] is not None]
    assert dealt and set(dealt) == {HIDDEN}


def test_hidden_hands_are_not_typed_in(someone: Person) -> None:
    """Whoever types in sees what is left, and so what the others hold."""
    body = {"variant": variant_where(is_secret), "seats": ["me", "open"], "rolls": "typed"}
    assert "hidden" in someone.refused(400, "POST", "/api/tables", body)["message"]
