"""What the goals of the Challenge edition ask for, in words. How they count is in `rules.goals`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamplighter.games.railroad.components.tables import KINDS

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

GOAL_WORDS = {  # one; several
    "centre": ("a route in the centre", "{} routes in the centre"),
    "villages": ("a station in a village", "stations in {} villages"),
    "line": ("a full row or column", "{} full rows or columns"),
    "corners": ("a route in a corner", "routes in {} corners"),
    "block": ("a full block of 3×3", "{} full blocks of 3×3"),
    "loop": ("a loop", "{} loops"),
    "exits": ("a connected exit", "{} exits in one network"),
    "stations": ("a station", "{} stations in one network"),
    "highway": ("a highway", "a highway of {} spaces"),
    "railway": ("a railway", "a railway of {} spaces"),
    "opposite": ("opposite exits in one network", "{} networks join opposite sides"),
    "middle": ("a middle exit", "{} middle exits in one network"),
}


def goal_words(variant: Variant, goal: int) -> str:
    """Return what a goal asks for."""
    one, several = GOAL_WORDS[KINDS[int(variant.box["goal_kind"][goal])]]
    need = int(variant.box["goal_need"][goal])
    return one if need == 1 else several.format(need)
