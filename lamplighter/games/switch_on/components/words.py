"""What several parts of a component file ask of their words: names, and conditions on a card."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lamplighter.errors import shown
from lamplighter.games.switch_on.components.cards import WILD_CARDS, cards_that_meet

if TYPE_CHECKING:
    from lamplighter.engine.component_file import ComponentFile

NAME = re.compile(r"[a-z][a-z0-9-]*")


def need_name(file: ComponentFile, table: str, number: int) -> str:
    """Return the name of an entry, which no other entry of its table has."""
    name = file.need_text(table, number, "name")
    if not NAME.fullmatch(name):
        file.fail(f"{name!r} must be lower case, of letters, digits and hyphens", table, number, "name")
    if name in [file.get(table, before, "name") for before in range(number)]:
        file.fail(f"the name {name!r} stands twice", table, number, "name")
    return name


def need_condition(file: ComponentFile, *path: str | int) -> int:
    """§B2 Return the cards that meet a condition."""
    text = file.need_text(*path)
    cards = cards_that_meet(text)
    if cards is None:
        file.fail(
            f"{shown(text)} is no condition on a card: join any, wild, black, red, s, c, h, d, number, court, a rank such "
            "as 7 or ranks such as 7-10 with spaces",
            *path,
        )
    if cards == WILD_CARDS and text.split() != ["wild"]:
        file.fail(f"no card is {shown(text)}", *path)
    return cards
