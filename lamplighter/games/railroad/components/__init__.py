"""What is in the box: board, dice, routes, goals, read from `box.toml` and turned into tables for the kernel.

Spaces count row by row from 0 (`a0`); a set of spaces is an int64 with one bit a space. A *mark* is a type and a side in one
number: highway n e s w are 0 to 3, railway n e s w are 4 to 7. No rule lives here.

tables     limits, names, and the record that kernels read
board      spaces, exits, structures
catalogue  routes as pictures, and everything that can be drawn
goals      what goals ask for, in words
oddities   what is odd about a file, though it can be played
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.games.railroad.components.board import read_board, read_structures
from lamplighter.games.railroad.components.catalogue import (
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
from lamplighter.games.railroad.components.oddities import oddities
from lamplighter.games.railroad.components.tables import (
    BOX,
    GOAL_LETTERS,
    GOALS,
    KINDS,
    LINES,
    MAX_DICE,
    MAX_FACES,
    MAX_OTHER_DICE,
    MAX_ROUNDS,
    MAX_ROUTE_DICE,
    MAX_ROUTES,
    MAX_SPECIALS,
    MAX_WORDS,
    OTHER_SIDE,
    OTHER_TYPE,
    POWER_FACES,
    WORD,
)

if TYPE_CHECKING:
    from lamplighter.engine.component_file import ComponentFile
    from lamplighter.engine.game import Value

__all__ = ["BOX", "build", "oddities", "score_lines"]


def score_lines(file: ComponentFile) -> tuple[str, ...]:
    """The names of the scoring lines, in the order of `rules.score`."""
    return LINES


def build(file: ComponentFile, options: Mapping[str, Value]) -> np.ndarray[Any, Any]:
    """Return the box as kernels read it; a file that does not make sense is refused."""
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
    read_board(file, box, bool(options["accumulator_centre"]))
    read_structures(file, box, bool(options["accumulator_university"]))
    _read_numbers(file, box, options)
    _read_goals(file, box, str(options["goals"]).upper())
    _read_routes(file)
    _read_dice(file)
    _set_catalogue(file, box, options)
    return boxes


# --- numbers and goals ----------------------------------------------------------------------------------------


def _read_numbers(file: ComponentFile, box: np.void, options: Mapping[str, Value]) -> None:
    file.need_keys(["none", "lamps", "power"], at=("rounds",))
    for expansion in file.get("rounds"):
        file.need_int(1, MAX_ROUNDS, "rounds", expansion)
    box["rounds"] = file.get("rounds", str(options["expansion"]))
    limits = ("specials_a_round", "specials_a_game", "universities_for_special", "charges")
    file.need_keys(limits, at=("limits",))
    box["specials_a_round"] = file.need_int(0, MAX_SPECIALS, "limits", "specials_a_round")
    box["specials_a_game"] = file.need_int(0, MAX_SPECIALS, "limits", "specials_a_game")
    box["universities_needed"] = file.need_int(1, int(box["spaces"]), "limits", "universities_for_special")
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


def _read_goals(file: ComponentFile, box: np.void, chosen: str) -> None:
    file.need_keys(GOAL_LETTERS[:GOALS], GOAL_LETTERS[GOALS:], at=("goals",))
    letters = GOAL_LETTERS[: len(file.get("goals"))]
    file.need_keys(letters, at=("goals",))
    for i, letter in enumerate(letters):
        path = ("goals", letter)
        file.need_keys(["kind", "at_least"], at=path)
        kind = file.need_choice(KINDS, *path, "kind")
        box["goal_kind"][i] = KINDS.index(kind)
        box["goal_need"][i] = file.need_int(1, 1 if kind == "loop" else int(box["spaces"]), *path, "at_least")
    box["draw_goals"] = box["challenge"] and chosen == "RANDOM"
    named = box["challenge"] and chosen != "RANDOM"
    if named and not set(chosen) <= set(letters):
        file.fail(f"the variant asks for the goals {chosen}, and this box has only {letters}", "goals")
    box["die_faces"][MAX_DICE] = len(letters)
    box["goals"] = [GOAL_LETTERS.index(letter) for letter in chosen] if named else -1


# --- routes and dice ------------------------------------------------------------------------------------------


def _read_routes(file: ComponentFile) -> None:
    names: set[str] = set()
    for table, low, high in (("routes", 1, MAX_ROUTES - MAX_SPECIALS), ("specials", 0, MAX_SPECIALS)):
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


def _read_segments(file: ComponentFile, table: str, code: str) -> None:
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


def _read_dice(file: ComponentFile) -> None:
    file.need_keys(["base", "challenge", "none", "lamps", "power"], at=("sets",))
    wants = {"base": "route", "challenge": "route", "none": "no", "lamps": "lamp", "power": "power"}
    for name, want in wants.items():
        low, high = (1, MAX_ROUTE_DICE) if want == "route" else (0, 0 if want == "no" else MAX_OTHER_DICE)
        for i in range(len(file.need_list(low, high, "sets", name))):
            die = file.need_choice(file.need_table("dice"), "sets", name, i)
            if _die_sort(file, die) != want:
                file.fail(f"die {die} is a {_die_sort(file, die)} die and cannot be in this set", "sets", name, i)


def _die_sort(file: ComponentFile, die: str) -> str:
    """`route`, `lamp` or `power`, by its faces."""
    sorts = set()
    for i in range(len(file.need_list(1, MAX_FACES, "dice", die))):
        face = file.need_choice([*file.get("routes"), *POWER_FACES], "dice", die, i)
        lamp = face not in POWER_FACES and file.get("routes", face).get("lamp", False)
        sorts.add("power" if face in POWER_FACES else "lamp" if lamp else "route")
    if len(sorts) > 1:
        file.fail(f"die {die} mixes routes, lamp routes and Power Grid faces", "dice", die)
    return sorts.pop()


def _set_catalogue(file: ComponentFile, box: np.void, options: Mapping[str, Value]) -> None:
    """Number the routes and everything that can be drawn."""
    found = catalogue(file, options)
    ways = sum(entry.source != COPY for entry in found.entries)
    if ways > MAX_WORDS * WORD:
        file.fail(f"the routes can be drawn in {ways} ways, more than {MAX_WORDS * WORD}", "routes")
    box["entries"], box["result_routes"], box["first_special"] = len(found.entries), found.results, found.specials
    box["specials"] = len(found.routes) - found.specials
    sources = [entry.source for entry in found.entries]
    box["copy_entry"] = sources.index(COPY) if COPY in sources else len(sources)
    box["special_entry"] = sources.index(SPECIAL) if SPECIAL in sources else box["copy_entry"]
    box["lamp_entry"] = sources.index(LAMP) if LAMP in sources else box["special_entry"]
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
            box["first_entry"][entry.route] = number + 1 - len(found.routes[entry.route].pictures)
            box["route_entries"][entry.route, number // WORD] |= 1 << number % WORD
    for used in range(1 << int(box["specials"])):
        for special in range(int(box["specials"])):
            if not used >> special & 1:
                box["special_entries"][used] |= box["route_entries"][found.specials + special]
    spaces, lamp_choices = int(box["spaces"]), int(box["rows"] + box["columns"]) * box["lamps"]
    skip, power_moves = box["challenge"] and not box["special_later"], int(box["arrow_moves"]) + 4 + spaces + 1
    box["lamp_action"] = len(found.entries) * spaces
    box["skip_action"] = box["lamp_action"] + lamp_choices
    box["done_action"] = box["skip_action"] + skip
    box["actions"] = box["done_action"] + 1 + power_moves * box["power"]
    _set_dice(file, box, options, {route.code: number for number, route in enumerate(found.routes)})


def _set_dice(file: ComponentFile, box: np.void, options: Mapping[str, Value], numbers: dict[str, int]) -> None:
    dice = [*file.get("sets", str(options["edition"])), *file.get("sets", str(options["expansion"]))]
    box["dice"], box["route_dice"] = len(dice), len(file.get("sets", str(options["edition"])))
    box["lamp_dice"] = len(file.get("sets", "lamps")) if box["lamps"] else 0
    for i, die in enumerate(dice):
        faces = [POWER_FACES.index(face) if face in POWER_FACES else numbers[face] for face in file.get("dice", die)]
        box["die_faces"][i] = len(set(faces))
        for j, face in enumerate(sorted(set(faces))):
            box["die_face"][i, j], box["die_weight"][i, j] = face, faces.count(face)
    box["die_face"][MAX_DICE], box["die_weight"][MAX_DICE] = range(len(GOAL_LETTERS)), 1
