"""All tables of a server: finds them, changes them, writes every change down before anybody is told, drives the bots."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import hmac
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from lamplighter import bots
from lamplighter.engine import chance
from lamplighter.errors import BadChance, LamplighterError
from lamplighter.web import metrics
from lamplighter.web.feed import Feed
from lamplighter.web.refusals import Damaged, Full, NoTable, NotNow, NotYours, Stale, TooMany
from lamplighter.web.settings import Settings
from lamplighter.web.store import Conflict, Holder, Row, Store, TableRow
from lamplighter.web.table import Table, clean_name, hash_token, load_variant, new_token, play_all, results, think

log = logging.getLogger("lamplighter.web")

DAY = 24 * 3600.0


class Tables:
    """The tables in memory, over the store."""

    def __init__(self, store: Store, settings: Settings, feed: Feed) -> None:
        self.store, self.settings, self.feed = store, settings, feed
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Future[Table]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._thinkers = ThreadPoolExecutor(1, "bots")
        self._secret = store.secret()

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._thinkers.shutdown(wait=True, cancel_futures=True)

    def __len__(self) -> int:
        return len(self._tables)

    # --- finding ----------------------------------------------------------------------------------------------

    async def get(self, table_id: str) -> Table:
        """A table, as new as its log."""
        table = self._tables.get(table_id)
        if table is None:
            table = await self._load_once(table_id)
        table.used = time.monotonic()
        if self.settings.shared:
            async with table.lock:
                if self._tables.get(table_id) is table:
                    await self._catch_up(table)
            if self._tables.get(table_id) is not table:  # forgotten meanwhile, with what could not be written
                return await self.get(table_id)
        self._wake(table)
        return table

    async def _load_once(self, table_id: str) -> Table:
        """Load a table; two who ask at once get the same one."""
        if table_id not in self._loading:
            self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
        try:
            return await asyncio.shield(self._loading[table_id])
        finally:
            self._loading.pop(table_id, None)

    async def _load(self, table_id: str) -> Table:
        table = self._tables[table_id] = await self.reread(table_id)
        return table

    async def reread(self, table_id: str) -> Table:
        """A table of its own, from the store."""
        row = await asyncio.to_thread(self.store.table, table_id)
        if row is None:
            raise NoTable(f"there is no table {table_id!r} here")
        table = Table(row, await asyncio.to_thread(self.store.holders, table_id))
        if row.kind == "entry" and row.source is not None:
            called = await asyncio.to_thread(self.store.rows, row.source)
            table.script = [entry.text for entry in called if entry.kind == "chance"]
        await self._catch_up(table)
        return table

    async def _catch_up(self, table: Table) -> None:
        """Fold what the store has beyond what is known here."""
        rows, holders = await asyncio.to_thread(self.store.news, table.id, table.saved)
        for holder in holders:
            table.tokens[holder.seat] = holder.token
            table.seen[holder.seat] = max(holder.seen, table.seen.get(holder.seat, 0.0))
        for row in rows:
            try:
                table.fold(row)
            except LamplighterError:  # its words may tell what nobody should know
                log.exception("the log of table %s is damaged at entry %d", table.id, row.seq)
                self.forget(table)
                raise Damaged(f"the log of this table makes no sense at entry {row.seq}") from None
        table.saved = table.seq
        table.settled = table.settled or table.match.is_over
        if rows and rows[-1].kind == "move" and table.roll_due:
            self._hold(table, rows[-1].at + self.settings.hold)  # else the roll would have been written with the move

    def forget(self, table: Table) -> None:
        """Drop a table from memory; its log will bring it back."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]

    def tidy(self) -> None:
        """Forget the tables that nobody looks at."""
        oldest = time.monotonic() - self.settings.rest
        for table in list(self._tables.values()):
            if table.used < oldest and not self.feed.has_listeners(table.id) and not table.lock.locked():
                self.forget(table)

    # --- writing ----------------------------------------------------------------------------------------------

    async def _change(self, table: Table, change: Callable[[], Sequence[Holder] | None]) -> None:
        """Carry a change out, let chance follow, write it down, tell everybody. Called under the table's lock.

        `change` looks whether it may, for other processes may have been quicker. A change that is refused changes
        nothing. One that cannot be written is forgotten with the whole table, which comes back from the log.
        """
        if self._tables.get(table.id) is not table:
            raise Stale("the table was laid anew: look at it again")
        if self.settings.shared:
            await self._catch_up(table)
        holders = change() or ()
        self._advance(table)
        await self._save(table, holders)

    async def _save(self, table: Table, holders: Sequence[Holder] = ()) -> None:
        rows = table.rows[table.saved :]
        if not rows:
            return
        ended = table.match.is_over and not table.settled
        try:
            future = self.store.append(table.id, rows, holders, results(table) if ended else ())
            await asyncio.shield(asyncio.wrap_future(future))
        except BaseException as error:
            self.forget(table)
            if isinstance(error, Conflict):
                raise Stale("somebody was quicker: look at the table again") from None
            raise
        table.saved = table.seq
        table.settled = table.settled or ended
        metrics.entries.labels(table.row.game).inc(len(rows))
        self.feed.publish(table.id)

    def _advance(self, table: Table) -> None:
        """Reveal the outcomes that are due, unless somebody may still take something back or has to type them in."""
        if not table.roll_due:
            return
        if table.hold_until is None and any(map(table.can_take_back, table.patient)):
            self._hold(table, time.time() + self.settings.hold)
        if table.hold_until is None:
            self._roll(table)

    def _roll(self, table: Table) -> None:
        while table.chance_due:
            text = table.next_outcome()
            if text is None:
                return
            table.add("chance", table.match.position.chance_seat, text)

    def _hold(self, table: Table, until: float) -> None:
        """Let the roll wait."""
        if until > time.time():
            table.hold_until = until
            self._start(self._release_later(table.id, until))

    async def _release_later(self, table_id: str, until: float) -> None:
        await asyncio.sleep(until - time.time())
        table = self._tables.get(table_id)
        if table is not None and table.hold_until == until:
            await self.release(table)

    # --- bots -------------------------------------------------------------------------------------------------

    def _start(self, job: Awaitable[None]) -> None:
        task = asyncio.ensure_future(self._logged(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @staticmethod
    async def _logged(job: Awaitable[None]) -> None:
        try:
            await job
        except Stale:
            pass  # another process was quicker, and goes on with the table
        except Exception:
            log.exception("a table could not go on")

    def _wake(self, table: Table) -> None:
        """See that bots think, and that a roll which is due comes."""
        rolls = table.hold_until is None and table.roll_due
        if (table.waiting_bots or rolls) and not table.driving:
            table.driving = True
            self._start(self._drive(table))

    async def _drive(self, table: Table) -> None:
        try:
            while True:
                async with table.lock:
                    if table is not self._tables.get(table.id):
                        return
                    await self._change(table, lambda: None)
                    seated = {seat: table.seats[seat].bot or "uniform" for seat in table.waiting_bots}
                    if not seated:
                        return
                    match = table.match.copy()
                started = time.perf_counter()
                moves = await asyncio.get_running_loop().run_in_executor(self._thinkers, think, match, seated)
                metrics.thinking.observe(time.perf_counter() - started)
                async with table.lock:
                    await self._change(table, functools.partial(play_all, table, moves))
        finally:
            table.driving = False

    # --- what people do ---------------------------------------------------------------------------------------

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
    ) -> tuple[Table, str, list[int]]:
        """Lay a table. Seats are `me`, `open` or `bot:NAME`; the table, the token and the seats it holds."""
        variant = load_variant(variant_text)
        wanted = _seat_plan(variant.seats, seats)
        if await asyncio.to_thread(self.store.count_tables) >= self.settings.table_limit:
            raise TooMany("the server has no room for another table: try again tomorrow", DAY)
        token = new_token()
        chosen = None if typed else seed or chance.new_seed()
        row = TableRow(
            id=secrets.token_urlsafe(9), kind=kind, game=variant.game.id, variant=variant.text,
            rules=variant.game.rules_version, seed=chosen, promise=chance.seed_hash(chosen) if chosen else None,
            host=hash_token(token), created=time.time(), source=source, ghost=ghost, day=day, client=client,
        )  # fmt: skip
        table = Table(row, [])
        if kind == "entry" and source is not None:
            called = await asyncio.to_thread(self.store.rows, source)
            table.script = [entry.text for entry in called if entry.kind == "chance"]
        mine = [seat for seat, what in enumerate(wanted) if what == "me"]
        for seat, what in enumerate(wanted):
            if what == "me":
                name = names[mine.index(seat)] if mine.index(seat) < len(names) else ""
                table.add("join", seat, clean_name(name) or f"Player {seat + 1}")
            elif what != "open":
                table.add("bot", seat, bots.load(what.removeprefix("bot:")).name)
        holders = [Holder(seat, row.host, time.time()) for seat in mine]
        table.tokens, table.seen = dict.fromkeys(mine, row.host), dict.fromkeys(mine, time.time())
        self._advance(table)
        await asyncio.wrap_future(self.store.create(row, holders, table.rows))
        table.saved = table.seq
        self._tables[row.id] = table
        metrics.tables.labels(row.game, kind).inc()
        self._wake(table)
        return table, token, mine

    async def join(self, table: Table, name: str, seat: int | None = None) -> tuple[str, int]:
        """Take an open seat; the token and the seat."""
        token, taken = new_token(), []

        def change() -> list[Holder]:
            free = [number for number, one in enumerate(table.seats) if one.kind == "open"]
            if not free or (seat is not None and seat not in free):
                raise Full("no seat is free: you can watch" if not free else f"seat {seat} is taken")
            chosen = free[0] if seat is None else seat
            table.add("join", chosen, clean_name(name) or f"Player {chosen + 1}")
            taken.append(Holder(chosen, hash_token(token), time.time()))
            return taken

        async with table.lock:
            await self._change(table, change)
            holder = taken[0]
            table.tokens[holder.seat], table.seen[holder.seat] = holder.token, holder.seen
        self._wake(table)
        return token, holder.seat

    async def play(self, table: Table, seat: int, move: str, version: int, key: str, done: bool) -> None:
        """A move of a person, once, if the seat is still where they saw it."""

        def change() -> None:
            if table.seats[seat].kind == "bot":
                raise NotNow(f"a bot plays for seat {seat}: take the seat back first")
            position = table.match.position
            text = position.format_move(seat, position.parse_move(seat, move))
            table.add("move", seat, text, _key(seat, key))
            if done or table.row.kind == "entry":
                table.patient.discard(seat)
            else:
                table.patient.add(seat)
            metrics.moves.labels(table.row.game).inc()

        await self._change_once(table, seat, version, key, change)

    async def take_back(self, table: Table, seat: int, version: int, key: str) -> None:
        """Take a seat's last move back."""

        def change() -> None:
            text = table.match.copy().take_back(seat)
            table.add("undo", seat, text, _key(seat, key))

        await self._change_once(table, seat, version, key, change)

    async def _change_once(self, table: Table, seat: int, version: int, key: str, change: Callable[[], None]) -> None:
        """Carry a change out if that has not been done, and the seat is still where the asker saw it."""

        def change_if_new() -> None:
            if _key(seat, key) in table.keys:
                return
            if table.phase == "lobby":
                raise NotNow("the match begins when every seat is taken")
            if table.seats[seat].version != version:
                raise Stale(f"seat {seat} has moved on since version {version}: it is at {table.seats[seat].version}")
            change()

        try:
            async with table.lock:
                await self._change(table, change_if_new)
        except Stale:
            if _key(seat, key) not in (await self.get(table.id)).keys:  # else another process has just done it
                raise
        self._wake(table)

    async def release(self, table: Table) -> None:
        """Let the roll come now."""
        async with table.lock:
            table.release()
            await self._change(table, lambda: None)
        self._wake(table)

    async def roll(self, table: Table, text: str) -> None:
        """Outcomes that were rolled on a real table."""

        def change() -> None:
            if not table.is_typed:
                raise BadChance("this table rolls its own dice")
            if not table.chance_due:
                raise BadChance("no outcome is due now")
            scratch = table.match.copy()
            before = len(scratch.log)
            scratch.roll(text)
            for entry in scratch.log[before:]:
                table.add("chance", entry.seat, entry.text)

        async with table.lock:
            await self._change(table, change)
        self._wake(table)

    async def call(self, table: Table) -> None:
        """The caller's next roll or flip. Bots stand in for the people on paper, so that it goes on."""

        def change() -> None:
            if table.row.kind != "caller" or table.is_typed:
                raise NotNow("this table does not call")
            if not table.chance_due:
                over = table.match.is_over
                raise NotNow("the last roll was called" if over else "a moment: the last roll is not done")
            self._roll(table)

        async with table.lock:
            await self._change(table, change)
        self._wake(table)

    async def give_to_bot(self, table: Table, seat: int, bot: str, mine: Sequence[int], host: bool) -> None:
        """Let a bot have an open seat, a seat whose person has left, or one's own."""
        name = bots.load(bot).name

        def change() -> None:
            if not self.may_replace(table, seat, mine, host):
                raise NotYours(f"seat {seat} is not yours to give: its person is here")
            table.add("bot", seat, name)

        async with table.lock:
            await self._change(table, change)
        self._wake(table)

    def may_replace(self, table: Table, seat: int, mine: Sequence[int], host: bool) -> bool:
        if table.seats[seat].kind == "open":
            return host or bool(mine)
        return seat in mine or (bool(mine) and not self.is_here(table, seat))

    def is_here(self, table: Table, seat: int) -> bool:
        """Whether the person of a seat gave a sign of life lately."""
        seen = table.seen.get(seat, 0.0)
        return seat in self.feed.here(table.id) or time.time() - seen < self.settings.away

    async def give_back(self, table: Table, seat: int) -> None:

        def change() -> None:
            if table.seats[seat].kind != "bot":
                raise NotNow(f"seat {seat} is not played by a bot")
            table.add("person", seat, "")

        async with table.lock:
            await self._change(table, change)
        self._wake(table)

    async def rename(self, table: Table, seat: int, name: str) -> None:
        if not clean_name(name):
            raise LamplighterError("a name has at least one letter")
        async with table.lock:
            await self._change(table, lambda: _add(table, "name", seat, clean_name(name)))

    async def nudge(self, table: Table, seat: int) -> None:
        """A gentle reminder, once a moment."""

        def change() -> None:
            if seat not in table.waiting:
                raise NotNow(f"nobody waits for seat {seat}")
            latest = [row for row in table.rows[-20:] if row.kind == "nudge" and row.seat == seat]
            if latest and time.time() - latest[-1].at < 10:
                raise NotNow("they were nudged a moment ago")
            table.add("nudge", seat, "")

        async with table.lock:
            await self._change(table, change)

    async def again(self, table: Table) -> str:
        """The id of a new table with the same seats; everybody's token is good there too."""
        async with table.lock:
            if table.phase != "over":
                raise NotNow("a rematch comes after the end")
            if table.rematch is not None:
                return table.rematch
            seed = None if table.is_typed else chance.new_seed()
            row = TableRow(
                id=secrets.token_urlsafe(9), kind="table", game=table.row.game, variant=table.row.variant,
                rules=table.row.rules, seed=seed, promise=chance.seed_hash(seed) if seed else None, host=table.row.host,
                created=time.time(),
            )  # fmt: skip
            rows = []
            for number, seat in enumerate(table.seats):
                kind, text = ("join", seat.name) if seat.kind == "person" else ("bot", seat.bot or "")
                rows.append(Row(number + 1, kind, number, text, time.time()))
            holders = [Holder(seat, token, time.time()) for seat, token in table.tokens.items()]
            await asyncio.wrap_future(self.store.create(row, holders, rows))
            await self._change(table, lambda: _add(table, "rematch", None, row.id))
        return row.id

    def saw(self, table: Table, seats: Sequence[int]) -> None:
        """A sign of life from these seats."""
        now = time.time()
        stale = [seat for seat in seats if now - table.seen.get(seat, 0.0) > self.settings.away / 3]
        for seat in stale:
            table.seen[seat] = now
        if stale and self.settings.shared:
            self.store.saw(table.id, stale)

    # --- the daily match --------------------------------------------------------------------------------------

    def daily_seed(self, game: str, day: str) -> str:
        """The seed of a game's match of the day, which only this server can tell before the day is over."""
        return hmac.new(self._secret.encode(), f"{day}/{game}".encode(), hashlib.sha256).hexdigest()[:32]


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def _key(seat: int, key: str) -> str:
    return f"{seat}:{key}"


def _add(table: Table, kind: str, seat: int | None, text: str) -> None:
    table.add(kind, seat, text)


def _seat_plan(count: int, seats: Sequence[str]) -> list[str]:
    """What is at every seat; without a plan a person and greedy bots."""
    plan = list(seats) or ["me"] + ["bot:greedy"] * (count - 1)
    if len(plan) != count:
        raise LamplighterError(f"{len(plan)} seats are described, and the match has {count}")
    for what in plan:
        if what not in ("me", "open") and not what.startswith("bot:"):
            raise LamplighterError(f"a seat is 'me', 'open' or 'bot:NAME', not {what!r}")
    return plan
