"""Keeps finished matches, so that they can be shown when their rules have moved on.

What only the rules can tell is written down once: scores after every step, the sheets after every turn, the record. Who
sat where comes from the log, so that nobody's name is kept here.
"""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import lzma
import random
import re
import time
from collections.abc import Collection
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lamplighter import games, svg
from lamplighter.engine.explanation import score_cells, score_reasons
from lamplighter.engine.record import format_json_lines
from lamplighter.errors import LamplighterError
from lamplighter.version import VERSION
from lamplighter.web import db_schema, views
from lamplighter.web.errors import Busy
from lamplighter.web.heavy import BACKGROUND, HeavyWork
from lamplighter.web.service import TableService
from lamplighter.web.store import Conflict, Entry, Store, TableRow
from lamplighter.web.table import SEATING, Seat, Table, apply_to_seats, fold
from lamplighter.web.trouble import StoreTrouble
from lamplighter.web.views import Viewer

FORMAT = 1
HIDDEN = "?"  # in a record: what was dealt to somebody else
SHARE = 10  # for every second of work so many of rest: matches are kept beside play, never in its way
LONGEST = 1800.0  # seconds that one match may take on a machine that has better things to do
REST = 60.0  # seconds until the next look when there is nothing to keep
SOME = 16  # matches, or more, after which there is no rest before the next look
LOOKED_UP = 10 * SOME  # matches that are looked up at a time
log = logging.getLogger("lamplighter.web")

Kept = dict[str, Any]
LATER: Kept = {
    "final": None,
    "instruction": "",
    "question": "",
    "effects": [],
    "marks": [],
    "held": False,
    "paused": None,
    "verdict": "",
}  # what views had not when some were kept


# --- writing --------------------------------------------------------------------------------------------------


def pack(row: TableRow, entries: list[Entry], view: dict[str, Any]) -> bytes:
    """Everything of a finished match that only its rules can tell, compressed."""
    table = fold(row, entries)
    body = {
        "format": FORMAT,
        "view": view,
        "replay": views.replay(table),
        "sheets": _sheets(table) if table.variant.game.has_picture else [],
        "styles": {f"{theme}{large}": svg.stylesheet(theme, bool(large)) for theme in svg.THEMES for large in (0, 1)},
        "texts": [str(table.match.position.draw(seat)) for seat in range(len(table.seats))],
        "records": {str(told): _records(table, told) for told in (True, False)},
    }
    return lzma.compress(orjson.dumps(body), preset=6)


def _sheets(table: Table) -> list[list[Any]]:
    """For every seat its sheet when it was blank and after each turn in which it moved, with the cells of its lines.

    The last one also has a sentence for each line.
    """
    seats, match = range(len(table.seats)), table.match
    if table.row.kind == "caller":
        return [[[0, views.called_now(table).svg(seat, theme=None), {}]] for seat in seats]
    ends = {(step.turn, step.seat): seq for seq, step in enumerate(match.log, 1) if step.kind == "move"}
    blank = table.variant.start()
    drawn: list[list[Any]] = [[[0, blank.svg(seat, theme=None), {}]] for seat in seats]
    for seq, (step, position) in enumerate(match.replay(), 1):
        last = seq == len(match.log)
        for seat in seats if last else [step.seat]:
            if seat is not None and (last or ends.get((step.turn, seat)) == seq):
                cells = score_cells(table.variant, position.state, seat)
                moment = [seq, position.svg(seat, theme=None), {name: list(lit) for name, lit in cells.items()}]
                if last:
                    moment.append(score_reasons(table.variant, position.state, seat))
                drawn[seat].append(moment)
    return drawn


def _records(table: Table, told: bool) -> list[str]:
    """The record as text and as JSON lines, without names."""
    match = views.record(table, told)
    match.players = [f"Player {seat + 1}" for seat in range(len(table.seats))]
    return [match.text, format_json_lines(match)]


async def keep(service: TableService, table_id: str, heavy: HeavyWork | None = None) -> int:
    """Store a finished match. Return how many bytes it takes. A server does this in its process for long work."""
    session = await service.cache.reread(table_id)
    if not session.table.match.is_over:
        raise LamplighterError(f"the match {table_id} is not over")
    view = views.show(session, Viewer())
    view |= {"log": [], "left": None, "seats": [seat | {"name": "", "here": False} for seat in view["seats"]]}
    given = (session.row, session.table.log, view)
    body = await heavy.run(("keep", table_id), "", pack, *given) if heavy else pack(*given)
    values = {"table_id": table_id, "body": body, "at": time.time()}

    def job(connection: Connection) -> None:
        connection.execute(sa.insert(db_schema.kept), values)

    await asyncio.wrap_future(service.store.write(job))
    return len(body)


