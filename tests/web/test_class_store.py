"""Classes in a database of either kind."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator

import pytest
from serving import a_row, one_by_one, variant_where

from lamplighter.web.class_admin import Child, children_of_name, delete_class, forget_children, list_classes, take_out
from lamplighter.web.class_store import ClassRow, ClassStore, Seating
from lamplighter.web.errors import NoClass
from lamplighter.web.store import Conflict, Holder, Store

NOW = time.time()
ROW = ClassRow(
    id="c", code="CDFGHJ", teacher="hash", game="g", variant="g?seats=1", box=None, pace="teacher", minutes=3, leaving="bot",
    door=True, phase="lobby", match=0, round=0, due=None, seed=None, created=NOW, touched=NOW,
)  # fmt: skip


@pytest.fixture
def store(filled: str) -> Iterator[Store]:
    made = Store(filled)
    yield made
    made.close()


@pytest.fixture
def classes(store: Store) -> ClassStore:
    made = ClassStore(store)
    made.create(ROW).result()
    return made


def seat(classes: ClassStore, table_id: str, match: int, pupil: int) -> None:
    """Set up a table of a class for one child."""
    table = dataclasses.replace(a_row(variant_where(one_by_one)), id=table_id, kind="class")
    holders = [Holder(0, "old", NOW)]
    classes.seat(ROW.id, table, holders, [], [Seating(match, pupil, table_id, 0)]).result()


def test_a_class_is_changed_only_by_who_saw_it_as_it_is(classes: ClassStore) -> None:
    assert (
        classes.by_code("CDFGHJ") == classes.by_id("c") == ROW and classes.by_id("d") is None and classes.count() == 1
    )
    with pytest.raises(Conflict):
        classes.create(dataclasses.replace(ROW, id="d")).result()
    assert classes.change(ROW, phase="play", match=1, round=1, due=5.0, seed="s").result()
    assert not classes.change(ROW, phase="play", match=1, round=1).result(), "somebody else was quicker"
    now = classes.by_id("c")
    assert now is not None and (now.phase, now.match, now.seed) == ("play", 1, "s")
    assert classes.due(4.0) == [] and classes.due(6.0) == [now]


def test_children_have_names_and_seats_of_their_own(classes: ClassStore, store: Store) -> None:
    ana = classes.add_pupil(ROW, "Ana", "ana", "old", "1234").result()
    with pytest.raises(Conflict):
        classes.add_pupil(ROW, "ANA", "ana", "x", "5678").result()
    with pytest.raises(Conflict):
        classes.add_pupil(ROW, "АNА", "another", "x", "5678").result()  # Cyrillic letters
    bo = classes.add_pupil(ROW, "Bo", "bo", "bo", "5678").result()
    assert (ana.number, bo.number) == (1, 2)
    seat(classes, "t1", 1, 1)
    with pytest.raises(Conflict):
        seat(classes, "t2", 1, 1)  # a child has one seat in a match
    assert store.table("t2") is None, "and the table is not there either"
    now = dataclasses.replace(ROW, phase="play", match=1)
    classes.move_pupil(now, ana, "new").result()
    assert [holder.token for holder in store.holders("t1")] == ["new"]
    assert [(one.seq, one.kind, one.seat) for one in store.entries("t1")] == [(1, "person", 0)]
    pupils, places = classes.everybody("c")
    assert [(one.name, one.token) for one in pupils] == [("Ana", "new"), ("Bo", "bo")]
    classes.note_results("c", [dataclasses.replace(places[0], total=7, over=True, bot=False)]).result()
    assert classes.everybody("c")[1] == [Seating(1, 1, "t1", 0, 7, True, False)]
    assert take_out(store, Child("c", 1)) == ["t1"] and store.holders("t1") == []
    assert [one.kind for one in store.entries("t1")] == ["person", "bot"]
    assert [one.name for one in classes.everybody("c")[0]] == ["Bo"] and classes.everybody("c")[1] == []


def test_a_class_goes_with_its_time_or_when_it_is_deleted(classes: ClassStore, store: Store) -> None:
    classes.add_pupil(ROW, "Ana", "ana", "ana", "1234").result()
    seat(classes, "t1", 1, 1)
    assert classes.throw_away(NOW - 1, NOW - 1).result() == 0
    assert [(one["code"], one["children"]) for one in list_classes(store)] == [("CDFGHJ", 1)]
    assert "seed" not in list_classes(store)[0]
    with pytest.raises(NoClass, match="nothing was deleted"):
        delete_class(store, "XXXXXX")
    assert delete_class(store, "cdf ghj") == 1
    assert classes.by_id("c") is None and classes.everybody("c") == ([], []) and store.table("t1") is None
    classes.create(ROW).result()
    seat(classes, "t1", 1, 1)
    assert classes.throw_away(0.0, time.time() + 1).result() == 1
    assert store.table("t1") is not None, "its tables go by their own time"
    assert store.throw_away(["t1"], time.time() + 1, time.time() + 1).result() == 1


def test_a_child_is_forgotten(classes: ClassStore, store: Store) -> None:
    classes.add_pupil(ROW, "Ana", "ana", "ana", "1234").result()
    classes.add_pupil(ROW, "Bo", "bo", "bo", "1234").result()
    found = children_of_name(store, "Ana")
    assert len(found) == 1 and children_of_name(store, "ana") == []
    forget_children(store, found)
    [ana, bo] = classes.everybody("c")[0]
    assert (ana.name, ana.token, ana.pin, bo.name) == ("Player 1", "", "", "Bo")
