"""`Batch`: many matches of one variant at once, for programs. Simulation, search and learning all go through here.

    batch = Batch(lamplighter.load("connect_four"), rows=4096)
    batch.reset(seed=7)
    while not batch.done.all():
        batch.step(batch.legal().pick(generator))
    batch.results()["total"]

A row is a match. Nothing here knows a person, a text or a bot. `Simulator` plays whole matches inside one compiled loop.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lamplighter.engine import chance
from lamplighter.engine.contract import never_ends
from lamplighter.engine.defaults import SCORE_LINES
from lamplighter.engine.loops import FIRST_FREE, LOG_CHANCE, LOG_END, MATCH_DOMAIN, STEP_LIMIT, TOO_LONG, Room
from lamplighter.errors import LamplighterError
from lamplighter.jit import trusting

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant

Array = Any
FLAT_ROOM = 32  # legal actions a row for which there is room at first
__all__ = ["LOG_CHANCE", "Batch", "Legal", "Simulator", "match_key", "result_dtype"]


def match_key(key: int, number: int) -> int:
    """Return the key of match `number` of a seed's key, as kernels take it."""
    words = np.zeros(4, np.int64)
    chance.philox(key, number, MATCH_DOMAIN, words)
    return chance.signed((int(words[0]) << 32) | int(words[1]))


def result_dtype(variant: Variant) -> np.dtype[Any]:
    """Return the layout of a result: one record a match, with one of these for each seat."""
    seat = [
        ("total", np.int64),
        ("standing", np.int64),
        ("lines", np.int64, (len(variant.score_lines),)),
        ("facts", np.int64, (len(variant.game.state.FACTS),)),
    ]
    return np.dtype((seat, (variant.seats,)))


