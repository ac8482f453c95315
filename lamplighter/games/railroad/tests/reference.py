"""Railroad, slowly: the whole game in sets and dictionaries, written from the rules alone.

The fast kernel is compared with this file step by step. Nothing here is shared with it but `box.toml`.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

Space = tuple[int, int]  # row from the top, column from the left
Segment = frozenset[tuple[str, str]]  # joined sides, each with its type: {("N", "H"), ("S", "R")}
Picture = frozenset[Segment]  # everything a space holds (§1.8)
Joint = tuple[Space, Segment]  # one segment in its place
Exit = tuple[Space, str]  # edge space and outer side

SIDES = "NESW"
STEP = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
ARROWS = {"up": "N", "right": "E", "down": "S", "left": "W"}
LINES = (
    "exits",
    "highway",
    "railway",
    "centre",
    "errors",
    "villages",
    "goal1",
    "goal2",
    "goal3",
    "expansion",
)
GOALS_A_MATCH = 3
CHOICES = {
    "edition": ("base", "challenge"),
    "expansion": ("none", "lamps", "power"),
    "village_points": ("total", "per-step"),
    "university_special": ("at-once", "later"),
    "factory_copy": ("any", "drawn"),
    "power_order": ("any", "as-rolled"),
}


def load_box() -> dict[str, object]:
    """Read the default component data."""
    with (Path(__file__).parent.parent / "box.toml").open("rb") as file:
        return tomllib.load(file)


def parse_space(text: str) -> Space:
    """Read a space, in either case: `C3` is (2, 3)."""
    return ord(text[0].upper()) - ord("A"), int(text[1:])


def format_space(space: Space) -> str:
    """Write a space: (2, 3) is `c3`."""
    return f"{chr(ord('a') + space[0])}{space[1]}"


def neighbour(space: Space, side: str) -> Space:
    """The space beyond a side, which may lie off the board."""
    return space[0] + STEP[side][0], space[1] + STEP[side][1]


def oriented(picture: Picture, orientation: int) -> Picture:
    """§3.1 The picture in orientation 0-7: 4-7 mirrored (E and W exchanged), then quarter turns clockwise."""

    def moved(side: str) -> str:
        if orientation >= 4 and side in "EW":
            side = OPPOSITE[side]
        return SIDES[(SIDES.index(side) + orientation % 4) % 4]

    return frozenset(frozenset((moved(side), kind) for side, kind in segment) for segment in picture)


def sides_of(picture: Picture) -> dict[str, str]:
    """The sides that carry something, with their types."""
    return {side: kind for segment in picture for side, kind in segment}


def format_sides(sides: Iterator[str] | set[str]) -> str:
    """Sides as text, always in the order n e s w."""
    return "".join(sorted(sides, key=SIDES.index)).lower()


def format_lie(picture: Picture) -> str:
    """How a route lies, one text for each picture of it (see `Reference`)."""
    kinds = {kind for segment in picture for _, kind in segment}
    if len(picture) == 1:
        (segment,) = picture
        if len(kinds) == 1:
            return format_sides(side for side, _ in segment)
        return "/".join(format_sides(side for side, kind in segment if kind == wanted) for wanted in "HR")
    if len(kinds) == 1:
        parts = [format_sides(side for side, _ in segment) for segment in picture]
        return "+".join(sorted(parts, key=lambda part: SIDES.lower().index(part[0])))
    return format_sides(side for segment in picture for side, kind in segment if kind == "H")


@dataclass(frozen=True)
class Route:
    """§1.2-§1.6 A face of a die, or a special route."""

    code: str
    name: str
    picture: Picture
    station: bool
    lamp: bool

    def pictures(self) -> dict[str, Picture]:
        """§3.1 Every distinct picture of the route, by the text of how it lies."""
        every = {oriented(self.picture, orientation) for orientation in range(8)}
        return {format_lie(picture): picture for picture in every}


@dataclass(frozen=True)
class Drawn:
    """What a space holds: a route, and how it lies."""

    route: Route
    picture: Picture


@dataclass
class Sheet:
    """One seat's paper, and what the seat still has to do in this step."""

    spaces: dict[Space, Drawn] = field(default_factory=dict)
    results: list[str] = field(default_factory=list)  # route results of this round not drawn yet
    lamp_results: list[str] = field(default_factory=list)  # street lamp results of this round not drawn yet
    power_results: list[str] = field(default_factory=list)  # power grid results not used yet, as rolled
    specials_used: set[str] = field(default_factory=set)
    specials_counted: int = 0  # against the limit of the game; the university's extra one is not counted
    specials_this_round: int = 0
    extra_specials: int = 0  # kept for later (option `university_special` = later)
    universities: int = 0
    copies: int = 0  # factory copies not used yet
    owes_lamp_choice: bool = False
    owes_special: bool = False
    active_lamps: set[Space] = field(default_factory=set)
    electrified: set[Space] = field(default_factory=set)
    charges: int = 0
    goals_reached: set[int] = field(default_factory=set)  # by position: 0, 1, 2
    goal_points: list[int] = field(default_factory=lambda: [0] * GOALS_A_MATCH)
    done: bool = False


