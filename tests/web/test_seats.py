"""Seats that change hands: bots that stand in, votes against idlers, names, and who may do what with a seat."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from serving import (
    LocalServer,
    Person,
    all_at_once,
    new_key,
    one_by_one,
    until,
    variant_where,
)

from lamplighter.bots import OPPONENT

Start = Callable[..., LocalServer]


def test_a_bot_takes_over_who_has_left_and_hands_back(start: Start) -> None:
    one = Person(start(away=0.3).url).lay(variant_where(all_at_once), ["me", "open"], name="Ana")
    two = one.join("Bo")
    here = two.listen()
    assert one.refused(403, "POST", "seats/1", {"bot": OPPONENT})["code"] == "seat/not-yours"
    here.close()
    view = until(lambda: (got := one.ask("POST", "seats/1", {"bot": OPPONENT})).status_code == 200 and got.json())
    assert view["seats"][1]["kind"] == "bot" and view["seats"][1]["name"] == "Bo" and view["seats"][1]["owner"]
    until(lambda: [entry for entry in one.view()["log"] if entry["kind"] == "move"], "the bot moves")
    assert one.refused(403, "POST", "seats/1", {"person": True})["code"] == "seat/not-yours"
    body = {"seat": 1, "move": "x", "version": two.view()["version"], "key": new_key()}
    assert "take your seat back first" in two.refused(409, "POST", "moves", body)["message"]
    back = two.post("seats/1", person=True)
    assert back["seats"][1]["kind"] == "person" and back["seats"][1]["bot"] is None
    assert "no bot plays this seat" in two.refused(409, "POST", "seats/1", {"person": True})["message"]


def test_somebody_who_is_here_keeps_the_seat(start: Start) -> None:
    one = Person(start(away=0.2).url).lay(variant_where(all_at_once), ["me", "open"])
    two = one.join("Bo")
    here = two.listen()
    time.sleep(0.5)  # longer than `away`: an open stream is a sign of life
    assert one.view()["seats"][1]["here"]
    one.refused(403, "POST", "seats/1", {"bot": OPPONENT})
    here.close()


@pytest.mark.parametrize(("third", "level"), [("bot:uniform", "uniform"), ("bot:greedy", "greedy"), ("me", OPPONENT)])
def test_who_is_away_gets_a_bot_of_the_tables_level(start: Start, third: str, level: str) -> None:
    one = Person(start(away=0.0).url).lay(variant_where(one_by_one, 3), ["me", "open", third], name="Ana")
    one.join("Bo")
    assert one.view()["stand_in"] == level
    other = "greedy" if level == "uniform" else "uniform"
    assert level in one.refused(409, "POST", "seats/1", {"bot": other})["message"]
    assert one.post("seats/1", bot=level)["seats"][1]["bot"] == level
    assert one.post("seats/0", bot=other)["seats"][0]["bot"] == other  # one's own, as one likes
    assert one.view()["stand_in"] == level


def test_an_idler_is_voted_out(start: Start) -> None:
    server = start(idle=0.05, away=60.0)
    ana = Person(server.url).lay(variant_where(all_at_once, 3), ["me", "open", "open"], name="Ana")
    bo, cy = ana.join("Bo"), ana.join("Cy")
    here = cy.listen()
    seat = until(lambda: (found := ana.view()["seats"][2])["idle"] and found, "Cy counts as idle")
    assert seat["may_vote"] and seat["votes"] == [] and seat["here"]
    assert not cy.view()["seats"][2]["may_vote"] and not ana.watcher.view()["seats"][2]["may_vote"]
    cy.refused(403, "POST", "vote", {"seat": 2})
    after = ana.post("vote", seat=2)
    assert (after["seats"][2]["votes"], after["seats"][2]["kind"]) == ([0], "person")
    assert not after["seats"][2]["may_vote"] and bo.view()["seats"][2]["may_vote"]
    here.wait(lambda entries: [(e["seat"], e["text"]) for e in entries if e["kind"] == "vote"] == [(2, "0")])
    assert ana.post("vote", seat=2)["seq"] == after["seq"]  # once more says nothing new
    out = bo.post("vote", seat=2)["seats"][2]
    assert (out["kind"], out["bot"], out["votes"], out["owner"]) == ("bot", OPPONENT, [], True)
    here.close()
    object.__setattr__(server.app.state.settings, "idle", 60.0)
    back = cy.post("seats/2", person=True)["seats"][2]
    assert (back["kind"], back["idle"]) == ("person", False)  # the time begins again
    server.forget(ana.table)
    assert ana.view()["seats"][2]["votes"] == []


def test_an_act_clears_the_votes(start: Start) -> None:
    server = start(idle=0.2, away=60.0)
    ana = Person(server.url).lay(variant_where(all_at_once, 3), ["me", "open", "open"])
    bo, cy = ana.join("Bo"), ana.join("Cy")
    until(lambda: ana.view()["seats"][2]["idle"])
    ana.post("vote", seat=2)
    server.forget(ana.table)
    assert ana.view()["seats"][2]["votes"] == [0]
    cy.play(done=False)
    assert ana.view()["seats"][2]["votes"] == []
    assert bo.view()["seats"][2]["kind"] == "person"


def test_nobody_is_voted_out_who_has_time(someone: Person) -> None:
    ana = someone.lay(variant_where(all_at_once, 3), ["me", "open", "open"])
    bo = ana.join("Bo")
    ana.join("Cy")
    assert not any(seat["idle"] or seat["may_vote"] for seat in ana.view()["seats"])
    assert "120 seconds" in bo.refused(409, "POST", "vote", {"seat": 0})["message"]
    ana.watcher.refused(403, "POST", "vote", {"seat": 0})


def test_who_has_left_does_not_hold_up_a_vote(start: Start) -> None:
    ana = Person(start(idle=0.2, away=0.3).url).lay(variant_where(all_at_once, 3), ["me", "open", "open"])
    bo, cy = ana.join("Bo"), ana.join("Cy")
    here, gone = cy.listen(), bo.listen()
    until(lambda: ana.view()["seats"][2]["idle"])
    assert ana.post("vote", seat=2)["seats"][2]["kind"] == "person"  # Bo is here too
    gone.close()
    until(lambda: ana.view()["seats"][2]["may_vote"], "Bo counts as away")
    assert ana.post("vote", seat=2)["seats"][2]["kind"] == "bot"
    here.close()


def test_two_seats_of_one_device_are_one_vote(start: Start) -> None:
    us = Person(start(idle=0.1, away=60.0).url).lay(variant_where(all_at_once, 3), ["me", "me", "open"])
    cy = us.join("Cy")
    until(lambda: us.view()["seats"][0]["idle"])
    assert not us.view()["seats"][0]["may_vote"]  # nobody votes about a seat of their own
    us.refused(403, "POST", "vote", {"seat": 1})
    assert us.post("vote", seat=2)["seats"][2]["kind"] == "bot"
    assert cy.view()["seats"][2]["owner"]


def test_ones_own_seat_may_be_given_away(someone: Person) -> None:
    me = someone.lay(variant_where(all_at_once), ["me", "bot:uniform"])
    assert me.post("seats/0", bot="uniform")["seats"][0]["kind"] == "bot"
    assert until(lambda: (view := me.view())["phase"] == "over" and view, "the bots play to the end")


def test_joining_twice_with_one_secret_is_one_seat(someone: Person) -> None:
    """The answer to the first try may have been lost."""
    host = someone.lay(variant_where(one_by_one), ["me", "open"])
    secret = "s" * 32
    first, second = (host.watcher.post("join", name="Bo", token=secret) for _ in range(2))
    assert first == second and first["seats"] == [1]
    assert host.watcher.refused(409, "POST", "join", {"name": "Cy"})["code"] == "table/full"
    assert host.watcher.refused(400, "POST", "join", {"name": "Cy", "token": "short"})["code"] == "request/bad"


def test_two_people_have_two_names(someone: Person) -> None:
    host = someone.lay(variant_where(one_by_one, 3), ["me", "open", "open"], name="Ana")
    host.join("Ana")
    assert [seat["name"] for seat in host.join("Ana").view()["seats"]] == ["Ana", "Ana 2", "Ana 3"]
    assert host.post("seats/0", name="Ana")["seats"][0]["name"] == "Ana"  # one's own is free


def test_names_that_look_alike_are_told_apart(someone: Person) -> None:
    host = someone.lay(variant_where(one_by_one, 3), ["me", "me", "open"], names=["Ana", "\u3164"])
    view = host.join("\u0410n\u0430").view()  # Cyrillic letters
    assert [seat["name"] for seat in view["seats"]] == ["Ana", "Player 2", "\u0410n\u0430 2"]
    assert host.post("seats/1", name="A n a")["seats"][1]["name"] == "A n a 3"
    assert "at least one letter" in host.refused(400, "POST", "seats/1", {"name": "\u2800\u115f"})["message"]
    alike = someone.lay(variant_where(one_by_one), ["me", "me"], names=["Bo", "bo"])
    assert [seat["name"] for seat in alike.view()["seats"]] == ["Bo", "bo 2"]


def test_nobody_is_called_like_a_bot(someone: Person) -> None:
    variant = variant_where(one_by_one)
    assert "a bot" in someone.refused(400, "POST", "/api/tables", {"variant": variant, "name": "greedy 2"})["message"]
    host = someone.lay(variant, ["me", "open"])
    assert "a bot" in host.refused(400, "POST", "join", {"name": "Gr\u0435edy"})["message"]
    assert "a bot" in host.refused(400, "POST", "seats/0", {"name": "uniform l"})["message"]


def test_bots_have_names_and_a_level(someone: Person) -> None:
    """Different ones at one table, never a person's, the same in every view, and after a rematch."""
    plan = ["bot:easy", "me", "bot:uniform", "open"]
    variant = variant_where(one_by_one, 4)
    host = someone.lay(variant, plan, name="Áda")  # which looks like the first bot's name
    names = [seat["name"] for seat in host.view()["seats"]]
    assert names == ["Bruno (easy)", "Áda", "Cleo (uniform)", ""]
    guest = host.join("bruno")
    assert guest.view()["seats"][3]["name"] == "bruno 2"
    assert host.post("seats/2", bot="greedy")["seats"][2]["name"] == "Cleo (greedy)"
    shown = [[seat["name"] for seat in one.view()["seats"]] for one in (host, guest, host.watcher)]
    assert shown[0] == shown[1] == shown[2]
    for name in ("Ada (medium)", "Bruno hard"):
        assert "a bot" in guest.refused(400, "POST", "seats/3", {"name": name})["message"]


def test_a_bot_is_the_hosts_to_change(someone: Person) -> None:
    host = someone.lay(variant_where(one_by_one, 3), ["me", "open", "bot:greedy"])
    guest = host.join("Bo")
    assert guest.refused(403, "POST", "seats/2", {"bot": "uniform"})["code"] == "seat/not-yours"
    assert host.post("seats/2", bot="uniform")["seats"][2]["bot"] == "uniform"
