"""Moves, outcomes and positions of Greenways as text.

A move is `<tile> <row>,<col> <sides>`: `SC -1,0 S--S`. Rows grow downwards and columns to the right, from the start
tile at 0,0; sides are north, east, south, west of the tile as it is laid: `S` street, `G` greenway, `-` blank. An outcome is the
drawn tile, `SC`. A position is `round;dealing;sheet;…`, one sheet a seat:

    dealing the seat that tiles are dealt to, `-` for none
    sheet   draws,redraws,hand,aside,gone,tiles

`hand`, `aside` (while a useless hand is replaced) and `gone` (thrown away, where leftovers are) are tiles joined with
`+`; `tiles` are those laid, in their order, as `SC:-1:0:S--S` joined with `/`. What is empty is `-`.
"""

from __future__ import annotations

import functools
import itertools
import operator
import re
from typing import Any

import numpy as np

from lamplighter.engine.reading import parse_number
from lamplighter.engine.variant import State, Variant
from lamplighter.errors import BadNotation, suggest
from lamplighter.games.greenways.components import MAX_PICTURES, format_sides, tile_ids
from lamplighter.games.greenways.state import CELL_ROW, REFUSALS, START_CELL, STATE, Reason

REACH = START_CELL // CELL_ROW - 1  # rows and columns that a cell can be away from the start tile
_CELL = re.compile(r"([+-]?[0-9]{1,4}),([+-]?[0-9]{1,4})")
_TILE = re.compile(r"(\w+):(-?[0-9]{1,4}):(-?[0-9]{1,4}):([SG-]{4})")
NOTHING = "-"


# --- moves ----------------------------------------------------------------------------------------------------


def format_cell(cell: int) -> str:
    """Return a cell as row and column from the start tile."""
    return f"{cell // CELL_ROW - START_CELL // CELL_ROW},{cell % CELL_ROW - START_CELL % CELL_ROW}"


def split_action(variant: Variant, state: State, seat: int, action: int) -> tuple[int, int]:
    """Return cell and picture of an action; the cell is -1 where the number names no open cell."""
    pictures, far = int(variant.box["pictures"]), action - variant.action_count
    if far >= 0:
        return far // (MAX_PICTURES + 1), min(far % (MAX_PICTURES + 1), pictures - 1)
    index, picture = action // pictures, action % pictures
    if not 0 <= index < int(state["opened"][seat]):
        return -1, picture
    return int(variant.game.module("rules.board").open_cell(state, seat, index)), picture


def format_move(variant: Variant, state: State, seat: int, action: int) -> str:
    cell, picture = split_action(variant, state, seat, action)
    where = format_cell(cell) if cell >= 0 else "?,?"
    return f"{format_tile(variant, picture)} {where} {picture_sides(variant, picture)}"


def format_tile(variant: Variant, picture: int) -> str:
    """Return the id of the tile that a picture shows."""
    return tile_ids(variant.file)[int(variant.box["kind"][picture])]


def picture_sides(variant: Variant, picture: int) -> str:
    return format_sides(int(variant.box["sides"][picture]))


def parse_move(variant: Variant, state: State, seat: int, text: str) -> int:
    words = text.split(" ")
    if len(words) != 3:
        raise BadNotation("write the tile, the cell and the tile's sides, such as 'SC -1,0 S--S'")
    kind = _parse_tile(variant, words[0])
    where = _CELL.fullmatch(words[1])
    if where is None:
        raise BadNotation(f"{words[1]!r} is not a cell: write row and column from the start tile, such as '-1,0'")
    cell = _parse_cell(int(where[1]), int(where[2]))
    return action_for(variant, state, seat, cell, _parse_picture(variant, kind, words[2].upper()))


def action_for(variant: Variant, state: State, seat: int, cell: int, picture: int) -> int:
    """Return the number of an action, whether its cell is open or not."""
    board, rules = variant.game.module("rules.board"), variant.game.rules
    index, found = board.seek(state, seat, 0, int(state["first_open"][seat]), cell)
    if found == cell and index < int(state["opened"][seat]):
        return int(index) * int(variant.box["pictures"]) + picture
    return int(rules.far_action(variant.box, cell, picture))


def _parse_tile(variant: Variant, word: str) -> int:
    names = [name.lower() for name in tile_ids(variant.file)]
    if word.lower() not in names:
        raise BadNotation(f"there is no tile {word!r} in the pile: {suggest(word, tile_ids(variant.file))}")
    return names.index(word.lower())


