"""The sheet of Switch-On as a picture: the hand, the town at dusk with its strands, the tracks and the charts.

Without a state it is the blank sheet to print.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lamplighter.games.switch_on import charts
from lamplighter.games.switch_on import figures as at
from lamplighter.games.switch_on.cards import CARD_NAMES, DECK, JOKER, WILD, cards_of
from lamplighter.games.switch_on.components import names, squares_of
from lamplighter.games.switch_on.notation import figure_of, format_move, format_square
from lamplighter.games.switch_on.squares import take_pattern
from lamplighter.games.switch_on.state import MAX_LEGAL, Phase
from lamplighter.games.switch_on.symbols import SIDE
from lamplighter.games.switch_on.town import Town, draw_cables, draw_decorations, draw_town, lay_out
from lamplighter.games.switch_on.worked import figures
from lamplighter.pen import pencil_circle
from lamplighter.svg import Element, Kept, Picture, Target, circle, group, number, path, text, use

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant

__all__ = ["draw", "figures", "score_cells", "targets"]

WIDTH = 360
LEFT, RIGHT = 15, 3  # beside the town: the letters of the rows, and a little air
NUMBERS = 14  # above the town, for the columns
HEAD, HAND = 26, 56  # the line on top, and the cards
CARD, CARD_STEP = 34, 38
TRACK, TRACK_START = 26, 56  # height of a track, and where its boxes begin
TRACK_ROW = 12  # boxes of a track in one row
ASIDE = 200  # the column beside the town on a blank sheet
Drawer = Callable[["Variant", float, float], charts.Chart]
BELOW: tuple[Drawer, ...] = (charts.funds, charts.cable)
BESIDE: tuple[Drawer, ...] = (charts.decorations, charts.patterns)
PHASES = {
    Phase.DRAW: "cards are drawn", Phase.CHOOSE: "an action is chosen", Phase.FUNDS: "raise funds",
    Phase.DECORATE: "install decorations", Phase.CABLE: "install light cable", Phase.LIMIT: "hand limit",
}  # fmt: skip


# --- the sheet ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """Where everything stands on the sheet of a variant, and all that is printed on it."""

    width: float
    height: float
    town: Town
    tracks: float  # y of the first track
    count: float  # y of the final count
    printed: Element
    symbols: dict[str, list[Element]]


@functools.lru_cache(maxsize=16)
def plan_sheet(variant: Variant, blank: bool) -> Plan:
    """The plan of a variant's sheet. It is made once: play changes nothing of it.

    In play all charts stand below the town; on paper two of them stand beside it, so that two sheets fill a page.
    """
    rows: list[str] = variant.file.get("map", "rows")
    width = max(WIDTH, LEFT + len(rows[0]) * SIDE + RIGHT)
    left = (width + LEFT - RIGHT - len(rows[0]) * SIDE) / 2
    town = lay_out(variant, left, NUMBERS if blank else HEAD + HAND + NUMBERS)
    tracks = town.top + len(rows) * SIDE + 10
    printed = draw_town(variant, town.left, town.top)
    drawn, y = _tracks(variant, tracks, width)
    listed, beside = (BELOW, BESIDE) if blank else (BELOW + BESIDE, ())
    more, y = _charts(variant, listed, y, width)
    aside, end = _charts(variant, beside, -4, ASIDE)
    printed += [*drawn, *more, group(*aside, transform=f"translate({number(width)} 0)"), *_count(variant, y, width)]
    symbols = {**town.symbols, **charts.symbols(variant), "track": _track(variant, width)}
    kept: dict[str, list[Element]] = {name: [Kept(parts)] for name, parts in symbols.items()}
    return Plan(width + ASIDE if blank else width, max(end, y + 42), town, tracks, y, Kept(printed), kept)


def draw(variant: Variant, state: State | None, seat: int) -> Picture:
    """A seat's sheet, or the blank one."""
    plan = plan_sheet(variant, state is None)
    body = [plan.printed]
    if state is not None:
        body += draw_cables(plan.town, state, seat) + draw_decorations(plan.town, state, seat)
        body += [*_head(variant, plan, state), *_hand(plan, state, seat), *_pencil(variant, plan, state, seat)]
    return Picture(plan.width, plan.height, body, plan.symbols, plan.town.boxes())


