"""The sheet of Last Minute Christmas as a picture: the tree, power boxes, tracks, turn boxes, the final count, the dice.

Without a state it is the blank sheet to print.
"""

from __future__ import annotations

import numpy as np

from lamplighter.engine.grid import format_cell
from lamplighter.engine.variant import State, Variant
from lamplighter.games.last_minute.components import FACES, cross_name, ornament_names
from lamplighter.games.last_minute.notation import ornament_on, split_action
from lamplighter.games.last_minute.picture.move_targets import legal_actions
from lamplighter.games.last_minute.picture.ornaments import ROOM, place_ornament, symbols
from lamplighter.games.last_minute.picture.plan import EDGE, POINTS, ROW, TOP, Plan, make_plan
from lamplighter.strokes import box, die, pencil_check, pencil_circle, pencil_cross, star_path
from lamplighter.svg import Element, Picture, circle, element, group, number, path, rect, text


def draw(variant: Variant, state: State | None, seat: int) -> Picture:
    """Draw a seat's sheet, or the blank one."""
    plan = make_plan(variant)
    body = [
        *_tree(variant, state, seat, plan),
        *_power_boxes(variant, state, seat, plan),
        *_tracks(variant, state, seat, plan),
        *_turn_boxes(state, seat, plan),
        *_count(variant, state, seat, plan),
    ]
    if state is not None:
        body += _table(variant, state, seat, plan.width)
    return Picture(plan.width, plan.height, body, symbols(plan.scale), _cells(variant, plan))


def _cells(variant: Variant, plan: Plan) -> dict[str, tuple[float, float, float, float]]:
    found: dict[str, tuple[float, float, float, float]] = {}
    for square in range(int(variant.box["squares"])):
        row, col = int(variant.box["row"][square]), int(variant.box["col"][square])
        found[format_cell(row, col)] = (*plan.corner(row, col), plan.side, plan.side)
    return found


# --- the tree -------------------------------------------------------------------------------------------------


def _tree(variant: Variant, state: State | None, seat: int, plan: Plan) -> list[Element]:
    drawn = [_boughs(variant, plan)]
    for square in range(int(variant.box["squares"])):
        x, y = plan.middle(int(variant.box["row"][square]), int(variant.box["col"][square]))
        ornament = -1 if state is None else ornament_on(state, seat, square)
        drawn += draw_square(x, y, plan.side, bool(int(variant.box["icons"]) >> square & 1), ornament)
    return drawn


def draw_square(x: float, y: float, side: float, icon: bool, ornament: int) -> list[Element]:
    """Draw a square of the tree around its middle, with its icon and its ornament, from 0; -1 for none."""
    half, scale = side / 2 - 2, side / ROOM
    drawn = [rect(x - half, y - half, 2 * half, 2 * half, style, 9 * scale) for style in ("f-paper", "print thin")]
    if ornament >= 0 and icon:  # a little aside, so that both can be seen
        drawn.append(text(x - half + 9, y - half + 10.5, "±1", "t small"))
        drawn.append(place_ornament(ornament, x + 3 * scale, y + 3 * scale, 0.86))
    elif ornament >= 0:
        drawn.append(place_ornament(ornament, x, y, 1))
    elif icon:
        drawn += [circle(x, y, 13 * scale, "power thin"), text(x, y + 4, "±1", "t" if scale > 0.7 else "t small")]
    return drawn


