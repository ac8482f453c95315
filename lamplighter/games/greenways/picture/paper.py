"""Greenways on paper: the score sheet and the tiles to cut out."""

from __future__ import annotations

from lamplighter.engine.variant import Variant
from lamplighter.games.greenways.picture.symbols import TILE, draw_tile, ground, symbol_name, tile_symbols
from lamplighter.games.greenways.picture.town import WIDTH
from lamplighter.svg import Element, Picture, Pieces, group, number, paragraph, path, rect, text, use

TILE_SIZE = 25.0  # mm, of a tile to cut out
EDGE = 10
GAMES = 3  # columns of the score sheet
COLUMN, ROW = 42, 38
KIND_ROW, KIND_SCALE = 36, 0.72
NAME = 22  # letters in a line


# --- the score sheet ------------------------------------------------------------------------------------------


def draw_score_sheet(variant: Variant) -> Picture:
    """Draw lines A to E for a few games, the goal, and a table of the tiles."""
    score, y = _score_table(variant, 8)
    goal, y = _goal(variant, y + 16)
    tiles, y = draw_tile_table(variant, y + 14)
    return Picture(WIDTH, y + 4, [*score, *goal, *tiles], tile_symbols(variant))


def score_words(variant: Variant) -> list[tuple[str, str, str]]:
    """§12 Of every line its letter, what counts, and how much."""
    box = variant.box
    street, greenway, park, along, unused = box["points"].tolist()
    but = "" if box["intersections_count"] else " but intersections"  # R9
    longest = "Longest way in a greenway" if box["longest_path"] else "Longest greenway"  # R10
    return [
        ("A", "Streets with an intersection", f"{street} for each tile{but}"),
        ("B", "Greenways with a park", f"{greenway} for each tile, parks too"),
        ("C", "Parks", f"{park} for each"),
        ("D", longest, f"{along} for each tile, park or not"),
        ("E", "Tiles left in the pile", f"{unused} for each"),
    ]


def _score_table(variant: Variant, y: float) -> tuple[list[Element], float]:
    left = WIDTH - EDGE - GAMES * COLUMN
    lines = score_words(variant)
    drawn = [text(left + (i + 0.5) * COLUMN, y + 10, f"game {i + 1}", "t small p") for i in range(GAMES)]
    top = y + 16
    bottom = top + (len(lines) + 1) * ROW
    for i, (letter, words, points) in enumerate(lines):
        foot = top + i * ROW
        drawn += [
            text(EDGE + 8, foot + 25, letter, "t big bold"),
            text(EDGE + 24, foot + 17, words, "ts"),
            text(EDGE + 24, foot + 31, points, "ts small p"),
        ]
    drawn.append(text(EDGE + 24, bottom - 14, "Total", "ts bold"))
    d = "".join(f"M{EDGE} {number(top + i * ROW)}H{WIDTH - EDGE}" for i in range(len(lines) + 2))
    d += "".join(f"M{left + i * COLUMN} {number(top)}V{number(bottom)}" for i in range(GAMES + 1))
    drawn.append(path(d, "print thin"))
    drawn.append(rect(left, bottom - ROW, GAMES * COLUMN, ROW, "ink", 3))
    return drawn, bottom


def _goal(variant: Variant, y: float) -> tuple[list[Element], float]:
    rows, columns = int(variant.box["rows"]), int(variant.box["columns"])
    left = WIDTH - EDGE - GAMES * COLUMN
    drawn = [
        text(EDGE, y + 10, "Goal", "ts bold"),
        text(EDGE, y + 26, f"{rows} rows and {columns} columns or more,", "ts small"),
        text(EDGE, y + 40, "a greenway in every one. Reached?", "ts small"),
    ]
    drawn += [rect(left + (i + 0.5) * COLUMN - 11, y + 12, 22, 22, "print thin", 4) for i in range(GAMES)]
    return drawn, y + 44


def draw_tile_table(variant: Variant, y: float) -> tuple[list[Element], float]:
    """Draw every kind of tile with its name and number, the start tile first, in two columns."""
    tiles = [variant.file.get("start"), *variant.file.get("tiles")]
    words = f"the start tile and {int(variant.box['tiles'])} in the pile"
    drawn = [text(EDGE, y + 10, "Tiles", "ts bold"), text(EDGE + 46, y + 10, words, "ts small p")]
    half, rows = TILE * KIND_SCALE / 2, -(-len(tiles) // 2)
    for i, tile in enumerate(tiles):
        x, top = EDGE + i // rows * (WIDTH / 2 - 2), y + 18 + i % rows * KIND_ROW
        place = f"translate({number(x + half)} {number(top + half)}) scale({KIND_SCALE})"
        drawn.append(use(symbol_name(str(tile["id"])), 0, 0, transform=place))
        drawn.append(text(x + 2 * half + 6, top + 9, f"× {tile.get('count', 1)}", "ts small bold"))
        drawn.append(paragraph(x + 2 * half + 6, top + 20, str(tile["name"]), NAME, 2, "ts small p"))
    return drawn, y + 20 + rows * KIND_ROW


# --- pieces ---------------------------------------------------------------------------------------------------


def cutouts(variant: Variant) -> list[Pieces]:
    """Return every tile as often as it is needed: a set for each seat (R14). The start tile comes first and bears an S."""
    start, kinds = variant.file.get("start"), []
    for tile in (start, *variant.file.get("tiles")):
        parts = draw_tile(str(tile["sides"]), bool(tile.get("park")), bool(tile.get("building")), tile is start)
        body = [group(*ground(cutting=True), *parts, transform=f"translate({TILE / 2:g} {TILE / 2:g})")]
        kinds.append((Picture(TILE, TILE, body), variant.seats * int(tile.get("count", 1))))
    each = "" if variant.seats == 1 else ", for each player"
    words = f"the start tile, with an S, and {int(variant.box['tiles'])} tiles for the pile{each}"
    return [Pieces(words, TILE_SIZE, TILE_SIZE, kinds)]
