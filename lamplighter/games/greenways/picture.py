"""A sheet of Greenways as a picture: the board, below it the hand, the goal, and what is left in the pile.

Without a state it is the score sheet to print; the game itself is played with tiles (`cutouts`).
"""

from __future__ import annotations

import numpy as np

from lamplighter.engine.variant import State, Variant
from lamplighter.games.greenways.components import tile_ids
from lamplighter.games.greenways.figures import figures
from lamplighter.games.greenways.notation import split_action, tiles_gone
from lamplighter.games.greenways.printed import cutouts, draw_score_sheet
from lamplighter.games.greenways.state import MAX_LEGAL
from lamplighter.games.greenways.symbols import TILE, mark_symbols, picture_table, symbol_name, tile_symbols
from lamplighter.games.greenways.town import (
    STEPS,
    WIDTH,
    Cell,
    Plan,
    Town,
    arrow,
    cell_name,
    cell_of,
    draw_town,
    lying,
    make_plan,
    quarters_of,
    read_town,
    town_cells,
)
from lamplighter.pen import pencil_check
from lamplighter.svg import Element, Picture, Target, group, number, path, rect, text, use

__all__ = ["cutouts", "draw", "figures", "score_cells", "targets"]

MARGIN = 10
HAND_STEP = 56  # from a tile in hand to the next
HAND_SCALE, PILE_SCALE, ASIDE_SCALE = 1.15, 0.62, 0.45
BESIDE = 3  # tiles in hand that leave room for the goal beside them
PILE_COLUMNS, PILE_ROW = 5, 30


def draw(variant: Variant, state: State | None, seat: int) -> Picture:
    """A seat's sheet, or the score sheet to print."""
    if state is None:
        return draw_score_sheet(variant)
    town = read_town(variant, state, seat)
    plan = make_plan(town.rows, town.columns, ring=town.playing)
    waits = bool(int(state["waiting"]) >> seat & 1)
    pictures = int(variant.game.rules.hand_pictures(variant.box, state, seat)) if waits else 0
    body = draw_town(variant, town, plan, pictures)
    y: float = plan.bottom + 14
    most = int(variant.box["hand"])
    body += _hand(variant, state, seat, town, y)
    if most <= BESIDE:
        body += _goal(variant, town, MARGIN + BESIDE * HAND_STEP + 14, y)
        y += 84
    else:
        body += _goal(variant, town, MARGIN, y + 84)
        y += 168
    below, y = _pile(variant, state, seat, y)
    body += below
    if town.playing:
        body += _legend(y)
        y += 22
    return Picture(plan.width, y, body, tile_symbols(variant) | mark_symbols(), town_cells(town, plan))


# --- below the board ------------------------------------------------------------------------------------------


def _hand(variant: Variant, state: State, seat: int, town: Town, y: float) -> list[Element]:
    """§2 The tiles in hand as they are printed; those that fit nowhere are pale."""
    kinds = [kind - 1 for kind in state["hand"][seat].tolist() if kind]
    if not kinds:
        return _no_hand(state, seat, town, y)
    ids, usable, full = tile_ids(variant.file), int(state["usable"][seat]), bool(int(state["waiting"]) >> seat & 1)
    side, drawn = TILE * HAND_SCALE, []
    for i, kind in enumerate(kinds):
        x = MARGIN + i * HAND_STEP + side / 2
        useless = full and not usable & int(variant.box["kind_pictures"][kind])
        parts = [
            _small(ids[kind], x, y + 3 + side / 2, HAND_SCALE),
            text(x, y + side + 19, ids[kind], "t small p" if useless else "t bold"),
        ]
        if useless:
            parts.append(text(x, y + side + 31, "no place", "t small p"))
            parts[0] = group(parts[0], class_="soft")
        elif full:
            parts.append(rect(x - side / 2 - 3, y, side + 6, side + 6, "may", 4))
        drawn.append(group(*parts, data_source=ids[kind]))
    return drawn


