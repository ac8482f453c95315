"""The sheet of Last Minute Christmas as a picture: the tree, six ornaments, tracks and boxes, and the dice.

Without a state it is the blank sheet to print.
"""

from __future__ import annotations

import numpy as np

from lamplighter.engine.grid import format_cell
from lamplighter.engine.variant import State, Variant
from lamplighter.games.last_minute.components import FACES, ornament_names
from lamplighter.games.last_minute.notation import format_square, ornament_on, split_action
from lamplighter.games.last_minute.state import MAX_LEGAL
from lamplighter.pen import box, die, pencil_circle, pencil_cross, star_path
from lamplighter.svg import Element, Picture, Target, circle, group, number, path, rect, text, use

WIDTH = 360
SIDE = 44  # a square of the tree
TOP = 46  # room for the dice and the star above the tree
ROW = 27  # a track


# --- the six ornaments, each around its own middle, differing in outline ------------------------------------------


def _bauble() -> list[Element]:
    return [
        circle(0, 2, 12, "f-error tint"), circle(0, 2, 12, "ink"), rect(-3, -15, 6, 5, "ink", 1),
        path("M-7 -1q2 -5 7 -6", "ink thin"), path("M-11 5q11 6 22 0", "ink thin"),
    ]  # fmt: skip


def _candy_cane() -> list[Element]:
    hook = "M-5 15V-5a7 7 0 0 1 14 0v2"
    return [
        path(hook, "ink wide"),
        path(hook, "paper fat"),
        path("M-8 12l6 -4M-8 4l6 -4M-8 -4l7 -3M0 -14l2 7M7 -8l5 -3", "error"),
    ]


def _star() -> list[Element]:
    shape = star_path(0, 1, 15, 6.5)
    return [path(shape, "f-lamp"), path(shape, "ink")]


def _bow() -> list[Element]:
    loops = "M0 -1C-6 -12 -16 -11 -15 -1C-15 7 -6 6 0 -1C6 -12 16 -11 15 -1C15 7 6 6 0 -1Z"
    return [
        path(loops, "f-green tint"),
        path(loops, "ink"),
        path("M-2 2L-8 15M2 2L8 15", "ink"),
        circle(0, -1, 3.5, "f-ink"),
    ]


def _bell() -> list[Element]:
    shape = "M-12 9C-8 5 -9 -13 0 -13C9 -13 8 5 12 9Z"
    return [
        path(shape, "f-power tint"),
        path(shape, "ink"),
        circle(0, 12.5, 3, "f-ink"),
        path("M-3 -13a3 3 0 0 1 6 0", "ink"),
    ]


def _light() -> list[Element]:
    bulb = "M-4 -5C-9 3 -5 11 0 13C5 11 9 3 4 -5Z"
    rays = "M-13 0h-3M13 0h3M-10 10l-3 2M10 10l3 2M0 15.5v1"
    return [path(bulb, "f-lamp soft"), path(bulb, "ink"), rect(-4, -13, 8, 8, "ink", 1), path(rays, "lamp")]


ORNAMENTS = (_bauble, _candy_cane, _star, _bow, _bell, _light)


def symbols() -> dict[str, list[Element]]:
    """What `<use>` may show: the ornaments of faces 1 to 6."""
    return {f"o{face}": drawn() for face, drawn in enumerate(ORNAMENTS, 1)}


# --- the sheet ------------------------------------------------------------------------------------------------


