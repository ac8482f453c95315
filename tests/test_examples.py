"""Every worked example of every rulebook holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from examples import Example
from lamplighter import games

FILES = [
    pytest.param(path, id=f"{name}-{path.stem}")
    for name in games.own_names()
    for path in sorted((games.load(name).folder / "tests" / "examples").glob("*.txt"))
]


@pytest.mark.parametrize("path", FILES)
def test_example(path: Path) -> None:
    assert Example(path).run() > 0, "an example must expect something"


@pytest.mark.parametrize("path", FILES)
def test_rule_is_in_the_rules(path: Path) -> None:
    rules = (path.parents[2] / "RULES.md").read_text(encoding="utf-8")
    for rule in Example(path).head["rule"].replace(",", " ").split():
        assert f"**{rule}**" in rules


def test_every_game_has_examples() -> None:
    for name in games.own_names():
        assert any((games.load(name).folder / "tests" / "examples").glob("*.txt")), name


@pytest.mark.parametrize("line", ["total: 0: 1", "legal: 0: 3", "nonsense: 1", "allow: 0: no such move", "over: true"])
def test_a_wrong_example_fails(line: str, tmp_path: Path) -> None:
    game = games.own_names()[0]
    seats = games.load(game).seats[0]
    bad = tmp_path / "bad.txt"
    bad.write_text(f"rule: §1\nsource: none\nvariant: {game}?seats={seats}\n{line}\n", encoding="utf-8")
    with pytest.raises(Exception, match=r"."):
        Example(bad).run()
