"""What every request passes: its size, how many its client sends, what browsers are told, what is counted and logged."""

from __future__ import annotations

import json
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from fastapi import Request

from lamplighter.web import metrics, pages
from lamplighter.web.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

CLIENTS = 10_000  # whose rate is remembered
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


class Bucket:
    """So many requests at once, and so many a second in the long run."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> float:
        """Take one; 0 if there was one, else the seconds to wait."""
        now = time.monotonic()
        left, then = self._left.pop(client, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.rate)
        ok = left >= 1
        self._left[client] = (left - 1 if ok else left, now)
        if len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        return 0.0 if ok else (1 - left) / self.rate


class Gate:
    """The outermost layer of the application."""

    def __init__(self, app: App, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.bucket = Bucket(settings.rate, settings.burst)

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
                message["headers"] = [*message["headers"], *_RAW_HEADERS]
            await send(message)

        try:
            await self._pass(scope, receive, reply)
        except Exception:
            log.exception("a mistake of the server")
            if status is None:
                await _refuse(scope, reply, 500, "server/mistake", "the server made a mistake: it is noted")
        finally:
            self._note(scope, status or 500, time.perf_counter() - started)

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait = self.bucket.take(client_of(scope))
        if wait:
            headers = [(b"retry-after", str(int(wait) + 1).encode())]
            await _refuse(scope, send, 429, "rate/too-many", "too many requests: wait a moment", headers)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        limit = self.settings.body_limit
        too_large = f"a request may have {limit // 1024} kB"
        if announced.isdigit() and int(announced) > limit:
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
        path = getattr(route, "path", "other")
        metrics.requests.labels(scope["method"], path, status).observe(seconds)
        if log.isEnabledFor(logging.INFO):
            facts = {"method": scope["method"], "route": path, "status": status, "ms": round(seconds * 1e3, 1)}
            log.info("request", extra={"facts": facts})


def client_of(scope: Scope) -> str:
    """Whom a request comes from."""
    client = scope.get("client")
    return client[0] if client else ""


async def _refuse(
    scope: Scope, send: Send, status: int, code: str, message: str, headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    """Refuse with a page where a browser wants one, else with JSON."""
    metrics.refusals.labels(code).inc()
    if b"text/html" in dict(scope["headers"]).get(b"accept", b""):
        kind, body = b"text/html; charset=utf-8", bytes((await pages.error_page(Request(scope), status)).body)
    else:
        kind, body = b"application/json", json.dumps({"error": {"code": code, "message": message}}).encode()
    sizes = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
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
