"""Hindsight: the best score that the dice of a finished match allowed, had somebody known them all.

What is found is a lower bound: a beam through the whole match, wider and wider, with the outcomes known. It is *proved* where an
exact search has looked at everything that could have been done, or where it is as much as the game's `ceiling`, an upper bound.
For the last round, from the first move after the last outcome, the exact search comes first. The other seats play what they
played; where that is no longer possible, a line is given up.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from lamplighter.bots.hindsight_kernels import BEST, COUNTS, ENDED, LENGTH, LOWEST, NODES, PROGRAM, Children, Script
from lamplighter.bots.search.plan import new_desk
from lamplighter.bots.search.weights import value_for
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position
from lamplighter.engine.table import make_table, new_rows
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadGame, LamplighterError

Array = Any
SECONDS = 20.0  # for a seat
NODES_LIMIT = 50_000_000  # actions that an exact search tries
WIDTHS = (20, 200, 1_000, 4_000, 16_000)  # of the beams
TABLE_BITS = 22  # states that an exact search remembers
DEEPEST = 200  # moves of a seat in an exact search
LONGEST = 2_000  # moves of a seat in a match
SPREAD = 4  # how many times as many states are completed as kept
SLICE = 200_000  # actions between two looks at the clock
MEMORY = 1 << 28  # bytes of children of a beam at a time, about
ROOM = 1 << 16  # numbers that a game's `ceiling` may write


@dataclass(frozen=True)
class Bound:
    """The best that could have been done from some moment on."""

    entry: int  # so many entries of the log are as they were; what follows, from the next one on, is free
    total: int
    proved: bool
    line: tuple[str, ...]  # the seat's moves that reach it

    def fields(self) -> dict[str, Any]:
        return {"entry": self.entry + 1, "total": self.total, "proved": self.proved, "line": list(self.line)}


@dataclass(frozen=True)
class Hindsight:
    """What the dice of a match allowed a seat."""

    seat: int
    player: str
    total: int  # what it had
    match: Bound  # from the beginning
    last_round: Bound  # from its first move after the last outcome
    upper: int | None  # no play could have more; None where that is not known
    seconds: float

    def fields(self) -> dict[str, Any]:
        """Everything as plain data, in the form of `lamplighter hindsight --json`."""
        return {
            "seat": self.seat,
            "player": self.player,
            "total": self.total,
            "best": self.match.total,
            "proved": self.match.proved,
            "upper": self.upper,
            "match": self.match.fields(),
            "last_round": self.last_round.fields(),
            "seconds": round(self.seconds, 2),
        }


def hindsight(
    match: Match,
    seats: Iterable[int] | None = None,
    seconds: float = SECONDS,
    progress: Callable[[str], None] = lambda what: None,
) -> list[Hindsight]:
    """Return what the dice of a finished match allowed each seat. `progress` hears what is being done.

    Ctrl-C ends the search of a seat with what it has.
    """
    if not match.is_over:
        raise LamplighterError("the match is not over: hindsight needs all its dice")
    wanted = list(range(match.variant.seats) if seats is None else seats)
    for seat in wanted:
        match.position._seat(seat)
    return [_look_back(match, seat, seconds, progress) for seat in wanted]


def _look_back(match: Match, seat: int, seconds: float, progress: Callable[[str], None]) -> Hindsight:
    started = time.monotonic()
    own = [i for i, entry in enumerate(match.log) if entry.kind == "move" and entry.seat == seat]
    if not own:
        raise LamplighterError(f"seat {seat} has played nothing in this match")
    drawn = [i for i, entry in enumerate(match.log) if entry.kind == "chance"]
    after = drawn[-1] if drawn else -1
    last = next((i for i in own if i > after), own[-1])
    name, first = match.players[seat], own[0]
    last_round, best = _as_played(match, seat, last), _as_played(match, seat, first)
    upper = ceiling_at(match, seat, first)
    try:
        progress(f"{name}: the last round")
        last_round = _exact(match, seat, last)
        _beam(match, seat, last, 1, float("inf"))  # what has to be compiled is compiled now
        deadline = time.monotonic() + seconds
        if first == last:
            best = last_round
        elif last_round.total > best.total:
            best = Bound(last, last_round.total, False, last_round.line)
        for width in WIDTHS:
            if best.proved or best.total == upper or time.monotonic() >= deadline:
                break
            progress(f"{name}: the whole match, {width} states wide")
            found = _beam(match, seat, first, width, deadline)
            if found is not None and (found.total > best.total or found.proved):
                best = found
    except KeyboardInterrupt:
        pass
    if upper is not None and upper < best.total:
        raise BadGame(
            f"{match.variant.game.id}: `ceiling` says that seat {seat} cannot have more than {upper} points, but these moves "
            f"have {best.total}: {', '.join(best.line)}"
        )
    if best.proved or best.total == upper:
        best, upper = replace(best, proved=True), best.total
    return Hindsight(seat, name, match.totals[seat], best, last_round, upper, time.monotonic() - started)


def ceiling_at(match: Match, seat: int, entry: int) -> int | None:
    """Return points that a seat could not exceed from its move at `entry` on, with all outcomes known; None: not known."""
    variant = match.variant
    if not variant.game.has("evaluate") or not hasattr(variant.game.module("evaluate"), "ceiling"):
        return None
    script = _script_of(variant, match.log[entry:], seat)
    found = variant.game.module("evaluate").ceiling(
        variant.box, match.at(entry).state, seat, script.dice, script.plays, np.zeros(ROOM, np.int64)
    )
    return int(found) if found >= 0 else None


def _as_played(match: Match, seat: int, entry: int) -> Bound:
    """Return what was played, as a bound that proves nothing."""
    line = tuple(one.text for one in match.log[entry:] if one.kind == "move" and one.seat == seat)
    return Bound(entry, match.totals[seat], False, line)


# --- the script -----------------------------------------------------------------------------------------------


class _Stage:
    """The match from one moment on, with everything but one seat's moves as it was."""

    def __init__(self, match: Match, seat: int, entry: int) -> None:
        variant = match.variant
        self.variant, self.seat, self.entry = variant, seat, entry
        self.start = match.at(entry)
        rest = match.log[entry:]
        self.script = _script_of(variant, rest, seat)
        self.desk = new_desk(variant, value_for(variant))
        self.table = make_table(variant)

    def rows(self, count: int) -> tuple[Array, Array, Array]:
        """Return room for states, the same memory as rows of words, and cursors."""
        return *new_rows(self.variant, count), np.zeros((count, 1 + self.variant.seats), np.int64)

    def say(self, actions: Iterable[int]) -> tuple[str, ...]:
        """Return the texts of a seat's actions, played from the start."""
        states, words, cursors = self.rows(1)
        states[0] = self.start.state
        texts = []
        for action in actions:
            texts.append(Position(self.variant, states[0]).format_move(self.seat, action))
            self.variant.game.rows.apply(self.variant.boxes, states, 0, self.seat, action)
            PROGRAM.advance_row(self.table, words, cursors, self.seat, self.script, self.desk)
        return tuple(texts)


