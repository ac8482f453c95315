"""`replay` and `verify`: what a record says, and whether it is true."""

from __future__ import annotations

import json as json_module
from pathlib import Path

from rich.text import Text

from lamplighter.cli.terminal import console, errors, paint, score_table
from lamplighter.engine import record
from lamplighter.engine.match import Match
from lamplighter.engine.medals import MEDALS, medal_for, medals_of
from lamplighter.errors import BadRecord, LamplighterError


def replay_file(path: Path, as_json: bool) -> None:
    match = record.read(path)
    rows = record.replay_rows(match)
    if as_json:
        for row in rows:
            print(json_module.dumps(row, ensure_ascii=False))
        return
    for row in rows:
        who = "" if row["seat"] is None else match.players[row["seat"]]
        fields = ", ".join(f"{key} {value}" for key, value in row["fields"].items() if key not in ("lines", "facts"))
        line = Text(f"{row['seq']:>4} {row['kind']:<7}{who:<14} ", "grey58").append(f"{row['text']:<24}", "bold")
        console.print(line.append(f" {row['scores']}  ").append(fields, "grey58"), soft_wrap=True)
    _summary(match)


def _summary(match: Match) -> None:
    for seat, name in enumerate(match.players):
        console.print(Text(f"\n{name}", "bold"))
        console.print(paint(match.position.draw(seat)), crop=console.is_terminal)
    console.print()
    console.print(score_table(match.position, match.players))
    console.print(Text(result_line(match)))
    for line in filter(None, (medal_line(match), hints_line(match))):
        console.print(Text(line))


def result_line(match: Match) -> str:
    if not match.is_over:
        return f"not finished: turn {match.position.turn}"
    names = [match.players[seat] for seat in match.winners()]
    return f"{' and '.join(names)} {'wins' if len(names) == 1 else 'share the victory'}"


def medal_line(match: Match) -> str:
    """Say which medal a match for one has, and what the next one needs; nothing where there are no medals."""
    bands = medals_of(match.variant)
    if bands is None or match.variant.seats > 1 or not match.is_over:
        return ""
    (total,) = match.totals
    own = medal_for(total, bands)
    said = f"{own.capitalize()} medal." if own else "No medal this time."
    next_one = next((medal for medal in MEDALS if total < bands[medal]), None)
    return said if next_one is None else f"{said} {next_one.capitalize()} needs {bands[next_one]} points."


def hints_line(match: Match) -> str:
    """Say who used hints; nothing if nobody did."""
    names = [match.players[seat] for seat in record.hinted_seats(match)]
    return f"With hints: {', '.join(names)}." if names else ""


def verify_files(paths: list[Path]) -> None:
    """Say of each record whether it is valid. Fail after the last one if any is not."""
    refused = 0
    for path in paths:
        try:
            match = record.read(path)
        except BadRecord as error:
            refused += 1
            errors.print(Text(f"refused  {error}", "red"), soft_wrap=True)
            continue
        head = record.read_tags(path)
        checked = ["rules", "dice against the seed" if match.seed is not None else "typed dice"]
        checked += ["result"] if match.is_over else []
        checked += ["promise"] if match.seed is not None and ("Promise" in head or "SeedHash" in head) else []
        checked += ["digest"] if "Digest" in head else []
        state = f"{' '.join(map(str, match.totals))}, {result_line(match)}"
        console.print(Text("ok       ", "green").append(f"{path}: {len(match.log)} entries, {state}", "default"))
        console.print(f"         [grey58]checked: {', '.join(checked)}[/]")
    if refused:
        raise LamplighterError(f"{refused} of {len(paths)} records refused")
