"""What one viewer may know of a table: a seat's people, or anybody who watches. Nothing else leaves the server."""

from __future__ import annotations

import functools
import itertools
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

from lamplighter import bots
from lamplighter.engine import chance
from lamplighter.engine.explanation import explain_line, score_cells
from lamplighter.engine.match import HIDDEN
from lamplighter.engine.medals import medals_of
from lamplighter.engine.phrase import SOURCE, Phrase, messages_of, translate
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.web.errors import NotNow
from lamplighter.web.faces import pictured
from lamplighter.web.names import bare_name, name_in
from lamplighter.web.service import today
from lamplighter.web.session import Session
from lamplighter.web.store import Entry, TableRow, end_of
from lamplighter.web.table import Effect, Table

LOG_LENGTH = 40
NO_MESSAGES: Mapping[str, str] = {}


@dataclass(frozen=True)
class Viewer:
    """Who looks: the seats whose token was shown, and whether it laid the table."""

    seats: tuple[int, ...] = ()
    host: bool = False


def show(
    session: Session, viewer: Viewer, seat: int | None = None, sheet: bool = True, language: str = SOURCE
) -> dict[str, Any]:
    """Return the whole view: everything a page needs to draw the table."""
    table = session.table
    messages = messages_of(table.variant.game, language)
    you = _shown_seat(table, viewer, seat)
    match, phase = table.match, table.phase
    view: dict[str, Any] = {
        "id": table.id,
        "game": table.row.game,
        "title": title_of(table, messages),
        "variant": table.row.variant,
        "drawn": table.variant.game.has_picture,
        "kind": table.row.kind,
        "phase": phase,
        "seq": table.seq,
        "now": time.time(),
        "turn": match.position.turn,
        "mine": list(viewer.seats),
        "you": you,
        "version": None if you is None else table.seats[you].version,
        "rolls_version": table.rolled,
        "host": viewer.host,
        "stand_in": session.stand_in,
        "counts": _counts(session),
        "seats": [_seat(session, viewer, number, messages) for number in range(len(table.seats))],
        "waiting": list(table.waiting),
        "moves": [],
        "final": None,
        "instruction": "",
        "question": "",
        "effects": [],
        "marks": [],
        "hints": has_hints(table.row),
        "can_undo": False,
        "held": session.hold_until is not None,
        "paused": table.paused,
        "holding": session.hold_until if session.hold_until != math.inf else None,
        "sheet": None,
        "text": "",
        "flips": {},
        "ways": {},
        "secret": table.is_secret,
        "log": entries(session, viewer, max(0, table.seq - LOG_LENGTH), you, messages),
        "dice": dice(table),
        "due": _due(table, viewer),
        "can_unroll": table.can_unroll and bool(viewer.seats or viewer.host),
        "called": _called(table) if table.row.kind == "caller" else None,
        "again": table.row.source is not None and table.row.kind != "entry",
        "follows_play": table.variant.game.draws_follow_play,
        "ghost": None,
        "result": {"winners": match.winners()} if phase == "over" else None,
        "verdict": _verdict(table, you, messages) if phase == "over" else "",
        "rematch": table.rematch if table.row.kind != "caller" or viewer.host else None,
        "left": _left(match.position, you),
        "medals": medals_of(table.variant),
        "older": None,
    }
    if you is not None:
        acts = you in table.waiting and table.seats[you].kind == "person"
        view["moves"] = match.legal_moves(you) if acts else []
        view["final"] = next((move for move in table.variant.game.texts.FINAL if move in view["moves"]), None)
        view["can_undo"] = table.can_take_back(you)
        if sheet and table.variant.game.has_picture:
            view["sheet"] = match.position.svg(you, targets=acts, theme=None, prefix="you-", language=language)
        if sheet:
            view["text"] = str(match.position.seen_by(you).draw(you).translate_by(messages))
            view["flips"] = _flips(table, view["sheet"] or "") if acts else {}
            view["ways"] = _ways(table, you, view["sheet"] or "")
            view["question"] = _told(
                table, table.variant.game.texts.question(table.variant, match.position.state, you), messages
            )
            effects = _effects(table, you)
            view["effects"] = [_told(table, one, messages) for effect in effects for one in effect.words]
            view["marks"] = [mark for effect in effects for mark in effect.marks]
            view["instruction"] = _told(table, match.position.instruct(you), messages) if acts else ""
    words, faces = (_words(table, view, language), pictured(table.variant, _outcomes(view))) if sheet else ({}, [])
    return view | {"words": words, "faces": faces}


