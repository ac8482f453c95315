"""A worker: one process that serves the pages and the API, started and replaced by `lamplighter serve`.

A line of JSON objects connects it with the process that started it. The worker says `ready` when it has loaded what it
needs, waits for `go` before it opens the database, and says `up` when it serves. When the line ends, so does the worker:
no worker outlives its server.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import uvicorn

from lamplighter.web.progress import Progress
from lamplighter.web.protocol import limited_protocol
from lamplighter.web.settings import Settings, from_environment

GRACE = 5  # seconds that open requests have when the server stops
ORPHAN = 1.0  # the same when the process that started this one is gone
CLOSING = 1.0  # seconds that a worker has to close its store when all requests are answered
BACKLOG = 2048  # connections that wait while no worker accepts them


def server_options(settings: Settings, logs: str) -> dict[str, Any]:
    """Return what uvicorn is told, in every worker."""
    return {
        "access_log": False,
        "log_config": log_config(logs),
        "timeout_graceful_shutdown": GRACE,
        "server_header": False,
        "ws": "none",  # else, where a library for them is installed, web sockets would pass by every limit
        "backlog": BACKLOG,
    }


def log_config(kind: str) -> dict[str, Any]:
    """Logs as JSON lines, or in short for people: then only what goes wrong."""
    formatter = (
        {"()": "lamplighter.web.middleware.JsonLines"} if kind == "json" else {"format": "%(levelname)s %(message)s"}
    )
    level = logging.INFO if kind == "json" else logging.WARNING
    handler = {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"out": handler},
        "root": {"handlers": ["out"], "level": level},
        "loggers": {"alembic": {"level": "WARNING"}},
    }


class Line:
    """The line to the process that started this one."""

    def __init__(self, descriptor: int) -> None:
        self.progress = Progress()
        self._socket = socket.socket(fileno=descriptor)
        self._go = threading.Event()
        threading.Thread(target=self._listen, name="line", daemon=True).start()

    def say(self, word: str) -> None:
        with contextlib.suppress(OSError):  # nobody is there: the other thread has noticed
            self._socket.sendall(json.dumps(word).encode() + b"\n")

    def wait_for_go(self) -> None:
        self._go.wait()

    def _listen(self) -> None:
        with contextlib.suppress(OSError), self._socket.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                if message == "go":
                    self._go.set()
                else:
                    self.progress.__dict__.update(message)
        os.kill(os.getpid(), signal.SIGTERM)
        _leave_after(ORPHAN)


def _leave_after(seconds: float) -> None:
    """End this process then, whatever it does. What was acknowledged is on the disk."""
    timer = threading.Timer(seconds, os._exit, [0])
    timer.daemon = True
    timer.start()


class WorkerServer(uvicorn.Server):
    """Says when it serves."""

    line: Line

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.line.say("up")


def main(logs: str, line_descriptor: int, listening: list[int]) -> None:
    """Load, wait for the sign, serve until told to stop."""
    line = Line(line_descriptor)
    from lamplighter.web.app import create_app, load_kernels

    settings = from_environment()
    if settings.warm:
        load_kernels()
    line.say("ready")
    line.wait_for_go()
    app = create_app(replace(settings, warm=False), line.progress)
    serving = app.router.lifespan_context

    @contextlib.asynccontextmanager
    async def lifespan(given: Any) -> AsyncIterator[Any]:
        async with serving(given) as state:
            yield state
            # nobody waits for an answer any more: a bot that still thinks will think again in the next worker
            _leave_after(CLOSING)

    app.router.lifespan_context = lifespan
    server = WorkerServer(uvicorn.Config(app, http=limited_protocol(settings), **server_options(settings, logs)))
    server.line = line
    server.run([socket.socket(fileno=descriptor) for descriptor in listening])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), [int(descriptor) for descriptor in sys.argv[3:]])
