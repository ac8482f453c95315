"""Carries commands out: writes what they add to a log before anybody is told, and lets rolls and bots follow."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from lamplighter import bots
from lamplighter.errors import LamplighterError
from lamplighter.web import metrics
from lamplighter.web.errors import NoTable, NotNow, Stale
from lamplighter.web.feed import Feed
from lamplighter.web.session import Session, think
from lamplighter.web.store import Conflict, Holder
from lamplighter.web.table import results
from lamplighter.web.table_cache import TableCache
from lamplighter.web.thinking import Thinking
from lamplighter.web.trouble import StoreTrouble

log = logging.getLogger("lamplighter.web")

TRIES = 8  # how often a command is carried out again when another process was quicker
PAUSE = 1.0  # seconds before a table goes on that could not
LONGEST = 6_000  # entries of a log; whole matches have a few hundred
DEFER = 2.0  # seconds that a process leaves a table to the one that wrote to it last

# What somebody wants done at a table: it looks whether that may be done now, and refuses or adds entries. It returns who
# sat down with them.
Command = Callable[[Session], Sequence[Holder] | None]


class Driver:
    """Writes to the logs of the cache's sessions."""

    def __init__(self, cache: TableCache, feed: Feed) -> None:
        self._cache, self._store, self._feed = cache, cache.store, feed
        self.tasks: set[asyncio.Task[None]] = set()
        self._quick, self._slow = Thinking(), Thinking(takes_long=True)

    def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        self._quick.close()
        self._slow.close()

    # --- commands ---------------------------------------------------------------------------------------------

    async def execute(self, table_id: str, command: Command) -> Session:
        """Carry a command out. Return the session as it is then.

        When another process was quicker, the command is asked again with the table as it is now.
        """
        for _ in range(TRIES):
            session = await self._cache.get(table_id)
            async with session.lock:
                if not self._cache.has(session):
                    continue
                try:
                    await self._execute(session, command)
                    break
                except Conflict:
                    continue
                except LamplighterError:  # it may be refused only because another process has written meanwhile
                    if session.unsaved() or not self._is_shared or not await self._cache.catch_up(session):
                        raise
        else:
            raise Stale("too many people play at this table at once: look at it again")
        self.wake(session)
        return session

    async def _execute(self, session: Session, command: Command) -> None:
        """Run the command, let chance follow, write it down, tell everybody. Called under the session's lock.

        What is refused changes nothing. What fails or cannot be written is forgotten with the whole session, which comes
        back from its log.
        """
        try:
            holders = command(session) or ()
            if session.table.seq > LONGEST:
                raise NotNow("the log of this table is full: open another table")
            session.advance()
            await self._save(session, holders)
        except BaseException:
            if session.unsaved():
                self._cache.forget(session)
            raise

    async def _save(self, session: Session, holders: Sequence[Holder] = ()) -> None:
        entries = session.unsaved()
        if not entries:
            return
        ended = session.table.match.is_over and not session.settled
        future = self._store.append(session.id, entries, holders, results(session.table) if ended else ())
        await asyncio.shield(asyncio.wrap_future(future))
        session.saved, session.is_ours = session.table.seq, True
        session.settled = session.settled or ended
        session.seat_holders(holders)
        metrics.entries.labels(session.row.game).inc(len(entries))
        self._feed.publish(session.id)

    @property
    def _is_shared(self) -> bool:
        """Whether other processes write to the same tables."""
        return self._cache.notices is not None

    def _is_ours(self, session: Session) -> bool:
        """Whether this process goes on with a table. Of several it is the one that wrote to it last."""
        return session.is_ours or not self._is_shared

    # --- what goes on by itself -------------------------------------------------------------------------------

    def wake(self, session: Session) -> None:
        """See that a hold ends, that bots think, and that a roll which is due comes."""
        if session.hold_until is not None:
            self._schedule_release(session)
        elif session.table.is_due and session.is_attended and not session.driving:
            session.driving = True
            self._start(session.id, self._drive(session))

    def _schedule_release(self, session: Session) -> None:
        until = session.hold_until
        if until is not None and until != math.inf and session.release_at != until:
            session.release_at = until
            self._start(session.id, self._release_later(session.id, until))

    async def _release_later(self, table_id: str, until: float) -> None:
        await asyncio.sleep(until - time.time())
        session = self._cache.find(table_id)
        if session is not None and not self._is_ours(session):
            await asyncio.sleep(DEFER)

        def release(session: Session) -> None:
            if session.hold_until == until:
                session.release()

        while table_id in self._cache:
            with contextlib.suppress(StoreTrouble):  # a hold that nobody ends would stop the table for ever
                await self.execute(table_id, release)
                return
            await asyncio.sleep(PAUSE)

    async def _drive(self, session: Session) -> None:
        """Let chance and bots go on until a person has to act."""
        try:
            if not self._is_ours(session) and await self._has_moved_on(session):
                return
            while True:
                async with session.lock:
                    if not self._cache.has(session):
                        return
                    await self._execute(session, lambda _: None)
                    seated = session.bots_to_move()
                    if not seated or not session.is_attended:
                        return
                    match = session.table.match.copy()
                started = time.perf_counter()
                takes_long = any(bots.thinks_long(bots.load(name)) for name in seated.values())
                thinking = self._slow if takes_long else self._quick
                moves = await thinking.run(session.client, session.has_people, think, match, seated)
                metrics.thinking.observe(time.perf_counter() - started)
                async with session.lock:
                    if not self._cache.has(session):
                        return
                    await self._execute(session, partial(Session.play_bots, moves=moves))
        finally:
            session.driving = False
            self._schedule_release(session)

    async def _has_moved_on(self, session: Session) -> bool:
        """Leave a table to the process that wrote to it last for a while. Return whether that one went on with it."""
        seq = session.table.seq
        await asyncio.sleep(DEFER)
        async with session.lock:
            return not self._cache.has(session) or await self._cache.catch_up(session) or session.table.seq != seq

    def _start(self, table_id: str, job: Awaitable[None]) -> None:
        task = asyncio.ensure_future(self._logged(table_id, job))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _logged(self, table_id: str, job: Awaitable[None]) -> None:
        """Run a job and log its failure. Then listeners look at the table again, which wakes it."""
        try:
            await job
        except (Conflict, Stale, NoTable):
            pass  # another process was quicker, and goes on with the table
        except StoreTrouble:
            await asyncio.sleep(PAUSE)
            self._feed.publish(table_id)
        except Exception:
            log.exception("a table could not go on")
            await asyncio.sleep(PAUSE)
            self._feed.publish(table_id)