# --- what is printed ------------------------------------------------------------------------------------------


def _charts(variant: Variant, listed: tuple[Drawer, ...], y: float, width: float) -> charts.Chart:
    """Charts below each other, a faint rule above each."""
    found: list[Element] = []
    rules = ""
    for chart in listed:
        rules += f"M{charts.EDGE} {number(y + 3)}H{number(width - charts.EDGE)}"
        drawn, y = chart(variant, y + 5, width)
        found += drawn
    return [*([path(rules, "faint thin")] if rules else []), *found], y


def _track_box(variant: Variant, width: float, value: int) -> tuple[float, float, float]:
    """A number of a track: the middle of its box, y from the top of the track, and how wide it is."""
    step = (width - charts.EDGE - TRACK_START) // min(figure_of(variant, at.TRACK_LIMIT) + 1, TRACK_ROW)
    return TRACK_START + (value % TRACK_ROW + 0.5) * step, value // TRACK_ROW * TRACK + TRACK / 2, step - 5


def _track_height(variant: Variant) -> int:
    return TRACK * (figure_of(variant, at.TRACK_LIMIT) // TRACK_ROW + 1)


def _track(variant: Variant, width: float) -> list[Element]:
    """§16 The boxes of a track and their numbers."""
    places = [_track_box(variant, width, value) for value in range(figure_of(variant, at.TRACK_LIMIT) + 1)]
    return [
        path(charts.outlines([(x - wide / 2, y - 10, wide, 20) for x, y, wide in places]), "print thin"),
        charts.words("t small", [(x, y + 4, str(value)) for value, (x, y, _) in enumerate(places)]),
    ]


def _tracks(variant: Variant, y: float, width: float) -> charts.Chart:
    """§16 The two tracks; the number where each starts has a thin ring."""
    drawn: list[Element] = []
    for name, start in (("Money", at.START_MONEY), ("Cable", at.START_CABLE)):
        x, below, _ = _track_box(variant, width, figure_of(variant, start))
        drawn += [text(charts.EDGE, y + TRACK / 2 + 4, name, "ts small bold"), use("track", 0, y)]
        drawn.append(circle(x, y + below, 8, "print thin"))
        y += _track_height(variant)
    return drawn, y


def _count_boxes(variant: Variant, width: float) -> list[tuple[float, float]]:
    """The boxes of the final count, one for each scoring line and one for the crowd: x and width."""
    boxes = len(variant.score_lines) + 1
    step = (width - 2 * charts.EDGE + 6) / boxes
    return [(charts.EDGE + i * step, step - 6) for i in range(boxes)]


def _count(variant: Variant, y: float, width: float) -> list[Element]:
    places = _count_boxes(variant, width)
    titles = [
        (x + wide / 2, y + 12, name) for (x, wide), name in zip(places, (*variant.score_lines, "crowd"), strict=True)
    ]
    return [
        charts.words("t small p", titles),
        path(charts.outlines([(x, y + 15, wide, 22) for x, wide in places]), "print thin"),
    ]


# --- what a match adds ----------------------------------------------------------------------------------------


def _head(variant: Variant, plan: Plan, state: State) -> list[Element]:
    """The turn, what everybody does, the deck and the cards that were used."""
    turn, phase = int(state["turn"]), Phase(int(state["phase"]))
    if phase == Phase.OVER:
        words = "the end"
    elif turn == 0:
        words = "the deal"
    else:
        words = f"turn {turn} of {figure_of(variant, at.TURNS)} · {PHASES[phase]}"
    deck, used = DECK - max(int(state["draws"]) - 1, 0), int(state["discards"]).bit_count()
    return [
        text(charts.EDGE, 19, words, "ts"),
        text(plan.width - charts.EDGE, 19, f"deck {deck} · used {used}", "te small"),
    ]


def draw_card(name: str, x: float, y: float) -> Element:
    """A card around its middle: rank and suit in the corner, so that it can be told when others cover it."""
    if name == CARD_NAMES[JOKER]:
        drawn = [use("joker", x, y)]
    else:
        drawn = [use(f"c{name[-1]}", x, y), text(x - 13, y - 9, name[:-1].upper(), "ts bold")]
    if WILD[CARD_NAMES.index(name)]:
        drawn.append(use("wild", x + 9, y - 15))
    return group(*drawn, data_source=name)


def _hand(plan: Plan, state: State, seat: int) -> list[Element]:
    """The hand, sorted; only backs where it may not be seen."""
    size, known = int(state["hand_size"][seat]), cards_of(int(state["hands"][seat]))
    if not size:
        return [text(charts.EDGE, HEAD + 30, "no cards", "ts small p")]
    step = min(CARD_STEP, (plan.width - 2 * charts.EDGE - CARD) / max(1, size - 1))
    places = [(charts.EDGE + CARD / 2 + i * step, HEAD + HAND / 2 - 2) for i in range(size)]
    if not known:
        return [use("back", *place) for place in places]
    return [draw_card(CARD_NAMES[one], *place) for one, place in zip(known, places, strict=True)]


def _pencil(variant: Variant, plan: Plan, state: State, seat: int) -> list[Element]:
    """What the player marks below the town: both tracks and the count."""
    drawn = []
    for i, name in enumerate(("money", "cable")):
        x, y, _ = _track_box(variant, plan.width, int(state[name][seat]))
        drawn.append(pencil_circle(x, plan.tracks + i * _track_height(variant) + y, 11.5))
    out = np.zeros(len(variant.score_lines), np.int64)
    total = int(variant.game.rules.score(variant.box, state, seat, out))
    places = _count_boxes(variant, plan.width)
    sums = [
        (x + wide / 2, plan.count + 31, str(n)) for (x, wide), n in zip(places, (*out.tolist(), total), strict=True)
    ]
    return [*drawn, charts.words("t bold", sums)]


# --- for the player -------------------------------------------------------------------------------------------


def targets(variant: Variant, state: State, seat: int) -> list[Target]:
    """Every legal move of a seat, with its place; ways to pay for the same thing share a target."""
    out = np.zeros(MAX_LEGAL, np.int64)
    actions = out[: variant.game.rules.legal_actions(variant.box, state, seat, out)].tolist()
    phase = int(state["phase"])
    if phase == Phase.CABLE:
        return [Target("pass", "pass"), *_lay_targets(variant, state, seat, actions[1:])]
    if phase == Phase.DECORATE:
        return [Target("stop", "stop"), *_hang_targets(variant, state, seat, actions[1:])]
    return [_plain_target(format_move(variant, state, seat, action)) for action in actions]


def _plain_target(move: str) -> Target:
    """A choice, funds raised with a card and their split, or a card that is discarded."""
    verb, *rest = move.split(" ")
    return Target(move, rest[0] if rest else verb, lie=rest[1] if len(rest) > 1 else "")


def _lay_targets(variant: Variant, state: State, seat: int, actions: Iterable[int]) -> list[Target]:
    """A target for every cable in every place; the cards that buy it share it."""
    town, shapes = plan_sheet(variant, False).town, names(variant.file, "shapes")
    hand = [CARD_NAMES[one] for one in cards_of(int(state["hands"][seat]))]
    first, fits = figure_of(variant, at.FIRST_LAY), figure_of(variant, at.FITS)
    cards: dict[int, list[str]] = {}
    for action in actions:
        slot, placement = divmod(action - first, fits)
        cards.setdefault(placement, []).append(hand[slot])
    found = []
    for placement, pays in cards.items():
        cable = town.cables[placement]
        x, y = town.middle(cable.start)
        shape, cell = shapes[cable.shape], cable.cells.partition(" ")[0]
        move = f"lay {pays[0]} {shape} {cable.cells}"
        found.append(Target(move, shape, cell, cable.lie, cable.strand.symbol, x, y, pays=_pays(pays)))
    return sorted(found, key=lambda one: (one.source, one.lie))


def _hang_targets(variant: Variant, state: State, seat: int, actions: Iterable[int]) -> list[Target]:
    """A target for every decoration on every square; all payments share it."""
    town, squares = plan_sheet(variant, False).town, figure_of(variant, at.SQUARES)
    starts, known = variant.box["first_hang"].tolist(), names(variant.file, "decorations")
    cards: dict[int, str] = {}  # of every payment, by the number of its action on the first square
    pays: dict[tuple[int, int], list[str]] = {}
    for action in actions:
        kind = next(i for i in itertools.count() if action < starts[i + 1])
        square = (action - starts[kind]) % squares
        if action - square not in cards:
            cards[action - square] = format_move(variant, state, seat, action).split(" ")[2]
        pays.setdefault((kind, square), []).append(cards[action - square])
    found = []
    for (kind, square), ways in pays.items():
        cell, (x, y) = format_square(variant, square), town.middle(square)
        move = f"hang {known[kind]} {ways[0]} {cell}"
        found.append(Target(move, known[kind], cell, "", f"d{kind}", x, y, pays=_pays(ways)))
    return found


def _pays(ways: list[str]) -> tuple[str, ...]:
    """What may be paid, where there is a choice."""
    return tuple(ways) if len(ways) > 1 else ()


# --- what scores ----------------------------------------------------------------------------------------------


def flip(lie: str) -> str:
    """How a cable lies when it is mirrored left to right; a straight one lies as before.

    >>> flip("ees"), flip("ee")
    ('wws', 'ee')
    """
    return lie.translate(str.maketrans("ew", "we")) if "s" in lie else lie


def score_cells(variant: Variant, state: State, seat: int) -> dict[str, list[str]]:
    """The squares behind every scoring line."""
    light = state["light"][seat]
    if not variant.options["unpowered_cable_scores"]:
        light = light & state["powered"][seat]
    found = {
        "decorations": squares_of(_shining(variant, state, seat)),
        "patterns": sorted(square for _, squares in best_patterns(variant, state, seat) for square in squares),
        "cable": squares_of(light),
    }
    return {name: [format_square(variant, square) for square in squares] for name, squares in found.items()}


def _shining(variant: Variant, state: State, seat: int) -> np.ndarray:
    """§S2 The squares of the decorations that are not struck."""
    return np.array([variant.game.rules.shining(variant.box, state, seat, word) for word in range(2)], np.int64)


def best_patterns(variant: Variant, state: State, seat: int) -> list[tuple[int, list[int]]]:
    """§S4 The patterns that count: points and squares of each."""
    alive = _shining(variant, state, seat)
    low, high = alive.tolist()
    found: list[tuple[int, list[int]]] = []
    for square in squares_of(alive):
        kind = int(state["decorations"][seat, square]) - 1
        first, end = variant.box["first_line"][kind : kind + 2].tolist()
        for pattern in range(first, end):
            low_left, high_left, points = take_pattern(variant.box, state, seat, pattern, square, low, high)
            if points > 0:
                others = squares_of(np.array([low ^ low_left, high ^ high_left], np.int64))
                found.append((int(points), [square, *others]))
    return _best_set(found)


def _best_set(patterns: list[tuple[int, list[int]]]) -> list[tuple[int, list[int]]]:
    """The patterns with the largest sum of which no two share a square."""
    if not patterns:
        return []
    (points, squares), *rest = patterns
    apart = [one for one in rest if not set(one[1]) & set(squares)]
    taken = [(points, squares), *_best_set(apart)]
    if len(apart) == len(rest):
        return taken
    return max(taken, _best_set(rest), key=lambda chosen: sum(one[0] for one in chosen))
