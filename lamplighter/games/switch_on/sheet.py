"""A sheet of Switch-On, drawn: the town at dusk with its cables, then tracks, hand, charts and the score.

A square is four signs wide and two high. In its middle stands the ground, a black dot ● or a decoration's letter.
Strands run to the neighbours, ━ light and ╍ dashed, and glow where power reaches them. Small digits are what a tree
multiplies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.engine.grid import format_cell
from lamplighter.engine.text_sheet import Line, Span, side_by_side
from lamplighter.games.switch_on.components import ELECTRIC, WORD, cost_of, links_of, times_of
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import (
    CARD_NAMES,
    DECK,
    JOKER,
    RUN,
    SAME_COLOUR,
    SAME_RANK,
    SAME_SUIT,
    SUIT_SIGNS,
    SUITS,
    cards_of,
)  # fmt: skip
from lamplighter.games.switch_on.notation import PHASES, figure_of, placement_squares
from lamplighter.games.switch_on.state import Phase

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant

GROUND = {"H": ("⌂", "print"), "P": ("P", "power"), "C": ("†", "ink"), "s": ("·", "print"), "E": ("∩", "print")}
GROUND["."] = (" ", "print")
SMALL = "⁰¹²³⁴⁵⁶⁷⁸⁹"
UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
STROKES = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"  # by the ways to neighbours: UP + RIGHT is 3
DASHED = {"┃": "╏", "━": "╍"}
COSTS = {
    "black": "black", "red": "red", "any": "any", "same-suit": "suit", "same-rank": "rank", "run": "run",
    "court+any": "court+1",
}  # fmt: skip
RELATIONS = {SAME_SUIT: "suit", SAME_RANK: "rank", RUN: "run", SAME_COLOUR: "colour"}
LEGEND = [(words, "print") for words in ("⌂ shop", "∩ entrance", "· street", "▴ ▲ tree", "† church")]
PANEL, CARDS = 38, 8  # signs beside the town, and cards in a line of them


def draw_text(variant: Variant, state: State, seat: int) -> list[Line]:
    """Return one seat's sheet: the town on the left, all the rest on the right."""
    right = [*_head(variant, state, seat), *_charts(variant), *_left_over(variant, state, seat)]
    own = [(f"{one['letter']} {one['name']}", "print") for one in variant.file.data.get("grounds", [])]
    return side_by_side(_town(variant, state, seat), [*right, *_score(variant, state, seat), [], *_wrap(LEGEND + own)])


# --- the town -------------------------------------------------------------------------------------------------


