"""Builds SVG: elements, numbers, colours and the frame of a sheet. It knows no game.

Pictures use classes only. A *role* is what a colour means (`ROLES`); a *theme* gives every role a colour. The
stylesheet is written out with real colours, because printers and many viewers know no CSS variables.
"""

from __future__ import annotations

import functools
import itertools
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape, unescape

Value = str | int | float | None

# role → what it is for; every theme has a colour for each
ROLES = {
    "paper": "the sheet",
    "ink": "what a player draws, and text",
    "print": "what is printed before play: lines, icons",
    "faint": "barely visible: grids, shading",
    "lamp": "what may be done now, what is lit",
    "power": "electricity, cable",
    "green": "parks, trees, planted ways",
    "error": "refusals, open ends, what is struck",
    "warm": "a second colour of drawn things: roofs, ornaments",
}

THEMES: dict[str, dict[str, str]] = {
    "light": {
        "paper": "#fbf7ee", "ink": "#26262e", "print": "#746d60", "faint": "#e6dfd0", "lamp": "#f0b429",
        "power": "#2f6fde", "green": "#2f8f5b", "error": "#c0392b", "warm": "#a4562a",
    },
    "dark": {
        "paper": "#1f2024", "ink": "#f1ede3", "print": "#a39d92", "faint": "#34343a", "lamp": "#ffd166",
        "power": "#7fb0ff", "green": "#6fcf97", "error": "#ff8a7a", "warm": "#e0a070",
    },
    "contrast": {
        "paper": "#ffffff", "ink": "#000000", "print": "#333333", "faint": "#bbbbbb", "lamp": "#8a5a00",
        "power": "#0033cc", "green": "#00591f", "error": "#a00000", "warm": "#5c2600",
    },
    "print": {
        "paper": "#ffffff", "ink": "#000000", "print": "#555555", "faint": "#cccccc", "lamp": "#999999",
        "power": "#222222", "green": "#444444", "error": "#000000", "warm": "#666666",
    },
    "colour": {
        "paper": "#ffffff", "ink": "#000000", "print": "#555555", "faint": "#d4d4d4", "lamp": "#f0b429",
        "power": "#2f6fde", "green": "#2f8f5b", "error": "#c0392b", "warm": "#a4562a",
    },
    "low-ink": {
        "paper": "#ffffff", "ink": "#333333", "print": "#6e6e6e", "faint": "#e8e8e8", "lamp": "#aaaaaa",
        "power": "#666666", "green": "#777777", "error": "#333333", "warm": "#888888",
    },
}  # fmt: skip

SMALL = 11  # the height of the smallest letters: as many pixels on a phone that is 390 wide, and no fewer
FONT = "'Source Sans 3','Noto Sans','Segoe UI',Ubuntu,Cantarell,'Helvetica Neue',sans-serif"

SAID = 1 << 14  # numbers and attributes that are remembered: sheets say the same ones again and again


# --- elements -------------------------------------------------------------------------------------------------


@dataclass
class Element:
    """One SVG element. Attributes keep the order in which they were given, so that equal pictures are equal bytes."""

    tag: str
    attributes: dict[str, Value] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    def add(self, *children: Element | str) -> Element:
        self.children += children
        return self

    def write(self, parts: list[str]) -> None:
        """Append the text of the element to `parts`."""
        parts.append(f"<{self.tag}")
        for name, value in self.attributes.items():
            if value is not None:
                shown = _quoted(value) if isinstance(value, str) else number(value)
                parts.append(f' {name}="{shown}"')
        if not self.children:
            parts.append("/>")
            return
        parts.append(">")
        for child in self.children:
            if isinstance(child, str):
                parts.append(escape(child, quote=False))
            else:
                child.write(parts)
        parts.append(f"</{self.tag}>")

    def __str__(self) -> str:
        parts: list[str] = []
        self.write(parts)
        return "".join(parts)


class Kept(Element):
    """Elements that are drawn once and shown often: only their text is kept."""

    def __init__(self, elements: Iterable[Element]) -> None:
        super().__init__("g")
        self.written = "".join(map(str, elements))

    def write(self, parts: list[str]) -> None:
        parts.append(self.written)


