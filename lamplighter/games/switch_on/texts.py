"""What people read of Switch-On: names of cards, strands and actions, and what to do now."""

from __future__ import annotations

import re

import numpy as np

from lamplighter.engine.phrase import Phrase, Seat
from lamplighter.engine.variant import State, Variant
from lamplighter.games.switch_on.components import names
from lamplighter.games.switch_on.components import numbers as at
from lamplighter.games.switch_on.components.cards import CARD_NAMES, SUIT_SIGNS
from lamplighter.games.switch_on.notation import figure_of
from lamplighter.games.switch_on.state import MAX_LEGAL, Phase

FINAL = ("stop", "pass")
WORDS = {
    "funds": "Raise funds",
    "decorate": "Install decorations",
    "cable": "Install light cable",
    "stop": "Stop",
    "pass": "Pass",
    "none": "no card",
}
STEPS = re.compile("[nesw]{2,}")
SIDES = {"n": "north", "e": "east", "s": "south", "w": "west"}
SHAPES = {
    "line": "straight strand, {n} squares",
    "corner": "corner strand, {n} squares",
    "arch": "arch, {n} squares",
    "dash": "dashed strand, {n} squares",
}
CHOSEN = {Phase.FUNDS: "raise funds", Phase.DECORATE: "install decorations", Phase.CABLE: "install light cable"}
LINES = {"decorations": "decorations", "patterns": "patterns", "cable": "light strands"}


def say(variant: Variant, text: str) -> str:
    """Return how people say a card, a strand, how it is turned, who begins, or a whole move.

    >>> from lamplighter import load
    >>> [say(load("switch_on"), text) for text in ("10h", "raise 2d 0+3", "first 0", "arch3", "funds")]
    ['10♥', '2♦: 3 cable', 'player 1 begins', 'arch, 3 squares', 'Raise funds']
    >>> [say(load("switch_on"), text) for text in ("lay 5h arch3 d3 e3 f3", "hang star 2s+3s f0", "ees")]
    ['arch, 3 squares, from d3 to f3 for 5♥', 'star on f0 for 2♠, 3♠', 'east, east, south']
    """
    if text in CARD_NAMES and text != "joker":
        return text[:-1].upper() + SUIT_SIGNS[text[-1]]
    shape = re.fullmatch("([a-z]+)([0-9]+)", text)
    if shape and shape[1] in SHAPES and text in names(variant.file, "shapes"):
        return Phrase(SHAPES[shape[1]], n=int(shape[2]))
    verb, _, rest = text.partition(" ")
    if verb in ("lay", "hang") and rest:
        return _say_drawn(variant, verb, rest.split(" "))
    if STEPS.fullmatch(text) and text not in names(variant.file, "decorations"):
        return Phrase("{steps}", steps=[SIDES[step] for step in text])
    if verb == "raise" and rest:
        return _say_raise(variant, *rest.split(" "))
    if verb == "first" and rest:
        return Phrase("{player} begins", player=Seat(rest))
    if verb == "discard" and rest:
        return Phrase("discard {card}", card=say(variant, rest))
    return WORDS.get(text, text)


def _say_drawn(variant: Variant, verb: str, words: list[str]) -> Phrase:
    """§2, §7 What is drawn, where, and which cards pay for it."""
    if verb == "hang":
        decoration, cards, square = words
        paid = [say(variant, card) for card in cards.split("+")]
        return Phrase("{decoration} on {square} for {cards}", decoration=decoration, square=square, cards=paid)
    card, shape, first, *rest = words
    values = {
        "strand": say(variant, shape),
        "first": first,
        "last": rest[-1] if rest else first,
        "card": say(variant, card),
    }
    return Phrase("{strand}, from {first} to {last} for {card}", **values)


def labels(variant: Variant) -> dict[str, tuple[str, ...]]:
    """Return cards as the hand shows them, and the letters of decorations."""
    known: dict[str, tuple[str, ...]] = {name: (say(variant, name),) for name in CARD_NAMES}
    known["joker"] = ("★",)
    for decoration in variant.file.get("decorations"):
        known[str(decoration["name"])] = (str(decoration["name"]), str(decoration["letter"]))
    return known


def _say_raise(variant: Variant, card: str, units: str) -> Phrase:
    """§F What a card is turned into."""
    money, cable = units.split("+")
    said = say(variant, card)
    if money == "0":
        return Phrase("{card}: {cable} cable", card=said, cable=cable)
    if cable == "0":
        return Phrase("{card}: {money} money", card=said, money=money)
    return Phrase("{card}: {money} money, {cable} cable", card=said, money=money, cable=cable)


def name_line(variant: Variant, state: State, line: str) -> str:
    """§N Return what people call a scoring line."""
    return LINES[line]


def instruct(variant: Variant, state: State, seat: int) -> Phrase:
    """§C, §F, §I, §L, §H Say what a seat does in this phase, who chose that, and why it may be able to do nothing."""
    phase = Phase(int(state["phase"]))
    if phase == Phase.CHOOSE:
        return Phrase("Choose what everybody does now: raise funds, install decorations or install light cable.")
    if phase == Phase.LIMIT:
        held, limit = int(state["hand_size"][seat]), figure_of(variant, at.HAND_LIMIT)
        return Phrase("You hold {held} cards and may keep {limit}: choose one to discard.", held=held, limit=limit)
    active = int(variant.game.rules.active_seat(variant.box, state))
    told = _instruct_action(variant, state, seat, phase)
    if active == seat:
        return told
    return Phrase("{player} chose to {action}. {told}", player=Seat(active), action=CHOSEN[phase], told=told)


def _instruct_action(variant: Variant, state: State, seat: int, phase: Phase) -> Phrase:
    if phase == Phase.FUNDS and not state["hand_size"][seat]:
        return Phrase("You hold no card: raise funds without one.")
    if phase == Phase.FUNDS:
        return Phrase("Choose a card to spend for funds, or none.")
    out = np.zeros(MAX_LEGAL, np.int64)
    able = variant.game.rules.legal_actions(variant.box, state, seat, out) > 1
    if phase == Phase.DECORATE:
        if able:
            return Phrase("Choose a decoration and a lit square, or press Stop.")
        if state["money"][seat] == 0:
            return Phrase("You have no Money left for decorations. Press Stop.")
        return Phrase("Your cards pay for no decoration that has a place. Press Stop.")
    if able:
        return Phrase("Choose a strand and a lit square, or press Pass.")
    if state["cable"][seat] == 0:
        return Phrase("You have no Cable left. Press Pass.")
    return Phrase("Your cards buy no strand that has a place. Press Pass.")


def question(variant: Variant, state: State, seat: int) -> Phrase:
    """§2, §7 What a strand or a decoration is paid with."""
    return Phrase("Which card do you spend?" if state["phase"] == Phase.CABLE else "Which cards do you spend?")
