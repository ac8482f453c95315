"""One match per game and day, the same dice for everyone."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from lamplighter.engine import shelf
from lamplighter.web.api.asking import give_cookie, may_lay, seated, tables_of
from lamplighter.web.api.bodies import REFUSALS, OneName, Seated
from lamplighter.web.store import Conflict
from lamplighter.web.table import hash_token, load_variant, new_token
from lamplighter.web.tables import today

router = APIRouter(responses=REFUSALS)


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
        place = await asyncio.to_thread(store.place, mine) if mine else None
        rows.append(
            {
                "game": name,
                "title": shelf.load(name).title,
                "day": day,
                "board": board,
                "mine": mine,
                "place": place,
                "follows_play": shelf.load(name).draws_follow_play,
            }
        )
    return JSONResponse(rows, headers={"cache-control": "no-store"})


@router.post("/api/daily/{game}", status_code=201, response_model=Seated)
async def play_daily(request: Request, game: str, wanted: OneName) -> Response:
    """Begin today's match: the same dice for everybody, one try for each browser."""
    service, day = tables_of(request), today()
    variant = load_variant(daily_variant(shelf.load(game).id))
    browser = request.cookies.get("browser", "") or new_token()
    known = await asyncio.to_thread(service.store.daily_table, day, game, hash_token(browser))
    if known is None:
        may_lay(request)
        try:
            table, token, mine = await service.create(
                variant.text, names=[wanted.name], kind="daily", seed=service.daily_seed(game, day), day=day,
                client=hash_token(browser),
            )  # fmt: skip
        except Conflict:  # it was asked for twice at once
            known = await asyncio.to_thread(service.store.daily_table, day, game, hash_token(browser))
    if known is not None:
        return JSONResponse({"id": known, "token": "", "seats": [], "url": f"/t/{known}"}, 200)
    response = seated(request, table, token, mine)
    give_cookie(request, response, "browser", browser, "/api/daily")
    return response
