"""Where every legal move is made on the sheet, and what a seat may take now."""

from __future__ import annotations

import functools
import re
from dataclasses import replace

import numpy as np

from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad.components.catalogue import COPY, SPECIAL, catalogue_of
from lamplighter.games.railroad.components.tables import ARROWS
from lamplighter.games.railroad.notation import format_move, format_space, parse_space
from lamplighter.games.railroad.picture.board import (
    middle,
)
from lamplighter.games.railroad.picture.route_symbols import CELL, entry_symbols
from lamplighter.games.railroad.state import MAX_LEGAL
from lamplighter.svg import Target, number


@functools.lru_cache(maxsize=64)
def _entries(variant: Variant) -> list[tuple[str, str, str]]:
    """Of every entry: what is taken, its sides, and its symbol."""
    found, symbols = catalogue_of(variant), entry_symbols(variant)
    prefixes = {SPECIAL: "special:", COPY: "copy:"}
    return [
        (prefixes.get(entry.source, "") + found.routes[entry.route].name, entry.sides, symbol)
        for entry, symbol in zip(found.entries, symbols, strict=True)
    ]


def _legal(variant: Variant, state: State, seat: int) -> list[int]:
    out = np.zeros(MAX_LEGAL, np.int64)
    n = variant.game.rules.legal_actions(variant.box, state, seat, out)
    return [int(action) for action in out[:n].tolist()]


def legal_sources(variant: Variant, state: State, seat: int) -> set[str]:
    """Return what the seat may take now."""
    entries, first, spaces = _entries(variant), int(variant.box["lamp_action"]), int(variant.box["spaces"])
    actions = _legal(variant, state, seat)
    found = {entries[number_][0] for number_ in {action // spaces for action in actions if action < first}}
    for action in actions:
        if action >= first:
            found.add(format_move(variant, state, seat, action).split(" ")[0])
    return found


def targets(variant: Variant, state: State, seat: int) -> list[Target]:
    """Return every legal move of a seat, with its place; a result that a factory may copy as well has one target for both."""
    actions = _legal(variant, state, seat)
    found = {action: target(variant, state, seat, action) for action in actions}
    first = int(variant.box["copy_entry"] * variant.box["spaces"])  # copies stand in the order of the results
    for copy in actions:
        if first <= copy < int(variant.box["lamp_action"]) and copy - first in found:
            result = found[copy - first]
            found[copy - first] = replace(result, moves=(result.move, found.pop(copy).move))
    return list(found.values())


def target(variant: Variant, state: State, seat: int, action: int) -> Target:
    """Where a move is made: the route is taken, the space is the place."""
    box = variant.box
    if action < int(box["lamp_action"]):
        number_, space = divmod(action, int(box["spaces"]))
        source, sides, symbol = _entries(variant)[number_]
        cell = format_space(variant, space)
        return Target(f"{source} {cell} {sides}", source, cell, sides, symbol, *middle(variant, space))
    move = format_move(variant, state, seat, action)
    if action < int(box["skip_action"]):
        return _lamps_target(variant, move, action - int(box["lamp_action"]))
    if action <= int(box["done_action"]):
        return Target(move, move)
    return _power_target(variant, move, action - int(box["done_action"]) - 1)


def flip(sides: str) -> str:
    """Return the sides of a piece that is mirrored left to right.

    >>> flip("e/s"), flip("ne+sw"), flip("ns")
    ('w/s', 'nw+es', 'ns')
    """
    swapped = sides.translate(str.maketrans("ew", "we"))
    return re.sub("[nesw]+", lambda part: "".join(sorted(part[0], key="nesw".index)), swapped)


def _lamps_target(variant: Variant, move: str, line: int) -> Target:
    """A row or a column, around the middle of the board."""
    rows, columns = int(variant.box["rows"]), int(variant.box["columns"])
    along = rows if line >= rows else columns
    x, y = middle(variant, line * columns if line < rows else line - rows)
    shift = (along - 1) * CELL // 2
    if line < rows:
        return Target(move, move, symbol="row", x=x + shift, y=y)
    return Target(move, move, symbol="column", x=x, y=y + shift, transform=f"rotate(90 {x} {y + shift})")


def _power_target(variant: Variant, move: str, number_: int) -> Target:
    """An arrow ends in its last new space and is turned as it began; charges go to the accumulator."""
    words = move.split(" ")
    arrows = int(variant.box["arrow_moves"])
    if number_ < arrows:
        x, y = middle(variant, parse_space(variant, words[4]))
        quarters = ARROWS.index(words[0])
        turned = f"rotate({number(quarters * 90)} {x} {y})" if quarters else None
        symbol = f"go{int(variant.box['arrow_count'][number_])}"
        return Target(move, words[0], words[4], words[2], symbol, x, y, turned)
    if "charge" in words:
        space, symbol, sides = int(variant.box["accumulator"]), "charge", words[-1]
    else:
        space, symbol, sides = number_ - arrows - 4, "el", ""
    return Target(move, words[0], format_space(variant, space), sides, symbol, *middle(variant, space))
