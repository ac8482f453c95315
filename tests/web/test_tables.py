"""What tables can do beside moves: hold a roll, change hands, take typed dice, call, race, and all that comes after."""

from __future__ import annotations

import asyncio
import io
import json
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pypdf
import pytest
import sqlalchemy as sa
from serving import LocalServer, Person, all_at_once, good, is_secret, new_key, one_by_one, until, variant_where

from lamplighter import games
from lamplighter.cli import main
from lamplighter.engine.chance import seed_hash
from lamplighter.engine.game import Game
from lamplighter.web import schema

Start = Callable[..., LocalServer]


def verify_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit code of `lamplighter verify`."""
    monkeypatch.setattr("sys.argv", ["lamplighter", "verify", str(path)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def until_all_but_one_move(person: Person) -> dict[str, Any]:
    """Play on until one more move lets the dice roll; the view before that move."""
    while True:
        view = person.view()
        body = {"seat": view["you"], "move": view["moves"][0], "version": view["version"], "done": False}
        after = person.post("moves", **body, key=new_key())
        if after["holding"]:
            version = after["version"]
            return person.post("undo", seat=after["you"], version=version, key=new_key())


@pytest.fixture
def finished(someone: Person) -> Person:
    """Somebody whose match is over."""
    me = someone.lay(variant_where(one_by_one), ["me", "bot:uniform"], name="Ana")
    me.play_on(random.Random(3))
    return me


# --- holding the roll -----------------------------------------------------------------------------------------


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
    assert us.post("moves", **body, key=new_key())["holding"]
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


# --- seats that change hands ----------------------------------------------------------------------------------


def test_a_bot_takes_over_who_has_left_and_hands_back(start: Start) -> None:
    one = Person(start(away=0.3).url).lay(variant_where(all_at_once), ["me", "open"], name="Ana")
    two = one.join("Bo")
    here = two.listen()
    assert one.refused(403, "POST", "seats/1", {"bot": "greedy"})["code"] == "seat/not-yours"
    here.close()
    view = until(lambda: (got := one.ask("POST", "seats/1", {"bot": "greedy"})).status_code == 200 and got.json())
    assert view["seats"][1]["kind"] == "bot" and view["seats"][1]["name"] == "Bo" and view["seats"][1]["owner"]
    until(lambda: [entry for entry in one.view()["log"] if entry["kind"] == "move"], "the bot moves")
    assert one.refused(403, "POST", "seats/1", {"person": True})["code"] == "seat/not-yours"
    body = {"seat": 1, "move": "x", "version": two.view()["version"], "key": new_key()}
    assert "take the seat back first" in two.refused(409, "POST", "moves", body)["message"]
    back = two.post("seats/1", person=True)
    assert back["seats"][1]["kind"] == "person" and back["seats"][1]["bot"] is None
    assert "not played by a bot" in two.refused(409, "POST", "seats/1", {"person": True})["message"]


def test_somebody_who_is_here_keeps_the_seat(start: Start) -> None:
    one = Person(start(away=0.2).url).lay(variant_where(all_at_once), ["me", "open"])
    two = one.join("Bo")
    here = two.listen()
    asyncio.run(asyncio.sleep(0.5))  # longer than `away`: an open stream is a sign of life
    assert one.view()["seats"][1]["here"]
    one.refused(403, "POST", "seats/1", {"bot": "greedy"})
    here.close()


def test_ones_own_seat_may_be_given_away(someone: Person) -> None:
    me = someone.lay(variant_where(all_at_once), ["me", "bot:uniform"])
    assert me.post("seats/0", bot="uniform")["seats"][0]["kind"] == "bot"
    assert until(lambda: (view := me.view())["phase"] == "over" and view, "the bots play to the end")


# --- dice from elsewhere --------------------------------------------------------------------------------------


def test_typed_dice(someone: Person) -> None:
    us = someone.lay(variant_where(all_at_once), ["me", "me"], rolls="typed")
    view = us.view()
    assert view["dice"] == {"rolls": "typed", "hash": None, "seed": None}
    assert us.watcher.view()["due"] is None and us.watcher.refused(403, "POST", "roll", {"text": view["due"][0]})
    assert us.refused(400, "POST", "roll", {"text": "nonsense"})["code"] == "chance/bad"
    typed = []
    choice = random.Random(1)
    while (view := us.view())["phase"] != "over":
        if view["due"]:
            typed.append(choice.choice(view["due"]))
            us.post("roll", text=typed[-1])
        else:
            assert us.ask("POST", "roll", {"text": typed[-1]}).status_code == 400
            us.play(choice)
    steps = us.get("replay")["steps"]
    assert [step["text"] for step in steps if step["kind"] == "chance"] == typed
    assert us.get("verify")["ok"]


def test_a_table_rolls_its_own_dice_unless_asked(someone: Person) -> None:
    us = someone.lay(variant_where(all_at_once), ["me", "me"])
    assert us.refused(400, "POST", "roll", {"text": "x"})["code"] == "chance/bad"
    assert us.refused(409, "POST", "call")["code"] == "table/not-now"
    assert us.refused(409, "POST", "enter", {})["code"] == "table/not-now"


def test_a_die_that_was_typed_wrongly(server: LocalServer, someone: Person) -> None:
    us = someone.lay(variant_where(all_at_once), ["me", "bot:uniform"], rolls="typed")
    assert us.refused(409, "POST", "unroll", {})["code"] == "table/not-now"  # nothing was typed
    before = us.view()
    while (view := us.view())["due"]:
        us.post("roll", text=view["due"][0])
    until(lambda: us.view()["waiting"] == [0], "the bot has acted on it")
    back = us.post("unroll")
    assert back["due"] and back["waiting"] == [] and back["version"] > view["version"]
    while us.view()["can_unroll"]:
        us.post("unroll")
    back = us.view()
    assert back["due"] == before["due"] and back["seats"][1]["lines"] == before["seats"][1]["lines"]
    server.forget(us.table)
    assert us.view() == back  # the log says the same
    while (view := us.view())["due"]:
        us.post("roll", text=(last := view["due"][-1]))
    assert [entry["text"] for entry in view["log"] if entry["kind"] == "chance"][-1] == last
    us.play()
    assert us.refused(409, "POST", "unroll", {})["code"] == "table/not-now"  # somebody has acted on it
    assert us.watcher.refused(403, "POST", "unroll", {})["code"] == "seat/not-yours"


def call_to_the_end(caller: Person) -> list[str]:
    """Call until nothing is left; everything that was called."""
    while (view := caller.view())["phase"] != "over":
        caller.ask("POST", "call", {})
    return [text for turn in view["called"] for text in turn["texts"]]


def test_the_caller_calls_and_sheets_are_entered(someone: Person) -> None:
    caller = someone.lay(variant_where(all_at_once), kind="caller")
    assert caller.seats == []
    caller.post("call")
    first = until(lambda: (view := caller.view())["called"] and view)
    assert {entry["kind"] for entry in first["log"]} == {"chance"}
    called = call_to_the_end(caller)
    assert caller.refused(409, "POST", "call", {})["message"] == "the last roll was called"
    assert caller.watcher.refused(403, "POST", "enter", {})["code"] == "seat/not-yours"
    entry = caller.post("enter", names=["Ana", "Bo"])
    us = Person(someone.url, entry["id"], entry["token"], entry["seats"])
    assert us.seats == [0, 1]
    us.play_on()
    steps = us.get("replay")["steps"]
    fell = [step["text"] for step in steps if step["kind"] == "chance"]
    assert fell == called[: len(fell)] and len(fell) > 5
    assert us.get("verify")["ok"]


def test_sheets_that_are_entered_early_know_only_what_was_called(someone: Person) -> None:
    caller = someone.lay(variant_where(all_at_once), kind="caller")
    caller.post("call")
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


# --- after the end --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["replay", "record", "record.jsonl", "record.pdf", "verify", "sheets/0.svg?seq=1"])
def test_what_comes_after_the_end_comes_after_the_end(someone: Person, path: str) -> None:
    me = someone.lay(variant_where(one_by_one), ["me", "me"])
    assert me.refused(409, "GET", path)["code"] == "table/not-now"
    assert me.refused(409, "POST", "rematch", {})["code"] == "table/not-now"


def test_what_is_over_is_over(someone: Person) -> None:
    """Everybody has seen the seed by then: no move may be taken back, also where the rules alone would let it."""
    for name in games.own_names():
        me = someone.lay(f"{name}?seats={games.load(name).seats[0]}")
        view = me.play_on(random.Random(1))
        assert view["phase"] == "over" and not view["can_undo"]
        undo = {"seat": 0, "version": view["version"], "key": new_key()}
        assert me.refused(409, "POST", "undo", undo)["code"] == "table/not-now"
        assert me.view()["seats"] == view["seats"]


def test_replay_and_pictures_of_every_moment(finished: Person) -> None:
    replay, view = finished.watcher.get("replay"), finished.view()
    totals = [seat["total"] for seat in view["seats"]]
    assert replay["steps"][-1]["totals"] == totals == replay["curve"][-1]["totals"]
    lines = [[line["points"] for line in seat["lines"]] for seat in view["seats"]]
    assert replay["steps"][-1]["lines"] == lines
    assert all([sum(points) for points in step["lines"]] == step["totals"] for step in replay["steps"])
    first, last = (finished.ask("GET", f"sheets/0.svg?seq={seq}").text for seq in (0, len(replay["steps"])))
    assert first != last == finished.ask("GET", "sheets/0.svg").text


def test_the_record_stands(finished: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view = finished.view()
    assert seed_hash(view["dice"]["seed"]) == view["dice"]["hash"]
    for name in ("record", "record.jsonl"):
        answer = finished.watcher.ask("GET", name)
        assert "attachment" in answer.headers["content-disposition"]
        path = tmp_path / f"match{Path(name).suffix or '.txt'}"
        path.write_text(answer.text, encoding="utf-8")
        assert verify_file(path, monkeypatch) == 0
        changed = tmp_path / f"changed{path.suffix}"
        changed.write_text(answer.text.replace(view["dice"]["seed"], "another"), encoding="utf-8")
        assert verify_file(changed, monkeypatch) == 2


def test_another_seed_with_the_same_dice_is_refused(
    someone: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game without chance has the same match for every seed: only the promise tells."""
    me = someone.lay("connect_four", ["me", "me"])
    seed = me.play_on()["dice"]["seed"]
    text = me.ask("GET", "record").text
    match = text.replace(seed, "another")
    path = tmp_path / "match.txt"
    path.write_text("\n".join(line for line in match.splitlines() if not line.startswith("[Digest")), encoding="utf-8")
    assert verify_file(path, monkeypatch) == 2


