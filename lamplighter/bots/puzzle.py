"""A puzzle: the last turn of a match, of which everything is known, and the best that can still be made of it.

Bots play matches; where a match ends with moves of one seat after the last outcome, those moves become a puzzle. All that
the seat can do there is tried, so that the best total is proved. `why_not` says what a puzzle must have, and `rate` what
makes a good one. The matches of a game and a day come from a seed that everybody can work out, so that every server has
the same puzzle: there is no secret in it but the solution, which anybody can find, by thinking or with this file.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lamplighter import bots
from lamplighter.bots import Budget
from lamplighter.bots.seat import SeatedBot
from lamplighter.engine import registry
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position, parse_position
from lamplighter.engine.variant import Variant, parse_variant, split_variant
from lamplighter.errors import LamplighterError

EDITION = 1  # raised when another puzzle would be made for the same day
MAKERS = ("medium", "greedy")  # who play the matches: good ones first, and quick ones where those have too few puzzles
RIVALS = ("greedy", "medium")  # who try the puzzles
THOUGHT = 200  # simulations of a bot: a number of them, never seconds, so that every machine chooses alike
STEPS, MATCHES = 20, 4  # pieces in which a puzzle is made at the most, and the matches of each
GOOD_STEPS = 4  # of them, with the first of the makers
ENOUGH = 4  # puzzles to choose from: then no more matches are played
LARGEST = 12_000  # moves that are tried in a puzzle; a larger one begins later in its turn
DEEPEST = 40  # moves in a row
FEWEST_SCORES = 4  # different totals
MOST_BEST = 3  # sheets with the best total
LONGEST = 9  # moves of the shortest best line
LINES = 48  # lines that are noted for a total


# --- everything that a seat can do --------------------------------------------------------------------------------


@dataclass
class Tree:
    """All ends that a seat can come to by itself."""

    totals: dict[int, int] = field(default_factory=dict)  # how many different ends have a total
    lines: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)  # some of the shortest lines that lead there
    tried: int = 0
    flaw: str = ""  # why it is no puzzle; then it was not looked at any further

    @property
    def best(self) -> int:
        return max(self.totals)


def survey(position: Position, seat: int, largest: int = LARGEST) -> Tree:
    """Try everything that a seat can do until the match is over. Equal positions are tried once.

    There is a flaw if it does not end with the moves of this seat alone, whatever it does.
    """
    tree, variant = Tree(), position.variant
    if position.waiting != (seat,):
        tree.flaw = "turn"
        return tree
    rows, boxes, states = variant.game.rows, variant.boxes, np.zeros(DEEPEST + 1, variant.game.state.STATE)
    states[0] = position.state
    scores, room = np.zeros(len(variant.score_lines), np.int64), np.zeros(variant.max_legal, np.int64)
    known: set[bytes] = set()
    left = [position.legal_actions(seat)[::-1]]  # what is still to be tried at each depth
    line: list[int] = []  # what led there
    while left:
        if not left[-1]:
            left.pop()
            line = line[: max(0, len(left) - 1)]
            continue
        depth, action = len(left), left[-1].pop()
        tree.tried += 1
        if tree.tried > largest or depth > DEEPEST:
            tree.flaw = "large"
            return tree
        states[depth] = states[depth - 1]
        rows.apply(boxes, states, depth, seat, action)
        key = states[depth].tobytes()
        if key in known:
            continue
        known.add(key)
        waiting = int(rows.waiting(boxes, states, depth))
        if waiting == 1 << seat:
            count = rows.legal_actions(boxes, states, depth, seat, room)
            left.append(room[:count][::-1].tolist())
            line.append(action)
        elif waiting or not rows.is_over(boxes, states, depth):
            tree.flaw = "turn" if waiting else "chance"
            return tree
        else:
            rows.score(boxes, states, depth, seat, scores)
            total = int(scores.sum())
            tree.totals[total] = tree.totals.get(total, 0) + 1
            _keep_shortest(tree.lines.setdefault(total, []), (*line, action))
    return tree


def _keep_shortest(lines: list[tuple[int, ...]], line: tuple[int, ...], most: int = LINES) -> None:
    """Keep some lines, shorter ones first, and of equal ones the first."""
    if len(lines) < most or len(line) < len(lines[-1]):
        lines.append(line)
        lines.sort(key=len)
        del lines[most:]


# --- what a puzzle must have ----------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def _begin(variant_text: str, position: str, solver: int) -> Match:
    """Return a match that begins with a position. Reading one takes far longer than copying it."""
    name, pairs = split_variant(variant_text)
    variant = parse_variant(registry.load(name), pairs)
    players = ["You" if seat == solver else f"Bot {seat + 1}" for seat in range(variant.seats)]
    return Match(variant, None, players, parse_position(variant, position))


@dataclass(frozen=True)
class Worth:
    """A total that can be reached: in how many ways that differ at the end, and a line that reaches it."""

    total: int
    ways: int
    line: tuple[str, ...]


@dataclass(frozen=True)
class Puzzle:
    """A position in which one seat plays to the end, and everything that it can come to."""

    variant: str
    position: str  # as text, without the variant
    seat: int
    best: int
    solutions: tuple[tuple[str, ...], ...]  # a line for each sheet that has the best total
    worths: tuple[Worth, ...]  # the best one first
    rivals: dict[str, int]  # what bots make of it

    def begin(self) -> Match:
        """Return a match that begins with the puzzle."""
        return _begin(self.variant, self.position, self.seat).copy()

    def after(self, moves: Sequence[str]) -> Match:
        """Return the match after these moves of the seat. Refuse what the rules refuse."""
        match = self.begin()
        for move in moves:
            if match.is_over:
                raise LamplighterError("the match is over before the last of these moves")
            match.play(move, self.seat)
        return match

    def fields(self) -> dict[str, Any]:
        """Everything as plain data."""
        worths = [{"total": one.total, "ways": one.ways, "line": list(one.line)} for one in self.worths]
        return {**vars(self), "solutions": [list(line) for line in self.solutions], "worths": worths}


def read_puzzle(fields: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle that `Puzzle.fields` wrote."""
    worths = tuple(Worth(one["total"], one["ways"], tuple(one["line"])) for one in fields["worths"])
    solutions = tuple(tuple(line) for line in fields["solutions"])
    return Puzzle(**{**fields, "solutions": solutions, "worths": worths})


