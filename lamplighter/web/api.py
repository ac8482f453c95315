"""The JSON API: tables, moves, events. Browsers and programs use the same one."""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

import anyio
from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, ConfigDict, Field
from sse_starlette import EventSourceResponse, ServerSentEvent

from lamplighter import bots
from lamplighter.engine import shelf
from lamplighter.errors import LamplighterError
from lamplighter.web import metrics, views
from lamplighter.web.limits import Bucket, client_of
from lamplighter.web.refusals import Damaged, NotNow, NotYours, TooMany
from lamplighter.web.store import Conflict
from lamplighter.web.table import Table, hash_token, load_variant
from lamplighter.web.tables import Tables, today
from lamplighter.web.views import Viewer

LEVELS = {"uniform": "beginner"}  # a friendlier word for a bot's name; others go by their own
PING = 15  # seconds between two heartbeats of an event stream
PARTING = 2  # seconds that a stream has to end when the server stops
YEAR = 365 * 24 * 3600


class Error(BaseModel):
    """Why something was refused."""

    code: str
    message: str
    rule: str | None = None
    sentence: str | None = None


class Refusal(BaseModel):
    """Every refusal looks like this; a stale move also brings the table as it is now."""

    error: Error
    view: dict[str, Any] | None = None


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": words}
    for status, words in {
        400: "It cannot be read.",
        403: "Not your seat.",
        404: "No such game, table or seat.",
        409: "Not as the table stands now.",
        413: "Too large.",
        422: "Refused by a rule.",
        429: "Too many.",
    }.items()
}
router = APIRouter(responses=REFUSALS)


def _gives(media_type: str) -> dict[str, Any]:
    """What an address says of itself that answers with something other than JSON."""
    content: dict[int | str, dict[str, Any]] = {200: {"content": {media_type: {}}, "description": "It."}}
    return {"response_class": Response, "responses": content}


Word = Annotated[str, Field(max_length=200)]
Name = Annotated[str, Field(max_length=80)]
Key = Annotated[str, Field(pattern=r"^[!-~]{1,80}$")]
SeatNumber = Annotated[int, Field(ge=0, le=63)]
TABLE_ID = r"^[A-Za-z0-9_-]{1,24}$"
TableId = Annotated[str, Path(pattern=TABLE_ID)]
Theme = Annotated[Literal["light", "dark", "contrast", "print", "low-ink"], Query()]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewTable(Body):
    """What is played, and who sits where: `me`, `open` or `bot:NAME` for each seat."""

    variant: Annotated[str, Field(max_length=400, examples=["connect_four?seats=2"])]
    seats: Annotated[list[Word], Field(max_length=64)] = []
    name: Name = ""
    names: Annotated[list[Name], Field(max_length=64)] = []
    kind: Literal["table", "caller"] = "table"
    rolls: Literal["seeded", "typed"] = "seeded"
    same_dice_as: Annotated[str, Field(pattern=TABLE_ID)] | None = None
    ghost_seat: SeatNumber | None = None


class Join(Body):
    name: Name
    seat: SeatNumber | None = None


class Session(Body):
    token: Annotated[str, Field(max_length=100)]


class Move(Body):
    """A move as text, the version of the seat that was seen, and a word that makes a second try harmless."""

    seat: SeatNumber
    move: Word
    version: Annotated[int, Field(ge=0, le=2**31 - 1)]
    key: Key
    done: bool = True


class TakeBack(Body):
    seat: SeatNumber
    version: Annotated[int, Field(ge=0, le=2**31 - 1)]
    key: Key


class OneSeat(Body):
    seat: SeatNumber


class Question(Body):
    """A move as text, or what was pointed at."""

    seat: SeatNumber
    move: Word = ""
    source: Word = ""
    cell: Word = ""
    lie: Word = ""


class SeatChange(Body):
    """Exactly one of these."""

    bot: Word | None = None
    person: bool | None = None
    name: Name | None = None


