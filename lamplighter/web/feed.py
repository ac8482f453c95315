"""Tells those who look at a table that its log has grown, in this process and, where there are several, in the others."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import psycopg

from lamplighter.web.refusals import TooMany
from lamplighter.web.store import Store

log = logging.getLogger("lamplighter.web")

POLL = 0.1  # seconds between two looks at an SQLite file that other processes write


class Feed:
    """Who listens to which table."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._here: dict[str, list[int]] = defaultdict(list)
        self._clients: Counter[str] = Counter()

    def publish(self, table_id: str) -> None:
        """The log of this table has grown."""
        for event in self._listeners.get(table_id, ()):
            event.set()

    def wake_all(self) -> None:
        """Any log may have grown."""
        for events in self._listeners.values():
            for event in events:
                event.set()

    def may_listen(self, client: str, limit: int) -> None:
        """So many open streams for one client."""
        if self._clients[client] >= limit:
            raise TooMany(f"you look at {limit} tables at once: close one of them", 60)

    @contextlib.contextmanager
    def listen(self, table_id: str, seats: Sequence[int], client: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever the table's log has grown; the seats count as here meanwhile."""
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

    def here(self, table_id: str) -> set[int]:
        """The seats whose people are connected to this process."""
        return set(self._here.get(table_id, ()))

    def has_listeners(self, table_id: str) -> bool:
        return table_id in self._listeners

    @property
    def count(self) -> int:
        return sum(map(len, self._listeners.values()))


async def watch(store: Store, feed: Feed) -> None:
    """Publish what other processes write, for as long as it runs."""
    look = _listen if store.engine.dialect.name == "postgresql" else _poll
    while True:
        try:
            await look(store, feed)
        except Exception:  # whatever it was: without this loop the processes would not hear of each other
            log.warning("the database is away", exc_info=True)
            await asyncio.sleep(1)


async def _poll(store: Store, feed: Feed) -> None:
    last = await asyncio.to_thread(store.newest)
    feed.wake_all()
    while True:
        await asyncio.sleep(POLL)
        last, changed = await asyncio.to_thread(store.changed, last)
        for table_id in changed:
            feed.publish(table_id)


async def _listen(store: Store, feed: Feed) -> None:
    address = store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
        await connection.execute("LISTEN lamplighter")
        feed.wake_all()  # something may have been written before
        async for notice in connection.notifies():
            feed.publish(notice.payload)
