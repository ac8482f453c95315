"""Tells those who look at a table that its log has grown, in this process and, where there are several, in the others."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import time
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg

from lamplighter.web.errors import TooMany
from lamplighter.web.reactions import SAID, read_said
from lamplighter.web.store import Entry, Store, file_of
from lamplighter.web.trouble import StoreTrouble
from lamplighter.web.writer import CHANNEL

WAITING = 16  # reactions of one table that wait for those who listen
POLL = 0.05  # seconds between two looks at an SQLite file that other processes write
REMEMBERED = 20_000  # tables of which Notices keeps how far they are
RECENT, LATEST = 2_000, 50  # tables of which it keeps entries, and how many


class Feed:
    """Who listens to which table, and what was said there a moment ago."""

    def __init__(self) -> None:
        self._said: dict[str, deque[tuple[int, int, str]]] = {}
        self.spoken = 0  # how much was said at all tables
        self._listeners: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._here: dict[str, list[int]] = defaultdict(list)
        self._clients: Counter[str] = Counter()

    def publish(self, table_id: str) -> None:
        """The log of this table has grown."""
        for event in self._listeners.get(table_id, ()):
            event.set()

    def say(self, table_id: str, seat: int, reaction: str) -> None:
        """Pass a reaction on to those who listen now. It is kept nowhere."""
        self.spoken += 1
        if table_id in self._listeners:
            self._said.setdefault(table_id, deque(maxlen=WAITING)).append((self.spoken, seat, reaction))
            self.publish(table_id)

    def said(self, table_id: str, after: int) -> list[tuple[int, int, str]]:
        """Return what was said at a table after a number: the number, the seat and the reaction of each."""
        return [one for one in self._said.get(table_id, ()) if one[0] > after]

    def wake_all(self) -> None:
        """Any log may have grown."""
        for events in self._listeners.values():
            for event in events:
                event.set()

    def may_listen(self, client: str, limit: int) -> None:
        """So many open streams for one client."""
        if self._clients[client] >= limit:
            raise TooMany(f"you have {limit} tables open at once: close one of them", 60)

    @contextlib.contextmanager
    def listen(self, table_id: str, seats: Sequence[int], client: str) -> Iterator[asyncio.Event]:
        """Yield an event that is set whenever the table's log has grown. Until the end the seats count as here."""
        event = asyncio.Event()
        self._clients[client] += 1
        self._listeners[table_id].add(event)
        self._here[table_id] += seats
        try:
            yield event
        finally:
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]
            self._listeners[table_id].discard(event)
            for seat in seats:
                self._here[table_id].remove(seat)
            if not self._listeners[table_id]:
                del self._listeners[table_id], self._here[table_id]
                self._said.pop(table_id, None)

    def here(self, table_id: str) -> set[int]:
        """Return the seats whose people are connected to this process."""
        return set(self._here.get(table_id, ()))

    def has_listeners(self, table_id: str) -> bool:
        return table_id in self._listeners

    @property
    def count(self) -> int:
        return sum(map(len, self._listeners.values()))


