"""A sheet of Last Minute Christmas, drawn: the tree with its squares, tracks with circles and crosses, boxes."""

from __future__ import annotations

from lamplighter.engine.drawing import Line, side_by_side
from lamplighter.engine.grid import format_cell
from lamplighter.engine.variant import State, Variant
from lamplighter.games.last_minute.components import FACES, ornament_names
from lamplighter.games.last_minute.notation import ornament_on

SIGNS = ("o", "J", "*", "%", "&", "!")  # the ornaments of faces 1 to 6: bauble, candy cane, star, bow, bell, light
PENS = ("error", "error", "lamp", "green", "power", "lamp")


def draw_text(variant: Variant, state: State, seat: int) -> list[Line]:
    """One seat's sheet: tree on the left, tracks and boxes on the right."""
    return side_by_side(_tree(variant, state, seat), [*_tracks(variant, state, seat), *_boxes(variant, state, seat)])


def _tree(variant: Variant, state: State, seat: int) -> list[Line]:
    box = variant.box
    rows, cols = int(box["rows"]), int(box["cols"])
    top = min((col for col in range(cols) if box["square_at"][0, col] >= 0), default=cols // 2)
    lines: list[Line] = [[("   " + "".join(f" {col} " for col in range(cols)), "print")]]
    lines.append([("   " + "   " * top + "\\|/", "lamp")])
    for row in range(rows):
        line: Line = [(f" {format_cell(row, 0)[0]} ", "print")]
        for col in range(cols):
            line.append(_square(variant, state, seat, int(box["square_at"][row, col])))
        lines.append(line)
    lines.append([("   " + "   " * (cols // 2) + "[_]", "print")])
    return lines


def _square(variant: Variant, state: State, seat: int, square: int) -> tuple[str, str]:
    if square < 0:
        return "   ", "print"
    ornament = ornament_on(state, seat, square)
    icon = int(variant.box["icons"]) >> square & 1
    if ornament >= 0:
        return (f"({SIGNS[ornament]})" if icon else f" {SIGNS[ornament]} "), PENS[ornament]
    return ("(±)", "power") if icon else (" · ", "green")


def _tracks(variant: Variant, state: State, seat: int) -> list[Line]:
    """Circles are drawn as (6), crosses as an x."""
    names = ornament_names(variant.file)
    width = max(map(len, names))
    lines: list[Line] = []
    for ornament in range(FACES):
        length = int(variant.box["track_length"][ornament])
        circled, crossed = int(state["circled"][seat, ornament]), int(state["crossed"][seat, ornament])
        line: Line = [(f"{ornament + 1} {SIGNS[ornament]} {names[ornament]:<{width}} ", PENS[ornament])]
        for i in range(length):
            value = int(variant.box["tracks"][ornament, i])
            if i < circled:
                line.append((f"{f'({value})':>5}", "ink"))
            elif i >= length - crossed:
                line.append(("   x ", "error"))
            else:
                line.append((f"{value:>4} ", "print"))
        if circled + crossed == length:
            line.append((" closed", "error"))
        lines.append(line)
    return lines


def _boxes(variant: Variant, state: State, seat: int) -> list[Line]:
    """The power boxes and the turn boxes."""
    icons = int(variant.game.rules.icons_covered(variant.box, state, seat))
    boxes, powers = int(variant.box["power_boxes"]), int(state["powers"][seat])
    gained = min(icons, boxes)
    signs = "x" * (gained - powers) + "o" * powers + "." * (boxes - gained)
    turns = [str(points) if points else "." for points in state["turn_points"][seat][: int(variant.box["turns"])]]
    return [
        [("±1 boxes ", "power"), (" ".join(signs), "ink"), (f"   icons {icons} of {_icons(variant)}", "print")],
        [("turns    ", "title"), (" ".join(turns), "ink")],
    ]


def _icons(variant: Variant) -> int:
    return int(variant.box["icons"]).bit_count()
