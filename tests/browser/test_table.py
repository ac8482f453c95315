"""What a player finds at the table: reasons for refusals, taking back, why a line scores, other sheets."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from browsing import Visit, Visitor, each_game, play_some, play_until_free, seat_link, sit_where_a_roll_waits
from playwright.sync_api import Page, Route, expect
from serving import Person, all_at_once, until, variant_where

from lamplighter import games
from lamplighter.engine.game import Game

UNLIT = """() => {
  const cells = (selector) => [...document.querySelectorAll(selector)].map((one) => one.dataset.cell);
  const lit = new Set(cells("#paper .spot"));
  return cells("#paper .cells [data-cell]").filter((cell) => !lit.has(cell));
}"""


def refusals(visitor: Visitor, person: Person) -> list[dict[str, Any]]:
    """For the first thing on offer that has any: the cells where a rule keeps it out, with the rule."""
    page, found = visitor.page, []
    for source in visitor.taken():
        if not page.locator("#paper .spot").count():
            continue
        for cell in page.evaluate(UNLIT):
            answer = person.post("explain", seat=0, source=source, cell=cell)
            if answer["rule"]:
                found.append(answer | {"cell": cell})
        if found:
            return found
    return found


def refused_somewhere(visitor: Visitor, person: Person) -> dict[str, Any]:
    """Play until something does not fit somewhere, and take it."""
    rng = random.Random(11)
    for _ in range(40):
        if visitor.wanted() == "move" and (found := refusals(visitor, person)):
            return found[0]
        visitor.step(rng)
    raise AssertionError("everything fitted everywhere")


def expect_refusal(page: Page, refusal: dict[str, Any]) -> None:
    """A bubble says why, and opens the rules at the paragraph."""
    bubble = page.locator(".bubble")
    expect(bubble).to_contain_text(refusal["sentence"])
    expect(bubble).to_contain_text(refusal["rule"])
    expect(page.locator("#live")).to_contain_text(refusal["sentence"])
    bubble.click()
    first = refusal["rule"].replace(",", " ").split()[0]
    place = page.locator("#rules .here")
    expect(place).to_have_attribute("id", first.replace("§", "p"))
    expect(place).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("#rules")).to_be_hidden()


@each_game("greenways")
def test_a_refused_move_says_why(our_game: Game, visit: Visit, someone: Person) -> None:
    """By pointing to a cell that is not lit, and by typing the move."""
    visitor, person = visit(), someone.lay(our_game.id)
    page = visitor.sit(seat_link(person))
    refusal, before = refused_somewhere(visitor, person), visitor.moment()
    page.locator(f'#paper .cells [data-cell="{refusal["cell"]}"]').click()
    expect_refusal(page, refusal)
    visitor.expects("422")  # the browser notes that the server refused the move that is typed
    page.locator("#typed summary").click()
    page.get_by_label("Move", exact=True).fill(refusal["move"])
    page.get_by_role("button", name="Play it").click()
    expect_refusal(page, refusal)
    assert visitor.moment() == before


def test_a_refusal_goes_away_when_something_is_done(visit: Visit, someone: Person) -> None:
    """After a press on why, a legal move and a take-back."""
    visitor, person = visit(), someone.lay(variant_where(all_at_once))
    page, bubble = visitor.sit(seat_link(person)), visitor.page.locator(".bubble")
    refused = page.locator(f'#paper .cells [data-cell="{refused_somewhere(visitor, person)["cell"]}"]')
    for selector in ("#lines .why-button >> visible=true", "#paper .spot"):
        refused.dispatch_event("click")
        expect(bubble).to_be_visible()
        page.locator(selector).first.dispatch_event("click")
        expect(bubble).to_have_count(0)
    assert visitor.wanted() == "move"
    page.keyboard.press("Escape")
    page.locator("#paper .cells [data-cell]").first.dispatch_event("click")
    expect(bubble).to_contain_text("First choose")
    page.keyboard.press("u")
    expect(bubble).to_have_count(0)


def test_places_of_other_pieces_go_out(visit: Visit, someone: Person) -> None:
    """Where a sheet lights all places of a hand, only those of the chosen piece stay lit."""
    visitor = visit()
    page = visitor.sit(seat_link(someone.lay("greenways?seats=1")))
    places = page.locator("#paper path.may").first
    play_until_free(visitor, random.Random(1))
    expect(places).to_have_css("opacity", "1")
    page.keyboard.press("1")
    expect(page.locator("#main")).not_to_have_attribute("data-chosen", "")
    expect(places).to_have_css("opacity", "0.15")


def take_what_has_a_place(visitor: Visitor) -> bool:
    """Take something that goes somewhere on the sheet, if there is any; a payment does not."""
    return any(visitor.page.locator("#paper .spot").count() for _ in visitor.taken())


def test_a_payment_is_sent_as_the_server_offered_it(visit: Visit, someone: Person) -> None:
    """Where one place has several moves, the player chooses what to pay, and the browser sends that move unchanged."""
    visitor, rng = visit(), random.Random(5)
    for variant in [f"{name}?seats={games.load(name).seats[0]}" for name in games.own_names()] * 3:
        person = someone.lay(variant)
        for _ in range(25):
            until(
                lambda person=person: person.view(0)["moves"] or person.view(0)["phase"] == "over",
                "it is the person's turn",
            )
            view = person.view(0, sheet=True)
            if view["ways"] or not view["moves"]:
                break
            person.move(rng.choice(view["moves"]), view)
        if view["ways"]:
            break
    page = visitor.sit(seat_link(person))
    shown = max(view["ways"], key=lambda move: len(view["ways"][move]))
    leaf = page.locator(f'#paper .targets [data-move="{shown}"]')
    source = leaf.evaluate("(leaf) => leaf.closest('[data-source]').dataset.source")
    assert any(taken == source for taken in visitor.taken())
    page.locator(f'#paper .spot[data-cell="{leaf.get_attribute("data-cell")}"]').click()
    buttons = page.locator("dialog.choose .ways button")
    chosen = page.evaluate("() => document.querySelectorAll('dialog.choose .ways button').length") - 1
    with page.expect_request(lambda request: request.url.endswith("/moves")) as sent:
        buttons.nth(chosen).click()
    assert (sent.value.post_data_json or {})["move"] in view["moves"]
    assert chosen > 0 and (sent.value.post_data_json or {})["move"] != shown


FOLLOW = """() => document.addEventListener("pointerup", (event) => (window.pointer = [event.clientX, event.clientY]), true)"""
# the browser has noticed what lies under the pointer now
NOTICED = "() => document.elementFromPoint(...window.pointer).matches(':hover')"


@each_game("greenways")
def test_nothing_is_shown_before_the_pointer_moves(our_game: Game, visit: Visit, someone: Person) -> None:
    """Where one drew something, what comes next may fit too: it is shown when the pointer moves."""
    visitor, rng = visit(), random.Random(18)
    page = visitor.sit(seat_link(someone.lay(our_game.id)))
    page.evaluate(FOLLOW)
    for _ in range(6):
        visitor.step(rng)
        page.wait_for_function(NOTICED)
        expect(page.locator("#paper .ghost")).to_have_count(0)
    for _ in range(60):
        if visitor.wanted() == "move" and take_what_has_a_place(visitor):
            break
        visitor.step(rng)
    page.locator("#paper .spot").last.hover()
    expect(page.locator("#paper .ghost")).to_have_count(1)


def test_a_typed_move_is_played(visit: Visit, someone: Person) -> None:
    visitor, person = visit(), someone.lay(variant_where(all_at_once))
    page = visitor.sit(seat_link(person))
    visitor.wanted()
    before = visitor.moment()
    page.locator("#typed summary").click()
    page.get_by_label("Move", exact=True).fill(person.view()["moves"][0])
    page.keyboard.press("Enter")
    visitor.await_change(before)


def test_the_last_move_is_taken_back(visit: Visit, someone: Person) -> None:
    """The roll waits for it; then the sheet is as before. Done lets the roll come."""
    visitor, rng = visit(), random.Random(12)
    sheet = sit_where_a_roll_waits(visitor, someone, rng)
    page, moment, rolls = visitor.page, visitor.moment(), visitor.page.locator("#log li.chance")
    rolled = rolls.count()
    assert page.locator("#words pre").text_content() != sheet
    page.get_by_role("button", name="Take back").click()
    visitor.await_change(moment)
    expect(page.locator("#done")).to_be_hidden()
    assert page.locator("#words pre").text_content() == sheet
    visitor.move(rng)
    assert visitor.wanted() == "done"
    expect(rolls).to_have_count(rolled)
    page.get_by_role("button", name="Done").click()
    expect(rolls).not_to_have_count(rolled)


@each_game("railroad")
def test_why_lights_the_cells_behind_a_line(our_game: Game, visit: Visit, someone: Person) -> None:
    person = someone.lay(our_game.id)
    play_some(person, 25)
    visitor = visit()
    page = visitor.sit(seat_link(person))
    lines = [line["name"] for line in person.view()["seats"][0]["lines"]]
    cells = {line: person.get(f"lines/{line}", seat=0)["cells"] for line in lines}
    line = max(lines, key=lambda one: len(cells[one]))
    assert cells[line]
    why = page.locator("#lines tr").nth(lines.index(line)).get_by_role("button")
    why.click()
    expect(page.locator("#paper .lit")).to_have_count(len(cells[line]))
    expect(why).to_have_attribute("aria-pressed", "true")
    why.click()
    expect(page.locator("#paper .lit")).to_have_count(0)


def test_another_sheet_is_looked_at_large(visit: Visit, someone: Person) -> None:
    visitor = visit()
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once), name="Ana")))
    seat = page.locator("#who li:not(.mine) button.seat")
    seat.click()
    sheet = page.locator("dialog[open] img.small-sheet")
    expect(sheet).to_be_visible()
    page.wait_for_function("() => document.querySelector('dialog[open] img').naturalWidth > 0")
    expect(page.locator("dialog[open] .points").first).to_be_visible()
    page.locator("dialog[open]").get_by_role("button", name="Close").click()
    expect(sheet).to_have_count(0)
    page.locator("#who li:not(.mine) button.peek").click()
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_news_are_read_aloud(visit: Visit, someone: Person) -> None:
    """Moves, rolls and points come to who cannot see them."""
    visitor, rng = visit(), random.Random(14)
    page = visitor.sit(seat_link(someone.lay(variant_where(all_at_once), name="Ana")))
    visitor.wanted()
    page.evaluate("""() => {
      window.said = [];
      new MutationObserver(() => window.said.push(document.querySelector("#live").textContent))
        .observe(document.querySelector("#live"), { childList: true, characterData: true, subtree: true });
    }""")
    while page.locator("#turn").inner_text() == "turn 1":
        visitor.step(rng)
    for words in ("Ana: ", "Roll: ", "You have "):
        page.wait_for_function("(words) => window.said.some((said) => said.includes(words))", arg=words)


def test_several_people_share_a_device(visit: Visit, someone: Person) -> None:
    """Who has moved passes on to who has not."""
    visitor = visit()
    person = someone.lay(variant_where(all_at_once), ["me", "me"], names=["Ana", "Bo"])
    page = visitor.sit(seat_link(person))
    rng, seen = random.Random(15), set()
    while len(seen) < 2:
        assert visitor.wanted() == "move"
        seen.add(page.locator("#main").get_attribute("data-you"))
        visitor.move(rng)
    page.locator("#mine button", has_text="Bo").click()
    expect(page.locator("#mine button[aria-pressed=true]")).to_contain_text("Bo")


def refuse(code: str) -> Callable[[Route], None]:
    """Answers for the server that something cannot be done now."""
    return lambda route: route.fulfill(status=409, json={"error": {"code": code, "message": "planted words"}})


def test_a_refusal_is_told_in_its_own_words(visit: Visit, someone: Person) -> None:
    """Only where the seat has moved on, the page says so; other refusals say what they are."""
    visitor, person = visit(), someone.lay(variant_where(all_at_once))
    visitor.expects("409")
    page = visitor.sit(seat_link(person))
    visitor.wanted()
    page.locator("#typed summary").click()
    for code, words in (("table/not-now", "planted words"), ("move/stale", "The table has changed")):
        page.route("**/moves", refuse(code))
        page.get_by_label("Move", exact=True).fill(person.view()["moves"][0])
        page.keyboard.press("Enter")
        expect(page.locator(".toast").last).to_contain_text(words)
        page.unroute("**/moves")


# --- what stays in its place ----------------------------------------------------------------------------------

KEEP = """(selectors) => {
  window.kept = selectors.map((one) => document.querySelector(one));
  document.querySelector(selectors[0]).focus();
}"""
KEPT = "() => window.kept.every((one) => one.isConnected) && document.activeElement === window.kept[0]"


def test_nothing_goes_away_under_a_finger(visit: Visit, someone: Person) -> None:
    """While others play, what can be pressed stays the same element, and keeps the focus."""
    host = someone.lay(variant_where(all_at_once), ["me", "open"], name="Ana")
    friend, visitor = host.join("Bo"), visit()
    page = visitor.sit(seat_link(host))
    visitor.wanted()
    page.evaluate(
        KEEP, ["#lines .why-button", "#who .seat", "#who li:last-child img", "#paper .source", "#status .words"]
    )
    moves = page.locator("#log li.move")
    for number in range(1, 4):
        friend.play(random.Random(number))
        expect(moves).to_have_count(number)
        assert page.evaluate(KEPT)


def test_the_way_back_from_a_bot_stays_under_the_finger(visit: Visit, someone: Person) -> None:
    """The seconds run on beside it."""
    host = someone.lay(variant_where(all_at_once), ["me", "open"], name="Ana")
    host.join("Bo")
    visitor = visit()
    page = visitor.page
    page.clock.install()
    visitor.sit(seat_link(host))
    host.post("seats/0", bot="uniform")
    expect(page.locator("#back")).to_be_visible()
    page.evaluate(KEEP, ["#back"])
    page.clock.run_for(5000)
    assert page.evaluate(KEPT)
    page.keyboard.press("Enter")
    expect(page.locator("#back")).to_be_hidden()


def test_a_choice_in_two_steps_keeps_the_focus(visit: Visit, someone: Person) -> None:
    """The ways to do something stay while others play and seconds run."""
    visitor = visit()
    for name in games.own_names():
        page = visitor.sit(seat_link(someone.lay(name)))
        visitor.wanted()
        for _ in visitor.taken():
            if page.locator("#choices button").count():
                page.evaluate(KEEP, ["#choices button:last-child"])
                page.evaluate("document.documentElement.dispatchEvent(new Event('themechange'))")
                assert page.evaluate(KEPT)
                return


# --- for who watches ------------------------------------------------------------------------------------------


def test_who_watches_sees_scores_and_why(visit: Visit, someone: Person) -> None:
    """Every seat's lines stand below its sheet, and light their cells on it; so they do in the dialog of a seat."""
    host = someone.lay(variant_where(all_at_once), name="Ana")
    play_some(host, 12)
    lines = host.view()["seats"][0]["lines"]
    cells = {line["name"]: len(host.get(f"lines/{line['name']}", seat=0)["cells"]) for line in lines}
    name = max(cells, key=lambda line: cells[line])
    label = f"Why: {next(line['title'] for line in lines if line['name'] == name)}"
    watcher, friend = visit(), visit()
    figure = watcher.sit(f"/t/{host.table}/watch").locator("#others figure").first
    figure.get_by_role("button", name=label, exact=True).click()
    expect(figure.locator(".glow .lit")).to_have_count(cells[name])
    expect(watcher.page.locator("#others figure").last.locator(".glow .lit")).to_have_count(0)
    expect(watcher.page.locator("#stranger")).to_be_hidden()
    page = friend.sit(f"/t/{host.table}")
    expect(page.locator("#stranger")).to_contain_text("You are watching.")  # they may have meant to sit
    page.get_by_role("button", name="Ana,").click()
    dialog = page.locator("dialog.one-seat")
    dialog.get_by_role("button", name=label, exact=True).click()
    expect(dialog.locator(".glow .lit")).to_have_count(cells[name])
    dialog.get_by_role("button", name=label, exact=True).click()
    expect(dialog.locator(".glow .lit")).to_have_count(0)


def test_lines_without_points_are_folded(visit: Visit, someone: Person) -> None:
    """A long score shows the lines in which somebody has something; a button shows all."""
    host, names = someone, list[str]()
    for game in games.own_names():
        if len(names) <= 7:
            host = someone.lay(game, name="Ana")
            names = [line["name"] for line in host.view()["seats"][0]["lines"] if line["title"]]
    assert len(names) > 7
    play_some(host, 2)
    page = visit().sit(seat_link(host))
    rows = page.locator("#lines tbody tr:visible")

    def folded() -> bool:
        seats = host.view()["seats"]  # asked again: bots may still be playing
        used = [i for i in range(len(names)) if any(seat["lines"][i]["points"] for seat in seats)]
        return len(used) < len(names) and rows.count() == len(used)

    until(folded, "only lines with points are shown")
    page.locator("#lines .fold").click()
    expect(rows).to_have_count(len(names))
    page.reload()
    expect(rows).to_have_count(len(names))
    page.locator("#lines .fold").click()
    until(folded, "they are folded again")
