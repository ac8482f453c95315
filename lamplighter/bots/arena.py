"""Bots against each other on the same dice: by how many points they differ, with a 95 % interval. A program that fails forfeits.

Alone, every bot plays the same dice. With several seats the bots sit at one table if they fill it; else each of them takes
one seat among copies of another bot, with the same dice, seat and opponents for all. Seats rotate from match to match.
"""

from __future__ import annotations

import itertools
import math
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lamplighter.bots import Bot, Budget, load
from lamplighter.bots.protocol import ProgramBot, close_programs, take_faults
from lamplighter.bots.rolls import Rolls
from lamplighter.bots.seat import SeatedBot
from lamplighter.engine import chance
from lamplighter.engine.batch import Simulator, match_key
from lamplighter.engine.match import Match
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError

ALONE, TABLE, FIELD = "alone", "table", "field"  # how bots meet
# the factor of a standard error that makes a 95 % interval, by degrees of freedom (Student's t)
T95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
    2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip


@dataclass(frozen=True)
class Contest:
    """What is compared with what, on which dice."""

    variant: Variant
    bots: tuple[str, ...]  # their names, as `loader` takes them
    seed: str = "1"
    rolls: tuple[Rolls, ...] = ()  # instead of a seed: the outcomes of every match
    against: str = ""  # who has the other seats; without it, see `mode`
    movetime: float | None = None  # seconds that a bot may think about a move
    loader: Callable[[str], Bot] = load

    def __post_init__(self) -> None:
        if len(set(self.bots)) < len(self.bots):
            raise LamplighterError("a bot is named twice: every bot is compared once")
        if len(self.bots) < (1 if self.against else 2):
            raise LamplighterError(
                f"name at least {'one bot' if self.against else 'two bots'} to compare; commas join several"
            )
        if self.against and self.variant.seats == 1:
            raise LamplighterError("--against needs other seats, and this variant has one: say --seats 2")
        if self.movetime is not None and not 0 < self.movetime <= 3600:
            raise LamplighterError(f"--movetime is seconds, above 0 and at most 3600, not {self.movetime:g}")

    @property
    def mode(self) -> str:
        """How they meet: alone, all at one table, or each among copies of another bot."""
        if self.variant.seats == 1:
            return ALONE
        return TABLE if len(self.bots) == self.variant.seats and not self.against else FIELD

    @property
    def opponent(self) -> str:
        """Who has the other seats, where bots do not meet at one table."""
        return self.against or self.bots[0]

    def tables(self, number: int) -> list[list[str]]:
        """Return who sits where in the matches that are played on dice `number`: names by seat."""
        seats = self.variant.seats
        if self.mode == TABLE:
            return [[self.bots[(seat - number) % seats] for seat in range(seats)]]
        own = number % seats
        return [[bot if seat == own else self.opponent for seat in range(seats)] for bot in self.bots]


@dataclass
class Deal:
    """What came out on one set of dice, by bot."""

    totals: list[float]
    shares: list[float]  # of the victory
    moves: list[int]
    seconds: list[float]
    facts: list[list[int]]  # what else the game counts, as its `FACTS` name it
    faults: list[str]  # what programs did wrong
    forfeits: list[bool]  # whether it failed, so that the match is lost
    counts: list[bool]  # whether nobody failed at its table, so that its points say something


@dataclass
class Played:
    """What came out of one match, by seat."""

    totals: list[float]
    standing: list[int]
    moves: list[int]
    seconds: list[float]
    facts: list[list[int]]


