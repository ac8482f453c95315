"""The town as a picture: ground, streets, the church and the reach of trees; the cables and decorations of a sheet."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lamplighter.engine.grid import format_cell
from lamplighter.games.switch_on.components import CHURCH, ENTRANCE, STREET, WORD, reach_of, times_of
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.notation import figure_of, format_square, placement_squares
from lamplighter.games.switch_on.picture import cable_symbols, charts, symbols
from lamplighter.games.switch_on.picture.symbols import SIDE
from lamplighter.games.switch_on.state import Phase
from lamplighter.strokes import pencil_cross
from lamplighter.svg import Element, circle, group, number, path, use

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant

GLOW = {"light": "lamp wide soft", "dashed": "lamp wide wash"}  # below strands with power


@dataclass(frozen=True)
class Cable:
    """A place where a cable may be laid."""

    shape: int
    start: int  # its first square
    steps: str
    cells: str  # all its squares, as a move names them
    strand: cable_symbols.Strand


@dataclass(frozen=True)
class Town:
    """Where the squares of a town are, and everything that may be drawn on them."""

    left: float
    top: float
    rows: int
    cols: int
    cables: tuple[Cable, ...]  # by the number of their placement
    electric: tuple[bool, ...]  # of every decoration: whether it needs power
    symbols: dict[str, list[Element]]

    def middle(self, square: int) -> tuple[float, float]:
        row, col = divmod(square, self.cols)
        return self.left + col * SIDE + SIDE / 2, self.top + row * SIDE + SIDE / 2

    def boxes(self) -> dict[str, tuple[float, float, float, float]]:
        """Return the name and place of every square."""
        return {
            format_cell(row, col): (self.left + col * SIDE, self.top + row * SIDE, SIDE, SIDE)
            for row, col in itertools.product(range(self.rows), range(self.cols))
        }


def lay_out(variant: Variant, left: float, top: float) -> Town:
    """Return the town of a variant, with its upper left corner at left, top."""
    rows, entries = variant.file.get("map", "rows"), variant.file.get("decorations")
    drawn, found = cable_symbols.symbols(variant)
    cables = []
    for placement in range(figure_of(variant, at.FITS)):
        squares, shape = placement_squares(variant, placement), int(variant.box["shape_of"][placement])
        steps, cells = (
            cable_symbols.steps_of(squares, len(rows[0])),
            " ".join(format_square(variant, one) for one in squares),
        )
        cables.append(Cable(shape, squares[0], steps, cells, found[shape, steps]))
    hung = {f"d{i}": symbols.decoration(entry["name"], entry["letter"]) for i, entry in enumerate(entries)}
    return Town(
        left, top, len(rows), len(rows[0]), tuple(cables), tuple(entry["power"] for entry in entries),
        {**symbols.fixed(), **symbols.terraces(rows), **hung, **drawn},
    )  # fmt: skip


# --- before play ----------------------------------------------------------------------------------------------


def draw_town(variant: Variant, left: float, top: float) -> list[Element]:
    """Draw the town as it is printed."""
    town: list[str] = variant.file.get("map", "rows")
    trees = {letter: times_of(tree) for letter, tree in variant.file.get("trees").items()}
    own = {ground["letter"]: ground["name"] for ground in variant.file.data.get("grounds", [])}
    drawn: list[Element] = []
    labels: charts.Words = []
    for row, col, mark, length in symbols.stretches(town):
        x, y = left + col * SIDE + SIDE / 2, top + row * SIDE + SIDE / 2
        symbol = symbols.ground(mark, trees, row, col, length)
        if symbol:
            drawn.append(use(symbol, x, y))
        elif mark == CHURCH:
            drawn.append(group(*symbols.church(length), transform=f"translate({number(x)} {number(y)})"))
        elif mark == STREET and (row + col) % 2:
            drawn.append(use("lamp", x - 12, y - 9))
        elif mark in own:
            drawn.append(symbols.own_ground(x, y, own[mark]))
        if mark in trees:
            labels.append((x + 10, y + 17, "+1" if variant.options["tree_mode"] == "count" else f"×{trees[mark]}"))
    plates = charts.outlines([(x - 8, y - 9, 16, 10.5) for x, y, _ in labels])
    drawn += [path(plates, "f-paper"), charts.words("t small bold", labels)] if labels else []
    edge = [(left - 8, top + row * SIDE + SIDE / 2 + 4, format_cell(row, 0)[0]) for row in range(len(town))]
    edge += [(left + col * SIDE + SIDE / 2, top - 4, str(col)) for col in range(len(town[0]))]
    return [*_streets(town, left, top), *_reach(variant, left, top), *drawn, charts.words("t small p", edge)]


def _streets(town: list[str], left: float, top: float) -> list[Element]:
    """The grid; then streets and entrances: pavement, kerbs where they end, and a broken line along the middle."""
    rows, cols, half = len(town), len(town[0]), SIDE / 2
    paved = [(r, c) for r, c in itertools.product(range(rows), range(cols)) if town[r][c] in STREET + ENTRANCE]
    across = [(r, c) for r, c in paved if (r - 1, c) not in paved] + [
        (r + 1, c) for r, c in paved if (r + 1, c) not in paved
    ]
    down = [(c, r) for r, c in paved if (r, c - 1) not in paved] + [
        (c + 1, r) for r, c in paved if (r, c + 1) not in paved
    ]
    kerbs = _strokes(across, left, top, False) + _strokes(down, left, top, True)
    middle = _strokes([(r, c) for r, c in paved if (r, c + 1) in paved], left + half, top + half, False)
    middle += _strokes([(c, r) for r, c in paved if (r + 1, c) in paved], left + half, top + half, True)
    grid = _strokes(list(itertools.product(range(rows + 1), range(cols))), left, top, False)
    grid += _strokes(list(itertools.product(range(cols + 1), range(rows))), left, top, True)
    pavement = charts.outlines([(left + c * SIDE, top + r * SIDE, n * SIDE, SIDE) for r, c, n in _runs(paved)])
    parts = ((grid, "faint thin"), (pavement, "f-faint"), (kerbs, "print thin soft"), (middle, "paper dash"))
    return [path(d, style) for d, style in parts if d]


def _runs(places: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Return places (line, position) that follow each other on a line, joined: line, first position, how many.

    >>> _runs([(0, 1), (0, 2), (1, 2)])
    [(0, 1, 2), (1, 2, 1)]
    """
    found: list[tuple[int, int, int]] = []
    for line, position in sorted(places):
        if found and found[-1][0] == line and found[-1][1] + found[-1][2] == position:
            found[-1] = (line, found[-1][1], found[-1][2] + 1)
        else:
            found.append((line, position, 1))
    return found


