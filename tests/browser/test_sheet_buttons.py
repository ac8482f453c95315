"""The sheet is the interface: what is lit can be pressed, one sentence says what to do, one button ends a step."""

from __future__ import annotations

import itertools
import random
import re
from typing import Any

import pytest
from browsing import (
    CHOSEN,
    LARGE_PRINT,
    PHONE,
    Visit,
    Visitor,
    each_game,
    number_in,
    play_some,
    play_until_free,
    seat_link,
)
from playwright.sync_api import Locator, Page, expect
from serving import Person, all_at_once, variant_where

from lamplighter import games
from lamplighter.engine import plain
from lamplighter.engine.game import Game

HANDY = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PAIRS = [("railroad", "phone"), ("greenways", "large print"), ("last_minute", "desk")]  # for `make test`


def is_on_screen(button: Locator) -> bool:
    """Whether all of it is in the window, and nothing lies over it."""
    script = """(one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && one.contains(hit);
    }"""
    return bool(button.evaluate(script))


def sit_where_a_step_can_end(visitor: Visitor, someone: Person, variant: str) -> Page:
    """Make moves until the game offers one that ends the step."""
    person, rng = someone.lay(variant, name="Ana"), random.Random(3)
    for _ in range(60):
        view = person.view(0)
        if view["final"]:
            break
        rest = [move for move in view["moves"] if not move.startswith("special")]
        if rest:
            person.move(rng.choice(rest), view)
    assert view["final"], "no step could be ended"
    return visitor.sit(seat_link(person))


def test_the_button_that_ends_a_step_is_on_the_screen_of_a_phone(visit: Visit, someone: Person) -> None:
    """All dice are placed: the sentence says so, and Done is there once, in full, where it always is."""
    visitor = visit(**HANDY)
    page = sit_where_a_step_can_end(visitor, someone, variant_where(all_at_once))
    done = page.get_by_role("button", name=re.compile("^Done"))
    expect(done).to_have_count(1)
    assert is_on_screen(done)
    expect(page.locator("#status .words")).to_contain_text("Press Done")
    before = visitor.moment()
    done.tap()
    visitor.await_change(before)


@each_game("switch_on")
@pytest.mark.parametrize("ways", [["tap"], ["click", "Enter", "digit"]], ids=["phone", "desk"])
def test_what_is_lit_on_the_sheet_can_be_pressed(
    our_game: Game, ways: list[str], visit: Visit, someone: Person
) -> None:
    """By mouse, touch and keys: pressing it chooses it, and again lets go of it, unless there is nothing else to choose."""
    visitor = visit(**(HANDY if "tap" in ways else {}))
    person = someone.lay(f"{our_game.id}?seats={our_game.seats[0]}", name="Ana")
    page = visitor.sit(seat_link(person))
    source, rng = page.locator("#paper .source[aria-pressed]").first, random.Random(2)
    while visitor.wanted() != "over" and not source.count():
        visitor.step(rng)  # an action is chosen first
    assert source.count()
    page.keyboard.press("Escape")
    left = page.locator(CHOSEN).count()  # the only thing that fits is chosen by itself, and stays so
    for by, count in itertools.product(ways, (1, left)):
        if by == "Enter":
            source.focus()
            page.keyboard.press("Enter")
        elif by == "digit":
            name = source.get_attribute("data-source")
            same = page.locator(f'[aria-keyshortcuts]:is(#paper .source, #tray .chip)[data-source="{name}"]').first
            page.keyboard.press(same.get_attribute("aria-keyshortcuts") or "")
        else:
            getattr(source, by)()
        expect(page.locator(CHOSEN)).to_have_count(count)
        expect(page.locator("#paper .source[aria-pressed=true]")).to_have_count(count)
        if count:
            expect(page.locator("#paper .spot, #choices button").first).to_be_visible()


def test_nothing_is_shown_twice_and_only_what_can_be_used_is_lit(visit: Visit, someone: Person) -> None:
    """The panel repeats nothing that the sheet shows large enough."""
    visitor, rng = visit(), random.Random(4)
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once), name="Ana")))
    visitor.wanted()
    assert page.locator("#tray button").count() == 0
    lit = page.locator("#paper .source").count()
    assert lit > 1
    visitor.move(rng)
    for name in page.locator("#paper .source").evaluate_all("(all) => all.map((one) => one.dataset.source)"):
        assert any(
            move.startswith(name)
            for move in page.locator("#moves option").evaluate_all("(all) => all.map((one) => one.value)")
        )


