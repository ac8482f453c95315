"""Railroad: the same dice for everybody, a board of seven by seven, and highways and railways that want to meet."""

import re

from lamplighter.engine.game import Game, Option, Value
from lamplighter.errors import BadVariant


class GoalsOption(Option):
    """The goals of the match: `random`, or any three of the twelve letters in the order they count."""

    def parse(self, text: str) -> Value:
        word = text.strip().upper()
        if word == "RANDOM":
            return self.default
        if not re.fullmatch("[A-L]{3}", word) or len(set(word)) != 3:
            how = "write random, or three of the letters A to L, such as abc"
            raise BadVariant(f"{self.called} (option 'goals') cannot be {text!r}: {how}")
        return word


CHALLENGE, POWER = {"edition": ("challenge",)}, {"expansion": ("power",)}

GAME = Game(
    id="railroad", title="Railroad", package=__name__,
    summary="Draw the routes that the dice show, and join as many exits of the board as you can (unofficial).",
    source="Unofficial. Railroad Ink, its Challenge edition and the Electricity pack are by Hjalmar Hach and Lorenzo Silva, "
    "published by Horrible Guild; rules in our own words, drawings of our own.",
    seats=(1, 6), default_seats=1, rules_version=1, minutes=(20, 30), age=8,
    options=(
        Option("edition", ("base", "challenge"), "dice and board: base or Challenge", "edition", titles={"base": "base game"}),
        Option("expansion", ("none", "lamps", "power"), "Electricity: Street Lamps (easier) or Power Grid (harder)", "expansion",
               titles={"none": "no expansion", "lamps": "Street Lamps", "power": "Power Grid"}),
        GoalsOption("goals", ("random",), "Challenge goals: drawn by lot, or three letters of A to L, such as abc (R6)",
                    "setup", CHALLENGE, "Goals"),
        Option("village_points", ("total", "per-step"), "the village track: its last value, or all values added up (R1)",
               when=CHALLENGE, titles={"total": "the last value", "per-step": "all values added up"}),
        Option("university_special", ("at-once", "later"), "the third university's special: now or never, or kept (R2)",
               when=CHALLENGE, title="Special route of a university", titles={"at-once": "now or never", "later": "may be kept"}),
        Option("factory_copy", ("any", "drawn"), "a factory copies any result of the round, or one already drawn (R3)",
               when=CHALLENGE, title="A factory copies", titles={"any": "any result", "drawn": "a result already drawn"}),
        Option("goals_before_power", (True, False), "goals are checked before the Power Grid dice are used (R5)",
               when=CHALLENGE | POWER, title="Goals are checked before the Power Grid dice"),
        Option("solo_goals", (True, False), "alone, goals are worth less when late; if not, always the most (R4)",
               when=CHALLENGE | {"seats": (1,)}, title="Late goals are worth less"),
        Option("lamps_trigger_structures", (True, False), "lamp routes activate universities and factories (R7)",
               when=CHALLENGE | {"expansion": ("lamps",)}, title="Lamp routes activate structures"),
        Option("power_order", ("any", "as-rolled"), "Power Grid dice in either order, or as they were rolled (R8)",
               when=POWER, title="Power Grid dice", titles={"any": "in either order", "as-rolled": "as they were rolled"}),
        Option("accumulator_university", (False, True), "the university under the accumulator counts from the start (R9)",
               when=CHALLENGE | POWER, title="The university under the accumulator counts"),
        Option("line_may_cross_itself", (True, False), "a longest line may pass a space twice, on two segments (R10)",
               title="A line may cross itself"),
        Option("accumulator_centre", (False, True), "the accumulator's space counts as drawn for the centre (R19)", when=POWER,
               title="The accumulator counts for the centre"),
        Option("dead_end_station", (False, True), "a dead end is a station, for villages and goal H (R20)", when=CHALLENGE,
               title="A dead end is a station"),
    ),
)  # fmt: skip
