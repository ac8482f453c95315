"""The sheet of Railroad as a picture: the roll, the board with its exits, special routes, goals and structures.

Without a state it is the blank sheet to print, with room for the score.
"""

from __future__ import annotations

import functools
import re
from dataclasses import replace

import numpy as np

from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad import below
from lamplighter.games.railroad.board import (
    BOTTOM,
    MARGIN,
    WIDTH,
    board_cells,
    board_symbols,
    draw_accumulator,
    draw_printed,
    draw_routes,
    draw_structures,
    lifted,
    middle,
)
from lamplighter.games.railroad.catalogue import COPY, SPECIAL
from lamplighter.games.railroad.components import ARROW_MOVES, ARROWS, LINES, POWER_FACES, SIZE, SPACES
from lamplighter.games.railroad.counted import score_cells
from lamplighter.games.railroad.figures import figures
from lamplighter.games.railroad.notation import catalogue_of, format_move, format_space
from lamplighter.games.railroad.printed import cutouts, die_face
from lamplighter.games.railroad.state import MAX_LEGAL
from lamplighter.games.railroad.tracks import entry_symbols
from lamplighter.panel import say_points
from lamplighter.pen import pencil_cross
from lamplighter.svg import Element, Picture, Target, group, number, rect, text

__all__ = ["cutouts", "draw", "figures", "score_cells", "targets"]

DIE = 40
BLANK = 42  # a blank sheet has so much less above its board


def draw(variant: Variant, state: State | None, seat: int) -> Picture:
    """A seat's sheet, or the blank one."""
    sources = legal_sources(variant, state, seat) if state is not None else set()
    body: list[Element] = [draw_printed(variant)]
    y: float = BOTTOM + MARGIN + 6
    if variant.box["power"]:
        body.append(draw_accumulator(variant, 0 if state is None else int(state["charges"][seat])))
    if state is None:
        body += [*below.rounds(variant, MARGIN, WIDTH - MARGIN, BLANK + 6), *draw_structures(variant, 0, 0)]
        needed: set[str] = set()
    else:
        drawn, needed = draw_routes(variant, state, seat)
        body += [*_roll(variant, state, seat, sources), *drawn]
        needed |= {catalogue_of(variant).routes[face].code for _, face in _route_dice(variant, state)}
    more, y = below.draw(variant, state, seat, sources, MARGIN, WIDTH - MARGIN, y)
    routes = catalogue_of(variant).routes
    needed |= {route.code for route in routes[catalogue_of(variant).specials :]}
    sheet = Picture(WIDTH, y, body + more, board_symbols(variant, needed), board_cells())
    return lifted(sheet, BLANK) if state is None else sheet


# --- the roll -------------------------------------------------------------------------------------------------


def _route_dice(variant: Variant, state: State) -> list[tuple[int, int]]:
    """The dice that show routes and are rolled: number and route."""
    last = min(int(variant.box["route_dice"]) + int(variant.box["lamp_dice"]), int(state["rolled"]))
    return list(enumerate(state["dice"][:last].tolist()))


def _roll(variant: Variant, state: State, seat: int, sources: set[str]) -> list[Element]:
    """The round and its dice; those drawn already are struck out, those that can be used have a dotted ring."""
    box = variant.box
    rolled, todo, all_dice = int(state["rolled"]), int(state["todo"][seat]), int(box["dice"])
    turn, rounds = int(state["turn"]), int(box["rounds"])
    if turn > rounds:
        total = variant.game.rules.score(box, state, seat, np.zeros(len(LINES), np.int64))
        return [
            text(MARGIN, 19, "The end", "ts bold"),
            text(WIDTH / 2, 58, say_points(total), "t big bold"),
        ]
    drawn = [text(MARGIN, 19, f"Round {turn} of {rounds}" if turn else "Goals are drawn", "ts bold")]
    if status := _status(variant, state, seat):
        drawn.append(text(WIDTH - MARGIN, 19, status, "te small"))
    step = min(DIE + 8.0, (WIDTH - 2 * MARGIN + 4) / max(1, all_dice))
    size = min(DIE, step - 4)
    shown = dict(_route_dice(variant, state))
    for die in range(rolled):
        x, y = MARGIN + die * step + size / 2, 28 + size / 2
        face = int(state["dice"][die])
        route = catalogue_of(variant).routes[shown[die]] if die in shown else None
        source = route.name if route is not None else POWER_FACES[face]
        now = (die in shown) != bool(state["power_step"])
        used = rolled == all_dice and not todo >> die & 1 and (now or die in shown)
        parts = [die_face(variant, x, y, size, route.code if route is not None else POWER_FACES[face])]
        if used:
            parts = [group(*parts, class_="soft"), pencil_cross(x, y, size / 2 - 7, "error")]
        elif source in sources:
            parts.append(rect(x - size / 2 - 2, y - size / 2 - 2, size + 4, size + 4, "may", 9))
        drawn.append(group(*parts, data_source=source))
    for die in range(rolled, all_dice if turn else 0):
        drawn.append(rect(MARGIN + die * step, 28, size, size, "print thin gap", 8))
    return drawn


