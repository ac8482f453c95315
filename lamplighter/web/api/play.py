"""Tables: setting one up, sitting down, and everything that is done there."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse, Response

from lamplighter import bots
from lamplighter.engine.phrase import messages_of, translate
from lamplighter.errors import IllegalMove, LamplighterError
from lamplighter.web import faces, i18n, questions, views
from lamplighter.web.api.auth import (
    give_cookie,
    known_seat,
    look_up,
    may_lay,
    must_play,
    own_seat,
    seated,
    service_of,
    token_of,
)
from lamplighter.web.api.games import is_callable
from lamplighter.web.api.schemas import (
    AS_SPECTATOR,
    REFUSALS,
    VIEW,
    Enter,
    Join,
    Moment,
    Move,
    NewTable,
    NextRoll,
    OneMove,
    OneSeat,
    Question,
    Reaction,
    Roll,
    SeatChange,
    Seated,
    ShownToken,
    TableId,
    TakeBack,
    Theme,
    gives,
)
from lamplighter.web.boxes import Boxes
from lamplighter.web.errors import NoTable, NotNow, NotYours, OlderRules
from lamplighter.web.session import Session
from lamplighter.web.table import load_variant
from lamplighter.web.tokens import hash_token
from lamplighter.web.views import Viewer

router = APIRouter(responses=REFUSALS)


@router.post("/api/tables", status_code=201, response_model=Seated)
async def lay_table(request: Request, wanted: NewTable) -> Response:
    """Set up a table, with seats for oneself, for friends and for bots."""
    maker = await may_lay(request)
    service, seed = service_of(request), None
    boxes: Boxes = request.app.state.boxes
    if wanted.same_dice_as is not None:
        source = await service.get(wanted.same_dice_as)
        if not views.is_open(source.table) or source.row.seed is None:
            raise NotNow("its dice can be played again after the match, or for a daily match after the day")
        seed, box = source.row.seed, source.row.box
        if source.table.variant.short_text != load_variant(wanted.variant, box).short_text:
            raise LamplighterError(f"these dice belong to {source.row.variant!r}: play the same variant")
    else:
        box = boxes.text(wanted.variant)
    variant, seats = load_variant(load_variant(wanted.variant, box).short_text, box), wanted.seats
    if wanted.kind == "caller":
        if not is_callable(variant.text, box):
            raise NotNow("this game cannot be called for paper sheets: what is drawn depends on the player")
        seats = [f"bot:{bots.names()[0]}"] * variant.seats  # they stand in for people on paper: any will do
    session, token, mine = await service.create(
        variant.text, seats, wanted.names or [wanted.name], wanted.kind, wanted.rolls == "typed", seed,
        wanted.same_dice_as, wanted.ghost_seat, maker=maker, box=box, hold=wanted.hold, hints=wanted.hints,
    )  # fmt: skip
    return seated(request, session.id, token, mine)


@router.post("/api/tables/{table_id}/join", response_model=Seated)
async def join(request: Request, table_id: TableId, wanted: Join) -> Response:
    """Take an open seat."""
    session, _ = await look_up(request, table_id)
    token, seat = await service_of(request).join(session, wanted.name, wanted.seat, wanted.token)
    return seated(request, session.id, token, [seat], 200)


@router.post("/api/tables/{table_id}/session")
async def open_session(request: Request, table_id: TableId, shown: ShownToken) -> Response:
    """Show a token; a cookie remembers it."""
    session = await service_of(request).get(table_id)
    hashed = hash_token(shown.token)
    seats = sorted(seat for seat, held in session.tokens.items() if held == hashed)
    if not seats and hashed != session.row.host:
        raise NotYours("this link does not open a seat at this table")
    response = JSONResponse({"seats": seats})
    give_cookie(request, response, "seat", shown.token, f"/api/tables/{session.id}")
    return response


@router.post("/api/tables/{table_id}/leave")
async def leave(table_id: TableId) -> Response:
    """Forget the seat on this device."""
    response = JSONResponse({"seats": []})
    response.delete_cookie("seat", path=f"/api/tables/{table_id}")
    return response


async def _view(
    request: Request, session: Session, viewer: Viewer, seat: int | None = None, sheet: bool = True
) -> dict[str, Any]:
    service = service_of(request)
    source = None
    if session.row.ghost is not None and session.row.source is not None:
        with contextlib.suppress(NoTable, OlderRules):  # it was too old to be kept, or to be played by these rules
            source = await service.get(session.row.source)
            await service.cache.count_points(source)
    async with service.cache.steady(session) as still:
        ghost = None if source is None else views.ghost(still.table, source)
        return views.show(still, viewer, seat, sheet, i18n.choose(request)) | {"ghost": ghost}


@router.get("/api/tables/{table_id}", responses=VIEW, openapi_extra=AS_SPECTATOR)
async def view_table(
    request: Request,
    table_id: TableId,
    seat: Annotated[int | None, Query(ge=0, le=63)] = None,
    sheet: bool = True,
) -> Response:
    """The table as the asker may see it. Programs that draw for themselves ask with `sheet=false`."""
    session, viewer = await look_up(request, table_id)
    return _answer(await _view(request, session, viewer, seat, sheet))


async def _done(
    request: Request,
    session: Session,
    viewer: Viewer,
    done: Awaitable[Session],
    seat: int | None = None,
    sheet: bool = True,
) -> Response:
    """Carry a command out and answer with the table as it is then; also when the command came too late."""
    try:
        session = await done
    except NotNow as error:
        error.view = await _view(request, session, viewer, seat, sheet)
        raise
    except IllegalMove as error:
        error.told = translate(error.sentence, messages_of(session.table.variant.game, i18n.choose(request)))
        raise
    return _answer(await _view(request, session, viewer, seat, sheet))


def _answer(view: dict[str, Any]) -> Response:
    return Response(orjson.dumps(view), media_type="application/json", headers={"cache-control": "no-store"})


@router.post("/api/tables/{table_id}/moves", responses=VIEW)
async def play(request: Request, table_id: TableId, wanted: Move, sheet: bool = True) -> Response:
    """Play a move."""
    session, viewer = await look_up(request, table_id)
    seat = own_seat(viewer, wanted.seat, session)
    done = service_of(request).play(session, seat, wanted.move, wanted.version, wanted.key, wanted.done)
    return await _done(request, session, viewer, done, seat, sheet)


@router.post("/api/tables/{table_id}/undo", responses=VIEW)
async def take_back(request: Request, table_id: TableId, wanted: TakeBack, sheet: bool = True) -> Response:
    """Take the last move of a seat back."""
    session, viewer = await look_up(request, table_id)
    seat = own_seat(viewer, wanted.seat, session)
    done = service_of(request).take_back(session, seat, wanted.version, wanted.key)
    return await _done(request, session, viewer, done, seat, sheet)


@router.post("/api/tables/{table_id}/done", responses=VIEW)
async def done(request: Request, table_id: TableId, wanted: OneSeat) -> Response:
    """Nothing will be taken back: let the roll come."""
    session, viewer = await look_up(request, table_id)
    seat = own_seat(viewer, wanted.seat, session)
    return await _done(request, session, viewer, service_of(request).finish(session, seat), seat)


@router.post("/api/tables/{table_id}/explain")
async def explain(request: Request, table_id: TableId, asked: Question) -> Response:
    """Why a move is refused."""
    session, viewer = await look_up(request, table_id)
    seat = own_seat(viewer, asked.seat, session)
    async with service_of(request).cache.steady(session) as still:
        language = i18n.choose(request)
        return JSONResponse(
            questions.explain(still.table, seat, asked.move, asked.source, asked.cell, asked.orientation, language)
        )


@router.post("/api/tables/{table_id}/worth")
async def worth(request: Request, table_id: TableId, asked: OneMove) -> Response:
    """What a legal move would change in the score of its seat at once."""
    session, viewer = await look_up(request, table_id)
    seat = own_seat(viewer, asked.seat, session)
    async with service_of(request).cache.steady(session) as still:
        return JSONResponse(questions.worth(still.table, seat, asked.move, i18n.choose(request)))


@router.get("/api/tables/{table_id}/lines/{line}", openapi_extra=AS_SPECTATOR)
async def line(
    request: Request, table_id: TableId, line: str, seat: Annotated[int, Query(ge=0, le=63)] = 0, seq: Moment = None
) -> Response:
    """The cells behind a scoring line, and a sentence that says how its points come about."""
    session, viewer = await look_up(request, table_id)
    async with service_of(request).cache.steady(session) as still:
        number, language = known_seat(still, seat), i18n.choose(request)
        return JSONResponse(views.explain_score(still, viewer, number, line, seq, language))


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
    session, viewer = await look_up(request, table_id)
    async with service_of(request).cache.steady(session) as still:
        drawn = views.draw_sheet(still, viewer, known_seat(still, seat), theme, large, seq, i18n.choose(request))
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "private, max-age=60"})


@router.get("/api/tables/{table_id}/face.svg", **gives("image/svg+xml"))
async def face_picture(
    request: Request, table_id: TableId, text: Annotated[str, Query(max_length=100)], theme: Theme = "light"
) -> Response:
    """A die, card or tile of the table's game as a picture. It is the same whatever was drawn."""
    session = await service_of(request).get(table_id)
    drawn = faces.draw_face(session.table.variant, text, theme, i18n.choose(request))
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "private, max-age=3600"})


