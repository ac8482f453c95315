"""`engine.variant`: texts that reload, and what they refuse."""

from __future__ import annotations

import pickle

import pytest
from walks import variants

import lamplighter
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant, parse_variant, split_variant
from lamplighter.errors import BadVariant


def test_texts_reload(game: Game) -> None:
    for variant in variants(game):
        if not variant.own_box:
            assert lamplighter.load(variant.text) == variant
        again = pickle.loads(pickle.dumps(variant))
        assert again == variant and hash(again) == hash(variant) and again.boxes.tobytes() == variant.boxes.tobytes()


def test_variants_differ(game: Game) -> None:
    listed = variants(game)
    assert len({variant.text + variant.box_name for variant in listed}) == len(listed)
    assert all(one != other for i, one in enumerate(listed) for other in listed[:i])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("connect_four?seats", "write option=value"),
        ("connect_four?seats=2&seats=2", "is given twice"),
        ("connect_four?seat=2", "has no option 'seat'"),
        ("connect_four?seats=3", "this game is for 2 players"),
        ("connect_four?seats=²", "this game is for 2 players"),
    ],
)
def test_wrong_texts_are_refused(text: str, said: str) -> None:
    with pytest.raises(BadVariant, match=said):
        lamplighter.load(text)


def test_room_for_actions(game: Game) -> None:
    for variant in variants(game)[:3]:
        assert variant.max_legal > 0 and variant.action_count > 0
        assert parse_variant(game, split_variant(variant.short_text)[1]).seats == variant.seats or variant.own_box
    assert isinstance(Variant(game).box, type(Variant(game).boxes[0]))
