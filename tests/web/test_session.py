"""A live table without a server: what waits for a take-back, who is here, and what bots may do."""

from __future__ import annotations

import math
import time
from dataclasses import replace

from serving import a_row, one_by_one, variant_where

from lamplighter.bots import OPPONENT, Budget
from lamplighter.web.feed import Feed
from lamplighter.web.session import Session, think
from lamplighter.web.settings import Settings
from lamplighter.web.store import Entry, Holder
from lamplighter.web.table import Table


def a_session(hold: float = 60.0, away: float = 30.0, idle: float = 120.0, chosen: str = "short") -> Session:
    """A session of a match between two people that has begun."""
    settings = Settings("sqlite://", hold=hold, hold_long=10 * hold, away=away, idle=idle)
    row = replace(a_row(variant_where(one_by_one)), hold=chosen)
    session = Session(Table(row), [], settings, Feed())
    for seat in (0, 1):
        session.add("join", seat, f"P{seat}")
    session.advance()
    return session


def play_until_due(session: Session, patient: bool) -> None:
    """Moves until something comes by itself, such as the next roll."""
    while True:
        seat = session.table.waiting[0]
        session.add("move", seat, session.table.match.legal_moves(seat)[0])
        session.be_patient(seat, patient)
        if session.table.is_due:
            return


def test_a_roll_waits_for_a_take_back() -> None:
    session = a_session()
    play_until_due(session, patient=True)
    session.advance()
    seq = session.table.seq
    assert session.hold_until is not None and session.hold_until > time.time()
    session.advance()
    assert session.table.seq == seq  # still waiting
    session.release()
    session.advance()
    assert session.hold_until is None and session.table.seq > seq and session.table.waiting


def test_a_roll_does_not_wait_for_somebody_who_is_done() -> None:
    session = a_session()
    play_until_due(session, patient=False)
    session.advance()
    assert session.hold_until is None and session.table.waiting


def test_without_a_hold_nothing_waits() -> None:
    session = a_session(hold=0.0)
    play_until_due(session, patient=True)
    session.advance()
    assert session.hold_until is None and session.table.waiting


def test_what_is_not_written_is_known() -> None:
    session = a_session()
    assert session.unsaved() == session.table.log
    session.saved = session.table.seq
    assert session.unsaved() == []
    session.add("nudge", 0, "")
    assert [entry.kind for entry in session.unsaved()] == ["nudge"]


def test_an_old_entry_is_quiet_again() -> None:
    session = a_session()
    assert session.was_quiet("nudge", 0, 10.0)
    session.add("nudge", 0, "")
    assert not session.was_quiet("nudge", 0, 10.0) and session.was_quiet("nudge", 1, 10.0)
    assert session.was_quiet("nudge", 0, 0.0)


def test_who_is_here() -> None:
    session = a_session()
    assert not session.is_here(0)
    session.seat_holders([Holder(0, "token", time.time())])
    assert session.is_here(0) and not session.is_here(1)
    session.seat_holders([Holder(0, "token", 1.0)])  # what the store says may be older than what is known
    assert session.is_here(0)


def test_a_bot_may_have_the_seat_of_somebody_who_left() -> None:
    session = a_session()
    session.seat_holders([Holder(0, "ana", time.time()), Holder(1, "bo", 1.0)])
    assert session.may_replace(1, [0], host=False) and not session.may_replace(0, [1], host=True)
    assert session.may_replace(0, [0], host=False) and not session.may_replace(1, [], host=True)


def test_all_who_are_here_can_vote_somebody_out() -> None:
    session = a_session(idle=0.0)
    session.seat_holders([Holder(0, "ana", time.time()), Holder(1, "bo", time.time())])
    idler = session.table.waiting[0]
    other = 1 - idler
    assert session.may_vote(idler, [other]) and not session.may_vote(idler, [idler])
    assert not session.is_voted_out(idler)
    session.add("vote", idler, str(other))
    assert session.is_voted_out(idler) and not session.is_voted_out(other)


def test_bots_play_only_what_still_fits() -> None:
    session = a_session()
    seat = session.table.waiting[0]
    assert session.bots_to_move() == {}
    session.add("bot", seat, "uniform")
    assert session.bots_to_move() == {seat: "uniform"} and session.stand_in == "uniform"
    moves = think(session.table.match.copy(), session.bots_to_move(), Budget())
    before = session.table.seq
    session.play_bots([(seat, "nonsense"), *moves])
    assert session.table.seq == before
    session.play_bots(moves)
    assert session.table.seq == before + len(moves) > before
    assert a_session().stand_in == OPPONENT


def test_a_table_chooses_how_long_it_waits() -> None:
    for chosen, least, most in (("short", 59, 61), ("long", 599, 601), ("done", math.inf, math.inf)):
        session = a_session(chosen=chosen)
        session.seat_holders([Holder(0, "ana", time.time()), Holder(1, "ana", time.time())])
        play_until_due(session, patient=True)
        session.advance()
        assert session.hold_until is not None and least <= session.hold_until - time.time() <= most


def test_nobody_keeps_others_waiting_for_ever() -> None:
    """Until "done" is without end only where all sit at one device; else as long as for a move."""
    session = a_session(chosen="done", idle=90.0)
    session.seat_holders([Holder(0, "ana", time.time()), Holder(1, "bo", time.time())])
    play_until_due(session, patient=True)
    session.advance()
    assert session.hold_until is not None and 89 <= session.hold_until - time.time() <= 91


def test_a_bot_that_takes_a_seat_over_ends_its_wait() -> None:
    session = a_session(chosen="done")
    play_until_due(session, patient=True)
    session.advance()
    for seat in (0, 1):
        session.add("bot", seat, "uniform")
    assert session.hold_until is None


def test_a_wait_is_known_again_after_the_log_was_read() -> None:
    """And another seat's "done" does not end it."""
    session = a_session(chosen="done")
    play_until_due(session, patient=True)
    last = session.table.log[-1]
    log = [*session.table.log[:-1], Entry(last.seq, "move", last.seat, last.text, last.at, "key")]
    again = Session(Table(session.row), [], Settings("sqlite://"), Feed())
    again.catch_up(log)
    assert again.hold_until == math.inf
    again.be_patient(1 - (last.seat or 0), False)
    assert again.hold_until == math.inf
    again.be_patient(last.seat or 0, False)
    assert again.hold_until is None
