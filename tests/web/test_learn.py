"""Lessons over the API: whoever sends a step and the moves before it gets the step; nothing is stored."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from serving import LocalServer

from lamplighter import games
from lamplighter.engine.lesson import LEARNER, read_lesson

GAME = next(name for name in games.own_names() if games.load(name).seats[0] > 1)
LESSON = read_lesson(games.load(GAME))
ASKS = next(step for step in LESSON.steps if step.accept)


def learn(server: LocalServer, path: str = GAME, status: int = 200, **body: Any) -> dict[str, Any]:
    answer = httpx.post(f"{server.url}/api/learn/{path}", json=body)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found if status == 200 else found["error"]


def test_a_step_brings_what_is_said_and_the_table(server: LocalServer) -> None:
    told = learn(server)
    assert (told["step"], told["steps"], told["say"]) == (1, len(LESSON.steps), LESSON.steps[0].say)
    assert told["asks"] is False and told["view"]["moves"] == [], "there is only something to read"
    told = learn(server, step=ASKS.number)
    assert told["asks"] and told["view"]["moves"] == LESSON.at(ASKS.number, []).match.legal_moves(LEARNER)
    assert told["view"]["you"] == LEARNER and told["view"]["instruction"] and "data-move" in told["view"]["sheet"]
    assert {*told["point"]["cells"], *told["point"]["sources"]} == set(ASKS.point)


def test_a_move_is_accepted_answered_or_refused(server: LocalServer) -> None:
    course = LESSON.at(ASKS.number, [])
    good = course.accepted()[0]
    told = learn(server, step=ASKS.number, move=good)
    assert (told["step"], told["moves"], told["reply"]) == (ASKS.number + 1, [good], "")
    assert learn(server, step=told["step"], moves=told["moves"])["say"] == told["say"]
    other = next(move for move in course.match.legal_moves(LEARNER) if not ASKS.accepts(move))
    told = learn(server, step=ASKS.number, move=other)
    assert (told["step"], told["moves"], told["reply"]) == (ASKS.number, [], ASKS.reply_to(other))
    later = next(step for step in LESSON.steps if step.accept and step.number > ASKS.number)
    refusal = learn(server, step=later.number, moves=[good], move=good, status=422)
    assert refusal["rule"].startswith("§") and refusal["sentence"]


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        (GAME, {"step": 3, "moves": ["x"]}, 400, "before the move 'x'"),
        (GAME, {"step": 40}, 400, "there is no step 40"),
        (GAME, {"step": 41}, 400, "less than or equal to 40"),
        (GAME, {"step": ASKS.number, "move": "nonsense"}, 400, "cannot read the move"),
        (GAME, {"moves": ["x"] * 41}, 400, "at most 40"),
        ("connect_four", {}, 400, "connect_four has no lesson"),
        ("nothing", {}, 404, "there is no game 'nothing'"),
    ],
)
def test_what_leads_nowhere_is_refused(
    path: str, body: dict[str, Any], status: int, words: str, server: LocalServer
) -> None:
    assert words in learn(server, path, status, **body)["message"]


def test_why_something_does_not_fit_and_what_a_line_counts(server: LocalServer) -> None:
    later = [step for step in LESSON.steps if step.accept][1]
    moves = [LESSON.at(ASKS.number, []).accepted()[0]]
    source = learn(server, step=later.number, moves=moves)["view"]["moves"][0].rpartition(" ")[0]
    cell = moves[0].rpartition(" ")[2]  # it is taken
    told = learn(server, f"{GAME}/explain", step=later.number, moves=moves, source=source, cell=cell)
    assert not told["legal"] and told["rule"].startswith("§")
    line = learn(server, f"{GAME}/explain", step=later.number, moves=moves, line=LESSON.variant.score_lines[0])
    assert set(line) == {"cells", "sentence"}


def test_only_games_with_a_lesson_have_the_page(server: LocalServer) -> None:
    assert httpx.get(f"{server.url}/learn/{GAME}").status_code == 200
    assert httpx.get(f"{server.url}/learn/connect_four").status_code == 404
    assert httpx.get(f"{server.url}/learn/nothing").status_code == 404
    home = httpx.get(server.url).text
    assert [f"/learn/{name}" in home for name in games.names()] == [
        games.load(name).has_lesson for name in games.names()
    ]
