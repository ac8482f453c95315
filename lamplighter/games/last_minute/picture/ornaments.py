"""The six ornaments as symbols, each around its own middle, differing in outline."""

from __future__ import annotations

from lamplighter.strokes import star_path
from lamplighter.svg import Element, circle, group, number, path, rect, use

ROOM = 44  # the square that an ornament is drawn for


def _bauble() -> list[Element]:
    return [
        circle(0, 2, 12, "f-error tint"), circle(0, 2, 12, "ink"), rect(-3, -15, 6, 5, "ink", 1),
        path("M-7 -1q2 -5 7 -6", "ink thin"), path("M-11 5q11 6 22 0", "ink thin"),
    ]  # fmt: skip


def _candy_cane() -> list[Element]:
    hook = "M-5 15V-5a7 7 0 0 1 14 0v2"
    return [
        path(hook, "ink wide"),
        path(hook, "paper fat"),
        path("M-8 12l6 -4M-8 4l6 -4M-8 -4l7 -3M0 -14l2 7M7 -8l5 -3", "error"),
    ]


def _star() -> list[Element]:
    shape = star_path(0, 1, 15, 6.5)
    return [path(shape, "f-lamp"), path(shape, "ink")]


def _bow() -> list[Element]:
    loops = "M0 -1C-6 -12 -16 -11 -15 -1C-15 7 -6 6 0 -1C6 -12 16 -11 15 -1C15 7 6 6 0 -1Z"
    return [
        path(loops, "f-green tint"),
        path(loops, "ink"),
        path("M-2 2L-8 15M2 2L8 15", "ink"),
        circle(0, -1, 3.5, "f-ink"),
    ]


def _bell() -> list[Element]:
    shape = "M-12 9C-8 5 -9 -13 0 -13C9 -13 8 5 12 9Z"
    return [
        path(shape, "f-power tint"),
        path(shape, "ink"),
        circle(0, 12.5, 3, "f-ink"),
        path("M-3 -13a3 3 0 0 1 6 0", "ink"),
    ]


def _light() -> list[Element]:
    bulb = "M-4 -5C-9 3 -5 11 0 13C5 11 9 3 4 -5Z"
    rays = "M-13 0h-3M13 0h3M-10 10l-3 2M10 10l3 2M0 15.5v1"
    return [path(bulb, "f-lamp soft"), path(bulb, "ink"), rect(-4, -13, 8, 8, "ink", 1), path(rays, "lamp")]


ORNAMENTS = (_bauble, _candy_cane, _star, _bow, _bell, _light)


def symbols(scale: float) -> dict[str, list[Element]]:
    """What `<use>` may show: the ornaments of faces 1 to 6."""
    transform = f"scale({number(scale)})"
    return {f"o{face}": [group(*drawn(), transform=transform)] for face, drawn in enumerate(ORNAMENTS, 1)}


def place_ornament(ornament: int, x: float, y: float, scale: float) -> Element:
    """Draw an ornament, from 0, around a place, so much larger than its symbol."""
    return use(f"o{ornament + 1}", 0, 0, transform=f"translate({number(x)} {number(y)}) scale({number(scale)})")
