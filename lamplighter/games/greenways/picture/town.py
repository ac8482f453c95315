"""The board of Greenways as a picture: the tiles, the cells around them, open ends, and how far the goal is.

What is shown is the board and a free ring around it. Tiles shrink as it grows.
"""

from __future__ import annotations

from dataclasses import dataclass

from lamplighter.engine.variant import State, Variant
from lamplighter.games.greenways.explain import networks
from lamplighter.games.greenways.notation import open_cells
from lamplighter.games.greenways.picture.symbols import TILE, picture_table, symbol_name
from lamplighter.games.greenways.state import CELL_ROW, START_CELL
from lamplighter.svg import Element, group, number, path, text, use

Cell = tuple[int, int]
Box = tuple[float, float, float, float]

WIDTH = 360
LEFT, TOP, EDGE = 36, 34, 6  # room for numbers and leaves, and at the two other sides
HIGHEST = 400  # while its tiles can shrink, the board gets no higher
SHOWN = 7  # rows and columns, at least
LARGEST, SMALLEST = 46, 22  # how wide a tile is drawn
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
LETTERS = "SG"  # of the two networks


@dataclass(frozen=True)
class Town:
    """A seat's board, read from the record at once."""

    tiles: dict[Cell, int]  # which picture lies where
    labels: tuple[dict[Cell, int], dict[Cell, int]]  # the number of the street and of the greenway in each cell
    gems: tuple[list[int], list[int]]  # intersections of each street, parks of each greenway
    openings: dict[Cell, int]  # the pictures that fit into each open cell, as bits
    rows: range
    columns: range
    playing: bool
    won: bool

    @property
    def green_rows(self) -> list[int]:
        """§11 Rows that contain a tile with a greenway."""
        return sorted({row for row, _ in self.labels[1]})

    @property
    def green_columns(self) -> list[int]:
        """§11 Columns that contain a tile with a greenway."""
        return sorted({column for _, column in self.labels[1]})


@dataclass(frozen=True)
class Plan:
    """Where cells are drawn: the rows and columns shown, the side of a tile, the corner of the first cell."""

    rows: range
    columns: range
    side: int
    x: int
    y: int
    width: int

    @property
    def scale(self) -> float:
        return self.side / TILE

    @property
    def bottom(self) -> int:
        return self.y + len(self.rows) * self.side

    def corner(self, row: int, column: int) -> tuple[int, int]:
        """Return the upper left corner of a cell."""
        return self.x + (column - self.columns[0]) * self.side, self.y + (row - self.rows[0]) * self.side

    def middle(self, row: int, column: int) -> tuple[float, float]:
        x, y = self.corner(row, column)
        return x + self.side / 2, y + self.side / 2


def cell_of(code: int) -> Cell:
    """Row and column, from the start tile, of a cell's number in the record."""
    return code // CELL_ROW - START_CELL // CELL_ROW, code % CELL_ROW - START_CELL % CELL_ROW


def cell_name(cell: Cell) -> str:
    """Return a cell as moves write it."""
    return f"{cell[0]},{cell[1]}"


def read_town(variant: Variant, state: State, seat: int) -> Town:
    count = int(state["tiles"][seat])
    cells = [cell_of(code) for code in state["cell"][seat, :count].tolist()]
    pictures = state["picture"][seat, :count].tolist()
    labels: tuple[dict[Cell, int], dict[Cell, int]] = ({}, {})
    gems: tuple[list[int], list[int]] = ([], [])
    for kind in range(2):
        for label, network in enumerate(networks(variant.box, state, seat, kind)):
            labels[kind].update((cells[tile], label) for tile in network.tiles)
            gems[kind].append(network.gems)
    fits = variant.box["fits"]
    return Town(
        dict(zip(cells, pictures, strict=True)),
        labels,
        gems,
        {cell_of(cell): int(fits[around]) for cell, around in open_cells(state, seat).items()},
        range(int(state["top"][seat]), int(state["bottom"][seat]) + 1),
        range(int(state["left"][seat]), int(state["right"][seat]) + 1),
        bool(int(state["playing"]) >> seat & 1),
        bool(int(state["won"]) >> seat & 1),
    )


