"""The rules in the browser: where they come from is shown on demand, and what a match does not use is folded."""

from __future__ import annotations

from browsing import Visit, seat_link
from playwright.sync_api import expect
from serving import Person


def test_marks_are_behind_a_switch(visit: Visit) -> None:
    page = visit().open("/rules/railroad")
    marks, legend = page.locator(".booklet .rule .mark"), page.get_by_text("Where the rules come from")
    rulings = page.locator(".booklet .rule .rulings")
    assert "(R" in (rulings.first.text_content() or "")
    for part in (marks.first, rulings.first, legend):
        expect(part).to_be_hidden()
    page.get_by_label("Show where each rule comes from").check()
    for part in (marks.first, rulings.first, legend):
        expect(part).to_be_visible()


def test_the_rules_beside_a_sheet_are_those_of_its_variant(visit: Visit, someone: Person) -> None:
    """A part that the match does not use is folded, and a link into it unfolds it."""
    visitor = visit()
    page = visitor.sit(seat_link(someone.lay("railroad?seats=1&expansion=lamps", name="Ana")))
    page.get_by_role("button", name="Rules", exact=True).click()
    parts = page.locator("#rules details.folded")
    expect(parts).to_have_count(2)
    expect(page.locator("#rules [id='p5.1']")).to_be_visible()
    expect(page.locator("#rules [id='p6.1']")).to_be_hidden()
    page.locator("#rules a[href='#p6.1']").first.click()
    expect(page.locator("#rules [id='p6.1']")).to_be_visible()
