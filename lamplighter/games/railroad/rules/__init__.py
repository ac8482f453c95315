"""Railroad, the rules. Paragraphs are those of RULES.md, rulings (R…) those of RULINGS.md.

    §1 The box               turns: set-up and what the dice can show
    §2 A round               turns: whom it waits for · legality: what may be drawn · effects: what that does
    §3 Drawing               routes: where a route fits, and drawing it
    §4 The Challenge board   legality and effects: universities, factories · goals
    §5 Street Lamps          legality and effects
    §6 The Power Grid        power
    §7 The end               scoring, on the networks and longest lines of `networks`

What no match can reach is told by `possible`. Text and pictures are elsewhere.
"""

from lamplighter.games.railroad.rules.effects import active_universities, apply
from lamplighter.games.railroad.rules.legality import (
    check,
    has_result_to_draw,
    legal_actions,
    must_draw_extra,
    uses_extra,
)
from lamplighter.games.railroad.rules.scoring import (
    facts,
    score,
    score_centre,
    score_expansion,
    score_villages,
    standing,
)
from lamplighter.games.railroad.rules.turns import (
    Box,
    Out,
    State,
    action_count,
    apply_chance,
    chance_seat,
    is_over,
    outcomes,
    setup,
    step,
    waiting,
)

__all__ = [
    "Box",
    "Out",
    "State",
    "action_count",
    "active_universities",
    "apply",
    "apply_chance",
    "chance_seat",
    "check",
    "facts",
    "has_result_to_draw",
    "is_over",
    "legal_actions",
    "must_draw_extra",
    "outcomes",
    "score",
    "score_centre",
    "score_expansion",
    "score_villages",
    "setup",
    "standing",
    "step",
    "uses_extra",
    "waiting",
]
