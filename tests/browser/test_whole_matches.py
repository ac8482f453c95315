"""Each game to its end by pressing only the sheet and the one button that ends a step.

Once in a wide font, on a desk or on a phone; `make test-all` plays it again on the other one, in a narrow font. On the way
sentences, letters and lit things are looked at.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from browsing import Visitor, seat_link, totals_shown, written
from playwright.sync_api import Browser, Locator, Page, Position, expect
from serving import Person, ServerProcess, until

from lamplighter import games

DESK = {"viewport": {"width": 1440, "height": 900}}
HANDY = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIZES = {"desk": DESK, "phone": HANDY}
QUICK = "bot:uniform"
SHORT = {"leftover": "discard"}  # options that make matches short, where a game has them
# every game on both screens and in both fonts
RUNS = [
    run
    for number, name in enumerate(games.own_names())
    for first, other in [("desk", "phone"), ("phone", "desk")][number % 2 :][:1]
    for run in ((name, first, "wide"), pytest.param(name, other, "narrow", marks=pytest.mark.thorough))
]
LEAST = {"desk": 12, "phone": 11}  # px that letters on a sheet are high

# what is wrong with the table as it is shown now
FAULTS = """(least) => {
  const found = [];
  const words = document.querySelector("#status .words");
  if (words.scrollHeight > words.clientHeight + 1) found.push(`cut off: ${words.textContent}`);
  const done = document.querySelector("#done");
  if (done.checkVisibility()) {
    const { left, right, top, bottom } = done.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) found.push("Done is not on the screen");
  }
  const shown = document.scrollingElement.scrollWidth;
  if (shown > innerWidth) found.push(`the page is ${shown} wide`);
  const measure = (text, by) => {
    const { a, b } = by.getScreenCTM();
    const height = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
    if (height < least - 0.01) found.push(`${height.toFixed(1)} px: ${text.textContent}`);
  };
  const sheet = document.querySelector("#paper svg.sheet");
  for (const text of sheet.querySelectorAll("text")) if (!text.closest("defs")) measure(text, text);
  for (const use of sheet.querySelectorAll("use:not(defs use, .targets use)"))
    for (const text of sheet.querySelectorAll(`${use.getAttribute("href")} text`)) measure(text, use);
  for (const lit of document.querySelector("#status.mine") ? sheet.querySelectorAll("[data-source] .may") : [])
    if (!lit.closest(".source")) found.push(`lit, but cannot be pressed: ${lit.closest("[data-source]").dataset.source}`);
  return found;
}"""


TOP = "() => Math.round(document.querySelector('#paper').getBoundingClientRect().top + scrollY)"


class Presser:
    """Somebody who knows nothing but the sheet and the button that ends a step."""

    def __init__(self, visitor: Visitor, touch: bool, rng: random.Random) -> None:
        self.visitor, self.touch, self.rng = visitor, touch, rng

    @property
    def page(self) -> Page:
        return self.visitor.page

    def press(self, thing: Locator) -> None:
        """Press something left of its middle: a card may lie under the next one."""
        box = thing.bounding_box()
        assert box is not None
        place: Position = {"x": box["width"] * 0.3, "y": box["height"] * 0.3}
        thing.tap(position=place) if self.touch else thing.click(position=place)

    def turn(self) -> None:
        """End the step, or take something that is lit and put it on a lit place."""
        before, done = self.visitor.moment(), self.page.locator("#done")
        lit = self.page.locator("#paper .source")
        if done.is_visible() and (not lit.count() or self.rng.random() < 0.4):
            self.press(done)
        else:
            self.take(lit)
        self.visitor.await_change(before)

    def take(self, lit: Locator) -> None:
        chosen = self.page.locator("#paper .source.chosen")
        if not chosen.count():
            taken = lit.nth(self.rng.randrange(lit.count()))
            goes = taken.get_attribute("aria-pressed") is not None
            self.press(taken)
            if not goes:
                return  # pressing it was all there is to it
        places = self.page.locator("#paper .spot, #choices button")
        places.first.wait_for()
        place = places.nth(self.rng.randrange(places.count()))
        if self.touch and place.get_attribute("data-cell"):
            self.page.evaluate("performance.now = () => 10_000")
            self.press(place)
            self.page.evaluate("performance.now = () => 11_000")  # a second later
        self.press(place)
        ways = self.page.locator("dialog.choose .ways button")
        if count := ways.count():
            self.press(ways.nth(self.rng.randrange(count)))


def settled(visitor: Visitor, person: Person) -> str:
    """What the page wants when no bot is about to move and change the sheet."""

    def quiet() -> Any:
        view = person.view()
        bots = [seat for seat in view["seats"] if seat["waiting"] and seat["kind"] == "bot"]
        return view if view["holding"] or not bots else None

    shown = "(seq) => Number(document.querySelector('#main').dataset.seq) >= seq"
    visitor.page.wait_for_function(shown, arg=until(quiet, "the bots have moved")["seq"])
    return visitor.wanted()


@pytest.mark.parametrize(("name", "size", "font"), RUNS)
def test_a_match_on_the_sheet(
    name: str, size: str, font: str, browsers: Callable[[str], Browser], server: ServerProcess
) -> None:
    game = games.load(name)
    few = game.seats[0]
    options = "".join(f"&{one.name}={SHORT[one.name]}" for one in game.options if one.name in SHORT)
    person = Person(server.url).lay(f"{name}?seats={few}{options}", ["me"] + [QUICK] * (few - 1), name="Ana")
    visitor = Visitor(browsers(font), server.url, **SIZES[size])
    visitor.sit(seat_link(person))
    presser = Presser(visitor, size == "phone", random.Random(name))
    top = visitor.page.evaluate(TOP)
    while (wanted := settled(visitor, person)) != "over":
        assert visitor.page.evaluate(FAULTS, LEAST[size]) == []
        assert visitor.page.evaluate(TOP) == top  # the sheet stays where it is
        presser.turn() if wanted == "move" else visitor.press(visitor.page.locator("#done"))
    totals = [seat["total"] for seat in person.view()["seats"]]
    assert totals_shown(visitor) == totals
    expect(visitor.page.locator("#over h2")).to_contain_text(written(totals[0]))
    if totals[0] < max(totals):
        expect(visitor.page.locator("#over .decided").first).to_contain_text(f"wins with {max(totals)}")
    visitor.context.close()
    assert visitor.problems == []


def test_faults_are_noticed(browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.set_content(
        """<p id="status" class="mine"><span class="words" style="display: block; height: 5px; overflow: hidden">much</span></p>
        <button id="done" style="position: absolute; left: 900px">Done</button>
        <div id="paper"><svg class="sheet" viewBox="0 0 100 100" width="50" height="50">
        <text style="font-size: 12px" y="20">tiny</text>
        <g data-source="x"><rect class="may" width="9" height="9"/></g></svg></div>"""
    )
    found = page.evaluate(FAULTS, 11)
    page.close()
    assert len(found) == 5 and found[0] == "cut off: much" and found[3] == "6.0 px: tiny"
    assert found[4] == "lit, but cannot be pressed: x"
