"""The application: store, tables, feed, pages and the JSON API, put together."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from lamplighter.errors import IllegalMove, LamplighterError
from lamplighter.version import VERSION
from lamplighter.web import api, metrics, pages, tables, views
from lamplighter.web.feed import Feed, watch
from lamplighter.web.limits import Gate
from lamplighter.web.refusals import NotNow, TooMany, status_of
from lamplighter.web.settings import Settings, from_environment
from lamplighter.web.store import Store, migrate

FOLDER = Path(__file__).parent
TIDY = 30.0  # seconds between two looks for tables that rest
PRUNE = 6 * 3600.0  # and for tables that are too old to keep
log = logging.getLogger("lamplighter.web")


class Static(StaticFiles):
    """Scripts and styles. Browsers ask whether theirs is still the newest, so that no page mixes two versions."""

    def file_response(self, *given: Any, **named: Any) -> Response:
        response = super().file_response(*given, **named)
        response.headers["cache-control"] = "no-cache"
        return response


def create_app(settings: Settings | None = None) -> FastAPI:
    """The whole server; `uvicorn --factory` calls it in every worker."""
    chosen = settings or from_environment()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(_warm, chosen)
        gc.freeze()  # what was loaded stays: searching it for garbage again and again would halt everybody
        store, feed = Store(chosen.database), Feed()
        service = tables.Tables(store, chosen, feed)
        app.state.store, app.state.feed, app.state.tables = store, feed, service
        jobs = [asyncio.create_task(_tidy(service)), asyncio.create_task(_prune(store, chosen))]
        if chosen.shared:
            jobs.append(asyncio.create_task(watch(store, feed)))
        yield
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)
        service.close()
        store.close()

    app = FastAPI(
        title="Lamplighter", version=VERSION, lifespan=lifespan, docs_url=None, redoc_url=None,
        summary="Tables of pencil-and-grid games: play, watch, replay.",
    )  # fmt: skip
    app.state.settings = chosen
    for router in api.ROUTERS:
        app.include_router(router)
    app.include_router(pages.router)
    app.mount("/static", Static(directory=FOLDER / "static"), "static")
    app.add_exception_handler(LamplighterError, _refused)
    app.add_exception_handler(RequestValidationError, _misread)
    app.add_exception_handler(HTTPException, _unknown)
    app.add_middleware(Gate, settings=chosen)
    return app


def prepare(settings: Settings) -> None:
    """What is done once, before the workers start."""
    migrate(settings.database)


def _warm(settings: Settings) -> None:
    """Load the kernels, so that the first player does not wait for them."""
    if settings.warm:
        from lamplighter.engine import shelf
        from lamplighter.web.table import load_variant, think

        for name in shelf.names():
            match = load_variant(name).match(seed="warm")
            match.roll()
            think(match, dict.fromkeys(match.waiting[:1], "greedy"))


async def _tidy(service: tables.Tables) -> None:
    while True:
        await asyncio.sleep(TIDY)
        service.tidy()
        metrics.in_memory.set(len(service))


async def _prune(store: Store, settings: Settings) -> None:
    """Throw old tables away, a few at a time, so that there is room for new ones."""
    while True:
        now = time.time()
        ages = [now - days * tables.DAY for days in (settings.keep_days, settings.keep_lobby_days)]
        try:
            old = await asyncio.to_thread(store.old_tables, *ages)
            gone = await asyncio.wrap_future(store.throw_away(old, *ages)) if old else 0
        except sa.exc.SQLAlchemyError:
            log.warning("old tables could not be thrown away", exc_info=True)
            gone = 0
        await asyncio.sleep(TIDY if gone else PRUNE)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, LamplighterError)
    status = status_of(error)
    metrics.refusals.labels(error.code).inc()
    body: dict[str, str] = {"code": error.code, "message": views.message_of(error)}
    if isinstance(error, IllegalMove):
        body |= {"rule": error.rule, "sentence": error.sentence}
    if not request.url.path.startswith("/api/"):
        return await pages.error_page(request, status, body["message"])
    view = {"view": error.view} if isinstance(error, NotNow) and error.view is not None else {}
    headers = {"retry-after": str(int(error.wait) + 1)} if isinstance(error, TooMany) else None
    return JSONResponse({"error": body, **view}, status, headers)


async def _unknown(request: Request, error: Exception) -> Response:
    """An address or a method that does not exist."""
    assert isinstance(error, HTTPException)
    if not request.url.path.startswith("/api/"):
        return await pages.error_page(request, error.status_code)
    body = {"code": "request/unknown", "message": f"{request.method} {request.url.path}: {error.detail.lower()}"}
    return JSONResponse({"error": body}, error.status_code, error.headers)


async def _misread(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    message = f"cannot read {where or 'the request'}: {first['msg'].lower()}"
    if not request.url.path.startswith("/api/"):
        return await pages.error_page(request, 400, message)
    return JSONResponse({"error": {"code": "request/bad", "message": message}}, 400)
