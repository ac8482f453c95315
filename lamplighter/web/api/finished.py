"""What can be had of a finished match. It is long work, so another process does it, and the results are kept."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import orjson
from fastapi import APIRouter, Request
from fastapi.responses import Response

from lamplighter.web import views
from lamplighter.web.api.auth import download, look_up, service_of
from lamplighter.web.api.schemas import REFUSALS, TableId, gives
from lamplighter.web.errors import Damaged, NoTable, NotNow
from lamplighter.web.heavy import HeavyWork
from lamplighter.web.middleware import client_of
from lamplighter.web.service import today
from lamplighter.web.session import Session
from lamplighter.web.store import Entry, TableRow
from lamplighter.web.table import Table, fold

router = APIRouter(responses=REFUSALS)


# --- in the other process -------------------------------------------------------------------------------------


def replay_json(row: TableRow, entries: list[Entry]) -> bytes:
    return orjson.dumps(views.replay(fold(row, entries)))


def text_record(row: TableRow, entries: list[Entry]) -> bytes:
    return bytes(views.record(fold(row, entries)).text, "utf-8")


def lines_record(row: TableRow, entries: list[Entry]) -> bytes:
    from lamplighter.engine.record import format_json_lines

    return format_json_lines(views.record(fold(row, entries))).encode()


def printed_record(row: TableRow, entries: list[Entry]) -> bytes:
    from lamplighter.paper.match import print_match

    return print_match(views.record(fold(row, entries)))


def verification(row: TableRow, entries: list[Entry], totals: list[int]) -> bytes:
    try:
        table = fold(row, entries)
    except Damaged as error:
        return orjson.dumps({"ok": False, "checks": [{"name": "log", "ok": False, "detail": str(error)}]})
    return orjson.dumps(views.verify(table, totals))


# --- what is asked --------------------------------------------------------------------------------------------


def _must_be_revealed(session: Session, refusal: str) -> Table:
    """See that a match is over, and that of a class for all of it."""
    if not views.is_revealed(session.table):
        over = session.table.match.is_over
        raise NotNow("a match of a class can be seen again when the teacher has ended it" if over else refusal)
    return session.table


async def _work_out(request: Request, table_id: str, work: Callable[..., bytes], refusal: str) -> tuple[Table, bytes]:
    """Do long work on a finished match. What must be refused is refused before any of it is done."""
    session, _ = await look_up(request, table_id)
    table = _must_be_revealed(session, refusal)
    heavy: HeavyWork = request.app.state.heavy
    names = tuple(seat.name for seat in table.seats)  # which can be taken out of a log
    key = (work.__name__, table_id, session.saved, views.is_open(table), names)
    return table, await heavy.run(key, client_of(request.scope), work, table.row, table.log[: session.saved])


@router.get("/api/tables/{table_id}/replay")
async def replay(request: Request, table_id: TableId) -> Response:
    """Every step of a finished match."""
    _, found = await _work_out(request, table_id, replay_json, "the replay can be seen when the match is over")
    return Response(found, media_type="application/json")


async def _file(request: Request, table_id: str, work: Callable[..., bytes], ending: str, media_type: str) -> Response:
    table, found = await _work_out(request, table_id, work, "the record can be downloaded when the match is over")
    return Response(found, media_type=media_type, headers=download(f"{table.row.game}-{table.id}.{ending}"))


@router.get("/api/tables/{table_id}/record", **gives("text/plain"))
async def record_text(request: Request, table_id: TableId) -> Response:
    """A finished match as a text file."""
    return await _file(request, table_id, text_record, "lamp", "text/plain")


@router.get("/api/tables/{table_id}/record.jsonl", **gives("text/plain"))
async def record_lines(request: Request, table_id: TableId) -> Response:
    """A finished match as JSON lines."""
    return await _file(request, table_id, lines_record, "jsonl", "text/plain")


@router.get("/api/tables/{table_id}/record.pdf", **gives("application/pdf"))
async def record_pdf(request: Request, table_id: TableId) -> Response:
    """A finished match to print."""
    return await _file(request, table_id, printed_record, "pdf", "application/pdf")


@router.get("/api/tables/{table_id}/verify")
async def verify(request: Request, table_id: TableId) -> Response:
    """Check a finished match, as the store has it, against the promise that was shown at its start."""
    store = service_of(request).store
    with contextlib.suppress(Damaged):  # which is what the check will say
        session, _ = await look_up(request, table_id)
        _must_be_revealed(session, "a match can be checked when it is over")
    totals, found = await asyncio.to_thread(lambda: (store.totals(table_id), store.whole(table_id)))
    if found is None:
        raise NoTable(f"there is no table {table_id!r} here")
    row, _, entries = found
    heavy: HeavyWork = request.app.state.heavy
    # a log that was changed in the database is checked again, and a daily match when its day is over
    key = ("verify", row, hash(tuple(entries)), tuple(totals), row.day and today())
    answer = await heavy.run(key, client_of(request.scope), verification, row, entries, totals)
    return Response(answer, media_type="application/json")