def _parse_cell(row: int, col: int) -> int:
    if abs(row) > REACH or abs(col) > REACH:
        raise BadNotation(f"{row},{col} is too far away: no tile of a match can lie there")
    return START_CELL + row * CELL_ROW + col


@functools.lru_cache(maxsize=1024)
def _ways(variant: Variant, kind: int) -> dict[str, int]:
    """The pictures of a tile by their sides."""
    pictures = int(variant.box["kind_pictures"][kind])
    return {picture_sides(variant, i): i for i in range(MAX_PICTURES) if pictures >> i & 1}


def _parse_picture(variant: Variant, kind: int, sides: str) -> int:
    ways = _ways(variant, kind)
    if sides not in ways:
        known = ", ".join(ways)
        raise BadNotation(
            f"the tile {tile_ids(variant.file)[kind]} cannot have the sides {sides!r}: they can be {known}"
        )
    return ways[sides]


def move_fields(variant: Variant, state: State, seat: int, action: int) -> dict[str, Any]:
    """Return the named parts of a move, for programs that do not know our kernels."""
    cell, picture = split_action(variant, state, seat, action)
    row, col = (int(part) for part in format_cell(cell).split(","))
    box = variant.box
    return {
        "kind": "place",
        "tile": format_tile(variant, picture),
        "cell": format_cell(cell),
        "row": row,
        "column": col,
        "sides": picture_sides(variant, picture),
        "park": bool(box["gem"][1, picture]),
        "building": bool(box["building"][picture]),
        "intersection": bool(box["gem"][0, picture]),
    }


# --- outcomes -------------------------------------------------------------------------------------------------


def format_outcome(variant: Variant, state: State, outcome: int) -> str:
    return tile_ids(variant.file)[outcome]


def outcome_fields(variant: Variant, state: State, outcome: int) -> dict[str, Any]:
    seat = int(state["dealing"])
    tile = format_outcome(variant, state, outcome)
    return {"kind": "tile", "seat": seat, "tile": tile, "left": int(state["pile"][seat, outcome])}


def left_to_draw(variant: Variant, state: State, seat: int) -> dict[str, int]:
    """§2 Return how many tiles of each kind are in the seat's pile."""
    return {tile: int(state["pile"][seat, kind]) for kind, tile in enumerate(tile_ids(variant.file))}


# --- positions ------------------------------------------------------------------------------------------------


def format_position(variant: Variant, state: State) -> str:
    dealing = NOTHING if state["dealing"] < 0 else str(state["dealing"])
    sheets = [_format_sheet(variant, state, seat) for seat in range(variant.seats)]
    return ";".join([str(state["turn"]), dealing, *sheets])


def _format_sheet(variant: Variant, state: State, seat: int) -> str:
    ids, tiles = tile_ids(variant.file), []
    for tile in range(1, int(state["tiles"][seat])):
        picture = int(state["picture"][seat, tile])
        where = format_cell(int(state["cell"][seat, tile])).replace(",", ":")
        tiles.append(f"{format_tile(variant, picture)}:{where}:{picture_sides(variant, picture)}")
    gone = [ids[kind] for kind, count in enumerate(tiles_gone(variant, state, seat)) for _ in range(count)]
    hand, aside = ([ids[kind - 1] for kind in state[field][seat] if kind] for field in ("hand", "aside"))
    lists = ["+".join(words) or NOTHING for words in (hand, aside, gone)]
    return ",".join([str(state["drawn"][seat]), str(state["redraws"][seat]), *lists, "/".join(tiles) or NOTHING])


def tiles_gone(variant: Variant, state: State, seat: int) -> list[int]:
    """R6 Return how many tiles of each kind were thrown away."""
    gone = [int(variant.box["count"][kind] - state["pile"][seat, kind]) for kind in range(int(variant.box["kinds"]))]
    for kind in (*state["hand"][seat], *state["aside"][seat]):
        if kind:
            gone[kind - 1] -= 1
    for picture in state["picture"][seat, 1 : int(state["tiles"][seat])]:
        gone[int(variant.box["kind"][picture])] -= 1
    return gone