def draw(variant: Variant, state: State | None, seat: int) -> Picture:
    """A seat's sheet, or the blank one."""
    rows = int(variant.box["rows"])
    foot = TOP + rows * SIDE + 34
    body = [*_tree(variant, state, seat), *_tracks(variant, state, seat, foot), *_boxes(variant, state, seat, foot)]
    if state is not None:
        body += _table(variant, state, seat)
    turns = int(variant.box["turns"])
    height = foot + FACES * ROW + 46 + 34 * -(-turns // 8) + 8
    return Picture(WIDTH, height, body, symbols(), _cells(variant))


def _corner(variant: Variant, row: int, col: int) -> tuple[float, float]:
    """The upper left corner of a square."""
    return (WIDTH - int(variant.box["cols"]) * SIDE) / 2 + col * SIDE, TOP + row * SIDE


def _cells(variant: Variant) -> dict[str, tuple[float, float, float, float]]:
    found: dict[str, tuple[float, float, float, float]] = {}
    for square in range(int(variant.box["squares"])):
        row, col = int(variant.box["row"][square]), int(variant.box["col"][square])
        found[format_cell(row, col)] = (*_corner(variant, row, col), SIDE, SIDE)
    return found


def _tree(variant: Variant, state: State | None, seat: int) -> list[Element]:
    drawn = [_boughs(variant)]
    for square in range(int(variant.box["squares"])):
        row, col = int(variant.box["row"][square]), int(variant.box["col"][square])
        x, y = _corner(variant, row, col)
        drawn.append(rect(x + 2, y + 2, SIDE - 4, SIDE - 4, "f-paper", 9))
        drawn.append(rect(x + 2, y + 2, SIDE - 4, SIDE - 4, "print thin", 9))
        ornament = -1 if state is None else ornament_on(state, seat, square)
        x, y = x + SIDE / 2, y + SIDE / 2
        icon = int(variant.box["icons"]) >> square & 1
        if ornament >= 0 and icon:  # a little aside, so that both can be seen
            drawn.append(text(x - 11, y - 9, "±1", "t small"))
            drawn.append(_small(f"o{ornament + 1}", x + 3, y + 3, 0.86))
        elif ornament >= 0:
            drawn.append(use(f"o{ornament + 1}", x, y))
        elif icon:
            drawn += [circle(x, y, 13, "power thin"), text(x, y + 4, "±1")]
    return drawn


def _small(symbol: str, x: float, y: float, scale: float) -> Element:
    return use(symbol, 0, 0, transform=f"translate({number(x)} {number(y)}) scale({number(scale)})")


def _boughs(variant: Variant) -> Element:
    """The tree behind the squares: a bough for every row, a trunk, and a star on top."""
    parts: list[Element] = []
    rows = int(variant.box["rows"])
    for row in reversed(range(rows)):
        cols = [col for col in range(int(variant.box["cols"])) if variant.box["square_at"][row, col] >= 0]
        if cols:
            left, top = _corner(variant, row, cols[0])
            right = _corner(variant, row, cols[-1] + 1)[0]
            middle = (left + right) / 2
            low, slope, peak = number(top + SIDE + 3), number(top + 20), number(top - 10)
            d = f"M{number(left - 12)} {low}Q{number(left + 4)} {slope} {number(middle - 8)} {peak}"
            d += f"L{number(middle + 8)} {peak}Q{number(right - 4)} {slope} {number(right + 12)} {low}"
            waves = max(2, len(cols))
            step = (right - left + 24) / waves
            d += "".join(f"q{number(-step / 2)} 10 {number(-step)} 0" for _ in range(waves)) + "Z"
            parts.append(path(d, "f-green tint"))
            parts.append(path(d, "green thin soft"))
    bottom = TOP + rows * SIDE
    trunk = f"M{WIDTH / 2 - 12:g} {bottom + 5}l-2 18h28l-2 -18"
    parts += [path(f"{trunk}z", "f-warm tint"), path(trunk, "warm")]
    tip = next(col for col in range(int(variant.box["cols"])) if variant.box["square_at"][0, col] >= 0)
    x, y = _corner(variant, 0, tip)
    parts.append(path(star_path(x + SIDE / 2, y - 10, 13, 5.5), "f-lamp"))
    parts.append(path(star_path(x + SIDE / 2, y - 10, 13, 5.5), "ink thin"))
    return group(*parts)


def _tracks(variant: Variant, state: State | None, seat: int, top: float) -> list[Element]:
    """A track for every ornament: circles from the low end, crosses from the high end."""
    drawn: list[Element] = []
    names = ornament_names(variant.file)
    longest = int(variant.box["track_length"].max())
    step = min(34.0, (WIDTH - 132) / longest)
    for ornament in range(FACES):
        y = top + ornament * ROW + ROW / 2
        drawn += [
            _small(f"o{ornament + 1}", 20, y, 0.62),
            text(38, y + 4.5, f"{ornament + 1} {names[ornament]}", "ts small"),
        ]
        length = int(variant.box["track_length"][ornament])
        circled = 0 if state is None else int(state["circled"][seat, ornament])
        crossed = 0 if state is None else int(state["crossed"][seat, ornament])
        for i in range(length):
            x = 128 + i * step + step / 2
            value = str(variant.box["tracks"][ornament, i])
            drawn.append(box(x - step / 2 + 2, y - 11, step - 4, 22, value, "t small" if i < circled else "t small p"))
            if i < circled:
                drawn.append(pencil_circle(x, y, 11))
            elif i >= length - crossed:
                drawn.append(pencil_cross(x, y, 8, "error"))
    return drawn


def _boxes(variant: Variant, state: State | None, seat: int, top: float) -> list[Element]:
    """The power boxes and the boxes of the turns."""
    y = top + FACES * ROW + 8
    drawn = [text(14, y + 17, "±1 boxes", "ts small")]
    boxes = int(variant.box["power_boxes"])
    gained = 0 if state is None else min(boxes, int(variant.game.rules.icons_covered(variant.box, state, seat)))
    powers = 0 if state is None else int(state["powers"][seat])
    step = min(34.0, (WIDTH - 132) / max(1, boxes))
    for i in range(boxes):
        x = 128 + i * step + step / 2
        drawn.append(box(x - step / 2 + 2, y + 1, step - 4, 24, "±1"))
        if i < gained:
            drawn.append(pencil_circle(x, y + 13, 11, "power"))
        if i < gained - powers:
            drawn.append(pencil_cross(x, y + 13, 8, "ink"))
    y += 36
    for turn in range(int(variant.box["turns"])):
        x, row = 14 + turn % 8 * 41.5, y + turn // 8 * 34
        points = 0 if state is None else int(state["turn_points"][seat, turn])
        drawn.append(box(x, row, 37, 28))
        drawn.append(text(x + 3, row + 10, str(turn + 1), "ts small p"))
        if points:
            drawn.append(text(x + 21, row + 20, str(points), "t bold"))
    return drawn


def _table(variant: Variant, state: State, seat: int) -> list[Element]:
    """The dice, with a dotted ring around those that the seat may use; the die that was taken; the turn in words."""
    faces = {split_action(variant, action)[0] + 1 for action in _legal(variant, state, seat)}
    drawn: list[Element] = []
    for i, face in enumerate(state["dice"].tolist()):
        if face:
            x = 10 + i * 42
            ring = [rect(x - 3, 5, 38, 38, "may", 9)] if face in faces else []
            drawn.append(group(die(x, 8, 32, face), *ring, data_source=str(face)))
    if state["taken"]:
        drawn += [
            group(die(WIDTH - 42, 8, 32, int(state["taken"])), class_="soft"),
            pencil_cross(WIDTH - 26, 24, 12, "error"),
        ]
    turn, turns = int(state["turn"]), int(variant.box["turns"])
    words = "before the first turn" if not turn else f"turn {turn} of {turns}" if turn <= turns else "the end"
    drawn.append(text(WIDTH - 52, 21, words, "te small"))
    if faces:
        drawn.append(text(WIDTH - 52, 36, "use a die" if state["taken"] else "take a die", "te small bold"))
    return drawn


# --- for the player -------------------------------------------------------------------------------------------


def target(variant: Variant, state: State, seat: int, action: int) -> Target:
    """Where a move is made: the die and ornament are taken, the square is the place."""
    face, ornament, square = split_action(variant, action)
    x, y = _corner(variant, int(variant.box["row"][square]), int(variant.box["col"][square]))
    source = f"{face + 1} {ornament_names(variant.file)[ornament]}"
    cell = format_square(variant, square)
    return Target(f"{source} {cell}", source, cell, "", f"o{ornament + 1}", x + SIDE / 2, y + SIDE / 2)


def _legal(variant: Variant, state: State, seat: int) -> list[int]:
    out = np.zeros(MAX_LEGAL, np.int64)
    n = variant.game.rules.legal_actions(variant.box, state, seat, out)
    return [int(action) for action in out[:n].tolist()]


def targets(variant: Variant, state: State, seat: int) -> list[Target]:
    """Every legal move of a seat, with its place."""
    return [target(variant, state, seat, action) for action in _legal(variant, state, seat)]


def score_cells(variant: Variant, state: State, seat: int) -> dict[str, list[str]]:
    """The squares behind every scoring line."""
    squares = range(int(variant.box["squares"]))
    held = {square: ornament_on(state, seat, square) for square in squares}
    icons = [
        format_square(variant, square)
        for square in squares
        if int(variant.box["icons"]) >> square & 1 and held[square] >= 0
    ]
    found = {"turns": [format_square(variant, square) for square in squares if held[square] >= 0]}
    for ornament, name in enumerate(ornament_names(variant.file)):
        found[name] = [format_square(variant, square) for square in squares if held[square] == ornament]
    return found | {"powers": icons, "icons": icons}
