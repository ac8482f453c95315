"""A match on paper: who won, every scoring line, every seat's sheet, and the moves."""

from __future__ import annotations

import itertools
import re
from typing import Any

from lamplighter.engine import record
from lamplighter.engine.match import Entry, Match
from lamplighter.paper.document import Document, Style, describe
from lamplighter.paper.layout import LARGEST
from lamplighter.paper.sheet import draw_sheet, frame_sheet
from lamplighter.score_panel import format_points

GAP = 8.0  # mm between two sheets
HEAD, ROW = 42.0, 5.9  # mm for the title and what goes with it, and for a row of the score table
NAME = 9.0  # mm above a sheet for its player
TALL = 165.0  # mm that a sheet may be high on the first page


def print_match(match: Match, style: Style | None = None) -> bytes:
    """A PDF of a match, finished or not."""
    document = Document(match.variant, style or Style(), describe(match.variant))
    first = not document.style.large and match.variant.seats <= 2  # one row of sheets finds room under the score
    document.add(
        "match",
        result=result_sentence(match),
        facts=_facts(match),
        score=_score_table(match),
        sheets=_sheets(match, document, first),
        columns=1 if document.style.large or match.variant.seats == 1 else 2,
        turns=_turns(match),
        **{"sheets-first": first, "move-columns": 1 if document.style.large else 3},
    )
    return document.pdf()


def result_sentence(match: Match) -> str:
    if not match.is_over:
        return f"not finished: turn {match.position.turn}"
    names = [match.players[seat] for seat in match.winners()]
    points = format_points(match.totals[match.winners()[0]])
    if match.variant.seats == 1:
        return f"{names[0]}: {points} points"
    return f"{names[0]} wins with {points} points" if len(names) == 1 else f"{' and '.join(names)} share the victory"


def _facts(match: Match) -> list[list[str]]:
    """The record's header without what stands elsewhere on the page."""
    head = record.tags(match)
    shown = {key: value for key, value in head.items() if key not in ("Box", "Hints") and not key.startswith("Seat")}
    hinted = [match.players[seat] for seat in record.hinted_seats(match)]
    shown |= {"WithHints": ", ".join(hinted)} if hinted else {}
    return [[re.sub("(?<=[a-z])(?=[A-Z])", " ", key), value] for key, value in shown.items()]


def _score_table(match: Match) -> dict[str, Any]:
    scores = [match.score(seat) for seat in range(match.variant.seats)]
    rows = [[name, *(format_points(score[name]) for score in scores)] for name in match.variant.score_lines]
    return {
        "players": match.players,
        "winners": match.winners() if match.is_over else [],
        "rows": rows,
        "totals": [format_points(total) for total in match.totals],
    }


def _sheets(match: Match, document: Document, first: bool) -> list[dict[str, Any]]:
    """Every seat's sheet with its size in mm; a board that all share stands there once."""
    position, style, variant = match.position, document.style, match.variant
    width, height = style.room()
    if first:
        height = min(TALL, height - HEAD - ROW * (len(variant.score_lines) + 2))
    elif not style.large:
        height = (height - GAP) / 2
    if not style.large and variant.seats > 1:
        width = (width - GAP) / 2
    found: dict[str, dict[str, Any]] = {}
    for seat, name in enumerate(match.players):
        drawn = draw_sheet(position, seat)
        scale = min(width / drawn.width, (height - NAME) / drawn.height, 2 * LARGEST)
        picture = document.picture(frame_sheet(position, seat, style.theme, style.large))
        if picture in found:
            found[picture]["name"] += f", {name}"
            continue
        points = f"{format_points(position.total(seat))} points"
        size = {"width": round(drawn.width * scale, 2), "height": round(drawn.height * scale, 2)}
        found[picture] = {"picture": picture, "name": name, "points": points, **size}
    return list(found.values())


def _turns(match: Match) -> list[dict[str, Any]]:
    """The log turn by turn: runs of outcomes, and moves with their player."""
    turns = []
    for turn, entries in itertools.groupby(match.log, key=lambda entry: entry.turn):
        parts: list[dict[str, str]] = []
        for entry in entries:
            _add_entry(parts, entry, match)
        turns.append({"turn": str(turn), "parts": parts})
    return turns


def _add_entry(parts: list[dict[str, str]], entry: Entry, match: Match) -> None:
    alone = match.variant.seats == 1
    who = "" if entry.seat is None or alone else match.players[entry.seat]
    if entry.kind == "chance" and parts and parts[-1]["kind"] == "chance" and parts[-1]["who"] == who:
        parts[-1]["text"] += f", {entry.text}"
        parts[-1]["comment"] = " ".join(filter(None, (parts[-1]["comment"], entry.comment)))
    else:
        parts.append({"kind": entry.kind, "who": who, "text": entry.text, "comment": entry.comment})
