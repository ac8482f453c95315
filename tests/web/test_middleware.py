"""What every request passes: sizes, rates, headers, mistakes of the server, and how it stops."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from serving import PATIENCE, LocalServer, Person, free_port, one_by_one, run, until, variant_where, wait_for

from lamplighter import games
from lamplighter.web import db_schema, views
from lamplighter.web.bucket import Bucket
from lamplighter.web.middleware import HEADERS, JsonLines, RequestMiddleware, is_foreign
from lamplighter.web.settings import VARIABLE, Settings

Start = Callable[..., LocalServer]


def missing_headers(answer: httpx.Response) -> list[str]:
    return [name for name, value in HEADERS.items() if answer.headers.get(name) != value]


def test_every_answer_has_its_headers(start: Start) -> None:
    someone = Person(start(rate=0.001, burst=40).url)
    paths = ["/", "/health", "/metrics", "/openapi.json", "/api/games", "/api/nothing", "/nothing", "/static/nothing"]
    paths += ["/docs", "/api/tables/nowhere", "/t/abc", "/sheets.css"]
    answers = {path: someone.ask("GET", path) for path in paths}
    answers["large"] = someone.ask("POST", "/api/tables", content=b"x" * 70_000)
    answers["bad"] = someone.ask("POST", "/api/tables", content=b"{")
    answers["many"] = answers["/health"]
    for _ in range(40):  # every request waits longer when many come, so no more of them than it takes
        if answers["many"].status_code != 429:
            answers["many"] = someone.ask("GET", "/api/bots")
    assert {path: missing_headers(answer) for path, answer in answers.items() if missing_headers(answer)} == {}
    assert answers["many"].status_code == 429 and answers["large"].status_code == 413
    assert answers["/docs"].status_code == 404
    policy = answers["/"].headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy


def test_a_missing_header_is_noticed() -> None:
    bare = httpx.Response(200, headers={"x-content-type-options": "nosniff"})
    assert set(missing_headers(bare)) == set(HEADERS) - {"x-content-type-options"}


def test_a_mistake_of_the_server_is_an_answer(
    server: LocalServer, someone: Person, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("secret words")

    me = someone.lay(variant_where(one_by_one), ["me", "me"])
    monkeypatch.setattr(views, "show", fail)
    answer = me.ask("GET", "")
    assert answer.status_code == 500 and answer.json()["error"]["code"] == "server/mistake"
    assert "secret words" not in answer.text and "secret words" in caplog.text
    assert missing_headers(answer) == []


def test_large_bodies_announced_and_not(someone: Person) -> None:
    body = json.dumps({"variant": "x" * 70_000}).encode()

    def in_pieces() -> Iterator[bytes]:
        yield from (body[at : at + 10_000] for at in range(0, len(body), 10_000))

    for content in (body, in_pieces()):
        answer = someone.ask("POST", "/api/tables", content=content, headers={"content-type": "application/json"})
        assert answer.status_code == 413 and answer.json()["error"]["code"] == "body/too-large"
    assert someone.get("/health")["status"] == "ok"


def test_too_many_requests(start: Start) -> None:
    someone = Person(start(rate=0.05, burst=5).url)
    answers = [someone.ask("GET", "/api/bots") for _ in range(8)]
    assert [answer.status_code for answer in answers[:4]] == [200] * 4
    last = answers[-1]
    assert last.status_code == 429 and last.json()["error"]["code"] == "rate/too-many"
    assert 1 <= int(last.headers["retry-after"]) <= 20


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    bucket = Bucket(rate=2, burst=3)
    assert [bucket.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert bucket.take("b") == 0
    now += 0.5
    assert bucket.take("a") == 0 and bucket.take("a") > 0
    now += 1000
    assert [bucket.take("a") > 0 for _ in range(4)] == [False, False, False, True]


def test_who_sends_many_at_once_does_not_come_before_others() -> None:
    """A hundred requests of one client, then one of another: it is answered after the first of them."""
    answered: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        answered.append(scope["client"][0])

    async def ask_all() -> None:
        passed = RequestMiddleware(app, Settings())

        async def ask(client: str) -> None:
            scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}
            scope["client"] = (client, 1)
            await passed(scope, None, None)  # type: ignore[arg-type]  # nothing is received or sent

        asked = [asyncio.create_task(ask(client)) for client in ["10.0.0.1"] * 100 + ["10.0.0.2"]]
        await asyncio.sleep(0)
        asked[50].cancel()  # somebody who has gone holds nobody up
        await asyncio.gather(*asked, return_exceptions=True)

    run(ask_all())
    assert answered.index("10.0.0.2") == 1
    assert len(answered) == 100


def test_too_many_tables(start: Start) -> None:
    someone = Person(start(tables_per_hour=2).url)
    body = {"variant": games.own_names()[0]}
    assert [someone.ask("POST", "/api/tables", body).status_code for _ in range(2)] == [201, 201]
    answer = someone.ask("POST", "/api/tables", body)
    assert answer.status_code == 429 and answer.json()["error"]["code"] == "table/too-many"
    assert 0 < int(answer.headers["retry-after"]) <= 3600


def test_no_room_for_more_tables(start: Start) -> None:
    someone = Person(start(table_limit=1).url)
    body = {"variant": games.own_names()[0]}
    someone.post("/api/tables", **body)
    assert someone.refused(429, "POST", "/api/tables", body)["code"] == "table/too-many"


def test_tables_that_nobody_looks_at_leave_memory(start: Start) -> None:
    server = start(rest=0.0)
    us = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])
    seen = us.view()

    async def tidy() -> int:
        server.service.cache.tidy()
        return len(server.service.cache)

    listener = us.listen()
    assert server.run(tidy()) == 1
    listener.close()
    until(lambda: server.run(tidy()) == 0, "the server has noticed")
    assert us.view() == seen | {"seats": us.view()["seats"]}


def test_open_streams_of_one_client_are_counted(start: Start) -> None:
    server = start(streams=2)
    us = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])
    listeners = [us.listen() for _ in range(2)]
    until(lambda: len([one for one in listeners if one.seen]) == 2, "both streams are open")
    assert us.refused(429, "GET", "events")["code"] == "table/too-many"
    listeners[0].close()
    until(lambda: server.service.feed.count == 1, "the server has noticed")
    third = us.listen()
    until(lambda: third.seen, "there is room again")
    for listener in (listeners[1], third):
        listener.close()


def test_names_change_once_a_moment(someone: Person) -> None:
    me = someone.lay(variant_where(one_by_one), ["me", "me"])
    assert me.post("seats/0", name="Ana")["seats"][0]["name"] == "Ana"
    assert me.refused(409, "POST", "seats/0", {"name": "Bo"})["code"] == "table/not-now"
    family = "\U0001f469\u200d\U0001f467"
    assert me.post("seats/1", name=family)["seats"][1]["name"] == family


# --- the command ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_the_command_serves_logs_and_stops(tmp_path: Path, workers: int) -> None:
    port = free_port()
    command = [Path(sys.executable).with_name("lamplighter"), "serve", "--port", str(port), "--workers", str(workers)]
    command += ["--database", f"sqlite:///{tmp_path}/tables.db", "--logs", "json"]
    environment = os.environ | {VARIABLE: '{"warm": false}', "PYTHONWARNINGS": ""}
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, stderr=log, env=environment)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(url, process)
        us = Person(url).lay(variant_where(one_by_one), ["me", "me"])
        listeners = [us.listen() for _ in range(3)]
        us.play()
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) in (0, -signal.SIGTERM)
        assert all(listener.ended.wait(PATIENCE) for listener in listeners)
        for listener in listeners:
            listener.close()
    finally:
        process.kill()
        process.wait()
    lines = (tmp_path / "log").read_text().splitlines()
    facts = [json.loads(line) for line in lines if line.startswith("{")]
    routes = {row.get("route") for row in facts}
    assert "/api/tables/{table_id}/moves" in routes
    assert not [row for row in facts if row["level"] in ("error", "critical")], facts
    assert us.token not in "\n".join(lines) and us.table not in "\n".join(lines)


def test_a_taken_port_is_said(tmp_path: Path, server: LocalServer) -> None:
    port = server.url.rpartition(":")[2]
    command = [Path(sys.executable).with_name("lamplighter"), "serve", "--port", port]
    done = subprocess.run(
        [*command, "--database", f"sqlite:///{tmp_path}/tables.db"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and f"port {port} is taken" in done.stderr.replace("\n", " ")


def test_a_database_file_is_one_servers(tmp_path: Path) -> None:
    """Two servers on one file would not hear of each other."""
    command = [Path(sys.executable).with_name("lamplighter"), "serve", "--database", f"sqlite:///{tmp_path}/tables.db"]
    environment = os.environ | {VARIABLE: '{"warm": false}'}
    port = free_port()
    first = subprocess.Popen([*command, "--port", str(port)], env=environment, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}", first)
        (tmp_path / "link.db").symlink_to(tmp_path / "tables.db")
        for name in ("tables.db", "link.db"):
            second = [*command[:2], "--port", str(free_port()), "--database", f"sqlite:///{tmp_path}/{name}"]
            done = subprocess.run(
                second, capture_output=True, text=True, env=environment, check=False, timeout=PATIENCE
            )
            assert done.returncode == 1 and "another server uses" in done.stderr.replace("\n", " ")
    finally:
        first.terminate()
        first.wait(PATIENCE)


def test_a_log_line_is_json() -> None:
    try:
        raise ValueError("x")
    except ValueError:
        record = logging.LogRecord("a", logging.ERROR, __file__, 1, "mind %s", ("you",), sys.exc_info())
    record.facts = {"status": 500}
    row = json.loads(JsonLines().format(record))
    assert (row["message"], row["level"], row["status"]) == ("mind you", "error", 500)
    assert "ValueError" in row["error"]


def test_one_client_cannot_fill_the_house(start: Start) -> None:
    server = start(tables_kept=2)
    someone = Person(server.url)
    body = {"variant": games.own_names()[0]}
    assert [someone.ask("POST", "/api/tables", body).status_code for _ in range(2)] == [201, 201]
    assert someone.refused(429, "POST", "/api/tables", body)["code"] == "table/too-many"
    store = server.app.state.store
    with store.engine.connect() as connection:
        makers = set(connection.execute(sa.select(db_schema.tables.c.maker)).scalars())
    assert len(makers) == 1 and "127.0.0.1" not in makers.pop()
    store.forget_makers(time.time() + 1).result()  # after a month
    assert someone.ask("POST", "/api/tables", body).status_code == 201


def test_what_stands_for_a_client_does_not_tell_it(server: LocalServer) -> None:
    """An IPv6 network has a slash in it, and two of them are two clients."""
    marks = [
        server.run(server.service.may_lay(client)) for client in ("2001:db8::/64", "2001:db8:0:1::/64", "192.0.2.1")
    ]
    assert len(set(marks)) == 3 and all(len(mark) == 64 and "2001" not in mark[:4] for mark in marks)
    assert server.run(server.service.may_lay("192.0.2.1")) == marks[2]


def test_strangers_cannot_make_up_what_is_counted(start: Start) -> None:
    someone = Person(start().url)
    for number in range(20):
        someone.ask("PROPFIND", f"/api/games/{number}")
        someone.ask("DELETE", "/api/tables")
    counted = someone.ask("GET", "/metrics").text
    assert "PROPFIND" not in counted and "DELETE" not in counted and 'method="other"' in counted


def test_another_site_cannot_act(someone: Person) -> None:
    me = someone.lay(variant_where(one_by_one), ["me", "me"])
    cross = {"headers": {"sec-fetch-site": "cross-site"}}
    assert me.refused(403, "POST", "leave", None, **cross)["code"] == "request/cross-site"
    assert me.ask("POST", "leave", headers={"sec-fetch-site": "same-origin"}).status_code == 200
    assert (
        me.refused(403, "POST", "leave", None, headers={"origin": "http://evil.example"})["code"]
        == "request/cross-site"
    )
    assert me.ask("POST", "leave", headers={"origin": me.url}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "foreign"),
    [
        ({}, False),  # a program
        ({"origin": "http://play.example:8000"}, False),
        ({"origin": "https://games.example"}, False),  # the address by which friends are invited
        ({"origin": "http://play.example:9000"}, True),
        ({"origin": "http://evil.example"}, True),
        ({"origin": "http://play.example.evil.example:8000"}, True),
        ({"origin": "null"}, True),
        ({"origin": "http://[evil"}, True),
        ({"origin": "null", "sec-fetch-site": "same-origin"}, False),  # of a page that sends no referrer
        ({"origin": "http://play.example:9000", "sec-fetch-site": "same-site"}, True),
        ({"origin": "http://play.example:8000", "sec-fetch-site": "cross-site"}, True),
        ({"origin": "https://other.example", "host": "other.example"}, False),  # a proxy passes the name on
        ({"origin": "https://other.example", "host": "other.example:443"}, False),
    ],
)
def test_a_page_of_another_site_is_told_by_its_origin(headers: dict[str, str], foreign: bool) -> None:
    sent = {name.encode(): value.encode() for name, value in {"host": "play.example:8000", **headers}.items()}
    assert is_foreign(sent, "https://games.example/") is foreign
    if headers.get("origin") != "https://games.example":
        assert is_foreign(sent, "") is foreign, "a server has no public address unless it is told one"
