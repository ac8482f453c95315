"""What was played stays readable when the rules of its game have moved on."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from serving import HTTP, LocalServer, Person, all_at_once, apart, is_secret, one_by_one, until, variant_where
from walks import first_at_once

from lamplighter import games
from lamplighter.engine import record
from lamplighter.web import admin, kept
from lamplighter.web.errors import Busy
from lamplighter.web.service import today

Start = Callable[..., LocalServer]


@pytest.fixture
def upgrade() -> Iterator[Callable[[str], None]]:
    """Raises the version of a game's rules, as a newer Lamplighter would have it."""
    raised: list[Any] = []

    def raise_version(name: str) -> None:
        game = games.load(name)
        object.__setattr__(game, "rules_version", game.rules_version + 1)
        raised.append(game)

    yield raise_version
    for game in raised:
        object.__setattr__(game, "rules_version", game.rules_version - 1)


def keep_now(server: LocalServer) -> list[int]:
    def keep() -> list[int]:
        with admin.opened(server.app.state.settings.database) as service:
            return [size for _, size in admin.keep_matches(service)]

    kept_sizes: list[int] = apart(keep)
    return kept_sizes


def of_a_finished_match(person: Person, turns: list[int]) -> dict[str, Any]:
    """Everything that people look at when a match is over, with the sheets as they were after these steps."""
    view = person.view(sheet=True)
    found: dict[str, Any] = {name: person.get(name) for name in ("replay",)}
    same = (
        "id",
        "game",
        "title",
        "variant",
        "drawn",
        "kind",
        "phase",
        "turn",
        "mine",
        "you",
        "text",
        "log",
        "dice",
    )
    found |= {name: view[name] for name in (*same, "result", "rematch")}
    drawn = {entry["text"] for entry in view["log"] if entry["kind"] == "chance"}
    found["words"] = {text: said for text, said in view["words"].items() if text in drawn}
    found["seats"] = [{name: seat[name] for name in ("name", "kind", "total", "lines")} for seat in view["seats"]]
    for name in ("record", "record.jsonl"):
        found[name] = person.ask("GET", name).text
    for seat in range(len(view["seats"])):
        for query in ("", "?theme=dark", "?large=true&theme=contrast", "?seq=0", *(f"?seq={seq}" for seq in turns)):
            found[f"{seat}{query}"] = person.ask("GET", f"sheets/{seat}.svg{query}").text
        for line in view["seats"][seat]["lines"]:
            found[f"{seat} {line['name']}"] = person.get(f"lines/{line['name']}", seat=seat)
    return found


@pytest.mark.parametrize("name", first_at_once(games.own_names()))
def test_a_finished_match_is_shown_as_it_was(name: str, start: Start, upgrade: Callable[[str], None]) -> None:
    first = start(hold=0.0)
    ana = Person(first.url).lay(f"{name}?seats={max(2, games.load(name).seats[0])}", names=['Ana "the" Ñandú'])
    ana.play_on(random.Random(4))
    ana.post("seats/0", name="Ana")  # after the end: what is kept has no names
    sizes = keep_now(first)
    assert len(sizes) == 1
    assert sizes[0] < 60_000
    steps = ana.get("replay")["steps"]
    own = [step["seq"] for step in steps if step["kind"] == "move" and step["seat"] == 0]
    before = of_a_finished_match(ana, [])
    first_move = ana.ask("GET", f"sheets/0.svg?seq={last_of_turn(steps, own[0])}").text
    first.close()

    upgrade(name)
    second = start(hold=0.0)
    ana.url = second.url
    assert of_a_finished_match(ana, []) == before
    assert ana.ask("GET", f"sheets/0.svg?seq={last_of_turn(steps, own[0])}").text == first_move
    version = games.load(name).rules_version
    assert ana.view()["older"] == {"played": version - 1, "now": version}
    assert ana.watcher.view()["you"] is None
    checks = ana.get("verify")
    assert checks["ok"]
    assert {check["name"] for check in checks["checks"]} == {"hash", "result"}


