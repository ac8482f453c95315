"""The shapes of strands, and every way in which each can be drawn on the map."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from lamplighter.engine.grid import FOUR
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import BANDS, SUITS, cards_that_meet
from lamplighter.games.switch_on.components.tables import (
    BODY,
    CHURCH,
    DOTS,
    FITS,
    INNER,
    INSIDE_POWER,
    MAX_FITS,
    MAX_LENGTH,
    MAX_SHAPES,
    OFF_GROUND,
    ON_CHURCH,
    POWER,
    add_square,
)
from lamplighter.games.switch_on.components.words import need_condition, need_name

if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    from lamplighter.engine.component_file import ComponentFile
    from lamplighter.games.switch_on.components.town import Town

Cell = tuple[int, int, str]  # rows down, columns right, terrain
Placement = tuple[int, frozenset[int]]  # what the ground says, and the squares with a dot


def dots_of(entry: dict[str, Any]) -> list[int]:
    """§8, §B3 Return which squares of a shape have a black dot; its two ends if the chart does not say."""
    return list(entry.get("dots", sorted({0, len(entry["cells"]) - 1})))


def links_of(entry: dict[str, Any]) -> list[tuple[int, int]]:
    """§B3 Return which squares of a shape the line joins: each with the one before it, or else with the first it touches.

    >>> links_of({"cells": [[0, 0, "H"], [0, 1, "H"], [0, 2, "H"], [1, 1, "H"]]})
    [(0, 1), (1, 2), (1, 3)]
    """
    cells = [(row, col) for row, col, _ in entry["cells"]]
    found = []
    for i in range(1, len(cells)):
        touched = [j for j in range(i) if (cells[i][0] - cells[j][0], cells[i][1] - cells[j][1]) in FOUR]
        found.append((i - 1 if i - 1 in touched else touched[0], i))
    return found


def is_reversible(entry: dict[str, Any]) -> bool:
    """Return whether a shape is the same strand when it is written from its other end."""
    last, dots = len(entry["cells"]) - 1, set(dots_of(entry))
    return links_of(entry) == list(itertools.pairwise(range(last + 1))) and dots == {last - dot for dot in dots}


def read_shapes(file: ComponentFile, box: np.void, town: Town) -> None:
    """All placements of all shapes: those that fit the ground first, shape by shape."""
    count = len(file.need_list(1, MAX_SHAPES, "shapes"))
    fitting: list[tuple[int, tuple[int, ...], Placement]] = []
    others: list[tuple[int, tuple[int, ...], Placement]] = []
    for shape in range(count):
        _read_shape(file, box, shape, town)
        box["first_fit"][shape] = len(fitting)
        for squares, placement in sorted(_placements(file.get("shapes", shape), town).items(), key=lambda one: one[0]):
            (fitting if placement[0] == FITS else others).append((shape, squares, placement))
    box["first_fit"][count] = len(fitting)
    if len(fitting) > MAX_FITS:
        file.fail(f"there are {len(fitting)} ways to draw a strand, more than {MAX_FITS}", "shapes")
    box["figures"][at.SHAPES] = count
    box["figures"][at.FITS] = len(fitting)
    box["figures"][at.PLACEMENTS] = len(fitting) + len(others)
    box["cells"][:] = -1
    for number, (shape, squares, (ground, dots)) in enumerate(fitting + others):
        box["shape_of"][number], box["ground"][number] = shape, ground
        box["cells"][number, : len(squares)] = squares
        for square in squares:
            add_square(box["cable_squares"][number, BODY], square)
            add_square(box["cable_squares"][number, DOTS if square in dots else INNER], square)


def _read_shape(file: ComponentFile, box: np.void, shape: int, town: Town) -> None:
    path = ("shapes", shape)
    bought = ["card"] if "card" in file.need_table(*path) else ["suit", "band"]
    file.need_keys(["name", *bought, "kind", "cells"], ["dots"], at=path)
    need_name(file, "shapes", shape)
    if bought == ["card"]:
        box["buyers"][shape] = need_condition(file, *path, "card")
    else:
        suit, band = file.need_choice(SUITS, *path, "suit"), file.need_choice(BANDS, *path, "band")
        box["buyers"][shape] = cards_that_meet(f"{suit} {band}")
    box["light"][shape] = file.need_choice(("light", "dashed"), *path, "kind") == "light"
    cells: list[tuple[int, int]] = []
    for i in range(len(file.need_list(1, MAX_LENGTH, *path, "cells"))):
        file.need_list(3, 3, *path, "cells", i)
        row, col = (file.need_int(-MAX_LENGTH, MAX_LENGTH, *path, "cells", i, j) for j in (0, 1))
        if not town.terrain(file.need_text(*path, "cells", i, 2)):
            file.need_choice(["H", "e", "*", *town.shops, *town.empty], *path, "cells", i, 2)
            file.fail("terrain is one of these letters, or several of them", *path, "cells", i, 2)
        if (row, col) in cells:
            file.fail("a strand does not come back to a square", *path, "cells", i)
        if i and not any((row - top, col - left) in FOUR for top, left in cells):
            file.fail("a strand goes on beside, above or below one of its squares", *path, "cells", i)
        cells.append((row, col))
    dots = file.need_list(0, len(cells), *path, "dots") if "dots" in file.get(*path) else []
    for i in range(len(dots)):
        if file.need_int(0, len(cells) - 1, *path, "dots", i) in dots[:i]:
            file.fail(f"square {dots[i]} has one dot only", *path, "dots", i)


def _placements(entry: dict[str, Any], town: Town) -> dict[tuple[int, ...], Placement]:
    """Return every way to draw a shape, turned and mirrored, inside the town: its squares and what the ground says.

    Two ways with the same squares and the same dots are one strand; of their names the first counts, and one of them that
    fits the ground is enough.
    """
    rows, cols = len(town.rows), len(town.rows[0])
    dots, reversible = dots_of(entry), is_reversible(entry)
    found: dict[tuple[frozenset[int], frozenset[int]], tuple[tuple[int, ...], int]] = {}
    for turned in _turns([(*cell,) for cell in entry["cells"]]):
        for top, left in itertools.product(range(rows), range(cols)):
            spots = [(top + row, left + col, terrain) for row, col, terrain in turned]
            if all(0 <= row < rows and 0 <= col < cols for row, col, _ in spots):
                squares = tuple(row * cols + col for row, col, _ in spots)
                dotted = frozenset(squares[dot] for dot in dots)
                name = min(squares, squares[::-1]) if reversible else squares
                ground = _ground(spots, dots, town)
                before = found.get((frozenset(squares), dotted), (name, ground))
                found[frozenset(squares), dotted] = (min(name, before[0]), min(ground, before[1]))
    return {name: (ground, dotted) for (_, dotted), (name, ground) in found.items()}


def _turns(cells: list[Cell]) -> list[tuple[Cell, ...]]:
    """Return the shape in all rotations and reflections, each moved to the corner, without repetition."""
    found: list[tuple[Cell, ...]] = []
    for _ in range(2):
        for _ in range(4):
            cells = [(col, -row, terrain) for row, col, terrain in cells]
            top, left = min(row for row, _, _ in cells), min(col for _, col, _ in cells)
            moved = tuple((row - top, col - left, terrain) for row, col, terrain in cells)
            if moved not in found:
                found.append(moved)
        cells = [(row, -col, terrain) for row, col, terrain in cells]
    return found


def _ground(spots: list[Cell], dots: list[int], town: Town) -> int:
    """§5, §8, §9 Return whether every square has the ground it needs, and none without a dot lies on Power."""
    if any(town.rows[row][col] == CHURCH for row, col, _ in spots):
        return ON_CHURCH
    if not all(town.rows[row][col] in town.terrain(terrain) for row, col, terrain in spots):
        return OFF_GROUND
    bare = [spot for i, spot in enumerate(spots) if i not in dots]
    return INSIDE_POWER if any(town.rows[row][col] == POWER for row, col, _ in bare) else FITS
