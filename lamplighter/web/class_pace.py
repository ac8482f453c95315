"""The rounds of a class: how far a table is, whom the others wait for, and what brings a table to where the class is."""

from __future__ import annotations

import time

from lamplighter.web.class_store import ClassRow
from lamplighter.web.session import Session

FREE = 1_000_000  # the round of a class that nobody paces
ARRIVAL = 60.0  # seconds that a child has to come to the table before it counts as gone
OPENING = 2.0  # seconds until a page that was asked for listens to its table


def round_of(row: ClassRow) -> int:
    """Return the last round that may begin."""
    return FREE if row.pace == "free" else row.round


def is_gone(session: Session, seat: int) -> bool:
    """Whether a child was at its table and has left it, or did not come in time."""
    created, now = session.row.created, time.time()
    seen = session.seen.get(seat, 0.0)
    left = now - seen > OPENING and (seen > created or now - created > ARRIVAL)
    return left and not session.is_here(seat)


def reached(session: Session) -> int:
    """Return the round in which a table is, or which it waits for."""
    return max(1, session.table.match.position.turn)


def rounds_behind(row: ClassRow, session: Session) -> int:
    """Return how many rounds a table has to play before it is in the round of the class."""
    if row.phase != "play" or row.pace == "free" or session.table.phase != "play":
        return 0
    return max(0, row.round - reached(session))


def waited_for(row: ClassRow, session: Session) -> list[int]:
    """Return the seats that the next round of the class waits for: children who are here, in the middle of this round.

    A table that is further behind knows these dice already, so that waiting for it helps nobody.
    """
    table = session.table
    if row.phase != "play" or row.pace == "free" or table.phase != "play" or reached(session) != row.round:
        return []
    return [seat for seat in table.waiting if table.seats[seat].kind == "person" and not is_gone(session, seat)]


def gone(row: ClassRow, session: Session) -> list[int]:
    """Return the seats that a table waits for and whose children have left, where a bot is to play on."""
    if row.leaving != "bot" or row.phase != "play":
        return []
    people = [seat for seat in session.table.waiting if session.table.seats[seat].kind == "person"]
    return [seat for seat in people if is_gone(session, seat)]


def is_behind(row: ClassRow, session: Session) -> bool:
    """Whether a table has not heard where the class is."""
    table = session.table
    return not table.is_told if row.phase == "ended" else table.phase == "play" and table.round < round_of(row)


def bring_on(row: ClassRow, session: Session) -> None:
    """Bring a table to where the class is: the round that may begin, or the end."""
    if not is_behind(row, session):
        return
    if row.phase == "ended" or session.table.paused:
        session.release()  # whoever wanted to take something back had the time until now
    told = ("told", "") if row.phase == "ended" else ("round", str(round_of(row)))
    session.add(told[0], None, told[1])


def play_on(session: Session, seats: list[int]) -> None:
    """Let a bot play on for those of these seats that the table still waits for."""
    for seat in seats:
        if seat in session.table.waiting and session.table.seats[seat].kind == "person":
            session.add("bot", seat, session.stand_in)
