"""The sheet of Switch-On as a picture: the hand, the town at dusk with its cables, the tracks and the charts.

Without a state it is the blank sheet to print. In play the charts are below the town, on a wide screen beside it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lamplighter.games.switch_on.components import names
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import CARD_NAMES, DECK, JOKER, WILD, cards_of
from lamplighter.games.switch_on.notation import figure_of, format_move
from lamplighter.games.switch_on.picture import charts
from lamplighter.games.switch_on.picture.symbols import SIDE
from lamplighter.games.switch_on.picture.town import Town, draw_cables, draw_decorations, draw_town, lay_out
from lamplighter.games.switch_on.state import MAX_LEGAL, Phase
from lamplighter.strokes import pencil_circle
from lamplighter.svg import Element, Kept, Picture, circle, group, number, path, rect, text, use

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant


WIDTH = 360
LEFT, RIGHT = 15, 3  # beside the town: the letters of the rows, and a little air
NUMBERS = 14  # above the town, for the columns
HEAD, HAND = 26, 56  # the line on top, and the cards
CARD, CARD_STEP = 34, 38
TRACK, TRACK_START = 26, 62  # height of a track, and where its boxes begin
TRACK_ROW = 12  # boxes of a track in one row
TRACKS = {"money": at.MONEY_LIMIT, "cable": at.CABLE_LIMIT}
LABELS = {"cable": "light strands"}  # scoring lines of which the sheet has a better name than texts
ASIDE = 200  # the column beside the town on a blank sheet
Drawer = Callable[["Variant", float, float], charts.Chart]
BELOW: tuple[Drawer, ...] = (charts.funds, charts.cable)
BESIDE: tuple[Drawer, ...] = (charts.decorations, charts.patterns)
ACTIONS: dict[Drawer, str] = {charts.funds: "funds", charts.decorations: "decorate", charts.cable: "cable"}
COUNT = 42  # height of the final count
PHASES = {
    Phase.DRAW: "cards are drawn", Phase.CHOOSE: "an action is chosen", Phase.FUNDS: "raise funds",
    Phase.DECORATE: "install decorations", Phase.CABLE: "install light cable", Phase.LIMIT: "hand limit",
}  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """Where everything is on the sheet of a variant, and all that is printed on it."""

    width: float
    height: float
    town: Town
    tracks: float  # y of the first track
    count: float  # y of the final count
    printed: Element
    below: Element  # the charts and the final count
    places: dict[str, charts.Box]  # what can be taken from the charts
    aside: str  # how the charts are moved on a wide screen
    wide: tuple[float, float]  # the size there
    symbols: dict[str, list[Element]]


@functools.lru_cache(maxsize=16)
def plan_sheet(variant: Variant, blank: bool) -> Plan:
    """Return the plan of a variant's sheet. It is made once: play changes nothing of it.

    In play all charts stand below the town; on paper two of them stand beside it, so that two sheets fill a page.
    """
    rows: list[str] = variant.file.get("map", "rows")
    width = max(WIDTH, LEFT + len(rows[0]) * SIDE + RIGHT)
    left = (width + LEFT - RIGHT - len(rows[0]) * SIDE) / 2
    town = lay_out(variant, left, NUMBERS if blank else HEAD + HAND + NUMBERS)
    tracks = town.top + len(rows) * SIDE + 10
    printed = draw_town(variant, town.left, town.top)
    drawn, lowest = _tracks(variant, tracks, width)
    below, y, places = _charts(variant, BELOW if blank else BELOW + BESIDE, lowest, width)
    beside, end, _ = _charts(variant, BESIDE if blank else (), -4, ASIDE)
    printed += [*drawn, group(*beside, transform=f"translate({number(width)} 0)")]
    limits = [figure_of(variant, end) for end in TRACKS.values()]
    symbols = {**town.symbols, **charts.symbols(variant), **{f"track{end}": _track(end, width) for end in limits}}
    kept: dict[str, list[Element]] = {name: [Kept(parts)] for name, parts in symbols.items()}
    height = max(end, y + COUNT)
    return Plan(
        width + ASIDE if blank else width,
        height,
        town,
        tracks,
        y,
        Kept(printed),
        Kept([*below, *_count(variant, y, width)]),
        places,
        f"translate({number(width)} {number(4 - lowest)})",
        (2 * width, max(lowest + 6, height + 4 - lowest)),
        kept,
    )


def draw(variant: Variant, state: State | None, seat: int) -> Picture:
    """Draw a seat's sheet, or the blank one."""
    plan = plan_sheet(variant, state is None)
    if state is None:
        return Picture(
            plan.width, plan.height, [plan.printed, plan.below], plan.symbols, plan.town.boxes(), has_total=True
        )
    sources = legal_sources(variant, state, seat)
    lit = [group(rect(*box, "may", 6), data_source=name) for name, box in plan.places.items() if name in sources]
    body = [
        plan.printed,
        *draw_cables(plan.town, state, seat),
        *draw_decorations(plan.town, state, seat),
        *_head(variant, plan, state),
        *_hand(plan, state, seat, sources),
        *_pencil(variant, plan, state, seat),
        group(plan.below, data_wide=plan.aside),
        group(*lit, _sums(variant, plan, state, seat), data_wide=plan.aside),
    ]
    return Picture(plan.width, plan.height, body, plan.symbols, plan.town.boxes(), has_total=True, wide=plan.wide)


