"""Puzzles over the API: nothing is told before the answer, the first answer counts, and then everything is told."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

import httpx
import pytest
from serving import LocalServer, until

from lamplighter.bots import puzzle as maker
from lamplighter.bots.puzzle import Puzzle, puzzle_in
from lamplighter.engine.variant import Variant
from lamplighter.games import load
from lamplighter.jit import PURE
from lamplighter.web import puzzles
from lamplighter.web.service import today
from lamplighter.web.store import Store

GAME = "last_minute"


def days_ago(days: int) -> str:
    return (date.fromisoformat(today()) - timedelta(days)).isoformat()


# a day that no other test asks for, so that its puzzle is ours; and a midnight may pass while tests run
DAY = days_ago(20)


def before(days: int) -> str:
    return (date.fromisoformat(DAY) - timedelta(days)).isoformat()


@pytest.fixture(scope="module")
def puzzle(server: LocalServer) -> Puzzle:
    """A puzzle from a match of greedy bots, in the place of the one that this server would make."""
    variant = Variant(load(GAME), {"seats": 2})
    played = (maker._play_out(variant.match(seed=str(number)), (0, 1), "greedy", "") for number in range(20))
    made = next(found for match in played if (found := puzzle_in(match)) is not None)
    for day in (before(1), DAY):
        keep(server.app.state.store, GAME, day, json.dumps(made.fields()))
    return made


def keep(store: Store, game: str, day: str, body: str) -> None:
    store.write(lambda connection: puzzles.save_body(connection, game, day, body.encode())).result()


class Browser:
    """Somebody with a cookie jar."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def post(self, path: str = "", status: int = 200, game: str = GAME, day: str = "", **body: Any) -> dict[str, Any]:
        answer = self.client.post(f"/api/puzzle/{game}/{day or DAY}{path}", json=body)
        assert answer.status_code == status, answer.text
        found: dict[str, Any] = answer.json()
        return found if status == 200 else found["error"]


Come = Callable[[], Browser]


@pytest.fixture
def come(server: LocalServer) -> Iterator[Come]:
    """Lets somebody come with a new browser."""
    with contextlib.ExitStack() as stack:
        yield lambda: Browser(stack.enter_context(httpx.Client(base_url=server.url)))


def test_nothing_is_told_before_the_answer(server: LocalServer, come: Come, puzzle: Puzzle) -> None:
    someone = come()
    shown = someone.post()
    assert set(shown) == {"state", "moves", "view", "answer"} and shown["answer"] is None
    assert shown["view"]["you"] == puzzle.seat and set(shown["view"]["moves"]) == set(
        puzzle.begin().legal_moves(puzzle.seat)
    )
    assert "data-move" in shown["view"]["sheet"] and shown["view"]["instruction"]
    tried = someone.post(moves=puzzle.solutions[0])
    assert tried["view"]["phase"] == "over" and tried["answer"] is None and tried["moves"] == [*puzzle.solutions[0]]
    assert "solutions" not in json.dumps(tried) and "best" not in tried
    page = httpx.get(f"{server.url}/puzzle/{GAME}").text
    assert not any(move in page for line in puzzle.solutions for move in line)


def test_the_first_answer_counts(server: LocalServer, come: Come, puzzle: Puzzle) -> None:
    someone, worst = come(), puzzle.worths[-1]
    told = someone.post("/answer", moves=worst.line)
    assert (told["total"], told["best"], told["solved"]) == (worst.total, puzzle.best, False)
    assert told["solutions"] == [list(line) for line in puzzle.solutions]
    assert [one["total"] for one in told["worths"]] == [one.total for one in puzzle.worths]
    assert someone.post("/answer", moves=puzzle.solutions[0]) == told, "a second one is not looked at"
    assert someone.post(moves=puzzle.solutions[0])["answer"] == told
    assert someone.post(day=before(1))["answer"] is None, "another day is another puzzle"


def test_a_right_answer_is_praised_for_each_solution(server: LocalServer, come: Come, puzzle: Puzzle) -> None:
    for line in puzzle.solutions:
        told = come().post("/answer", moves=line)
        assert told["solved"] and told["total"] == told["best"] == puzzle.best and told["moves"] == list(line)


def test_a_cookie_that_makes_no_sense_is_no_answer(server: LocalServer, come: Come, puzzle: Puzzle) -> None:
    for word in ("nonsense", "!", puzzles.pack_answer(("no move",)), puzzles.pack_answer(())):
        someone = come()
        someone.client.cookies.set("puzzle", word)
        assert someone.post()["answer"] is None


