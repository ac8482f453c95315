"""A class: children join by a code and come back, the teacher paces the rounds, and nobody learns dice before their round."""

from __future__ import annotations

import csv
import io
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from serving import PATIENCE, LocalServer, Person, all_at_once, is_secret, one_by_one, until, variant_where

from lamplighter.web import class_view, i18n
from lamplighter.web.class_store import MOST, ClassStore, Pupil, Seating
from lamplighter.web.classes import CODE, LETTERS, TRIES, TRY_AGAIN, groups_of
from lamplighter.web.errors import TooMany
from lamplighter.web.store import Entry
from lamplighter.web.tokens import new_token

Start = Callable[..., LocalServer]


@dataclass
class Teacher(Person):
    """Somebody who opened a class."""

    code: str = ""
    id: str = ""

    def do(self, what: str = "", **body: Any) -> Any:
        address = f"/api/classes/{self.id}{'/' if what else ''}{what}"
        return self.post(address, **body) if what else self.get(address)

    def child(self, name: str, pin: str = "", token: str = "") -> Person:
        """A child that joins, from a device of its own."""
        child = Person(self.url, token=token or new_token())
        child.post("/api/classes/join", code=self.code, name=name, token=child.token, pin=pin)
        return child

    def pupil(self, name: str) -> Any:
        return next(one for one in self.do()["pupils"] if one["name"] == name)


def teach(server: LocalServer, variant: str, **more: Any) -> Teacher:
    made = Person(server.url).post("/api/classes", variant=variant, **more)
    return Teacher(server.url, token=made["token"], code=made["code"], id=made["id"])


def come(child: Person, teacher: Teacher) -> Person:
    """Let a child go to its table."""
    child.table = child.get("/api/classes/me", code=teacher.code)["table"]
    until(lambda: child.view()["phase"] != "lobby" and rolls(child), "the first round begins")
    return child


def rolls(child: Person) -> list[str]:
    return [entry["text"] for entry in child.view()["log"] if entry["kind"] == "chance"]


def play_round(child: Person, rng: random.Random) -> None:
    """Play until nothing is left to do in this round."""
    while child.view()["moves"]:
        child.play(rng)


ALONE = variant_where(all_at_once, 1)
TOGETHER = variant_where(one_by_one, 2)


def test_a_class_has_the_same_dice_and_begins_rounds_together(server: LocalServer) -> None:
    teacher, rng = teach(server, ALONE), random.Random(1)
    assert len(teacher.code) == CODE and set(teacher.code) <= set(LETTERS)
    ana, bo = teacher.child("Ana"), teacher.child("Bo")
    assert ana.get("/api/classes/me", code=teacher.code)["phase"] == "lobby"
    assert teacher.do("start")["phase"] == "play"
    come(ana, teacher), come(bo, teacher)
    assert ana.table != bo.table and rolls(ana) == rolls(bo)
    play_round(ana, rng)
    view = ana.view()
    assert view["paused"] == "round" and not view["held"]
    assert [teacher.pupil(name)["done"] for name in ("Ana", "Bo")] == [True, False]
    first = rolls(ana)
    assert teacher.pupil("Bo")["waited"] and not teacher.pupil("Ana")["waited"]
    assert teacher.refused(409, "POST", f"/api/classes/{teacher.id}/next", {"round": 1})["code"] == "table/not-now"
    assert rolls(ana) == first, "who is done cannot tell the next dice to who is not"
    play_round(bo, rng)
    assert teacher.do("next", round=1)["round"] == 2
    until(lambda: len(rolls(ana)) > len(first) and rolls(bo) == rolls(ana), "the next roll comes to all at once")
    assert teacher.do("next", round=1)["round"] == 2, "a second press of the same button does nothing"


def test_a_class_goes_on_without_who_is_not_done(server: LocalServer) -> None:
    teacher, rng = teach(server, ALONE), random.Random(8)
    ana, bo = teacher.child("Ana"), teacher.child("Bo")
    teacher.do("start")
    come(ana, teacher), come(bo, teacher)
    play_round(ana, rng)
    teacher.do("next", round=1, anyway=True)
    until(lambda: len(rolls(bo)) > 1 and rolls(ana) == rolls(bo), "a bot plays the round for Bo, too")
    assert teacher.pupil("Bo")["bot"] and not teacher.pupil("Ana")["bot"]


