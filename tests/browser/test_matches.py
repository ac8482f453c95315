"""Matches begun on the home page, and moves on a phone."""

from __future__ import annotations

import random

import pytest
from browsing import ORIENTATION, PHONE, Visit, Visitor, each_game, seat_link, totals_shown, written
from playwright.sync_api import Browser, expect
from serving import Person, ServerProcess, all_at_once, variant_where

from lamplighter import games
from lamplighter.engine.game import Game


def begin(visitor: Visitor, game: Game) -> None:
    """Open a table from the list of games, against a bot."""
    page = visitor.go("/")
    page.get_by_role("button", name=f"Play {game.title}").click()
    page.wait_for_selector("#main[data-seq]")


@pytest.mark.thorough
def test_every_game_begins_on_the_home_page(own_game: Game, visit: Visit) -> None:
    """Begin each game from the home page; `test_whole_matches` plays them to the end."""
    visitor = visit()
    begin(visitor, own_game)
    assert visitor.wanted() == "move"
    visitor.move(random.Random(own_game.id))


def test_a_match_by_clicks(visit: Visit, someone: Person) -> None:
    """A game from outside, from the list of games to the final scores."""
    visitor, name = visit(), next(name for name in games.names() if name not in games.own_names())
    begin(visitor, games.load(name))
    visitor.play_on(random.Random(name))
    view = Person(someone.url, visitor.table).view()
    assert view["phase"] == "over"
    assert totals_shown(visitor) == [seat["total"] for seat in view["seats"]]
    you, best = view["seats"][0]["total"], max(seat["total"] for seat in view["seats"])
    expect(visitor.page.locator("#over h2")).to_contain_text(written(you))
    if you < best:
        expect(visitor.page.locator("#over .decided").first).to_contain_text(f"wins with {best}")


def test_what_goes_wrong_in_a_page_is_noticed(browser: Browser, server: ServerProcess) -> None:
    visitor = Visitor(browser, server.url)
    page = visitor.go("/help")
    page.evaluate("""() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
      console.error("planted");
    }""")
    with page.expect_event("pageerror"):
        page.evaluate("setTimeout(() => { throw new Error('thrown') })")
    visitor.context.close()
    for words in ("Content Security Policy", "planted", "thrown"):
        assert any(words in problem for problem in visitor.problems), words
    assert len(visitor.problems) == 3


# --- phone ----------------------------------------------------------------------------------------------------


@pytest.fixture
def phone(visit: Visit) -> Visitor:
    return visit(**PHONE)


def take_by_tap(phone: Visitor, turning: bool) -> str:
    """Tap something that fits somewhere, in one way only or in several; the cell."""
    for source in phone.taken("tap"):
        script = """([source, turning]) => {
          const lies = new Map();
          for (const leaf of document.querySelectorAll("#paper .targets [data-move][data-cell]")) {
            if (leaf.closest("[data-source]")?.dataset.source !== source) continue;
            const here = lies.get(leaf.dataset.cell) ?? new Set();
            lies.set(leaf.dataset.cell, here.add(leaf.closest("[data-orientation]")?.dataset.orientation));
          }
          return [...lies].find(([, here]) => here.size > 1 === turning)?.[0] ?? null;
        }"""
        cell = phone.page.evaluate(script, [source, turning])
        if cell is not None:
            return str(cell)
    return ""


@each_game("railroad")
def test_a_tap_shows_and_another_places(our_game: Game, phone: Visitor, someone: Person) -> None:
    page, rng, cell = phone.sit(seat_link(someone.lay(our_game.id))), random.Random(8), ""
    while not cell and phone.wanted() != "over":
        cell = take_by_tap(phone, turning=False) or take_by_tap(phone, turning=True)
        if not cell:
            phone.step(rng)  # what is on offer has no place, such as choosing an action
    before = phone.moment()
    page.evaluate("performance.now = () => 10_000")
    spot = page.locator(f'#paper .spot[data-cell="{cell}"]')
    spot.tap()
    expect(page.locator("#paper .ghost")).to_have_count(1)
    expect(page.locator("#status")).to_contain_text("Tap again to draw it")
    assert phone.moment() == before
    page.evaluate("performance.now = () => 11_000")  # a second later
    spot.tap()
    if page.locator("dialog.choose").count():
        page.locator("dialog.choose .ways button").first.tap()
    phone.await_change(before)


