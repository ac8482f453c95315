"""What a table is like: names of bots, the wait, what moves and sounds, quick words, notices, the end of a match alone."""

from __future__ import annotations

import random
import re

import pytest
from browsing import Visit, Visitor, each_game, seat_link, written
from playwright.sync_api import Locator, Page, expect
from serving import Person, all_at_once, one_by_one, variant_where

from lamplighter import games
from lamplighter.engine import plain
from lamplighter.engine.game import Game

HANDY = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MOVING = {"reduced_motion": "no-preference"}
# notes what browsers in tests cannot show: tones, notifications, and a page that is out of sight
NOTED = """(() => {
  window.noted = { tones: 0, notices: [] };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.noted.tones += 1; return start.apply(this, when); };
  window.Notification = class {
    static permission = "granted";
    static requestPermission() { return Promise.resolve("granted"); }
    constructor(title, { body }) { window.noted.notices.push(`${title}: ${body}`); }
  };
})()"""
HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
ROLLING = """() => document.getAnimations()
  .filter((one) => one.effect.target?.matches?.("svg.sheet [data-source]")).length"""


def settle(page: Page, **switches: bool) -> None:
    """Turn switches of the settings on or off."""
    page.get_by_role("button", name="Settings").click()
    for name, wanted in switches.items():
        page.locator(f"#settings [name={name}]").set_checked(wanted)
    page.locator("#settings").get_by_role("button", name="Close").click()


# --- home and set-up ------------------------------------------------------------------------------------------


def test_a_card_says_what_a_game_is_and_play_offers_a_level(visit: Visit) -> None:
    game = next(game for game in map(games.load, games.own_names()) if game.seats[0] == 1)
    page = visit().open("/")
    card = page.locator(".game").filter(has=page.get_by_role("heading", name=game.title, exact=True))
    for fact in (
        f"1–{game.seats[1]} players",
        f"{game.minutes[0]}–{game.minutes[1]} min",
        f"age {game.age}+",
    ):
        expect(card.locator(".facts")).to_contain_text(fact)
    against = card.get_by_label(f"Opponents in {game.title}")
    against.select_option("easy")
    card.get_by_role("button", name=f"Play {game.title}").click()
    page.wait_for_selector("#main[data-seq]")
    expect(page.locator("#who .name")).to_have_text(["Guest", re.compile(r"^[A-Z][a-z]+ \(easy\)$")])
    page.goto("/")
    expect(against).to_have_value("easy")
    against.select_option("alone")
    card.get_by_role("button", name=f"Play {game.title}").click()
    page.wait_for_selector("#main[data-seq]")
    expect(page.locator("#who .name")).to_have_text(["Guest"])


def test_the_wait_is_chosen_with_the_table(visit: Visit) -> None:
    """Long on one device, short with friends elsewhere; "until I press Done" waits without end, and can be taken back."""
    visitor, rng = visit(), random.Random(6)
    page = visitor.open(f"/new/{variant_where(one_by_one).partition('?')[0]}")
    wait = page.get_by_label("The next roll, card or bot waits")
    expect(wait).to_have_value("long")
    page.get_by_label("Seat 2").select_option("open")
    expect(wait).to_have_value("short")
    page.get_by_label("Seat 2").select_option("here")
    expect(wait).to_have_value("long")
    wait.select_option("done")
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#main[data-seq]")
    while visitor.wanted() != "done":
        expect(page.locator("#status .words")).to_have_text(re.compile(r"^(Ana|Player \d): "))
        visitor.step(rng)
    expect(page.locator("#status .words")).to_contain_text("Press Done to go on")
    expect(page.locator("#done .ring")).to_be_hidden()
    before = visitor.moment()
    page.locator("#undo").click()
    visitor.await_change(before)
    assert visitor.wanted() == "move"


# --- at the table ---------------------------------------------------------------------------------------------


def on_screen(one: Locator) -> bool:
    return bool(
        one.evaluate(
            """(one) => { const { left, right, top, bottom } = one.getBoundingClientRect();
            return left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1; }"""
        )
    )


