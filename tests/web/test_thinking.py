"""Bots of all tables share the processor: clients take turns, and nobody waits for somebody else's bots."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from serving import PATIENCE, LocalServer, Person, all_at_once, closing, one_by_one, run, until, variant_where

from lamplighter.bots import Budget, levels
from lamplighter.web import driver, session, thinking
from lamplighter.web.table import load_variant
from lamplighter.web.thinking import PER_CLIENT, Processor, SharedBudget, Thinking


class Clock:
    """Stands for the module `time`."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(thinking, "time", made)
    return made


class Thinker:
    """A thread that wants a slot, and says when it has got one."""

    def __init__(self, processor: Processor, client: str, has_people: bool = True) -> None:
        self.budget = SharedBudget(processor=processor, client=client, has_people=has_people)
        self.thread = threading.Thread(target=processor.enter, args=(self.budget,), daemon=True)
        self.thread.start()
        until(lambda: self.budget.has_slot or self.budget in processor._waiting, "it has a slot or waits")

    @property
    def thinks(self) -> bool:
        return self.budget.has_slot


def let_pause(thinker: Thinker) -> threading.Thread:
    """Let a bot look at its budget, on a thread of its own since it may have to wait there."""
    thread = threading.Thread(target=lambda: thinker.budget.is_spent, daemon=True)
    thread.start()
    until(lambda: not thread.is_alive() or not thinker.thinks, "it goes on or waits")
    return thread


def test_a_slot_goes_to_the_client_who_has_used_less(clock: Clock) -> None:
    processor = Processor(1)
    first = Thinker(processor, "many")
    more = [Thinker(processor, "many") for _ in range(3)]
    other = Thinker(processor, "other")
    assert first.thinks and not other.thinks
    let_pause(first).join()
    assert first.thinks, "it has used nothing"
    clock.now += 1
    waits = let_pause(first)
    assert other.thinks and not first.thinks and not any(one.thinks for one in more)
    clock.now += 1
    let_pause(other).join()
    assert other.thinks, "it has still used less"
    clock.now += 1
    back = let_pause(other)
    assert not other.thinks and sum(one.thinks for one in [first, *more]) == 1
    for one in [first, other, *more]:
        one.budget.stop()
        processor.leave(one.budget)
    for thread in (waits, back):
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_nobody_saves_up_for_later(clock: Clock) -> None:
    """Who comes after a long time has no claim to all that the others have used meanwhile."""
    processor = Processor(1)
    first = Thinker(processor, "busy")
    clock.now += 100
    late = Thinker(processor, "late")
    let_pause(first).join()
    assert first.thinks, "from now on both have used as much"
    clock.now += 1
    waits = let_pause(first)
    assert late.thinks
    clock.now += 2
    back = let_pause(late)
    assert first.thinks
    for one in (first, late):
        one.budget.stop()
        processor.leave(one.budget)
    waits.join(PATIENCE)
    back.join(PATIENCE)


def test_tables_without_a_person_come_last(clock: Clock) -> None:
    processor = Processor(1)
    watched = Thinker(processor, "watcher", has_people=False)
    person = Thinker(processor, "person")
    clock.now += 1
    waits = let_pause(watched)
    assert person.thinks
    clock.now += 1000
    let_pause(person).join()
    assert person.thinks, "however much they have used"
    processor.leave(person.budget)
    until(lambda: watched.thinks, "it goes on")
    waits.join(PATIENCE)
    processor.leave(watched.budget)


def test_the_time_of_others_does_not_count(clock: Clock) -> None:
    """A level that thinks for half a second thinks as long when others are served in between."""
    processor = Processor(1)
    slow = Thinker(processor, "slow")
    other = Thinker(processor, "other")
    clock.now += 1
    waits = let_pause(slow)
    clock.now += 50
    processor.leave(other.budget)
    waits.join(PATIENCE)
    assert slow.budget.waited == pytest.approx(50)
    processor.leave(slow.budget)


def test_a_level_counts_its_own_seconds_only() -> None:
    """Also those of a budget around its own."""
    outer = Budget()
    outer.waited = 1000.0
    level = levels._Within(500.0, outer=outer)
    assert not level.is_spent, "what was before it began is not its own"
    level.started -= 499
    outer.waited += 499
    assert not level.is_spent and level.seconds_left > 498
    level.started -= 502
    assert level.is_spent and level.seconds_left == 0


def think_until(goes_on: threading.Event, began: list[str]) -> Callable[[str, SharedBudget], str]:
    """Return a job that notes its name when it begins, thinks until the event is set, and returns its name."""

    def work(name: str, budget: SharedBudget) -> str:
        began.append(name)
        while not goes_on.is_set() and not budget.is_spent:
            time.sleep(0.001)
        return name

    return work


def test_no_client_has_all_threads() -> None:
    """More than a few jobs of one client wait, while those of another begin."""
    goes_on, began = threading.Event(), list[str]()
    work = think_until(goes_on, began)

    async def live() -> None:
        shared = Thinking()
        many = [asyncio.ensure_future(shared.run("many", True, work, "many")) for _ in range(20)]
        other = asyncio.ensure_future(shared.run("other", True, work, "other"))
        while "other" not in began:
            await asyncio.sleep(0.01)
        assert began.count("many") <= PER_CLIENT
        many[-1].cancel()
        goes_on.set()
        assert await asyncio.gather(*many[:-1], other) == ["many"] * 19 + ["other"]
        assert began.count("many") == 19, "what was cancelled did not begin"
        assert not shared._running and not shared._waiting and not shared._budgets
        shared.close()

    run(live())


