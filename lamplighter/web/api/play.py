"""Tables: laying one, sitting down, and everything that is done there."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse, Response

from lamplighter.errors import LamplighterError
from lamplighter.web import views
from lamplighter.web.api.asking import (
    give_cookie,
    known_seat,
    look_up,
    may_lay,
    must_play,
    own_seat,
    seated,
    tables_of,
    token_of,
)
from lamplighter.web.api.bodies import (
    AS_SPECTATOR,
    REFUSALS,
    VIEW,
    Join,
    Moment,
    Move,
    Names,
    NewTable,
    OneSeat,
    Question,
    Roll,
    SeatChange,
    Seated,
    Session,
    TableId,
    TakeBack,
    Theme,
    gives,
)
from lamplighter.web.api.games import is_callable
from lamplighter.web.refusals import NoTable, NotNow, NotYours
from lamplighter.web.table import Table, hash_token, load_variant
from lamplighter.web.views import Viewer

router = APIRouter(responses=REFUSALS)


@router.post("/api/tables", status_code=201, response_model=Seated)
async def lay_table(request: Request, wanted: NewTable) -> Response:
    """Lay a table, with seats for oneself, for friends and for bots."""
    may_lay(request)
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
            raise NotNow("nobody can call this game: what is drawn depends on the player")
        seats = ["bot:uniform"] * variant.seats
    table, token, mine = await service.create(
        wanted.variant, seats, wanted.names or [wanted.name], wanted.kind, wanted.rolls == "typed", seed,
        wanted.same_dice_as, wanted.ghost_seat,
    )  # fmt: skip
    return seated(request, table, token, mine)


@router.post("/api/tables/{table_id}/join", response_model=Seated)
async def join(request: Request, table_id: TableId, wanted: Join) -> Response:
    """Take an open seat."""
    table, _ = await look_up(request, table_id)
    token, seat = await tables_of(request).join(table, wanted.name, wanted.seat, wanted.token)
    return seated(request, table, token, [seat], 200)


@router.post("/api/tables/{table_id}/session")
async def open_session(request: Request, table_id: TableId, shown: Session) -> Response:
    """Show a token; a cookie remembers it."""
    table, _ = await look_up(request, table_id)
    hashed = hash_token(shown.token)
    seats = sorted(seat for seat, held in table.tokens.items() if held == hashed)
    if not seats and hashed != table.row.host:
        raise NotYours("this link opens no seat at this table")
    response = JSONResponse({"seats": seats})
    give_cookie(request, response, "seat", shown.token, f"/api/tables/{table.id}")
    return response


@router.post("/api/tables/{table_id}/leave")
async def leave(table_id: TableId) -> Response:
    """Forget the seat on this device."""
    response = JSONResponse({"seats": []})
    response.delete_cookie("seat", path=f"/api/tables/{table_id}")
    return response


async def _view(
    request: Request, table: Table, viewer: Viewer, seat: int | None = None, sheet: bool = True
) -> dict[str, Any]:
    service = tables_of(request)
    source = None
    if table.row.ghost is not None and table.row.source is not None:
        with contextlib.suppress(NoTable):  # it was too old to be kept
            source = await service.get(table.row.source)
    async with service.steady(table) as still:
        ghost = None if source is None else views.ghost(still, source)
        return views.show(service, still, viewer, seat, sheet) | {"ghost": ghost}


@router.get("/api/tables/{table_id}", responses=VIEW, openapi_extra=AS_SPECTATOR)
async def view_table(
    request: Request,
    table_id: TableId,
    seat: Annotated[int | None, Query(ge=0, le=63)] = None,
    sheet: bool = True,
) -> Response:
    """The table as the asker may see it. Programs that draw for themselves ask with `sheet=false`."""
    table, viewer = await look_up(request, table_id)
    return _answer(await _view(request, table, viewer, seat, sheet))


async def _changed(
    request: Request, table: Table, viewer: Viewer, job: Awaitable[Table], seat: int | None = None, sheet: bool = True
) -> Response:
    """Carry a change out and answer with the table as it is then; also when the change came too late."""
    try:
        table = await job
    except NotNow as error:
        error.view = await _view(request, table, viewer, seat, sheet)
        raise
    return _answer(await _view(request, table, viewer, seat, sheet))


def _answer(view: dict[str, Any]) -> Response:
    return Response(orjson.dumps(view), media_type="application/json", headers={"cache-control": "no-store"})


@router.post("/api/tables/{table_id}/moves", responses=VIEW)
async def play(request: Request, table_id: TableId, wanted: Move, sheet: bool = True) -> Response:
    """Play a move."""
    table, viewer = await look_up(request, table_id)
    seat = own_seat(viewer, wanted.seat, table)
    job = tables_of(request).play(table, seat, wanted.move, wanted.version, wanted.key, wanted.done)
    return await _changed(request, table, viewer, job, seat, sheet)


@router.post("/api/tables/{table_id}/undo", responses=VIEW)
async def take_back(request: Request, table_id: TableId, wanted: TakeBack, sheet: bool = True) -> Response:
    """Take the last move of a seat back."""
    table, viewer = await look_up(request, table_id)
    seat = own_seat(viewer, wanted.seat, table)
    job = tables_of(request).take_back(table, seat, wanted.version, wanted.key)
    return await _changed(request, table, viewer, job, seat, sheet)


@router.post("/api/tables/{table_id}/done", responses=VIEW)
async def done(request: Request, table_id: TableId, wanted: OneSeat) -> Response:
    """Nothing will be taken back: let the roll come."""
    table, viewer = await look_up(request, table_id)
    seat = own_seat(viewer, wanted.seat, table)
    return await _changed(request, table, viewer, tables_of(request).finish(table, seat), seat)


@router.post("/api/tables/{table_id}/explain")
async def explain(request: Request, table_id: TableId, asked: Question) -> Response:
    """Why a move is refused."""
    table, viewer = await look_up(request, table_id)
    seat = own_seat(viewer, asked.seat, table)
    async with tables_of(request).steady(table) as still:
        return JSONResponse(views.explain(still, seat, asked.move, asked.source, asked.cell, asked.lie))


@router.get("/api/tables/{table_id}/lines/{line}", openapi_extra=AS_SPECTATOR)
async def line(
    request: Request, table_id: TableId, line: str, seat: Annotated[int, Query(ge=0, le=63)] = 0, seq: Moment = None
) -> Response:
    """The cells behind a scoring line."""
    table, viewer = await look_up(request, table_id)
    async with tables_of(request).steady(table) as still:
        return JSONResponse({"cells": views.line_cells(still, viewer, known_seat(still, seat), line, seq)})


@router.get("/api/tables/{table_id}/sheets/{seat}.svg", openapi_extra=AS_SPECTATOR, **gives("image/svg+xml"))
async def sheet_picture(
    request: Request,
    table_id: TableId,
    seat: Annotated[int, Path(ge=0, le=63)],
    theme: Theme = "light",
    large: bool = False,
    seq: Moment = None,
) -> Response:
    """A seat's sheet as a picture, as the asker may see it."""
    table, viewer = await look_up(request, table_id)
    async with tables_of(request).steady(table) as still:
        drawn = views.draw_sheet(still, viewer, known_seat(still, seat), theme, large, seq)
    return Response(
        drawn, media_type="image/svg+xml", headers={"cache-control": "private, max-age=60", "vary": "cookie"}
    )


