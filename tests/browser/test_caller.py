"""For people with paper, or with dice of their own: the screen calls, takes sheets in, or asks what was rolled."""

from __future__ import annotations

import random

from browsing import Visit, Visitor, seat_link
from playwright.sync_api import Page, expect
from serving import Person, all_at_once, variant_where


def set_up(visitor: Visitor, variant: str) -> Page:
    page = visitor.go(f"/new/{variant.partition('?')[0]}")
    page.get_by_label("Your name").fill("Ana")
    expect(page.get_by_label("Seat 1")).to_be_visible()
    return page


def call_everything(page: Page) -> list[str]:
    """Press the button until it says that this was the last one; all calls."""
    roll, calls, last = (
        page.locator("#call:enabled"),
        page.locator("#calls li"),
        page.get_by_text("That was the last one"),
    )
    expect(roll).to_be_visible()
    expect(page.locator("#turn")).to_have_text("")
    while roll.count():
        called = calls.count()
        roll.click()
        expect(calls).to_have_count(called + 1)
        expect(page.locator("#now .thrown").first).to_be_visible()
        turn = calls.first.get_attribute("value")
        expect(page.locator("#turn")).to_have_text("" if turn == "0" else f"turn {turn}")
        expect(roll.or_(last)).to_be_visible()  # not while bots think
    return calls.all_inner_texts()


def test_a_caller_and_its_sheets(visit: Visit, someone: Person) -> None:
    """All rolls are called; then the sheets are tapped in, and count."""
    visitor, rng = visit(), random.Random(31)
    page = set_up(visitor, variant_where(all_at_once))
    page.get_by_role("button", name="Call for paper sheets").click()
    texts = call_everything(page)
    assert len(texts) > 3
    assert len(set(texts)) > 1
    names = page.locator("#enter input")
    seats = names.count()
    for number in range(seats):
        names.nth(number).fill(f"Paper {number + 1}")
    page.locator("#enter").get_by_role("button", name="Enter the sheets").click()
    page.wait_for_selector("#main[data-seq]")
    visitor.play_on(rng)
    view = Person(someone.url, visitor.table).view()
    assert [seat["name"] for seat in view["seats"]] == [f"Paper {number + 1}" for number in range(seats)]
    totals = [int(text) for text in page.locator("#over tfoot td").all_inner_texts()]
    assert totals == [seat["total"] for seat in view["seats"]]
    steps = Person(someone.url, visitor.table).get("replay")["steps"]
    assert len({step["turn"] for step in steps if step["kind"] == "chance"}) == len(texts)


def test_dice_are_typed_in(visit: Visit, someone: Person) -> None:
    """By buttons and as a line of text; what was given is what counts."""
    visitor, rng = visit(), random.Random(32)
    page = set_up(visitor, variant_where(all_at_once))
    page.get_by_label("We have real ones and type them in").check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#main[data-seq]")
    given = []
    while visitor.wanted() == "dice":
        button = page.locator("#dice-due .outcomes button").first
        given.append(button.inner_text())
        seq = page.locator("#main").get_attribute("data-seq") or ""
        page.get_by_label("Type it; several with commas between").fill(
            page.locator("#outcomes option").first.get_attribute("value") or ""
        )
        page.keyboard.press("Enter")
        expect(page.locator("#main")).not_to_have_attribute("data-seq", seq)
    page.locator("#log summary").click()
    expect(page.locator("#log li.chance").first).to_contain_text(given[-1])
    while page.locator("#turn").inner_text() == "turn 1":
        visitor.step(rng)
    assert visitor.wanted() in ("dice", "move")


def test_a_die_that_was_typed_wrongly_is_taken_back(visit: Visit, someone: Person) -> None:
    host, visitor = someone.lay(variant_where(all_at_once), ["me", "me"], rolls="typed"), visit()
    page = visitor.sit(seat_link(host))
    outcomes, wrong = (
        page.locator("#dice-due .outcomes button"),
        page.get_by_role("button", name="The last one was wrong"),
    )
    expect(wrong).to_have_count(0)
    before = outcomes.all_inner_texts()
    outcomes.first.click()
    wrong.click()
    expect(wrong).to_have_count(0)
    assert outcomes.all_inner_texts() == before