def legal_sources(variant: Variant, state: State, seat: int) -> set[str]:
    """Return what a seat may take now: an action, cards, strands or decorations; nothing where its hand is hidden."""
    if state["hand_size"][seat] and not state["hands"][seat]:
        return set()
    out = np.zeros(MAX_LEGAL, np.int64)
    actions = out[: variant.game.rules.legal_actions(variant.box, state, seat, out)]
    phase = int(state["phase"])
    if not len(actions):
        return set()
    if phase == Phase.CABLE:
        shapes = names(variant.file, "shapes")
        placements = (actions[1:] - figure_of(variant, at.FIRST_LAY)) % figure_of(variant, at.FITS)
        return {shapes[shape] for shape in np.unique(variant.box["shape_of"][placements]).tolist()}
    if phase == Phase.DECORATE:
        known = names(variant.file, "decorations")
        kinds = np.searchsorted(variant.box["first_hang"][: len(known)], actions[1:], side="right") - 1
        return {known[kind] for kind in np.unique(kinds).tolist()}
    moves = [format_move(variant, state, seat, action).split(" ") for action in actions.tolist()]
    return {words[1] if len(words) > 1 else words[0] for words in moves}


def _charts(variant: Variant, listed: tuple[Drawer, ...], y: float, width: float) -> charts.Chart:
    """Draw charts below each other, a faint rule above each."""
    found: list[Element] = []
    places: dict[str, charts.Box] = {}
    rules = ""
    for chart in listed:
        rules += f"M{charts.EDGE} {number(y + 3)}H{number(width - charts.EDGE)}"
        top = y + 5
        drawn, y, inside = chart(variant, top, width)
        if chart in ACTIONS:
            places[ACTIONS[chart]] = (5, top, width - 10, y - top - 1)
        places |= inside
        found += drawn
    return charts.Chart([*([path(rules, "faint thin")] if rules else []), *found], y, places)


def _track_box(limit: int, width: float, value: int) -> tuple[float, float, float]:
    """Return a number of a track: the middle of its box, y from the top of the track, and how wide it is."""
    step = (width - charts.EDGE - TRACK_START) // min(limit + 1, TRACK_ROW)
    return TRACK_START + (value % TRACK_ROW + 0.5) * step, value // TRACK_ROW * TRACK + TRACK / 2, step - 5


