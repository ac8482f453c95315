"""Dice, cards and tiles as pictures of their own."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree

import pytest
from serving import Person, all_at_once, is_secret, variant_where

from lamplighter import games, svg
from lamplighter.errors import LamplighterError
from lamplighter.web.faces import draw_face, pictured
from lamplighter.web.table import load_variant

NONSENSE = [
    "",
    " ",
    "nonsense",
    "first",
    "first 99",
    "goal",
    "goal zz",
    "-1",
    "0",
    "7",
    "²",
    "<script>",
    "A",
    "A99",
    "?",
    "9" * 90,
]


@pytest.mark.parametrize("name", games.own_names())
def test_what_can_come_has_a_picture(name: str) -> None:
    """All that has none has a name in words; what cannot come is refused, whatever it is."""
    position, rng = load_variant(name).start(), random.Random(1)
    variant, seen = position.variant, set()
    while not position.waiting:
        outcomes = list(position.outcomes())
        seen |= set(outcomes)
        position.roll(rng.choice(outcomes))
    drawn = pictured(variant, seen)
    assert drawn
    assert all(variant.game.texts.say(variant, text) != text for text in seen - set(drawn))
    for text in drawn:
        root = ElementTree.fromstring(draw_face(variant, text, "contrast", "en"))
        ids = {one.get("id") for one in root.iter()}
        used = {one.get("href") for one in root.iter("{http://www.w3.org/2000/svg}use")}
        assert {f"#{name}" for name in ids} >= used, "every symbol comes with its picture"
        assert root.findtext("{http://www.w3.org/2000/svg}title") == variant.game.texts.say(variant, text)
    assert len({draw_face(variant, text, "light", "en") for text in drawn}) == len(drawn), "no two look the same"
    assert pictured(variant, [text for text in NONSENSE if text not in seen]) == []
    with pytest.raises(LamplighterError, match="there is no picture of 'nonsense'"):
        draw_face(variant, "nonsense", "light", "en")


def test_a_game_without_pictures_says_it_in_words() -> None:
    assert pictured(load_variant("connect_four"), ["1"]) == []


def test_a_view_tells_which_outcomes_have_a_picture(someone: Person) -> None:
    caller = someone.lay(variant_where(all_at_once), kind="caller")
    view = caller.call()
    text = view["called"][-1]["texts"][-1]
    assert text in view["faces"]
    for theme in svg.THEMES:
        if theme in ("light", "dark", "contrast"):
            answer = caller.watcher.ask("GET", f"face.svg?text={text}&theme={theme}")
            assert answer.headers["content-type"].startswith("image/svg+xml")
            assert svg.THEMES[theme]["ink"] in answer.text
    assert caller.refused(400, "GET", "face.svg?text=nonsense")["message"].startswith("there is no picture")
    assert caller.ask("GET", f"face.svg?text={'9' * 101}").status_code == 400


def test_pictures_do_not_tell_what_was_dealt(someone: Person) -> None:
    """A card looks the same to everybody, in a hand or not; and a spectator's view names none that is hidden."""
    me = someone.lay(variant_where(is_secret), ["me", "bot:uniform"])
    mine = [entry["text"] for entry in me.view()["log"] if entry["kind"] == "chance" and entry["seat"] == 0]
    shown = me.watcher.view()["faces"]
    assert mine and not set(mine) & set(shown)
    one, other = (me.watcher.ask("GET", f"face.svg?text={text}") for text in (mine[0], mine[-1]))
    assert one.status_code == other.status_code == 200
