"""Moves, outcomes and positions of Railroad as text.

A move names the route, the space and how the route lies: `highway-curve c3 ne`, `station-t-rail b1 ns/w` (highway sides,
railway sides), `rail-double-curve d4 ne+sw`, `overpass e2 ns` (its highway). `special:` and `copy:` stand before special
routes and copies. The five characters of the published games are read too: `A5C31`, die and face, space, orientation.
Others: `lamps row c`, `lamps column 3`, `skip`, `done`; `up from g1s to d1` (from an exit), `up from d1 to b1` (from an
electrified space), `up charge e3`, `question c4`, `question charge`.

An outcome is the code of a face, `B2`, a face of a Power Grid die, `up`, or a goal, `goal a`.

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

import functools
import re
from typing import Any

import numpy as np

from lamplighter.engine.grid import format_cell, parse_cell
from lamplighter.engine.variant import State, Variant
from lamplighter.errors import BadNotation, suggest
from lamplighter.games.railroad.catalogue import COPY, LAMP, ORIENTATIONS, RESULT, SIDES, SPECIAL, Catalogue, catalogue
from lamplighter.games.railroad.catalogue import lie_text as _lie_text
from lamplighter.games.railroad.components import (
    ARROW_MOVES,
    ARROWS,
    ARROWS_A_WAY,
    GOAL_LETTERS,
    GOALS,
    MARKS,
    POWER_FACES,
    SIZE,
    SPACES,
    behind,
)
from lamplighter.games.railroad.state import STATE

PLACEMENT = re.compile(r"(copy:)?([a-z][0-9])([a-g][0-6])([0-7])")
EXIT = re.compile(r"([a-g][0-6])([nesw])")
_PICTURE = re.compile(r"([hr-]{4})(\*?)([xab]?)([oi]?)(!?)")
_SPLITS = {0b1010: "x", 0b1100: "a", 0b0110: "b"}  # the sides of the second segment (bits n e s w), and the letter
_MARKS = re.compile(r"d?l?(x*)(f*)")


@functools.lru_cache(maxsize=64)
def catalogue_of(variant: Variant) -> Catalogue:
    """What this variant's players may draw."""
    return catalogue(variant.file, variant.options)


