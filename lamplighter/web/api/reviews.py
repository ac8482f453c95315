"""Reviews: what every move of a finished match gave away, worked out in the background, and the better moves."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from lamplighter.bots.hint import explain_move
from lamplighter.engine.match import View
from lamplighter.errors import LamplighterError
from lamplighter.web import i18n, views
from lamplighter.web.api.auth import look_up, service_of
from lamplighter.web.api.hints import told_advice
from lamplighter.web.api.schemas import REFUSALS, Body, TableId
from lamplighter.web.errors import NotNow, NotYours
from lamplighter.web.middleware import client_of
from lamplighter.web.reviews import Found, Reviews
from lamplighter.web.session import Session
from lamplighter.web.table import Table
from lamplighter.web.views import Viewer

router = APIRouter(responses=REFUSALS)
BASE = "/api/tables/{table_id}/review"


class Stop(Body):
    """What whoever began the review got; people who play at the table need none."""

    key: Annotated[str, Field(max_length=100)] = ""


async def _finished(request: Request, table_id: str) -> tuple[Reviews, Session, Viewer]:
    session, viewer = await look_up(request, table_id)
    if not session.table.match.is_over or session.row.kind == "caller":
        raise NotNow("a match can be reviewed when it is over")
    if session.row.kind == "class" and not views.is_open(session.table):  # others still play with the same dice
        raise NotNow("a match of a class can be reviewed when the teacher has ended it")
    reviews: Reviews = request.app.state.reviews
    return reviews, session, viewer


def _told(table: Table, state: Found, language: str) -> Found:
    """Return how far a review is; when it is done, with its moves as people say them."""
    found = state["review"]
    if found is None:
        return state
    said = {text for move in found["moves"] for text in (move["move"], move["best"])}
    return state | {"review": found | {"words": {text: views.said(table.variant, text, language) for text in said}}}


@router.get(BASE)
async def review(request: Request, table_id: TableId) -> Response:
    """How far the review of a finished match is, and what was found when it is done."""
    reviews, session, _ = await _finished(request, table_id)
    state = _told(session.table, await reviews.state(table_id), i18n.choose(request))
    return JSONResponse(state, headers={"cache-control": "no-store"})


@router.post(BASE)
async def begin(request: Request, table_id: TableId) -> Response:
    """Begin the review of a finished match, once for all who ask. The answer has a `key` if it has just begun."""
    reviews, session, _ = await _finished(request, table_id)
    key = await reviews.begin(session.row, session.table.log[: session.saved], client_of(request.scope))
    return JSONResponse(_told(session.table, await reviews.state(table_id), i18n.choose(request)) | {"key": key})


@router.post(f"{BASE}/stop")
async def stop(request: Request, table_id: TableId, shown: Stop) -> Response:
    """Stop a review that is not done."""
    reviews, _, viewer = await _finished(request, table_id)
    if not viewer.seats and not viewer.host and not await reviews.may_stop(table_id, shown.key):
        raise NotYours("only whoever began the review, and the players, can stop it")
    await reviews.stop(table_id)
    return JSONResponse(await reviews.state(table_id))


@router.get(f"{BASE}/{{entry}}/better")
async def better(request: Request, table_id: TableId, entry: Annotated[int, Path(ge=1, le=2**31 - 1)]) -> Response:
    """A move and the best one that was found: what each changes at once, and the sheet before it with each of them."""
    reviews, session, _ = await _finished(request, table_id)
    found = (await reviews.state(table_id))["review"]
    grade = next((one for one in found["moves"] if one["entry"] == entry), None) if found else None
    if grade is None:
        raise LamplighterError(f"there is no review of entry {entry} here")
    async with service_of(request).cache.steady(session) as still:
        return JSONResponse(_compare(still.table, grade, i18n.choose(request)))


def _compare(table: Table, grade: dict[str, Any], language: str) -> dict[str, Any]:
    seat = grade["seat"]
    seen = table.match.at(grade["entry"] - 1).seen_by(seat)
    told = {}
    for name in ("move", "best"):
        advice = explain_move(View(seat, seen, ()), grade[name])
        drawn = None
        if table.variant.game.has_picture:
            drawn = seen.svg(seat, targets=[grade[name]], theme=None, prefix=f"{name}-", language=language)
        told[name] = told_advice(table.variant, seen.state, advice, language) | {"sheet": drawn}
    return grade | told