def parse_position(variant: Variant, text: str) -> State:
    """Return the state of a position text; one that no match could reach is refused."""
    parts = text.split(";")
    if len(parts) != 2 + variant.seats:
        raise BadNotation(f"it must have the round, the seat dealt to and {variant.seats} sheets, joined with ';'")
    turn, dealing = parts[:2]
    if parse_number(turn) is None or int(turn) > int(variant.box["tiles"]):
        raise BadNotation(f"{turn!r} is not the number of a round")
    if dealing != NOTHING and (parse_number(dealing) is None or int(dealing) >= variant.seats):
        raise BadNotation(f"{dealing!r} is not a seat that tiles can be dealt to")
    state = np.zeros(1, STATE)[0]
    variant.game.rules.setup(variant.box, state)
    for seat, sheet in enumerate(parts[2:]):
        _parse_sheet(variant, state, seat, sheet)
    _set_round(variant, state, int(turn), -1 if dealing == NOTHING else int(dealing))
    variant.game.rules.number_draw(variant.box, state)
    return state


def _parse_sheet(variant: Variant, state: State, seat: int, text: str) -> None:
    parts = text.split(",")
    if len(parts) != 6:
        raise BadNotation(f"the sheet {text!r} must have draws, redraws, hand, aside, gone and tiles")
    for number in parts[:2]:
        if parse_number(number) is None:
            raise BadNotation(f"{number!r} is not a number of draws")
    state["drawn"][seat], state["redraws"][seat] = int(parts[0]), int(parts[1])
    rules, box = variant.game.rules, variant.box
    _lay_tiles(variant, state, seat, parts[5])
    gone = _take_tiles(variant, state, seat, parts[4])
    most = (int(state["tiles"][seat]) - 1) * (int(box["hand"]) - 1)
    if gone and (not box["discard"] or len(gone) > most):
        raise BadNotation(f"seat {seat} cannot have thrown {len(gone)} tiles away")
    state["unused"][seat] -= len(gone)
    if box["discard"] and len(gone) < most and int(state["unused"][seat]) >= 2 * int(box["hand"]):
        raise BadNotation(f"seat {seat} cannot have thrown only {len(gone)} tiles away: {most} were not laid")
    if int(state["won"]) >> seat & 1 or not rules.can_go_on(box, state, seat):
        state["playing"] &= ~(1 << seat)
    for field, words in zip(("hand", "aside"), parts[2:4], strict=True):
        kinds = sorted(_take_tiles(variant, state, seat, words))
        if len(kinds) > int(box["hand"]):
            raise BadNotation(f"seat {seat} cannot have {len(kinds)} tiles in hand or aside")
        state[field][seat, : len(kinds)] = [kind + 1 for kind in kinds]
    state["held"][seat] = np.count_nonzero(state["hand"][seat])
    hand, held, hands = int(box["hand"]), int(state["held"][seat]), int(state["tiles"][seat]) - 1 + int(parts[1])
    drawn, most = int(parts[0]), hands * hand + held
    if not hands + held <= drawn <= most or (int(state["unused"][seat]) >= 2 * hand and drawn != most):
        raise BadNotation(f"seat {seat} cannot have drawn {drawn} tiles in {hands} hands and {held} tiles more")


def _lay_tiles(variant: Variant, state: State, seat: int, text: str) -> None:
    """Lay the tiles again in their order, each where it may lie."""
    rules, board, box = variant.game.rules, variant.game.module("rules.board"), variant.box
    for word in [] if text == NOTHING else text.split("/"):
        found = _TILE.fullmatch(word)
        if found is None:
            raise BadNotation(f"{word!r} is not a tile: write it as 'SC:-1:0:S--S'")
        if int(state["won"]) >> seat & 1:
            raise BadNotation(f"seat {seat} cannot lay {word!r}: it has reached the goal")
        kind, cell = _parse_tile(variant, found[1]), _parse_cell(int(found[2]), int(found[3]))
        picture = _parse_picture(variant, kind, found[4])
        if not board.is_open(state, seat, cell):
            raise BadNotation(f"seat {seat} cannot lay {word!r}: the cell is taken or touches no tile (§P1)")
        reason = Reason(rules.check_picture(box, state, seat, cell, picture))
        if reason != Reason.OK:
            raise BadNotation(f"seat {seat} cannot lay {word!r}: {' '.join(REFUSALS[reason])}")
        _take(variant, state, seat, kind)
        state["unused"][seat] -= 1
        rules.lay_tile(box, state, seat, board.open_index(state, seat, cell), picture)
        if rules.has_won(box, state, seat):
            state["won"] |= 1 << seat