def test_the_record_as_a_document(someone: Person) -> None:
    me = someone.lay(variant_where(one_by_one), ["me", "bot:uniform"], name='#let "x" <b>')
    me.play_on()
    document = me.ask("GET", "record.pdf").content
    assert '#let "x" <b>' in pypdf.PdfReader(io.BytesIO(document)).pages[0].extract_text()


def test_verify_finds_what_was_tampered_with(server: LocalServer, finished: Person) -> None:
    good_answer = finished.watcher.get("verify")
    assert good_answer["ok"] and {check["name"] for check in good_answer["checks"]} == {"hash", "replay", "result"}
    rows = server.app.state.store.rows(finished.table)
    chance = next(row for row in rows if row.kind == "chance" and row.text != rows[-1].text)
    others = [row.text for row in rows if row.kind == "chance" and row.text != chance.text]
    last = [row for row in rows if row.kind == "move"][-1]
    tampered = [(schema.entries, schema.entries.c.seq == chance.seq, {"text": others[-1]})]
    tampered += [(schema.entries, schema.entries.c.seq == last.seq, {"kind": "nudge"})]
    tampered += [(schema.tables, sa.true(), {"promise": seed_hash("another")})]
    tampered += [(schema.results, schema.results.c.seat == 0, {"total": 10_000})]
    for table, where, values in tampered:
        key = table.c.id if table is schema.tables else table.c.table_id
        with server.app.state.store.engine.begin() as connection:
            before = connection.execute(sa.select(table).where(key == finished.table, where)).mappings().one()
            connection.execute(sa.update(table).where(key == finished.table, where).values(values))
        answer = finished.watcher.ask("GET", "verify")
        assert answer.status_code == 409 or answer.json()["ok"] is False, values
        with server.app.state.store.engine.begin() as connection:
            undo = {name: before[name] for name in values}
            connection.execute(sa.update(table).where(key == finished.table, where).values(undo))
    assert finished.watcher.get("verify")["ok"]


