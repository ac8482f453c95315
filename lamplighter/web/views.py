"""What one viewer may know of a table: a seat's people, or anybody who watches. Nothing else leaves the server."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lamplighter.engine.chance import seed_hash
from lamplighter.engine.match import HIDDEN
from lamplighter.engine.position import Position
from lamplighter.errors import BadNotation, IllegalMove, LamplighterError
from lamplighter.web.refusals import NotNow
from lamplighter.web.store import Row
from lamplighter.web.table import Table
from lamplighter.web.tables import Tables, today

LOG_LENGTH = 40


@dataclass(frozen=True)
class Viewer:
    """Who looks: the seats whose token was shown, and whether it laid the table."""

    seats: tuple[int, ...] = ()
    host: bool = False


def show(tables: Tables, table: Table, viewer: Viewer, seat: int | None = None, sheet: bool = True) -> dict[str, Any]:
    """The whole view: everything a page needs to draw the table."""
    you = _shown_seat(table, viewer, seat)
    match, phase = table.match, table.phase
    view: dict[str, Any] = {
        "id": table.id,
        "game": table.row.game,
        "title": table.variant.game.title,
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
        "host": viewer.host,
        "seats": [_seat(tables, table, viewer, number) for number in range(len(table.seats))],
        "waiting": list(table.waiting),
        "moves": [],
        "can_undo": False,
        "holding": table.hold_until,
        "sheet": None,
        "text": "",
        "flips": {},
        "secret": table.is_secret,
        "log": entries(table, viewer, max(0, table.seq - LOG_LENGTH)),
        "dice": dice(table),
        "due": _due(table, viewer),
        "can_unroll": table.can_unroll and bool(viewer.seats or viewer.host),
        "called": _called(table) if table.row.kind == "caller" else None,
        "again": table.row.source is not None and table.row.kind != "entry",
        "follows_play": table.variant.game.draws_follow_play,
        "ghost": None,
        "result": {"winners": match.winners()} if phase == "over" else None,
        "rematch": table.rematch,
        "left": _left(match.position, you),
    }
    if you is not None:
        acts = you in table.waiting and table.seats[you].kind == "person"
        view["moves"] = match.legal_moves(you) if acts else []
        view["can_undo"] = table.can_take_back(you)
        if sheet and table.variant.game.has_picture:
            view["sheet"] = match.position.svg(you, targets=acts, theme=None, prefix="you-")
        if sheet:
            view["text"] = str(match.position.seen_by(you).draw(you))
            view["flips"] = _flips(table, view["sheet"] or "") if acts else {}
    return view | {"words": _words(table, view)}


def _shown_seat(table: Table, viewer: Viewer, seat: int | None) -> int | None:
    """The seat to show: the one that was asked for if it is theirs, else the first of theirs that has to act."""
    if seat in viewer.seats:
        return seat
    return next((one for one in viewer.seats if one in table.waiting), next(iter(viewer.seats), None))


def _seat(tables: Tables, table: Table, viewer: Viewer, number: int) -> dict[str, Any]:
    seat, counts = table.seats[number], table.row.kind != "caller"
    lines = table.score(number) if counts else {}
    person = number in table.tokens
    return {
        "seat": number,
        "name": seat.name,
        "kind": seat.kind,
        "bot": seat.bot,
        "owner": person,
        "waiting": number in table.waiting,
        "since": seat.since,
        "here": person and tables.is_here(table, number),
        "replaceable": table.phase != "over" and tables.may_replace(table, number, viewer.seats, viewer.host),
        "total": sum(lines.values()),
        "lines": [{"name": name, "points": points} for name, points in lines.items()],
    }


def entries(table: Table, viewer: Viewer, after: int) -> list[dict[str, Any]]:
    """The log behind a number, as this viewer may read it; only what is on the disk."""
    return [_entry(table, viewer, row) for row in table.rows[after : table.saved] if _is_shown(table, row)]


def _is_shown(table: Table, row: Row) -> bool:
    """A caller's table shows what was called, not what the bots that stand in did with it."""
    return table.row.kind != "caller" or row.kind in ("chance", "unroll")


def _entry(table: Table, viewer: Viewer, row: Row) -> dict[str, Any]:
    hidden = row.kind == "chance" and row.seat is not None and row.seat not in viewer.seats and table.is_secret
    text = HIDDEN if hidden and table.phase != "over" else row.text
    return {"seq": row.seq, "kind": row.kind, "seat": row.seat, "text": text, "at": row.at}


def dice(table: Table) -> dict[str, Any]:
    """Where the outcomes come from: the seed's hash from the start, the seed when it can't help anybody any more."""
    seed = table.row.seed
    if seed is None:
        return {"rolls": "typed", "hash": None, "seed": None}
    return {"rolls": "seeded", "hash": table.row.promise, "seed": seed if is_open(table) else None}