def _track_height(limit: int) -> int:
    return TRACK * (limit // TRACK_ROW + 1)


def _track(limit: int, width: float) -> list[Element]:
    """§16 Draw the boxes of a track and their numbers."""
    places = [_track_box(limit, width, value) for value in range(limit + 1)]
    return [
        path(charts.outlines([(x - wide / 2, y - 10, wide, 20) for x, y, wide in places]), "print thin"),
        charts.words("t small", [(x, y + 4, str(value)) for value, (x, y, _) in enumerate(places)]),
    ]


def _tracks(variant: Variant, y: float, width: float) -> tuple[list[Element], float]:
    """§16 The two tracks; the number where each starts has a thin ring."""
    drawn: list[Element] = []
    for name, start in (("money", at.START_MONEY), ("cable", at.START_CABLE)):
        limit = figure_of(variant, TRACKS[name])
        x, below, _ = _track_box(limit, width, figure_of(variant, start))
        drawn += [text(charts.EDGE, y + TRACK / 2 + 4, name.capitalize(), "ts small bold"), use(f"track{limit}", 0, y)]
        drawn.append(circle(x, y + below, 8, "print thin"))
        y += _track_height(limit)
    return drawn, y


def _count_boxes(variant: Variant, width: float) -> list[tuple[float, float]]:
    """Return the boxes of the final count, one for each scoring line and one for the crowd: x and width."""
    boxes = len(variant.score_lines) + 1
    step = (width - 2 * charts.EDGE + 6) / boxes
    return [(charts.EDGE + i * step, step - 6) for i in range(boxes)]


def _count(variant: Variant, y: float, width: float) -> list[Element]:
    places = _count_boxes(variant, width)
    titles = [
        (x + wide / 2, y + 12, LABELS.get(name, name))
        for (x, wide), name in zip(places, (*variant.score_lines, "crowd"), strict=True)
    ]
    return [
        charts.words("t small p", titles),
        path(charts.outlines([(x, y + 15, wide, 22) for x, wide in places]), "print thin"),
    ]


def _head(variant: Variant, plan: Plan, state: State) -> list[Element]:
    """Draw the turn, what everybody does, and how many cards are in the deck."""
    turn, phase = int(state["turn"]), Phase(int(state["phase"]))
    if phase == Phase.OVER:
        words = "the end"
    elif turn == 0:
        words = "the deal"
    else:
        words = f"turn {turn} of {figure_of(variant, at.TURNS)} · {PHASES[phase]}"
    deck = DECK - max(int(state["draws"]) - 1, 0)
    return [
        text(charts.EDGE, 19, words, "ts small"),
        text(plan.width - charts.EDGE, 19, f"deck {deck}", "te small"),
    ]


def draw_card(name: str, x: float, y: float) -> Element:
    """Draw a card around its middle: rank and suit in the corner, so that it can be told when others cover it."""
    if name == CARD_NAMES[JOKER]:
        drawn = [use("joker", x, y)]
    else:
        drawn = [use(f"c{name[-1]}", x, y), text(x - 13, y - 9, name[:-1].upper(), "ts bold")]
    if WILD[CARD_NAMES.index(name)]:
        drawn.append(use("wild", x + 9, y - 15))
    return group(*drawn, data_source=name)


def _hand(plan: Plan, state: State, seat: int, sources: set[str]) -> list[Element]:
    """Draw the hand, sorted, with a dotted ring around cards that can be taken; only backs where it may not be seen."""
    size, known = int(state["hand_size"][seat]), cards_of(int(state["hands"][seat]))
    if not size:
        return [text(charts.EDGE, HEAD + 30, "no cards", "ts small p")]
    step = min(CARD_STEP, (plan.width - 2 * charts.EDGE - CARD) / max(1, size - 1))
    places = [(charts.EDGE + CARD / 2 + i * step, HEAD + HAND / 2 - 2) for i in range(size)]
    if not known:
        return [use("back", *place) for place in places]
    drawn = [draw_card(CARD_NAMES[one], *place) for one, place in zip(known, places, strict=True)]
    for card, one, (x, y) in zip(drawn, known, places, strict=True):
        if CARD_NAMES[one] in sources:
            card.add(rect(x - CARD / 2 - 1, y - 25, CARD + 2, 50, "may", 6))
    return drawn


def _pencil(variant: Variant, plan: Plan, state: State, seat: int) -> list[Element]:
    """Draw what the player marks below the town: both tracks."""
    drawn: list[Element] = []
    top = plan.tracks
    for name, end in TRACKS.items():
        limit = figure_of(variant, end)
        x, y, _ = _track_box(limit, plan.width, int(state[name][seat]))
        drawn.append(pencil_circle(x, top + y, 11.5))
        top += _track_height(limit)
    return drawn


def _sums(variant: Variant, plan: Plan, state: State, seat: int) -> Element:
    """Write the points of every scoring line and the crowd."""
    out = np.zeros(len(variant.score_lines), np.int64)
    total = int(variant.game.rules.score(variant.box, state, seat, out))
    places = _count_boxes(variant, plan.width)
    sums = [
        (x + wide / 2, plan.count + 31, str(n)) for (x, wide), n in zip(places, (*out.tolist(), total), strict=True)
    ]
    return charts.words("t bold", sums)
