"""The match file: tags, then a line a turn, outcomes before moves; and its twin in JSON lines. See docs/notation.md.

    [Game "…"]
    [Variant "…?seats=2"]
    [Seed "7"]
    [Result "*"]

    1. first 0, 3, 4, 6 | 0: 3 star c3 | 1: 4 bow d2 {a remark}

Reading replays the match by the rules, so that a file which was cut off or edited is refused with the entry's number.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lamplighter.engine import chance, shelf
from lamplighter.engine.box import BoxFile
from lamplighter.engine.match import Entry, Match
from lamplighter.engine.variant import Variant, parse_variant, split_variant
from lamplighter.errors import BadRecord, IllegalMove, LamplighterError
from lamplighter.version import VERSION

UNFINISHED = "*"
_TAG = re.compile(r'\[(\w+)\s+("(?:[^"\\]|\\.)*")\]')
_TURN = re.compile(r"(\d+)\.\s*(.*)")
_MOVE = re.compile(r"(\d+):\s*(.*)", re.DOTALL)
_DEALT = re.compile(r"(\d+)=(.*)", re.DOTALL)
_PARTS = re.compile(r"(?:\{[^}]*\}|[^|{])+")  # between bars that stand outside a remark
_COMMENT = re.compile(r"\s*\{([^}]*)\}\s*$", re.DOTALL)

# seat, kind, text, comment, turn: an entry as it stands in a file, before the rules have seen it
RawEntry = tuple[int | None, str, str, str, int | None]


# --- writing --------------------------------------------------------------------------------------------------


def tags(match: Match) -> dict[str, str]:
    """The header of a match, in order."""
    variant = match.variant
    head = {
        "Game": variant.game.id,
        "Variant": variant.text,
        "RulesVersion": str(variant.game.rules_version),
        "Engine": f"lamplighter {VERSION}",
    }
    head |= {"Rolls": "typed"} if match.seed is None else {"Seed": match.seed}
    head |= {f"Seat{seat}": name for seat, name in enumerate(match.players)}
    head |= {key: value for key, value in match.tags.items() if key not in head}
    head["Result"] = " ".join(map(str, match.totals)) if match.is_over else UNFINISHED
    if match.is_over:
        head["Winners"] = " ".join(map(str, match.winners()))
    if variant.own_box:
        head["Box"] = variant.file.text
    head["Digest"] = digest(match)
    return head


def digest(match: Match) -> str:
    """A short hash over the variant and the log, so that an edited file is noticed."""
    parts = [match.variant.text, json.dumps(match.variant.file.data, sort_keys=True), str(match.seed)]
    parts += [f"{entry.kind} {entry.seat} {entry.text}" for entry in match.log]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def format_record(match: Match) -> str:
    """The match as a text file."""
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
    comment = " {" + entry.comment.replace("{", "(").replace("}", ")").replace("\n", " ") + "}" if entry.comment else ""
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
    """The match as JSON lines: the tags, then an object per entry."""
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
    """Only the header of a record, without replaying anything."""
    head: dict[str, str] = {}
    try:
        with Path(path).open(encoding="utf-8") as file:
            for line in file:
                if line.startswith("{"):
                    return _json_header(line)
                if not line.strip():
                    break
                key, value = _parse_tag(line)
                head[key] = value
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from None
    return head


def read(path: str | Path) -> Match:
    """A match from a file of either kind: checked, replayed, ready to go on."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from None
    try:
        return parse_record(text)
    except BadRecord as error:
        raise BadRecord(f"{path}: {error}", error.entry) from None


def parse_record(text: str) -> Match:
    """A match from the text of a record of either kind."""
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
    return BadRecord(f"cannot read {str(path)!r}: {reason}")


def _parse_tag(line: str) -> tuple[str, str]:
    found = _TAG.fullmatch(line.strip())
    if found is None:
        raise BadRecord(f"not a match record: cannot read the tag line {line.strip()[:60]!r}")
    try:
        return found[1], json.loads(found[2])
    except ValueError:
        raise BadRecord(f"cannot read the tag line {line.strip()[:60]!r}") from None


def _json_header(line: str) -> dict[str, str]:
    try:
        head = json.loads(line)["tags"]
    except (ValueError, KeyError, TypeError):
        raise BadRecord("not a match record: the first JSON line has no tags") from None
    if not isinstance(head, dict):
        raise BadRecord("not a match record: the first JSON line has no tags")
    return {str(key): str(value) for key, value in head.items()}


def _parse_json_lines(text: str) -> tuple[dict[str, str], list[RawEntry]]:
    lines = [line for line in text.splitlines() if line.strip()]
    entries: list[RawEntry] = []
    for number, line in enumerate(lines[1:], 1):
        try:
            row = json.loads(line)
            entries.append((row["seat"], row["kind"], row["text"], row.get("comment", ""), None))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadRecord(f"entry {number} is damaged: {line[:60]!r}", number) from None
    return _json_header(lines[0]), entries


