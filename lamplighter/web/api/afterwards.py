"""What can be had of a finished match."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from lamplighter.web import views
from lamplighter.web.api.asking import download, look_up, tables_of
from lamplighter.web.api.bodies import REFUSALS, TableId, gives
from lamplighter.web.refusals import Damaged, NotNow
from lamplighter.web.table import Table

router = APIRouter(responses=REFUSALS)


def _finished(table: Table) -> Any:
    if not table.match.is_over:
        raise NotNow("the record can be had when the match is over")
    return views.record(table)


@router.get("/api/tables/{table_id}/replay")
async def replay(request: Request, table_id: TableId) -> Response:
    """Every step of a finished match."""
    table, _ = await look_up(request, table_id)
    return JSONResponse(views.replay(table))


@router.get("/api/tables/{table_id}/record", **gives("text/plain"))
async def record_text(request: Request, table_id: TableId) -> Response:
    """A finished match as a text file."""
    table, _ = await look_up(request, table_id)
    return PlainTextResponse(_finished(table).text, headers=download(f"{table.row.game}-{table.id}.lamp"))


@router.get("/api/tables/{table_id}/record.jsonl", **gives("text/plain"))
async def record_lines(request: Request, table_id: TableId) -> Response:
    """A finished match as JSON lines."""
    table, _ = await look_up(request, table_id)
    from lamplighter.engine.record import format_json_lines

    lines = format_json_lines(_finished(table))
    return PlainTextResponse(lines, headers=download(f"{table.row.game}-{table.id}.jsonl"))


@router.get("/api/tables/{table_id}/record.pdf", **gives("application/pdf"))
async def record_pdf(request: Request, table_id: TableId) -> Response:
    """A finished match to print."""
    table, _ = await look_up(request, table_id)
    from lamplighter.paper.match import print_match

    pdf = await asyncio.to_thread(print_match, _finished(table))
    return Response(pdf, media_type="application/pdf", headers=download(f"{table.row.game}-{table.id}.pdf"))


@router.get("/api/tables/{table_id}/verify")
async def verify(request: Request, table_id: TableId) -> Response:
    """Check a finished match, as the store has it, against the hash that was shown at its start."""
    service = tables_of(request)
    try:
        table = await service.reread(table_id)
    except Damaged as error:
        return JSONResponse({"ok": False, "checks": [{"name": "log", "ok": False, "detail": str(error)}]})
    _finished(table)
    return JSONResponse(views.verify(table, await asyncio.to_thread(service.store.totals, table_id)))
