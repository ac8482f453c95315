"""Reviews of finished matches: one after the other, in a process that gives way to play, and kept in the store.

A review has its row in the store from the moment it is asked for. So it is done once, whichever worker is asked, every worker
can tell how far it is, and a page that is loaded again finds it. A row without a sign of life belongs to a process that is
gone. What is kept has no names.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import multiprocessing
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection as Line
from multiprocessing.process import BaseProcess
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lamplighter.web import db_schema, heavy
from lamplighter.web.errors import Busy, TooMany
from lamplighter.web.store import Conflict, Entry, Store, TableRow
from lamplighter.web.table import Table, fold
from lamplighter.web.tokens import hash_token, new_token
from lamplighter.web.trouble import StoreTrouble

LONGEST = 300.0  # seconds that one may take, with all that is loaded first
WAITING = 12  # reviews that may wait in one process
FOR_ONE = 2  # and those of one client
LOOK = 0.5  # seconds between two looks at how far it is
BEAT = 2.0  # seconds between two signs of life in the store
LOST = 30.0  # seconds without one after which a review has to be begun again
NICENESS = 10  # more than other long work: nobody waits at a table for a review
log = logging.getLogger("lamplighter.web")

Found = dict[str, Any]


# --- in the other process -------------------------------------------------------------------------------------


def look_through(line: Line, row: TableRow, entries: list[Entry], seconds: float) -> None:
    """Review a match in so many seconds, and send how far it is, then what was found."""
    heavy.start_process(NICENESS)
    table = fold(row, entries)
    line.send_bytes(review_json(table, seconds, lambda done, moves: line.send_bytes(b"%d %d" % (done, moves))))


def review_json(table: Table, seconds: float, progress: Callable[[int, int], None]) -> bytes:
    """Return a review as it is kept: of what people played; of all seats where only bots did."""
    from lamplighter.bots.review import review

    people = [number for number, seat in enumerate(table.seats) if seat.is_owned]
    found = review(table.match, people or None, seconds, threads=1, progress=progress).fields()
    for seat in found["seats"]:
        del seat["player"]
    return orjson.dumps(found)


# --- in the server --------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Job:
    """A review that this process does, or will do."""

    row: TableRow
    entries: list[Entry]
    client: str
    round: int  # how many of this client were to be done before it
    done: int = 0
    moves: int = 0
    is_running: bool = False
    is_stopped: bool = False


class Reviews:
    """What is looked through, what waits for it, and what was found."""

    def __init__(self, store: Store, seconds: float) -> None:
        self._store, self._seconds = store, seconds
        self._jobs: dict[str, Job] = {}  # by table, the next one first
        self._beginning: dict[str, str] = {}  # who asked for those that are being written down, by table
        self._worker: asyncio.Task[None] | None = None
        self._process: BaseProcess | None = None

    async def close(self) -> None:
        """Stop, and leave no row behind that looks as if somebody still worked on it."""
        left = list(self._jobs)
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)
        self._kill()
        self._jobs.clear()
        with contextlib.suppress(StoreTrouble):
            await self._delete(left)

    # --- questions

    async def state(self, table_id: str) -> Found:
        """Return how far the review of a table is: `none`, `waiting`, `running` or `done`, then with what was found."""
        job = self._jobs.get(table_id)
        if job is not None:
            ahead = list(self._jobs).index(table_id)
            state = "running" if job.is_running else "waiting"
            return {"state": state, "done": job.done, "moves": job.moves, "ahead": ahead, "review": None}
        row = await asyncio.to_thread(self._row, table_id)
        if row is None or (row.body is None and row.at < time.time() - LOST):
            return {"state": "none", "done": 0, "moves": 0, "ahead": 0, "review": None}
        state, found = ("running", None) if row.body is None else ("done", orjson.loads(row.body))
        return {"state": state, "done": row.done, "moves": row.moves, "ahead": 0, "review": found}

    def _row(self, table_id: str) -> Any:
        reviews = db_schema.reviews
        with self._store.connection() as connection:
            return connection.execute(sa.select(reviews).where(reviews.c.table_id == table_id)).first()

    # --- commands

    async def begin(self, row: TableRow, entries: Sequence[Entry], client: str) -> str | None:
        """Begin the review of a table. Return what stops it; None if it is done, or somebody else has begun it."""
        if (await self.state(row.id))["state"] != "none":
            return None
        if row.id in self._beginning:
            return None
        clients = [job.client for job in self._jobs.values()] + list(self._beginning.values())
        if len(clients) >= WAITING:
            raise Busy("the server has many reviews to do: try again later")
        if clients.count(client) >= FOR_ONE:
            raise TooMany(f"you have asked for {FOR_ONE} reviews at once: wait for one of them", 10)
        key = new_token()
        self._beginning[row.id] = client  # it counts from now on, also for who asks while this is written down
        try:
            await asyncio.wrap_future(self._store.write(lambda connection: _insert(connection, row.id, key)))
        except Conflict:
            return None  # another process was quicker
        finally:
            del self._beginning[row.id]
        earlier = sum(job.client == client for job in self._jobs.values())
        self._jobs[row.id] = Job(row, list(entries), client, earlier)
        # clients take turns: nobody waits for all that another one wants
        self._jobs = dict(sorted(self._jobs.items(), key=lambda one: (not one[1].is_running, one[1].round)))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return key

    async def may_stop(self, table_id: str, key: str) -> bool:
        """Whether this key is that of whoever began the review."""
        row = await asyncio.to_thread(self._row, table_id)
        return row is not None and bool(key) and row.key == hash_token(key)

    async def stop(self, table_id: str) -> None:
        """Stop a review that is not done, whichever process does it: that one sees that its row is gone."""
        await self._delete([table_id])
        if table_id in self._jobs:
            self._end(self._jobs[table_id])

    async def _delete(self, table_ids: list[str]) -> None:
        reviews = db_schema.reviews
        query = sa.delete(reviews).where(reviews.c.table_id.in_(table_ids), reviews.c.body.is_(None))

        def job(connection: Connection) -> None:
            connection.execute(query)

        if table_ids:
            await asyncio.wrap_future(self._store.write(job))

    # --- the work

    async def _work(self) -> None:
        """Do one review after the other until none is left."""
        while self._jobs:
            job = next(iter(self._jobs.values()))
            try:
                await self._do(job)
            except Exception as error:  # the process died, or the store is out of reach: the next one may go
                if not job.is_stopped:
                    log.warning("a review could not be done (%s)", type(error).__name__)
                    with contextlib.suppress(StoreTrouble):
                        await self._delete([job.row.id])
            finally:
                self._kill()
                self._forget(job)

    async def _do(self, job: Job) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        given = (theirs, job.row, job.entries, self._seconds)
        self._process = context.Process(target=look_through, args=given, daemon=True)
        job.is_running = True
        await asyncio.to_thread(self._process.start)
        theirs.close()
        beaten = 0.0
        with contextlib.closing(ours):
            async with asyncio.timeout(LONGEST):
                while not job.is_stopped:
                    told = await asyncio.to_thread(_hear, ours)
                    if told.startswith(b"{"):
                        await asyncio.wrap_future(self._store.write(functools.partial(_update, job=job, body=told)))
                        return
                    if told:
                        job.done, job.moves = map(int, told.split())
                    if time.monotonic() - beaten > BEAT:
                        beaten = time.monotonic()
                        await self._beat()

    async def _beat(self) -> None:
        """Give a sign of life for all reviews of this process, and end those that were stopped elsewhere."""
        jobs = list(self._jobs.values())

        def work(connection: Connection) -> list[Job]:
            return [job for job in jobs if not _update(connection, job)]

        for gone in await asyncio.wrap_future(self._store.write(work)):
            self._end(gone)

    def _end(self, job: Job) -> None:
        job.is_stopped = True
        if job.is_running:
            self._kill()
        self._forget(job)

    def _forget(self, job: Job) -> None:
        if self._jobs.get(job.row.id) is job:  # it may have been begun again
            del self._jobs[job.row.id]

    def _kill(self) -> None:
        if self._process is not None and self._process.is_alive():
            self._process.kill()


def _hear(line: Line) -> bytes:
    """Return the last that the other process said, after at most a moment; nothing if it said nothing."""
    told = b""
    while line.poll(0 if told else LOOK) and not told.startswith(b"{"):
        told = line.recv_bytes()
    return told


def _insert(connection: Connection, table_id: str, key: str) -> None:
    reviews, now = db_schema.reviews, time.time()
    dead = sa.delete(reviews).where(reviews.c.table_id == table_id, reviews.c.body.is_(None), reviews.c.at < now - LOST)
    connection.execute(dead)
    connection.execute(sa.insert(reviews), {"table_id": table_id, "key": hash_token(key), "at": now})


def _update(connection: Connection, job: Job, **more: Any) -> bool:
    """Write how far a review is. Return whether it still has its row."""
    reviews = db_schema.reviews
    mine = sa.update(reviews).where(reviews.c.table_id == job.row.id, reviews.c.body.is_(None))
    return bool(connection.execute(mine.values(done=job.done, moves=job.moves, at=time.time(), **more)).rowcount)
