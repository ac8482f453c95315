"""The fold of a log: rows in, a table out, and nothing else."""

from __future__ import annotations

import ast
import random
from dataclasses import replace
from pathlib import Path

import pytest
from serving import a_row, all_at_once, one_by_one, variant_where

from lamplighter.errors import IllegalMove, LamplighterError
from lamplighter.web import table as table_module
from lamplighter.web.errors import Damaged, OlderRules
from lamplighter.web.store import Entry, TableRow
from lamplighter.web.table import Table, fold, results


def a_log(row: TableRow, moves: int, seed: int = 3) -> list[Entry]:
    """The log of a match with bots at every seat, or of its beginning, with a second between two entries."""
    table, rng = Table(row), random.Random(seed)

    def add(kind: str, seat: int | None, text: str) -> None:
        table.apply(Entry(table.seq + 1, kind, seat, text, float(table.seq)))

    for seat in range(len(table.seats)):
        add("join", seat, f"P{seat}")
    while table.phase == "play" and moves:
        if table.chance_due:
            add("chance", table.match.position.chance_seat, table.next_outcome() or "")
        else:
            seat = table.waiting[0]
            add("move", seat, rng.choice(table.match.legal_moves(seat)))
            moves -= 1
    return table.log


def told(table: Table) -> object:
    """Everything that a table says of itself."""
    seats = [(seat.kind, seat.name, seat.version, seat.since, seat.acted) for seat in table.seats]
    return table.match.position.key, seats, table.phase, table.waiting, table.rolled, list(table.log)


def test_the_same_log_makes_the_same_table() -> None:
    for kind in (all_at_once, one_by_one):
        row = a_row(variant_where(kind))
        log = a_log(row, 12)
        assert told(fold(row, log)) == told(fold(row, log))
        assert told(fold(row, log)) != told(fold(row, log[:-1]))


def test_a_log_can_be_folded_piece_by_piece() -> None:
    row = a_row(variant_where(one_by_one))
    log = a_log(row, 9)
    table = fold(row, log[:5])
    for entry in log[5:]:
        table.apply(entry)
    assert told(table) == told(fold(row, log))


def test_what_is_refused_changes_nothing() -> None:
    row = a_row(variant_where(one_by_one))
    table = fold(row, a_log(row, 4)[:-1])  # somebody has to move
    before, seat = told(table), table.waiting[0]
    legal = table.match.legal_moves(seat)
    for entry in (
        Entry(table.seq + 1, "move", seat, "nonsense", 1.0),
        Entry(table.seq + 1, "move", 1 - seat, legal[0], 1.0),
        Entry(table.seq + 1, "chance", None, "nonsense", 1.0),
    ):
        with pytest.raises((IllegalMove, LamplighterError)):
            table.apply(entry)
        assert told(table) == before


def test_a_log_that_cannot_be_is_damaged() -> None:
    row = a_row(variant_where(one_by_one))
    log = a_log(row, 4)
    with pytest.raises(Damaged, match=f"corrupt at entry {len(log)}"):
        fold(row, [*log[:-1], replace(log[-1], text="nonsense")])
    with pytest.raises(Damaged, match="corrupt at entry 1"):
        fold(row, [replace(log[0], kind="unheard-of")])


def test_other_rules_are_not_folded() -> None:
    row = a_row(variant_where(one_by_one))
    with pytest.raises(OlderRules):
        fold(replace(row, rules=row.rules + 1), [])


def test_results_are_those_of_the_match() -> None:
    row = a_row(variant_where(one_by_one))
    table = fold(row, a_log(row, 10_000))
    assert table.phase == "over"
    assert [one.total for one in results(table)] == table.match.totals
    assert [one.seat for one in results(table) if one.won] == table.match.winners()


def imported(path: Path) -> set[str]:
    """The modules that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return found


def test_the_fold_knows_no_clock_and_no_session() -> None:
    path = Path(str(table_module.__file__))
    alive = {
        "time",
        "asyncio",
        "threading",
        "lamplighter.web.session",
        "lamplighter.web.feed",
        "lamplighter.web.store.Store",
    }
    assert not imported(path) & alive
    assert imported(path.with_name("session.py")) & alive >= {"time", "asyncio"}  # it would be noticed


def test_calling_a_bot_and_sending_it_away_is_idling() -> None:
    """Who comes back has time once. Whoever does it again without a move between wins none, and keeps the votes."""
    row = a_row(variant_where(all_at_once))
    table = fold(row, a_log(row, 1)[:-1])  # everybody has to move

    def add(kind: str, text: str, at: float) -> None:
        table.apply(Entry(table.seq + 1, kind, 0, text, at))

    seat = table.seats[0]
    add("vote", "1", 100.0)
    add("bot", "greedy", 101.0)
    add("person", "", 102.0)
    assert (seat.acted, seat.votes) == (102.0, set())
    add("vote", "1", 250.0)
    add("bot", "greedy", 251.0)
    add("person", "", 252.0)
    assert (seat.acted, seat.votes) == (102.0, {1})
    add("bot", "greedy", 253.0)
    add("move", table.match.legal_moves(0)[0], 254.0)
    add("person", "", 255.0)
    assert seat.acted >= 254.0 and seat.votes == set()
