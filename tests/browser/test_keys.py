"""Without a mouse: a whole match, turns of every game, and how keys and the focus behave."""

from __future__ import annotations

import random

import pytest
from browsing import CHOSEN, ORIENTATION, Visit, Visitor, each_game, seat_link, sit_where_a_roll_waits, totals_shown
from playwright.sync_api import Page, expect
from serving import Person, all_at_once, variant_where

from lamplighter import games
from lamplighter.engine.game import Game


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
    offers = page.locator("[aria-keyshortcuts]:is(#paper .source, #tray button)")
    goes = [i for i in range(offers.count()) if offers.nth(i).get_attribute("aria-pressed") is not None]
    if goes and not visitor.chosen:
        page.keyboard.press(offers.nth(rng.choice(goes)).get_attribute("aria-keyshortcuts") or "")
        expect(page.locator(CHOSEN)).to_have_count(1)
    if page.locator("#paper .spot").count():
        for key in ["ArrowDown", *rng.choices(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"], k=4)]:
            page.keyboard.press(key)
        expect(page.locator("#paper .spot:focus")).to_have_count(1)
    else:
        focus_by_tab(page, "#choices button" if visitor.chosen else "#tray .action, #done, #paper .source")
    assert has_visible_focus(page)
    page.keyboard.press("Enter")
    if page.locator("dialog.choose").count():
        expect(page.locator("dialog.choose .ways button:focus")).to_have_count(1)
        page.keyboard.press("Enter")
    visitor.await_change(before)


@pytest.mark.thorough
def test_a_match_by_keys(visit: Visit, someone: Person) -> None:
    """From the list of games to the final scores without a mouse."""
    visitor, rng = visit(), random.Random(51)
    page = visitor.open("/")
    focus_by_tab(page, f'[data-play="{variant_where(all_at_once).partition("?")[0]}"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("#main[data-seq]")
    while (wanted := visitor.wanted()) != "over":
        if wanted == "move":
            move_by_keys(visitor, rng)
            continue
        seq = page.locator("#main").get_attribute("data-seq") or ""
        page.keyboard.press("d")
        expect(page.locator("#main")).not_to_have_attribute("data-seq", seq)
    assert totals_shown(visitor) == [seat["total"] for seat in Person(someone.url, visitor.table).view()["seats"]]
    focus_by_tab(page, "#over .button")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Moment of the match")).to_be_visible()


@each_game("railroad")
def test_turns_by_keys(our_game: Game, visit: Visit, someone: Person) -> None:
    """Until two rolls have been let come, or eight moves made; the first time, the last move is taken back."""
    visitor = visit()
    page = visitor.sit(seat_link(someone.lay(our_game.id, name="Ana")))
    rng, rolls, moves = random.Random(our_game.id), 0, 0
    while rolls < 2 and moves < 8 and (wanted := visitor.wanted()) != "over":
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
    expect(page.locator(CHOSEN)).to_have_count(1)
    expect(page.locator("#paper .spot").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(CHOSEN)).to_have_count(0)
    expect(page.locator("#paper .spot")).to_have_count(0)


def turned_and_flipped(visitor: Visitor) -> tuple[bool, bool]:
    """Whether R turns and F flips something that can be taken now; Shift+R turns back."""
    page, turns, flips = visitor.page, False, False
    for _ in visitor.taken():
        if not page.locator("#paper .spot").count():
            continue
        page.keyboard.press("ArrowDown")
        first = page.evaluate(ORIENTATION)
        page.keyboard.press("r")
        if page.evaluate(ORIENTATION) != first:
            turns = True
            page.keyboard.press("Shift+R")
            assert page.evaluate(ORIENTATION) == first
        page.keyboard.press("f")
        if page.evaluate(ORIENTATION) != first:
            flips = True
            page.keyboard.press("f")
            assert page.evaluate(ORIENTATION) == first
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


# --- why not here ---------------------------------------------------------------------------------------------


def test_keys_reach_a_place_that_is_not_lit(visit: Visit, someone: Person) -> None:
    """With Shift the arrows walk over all places; there Enter asks why, and plain arrows lead back to a lit one."""
    visitor, person = visit(), someone.lay(variant_where(all_at_once))
    page = visitor.sit(seat_link(person))
    visitor.wanted()
    page.keyboard.press("1")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#paper .spot:focus")).to_have_count(1)
    cursor = page.locator("#paper .cursor:focus")
    for key in ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"):
        if not cursor.count():
            page.keyboard.press(f"Shift+{key}")
    expect(cursor).to_have_count(1)
    assert has_visible_focus(page)
    cell = cursor.get_attribute("data-cell")
    source = visitor.chosen
    before = visitor.moment()
    page.keyboard.press("Enter")
    expect(page.locator(".bubble")).to_contain_text(
        person.post("explain", seat=0, source=source, cell=cell)["sentence"]
    )
    assert visitor.moment() == before
    for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"):
        if cursor.count():
            page.keyboard.press(key)
    expect(page.locator("#paper .spot:focus")).to_have_count(1)
    expect(cursor).to_have_count(0)


def test_before_something_is_chosen_keys_walk_too(visit: Visit, someone: Person) -> None:
    visitor = visit()
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once))))
    visitor.wanted()
    page.keyboard.press("Escape")
    expect(page.locator(CHOSEN)).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".bubble")).to_contain_text("First choose")


# --- shortcuts and focus --------------------------------------------------------------------------------------


def test_shortcuts_of_one_letter_can_be_turned_off(visit: Visit, someone: Person) -> None:
    visitor = visit()
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once))))
    visitor.wanted()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Use single letters and digits as shortcuts").uncheck()
    page.keyboard.press("Escape")
    pressed = page.locator(CHOSEN)
    for key in ("1", "r", "u", "d", "?"):
        page.keyboard.press(key)
    expect(pressed).to_have_count(0)
    focus_by_tab(page, "#paper .source")
    page.keyboard.press("Enter")
    expect(pressed).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#paper .spot:focus")).to_have_count(1)
    page.reload()
    visitor.wanted()
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(pressed).to_have_count(0)


FOCUSED = "() => document.activeElement !== document.body && document.activeElement.checkVisibility()"


def test_the_focus_goes_on_when_its_button_is_gone(visit: Visit, someone: Person) -> None:
    """After the last take-back, and after Done."""
    visitor, rng = visit(), random.Random(52)
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once))))
    visitor.wanted()
    visitor.move(rng)
    page.locator("#undo").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#undo")).to_be_disabled()
    page.wait_for_function(FOCUSED)
    sit_where_a_roll_waits(visitor, someone, rng)
    page.locator("#done").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#done")).to_be_hidden()
    page.wait_for_function(FOCUSED)
