"""The figures of the rules booklet, drawn from positions of the usual box."""

from __future__ import annotations

import numpy as np

from lamplighter.engine.variant import State, Variant
from lamplighter.games.greenways.notation import parse_position
from lamplighter.games.greenways.picture.paper import draw_tile_table
from lamplighter.games.greenways.picture.symbols import mark_symbols, picture_table, symbol_name, tile_symbols
from lamplighter.games.greenways.picture.town import (
    EDGE,
    WIDTH,
    Cell,
    Plan,
    draw_ends,
    draw_tiles,
    draw_town,
    make_plan,
    place_tile,
    read_town,
)
from lamplighter.games.greenways.texts import LINES
from lamplighter.strokes import pencil_check, pencil_cross
from lamplighter.svg import Element, Picture, group, text, use

EARLY = "SC:1:0:S--S/SC:1:-1:SS--/X:-1:0:SGSG/P2:-1:-1:-G-G/SC:-2:0:--SS"
NO_PLACE = (0, -1)  # a greenway comes from the right, a street from below
ENDED = "SE:1:0:S---"  # a street with a dead end
CROSSED = "SE:1:0:S---/ST:-1:0:-SSS"  # and with an intersection
PARKS = "P2:0:1:-G-G"  # a park beside the start tile
HOUSES = "S2:-1:0:S-S-/B:-1:1:----"  # a building beside a street
SCORED = (  # §12 A and B: tiles, and the line that counts them; 5, 0, 3 and 0 points
    ("SE:-1:0:--S-/ST:1:0:SS-S/SE:1:-1:-S--/SE:1:1:---S", "A"),
    ("S2:-1:0:S-S-/S2:1:0:S-S-", "A"),
    ("GE:0:1:---G/P1:0:-1:-G--", "B"),
    ("G2:0:1:-G-G/GE:0:-1:-G--", "B"),
)
EXAMPLE = (  # §13
    "SC:1:0:S--S/SC:1:-1:SS--/X:-1:0:SGSG/P2:-1:-1:-G-G/SC:-2:0:--SS/XC:-1:-2:SGGS/ST:-2:-2:SSS-/"
    "SC:-3:-2:-SS-/X:0:-2:GSGS/GC:1:-2:G--G/SX:-3:-1:SSSS/B:-4:-2:----/P3:-1:1:G-GG/SE:-1:-3:-S--/"
    "G2:-2:1:G-G-/SC:0:-3:-SS-/SE:-3:0:---S/GC:0:1:G--G/S2:-4:-1:S-S-/B:-1:-4:----/B:-3:-3:----/"
    "P2:-3:1:G-G-/ST:-5:-1:-SSS/X:1:-3:SGSG/B:1:1:----/SE:-5:-2:-S--/GC:-4:1:-GG-/GC:1:-4:GG--/"
    "SC:-5:0:S--S/PC:0:-4:--GG/B:-4:0:----/ST:-6:0:-SSS/GC:0:-5:GG--/S2:-6:-1:-S-S/G2:-1:-5:G-G-/"
    "X:-6:1:GSGS/P1:-5:1:G---/GC:-2:-5:--GG/B:-3:-5:----/S2:-6:-2:-S-S/G2:-2:-6:-G-G"
)


def figures(variant: Variant) -> list[tuple[str, Picture]]:
    """Return the tiles; of the usual box also where they may lie, when a street may end, and what a board scores."""
    tiles, height = draw_tile_table(variant, 4)
    words = "The start tile, and the tiles of the pile with their numbers (§1)."
    found = [(words, Picture(WIDTH, height, tiles, tile_symbols(variant)))]
    if variant.own_box:
        return found
    usual = Variant(variant.game)
    return [*found, _where(usual), _apart(usual), _completed(usual), _scored(usual), _example(usual)]


def position(variant: Variant, tiles: str, hand: str = "-") -> State:
    """A position of one player by the tiles laid and the hand; without a hand one is about to be drawn."""
    laid = len(tiles.split("/"))
    held = 0 if hand == "-" else len(hand.split("+"))
    drawn = laid * int(variant.box["hand"]) + held
    return parse_position(variant, f"{laid + 1};{'-' if held else 0};{drawn},0,{hand},-,-,{tiles}")


def _where(variant: Variant) -> tuple[str, Picture]:
    """§5–§7 One greenway curve, and a way to lay it in every cell that takes it."""
    state = position(variant, EARLY, "GC+GC+GC")
    town = read_town(variant, state, 0)
    plan = _crop(range(town.rows[0] - 1, town.rows[-1] + 2), range(town.columns[0] - 1, town.columns[-1] + 2), 46, EDGE)
    hand = int(variant.game.rules.hand_pictures(variant.box, state, 0))
    ghosts = [
        _ghost(variant, plan, cell, f"GC {picture_table(variant)[_first_bit(fits & hand)][2]}")
        for cell, fits in town.openings.items()
        if fits & hand
    ]
    body = [draw_tiles(variant, town, plan), *draw_ends(variant, town, plan), *ghosts]
    body.append(pencil_cross(*plan.middle(*NO_PLACE), 9, "error"))
    words = (
        "A greenway curve, and where it may lie: it goes on from a greenway, and every side that touches a tile "
        "matches (§5–§7). It has no place at the cross, where a street comes up from below."
    )
    return words, Picture(plan.width, plan.bottom + EDGE, body, tile_symbols(variant))


