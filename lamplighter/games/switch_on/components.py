"""What is in the box: the town, the charts and the tracks, read from `box.toml` and turned into tables for the kernel.

No rule lives here beyond what the charts print; a sheet of the same kind can be typed into a component file of its own.
Squares count row by row from 0. A set of squares is two int64 of 62 bits, the first for squares 0 to 61.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from lamplighter.engine.grid import FOUR
from lamplighter.errors import BadVariant
from lamplighter.games.switch_on import figures as at
from lamplighter.games.switch_on.cards import (
    BANDS,
    DECK,
    JOKER,
    PAIR_COSTS,
    RANKS,
    SINGLE_COSTS,
    SUITS,
    WILD,
    buys,
    pays_pair,
    pays_single,
    rank_of,
    suit_of,
)

if TYPE_CHECKING:
    from lamplighter.engine.box import BoxFile
    from lamplighter.engine.game import Value

WORD = 62  # bits of one word of a set of squares
MAX_SQUARES = 2 * WORD
MAX_SIDE = 26
MAX_SHAPES = 16
MAX_LENGTH = 8  # squares of one cable
MAX_FITS = 2048  # placements on the town's ground, of all shapes
MAX_PLACEMENTS = (
    MAX_SHAPES * 8 * MAX_SQUARES
)  # also those that the ground refuses: every shape, turned and mirrored, anywhere
MAX_DECORATIONS = 12
MAX_LINES = 64  # pattern lines, each in one direction
MAX_LINE = 5  # squares of a pattern line
MAX_TREES = 62
MAX_TRACK = 99
MAX_UNITS = 24
FIRST_RAISE = 3  # the first action behind the three choices
MAX_LEGAL = 1 << 15  # `build` refuses a box that could offer more at once

SHOP, POWER, CHURCH, STREET, ENTRANCE, OPEN = "HPCsE."
GROUNDS = {"H": SHOP + POWER, "e": STREET + ENTRANCE + OPEN, "*": SHOP + POWER + STREET + ENTRANCE + OPEN}
PLACES = ("cable", "tree", "entrance", "street", "any")
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))  # how pattern lines run: rows, columns, both diagonals
DIRECTIONS = {"row": (0,), "column": (1,), "diagonal": (2, 3)}
FITS, INSIDE_POWER, OFF_GROUND, ON_CHURCH = 0, 1, 2, 3  # what the ground says to a placement
NAME = re.compile(r"[a-z][a-z0-9-]*")

# columns of small tables
BODY, ENDS, INNER = 0, 1, 2  # of `cable_squares`
POINTS, ELECTRIC, ON_CABLE, NEEDS_PAIR = 0, 1, 2, 3  # of `chart`
LENGTH, STEP, EXTRA, KINDS = 0, 1, 2, 3  # of `lines`; the decorations start at KINDS

BOX = np.dtype(
    [
        ("cable_squares", np.int64, (MAX_PLACEMENTS, 3, 2)),  # §8 of each placement: all squares, its dots, its middle
        ("pays", np.int64, (MAX_DECORATIONS, DECK)),  # §2 with each card as the lower one: the higher cards that pay
        ("pays_alone", np.int64, MAX_DECORATIONS),  # §2 the cards that pay by themselves; 0 where it takes two
        ("buyers", np.int64, MAX_SHAPES),  # §7 the cards that buy a shape
        ("places", np.int64, (MAX_DECORATIONS, 2)),  # §3, §4 the squares where it may be drawn, cable or not
        ("near_trees", np.int64, MAX_SQUARES),  # §14 the trees within one space, as bits
        ("church", np.int64, 2),  # §5
        ("power", np.int64, 2),  # §12
        ("figures", np.int32, at.COUNT),  # single numbers, see figures.py
        ("first_hang", np.int32, MAX_DECORATIONS + 1),  # the actions that hang decoration i start here
        (
            "chart",
            np.int16,
            (MAX_DECORATIONS, 4),
        ),  # §13 points; §12 is it light, §3 on cable, §2 for two cards
        ("lines", np.int16, (MAX_LINES, KINDS + MAX_LINE)),  # §13 pattern lines: length, direction (of STEPS), points
        ("first_line", np.int16, MAX_DECORATIONS + 1),  # lines that begin with decoration i: from here to [i + 1]
        ("first_fit", np.int16, MAX_SHAPES + 1),  # the placements of shape i that fit: from first_fit[i] to [i + 1]
        ("cells", np.int8, (MAX_PLACEMENTS, MAX_LENGTH)),  # the squares along a placement; -1 behind the last
        ("shape_of", np.int8, MAX_PLACEMENTS),
        ("ground", np.int8, MAX_PLACEMENTS),  # §5, §8, §9 FITS, INSIDE_POWER, OFF_GROUND or ON_CHURCH
        ("light", np.int8, MAX_SHAPES),  # §15 1: light cable, 0: dashed
        ("units", np.int8, DECK + 1),  # §F for each card; the last one for no card
        ("next_square", np.int8, (MAX_SQUARES, 4)),  # §13 the next square in each direction; -1 over the edge
        ("tree_values", np.int8, MAX_TREES),  # §14 the highest first
        ("factor", np.int8, MAX_SQUARES),  # §14 what a single decoration here is multiplied by
    ]
)


def score_lines(file: BoxFile) -> tuple[str, ...]:
    """The names of the scoring lines, in the order of `rules.score`."""
    return ("decorations", "patterns", "cable")


@functools.lru_cache(maxsize=64)
def names(file: BoxFile, table: str) -> tuple[str, ...]:
    """The names of the shapes, decorations or patterns as moves write them."""
    return tuple(str(entry["name"]) for entry in file.get(table))


def build(file: BoxFile, options: Mapping[str, Value]) -> np.ndarray:
    """The box as kernels read it; a file that does not make sense is refused."""
    file.need_keys(["map", "trees", "tracks", "raise_funds", "shapes", "decorations", "patterns", "scoring"])
    boxes = np.zeros(1, BOX)
    box = boxes[0]
    _read_options(box, options)
    trees = _read_trees(file)
    town = _read_town(file, box, trees)
    _plant_trees(file, box, town, trees)
    _read_tracks(file, box)
    _read_funds(file, box)
    _read_shapes(file, box, town)
    _read_decorations(file, box, town)
    _read_patterns(file, box)
    _number_actions(file, box)
    return boxes


def add_square(words: np.ndarray, square: int) -> None:
    """Put a square into a set."""
    words[square // WORD] |= 1 << square % WORD


def squares_of(words: np.ndarray) -> list[int]:
    """The squares of a set, ascending."""
    return [square for square in range(MAX_SQUARES) if int(words[square // WORD]) >> square % WORD & 1]


# --- options and tracks ---------------------------------------------------------------------------------------


def _read_options(box: np.void, options: Mapping[str, Value]) -> None:
    seats, start, limit = (int(options[name]) for name in ("seats", "hand_start", "hand_limit"))
    first = str(options["first_player"])
    if first != "random" and int(first) >= seats:
        raise BadVariant(f"first_player cannot be {first!r}: with {seats} seats they are 0 to {seats - 1}")
    box["figures"][at.SEATS] = seats
    box["figures"][at.HAND_START] = start
    box["figures"][at.HAND_LIMIT] = limit
    box["figures"][at.FIRST_PLAYER] = -1 if first == "random" else int(first)
    box["figures"][at.TURNS] = -(-(DECK - start * seats) // seats) + seats
    box["figures"][at.SLOTS] = max(start, limit) + 2
    box["figures"][at.COUNT_TREES] = options["tree_mode"] == "count"
    box["figures"][at.DEAD_CABLE_SCORES] = options["unpowered_cable_scores"]
    box["figures"][at.OPEN_HANDS] = options["open_hands"]


def _read_tracks(file: BoxFile, box: np.void) -> None:
    file.need_keys(["limit", "start_money", "start_cable"], at=("tracks",))
    box["figures"][at.TRACK_LIMIT] = limit = file.need_int(1, MAX_TRACK, "tracks", "limit")
    box["figures"][at.START_MONEY] = file.need_int(0, limit, "tracks", "start_money")
    box["figures"][at.START_CABLE] = file.need_int(0, limit, "tracks", "start_cable")
    file.need_keys(["cable_points"], at=("scoring",))
    box["figures"][at.CABLE_POINTS] = file.need_int(0, 1000, "scoring", "cable_points")


def _read_funds(file: BoxFile, box: np.void) -> None:
    ranks = [rank for rank in RANKS if rank != "a"]
    file.need_keys(["none", "wild", "rank", "bonus"], at=("raise_funds",))
    file.need_keys(ranks, at=("raise_funds", "rank"))
    file.need_keys(SUITS, at=("raise_funds", "bonus"))
    half = MAX_UNITS // 2
    wild = file.need_int(0, MAX_UNITS, "raise_funds", "wild")
    rank_units = [file.need_int(0, half, "raise_funds", "rank", rank) for rank in ranks]
    bonus = [file.need_int(0, half, "raise_funds", "bonus", suit) for suit in SUITS]
    box["units"][DECK] = file.need_int(0, MAX_UNITS, "raise_funds", "none")
    for card in range(DECK):
        box["units"][card] = wild if WILD[card] else rank_units[rank_of(card)] + bonus[suit_of(card)]
    box["figures"][at.MOST_UNITS] = max(int(box["units"][DECK]), *map(int, box["units"]))


# --- the town -------------------------------------------------------------------------------------------------


def _read_trees(file: BoxFile) -> dict[str, int]:
    """What each tree letter multiplies by."""
    trees = file.get("trees")
    file.need_keys(list(trees) if isinstance(trees, dict) else [], at=("trees",))
    for letter in trees:
        if len(letter) != 1 or not letter.isalpha() or letter in SHOP + POWER + CHURCH + STREET + ENTRANCE:
            file.fail(f"a tree cannot be called {letter!r}: use one letter that no other ground has", "trees", letter)
    return {letter: file.need_int(1, 99, "trees", letter) for letter in trees}


def _read_town(file: BoxFile, box: np.void, trees: dict[str, int]) -> list[str]:
    """The rows of the map, and the tables that follow from their size."""
    file.need_keys(["rows"], at=("map",))
    rows: list[str] = file.need_list(1, MAX_SIDE, "map", "rows")
    known = SHOP + POWER + CHURCH + STREET + ENTRANCE + OPEN + "".join(trees)
    for i, row in enumerate(rows):
        if not isinstance(row, str) or not 1 <= len(row) <= MAX_SIDE or len(row) != len(rows[0]):
            file.fail(
                f"row {i} of the map must be a text as long as the first, 1 to {MAX_SIDE} squares", "map", "rows", i
            )
        for letter in row:
            if letter not in known:
                file.fail(f"{letter!r} in the map is none of {', '.join(known)}", "map", "rows", i)
    cols = len(rows[0])
    if len(rows) * cols > MAX_SQUARES:
        file.fail(f"the map has {len(rows) * cols} squares, more than {MAX_SQUARES}", "map", "rows")
    if not any(POWER in row for row in rows):
        file.fail("the map has no Power square 'P'", "map", "rows")
    box["figures"][at.ROWS] = len(rows)
    box["figures"][at.COLS] = cols
    box["figures"][at.SQUARES] = len(rows) * cols
    box["next_square"][:] = -1
    for square, mark in enumerate("".join(rows)):
        top, left = divmod(square, cols)
        for direction, (down, right) in enumerate(STEPS):
            if top + down < len(rows) and 0 <= left + right < cols:
                box["next_square"][square, direction] = square + down * cols + right
        if mark in (CHURCH, POWER):
            add_square(box["church" if mark == CHURCH else "power"], square)
    return rows


def _plant_trees(file: BoxFile, box: np.void, town: list[str], trees: dict[str, int]) -> None:
    """Which trees are near each square, and what that multiplies by."""
    cols = len(town[0])
    found = [(trees[mark], square) for square, mark in enumerate("".join(town)) if mark in trees]
    found.sort(reverse=True)
    if len(found) > MAX_TREES:
        file.fail(f"the map has {len(found)} trees, more than {MAX_TREES}", "map", "rows")
    box["factor"][: int(box["figures"][at.SQUARES])] = 1
    for number, (value, tree) in enumerate(found):
        box["tree_values"][number] = value
        for square in range(int(box["figures"][at.SQUARES])):
            if abs(square // cols - tree // cols) <= 1 and abs(square % cols - tree % cols) <= 1:
                box["near_trees"][square] |= 1 << number
    for square in range(int(box["figures"][at.SQUARES])):
        near = [value for i, (value, _) in enumerate(found) if int(box["near_trees"][square]) >> i & 1]
        box["factor"][square] = min(1 + len(near), 3) if box["figures"][at.COUNT_TREES] else max(near, default=1)


# --- cable ----------------------------------------------------------------------------------------------------


def _read_shapes(file: BoxFile, box: np.void, town: list[str]) -> None:
    """All placements of all shapes: those that fit the ground first, shape by shape."""
    count = len(file.need_list(1, MAX_SHAPES, "shapes"))
    fitting: list[tuple[int, int, tuple[int, ...]]] = []
    others: list[tuple[int, int, tuple[int, ...]]] = []
    for shape in range(count):
        cells = _read_shape(file, box, shape)
        box["first_fit"][shape] = len(fitting)
        for squares, ground in sorted(_placements(cells, town).items()):
            (fitting if ground == FITS else others).append((shape, ground, squares))
        if len(fitting) == int(box["first_fit"][shape]):
            name = file.get("shapes", shape, "name")
            file.fail(f"the shape {name!r} fits nowhere in the town", "shapes", shape, "cells")
    box["first_fit"][count] = len(fitting)
    if len(fitting) > MAX_FITS:
        file.fail(f"there are {len(fitting)} ways to lay a cable, more than {MAX_FITS}", "shapes")
    box["figures"][at.SHAPES] = count
    box["figures"][at.FITS] = len(fitting)
    box["figures"][at.PLACEMENTS] = len(fitting) + len(others)
    box["cells"][:] = -1
    for number, (shape, ground, squares) in enumerate(fitting + others):
        box["shape_of"][number], box["ground"][number] = shape, ground
        box["cells"][number, : len(squares)] = squares
        for i, square in enumerate(squares):
            add_square(box["cable_squares"][number, BODY], square)
            add_square(box["cable_squares"][number, INNER if 0 < i < len(squares) - 1 else ENDS], square)


def _read_shape(file: BoxFile, box: np.void, shape: int) -> list[tuple[int, int, str]]:
    path = ("shapes", shape)
    file.need_keys(["name", "suit", "band", "kind", "cells"], at=path)
    _need_name(file, "shapes", shape)
    suit = file.need_choice(SUITS, *path, "suit")
    band = file.need_choice(BANDS, *path, "band")
    box["light"][shape] = file.need_choice(("light", "dashed"), *path, "kind") == "light"
    box["buyers"][shape] = _cards(functools.partial(buys, suit, band))
    cells: list[tuple[int, int, str]] = []
    for i in range(len(file.need_list(2, MAX_LENGTH, *path, "cells"))):
        file.need_list(3, 3, *path, "cells", i)
        row, col = (file.need_int(-MAX_LENGTH, MAX_LENGTH, *path, "cells", i, j) for j in (0, 1))
        cells.append((row, col, file.need_choice(GROUNDS, *path, "cells", i, 2)))
        if (row, col) in [cell[:2] for cell in cells[:-1]]:
            file.fail("a cable does not come back to a square", *path, "cells", i)
        if i and (row - cells[i - 1][0], col - cells[i - 1][1]) not in FOUR:
            file.fail("a cable goes from a square to one beside it, above or below", *path, "cells", i)
    return cells


def _placements(cells: list[tuple[int, int, str]], town: list[str]) -> dict[tuple[int, ...], int]:
    """Every way to draw a shape, turned and mirrored, inside the town: its squares and what the ground says.

    The squares start at the end that comes first in the town. A shape whose two ends want different ground may lie on
    the same squares in two ways; one that fits is enough.
    """
    rows, cols = len(town), len(town[0])
    found: dict[tuple[int, ...], int] = {}
    for turned in _turns(cells):
        for top in range(rows):
            for left in range(cols):
                spots = [(top + row, left + col, ground) for row, col, ground in turned]
                if all(0 <= row < rows and 0 <= col < cols for row, col, _ in spots):
                    squares = tuple(row * cols + col for row, col, _ in spots)
                    squares = min(squares, squares[::-1])
                    found[squares] = min(_ground(spots, town), found.get(squares, ON_CHURCH))
    return found


def _turns(cells: list[tuple[int, int, str]]) -> list[tuple[tuple[int, int, str], ...]]:
    """The shape in all rotations and reflections, each moved to the corner, without repetition."""
    found: list[tuple[tuple[int, int, str], ...]] = []
    for _ in range(2):
        for _ in range(4):
            cells = [(col, -row, ground) for row, col, ground in cells]
            top, left = min(row for row, _, _ in cells), min(col for _, col, _ in cells)
            moved = tuple((row - top, col - left, ground) for row, col, ground in cells)
            if moved not in found:
                found.append(moved)
        cells = [(row, -col, ground) for row, col, ground in cells]
    return found


def _ground(spots: list[tuple[int, int, str]], town: list[str]) -> int:
    """§5, §8, §9 Whether every square has the ground it needs, and none but an end lies on Power."""
    if any(town[row][col] == CHURCH for row, col, _ in spots):
        return ON_CHURCH
    if not all(town[row][col] in GROUNDS[ground] for row, col, ground in spots):
        return OFF_GROUND
    return INSIDE_POWER if any(town[row][col] == POWER for row, col, _ in spots[1:-1]) else FITS


# --- decorations and patterns ---------------------------------------------------------------------------------


def _read_decorations(file: BoxFile, box: np.void, town: list[str]) -> None:
    count = len(file.need_list(1, MAX_DECORATIONS, "decorations"))
    box["figures"][at.DECORATIONS] = count
    letters: list[str] = []
    for i in range(count):
        path = ("decorations", i)
        file.need_keys(["name", "letter", "power", "where", "cost", "points"], at=path)
        _need_name(file, "decorations", i)
        letter = file.need_text(*path, "letter")
        if len(letter) != 1 or not letter.isalpha() or letter in letters:
            file.fail(f"{letter!r} must be a letter of its own", *path, "letter")
        letters.append(letter)
        box["chart"][i, ELECTRIC] = file.need_bool(*path, "power")
        box["chart"][i, POINTS] = file.need_int(0, 1000, *path, "points")
        _read_place(file, box, i, file.need_choice(PLACES, *path, "where"), town)
        cost = file.need_choice((*SINGLE_COSTS, *PAIR_COSTS), *path, "cost")
        box["chart"][i, NEEDS_PAIR] = cost in PAIR_COSTS
        if cost in SINGLE_COSTS:
            box["pays_alone"][i] = _cards(functools.partial(pays_single, cost))
        else:
            for card in range(DECK):
                box["pays"][i, card] = _partners(cost, card)


def _read_place(file: BoxFile, box: np.void, decoration: int, where: str, town: list[str]) -> None:
    trees = "".join(map(str, file.get("trees")))
    ground = {
        "cable": SHOP + POWER + STREET + ENTRANCE + OPEN,
        "tree": trees,
        "entrance": ENTRANCE,
        "street": STREET,
        "any": SHOP + POWER + STREET + ENTRANCE + OPEN + trees,
    }[where]
    squares = [square for square, mark in enumerate("".join(town)) if mark in ground]
    box["chart"][decoration, ON_CABLE] = where == "cable"
    lit = bool(box["light"][: int(box["figures"][at.SHAPES])].any())
    if not squares or (where == "cable" and not lit):
        lack = "light cable on the chart" if where == "cable" else f"{where} square on the map"
        file.fail(f"there is no {lack} for this decoration", "decorations", decoration, "where")
    for square in squares:
        add_square(box["places"][decoration], square)


def _partners(cost: str, card: int) -> int:
    """The higher cards that pay together with this one; the second joker only beside the first."""
    last = JOKER if card < JOKER else JOKER + 1
    return sum(1 << other for other in range(card + 1, last + 1) if pays_pair(cost, card, other))


def _cards(wanted: Callable[[int], bool]) -> int:
    """The set of the cards that are wanted; of two jokers the first."""
    return sum(1 << card for card in range(JOKER + 1) if wanted(card))


def _read_patterns(file: BoxFile, box: np.void) -> None:
    """The lines of all patterns, sorted by their first decoration."""
    letters = [str(entry["letter"]) for entry in file.get("decorations")]
    lines: list[tuple[list[int], int, int]] = []
    for i in range(len(file.need_list(0, MAX_LINES, "patterns"))):
        path = ("patterns", i)
        file.need_keys(["name", "lines", "directions", "points"], at=path)
        _need_name(file, "patterns", i)
        points = file.need_int(0, 1000, *path, "points")
        steps: list[int] = []
        for j in range(len(file.need_list(1, len(DIRECTIONS), *path, "directions"))):
            steps += DIRECTIONS[file.need_choice(DIRECTIONS, *path, "directions", j)]
        for j in range(len(file.need_list(1, MAX_LINES, *path, "lines"))):
            line = file.need_text(*path, "lines", j)
            if not 2 <= len(line) <= MAX_LINE:
                file.fail(f"a pattern line has 2 to {MAX_LINE} letters, not {line!r}", *path, "lines", j)
            for letter in line:
                if letter not in letters:
                    file.fail(f"no decoration has the letter {letter!r}", *path, "lines", j)
            lines += [([letters.index(letter) for letter in line], step, points) for step in sorted(set(steps))]
    if len(lines) > MAX_LINES:
        file.fail(f"the patterns can lie in {len(lines)} ways, more than {MAX_LINES}", "patterns")
    lines.sort()
    for number, (kinds, step, points) in enumerate(lines):
        box["lines"][number, KINDS : KINDS + len(kinds)] = kinds
        box["lines"][number, LENGTH], box["lines"][number, STEP], box["lines"][number, EXTRA] = len(kinds), step, points
    for kind in range(len(letters) + 1):
        box["first_line"][kind] = sum(line[0][0] < kind for line in lines)


def _need_name(file: BoxFile, table: str, number: int) -> None:
    name = file.need_text(table, number, "name")
    if not NAME.fullmatch(name):
        file.fail(f"{name!r} must be lower case, of letters, digits and hyphens", table, number, "name")
    if name in [file.get(table, before, "name") for before in range(number)]:
        file.fail(f"the name {name!r} stands twice", table, number, "name")


# --- actions --------------------------------------------------------------------------------------------------


def _number_actions(file: BoxFile, box: np.void) -> None:
    """Where each kind of action starts (see state.py), and that no seat can have more than there is room for."""
    slots, squares, fits = int(box["figures"][at.SLOTS]), int(box["figures"][at.SQUARES]), int(box["figures"][at.FITS])
    box["figures"][at.PASS_ACTION] = FIRST_RAISE + (slots + 1) * (int(box["figures"][at.MOST_UNITS]) + 1) ** 2
    box["figures"][at.FIRST_LAY] = int(box["figures"][at.PASS_ACTION]) + 1
    box["figures"][at.FIRST_MISFIT] = int(box["figures"][at.FIRST_LAY]) + slots * fits
    box["figures"][at.STOP_ACTION] = int(box["figures"][at.FIRST_MISFIT]) + int(box["figures"][at.PLACEMENTS]) - fits
    number, most = int(box["figures"][at.STOP_ACTION]) + 1, 1
    for decoration in range(int(box["figures"][at.DECORATIONS])):
        pair = bool(box["chart"][decoration, NEEDS_PAIR])
        box["first_hang"][decoration] = number
        number += squares * (slots * (slots - 1) // 2 if pair else slots)
        most += len(squares_of(box["places"][decoration])) * ((slots - 1) * (slots - 2) // 2 if pair else slots - 1)
    box["first_hang"][int(box["figures"][at.DECORATIONS])] = number
    box["figures"][at.FIRST_DISCARD] = number
    box["figures"][at.ACTIONS] = number + slots
    most = max(most, 1 + (slots - 1) * fits)
    if most > MAX_LEGAL:
        file.fail(f"a player could have {most} moves at once, more than {MAX_LEGAL}: use a smaller map", "map", "rows")
