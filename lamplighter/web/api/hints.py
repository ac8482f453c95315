"""Hints for a seat: long work, so another process does it, within a budget. The log notes who looks at one."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import APIRouter, Request
from fastapi.responses import Response

from lamplighter.engine.phrase import messages_of, translate
from lamplighter.engine.variant import Variant
from lamplighter.web import i18n, views
from lamplighter.web.api.auth import look_up, own_seat, service_of
from lamplighter.web.api.schemas import REFUSALS, OneSeat, TableId
from lamplighter.web.errors import NotNow
from lamplighter.web.heavy import HeavyWork
from lamplighter.web.middleware import client_of
from lamplighter.web.store import Entry, TableRow
from lamplighter.web.table import fold

router = APIRouter(responses=REFUSALS)
STEPS = ("chance", "unroll", "move", "undo")  # entries that change what a hint is made from


def hint_json(row: TableRow, entries: list[Entry], seat: int, language: str) -> bytes:
    """Work a hint out, in the other process. It is made from what the seat may see."""
    from lamplighter.bots.hint import ADVISER

    table = fold(row, entries)
    found = table.match.hint(seat)
    moves = [told_advice(table.variant, table.match.position.state, advice, language) for advice in found]
    return orjson.dumps({"seat": seat, "version": table.seats[seat].version, "bot": ADVISER, "moves": moves})


def told_advice(variant: Variant, state: Any, advice: Any, language: str) -> dict[str, Any]:
    """Return a move with what it is worth and why, in a language."""
    messages = messages_of(variant.game, language)
    told: dict[str, Any] = advice.fields() | {"said": translate(variant.game.texts.say(variant, advice.move), messages)}
    told["reasons"] = [
        {
            "line": one.line,
            "title": views.line_title(variant, state, one.line, messages),
            "change": one.change,
            "sentence": translate(one.sentence, messages),
        }
        for one in advice.reasons
    ]
    return told


@router.post("/api/tables/{table_id}/hint")
async def hint(request: Request, table_id: TableId, wanted: OneSeat) -> Response:
    """The best moves of one's own seat, what each is worth, and why. The log notes that the seat has looked at them."""
    session, viewer = await look_up(request, table_id)
    seat = own_seat(viewer, wanted.seat, session)
    if not views.has_hints(session.row):
        raise NotNow("hints are switched off at this table")
    if seat not in session.table.waiting:
        raise NotNow("there is nothing to do for this seat now")
    heavy: HeavyWork = request.app.state.heavy
    entries, language = session.table.log[: session.saved], i18n.choose(request)
    version = session.table.seats[seat].version
    moment = max((entry.seq for entry in entries if entry.kind in STEPS), default=0)
    given = (session.row, entries, seat, language)
    found = await heavy.run(("hint", table_id, seat, moment, language), client_of(request.scope), hint_json, *given)
    await service_of(request).note_hint(session, seat, version)
    return Response(found, media_type="application/json", headers={"cache-control": "no-store"})
