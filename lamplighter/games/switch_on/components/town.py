"""The map of a box: what is on each square, the trees and how far they reach, grounds of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.tables import (
    CHURCH,
    ENTRANCE,
    MAX_GROUNDS,
    MAX_REACH,
    MAX_SIDE,
    MAX_SQUARES,
    MAX_TREES,
    OPEN,
    POWER,
    SHOP,
    STREET,
    add_square,
)

if TYPE_CHECKING:
    import numpy as np

    from lamplighter.engine.component_file import ComponentFile

PRINTED = SHOP + POWER + CHURCH + STREET + ENTRANCE + OPEN  # letters that mean the same on every map
PLACES = ("cable", "shop", "open", "street", "entrance", "tree", "any")
LIKE = ("shop", "empty", "none")  # how strands treat a ground


class Tree(NamedTuple):
    times: int
    reach: int


class Town(NamedTuple):
    """The map and what its letters mean."""

    rows: list[str]
    trees: dict[str, Tree]
    shops: str  # letters of squares on which every strand may lie
    empty: str  # letters of the empty squares
    named: dict[str, str]  # names of grounds of one's own, and their letters

    def squares(self, letters: str) -> list[int]:
        """Return the squares that have one of these letters."""
        return [square for square, mark in enumerate("".join(self.rows)) if mark in letters]

    def terrain(self, text: str) -> str:
        """Return the letters on which a square of a shape may lie; nothing if the text cannot be read."""
        known = {"H": self.shops, "e": self.empty, "*": self.shops + self.empty}
        known |= {letter: letter for letter in self.shops + self.empty if letter not in known}
        return "".join(known[letter] for letter in text) if text and all(letter in known for letter in text) else ""

    def place(self, word: str) -> str:
        """Return the letters of a place for decorations that asks for no strand."""
        grounds = {
            "shop": SHOP + POWER, "open": OPEN, "street": STREET, "entrance": ENTRANCE, "tree": "".join(self.trees),
            "any": "".join(sorted(set("".join(self.rows)) - {CHURCH})), **self.named, **{tree: tree for tree in self.trees},
        }  # fmt: skip
        return grounds[word]

    def places(self) -> list[str]:
        """Return the words for places."""
        return [*PLACES, *self.named, *self.trees]


def times_of(tree: Any) -> int:
    """Return what a tree of a component file multiplies by."""
    return int(tree["times"] if isinstance(tree, dict) else tree)


def reach_of(tree: Any) -> int:
    """§B5 Return how many spaces a tree of a component file reaches; one if the chart does not say."""
    return int(tree["reach"]) if isinstance(tree, dict) else 1


def read_town(file: ComponentFile, box: np.void) -> Town:
    """Return the town of a component file, and fill the tables that follow from it alone."""
    own = _read_grounds(file)
    trees = _read_trees(file, PRINTED + "".join(letter for letter, _, _ in own))
    known = PRINTED + "".join(letter for letter, _, _ in own) + "".join(trees)
    rows = _read_rows(file, box, known)
    shops, empty = (
        printed + "".join(letter for letter, _, like in own if like == kind)
        for printed, kind in ((SHOP + POWER, "shop"), (STREET + ENTRANCE + OPEN, "empty"))
    )
    town = Town(rows, trees, shops, empty, {name: letter for letter, name, _ in own})
    for name, mark in (("church", CHURCH), ("power", POWER)):
        for square in town.squares(mark):
            add_square(box[name], square)
    _plant_trees(file, box, town)
    return town


def _read_grounds(file: ComponentFile) -> list[tuple[str, str, str]]:
    """§B1 Return letter, name and what strands take them for, of grounds of one's own."""
    found: list[tuple[str, str, str]] = []
    for i in range(len(file.need_list(0, MAX_GROUNDS, "grounds")) if "grounds" in file.data else 0):
        path = ("grounds", i)
        file.need_keys(["letter", "name", "strands"], at=path)
        letter, name = file.need_text(*path, "letter"), file.need_text(*path, "name")
        if len(letter) != 1 or not letter.isalpha() or letter in PRINTED + "e" or letter in [one[0] for one in found]:
            file.fail(f"{letter!r} must be one letter that no other ground has", *path, "letter")
        if not name.isalpha() or not name.islower() or len(name) == 1 or name in (*PLACES, *(one[1] for one in found)):
            file.fail(f"{name!r} must be a name of its own, in small letters", *path, "name")
        found.append((letter, name, file.need_choice(LIKE, *path, "strands")))
    return found


def _read_trees(file: ComponentFile, taken: str) -> dict[str, Tree]:
    """§14, §B5 Return what each tree letter multiplies by, and how far."""
    trees: dict[str, Tree] = {}
    for letter in file.need_table("trees"):
        if len(letter) != 1 or not letter.isalpha() or letter in taken:
            file.fail(f"a tree cannot be called {letter!r}: use one letter that no other ground has", "trees", letter)
        if isinstance(file.get("trees", letter), dict):
            file.need_keys(["times", "reach"], at=("trees", letter))
            file.need_int(1, 99, "trees", letter, "times")
            file.need_int(0, MAX_REACH, "trees", letter, "reach")
        else:
            file.need_int(1, 99, "trees", letter)
        trees[letter] = Tree(times_of(file.get("trees", letter)), reach_of(file.get("trees", letter)))
    return trees


def _read_rows(file: ComponentFile, box: np.void, known: str) -> list[str]:
    """Return the rows of the map."""
    file.need_keys(["rows"], at=("map",))
    rows: list[str] = file.need_list(1, MAX_SIDE, "map", "rows")
    for i, row in enumerate(rows):
        if not isinstance(row, str) or not 1 <= len(row) <= MAX_SIDE or len(row) != len(rows[0]):
            file.fail(
                f"row {i} of the map must be a text as long as the first, 1 to {MAX_SIDE} squares", "map", "rows", i
            )
        for letter in row:
            if letter not in known:
                file.fail(f"{letter!r} in the map is none of {', '.join(known)}", "map", "rows", i)
    squares = len(rows) * len(rows[0])
    if squares > MAX_SQUARES:
        file.fail(f"the map has {squares} squares, more than {MAX_SQUARES}", "map", "rows")
    if not any(POWER in row for row in rows):
        file.fail("the map has no Power square 'P'", "map", "rows")
    box["figures"][at.ROWS] = len(rows)
    box["figures"][at.COLS] = len(rows[0])
    box["figures"][at.SQUARES] = squares
    return rows


def _plant_trees(file: ComponentFile, box: np.void, town: Town) -> None:
    """§14, §B5 Which trees reach each square, and what that multiplies by."""
    cols, squares = len(town.rows[0]), int(box["figures"][at.SQUARES])
    marks = "".join(town.rows)
    found = [(town.trees[mark], square) for square, mark in enumerate(marks) if mark in town.trees]
    found.sort(reverse=True, key=lambda one: (one[0].times, one[1]))
    if len(found) > MAX_TREES:
        file.fail(f"the map has {len(found)} trees, more than {MAX_TREES}", "map", "rows")
    box["factor"][:squares] = 1
    for number, (tree, root) in enumerate(found):
        box["tree_values"][number] = tree.times
        for square in range(squares):
            if max(abs(square // cols - root // cols), abs(square % cols - root % cols)) <= tree.reach:
                box["near_trees"][square] |= 1 << number
    for square in range(squares):
        near = [tree.times for i, (tree, _) in enumerate(found) if int(box["near_trees"][square]) >> i & 1]
        box["factor"][square] = min(1 + len(near), 3) if box["figures"][at.COUNT_TREES] else max(near, default=1)
