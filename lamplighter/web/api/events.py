"""The log of a table as it grows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import anyio
import orjson
from fastapi import APIRouter, Request
from fastapi.responses import Response
from sse_starlette import EventSourceResponse

from lamplighter.engine.reading import parse_number
from lamplighter.errors import LamplighterError
from lamplighter.web import views
from lamplighter.web.api.auth import look_up, service_of, token_of
from lamplighter.web.api.schemas import AS_SPECTATOR, REFUSALS, TableId, gives
from lamplighter.web.middleware import client_of
from lamplighter.web.service import TableService
from lamplighter.web.session import Session
from lamplighter.web.tokens import hash_token
from lamplighter.web.trouble import StoreTrouble
from lamplighter.web.views import Viewer

router = APIRouter(responses=REFUSALS)
PING = 15.0  # seconds between two heartbeats of an event stream
PARTING = 2  # seconds that a stream has to end when the server stops
UNREAD = 60.0  # seconds after which a stream that nobody reads is closed
RETRY = 1000  # milliseconds after which a browser comes back


@router.get("/api/tables/{table_id}/events", openapi_extra=AS_SPECTATOR, **gives("text/event-stream"))
async def events(request: Request, table_id: TableId) -> Response:
    """The log as it grows. A browser that lost the connection goes on from the last event it saw."""
    session, viewer = await look_up(request, table_id)
    last = request.headers.get("last-event-id", "")
    seen = parse_number(last, 9)
    after = session.saved if seen is None else seen
    stop = anyio.Event()
    service, client = service_of(request), client_of(request.scope)
    service.feed.may_listen(client, service.settings.streams)
    stream = _stream(service, session.id, viewer, hash_token(token_of(request)), client, after, stop)
    # the stream has heartbeats of its own, which scripts can hear too
    return EventSourceResponse(
        stream, ping=86400, send_timeout=UNREAD, shutdown_event=stop, shutdown_grace_period=PARTING
    )


async def _stream(
    service: TableService, table_id: str, viewer: Viewer, held: str, client: str, after: int, stop: anyio.Event
) -> AsyncIterator[bytes]:
    with service.feed.listen(table_id, viewer.seats, client) as grown:
        stopper = asyncio.create_task(_ring_at(stop, grown))
        spoken = service.feed.spoken
        try:
            yield _event("hello", {"seq": after}, after, RETRY)
            while not stop.is_set():
                grown.clear()
                patience = PING
                try:
                    session = await service.get(table_id)
                    if any(session.tokens.get(seat) != held for seat in viewer.seats):
                        return  # the seat has gone to another device: whoever asks again is told
                    service.saw(session, viewer.seats)
                    async with service.cache.steady(session) as still:
                        event = _log_event(still, viewer, after) if still.saved > after else b""
                        after = max(after, still.saved)
                except StoreTrouble as trouble:  # the stream outlives it
                    event, patience = b"", trouble.wait
                if event:
                    yield event
                for number, seat, reaction in service.feed.said(table_id, spoken):
                    spoken = number
                    yield _event("reaction", {"seat": seat, "reaction": reaction})
                try:
                    await asyncio.wait_for(grown.wait(), patience)
                except TimeoutError:
                    yield _event("ping", {})
        except LamplighterError:
            pass  # it was deleted meanwhile, or its log is damaged: who asks for the view is told
        finally:
            stopper.cancel()


async def _ring_at(stop: anyio.Event, bell: asyncio.Event) -> None:
    """Wake a stream when the server stops."""
    await stop.wait()
    bell.set()


def _log_event(session: Session, viewer: Viewer, after: int) -> bytes:
    data = {
        "seq": session.saved,
        "entries": views.entries(session, viewer, after),
        "waiting": session.table.waiting,
        "phase": session.table.phase,
    }
    return _event("log", data, session.saved)


def _event(kind: str, data: object, number: int | None = None, retry: int | None = None) -> bytes:
    """A server-sent event as it goes over the wire."""
    head = f"event: {kind}\n"
    head += f"id: {number}\n" if number is not None else ""
    head += f"retry: {retry}\n" if retry is not None else ""
    return head.encode() + b"data: " + orjson.dumps(data) + b"\n\n"
