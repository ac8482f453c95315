"""A table while a process serves it: who holds its seats and who is here, what waits, and how far it is written.

What the log tells is the session's `table`. Everything else here is gone when the session leaves memory, or is read again.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence

from lamplighter import bots
from lamplighter.bots import Budget
from lamplighter.bots.seat import SeatedBot
from lamplighter.engine.match import Match
from lamplighter.errors import BadNotation
from lamplighter.web.errors import NotNow
from lamplighter.web.feed import Feed
from lamplighter.web.settings import Settings
from lamplighter.web.store import Entry, Holder, TableRow
from lamplighter.web.table import Curve, Table, apply_all

BOT_MOVES = 400  # moves that bots make in one go, at most
BOT_SECONDS = 0.1  # for which they think about further moves before those that they have made are shown
WATCHED = 30.0  # seconds for which a table counts as watched after somebody has asked for it
LOG_LIMIT = 5_000  # entries after which a log takes only what brings the match on: who looks at it reads all of it
GOES_BACK = ("undo", "unroll", "person", "name", "nudge", "hint")  # what could be entered again and again


class Session:
    """A live table."""

    def __init__(self, table: Table, holders: Sequence[Holder], settings: Settings, feed: Feed) -> None:
        self.table, self._settings, self._feed = table, settings, feed
        self.tokens: dict[int, str] = {}  # of the seats that somebody holds, hashed
        self.seen: dict[int, float] = {}  # when their people last gave a sign of life
        self.seat_holders(holders)
        self.lock = asyncio.Lock()
        self.saved = 0  # the log up to here is on the disk
        self.settled = False  # the result is in the store
        self.is_ours = False  # this process wrote the last entry
        self.read = 0.0  # when the store was last asked about it
        self.used = time.monotonic()
        self.patient: set[int] = set()  # seats that may still want to take back what they did
        self.hold_until: float | None = None  # the roll and the bots wait until then
        self.release_at: float | None = None  # the end of a hold that a task waits for
        self.driving = False  # a task lets chance and bots go on
        self.curve: Curve | None = None  # of a finished match that somebody races

    @property
    def id(self) -> str:
        return self.table.id

    @property
    def row(self) -> TableRow:
        return self.table.row

    # --- the log ----------------------------------------------------------------------------------------------

    def add(self, kind: str, seat: int | None, text: str, key: str | None = None) -> None:
        """Add an entry to the log. An illegal one is refused, and nothing has changed."""
        replaced = kind == "bot" and self.table.seats[seat or 0].kind == "bot"
        if self.table.seq >= LOG_LIMIT and (kind in GOES_BACK or replaced):
            raise NotNow(
                f"the log of this table has {LOG_LIMIT:,} entries: play on, nothing can be taken back or changed any more"
            )
        entry = Entry(self.table.seq + 1, kind, seat, text, time.time(), key)
        self.table.apply(entry)
        self._end_hold_after(entry)

    def catch_up(self, entries: Sequence[Entry]) -> None:
        """Apply entries that are in the store."""
        apply_all(self.table, entries)
        for entry in entries:
            self._end_hold_after(entry)
        self.saved, self.settled = self.table.seq, self.settled or self.table.match.is_over
        last = next((entry for entry in reversed(entries) if entry.kind != "hint"), None)  # which changes nothing
        if last is not None and last.key is not None and last.kind == "move" and self.table.is_due:
            # what follows waits for a take-back: else it would have been written with the move
            self.patient.add(last.seat or 0)
            self.hold(last.at + self.patience)

    def unsaved(self) -> list[Entry]:
        return self.table.log[self.saved :]

    def was_quiet(self, kind: str, seat: int, seconds: float) -> bool:
        """Whether there was no such entry of a seat for so long."""
        now = time.time()
        latest = [entry.at for entry in self.table.log[-20:] if entry.kind == kind and entry.seat == seat]
        return all(now - at >= seconds for at in latest)

    # --- chance, and the wait for a take-back -----------------------------------------------------------------

    def advance(self) -> None:
        """Reveal the outcomes that are due. They and the bots wait while somebody may still take something back."""
        table = self.table
        if self.hold_until is None and table.is_due and any(map(table.can_take_back, self.patient)):
            self.hold(time.time() + self.patience)
        if self.hold_until is None and table.roll_due:
            self.roll()

    def roll(self) -> None:
        """Reveal outcomes until somebody has to act, or to type one in."""
        while self.table.chance_due:
            text = self.table.next_outcome()
            if text is None:
                return
            self.add("chance", self.table.match.position.chance_seat, text)

    @property
    def patience(self) -> float:
        """Seconds that what follows a move waits for a take-back, as the table chose; without end on one device.

        Where people play on several devices, nobody can keep the others waiting longer than for a move.
        """
        if self.row.hold != "done":
            return self._settings.hold_long if self.row.hold == "long" else self._settings.hold
        return self._settings.idle if len(set(self.tokens.values())) > 1 else math.inf

    def hold(self, until: float) -> None:
        """Let the roll and the bots wait."""
        if until > time.time():
            self.hold_until = until

    def release(self) -> None:
        """End the hold: nobody wants to take back anything any more, or somebody did."""
        self.patient.clear()
        self.hold_until = None

    def be_patient(self, seat: int, wanted: bool) -> None:
        """Let what follows wait a while for a seat that may want to take its last move back; or not for this one."""
        if wanted:
            self.patient.add(seat)
        else:
            self.patient.discard(seat)
        if wanted or not self.patient:
            self.hold_until = None  # the wait begins again, if there is one

    def _end_hold_after(self, entry: Entry) -> None:
        if entry.kind in ("chance", "unroll", "undo") or (entry.kind == "move" and entry.key is None):
            self.release()  # it goes on; a move without a key is a bot's
        elif entry.kind == "bot":  # it takes nothing back
            self.be_patient(entry.seat or 0, False)

    # --- bots -------------------------------------------------------------------------------------------------

    @property
    def client(self) -> str:
        """Whose part of the processor its bots use."""
        return (self.row.client if self.row.kind == "class" else self.row.maker) or self.row.id

    @property
    def has_people(self) -> bool:
        """Return whether a person plays here, on the screen or on paper."""
        return self.row.kind != "table" or any(seat.kind == "person" for seat in self.table.seats)

    @property
    def is_attended(self) -> bool:
        """Return whether a person plays here, or somebody watches. Else its bots rest."""
        watched = self._feed.has_listeners(self.id) or time.monotonic() - self.used < WATCHED
        return watched or self.has_people

    @property
    def stand_in(self) -> str:
        """The bot that plays for a person who is away: as strong as the strongest opponent that the table chose."""
        chosen = {seat.bot for number, seat in enumerate(self.table.seats) if seat.bot and number not in self.tokens}
        return max(chosen, key=lambda name: bots.load(name).level, default=bots.OPPONENT)

    def bots_to_move(self) -> dict[int, str]:
        """Return the bots that have to act, by seat; none during a hold."""
        if self.hold_until is not None:
            return {}
        return {seat: self.table.seats[seat].bot or self.stand_in for seat in self.table.waiting_bots}

    def play_bots(self, moves: list[tuple[int, str]]) -> None:
        """Play the bots' moves, as far as they still fit: people may have moved or come back meanwhile."""
        table = self.table
        for seat, text in moves:
            if table.seats[seat].kind != "bot" or seat not in table.waiting or not _fits(table, seat, text):
                return
            self.add("move", seat, text)

    # --- who holds a seat, and who is here --------------------------------------------------------------------

    def seat_holders(self, holders: Sequence[Holder]) -> None:
        """Note who holds seats, as the store tells it."""
        for holder in holders:
            self.tokens[holder.seat] = holder.token
            self.seen[holder.seat] = max(holder.seen, self.seen.get(holder.seat, 0.0))

    def is_here(self, seat: int) -> bool:
        """Whether the person of a seat gave a sign of life lately."""
        seen = self.seen.get(seat, 0.0)
        return seat in self._feed.here(self.id) or time.time() - seen < self._settings.away

    def may_replace(self, seat: int, mine: Sequence[int], host: bool) -> bool:
        """Whether somebody may let a bot have a seat: their own; a person's who has left; the host one that is nobody's."""
        if self.row.kind == "class":  # where the teacher decides
            return False
        if seat in mine or self.row.kind == "daily":  # whose opponents are the same for everybody
            return seat in mine
        if seat in self.tokens:
            return bool(mine) and self.table.seats[seat].kind == "person" and not self.is_here(seat)
        return host or (bool(mine) and self.table.seats[seat].kind == "open")

    def is_idle(self, seat: int) -> bool:
        """Whether a person has had to act for long, and has done nothing."""
        one = self.table.seats[seat]
        waits = one.kind == "person" and one.since is not None
        return waits and time.time() - max(one.since or 0.0, one.acted) >= self._settings.idle

    def voters(self, seat: int) -> dict[int, str]:
        """Return the seats of the other people who play, and who holds them; nobody votes in a class."""
        if self.row.kind == "class":
            return {}
        own = self.tokens.get(seat)
        people = {one: holder for one, holder in self.tokens.items() if self.table.seats[one].kind == "person"}
        return {one: holder for one, holder in people.items() if one != seat and holder != own}

    def is_voted_out(self, seat: int) -> bool:
        """Whether all others who are here, and at least one, want a bot to play. Several seats of one device are one vote."""
        others = self.voters(seat)
        wanted = {others[voter] for voter in self.table.seats[seat].votes if voter in others}
        return bool(wanted) and all(holder in wanted for one, holder in others.items() if self.is_here(one))

    def may_vote(self, seat: int, mine: Sequence[int]) -> bool:
        """Whether a vote of these seats would change something."""
        others = [one for one in mine if one in self.voters(seat)]
        if not others or not self.is_idle(seat):
            return False
        return self.table.seats[seat].votes.isdisjoint(others) or self.is_voted_out(seat)


def think(match: Match, seated: dict[int, str], budget: Budget) -> list[tuple[int, str]]:
    """Return what the bots at these seats play next: a move, and what follows soon until somebody else has to act.

    `match` is theirs to play on.
    """
    played: list[tuple[int, str]] = []
    players = {seat: SeatedBot(bots.load(name), match, seat) for seat, name in seated.items()}
    while not played or (len(played) < BOT_MOVES and budget.thought < BOT_SECONDS):
        seat = next((seat for seat in match.waiting if seat in players), None)
        if seat is None:
            break
        match.play(players[seat].choose(match, budget).move, seat)
        played.append((seat, match.log[-1].text))
    return played


def _fits(table: Table, seat: int, text: str) -> bool:
    try:
        return table.match.why(text, seat) is None
    except BadNotation:
        return False
