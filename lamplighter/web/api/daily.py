"""One match per game and day, the same dice for everyone."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response

from lamplighter import games
from lamplighter.errors import LamplighterError
from lamplighter.web import views
from lamplighter.web.addresses import network_of
from lamplighter.web.api.auth import give_cookie, may_lay, seated, service_of
from lamplighter.web.api.schemas import REFUSALS, OneName, Seated
from lamplighter.web.errors import NotNow
from lamplighter.web.middleware import client_of
from lamplighter.web.service import TableService, today
from lamplighter.web.store import Conflict, Store
from lamplighter.web.table import load_variant
from lamplighter.web.tokens import hash_token, new_token

router = APIRouter(responses=REFUSALS)


def daily_variant(game: str) -> str:
    """What is played every day: the game as it comes, with as few seats as it has."""
    return f"{game}?seats={games.load(game).seats[0]}"


@router.get("/api/daily")
async def daily(request: Request, day: Annotated[str, Query(max_length=40)] = "") -> Response:
    """The matches of a day and their boards: today's, or a past day's with the seeds and the tables to replay."""
    service, browser, chosen = service_of(request), request.cookies.get("browser", ""), _known_day(day)
    await service.forget_addresses()
    client = hash_token(browser) if browser else ""
    rows = await asyncio.to_thread(lambda: [_board(service.store, name, chosen, client) for name in games.own_names()])
    return JSONResponse([await _told(service, row) for row in rows], headers={"cache-control": "no-store"})


def _known_day(text: str) -> str:
    """A day that has begun; today without one."""
    now = today()
    try:
        if text and date.fromisoformat(text).isoformat() != text:
            raise ValueError
    except ValueError:
        raise LamplighterError(f"a day is written like {now}, not {text!r}") from None
    if text > now:
        raise NotNow(f"{text} is in the future: its dice are not rolled yet")
    return text or now


def _board(store: Store, game: str, day: str, client: str) -> dict[str, Any]:
    """A game's match of a day, as the store has it: read on a thread, all games in one go."""
    mine = store.daily_table(day, game, client) if client else None
    own = store.table(mine) if mine else None
    return {
        "game": game,
        "title": games.load(game).title,
        "day": day,
        "board": store.board(day, game),
        "mine": mine,
        "counted": own.counted if own else None,
        "place": store.place(mine) if mine else None,
        "follows_play": games.load(game).draws_follow_play,
    }


async def _told(service: TableService, row: dict[str, Any]) -> dict[str, Any]:
    """A board with its dice and tables after the day. While the day lasts nothing here leads to either."""
    tables = [one.pop("table") for one in row["board"]]
    if row["day"] >= today():
        return row | {"dice": None}
    board = [one | {"table": table} for one, table in zip(row["board"], tables, strict=True)]
    return row | {"board": board, "dice": await _told_dice(service, row["game"], row["day"], tables)}


async def _told_dice(service: TableService, game: str, day: str, tables: list[str]) -> dict[str, Any]:
    """The dice of a past day, as a table that was played with them tells; where nobody finished, the seed alone."""
    for table_id in tables[:1]:
        with contextlib.suppress(LamplighterError):  # the rules have changed since
            return views.dice((await service.get(table_id)).table)
    return {"rolls": "seeded", "hash": None, "seed": service.daily_seed(game, day)}


@router.post("/api/daily/{game}", status_code=201, response_model=Seated)
async def play_daily(request: Request, game: str, wanted: OneName) -> Response:
    """Begin today's match: the same dice for everybody, one try for each browser."""
    service, day = service_of(request), today()
    variant = load_variant(daily_variant(games.load(game).id))
    browser = request.cookies.get("browser", "") or new_token()
    client, network = hash_token(browser), network_of(client_of(request.scope))
    await service.forget_addresses()
    known = await asyncio.to_thread(service.store.daily_table, day, game, client)
    if known is None:
        maker = await may_lay(request)
        try:
            session, token, mine = await service.play_daily(
                variant.text, game, day, wanted.name, client, network, maker
            )
        except Conflict:  # it was asked for twice at once
            known = await asyncio.to_thread(service.store.daily_table, day, game, client)
    if known is not None:
        return JSONResponse({"id": known, "token": "", "seats": [], "url": f"/t/{known}"}, 200)
    response = seated(request, session.id, token, mine)
    give_cookie(request, response, "browser", browser, "/api/daily")
    return response
