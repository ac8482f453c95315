"""The log of a table as it grows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import anyio
import orjson
from fastapi import APIRouter, Request
from fastapi.responses import Response
from sse_starlette import EventSourceResponse

from lamplighter.web import views
from lamplighter.web.api.asking import look_up, tables_of
from lamplighter.web.api.bodies import AS_SPECTATOR, REFUSALS, TableId, gives
from lamplighter.web.limits import client_of
from lamplighter.web.table import Table
from lamplighter.web.tables import Tables
from lamplighter.web.views import Viewer

router = APIRouter(responses=REFUSALS)
PING = 15.0  # seconds between two heartbeats of an event stream
PARTING = 2  # seconds that a stream has to end when the server stops
RETRY = 1000  # milliseconds after which a browser comes back


@router.get("/api/tables/{table_id}/events", openapi_extra=AS_SPECTATOR, **gives("text/event-stream"))
async def events(request: Request, table_id: TableId) -> Response:
    """The log as it grows. A browser that lost the connection goes on from the last event it saw."""
    table, viewer = await look_up(request, table_id)
    last = request.headers.get("last-event-id", "")
    after = int(last) if last.isdecimal() and len(last) < 10 else table.saved
    stop = anyio.Event()
    service, client = tables_of(request), client_of(request.scope)
    service.feed.may_listen(client, service.settings.streams)
    stream = _stream(service, table, viewer, client, after, stop)
    # the stream has heartbeats of its own, which scripts can hear too
    return EventSourceResponse(stream, ping=86400, shutdown_event=stop, shutdown_grace_period=PARTING)


async def _stream(
    service: Tables, table: Table, viewer: Viewer, client: str, after: int, stop: anyio.Event
) -> AsyncIterator[bytes]:
    with service.feed.listen(table.id, viewer.seats, client) as grown:
        stopper = asyncio.create_task(_ring_at(stop, grown))
        try:
            yield _event("hello", {"seq": after}, after, RETRY)
            while not stop.is_set():
                grown.clear()
                table = await service.get(table.id)
                service.saw(table, viewer.seats)
                async with service.steady(table) as still:
                    news = _news(still, viewer, after) if still.saved > after else b""
                    after = max(after, still.saved)
                if news:
                    yield news
                try:
                    await asyncio.wait_for(grown.wait(), PING)
                except TimeoutError:
                    yield _event("ping", {})
        finally:
            stopper.cancel()


async def _ring_at(stop: anyio.Event, bell: asyncio.Event) -> None:
    """Wake a stream when the server stops."""
    await stop.wait()
    bell.set()


def _news(table: Table, viewer: Viewer, after: int) -> bytes:
    data = {
        "seq": table.saved,
        "entries": views.entries(table, viewer, after),
        "waiting": table.waiting,
        "phase": table.phase,
    }
    return _event("log", data, table.saved)


def _event(kind: str, data: object, number: int | None = None, retry: int | None = None) -> bytes:
    """A server-sent event as it goes over the wire."""
    head = f"event: {kind}\n"
    head += f"id: {number}\n" if number is not None else ""
    head += f"retry: {retry}\n" if retry is not None else ""
    return head.encode() + b"data: " + orjson.dumps(data) + b"\n\n"
