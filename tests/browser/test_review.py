"""The review on the replay page: begun, found again after a reload, and a better move shown; speed and one player's moves."""

from __future__ import annotations

import random

import pytest
from browsing import Visit
from playwright.sync_api import expect
from serving import Person, all_at_once, variant_where


@pytest.mark.thorough
def test_a_better_move_is_shown(visit: Visit, someone: Person) -> None:
    """At a desk the review is begun and the page loaded again; then a phone finds it done, in another language."""
    person = someone.lay(variant_where(all_at_once), name="Ana")
    person.play_on(random.Random(4))
    page = visit(viewport={"width": 1440, "height": 900}).go(f"/t/{person.table}/replay#seat={person.token}")
    page.get_by_role("button", name="Review this match").click()
    expect(page.locator("#review progress")).to_be_visible()
    page.reload()
    expect(page.locator("#review .grades").first).to_be_visible(timeout=90_000)
    found = person.get("review")["review"]
    graded = page.locator("#review details .graded")
    assert graded.count() == len(found["moves"]) > 0
    worst = max(found["moves"], key=lambda move: float(move["lost"]))
    assert worst["best"] != worst["move"], "whoever plays at random gives something away"
    page.locator(f"#review details .graded[data-entry='{worst['entry']}']").press("Enter")
    better = page.locator("#better")
    expect(better.locator("h3")).to_be_focused()
    expect(better.locator("figure")).to_have_count(2)
    for kind, move in (("best", worst["best"]), ("move", worst["move"])):
        expect(better.locator(f"figure.{kind} figcaption")).to_contain_text(found["words"][move])
    expect(page.get_by_label("Moment of the match")).to_have_value(str(worst["entry"]))
    phone = visit(locale="de", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = phone.go(f"/t/{person.table}/replay")
    page.locator(f"#review details .graded[data-entry='{worst['entry']}']").tap()
    expect(page.locator("#better figure.best .targets [data-move]")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Schließen", exact=True).first.tap()
    expect(page.locator("#better")).to_be_hidden()


def test_speed_and_one_player(visit: Visit, someone: Person) -> None:
    person = someone.lay(variant_where(all_at_once), ["me", "me"], names=["Ana", "Bo"])
    person.play_on(random.Random(21))
    page = visit().go(f"/t/{person.table}/replay")
    steps, slider = person.get("replay")["steps"], page.get_by_label("Moment of the match")
    expect(slider).to_have_value(str(len(steps)))
    page.get_by_label("Player", exact=True).select_option("Bo")
    expect(page.locator("#sheets figure:visible")).to_have_count(1)
    slider.fill("0")
    of_bo = [number for number, step in enumerate(steps, 1) if step["seat"] in (None, 1)]
    for at in of_bo[:8]:
        page.get_by_role("button", name="One step on").click()
        expect(slider).to_have_value(str(at))
    page.get_by_label("Speed", exact=True).select_option("4×")
    page.reload()
    expect(page.get_by_label("Speed", exact=True)).to_have_value("4")