def test_presses_do_not_run_ahead_of_all_tables(server: LocalServer) -> None:
    teacher = teach(server, ALONE, leaving="wait")
    ana, bo = teacher.child("Ana"), teacher.child("Bo")
    teacher.do("start")
    come(ana, teacher), come(bo, teacher)
    play_round(ana, random.Random(9))
    teacher.do("next", round=1, anyway=True)
    assert [teacher.pupil(name)["behind"] for name in ("Ana", "Bo")] == [0, 1]
    assert not teacher.pupil("Bo")["waited"] and not teacher.pupil("Bo")["bot"], "its table waits, as was chosen"
    until(lambda: teacher.pupil("Ana")["waited"], "the second round begins")
    assert teacher.do("next", round=2, anyway=True)["round"] == 3
    for _ in range(3):
        teacher.refused(409, "POST", f"/api/classes/{teacher.id}/next", {"round": 3, "anyway": True})
    assert server.table(ana.table).round == 3


def test_the_seed_is_told_when_the_teacher_ends_the_match(server: LocalServer) -> None:
    teacher = teach(server, ALONE, pace="free")
    quick, slow = teacher.child("Ana"), teacher.child("Bo")
    teacher.do("start")
    come(quick, teacher), come(slow, teacher)
    quick.play_on(random.Random(2))
    over = quick.view()
    assert over["phase"] == "over" and over["dice"]["seed"] is None and over["dice"]["salt"] is None
    for path in ("record", "record.jsonl", "record.pdf", "replay", "verify", "sheets/0.svg?seq=1"):
        assert quick.refused(409, "GET", path)["code"] == "table/not-now"
    assert quick.refused(409, "POST", "/api/tables", {"variant": ALONE, "same_dice_as": quick.table})
    assert quick.refused(409, "POST", "rematch", {})["code"] == "table/not-now"
    teacher.do("end")
    assert quick.view()["dice"]["seed"] is not None and quick.get("replay")["steps"]
    assert slow.view()["dice"]["seed"] is None, "not at a table that is not over"
    play_round(slow, random.Random(3))
    assert slow.view()["paused"] == "end"


def test_nobody_takes_over_a_child_by_its_name(server: LocalServer) -> None:
    teacher = teach(server, ALONE)
    ana = teacher.child("Ana")
    pin = ana.get("/api/classes/me", code=teacher.code)["pin"]
    teacher.do("start")
    come(ana, teacher)
    thief = Person(server.url, token=new_token())
    wanted = {"code": teacher.code, "name": "ÁNА", "token": thief.token}  # a Cyrillic letter, and an accent
    assert thief.refused(409, "POST", "/api/classes/join", wanted)["code"] == "class/name-taken"
    wrong = f"{(int(pin) + 1) % 10**4:04}"
    for _ in range(TRIES):
        thief.refused(409, "POST", "/api/classes/join", wanted | {"pin": wrong})
    answer = thief.ask("POST", "/api/classes/join", wanted | {"pin": pin})
    assert answer.status_code == 429 and 1 <= int(answer.headers["retry-after"]) <= TRY_AGAIN
    assert re.search(r"for Ana: try again in \d+ seconds, or ask your teacher", answer.json()["error"]["message"])
    assert thief.refused(404, "GET", f"/api/classes/me?code={teacher.code}")["code"] == "class/unknown"
    join = server.app.state.classes.join
    with pytest.raises(TooMany):
        server.run(join(teacher.code, "Ana", new_token(), pin, "127.0.0.1"))
    device = Person(server.url, token=new_token())
    server.run(join(teacher.code, "ana ", device.token, pin, "10.1.1.1"))  # from elsewhere the child comes in
    device.table = ana.table
    assert device.view()["mine"] == [0] and ana.view()["mine"] == [], "the seat is on the new device now"
    teacher.do("pupils/1", do="new-number")
    other_device = Person(server.url, token=new_token())
    server.run(join(teacher.code, "Ana", other_device.token, teacher.pupil("Ana")["pin"], "127.0.0.1"))
    server.run(join(teacher.code, "Ana", device.token, teacher.pupil("Ana")["pin"], "127.0.0.1"))
    assert server.service.cache.find(ana.table).client == teacher.id, "its bots share the part of the class"
    again = teacher.child("ANA", token=device.token)
    assert again.get("/api/classes/me", code=teacher.code)["name"] == "Ana", "the same browser needs no number"
    other = {"code": teacher.code, "name": "Ben", "token": device.token}
    refused = device.refused(409, "POST", "/api/classes/join", other)
    assert refused["code"] == "class/other-child" and "Ana" in refused["message"], "Ben does not become Ana"


