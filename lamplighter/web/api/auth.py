"""Who makes a request: the token that was shown, the seats it opens, the cookie that remembers it."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import JSONResponse, Response

from lamplighter.errors import LamplighterError
from lamplighter.web.api.schemas import Seated
from lamplighter.web.bucket import Bucket
from lamplighter.web.errors import NotYours, Tomorrow, TooMany
from lamplighter.web.middleware import client_of
from lamplighter.web.service import TableService, today
from lamplighter.web.session import Session
from lamplighter.web.tokens import hash_token
from lamplighter.web.views import Viewer

YEAR = 365 * 24 * 3600


def service_of(request: Request) -> TableService:
    service: TableService = request.app.state.service
    return service


def token_of(request: Request) -> str:
    """Return the secret that was shown, in the header or in a cookie."""
    kind, _, shown = request.headers.get("authorization", "").partition(" ")
    return shown if kind.lower() == "bearer" else request.cookies.get("seat", "")


async def look_up(request: Request, table_id: str) -> tuple[Session, Viewer]:
    """Return the session of a table, and who asks, by their token. With `as=spectator` they look as a stranger does.

    `known=SEQ` asks for a table that is at least as new as entry number SEQ, which another process may have written.
    Every route calls this itself: as a dependency of FastAPI it would take a fifth of the time of a move.
    """
    known = request.query_params.get("known", "")
    newest = int(known) if known.isascii() and known.isdecimal() and len(known) < 10 else 0
    service = service_of(request)
    session = await service.get(table_id, newest)
    if token_of(request) and not _opens(request, session):
        session = await service.cache.refresh(session)  # another process may have just given a seat to this token
    viewer = viewer_of(request, session)
    service.saw(session, viewer.seats)
    return session, viewer


def _opens(request: Request, session: Session) -> bool:
    """Return whether the token that was shown is good for anything at this table."""
    hashed = hash_token(token_of(request))
    return hashed == session.row.host or hashed in session.tokens.values()


def viewer_of(request: Request, session: Session) -> Viewer:
    """Return who asks. Strangers do not see today's matches: nobody learns the dice of the day before playing them."""
    hashed = hash_token(token_of(request))
    seats = tuple(sorted(seat for seat, held in session.tokens.items() if held == hashed))
    viewer, day = Viewer(seats, hashed == session.row.host), session.row.day
    if not viewer.seats and day is not None and day >= today():
        raise Tomorrow("this is one of today's matches, and everybody gets the same dice: watch it tomorrow")
    return Viewer() if request.query_params.get("as") == "spectator" else viewer


def known_seat(session: Session, seat: int) -> int:
    count = len(session.table.seats)
    if not 0 <= seat < count:
        raise LamplighterError(f"there is no seat {seat}: seats are 0 to {count - 1}")
    return seat


def own_seat(viewer: Viewer, seat: int, session: Session) -> int:
    if known_seat(session, seat) not in viewer.seats:
        raise NotYours("this seat is not yours")
    return seat


def must_play(viewer: Viewer) -> None:
    if not viewer.seats and not viewer.host:
        raise NotYours("only players at this table can do this")


async def may_lay(request: Request, cost: float = 1.0) -> str:
    """So many tables an hour and a month for one client. Return how the table remembers who set it up."""
    settings = request.app.state.settings
    bucket = getattr(request.app.state, "laid", None)
    if bucket is None:
        bucket = request.app.state.laid = Bucket(settings.tables_per_hour / 3600, settings.tables_per_hour)
    client = client_of(request.scope)
    wait = bucket.take(client, cost)
    if wait:
        raise TooMany(f"you have opened {settings.tables_per_hour} tables in an hour: play at one of them", wait)
    return await service_of(request).may_lay(client)


def seated(request: Request, table_id: str, token: str, seats: list[int], status: int = 201) -> JSONResponse:
    body = Seated(id=table_id, token=token, seats=seats, url=f"/t/{table_id}#seat={token}")
    response = JSONResponse(body.model_dump(), status)
    give_cookie(request, response, "seat", token, f"/api/tables/{table_id}")
    return response


def give_cookie(request: Request, response: Response, name: str, value: str, path: str) -> None:
    secure = request.scope["scheme"] == "https"
    response.set_cookie(name, value, max_age=YEAR, path=path, httponly=True, samesite="lax", secure=secure)


def download(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
