"""`lamplighter serve`: the game server, for a living room or for the world."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import importlib.util
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from lamplighter.errors import CannotStart, LamplighterError
from lamplighter.web.progress import Progress
from lamplighter.web.settings import Settings, from_environment

ANYWHERE = ("0.0.0.0", "::")
PATIENCE = 2.0  # seconds for the workers of a server that was killed to notice it, and to let go of port and file
NEEDED = ("alembic", "fastapi", "sqlalchemy", "uvicorn")

Result = TypeVar("Result")


def serve(
    host: str,
    port: int,
    database: str | None,
    workers: int | None,
    open_browser: bool,
    logs: str,
    boxes: Path | None = None,
) -> None:
    """Start the server and wait until it is stopped."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise LamplighterError(f"{missing[0]} is missing: pip install 'lamplighter[web]'")
    if logs not in ("short", "json"):
        raise LamplighterError(f"there are no logs {logs!r}: write --logs short or --logs json")
    settings = from_environment()
    public = settings.public or (_public_address(port) if host in ANYWHERE else "")
    settings = replace(
        settings,
        public=public,
        workers=workers or settings.workers,
        database=database or settings.database,
        boxes=_tell_boxes(str(boxes or settings.boxes)) if boxes or settings.boxes else "",
    )
    with _alone(settings.database) as lock, _listening(host, port) as sockets:
        settings.export()
        if sys.platform == "win32":
            _serve_there(settings, host, port, logs)
            return
        from lamplighter.cli.supervisor import Supervisor

        greeting = Greeting(host, port, public, open_browser)
        asyncio.run(Supervisor(settings, sockets, lock, logs, greeting).run())


def _serve_there(settings: Settings, host: str, port: int, logs: str) -> None:
    """Serve without a supervisor, where sockets cannot be handed to other processes."""
    import uvicorn

    from lamplighter.web.store import migrate
    from lamplighter.web.worker import server_options

    migrate(settings.database)
    address = "lamplighter.web.app:create_app"
    uvicorn.run(address, factory=True, host=host, port=port, workers=settings.workers, **server_options(settings, logs))


# --- what a server has alone ----------------------------------------------------------------------------------


@contextlib.contextmanager
def _alone(database: str) -> Iterator[int | None]:
    """Lock an SQLite file for one server: two would not notice each other's changes. Yield the descriptor that holds the lock."""
    from lamplighter.web.store import file_of

    path = file_of(database)
    if path is None or sys.platform == "win32":
        yield None
        return
    import fcntl

    path = path.resolve()  # a link leads to the same file
    try:
        lock = path.with_name(f"{path.name}.lock").open("w")
    except OSError as error:
        raise CannotStart(
            f"cannot write in the folder {str(path.parent)!r} ({error.strerror}): "
            "make it writable, or name another place with --database sqlite:///FILE"
        ) from None
    with lock:
        try:
            _patiently(lambda: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB), errno.EWOULDBLOCK)
        except OSError:
            raise CannotStart(
                f"another server uses {path}: stop it, start it with more --workers, "
                "or give this one a --database of its own"
            ) from None
        yield lock.fileno()


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Sockets for all addresses of a host, on which connections wait from now on."""
    from lamplighter.web.worker import BACKLOG

    if sys.platform == "win32":  # there uvicorn makes its own
        yield []
        return
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):
        raise LamplighterError(
            f"cannot find the host {host!r}: write --host 127.0.0.1 for this machine, or --host 0.0.0.0 for its network"
        ) from None
    with contextlib.ExitStack() as stack:
        made: list[socket.socket] = []
        for family, _, _, _, address in dict.fromkeys(found):
            one = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                _patiently(partial(one.bind, address), errno.EADDRINUSE)
            except OSError as error:
                if error.errno == errno.EADDRNOTAVAIL and (made or address != found[-1][4]):
                    continue  # a name may also have an address of a kind that this machine lacks
                raise CannotStart(_why_not(error, host, port)) from None
            one.listen(BACKLOG)
            made.append(one)
        yield made


def _why_not(error: OSError, host: str, port: int) -> str:
    """Say why a port cannot be had, and what to do."""
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8000
        return f"port {port} is taken: another server runs there, or choose --port {other}"
    if error.errno == errno.EACCES:
        return f"port {port} needs rights that you do not have: choose --port 8000, or another above 1023"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"this machine does not have the address {host!r}: write --host 127.0.0.1, or --host 0.0.0.0 for all of its own"
    return f"cannot listen at {host!r}, port {port}: {error.strerror}"


def _patiently(job: Callable[[], Result], trouble: int) -> Result:
    """Do something, again and again for a while where this error hinders it."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return job()
        except OSError as error:
            if error.errno != trouble or time.monotonic() > end:
                raise
        time.sleep(0.05)


def _tell_boxes(folder: str) -> str:
    """Say which component files of a folder are offered, and why others are not. Return its whole path, for the workers."""
    from lamplighter.web.boxes import Boxes

    path = Path(folder).expanduser().absolute()
    if not path.is_dir():
        raise CannotStart(f"cannot offer boxes from {folder!r}: there is no such folder")
    found, console = Boxes(str(path)), Console(stderr=True, soft_wrap=True, highlight=False)
    for problem in found.problems:
        console.print(f"  not offered: {problem}", markup=False)
    console.print(f"  {len(found)} {'box is' if len(found) == 1 else 'boxes are'} offered from {folder}", markup=False)
    return str(path)


# --- what is said ---------------------------------------------------------------------------------------------


def _public_address(port: int) -> str:
    """Where other devices at home find this machine. Nothing is sent: the system only says which way it would go."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address kept for documentation
            return f"http://{probe.getsockname()[0]}:{port}/"
        except OSError:
            return ""


class Greeting:
    """Says where the server is once it serves, who can reach it, and whether games are still compiled."""

    def __init__(self, host: str, port: int, public: str, open_browser: bool) -> None:
        self.host, self.port, self.public, self.open_browser = host, port, public, open_browser
        self._console = Console(stderr=True, soft_wrap=True, highlight=False)

    def __call__(self, progress: Progress) -> None:
        if not progress.compiling and progress.games:
            self._console.print("  All games are compiled: bots think at full speed now.\n")
            return
        shown = "localhost" if self.host in (*ANYWHERE, "127.0.0.1") else self.host
        address = f"http://[{shown}]:{self.port}/" if ":" in shown else f"http://{shown}:{self.port}/"
        self._console.print(f"\n  Lamplighter is running: [bold]{address}[/]   (Ctrl+C stops it)")
        if self.host in ANYWHERE:
            where = f" at {self.public}" if self.public else ""
            self._console.print(
                f"  Anyone on this network can reach it{where}: phones join there, or by a table's code.\n"
                "  To keep it to this machine: make play, or lamplighter serve without --host."
            )
        elif self.public:
            self._console.print(f"  Friends reach it at {self.public}")
        elif shown == "localhost":
            self._console.print(
                "  Only this machine can reach it. For phones in your home: make play HOST=0.0.0.0, "
                "or lamplighter serve --host 0.0.0.0"
            )
        if progress.compiling:
            self._console.print(
                "  The games are being compiled: you can play meanwhile, but bots think slowly until that is done."
            )
        self._console.print()
        if self.open_browser:
            threading.Thread(
                target=webbrowser.open, args=[address], daemon=True
            ).start()  # some browsers take their time
