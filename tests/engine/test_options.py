"""Options of games: of which kind they are, when they matter, and how people read their values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from typer.testing import CliRunner
from walks import random_match

from lamplighter import games
from lamplighter.cli import app
from lamplighter.engine.game import KINDS, Game, Option, Value, format_value
from lamplighter.engine.variant import Variant, parse_variant, split_variant
from lamplighter.errors import BadVariant

SEEDS = range(2)
CONDITIONAL = [name for name in games.own_names() if any(option.when for option in games.load(name).options)]


def defaults(game: Game) -> dict[str, Value]:
    return {option.name: option.default for option in game.options}


def where_idle(game: Game, option: Option) -> Iterator[dict[str, Value]]:
    """Options beside which one does not matter: all that it needs but for one thing."""
    needed = {name: values[0] for name, values in option.when.items()}
    for name, values in option.when.items():
        other = next(value for value in game.option(name).values if value not in values)
        yield defaults(game) | needed | {name: other}


def other_values(option: Option) -> list[Value]:
    """Some values that are not the default: of an option that takes words of its own one that its help names."""
    if len(option.values) > 1:
        return list(option.values[1:])
    return [option.parse(option.help.rpartition("such as ")[2].split()[0])]


def course(game: Game, options: dict[str, Value], seed: int) -> tuple[Any, ...]:
    """How a random match goes: its log, its end, and everything that may be played on the way."""
    match = random_match(Variant(game, options), seed)
    offered = [position.legal_moves(position.waiting[0]) for _, position in match.replay() if position.waiting]
    return [entry.text for entry in match.log], match.totals, offered


@pytest.mark.parametrize("name", CONDITIONAL)
def test_an_option_changes_nothing_where_it_does_not_matter(name: str) -> None:
    game = games.load(name)
    for option in game.options:
        for options in where_idle(game, option):
            value = other_values(option)[-1]
            assert not option.applies(options) and game.idle_options(options | {option.name: value}) == [option]
            for seed in SEEDS:
                assert course(game, options, seed) == course(game, options | {option.name: value}, seed), option.name


@pytest.mark.parametrize("name", CONDITIONAL)
def test_an_option_that_matters_is_noticed(name: str) -> None:
    """The check above can fail: somewhere every edition and expansion makes another match."""
    game = games.load(name)
    for option in game.options:
        if option.kind in ("edition", "expansion"):
            plain, other = defaults(game), defaults(game) | {option.name: option.values[-1]}
            assert any(course(game, plain, seed) != course(game, other, seed) for seed in SEEDS)


@pytest.mark.parametrize("name", CONDITIONAL)
def test_texts_with_an_idle_option_stay_as_they_are(name: str) -> None:
    """A record of before reads back byte for byte; a new match leaves such an option out."""
    game = games.load(name)
    option = next(option for option in game.options if option.when)
    options = next(where_idle(game, option))
    plain = Variant(game, options)
    text = f"{plain.text}&{option.name}={format_value(other_values(option)[0])}"
    variant = parse_variant(game, split_variant(text)[1])
    assert variant.text == text != plain.text
    assert variant.short_text == plain.short_text == plain.text
    assert variant.match(seed="1").text.count(f'[Variant "{text}"]') == 1


def test_every_option_has_a_kind(own_game: Game) -> None:
    assert {option.kind for option in own_game.options} <= set(KINDS)
    assert own_game.options[0].kind == "seats"


def an_odd_game(option: Option) -> Game:
    return Game("x", "X", "x", "", "", (1, 2), 1, 1, (option,))


def test_an_option_of_no_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="of no kind that there is"):
        an_odd_game(Option("a", (True, False), "", "colour"))


def test_an_option_that_waits_for_nothing_is_refused() -> None:
    with pytest.raises(BadVariant, match="has no option 'b'"):
        an_odd_game(Option("a", (True, False), "", when={"b": (True,)}))
    with pytest.raises(BadVariant, match="seats cannot be"):
        an_odd_game(Option("a", (True, False), "", when={"seats": (3,)}))


# --- on the command line --------------------------------------------------------------------------------------


def call(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, str(done.exception or "") + done.output


@pytest.mark.parametrize("name", CONDITIONAL)
def test_the_command_line_refuses_an_option_that_changes_nothing(name: str) -> None:
    game = games.load(name)
    option = next(option for option in game.options if option.when)
    setting = f"{option.name}={format_value(other_values(option)[0])}"
    code, words = call("show", name, "--option", setting)
    assert code != 0 and f"option {option.name!r} changes nothing here: it needs {option.needs}" in words
    assert call("show", f"{name}?{setting}", "--box-file")[0] == 0  # a whole variant may say so, as records do


def test_options_are_listed_by_kind(own_game: Game) -> None:
    code, words = call("show", own_game.id, "--seed", "1")
    assert code == 0
    lines = words.split("\n")
    heads = [next(i for i, line in enumerate(lines) if line.startswith(f"{kind} ")) for kind in kinds_of(own_game)]
    assert heads == sorted(heads)
    described = next(one for one in json.loads(call("games", "--json")[1]) if one["id"] == own_game.id)
    assert [one["kind"] for one in described["options"]] == [option.kind for option in own_game.options]


def kinds_of(game: Game) -> list[str]:
    return [kind for kind in KINDS if any(option.kind == kind for option in game.options)]


def test_people_read_no_names_of_options_and_values(own_game: Game) -> None:
    """Every option and every value has words: no underscores, no hyphens between letters, no `none` or `true`."""
    for option in own_game.options:
        for words in (option.called, *(option.label(value) for value in option.values)):
            assert not re.search(r"_|[a-z]-[a-z]|^(none|true|false)$", words), words
    assert own_game.options[0].called == "Seats"


def test_a_value_that_there_is_not_is_refused_with_the_title(own_game: Game) -> None:
    option = next(option for option in own_game.options if option.kind == "rule")
    with pytest.raises(BadVariant, match=re.escape(f"{option.called} (option {option.name!r}) cannot be 'nothing'")):
        option.parse("nothing")
