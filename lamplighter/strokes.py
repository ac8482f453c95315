"""Strokes that all sheets share: circles, crosses and ticks as a pencil makes them, dice, boxes. They know no game."""

from __future__ import annotations

import math

from lamplighter.svg import Element, circle, group, number, path, rect, text

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def pencil_circle(x: float, y: float, r: float, class_: str = "ink") -> Element:
    """Draw a circle that does not quite close where it began."""
    points = [(x + r * 1.05 * math.cos(a), y + r * 0.96 * math.sin(a)) for a in (-1.9, -0.3, 1.3, 2.9)]
    end = (x + r * 0.86 * math.cos(-1.6), y - r * 1.12)
    arc = f"A{number(r)} {number(r * 0.97)} 0 0 1 "
    d = f"M{number(points[0][0])} {number(points[0][1])}"
    for px, py in (*points[1:], end):
        d += f"{arc}{number(px)} {number(py)}"
    return path(d, class_)


def pencil_cross(x: float, y: float, r: float, class_: str = "ink") -> Element:
    """Draw a cross of two quick strokes, the second a little longer."""
    down = f"M{number(x - r)} {number(y - r)}l{number(2 * r)} {number(1.9 * r)}"
    back = f"M{number(x + r)} {number(y - r)}q{number(-r * 0.9)} {number(r * 1.1)} {number(-2 * r)} {number(2.1 * r)}"
    return path(down + back, class_)


def die(x: float, y: float, size: float, face: int, class_: str = "") -> Element:
    """Draw a die seen from above; x and y are its upper left corner."""
    centre, step = size / 2, size * 0.26
    dots = [circle(x + centre + dx * step, y + centre + dy * step, size * 0.085, "f-ink") for dx, dy in PIPS[face]]
    corner = size * 0.2
    body = (rect(x, y, size, size, "f-paper", corner), rect(x, y, size, size, "ink", corner))
    return group(*body, *dots, class_=class_ or None)


def box(x: float, y: float, width: float, height: float, words: str = "", style: str = "t small p") -> Element:
    """Draw a printed box with a word in it."""
    parts: list[Element] = [rect(x, y, width, height, "print thin", 4)]
    if words:
        parts.append(text(x + width / 2, y + height / 2 + 4, words, style))
    return group(*parts)


def star_path(x: float, y: float, outer: float, inner: float, points: int = 5) -> str:
    """Return the outline of a star as a path."""
    corners = []
    for i in range(2 * points):
        r = inner if i % 2 else outer
        angle = math.pi * i / points - math.pi / 2
        corners.append(f"{number(x + r * math.cos(angle))} {number(y + r * math.sin(angle))}")
    return "M" + "L".join(corners) + "Z"


def pencil_check(x: float, y: float, r: float, class_: str = "ink") -> Element:
    """Draw a tick: one short stroke, one long."""
    return path(
        f"M{number(x - r)} {number(y)}l{number(r * 0.7)} {number(r * 0.8)}L{number(x + r)} {number(y - r)}", class_
    )
