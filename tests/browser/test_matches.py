"""Whole matches: by clicks, by keys, and on a phone."""

from __future__ import annotations

import random
from dataclasses import replace

from browsing import Visit, Visitor
from playwright.sync_api import expect
from serving import Person

from lamplighter.engine.game import Game


def totals_shown(visitor: Visitor) -> list[int]:
    """The last line of the comparison at the end."""
    return [int(text) for text in visitor.page.locator("#over tfoot td").all_inner_texts()]


def test_a_match_by_clicks(game: Game, visit: Visit, someone: Person) -> None:
    """From the shelf to the final scores, against a bot."""
    visitor = visit()
    page = visitor.go("/")
    page.get_by_role("button", name=f"Play {game.title}").click()
    page.wait_for_selector("#main[data-seq]")
    visitor.play_on(random.Random(game.id))
    view = replace(someone, table=visitor.table).view()
    assert view["phase"] == "over"
    assert totals_shown(visitor) == [seat["total"] for seat in view["seats"]]
    best = max(seat["total"] for seat in view["seats"])
    expect(page.locator("#over h2")).to_contain_text(str(best))
