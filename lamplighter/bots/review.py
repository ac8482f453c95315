"""A finished or running match looked through: what every move gave away, and how much was luck.

A move is compared with the best plans that a search finds from what the seat knew at that moment. Samples are played after
each of them with the same dice, so that the difference is that of the moves. Half of the samples choose the best plan. What
the move gave away is the mean difference to it in the other half, in points: where it was chosen, it had been lucky as well.

The result of a seat is split in three: what a reference bot scores on average, what these dice gave it more or less (luck), and
what the player made more or less of them than it did (play). That needs dice that are the same for whoever plays.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lamplighter import bots
from lamplighter.bots import Budget
from lamplighter.bots.levels import habits_of, with_value
from lamplighter.bots.rolls import Rolls
from lamplighter.bots.search.order import can_begin_with
from lamplighter.bots.search.plan import Plan, Search, _as_arrays
from lamplighter.bots.seat import SeatedBot
from lamplighter.engine import chance
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadChance, LamplighterError

SECONDS = 15.0  # for a whole match
PLANS = 6  # that a move is compared with
SAMPLES = 96  # of each, if there is time: half of them choose, and half of them measure
REFERENCE = "medium"  # whose result is the measure of luck
LUCK_PART = 0.3  # of the time, for luck
FRESH = 60  # matches on other dice, if there is time
SAME = 2  # matches on the same dice, if there is time; they hardly differ
SURE = 2.0  # standard errors below which nothing is held against a move
# from which share of the reference's average on a move has this grade
GRADES = (("blunder", 0.08), ("mistake", 0.04), ("inaccuracy", 0.015))
TURNING_POINTS = 3
OTHER_DRAWS = "what is drawn depends on what is played, so another player would not get the same draws"


@dataclass(frozen=True)
class Grade:
    """What one move was worth."""

    entry: int  # its number in the log, from 1
    turn: int
    seat: int
    move: str
    best: str  # the best move that was found; the move itself if nothing was better
    lost: float  # points that it gave away; 0 if that is within the error
    error: float  # the standard error of the difference
    choices: int  # how many moves were legal
    plan: tuple[str, ...] = ()  # if something was better: all moves of the better turn, `best` first
    word: str = "best"

    def fields(self) -> dict[str, Any]:
        return {
            "entry": self.entry, "turn": self.turn, "seat": self.seat, "move": self.move, "best": self.best,
            "plan": list(self.plan), "lost": round(self.lost, 2), "error": round(self.error, 2), "choices": self.choices,
            "grade": self.word,
        }  # fmt: skip


@dataclass(frozen=True)
class Split:
    """Where the points of a seat come from: average + luck + play is the total."""

    total: int
    average: float  # of the reference bot, at this seat, on any dice
    luck: float  # what it has more on these dice
    play: float  # what the player has more than it

    def fields(self) -> dict[str, Any]:
        rounded = {name: round(getattr(self, name), 2) for name in ("average", "luck", "play")}
        return {"total": self.total, **rounded}


@dataclass
class Review:
    """What was found out about a match."""

    variant: str
    players: list[str]
    totals: list[int]
    is_over: bool
    grades: list[Grade] = field(default_factory=list)
    splits: list[Split | None] = field(default_factory=list)
    reference: str = REFERENCE
    fresh: int = 0  # matches behind the averages
    averages: list[float] = field(default_factory=list)  # of the reference, by seat; none if it did not play
    why_no_split: str = ""
    seconds: float = 0.0
    missing: int = 0  # moves that were not looked at
    is_stopped: bool = False  # whether Ctrl-C ended it

    @property
    def turning_points(self) -> list[Grade]:
        """The moves that gave away most, in the order of the match."""
        faults = [grade for grade in self.grades if grade.word not in ("best", "good")]
        worst = sorted(faults, key=lambda grade: -grade.lost)
        return sorted(worst[:TURNING_POINTS], key=lambda grade: grade.entry)

    def lost(self, seat: int) -> float:
        return sum(grade.lost for grade in self.grades if grade.seat == seat)

    def counts(self, seat: int) -> dict[str, int]:
        """How many moves of a seat have each grade."""
        words = [grade.word for grade in self.grades if grade.seat == seat]
        return {word: words.count(word) for word in ("best", "good", *(word for word, _ in reversed(GRADES)))}

    def fields(self) -> dict[str, Any]:
        """Everything as plain data, in the form of `lamplighter analyse --json`."""
        seats = []
        for seat, name in enumerate(self.players):
            split = self.splits[seat] if self.splits else None
            seats.append(
                {
                    "player": name,
                    "total": self.totals[seat],
                    "lost": round(self.lost(seat), 2),
                    "grades": self.counts(seat),
                    "split": None if split is None else split.fields(),
                }
            )
        return {
            "variant": self.variant,
            "is_over": self.is_over,
            "reference": self.reference,
            "reference_matches": self.fresh,
            "why_no_split": self.why_no_split or None,
            "seconds": round(self.seconds, 2),
            "not_looked_at": self.missing,
            "seats": seats,
            "turning_points": [grade.entry for grade in self.turning_points],
            "moves": [grade.fields() for grade in self.grades],
        }


def review(
    match: Match,
    seats: Iterable[int] | None = None,
    seconds: float = SECONDS,
    threads: int = 0,
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> Review:
    """Look through a match, or through what these seats played. `progress` hears how many moves of how many are done.

    Ctrl-C ends early with what there is.
    """
    wanted = set(range(match.variant.seats) if seats is None else seats)
    for seat in wanted:
        match.position._seat(seat)
    if not any(entry.kind == "move" for entry in match.log):
        raise LamplighterError("nothing has been played in this match yet")
    found = Review(match.variant.text, list(match.players), match.totals, match.is_over)
    found.missing = sum(entry.kind == "move" and entry.seat in wanted for entry in match.log)
    started = time.monotonic()
    try:
        _warm_up(match)
        started = time.monotonic()
        _split_result(match, found, seconds * LUCK_PART)
        left = max(1.0, seconds - (time.monotonic() - started))
        _grade_moves(match, found, wanted, left, threads or os.cpu_count() or 1, progress)
    except KeyboardInterrupt:
        found.is_stopped = True
    found.seconds = time.monotonic() - started
    return found


def _warm_up(match: Match) -> None:
    """Let everything be compiled, or loaded from the cache, before the clock runs."""
    case, judge = next(case for case in _cases(match, set(range(match.variant.seats)))), Judge(match.variant)
    for _ in range(2):  # what a clock cut off while the first part was compiled comes second
        judge.grade(case, 1.0)
    other = match.variant.match(seed="warm up")
    other.roll()
    for _ in range(2):
        SeatedBot(bots.load(REFERENCE), other, other.waiting[0]).choose(other, Budget(1.0))


# --- moves ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Case:
    """A move to be looked at."""

    entry: int
    turn: int
    seat: int
    action: int
    text: str
    view: Position  # what the seat knew


def _cases(match: Match, seats: set[int]) -> list[_Case]:
    found = []
    position = match.at(0)
    for number, (entry, after) in enumerate(match.replay(), 1):
        if entry.kind == "move" and entry.seat is not None and entry.seat in seats:
            view = position.seen_by(entry.seat)
            found.append(_Case(number, entry.turn, entry.seat, entry.value, entry.text, view))
        position = after.copy()
    return found


def _grade_moves(
    match: Match, found: Review, seats: set[int], seconds: float, threads: int, progress: Callable[[int, int], None]
) -> None:
    cases = _cases(match, seats)
    deadline = time.monotonic() + seconds
    rest = iter(enumerate(cases))
    grades: dict[int, Grade] = {}
    stopped = False

    def work() -> None:
        judge = Judge(match.variant)
        for number, case in rest:
            left = deadline - time.monotonic()
            if stopped or left <= 0:
                return
            share = left * threads / (len(cases) - number)
            grade = judge.grade(case, max(share, 0.02))
            if grade is not None:
                grades[number] = grade
            progress(number + 1, len(cases))

    with ThreadPoolExecutor(threads) as pool:
        try:
            for job in [pool.submit(work) for _ in range(threads)]:
                job.result()
        finally:
            stopped = True
            found.grades = [_name_grade(grades[number], _scale(found)) for number in sorted(grades)]
            found.missing = len(cases) - len(grades)


def _scale(found: Review) -> float:
    """Return what a loss is measured by: what a match of the reference brings."""
    return max(1.0, float(np.mean(found.averages or [max(total, 20) for total in found.totals])))


def _name_grade(grade: Grade, scale: float) -> Grade:
    word = "best" if grade.lost == 0 else "good"
    for name, share in reversed(GRADES):
        if grade.lost >= share * scale:
            word = name
    return Grade(**{**grade.__dict__, "word": word})


class Judge:
    """Compares moves by samples of what follows them. One thread uses one."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        habits, value = with_value(variant, replace(habits_of(variant, "hard"), fitted=True))
        self._search = Search(variant, habits, value)

    def grade(self, case: _Case, seconds: float) -> Grade | None:
        """Say what a move gave away against the best that is found in so many seconds; None if that was too short."""
        view, seat = case.view, case.seat
        choices = len(view.legal_actions(seat))
        same = Grade(case.entry, case.turn, seat, case.text, case.text, 0.0, 0.0, choices)
        if choices < 2:
            return same
        budget, stream = Budget(seconds), _stream(view, case.entry)
        plans = self._plans(view, seat, case.action, Budget(seconds / 3), stream)
        own = [i for i, plan in enumerate(plans) if can_begin_with(view, seat, plan.actions, case.action)]
        results, samples = self._sample(view, seat, plans, budget, stream)
        if samples < 4:
            return None
        # The plan that is best in some samples has been lucky in them, so its lead is measured in others.
        means = results[:, :samples:2].mean(axis=1)
        best, played = int(np.argmax(means)), max(own, key=lambda i: means[i])
        apart = results[best, 1:samples:2] - results[played, 1:samples:2]
        error = float(apart.std(ddof=1)) / len(apart) ** 0.5
        lost = float(apart.mean())
        if best in own or lost <= SURE * error:
            return Grade(**{**same.__dict__, "error": error})
        plan = _say_plan(view, seat, plans[best])
        return Grade(case.entry, case.turn, seat, case.text, plan[0], lost, error, choices, plan)

    def _plans(self, view: Position, seat: int, action: int, budget: Budget, stream: Any) -> list[Plan]:
        """Return the best plans for the turn, and the best one that can begin with the action that was played.

        A plan is found in one order of its moves. Its other orders count as well: they come to the same sheet.
        """
        found = self._find(view, seat, budget, stream, PLANS)
        if not can_begin_with(view, seat, found[0].actions, action):
            after = view.copy()
            after.apply(seat, action)
            rest: tuple[int, ...] = ()
            if seat in after.waiting:
                rest = self._find(after, seat, Budget(budget.seconds), stream, 1)[0].actions
            if all(plan.actions != (action, *rest) for plan in found):
                found.append(Plan((action, *rest), 0.0))
        return found

    def _find(self, view: Position, seat: int, budget: Budget, stream: Any, count: int) -> list[Plan]:
        """Return the best plans for a turn: by what they seem worth, or by a tree where nothing says what states are worth."""
        search = self._search
        if search.habits.tree:
            return search.choose(view.state, seat, budget, stream)[:count]
        return search.plans(view.state, seat, budget, stream, count)[:count]

    def _sample(
        self, view: Position, seat: int, plans: list[Plan], budget: Budget, stream: Any
    ) -> tuple[Any, int]:  # fmt: skip
        """Play samples after all plans, the same dice for each. Return the points, and how many samples there are."""
        search = self._search
        search.root[0] = view.state
        moves, lengths = _as_arrays(plans)
        results, samples = np.zeros((len(plans), SAMPLES)), np.zeros(len(plans), np.int64)
        key = int.from_bytes(np.asarray(stream[:2], np.uint32).tobytes(), "little", signed=True)
        alive = np.arange(len(plans))
        search._play(moves, lengths, alive, 0, SAMPLES, seat, budget, key, results, samples)
        return results, int(samples.min())


