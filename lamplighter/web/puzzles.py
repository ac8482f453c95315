"""The puzzles of a day: made by another process piece by piece, kept in the database, shown as tables for one answer only.

The server knows nobody who solves them. What somebody plays comes with each request, as in a lesson; the answer that counts
is in a cookie of their browser, and the solution is told only to those who have one.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from lamplighter import games, jit
from lamplighter.bots import puzzle as maker
from lamplighter.bots.puzzle import EDITION, Puzzle, read_puzzle
from lamplighter.engine.match import Match
from lamplighter.errors import LamplighterError
from lamplighter.web import db_schema, views
from lamplighter.web.errors import Busy, NotNow
from lamplighter.web.heavy import HeavyWork
from lamplighter.web.lessons import passing_session, passing_table
from lamplighter.web.service import today
from lamplighter.web.session import Session
from lamplighter.web.settings import Settings
from lamplighter.web.store import Store

PAST_DAYS = 60  # days whose puzzles can be asked for, and are kept
WAITING = 12  # puzzles that are being made at a time
REMEMBERED = 200  # puzzles in memory
log = logging.getLogger("lamplighter.web")


@dataclass
class Making:
    """How far a puzzle is. While the games are compiled none is made: that would take an hour."""

    done: int = 0
    of: int = maker.STEPS
    later: bool = False

    def fields(self) -> dict[str, Any]:
        return {"state": "later" if self.later else "making", "done": self.done, "of": self.of}


class Puzzles:
    """The puzzles that this process knows or makes."""

    def __init__(self, store: Store, heavy: HeavyWork) -> None:
        self._store, self._heavy = store, heavy
        self._known: dict[tuple[str, str], Puzzle | None] = {}
        self._making: dict[tuple[str, str], Making] = {}
        self._jobs: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()  # one puzzle after the other: hints and replays come in between

    async def get(self, game: str, day: str) -> Puzzle | Making | None:
        """Return the puzzle of a game and a day, or how far it is; None if that day has none."""
        key = (games.load(game).id, known_day(day))
        if key in self._known:
            return self._known[key]
        if key in self._making:
            return self._making[key]
        body = await asyncio.to_thread(load_body, self._store, *key)
        if body is not None:
            return self._note(key, body)
        if jit.PURE:
            return Making(later=True)
        if key not in self._making:
            if len(self._making) >= WAITING and day != today():  # those of today are always made
                raise Busy("many puzzles are being made: try again in a moment")
            self._making[key] = Making()
            job = asyncio.create_task(self._make(key))
            self._jobs.add(job)
            job.add_done_callback(self._jobs.discard)
        return self._making[key]

    def close(self) -> None:
        for job in self._jobs:
            job.cancel()

    def _note(self, key: tuple[str, str], body: bytes) -> Puzzle | None:
        fields = orjson.loads(body)
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[key] = None if fields is None else read_puzzle(fields)
        return self._known[key]

    async def _make(self, key: tuple[str, str]) -> None:
        """Make a puzzle and keep it. If that fails, whoever asks next starts it again."""
        making, found = self._making[key], list[Puzzle]()
        try:
            async with self._turn:
                while making.done < making.of and len(found) < maker.ENOUGH:
                    step = making.done
                    given = await self._heavy.run(("puzzle", *key, step), "puzzles", find_json, *key, step)
                    found += map(read_puzzle, orjson.loads(given))
                    making.done += 1
            chosen = maker.choose(found)
            body = orjson.dumps(None if chosen is None else chosen.fields())
            await asyncio.wrap_future(self._store.write(lambda connection: save_body(connection, *key, body)))
            self._note(key, body)
        except LamplighterError as error:
            log.warning("a puzzle could not be made (%s)", error.code)
        finally:
            del self._making[key]


def find_json(game: str, day: str, step: int) -> bytes:
    """Look for puzzles in a few matches, in the other process."""
    return orjson.dumps([found.fields() for found in maker.find(game, day, step)])


def known_day(text: str) -> str:
    """Return a day that has begun, not too long ago. Refuse others."""
    now = today()
    try:
        if date.fromisoformat(text).isoformat() != text:
            raise ValueError
    except ValueError:
        raise LamplighterError(f"a day is written like {now}, not {text!r}") from None
    if text > now:
        raise NotNow(f"{text} is in the future: come back then")
    if text < first_day():
        raise NotNow(f"puzzles are kept for {PAST_DAYS} days: {text} is too long ago")
    return text


def first_day() -> str:
    """Return the earliest day whose puzzles can be asked for."""
    return (date.fromisoformat(today()) - timedelta(PAST_DAYS)).isoformat()


# --- the database -----------------------------------------------------------------------------------------------


def _edition(game: str) -> str:
    return f"{EDITION} {games.load(game).rules_version}"


def load_body(store: Store, game: str, day: str) -> bytes | None:
    """Return a puzzle as it was kept; None if it was not, or by an older edition of the maker or the rules."""
    columns = db_schema.puzzles.c
    query = sa.select(columns.body).where(columns.day == day, columns.game == game, columns.edition == _edition(game))
    with store.connection() as connection:
        found = connection.execute(query).scalar()
    return None if found is None else str(found).encode()


def save_body(connection: Connection, game: str, day: str, body: bytes) -> None:
    """Keep a puzzle in the place of an older one, and forget those that nobody can ask for any more."""
    puzzles = db_schema.puzzles
    same = sa.and_(puzzles.c.day == day, puzzles.c.game == game)
    connection.execute(sa.delete(puzzles).where(sa.or_(same, puzzles.c.day < first_day())))
    values = {"day": day, "game": game, "edition": _edition(game), "body": body.decode()}
    connection.execute(sa.insert(puzzles), values)


# --- what is shown ----------------------------------------------------------------------------------------------


def session_of(puzzle: Puzzle, match: Match, settings: Settings) -> Session:
    """Return the table of a puzzle as views take it."""
    return passing_session(passing_table(match, "puzzle", match.waiting), puzzle.seat, settings)


def show(puzzle: Puzzle, moves: tuple[str, ...], settings: Settings, language: str) -> dict[str, Any]:
    """Return the puzzle after some moves, without anything that tells how good they are."""
    match = puzzle.after(moves)
    view = views.show(session_of(puzzle, match, settings), views.Viewer((puzzle.seat,)), puzzle.seat, True, language)
    return {"state": "ready", "moves": list(moves), "view": view | {"can_undo": bool(moves), "due": None}}


def judge(puzzle: Puzzle, moves: tuple[str, ...]) -> dict[str, Any]:
    """Return what an answer is worth, and all that could have been found. Refuse one that is not finished."""
    match = puzzle.after(moves)
    if not match.is_over:
        raise NotNow("this is not finished yet: play the turn to its end")
    total = match.totals[puzzle.seat]
    fields = puzzle.fields()
    told = {name: fields[name] for name in ("best", "solutions", "worths", "rivals")}
    return {"moves": list(moves), "total": total, "solved": total == puzzle.best, **told}


def pack_answer(moves: tuple[str, ...]) -> str:
    """Return moves as a word for a cookie."""
    return base64.urlsafe_b64encode("\n".join(moves).encode()).decode().rstrip("=")


def unpack_answer(puzzle: Puzzle, word: str) -> dict[str, Any] | None:
    """Return what an answer in a cookie is worth; None if there is none, or if it belongs to another puzzle."""
    try:
        moves = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)).decode().split("\n")
        return judge(puzzle, tuple(moves[: maker.DEEPEST])) if word else None
    except (ValueError, LamplighterError):
        return None