class Roll(Body):
    text: Annotated[str, Field(max_length=1000)]


class Names(Body):
    names: Annotated[list[Name], Field(max_length=64)] = []


class OneName(Body):
    name: Name = ""


class Link(Body):
    text: Annotated[str, Field(max_length=500)]


class Seated(BaseModel):
    """A seat was taken: the token is its key, and the link has it in the fragment."""

    id: str
    token: str
    seats: list[int]
    url: str


# --- who asks ---------------------------------------------------------------------------------------------------


def tables_of(request: Request) -> Tables:
    service: Tables = request.app.state.tables
    return service


async def find_table(request: Request, table_id: TableId) -> Table:
    return await tables_of(request).get(table_id)


FoundTable = Annotated[Table, Depends(find_table)]


async def find_viewer(request: Request, table: FoundTable) -> Viewer:
    """Who asks, by the token in the header or the cookie."""
    kind, _, shown = request.headers.get("authorization", "").partition(" ")
    token = shown if kind.lower() == "bearer" else request.cookies.get("seat", "")
    if not token:
        return Viewer()
    hashed = hash_token(token)
    viewer = Viewer(tuple(sorted(s for s, held in table.tokens.items() if held == hashed)), hashed == table.row.host)
    tables_of(request).saw(table, viewer.seats)
    return viewer


Asker = Annotated[Viewer, Depends(find_viewer)]


def _own(viewer: Viewer, seat: int, table: Table) -> int:
    if seat >= len(table.seats):
        raise LamplighterError(f"there is no seat {seat}: seats are 0 to {len(table.seats) - 1}")
    if seat not in viewer.seats:
        raise NotYours(f"seat {seat} is not yours")
    return seat


def _seat(table: Table, seat: int) -> int:
    if not 0 <= seat < len(table.seats):
        raise LamplighterError(f"there is no seat {seat}: seats are 0 to {len(table.seats) - 1}")
    return seat


def _player(viewer: Viewer) -> None:
    if not viewer.seats and not viewer.host:
        raise NotYours("only who sits at the table can do this")


# --- games ------------------------------------------------------------------------------------------------------


@router.get("/api/games")
def games() -> list[dict[str, Any]]:
    """The games there are, with their options."""
    return [_describe(name) for name in shelf.names()]


def _describe(name: str) -> dict[str, Any]:
    game = shelf.load(name)
    options = [
        {"name": option.name, "help": option.help, "values": list(option.values), "default": option.default}
        for option in game.options
    ]
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "source": game.source,
        "seats": list(game.seats),
        "default_seats": game.default_seats,
        "options": options,
        "callable": is_callable(name),
    }


def is_callable(variant_text: str) -> bool:
    """Whether a screen can call for people on paper: something is drawn, and nothing is dealt to one of several."""
    match = load_variant(variant_text).match(seed="call")
    match.roll()
    drawn = [entry for entry in match.log if entry.kind == "chance"]
    return bool(drawn) and (len(match.players) == 1 or all(entry.seat is None for entry in drawn))


@router.get("/api/games/{game}/sheet.svg", **_gives("image/svg+xml"))
async def sample_sheet(game: str, theme: Theme = "light") -> Response:
    """A sheet in the middle of a match, to look at."""
    drawn = await asyncio.to_thread(_sample, game, theme)
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "public, max-age=3600"})


def _sample(game: str, theme: str) -> str:
    from lamplighter.web.table import think

    match = load_variant(game).match(seed="sample")
    for _ in range(200):
        match.roll()
        if match.is_over or len([entry for entry in match.log if entry.kind == "move"]) >= 9 * match.variant.seats:
            break
        think_once = match.copy()
        for seat, text in think(think_once, dict.fromkeys(match.waiting, "greedy")):
            match.play(text, seat)
    return match.position.seen_by(0).svg(0, theme=theme)


