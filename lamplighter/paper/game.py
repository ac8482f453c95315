"""A game on paper: blank sheets, pieces to cut out, and its rules if they are asked for."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.paper.booklet import add_rules
from lamplighter.paper.document import SIDE, Document, Style, describe
from lamplighter.paper.layout import fit
from lamplighter.paper.sheet import draw_blank
from lamplighter.svg import Pieces

PIECE_SIDE = 8.0  # the side margins in mm of a cutting page: three playing cards go side by side
PIECE_HEAD = 7.0  # mm above the first row of pieces, for the line that says what they are


def print_game(variant: Variant, style: Style | None = None, copies: int | None = None, rules: bool = False) -> bytes:
    """A PDF with so many blank sheets (None: one for each player, filled up to whole pages) and what else is needed."""
    if copies is not None and copies < 1:
        raise LamplighterError(f"cannot print {copies} copies: 1 or more")
    document = Document(variant, style or Style(), describe(variant))
    _add_sheets(document, copies)
    _add_pieces(document)
    if rules:
        add_rules(document)
    return document.pdf()


def _add_sheets(document: Document, copies: int | None) -> None:
    variant = document.variant
    blank = draw_blank(variant)
    layout = fit(blank, document.style)
    count = copies or -(-variant.seats // layout.count) * layout.count
    document.add(
        "sheets",
        picture=document.frame(blank, f"{variant.game.title}, blank sheet"),
        count=count,
        columns=layout.columns,
        rows=layout.rows,
        flipped=layout.flipped,
        width=layout.width,
        height=layout.height,
        total=not blank.shows_total,
    )


def _add_pieces(document: Document) -> None:
    """Cards, tiles or faces of dice on grids without gaps, so that one cut parts two of them."""
    variant = document.variant
    cutouts = getattr(variant.game.picture, "cutouts", None) if variant.game.has_picture else None
    listed: list[Pieces] = [one for one in cutouts(variant) if one.kinds] if cutouts else []
    if not listed:
        return
    flipped = min((False, True), key=lambda way: sum(_rows_high(document.style, pieces, way) for pieces in listed))
    grids = [_piece_grid(document, pieces, flipped) for pieces in listed]
    document.add("pieces", grids=grids, flipped=flipped, side=PIECE_SIDE)


def _piece_grid(document: Document, pieces: Pieces, flipped: bool) -> dict[str, Any]:
    """Pieces of one size, as data for `document.typ`."""
    columns, rows = _room_for(document.style, pieces, flipped)
    if not columns or not rows:
        size = f"{pieces.width:g} × {pieces.height:g} mm"
        raise LamplighterError(f"pieces of {size} do not fit on {document.style.paper} paper")
    names = [name for drawn, n in pieces.kinds for name in [document.frame(drawn, "a piece to cut out")] * n]
    return {
        "words": pieces.words, "count": count_pieces(names), "pieces": names,
        "width": pieces.width, "height": pieces.height, "columns": columns,
    }  # fmt: skip


def _room_for(style: Style, pieces: Pieces, flipped: bool) -> tuple[int, int]:
    """How many pieces go side by side and below each other on a page."""
    width, height = style.room(flipped)
    return int((width + 2 * (SIDE - PIECE_SIDE)) // pieces.width), int((height - PIECE_HEAD) // pieces.height)


def _rows_high(style: Style, pieces: Pieces, flipped: bool) -> float:
    """How much of a page's height the pieces take; without end if they do not fit at all."""
    columns, rows = _room_for(style, pieces, flipped)
    count = sum(n for _, n in pieces.kinds)
    return -(-count // columns) * pieces.height / style.room(flipped)[1] if columns and rows else math.inf


def count_pieces(pieces: list[str]) -> str:
    """What a cutting page says it holds.

    >>> count_pieces(["a", "a", "b", "b"]), count_pieces(["a", "b"]), count_pieces(["a", "b", "b"])
    ('4 pieces, 2 of each kind', '2 pieces, all different', '3 pieces of 2 kinds')
    """
    counts = Counter(pieces)
    if len(set(counts.values())) > 1:
        return f"{len(pieces)} pieces of {len(counts)} kinds"
    each = counts[pieces[0]]
    return f"{len(pieces)} pieces, " + (f"{each} of each kind" if each > 1 else "all different")
