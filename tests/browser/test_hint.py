"""Hints at the table: asked for, seen on the sheet, and played; by keys at a desk, by touch on a phone."""

from __future__ import annotations

import random

import pytest
from browsing import Visit, Visitor, seat_link
from playwright.sync_api import Page, expect
from serving import Person, all_at_once, variant_where

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1440, "height": 900}}


def ask_by_key(page: Page) -> None:
    page.keyboard.press("h")


def ask_by_touch(page: Page) -> None:
    page.locator("#hint").tap()


@pytest.mark.parametrize(("size", "ask", "lang"), [(DESK, ask_by_key, "en"), (PHONE, ask_by_touch, "de")])
def test_a_hint_is_seen_and_played(
    visit: Visit, someone: Person, size: dict[str, object], ask: object, lang: str
) -> None:
    person = someone.lay(variant_where(all_at_once), ["me", "me"], names=["Ana", "Bo"])
    visitor = visit(locale=lang, **size)
    page = visitor.sit(seat_link(person))
    with page.expect_response(lambda answer: answer.url.endswith("/hint")) as told:
        ask(page)  # type: ignore[operator]
    hints = page.locator("#hints ol button")
    expect(hints.first).to_be_focused()
    expect(page.locator("#paper .numbers text").first).to_be_visible()
    wanted = told.value.json()["moves"]
    assert hints.count() == len(wanted)
    for row in (box for one in hints.all() if (box := one.bounding_box())):
        assert row["height"] >= 44 and row["x"] >= 0 and row["x"] + row["width"] <= size["viewport"]["width"]  # type: ignore[index]
    if ask is ask_by_key:
        page.keyboard.press("1")
    else:
        hints.first.tap()
    expect(hints.first).to_have_attribute("aria-pressed", "true")
    ghost = page.locator("#paper .ghost")
    expect(ghost).to_have_count(1)
    expect(page.locator("#live")).to_contain_text("Press again" if lang == "en" else "Drücke")
    before, version = visitor.moment(), person.view()["version"]
    assert version == person.view()["version"], "nothing is played before it is placed"
    if ask is ask_by_key:
        page.keyboard.press("Enter")
    else:
        page.locator("#paper .spot.held").tap()
    visitor.await_change(before)
    moves = [entry for entry in person.view()["log"] if entry["kind"] == "move"]
    assert moves[-1]["text"] == wanted[0]["move"]
    expect(page.locator("#hints")).to_be_hidden()
    expect(page.locator("#paper .numbers")).to_have_count(0)


def test_the_end_says_who_used_hints(visit: Visit, someone: Person) -> None:
    person = someone.lay("connect_four", ["me", "me"], names=["Ana", "Bo"])
    person.post("hint", seat=0)
    person.play_on(random.Random(1))
    page = visit().sit(seat_link(person))
    expect(page.locator("#over .hinted")).to_have_text("With hints: Ana")
    page.goto(f"/t/{person.table}/replay")
    expect(page.locator("#sheets figcaption .hinted")).to_have_text("with hints")


def test_hints_can_be_switched_off(visit: Visit) -> None:
    visitor: Visitor = visit()
    page = visitor.open("/new/connect_four")
    page.get_by_label("Your name").fill("Ana")
    page.get_by_label("Players may ask for hints").uncheck()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#main[data-seq]")
    expect(page.locator("#undo")).to_be_visible()
    expect(page.locator("#hint")).to_be_hidden()