class DealPlayer:
    """Plays the matches of a contest. One thread uses one."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        names = {*contest.bots, *([contest.opponent] if contest.mode == FIELD else [])}
        self._bots = {name: contest.loader(name) for name in names}
        self._key = chance.signed(chance.seed_key(contest.seed))
        compiled = not contest.rolls and all(bot.policy is not None for bot in self._bots.values())
        self._simulator = Simulator(contest.variant) if compiled else None

    def warm_up(self) -> None:
        """Let everything be compiled before the clock runs."""
        if self._simulator is not None:
            self._simulator.play_matches(self._policies(self._contest.tables(0)[0]), self._key, 0, 1)
            return
        match = self._contest.variant.match(seed="warm up")
        match.roll()
        programs = [bot for bot in self._bots.values() if isinstance(bot, ProgramBot)]
        for program in programs:
            program.prepare()
        ours = [bot for bot in self._bots.values() if bot not in programs]
        for bot in ours * 2:  # what a clock cut off while the first part was compiled comes second
            if match.waiting:
                SeatedBot(bot, match, match.waiting[0]).choose(match, Budget(self._contest.movetime))

    def close(self) -> None:
        """End the programs among the bots."""
        close_programs(self._bots.values())

    def abandon(self) -> None:
        """End the programs among the bots at once, also while they think."""
        for bot in self._bots.values():
            if isinstance(bot, ProgramBot):
                bot.abandon()

    def play(self, number: int) -> Deal:
        """Play dice `number` with every bot."""
        contest = self._contest
        tables = contest.tables(number)
        results, failed = [], []
        for table in tables:
            compiled = self._simulator is not None
            results.append(self._play_compiled(table, number) if compiled else self._play_seated(table, number))
            failed.append([getattr(self._bots[name], "has_forfeited", False) for name in table])  # by seat
        faults = [fault for bot in self._bots.values() for fault in take_faults(bot)]
        if contest.mode == TABLE:
            ((table,), (result,), (out,)) = tables, results, failed
            seats = [table.index(bot) for bot in contest.bots]
            every = _shares(result.standing, out)
            results, failed, shares = [result] * len(seats), [out] * len(seats), [every[seat] for seat in seats]
        else:
            own = number % contest.variant.seats
            seats = [own] * len(results)
            if contest.mode == ALONE:
                shares = _shares([result.totals[own] for result in results], [out[own] for out in failed])
            else:
                shares = [_shares(result.standing, out)[own] for result, out in zip(results, failed, strict=True)]
        by_bot = list(zip(results, seats, strict=True))
        return Deal(
            [result.totals[seat] for result, seat in by_bot],
            shares,
            [result.moves[seat] for result, seat in by_bot],
            [result.seconds[seat] for result, seat in by_bot],
            [result.facts[seat] for result, seat in by_bot],
            faults,
            [out[seat] for out, seat in zip(failed, seats, strict=True)],
            [not any(out) for out in failed],
        )

    def _policies(self, table: list[str]) -> Any:
        return np.array([self._bots[name].policy for name in table], np.int64)

    def _play_compiled(self, table: list[str], number: int) -> Played:
        """Play a match in the compiled loop. Time and moves are those of the whole table, divided by its seats."""
        assert self._simulator is not None
        started = time.perf_counter()
        moves, results = self._simulator.play_matches(self._policies(table), self._key, number, 1)
        seconds, seats = time.perf_counter() - started, len(table)
        return _played(results[0], [max(1, moves // seats)] * seats, [seconds / seats] * seats)

    def _play_seated(self, table: list[str], number: int) -> Played:
        """Play a match from Python."""
        contest, seats = self._contest, len(table)
        match, roll = self._begin(number)
        own = chance.key_text(match_key(self._key, number))
        seated = [SeatedBot(self._bots[name], match, seat, own) for seat, name in enumerate(table)]
        moves, seconds = [0] * seats, [0.0] * seats
        roll()
        while match.waiting:
            seat = match.waiting[0]
            started = time.perf_counter()
            move = seated[seat].choose(match, Budget(contest.movetime)).move
            seconds[seat] += time.perf_counter() - started
            moves[seat] += 1
            match.play(move, seat)
            roll()
        return _played(match.position.results(), moves, seconds)

    def _begin(self, number: int) -> tuple[Match, Callable[[], object]]:
        """Return a new match on dice `number`, and what lets chance happen in it."""
        contest = self._contest
        if contest.rolls:
            match = contest.variant.match(typed=True)
            return match, lambda: contest.rolls[number].roll(match)
        match = contest.variant.match(seed=chance.key_text(match_key(self._key, number)))
        return match, match.roll

    @property
    def is_compiled(self) -> bool:
        return self._simulator is not None


def _played(results: Any, moves: list[int], seconds: list[float]) -> Played:
    """Return what came out of a match, from the results of its seats."""
    totals, standing, facts = (results[name].tolist() for name in ("total", "standing", "facts"))
    return Played(totals, standing, moves, seconds, facts)


def _shares(values: Sequence[float], failed: Sequence[bool]) -> list[float]:
    """Return each one's share of the victory: the highest value wins, and equal ones share it. Who failed has none."""
    left = [-math.inf if out else value for value, out in zip(values, failed, strict=True)]
    best = max(left)
    return [(value == best > -math.inf) / left.count(best) for value in left]


# --- all matches ----------------------------------------------------------------------------------------------


