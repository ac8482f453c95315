"""Real servers for tests: in this process or in one of their own, on SQLite or PostgreSQL, and people who ask them."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import itertools
import json
import os
import pwd
import queue
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from lamplighter import games
from lamplighter.engine.match import Match
from lamplighter.web.app import create_app, prepare
from lamplighter.web.protocol import limited_protocol
from lamplighter.web.settings import VARIABLE, Settings
from lamplighter.web.store import TableRow
from lamplighter.web.table import load_variant

PATIENCE = 60.0  # seconds until a test gives something up that should happen at once
UNLIMITED = {"rate": 1e6, "burst": 10**6, "tables_per_hour": 10**6, "warm": False, "review_seconds": 4.0}
HTTP = httpx.Client(timeout=PATIENCE, cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])))  # keeps no cookie
atexit.register(HTTP.close)
_keys = itertools.count()


def until(condition: Callable[[], Any], what: str = "it") -> Any:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain until {what}")
        time.sleep(0.01)
    return found


# --- games by what they are like ------------------------------------------------------------------------------


@functools.cache
def variant_where(wanted: Callable[[Match], bool], seats: int = 2) -> str:
    """A variant of ours, with so many seats, whose match is like this after its first roll."""
    for name in games.own_names():
        low, high = games.load(name).seats
        if low <= seats <= high:
            match = load_variant(f"{name}?seats={seats}").match(seed="like")
            match.roll()
            if wanted(match):
                return match.variant.text
    raise LookupError("no game of ours is like that")


def is_secret(match: Match) -> bool:
    """What is dealt to a seat is hidden from the others."""
    return match.is_secret


def all_at_once(match: Match) -> bool:
    """Everybody acts at the same time, after dice that are the same for all."""
    return len(match.waiting) == match.variant.seats and all(entry.seat is None for entry in match.log)


def one_by_one(match: Match) -> bool:
    """One seat acts after the other."""
    return len(match.waiting) == 1 and bool(match.log) and not match.is_secret


def apart(work: Callable[..., Any], *given: Any) -> Any:
    """Do something on a thread of its own: the driver of the browsers leaves a loop running on the main one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(work, *given).result()