def has_hints(row: TableRow) -> bool:
    """Whether people may ask for hints: where they play, and it was not switched off."""
    return row.hints and row.kind in ("table", "daily")


def title_of(table: Table, messages: Mapping[str, str]) -> str:
    """Return the name of the game, and of the box if it is another one."""
    game, box = translate(table.variant.game.title, messages), table.variant.box_title
    return f"{game}: {box}" if box else game


def _told(table: Table, words: str, messages: Mapping[str, str]) -> str:
    """Return a sentence in the viewer's language, with the names of those who sit at the table."""
    if isinstance(words, Phrase):
        words = words.with_names([bare_name(seat.name) for seat in table.seats])
    said = translate(words, messages)
    return said[:1].upper() + said[1:]


def _verdict(table: Table, seat: int | None, messages: Mapping[str, str]) -> str:
    """Return what the game says of the end for a seat; for spectators, of the winner's."""
    about = table.match.winners()[0] if seat is None else seat
    return _told(table, table.variant.game.texts.verdict(table.variant, table.match.position.state, about), messages)


def _effects(table: Table, seat: int) -> list[Effect]:
    """Return what others did to a seat's sheet since that seat last acted."""
    last = max((entry.seq for entry in table.log if entry.kind == "move" and entry.seat == seat), default=0)
    return [found[seat] for seq, found in table.effects.items() if seq > last and seat in found]


def _shown_seat(table: Table, viewer: Viewer, seat: int | None) -> int | None:
    """The seat to show: the one that was asked for if it is theirs, else the first of theirs that has to act."""
    if seat in viewer.seats:
        return seat
    return next((one for one in viewer.seats if one in table.waiting), next(iter(viewer.seats), None))


def _seat(session: Session, viewer: Viewer, number: int, messages: Mapping[str, str]) -> dict[str, Any]:
    table = session.table
    variant, state = table.variant, table.match.position.state
    seat, counts = table.seats[number], table.row.kind != "caller"
    lines = table.score(number) if counts else {}
    person = number in session.tokens
    return {
        "seat": number,
        "name": seat.name if seat.is_owned else name_in(seat.name, messages),
        "kind": seat.kind,
        "bot": seat.bot,
        "level": translate(bots.load(seat.bot).title, messages) if seat.bot else "",
        "owner": person,
        "waiting": number in table.waiting,
        "since": seat.since,
        "here": person and session.is_here(number),
        "replaceable": table.phase != "over" and session.may_replace(number, viewer.seats, viewer.host),
        "idle": person and session.is_idle(number),
        "votes": sorted(seat.votes),
        "may_vote": person and session.may_vote(number, viewer.seats),
        "hinted": seat.hinted,
        "total": sum(lines.values()),
        "lines": [
            {"name": name, "title": line_title(variant, state, name, messages), "points": points}
            for name, points in lines.items()
        ],
    }


def line_title(variant: Variant, state: Any, line: str, messages: Mapping[str, str]) -> str:
    """What people call a scoring line; nothing if the variant does not have it."""
    return translate(variant.game.texts.name_line(variant, state, line), messages)


def entries(
    session: Session, viewer: Viewer, after: int, you: int | None = None, messages: Mapping[str, str] = NO_MESSAGES
) -> list[dict[str, Any]]:
    """Return the entries of a log after a number, as this viewer may read them; only what is on the disk.

    With a seat, what each entry did to its sheet is told while the match goes on.
    """
    table = session.table
    shown = [_entry(table, viewer, entry) for entry in table.log[after : session.saved] if _is_shown(table, entry)]
    for entry in shown:
        effect = None if you is None or table.phase == "over" else table.effects.get(entry["seq"], {}).get(you)
        entry["effects"] = [_told(table, one, messages) for one in effect.words] if effect else []
    return shown


def _is_shown(table: Table, entry: Entry) -> bool:
    """A caller's table shows what was called and promised, not what the bots that stand in did with it."""
    return table.row.kind != "caller" or entry.kind in ("chance", "unroll", "promise")