def _boughs(variant: Variant, plan: Plan) -> Element:
    """Draw the tree behind the squares: a bough for every row, a trunk, and a tip that looks like no ornament."""
    parts: list[Element] = []
    unit = plan.scale
    for row in reversed(range(plan.rows)):
        cols = [col for col in range(plan.cols) if variant.box["square_at"][row, col] >= 0]
        if cols:
            left, top = plan.corner(row, cols[0])
            right = plan.corner(row, cols[-1] + 1)[0]
            middle = (left + right) / 2
            low, slope, peak = (number(top + at) for at in (plan.side + 3, 20 * unit, -10 * unit))
            d = f"M{number(left - 12 * unit)} {low}Q{number(left + 4)} {slope} {number(middle - 8 * unit)} {peak}"
            d += f"L{number(middle + 8 * unit)} {peak}Q{number(right - 4)} {slope} {number(right + 12 * unit)} {low}"
            waves = max(2, len(cols))
            step = (right - left + 24 * unit) / waves
            d += "".join(f"q{number(-step / 2)} {number(10 * unit)} {number(-step)} 0" for _ in range(waves)) + "Z"
            parts.append(path(d, "f-green tint"))
            parts.append(path(d, "green thin soft"))
    foot = plan.left + plan.cols * plan.side / 2, TOP + plan.rows * plan.side + 5
    trunk = f"M{number(foot[0] - 12 * unit)} {number(foot[1])}l{number(-2 * unit)} {number(18 * unit)}"
    trunk += f"h{number(28 * unit)}l{number(-2 * unit)} {number(-18 * unit)}"
    parts += [path(f"{trunk}z", "f-warm tint"), path(trunk, "warm")]
    x, y = plan.middle(int(variant.box["row"][0]), int(variant.box["col"][0]))
    tip = star_path(x, y - plan.side / 2 - 11 * unit, 12 * unit, 3.6 * unit, points=4)
    parts += [path(tip, "f-paper"), path(tip, "print thin")]
    return group(*parts)


# --- tracks and boxes -----------------------------------------------------------------------------------------


def _power_boxes(variant: Variant, state: State | None, seat: int, plan: Plan) -> list[Element]:
    """§12 Draw the boxes: one is circled for an icon, and crossed out when it is used."""
    gained = 0 if state is None else int(variant.game.rules.icons_covered(variant.box, state, seat))
    gained = min(len(plan.powers), gained)
    used = 0 if state is None else gained - int(state["powers"][seat])
    drawn: list[Element] = []
    if plan.powers and plan.powers[0][1] > plan.tracks_top:
        drawn.append(text(EDGE, plan.powers[0][1] + 15, "±1 boxes", "ts small"))
    for i, place in enumerate(plan.powers):
        drawn += draw_power_box(place, i < gained, i < used)
    return drawn


def draw_power_box(place: tuple[float, float, float, float], circled: bool, crossed: bool) -> list[Element]:
    x, y, width, height = place
    drawn = [box(x, y, width, height, "±1")]
    middle, size = (x + width / 2, y + height / 2), min(11.0, height / 2)
    if circled:
        drawn.append(pencil_circle(*middle, size, "power"))
    if crossed:
        drawn.append(pencil_cross(*middle, size * 0.7, "ink"))
    return drawn


def _label(x: float, y: float, words: str, room: float) -> Element:
    """Write the name of a track; a long one is drawn closer, so that it ends before its track in any font."""
    if 8 * len(words) <= room:
        return text(x, y, words, "ts small")
    return element("text", words, x=x, y=y, class_="ts small", textLength=room, lengthAdjust="spacingAndGlyphs")


def _tracks(variant: Variant, state: State | None, seat: int, plan: Plan) -> list[Element]:
    """Draw a track for every ornament, with a box for its points at the end."""
    drawn: list[Element] = [text(plan.width - EDGE - POINTS / 2, plan.tracks_top - 5, "points", "t small p")]
    names, points = ornament_names(variant.file), _points(variant, state, seat)
    for ornament, top in enumerate(plan.track_tops):
        y = top + ROW / 2
        drawn += [
            place_ornament(ornament, 20, y, 0.62 / plan.scale),
            _label(36, y + 4.5, f"{ornament + 1} {names[ornament].replace('-', ' ')}", plan.tracks_left - 40),
        ]
        values = [int(value) for value in variant.box["tracks"][ornament, : int(variant.box["track_length"][ornament])]]
        circled, crossed = (
            0 if state is None else int(state[field][seat, ornament]) for field in ("circled", "crossed")
        )
        for i, value in enumerate(values):
            x = plan.tracks_left + i % plan.in_row * plan.track_step
            at = top + i // plan.in_row * ROW
            mark = cross_name(ornament, i) if i >= len(values) - crossed else ""
            drawn += draw_value(x, at, plan.track_step, value, i < circled, bool(mark), mark)
        drawn += _points_box(plan.width - EDGE - POINTS, top + 2, POINTS, 22, points[1 + ornament])
    return drawn


