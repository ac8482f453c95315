"""The slow reference of My Game: the rules once more, in plain sets and dictionaries.

It exists to be compared with the kernels, step by step, and shares nothing with them but the box. Write it from
RULES.md, best of all before rules.py or by somebody else, and always in the most obvious way.
"""

import tomllib
from pathlib import Path
from typing import Any, cast

Cell = tuple[int, int]  # row, column

FACES = (1, 2, 3, 4, 5, 6)


def load_box() -> dict[str, Any]:
    """Read the component data that ships with the game."""
    with (Path(__file__).parent.parent / "box.toml").open("rb") as file:
        return tomllib.load(file)


def format_cell(cell: Cell) -> str:
    """Write a cell as row letter and column number: (1, 2) is `b2`."""
    row, col = cell
    return f"{'abcde'[row]}{col}"


class Reference:
    """One match, step by step.

    Moves: the cell to write in, `a0` to `c2`. Outcomes: the face of the die, `1` to `6`, for everybody.
    """

    def __init__(self, options: dict[str, object], box: dict[str, object]) -> None:
        """§1 Give everybody an empty grid. `options` has every option, `box` is what box.toml says."""
        self.seats = cast("int", options["seats"])
        self.equal = cast("bool", options["equal"])
        self.touching = cast("bool", options["touching"])
        size = cast("int", box["size"])
        self.row_points = cast("list[int]", box["row_points"])
        self.column_points = cast("list[int]", box["column_points"])
        self.rows = [[(row, col) for col in range(size)] for row in range(size)]
        self.columns = [[(row, col) for row in range(size)] for col in range(size)]
        self.cells = {cell for row in self.rows for cell in row}
        self.sheets: list[dict[Cell, int]] = [{} for _ in range(self.seats)]
        self.rolled: list[int] = []

    # Whose step it is

    def is_over(self) -> bool:
        """§2 The match ends when every grid is full."""
        return all(set(sheet) == self.cells for sheet in self.sheets)

    def waiting(self) -> set[int]:
        """§4 Everybody writes each number rolled, all at the same time."""
        return {seat for seat in range(self.seats) if len(self.sheets[seat]) < len(self.rolled)}

    # Chance

    def outcomes(self) -> dict[str, int]:
        """§3 Any face, once everybody has written the last one."""
        return {} if self.waiting() or self.is_over() else {str(face): 1 for face in FACES}

    def reveal(self, outcome: str) -> None:
        """§3 Roll the die."""
        self.rolled.append(int(outcome))

    # Writing

    def moves(self, seat: int) -> set[str]:
        """§4 List the empty cells; R2 with `touching` only those beside a number, after the first one."""
        if seat not in self.waiting():
            return set()
        written = set(self.sheets[seat])
        empty = self.cells - written
        if self.touching and written:
            empty = {cell for cell in empty if self.neighbours(cell) & written}
        return {format_cell(cell) for cell in empty}

    def neighbours(self, cell: Cell) -> set[Cell]:
        """R2 List the cells that share a side with this one."""
        row, col = cell
        return {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)} & self.cells

    def play(self, seat: int, move: str) -> None:
        """§4 Write the number."""
        cells = {format_cell(cell): cell for cell in self.cells}
        self.sheets[seat][cells[move]] = self.rolled[-1]

    # Scoring

    def rising(self, seat: int, lines: list[list[Cell]]) -> int:
        """§5, §6 Count the full lines whose numbers are in order, R1 without equal ones unless `equal`."""
        count = 0
        for line in lines:
            numbers = [self.sheets[seat][cell] for cell in line if cell in self.sheets[seat]]
            is_full = len(numbers) == len(line)
            all_differ = len(set(numbers)) == len(numbers)
            if is_full and numbers == sorted(numbers) and (all_differ or self.equal):
                count += 1
        return count

    def score(self, seat: int) -> dict[str, int]:
        """§5, §6 Look up the points of each line, as if the match ended now."""
        return {
            "rows": self.row_points[self.rising(seat, self.rows)],
            "columns": self.column_points[self.rising(seat, self.columns)],
        }

    def standing(self, seat: int) -> tuple[int, ...]:
        """§7 The total, then the rising rows."""
        return sum(self.score(seat).values()), self.rising(seat, self.rows)
