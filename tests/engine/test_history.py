"""`History`: snapshots in bounded memory."""

from __future__ import annotations

import pytest

from lamplighter import games
from lamplighter.engine.history import ROOM, STRIDE, History
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant

LENGTH = 1_000


def mark(position: Position, entries: int) -> Position:
    """A position that tells after how many entries it is."""
    position.state["draws"] = entries
    return position


@pytest.fixture(scope="module", params=games.own_names())
def start(request: pytest.FixtureRequest) -> Position:
    return mark(Variant(games.load(request.param)).start(), 0)


def long_history(start: Position) -> History:
    history, position = History(start), start.copy()
    for entries in range(1, LENGTH + 1):
        history.add(entries, mark(position, entries))
        assert history.size <= ROOM
    return history


def test_snapshots_are_never_far_and_never_many(start: Position) -> None:
    history = long_history(start)
    assert history.size > ROOM // 4, "room that is there is used"
    for entries in range(LENGTH + 1):
        before, position = history.last(entries)
        assert int(position.state["draws"]) == before
        assert 0 <= entries - before < history.stride


def test_a_short_match_has_them_all(start: Position) -> None:
    history = History(start)
    for entries in range(1, 3 * STRIDE):
        history.add(entries, mark(start.copy(), entries))
    assert [history.last(entries)[0] for entries in (0, STRIDE - 1, STRIDE, 3 * STRIDE - 1)] == [
        0,
        0,
        STRIDE,
        2 * STRIDE,
    ]


def test_what_is_cut_off_goes_on_by_itself(start: Position) -> None:
    whole = long_history(start)
    for length in (0, 1, STRIDE, LENGTH // 3, LENGTH):
        cut = whole.cut(length)
        for entries in range(length + 1, length + 500):
            cut.add(entries, mark(start.copy(), -entries))
        for entries in range(length + 500):
            before, position = cut.last(entries)
            assert abs(int(position.state["draws"])) == before <= entries < before + cut.stride
            assert (int(position.state["draws"]) < 0) == (before > length)
        assert all(int(whole.last(entries)[1].state["draws"]) >= 0 for entries in range(LENGTH + 1))


def test_what_is_handed_out_is_a_copy(start: Position) -> None:
    history = History(start)
    mark(history.last(0)[1], 7)
    assert history.last(0)[1] == start