def test_a_damaged_table_does_not_tell_its_seed(server: LocalServer, someone: Person) -> None:
    me = someone.lay(variant_where(one_by_one), ["me", "me"])
    row = server.app.state.store.table(me.table)
    entries = schema.entries
    query = sa.update(entries).where(entries.c.table_id == me.table, entries.c.kind == "chance")
    with server.app.state.store.engine.begin() as connection:
        connection.execute(query.values(text="nonsense"))
    server.forget(me.table)
    answer = me.ask("GET", "")
    assert answer.status_code == 500 and answer.json()["error"]["code"] == "table/damaged"
    assert row.seed not in answer.text + me.ask("GET", "verify").text


def test_a_rematch_keeps_seats_and_tokens(someone: Person) -> None:
    one = someone.lay(variant_where(one_by_one), ["me", "open"], name="Ana")
    two = one.join("Bo")
    while one.view()["phase"] != "over":
        for person in (one, two):
            if person.view()["moves"]:
                person.play()
    heard = two.listen()
    new = one.post("rematch")["id"]
    assert two.post("rematch")["id"] == new  # asked twice, one table
    heard.wait(lambda entries: entries and (entries[-1]["kind"], entries[-1]["text"]) == ("rematch", new))
    heard.close()
    assert two.view()["rematch"] == new
    for person, seats in ((one, [0]), (two, [1])):
        assert Person(someone.url, new, person.token).view()["mine"] == seats
    again = Person(someone.url, new, one.token)
    assert [seat["name"] for seat in again.view()["seats"]] == ["Ana", "Bo"]
    assert until(lambda: again.view()["turn"], "the dice roll")
    assert again.view()["dice"]["hash"] != one.view()["dice"]["hash"]


