"""Long work happens in another process, a few pieces at a time, once; and what must be refused is refused before it."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing.process
import os
import pickle
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from serving import (
    UNLIMITED,
    LocalServer,
    Person,
    ServerProcess,
    all_at_once,
    one_by_one,
    run,
    until,
    variant_where,
)

from lamplighter.errors import BadRecord, IllegalMove
from lamplighter.web import heavy, views
from lamplighter.web.app import FULL_SEARCH
from lamplighter.web.bucket import Bucket
from lamplighter.web.errors import Busy, OlderRules, TooMany
from lamplighter.web.heavy import HeavyWork
from lamplighter.web.middleware import cost_of
from lamplighter.web.settings import Settings
from lamplighter.web.table import points_by_turn
from lamplighter.web.thinking import Thinking
from lamplighter.web.trouble import StoreTrouble


def write_down(path: str, text: str) -> bytes:
    """A piece of work that can be seen from outside."""
    with Path(path).open("a") as file:
        file.write(f"{text} {os.getpid()}\n")
    return text.encode()


def wait_for_file(path: str) -> bytes:
    """A piece of work that takes as long as the test wants."""
    end = time.monotonic() + 60
    while not Path(path).exists() and time.monotonic() < end:
        time.sleep(0.02)
    return b"done"


def kill_itself() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def tell_niceness() -> bytes:
    return f"{os.getpid()} {os.nice(0)}".encode()


@pytest.fixture
def work() -> Any:
    made = HeavyWork()
    yield made
    made.close()


def test_work_is_done_once_in_another_process(work: HeavyWork, tmp_path: Path) -> None:
    noted = tmp_path / "noted"

    async def live() -> None:
        same = [work.run(("a",), "x", write_down, str(noted), "a") for _ in range(5)]
        assert await asyncio.gather(*same) == [b"a"] * 5
        assert await work.run(("a",), "y", write_down, str(noted), "a") == b"a"  # kept
        assert await work.run(("b",), "y", write_down, str(noted), "b") == b"b"

    run(live())
    lines = noted.read_text().split()
    assert lines[::2] == ["a", "b"] and str(os.getpid()) not in lines


def test_no_more_than_so_much_waits(work: HeavyWork, tmp_path: Path) -> None:
    gate = tmp_path / "gate"

    async def live() -> None:
        jobs = [asyncio.create_task(work.run((n,), "greedy", wait_for_file, str(gate))) for n in range(heavy.FOR_ONE)]
        await asyncio.sleep(0)
        with pytest.raises(TooMany, match="at once"):
            await work.run(("more",), "greedy", wait_for_file, str(gate))
        clients = range(heavy.WAITING - heavy.FOR_ONE)
        jobs += [asyncio.create_task(work.run((f"c{n}",), f"c{n}", wait_for_file, str(gate))) for n in clients]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await work.run(("last",), "late", wait_for_file, str(gate))
        gate.touch()
        assert set(await asyncio.gather(*jobs)) == {b"done"}
        assert await work.run(("last",), "greedy", wait_for_file, str(gate)) == b"done"  # there is room again

    run(live())


@pytest.mark.thorough
def test_a_process_that_dies_is_replaced(work: HeavyWork, tmp_path: Path) -> None:
    async def live() -> None:
        with pytest.raises(Busy):
            await work.run(("bad",), "x", kill_itself)
        assert await work.run(("good",), "x", write_down, str(tmp_path / "noted"), "good") == b"good"

    run(live())


def test_closing_ends_what_runs_and_what_waits(work: HeavyWork, tmp_path: Path) -> None:
    """A server that stops does not begin the same work again in another process."""

    async def live() -> None:
        jobs = [asyncio.create_task(work.run((n,), "x", wait_for_file, str(tmp_path / "never"))) for n in range(2)]
        while work._pool is None:
            await asyncio.sleep(0)
        work.close()
        for job in jobs:
            with pytest.raises(Busy, match="stopping"):
                await job
        assert work._pool is None

    run(live())


def test_closing_does_not_wait_for_the_process(
    work: HeavyWork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed process of low priority lives on for a while on a busy machine: here, until its work is done."""
    gate = tmp_path / "gate"

    async def live() -> None:
        job = asyncio.create_task(work.run(("gate",), "x", wait_for_file, str(gate)))
        while work._pool is None:
            await asyncio.sleep(0)
        with monkeypatch.context() as patched:
            patched.setattr(multiprocessing.process.BaseProcess, "kill", lambda _: None)
            work.close()
        assert not gate.exists()
        gate.touch()
        with pytest.raises(Busy):
            await job

    run(live())


def test_work_that_misses_its_cancellation_ends_when_its_process_was_closed(work: HeavyWork, tmp_path: Path) -> None:
    """In Python 3.11 `wait_for` forgets a cancellation that comes with the result: here, the end of the process."""

    async def live() -> None:
        job = asyncio.ensure_future(work._in_process(wait_for_file, (str(tmp_path / "never"),)))
        while work._pool is None:
            await asyncio.sleep(0)
        work.close()
        with pytest.raises(Busy):
            await asyncio.wait_for(job, 30)
        assert work._pool is None

    run(live())


def test_what_nobody_waits_for_gives_way_and_ends() -> None:
    """Its process has the priority that it is given, ends when it is told to, and starts again with more work.

    With the lowest one, a busy machine might not come to it within a minute.
    """
    work, started = HeavyWork(niceness=1), []

    async def live() -> None:
        for number in range(2):
            pid, niceness = map(int, (await work.run((number,), "", tell_niceness)).split())
            assert niceness == min(os.nice(0) + 1, 19)
            started.append(pid)
            work.close()

    run(live())
    first, second = started
    assert first != second
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started), "both processes have ended")


