"""What people read of Switch-On."""

from __future__ import annotations

import random

import pytest

from lamplighter import load
from lamplighter.engine.labels import Labels
from lamplighter.engine.phrase import Phrase


def test_every_phase_says_what_to_do_and_who_chose_it() -> None:
    """A match by chance comes through all phases; who did not choose is told who did."""
    variant, rng = load("switch_on"), random.Random(3)
    match, seen = variant.match(seed="5"), set()
    while not match.is_over:
        if not match.waiting:
            match.roll()
            continue
        seat = match.waiting[0]
        said = match.position.instruct(seat)
        assert isinstance(said, Phrase)
        seen.add(said.with_names(["Ana", "Bo"]))
        able = len(match.legal_moves(seat)) > 1
        assert able != said.endswith(
            ("left. Press Pass.", "decorations. Press Stop.", "a place. Press Stop.", "a place. Press Pass.")
        )
        match.play(rng.choice(match.legal_moves(seat)), seat)
    assert {
        "Choose what everybody does now: raise funds, install decorations or install light cable.",
        "Choose a card to spend for funds, or none.",
        "Ana chose to raise funds. Choose a card to spend for funds, or none.",
        "Bo chose to install decorations. Choose a decoration and a lit square, or press Stop.",
        "Ana chose to install light cable. Choose a strand and a lit square, or press Pass.",
        "You have no Cable left. Press Pass.",
        "You have no Money left for decorations. Press Stop.",
        "You hold 9 cards and may keep 8: choose one to discard.",
    } <= seen


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("arch3", "arch, 3 squares"),
        ("line4", "straight strand, 4 squares"),
        ("arch9", "arch9"),
        ("raise kd 2+3", "K♦: 2 money, 3 cable"),
        ("raise none 0+1", "no card: 1 cable"),
        ("discard 5c", "discard 5♣"),
        ("stop", "Stop"),
        ("first 1", "player 2 begins"),
    ],
)
def test_names(text: str, said: str) -> None:
    variant = load("switch_on")
    assert variant.game.texts.say(variant, text) == said


def test_the_line_and_the_action_of_the_same_word_have_names_of_their_own() -> None:
    variant = load("switch_on")
    assert variant.game.texts.name_line(variant, variant.start().state, "cable") == "light strands"
    assert variant.game.texts.say(variant, "cable") == "Install light cable"


def test_cards_are_typed_with_their_suits_and_decorations_with_their_letters() -> None:
    match = load("switch_on?seats=2").match(seed="7")
    match.roll()
    match.play("cable")
    labels, seat = Labels(match.variant), match.waiting[0]
    card = next(move.split(" ")[1] for move in match.legal_moves(seat) if move.startswith("lay"))
    sign = labels.show(card)
    assert sign[-1] in "♠♣♥♦"
    found = labels.find(f"lay {sign}", match.legal_moves(seat))
    assert found and all(move.startswith(f"lay {card} ") for move in found)
    assert labels.read(match.position, seat, f"hang S {sign}+★ f0").startswith("hang star ")
    assert labels.show("hang star 10h+joker f0") == "hang star 10♥+★ f0"
