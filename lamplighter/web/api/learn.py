"""Lessons: what a step says, what a move leads to, and why one is refused. Nothing is stored, and no seat is needed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import Field

from lamplighter import games
from lamplighter.engine.lesson import LEARNER, MOST_STEPS, Course, read_lesson
from lamplighter.engine.phrase import messages_of, translate
from lamplighter.web import i18n, lessons, questions
from lamplighter.web.api.schemas import REFUSALS, Body, Word
from lamplighter.web.views import Viewer, explain_score

router = APIRouter(responses=REFUSALS)


class LessonStep(Body):
    """Where somebody is in a lesson: the step, and the moves that they played before it."""

    step: Annotated[int, Field(ge=1, le=MOST_STEPS)] = 1
    moves: Annotated[tuple[Word, ...], Field(max_length=MOST_STEPS)] = ()


class LessonMove(LessonStep):
    """A move in a lesson; without one the step is shown."""

    move: Word | None = None


class LessonQuestion(LessonStep):
    """Why something does not fit at a cell, or what is behind a scoring line."""

    source: Word = ""
    cell: Word = ""
    orientation: Word = ""
    line: Word | None = None


def _course(game: str, at: LessonStep) -> Course:
    return read_lesson(games.load(game)).at(at.step, at.moves)


@router.post("/api/learn/{game}")
def learn(request: Request, game: str, wanted: LessonMove) -> dict[str, Any]:
    """A step of a game's lesson. A move that the step accepts leads to the next one; another legal move gets a reply."""
    course, language = _course(game, wanted), i18n.choose(request)
    reply, moves = "", list(wanted.moves)
    if wanted.move is not None:
        reply = course.play(wanted.move)
        moves += [] if reply else [wanted.move]
    messages = messages_of(course.lesson.variant.game, language)
    shown = lessons.show(course, request.app.state.settings, language)
    return shown | {"moves": moves, "reply": translate(reply, messages)}


@router.post("/api/learn/{game}/explain")
def explain(request: Request, game: str, asked: LessonQuestion) -> dict[str, Any]:
    """Why something does not fit at a cell, or the cells behind a scoring line and a sentence about it."""
    course, language = _course(game, asked), i18n.choose(request)
    if asked.line is not None:
        session = lessons.session_of(course, request.app.state.settings)
        return explain_score(session, Viewer((LEARNER,)), LEARNER, asked.line, None, language)
    table = lessons.table_of(course)
    return questions.explain(table, LEARNER, "", asked.source, asked.cell, asked.orientation, language)
