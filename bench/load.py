"""How much can the server take? Scripted people at many tables, on loopback, against one worker on SQLite.

    python bench/load.py VARIANT [--tables N] [--seconds S] [--rate MOVES] [--resting N] [--sheets]

Every seat has a connection of its own and an open event stream. Who has to act asks for their view and plays any legal
move, at once or, with `--rate`, as one of so many moves a second. Prints a line of JSON: accepted moves a second, the
times in milliseconds until a move was answered and until it arrived at the other seats, the kB that a resting table takes,
and what share of its core each side used: on the client's side anything below 1 says that it was not what was measured.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lamplighter.web.app import prepare
from lamplighter.web.settings import VARIABLE, Settings
from lamplighter.web.table import load_variant

CORES = sorted(os.sched_getaffinity(0))
TURNS_AT_REST = 8  # moves that a resting table has seen
TICKS = os.sysconf("SC_CLK_TCK")


# --- the server -----------------------------------------------------------------------------------------------


class Server:
    """One worker on a core of its own, with a new SQLite file."""

    def __init__(self, folder: str) -> None:
        settings = Settings(
            f"sqlite:///{folder}/tables.db", rate=1e9, burst=10**9, tables_per_hour=10**9, streams=10**9, rest=1e9
        )
        prepare(settings)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [sys.executable, "-m", "uvicorn", "lamplighter.web.app:create_app", "--factory", "--no-access-log"]
        command += ["--port", str(self.port), "--log-level", "warning", "--timeout-keep-alive", "600"]
        environment = os.environ | {VARIABLE: json.dumps(asdict(settings))}
        self.process = subprocess.Popen(command, env=environment)
        os.sched_setaffinity(self.process.pid, {CORES[0]})

    @property
    def resident(self) -> int:
        """Bytes of memory."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    @property
    def processor_seconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


# --- people ---------------------------------------------------------------------------------------------------