def last_of_turn(steps: list[dict[str, Any]], seq: int) -> int:
    """The last step of a seat in the turn of one of its steps."""
    step = steps[seq - 1]
    return max(
        one["seq"] for one in steps if (one["turn"], one["seat"], one["kind"]) == (step["turn"], step["seat"], "move")
    )


def test_nobodys_name_is_kept(start: Start) -> None:
    server = start(hold=0.0)
    ana = Person(server.url).lay(variant_where(one_by_one), ["me", "bot:uniform"], names=["Zyxwvut"])
    ana.play_on(random.Random(1))
    keep_now(server)
    body = kept.read(server.app.state.store, ana.table)
    assert body is not None
    assert "Zyxwvut" not in repr(body)
    assert "Zyxwvut" in ana.ask("GET", "record").text


@pytest.fixture
def keeps_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches are kept soon after they end. With the lowest priority, tests on a busy machine would wait for minutes."""
    monkeypatch.setattr(kept, "REST", 0.05)
    monkeypatch.setattr(kept, "BACKGROUND", 0)
    monkeypatch.setattr(kept, "SHARE", 0)  # it would rest ten times as long as its process takes to start


@pytest.mark.usefixtures("keeps_at_once")
def test_a_server_keeps_what_has_ended_by_itself(start: Start) -> None:
    server = start(hold=0.0)
    ana = Person(server.url).lay(variant_where(all_at_once), ["me", "bot:uniform"])
    running = Person(server.url).lay(variant_where(all_at_once), ["me", "bot:uniform"])
    ana.play_on(random.Random(2))
    until(lambda: kept.read(server.app.state.store, ana.table), "it is kept")
    assert kept.read(server.app.state.store, running.table) is None
    assert kept.unkept(server.app.state.store) == []


@pytest.mark.usefixtures("keeps_at_once")
def test_what_cannot_be_kept_now_is_tried_again(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was killed comes back. A match that cannot be drawn is left, and the others are kept."""
    failing = {"now": Busy("the process was killed"), "always": KeyError("a picture")}
    own, tries = kept.keep, list[str]()

    async def keep(service: Any, table_id: str, heavy: Any = None) -> int:
        tries.append(table_id)
        kind = names.get(table_id, "")
        if kind == "always" or (kind == "now" and tries.count(table_id) == 1):
            raise failing[kind]
        return await own(service, table_id, heavy)

    names = dict[str, str]()
    monkeypatch.setattr(kept, "keep", keep)
    server = start(hold=0.0)
    for kind in failing:
        ana = Person(server.url).lay(variant_where(all_at_once), ["me", "bot:uniform"])
        names[ana.table] = kind
        ana.play_on(random.Random(2))
    alone = Person(server.url).lay(variant_where(all_at_once), ["bot:uniform", "bot:uniform"])
    until(lambda: alone.watcher.view()["phase"] == "over", "bots have played")
    store = server.app.state.store
    again, never = names
    until(lambda: kept.read(store, again) and never in tries, "the first one is kept")
    time.sleep(0.5)
    assert tries.count(again) == 2 and tries.count(never) == 1 and alone.table not in tries


def test_old_tables_go_with_what_was_kept_of_them(start: Start) -> None:
    server = start(hold=0.0)
    ana = Person(server.url).lay(variant_where(one_by_one), ["me", "bot:uniform"])
    ana.play_on(random.Random(1))
    keep_now(server)
    store = server.app.state.store
    assert store.throw_away([ana.table], 1e12, 1e12).result() == 1
    assert kept.read(store, ana.table) is None


