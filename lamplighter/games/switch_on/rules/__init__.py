"""Switch-On, the rules. Paragraphs are those of RULES.md, rulings (R…) those of RULINGS.md.

    1 What you need             in the box: `components`
    2 Setting up                turns: the lot, the deal and the draw · hands: sets of cards
    3 A turn                    turns: choose, wait, next · numbering: which action is which
    4 Raise Funds               legality and effects
    5 Installing Decorations    legality: what a decoration needs · effects: paying and drawing it
    6 Buying Light Cable        legality: what a strand needs · effects: drawing it · squares: where one fits
    7 The end                   turns: after the last card · counting: positions that no match reaches
    8 Scoring                   scoring · squares: power, patterns, trees
    9 The charts                in the box: `components`
    10 Another sheet            in the box: `components`

Sets of squares are pairs of words (see `components`). Text and pictures are elsewhere.
"""

from lamplighter.games.switch_on.rules.effects import apply, hang, lay
from lamplighter.games.switch_on.rules.legality import (
    buys_shape,
    check,
    check_ground,
    check_overlap,
    check_square,
    legal_actions,
    open_squares,
)
from lamplighter.games.switch_on.rules.scoring import facts, score, score_patterns, standing
from lamplighter.games.switch_on.rules.squares import shining
from lamplighter.games.switch_on.rules.turns import (
    Box,
    Out,
    State,
    action_count,
    active_seat,
    apply_chance,
    chance_seat,
    dealt,
    hide,
    hides_draws,
    is_over,
    outcomes,
    over_limit,
    resample,
    setup,
    waiting,
)

__all__ = [
    "Box",
    "Out",
    "State",
    "action_count",
    "active_seat",
    "apply",
    "apply_chance",
    "buys_shape",
    "chance_seat",
    "check",
    "check_ground",
    "check_overlap",
    "check_square",
    "dealt",
    "facts",
    "hang",
    "hide",
    "hides_draws",
    "is_over",
    "lay",
    "legal_actions",
    "open_squares",
    "outcomes",
    "over_limit",
    "resample",
    "score",
    "score_patterns",
    "setup",
    "shining",
    "standing",
    "waiting",
]