def test_hidden_hands_stay_hidden(server: LocalServer) -> None:
    """From who has ended at the same seat of another table, and at the own table until all have ended."""
    teacher, rng = teach(server, variant_where(is_secret), pace="free"), random.Random(10)
    teacher.child("Ana"), teacher.child("Bo")
    cy, di = teacher.child("Cy"), teacher.child("Di")
    teacher.do("start")
    come(cy, teacher), come(di, teacher)
    first, other = (server.table(one["table"]) for one in teacher.do()["pupils"][1:3])
    assert first.id != other.id == cy.table == di.table
    dealt = [[step.text for step in one.match.log if step.kind == "chance"] for one in (first, other)]
    assert first.row.seed != other.row.seed and dealt[0] != dealt[1]
    while cy.view()["phase"] != "over":
        for child in (cy, di):
            while child.view()["moves"]:
                child.play(rng)
    hidden = [entry for entry in cy.view()["log"] if entry["kind"] == "chance" and entry["seat"] == 1]
    assert hidden and {entry["text"] for entry in hidden} == {"?"}
    line = next(iter(server.table(cy.table).score(1)))
    for person in (cy, cy.watcher):
        for path in ("replay", "record", "verify", "sheets/1.svg?seq=3", f"lines/{line}?seat=1&seq=3"):
            assert person.refused(409, "GET", path)["code"] == "table/not-now"
    veiled = cy.ask("GET", "sheets/1.svg").text
    teacher.do("end")
    assert cy.get("replay")["steps"] and cy.ask("GET", "sheets/1.svg").status_code == 200 and veiled
    assert "?" not in {entry["text"] for entry in cy.view()["log"]}


def test_only_the_teacher_teaches(server: LocalServer) -> None:
    teacher = teach(server, ALONE)
    ana = teacher.child("Ana")
    for method, path, body in [
        ("GET", "", None), ("POST", "/start", {}), ("POST", "/next", {"round": 1}), ("POST", "/end", {}),
        ("POST", "/door", {"open": False}), ("POST", "/pupils/1", {"do": "remove"}), ("GET", "/results.csv", None),
    ]:  # fmt: skip
        for person in (ana, Person(server.url)):
            person.refused(403, method, f"/api/classes/{teacher.id}{path}", body)
    assert teacher.refused(404, "GET", "/api/classes/nowhere")["code"] == "class/unknown"
    teacher.do("start")
    come(ana, teacher)
    ana.refused(403, "POST", "seats/0", {"bot": "greedy"})
    ana.refused(409, "POST", "seats/0", {"name": "The best"})
    ana.refused(409, "POST", "hint", {"seat": 0})


