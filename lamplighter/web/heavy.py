"""Long work (hints, replays, checks, PDFs) in a process of its own, so that nobody at a table waits for it.

A thread would not do: it would take turns with the event loop for Python's lock. The process starts with the first piece of
work, and ends with the one that started it.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from lamplighter.web.errors import Busy, TooMany

WAITING = 24  # pieces of work that may wait at a time
FOR_ONE = 4  # and of one client
LONGEST = 60.0  # seconds that one piece may take
KEPT = 32 * 1024 * 1024  # bytes of results that are kept
NICENESS = 5  # playing comes first; much nicer, and a busy machine would never come to it
BACKGROUND = 19  # for what nobody waits for

Key = tuple[Hashable, ...]


class HeavyWork:
    """Runs pieces of long work one after the other, and keeps their results."""

    def __init__(self, niceness: int = NICENESS, longest: float = LONGEST) -> None:
        self._niceness, self._longest = niceness, longest
        self._pool: ProcessPoolExecutor | None = None
        self._running: dict[Key, asyncio.Future[bytes]] = {}
        self._turns: OrderedDict[str, deque[asyncio.Event]] = OrderedDict()  # who waits, by client, the next one first
        self._busy = False
        self._results: OrderedDict[Key, bytes] = OrderedDict()
        self._size = 0

    def close(self) -> None:
        """End the process, and refuse what runs or waits. It starts again with the next piece of work.

        Nobody waits until it is gone: at the lowest priority, a busy machine takes a minute to end even a killed process.
        """
        for job in self._running.values():
            job.cancel()
        pool, self._pool = self._pool, None
        self._results.clear()
        self._size = 0
        if pool is not None:
            processes = list(pool._processes.values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:  # it holds nothing that has to be put away
                process.kill()

    def kept(self, key: Key) -> bytes | None:
        """A result that is there already."""
        found = self._results.get(key)
        if found is not None:
            self._results.move_to_end(key)
        return found

    async def run(self, key: Key, client: str, work: Callable[..., bytes], *given: object) -> bytes:
        """Return the result of `work(*given)`: a kept one, that of somebody who asks for the same, or a new one."""
        found = self.kept(key)
        if found is not None:
            return found
        if key not in self._running:
            if len(self._running) >= WAITING:
                raise Busy("the server is busy: try again in a moment")
            if len(self._turns.get(client, ())) >= FOR_ONE:
                raise TooMany(
                    f"you have asked for {FOR_ONE} hints, replays, checks or PDFs at once: wait for one of them", 2
                )
            turn = asyncio.Event()
            self._turns.setdefault(client, deque()).append(turn)
            self._running[key] = asyncio.ensure_future(self._run(key, turn, work, given))
        job = self._running[key]
        try:
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            if job.cancelled():
                raise Busy("the server is stopping: try again in a moment") from None
            raise

    async def _run(self, key: Key, turn: asyncio.Event, work: Callable[..., bytes], given: tuple[object, ...]) -> bytes:
        try:
            self._next_turn()
            await turn.wait()
            try:
                result = await self._in_process(work, given)
            finally:
                self._busy = False
                self._next_turn()
        finally:
            del self._running[key]
        self._keep(key, result)
        return result

    def _next_turn(self) -> None:
        """Let one piece of work begin: clients take turns, so that nobody waits for all that another one wants."""
        if self._busy or not self._turns:
            return
        self._busy = True
        client, waiting = self._turns.popitem(last=False)
        waiting.popleft().set()
        if waiting:
            self._turns[client] = waiting

    async def _in_process(self, work: Callable[..., bytes], given: tuple[object, ...]) -> bytes:
        for _ in range(2):
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(1, context, initializer=start_process, initargs=(self._niceness,))
            pool = self._pool
            with contextlib.suppress(BrokenProcessPool):  # it was killed: another one is started, once
                job = asyncio.get_running_loop().run_in_executor(pool, work, *given)
                try:
                    return await asyncio.wait_for(job, self._longest)
                except TimeoutError:
                    self._pool = None
                    for process in list(pool._processes.values()):
                        process.kill()
                    raise Busy("this takes too long: try again later") from None
            if self._pool is not pool:  # it was closed; a cancellation of the same moment may be lost in Python 3.11
                break
            self._pool = None
        raise Busy("the server cannot do this now: try again in a moment")

    def _keep(self, key: Key, result: bytes) -> None:
        self._size += len(result) - len(self._results.pop(key, b""))
        self._results[key] = result
        while self._size > KEPT and self._results:
            self._size -= len(self._results.popitem(last=False)[1])


def give_way() -> None:
    """Let this thread give way to the others of the server, where the system knows priorities of threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)


def start_process(niceness: int) -> None:
    """Let the process give way to the server, and end when the server does, however that ends."""
    os.nice(niceness)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