def unkept(store: Store, since: float = 0.0, limit: int = LOOKED_UP) -> list[str]:
    """Matches that ended since a moment, that are not kept, and whose rules this server still has."""
    tables, results = db_schema.tables.c, db_schema.results.c
    known = [sa.and_(tables.game == name, tables.rules == games.load(name).rules_version) for name in games.names()]
    query = (
        sa.select(results.table_id)
        .join(db_schema.tables, tables.id == results.table_id)
        .outerjoin(db_schema.kept, db_schema.kept.c.table_id == results.table_id)
        .where(results.seat == 0, results.at >= since, db_schema.kept.c.table_id.is_(None), sa.or_(*known))
        .order_by(results.at)
        .limit(limit)
    )
    with store.connection() as connection:
        return list(connection.execute(query).scalars())


async def keep_all(service: TableService) -> None:
    """Keep matches that have ended, one after the other and not too quickly, for as long as it runs."""
    heavy = HeavyWork(
        BACKGROUND, LONGEST
    )  # in the process where people wait for hints it would get as much time as they
    try:
        await _keep_all(service, heavy)
    finally:
        heavy.close()


async def _keep_all(service: TableService, heavy: HeavyWork) -> None:
    since = 0.0
    failed: set[str] = set()
    while True:
        started = time.time()
        found: list[str] = []
        put_off = False
        try:
            limit = LOOKED_UP + len(failed)  # those that failed are found again
            found = [one for one in await asyncio.to_thread(unkept, service.store, since, limit) if one not in failed]
            random.shuffle(found)  # several processes begin with different ones
            for table_id in found:
                begun = time.perf_counter()
                try:
                    if not await _keep_one(service, table_id, heavy):
                        failed.add(table_id)
                except Busy:
                    log.warning("a finished match could not be kept now, and is tried again")
                    put_off = True
                await asyncio.sleep(SHARE * (time.perf_counter() - begun))
        except StoreTrouble:
            pass  # the store has logged it
        else:
            if len(found) < SOME and not put_off:  # a write that was under way may carry an earlier time
                since = started - REST
        if len(found) < SOME:
            await asyncio.to_thread(heavy.close)
            await asyncio.sleep(REST)


async def _keep_one(service: TableService, table_id: str, heavy: HeavyWork) -> bool:
    """Keep a match that somebody played, if nobody else has. Return False if it need not be looked at again."""
    try:
        if await asyncio.to_thread(read, service.store, table_id) is None:
            session = await service.cache.reread(table_id)
            if not any(seat.is_owned for seat in session.table.seats):
                return False  # bots alone, of whom there can be any number: `lamplighter admin keep` keeps them too
            await keep(service, table_id, heavy)
    except Conflict:
        pass  # another process was quicker
    except (StoreTrouble, Busy):
        raise
    except Exception as error:
        log.warning("a finished match could not be kept (%s)", type(error).__name__)
        return False
    return True


# --- reading --------------------------------------------------------------------------------------------------


def read(store: Store, table_id: str) -> Kept | None:
    """What was kept of a match."""
    query = sa.select(db_schema.kept.c.body).where(db_schema.kept.c.table_id == table_id)
    with store.connection() as connection:
        body = connection.execute(query).scalar()
    return None if body is None else _unpack(body)


@functools.lru_cache(maxsize=4)  # a replay asks for one picture after the other
def _unpack(body: bytes) -> Kept:
    unpacked: Kept = orjson.loads(lzma.decompress(body))
    return unpacked


def seats_of(entries: list[Entry], count: int) -> list[Seat]:
    """Who sits where, told from the log alone."""
    seats = [Seat() for _ in range(count)]
    for entry in entries:
        if entry.kind in SEATING:
            apply_to_seats(seats, entry)
    return seats


def _titled(lines: list[Kept]) -> list[Kept]:
    """The lines of a score; those that were kept before lines had titles are called by their names."""
    return [{"title": str(line["name"]).replace("-", " ")} | line for line in lines]


def show(kept: Kept, row: TableRow, entries: list[Entry], viewer: Viewer, seat: int | None, now: int | None) -> Kept:
    """The view of a kept match."""
    seats = seats_of(entries, len(kept["view"]["seats"]))
    you = seat if seat in viewer.seats else next(iter(viewer.seats), None)
    shown = [
        scored
        | {"name": one.name, "kind": one.kind, "bot": one.bot, "hinted": one.hinted, "lines": _titled(scored["lines"])}
        for scored, one in zip(kept["view"]["seats"], seats, strict=True)
    ]
    log: list[Kept] = [
        {"seq": e.seq, "kind": e.kind, "seat": e.seat, "text": e.text, "at": e.at, "effects": []} for e in entries
    ]
    rematch = [entry.text for entry in entries if entry.kind == "rematch"]
    view: Kept = kept["view"]
    return (
        LATER
        | view
        | {
            "now": time.time(),
            "seq": len(entries),
            "mine": list(viewer.seats),
            "you": you,
            "version": None if you is None else 0,
            "host": viewer.host,
            "seats": shown,
            "sheet": None if you is None or not kept["sheets"] else kept["sheets"][you][-1][1],
            "text": "" if you is None else kept["texts"][you],
            "log": [] if row.kind == "caller" else log[-views.LOG_LENGTH :],
            "dice": views.dice_of(row, views.may_tell(row)),
            "rematch": rematch[0] if rematch and (row.kind != "caller" or viewer.host) else None,
            "ways": {},
            "hints": False,
            "verdict": view.get("verdict", "") if len(seats) == 1 else "",  # it was kept as a spectator saw it
            "faces": [],
            "older": {"played": row.rules, "now": now},
        }
    )


