"""Thousands of whole matches inside the kernel, on as many threads as wished, summed up per seat and scoring line.

Match number i of a seed is the same match on any number of threads, and `record_match` plays it again with its log.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lamplighter.bots import Bot
from lamplighter.bots.playout import LOG_CHANCE, MAX_LINES, Player, match_key
from lamplighter.engine import chance
from lamplighter.engine.match import Match
from lamplighter.engine.variant import Variant

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
CHUNK_SECONDS = 0.2  # how long a thread plays before it reports, at the most
CHUNKS_A_THREAD = 16  # at the least, so that no thread waits long for another at the end


@dataclass
class Result:
    """What came out of a simulation."""

    variant: Variant
    bots: Sequence[Bot]
    seed: str
    games: int = 0
    moves: int = 0
    seconds: float = 0.0
    totals: list[Any] = field(default_factory=list)  # blocks of (matches, seats)
    shares: Any = None  # victories by seat; a shared one counts as its share
    sums: Any = None  # sums of scoring lines and facts by seat

    def add(self, moves: int, totals: Any, ranks: Any, sums: Any) -> None:
        best = ranks == ranks.max(axis=1, keepdims=True)
        shares = (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
        self.shares = shares if self.shares is None else self.shares + shares
        self.sums = sums if self.sums is None else self.sums + sums
        self.totals.append(totals)
        self.games += len(totals)
        self.moves += moves

    def summary(self) -> dict[str, Any]:
        """Everything as plain data, in the form of `lamplighter simulate --json`."""
        names, facts = self.variant.score_lines, self.variant.game.state.FACTS
        totals = np.concatenate(self.totals)
        seats = []
        for seat in range(self.variant.seats):
            means = self.sums[seat] / self.games
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
                    "lines": {name: round(float(means[i]), 4) for i, name in enumerate(names)},
                    **{name: round(float(means[MAX_LINES + i]), 4) for i, name in enumerate(facts)},
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
) -> Result:
    """Play `games` matches; `progress` hears how many more are done. Ctrl-C ends early with what there is."""
    result = Result(variant, bots, seed)
    key = chance.signed(chance.seed_key(seed))
    policies = np.array([bot.policy for bot in bots], np.int64)
    players = [Player(variant) for _ in range(threads)]
    for player in players:
        player.play_many(policies, key, 0, 1)  # compile, or load from the cache, before the clock starts
    chunk = min(_chunk_size(players[0], policies, key), -(-games // (threads * CHUNKS_A_THREAD)))
    firsts = iter(range(0, games, chunk))  # all threads take from it, and what was taken is played: no gaps
    done: dict[int, tuple[int, Any, Any, Any]] = {}
    stopped = False

    def work(player: Player) -> None:
        while not stopped and (first := next(firsts, None)) is not None:
            count = min(chunk, games - first)
            done[first] = player.play_many(policies, key, first, count)
            progress(count)

    with ThreadPoolExecutor(threads) as pool:
        started = time.perf_counter()
        try:
            for job in as_completed([pool.submit(work, player) for player in players]):
                job.result()
        except KeyboardInterrupt:
            stopped = True
    result.seconds = time.perf_counter() - started
    for _, block in sorted(done.items()):
        result.add(*block)
    return result


def _chunk_size(player: Player, policies: Any, key: int) -> int:
    """How many matches take about `CHUNK_SECONDS`, from a short trial."""
    count = 1
    while True:
        started = time.perf_counter()
        player.play_many(policies, key, 0, count)
        seconds = time.perf_counter() - started
        if seconds > CHUNK_SECONDS / 10 or count >= 1 << 14:
            return max(1, int(count * CHUNK_SECONDS / max(seconds, 1e-6)))
        count *= 4


def record_match(variant: Variant, bots: Sequence[Bot], seed: str, number: int) -> Match:
    """Match `number` of a simulation as a match with its log."""
    key = match_key(chance.signed(chance.seed_key(seed)), number)
    names = [f"{bot.name} {seat}" for seat, bot in enumerate(bots)]
    match = variant.match(seed=chance.key_text(key), players=names)
    policies = np.array([bot.policy for bot in bots], np.int64)
    for seat, value in Player(variant).play_logged(policies, key):
        if seat == LOG_CHANCE:
            match.deal(value)
        else:
            match.act(seat, value)
    return match
