"""The match file: tags, then a line a turn, outcomes before moves; and its twin in JSON lines. See docs/notation.md.

    [Game "…"]
    [Variant "…?seats=2"]
    [Seed "7"]
    [Result "*"]

    1. first 0, 3, 4, 6 | 0: 3 star c3 | 1: 4 bow d2 {a remark}

Reading replays the match by the rules, so that a file which was cut off or edited is refused with the entry's number.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lamplighter.engine import chance, registry
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.game import Game
from lamplighter.engine.match import Entry, Match
from lamplighter.engine.reading import RECORD_LIMIT, find_control, need_short, parse_number, read_file, without_control
from lamplighter.engine.variant import Variant, parse_variant, split_variant
from lamplighter.errors import BadRecord, IllegalMove, LamplighterError, MissingRecord, shown
from lamplighter.version import VERSION

UNFINISHED = "*"
LINES = "\t\r\n"  # control characters that a remark may have
_TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_MOVE = re.compile(r"[0-9]+:")
_SIGN = re.compile(r"[|{]")
_SEAT_TAG = re.compile(r"Seat[0-9]+")

# seat, kind, text, comment, turn: an entry as it is in a file, before the rules have seen it
RawEntry = tuple[int | None, str, str, str, int | None]


# --- writing --------------------------------------------------------------------------------------------------


def tags(match: Match) -> dict[str, str]:
    """Return the header of a match, in order."""
    variant = match.variant
    head = {
        "Game": variant.game.id,
        "Variant": variant.text,
        "RulesVersion": str(variant.game.rules_version),
        "Engine": f"lamplighter {VERSION}",
    }
    head |= {"Rolls": "typed"} if match.seed is None else {"Seed": match.seed}
    head |= {f"Seat{seat}": without_control(name) for seat, name in enumerate(match.players)}
    head |= {key: without_control(value) for key, value in match.tags.items() if key not in head}
    head["Result"] = " ".join(map(str, match.totals)) if match.is_over else UNFINISHED
    if match.is_over:
        head["Winners"] = " ".join(map(str, match.winners()))
    if variant.own_box:
        head["Box"] = variant.file.text
    head["Digest"] = digest(match)
    return head


def hinted_seats(match: Match) -> list[int]:
    """Return the seats that looked at hints, as the tag `Hints` says; what makes no sense there is left out."""
    numbers = (parse_number(word, 2) for word in match.tags.get("Hints", "").split(" "))
    return sorted({seat for seat in numbers if seat is not None and seat < match.variant.seats})


def digest(match: Match) -> str:
    """Return a short hash of the variant and the log, so that an edited file is noticed."""
    parts = [match.variant.text, json.dumps(match.variant.file.data, sort_keys=True), str(match.seed)]
    parts += [f"{entry.kind} {entry.seat} {entry.text}" for entry in match.log]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def format_record(match: Match) -> str:
    """Return the match as a text file."""
    lines = [f"[{key} {json.dumps(value, ensure_ascii=False)}]" for key, value in tags(match).items()]
    lines.append("")
    turn: int | None = None
    parts: list[str] = []
    for entry in match.log:
        if entry.turn != turn:
            lines += [_format_turn(turn, parts)] if turn is not None else []
            turn, parts = entry.turn, []
        _add_entry(parts, entry)
    if turn is not None:
        lines.append(_format_turn(turn, parts))
    return "\n".join(lines) + "\n"


def _add_entry(parts: list[str], entry: Entry) -> None:
    comment = " ".join(entry.comment.splitlines()).replace("{", "(").replace("}", ")")
    comment = f" {{{comment}}}" if comment else ""
    if entry.kind == "move":
        parts.append(f"{entry.seat}: {entry.text}{comment}")
        return
    text = (entry.text if entry.seat is None else f"{entry.seat}={entry.text}") + comment
    if parts and not _MOVE.match(parts[-1]) and not parts[-1].endswith("}"):
        parts[-1] += f", {text}"
    else:
        parts.append(text)


def _format_turn(turn: int, parts: list[str]) -> str:
    return f"{turn}. " + " | ".join(parts)


def format_json_lines(match: Match) -> str:
    """Return the match as JSON lines: the tags, then an object per entry."""
    lines = [json.dumps({"lamplighter": "match", "tags": tags(match)}, ensure_ascii=False)]
    for seq, entry in enumerate(match.log, 1):
        row: dict[str, Any] = {"seq": seq, "kind": entry.kind, "seat": entry.seat, "text": entry.text}
        row |= {"comment": entry.comment} if entry.comment else {}
        lines.append(json.dumps(row, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def write(match: Match, path: str | Path) -> None:
    """Write a match to a file, whole or not at all."""
    target = Path(path)
    write_whole(target, format_json_lines(match) if target.suffix == ".jsonl" else format_record(match))


def write_whole(path: Path, text: str) -> None:
    """Write a text file so that there is never half of it."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise LamplighterError(f"cannot write {str(path)!r}: {error.strerror}") from None