@each_game("switch_on")
def test_everything_keeps_its_place_on_a_phone(our_game: Game, visit: Visit, someone: Person) -> None:
    """The sentence is whole, take back and the place of Done never move, and no action is cut off."""
    visitor, rng = visit(**HANDY), random.Random(8)
    person = someone.lay(f"{our_game.id}?seats={max(2, our_game.seats[0])}", name="Ana")
    page, places = visitor.sit(seat_link(person)), set()
    cut = "(one) => one.scrollHeight > one.clientHeight + 1"
    for _ in range(7):
        if visitor.wanted() == "over":
            break
        assert not page.locator("#status .words").evaluate(cut), page.locator("#status .words").inner_text()
        undo, end = page.locator("#undo"), page.locator("#controls .end")
        places.add(str([undo.bounding_box(), end.bounding_box()]))
        for one in (undo, end, *page.locator("#tray .action, #done:visible").all()):
            assert on_screen(one), one.inner_text()
        assert page.evaluate("innerHeight - document.querySelector('#dock').getBoundingClientRect().bottom") < 2
        visitor.step(rng)
    assert len(places) == 1


@each_game("switch_on")
def test_any_step_can_be_taken_back(our_game: Game, visit: Visit, someone: Person) -> None:
    """Whatever is done first in a turn, also an action that goes nowhere on the sheet, until what follows is revealed."""
    visitor, rng = visit(), random.Random(9)
    person = someone.lay(f"{our_game.id}?seats={max(2, our_game.seats[0])}", ["me", "bot:uniform"], name="Ana")
    page = visitor.sit(seat_link(person))
    for _ in range(5):
        while visitor.wanted() == "done":
            visitor.step(rng)
        moves = person.view(0)["moves"]
        offers = [one for one in visitor.offers() if one.get_attribute("id") != "done"]
        if not offers:
            visitor.step(rng)
            continue
        visitor.offers = lambda offers=offers: offers  # type: ignore[method-assign]  # nobody ends the step here
        visitor.move(rng)
        del visitor.offers  # type: ignore[method-assign]
        expect(page.locator("#undo")).to_be_enabled()
        moved = visitor.moment()
        page.locator("#undo").click()
        visitor.await_change(moved)
        assert person.view(0)["moves"] == moves
        visitor.step(rng)


def test_the_name_comes_first_where_several_play_on_one_device(visit: Visit, someone: Person) -> None:
    """Also when something is chosen."""
    us = someone.lay(variant_where(all_at_once), ["me", "me"], names=["Ana", "Bo"])
    visitor = visit()
    page = visitor.sit(seat_link(us))
    expect(page.locator("#status .words")).to_have_text(re.compile("^Ana: "))
    next(visitor.taken())
    expect(page.locator("#status .words")).to_have_text(re.compile("^Ana: .+: tap a lit square"))


def play_until_rolled(visitor: Visitor, rng: random.Random) -> None:
    """Play until something was revealed."""
    before = visitor.page.locator("#log li.chance").count()
    while visitor.page.locator("#log li.chance").count() == before:
        visitor.step(rng)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_dice_roll_unless_somebody_wants_calm(motion: str, visit: Visit, someone: Person) -> None:
    visitor = visit(reduced_motion=motion)
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once, 1), name="Ana")))
    page.evaluate(f"""() => {{
      window.rolled = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...given) {{
        const made = animate.apply(this, given);
        if (this.matches("svg.sheet [data-source]")) window.rolled += ({ROLLING})();
        return made;
      }};
    }}""")
    play_until_rolled(visitor, random.Random(3))
    assert (page.evaluate("window.rolled") > 0) == (motion != "reduce")


def test_sounds_are_off_until_somebody_wants_them(visit: Visit, someone: Person) -> None:
    visitor, rng = visit(), random.Random(3)
    visitor.context.add_init_script(NOTED)
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once), name="Ana")))
    visitor.wanted()
    visitor.move(rng)
    assert page.evaluate("window.noted.tones") == 0
    settle(page, sounds=True)
    visitor.move(rng)
    assert page.evaluate("window.noted.tones") > 0


