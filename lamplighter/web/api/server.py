"""The server itself: is it well, what does it count; and links as QR codes."""

from __future__ import annotations

import asyncio
import io
import time

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from lamplighter import games
from lamplighter.errors import LamplighterError
from lamplighter.web import metrics
from lamplighter.web.addresses import is_loopback
from lamplighter.web.api.auth import service_of
from lamplighter.web.api.schemas import REFUSALS, Link, ServerState, gives
from lamplighter.web.errors import NotYours
from lamplighter.web.progress import Progress
from lamplighter.web.trouble import StoreTrouble

router = APIRouter(responses=REFUSALS)
LONGEST = 5.0  # seconds that the store has to answer when somebody asks for the server's health
RETRY = "5"  # seconds until it should be asked again


@router.post("/api/qr", **gives("image/svg+xml"))
def qr_code(request: Request, wanted: Link) -> Response:
    """A link of this server as a QR code."""
    import segno

    ours = (str(request.base_url), request.app.state.settings.public or str(request.base_url))
    if not wanted.text.startswith(ours):
        raise LamplighterError(
            "only links to this server can be shown as a code"
        )  # a Host header is anybody's word: not repeated
    out = io.BytesIO()
    segno.make(wanted.text, error="m").save(out, kind="svg", scale=6, border=2, xmldecl=False, light="white")
    return Response(out.getvalue(), media_type="image/svg+xml")


@router.get("/health")
async def health(request: Request) -> Response:
    """Tell whether the store can be read and written, and how many workers serve."""
    service, progress = service_of(request), request.app.state.progress
    started = time.perf_counter()
    workers = {"workers": progress.serving, "workers_wanted": service.settings.workers}
    try:
        async with asyncio.timeout(LONGEST):
            await asyncio.to_thread(service.store.check)
    except (TimeoutError, StoreTrouble):
        message = "the database cannot be reached: moves are refused until it can"
        return JSONResponse({"status": "trouble", "message": message, **workers}, 503, {"retry-after": RETRY})
    took = round((time.perf_counter() - started) * 1e3, 1)
    status = "ok" if progress.serving >= service.settings.workers else "degraded"
    return JSONResponse({"status": status, "tables": len(service.cache), "store_ms": took, **workers})


@router.get("/api/server")
async def state(request: Request) -> ServerState:
    """Whether games are still being compiled: until then bots think in plain Python, which takes them longer."""
    progress: Progress = request.app.state.progress
    if progress.game is None:
        return ServerState(compiling=None, ready=len(games.names()), games=len(games.names()))
    return ServerState(compiling=games.load(progress.game).title, ready=progress.ready, games=progress.games)


@router.get("/metrics", **gives("text/plain"))
async def prometheus(request: Request) -> Response:
    """Return the metrics for Prometheus: to this machine, or to everybody with the setting `public_metrics`."""
    asks = request.client.host if request.client else ""
    if not service_of(request).settings.public_metrics and not is_loopback(asks):
        raise NotYours("only this machine may read the metrics; the setting public_metrics changes that")
    metrics.in_memory.set(len(service_of(request).cache))
    metrics.listeners.set(service_of(request).feed.count)
    return Response(await asyncio.to_thread(generate_latest), media_type=CONTENT_TYPE_LATEST)
