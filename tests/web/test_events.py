"""Live updates: in order, whole, and going on where a lost connection stopped."""

from __future__ import annotations

import random
from itertools import pairwise

from serving import HTTP, Person, all_at_once, one_by_one, until, variant_where


def test_everybody_hears_everything_in_order(someone: Person) -> None:
    host = someone.lay(variant_where(all_at_once), ["me", "open"], name="Ana")
    listeners = [host.listen(), host.watcher.listen(0)]
    guest = host.join("Bo")
    choice = random.Random(2)
    for _ in range(12):
        for person in (host, guest):
            if person.view()["moves"]:
                person.play(choice)
    host.post("nudge", seat=guest.view()["waiting"][0])
    log = host.view()
    for listener in listeners:
        listener.wait(lambda entries: entries and entries[-1]["seq"] == log["seq"])
        heard = [entry["seq"] for entry in listener.entries]
        assert all(later == earlier + 1 for earlier, later in pairwise(heard))
        assert listener.entries[-40:] == log["log"][-len(listener.entries) :]
        events = [event for event in listener.seen if event["event"] == "log"]
        assert [int(event["id"]) for event in events] == [event["data"]["seq"] for event in events]
        assert events[-1]["data"]["waiting"] == log["waiting"] and events[-1]["data"]["phase"] == "play"
    assert listeners[0].entries[0]["kind"] == "join"  # without a number: what comes from now on
    assert listeners[1].entries[0]["seq"] == 1
    for listener in listeners:
        listener.close()


def test_nothing_is_lost_when_the_connection_is(someone: Person) -> None:
    us = someone.lay(variant_where(one_by_one), ["me", "me"])
    choice, heard = random.Random(1), []
    listener = us.listen(0)
    for round_ in range(6):
        if round_ != 3:
            us.play(choice)  # heard, or half heard
        heard += listener.entries
        last = listener.last_id if round_ % 2 else max([listener.last_id, *(entry["seq"] for entry in heard)])
        listener.close()
        us.play(choice)  # while nobody listens
        listener = us.listen(last)
        assert listener.seen[0]["event"] == "hello"
    seq = us.view()["seq"]
    until(lambda: listener.last_id == seq, "all is heard")
    heard += listener.entries
    listener.close()
    numbers = [entry["seq"] for entry in heard]
    assert sorted(set(numbers)) == list(range(1, seq + 1))


def test_a_browser_that_heard_nothing_but_hello_goes_on_from_there(someone: Person) -> None:
    us = someone.lay(variant_where(one_by_one), ["me", "me"])
    listener = us.listen()
    listener.close()
    before = listener.last_id
    us.play()
    again = us.listen(before)
    again.wait(lambda entries: any(entry["kind"] == "move" for entry in entries))
    again.close()


def test_strange_numbers_are_no_harm(someone: Person) -> None:
    us = someone.lay(variant_where(one_by_one), ["me", "me"])
    for last in ("x", "-1", "9" * 30, "²", "999999"):
        with HTTP.stream(
            "GET", f"{us.url}/api/tables/{us.table}/events", headers={"last-event-id": last.encode()}
        ) as got:
            assert got.status_code == 200 and got.headers["content-type"].startswith("text/event-stream")
            assert next(got.iter_lines()).startswith(("event: hello", "id: "))


def test_no_stream_of_an_unknown_table(someone: Person) -> None:
    assert someone.refused(404, "GET", "/api/tables/nowhere/events")["code"] == "table/unknown"