def _entry(table: Table, viewer: Viewer, entry: Entry) -> dict[str, Any]:
    others = entry.kind == "chance" and entry.seat is not None and entry.seat not in viewer.seats
    text = HIDDEN if others and table.is_secret and not is_revealed(table) else entry.text
    return {"seq": entry.seq, "kind": entry.kind, "seat": entry.seat, "text": text, "at": entry.at}


def dice(table: Table) -> dict[str, Any]:
    """Where the outcomes come from: a promise from the start, salt and seed when they can't help anybody any more."""
    return dice_of(table.row, is_open(table))


def dice_of(row: TableRow, told: bool) -> dict[str, Any]:
    """A promise without salt is an old one, which would tell the dice: it is shown with the seed."""
    if row.seed is None:
        return {"rolls": "typed", "hash": None, "salt": None, "seed": None}
    if told:
        return {"rolls": "seeded", "hash": row.promise, "salt": row.salt, "seed": row.seed}
    return {"rolls": "seeded", "hash": row.promise if row.salt else None, "salt": None, "seed": None}


def is_open(table: Table) -> bool:
    """Whether the seed may be told: after the end, and for a daily match after the day."""
    return table.match.is_over and (may_tell(table.row) or table.is_told)


def is_revealed(table: Table) -> bool:
    """Whether hidden cards and earlier moments may be seen: after the end; in a class when the teacher has ended it."""
    return table.match.is_over and (table.row.kind != "class" or table.is_told)


def may_tell(row: TableRow) -> bool:
    """Whether the end of a match is enough to tell its dice: not in a class, where others play with them."""
    return is_past(row) and row.kind != "class"


def is_past(row: TableRow) -> bool:
    """Whether nobody else can still play with the same dice: always, but for a match of today."""
    return row.day is None or row.day < today()


def _counts(session: Session) -> str | None:
    """Return whether a daily match is for the board: `yes`, or why not."""
    table, day = session.table, session.row.day
    if day is None:
        return None
    if not table.row.counted:
        return "again"
    if any(entry.kind == "bot" and entry.seat in session.tokens for entry in table.log):
        return "bot"
    played = [entry.at for entry in table.log if entry.kind in ("move", "chance")]
    ended = played[-1] if table.phase == "over" else time.time()
    return "late" if ended >= end_of(day) else "yes"


def _due(table: Table, viewer: Viewer) -> list[str] | None:
    """What the next outcome can be, where people type it in."""
    if not table.is_typed or not table.chance_due or not (viewer.seats or viewer.host):
        return None
    return list(table.match.position.outcomes()) if table.next_outcome() is None else None


def _called(table: Table) -> list[dict[str, Any]]:
    turns: dict[int, list[str]] = {}
    for step in table.match.log:
        if step.kind == "chance":
            turns.setdefault(step.turn, []).append(step.text)
    return [{"turn": turn, "texts": texts} for turn, texts in turns.items()]


_UNPLACED = re.compile(
    r'<(?![^>]* data-cell=)[^>]* data-move="([^"]*)"'
)  # moves that go nowhere on a sheet: buttons name them


def _outcomes(view: dict[str, Any]) -> set[str]:
    """Return the outcomes that a view shows: those that came, were called or can be typed in."""
    came = {entry["text"] for entry in view["log"] if entry["kind"] == "chance"}
    return came | set(view["due"] or []) | {text for call in view["called"] or [] for text in call["texts"]}


def _words(table: Table, view: dict[str, Any], language: str) -> dict[str, str]:
    """How people say the outcomes, moves and scoring lines of a view, where the game writes them as codes."""
    drawn, moves = view["sheet"] or "", {entry["text"] for entry in view["log"] if entry["kind"] in ("move", "undo")}
    texts = _outcomes(view)
    texts |= {row["name"] for row in view["left"] or []}
    texts |= moves | {way["label"] for ways in view["ways"].values() for way in ways}
    texts |= set(map(unescape, _UNPLACED.findall(drawn))) if drawn else set(view["moves"])
    texts |= {part for move in (*moves, *view["moves"]) for word in move.split(" ") for part in word.split("+")}
    for named in ("source", "orientation", "cell"):
        texts |= {part.partition('"')[0] for part in drawn.split(f'data-{named}="')[1:]}
    found = {text: said(table.variant, text, language) for text in sorted(texts)}
    names = [bare_name(seat.name) for seat in table.seats]
    for text in _outcomes(view):  # such as who begins
        words = table.variant.game.texts.say(table.variant, text)
        if isinstance(words, Phrase) and (named := words.with_names(names)) != words:
            found[text] = translate(named, messages_of(table.variant.game, language))
    return {text: spoken for text, spoken in found.items() if spoken != text}


