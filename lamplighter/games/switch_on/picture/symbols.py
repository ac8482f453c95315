"""What the drawn sheet repeats: decorations, pieces of the town, cards.

Each is drawn around its own middle, decorations and town at the size of a square.
"""

from __future__ import annotations

import functools

from lamplighter.games.switch_on.components import CHURCH, ENTRANCE, OPEN, POWER, SHOP
from lamplighter.strokes import star_path
from lamplighter.svg import Element, circle, group, path, rect, text, use

SIDE = 38  # a square of the town


# --- the eight decorations, differing in outline ------------------------------------------------------------------


def _lantern() -> list[Element]:
    return [
        path("M-6 -4h12l1.5 11h-15z", "f-lamp edge"), path("M-9 10h18M-4 -8.5a4 3.5 0 0 1 8 0", "ink both"),
        path("M-8 -4l3 -4.5h10l3 4.5z", "f-ink"), path("M0 -1.5q3.5 3.5 0 6.5q-3.5 -3 0 -6.5", "f-paper"),
    ]  # fmt: skip


def _star() -> list[Element]:
    return [path(star_path(0, 0.5, 12, 5), "f-lamp edge")]


def _angel() -> list[Element]:
    return [
        path("M-2 0C-8 -8 -14 -5 -12 3Q-7 6 -3 3M2 0C8 -8 14 -5 12 3Q7 6 3 3", "f-lamp veil edge"),
        path("M0 -2L7 11.5H-7Z", "f-paper edge"), circle(0, -5.5, 3.2, "f-ink"),
        path("M-4 -10.5a4 1.5 0 1 0 8 0a4 1.5 0 1 0 -8 0", "ink thin"),
    ]  # fmt: skip


def _bauble() -> list[Element]:
    return [
        circle(0, 3, 8.5, "f-error veil edge"), rect(-2.5, -9, 5, 4, "f-ink", 1),
        path("M-8 1q8 5 16 0M-8 5q8 5 16 0M-2 -9a2 2.5 0 0 1 4 0", "ink thin"),
    ]  # fmt: skip


def _wreath() -> list[Element]:
    leaves = "M0 -11l2 -2M6 -9l3 -1M9.5 -4l3 1M9.5 3l2.5 2M-6 -9l-3 -1M-9.5 -4l-3 1M-9.5 3l-2.5 2M-6 8l-2 2.5M6 8l2 2.5"
    return [
        circle(0, -1, 10, "f-green veil edge"), circle(0, -1, 5, "f-paper edge"), path(leaves, "ink thin"),
        path("M0 8l-5 -3v6zl5 -3v6z", "f-error edge"),
    ]  # fmt: skip


def _banner() -> list[Element]:
    return [
        path("M-10 -9h20v19l-10 -6l-10 6z", "f-power veil edge"), path("M-13 -9h26", "ink both"),
        path(star_path(0, -2, 4.5, 2), "f-ink"),
    ]  # fmt: skip


def _reindeer() -> list[Element]:
    antlers = "M-2.5 -2C-6 -4 -7.5 -7 -7 -12M-6.5 -6l-5 -2M2.5 -2C6 -4 7.5 -7 7 -12M6.5 -6l5 -2"
    return [
        path("M-4.5 -2h9L3 9a3.5 3.5 0 0 1 -6 0z", "f-warm veil edge"),
        path(antlers + "M-4.5 -1l-5 2l4 2M4.5 -1l5 2l-4 2M-1.8 2.5v1M1.8 2.5v1", "ink both"),
        circle(0, 9, 2.6, "f-error"),
    ]  # fmt: skip


def _sleigh() -> list[Element]:
    return [
        path("M-12 -7Q-8 -8 -7 -3Q-2 0 3 -2Q6 -3 6 -9Q11 -10 11 -4Q11 4 5 4H-5Q-11 3 -12 -7Z", "f-error veil edge"),
        path("M-6 4v5M5 4v5M-11 9H8Q13.5 9 12.5 3", "ink both"),
    ]  # fmt: skip


DECORATIONS = {
    "lantern": _lantern, "star": _star, "angel": _angel, "bauble": _bauble, "wreath": _wreath, "banner": _banner,
    "reindeer": _reindeer, "sleigh": _sleigh,
}  # fmt: skip


def decoration(name: str, letter: str) -> list[Element]:
    """Draw a decoration; one that a component file brings along is a label with its letter."""
    if name in DECORATIONS:
        return DECORATIONS[name]()
    return [path("M-9 -6L0 -12L9 -6V11H-9Z", "ink both"), circle(0, -7, 1.5, "f-ink"), text(0, 8, letter, "t big bold")]


# --- the town -----------------------------------------------------------------------------------------------------


def _shop(roof: str, tiles: str) -> list[Element]:
    """Draw a roof from above, an awning, and the front below it with a lit window."""
    return [path(roof, "f-warm tint"), path(tiles, "print thin soft"), path(roof, "print thin"), use("front", 0, 0)]


