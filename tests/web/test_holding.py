"""What follows a move waits while it can be taken back: for how long, for whom, and who ends the wait."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from serving import (
    LocalServer,
    Person,
    all_at_once,
    good,
    new_key,
    one_by_one,
    until,
    variant_where,
)

Start = Callable[..., LocalServer]


def until_all_but_one_move(person: Person) -> dict[str, Any]:
    """Play on until one more move lets the dice roll; the view before that move."""
    while True:
        view = person.view()
        body = {"seat": view["you"], "move": view["moves"][0], "version": view["version"], "done": False}
        after = person.post("moves", **body, key=new_key())
        if after["holding"]:
            version = after["version"]
            return person.post("undo", seat=after["you"], version=version, key=new_key())


def test_a_roll_that_nobody_could_stop_does_not_wait(start: Start) -> None:
    """Where the last move of a turn is final by the rules, there is nothing to hold the dice for."""
    us = Person(start(hold=60.0).url).lay(variant_where(all_at_once), ["me", "me"])
    turn = us.view()["turn"]
    while us.view()["turn"] == turn:
        assert us.play(done=False)["holding"] is None


def test_the_roll_waits_for_a_change_of_mind(start: Start) -> None:
    us = Person(start(hold=60.0).url).lay(variant_where(one_by_one), ["me", "me"])
    view = until_all_but_one_move(us)
    body = {"seat": view["you"], "move": view["moves"][0], "version": view["version"], "done": False}
    held = us.post("moves", **body, key=new_key())
    assert held["holding"] and held["waiting"] == []
    assert us.watcher.view()["holding"] == held["holding"]
    back = us.post("undo", seat=view["you"], version=held["version"], key=new_key())
    assert back["holding"] is None and back["moves"] == view["moves"]
    us.post("moves", **(body | {"version": back["version"]}), key=new_key())
    rolled = us.post("done", seat=view["you"])
    assert rolled["holding"] is None and rolled["turn"] > view["turn"]


def test_a_held_roll_comes_by_itself(start: Start) -> None:
    us = Person(start(hold=0.2).url).lay(variant_where(one_by_one), ["me", "me"])
    view = until_all_but_one_move(us)
    with_listener = us.listen()
    body = {"seat": view["you"], "move": view["moves"][0], "version": view["version"], "done": False}
    us.post("moves", **body, key=new_key())
    with_listener.wait(lambda entries: any(entry["kind"] == "chance" for entry in entries))
    with_listener.close()
    assert us.view()["turn"] > view["turn"]


def test_without_done_the_roll_comes_at_once(someone: Person) -> None:
    us = someone.lay(variant_where(one_by_one), ["me", "me"])
    view = until_all_but_one_move(us)
    rolled = good(us.move(view["moves"][0], view))
    assert rolled["holding"] is None and rolled["turn"] > view["turn"]


def test_bots_wait_for_a_change_of_mind(start: Start) -> None:
    """Where one acts after the other, a bot that answered at once would make every slip final."""
    me = Person(start(hold=60.0).url).lay(variant_where(one_by_one), ["me", "bot:uniform"])
    view = until(lambda: (seen := me.view())["moves"] and seen)
    while not ((after := me.play(done=False))["holding"] and after["waiting"]):
        me.post("done", seat=0)
        until(lambda: me.view()["moves"])
    assert after["waiting"] == [1] and after["can_undo"]
    back = me.post("undo", seat=0, version=after["version"], key=new_key())
    assert back["holding"] is None and back["waiting"] == [0]
    again = me.play(done=False)
    me.post("done", seat=0)
    until(lambda: me.view()["seq"] > again["seq"] and me.view()["log"][-1]["seat"] != 0, "the bot plays")
    assert view["phase"] == "play"


def test_done_speaks_for_one_seat(start: Start) -> None:
    """What one player may still take back is not made final by another."""
    url = start(hold=60.0).url
    ana = Person(url).lay(variant_where(one_by_one), ["me", "open"])
    bo = ana.join("Bo")
    people = [ana, bo]
    while not (after := people[ana.view()["waiting"][0]].play(done=False))["holding"]:
        pass
    mover = after["you"]
    people[1 - mover].post("done", seat=1 - mover)
    assert people[mover].view()["holding"] == after["holding"] and people[mover].view()["can_undo"]
    assert people[mover].post("done", seat=mover)["holding"] is None


def test_a_table_that_waits_until_done(start: Start) -> None:
    """The wait is told, has no end, ends with one word for all seats of the device, and a rematch has it too."""
    us = Person(start(hold=0.0, hold_long=60.0).url).lay(variant_where(one_by_one), ["me", "me"], hold="done")
    while not (after := us.play(done=False))["held"]:
        pass
    assert after["holding"] is None and after["can_undo"]
    assert us.watcher.view()["held"]
    assert not us.post("done", seat=1 - after["you"])["held"]
    other = us.lay(variant_where(one_by_one), ["me", "me"], hold="long")
    while not (after := other.play(done=False))["held"]:
        pass
    assert after["holding"] - time.time() > 50
    us.play_on(random.Random(1))
    again = Person(us.url, us.post("rematch")["id"], us.token)
    while not (after := again.play(done=False))["held"]:
        pass
    assert after["holding"] is None


def test_how_long_to_wait_is_one_of_three_words(someone: Person) -> None:
    wanted = {"variant": variant_where(one_by_one), "hold": "3600"}
    assert someone.refused(400, "POST", "/api/tables", wanted)["code"] == "request/bad"


def test_a_hold_outlives_the_server(start: Start) -> None:
    first = start(hold=60.0)
    us = Person(first.url).lay(variant_where(one_by_one), ["me", "me"])
    view = until_all_but_one_move(us)
    body = {"seat": view["you"], "move": view["moves"][0], "version": view["version"], "done": False}
    held = us.post("moves", **body, key=new_key())
    first.forget(us.table)
    assert us.view()["holding"] == pytest.approx(held["holding"], abs=1)
    assert us.view(view["you"])["can_undo"]


def test_a_held_roll_waits_at_both_processes(start: Start) -> None:
    one, two = start(workers=2, hold=60.0), start(workers=2, hold=60.0)
    us = Person(one.url).lay(variant_where(one_by_one), ["me", "me"])
    other = Person(two.url, us.table, us.token, us.seats)
    while not (after := us.play(done=False))["holding"]:
        pass
    seen = other.view(after["you"])
    assert seen["holding"] and seen["seq"] == after["seq"] and seen["can_undo"]
    back = other.post("undo", seat=after["you"], version=seen["version"], key=new_key())
    assert back["holding"] is None and us.view()["holding"] is None
    while not (after := other.play(done=False))["holding"]:
        pass
    assert us.post("done", seat=after["you"])["log"][-1]["kind"] == "chance"
    assert other.view()["holding"] is None
