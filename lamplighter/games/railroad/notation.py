"""Moves, outcomes and positions of Railroad as text.

A move names the route, the space and the sides it reaches: `highway-curve c3 ne`, `station-t-rail b1 ns/w` (highway sides,
railway sides), `rail-double-curve d4 ne+sw`, `overpass e2 ns` (its highway). `special:` and `copy:` stand before special
routes and copies. The five characters of the published games are read too: `A5C31`, die and face, space, orientation.
Others: `lamps row c`, `lamps column 3`, `skip`, `done`; `up from g1s to d1` (from an exit), `up from d1 to b1` (from an
electrified space), `up charge e3`, `question c4`, `question charge`.

An outcome is the code of a face, `B2`, a face of a Power Grid die, `up`, or a goal, `goal a`. In files of rolls a round may be
one text: `A0A3A5B1`.

A position is `round;goals;dice;sheet;…`, one sheet a seat:

    goals   three letters, `-` for none
    dice    the faces rolled, joined with `.`, then `!` in the Power Grid step; `-` for none
    sheet   board,dice left,specials used,limit,marks,charges,goals reached

`board` goes row by row, `/` between rows: a digit for that many empty spaces, or a route, its sides n e s w as `h`, `r` or
`-`, then `*` for a station; `x`, `a`, `b` for two segments of one type (ns+ew, ne+sw, nw+es); `o` for a lamp, `i` for a lit
one; `!` for electricity. `dice left` and `specials used` are numbers from 0. `limit` is how many special routes count
against the limits of match and round, `2.1`. `marks` are `d` for done, `l` for lamps to be chosen, `x` for an extra special
route, `f` for each copy. `goals reached` are the rounds, `0.3.0`.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from lamplighter.engine.grid import format_cell, parse_cell
from lamplighter.engine.reading import parse_number
from lamplighter.engine.variant import State, Variant
from lamplighter.errors import BadNotation, suggest
from lamplighter.games.railroad.components.board import behind
from lamplighter.games.railroad.components.catalogue import (
    COPY,
    LAMP,
    ORIENTATIONS,
    RESULT,
    SIDES,
    SPECIAL,
    SPLITS,
    Catalogue,
    catalogue_of,
    entries_by_text,
    picture_sides,
)  # fmt: skip
from lamplighter.games.railroad.components.rolls import parse_rolls as parse_rolls
from lamplighter.games.railroad.components.tables import (
    ARROWS,
    GOAL_LETTERS,
    GOALS,
    MARKS,
    MAX_DICE,
    POWER_FACES,
)
from lamplighter.games.railroad.state import STATE

PLACEMENT = re.compile(r"(copy:)?([a-z][0-9])([a-z][0-9])([0-7])")
EXIT = re.compile(r"([a-z][0-9])([nesw])")
_PICTURE = re.compile(r"([hr-]{4})(\*?)([xab]?)([oi]?)(!?)")
_MARKS = re.compile(r"d?l?(x{0,9})(f{0,99})")


def place(variant: Variant, space: int) -> tuple[int, int]:
    """Return the row and the column of a space."""
    return divmod(space, int(variant.box["columns"]))


def format_space(variant: Variant, space: int) -> str:
    return format_cell(*place(variant, space))


def parse_space(variant: Variant, text: str) -> int:
    rows, columns = int(variant.box["rows"]), int(variant.box["columns"])
    row, column = parse_cell(text, rows, columns)
    return row * columns + column


# --- moves ----------------------------------------------------------------------------------------------------


def format_move(variant: Variant, state: State, seat: int, action: int) -> str:
    box = variant.box
    if action < int(box["lamp_action"]):
        found = catalogue_of(variant)
        entry = found.entries[action // int(box["spaces"])]
        prefix = f"{entry.source}:" if entry.source in (SPECIAL, COPY) else ""
        return f"{prefix}{found.routes[entry.route].name} {format_space(variant, action % int(box['spaces']))} {entry.sides}"
    if action < int(box["skip_action"]):
        line, rows = action - int(box["lamp_action"]), int(box["rows"])
        return f"lamps row {chr(ord('a') + line)}" if line < rows else f"lamps column {line - rows}"
    if action < int(box["done_action"]):
        return "skip"
    if action == int(box["done_action"]):
        return "done"
    return _format_power(variant, action - int(box["done_action"]) - 1)


def _format_power(variant: Variant, move: int) -> str:
    if move < int(variant.box["arrow_moves"]):
        direction = int(variant.box["arrow_way"][move])
        first = last = int(variant.box["arrow_first"][move])
        for _ in range(int(variant.box["arrow_count"][move]) - 1):
            last = behind(variant.box, last, direction)
        back = (direction + 2) % 4
        start = behind(variant.box, first, back)
        origin = format_space(variant, start) if start >= 0 else format_space(variant, first) + SIDES[back].lower()
        return f"{ARROWS[direction]} from {origin} to {format_space(variant, last)}"
    move -= int(variant.box["arrow_moves"])
    if move < 4:
        return f"{ARROWS[move]} charge {_charging_space(variant, move)}"
    return (
        "question charge" if move == 4 + int(variant.box["spaces"]) else f"question {format_space(variant, move - 4)}"
    )


def _charging_space(variant: Variant, direction: int) -> str:
    """Return where an arrow must start to step onto the accumulator."""
    return format_space(variant, behind(variant.box, int(variant.box["accumulator"]), (direction + 2) % 4))


def parse_move(variant: Variant, state: State, seat: int, text: str) -> int:
    box, words = variant.box, text.split(" ")
    done = int(box["done_action"])
    if text == "done":
        return done
    if text == "skip":
        if int(box["skip_action"]) == done:
            raise BadNotation("this variant has nothing to skip")
        return int(box["skip_action"])
    if words[0] == "lamps":
        return _parse_lamps(variant, words[1:])
    if words[0] in POWER_FACES:
        if not box["power"]:
            raise BadNotation("this variant is played without the Power Grid")
        return done + 1 + _parse_power(variant, words[0], words[1:])
    if found := PLACEMENT.fullmatch(text):
        return _parse_placement(variant, bool(found[1]), found[2], found[3], int(found[4]))
    if len(words) != 3:
        raise BadNotation("write the route, the space and its sides, such as 'highway-curve c3 ne', or 'done'")
    return _parse_drawing(variant, *words)


def _parse_drawing(variant: Variant, name: str, space: str, sides: str) -> int:
    found = catalogue_of(variant)
    prefix, colon, route_name = name.rpartition(":")
    if colon and prefix not in (SPECIAL, COPY):
        raise BadNotation(f"{prefix + colon!r} is neither 'special:' nor 'copy:'")
    known = found.ways[prefix]
    if route_name not in known:
        if not known:
            raise BadNotation("this variant has no factories, so there is nothing to copy")
        what = {SPECIAL: "special route", COPY: "result to copy"}.get(prefix, "route on the dice of this variant")
        hint = f"{SPECIAL}:{route_name}" in _names(found) and f"write '{SPECIAL}:{route_name}'"
        raise BadNotation(f"{route_name!r} is no {what}: {hint or suggest(route_name, known)}")
    ways, clean = known[route_name], _clean_sides(sides)
    if clean not in ways:
        raise BadNotation(f"{route_name} cannot have the sides {sides!r}: {suggest(sides, ways)}")
    return ways[clean] * int(variant.box["spaces"]) + parse_space(variant, space)


def _names(found: Catalogue) -> set[str]:
    return {f"{entry.source}:{found.routes[entry.route].name}" for entry in found.entries}


def _clean_sides(sides: str) -> str:
    """Return the sides of each part in the order n e s w, and the part with north first.

    >>> _clean_sides("ws+en"), _clean_sides("sn/w")
    ('ne+sw', 'ns/w')
    """
    parts = re.split(r"([/+])", sides)
    ordered = ["".join(sorted(part, key="nesw".find)) if part not in "/+" else part for part in parts]
    if "+" in ordered and len(ordered) == 3 and "n" in ordered[2]:
        ordered.reverse()
    return "".join(ordered)


def _parse_placement(variant: Variant, copied: bool, code: str, space: str, orientation: int) -> int:
    """The five characters of the published games."""
    found = catalogue_of(variant)
    codes = {route.code.lower(): number for number, route in enumerate(found.routes)}
    if code not in codes:
        raise BadNotation(f"no die of this variant has a face {code.upper()}: {suggest(code, codes)}")
    route = codes[code]
    source = SPECIAL if route >= found.specials else LAMP if route >= found.results else RESULT
    if copied:
        if source != RESULT or not any(entry.source == COPY for entry in found.entries):
            raise BadNotation(f"{code.upper()} cannot be copied in this variant")
        source = COPY
    sides = picture_sides(found.routes[route].turned(orientation))
    return found.numbers[source, route, sides] * int(variant.box["spaces"]) + parse_space(variant, space)


def _parse_lamps(variant: Variant, words: list[str]) -> int:
    if not variant.box["lamps"]:
        raise BadNotation("this variant is played without Street Lamps")
    first, rows, columns = (int(variant.box[name]) for name in ("lamp_action", "rows", "columns"))
    lines = [*(f"row {chr(ord('a') + i)}" for i in range(rows)), *(f"column {i}" for i in range(columns))]
    if (line := " ".join(words)) in lines:
        return first + lines.index(line)
    raise BadNotation("write 'lamps row c' or 'lamps column 3'")


def _parse_power(variant: Variant, face: str, words: list[str]) -> int:
    if face == "question":
        if len(words) != 1:
            raise BadNotation("write 'question c4' or 'question charge'")
        space = int(variant.box["spaces"]) if words[0] == "charge" else parse_space(variant, words[0])
        return int(variant.box["arrow_moves"]) + 4 + space
    direction = ARROWS.index(face)
    if len(words) == 2 and words[0] == "charge":
        start = _charging_space(variant, direction)
        if words[1] != start:
            raise BadNotation(f"an arrow {face} steps onto the accumulator from {start}, not from {words[1]!r}")
        return int(variant.box["arrow_moves"]) + direction
    if len(words) != 4 or words[0] != "from" or words[2] != "to":
        raise BadNotation(f"write '{face} from g1s to d1' (an exit), '{face} from d1 to b1' or '{face} charge e3'")
    if found := EXIT.fullmatch(words[1]):
        first, back = parse_space(variant, found[1]), (direction + 2) % 4
        if SIDES[back].lower() != found[2] or behind(variant.box, first, back) >= 0:
            raise BadNotation(f"{words[1]!r} is not on the edge from which an arrow {face} comes in")
    else:
        first = behind(variant.box, parse_space(variant, words[1]), direction)
    space, last, count = first, parse_space(variant, words[3]), 0
    while space >= 0:
        if space == last:
            return int(variant.box["first_arrow"][direction, first]) + count
        space, count = behind(variant.box, space, direction), count + 1
    raise BadNotation(f"no arrow {face} leads from {words[1]!r} to {words[3]!r}")


def move_fields(variant: Variant, state: State, seat: int, action: int) -> dict[str, Any]:
    """Return the named parts of a move, for programs that do not know our kernels."""
    box = variant.box
    if action < int(box["lamp_action"]):
        return _draw_fields(variant, state, seat, *divmod(action, int(box["spaces"])))
    if action < int(box["skip_action"]):
        line, rows = action - int(box["lamp_action"]), int(box["rows"])
        row, column = (line, None) if line < rows else (None, line - rows)
        lit = int(state["lamps"][seat]) & ~int(state["lit"][seat])
        lit &= int(variant.game.module("rules.goals").line_spaces(box, line))
        return {"kind": "lamps", "row": row, "column": column, **_cells(variant, bits_of(lit))}
    if action <= int(box["done_action"]):
        return {"kind": format_move(variant, state, seat, action)}
    return _power_fields(variant, state, seat, action - int(box["done_action"]) - 1)


def _cells(variant: Variant, spaces: list[int]) -> dict[str, Any]:
    """Return several spaces in their order, by name and by number."""
    return {
        "cells": [format_space(variant, space) for space in spaces],
        "rows": [place(variant, space)[0] for space in spaces],
        "columns": [place(variant, space)[1] for space in spaces],
    }


def _draw_fields(variant: Variant, state: State, seat: int, number: int, space: int) -> dict[str, Any]:
    """A route that is drawn; `extra`: it is the special route of a university, outside the limits (§4.2)."""
    found, rules = catalogue_of(variant), variant.game.rules
    entry = found.entries[number]
    route = found.routes[entry.route]
    extra = entry.source == SPECIAL and bool(rules.uses_extra(variant.box, state, seat))
    return {
        "kind": "draw",
        "source": entry.source,
        "extra": extra,
        "route": route.name,
        "code": route.code,
        "orientation": next(i for i in range(ORIENTATIONS) if route.turned(i) == entry.picture),
        "cell": format_space(variant, space),
        "row": place(variant, space)[0],
        "column": place(variant, space)[1],
        "sides": entry.sides,
        "station": route.station,
        "lamp": route.lamp,
    }


def _power_fields(variant: Variant, state: State, seat: int, move: int) -> dict[str, Any]:
    """A Power Grid die: which one and the how manieth to be used, from where, and the spaces in their order."""
    box, rules = variant.box, variant.game.module("rules.power")
    face, words = int(rules.face_of(box, move)), _format_power(variant, move).split(" ")
    spaces: list[int] = []
    if move < int(box["arrow_moves"]):
        spaces = [int(box["arrow_first"][move])]
        while len(spaces) < int(box["arrow_count"][move]):
            spaces.append(behind(variant.box, spaces[-1], face))
    elif words[1] != "charge" and words[0] == "question":
        spaces = [move - int(box["arrow_moves"]) - 4]
    die = int(rules.power_die(box, state, seat, face, int(state["todo"][seat])))
    left = int(state["todo"][seat]).bit_count()
    return {
        "kind": "power",
        "die": None if die < 0 else die,
        "face": POWER_FACES[face],
        "order": int(box["dice"]) - int(box["route_dice"]) - left + 1,
        "origin": words[2] if len(words) > 2 else None,
        "charge": "charge" in words,
        **_cells(variant, spaces),
    }


# --- outcomes -------------------------------------------------------------------------------------------------


def format_outcome(variant: Variant, state: State, outcome: int) -> str:
    if state["turn"] == 0:
        return f"goal {GOAL_LETTERS[outcome].lower()}"
    return face_text(variant, int(state["rolled"]), outcome)


def face_text(variant: Variant, die: int, face: int) -> str:
    """Return what a die shows: the code of a route, or a Power Grid face."""
    if die >= int(variant.box["route_dice"]) + int(variant.box["lamp_dice"]):
        return POWER_FACES[face]
    return catalogue_of(variant).routes[face].code


def outcome_fields(variant: Variant, state: State, outcome: int) -> dict[str, Any]:
    if state["turn"] == 0:
        return {"kind": "goal", "goal": GOAL_LETTERS[outcome]}
    die = int(state["rolled"])
    face = face_text(variant, die, outcome)
    route = None if face in POWER_FACES else catalogue_of(variant).routes[outcome].name
    return {"kind": "die", "die": die, "face": face, "route": route}


# --- positions ------------------------------------------------------------------------------------------------


def bits_of(mask: int) -> list[int]:
    """Return the numbers in a set."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def format_position(variant: Variant, state: State) -> str:
    goals = "".join(GOAL_LETTERS[goal].lower() for goal in state["goals"] if goal >= 0)
    faces = [face_text(variant, die, int(state["dice"][die])) for die in range(int(state["rolled"]))]
    dice = ".".join(faces) + ("!" if state["power_step"] else "")
    sheets = [_format_sheet(variant, state, seat) for seat in range(variant.seats)]
    return ";".join([str(state["turn"]), goals or "-", dice or "-", *sheets])


