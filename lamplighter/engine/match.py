"""`Match`: one play of a game. The log is the truth; the position is a cache of it."""

from __future__ import annotations

import functools
import importlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from lamplighter.engine import chance
from lamplighter.engine.contract import never_ends
from lamplighter.engine.history import History
from lamplighter.engine.loops import STEP_LIMIT
from lamplighter.engine.position import Position
from lamplighter.errors import BadChance, BadNotation, IllegalMove, LamplighterError, NoTakeBack

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant


class Entry(NamedTuple):
    """One line of the log: an outcome of chance, or a move."""

    kind: str  # "chance" or "move"
    seat: int | None  # who moved, or whom the outcome was dealt to (None: everybody)
    text: str
    value: int  # the outcome or the action, as kernels know it
    turn: int  # the turn it belongs to
    comment: str = ""


@dataclass(frozen=True)
class View:
    """What one seat, or a spectator (seat None), may know of a match."""

    seat: int | None
    position: Position  # without what the seat may not see
    log: tuple[Entry, ...]

    @property
    def acting_seat(self) -> int:
        """The seat, which must be one that has to act."""
        if self.seat is None or self.seat not in self.position.waiting:
            raise LamplighterError(f"seat {self.seat} has nothing to do now")
        return self.seat

    @functools.cached_property
    def legal_moves(self) -> tuple[str, ...]:
        """What the seat may do now, as text."""
        if self.seat is None or self.seat not in self.position.waiting:
            return ()
        return tuple(self.position.legal_moves(self.seat))


HIDDEN = "?"  # the text of an outcome that a viewer may not see


def _veiled(entry: Entry) -> Entry:
    """Return another seat's entry as a viewer may see it: not which card was dealt, nor from where in the hand it came."""
    return entry._replace(text=HIDDEN if entry.kind == "chance" else entry.text, value=-1)


def _last_of(entries: Sequence[Entry], seat: int | None, move: str | None = None) -> int | None:
    """Return the index of a seat's last entry, or of its last one of that text; None if there is none."""
    mine = [i for i, entry in enumerate(entries) if entry.seat == seat and move in (None, entry.text)]
    return mine[-1] if mine else None


def _action_now(position: Position, entry: Entry) -> int | None:
    """Return the action of a move in this position, None if it is not legal here.

    Its text counts: its number may mean another card of the hand here.
    """
    seat = cast("int", entry.seat)
    try:
        action = position.parse_move(seat, entry.text)
    except BadNotation:
        return None
    return action if position.refusal(seat, action) is None else None


def _repeat(position: Position, entry: Entry) -> None:
    """Apply an entry that was checked when it came into the log."""
    if entry.seat is None or entry.kind == "chance":
        position.apply_chance(entry.value)
    else:
        position.apply(entry.seat, entry.value)


