"""How fast is it? Ratios to other engines, measured alternately in one run, and a few times and sizes.

    python bench/run.py [--seconds S] [--rounds N] [--json FILE] [LINE …]

Every round measures each line once, for a short slice; the median over the rounds is the result. bench/README.md says
what each line means. Nothing here knows a game: a game's folder names its comparisons in `bench.toml`.

To add a line, write a function that yields `Line`s and put it into `LINES`.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import itertools
import json
import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

import lamplighter
from lamplighter import games
from lamplighter.bots import Budget
from lamplighter.bots import load as load_bot
from lamplighter.bots.levels import habits_of
from lamplighter.bots.search.plan import Habits, Search
from lamplighter.engine import chance, record
from lamplighter.engine.batch import Batch, Simulator
from lamplighter.engine.loops import UNIFORM
from lamplighter.lab.simulate import record_match, simulate

BENCH = Path(__file__).resolve().parent
ANCHOR_PYTHON = BENCH / ".venv" / "bin" / "python"
ANCHORS = ("openspiel connect_four", "openspiel dots_and_boxes")  # for a game of ours that names none
BLOCK_SECONDS = 0.01  # matches are played in blocks of about this length, each one call from Python
THREAD_SLICES = 3  # threads are measured for so many slices at once, so that their start does not count
WIDTH = 132  # of the report in a file
THREADS_AIM, FIRST_CALL_AIM, HELP_AIM, DRAWING_AIM = 1.8, 0.8, 0.3, 5.0
CALLS_AIM = 1.5
SEARCHED = 20_000  # simulations of one search
PYTHON_ANCHOR = "pyspiel connect_four"
SERVER_RATE, ANSWER_AIM, REST_AIM = 200, 50.0, 100.0
POSTGRES_AIM, WORKERS_AIM, HOSTILE_AIM, REVIEWS_AIM, EXPERTS_AIM = 0.6, 1.5, 3.0, 2.0, 2.0
WAITING_AIM = 3.0
LOAD_SECONDS, LOAD_ROUNDS, HOSTILE_RATE = 6, 3, 100
WORKER_SHARE = 0.25  # of a core, so that two workers, the database and the people find room on two cores

Parts = dict[str, float]
Rate = Callable[[float], float]  # moves a second, measured for so many seconds


class Failed(Exception):
    """A measurement that could not be made."""


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


@dataclass
class Line:
    """One row of the report. `measure` takes the seconds of a slice and returns a figure and what it was made from."""

    name: str
    measure: Callable[[float], tuple[float, Parts]]
    unit: str = "×"
    at_least: float | None = None
    below: float | None = None
    prepare: Callable[[], object] = lambda: None  # compiling and loading, outside the measured time
    parts_unit: str = ""
    once: bool = False  # the same in every round
    values: list[float] = field(default_factory=list)
    parts: list[Parts] = field(default_factory=list)
    error: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def aim(self) -> str:
        if self.at_least is not None:
            return f"≥ {self.at_least:g} {self.unit}"
        return f"< {self.below:g} {self.unit}" if self.below is not None else ""

    @property
    def verdict(self) -> str:
        if self.error or not self.values:
            return "failed" if self.error else "not measured"
        if not self.aim:
            return ""
        reached = self.at_least is None or self.median >= self.at_least
        return "met" if reached and (self.below is None or self.median < self.below) else "missed"

    @property
    def made_from(self) -> str:
        keys = self.parts[0] if self.parts else ()
        medians = [f"{key} {number(statistics.median(parts[key] for parts in self.parts))}" for key in keys]
        return f"{', '.join(medians)} {self.parts_unit}".strip()


# --- what is measured -----------------------------------------------------------------------------------------


class Runner:
    """Uniform whole matches of a variant in our kernel, block after block."""

    def __init__(self, text: str) -> None:
        variant = lamplighter.load(text)
        self.simulator, self.policies = Simulator(variant), np.full(variant.seats, UNIFORM, np.int64)
        self.next_match, self.block = 0, 1
        self.play_block()
        seconds = 0.0
        while seconds < BLOCK_SECONDS / 2:
            self.block *= 2
            start = time.thread_time()  # not wall time: a busy machine must not make the block short
            self.play_block()
            seconds = time.thread_time() - start

    def play_block(self) -> int:
        moves, _ = self.simulator.play_matches(self.policies, 0, self.next_match, self.block)
        self.next_match += self.block
        return moves

    def play_until(self, end: float) -> int:
        moves = self.play_block()
        while time.perf_counter() < end:
            moves += self.play_block()
        return moves


@cache
def runner(variant: str) -> Runner:
    return Runner(variant)


cores_had: dict[int, list[float]] = defaultdict(list)  # by number of threads: processor seconds a second, each slice


def our_rate(variant: str) -> Rate:
    """Our kernel in this thread."""

    def measure(seconds: float) -> float:
        player = runner(variant)
        start, used = time.perf_counter(), time.process_time()
        moves = player.play_until(start + seconds)
        elapsed = time.perf_counter() - start
        cores_had[1].append((time.process_time() - used) / elapsed)
        return moves / elapsed

    return measure


def simulated_rate(variant: str, threads: int, seconds: float) -> float:
    """What `simulate` says about as many matches as one thread plays in a few slices of so many seconds."""
    loaded, matches = lamplighter.load(variant), matches_in(variant, THREAD_SLICES * seconds)
    start, used = time.perf_counter(), time.process_time()
    result = simulate(loaded, [load_bot("uniform")] * loaded.seats, matches, "bench", threads)
    cores_had[threads].append((time.process_time() - used) / (time.perf_counter() - start))
    return result.moves / result.seconds


@cache
def matches_in(variant: str, seconds: float) -> int:
    player = runner(variant)
    start, first = time.thread_time(), player.next_match
    player.play_until(time.perf_counter() + seconds / 4)
    return int((player.next_match - first) * seconds / (time.thread_time() - start)) + 1


class Anchors:
    """Other people's engines: the server `anchors.py`, started when first asked."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def rate(self, anchor: str) -> Rate:
        def measure(seconds: float) -> float:
            answer = self._ask(f"{anchor} {seconds}")
            if "error" in answer:
                raise Failed(f"{anchor}: {answer['error']}")
            return float(answer["moves"]) / float(answer["seconds"])

        return measure

    def _ask(self, request: str) -> dict[str, Any]:
        if self.process is None:
            if not ANCHOR_PYTHON.exists():
                raise Failed("bench/.venv is missing: bench/README.md says how to make it")
            self.process = subprocess.Popen(
                [ANCHOR_PYTHON, BENCH / "anchors.py"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                process_group=0,  # Ctrl-C is for us; we end the server
            )  # fmt: skip
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            print(request, file=self.process.stdin, flush=True)
            return dict(json.loads(self.process.stdout.readline()))
        except (OSError, ValueError):
            raise Failed(f"anchors.py gave no answer to {request!r}") from None

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()


def compare(name: str, ours: Rate, theirs: Rate, sides: tuple[str, str], at_least: float | None) -> Line:
    """A line whose figure is the ratio of two rates, measured one right after the other, in turns which goes first."""
    swap = itertools.cycle((False, True))

    def measure(seconds: float) -> tuple[float, Parts]:
        if next(swap):
            their, our = theirs(seconds), ours(seconds)
        else:
            our, their = ours(seconds), theirs(seconds)
        return our / their, {sides[0]: our / 1e6, sides[1]: their / 1e6}

    return Line(name, measure, at_least=at_least, prepare=partial(measure, 0.01), parts_unit="M moves/s")


def run_process(command: list[str | Path], **environment: str) -> tuple[float, str]:
    """Seconds that a process takes from start to end, and what it prints."""
    start = time.perf_counter()
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode:
        raise Failed(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit code {done.returncode}")
    return seconds, done.stdout


# --- the lines ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bench:
    """What the lines share."""

    anchors: Anchors
    folder: str  # an empty one, to write in
    processes: ProcessPoolExecutor

    def two_processes(self, variant: str, seconds: float) -> float:
        """The sum of the rates of two processes, each with as many matches as one thread plays."""
        return sum(self.processes.map(simulated_rate, [variant] * 2, [1] * 2, [seconds] * 2))


def comparisons() -> dict[str, list[dict[str, Any]]]:
    """The comparisons of each game: its `bench.toml`, or its default variant against `ANCHORS` if it is one of ours."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in games.names():
        path = games.load(name).folder / "bench.toml"
        if path.exists():
            found[name] = tomllib.loads(path.read_text(encoding="utf-8"))["line"]
        elif name in games.own_names():
            found[name] = [{"variant": name, "anchor": anchor} for anchor in ANCHORS]
    return found


def server_variants(marked: bool = False) -> list[str]:
    """What is played where the server is measured; or only what is marked `growth`, where one variant is enough."""
    files = [games.load(name).folder / "bench.toml" for name in games.names()]
    tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in files if path.exists()]
    wanted = [table["server"] for table in tables if "server" in table]
    return [server["variant"] for server in wanted if not marked or server.get("growth")]


def tables_in(part: str) -> list[dict[str, Any]]:
    """Return what games name under `[[PART]]` in their `bench.toml`."""
    files = [games.load(name).folder / "bench.toml" for name in games.names()]
    found = [tomllib.loads(path.read_text(encoding="utf-8")) for path in files if path.exists()]
    return [row for table in found for row in table.get(part, [])]


def first_variants() -> list[str]:
    return [rows[0]["variant"] for rows in comparisons().values() if rows]


def against_anchors(bench: Bench) -> Iterator[Line]:
    """Uniform whole matches of ours against those of another engine."""
    for row in itertools.chain.from_iterable(comparisons().values()):
        variant, anchor = row["variant"], row["anchor"]
        ours, theirs = our_rate(variant), bench.anchors.rate(anchor)
        yield compare(f"{variant} : {anchor}", ours, theirs, ("ours", "theirs"), row.get("at_least"))


def two_threads(bench: Bench) -> Iterator[Line]:
    """`simulate` with two threads against one; once with two processes, too, which is what the machine can give."""
    for variant in first_variants():
        one, two = partial(simulated_rate, variant, 1), partial(simulated_rate, variant, 2)
        yield compare(f"{variant}: two threads : one thread", two, one, ("two", "one"), THREADS_AIM)
        if variant == first_variants()[0]:
            both = partial(bench.two_processes, variant)
            yield compare(f"{variant}: two processes : one process", both, one, ("two", "one"), None)


FIRST_CALL = """
import time; start = time.perf_counter()
import sys, numpy, lamplighter
from lamplighter.engine.batch import Simulator
imported = time.perf_counter()
variant = lamplighter.load(sys.argv[1])
Simulator(variant).play_matches(numpy.zeros(variant.seats, numpy.int64), 0, 0, 1)
print(imported - start)
"""


def first_calls(bench: Bench) -> Iterator[Line]:
    """A fresh process that loads a variant and plays one match, when nothing or everything is compiled already."""
    for variant in first_variants():
        yield from first_call_lines(variant, tempfile.mkdtemp(dir=bench.folder))


def first_call_lines(variant: str, empty_folder: str) -> Iterator[Line]:
    def play_one() -> tuple[float, Parts]:
        seconds, imports = run_process([sys.executable, "-c", FIRST_CALL, variant], NUMBA_CACHE_DIR=empty_folder)
        return seconds, {"imports": float(imports)}

    def play_cached(_: float) -> tuple[float, Parts]:
        before = set(Path(empty_folder).rglob("*.nbc"))
        found = play_one()
        if not set(Path(empty_folder).rglob("*.nbc")) <= before:
            raise Failed("not from the cache: kernels were compiled again (were sources edited meanwhile?)")
        return found

    compile_all = cache(play_one)
    line = partial(Line, unit="s", parts_unit="s")
    yield line(f"{variant}: first call, nothing compiled", lambda _: compile_all(), prepare=compile_all, once=True)
    yield line(f"{variant}: first call, from the cache", play_cached, prepare=compile_all, below=FIRST_CALL_AIM)


def batch_variants() -> list[str]:
    """The variants that games mark `batch` in their `bench.toml`."""
    return [row["variant"] for row in itertools.chain.from_iterable(comparisons().values()) if row.get("batch")]


def calls_rate(variant: str) -> Rate:
    """Moves one by one from Python: a copy of the row, a legal action, the move, and whether it was the last."""
    loaded = lamplighter.load(variant)
    batch = Batch(loaded, 2)

    def measure(seconds: float) -> float:
        moves, start = 0, time.perf_counter()
        actions, play, number = batch.actions, batch.play, 0
        while time.perf_counter() - start < seconds:
            number += 1
            action = int(actions[number % batch.begin(0, number)])
            row = 0
            while n := play(row, action, into=1 - row):  # the row before the move is kept, as a clone would
                row = 1 - row
                moves += 1
                action = int(actions[moves % n])
            moves += 1
        return moves / (time.perf_counter() - start)

    return measure


def batch_rate(variant: str, rows: int) -> Rate:
    """Batches of so many rows to their ends: lists of legal actions, one action each, a step."""
    batch, stream = Batch(lamplighter.load(variant), rows), np.random.default_rng(1)

    def measure(seconds: float) -> float:
        moves, start, number = 0, time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            batch.reset(number)
            number += 1
            while not batch.done.all() and (rows == 1 or time.perf_counter() - start < seconds):
                actions = batch.legal().pick(stream)
                batch.step(actions)
                moves += int((actions >= 0).sum())
        return moves / (time.perf_counter() - start)

    return measure


def reading_rate(variant: str) -> Rate:
    """Entries of a record read a second: parsed, checked against the rules and the seed."""
    loaded = lamplighter.load(variant)
    match = record_match(loaded, [load_bot("uniform")] * loaded.seats, "reading", 0)

    def measure(seconds: float) -> float:
        entries, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            entries += len(record.parse_record(match.text).log)
        return entries / (time.perf_counter() - start)

    return measure


def from_python(bench: Bench) -> Iterator[Line]:
    """What programs do, against OpenSpiel driven from Python in the same way."""
    theirs, sides = bench.anchors.rate(PYTHON_ANCHOR), ("ours", "theirs")
    for variant in batch_variants():
        aim = CALLS_AIM if variant == batch_variants()[0] else None
        yield compare(f"{variant}: move by move from Python : {PYTHON_ANCHOR}", calls_rate(variant), theirs, sides, aim)
        for rows in (1, 4096):
            name = f"{variant}: a batch of {rows} : {PYTHON_ANCHOR}"
            yield compare(name, batch_rate(variant, rows), theirs, sides, None)
    for variant in first_variants():
        yield compare(f"{variant}: reading a record : {PYTHON_ANCHOR}", reading_rate(variant), theirs, sides, None)


def search_rate(variant: str, tree: str) -> Rate:
    """Simulations a second of a search at the first move, after the first dice: each plays a whole match to its end."""

    def measure(seconds: float) -> float:
        match = lamplighter.load(variant).match(seed="1")
        match.roll()
        position = match.position
        habits = Habits(candidates=64, simulations=SEARCHED, policy="uniform", gate=0.0, tree=tree, rivals=1.0)
        search, stream, done = Search(position.variant, habits), np.zeros(4, np.int64), 0
        chance.start_stream(1, 0, stream)
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            search.choose(position.state, position.waiting[0], Budget(), stream)
            done += search.simulations
        return done / (time.perf_counter() - start)

    return measure


def searches(bench: Bench) -> Iterator[Line]:
    """Simulations of our search against those of OpenSpiel's Monte-Carlo tree search in C++."""
    for row in itertools.chain.from_iterable(comparisons().values()):
        if "search" in row:
            theirs, aim = bench.anchors.rate(row["search"]), row.get("search_at_least")
            trees = {"", habits_of(lamplighter.load(row["variant"]), "expert").tree}
            for tree in sorted(trees):
                name = f"{row['variant']}: simulations of {'a tree' if tree else 'plans'} : {row['search']}"
                yield compare(name, search_rate(row["variant"], tree), theirs, ("ours", "theirs"), aim)


def command_start(bench: Bench) -> Iterator[Line]:
    """How long a person waits for `--help`."""
    command = Path(sys.executable).with_name("lamplighter")
    if importlib.util.find_spec("lamplighter.cli") and command.exists():
        yield Line("lamplighter --help", lambda _: (run_process([command, "--help"])[0], {}), "s", below=HELP_AIM)


def state_sizes(bench: Bench) -> Iterator[Line]:
    """The record of a match, of which a search holds thousands."""

    def size(variant: str, _: float) -> tuple[float, Parts]:
        return float(lamplighter.load(variant).game.state.STATE.itemsize), {}

    for variant in first_variants():
        yield Line(f"{variant}: state", partial(size, variant), "bytes", once=True)


def drawings(bench: Bench) -> Iterator[Line]:
    """The full sheet at the end of a match as a picture."""

    @cache
    def last_position(variant: str) -> Any:
        loaded = lamplighter.load(variant)
        return record_match(loaded, [load_bot("uniform")] * loaded.seats, "drawing", 0).position

    def draw(variant: str, seconds: float) -> tuple[float, Parts]:
        position, drawn, started = last_position(variant), 0, time.process_time()
        while (spent := time.process_time() - started) < seconds or not drawn:
            position.svg(0)
            drawn += 1
        return 1000 * spent / drawn, {}

    for variant in first_variants():
        if importlib.util.find_spec(f"{lamplighter.load(variant).game.package}.picture"):
            name = f"{variant}: drawing a full sheet"
            yield Line(name, partial(draw, variant), "ms", below=DRAWING_AIM, prepare=partial(last_position, variant))


def load(variant: str, *options: str) -> dict[str, float]:
    """What `load.py` measures."""
    _, printed = run_process([sys.executable, BENCH / "load.py", variant, *options])
    return dict(json.loads(printed))


def server_load(bench: Bench) -> Iterator[Line]:
    """One worker on SQLite under scripted people; a game's `bench.toml` names the variant under `[server]`."""

    def times(variant: str, *options: str) -> Callable[[float], tuple[float, Parts]]:
        def measure(_: float) -> tuple[float, Parts]:
            found = load(variant, *options)
            names = ("answer_p50_ms", "arrival_p50_ms", "arrival_p99_ms", "server_core", "client_core")
            return found["answer_p99_ms"], {
                "moves/s": found["moves_per_second"],
                **{name: found[name] for name in names},
            }

        return measure

    def rest(variant: str, _: float) -> tuple[float, Parts]:
        return load(variant, "--seconds", "0", "--resting", "300")["resting_kB"], {}

    line = partial(Line, once=True)
    for variant in server_variants():
        paced, free, drawn = times(variant, "--rate", str(SERVER_RATE)), times(variant), times(variant, "--sheets")
        yield line(f"{variant}: server, 99 % of answers at {SERVER_RATE} moves/s", paced, "ms", below=ANSWER_AIM)
        yield line(f"{variant}: server, 99 % of answers at full load", free, "ms")
        yield line(f"{variant}: server, 99 % of answers at full load, with sheets", drawn, "ms")
    for variant in server_variants(marked=True):
        yield line(f"{variant}: server, a resting table", partial(rest, variant), "kB", below=REST_AIM)


def compare_loads(name: str, ours: list[str], theirs: list[str], sides: tuple[str, str], at_least: float) -> Line:
    """A line whose figure is the ratio of moves a second under two kinds of load, which take turns at going first."""

    def measure(_: float) -> tuple[float, Parts]:
        rates: dict[str, list[float]] = {side: [] for side in sides}
        for turn in range(LOAD_ROUNDS):
            pair = [(sides[0], ours), (sides[1], theirs)]
            for side, options in pair if turn % 2 else reversed(pair):
                rates[side].append(load(*options, "--seconds", str(LOAD_SECONDS))["moves_per_second"])
        ratios = [our / their for our, their in zip(*rates.values(), strict=True)]
        return statistics.median(ratios), {f"{side} moves/s": statistics.median(rates[side]) for side in sides}

    return Line(name, measure, "×", at_least=at_least, once=True)


def server_growth(bench: Bench) -> Iterator[Line]:
    """Databases and workers compared, and what long work, for one client who asks too much or for many, does to the others."""

    def beside(variant: str, others: str, count: int, _: float) -> tuple[float, Parts]:
        found = load(variant, "--rate", str(HOSTILE_RATE), others, str(count))
        names = ("answer_p95_ms", "quiet_p95_ms", "moves_per_second", "quiet_moves_per_second")
        return found["answer_p95_ms"] / found["quiet_p95_ms"], {name: found[name] for name in names}

    for variant in server_variants(marked=True):
        one = [variant, "--database", "postgresql"]
        name = f"{variant}: PostgreSQL : SQLite, one worker"
        yield compare_loads(name, one, [variant], ("PostgreSQL", "SQLite"), POSTGRES_AIM)
        small = [*one, "--share", str(WORKER_SHARE), "--tables", "20"]
        name = f"{variant}: two workers : one worker, PostgreSQL, each on {WORKER_SHARE} of a core"
        yield compare_loads(name, [*small, "--workers", "2"], small, ("two", "one"), WORKERS_AIM)
        name = f"{variant}: 95 % of answers beside ten hostile connections : without"
        yield Line(name, partial(beside, variant, "--hostile", 10), "×", below=HOSTILE_AIM, once=True)
        name = f"{variant}: 95 % of answers beside ten reviews : without"
        yield Line(name, partial(beside, variant, "--reviews", 10), "×", below=REVIEWS_AIM, once=True)
        name = f"{variant}: 95 % of answers while four experts think : without"
        yield Line(name, partial(beside, variant, "--experts", 4), "×", below=EXPERTS_AIM, once=True)


def waiting_for_bots(bench: Bench) -> Iterator[Line]:
    """Somebody against one bot, alone and beside another client whose bots would think all the time."""

    def beside(variant: str, level: str, crowd: dict[str, Any], _: float) -> tuple[float, Parts]:
        command = [sys.executable, BENCH / "waiting.py", variant, level, str(crowd["tables"])]
        found = dict(json.loads(run_process([*command, crowd["variant"], crowd["level"]])[1]))
        names = ("alone_p95_ms", "beside_p95_ms")
        return found["beside_p95_ms"] / found["alone_p95_ms"], {name: found[name] for name in names}

    for person, crowd in itertools.product(tables_in("person"), tables_in("crowd")):
        for level in person["levels"]:
            variant = person["variant"]
            name = f"{variant}: 95 % of turns of {level} beside {crowd['tables']} tables of {crowd['level']} : alone"
            yield Line(name, partial(beside, variant, level, crowd), "×", below=WAITING_AIM, once=True)


LINES: list[Callable[[Bench], Iterable[Line]]] = [
    against_anchors,
    two_threads,
    from_python,
    searches,
    first_calls,
    command_start,
    drawings,
    state_sizes,
    server_load,
    server_growth,
    waiting_for_bots,
]


# --- running and reporting ------------------------------------------------------------------------------------


def run(lines: list[Line], seconds: float, rounds: int, progress: Progress) -> None:
    """Measure every line in every round. A line that fails is left out from then on."""
    steps = progress.add_task("", total=sum(1 + (1 if line.once else rounds) for line in lines))
    for turn in range(rounds + 1):
        for line in lines:
            if line.error or (line.once and turn > 1):
                continue
            what = f"round {turn} of {rounds}" if turn else "preparing"
            progress.update(steps, description=f"{what} · {line.name}")
            try:
                if turn == 0:
                    line.prepare()
                else:
                    value, parts = line.measure(seconds)
                    line.values.append(value)
                    line.parts.append(parts)
            except Exception as error:
                line.error = str(error) or type(error).__name__
            progress.advance(steps)


def report(lines: list[Line]) -> Table:
    table = Table(title="medians over the rounds", title_justify="left", caption_justify="left")
    table.add_column("line", overflow="fold")
    for heading in ("median", "min–max", "aim"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("made from", overflow="fold")
    colours = {"met": "green", "missed": "yellow", "failed": "red"}
    for line in lines:
        median = f"{number(line.median)} {line.unit}" if line.values else ""
        spread = f"{number(min(line.values))}–{number(max(line.values))}" if len(line.values) > 1 else ""
        verdict = Text(line.verdict, style=colours.get(line.verdict, "dim"))
        table.add_row(line.name, median, spread, line.aim, verdict, Text(line.error or line.made_from))
    if cores_had:
        had = [f"{statistics.median(cores):.2f} of {threads}" for threads, cores in sorted(cores_had.items())]
        table.caption = f"cores that our slices got, in the median: {', '.join(had)} (less when the machine is busy)"
    return table


def as_json(lines: list[Line], seconds: float, rounds: int) -> str:
    fields = ("name", "unit", "at_least", "below", "verdict", "values", "parts", "error")
    found = {
        "lamplighter": lamplighter.__version__,
        "numba": importlib.metadata.version("numba"),
        "python": platform.python_version(),
        "seconds": seconds,
        "rounds": rounds,
        "cores_had": cores_had,
        "lines": [
            {"median": line.median if line.values else None, **{name: getattr(line, name) for name in fields}}
            for line in lines
        ],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=0.3, help="length of one slice (0.3)")
    parser.add_argument("--rounds", type=int, default=7, help="how often every line is measured (7)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every single figure there")
    parser.add_argument("line", nargs="*", help="measure only lines whose name contains one of these")
    given = parser.parse_args()
    if given.seconds <= 0 or given.rounds < 1:
        parser.error("--seconds must be above 0 and --rounds at least 1")
    examples = [str(path.parent) for path in sorted(BENCH.parent.glob("examples/*/*/bench.toml"))]
    os.environ["LAMPLIGHTER_GAMES"] = os.pathsep.join([*examples, os.environ.get("LAMPLIGHTER_GAMES", "")])

    anchors, console = Anchors(), Console(width=None if sys.stdout.isatty() else WIDTH)
    own = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(2, own) as processes:
        every = [line for lines in LINES for line in lines(Bench(anchors, folder, processes))]
        chosen = [line for line in every if not given.line or any(part in line.name for part in given.line)]
        if not chosen:
            parser.error("there is no such line; there are:\n  " + "\n  ".join(line.name for line in every))
        try:
            with Progress(console=Console(stderr=True), transient=True) as progress:
                run(chosen, given.seconds, given.rounds, progress)
        except KeyboardInterrupt:
            console.print("stopped: this is what is known so far")
        finally:
            anchors.close()
    console.print(report(chosen))
    if given.json:
        given.json.write_text(as_json(chosen, given.seconds, given.rounds), encoding="utf-8")
    return 1 if any(line.error for line in chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