def _format_sheet(variant: Variant, state: State, seat: int) -> str:
    rows, columns = [], int(variant.box["columns"])
    for row in range(int(variant.box["rows"])):
        pieces = [format_picture(state, seat, row * columns + column) for column in range(columns)]
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), "".join(piece or "." for piece in pieces)))
    numbers = ["".join(map(str, bits_of(int(state[field][seat])))) or "-" for field in ("todo", "specials")]
    marks = "d" if int(state["done"]) >> seat & 1 else ""
    marks += "l" if state["choosing"][seat] else ""
    marks += "x" * int(state["extra"][seat]) + "f" * int(state["copies"][seat])
    limit = f"{state['counted'][seat]}.{state['counted_now'][seat]}"
    reached = ".".join(str(when) for when in state["goal_round"][seat])
    return ",".join(["/".join(rows), *numbers, limit, marks or "-", str(state["charges"][seat]), reached])


def format_picture(state: State, seat: int, space: int) -> str:
    """Return what is drawn in a space, as positions write it; nothing if it is empty."""

    def has(field: str) -> int:
        return int(state[field][seat]) >> space & 1

    if not has("drawn"):
        return ""
    marks = [int(bits) >> space & 1 for bits in state["sides"][seat]]
    text = "".join("h" if marks[side] else "r" if marks[4 + side] else "-" for side in range(4))
    second = "".join(side for side, bits in zip("nesw", state["second"][seat], strict=True) if int(bits) >> space & 1)
    lamp = "i" if has("lit") else "o" if has("lamps") else ""
    return text + "*" * has("stations") + SPLITS.get(second, "") + lamp + "!" * has("electrified")