def test_the_door_and_the_number_of_children(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lamplighter.web.class_store.MOST", 2)
    teacher = teach(server, ALONE)
    teacher.do("door", open=False)
    stranger = Person(server.url, token=new_token())
    wanted = {"code": teacher.code, "name": "Ana", "token": stranger.token}
    assert stranger.refused(409, "POST", "/api/classes/join", wanted)["code"] == "table/not-now"
    teacher.do("door", open=True)
    teacher.child("Ana"), teacher.child("Bo")
    assert stranger.refused(409, "POST", "/api/classes/join", wanted | {"name": "Cy"})["code"] == "table/full"
    assert stranger.refused(400, "POST", "/api/classes/join", wanted | {"name": "Greedy"})
    for name in ("\u200b", "!!!", "Ꮓoe"):  # nothing to be seen, no letter, another alphabet among Latin letters
        assert stranger.refused(400, "POST", "/api/classes/join", wanted | {"name": name})
    for pin in ("１２３４", "é", "12 4"):
        assert stranger.refused(400, "POST", "/api/classes/join", wanted | {"name": "Bo", "pin": pin})


@pytest.mark.parametrize(("name", "alike"), [("HANNA", "\u0397ANNA"), ("Ana", "АNА"), ("Bill", "B1ll")])
def test_names_that_look_alike_are_one_name(server: LocalServer, name: str, alike: str) -> None:
    teacher = teach(server, ALONE)
    teacher.child(name)
    wanted = {"code": teacher.code, "name": alike, "token": new_token()}
    assert teacher.refused(409, "POST", "/api/classes/join", wanted)["code"] == "class/name-taken"


def test_codes_cannot_be_guessed_in_bulk(start: Start) -> None:
    server = start()
    guesser = Person(server.url, token=new_token())
    wanted = {"code": "XXXXXX", "name": "Ana", "token": guesser.token}
    answers = [guesser.ask("POST", "/api/classes/join", wanted).status_code for _ in range(125)]
    assert answers[0] == 404 and answers[-1] == 429


def test_who_asks_for_themselves_does_not_guess_codes(start: Start) -> None:
    server = start()
    teacher = teach(server, ALONE)
    ana, guesser = teacher.child("Ana"), Person(server.url, token=new_token())
    codes = ["XXXXXX", teacher.code] * 63
    answers = [guesser.ask("GET", f"/api/classes/me?code={code}").status_code for code in codes]
    assert answers[:2] == [404, 404] and answers[-2:] == [429, 429]
    assert ana.get("/api/classes/me", code=teacher.code)["name"] == "Ana", "who is in the class is not refused"


def test_groups_are_filled_with_bots(server: LocalServer) -> None:
    teacher = teach(server, TOGETHER, pace="free")
    children = [teacher.child(name) for name in ("Ana", "Bo", "Cy")]
    teacher.do("start")
    for child in children:
        come(child, teacher)
    assert children[0].table == children[1].table != children[2].table
    assert [seat["kind"] for seat in children[2].view()["seats"]] == ["person", "bot"]
    assert children[0].view()["dice"]["hash"] != children[2].view()["dice"]["hash"]
    assert rolls(children[0])[:2] == rolls(children[2])[:2]
    late = come(teacher.child("Di"), teacher)
    assert late.view()["mine"] == [0] and teacher.pupil("Di")["group"] == 3
    assert [len(group) for group in groups_of(range(40), 3)] == [3] * 12 + [2] * 2 and groups_of([], 3) == []


def test_a_bot_plays_on_for_a_child_who_leaves(start: Start) -> None:
    server = start(away=0, hold=0)
    teacher, rng = teach(server, ALONE), random.Random(4)
    ana, bo = teacher.child("Ana"), teacher.child("Bo")
    teacher.do("start")
    come(ana, teacher), come(bo, teacher)
    with_stream = bo.listen()
    play_round(bo, rng)
    until(lambda: teacher.pupil("Ana")["bot"] and teacher.pupil("Ana")["done"], "a bot plays the round of who is gone")
    assert not teacher.pupil("Bo")["bot"]
    with_stream.close()
    back = ana.listen()
    ana.post("seats/0", person=True)
    assert not teacher.pupil("Ana")["bot"]
    teacher.do("pupils/1", do="bot")
    assert teacher.pupil("Ana")["bot"]
    teacher.do("pupils/1", do="person")
    assert not teacher.pupil("Ana")["bot"]
    back.close()


def test_a_class_may_wait_for_a_child_who_leaves(start: Start) -> None:
    server = start(away=0, hold=0)
    teacher = teach(server, ALONE, leaving="wait")
    ana = teacher.child("Ana")
    teacher.do("start")
    come(ana, teacher)
    until(lambda: teacher.pupil("Ana")["gone"], "it is seen that she left")
    teacher.do("next", round=1)
    assert not teacher.pupil("Ana")["bot"] and not teacher.pupil("Ana")["done"]


def test_a_child_can_be_taken_out(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    teacher = teach(server, ALONE, pace="free")
    ana = teacher.child("Rude word")
    teacher.do("start")
    old = come(ana, teacher).play_on(random.Random(11))["id"]
    teacher.do("end")
    teacher.do("start")
    come(ana, teacher)
    stream = ana.listen()
    monkeypatch.setattr("lamplighter.web.session.LOG_LIMIT", 0)  # which a full log does not stop
    assert teacher.do("pupils/1", do="remove")["pupils"] == []
    seat = ana.view()["seats"][0]
    assert ana.view()["mine"] == [] and seat["kind"] == "bot" and seat["name"] == "Player 1"
    assert stream.ended.wait(PATIENCE), "nothing else comes on the old device"
    stream.close()
    ana.refused(404, "GET", f"/api/classes/me?code={teacher.code}")
    for table in (old, ana.table):
        watcher = Person(server.url, table)
        assert watcher.view()["seats"][0]["name"] == "Player 1"
        assert "Rude" not in str(server.service.store.entries(table)) + watcher.ask("GET", "").text


def test_an_old_device_is_out_at_once(start: Start) -> None:
    """Also in another process than the one that let the new device in."""
    one, two = start(workers=2, away=300), start(workers=2, away=300)
    teacher = teach(one, ALONE)
    ana = teacher.child("Ana")
    teacher.do("start")
    come(ana, teacher)
    ana.url = two.url
    assert ana.view()["mine"] == [0]
    stream = ana.listen()
    device = teacher.child("Ana", teacher.pupil("Ana")["pin"])
    device.table = ana.table
    assert ana.view()["mine"] == [] and device.view()["mine"] == [0]
    assert stream.ended.wait(PATIENCE)
    stream.close()
    device.play(random.Random(12))


def test_tables_of_late_children_are_counted(start: Start) -> None:
    server = start(tables_per_hour=3)
    teacher = teach(server, ALONE)  # which counts as one table, and so does the start
    teacher.child("Ana")
    teacher.do("start")
    late = [come(teacher.child(f"Late {letter}"), teacher) for letter in "abcd"]
    assert all(server.table(child.table).row.maker for child in late)
    wanted = {"code": teacher.code, "name": "Late e", "token": new_token()}
    assert late[0].refused(429, "POST", "/api/classes/join", wanted)["code"] == "table/too-many"


def test_a_timer_begins_rounds_and_stops_when_nobody_is_there(start: Start) -> None:
    server = start(away=0, hold=0)
    teacher = teach(server, ALONE, pace="timer", minutes=60, leaving="wait")
    ana = teacher.child("Ana")
    assert teacher.do("start")["due"] > 0
    come(ana, teacher)
    stream = ana.listen()
    run_out(server, teacher)
    until(lambda: teacher.do()["due"] > 1, "the timer gives a little more")
    assert teacher.do()["round"] == 1, "since Ana is not done"
    play_round(ana, random.Random(13))
    run_out(server, teacher)
    until(lambda: teacher.do()["round"] == 2, "the timer begins a round")
    assert teacher.do()["due"] is not None
    stream.close()
    until(lambda: not ana.watcher.view()["seats"][0]["here"], "it is seen that she left")
    run_out(server, teacher)
    until(lambda: teacher.do()["due"] is None, "the timer stops")
    assert teacher.do()["round"] == 2


def test_a_table_that_takes_nothing_stops_no_other_class(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lamplighter.web.driver.LONGEST", 100)
    server = start(hold=0)
    classes = [teach(server, ALONE, pace="timer", minutes=60) for _ in range(2)]
    children = [teacher.child("Ana") for teacher in classes]
    for teacher, child in zip(classes, children, strict=True):
        teacher.do("start")
        play_round(come(child, teacher), random.Random(14))
    full = server.table(children[0].table)
    log = [Entry(full.seq + number, "nudge", 0, "", 1.0) for number in range(1, 101)]
    server.service.store.append(full.id, log).result()
    server.forget(full.id)
    for teacher in classes:
        run_out(server, teacher)
    for teacher in classes:
        until(lambda teacher=teacher: teacher.do()["round"] == 2, "the timers go on")
    until(lambda: len(rolls(children[1])) > 1, "the others play on")
    assert classes[0].do("end")["phase"] == "ended"


def run_out(server: LocalServer, teacher: Teacher) -> None:
    """Let a timer run out now."""
    store = ClassStore(server.service.store)
    row = store.by_id(teacher.id)
    assert row is not None
    store.change(row, due=1.0).result()


def test_matches_are_ranked_and_downloaded(server: LocalServer) -> None:
    teacher, rng = teach(server, ALONE, pace="free"), random.Random(5)
    ana, bo = teacher.child("=Ana"), teacher.child("Bo")
    teacher.do("start")
    come(ana, teacher).play_on(rng)
    come(bo, teacher).play(rng)
    teacher.do("end")
    first = {one["name"]: one["total"] for one in teacher.do()["pupils"]}
    assert first["=Ana"] == ana.view()["seats"][0]["total"]
    old = ana.table
    teacher.do("start")
    assert come(ana, teacher).table != old
    assert Person(server.url, old).view()["rematch"] == ana.table, "who still looks at the old table is called over"
    ana.play_on(rng)
    teacher.do("end")
    last = {one["name"]: (one["total"], one["last"]) for one in teacher.do()["pupils"]}
    assert last["=Ana"][1] == first["=Ana"]
    answer = teacher.ask("GET", f"/api/classes/{teacher.id}/results.csv", headers={"accept-language": "de"})
    assert (
        answer.headers["content-type"].startswith("text/csv") and "attachment" in answer.headers["content-disposition"]
    )
    _, *rows = csv.reader(io.StringIO(answer.text.removeprefix("\ufeff")))
    assert len(rows) == 4 and {row[2] for row in rows} == {"'=Ana", "Bo"}, "a name is no formula"
    mine = next(row for row in rows if row[0] == "2" and row[2] == "'=Ana")
    assert int(mine[3]) == last["=Ana"][0] and int(mine[4]) == last["=Ana"][0] - first["=Ana"]
    assert [row[5] for row in rows].count(head_word("yes")) == 2, "Bo finished neither match"


def head_word(word: str) -> str:
    return i18n.translations("de").gettext(word)


@pytest.mark.parametrize("name", ["=1+1", "Ana;=1+1", "Ana,+1", "Ana; @A1", "-1"])
def test_no_name_is_a_formula(name: str) -> None:
    """Whatever separates the columns for a spreadsheet."""
    cells = re.split(r"[;,\t]", class_view.plain(name))
    assert not any(cell.strip().startswith(("=", "+", "-", "@")) for cell in cells)
    assert class_view.plain("Mia-Lou") == "Mia-Lou"


def test_places_and_improvement() -> None:
    pupils = [Pupil(number, name, "", "") for number, name in enumerate(("Ana", "Bo", "Cy"), 1)]
    totals = {1: (10, 30, None), 2: (20, 20, 5)}
    seats = [
        Seating(match, number, "t", 0, total, True, False)
        for match, row in totals.items()
        for number, total in enumerate(row, 1)
    ]
    found = class_view.results(pupils, seats)
    assert [(one["match"], one["place"], one["name"], one["improvement"]) for one in found] == [
        (1, 1, "Bo", None), (1, 2, "Ana", None), (2, 1, "Ana", 10), (2, 1, "Bo", -10), (2, 3, "Cy", None),
    ]  # fmt: skip


@pytest.mark.parametrize("language", i18n.languages())
def test_the_head_of_the_results_is_translated(language: str) -> None:
    head = class_view.as_csv([], language).removeprefix("\ufeff").strip().split(",")
    assert len(head) == 7 and (
        language == "en" or head != class_view.as_csv([], "en").removeprefix("\ufeff").strip().split(",")
    )


def test_old_classes_are_deleted_with_their_children(start: Start) -> None:
    server = start()
    teacher = teach(server, ALONE)
    teacher.child("Ana")
    young = teach(server, ALONE)
    store = ClassStore(server.service.store)
    row = store.by_id(teacher.id)
    assert row is not None and MOST == 40
    assert store.throw_away(row.touched - 1, row.touched - 1).result() == 0
    younger = store.by_id(young.id)
    assert younger is not None
    assert store.throw_away(0.0, younger.created).result() == 1
    assert store.by_id(teacher.id) is None and store.everybody(teacher.id) == ([], [])
    assert store.by_id(young.id) is not None