def _no_hand(state: State, seat: int, town: Town, y: float) -> list[Element]:
    if town.won:
        words, more = "The goal is reached!", f"with {int(state['tiles'][seat])} tiles"
    elif not town.playing:
        words, more = "The end.", "No tile that is left fits." if int(state["unused"][seat]) else "No tile is left."
    elif int(state["dealing"]) >= 0:
        words, more = "The next hand", "is being drawn."
    else:
        words, more = "Laid.", "The others still lay."
    return [text(MARGIN, y + 24, words, "ts bold"), text(MARGIN, y + 43, more, "ts")]


def _goal(variant: Variant, town: Town, x: float, y: float) -> list[Element]:
    """§11 A box for each row and each column that is there or needed, with a leaf where there is a greenway."""
    drawn: list[Element] = []
    lines = (("rows", town.rows, town.green_rows), ("columns", town.columns, town.green_columns))
    for i, (name, line, green) in enumerate(lines):
        need, top = int(variant.box[name]), y + 40 * i
        boxes = max(need, len(line))
        step = min(20.0, (WIDTH - MARGIN - x) / boxes)
        there = f"{len(line)} {name if len(line) > 1 else name[:-1]}"
        drawn.append(text(x, top + 12, f"{there}, {len(green)} green; goal {need}", "ts small"))
        if len(line) >= need and len(green) == len(line):
            drawn.append(pencil_check(WIDTH - MARGIN - 8, top + 8, 6, "green"))
        reached, open_ = "", ""
        for n in range(boxes):
            square = f"M{number(x + n * step + 1)} {number(top + 18)}h{number(step - 2)}v15h{number(2 - step)}z"
            reached, open_ = (reached + square, open_) if n < len(line) else (reached, open_ + square)
            if n < len(line) and line[n] in green:
                middle = x + (n + 0.5) * step
                leaf = use("leaf", middle, top + 25.5) if step >= 13 else rect(middle - 1, top + 20, 2, 11, "f-green")
                drawn.append(leaf)
        drawn += [path(d, style) for d, style in ((reached, "ink thin"), (open_, "print thin gap")) if d]
    return drawn