def _script_of(variant: Variant, rest: Iterable[Any], seat: int) -> Script:
    entries = list(rest)
    dice = np.array([one.value for one in entries if one.kind == "chance"], np.int64)
    played = [
        [one.value for one in entries if one.kind == "move" and one.seat == other and other != seat]
        for other in range(variant.seats)
    ]
    lengths = np.array([len(moves) for moves in played], np.int64)
    plays = np.zeros((variant.seats, max(1, int(lengths.max()))), np.int64)
    for other, moves in enumerate(played):
        plays[other, : len(moves)] = moves
    return Script(dice, plays, lengths)


# --- exact ----------------------------------------------------------------------------------------------------


def _exact(match: Match, seat: int, entry: int) -> Bound:
    """Return the best total from a moment on, proved if everything was seen within the limit."""
    stage = _Stage(match, seat, entry)
    variant = match.variant
    states, words, cursors = stage.rows(DEEPEST + 2)
    states[0] = stage.start.state
    moves = np.zeros((DEEPEST + 2, 1 + variant.max_legal), np.int64)
    legal = stage.start.legal_actions(seat)
    moves[0, 0], moves[0, 1 : 1 + len(legal)] = len(legal), legal
    next_move = np.zeros(DEEPEST + 2, np.int64)
    table = np.zeros((1 << TABLE_BITS, 2), np.int64)
    counts, line = np.zeros(COUNTS + 2, np.int64), np.zeros(DEEPEST + 2, np.int64)
    counts[BEST] = LOWEST
    solve, whole = PROGRAM.solve, False
    while not whole and counts[NODES] < NODES_LIMIT:
        before = int(counts[NODES])
        whole = bool(
            solve(
                stage.table, words, cursors, seat, stage.script, moves, next_move, SLICE, table, line, counts,
                stage.desk,
            )
        )  # fmt: skip
        if not whole and int(counts[NODES]) - before < SLICE:
            break  # too deep
    played = _as_played(match, seat, entry)
    if counts[BEST] < played.total:
        return played
    actions = line[: int(counts[LENGTH])].tolist()
    return Bound(entry, int(counts[BEST]), whole, stage.say(actions))


