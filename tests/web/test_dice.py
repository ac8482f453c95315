"""Dice from elsewhere: typed in, called for people on paper, and the sheets that they enter."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from serving import (
    LocalServer,
    Person,
    all_at_once,
    closing,
    good,
    is_secret,
    new_key,
    until,
    variant_where,
)

Start = Callable[..., LocalServer]


def test_typed_dice(someone: Person) -> None:
    us = someone.lay(variant_where(all_at_once), ["me", "me"], rolls="typed")
    view = us.view()
    assert view["dice"] == {"rolls": "typed", "hash": None, "salt": None, "seed": None}
    assert us.watcher.view()["due"] is None and us.watcher.refused(403, "POST", "roll", us.dice(text=view["due"][0]))
    assert us.refused(400, "POST", "roll", us.dice(text="nonsense"))["code"] == "chance/bad"
    typed = []
    choice = random.Random(1)
    while (view := us.view())["phase"] != "over":
        if view["due"]:
            typed.append(choice.choice(view["due"]))
            us.roll(typed[-1])
        else:
            assert us.ask("POST", "roll", us.dice(text=typed[-1])).status_code == 400
            us.play(choice)
    steps = us.get("replay")["steps"]
    assert [step["text"] for step in steps if step["kind"] == "chance"] == typed
    assert us.get("verify")["ok"]


def test_a_table_rolls_its_own_dice_unless_asked(someone: Person) -> None:
    us = someone.lay(variant_where(all_at_once), ["me", "me"])
    assert us.refused(400, "POST", "roll", us.dice(text="x"))["code"] == "chance/bad"
    assert us.refused(409, "POST", "call", us.dice())["code"] == "table/not-now"
    assert us.refused(409, "POST", "enter", {})["code"] == "table/not-now"


def test_a_die_that_was_typed_wrongly(server: LocalServer, someone: Person) -> None:
    us = someone.lay(variant_where(all_at_once), ["me", "bot:uniform"], rolls="typed")
    assert us.refused(409, "POST", "unroll", us.dice())["code"] == "table/not-now"  # nothing was typed
    before = us.view()
    while (view := us.view())["due"]:
        us.roll(view["due"][0])
    until(lambda: us.view()["waiting"] == [0], "the bot has acted on it")
    back = us.unroll()
    assert back["due"] and back["waiting"] == [] and back["version"] > view["version"]
    while us.view()["can_unroll"]:
        us.unroll()
    back = us.view()
    assert back["due"] == before["due"] and back["seats"][1]["lines"] == before["seats"][1]["lines"]
    server.forget(us.table)
    assert us.view() == back  # the log says the same
    while (view := us.view())["due"]:
        us.roll(last := view["due"][-1])
    assert [entry["text"] for entry in view["log"] if entry["kind"] == "chance"][-1] == last
    us.play()
    assert us.refused(409, "POST", "unroll", us.dice())["code"] == "table/not-now"  # somebody has acted on it
    assert us.watcher.refused(403, "POST", "unroll", us.dice())["code"] == "seat/not-yours"


def dice_of(person: Person) -> list[str]:
    return [entry["text"] for entry in person.view()["log"] if entry["kind"] in ("chance", "unroll")]


def test_two_people_who_type_one_die_count_it_once(start: Start) -> None:
    """Also when they ask two processes at once."""
    one, two = start(workers=2), start(workers=2)
    ana = Person(one.url).lay(variant_where(all_at_once), ["me", "open"], rolls="typed")
    bo = ana.join("Bo")
    bo.url = two.url
    both = [(person, person.dice(text=ana.view()["due"][0])) for person in (ana, bo)]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda sent: sent[0].ask("POST", "roll", sent[1]), both))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    late = next(answer for answer in answers if answer.status_code == 409).json()
    assert late["error"]["code"] == "move/stale"
    assert late["view"]["rolls_version"] == late["view"]["log"][-1]["seq"] == ana.view()["rolls_version"]
    assert len(dice_of(ana)) == 1
    wrong = [(person, person.dice()) for person in (ana, bo)]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda sent: sent[0].ask("POST", "unroll", sent[1]), wrong))
    assert sorted(answer.status_code for answer in answers) == [200, 409] and len(dice_of(ana)) == 2


def test_a_die_that_is_sent_twice_counts_once(server: LocalServer, someone: Person) -> None:
    us = someone.lay(variant_where(all_at_once), ["me", "me"], rolls="typed")
    sent = us.dice(text=us.view()["due"][0])
    first = us.post("roll", **sent)
    assert us.post("roll", **sent)["seq"] == first["seq"]
    server.forget(us.table)
    assert us.post("roll", **sent)["seq"] == first["seq"]
    back = us.dice()
    assert us.post("unroll", **back)["seq"] == us.post("unroll", **back)["seq"] == first["seq"] + 1
    assert dice_of(us) == [sent["text"], ""]
    while (view := us.view())["due"]:
        us.roll(view["due"][0])
    assert good(us.move(view["moves"][0], us.view(), key=sent["key"]))["log"][-1]["kind"] == "move"  # keys of its own
    assert good(us.move(us.view()["moves"][0], us.view(), key=f"roll:{back['key']}"))["log"][-1]["kind"] == "move"


def test_several_dice_in_one_line_have_one_key(someone: Person) -> None:
    us = someone.lay(variant_where(all_at_once), ["me", "me"], rolls="typed")
    texts = []
    while (view := us.view())["due"]:
        texts.append(view["due"][0])
        us.roll(texts[-1])
    again = someone.lay(view["variant"], ["me", "me"], rolls="typed")
    sent = again.dice(text=", ".join(texts))
    for _ in range(2):
        again.post("roll", **sent)
    assert len(texts) > 1 and dice_of(again) == texts


def test_two_who_call_at_once_call_once(someone: Person) -> None:
    caller = someone.lay(variant_where(all_at_once), kind="caller")
    sent = [caller.dice(), caller.dice()]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda body: caller.ask("POST", "call", body), sent))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    [called] = caller.view()["called"]
    done = sent[[answer.status_code for answer in answers].index(200)]
    until(lambda: not caller.view()["waiting"], "the bots have done it")
    assert caller.post("call", **done)["called"] == [called]  # the answer was lost, and it is sent again
    assert len(caller.call()["called"]) == 2


def call_to_the_end(caller: Person) -> list[str]:
    """Call until nothing is left; everything that was called."""
    while (view := caller.view())["phase"] != "over":
        caller.ask("POST", "call", caller.dice())
    return [text for turn in view["called"] for text in turn["texts"]]


def test_the_caller_calls_and_sheets_are_entered(someone: Person) -> None:
    caller = someone.lay(variant_where(all_at_once), kind="caller")
    assert caller.seats == []
    caller.call()
    first = until(lambda: (view := caller.view())["called"] and view)
    assert {entry["kind"] for entry in first["log"]} == {"chance"}
    called = call_to_the_end(caller)
    assert caller.refused(409, "POST", "call", caller.dice())["message"] == "that was the last roll"
    assert caller.watcher.refused(403, "POST", "enter", {})["code"] == "seat/not-yours"
    entry = caller.post("enter", names=["Ana", "Bo"])
    us = Person(someone.url, entry["id"], entry["token"], entry["seats"])
    assert us.seats == [0, 1]
    us.play_on()
    steps = us.get("replay")["steps"]
    fell = [step["text"] for step in steps if step["kind"] == "chance"]
    assert fell == called[: len(fell)] and len(fell) > 5
    assert us.get("verify")["ok"]


def test_everybody_enters_their_own_sheet(someone: Person) -> None:
    """The host invites to one table, and has no seat there; who takes a seat enters that sheet and no other."""
    caller = someone.lay(variant_where(all_at_once), kind="caller")
    caller.call()
    assert caller.refused(409, "POST", "enter", {"phones": True})["code"] == "table/not-now"
    called = call_to_the_end(caller)
    assert caller.refused(409, "POST", "rematch", {})["code"] == "table/not-now"
    assert caller.watcher.refused(403, "POST", "enter", {"phones": True})["code"] == "seat/not-yours"
    entry = caller.post("enter", phones=True)
    assert caller.post("enter", phones=True)["id"] == entry["id"] == caller.view()["rematch"]
    assert entry["seats"] == []
    host = Person(someone.url, entry["id"], caller.token)
    assert host.view()["kind"] == "entry" and host.view()["host"]

    ana, bo = (Person(someone.url, entry["id"]).join(name) for name in ("Ana", "Bo"))
    assert (ana.seats, bo.seats) == ([0], [1])
    assert Person(someone.url, entry["id"]).refused(409, "POST", "join", {"name": "Cy"})["code"] == "table/full"
    move = {"seat": 0, "move": ana.view()["moves"][0], "version": ana.view()["version"], "key": new_key()}
    for other in (bo, host, host.watcher):
        assert other.refused(403, "POST", "moves", move)["code"] == "seat/not-yours"
    for other in (host, host.watcher):
        assert other.view()["you"] is None and other.view()["moves"] == []
    while ana.view()["phase"] != "over":
        for one in (ana, bo):
            while one.view()["moves"]:
                one.play()
    steps = ana.get("replay")["steps"]
    fell = [step["text"] for step in steps if step["kind"] == "chance"]
    assert fell == called[: len(fell)] and len(fell) > 5


def test_only_the_host_of_a_caller_learns_where_sheets_are_entered(someone: Person) -> None:
    caller = someone.lay(variant_where(all_at_once), kind="caller")
    call_to_the_end(caller)
    with closing(caller.watcher.listen(0)) as listener:
        entry = caller.post("enter", phones=True)["id"]
        until(lambda: caller.view()["rematch"] == entry, "the host sees it")
        assert caller.watcher.view()["rematch"] is None
        for told in (caller.watcher.view(), caller.watcher.get("replay"), listener.seen):
            assert entry not in str(told)


def test_the_sheet_of_a_caller_shows_the_turn_that_was_called(someone: Person) -> None:
    caller = someone.lay(variant_where(all_at_once), kind="caller")
    for turn in (1, 2, 3):
        until(lambda: not caller.view()["waiting"], "the bots have done it")
        assert caller.call()["called"][-1]["turn"] == turn
        assert f", turn {turn}, " in caller.watcher.ask("GET", "sheets/0.svg").text


def test_sheets_that_are_entered_early_know_only_what_was_called(someone: Person) -> None:
    caller = someone.lay(variant_where(all_at_once), kind="caller")
    caller.call()
    called = [text for turn in caller.view()["called"] for text in turn["texts"]]
    entry = caller.post("enter", names=["Ana"])
    us = Person(someone.url, entry["id"], entry["token"], entry["seats"])
    while us.view()["moves"]:
        us.play()
    view = us.view()
    assert [entry["text"] for entry in view["log"] if entry["kind"] == "chance"] == called
    assert view["due"] and view["dice"]["rolls"] == "typed"


def test_hands_are_not_called(someone: Person) -> None:
    body = {"variant": variant_where(is_secret), "kind": "caller"}
    assert someone.refused(409, "POST", "/api/tables", body)["code"] == "table/not-now"