def make_plan(rows: range, columns: range, ring: bool = True) -> Plan:
    """The board, while it grows with a free ring. As long as it is small, what is shown stays where it is."""
    rows, columns = _window(rows, ring), _window(columns, ring)
    room = WIDTH - LEFT - EDGE
    side = max(SMALLEST, min(LARGEST, room // len(columns), HIGHEST // len(rows)))
    across = len(columns) * side
    return Plan(rows, columns, side, LEFT + max(0, room - across) // 2, TOP, max(WIDTH, LEFT + across + EDGE))


def _window(line: range, ring: bool) -> range:
    first, last = line[0] - ring, line[-1] + ring
    if last - first + 1 < SHOWN:
        first = min(first, max(last + 1 - SHOWN, -(SHOWN // 2)))
        last = first + SHOWN - 1
    return range(first, last + 1)


def quarters_of(quarters: int, sides: str, cell: Cell) -> int:
    """By how much a picture is turned. Where no side tells, it looks this way and that, as houses in a town do."""
    return (3 * cell[0] + 5 * cell[1] + cell[0] * cell[1]) % 4 if len(set(sides)) == 1 else quarters


def place_tile(plan: Plan, cell: Cell, quarters: int) -> tuple[float, float, str]:
    """Return the place of a tile's symbol, and the transform that turns and scales it there."""
    x, y = plan.middle(*cell)
    a, b = ((plan.scale, 0), (0, plan.scale), (-plan.scale, 0), (0, -plan.scale))[quarters]
    matrix = (a, b, -b, a, x - a * x + b * y, y - b * x - a * y)
    return x, y, f"matrix({' '.join(f'{round(value, 3) + 0:g}' for value in matrix)})"


# --- drawing --------------------------------------------------------------------------------------------------


def draw_town(variant: Variant, town: Town, plan: Plan, hand: int = 0) -> list[Element]:
    """Draw the board; `hand` are the pictures that can be laid now, as bits."""
    return [
        *_ground(plan),
        *_borders(variant, town, plan),
        *_openings(town, plan, hand),
        draw_tiles(variant, town, plan),
        *(draw_ends(variant, town, plan) if town.playing else ()),
    ]


def town_cells(town: Town, plan: Plan) -> dict[str, Box]:
    """Return the box of every tile and of every cell where a tile may be laid."""
    cells = sorted([*town.tiles, *town.openings] if town.playing else town.tiles)
    return {cell_name(cell): (*plan.corner(*cell), plan.side, plan.side) for cell in cells}


def _ground(plan: Plan) -> list[Element]:
    """Draw a barely visible grid."""
    x, y, wide, high = plan.x, plan.y, len(plan.columns) * plan.side, len(plan.rows) * plan.side
    d = "".join(f"M{x} {y + i * plan.side}h{wide}" for i in range(len(plan.rows) + 1))
    d += "".join(f"M{x + i * plan.side} {y}v{high}" for i in range(len(plan.columns) + 1))
    return [path(d, "faint thin")]


def _borders(variant: Variant, town: Town, plan: Plan) -> list[Element]:
    """Draw numbers, the frame that must grow, and at its border a leaf for each row and column that has a greenway."""
    drawn: list[Element] = []
    green_rows, green_columns = town.green_rows, town.green_columns
    for row in plan.rows:
        y = plan.middle(row, plan.columns[0])[1]
        drawn.append(text(plan.x - 18, y + 4, str(row), "te small p"))
        if row in town.rows:
            drawn.append(use("leaf" if row in green_rows else "bare", plan.x - 10, y))
    for column in plan.columns:
        x = plan.middle(plan.rows[0], column)[0]
        drawn.append(text(x, plan.y - 21, str(column), "t small p"))
        if column in town.columns:
            drawn.append(use("leaf" if column in green_columns else "bare", x, plan.y - 11))
    return [*drawn, *_frame(town, plan)]


def _frame(town: Town, plan: Plan) -> list[Element]:
    """§11 Draw the frame around the board: drawn out beside rows and columns with a greenway, broken beside the others."""
    x, y = plan.corner(town.rows[0], town.columns[0])
    right, bottom = x + len(town.columns) * plan.side + 3, y + len(town.rows) * plan.side + 3
    green_rows, green_columns = town.green_rows, town.green_columns
    sides = {True: "", False: ""}
    for row in town.rows:
        at = plan.corner(row, 0)[1]
        sides[row in green_rows] += f"M{x - 3} {at}v{plan.side}M{right} {at}v{plan.side}"
    for column in town.columns:
        at = plan.corner(0, column)[0]
        sides[column in green_columns] += f"M{at} {y - 3}h{plan.side}M{at} {bottom}h{plan.side}"
    return [path(d, style) for d, style in ((sides[False], "error thin dash"), (sides[True], "green")) if d]


def _openings(town: Town, plan: Plan, hand: int) -> list[Element]:
    """Draw a dotted outline where a tile of the hand fits, a dot in every other cell beside a tile."""
    if not town.playing:
        return []
    side, squares, dots = plan.side - 6, "", ""
    for cell, fits in town.openings.items():
        if fits & hand:
            x, y = plan.corner(*cell)
            squares += f"M{x + 3} {y + 3}h{side}v{side}h{-side}z"
        else:
            dots += "M{:g} {:g}h.1".format(*plan.middle(*cell))
    return [path(d, style) for d, style in ((squares, "may"), (dots, "print")) if d]


def draw_tiles(variant: Variant, town: Town, plan: Plan) -> Element:
    """Draw the tiles, in their own size around the middle of the start tile, moved and scaled as a whole."""
    table, drawn = picture_table(variant), []
    for cell, picture in town.tiles.items():
        tile_id, quarters, sides = table[picture]
        x, y, turn = cell[1] * TILE, cell[0] * TILE, 90 * quarters_of(quarters, sides, cell)
        drawn.append(use(symbol_name(tile_id), x, y, transform=f"rotate({turn} {x} {y})" if turn else None))
    x0, y0 = plan.middle(0, 0)
    return group(*drawn, transform=f"translate({number(x0)} {number(y0)}) scale({plan.scale:g})")


def draw_ends(variant: Variant, town: Town, plan: Plan) -> list[Element]:
    """§8, §9 Draw open ends: an arrow, filled while the street still needs an intersection or the greenway a park."""
    table, bare, fine = picture_table(variant), "", ""
    for (row, column), picture in town.tiles.items():
        for side, letter in enumerate(table[picture][2]):
            dy, dx = STEPS[side]
            if letter in LETTERS and (row + dy, column + dx) not in town.tiles:
                network = LETTERS.index(letter)
                middle = plan.middle(row, column)
                x, y = middle[0] + dx * plan.side / 2, middle[1] + dy * plan.side / 2
                if town.gems[network][town.labels[network][row, column]]:
                    fine += arrow(x, y, dx, dy, plan.scale)
                else:
                    bare += arrow(x, y, dx, dy, plan.scale) + "Z"
    return [path(d, style) for d, style in ((fine, "ink thin"), (bare, "f-error")) if d]


def arrow(x: float, y: float, dx: int, dy: int, scale: float) -> str:
    """Return an arrowhead that points away from a side."""
    near, far, half = 3 * scale, 9 * scale, 5.5 * scale
    first = x + dx * near - dy * half, y + dy * near - dx * half
    tip = x + dx * far, y + dy * far
    last = x + dx * near + dy * half, y + dy * near + dx * half
    return "M" + "L".join(f"{number(px)} {number(py)}" for px, py in (first, tip, last))
