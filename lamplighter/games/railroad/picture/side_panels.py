"""What is around the board of Railroad: special routes, goals, tracks of structures, and on paper the score."""

from __future__ import annotations

from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad.components.catalogue import catalogue_of
from lamplighter.games.railroad.components.goals import goal_words
from lamplighter.games.railroad.components.tables import GOAL_LETTERS, GOALS, LINES
from lamplighter.strokes import box as draw_box
from lamplighter.strokes import pencil_check, pencil_circle, pencil_cross, star_path
from lamplighter.svg import Element, circle, group, number, path, rect, text, use

EXITS_A_LINE = 13  # numbers of exits side by side, with what they are worth


def draw(
    variant: Variant, state: State | None, seat: int, sources: set[str], left: float, right: float, y: float
) -> tuple[list[Element], float]:
    """Draw everything below the board; return also where it ends."""
    drawn, y = _specials(variant, state, seat, sources, left, right, y)
    if variant.box["challenge"]:
        more, y = _goals(variant, state, seat, left, right, y)
        drawn += more
        more, y = _tracks(variant, state, seat, left, y)
        drawn += more
    if state is None:
        more, y = _score(variant, left, right, y)
        drawn += more
    return drawn, y


def _specials(
    variant: Variant, state: State | None, seat: int, sources: set[str], left: float, right: float, y: float
) -> tuple[list[Element], float]:
    """§2.3 Draw the special routes; used ones are pale with a tick, those that can be drawn now have a dotted ring."""
    found = catalogue_of(variant)
    specials = found.routes[found.specials :]
    most, used = int(variant.box["specials_a_game"]), 0 if state is None else int(state["specials"][seat])
    counted = 0 if state is None else int(state["counted"][seat])
    words = f"{most} a match, {int(variant.box['specials_a_round'])} a round"
    drawn = [text(left, y + 11, "Special routes", "ts small bold"), text(right, y + 11, words, "te small p")]
    for i in range(most):
        x = left + 128 + i * 15
        drawn.append(rect(x, y + 1, 11, 11, "print thin", 2))
        if i < counted:
            drawn.append(pencil_cross(x + 5.5, y + 6.5, 4))
    step = (right - left + 6) / 6
    for i, route in enumerate(specials):
        x, middle = left + i * step + (step - 6) / 2, y + 44
        parts: list[Element] = [_small(f"{route.code}0", x, middle, 0.92)]
        ring = "print thin"
        source = f"special:{route.name}"
        if used >> i & 1:
            parts = [group(*parts, class_="soft"), pencil_check(x, middle, 15, "green")]
        elif source in sources:
            ring = "may"
        parts.append(rect(x - 25, middle - 25, 50, 50, ring, 7))
        drawn.append(group(*parts, data_source=source))
    return drawn, y + 78


def _small(symbol: str, x: float, y: float, scale: float) -> Element:
    return use(symbol, 0, 0, transform=f"translate({number(x)} {number(y)}) scale({number(scale)})")


def _goals(
    variant: Variant, state: State | None, seat: int, left: float, right: float, y: float
) -> tuple[list[Element], float]:
    """§4.4 Draw the goals of the match, what they are worth, and those reached."""
    box, drawn = variant.box, []
    chosen = (box["goals"] if state is None else state["goals"]).tolist()
    for i in range(GOALS):
        middle = y + 13 + i * 26
        drawn.append(circle(left + 11, middle, 10, "print thin"))
        if chosen[i] >= 0:
            drawn.append(text(left + 11, middle + 4.5, GOAL_LETTERS[chosen[i]], "t bold"))
            drawn.append(text(left + 26, middle + 4.5, goal_words(variant, chosen[i]), "ts small"))
        else:
            drawn.append(path(f"M{number(left + 28)} {number(middle + 7)}H{number(right - 106)}", "print thin dot"))
        reached = 0 if state is None else int(state["goal_round"][seat, i])
        if reached:
            points = int(variant.game.module("rules.goals").score_goal(box, state, seat, i))
            drawn.append(pencil_check(right - 112, middle, 7, "green"))
            drawn.append(text(right, middle + 4.5, f"{points} in round {reached}", "te bold"))
        elif box["solo"]:
            early, late = box["solo_points"].tolist()
            words = f"{early} by round {int(box['solo_rounds'][i])} · {late}"
            drawn.append(text(right, middle + 4, words, "te small p"))
        else:
            drawn.append(text(right, middle + 4, " · ".join(map(str, box["goal_points"].tolist())), "te small p"))
    return drawn, y + GOALS * 26 + 6


