"""A class as its teacher sees it, and its results as a table for a spreadsheet."""

from __future__ import annotations

import asyncio
import csv
import io
import re
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from lamplighter import games
from lamplighter.engine.phrase import messages_of, translate
from lamplighter.web import i18n
from lamplighter.web.class_pace import is_gone, rounds_behind, waited_for
from lamplighter.web.class_store import MOST, ClassRow, Pupil, Seating
from lamplighter.web.classes import ClassService
from lamplighter.web.session import Session
from lamplighter.web.table import load_variant


def _(text: str) -> str:
    """Mark a word for the catalogues; it is translated where it is written."""
    return text


HEAD = (_("Match"), _("Place"), _("Name"), _("Points"), _("Improvement"), _("Finished"), _("With a bot"))
YES, NO = _("yes"), _("no")
# what a spreadsheet takes for the beginning of a formula: also after a sign that may separate columns for it
FORMULA = re.compile(r"(^|[;,\t])(\s*)(?=[=+\-@])")


def title_of(row: ClassRow, language: str) -> str:
    """Return the name of the game that a class plays."""
    game = games.load(row.game)
    return translate(game.title, messages_of(game, language))


async def show(classes: ClassService, row: ClassRow, language: str) -> dict[str, Any]:
    """Return everything the teacher's screen shows. Sheets are fetched as anybody may see them, so hands stay hidden."""
    pupils, places = await asyncio.to_thread(classes.store.everybody, row.id)
    now = {place.pupil: place for place in places if place.match == row.match}
    last = {place.pupil: place.total for place in places if place.match == row.match - 1}
    sessions = await classes.sessions([place.table_id for place in now.values()])
    groups = {table_id: number for number, table_id in enumerate(sessions, 1)}
    variant = load_variant(row.variant, row.box)
    return {
        "id": row.id,
        "code": row.code,
        "game": row.game,
        "title": title_of(row, language),
        "variant": row.variant,
        "group": variant.seats,
        "drawn": variant.game.has_picture,
        "pace": row.pace,
        "minutes": row.minutes,
        "leaving": row.leaving,
        "door": row.door,
        "phase": row.phase,
        "match": row.match,
        "round": row.round,
        "due": row.due,
        "now": time.time(),
        "most": MOST,
        "pupils": [
            _pupil(row, pupil, now.get(pupil.number), last.get(pupil.number), sessions, groups) for pupil in pupils
        ],
    }


def _pupil(
    row: ClassRow,
    pupil: Pupil,
    place: Seating | None,
    last: int | None,
    sessions: dict[str, Session],
    groups: dict[str, int],
) -> dict[str, Any]:
    """Return a child: where it sits, how far it is, what it has now and had in the last match."""
    told: dict[str, Any] = {
        "number": pupil.number, "name": pupil.name, "pin": pupil.pin, "table": None, "seat": None, "group": None, "seq": 0,
        "turn": 0, "total": None, "last": last, "done": False, "over": False, "here": False, "gone": False, "bot": False,
        "waited": False, "behind": 0,
    }  # fmt: skip
    if place is None:
        return told
    told |= {"table": place.table_id, "seat": place.seat, "total": place.total, "over": bool(place.over)}
    session = sessions.get(place.table_id)
    if session is None:
        return told
    table, seat = session.table, session.table.seats[place.seat]
    over = table.phase == "over"
    acted = place.seat not in table.waiting and seat.version > table.rolled
    return told | {
        "group": groups[place.table_id],
        "seq": table.seq,
        "turn": table.match.position.turn,
        "total": sum(table.score(place.seat).values()) if place.total is None else place.total,
        "done": over or table.paused is not None or acted,
        "over": over,
        "here": session.is_here(place.seat),
        "gone": table.phase == "play" and is_gone(session, place.seat),
        "bot": seat.kind == "bot",
        "waited": place.seat in waited_for(row, session),
        "behind": rounds_behind(row, session),
    }


# --- results ------------------------------------------------------------------------------------------------------


def results(pupils: Sequence[Pupil], places: Sequence[Seating]) -> list[dict[str, Any]]:
    """Return every result of every match that has ended, the best of each match first, with the improvement over the last."""
    names = {pupil.number: pupil.name for pupil in pupils}
    totals = {(place.match, place.pupil): place.total for place in places if place.total is not None}
    ranked: dict[int, list[int]] = defaultdict(list)
    for (match, _), total in totals.items():
        ranked[match].append(total)
    for points in ranked.values():
        points.sort()
    found = []
    for place in places:
        if place.total is None or place.pupil not in names:
            continue
        before = totals.get((place.match - 1, place.pupil))
        better = len(ranked[place.match]) - bisect_right(ranked[place.match], place.total)
        found.append(
            {
                "match": place.match,
                "place": better + 1,
                "name": names[place.pupil],
                "points": place.total,
                "improvement": None if before is None else place.total - before,
                "over": bool(place.over),
                "bot": bool(place.bot),
            }
        )
    return sorted(found, key=lambda one: (one["match"], one["place"], one["name"]))


def as_csv(rows: Sequence[dict[str, Any]], language: str) -> str:
    """Return results for a spreadsheet: no name is taken for a formula, and the first bytes say that it is UTF-8."""
    say = i18n.translations(language).gettext if language != i18n.SOURCE else str
    out = io.StringIO()
    out.write("\ufeff")
    table = csv.writer(out)
    table.writerow([say(word) for word in HEAD])
    for row in rows:
        told = {True: say(YES), False: say(NO)}
        better = "" if row["improvement"] is None else row["improvement"]
        table.writerow(
            [row["match"], row["place"], plain(row["name"]), row["points"], better, told[row["over"]], told[row["bot"]]]
        )
    return out.getvalue()


def plain(text: str) -> str:
    """Return a text that no spreadsheet carries out.

    >>> plain("=1+1"), plain("Mia; =1"), plain("Mia-Lou")
    ("'=1+1", "Mia; '=1", 'Mia-Lou')
    """
    return FORMULA.sub(r"\1\2'", text)