class Reference:
    """One match of Railroad.

    **Options.** All must be given; the default comes first.

    - `seats`: 1 to 6.
    - `edition`: base | challenge. Dice; structures and goals with challenge (§1.9).
    - `expansion`: none | lamps | power. Street Lamps, Power Grid (§1.9).
    - `goals`: random | three letters such as `ABC`, in order. Challenge only (§4.4).
    - `village_points`: total | per-step. The last number reached on the track, or the sum of those reached
      (§4.1).
    - `university_special`: at-once | later. The extra special is drawn at once or lost; or it is kept and may
      be drawn in any drawing step. A special then counts against the two limits of §2.3 while they allow it,
      and is the extra one only when they do not (§4.2).
    - `factory_copy`: any | drawn. A copy repeats any route result of the round, or only one that this seat
      has already drawn as a result (§4.3).
    - `goals_before_power`: true | false. Goals are checked before or after the Power Grid step. It moves the
      moment, never the points (§4.4).
    - `solo_goals`: true | false. Alone, goals have deadlines (4 points or 1); else each gives 4 (§4.4).
    - `lamps_trigger_structures`: true | false. Lamp routes activate universities and factories (§5.3).
    - `power_order`: any | as-rolled. As rolled, using a die gives up the earlier one if unused (§6.2).
    - `accumulator_university`: false | true. The university under the accumulator is active from the start
      (§6.7).
    - `accumulator_centre`: false | true. The accumulator's space counts as drawn for the centre, from the start: in the
      score and for goal A (§6.7).
    - `line_may_cross_itself`: true | false. If false, a line enters each space at most once (§7.2).
    - `dead_end_station`: false | true. A route with one side holds a station; a lamp route never does (§1.8, §5.3).

    **Outcomes.** With challenge and random goals first `goal a` .. `goal l`, thrice, without replacement.
    Then each round the route dice in the order of the box, then the expansion's dice, one by one. A route or
    lamp die gives the code of its face (`A0`, `B2`, `L5`; the only text in capitals), a Power Grid die `up`,
    `right`, `down`, `left` or `question`. Equal faces of a die are one outcome with their weights added.

    **Moves while drawing.** Spaces are row letter and column digit: `c3`.

    - `<route> <space> <lie>` draws a route result or a lamp result, by the name in the box:
      `highway-curve c3 ne`, `lamp-t a1 nes`. Equal results are one move.
    - `special:<route> <space> <lie>` draws a special route, the university's extra one too.
    - `copy:<route> <space> <lie>` draws a route result once more, thanks to a factory.
    - `lamps row <letter>`, `lamps column <digit>`: the choice after a special with Street Lamps, all of
      them always, and no other move then.
    - `skip` declines the extra special of the third university; besides it there are only `special:` moves.
    - `done` ends the step for the seat; absent while an undrawn route result has a legal space.

    `<lie>` names sides in the order n e s w:

    - one segment of one type: its sides. `ne` (curve), `ns` (straight), `nes` (T), `n` (dead end), `nesw`.
    - a station: highway sides, a slash, railway sides. `n/e`, `ns/w`, `new/s`, `ns/ew`.
    - two segments of one type: both, joined by +, the one with the north side first. `ne+sw`, `nw+es`,
      `ns+ew`.
    - overpass: the sides of the highway. `ns` or `ew`.

    **Moves in the Power Grid step.**

    - `<arrow> from <start> to <space>` electrifies from the space after the start up to and including the
      last one. The start is an exit, written as edge space and outer side (`up from g1s to d1`, which takes in
      g1), or an electrified space (`up from d1 to b1`, which begins in c1).
    - `<arrow> charge <space>` charges from an electrified space beside the accumulator: `up charge e3`.
    - `question <space>` electrifies one space; `question charge` charges.
    - `done` ends the step for the seat; always present.
    """

    def __init__(self, options: dict[str, object], box: dict[str, object]) -> None:
        for name, values in CHOICES.items():
            if options[name] not in values:
                raise ValueError(f"option {name!r} must be one of {values}, not {options[name]!r}")
        self.options = dict(options)
        self.box = cast("dict[str, Any]", box)
        self.seats = int(cast("int", options["seats"]))
        self.challenge = options["edition"] == "challenge"
        self.lamps = options["expansion"] == "lamps"
        self.power = options["expansion"] == "power"
        self.rounds = int(self.box["rounds"][str(options["expansion"])])
        self._read_board()
        self._read_routes()
        self.sheets = [Sheet() for _ in range(self.seats)]
        self.round = 1
        self.step = "chance"  # chance, drawing, power, over
        self.rolled: list[str] = []  # the dice of this round, in the order of `dice`
        self.dice: list[str] = [
            *self.box["sets"][str(options["edition"])],
            *self.box["sets"][str(options["expansion"])],
        ]
        self.goals: list[str] = []
        self.goal_rounds: list[list[int]] = [[] for _ in range(GOALS_A_MATCH)]  # rounds in which a seat reached it
        chosen = str(options["goals"])
        if self.challenge and chosen != "random":
            self.goals = list(chosen.upper())
            if len(set(self.goals)) != GOALS_A_MATCH or not set(self.goals) <= set(self.box["goals"]):
                raise ValueError(f"option 'goals' must be 'random' or three letters of the goals, not {chosen!r}")
        if self.challenge and self.power and options["accumulator_university"]:  # §6.7
            for sheet in self.sheets:
                sheet.universities += self.accumulator in self.universities
        self._choices_of: dict[int, dict[str, Callable[[], None]]] = {}
        self._lengths: dict[frozenset[tuple[Joint, frozenset[Joint]]], int] = {}

    def _read_board(self) -> None:
        """§1.1, §1.5 The board; structures in the challenge edition only, the accumulator with power only."""
        board = self.box["board"]
        size = board["size"]  # one number for a square board, else rows and columns
        self.rows, self.columns = (size, size) if isinstance(size, int) else (int(size[0]), int(size[1]))
        self.all_spaces = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        self.exits: dict[Exit, str] = {
            (parse_space(item["space"]), item["side"]): item["type"] for item in board["exits"]
        }
        self.middle_exits: set[Exit] = {(parse_space(text[:-1]), text[-1]) for text in board["middle_exits"]}
        self.centre = {parse_space(text) for text in board["centre"]}
        self.accumulator: Space | None = parse_space(board["accumulator"]) if self.power else None
        structures = self.box["structures"] if self.challenge else {}
        self.factories = {parse_space(text) for text in structures.get("factories", [])}
        self.villages = {parse_space(text) for text in structures.get("villages", [])}
        self.universities = {parse_space(text) for text in structures.get("universities", [])}

    def _read_routes(self) -> None:
        """§1.2-§1.6 Routes and special routes by code."""

        def holds_station(item: dict[str, Any]) -> bool:
            """§1.8 A station joins both types; a dead end is one only if the option says so (R20)."""
            dead_end = [len(segment) for segment in item["segments"]] == [1] and not item.get("lamp", False)
            return bool(item.get("station", False) or (dead_end and self.options["dead_end_station"]))

        def read(table: dict[str, Any]) -> dict[str, Route]:
            return {
                code: Route(
                    code,
                    item["name"],
                    frozenset(frozenset(segment.items()) for segment in item["segments"]),
                    holds_station(item),
                    bool(item.get("lamp", False)),
                )
                for code, item in table.items()
            }

        self.specials = read(self.box["specials"])
        self.routes = read(self.box["routes"]) | self.specials
        self.pictures = {code: route.pictures() for code, route in self.routes.items()}

    # Helpers for tests: draw without dice, limits or structures.

    def describe(self, code: str, space: str, orientation: int) -> str:
        """A placement by code and orientation 0-7 as `<route> <space> <lie>`, specials with their prefix."""
        route = self.routes[code]
        return self._format_draw(route, parse_space(space), oriented(route.picture, orientation))

    def may_put(self, seat: int, text: str) -> bool:
        """§3 Whether `<route> <space> <lie>` obeys the drawing rules, whatever the dice say."""
        _, space, picture = self._parse_draw(text)
        return self.accepts(self.sheets[seat], space, picture)

    def put(self, seat: int, text: str) -> None:
        """Draw `<route> <space> <lie>` at once: no check, no result used, nothing triggered."""
        route, space, picture = self._parse_draw(text)
        self.sheets[seat].spaces[space] = Drawn(route, picture)
        self._choices_of.clear()

    def _format_draw(self, route: Route, space: Space, picture: Picture) -> str:
        prefix = "special:" if route.code in self.specials else ""
        return f"{prefix}{route.name} {format_space(space)} {format_lie(picture)}"

    def _parse_draw(self, text: str) -> tuple[Route, Space, Picture]:
        name, space, lie = text.split()
        for code, route in self.routes.items():
            prefix = "special:" if code in self.specials else ""
            if name == prefix + route.name and lie in self.pictures[code]:
                return route, parse_space(space), self.pictures[code][lie]
        raise ValueError(f"no such route: {text!r}")

    # Whose turn, and chance.

    def waiting(self) -> set[int]:
        """§2.1, §2.4 Everybody who has not said done in this step."""
        if self.step not in ("drawing", "power"):
            return set()
        return {seat for seat, sheet in enumerate(self.sheets) if not sheet.done}

    def chance_seat(self) -> int | None:
        """§2.1 Every outcome is for everybody."""
        return None

    def is_over(self) -> bool:
        """§1.9 After the last round."""
        return self.step == "over"

    def outcomes(self) -> dict[str, int]:
        """§2.1, §4.4 The next goal or die."""
        if self.step != "chance":
            return {}
        if self.challenge and len(self.goals) < GOALS_A_MATCH:
            return {f"goal {goal.lower()}": 1 for goal in self.box["goals"] if goal not in self.goals}
        return dict(Counter(self.box["dice"][self.dice[len(self.rolled)]]))

    def reveal(self, outcome: str) -> None:
        """Take one outcome; after the last die of the round, drawing begins."""
        if outcome not in self.outcomes():
            raise ValueError(f"no such outcome now: {outcome!r}")
        if outcome.startswith("goal "):
            self.goals.append(outcome[-1].upper())
            return
        self.rolled.append(outcome)
        if len(self.rolled) == len(self.dice):
            self._begin_drawing()

    def _route_results(self) -> list[str]:
        """§2.1 The results of the route dice of this round, without the expansion's."""
        return self.rolled[: len(self.box["sets"][str(self.options["edition"])])]

    def _expansion_results(self) -> list[str]:
        return self.rolled[len(self._route_results()) :]

    # The course of a round.

    def _begin_drawing(self) -> None:
        """§2.1 Everybody gets the same results."""
        self.step = "drawing"
        for sheet in self.sheets:
            sheet.results = self._route_results()
            sheet.lamp_results = self._expansion_results() if self.lamps else []
            sheet.specials_this_round = 0
            sheet.copies = 0
            sheet.done = False

    def _end_step(self) -> None:
        """§2.4, §4.4, §6.2 Everybody is done: goals, then the Power Grid, then the next round."""
        if self.step == "drawing":
            for sheet in self.sheets:
                sheet.results, sheet.lamp_results, sheet.copies = [], [], 0  # §2.2, §4.3 what is left lapses
            if self.options["goals_before_power"] or not self.power:
                self._check_goals()
            if self.power:
                self.step = "power"
                for sheet in self.sheets:
                    sheet.power_results = self._expansion_results()
                    sheet.done = False
                return
        elif not self.options["goals_before_power"]:
            self._check_goals()
        for sheet in self.sheets:
            sheet.power_results = []
        self.rolled = []
        if self.round == self.rounds:
            self.step = "over"
        else:
            self.round += 1
            self.step = "chance"

    # Moves.

    def moves(self, seat: int) -> set[str]:
        """The legal moves of a seat; none when it is not waited for."""
        return set(self._choices(seat))

    def play(self, seat: int, move: str) -> None:
        """Make a legal move."""
        choices = self._choices(seat)
        if move not in choices:
            raise ValueError(f"illegal move for seat {seat}: {move!r}")
        self._choices_of.clear()
        choices[move]()
        if self.step in ("drawing", "power") and not self.waiting():
            self._end_step()

    def _choices(self, seat: int) -> dict[str, Callable[[], None]]:
        """Every legal move with what it does, worked out once for each moment."""
        if seat not in self.waiting():
            return {}
        if seat not in self._choices_of:
            find = self._drawing_choices if self.step == "drawing" else self._power_choices
            self._choices_of[seat] = find(seat)
        return self._choices_of[seat]

    def _say_done(self, seat: int) -> None:
        self.sheets[seat].done = True

    def facing(self, sheet: Sheet, space: Space, side: str) -> str:
        """What a side of a space meets: H, R, blank, empty, edge or accumulator."""
        beyond = neighbour(space, side)
        if beyond not in self.all_spaces:
            return self.exits.get((space, side), "edge")
        if beyond == self.accumulator:
            return "accumulator"
        if beyond not in sheet.spaces:
            return "empty"
        return sides_of(sheet.spaces[beyond].picture).get(OPPOSITE[side], "blank")

    def accepts(self, sheet: Sheet, space: Space, picture: Picture) -> bool:
        """§3 Whether a picture may be drawn in a space."""
        if space not in self.all_spaces or space in sheet.spaces or space == self.accumulator:  # §3.1, §6.1
            return False
        sides = sides_of(picture)
        meets = {side: self.facing(sheet, space, side) for side in sides}
        continues = any(meets[side] == kind for side, kind in sides.items())  # §3.2
        clashes = any(meets[side] in ("H", "R") and meets[side] != kind for side, kind in sides.items())  # §3.3
        return continues and not clashes

    def _open_spaces(self, sheet: Sheet) -> list[Space]:
        """§3.2 The spaces where some route could continue something; the others need no trying."""
        return [
            space
            for space in self.all_spaces
            if space not in sheet.spaces and any(self.facing(sheet, space, side) in ("H", "R") for side in SIDES)
        ]

    def _drawing_choices(self, seat: int) -> dict[str, Callable[[], None]]:
        """§2.2, §2.3, §3, §4, §5 The moves of the drawing step."""
        sheet = self.sheets[seat]
        choices: dict[str, Callable[[], None]] = {}
        if sheet.owes_lamp_choice:  # §5.1, and §4.2: it comes before the extra special
            for index in range(self.rows):
                row = {space for space in self.all_spaces if space[0] == index}
                choices[f"lamps row {chr(ord('a') + index)}"] = partial(self._activate_lamps, seat, row)
            for index in range(self.columns):
                column = {space for space in self.all_spaces if space[1] == index}
                choices[f"lamps column {index}"] = partial(self._activate_lamps, seat, column)
            return choices
        open_spaces = self._open_spaces(sheet)

        def offer(code: str, prefix: str, use: Callable[[int, str], None]) -> bool:
            """Add every legal drawing of a route; tell whether there is one."""
            route, found = self.routes[code], False
            for space in open_spaces:
                for lie, picture in self.pictures[code].items():
                    if self.accepts(sheet, space, picture):
                        text = f"{prefix}{route.name} {format_space(space)} {lie}"
                        choices[text] = partial(self._draw, seat, route, space, picture, use)
                        found = True
            return found

        unused = [code for code in self.specials if code not in sheet.specials_used]
        if sheet.owes_special:  # §4.2 no other move
            for code in unused:
                offer(code, "special:", self._use_owed_special)
            choices["skip"] = partial(self._skip, seat)
            return choices
        blocked = False
        for code in set(sheet.results):
            blocked = offer(code, "", self._use_result) or blocked
        for code in set(sheet.lamp_results):  # §3.4
            offer(code, "", self._use_lamp_result)
        if self._has_counted_special(sheet) or sheet.extra_specials > 0:
            for code in unused:
                offer(code, "special:", self._use_special)
        if sheet.copies > 0:
            for code in self._copyable(sheet):
                offer(code, "copy:", self._use_copy)
        if not blocked:  # §2.2
            choices["done"] = partial(self._say_done, seat)
        return choices

    def _has_counted_special(self, sheet: Sheet) -> bool:
        """§2.3 Whether the limits of the round and of the game allow one more special."""
        limits = self.box["limits"]
        return bool(
            sheet.specials_this_round < limits["specials_a_round"]
            and sheet.specials_counted < limits["specials_a_game"]
        )

    def _copyable(self, sheet: Sheet) -> set[str]:
        """§4.3 The results a factory may repeat."""
        rolled = Counter(self._route_results())
        if self.options["factory_copy"] == "any":
            return set(rolled)
        return set(rolled - Counter(sheet.results))

    def _draw(self, seat: int, route: Route, space: Space, picture: Picture, use: Callable[[int, str], None]) -> None:
        """§3, §4 Draw a route, pay for it, and let the structure in its space act."""
        sheet = self.sheets[seat]
        sheet.spaces[space] = Drawn(route, picture)
        use(seat, route.code)
        if route.lamp and not self.options["lamps_trigger_structures"]:  # §5.3
            return
        if space in self.factories:  # §4.3
            sheet.copies += 1
        if space in self.universities:  # §4.2
            sheet.universities += 1
            if sheet.universities == self.box["limits"]["universities_for_special"]:
                if self.options["university_special"] == "at-once":
                    sheet.owes_special = True
                else:
                    sheet.extra_specials += 1

    def _use_result(self, seat: int, code: str) -> None:
        self.sheets[seat].results.remove(code)

    def _use_lamp_result(self, seat: int, code: str) -> None:
        self.sheets[seat].lamp_results.remove(code)

    def _use_copy(self, seat: int, code: str) -> None:
        self.sheets[seat].copies -= 1

    def _use_special(self, seat: int, code: str) -> None:
        """§2.3 A special of the player's own choice."""
        sheet = self.sheets[seat]
        if self._has_counted_special(sheet):
            sheet.specials_this_round += 1
            sheet.specials_counted += 1
        else:
            sheet.extra_specials -= 1
        self._mark_special(sheet, code)

    def _use_owed_special(self, seat: int, code: str) -> None:
        """§4.2 The extra special of the third university, outside both limits."""
        self.sheets[seat].owes_special = False
        self._mark_special(self.sheets[seat], code)

    def _mark_special(self, sheet: Sheet, code: str) -> None:
        """§2.3 Each special once; §5.1 with Street Lamps every use asks for a row or column."""
        sheet.specials_used.add(code)
        sheet.owes_lamp_choice = self.lamps

    def _skip(self, seat: int) -> None:
        """§4.2 The extra special is lost."""
        self.sheets[seat].owes_special = False

    def _activate_lamps(self, seat: int, spaces: set[Space]) -> None:
        """§5.1 Every lamp of the chosen row or column becomes active."""
        sheet = self.sheets[seat]
        sheet.owes_lamp_choice = False
        sheet.active_lamps |= {space for space in spaces if space in sheet.spaces and sheet.spaces[space].route.lamp}

    def _power_choices(self, seat: int) -> dict[str, Callable[[], None]]:
        """§6.2-§6.5 The moves of the Power Grid step."""
        sheet = self.sheets[seat]
        choices: dict[str, Callable[[], None]] = {"done": partial(self._say_done, seat)}
        can_charge = sheet.charges < self.box["limits"]["charges"]
        for result in set(sheet.power_results):
            if result == "question":  # §6.5
                for space in set(sheet.spaces) - sheet.electrified:
                    choices[f"question {format_space(space)}"] = partial(self._electrify, seat, result, {space})
                if can_charge:
                    choices["question charge"] = partial(self._charge, seat, result)
                continue
            direction = ARROWS[result]
            starts = {
                f"{format_space(space)}{side.lower()}": space
                for space, side in self.exits
                if side == OPPOSITE[direction]
            } | {format_space(space): neighbour(space, direction) for space in sheet.electrified}
            for start, space in starts.items():
                if space == self.accumulator and can_charge:  # §6.4
                    choices[f"{result} charge {start}"] = partial(self._charge, seat, result)
                line: set[Space] = set()
                while space in sheet.spaces and space not in sheet.electrified:  # §6.3
                    line = line | {space}
                    text = f"{result} from {start} to {format_space(space)}"
                    choices[text] = partial(self._electrify, seat, result, line)
                    space = neighbour(space, direction)
        return choices

    def _use_power(self, sheet: Sheet, result: str) -> None:
        """§6.2 A die is used once; as rolled, using it gives up the one before."""
        index = sheet.power_results.index(result)
        first = 0 if self.options["power_order"] == "as-rolled" else index
        del sheet.power_results[first : index + 1]

    def _electrify(self, seat: int, result: str, spaces: set[Space]) -> None:
        self._use_power(self.sheets[seat], result)
        self.sheets[seat].electrified |= spaces

    def _charge(self, seat: int, result: str) -> None:
        self._use_power(self.sheets[seat], result)
        self.sheets[seat].charges += 1

    # Networks and lines.

    def links(self, sheet: Sheet) -> dict[Joint, dict[str, Joint]]:
        """§1.8 Every segment drawn, with the segment that continues it at each of its sides."""
        carries = {
            (space, side, kind): (space, segment)
            for space, drawn in sheet.spaces.items()
            for segment in drawn.picture
            for side, kind in segment
        }
        result: dict[Joint, dict[str, Joint]] = {joint: {} for joint in carries.values()}
        for (space, side, kind), joint in carries.items():
            other = carries.get((neighbour(space, side), OPPOSITE[side], kind))
            if other is not None:
                result[joint][side] = other
        return result

    def networks(self, sheet: Sheet) -> list[set[Joint]]:
        """§7.1 Segments that hang together, through stations too."""
        links = {joint: set(others.values()) for joint, others in self.links(sheet).items()}
        return connected_parts(links)

    def exits_of(self, network: set[Joint]) -> set[Exit]:
        """§7.1 The exits of a network: the edge space carries the exit's type on that side."""
        return {
            (space, side)
            for space, segment in network
            for side, kind in segment
            if self.exits.get((space, side)) == kind
        }

    def longest_line(self, sheet: Sheet, kind: str) -> int:
        """§7.2 Spaces of the longest line of one type.

        Four highway curves in a closed loop make 4.
        """
        links: dict[Joint, set[Joint]] = {}
        for joint, others in self.links(sheet).items():
            if any(carried == kind for _, carried in joint[1]):
                links[joint] = {other for side, other in others.items() if (side, kind) in joint[1]}
        best = 0
        for part in sorted(connected_parts(links), key=len, reverse=True):
            if len({space for space, _ in part}) > best:
                best = max(best, self._longest_in(part, links))
        return best

    def _longest_in(self, part: set[Joint], links: dict[Joint, set[Joint]]) -> int:
        """§7.2 The longest line within one connected part, remembered while the part stays the same."""
        key = frozenset((joint, frozenset(links[joint])) for joint in part)
        if key not in self._lengths:
            self._lengths[key] = longest_path(part, links, bool(self.options["line_may_cross_itself"]))
        return self._lengths[key]

    # Goals.

    def _check_goals(self) -> None:
        """§4.4 Give points to all who reach a goal in this round."""
        scoring = self.box["scoring"]
        for index, goal in enumerate(self.goals):
            reached = [
                sheet for sheet in self.sheets if index not in sheet.goals_reached and self.has_goal(sheet, goal)
            ]
            if not reached:
                continue
            if self.seats == 1 and self.options["solo_goals"]:
                late = self.round > scoring["solo_goal_rounds"][index]
                points = scoring["solo_goal_points"][1 if late else 0]
            else:
                points = scoring["goal_points"][min(len(self.goal_rounds[index]), len(scoring["goal_points"]) - 1)]
            self.goal_rounds[index].append(self.round)
            for sheet in reached:
                sheet.goals_reached.add(index)
                sheet.goal_points[index] = points

    def has_goal(self, sheet: Sheet, goal: str) -> bool:
        """§4.4 Whether a sheet fulfils a goal card."""
        item = self.box["goals"][goal]
        return self._count_for_goal(sheet, item["kind"]) >= int(item["at_least"])

    def _count_for_goal(self, sheet: Sheet, kind: str) -> int:
        """§4.4 What a goal card counts. The accumulator is not drawn, so it never helps."""
        drawn = set(sheet.spaces)
        networks = self.networks(sheet)
        if kind == "centre":
            return self.count_centre(sheet)
        if kind == "villages":
            return self.active_villages(sheet)
        if kind == "line":
            rows = [{(row, column) for column in range(self.columns)} for row in range(self.rows)]
            columns = [{(row, column) for row in range(self.rows)} for column in range(self.columns)]
            return sum(line <= drawn for line in rows + columns)
        if kind == "corners":
            bottom, right = self.rows - 1, self.columns - 1
            return len(drawn & {(0, 0), (0, right), (bottom, 0), (bottom, right)})
        if kind == "block":
            blocks = [
                {(row + down, column + right) for down in range(3) for right in range(3)}
                for row in range(self.rows - 2)
                for column in range(self.columns - 2)
            ]
            return sum(block <= drawn for block in blocks)
        if kind == "loop":  # a connected part without a loop has one link fewer than segments
            ends = sum(len(others) for others in self.links(sheet).values())
            return ends // 2 - sum(len(network) - 1 for network in networks)
        if kind == "exits":
            return max((len(self.exits_of(network)) for network in networks), default=0)
        if kind == "stations":
            return max((len(self._stations_of(sheet, network)) for network in networks), default=0)
        if kind == "highway":
            return self.longest_line(sheet, "H")
        if kind == "railway":
            return self.longest_line(sheet, "R")
        if kind == "opposite":
            sides = [{side for _, side in self.exits_of(network)} for network in networks]
            return sum({"N", "S"} <= found or {"E", "W"} <= found for found in sides)
        if kind == "middle":
            return max((len(self.exits_of(network) & self.middle_exits) for network in networks), default=0)
        raise ValueError(f"unknown kind of goal in the box: {kind!r}")

    def _stations_of(self, sheet: Sheet, network: set[Joint]) -> set[Space]:
        return {space for space, _ in network if sheet.spaces[space].route.station}

    # Scoring.

    def score(self, seat: int) -> dict[str, int]:
        """§7 Every scoring line of a seat as it stands; goals count from the moment they are checked."""
        sheet = self.sheets[seat]
        points = [
            self.exit_points(sheet),
            self.longest_line(sheet, "H"),
            self.longest_line(sheet, "R"),
            self.count_centre(sheet),
            -self.count_errors(sheet),
            self.village_points(sheet),
            *sheet.goal_points,
            self.expansion_points(sheet),
        ]
        return dict(zip(LINES, points, strict=True))

    def standing(self, seat: int) -> tuple[int, ...]:
        """§7.6 The total, then fewer errors."""
        return sum(self.score(seat).values()), -self.count_errors(self.sheets[seat])

    def facts(self, seat: int) -> dict[str, int]:
        """Exits in networks of at least two, the number of such networks, and specials used."""
        counts = [len(self.exits_of(network)) for network in self.networks(self.sheets[seat])]
        joined = [count for count in counts if count >= 2]
        return {
            "exits": sum(joined),
            "networks": len(joined),
            "specials": len(self.sheets[seat].specials_used),
        }

    def exit_points(self, sheet: Sheet) -> int:
        """§7.1 Each network by its number of exits: three exits give 8, twelve give 45."""
        table = self.box["scoring"]["exit_points"]
        return sum(int(table[len(self.exits_of(network))]) for network in self.networks(sheet))

    def count_errors(self, sheet: Sheet) -> int:
        """§7.4, §6.7 Open ends that meet no matching side, no outer edge and no accumulator."""
        errors = 0
        for space, drawn in sheet.spaces.items():
            for side, kind in sides_of(drawn.picture).items():
                on_outer_edge = neighbour(space, side) not in self.all_spaces
                met = self.facing(sheet, space, side)
                errors += not on_outer_edge and met not in (kind, "accumulator")
        return errors

    def count_centre(self, sheet: Sheet) -> int:
        """§7.3 Centre spaces drawn. §6.7 Nothing is drawn on the accumulator, so it counts only if the option says so."""
        counted = set(sheet.spaces)
        if self.accumulator is not None and self.options["accumulator_centre"]:
            counted.add(self.accumulator)
        return len(counted & self.centre)

    def active_villages(self, sheet: Sheet) -> int:
        """§4.1 Villages whose space holds a station."""
        return sum(space in sheet.spaces and sheet.spaces[space].route.station for space in self.villages)

    def village_points(self, sheet: Sheet) -> int:
        """§4.1 Three villages give 6 (per step: 2 + 4 + 6)."""
        reached = [int(points) for points in self.box["scoring"]["village_points"][: self.active_villages(sheet)]]
        if self.options["village_points"] == "per-step":
            return sum(reached)
        return reached[-1] if reached else 0

    def expansion_points(self, sheet: Sheet) -> int:
        """§5.2 One for each active lamp; §6.6 charges times linked exits: 2 charges, 5 exits give 10."""
        if self.power:
            return sheet.charges * len(self.powered_exits(sheet))
        return len(sheet.active_lamps)

    def powered_exits(self, sheet: Sheet) -> set[Exit]:
        """§6.6 Exits whose edge space is linked to the accumulator through adjacent electrified spaces."""
        linked: set[Space] = set()
        found = {self.accumulator} if self.accumulator else set()
        while found:
            linked |= found
            found = {neighbour(space, side) for space in found for side in SIDES} & (sheet.electrified - linked)
        return {(space, side) for space, side in self.exits if space in linked & sheet.electrified}


