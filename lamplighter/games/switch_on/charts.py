"""The charts below the town: funds, shapes of cable, decorations and patterns. They are printed on blank sheets too.

Every chart is drawn from y on and says where it ends. Words of one style stand in one group, which keeps sheets small.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lamplighter.games.switch_on.cards import RANKS, SUITS
from lamplighter.games.switch_on.strands import is_arch
from lamplighter.svg import Element, element, group, number, path, use

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

Chart = tuple[list[Element], float]
Words = list[tuple[float, float, str]]  # x, y and what stands there

EDGE = 12
LETTER, HEADING_LETTER = 5.8, 5.4  # the usual width of a small letter, alone and in a sentence
SHAPE_ROW, DECORATION_ROW, PATTERN_ROW = 31, 31, 25
SMALL = 0.7  # decorations of the pattern chart
COSTS = {
    "black": "1 black card", "red": "1 red card", "any": "1 card", "same-suit": "2 of one suit",
    "same-rank": "2 of one rank", "run": "2 in a run", "court+any": "court + 1 card",
}  # fmt: skip
PLACES = {"cable": "light cable", "tree": "tree", "entrance": "entrance", "street": "street", "any": "anywhere"}
BOLT = "l-4 5.5h3.2l-2 5l5 -6.5h-3.2z"
ALONG = {
    "row": "M-7 0h14m-2 -2l2 2l-2 2M-5 -2l-2 2l2 2",
    "column": "M0 -7v14m-2 -2l2 2l2 -2M-2 -5l2 -2l2 2",
    "diagonal": "M-5 -5l10 10M5 -5l-10 10",
}


def words(class_: str, entries: Words) -> Element:
    """Words in one style."""
    return group(*(element("text", said, x=x, y=y) for x, y, said in entries), class_=class_)


def outlines(boxes: Iterable[tuple[float, float, float, float]]) -> str:
    """Rectangles as one path."""
    return "".join(f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z" for x, y, w, h in boxes)


def heading(y: float, width: float, name: str, said: str) -> tuple[list[Element], float]:
    """The name of a chart and a word about it, on as many lines as that takes; and where the chart begins."""
    first, *rest = textwrap.wrap(f"{name}: {said}", int((width - 2 * EDGE) / HEADING_LETTER))
    title = element(
        "text", element("tspan", name, class_="bold"), first[len(name) :], x=EDGE, y=y + 12, class_="ts small"
    )
    below = [element("text", more, x=EDGE, y=y + 24 + 12 * i, class_="ts small") for i, more in enumerate(rest)]
    return [title, *below], y + 18 + 12 * len(rest)


# --- funds ----------------------------------------------------------------------------------------------------


def funds(variant: Variant, y: float, width: float) -> Chart:
    """What a discarded card is worth."""
    chart: dict[str, Any] = variant.file.get("raise_funds")
    entries = [(label, "", str(units)) for label, units in _rank_groups(chart["rank"])]
    entries += [("wild", "wild", str(chart["wild"])), ("no card", "", str(chart["none"]))]
    entries += [("", f"s{suit}", f"+{chart['bonus'][suit]}") for suit in SUITS if chart["bonus"][suit]]
    labels: Words = []
    units: Words = []
    boxes, signs = [], []
    title, y = heading(y, width, "Raise Funds", "units for a card, each 1 Money or 1 Cable")
    x, row = float(EDGE), y + 14
    for label, symbol, worth in entries:
        room = len(label) * LETTER + (16 if symbol else 0) + 5
        wide = 8 + 6 * len(worth)
        if x + room + wide > width - EDGE:
            x, row = EDGE, row + 20
        labels += [(x, row, label)] if label else []
        signs += [use(symbol, x + room - 12, row - 4)] if symbol else []
        boxes.append((x + room, row - 12.5, wide, 17))
        units.append((x + room + wide / 2, row, worth))
        x += room + wide + 12
    drawn = [
        *title, path(outlines(boxes), "print thin"), words("ts small p", labels), words("t small bold", units), *signs,
    ]  # fmt: skip
    return drawn, row + 12


def _rank_groups(units: dict[str, int]) -> list[tuple[str, int]]:
    """Neighbouring ranks that are worth the same, such as 2–6."""
    found = []
    for worth, ranks in itertools.groupby((rank for rank in RANKS if rank in units), key=lambda rank: units[rank]):
        first, *rest = [rank.upper() for rank in ranks]
        found.append((f"{first}–{rest[-1]}" if rest else first, worth))
    return found


# --- cable ----------------------------------------------------------------------------------------------------


def cable(variant: Variant, y: float, width: float) -> Chart:
    """Which card buys which shape, a column for every suit. Shops have an outline, empty squares a grey ground."""
    title, y = heading(y, width, "Light Cable", "1 Cable and a card; outlined: shop, grey: empty")
    step, below = (width - 2 * EDGE + 4) / len(SUITS), dict.fromkeys(SUITS, 0)
    suits: list[Element] = []
    bands: Words = []
    paths = {"shops": "", "empty": "", "light": "", "dashed": "", "dots": ""}
    for shape, entry in enumerate(variant.file.get("shapes")):
        x, row = EDGE + SUITS.index(entry["suit"]) * step, y + below[entry["suit"]] * SHAPE_ROW
        below[entry["suit"]] += 1
        suits.append(use(f"s{entry['suit']}", x + 7, row + 16))
        bands.append((x + 16, row + 20, "J–K" if entry["band"] == "court" else "2–10"))
        _add_shape(variant, shape, (x + 46, row + 1, step - 57, SHAPE_ROW - 2), paths)
    styles = {
        "empty": "f-faint",
        "shops": "print thin",
        "light": "power both",
        "dashed": "power both gap",
        "dots": "ink fat",
    }
    lines = (path(paths[part], style) for part, style in styles.items() if paths[part])
    return [*title, *suits, words("ts small", bands), *lines], y + 2 + SHAPE_ROW * max(below.values())


def _add_shape(variant: Variant, shape: int, place: tuple[float, float, float, float], paths: dict[str, str]) -> None:
    """A shape on small squares inside a place, added to the paths of the chart."""
    entry = variant.file.get("shapes", shape)
    x, y, width, height = place
    rows, cols = ([cell[i] for cell in entry["cells"]] for i in (0, 1))
    side = min(9, width / (max(cols) - min(cols) + 1), height / (max(rows) - min(rows) + 1))
    y += (height - side * (max(rows) - min(rows) + 1)) // 2
    spots = [(x + (col - min(cols)) * side, y + (row - min(rows)) * side, mark) for row, col, mark in entry["cells"]]
    for part, marks in (("shops", "H*"), ("empty", "e*")):
        paths[part] += outlines([(px, py, side, side) for px, py, mark in spots if mark in marks])
    middles = [(px + side / 2, py + side / 2) for px, py, _ in spots]
    (x, y), end = middles[0], middles[-1]
    wire = f"M{number(x)} {number(y)}"
    if is_arch(variant, shape):
        wire += f"Q{number((x + end[0]) / 2)} {number((y + end[1]) / 2 - side)} {number(end[0])} {number(end[1])}"
    else:
        wire += "".join(f"L{number(px)} {number(py)}" for px, py in middles[1:])
    paths[str(entry["kind"])] += wire
    paths["dots"] += "".join(f"M{number(px)} {number(py)}h0" for px, py in (middles[0], end))


# --- decorations and patterns ---------------------------------------------------------------------------------


def decorations(variant: Variant, y: float, width: float) -> Chart:
    """What every decoration costs, where it goes, and what it scores."""
    entries = variant.file.get("decorations")
    title, y = heading(y, width, "Decorations", "1 Money and cards; with a bolt: needs power")
    across = max(1, int(width / 175))
    step = (width - 2 * EDGE + 8) / across
    signs: list[Element] = []
    titles: Words = []
    costs: Words = []
    points: Words = []
    bolts = ""
    for i, entry in enumerate(entries):
        x, row = EDGE + i % across * step, y + i // across * DECORATION_ROW
        name = str(entry["name"])
        signs.append(use(f"d{i}", x + 13, row + 15))
        titles.append((x + 30, row + 13, name))
        costs.append((x + 30, row + 25, f"{COSTS[entry['cost']]}, {PLACES[entry['where']]}"))
        points.append((x + step - 10, row + 13, str(entry["points"])))
        if entry["power"]:
            bolts += f"M{number(x + step - 32)} {number(row + 4)}{BOLT}"
    drawn = [*title, *signs, words("ts small bold", titles), words("ts small p", costs), words("te bold", points)]
    drawn += [path(bolts, "f-power")] if bolts else []
    return drawn, y + 2 + DECORATION_ROW * -(-len(entries) // across)


def patterns(variant: Variant, y: float, width: float) -> Chart:
    """The lines that score extra, and along what they run."""
    letters = [str(entry["letter"]) for entry in variant.file.get("decorations")]
    lines = [
        (line, entry["points"], entry["directions"])
        for entry in variant.file.get("patterns")
        for line in entry["lines"]
    ]
    if not lines:
        return [], y
    title, y = heading(y, width, "Patterns", "extra for a line of decorations that count")
    across = max(1, int((width - 2 * EDGE) / (18.5 * max(len(line) for line, _, _ in lines) + 54)))
    step = (width - 2 * EDGE + 4) / across
    signs: list[Element] = []
    ways: list[Element] = []
    extra: Words = []
    for i, (line, points, directions) in enumerate(lines):
        x, row = EDGE + i % across * step, y + 12 + i // across * PATTERN_ROW
        for j, letter in enumerate(line):
            signs.append(use(f"d{letters.index(letter)}", round((x + 9 + j * 18.5) / SMALL), round(row / SMALL)))
        x += 18.5 * len(line) + 3
        extra.append((x, row + 4, f"+{points}"))
        ways.append(use(_along(directions), x + 32, row))
    decorated = group(*signs, transform=f"scale({SMALL})")
    return [*title, decorated, words("ts small bold", extra), *ways], y + 2 + PATTERN_ROW * -(-len(lines) // across)


def _along(directions: list[str]) -> str:
    """The symbol that says along what a pattern runs."""
    return "along-" + "".join(way[0] for way in ALONG if way in directions)


def symbols(variant: Variant) -> dict[str, list[Element]]:
    """Arrows for the directions of all patterns."""
    listed = [entry["directions"] for entry in variant.file.get("patterns")]
    return {_along(ways): [path("".join(ALONG[way] for way in ALONG if way in ways), "print thin")] for ways in listed}