# --- reading --------------------------------------------------------------------------------------------------


def read_tags(path: str | Path) -> dict[str, str]:
    """Return only the header of a record, without replaying anything."""
    head: dict[str, str] = {}
    try:
        text = need_short(read_file(path, RECORD_LIMIT), RECORD_LIMIT, "a record", BadRecord)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    for line in text.split("\n"):
        if line.startswith("{"):
            return _json_header(line)
        if not line.strip():
            break
        key, value = _parse_tag(line)
        head[key] = value
    return head


def read(path: str | Path) -> Match:
    """Read a match from a file of either kind: checked, replayed, ready to go on."""
    try:
        text = read_file(path, RECORD_LIMIT)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    try:
        return parse_record(text)
    except BadRecord as error:
        raise BadRecord(f"{path}: {error}", error.entry) from None


def parse_record(text: str) -> Match:
    """Return the match of a record's text, of either kind."""
    need_short(text, RECORD_LIMIT, "a record", BadRecord)
    if text.lstrip().startswith("{"):
        head, entries = _parse_json_lines(text)
    else:
        head, entries = _parse_text(text)
    match = _start(head)
    count = 0
    for count, entry in enumerate(entries, 1):
        _replay_entry(match, count, entry)
    _check_end(match, head, count)
    return match


def _unreadable(path: str | Path, error: Exception) -> BadRecord:
    reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
    kind = MissingRecord if isinstance(error, FileNotFoundError) else BadRecord
    return kind(f"cannot read {str(path)!r}: {reason}")


def _parse_tag(line: str) -> tuple[str, str]:
    clean = line.strip()
    name, _, value = clean[1:-1].partition(" ")
    if not (clean.startswith("[") and clean.endswith("]")):
        raise BadRecord(f"not a match record: cannot read the tag line {shown(clean)}")
    text = _parse_json(value)
    if not isinstance(text, str):
        raise BadRecord(f'cannot read the tag line {shown(clean)}: write [Name "value"]')
    return _check_tag(name, text)


def _check_tag(name: str, value: Any) -> tuple[str, str]:
    """Return a tag, of either format. Its value may be shown in a terminal, so that it must not steer one."""
    if not _TAG_NAME.fullmatch(name):
        raise BadRecord(f"not a match record: {shown(name)} cannot be the name of a tag")
    if not isinstance(value, str):
        raise BadRecord(f"the tag {shown(name)} must be a text, not {shown(value)}")
    control = find_control(value)
    if control and name not in ("Box", "Seed"):  # which are never shown as they are, and must stay as they are
        raise BadRecord(f"the tag {name} has the control character {control}: take it out")
    return name, value


def _parse_json(text: str) -> Any:
    """Return a JSON value; None if it is not JSON, or not valid Unicode."""
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return value


def _json_header(line: str) -> dict[str, str]:
    first = _parse_json(line)
    head = first.get("tags") if isinstance(first, dict) else None
    if not isinstance(head, dict):
        raise BadRecord("not a match record: the first JSON line has no tags")
    return dict(_check_tag(name, value) for name, value in head.items())


def _parse_json_lines(text: str) -> tuple[dict[str, str], list[RawEntry]]:
    lines = [line for line in text.split("\n") if line.strip()]
    return _json_header(lines[0]), [_json_entry(number, line) for number, line in enumerate(lines[1:], 1)]