@router.get("/api/games/{game}/sheets.pdf", **_gives("application/pdf"))
async def blank_sheets(game: str, variant: Annotated[str, Query(max_length=400)] = "") -> Response:
    """Blank sheets to print."""
    from lamplighter.paper.game import print_game

    chosen = load_variant(variant or game)
    if chosen.game.id != game:
        raise LamplighterError(f"{variant!r} is not a variant of {game!r}")
    pdf = await asyncio.to_thread(print_game, chosen)
    return Response(pdf, media_type="application/pdf", headers=_download(f"{game}.pdf"))


@router.get("/api/bots")
def all_bots() -> list[dict[str, str]]:
    """Who can sit in for a person."""
    return [{"name": bot.name, "level": LEVELS.get(bot.name, bot.name), "help": bot.help} for bot in bots.BOTS.values()]


# --- tables -----------------------------------------------------------------------------------------------------


def _may_lay(request: Request) -> None:
    """So many tables an hour for one client."""
    settings = request.app.state.settings
    bucket = getattr(request.app.state, "laid", None)
    if bucket is None:
        bucket = request.app.state.laid = Bucket(settings.tables_per_hour / 3600, settings.tables_per_hour)
    wait = bucket.take(client_of(request.scope))
    if wait:
        raise TooMany(f"you have laid {settings.tables_per_hour} tables in an hour: play one of them", wait)


def _seated(request: Request, table: Table, token: str, seats: list[int], status: int = 201) -> JSONResponse:
    body = Seated(id=table.id, token=token, seats=seats, url=f"/t/{table.id}#seat={token}")
    response = JSONResponse(body.model_dump(), status)
    _give_cookie(request, response, "seat", token, f"/api/tables/{table.id}")
    return response


def _give_cookie(request: Request, response: Response, name: str, value: str, path: str) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=YEAR, path=path, httponly=True, samesite="lax", secure=secure)


@router.post("/api/tables", status_code=201, response_model=Seated)
async def lay_table(request: Request, wanted: NewTable) -> Response:
    """Lay a table, with seats for oneself, for friends and for bots."""
    _may_lay(request)
    service, seed = tables_of(request), None
    if wanted.same_dice_as is not None:
        source = await service.get(wanted.same_dice_as)
        if not views.is_open(source) or source.row.seed is None:
            raise NotNow(
                "its dice can be played again when they are told: after the end, of a daily match the next day"
            )
        seed = source.row.seed
        if source.row.variant != load_variant(wanted.variant).text:
            raise LamplighterError(f"these dice belong to {source.row.variant!r}: play the same variant")
    variant, seats = load_variant(wanted.variant), wanted.seats
    if wanted.kind == "caller":
        if not is_callable(variant.text):
            raise NotNow("this game deals to each player: its cards have to be on the table")
        seats = ["bot:uniform"] * variant.seats
    table, token, mine = await service.create(
        wanted.variant, seats, wanted.names or [wanted.name], wanted.kind, wanted.rolls == "typed", seed,
        wanted.same_dice_as, wanted.ghost_seat,
    )  # fmt: skip
    return _seated(request, table, token, mine)


@router.post("/api/tables/{table_id}/join", response_model=Seated)
async def join(request: Request, table: FoundTable, wanted: Join) -> Response:
    """Take an open seat."""
    token, seat = await tables_of(request).join(table, wanted.name, wanted.seat)
    return _seated(request, table, token, [seat], 200)


@router.post("/api/tables/{table_id}/session")
async def open_session(request: Request, table: FoundTable, shown: Session) -> Response:
    """Show a token; a cookie remembers it."""
    hashed = hash_token(shown.token)
    seats = sorted(seat for seat, held in table.tokens.items() if held == hashed)
    if not seats and hashed != table.row.host:
        raise NotYours("this link opens no seat at this table")
    response = JSONResponse({"seats": seats})
    _give_cookie(request, response, "seat", shown.token, f"/api/tables/{table.id}")
    return response


