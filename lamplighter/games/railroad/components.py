"""What is in the box: board, dice, routes, goals, read from `box.toml` and turned into tables for the kernel.

Spaces count row by row from 0 (`a0`) to 48 (`g6`); a set of spaces is an int64 with one bit a space. A *mark* is a type and
a side in one number: highway n e s w are 0 to 3, railway n e s w are 4 to 7. No rule lives here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.engine.grid import FOUR
from lamplighter.games.railroad.catalogue import (
    CODE,
    COPY,
    LAMP,
    NAME,
    SIDES,
    SPECIAL,
    TYPES,
    catalogue,
    second_sides,
)

if TYPE_CHECKING:
    from lamplighter.engine.box import BoxFile
    from lamplighter.engine.game import Value

SIZE = 7
SPACES = SIZE * SIZE
BOARD = (1 << SPACES) - 1
MARKS = 8
OTHER_TYPE = 4  # mark ^ OTHER_TYPE is the other type on the same side
OTHER_SIDE = 2  # mark ^ OTHER_SIDE is the same type on the side across
GOALS = 3  # in a match
ARROWS_A_WAY = SIZE * SIZE * (SIZE + 1) // 2  # §6.3 first and last new space on one of seven lines
ARROW_MOVES = 4 * ARROWS_A_WAY
POWER_MOVES = ARROW_MOVES + 4 + SPACES + 1  # and four charges, question marks on spaces, a question mark that charges
MAX_ROUTE_DICE = 5
MAX_OTHER_DICE = 3
MAX_DICE = MAX_ROUTE_DICE + MAX_OTHER_DICE
FACES = 6
MAX_SPECIALS = 6
MAX_ROUTES = 48
WORD = 62  # entries in one word of a set
MAX_WORDS = 4
MAX_ENTRIES = 512  # with copies
MAX_VILLAGES = 8
MAX_ROUNDS = 20

ARROWS = ("up", "right", "down", "left")  # the Power Grid faces 0 to 3: towards n e s w
QUESTION = 4
POWER_FACES = (*ARROWS, "question")
GOAL_LETTERS = "ABCDEFGHIJKL"
KINDS = (
    "centre", "villages", "line", "corners", "block", "loop", "exits", "stations", "highway", "railway", "opposite",
    "middle",
)  # fmt: skip
LINES = ("exits", "highway", "railway", "centre", "errors", "villages", "goal1", "goal2", "goal3", "expansion")

BOX = np.dtype(
    [  # int64 throughout, so that kernels are compiled for one kind of number
        ("exit_offers", np.int64, MARKS),  # §1.1 the spaces with an exit of this type on this side
        ("exit_at", np.int64, 4),  # §4.4 the spaces with an exit on this side, of either type
        ("exit_spaces", np.int64),
        ("middle_exits", np.int64),  # §4.4 the spaces of the exits that goal L speaks of
        ("inner", np.int64, 4),  # §7.4 the spaces that have a space, and no accumulator, behind this side
        ("outer", np.int64, 4),  # the spaces whose side lies on the outer edge
        ("open", np.int64),  # §3.1, §6.1 the spaces where routes may be drawn
        ("centre", np.int64),  # §7.3
        ("corners", np.int64),
        ("factories", np.int64),  # §4 none in the base game
        ("villages", np.int64),
        ("universities", np.int64),
        ("beside", np.int64, 4),  # §6.4 the space from which this arrow steps onto the accumulator, as a bit
        ("around", np.int64),  # §6.6 the spaces around the accumulator
        ("first_arrow", np.int64, (4, SPACES)),  # §6.3 the move that electrifies this space alone; the next ones more
        ("arrow_first", np.int64, ARROW_MOVES),  # the first space of an arrow's move
        ("arrow_count", np.int64, ARROW_MOVES),  # and how many it electrifies
        ("route_entries", np.int64, (MAX_ROUTES, MAX_WORDS)),  # the entries of a route, in words of 62 bits
        ("special_entries", np.int64, (1 << MAX_SPECIALS, MAX_WORDS)),  # §2.3 the entries left, by the specials used
        ("entry_marks", np.uint8, (MAX_ENTRIES, 4)),  # §1.8 the marks of an entry; fewer than four: some stand twice
        ("entry_clashes", np.uint8, (MAX_ENTRIES, 4)),  # §3.3 the marks of the other type on the same sides
        ("entry_has", np.int64, (MAX_ENTRIES, MARKS)),  # for each mark: -1 if the entry has it, else 0
        ("entry_shows", np.int64, (MAX_ENTRIES, MARKS)),  # the same for the mark under which its neighbour sees it
        (
            "seen_from",
            np.int64,
            (SPACES, MARKS),
        ),  # the neighbour that has this space behind the side of the mark, as a bit
        ("entry_second", np.int64, MAX_ENTRIES),  # of two segments of one type: the sides of the second, as bits
        ("entry_station", np.int64, MAX_ENTRIES),
        ("entry_route", np.int64, MAX_ENTRIES),
        ("first_entry", np.int64, MAX_ROUTES),  # the entries of a route, as result, lamp result or special
        ("end_entry", np.int64, MAX_ROUTES),  # the one behind its last
        ("exit_points", np.int64, SPACES),  # §7.1 by the number of exits
        ("village_points", np.int64, MAX_VILLAGES + 1),  # §4.1 by the number of villages
        ("goal_points", np.int64, GOALS),  # §4.4
        ("solo_points", np.int64, 2),  # §4.4 alone: early, late
        ("solo_rounds", np.int64, GOALS),
        ("goal_kind", np.int64, len(GOAL_LETTERS)),  # a place in KINDS
        ("goal_need", np.int64, len(GOAL_LETTERS)),
        ("goals", np.int64, GOALS),  # §4.4 chosen by the variant; -1: drawn by lot, or none
        # the different faces of each die: route numbers, or Power Grid faces; behind the dice, the goals
        ("die_face", np.int64, (MAX_DICE + 1, len(GOAL_LETTERS))),
        ("die_weight", np.int64, (MAX_DICE + 1, len(GOAL_LETTERS))),
        ("die_faces", np.int64, MAX_DICE + 1),
        ("route_dice", np.int64),  # dice 0 to route_dice - 1; then those of the expansion
        ("lamp_dice", np.int64),
        ("dice", np.int64),  # all together
        ("result_routes", np.int64),  # routes below this number are on the route dice
        ("first_special", np.int64),  # §1.4 the number of the first special route
        ("specials", np.int64),
        ("lamp_entry", np.int64),  # entries from here on are lamp results
        ("special_entry", np.int64),  # entries from here on are special routes
        ("copy_entry", np.int64),  # §4.3 entries from here on are copies, in the order of the results
        ("entries", np.int64),
        ("words", np.int64),  # words that the entries before the copies need
        ("lamp_action", np.int64),  # the first action that lights a row or column
        ("skip_action", np.int64),
        ("done_action", np.int64),  # Power Grid actions stand behind it
        ("actions", np.int64),
        ("seats", np.int64),
        ("rounds", np.int64),  # §1.9
        ("specials_a_round", np.int64),  # §2.3
        ("specials_a_game", np.int64),
        ("universities_needed", np.int64),  # §4.2
        ("universities_given", np.int64),  # R9 active from the start
        ("most_charges", np.int64),  # §6.1
        ("accumulator", np.int64),  # its space; -1 without the Power Grid
        ("challenge", np.bool_),
        ("lamps", np.bool_),
        ("power", np.bool_),
        ("draw_goals", np.bool_),  # §4.4 by lot
        ("special_later", np.bool_),  # R2
        ("copy_drawn", np.bool_),  # R3
        ("solo", np.bool_),  # R4
        ("goals_after_power", np.bool_),  # R5
        ("lamps_trigger", np.bool_),  # R7
        ("as_rolled", np.bool_),  # R8
        ("cross_once", np.bool_),  # R10
    ]
)

_SPACE = re.compile(r"([A-G])([0-6])")


def score_lines(file: BoxFile) -> tuple[str, ...]:
    """The names of the scoring lines, in the order of `rules.score`."""
    return LINES


def build(file: BoxFile, options: Mapping[str, Value]) -> np.ndarray[Any, Any]:
    """The box as kernels read it; a file that does not make sense is refused."""
    file.need_keys(
        ["board", "structures", "rounds", "limits", "scoring", "goals", "sets", "dice", "routes", "specials"]
    )
    boxes = np.zeros(1, BOX)
    box = boxes[0]
    box["challenge"] = options["edition"] == "challenge"
    box["lamps"], box["power"] = options["expansion"] == "lamps", options["expansion"] == "power"
    box["seats"] = int(options["seats"])
    box["special_later"] = options["university_special"] == "later"
    box["copy_drawn"] = options["factory_copy"] == "drawn"
    box["solo"] = options["solo_goals"] and box["seats"] == 1
    box["goals_after_power"] = box["power"] and not options["goals_before_power"]
    box["lamps_trigger"] = options["lamps_trigger_structures"]
    box["as_rolled"] = options["power_order"] == "as-rolled"
    box["cross_once"] = not options["line_may_cross_itself"]
    _read_board(file, box)
    _read_structures(file, box, bool(options["accumulator_university"]))
    _read_numbers(file, box, options)
    _read_goals(file, box, str(options["goals"]).upper())
    _read_routes(file)
    _read_dice(file)
    _set_catalogue(file, box, options)
    return boxes


# --- the board ------------------------------------------------------------------------------------------------


def _space(file: BoxFile, *path: str | int) -> int:
    """The number of the space that is named there."""
    found = _SPACE.fullmatch(str(file.need_text(*path)))
    if found is None:
        file.fail(f"{file.get(*path)!r} is not a space: write A0 to G6", *path)
    return (ord(found[1]) - ord("A")) * SIZE + int(found[2])


def _space_set(file: BoxFile, low: int, high: int, *path: str | int) -> int:
    bits = 0
    for i in range(len(file.need_list(low, high, *path))):
        bit = 1 << _space(file, *path, i)
        if bits & bit:
            file.fail(f"{file.get(*path, i)} stands twice", *path, i)
        bits |= bit
    return bits


def behind(space: int, side: int) -> int:
    """The space on the other side of a side; -1 on the outer edge.

    >>> behind(0, 1), behind(0, 2), behind(0, 3)
    (1, 7, -1)
    """
    row, col = space // SIZE + FOUR[side][0], space % SIZE + FOUR[side][1]
    return row * SIZE + col if 0 <= row < SIZE and 0 <= col < SIZE else -1


def _read_board(file: BoxFile, box: np.void) -> None:
    file.need_keys(["size", "centre", "accumulator", "middle_exits", "exits"], at=("board",))
    file.need_int(SIZE, SIZE, "board", "size")
    box["centre"] = _space_set(file, 0, SPACES, "board", "centre")
    accumulator = _space(file, "board", "accumulator")
    if any(behind(accumulator, side) < 0 for side in range(4)):
        file.fail("the accumulator cannot stand on the outer edge", "board", "accumulator")
    box["accumulator"] = accumulator if box["power"] else -1
    box["open"] = BOARD & ~(1 << accumulator) if box["power"] else BOARD
    for space in range(SPACES):
        for side in range(4):
            other = behind(space, side)
            if other >= 0:
                box["seen_from"][space, [side ^ OTHER_SIDE, side ^ OTHER_SIDE ^ OTHER_TYPE]] = 1 << other
            if other < 0:
                box["outer"][side] |= 1 << space
            elif other != box["accumulator"]:
                box["inner"][side] |= 1 << space
            elif box["power"]:
                box["beside"][side] = 1 << space
                box["around"] |= 1 << space
    for corner in (0, SIZE - 1, SPACES - SIZE, SPACES - 1):
        box["corners"] |= 1 << corner
    _set_arrows(box)
    names = _read_exits(file, box)
    middle = file.need_list(0, len(names), "board", "middle_exits")
    for i, name in enumerate(middle):
        if name not in names:
            file.fail(
                f"{name!r} is none of the exits: write space and outer side, such as A3N", "board", "middle_exits", i
            )
        box["middle_exits"] |= 1 << names[name]


def _set_arrows(box: np.void) -> None:
    """Number the lines that an arrow can electrify: by direction, first space and how many."""
    move = 0
    for direction in range(4):
        for first in range(SPACES):
            box["first_arrow"][direction, first] = move
            space, count = first, 0
            while space >= 0:
                count += 1
                box["arrow_first"][move], box["arrow_count"][move] = first, count
                space, move = behind(space, direction), move + 1


def _read_exits(file: BoxFile, box: np.void) -> dict[str, int]:
    """The exits by name, and the space of each."""
    names: dict[str, int] = {}
    for i in range(len(file.need_list(1, 4 * SIZE - 4, "board", "exits"))):
        path = ("board", "exits", i)
        file.need_keys(["space", "side", "type"], at=path)
        space = _space(file, *path, "space")
        side = SIDES.index(file.need_choice(SIDES, *path, "side"))
        kind = TYPES.index(file.need_choice(TYPES, *path, "type"))
        if behind(space, side) >= 0:
            file.fail(f"side {SIDES[side]} of {file.get(*path, 'space')} is not on the outer edge", *path)
        if space in names.values():
            file.fail(f"{file.get(*path, 'space')} has two exits: a space can have one", *path)
        names[file.get(*path, "space") + SIDES[side]] = space
        box["exit_offers"][kind * 4 + side] |= 1 << space
        box["exit_at"][side] |= 1 << space
        box["exit_spaces"] |= 1 << space
    return names


def _read_structures(file: BoxFile, box: np.void, given: bool) -> None:
    file.need_keys(["factories", "villages", "universities"], at=("structures",))
    taken = 0
    for name, most in (("factories", SPACES), ("villages", MAX_VILLAGES), ("universities", SPACES)):
        found = _space_set(file, 0, most, "structures", name)
        if found & taken:
            file.fail(f"a space of {name} holds another structure already", "structures", name)
        taken |= found
        if box["challenge"]:
            box[name] = found
    if given and box["power"]:
        box["universities_given"] = int(box["universities"]) >> int(box["accumulator"]) & 1


# --- numbers and goals ----------------------------------------------------------------------------------------


def _read_numbers(file: BoxFile, box: np.void, options: Mapping[str, Value]) -> None:
    file.need_keys(["none", "lamps", "power"], at=("rounds",))
    for expansion in file.get("rounds"):
        file.need_int(1, MAX_ROUNDS, "rounds", expansion)
    box["rounds"] = file.get("rounds", str(options["expansion"]))
    limits = ("specials_a_round", "specials_a_game", "universities_for_special", "charges")
    file.need_keys(limits, at=("limits",))
    box["specials_a_round"] = file.need_int(0, MAX_SPECIALS, "limits", "specials_a_round")
    box["specials_a_game"] = file.need_int(0, MAX_SPECIALS, "limits", "specials_a_game")
    box["universities_needed"] = file.need_int(1, SPACES, "limits", "universities_for_special")
    box["most_charges"] = file.need_int(0, 100, "limits", "charges")

    scoring = ("exit_points", "village_points", "goal_points", "solo_goal_rounds", "solo_goal_points")
    file.need_keys(scoring, at=("scoring",))
    exits, villages = len(file.get("board", "exits")), len(file.get("structures", "villages"))
    sizes = dict(zip(scoring, (exits + 1, villages, GOALS, GOALS, 2), strict=True))
    lists: dict[str, list[int]] = {}
    for name, size in sizes.items():
        file.need_list(size, size, "scoring", name)
        low, high = (1, MAX_ROUNDS) if name == "solo_goal_rounds" else (0, 1000)
        lists[name] = [file.need_int(low, high, "scoring", name, i) for i in range(size)]
    if any(lists["exit_points"][:2]):
        file.fail("no exit, or one alone, is worth nothing: exit_points must begin with 0, 0", "scoring", "exit_points")
    box["exit_points"][: exits + 1] = lists["exit_points"]
    for i, points in enumerate(lists["village_points"]):
        before = box["village_points"][i] if options["village_points"] == "per-step" else 0
        box["village_points"][i + 1] = before + points
    box["goal_points"], box["solo_points"] = lists["goal_points"], lists["solo_goal_points"]
    box["solo_rounds"] = lists["solo_goal_rounds"]


def _read_goals(file: BoxFile, box: np.void, chosen: str) -> None:
    file.need_keys(GOAL_LETTERS, at=("goals",))
    for i, letter in enumerate(GOAL_LETTERS):
        path = ("goals", letter)
        file.need_keys(["kind", "at_least"], at=path)
        kind = file.need_choice(KINDS, *path, "kind")
        box["goal_kind"][i] = KINDS.index(kind)
        box["goal_need"][i] = file.need_int(1, 1 if kind == "loop" else SPACES, *path, "at_least")
    box["draw_goals"] = box["challenge"] and chosen == "RANDOM"
    named = box["challenge"] and chosen != "RANDOM"
    box["goals"] = [GOAL_LETTERS.index(letter) for letter in chosen] if named else -1


# --- routes and dice ------------------------------------------------------------------------------------------


def _read_routes(file: BoxFile) -> None:
    names: set[str] = set()
    for table, low, high in (("routes", 1, MAX_ROUTES - MAX_SPECIALS), ("specials", 1, MAX_SPECIALS)):
        if not isinstance(file.get(table), dict) or not low <= len(file.get(table)) <= high:
            file.fail(f"{table} must be a table of {low} to {high} routes", table)
        for code in file.get(table):
            if not CODE.fullmatch(code):
                file.fail(f"a route needs a letter and a digit as its code, such as A0, not {code!r}", table, code)
            if table == "specials" and code in file.get("routes"):
                file.fail(f"{code} stands among the routes already", table, code)
            optional = ["station", "lamp"] if table == "routes" else ["station"]
            file.need_keys(["name", "segments"], optional, at=(table, code))
            name = file.need_text(table, code, "name")
            if not NAME.fullmatch(name) or CODE.match(name.upper()):
                file.fail(f"a route cannot be called {name!r}: use small letters and '-'", table, code)
            if name in names:
                file.fail(f"the name {name!r} stands twice", table, code)
            names.add(name)
            for flag in optional:
                if flag in file.get(table, code):
                    file.need_bool(table, code, flag)
            _read_segments(file, table, code)


def _read_segments(file: BoxFile, table: str, code: str) -> None:
    """One segment, of one type or a station; or two that are not joined, with all four sides between them."""
    path = (table, code, "segments")
    segments: list[dict[str, Any]] = file.need_list(1, 2, *path)
    sides: list[str] = []
    for i, segment in enumerate(segments):
        if not isinstance(segment, dict) or not segment:
            file.fail('a segment must name its sides and their types, such as { N = "H", S = "H" }', *path, i)
        file.need_keys([], SIDES, at=(*path, i))
        for side in segment:
            file.need_choice(TYPES, *path, i, side)
        sides += segment
    if len(set(sides)) < len(sides):
        file.fail(f"two segments of {code} share a side", *path)
    kinds = [set(segment.values()) for segment in segments]
    station = bool(file.get(table, code).get("station", False))
    if station != any(len(kind) == 2 for kind in kinds):
        file.fail(f"{code}: a station joins highway and railway in one segment, and nothing else does", *path)
    if len(segments) == 2 and (station or len(sides) < 4):
        file.fail(f"{code}: two segments must have all four sides between them, and no station", *path)
    if len(segments) == 2 and kinds[0] == kinds[1] and len(segments[0]) != 2:
        file.fail(f"{code}: two segments of one type must have two sides each", *path)


def _read_dice(file: BoxFile) -> None:
    file.need_keys(["base", "challenge", "none", "lamps", "power"], at=("sets",))
    wants = {"base": "route", "challenge": "route", "none": "no", "lamps": "lamp", "power": "power"}
    for name, want in wants.items():
        low, high = (1, MAX_ROUTE_DICE) if want == "route" else (0, 0 if want == "no" else MAX_OTHER_DICE)
        for i in range(len(file.need_list(low, high, "sets", name))):
            die = file.need_choice(file.get("dice"), "sets", name, i)
            if _die_sort(file, die) != want:
                file.fail(f"die {die} is a {_die_sort(file, die)} die and cannot be in this set", "sets", name, i)


def _die_sort(file: BoxFile, die: str) -> str:
    """`route`, `lamp` or `power`, by its faces."""
    sorts = set()
    for i in range(len(file.need_list(FACES, FACES, "dice", die))):
        face = file.need_choice([*file.get("routes"), *POWER_FACES], "dice", die, i)
        lamp = face not in POWER_FACES and file.get("routes", face).get("lamp", False)
        sorts.add("power" if face in POWER_FACES else "lamp" if lamp else "route")
    if len(sorts) > 1:
        file.fail(f"die {die} mixes routes, lamp routes and Power Grid faces", "dice", die)
    return sorts.pop()


def _set_catalogue(file: BoxFile, box: np.void, options: Mapping[str, Value]) -> None:
    """Number the routes and everything that can be drawn."""
    found = catalogue(file, options)
    ways = sum(entry.source != COPY for entry in found.entries)
    if ways > MAX_WORDS * WORD:
        file.fail(f"the routes can lie in {ways} ways, more than {MAX_WORDS * WORD}", "routes")
    box["entries"], box["result_routes"], box["first_special"] = len(found.entries), found.results, found.specials
    box["specials"] = len(found.routes) - found.specials
    sources = [entry.source for entry in found.entries]
    box["special_entry"] = sources.index(SPECIAL)
    box["lamp_entry"] = sources.index(LAMP) if LAMP in sources else box["special_entry"]
    box["copy_entry"] = sources.index(COPY) if COPY in sources else len(sources)
    box["words"] = -(-int(box["copy_entry"]) // WORD)
    for number, entry in enumerate(found.entries):
        marks = sorted(TYPES.index(kind) * 4 + SIDES.index(side) for segment in entry.picture for side, kind in segment)
        box["entry_marks"][number] = (marks * 4)[:4]
        box["entry_clashes"][number] = [mark ^ OTHER_TYPE for mark in (marks * 4)[:4]]
        for mark in marks:
            box["entry_has"][number, mark] = box["entry_shows"][number, mark ^ OTHER_SIDE] = -1
        box["entry_second"][number] = sum(1 << SIDES.index(side.upper()) for side in second_sides(entry.picture))
        box["entry_station"][number] = found.routes[entry.route].station
        box["entry_route"][number] = entry.route
        if entry.source != COPY:
            box["end_entry"][entry.route] = number + 1
            box["first_entry"][entry.route] = number + 1 - len(found.routes[entry.route].lies)
            box["route_entries"][entry.route, number // WORD] |= 1 << number % WORD
    for used in range(1 << int(box["specials"])):
        for special in range(int(box["specials"])):
            if not used >> special & 1:
                box["special_entries"][used] |= box["route_entries"][found.specials + special]
    lamp_choices, skip, power_moves = (
        2 * SIZE * box["lamps"],
        box["challenge"] and not box["special_later"],
        POWER_MOVES,
    )
    box["lamp_action"] = len(found.entries) * SPACES
    box["skip_action"] = box["lamp_action"] + lamp_choices
    box["done_action"] = box["skip_action"] + skip
    box["actions"] = box["done_action"] + 1 + power_moves * box["power"]
    _set_dice(file, box, options, {route.code: number for number, route in enumerate(found.routes)})


def _set_dice(file: BoxFile, box: np.void, options: Mapping[str, Value], numbers: dict[str, int]) -> None:
    dice = [*file.get("sets", str(options["edition"])), *file.get("sets", str(options["expansion"]))]
    box["dice"], box["route_dice"] = len(dice), len(file.get("sets", str(options["edition"])))
    box["lamp_dice"] = len(file.get("sets", "lamps")) if box["lamps"] else 0
    for i, die in enumerate(dice):
        faces = [POWER_FACES.index(face) if face in POWER_FACES else numbers[face] for face in file.get("dice", die)]
        box["die_faces"][i] = len(set(faces))
        for j, face in enumerate(sorted(set(faces))):
            box["die_face"][i, j], box["die_weight"][i, j] = face, faces.count(face)
    box["die_faces"][MAX_DICE] = len(GOAL_LETTERS)
    box["die_face"][MAX_DICE], box["die_weight"][MAX_DICE] = range(len(GOAL_LETTERS)), 1
