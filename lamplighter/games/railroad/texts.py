"""What people read of Railroad: names of routes, goals and scoring lines, and what to do now."""

from __future__ import annotations

import re

import numpy as np

from lamplighter.engine.phrase import Phrase, any_of
from lamplighter.engine.variant import State, Variant
from lamplighter.games.railroad.components.catalogue import COPY, LAMP, RESULT, SPECIAL, catalogue_of
from lamplighter.games.railroad.components.goals import goal_words
from lamplighter.games.railroad.components.tables import GOAL_LETTERS, POWER_FACES, QUESTION
from lamplighter.games.railroad.state import MAX_LEGAL

FINAL = ("done", "skip")
ORIENTATION = re.compile("[nesw]+([+/][nesw]+)?")
SIDES = {"n": "north", "e": "east", "s": "south", "w": "west"}
ROUTES = {  # the names of routes that would not read well without their hyphens
    "rail-straight": "straight rail",
    "rail-t": "rail junction",
    "highway-straight": "straight highway",
    "highway-t": "highway junction",
    "station-straight": "straight station",
    "station-curve": "curved station",
    "station-t-highway": "station, highway junction",
    "station-t-rail": "station, rail junction",
    "rail-double-curve": "two rail curves",
    "highway-double-curve": "two highway curves",
    "lamp-straight": "lamp, straight highway",
    "lamp-curve": "lamp, highway curve",
    "lamp-t": "lamp, highway junction",
    "lamp-crossroads": "lamp, highway crossroads",
    "lamp-overpass": "lamp, highway overpass",
    "lamp-double-curve": "lamp, two highway curves",
    "three-highways": "station with three highways",
    "three-rails": "station with three rails",
    "station-corner": "station, two corners",
    "station-cross": "station, crossing",
}
WORDS = {
    "done": "Done",
    "skip": "Skip the extra route",
    "up": "arrow up",
    "right": "arrow right",
    "down": "arrow down",
    "left": "arrow left",
    "question": "question mark",
}
LINES = {
    "exits": "exits joined",
    "highway": "longest highway",
    "railway": "longest railway",
    "centre": "centre",
    "errors": "open ends",
    "villages": "villages",
}


def say(variant: Variant, text: str) -> str:
    """Return what people call a face, a route, how it is turned, a goal, or a whole move.

    >>> from lamplighter import load
    >>> [say(load("railroad"), text) for text in ("A1", "special:three-rails", "lamps row c", "overpass d1 ns", "w/nes")]
    ['straight rail', 'special route: station with three rails', 'light row C', 'overpass on d1', 'west; north, east, south']
    """
    words = text.split(" ")
    if text in WORDS:
        return WORDS[text]
    if ORIENTATION.fullmatch(text):
        return _say_sides(text)
    if words[0] in POWER_FACES:
        return _say_power(words)
    if words[0] == "goal" and len(words) == 2:
        goal = GOAL_LETTERS.index(words[1].upper())
        return Phrase("goal {letter}: {words}", letter=GOAL_LETTERS[goal], words=goal_words(variant, goal))
    if words[0] == "lamps" and len(words) == 3:
        said = Phrase("light row {line}", line=words[2].upper()) if words[1] == "row" else None
        return said or Phrase("light column {line}", line=words[2])
    if len(words) == 3 and ORIENTATION.fullmatch(words[2]):
        return Phrase("{route} on {space}", route=say(variant, words[0]), space=words[1])
    prefix, _, name = text.rpartition(":")
    known = _routes(variant)
    if name not in known or prefix not in ("", SPECIAL, COPY):
        return text
    route = _name(known[name])
    if prefix == SPECIAL:
        return Phrase("special route: {route}", route=route)
    return Phrase("copy: {route}", route=route) if prefix == COPY else route


def _say_sides(text: str) -> Phrase:
    """Return the sides to which a route leads; tracks that do not meet are told apart."""
    tracks = [[SIDES[side] for side in track] for track in re.split("[+/]", text)]
    return (
        Phrase("{first}; {second}", first=tracks[0], second=tracks[1]) if tracks[1:] else Phrase("{all}", all=tracks[0])
    )


def _say_power(words: list[str]) -> Phrase:
    """§6.2 Return what a Power Grid die does; an exit is called by its space."""
    face, *rest = words
    if rest[:1] == ["from"]:
        start = rest[1].rstrip("nesw") if len(rest[1]) > 2 else rest[1]
        return Phrase("{die} from {start} to {end}", die=WORDS[face], start=start, end=rest[3])
    if rest[:1] == ["charge"]:
        return Phrase("{die}: charge the accumulator", die=WORDS[face])
    return Phrase("{die}: electrify {space}", die=WORDS[face], space=" ".join(rest))


def labels(variant: Variant) -> dict[str, tuple[str, ...]]:
    """Return the codes of faces and special routes, which the text sheet shows, and the names of routes."""
    found = catalogue_of(variant)
    known: dict[str, tuple[str, ...]] = {}
    for number, route in enumerate(found.routes):
        words = _name(route.name)
        if number >= found.specials:
            known[f"{SPECIAL}:{route.name}"] = (route.code, words, say(variant, f"{SPECIAL}:{route.name}"))
        else:
            known[route.name] = (route.code, words)
        known[f"{COPY}:{route.name}"] = (f"{COPY} {route.code}", f"{COPY} {words}", f"{COPY}: {words}")
    return known


