"""What is in the box: the town, the charts and the tracks, read from `box.toml` and turned into tables for the kernel.

No rule lives here beyond what the charts print; a sheet of the same kind can be typed into a component file of its own.

tables        the record that kernels read, its limits and columns · numbers: the single numbers in it
cards         the deck, and which cards pay · words: what names and conditions look like
town          the map and its trees · strands: shapes and where they fit · decorations: costs, places, patterns
oddities      what is odd in a component file though it can be played
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from lamplighter.errors import BadVariant
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import (
    CARD_NAMES,
    DECK,
    JOKER,
    PLAIN_RANKS,
    SUITS,
    WILD,
    rank_of,
    suit_of,
)
from lamplighter.games.switch_on.components.decorations import (
    cost_of,
    orientations,
    places_of,
    read_decorations,
    read_patterns,
)
from lamplighter.games.switch_on.components.oddities import find_oddities
from lamplighter.games.switch_on.components.strands import dots_of, is_reversible, links_of, read_shapes
from lamplighter.games.switch_on.components.tables import (
    BODY,
    BOX,
    CARDS,
    CHURCH,
    DOTS,
    ELECTRIC,
    ENTRANCE,
    EXTRA,
    FIRST_RAISE,
    FITS,
    INNER,
    INSIDE_POWER,
    KINDS,
    LENGTH,
    MAX_LENGTH,
    MAX_SQUARES,
    MAX_TRACK,
    MAX_UNITS,
    MOST_ACTIONS,
    MOST_KEPT,
    MOST_START,
    OFFSETS,
    ON_CHURCH,
    OPEN,
    POINTS,
    POWER,
    RELATION,
    SHEET,
    SHOP,
    STREET,
    WORD,
    squares_of,
)  # fmt: skip
from lamplighter.games.switch_on.components.town import reach_of, read_town, times_of

if TYPE_CHECKING:
    from lamplighter.engine.component_file import ComponentFile, Path
    from lamplighter.engine.game import Value

__all__ = [
    "BODY", "BOX", "CARDS", "CHURCH", "DOTS", "ELECTRIC", "ENTRANCE", "EXTRA", "FIRST_RAISE", "FITS", "INNER",
    "INSIDE_POWER", "KINDS", "LENGTH", "MAX_LENGTH", "MAX_SQUARES", "MOST_ACTIONS", "OFFSETS", "ON_CHURCH", "OPEN",
    "POINTS", "POWER", "RELATION", "SHOP", "STREET", "WORD", "build", "cost_of", "dots_of",
    "is_reversible", "links_of", "names", "oddities", "orientations", "places_of", "reach_of", "score_lines", "squares_of",
    "times_of",
]  # fmt: skip

TABLES = ["map", "trees", "tracks", "raise_funds", "shapes", "decorations", "patterns", "scoring"]


def score_lines(file: ComponentFile) -> tuple[str, ...]:
    """The names of the scoring lines, in the order of `rules.score`."""
    return ("decorations", "patterns", "cable")


@functools.lru_cache(maxsize=64)
def names(file: ComponentFile, table: str) -> tuple[str, ...]:
    """Return the names of the shapes, decorations or patterns as moves write them."""
    return tuple(str(entry["name"]) for entry in file.get(table))


def build(file: ComponentFile, options: Mapping[str, Value]) -> np.ndarray:
    """Return the box as kernels read it; a file that does not make sense is refused."""
    file.need_keys(TABLES, ["hands", "grounds"])
    boxes = np.zeros(1, BOX)
    box = boxes[0]
    _read_options(file, box, options)
    town = read_town(file, box)
    _read_tracks(file, box, str(options["track_limit"]))
    _read_funds(file, box)
    read_shapes(file, box, town)
    read_decorations(file, box, town)
    read_patterns(file, box)
    _number_actions(file, box)
    return boxes


def oddities(file: ComponentFile) -> list[tuple[str, Path]]:
    """Return sentences on what is odd in a component file, though it can be played, and where each stands."""
    from lamplighter.games.switch_on import GAME

    options = {option.name: option.default for option in GAME.options}
    return find_oddities(file, build(file, options)[0])


# --- options, hands and tracks --------------------------------------------------------------------------------


def _read_options(file: ComponentFile, box: np.void, options: Mapping[str, Value]) -> None:
    seats, (start, limit) = int(options["seats"]), _read_hands(file, options)
    first = str(options["first_player"])
    if first != "random" and int(first) >= seats:
        raise BadVariant(
            f"player {int(first) + 1} cannot begin, because {seats} play "
            f"(first_player: with {seats} seats they are 0 to {seats - 1}, or random)"
        )
    box["figures"][at.SEATS] = seats
    box["figures"][at.HAND_START] = start
    box["figures"][at.HAND_LIMIT] = limit
    box["figures"][at.FIRST_PLAYER] = -1 if first == "random" else int(first)
    box["figures"][at.TURNS] = -(-(DECK - start * seats) // seats) + seats
    box["figures"][at.SLOTS] = max(start, limit) + 2
    box["figures"][at.COUNT_TREES] = options["tree_mode"] == "count"
    box["figures"][at.DEAD_CABLE_SCORES] = options["unpowered_cable_scores"]
    box["figures"][at.OPEN_HANDS] = options["open_hands"]


def _read_hands(file: ComponentFile, options: Mapping[str, Value]) -> tuple[int, int]:
    """§D, §H, §B6 Return the cards of a hand at the start and after a turn: of the options, of the sheet, or 6 and 8."""
    start, limit = 6, 8
    if "hands" in file.data:
        file.need_keys(["start", "limit"], at=("hands",))
        start, limit = file.need_int(1, MOST_START, "hands", "start"), file.need_int(1, MOST_KEPT, "hands", "limit")
    chosen_start, chosen_limit = options["hand_start"], options["hand_limit"]
    return (
        start if chosen_start == SHEET else int(chosen_start),
        limit if chosen_limit == SHEET else int(chosen_limit),
    )


def _read_tracks(file: ComponentFile, box: np.void, chosen: str) -> None:
    """§16 Where both tracks start and end; an option may end both elsewhere (R5)."""
    both = "limit" in file.need_table("tracks")
    limits = ("limit", "limit") if both else ("money_limit", "cable_limit")
    file.need_keys(["start_money", "start_cable", *limits], at=("tracks",))
    for limit_at, start_at, key, start_key in zip(
        (at.MONEY_LIMIT, at.CABLE_LIMIT), (at.START_MONEY, at.START_CABLE), limits, ("start_money", "start_cable"),
        strict=True,
    ):  # fmt: skip
        limit = file.need_int(1, MAX_TRACK, "tracks", key)
        box["figures"][start_at] = start = file.need_int(0, limit, "tracks", start_key)
        box["figures"][limit_at] = limit if chosen == SHEET else int(chosen)
        if start > int(box["figures"][limit_at]):
            raise BadVariant(f"track_limit cannot be {chosen}: on this sheet a track starts at {start}")
    file.need_keys(["cable_points"], at=("scoring",))
    box["figures"][at.CABLE_POINTS] = file.need_int(0, 1000, "scoring", "cable_points")


def _read_funds(file: ComponentFile, box: np.void) -> None:
    """§F, §B6 What each card gives: its rank and its suit, the wild value, or a value of its own."""
    file.need_keys(["none", "wild", "rank", "bonus"], ["card"], at=("raise_funds",))
    file.need_keys(PLAIN_RANKS, at=("raise_funds", "rank"))
    file.need_keys(SUITS, at=("raise_funds", "bonus"))
    half = MAX_UNITS // 2
    wild = file.need_int(0, MAX_UNITS, "raise_funds", "wild")
    rank_units = [file.need_int(0, half, "raise_funds", "rank", rank) for rank in PLAIN_RANKS]
    bonus = [file.need_int(0, half, "raise_funds", "bonus", suit) for suit in SUITS]
    box["units"][DECK] = file.need_int(0, MAX_UNITS, "raise_funds", "none")
    for card in range(DECK):
        box["units"][card] = wild if WILD[card] else rank_units[rank_of(card)] + bonus[suit_of(card)]
    if "card" in file.get("raise_funds"):
        file.need_keys([], CARD_NAMES, at=("raise_funds", "card"))
        for name in file.get("raise_funds", "card"):
            first = CARD_NAMES.index(name)
            last = DECK if first == JOKER else first + 1
            box["units"][first:last] = file.need_int(0, MAX_UNITS, "raise_funds", "card", name)
    box["figures"][at.MOST_UNITS] = max(int(box["units"][DECK]), *map(int, box["units"]))


# --- actions --------------------------------------------------------------------------------------------------


def _number_actions(file: ComponentFile, box: np.void) -> None:
    """Where each kind of action starts (see state.py), and that no seat can have more than there is room for."""
    slots, squares, fits = int(box["figures"][at.SLOTS]), int(box["figures"][at.SQUARES]), int(box["figures"][at.FITS])
    box["figures"][at.PASS_ACTION] = FIRST_RAISE + (slots + 1) * (int(box["figures"][at.MOST_UNITS]) + 1) ** 2
    box["figures"][at.FIRST_LAY] = int(box["figures"][at.PASS_ACTION]) + 1
    box["figures"][at.FIRST_MISFIT] = int(box["figures"][at.FIRST_LAY]) + slots * fits
    box["figures"][at.STOP_ACTION] = int(box["figures"][at.FIRST_MISFIT]) + int(box["figures"][at.PLACEMENTS]) - fits
    number = int(box["figures"][at.STOP_ACTION]) + 1
    hangs = []
    for decoration in range(int(box["figures"][at.DECORATIONS])):
        cards = int(box["chart"][decoration, CARDS])
        places = len(squares_of(np.bitwise_or(box["places"][decoration], box["lit_places"][decoration])))
        box["first_hang"][decoration] = number
        number += squares * math.comb(slots, cards)
        hangs.append(places * math.comb(slots - 1, cards))
    box["first_hang"][int(box["figures"][at.DECORATIONS])] = number
    box["figures"][at.FIRST_DISCARD] = number
    box["figures"][at.ACTIONS] = number + slots
    said = f"moves at once, more than {MOST_ACTIONS}: use smaller hands, a smaller map,"
    if 1 + sum(hangs) > MOST_ACTIONS:
        path = ("decorations", hangs.index(max(hangs)), "cost")
        file.fail(f"a player could have {1 + sum(hangs)} {said} costs of fewer cards or fewer places", *path)
    if 1 + (slots - 1) * fits > MOST_ACTIONS:
        file.fail(f"a player could have {1 + (slots - 1) * fits} {said} or fewer shapes", "shapes")