def test_bots_that_think_long_give_way_to_everybody_else() -> None:
    """Their threads have a lower priority than quick bots and the server itself."""
    for thinking, niceness in ((Thinking(), 0), (Thinking(takes_long=True), heavy.NICENESS)):
        try:
            found = thinking._threads.submit(os.getpriority, os.PRIO_PROCESS, 0).result()
            assert found == min(os.nice(0) + niceness, 19)
        finally:
            thinking.close()


def test_results_are_dropped_when_they_are_too_many(work: HeavyWork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy, "KEPT", 10)
    for name in ("one", "two", "three"):
        work._keep((name,), b"12345")
    assert [work.kept((name,)) for name in ("one", "two", "three")] == [None, b"12345", b"12345"]


# --- at the server --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(server: LocalServer) -> Person:
    me = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])
    me.play_on()
    return me


def test_everybody_is_halted_seldom(server: LocalServer) -> None:
    """What was loaded is never searched for garbage again, and everything else only now and then."""
    assert gc.get_freeze_count() > 100_000 and gc.get_threshold()[2] == FULL_SEARCH


@pytest.mark.parametrize("path", ["replay", "verify", "record", "record.jsonl", "record.pdf"])
def test_the_servers_own_process_does_none_of_it(finished: Person, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("replay", "verify", "record"):
        monkeypatch.setattr(views, name, lambda *_: pytest.fail("in the process that serves"))
    answer = finished.watcher.ask("GET", path)
    assert answer.status_code == 200 and answer.content
    if path in ("replay", "verify"):
        assert answer.json()


def test_others_play_while_long_work_goes_on(server: LocalServer, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    me = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])

    async def start() -> asyncio.Future[bytes]:
        return asyncio.ensure_future(server.app.state.heavy.run(("gate",), "x", wait_for_file, str(gate)))

    running = server.run(start())
    for _ in range(5):
        me.play()  # a move is answered although the work is not done
    assert not running.done()
    gate.touch()
    until(running.done, "the work is done")


def test_a_running_match_is_refused_before_any_work(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    me = Person(server.url).lay(variant_where(one_by_one), ["me", "me"])
    monkeypatch.setattr(server.service.store, "whole", lambda _: pytest.fail("the whole log was read"))
    monkeypatch.setattr(server.app.state.heavy, "run", lambda *_: pytest.fail("work was begun"))
    for path in ("verify", "replay", "record", "record.jsonl", "record.pdf"):
        assert me.watcher.refused(409, "GET", path)["code"] == "table/not-now"


def test_points_by_turn_are_those_of_the_replay(finished: Person, server: LocalServer) -> None:
    match = server.table(finished.table).match
    turns = {entry.turn: (number, position.totals) for number, (entry, position) in enumerate(match.replay(), 1)}
    assert points_by_turn(match) == turns


def test_costly_requests_cost_more() -> None:
    bucket = Bucket(rate=1, burst=100)
    plain = cost_of("/api/tables/x", b"sheet=false")
    assert cost_of("/api/tables/x/verify") >= 10 * plain
    assert cost_of("/api/daily") == cost_of("/openapi.json") == 5 * plain  # some 9 and 11 ms
    answers = [bucket.take("a", cost_of("/api/tables/x/verify")) for _ in range(20)]
    assert 1 <= answers.count(0) <= 10
    assert bucket.take("b", 1000) == 0  # what costs more than there ever is can still be had


@pytest.mark.thorough
def test_the_process_ends_with_the_server(tmp_path: Path) -> None:
    """Also when the server is killed, so that nothing is left behind."""
    server = ServerProcess(Settings(f"sqlite:///{tmp_path}/tables.db", **UNLIMITED))
    try:
        me = Person(server.url).lay(variant_where(all_at_once), ["me", "me"])
        me.play_on()
        assert me.get("verify")["ok"]
        children = children_of(server.process.pid)
        assert children
    finally:
        server.kill()
    until(lambda: not any(is_alive(child) for child in children), "they are gone")


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def refuse() -> bytes:
    raise OlderRules("table", 1, 2)


def test_a_refusal_comes_back_as_what_it_is(work: HeavyWork) -> None:
    async def live() -> None:
        with pytest.raises(OlderRules) as caught:
            await work.run(("refused",), "x", refuse)
        assert caught.value.table_id == "table"

    run(live())


@pytest.mark.parametrize(
    "error",
    [
        OlderRules("t", 1, 2),
        TooMany("no", 3.0),
        StoreTrouble(),
        IllegalMove("a", "§1", "TAKEN", "no", "here"),
        BadRecord("x", 4),
    ],
    ids=lambda error: type(error).__name__,
)
def test_every_error_travels_between_processes(error: Exception) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error) and again.__dict__ == error.__dict__


def test_clients_take_turns(work: HeavyWork, tmp_path: Path) -> None:
    noted = tmp_path / "noted"

    async def live() -> None:
        many = [work.run((n,), "many", write_down, str(noted), f"many{n}") for n in range(3)]
        jobs = [asyncio.ensure_future(job) for job in many]
        await asyncio.sleep(0)
        jobs.append(asyncio.ensure_future(work.run(("one",), "one", write_down, str(noted), "one")))
        await asyncio.gather(*jobs)

    run(live())
    assert noted.read_text().split()[::2].index("one") < 3  # before the last of those who came first


def test_work_without_end_is_ended(tmp_path: Path) -> None:
    work = HeavyWork(longest=0.2)

    async def live() -> None:
        with pytest.raises(Busy, match="too long"):
            await work.run(("never",), "x", wait_for_file, str(tmp_path / "never"))
        work._longest = heavy.LONGEST
        assert await work.run(("good",), "x", write_down, str(tmp_path / "noted"), "good") == b"good"

    try:
        run(live())
    finally:
        work.close()
