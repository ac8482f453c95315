"""How much can the server take? Scripted people at many tables, on loopback, against a real server.

    python bench/load.py VARIANT [--tables N] [--seconds S] [--rate MOVES] [--resting N] [--sheets]
                         [--database sqlite|postgresql] [--workers N] [--share CORES] [--hostile N]
                         [--reviews N] [--experts N]

Every seat has a connection of its own and an open event stream. Who has to act asks for their view and plays any legal
move, at once or, with `--rate`, as one of so many moves a second. Prints a line of JSON: accepted moves a second, the
times in milliseconds until a move was answered and until it arrived at the other seats, the kB that a resting table takes,
and what share of a core each side used: on the client's side anything below 1 says that it was not what was measured.

The workers run on the first core; the scripted people and PostgreSQL on the last. With several workers all run on all cores. On a
machine with few cores `--share 0.25` keeps each worker to a quarter of a core (by a control group, which needs root), so that
database and people have what they need, and one worker can be compared with two.

`--hostile 10` adds one client with ten connections who asks for nothing but long work (checks, replays, PDFs) as fast as it is
answered, against a server with its usual limits.

`--reviews 10` lets ten people ask for reviews of finished matches, and measures while the server works on them.

`--experts 4` adds four tables at which somebody plays at once against `expert` bots, so that these think nearly all the time.
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
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lamplighter.web.settings import VARIABLE
from lamplighter.web.table import load_variant

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from serving import Postgres

CORES = sorted(os.sched_getaffinity(0))
TURNS_AT_REST = 8  # moves that a resting table has seen
TICKS = os.sysconf("SC_CLK_TCK")
CPU_GROUPS, PERIOD = Path("/sys/fs/cgroup/cpu"), 20_000  # microseconds in which a worker has its share
ARRIVAL = 0.1  # seconds between the first connections of two tables
HOSTILE = "127.0.9.9"  # the address of the client who asks for too much
LONG_WORK = ("verify", "replay", "record.pdf", "record", "sheets/0.svg?seq=99", "verify", "replay")


# --- the server -----------------------------------------------------------------------------------------------


class Server:
    """`lamplighter serve` on a new database, with its processes on cores of their own."""

    def __init__(self, folder: str, database: str, workers: int, share: float, limited: bool) -> None:
        self._postgres = Postgres(fsync="on") if database == "postgresql" else None
        address = self._postgres.new_database() if self._postgres else f"sqlite:///{folder}/tables.db"
        unlimited = {"rate": 1e9, "burst": 10**9, "tables_per_hour": 10**9, "streams": 10**9}
        settings = {"rest": 1e9, "tables_kept": 10**9} | ({} if limited else unlimited)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [Path(sys.executable).with_name("lamplighter"), "serve", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--database", address, "--workers", str(workers)]
        environment = os.environ | {VARIABLE: json.dumps(settings)}
        cores = {CORES[0]} if workers == 1 else set(CORES)
        self.process = subprocess.Popen(
            command, env=environment, stderr=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, cores)
        )
        self._workers, self._share, self._groups = workers, share, list[Path]()

    def limit_workers(self) -> None:
        """Keep each worker to its share of a core."""
        if self._share:
            for number, pid in enumerate(self.workers):
                group = CPU_GROUPS / f"lamplighter-{os.getpid()}-{number}"
                group.mkdir()
                self._groups.append(group)
                (group / "cpu.cfs_period_us").write_text(str(PERIOD))
                (group / "cpu.cfs_quota_us").write_text(str(int(PERIOD * self._share)))
                (group / "cgroup.procs").write_text(str(pid))

    @property
    def workers(self) -> list[int]:
        """The processes that serve: the largest ones below the supervisor."""
        found = sorted(descendants(self.process.pid), key=resident)
        return found[-self._workers :] or [self.process.pid]

    @property
    def resident(self) -> int:
        """Bytes of memory."""
        return sum(map(resident, self.workers))

    @property
    def processor_seconds(self) -> float:
        return sum(processor_seconds(pid) for pid in [self.process.pid, *descendants(self.process.pid)])

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        for group in self._groups:
            group.rmdir()
        if self._postgres:
            self._postgres.close()


def descendants(pid: int) -> list[int]:
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return children + [one for child in children for one in descendants(child)]


def resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


# --- people ---------------------------------------------------------------------------------------------------


class Connection:
    """As little HTTP as is needed, so that the client is not what is measured."""

    def __init__(self, port: int, address: str = "127.0.0.1") -> None:
        self.port, self.address = port, address

    async def open(self) -> Connection:
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0), limit=2**20
        )
        return self

    def send(self, method: str, path: str, token: str, body: Any = None) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n"
        head += f"content-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
        self.writer.write(head.encode() + content)

    async def exchange(self, method: str, path: str, token: str = "", body: Any = None) -> tuple[int, bytes]:
        """Send a request. Return the status and the content of the answer. A connection that was idle may be closed."""
        try:
            self.send(method, path, token, body)
            head = await self.reader.readuntil(b"\r\n\r\n")
        except (ConnectionError, asyncio.IncompleteReadError):
            await self.open()
            self.send(method, path, token, body)
            head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        return int(head[9:12]), await self.reader.readexactly(length)

    async def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        status, content = await self.exchange(method, path, token, body)
        if status // 100 != 2:
            raise RuntimeError(f"{method} {path}: {status} {content[:300]!r}")
        return json.loads(content)

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
    people: Any = field(default_factory=itertools.count)
    begun: int = 0  # tables at which somebody has moved

    def address(self) -> str:
        """An address for the people at one table, so that limits count them apart."""
        number = next(self.people)
        return f"127.1.{number // 250 % 250}.{number % 250 + 1}"

    async def lay(self, connection: Connection) -> dict[str, Any]:
        """A table with a person on every seat."""
        plan = {"variant": self.variant, "seats": ["me"] * load_variant(self.variant).seats}
        return dict(await connection.ask("POST", "/api/tables", "", plan))

    async def keep_playing(self) -> None:
        """One table after another."""
        while True:
            await self.play_match()

    async def play_match(self) -> None:
        address = self.address()
        first = await Connection(self.port, address).open()
        table = await self.lay(first)
        path, token = f"/api/tables/{table['id']}", table["token"]
        asking = [first] + [await Connection(self.port, address).open() for _ in table["seats"][1:]]
        streams = [Stream(self.port, address, self.figures) for _ in table["seats"]]
        for stream in streams:
            await stream.start(f"{path}/events", token)
        try:
            view = await first.ask("GET", f"{path}?sheet=false", token)
            view = await self.play_move(path, token, asking, streams, view)
            self.begun += 1
            while view["waiting"]:
                view = await self.play_move(path, token, asking, streams, view)
        finally:
            for stream in streams:
                stream.close()
            for connection in asking:
                connection.close()

    async def play_move(
        self, path: str, token: str, asking: list[Connection], streams: list[Stream], seen: dict[str, Any]
    ) -> dict[str, Any]:
        """A move of somebody who has to act, at a table that is at least as new as it was seen."""
        picture, seat = "true" if self.sheets else "false", seen["waiting"][0]
        view = await asking[seat].ask("GET", f"{path}?seat={seat}&sheet={picture}&known={seen['seq']}", token)
        body = {"seat": seat, "move": self.choice.choice(view["moves"]), "version": view["version"]}
        await self._wait_for_turn()
        started = time.perf_counter()
        for other, stream in enumerate(streams):
            stream.expect(started if other != seat else None, view["seq"])
        body["key"] = str(next(self.keys))
        after = await asking[seat].ask("POST", f"{path}/moves?sheet={picture}&known={view['seq']}", token, body)
        if self.figures.measuring:
            self.figures.answers.append(time.perf_counter() - started)
        return dict(after)

    async def _wait_for_turn(self) -> None:
        """With a rate: one move every so often, all tables together."""
        if self.rate:
            self.next_move = max(self.next_move, time.perf_counter()) + 1 / self.rate
            await asyncio.sleep(max(0.0, self.next_move - time.perf_counter()))


class Stream:
    """The event stream of a seat."""

    def __init__(self, port: int, address: str, figures: Figures) -> None:
        self.connection, self.figures = Connection(port, address), figures
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


# --- somebody who asks for too much ---------------------------------------------------------------------------


async def finish_tables(load: Load, count: int) -> list[str]:
    """Tables whose matches are over: what long work is done on."""
    found = []
    for _ in range(count):
        connection = await Connection(load.port, load.address()).open()
        table = await load.lay(connection)
        path = f"/api/tables/{table['id']}"
        view = await connection.ask("GET", f"{path}?sheet=false", table["token"])
        while view["phase"] != "over":
            body = {"seat": view["you"], "move": view["moves"][0], "version": view["version"]}
            body["key"] = str(next(load.keys))
            status, content = await connection.exchange("POST", f"{path}/moves?sheet=false", table["token"], body)
            if status == 429:
                await asyncio.sleep(0.5)
                continue
            view = json.loads(content)
            if not view["moves"]:  # the answer shows the seat that moved, and another one has to act
                view = await connection.ask("GET", f"{path}?sheet=false", table["token"])
        connection.close()
        found.append(path)
    return found


async def be_hostile(port: int, paths: list[str], number: int, statuses: Counter[int]) -> None:
    """One connection that asks for long work as fast as it is answered."""
    for turn in itertools.count(number):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            connection = await Connection(port, HOSTILE).open()
            try:
                for step in itertools.count(turn):
                    path = paths[step % len(paths)]
                    status, _ = await connection.exchange("GET", f"{path}/{LONG_WORK[step % len(LONG_WORK)]}")
                    statuses[status] += 1
            finally:
                connection.close()


# --- who plays against experts ----------------------------------------------------------------------------------


async def play_experts(load: Load, moves: Counter[str]) -> None:
    """Play at once against experts, match after match: they think nearly all the time."""
    seats = ["me", *["bot:expert"] * (load_variant(load.variant).seats - 1)]
    connection = await Connection(load.port, load.address()).open()
    while True:
        table = await connection.ask("POST", "/api/tables", "", {"variant": load.variant, "seats": seats})
        path, token, seq = f"/api/tables/{table['id']}", table["token"], 0
        while True:
            view = await connection.ask("GET", f"{path}?sheet=false", token)
            moves["made"] += (view["seq"] > seq) and load.figures.measuring
            seq = view["seq"]
            if view["phase"] == "over":
                break
            if view["moves"]:
                body = {"seat": view["you"], "move": view["moves"][0], "version": view["version"]}
                await connection.ask("POST", f"{path}/moves?sheet=false", token, body | {"key": str(next(load.keys))})
            else:
                await asyncio.sleep(0.05)


# --- measuring ------------------------------------------------------------------------------------------------


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


async def measure(server: Server, load: Load, tables: int, seconds: float) -> dict[str, float]:
    """So many tables play for so long; what comes before every one of them has made a move does not count."""
    load.figures, load.begun = Figures(), 0
    people = []
    for _ in range(tables):  # people do not come all at once, and whoever accepts a connection keeps it
        people.append(asyncio.create_task(load.keep_playing()))
        await asyncio.sleep(ARRIVAL)
    while load.begun < tables and not any(person.done() for person in people):
        await asyncio.sleep(0.1)
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
        "answer_p95_ms": 1e3 * percentile(answers, 0.95),
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


async def measure_hostile(server: Server, load: Load, given: argparse.Namespace) -> dict[str, float]:
    """The same people, first alone, then beside one client with many connections who asks for long work."""
    paths = await finish_tables(load, 12)
    quiet = await measure(server, load, given.tables, given.seconds)
    statuses: Counter[int] = Counter()
    tasks = [asyncio.create_task(be_hostile(server.port, paths, n, statuses)) for n in range(given.hostile)]
    try:
        beside = await measure(server, load, given.tables, given.seconds)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    asked = {f"hostile_{status}": float(count) for status, count in sorted(statuses.items())}
    return (
        beside | {"quiet_p95_ms": quiet["answer_p95_ms"], "quiet_moves_per_second": quiet["moves_per_second"]} | asked
    )


async def measure_reviews(server: Server, load: Load, given: argparse.Namespace) -> dict[str, float]:
    """The same people, first alone, then while finished matches are looked through."""
    paths = await finish_tables(load, given.reviews)
    quiet = await measure(server, load, given.tables, given.seconds)
    for path in paths:
        asking = await Connection(load.port, load.address()).open()
        await asking.ask("POST", f"{path}/review")
        asking.close()
    beside = await measure(server, load, given.tables, given.seconds)
    asking = await Connection(load.port).open()
    states = Counter([(await asking.ask("GET", f"{path}/review"))["state"] for path in paths])
    asking.close()
    if not states["running"]:
        raise RuntimeError(f"no review was running when the load ended: {dict(states)}")
    names = {"quiet_p95_ms": "answer_p95_ms", "quiet_moves_per_second": "moves_per_second"}
    counts = {f"reviews_{state}": float(count) for state, count in sorted(states.items())}
    return beside | {name: quiet[old] for name, old in names.items()} | counts


async def measure_experts(server: Server, load: Load, given: argparse.Namespace) -> dict[str, float]:
    """The same people, first alone, then beside tables at which experts think."""
    quiet = await measure(server, load, given.tables, given.seconds)
    moves: Counter[str] = Counter()
    tasks = [asyncio.create_task(play_experts(load, moves)) for _ in range(given.experts)]
    try:
        beside = await measure(server, load, given.tables, given.seconds)
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for failed in ended:
        if not isinstance(failed, asyncio.CancelledError):
            raise RuntimeError("a table with experts could not go on") from failed
    if not moves["made"]:
        raise RuntimeError("nothing happened at the experts' tables while the load was measured")
    names = {"quiet_p95_ms": "answer_p95_ms", "quiet_moves_per_second": "moves_per_second"}
    return beside | {name: quiet[old] for name, old in names.items()} | {"entries_beside_experts": float(moves["made"])}


async def run(given: argparse.Namespace) -> dict[str, float]:
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(
            Server(folder, given.database, given.workers, given.share, limited=bool(given.hostile))
        ) as server,
    ):
        await wait_for(server.port, server.process)
        server.limit_workers()
        load = Load(server.port, given.variant, given.sheets, given.rate)
        if given.hostile:
            return await measure_hostile(server, load, given)
        if given.reviews:
            return await measure_reviews(server, load, given)
        if given.experts:
            return await measure_experts(server, load, given)
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
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--share", type=float, default=0.0, help="of a core, for each worker; 0: as much as there is")
    parser.add_argument("--hostile", type=int, default=0, help="connections of somebody who asks for long work only")
    parser.add_argument(
        "--reviews", type=int, default=0, help="finished matches that are reviewed meanwhile, 12 at most"
    )
    parser.add_argument(
        "--experts", type=int, default=0, help="tables at which somebody plays against experts meanwhile"
    )
    given = parser.parse_args()
    if given.workers == 1:
        os.sched_setaffinity(0, {CORES[-1]})
    print(json.dumps({name: round(value, 3) for name, value in asyncio.run(run(given)).items()}))


if __name__ == "__main__":
    main()
