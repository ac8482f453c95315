"""`lamplighter serve`: the game server, for a living room or for the world."""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rich.console import Console

from lamplighter.errors import LamplighterError
from lamplighter.web.settings import from_environment

ANYWHERE = ("0.0.0.0", "::")
GRACE = 5  # seconds that open requests have when the server stops


def serve(host: str, port: int, database: str | None, workers: int | None, open_browser: bool, logs: str) -> None:
    """Start the server and wait until it is stopped."""
    try:
        import uvicorn

        from lamplighter.web.app import prepare
    except ModuleNotFoundError as error:
        raise LamplighterError(f"{error.name} is missing: pip install 'lamplighter[web]'") from None
    if not _is_free(host, port):
        raise LamplighterError(f"port {port} is taken: another server runs there, or choose --port {port + 1}")
    settings = from_environment()
    public = settings.public or (_public_address(port) if host in ANYWHERE else "")
    settings = replace(
        settings, public=public, workers=workers or settings.workers, database=database or settings.database
    )
    console = Console(stderr=True)
    with _alone(settings.database):
        prepare(settings)
        settings.export()
        threading.Thread(target=_greet, args=(console, host, port, public, open_browser), daemon=True).start()
        uvicorn.run(
            "lamplighter.web.app:create_app", factory=True, host=host, port=port, workers=settings.workers,
            access_log=False, log_config=log_config(logs), timeout_graceful_shutdown=GRACE, server_header=False,
        )  # fmt: skip


@contextlib.contextmanager
def _alone(database: str) -> Iterator[None]:
    """An SQLite file is one server's: two would not hear of each other."""
    from lamplighter.web.store import file_of

    path = file_of(database)
    if path is None or sys.platform == "win32":
        yield
        return
    import fcntl

    with path.with_name(f"{path.name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise LamplighterError(
                f"another server plays on {path}: stop it, start it with more --workers, "
                "or give this one a --database of its own"
            ) from None
        yield


def _is_free(host: str, port: int) -> bool:
    """Whether a server can have this port."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _public_address(port: int) -> str:
    """Where other devices at home find this machine. Nothing is sent: the system only says which way it would go."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address kept for documentation
            return f"http://{probe.getsockname()[0]}:{port}/"
        except OSError:
            return ""


def _greet(console: Console, host: str, port: int, public: str, open_browser: bool) -> None:
    """Say where the server is, once it answers."""
    shown = "localhost" if host in (*ANYWHERE, "127.0.0.1") else host
    address = f"http://{shown}:{port}/"
    while not _answers(f"{address}health"):
        time.sleep(0.2)
    console.print(f"\n  Lamplighter is lit: [bold]{address}[/]   (Ctrl+C puts it out)")
    if public:
        console.print(f"  from other devices here: {public}")
    console.print()
    if open_browser:
        webbrowser.open(address)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def log_config(kind: str) -> dict[str, Any]:
    """Logs as JSON lines, or in short for people: then only what goes wrong."""
    formatter = (
        {"()": "lamplighter.web.limits.JsonLines"} if kind == "json" else {"format": "%(levelname)s %(message)s"}
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
