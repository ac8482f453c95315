"""The charts below the town: funds, shapes of cable, decorations and patterns. They are printed on blank sheets too.

Every chart is drawn from y on and says where it ends and where its entries are. Words of one style stand in one group, which
keeps sheets small.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from lamplighter.games.switch_on.components import (
    ENTRANCE,
    OPEN,
    POWER,
    SHOP,
    STREET,
    cost_of,
    dots_of,
    links_of,
    places_of,
)  # fmt: skip
from lamplighter.games.switch_on.components.cards import (
    PLAIN_RANKS,
    RANKS,
    RUN,
    SAME_COLOUR,
    SAME_RANK,
    SAME_SUIT,
    SUIT_SIGNS,
    SUITS,
)  # fmt: skip
from lamplighter.games.switch_on.picture.cable_symbols import is_arch
from lamplighter.svg import Element, element, group, number, paragraph, path, use

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

SHOPS, EMPTY = SHOP + POWER, STREET + ENTRANCE + OPEN
SHOWN = ("H", "e", "*")  # terrain that the drawing of a shape shows: outlined, grey, or both
TERRAIN = {
    "H": "shop", "e": "empty", "*": "either", POWER: "Power", STREET: "street", ENTRANCE: "entrance", OPEN: "open ground",
}  # fmt: skip
SHAPE_STYLES = {  # what the small drawing of a shape is made of
    "empty": "f-faint", "shops": "print thin", "light": "power both", "dashed": "power both gap", "dots": "ink fat",
}  # fmt: skip
Box = tuple[float, float, float, float]  # x, y, width and height
Words = list[tuple[float, float, str]]  # x, y and what stands there


class Chart(NamedTuple):
    """What is drawn, where it ends, and the place of everything that can be taken from it, by the names in moves."""

    drawn: list[Element]
    end: float
    places: dict[str, Box]


EDGE = 12
LETTER, HEADING_LETTER = 6.8, 7.2  # the width of a small letter in large print of a wide font, alone and in a sentence
SHAPE_ROW, DECORATION_ROW, PATTERN_ROW = 31, 31, 25
SMALL = 0.7  # decorations of the pattern chart
COSTS = {
    "black": "black card", "red": "red card", "any": "1 card", "same-suit": "2 of a suit",
    "same-rank": "2 of a rank", "run": "2 in a run", "court+any": "court + 1 card",
}  # fmt: skip
PLACES = {"cable": "light strand", "any": "anywhere", "open": "open ground"}  # others are called what they are
RELATIONS = {SAME_SUIT: "of a suit", SAME_RANK: "of a rank", RUN: "in a run", SAME_COLOUR: "of a colour"}
NO_CARD = "no card"
NARROW = 16  # letters of a cost that always have room, in large print of a wide font too
BOLT = "l-4 5.5h3.2l-2 5l5 -6.5h-3.2z"
ALONG = {
    "row": "M-7 0h14m-2 -2l2 2l-2 2M-5 -2l-2 2l2 2",
    "column": "M0 -7v14m-2 -2l2 2l2 -2M-2 -5l2 -2l2 2",
    "diagonal": "M-5 -5l10 10M5 -5l-10 10",
    "turned": "M5 -4a6.5 6.5 0 1 0 1.5 4m-3 -3l3 3l2.5 -3",
    "mirrored": "M0 -8v16M-3 -4l-5 4l5 4zM3 -4l5 4l-5 4z",
}


def words(class_: str, entries: Words) -> Element:
    """Draw words in one style."""
    small = "small" in class_.split(" ")

    def size(said: str) -> str | None:  # so that other languages know how much room there is
        return "small" if small and any(map(str.islower, said[1:])) else None

    return group(*(element("text", said, x=x, y=y, class_=size(said)) for x, y, said in entries), class_=class_)


def outlines(boxes: Iterable[Box]) -> str:
    """Rectangles as one path."""
    return "".join(f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}z" for x, y, w, h in boxes)


def heading(y: float, width: float, words: str) -> tuple[list[Element], float]:
    """Draw the name of a chart and a word about it, on as many lines as needed; return also where the chart begins."""
    letters = int((width - 2 * EDGE) / HEADING_LETTER)
    lines = len(textwrap.wrap(words, letters))
    return [paragraph(EDGE, y + 12, words, letters, lines, "ts small head")], y + 6 + 12 * lines


# --- funds ----------------------------------------------------------------------------------------------------


def funds(variant: Variant, y: float, width: float) -> Chart:
    """Draw what a discarded card is worth."""
    chart: dict[str, Any] = variant.file.get("raise_funds")
    entries = [(label, "", str(units)) for label, units in _rank_groups(chart["rank"])]
    entries += [("wild", "wild", str(chart["wild"])), (NO_CARD, "", str(chart["none"]))]
    entries += [("", f"s{suit}", f"+{chart['bonus'][suit]}") for suit in SUITS if chart["bonus"][suit]]
    for name, worth in chart.get("card", {}).items():
        label, sign = ("joker", "wild") if name == "joker" else (name[:-1].upper(), f"s{name[-1]}")
        entries.append((label, sign, str(worth)))
    labels: Words = []
    units: Words = []
    boxes, signs, places = [], [], {}
    title, y = heading(y, width, "Raise Funds: each unit is 1 Money or 1 Cable")
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
        if label == NO_CARD:
            places["none"] = (x - 5, row - 16, room + wide + 10, 24.0)
        x += room + wide + 12
    drawn = [
        *title, path(outlines(boxes), "print thin"), words("ts small p", labels), words("t small bold", units), *signs,
    ]  # fmt: skip
    return Chart(drawn, row + 12, places)


def _rank_groups(units: dict[str, int]) -> list[tuple[str, int]]:
    """Return neighbouring ranks that are worth the same, such as 2–6."""
    found = []
    for worth, ranks in itertools.groupby((rank for rank in RANKS if rank in units), key=lambda rank: units[rank]):
        first, *rest = [rank.upper() for rank in ranks]
        found.append((f"{first}–{rest[-1]}" if rest else first, worth))
    return found


# --- cable ----------------------------------------------------------------------------------------------------


def cable(variant: Variant, y: float, width: float) -> Chart:
    """Draw which card buys which shape, a column for every suit. Shops have an outline, empty squares a grey ground."""
    title, y = heading(y, width, "Buying Light Cable: 1 Cable and a card; outlined: shop, grey: empty")
    entries = variant.file.get("shapes")
    if any("card" in entry for entry in entries):
        return _cable_list(variant, title, y, width)
    step, below = (width - 2 * EDGE + 4) / len(SUITS), dict.fromkeys(SUITS, 0)
    suits: list[Element] = []
    bands: Words = []
    paths, places = dict.fromkeys(SHAPE_STYLES, ""), {}
    for shape, entry in enumerate(entries):
        x, row = EDGE + SUITS.index(entry["suit"]) * step, y + below[entry["suit"]] * SHAPE_ROW
        below[entry["suit"]] += 1
        suits.append(use(f"s{entry['suit']}", x + 7, row + 16))
        bands.append((x + 15, row + 20, "J–K" if entry["band"] == "court" else "2–10"))
        _add_shape(variant, shape, (x + 51, row + 1, step - 60, SHAPE_ROW - 2), paths)
        places[str(entry["name"])] = (x - 3, row + 1, step - 3, SHAPE_ROW - 2.0)
    drawn = [*title, *suits, words("ts small", bands), *_shape_lines(paths)]
    return Chart(drawn, y + 2 + SHAPE_ROW * max(below.values()), places)


def _cable_list(variant: Variant, title: list[Element], y: float, width: float) -> Chart:
    """§B3 Draw the shapes in two columns, each with words for the card that buys it and for terrain that has no colour."""
    paths, bought, places = dict.fromkeys(SHAPE_STYLES, ""), list[tuple[float, float, str]](), {}
    half, lowest = width / 2 - EDGE, y
    for shape, entry in enumerate(variant.file.get("shapes")):
        x, y = (EDGE, lowest) if shape % 2 == 0 else (width / 2 + 4, y)
        card = entry["card"] if "card" in entry else f"{entry['suit']} {entry['band']}"
        said = [say_card(card), *textwrap.wrap(_say_terrain(variant, entry), int(half / LETTER))]
        depth = [row for row, _, _ in entry["cells"]]
        height = max(SHAPE_ROW, 9 * (max(depth) - min(depth) + 1) + 6)
        bought.append((x, y + height / 2 + 4, said[0]))
        bought += [(x, y + height + 10 + 12 * line, text) for line, text in enumerate(said[1:])]
        _add_shape(variant, shape, (x + 0.45 * half, y + 1, 0.55 * half, height - 2), paths)
        places[str(entry["name"])] = (x - 3, y, half + 2, height + 12.0 * len(said[1:]))
        lowest = max(lowest, y + height + 12 * len(said[1:]))
    return Chart([*title, words("ts small", bought), *_shape_lines(paths)], lowest + 2, places)


def _say_terrain(variant: Variant, entry: dict[str, Any]) -> str:
    """§B3 Return which squares of a shape need a ground that the drawing does not show; empty if none does."""
    grounds = TERRAIN | {one["letter"]: one["name"] for one in _own_grounds(variant)}
    special = [(i, mark) for i, (_, _, mark) in enumerate(entry["cells"], 1) if mark not in SHOWN and "*" not in mark]
    return ", ".join(f"square {i}: {' or '.join(grounds[letter] for letter in mark)}" for i, mark in special)


def _shape_lines(paths: dict[str, str]) -> list[Element]:
    return [path(paths[part], style) for part, style in SHAPE_STYLES.items() if paths[part]]


def _add_shape(variant: Variant, shape: int, place: tuple[float, float, float, float], paths: dict[str, str]) -> None:
    """A shape on small squares inside a place, added to the paths of the chart."""
    entry = variant.file.get("shapes", shape)
    x, y, width, height = place
    rows, cols = ([cell[i] for cell in entry["cells"]] for i in (0, 1))
    side = min(9, width / (max(cols) - min(cols) + 1), height / (max(rows) - min(rows) + 1))
    y += (height - side * (max(rows) - min(rows) + 1)) // 2
    spots = [(x + (col - min(cols)) * side, y + (row - min(rows)) * side, mark) for row, col, mark in entry["cells"]]
    empty = "e*" + EMPTY + "".join(one["letter"] for one in _own_grounds(variant) if one["strands"] == "empty")
    shops = "H*" + SHOPS + "".join(one["letter"] for one in _own_grounds(variant) if one["strands"] == "shop")
    for part, marks in (("shops", shops), ("empty", empty)):
        paths[part] += outlines([(px, py, side, side) for px, py, mark in spots if set(mark) & set(marks)])
    middles = [(px + side / 2, py + side / 2) for px, py, _ in spots]
    (x, y), end = middles[0], middles[-1]
    wire, before = "", -1
    if is_arch(variant, shape):
        wire = f"M{number(x)} {number(y)}"
        wire += f"Q{number((x + end[0]) / 2)} {number((y + end[1]) / 2 - side)} {number(end[0])} {number(end[1])}"
    else:
        for i, j in links_of(entry):
            wire += "" if i == before else f"M{number(middles[i][0])} {number(middles[i][1])}"
            wire += f"L{number(middles[j][0])} {number(middles[j][1])}"
            before = j
    paths[str(entry["kind"])] += wire
    paths["dots"] += "".join(f"M{number(px)} {number(py)}h0" for px, py in (middles[dot] for dot in dots_of(entry)))


def _own_grounds(variant: Variant) -> list[dict[str, str]]:
    return list(variant.file.data.get("grounds", []))


# --- decorations and patterns ---------------------------------------------------------------------------------


def decorations(variant: Variant, y: float, width: float) -> Chart:
    """Draw what every decoration costs, where it goes, and what it scores."""
    entries = variant.file.get("decorations")
    title, y = heading(y, width, "Installing Decorations: 1 Money, cards; bolt: needs power")
    across = max(1, int(width / 175))
    step = (width - 2 * EDGE + 8) / across
    said = [f"{say_cost(entry)}, {say_place(entry)}" for entry in entries]
    lines = max(len(textwrap.wrap(words, NARROW)) for words in said)
    height = DECORATION_ROW + 12 * (lines - 1)
    signs: list[Element] = []
    titles: Words = []
    costs: list[Element] = []
    points: Words = []
    bolts, places = "", {}
    for i, entry in enumerate(entries):
        x, row = EDGE + i % across * step, y + i // across * height
        name = str(entry["name"])
        signs.append(use(f"d{i}", x + 13, row + 15))
        titles.append((x + 30, row + 13, name))
        costs.append(paragraph(x + 30, row + 25, said[i], NARROW, lines, "ts small p"))
        points.append((x + step - 10, row + 13, str(entry["points"])))
        if entry["power"]:
            bolts += f"M{number(x + step - 32)} {number(row + 4)}{BOLT}"
        places[name] = (x - 3, row, step - 4, height - 2.0)
    drawn = [*title, *signs, words("ts small bold", titles), *costs, words("te bold", points)]
    drawn += [path(bolts, "f-power")] if bolts else []
    return Chart(drawn, y + 2 + height * -(-len(entries) // across), places)


def say_card(condition: str) -> str:
    """Return a condition on a card as people read it.

    >>> say_card("red court"), say_card("s 7-10"), say_card("any")
    ('red court', '♠ 7–10', '1 card')
    """
    words = [SUIT_SIGNS.get(word, word.upper() if word in PLAIN_RANKS else word) for word in condition.split()]
    words = ["–".join(part.upper() for part in word.split("-")) if "-" in word else word for word in words]
    return "1 card" if words == ["any"] else " ".join(words)


def say_cost(entry: dict[str, Any]) -> str:
    """§2, §B2 Return what a decoration costs in cards.

    >>> say_cost({"cost": ["any", "any", "any"], "relation": "run"}), say_cost({"cost": ["red", "court"]})
    ('3 in a run', 'red + court')
    """
    if isinstance(entry["cost"], str) and entry["cost"] in COSTS:
        return COSTS[entry["cost"]]
    cost = cost_of(entry)
    common = [words for relation, words in RELATIONS.items() if cost.relation & relation]
    if common and set(cost.cards) == {"any"}:
        return f"{len(cost.cards)} {', '.join(common)}"
    return ", ".join([" + ".join(map(say_card, cost.cards)), *common])


def say_place(entry: dict[str, Any]) -> str:
    """§4, §B1 Return where a decoration is drawn."""
    return " or ".join(PLACES.get(word, f"tree {word}" if len(word) == 1 else word) for word in places_of(entry))


def patterns(variant: Variant, y: float, width: float) -> Chart:
    """Draw the lines that score extra, and along what they run."""
    letters = [str(entry["letter"]) for entry in variant.file.get("decorations")]
    lines = [
        (rows, entry["points"], _along(_ways(entry)))
        for entry in variant.file.get("patterns")
        for rows in ([entry["shape"]] if "shape" in entry else [[line] for line in entry["lines"]])
    ]
    if not lines:
        return Chart([], y, {})
    title, y = heading(y, width, "Scoring: extra for patterns of decorations that count")
    widths = [max(map(len, rows)) for rows, _, _ in lines]
    across = max(1, int((width - 2 * EDGE) / (18.5 * max(widths) + 54)))
    step = (width - 2 * EDGE + 4) / across
    signs: list[Element] = []
    ways: list[Element] = []
    extra: Words = []
    for i, (rows, points, along) in enumerate(lines):
        x, row = EDGE + i % across * step, y + 12
        for down, col, letter in ((down, col, x) for down, text in enumerate(rows) for col, x in enumerate(text)):
            if letter in letters:
                place = round((x + 9 + col * 18.5) / SMALL), round((row + down * 20) / SMALL)
                signs.append(use(f"d{letters.index(letter)}", *place))
        x += 18.5 * widths[i] + 3
        extra.append((x, row + 4, f"+{points}"))
        ways += [use(along, x + 37, row)] if along else []
        if i % across == across - 1 or i == len(lines) - 1:
            y += PATTERN_ROW + 20 * (max(len(rows) for rows, _, _ in lines[i // across * across : i + 1]) - 1)
    decorated = group(*signs, transform=f"scale({SMALL})")
    return Chart([*title, decorated, words("ts small bold", extra), *ways], y + 2, {})


def _ways(entry: dict[str, Any]) -> list[str]:
    """§B4 Return along what a pattern runs, or how it may be laid."""
    return list(entry["directions"]) if "lines" in entry else [way for way in ("turned", "mirrored") if entry.get(way)]


def _along(ways: list[str]) -> str:
    """Return the symbol that says along what a pattern runs; nothing if it lies as it is drawn."""
    return "along-" + "".join(way[0] for way in ALONG if way in ways) if ways else ""


def symbols(variant: Variant) -> dict[str, list[Element]]:
    """Return arrows for the directions of all patterns."""
    listed = [ways for entry in variant.file.get("patterns") if (ways := _ways(entry))]
    return {_along(ways): [path("".join(ALONG[way] for way in ALONG if way in ways), "print thin")] for ways in listed}
