"""Keeps tables in memory in step with their logs: finds them, writes changes down before anybody is told, drives bots."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from lamplighter.errors import LamplighterError
from lamplighter.web import metrics
from lamplighter.web.feed import Feed
from lamplighter.web.refusals import Damaged, NoTable, NotNow, Stale
from lamplighter.web.settings import Settings
from lamplighter.web.store import Conflict, Holder, Store
from lamplighter.web.table import Table, play_all, results, think

log = logging.getLogger("lamplighter.web")

TRIES = 8  # how often a change is carried out anew when another process was quicker
PAUSE = 1.0  # seconds before a table goes on that could not
LONGEST = 20_000  # entries of a log; whole matches have a few hundred

Change = Callable[[Table], Sequence[Holder] | None]


class Keeper:
    """The tables in memory, over the store."""

    def __init__(self, store: Store, settings: Settings, feed: Feed) -> None:
        self.store, self.settings, self.feed = store, settings, feed
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Future[Table]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._thinkers = ThreadPoolExecutor(os.cpu_count() or 1, "bots")

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._thinkers.shutdown(wait=True, cancel_futures=True)

    def __len__(self) -> int:
        return len(self._tables)

    # --- finding ----------------------------------------------------------------------------------------------

    async def get(self, table_id: str) -> Table:
        """A table, as new as its log."""
        table = self._tables.get(table_id)
        if table is None:
            table = await self._load_once(table_id)
        table.used = time.monotonic()
        if self.settings.shared:
            async with table.lock:
                if self._tables.get(table_id) is table:
                    await self._catch_up(table)
            if self._tables.get(table_id) is not table:  # forgotten meanwhile, with what could not be written
                return await self.get(table_id)
        self._wake(table)
        return table

    @contextlib.asynccontextmanager
    async def steady(self, table: Table) -> AsyncIterator[Table]:
        """A table to look at while nobody changes it: all of it is on the disk."""
        while True:
            async with table.lock:
                if self._tables.get(table.id) is table:
                    yield table
                    return
            table = await self.get(table.id)

    async def _load_once(self, table_id: str) -> Table:
        """Load a table; two who ask at once get the same one."""
        if table_id not in self._loading:
            self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
        try:
            return await asyncio.shield(self._loading[table_id])
        finally:
            self._loading.pop(table_id, None)

    async def _load(self, table_id: str) -> Table:
        table = self._tables[table_id] = await self.reread(table_id)
        return table

    async def reread(self, table_id: str) -> Table:
        """A table of its own, from the store."""
        row = await asyncio.to_thread(self.store.table, table_id)
        if row is None:
            raise NoTable(f"there is no table {table_id!r} here")
        table = Table(row, await asyncio.to_thread(self.store.holders, table_id))
        table.script = await self._script(row.kind, row.source)
        await self._catch_up(table)
        return table

    async def _script(self, kind: str, source: str | None) -> list[str]:
        """The outcomes that were called, for a table where sheets are entered."""
        if kind != "entry" or source is None:
            return []
        called = await asyncio.to_thread(self.store.rows, source)
        return [entry.text for entry in called if entry.kind == "chance"]

    async def _catch_up(self, table: Table) -> None:
        """Fold what the store has beyond what is known here."""
        rows, holders = await asyncio.to_thread(self.store.news, table.id, table.saved)
        for holder in holders:
            table.tokens[holder.seat] = holder.token
            table.seen[holder.seat] = max(holder.seen, table.seen.get(holder.seat, 0.0))
        for row in rows:
            try:
                table.fold(row)
            except Exception as error:
                self.forget(table)
                if not isinstance(error, LamplighterError):
                    raise
                # its words may tell what nobody should know
                log.error("the log of a table makes no sense at entry %d (%s)", row.seq, error.code)
                raise Damaged(f"the log of this table makes no sense at entry {row.seq}") from None
        table.saved = table.seq
        table.settled = table.settled or table.match.is_over
        if rows and rows[-1].key is not None and rows[-1].kind == "move" and table.is_due:
            self._hold(table, rows[-1].at + self.settings.hold)  # else what follows would have been written with it

    def forget(self, table: Table) -> None:
        """Drop a table from memory; its log will bring it back."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]

    def tidy(self) -> None:
        """Forget the tables that nobody looks at."""
        oldest = time.monotonic() - self.settings.rest
        for table in list(self._tables.values()):
            if table.used < oldest and not self.feed.has_listeners(table.id) and not table.lock.locked():
                self.forget(table)

    # --- writing ----------------------------------------------------------------------------------------------

    async def change(self, table_id: str, change: Change) -> Table:
        """Carry a change out; the table as it is then.

        `change` looks whether it may, and refuses or adds entries; who sits down is what it returns. When another process
        was quicker, it is asked again with the table as it is now.
        """
        for _ in range(TRIES):
            table = await self.get(table_id)
            async with table.lock:
                if self._tables.get(table_id) is not table:
                    continue
                with contextlib.suppress(Conflict):
                    await self._change(table, change)
                    break
        else:
            raise Stale("too many play at this table at once: look at it again")
        self._wake(table)
        return table

    async def _change(self, table: Table, change: Change) -> None:
        """Change, let chance follow, write it down, tell everybody. Called under the table's lock.

        What is refused changes nothing. What fails or cannot be written is forgotten with the whole table, which comes
        back from its log.
        """
        if self.settings.shared:
            await self._catch_up(table)
        try:
            holders = change(table) or ()
            if table.seq > LONGEST:
                raise NotNow("the log of this table is full: lay another one")
            self._advance(table)
            await self._save(table, holders)
        except BaseException:
            if table.seq != table.saved:
                self.forget(table)
            raise

    async def _save(self, table: Table, holders: Sequence[Holder] = ()) -> None:
        rows = table.rows[table.saved :]
        if not rows:
            return
        ended = table.match.is_over and not table.settled
        future = self.store.append(table.id, rows, holders, results(table) if ended else ())
        await asyncio.shield(asyncio.wrap_future(future))
        table.saved = table.seq
        table.settled = table.settled or ended
        for holder in holders:
            table.tokens[holder.seat], table.seen[holder.seat] = holder.token, holder.seen
        metrics.entries.labels(table.row.game).inc(len(rows))
        self.feed.publish(table.id)

    def _advance(self, table: Table) -> None:
        """Reveal the outcomes that are due; they and the bots wait while somebody may still take something back."""
        if table.hold_until is None and table.is_due and any(map(table.can_take_back, table.patient)):
            self._hold(table, time.time() + self.settings.hold)
        if table.hold_until is None and table.roll_due:
            self._roll(table)

    def _roll(self, table: Table) -> None:
        while table.chance_due:
            text = table.next_outcome()
            if text is None:
                return
            table.add("chance", table.match.position.chance_seat, text)

    def _hold(self, table: Table, until: float) -> None:
        """Let the roll and the bots wait."""
        if until > time.time():
            table.hold_until = until
            self._start(table.id, self._release_later(table.id, until))

    async def _release_later(self, table_id: str, until: float) -> None:
        await asyncio.sleep(until - time.time())

        def let_go(table: Table) -> None:
            if table.hold_until == until:
                table.release()

        if table_id in self._tables:
            await self.change(table_id, let_go)

    # --- what goes on by itself -------------------------------------------------------------------------------

    def _start(self, table_id: str, job: Awaitable[None]) -> None:
        task = asyncio.ensure_future(self._logged(table_id, job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _logged(self, table_id: str, job: Awaitable[None]) -> None:
        """A job whose failure is noted; who looks at the table then looks again, which wakes it."""
        try:
            await job
        except (Conflict, Stale):
            pass  # another process was quicker, and goes on with the table
        except Exception:
            log.exception("a table could not go on")
            await asyncio.sleep(PAUSE)
            self.feed.publish(table_id)

    def _wake(self, table: Table) -> None:
        """See that bots think, and that a roll which is due comes."""
        if table.hold_until is None and table.is_due and not table.driving:
            table.driving = True
            self._start(table.id, self._drive(table))

    async def _drive(self, table: Table) -> None:
        try:
            while True:
                async with table.lock:
                    if table is not self._tables.get(table.id):
                        return
                    await self._change(table, lambda _: None)
                    seated = {seat: table.seats[seat].bot or "uniform" for seat in table.waiting_bots}
                    if not seated or table.hold_until is not None:
                        return
                    match = table.match.copy()
                started = time.perf_counter()
                moves = await asyncio.get_running_loop().run_in_executor(self._thinkers, think, match, seated)
                metrics.thinking.observe(time.perf_counter() - started)
                async with table.lock:
                    if table is not self._tables.get(table.id):
                        return
                    await self._change(table, functools.partial(play_all, moves=moves))
        finally:
            table.driving = False
