"""Whole matches: by clicks, by keys, and on a phone."""

from __future__ import annotations

import random

import pytest
from browsing import PHONE, Visit, Visitor, seat_link
from playwright.sync_api import Browser, Page, expect
from serving import Person, ServerProcess, all_at_once, variant_where

from lamplighter import games
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
    view = Person(someone.url, visitor.table).view()
    assert view["phase"] == "over"
    assert totals_shown(visitor) == [seat["total"] for seat in view["seats"]]
    best = max(seat["total"] for seat in view["seats"])
    expect(page.locator("#over h2")).to_contain_text(str(best))


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


# --- keys -----------------------------------------------------------------------------------------------------


def focus_by_tab(page: Page, selector: str) -> None:
    """Go on with Tab until something is focused."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"no way by Tab to {selector}")


def has_visible_focus(page: Page) -> bool:
    """Whether what is focused looks other than it does without focus."""
    script = """() => {
      const look = ({ outlineStyle, outlineColor, boxShadow, stroke, strokeWidth, strokeDasharray }) =>
        JSON.stringify([outlineStyle, outlineColor, boxShadow, stroke, strokeWidth, strokeDasharray]);
      const focused = document.activeElement;
      const with_focus = look(getComputedStyle(focused));
      focused.blur();
      const without = look(getComputedStyle(focused));
      focused.focus({ focusVisible: true });
      return with_focus !== without;
    }"""
    return bool(page.evaluate(script))


def move_by_keys(visitor: Visitor, rng: random.Random) -> None:
    """One move without a mouse: a digit takes, arrows walk, Enter places."""
    page, before = visitor.page, visitor.moment()
    chips = page.locator("#tray .chip").count()
    if chips:
        number = rng.randrange(min(chips, 9))
        if page.locator("#tray .chip").nth(number).get_attribute("aria-pressed") != "true":
            page.keyboard.press(str(number + 1))
        expect(page.locator("#tray .chip[aria-pressed=true]")).to_have_count(1)
    if page.locator("#paper .spot").count():
        for key in ["ArrowDown", *rng.choices(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"], k=4)]:
            page.keyboard.press(key)
        expect(page.locator("#paper .spot:focus")).to_have_count(1)
    else:
        focus_by_tab(page, "#choices button" if chips else "#tray .action")
    assert has_visible_focus(page)
    page.keyboard.press("Enter")
    if page.locator("dialog.choose").count():
        expect(page.locator("dialog.choose .ways button:focus")).to_have_count(1)
        page.keyboard.press("Enter")
    visitor.await_change(before)


def test_turns_by_keys(own_game: Game, visit: Visit, someone: Person) -> None:
    """Until two rolls have been let come, or twelve moves made; the first time, the last move is taken back."""
    visitor = visit()
    page = visitor.sit(seat_link(someone.lay(own_game.id, name="Ana")))
    rng, rolls, moves = random.Random(own_game.id), 0, 0
    while rolls < 2 and moves < 12 and (wanted := visitor.wanted()) != "over":
        seq = page.locator("#main").get_attribute("data-seq") or ""
        if wanted == "move":
            move_by_keys(visitor, rng)
            moves += 1
            continue
        page.keyboard.press("d" if rolls else "u")
        expect(page.locator("#log li.undo")).to_have_count(1)
        if rolls:
            expect(page.locator("#main")).not_to_have_attribute("data-seq", seq)
        rolls += 1
    assert moves > 1


def test_escape_lets_go(visit: Visit, someone: Person) -> None:
    visitor = visit()
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once))))
    visitor.wanted()
    page.keyboard.press("1")
    expect(page.locator("#tray .chip[aria-pressed=true]")).to_have_count(1)
    expect(page.locator("#paper .spot").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#tray .chip[aria-pressed=true]")).to_have_count(0)
    expect(page.locator("#paper .spot")).to_have_count(0)


LIE = "() => document.querySelector('#paper .ghost')?.closest('[data-lie]')?.dataset.lie"


def turned_and_flipped(visitor: Visitor) -> tuple[bool, bool]:
    """Whether R turns and F flips something that can be taken now; Shift+R turns back."""
    page, turns, flips = visitor.page, False, False
    for number in range(min(page.locator("#tray .chip").count(), 9)):
        if page.locator("#tray .chip").nth(number).get_attribute("aria-pressed") != "true":
            page.keyboard.press(str(number + 1))
        if not page.locator("#paper .spot").count():
            continue
        page.keyboard.press("ArrowDown")
        first = page.evaluate(LIE)
        page.keyboard.press("r")
        if page.evaluate(LIE) != first:
            turns = True
            page.keyboard.press("Shift+R")
            assert page.evaluate(LIE) == first
        page.keyboard.press("f")
        if page.evaluate(LIE) != first:
            flips = True
            page.keyboard.press("f")
            assert page.evaluate(LIE) == first
    return turns, flips


def test_keys_turn_and_flip(visit: Visit, someone: Person) -> None:
    """Some of our games have pieces that turn, and some have pieces that have a mirror image."""
    visitor, found = visit(), []
    for name in games.own_names():
        visitor.sit(seat_link(someone.lay(name)))
        visitor.wanted()
        found.append(turned_and_flipped(visitor))
    assert any(turns for turns, _ in found)
    assert any(flips for _, flips in found)


# --- phone ----------------------------------------------------------------------------------------------------


@pytest.fixture
def phone(visit: Visit) -> Visitor:
    return visit(**PHONE)


def take_by_tap(page: Page, turning: bool) -> str:
    """Tap a chip that fits somewhere, in one way only or in several; the cell."""
    for chip in page.locator("#tray .chip").all():
        if chip.get_attribute("aria-pressed") != "true":
            chip.tap()
        source = chip.get_attribute("data-source")
        script = """([source, turning]) => {
          const lies = new Map();
          for (const leaf of document.querySelectorAll("#paper .targets [data-move][data-cell]")) {
            if (leaf.closest("[data-source]")?.dataset.source !== source) continue;
            const here = lies.get(leaf.dataset.cell) ?? new Set();
            lies.set(leaf.dataset.cell, here.add(leaf.closest("[data-lie]")?.dataset.lie));
          }
          return [...lies].find(([, here]) => here.size > 1 === turning)?.[0] ?? null;
        }"""
        cell = page.evaluate(script, [source, turning])
        if cell is not None:
            return str(cell)
    return ""


def test_a_tap_shows_and_another_places(own_game: Game, phone: Visitor, someone: Person) -> None:
    page, rng, cell = phone.sit(seat_link(someone.lay(own_game.id))), random.Random(8), ""
    while not cell and phone.wanted() != "over":
        cell = take_by_tap(page, turning=False) or take_by_tap(page, turning=True)
        if not cell:
            phone.step(rng)  # what is on offer has no place, such as choosing an action
    before = phone.moment()
    page.evaluate("performance.now = () => 10_000")
    spot = page.locator(f'#paper .spot[data-cell="{cell}"]')
    spot.tap()
    expect(page.locator("#paper .ghost")).to_have_count(1)
    assert phone.moment() == before
    page.evaluate("performance.now = () => 11_000")  # a second later
    spot.tap()
    if page.locator("dialog.choose").count():
        page.locator("dialog.choose .ways button").first.tap()
    phone.await_change(before)


def test_two_quick_taps_turn(phone: Visitor, someone: Person) -> None:
    for name in games.own_names():
        page = phone.sit(seat_link(someone.lay(name)))
        phone.wanted()
        if cell := take_by_tap(page, turning=True):
            break
    before = phone.moment()
    spot = page.locator(f'#paper .spot[data-cell="{cell}"]')
    page.evaluate("performance.now = () => 10_000")  # all taps come at once
    spot.tap()
    first = page.evaluate(LIE)
    spot.tap()
    expect(page.locator("#paper .ghost")).to_have_count(1)
    assert page.evaluate(LIE) != first
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
