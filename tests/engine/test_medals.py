"""`engine.medals`: what a medal needs, and files that are refused."""

from __future__ import annotations

import re

import pytest

from lamplighter import games, load
from lamplighter.engine.game import Game
from lamplighter.engine.medals import MEDALS, medals_of, parse_medals, read_medals
from lamplighter.errors import BadGame

GAME = games.load("railroad")
GOOD = '[[medals]]\nvariant = "railroad?seats=1"\nbronze = 10\nsilver = 20\ngold = 30\n'


def test_medals_belong_to_a_variant() -> None:
    found = parse_medals(GAME, GOOD + GOOD.replace("seats=1", "seats=1&edition=challenge").replace("30", "33"))
    assert found == {
        "railroad?seats=1": {"bronze": 10, "silver": 20, "gold": 30},
        "railroad?seats=1&edition=challenge": {"bronze": 10, "silver": 20, "gold": 33},
    }


def test_only_what_was_measured_has_medals(own_game: Game) -> None:
    """A game that can be played alone has medals, for all its editions and expansions; another has none."""
    choices = [option for option in own_game.options if option.kind in ("edition", "expansion")]
    texts = [f"{own_game.id}?seats={own_game.seats[0]}"]
    for option in choices:
        texts += [f"{text}&{option.name}={value}" for text in texts for value in option.values[1:]]
    for text in texts:
        assert (medals_of(load(text)) is not None) == (own_game.seats[0] == 1), text
    assert set(read_medals(own_game)) <= set(texts)
    assert medals_of(load(f"{own_game.id}?seats={own_game.seats[1]}")) is None


def test_a_box_of_ones_own_has_no_medals() -> None:
    """Other tiles, other points."""
    assert medals_of(load("greenways?seats=1")) is not None
    file = games.load("greenways").folder / "tests" / "boxes" / "rich_town.toml"
    assert medals_of(load(f"greenways?seats=1&box={file}")) is None


@pytest.mark.parametrize(
    ("old", "new", "refusal"),
    [
        ("silver = 20", "silver = 9", "line 3: silver must need more points than bronze"),
        ("gold = 30", "gold = 20", "gold more than silver"),
        ("gold = 30\n", "", "medals[0].gold is missing"),
        ("gold = 30", "gold = 3.5", "line 5: medals[0].gold must be a whole number"),
        ("seats=1", "seats=2", "line 2: medals are for variants of this game that are played alone"),
        ("railroad?", "greenways?", "line 2: medals are for variants of this game"),
        ("seats=1", "seats=1&colour=red", "railroad has no option 'colour'"),
        ("bronze", "brass", "unknown key 'brass'"),
        (GOOD, GOOD + GOOD, "line 7: railroad?seats=1 has medals already"),
        (GOOD, "", "medals is missing"),
    ],
)
def test_a_mistake_is_refused(old: str, new: str, refusal: str) -> None:
    with pytest.raises(BadGame, match=re.escape(refusal)):
        parse_medals(GAME, GOOD.replace(old, new))


def test_the_file_says_how_it_was_made(own_game: Game) -> None:
    """The command beside the numbers names every variant that has them."""
    medals = read_medals(own_game)
    if medals:
        opening = (own_game.folder / "medals.toml").read_text(encoding="utf-8").partition("[[medals]]")[0]
        assert "# lamplighter medals " + " ".join(f'"{text}"' for text in medals) in opening
        assert all(list(bands) == list(MEDALS) for bands in medals.values())