# --- the beam -------------------------------------------------------------------------------------------------


@dataclass
class _Front:
    """States that are compared with each other: as many outcomes have come in all of them."""

    states: Array
    words: Array
    cursors: Array
    nodes: Array  # where each is in the trace
    values: Array  # what each may become
    count: int


class _Top(NamedTuple):
    """The best end so far: its total, the state it was completed from, and the moves from there."""

    total: int
    node: int
    rest: tuple[int, ...]


class _Trace:
    """How states were reached: the parent and the action of each."""

    def __init__(self) -> None:
        self.parents: list[Array] = [np.array([-1])]
        self.actions: list[Array] = [np.array([-1])]
        self.size = 1

    def add(self, parents: Array, actions: Array) -> Array:
        """Note states. Return their numbers."""
        numbers = np.arange(self.size, self.size + len(parents))
        self.parents.append(np.asarray(parents))
        self.actions.append(np.asarray(actions))
        self.size += len(parents)
        return numbers

    def line(self, number: int) -> list[int]:
        """Return the actions that lead to a state."""
        parents, actions = np.concatenate(self.parents), np.concatenate(self.actions)
        found: list[int] = []
        while number > 0:
            found.append(int(actions[number]))
            number = int(parents[number])
        return found[::-1]


def _beam(match: Match, seat: int, entry: int, width: int, deadline: float) -> Bound | None:
    """Return the best total that a beam finds from a moment on, proved if nothing was ever dropped; None if no line ends."""
    stage, trace = _Stage(match, seat, entry), _Trace()
    first = _new_front(stage, 1)
    first.states[0] = stage.start.state
    waiting: dict[int, list[_Front]] = {0: [first]}
    best, whole = _Top(LOWEST, 0, ()), True
    while waiting:
        number = min(waiting)
        front = _merge(stage, waiting.pop(number))
        whole = whole and front.count <= width
        front, top = _finish(stage, front, width, deadline)
        best = max(best, top, key=lambda end: end.total)
        while front.count:
            if time.monotonic() > deadline:
                waiting, whole = {}, False
                break
            chosen, dropped = _children(stage, front, SPREAD * width)
            whole = whole and not dropped
            nodes = trace.add(front.nodes[chosen["parent"]], chosen["action"])
            ended = chosen["stage"] == ENDED
            if ended.any():
                first_best = int(np.argmax(np.where(ended, chosen["value"], LOWEST)))
                end = _Top(int(chosen["value"][first_best]), int(nodes[first_best]), ())
                best = max(best, end, key=lambda end: end.total)
            for later in np.unique(chosen["stage"][~ended]).tolist():
                if later != number:
                    picked = chosen["stage"] == later
                    waiting.setdefault(later, []).append(_grow(stage, front, chosen[picked], nodes[picked]))
            same = chosen["stage"] == number
            front = _grow(stage, front, chosen[same], nodes[same])
    if best.total == LOWEST:
        return None
    return Bound(entry, best.total, whole, stage.say([*trace.line(best.node), *best.rest]))


CHILD = np.dtype(
    [
        ("parent", np.int64),
        ("action", np.int64),
        ("stage", np.int64),
        ("value", float),
        ("one", np.int64),
        ("two", np.int64),
    ]
)


def _new_front(stage: _Stage, count: int) -> _Front:
    return _Front(*stage.rows(count + 1), np.zeros(count, np.int64), np.zeros(count), count)  # one more: room to try


