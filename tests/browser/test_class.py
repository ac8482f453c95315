"""A class with a teacher, by mouse, by touch and by keys: who reloads, leaves or changes the device, and the results."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

from browsing import PHONE, Visit, Visitor
from playwright.sync_api import Page, expect
from serving import Person, ServerProcess, closing, until, variant_where

from lamplighter.engine.match import Match
from lamplighter.web.tokens import new_token

OTHERS = ("Ana", "Cy", "Di", "Emil", "Finn", "Greta", "Hugo", "Ida", "Jon", "Kim")


def one_move_a_round(match: Match) -> bool:
    """A match for one, where a round is a single move."""
    played = match.copy()
    played.play(played.legal_moves()[0])
    return not played.waiting


def open_class(visit: Visit, game: str) -> tuple[Visitor, str]:
    """A teacher who comes from the home page and opens a class. Return them and the code on the wall."""
    teacher = visit()
    page = teacher.open("/")
    page.get_by_role("link", name="For teachers: open a class").click()
    if page.locator("[name=game]").input_value() != game:
        page.locator("[name=game]").select_option(game)
        page.wait_for_url(f"**/teach?game={game}")
    page.get_by_role("button", name="Open the class").click()
    page.wait_for_selector("#main[data-phase=lobby] .qr")
    return teacher, "".join(page.locator(".big-code span").all_inner_texts())


def join(child: Visitor, code: str, name: str) -> Page:
    page = child.page
    page.get_by_label("Code on the wall").fill(code.lower())
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join").click()
    return page


def card(teacher: Visitor, name: str) -> str:
    return f"#children li[data-name={name}]"


def test_a_class_of_twelve(visit: Visit, server: ServerProcess) -> None:
    variant, rng = variant_where(one_move_a_round, 1), random.Random(6)
    teacher, code = open_class(visit, variant.partition("?")[0])
    page = teacher.page
    mia, bo = visit(**PHONE), visit()
    mia.open(f"/class/{code}")
    join(mia, code, "Mia").wait_for_selector("#waiting strong")
    number = mia.page.locator("#waiting strong").inner_text()
    bo.open("/class")
    join(bo, code, "Bo").wait_for_selector("#waiting strong")
    others = [Person(server.url, token=new_token()) for _ in OTHERS]
    for child, name in zip(others, OTHERS, strict=True):
        child.post("/api/classes/join", code=code, name=name, token=child.token)
    expect(page.locator("#children li")).to_have_count(12)
    expect(page.locator("#done")).to_have_text("12 children have joined")
    page.locator("#start").click()

    for child in (mia, bo):  # the page goes to the table by itself
        child.page.wait_for_selector("#main[data-you='0'] #status.mine")
    for child in others:
        child.table = child.get("/api/classes/me", code=code)["table"]
    with closing(*(child.listen() for child in others)):
        for child in others:
            until(lambda child=child: child.view()["moves"], "the first round begins")
            child.play(rng)
        expect(page.locator("#children li.done")).to_have_count(10)
        mia.move(rng)
        expect(mia.page.locator("#status .words")).to_contain_text("Your teacher begins the next round")

        sheet = mia.page.locator("#words pre").text_content()
        mia.page.reload()
        mia.page.wait_for_selector("#main[data-you='0']")
        assert mia.page.locator("#words pre").text_content() == sheet, "who reloads finds the sheet as it was"

        bo.page.close()
        expect(page.locator(card(teacher, "Bo"))).to_have_class("bot", timeout=60_000)
        expect(page.locator("#done")).to_have_text("All are done", timeout=60_000)
        page.keyboard.press("n")
        expect(page.locator("#main")).to_have_attribute("data-round", "2")
        mia.page.wait_for_selector("#status.mine")

        phone = visit(**PHONE)
        phone.expects("409")  # the name alone is refused
        phone.open(f"/class/{code}")
        join(phone, code, "mia")
        expect(phone.page.locator("#join .problem")).to_contain_text("type your number")
        phone.page.get_by_label("Your number").fill(number)
        phone.page.get_by_role("button", name="Join").tap()
        phone.page.wait_for_selector("#main[data-you='0'] #status.mine")
        assert phone.page.locator("#words pre").text_content() == mia.page.locator("#words pre").text_content()

        look_at_one(page)
        rank_and_download(page)
    table = phone.table
    mia.expects("404")  # the seat is on the other device
    page.locator("#start").click()
    mia.page.wait_for_selector("#join:not([hidden])")
    phone.page.wait_for_url(lambda url: "/t/" in url and table not in url)
    phone.page.wait_for_selector("#main[data-you='0'] #status.mine")
    end(page)
    page.get_by_role("button", name="By improvement").click()
    rows = [row.locator("td.points").all_inner_texts() for row in page.locator("#ranking tbody tr").all()]
    better = [int(text.replace("−", "-")) for _, _, text in rows]
    assert [int(now) - int(last) for now, last, _ in rows] == better == sorted(better, reverse=True)


def look_at_one(page: Page) -> None:
    """One sheet large, by keys; and names that nobody reads on the wall."""
    page.locator("#hide-names").click()
    expect(page.locator("#children .name").first).to_have_text("Child 1")
    assert "Mia" not in page.locator("#main").inner_text()
    page.locator("#children .child").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog.project h2")).to_have_text("Child 1")
    expect(page.locator("dialog.project img")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("dialog.project h2")).to_have_text("Child 2")
    page.keyboard.press("Escape")
    expect(page.locator("dialog.project")).to_have_count(0)
    page.locator("#hide-names").click()
    expect(page.locator("#children .name").first).to_have_text("Mia")


def end(page: Page) -> None:
    page.locator("#end").click()
    page.locator("dialog.ask .primary").click()
    page.wait_for_selector("#ranking:not([hidden])")


def rank_and_download(page: Page) -> None:
    end(page)
    expect(page.locator("#ranking tbody tr")).to_have_count(12)
    expect(page.get_by_role("button", name="By improvement")).to_be_disabled()
    with page.expect_download() as loading:
        page.locator("#csv").click()
    text = Path(loading.value.path()).read_text(encoding="utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text))
    assert head[:4] == ["Match", "Place", "Name", "Points"]
    assert sorted(row[2] for row in rows) == sorted(["Mia", "Bo", *OTHERS])
    assert [row[2] for row in rows if row[6] == "yes"] == ["Bo"], "a bot played for who left"


def test_a_shared_tablet_and_a_child_who_is_not_done(visit: Visit) -> None:
    teacher, code = open_class(visit, variant_where(one_move_a_round, 1).partition("?")[0])
    tablet = visit()
    tablet.open("/class")
    join(tablet, code, "Mia").wait_for_selector("#waiting strong")
    tablet.expects("409")  # another name on the same device
    tablet.open("/class")
    join(tablet, code, "Ben").get_by_role("button", name="I am not Mia").click()
    expect(tablet.page.locator("#waiting h1")).to_contain_text("Ben")
    page = teacher.page
    page.locator("#start").click()
    tablet.page.wait_for_selector("#main[data-you='0'] #status.mine")
    expect(page.locator("#main")).to_have_attribute("data-round", "1")
    page.keyboard.press("n")
    page.get_by_role("dialog", name="Go on without them?").get_by_role("button", name="Yes").click()
    expect(page.locator("#main")).to_have_attribute("data-round", "2")
    expect(page.locator(card(teacher, "Ben"))).to_have_class("bot")