@functools.lru_cache(maxsize=1 << 15)
def said(variant: Variant, text: str, language: str) -> str:
    """Return how people say an outcome, a move or a piece, in a language. Tables of a variant share the answers."""
    return translate(variant.game.texts.say(variant, text), messages_of(variant.game, language))


def _left(position: Position, seat: int | None) -> list[dict[str, Any]] | None:
    """What is left to draw, where the game tells; spectators, where it is the same for all."""
    left = getattr(position.variant.game.notation, "left_to_draw", None)
    if left is None:
        return None
    seats, seen = range(position.variant.seats) if seat is None else [seat], position.seen_by(seat)
    first, *others = [left(seen.variant, seen.state, one) for one in seats]
    if any(other != first for other in others):
        return None
    return [{"name": name, "count": count} for name, count in first.items()]


def _flips(table: Table, sheet: str) -> dict[str, str]:
    """Return the mirror image of every orientation of a piece, where the game tells."""
    flip = getattr(table.variant.game.picture, "flip", None) if sheet else None
    if flip is None:
        return {}
    known = {part.partition('"')[0] for part in sheet.split('data-orientation="')[1:]}
    return {turned: flip(turned) for turned in sorted(known) if flip(turned) != turned}


def _ways(table: Table, seat: int, sheet: str) -> dict[str, list[dict[str, str]]]:
    """Return the moves that share a target, by the move that the target shows, each with what tells it apart."""
    if " data-ways=" not in sheet:
        return {}
    state = table.match.position.seen_by(seat).state
    shared = [one for one in table.variant.game.picture.targets(table.variant, state, seat) if len(one.ways()) > 1]
    return {one.move: [{"move": move, "label": label} for move, label in one.ways().items()] for one in shared}


# --- score, sheets, records --------------------------------------------------------------------------------------


def explain_score(
    session: Session, viewer: Viewer, seat: int, line: str, seq: int | None, language: str = SOURCE
) -> dict[str, Any]:
    """Return the cells that a scoring line counts, and a sentence; at any moment of a finished match."""
    table = session.table
    if line not in table.variant.score_lines:
        raise LamplighterError(f"there is no scoring line {line!r}: there are {', '.join(table.variant.score_lines)}")
    position = _position(table, seq)
    if not (seat in viewer.seats or is_revealed(table)):
        position = position.seen_by(None)
    found = explain_line(table.variant, position.state, seat, line, position.score(seat)[line])
    sentence = translate(found.sentence, messages_of(table.variant.game, language))
    return {"cells": list(score_cells(table.variant, position.state, seat).get(line, [])), "sentence": sentence}


def draw_sheet(
    session: Session,
    viewer: Viewer,
    seat: int,
    theme: str | None,
    large: bool,
    seq: int | None,
    language: str = SOURCE,
) -> str:
    """Return a seat's sheet as a picture; at any moment of a finished match."""
    table = session.table
    position = called_now(table) if table.row.kind == "caller" else _position(table, seq)
    if not (seat in viewer.seats or is_revealed(table)):
        position = position.seen_by(None)
    return position.svg(seat, theme=theme, large=large, language=language)


def called_now(table: Table) -> Position:
    """Blank sheets with the last call beside them, for people on paper.

    What is drawn by lot before the first call (who begins, goals) comes before it here too.
    """
    position, calls = table.variant.start(), _called(table)
    last = calls[-1]["texts"] if calls else []
    for text in itertools.chain.from_iterable(call["texts"] for call in calls[:2]):
        if last[0] in position.outcomes():
            break
        position.roll(text)
    for text in last:
        if text in position.outcomes():
            position.roll(text)
    if calls:
        position.state["turn"] = calls[-1]["turn"]
    return position


