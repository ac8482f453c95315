"""`Match`: one play of a game. The log is the truth; the position is a cache of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.engine import chance
from lamplighter.engine.position import Position
from lamplighter.errors import BadChance, BadNotation, IllegalMove, LamplighterError, NoTakeBack

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant


@dataclass(frozen=True)
class Entry:
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
    position: Position
    log: tuple[Entry, ...]
    legal_moves: tuple[str, ...]


HIDDEN = "?"  # the text of an outcome that a viewer may not see


def _veiled(entry: Entry) -> Entry:
    """Another seat's entry as a viewer may see it: not which card was dealt, nor from where in the hand it came."""
    return replace(entry, text=HIDDEN if entry.kind == "chance" else entry.text, value=-1)


def _stands(position: Position, entry: Entry) -> bool:
    """Whether a move can be played now. Its text counts: its number may mean another card of the hand here."""
    try:
        return position.why(entry.text, entry.seat) is None
    except BadNotation:
        return False


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
        self, variant: Variant, seed: str | int | None = "", players: tuple[str, ...] | list[str] = ()
    ) -> None:
        if len(players) > variant.seats:
            raise LamplighterError(f"{len(players)} players for {variant.seats} seats")
        self.variant = variant
        self.seed: str | None = None if seed is None else (str(seed) or chance.new_seed())
        names = list(players) + [f"Player {seat + 1}" for seat in range(len(players), variant.seats)]
        self.players: list[str] = names
        self.tags: dict[str, str] = {}
        self.log: list[Entry] = []
        self.position = variant.start()
        self._mark = self.position.copy()  # the position after the last outcome, and how long the log was then
        self._mark_length = 0

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
        hides_draws = getattr(self.variant.game.rules, "hides_draws", None)
        return hides_draws is not None and bool(hides_draws(self.variant.box))

    def view(self, seat: int | None) -> View:
        """What this seat (None: a spectator) may know."""
        position = self.position.seen_by(seat)
        hidden = self.is_secret
        log = tuple(_veiled(entry) if hidden and entry.seat not in (None, seat) else entry for entry in self.log)
        moves = tuple(self.position.legal_moves(seat)) if seat is not None and seat in self.waiting else ()
        return View(seat, position, log, moves)

    # --- chance -----------------------------------------------------------------------------------------------

    def roll(self, *typed: str) -> list[str]:
        """Reveal everything that chance owes until somebody must act; the texts of the outcomes.

        A seeded match rolls by itself. For a match with typed dice give them here, all in one text or one by one;
        fewer than are due is fine.
        """
        texts: list[str] = []
        if self.seed is None:
            for text in self._split(" ".join(typed)):
                texts.append(self.reveal(text))
            return texts
        if typed:
            raise BadChance("this match rolls its own dice: start it with seed=None to type them in")
        while not self.waiting and not self.is_over:
            texts.append(self.deal(self._seeded_outcome()))
        return texts

    def reveal(self, text: str) -> str:
        """Let the next single outcome be this one, for a match with typed dice."""
        if self.seed is not None:
            raise BadChance("this match rolls its own dice: start it with seed=None to type them in")
        return self.deal(self.position.parse_outcome(text))

    def next_outcome(self) -> str:
        """The text of the outcome that the seed gives now."""
        return self.position.format_outcome(self._seeded_outcome())

    def happen(self, text: str) -> str:
        """Let the next outcome be the one that a log says. In a seeded match it must be what the seed gives."""
        outcome = self.position.parse_outcome(text)
        if self.seed is not None and outcome != self._seeded_outcome():
            raise BadChance(f"seed {self.seed!r} gives {self.next_outcome()!r} here")
        return self.deal(outcome)

    def _split(self, text: str) -> list[str]:
        """Cut typed outcomes at commas, or at spaces where no outcome has a space in it."""
        if "," in text:
            return [part.strip() for part in text.split(",") if part.strip()]
        spaced = any(" " in known for known in self.position.outcomes())
        return ([text.strip()] if text.strip() else []) if spaced else text.split()

    def _seeded_outcome(self) -> int:
        assert self.seed is not None
        outcomes, weights = self.position.chances()
        key = chance.signed(chance.seed_key(self.seed))
        draw = int(self.position.state["draws"])
        index = chance.pick(np.array(weights, np.int64), len(weights), key, draw, np.zeros(4, np.int64))
        return outcomes[index]

    def deal(self, outcome: int) -> str:
        """Let the next outcome be this number, wherever it comes from; its text."""
        text, seat = self.position.format_outcome(outcome), self.position.chance_seat
        self.position.happen(outcome)
        self.log.append(Entry("chance", seat, text, outcome, self.position.turn))
        self._set_mark()
        return text

    def _set_mark(self) -> None:
        self._mark, self._mark_length = self.position.copy(), len(self.log)

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
        self.position._rules.apply(self.variant.box, self.position.state, seat, action)
        self.log.append(Entry("move", seat, text, action, turn))
        if self.position.step != step:
            self._set_mark()

    def take_back(self, seat: int | None = None, move: str | None = None) -> str:
        """Take a seat's last move back, or the one of that text; its text.

        Refused once an outcome has been revealed since, or what others or the seat itself played later would no longer
        be possible in any order.
        """
        since = self.log[self._mark_length :]
        if seat is None:
            seat = since[-1].seat if since else 0
        mine = [i for i, entry in enumerate(since) if entry.seat == seat and move in (None, entry.text)]
        if not mine:
            what = "nothing" if move is None else f"no {move!r}"
            hint = "; what was played before the last outcome or step stays" if self.log else ""
            raise NoTakeBack(f"seat {seat} has played {what} that can be taken back{hint}")
        kept = self._without(since, mine[-1])
        if kept is None:
            raise NoTakeBack(f"{since[mine[-1]].text!r} cannot be taken back: what was played later depends on it")
        self.position, entries = kept
        self.log[self._mark_length :] = entries
        return since[mine[-1]].text

    def _without(self, since: list[Entry], left_out: int) -> tuple[Position, list[Entry]] | None:
        """The position and the latest moves without one of them; None if the others do not stand without it.

        They stand if they are legal in some order: those that are not yet wait for those that are.
        """
        position = self._mark.copy()
        rest = [entry for i, entry in enumerate(since) if i != left_out]
        played: list[Entry] = []
        while rest:
            ready = next((entry for entry in rest if _stands(position, entry)), None)
            if ready is None:
                return None
            action = position.play(ready.text, ready.seat)
            rest.remove(ready)
            played.append(replace(ready, value=action))
        return position, played

    # --- whole matches ----------------------------------------------------------------------------------------

    def replay(self) -> Iterator[tuple[Entry, Position]]:
        """Every entry of the log with the position after it, from the start. The position is one that moves on."""
        position = self.variant.start()
        for entry in self.log:
            if entry.kind == "chance":
                position.happen(entry.value)
            else:
                assert entry.seat is not None
                position.act(entry.seat, entry.value)
            yield entry, position

    def copy(self) -> Match:
        """A match of its own, that goes on from here."""
        other = Match(self.variant, self.seed, self.players)
        other.tags, other.log = dict(self.tags), list(self.log)
        other.position, other._mark, other._mark_length = self.position.copy(), self._mark.copy(), self._mark_length
        return other

    def comment(self, text: str) -> None:
        """Write a remark behind the last entry of the log."""
        if not self.log:
            raise LamplighterError("there is no move to comment on yet")
        self.log[-1] = replace(self.log[-1], comment=text)

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