def _apart(count: int, dtype: Any = np.int64) -> Array:
    """Return zeros with a kilobyte free on both sides, so that two threads never write to one cache line."""
    free = -(-1024 // np.dtype(dtype).itemsize)
    return np.zeros(count + 2 * free, dtype)[free : free + count]


def _new_room(variant: Variant) -> Room:
    outcomes = variant.game.state.MAX_OUTCOMES
    return Room(_apart(max(variant.max_legal, outcomes)), _apart(outcomes), _apart(2 * SCORE_LINES), _apart(8))


class Legal(NamedTuple):
    """Legal actions of many rows, one after the other: those of row i are actions[starts[i]:starts[i + 1]]."""

    actions: Array
    starts: Array

    def __getitem__(self, row: Any) -> Array:
        return self.actions[self.starts[row] : self.starts[row + 1]]

    @property
    def counts(self) -> Array:
        return np.diff(self.starts)

    def pick(self, generator: np.random.Generator) -> Array:
        """Return one action a row, each as likely as the others; -1 where there is none."""
        counts = self.counts
        places = self.starts[:-1] + (generator.random(len(counts)) * counts).astype(np.int64)
        picked = np.full(len(counts), -1, np.int64)
        picked[counts > 0] = self.actions[places[counts > 0]]
        return picked


class Batch:
    """An array of states of one variant, and what can be done with all of them in one call.

    With `rolls`, chance follows every step by itself, from the seed of the row. Without, it is left open: `outcomes` lists
    what can come and `apply_outcomes` decides. Work on many rows is divided between `threads`.
    """

    def __init__(self, variant: Variant, rows: int, threads: int = 1, rolls: bool = True) -> None:
        if rows < 1 or threads < 1:
            raise LamplighterError(f"a batch needs at least one row and one thread, not {rows} and {threads}")
        self.variant, self.rolls = variant, rolls
        self._states = np.zeros(rows + 1, variant.game.state.STATE)  # the last one stays blank
        self.states = self._states[:rows]
        outcomes, most = variant.game.state.MAX_OUTCOMES, variant.max_legal
        start = FIRST_FREE + outcomes + max(most, outcomes)
        self._work = np.zeros(start + 2 * rows, np.int64)  # what `play` needs, in one array: see `loops.play_row`
        self._work[:3] = outcomes, max(most, outcomes), variant.seats
        self.actions: Array = self._work[FIRST_FREE + outcomes : start]  # what `play` found to be legal next
        self.keys: Array = self._work[start::2]  # of the dice of each row
        self.waiting: Array = self._work[start + 1 :: 2]  # the seats that must act in each row, one bit a seat
        self.reasons = np.zeros(rows, np.int64)  # why the last action of each row was refused; 0 if it was played
        self._pairs = self._work[start:].reshape(rows, 2)
        self._nobody = np.full(rows, -1, np.int64)
        self._loops, self._boxes = variant.game.loops.batches, variant.boxes
        self._rooms = [_new_room(variant) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        cuts = np.linspace(0, rows, threads + 1).astype(int).tolist()
        self._parts = list(zip(cuts[:-1], cuts[1:], self._rooms, strict=True))

    def __len__(self) -> int:
        return len(self.states)

    def _each(self, work: Callable[[int, int, Room], Any]) -> list[Any]:
        """Do something for every part of the rows, each part on a thread of its own."""
        if self._pool is None:
            return [work(*part) for part in self._parts]
        return list(self._pool.map(lambda part: work(*part), self._parts))

    def _ends(self, work: Callable[[int, int, Room], int]) -> None:
        if max(self._each(work)) >= 0:
            raise never_ends(self.variant.text, STEP_LIMIT)

    # --- whole batches ----------------------------------------------------------------------------------------

    def reset(self, seed: str | int = "", keys: Array | None = None) -> None:
        """Begin all matches. Row i rolls as match number i of a simulation with this seed, or by its own key."""
        if keys is None:
            base = chance.signed(chance.seed_key(str(seed) or chance.new_seed()))
            self._loops.number_rows(self.keys, base, self._rooms[0].words)
        else:
            self.keys[:] = keys
        self.states[:] = self._states[-1]
        self._ends(
            lambda first, last, room: self._loops.reset_rows(
                self._boxes, self.states, self.keys, first, last, self.rolls, self.waiting, room
            )
        )

    def step(self, actions: Array, seats: Array | None = None) -> Array:
        """Play one action in each row, for the given seats or for the lowest seat that must act.

        A row with action -1 is left as it is. Return the reasons: 0 where the action was played, else why it was refused,
        and that row is left as it is too.
        """
        actions = self._column(actions)
        seats = self._seats_or_lowest(seats)
        self._ends(
            lambda first, last, room: self._loops.step_rows(
                self._boxes,
                self.states,
                self.keys,
                seats,
                actions,
                first,
                last,
                self.rolls,
                self.reasons,
                self.waiting,
                room,
            )
        )
        return self.reasons

    def roll(self) -> None:
        """Let the seeds decide what chance owes, in every row."""
        self._ends(
            lambda first, last, room: self._loops.roll_rows(
                self._boxes, self.states, self.keys, first, last, self.waiting, room
            )
        )

    @property
    def done(self) -> Array:
        """Which matches are over. With open chance, a row in which chance is due is not."""
        if self.rolls:
            return self.waiting == 0
        rows = self.variant.game.rows
        return np.array(
            [mask == 0 and rows.is_over(self._boxes, self.states, row) for row, mask in enumerate(self.waiting)]
        )

    @property
    def seats(self) -> Array:
        """The lowest seat that must act in each row; -1 where nobody must."""
        return np.where(self.waiting == 0, -1, np.round(np.log2(np.maximum(self.waiting & -self.waiting, 1)))).astype(
            np.int64
        )

    # --- legal actions ----------------------------------------------------------------------------------------

    def legal(self, seats: Array | None = None) -> Legal:
        """Return the legal actions of each row as lists, for the given seats or for the lowest that must act."""
        seats = self._seats_or_lowest(seats)
        counts = np.zeros(len(self), np.int64)

        def work(first: int, last: int, room: Room) -> list[Array]:
            found, flat = [], np.zeros(max(FLAT_ROOM * (last - first), self.variant.max_legal), np.int64)
            while first < last:
                reached = self._loops.list_rows(self._boxes, self.states, seats, first, last, flat, counts, room)
                found.append(flat[: counts[first:reached].sum()].copy())
                first = reached
            return found

        parts = [part for found in self._each(work) for part in found]
        starts = np.zeros(len(self) + 1, np.int64)
        np.cumsum(counts, out=starts[1:])
        return Legal(np.concatenate(parts) if parts else np.zeros(0, np.int64), starts)

    def legal_bits(self, seats: Array | None = None) -> Array:
        """Return the legal actions of each row as bits, eight actions a byte, lowest bit first."""
        return self._marks(seats, -(-self.variant.action_count // 8), True)

    def legal_mask(self, seats: Array | None = None) -> Array:
        """Return the legal actions of each row as a byte an action. It is large: prefer lists or bits."""
        return self._marks(seats, self.variant.action_count, False)

    def _marks(self, seats: Array | None, width: int, packed: bool) -> Array:
        seats = self._seats_or_lowest(seats)
        marks = np.zeros((len(self), width), np.uint8)
        self._each(
            lambda first, last, room: self._loops.mark_rows(
                self._boxes, self.states, seats, first, last, packed, marks, room
            )
        )
        return marks

    # --- open chance ------------------------------------------------------------------------------------------

    def outcomes(self, row: int) -> tuple[Array, Array]:
        """Return the outcomes that can come next in a row, and their weights; none where somebody must act."""
        self._need_rows(row)
        room = self._rooms[0]
        n = (
            0
            if self.waiting[row]
            else self.variant.game.rows.outcomes(self._boxes, self.states, row, room.actions, room.weights)
        )
        return room.actions[:n].copy(), room.weights[:n].copy()

    def apply_outcomes(self, outcomes: Array) -> None:
        """Let the next outcome of each row be this; -1 leaves a row as it is."""
        rows = self.variant.game.rows
        for row, outcome in enumerate(self._column(outcomes).tolist()):
            if outcome < 0:
                continue
            if outcome not in self.outcomes(row)[0]:
                raise LamplighterError(f"outcome {outcome} cannot come in row {row}")
            rows.apply_chance(self._boxes, self.states, row, outcome)
            self.waiting[row] = rows.waiting(self._boxes, self.states, row)

    # --- results ----------------------------------------------------------------------------------------------

    def results(self) -> Array:
        """Return a record a row and seat, as if the matches ended now: total, standing, lines, facts."""
        layout = result_dtype(self.variant)
        made = np.zeros((len(self), layout.itemsize // 8), np.int64)
        lines = len(self.variant.score_lines)
        self._each(
            lambda first, last, room: self._loops.score_rows(
                self._boxes, self.states, first, last, self.variant.seats, lines, made, room
            )
        )
        return made.view(layout.base).reshape(len(self), self.variant.seats)

    # --- single rows ------------------------------------------------------------------------------------------

    @functools.cached_property
    def _begin_row(self) -> Callable[..., int]:
        return trusting(self._loops.begin_row)

    @functools.cached_property
    def _play_row(self) -> Callable[..., int]:
        return trusting(self._loops.play_row)

    def begin(self, row: int, key: int) -> int:
        """Begin a match in one row, with the dice of a key. Return how many actions are legal first, as `play` does."""
        n: int = self._begin_row(self._boxes, self._states, self._work, row, key)
        if n <= 0:
            self._need_rows(row)
            self._need_end(row)
        return n

    def play(self, row: int, action: int, seat: int = -1, into: int = -1) -> int:
        """Play one action in one row, for a seat or the lowest that must act. Return how many actions are legal next.

        With `into` the row stays as it is, and the move is played in a copy of it there. Chance follows from the seed. The
        legal actions are the first ones of `actions`, and belong to the lowest seat that must act; 0 means that the match is
        over. This is the quickest way to play move by move from Python.
        """
        into = row if into < 0 else into
        try:
            n: int = self._play_row(self._boxes, self._states, self._work, row, into, seat, action)
        except OverflowError:  # compiled code has no such number
            n = -1
        if n < 0:
            self._need_rows(row, into)
            raise self.refusal(row, seat, action)
        if n == 0:
            self._need_end(into)
        return n

    def refusal(self, row: int, seat: int, action: int) -> LamplighterError:
        """Return why an action is refused, as a sentence."""
        from lamplighter.engine.position import Position

        position = Position(self.variant, self.states[row])
        refusal = position.refusal(position.waiting[0] if seat < 0 and position.waiting else max(seat, 0), action)
        assert refusal is not None
        return refusal

    def copy_rows(self, source: Any, target: Any) -> None:
        """Copy rows, with their dice, over others. Rows are numbers, slices or arrays."""
        self.states[target] = self.states[source]
        self._pairs[target] = self._pairs[source]

    def set_row(self, row: int, state: State, key: int = 0) -> None:
        """Let a row go on from a state."""
        self._need_rows(row)
        self.states[row] = state
        self.keys[row] = key
        self.waiting[row] = self.variant.game.rows.waiting(self._boxes, self.states, row)

    def hide(self, row: int, seat: int) -> None:
        """Blank in a row what a seat (-1: a spectator) may not see."""
        self._need_rows(row)
        self._need_seat(seat)
        self.variant.game.rows.hide(self._boxes, self.states, row, seat)

    def resample(self, row: int, seat: int, stream: Array) -> None:
        """Fill what `hide` blanked with a draw from what the seat may still believe. `stream` is of `chance`."""
        self._need_rows(row)
        self._need_seat(seat)
        self.variant.game.rows.resample(self._boxes, self.states, row, seat, stream)

    def close(self) -> None:
        """End the threads. The batch goes on without them."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    # A kernel trusts rows and seats: at a wrong one it would read and write other memory.

    def _need_rows(self, *rows: int) -> None:
        for row in rows:
            if not 0 <= row < len(self):
                raise LamplighterError(f"there is no row {row}: rows are 0 to {len(self) - 1}")

    def _need_end(self, row: int) -> None:
        if self.waiting[row] == TOO_LONG:
            raise never_ends(self.variant.text, STEP_LIMIT)

    def _need_seat(self, seat: int) -> None:
        if not -1 <= seat < self.variant.seats:
            raise LamplighterError(f"there is no seat {seat}: seats are 0 to {self.variant.seats - 1}")

    def _seats_or_lowest(self, seats: Array | None) -> Array:
        """Return a seat for each row; -1 stands for the lowest that must act."""
        if seats is None:
            return self._nobody
        column = self._column(seats)
        self._need_seat(int(column.max()))
        return column

    def _column(self, values: Array | Sequence[int]) -> Array:
        try:
            column = np.ascontiguousarray(values, np.int64)
        except OverflowError:
            raise LamplighterError(
                "there is a number beyond 64 bits: an action, a seat or an outcome is smaller"
            ) from None
        if column.shape != (len(self),):
            raise LamplighterError(f"there must be one number for each of the {len(self)} rows, not {column.shape}")
        return column


class Simulator:
    """Whole matches inside one compiled loop. One thread uses one Simulator."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self._layout = result_dtype(variant)
        self._states = _apart(4, variant.game.state.STATE)  # the match, a bot's view, room to try, a blank one
        self._room = _new_room(variant)
        self._loops = variant.game.loops

    def play_matches(self, policies: Array, key: int, first: int, count: int) -> tuple[int, Array]:
        """Play matches number `first` to `first` + `count` - 1 of a key. Return the moves, and a result a match and seat."""
        made = np.zeros((count, self._layout.itemsize // 8), np.int64)
        moves = self._loops.matches.play_matches(
            self.variant.boxes, self._states, policies, key, first, len(self.variant.score_lines), made, self._room
        )
        if moves < 0:
            raise never_ends(self.variant.text, STEP_LIMIT)
        return int(moves), made.view(self._layout.base).reshape(count, self.variant.seats)

    def play_logged(self, policies: Array, key: int) -> list[tuple[int, int]]:
        """Play one match. Return its log: (seat, action) and (LOG_CHANCE, outcome) pairs."""
        log = np.zeros(2 * STEP_LIMIT + 2, np.int64)
        if self._loops.matches.play_on(self.variant.boxes, self._states, policies, key, self._room, log) == TOO_LONG:
            raise never_ends(self.variant.text, STEP_LIMIT)
        end = int(np.argmax(log[::2] == LOG_END))
        return [(seat, value) for seat, value in log[: 2 * end].reshape(-1, 2).tolist()]

    def choose_best(self, state: State, seat: int, stream: Array) -> int:
        """Return the action that leaves this seat best off in this state, looking one move ahead."""
        self._states[1] = state
        return int(self._loops.rules.choose_best(self.variant.boxes, self._states[1:3], seat, self._room, stream))
