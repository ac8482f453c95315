"""Whole matches of dice as other programs write them: a text a round, such as `A0A3A5B1`."""

from __future__ import annotations

import itertools
import re
from typing import Any

from lamplighter.engine.variant import Variant
from lamplighter.errors import BadNotation, shown, suggest
from lamplighter.games.railroad.components.catalogue import catalogue_of

_CODES = re.compile(r"(?:[A-Z][0-9])+")


def parse_rolls(variant: Variant, entry: Any) -> list[str]:
    """Return the outcomes of a match from a list of rounds, `A0A3A5B1`, or of single outcomes, `A0`, `up`, `goal a`."""
    if not isinstance(entry, list) or not all(isinstance(text, str) for text in entry):
        raise BadNotation(
            f"the rolls of a match are a list of rounds such as 'A0A3A5B1', each a text, not {shown(entry)}"
        )
    box = variant.box
    outcomes: list[str] = []
    rounds = 0
    for text in entry:
        clean = "".join(text.upper().split())
        if len(clean) > 2 and _CODES.fullmatch(clean):
            rounds += 1
            if rounds > int(box["rounds"]):
                raise BadNotation(f"round {rounds} is one too many: a match has {int(box['rounds'])}")
            codes = [clean[i : i + 2] for i in range(0, len(clean), 2)]
            outcomes += _in_order_of_dice(variant, codes, rounds)
        else:
            outcomes.append(text)
    return outcomes


def _in_order_of_dice(variant: Variant, codes: list[str], number: int) -> list[str]:
    """Return the faces of a round in an order in which the dice can show them."""
    box, catalogue = variant.box, catalogue_of(variant)
    dice = int(box["route_dice"]) + int(box["lamp_dice"])
    faces = [
        {catalogue.routes[int(face)].code for face in box["die_face"][die, : int(box["die_faces"][die])]}
        for die in range(dice)
    ]
    known = sorted(set().union(*faces))
    for code in codes:
        if code not in known:
            raise BadNotation(f"round {number}: no die of this variant has a face {code}: {suggest(code, known)}")
    if len(codes) != dice:
        raise BadNotation(f"round {number} has {len(codes)} dice, {''.join(codes)!r}: this variant rolls {dice}")
    for order in itertools.permutations(codes):
        if all(code in shown for code, shown in zip(order, faces, strict=True)):
            return list(order)
    raise BadNotation(f"round {number}: these dice cannot show {''.join(codes)!r} at once")
