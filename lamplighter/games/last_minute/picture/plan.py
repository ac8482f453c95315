"""Where things are on the sheet: every place follows from the box, so that any sheet that can be typed in is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from lamplighter.engine.variant import Variant
from lamplighter.games.last_minute.components import FACES, boxes_at, ornament_names
from lamplighter.games.last_minute.picture.ornaments import ROOM

WIDTH = 360  # of a sheet, unless its tree is wide
SMALLEST = 28  # squares of a tree get no smaller: the sheet gets wider
TOP = 46  # room for the dice and the tip above the tree
EDGE = 14
TALLEST = 560  # while its squares can shrink, the tree gets no higher
STRIP = 38  # room for a column of power boxes beside the tree
IN_COLUMN = 12  # power boxes, at most
ROW = 27  # a track, or a part of it
IN_ROW = 8  # squares of a track, at most
POINTS = 38  # the box at the end of a track
TURN_ROW = 34


@dataclass(frozen=True)
class Plan:
    """The places of a sheet; x and y are upper left corners."""

    width: float
    side: float  # of a square of the tree
    left: float  # where the tree begins
    rows: int
    cols: int
    powers: list[tuple[float, float, float, float]]  # power boxes: x, y, width, height
    tracks_top: float
    tracks_left: float
    track_step: float
    track_tops: list[float]  # of each ornament
    in_row: int  # squares of a track in a row
    turns: list[tuple[float, float, float, float]]
    count_top: float  # the boxes of the final count
    height: float

    @property
    def scale(self) -> float:
        """How large ornaments are drawn."""
        return self.side / ROOM

    def corner(self, row: int, col: int) -> tuple[float, float]:
        return self.left + col * self.side, TOP + row * self.side

    def middle(self, row: int, col: int) -> tuple[float, float]:
        x, y = self.corner(row, col)
        return x + self.side / 2, y + self.side / 2


def make_plan(variant: Variant) -> Plan:
    """Return the places on a variant's sheet, from the top down."""
    found: Plan | None = variant.kept.get("plan")
    if found is None:
        found = variant.kept["plan"] = _make_plan(variant)
    return found


def _make_plan(variant: Variant) -> Plan:
    box, place = variant.box, boxes_at(variant.file)
    rows, cols, boxes = int(box["rows"]), int(box["cols"]), int(box["power_boxes"])
    columns = 0 if place == "below" else -(-boxes // IN_COLUMN)
    strip = STRIP * columns
    width = max(WIDTH, 2 * EDGE + strip + cols * SMALLEST)
    side = min(float(ROOM), (width - 2 * EDGE - strip) / cols, max(SMALLEST, TALLEST / rows))
    left = (width - strip - cols * side) / 2 + (strip if place == "left" else 0)
    bottom = TOP + rows * side
    powers: list[tuple[float, float, float, float]] = []
    if place != "below" and boxes:
        in_column = -(-boxes // columns)
        step = max(20.0, min(31.0, rows * side / in_column))
        x = 4.0 if place == "left" else width - strip + 4
        for i in range(boxes):
            powers.append((x + i // in_column * STRIP, TOP + 4 + i % in_column * step, STRIP - 8, step - 5))
        bottom = max(bottom, TOP + 4 + in_column * step - 22 * side / ROOM)
    tracks_top = bottom + 34 * side / ROOM + 6
    lengths = [int(length) for length in box["track_length"]]
    in_row = min(IN_ROW, max(lengths))
    tracks_left = max(112.0, 40 + 5.9 * (max(map(len, ornament_names(variant.file))) + 2))
    step = min(34.0, (width - EDGE - POINTS - 6 - tracks_left) / in_row)
    tops, y = [], tracks_top
    for length in lengths[:FACES]:
        tops.append(y)
        y += ROW * -(-length // in_row)
    y += 6
    if place == "below":
        for i in range(boxes):
            x = tracks_left + i % in_row * step
            powers.append((x + 2, y + i // in_row * ROW, step - 4, ROW - 4))
        y += ROW * -(-boxes // in_row) + 6
    count = int(box["turns"])
    across = 8 if count <= 24 else 12
    wide = (width - 2 * EDGE + 4) / across
    turns = [(EDGE + i % across * wide, y + i // across * TURN_ROW, wide - 4, TURN_ROW - 6.0) for i in range(count)]
    y += TURN_ROW * -(-count // across) + 2
    return Plan(width, side, left, rows, cols, powers, tracks_top, tracks_left, step, tops, in_row, turns, y, y + 50)
