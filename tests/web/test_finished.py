"""What comes after the end: replay, record, check, rematch, the same dice again, and races."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import pypdf
import pytest
import sqlalchemy as sa
from serving import (
    LocalServer,
    Person,
    all_at_once,
    good,
    is_secret,
    new_key,
    one_by_one,
    until,
    variant_where,
)

from lamplighter import games
from lamplighter.cli import main
from lamplighter.engine.chance import promise, seed_hash
from lamplighter.web import db_schema


def verify_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit code of `lamplighter verify`."""
    monkeypatch.setattr("sys.argv", ["lamplighter", "verify", str(path)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


@pytest.fixture
def finished(someone: Person) -> Person:
    """Somebody whose match is over."""
    me = someone.lay(variant_where(one_by_one), ["me", "bot:uniform"], name="Ana")
    me.play_on(random.Random(3))
    return me


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
    assert promise(view["dice"]["seed"], view["dice"]["salt"]) == view["dice"]["hash"]
    for name in ("record", "record.jsonl"):
        answer = finished.watcher.ask("GET", name)
        assert "attachment" in answer.headers["content-disposition"]
        path = tmp_path / f"match{Path(name).suffix or '.txt'}"
        path.write_text(answer.text, encoding="utf-8")
        assert verify_file(path, monkeypatch) == 0
        changed = tmp_path / f"changed{path.suffix}"
        for secret in ("seed", "salt", "hash"):
            changed.write_text(answer.text.replace(view["dice"][secret], "another"), encoding="utf-8")
            assert verify_file(changed, monkeypatch) == 2, secret


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
    rows = server.app.state.store.entries(finished.table)
    chance = next(row for row in rows if row.kind == "chance" and row.text != rows[-1].text)
    others = [row.text for row in rows if row.kind == "chance" and row.text != chance.text]
    last = [row for row in rows if row.kind == "move"][-1]
    tampered = [(db_schema.entries, db_schema.entries.c.seq == chance.seq, {"text": others[-1]})]
    tampered += [(db_schema.entries, db_schema.entries.c.seq == last.seq, {"kind": "nudge"})]
    tampered += [(db_schema.tables, sa.true(), {"promise": seed_hash("another")})]
    tampered += [(db_schema.tables, sa.true(), {"salt": "0" * 32})]
    tampered += [(db_schema.results, db_schema.results.c.seat == 0, {"total": 10_000})]
    for table, where, values in tampered:
        key = table.c.id if table is db_schema.tables else table.c.table_id
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
    entries = db_schema.entries
    query = sa.update(entries).where(entries.c.table_id == me.table, entries.c.kind == "chance")
    with server.app.state.store.engine.begin() as connection:
        connection.execute(query.values(text="nonsense"))
    server.forget(me.table)
    answer = me.ask("GET", "")
    assert answer.status_code == 500 and answer.json()["error"]["code"] == "table/damaged"
    assert row.seed not in answer.text + me.ask("GET", "verify").text


def test_a_log_does_not_grow_without_end(someone: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody who opens a table reads its log, so nobody can lengthen it by moving back and forth. The match goes on."""
    me = someone.lay(variant_where(all_at_once), ["me", "bot:uniform"], name="Ana")
    after = me.play(done=False)
    monkeypatch.setattr("lamplighter.web.session.LOG_LIMIT", after["seq"], raising=False)
    undo = {"seat": 0, "version": after["version"], "key": new_key()}
    assert "entries" in me.refused(409, "POST", "undo", undo)["message"]
    me.refused(409, "POST", "seats/0", {"name": "Bo"})
    me.refused(409, "POST", "seats/1", {"bot": "greedy"})
    assert me.view()["seq"] == after["seq"]
    assert me.post("seats/0", bot="uniform")["seats"][0]["bot"] == "uniform"
    me.refused(409, "POST", "seats/0", {"bot": "greedy"})
    me.refused(409, "POST", "seats/0", {"person": True})
    until(lambda: me.view()["phase"] == "over", "the bots have played to the end")


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
    assert me.view()["dice"]["hash"] != finished.view()["dice"]["hash"]  # each table has a salt of its own
    assert me.view()["dice"]["seed"] is None and me.view()["dice"]["salt"] is None
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


def test_json_lines_are_json(finished: Person) -> None:
    rows = [json.loads(line) for line in finished.ask("GET", "record.jsonl").text.splitlines()]
    told = finished.view()["dice"]
    assert [rows[0]["tags"][name] for name in ("Promise", "Salt", "Seed")] == [told["hash"], told["salt"], told["seed"]]


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


def test_a_rematch_is_with_the_same_bots(someone: Person) -> None:
    me = someone.lay(variant_where(one_by_one), ["bot:uniform", "me"], name="Ada")
    names = [seat["name"] for seat in me.view()["seats"]]
    me.play_on(random.Random(1))
    again = Person(me.url, me.post("rematch")["id"], me.token)
    assert [seat["name"] for seat in again.view()["seats"]] == names == ["Bruno (uniform)", "Ada"]