def sit_with_a_piece(phone: Visitor, someone: Person, turning: bool) -> str:
    """Sit down where something was taken that can be turned, or cannot; the cell where it fits."""
    for name in games.own_names():
        phone.sit(seat_link(someone.lay(name)))
        phone.wanted()
        if cell := take_by_tap(phone, turning):
            return cell
    raise AssertionError("no game has such a piece")


def test_what_lies_in_one_way_is_drawn_by_quick_taps_too(phone: Visitor, someone: Person) -> None:
    cell, page = sit_with_a_piece(phone, someone, turning=False), phone.page
    before = phone.moment()
    spot = page.locator(f'#paper .spot[data-cell="{cell}"]')
    page.evaluate("performance.now = () => 10_000")
    spot.tap()
    expect(page.locator("#status .words")).to_have_text("Tap again to draw it")
    page.evaluate("performance.now = () => 10_200")
    spot.tap()
    if page.locator("dialog.choose").count():
        page.locator("dialog.choose .ways button").first.tap()
    phone.await_change(before)


def test_two_quick_taps_turn(phone: Visitor, someone: Person) -> None:
    cell, page = sit_with_a_piece(phone, someone, turning=True), phone.page
    before = phone.moment()
    spot = page.locator(f'#paper .spot[data-cell="{cell}"]')
    page.evaluate("performance.now = () => 10_000")  # all taps come at once
    spot.tap()
    first = page.evaluate(ORIENTATION)
    expect(page.locator("#status")).to_contain_text("two quick taps turn it")
    spot.tap()
    expect(page.locator("#paper .ghost")).to_have_count(1)
    assert page.evaluate(ORIENTATION) != first
    assert phone.moment() == before


def test_the_score_opens_on_a_phone(phone: Visitor, someone: Person) -> None:
    page = phone.sit(seat_link(someone.lay(variant_where(all_at_once))))
    rng = random.Random(5)
    for _ in range(6):
        phone.step(rng)
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator("#lines")).not_to_be_in_viewport()
    page.locator("#points").tap()
    expect(page.locator("#lines .points").first).to_be_in_viewport()
    page.locator("#points").tap()
    expect(page.locator("#lines")).not_to_be_in_viewport()


# --- small places ---------------------------------------------------------------------------------------------

BESIDE = """() => {
  for (const spot of document.querySelectorAll("#paper .spot")) {
    const { left, right, top, bottom, width } = spot.getBoundingClientRect();
    const [x, y, far] = [(left + right) / 2, (top + bottom) / 2, width / 2 + 1];
    for (const [dx, dy] of [[far, 0], [-far, 0], [0, far], [0, -far]]) {
      const hit = document.elementFromPoint(x + dx, y + dy);
      if (width < 42 && hit?.closest("#paper") && !hit.closest(".spot")) return { x: x + dx, y: y + dy, cell: spot.dataset.cell };
    }
  }
  return null;
}"""


@pytest.fixture
def small_phone(visit: Visit) -> Visitor:
    return visit(**PHONE | {"viewport": {"width": 320, "height": 640}})


def test_a_tap_beside_a_small_place_counts(small_phone: Visitor, someone: Person) -> None:
    """Where a place is smaller than a fingertip, its neighbourhood counts as well."""
    for name in games.own_names():
        page = small_phone.sit(seat_link(someone.lay(name)))
        small_phone.wanted()
        take_by_tap(small_phone, turning=False)
        if beside := page.evaluate(BESIDE):
            break
    page.touchscreen.tap(beside["x"], beside["y"])
    expect(page.locator(f'#paper .spot.held[data-cell="{beside["cell"]}"]')).to_have_count(1)


WIDTH = "() => document.querySelector('#paper .cells [data-cell]').getBoundingClientRect().width"


def test_a_sheet_with_small_places_can_be_enlarged(small_phone: Visitor, someone: Person) -> None:
    for name in games.own_names():
        page = small_phone.sit(seat_link(someone.lay(name)))
        small_phone.wanted()
        before = page.evaluate(WIDTH)
        larger = page.get_by_role("button", name="Larger")
        expect(larger).to_be_visible(visible=before < 44)
        if before >= 44:
            continue
        larger.tap()
        assert page.evaluate(WIDTH) >= 44
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        larger.tap()
        assert page.evaluate(WIDTH) == before
