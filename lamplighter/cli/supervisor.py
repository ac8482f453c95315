"""Keeps the workers of a server: starts them, replaces those that end, and lets no page wait for a compiler.

The supervisor owns the listening sockets, so that connections wait while workers are replaced, and are never refused.
When some kernels are not compiled yet, workers start in plain Python, which plays at once though bots think longer. The
kernels are compiled in the background, at low priority. Then compiled workers load, the plain ones stop, and the new ones open
the database: one SQLite file never has two generations of workers. Tables come back from their logs, browsers by themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import logging.config
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine
from dataclasses import asdict
from typing import Any

from lamplighter import games, jit
from lamplighter.cli.warm_cache import SEARCH, child_environment, compile_command, is_warm, jobs_of
from lamplighter.errors import CannotStart
from lamplighter.web.progress import Progress
from lamplighter.web.settings import Settings
from lamplighter.web.store import migrate
from lamplighter.web.worker import GRACE, log_config

TRIES = 3  # how often a worker may fail to start while no other one serves
LONGEST_PAUSE = 60.0  # seconds between two tries, at the most
log = logging.getLogger("lamplighter.serve")


class Worker:
    """A worker process, and the line to it."""

    def __init__(self, process: asyncio.subprocess.Process, writer: asyncio.StreamWriter) -> None:
        self.process, self._writer = process, writer
        self.ready, self.up = asyncio.Event(), asyncio.Event()
        self.dismissed = False

    @property
    def serves(self) -> bool:
        return self.up.is_set() and self.process.returncode is None

    def tell(self, message: object) -> None:
        self._writer.write(json.dumps(message).encode() + b"\n")

    async def is_ready(self) -> bool:
        """Wait until it has loaded; False if it ended instead."""
        tries = [asyncio.create_task(self.ready.wait()), asyncio.create_task(self.process.wait())]
        await asyncio.wait(tries, return_when=asyncio.FIRST_COMPLETED)
        for one in tries:
            one.cancel()
        return self.ready.is_set() and self.process.returncode is None

    def send(self, what: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(what)

    async def dismiss(self) -> None:
        """Let it answer what it was asked, and end."""
        self.dismissed = True
        self.send(signal.SIGTERM)
        try:
            await asyncio.wait_for(self.process.wait(), GRACE + 2)
        except TimeoutError:
            self.send(signal.SIGKILL)
            await self.process.wait()
        self._writer.close()


class Supervisor:
    """All workers of a server, and the compiler in the background."""

    def __init__(
        self,
        settings: Settings,
        sockets: list[socket.socket],
        lock: int | None,
        logs: str,
        greet: Callable[[Progress], None],
    ) -> None:
        self.settings, self.logs, self.greet = settings, logs, greet
        self._listening = [one.fileno() for one in sockets]
        self._inherited = (*self._listening, *(() if lock is None else (lock,)))  # a worker alone still holds the lock
        self._workers: list[Worker] = []
        self._coming: list[Worker] = []  # loaded or loading, to replace those
        self._tasks: set[asyncio.Task[None]] = set()
        self._changing = asyncio.Lock()
        self._served, self._stopping = asyncio.Event(), asyncio.Event()
        self._failure = ""
        self._plain = False
        self._progress = Progress()

    async def run(self) -> None:
        """Serve until a signal comes. Raise `CannotStart` if no worker can."""
        for which in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(which, self._stop)
        logging.config.dictConfig(log_config(self.logs))
        jobs = jobs_of(games.names())
        cold = [job for job in jobs if not is_warm(job)] if self.settings.warm and not jit.PURE else []
        if cold:
            self._plain = True
            self._progress = _progress(cold, [])
        self._workers = [await self._spawn(self._plain) for _ in range(self.settings.workers)]
        try:
            await asyncio.to_thread(migrate, self.settings.database)  # while they load
            for worker in self._workers:
                worker.tell("go")
                self._do(self._keep(worker))
            self._do(self._welcome(cold))
            await self._stopping.wait()
        finally:
            await self._end()
        if self._failure:
            raise CannotStart(self._failure)

    # --- workers ----------------------------------------------------------------------------------------------

    async def _spawn(self, plain: bool) -> Worker:
        """Start a worker, which loads and waits for a `go`."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", "lamplighter.web.worker",
                self.logs, str(theirs.fileno()), *map(str, self._listening),
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(), *self._inherited),
                env=child_environment(NUMBA_DISABLE_JIT="1") if plain else child_environment(),
                start_new_session=True,  # Ctrl+C is for the supervisor, which tells the workers
            )  # fmt: skip
        reader, writer = await asyncio.open_connection(sock=ours)
        worker = Worker(process, writer)
        worker.tell(self._state)
        self._do(self._listen(worker, reader))
        return worker

    async def _listen(self, worker: Worker, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(OSError):
            async for line in reader:
                (worker.ready if json.loads(line) == "ready" else worker.up).set()
                if worker.up.is_set():
                    self._served.set()
                    self._tell(self._progress)

    async def _keep(self, worker: Worker) -> None:
        """Start another worker whenever this one ends by itself; one that cannot start again and again, after growing pauses."""
        failures = 0
        while True:
            code = await worker.process.wait()
            failures = 0 if worker.up.is_set() else failures + 1
            if not worker.dismissed and failures:
                if failures >= TRIES and not any(one.serves for one in self._workers):
                    self._failure = f"a worker could not start {TRIES} times in a row: what went wrong is written above"
                    self._stopping.set()
                    return
                pause = min(2.0 ** (failures - 1), LONGEST_PAUSE)
                log.warning("a worker could not start (code %d): it is tried again in %g seconds", code, pause)
                await asyncio.sleep(pause)
            async with self._changing:
                if worker.dismissed:
                    return
                if not failures:
                    log.warning("a worker ended with code %d: another one starts", code)
                place = self._workers.index(worker)
                worker = self._workers[place] = await self._spawn(self._plain)
                worker.tell("go")
                self._tell(self._progress)

    async def _replace(self) -> bool:
        """Let compiled workers take over from plain ones. Nothing changes when they cannot load."""
        self._coming = [await self._spawn(plain=False) for _ in self._workers]
        if not all(await asyncio.gather(*(worker.is_ready() for worker in self._coming))):
            await asyncio.gather(*(worker.dismiss() for worker in self._coming))
            self._coming = []
            return False
        async with self._changing:
            await asyncio.gather(*(worker.dismiss() for worker in self._workers))
            self._workers, self._coming, self._plain = self._coming, [], False
            for worker in self._workers:
                worker.tell("go")
                self._do(self._keep(worker))
        return True

    # --- compiling --------------------------------------------------------------------------------------------

    async def _welcome(self, cold: list[str]) -> None:
        """Say where the server is once it serves; then compile what is not compiled yet."""
        await self._served.wait()
        self.greet(self._progress)
        if not cold:
            return
        problem = await self._compile(cold)
        if not problem and not await self._replace():
            problem = "the compiled workers did not start"
        self._tell(Progress())
        if problem:
            log.warning("%s: the games go on in plain Python, where bots think longer; try lamplighter warm", problem)
        else:
            self.greet(Progress(games=len(games.names()), ready=len(games.names())))

    async def _compile(self, cold: list[str]) -> str:
        """Fill the cache, on all cores. Return what went wrong."""
        if jit.cache_folder() is None:
            log.warning("compiled games are not kept, because the cache is off or its folder cannot be written")
            return ""  # the workers that take over compile for themselves
        left, under_way = list(cold), list[str]()

        async def compile_some() -> str:
            while left:
                job = left.pop(0)
                under_way.append(job)
                problem = await self._compile_once(job)
                under_way.remove(job)
                if problem:
                    left.clear()
                    title = "the search" if job == SEARCH else games.load(job).title
                    return f"the kernels of {title} could not be compiled ({problem})"
                self._tell(_progress(under_way + left, cold))
            return ""

        problems = await asyncio.gather(*(compile_some() for _ in range(os.cpu_count() or 1)))
        if not any(problems) and not all(is_warm(job) for job in cold):
            return "the cache of compiled games cannot be written"
        return next(filter(None, problems), "")

    async def _compile_once(self, job: str) -> str:
        """Compile one program in a process of its own. Return what went wrong."""
        process = await asyncio.create_subprocess_exec(
            *compile_command(job),
            stdin=subprocess.PIPE,  # stays open: when it ends with us, so does the process
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=child_environment(),
            start_new_session=True,
        )
        assert process.stderr is not None
        try:
            said = (await process.stderr.read()).decode(errors="replace")
            code = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
        errors = re.findall(r"^(?:\w+\.)*(\w*Error\b.*)", said, re.MULTILINE)
        return "" if code == 0 else errors[-1] if errors else f"exit code {code}"

    @property
    def _state(self) -> dict[str, Any]:
        """Return what workers are told: how far compiling has come, and how many of them serve."""
        return {**asdict(self._progress), "serving": sum(worker.serves for worker in self._workers)}

    def _tell(self, progress: Progress) -> None:
        self._progress = progress
        for worker in (*self._workers, *self._coming):
            worker.tell(self._state)

    # --- the end ----------------------------------------------------------------------------------------------

    def _stop(self) -> None:
        """Stop gently; at once when asked again."""
        if self._stopping.is_set():
            for worker in (*self._workers, *self._coming):
                worker.send(signal.SIGKILL)
        self._stopping.set()

    async def _end(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(worker.dismiss() for worker in (*self._workers, *self._coming)))

    def _do(self, job: Coroutine[Any, Any, None]) -> None:
        """Carry something out beside the rest. A mistake in it ends the server: nobody would look after the workers."""
        task = asyncio.create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("the server cannot look after its workers", exc_info=error)
            self._failure = f"the server cannot look after its workers: {error}"
            self._stopping.set()


def _progress(left: list[str], cold: list[str]) -> Progress:
    """Return how far compiling has come: the programs that are left, of those that were missing at first."""
    names = games.names()
    wanted = [job for job in left if job != SEARCH] or [job for job in cold if job != SEARCH] or names
    return Progress(wanted[0], len(names) - sum(job in names for job in left), len(names))