def test_what_is_refused(server: LocalServer, come: Come, puzzle: Puzzle) -> None:
    someone, line = come(), list(puzzle.solutions[0])
    assert "not finished yet" in someone.post("/answer", 409, moves=[])["message"]
    assert someone.post(status=400, moves=["nonsense"])["message"].startswith("cannot read the move")
    assert "over before the last" in someone.post(status=400, moves=[*line, *line])["message"]
    assert "at most 40" in someone.post(status=400, moves=line * 41)["message"]
    assert "is in the future" in someone.post(status=409, day=days_ago(-2))["message"]
    assert "too long ago" in someone.post(status=409, day=days_ago(puzzles.PAST_DAYS + 1))["message"]
    assert "a day is written like" in someone.post(status=400, day="20261117")["message"]
    assert "there is no game" in someone.post(status=404, game="nothing")["message"]
    assert someone.post()["answer"] is None, "nothing of it counts"
    assert httpx.get(f"{server.url}/puzzle/{GAME}/{days_ago(-2)}").status_code == 409
    assert httpx.get(f"{server.url}/puzzle/nothing").status_code == 404


def test_a_day_may_have_none(server: LocalServer, come: Come, puzzle: Puzzle) -> None:
    keep(server.app.state.store, GAME, before(2), "null")
    someone = come()
    assert someone.post(day=before(2)) == {"state": "none"}
    assert "no puzzle of that day" in someone.post("/answer", 409, day=before(2), moves=[])["message"]


def test_why_something_does_not_fit_and_why_a_line_counts(server: LocalServer, come: Come, puzzle: Puzzle) -> None:
    someone = come()
    line = next(iter(puzzle.begin().score(puzzle.seat)))
    assert {"cells", "sentence"} <= set(someone.post("/explain", line=line))
    move = someone.post()["view"]["moves"][0].split(" ")
    told = someone.post("/explain", source=" ".join(move[:-1]), cell="a1", orientation="")
    assert told["legal"] in (True, False) and (told["legal"] or told["sentence"])


def test_a_puzzle_is_made_kept_and_the_same_everywhere(server: LocalServer, come: Come) -> None:
    """By the other process; whoever asks meanwhile is told how far it is."""
    someone, day = come(), before(3)
    if PURE:
        assert someone.post(day=day)["state"] == "later"
        return
    first = someone.post(day=day)
    assert first == {"state": "making", "done": 0, "of": maker.STEPS}
    assert "being made" in someone.post("/answer", 409, day=day, moves=[])["message"]
    until(lambda: someone.post(day=day)["state"] == "ready", "the puzzle is made")
    body = puzzles.load_body(server.app.state.store, GAME, day)
    assert body is not None and puzzles.read_puzzle(json.loads(body)) == maker.make(GAME, day)


def test_old_puzzles_and_older_editions_are_forgotten(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(filled)
    try:
        old = days_ago(puzzles.PAST_DAYS + 1)
        keep(store, GAME, old, "null")
        assert puzzles.load_body(store, GAME, old) == b"null"
        for body in ("null", '"another"'):
            keep(store, GAME, DAY, body)
            assert puzzles.load_body(store, GAME, DAY) == body.encode()
        assert puzzles.load_body(store, GAME, old) is None
        monkeypatch.setattr(puzzles, "EDITION", puzzles.EDITION + 1)
        assert puzzles.load_body(store, GAME, DAY) is None, "it is made again"
    finally:
        store.close()


def test_the_list_of_a_day(server: LocalServer, puzzle: Puzzle) -> None:
    for name in maker.registry.names():
        if name != GAME:
            keep(server.app.state.store, name, before(1), "null")
    found = httpx.get(f"{server.url}/api/puzzle", params={"day": before(1)}, headers={"accept-language": "de"}).json()
    assert found["day"] == before(1) and found["today"] in (days_ago(1), today())
    assert {one["game"]: one["state"] for one in found["puzzles"]} == {
        name: "ready" if name == GAME else "none" for name in maker.registry.names()
    }


def test_a_full_queue_leaves_room_for_today(
    server: LocalServer, puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks at many older days does not keep the others from today's, and a list still has what there is."""
    monkeypatch.setattr(puzzles, "WAITING", 0)
    asked = {
        day: httpx.get(f"{server.url}/api/puzzle", params={"day": day}).json() for day in (today(), DAY, before(5))
    }
    states = {day: {one["game"]: one["state"] for one in found["puzzles"]} for day, found in asked.items()}
    assert set(states[before(5)].values()) == {"later"}
    assert states[DAY][GAME] == "ready"
    assert set(states[max(states)].values()) <= {"ready", "making", "none"}, "that is today"
