"""The JSON API at the table: what it answers, and what it refuses."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from serving import PATIENCE, LocalServer, Person, all_at_once, good, new_key, one_by_one, until, variant_where

from lamplighter import bots, games
from lamplighter.engine.game import Game

NASTY = '<img src=x onerror="alert(1)">&amp;'


@pytest.fixture
def pair(someone: Person) -> tuple[Person, Person]:
    """Two people at a table where both act at once."""
    one = someone.lay(variant_where(all_at_once), ["me", "open"], name="Ana")
    return one, one.join("Bo")


# --- what there is --------------------------------------------------------------------------------------------


def test_games_and_bots_are_listed(someone: Person) -> None:
    listed = {game["id"]: game for game in someone.get("/api/games")}
    assert set(listed) == set(games.names())
    for name, game in listed.items():
        assert game["seats"] == list(games.load(name).seats)
        assert [option["name"] for option in game["options"]] == [option.name for option in games.load(name).options]
    told = {bot["name"]: bot for bot in someone.get("/api/bots")}
    assert list(told) == ["easy", "medium", "hard", "expert"], "those for simulations are not offered"
    assert [name for name, bot in told.items() if bot["usual"]] == [bots.OPPONENT]
    assert told["easy"]["help"] and told["easy"]["level"] < told["expert"]["level"]


def test_a_game_has_a_picture_and_paper(own_game: Game, someone: Person) -> None:
    picture = someone.ask("GET", f"/api/games/{own_game.id}/sheet.svg", params={"theme": "dark"})
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")
    paper = someone.ask("GET", f"/api/games/{own_game.id}/sheets.pdf")
    assert paper.content.startswith(b"%PDF")
    someone.refused(400, "GET", f"/api/games/{own_game.id}/sheet.svg", params={"theme": "pink"})
    someone.refused(404, "GET", "/api/games/nothing/sheet.svg")
    someone.refused(404, "GET", "/api/games/nothing/sheets.pdf")


def test_paper_of_another_game_is_refused(someone: Person) -> None:
    one, other = games.own_names()[:2]
    assert "not a variant" in someone.refused(400, "GET", f"/api/games/{one}/sheets.pdf?variant={other}")["message"]


def test_a_sample_is_of_a_game_and_not_of_every_variant(own_game: Game, someone: Person) -> None:
    """There are thousands of variants, and each would be played and drawn anew for whoever asks."""
    someone.refused(404, "GET", f"/api/games/{own_game.id}%3Fseats={own_game.seats[0]}/sheet.svg")


def test_a_match_is_played_to_its_end(own_game: Game, someone: Person) -> None:
    me = someone.lay(own_game.id)
    last = me.play_on(random.Random(1))
    assert last["result"]["winners"]
    for seat in last["seats"]:
        assert sum(line["points"] for line in seat["lines"]) == seat["total"]


def test_health_and_metrics(someone: Person) -> None:
    someone.lay(games.own_names()[0]).play()
    assert someone.get("/health")["status"] == "ok"
    counted = someone.ask("GET", "/metrics").text
    assert f'lamplighter_moves_total{{game="{games.own_names()[0]}"}}' in counted
    assert 'route="/api/tables/{table_id}/moves"' in counted


def test_metrics_are_for_this_machine(someone: Person, start: Any) -> None:
    elsewhere = {"x-forwarded-for": "192.0.2.7"}  # as a proxy on this machine says it
    assert someone.ask("GET", "/metrics", headers=elsewhere).status_code == 403
    opened = Person(start(public_metrics=True).url)
    assert "lamplighter_moves_total" in opened.ask("GET", "/metrics", headers=elsewhere).text


# --- laying a table and sitting down --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"variant": "nothing"}, 404, "game/unknown"),
        ({"variant": "{game}?colour=red"}, 400, "variant/bad"),
        ({"variant": "{game}?box=/etc/passwd"}, 400, "variant/bad"),
        ({"variant": "{game}", "seats": ["me"] * 60}, 400, "error"),
        ({"variant": "{game}?seats=2", "seats": ["me", "somebody"]}, 400, "error"),
        ({"variant": "{game}?seats=2", "seats": ["me", "bot:nobody"]}, 400, "error"),
        ({"variant": "{game}", "same_dice_as": "nowhere"}, 404, "table/unknown"),
        ({"variant": "{game}", "same_dice_as": "\0"}, 400, "request/bad"),
        ({"variant": "{game}", "colour": "red"}, 400, "request/bad"),
        ({}, 400, "request/bad"),
        ([], 400, "request/bad"),
    ],
)
def test_a_table_that_cannot_be_laid(someone: Person, body: Any, status: int, code: str) -> None:
    if "variant" in body:
        body = body | {"variant": body["variant"].format(game=games.own_names()[0])}
    assert someone.refused(status, "POST", "/api/tables", body)["code"] == code


def test_a_body_that_is_no_json(someone: Person) -> None:
    answer = someone.ask("POST", "/api/tables", content=b"{", headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "request/bad"


def test_unknown_tables_and_addresses(someone: Person) -> None:
    assert someone.refused(404, "GET", "/api/tables/nowhere")["code"] == "table/unknown"
    assert someone.refused(404, "GET", "/api/nothing")["code"] == "request/unknown"
    assert someone.refused(405, "DELETE", "/api/games")["code"] == "request/unknown"
    assert someone.refused(400, "GET", "/api/tables/no%20table")["code"] == "request/bad"


def test_joining(someone: Person) -> None:
    host = someone.lay(variant_where(all_at_once, 3), ["open", "me", "open"], name=" Ana\u202e\x00 ")
    assert host.seats == [1]
    assert host.view()["phase"] == "lobby"
    assert host.view()["seats"][1]["name"] == "Ana"
    assert host.refused(409, "POST", "moves", _a_move(host))["code"] == "table/not-now"
    second = host.join("Bo", seat=2)
    assert second.seats == [2]
    assert host.refused(409, "POST", "join", {"name": "Cy", "seat": 2})["code"] == "table/full"
    assert host.join("").seats == [0]
    view = host.view()
    assert [seat["name"] for seat in view["seats"]] == ["Player 1", "Ana", "Bo"]
    assert view["phase"] == "play" and view["waiting"] == [0, 1, 2]
    assert host.refused(409, "POST", "join", {"name": "Di"})["code"] == "table/full"


def _a_move(person: Person, **change: Any) -> dict[str, Any]:
    view = person.view()
    legal = view["moves"][0] if view["moves"] else "x"
    return {"seat": view["you"], "move": legal, "version": view["version"], "key": new_key()} | change


def test_several_people_share_a_device(someone: Person) -> None:
    us = someone.lay(variant_where(all_at_once), ["me", "me"], names=["Ana", "Bo"])
    assert us.seats == [0, 1]
    assert [us.view(seat)["you"] for seat in (0, 1)] == [0, 1]
    us.play(seat=1)
    assert us.view()["you"] == 0  # who has to act


def test_only_the_host_fills_seats_of_a_lobby(someone: Person) -> None:
    host = someone.lay(variant_where(all_at_once), ["me", "open"])
    assert host.watcher.refused(403, "POST", "seats/1", {"bot": "uniform"})["code"] == "seat/not-yours"
    assert host.refused(400, "POST", "seats/1", {"bot": "nobody"})["code"] == "error"
    view = host.post("seats/1", bot="uniform")
    assert view["phase"] == "play"
    assert view["seats"][1]["kind"] == "bot"


# --- who one is -----------------------------------------------------------------------------------------------


def test_a_token_becomes_a_cookie_of_the_table(pair: tuple[Person, Person]) -> None:
    one, _ = pair
    answer = one.watcher.ask("POST", "session", {"token": one.token})
    assert answer.json() == {"seats": [0]}
    cookie = answer.headers["set-cookie"]
    assert f"Path=/api/tables/{one.table}" in cookie and "HttpOnly" in cookie and "SameSite=lax" in cookie
    with_cookie = one.watcher.ask("GET", "", headers={"cookie": f"seat={one.token}"})
    assert with_cookie.json()["mine"] == [0]
    assert 'seat=""' in one.ask("POST", "leave").headers["set-cookie"]


def test_a_wrong_token_opens_nothing(pair: tuple[Person, Person]) -> None:
    one, _ = pair
    assert one.watcher.refused(403, "POST", "session", {"token": "guess"})["code"] == "seat/not-yours"
    guess = Person(one.url, one.table, "guess")
    assert guess.view()["mine"] == [] and guess.view(sheet=True)["sheet"] is None


def test_a_token_of_one_table_is_worth_nothing_at_another(someone: Person) -> None:
    one, other = (someone.lay(variant_where(all_at_once), ["me", "open"]) for _ in range(2))
    assert Person(one.url, one.table, other.token).view()["mine"] == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("moves", {"seat": 1, "move": "x", "version": 0, "key": "k"}),
        ("undo", {"seat": 1, "version": 0, "key": "k"}),
        ("done", {"seat": 1}),
        ("explain", {"seat": 1, "move": "x"}),
        ("seats/1", {"name": "Not Bo"}),
        ("seats/1", {"person": True}),
        ("seats/1", {"bot": "uniform"}),
    ],
)
def test_nobody_acts_for_another_seat(pair: tuple[Person, Person], path: str, body: dict[str, Any]) -> None:
    one, _ = pair
    before = one.view()
    for person in (one, one.watcher):
        assert person.refused(403, "POST", path, body)["code"] == "seat/not-yours"
    assert one.view()["seq"] == before["seq"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("nudge", {"seat": 1}),
        ("vote", {"seat": 1}),
        ("roll", {"text": "x", "version": 0, "key": "k"}),
        ("unroll", {"version": 0, "key": "k"}),
        ("call", {"version": 0, "key": "k"}),
        ("rematch", {}),
    ],
)
def test_watchers_only_watch(pair: tuple[Person, Person], path: str, body: dict[str, Any]) -> None:
    assert pair[0].watcher.refused(403, "POST", path, body)["code"] == "seat/not-yours"


def test_a_seat_that_does_not_exist(pair: tuple[Person, Person]) -> None:
    one, _ = pair
    for path, body in (("moves", _a_move(one, seat=9)), ("seats/9", {"name": "x"}), ("nudge", {"seat": 9})):
        assert "there is no seat 9" in one.refused(400, "POST", path, body)["message"]
    one.refused(400, "GET", "sheets/9.svg")
    one.refused(400, "GET", "lines/x?seat=9")


# --- moves ----------------------------------------------------------------------------------------------------


def test_a_move_with_an_old_version_brings_the_new_view(pair: tuple[Person, Person]) -> None:
    one, two = pair
    old = one.view()
    now = good(one.move(old["moves"][0], old))
    two.play()  # what others do does not make a seat's version old
    answer = one.move(old["moves"][0], old)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "move/stale"
    assert answer.json()["view"]["version"] == now["version"] > old["version"]
    assert one.ask("POST", "undo", {"seat": 0, "version": old["version"], "key": new_key()}).status_code == 409


def test_the_same_request_twice_is_one_move(server: LocalServer, pair: tuple[Person, Person]) -> None:
    one, _ = pair
    body = _a_move(one)
    first = one.post("moves", **body)
    assert one.post("moves", **body)["seq"] == first["seq"]
    server.forget(one.table)
    assert one.post("moves", **body)["seq"] == first["seq"]
    assert sum(entry["kind"] == "move" for entry in one.view()["log"]) == 1


def test_two_moves_at_once_for_one_seat(pair: tuple[Person, Person]) -> None:
    one, _ = pair
    view = one.view()
    people, together = [Person(one.url, one.table, one.token, [0]) for _ in range(8)], threading.Barrier(8)

    def send(person: Person) -> int:
        together.wait()
        return person.move(view["moves"][0], view).status_code

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(send, people))
    assert answers == [200] + [409] * 7
    assert sum(entry["kind"] == "move" for entry in one.view()["log"]) == 1


def test_a_refused_move_names_the_rule(own_game: Game, someone: Person) -> None:
    seats = max(2, own_game.seats[0])
    us = someone.lay(f"{own_game.id}?seats={seats}", ["me"] * seats)
    move = us.view()["moves"][0]
    while (answer := us.move(move, us.view(0))).status_code == 200:
        pass  # until it cannot be done once more
    refusal = answer.json()["error"]
    assert answer.status_code == 422
    assert refusal["code"] in ("move/illegal", "move/not-waiting")
    assert refusal["rule"].startswith("§") and refusal["sentence"] in refusal["message"]


def test_words_that_are_no_move(pair: tuple[Person, Person]) -> None:
    one, _ = pair
    for word in ("", "hello", "\0", "x" * 200):
        assert one.refused(400, "POST", "moves", _a_move(one, move=word))["code"] == "text/bad"
    for change in ({"move": "x" * 201}, {"version": -1}, {"version": "x"}, {"key": ""}, {"key": "\0"}, {"seat": None}):
        assert one.refused(400, "POST", "moves", _a_move(one, **change))["code"] == "request/bad"


def test_why_a_move_is_refused(pair: tuple[Person, Person]) -> None:
    one, _ = pair
    legal = one.view()["moves"][0]
    assert one.post("explain", seat=0, move=legal)["legal"]
    one.play()
    again = one.post("explain", seat=0, move=legal)
    assert not again["legal"] and again["rule"].startswith("§") and again["sentence"]
    assert not one.post("explain", seat=0, move="hello")["legal"]
    assert not one.post("explain", seat=0, source="nothing", cell="nowhere")["legal"]


def test_the_cells_behind_a_line(pair: tuple[Person, Person]) -> None:
    one, _ = pair
    for line in one.view()["seats"][0]["lines"]:
        assert isinstance(one.get(f"lines/{line['name']}", seat=0)["cells"], list)
    assert "there is no scoring line" in one.refused(400, "GET", "lines/nothing?seat=0")["message"]


def test_sheets_are_pictures_for_everybody(pair: tuple[Person, Person]) -> None:
    one, two = pair
    one.play()
    for person in (one, two, one.watcher):
        for seat in (0, 1):
            drawn = person.ask("GET", f"sheets/{seat}.svg", params={"theme": "contrast", "large": 1})
            assert drawn.headers["content-type"] == "image/svg+xml"
            assert drawn.text.startswith("<svg") and 'data-move="' not in drawn.text
    assert one.refused(409, "GET", "sheets/0.svg?seq=1")["code"] == "table/not-now"
    assert 'data-move="' in two.view(sheet=True)["sheet"]


def test_taking_back(pair: tuple[Person, Person]) -> None:
    one, two = pair
    start = one.view()
    assert not start["can_undo"]
    body = {"seat": 0, "version": start["version"], "key": new_key()}
    assert one.refused(409, "POST", "undo", body)["code"] == "move/no-take-back"
    after = one.play()
    two.play()
    assert after["can_undo"]
    back = one.post("undo", seat=0, version=after["version"], key=(key := new_key()))
    assert back["moves"] == start["moves"] and not back["can_undo"]
    assert one.post("undo", seat=0, version=after["version"], key=key)["seq"] == back["seq"]
    assert back["log"][-1]["kind"] == "undo" and back["log"][-1]["text"] == start["moves"][0]


# --- words between people -------------------------------------------------------------------------------------


def test_names_are_text_everywhere(someone: Person) -> None:
    host = someone.lay(variant_where(all_at_once), ["me", "open"], name=NASTY)
    host.join(NASTY)
    answer = host.ask("GET", "")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json()["seats"][0]["name"] == NASTY[:40]
    assert "onerror" not in answer.json()["sheet"]
    for path in ("", "/watch", "/screen"):
        page = host.ask("GET", f"/t/{host.table}{path}")
        assert page.headers["content-type"].startswith("text/html") and "<img src=x" not in page.text
    play = "/t/" + "%3Cimg%20src=x%3E"
    assert "<img src=x" not in host.ask("GET", play).text


def test_a_new_name(pair: tuple[Person, Person]) -> None:
    one, _ = pair
    assert one.post("seats/0", name="  Anna\n ")["seats"][0]["name"] == "Anna"
    assert "at least one letter" in one.refused(400, "POST", "seats/0", {"name": " \u200b\n"})["message"]
    assert "say one thing" in one.refused(400, "POST", "seats/0", {"name": "A", "bot": "uniform"})["message"]
    one.refused(400, "POST", "seats/0", {})


def test_a_nudge_now_and_then(pair: tuple[Person, Person]) -> None:
    one, two = pair
    assert one.post("nudge", seat=1)["log"][-1]["kind"] == "nudge"
    assert "just reminded" in one.refused(409, "POST", "nudge", {"seat": 1})["message"]
    while 0 in two.view()["waiting"]:
        one.play()
    assert "nobody is waiting" in two.refused(409, "POST", "nudge", {"seat": 0})["message"]


def test_qr_codes_of_own_links_only(someone: Person) -> None:
    drawn = someone.ask("POST", "/api/qr", {"text": f"{someone.url}/t/abc"})
    assert drawn.headers["content-type"] == "image/svg+xml" and "<path" in drawn.text
    refusal = someone.refused(400, "POST", "/api/qr", {"text": "https://example.org/"})
    assert "only links to this server" in refusal["message"]


# --- bots -----------------------------------------------------------------------------------------------------


def test_bots_think_while_others_are_answered(
    server: LocalServer, someone: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lamplighter.web import driver

    release, thinks, real = threading.Event(), threading.Event(), driver.think

    def slow_think(*of_what: Any) -> Any:
        thinks.set()
        release.wait()
        return real(*of_what)

    monkeypatch.setattr(driver, "think", slow_think)
    me = someone.lay(variant_where(all_at_once), ["me", "bot:uniform"])
    try:
        assert thinks.wait(PATIENCE)
        other = someone.lay(variant_where(one_by_one), ["me", "me"])
        assert other.play()["seq"] > 0
        assert me.play()["log"][-1]["kind"] == "move"  # at the same table too
        assert 1 in me.view()["waiting"]
    finally:
        release.set()
    until(lambda: any(entry["kind"] == "move" and entry["seat"] == 1 for entry in me.view()["log"]), "the bot plays")
