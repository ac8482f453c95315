"""Several people at one table: friends by link, spectators, screens; reloads, crashes, and those who leave."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import WANTED, Visit, Visitor, seat_link, totals_shown
from playwright.sync_api import Page, expect
from serving import UNLIMITED, Person, ServerProcess, all_at_once, is_secret, until, variant_where

from lamplighter import games
from lamplighter.web.settings import Settings


def game_of(variant: str) -> str:
    return variant.partition("?")[0]


def invite(visitor: Visitor, variant: str, name: str) -> str:
    """Set a table up for oneself and a friend; the link to send."""
    page = visitor.go(f"/new/{game_of(variant)}")
    page.get_by_label("Your name").fill(name)
    expect(page.get_by_label("Seat 1")).to_be_visible()
    while page.locator("#setup .seats li").count() > 2:
        page.get_by_role("button", name="Remove a player").click()
    page.get_by_label("Seat 2").select_option("open")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="Waiting for 1 friend")).to_be_visible()
    expect(page.locator("#lobby img.qr")).to_be_visible()
    return page.get_by_label("Invite", exact=True).input_value()


def join(visitor: Visitor, link: str, name: str) -> Page:
    page = visitor.sit(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Take a seat").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "play")
    return page


def open_log(page: Page) -> None:
    page.locator("#log summary").click()


def drawn(page: Page, selector: str) -> int:
    """How many pictures have really come."""
    script = "(selector) => [...document.querySelectorAll(selector)].filter((one) => one.naturalWidth > 0).length"
    return int(page.evaluate(script, selector))


def test_two_friends_at_one_table(visit: Visit) -> None:
    """One invites, the other joins; each sees the other's moves come without a reload."""
    ana, bo = visit(), visit()
    variant = variant_where(all_at_once)
    join(bo, invite(ana, variant, "Ana"), "Bo")
    expect(ana.page.locator("body")).to_have_attribute("data-phase", "play")
    for one in (ana, bo):
        one.page.evaluate("window.stayed = true")
        open_log(one.page)
    rng = random.Random(2)
    for mover, other, name in ((ana, bo, "Ana"), (bo, ana, "Bo"), (bo, ana, "Bo"), (ana, bo, "Ana")):
        before = other.page.locator("#log li.move").filter(has_text=f"{name}:").count()
        if mover.page.locator("#status.mine").count():
            mover.step(rng)
        expect(other.page.locator("#log li.move").filter(has_text=f"{name}:")).to_have_count(before + 1)
    for one in (ana, bo):
        assert one.page.evaluate("window.stayed")
        expect(one.page.locator("#who li")).to_have_count(2)


def test_two_friends_play_to_the_end(visit: Visit, someone: Person) -> None:
    """A short game from outside, whose moves alternate; both see the same end."""
    short = next(name for name in games.names() if name not in games.own_names())
    host = someone.lay(short, ["me", "open"], name="Ana")
    friend, ana, bo = host.join("Bo"), visit(), visit()
    ana.sit(seat_link(host))
    bo.sit(seat_link(friend))
    play_together(ana, bo, random.Random(2))
    for one in (ana, bo):
        expect(one.page.locator("#over h2")).to_be_visible()
    assert totals_shown(ana) == totals_shown(bo) == [seat["total"] for seat in host.view()["seats"]]


def play_together(ana: Visitor, bo: Visitor, rng: random.Random) -> None:
    """Whoever has something to do does it, until the match is over for both."""
    while {one.page.evaluate(WANTED) for one in (ana, bo)} != {"over"}:
        for one in (ana, bo):
            if one.page.evaluate(WANTED) not in (None, "over"):
                one.step(rng)