def _front() -> list[Element]:
    return [
        rect(-14, 10, 9, 6, "f-lamp soft"), path("M-17 3q4 6 8.5 0q4 6 8.5 0q4 6 8.5 0q4 6 8.5 0", "print thin soft"),
        path("M-16 4v13h32V4M-14 10h9v6h-9zM4 17v-7h6v7", "print thin"),
    ]  # fmt: skip


def _power_house() -> list[Element]:
    roof = "M-17 3V-8l11 -6v6l11 -6v6l12 -6V3z"
    return [
        path(roof, "f-warm tint"), path(roof + "M-16 3v14h32v-14M-13 17v-8h8v8", "print thin"),
        path("M9 4.5l-5 6.5h4l-2.5 6l6 -7.5h-4z", "f-power edge"), circle(0, 0, 5, "f-ink"),
    ]  # fmt: skip


def _gate() -> list[Element]:
    arch = "M-16 17V-3a16 13 0 0 1 32 0V17h-6V-2a10 8 0 0 0 -20 0V17z"
    return [
        path(arch, "f-paper"), path(arch + "M-16 6h6M10 6h6M-13 -10l4.5 4M13 -10l-4.5 4M0 -16v6", "print thin"),
    ]  # fmt: skip


def _fir() -> list[Element]:
    return [path("M0 -15L7 -5H4L10 4H6L12 12H2.5v4h-5v-4H-12L-6 4H-10L-4 -5H-7Z", "w-green")]


def _great_fir() -> list[Element]:
    return [
        path("M0 -15L8 -6H5L12 3H8L16 13H3v4H-3v-4H-16L-8 3H-12L-5 -6H-8Z", "w-green"),
        path("M-4 -4q5 4 9 -1M-7 5q8 5 14 -1M-10 12q3 -2 4 -4", "lamp both"),
        path(star_path(0, -14, 5, 2), "f-lamp edge"),
    ]  # fmt: skip


def _grass() -> list[Element]:
    return [
        path("M-11 -4q0 -4 -2 -6M-9 -4v-7M-7 -4q0 -4 2 -6M6 11q0 -4 -2 -6M8 11v-7M10 11q0 -4 2 -6", "green thin soft")
    ]


def _street_lamp() -> list[Element]:
    return [
        circle(0, 0, 7, "f-lamp tint"), path("M-2.5 -3.5h5l-1 6h-3zM0 2.5v7M-2.5 9.5h5", "print thin"),
        path("M-5.5 -1h-2M5.5 -1h2M-4.5 -5l-1.5 -1.5M4.5 -5l1.5 -1.5", "lamp thin"), circle(0, -0.5, 1.8, "f-lamp"),
    ]  # fmt: skip


def church(squares: int) -> list[Element]:
    """Draw the church over so many squares from left to right, around the middle of the first: a tower, then the nave."""
    right = (squares - 1) * SIDE + 16
    nave = f"M-2 17V3L4 -9H{right - 5}L{right} 3V17z"
    windows = "".join(f"M{x} 16v-6a3 3 0 0 1 6 0v6z" for x in range(6, right - 6, 12))
    tower = "M-15 17V-2L-8 -12L-1 -2V17z"
    return [
        path(nave, "f-faint"), path(windows, "f-lamp soft"),
        path(nave + windows + f"M1 3H{right}", "print thin"),
        path(tower, "f-paper"), path(tower + "M-15 -2h14M-11 17v-6a3 3 0 0 1 6 0v6", "print"),
        path("M-8 -12v-6M-10.5 -15.5h5", "ink both"),
    ]  # fmt: skip


TOWN = {
    "shop0": lambda: _shop("M-17 3V-17H17V3z", "M-17 -7h34M-11 -17v10M0 -17v10M11 -17v10M-6 -7V3M6 -7V3"),
    "shop1": lambda: _shop("M-17 3L-11 -17H11L17 3z", "M-6 -17L-9 3M0 -17V3M6 -17L9 3"),
    "shop2": lambda: _shop("M-17 3V-5L0 -17L17 -5V3z", "M-3 -8a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M-13 -2h8M5 -2h8"),
    "front": _front, "power": _power_house, "gate": _gate, "fir": _fir, "great": _great_fir, "grass": _grass,
    "lamp": _street_lamp,
}  # fmt: skip
GROUND = {POWER: "power", ENTRANCE: "gate", OPEN: "grass"}


def own_ground(x: float, y: float, name: str) -> Element:
    """Draw a ground that a component file brings along: a plot with its name."""
    plot = path(f"M{x - 16:g} {y - 16:g}h32v32h-32z", "print thin")
    return group(plot, text(x, y + 14, name if len(name) < 8 else f"{name[:5]}.", "t small p"))


