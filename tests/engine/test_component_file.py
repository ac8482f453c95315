"""`engine.component_file`: values of the asked kind, or the line and the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lamplighter.engine.component_file import ComponentFile
from lamplighter.errors import BadBox

TEXT = """size = 3
open = true
name = "small"
points = [0, 4,
  9]

[dice]
red = ["a", "b"]
"""


def test_values_are_handed_out() -> None:
    file = ComponentFile(TEXT, "mine.toml")
    assert file.need_int(1, 5, "size") == 3
    assert file.need_bool("open") is True
    assert file.need_text("name") == "small"
    assert file.need_choice(["small", "large"], "name") == "small"
    assert file.need_list(3, 3, "points") == [0, 4, 9]
    assert file.need_int(0, 9, "points", 2) == 9
    assert file.need_table("dice") == {"red": ["a", "b"]}
    assert file.get("dice", "red", 1) == "b"


@pytest.mark.parametrize(
    ("ask", "line", "said"),
    [
        (lambda file: file.need_int(4, 5, "size"), 1, "size"),
        (lambda file: file.need_int(0, 5, "open"), 2, "open"),
        (lambda file: file.need_bool("size"), 1, "size"),
        (lambda file: file.need_text("size"), 1, "size"),
        (lambda file: file.need_choice(["large"], "name"), 3, "small"),
        (lambda file: file.need_int(0, 5, "points", 2), 5, "points"),
        (lambda file: file.need_list(4, 9, "points"), 4, "points"),
        (lambda file: file.need_keys(["size", "open", "name", "points", "dice", "cards"]), 0, "cards"),
        (lambda file: file.need_keys(["size", "open", "name", "points"]), 7, "dice"),
        (lambda file: file.fail("no red dice", "dice", "red", 0), 8, "no red dice"),
    ],
)
def test_a_wrong_value_is_refused_with_its_line(ask: Callable[[ComponentFile], Any], line: int, said: str) -> None:
    with pytest.raises(BadBox) as refused:
        ask(ComponentFile(TEXT, "mine.toml"))
    assert refused.value.line == line and said in str(refused.value)
    assert str(refused.value).startswith("mine.toml")


def test_what_is_not_toml_is_refused_with_its_line() -> None:
    with pytest.raises(BadBox) as refused:
        ComponentFile("size = 3\nopen = yes\n")
    assert refused.value.line == 2 and "not TOML" in str(refused.value)
