"""A table as its log tells it. Whoever folds the same log gets the same table; nothing here knows the time or the store.

What is not in the log (who is connected, what waits, what is written) belongs to `session`.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from lamplighter import games
from lamplighter.engine import plain
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.match import Match
from lamplighter.engine.variant import State, Variant, parse_variant, split_variant
from lamplighter.errors import BadVariant, LamplighterError, UnknownGame
from lamplighter.web import names
from lamplighter.web.errors import Damaged, OlderRules
from lamplighter.web.store import Entry, ResultRow, TableRow

TABLE_ID = r"^[A-Za-z0-9_-]{1,24}$"
STRIDE = 16  # steps between two positions that are kept of a finished match
UNROLLS = 100  # how often typed outcomes can be taken back at one table
log = logging.getLogger("lamplighter.web")


@dataclass(frozen=True)
class Effect:
    """What a move did to the sheet of another seat: sentences, and the names of marks on the drawn sheet."""

    words: list[str]
    marks: list[str]


@functools.lru_cache(maxsize=512)
def load_variant(text: str, box: str | None = None) -> Variant:
    """Return a variant that tables share; `box` is the text of the component file that it names.

    A component file is never read from the server's disk for somebody else.
    """
    name, pairs = split_variant(text)
    if pairs.get("box") and box is None:
        raise BadVariant("option 'box' cannot be used here: a table is played with the game's own box")
    file = None if box is None else ComponentFile(box, pairs.get("box", "box"))
    return parse_variant(games.load(name), pairs, file)


def rules_now(game: str) -> int | None:
    """Return the version of a game's rules on this server; None where the game is no longer installed."""
    try:
        return games.load(game).rules_version
    except UnknownGame:
        return None


Curve = dict[int, tuple[int, list[int]]]


def points_by_turn(match: Match) -> Curve:
    """Return after every turn how many entries there were, and what every seat had."""
    ends = {entry.turn: number for number, entry in enumerate(match.log, 1)}
    return {turn: (number, match.at(number).totals) for turn, number in ends.items()}


@dataclass(slots=True)
class Seat:
    """A place at the table."""

    kind: str = "open"  # open, person, bot
    name: str = ""
    bot: str | None = None
    hinted: bool = False  # its person has looked at hints
    is_owned: bool = False  # by a person, also while a bot plays for them
    version: int = 0  # the entry that last changed what this seat has before it
    since: float | None = None  # when it began to wait
    acted: float = 0.0  # when it last did something
    votes: set[int] = field(default_factory=set)  # the seats that want a bot to play for this one
    lost_votes: set[int] = field(default_factory=set)  # what its last move or bot cleared, in case that is taken back
    returned: float | None = None  # when the wait began in which its person last took it back from a bot


SEATING = ("join", "bot", "person", "name", "hint")  # entries that say who is at a seat, whatever the rules are


def apply_to_seats(seats: list[Seat], entry: Entry) -> None:
    """Let an entry of the log say who is at a seat."""
    number = entry.seat or 0
    seat = seats[number]
    if entry.kind == "bot":
        others = [one.name for one in seats if one is not seat]
        seat.name = seat.name if seat.is_owned else names.bot_name(entry.text, number, others)
        seat.kind, seat.bot = "bot", entry.text
    elif entry.kind == "person":
        seat.kind, seat.bot = "person", None
    elif entry.kind == "join":
        seat.kind, seat.name, seat.is_owned = "person", entry.text, True
    elif entry.kind == "hint":
        seat.hinted = True
    else:
        seat.name = entry.text


