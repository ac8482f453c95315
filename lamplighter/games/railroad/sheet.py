"""A sheet of Railroad, drawn in text: the board, the dice, special routes, goals and what else the seat has.

Highways have double lines, railways have ties, a station is a house; a lamp shines when it is lit.
"""

from __future__ import annotations

from lamplighter.engine.text_sheet import Line, Span, side_by_side
from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad.components.catalogue import Route, catalogue_of, picture_text
from lamplighter.games.railroad.components.goals import goal_words
from lamplighter.games.railroad.components.tables import GOAL_LETTERS, GOALS, POWER_FACES
from lamplighter.games.railroad.notation import bits_of, format_picture, format_space
from lamplighter.games.railroad.texts import say

WIDE, HIGH = 5, 3  # of a space, in characters
ABREAST = 7  # columns of a board that leaves room beside it in a line of 80 characters
A_ROW = 6  # routes in a row beside the board
HIGHWAY = {
    "": "·", "n": "╨", "e": "╞", "s": "╥", "w": "╡", "ns": "║", "ew": "═", "ne": "╚", "es": "╔", "sw": "╗", "nw": "╝",
    "nes": "╠", "esw": "╦", "nsw": "╣", "new": "╩", "nesw": "╬",
}  # fmt: skip
RAILWAY = {
    "": "·", "n": "┴", "e": "├", "s": "┬", "w": "┤", "ns": "╪", "ew": "╫", "ne": "└", "es": "┌", "sw": "┐", "nw": "┘",
    "nes": "├", "esw": "┬", "nsw": "┤", "new": "┴", "nesw": "┼",
}  # fmt: skip
ARMS = {"h": ("║", "══"), "r": ("╪", "╫╫"), "-": (" ", "  ")}  # north or south, east or west
SPLIT = {"a": "╲", "b": "╱"}  # two curves: what lies between them
STATION, LAMP, LIT, ELECTRICITY = "⌂", "○", "☼", "↯"
STRUCTURES = (("factories", "F"), ("villages", "V"), ("universities", "U"))


def draw_text(variant: Variant, state: State, seat: int) -> list[Line]:
    """Return one seat's sheet: the board on the left; the roll, special routes and all else on the right."""
    board, beside = _board(variant, state, seat), _beside(variant, state, seat)
    return side_by_side(board, beside, gap=2) if int(variant.box["columns"]) <= ABREAST else [*board, [], *beside]


def draw_route(picture: str) -> list[str]:
    """Return a route as three lines of five characters, from its text in a position.

    >>> [line.strip() for line in draw_route("hr--")]
    ['║', '╨╫╫', '']
    """
    sides, flags = picture[:4], picture[4:]
    north, east, south, west = list(sides)
    highway = "".join(side for side, kind in zip("nesw", sides, strict=True) if kind == "h")
    railway = "".join(side for side, kind in zip("nesw", sides, strict=True) if kind == "r")
    if "*" in flags:
        middle = STATION
    elif "x" in flags:
        middle = HIGHWAY["ns"] if highway else RAILWAY["ns"]
    elif "a" in flags or "b" in flags:
        middle = SPLIT["a" if "a" in flags else "b"]
    else:
        middle = HIGHWAY[highway] if highway else RAILWAY[railway]
    return [
        f"  {ARMS[north][0]}  ",
        f"{ARMS[west][1]}{middle}{ARMS[east][1]}",
        f"  {ARMS[south][0]}  ",
    ]


# --- the board ------------------------------------------------------------------------------------------------


def _board(variant: Variant, state: State, seat: int) -> list[Line]:
    rows, columns = int(variant.box["rows"]), int(variant.box["columns"])
    lines: list[Line] = [[("    " + "".join(f"  {col}  " for col in range(columns)), "print")], _edge(variant, 0)]
    for row in range(rows):
        first = row * columns
        spaces = [_space(variant, state, seat, first + col) for col in range(columns)]
        for i in range(HIGH):
            label = chr(ord("a") + row) if i == 1 else " "
            left, right = (_exit(variant, first, 3), _exit(variant, first + columns - 1, 1)) if i == 1 else ("", "")
            line: Line = [(f" {label} ", "print"), (left[:1] or "│", "print")]
            for space in spaces:
                line += space[i]
            lines.append([*line, (right[:1] or "│", "print")])
    return [*lines, _edge(variant, 2)]