def stretches(town: list[str]) -> list[tuple[int, int, str, int]]:
    """Return the town from left to right and top to bottom: row, column, ground, and how many squares it goes on.

    Only shops and the church go on; every other square is by itself.
    """
    found: list[tuple[int, int, str, int]] = []
    for row, marks in enumerate(town):
        for col, mark in enumerate(marks):
            if col and mark == marks[col - 1] and mark in SHOP + CHURCH:
                found[-1] = (*found[-1][:3], found[-1][3] + 1)
            else:
                found.append((row, col, mark, 1))
    return found


def _terrace(first: int, length: int) -> list[str]:
    """Return the shops of a terrace, so that neighbours differ."""
    return [f"shop{(first + i * 2) % 3}" for i in range(length)]


def terraces(town: list[str]) -> dict[str, list[Element]]:
    """Shops side by side, around the middle of the first."""
    found: dict[str, list[Element]] = {}
    for row, col, mark, length in stretches(town):
        name = ground(mark, {}, row, col, length)
        if name.startswith("row"):
            found[name] = [use(shop, i * SIDE, 0) for i, shop in enumerate(_terrace(row % 2, length))]
    return found


def ground(mark: str, trees: dict[str, int], row: int, col: int, length: int = 1) -> str:
    """Return the symbol of a stretch of ground; nothing for streets and the church, which have no symbol."""
    if mark == SHOP:
        return f"shop{(row + col) % 3}" if length == 1 else f"row{row % 2}-{length}"
    if mark in trees:
        return "great" if trees[mark] > 2 else "fir"
    return GROUND.get(mark, "")


# --- cards --------------------------------------------------------------------------------------------------------

SUIT_SHAPES = {
    "s": "M0 -7C-2 -3 -7 -1 -7 3A3.3 3.3 0 0 0 -1 4.5L-2.5 7H2.5L1 4.5A3.3 3.3 0 0 0 7 3C7 -1 2 -3 0 -7Z",
    "c": "M-1 3A3.6 3.6 0 1 1 -3.4 -2A3.4 3.4 0 1 1 3.4 -2A3.6 3.6 0 1 1 1 3L2.5 7H-2.5Z",
    "h": "M0 7C-2 3 -7 1 -7 -3A3.6 3.6 0 0 1 0 -4A3.6 3.6 0 0 1 7 -3C7 1 2 3 0 7Z",
    "d": "M0 -7.5L5.5 0L0 7.5L-5.5 0Z",
}


def _suit(name: str) -> list[Element]:
    """Black suits are full, red ones an outline with a tint."""
    return [path(SUIT_SHAPES[name], "f-ink" if name in "sc" else "w-error")]


def _wild() -> list[Element]:
    return [path(star_path(0, 0, 6, 2.5), "f-lamp edge")]


def _card() -> list[Element]:
    return [rect(-17, -24, 34, 48, "f-paper edge", 4)]


def _suit_card(name: str) -> list[Element]:
    """Draw a card of a suit, without its rank."""
    return [*_card(), use(f"s{name}", -6, 4)]


def _joker() -> list[Element]:
    return [
        *_card(),
        path("M-13 3Q-16 -7 -11 -12Q-7 -9 -7 -4Q-6 -12 -4 -15Q-2 -12 -1 -4Q-1 -9 3 -12Q8 -7 5 3Z", "f-lamp edge"),
        path("M-13 6h18", "ink both"), path("M-11 -13h0M-4 -15h0M3 -13h0", "ink fat"),
        text(-14, 18, "joker", "ts small"),
    ]  # fmt: skip


def _card_back() -> list[Element]:
    return [*_card(), path("M-13 -20h26v40h-26zM-13 -7l13 -13l13 13l-13 13zM-13 7l13 13l13 -13l-13 -13z", "print thin")]


RAYS = "M0 -15.5v-2.5M0 15.5v2.5M-15.5 0h-2.5M15.5 0h2.5M-11 -11l-2 -2M11 -11l2 -2M-11 11l-2 2M11 11l2 2"


def _disc() -> list[Element]:
    """What a decoration stands on."""
    return [circle(0, 0, 14, "f-paper")]


def _shine() -> list[Element]:
    """The same for a light decoration that power reaches."""
    return [*_disc(), circle(0, 0, 14, "f-lamp soft"), path(RAYS, "lamp")]


@functools.cache
def fixed() -> dict[str, list[Element]]:
    """Draw all symbols that every sheet has."""
    found = {name: drawn() for name, drawn in TOWN.items()}
    found |= {f"s{name}": _suit(name) for name in SUIT_SHAPES}
    found |= {f"c{name}": _suit_card(name) for name in SUIT_SHAPES}
    found |= {"joker": _joker(), "wild": _wild(), "back": _card_back()}
    return found | {"disc": _disc(), "shine": _shine()}
