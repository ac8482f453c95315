"""Answers about matches whose rules have moved on: from what was kept of them, or in words.

Routes look their table up and meet `OlderRules`; this is where that leads. What would change such a table is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import orjson
from fastapi import Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from lamplighter.web import kept
from lamplighter.web.api.auth import download, service_of, token_of
from lamplighter.web.errors import NoTable, OlderRules, Tomorrow
from lamplighter.web.store import Entry, Holder, TableRow
from lamplighter.web.tokens import hash_token
from lamplighter.web.views import Viewer, is_past, may_tell

BASE = "/api/tables/{table_id}"


@dataclass(frozen=True)
class Asked:
    """A request about such a table, and what the store has of it."""

    request: Request
    error: OlderRules
    row: TableRow
    entries: list[Entry]
    holders: list[Holder]
    totals: list[int]
    body: kept.Kept | None

    @property
    def found(self) -> kept.Kept:
        """What was kept; without that there are only words."""
        if self.body is None:
            raise self.error
        return self.body

    def viewer(self, token: str) -> Viewer:
        hashed = hash_token(token)
        seats = tuple(sorted(holder.seat for holder in self.holders if holder.token == hashed))
        return Viewer(seats, hashed == self.row.host)

    def number(self, name: str) -> int | None:
        """Return a number of the query, or of the address."""
        value = self.request.path_params.get(name, self.request.query_params.get(name))
        return None if value is None else int(float(value))  # as the route has read it


async def answer(request: Request, error: OlderRules) -> Response:
    """Answer from what was kept, or raise why not."""
    asked = await asyncio.to_thread(_look_up, request, error)
    if not is_past(asked.row) and not asked.viewer(token_of(request)).seats:
        raise Tomorrow("this is one of today's matches, and everybody gets the same dice: watch it tomorrow")
    route = getattr(request.scope.get("route"), "path", "").removeprefix(BASE)
    answers = ANSWERS if request.path_params.get("table_id") == error.table_id else {}
    if f"{request.method} {route}" not in answers:
        raise error
    return answers[f"{request.method} {route}"](asked)


def _look_up(request: Request, error: OlderRules) -> Asked:
    store = service_of(request).store
    row = store.table(error.table_id)
    if row is None:
        raise NoTable(f"there is no table {error.table_id!r} here")
    entries, holders = store.entries_and_holders(row.id)
    return Asked(request, error, row, entries, holders, store.totals(row.id), kept.read(store, row.id))


def _view(asked: Asked) -> Response:
    alone = asked.request.query_params.get("as") == "spectator"
    viewer = Viewer() if alone else asked.viewer(token_of(asked.request))
    view = kept.show(asked.found, asked.row, asked.entries, viewer, asked.number("seat"), asked.error.now)
    return Response(orjson.dumps(view), media_type="application/json", headers={"cache-control": "no-store"})


def _replay(asked: Asked) -> Response:
    return JSONResponse(asked.found["replay"])


def _sheet(asked: Asked) -> Response:
    query = asked.request.query_params
    theme, large = query.get("theme", "light"), query.get("large", "false").lower() in ("1", "true", "on", "yes")
    drawn = kept.picture(asked.found, asked.number("seat") or 0, theme, large, asked.number("seq"))
    headers = {"cache-control": "private, max-age=60", "vary": "cookie"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


def _line(asked: Asked) -> Response:
    _, _, cells, *reasons = kept.moment(asked.found, asked.number("seat") or 0, asked.number("seq"))
    line = asked.request.path_params["line"]
    return JSONResponse({"cells": cells.get(line, []), "sentence": reasons[0].get(line, "") if reasons else ""})


def _record(asked: Asked, lines: bool = False) -> Response:
    """Return the record; of a match that was not over only its moves, and what the asker may know of the dice and cards.

    Nobody plays it on here. But whoever runs the server may go back to the version that it was begun with.
    """
    if asked.body is None:
        lines, is_over = True, bool(asked.totals)
        seats = None if is_over else asked.viewer(token_of(asked.request)).seats
        text = kept.bare_record(asked.row, asked.entries, is_over and may_tell(asked.row), seats)
    else:
        text = kept.record(asked.body, asked.row, asked.entries, lines)
    name = f"{asked.row.game}-{asked.row.id}.{'jsonl' if lines else 'lamp'}"
    return PlainTextResponse(text, headers=download(name))


def _verify(asked: Asked) -> Response:
    return JSONResponse(kept.verify(asked.found, asked.row, asked.totals))


ANSWERS: dict[str, Callable[[Asked], Response]] = {
    "GET ": _view,
    "GET /replay": _replay,
    "GET /sheets/{seat}.svg": _sheet,
    "GET /lines/{line}": _line,
    "GET /record": _record,
    "GET /record.jsonl": lambda asked: _record(asked, True),
    "GET /verify": _verify,
}
