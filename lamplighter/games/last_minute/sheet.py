"""A sheet of Last Minute Christmas, drawn: the tree with its squares, tracks with circles and crosses, boxes.

What does not fit beside the tree goes below it, and long lines are broken.
"""

from __future__ import annotations

from lamplighter.engine.grid import format_cell
from lamplighter.engine.text_sheet import Line, Span, side_by_side
from lamplighter.engine.variant import State, Variant
from lamplighter.games.last_minute.components import FACES, PLACES, boxes_at, ornament_names, squares_in
from lamplighter.games.last_minute.notation import ornament_on

SIGNS = ("o", "J", "*", "%", "&", "!")  # the ornaments of faces 1 to 6: bauble, candy cane, star, bow, bell, light
PENS = ("error", "error", "lamp", "green", "power", "lamp")
MOST_WIDE = 80


def draw_text(variant: Variant, state: State, seat: int) -> list[Line]:
    """Return one seat's sheet: tree on the left, tracks and boxes on the right."""
    tree, notes = _tree(variant, state, seat), _tracks(variant, state, seat)
    beside = notes if boxes_at(variant.file) == PLACES[0] else tree
    beside += _power_boxes(variant, state, seat)
    notes += _turns(variant, state, seat)
    both = side_by_side(tree, notes)
    if max(sum(len(text) for text, _ in line) for line in both) <= MOST_WIDE:
        return both
    return [*tree, [], *notes]


def _tree(variant: Variant, state: State, seat: int) -> list[Line]:
    box = variant.box
    rows, cols = int(box["rows"]), int(box["cols"])
    top = min((col for col in range(cols) if box["square_at"][0, col] >= 0), default=cols // 2)
    lines: list[Line] = [[("   " + "".join(f"{col:>2} " for col in range(cols)), "print")]]
    lines.append([("   " + "   " * top + "\\|/", "lamp")])
    for row in range(rows):
        line: Line = [(f" {format_cell(row, 0)[0]} ", "print")]
        for col in range(cols):
            line.append(_square(variant, state, seat, int(box["square_at"][row, col])))
        lines.append(line)
    lines.append([("   " + "   " * (cols // 2) + "[_]", "print")])
    return lines


def _square(variant: Variant, state: State, seat: int, square: int) -> Span:
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
    wide = max(5, len(str(variant.box["tracks"].max())) + 3)
    lines: list[Line] = []
    for ornament in range(FACES):
        length = int(variant.box["track_length"][ornament])
        circled, crossed = int(state["circled"][seat, ornament]), int(state["crossed"][seat, ornament])
        head: Span = (f"{ornament + 1} {SIGNS[ornament]} {names[ornament]:<{width}} ", PENS[ornament])
        spans: list[Span] = []
        for i in range(length):
            value = int(variant.box["tracks"][ornament, i])
            if i < circled:
                spans.append((f"{f'({value})':>{wide}}", "ink"))
            elif i >= length - crossed:
                spans.append(("x ".rjust(wide), "error"))
            else:
                spans.append((f"{value} ".rjust(wide), "print"))
        if circled + crossed == length:
            spans.append((" closed", "error"))
        lines += _broken(head, spans)
    return lines


def _broken(head: Span, spans: list[Span]) -> list[Line]:
    """Return a head and what follows as one line, or as several with the same margin."""
    lines: list[Line] = [[head]]
    for span in spans:
        if sum(len(text) for text, _ in lines[-1]) + len(span[0]) > MOST_WIDE:
            lines.append([(" " * len(head[0]), "print")])
        lines[-1].append(span)
    return lines


def _power_boxes(variant: Variant, state: State, seat: int) -> list[Line]:
    icons = int(variant.game.rules.icons_covered(variant.box, state, seat))
    boxes, powers = int(variant.box["power_boxes"]), int(state["powers"][seat])
    gained = min(icons, boxes)
    signs = "x" * (gained - powers) + "o" * powers + "." * (boxes - gained)
    spans: list[Span] = [(text, "ink") for text in _in_tens(signs)]
    spans.append((f"   icons {icons} of {len(squares_in(int(variant.box['icons'])))}", "print"))
    return _broken(("±1 boxes ", "power"), spans)


def _turns(variant: Variant, state: State, seat: int) -> list[Line]:
    points = state["turn_points"][seat, : int(variant.box["turns"])].tolist()
    signs = "".join(str(value) if value else "." for value in points)
    return _broken(("turns    ", "title"), [(text, "ink") for text in _in_tens(signs)])


def _in_tens(signs: str) -> list[str]:
    """Return signs with spaces between them, ten at a time, so that a line can be broken in between.

    >>> _in_tens("ooooooooooxx")
    ['o o o o o o o o o o ', 'x x']
    """
    return [" ".join(signs[i : i + 10]) + " " * (i + 10 < len(signs)) for i in range(0, len(signs), 10)]
