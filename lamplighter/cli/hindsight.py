"""`hindsight`: what the dice of a match allowed."""

from __future__ import annotations

import json as json_module
from pathlib import Path

from rich.text import Text

from lamplighter.bots.hindsight import Bound, Hindsight, hindsight
from lamplighter.cli.terminal import console, errors
from lamplighter.engine import record
from lamplighter.errors import LamplighterError


def look_back(path: Path, seat: int | None, seconds: float, as_json: bool) -> None:
    if not 1 <= seconds <= 36_000:
        raise LamplighterError(f"--seconds is a number from 1 to 36000, not {seconds:g}")
    match = record.read(path)
    with errors.status("thinking") as status:
        found = hindsight(match, None if seat is None else [seat], seconds, lambda what: status.update(what))
    if as_json:
        data = {"variant": match.variant.text, "seats": [one.fields() for one in found]}
        print(json_module.dumps(data, indent=2, ensure_ascii=False))
        return
    for one in found:
        for line in say(one):
            console.print(Text(line), soft_wrap=True)


def say(found: Hindsight) -> list[str]:
    """The result for a seat, in sentences."""
    best = f"at least {found.match.total} (no upper bound: there may be more)"
    if found.match.proved:
        best = f"{found.match.total} (proved: no play could have more)"
    elif found.upper is not None:
        best = f"at least {found.match.total}; no play could have more than {found.upper}"
    return [
        f"{found.player}: {found.total} points. These dice allowed {best}.",
        f"  {_say_line(found.match)}",
        f"  In the last round, from entry {found.last_round.entry + 1} on: {found.last_round.total} "
        f"({'proved' if found.last_round.proved else 'not proved'}).",
        f"  {_say_line(found.last_round)}",
    ]


def _say_line(bound: Bound) -> str:
    return f"from entry {bound.entry + 1}: {', '.join(bound.line)}"
