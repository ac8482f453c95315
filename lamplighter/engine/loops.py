"""Loops around a game's kernels: rows of states, and whole matches.

Names such as `legal_actions` stand for the game's own kernels: `engine.kernels` compiles a copy of every function here for
each game, so that nothing is called through a pointer. `NUMBA_DISABLE_JIT=1` runs the same source as plain Python.

The annotations of a function that Python calls say which arrays it takes (see `jit`).

`states` is an array of records and `boxes` an array of one: Numba takes arrays in less than a microsecond, where a single
record costs time for each of its fields.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lamplighter.engine import chance
from lamplighter.jit import Boxes, ByteRows, IntColumn, IntRows, Ints, States, first_bit, kernel

Array = Any

# the game's own, see `jit.bind`
setup: Any = None
waiting: Any = None
outcomes: Any = None
apply_chance: Any = None
check: Any = None
legal_actions: Any = None
apply: Any = None
score: Any = None
standing: Any = None
facts: Any = None
hide: Any = None
evaluate: Any = None
action_count: Any = None
chance_seat: Any = None
is_over: Any = None
resample: Any = None
hides_draws: Any = None
step: Any = None

UNIFORM, GREEDY = 0, 1  # how a seat chooses inside a loop
LOG_CHANCE, LOG_END = -1, -2  # in a log: the seat of an outcome, and what follows the last entry
STEP_LIMIT = 20_000  # entries of a match: rules that need more never end
TOO_LONG = -1  # instead of an answer: the limit was reached
MATCH_DOMAIN = 0x6D617463  # keeps the keys of matches apart from everything else drawn from a seed


class Room(NamedTuple):
    """Where a loop works: one for each thread."""

    actions: Ints  # legal actions, or outcomes
    weights: Ints  # of the outcomes
    lines: Ints  # scoring lines, or facts
    words: Ints  # random words: four for draws, four for the stream of the bots


FIRST_FREE = 64  # in `work`: three sizes, eight words, the lines, then the weights, the actions, and two numbers a row


@kernel
def room_in(work: Array) -> Room:
    """Return the room that is laid out in one array: work[0] outcomes and work[1] actions. work[2] is the number of seats."""
    weights_end = FIRST_FREE + int(work[0])
    return Room(
        work[weights_end : weights_end + int(work[1])], work[FIRST_FREE:weights_end], work[16:FIRST_FREE], work[8:16]
    )


# --- one kernel, one row ----------------------------------------------------------------------------------------
# Calls from Python: one compiled function for all kernels with arguments alike. A kernel is known by its place in a list.

ON_BOX = ("action_count", "hides_draws")
ON_ROW = (
    "setup", "waiting", "chance_seat", "is_over", "step", "hide", "apply_chance", "check", "apply", "standing",
)  # fmt: skip
FILLING = ("legal_actions", "outcomes", "score", "facts", "resample")


def ask_box(boxes: Boxes, which: int) -> int:
    """Call a kernel of `ON_BOX`."""
    return int(action_count(boxes[0])) if which == 0 else int(hides_draws(boxes[0]))


def call_row(boxes: Boxes, states: States, row: int, which: int, one: int, two: int) -> int:
    """Call a kernel of `ON_ROW` with up to two integers."""
    box, state = boxes[0], states[row]
    if which == 0:
        setup(box, state)
    elif which == 1:
        return int(waiting(box, state))
    elif which == 2:
        return int(chance_seat(box, state))
    elif which == 3:
        return int(is_over(box, state))
    elif which == 4:
        return int(step(box, state))
    elif which == 5:
        hide(box, state, one)
    elif which == 6:
        apply_chance(box, state, one)
    elif which == 7:
        return int(0 + check(box, state, one, two))  # a number: making an enum member is slow
    elif which == 8:
        apply(box, state, one, two)
    else:
        return int(standing(box, state, one, two))
    return 0


def fill_row(boxes: Boxes, states: States, row: int, which: int, seat: int, out: Ints, weights: Ints) -> int:
    """Call a kernel of `FILLING`, which writes numbers into `out`."""
    box, state = boxes[0], states[row]
    if which == 0:
        return int(legal_actions(box, state, seat, out))
    if which == 1:
        return int(outcomes(box, state, out, weights))
    if which == 2:
        return int(score(box, state, seat, out))
    if which == 3:
        return int(facts(box, state, seat, out))
    resample(box, state, seat, out)
    return 0


# --- one step ---------------------------------------------------------------------------------------------------


def roll_due(box: Any, state: Any, key: int, room: Room) -> int:
    """Let seed `key` decide what chance owes until somebody must act. Return the seats that must, one bit each."""
    for _ in range(STEP_LIMIT):
        mask = waiting(box, state)
        if mask != 0:
            return int(mask)
        n = outcomes(box, state, room.actions, room.weights)
        if n == 0:
            return 0
        index = chance.pick(room.weights, n, key, int(state["draws"]), room.words)
        apply_chance(box, state, int(room.actions[index]))
    return TOO_LONG


def begin_row(boxes: Boxes, states: States, work: Ints, row: int, key: int) -> Any:
    """Begin a match in one row, with the dice of `key`. Return how many actions are legal first, as `play_row` does.

    The last state is a blank one. A row that does not exist gives -1.
    """
    room, rows = room_in(work), work[FIRST_FREE + int(work[0]) + int(work[1]) :]
    if not 0 <= row < len(states) - 1:
        return -1
    states[row] = states[len(states) - 1]
    setup(boxes[0], states[row])
    mask = roll_due(boxes[0], states[row], key, room)
    rows[2 * row], rows[2 * row + 1] = key, mask
    return legal_actions(boxes[0], states[row], first_bit(mask), room.actions) if mask > 0 else 0


def play_row(boxes: Boxes, states: States, work: Ints, row: int, into: int, seat: int, action: int) -> Any:
    """Copy one row over another, play an action there, and let chance follow. Return how many actions are legal next.

    A negative number is a refusal (no such row, no such seat, or the rules), and then nothing is copied. 0 means that the
    match is over. The legal actions, those of the lowest seat that must act, are in `work`, which holds everything else too:
    each array that is passed costs time.
    """
    box = boxes[0]
    room, rows = room_in(work), work[FIRST_FREE + int(work[0]) + int(work[1]) :]
    if not (0 <= row < len(states) - 1 and 0 <= into < len(states) - 1 and seat < work[2]):
        return -1
    seat = max(acting_seat(box, states[row], seat), 0)
    reason = 0 + check(box, states[row], seat, action)
    if reason != 0:
        return -1 - reason
    if into != row:
        states[into] = states[row]
        rows[2 * into] = rows[2 * row]
    apply(box, states[into], seat, action)
    mask = roll_due(box, states[into], int(rows[2 * into]), room)
    rows[2 * into + 1] = mask
    return legal_actions(box, states[into], first_bit(mask), room.actions) if mask > 0 else 0


# --- rows -------------------------------------------------------------------------------------------------------


def reset_rows(
    boxes: Boxes,
    states: States,
    keys: IntColumn,
    first: int,
    last: int,
    rolls: bool,
    waiting_seats: IntColumn,
    room: Room,
) -> int:
    """Begin matches in rows `first` to `last` - 1. Return the first row whose dice never end, or -1."""
    for row in range(first, last):
        setup(boxes[0], states[row])
        mask = roll_due(boxes[0], states[row], int(keys[row]), room) if rolls else waiting(boxes[0], states[row])
        if mask == TOO_LONG:
            return row
        waiting_seats[row] = mask
    return -1


def step_rows(
    boxes: Boxes, states: States, keys: IntColumn, seats: Ints, actions: Ints,
    first: int, last: int, rolls: bool, reasons: Ints, waiting_seats: IntColumn, room: Room,
) -> int:  # fmt: skip
    """Play one action in each row, for the seat in `seats` or, if that is -1, for the lowest one that must act.

    A row whose action is -1 is left as it is. Return the first row whose dice never end, or -1.
    """
    box = boxes[0]
    for row in range(first, last):
        action = int(actions[row])
        reasons[row] = 0
        if action < 0:
            continue
        state = states[row]
        seat = max(acting_seat(box, state, int(seats[row])), 0)
        reason = 0 + check(box, state, seat, action)
        reasons[row] = reason
        if reason == 0:
            apply(box, state, seat, action)
            mask = roll_due(box, state, int(keys[row]), room) if rolls else waiting(box, state)
            if mask == TOO_LONG:
                return row
            waiting_seats[row] = mask
    return -1


def roll_rows(
    boxes: Boxes, states: States, keys: IntColumn, first: int, last: int, waiting_seats: IntColumn, room: Room
) -> int:
    """Let chance happen wherever it is due. Return the first row whose dice never end, or -1."""
    for row in range(first, last):
        mask = roll_due(boxes[0], states[row], int(keys[row]), room)
        if mask == TOO_LONG:
            return row
        waiting_seats[row] = mask
    return -1


def number_rows(keys: IntColumn, key: int, words: Ints) -> None:
    """Give each row the key of the match of its number, as `play_matches` does."""
    for row in range(len(keys)):
        chance.philox(key, row, MATCH_DOMAIN, words)
        high = int(words[0])
        signed = high if high < 1 << 31 else high - (1 << 32)  # plain Python has no int64 that wraps
        keys[row] = (signed << 32) + int(words[1])


def acting_seat(box: Any, state: Any, seat: int) -> int:
    """Return the seat, or the lowest that must act if it is -1; -1 if nobody must."""
    if seat >= 0:
        return seat
    mask = waiting(box, state)
    return first_bit(mask) if mask else -1


def list_rows(
    boxes: Boxes, states: States, seats: Ints, first: int, last: int, flat: Ints, counts: Ints, room: Room
) -> int:
    """Write the legal actions of the rows one after the other into `flat`. Return the row at which it is full."""
    used = 0
    for row in range(first, last):
        seat = acting_seat(boxes[0], states[row], int(seats[row]))
        n = 0 if seat < 0 else legal_actions(boxes[0], states[row], seat, room.actions)
        if used + n > len(flat):
            return row
        for i in range(n):
            flat[used + i] = room.actions[i]
        counts[row] = n
        used += n
    return last


def mark_rows(
    boxes: Boxes, states: States, seats: Ints, first: int, last: int, packed: bool, marks: ByteRows, room: Room
) -> None:
    """Mark the legal actions of each row in `marks`: a bit (lowest first) or a byte an action."""
    for row in range(first, last):
        for i in range(marks.shape[1]):
            marks[row, i] = 0
        seat = acting_seat(boxes[0], states[row], int(seats[row]))
        n = 0 if seat < 0 else legal_actions(boxes[0], states[row], seat, room.actions)
        for i in range(n):
            action = int(room.actions[i])
            if packed:
                marks[row, action >> 3] |= 1 << (action & 7)
            else:
                marks[row, action] = 1


def score_rows(
    boxes: Boxes, states: States, first: int, last: int, seats: int, lines: int, results: IntRows, room: Room
) -> None:
    """Write of each row and seat: total, standing, scoring lines, facts. `results` has one row for each."""
    box = boxes[0]
    width = results.shape[1] // seats
    for row in range(first, last):
        state = states[row]
        for seat in range(seats):
            start = seat * width
            total = score(box, state, seat, room.lines)
            results[row, start] = total
            results[row, start + 1] = standing(box, state, seat, total)
            for line in range(lines):
                results[row, start + 2 + line] = room.lines[line]
            n = facts(box, state, seat, room.lines)
            for fact in range(n):
                results[row, start + 2 + lines + fact] = room.lines[fact]


# --- whole matches ----------------------------------------------------------------------------------------------


def choose_best(boxes: Boxes, states: States, seat: int, room: Room, stream: Ints) -> int:
    """Return the action after which `evaluate` is highest for this seat in states[0]; any one among equals.

    states[1] is room to try.
    """
    box = boxes[0]
    n = legal_actions(box, states[0], seat, room.actions)
    best = -1
    best_value = 0
    ties = 0
    for i in range(n):
        states[1] = states[0]
        apply(box, states[1], seat, room.actions[i])
        value = evaluate(box, states[1], seat, room.lines)
        if best < 0 or value > best_value:
            best, best_value, ties = i, value, 1
        elif value == best_value:
            ties += 1
            if chance.below(ties, stream) == 0:
                best = i
    return int(room.actions[best])


def play_on(boxes: Boxes, states: States, policies: Ints, key: int, room: Room, log: Ints) -> int:
    """Play a match in states[0]. Return the number of moves, or `TOO_LONG`.

    `key` gives the outcomes and the bots' own stream. A bot is shown what its seat may see: states[1] is the view, states[2]
    room to try. states[3] is a blank record. `log`, if it has room, gets (seat, action) and (LOG_CHANCE, outcome) pairs, then
    a pair of LOG_END.
    """
    box, state = boxes[0], states[0]
    states[0] = states[3]
    setup(box, state)
    stream = room.words[4:8]
    chance.start_stream(key, 0, stream)
    moves = 0
    logged = 0
    for _ in range(STEP_LIMIT):
        mask = waiting(box, state)
        if mask == 0:
            n = outcomes(box, state, room.actions, room.weights)
            if n == 0:
                if logged + 1 < len(log):
                    log[logged], log[logged + 1] = LOG_END, LOG_END
                return moves
            index = chance.pick(room.weights, n, key, int(state["draws"]), room.words)
            seat, action = LOG_CHANCE, int(room.actions[index])
            apply_chance(box, state, action)
        else:
            seat = first_bit(mask)
            if policies[seat] == GREEDY:
                states[1] = states[0]
                hide(box, states[1], seat)
                action = choose_best(boxes, states[1:3], seat, room, stream)
            else:
                n = legal_actions(box, state, seat, room.actions)
                action = int(room.actions[chance.below(n, stream)])
            apply(box, state, seat, action)
            moves += 1
        if logged + 3 < len(log):
            log[logged], log[logged + 1] = seat, action
            logged += 2
    return TOO_LONG


def play_uniformly(box: Any, state: Any, stream: Array, actions: Array) -> int:
    """Play any legal move of whoever must act, until chance is due or the match is over. Return the number of moves."""
    for moves in range(STEP_LIMIT):
        mask = int(waiting(box, state))
        if mask == 0:
            return moves
        seat = first_bit(mask)
        n = legal_actions(box, state, seat, actions)
        apply(box, state, seat, int(actions[chance.below(n, stream)]))
    return TOO_LONG


def play_matches(
    boxes: Boxes, states: States, policies: Ints, key: int, first: int, lines: int, results: IntRows, room: Room
) -> int:
    """Play matches number `first`, `first` + 1, … of `key`, one for each row of `results`. Return the number of moves.

    `states` is as in `play_on`. A row of `results` is as `score_rows` writes it.
    """
    moves = 0
    no_log = room.words[:0]
    for i in range(results.shape[0]):
        chance.philox(key, first + i, MATCH_DOMAIN, room.words)
        match_key = (int(room.words[0]) << 32) | int(room.words[1])
        played = play_on(boxes, states, policies, match_key, room, no_log)
        if played == TOO_LONG:
            return -1 - i
        moves += played
        score_rows(boxes, states, 0, 1, len(policies), lines, results[i : i + 1], room)
    return moves
