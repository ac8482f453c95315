"""Whatever a component file says, it is refused or can be played: no kernel ever writes beyond its arrays.

In plain Python, and with `NUMBA_BOUNDSCHECK=1`, an index that is out of bounds is an error.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest
from walks import random_step

from lamplighter import games
from lamplighter.engine.component_file import ComponentFile, Path
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadBox, BadVariant
from lamplighter.paper.sheet import draw_sheet

NUMBERS = (-1, 0, 1, 2, 7, 60, 127, 128, 1000, 2**15, 2**31, 2**63)
STEPS = 12
CHANGES = 25  # of each game that are played; another choice every run would make failures hard to repeat


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of every value in component data."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in items:
        yield from places(inner, (*path, step))


def others(value: Any) -> Iterator[Any]:
    """What could stand in a value's place: of the same kind, and larger or smaller than it should be."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from {*NUMBERS, value + 1, 2 * value} - {value}
    elif isinstance(value, str):
        yield from (value * 2, value * 30, value[:-1])
    elif isinstance(value, list):
        yield from (value[:-1], value[:1], value * 2, value * 20, [])


def changed(text: str, path: Path, value: Any) -> ComponentFile:
    """A component file with another value at a path."""
    file = ComponentFile(text, "changed.toml")
    file.data = copy.deepcopy(file.data)
    inner: Any = file.data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return file


def changes(text: str) -> list[tuple[Path, Any]]:
    """Every change of one value, in an order that mixes them."""
    file = ComponentFile(text)
    found = [(path, other) for path in places(file.data) for other in others(file.get(*path))]
    random.Random(1).shuffle(found)
    return found


@pytest.mark.parametrize("name", [name for name in games.own_names() if games.load(name).box_text])
def test_a_changed_box_is_refused_or_can_be_played(name: str) -> None:
    game, played, refused = games.load(name), 0, 0
    for path, value in changes(game.box_text):
        file = changed(game.box_text, path, value)
        options = {option.name: random.Random(str(path)).choice(option.values) for option in game.options}
        try:
            variant = Variant(game, options, file)
        except BadVariant:
            continue  # such as a first player who has no seat
        except BadBox:
            refused += 1
            continue
        match, rng = variant.match(typed=True), random.Random(2)
        for _ in range(STEPS):
            if not match.is_over:
                random_step(match, rng)
        match.position.draw(0)
        draw_sheet(match.position, 0)
        played += 1
        if played == CHANGES:
            break
    assert played and refused, "some changes are allowed, and others are not"


def test_changes_are_made_everywhere() -> None:
    text = 'size = 3\nrows = ["ab", "c"]\n\n[points]\nall = true\n'
    found = changes(text)
    assert {path for path, _ in found} == {("size",), ("rows",), ("rows", 0), ("rows", 1), ("points", "all")}
    assert changed(text, ("rows", 1), "x").data["rows"] == ["ab", "x"]
    assert changed(text, ("points", "all"), False).get("points", "all") is False
