"""Greenways, the rules. Paragraphs are those of RULES.md, rulings (R…) those of RULINGS.md.

    1 What you need, and the start    turns: set-up
    2 A turn                          turns: hands · effects: what laying a tile does
    3 Where a tile may lie            legality · board: what is around a cell · networks: what a tile completes · laying
    4 The end                         effects: the goal · turns: nothing left to lay
    5 The count                       scoring, with `paths` for the longest way (R10)
    6 A race                          turns: seats are dealt to in order · scoring: who wins

Every seat has a board and a pile of its own; a race is solo games side by side (R14). Text and pictures are elsewhere.
"""

from lamplighter.games.greenways.rules.effects import apply, has_won
from lamplighter.games.greenways.rules.laying import height, lay_tile, width
from lamplighter.games.greenways.rules.legality import check, check_picture, legal_actions
from lamplighter.games.greenways.rules.scoring import facts, score, standing
from lamplighter.games.greenways.rules.turns import (
    Box,
    Out,
    State,
    action_count,
    apply_chance,
    can_go_on,
    chance_seat,
    far_action,
    hand_pictures,
    is_full,
    is_over,
    number_draw,
    outcomes,
    setup,
    waiting,
)

__all__ = [
    "Box",
    "Out",
    "State",
    "action_count",
    "apply",
    "apply_chance",
    "can_go_on",
    "chance_seat",
    "check",
    "check_picture",
    "facts",
    "far_action",
    "hand_pictures",
    "has_won",
    "height",
    "is_full",
    "is_over",
    "lay_tile",
    "legal_actions",
    "number_draw",
    "outcomes",
    "score",
    "setup",
    "standing",
    "waiting",
    "width",
]
