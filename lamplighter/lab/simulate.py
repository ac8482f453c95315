"""Thousands of whole matches inside the kernel, on any number of threads, summed up per seat and scoring line.

Match number i of a seed is the same match on any number of threads, and `record_match` plays it again with its log.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from lamplighter.bots import Bot
from lamplighter.bots.protocol import ProgramBot, close_programs
from lamplighter.bots.seat import SeatedBot
from lamplighter.engine import chance
from lamplighter.engine.batch import LOG_CHANCE, Simulator, match_key, result_dtype
from lamplighter.engine.match import Match
from lamplighter.engine.variant import Variant

Player = Callable[[int, int, int], tuple[int, Any]]  # key, first match, how many → moves, results
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
CHUNK_SECONDS = 0.2  # how long a thread plays before it reports, at the most
CHUNKS_A_THREAD = 16  # at the least, so that no thread waits long for another at the end


@dataclass
class Result:
    """The result of a simulation."""

    variant: Variant
    bots: Sequence[Bot]
    seed: str
    games: int = 0
    moves: int = 0
    seconds: float = 0.0
    totals: list[Any] = field(default_factory=list)  # blocks of (matches, seats)
    shares: Any = 0.0  # victories by seat; a shared one counts as its share
    lines: Any = 0  # sums of scoring lines by seat
    facts: Any = 0  # sums of facts by seat

    def add(self, moves: int, results: Any) -> None:
        """Add a block of matches."""
        standing = results["standing"]
        best = standing == standing.max(axis=1, keepdims=True)
        self.shares = self.shares + (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
        self.lines = self.lines + results["lines"].sum(axis=0)
        self.facts = self.facts + results["facts"].sum(axis=0)
        self.totals.append(results["total"].copy())
        self.games += len(results)
        self.moves += moves

    def summary(self) -> dict[str, Any]:
        """Return everything as plain data, in the form of `lamplighter simulate --json`."""
        names, facts = self.variant.score_lines, self.variant.game.state.FACTS
        totals = np.concatenate(self.totals)
        seats = []
        for seat in range(self.variant.seats):
            quantiles = np.quantile(totals[:, seat], QUANTILES)
            seats.append(
                {
                    "bot": self.bots[seat].name,
                    "mean": round(float(totals[:, seat].mean()), 4),
                    "sd": round(float(totals[:, seat].std(ddof=1 if self.games > 1 else 0)), 4),
                    "quantiles": {f"{q:g}": float(value) for q, value in zip(QUANTILES, quantiles, strict=True)},
                    "min": int(totals[:, seat].min()),
                    "max": int(totals[:, seat].max()),
                    "win_rate": round(float(self.shares[seat]) / self.games, 4),
                    "lines": {name: round(float(self.lines[seat, i]) / self.games, 4) for i, name in enumerate(names)},
                    **{name: round(float(self.facts[seat, i]) / self.games, 4) for i, name in enumerate(facts)},
                }
            )
        speed = max(self.seconds, 1e-9)
        added = {name: round(float(np.mean([seat[name] for seat in seats])), 4) for name in facts}
        return {
            "game": self.variant.game.id,
            "variant": self.variant.text,
            "seed": self.seed,
            "games": self.games,
            "moves": self.moves,
            "seconds": round(self.seconds, 4),
            "games_per_second": round(self.games / speed, 1),
            "moves_per_second": round(self.moves / speed, 1),
            "seats": seats,
            **added,
        }


def simulate(
    variant: Variant,
    bots: Sequence[Bot],
    games: int,
    seed: str,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
    keep: Callable[[int, Match], None] | None = None,
) -> Result:
    """Play `games` matches; `progress` is called with the number of new ones. Ctrl-C ends early and keeps what is finished.

    `keep` gets each match that is played from Python, with its number. Those of the compiled loop have no log, and
    `record_match` plays one of them again.
    """
    result = Result(variant, bots, seed)
    key = chance.signed(chance.seed_key(seed))
    lanes = [_lane(bots) for _ in range(threads)]
    players = [_player(variant, lane, keep) for lane in lanes]
    chunk = 1
    if all(bot.policy is not None for bot in bots):
        for player in players:
            player(key, 0, 1)  # compile, or load from the cache, before the clock starts
        chunk = min(_chunk_size(players[0], key), -(-games // (threads * CHUNKS_A_THREAD)))
    firsts = iter(range(0, games, chunk))  # all threads take from it, and what was taken is played: no gaps
    done: dict[int, tuple[int, Any]] = {}
    stopped = False

    def work(player: Player) -> None:
        while not stopped and (first := next(firsts, None)) is not None:
            count = min(chunk, games - first)
            done[first] = player(key, first, count)
            progress(count)

    with ThreadPoolExecutor(threads) as pool:
        started = time.perf_counter()
        try:
            for job in as_completed([pool.submit(work, player) for player in players]):
                job.result()
        except KeyboardInterrupt:
            stopped = True
            for bot in chain(*lanes):
                if isinstance(bot, ProgramBot):
                    bot.abandon()
    close_programs(chain(*lanes))
    result.seconds = time.perf_counter() - started
    for _, block in sorted(done.items()):
        result.add(*block)
    return result


def _lane(bots: Sequence[Bot]) -> list[Bot]:
    """Return the bots of one thread. A program plays one match at a time, so that every thread starts its own."""
    return [bot.another() if isinstance(bot, ProgramBot) else bot for bot in bots]


def _player(variant: Variant, bots: Sequence[Bot], keep: Callable[[int, Match], None] | None) -> Player:
    """Return what plays matches: the compiled loop if it knows all bots, else a loop from Python."""
    numbers = [bot.policy for bot in bots]
    if None not in numbers:
        loop, policies = Simulator(variant), np.array(numbers, np.int64)
        return lambda key, first, count: loop.play_matches(policies, key, first, count)

    def play(key: int, first: int, count: int) -> tuple[int, Any]:
        layout = result_dtype(variant)
        results = np.zeros((count, variant.seats), layout.base)
        moves = 0
        for i in range(count):
            match = _play_seated(variant, bots, match_key(key, first + i))
            moves += sum(entry.kind == "move" for entry in match.log)
            results[i] = match.position.results()
            if keep is not None:
                keep(first + i, match)
        return moves, results

    return play


def _play_seated(variant: Variant, bots: Sequence[Bot], key: int) -> Match:
    """Play one match from Python, each bot in its seat."""
    names = [f"{bot.name} {seat}" for seat, bot in enumerate(bots)]
    match = variant.match(seed=chance.key_text(key), players=names)
    seated = [SeatedBot(bot, match, seat) for seat, bot in enumerate(bots)]
    match.roll()
    while match.waiting:
        seat = match.waiting[0]
        match.play(seated[seat].choose(match).move, seat)
        match.roll()
    return match


def _chunk_size(player: Player, key: int) -> int:
    """Return how many matches take about `CHUNK_SECONDS`, from a short trial."""
    count = 1
    while True:
        started = time.perf_counter()
        player(key, 0, count)
        seconds = time.perf_counter() - started
        if seconds > CHUNK_SECONDS / 10 or count >= 1 << 14:
            return max(1, int(count * CHUNK_SECONDS / max(seconds, 1e-6)))
        count *= 4


def record_match(variant: Variant, bots: Sequence[Bot], seed: str, number: int) -> Match:
    """Return match `number` of a simulation, with its log. Bots that are not of the compiled loop play it again."""
    key = match_key(chance.signed(chance.seed_key(seed)), number)
    numbers = [bot.policy for bot in bots]
    if None in numbers:
        return _play_seated(variant, bots, key)
    names = [f"{bot.name} {seat}" for seat, bot in enumerate(bots)]
    match = variant.match(seed=chance.key_text(key), players=names)
    for seat, value in Simulator(variant).play_logged(np.array(numbers, np.int64), key):
        if seat == LOG_CHANCE:
            match.apply_outcome(value)
        else:
            match.act(seat, value)
    return match
