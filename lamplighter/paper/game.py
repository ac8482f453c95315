"""A game on paper: blank sheets, pieces to cut out, and its rules if they are asked for."""

from __future__ import annotations

from collections import Counter

from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.paper.booklet import add_rules
from lamplighter.paper.document import Document, Style, describe
from lamplighter.paper.layout import fit

PIECE_GAP = 7.0  # mm above the first row of pieces, for the line that says what they are


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
    blank = variant.game.picture.draw(variant, None, 0)
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
    )


def _add_pieces(document: Document) -> None:
    """Cards, tiles or faces of dice on a grid without gaps, so that one cut parts two of them."""
    picture = document.variant.game.picture
    if not hasattr(picture, "cutouts"):
        return
    pieces = [document.frame(piece, "a piece to cut out") for piece in picture.cutouts(document.variant)]
    if not pieces:
        return
    width, height = piece_size(picture.CUTOUT_SIZE)
    room = document.style.room()
    columns, rows = int(room[0] // width), int((room[1] - PIECE_GAP) // height)
    if not columns or not rows:
        raise LamplighterError(f"pieces of {width:g} × {height:g} mm do not fit on {document.style.paper} paper")
    pages = [pieces[i : i + columns * rows] for i in range(0, len(pieces), columns * rows)]
    kinds = Counter(pieces)
    many = sorted(set(kinds.values()))
    each = f"{len(kinds)} kinds, {many[0]} of each" if len(many) == 1 and many[0] > 1 else f"{len(kinds)} different"
    document.add("pieces", pages=pages, columns=columns, width=width, height=height, count=f"{len(pieces)} pieces, {each}")


def piece_size(size: float | tuple[float, float]) -> tuple[float, float]:
    """Width and height in mm; one number is a square.

    >>> piece_size(30), piece_size((63, 88))
    ((30.0, 30.0), (63.0, 88.0))
    """
    width, height = size if isinstance(size, tuple) else (size, size)
    return float(width), float(height)
