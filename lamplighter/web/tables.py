"""What people do at tables: lay one, sit down, play, take back, call, change hands, begin again."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from lamplighter import bots
from lamplighter.engine import chance
from lamplighter.errors import BadChance, LamplighterError
from lamplighter.web import metrics
from lamplighter.web.feed import Feed
from lamplighter.web.keeper import Keeper
from lamplighter.web.refusals import Full, NotNow, NotYours, Stale, TooMany
from lamplighter.web.settings import Settings
from lamplighter.web.store import Holder, Row, Store, TableRow
from lamplighter.web.table import Table, clean_name, hash_token, load_variant, new_token

DAY = 24 * 3600.0
CALM = {"nudge": 10.0, "name": 2.0}  # seconds until the same seat may do it again


class Tables(Keeper):
    """All tables of a server."""

    def __init__(self, store: Store, settings: Settings, feed: Feed) -> None:
        super().__init__(store, settings, feed)
        self._secret = store.secret()

    # --- laying one, sitting down -----------------------------------------------------------------------------

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
        wanted = _seat_plan(variant.seats, seats, ghost or 0)
        await self._find_room()
        token = new_token()
        chosen = None if typed else seed or chance.new_seed()
        row = TableRow(
            id=secrets.token_urlsafe(9), kind=kind, game=variant.game.id, variant=variant.text,
            rules=variant.game.rules_version, seed=chosen, promise=chance.seed_hash(chosen) if chosen else None,
            host=hash_token(token), created=time.time(), source=source, ghost=ghost, day=day, client=client,
        )  # fmt: skip
        table = Table(row, [])
        if typed and table.is_secret:
            raise LamplighterError(
                "what is dealt to one seat is hidden here, so it cannot be typed in: let the server deal"
            )
        table.script = await self._script(kind, source)
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

    async def _find_room(self) -> None:
        if await asyncio.to_thread(self.store.count_tables) >= self.settings.table_limit:
            raise TooMany("the server has no room for another table: old ones go every day, so try again", DAY)

    async def join(self, table: Table, name: str, seat: int | None = None, token: str = "") -> tuple[str, int]:
        """Take an open seat; the token and the seat. Who shows the same token again gets the same seat."""
        token = token or new_token()
        hashed, taken = hash_token(token), []

        def change(table: Table) -> list[Holder]:
            held = [number for number, holder in table.tokens.items() if holder == hashed]
            if held:
                taken.append(held[0])
                return []
            free = [number for number, one in enumerate(table.seats) if one.kind == "open"]
            if not free or (seat is not None and seat not in free):
                raise Full("no seat is free: you can watch" if not free else f"seat {seat} is taken")
            chosen = free[0] if seat is None else seat
            table.add("join", chosen, table.own_name(clean_name(name) or f"Player {chosen + 1}"))
            taken.append(chosen)
            return [Holder(chosen, hashed, time.time())]

        await self.change(table.id, change)
        return token, taken[-1]

    # --- playing ----------------------------------------------------------------------------------------------

    async def play(self, table: Table, seat: int, move: str, version: int, key: str, done: bool) -> Table:
        """A move of a person, once, if the seat is still where they saw it."""

        def change(table: Table) -> None:
            if table.seats[seat].kind == "bot":
                raise NotNow(f"a bot plays for seat {seat}: take the seat back first")
            position = table.match.position
            text = position.format_move(seat, position.parse_move(seat, move))
            table.add("move", seat, text, _key(seat, key))
            table.be_patient(seat, not done and table.row.kind != "entry")
            metrics.moves.labels(table.row.game).inc()

        return await self._change_once(table, seat, version, key, change)

    async def take_back(self, table: Table, seat: int, version: int, key: str) -> Table:
        """Take a seat's last move back."""

        def change(table: Table) -> None:
            text = table.match.copy().take_back(seat)
            table.add("undo", seat, text, _key(seat, key))

        return await self._change_once(table, seat, version, key, change)

    async def _change_once(
        self, table: Table, seat: int, version: int, key: str, change: Callable[[Table], None]
    ) -> Table:
        """Carry a change out if that has not been done, and the seat is still where the asker saw it."""

        def change_if_new(table: Table) -> None:
            if _key(seat, key) in table.keys:
                return
            if table.phase == "lobby":
                raise NotNow("the match begins when every seat is taken")
            if table.phase == "over":
                raise NotNow("the match is over: nothing is played or taken back any more")
            if table.seats[seat].version != version:
                raise Stale(f"seat {seat} has moved on since version {version}: it is at {table.seats[seat].version}")
            change(table)

        return await self.change(table.id, change_if_new)

    async def finish(self, table: Table, seat: int) -> Table:
        """A seat will take nothing back."""
        return await self.change(table.id, lambda table: table.be_patient(seat, False))

    async def roll(self, table: Table, text: str) -> Table:
        """Outcomes that were rolled on a real table."""

        def change(table: Table) -> None:
            if not table.is_typed:
                raise BadChance("this table rolls its own dice")
            if not table.chance_due:
                raise BadChance("no outcome is due now")
            scratch = table.match.copy()
            before = len(scratch.log)
            scratch.roll(text)
            for entry in scratch.log[before:]:
                table.add("chance", entry.seat, entry.text)

        return await self.change(table.id, change)

    async def unroll(self, table: Table) -> Table:
        """The last outcome was typed in wrongly."""

        def change(table: Table) -> None:
            if not table.can_unroll:
                raise NotNow("only what was typed in last can be taken back, until somebody acts on it")
            table.add("unroll", None, "")

        return await self.change(table.id, change)

    async def call(self, table: Table) -> Table:
        """The caller's next roll or flip. Bots stand in for the people on paper, so that it goes on."""

        def change(table: Table) -> None:
            if table.row.kind != "caller" or table.is_typed:
                raise NotNow("this table does not call")
            if not table.chance_due:
                over = table.match.is_over
                raise NotNow("the last roll was called" if over else "a moment: the last roll is not done")
            self._roll(table)

        return await self.change(table.id, change)

    # --- changing hands ---------------------------------------------------------------------------------------

    async def give_to_bot(self, table: Table, seat: int, bot: str, mine: Sequence[int], host: bool) -> Table:
        """Let a bot have an open seat, a seat whose person has left, or one's own."""
        name = bots.load(bot).name

        def change(table: Table) -> None:
            if not self.may_replace(table, seat, mine, host):
                raise NotYours(f"seat {seat} is not yours to give")
            table.add("bot", seat, name)

        return await self.change(table.id, change)

    def may_replace(self, table: Table, seat: int, mine: Sequence[int], host: bool) -> bool:
        """One's own seat, always; a person's when they have left; one that is nobody's, the host's to give."""
        if seat in mine:
            return True
        if seat in table.tokens:
            return bool(mine) and table.seats[seat].kind == "person" and not self.is_here(table, seat)
        return host or (bool(mine) and table.seats[seat].kind == "open")

    def is_here(self, table: Table, seat: int) -> bool:
        """Whether the person of a seat gave a sign of life lately."""
        seen = table.seen.get(seat, 0.0)
        return seat in self.feed.here(table.id) or time.time() - seen < self.settings.away

    async def give_back(self, table: Table, seat: int) -> Table:
        def change(table: Table) -> None:
            if table.seats[seat].kind != "bot":
                raise NotNow(f"seat {seat} is not played by a bot")
            table.add("person", seat, "")

        return await self.change(table.id, change)

    async def rename(self, table: Table, seat: int, name: str) -> Table:
        if not clean_name(name):
            raise LamplighterError("a name has at least one letter")

        def change(table: Table) -> None:
            if not table.is_calm("name", seat, CALM["name"]):
                raise NotNow("the name was changed a moment ago")
            table.add("name", seat, table.own_name(clean_name(name), seat))

        return await self.change(table.id, change)

    async def nudge(self, table: Table, seat: int) -> Table:
        """A gentle reminder, once a moment."""

        def change(table: Table) -> None:
            if seat not in table.waiting:
                raise NotNow(f"nobody waits for seat {seat}")
            if not table.is_calm("nudge", seat, CALM["nudge"]):
                raise NotNow("they were nudged a moment ago")
            table.add("nudge", seat, "")

        return await self.change(table.id, change)

    def saw(self, table: Table, seats: Sequence[int]) -> None:
        """A sign of life from these seats."""
        now = time.time()
        stale = [seat for seat in seats if now - table.seen.get(seat, 0.0) > self.settings.away / 3]
        for seat in stale:
            table.seen[seat] = now
        if stale and self.settings.shared:
            self.store.saw(table.id, stale)

    # --- again ------------------------------------------------------------------------------------------------

    async def again(self, table: Table) -> Table:
        """A new table with the same seats; everybody's token is good there too."""
        if table.phase != "over":
            raise NotNow("a rematch comes after the end")
        if table.rematch is None:
            await self._find_room()
            seed = None if table.is_typed else chance.new_seed()
            row = TableRow(
                id=secrets.token_urlsafe(9), kind="table", game=table.row.game, variant=table.row.variant,
                rules=table.row.rules, seed=seed, promise=chance.seed_hash(seed) if seed else None, host=table.row.host,
                created=time.time(),
            )  # fmt: skip
            holders = [Holder(seat, token, time.time()) for seat, token in table.tokens.items()]
            await asyncio.wrap_future(self.store.create(row, holders, _same_seats(table)))

            def change(table: Table) -> None:
                if table.rematch is None:  # else somebody else was quicker, and all meet there
                    table.add("rematch", None, row.id)

            table = await self.change(table.id, change)
        return await self.get(table.rematch or "")

    # --- the daily match --------------------------------------------------------------------------------------

    def daily_seed(self, game: str, day: str) -> str:
        """The seed of a game's match of the day, which only this server can tell before the day is over."""
        return hmac.new(self._secret.encode(), f"{day}/{game}".encode(), hashlib.sha256).hexdigest()[:32]


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def _key(seat: int, key: str) -> str:
    return f"{seat}:{key}"


def _seat_plan(count: int, seats: Sequence[str], own: int) -> list[str]:
    """What is at every seat; without a plan a person and greedy bots."""
    plan = list(seats) or ["me" if seat == own else "bot:greedy" for seat in range(count)]
    if len(plan) != count:
        raise LamplighterError(f"{len(plan)} seats are described, and the match has {count}")
    for what in plan:
        if what not in ("me", "open") and not what.startswith("bot:"):
            raise LamplighterError(f"a seat is 'me', 'open' or 'bot:NAME', not {what!r}")
    return plan


def _same_seats(table: Table) -> list[Row]:
    """The beginning of a log where everybody sits as before; a bot goes on for a person who was away."""
    rows: list[Row] = []
    for number, seat in enumerate(table.seats):
        kinds = [("join", seat.name)] if number in table.tokens else []
        kinds += [("bot", seat.bot)] if seat.bot else []
        for kind, text in kinds:
            rows.append(Row(len(rows) + 1, kind, number, text, time.time()))
    return rows