@each_game("last_minute")
def test_one_sentence_says_what_to_do_and_the_ghost_its_worth(our_game: Game, visit: Visit, someone: Person) -> None:
    visitor, rng = visit(), random.Random(7)
    person = someone.lay(f"{our_game.id}?seats={our_game.seats[0]}", name="Ana")
    page = visitor.sit(seat_link(person))
    for _ in range(12):
        visitor.wanted()
        expect(page.locator("#status .words")).not_to_have_text(re.compile("^(Your turn)?$"))
        if any(page.locator("#paper .spot").count() for _ in visitor.taken()):
            break
        visitor.step(rng)
    page.locator("#paper .spot").first.hover()
    expect(page.locator("#worth")).to_have_text(re.compile(r"^[+−]?\d+ \w"))
    page.mouse.move(0, 0)
    expect(page.locator("#worth")).to_be_empty()


@pytest.mark.parametrize(
    ("name", "size"),
    [
        pytest.param(name, size, id=f"{name}-{label}", marks=[] if (name, label) in PAIRS else pytest.mark.thorough)
        for label, size in {"phone": HANDY, "large print": PHONE, "desk": {}}.items()
        for name in games.own_names()
        if label != "phone" or (name, label) in PAIRS  # where large print has room, so has normal print
    ],
)
def test_the_worth_is_never_cut_and_the_score_has_it_line_by_line(
    name: str, size: dict[str, Any], visit: Visit, someone: Person
) -> None:
    """Also in German, whose words are long: lines for which there is no room are counted, and the score has them all."""
    visitor = visit(locale="de", **size)
    if size is PHONE:
        visitor.context.add_init_script(LARGE_PRINT)
    person = someone.lay(f"{name}?seats={games.load(name).seats[0]}", name="Ana")
    play_some(person, 5)
    page = visitor.sit(seat_link(person))
    while not any(page.locator("#paper .spot").count() for _ in visitor.taken("tap" if size else "click")):
        visitor.step(random.Random(7))
    for spot in page.locator("#paper .spot").all()[:6]:
        if size:
            page.keyboard.press("Escape")  # a second tap would draw it
            next(visitor.taken("tap"))
            spot.tap()
        else:
            spot.hover()
        expect(page.locator("#paper .badge")).to_have_count(1)
        told = page.locator("#status .told")
        assert told.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1"), told.inner_text()
        changes = page.locator("#lines [data-change]").evaluate_all("(all) => all.map((one) => one.dataset.change)")
        assert sum(map(number_in, changes)) == number_in(page.locator("#worth strong").inner_text())


def test_dice_that_roll_are_not_offered_again_beside_the_sheet(visit: Visit, someone: Person) -> None:
    """While dice roll they are drawn smaller; they are large enough to be pressed all the same."""
    visitor = visit(**HANDY)
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once), name="Ana")))
    visitor.wanted()
    lit = page.locator("#paper .source")
    assert lit.count() and page.locator("#tray .chip").count() == 0
    lit.evaluate_all("(all) => all.forEach((one) => one.animate([{ scale: 0.3 }, { scale: 0.3 }], 100_000))")
    page.evaluate("document.documentElement.dispatchEvent(new Event('themechange'))")  # everything is shown again
    assert page.locator("#tray .chip").count() == 0


@each_game("railroad")
def test_turn_and_flip_are_off_where_they_do_nothing(our_game: Game, visit: Visit, someone: Person) -> None:
    """Whatever is taken: they are off for what goes nowhere on the sheet, and no button moves."""
    visitor = visit()
    person = someone.lay(f"{our_game.id}?seats={our_game.seats[0]}", name="Ana")
    page = visitor.sit(seat_link(person))
    visitor.wanted()
    place = page.locator("#undo").bounding_box()
    for source in visitor.taken():
        for name in ("#turn-it", "#flip-it"):
            button = page.locator(name)
            if button.is_visible() and button.is_enabled():
                assert page.locator("#paper .spot").count(), f"{source} goes nowhere and cannot be turned"
        assert page.locator("#undo").bounding_box() == place


def test_why_shows_a_sentence(visit: Visit, someone: Person) -> None:
    person = someone.lay(variant_where(all_at_once), name="Ana")
    play_some(person, 4)
    page = visit().sit(seat_link(person))
    page.locator("#lines .why-button").first.click()
    name = page.locator("#lines tr.lit").get_attribute("data-line")
    expect(page.locator("#reason")).to_have_text(person.get(f"lines/{name}", seat=0)["sentence"])
    page.locator("#lines .why-button").first.click()
    expect(page.locator("#reason")).to_be_hidden()


def test_what_others_did_to_the_sheet_is_marked_and_in_the_log(visit: Visit, someone: Person) -> None:
    """Somebody crosses out a value of ours: it is ringed until we act, and the log says who it was."""
    name = next(name for name in games.own_names() if games.load(name).texts.effects is not plain.effects)
    seats = games.load(name).seats[0]
    person = someone.lay(f"{name}?seats={seats}", ["me"] * seats)
    first = person.view()
    person.move(first["moves"][0], first)
    view = person.view(1 - first["you"], sheet=True)
    visitor = visit()
    page = visitor.sit(seat_link(person))  # the page shows the seat that has to act
    expect(page.locator("#paper [data-mark] .by-others")).to_have_count(1)
    expect(page.locator("#log li.effect")).to_have_text(view["effects"])
    visitor.step(random.Random(1))
    expect(page.locator("#paper .by-others")).to_have_count(0)
    expect(page.locator("#log li.effect")).to_have_count(1)


