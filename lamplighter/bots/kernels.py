"""Loops around a game's kernels that hints and hindsight use: what an action leads to, with known dice.

Names such as `legal_actions` stand for the game's own kernels, as in `engine.loops`; `worth` is that of the search, and
`ceiling` that of the game's `evaluate.py`.

Hindsight plays one seat. Everything else is a script: the outcomes in their order, and what the other seats played. `cursor` says
how far that has come: cursor[0] outcomes, cursor[1 + seat] moves of a seat.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lamplighter.bots.search.compiled import SOURCES as SEARCH_SOURCES
from lamplighter.bots.search.compiled import compiled as search_of
from lamplighter.bots.search.room import Desk
from lamplighter.jit import compile_for, first_bit

if TYPE_CHECKING:
    from lamplighter.engine.game import Game

Array = Any

# the game's own, see `jit.compile_for`
waiting: Any = None
outcomes: Any = None
apply_chance: Any = None
check: Any = None
legal_actions: Any = None
apply: Any = None
score: Any = None
evaluate: Any = None
worth: Any = None
ceiling: Any = None

ACT, OVER, DEAD = 1, 0, -1  # where a script leads: the seat must act, the match is over, it cannot go on
STEP_LIMIT = 20_000
MASK = (1 << 63) - 1
NODES, BEST, LENGTH, FILLED, COUNTS = 0, 1, 2, 3, 4  # in `counts` of `solve`
LOWEST = -(1 << 40)  # below all totals
ENDED = 1 << 40  # the stage of a match that is over


class Script(NamedTuple):
    """What happens beside the moves of one seat."""

    dice: Array  # outcomes in their order
    plays: Array  # the actions of each seat, a row a seat
    lengths: Array  # how many each has


class Children(NamedTuple):
    """What the legal actions of many states lead to, one each."""

    parents: Array
    actions: Array
    stages: Array  # outcomes that have come then; `ENDED` at the end of the match
    values: Array  # points at the end, or what they may become
    hashes: Array  # two words each


def rate_actions(boxes: Array, states: Array, seat: int, actions: Array, values: Array, lines: Array) -> int:
    """Write the legal actions of a seat in states[0], and what `evaluate` says after each. Return how many there are.

    states[1] is room to try.
    """
    n = legal_actions(boxes[0], states[0], seat, actions)
    for i in range(n):
        states[1] = states[0]
        apply(boxes[0], states[1], seat, actions[i])
        values[i] = evaluate(boxes[0], states[1], seat, lines)
    return int(n)


def advance(box: Any, state: Any, seat: int, script: Script, cursor: Array, desk: Desk) -> int:
    """Let the script go on until the seat must act. Return `ACT`, `OVER` or `DEAD`."""
    for _ in range(STEP_LIMIT):
        mask = int(waiting(box, state))
        if (mask >> seat) & 1:
            return ACT
        if mask == 0:
            n = outcomes(box, state, desk.actions, desk.weights)
            if n == 0:
                return OVER
            at = int(cursor[0])
            if at >= len(script.dice):
                return DEAD
            outcome, known = int(script.dice[at]), False
            for i in range(n):
                if int(desk.actions[i]) == outcome:
                    known = True
            if not known:
                return DEAD
            apply_chance(box, state, outcome)
            cursor[0] = at + 1
        else:
            other = first_bit(mask)
            at = int(cursor[1 + other])
            if at >= int(script.lengths[other]):
                return DEAD
            action = int(script.plays[other, at])
            if 0 + check(box, state, other, action) != 0:
                return DEAD
            apply(box, state, other, action)
            cursor[1 + other] = at + 1
    return DEAD


def advance_row(boxes: Array, states: Array, cursors: Array, seat: int, script: Script, desk: Desk) -> int:
    """Do the same in row 0, for calls from Python."""
    return int(advance(boxes[0], states[0], seat, script, cursors[0], desk))


def ceiling_row(boxes: Array, states: Array, seat: int, dice: Array, plays: Array, room: Array) -> int:
    """Return what the game says that a seat cannot exceed from states[0] on."""
    return int(ceiling(boxes[0], states[0], seat, dice, plays, room))


def hash_into(numbers: Array, cursor: Array, out: Array) -> None:
    """Write two words that tell a state and its place in the script from others."""
    one, two = 1, 2
    for i in range(len(numbers)):
        one = (one * 0x1E3779B97F4A7C15 + int(numbers[i])) & MASK
        one = one ^ (one >> 29)
        two = (two * 0x2545F4914F6CDD1D + int(numbers[i])) & MASK
        two = two ^ (two >> 31)
    for i in range(len(cursor)):
        one = (one * 0x1E3779B97F4A7C15 + int(cursor[i])) & MASK
        two = (two * 0x2545F4914F6CDD1D + int(cursor[i])) & MASK
    out[0], out[1] = one ^ (one >> 31), two ^ (two >> 29)


def expand(
    boxes: Array, states: Array, numbers: Array, cursors: Array, first: int, last: int, seat: int, script: Script,
    found: Children, moves: Array, desk: Desk,
) -> Any:  # fmt: skip
    """Try every legal action of the states `first` to `last` - 1. Return how many there are, and the state at which it is full.

    The last row of `states`, `numbers` (the same memory as integers) and `cursors` is room to try. What is dead is left out.
    """
    box, room = boxes[0], len(states) - 1
    n = 0
    for row in range(first, last):
        count = legal_actions(box, states[row], seat, moves)
        if n + count > len(found.parents):
            return n, row
        for i in range(count):
            states[room] = states[row]
            for j in range(cursors.shape[1]):
                cursors[room, j] = cursors[row, j]
            apply(box, states[room], seat, int(moves[i]))
            status = advance(box, states[room], seat, script, cursors[room], desk)
            if status == DEAD:
                continue
            found.parents[n], found.actions[n] = row, moves[i]
            if status == OVER:
                found.stages[n] = ENDED
                found.values[n] = float(score(box, states[room], seat, desk.lines))
            else:
                found.stages[n] = cursors[room, 0]
                found.values[n] = worth(box, states[room], seat, desk)
            hash_into(numbers[room], cursors[room], found.hashes[n])
            n += 1
    return n, last


def make_children(
    boxes: Array, states: Array, cursors: Array, seat: int, script: Script, parents: Array, actions: Array,
    new_states: Array, new_cursors: Array, desk: Desk,
) -> None:  # fmt: skip
    """Play these actions after these states."""
    for i in range(len(parents)):
        new_states[i] = states[int(parents[i])]
        for j in range(cursors.shape[1]):
            new_cursors[i, j] = cursors[int(parents[i]), j]
        apply(boxes[0], new_states[i], seat, int(actions[i]))
        advance(boxes[0], new_states[i], seat, script, new_cursors[i], desk)


def complete(
    boxes: Array, states: Array, cursors: Array, row: int, seat: int, script: Script, trial: Array, cursor: Array, moves: Array,
    line: Array, desk: Desk,
) -> Any:  # fmt: skip
    """Play a state to the end, always the move after which it is worth most. Return the total, and how many moves that took.

    `trial` has room for two states, `line` for the moves. A script that cannot go on gives `LOWEST`.
    """
    box = boxes[0]
    trial[0] = states[row]
    for j in range(len(cursor)):
        cursor[j] = cursors[row, j]
    for length in range(len(line)):
        n = legal_actions(box, trial[0], seat, moves)
        best, best_value = 0, 0.0
        for i in range(n):
            trial[1] = trial[0]
            apply(box, trial[1], seat, int(moves[i]))
            value = worth(box, trial[1], seat, desk)
            if i == 0 or value > best_value:
                best, best_value = i, value
        line[length] = moves[best]
        apply(box, trial[0], seat, int(moves[best]))
        status = advance(box, trial[0], seat, script, cursor, desk)
        if status == DEAD:
            return LOWEST, 0
        if status == OVER:
            return int(score(box, trial[0], seat, desk.lines)), length + 1
    return LOWEST, 0


def complete_rows(
    boxes: Array, states: Array, cursors: Array, first: int, last: int, seat: int, script: Script, trial: Array, cursor: Array,
    moves: Array, line: Array, totals: Array, desk: Desk,
) -> None:  # fmt: skip
    """Write what each of these states comes to when it is completed so."""
    for row in range(first, last):
        total, _ = complete(boxes, states, cursors, row, seat, script, trial, cursor, moves, line, desk)
        totals[row] = total


def is_new(words: Array, table: Array, counts: Array) -> bool:
    """Return whether a state has not been met, and remember it as long as there is room."""
    size = len(table)
    at = int(words[0]) % size
    while table[at, 0] != 0 or table[at, 1] != 0:
        if table[at, 0] == words[0] and table[at, 1] == words[1]:
            return False
        at = at + 1 if at + 1 < size else 0
    if 4 * int(counts[FILLED]) < 3 * size:
        table[at, 0], table[at, 1] = words[0], words[1]
        counts[FILLED] += 1
    return True


def solve(
    boxes: Array, states: Array, numbers: Array, cursors: Array, seat: int, script: Script, moves: Array, next_move: Array,
    limit: int, table: Array, line: Array, counts: Array, desk: Desk,
) -> bool:  # fmt: skip
    """Look at everything that a seat can do from states[0] to the end. Return whether all was seen within the limit.

    Rows are the states of one line of play, row 0 the first. counts[BEST] is the highest total, which `line` reaches in
    counts[LENGTH] actions. A state that was met before is not looked at again. Called again, it goes on where it stopped:
    next_move[d] is the move to try next at depth d, the last number of it the depth.
    """
    box = boxes[0]
    words = counts[COUNTS : COUNTS + 2]
    top = len(states) - 2
    depth = int(next_move[top + 1])
    until = int(counts[NODES]) + limit
    while depth >= 0:
        i = int(next_move[depth])
        if i >= int(moves[depth, 0]):
            depth -= 1
            continue
        if counts[NODES] >= until:
            next_move[top + 1] = depth
            return False
        next_move[depth] = i + 1
        counts[NODES] += 1
        action = int(moves[depth, 1 + i])
        states[depth + 1] = states[depth]
        for j in range(cursors.shape[1]):
            cursors[depth + 1, j] = cursors[depth, j]
        apply(box, states[depth + 1], seat, action)
        status = advance(box, states[depth + 1], seat, script, cursors[depth + 1], desk)
        if status == DEAD:
            continue
        if status == OVER:
            total = score(box, states[depth + 1], seat, desk.lines)
            if total > counts[BEST]:
                counts[BEST], counts[LENGTH] = total, depth + 1
                for d in range(depth + 1):
                    line[d] = moves[d, int(next_move[d])]
            continue
        hash_into(numbers[depth + 1], cursors[depth + 1], words)
        if is_new(words, table, counts):
            if depth + 1 >= top:
                next_move[top + 1] = depth
                return False
            depth += 1
            moves[depth, 0] = legal_actions(box, states[depth], seat, moves[depth, 1:])
            next_move[depth] = 0
    next_move[top + 1] = -1
    return True


HERE = Path(__file__).resolve()
OWN = tuple(name for name, value in globals().items() if inspect.isfunction(value) and value.__module__ == __name__)


@functools.cache
def compiled(game: Game, name: str) -> Callable[..., Any]:
    """Return one of the loops here, compiled for a game after those that it calls."""
    function = globals()[name]
    used = function.__code__.co_names
    meanings: dict[str, Any] = {
        **vars(game.kernels),
        **{other: compiled(game, other) for other in OWN if other in used},
    }
    if "ceiling" in used:
        meanings["ceiling"] = game.module("evaluate").ceiling
    if "worth" in used:
        meanings["worth"] = search_of(game).worth
    more = (HERE, *SEARCH_SOURCES)
    made: Callable[..., Any] = compile_for(game.folder, function, f"bots_{name}", *more, **meanings)
    return made
