"""What a teacher and the children of a class do: open one, join, come back, begin, pace the rounds, end.

A class is a set of tables of one variant with the same seed. Each of them is a table like others, of kind `class`, whose log
says which round may begin (`round`) and when the dice may be told (`told`). docs/decisions/0018-class.md says why.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from lamplighter import bots
from lamplighter.engine import chance
from lamplighter.errors import LamplighterError
from lamplighter.web import class_pace, metrics
from lamplighter.web.bucket import Bucket
from lamplighter.web.class_admin import Child, take_out
from lamplighter.web.class_store import ClassRow, ClassStore, Pupil, Seating, tidy_code
from lamplighter.web.errors import (
    Damaged,
    NameTaken,
    NoClass,
    NoTable,
    NotNow,
    NotYours,
    OlderRules,
    OtherChild,
    TooMany,
)
from lamplighter.web.names import looks, mixes_scripts, skeleton
from lamplighter.web.service import DAY, TableService, name_of_person
from lamplighter.web.session import Session
from lamplighter.web.store import Conflict, Entry, Holder, TableRow
from lamplighter.web.table import Table, load_variant
from lamplighter.web.tokens import hash_token, new_table_id, new_token
from lamplighter.web.trouble import StoreTrouble

LETTERS = "CDFGHJKLMNPQRTVWX"  # none looks like another or like a digit, and they make no words
CODE = 6  # letters of a code: 24 million codes
GUESSES = (1 / 5, 120)  # codes that a client may try: a second in the long run, and at once; a school is one client
TRIES = 5  # numbers that one network may try for a child at once
TRIES_OF_ALL = 50  # and all networks together, so that nobody tries all numbers from many
TRY_AGAIN = 60.0  # seconds until another one may be tried
EXTRA = 10.0  # seconds that a timer gives, again and again, while a child is in the middle of the round
TICK = 1.0  # seconds between two looks for timers that have run out
SHARE = (
    4  # tables of a class that count as one for the limits of a client: they are small, and a school has one address
)
LOST = (NoTable, OlderRules, Damaged)  # a table that a class has to do without
One = TypeVar("One")
Lay = Callable[[float], Awaitable[str]]  # sees that a client may set up so many tables, and says who it is
log = logging.getLogger("lamplighter.web")


class ClassService:
    """Classes, and their tables as `tables` keeps them."""

    def __init__(self, tables: TableService) -> None:
        self.tables, self.store = tables, ClassStore(tables.store)
        self._guesses = Bucket(*GUESSES)
        self._tries = Bucket(1 / TRY_AGAIN, TRIES)
        self._all_tries = Bucket(1 / TRY_AGAIN, TRIES_OF_ALL)
        self._began = time.monotonic()
        self._seating = asyncio.Lock()  # children who ask while a match begins wait until all of them are seated

    # --- opening and finding ----------------------------------------------------------------------------------

    async def create(
        self, variant_text: str, box: str | None, pace: str, minutes: float, leaving: str
    ) -> tuple[ClassRow, str]:
        """Open a class. Return it and the teacher's token."""
        variant = load_variant(load_variant(variant_text, box).short_text, box)
        if await asyncio.to_thread(self.store.count) >= self.tables.settings.table_limit:
            raise TooMany("the server has no room for another class: old ones are deleted every day", DAY)
        token, now = new_token(), time.time()
        for _ in range(8):
            row = ClassRow(
                id=new_table_id(), code="".join(secrets.choice(LETTERS) for _ in range(CODE)), teacher=hash_token(token),
                game=variant.game.id, variant=variant.text, box=box, pace=pace, minutes=minutes, leaving=leaving, door=True,
                phase="lobby", match=0, round=0, due=None, seed=None, created=now, touched=now,
            )  # fmt: skip
            with contextlib.suppress(Conflict):  # the code is taken
                await asyncio.wrap_future(self.store.create(row))
                return row, token
        raise TooMany("no code is free: try again", 1)

    async def teaching(self, class_id: str, token: str) -> ClassRow:
        """Return a class to its teacher."""
        row = await asyncio.to_thread(self.store.by_id, class_id)
        if row is None:
            raise NoClass("there is no such class here")
        if not secrets.compare_digest(row.teacher, hash_token(token)):
            raise NotYours("only the teacher of this class can do this")
        return row

    async def _again(self, row: ClassRow) -> ClassRow:
        """Return a class as it is now."""
        found = await asyncio.to_thread(self.store.by_id, row.id)
        if found is None:
            raise NoClass("there is no such class here")
        return found

    # --- children ---------------------------------------------------------------------------------------------

    async def join(
        self, code: str, name: str, token: str, pin: str, client: str, lay: Lay | None = None
    ) -> tuple[ClassRow, Pupil]:
        """Let a child in: a new one, or one that comes back. The token is the key of its seats."""
        self._count_guess(client)
        row = await asyncio.to_thread(self.store.by_code, tidy_code(code))
        if row is None:
            raise NoClass("there is no class with this code: look at the wall again")
        called, hashed = name_of_person(name), hash_token(token)
        if not skeleton(called):
            raise LamplighterError("a name needs at least one letter")
        for _ in range(3):
            pupils, _places = await asyncio.to_thread(self.store.everybody, row.id)
            own = next((one for one in pupils if one.token == hashed), None)
            known = next((one for one in pupils if looks(one.name) & looks(called)), None)
            if own is not None and own != known:
                raise OtherChild(f"on this device you are {own.name!r}: go on with that name, or as somebody new")
            if own is not None:
                return row, own
            if known is not None:
                return row, await self._come_back(row, known, hashed, pin, client)
            if not row.door:
                raise NotNow("nobody else can join this class now: ask your teacher")
            if mixes_scripts(called):
                raise LamplighterError("write your name with the letters of one alphabet")
            with contextlib.suppress(Conflict):  # another child was quicker: perhaps by the same name
                adding = self.store.add_pupil(row, called, skeleton(called), hashed, f"{secrets.randbelow(10**4):04}")
                pupil = await asyncio.wrap_future(adding)
                if row.phase == "play":
                    await self._seat_everybody(row, lay)
                return row, pupil
        raise NotNow("too many children join at once: try again")

    def _count_guess(self, client: str) -> None:
        wait = self._guesses.take(client)
        if wait:
            raise TooMany("too many tries from your network: wait a moment", wait)

    async def _come_back(self, row: ClassRow, pupil: Pupil, token: str, pin: str, client: str) -> Pupil:
        """Let a child in from another device, by its number. Whoever guesses is slowed down, and nobody else."""
        if not pin:
            raise NameTaken(
                "somebody with this name is in the class. If that is you, type your number, or ask your teacher for it; "
                "if not, choose another name"
            )
        number = hash_token(f"{row.id} {pupil.number} {pupil.pin}")  # a new one from the teacher may be tried at once
        wait = self._tries.take(f"{number} {client}") or self._all_tries.take(number)
        if wait:
            raise TooMany(
                f"too many wrong numbers for {pupil.name}: try again in {math.ceil(wait)} seconds, or ask your teacher",
                wait,
            )
        if not pupil.pin or not secrets.compare_digest(pupil.pin, pin):
            raise NameTaken("that is not the number of this child: ask your teacher for it")
        await self._move(row, pupil, token)
        return dataclasses.replace(pupil, token=token)

    async def _move(self, row: ClassRow, pupil: Pupil, token: str) -> None:
        """Let another token open a child's seats; the old one opens nothing any more, in no process."""
        await asyncio.wrap_future(self.store.move_pupil(row, pupil, token))
        _, places = await asyncio.to_thread(self.store.everybody, row.id)
        for place in places:
            session = self.tables.cache.find(place.table_id)
            if place.pupil == pupil.number and session is not None:
                session.seat_holders([Holder(place.seat, token, 0.0)])
                async with session.lock:
                    if self.tables.cache.has(session):
                        await self.tables.cache.catch_up(session)
                self.tables.driver.wake(session)
                self.tables.feed.publish(session.id)

    async def pupil(
        self, code: str, token: str, client: str, lay: Lay | None = None
    ) -> tuple[ClassRow, Pupil, Seating | None]:
        """Return the class of a child, the child, and where it sits. Whoever guesses learns nothing of codes."""
        row = await asyncio.to_thread(self.store.by_code, tidy_code(code))
        pupils, places = await asyncio.to_thread(self.store.everybody, "" if row is None else row.id)
        pupil = next((one for one in pupils if secrets.compare_digest(one.token, hash_token(token))), None)
        if row is None or pupil is None:
            self._count_guess(client)
            raise NoClass("you are not in this class on this device")
        place = _place_of(row, pupil, places)
        if place is None and row.phase == "play":
            place = _place_of(row, pupil, await self._seat_everybody(row, lay))
        return row, pupil, place

    # --- the match --------------------------------------------------------------------------------------------

    async def start(self, row: ClassRow, lay: Lay | None = None) -> ClassRow:
        """Begin a match, the first or the next, with all children of the class."""
        if row.phase == "play":
            raise NotNow("a match is being played: end it first")
        pupils, places = await asyncio.to_thread(self.store.everybody, row.id)
        if not pupils:
            raise NotNow("nobody has joined yet")
        await self.tables.find_room()
        maker = await lay(max(1.0, len(pupils) / SHARE)) if lay else None
        due = time.time() + row.minutes * 60 if row.pace == "timer" else None
        change = {"phase": "play", "match": row.match + 1, "round": 1, "seed": chance.new_seed(), "due": due}
        begun = await asyncio.wrap_future(self.store.change(row, **change))
        now = await self._again(row)
        if begun:
            seated = await self._seat_everybody(now, maker=maker)
            await self._call_over(row, places, seated)
        return now

    async def _seat_everybody(self, row: ClassRow, lay: Lay | None = None, maker: str | None = None) -> list[Seating]:
        """Set up tables for the children who have none in this match. Return where everybody sits.

        The tables of who comes late count for the client who asks, as those of `maker` have been counted already.
        """
        async with self._seating:
            pupils, places = await asyncio.to_thread(self.store.everybody, row.id)
            seated = {place.pupil for place in places if place.match == row.match}
            size = load_variant(row.variant, row.box).seats
            groups = groups_of([pupil for pupil in pupils if pupil.number not in seated], size)
            await self.tables.find_room()
            if groups and lay is not None:
                maker = await lay(len(groups) / SHARE)
            made = [
                self._set_up(row, group, size, maker if number % SHARE == 0 else None)
                for number, group in enumerate(groups)
            ]
            await asyncio.gather(*made)
        return (await asyncio.to_thread(self.store.everybody, row.id))[1]

    async def _set_up(self, row: ClassRow, group: Sequence[Pupil], size: int, maker: str | None) -> None:
        """Set up one table. Seats that no child has are for bots."""
        variant, now, salt, table_id = (
            load_variant(row.variant, row.box),
            time.time(),
            chance.new_seed(),
            new_table_id(),
        )
        seed = _seed_at(row, table_id)
        table = TableRow(
            id=table_id, kind="class", client=row.id, game=row.game, variant=row.variant, rules=variant.game.rules_version,
            seed=seed, promise=chance.promise(seed, salt), salt=salt, host="", created=now, maker=maker, box=row.box,
            hold="long",
        )  # fmt: skip
        people = [("join", seat, pupil.name) for seat, pupil in enumerate(group)]
        others = [("bot", seat, bots.OPPONENT) for seat in range(len(group), size)]
        told = [*people, *others, ("round", None, str(class_pace.round_of(row)))]
        log = [Entry(seq, kind, seat, text, now) for seq, (kind, seat, text) in enumerate(told, 1)]
        holders = [Holder(seat, pupil.token, now) for seat, pupil in enumerate(group)]
        seats = [Seating(row.match, pupil.number, table.id, seat) for seat, pupil in enumerate(group)]
        with contextlib.suppress(Conflict):  # another process has just seated one of them
            await asyncio.wrap_future(self.store.seat(row.id, table, holders, log, seats))
            metrics.tables.labels(row.game, "class").inc()

    async def _call_over(self, row: ClassRow, places: Sequence[Seating], seated: Sequence[Seating]) -> None:
        """Tell those who still look at the tables of the last match where the next one is."""
        new = {place.pupil: place.table_id for place in seated if place.match == row.match + 1}
        old = {place.table_id: new.get(place.pupil) for place in places if place.match == row.match}

        async def note(table_id: str, rematch: str) -> None:
            def command(session: Session) -> None:
                if session.table.rematch is None:
                    session.add("rematch", None, rematch)

            with contextlib.suppress(*LOST):
                await self.tables.driver.execute(table_id, command)

        await asyncio.gather(*(note(one, other) for one, other in old.items() if other))

    async def next_round(self, row: ClassRow, seen: int, anyway: bool = False) -> ClassRow:
        """Let the round after `seen` begin, when all who are here have finished that one. A second press is harmless.

        `anyway` goes on without those who have not: a bot plays on for them, or their tables wait, as the class chose.
        """
        if row.phase != "play" or row.pace == "free":
            raise NotNow("no rounds are paced now")
        if seen == row.round:
            _, places = await asyncio.to_thread(self.store.everybody, row.id)
            sessions = await self.sessions([place.table_id for place in places if place.match == row.match])
            in_play = [one for one in sessions.values() if one.table.phase == "play"]
            if not any(class_pace.reached(one) >= row.round for one in in_play):
                raise NotNow("no table is in this round: wait a moment, or end the match")
            missing = {one.id: seats for one in in_play if (seats := class_pace.waited_for(row, one))}
            if missing and not anyway:
                raise NotNow("some children have not finished this round: wait for them, or go on without them")
            due = time.time() + row.minutes * 60 if row.pace == "timer" else None
            begun = await asyncio.wrap_future(self.store.change(row, round=row.round + 1, due=due))
            if begun and row.leaving == "bot":
                await asyncio.gather(*(self._bring_on(one, seats) for one, seats in missing.items()))
            row = await self._again(row)
        await self.tend(row)
        return row

    async def end(self, row: ClassRow) -> ClassRow:
        """End the match for everybody: what they have now is what counts, and the dice are told."""
        if row.phase != "play":
            raise NotNow("no match is being played")
        while row.phase == "play":  # a timer may begin a round at the same moment
            await asyncio.wrap_future(self.store.change(row, phase="ended", due=None))
            row = await self._again(row)
        await self.tend(row)
        return row

    async def set_door(self, row: ClassRow, door: bool) -> ClassRow:
        """Let new children in, or nobody else. Those who are in come back all the same."""
        await asyncio.wrap_future(self.store.change(row, door=door))
        return await self._again(row)

    # --- one child, for the teacher ---------------------------------------------------------------------------

    async def known_pupil(self, row: ClassRow, number: int) -> tuple[Pupil, Seating | None]:
        pupils, places = await asyncio.to_thread(self.store.everybody, row.id)
        pupil = next((one for one in pupils if one.number == number), None)
        if pupil is None:
            raise NoClass(f"there is no child with number {number} in this class")
        return pupil, _place_of(row, pupil, places)

    async def new_pin(self, row: ClassRow, number: int) -> None:
        """Give a child another number for coming back."""
        pin = f"{secrets.randbelow(10**4):04}"
        await asyncio.wrap_future(self.store.change_pupil(row.id, number, pin=pin))

    async def stand_in(self, row: ClassRow, number: int, wanted: bool) -> None:
        """Let a bot play for a child, or the child again."""
        _, place = await self.known_pupil(row, number)
        if place is None or row.phase != "play":
            raise NotNow("this child plays no match now")

        def command(session: Session) -> None:
            plays = session.table.seats[place.seat].kind == "bot"
            if session.table.phase == "play" and plays != wanted:
                session.add("bot" if wanted else "person", place.seat, session.stand_in if wanted else "")

        await self.tables.driver.execute(place.table_id, command)

    async def remove(self, row: ClassRow, number: int) -> None:
        """Take a child out of the class: its link opens nothing any more, its name is nowhere, and a bot plays on."""
        gone = await asyncio.to_thread(take_out, self.tables.store, Child(row.id, number))
        for table_id in gone:
            session = self.tables.cache.find(table_id)
            if session is not None:
                async with session.lock:
                    self.tables.cache.forget(session)
                self.tables.feed.publish(table_id)

    # --- keeping the tables in step ---------------------------------------------------------------------------

    async def sessions(self, table_ids: Sequence[str]) -> dict[str, Session]:
        """Return the tables of a class that can be shown."""

        async def get(table_id: str) -> Session | None:
            with contextlib.suppress(*LOST):
                return await self.tables.get(table_id)
            return None

        ids = list(dict.fromkeys(table_ids))
        found = await asyncio.gather(*map(get, ids))
        return {one: session for one, session in zip(ids, found, strict=True) if session is not None}

    async def tend(self, row: ClassRow) -> None:
        """Bring all tables to where the class is: the round that may begin, bots for who left, the end.

        What a failure cut short is done when somebody looks again.
        """
        _, all_places = await asyncio.to_thread(self.store.everybody, row.id)
        places = [place for place in all_places if place.match == row.match]
        sessions = await self.sessions([place.table_id for place in places])
        settled = time.monotonic() - self._began > self.tables.settings.away  # after a start nobody is back yet
        late = {one.id: class_pace.gone(row, one) if settled else [] for one in sessions.values()}
        behind = [one for one in sessions.values() if class_pace.is_behind(row, one) or late[one.id]]
        await asyncio.gather(*(self._bring_on(one.id, late[one.id], row) for one in behind))
        if row.phase == "ended":
            ended = [_result(place, sessions[place.table_id].table) for place in places if place.table_id in sessions]
            open_ones = {place.pupil for place in places if place.total is None}
            fresh = [one for one in ended if one.pupil in open_ones]
            if fresh:
                await asyncio.wrap_future(self.store.note_results(row.id, fresh))

    async def _bring_on(self, table_id: str, seats: list[int], row: ClassRow | None = None) -> None:
        """Bring one table to where the class is, with bots for these seats. One that refuses does not stop the others."""

        def command(session: Session) -> None:
            if row is not None:
                class_pace.bring_on(row, session)
            class_pace.play_on(session, seats)

        try:
            await self.tables.driver.execute(table_id, command)
        except StoreTrouble:
            raise
        except LamplighterError as error:
            log.warning("a table of a class does not go on (%s)", error.code)

    async def watch(self) -> None:
        """Begin rounds by the timer, for as long as it runs."""
        while True:
            await asyncio.sleep(TICK)
            with contextlib.suppress(StoreTrouble):
                for row in await asyncio.to_thread(self.store.due, time.time()):
                    await self._ring_safely(row)

    async def _ring_safely(self, row: ClassRow) -> None:
        """Whatever goes wrong with one class stops its timer, and no other."""
        try:
            await self._ring(row)
        except StoreTrouble:
            raise
        except Exception:
            log.exception("the timer of a class stops")
            await asyncio.wrap_future(self.store.change(row, due=None))

    async def _ring(self, row: ClassRow) -> None:
        """Begin the next round, unless the match is over or everybody has gone: then the timer stops.

        While a child is in the middle of the round, the timer gives a little more, again and again.
        """
        _, places = await asyncio.to_thread(self.store.everybody, row.id)
        mine = [place for place in places if place.match == row.match]
        sessions = await self.sessions([place.table_id for place in mine])
        here = [
            place
            for place in mine
            if (one := sessions.get(place.table_id)) and one.table.phase == "play" and one.is_here(place.seat)
        ]
        try:
            if here:
                await self.next_round(row, row.round)
                return
        except NotNow:
            await asyncio.wrap_future(self.store.change(row, due=time.time() + EXTRA))
            return
        await asyncio.wrap_future(self.store.change(row, due=None))


