"""The processes of `lamplighter serve`: pages before kernels, workers that are replaced, and none that outlives it."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from serving import PATIENCE, Listener, Person, free_port, new_key, one_by_one, until, variant_where, wait_for

from lamplighter import games, jit
from lamplighter.web.settings import VARIABLE
from lamplighter.web.store import Store

pytestmark = pytest.mark.thorough  # the command is started and stopped in tests/web/test_middleware.py
COMPILING = 10 * PATIENCE  # seconds; a busy machine takes its time for what has low priority
OUTSIDE = "connect_four"  # whose kernels take the least time


class Served:
    """A server as the command starts it."""

    def __init__(self, folder: Path, *arguments: str, port: int | None = None, **environment: str) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = f"sqlite:///{folder}/tables.db"
        self._log = folder / f"log-{time.monotonic_ns()}"
        command = [sys.executable, "-m", "lamplighter", "serve", "--port", str(self.port), "--database", self.database]
        settings = '{"rate": 1e6, "burst": 1000000, "tables_per_hour": 1000000, "hold": 0.05}'
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, *arguments],
                stderr=log,
                env={**os.environ, VARIABLE: settings, "NO_COLOR": "1", **environment},
            )

    @property
    def said(self) -> str:
        return self._log.read_text()

    @property
    def state(self) -> dict[str, Any]:
        """What the server tells of its compiling; nothing while workers are replaced."""
        with contextlib.suppress(httpx.TransportError):
            return dict(Person(self.url).get("/api/server"))
        return {"compiling": "?"}

    def children(self, words: str = "") -> list[int]:
        """The processes that it has started, whose command has these words."""
        listed = subprocess.run(
            ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
        )
        rows = [line.split(maxsplit=2) for line in listed.stdout.splitlines()]
        return [int(row[0]) for row in rows if int(row[1]) == self.process.pid and words in row[2]]

    @property
    def workers(self) -> list[int]:
        return self.children("lamplighter.web.worker")

    def wait(self) -> Served:
        wait_for(self.url, self.process)
        return self

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(PATIENCE)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Any]:
    """Starts servers on one file."""
    made: list[Served] = []

    def start(*arguments: str, **environment: Any) -> Served:
        made.append(Served(tmp_path, *arguments, **environment))
        return made[-1]

    yield start
    for server in made:
        server.process.kill()
        server.process.wait()


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return "State:\tZ" in Path(f"/proc/{pid}/status").read_text() if Path(f"/proc/{pid}").exists() else True


def wait_long(condition: Any, what: str) -> None:
    end = time.monotonic() + COMPILING
    while not condition():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.1)


# --- the first start ------------------------------------------------------------------------------------------


class Insisting(threading.Thread):
    """Somebody who plays table after table, sends again what got lost, and notes what was acknowledged."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.host = Person(url)
        self.person = self.host
        self.enough = threading.Event()
        self.acknowledged: dict[str, list[str]] = {}  # keys, by table
        self.refused = 0  # connections

    def insist(self, person: Person, method: str, path: str, body: Any = None) -> Any:
        end = time.monotonic() + 4 * PATIENCE
        while True:
            try:
                return person.ask(method, path, body)
            except httpx.ConnectError:
                self.refused += 1
            except httpx.TransportError:
                pass  # it was cut off: perhaps it was carried out, perhaps not
            assert time.monotonic() < end
            time.sleep(0.02)

    def run(self) -> None:
        choice = random.Random(5)
        view: dict[str, Any] = {"phase": "over"}
        while not self.enough.is_set():
            if view["phase"] == "over":
                plan = {"variant": variant_where(one_by_one), "seats": ["me", "me"]}
                laid = self.insist(self.host, "POST", "/api/tables", plan).json()
                self.person = Person(self.host.url, laid["id"], laid["token"], laid["seats"])
                self.acknowledged[laid["id"]] = []
            view = self.insist(self.person, "GET", "?sheet=false").json()
            if view["moves"]:
                key = new_key()
                body = {
                    "seat": view["you"],
                    "move": choice.choice(view["moves"]),
                    "version": view["version"],
                    "key": key,
                }
                answer = self.insist(self.person, "POST", "moves?sheet=false", body)
                assert answer.status_code == 200, answer.text
                self.acknowledged[self.person.table].append(f"{view['you']}:{key}")
            time.sleep(0.02)

    @property
    def moves(self) -> int:
        return sum(map(len, self.acknowledged.values()))


