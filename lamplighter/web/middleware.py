"""What every request passes: its size, how many its client sends, what browsers are told, what is counted and logged."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from fastapi import Request

from lamplighter.web import metrics, pages
from lamplighter.web.addresses import network_of
from lamplighter.web.bucket import Bucket
from lamplighter.web.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# where an answer depends on who asks, or in which language
PERSONAL = ("/api/tables", "/api/daily", "/api/classes", "/api/bots", "/api/puzzle", "/api/learn")
SLOWED = 0.5  # seconds for which somebody who asks too much waits for the refusal, at most
# What a request costs, where that is more than 1: by the last part of its path
COSTS = {
    "verify": 20, "replay": 10, "record": 5, "record.jsonl": 5, "record.pdf": 20, "sheets.pdf": 20, "minute.pdf": 20,
    "tables": 5, "metrics": 10, "qr": 10, "daily": 5, "openapi.json": 5, "hint": 10, "better": 4, "start": 10,
    "results.csv": 10,
}  # fmt: skip
DRAWING = 2  # the cost of a drawn sheet, alone or with the view of a table
# answered by the view of a table, with its sheet unless `sheet=false`
WITH_SHEET = re.compile(r"/api/tables/[^/]+(/(moves|undo|done|roll|unroll|call|nudge|vote|enter|seats/\d+))?")
ANEW = 3  # that of a move in a puzzle or a lesson, or a question about one: nothing is kept between two of them
STATIC = 0.1  # that of a script or a style: a page has dozens, and a whole class behind one address opens it at once
METHODS = ("GET", "HEAD", "POST", "OPTIONS")
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
log = logging.getLogger("lamplighter.access")


class Turns:
    """Lets one request of a client begin in each turn of the event loop, however many have arrived at once.

    Most requests are answered in one go. So whoever sends hundreds together keeps another client waiting for one of them.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # of the clients who have begun one in this turn

    async def wait(self, client: str) -> None:
        """Wait until it is this request's turn."""
        loop = asyncio.get_running_loop()
        if client not in self._waiting:
            self._waiting[client] = deque()
            loop.call_soon(self._next, loop, client)
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting[client].append(turn)
        await turn

    def _next(self, loop: asyncio.AbstractEventLoop, client: str) -> None:
        waiting = self._waiting[client]
        while waiting and waiting[0].done():  # whoever waited was cancelled
            waiting.popleft()
        if not waiting:
            del self._waiting[client]
            return
        waiting.popleft().set_result(None)
        loop.call_soon(self._next, loop, client)  # after the request that begins now


def cost_of(path: str, query: bytes = b"") -> float:
    """Return what a request costs, in ordinary requests.

    >>> cost_of("/api/tables/abc/verify"), cost_of("/api/tables/abc/sheets/0.svg"), cost_of("/api/tables/abc")
    (20, 2, 2)
    >>> cost_of("/api/tables/abc", b"seat=1&sheet=false"), cost_of("/api/tables/abc/done"), cost_of("/api/tables/abc/votes")
    (1, 2, 1)
    >>> cost_of("/static/table.js"), cost_of("/api/puzzle/game/2026-01-31")
    (0.1, 3)
    """
    if path.startswith("/static/"):
        return STATIC
    if path.startswith(("/api/puzzle/", "/api/learn/")):
        return ANEW
    last = path.rpartition("/")[2]
    drawn = last.endswith(".svg") or (WITH_SHEET.fullmatch(path) and dict(parse_qsl(query)).get(b"sheet") != b"false")
    return COSTS.get(last, DRAWING if drawn else 1)


def is_foreign(headers: Mapping[bytes, bytes], public: str) -> bool:
    """Return whether a browser says that a page of another site sends this. Programs say nothing, and need a token."""
    site, origin = headers.get(b"sec-fetch-site"), headers.get(b"origin")
    if site in (b"same-origin", b"none") or (site is None and origin is None):
        return False
    if site == b"cross-site" or origin is None:
        return site == b"cross-site"
    host = re.sub(":(80|443)$", "", headers.get(b"host", b"").decode("latin-1").lower())
    try:
        sender = urlsplit(origin.decode("latin-1").lower())
        names = (sender.netloc, sender.hostname, urlsplit(public.lower()).netloc)
    except ValueError:
        return True
    # a proxy may leave out the port; a page without an origin of its own says `null`
    return not sender.netloc or (host not in names[:2] and sender.netloc != names[2])