def test_hidden_hands_stay_hidden(visit: Visit, someone: Person) -> None:
    """A spectator and the screen of the room see dice and sheets, but what is dealt to a seat only its owner sees."""
    host = someone.lay(variant_where(is_secret), ["me", "open"], name="Ana")
    friend = host.join("Bo")
    for person in (host, friend, host, friend):
        if person.view()["moves"]:
            person.play(random.Random(1))
    ana, bo, watcher, screen = visit(), visit(), visit(), visit()
    pages = [ana.sit(seat_link(host)), bo.sit(seat_link(friend)), watcher.sit(f"/t/{host.table}/watch")]
    for page in pages:
        open_log(page)
    dealt = [entry for entry in host.view()["log"] if entry["kind"] == "chance" and entry["seat"] == 0]
    assert dealt
    assert "?" not in {entry["text"] for entry in dealt}
    expect(pages[0].locator("#log li").filter(has_text="Ana gets")).to_have_count(len(dealt))
    for page in pages[1:]:
        expect(page.locator("#log li").filter(has_text="Ana draws")).to_have_count(len(dealt))
        expect(page.locator("#log li").filter(has_text="Ana gets")).to_have_count(0)
    room = screen.go(f"/t/{host.table}/screen")
    expect(room.locator("#sheets figure")).to_have_count(2)
    for page, selector in ((pages[2], "#others img"), (room, "#sheets img")):
        page.wait_for_function("(s) => [...document.querySelectorAll(s)].every((one) => one.complete)", arg=selector)
        assert drawn(page, selector) == 2
    expect(pages[2].locator("#paper")).to_be_hidden()
    expect(pages[2].locator("#dock")).to_be_hidden()


def test_the_screen_shows_rolls_as_they_come(visit: Visit, someone: Person) -> None:
    host = someone.lay(variant_where(all_at_once))
    room = visit().go(f"/t/{host.table}/screen")
    shown = room.locator("#roll .thrown")
    expect(shown.first).to_be_visible()
    turn = room.locator("#turn").inner_text()
    while host.view()["turn"] == 1:
        host.play(random.Random(3))
    expect(room.locator("#turn")).not_to_have_text(turn)
    view = host.view(sheet=True)
    rolled = [entry["text"] for entry in view["log"] if entry["kind"] == "chance"]
    expect(shown.last).to_have_text(view["words"].get(rolled[-1], rolled[-1]).replace("-", " "))


# --- coming back ----------------------------------------------------------------------------------------------


def test_a_reload_keeps_the_seat(visit: Visit, someone: Person) -> None:
    """By the fragment, by the cookie alone, and by the same link on another device."""
    ana, rng = visit(), random.Random(4)
    host = someone.lay(variant_where(all_at_once), name="Ana")
    page = ana.sit(seat_link(host))
    ana.step(rng)
    moment = ana.moment()
    page.reload()
    page.wait_for_selector("#main[data-seq]")
    assert ana.moment() == moment
    page.goto("about:blank")
    ana.sit(f"/t/{host.table}")
    assert ana.moment() == moment
    elsewhere = visit()
    elsewhere.sit(seat_link(host))
    assert elsewhere.moment() == moment
    elsewhere.step(rng)
    expect(page.locator("#main")).to_have_attribute(
        "data-version", str(elsewhere.page.locator("#main").get_attribute("data-version"))
    )
    stranger = visit()
    stranger.sit(f"/t/{host.table}")
    expect(stranger.page.locator("#dock")).to_be_hidden()
    expect(stranger.page.locator("#others figure")).to_have_count(len(host.view()["seats"]))