def _strokes(places: list[tuple[int, int]], left: float, top: float, down: bool) -> str:
    """Return strokes a square long from these places on, joined; places are (row, col), or (col, row) if they go down."""
    strokes = ""
    for line, first, length in _runs(places):
        row, col = (first, line) if down else (line, first)
        strokes += f"M{number(left + col * SIDE)} {number(top + row * SIDE)}{'v' if down else 'h'}{length * SIDE}"
    return strokes


def _reach(variant: Variant, left: float, top: float) -> list[Element]:
    """§14, §B5 Draw a dotted line around the squares that every tree reaches."""
    town, trees = variant.file.get("map", "rows"), variant.file.get("trees")
    rows, cols = len(town), len(town[0])
    places = []
    for row, col in itertools.product(range(rows), range(cols)):
        if town[row][col] in trees:
            far = reach_of(trees[town[row][col]])
            x, y = max(col - far, 0), max(row - far, 0)
            right, bottom = min(col + far + 1, cols), min(row + far + 1, rows)
            places.append((left + x * SIDE + 2, top + y * SIDE + 2, (right - x) * SIDE - 4, (bottom - y) * SIDE - 4))
    if not places:
        return []
    return [path(charts.outlines(places), "f-green tint"), path(charts.outlines(places), "green both dot")]


# --- in play --------------------------------------------------------------------------------------------------


def has(words: list[int], square: int) -> bool:
    """Return whether a square is in a set."""
    return bool(words[square // WORD] >> square % WORD & 1)


def draw_cables(town: Town, state: State, seat: int) -> list[Element]:
    """Draw all cables. Where power runs they glow and their bulbs are lit; the others are dark, with hollow bulbs."""
    powered = state["powered"][seat].tolist()
    glow, bulbs = dict.fromkeys(GLOW, ""), ""
    drawn: list[Element] = []
    for number_of_cable in filter(None, state["cables"][seat].tolist()):
        cable = town.cables[number_of_cable - 1]
        middle = town.middle(cable.start)
        drawn.append(use(cable.strand.symbol, *middle))
        if has(powered, cable.start):
            glow[cable.strand.kind] += cable.strand.wire_path(*middle)
            bulbs += cable.strand.bulb_path(*middle)
    halo = [path(glow[kind], style) for kind, style in GLOW.items() if glow[kind]]
    return [*halo, *drawn, *([path(bulbs, "lamp fat")] if bulbs else [])]


def draw_decorations(town: Town, state: State, seat: int) -> list[Element]:
    """Draw decorations on discs; a black dot below one shows as a ring. Light ones shine, or are struck without power."""
    powered, dots = state["powered"][seat].tolist(), state["dots"][seat].tolist()
    struck = "error" if int(state["phase"]) == Phase.OVER else "error thin"
    drawn: list[Element] = []
    for square, kind in enumerate(state["decorations"][seat].tolist()):
        if kind:
            x, y = town.middle(square)
            electric, power = town.electric[kind - 1], has(powered, square)
            drawn.append(use("shine" if electric and power else "disc", x, y))
            drawn += [circle(x, y, 14.5, "ink")] if has(dots, square) else []
            drawn.append(use(f"d{kind - 1}", x, y))
            drawn += [pencil_cross(x, y, 13, struck)] if electric and not power else []
    return drawn
