"""Fixed outcomes: files with the dice, cards or tiles of whole matches, so that anybody's bots can be compared on them.

A file has one JSON list a line, the outcomes of one match in their order. A game's notation may read other forms too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from lamplighter.engine.match import Match
from lamplighter.engine.reading import read_file
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadChance, BadNotation, LamplighterError, shown

FILE_LIMIT = 50_000_000  # characters


@dataclass(frozen=True)
class Rolls:
    """The outcomes of one match."""

    texts: tuple[str, ...]
    place: str  # where they stand, for messages: file and line

    def roll(self, match: Match) -> None:
        """Let what is due come, until somebody must act."""
        done = sum(entry.kind == "chance" for entry in match.log)
        while len(match.position.outcome_arrays()[0]):
            if done == len(self.texts):
                raise BadChance(
                    f"{self.place}: too short: it has {done} outcomes, and in turn {match.position.turn} another is due"
                )
            try:
                match.roll(self.texts[done])
            except BadChance as error:
                raise BadChance(f"{self.place}, outcome {done + 1}: {error}") from None
            done += 1


def read_rolls(variant: Variant, path: str | Path) -> tuple[Rolls, ...]:
    """Return the outcomes of every match in a file, tried once. What does not fit is refused with its line."""
    need_same_dice(variant)
    try:
        text = read_file(path, FILE_LIMIT)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise LamplighterError(f"cannot read {str(path)!r}: {reason}") from None
    if len(text) > FILE_LIMIT:
        raise LamplighterError(f"{str(path)!r} is too long: a file of rolls may have {FILE_LIMIT:,} characters")
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            found.append(_read_line(variant, line, f"{path}, line {number}"))
    if not found:
        raise LamplighterError(f"{str(path)!r} has no rolls: write one JSON list a line, the outcomes of one match")
    return tuple(found)


def need_same_dice(variant: Variant) -> None:
    """Refuse a game in which what can come depends on what was played."""
    if variant.game.draws_follow_play:
        raise LamplighterError(
            f"in {variant.game.title} what can come depends on what was played, so that fixed outcomes fit one match only: "
            "use --seed"
        )


def _read_line(variant: Variant, line: str, place: str) -> Rolls:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        raise BadChance(f"{place}: not JSON: {shown(line)}") from None
    try:
        texts = variant.game.notation.parse_rolls(variant, entry)
    except BadNotation as error:
        raise BadChance(f"{place}: {error}") from None
    rolls = Rolls(tuple(texts), place)
    _try_out(variant, rolls)
    return rolls


def _try_out(variant: Variant, rolls: Rolls) -> None:
    """Play a match on them, always the first legal action: every outcome must be one that can come, and none be missing."""
    match = variant.match(typed=True)
    rolls.roll(match)
    while match.waiting:
        seat = match.waiting[0]
        match.act(seat, match.position.legal_actions(seat)[0])
        rolls.roll(match)
    if rolls.texts and not any(entry.kind == "chance" for entry in match.log):
        raise BadChance(
            f"{rolls.place}: {variant.game.title} has no dice or cards, and here are {len(rolls.texts)} outcomes"
        )