def _take_tiles(variant: Variant, state: State, seat: int, text: str) -> list[int]:
    """Return the kinds of tiles joined with '+', taken out of the pile."""
    kinds = [] if text == NOTHING else [_parse_tile(variant, word) for word in text.split("+")]
    for kind in kinds:
        _take(variant, state, seat, kind)
    return kinds


def _take(variant: Variant, state: State, seat: int, kind: int) -> None:
    if state["pile"][seat, kind] == 0:
        raise BadNotation(f"seat {seat} has more tiles {tile_ids(variant.file)[kind]} than there are")
    state["pile"][seat, kind] -= 1


def _set_round(variant: Variant, state: State, turn: int, dealing: int) -> None:
    """R14 Who is dealt to and who waits; every seat must have laid and hold what that means."""
    playing = [seat for seat in range(variant.seats) if int(state["playing"]) >> seat & 1]
    laid = [int(state["tiles"][seat]) - 1 for seat in range(variant.seats)]
    pending = [seat for seat in playing if laid[seat] == turn - 1]
    if max(laid) > turn or any(laid[seat] < turn - 1 for seat in playing):
        raise BadNotation(f"in round {turn} nobody can have laid {max(laid)} tiles, or only {min(laid)}")
    if bool(playing) != bool(pending) or (not playing and max(laid) != turn):
        raise BadNotation(f"round {turn} is over")
    if dealing >= 0 and (dealing not in pending or turn in laid):
        raise BadNotation(f"seat {dealing} cannot be dealt to now")
    state["turn"], state["dealing"] = turn, dealing
    state["waiting"] = sum(1 << seat for seat in pending) if dealing < 0 else 0
    for seat in range(variant.seats):
        if seat == dealing:
            _check_drawing(variant, state, seat)
        elif seat in pending and (dealing < 0 or seat < dealing):
            _check_hand(variant, state, seat)
        elif state["held"][seat] or state["aside"][seat, 0]:
            raise BadNotation(f"seat {seat} can have no tiles in hand or aside now")


def _check_hand(variant: Variant, state: State, seat: int) -> None:
    """§2, §4 A hand to lay from: full, or all that were left beside a useless one that is back in the pile."""
    rules, box = variant.game.rules, variant.box
    held, hand = int(state["held"][seat]), int(box["hand"])
    useless_rest = not rules.can_go_on(box, state, seat)
    last = state["redraws"][seat] and held + hand == int(state["unused"][seat]) and useless_rest
    if held == 0 or state["aside"][seat, 0] or not (last or rules.is_full(box, state, seat)):
        raise BadNotation(f"seat {seat} must have a full hand, and nothing aside")
    if not usable(box, state, seat) & int(rules.hand_pictures(box, state, seat)):
        raise BadNotation(f"seat {seat} can use no tile of its hand, so that it must be aside")


def _check_drawing(variant: Variant, state: State, seat: int) -> None:
    """§2, §4 A hand that is being drawn, and perhaps a useless one aside."""
    rules, box = variant.game.rules, variant.box
    aside = [int(kind) - 1 for kind in state["aside"][seat] if kind]
    useful = any(usable(box, state, seat) & int(box["kind_pictures"][kind]) for kind in aside)
    if rules.is_full(box, state, seat):
        raise BadNotation(f"seat {seat} has a full hand: it cannot be dealt to")
    if aside and (useful or state["redraws"][seat] == 0 or len(aside) != int(box["hand"])):
        raise BadNotation(f"seat {seat} cannot have these tiles aside")


# --- the record, for people -----------------------------------------------------------------------------------


def usable(box: Any, state: State, seat: int) -> int:
    """Return the pictures that fit somewhere, as bits."""
    return functools.reduce(operator.or_, (int(box["fits"][around]) for around in open_cells(state, seat).values()))


def open_cells(state: State, seat: int) -> dict[int, int]:
    """Return the open cells in reading order, with their surroundings."""
    count = int(state["opened"][seat])
    cells = itertools.accumulate(state["gap"][seat, : count - 1].tolist(), initial=int(state["first_open"][seat]))
    return dict(zip(cells, state["around"][seat, :count].tolist(), strict=True))