def _say_plan(view: Position, seat: int, plan: Plan) -> tuple[str, ...]:
    """Return the moves of a plan as text."""
    position, said = view.copy(), []
    for action in plan.actions:
        said.append(position.format_move(seat, action))
        position.act(seat, action)
    return tuple(said)


def _stream(position: Position, number: int) -> Any:
    stream = np.zeros(4, np.int64)
    key = chance.derive(position.text, "review", str(number))
    chance.start_stream(int.from_bytes(key[:8], "big", signed=True), 0, stream)
    return stream


# --- luck -----------------------------------------------------------------------------------------------------


def _split_result(match: Match, found: Review, seconds: float) -> None:
    """Let the reference play these dice, if it can, and others."""
    found.splits = [None] * match.variant.seats
    found.why_no_split = _why_no_split(match)
    if not match.is_over:
        return
    started = time.monotonic()
    same: list[list[int]] = []
    if not found.why_no_split:
        try:
            same = _play_reference(match.variant, _same_dice(match), SAME, started + seconds / 4)
        except BadChance:  # typed dice that do not fit what the reference plays
            found.why_no_split = OTHER_DRAWS
    fresh = _play_reference(match.variant, _fresh_dice(match.variant), FRESH, started + seconds)
    found.fresh, found.averages = len(fresh), np.mean(fresh, axis=0).tolist()
    if same:
        found.splits = [
            Split(total, mean, float(these) - mean, total - float(these))
            for total, these, mean in zip(match.totals, np.mean(same, axis=0), found.averages, strict=True)
        ]


