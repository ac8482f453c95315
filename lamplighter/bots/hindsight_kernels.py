"""Find where actions lead when all dice are known, for hindsight. Compiled once for all games.

Hindsight plays one seat. Everything else is a script: the outcomes in their order, and what the other seats played. `cursor` says
how far that has come: cursor[0] outcomes, cursor[1 + seat] moves of a seat. States are rows of words (`engine.table`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from lamplighter.bots.search.beam import worth
from lamplighter.bots.search.program import SOURCES
from lamplighter.bots.search.room import Desk
from lamplighter.engine.table import apply, apply_chance, check, legal_actions, outcomes, score, waiting
from lamplighter.jit import Floats, IntRows, Ints, Program, Table, Words, copy_row, first_bit, kernel

Array = Any

ACT, OVER, DEAD = 1, 0, -1  # where a script leads: the seat must act, the match is over, it cannot go on
STEP_LIMIT = 20_000
MASK = (1 << 63) - 1
NODES, BEST, LENGTH, FILLED, COUNTS = 0, 1, 2, 3, 4  # in `counts` of `solve`
LOWEST = -(1 << 40)  # below all totals
ENDED = 1 << 40  # the stage of a match that is over


class Script(NamedTuple):
    """What happens beside the moves of one seat."""

    dice: Ints  # outcomes in their order
    plays: IntRows  # the actions of each seat, a row a seat
    lengths: Ints  # how many each has


class Children(NamedTuple):
    """What the legal actions of many states lead to, one each."""

    parents: Ints
    actions: Ints
    stages: Ints  # outcomes that have come then; `ENDED` at the end of the match
    values: Floats  # points at the end, or what they may become
    hashes: IntRows  # two words each


@kernel
def advance(game: Table, states: Words, row: int, seat: int, script: Script, cursor: Ints, desk: Desk) -> int:
    """Let the script go on until the seat must act. Return `ACT`, `OVER` or `DEAD`."""
    for _ in range(STEP_LIMIT):
        mask = waiting(game, states, row)
        if (mask >> seat) & 1:
            return ACT
        if mask == 0:
            n = outcomes(game, states, row, desk.actions, desk.weights)
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
            apply_chance(game, states, row, outcome)
            cursor[0] = at + 1
        else:
            other = first_bit(mask)
            at = int(cursor[1 + other])
            if at >= int(script.lengths[other]):
                return DEAD
            action = int(script.plays[other, at])
            if check(game, states, row, other, action) != 0:
                return DEAD
            apply(game, states, row, other, action)
            cursor[1 + other] = at + 1
    return DEAD


@kernel
def advance_row(game: Table, states: Words, cursors: IntRows, seat: int, script: Script, desk: Desk) -> int:
    """Do the same in row 0, for calls from Python."""
    return int(advance(game, states, 0, seat, script, cursors[0], desk))


@kernel
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


@kernel
def expand(
    game: Table, states: Words, cursors: IntRows, first: int, last: int, seat: int, script: Script, found: Children,
    moves: Ints, desk: Desk,
) -> Any:  # fmt: skip
    """Try every legal action of the states `first` to `last` - 1. Return how many there are, and the state at which it is full.

    The last row of `states` and `cursors` is room to try. What is dead is left out.
    """
    room = len(states) - 1
    n = 0
    for row in range(first, last):
        count = legal_actions(game, states, row, seat, moves)
        if n + count > len(found.parents):
            return n, row
        for i in range(count):
            copy_row(states, room, states, row)
            for j in range(cursors.shape[1]):
                cursors[room, j] = cursors[row, j]
            apply(game, states, room, seat, int(moves[i]))
            status = advance(game, states, room, seat, script, cursors[room], desk)
            if status == DEAD:
                continue
            found.parents[n], found.actions[n] = row, moves[i]
            if status == OVER:
                found.stages[n] = ENDED
                found.values[n] = float(score(game, states, room, seat, desk.lines))
            else:
                found.stages[n] = cursors[room, 0]
                found.values[n] = worth(game, states, room, seat, desk)
            hash_into(states[room], cursors[room], found.hashes[n])
            n += 1
    return n, last


@kernel
def make_children(
    game: Table, states: Words, cursors: IntRows, seat: int, script: Script, parents: Ints, actions: Ints,
    new_states: Words, new_cursors: IntRows, desk: Desk,
) -> None:  # fmt: skip
    """Play these actions after these states."""
    for i in range(len(parents)):
        copy_row(new_states, i, states, int(parents[i]))
        for j in range(cursors.shape[1]):
            new_cursors[i, j] = cursors[int(parents[i]), j]
        apply(game, new_states, i, seat, int(actions[i]))
        advance(game, new_states, i, seat, script, new_cursors[i], desk)


@kernel
def complete(
    game: Table, states: Words, cursors: IntRows, row: int, seat: int, script: Script, trial: Words, cursor: Ints, moves: Ints,
    line: Ints, desk: Desk,
) -> Any:  # fmt: skip
    """Play a state to the end, always the move after which it is worth most. Return the total, and how many moves that took.

    `trial` has room for two states, `line` for the moves. A script that cannot go on gives `LOWEST`.
    """
    copy_row(trial, 0, states, row)
    for j in range(len(cursor)):
        cursor[j] = cursors[row, j]
    for length in range(len(line)):
        n = legal_actions(game, trial, 0, seat, moves)
        best, best_value = 0, 0.0
        for i in range(n):
            copy_row(trial, 1, trial, 0)
            apply(game, trial, 1, seat, int(moves[i]))
            value = worth(game, trial, 1, seat, desk)
            if i == 0 or value > best_value:
                best, best_value = i, value
        line[length] = moves[best]
        apply(game, trial, 0, seat, int(moves[best]))
        status = advance(game, trial, 0, seat, script, cursor, desk)
        if status == DEAD:
            return LOWEST, 0
        if status == OVER:
            return int(score(game, trial, 0, seat, desk.lines)), length + 1
    return LOWEST, 0


@kernel
def complete_rows(
    game: Table, states: Words, cursors: IntRows, first: int, last: int, seat: int, script: Script, trial: Words, cursor: Ints,
    moves: Ints, line: Ints, totals: Ints, desk: Desk,
) -> None:  # fmt: skip
    """Write what each of these states comes to when it is completed so."""
    for row in range(first, last):
        total, _ = complete(game, states, cursors, row, seat, script, trial, cursor, moves, line, desk)
        totals[row] = total


@kernel
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


@kernel
def solve(
    game: Table, states: Words, cursors: IntRows, seat: int, script: Script, moves: IntRows, next_move: Ints,
    limit: int, table: IntRows, line: Ints, counts: Ints, desk: Desk,
) -> bool:  # fmt: skip
    """Look at everything that a seat can do from states[0] to the end. Return whether all was seen within the limit.

    Rows are the states of one line of play, row 0 the first. counts[BEST] is the highest total, which `line` reaches in
    counts[LENGTH] actions. A state that was met before is not looked at again. Called again, it goes on where it stopped:
    next_move[d] is the move to try next at depth d, the last number of it the depth.
    """
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
        copy_row(states, depth + 1, states, depth)
        for j in range(cursors.shape[1]):
            cursors[depth + 1, j] = cursors[depth, j]
        apply(game, states, depth + 1, seat, action)
        status = advance(game, states, depth + 1, seat, script, cursors[depth + 1], desk)
        if status == DEAD:
            continue
        if status == OVER:
            total = score(game, states, depth + 1, seat, desk.lines)
            if total > counts[BEST]:
                counts[BEST], counts[LENGTH] = total, depth + 1
                for d in range(depth + 1):
                    line[d] = moves[d, int(next_move[d])]
            continue
        hash_into(states[depth + 1], cursors[depth + 1], words)
        if is_new(words, table, counts):
            if depth + 1 >= top:
                next_move[top + 1] = depth
                return False
            depth += 1
            moves[depth, 0] = legal_actions(game, states, depth, seat, moves[depth, 1:])
            next_move[depth] = 0
    next_move[top + 1] = -1
    return True


PROGRAM = Program(
    "hindsight",
    (Path(__file__).resolve(), *SOURCES),
    {one.__name__: one for one in (advance_row, expand, make_children, complete, complete_rows, solve)},
    title="the hindsight",
)
