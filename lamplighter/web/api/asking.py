"""Who asks, what they may, and how they are remembered."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import JSONResponse, Response

from lamplighter.errors import LamplighterError
from lamplighter.web.api.bodies import Seated
from lamplighter.web.limits import Bucket, client_of
from lamplighter.web.refusals import NotYours, TooMany
from lamplighter.web.table import Table, hash_token
from lamplighter.web.tables import Tables
from lamplighter.web.views import Viewer

YEAR = 365 * 24 * 3600


def tables_of(request: Request) -> Tables:
    service: Tables = request.app.state.tables
    return service


def token_of(request: Request) -> str:
    """The secret that was shown, in the header or in a cookie."""
    kind, _, shown = request.headers.get("authorization", "").partition(" ")
    return shown if kind.lower() == "bearer" else request.cookies.get("seat", "")


async def look_up(request: Request, table_id: str) -> tuple[Table, Viewer]:
    """The table, and who asks, by their token. With `as=spectator` they look as a stranger does.

    Every route calls this itself: as a dependency of FastAPI it would take a fifth of the time of a move.
    """
    table = await tables_of(request).get(table_id)
    token = token_of(request)
    if not token or request.query_params.get("as") == "spectator":
        return table, Viewer()
    hashed = hash_token(token)
    viewer = Viewer(tuple(sorted(s for s, held in table.tokens.items() if held == hashed)), hashed == table.row.host)
    tables_of(request).saw(table, viewer.seats)
    return table, viewer


def known_seat(table: Table, seat: int) -> int:
    if not 0 <= seat < len(table.seats):
        raise LamplighterError(f"there is no seat {seat}: seats are 0 to {len(table.seats) - 1}")
    return seat


def own_seat(viewer: Viewer, seat: int, table: Table) -> int:
    if known_seat(table, seat) not in viewer.seats:
        raise NotYours(f"seat {seat} is not yours")
    return seat


def must_play(viewer: Viewer) -> None:
    if not viewer.seats and not viewer.host:
        raise NotYours("only who sits at the table can do this")


def may_lay(request: Request) -> None:
    """So many tables an hour for one client."""
    settings = request.app.state.settings
    bucket = getattr(request.app.state, "laid", None)
    if bucket is None:
        bucket = request.app.state.laid = Bucket(settings.tables_per_hour / 3600, settings.tables_per_hour)
    wait = bucket.take(client_of(request.scope))
    if wait:
        raise TooMany(f"you have laid {settings.tables_per_hour} tables in an hour: play one of them", wait)


def seated(request: Request, table: Table, token: str, seats: list[int], status: int = 201) -> JSONResponse:
    body = Seated(id=table.id, token=token, seats=seats, url=f"/t/{table.id}#seat={token}")
    response = JSONResponse(body.model_dump(), status)
    give_cookie(request, response, "seat", token, f"/api/tables/{table.id}")
    return response


def give_cookie(request: Request, response: Response, name: str, value: str, path: str) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=YEAR, path=path, httponly=True, samesite="lax", secure=secure)


def download(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