def parse_position(variant: Variant, text: str) -> State:
    """Return the state of a position text; one that no match could reach is refused where that is easily seen."""
    parts = text.split(";")
    if len(parts) != 3 + variant.seats:
        raise BadNotation(f"it must have round, goals, dice and {variant.seats} sheets, joined with ';'")
    state = np.zeros(1, STATE)[0]
    variant.game.rules.setup(variant.box, state)
    _parse_round(variant, state, *parts[:3])
    for seat, sheet in enumerate(parts[3:]):
        _parse_sheet(variant, state, seat, sheet)
    if int(state["done"]) == (1 << variant.seats) - 1:
        raise BadNotation("all seats are done, so the step would have ended")
    return state


def _parse_round(variant: Variant, state: State, turn: str, goals: str, dice: str) -> None:
    box, letters = variant.box, "" if goals == "-" else goals.upper()
    if parse_number(turn) is None or int(turn) > int(box["rounds"]) + 1:
        raise BadNotation(f"{turn!r} is not a round from 0 to {int(box['rounds']) + 1}")
    of_box = GOAL_LETTERS[: int(box["die_faces"][MAX_DICE])]
    if not re.fullmatch(f"[{of_box}]{{0,3}}", letters) or len(set(letters)) < len(letters):
        raise BadNotation(f"{goals!r} are not goals: up to three different letters of a to {of_box[-1].lower()}")
    numbers = [GOAL_LETTERS.index(letter) for letter in letters]
    if not box["draw_goals"] and numbers != [int(goal) for goal in box["goals"] if goal >= 0]:
        raise BadNotation(f"{goals!r} are not the goals of this variant")
    if (int(turn) == 0) != (bool(box["draw_goals"]) and len(numbers) < GOALS):
        raise BadNotation("round 0 is while goals are drawn, and only then")
    state["goals"][: len(numbers)] = numbers
    state["turn"] = int(turn)
    power_step, faces = dice.endswith("!"), dice.removesuffix("!")
    shown = [] if faces == "-" else faces.split(".")
    if len(shown) > int(box["dice"]) or (shown and (int(turn) == 0 or int(turn) > int(box["rounds"]))):
        raise BadNotation(f"{dice!r} are more dice than there can be now")
    if power_step and (not box["power"] or len(shown) < int(box["dice"])):
        raise BadNotation("the Power Grid step comes when all dice are rolled, with the Power Grid only")
    for die, face in enumerate(shown):
        numbers = box["die_face"][die, : int(box["die_faces"][die])].tolist()
        known = {face_text(variant, die, number): number for number in numbers}
        if face not in known:
            raise BadNotation(f"die {die} cannot show {face!r}: {suggest(face, known)}")
        state["dice"][die] = known[face]
    state["rolled"], state["power_step"] = len(shown), power_step
    state["draws"] = 16 * int(turn) + (len(shown) if int(turn) else len(numbers))