def _json_entry(number: int, line: str) -> RawEntry:
    row = _parse_json(line)
    if isinstance(row, dict):
        seat, comment = row.get("seat", ""), row.get("comment", "")
        texts = [row.get("kind"), row.get("text"), comment]
        if (seat is None or type(seat) is int) and all(isinstance(one, str) for one in texts):
            return seat, row["kind"], row["text"], comment, None
    raise BadRecord(f"entry {number} is damaged: {shown(line)}", number)


def _parse_text(text: str) -> tuple[dict[str, str], list[RawEntry]]:
    head: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if line.strip():
            key, value = _parse_tag(line)
            head[key] = value
        elif head:
            break
    return head, list(_parse_turns(lines))


def _parse_turns(lines: Iterable[str]) -> Iterator[RawEntry]:
    number = 0
    for line in lines:
        if not line.strip() or line.lstrip().startswith(("#", ";")):
            continue
        head, dot, rest = line.strip().partition(".")
        turn = parse_number(head, 9)
        if turn is None or not dot:
            raise BadRecord(f"after entry {number}: not a turn: {shown(line.strip())}", number + 1)
        for part, comment in _parts(rest, number):
            for raw in _parse_part(part, comment, turn):
                number += 1
                yield raw


def _parts(text: str, number: int) -> Iterator[tuple[str, str]]:
    """Yield the parts of a turn, which bars separate, each with its remark. A bar in a remark does not separate."""
    at = 0
    while at <= len(text):
        sign, comment = _SIGN.search(text, at), ""
        end = sign.start() if sign else len(text)
        part = text[at:end].strip()
        if sign and sign[0] == "{":
            close = text.find("}", end)
            bar = text.find("|", close)
            at, end = end, len(text) if bar < 0 else bar
            if close < 0 or text[close + 1 : end].strip():
                raise BadRecord(
                    f"after entry {number}: a remark is not the end of its part: {shown(text[at:])}", number + 1
                )
            comment = text[at + 1 : close]
        yield part, comment
        at = end + 1


def _parse_part(part: str, comment: str, turn: int) -> Iterator[RawEntry]:
    """Yield one move of a turn, or a run of outcomes."""
    seat, words = _split_seat(part, ":")
    if seat is not None:
        yield seat, "move", words, comment, turn
        return
    outcomes = [text.strip() for text in part.split(",") if text.strip()]
    for i, text in enumerate(outcomes):
        seat, words = _split_seat(text, "=")
        yield seat, "chance", words, comment if i == len(outcomes) - 1 else "", turn


def _split_seat(text: str, sign: str) -> tuple[int | None, str]:
    """Return the seat in front of a sign and what follows; no seat, and the whole text, if there is no sign."""
    head, found, rest = text.partition(sign)
    seat = parse_number(head) if found else None
    return seat, text if seat is None else rest.strip()


# --- checking -------------------------------------------------------------------------------------------------


def _start(head: dict[str, str]) -> Match:
    for key in ("Game", "Variant"):
        if key not in head:
            raise BadRecord(f"not a match record: the tag {key} is missing")
    try:
        variant = _variant(head)
    except LamplighterError as error:
        raise BadRecord(f"the header is refused: {error}") from None
    version = str(variant.game.rules_version)
    if head.get("RulesVersion", version) != version:
        raise BadRecord(
            f"it was played by version {head['RulesVersion'][:20]} of the rules, and this is version {version}: "
            "a match may come out differently, so it is not replayed"
        )
    players = [head.get(f"Seat{seat}", f"Player {seat + 1}") for seat in range(variant.seats)]
    match = Match(variant, head["Seed"] if head.get("Seed") else None, players)
    known = {"Game", "Variant", "RulesVersion", "Engine", "Seed", "Rolls", "Result", "Winners", "Box", "Digest"}
    match.tags = {key: value for key, value in head.items() if key not in known and not _SEAT_TAG.fullmatch(key)}
    return match


def _variant(head: dict[str, str]) -> Variant:
    name, pairs = split_variant(head["Variant"])
    if name != head["Game"]:
        raise BadRecord(f"the tags Game and Variant differ: {shown(head['Game'])}, {shown(name)}")
    if "box" in pairs and "Box" not in head:
        raise BadRecord("it was played with a component file, and the tag Box, which has its text, is missing")
    return _build(registry.load(name), tuple(pairs.items()), head.get("Box"))


