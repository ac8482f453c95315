"""A sheet of Greenways, drawn: the board with double lines for streets and single ones for greenways, hand, pile, goal.

Tiles are five characters wide and three high, on wide boards three wide or a single one.
"""

from __future__ import annotations

import functools

from lamplighter.engine.text_sheet import Line, Span, side_by_side
from lamplighter.engine.variant import State, Variant
from lamplighter.games.greenways.components import GREENWAY, SIDES, STREET, tile_ids
from lamplighter.games.greenways.explain import networks
from lamplighter.games.greenways.notation import open_cells
from lamplighter.games.greenways.state import CELL_ROW, START_CELL

Tile = list[list[Span]]  # rows of single characters with their roles

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
# The middle of a tile by the sides that meet there.
STREETS = " ■■╚■║╔╠■╝═╩╗╣╦╬"
GREENWAYS = " ○○└○│┌├○┘─┴┐┤┬┼"
PARK, BUILDING, GROUND = "♣", "⌂", "░"
MOST_WIDE = 80


def draw_text(variant: Variant, state: State, seat: int) -> list[Line]:
    """Return one seat's sheet: the board, and beside or below it what the player has and still needs."""
    columns = int(state["right"][seat]) - int(state["left"][seat]) + 3
    notes = _notes(variant, state, seat)
    room = max(sum(len(text) for text, _ in line) for line in notes) + 3
    for wide, high in ((5, 3), (3, 3), (1, 1)):
        if 7 + wide * columns + room <= MOST_WIDE:
            return side_by_side(_board(variant, state, seat, wide, high), notes)
        if 7 + wide * columns <= MOST_WIDE:
            break
    return [*_board(variant, state, seat, wide, high), [], *notes]


# --- tiles ----------------------------------------------------------------------------------------------------


def _ways(variant: Variant, picture: int, network: int) -> int:
    """Return the sides on which a picture has a street or a greenway, as bits."""
    sides = int(variant.box["sides"][picture])
    return sum(1 << side for side in range(SIDES) if sides >> 2 * side & 3 == network)


def _middle(variant: Variant, picture: int) -> Span:
    streets, greenways = _ways(variant, picture, STREET), _ways(variant, picture, GREENWAY)
    if variant.box["gem"][1, picture]:
        return PARK, "green"
    if variant.box["building"][picture]:
        return BUILDING, "ink"
    if streets in (NORTH | SOUTH, EAST | WEST) and streets + greenways == NORTH | EAST | SOUTH | WEST:
        return ("╫" if streets == NORTH | SOUTH else "╪"), "ink"
    if streets.bit_count() == greenways.bit_count() == 2:
        return ("╲" if streets in (NORTH | EAST, SOUTH | WEST) else "╱"), "print"
    if greenways.bit_count() > streets.bit_count():
        return GREENWAYS[greenways], "green"
    return (STREETS[streets], "ink") if streets else (GROUND, "print")


@functools.lru_cache(maxsize=1024)
def draw_tile(variant: Variant, picture: int, wide: int = 5, high: int = 3) -> Tile:
    """Return a picture in characters: double lines are streets, single ones greenways, `♣` parks, `⌂` buildings."""
    middle_row, middle_col = high // 2, wide // 2
    rows: Tile = [[(GROUND, "print") for _ in range(wide)] for _ in range(high)]
    if variant.box["building"][picture] and wide == 5:
        rows = [[(sign, "ink") for sign in text] for text in ("╭───╮", "│   │", "╰───╯")]
    for network, upright, level, role in ((STREET, "║", "═", "ink"), (GREENWAY, "│", "─", "green")):
        ways = _ways(variant, picture, network)
        for row in range(high):
            if (ways & NORTH and row < middle_row) or (ways & SOUTH and row > middle_row):
                rows[row][middle_col] = (upright, role)
        for col in range(wide):
            if (ways & WEST and col < middle_col) or (ways & EAST and col > middle_col):
                rows[middle_row][col] = (level, role)
    if variant.box["gem"][1, picture] and wide == 5:
        for row in (0, high - 1):
            rows[row][0] = rows[row][-1] = (PARK, "green")
    rows[middle_row][middle_col] = _middle(variant, picture)
    if picture == int(variant.box["pictures"]) and wide > 1:
        rows[0][0] = ("S", "title")
    return rows


