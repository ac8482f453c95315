"""Railroad: the same dice for everybody, a board of seven by seven, and highways and railways that want to meet."""

import re
from dataclasses import dataclass

from lamplighter.engine.game import Game, Option, Value
from lamplighter.errors import BadVariant


@dataclass(frozen=True)
class GoalsOption(Option):
    """The goals of the match: `random`, or any three of the twelve letters in the order they count."""

    def parse(self, text: str) -> Value:
        word = text.strip().upper()
        if word == "RANDOM":
            return self.default
        if not re.fullmatch("[A-L]{3}", word) or len(set(word)) != 3:
            raise BadVariant(
                f"option 'goals' cannot be {text!r}: write random, or three of the letters A to L, such as abc"
            )
        return word


GAME = Game(
    id="railroad",
    title="Railroad",
    package=__name__,
    summary="Roll-and-write (unofficial): everyone draws the same routes and joins as many exits of the board as they can.",
    source="Unofficial. Railroad Ink, its Challenge edition and the Electricity pack are by Hjalmar Hach and Lorenzo Silva, "
    "published by Horrible Guild; rules in our own words, drawings of our own.",
    seats=(1, 6),
    default_seats=1,
    rules_version=1,
    options=(
        Option("edition", ("base", "challenge"), "which dice and board: the base game or the Challenge edition"),
        Option("expansion", ("none", "lamps", "power"), "Electricity: Street Lamps (easier) or Power Grid (harder)"),
        GoalsOption(
            "goals", ("random",), "Challenge goals: drawn by lot, or three letters of A to L, such as abc (R6)"
        ),
        Option(
            "village_points", ("total", "per-step"), "the village track: its last value, or all values added up (R1)"
        ),
        Option(
            "university_special", ("at-once", "later"), "the third university's special: now or never, or kept (R2)"
        ),
        Option("factory_copy", ("any", "drawn"), "a factory copies any result of the round, or one already drawn (R3)"),
        Option("goals_before_power", (True, False), "goals are checked before the Power Grid dice are used (R5)"),
        Option("solo_goals", (True, False), "alone, goals are worth less when late; if not, always the most (R4)"),
        Option("lamps_trigger_structures", (True, False), "lamp routes activate universities and factories (R7)"),
        Option("power_order", ("any", "as-rolled"), "Power Grid dice in either order, or as they were rolled (R8)"),
        Option(
            "accumulator_university", (False, True), "the university under the accumulator counts from the start (R9)"
        ),
        Option("line_may_cross_itself", (True, False), "a longest line may pass a space twice, on two segments (R10)"),
    ),
)