def _children(stage: _Stage, front: _Front, width: int) -> tuple[Array, bool]:
    """Return the best children of a front, those of each stage apart, and whether any were dropped."""
    room = max(stage.variant.max_legal, MEMORY // 64 // 8)
    parents, actions, stages = (np.zeros(room, np.int64) for _ in range(3))
    found = Children(parents, actions, stages, np.zeros(room), np.zeros((room, 2), np.int64))
    expand, moves = PROGRAM.expand, np.zeros(stage.variant.max_legal, np.int64)
    kept, row, dropped = np.zeros(0, CHILD), 0, False
    while row < front.count:
        n, row = expand(
            stage.table, front.words, front.cursors, row, front.count, stage.seat, stage.script,
            found, moves, stage.desk,
        )  # fmt: skip
        block = np.zeros(n, CHILD)
        for name, values in zip(("parent", "action", "stage", "value"), found[:4], strict=True):
            block[name] = values[:n]
        block["one"], block["two"] = found.hashes[:n, 0], found.hashes[:n, 1]
        kept, cut = _best_of(np.concatenate([kept, block]), width)
        dropped = dropped or cut
    return kept, dropped


def _best_of(children: Array, width: int) -> tuple[Array, bool]:
    """Return the best `width` different children of each stage, and whether any were dropped. Of ended ones one is enough."""
    order = np.lexsort((children["action"], children["parent"], -children["value"]))
    children = children[order]
    keys = np.stack([children["one"], children["two"]], axis=1)
    _, firsts = np.unique(keys, axis=0, return_index=True)
    children = children[np.sort(firsts)]
    parts, dropped = [], False
    for stage in np.unique(children["stage"]).tolist():
        part = children[children["stage"] == stage]
        most = 1 if stage == ENDED else width
        dropped = dropped or (stage != ENDED and len(part) > most)
        parts.append(part[:most])
    return (np.concatenate(parts) if parts else children), dropped


def _grow(stage: _Stage, front: _Front, chosen: Array, nodes: Array) -> _Front:
    """Return the front of these children."""
    new = _new_front(stage, len(chosen))
    new.nodes, new.values = nodes, chosen["value"].copy()
    if len(chosen):
        PROGRAM.make_children(
            stage.table, front.words, front.cursors, stage.seat, stage.script,
            np.ascontiguousarray(chosen["parent"]), np.ascontiguousarray(chosen["action"]), new.words, new.cursors,
            stage.desk,
        )  # fmt: skip
    return new


def _merge(stage: _Stage, fronts: list[_Front]) -> _Front:
    """Return one front of the states of several, each once."""
    if len(fronts) == 1:
        return fronts[0]
    places: dict[bytes, tuple[int, int]] = {}
    for which, front in enumerate(fronts):
        for row in range(front.count):
            places.setdefault(front.words[row].tobytes() + front.cursors[row].tobytes(), (which, row))
    return _pick(stage, fronts, list(places.values()))


def _pick(stage: _Stage, fronts: list[_Front], places: list[tuple[int, int]]) -> _Front:
    """Return a front of these states: the number of a front, and the row."""
    picked = _new_front(stage, len(places))
    for i, (which, row) in enumerate(places):
        for name in ("words", "cursors", "nodes", "values"):
            getattr(picked, name)[i] = getattr(fronts[which], name)[row]
    return picked


def _finish(stage: _Stage, front: _Front, width: int, deadline: float) -> tuple[_Front, _Top]:
    """Complete every state of a front, and keep those that come to most. Return them, and the best end.

    The dice are known, so that what a state comes to says more about it than what it seems worth.
    """
    order = np.argsort(-front.values, kind="stable")[: SPREAD * width]
    front = _pick(stage, [front], [(0, int(row)) for row in order])
    totals = np.full(front.count, LOWEST, np.int64)
    _, trial, cursors = stage.rows(2)
    moves, line = np.zeros(stage.variant.max_legal, np.int64), np.zeros(LONGEST, np.int64)
    given = (stage.seat, stage.script, trial, cursors[0], moves, line)
    for row in range(0, front.count, 16):
        if time.monotonic() > deadline:
            break
        PROGRAM.complete_rows(
            stage.table,
            front.words,
            front.cursors,
            row,
            min(row + 16, front.count),
            *given,
            totals,
            stage.desk,
        )
    kept = np.argsort(-(totals + front.values), kind="stable")[:width]
    best = int(np.argmax(totals))
    total, length = PROGRAM.complete(
        stage.table, front.words, front.cursors, best, *given, stage.desk
    )  # fmt: skip
    top = _Top(int(total), int(front.nodes[best]), tuple(line[: int(length)].tolist()))
    return _pick(stage, [front], [(0, int(row)) for row in kept]), top
