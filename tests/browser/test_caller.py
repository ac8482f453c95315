"""For people with paper, or with dice of their own: the screen calls, takes sheets in, or asks what was rolled."""

from __future__ import annotations

import random
from urllib.parse import urlsplit

import pytest
from browsing import PHONE, Visit, Visitor, number_in, seat_link, written
from playwright.sync_api import Page, expect
from serving import Person, all_at_once, until, variant_where


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
        before = calls.count()
        roll.click()
        expect(calls).to_have_count(before + 1)
        expect(page.locator("#now .thrown").first).to_be_visible()
        turn = calls.first.get_attribute("value")
        expect(page.locator("#turn")).to_have_text("" if turn == "0" else f"turn {turn}")
        expect(roll.or_(last)).to_be_visible()  # not while bots think
    named = "(items) => items.map((item) => [...item.children].map((one) => one.alt || one.textContent).join(' · '))"
    called: list[str] = calls.evaluate_all(named)
    return called


@pytest.mark.thorough
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
    for _ in range(6):
        visitor.step(rng)
    address, table = page.url, visitor.table
    visitor.go("about:blank")  # the rest is quicker without a browser
    view = Person(someone.url, table, urlsplit(address).fragment.partition("=")[2]).play_on(rng)
    expect(visitor.sit(address).locator("#over h2")).to_be_visible()
    assert [seat["name"] for seat in view["seats"]] == [f"Paper {number + 1}" for number in range(seats)]
    totals = [number_in(text) for text in page.locator("#over tfoot td").all_inner_texts()]
    assert totals == [seat["total"] for seat in view["seats"]]
    steps = Person(someone.url, table).get("replay")["steps"]
    assert len({step["turn"] for step in steps if step["kind"] == "chance"}) == len(texts)


def test_a_room_can_read_the_dice(visit: Visit, someone: Person) -> None:
    """Pictures a fifth of the screen high, each with its name, and small ones of what was called before."""
    caller = someone.lay(variant_where(all_at_once), kind="caller")
    texts = caller.call()["called"][-1]["texts"]
    visitor = visit()
    page = visitor.go(seat_link(caller))
    dice = page.locator("#now .thrown.drawn")
    expect(dice).to_have_count(len(texts))
    page.wait_for_function("() => [...document.images].every((one) => one.complete && one.naturalWidth > 0)")
    high = page.evaluate("() => innerHeight / 5")
    for die in dice.all():
        assert die.locator("img").evaluate("(one) => one.getBoundingClientRect().height") >= high
        assert die.inner_text().strip()
    assert page.locator("#calls img").count() == len(texts)
    assert all(one.get_attribute("alt") for one in page.locator("#calls img").all())
    page.locator("#shown summary").click()
    expect(page.locator("#picture img")).to_be_visible()
    page.locator("#call:enabled").click()
    expect(page.locator("#calls li")).to_have_count(2)


def test_everybody_enters_their_own_sheet_and_checks_the_points(visit: Visit, someone: Person) -> None:
    """The host shows a code; two phones take a seat each and enter their sheets; their points are checked line by line."""
    caller, rng = someone.lay(variant_where(all_at_once), kind="caller"), random.Random(34)
    while caller.view()["phase"] != "over":
        caller.ask("POST", "call", caller.dice())
    host = visit().go(seat_link(caller))
    host.get_by_role("button", name="Show the code").click()
    expect(host.locator("#code img.qr")).to_be_visible()
    link = host.get_by_label("Enter your sheet", exact=True).input_value()
    assert "#" not in link, "it opens no seat by itself"
    stranger = visit().go(f"/t/{caller.table}/caller")
    expect(stranger.locator("#now .thrown").first).to_be_visible()
    expect(stranger.locator("#phones")).to_be_hidden()

    phones, people = [visit(), visit()], []
    for name, phone in zip(("Ana", "Bo"), phones, strict=True):
        page = phone.go(link.removeprefix(someone.url))
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Take a seat").click()
        page.wait_for_function("() => location.hash.startsWith('#seat=')")
        people.append(Person(someone.url, phone.table, page.url.partition("#seat=")[2]))
    phones[0].step(rng)  # by hand; the rest is quicker without a browser
    pages = [phone.page.url for phone in phones]
    for phone in phones:
        phone.go("about:blank")
    while people[0].view()["phase"] != "over":
        for person in people:
            while person.view()["moves"]:
                person.play()
    page = phones[1].sit(pages[1])
    page.get_by_role("link", name="Check the points on paper").click()
    page.wait_for_url("**/check#seat=*")
    seat = people[1].view()["seats"][1]
    lines = [line for line in seat["lines"] if line["title"]]
    expect(page.get_by_label("Whose sheet?")).to_have_value("1")
    boxes = page.locator("#boxes li")
    expect(boxes).to_have_count(len(lines) + 1)
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#verdict")).to_have_text("Nothing was typed yet.")
    for line in lines:
        boxes.get_by_label(line["title"], exact=True).fill(str(line["points"]))
    page.get_by_label("Total", exact=True).fill(str(seat["total"]))
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text("All boxes that you typed agree.")
    wrong = max(lines, key=lambda line: abs(line["points"]))
    page.get_by_label(wrong["title"], exact=True).fill(str(wrong["points"] + 1))
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text("1 box differs.")
    why = people[1].get(f"lines/{wrong['name']}", seat=1)["sentence"]
    answer = page.locator("#boxes li.differs .answer")
    expect(answer).to_contain_text(f"We count {written(wrong['points'])} point")
    expect(answer).to_contain_text(why)


def test_dice_are_tapped_on_their_pictures(visit: Visit, someone: Person) -> None:
    """Every face has a picture and a name that stays inside its button, on a phone too."""
    for options in ({}, PHONE):
        host, visitor = someone.lay(variant_where(all_at_once), ["me", "me"], rolls="typed"), visit(**options)
        page = visitor.sit(seat_link(host))
        due = host.view()["due"]
        faces = page.locator("#dice-due .outcome")
        expect(faces).to_have_count(len(due))
        for face in faces.all():
            expect(face.locator("img")).to_be_visible()
            outside = "(one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1"
            assert not face.evaluate(outside), face.inner_text()
        faces.nth(1).click()
        until(lambda host=host, text=due[1]: host.view()["log"][-1]["text"] == text, "it was typed in")


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
        page.get_by_label("Type it. Separate several with commas.").fill(
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
