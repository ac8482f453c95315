"""Moves, outcomes and positions of Last Minute Christmas as text.

A move is `<face> <ornament> <square>`: `3 star c3`. An outcome is a face, `4`, or the lot, `first 1`.
A position is `turn;first;dice;sheet;…`, one sheet a seat:

    dice    the faces on the table, then `!` and the face taken: `346`, `46!3`, `-` for none
    first   the seat that began, `-` before the lot is drawn
    sheet   tree,circles,crosses,powers,rescues,turn points

`tree` goes row by row over its squares: a face for an ornament, `x` and a digit for that many empty ones (`x9x3` for
twelve), `/` between rows. `circles` and `crosses` have one hexadecimal digit an ornament; turn points one digit a turn
drawn. A position is refused if counting shows that no match reaches it.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lamplighter.engine.grid import format_cell, parse_cell
from lamplighter.engine.reading import parse_number
from lamplighter.engine.variant import State, Variant
from lamplighter.errors import BadNotation, suggest
from lamplighter.games.last_minute.components import FACES, bit_of, ornament_names, squares_in
from lamplighter.games.last_minute.state import DICE, STATE

_DICE = re.compile(r"([1-6]{0,3})(?:!([1-6]))?")


# --- moves ----------------------------------------------------------------------------------------------------


def split_action(variant: Variant, action: int) -> tuple[int, int, int]:
    """Return face, ornament and square of an action, all from 0."""
    squares = int(variant.box["squares"])
    return action // (FACES * squares), action // squares % FACES, action % squares


def format_square(variant: Variant, square: int) -> str:
    return format_cell(int(variant.box["row"][square]), int(variant.box["col"][square]))


def format_move(variant: Variant, state: State, seat: int, action: int) -> str:
    face, ornament, square = split_action(variant, action)
    return f"{face + 1} {ornament_names(variant.file)[ornament]} {format_square(variant, square)}"


def parse_move(variant: Variant, state: State, seat: int, text: str) -> int:
    words = text.split(" ")
    if len(words) != 3:
        raise BadNotation("write the die's face, the ornament and the square, such as '3 star c3'")
    if words[0] not in tuple("123456"):
        raise BadNotation(f"{words[0]!r} is not the face of a die: 1 to 6")
    names = ornament_names(variant.file)
    if words[1] not in names:
        raise BadNotation(f"there is no ornament {words[1]!r}: {suggest(words[1], names)}")
    row, col = parse_cell(words[2], int(variant.box["rows"]), int(variant.box["cols"]))
    square = int(variant.box["square_at"][row, col])
    if square < 0:
        raise BadNotation(f"{words[2]!r} lies beside the tree")
    return ((int(words[0]) - 1) * FACES + names.index(words[1])) * int(variant.box["squares"]) + square


def move_fields(variant: Variant, state: State, seat: int, action: int) -> dict[str, Any]:
    """Return the named parts of a move, for programs that do not know our kernels."""
    rules = variant.game.rules
    face, ornament, square = split_action(variant, action)
    rescue = bool(rules.needs_rescue(variant.box, state, seat))
    after = np.zeros(1, STATE)
    after[0] = state
    rules.draw_ornament(variant.box, after[0], seat, ornament, square)
    circled = int(state["circled"][seat, ornament])
    closed = int(rules.free(variant.box, state, seat, ornament)) == 0
    return {
        "kind": "draw",
        "role": "active" if state["taken"] == 0 else "passive",
        "face": str(face + 1),
        "ornament": ornament_names(variant.file)[ornament],
        "cell": format_square(variant, square),
        "row": int(variant.box["row"][square]),
        "column": int(variant.box["col"][square]),
        "powers_paid": 0 if rescue else int(variant.box["cost"][face, ornament]),
        "rescue": rescue,
        "circled": None if closed else int(variant.box["tracks"][ornament, circled]),
        "icon": bool(int(variant.box["icons"]) >> square & 1),
        "turn_points": int(after[0]["turn_points"][seat, int(state["turn"]) - 1]),
    }


# --- outcomes -------------------------------------------------------------------------------------------------


def format_outcome(variant: Variant, state: State, outcome: int) -> str:
    return f"first {outcome}" if state["first"] < 0 else str(outcome + 1)


def outcome_fields(variant: Variant, state: State, outcome: int) -> dict[str, Any]:
    if state["first"] < 0:
        return {"kind": "first player", "first_player": outcome}
    return {"kind": "die", "die": int(state["rolled"]), "face": str(outcome + 1)}


# --- positions ------------------------------------------------------------------------------------------------


def format_position(variant: Variant, state: State) -> str:
    dice = "".join(str(face) for face in state["dice"] if face) + (f"!{state['taken']}" if state["taken"] else "")
    first = "-" if state["first"] < 0 else str(state["first"])
    sheets = [_format_sheet(variant, state, seat) for seat in range(variant.seats)]
    return ";".join([str(state["turn"]), first, dice or "-", *sheets])


def _format_sheet(variant: Variant, state: State, seat: int) -> str:
    rows = []
    for row in range(int(variant.box["rows"])):
        text, empty = "", 0
        for square in _row_squares(variant, row):
            ornament = ornament_on(state, seat, square)
            if ornament < 0:
                empty += 1
            else:
                text, empty = f"{text}{_run(empty)}{ornament + 1}", 0
        rows.append(text + _run(empty))
    points = "".join(str(points) for points in state["turn_points"][seat] if points)
    tracks = ["".join(f"{n:x}" for n in state[field][seat]) for field in ("circled", "crossed")]
    return ",".join(["/".join(rows), *tracks, str(state["powers"][seat]), str(state["rescues"][seat]), points or "-"])


def _run(empty: int) -> str:
    """Return so many empty squares as text.

    >>> _run(3), _run(12)
    ('x3', 'x9x3')
    """
    return "x9" * (empty // 9) + (f"x{empty % 9}" if empty % 9 else "")


def _row_squares(variant: Variant, row: int) -> list[int]:
    return [int(square) for square in variant.box["square_at"][row] if square >= 0]


def ornament_on(state: State, seat: int, square: int) -> int:
    """Return the ornament on a square, from 0; -1 if it is empty."""
    for ornament in range(FACES):
        if int(state["ornaments"][seat, ornament]) >> square & 1:
            return ornament
    return -1


def parse_position(variant: Variant, text: str) -> State:
    """Return the state of a position text; one that no match could reach by counting alone is refused."""
    parts = text.split(";")
    if len(parts) != 3 + variant.seats:
        raise BadNotation(f"it must have turn, first, dice and {variant.seats} sheets, joined with ';'")
    state = np.zeros(1, STATE)[0]
    turn, first, dice = parts[:3]
    found = _DICE.fullmatch("" if dice == "-" else dice)
    if parse_number(turn) is None or int(turn) > int(variant.box["turns"]) + 1:
        raise BadNotation(f"{turn!r} is not a turn from 0 to {int(variant.box['turns']) + 1}")
    if first != "-" and (parse_number(first) is None or int(first) >= variant.seats):
        raise BadNotation(f"{first!r} is not a seat that can begin")
    if (first == "-") != (turn == "0"):
        raise BadNotation("turn 0 and an unknown first seat go together")
    if found is None or (found[2] and len(found[1]) != DICE - 1):
        raise BadNotation(f"{dice!r} is not a roll: write the faces, such as '346', or '46!3' once the 3 is taken")
    state["turn"], state["first"] = int(turn), -1 if first == "-" else int(first)
    for i, face in enumerate(found[1]):
        state["dice"][i] = int(face)
    state["taken"] = int(found[2] or 0)
    state["rolled"] = DICE if found[2] else len(found[1])
    state["draws"] = 4 * int(turn) + int(state["rolled"])
    for seat, sheet in enumerate(parts[3:]):
        _parse_sheet(variant, state, seat, sheet)
    _check_turn(variant, state)
    for seat in range(variant.seats):
        _check_marks(variant, state, seat)
        _check_drawings(variant, state, seat)
    return state


def _check_turn(variant: Variant, state: State) -> None:
    """§2–§4, §16 Refuse dice, or seats that have drawn, which the turn cannot have."""
    turn, fixed = int(state["turn"]), int(variant.box["first_player"])
    if fixed >= 0 and int(state["first"]) != fixed:
        raise BadNotation(f"seat {fixed} begins in this variant (§16)")
    if state["rolled"] and not 1 <= turn <= int(variant.box["turns"]):
        raise BadNotation(f"in turn {turn} there are no dice: turns with dice are 1 to {variant.box['turns']} (§2)")
    active = variant.game.rules.active_seat(variant.box, state)
    if state["taken"] and not int(state["acted"]) >> active & 1:
        raise BadNotation(f"a die is taken, but seat {active}, whose turn it is, has not drawn")
    if state["acted"] and not state["taken"]:
        raise BadNotation("somebody has drawn in this turn, but no die is taken")
    if int(state["acted"]) == (1 << variant.seats) - 1:
        raise BadNotation(f"everybody has drawn, so this is turn {turn + 1}")


def _check_marks(variant: Variant, state: State, seat: int) -> None:
    """§5, §7, §9 Refuse circles, crosses and rescues that do not add up."""
    free = [int(variant.game.rules.free(variant.box, state, seat, ornament)) for ornament in range(FACES)]
    drawn = [len(squares_in(int(state["ornaments"][seat, ornament]))) for ornament in range(FACES)]
    uncircled = sum(drawn) - int(state["circled"][seat].sum())
    if uncircled and any(free):
        raise BadNotation(f"seat {seat} lacks {uncircled} circles: each ornament has one while a track has room (§7)")
    rescues = int(state["rescues"][seat])
    if rescues < uncircled or rescues > sum(drawn) or (rescues and all(free)):
        raise BadNotation(f"seat {seat} cannot have {rescues} rescues: they need a closed track (§9)")
    turn, first = int(state["turn"]), int(state["first"])
    crossings = sum((first + n) % variant.seats != seat for n in range(turn if state["taken"] else turn - 1))
    crossed = int(state["crossed"][seat].sum())
    if crossed > crossings or (crossed < crossings and all(free)):
        raise BadNotation(f"seat {seat} has {crossed} crosses after {crossings} turns of others (§5)")


def _check_drawings(variant: Variant, state: State, seat: int) -> None:
    """§10, §11 Refuse a tree whose ornaments do not connect, or turn points that they cannot have brought."""
    near, connects = ([int(squares) for squares in variant.box[field]] for field in ("near", "connects"))
    decorated = int(state["decorated"][seat])
    held = {square: ornament_on(state, seat, square) for square in squares_in(decorated)}
    pairs = sum(held[one] != held[two] for one in held for two in held if one < two and near[one] >> two & 1)
    points = state["turn_points"][seat, : len(held)].tolist()
    if sum(points) != len(held) + pairs or any(value > 1 + n for n, value in enumerate(points)):
        raise BadNotation(f"seat {seat} cannot have these turn points: its tree is worth {len(held) + pairs} (§10)")
    growing, left = 0, set(held)
    while left:
        part, todo = set(), [left.pop()]
        while todo:
            part.add(square := todo.pop())
            todo += (beside := {other for other in left if connects[square] >> other & 1})
            left -= beside
        growing += any(connects[square] & ~decorated for square in part)
    if growing > 1:
        raise BadNotation(f"seat {seat} has ornaments that do not connect (§11)")


def _parse_sheet(variant: Variant, state: State, seat: int, text: str) -> None:
    parts = text.split(",")
    if len(parts) != 6:
        raise BadNotation(f"the sheet {text!r} must have tree, circles, crosses, powers, rescues and turn points")
    _parse_tree(variant, state, seat, parts[0])
    for field, digits in zip(("circled", "crossed"), parts[1:3], strict=True):
        if not re.fullmatch(f"[0-9a-f]{{{FACES}}}", digits):
            raise BadNotation(f"{digits!r} must be {FACES} digits, one an ornament")
        state[field][seat] = [int(digit, 16) for digit in digits]
    for ornament in range(FACES):
        drawn = len(squares_in(int(state["ornaments"][seat, ornament])))
        if int(state["circled"][seat, ornament]) > drawn:
            raise BadNotation(f"seat {seat} has more circles on track {ornament + 1} than such ornaments on the tree")
        if variant.game.rules.free(variant.box, state, seat, ornament) < 0:
            raise BadNotation(f"seat {seat} has more circles and crosses on track {ornament + 1} than it has squares")
    gained = min(int(variant.game.rules.icons_covered(variant.box, state, seat)), int(variant.box["power_boxes"]))
    for field, number, most in (("powers", parts[3], gained), ("rescues", parts[4], int(state["turn"]))):
        if parse_number(number) is None or int(number) > most:
            raise BadNotation(f"seat {seat} cannot have {number!r} {field}: at most {most}")
        state[field][seat] = int(number)
    points = "" if parts[5] == "-" else parts[5]
    drawn = len(squares_in(int(state["decorated"][seat])))
    if not re.fullmatch("[1-9]*", points) or len(points) != drawn or drawn not in (int(state["turn"]), _before(state)):
        raise BadNotation(f"seat {seat} has {drawn} ornaments and {len(points)} turn points in turn {state['turn']}")
    state["turn_points"][seat, :drawn] = [int(digit) for digit in points]
    if drawn and drawn == int(state["turn"]):
        state["acted"] |= 1 << seat


def _before(state: State) -> int:
    return max(int(state["turn"]) - 1, 0)


def _parse_tree(variant: Variant, state: State, seat: int, text: str) -> None:
    rows = text.split("/")
    if len(rows) != int(variant.box["rows"]):
        raise BadNotation(f"the tree {text!r} must have {variant.box['rows']} rows")
    for row, marks in enumerate(rows):
        squares = _row_squares(variant, row)
        at = 0
        for ornament, empty in re.findall(r"([1-6])|x([0-9])|.", marks):
            if ornament and at < len(squares):
                square = squares[at]
                state["ornaments"][seat, int(ornament) - 1] |= bit_of(square)
                state["decorated"][seat] |= bit_of(square)
                state["reach"][seat] |= int(variant.box["connects"][square])
            at += int(empty) if empty else 1
        if at != len(squares) or not re.fullmatch(r"(?:[1-6]|x[0-9])*", marks):
            raise BadNotation(f"row {row} of the tree, {marks!r}, must describe {len(squares)} squares")