@functools.lru_cache(maxsize=8)  # building one takes longer than reading a match
def _build(game: Game, pairs: tuple[tuple[str, str], ...], box_text: str | None) -> Variant:
    box = None if box_text is None else ComponentFile(box_text, dict(pairs).get("box", "box"))
    return parse_variant(game, dict(pairs), box)


def _replay_entry(match: Match, number: int, entry: RawEntry) -> None:
    seat, kind, text, comment, turn = entry
    try:
        if kind == "move":
            match.play(text, seat if seat is not None else -1)
        elif kind == "chance":
            _replay_chance(match, seat, text)
        else:
            raise BadRecord(f"there is no kind {shown(kind)}")
    except IllegalMove as error:
        raise BadRecord(f"entry {number} is refused: seat {seat}, {error}", number) from None
    except LamplighterError as error:
        raise BadRecord(f"entry {number} ({shown(text)}) is refused: {error}", number) from None
    if turn is not None and turn != match.log[-1].turn:
        raise BadRecord(
            f"entry {number} ({shown(text)}) is in turn {turn}, but belongs to {match.log[-1].turn}", number
        )
    if comment:
        match.comment(without_control(comment, LINES))


def _replay_chance(match: Match, seat: int | None, text: str) -> None:
    match.confirm_outcome(text)
    whom = match.log[-1].seat
    if seat != whom:
        raise BadRecord(f"this outcome is for {'everybody' if whom is None else f'seat {whom}'}")


def _check_end(match: Match, head: dict[str, str], count: int) -> None:
    _check_promise(match.seed, head)
    result = head.get("Result", UNFINISHED)
    if result != UNFINISHED:
        if not match.is_over:
            raise BadRecord(
                f"it ends after entry {count} without an end of the match, yet has a result: cut off?", count
            )
        if result != (counted := " ".join(map(str, match.totals))):
            raise BadRecord(f"after entry {count}: the result says {result[:100]}, the rules count {counted}", count)
        if head.get("Winners", "") not in ("", " ".join(map(str, winners := match.winners()))):
            raise BadRecord(f"after entry {count}: the winners are {winners}, not {shown(head['Winners'])}", count)
    if "Digest" in head and head["Digest"] != digest(match):
        raise BadRecord(
            f"after entry {count}: every entry is legal, but the digest does not fit: it was edited or cut off after "
            "it was saved (take the Digest tag out to accept it as it is)",
            count,
        )


def _check_promise(seed: str | None, head: dict[str, str]) -> None:
    """Compare the seed with what was promised at the start: `Promise` with its `Salt`, in old records `SeedHash`."""
    if seed is None:
        return
    if head.get("SeedHash", "") not in ("", chance.seed_hash(seed)):
        raise BadRecord(f"the seed {shown(seed)} is not the one that was promised: its hash differs from SeedHash")
    if "Promise" in head and "Salt" not in head:
        raise BadRecord("the tag Salt is missing, without which Promise cannot be checked")
    if "Promise" in head and head["Promise"] != chance.promise(seed, head["Salt"]):
        raise BadRecord(f"the seed {shown(seed)} with its salt is not the one that was promised: Promise differs")


# --- for other programs ---------------------------------------------------------------------------------------


def replay_rows(match: Match) -> Iterator[dict[str, Any]]:
    """Yield every entry as named parts that need no knowledge of our kernels, then the end.

    `scores` is every seat's total after the entry.
    """
    notation, variant = match.variant.game.notation, match.variant
    before = variant.start()
    for seq, (entry, position) in enumerate(match.replay(), 1):
        if entry.kind == "chance":
            fields = notation.outcome_fields(variant, before.state, entry.value)
        else:
            fields = notation.move_fields(variant, before.state, entry.seat, entry.value)
        yield {
            "seq": seq,
            "kind": entry.kind,
            "seat": entry.seat,
            "text": entry.text,
            "fields": {"turn": entry.turn, **fields},
            "scores": position.totals,
        }
        before = position.copy()
    if match.is_over:
        position = match.position
        seats = range(variant.seats)
        yield {
            "seq": len(match.log) + 1,
            "kind": "end",
            "seat": None,
            "text": " ".join(map(str, match.totals)),
            "fields": {
                "winners": match.winners(),
                "lines": [position.score(seat) for seat in seats],
                "facts": [position.facts(seat) for seat in seats],
            },
            "scores": match.totals,
        }