def moment(kept: Kept, seat: int, seq: int | None) -> list[Any]:
    """A seat's sheet after the last turn that was done by then: number of the step, picture, cells of its lines."""
    drawn = kept["sheets"][seat] if seat < len(kept["sheets"]) else []
    if not drawn:
        raise LamplighterError(f"there is no sheet of seat {seat}")
    return drawn[-1] if seq is None else next((one for one in reversed(drawn) if one[0] <= seq), drawn[0])


def picture(kept: Kept, seat: int, theme: str, large: bool, seq: int | None) -> str:
    """A seat's sheet with the style it was drawn for."""
    drawn = str(moment(kept, seat, seq)[1])
    width, height = map(svg.number, svg.size(drawn))
    style = svg.element("style", kept["styles"][f"{theme}{int(large)}"])
    drawn = drawn.replace(">", f' width="{width}" height="{height}">', 1)
    return drawn.replace("</desc>", f"</desc>{style}", 1)


def record(kept: Kept, row: TableRow, entries: list[Entry], lines: bool, told: bool | None = None) -> str:
    """The record with the names that the log has now."""
    text: str = kept["records"][str(views.may_tell(row) if told is None else told)][int(lines)]
    names = [seat.name for seat in seats_of(entries, len(kept["view"]["seats"]))]
    if lines:
        head, rest = text.split("\n", 1)
        first = json.loads(head)
        first["tags"] |= {f"Seat{seat}": name for seat, name in enumerate(names)}
        return json.dumps(first, ensure_ascii=False) + "\n" + rest
    head, rest = text.split("\n\n", 1)
    return "\n".join(_with_name(line, names) for line in head.split("\n")) + "\n\n" + rest


def _with_name(line: str, names: list[str]) -> str:
    """A line of a record's head; that of a seat with the name of who sat there."""
    seat = re.match(r"\[Seat(\d+) ", line)
    return f"[Seat{seat[1]} {json.dumps(names[int(seat[1])], ensure_ascii=False)}]" if seat else line


def bare_record(row: TableRow, entries: list[Entry], told: bool, seats: Collection[int] | None = None) -> str:
    """The moves of a match that cannot be shown, as JSON lines: what a server with its rules can replay.

    With `seats`, what was dealt to one of the others alone is left out: a server that goes back to the older rules plays on.
    """
    happened: list[Entry] = []
    for one in entries:
        if one.kind in ("chance", "move"):
            happened.append(one)
        elif one.kind == "undo":
            last = [i for i, past in enumerate(happened) if (past.seat, past.text) == (one.seat, one.text)]
            del happened[last[-1]]
        elif one.kind == "unroll":
            drawn = [i for i, past in enumerate(happened) if past.kind == "chance"]
            del happened[drawn[-1] :]
    count = 1 + max((one.seat for one in entries if one.seat is not None), default=0)
    tags = {
        "Game": row.game,
        "Variant": row.variant,
        "RulesVersion": str(row.rules),
        "Engine": f"lamplighter {VERSION}",
    }
    tags |= {"Rolls": "typed"} if row.seed is None or not told else {"Seed": row.seed}
    tags |= {f"Seat{n}": seat.name or f"Player {n + 1}" for n, seat in enumerate(seats_of(entries, count))}
    tags |= {"Date": time.strftime("%Y-%m-%d", time.gmtime(row.created))}
    tags |= views.promise_tags(row, told)
    tags |= {} if row.box is None else {"Box": row.box}
    head: dict[str, Any] = {"lamplighter": "match", "tags": tags | {"Result": "*"}}
    steps = [
        {"seq": n, "kind": one.kind, "seat": one.seat, "text": HIDDEN if _is_dealt_to_others(one, seats) else one.text}
        for n, one in enumerate(happened, 1)
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [head, *steps])


def _is_dealt_to_others(entry: Entry, seats: Collection[int] | None) -> bool:
    return seats is not None and entry.kind == "chance" and entry.seat is not None and entry.seat not in seats


def verify(kept: Kept, row: TableRow, totals: list[int]) -> Kept:
    """Check what can be checked without the rules: the promise, and the result that was noted."""
    told = views.may_tell(row)
    ended = kept["replay"]["steps"][-1]["totals"] if kept["replay"]["steps"] else totals
    detail = f"noted at the end: {' '.join(map(str, totals))}"
    checks = [*views.promise_checks(row, told), {"name": "result", "ok": totals == ended, "detail": detail}]
    return {"ok": all(check["ok"] for check in checks), **views.dice_of(row, told), "checks": checks}