def groups_of(pupils: Sequence[One], size: int) -> list[list[One]]:
    """Return groups of at most `size`, as equal as can be.

    >>> [len(group) for group in groups_of(range(13), 4)]
    [4, 3, 3, 3]
    """
    count = -(-len(pupils) // size)
    low, more = divmod(len(pupils), count) if count else (0, 0)
    found, taken = [], 0
    for number in range(count):
        end = taken + low + (number < more)
        found.append(list(pupils[taken:end]))
        taken = end
    return found


def _place_of(row: ClassRow, pupil: Pupil, places: Sequence[Seating]) -> Seating | None:
    return next((one for one in places if one.match == row.match and one.pupil == pupil.number), None)


def _seed_at(row: ClassRow, table_id: str) -> str:
    """Return the seed of a table: that of the class, but where hands are hidden one of its own.

    Else a friend at the same seat of another table would see the hands of one's opponents.
    """
    assert row.seed is not None
    if not load_variant(row.variant, row.box).match().is_secret:
        return row.seed
    return chance.derive(row.seed, "class table", table_id).hex()[:32]


def _result(place: Seating, table: Table) -> Seating:
    """Return a place with what its seat has now."""
    helped = any(entry.kind == "bot" and entry.seat == place.seat for entry in table.log)
    total = sum(table.score(place.seat).values())
    return dataclasses.replace(place, total=total, over=table.match.is_over, bot=helped)
