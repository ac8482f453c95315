"""What `replay --json` tells of every game's moves and outcomes: one name and one type for each thing."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from walks import random_match, variants

from lamplighter import games
from lamplighter.engine import record
from lamplighter.engine.game import Game
from lamplighter.jit import BOUNDS_CHECKED, PURE

ROOT = Path(__file__).resolve().parents[1]
TYPES = {bool: "yes or no", int: "number", str: "text"}
STRANGE = {"col", "cols", "square", "squares", "space", "spaces", "lie", "x", "y"}  # other words for a documented name

Row = dict[str, Any]


def documented() -> dict[str, str]:
    """The fields of docs/notation.md and their types."""
    text = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    part = text.partition("#### Fields")[2].partition("\n## ")[0]
    return dict(re.findall(r"^\| `(\w+)` \| ([^|]+?) \|", part, re.MULTILINE))


def type_of(value: Any) -> str:
    """The type of a field as the docs call it; `null` for nothing.

    >>> type_of(True), type_of(3), type_of(["a"]), type_of([])
    ('yes or no', 'number', 'list of texts', 'list')
    """
    if value is None:
        return "null"
    if isinstance(value, list):
        kinds = sorted({type_of(one) for one in value})
        return f"list of {' and '.join(kinds)}s" if kinds else "list"
    return TYPES.get(type(value), f"a Python {type(value).__name__}")


def cell_names(row: int, column: int) -> tuple[str, str]:
    """How a cell can be written: as on a board, or from the start of a town without edges."""
    return f"{chr(ord('a') + row)}{column}" if row >= 0 else "", f"{row},{column}"


def mistakes(rows: Iterable[Row], known: dict[str, str]) -> Iterator[str]:
    """What is wrong with the fields of some rows. `known` are names with their types; new names are added to it."""
    for row in rows:
        fields = row["fields"]
        if "kind" not in fields:
            yield f"{row['text']!r} does not tell its kind"
        for name, value in fields.items():
            if name in STRANGE:
                yield f"{row['text']!r}: {name!r} has another name in the docs"
            found = type_of(value)
            if found == "null" or (found == "list" and known.get(name, "list of").startswith("list of")):
                continue
            wanted = known.setdefault(name, found)
            if found != wanted.removesuffix(" or null"):
                yield f"{row['text']!r}: {name} is a {found}, not a {wanted}"
        if "cell" in fields and fields["cell"] not in cell_names(fields.get("row", -1), fields.get("column", -1)):
            yield f"{row['text']!r}: {fields['cell']} is not in row {fields.get('row')}, column {fields.get('column')}"
        if "cells" in fields:
            places = zip(fields.get("rows", []), fields.get("columns", []), strict=False)
            names = [cell in cell_names(*place) for cell, place in zip(fields["cells"], places, strict=False)]
            if names != [True] * len(fields["cells"]):
                yield f"{row['text']!r}: the cells {fields['cells']} are not in the rows and columns told"


def moves_and_outcomes(game: Game, count: int) -> Iterator[Row]:
    """The rows of a random match of each of some variants, and every fifth move that was legal at some of its moments."""
    for number, variant in enumerate(random.Random(3).sample(variants(game), min(count, len(variants(game))))):
        match = random_match(variant, number)
        yield from (row for row in record.replay_rows(match) if row["kind"] != "end")
        for moment, (_, position) in enumerate(match.replay()):
            for seat in position.waiting[:1] if moment % 7 == 0 else ():
                for action in position.legal_actions(seat)[::5]:
                    fields = game.notation.move_fields(variant, position.state, seat, action)
                    yield {"text": position.format_move(seat, action), "fields": fields}


def test_fields_have_one_name_and_one_type() -> None:
    """A name means the same in all games: what one of them adds binds the next."""
    known = documented()
    for name in games.names():
        rows = list(moves_and_outcomes(games.load(name), 2 if PURE or BOUNDS_CHECKED else 10))
        assert rows and list(mistakes(rows, known)) == [], name
        json.dumps(rows)


def test_the_docs_name_the_fields_that_games_share() -> None:
    found = documented()
    assert {"kind", "cell", "row", "column", "cells", "rows", "columns", "die", "face", "seat"} <= set(found)
    assert set(found.values()) <= {"text", "number", "number or null", "list of texts", "list of numbers", "yes or no"}


def test_the_template_uses_the_documented_names() -> None:
    """A new game begins with these."""
    text = (ROOT / "lamplighter" / "games" / "_template" / "notation.py").read_text(encoding="utf-8")
    names = re.findall(r'"(\w+)": ', text.partition("def move_fields")[2].partition("# --- positions")[0])
    assert names and not set(names) - set(documented())


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"kind": "draw", "cell": "c3", "row": 2, "column": 3}, ""),
        ({"cell": "c3", "row": 2, "column": 3}, "does not tell its kind"),
        ({"kind": "draw", "col": 3}, "'col' has another name"),
        ({"kind": "draw", "row": "c"}, "row is a text, not a number"),
        ({"kind": "draw", "row": True}, "row is a yes or no, not a number"),
        ({"kind": "draw", "cell": "c3", "row": 3, "column": 2}, "c3 is not in row 3, column 2"),
        ({"kind": "draw", "cell": "c3"}, "c3 is not in row None"),
        ({"kind": "lay", "cells": ["a0", "a1"], "rows": [0, 0], "columns": [0]}, "are not in the rows"),
        ({"kind": "lay", "cells": [[0, 1]], "rows": [0], "columns": [1]}, "list of list of numbers"),
    ],
)  # fmt: skip
def test_wrong_fields_are_noticed(fields: Row, wrong: str) -> None:
    found = list(mistakes([{"text": "a move", "fields": fields}], documented()))
    assert wrong in found[0] if wrong else found == []
