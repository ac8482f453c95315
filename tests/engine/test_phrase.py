"""`engine.phrase`: sentences in several languages."""

from __future__ import annotations

import copy
import pickle

import pytest

from lamplighter import svg
from lamplighter.engine.game import Game
from lamplighter.engine.phrase import Phrase, messages_of, translate, translate_sheet

GERMAN = {
    "{name} chose {what}.": "Gewählt von {name}: {what}.",
    "rail curve": "Schienenkurve",
    "round # of #": "Runde # von #",
    "a & b": "c & d",
    "exits": "jeder Ausgang zusammen",
}


def test_a_phrase_is_a_text_that_can_be_said_in_another_language() -> None:
    phrase = Phrase("{name} chose {what}.", name="Ana", what=["rail curve", "pass"])
    assert phrase == "Ana chose rail curve, pass."
    assert translate(phrase, GERMAN) == "Gewählt von Ana: Schienenkurve, pass."
    assert translate(Phrase("{n} points", n=3), {}) == "3 points"
    assert Phrase("no {braces} are read without values") == "no {braces} are read without values"


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda phrase: pickle.loads(pickle.dumps(phrase))])
def test_a_copy_can_still_be_said_in_another_language(again) -> None:  # type: ignore[no-untyped-def]
    phrase = again(Phrase("{name} chose {what}.", name="Bo", what="rail curve"))
    assert translate(phrase, GERMAN) == "Gewählt von Bo: Schienenkurve."


def test_numbers_keep_their_places() -> None:
    assert translate("round 3 of 17", GERMAN) == "Runde 3 von 17"
    assert translate("round 3", GERMAN) == "round 3"


def test_words_of_a_sheet_are_translated_and_fit() -> None:
    drawn = '<svg><text x="1" class="ts small">exits</text><text x="2">a &amp; b</text><text x="3">left</text></svg>'
    said = translate_sheet(drawn, GERMAN)
    assert '<text x="2">c &amp; d</text><text x="3">left</text>' in said
    assert 'class="ts small" textLength="' in said and ">jeder Ausgang zusammen</text>" in said
    assert translate_sheet(drawn, {}) is drawn


def test_a_paragraph_is_translated_as_a_whole_and_keeps_its_room() -> None:
    """Lines that are broken in English are broken anew; what needs more of them is drawn closer."""
    drawn = str(svg.paragraph(4, 20, "Funds: a card or none, as you like", 16, 3, "ts small head"))
    assert drawn.count("<text") == 3 and ">Funds</tspan>" in drawn and "textLength" not in drawn
    said = translate_sheet(f"<svg>{drawn}</svg>", {"Funds: a card or none, as you like": "Geld: " + "eine Karte " * 6})
    assert said.count("<text") == 3 and ">Geld</tspan>" in said and "textLength" in said
    assert translate_sheet(drawn, {"other": "words"}) == drawn


def test_a_game_without_a_language_is_said_in_english(own_game: Game) -> None:
    assert messages_of(own_game, "en") == {} == messages_of(own_game, "tlh")