def test_the_ghost_has_its_points_at_its_corner(visit: Visit, someone: Person) -> None:
    visitor = visit()
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once), name="Ana")))
    visitor.wanted()
    page.locator("#paper .source").first.click()
    page.locator("#paper .spot").first.hover()
    badge = page.locator("#paper .badge text")
    expect(badge).to_have_text(re.compile(r"^[+−]?\d+$"))
    expect(page.locator("#worth strong")).to_have_text(badge.text_content() or "")
    page.mouse.move(0, 0)
    expect(badge).to_have_count(0)


@each_game("railroad")
def test_whatever_can_be_taken_is_in_sight_on_a_phone(our_game: Game, visit: Visit, someone: Person) -> None:
    """On the sheet above the dock, or in the dock; without scrolling."""
    script = """() => {
      const top = document.querySelector("#dock").getBoundingClientRect().top;
      const shown = [...document.querySelectorAll("#paper .source")].filter((one) => one.getBoundingClientRect().bottom <= top);
      const named = [...shown, ...document.querySelectorAll("#tray [data-source]")].map((one) => one.dataset.source);
      const all = [...document.querySelectorAll("#paper .source")].map((one) => one.dataset.source);
      return all.filter((name) => !named.some((one) => one === name || one.startsWith(`${name} `)));
    }"""
    visitor, rng = visit(**PHONE), random.Random(2)
    page = visitor.sit(seat_link(someone.lay(f"{our_game.id}?seats={our_game.seats[0]}", name="Ana")))
    for _ in range(6):
        if visitor.wanted() == "move":
            assert page.evaluate(script) == []
        visitor.step(rng)


def test_a_square_that_is_lit_before_anything_is_chosen_chooses_what_fits_there(visit: Visit, someone: Person) -> None:
    """The first press shows the ghost, the second one draws it."""
    visitor = visit()
    for name in games.own_names():
        person = someone.lay(f"{name}?seats={games.load(name).seats[0]}", name="Ana")
        page = visitor.sit(seat_link(person))
        visitor.wanted()  # then the sheet has been drawn
        if page.locator("#paper path.may").count():
            break
    else:
        raise AssertionError("no square is lit in any game")
    play_until_free(visitor, random.Random(1))
    legal = person.view()["moves"]
    cell = page.locator("#paper .targets [data-cell]").first.get_attribute("data-cell")
    square = page.locator(f'#paper .cells [data-cell="{cell}"]')
    square.click()
    assert any(move.startswith(f"{visitor.chosen} {cell} ") for move in legal)
    expect(page.locator("#paper .ghost")).to_have_count(1)
    before = visitor.moment()
    page.locator(f'#paper .spot[data-cell="{cell}"]').click()
    visitor.await_change(before)


@each_game("railroad")
def test_turning_is_seen_where_nothing_is_pointed_at(our_game: Game, visit: Visit, someone: Person) -> None:
    visitor = visit(**HANDY)
    page = visitor.sit(seat_link(someone.lay(f"{our_game.id}?seats={our_game.seats[0]}", name="Ana")))
    visitor.wanted()
    turn = page.locator("#turn-it")
    for source in visitor.taken("tap"):
        if turn.is_visible() and turn.is_enabled():
            turn.tap()
            assert page.locator("#paper .ghost").count() == 1, source
            page.keyboard.press("Escape")


def test_sentence_and_buttons_stay_where_they_are_when_hints_open(visit: Visit, someone: Person) -> None:
    visitor = visit(**HANDY)
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once), name="Ana")))
    visitor.wanted()
    parts = [page.locator(name) for name in ("#status", "#hint", "#points", "#undo")]
    before = [part.bounding_box() for part in parts]
    page.locator("#hint").tap()
    expect(page.locator("#hints")).to_be_visible()
    assert [part.bounding_box() for part in parts] == before


@pytest.mark.parametrize("size", [HANDY, {}], ids=["phone", "desk"])
def test_the_reason_is_on_the_screen(size: dict[str, Any], visit: Visit, someone: Person) -> None:
    person = someone.lay(variant_where(all_at_once), name="Ana")
    play_some(person, 4)
    page = visit(**size).sit(seat_link(person))
    if size:
        page.locator("#points").tap()
        page.locator("#score > .close").tap()
        expect(page.locator("#score")).to_be_hidden()
        page.locator("#points").tap()
    page.locator("#lines .why-button").first.click()
    name = page.locator("#lines tr.lit").get_attribute("data-line")
    sentence = person.get(f"lines/{name}", seat=0)["sentence"]
    shown = page.get_by_text(sentence, exact=True).locator("visible=true")
    expect(shown).to_have_count(1)
    assert is_on_screen(shown)
