"""Measure how long somebody waits for a bot's turn, alone and beside another client's bots, on a real server on loopback.

    python bench/waiting.py VARIANT LEVEL TABLES ATTACKED_VARIANT ATTACKED_LEVEL [--seconds S]
    python bench/waiting.py "VARIANT" hard 30 "ANOTHER" expert

One person plays against one bot, with an event stream open. Then another client, from one address and within all
limits of the server, opens the tables: at every second one it plays at once, the others have bots alone and somebody who
watches. Prints a line of JSON: milliseconds from a move until it is the person's turn again.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import tempfile
import time
from collections import Counter
from typing import Any

from load import CORES, HOSTILE, Connection, Server, percentile, wait_for

from lamplighter.web.table import load_variant

PERSON = "127.1.1.1"
PAUSE = 0.2  # seconds before each move of the person: quicker ones would meet the limit of requests
keys = itertools.count()


class Seat:
    """A person at a table against bots, or somebody who only watches there."""

    def __init__(self, port: int, address: str) -> None:
        self.asking, self.listening = Connection(port, address), Connection(port, address)

    async def open_table(self, variant: str, level: str, plays: bool) -> None:
        await self.asking.open()
        seats = [f"bot:{level}"] * load_variant(variant).seats
        plan = {"variant": variant, "seats": ["me", *seats[1:]] if plays else seats}
        table = await self.ask("POST", "/api/tables", plan)
        self.path, self.token = f"/api/tables/{table['id']}", table["token"] or ""
        await self.listening.open()
        self.events = self.listening.events(f"{self.path}/events", self.token)

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask. The other client asks again when that was too often."""
        while True:
            status, content = await self.asking.exchange(method, path, getattr(self, "token", ""), body)
            if status == 429 and self.asking.address == HOSTILE:
                await asyncio.sleep(0.5)
                continue
            if status // 100 != 2:
                raise RuntimeError(f"{method} {path}: {status} {content[:300]!r}")
            return json.loads(content)

    async def play(self, waits: list[float], pause: float = 0.0) -> None:
        """Play the match. Note the seconds from each move until the person has to act again."""
        view = await self.ask("GET", f"{self.path}?sheet=false")
        since = None
        while view["phase"] != "over":
            if view["moves"]:
                if since is not None:
                    waits.append(time.perf_counter() - since)
                await asyncio.sleep(pause)
                body = {
                    "seat": view["you"],
                    "move": view["moves"][0],
                    "version": view["version"],
                    "key": str(next(keys)),
                }
                since = time.perf_counter()
                view = await self.ask("POST", f"{self.path}/moves?sheet=false", body)
                if view["moves"]:  # a turn has several moves, and nobody is waited for between them
                    since = None
            else:
                await anext(self.events)
                view = await self.ask("GET", f"{self.path}?sheet=false")

    def close(self) -> None:
        for connection in (self.asking, self.listening):
            with contextlib.suppress(AttributeError):
                connection.close()


async def play_matches(port: int, variant: str, level: str, seconds: float) -> list[float]:
    """Let one person play for so long. Return how long they waited for each turn of the bot."""
    waits: list[float] = []
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                with contextlib.closing(Seat(port, PERSON)) as seat:
                    await seat.open_table(variant, level, plays=True)
                    await seat.play(waits, PAUSE)
    return waits


async def keep_bots_busy(port: int, variant: str, level: str, plays: bool, seen: Counter[str]) -> None:
    """Let bots think at one table after another."""
    while True:
        with contextlib.closing(Seat(port, HOSTILE)) as seat:
            await seat.open_table(variant, level, plays)
            seen["opened"] += 1
            with contextlib.suppress(StopAsyncIteration):  # too many streams: it tries again
                if plays:
                    await seat.play([])
                async for _ in seat.events:
                    seen["events"] += 1
                    if plays:
                        break
        await asyncio.sleep(0.5)


async def run(given: argparse.Namespace) -> dict[str, float]:
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(Server(folder, "sqlite", 1, 0.0, limited=True)) as server,
    ):
        await wait_for(server.port, server.process)
        await play_matches(server.port, given.variant, given.level, 2.0)
        quiet = await play_matches(server.port, given.variant, given.level, given.seconds)
        seen: Counter[str] = Counter()
        attack = [
            asyncio.create_task(
                keep_bots_busy(server.port, given.attacked_variant, given.attacked_level, bool(number % 2), seen)
            )
            for number in range(given.tables)
        ]
        try:
            while seen["opened"] < given.tables and not any(task.done() for task in attack):
                await asyncio.sleep(0.1)
            beside = await play_matches(server.port, given.variant, given.level, 2 * given.seconds)
            failed = [task for task in attack if task.done()]
        finally:
            for task in attack:
                task.cancel()
            await asyncio.gather(*attack, return_exceptions=True)
        if failed:
            raise RuntimeError("a table of the other client could not go on") from failed[0].exception()
    if len(quiet) < 5 or not beside:
        raise RuntimeError(f"too few turns of the bot: {len(quiet)} alone, {len(beside)} beside others")
    return {
        "alone_p50_ms": 1e3 * percentile(quiet, 0.5), "alone_p95_ms": 1e3 * percentile(quiet, 0.95),
        "beside_p50_ms": 1e3 * percentile(beside, 0.5), "beside_p95_ms": 1e3 * percentile(beside, 0.95),
        "turns_alone": len(quiet), "turns_beside": len(beside), "events_seen": seen["events"],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    for name in ("variant", "level"):
        parser.add_argument(name)
    parser.add_argument("tables", type=int)
    for name in ("attacked_variant", "attacked_level"):
        parser.add_argument(name)
    parser.add_argument("--seconds", type=float, default=15.0)
    given = parser.parse_args()
    os.sched_setaffinity(0, {CORES[-1]})
    print(json.dumps({name: round(value, 3) for name, value in asyncio.run(run(given)).items()}))


if __name__ == "__main__":
    main()