def _status(variant: Variant, state: State, seat: int) -> str:
    """What the seat is to do, in words."""
    if int(state["turn"]) == 0:
        return ""
    if int(state["rolled"]) < int(variant.box["dice"]):
        return "the dice are being rolled"
    if int(state["done"]) >> seat & 1:
        return "done"
    if state["choosing"][seat]:
        return "light a row or column of lamps"
    if state["extra"][seat]:
        return "a university gives a special route"
    if state["power_step"]:
        return "use the Power Grid dice"
    copies = int(state["copies"][seat])
    return "a factory copies a result" if copies == 1 else f"{copies} factory copies" if copies else ""


# --- for the player -------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def _entries(variant: Variant) -> list[tuple[str, str, str]]:
    """Of every entry: what is taken, how it lies, and its symbol."""
    found, symbols = catalogue_of(variant), entry_symbols(variant)
    prefixes = {SPECIAL: "special:", COPY: "copy:"}
    return [
        (prefixes.get(entry.source, "") + found.routes[entry.route].name, entry.lie, symbol)
        for entry, symbol in zip(found.entries, symbols, strict=True)
    ]


def _legal(variant: Variant, state: State, seat: int) -> list[int]:
    out = np.zeros(MAX_LEGAL, np.int64)
    n = variant.game.rules.legal_actions(variant.box, state, seat, out)
    return [int(action) for action in out[:n].tolist()]


def legal_sources(variant: Variant, state: State, seat: int) -> set[str]:
    """What the seat may take now."""
    entries, first = _entries(variant), int(variant.box["lamp_action"])
    actions = _legal(variant, state, seat)
    found = {entries[number_][0] for number_ in {action // SPACES for action in actions if action < first}}
    for action in actions:
        if action >= first:
            found.add(format_move(variant, state, seat, action).split(" ")[0])
    return found


def targets(variant: Variant, state: State, seat: int) -> list[Target]:
    """Every legal move of a seat, with its place; a result that a factory may copy as well has one target for both."""
    actions = _legal(variant, state, seat)
    found = {action: target(variant, state, seat, action) for action in actions}
    first = int(variant.box["copy_entry"]) * SPACES  # copies stand in the order of the results
    for copy in actions:
        if first <= copy < int(variant.box["lamp_action"]) and copy - first in found:
            result = found[copy - first]
            found[copy - first] = replace(result, moves=(result.move, found.pop(copy).move))
    return list(found.values())


def target(variant: Variant, state: State, seat: int, action: int) -> Target:
    """Where a move is made: the route is taken, the space is the place."""
    box = variant.box
    if action < int(box["lamp_action"]):
        source, lie, symbol = _entries(variant)[action // SPACES]
        cell = format_space(action % SPACES)
        return Target(f"{source} {cell} {lie}", source, cell, lie, symbol, *middle(action % SPACES))
    move = format_move(variant, state, seat, action)
    if action < int(box["skip_action"]):
        return _lamps_target(move, action - int(box["lamp_action"]))
    if action <= int(box["done_action"]):
        return Target(move, move)
    return _power_target(variant, move, action - int(box["done_action"]) - 1)


def flip(lie: str) -> str:
    """How a piece lies when it is mirrored left to right.

    >>> flip("e/s"), flip("ne+sw"), flip("ns")
    ('w/s', 'nw+es', 'ns')
    """
    swapped = lie.translate(str.maketrans("ew", "we"))
    return re.sub("[nesw]+", lambda sides: "".join(sorted(sides[0], key="nesw".index)), swapped)


def _lamps_target(move: str, line: int) -> Target:
    half = SIZE // 2
    x, y = middle(line * SIZE + half if line < SIZE else half * SIZE + line - SIZE)
    turned = None if line < SIZE else f"rotate(90 {x} {y})"
    return Target(move, move, symbol="row", x=x, y=y, transform=turned)


def _power_target(variant: Variant, move: str, number_: int) -> Target:
    """An arrow ends in its last new space and lies as it began; charges go to the accumulator."""
    words = move.split(" ")
    if number_ < ARROW_MOVES:
        row, col = ord(words[4][0]) - ord("a"), int(words[4][1])
        x, y = middle(row * SIZE + col)
        quarters = ARROWS.index(words[0])
        turned = f"rotate({number(quarters * 90)} {x} {y})" if quarters else None
        symbol = f"go{int(variant.box['arrow_count'][number_])}"
        return Target(move, words[0], words[4], words[2], symbol, x, y, turned)
    if "charge" in words:
        space, symbol, lie = int(variant.box["accumulator"]), "charge", words[-1]
    else:
        space, symbol, lie = number_ - ARROW_MOVES - 4, "el", ""
    return Target(move, words[0], format_space(space), lie, symbol, *middle(space))