def run(job: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end."""
    return apart(asyncio.run, job)


def a_row(variant_text: str, seed: str | None = "7") -> TableRow:
    """What a table is apart from its log, for tests that need no store."""
    variant = load_variant(variant_text)
    return TableRow("t", "table", variant.game.id, variant.text, variant.game.rules_version, seed, "hash", "host", 1.0)


# --- servers --------------------------------------------------------------------------------------------------


class LocalServer:
    """A server on a thread of this process: tests can look into it."""

    def __init__(self, settings: Settings) -> None:
        prepare(settings)
        self.app = create_app(settings)
        config = uvicorn.Config(
            self.app, "127.0.0.1", 0, log_config=None, timeout_graceful_shutdown=1, http=limited_protocol(settings),
            timeout_keep_alive=int(PATIENCE),  # so that it never hangs up in the moment in which a request is sent
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="server")
        self._thread.start()
        until(lambda: self._server.started or not self._thread.is_alive(), "the server starts")
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"

    def _run(self) -> None:
        with asyncio.Runner() as runner, contextlib.suppress(asyncio.CancelledError):
            self._loop = runner.get_loop()
            runner.run(self._server.serve())

    def run(self, job: Coroutine[Any, Any, Any]) -> Any:
        """Carry something out between the requests."""
        return asyncio.run_coroutine_threadsafe(job, self._loop).result(PATIENCE)

    @property
    def service(self) -> Any:
        return self.app.state.service

    def table(self, table_id: str) -> Any:
        """A table as it is in memory."""
        return self.service.cache.find(table_id).table

    def forget(self, table_id: str) -> None:
        """Let a table be brought back from its log, as after a restart."""

        async def job() -> None:
            self.service.cache.forget(self.service.cache.find(table_id))

        self.run(job())

    def close(self) -> None:
        """Stop it. One that does not stop within a minute is ended, and that is a failure which names what it waited for."""
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        if self._thread.is_alive():
            left = [str(task) for task in asyncio.all_tasks(self._loop)]
            self._loop.call_soon_threadsafe(self._cancel_all)
            self._thread.join(PATIENCE)
            raise AssertionError(f"the server did not stop: {left}")

    def _cancel_all(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()


class ServerProcess:
    """A server of its own process, which can be killed and started again on the same port."""

    def __init__(self, settings: Settings, port: int | None = None) -> None:
        self.settings, self.port = settings, port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        prepare(settings)
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "uvicorn", "lamplighter.web.app:create_app", "--factory", "--no-access-log"]
        command += ["--port", str(self.port), "--log-level", "warning", "--timeout-graceful-shutdown", "5"]
        environment = os.environ | {VARIABLE: json.dumps(asdict(self.settings))}
        self.process = subprocess.Popen(command, env=environment)
        wait_for(self.url, self.process)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)


def wait_for(url: str, process: subprocess.Popen[Any]) -> None:
    """Wait until a server answers."""

    def answers() -> bool:
        assert process.poll() is None, f"the server ended with {process.returncode}"
        with contextlib.suppress(httpx.TransportError):
            return HTTP.get(f"{url}/health").status_code == 200
        return False

    until(answers, "the server answers")


def free_port() -> int:
    """A port below those that the system gives to connections, so that none of them takes it before a server does."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Postgres:
    """A PostgreSQL server from the system's package, in a folder of its own, reached through a socket file."""

    @staticmethod
    def programs() -> Path | None:
        """Where the newest installed server lies."""
        found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
        if not found and (path := shutil.which("initdb")):
            found = [Path(path).parent]
        return max(found, key=lambda folder: folder.parent.name, default=None)

    def __init__(self, fsync: str = "off") -> None:
        programs = self.programs()
        if programs is None:
            pytest.skip("PostgreSQL is not installed: run `make tools` or `apt-get install postgresql`")
        self.folder = Path(tempfile.mkdtemp(prefix="pg-"))
        self._as = {}
        if os.geteuid() == 0:  # the server refuses to run as root
            person = pwd.getpwnam("postgres")
            os.chown(self.folder, person.pw_uid, person.pw_gid)
            self._as = {"user": person.pw_uid, "group": person.pw_gid, "extra_groups": []}
        data = self.folder / "data"
        self._call([programs / "initdb", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8", data])
        options = {"listen_addresses": "", "fsync": fsync, "unix_socket_directories": str(self.folder)}
        self._command = [programs / "postgres", "-D", data, *(f"--{name}={value}" for name, value in options.items())]
        self.start()
        self._count = itertools.count()

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, cwd=self.folder, stdout=log, stderr=log, **self._as)
        until(self._answers, "PostgreSQL answers")  # its socket is there before it answers

    def _answers(self) -> bool:
        import psycopg

        assert self._process.poll() is None, (self.folder / "log").read_text()
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(f"host={self.folder} user=postgres").close()
            return True
        return False

    def _call(self, command: list[Any]) -> None:
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True, **self._as)

    def new_database(self) -> str:
        """The address of an empty database."""
        import psycopg

        name = f"test{next(self._count)}"

        with psycopg.connect(f"host={self.folder} user=postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def stop(self) -> None:
        """Go away at once, as in an outage."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(PATIENCE)

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)


# --- people ---------------------------------------------------------------------------------------------------


@dataclass
class Person:
    """Somebody who asks a server: with a token, or as anybody who watches."""

    url: str
    table: str = ""
    token: str = ""
    seats: list[int] = field(default_factory=list)

    def ask(self, method: str, path: str, json: Any = None, **options: Any) -> httpx.Response:
        """A request as it is; `path` goes on behind the table unless it begins with a slash."""
        where = path if path.startswith("/") else f"/api/tables/{self.table}/{path}".replace("/?", "?").rstrip("/")
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        if "headers" in options:
            headers |= options.pop("headers")
        return HTTP.request(method, self.url + where, json=json, headers=headers, **options)

    def get(self, path: str = "", **params: Any) -> Any:
        """The JSON of a good answer."""
        return good(self.ask("GET", path, params=params))

    def post(self, path: str, **body: Any) -> Any:
        return good(self.ask("POST", path, body))

    def refused(self, status: int, method: str, path: str, json: Any = None, **options: Any) -> Any:
        """The error of an answer that has to have this status."""
        answer = self.ask(method, path, json, **options)
        assert answer.status_code == status, answer.text
        return answer.json()["error"]

    def lay(self, variant: str, seats: list[str] | None = None, **more: Any) -> Person:
        """Lay a table and sit down at it."""
        made = self.post("/api/tables", variant=variant, seats=seats or [], **more)
        return Person(self.url, made["id"], made["token"], made["seats"])

    def join(self, name: str = "", **more: Any) -> Person:
        """Somebody else who sits down at this table."""
        made = self.post("join", name=name, **more)
        return Person(self.url, self.table, made["token"], made["seats"])

    @property
    def watcher(self) -> Person:
        return Person(self.url, self.table)

    def view(self, seat: int | None = None, sheet: bool = False) -> Any:
        """The table as it is for them, without the clock; drawing takes its time, so pictures come only when asked for."""
        view = self.get(sheet=sheet, **({} if seat is None else {"seat": seat}))
        assert view.pop("now") > 0
        return view

    def move(self, move: str, view: dict[str, Any], **more: Any) -> httpx.Response:
        """Send a move for the seat that a view shows."""
        body = {"seat": view["you"], "move": move, "version": view["version"], "key": new_key()} | more
        return self.ask("POST", "moves?sheet=false", body)

    def play(self, choice: random.Random | None = None, seat: int | None = None, **more: Any) -> Any:
        """One legal move of a seat that has to act; the view after it."""
        view = self.view(seat)
        moves = view["moves"]
        return good(self.move(choice.choice(moves) if choice else moves[0], view, **more))

    def play_on(self, choice: random.Random | None = None) -> Any:
        """Play all own seats until the match is over; the last view."""
        while (view := self.view())["phase"] != "over":
            if view["moves"]:
                move = choice.choice(view["moves"]) if choice else view["moves"][0]
                self.move(move, view)
            else:
                time.sleep(0.005)
        return view

    def dice(self, **more: Any) -> dict[str, Any]:
        """What goes with a roll that is typed in, taken back or called: what this person sees, and a new key."""
        return {"version": self.view()["rolls_version"], "key": new_key()} | more

    def roll(self, text: str) -> Any:
        """Type in what was rolled."""
        return self.post("roll", **self.dice(text=text))

    def unroll(self) -> Any:
        return self.post("unroll", **self.dice())

    def call(self) -> Any:
        return self.post("call", **self.dice())

    def listen(self, after: int | None = None) -> Listener:
        return Listener(self, after)


def new_key() -> str:
    return f"key-{next(_keys)}"


def good(answer: httpx.Response) -> Any:
    assert answer.status_code in (200, 201), f"{answer.status_code} {answer.text[:500]}"
    return answer.json()


class Listener:
    """An open event stream, read on a thread. `seen` has every event so far."""

    def __init__(self, person: Person, after: int | None = None) -> None:
        self.seen: list[dict[str, Any]] = []
        self.ended = threading.Event()
        self.started: queue.SimpleQueue[int] = queue.SimpleQueue()
        headers = {"authorization": f"Bearer {person.token}"} if person.token else {}
        headers |= {} if after is None else {"last-event-id": str(after)}
        self._http = httpx.Client(timeout=httpx.Timeout(PATIENCE, read=None))
        self._stream = self._http.stream("GET", f"{person.url}/api/tables/{person.table}/events", headers=headers)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        self.status = self.started.get(timeout=PATIENCE)
        until(lambda: self.seen or self.ended.is_set(), "the stream says hello")

    def _read(self) -> None:
        try:
            with self._stream as answer:
                self._answer = answer
                self.started.put(answer.status_code)
                event: dict[str, Any] = {}
                for line in answer.iter_lines():
                    name, _, value = line.partition(": ")
                    if line == "" and event:
                        self.seen.append(event)
                        event = {}
                    elif name == "data":
                        event["data"] = json.loads(value)
                    elif name in ("event", "id"):
                        event[name] = value
        except (httpx.TransportError, httpx.StreamError):
            pass  # the server or the test has ended it
        finally:
            self.ended.set()

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The entries of the log that came."""
        return [entry for event in list(self.seen) if event["event"] == "log" for entry in event["data"]["entries"]]

    @property
    def last_id(self) -> int:
        return int([event["id"] for event in self.seen if "id" in event][-1])

    def wait(self, condition: Callable[[list[dict[str, Any]]], Any]) -> Any:
        return until(lambda: condition(self.entries), "the event comes")

    def close(self) -> None:
        """Hang up, as a browser does that loses its connection."""
        stream = self._answer.extensions["network_stream"]
        with contextlib.suppress(OSError):
            stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)
        self._http.close()


@contextlib.contextmanager
def closing(*things: Any) -> Iterator[Any]:
    """Close servers and listeners at the end, the last first."""
    try:
        yield things[0] if len(things) == 1 else things
    finally:
        for thing in reversed(things):
            thing.close()