def test_few_clients_do_not_take_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above a number of threads every client may have one all the same; tables without a person wait."""
    monkeypatch.setattr(thinking, "BUSY", 8)
    goes_on, began = threading.Event(), list[str]()
    work = think_until(goes_on, began)

    async def live() -> None:
        shared = Thinking()
        jobs = [asyncio.ensure_future(shared.run(name, True, work, name)) for name in "ab" * 2 * PER_CLIENT]
        while sum(shared._running.values()) < 2 * PER_CLIENT:
            await asyncio.sleep(0.01)
        jobs += [asyncio.ensure_future(shared.run("bots alone", False, work, "bots alone"))]
        jobs += [asyncio.ensure_future(shared.run("c", True, work, "c")) for _ in range(2)]
        while "c" not in began:
            await asyncio.sleep(0.01)
        assert began.count("c") == 1 and "bots alone" not in began
        goes_on.set()
        await asyncio.gather(*jobs)
        assert began.count("c") == 2 and "bots alone" in began
        shared.close()

    run(live())


def test_watched_tables_take_no_place_from_those_of_people() -> None:
    """Also not from the same client: a school has one address."""
    goes_on, began = threading.Event(), list[str]()
    work = think_until(goes_on, began)

    async def live() -> None:
        shared = Thinking(takes_long=True)
        jobs = [asyncio.ensure_future(shared.run("school", False, work, "watched")) for _ in range(20)]
        while "watched" not in began:
            await asyncio.sleep(0.01)
        jobs += [asyncio.ensure_future(shared.run("school", True, work, "played"))]
        while "played" not in began:
            await asyncio.sleep(0.01)
        goes_on.set()
        await asyncio.gather(*jobs)
        shared.close()

    run(live())


def test_closing_ends_what_thinks_and_what_waits() -> None:
    async def live() -> None:
        shared = Thinking()
        shared._processor = Processor(1)

        def work(budget: SharedBudget) -> None:
            while not budget.is_spent:
                time.sleep(0.001)

        jobs = [asyncio.ensure_future(shared.run(client, True, work)) for client in "abc"]
        while len(shared._budgets) < 3:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(shared.close)
        ended = await asyncio.wait_for(asyncio.gather(*jobs, return_exceptions=True), PATIENCE)
        assert None in ended, "who thought has answered; who waited was cancelled"

    run(live())


# --- at the server --------------------------------------------------------------------------------------------


@pytest.fixture
def endless(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tables where somebody called Crowd sits belong to one client, and their bots think until the end of the test."""
    goes_on, real = threading.Event(), session.Session.client.fget

    def client(one: session.Session) -> str:
        return "crowd" if one.table.seats[0].name.startswith("Crowd") else str(real(one))

    def think(match: Any, seated: dict[int, str], budget: SharedBudget) -> Any:
        while budget.client == "crowd" and not goes_on.is_set() and not budget.is_stopped:
            _ = budget.is_spent  # as a search does
            time.sleep(0.001)
        return session.think(match, seated, budget)

    monkeypatch.setattr(session.Session, "client", property(client))
    monkeypatch.setattr(driver, "think", think)
    yield
    goes_on.set()


@pytest.mark.parametrize("level", ["easy", "hard"])
def test_nobody_waits_for_the_bots_of_another_client(server: LocalServer, endless: None, level: str) -> None:
    """Twelve tables of one client think without end, each with a person; the bot of another client plays all the same."""
    variant = variant_where(all_at_once)
    for _ in range(12):
        Person(server.url).lay(variant, ["me", f"bot:{level}"], names=["Crowd"])
    thinking = server.service.driver._slow if level == "hard" else server.service.driver._quick
    until(lambda: thinking._running[False, "crowd"] == PER_CLIENT, "they think")
    me = Person(server.url).lay(variant, ["me", f"bot:{level}"], names=["Ana"])
    assert me.play_on()["phase"] == "over", "its bot has played the whole match"
    assert thinking._running[False, "crowd"] == PER_CLIENT


def test_bots_alone_rest_while_nobody_watches(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "WATCHED", -1.0)
    table = Person(server.url).lay(variant_where(one_by_one), ["bot:easy", "bot:easy"])
    found = server.service.cache.find(table.table)
    until(lambda: not found.driving, "its bots rest")
    seq = found.table.seq
    assert found.table.phase == "play"
    with closing(table.watcher.listen()):
        until(lambda: found.table.seq > seq, "they play while somebody watches")


def test_bots_play_for_a_while_for_whoever_asked(server: LocalServer) -> None:
    """A program that asks for the table now and then has no stream."""
    table = Person(server.url).lay(variant_where(one_by_one), ["bot:easy", "bot:easy"])
    until(lambda: table.watcher.view()["phase"] == "over", "the match is over")


def test_bots_show_what_they_have_played_when_they_think_long() -> None:
    """A job is one move of a bot that thinks long, and a whole turn of a quick one."""
    match = load_variant(variant_where(all_at_once)).match(seed="7")
    match.roll()
    seated = dict.fromkeys(match.waiting, "easy")
    fast, slow = Budget(), Budget()
    fast.started += 1000  # however busy the machine is
    slow.started -= session.BOT_SECONDS
    quick = session.think(match.copy(), seated, fast)
    assert session.think(match.copy(), seated, slow) == quick[:1]
    assert len(quick) > 1