def _apart(variant: Variant) -> tuple[str, Picture]:
    """§10 Parks and buildings keep apart."""
    parks, houses = _crop(range(2), range(-1, 3), 40, EDGE), _crop(range(-1, 1), range(-1, 3), 40, WIDTH // 2 + EDGE)
    body: list[Element] = []
    for tiles, plan in ((PARKS, parks), (HOUSES, houses)):
        town = read_town(variant, position(variant, tiles), 0)
        body.append(draw_tiles(variant, town, plan))
    for tile, plan, cell, allowed in (
        ("P1 ---G", parks, (0, 2), False),
        ("P1 -G--", parks, (0, -1), True),
        ("B ----", houses, (-1, 2), False),
        ("B ----", houses, (-1, -1), True),
    ):
        sign, look = (pencil_check, "green") if allowed else (pencil_cross, "error")
        body += [_ghost(variant, plan, cell, tile), sign(*plan.middle(*cell), 12, look)]
    words = (
        "Two parks may not lie side by side, and neither may two buildings: no at the cross, yes at the tick (§10). "
        "Tiles that touch only at a corner are not side by side."
    )
    return words, Picture(WIDTH, parks.bottom + EDGE, body, tile_symbols(variant))


def _scored(variant: Variant) -> tuple[str, Picture]:
    """§12 What A and B count, and what they do not."""
    body: list[Element] = []
    for i, (tiles, line) in enumerate(SCORED):
        plan = _crop(range(-1, 2), range(-1, 2), 27, EDGE + i * (WIDTH - EDGE) // len(SCORED))
        state = position(variant, tiles)
        town = read_town(variant, state, 0)
        points = np.zeros(len(variant.score_lines), np.int64)
        variant.game.rules.score(variant.box, state, 0, points)
        body.append(draw_tiles(variant, town, plan))
        x = plan.middle(0, 0)[0]
        body.append(text(x, plan.bottom + 16, f"{line}: {int(points['AB'.index(line)])} points", "t small bold"))
    words = (
        "A counts 5 tiles of a street with an intersection, and nothing where there is none. B counts 3 tiles of a "
        "greenway with a park, and nothing where there is none (§12)."
    )
    return words, Picture(WIDTH, plan.bottom + 24, body, tile_symbols(variant))


def _completed(variant: Variant) -> tuple[str, Picture]:
    """§8 The same dead end, refused and allowed."""
    body: list[Element] = []
    for tiles, ghost, cell, x in ((ENDED, "SE --S-", (-1, 0), EDGE), (CROSSED, "SE ---S", (-1, 1), WIDTH // 2 + EDGE)):
        plan = _crop(range(-1, 2), range(-1, 2), 52, x)
        town = read_town(variant, position(variant, tiles), 0)
        body += [draw_tiles(variant, town, plan), *draw_ends(variant, town, plan), _ghost(variant, plan, cell, ghost)]
        sign = pencil_cross if tiles == ENDED else pencil_check
        body.append(sign(*plan.middle(*cell), 16, "error" if tiles == ENDED else "green"))
    words = (
        "Left, a dead end would complete a street that has no intersection: it is refused (§8). Right, the street has "
        "one, so that it may end. Filled arrows mark what still needs an intersection or a park."
    )
    return words, Picture(WIDTH, plan.bottom + EDGE, body, tile_symbols(variant))


def _example(variant: Variant) -> tuple[str, Picture]:
    """§13 The board of 84 points."""
    laid = len(EXAMPLE.split("/"))
    state = parse_position(variant, f"{laid};-;{laid * int(variant.box['hand'])},0,-,-,-,{EXAMPLE}")
    town = read_town(variant, state, 0)
    plan = make_plan(town.rows, town.columns, ring=False)
    points = np.zeros(len(variant.score_lines), np.int64)
    total = variant.game.rules.score(variant.box, state, 0, points)
    count = ", ".join(f"{words} {value}" for words, value in zip(LINES.values(), points.tolist(), strict=True))
    words = f"The goal reached: {total} points (§11–§13): {count}. A leaf marks rows and columns with a greenway."
    symbols = tile_symbols(variant) | mark_symbols()
    return words, Picture(plan.width, plan.bottom + EDGE, draw_town(variant, town, plan), symbols)


def _crop(rows: range, columns: range, side: int, x: int) -> Plan:
    return Plan(rows, columns, side, x, EDGE, 2 * EDGE + len(columns) * side)


def _ghost(variant: Variant, plan: Plan, cell: Cell, tile: str) -> Element:
    """Draw a tile, by its id and its sides, that is not laid."""
    tile_id, sides = tile.split(" ")
    quarters = next(turn for name, turn, turned in picture_table(variant) if (name, turned) == (tile_id, sides))
    x, y, transform = place_tile(plan, cell, quarters)
    return group(use(symbol_name(tile_id), x, y, transform=transform), class_="soft")


def _first_bit(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