class RequestMiddleware:
    """The outermost layer of the application."""

    def __init__(self, app: App, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.bucket, self.turns = Bucket(settings.rate, settings.burst), Turns()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()
        status: int | None = None

        async def reply(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *_RAW_HEADERS, *_caching(scope, message["headers"])]
            await send(message)

        try:
            await self._pass(scope, receive, reply)
        except Exception:
            log.exception("a mistake of the server")
            if status is None:
                await _refuse(
                    scope, reply, 500, "server/mistake", "the server had an error: your moves are safe, try again"
                )
        finally:
            self._note(scope, status or 500, time.perf_counter() - started)

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_of(scope)
        wait = self.bucket.take(client, cost_of(scope["path"], scope["query_string"]))
        if wait:
            # else whoever asks at once again would keep the server busy refusing
            await asyncio.sleep(min(wait, SLOWED))
            later = [(b"retry-after", str(int(wait) + 1).encode())]
            await _refuse(scope, send, 429, "rate/too-many", "too many requests: wait a moment", later)
            return
        await self.turns.wait(client)
        headers = dict(scope["headers"])
        if scope["method"] == "POST" and is_foreign(headers, self.settings.public):
            await _refuse(scope, send, 403, "request/cross-site", "another site tried to act for you here")
            return
        announced = headers.get(b"content-length", b"0")
        limit = self.settings.body_limit
        too_large = f"the request is too large: at most {limit // 1024} kB"
        if announced.isdigit() and (len(announced) > 12 or int(announced) > limit):
            await _refuse(scope, send, 413, "body/too-large", too_large)
            return
        size = 0

        async def counted() -> Message:
            """What comes, up to the limit; then the rest of the body is not read."""
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            return {"type": "http.disconnect"} if size > limit else message

        async def sized(message: Message) -> None:
            if size <= limit:
                await send(message)

        try:
            await self.app(scope, counted, sized)
        finally:
            if size > limit:
                await _refuse(scope, send, 413, "body/too-large", too_large)

    @staticmethod
    def _note(scope: Scope, status: int, seconds: float) -> None:
        route = scope.get("route")
        path = "other" if status == 405 else getattr(route, "path", "other")
        method = scope["method"] if scope["method"] in METHODS else "other"  # else strangers could make up any number
        metrics.requests.labels(method, path, status).observe(seconds)
        if log.isEnabledFor(logging.INFO):
            facts = {"method": method, "route": path, "status": status, "ms": round(seconds * 1e3, 1)}
            log.info("request", extra={"facts": facts})


def _caching(scope: Scope, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """What caches have to know: an answer that says nothing is not kept, and tables look different to everybody."""
    named = {name.lower() for name, _ in headers}
    found = [] if b"cache-control" in named else [(b"cache-control", b"no-store")]
    if scope["path"].startswith(PERSONAL):
        found.append((b"vary", b"Authorization, Cookie, Accept-Language"))
    return found


def client_of(scope: Scope) -> str:
    """Whom a request comes from: an IPv4 address, or a network of IPv6."""
    client = scope.get("client")
    return network_of(client[0]) if client else ""


async def _refuse(
    scope: Scope, send: Send, status: int, code: str, message: str, headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    """Refuse with a page where a browser wants one, else with JSON."""
    metrics.refusals.labels(code).inc()
    varies = b"Accept"
    if b"text/html" in dict(scope["headers"]).get(b"accept", b""):
        kind, body = b"text/html; charset=utf-8", bytes((await pages.error_page(Request(scope), status)).body)
        varies = b"Accept, Accept-Language, Cookie"
    else:
        kind, body = b"application/json", json.dumps({"error": {"code": code, "message": message}}).encode()
    sizes = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"vary", varies)]
    await send({"type": "http.response.start", "status": status, "headers": [*sizes, *(headers or [])]})
    await send({"type": "http.response.body", "body": body})


class JsonLines(logging.Formatter):
    """A log line as a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        row = {"at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "level": record.levelname.lower()}
        row |= {"logger": record.name, "message": record.getMessage(), **getattr(record, "facts", {})}
        if record.exc_info:
            row["error"] = self.formatException(record.exc_info)
        return json.dumps(row, ensure_ascii=False)