def _parse_sheet(variant: Variant, state: State, seat: int, text: str) -> None:
    parts = text.split(",")
    if len(parts) != 7:
        raise BadNotation(f"the sheet {text!r} must have seven parts, joined with ','")
    _parse_board(variant, state, seat, parts[0])
    box = variant.box
    acting = int(state["rolled"]) == int(box["dice"])
    first, end = 0, int(box["route_dice"]) + int(box["lamp_dice"])
    if state["power_step"]:
        first, end = int(box["route_dice"]), int(box["dice"])
    state["todo"][seat] = _parse_numbers(parts[1], range(first, end if acting else first), "dice left")
    state["specials"][seat] = _parse_numbers(parts[2], range(int(box["specials"])), "special routes")
    limit, reached, marks = (
        re.fullmatch(r"([0-9])\.([0-9])", parts[3]),
        re.fullmatch(r"([0-9]{1,4})\.([0-9]{1,4})\.([0-9]{1,4})", parts[6]),
        parts[4],
    )
    found = _MARKS.fullmatch("" if marks == "-" else marks)
    if limit is None or reached is None or found is None or parse_number(parts[5]) is None:
        raise BadNotation(f"cannot read the limit, marks, charges or goals in {text!r}")
    charges, rounds = int(parts[5]), [int(when) for when in reached.groups()]
    if charges > int(box["most_charges"]) or max(rounds) > int(box["rounds"]):
        raise BadNotation(f"seat {seat} cannot have {charges} charges, or goals in rounds {parts[6]}")
    state["counted"][seat], state["counted_now"][seat], state["goal_round"][seat] = int(limit[1]), int(limit[2]), rounds
    state["extra"][seat], state["copies"][seat], state["charges"][seat] = len(found[1]), len(found[2]), charges
    state["choosing"][seat] = "l" in marks
    state["done"] |= ("d" in marks) << seat
    if reason := variant.game.module("rules.possible").why_impossible(box, state, seat):
        raise BadNotation(f"seat {seat} {reason}")


