"""Builds SVG: elements, numbers, colours and the frame of a sheet. It knows no game.

Pictures use classes only. A *role* is what a colour means (`ROLES`); a *theme* gives every role a colour. The
stylesheet is written out with real colours, because printers and many viewers know no CSS variables.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

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
    "low-ink": {
        "paper": "#ffffff", "ink": "#333333", "print": "#6e6e6e", "faint": "#e8e8e8", "lamp": "#aaaaaa",
        "power": "#666666", "green": "#777777", "error": "#333333", "warm": "#888888",
    },
}  # fmt: skip

FONT = "'Source Sans 3','Noto Sans','Segoe UI',Ubuntu,Cantarell,'Helvetica Neue',sans-serif"


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
                shown = escape(value, quote=True) if isinstance(value, str) else number(value)
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
    """Text whose foot stands at y. `t` is centred, `ts` starts at x, `te` ends at x; sizes: small, big."""
    return element("text", words, x=x, y=y, class_=class_)


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
        f".small{{font-size:{number(10.5 * scale)}px}}", f".big{{font-size:{number(18 * scale)}px}}",
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

    `source` is what is taken (a die, a card, an action), `cell` where it goes (None: nowhere on the grid), `lie` how
    it is turned. `symbol` is the ghost that shows the move, placed at x, y. Moves that differ only in how they are paid
    share a target: the first is `move`, all are `moves`. Where there are many, `pays` says it shorter: the words that
    may stand in `move` in place of the first of them.
    """

    move: str
    source: str
    cell: str | None = None
    lie: str = ""
    symbol: str = ""
    x: float = 0
    y: float = 0
    transform: str | None = None
    moves: tuple[str, ...] = ()
    pays: tuple[str, ...] = ()

    def all_moves(self) -> tuple[str, ...]:
        """Every move that is made here.

        >>> Target("lay 5s a0", "lay", "a0", pays=("5s", "9s")).all_moves()
        ('lay 5s a0', 'lay 9s a0')
        """
        words = self.move.split(" ")
        paid = [[pay if word == self.pays[0] else word for word in words] for pay in self.pays]
        return tuple(" ".join(way) for way in paid) or self.moves or (self.move,)


@dataclass
class Picture:
    """A drawn sheet without its frame: size, symbols for `<use>`, what is drawn, and the box of every cell."""

    width: float
    height: float
    body: list[Element]
    symbols: Mapping[str, list[Element]] = field(default_factory=dict)
    cells: Mapping[str, tuple[float, float, float, float]] = field(default_factory=dict)


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
    )  # fmt: skip
    root.add(element("title", title, id=f"{prefix}title"), element("desc", description))
    if theme is not None:
        root.attributes["width"], root.attributes["height"] = picture.width, picture.height
        root.add(element("style", stylesheet(theme, large)))
    defs = [element("g", *parts, id=f"{prefix}{name}") for name, parts in picture.symbols.items()]
    root.add(element("defs", *defs)) if defs else None
    root.add(rect(0, 0, picture.width, picture.height, "f-paper"), group(*picture.body))
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
    """The targets; several in a row that take the same thing, lie and are paid alike share a group that says so.

    A target is whatever has `data-move`.
    """
    for (source, lie, pays), run in itertools.groupby(targets, key=lambda one: (one.source, one.lie, one.pays)):
        together = list(run)
        if len(together) == 1:
            yield _target(together[0])
            continue
        shared = group(data_source=source, data_lie=lie or None, data_pays="|".join(pays) or None)
        for target in together:
            one = _target(target)
            for name in ("class", "data-source", "data-lie", "data-pays"):
                del one.attributes[name]
            shared.add(one)
        yield shared


def _target(target: Target) -> Element:
    symbol = f"#{target.symbol}" if target.symbol else None
    return element(
        "use" if symbol else "g", href=symbol, x=target.x if symbol else None, y=target.y if symbol else None,
        transform=target.transform, class_="target", data_source=target.source, data_cell=target.cell,
        data_lie=target.lie or None, data_move=target.move,
        data_moves="|".join(target.moves) if len(target.moves) > 1 else None, data_pays="|".join(target.pays) or None,
    )  # fmt: skip


def size(drawn: str) -> tuple[float, float]:
    """The width and height of an SVG that `frame` made."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn)
    if found is None:
        raise ValueError("an SVG without a viewBox from 0 0")
    return float(found[1]), float(found[2])
