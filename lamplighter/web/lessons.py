"""A lesson in the browser: a table that exists for one answer only, made from the step and the moves that a page sends.

Nothing is stored and nobody has a seat: whoever sends the same step and the same moves gets the same answer.
"""

from __future__ import annotations

from typing import Any

from lamplighter.engine.explanation import score_cells
from lamplighter.engine.lesson import LEARNER, PARTS, Course
from lamplighter.engine.match import Match
from lamplighter.engine.phrase import messages_of, translate
from lamplighter.web import views
from lamplighter.web.feed import Feed
from lamplighter.web.session import Session
from lamplighter.web.settings import Settings
from lamplighter.web.store import Entry, Holder, TableRow
from lamplighter.web.table import Table


def table_of(course: Course) -> Table:
    """Return the table of a course. While there is only something to read, nobody has to act at it."""
    return passing_table(course.match, "lesson", course.match.waiting if course.step.accept else ())


def passing_table(match: Match, kind: str, waiting: tuple[int, ...]) -> Table:
    """Return a table that exists for one answer only, with everybody seated."""
    variant = match.variant
    table = Table(TableRow(kind, kind, variant.game.id, variant.text, variant.game.rules_version, None, None, "", 0.0))
    table.match = match
    for seat, name in enumerate(match.players):
        table.apply(Entry(table.seq + 1, "join", seat, name, 0.0, None))
    for entry in match.log:
        table.log.append(Entry(table.seq + 1, entry.kind, entry.seat, entry.text, 0.0, None))
    table.waiting = waiting
    return table


def session_of(course: Course, settings: Settings) -> Session:
    """Return the table of a course as views take it."""
    return passing_session(table_of(course), LEARNER, settings)


def passing_session(table: Table, seat: int, settings: Settings) -> Session:
    """Return such a table as views take it, with somebody in one seat."""
    session = Session(table, [Holder(seat, "", 0.0)], settings, Feed())
    session.saved = table.seq
    return session


def show(course: Course, settings: Settings, language: str) -> dict[str, Any]:
    """Return everything that a page needs of a course: what the step says, and the table as the learner sees it."""
    session, step = session_of(course, settings), course.step
    messages = messages_of(course.lesson.variant.game, language)
    view = views.show(session, views.Viewer((LEARNER,)), LEARNER, True, language)
    return {
        "step": step.number,
        "steps": len(course.lesson.steps),
        "say": translate(step.say, messages),
        "rule": step.rule,
        "asks": bool(step.accept),
        "point": pointed(course, view["sheet"] or ""),
        "view": view | {"can_undo": False, "due": None},
    }


def pointed(course: Course, sheet: str) -> dict[str, Any]:
    """Return what a step points at, by kind. A name that is a source and a scoring line is the source where a move is asked."""
    step, position = course.step, course.match.position
    lines, cells = course.lesson.variant.score_lines, score_cells(position.variant, position.state, LEARNER)
    found: dict[str, Any] = {"cells": [], "sources": [], "lines": [], "parts": []}
    for name in step.point:
        source = f'data-source="{name}"' in sheet
        if name in PARTS:
            found["parts"].append(name)
        elif name in lines and not (step.accept and source):
            found["lines"].append(name)
            found["cells"] += cells.get(name, [])
        else:
            found["sources" if source else "cells"].append(name)
    return found | {"cells": list(dict.fromkeys(found["cells"]))}