class Notices:
    """What other processes have written, as far as their notices tell: the newest entry of each table.

    PostgreSQL tells it on a channel. An SQLite file is asked, which takes some microseconds.
    """

    def __init__(self, store: Store, feed: Feed) -> None:
        self._store, self._feed = store, feed
        self._told: OrderedDict[str, int] = OrderedDict()
        self._entries: OrderedDict[str, list[Entry]] = (
            OrderedDict()
        )  # the latest of recent tables, as far as they were told
        self._is_open = False  # the channel is open
        self.since = 0.0  # what was read before this moment may have missed something
        path = file_of(store.url)
        self._file = None if path is None else _SharedFile(path)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def is_newest(self, table_id: str, seq: int) -> bool:
        """Return whether entry number `seq` is the newest of this table, as far as can be known without reading its log."""
        if self._file is not None:
            self._look()
        elif not self._is_open:
            return False
        return self._told.get(table_id, 0) <= seq

    def _look(self) -> None:
        assert self._file is not None
        for table_id, seq in self._file.grown():
            self._note(table_id, seq)
        for origin, table_id, seat, reaction in self._file.said():
            if origin != self._store.origin:
                self._feed.say(table_id, seat, reaction)

    def _remember(self, table_id: str, entries: list[Entry]) -> None:
        """Keep entries that came with a notice, so that they need not be read."""
        known = self._entries.pop(table_id, [])
        follows = known and known[-1].seq + 1 == entries[0].seq
        self._entries[table_id] = [*known, *entries][-LATEST:] if follows else entries
        if len(self._entries) > RECENT:
            self._entries.popitem(last=False)

    def entries_after(self, table_id: str, seq: int) -> list[Entry]:
        """Return the entries after a number, if all that this process was told of came with notices; else none."""
        known = self._entries.get(table_id, [])
        if not known or not known[0].seq <= seq + 1 <= known[-1].seq or known[-1].seq < self._told.get(table_id, 0):
            return []
        return [entry for entry in known if entry.seq > seq]

    def _note(self, table_id: str, seq: int) -> None:
        self._told[table_id] = max(seq, self._told.pop(table_id, 0))
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        self._feed.publish(table_id)

    async def watch(self) -> None:
        """Publish what other processes write, for as long as it runs."""
        while True:
            try:
                with contextlib.suppress(StoreTrouble, psycopg.Error, OSError):
                    await (self._poll() if self._file is not None else self._listen())
            finally:
                self._is_open = False
            await asyncio.sleep(1)

    async def _poll(self) -> None:
        while True:
            self._look()
            await asyncio.sleep(POLL)

    async def _listen(self) -> None:
        address = self._store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            self._told.clear()
            self._entries.clear()
            self._is_open, self.since = True, time.monotonic()
            self._feed.wake_all()  # something may have been written before
            async for notice in connection.notifies():
                origin, table_id, seq, entries = [*notice.payload.split(" ", 3), "", "", ""][:4]
                if origin != self._store.origin and seq == SAID:
                    seat, _, reaction = entries.partition(" ")
                    self._feed.say(table_id, int(seat), reaction)
                elif origin != self._store.origin and seq.isdecimal():
                    if entries:
                        self._remember(table_id, [Entry(*values) for values in json.loads(entries)])
                    self._note(table_id, int(seq))


class _SharedFile:
    """An SQLite file that other processes write, too. Looking whether it has changed takes some microseconds."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._version = -1
        self._newest = self._connection.execute("SELECT coalesce(max(n), 0) FROM entries").fetchone()[0]
        self._look_at_said = False  # the file has changed since it was last asked what was said
        self._last_said = max((one[0] for one in self._read_said()), default=0)

    def close(self) -> None:
        self._connection.close()

    def grown(self) -> list[tuple[str, int]]:
        """Return the tables whose logs have grown since the last look, each with the number of its newest entry."""
        try:
            [version] = self._connection.execute("PRAGMA data_version").fetchone()
            if version == self._version:
                return []
            [newest] = self._connection.execute("SELECT coalesce(max(n), 0) FROM entries").fetchone()
            last = self._newest if newest >= self._newest else 0  # numbers of deleted entries are used again
            query = "SELECT table_id, max(seq) FROM entries WHERE n > ? AND n <= ? GROUP BY table_id"
            found = self._connection.execute(query, (last, newest)).fetchall()
        except sqlite3.Error:
            raise StoreTrouble from None
        self._version, self._newest = version, newest
        self._look_at_said = True
        return list(found)

    def said(self) -> list[tuple[str, str, int, str]]:
        """Return what was said since the last look: the process, the table, the seat and the reaction of each."""
        if not self._look_at_said:
            return []
        self._look_at_said = False
        fresh = [one for one in self._read_said() if one[0] > self._last_said]
        self._last_said = max([self._last_said, *(one[0] for one in fresh)])
        return [(origin, table_id, seat, reaction) for _, origin, table_id, seat, reaction in fresh]

    def _read_said(self) -> list[list[Any]]:
        try:
            found = self._connection.execute("SELECT value FROM facts WHERE name = ?", (SAID,)).fetchone()
        except sqlite3.Error:
            raise StoreTrouble from None
        return read_said(found[0] if found else None)
