"""Whose seat a page holds: by its address before the cookie, and none where a room looks on."""

from __future__ import annotations

import random
from typing import Any

from browsing import Visit, Visitor, seat_link
from playwright.sync_api import Page, Request, Route, expect
from serving import Person, all_at_once, is_secret, variant_where


def dealt(person: Person) -> Person:
    """The host of a table with a friend, where hands are hidden and have been dealt."""
    host = person.lay(variant_where(is_secret), ["me", "open"], name="Ana")
    host.join("Bo")
    return host


def asked(visitor: Visitor) -> list[str]:
    """The addresses of a table's API that are asked from now on."""
    found: list[str] = []

    def note(request: Request) -> None:
        if "/api/tables/" in request.url:
            found.append(request.url)

    visitor.page.on("request", note)
    return found


def test_the_room_sees_no_hand_in_the_browser_of_the_host(visit: Visit, someone: Person) -> None:
    """The cookie of the host is there, and still the screen and the watching page show what strangers may see."""
    host, visitor = dealt(someone), visit()
    page = visitor.sit(seat_link(host))
    expect(page.locator("#dock")).to_be_visible()
    stranger = host.ask("GET", "sheets/0.svg?as=spectator").text
    assert stranger != host.ask("GET", "sheets/0.svg").text
    page.goto("about:blank")  # the table asks for nothing any more
    addresses = asked(visitor)
    for view, pictures in (("screen", "#sheets img"), ("watch", "#others img")):
        page = visitor.go(f"/t/{host.table}/{view}")
        expect(page.locator(pictures)).to_have_count(2)
        page.wait_for_function("(s) => [...document.querySelectorAll(s)].every((one) => one.complete)", arg=pictures)
        shown = page.evaluate("async (s) => (await fetch(document.querySelector(s).src)).text()", pictures)
        assert shown == stranger, view
    expect(page.locator("#dock")).to_be_hidden()
    expect(page.locator("#log li").filter(has_text="Ana gets")).to_have_count(0)
    assert len([url for url in addresses if "/events" in url]) == 2
    assert [url for url in addresses if "as=spectator" not in url] == []


def test_two_tabs_hold_two_seats(visit: Visit, someone: Person) -> None:
    """The cookie is that of the seat that came last; each tab goes on with its own."""
    host = someone.lay(variant_where(all_at_once), ["me", "open"], name="Ana")
    friend, ana, rng = host.join("Bo"), visit(), random.Random(61)
    ana.sit(seat_link(host))
    bo = ana.new_page()
    bo.goto(seat_link(friend))
    expect(bo.locator("#main")).to_have_attribute("data-you", "1")
    assert ana.wanted() == "move"
    ana.move(rng)
    expect(ana.page.locator("#main")).to_have_attribute("data-you", "0")
    expect(bo.locator("#log li.move").filter(has_text="Ana:")).to_have_count(1)
    ana.page, first = bo, ana.page
    ana.move(rng)
    expect(bo.locator("#main")).to_have_attribute("data-you", "1")
    expect(first.locator("#log li.move").filter(has_text="Bo:")).to_have_count(1)


def test_a_link_that_opens_nothing_leaves_the_seat_of_the_cookie(visit: Visit, someone: Person) -> None:
    host, visitor = someone.lay(variant_where(all_at_once)), visit()
    visitor.expects("403")
    visitor.sit(seat_link(host))
    visitor.go("/help")
    page = visitor.sit(f"/t/{host.table}#seat=wrong")
    expect(page.locator(".toast")).to_contain_text("does not open a seat")
    expect(page.locator("#main")).to_have_attribute("data-you", "0")


def test_the_seat_comes_along_to_the_replay_and_the_rematch(visit: Visit, someone: Person) -> None:
    """Also without the cookie; and the way back on the home page keeps it."""
    host, visitor = someone.lay(variant_where(all_at_once), name="Ana"), visit()
    host.play_on(random.Random(62))
    page = visitor.sit(seat_link(host))
    page.get_by_role("link", name="Replay", exact=True).click()
    expect(page.get_by_label("Moment of the match")).to_be_visible()
    expect(page.locator("#title")).not_to_have_text("…")  # the script has written the way back
    visitor.context.clear_cookies()
    page.get_by_role("link", name="Back to the table").click()
    page.wait_for_selector("#main[data-seq]")
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: host.table not in url)
    expect(page.locator("#main")).to_have_attribute("data-you", "0")
    table = visitor.table
    visitor.sit(f"/t/{host.table}")  # by the cookie: the secret is not in this address
    page.get_by_role("button", name="To the rematch").click()
    page.wait_for_url(lambda url: table in url)
    expect(page.locator("#main")).to_have_attribute("data-you", "0")
    visitor.context.clear_cookies()
    links = visitor.open("/").locator("#resume li a")
    assert all("#seat=" in (link.get_attribute("href") or "") for link in links.all())


def test_a_seat_is_taken_once_although_the_answer_was_lost(visit: Visit, someone: Person) -> None:
    host = someone.lay(variant_where(all_at_once, 3), ["me", "open", "open"], name="Ana")
    visitor, lost = visit(), list[Any]()
    visitor.expects("net::ERR_")

    def lose_first(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch())
        route.abort()

    page: Page = visitor.sit(f"/t/{host.table}")
    page.route("**/join", lose_first)
    page.get_by_label("Your name").fill("Bo")
    page.get_by_role("button", name="Take a seat").click()
    expect(page.locator("#main")).to_have_attribute("data-you", "1")
    assert lost
    assert [seat["kind"] for seat in host.view()["seats"]] == ["person", "person", "open"]


def test_ones_own_seat_goes_to_another_device(visit: Visit, someone: Person) -> None:
    host, visitor = someone.lay(variant_where(all_at_once), name="Ana"), visit()
    page = visitor.sit(seat_link(host))
    page.get_by_role("button", name="Invite and watch").click()
    own = page.get_by_label("Your seat on another device (keep this link private)", exact=True)
    assert own.input_value().endswith(seat_link(host))
    page.locator("#menu .copy").last.get_by_role("button", name="Code").click()
    expect(page.locator("#menu img.qr")).to_be_visible()
    elsewhere = visit()
    elsewhere.sit(own.input_value())
    expect(elsewhere.page.locator("#main")).to_have_attribute("data-you", "0")
