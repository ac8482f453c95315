"""Ids of tables, and tokens of seats."""

from __future__ import annotations

from lamplighter.web.tokens import new_table_id


def test_the_name_of_a_table_is_never_like_an_option() -> None:
    assert not [name for name in (new_table_id() for _ in range(2000)) if name.startswith("-")]