@router.post("/api/tables/{table_id}/seats/{seat}", responses=VIEW)
async def change_seat(
    request: Request, table_id: TableId, seat: Annotated[int, Path(ge=0, le=63)], wanted: SeatChange
) -> Response:
    """Give a seat to a bot, take it back, or change one's name."""
    session, viewer = await look_up(request, table_id)
    service, number = service_of(request), known_seat(session, seat)
    if len(wanted.model_fields_set) != 1:
        raise LamplighterError("say one thing: bot, person or name")
    if wanted.bot is not None:
        done = service.give_to_bot(session, number, wanted.bot, viewer.seats, viewer.host)
    elif wanted.name is not None:
        done = service.rename(session, own_seat(viewer, number, session), wanted.name)
    else:
        done = service.give_back(session, own_seat(viewer, number, session))
    return await _done(request, session, viewer, done)


@router.post("/api/tables/{table_id}/nudge", responses=VIEW)
async def nudge(request: Request, table_id: TableId, wanted: OneSeat) -> Response:
    """Remind somebody gently."""
    session, viewer = await look_up(request, table_id)
    must_play(viewer)
    done = service_of(request).nudge(session, known_seat(session, wanted.seat))
    return await _done(request, session, viewer, done)


@router.post("/api/tables/{table_id}/react", status_code=204)
async def react(request: Request, table_id: TableId, wanted: Reaction) -> Response:
    """Say one of a few quick words to those who look at the table now. It is in no log."""
    session, viewer = await look_up(request, table_id)
    await service_of(request).react(session, own_seat(viewer, wanted.seat, session), wanted.reaction)
    return Response(status_code=204)


