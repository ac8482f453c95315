"""The log of a table as it grows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import anyio
import orjson
from fastapi import APIRouter, Request
from fastapi.responses import Response
from sse_starlette import EventSourceResponse, ServerSentEvent

from lamplighter.web import views
from lamplighter.web.api.asking import look_up, tables_of
from lamplighter.web.api.bodies import REFUSALS, TableId, gives
from lamplighter.web.table import Table
from lamplighter.web.tables import Tables
from lamplighter.web.views import Viewer

router = APIRouter(responses=REFUSALS)
PING = 15  # seconds between two heartbeats of an event stream
PARTING = 2  # seconds that a stream has to end when the server stops


@router.get("/api/tables/{table_id}/events", **gives("text/event-stream"))
async def events(request: Request, table_id: TableId) -> Response:
    """The log as it grows. A browser that lost the connection goes on from the last event it saw."""
    table, viewer = await look_up(request, table_id)
    last = request.headers.get("last-event-id", "")
    after = int(last) if last.isdecimal() and len(last) < 10 else table.saved
    stop = anyio.Event()
    stream = _stream(tables_of(request), table.id, viewer, after, stop)
    return EventSourceResponse(stream, ping=PING, shutdown_event=stop, shutdown_grace_period=PARTING)


async def _stream(
    service: Tables, table_id: str, viewer: Viewer, after: int, stop: anyio.Event
) -> AsyncIterator[ServerSentEvent]:
    with service.feed.listen(table_id, list(viewer.seats)) as grown:
        stopper = asyncio.create_task(_ring_at(stop, grown))
        try:
            yield ServerSentEvent(event="hello", id=str(after), data=f'{{"seq": {after}}}', retry=1000)
            while not stop.is_set():
                grown.clear()
                table = await service.get(table_id)
                service.saw(table, viewer.seats)
                if table.saved > after:
                    yield _news(table, viewer, after)
                    after = table.saved
                await grown.wait()
        finally:
            stopper.cancel()


async def _ring_at(stop: anyio.Event, bell: asyncio.Event) -> None:
    """Wake a stream when the server stops."""
    await stop.wait()
    bell.set()


def _news(table: Table, viewer: Viewer, after: int) -> ServerSentEvent:
    data = {
        "seq": table.saved,
        "entries": views.entries(table, viewer, after),
        "waiting": list(table.waiting),
        "phase": table.phase,
    }
    return ServerSentEvent(event="log", id=str(table.saved), data=orjson.dumps(data).decode())