class Connection:
    """As little HTTP as is needed, so that the client is not what is measured."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> Connection:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        return self

    def send(self, method: str, path: str, token: str, body: Any = None) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n"
        head += f"content-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
        self.writer.write(head.encode() + content)

    async def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        self.send(method, path, token, body)
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        content = json.loads(await self.reader.readexactly(length))
        if not head.startswith(b"HTTP/1.1 20"):
            raise RuntimeError(f"{method} {path}: {content}")
        return content

    async def events(self, path: str, token: str) -> AsyncIterator[int]:
        """The numbers of the events, as they come."""
        self.send("GET", path, token)
        while line := await self.reader.readline():
            if line.startswith(b"id: "):
                yield int(line[4:])

    def close(self) -> None:
        self.writer.close()


@dataclass
class Figures:
    """What was measured."""

    answers: list[float] = field(default_factory=list)
    arrivals: list[float] = field(default_factory=list)
    measuring: bool = False


@dataclass
class Load:
    """The scripted people."""

    port: int
    variant: str
    sheets: bool
    rate: float
    figures: Figures = field(default_factory=Figures)
    keys: Any = field(default_factory=itertools.count)
    choice: random.Random = field(default_factory=lambda: random.Random(1))
    next_move: float = 0.0

    async def lay(self, connection: Connection) -> dict[str, Any]:
        """A table with a person on every seat."""
        plan = {"variant": self.variant, "seats": ["me"] * load_variant(self.variant).seats}
        return dict(await connection.ask("POST", "/api/tables", "", plan))

    async def keep_playing(self) -> None:
        """One table after another."""
        while True:
            await self.play_match()

    async def play_match(self) -> None:
        first = await Connection(self.port).open()
        table = await self.lay(first)
        path, token = f"/api/tables/{table['id']}", table["token"]
        asking = [first] + [await Connection(self.port).open() for _ in table["seats"][1:]]
        streams = [Stream(self.port, self.figures) for _ in table["seats"]]
        for stream in streams:
            await stream.start(f"{path}/events", token)
        try:
            waiting = (await first.ask("GET", f"{path}?sheet=false", token))["waiting"]
            while waiting:
                waiting = await self.play_move(path, token, asking, streams, waiting[0])
        finally:
            for stream in streams:
                stream.close()
            for connection in asking:
                connection.close()

    async def play_move(self, path: str, token: str, asking: list[Connection], streams: list[Stream], seat: int) -> Any:
        picture = "true" if self.sheets else "false"
        view = await asking[seat].ask("GET", f"{path}?seat={seat}&sheet={picture}", token)
        body = {"seat": seat, "move": self.choice.choice(view["moves"]), "version": view["version"]}
        await self._wait_for_turn()
        started = time.perf_counter()
        for other, stream in enumerate(streams):
            stream.expect(started if other != seat else None, view["seq"])
        body["key"] = str(next(self.keys))
        after = await asking[seat].ask("POST", f"{path}/moves?sheet={picture}", token, body)
        if self.figures.measuring:
            self.figures.answers.append(time.perf_counter() - started)
        return after["waiting"]

    async def _wait_for_turn(self) -> None:
        """With a rate: one move every so often, all tables together."""
        if self.rate:
            self.next_move = max(self.next_move, time.perf_counter()) + 1 / self.rate
            await asyncio.sleep(max(0.0, self.next_move - time.perf_counter()))


class Stream:
    """The event stream of a seat."""

    def __init__(self, port: int, figures: Figures) -> None:
        self.connection, self.figures = Connection(port), figures
        self.since: float | None = None
        self.known = 0

    async def start(self, path: str, token: str) -> None:
        await self.connection.open()
        self.task = asyncio.create_task(self._read(path, token))

    def expect(self, since: float | None, known: int) -> None:
        self.since, self.known = since, known

    async def _read(self, path: str, token: str) -> None:
        async for number in self.connection.events(path, token):
            if self.since is not None and number > self.known:
                if self.figures.measuring:
                    self.figures.arrivals.append(time.perf_counter() - self.since)
                self.since = None

    def close(self) -> None:
        self.task.cancel()
        self.connection.close()


# --- measuring ------------------------------------------------------------------------------------------------


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


async def measure(server: Server, load: Load, tables: int, seconds: float) -> dict[str, float]:
    """So many tables play for so long; the first second does not count."""
    load.figures = Figures()
    people = [asyncio.create_task(load.keep_playing()) for _ in range(tables)]
    await asyncio.sleep(1)
    load.figures.measuring = True
    started, used, mine = time.perf_counter(), server.processor_seconds, time.process_time()
    done, _ = await asyncio.wait(people, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for failed in done:
        failed.result()
    elapsed = time.perf_counter() - started
    load.figures.measuring = False
    for person in people:
        person.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    answers, arrivals = load.figures.answers, load.figures.arrivals
    return {
        "moves_per_second": len(answers) / elapsed,
        "answer_p50_ms": 1e3 * percentile(answers, 0.5),
        "answer_p99_ms": 1e3 * percentile(answers, 0.99),
        "arrival_p50_ms": 1e3 * percentile(arrivals, 0.5),
        "arrival_p99_ms": 1e3 * percentile(arrivals, 0.99),
        "server_core": (server.processor_seconds - used) / elapsed,
        "client_core": (time.process_time() - mine) / elapsed,
    }


async def measure_rest(server: Server, load: Load, tables: int) -> dict[str, float]:
    """The memory that tables take which were begun and then left alone."""
    connection = await Connection(server.port).open()

    async def begin() -> None:
        table = await load.lay(connection)
        path = f"/api/tables/{table['id']}"
        for _ in range(TURNS_AT_REST):
            view = await connection.ask("GET", f"{path}?sheet=false", table["token"])
            body = {
                "seat": view["you"],
                "move": view["moves"][0],
                "version": view["version"],
                "key": str(next(load.keys)),
            }
            await connection.ask("POST", f"{path}/moves?sheet=false", table["token"], body)

    for _ in range(20):
        await begin()
    before = server.resident
    for _ in range(tables):
        await begin()
    connection.close()
    return {"resting_kB": (server.resident - before) / tables / 1024}


async def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with contextlib.suppress(OSError):
            connection = await Connection(port).open()
            await connection.ask("GET", "/health")
            connection.close()
            return
        await asyncio.sleep(0.1)
    raise RuntimeError("the server did not start")


async def run(given: argparse.Namespace) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(Server(folder)) as server:
        await wait_for(server.port, server.process)
        load = Load(server.port, given.variant, given.sheets, given.rate)
        found = await measure(server, load, given.tables, given.seconds) if given.seconds else {}
        return found | (await measure_rest(server, load, given.resting) if given.resting else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("variant")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--rate", type=float, default=0.0, help="moves a second of all together; 0: no think time")
    parser.add_argument("--resting", type=int, default=0, help="tables to lay and leave alone")
    parser.add_argument("--sheets", action="store_true", help="ask for the drawn sheet too, as browsers do")
    given = parser.parse_args()
    os.sched_setaffinity(0, {CORES[-1]})
    print(json.dumps({name: round(value, 3) for name, value in asyncio.run(run(given)).items()}))


if __name__ == "__main__":
    main()