class Returning(threading.Thread):
    """A browser that listens to a table, and comes back when the stream ends."""

    def __init__(self, person: Person) -> None:
        super().__init__(daemon=True)
        self.person, self.seqs, self.times = person, list[int](), 0
        self.enough = threading.Event()

    def run(self) -> None:
        last = 0
        while not self.enough.is_set():
            with contextlib.suppress(httpx.TransportError, AssertionError):
                stream = Listener(self.person, last)
                self.times += 1
                while not stream.ended.wait(0.05) and not self.enough.is_set():
                    pass
                stream.close()
                self.seqs += [entry["seq"] for entry in stream.entries]
                last = max([last, *self.seqs])


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
@pytest.mark.parametrize("workers", [1, 2])
def test_play_goes_on_while_compiled_workers_take_over(tmp_path: Path, serve: Any, workers: int) -> None:
    """Moves before, during and after: none is lost, none counts twice, no connection is refused, no event is missed."""
    cache = tmp_path / "cache"
    shutil.copytree(jit.cache_root(), cache / "lamplighter")
    missing = jit.cache_folder(games.load(OUTSIDE).folder)
    assert missing is not None
    shutil.rmtree(cache / "lamplighter" / missing.name)
    server = serve("--workers", str(workers), NUMBA_CACHE_DIR=str(cache)).wait()
    assert server.state == {
        "compiling": games.load(OUTSIDE).title,
        "ready": len(games.names()) - 1,
        "games": len(games.names()),
    }
    assert 'id="compiling"' in Person(server.url).ask("GET", "/").text
    until(lambda: "being compiled" in server.said, "it says so")
    plain = server.workers
    assert len(plain) == workers

    family = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])
    browser, player = Returning(family), Insisting(server.url)
    browser.start()
    player.start()
    until(lambda: player.moves > 5, "moves are made in plain Python")
    family.play()
    wait_long(
        lambda: server.workers and not set(server.workers) & set(plain) and server.state["compiling"] is None,
        "it is compiled",
    )
    before = player.moves
    until(lambda: player.moves > before + 5 or not player.is_alive(), "moves are made after it")
    family.play()
    assert len(server.workers) == workers
    assert 'id="compiling"' not in Person(server.url).ask("GET", "/").text
    seq = family.view()["seq"]
    until(lambda: browser.times > 1, "the stream comes back")
    player.enough.set()
    player.join(PATIENCE)
    time.sleep(0.2)
    browser.enough.set()
    browser.join(PATIENCE)
    assert server.stop() == 0
    assert browser.seqs == list(range(1, seq + 1))
    assert player.refused == 0
    assert "All games are compiled" in server.said and "WARNING" not in server.said

    store = Store(server.database)
    try:
        for table, keys in player.acknowledged.items():
            assert [entry.key for entry in store.entries(table) if entry.key] == keys
    finally:
        store.close()
    again = serve("--workers", str(workers), NUMBA_CACHE_DIR=str(cache)).wait()
    until(lambda: "Lamplighter is running" in again.said, "it says where")
    assert again.state["compiling"] is None and "being compiled" not in again.said
    assert again.children("main_in_background") == []


@pytest.mark.skipif(jit.PURE, reason="nothing is compiled")
def test_a_game_that_cannot_be_compiled_is_played_in_plain_python(tmp_path: Path, serve: Any) -> None:
    subprocess.run(
        [sys.executable, "-m", "lamplighter", "new-game", "odd", "--into", str(tmp_path)],
        check=True,
        capture_output=True,
    )
    rules = tmp_path / "odd" / "rules.py"
    text, changed = re.subn(
        r"(\ndef apply\([^\n]*\n(?: +\"\"\".*?\"\"\"\n)?)",
        r"\1    [str(x) for x in ({1: 'a'}, 2)]\n",
        rules.read_text(),
        flags=re.DOTALL,
    )
    assert changed == 1
    rules.write_text(text)
    server = serve(LAMPLIGHTER_GAMES=str(tmp_path / "odd")).wait()
    plain = server.workers
    wait_long(lambda: server.state["compiling"] is None, "it gives up")
    assert re.search(r"could not be compiled \(\w+Error: .*nopython.*\): the games go on in plain Python", server.said)
    assert server.said.count("plain Python") == 1 and "Traceback" not in server.said
    Person(server.url).lay("odd", ["me", "me"]).play()
    assert server.workers == plain and server.children("main_in_background") == []