@router.post("/api/tables/{table_id}/seats/{seat}", responses=VIEW)
async def change_seat(
    request: Request, table_id: TableId, seat: Annotated[int, Path(ge=0, le=63)], wanted: SeatChange
) -> Response:
    """Give a seat to a bot, take it back, or change one's name."""
    table, viewer = await look_up(request, table_id)
    service, number = tables_of(request), known_seat(table, seat)
    if len(wanted.model_fields_set) != 1:
        raise LamplighterError("say one thing: bot, person or name")
    if wanted.bot is not None:
        job = service.give_to_bot(table, number, wanted.bot, viewer.seats, viewer.host)
    elif wanted.name is not None:
        job = service.rename(table, own_seat(viewer, number, table), wanted.name)
    else:
        job = service.give_back(table, own_seat(viewer, number, table))
    return await _changed(request, table, viewer, job)


@router.post("/api/tables/{table_id}/nudge", responses=VIEW)
async def nudge(request: Request, table_id: TableId, wanted: OneSeat) -> Response:
    """Remind somebody gently."""
    table, viewer = await look_up(request, table_id)
    must_play(viewer)
    job = tables_of(request).nudge(table, known_seat(table, wanted.seat))
    return await _changed(request, table, viewer, job)


@router.post("/api/tables/{table_id}/roll", responses=VIEW)
async def roll(request: Request, table_id: TableId, wanted: Roll) -> Response:
    """Type in what was rolled on a real table."""
    table, viewer = await look_up(request, table_id)
    must_play(viewer)
    return await _changed(request, table, viewer, tables_of(request).roll(table, wanted.text))


@router.post("/api/tables/{table_id}/unroll", responses=VIEW)
async def unroll(request: Request, table_id: TableId) -> Response:
    """What was typed in last was wrong."""
    table, viewer = await look_up(request, table_id)
    must_play(viewer)
    return await _changed(request, table, viewer, tables_of(request).unroll(table))


@router.post("/api/tables/{table_id}/call", responses=VIEW)
async def call(request: Request, table_id: TableId) -> Response:
    """Roll or flip for people on paper."""
    table, viewer = await look_up(request, table_id)
    must_play(viewer)
    return await _changed(request, table, viewer, tables_of(request).call(table))


@router.post("/api/tables/{table_id}/enter", status_code=201, response_model=Seated)
async def enter(request: Request, table_id: TableId, wanted: Names) -> Response:
    """Lay a table with the dice that were called, where the sheets on paper are tapped in."""
    table, viewer = await look_up(request, table_id)
    must_play(viewer)
    if table.row.kind != "caller":
        raise NotNow("sheets are entered behind a table that calls")
    may_lay(request)
    new, token, mine = await tables_of(request).create(
        table.row.variant, ["me"] * len(table.seats), wanted.names, "entry", typed=True, source=table.id
    )
    return seated(request, new, token, mine)


@router.post("/api/tables/{table_id}/rematch", response_model=Seated)
async def rematch(request: Request, table_id: TableId) -> Response:
    """The same seats at a new table."""
    table, viewer = await look_up(request, table_id)
    must_play(viewer)
    if table.rematch is None:
        may_lay(request)
    new = await tables_of(request).again(table)
    return seated(request, new, token_of(request), list(viewer.seats), 200)
