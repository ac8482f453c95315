"""`engine.game`: options, modules and what a folder may leave out. Values and conditions are in tests/test_options.py."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lamplighter import games
from lamplighter.engine.game import Game, Option, format_value
from lamplighter.errors import BadVariant, LamplighterError


def test_a_value_is_read_as_it_is_written(game: Game) -> None:
    for option in game.options:
        for value in option.values:
            assert option.parse(format_value(value)) == value
        with pytest.raises(BadVariant):
            option.parse("no such value")
        assert game.option(option.name) is option
    with pytest.raises(BadVariant, match="has no option 'seat'"):
        game.option("seat")


def test_seats_are_always_an_option(game: Game) -> None:
    seats = game.options[0]
    assert seats.name == "seats" and seats.default == game.default_seats
    assert sorted(map(int, seats.values)) == list(range(game.seats[0], game.seats[1] + 1))


def test_modules_are_the_same_each_time(game: Game) -> None:
    assert game.module("rules") is game.rules
    assert game.has("rules") and not game.has("nothing_of_the_kind")
    assert game.folder.is_dir() and game.rules_text.startswith("# ")


def test_a_game_without_a_picture_says_so() -> None:
    plain = [games.load(name) for name in games.names() if not games.load(name).has_picture]
    for game in plain:
        with pytest.raises(LamplighterError, match="has no drawn sheet"):
            game.picture  # noqa: B018
    assert all(game.has_picture for game in map(games.load, games.own_names()))


def test_listing_the_games_imports_neither_numpy_nor_numba() -> None:
    program = (
        "import sys; from lamplighter import games; [games.load(name) for name in games.names()]; "
        "print([name for name in ('numpy', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_option_has_its_default_first() -> None:
    assert Option("size", (3, 4), "how large", kind="rule").default == 3