# --- the board ------------------------------------------------------------------------------------------------


def _board(variant: Variant, state: State, seat: int, wide: int, high: int) -> list[Line]:
    """Return the board with one empty row and column around it; `✓` marks rows and columns with a greenway."""
    cells = _cells(variant, state, seat, wide, high)
    columns = range(int(state["left"][seat]) - 1, int(state["right"][seat]) + 2)
    rows = range(int(state["top"][seat]) - 1, int(state["bottom"][seat]) + 2)
    blank: Tile = [[(" ", "print")] * wide for _ in range(high)]
    green_rows, green_columns = _green_lines(variant, state, seat)
    lines: list[Line] = _header(columns, green_columns, wide)
    for row in rows:
        for part in range(high):
            line: Line = [("      ", "print")]
            if part == high // 2:
                mark = "✓" if row in green_rows else " "
                line = [(f"{row:>4}", "print"), (f"{mark} ", "green")]
            for column in columns:
                line += cells.get((row, column), blank)[part]
            lines.append(_joined(line))
    return lines


def _header(columns: range, green: set[int], wide: int) -> list[Line]:
    """Return the numbers of the columns, and which of them have a greenway. Narrow columns have a number now and then."""
    every = 1 if wide == 5 else 2 if wide == 3 else 10
    numbers, marks = [" "] * (6 + wide * len(columns) + 4), [" "] * (6 + wide * len(columns))
    for i, column in enumerate(columns):
        middle = 6 + i * wide + wide // 2
        if column % every == 0:
            start = middle - len(str(column)) // 2
            numbers[start : start + len(str(column))] = str(column)
        if column in green:
            marks[middle] = "✓"
    return [[("".join(numbers), "print")], [("".join(marks), "green")]]