@router.post("/api/tables/{table_id}/vote", responses=VIEW)
async def vote(request: Request, table_id: TableId, wanted: OneSeat) -> Response:
    """Vote for a bot to play for somebody who keeps all waiting."""
    session, viewer = await look_up(request, table_id)
    must_play(viewer)
    done = service_of(request).vote(session, known_seat(session, wanted.seat), viewer.seats)
    return await _done(request, session, viewer, done)


@router.post("/api/tables/{table_id}/roll", responses=VIEW)
async def roll(request: Request, table_id: TableId, wanted: Roll) -> Response:
    """Type in what was rolled on a real table."""
    session, viewer = await look_up(request, table_id)
    must_play(viewer)
    return await _done(
        request, session, viewer, service_of(request).roll(session, wanted.text, wanted.version, wanted.key)
    )


@router.post("/api/tables/{table_id}/unroll", responses=VIEW)
async def unroll(request: Request, table_id: TableId, wanted: NextRoll) -> Response:
    """What was typed in last was wrong."""
    session, viewer = await look_up(request, table_id)
    must_play(viewer)
    return await _done(request, session, viewer, service_of(request).unroll(session, wanted.version, wanted.key))


@router.post("/api/tables/{table_id}/call", responses=VIEW)
async def call(request: Request, table_id: TableId, wanted: NextRoll) -> Response:
    """Roll or flip for people on paper."""
    session, viewer = await look_up(request, table_id)
    must_play(viewer)
    return await _done(request, session, viewer, service_of(request).call(session, wanted.version, wanted.key))


@router.post("/api/tables/{table_id}/enter", status_code=201, response_model=Seated)
async def enter(request: Request, table_id: TableId, wanted: Enter) -> Response:
    """Set up a table with the dice that were called, where the sheets on paper are tapped in.

    The asker holds all its seats; with `phones` nobody does yet, and everybody who is invited takes one.
    """
    session, viewer = await look_up(request, table_id)
    must_play(viewer)
    if session.row.kind != "caller":
        raise NotNow("only a table that calls has paper sheets to enter")
    service = service_of(request)
    maker = await may_lay(request)
    if wanted.phones:
        new = await service.open_entry(session, maker)
        return seated(request, new.id, token_of(request), [])
    new, token, mine = await service.create(
        session.row.variant,
        ["me"] * len(session.table.seats),
        wanted.names,
        "entry",
        typed=True,
        source=session.id,
        maker=maker,
        box=session.row.box,
    )
    return seated(request, new.id, token, mine)


@router.post("/api/tables/{table_id}/rematch", response_model=Seated)
async def rematch(request: Request, table_id: TableId) -> Response:
    """The same seats at a new table."""
    session, viewer = await look_up(request, table_id)
    must_play(viewer)
    maker = await may_lay(request) if session.table.rematch is None else None
    new = await service_of(request).again(session, maker)
    return seated(request, new.id, token_of(request), list(viewer.seats), 200)
