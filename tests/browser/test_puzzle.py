"""A puzzle in the browser: it can be tried and taken back, one answer counts, and then all ends can be seen."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from browsing import PHONE, Visit, faults, written
from playwright.sync_api import Locator, Page, expect
from serving import HTTP, ServerProcess, until

from lamplighter.web.service import today

GAME = "last_minute"
DAY = (date.fromisoformat(today()) - timedelta(1)).isoformat()


@pytest.fixture(scope="module")
def told(server: ServerProcess) -> dict[str, Any]:
    """What is told to somebody who has answered: made by the server, as on any day."""
    api = f"{server.url}/api/puzzle/{GAME}/{DAY}"

    def show() -> dict[str, Any]:
        found: dict[str, Any] = HTTP.post(api, json={}).json()
        return found

    until(lambda: show()["state"] == "ready", "the puzzle is made")
    answer = HTTP.post(f"{api}/answer", json={"moves": [show()["view"]["moves"][0]]}).json()
    assert all(len(line) == 1 for line in answer["solutions"]), "one move each"
    return {**answer, "words": show()["view"]["words"]}


def lay(page: Page, move: str, by: str) -> None:
    """Take a die and its ornament on the sheet or beside it, and lay it: with a mouse, a finger or keys."""
    *source, cell = move.split(" ")
    for name in (source[0], " ".join(source)):
        offers = page.locator(f'#tray [data-source="{name}"], #paper .source[data-source="{name}"]')
        if page.locator("#main").get_attribute("data-chosen") != " ".join(source) and offers.count():
            press(offers.first, by)
    spot = page.locator(f'#paper .spot[data-cell="{cell}"]')
    if by == "tap":
        spot.tap()
        expect(page.locator("#paper .ghost")).to_be_attached()
    press(spot, by)


def press(what: Locator, by: str) -> None:
    expect(what).to_be_visible()  # a key would go elsewhere
    if by == "key":
        what.focus()
        what.press("Enter")
    elif by == "tap":
        what.tap()
    else:
        what.click()


def answer(page: Page, by: str) -> None:
    press(page.locator("#answer"), by)
    press(page.get_by_role("dialog").get_by_role("button", name="This is my answer"), by)
    expect(page.locator("#main[data-answered='true']")).to_be_attached()


def test_a_wrong_answer_with_a_mouse(visit: Visit, told: dict[str, Any]) -> None:
    """It is tried, taken back and tried again; the answer is told, and stays when the page is opened again."""
    visitor, worst = visit(), told["worths"][-1]
    page = visitor.open(f"/puzzle/{GAME}/{DAY}")
    expect(page.locator("#say")).to_contain_text("Best possible: ? points. Find it.")
    expect(page.locator("#ends")).to_be_hidden()
    lay(page, told["solutions"][0][0], "click")
    expect(page.locator("#say")).to_contain_text(f"This makes {written(told['best'])} points.")
    page.locator("#undo").click()
    expect(page.locator("#main[data-moves='0']")).to_be_attached()
    lay(page, worst["line"][0], "click")
    answer(page, "click")
    expect(page.locator("#say")).to_have_text(
        f"Your answer makes {written(worst['total'])} points. The best possible is {written(told['best'])}."
    )
    expect(page.locator("#say")).to_be_focused()
    expect(page.locator("#ends li")).to_have_count(len(told["solutions"]) + len(told["worths"]) - 1)
    page.locator("#ends button.best").first.click()
    expect(page.locator("#shown")).to_contain_text(f"On the sheet: {written(told['best'])} points.")
    expect(page.locator("#see-best")).to_have_attribute("aria-pressed", "true")
    page.locator("#ends li button").last.click()
    expect(page.locator("#shown")).to_contain_text(f"On the sheet: {written(worst['total'])} points.")
    page = visitor.open(f"/puzzle/{GAME}/{DAY}")
    expect(page.locator("#say")).to_contain_text(f"The best possible is {written(told['best'])}.")
    visitor.context.clear_cookies()
    page = visitor.open(f"/puzzle/{GAME}/{DAY}")
    expect(page.locator("#main[data-answered='true']")).to_be_attached()
    expect(page.locator("#say")).to_contain_text(f"Your answer makes {written(worst['total'])} points.")
    page = visitor.open("/you")
    expect(page.locator("#puzzles strong")).to_have_text(["0", "1", "0", "0"])
    assert not visitor.problems


@pytest.mark.parametrize(("by", "options"), [("tap", PHONE), ("key", {})])
def test_a_right_answer_with_a_finger_or_keys(
    visit: Visit, told: dict[str, Any], by: str, options: dict[str, Any]
) -> None:
    visitor = visit(**options)
    page = visitor.open(f"/puzzle/{GAME}/{DAY}")
    lay(page, told["worths"][-1]["line"][0], by)
    expect(page.locator("#main[data-moves='1']")).to_be_attached()
    page.keyboard.press("u") if by == "key" else page.locator("#undo").tap()
    expect(page.locator("#main[data-moves='0']")).to_be_attached()
    lay(page, told["solutions"][0][0], by)
    answer(page, by)
    expect(page.locator("#say")).to_have_text(f"Solved: {written(told['best'])} points, and no play makes more.")
    expect(page.locator("#live")).to_contain_text("Solved")
    low = "() => [...document.querySelectorAll('#dock button, #ends button')].map((one) => one.offsetHeight)"
    assert faults(page) == []
    assert all(height >= 44 for height in page.evaluate(low) if height)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page = visitor.open("/you")
    expect(page.locator("#puzzles strong").first).to_have_text("1")
    assert not visitor.problems