def connected_parts(links: dict[Joint, set[Joint]]) -> list[set[Joint]]:
    """The connected parts of a graph."""
    parts: list[set[Joint]] = []
    left = set(links)
    while left:
        part: set[Joint] = set()
        found = {left.pop()}
        while found:
            part |= found
            found = {other for joint in found for other in links[joint]} - part
        parts.append(part)
        left -= part
    return parts


def longest_path(part: set[Joint], links: dict[Joint, set[Joint]], may_cross_itself: bool) -> int:
    """§7.2 The most spaces on a simple path over the segments of one connected part.

    Every path from every start is followed, but for those that could not beat the best even if they took in
    every space still within reach.
    """
    every_space = len({space for space, _ in part})
    best = 0

    def within_reach(joint: Joint, path: set[Joint], spaces: set[Space]) -> set[Space]:
        seen, found = {joint}, [joint]
        while found:
            for other in links[found.pop()]:
                if other not in seen and other not in path and (may_cross_itself or other[0] not in spaces):
                    seen.add(other)
                    found.append(other)
        return {space for space, _ in seen}

    def follow(joint: Joint, path: set[Joint], spaces: set[Space]) -> None:
        nonlocal best
        best = max(best, len(spaces))
        if best == every_space or len(spaces | within_reach(joint, path, spaces)) <= best:
            return
        for other in links[joint]:
            if other not in path and (may_cross_itself or other[0] not in spaces):
                follow(other, path | {other}, spaces | {other[0]})

    for start in sorted(part, key=lambda joint: len(links[joint])):  # ends of lines first: a good line soon
        follow(start, {start}, {start[0]})
    return best