class Match:
    """Seats, a log, and where the outcomes come from.

    >>> from lamplighter import load
    >>> match = load("connect_four").match(players=["Ana", "Bo"])
    >>> match.play("d")
    >>> match.play("e", seat=1)
    >>> match.waiting
    (0,)
    >>> [entry.text for entry in match.log]
    ['d', 'e']
    """

    def __init__(
        self,
        variant: Variant,
        seed: str | int | None = "",
        players: tuple[str, ...] | list[str] = (),
        start: Position | None = None,
    ) -> None:
        """Begin a match, at a position other than the first if one is given. The log does not say how it came to that.

        Programs call `Variant.match`. Here `seed=""` stands for fresh dice, and None for typed ones.
        """
        if len(players) > variant.seats:
            raise LamplighterError(f"{len(players)} players for {variant.seats} seats")
        self.variant = variant
        self.seed: str | None = None if seed is None else (str(seed) or chance.new_seed())
        names = list(players) + [f"Player {seat + 1}" for seat in range(len(players), variant.seats)]
        self.players: list[str] = names
        self.tags: dict[str, str] = {}
        self.log: list[Entry] = []
        self.position = variant.start() if start is None else start.copy()
        self._history = History(self.position)
        self._borders = [0]  # how long the log was after each outcome or step: what came before the last one is final

    # --- reading ----------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> tuple[int, ...]:
        return self.position.waiting

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    @property
    def totals(self) -> list[int]:
        return self.position.totals

    def score(self, seat: int) -> dict[str, int]:
        return self.position.score(seat)

    def winners(self) -> list[int]:
        return self.position.winners()

    def legal_moves(self, seat: int | None = None) -> list[str]:
        return self.position.legal_moves(seat)

    def why(self, move: str, seat: int | None = None) -> IllegalMove | None:
        return self.position.why(move, seat)

    @property
    def is_secret(self) -> bool:
        """Whether what is dealt to a seat is hidden from the others."""
        return bool(self.variant.game.rows.hides_draws(self.variant.boxes))

    def view(self, seat: int | None) -> View:
        """Return what this seat (None: a spectator) may know."""
        position = self.position.seen_by(seat)
        hidden = self.is_secret
        log = tuple(_veiled(entry) if hidden and entry.seat not in (None, seat) else entry for entry in self.log)
        return View(seat, position, log)

    # --- chance -----------------------------------------------------------------------------------------------

    def outcomes(self) -> dict[str, int]:
        return self.position.outcomes()

    def outcome_numbers(self) -> tuple[list[int], list[int]]:
        return self.position.outcome_numbers()

    def next_outcome(self) -> str:
        """Return the text of the outcome that the seed gives now."""
        if self.seed is None:
            raise BadChance(f"this match has no seed, its dice are typed in: {self.position.next_chance}")
        given = self._seeded()
        if given is None:
            raise BadChance(self.position.next_chance)
        return self.position.format_outcome(given)

    def roll(self, *texts: str) -> list[str]:
        """Let chance happen. Return the texts of the outcomes.

        A seeded match rolls everything that is due until somebody must act. A match with typed dice takes each text as
        one outcome; fewer than are due is fine.
        """
        rolled: list[str] = []
        if self.seed is None:
            if not texts and len(self.position.outcome_arrays()[0]):
                raise BadChance(f"this match has typed dice: give roll() what was rolled; {self.position.next_chance}")
            for text in texts:
                outcome = self.position.parse_outcome(text)
                rolled.append(self._add_outcome(outcome, self.position.format_outcome(outcome)))
        elif texts:
            raise BadChance("this match rolls its own dice: start it with match(typed=True) to type them in")
        else:
            while (given := self._seeded()) is not None:
                rolled.append(self._add_outcome(given, self.position.format_outcome(given)))
        return rolled

    def apply_outcome(self, outcome: int) -> None:
        """Apply the next outcome by its number. A seeded match refuses what its seed does not give."""
        if self.seed is None or outcome != self._seeded():
            self.position.need_outcome(outcome)
            self._need_typed()
        self._add_outcome(outcome, self.position.format_outcome(outcome))

    def confirm_outcome(self, text: str) -> None:
        """Apply the outcome that a log says. A seeded match refuses what its seed does not give."""
        if self.seed is None:
            self.roll(text)
        elif (given := self._seeded()) is not None and text == self.position.format_outcome(given):
            self._add_outcome(given, text)
        else:
            self.apply_outcome(self.position.parse_outcome(text))

    def _need_typed(self) -> None:
        if self.seed is not None:
            raise BadChance(f"seed {self.seed!r} gives {self.next_outcome()!r} here")

    def _seeded(self) -> int | None:
        """Return the outcome that the seed gives now; None if none is due."""
        assert self.seed is not None
        outcomes, weights = self.position.outcome_arrays()
        if not len(outcomes):
            return None
        key, draw = chance.signed(chance.seed_key(self.seed)), int(self.position.state["draws"])
        return int(outcomes[chance.pick(weights, len(weights), key, draw, np.zeros(4, np.int64))])

    def _add_outcome(self, outcome: int, text: str) -> str:
        seat = self.position.chance_seat
        self.position.apply_chance(outcome)
        self._log(Entry("chance", seat, text, outcome, self.position.turn), True)
        return text

    def take_back_outcome(self) -> str:
        """Take the last typed outcome back, and every move made since. Return its text."""
        if self.seed is not None:
            raise BadChance("this match rolls its own dice: only typed outcomes can be taken back")
        drawn = next((i for i in reversed(range(len(self.log))) if self.log[i].kind == "chance"), None)
        if drawn is None:
            raise NoTakeBack("no outcome has been typed in yet")
        text = self.log[drawn].text
        self._cut(drawn)
        return text

    # --- moves ------------------------------------------------------------------------------------------------

    def play(self, move: str, seat: int | None = None) -> None:
        """Play a move by its text, for the only seat that waits or for a given one."""
        seat = self.position._acting_seat(seat)
        self.act(seat, self.position.parse_move(seat, move))

    def act(self, seat: int, action: int) -> None:
        """Play a move by its number."""
        refusal = self.position.refusal(seat, action)
        if refusal is not None:
            raise refusal
        text, turn, step = self.position.format_move(seat, action), self.position.turn, self.position.step
        self.position.apply(seat, action)
        self._log(Entry("move", seat, text, action, turn), self.position.step != step)

    def take_back(self, seat: int | None = None, move: str | None = None) -> str:
        """Take a seat's last move back, or the one of that text. Return its text.

        Refused once an outcome has been revealed since, or if what was played later would no longer be possible in any order.
        """
        border = self._borders[-1]
        since = self.log[border:]
        if seat is None:
            seat = since[-1].seat if since else 0
        number = _last_of(since, seat, move)
        if number is None:
            what = "nothing" if move is None else f"no {move!r}"
            hint = "; what was played before the last outcome or step is final" if self.log else ""
            raise NoTakeBack(f"seat {seat} has played {what} that can be taken back{hint}")
        kept = self._without(number)
        if kept is None:
            raise NoTakeBack(f"{since[number].text!r} cannot be taken back: what was played later depends on it")
        self._cut(border)
        for entry in kept:
            _repeat(self.position, entry)
            self._log(entry, False)
        return since[number].text

    def can_take_back(self, seat: int) -> bool:
        """Return whether a seat may take its last move back."""
        number = _last_of(self.log[self._borders[-1] :], seat)
        return number is not None and self._without(number) is not None

    def _without(self, number: int) -> list[Entry] | None:
        """Return what was played since the last border but for one entry, in an order in which it can be played.

        None if there is none. Moves that are not legal yet wait for those that are.
        """
        border = self._borders[-1]
        rest = self.log[border:]
        del rest[number]
        if number == len(rest):  # nothing was played after it
            return rest
        position = self.at(border + number)
        played, waiting = rest[:number], rest[number:]
        while waiting:
            ready = ((entry, action) for entry in waiting if (action := _action_now(position, entry)) is not None)
            entry, action = next(ready, (None, 0))
            if entry is None:
                return None
            position.apply(cast("int", entry.seat), action)
            waiting.remove(entry)
            played.append(entry._replace(value=action))
        return played

    # --- history ----------------------------------------------------------------------------------------------

    def at(self, entries: int) -> Position:
        """Return the position after the first so many entries of the log."""
        self._need_entries(entries)
        if entries == len(self.log):
            return self.position.copy()
        done, position = self._history.last(entries)
        for entry in self.log[done:entries]:
            _repeat(position, entry)
        return position

    def branch(self, entries: int) -> Match:
        """Return a match of its own that goes on from where this one was after so many entries."""
        self._need_entries(entries)
        other = Match(self.variant, self.seed, self.players, self.at(entries))
        other.tags, other.log, other._history = dict(self.tags), self.log[:entries], self._history.cut(entries)
        other._borders = self._borders[: bisect_right(self._borders, entries)]
        return other

    def copy(self) -> Match:
        """Return a match of its own that goes on from here."""
        return self.branch(len(self.log))

    def replay(self) -> Iterator[tuple[Entry, Position]]:
        """Yield every entry of the log with the position after it. The position is one that moves on."""
        position = self.at(0)
        for entry in self.log:
            _repeat(position, entry)
            yield entry, position

    def _need_entries(self, entries: int) -> None:
        if not 0 <= entries <= len(self.log):
            raise LamplighterError(f"there is no moment after {entries} entries: the log has {len(self.log)}")

    def _log(self, entry: Entry, is_border: bool) -> None:
        """Note an entry that has just been applied."""
        if len(self.log) >= STEP_LIMIT:
            raise never_ends(self.variant.text, STEP_LIMIT)
        self.log.append(entry)
        self._history.add(len(self.log), self.position)
        if is_border:
            self._borders.append(len(self.log))

    def _cut(self, entries: int) -> None:
        """Go back to where the match was after so many entries."""
        self.position, self._history = self.at(entries), self._history.cut(entries)
        del self.log[entries:], self._borders[bisect_right(self._borders, entries) :]

    # --- what bots say ----------------------------------------------------------------------------------------
    # Bots are a layer above: they are asked by name, as games are.

    def hint(self, seat: int | None = None, **wanted: Any) -> list[Any]:
        """Return the best moves that a bot finds for a seat, with what each is worth and why (`bots.hint.hint`)."""
        found: list[Any] = importlib.import_module("lamplighter.bots.hint").hint(self, seat, **wanted)
        return found

    def review(self, seats: Iterable[int] | None = None, **wanted: Any) -> Any:
        """Look through what was played: what each move gave away, and how much was luck (`bots.review.review`)."""
        return importlib.import_module("lamplighter.bots.review").review(self, seats, **wanted)

    # --- whole matches ----------------------------------------------------------------------------------------

    def comment(self, text: str) -> None:
        """Add a remark to the last entry of the log."""
        if not self.log:
            raise LamplighterError("there is no move to comment on yet")
        self.log[-1] = self.log[-1]._replace(comment=text)

    def save(self, path: str | Path) -> None:
        """Write the match to a file: JSON lines if its name ends so, else the text record."""
        from lamplighter.engine import record

        record.write(self, path)

    @property
    def text(self) -> str:
        """The match as a text record."""
        from lamplighter.engine import record

        return record.format_record(self)

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str | None:
        return self.position._repr_svg_()

    def __repr__(self) -> str:
        return f"<match of {self.variant.text}, turn {self.position.turn}, {len(self.log)} entries>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        return self.copy()
