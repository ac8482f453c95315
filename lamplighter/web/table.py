"""One table in memory: what its log comes to. Whoever folds the same log gets the same table."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import itertools
import secrets
import time
from dataclasses import dataclass

from lamplighter import bots
from lamplighter.bots.seat import SeatedBot
from lamplighter.engine import shelf
from lamplighter.engine.match import Match
from lamplighter.engine.variant import Variant, parse_variant, split_variant
from lamplighter.errors import BadNotation, BadVariant, LamplighterError, NoTakeBack
from lamplighter.web.store import Holder, ResultRow, Row, TableRow

NAME_LENGTH = 40
TABLE_ID = r"^[A-Za-z0-9_-]{1,24}$"
JOINER = "\u200d"
THOUGHTS = 400  # moves that bots make in one go, at most


@functools.lru_cache(maxsize=512)
def load_variant(text: str) -> Variant:
    """A variant that tables share. A component file is never read from the server's disk for somebody else."""
    name, pairs = split_variant(text)
    if "box" in pairs:
        raise BadVariant("option 'box' cannot be used here: a table is played with the game's own box")
    return parse_variant(shelf.load(name), pairs)


def hash_token(token: str) -> str:
    """How a secret stands in the store."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(24)


@dataclass(slots=True)
class Seat:
    """A place at the table."""

    kind: str = "open"  # open, person, bot
    name: str = ""
    bot: str | None = None
    version: int = 0  # the entry that last changed what this seat has before it
    since: float | None = None  # when it began to wait


class Table:
    """Seats, a match, and the log they come from."""

    def __init__(self, row: TableRow, holders: list[Holder]) -> None:
        variant = load_variant(row.variant)
        if variant.game.rules_version != row.rules:
            raise LamplighterError(
                f"this match was begun by version {row.rules} of the rules, and the server has "
                f"{variant.game.rules_version}: it can't go on"
            )
        self.row = row
        self.match: Match = variant.match(seed=row.seed)
        self.seats = [Seat() for _ in range(variant.seats)]
        self.rows: list[Row] = []
        self.phase = "lobby"  # play, over
        self.waiting: tuple[int, ...] = ()  # the seats that have to act
        self.keys: set[str] = set()
        self.tokens: dict[int, str] = {holder.seat: holder.token for holder in holders}
        self.seen: dict[int, float] = {holder.seat: holder.seen for holder in holders}
        self.rematch: str | None = None
        self.script: list[str] = []  # outcomes that somebody called before, for a table where sheets are entered
        self.saved = 0  # the log up to here is on the disk
        self.settled = False  # the result is in the store
        self.lock = asyncio.Lock()
        self.patient: set[int] = set()  # seats that may still want to take back what they did
        self.hold_until: float | None = None
        self.driving = False
        self.used = time.monotonic()
        self._scores: dict[int, dict[str, int]] = {}
        self._curves: dict[int, dict[int, tuple[int, int]]] = {}

    # --- what is so -------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def variant(self) -> Variant:
        return self.match.variant

    @property
    def seq(self) -> int:
        return len(self.rows)

    @property
    def is_typed(self) -> bool:
        return self.match.seed is None

    @property
    def is_secret(self) -> bool:
        """Whether a seat's draws are hidden from the others."""
        return self.match.is_secret

    @property
    def chance_due(self) -> bool:
        return self.phase == "play" and not self.waiting

    @property
    def roll_due(self) -> bool:
        """Whether an outcome is due that comes by itself: nobody calls for it or types it in."""
        return self.chance_due and self.row.kind != "caller" and self.next_outcome() is not None

    @property
    def is_due(self) -> bool:
        """Whether something comes by itself: an outcome, or what a bot does."""
        return bool(self.waiting_bots) or self.roll_due

    @property
    def waiting_bots(self) -> list[int]:
        return [seat for seat in self.waiting if self.seats[seat].kind == "bot"]

    def curve(self, seat: int) -> dict[int, tuple[int, int]]:
        """After every turn of a finished match: how many entries there were, and what a seat had."""
        if seat not in self._curves:
            steps = enumerate(self.match.replay(), 1)
            self._curves[seat] = {entry.turn: (seq, position.total(seat)) for seq, (entry, position) in steps}
        return self._curves[seat]

    def own_name(self, name: str, seat: int | None = None) -> str:
        """A name that nobody else at the table has."""
        taken = {one.name for number, one in enumerate(self.seats) if number != seat}
        numbered = (f"{name} {number}" for number in itertools.count(2))
        return name if name not in taken else next(other for other in numbered if other not in taken)

    def is_calm(self, kind: str, seat: int, seconds: float) -> bool:
        """Whether there was no such entry of a seat for so long."""
        return all(time.time() - row.at >= seconds for row in self.rows[-20:] if row.kind == kind and row.seat == seat)

    def score(self, seat: int) -> dict[str, int]:
        """The score lines of a seat, counted once for all who look."""
        if seat not in self._scores:
            self._scores[seat] = self.match.score(seat)
        return self._scores[seat]

    def can_take_back(self, seat: int) -> bool:
        if self.phase != "play":
            return False
        since = itertools.takewhile(lambda entry: entry.kind == "move", reversed(self.match.log))
        if not any(entry.seat == seat for entry in since):
            return False
        try:
            self.match.copy().take_back(seat)
        except NoTakeBack:
            return False
        return True

    def next_outcome(self) -> str | None:
        """The text of the outcome that comes now; None if somebody has to type it in."""
        if self.match.seed is not None:
            return self.match.next_outcome()
        drawn = sum(entry.kind == "chance" for entry in self.match.log)
        return self.script[drawn] if drawn < len(self.script) else None

    @property
    def can_unroll(self) -> bool:
        """Whether the last outcome that was typed in can be taken back: only bots have acted on it."""
        if not self.is_typed or self.phase != "play":
            return False
        drawn = [i for i, entry in enumerate(self.match.log) if entry.kind == "chance"]
        if len(drawn) <= len(self.script):
            return False
        return all(self.seats[entry.seat or 0].kind == "bot" for entry in self.match.log[drawn[-1] + 1 :])

    # --- the log ----------------------------------------------------------------------------------------------

    def add(self, kind: str, seat: int | None, text: str, key: str | None = None) -> Row:
        """A new entry at the end of the log. An illegal one is refused, and nothing has changed."""
        row = Row(self.seq + 1, kind, seat, text, time.time(), key)
        self.fold(row)
        return row

    def fold(self, row: Row) -> None:
        """Let an entry of the log happen."""
        self._scores.clear()
        _FOLDS[row.kind](self, row)
        self.rows.append(row)
        if row.key is not None:
            self.keys.add(row.key)
        self._look()
        for number, seat in enumerate(self.seats):
            if (row.kind in ("chance", "unroll") and row.seat in (None, number)) or (
                row.kind in ("move", "undo") and row.seat == number
            ):
                seat.version = row.seq
            seat.since = (seat.since or row.at) if number in self.waiting else None

    def _look(self) -> None:
        """See where the match stands, once for all who ask."""
        lobby = any(seat.kind == "open" for seat in self.seats)
        self.phase = "over" if self.match.is_over else "lobby" if lobby else "play"
        self.waiting = self.match.waiting if self.phase == "play" else ()

    def _sit(self, row: Row) -> None:
        seat = self.seats[row.seat or 0]
        seat.kind, seat.name = "person", row.text
        self.match.players[row.seat or 0] = row.text

    def _give_to_bot(self, row: Row) -> None:
        number = row.seat or 0
        seat = self.seats[number]
        if seat.kind == "open":
            seat.name = self.match.players[number] = f"{row.text} {number + 1}"
        seat.kind, seat.bot = "bot", row.text

    def _give_back(self, row: Row) -> None:
        seat = self.seats[row.seat or 0]
        seat.kind, seat.bot = "person", None

    def _rename(self, row: Row) -> None:
        self.seats[row.seat or 0].name = self.match.players[row.seat or 0] = row.text

    def release(self) -> None:
        """Nobody wants to take back anything any more, or somebody did."""
        self.patient.clear()
        self.hold_until = None

    def be_patient(self, seat: int, wanted: bool) -> None:
        """What follows waits a while for a seat that may want to take its last move back; or not for this one."""
        if wanted:
            self.patient.add(seat)
        else:
            self.patient.discard(seat)
        if wanted or not self.patient:
            self.hold_until = None  # the wait begins anew, if there is one

    def _reveal(self, row: Row) -> None:
        self.match.happen(row.text)
        self.release()

    def _unroll(self, row: Row) -> None:
        """The match again, up to the last outcome."""
        drawn = [i for i, entry in enumerate(self.match.log) if entry.kind == "chance"]
        log = self.match.log[: drawn[-1]]
        match = self.variant.match(seed=None)
        match.players = self.match.players
        for entry in log:
            if entry.kind == "chance":
                match.happen(entry.text)
            else:
                match.play(entry.text, entry.seat)
        self.match = match
        self.release()

    def _play(self, row: Row) -> None:
        self.match.play(row.text, row.seat)

    def _take_back(self, row: Row) -> None:
        self.match.take_back(row.seat, row.text)
        self.release()

    def _note_rematch(self, row: Row) -> None:
        self.rematch = row.text

    def _nothing(self, row: Row) -> None:
        """A word between people."""


