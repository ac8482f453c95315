"""Shares the processor among the bots of all tables, so that nobody waits for somebody else's bots.

A job is what the bots of one table play next. It belongs to the client who set the table up, and clients share the processor
equally. A search asks its budget every ten milliseconds or so whether it may go on; there it waits while a client who has
used less wants to think. Tables without a person come after all others.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lamplighter.bots import Budget
from lamplighter.web.heavy import give_way

PER_CLIENT = 4  # tables of one client whose bots think at the same time, or as many as there are slots
BUSY = 32  # tables of all clients, above which a client has one
THREADS = 128  # and at the most; those that wait for a slot cost some memory and nothing else
REMEMBERED = 10_000  # clients

Result = TypeVar("Result")


@dataclass(eq=False)
class SharedBudget(Budget):
    """A budget that waits for its turn whenever the bot looks at it. The time that it waits does not count."""

    processor: Processor = field(kw_only=True)
    client: str = field(kw_only=True)
    has_people: bool = field(kw_only=True)
    has_slot: bool = False
    since: float = 0.0  # when it began to wait, got its slot, or was last charged for it
    turn: threading.Event = field(default_factory=threading.Event)

    @property
    def is_spent(self) -> bool:
        self.processor.pause(self)
        return super().is_spent

    def stop(self) -> None:
        super().stop()
        self.turn.set()


class Processor:
    """Slots for threads that think. A slot goes to the client who has used least."""

    def __init__(self, slots: int) -> None:
        self._lock = threading.Lock()
        self._free = slots
        self._thinking: list[SharedBudget] = []
        self._waiting: list[SharedBudget] = []
        self._used: OrderedDict[str, float] = OrderedDict()  # seconds by client
        self._clock = 0.0  # the least that an active client has used: nobody saves up for later

    def used(self, client: str) -> float:
        """Return what a client counts as having used."""
        return max(self._used.get(client, 0.0), self._clock)

    def enter(self, budget: SharedBudget) -> None:
        """Wait for a slot."""
        with self._lock:
            for one in self._thinking:
                self._charge(one)
            active = [self.used(one.client) for one in (*self._thinking, *self._waiting)]
            self._clock = max(self._clock, min(active, default=0.0))
            self._queue(budget)
            self._fill()
        self._wait(budget)

    def leave(self, budget: SharedBudget) -> None:
        """Give the slot back."""
        with self._lock:
            self._release(budget)
            self._fill()

    def pause(self, budget: SharedBudget) -> None:
        """Pass the slot on if somebody has a better claim; then wait for another one."""
        if not self._waiting or not budget.has_slot:
            return
        with self._lock:
            if not budget.has_slot:
                return
            self._charge(budget)
            if not self._waiting or self._claim(budget) <= min(map(self._claim, self._waiting)):
                return
            self._release(budget)
            self._queue(budget)
            self._fill()
        self._wait(budget)

    def _claim(self, budget: SharedBudget) -> tuple[bool, float]:
        """Return a number pair: the smaller, the sooner it is this one's turn."""
        return not budget.has_people, self.used(budget.client)

    def _queue(self, budget: SharedBudget) -> None:
        budget.turn.clear()
        budget.since = time.monotonic()
        self._waiting.append(budget)

    def _fill(self) -> None:
        while self._free and self._waiting:
            first = min(self._waiting, key=self._claim)
            self._waiting.remove(first)
            self._free -= 1
            self._thinking.append(first)
            now = time.monotonic()
            first.waited += now - first.since
            first.has_slot, first.since = True, now
            first.turn.set()

    def _release(self, budget: SharedBudget) -> None:
        if budget.has_slot:
            self._charge(budget)
            budget.has_slot = False
            self._thinking.remove(budget)
            self._free += 1

    def _charge(self, budget: SharedBudget) -> None:
        now = time.monotonic()
        used = self.used(budget.client) + now - budget.since
        budget.since = now
        self._used[budget.client] = used
        self._used.move_to_end(budget.client)
        if len(self._used) > REMEMBERED:
            self._used.popitem(last=False)

    def _wait(self, budget: SharedBudget) -> None:
        """Wait for a slot, or until the thinking is cancelled."""
        while not budget.has_slot and not budget.is_stopped:
            budget.turn.wait()
        with self._lock:
            if budget in self._waiting:
                self._waiting.remove(budget)


class Thinking:
    """Lets bots think on threads. No client has more than a few at once, and clients take turns.

    Those that take long do it in few slots and give way to everything else, so that nobody quick waits for them.
    """

    def __init__(self, takes_long: bool = False) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        slots = max(1, cores // 2) if takes_long else cores
        self._processor, self._per_client = Processor(slots), max(PER_CLIENT, slots)
        self._threads = ThreadPoolExecutor(THREADS, "bots", give_way if takes_long else None)
        # by whether nobody plays there, and by client: watched tables take no place from those of people
        self._waiting: dict[tuple[bool, str], deque[asyncio.Future[None]]] = {}
        self._running: Counter[tuple[bool, str]] = Counter()
        self._budgets: set[SharedBudget] = set()

    def close(self) -> None:
        """Cancel all thinking, and wait until it has ended."""
        for budget in list(self._budgets):
            budget.stop()
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def run(self, client: str, has_people: bool, work: Callable[..., Result], *given: Any) -> Result:
        """Return the result of `work(*given, budget)`, once it is the client's turn."""
        key = (not has_people, client)
        await self._wait_for_thread(key)
        budget = SharedBudget(processor=self._processor, client=client, has_people=has_people)
        self._budgets.add(budget)

        def work_in_turn() -> Result:
            self._processor.enter(budget)
            try:
                if budget.is_stopped:
                    raise CancelledError
                return work(*given, budget)
            finally:
                self._processor.leave(budget)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work_in_turn)
        finally:
            budget.stop()
            self._budgets.discard(budget)
            self._end(key)

    async def _wait_for_thread(self, key: tuple[bool, str]) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(key, deque()).append(turn)
        self._begin_next()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was cancelled when its turn had come
                self._end(key)
            raise

    def _end(self, key: tuple[bool, str]) -> None:
        self._running[key] -= 1
        if not self._running[key]:
            del self._running[key]
        self._begin_next()

    def _begin_next(self) -> None:
        """Let jobs begin while there are threads: those of the client who has used least come first."""
        while (total := self._running.total()) < THREADS:
            most = self._per_client if total < BUSY else 1
            ready = [key for key in self._waiting if self._running[key] < most]
            if total >= BUSY:
                ready = [key for key in ready if not key[0]]  # tables without a person need not begin
            if not ready:
                return
            key = min(ready, key=lambda one: (one[0], self._processor.used(one[1])))
            turn = self._waiting[key].popleft()
            if not self._waiting[key]:
                del self._waiting[key]
            if not turn.done():
                turn.set_result(None)
                self._running[key] += 1