def _why_no_split(match: Match) -> str:
    """Return why luck cannot be measured; nothing if it can."""
    if not match.is_over:
        return "the match is not over"
    if match.variant.game.draws_follow_play:
        return OTHER_DRAWS
    if not any(entry.kind == "chance" for entry in match.log):
        return "nothing was rolled or drawn, so luck had no part in it"
    return ""


def _same_dice(match: Match) -> Callable[[int], tuple[Match, Callable[[], object]]]:
    """Return what begins a match on the dice of this one: those of its seed, or those that were typed in."""
    texts = tuple(entry.text for entry in match.log if entry.kind == "chance")

    def begin(number: int) -> tuple[Match, Callable[[], object]]:
        other = Match(match.variant, match.seed)
        rolls = Rolls(texts, "the record")
        return other, (other.roll if match.seed is not None else lambda: rolls.roll(other))

    return begin


def _fresh_dice(variant: Variant) -> Callable[[int], tuple[Match, Callable[[], object]]]:
    def begin(number: int) -> tuple[Match, Callable[[], object]]:
        match = variant.match(seed=f"reference {number}")
        return match, match.roll

    return begin


def _play_reference(
    variant: Variant, begin: Callable[[int], tuple[Match, Callable[[], object]]], most: int, deadline: float
) -> list[list[int]]:
    """Return the totals of matches that the reference plays at all seats: one at least, and others while there is time."""
    totals: list[list[int]] = []
    bot = bots.load(REFERENCE)
    while len(totals) < most and (not totals or time.monotonic() < deadline):
        number = len(totals)
        match, roll = begin(number)
        seated = [SeatedBot(bot, match, seat, f"reference {number}") for seat in range(variant.seats)]
        roll()
        while match.waiting:
            seat = match.waiting[0]
            match.play(seated[seat].choose(match, Budget(0.1)).move, seat)
            roll()
        totals.append(match.totals)
    return totals
