"""What people do at tables: set one up, sit down, play, take back, call, change hands, begin again."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from urllib.parse import quote

from lamplighter import bots
from lamplighter.engine import chance
from lamplighter.engine.labels import Labels
from lamplighter.errors import BadChance, LamplighterError
from lamplighter.web import metrics, reactions
from lamplighter.web.bucket import Bucket
from lamplighter.web.driver import Driver
from lamplighter.web.errors import Full, NotNow, NotYours, Stale, TooMany
from lamplighter.web.feed import Feed
from lamplighter.web.names import clean_name, is_bots, skeleton
from lamplighter.web.session import Session
from lamplighter.web.settings import Settings
from lamplighter.web.store import Conflict, Entry, Holder, Store, TableRow
from lamplighter.web.table import Table, load_variant
from lamplighter.web.table_cache import TableCache
from lamplighter.web.tokens import hash_token, new_table_id, new_token

DAY = 24 * 3600.0
MONTH = 30  # days for which it is remembered who set up a table
REACTIONS = (1 / 4, 3)  # that a device may send at one table: a second in the long run, and at once
QUIET = {"nudge": 10.0, "name": 2.0}  # seconds until the same seat may do it again


class TableService:
    """Everything that people do at tables, as commands on their sessions."""

    def __init__(self, store: Store, settings: Settings, feed: Feed) -> None:
        self.store, self.settings, self.feed = store, settings, feed
        self.cache = TableCache(store, settings, feed, on_get=lambda session: self.driver.wake(session))
        self.driver = Driver(self.cache, feed)
        self._secret = store.secret()
        self._reactions = Bucket(*REACTIONS)
        self._day = ""  # addresses of the days before it are forgotten

    def close(self) -> None:
        self.driver.close()
        self.cache.close()

    async def get(self, table_id: str, known: int = 0) -> Session:
        """Return the session of a table, at least as new as entry number `known`."""
        return await self.cache.get(table_id, known)

    # --- setting one up, sitting down -------------------------------------------------------------------------

    async def create(
        self,
        variant_text: str,
        seats: Sequence[str] = (),
        names: Sequence[str] = (),
        kind: str = "table",
        typed: bool = False,
        seed: str | None = None,
        source: str | None = None,
        ghost: int | None = None,
        day: str | None = None,
        client: str | None = None,
        maker: str | None = None,
        counted: bool = True,
        address: str | None = None,
        person: str | None = None,
        box: str | None = None,
        hold: str = "short",
        hints: bool = True,
    ) -> tuple[Session, str, list[int]]:
        """Set up a table. Seats are `me`, `open` or `bot:NAME`. Return its session, the token and the seats it holds.

        `box` is the text of the component file that the variant names; the table keeps it.
        """
        variant = load_variant(variant_text, box)
        wanted = _seat_plan(variant.seats, seats, ghost or 0)
        await self.find_room()
        token = new_token()
        chosen = None if typed else seed or chance.new_seed()
        salt = chance.new_seed()
        row = TableRow(
            id=new_table_id(), kind=kind, game=variant.game.id, variant=variant.text,
            rules=variant.game.rules_version, seed=chosen, promise=chance.promise(chosen, salt) if chosen else None,
            host=hash_token(token), created=time.time(), source=source, ghost=ghost, day=day, client=client,
            maker=maker,
            counted=counted, address=address, person=person,
            salt=salt if chosen else None, box=box, hold=hold, hints=hints,
        )  # fmt: skip
        session = await asyncio.to_thread(self.cache.new_session, row)
        if typed and session.table.is_secret:
            raise LamplighterError(
                "what is dealt to one seat is hidden here, so it cannot be typed in: let the server deal"
            )
        mine = [seat for seat, what in enumerate(wanted) if what == "me"]
        for place, seat in enumerate(mine):  # before the bots, which take names that nobody has
            name = names[place] if place < len(names) else ""
            session.add("join", seat, session.table.own_name(name_of_person(name) or f"Player {seat + 1}"))
        for seat, what in enumerate(wanted):
            if what not in ("me", "open"):
                session.add("bot", seat, bots.load_for_table(what.removeprefix("bot:")).name)
        holders = [Holder(seat, row.host, time.time()) for seat in mine]
        session.seat_holders(holders)
        session.advance()
        await asyncio.wrap_future(self.store.create(row, holders, session.table.log))
        session.saved, session.is_ours, session.read = session.table.seq, True, time.monotonic()
        self.cache.put(session)
        metrics.tables.labels(row.game, kind).inc()
        self.driver.wake(session)
        return session, token, mine

    async def find_room(self) -> None:
        if await asyncio.to_thread(self.store.count_tables) >= self.settings.table_limit:
            raise TooMany(
                "the server has no room for another table: old ones are deleted every day, so try again later", DAY
            )

    async def may_lay(self, client: str) -> str:
        """See that a client has not set up too many tables lately. Return how it is remembered: as a keyed hash."""
        maker = self._mark("table maker", client)
        if await asyncio.to_thread(self.store.count_made, maker) >= self.settings.tables_kept:
            raise TooMany(
                f"your network has opened {self.settings.tables_kept} tables in {MONTH} days: play at one of them", DAY
            )
        return maker

    async def join(self, session: Session, name: str, seat: int | None = None, token: str = "") -> tuple[str, int]:
        """Take an open seat. Return the token and the seat. Who shows the same token again gets the same seat."""
        token, called = token or new_token(), name_of_person(name)
        hashed, taken = hash_token(token), []

        def command(session: Session) -> list[Holder]:
            held = [number for number, holder in session.tokens.items() if holder == hashed]
            if held:
                taken.append(held[0])
                return []
            free = [number for number, one in enumerate(session.table.seats) if one.kind == "open"]
            if not free or (seat is not None and seat not in free):
                raise Full("no seat is free: you can watch" if not free else "this seat is taken")
            chosen = free[0] if seat is None else seat
            session.add("join", chosen, session.table.own_name(called or f"Player {chosen + 1}"))
            taken.append(chosen)
            return [Holder(chosen, hashed, time.time())]

        await self.driver.execute(session.id, command)
        return token, taken[-1]

    # --- playing ----------------------------------------------------------------------------------------------

    async def play(self, session: Session, seat: int, move: str, version: int, key: str, done: bool) -> Session:
        """Play a move of a person, once, if the seat is still where they saw it."""

        def command(session: Session) -> None:
            if session.table.seats[seat].kind == "bot":
                raise NotNow("a bot plays for you: take your seat back first")
            position = session.table.match.position
            text = position.format_move(seat, position.parse_move(seat, move))
            session.add("move", seat, text, _key(seat, key))
            session.be_patient(seat, not done and session.row.kind != "entry")
            metrics.moves.labels(session.row.game).inc()

        return await self._once(session, seat, version, key, command)

    async def take_back(self, session: Session, seat: int, version: int, key: str) -> Session:
        """Take a seat's last move back."""

        def command(session: Session) -> None:
            text = session.table.match.copy().take_back(seat)
            session.add("undo", seat, text, _key(seat, key))

        return await self._once(session, seat, version, key, command)

    async def _once(
        self, session: Session, seat: int, version: int, key: str, command: Callable[[Session], None]
    ) -> Session:
        """Carry a command out if that has not been done, and the seat is still where the asker saw it."""

        def command_if_new(session: Session) -> None:
            if _key(seat, key) in session.table.keys:
                return
            if session.table.phase == "lobby":
                raise NotNow("the match begins when every seat is taken")
            if session.table.phase == "over":
                raise NotNow("the match is over: nothing can be played or taken back")
            now = session.table.seats[seat].version
            if now != version:
                raise Stale(f"seat {seat} has moved on since version {version}: it is at {now}")
            command(session)

        return await self.driver.execute(session.id, command_if_new)

    async def note_hint(self, session: Session, seat: int, version: int) -> Session:
        """Note in the log that a person looks at a hint, once for a moment. A hint that comes too late is refused."""

        def command(session: Session) -> None:
            key = f"hint:{_key(seat, str(version))}"
            if session.table.seats[seat].version != version or seat not in session.table.waiting:
                raise Stale("the table has gone on while the hint was worked out: ask again")
            if key not in session.table.keys:
                session.add("hint", seat, "", key)

        return await self.driver.execute(session.id, command)

    async def finish(self, session: Session, seat: int) -> Session:
        """Note that a seat, and the others on its device, will take nothing back."""

        def command(session: Session) -> None:
            token = session.tokens.get(seat)
            for one in {seat, *(number for number, held in session.tokens.items() if held == token)}:
                session.be_patient(one, False)

        return await self.driver.execute(session.id, command)

    async def roll(self, session: Session, text: str, version: int, key: str) -> Session:
        """Reveal outcomes that were rolled on a real table, once, if they follow the last that was seen."""

        def command(session: Session) -> None:
            if not session.table.is_typed:
                raise BadChance("this table rolls its own dice")
            _must_follow(session.table, version)
            if not session.table.chance_due:
                raise BadChance("no outcome is due now")
            scratch = session.table.match.copy()
            before = len(scratch.log)
            names = [seat.name for seat in session.table.seats]
            scratch.roll(*Labels(scratch.variant).read_outcomes(scratch.position, text, names))
            for number, entry in enumerate(scratch.log[before:]):
                session.add("chance", entry.seat, entry.text, None if number else _roll_key(key))

        return await self._roll_once(session, key, command)

    async def unroll(self, session: Session, version: int, key: str) -> Session:
        """Take back the last outcome, which was typed in wrongly."""

        def command(session: Session) -> None:
            if session.table.is_typed:
                _must_follow(session.table, version)
            if not session.table.can_unroll:
                raise NotNow(
                    "only the last outcome that was typed in can be taken back, and only until somebody acts on it"
                )
            session.add("unroll", None, "", _roll_key(key))

        return await self._roll_once(session, key, command)

    async def call(self, session: Session, version: int, key: str) -> Session:
        """Reveal the caller's next roll or flip. Bots stand in for the people on paper, so that it goes on."""

        def command(session: Session) -> None:
            if session.row.kind != "caller" or session.table.is_typed:
                raise NotNow("only a table for paper sheets can call")
            if session.table.match.is_over:
                raise NotNow("that was the last roll")
            _must_follow(session.table, version)
            if not session.table.chance_due:
                raise NotNow("wait a moment: the last roll is still being played")
            seat, text = session.table.match.position.chance_seat, session.table.next_outcome() or ""
            session.add("chance", seat, text, _roll_key(key))
            session.roll()

        return await self._roll_once(session, key, command)

    async def _roll_once(self, session: Session, key: str, command: Callable[[Session], None]) -> Session:
        def command_if_new(session: Session) -> None:
            if _roll_key(key) not in session.table.keys:
                command(session)

        return await self.driver.execute(session.id, command_if_new)

    # --- changing hands ---------------------------------------------------------------------------------------

    async def give_to_bot(self, session: Session, seat: int, bot: str, mine: Sequence[int], host: bool) -> Session:
        """Let a bot have an open seat, a seat whose person has left, or one's own."""
        name = bots.load_for_table(bot).name

        def command(session: Session) -> None:
            if session.row.kind == "daily" and seat not in mine:
                raise NotYours("everybody plays the daily match against the same bots, so they cannot be changed")
            if not session.may_replace(seat, mine, host):
                raise NotYours("you may not give this seat to a bot")
            if seat in session.tokens and seat not in mine and name != session.stand_in:
                raise NotNow(f"the bot for somebody who is away is as strong as the others: {session.stand_in!r}")
            session.add("bot", seat, name)

        return await self.driver.execute(session.id, command)

    async def vote(self, session: Session, seat: int, mine: Sequence[int]) -> Session:
        """Vote for a bot to play for somebody who keeps the others waiting. It plays when all who are here want it."""

        def command(session: Session) -> None:
            voter = next((one for one in mine if one in session.voters(seat)), None)
            if voter is None:
                raise NotYours("only the other players can vote about this seat")
            if not session.is_idle(seat):
                raise NotNow(f"the others have not waited {self.settings.idle:g} seconds for this seat yet")
            if voter not in session.table.seats[seat].votes:
                session.add("vote", seat, str(voter))
            if session.is_voted_out(seat):
                session.add("bot", seat, session.stand_in)

        return await self.driver.execute(session.id, command)

    async def give_back(self, session: Session, seat: int) -> Session:
        def command(session: Session) -> None:
            if session.table.seats[seat].kind != "bot":
                raise NotNow("no bot plays this seat")
            session.add("person", seat, "")

        return await self.driver.execute(session.id, command)

    async def rename(self, session: Session, seat: int, name: str) -> Session:
        called = name_of_person(name)
        if not called:
            raise LamplighterError("a name needs at least one letter")

        def command(session: Session) -> None:
            if session.row.kind == "class":
                raise NotNow("in a class your name stays: ask your teacher")
            if session.row.day is not None:
                raise NotNow("the name cannot be changed: the daily match counts under it")
            if not session.was_quiet("name", seat, QUIET["name"]):
                raise NotNow("the name was just changed: wait a moment")
            session.add("name", seat, session.table.own_name(called, seat))

        return await self.driver.execute(session.id, command)

    async def nudge(self, session: Session, seat: int) -> Session:
        """Remind somebody gently, once a moment."""

        def command(session: Session) -> None:
            if seat not in session.table.waiting:
                raise NotNow("nobody is waiting for this seat")
            if not session.was_quiet("nudge", seat, QUIET["nudge"]):
                raise NotNow("they were just reminded: wait a moment")
            session.add("nudge", seat, "")

        return await self.driver.execute(session.id, command)

    async def react(self, session: Session, seat: int, reaction: str) -> None:
        """Pass a reaction on. All seats of a device together may say a few at once, then one every few seconds."""
        wait = self._reactions.take(f"{session.id} {session.tokens[seat]}")
        if wait:
            raise TooMany("you said something a moment ago: wait a little", wait)
        self.feed.say(session.id, seat, reaction)
        if self.settings.shared:
            await asyncio.wrap_future(reactions.tell_others(self.store, session.id, seat, reaction))

    def saw(self, session: Session, seats: Sequence[int]) -> None:
        """Note a sign of life from these seats."""
        now = time.time()
        stale = [seat for seat in seats if now - session.seen.get(seat, 0.0) > self.settings.away / 3]
        for seat in stale:
            session.seen[seat] = now
        if stale and self.settings.shared:
            self.store.saw(session.id, stale)

    # --- again ------------------------------------------------------------------------------------------------

    async def again(self, session: Session, maker: str | None = None) -> Session:
        """Set up a new table with the same seats. Everybody's token is good there too."""
        if session.table.phase != "over" or session.row.kind in ("caller", "class"):
            raise NotNow("a rematch is possible when a match is over")
        if session.table.rematch is None:
            seed, salt = None if session.table.is_typed else chance.new_seed(), chance.new_seed()
            row = TableRow(
                id=new_table_id(), kind="table", game=session.row.game, variant=session.row.variant,
                rules=session.row.rules, seed=seed, promise=chance.promise(seed, salt) if seed else None, host=session.row.host,
                created=time.time(), salt=salt if seed else None, maker=maker, box=session.row.box, hold=session.row.hold,
                hints=session.row.hints,
            )  # fmt: skip
            holders = [Holder(seat, token, time.time()) for seat, token in session.tokens.items()]
            session = await self._go_on_at(session, row, holders, _same_seats(session))
        return await self.get(session.table.rematch or "")

    async def open_entry(self, session: Session, maker: str | None = None) -> Session:
        """Set up the table where people enter their paper sheets, each at a seat of their own. There is one for a caller."""
        if session.table.phase != "over":
            raise NotNow("sheets can be entered on phones when the last roll has been called")
        if session.table.rematch is None:
            row = TableRow(
                id=new_table_id(), kind="entry", game=session.row.game, variant=session.row.variant,
                rules=session.row.rules, seed=None, promise=None, host=session.row.host, created=time.time(),
                source=session.id, maker=maker, box=session.row.box,
            )  # fmt: skip
            session = await self._go_on_at(session, row, [], [])
        return await self.get(session.table.rematch or "")

    async def _go_on_at(self, session: Session, row: TableRow, holders: list[Holder], log: list[Entry]) -> Session:
        """Store a new table, and note it as the one where another goes on, unless somebody else was quicker."""
        await self.find_room()
        await asyncio.wrap_future(self.store.create(row, holders, log))

        def command(session: Session) -> None:
            if session.table.rematch is None:
                session.add("rematch", None, row.id)

        return await self.driver.execute(session.id, command)

    # --- the daily match --------------------------------------------------------------------------------------

    def daily_seed(self, game: str, day: str) -> str:
        """The seed of a game's match of the day, which only this server can tell before the day is over."""
        return chance.derive(self._secret, "daily", day, game).hex()[:32]

    async def play_daily(
        self, variant: str, game: str, day: str, name: str, client: str, network: str, maker: str
    ) -> tuple[Session, str, list[int]]:
        """Begin the match of the day. A second try of the same name from the same address is not counted."""
        address = self._day_mark("address", day, network) if network else None
        person = self._day_mark("person", day, network, skeleton(clean_name(name))) if network else None
        begin = functools.partial(
            self.create, variant, names=[name], kind="daily", seed=self.daily_seed(game, day), day=day, client=client,
            address=address, maker=maker, hold="long",
        )  # fmt: skip
        try:
            return await begin(person=person)
        except Conflict:
            if await asyncio.to_thread(self.store.daily_table, day, game, client) is not None:
                raise  # the same browser asked twice at once
        return await begin(counted=False)

    def _day_mark(self, what: str, day: str, *parts: str) -> str:
        """What stands for an address or a person in the store: another one every day, and no use without the secret."""
        return self._mark(f"daily {what}", day, *parts)

    def _mark(self, purpose: str, *parts: str) -> str:
        """What stands for something in the store, and is of no use without the server's secret."""
        return chance.derive(self._secret, purpose, *(quote(part, safe="") for part in parts)).hex()

    async def forget_addresses(self) -> None:
        """Once a day: delete from where the matches of past days came."""
        if self._day != today():
            await asyncio.wrap_future(self.store.forget_addresses(today()))
            self._day = today()


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def _key(seat: int, key: str) -> str:
    return f"{seat}:{key}"