@router.post("/api/tables/{table_id}/leave")
async def leave(table: FoundTable) -> Response:
    """Forget the seat on this device."""
    response = JSONResponse({"seats": []})
    response.delete_cookie("seat", path=f"/api/tables/{table.id}")
    return response


async def _view(
    request: Request, table: Table, viewer: Viewer, seat: int | None = None, sheet: bool = True
) -> dict[str, Any]:
    service = tables_of(request)
    ghost = None
    if table.row.ghost is not None and table.row.source is not None:
        ghost = views.ghost(table, await service.get(table.row.source))
    async with table.lock:
        if table.saved == table.seq:
            return views.show(service, table, viewer, seat, sheet) | {"ghost": ghost}
    return await _view(request, await service.get(table.id), viewer, seat, sheet)  # that one could not be written


@router.get("/api/tables/{table_id}")
async def view_table(
    request: Request,
    table: FoundTable,
    viewer: Asker,
    seat: Annotated[int | None, Query(ge=0, le=63)] = None,
    sheet: bool = True,
) -> Response:
    """The table as the asker may see it. Programs that draw for themselves ask with `sheet=false`."""
    return JSONResponse(await _view(request, table, viewer, seat, sheet), headers={"cache-control": "no-store"})


async def _changed(request: Request, table: Table, viewer: Viewer, job: Any, seat: int | None, sheet: bool) -> Response:
    """Carry a change out and answer with the table as it is then; also when the change came too late."""
    try:
        await job
    except NotNow as error:
        fresh = await tables_of(request).get(table.id)
        error.view = await _view(request, fresh, viewer, seat, sheet)
        raise
    return JSONResponse(await _view(request, table, viewer, seat, sheet))


@router.post("/api/tables/{table_id}/moves")
async def play(request: Request, table: FoundTable, viewer: Asker, wanted: Move, sheet: bool = True) -> Response:
    """Play a move."""
    seat = _own(viewer, wanted.seat, table)
    job = tables_of(request).play(table, seat, wanted.move, wanted.version, wanted.key, wanted.done)
    return await _changed(request, table, viewer, job, seat, sheet)


@router.post("/api/tables/{table_id}/undo")
async def take_back(
    request: Request, table: FoundTable, viewer: Asker, wanted: TakeBack, sheet: bool = True
) -> Response:
    """Take the last move of a seat back."""
    seat = _own(viewer, wanted.seat, table)
    job = tables_of(request).take_back(table, seat, wanted.version, wanted.key)
    return await _changed(request, table, viewer, job, seat, sheet)


@router.post("/api/tables/{table_id}/done")
async def done(request: Request, table: FoundTable, viewer: Asker, wanted: OneSeat) -> Response:
    """Nothing will be taken back: let the roll come."""
    seat = _own(viewer, wanted.seat, table)
    return await _changed(request, table, viewer, tables_of(request).release(table), seat, True)


@router.post("/api/tables/{table_id}/explain")
async def explain(table: FoundTable, viewer: Asker, asked: Question) -> Response:
    """Why a move is refused."""
    seat = _own(viewer, asked.seat, table)
    async with table.lock:
        return JSONResponse(views.explain(table, seat, asked.move, asked.source, asked.cell, asked.lie))


@router.get("/api/tables/{table_id}/lines/{line}")
async def line(table: FoundTable, viewer: Asker, line: str, seat: Annotated[int, Query(ge=0, le=63)] = 0) -> Response:
    """The cells behind a scoring line."""
    return JSONResponse({"cells": views.line_cells(table, viewer, _seat(table, seat), line)})


@router.get("/api/tables/{table_id}/sheets/{seat}.svg", **_gives("image/svg+xml"))
async def sheet_picture(
    table: FoundTable,
    viewer: Asker,
    seat: Annotated[int, Path(ge=0, le=63)],
    theme: Theme = "light",
    large: bool = False,
    seq: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
) -> Response:
    """A seat's sheet as a picture, as the asker may see it."""
    drawn = views.draw_sheet(table, viewer, _seat(table, seat), theme, large, seq)
    return Response(
        drawn, media_type="image/svg+xml", headers={"cache-control": "private, max-age=60", "vary": "cookie"}
    )


