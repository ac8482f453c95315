"""The names that `import lamplighter` gives to programs."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import lamplighter
from lamplighter.errors import BadVariant, LamplighterError


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    assert len(set(lamplighter.__all__)) == len(lamplighter.__all__)
    for name in lamplighter.__all__:
        thing = getattr(lamplighter, name)
        assert inspect.getdoc(thing) or issubclass(thing, LamplighterError), name
    assert sorted(lamplighter.__all__) == lamplighter.__all__
    with pytest.raises(AttributeError, match="no attribute 'Batches'"):
        _ = lamplighter.Batches


def test_classes_are_those_that_the_functions_return() -> None:
    variant = lamplighter.load("connect_four")
    assert isinstance(variant, lamplighter.Variant) and isinstance(variant.start(), lamplighter.Position)
    assert isinstance(variant.match(), lamplighter.Match) and len(lamplighter.Batch(variant, 3)) == 3


def test_importing_stays_cheap() -> None:
    code = "import lamplighter, sys; bad = {'numpy', 'numba'} & set(sys.modules); assert not bad, bad"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_options_may_be_keywords() -> None:
    text = "railroad?seats=2&edition=challenge&expansion=power"
    assert lamplighter.load("railroad", seats=2, edition="challenge", expansion="power") == lamplighter.load(text)
    assert lamplighter.load("railroad?seats=2", edition="challenge").text == "railroad?seats=2&edition=challenge"


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("railroad?seats=2", {"seats": 3}, "seats: said twice, in the text 'railroad.seats=2' and as a keyword"),
        ("railroad", {"seats": 99}, "seats"),
        ("railroad", {"colour": "red"}, "railroad has no option 'colour'"),
        (7, {}, "a game is loaded by a text, such as 'game.seats=2', not by 7"),
    ],
)
def test_what_cannot_be_loaded(text: str, options: dict[str, str | int], reason: str) -> None:
    with pytest.raises(BadVariant, match=reason):
        lamplighter.load(text, **options)
