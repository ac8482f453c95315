"""The application: store, tables, feed, pages and the JSON API, put together."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from lamplighter import bots, jit
from lamplighter.errors import IllegalMove, LamplighterError
from lamplighter.version import VERSION
from lamplighter.web import admin, api, i18n, kept, metrics, pages, questions
from lamplighter.web.api import older
from lamplighter.web.boxes import Boxes
from lamplighter.web.classes import ClassService
from lamplighter.web.errors import Busy, NotNow, OlderRules, TooMany, status_of
from lamplighter.web.feed import Feed
from lamplighter.web.heavy import HeavyWork
from lamplighter.web.middleware import RequestMiddleware
from lamplighter.web.progress import Progress
from lamplighter.web.puzzles import Puzzles
from lamplighter.web.reviews import Reviews
from lamplighter.web.service import DAY, MONTH, TableService, today
from lamplighter.web.settings import Settings, from_environment
from lamplighter.web.store import Store, migrate
from lamplighter.web.trouble import StoreTrouble

FOLDER = Path(__file__).parent
TIDY = 30.0  # seconds between two looks for tables that rest
PRUNE = 6 * 3600.0  # and for tables that are too old to keep
FULL_SEARCH = 300  # searches of what is young before one of everything; Python's own number is 10
log = logging.getLogger("lamplighter.web")


class Static(StaticFiles):
    """Scripts and styles. Browsers ask whether theirs is still the newest, so that no page mixes two versions."""

    def file_response(self, *given: Any, **named: Any) -> Response:
        response = super().file_response(*given, **named)
        response.headers["cache-control"] = "no-cache"
        return response


def create_app(settings: Settings | None = None, progress: Progress | None = None) -> FastAPI:
    """The whole server; every worker makes one."""
    chosen = settings or from_environment()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if chosen.warm:
            await asyncio.to_thread(load_kernels)
        i18n.languages()
        halt_seldom()
        store, feed = Store(chosen.database), Feed()
        service, heavy = TableService(store, chosen, feed), HeavyWork()
        app.state.puzzles = Puzzles(store, heavy)
        classes = app.state.classes = ClassService(service)
        app.state.store, app.state.feed, app.state.service, app.state.heavy = store, feed, service, heavy
        app.state.reviews = Reviews(store, chosen.review_seconds)
        work: list[Callable[[], Awaitable[None]]] = [
            lambda: _tidy(service),
            lambda: _prune(store, classes, chosen),
            classes.watch,
            lambda: kept.keep_all(service),
            lambda: admin.heed(service.cache),
        ]
        notices = service.cache.notices
        work += [notices.watch] if notices is not None else []
        jobs = [asyncio.create_task(_keep_running(one)) for one in work]
        yield
        await _stop(jobs)
        app.state.puzzles.close()
        heavy.close()
        await app.state.reviews.close()
        service.close()
        store.close()

    app = FastAPI(
        title="Lamplighter", version=VERSION, lifespan=lifespan, docs_url=None, redoc_url=None,
        redirect_slashes=False,  # Starlette's redirects repeat the Host header, which is anybody's word
        summary="Tables of pencil-and-grid games: play, watch, replay.",
    )  # fmt: skip
    app.state.settings, app.state.progress = chosen, progress or Progress()
    app.state.boxes = Boxes(chosen.boxes)
    for router in api.ROUTERS:
        app.include_router(router)
    app.include_router(pages.router)
    app.mount("/static", Static(directory=FOLDER / "static"), "static")
    app.add_exception_handler(LamplighterError, _refused)
    app.add_exception_handler(RequestValidationError, _misread)
    app.add_exception_handler(HTTPException, _unknown)
    app.add_middleware(RequestMiddleware, settings=chosen)
    return app


def prepare(settings: Settings) -> None:
    """What is done once, before the workers start."""
    migrate(settings.database)


def load_kernels() -> None:
    """Load the kernels of all games, so that the first player does not wait for them. Plain Python has none to load."""
    if jit.PURE:
        return
    from lamplighter import games
    from lamplighter.web.session import think
    from lamplighter.web.table import load_variant

    for name in games.names():
        match = load_variant(name).match(seed="warm")
        match.roll()
        think(match, dict.fromkeys(match.waiting[:1], bots.OPPONENT), bots.Budget())


def halt_seldom() -> None:
    """Let Python look through everything for garbage less often, since everybody waits meanwhile, up to 0.1 s.

    What was loaded stays, and is never looked at again. What is young is looked through as always, which is quick.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], FULL_SEARCH)


