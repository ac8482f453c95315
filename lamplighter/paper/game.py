"""A game on paper: blank sheets, pieces to cut out, and its rules if they are asked for."""

from __future__ import annotations

from collections import Counter

from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.paper.booklet import add_rules
from lamplighter.paper.document import SIDE, Document, Style, describe
from lamplighter.paper.layout import fit

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
    """Cards, tiles or faces of dice on a grid without gaps, so that one cut parts two of them.

    A game lists every piece, or every kind with how many of it are needed.
    """
    picture = document.variant.game.picture
    if not hasattr(picture, "cutouts"):
        return
    pieces: list[str] = []
    for piece in picture.cutouts(document.variant):
        drawn, count = piece if isinstance(piece, tuple) else (piece, 1)
        pieces += [document.frame(drawn, "a piece to cut out")] * count
    if not pieces:
        return
    width, height = piece_size(picture.CUTOUT_SIZE)
    grids = [(*_piece_grid(document.style, width, height, flipped), flipped) for flipped in (False, True)]
    columns, rows, flipped = max(grids, key=lambda grid: grid[0] * grid[1])
    if not columns or not rows:
        raise LamplighterError(f"pieces of {width:g} × {height:g} mm do not fit on {document.style.paper} paper")
    pages = [pieces[i : i + columns * rows] for i in range(0, len(pieces), columns * rows)]
    document.add(
        "pieces", pages=pages, columns=columns, width=width, height=height, flipped=flipped, side=PIECE_SIDE,
        count=count_pieces(pieces),
    )  # fmt: skip


def _piece_grid(style: Style, width: float, height: float, flipped: bool) -> tuple[int, int]:
    """How many pieces of that size go side by side and below each other on a page."""
    room = style.room(flipped)
    return int((room[0] + 2 * (SIDE - PIECE_SIDE)) // width), int((room[1] - PIECE_HEAD) // height)


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


def piece_size(size: float | tuple[float, float]) -> tuple[float, float]:
    """Width and height in mm; one number is a square.

    >>> piece_size(30), piece_size((63, 88))
    ((30.0, 30.0), (63.0, 88.0))
    """
    width, height = size if isinstance(size, tuple) else (size, size)
    return float(width), float(height)