class Table:
    """Seats, a match, and the log that both come from.

    `script` has the outcomes that were called before, for a table where sheets are entered.
    """

    def __init__(self, row: TableRow, script: Sequence[str] = ()) -> None:
        if rules_now(row.game) != row.rules:
            raise OlderRules(row.id, row.rules, rules_now(row.game))
        variant = load_variant(row.variant, row.box)
        self.row = row
        self.script = list(script)
        self.match = Match(variant, row.seed)
        self.seats = [Seat() for _ in range(variant.seats)]
        self.log: list[Entry] = []
        self.phase = "lobby"  # play, over
        self.waiting: tuple[int, ...] = ()  # the seats that have to act
        self.keys: set[str] = set()  # of the requests that were carried out
        self.rolled = 0  # the entry that last brought or took an outcome
        self.rolled_at: float | None = None  # when that was
        self.unrolled = 0  # how often an outcome was taken back
        self.rematch: str | None = None
        self.round = 0  # the last turn that the teacher of a class has let begin
        self.is_told = False  # the match of the whole class has ended, so that its dice may be told
        self.effects: dict[int, dict[int, Effect]] = {}  # by entry, what it did to which seat
        self._scores: dict[int, dict[str, int]] = {}

    # --- questions --------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def variant(self) -> Variant:
        return self.match.variant

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return len(self.log)

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
        by_itself = self.row.kind != "caller" and self.paused is None
        return self.chance_due and by_itself and self.next_outcome() is not None

    @property
    def paused(self) -> str | None:
        """What an outcome of a class's table waits for: the next `round`; nothing any more after the `end`."""
        if self.row.kind != "class" or not self.chance_due:
            return None
        return "end" if self.is_told else "round" if self.match.position.turn > self.round else None

    @property
    def is_due(self) -> bool:
        """Whether something comes by itself: an outcome, or a bot's move."""
        return bool(self.waiting_bots) or self.roll_due

    @property
    def waiting_bots(self) -> list[int]:
        return [seat for seat in self.waiting if self.seats[seat].kind == "bot"]

    def own_name(self, name: str, seat: int | None = None) -> str:
        """Return a name that looks like nobody else's at the table, nor like a bot's without its level."""
        others = [one.name for number, one in enumerate(self.seats) if number != seat]
        return names.own_name(name, [*others, *map(names.bare_name, others)])

    def score(self, seat: int) -> dict[str, int]:
        """Return the score lines of a seat, counted once for all who look."""
        if seat not in self._scores:
            self._scores[seat] = self.match.score(seat)
        return self._scores[seat]

    def can_take_back(self, seat: int) -> bool:
        return self.phase == "play" and self.match.can_take_back(seat)

    def next_outcome(self) -> str | None:
        """Return the text of the outcome that comes now; None if somebody has to type it in."""
        if self.match.seed is not None:
            return self.match.next_outcome()
        drawn = sum(step.kind == "chance" for step in self.match.log)
        return self.script[drawn] if drawn < len(self.script) else None

    @property
    def can_unroll(self) -> bool:
        """Whether the last outcome that was typed in can be taken back: only bots have acted on it."""
        if not self.is_typed or self.phase != "play" or self.unrolled >= UNROLLS:
            return False
        drawn = [i for i, step in enumerate(self.match.log) if step.kind == "chance"]
        if len(drawn) <= len(self.script):
            return False
        return all(self.seats[step.seat or 0].kind == "bot" for step in self.match.log[drawn[-1] + 1 :])

    # --- the fold ---------------------------------------------------------------------------------------------

    def apply(self, entry: Entry) -> None:
        """Add an entry to the log and let it happen. An illegal one is refused, and nothing has changed."""
        self._scores.clear()
        _APPLY[entry.kind](self, entry)
        self.log.append(entry)
        if entry.key is not None:
            self.keys.add(entry.key)
        self._update_phase()
        if entry.kind in ("chance", "unroll"):
            self.rolled, self.rolled_at = entry.seq, entry.at
            self.unrolled += entry.kind == "unroll"
        for number, seat in enumerate(self.seats):
            self._update_seat(number, seat, entry)

    def _update_phase(self) -> None:
        lobby = any(seat.kind == "open" for seat in self.seats)
        self.phase = "over" if self.match.is_over else "lobby" if lobby else "play"
        self.waiting = self.match.waiting if self.phase == "play" else ()

    def _update_seat(self, number: int, seat: Seat, entry: Entry) -> None:
        """Set what an entry means for the version, the clock and the votes of a seat."""
        if (entry.kind in ("chance", "unroll") and entry.seat in (None, number)) or (
            entry.kind in ("move", "undo") and entry.seat == number
        ):
            seat.version = entry.seq
        seat.since = (seat.since or entry.at) if number in self.waiting else None
        mine = entry.seat == number
        returns = mine and entry.kind == "person"
        again = returns and seat.since is not None and seat.since == seat.returned
        seat.returned = seat.since if returns else seat.returned
        if (mine and entry.kind == "move") or (returns and not again):
            seat.acted = entry.at
        if entry.kind == "undo" and mine:  # as if it had not moved: moving and taking back is idling
            seat.since = seat.acted = self.rolled_at or entry.at
            seat.votes |= seat.lost_votes
        elif again:  # and so is calling a bot and sending it away
            seat.votes |= seat.lost_votes
        elif (mine and entry.kind in ("move", "bot", "person")) or seat.since is None:
            seat.lost_votes = set(seat.votes) if entry.kind in ("move", "bot") else set()
            seat.votes.clear()

    def _seat(self, entry: Entry) -> None:
        number = entry.seat or 0
        apply_to_seats(self.seats, entry)
        self.match.players[number] = self.seats[number].name

    def _reveal(self, entry: Entry) -> None:
        self.match.confirm_outcome(entry.text)

    def _unroll(self, entry: Entry) -> None:
        self.match.take_back_outcome()
        self.effects = {seq: found for seq, found in self.effects.items() if seq < self.rolled}

    def _play(self, entry: Entry) -> None:
        texts = self.variant.game.texts
        before = None if texts.effects is plain.effects else self.match.position.copy().state
        self.match.play(entry.text, entry.seat)
        if before is not None:
            self._note_effects(entry, before)

    def _note_effects(self, entry: Entry, before: State) -> None:
        """Keep what a move did to the sheets of the other seats."""
        texts, after = self.variant.game.texts, self.match.position.state
        found = {}
        for seat in range(len(self.seats)):
            words = [] if seat == entry.seat else texts.effects(self.variant, before, after, seat)
            if words:
                found[seat] = Effect(words, texts.marks(self.variant, before, after, seat))
        if found:
            self.effects[entry.seq] = found

    def _take_back(self, entry: Entry) -> None:
        self.match.take_back(entry.seat, entry.text)
        for past in reversed(self.log):
            if past.kind == "move" and past.seat == entry.seat and past.text == entry.text:
                self.effects.pop(past.seq, None)
                break

    def _note_rematch(self, entry: Entry) -> None:
        self.rematch = entry.text

    def _let_begin(self, entry: Entry) -> None:
        self.round = max(self.round, int(entry.text))

    def _tell(self, entry: Entry) -> None:
        self.is_told = True

    def _vote(self, entry: Entry) -> None:
        self.seats[entry.seat or 0].votes.add(int(entry.text))

    def _nothing(self, entry: Entry) -> None:
        """A word between people, or about the dice: the match does not change."""