def test_the_same_dice_against_a_ghost(finished: Person, someone: Person) -> None:
    variant = finished.view()["variant"]
    me = someone.lay(variant, ["me", "bot:uniform"], same_dice_as=finished.table, ghost_seat=0)
    assert me.view()["dice"]["hash"] == finished.view()["dice"]["hash"]
    assert me.view()["dice"]["seed"] is None
    curve = {point["turn"]: point["totals"][0] for point in finished.get("replay")["curve"]}
    while (view := me.view())["phase"] != "over":
        ghost = view["ghost"]
        assert ghost["name"] == "Ana" and ghost["total"] == finished.view()["seats"][0]["total"]
        assert ghost["now"] == ([0] + [total for turn, total in curve.items() if turn < view["turn"]])[-1]
        steps = finished.get("replay")["steps"][: ghost["seq"]]
        assert not steps or steps[-1]["totals"][ghost["seat"]] == ghost["now"]
        assert me.watcher.ask("GET", f"/api/tables/{ghost['table']}/sheets/0.svg?seq={ghost['seq']}").status_code == 200
        if view["moves"]:
            me.play()
    rolls = [step["text"] for step in me.get("replay")["steps"] if step["kind"] == "chance"]
    theirs = [step["text"] for step in finished.get("replay")["steps"] if step["kind"] == "chance"]
    assert all(one == other for one, other in zip(rolls, theirs, strict=False))


def test_dice_are_not_played_again_before_they_are_told(someone: Person) -> None:
    me = someone.lay(variant_where(one_by_one), ["me", "me"])
    body = {"variant": me.view()["variant"], "same_dice_as": me.table}
    assert someone.refused(409, "POST", "/api/tables", body)["code"] == "table/not-now"
    other = {"variant": variant_where(all_at_once), "same_dice_as": me.table}
    assert someone.refused(409, "POST", "/api/tables", other)["code"] == "table/not-now"


# --- the daily match ------------------------------------------------------------------------------------------


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
    assert ana.view()["dice"]["hash"] == bo.view()["dice"]["hash"]
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


def test_json_lines_are_json(finished: Person) -> None:
    rows = [json.loads(line) for line in finished.ask("GET", "record.jsonl").text.splitlines()]
    assert rows[0]["tags"]["SeedHash"] == finished.view()["dice"]["hash"]