def _parse_numbers(text: str, known: range, what: str) -> int:
    """Return a set of numbers, written as their digits."""
    digits = [] if text == "-" else list(text)
    if any(digit not in map(str, known) for digit in digits) or sorted(set(digits)) != digits:
        raise BadNotation(f"cannot read the {what} {text!r}: rising digits out of {''.join(map(str, known)) or 'none'}")
    return sum(1 << int(digit) for digit in digits)


def _parse_board(variant: Variant, state: State, seat: int, text: str) -> None:
    rows, columns = text.split("/"), int(variant.box["columns"])
    if len(rows) != int(variant.box["rows"]):
        raise BadNotation(f"the board {text!r} must have {int(variant.box['rows'])} rows")
    for row, marks in enumerate(rows):
        col, at = 0, 0
        while at < len(marks):
            if parse_number(marks[at]) is not None:
                col, at = col + int(marks[at]), at + 1
                continue
            found = _PICTURE.match(marks, at)
            if found is None or col >= columns:
                break
            _put(variant, state, seat, row * columns + col, found)
            col, at = col + 1, found.end()
        if col != columns or at != len(marks):
            raise BadNotation(f"row {chr(ord('a') + row)} of the board, {marks!r}, must describe {columns} spaces")
    for mark in range(MARKS):
        clash = int(state["sides"][seat, mark]) & int(state["offers"][seat, mark ^ 4])
        if clash:
            raise BadNotation(f"highway and railway meet at {format_space(variant, bits_of(clash)[0])}")


def _put(variant: Variant, state: State, seat: int, space: int, found: re.Match[str]) -> None:
    """Draw one picture of a position."""
    sides, station, split, lamp, electrified = found.groups()
    entry = entries_by_text(variant).get(sides + station + split + ("o" if lamp else ""))
    if entry is None:
        raise BadNotation(f"{found[0]!r} at {format_space(variant, space)} is no route of this variant")
    if not int(variant.box["open"]) >> space & 1:
        raise BadNotation(f"no route can be drawn in {format_space(variant, space)}: the accumulator stands there")
    if electrified and not variant.box["power"]:
        raise BadNotation("there is no electricity without the Power Grid")
    variant.game.module("rules.routes").draw(variant.box, state, seat, entry, space)
    state["lamps"][seat] |= bool(lamp) << space
    state["lit"][seat] |= (lamp == "i") << space
    state["electrified"][seat] |= bool(electrified) << space
