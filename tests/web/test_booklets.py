"""The rules in the browser: the figures of the booklet, and what a variant does not use folded."""

from __future__ import annotations

import re

import httpx
import pytest
from serving import LocalServer

from lamplighter import games, load
from lamplighter.engine.game import Game
from lamplighter.paper import prose
from lamplighter.web.booklets import Booklet, booklet_of, choices_of


def folded(booklet: Booklet) -> list[str]:
    return [prose.plain(part.heading["spans"]) for part in booklet.parts if part.folded and part.heading]


@pytest.mark.parametrize(
    ("variant", "parts"),
    [
        ("", []),
        ("railroad?seats=3", ["4 The Challenge board", "5 Street Lamps", "6 The Power Grid"]),
        ("railroad?seats=1&edition=challenge", ["5 Street Lamps", "6 The Power Grid"]),
        ("railroad?edition=challenge&expansion=power&power_order=as-rolled", ["5 Street Lamps"]),
        ("railroad?expansion=lamps&box=mine.toml", ["4 The Challenge board", "6 The Power Grid"]),
    ],
)
def test_what_a_variant_does_not_use_is_folded(variant: str, parts: list[str]) -> None:
    assert folded(booklet_of("railroad", variant)) == parts


def test_a_box_of_ones_own_unfolds_what_is_written_for_it() -> None:
    assert folded(booklet_of("switch_on", "switch_on?seats=2")) == ["10 Another sheet"]
    assert folded(booklet_of("switch_on", "switch_on?seats=2&box=mine.toml")) == []


def test_nothing_is_lost(own_game: Game) -> None:
    """Every paragraph is there once, folded or not, with every figure of the booklet."""
    booklet = booklet_of(own_game.id)
    blocks = [block for part in booklet.parts for block in part.blocks]
    assert [block["address"] for block in blocks if block["kind"] == "rule"] == re.findall(
        r"^\*\*(§[\w.]+)\*\*", own_game.rules_text, re.MULTILINE
    )
    figures = getattr(own_game.picture, "figures", None) if own_game.has_picture else None
    wanted = [caption for caption, _ in figures(load(own_game.id))] if figures else []
    assert [block["caption"] for block in blocks if block["kind"] == "figure"] == wanted
    assert all("<svg" in block["drawn"] for block in blocks if block["kind"] == "figure")


def test_every_choice_is_a_variant(own_game: Game) -> None:
    for text in choices_of(own_game):
        assert load(text).game == own_game
    assert len(choices_of(games.load("railroad"))) == 6 and choices_of(games.load("greenways")) == {}


def test_the_page_of_a_variant(server: LocalServer) -> None:
    address = f"{server.url}/rules/railroad"
    whole = httpx.get(address).text
    assert "<details" not in whole and whole.count("<figure>") >= 3
    chosen = httpx.get(address, params={"variant": "railroad?edition=base&expansion=none"}).text
    assert chosen.count('<details class="folded">') == 3 and 'aria-current="true"' in chosen
    ids = re.findall(r' id="([^"]+)"', chosen)
    assert len(ids) == len(set(ids)), "no two places of a page have one name"
    assert httpx.get(address, params={"variant": "greenways"}).status_code == 400
    assert httpx.get(address, params={"variant": "railroad?edition=nothing"}).status_code == 400
    assert httpx.get(address, params={"variant": "x" * 500}).status_code == 400
