"""What people read of Greenways: names of tiles and scoring lines, and what to do now."""

from __future__ import annotations

import re

import numpy as np

from lamplighter.engine.phrase import Phrase
from lamplighter.engine.variant import State, Variant
from lamplighter.games.greenways.components import tile_ids
from lamplighter.games.greenways.state import MAX_LEGAL

LINES = {
    "streets": "streets with an intersection",
    "greenways": "greenways with a park",
    "parks": "parks",
    "longest": "longest greenway",
    "unused": "tiles not laid",
}


NETWORKS = {"S": "street", "G": "greenway"}
SIDES = ("north", "east", "south", "west")
ORIENTATION = re.compile("[SG-]{4}")


def say(variant: Variant, text: str) -> str:
    """Return what people call a tile, how it is turned, or a whole move.

    >>> from lamplighter import load
    >>> [say(load("greenways"), text) for text in ("S2", "SG-S", "S2 -1,0 S-S-")]
    ['street, straight', 'street north, west; greenway east', 'street, straight at -1,0']
    """
    if ORIENTATION.fullmatch(text):
        return _say_sides(text)
    tile, _, rest = text.partition(" ")
    cell, _, sides = rest.partition(" ")
    if ORIENTATION.fullmatch(sides):
        return Phrase("{tile} at {cell}", tile=say(variant, tile), cell=cell)
    return next((str(tile["name"]) for tile in variant.file.get("tiles") if tile["id"] == text), text)


def _say_sides(text: str) -> Phrase:
    """Return where the street and the greenway of a tile lead."""
    parts = [
        Phrase(
            "{way} {sides}", way=way, sides=[side for side, letter in zip(SIDES, text, strict=True) if letter == mark]
        )
        for mark, way in NETWORKS.items()
        if mark in text
    ]
    if len(parts) > 1:
        return Phrase("{first}; {second}", first=parts[0], second=parts[1])
    return parts[0] if parts else Phrase("no side")


def labels(variant: Variant) -> dict[str, tuple[str, ...]]:
    """Return the ids of tiles, which the text sheet shows, and their names."""
    return {str(tile["id"]): (str(tile["id"]), str(tile["name"])) for tile in variant.file.get("tiles")}


def name_line(variant: Variant, state: State, line: str) -> str:
    """§12 Return what people call a scoring line."""
    return LINES[line]


def verdict(variant: Variant, state: State, seat: int) -> Phrase:
    """§3, §11 Say whether the goal was reached."""
    size = {"rows": int(variant.box["rows"]), "columns": int(variant.box["columns"])}
    if int(state["won"]) >> seat & 1:
        return Phrase("The goal is reached: {rows} rows and {columns} columns, with a greenway in each.", **size)
    return Phrase("The goal was not reached: {rows} rows and {columns} columns, with a greenway in each.", **size)


def instruct(variant: Variant, state: State, seat: int) -> Phrase:
    """§2, §3 Say which tiles can be laid; those of the hand that fit nowhere are not offered."""
    out = np.zeros(MAX_LEGAL, np.int64)
    n, pictures = variant.game.rules.legal_actions(variant.box, state, seat, out), int(variant.box["pictures"])
    fitting = sorted({int(variant.box["kind"][action % pictures]) for action in out[:n].tolist()})
    if len(fitting) > 1:
        return Phrase("Choose a tile of your hand and lay it on a lit place.")
    tile = say(variant, tile_ids(variant.file)[fitting[0]])
    hand = {kind - 1 for kind in state["hand"][seat].tolist() if kind}
    if hand == set(fitting):
        return Phrase("You hold one kind of tile ({tile}): lay it on a lit place.", tile=tile)
    return Phrase("Only one kind of tile in your hand fits ({tile}): lay it on a lit place.", tile=tile)
