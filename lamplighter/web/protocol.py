"""HTTP as uvicorn speaks it, with limits: connections of one client, the time and the size of what is sent."""

from __future__ import annotations

import asyncio
import functools
import logging
import time
from collections import Counter
from typing import Any, ClassVar

from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from lamplighter.web.addresses import network_of
from lamplighter.web.settings import Settings

HEAD_LIMIT = 32 * 1024  # bytes of a request's first line and headers
PIPELINED = 16  # requests that may be sent before the first one is answered
SAY_AGAIN = 60.0  # seconds until a request that makes no sense is logged again


class Seldom(logging.Filter):
    """Lets one line a minute pass: whoever sends rubbish would fill the disk with it."""

    def __init__(self) -> None:
        super().__init__()
        self._last = -SAY_AGAIN

    def filter(self, record: logging.LogRecord) -> bool:
        due = time.monotonic() - self._last >= SAY_AGAIN
        self._last = time.monotonic() if due else self._last
        return due


log = logging.getLogger("lamplighter.http")
log.setLevel(logging.WARNING)
log.addFilter(Seldom())


class LimitedProtocol(HttpToolsProtocol):
    """A connection that is closed when its client sends too slowly or too much, or has too many of them."""

    limit = 0  # connections of one client
    seconds = 0.0  # until a request has arrived whole
    body_limit = 0  # bytes of a body
    open: ClassVar[Counter[str]] = Counter()  # connections by client; those of a trusted proxy are not counted

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._network = ""
        self._deadline: asyncio.TimerHandle | None = None
        self._head: int | None = 0  # bytes of a head that has not ended yet
        self._size: int | None = None  # bytes of a request that has not ended yet, apart from its first piece
        self.logger = log

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._set_deadline()
        address = self.client[0] if self.client else ""
        if address and address not in _trusted(str(self.config.forwarded_allow_ips)):
            self._network = network_of(address)
            self.open[self._network] += 1
            if self.open[self._network] > self.limit:
                self._refuse(b"429 Too Many Requests", "too many connections from your address: close some of them")

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        if self._network:
            self.open[self._network] -= 1
            if not self.open[self._network]:
                del self.open[self._network]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._head is not None:
            self._head += len(data)
        if self._size is not None:
            self._size += len(data)
        super().data_received(data)
        # chunks and what comes after them can be larger than the body, which is counted elsewhere
        if self._size is not None and self._size > HEAD_LIMIT + 4 * self.body_limit and not self.transport.is_closing():
            self._refuse(b"413 Content Too Large", f"the request is too large: at most {self.body_limit // 1024} kB")
        if self._head is not None and self._head > HEAD_LIMIT and not self.transport.is_closing():
            self._refuse(
                b"431 Request Header Fields Too Large", f"the headers are too large: at most {HEAD_LIMIT // 1024} kB"
            )

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= PIPELINED:
            raise ValueError("too many requests at once")  # uvicorn answers 400 and hangs up
        self._head = 0 if self._head is None else self._head
        self._size = 0
        self._set_deadline()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._head is None:
            raise ValueError("nothing may follow a body")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._cancel_deadline()
        self._size = None
        super().on_message_complete()

    def _set_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.seconds, self._give_up)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        self._refuse(b"408 Request Timeout", f"a request has to arrive within {self.seconds:g} seconds")

    def _refuse(self, status: bytes, message: str) -> None:
        body = message.encode()
        head = b"HTTP/1.1 " + status + b"\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
        self.transport.write(head + b"content-length: %d\r\n\r\n" % len(body) + body)
        self.transport.close()


def limited_protocol(settings: Settings) -> type[HttpToolsProtocol]:
    """Return the protocol for these settings, as an option of uvicorn."""
    limits = {
        "limit": settings.connections, "seconds": settings.request_seconds, "body_limit": settings.body_limit,
        "open": Counter(),
    }  # fmt: skip
    return type("Protocol", (LimitedProtocol,), limits)


@functools.cache
def _trusted(allowed: str) -> _TrustedHosts:
    """Return the proxies whose word is believed: each of them speaks for many clients."""
    return _TrustedHosts(allowed)