def _roll_key(key: str) -> str:
    """The key of a roll, which is nobody's move: the key of a move begins with the number of its seat."""
    return f"roll:{key}"


def _must_follow(table: Table, version: int) -> None:
    if table.rolled != version:
        raise Stale(f"another outcome came after version {version}: the last is entry {table.rolled}")


def name_of_person(name: str) -> str:
    """A name as it is shown; empty if nothing can be seen. Nobody is called like a bot."""
    called = clean_name(name)
    if is_bots(called):
        raise LamplighterError(f"{called!r} is the name of a bot: choose another name")
    return called


def _seat_plan(count: int, seats: Sequence[str], own: int) -> list[str]:
    """What is at every seat; without a plan a person and bots."""
    plan = list(seats) or ["me" if seat == own else f"bot:{bots.OPPONENT}" for seat in range(count)]
    if len(plan) != count:
        raise LamplighterError(f"{len(plan)} seats are described, and the match has {count}")
    for what in plan:
        if what not in ("me", "open") and not what.startswith("bot:"):
            raise LamplighterError(f"a seat is 'me', 'open' or 'bot:NAME', not {what!r}")
    return plan


def _same_seats(session: Session) -> list[Entry]:
    """Return the beginning of a log where everybody sits as before; a bot goes on for a person who was away.

    People come first, so that bots take names that nobody has.
    """
    seats = list(enumerate(session.table.seats))
    people = [("join", number, seat.name) for number, seat in seats if number in session.tokens]
    played = [("bot", number, seat.bot) for number, seat in seats if seat.bot]
    return [Entry(seq, *entry, time.time()) for seq, entry in enumerate([*people, *played], 1)]