@pytest.mark.parametrize("kind", [one_by_one, is_secret], ids=["open", "hidden hands"])
def test_a_match_that_goes_on_is_told_and_can_be_had(
    kind: Callable[..., bool], start: Start, upgrade: Callable[[str], None]
) -> None:
    first = start(hold=60.0)
    ana = Person(first.url).lay(variant_where(kind), ["me", "me"], names=["Ana", "Bo"])
    choice = random.Random(5)
    for _ in range(6):
        ana.play(choice)
    ana.play(choice, done=False)
    taken = [seat for seat in (0, 1) if ana.view(seat)["can_undo"]]
    for seat in taken[:1]:  # what was taken back is not part of the record
        view = ana.view(seat)
        ana.post("undo", seat=seat, version=view["version"], key="back")
    log = [(entry.kind, entry.seat, entry.text) for entry in first.table(ana.table).match.log]
    assert taken
    assert ana.refused(409, "GET", "record")["code"] == "table/not-now"
    game, digest, seed = ana.view()["game"], ana.view()["dice"]["hash"], first.table(ana.table).row.seed
    assert seed is not None
    first.close()

    upgrade(game)
    second = start(hold=0.0)
    ana.url = second.url
    for path in ("", "replay", "sheets/0.svg", "events", "verify"):
        error = ana.refused(410, "GET", path)
        assert error["code"] == "table/older-rules"
        assert "version 1 of the rules" in error["message"]
    assert (
        ana.refused(410, "POST", "moves", {"seat": 0, "move": "x", "version": 1, "key": "k"})["code"] == error["code"]
    )
    text = ana.ask("GET", "record").text
    object.__setattr__(games.load(game), "rules_version", 1)
    again = record.parse_record(text)
    object.__setattr__(games.load(game), "rules_version", 2)
    assert sorted((entry.kind, entry.seat or -1, entry.text) for entry in again.log) == sorted(
        (kind, seat or -1, text) for kind, seat, text in log
    )
    assert again.players == ["Ana", "Bo"]
    assert again.tags["Promise"] == digest
    # whoever goes back to the older rules plays on: nobody learns what they may not know of it
    told = ana.watcher.ask("GET", "record").text
    assert seed not in text + told and "Salt" not in text + told
    dealt = [card for kind, seat, card in log if kind == "chance" and seat is not None]
    shown = [
        row["text"]
        for row in map(json.loads, told.splitlines()[1:])
        if row["kind"] == "chance" and row["seat"] is not None
    ]
    assert shown == ["?"] * len(dealt) and bool(dealt) == (kind is is_secret)
    with admin.opened(second.app.state.settings.database) as service:
        assert apart(admin.export, service, ana.table)[1] == told
        assert seed in apart(admin.export, service, ana.table, True)[1]


def test_todays_seed_stays_secret(start: Start, upgrade: Callable[[str], None]) -> None:
    """The others still play today's match by whatever rules they can: its seed is told tomorrow."""
    first = start(hold=0.0)
    game = games.own_names()[0]
    made = Person(first.url).post(f"/api/daily/{game}", name="Ana")
    ana = Person(first.url, made["id"], made["token"], made["seats"])
    seed = first.table(ana.table).row.seed
    assert first.table(ana.table).row.day == today()
    first.close()
    upgrade(game)
    second = start(hold=0.0)
    ana.url = second.url
    assert seed not in ana.ask("GET", "record").text
    with admin.opened(second.app.state.settings.database) as service:
        assert seed not in apart(admin.export, service, ana.table)[1]
        assert seed in apart(admin.export, service, ana.table, True)[1]


def test_a_ghost_of_older_rules_does_not_stop_the_race(start: Start, upgrade: Callable[[str], None]) -> None:
    first = start(hold=0.0)
    ana = Person(first.url).lay(variant_where(one_by_one), ["me", "bot:uniform"])
    ana.play_on(random.Random(1))
    race = Person(first.url).lay(ana.view()["variant"], ["me", "bot:uniform"], same_dice_as=ana.table, ghost_seat=0)
    assert race.view()["ghost"] is not None
    store = first.app.state.store
    from lamplighter.web import db_schema

    store.write(
        lambda connection: connection.execute(
            db_schema.tables.update().where(db_schema.tables.c.id == ana.table).values(rules=0)
        )
    ).result()
    first.forget(ana.table)
    assert race.view()["ghost"] is None
    assert HTTP.get(f"{first.url}/t/{ana.table}").status_code == 200