def _position(table: Table, seq: int | None) -> Position:
    """Return the position now, or after so many steps of a finished match."""
    if seq is None:
        return table.match.position
    if not is_revealed(table):
        raise NotNow("earlier moments can be seen when the match is over")
    return table.match.at(max(0, min(seq, len(table.match.log))))


def replay(table: Table) -> dict[str, Any]:
    """Return every step of a finished match with the scores after it, and the totals at the end of every turn."""
    if not table.match.is_over:
        raise NotNow("the replay can be seen when the match is over")
    steps: list[dict[str, Any]] = []
    for step, position in table.match.replay():
        lines = [list(position.score(seat).values()) for seat in range(len(table.seats))]
        steps.append(
            {
                "seq": len(steps) + 1,
                "kind": step.kind,
                "seat": step.seat,
                "text": step.text,
                "turn": step.turn,
                "totals": [sum(points) for points in lines],
                "lines": lines,
            }
        )
    by_turn = {one["turn"]: one["totals"] for one in steps}
    return {"steps": steps, "curve": [{"turn": turn, "totals": totals} for turn, totals in by_turn.items()]}


def ghost(table: Table, source: Session) -> dict[str, Any] | None:
    """Return whom this table races: how far they were when the last turn here was done."""
    seat, raced = table.row.ghost, source.table
    if seat is None or source.curve is None or not 0 <= seat < len(raced.seats):
        return None
    turn = table.match.position.turn
    done = [moment for past, moment in source.curve.items() if past < turn or table.match.is_over]
    seq, totals = done[-1] if done else (0, [0] * len(raced.seats))
    return {
        "table": source.id,
        "seat": seat,
        "seq": seq,
        "name": raced.seats[seat].name,
        "total": raced.match.position.total(seat),
        "now": totals[seat],
        "turn": turn,
    }


def record(table: Table, told: bool | None = None) -> Any:
    """The match to write down: with its seed if that may be told, else with its dice as they fell."""
    told = is_open(table) if told is None else told
    match = table.match.copy()
    match.players = [seat.name or f"Player {number + 1}" for number, seat in enumerate(table.seats)]
    hinted = [str(number) for number, seat in enumerate(table.seats) if seat.hinted]
    match.tags |= {"Hints": " ".join(hinted)} if hinted else {}
    match.tags["Date"] = time.strftime("%Y-%m-%d", time.gmtime(table.row.created))
    if match.seed is not None:
        match.tags |= promise_tags(table.row, told)
        if not told:
            match.seed = None
    return match


def promise_tags(row: TableRow, told: bool) -> dict[str, str]:
    """What a record says about the promise of its dice."""
    dice = dice_of(row, told)
    names = {"Promise": dice["hash"], "Salt": dice["salt"]} if row.salt else {"SeedHash": dice["hash"]}
    return {name: value for name, value in names.items() if value is not None}


def promise_checks(row: TableRow, told: bool) -> list[dict[str, Any]]:
    """Whether the seed, if it may be told, is the one that was promised."""
    if row.seed is None or not told:
        return []
    found = chance.promise(row.seed, row.salt) if row.salt else chance.seed_hash(row.seed)
    how = "HMAC-SHA-256 of salt and seed" if row.salt else "SHA-256 of the seed"
    return [{"name": "hash", "ok": found == row.promise, "detail": f"{how} is {found}"}]


def verify(table: Table, totals: list[int]) -> dict[str, Any]:
    """Check a finished match against what was promised at its start and noted at its end."""
    from lamplighter.engine.record import format_record, parse_record

    checks = promise_checks(table.row, is_open(table))
    try:
        again = parse_record(format_record(record(table)))
        detail = f"{len(again.log)} steps replayed: {' '.join(map(str, again.totals))}"
        checks.append({"name": "replay", "ok": again.totals == table.match.totals, "detail": detail})
    except LamplighterError as error:
        checks.append({"name": "replay", "ok": False, "detail": str(error)})
    noted = f"noted at the end: {' '.join(map(str, totals))}"
    checks.append({"name": "result", "ok": totals == table.match.totals, "detail": noted})
    return {"ok": all(check["ok"] for check in checks), **dice(table), "checks": checks}