_FOLDS = {
    "join": Table._sit,
    "bot": Table._give_to_bot,
    "person": Table._give_back,
    "name": Table._rename,
    "chance": Table._reveal,
    "unroll": Table._unroll,
    "move": Table._play,
    "undo": Table._take_back,
    "rematch": Table._note_rematch,
    "nudge": Table._nothing,
}


def think(match: Match, seated: dict[int, str]) -> list[tuple[int, str]]:
    """What the bots at these seats play until somebody else has to act. `match` is theirs to play on."""
    played: list[tuple[int, str]] = []
    players = {seat: SeatedBot(bots.load(name), match, seat) for seat, name in seated.items()}
    while len(played) < THOUGHTS:
        seat = next((seat for seat in match.waiting if seat in players), None)
        if seat is None:
            break
        match.act(seat, players[seat].choose(match))
        played.append((seat, match.log[-1].text))
    return played


def results(table: Table) -> list[ResultRow]:
    """How a finished match came out, for the boards."""
    winners, totals = table.match.winners(), table.match.totals
    taken_over = {row.seat for row in table.rows if row.kind == "bot"}
    return [
        ResultRow(
            number, seat.name, seat.kind == "person" and number not in taken_over, totals[number], number in winners
        )
        for number, seat in enumerate(table.seats)
    ]


def play_all(table: Table, moves: list[tuple[int, str]]) -> None:
    """The bots' moves, as far as they still fit: people may have moved or come back meanwhile."""
    for seat, text in moves:
        if table.seats[seat].kind != "bot" or seat not in table.waiting or not _fits(table, seat, text):
            return
        table.add("move", seat, text)


def _fits(table: Table, seat: int, text: str) -> bool:
    try:
        return table.match.why(text, seat) is None
    except BadNotation:
        return False


def clean_name(name: str) -> str:
    """A name without control characters, not too long. Joiners stay: they make one picture of several."""
    kept = (letter for letter in name if letter.isprintable() or letter == JOINER)
    return " ".join("".join(kept).split())[:NAME_LENGTH].strip(JOINER)