@router.post("/api/tables/{table_id}/seats/{seat}")
async def change_seat(
    request: Request, table: FoundTable, viewer: Asker, seat: Annotated[int, Path(ge=0, le=63)], wanted: SeatChange
) -> Response:
    """Give a seat to a bot, take it back, or change one's name."""
    service, number = tables_of(request), _seat(table, seat)
    if len(wanted.model_fields_set) != 1:
        raise LamplighterError("say one thing: bot, person or name")
    if wanted.bot is not None:
        job = service.give_to_bot(table, number, wanted.bot, viewer.seats, viewer.host)
    elif wanted.name is not None:
        job = service.rename(table, _own(viewer, number, table), wanted.name)
    else:
        job = service.give_back(table, _own(viewer, number, table))
    return await _changed(request, table, viewer, job, None, True)


@router.post("/api/tables/{table_id}/nudge")
async def nudge(request: Request, table: FoundTable, viewer: Asker, wanted: OneSeat) -> Response:
    """Remind somebody gently."""
    _player(viewer)
    job = tables_of(request).nudge(table, _seat(table, wanted.seat))
    return await _changed(request, table, viewer, job, None, True)


@router.post("/api/tables/{table_id}/roll")
async def roll(request: Request, table: FoundTable, viewer: Asker, wanted: Roll) -> Response:
    """Type in what was rolled on a real table."""
    _player(viewer)
    return await _changed(request, table, viewer, tables_of(request).roll(table, wanted.text), None, True)


@router.post("/api/tables/{table_id}/call")
async def call(request: Request, table: FoundTable, viewer: Asker) -> Response:
    """Roll or flip for people on paper."""
    _player(viewer)
    return await _changed(request, table, viewer, tables_of(request).call(table), None, True)


@router.post("/api/tables/{table_id}/enter", status_code=201, response_model=Seated)
async def enter(request: Request, table: FoundTable, viewer: Asker, wanted: Names) -> Response:
    """Lay a table with the dice that were called, where the sheets on paper are tapped in."""
    _player(viewer)
    if table.row.kind != "caller":
        raise NotNow("sheets are entered behind a table that calls")
    _may_lay(request)
    seed = table.row.seed if table.match.is_over else None  # before the end only what was called may be known there
    new, token, mine = await tables_of(request).create(
        table.row.variant, ["me"] * len(table.seats), wanted.names, "entry", seed is None, seed, table.id,
    )  # fmt: skip
    return _seated(request, new, token, mine)


@router.post("/api/tables/{table_id}/rematch")
async def rematch(request: Request, table: FoundTable, viewer: Asker) -> Response:
    """The same seats at a new table."""
    _player(viewer)
    _may_lay(request)
    return JSONResponse({"id": await tables_of(request).again(table)})


# --- live -------------------------------------------------------------------------------------------------------


@router.get("/api/tables/{table_id}/events", **_gives("text/event-stream"))
async def events(request: Request, table: FoundTable, viewer: Asker) -> Response:
    """The log as it grows. A browser that lost the connection goes on from the last event it saw."""
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
            yield ServerSentEvent(event="hello", id=str(after), data=json.dumps({"seq": after}), retry=1000)
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
    return ServerSentEvent(event="log", id=str(table.saved), data=json.dumps(data))


# --- afterwards -------------------------------------------------------------------------------------------------


def _download(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}


def _finished(table: Table) -> Any:
    if not table.match.is_over:
        raise NotNow("the record can be had when the match is over")
    return views.record(table)


@router.get("/api/tables/{table_id}/replay")
async def replay(table: FoundTable) -> Response:
    """Every step of a finished match."""
    return JSONResponse(views.replay(table))


