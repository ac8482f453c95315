"""A sheet of Greenways as a picture: the board, below it the hand, the goal, and what is left in the pile.

Without a state it is the score sheet to print; the game itself is played with tiles (`cutouts`).
"""

from __future__ import annotations

from lamplighter.engine.variant import State, Variant
from lamplighter.games.greenways.components import tile_ids
from lamplighter.games.greenways.notation import tiles_gone
from lamplighter.games.greenways.picture.paper import draw_score_sheet
from lamplighter.games.greenways.picture.symbols import TILE, mark_symbols, symbol_name, tile_symbols
from lamplighter.games.greenways.picture.town import (
    WIDTH,
    Town,
    arrow,
    draw_town,
    make_plan,
    read_town,
    town_cells,
)
from lamplighter.strokes import pencil_check
from lamplighter.svg import Element, Picture, element, group, number, path, rect, text, use

MARGIN = 10
CLOSER = "spacingAndGlyphs"  # so that words keep clear of what is beside them, in any font and language
HAND_STEP = 56  # from a tile in hand to the next
HAND_SCALE, PILE_SCALE, ASIDE_SCALE = 1.15, 0.62, 0.45
BESIDE = 3  # tiles in hand that leave room for the goal beside them
PILE_COLUMNS, PILE_ROW = 5, 30


def draw(variant: Variant, state: State | None, seat: int) -> Picture:
    """Draw a seat's sheet, or the score sheet to print."""
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


def _hand(variant: Variant, state: State, seat: int, town: Town, y: float) -> list[Element]:
    """§2 Draw the tiles in hand as they are printed; those that fit nowhere are pale."""
    kinds = [kind - 1 for kind in state["hand"][seat].tolist() if kind]
    if not kinds:
        return _no_hand(state, seat, town, y)
    ids, full = tile_ids(variant.file), bool(int(state["waiting"]) >> seat & 1)
    side, drawn = TILE * HAND_SCALE, []
    for i, kind in enumerate(kinds):
        x = MARGIN + i * HAND_STEP + side / 2
        pictures = int(variant.box["kind_pictures"][kind])
        useless = full and not any(fitting & pictures for fitting in town.openings.values())
        parts = [_name(variant, kind), _small(ids[kind], x, y + 3 + side / 2, HAND_SCALE)]
        if useless:
            parts[1] = group(parts[1], class_="soft")
            said = element(
                "text", "no place", x=x, y=y + side + 19, class_="t small p", textLength=side + 6, lengthAdjust=CLOSER
            )
            parts.append(said)
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
        drawn.append(text(x, top + 12, f"{name} {len(line)}/{need}, green {len(green)}", "ts small"))
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
        text(MARGIN + 44, y + 18, words, "ts small"),
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
        many = text(x + 2 * half + 6, top + half + 4.5, f"× {count}", "ts bold" if count else "ts p")
        drawn.append(group(_name(variant, kind), shown if count else group(shown, class_="soft"), many))
    return drawn, y + 34 + -(-len(ids) // PILE_COLUMNS) * PILE_ROW


def _name(variant: Variant, kind: int) -> Element:
    """Return what a tile is called, for who points at it."""
    return element("title", str(variant.file.get("tiles")[kind]["name"]))


def _small(tile_id: str, x: float, y: float, scale: float) -> Element:
    """Draw a tile beside the board."""
    return use(symbol_name(tile_id), 0, 0, transform=f"translate({number(x)} {number(y)}) scale({scale})")


def _legend(y: float) -> list[Element]:
    return [
        path(arrow(MARGIN + 2, y + 8, 1, 0, 1), "ink thin"),
        text(MARGIN + 16, y + 12, "open end", "ts small p"),
        path(arrow(MARGIN + 88, y + 8, 1, 0, 1) + "Z", "f-error"),
        text(MARGIN + 102, y + 12, "needs an intersection or a park", "ts small p"),
    ]