@dataclass
class ContestResult:
    """What came out of a contest."""

    contest: Contest
    deals: dict[int, Deal] = field(default_factory=dict)
    seconds: float = 0.0

    def summary(self) -> dict[str, Any]:
        """Everything as plain data, in the form of `lamplighter arena --json`."""
        contest, deals = self.contest, [deal for _, deal in sorted(self.deals.items())]
        totals = np.array([deal.totals for deal in deals], float)
        moves, seconds = (np.sum([getattr(deal, name) for deal in deals], axis=0) for name in ("moves", "seconds"))
        shares = np.mean([deal.shares for deal in deals], axis=0)
        counted = contest.variant.game.state.FACTS
        facts = np.array([deal.facts for deal in deals], float).reshape(len(deals), len(contest.bots), len(counted))
        counts = np.array([deal.counts for deal in deals], bool)
        rows = []
        for i, name in enumerate(contest.bots):
            mean, sd, interval = interval_of(totals[counts[:, i], i])
            rows.append(
                {
                    "name": name,
                    "mean": mean,
                    "sd": sd,
                    "ci95": interval,
                    "win_rate": round(float(shares[i]), 4),
                    "forfeits": sum(deal.forfeits[i] for deal in deals),
                    "facts": {what: interval_of(facts[counts[:, i], i, j])[0] for j, what in enumerate(counted)},
                    "seconds_per_move": float(f"{seconds[i] / max(1, moves[i]):.3g}"),
                    "seconds_per_game": float(f"{seconds[i] / len(deals):.3g}"),
                }
            )
        differences = []
        for a, b in itertools.combinations(range(len(contest.bots)), 2):
            both = counts[:, a] & counts[:, b]
            mean, _, interval = interval_of((totals[:, a] - totals[:, b])[both])
            pair = {
                "a": contest.bots[a],
                "b": contest.bots[b],
                "games": int(both.sum()),
                "mean": mean,
                "ci95": interval,
            }
            differences.append(pair)
        return {
            "game": contest.variant.game.id,
            "variant": contest.variant.text,
            "games": len(deals),
            "seed": None if contest.rolls else contest.seed,
            "mode": contest.mode,
            "against": contest.opponent if contest.mode == FIELD else None,
            "seconds": round(self.seconds, 3),
            "bots": rows,
            "differences": differences,
            "faults": [fault for deal in deals for fault in deal.faults],
        }


def interval_of(values: Any) -> tuple[float | None, float, list[float] | None]:
    """Return the mean, the standard deviation and the 95 % interval of the mean: no interval of one value, no mean of none."""
    if len(values) == 0:
        return None, 0.0, None
    mean = float(np.mean(values))
    if len(values) < 2:
        return round(mean, 4), 0.0, None
    sd, freedom = float(np.std(values, ddof=1)), len(values) - 1
    factor = T95[freedom - 1] if freedom <= len(T95) else 1.96 + 2.45 / freedom
    half = factor * sd / math.sqrt(len(values))
    return round(mean, 4), round(sd, 4), [round(mean - half, 4), round(mean + half, 4)]


def compete(
    contest: Contest, games: int, threads: int = 1, progress: Callable[[int], None] = lambda done: None
) -> ContestResult:
    """Play a contest on so many sets of dice; `progress` hears of each. Ctrl-C ends early with what there is.

    Bots of the compiled loop play on threads; others in processes of their own, since Python runs on one thread at a time.
    """
    if contest.rolls and games > len(contest.rolls):
        raise LamplighterError(f"there are rolls for {len(contest.rolls)} matches: --games cannot be {games}")
    result, player = ContestResult(contest), DealPlayer(contest)
    started = time.perf_counter()
    try:
        player.warm_up()
        started = time.perf_counter()
        if threads == 1:
            for number in range(games):
                result.deals[number] = player.play(number)
                progress(1)
        else:
            _play_at_once(result, games, threads, player.is_compiled, progress)
    except KeyboardInterrupt:
        pass
    finally:
        player.close()
    result.seconds = time.perf_counter() - started
    return result


def _play_at_once(
    result: ContestResult, games: int, threads: int, compiled: bool, progress: Callable[[int], None]
) -> None:
    pool: Executor
    if compiled:
        players = [DealPlayer(result.contest) for _ in range(threads)]
        numbers = iter(range(games))
        stopped = False

        def work(player: DealPlayer) -> None:
            while not stopped and (number := next(numbers, None)) is not None:
                result.deals[number] = player.play(number)
                progress(1)

        with ThreadPoolExecutor(threads) as pool:
            try:
                for job in as_completed([pool.submit(work, player) for player in players]):
                    job.result()
            finally:
                stopped = True
        return
    context = multiprocessing.get_context("spawn")
    processes = ProcessPoolExecutor(threads, context, initializer=_start_process, initargs=(result.contest,))
    jobs = {processes.submit(_play_in_process, number): number for number in range(games)}
    try:
        for done in as_completed(jobs):
            result.deals[jobs[done]] = done.result()
            progress(1)
    except BaseException:
        for process in list(processes._processes.values()):
            process.terminate()  # a match that is not finished does not count
        processes.shutdown(wait=False, cancel_futures=True)
        raise
    processes.shutdown()


_player: DealPlayer | None = None  # of this process


def _start_process(contest: Contest) -> None:
    global _player
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    signal.signal(signal.SIGTERM, _end_process)
    _player = DealPlayer(contest)
    _player.warm_up()


def _end_process(*_: object) -> None:
    """End this process, and leave no program of its bots behind."""
    if _player is not None:
        _player.abandon()
    os._exit(1)


def _play_in_process(number: int) -> Deal:
    assert _player is not None
    return _player.play(number)
