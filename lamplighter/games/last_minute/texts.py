"""What people read of Last Minute Christmas: names, what to do now, and what others crossed out."""

from __future__ import annotations

import numpy as np

from lamplighter.engine.grid import format_cell
from lamplighter.engine.phrase import Phrase, Seat
from lamplighter.engine.variant import State, Variant
from lamplighter.games.last_minute.components import FACES, cross_name, ornament_names
from lamplighter.games.last_minute.notation import split_action
from lamplighter.games.last_minute.state import MAX_LEGAL

LINES = {"turns": "turn boxes", "powers": "+1/−1 not used", "icons": "all icons covered"}


def say(variant: Variant, text: str) -> str:
    """Return how people say who begins, an ornament, the die that it is drawn with, a square, or a whole move.

    >>> from lamplighter import load
    >>> [say(load("last_minute"), text) for text in ("first 0", "candy-cane", "3 star", "3 bell")]
    ['player 1 begins', 'candy cane', 'star', 'bell: the 3, changed by 2']
    >>> say(load("last_minute"), "3 star c3")
    'star in row 3, square 3'
    """
    word, _, rest = text.partition(" ")
    if word == "first" and rest:
        return Phrase("{player} begins", player=Seat(rest))
    names, squares = ornament_names(variant.file), _squares(variant)
    if text in squares:
        return squares[text]
    source, _, square = text.rpartition(" ")
    if square in squares:
        return Phrase("{ornament} in {square}", ornament=say(variant, source), square=squares[square])
    if rest in names and word.isdecimal():
        change = abs(int(word) - 1 - names.index(rest))
        if variant.options["wrap"]:
            change = min(change, FACES - change)
        return (
            _ornament(rest)
            if not change
            else Phrase(
                "{ornament}: the {face}, changed by {change}", ornament=_ornament(rest), face=word, change=change
            )
        )
    return _ornament(text) if text in names else text


def _squares(variant: Variant) -> dict[str, Phrase]:
    """Return what people call the squares of the tree, which has no letters and numbers beside it, by their names in moves."""
    if not isinstance(found := variant.kept.get("square names"), dict):
        box, found = variant.box, {}
        for row in range(int(box["rows"])):
            columns = [column for column in range(int(box["cols"])) if box["square_at"][row, column] >= 0]
            for number, column in enumerate(columns, 1):
                found[format_cell(row, column)] = Phrase("row {row}, square {number}", row=row + 1, number=number)
        variant.kept["square names"] = found
    return found


def labels(variant: Variant) -> dict[str, tuple[str, ...]]:
    """Return the names of ornaments, with and without hyphens."""
    return {name: (name, _ornament(name)) for name in ornament_names(variant.file)}


def _ornament(name: str) -> str:
    return name.replace("-", " ")


def name_line(variant: Variant, state: State, line: str) -> str:
    """§14 Return what people call a scoring line."""
    return LINES.get(line) or _ornament(line)


def instruct(variant: Variant, state: State, seat: int) -> Phrase:
    """§4, §6, §9 The active seat takes one of three dice, the others use one of those left; say why only one can be."""
    rules, box = variant.game.rules, variant.box
    if rules.needs_rescue(box, state, seat):
        return Phrase("No die gives an ornament that has room on its track: draw any other one, it costs nothing.")
    active = int(rules.active_seat(box, state))
    if only := _only_choice(variant, state, seat):
        return only
    if not state["taken"]:
        return Phrase("Choose a die and hang its ornament on a lit square; the others cross out a value.")
    taken = int(state["taken"])
    return Phrase(
        "{player} took the {face}: choose one of the other dice and a lit square.", player=Seat(active), face=taken
    )


def _only_choice(variant: Variant, state: State, seat: int) -> Phrase | None:
    """Return why a seat has no choice of die and ornament; None if it has."""
    out = np.zeros(MAX_LEGAL, np.int64)
    actions = out[: variant.game.rules.legal_actions(variant.box, state, seat, out)].tolist()
    sources = {split_action(variant, action)[:2] for action in actions}
    if len(sources) != 1:
        return None
    face, ornament = sources.pop()
    dice = {die for die in state["dice"].tolist() if die}
    words = "Only the {face} gives an ornament that has room on its track: hang the {ornament} on a lit square."
    if dice == {face + 1}:
        words = "All dice on the table show the {face}: hang the {ornament} on a lit square."
    return Phrase(words, face=face + 1, ornament=_ornament(ornament_names(variant.file)[ornament]))


def effects(variant: Variant, before: State, after: State, seat: int) -> list[Phrase]:
    """§5 Say which values of this seat's tracks the active seat had crossed out."""
    found, box, names = [], variant.box, ornament_names(variant.file)
    active, taken = int(variant.game.rules.active_seat(box, before)), int(after["taken"] or before["taken"])
    for ornament, at in _crossed(variant, before, after, seat):
        words = "{player} took the {face}: the {value} of your track ({ornament}) is crossed out."
        value = int(box["tracks"][ornament, at])
        found.append(Phrase(words, player=Seat(active), face=taken, value=value, ornament=_ornament(names[ornament])))
    return found


def marks(variant: Variant, before: State, after: State, seat: int) -> list[str]:
    """§5 Name the crosses on this seat's tracks that a move of another seat made."""
    return [cross_name(ornament, at) for ornament, at in _crossed(variant, before, after, seat)]


def _crossed(variant: Variant, before: State, after: State, seat: int) -> list[tuple[int, int]]:
    """Return the values that were crossed out: ornament, and place on its track."""
    now, then = after["crossed"][seat].tolist(), before["crossed"][seat].tolist()
    length = variant.box["track_length"].tolist()
    return [(ornament, length[ornament] - now[ornament]) for ornament in range(FACES) if now[ornament] > then[ornament]]
