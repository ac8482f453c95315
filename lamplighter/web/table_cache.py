"""The sessions that a process has in memory, kept in step with their logs in the store."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from lamplighter.web.errors import NoTable
from lamplighter.web.feed import Feed, Notices
from lamplighter.web.session import Session
from lamplighter.web.settings import Settings
from lamplighter.web.store import Entry, Holder, Store, TableRow
from lamplighter.web.table import Table, points_by_turn

FOLDERS = 2  # threads that fold logs


class TableCache:
    """Finds sessions: in memory, else by folding the log. `on_get` is called with each that was asked for."""

    def __init__(self, store: Store, settings: Settings, feed: Feed, on_get: Callable[[Session], None]) -> None:
        self.store, self._settings, self._feed, self._on_get = store, settings, feed, on_get
        self._sessions: dict[str, Session] = {}
        self._loading: dict[str, asyncio.Future[Session]] = {}
        self._folders = ThreadPoolExecutor(FOLDERS, "folders")
        self.notices = Notices(store, feed) if settings.shared else None

    def close(self) -> None:
        self._folders.shutdown(wait=True, cancel_futures=True)
        if self.notices is not None:
            self.notices.close()

    def __len__(self) -> int:
        return len(self._sessions)

    def __contains__(self, table_id: str) -> bool:
        return table_id in self._sessions

    # --- finding ----------------------------------------------------------------------------------------------

    async def get(self, table_id: str, known: int = 0) -> Session:
        """Return a session as new as its log. `known` is the newest entry that the asker has heard of, from any process."""
        session = self._sessions.get(table_id)
        if session is None:
            session = await self._load_once(table_id)
        session.used = time.monotonic()
        if not self._is_current(session, known):
            async with session.lock:
                if self.has(session) and not self._is_current(session, known):
                    await self.catch_up(session, known)
            if not self.has(session):  # forgotten meanwhile, with what could not be written
                return await self.get(table_id)
        self._on_get(session)
        return session

    def has(self, session: Session) -> bool:
        """Return whether a session is still the one in memory, and not forgotten."""
        return self._sessions.get(session.id) is session

    def find(self, table_id: str) -> Session | None:
        """Return a session that is in memory, as it is."""
        return self._sessions.get(table_id)

    def _is_current(self, session: Session, known: int) -> bool:
        """Return whether a session is as new as its log, as far as this process and the asker have been told."""
        if self.notices is None:
            return True
        if known > session.saved:
            return False
        return session.read > self._oldest and self.notices.is_newest(session.id, session.saved)

    async def refresh(self, session: Session) -> Session:
        """Return the session read from the store now, where other processes may have written to it."""
        if self.notices is None:
            return session
        session.read = 0.0
        return await self.get(session.id)

    @contextlib.asynccontextmanager
    async def steady(self, session: Session) -> AsyncIterator[Session]:
        """Give a session to look at while nobody changes it: all of it is on the disk."""
        while True:
            async with session.lock:
                if self.has(session):
                    yield session
                    return
            session = await self.get(session.id)

    # --- reading ----------------------------------------------------------------------------------------------

    async def _load_once(self, table_id: str) -> Session:
        """Load a session; two who ask at once get the same one."""
        if table_id not in self._loading:
            loading = self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
            loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(self._loading[table_id])

    async def _load(self, table_id: str) -> Session:
        session = await self.reread(table_id)
        self.put(session)
        return session

    def put(self, session: Session) -> None:
        """Take a session into memory."""
        self._sessions[session.id] = session

    async def reread(self, table_id: str) -> Session:
        """Return a session of its own, read from the store. It is folded on another thread, so that nobody else waits."""
        return await asyncio.get_running_loop().run_in_executor(self._folders, self._read_whole, table_id)

    def _read_whole(self, table_id: str) -> Session:
        started = time.monotonic()
        found = self.store.whole(table_id)
        if found is None:
            raise NoTable(f"there is no table {table_id!r} here")
        row, holders, entries = found
        session = self.new_session(row, holders)
        session.read = started
        session.catch_up(entries)
        return session

    def new_session(self, row: TableRow, holders: Sequence[Holder] = ()) -> Session:
        """Return a session with an empty log."""
        return Session(Table(row, self._script(row)), holders, self._settings, self._feed)

    def _script(self, row: TableRow) -> list[str]:
        """Return the outcomes that were called, for a table where sheets are entered."""
        if row.kind != "entry" or row.source is None:
            return []
        return [entry.text for entry in self.store.entries(row.source) if entry.kind == "chance"]

    async def catch_up(self, session: Session, known: int = 0) -> bool:
        """Apply what the store has beyond what is known here. Return whether there was something."""
        entries = self._told(session)
        if not entries or entries[-1].seq < known:
            started = time.monotonic()
            entries, holders = await asyncio.to_thread(self.store.entries_and_holders, session.id, session.saved)
            session.read = started
            session.seat_holders(holders)
        try:
            session.catch_up(entries)
        except Exception:
            self.forget(session)
            raise
        session.is_ours = session.is_ours and not entries
        return bool(entries)

    def _told(self, session: Session) -> list[Entry]:
        """Return the entries that came with notices, if this process need not read anything else; else none."""
        if self.notices is None or session.read <= self._oldest:
            return []
        return self.notices.entries_after(session.id, session.saved)

    @property
    def _oldest(self) -> float:
        """Sessions that were read before this moment are read again: no notice tells who is here."""
        assert self.notices is not None
        return max(time.monotonic() - self._settings.away / 3, self.notices.since)

    async def count_points(self, session: Session) -> None:
        """Count how the points of a finished match grew: once, on another thread."""
        if session.curve is None and session.table.match.is_over:
            loop = asyncio.get_running_loop()
            session.curve = await loop.run_in_executor(self._folders, points_by_turn, session.table.match)

    # --- forgetting -------------------------------------------------------------------------------------------

    def forget(self, session: Session) -> None:
        """Drop a session from memory; its log will bring it back."""
        if self.has(session):
            del self._sessions[session.id]

    async def forget_all(self) -> None:
        """Drop every session from memory, because the store was changed from outside. No write is cut in two by it."""
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        for session in list(self._sessions.values()):
            async with session.lock:
                self.forget(session)
        self._feed.wake_all()

    def tidy(self) -> None:
        """Forget the sessions that nobody looks at."""
        oldest = time.monotonic() - self._settings.rest
        for session in list(self._sessions.values()):
            if session.used < oldest and not self._feed.has_listeners(session.id) and not session.lock.locked():
                self.forget(session)