# --- the same dice --------------------------------------------------------------------------------------------


def outcomes(me: Person) -> list[str]:
    return [step["text"] for step in me.get("replay")["steps"] if step["kind"] == "chance"]


@pytest.mark.parametrize("name", games.own_names())
def test_the_same_dice_come_again_where_the_game_says_so(someone: Person, name: str) -> None:
    game = games.load(name)
    variant = f"{name}?seats={game.seats[0]}"
    first = someone.lay(variant, ["me"] * game.seats[0])
    first.play_on(random.Random(1))
    again = someone.lay(variant, ["me"] * game.seats[0], same_dice_as=first.table)
    assert again.view()["again"] and not first.view()["again"]
    again.play_on(random.Random(2))
    fell = [outcomes(first), outcomes(again)]
    shorter = min(map(len, fell))
    assert (fell[0][:shorter] == fell[1][:shorter]) != game.draws_follow_play
    assert again.view()["follows_play"] == game.draws_follow_play


def test_who_races_a_ghost_sits_where_it_sat(someone: Person) -> None:
    """What is dealt to one seat is not what is dealt to another."""
    first = someone.lay(variant_where(is_secret), ["me", "me"])
    first.play_on(random.Random(1))
    racer = someone.lay(first.view()["variant"], same_dice_as=first.table, ghost_seat=1)
    assert racer.seats == [1] and racer.view()["seats"][0]["kind"] == "bot"
    dealt = [[e["text"] for e in one.view(1)["log"] if e["kind"] == "chance" and e["seat"] == 1] for one in (racer,)]
    steps = [step["text"] for step in first.get("replay")["steps"] if step["kind"] == "chance" and step["seat"] == 1]
    assert dealt[0] and dealt[0] == steps[: len(dealt[0])]


def test_what_depends_on_play_is_not_called(someone: Person) -> None:
    names = [name for name in games.own_names() if games.load(name).draws_follow_play]
    assert names
    for name in names:
        assert (
            someone.refused(409, "POST", "/api/tables", {"variant": name, "kind": "caller"})["code"] == "table/not-now"
        )


# --- again ----------------------------------------------------------------------------------------------------


def test_a_rematch_brings_the_seat_along(someone: Person) -> None:
    ana = someone.lay(variant_where(one_by_one), ["me", "open"], name="Ana")
    bo = ana.join("Bo")
    while (view := ana.view())["phase"] != "over":
        (ana, bo)[view["waiting"][0]].play()
    answer = bo.ask("POST", "rematch", {})
    laid = good(answer)
    assert "seat=" in answer.headers["set-cookie"] and f"/api/tables/{laid['id']}" in answer.headers["set-cookie"]
    assert laid["seats"] == [1] and laid["url"] == f"/t/{laid['id']}#seat={bo.token}"
    assert good(ana.ask("POST", "rematch", {}))["id"] == laid["id"]  # all meet at the same table
    there = Person(someone.url, laid["id"], bo.token, [1]).view()
    assert [seat["name"] for seat in there["seats"]] == ["Ana", "Bo"] and there["mine"] == [1]


def test_a_rematch_after_a_bot_stood_in(someone: Person) -> None:
    me = someone.lay(variant_where(one_by_one), ["me", "bot:uniform"], name="Ana")
    me.post("seats/0", bot="uniform")
    until(lambda: me.view()["phase"] == "over", "the bots have played to the end")
    laid = me.post("rematch")
    there = Person(someone.url, laid["id"], me.token, [0])
    seat = there.view()["seats"][0]
    assert (seat["name"], seat["kind"], seat["owner"]) == ("Ana", "bot", True)
    assert there.post("seats/0", person=True)["seats"][0]["kind"] == "person"


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


def test_a_bot_is_the_hosts_to_change(someone: Person) -> None:
    host = someone.lay(variant_where(one_by_one, 3), ["me", "open", "bot:greedy"])
    guest = host.join("Bo")
    assert guest.refused(403, "POST", "seats/2", {"bot": "uniform"})["code"] == "seat/not-yours"
    assert host.post("seats/2", bot="uniform")["seats"][2]["bot"] == "uniform"