def is_open(table: Table) -> bool:
    """Whether the seed may be told: after the end, and for a daily match after the day."""
    return table.match.is_over and (table.row.day is None or table.row.day < today())


def _due(table: Table, viewer: Viewer) -> list[str] | None:
    """What the next outcome can be, where people type it in."""
    if not table.is_typed or not table.chance_due or not (viewer.seats or viewer.host):
        return None
    return list(table.match.position.outcomes()) if table.next_outcome() is None else None


def _called(table: Table) -> list[dict[str, Any]]:
    turns: dict[int, list[str]] = {}
    for entry in table.match.log:
        if entry.kind == "chance":
            turns.setdefault(entry.turn, []).append(entry.text)
    return [{"turn": turn, "texts": texts} for turn, texts in turns.items()]


def _words(table: Table, view: dict[str, Any]) -> dict[str, str]:
    """How people say the outcomes and moves of a view, where the game writes them as codes."""
    say = getattr(table.variant.game.notation, "say", None)
    if say is None:
        return {}
    texts = {entry["text"] for entry in view["log"] if entry["kind"] == "chance"} | set(view["due"] or [])
    texts |= {text for call in view["called"] or [] for text in call["texts"]} | set(view["moves"])
    texts |= {row["name"] for row in view["left"] or []}
    texts |= {part for move in view["moves"] for word in move.split(" ") for part in word.split("+")}
    return {text: said for text in sorted(texts) if (said := say(table.variant, text)) != text}


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
    """For every way a piece may lie, its mirror image, where the game tells."""
    flip = getattr(table.variant.game.picture, "flip", None) if sheet else None
    if flip is None:
        return {}
    lies = {part.partition('"')[0] for part in sheet.split('data-lie="')[1:]}
    return {lie: flip(lie) for lie in sorted(lies) if flip(lie) != lie}


# --- single questions -----------------------------------------------------------------------------------------------


def explain(table: Table, seat: int, move: str, source: str, cell: str, lie: str) -> dict[str, Any]:
    """Whether a move would be legal, and if not why: the rule and a sentence."""
    text = move or _pointed_at(table, seat, source, cell, lie)
    if text is None:
        return _answer(f"{source} {cell}", "it would leave the grid", "", "it would leave the grid")
    try:
        refusal = table.match.why(text, seat)
    except BadNotation as error:
        return _answer(text, str(error), "", "it does not fit here")
    if refusal is None:
        return {**_answer(text, "", "", ""), "legal": True}
    return _answer(text, message_of(refusal), refusal.rule, refusal.sentence)


def message_of(error: LamplighterError) -> str:
    """What is said about an error. A refused move's own words have the whole position, and so everybody's hand."""
    if isinstance(error, IllegalMove):
        return f"illegal move {error.move!r}: {error.rule} {error.sentence}"
    return str(error)


def _answer(move: str, message: str, rule: str, sentence: str) -> dict[str, Any]:
    return {"legal": False, "move": move, "message": message, "rule": rule, "sentence": sentence}


def _pointed_at(table: Table, seat: int, source: str, cell: str, lie: str) -> str | None:
    """The text of a move that was pointed at: a legal one of the same kind, moved there; None if it leaves the grid."""
    picture, state = table.variant.game.picture, table.match.position.seen_by(seat).state
    targets = [one for one in picture.targets(table.variant, state, seat) if one.source == source and one.cell]
    if not targets:
        return f"{source} {cell}"
    like = next((one for one in targets if one.lie == lie), targets[0])
    cells = picture.draw(table.variant, state, seat).cells
    return shifted(like.move, like.cell, cell, {name: box[:2] for name, box in cells.items()})


def shifted(move: str, start: str, end: str, corners: Mapping[str, tuple[float, float]]) -> str | None:
    """A move with all its cells moved as far as from one cell to another; None if one of them leaves the grid.

    >>> corners = {"a0": (0, 0), "a1": (9, 0), "b0": (0, 9), "b1": (9, 9)}
    >>> shifted("lay 5c a0 a1", "a0", "b0", corners), shifted("lay 5c a0 a1", "a0", "a1", corners)
    ('lay 5c b0 b1', None)
    """
    if start not in corners or end not in corners:
        return None
    there = {corner: name for name, corner in corners.items()}
    right, down = (corners[end][axis] - corners[start][axis] for axis in (0, 1))
    words = []
    for word in move.split(" "):
        if word in corners:
            word = there.get((corners[word][0] + right, corners[word][1] + down), "")
        words.append(word)
    return " ".join(words) if all(words) else None


