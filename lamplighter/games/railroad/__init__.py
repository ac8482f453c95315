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
            how = "write random, or the letters of three different goals, such as abc; §4.4 of the rules lists them, A to L"
            raise BadVariant(f"{self.called} cannot be {text!r}: {how}")
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
        GoalsOption("goals", ("random",), kind="setup", when=CHALLENGE, title="Goals", ruling="R6",
                    help="Challenge goals: drawn by lot, or three of the goals A to L (§4.4) by their letters, such as abc"),
        Option("village_points", ("total", "per-step"), "the village track: its last value, or all values added up",
               when=CHALLENGE, titles={"total": "the last value", "per-step": "all values added up"}, ruling="R1"),
        Option("university_special", ("at-once", "later"), "the third university's special: now or never, or kept", ruling="R2",
               when=CHALLENGE, title="Special route of a university", titles={"at-once": "now or never", "later": "may be kept"}),
        Option("factory_copy", ("any", "drawn"), "a factory copies any result of the round, or one already drawn", ruling="R3",
               when=CHALLENGE, title="A factory copies", titles={"any": "any result", "drawn": "a result already drawn"}),
        Option("goals_before_power", (True, False), "goals are checked before the Power Grid dice are used",
               when=CHALLENGE | POWER, title="Goals are checked before the Power Grid dice", ruling="R5"),
        Option("solo_goals", (True, False), "alone, goals are worth less when late; if not, always the most",
               when=CHALLENGE | {"seats": (1,)}, title="Late goals are worth less", ruling="R4"),
        Option("lamps_trigger_structures", (True, False), "lamp routes activate universities and factories",
               when=CHALLENGE | {"expansion": ("lamps",)}, title="Lamp routes activate structures", ruling="R7"),
        Option("power_order", ("any", "as-rolled"), "Power Grid dice in either order, or as they were rolled", ruling="R8",
               when=POWER, title="Power Grid dice", titles={"any": "in either order", "as-rolled": "as they were rolled"}),
        Option("accumulator_university", (False, True), "the university under the accumulator counts from the start",
               when=CHALLENGE | POWER, title="The university under the accumulator counts", ruling="R9"),
        Option("line_may_cross_itself", (True, False), "a longest line may pass a space twice, on two segments",
               title="A line may cross itself", ruling="R10"),
        Option("accumulator_centre", (False, True), "the accumulator's space counts as drawn for the centre", when=POWER,
               title="The accumulator counts for the centre", ruling="R19"),
        Option("dead_end_station", (False, True), when=CHALLENGE, title="A dead end is a station", ruling="R20",
               help="a dead end is a station, for villages and for goal H, which asks for stations in one network"),
    ),
)  # fmt: skip
