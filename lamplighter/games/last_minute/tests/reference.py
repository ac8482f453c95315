"""The slow reference of Last Minute Christmas: the rules once more, in plain sets and dictionaries.

It exists to be compared with the fast kernel and shares nothing with it but the box.
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

Cell = tuple[int, int]  # row, col; row 0 at the top

FACES = (1, 2, 3, 4, 5, 6)
DICE = 3
ORTHOGONAL = {(-1, 0), (0, -1), (0, 1), (1, 0)}
SURROUNDING = ORTHOGONAL | {(-1, -1), (-1, 1), (1, -1), (1, 1)}


def load_box() -> dict[str, Any]:
    """Read the component data that ships with the game."""
    with (Path(__file__).parent.parent / "box.toml").open("rb") as file:
        return tomllib.load(file)


def format_cell(cell: Cell) -> str:
    """Write a cell as row letter and column number: (2, 3) is `c3`."""
    row, col = cell
    return f"{'abcdefghijklmnopqrstuvwxyz'[row]}{col}"


def format_ornament(name: str) -> str:
    """Write an ornament as moves and score lines do: `Candy cane` is `candy-cane`."""
    return name.lower().replace(" ", "-")


@dataclass(frozen=True)
class Choice:
    """One way to draw: the face of the die used, the face whose ornament is drawn, the cell."""

    face: int
    ornament: int  # 1..6, the face that the ornament belongs to
    cell: Cell


def no_marks() -> dict[int, int]:
    """Count nothing yet for each of the six ornaments."""
    return dict.fromkeys(FACES, 0)


@dataclass
class Sheet:
    """What one player has written so far."""

    drawn: dict[Cell, int] = field(default_factory=dict)  # the tree: cell -> ornament
    circled: dict[int, int] = field(default_factory=no_marks)  # by ornament, from the low end
    crossed: dict[int, int] = field(default_factory=no_marks)  # by ornament, from the high end
    power_boxes_circled: int = 0  # uses ever enabled
    power_boxes_crossed: int = 0  # of these, uses spent
    turn_points: list[int] = field(default_factory=list)  # one per turn box filled in
    rescues: int = 0

    def powers(self) -> int:
        """§13 Count the uses of +1/-1 that are available."""
        return self.power_boxes_circled - self.power_boxes_crossed


class Reference:
    """One match, step by step.

    Moves: `<face> <ornament> <cell>`, for example `3 star c3` or `2 candy-cane f0`.
        face      the printed face, 1..6, of the die taken; equal dice are one and the same choice
        ornament  the ornament drawn: its name from the box in lower case, with hyphens for spaces
        cell      the square: row letter from the top (`a` first), then column number from the left (0 first)
    The uses of +1/-1 paid are the distance from the face to the ornament's own face; so `3 bow c3` pays one.
    A draw by the rescue rule is written the same way and pays nothing.

    Outcomes: `first <seat>` (`first 0`, `first 1`, ...), once, if the starting seat is left to chance;
    then in every turn three dice, one at a time, each `1` .. `6`. All have weight 1 and are for everybody.
    """

    def __init__(self, options: dict[str, object], box: dict[str, object]) -> None:
        """§1 Give everybody an empty sheet; §2 look up the number of turns."""
        self.seats = cast("int", options["seats"])
        self.connect = cast("int", options["connect"])
        self.cross_uses = cast("str", options["cross_uses"])
        self.wrap = cast("bool", options["wrap"])
        first_player = cast("str", options["first_player"])

        self.squares: set[Cell] = set()
        self.icons: set[Cell] = set()
        for row, text in enumerate(cast("list[str]", box["tree"])):
            for col, mark in enumerate(text):
                if mark in "#+":
                    self.squares.add((row, col))
                if mark == "+":
                    self.icons.add((row, col))
        names = cast("list[str]", box["ornaments"])
        self.names = {face: format_ornament(name) for face, name in zip(FACES, names, strict=True)}
        tracks = cast("list[list[int]]", box["tracks"])
        self.tracks = dict(zip(FACES, tracks, strict=True))
        self.power_boxes = cast("int", box["power_boxes"])
        self.icon_bonus = cast("int", box["icon_bonus"])

        if self.seats not in (2, 3, 4, 5):
            raise ValueError(f"seats must be 2 to 5 (§1), not {self.seats!r}")
        if self.connect not in (4, 8):
            raise ValueError(f"connect must be 4 or 8 (§11), not {self.connect!r}")
        if self.cross_uses not in ("face", "drawn"):
            raise ValueError(f"cross_uses must be 'face' or 'drawn' (§5), not {self.cross_uses!r}")
        if first_player not in {"random"} | {str(seat) for seat in range(self.seats)}:
            raise ValueError(f"first_player must be 'random' or a seat (§16), not {first_player!r}")
        self.turns = cast("dict[str, int]", box["turns"])[str(self.seats)]
        if len(self.squares) < self.turns:
            raise ValueError(f"{len(self.squares)} squares are too few for {self.turns} turns (§4)")

        self.sheets = [Sheet() for _ in range(self.seats)]
        self.first: int | None = None if first_player == "random" else int(first_player)
        self.turn = 1
        self.dice: list[int] = []  # on the table, in the order rolled
        self.rolled = 0  # dice rolled this turn
        self.has_drawn: set[int] = set()  # seats, this turn

    # Whose step it is

    def is_over(self) -> bool:
        """§2 The match ends after its last turn."""
        return self.turn > self.turns

    def active(self) -> int:
        """§3 Name the active seat; the turn passes to the left."""
        assert self.first is not None
        return (self.first + self.turn - 1) % self.seats

    def waiting(self) -> set[int]:
        """§4, §6 The active seat draws alone, then all passive seats at the same time."""
        if self.is_over() or self.rolled < DICE:
            return set()
        if self.active() not in self.has_drawn:
            return {self.active()}
        return set(range(self.seats)) - self.has_drawn

    # Chance

    def chance_seat(self) -> int | None:
        """§4 The dice lie on the table for everybody, and so does the draw for the first seat."""
        return None

    def outcomes(self) -> dict[str, int]:
        """§16 The starting seat, if it is random; §4 then one die at a time."""
        if self.is_over():
            return {}
        if self.first is None:
            return {f"first {seat}": 1 for seat in range(self.seats)}
        if self.rolled < DICE:
            return {str(face): 1 for face in FACES}
        return {}

    def reveal(self, outcome: str) -> None:
        """§16 Set the starting seat, or §4 put one more die on the table."""
        if outcome not in self.outcomes():
            raise ValueError(f"outcome {outcome!r} is not among {sorted(self.outcomes())}")
        if self.first is None:
            self.first = int(outcome.removeprefix("first "))
        else:
            self.dice.append(int(outcome))
            self.rolled += 1

    # What may be drawn

    def free(self, seat: int, ornament: int) -> int:
        """§9 Count the squares of a track that are neither circled nor crossed."""
        sheet = self.sheets[seat]
        return len(self.tracks[ornament]) - sheet.circled[ornament] - sheet.crossed[ornament]

    def cost(self, face: int, ornament: int) -> int:
        """§13 Count the uses of +1/-1 from a face to an ornament; with `wrap` 6 and 1 are neighbours."""
        straight = abs(ornament - face)
        if self.wrap:
            return min(straight, len(FACES) - straight)
        return straight

    def by_dice(self, seat: int) -> set[tuple[int, int]]:
        """§4, §6, §13 List (face, ornament) for all the seat can reach and has a free square for (§9)."""
        return {
            (face, ornament)
            for face in self.dice
            for ornament in FACES
            if self.cost(face, ornament) <= self.sheets[seat].powers() and self.free(seat, ornament) >= 1
        }

    def by_rescue(self, seat: int) -> set[tuple[int, int]]:
        """§9 List (face, ornament) for a stuck seat: any ornament with a free square, or else any."""
        open_ornaments = {ornament for ornament in FACES if self.free(seat, ornament) >= 1}
        return {(face, ornament) for face in self.dice for ornament in open_ornaments or set(FACES)}

    def needs_rescue(self, seat: int) -> bool:
        """§9 A seat is stuck if no die, changed or not, gives an ornament with a free square."""
        return not self.by_dice(seat)

    def neighbours(self, cell: Cell, directions: set[Cell]) -> set[Cell]:
        """List the squares of the tree one step from a cell."""
        row, col = cell
        return {(row + down, col + right) for down, right in directions} & self.squares

    def open_cells(self, seat: int) -> set[Cell]:
        """§11 List the empty squares that connect; any empty one on the first turn, or if none connects."""
        drawn = set(self.sheets[seat].drawn)
        directions = SURROUNDING if self.connect == 8 else ORTHOGONAL
        empty = self.squares - drawn
        connected = {cell for cell in empty if self.neighbours(cell, directions) & drawn}
        return connected or empty

    def choices(self, seat: int) -> dict[str, Choice]:
        """§4, §6, §9, §11 List what the seat may do now, by its text. Nobody may pass."""
        if seat not in self.waiting():
            return {}
        pairs = self.by_rescue(seat) if self.needs_rescue(seat) else self.by_dice(seat)
        return {
            f"{face} {self.names[ornament]} {format_cell(cell)}": Choice(face, ornament, cell)
            for face, ornament in pairs
            for cell in self.open_cells(seat)
        }

    def moves(self, seat: int) -> set[str]:
        """List the legal moves of a seat as text; none if it is not waiting."""
        return set(self.choices(seat))

    # Drawing

    def play(self, seat: int, move: str) -> None:
        """§4 to §7 Draw; after the active seat the others cross; after the last one the turn ends."""
        choices = self.choices(seat)
        if move not in choices:
            raise ValueError(f"illegal move {move!r} of seat {seat}, legal are {sorted(choices)}")
        choice = choices[move]
        self.pay(seat, choice)
        self.draw(seat, choice)
        self.has_drawn.add(seat)
        if seat == self.active():
            self.dice.remove(choice.face)
            self.cross(choice.face if self.cross_uses == "face" else choice.ornament)
        if len(self.has_drawn) == self.seats:
            self.end_turn()

    def pay(self, seat: int, choice: Choice) -> None:
        """§13 Cross out the uses of +1/-1; §9 the rescue pays nothing."""
        sheet = self.sheets[seat]
        if self.needs_rescue(seat):
            sheet.rescues += 1
        else:
            sheet.power_boxes_crossed += self.cost(choice.face, choice.ornament)

    def draw(self, seat: int, choice: Choice) -> None:
        """§7 Draw and circle the lowest free value; §10 note the points; §12 an icon enables a use.

        A power box is circled once and for all: when none is left, an icon still counts but enables nothing.
        """
        sheet = self.sheets[seat]
        sheet.drawn[choice.cell] = choice.ornament
        if self.free(seat, choice.ornament) >= 1:
            sheet.circled[choice.ornament] += 1
        sheet.turn_points.append(self.points_for(seat, choice.cell))
        if choice.cell in self.icons and sheet.power_boxes_circled < self.power_boxes:
            sheet.power_boxes_circled += 1

    def points_for(self, seat: int, cell: Cell) -> int:
        """§10 Score a drawing: 1, and 1 per ornament around it that differs (always in all eight directions).

        A star with a bow, a bauble and a bell around it scores 4.
        """
        drawn = self.sheets[seat].drawn
        around = [drawn[other] for other in self.neighbours(cell, SURROUNDING) if other in drawn]
        return 1 + len([ornament for ornament in around if ornament != drawn[cell]])

    def cross(self, ornament: int) -> None:
        """§5 Every passive seat crosses the highest free square of a track, if it has one."""
        for seat in range(self.seats):
            if seat != self.active() and self.free(seat, ornament) >= 1:
                self.sheets[seat].crossed[ornament] += 1

    def end_turn(self) -> None:
        """§3 Clear the table and pass the turn to the left."""
        self.turn += 1
        self.dice = []
        self.rolled = 0
        self.has_drawn = set()

    # Scoring

    def highest_circled(self, seat: int, ornament: int) -> int:
        """§14 Read the value of the last circle on a track; 0 without one.

        Three circles on the track 1 3 6 10 15 21 are worth 6.
        """
        circled = self.sheets[seat].circled[ornament]
        return self.tracks[ornament][circled - 1] if circled > 0 else 0

    def icons_covered(self, seat: int) -> int:
        """§12 Count the icon squares that hold an ornament."""
        return len(self.icons & set(self.sheets[seat].drawn))

    def score(self, seat: int) -> dict[str, int]:
        """§14 Turn boxes, one line per ornament, unused powers, the bonus for all icons.

        On a tree without icons all of them are covered from the start.
        """
        sheet = self.sheets[seat]
        lines = {"turns": sum(sheet.turn_points)}
        for ornament in FACES:
            lines[self.names[ornament]] = self.highest_circled(seat, ornament)
        lines["powers"] = sheet.powers()
        lines["icons"] = self.icon_bonus if self.icons_covered(seat) == len(self.icons) else 0
        return lines

    def standing(self, seat: int) -> tuple[int, ...]:
        """§15 The total, then the unused powers; seats that are equal in both share the victory."""
        return sum(self.score(seat).values()), self.sheets[seat].powers()

    def facts(self, seat: int) -> dict[str, int]:
        """Count the draws by rescue (§9), the tracks without a free square (§9), the icons covered (§12)."""
        return {
            "rescues": self.sheets[seat].rescues,
            "closed": len([ornament for ornament in FACES if self.free(seat, ornament) == 0]),
            "covered": self.icons_covered(seat),
        }