_APPLY = {
    **dict.fromkeys(SEATING, Table._seat),
    "chance": Table._reveal,
    "unroll": Table._unroll,
    "move": Table._play,
    "undo": Table._take_back,
    "rematch": Table._note_rematch,
    "nudge": Table._nothing,
    "vote": Table._vote,
    "promise": Table._nothing,
    "round": Table._let_begin,
    "told": Table._tell,
}


def fold(row: TableRow, entries: Sequence[Entry], script: Sequence[str] = ()) -> Table:
    """Return the table that a log tells."""
    table = Table(row, script)
    apply_all(table, entries)
    return table


def apply_all(table: Table, entries: Sequence[Entry]) -> None:
    """Apply entries that are in the store. One that makes no sense there is a `Damaged` log."""
    for entry in entries:
        try:
            table.apply(entry)
        except (LamplighterError, KeyError, ValueError, IndexError) as error:
            # its words may tell what nobody should know
            code = error.code if isinstance(error, LamplighterError) else type(error).__name__
            log.error("the log of a table makes no sense at entry %d (%s)", entry.seq, code)
            raise Damaged(f"the log of this table is corrupt at entry {entry.seq}") from None


def results(table: Table) -> list[ResultRow]:
    """Return how a finished match ended for every seat, for the boards."""
    winners, totals = table.match.winners(), table.match.totals
    taken_over = {entry.seat for entry in table.log if entry.kind == "bot"}
    return [
        ResultRow(
            number,
            seat.name,
            seat.kind == "person" and number not in taken_over,
            totals[number],
            number in winners,
            seat.hinted,
        )
        for number, seat in enumerate(table.seats)
    ]