def _exit(variant: Variant, space: int, side: int) -> str:
    """Return an exit on this side of a space, as a piece of its route; nothing where there is none."""
    for kind, letter in enumerate("hr"):
        if int(variant.box["exit_offers"][kind * 4 + side]) >> space & 1:
            return ARMS[letter][side % 2]
    return ""


def _edge(variant: Variant, side: int) -> Line:
    columns = int(variant.box["columns"])
    first = 0 if side == 0 else int(variant.box["spaces"]) - columns
    pieces = "".join(f"──{_exit(variant, first + col, side) or '─'}──" for col in range(columns))
    return [(f"   ┌{pieces}┐" if side == 0 else f"   └{pieces}┘", "print")]


def _space(variant: Variant, state: State, seat: int, space: int) -> list[Line]:
    """Return a space as three lines: its route, its lamp (upper right), electricity (lower right), structure (lower left)."""
    box = variant.box
    if space == int(box["accumulator"]):
        charges = int(state["charges"][seat])
        cells = "▮" * charges + "▯" * (int(box["most_charges"]) - charges)
        return [[(" ┌┴┐ ", "print")], [(f"{cells:^5}"[:5], "power")], [(" └─┘ ", "print")]]
    picture = format_picture(state, seat, space)
    corner, role = _structure(variant, state, seat, space)
    if not picture:
        dot = "∙" if int(box["centre"]) >> space & 1 else "·"
        return [[("     ", "print")], [(f"  {dot}  ", "print")], [(corner, role), ("    ", "print")]]
    rows = draw_route(picture)
    electricity: Span = (ELECTRICITY, "power") if "!" in picture else (" ", "ink")
    lamp: Span = (LIT, "lamp") if "i" in picture else (LAMP, "print") if "o" in picture else (" ", "ink")
    return [
        [(rows[0][:4], "ink"), lamp],
        [(rows[1], "ink")],
        [(corner, role), (rows[2][1:4], "ink"), electricity],
    ]


def _structure(variant: Variant, state: State, seat: int, space: int) -> Span:
    """Return the letter of a structure, green once it has been used."""
    for name, letter in STRUCTURES:
        if int(variant.box[name]) >> space & 1:
            used = int(state["stations" if name == "villages" else "drawn"][seat]) >> space & 1
            return letter, "green" if used else "print"
    return " ", "ink"


# --- beside it ------------------------------------------------------------------------------------------------


def _beside(variant: Variant, state: State, seat: int) -> list[Line]:
    return [
        _heading(variant, state, seat),
        [],
        *_roll(variant, state, seat),
        *_specials(variant, state, seat),
        *_duties(variant, state, seat),
        *_challenge(variant, state, seat),
        *_expansion(variant, state, seat),
    ]


def _heading(variant: Variant, state: State, seat: int) -> Line:
    turn, rounds = int(state["turn"]), int(variant.box["rounds"])
    if turn == 0:
        return [("drawing goals", "title")]
    if turn > rounds:
        return [(f"after {rounds} rounds", "title")]
    found: Line = [(f"round {turn} of {rounds}", "title")]
    found += [(" · ", "title"), ("Power Grid", "title")] if state["power_step"] else []
    return [*found, *([(" · ", "title"), ("done", "title")] if int(state["done"]) >> seat & 1 else [])]


def _row_of_routes(routes: list[Route], captions: list[Span]) -> list[Line]:
    """Return small pictures side by side, each with a caption; more than fit in a row go below."""
    if len(routes) > A_ROW:
        return [
            line
            for i in range(0, len(routes), A_ROW)
            for line in _row_of_routes(routes[i : i + A_ROW], captions[i : i + A_ROW])
        ]
    pictures = [draw_route(picture_text(route.picture, route.station, lamp=False)) for route in routes]
    roles = ["print" if role == "print" else "ink" for _, role in captions]
    lines: list[Line] = [
        [(f"{picture[i]} ", role) for picture, role in zip(pictures, roles, strict=True)] for i in range(HIGH)
    ]
    return [*lines, [(f"{text:^5} ", role) for text, role in captions]]