def test_the_home_page_knows_the_way_back(visit: Visit, someone: Person) -> None:
    ana, host = visit(), someone.lay(variant_where(all_at_once), name="Ana")
    ana.sit(seat_link(host))
    title = ana.page.locator("#title").inner_text()
    page = ana.go("/")
    page.locator("#resume").get_by_role("link", name=title).click()
    page.wait_for_selector("#main[data-seq]")
    assert ana.table == host.table
    expect(page.locator("#dock")).to_be_visible()


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that may be killed; its rolls wait for "done"."""
    made = ServerProcess(Settings(f"sqlite:///{tmp_path}/tables.db", hold=3600, **UNLIMITED))
    yield made
    made.close()


@pytest.mark.thorough
def test_the_server_is_killed_and_comes_back(visit: Visit, mortal: ServerProcess) -> None:
    """The page waits, says so, and goes on by itself; a move made meanwhile arrives once."""
    ana, rng = visit(mortal.url), random.Random(6)
    ana.expects("net::ERR_")
    host = Person(mortal.url).lay(variant_where(all_at_once), name="Ana")
    page = ana.sit(seat_link(host))
    page.evaluate("window.stayed = true")
    for _ in range(3):
        assert ana.wanted() == "move"
        ana.move(rng)
    assert ana.wanted() == "move"
    known = host.view()["seq"]
    mortal.kill()
    expect(page.locator("#connection")).to_be_visible()
    before = ana.moment()
    ana.point(rng)
    mortal.start()
    expect(page.locator("#connection")).to_be_hidden()
    ana.await_change(before)
    assert host.view()["seq"] > known
    while ana.step(rng) != "move":
        pass
    assert page.evaluate("window.stayed")
    mine = [entry for entry in host.view()["log"] if entry["kind"] == "move" and entry["seat"] == 0]
    assert len(mine) == 5


# --- leaving --------------------------------------------------------------------------------------------------


def test_a_bot_plays_for_one_who_left(visit: Visit, someone: Person) -> None:
    host = someone.lay(variant_where(all_at_once), ["me", "open"], name="Ana")
    friend = host.join("Bo")
    ana, bo = visit(), visit()
    page = ana.sit(seat_link(host))
    bo.sit(seat_link(friend))
    page.get_by_role("button", name="Bo,").click()
    expect(page.locator("dialog.one-seat")).to_be_visible()
    expect(page.get_by_role("button", name="Let a bot play for them")).to_have_count(0)  # Bo is here
    page.keyboard.press("Escape")
    bo.page.close()
    until(lambda: not host.view()["seats"][1]["here"], "the server notices")
    page.get_by_role("button", name="Bo,").click()
    page.get_by_role("button", name="Let a bot play for them").click()
    expect(page.locator("#log li").filter(has_text="A bot plays for Bo")).to_have_count(1)
    bo.page = bo.new_page()
    bo.sit(seat_link(friend))
    expect(bo.page.locator("#status")).to_contain_text("A bot plays for you.")
    bo.page.get_by_role("button", name="I am back").first.click()
    expect(bo.page.locator("#log li").filter(has_text="Bo is back")).to_have_count(1)
    expect(page.locator("#log li").filter(has_text="Bo is back")).to_have_count(1)
    rng = random.Random(8)
    ana.step(rng)  # whatever is due, until it is Bo's turn again
    while bo.page.locator("#status.mine").count() == 0:
        ana.step(rng)
    before = bo.moment()
    bo.move(rng)
    assert bo.moment() != before


def test_who_is_away_is_shown(visit: Visit, someone: Person) -> None:
    """Also when they leave without a word; they can be reminded, and a bot is offered when all wait for them."""
    host = someone.lay(variant_where(all_at_once), ["me", "open"], name="Ana")
    friend, ana, bo, rng = host.join("Bo"), visit(), visit(), random.Random(10)
    bo.sit(seat_link(friend))
    until(lambda: host.view()["seats"][1]["here"], "Bo is here")
    page = ana.page
    page.clock.install()
    ana.sit(seat_link(host))
    expect(page.get_by_role("button", name="Bo, thinking")).to_be_visible()
    bo.page.close()
    until(lambda: not host.view()["seats"][1]["here"], "the server notices")
    page.clock.run_for(20_000)
    expect(page.get_by_role("button", name="Bo, away")).to_be_visible()
    expect(page.locator("#who")).to_contain_text("away")
    page.get_by_role("button", name="Bo, away").click()
    page.get_by_role("button", name="Nudge").click()
    expect(page.locator(".toast")).to_contain_text("Bo got a reminder")
    stand_in = page.get_by_role("button", name="Let a bot play for Bo")
    expect(stand_in).to_be_hidden()
    while 0 in host.view()["waiting"]:
        ana.move(rng)
    expect(page.locator("#status")).to_contain_text("Waiting for Bo (away)")
    stand_in.click()
    expect(page.locator("#log li").filter(has_text="A bot plays for Bo")).to_have_count(1)
    expect(stand_in).to_be_hidden()


# --- names ----------------------------------------------------------------------------------------------------


def test_a_name_is_text_and_never_markup(visit: Visit, someone: Person) -> None:
    name = "<img src=x onerror=ran=1><b>Bo"
    host = someone.lay(variant_where(all_at_once), ["me", "open"], name=name)
    friend = host.join(name)
    friend.play(random.Random(9))
    visitor = visit()
    for path in (seat_link(host), f"/t/{host.table}/watch", f"/t/{host.table}/screen"):
        page = visitor.go(path)
        expect(page.get_by_text(name).first).to_be_attached()
        assert page.locator("#main b").count() == 0