def line_cells(table: Table, viewer: Viewer, seat: int, line: str, seq: int | None) -> list[str]:
    """The cells behind a scoring line; at any moment of a finished match."""
    if line not in table.variant.score_lines:
        raise LamplighterError(f"there is no scoring line {line!r}: there are {', '.join(table.variant.score_lines)}")
    position = _position(table, seq)
    if not (seat in viewer.seats or table.match.is_over):
        position = position.seen_by(None)
    return list(table.variant.game.picture.score_cells(table.variant, position.state, seat).get(line, []))


def draw_sheet(table: Table, viewer: Viewer, seat: int, theme: str, large: bool, seq: int | None) -> str:
    """A seat's sheet as a picture; at any moment of a finished match."""
    position = _called_now(table) if table.row.kind == "caller" else _position(table, seq)
    if not (seat in viewer.seats or table.match.is_over):
        position = position.seen_by(None)
    return position.svg(seat, theme=theme, large=large)


def _called_now(table: Table) -> Position:
    """Blank sheets with the last call beside them, for people on paper.

    What is drawn by lot before the first call (who begins, goals) comes before it here too.
    """
    position, calls = table.variant.start(), _called(table)
    last = calls[-1]["texts"] if calls else []
    for text in itertools.chain.from_iterable(call["texts"] for call in calls[:2]):
        if last[0] in position.outcomes():
            break
        position.reveal(text)
    for text in last:
        if text in position.outcomes():
            position.reveal(text)
    return position


def _position(table: Table, seq: int | None) -> Position:
    """The position now, or after so many entries of a finished match."""
    if seq is None:
        return table.match.position
    if not table.match.is_over:
        raise NotNow("earlier moments are shown when the match is over")
    moments = itertools.islice(table.match.replay(), max(0, min(seq, len(table.match.log)) - 1), None)
    return next(moments)[1] if seq > 0 else table.variant.start()


def replay(table: Table) -> dict[str, Any]:
    """Every entry of a finished match with the scores after it, and the totals at the end of every turn."""
    if not table.match.is_over:
        raise NotNow("the replay comes when the match is over")
    steps: list[dict[str, Any]] = []
    for entry, position in table.match.replay():
        lines = [list(position.score(seat).values()) for seat in range(len(table.seats))]
        steps.append(
            {
                "seq": len(steps) + 1,
                "kind": entry.kind,
                "seat": entry.seat,
                "text": entry.text,
                "turn": entry.turn,
                "totals": [sum(points) for points in lines],
                "lines": lines,
            }
        )
    by_turn = {step["turn"]: step["totals"] for step in steps}
    return {"steps": steps, "curve": [{"turn": turn, "totals": totals} for turn, totals in by_turn.items()]}


def ghost(table: Table, source: Table) -> dict[str, Any] | None:
    """Whom this table races: how far they were when the last turn here was done."""
    seat = table.row.ghost
    if seat is None or not source.match.is_over or not 0 <= seat < len(source.seats):
        return None
    curve, turn = source.curve(seat), table.match.position.turn
    done = [moment for past, moment in curve.items() if past < turn or table.match.is_over]
    seq, points = done[-1] if done else (0, 0)
    return {
        "table": source.id,
        "seat": seat,
        "seq": seq,
        "name": source.seats[seat].name,
        "total": source.match.position.total(seat),
        "now": points,
        "turn": turn,
    }


def record(table: Table) -> Any:
    """The match to write down: with its seed if that may be told, else with its dice as they fell."""
    match = table.match.copy()
    match.players = [seat.name or f"Player {number + 1}" for number, seat in enumerate(table.seats)]
    match.tags["Date"] = time.strftime("%Y-%m-%d", time.gmtime(table.row.created))
    if match.seed is not None:
        match.tags["SeedHash"] = table.row.promise or ""
        if not is_open(table):
            match.seed = None
    return match


def verify(table: Table, totals: list[int]) -> dict[str, Any]:
    """Check a finished match against what was promised at its start and noted at its end."""
    from lamplighter.engine.record import format_record, parse_record

    seed = table.row.seed
    checks = []
    if seed is not None and is_open(table):
        kept = seed_hash(seed) == table.row.promise
        checks.append({"name": "hash", "ok": kept, "detail": f"SHA-256 of the seed is {seed_hash(seed)}"})
    try:
        again = parse_record(format_record(record(table)))
        detail = f"{len(again.log)} entries replayed: {' '.join(map(str, again.totals))}"
        checks.append({"name": "replay", "ok": again.totals == table.match.totals, "detail": detail})
    except LamplighterError as error:
        checks.append({"name": "replay", "ok": False, "detail": str(error)})
    noted = f"noted at the end: {' '.join(map(str, totals))}"
    checks.append({"name": "result", "ok": totals == table.match.totals, "detail": noted})
    return {"ok": all(check["ok"] for check in checks), **dice(table), "checks": checks}
