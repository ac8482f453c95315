"""How many sheets go on a page, and how large: as many as can be read and written on."""

from __future__ import annotations

from dataclasses import dataclass

from lamplighter.paper.document import Style
from lamplighter.svg import Picture

GAP = 8.0  # mm between two sheets, the cut in its middle
HEAD, FOOT = 10.0, 8.5  # mm above a sheet for title and name, below it for the credits
READABLE = 0.205  # mm for a unit of a picture: its small letters are 6 points high
WRITABLE = 7.0  # mm that a cell must be wide and high
LARGEST = 0.45  # mm for a unit: beyond that a sheet only looks coarse
GRIDS = {
    4: ((2, 2, False), (2, 2, True), (4, 1, True)),
    2: ((2, 1, True), (1, 2, False)),
    1: ((1, 1, False), (1, 1, True)),
}


@dataclass(frozen=True)
class Layout:
    """So many columns and rows on an upright or flipped page, and the size of each sheet in mm."""

    columns: int
    rows: int
    flipped: bool
    width: float
    height: float

    @property
    def count(self) -> int:
        return self.columns * self.rows


def fit(picture: Picture, style: Style) -> Layout:
    """The layout with most sheets that still can be read and written on; one sheet if the print is to be large."""
    smallest = min((min(box[2:]) for box in picture.cells.values()), default=0.0)
    needed = max(READABLE, WRITABLE / smallest if smallest else 0)
    for count in (1,) if style.large else GRIDS:
        found = max(
            (_scale(picture, style, columns, rows, flipped), not flipped, columns, rows)
            for columns, rows, flipped in GRIDS[count]
        )
        scale, upright, columns, rows = found
        if scale >= needed or count == 1:
            break
    scale = min(scale, 2 * LARGEST if style.large else LARGEST)
    return Layout(columns, rows, not upright, round(picture.width * scale, 2), round(picture.height * scale, 2))


def _scale(picture: Picture, style: Style, columns: int, rows: int, flipped: bool) -> float:
    """The largest mm for a unit of the picture on such a page."""
    width, height = style.room(flipped)
    free = (width - (columns - 1) * GAP) / columns, (height - (rows - 1) * GAP) / rows - HEAD - FOOT
    return min(free[0] / picture.width, free[1] / picture.height)