def _cells(variant: Variant, state: State, seat: int, wide: int, high: int) -> dict[tuple[int, int], Tile]:
    """Return what is drawn in each cell: tiles, and `+` or `·` where a tile of the hand or another one may come."""
    found: dict[tuple[int, int], Tile] = {}
    for tile in range(int(state["tiles"][seat])):
        cell, picture = int(state["cell"][seat, tile]), int(state["picture"][seat, tile])
        found[_row_column(cell)] = draw_tile(variant, picture, wide, high)
    hand = int(variant.game.rules.hand_pictures(variant.box, state, seat))
    for cell, around in open_cells(state, seat).items():
        empty: Tile = [[(" ", "print") for _ in range(wide)] for _ in range(high)]
        fits = int(variant.box["fits"][around]) & hand
        empty[high // 2][wide // 2] = ("+", "lamp") if fits else ("·", "print")
        found[_row_column(cell)] = empty
    return found


def _row_column(cell: int) -> tuple[int, int]:
    return cell // CELL_ROW - START_CELL // CELL_ROW, cell % CELL_ROW - START_CELL % CELL_ROW


def _green_lines(variant: Variant, state: State, seat: int) -> tuple[set[int], set[int]]:
    """§11 Return the rows and the columns that have a tile with a greenway."""
    tiles = [tile for greenway in networks(variant.box, state, seat, 1) for tile in greenway.tiles]
    cells = [_row_column(int(state["cell"][seat, tile])) for tile in tiles]
    return {row for row, _ in cells}, {column for _, column in cells}


def _joined(line: Line) -> Line:
    """Return neighbouring spans of one role as one."""
    joined: Line = []
    for text, role in line:
        if joined and joined[-1][1] == role:
            joined[-1] = (joined[-1][0] + text, role)
        else:
            joined.append((text, role))
    return joined


# --- what stands beside it ------------------------------------------------------------------------------------


def _notes(variant: Variant, state: State, seat: int) -> list[Line]:
    return [
        *_hand(variant, state, seat),
        [],
        *_goal(variant, state, seat),
        [],
        *_networks(variant, state, seat),
        [],
        *_pile(variant, state, seat),
    ]


def _hand(variant: Variant, state: State, seat: int) -> list[Line]:
    """§2 Return the tiles in hand as they are printed, with their ids."""
    kinds = [int(kind) - 1 for kind in state["hand"][seat] if kind]
    if not kinds:
        won = int(state["won"]) >> seat & 1
        over = "the goal is reached" if won else "the end" if not int(state["playing"]) >> seat & 1 else "no hand"
        return [[("hand  ", "title"), (over, "lamp" if won else "print")]]
    lines: list[Line] = [[("hand  ", "title")], [("      ", "title")], [("      ", "title")], [("      ", "title")]]
    for kind in kinds:
        pictures = int(variant.box["kind_pictures"][kind])
        tile = draw_tile(variant, (pictures & -pictures).bit_length() - 1)
        for line, row in zip(lines, tile, strict=False):
            line += [*row, ("  ", "ink")]
        lines[3].append((f"{tile_ids(variant.file)[kind]:^5}  ", "lamp"))
    return [_joined(line) for line in lines]


def _goal(variant: Variant, state: State, seat: int) -> list[Line]:
    """§11 How far the board has come."""
    rules, lines = variant.game.rules, []
    green_rows, green_columns = _green_lines(variant, state, seat)
    sizes = (int(rules.height(state, seat)), len(green_rows)), (int(rules.width(state, seat)), len(green_columns))
    for name, goal, (size, green) in zip(("rows", "columns"), ("rows", "columns"), sizes, strict=True):
        need = int(variant.box[goal])
        bar = "█" * min(green, need) + "▒" * (min(size, need) - min(green, need)) + "·" * (need - min(size, need))
        done = size >= need and green == size
        line: Line = [("goal  " if name == "rows" else "      ", "title"), (bar, "green")]
        counted = name if size != 1 else name.removesuffix("s")
        line.append((f" {size} {counted}, {green} green" + (" ✓" if done else ""), "green" if done else "ink"))
        lines.append(line)
    return lines


def _networks(variant: Variant, state: State, seat: int) -> list[Line]:
    """§8, §9 Return every street and greenway: tiles, open ends, and what it has to have before it is completed."""
    lines: list[Line] = []
    for kind, name, gem in ((0, "street", "intersection"), (1, "greenway", "park")):
        for tiles, gems, ends in networks(variant.box, state, seat, kind):
            role, size = "green" if kind else "ink", f"{len(tiles):>2} tile{'s' if len(tiles) != 1 else ''}, "
            size += f"{ends} open, " if ends else "complete, "
            count = f"{gems} {gem}{'s' if gems > 1 else ''}" if gems else f"no {gem}"
            lines.append([(f"{name:<9}", role), (size, role), (count, "ink" if gems else "error")])
    return lines


def _pile(variant: Variant, state: State, seat: int) -> list[Line]:
    """§12 How many tiles of each kind are left to draw from, and what each kind that is shown is called."""
    unused, ids = int(state["unused"][seat]), tile_ids(variant.file)
    lines: list[Line] = [
        [("pile  ", "title"), (f"{unused} tile{'s' if unused != 1 else ''} with those in hand", "ink")]
    ]
    for kind in range(int(variant.box["kinds"])):
        left = int(state["pile"][seat, kind])
        if left or kind + 1 in state["hand"][seat]:
            name = str(variant.game.texts.say(variant, ids[kind]))
            lines.append([(f"{ids[kind]:>4} {left:<3}", "print"), (name, "print")])
    return lines