def _parse_text(text: str) -> tuple[dict[str, str], list[RawEntry]]:
    head: dict[str, str] = {}
    lines = iter(text.splitlines())
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
        turn = _TURN.fullmatch(line.strip())
        if turn is None:
            raise BadRecord(f"behind entry {number}: not a turn: {line.strip()[:60]!r}", number + 1)
        for part in filter(str.strip, _PARTS.findall(turn[2])):
            for raw in _parse_part(part.strip(), int(turn[1])):
                number += 1
                yield raw


def _parse_part(part: str, turn: int) -> Iterator[RawEntry]:
    """One move of a turn, or a run of outcomes."""
    comment = ""
    if found := _COMMENT.search(part):
        comment, part = found[1], part[: found.start()]
    if move := _MOVE.fullmatch(part):
        yield int(move[1]), "move", move[2].strip(), comment, turn
        return
    outcomes = [text.strip() for text in part.split(",") if text.strip()]
    for i, text in enumerate(outcomes):
        dealt = _DEALT.fullmatch(text)
        remark = comment if i == len(outcomes) - 1 else ""
        seat, words = (int(dealt[1]), dealt[2]) if dealt else (None, text)
        yield seat, "chance", words, remark, turn


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
            f"it was played by version {head['RulesVersion']} of the rules, and this is version {version}: "
            "a match may come out differently, so it is not replayed"
        )
    players = [head.get(f"Seat{seat}", f"Player {seat + 1}") for seat in range(variant.seats)]
    match = Match(variant, head["Seed"] if head.get("Seed") else None, players)
    known = {"Game", "Variant", "RulesVersion", "Engine", "Seed", "Rolls", "Result", "Winners", "Box", "Digest"}
    match.tags = {key: value for key, value in head.items() if key not in known and not re.match(r"Seat\d+$", key)}
    return match


def _variant(head: dict[str, str]) -> Variant:
    name, pairs = split_variant(head["Variant"])
    if name != head["Game"]:
        raise BadRecord(f"the tags Game and Variant differ: {head['Game']!r}, {name!r}")
    box = BoxFile(head["Box"], pairs.get("box", "box")) if "Box" in head else None
    return parse_variant(shelf.load(name), pairs, box)


def _replay_entry(match: Match, number: int, entry: RawEntry) -> None:
    seat, kind, text, comment, turn = entry
    try:
        if kind == "move":
            match.play(text, seat if seat is not None else -1)
        elif kind == "chance":
            _replay_chance(match, seat, text)
        else:
            raise BadRecord(f"there is no kind {kind!r}")
    except IllegalMove as error:
        raise BadRecord(f"entry {number} is refused: seat {seat}, {error}", number) from None
    except LamplighterError as error:
        raise BadRecord(f"entry {number} ({text!r}) is refused: {error}", number) from None
    if turn is not None and turn != match.log[-1].turn:
        raise BadRecord(f"entry {number} ({text!r}) stands in turn {turn}, but belongs to {match.log[-1].turn}", number)
    if comment:
        match.comment(comment)


def _replay_chance(match: Match, seat: int | None, text: str) -> None:
    position = match.position
    if seat != position.chance_seat:
        position.parse_outcome(text)  # a wrong outcome is the better reason
        whom = "everybody" if position.chance_seat is None else f"seat {position.chance_seat}"
        raise BadRecord(f"this outcome is for {whom}")
    match.happen(text)


def _check_end(match: Match, head: dict[str, str], count: int) -> None:
    if match.seed is not None and head.get("SeedHash", "") not in ("", chance.seed_hash(match.seed)):
        raise BadRecord(f"the seed {match.seed!r} is not the one that was promised: its hash differs from SeedHash")
    result = head.get("Result", UNFINISHED)
    if result != UNFINISHED and not match.is_over:
        raise BadRecord(f"it ends after entry {count} without an end of the match, yet has a result: cut off?", count)
    if result != UNFINISHED and result != " ".join(map(str, match.totals)):
        counted = " ".join(map(str, match.totals))
        raise BadRecord(f"after entry {count}: the result says {result}, the rules count {counted}", count)
    if result != UNFINISHED and head.get("Winners", "") not in ("", " ".join(map(str, match.winners()))):
        raise BadRecord(f"after entry {count}: the winners are {match.winners()}, not {head['Winners']!r}", count)
    if "Digest" in head and head["Digest"] != digest(match):
        raise BadRecord(
            f"after entry {count}: every entry is legal, but the digest does not fit: it was edited or cut off after "
            "it was saved (take the Digest tag out to accept it as it stands)",
            count,
        )


# --- for other programs ---------------------------------------------------------------------------------------


def replay_rows(match: Match) -> Iterator[dict[str, Any]]:
    """Every entry as named parts that need no knowledge of our kernels, then the end.

    `scores` is every seat's total after the entry.
    """
    notation, variant = match.variant.game.notation, match.variant
    before = variant.start()
    seq = 0
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
            "seq": seq + 1,
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