def test_a_page_out_of_sight_says_whose_turn_it_is(visit: Visit, someone: Person) -> None:
    """In its title always, and with a notification if that was wanted."""
    host = someone.lay(variant_where(one_by_one), ["me", "open"], name="Ana")
    bo, visitor = host.join("Bo"), visit()
    visitor.context.add_init_script(NOTED)
    page = visitor.sit(seat_link(host))
    people = {0: host, 1: bo}

    def bring_round() -> None:
        """Let it be Bo's turn, then Ana's again."""
        while (waiting := host.view()["waiting"]) != [1]:
            people[waiting[0]].play()
        expect(page).not_to_have_title(re.compile("Your turn"))
        while (waiting := host.view()["waiting"])[0] != 0:
            people[waiting[0]].play()
        expect(page).to_have_title(re.compile("^● Your turn"))

    page.evaluate(HIDE)
    bring_round()
    assert page.evaluate("window.noted.notices") == []
    settle(page, notices=True)
    bring_round()
    assert page.evaluate("window.noted.notices") == [f"Your turn: {host.view()['title']}"]


def test_quick_words_are_shown_beside_a_name_for_a_while(visit: Visit, someone: Person) -> None:
    """To the others, not to who has turned them off; and who plays alone finds nothing to say them with."""
    host = someone.lay(variant_where(all_at_once, 3), ["me", "open", "open"], name="Ana")
    ana, bo, cy = visit(), visit(**HANDY), visit()
    ana.page.clock.install()
    for visitor, person in ((ana, host), (bo, host.join("Bo")), (cy, host.join("Cy"))):
        visitor.sit(seat_link(person))
    settle(cy.page, reactions=False)
    expect(cy.page.get_by_role("button", name="Say something")).to_be_hidden()
    expect(ana.page.locator("#who li")).to_have_count(3)
    ana.stop_clock()
    bo.page.get_by_role("button", name="Say something").tap()
    bo.page.get_by_role("dialog", name="Say something").get_by_role("button", name="Well played!").tap()
    for visitor in (bo, ana):
        expect(visitor.page.locator("#who [data-seat='1'] .said")).to_have_text("Well played!")
    ana.page.clock.run_for(1000)
    expect(ana.page.locator("#live")).to_contain_text("Bo: Well played!")
    expect(ana.page.locator(".said")).to_have_count(1)
    expect(cy.page.locator(".said")).to_have_count(0)
    ana.page.clock.run_for(6000)
    expect(ana.page.locator(".said")).to_have_count(0)
    alone = visit().sit(seat_link(someone.lay(variant_where(all_at_once), name="Ana")))
    expect(alone.locator("#react")).to_be_hidden()


# --- the end --------------------------------------------------------------------------------------------------


def test_the_end_alone_names_the_goal_and_the_best_result(visit: Visit, someone: Person) -> None:
    loaded = map(games.load, games.own_names())
    game = next(game for game in loaded if game.seats[0] == 1 and game.texts.verdict is not plain.verdict)
    visitor, totals = visit(**HANDY), list[int]()
    for seed in (1, 2, 3):
        person = someone.lay(f"{game.id}?seats=1", name="Ana")
        view = person.play_on(random.Random(seed))
        page = visitor.sit(seat_link(person))
        expect(page.locator("#over")).to_contain_text(re.compile(r"The goal (is|was not) reached"))
        expect(page.locator("#over")).to_contain_text(view["verdict"])
        words = f"Your best so far in this browser: {'it was ' if totals and view['seats'][0]['total'] > max(totals) else ''}"
        told = f"{words}{written(max(totals))}" if totals else "first match of this kind in this browser"
        for _ in range(2):  # and the same again when the page is loaded once more
            expect(page.locator("#over")).to_contain_text(told)
            page.reload()
        totals.append(view["seats"][0]["total"])


def test_who_has_won_is_celebrated(visit: Visit, someone: Person) -> None:
    person = someone.lay(variant_where(all_at_once, 1), name="Ana")
    visitor = visit(**MOVING)
    visitor.page.clock.install()
    visitor.sit(seat_link(person))
    page = visitor.stop_clock()  # else the count may be over before it is skipped
    page.evaluate("""() => new MutationObserver((changes) => {
      window.sparks ??= changes.some((one) => [...one.addedNodes].some((node) => node.matches?.(".sparks"))) || undefined;
    }).observe(document.body, { childList: true })""")
    person.play_on(random.Random(23))
    page.get_by_role("button", name="Skip").click()
    page.clock.run_for(100)
    page.wait_for_function("() => window.sparks")
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    expect(page.locator(".sparks")).to_have_count(0)
    expect(page.locator("#over h2")).to_be_visible()