def format_space(space: int) -> str:
    return format_cell(space // SIZE, space % SIZE)


def parse_space(text: str) -> int:
    row, col = parse_cell(text, SIZE, SIZE)
    return row * SIZE + col


# --- moves ----------------------------------------------------------------------------------------------------


def format_move(variant: Variant, state: State, seat: int, action: int) -> str:
    box = variant.box
    if action < int(box["lamp_action"]):
        found = catalogue_of(variant)
        entry = found.entries[action // SPACES]
        prefix = f"{entry.source}:" if entry.source in (SPECIAL, COPY) else ""
        return f"{prefix}{found.routes[entry.route].name} {format_space(action % SPACES)} {entry.lie}"
    if action < int(box["skip_action"]):
        line = action - int(box["lamp_action"])
        return f"lamps row {chr(ord('a') + line)}" if line < SIZE else f"lamps column {line - SIZE}"
    if action < int(box["done_action"]):
        return "skip"
    if action == int(box["done_action"]):
        return "done"
    return _format_power(variant, action - int(box["done_action"]) - 1)


def _format_power(variant: Variant, move: int) -> str:
    if move < ARROW_MOVES:
        direction = move // ARROWS_A_WAY
        first = last = int(variant.box["arrow_first"][move])
        for _ in range(int(variant.box["arrow_count"][move]) - 1):
            last = behind(last, direction)
        back = (direction + 2) % 4
        start = behind(first, back)
        origin = format_space(start) if start >= 0 else format_space(first) + SIDES[back].lower()
        return f"{ARROWS[direction]} from {origin} to {format_space(last)}"
    move -= ARROW_MOVES
    if move < 4:
        return f"{ARROWS[move]} charge {_charging_space(variant, move)}"
    return "question charge" if move == 4 + SPACES else f"question {format_space(move - 4)}"


def _charging_space(variant: Variant, direction: int) -> str:
    """Where an arrow must start to step onto the accumulator."""
    return format_space(behind(int(variant.box["accumulator"]), (direction + 2) % 4))


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
        raise BadNotation("write route, space and how it lies, such as 'highway-curve c3 ne', or 'done'")
    return _parse_drawing(variant, *words)


def _parse_drawing(variant: Variant, name: str, space: str, lie: str) -> int:
    found = catalogue_of(variant)
    prefix, colon, route_name = name.rpartition(":")
    if colon and prefix not in (SPECIAL, COPY):
        raise BadNotation(f"{prefix + colon!r} is neither 'special:' nor 'copy:'")
    sources = (prefix,) if colon else (RESULT, LAMP)
    known = {found.routes[entry.route].name: entry.route for entry in found.entries if entry.source in sources}
    if route_name not in known:
        if not known:
            raise BadNotation("this variant has no factories, so there is nothing to copy")
        what = {SPECIAL: "special route", COPY: "result to copy"}.get(prefix, "route on the dice of this variant")
        hint = f"{SPECIAL}:{route_name}" in _names(found) and f"write '{SPECIAL}:{route_name}'"
        raise BadNotation(f"{route_name!r} is no {what}: {hint or suggest(route_name, known)}")
    route = known[route_name]
    lies = {
        entry.lie: number
        for number, entry in enumerate(found.entries)
        if entry.route == route and entry.source in sources
    }
    clean = _clean_lie(lie)
    if clean not in lies:
        raise BadNotation(f"{route_name} cannot lie {lie!r}: {suggest(lie, lies)}")
    return lies[clean] * SPACES + parse_space(space)


def _names(found: Catalogue) -> set[str]:
    return {f"{entry.source}:{found.routes[entry.route].name}" for entry in found.entries}


def _clean_lie(lie: str) -> str:
    """The sides of each part in the order n e s w, and the part with north first.

    >>> _clean_lie("ws+en"), _clean_lie("sn/w")
    ('ne+sw', 'ns/w')
    """
    parts = re.split(r"([/+])", lie)
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
    lie = _lie_text(found.routes[route].lie(orientation))
    return found.numbers[source, route, lie] * SPACES + parse_space(space)


def _parse_lamps(variant: Variant, words: list[str]) -> int:
    if not variant.box["lamps"]:
        raise BadNotation("this variant is played without Street Lamps")
    first = int(variant.box["lamp_action"])
    if len(words) == 2 and words[0] == "row" and re.fullmatch("[a-g]", words[1]):
        return first + ord(words[1]) - ord("a")
    if len(words) == 2 and words[0] == "column" and re.fullmatch("[0-6]", words[1]):
        return first + SIZE + int(words[1])
    raise BadNotation("write 'lamps row c' or 'lamps column 3'")


def _parse_power(variant: Variant, face: str, words: list[str]) -> int:
    if face == "question":
        if len(words) != 1:
            raise BadNotation("write 'question c4' or 'question charge'")
        return ARROW_MOVES + 4 + (SPACES if words[0] == "charge" else parse_space(words[0]))
    direction = ARROWS.index(face)
    if len(words) == 2 and words[0] == "charge":
        start = _charging_space(variant, direction)
        if words[1] != start:
            raise BadNotation(f"an arrow {face} steps onto the accumulator from {start}, not from {words[1]!r}")
        return ARROW_MOVES + direction
    if len(words) != 4 or words[0] != "from" or words[2] != "to":
        raise BadNotation(f"write '{face} from g1s to d1' (an exit), '{face} from d1 to b1' or '{face} charge e3'")
    if found := EXIT.fullmatch(words[1]):
        first, back = parse_space(found[1]), (direction + 2) % 4
        if SIDES[back].lower() != found[2] or behind(first, back) >= 0:
            raise BadNotation(f"{words[1]!r} is not on the edge from which an arrow {face} comes in")
    else:
        first = behind(parse_space(words[1]), direction)
    space, last, count = first, parse_space(words[3]), 0
    while space >= 0:
        if space == last:
            return int(variant.box["first_arrow"][direction, first]) + count
        space, count = behind(space, direction), count + 1
    raise BadNotation(f"no arrow {face} leads from {words[1]!r} to {words[3]!r}")


def move_fields(variant: Variant, state: State, seat: int, action: int) -> dict[str, Any]:
    """The named parts of a move, for programs that do not know our kernels."""
    box, text = variant.box, format_move(variant, state, seat, action)
    if action < int(box["lamp_action"]):
        found = catalogue_of(variant)
        entry, space = found.entries[action // SPACES], action % SPACES
        route = found.routes[entry.route]
        return {
            "kind": "draw",
            "source": entry.source,
            "route": route.name,
            "code": route.code,
            "orientation": next(i for i in range(ORIENTATIONS) if route.lie(i) == entry.picture),
            "space": format_space(space),
            "row": space // SIZE,
            "col": space % SIZE,
            "lie": entry.lie,
            "station": route.station,
            "lamp": route.lamp,
        }
    if action < int(box["skip_action"]):
        _, line, name = text.split(" ")
        return {"kind": "lamps", line: name}
    if action <= int(box["done_action"]):
        return {"kind": text}
    before, after = int(state["electrified"][seat]), np.zeros(1, STATE)
    after[0] = state
    move = action - int(box["done_action"]) - 1
    spaces: list[str] = []
    if variant.game.rules.check(box, state, seat, action) == variant.game.state.Reason.OK:
        variant.game.rules.apply(box, after[0], seat, action)
        new = int(after[0]["electrified"][seat]) & ~before
        spaces = [format_space(space) for space in range(SPACES) if new >> space & 1]
    charges = ARROW_MOVES <= move < ARROW_MOVES + 4 or move == ARROW_MOVES + 4 + SPACES
    return {"kind": "power", "face": text.split(" ")[0], "charge": charges, "electrified": spaces}


# --- outcomes -------------------------------------------------------------------------------------------------


def format_outcome(variant: Variant, state: State, outcome: int) -> str:
    if state["turn"] == 0:
        return f"goal {GOAL_LETTERS[outcome].lower()}"
    return face_text(variant, int(state["rolled"]), outcome)


def face_text(variant: Variant, die: int, face: int) -> str:
    """What a die shows: the code of a route, or a Power Grid face."""
    if die >= int(variant.box["route_dice"]) + int(variant.box["lamp_dice"]):
        return POWER_FACES[face]
    return catalogue_of(variant).routes[face].code


def say(variant: Variant, text: str) -> str:
    """What people call a face: the name of its route."""
    return next((route.name for route in catalogue_of(variant).routes if route.code == text), text)


def outcome_fields(variant: Variant, state: State, outcome: int) -> dict[str, Any]:
    if state["turn"] == 0:
        return {"goal": GOAL_LETTERS[outcome]}
    die = int(state["rolled"])
    fields: dict[str, Any] = {"die": die, "face": face_text(variant, die, outcome)}
    if fields["face"] not in POWER_FACES:
        fields["route"] = catalogue_of(variant).routes[outcome].name
    return fields


# --- positions ------------------------------------------------------------------------------------------------


def bits_of(mask: int) -> list[int]:
    """The numbers in a set."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def format_position(variant: Variant, state: State) -> str:
    goals = "".join(GOAL_LETTERS[goal].lower() for goal in state["goals"] if goal >= 0)
    faces = [face_text(variant, die, int(state["dice"][die])) for die in range(int(state["rolled"]))]
    dice = ".".join(faces) + ("!" if state["power_step"] else "")
    sheets = [_format_sheet(state, seat) for seat in range(variant.seats)]
    return ";".join([str(state["turn"]), goals or "-", dice or "-", *sheets])


def _format_sheet(state: State, seat: int) -> str:
    rows = []
    for row in range(SIZE):
        pieces = [format_picture(state, seat, row * SIZE + col) for col in range(SIZE)]
        rows.append(re.sub(r"\.+", lambda run: str(len(run[0])), "".join(piece or "." for piece in pieces)))
    numbers = ["".join(map(str, bits_of(int(state[field][seat])))) or "-" for field in ("todo", "specials")]
    marks = "d" if int(state["done"]) >> seat & 1 else ""
    marks += "l" if state["choosing"][seat] else ""
    marks += "x" * int(state["extra"][seat]) + "f" * int(state["copies"][seat])
    limit = f"{state['counted'][seat]}.{state['counted_now'][seat]}"
    reached = ".".join(str(when) for when in state["goal_round"][seat])
    return ",".join(["/".join(rows), *numbers, limit, marks or "-", str(state["charges"][seat]), reached])


def format_picture(state: State, seat: int, space: int) -> str:
    """What is drawn in a space, as positions write it; nothing if it is empty."""

    def has(field: str) -> int:
        return int(state[field][seat]) >> space & 1

    if not has("drawn"):
        return ""
    marks = [int(bits) >> space & 1 for bits in state["sides"][seat]]
    text = "".join("h" if marks[side] else "r" if marks[4 + side] else "-" for side in range(4))
    second = sum((int(bits) >> space & 1) << side for side, bits in enumerate(state["second"][seat]))
    lamp = "i" if has("lit") else "o" if has("lamps") else ""
    return text + "*" * has("stations") + _SPLITS.get(second, "") + lamp + "!" * has("electrified")


def parse_position(variant: Variant, text: str) -> State:
    """The state of a position text; one that no match could reach is refused where that is easily seen."""
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
    if not turn.isdecimal() or int(turn) > int(box["rounds"]) + 1:
        raise BadNotation(f"{turn!r} is not a round from 0 to {int(box['rounds']) + 1}")
    if not re.fullmatch("[A-L]{0,3}", letters) or len(set(letters)) < len(letters):
        raise BadNotation(f"{goals!r} are not goals: up to three different letters of a to l")
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
    drawing = acting and not state["power_step"]
    first, end = 0, int(box["route_dice"]) + int(box["lamp_dice"])
    if state["power_step"]:
        first, end = int(box["route_dice"]), int(box["dice"])
    state["todo"][seat] = _parse_numbers(parts[1], range(first, end if acting else first), "dice left")
    state["specials"][seat] = _parse_numbers(parts[2], range(int(box["specials"])), "special routes")
    limit, reached, marks = (
        re.fullmatch(r"(\d)\.(\d)", parts[3]),
        re.fullmatch(r"(\d+)\.(\d+)\.(\d+)", parts[6]),
        parts[4],
    )
    found = _MARKS.fullmatch("" if marks == "-" else marks)
    if limit is None or reached is None or found is None or not parts[5].isdecimal():
        raise BadNotation(f"cannot read the limit, marks, charges or goals in {text!r}")
    counted, now, used = int(limit[1]), int(limit[2]), int(state["specials"][seat]).bit_count()
    extra, copies, charges = len(found[1]), len(found[2]), int(parts[5])
    if not counted <= used <= counted + bool(box["challenge"]) or counted > int(box["specials_a_game"]):
        raise BadNotation(f"seat {seat} has used {used} special routes, of which {counted} cannot count")
    if now > min(counted, int(box["specials_a_round"])) or (now and not drawing):
        raise BadNotation(f"seat {seat} cannot have used {now} special routes in this round")
    if extra > (1 if box["challenge"] and (drawing or box["special_later"]) else 0) or extra + used - counted > 1:
        raise BadNotation(f"seat {seat} cannot have an extra special route now")
    if copies > (int(box["factories"]) & int(state["drawn"][seat])).bit_count() or (copies and not drawing):
        raise BadNotation(f"seat {seat} cannot have {copies} copies to draw now")
    if "l" in marks and not (box["lamps"] and drawing and used):
        raise BadNotation(f"seat {seat} has no lamps to choose now")
    if charges > (int(box["most_charges"]) if box["power"] else 0):
        raise BadNotation(f"seat {seat} cannot have {charges} charges")
    rounds = [int(when) for when in reached.groups()]
    if max(rounds) > (int(state["turn"]) if box["challenge"] else 0):
        raise BadNotation(f"seat {seat} cannot have reached goals in rounds {parts[6]}")
    state["counted"][seat], state["counted_now"][seat], state["goal_round"][seat] = counted, now, rounds
    state["extra"][seat], state["copies"][seat], state["charges"][seat] = extra, copies, charges
    state["choosing"][seat] = "l" in marks
    if "d" in marks:
        rules = variant.game.rules
        waits = "l" in marks or rules.must_draw_extra(box, state, seat)
        if not acting or (drawing and (waits or rules.has_result_to_draw(box, state, seat))):
            raise BadNotation(f"seat {seat} cannot be done yet")
        state["done"] |= 1 << seat


def _parse_numbers(text: str, known: range, what: str) -> int:
    """A set of numbers, written as their digits."""
    digits = [] if text == "-" else list(text)
    if any(digit not in map(str, known) for digit in digits) or sorted(set(digits)) != digits:
        raise BadNotation(f"cannot read the {what} {text!r}: rising digits out of {''.join(map(str, known)) or 'none'}")
    return sum(1 << int(digit) for digit in digits)


@functools.lru_cache(maxsize=64)
def _pictures(variant: Variant) -> dict[str, int]:
    """The entry of every picture, by its text in a position without lamps lit and electricity."""
    found: dict[str, int] = {}
    routes = catalogue_of(variant).routes
    for number, entry in enumerate(catalogue_of(variant).entries):
        states = np.zeros(1, STATE)
        variant.game.module("routes").draw(variant.box, states[0], 0, number, 0)
        if routes[entry.route].lamp:
            states[0]["lamps"][0] = 1
        found.setdefault(format_picture(states[0], 0, 0), number)
    return found


def _parse_board(variant: Variant, state: State, seat: int, text: str) -> None:
    rows = text.split("/")
    if len(rows) != SIZE:
        raise BadNotation(f"the board {text!r} must have {SIZE} rows")
    for row, marks in enumerate(rows):
        col, at = 0, 0
        while at < len(marks):
            if marks[at].isdecimal():
                col, at = col + int(marks[at]), at + 1
                continue
            found = _PICTURE.match(marks, at)
            if found is None or col >= SIZE:
                break
            _put(variant, state, seat, row * SIZE + col, found)
            col, at = col + 1, found.end()
        if col != SIZE or at != len(marks):
            raise BadNotation(f"row {chr(ord('a') + row)} of the board, {marks!r}, must describe {SIZE} spaces")
    for mark in range(MARKS):
        clash = int(state["sides"][seat, mark]) & int(state["offers"][seat, mark ^ 4])
        if clash:
            raise BadNotation(f"highway and railway meet at {format_space(bits_of(clash)[0])}")


def _put(variant: Variant, state: State, seat: int, space: int, found: re.Match[str]) -> None:
    """Draw one picture of a position."""
    sides, station, split, lamp, electrified = found.groups()
    entry = _pictures(variant).get(sides + station + split + ("o" if lamp else ""))
    if entry is None:
        raise BadNotation(f"{found[0]!r} at {format_space(space)} is no route of this variant")
    if not int(variant.box["open"]) >> space & 1:
        raise BadNotation(f"no route can be drawn in {format_space(space)}: the accumulator stands there")
    if electrified and not variant.box["power"]:
        raise BadNotation("there is no electricity without the Power Grid")
    variant.game.module("routes").draw(variant.box, state, seat, entry, space)
    state["lamps"][seat] |= bool(lamp) << space
    state["lit"][seat] |= (lamp == "i") << space
    state["electrified"][seat] |= bool(electrified) << space
