"""The server itself: is it well, what does it count; and links as QR codes."""

from __future__ import annotations

import asyncio
import io
import time

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from lamplighter.errors import LamplighterError
from lamplighter.web import metrics
from lamplighter.web.api.asking import tables_of
from lamplighter.web.api.bodies import REFUSALS, Link, gives

router = APIRouter(responses=REFUSALS)


@router.post("/api/qr", **gives("image/svg+xml"))
def qr_code(request: Request, wanted: Link) -> Response:
    """A link of this server as a QR code."""
    import segno

    ours = [str(request.base_url), request.app.state.settings.public or str(request.base_url)]
    if not wanted.text.startswith(tuple(ours)):
        raise LamplighterError(f"only links that begin with {ours[-1]} are drawn")
    out = io.BytesIO()
    segno.make(wanted.text, error="m").save(out, kind="svg", scale=6, border=2, xmldecl=False, light="white")
    return Response(out.getvalue(), media_type="image/svg+xml")


@router.get("/health")
async def health(request: Request) -> Response:
    """Whether the server can play: its store answers."""
    started = time.perf_counter()
    await asyncio.to_thread(tables_of(request).store.newest)
    took = round((time.perf_counter() - started) * 1e3, 1)
    return JSONResponse({"status": "ok", "tables": len(tables_of(request)), "store_ms": took})


@router.get("/metrics", **gives("text/plain"))
async def prometheus(request: Request) -> Response:
    """What the server counts, for Prometheus."""
    metrics.in_memory.set(len(tables_of(request)))
    metrics.listeners.set(tables_of(request).feed.count)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