# --- no orphans -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_server_leaves_nothing_behind(tmp_path: Path, serve: Any, workers: int) -> None:
    """Its workers and its compiler end by themselves; port and file are free for the next."""
    server = serve("--workers", str(workers), NUMBA_CACHE_DIR=str(tmp_path / "cache")).wait()
    us = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])
    stream = us.listen()
    us.play()
    if not jit.PURE:
        until(lambda: server.children("main_in_background"), "something is compiled")
    children = server.children()
    assert len(server.workers) == workers
    server.process.kill()
    server.process.wait()
    until(lambda: all(is_gone(pid) for pid in children), "they are gone")
    again = serve("--workers", str(workers), port=server.port, NUMBA_CACHE_DIR=str(tmp_path / "cache")).wait()
    assert stream.ended.wait(PATIENCE)
    stream.close()
    us.play()
    assert again.stop() == 0


def test_a_worker_alone_still_holds_the_file(serve: Any) -> None:
    """Between the end of a server and that of its workers nobody else may open the file."""
    server = serve().wait()
    (worker,) = server.workers
    os.kill(worker, signal.SIGSTOP)
    try:
        server.process.kill()
        server.process.wait()
        second = serve()
        assert second.process.wait(PATIENCE) == 1
        assert "another server uses" in second.said
    finally:
        os.kill(worker, signal.SIGCONT)
    until(lambda: is_gone(worker), "it is gone")
    serve().wait()


def test_a_killed_worker_is_replaced(serve: Any) -> None:
    server = serve("--workers", "2").wait()
    us = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])
    before = server.workers
    os.kill(before[0], signal.SIGKILL)
    until(lambda: len(server.workers) == 2 and before[0] not in server.workers, "there is another one")
    us.play()
    assert before[1] in server.workers and server.process.poll() is None


def test_a_server_whose_workers_cannot_start_ends(serve: Any) -> None:
    server = serve(WEB_CONCURRENCY="many")  # which uvicorn reads, in the worker, as a number
    assert server.process.wait(4 * PATIENCE) == 1
    assert "error: a worker could not start 3 times in a row" in server.said
    assert server.said.count("Traceback") == 3


def test_a_worker_that_cannot_start_is_tried_again_while_another_serves(tmp_path: Path, serve: Any) -> None:
    """More often than a server is started at all; its health says so, and when that is over."""
    fault = tmp_path / "fault"
    (tmp_path / "sitecustomize.py").write_text(f"import os\nif os.path.exists({str(fault)!r}):\n    os._exit(3)\n")
    server = serve("--workers", "2", PYTHONPATH=str(tmp_path)).wait()
    person = Person(server.url)
    until(lambda: person.get("/health")["workers"] == 2, "both serve")
    fault.touch()
    os.kill(server.workers[0], signal.SIGKILL)
    until(lambda: server.said.count("could not start (code 3)") == 3, "it was tried three times")
    health = person.get("/health")
    assert (health["status"], health["workers"], health["workers_wanted"]) == ("degraded", 1, 2)
    person.lay(variant_where(one_by_one), ["me", "me"]).play()
    fault.unlink()
    until(lambda: person.get("/health")["status"] == "ok", "both serve again")
    assert len(server.workers) == 2 and server.stop() == 0


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_gently(serve: Any, which: signal.Signals) -> None:
    server = serve("--workers", "2").wait()
    us = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])
    stream = us.listen()
    workers = server.workers
    server.process.send_signal(which)
    assert server.process.wait(PATIENCE) == 0
    assert stream.ended.wait(PATIENCE) and all(is_gone(worker) for worker in workers)
    stream.close()
    assert "Traceback" not in server.said