async def _keep_running(work: Callable[[], Awaitable[None]]) -> None:
    """Background work goes on until the server stops, whatever happens to it."""
    while True:
        try:
            await work()
        except Exception:
            log.exception("background work failed, and begins again")
            await asyncio.sleep(TIDY)


async def _stop(jobs: Sequence[asyncio.Task[None]]) -> None:
    """Cancel jobs until all have ended: in Python 3.11 a wait that ends at the same moment can swallow a cancellation."""
    waiting = set(jobs)
    while waiting:
        for job in waiting:
            job.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=1.0)


async def _tidy(service: TableService) -> None:
    while True:
        await asyncio.sleep(TIDY)
        service.cache.tidy()
        metrics.in_memory.set(len(service.cache))


async def _prune(store: Store, classes: ClassService, settings: Settings) -> None:
    """Throw old tables away, a few at a time, so that there is room for new ones."""
    while True:
        now = time.time()
        ages = [now - days * DAY for days in (settings.keep_days, settings.keep_lobby_days)]
        try:
            old = await asyncio.to_thread(store.old_tables, *ages)
            gone = await asyncio.wrap_future(store.throw_away(old, *ages)) if old else 0
            gone += await asyncio.wrap_future(classes.store.throw_away(*ages))
            await asyncio.wrap_future(store.forget_makers(now - MONTH * DAY))
            await asyncio.wrap_future(store.forget_addresses(today()))
        except StoreTrouble:
            gone = 0
        await asyncio.sleep(TIDY if gone else PRUNE)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, LamplighterError)
    if isinstance(error, OlderRules):
        try:
            return await older.answer(request, error)
        except LamplighterError as refused:
            error = refused
    status = status_of(error)
    metrics.refusals.labels(error.code).inc()
    body: dict[str, str] = {"code": error.code, "message": questions.message_of(error)}
    if isinstance(error, IllegalMove):
        body |= {"rule": error.rule, "sentence": error.told}
    if not request.scope["path"].startswith("/api/"):
        return await pages.error_page(request, status, body["message"])
    view = {"view": error.view} if isinstance(error, NotNow) and error.view is not None else {}
    headers = {"retry-after": str(math.ceil(error.wait))} if isinstance(error, TooMany | StoreTrouble | Busy) else None
    return JSONResponse({"error": body, **view}, status, headers)


async def _unknown(request: Request, error: Exception) -> Response:
    """An address or a method that does not exist; a slash too many is forgiven."""
    assert isinstance(error, HTTPException)
    path = request.scope["path"]
    if request.method == "GET" and error.status_code == 404 and len(path) > 1 and path.endswith("/"):
        return RedirectResponse("/" + path.strip("/"))
    if not path.startswith("/api/"):
        return await pages.error_page(request, error.status_code)
    body = {"code": "request/unknown", "message": f"{request.method} {path}: {error.detail.lower()}"}
    return JSONResponse({"error": body}, error.status_code, error.headers)


async def _misread(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    message = f"cannot read {where or 'the request'}: {first['msg'].lower()}"
    if not request.scope["path"].startswith("/api/"):
        return await pages.error_page(request, 400, message)
    return JSONResponse({"error": {"code": "request/bad", "message": message}}, 400)
