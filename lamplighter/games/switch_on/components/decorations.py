"""The decorations with their places and costs, and the special patterns that they make."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import (
    COSTS,
    DECK,
    JOKER,
    MAX_CARDS,
    RELATIONS,
    RUN,
    SAME_RANK,
    Cost,
    cards_that_meet,
    pays_set,
)
from lamplighter.games.switch_on.components.tables import (
    CARDS,
    ELECTRIC,
    EXTRA,
    KINDS,
    LENGTH,
    MAX_DECORATIONS,
    MAX_LINES,
    MAX_PATTERN,
    OFFSETS,
    POINTS,
    RELATION,
    add_square,
)
from lamplighter.games.switch_on.components.words import need_condition, need_name

if TYPE_CHECKING:
    import numpy as np

    from lamplighter.engine.component_file import ComponentFile
    from lamplighter.games.switch_on.components.town import Town

DIRECTIONS = {"row": ((0, 1),), "column": ((1, 0),), "diagonal": ((1, 1), (1, -1))}  # how the lines of patterns run
FEW_LINES, SMALLEST = 16, 3  # with fewer lines of larger patterns, few sets of them are possible
NOTHING = "."  # a square of a pattern that does not matter
Spots = tuple[tuple[int, int, str], ...]  # rows down, columns right and letter of the decorations of a pattern


# --- decorations ----------------------------------------------------------------------------------------------


def read_decorations(file: ComponentFile, box: np.void, town: Town) -> None:
    """Where each decoration goes, what it costs and scores."""
    count = len(file.need_list(1, MAX_DECORATIONS, "decorations"))
    box["figures"][at.DECORATIONS] = count
    letters: list[str] = []
    for i in range(count):
        path = ("decorations", i)
        file.need_keys(["name", "letter", "power", "where", "cost", "points"], ["relation"], at=path)
        need_name(file, "decorations", i)
        letter = file.need_text(*path, "letter")
        if len(letter) != 1 or not letter.isalpha() or letter in letters:
            file.fail(f"{letter!r} must be a letter of its own", *path, "letter")
        letters.append(letter)
        box["chart"][i, ELECTRIC] = file.need_bool(*path, "power")
        box["chart"][i, POINTS] = file.need_int(0, 1000, *path, "points")
        _read_place(file, box, i, town)
        _read_cost(file, box, i)


def places_of(entry: dict[str, Any]) -> list[str]:
    """§4, §B1 Return the words for the places where a decoration may be drawn."""
    return [entry["where"]] if isinstance(entry["where"], str) else list(entry["where"])


def _read_place(file: ComponentFile, box: np.void, decoration: int, town: Town) -> None:
    path, known = ("decorations", decoration, "where"), town.places()
    if isinstance(file.get(*path), list):
        words = [file.need_choice(known, *path, i) for i in range(len(file.need_list(1, len(known), *path)))]
    else:
        words = [file.need_choice(known, *path)]
    for word in words:
        table = "lit_places" if word == "cable" else "places"
        for square in town.squares(town.shops + town.empty if word == "cable" else town.place(word)):
            add_square(box[table][decoration], square)


def cost_of(entry: dict[str, Any]) -> Cost:
    """§2, §B2 Return the cost of a decoration in cards."""
    if isinstance(entry["cost"], str) and entry["cost"] in COSTS:
        return COSTS[entry["cost"]]
    related = entry.get("relation", [])
    words = [related] if isinstance(related, str) else related
    cards = [entry["cost"]] if isinstance(entry["cost"], str) else entry["cost"]
    return Cost(tuple(cards), sum(RELATIONS[word] for word in words))


def _read_cost(file: ComponentFile, box: np.void, decoration: int) -> None:
    """§2, §B2 How many cards a decoration costs, and which."""
    path = ("decorations", decoration)
    if isinstance(file.get(*path, "cost"), list):
        for i in range(len(file.need_list(1, MAX_CARDS, *path, "cost"))):
            need_condition(file, *path, "cost", i)
        _read_relation(file, *path, "relation")
    elif file.need_text(*path, "cost") not in COSTS and cards_that_meet(file.get(*path, "cost")) is None:
        file.need_choice(COSTS, *path, "cost")
    elif file.get(*path, "cost") not in COSTS:
        need_condition(file, *path, "cost")
    if "relation" in file.get(*path) and not isinstance(file.get(*path, "cost"), list):
        file.fail("a relation needs a cost that is a list of cards", *path, "relation")
    cost = cost_of(file.get(*path))
    met = [cards_that_meet(condition) or 0 for condition in cost.cards]
    count = len(met)
    box["chart"][decoration, CARDS], box["chart"][decoration, RELATION] = count, cost.relation
    box["cost_cards"][decoration, :count] = met
    if count == 1:
        box["cost_cards"][decoration, 0] = met[0] & ~(1 << JOKER + 1)  # of two jokers the first pays
    elif count == 2:
        for card in range(DECK):
            box["pays"][decoration, card] = _partners(met, cost.relation, card)


def _read_relation(file: ComponentFile, *path: str | int) -> None:
    if path[-1] not in file.get(*path[:-1]):
        return
    if isinstance(file.get(*path), list):
        words = [file.need_choice(RELATIONS, *path, i) for i in range(len(file.need_list(1, len(RELATIONS), *path)))]
    else:
        words = [file.need_choice(RELATIONS, *path)]
    if len(set(words)) < len(words):
        file.fail("a relation stands twice", *path)
    if sum(RELATIONS[word] for word in words) & (SAME_RANK | RUN) == SAME_RANK | RUN:
        file.fail("cards of the same rank are no run", *path)


def _partners(met: list[int], relation: int, card: int) -> int:
    """Return the higher cards that pay together with this one; the second joker only beside the first."""
    last = JOKER if card < JOKER else JOKER + 1
    pairs = ((other, 1 << card | 1 << other) for other in range(card + 1, last + 1))
    return sum(1 << other for other, pair in pairs if pays_set(met, 2, relation, pair))


# --- patterns -------------------------------------------------------------------------------------------------


def orientations(entry: dict[str, Any]) -> list[Spots]:
    """§13, §B4 Return the ways in which a pattern can lie: its squares as seen from the first one, row by row."""
    if "lines" in entry:
        steps = [step for direction in DIRECTIONS if direction in entry["directions"] for step in DIRECTIONS[direction]]
        found = [
            [(i * down, i * right, x) for i, x in enumerate(line)] for line in entry["lines"] for down, right in steps
        ]
    else:
        spots = [
            (row, col, letter) for row, text in enumerate(entry["shape"]) for col, letter in enumerate(text) if letter != NOTHING
        ]  # fmt: skip
        found = []
        for mirror in (1, -1) if entry.get("mirrored", False) else (1,):
            turned = [(row, col * mirror, letter) for row, col, letter in spots]
            for _ in range(4 if entry.get("turned", False) else 1):
                found.append(turned)
                turned = [(col, -row, letter) for row, col, letter in turned]
    return list(dict.fromkeys(_from_first(spots) for spots in found))


def _from_first(spots: list[tuple[int, int, str]]) -> Spots:
    ordered = sorted(spots)
    top, left, _ = ordered[0]
    return tuple((row - top, col - left, letter) for row, col, letter in ordered)


def read_patterns(file: ComponentFile, box: np.void) -> None:
    """All patterns in all orientations that the map has room for, sorted by their first decoration."""
    letters = [str(entry["letter"]) for entry in file.get("decorations")]
    rows, cols = int(box["figures"][at.ROWS]), int(box["figures"][at.COLS])
    lines: list[tuple[list[int], Spots, int]] = []
    for i in range(len(file.need_list(0, MAX_LINES, "patterns"))):
        points = _read_pattern(file, i, letters)
        for spots in orientations(file.get("patterns", i)):
            if max(row for row, _, _ in spots) < rows and _width(spots) <= cols:
                lines.append(([letters.index(letter) for _, _, letter in spots], spots, points))
    if len(lines) > MAX_LINES:
        file.fail(f"the patterns can lie in {len(lines)} ways, more than {MAX_LINES}", "patterns")
    lines.sort()
    many = len(lines) > FEW_LINES or any(len(kinds) < SMALLEST for kinds, _, _ in lines)
    box["figures"][at.MANY_PATTERNS] = many
    for number, (kinds, spots, points) in enumerate(lines):
        line, sides = box["lines"][number], [col for _, col, _ in spots]
        line[LENGTH], line[EXTRA] = len(kinds), points
        for top, left in itertools.product(range(rows - max(row for row, _, _ in spots)), range(cols)):
            if left + min(sides) >= 0 and left + max(sides) < cols:
                add_square(box["starts"][number], top * cols + left)
        line[KINDS : KINDS + len(kinds)] = kinds
        line[OFFSETS : OFFSETS + len(kinds)] = [row * cols + col for row, col, _ in spots]
    for kind in range(len(letters) + 1):
        box["first_line"][kind] = sum(line[0][0] < kind for line in lines)


def _width(spots: Spots) -> int:
    sides = [col for _, col, _ in spots]
    return max(sides) - min(sides) + 1


def _read_pattern(file: ComponentFile, number: int, letters: list[str]) -> int:
    """Check what is written of a pattern; return its points."""
    path = ("patterns", number)
    if "shape" in file.need_table(*path):
        file.need_keys(["name", "shape", "points"], ["turned", "mirrored"], at=path)
        texts = [file.need_text(*path, "shape", i) for i in range(len(file.need_list(1, MAX_PATTERN, *path, "shape")))]
        for key in ("turned", "mirrored"):
            if key in file.get(*path):
                file.need_bool(*path, key)
        size = sum(len(text) - text.count(NOTHING) for text in texts)
        if not 2 <= size <= MAX_PATTERN or max(map(len, texts)) > MAX_PATTERN:
            file.fail(
                f"a pattern has 2 to {MAX_PATTERN} letters in rows of at most {MAX_PATTERN}, not {size}", *path, "shape"
            )
        key = "shape"
    else:
        file.need_keys(["name", "lines", "directions", "points"], at=path)
        for j in range(len(file.need_list(1, len(DIRECTIONS), *path, "directions"))):
            file.need_choice(DIRECTIONS, *path, "directions", j)
        texts = [file.need_text(*path, "lines", j) for j in range(len(file.need_list(1, MAX_LINES, *path, "lines")))]
        for j, text in enumerate(texts):
            if not 2 <= len(text) <= MAX_PATTERN:
                file.fail(f"a pattern line has 2 to {MAX_PATTERN} letters, not {text!r}", *path, "lines", j)
        key = "lines"
    need_name(file, "patterns", number)
    for j, text in enumerate(texts):
        for letter in text:
            if letter not in letters and (key == "lines" or letter != NOTHING):
                file.fail(f"no decoration has the letter {letter!r}", *path, key, j)
    return file.need_int(0, 1000, *path, "points")
