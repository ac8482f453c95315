"""Connections: too slow, too large, too many. The server stays there for everybody else."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
import uvicorn
from serving import PATIENCE, LocalServer, Person, one_by_one, until, variant_where

from lamplighter.web.protocol import HEAD_LIMIT, PIPELINED, _trusted
from lamplighter.web.settings import Settings
from lamplighter.web.worker import server_options

Start = Callable[..., LocalServer]


Dial = Callable[..., socket.socket]


@pytest.fixture
def dial() -> Iterator[Dial]:
    """Opens connections from an address of this machine; only 127.0.0.1 is trusted as a proxy."""
    made: list[socket.socket] = []

    def open_one(server: LocalServer, address: str = "127.0.0.1") -> socket.socket:
        made.append(socket.create_connection(("127.0.0.1", urlsplit(server.url).port or 0), PATIENCE, (address, 0)))
        return made[-1]

    yield open_one
    for one in made:
        one.close()


def read_all(connection: socket.socket) -> bytes:
    """What the server says until it hangs up."""
    found = b""
    try:
        while part := connection.recv(65536):
            found += part
    except ConnectionResetError:
        pass  # it hung up while something was on the way
    return found


@pytest.mark.parametrize(
    "begun",
    [b"", b"GET / HTTP/1.1\r\nhost: x\r\n", b"POST /api/tables HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n{"],
    ids=["silent", "in the headers", "in the body"],
)
def test_who_sends_too_slowly_is_hung_up_on(start: Start, dial: Dial, begun: bytes) -> None:
    server = start(request_seconds=0.3)
    connection = dial(server)
    connection.sendall(begun)
    assert read_all(connection).startswith(b"HTTP/1.1 408 ")
    assert Person(server.url).get("/health")["status"] == "ok"


def test_a_second_request_has_its_own_time(start: Start, dial: Dial) -> None:
    server = start(request_seconds=0.3)
    connection = dial(server)
    connection.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
    assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
    connection.sendall(b"GET /health HTTP/1.1\r\n")
    assert b"HTTP/1.1 408 " in read_all(connection)


def test_an_open_stream_is_not_too_slow(start: Start) -> None:
    server = start(request_seconds=0.2)
    me = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])
    listener = me.listen()
    for number in range(1, 4):
        time.sleep(0.3)  # longer than a request may take
        me.play()
        listener.wait(lambda entries, number=number: sum(entry["kind"] == "move" for entry in entries) == number)
    assert not listener.ended.is_set()
    listener.close()


def test_headers_without_end(start: Start, dial: Dial) -> None:
    connection = dial(start())
    connection.sendall(b"GET / HTTP/1.1\r\n")
    try:
        for number in range(2 * HEAD_LIMIT // 1000):
            connection.sendall(b"x-%d: " % number + b"a" * 990 + b"\r\n")
    except OSError:
        pass  # it hung up already
    assert read_all(connection)[:13] in (b"HTTP/1.1 431 ", b"")


def test_so_many_connections_for_one_client(start: Start, dial: Dial) -> None:
    server = start(connections=3)
    mine = [dial(server, "127.0.0.2") for _ in range(3)]
    for connection in mine:  # all of them work
        connection.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
    assert read_all(dial(server, "127.0.0.2")).startswith(b"HTTP/1.1 429 ")
    other = dial(server, "127.0.0.3")
    other.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n")
    assert other.recv(65536).startswith(b"HTTP/1.1 200 ")
    mine[0].close()

    def has_room() -> bool:
        again = dial(server, "127.0.0.2")
        again.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        return read_all(again).startswith(b"HTTP/1.1 200 ")

    until(has_room, "there is room for another one")


@pytest.mark.parametrize(
    ("allowed", "address", "trusted"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "127.0.0.2", False),
        ("10.88.0.0/16, 127.0.0.1", "10.88.3.4", True),
        ("*", "192.0.2.1", True),
    ],
)
def test_a_trusted_proxy_is_not_counted(allowed: str, address: str, trusted: bool) -> None:
    assert (address in _trusted(allowed)) is trusted


def test_no_web_sockets_past_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uvicorn would speak them wherever a library for them is installed."""
    monkeypatch.setattr("uvicorn.protocols.websockets.auto.AutoWebSocketsProtocol", asyncio.Protocol)
    options = server_options(Settings(), "text") | {"log_config": None}
    spoken = [
        uvicorn.Config("lamplighter.web.app:create_app", factory=True, **more)
        for more in ({"log_config": None}, options)
    ]
    for config in spoken:
        config.load()
    assert [config.ws_protocol_class for config in spoken] == [asyncio.Protocol, None]


def answers_of(connection: socket.socket) -> list[bytes]:
    """The status of every answer until the server hangs up."""
    return re.findall(rb"HTTP/1\.1 (\d{3}) ", read_all(connection))


def test_requests_that_pile_up_are_refused(start: Start, dial: Dial) -> None:
    """Requests that are sent before the first is answered would each take memory and time before any limit sees them."""
    connection = dial(start(), "127.0.0.2")
    with contextlib.suppress(OSError):
        connection.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n" * 20_000)
    assert len(answers_of(connection)) <= 2 * PIPELINED + 1


def test_some_requests_at_once_are_answered(start: Start, dial: Dial) -> None:
    connection = dial(start())
    last = b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
    connection.sendall(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n" * 5 + last)
    assert answers_of(connection) == [b"200"] * 6


@pytest.mark.parametrize("trailer", [b"a: b\r\n" * 200_000, b"a: " + b"b" * 3_000_000], ids=["many", "one without end"])
def test_nothing_follows_a_body(start: Start, dial: Dial, trailer: bytes) -> None:
    connection = dial(start(), "127.0.0.2")
    head = (
        b"POST /api/tables HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    )
    with contextlib.suppress(OSError):
        connection.sendall(head + b"2\r\n{}\r\n0\r\n")
        for at in range(0, len(trailer), 10_000):
            connection.sendall(trailer[at : at + 10_000])
    assert answers_of(connection)[-1:] in ([b"400"], [b"413"], [])  # hung up, with or without a word


def test_rubbish_is_logged_once_a_minute(start: Start, dial: Dial, caplog: pytest.LogCaptureFixture) -> None:
    server = start()
    for _ in range(30):
        connection = dial(server, "127.0.0.2")
        connection.sendall(b"\0\r\n\r\n")
        assert answers_of(connection) == [b"400"]
    assert sum("Invalid HTTP" in record.getMessage() for record in caplog.records) <= 1