def _pile(variant: Variant, state: State, seat: int, y: float) -> tuple[list[Element], float]:
    """§12 How many tiles of each kind are left to draw from; and where the next thing can be drawn."""
    pile, ids = state["pile"][seat].tolist(), tile_ids(variant.file)
    left = int(state["unused"][seat])
    words = f"{sum(pile)} to draw from" + (f", {left} left in all" if left != sum(pile) else "")
    gone = sum(tiles_gone(variant, state, seat)) if variant.box["discard"] else 0
    words += f", {gone} gone" if gone else ""
    drawn = [
        path(f"M{MARGIN} {number(y)}H{WIDTH - MARGIN}", "faint thin"),
        text(MARGIN, y + 18, "pile", "ts bold"),
        text(MARGIN + 34, y + 18, words, "ts small"),
    ]
    aside = [kind - 1 for kind in state["aside"][seat].tolist() if kind]
    for i, kind in enumerate(aside):
        x: float = WIDTH - MARGIN - 10 - (len(aside) - 1 - i) * 22
        drawn.append(_small(ids[kind], x, y + 13, ASIDE_SCALE))
    if aside:
        drawn.append(text(WIDTH - MARGIN - 6 - 22 * len(aside), y + 18, "aside", "te small"))
    step, half = (WIDTH - 2 * MARGIN) / PILE_COLUMNS, TILE * PILE_SCALE / 2
    for kind, count in enumerate(pile[: len(ids)]):
        x, top = MARGIN + kind % PILE_COLUMNS * step, y + 28 + kind // PILE_COLUMNS * PILE_ROW
        shown = _small(ids[kind], x + half, top + half, PILE_SCALE)
        drawn += [
            shown if count else group(shown, class_="soft"),
            text(x + 2 * half + 5, top + 11, ids[kind], "ts small p"),
        ]
        drawn.append(text(x + 2 * half + 5, top + 24, f"× {count}", "ts bold" if count else "ts p"))
    return drawn, y + 34 + -(-len(ids) // PILE_COLUMNS) * PILE_ROW


def _small(tile_id: str, x: float, y: float, scale: float) -> Element:
    """A tile beside the board."""
    return use(symbol_name(tile_id), 0, 0, transform=f"translate({number(x)} {number(y)}) scale({scale})")


def _legend(y: float) -> list[Element]:
    return [
        path(arrow(MARGIN + 2, y + 8, 1, 0, 1), "ink thin"),
        text(MARGIN + 16, y + 12, "open end", "ts small p"),
        path(arrow(MARGIN + 74, y + 8, 1, 0, 1) + "Z", "f-error"),
        text(MARGIN + 88, y + 12, "it still needs an intersection or a park", "ts small p"),
    ]


# --- for the player -------------------------------------------------------------------------------------------


def targets(variant: Variant, state: State, seat: int) -> list[Target]:
    """Every legal move of a seat: a tile of the hand, the cell, and its sides as it lies."""
    out = np.zeros(MAX_LEGAL, np.int64)
    n = variant.game.rules.legal_actions(variant.box, state, seat, out)
    rows, columns = (
        range(int(state[low][seat]), int(state[high][seat]) + 1) for low, high in (("top", "bottom"), ("left", "right"))
    )
    plan, table = make_plan(rows, columns), picture_table(variant)
    return [_target(plan, table, *split_action(variant, state, seat, action)) for action in out[:n].tolist()]


def _target(plan: Plan, table: list[tuple[str, int, str]], code: int, picture: int) -> Target:
    cell, (tile_id, quarters, sides) = cell_of(code), table[picture]
    x, y, transform = lying(plan, cell, quarters_of(quarters, sides, cell))
    name = cell_name(cell)
    return Target(f"{tile_id} {name} {sides}", tile_id, name, sides, symbol_name(tile_id), x, y, transform)


def flip(lie: str) -> str:
    """How a tile lies when it is mirrored left to right; its sides are named clockwise from the north.

    >>> flip("SG--")
    'S--G'
    """
    return lie[0] + lie[3] + lie[2] + lie[1]


def score_cells(variant: Variant, state: State, seat: int) -> dict[str, list[str]]:
    """§12 The tiles behind every scoring line; those left in the pile lie nowhere."""
    town, gem = read_town(variant, state, seat), variant.box["gem"]
    streets = [cell for cell, label in town.labels[0].items() if town.gems[0][label]]
    if not variant.box["intersections_count"]:  # R9
        streets = [cell for cell in streets if not gem[0, town.tiles[cell]]]
    greenways = [cell for cell, label in town.labels[1].items() if town.gems[1][label]]
    parks = [cell for cell, picture in town.tiles.items() if gem[1, picture]]
    longest = _longest_way(variant, state, seat, town) if variant.box["longest_path"] else _longest_greenway(town)
    found = {"streets": streets, "greenways": greenways, "parks": parks, "longest": longest, "unused": []}
    return {name: [cell_name(cell) for cell in cells] for name, cells in found.items()}


def _longest_greenway(town: Town) -> list[Cell]:
    """§12 D: of equally long ones that which began first."""
    greenways: dict[int, list[Cell]] = {}
    for cell, label in town.labels[1].items():
        greenways.setdefault(label, []).append(cell)
    return max(greenways.values(), key=len, default=[])


def _longest_way(variant: Variant, state: State, seat: int, town: Town) -> list[Cell]:
    """R10 The tiles of a longest way, in its order: one from the first tile where such a way can begin."""
    ways, box = variant.game.module("ways"), variant.box
    length = int(ways.longest_path(box, state, seat))
    for tile, start in enumerate(town.tiles):
        if start in town.labels[1] and int(ways.path_from(box, state, seat, tile)) == length:
            return _way_from(variant, town, [start], length)
    return []


def _way_from(variant: Variant, town: Town, way: list[Cell], length: int) -> list[Cell]:
    """A way of this length that goes on from `way` and visits no tile twice; empty if there is none."""
    if len(way) == length:
        return way
    row, column = way[-1]
    sides = picture_table(variant)[town.tiles[row, column]][2]
    for (dy, dx), letter in zip(STEPS, sides, strict=True):
        cell = row + dy, column + dx
        if letter == "G" and cell in town.tiles and cell not in way:
            found = _way_from(variant, town, [*way, cell], length)
            if found:
                return found
    return []
