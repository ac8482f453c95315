"""A sheet of My Game, drawn: the grid, arrows for what rises, the die and the points."""

from __future__ import annotations

from lamplighter.engine.grid import format_cell
from lamplighter.engine.text_sheet import Line
from lamplighter.engine.variant import State, Variant


def draw_text(variant: Variant, state: State, seat: int) -> list[Line]:
    """One seat's sheet as lines of (text, role). `engine.text_sheet.ROLES` names the roles; colour alone says nothing."""
    box, rules = variant.box, variant.game.rules
    size = int(box["size"])
    lines: list[Line] = [[("   " + "".join(f"  {col} " for col in range(size)), "print")], _border("┌┬┐", size)]
    for row in range(size):
        line: Line = [(f" {format_cell(row, 0)[0]} ", "print")]
        for col in range(size):
            number = int(state["numbers"][seat, row * size + col])
            line += [("│", "print"), (f" {number or ' '} ", "ink")]
        line.append(("│", "print"))
        if rules.rises(box, state, seat, row * size, 1):
            line.append((" →", "green"))
        lines += [line, _border("├┼┤" if row < size - 1 else "└┴┘", size)]
    arrows = ["↓" if rules.rises(box, state, seat, col, size) else " " for col in range(size)]
    lines.append([("   " + "".join(f"  {arrow} " for arrow in arrows), "green")])
    points = f"rows {rules.score_rows(box, state, seat)}  columns {rules.score_columns(box, state, seat)}"
    lines.append([(f" die {state['die'] or '-'}  ", "lamp"), (points, "title")])
    return lines


def _border(corners: str, size: int) -> Line:
    return [("   " + corners[0] + corners[1].join(["───"] * size) + corners[2], "print")]