def _routes(variant: Variant) -> dict[str, str]:
    """Return the names of routes by their codes and names; they are asked for with every word of every move."""
    if not isinstance(found := variant.kept.get("route names"), dict):
        routes = catalogue_of(variant).routes
        found = {route.name: route.name for route in routes} | {route.code: route.name for route in routes}
        variant.kept["route names"] = found
    return found


def _name(route: str) -> str:
    return ROUTES.get(route) or route.replace("-", " ")


def name_line(variant: Variant, state: State, line: str) -> str:
    """§7, §4, §5, §6 Return what people call a scoring line; nothing if this variant does not have it."""
    box = variant.box
    if line == "expansion":
        return "street lamps" if box["lamps"] else "power grid" if box["power"] else ""
    if not box["challenge"] and (line not in LINES or line == "villages"):
        return ""
    if line in LINES:
        return LINES[line]
    number = int(line.removeprefix("goal"))
    goal = int(state["goals"][number - 1])
    return say(variant, f"goal {GOAL_LETTERS[goal]}") if goal >= 0 else Phrase("goal {number}", number=number)


def instruct(variant: Variant, state: State, seat: int) -> Phrase:
    """§2–§6 Say what a seat has to draw, or may add before it is done."""
    if state["choosing"][seat]:
        return Phrase("Choose a row or a column: all its lamps are lit.")
    out = np.zeros(MAX_LEGAL, np.int64)
    actions = out[: variant.game.rules.legal_actions(variant.box, state, seat, out)].tolist()
    if state["power_step"]:
        return _instruct_power(variant, actions)
    if int(variant.box["skip_action"]) in actions and int(variant.box["skip_action"]) != int(
        variant.box["done_action"]
    ):
        return Phrase("A third university: draw an extra special route, or skip it.")
    found, first = catalogue_of(variant), int(variant.box["lamp_action"])
    spaces = int(variant.box["rows"]) * int(variant.box["columns"])
    taken = [found.entries[number] for number in sorted({action // spaces for action in actions if action < first})]
    fitting = list(dict.fromkeys(entry.route for entry in taken if entry.source == RESULT))
    left = [die for die in range(int(variant.box["route_dice"])) if int(state["todo"][seat]) >> die & 1]
    if len(fitting) > 1:
        return Phrase("Choose a die, then a lit square.")
    if fitting:
        route = _name(found.routes[fitting[0]].name)
        if all(int(state["dice"][die]) == fitting[0] for die in left):
            return Phrase("The last die: draw the {route} on a lit square.", route=route)
        return Phrase("Only one die fits: draw the {route} on a lit square.", route=route)
    return _instruct_done([entry.source for entry in taken], bool(left))


def question(variant: Variant, state: State, seat: int) -> Phrase:
    """§4.3 A result that can be drawn can also be a factory's copy of it."""
    return Phrase("Use the die, or a factory’s copy of it?")


def _instruct_done(sources: list[str], left: bool) -> Phrase:
    """§2.2, §2.3 Nothing must be drawn any more; say what may be."""
    kinds = {LAMP: "a lamp route", COPY: "a copy", SPECIAL: "a special route"}
    more = [words for source, words in kinds.items() if source in sources]
    if left and more:
        return Phrase("The dice that are left fit nowhere. Press Done, or add {more}.", more=any_of(more))
    if left:
        return Phrase("The dice that are left fit nowhere. Press Done.")
    if more:
        return Phrase("Nothing left to place. Press Done, or add {more}.", more=any_of(more))
    return Phrase("Nothing left to place. Press Done.")


def _instruct_power(variant: Variant, actions: list[int]) -> Phrase:
    """§6.2–§6.5 The Power Grid dice may be used or given up. Where only one face is left, say what it does."""
    box, power = variant.box, variant.game.module("rules.power")
    moves = [action - int(box["done_action"]) - 1 for action in actions if action != int(box["done_action"])]
    faces = {int(power.face_of(box, move)) for move in moves}
    if not faces:
        return Phrase("No Power Grid die is left that leads anywhere. Press Done.")
    if len(faces) > 1:
        return Phrase("Choose a Power Grid die, then a lit square; or press Done.")
    face = faces.pop()
    arrows = int(box["arrow_moves"])  # then charges with an arrow, then question marks: spaces, and a charge
    charges = {*range(arrows, arrows + 4), arrows + 4 + int(box["spaces"])}
    ways = ["charge the accumulator"] if charges & set(moves) else []
    if not charges.issuperset(moves):
        any_space, in_line = "electrify any drawn square", "electrify drawn squares in its direction"
        ways.insert(0, any_space if face == QUESTION else in_line)
    return Phrase("Use the {die} to {ways}, or press Done.", die=WORDS[POWER_FACES[face]], ways=any_of(ways))
