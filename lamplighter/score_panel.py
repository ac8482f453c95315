"""The score panel beside a sheet: every scoring line with its points, and the total. It knows no game."""

from __future__ import annotations

from collections.abc import Mapping

from lamplighter.svg import Element, Picture, group, line, number, rect, text

ROW = 25
EDGE = 14  # free space left and right
LETTER = 7.2  # the usual width of a letter


def draw_panel(lines: Mapping[str, int], why: str = "", large: bool = False, heading: str = "score") -> Picture:
    """Draw every scoring line with its points, light the one that is asked for, and put the total under a rule.

    Each line is a group with its name in `data-line`, so that a page can ask for the cells behind it.
    """
    scale = 1.25 if large else 1.0
    row = ROW * scale
    longest = max(len(name) for name in (*lines, heading, "total"))
    width = 2 * EDGE + (LETTER * longest + 58) * scale
    body: list[Element] = [text(EDGE, EDGE + row - 8 * scale, heading, "ts small p")]
    y = EDGE + row
    for name, points in lines.items():
        lit = [rect(EDGE - 7, y + 1, width - 2 * EDGE + 14, row - 2, "why", 6)] if name == why else []
        body.append(
            group(
                *lit,
                line(EDGE, y + row, width - EDGE, y + row, "faint thin"),
                text(EDGE, y + row - 8 * scale, name, "ts"),
                text(width - EDGE, y + row - 8 * scale, format_points(points), "te" if points else "te p"),
                data_line=name,
            )
        )
        y += row
    body += [
        line(EDGE, y, width - EDGE, y, "ink thin"),
        text(EDGE, y + 4 + row, "total", "ts bold"),
        text(width - EDGE, y + 4 + row, format_points(sum(lines.values())), "te big bold"),
    ]
    return Picture(width, y + row + EDGE + 4, body)


def format_points(points: int) -> str:
    """Return points with a true minus sign.

    >>> format_points(-3)
    '−3'
    """
    return str(points).replace("-", "−")


def say_points(points: int) -> str:
    """Return points in words.

    >>> say_points(1), say_points(-3)
    ('1 point', '−3 points')
    """
    return f"{format_points(points)} {'point' if points == 1 else 'points'}"


def beside(left: Picture, right: Picture) -> Picture:
    """Return two pictures as one, next to each other. Its cells are those of the left one."""
    moved = group(*right.body, transform=f"translate({number(left.width)} 0)")
    height = max(left.height, right.height)
    return Picture(left.width + right.width, height, [*left.body, moved], {**left.symbols, **right.symbols}, left.cells)