def _tracks(variant: Variant, state: State | None, seat: int, left: float, y: float) -> tuple[list[Element], float]:
    """§4.1–§4.3 Villages with their points, universities up to the special route, copies of factories."""
    box, middle = variant.box, y + 16
    villages = int(box["villages"]).bit_count()
    stations = 0 if state is None else (int(state["stations"][seat]) & int(box["villages"])).bit_count()
    drawn = [_small("village", left + 12, middle - 1, 0.8)]
    step = min(27.0, 108 / max(1, villages))
    for i in range(villages):
        x = left + 28 + i * step
        drawn.append(draw_box(x, middle - 12, step - 3, 24, str(box["village_points"][i + 1]), "t small"))
        if i < stations:
            drawn.append(pencil_circle(x + step / 2 - 1.5, middle, 11))
    x = left + 160
    drawn.append(_small("university", x, middle - 1, 0.8))
    active = 0 if state is None else int(variant.game.rules.active_universities(box, state, seat))
    needed = int(box["universities_needed"])
    step = min(24.0, 72 / needed)
    for i in range(needed):
        drawn.append(draw_box(x + 16 + i * step, middle - 10, step - 3, 20))
        if i == needed - 1:
            drawn.append(path(star_path(x + 14.5 + (i + 0.5) * step, middle + 0.5, 7, 3), "print thin"))
        if i < active:
            drawn.append(pencil_check(x + 15 + (i + 0.5) * step, middle, 6))
    x += 112
    drawn.append(_small("factory", x, middle - 1, 0.8))
    copies = 0 if state is None else int(state["copies"][seat])
    words = "copies" if not copies else "1 copy" if copies == 1 else f"{copies} copies"
    drawn.append(text(x + 17, middle + 4, words, "ts bold" if copies else "ts small p"))
    return drawn, y + 36


# --- on paper -------------------------------------------------------------------------------------------------


def rounds(variant: Variant, left: float, right: float, y: float) -> list[Element]:
    """Above the blank board: a box to tick for every round."""
    count = int(variant.box["rounds"])
    step = min(30.0, (right - left - 40) / count)
    drawn = [text(left, y + 15, "round", "ts small p")]
    return drawn + [draw_box(left + 40 + i * step, y, step - 4, 22, str(i + 1)) for i in range(count)]


def _score(variant: Variant, left: float, right: float, y: float) -> tuple[list[Element], float]:
    """§7 What exits are worth, and a box for every scoring line."""
    box = variant.box
    exits = sum(int(spaces).bit_count() for spaces in box["exit_at"])
    drawn: list[Element] = []
    for first in range(2, exits + 1, EXITS_A_LINE):
        counts = range(first, min(first + EXITS_A_LINE, exits + 1))
        step = (right - left - 44) / min(EXITS_A_LINE, exits - 1)
        drawn += [text(left, y + 13, "exits", "ts small p"), text(left, y + 29, "points", "ts small p")]
        for i, count in enumerate(counts):
            x = left + 44 + (i + 0.5) * step
            points = str(box["exit_points"][count])
            drawn += [text(x, y + 13, str(count), "t small p"), text(x, y + 29, points, "t small bold")]
        drawn.append(path(f"M{number(left)} {number(y + 17.5)}H{number(right)}", "print thin"))
        y += 38
    names = [name for name in LINES if box["challenge"] or not (name == "villages" or name.startswith("goal"))]
    if not box["lamps"] and not box["power"]:
        names.remove("expansion")
    words = {"expansion": "lamps" if box["lamps"] else "power", "errors": "errors −"}
    names = [words.get(name, name.replace("goal", "goal ")) for name in names]
    names.append("total")
    columns = -(-len(names) // 2)
    step = (right - left + 4) / columns
    for i, name in enumerate(names):
        x, top = left + i % columns * step, y + i // columns * 46
        style = "ts small bold" if name == "total" else "ts small p"
        drawn += [draw_box(x, top, step - 4, 40), text(x + 4, top + 12, name, style)]
    return drawn, y + 2 * 46 + 8