def _roll(variant: Variant, state: State, seat: int) -> list[Line]:
    """The dice: what is drawn, what is to be drawn, and what fits nowhere and is skipped by itself."""
    box, found = variant.box, catalogue_of(variant)
    route_dice, drawable = int(box["route_dice"]), int(box["route_dice"]) + int(box["lamp_dice"])
    rolled = min(int(state["rolled"]), drawable)
    if not rolled:
        return []
    drawing = not state["power_step"] and int(state["rolled"]) == int(box["dice"])
    captions: list[Span] = []
    skipped = []
    for die in range(rolled):
        route = int(state["dice"][die])
        code = found.routes[route].code
        if not drawing:
            captions.append((code, "print"))
        elif not int(state["todo"][seat]) >> die & 1:
            captions.append((f"{code} ✓", "print"))
        elif variant.game.module("rules.routes").fits_somewhere(box, state, seat, route):
            captions.append((code, "lamp"))
        else:
            captions.append((f"{code} ✗", "error"))
            skipped += [say(variant, code)] if die < route_dice else []
    lines = _row_of_routes([found.routes[int(state["dice"][die])] for die in range(rolled)], captions)
    return [*lines, *([("fits nowhere: ", "error"), (name, "error")] for name in skipped), []]


def _specials(variant: Variant, state: State, seat: int) -> list[Line]:
    found, used = catalogue_of(variant), int(state["specials"][seat])
    routes = list(found.routes[found.specials :])
    captions = [
        (f"{route.code} ✓" if used >> i & 1 else route.code, "print" if used >> i & 1 else "ink")
        for i, route in enumerate(routes)
    ]
    left = int(variant.box["specials_a_game"]) - int(state["counted"][seat])
    return [*_row_of_routes(routes, captions), [(f"special routes left: {left}", "print")]]


def _duties(variant: Variant, state: State, seat: int) -> list[Line]:
    """What the seat must or may do besides drawing its results."""
    lines: list[Line] = []
    if state["choosing"][seat]:
        lines.append([("choose a row or a column of lamps", "lamp")])
    if int(state["extra"][seat]):
        lines.append([("university: an extra special route", "lamp")])
    if int(state["copies"][seat]):
        lines.append([(f"factory: copy {int(state['copies'][seat])} of the results", "lamp")])
    return lines


def _challenge(variant: Variant, state: State, seat: int) -> list[Line]:
    box, rules = variant.box, variant.game.rules
    if not box["challenge"]:
        return []
    villages = (int(state["stations"][seat]) & int(box["villages"])).bit_count()
    universities = int(rules.active_universities(box, state, seat))
    lines: list[Line] = [
        [(f"villages {villages} of {int(box['villages']).bit_count()}", "ink")],
        [(f"universities {universities} of {int(box['universities_needed'])}", "ink")],
    ]
    lines[0] += [("  ", "ink"), *lines.pop()]
    lines.append([("goals, ✓ with the round", "print")])
    for i in range(GOALS):
        goal, when = int(state["goals"][i]), int(state["goal_round"][seat, i])
        if goal >= 0:
            reached: Span = (f"✓ {when:<2}", "green") if when else ("·   ", "print")
            role = "ink" if when else "print"
            lines.append([reached, (f"{GOAL_LETTERS[goal]} ", role), (goal_words(variant, goal), role)])
    return lines


def _expansion(variant: Variant, state: State, seat: int) -> list[Line]:
    box = variant.box
    if box["lamps"]:
        lamps, lit = (int(state[field][seat]).bit_count() for field in ("lamps", "lit"))
        return [[(f"lamps {LIT} {lit} lit of {lamps}", "lamp" if lit else "print")]]
    if not box["power"]:
        return []
    line: Line = [("Power Grid ", "power")]
    for die in range(int(box["route_dice"]), int(state["rolled"])):
        used = state["power_step"] and not int(state["todo"][seat]) >> die & 1
        line.append((f" {POWER_FACES[int(state['dice'][die])]}", "print" if used else "ink"))
        line += [(" ✓", "print")] if used else []
    linked = int(variant.game.module("rules.power").linked_exits(box, state, seat))
    names = [format_space(variant, space) for space in bits_of(linked)]
    return [
        line,
        [(f"charges {state['charges'][seat]}, linked exits:", "power")],
        [(" ".join(names) or "none", "power")],
    ]