@router.get("/api/tables/{table_id}/record", **_gives("text/plain"))
async def record_text(table: FoundTable) -> Response:
    """A finished match as a text file."""
    return PlainTextResponse(_finished(table).text, headers=_download(f"{table.row.game}-{table.id}.txt"))


@router.get("/api/tables/{table_id}/record.jsonl", **_gives("text/plain"))
async def record_lines(table: FoundTable) -> Response:
    """A finished match as JSON lines."""
    from lamplighter.engine.record import format_json_lines

    lines = format_json_lines(_finished(table))
    return PlainTextResponse(lines, headers=_download(f"{table.row.game}-{table.id}.jsonl"))


@router.get("/api/tables/{table_id}/record.pdf", **_gives("application/pdf"))
async def record_pdf(table: FoundTable) -> Response:
    """A finished match to print."""
    from lamplighter.paper.match import print_match

    pdf = await asyncio.to_thread(print_match, _finished(table))
    return Response(pdf, media_type="application/pdf", headers=_download(f"{table.row.game}-{table.id}.pdf"))


@router.get("/api/tables/{table_id}/verify")
async def verify(request: Request, table_id: TableId) -> Response:
    """Check a finished match, as the store has it, against the hash that was shown at its start."""
    service = tables_of(request)
    try:
        table = await service.reread(table_id)
    except Damaged as error:
        return JSONResponse({"ok": False, "checks": [{"name": "log", "ok": False, "detail": str(error)}]})
    _finished(table)
    return JSONResponse(views.verify(table, await asyncio.to_thread(service.store.totals, table_id)))


# --- the daily match --------------------------------------------------------------------------------------------


def daily_variant(game: str) -> str:
    """What is played every day: the game as it comes, with as few seats as it has."""
    return f"{game}?seats={shelf.load(game).seats[0]}"


@router.get("/api/daily")
async def daily(request: Request) -> Response:
    """Today's matches and their boards."""
    store, day, browser = tables_of(request).store, today(), request.cookies.get("browser", "")
    rows = []
    for name in shelf.own_names():
        mine = await asyncio.to_thread(store.daily_table, day, name, hash_token(browser)) if browser else None
        board = await asyncio.to_thread(store.board, day, name)
        rows.append({"game": name, "title": shelf.load(name).title, "day": day, "board": board, "mine": mine})
    return JSONResponse(rows, headers={"cache-control": "no-store"})


@router.post("/api/daily/{game}", status_code=201, response_model=Seated)
async def play_daily(request: Request, game: str, wanted: OneName) -> Response:
    """Begin today's match: the same dice for everybody, one try for each browser."""
    from lamplighter.web.table import new_token

    service, day = tables_of(request), today()
    variant = load_variant(daily_variant(shelf.load(game).id))
    browser = request.cookies.get("browser", "") or new_token()
    known = await asyncio.to_thread(service.store.daily_table, day, game, hash_token(browser))
    if known is None:
        _may_lay(request)
        try:
            table, token, mine = await service.create(
                variant.text, names=[wanted.name], kind="daily", seed=service.daily_seed(game, day), day=day,
                client=hash_token(browser),
            )  # fmt: skip
        except Conflict:  # it was asked for twice at once
            known = await asyncio.to_thread(service.store.daily_table, day, game, hash_token(browser))
    if known is not None:
        return JSONResponse({"id": known, "token": "", "seats": [], "url": f"/t/{known}"}, 200)
    response = _seated(request, table, token, mine)
    _give_cookie(request, response, "browser", browser, "/api/daily")
    return response


# --- the rest ---------------------------------------------------------------------------------------------------


@router.post("/api/qr", **_gives("image/svg+xml"))
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


@router.get("/metrics", **_gives("text/plain"))
async def prometheus(request: Request) -> Response:
    """What the server counts, for Prometheus."""
    metrics.in_memory.set(len(tables_of(request)))
    metrics.listeners.set(tables_of(request).feed.count)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