def has(words: list[int], square: int) -> bool:
    """Return whether a square is in a set."""
    return bool(words[square // WORD] >> square % WORD & 1)


def cable_steps(variant: Variant, state: State, seat: int) -> dict[tuple[int, int], tuple[bool, bool]]:
    """Return every step of every cable from a square to the next one, right or down: whether it is light, and powered."""
    found: dict[tuple[int, int], tuple[bool, bool]] = {}
    powered = state["powered"][seat].tolist()
    for cable in filter(None, state["cables"][seat].tolist()):
        squares = placement_squares(variant, cable - 1)
        light = bool(variant.box["light"][int(variant.box["shape_of"][cable - 1])])
        for i, j in links_of(variant.file.get("shapes", int(variant.box["shape_of"][cable - 1]))):
            one, two = sorted((squares[i], squares[j]))
            found[one, two] = (light, has(powered, one))
    return found


def _town(variant: Variant, state: State, seat: int) -> list[Line]:
    rows, cols = figure_of(variant, at.ROWS), figure_of(variant, at.COLS)
    steps = cable_steps(variant, state, seat)
    church = variant.box["church"].tolist()
    lines: list[Line] = [[("   " + "".join(f"{col:<4}" for col in range(cols)), "print")]]
    for row in range(rows):
        upper: Line = [(f" {format_cell(row, 0)[0]} ", "print")]
        lower: Line = [("   ", "print")]
        for col in range(cols):
            square = row * cols + col
            factor = 1 if has(church, square) else int(variant.box["factor"][square])
            upper.append(_middle(variant, state, seat, square, steps))
            upper.append(_stroke(steps.get((square, square + 1)) if col + 1 < cols else None, "━━━", "╍╍╍", "   "))
            lower.append(_stroke(steps.get((square, square + cols)), "┃", "╏", " "))
            lower.append((f"{SMALL[factor] if 1 < factor < 10 else ' '}  ", "green"))
        lines += [upper, lower]
    return lines


def _stroke(step: tuple[bool, bool] | None, light: str, dashed: str, nothing: str) -> Span:
    if step is None:
        return nothing, "print"
    return (light if step[0] else dashed), _glow(step[1], step[0])


def _glow(powered: bool, light: bool) -> str:
    if not powered:
        return "ink"
    return "lamp" if light else "power"


def _middle(
    variant: Variant, state: State, seat: int, square: int, steps: dict[tuple[int, int], tuple[bool, bool]]
) -> Span:
    """Return what stands in the middle of a square: a decoration, a dot, a strand, or the ground."""
    decoration = int(state["decorations"][seat, square]) - 1
    powered, light = has(state["powered"][seat].tolist(), square), has(state["light"][seat].tolist(), square)
    if decoration >= 0:
        letter = str(variant.file.get("decorations", decoration, "letter"))
        if variant.box["chart"][decoration, ELECTRIC]:
            return letter, "lamp" if powered else "error"
        return letter, "green"
    if has(state["dots"][seat].tolist(), square):
        return "●", _glow(powered, light)
    cols = figure_of(variant, at.COLS)
    ways = {UP: (square - cols, square), RIGHT: (square, square + 1), DOWN: (square, square + cols)}
    ways[LEFT] = (square - 1, square)
    shape = sum(way for way, step in ways.items() if step in steps)
    if shape:
        stroke = STROKES[shape]
        return stroke if light else DASHED.get(stroke, stroke), _glow(powered, light)
    mark = variant.file.get("map", "rows", square // cols)[square % cols]
    if mark not in GROUND and mark in variant.file.get("trees"):
        return "▲" if times_of(variant.file.get("trees", mark)) > 2 else "▴", "green"
    return GROUND.get(mark, (mark, "print"))


# --- beside it ------------------------------------------------------------------------------------------------


def card_spans(bits: int) -> Line:
    """Return cards as people write them, red suits in red."""
    line: Line = []
    for card in cards_of(bits):
        name = CARD_NAMES[card]
        text = "★" if card == JOKER else name[:-1].upper() + SUIT_SIGNS[name[-1]]
        line.append((f"{text} ", "lamp" if card == JOKER else "error" if name[-1] in "hd" else "ink"))
    return line


def _head(variant: Variant, state: State, seat: int) -> list[Line]:
    turn, turns = int(state["turn"]), figure_of(variant, at.TURNS)
    phase = int(state["phase"])
    active = int(variant.game.rules.active_seat(variant.box, state)) if state["first"] >= 0 else -1
    what: list[Line] = []
    if phase == Phase.OVER:
        when = "the end"
    elif turn == 0:
        when = "the deal"
    else:
        when = f"turn {turn} of {turns}"
        what = [[(f"player {active + 1}: {PHASES[phase]}", "ink")]]
    size = int(state["hand_size"][seat])
    hand = card_spans(int(state["hands"][seat])) or [(f"{size} cards" if size else "no cards", "print")]
    lines: list[Line] = [[(f"Player {seat + 1}", "title"), (f" · {when}", "ink")], *what]
    for name, end in (("money", at.MONEY_LIMIT), ("cable", at.CABLE_LIMIT)):
        have, limit = int(state[name][seat]), figure_of(variant, end)
        track = "■" * have + "□" * (limit - have) if limit <= 20 else f"of {limit}"
        role = "power" if name == "cable" else "lamp"
        lines.append([(f"{name.capitalize():<6}", "title"), (track, role), (f" {have}", "ink")])
    lines += ([("      " if i else "Hand  ", "title"), *hand[i : i + CARDS]] for i in range(0, len(hand), CARDS))
    return [*lines, []]


def _charts(variant: Variant) -> list[Line]:
    """The charts in short: what decorations pay and cost, which cards buy which shapes, the patterns."""
    file = variant.file
    decorations = [
        (f"{one['letter']} {one['points']} {_cost(one)}", "lamp" if one["power"] else "green")
        for one in file.get("decorations")
    ]
    shapes = [
        (
            f"{SUIT_SIGNS[suit]} {' '.join(one['name'] for one in file.get('shapes') if one.get('suit') == suit)}",
            "power",
        )
        for suit in SUITS
        if any(one.get("suit") == suit for one in file.get("shapes"))
    ]
    shapes += [(f"{one['card']}: {one['name']}", "power") for one in file.get("shapes") if "card" in one]
    patterns = [
        (f"{'/'.join(one.get('lines', one.get('shape')))} {one['points']}", "ink") for one in file.get("patterns")
    ]
    return [*_wrap(decorations), *_wrap(shapes), *_wrap(patterns)]


def _cost(entry: dict[str, Any]) -> str:
    """Return a cost in short: its name, or the conditions and what the cards have in common."""
    if isinstance(entry["cost"], str) and entry["cost"] in COSTS:
        return COSTS[entry["cost"]]
    cost = cost_of(entry)
    common = "".join(f" {word}" for relation, word in RELATIONS.items() if cost.relation & relation)
    return "+".join(cost.cards) + common


def _wrap(spans: list[Span]) -> list[Line]:
    """Return spans one behind the other, on as many lines as they need."""
    lines: list[Line] = []
    width = PANEL
    for text, role in spans:
        if width + len(text) + 3 > PANEL:
            lines.append([])
            width = -3
        lines[-1] += ([(" · ", "print")] if lines[-1] else []) + [(text, role)]
        width += len(text) + 3
    return lines


def _left_over(variant: Variant, state: State, seat: int) -> list[Line]:
    """Return the deck, and the cards that this seat has not seen yet, suit by suit."""
    left = DECK - int(variant.game.rules.dealt(state))
    seen = int(state["discards"]) | int(state["hands"][seat])
    jokers = 2 - sum((int(bits) >> JOKER).bit_count() for bits in (state["discards"], state["hands"][seat]))
    lines: list[Line] = [[("Deck  ", "title"), (f"{left} face down; not seen yet:", "ink"), (" ★" * jokers, "lamp")]]
    for suit, sign in enumerate(SUIT_SIGNS.values()):
        ranks = [CARD_NAMES[card][:-1].upper() for card in range(13 * suit, 13 * suit + 13) if not seen >> card & 1]
        lines.append([(f"{sign} ", "error" if suit > 1 else "ink"), (" ".join(ranks), "print")])
    return lines


def _score(variant: Variant, state: State, seat: int) -> list[Line]:
    out = np.zeros(len(variant.score_lines), np.int64)
    total = int(variant.game.rules.score(variant.box, state, seat, out))
    parts = [(f"{name} {points}", "ink") for name, points in zip(variant.score_lines, out.tolist(), strict=True)]
    return [[("Crowd ", "title"), (str(total), "ink")], *_wrap(parts)]