def draw_value(
    x: float, y: float, step: float, value: int, circled: bool, crossed: bool, mark: str = ""
) -> list[Element]:
    """§5, §7 Draw a square of a track with its value, circled or crossed out; `mark` names the cross."""
    drawn = [box(x + 2, y + 2.5, step - 4, 22, str(value), "t small" if circled else "t small p")]
    if circled:
        drawn.append(pencil_circle(x + step / 2, y + ROW / 2, min(11.0, step / 2 - 1)))
    elif crossed:
        drawn.append(group(pencil_cross(x + step / 2, y + ROW / 2, 8, "error"), data_mark=mark or None))
    return drawn


def _turn_boxes(state: State | None, seat: int, plan: Plan) -> list[Element]:
    """§10 Draw a box for every turn, with its number in the corner."""
    drawn: list[Element] = []
    for turn, (x, y, width, height) in enumerate(plan.turns):
        points = 0 if state is None else int(state["turn_points"][seat, turn])
        drawn += [box(x, y, width, height), text(x + 3, y + 10, str(turn + 1), "ts small p")]
        if points:
            drawn.append(text(x + width * 0.58, y + 20, str(points), "t bold"))
    return drawn


def _points(variant: Variant, state: State | None, seat: int) -> list[str]:
    """§14 Return what is written at the end: every scoring line, and the total. Until then the boxes are empty."""
    if state is None or not variant.game.rules.is_over(variant.box, state):
        return [""] * (len(variant.score_lines) + 1)
    lines = np.zeros(len(variant.score_lines), np.int64)
    total = variant.game.rules.score(variant.box, state, seat, lines)
    return [*map(str, lines.tolist()), str(total)]


def _count(variant: Variant, state: State | None, seat: int, plan: Plan) -> list[Element]:
    """§14 Draw the boxes of the final count that no track has: turns, powers, icons, and the total."""
    points = _points(variant, state, seat)
    names = ("turns", "±1 left", f"all ±1: {int(variant.box['icon_bonus'])}", "total")
    values = (points[0], points[1 + FACES], points[2 + FACES], points[-1])
    step = (plan.width - 2 * EDGE + 6) / len(names)
    drawn: list[Element] = []
    for i, (name, value) in enumerate(zip(names, values, strict=True)):
        x, last = EDGE + i * step, i == len(names) - 1
        drawn.append(text(x + 3, plan.count_top + 11, name, "ts small bold" if last else "ts small p"))
        drawn += _points_box(x, plan.count_top + 15, step - 6, 28, value, "ink" if last else "print thin")
    return drawn


def _points_box(
    x: float, y: float, width: float, height: float, points: str, style: str = "print thin"
) -> list[Element]:
    drawn = [rect(x, y, width, height, style, 4)]
    if points:
        drawn.append(text(x + width / 2, y + height / 2 + 5, points, "t bold"))
    return drawn


# --- the dice -------------------------------------------------------------------------------------------------


def _table(variant: Variant, state: State, seat: int, width: float) -> list[Element]:
    """Draw the dice, with a dotted ring around those that the seat may use; the die that was taken; the turn in words."""
    faces = {split_action(variant, action)[0] + 1 for action in legal_actions(variant, state, seat)}
    drawn: list[Element] = []
    for i, face in enumerate(state["dice"].tolist()):
        if face:
            x = 10 + i * 42
            ring = [rect(x - 3, 5, 38, 38, "may", 9)] if face in faces else []
            drawn.append(group(die(x, 8, 32, face), *ring, data_source=str(face)))
    if state["taken"]:
        drawn += [
            group(die(width - 42, 8, 32, int(state["taken"])), class_="soft"),
            pencil_check(width - 26, 24, 11, "green"),
        ]
    turn, turns = int(state["turn"]), int(variant.box["turns"])
    words = "before the first turn" if not turn else f"turn {turn} of {turns}" if turn <= turns else "the end"
    drawn.append(text(width - 52, 21, words, "te small"))
    if faces:
        drawn.append(text(width - 52, 36, "use a die" if state["taken"] else "take a die", "te small bold"))
    return drawn