def why_not(position: Position, seat: int, tree: Tree) -> str:
    """Return why a position is no puzzle: the flaw of its tree, or one word; nothing if it is one."""
    if tree.flaw:
        return tree.flaw
    if len(tree.totals) < FEWEST_SCORES:
        return "scores"
    if tree.totals[tree.best] > LINES or len(_sheets(position, seat, tree.lines[tree.best])) > MOST_BEST:
        return "best"
    if len(tree.lines[tree.best][0]) > LONGEST:
        return "long"
    seen = position.seen_by(seat)
    if seen.key != position.key and survey(seen, seat).totals != tree.totals:
        return "hidden"
    return ""


def rate(puzzle: Puzzle) -> int:
    """Return how good a puzzle is: bots miss the best, there is one solution, a few moves, and much to choose from."""
    missed = sum(total < puzzle.best for total in puzzle.rivals.values())
    moves = len(puzzle.solutions[0])
    others = min(len(puzzle.worths), 12) // 3
    return 4 * missed + 3 * (len(puzzle.solutions) == 1) + 2 * (2 <= moves <= 6) + others


def _sheets(position: Position, seat: int, lines: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return one of the lines for each sheet that they end with."""
    found: dict[str, tuple[int, ...]] = {}
    for line in lines:
        found.setdefault(str(_played(position, seat, line)[0].draw(seat)), line)
    return list(found.values())


def _played(position: Position, seat: int, line: Iterable[int]) -> tuple[Position, tuple[str, ...]]:
    """Return the position after a line, and its moves as text."""
    after, texts = position.copy(), []
    for action in line:
        texts.append(after.format_move(seat, action))
        after.apply(seat, action)
    return after, tuple(texts)


# --- making ---------------------------------------------------------------------------------------------------------


def make(game: str, day: str) -> Puzzle | None:
    """Return the puzzle of a game and a day; None if the bots' matches have none."""
    found: list[Puzzle] = []
    for step in range(STEPS):
        found += find(game, day, step)
        if len(found) >= ENOUGH:
            break
    return choose(found)


def choose(found: Sequence[Puzzle]) -> Puzzle | None:
    """Return the best of the puzzles that were found; of equal ones the first."""
    return max(found, key=rate, default=None)


def find(game: str, day: str, step: int) -> list[Puzzle]:
    """Return the puzzles in a few matches of a day: the pieces of `make`, for callers that tell how far it is."""
    known = registry.load(game)
    variant = Variant(known, {"seats": known.seats[0]})
    maker, found = MAKERS[step >= GOOD_STEPS], []
    for number in range(step * MATCHES, (step + 1) * MATCHES):
        seed = f"puzzle {EDITION} {game} {known.rules_version} {day} {number}"
        puzzle = puzzle_in(_play_out(variant.match(seed=seed), range(variant.seats), maker, seed))
        found += [puzzle] if puzzle is not None else []
    return found


def _play_out(match: Match, seats: Iterable[int], bot: str, seed: str) -> Match:
    """Let a bot play to the end. Its own chance comes from the seed."""
    seated = {seat: SeatedBot(bots.load(bot), match, seat, seed) for seat in seats}
    while not match.is_over:
        if match.seed is not None:
            match.roll()
        for seat in match.waiting[:1]:
            match.play(seated[seat].choose(match, Budget(simulations=THOUGHT)).move, seat)
    return match


def puzzle_in(match: Match) -> Puzzle | None:
    """Return the puzzle that a match ends with, from as early as it can be looked at whole; None if there is none."""
    seat, end = match.log[-1].seat, len(match.log)
    if seat is None or match.log[-1].kind != "move":
        return None
    first = end
    while first and match.log[first - 1].kind == "move" and match.log[first - 1].seat == seat:
        first -= 1
    for entry in range(first, end):
        text = match.at(entry).text.partition(";")[2]
        position = parse_position(match.variant, text)  # what is written down is what is looked at
        tree = survey(position, seat)
        flaw = why_not(position, seat, tree)
        if not flaw:
            return _describe(position, text, seat, tree)
        if flaw != "large":
            return None
    return None


def _describe(position: Position, text: str, seat: int, tree: Tree) -> Puzzle:
    def say(line: tuple[int, ...]) -> tuple[str, ...]:
        return _played(position, seat, line)[1]

    worths = tuple(
        Worth(total, tree.totals[total], say(tree.lines[total][0])) for total in sorted(tree.totals, reverse=True)
    )
    solutions = tuple(say(line) for line in _sheets(position, seat, tree.lines[tree.best]))
    rivals = {}
    for bot in RIVALS:
        end = _play_out(Match(position.variant, None, (), position), [seat], bot, text)
        rivals[bot] = end.totals[seat]
    return Puzzle(position.variant.text, text, seat, tree.best, solutions, worths, rivals)
