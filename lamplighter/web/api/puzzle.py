"""Puzzles of the day: what a move leads to, the one answer that counts, and then the solutions."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field

from lamplighter import games
from lamplighter.bots.puzzle import DEEPEST, Puzzle
from lamplighter.engine.phrase import messages_of, translate
from lamplighter.web import i18n, puzzles, questions
from lamplighter.web.api.auth import give_cookie
from lamplighter.web.api.schemas import REFUSALS, Body, Word
from lamplighter.web.errors import Busy, NotNow
from lamplighter.web.lessons import passing_table
from lamplighter.web.puzzles import Making, Puzzles
from lamplighter.web.service import today
from lamplighter.web.settings import Settings
from lamplighter.web.views import Viewer, explain_score

router = APIRouter(responses=REFUSALS)


class PuzzleMoves(Body):
    """What somebody has played in a puzzle so far."""

    moves: Annotated[tuple[Word, ...], Field(max_length=DEEPEST)] = ()


class PuzzleQuestion(PuzzleMoves):
    """Why something does not fit at a cell, or what is behind a scoring line."""

    source: Word = ""
    cell: Word = ""
    orientation: Word = ""
    line: Word | None = None


async def _puzzle(request: Request, game: str, day: str) -> Puzzle:
    """Return a puzzle that is ready."""
    known: Puzzles = request.app.state.puzzles
    found = await known.get(game, day)
    if isinstance(found, Puzzle):
        return found
    raise NotNow("this puzzle is being made: try again in a moment" if found else "there is no puzzle of that day")


@router.get("/api/puzzle")
async def of_the_day(request: Request, day: Annotated[str, Query(max_length=40)] = "") -> dict[str, Any]:
    """The puzzles of a day: which games have one, and how far those are that are being made."""
    known: Puzzles = request.app.state.puzzles
    chosen, language, found = puzzles.known_day(day or today()), i18n.choose(request), []
    for name in games.names():
        game = games.load(name)
        try:
            one = await known.get(name, chosen)
        except Busy:  # the others can still be played
            one = Making(later=True)
        state = one.fields() if isinstance(one, Making) else {"state": "none" if one is None else "ready"}
        found.append({"game": name, "title": translate(game.title, messages_of(game, language)), **state})
    return {"day": chosen, "today": today(), "first": puzzles.first_day(), "puzzles": found}


@router.post("/api/puzzle/{game}/{day}")
async def puzzle(request: Request, game: str, day: str, played: PuzzleMoves) -> dict[str, Any]:
    """A puzzle after some moves. To a browser that has answered it also tells the solutions."""
    known: Puzzles = request.app.state.puzzles
    found = await known.get(game, day)
    if not isinstance(found, Puzzle):
        return {"state": "none"} if found is None else found.fields()
    given = (found, played.moves, request.app.state.settings, i18n.choose(request))
    shown = await asyncio.to_thread(puzzles.show, *given)
    return shown | {"answer": await asyncio.to_thread(puzzles.unpack_answer, found, request.cookies.get("puzzle", ""))}


@router.post("/api/puzzle/{game}/{day}/answer")
async def answer(request: Request, game: str, day: str, given: PuzzleMoves) -> Response:
    """Answer a puzzle. The first answer of a browser counts; who answers again is told what the first one was."""
    found = await _puzzle(request, game, day)
    known = await asyncio.to_thread(puzzles.unpack_answer, found, request.cookies.get("puzzle", ""))
    told = known or await asyncio.to_thread(puzzles.judge, found, given.moves)
    response = JSONResponse(told, headers={"cache-control": "no-store"})
    if known is None:
        give_cookie(request, response, "puzzle", puzzles.pack_answer(given.moves), f"/api/puzzle/{game}/{day}")
    return response


@router.post("/api/puzzle/{game}/{day}/explain")
async def explain(request: Request, game: str, day: str, asked: PuzzleQuestion) -> dict[str, Any]:
    """Why something does not fit at a cell, or the cells behind a scoring line and a sentence about it."""
    found, language = await _puzzle(request, game, day), i18n.choose(request)
    return await asyncio.to_thread(_explain, found, asked, request.app.state.settings, language)


def _explain(found: Puzzle, asked: PuzzleQuestion, settings: Settings, language: str) -> dict[str, Any]:
    match = found.after(asked.moves)
    if asked.line is not None:
        session = puzzles.session_of(found, match, settings)
        return explain_score(session, Viewer((found.seat,)), found.seat, asked.line, None, language)
    table = passing_table(match, "puzzle", match.waiting)
    return questions.explain(table, found.seat, "", asked.source, asked.cell, asked.orientation, language)