def element(tag: str, *children: Element | str, **attributes: Value) -> Element:
    """An element; `class_` is class, and an underscore inside a name a hyphen.

    >>> str(element("circle", cx=1.5, r=2, class_="ink", data_cell="c3"))
    '<circle cx="1.5" r="2" class="ink" data-cell="c3"/>'
    """
    return Element(tag, {_attribute(name): value for name, value in attributes.items()}, list(children))


@functools.cache
def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


@functools.lru_cache(maxsize=SAID)
def _quoted(value: str) -> str:
    return escape(value, quote=True)


@functools.lru_cache(maxsize=SAID, typed=True)
def number(value: float) -> str:
    """A number as short as it can be said, to a hundredth.

    >>> number(2.0), number(1 / 3), number(-0.001)
    ('2', '0.33', '0')
    """
    if isinstance(value, int):
        return str(value)
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def group(*children: Element | str, **attributes: Value) -> Element:
    return element("g", *children, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Element:
    return element("path", d=f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}", class_=class_)


def path(d: str, class_: str) -> Element:
    return element("path", d=d, class_=class_)


def rect(x: float, y: float, width: float, height: float, class_: str, r: float | None = None) -> Element:
    return element("rect", x=x, y=y, width=width, height=height, rx=r, class_=class_)


def circle(x: float, y: float, r: float, class_: str) -> Element:
    return element("circle", cx=x, cy=y, r=r, class_=class_)


def text(x: float, y: float, words: str, class_: str = "t") -> Element:
    """Text whose baseline is at y. `t` is centred, `ts` starts at x, `te` ends at x; sizes: small, big."""
    return element("text", words, x=x, y=y, class_=class_)


PARAGRAPH = re.compile(
    r'<g class="(?P<class>[^"]*)" '
    r'data-room="(?P<x>\S+) (?P<y>\S+) (?P<letters>\d+) (?P<lines>\d+)">(?P<rows>.*?)</g>'
)
_TAG = re.compile("<[^>]*>")


def paragraph(x: float, y: float, words: str, letters: int, lines: int, class_: str) -> Element:
    """Text on at most so many lines of about so many letters each; what does not fit is drawn closer.

    With `head` among its classes, what stands before a colon is bold. The group says its room, so that its words can be said
    in another language.
    """
    wide, said = letters, textwrap.wrap(words, letters, break_on_hyphens=False)
    while len(said) > lines:
        wide += 1
        said = textwrap.wrap(words, wide, break_on_hyphens=False)
    looks, drawn = class_.split(" "), []
    size = 10.5 if "small" in looks else 13.0
    for row, part in enumerate(said):
        head, colon, rest = part.partition(":") if "head" in looks and row == 0 else ("", "", part)
        bold = [element("tspan", head, class_="bold")] if head else []
        closer: dict[str, Value] = {}
        if len(part) > letters:
            closer = {"textLength": 0.56 * size * letters, "lengthAdjust": "spacingAndGlyphs"}
        drawn.append(Element("text", {"x": x, "y": y + 12 * row, **closer}, [*bold, colon + rest]))
    room = f"{number(x)} {number(y)} {letters} {lines}"
    return group(*drawn, class_=class_, data_room=room)


def words_of(found: re.Match[str]) -> str:
    """Return the words of a drawn paragraph, which `PARAGRAPH` found.

    >>> drawn = str(paragraph(0, 0, "Scoring: stars & more", 12, 2, "ts head"))
    >>> words_of(PARAGRAPH.search(drawn))
    'Scoring: stars & more'
    """
    return unescape(_TAG.sub("", found["rows"].replace("</text><text", "</text> <text")))


def use(symbol: str, x: float, y: float, **attributes: Value) -> Element:
    """A symbol of the sheet at a place."""
    return element("use", href=f"#{symbol}", x=x, y=y, **attributes)


# --- styles ---------------------------------------------------------------------------------------------------


def contrast(colour: str, other: str) -> float:
    """How well two colours stand apart, from 1 to 21, as the WCAG counts it; text needs 4.5.

    >>> round(contrast("#777777", "#ffffff"), 2)
    4.48
    """
    low, high = sorted((_luminance(colour), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def on_lamp(theme: str) -> str:
    """The colour of text on the lamp colour: dark or white, whichever reads better."""
    lamp = THEMES[theme]["lamp"]
    return max(THEMES["light"]["ink"], "#ffffff", key=lambda colour: contrast(colour, lamp))


@functools.cache
def stylesheet(theme: str = "light", large: bool = False) -> str:
    """The style of every sheet in one theme, with real colours."""
    colours = THEMES[theme]
    scale = 1.25 if large else 1.0
    stroke, tint, wash = (1.6, 0.06, 0.12) if theme == "low-ink" else (2.5, 0.15, 0.35)
    rules = ["*{stroke-linecap:round;stroke-linejoin:round}"]
    lines, fills, washes = ([f".{kind}{role}" for role in ROLES] for kind in ("", "f-", "w-"))
    rules.append(f"{','.join(lines)}{{fill:none;stroke-width:{stroke}}}{','.join(fills)}{{stroke:none}}")
    rules.append(f"{','.join(washes)}{{fill-opacity:{wash};stroke-width:1.2}}")
    for role in ROLES:
        rules.append(f".{role},.w-{role}{{stroke:{colours[role]}}}.f-{role},.w-{role}{{fill:{colours[role]}}}")
    rules += [
        ".thin{stroke-width:1.2}", ".fat{stroke-width:4}", ".wide{stroke-width:9}", ".dash{stroke-dasharray:5 5}",
        ".dot{stroke-dasharray:.1 5}", ".gap{stroke-dasharray:2.6 3.4}", ".butt{stroke-linecap:butt}",
        ".both{stroke-width:1.5}",
        f".edge{{stroke:{colours['ink']};stroke-width:1.5}}", ".veil{fill-opacity:.5}",
        ".w16{stroke-width:16}", ".w12{stroke-width:12}", ".w7{stroke-width:7}", ".w4{stroke-width:4.2}",
        f".t,.ts,.te{{font:{number(13 * scale)}px {FONT};font-variant-numeric:tabular-nums;"
        f"fill:{colours['ink']};stroke:none;text-anchor:middle}}",
        ".ts{text-anchor:start}", ".te{text-anchor:end}",
        f".small{{font-size:{number(SMALL * scale)}px}}", f".big{{font-size:{number(18 * scale)}px}}",
        f".p{{fill:{colours['print']}}}", f".onlamp{{fill:{on_lamp(theme)}}}", ".bold{font-weight:600}",
        ".targets [data-move]{opacity:0;cursor:pointer}",
        ".targets [data-move]:hover,.targets [data-move]:focus{opacity:.75}",
        f".tint{{opacity:{number(tint)}}}", f".wash{{opacity:{number(wash)}}}", ".soft{opacity:.5}",
        f".cells rect{{fill:{colours['paper']};fill-opacity:0;stroke:none}}",
        f".why{{fill:{colours['lamp']};fill-opacity:.3;stroke:{colours['lamp']};stroke-width:2.5;"
        "stroke-dasharray:.1 5}",
        f".may{{fill:none;stroke:{colours['lamp']};stroke-width:2.5;stroke-dasharray:.1 5}}",
    ]  # fmt: skip
    return "".join(rules)


# --- sheets ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """Where a legal move is made.

    `source` is what is taken (a die, a card, an action), `cell` where it goes (None: nowhere on the grid),
    `orientation` how it is turned, as moves write it. `symbol` is the ghost that shows the move, placed at x, y. Moves
    that look the same share a target: the first is `move`, all are `moves`. Where many differ only in what is paid,
    `pays` says it shorter: the words that may be written in `move` in place of the first of them.
    """

    move: str
    source: str
    cell: str | None = None
    orientation: str = ""
    symbol: str = ""
    x: float = 0
    y: float = 0
    transform: str | None = None
    moves: tuple[str, ...] = ()
    pays: tuple[str, ...] = ()

    def ways(self) -> dict[str, str]:
        """Return every move that is made here, as whole texts, each with what tells it from the others.

        >>> Target("lay 5s a0", "lay", "a0", pays=("5s", "9s")).ways()
        {'lay 5s a0': '5s', 'lay 9s a0': '9s'}
        """
        words = self.move.split(" ")
        paid = {" ".join(pay if word == self.pays[0] else word for word in words): pay for pay in self.pays}
        return paid or {move: move for move in self.moves or (self.move,)}


@dataclass
class Picture:
    """A drawn sheet without its frame: size, symbols for `<use>`, what is drawn, and the box of every cell.

    `has_total` says that the sheet has a place for the total, whatever that is called there; the word "Total" on it says so, too.
    `wide` is its size on a wide screen, where parts that say so with `data-wide` are moved beside the others.
    """

    width: float
    height: float
    body: list[Element]
    symbols: Mapping[str, list[Element]] = field(default_factory=dict)
    cells: Mapping[str, tuple[float, float, float, float]] = field(default_factory=dict)
    has_total: bool = False
    wide: tuple[float, float] | None = None

    @property
    def shows_total(self) -> bool:
        """Whether there is a place for the total, so that paper needs no other one."""
        return self.has_total or any(_says_total(one) for one in self.body)


def _says_total(drawn: Element | str) -> bool:
    if isinstance(drawn, str):
        return drawn.strip().casefold() == "total"
    return any(map(_says_total, drawn.children))


@dataclass(frozen=True)
class Pieces:
    """What has to be cut out to play on paper: pieces of one size in mm, each with how many of it are needed.

    `words` say in a short line what they are and how they are used.
    """

    words: str
    width: float
    height: float
    kinds: Sequence[tuple[Picture, int]]


def frame(
    picture: Picture,
    title: str,
    description: str,
    targets: Iterable[Target] = (),
    why: Iterable[str] = (),
    theme: str | None = "light",
    large: bool = False,
    prefix: str = "",
) -> str:
    """A whole SVG document: title, text form, style, symbols, the picture, its cells and its legal targets.

    `theme=None` leaves the style to the page. `prefix` keeps the ids of several sheets on one page apart.
    """
    root = element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {number(picture.width)} {number(picture.height)}",
        class_="sheet", role="img", aria_labelledby=f"{prefix}title",
        data_wide=f"0 0 {number(picture.wide[0])} {number(picture.wide[1])}" if picture.wide else None,
    )  # fmt: skip
    root.add(element("title", title, id=f"{prefix}title"), element("desc", description))
    if theme is not None:
        root.attributes["width"], root.attributes["height"] = picture.width, picture.height
        root.add(element("style", stylesheet(theme, large)))
    defs = [element("g", *parts, id=f"{prefix}{name}") for name, parts in picture.symbols.items()]
    root.add(element("defs", *defs)) if defs else None
    width, height = picture.wide or (0, 0)
    paper = rect(0, 0, max(picture.width, width), max(picture.height, height), "f-paper")
    root.add(paper, group(*picture.body))
    for cell in why:
        if cell in picture.cells:
            root.add(rect(*picture.cells[cell], "why", 6))
    if picture.cells:
        root.add(group(*map(_cell, picture.cells, picture.cells.values()), class_="cells"))
    listed = list(targets)
    if listed:
        root.add(group(*_grouped(listed), class_="targets"))
    return str(root).replace(' href="#', f' href="#{prefix}')


def _cell(name: str, box: tuple[float, float, float, float]) -> Element:
    x, y, width, height = box
    return element("rect", x=x, y=y, width=width, height=height, data_cell=name)


def _grouped(targets: list[Target]) -> Iterator[Element]:
    """Return the targets; several in a row that take the same thing and are turned alike share a group that says so.

    A target is whatever has `data-move`.
    """
    alike = itertools.groupby(targets, key=lambda one: (one.source, one.orientation, len(one.ways())))
    for (source, orientation, ways), run in alike:
        together = list(run)
        if len(together) == 1:
            yield _target(together[0])
            continue
        shared = group(data_source=source, data_orientation=orientation or None, data_ways=ways if ways > 1 else None)
        for target in together:
            one = _target(target)
            for name in ("class", "data-source", "data-orientation", "data-ways"):
                del one.attributes[name]
            shared.add(one)
        yield shared


def _target(target: Target) -> Element:
    symbol = f"#{target.symbol}" if target.symbol else None
    return element(
        "use" if symbol else "g", href=symbol, x=target.x if symbol else None, y=target.y if symbol else None,
        transform=target.transform, class_="target", data_source=target.source, data_cell=target.cell,
        data_orientation=target.orientation or None, data_move=target.move,
        data_ways=len(target.ways()) if target.moves or target.pays else None,
    )  # fmt: skip


def size(drawn: str) -> tuple[float, float]:
    """The width and height of an SVG that `frame` made."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn)
    if found is None:
        raise ValueError("an SVG without a viewBox from 0 0")
    return float(found[1]), float(found[2])
