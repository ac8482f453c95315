"""The match of the day in the browser: today's to play, past days to look at, and what is told about a try."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from browsing import Visit, seat_link
from playwright.sync_api import expect
from serving import UNLIMITED, Person, ServerProcess, all_at_once, good, until, variant_where

from lamplighter import games
from lamplighter.bots import OPPONENT
from lamplighter.web.settings import Settings

HOME, AWAY = "203.0.113.7", "198.51.100.4"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with boards of its own, where people are soon called idle."""
    made = ServerProcess(
        Settings(f"sqlite:///{tmp_path_factory.mktemp('own')}/tables.db", hold=0.2, idle=1.0, **UNLIMITED)
    )
    yield made
    made.close()


def begin(server: ServerProcess, game: str, name: str, address: str) -> Person:
    headers = {"x-forwarded-for": address}
    made = good(Person(server.url).ask("POST", f"/api/daily/{game}", {"name": name}, headers=headers))
    return Person(server.url, made["id"], made["token"], made["seats"])


def let_the_day_pass(server: ServerProcess) -> str:
    """What was played today was played yesterday; return yesterday's date."""
    yesterday = (datetime.now(UTC) - timedelta(days=1)).date().isoformat()
    server.kill()
    with sqlite3.connect(server.settings.database.removeprefix("sqlite:///")) as connection:
        connection.execute("UPDATE tables SET day = ?, created = created - 86400 WHERE day IS NOT NULL", (yesterday,))
        connection.execute("UPDATE results SET at = at - 86400")
    connection.close()
    server.start()
    return yesterday


def test_the_boards_of_today_and_of_yesterday(visit: Visit, own: ServerProcess) -> None:
    game = games.own_names()[0]
    people = [begin(own, game, *who) for who in (("Ana", HOME), ("Bo", HOME), ("Cy", AWAY))]
    for seed, person in enumerate(people):
        person.play_on(random.Random(seed))
    visitor = visit(own.url)
    page = visitor.open("/daily")
    rows = page.locator(".board li")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="others on this network")).to_have_count(2)
    expect(rows.filter(has_text="Cy").filter(has_text="others on this network")).to_have_count(0)
    expect(page.get_by_role("link", name="Replay of")).to_have_count(0)
    expect(page.get_by_role("button", name="Play ").first).to_be_visible()
    day = let_the_day_pass(own)
    page = visitor.open("/daily")
    expect(page.locator(".board li")).to_have_count(0)
    page.get_by_role("link", name="The day before").click()
    page.wait_for_url(f"**/daily?day={day}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("The matches of")
    expect(page.locator(".board li")).to_have_count(3)
    expect(page.locator(".board li").filter(has_text="others on this network")).to_have_count(2)
    expect(page.get_by_role("button", name="Play ")).to_have_count(0)
    expect(page.locator("#name")).to_be_hidden()
    page.locator("details.told").first.locator("summary").click()
    expect(page.locator("details.told").first.locator("dd").first).to_have_text(people[0].view()["dice"]["seed"])
    page.get_by_role("link", name="Replay of Cy").click()
    expect(page.get_by_label("Moment of the match")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Today").click()
    expect(page.get_by_role("button", name="Play ").first).to_be_visible()
    visitor.expects("409")
    expect(visitor.open("/daily?day=2999-01-01").locator(".problem")).to_contain_text("2999-01-01 is in the future")


def test_strangers_watch_tomorrow(visit: Visit, own: ServerProcess) -> None:
    me = begin(own, games.own_names()[0], "Ana", HOME)
    visitor = visit(own.url)
    visitor.expects("409")
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    for path in ("", "/watch"):
        page = visitor.go(f"/t/{me.table}{path}")
        expect(page.get_by_text("watch it tomorrow")).to_be_visible()
    expect(visitor.go(f"/t/{me.table}/screen").get_by_text("watch it tomorrow")).to_be_visible()
    expect(visitor.go(f"/t/{me.table}/replay").get_by_text("watch it tomorrow")).to_be_visible()
    assert not [url for url in asked if url.split("?")[0].endswith("/events")]
    page = visitor.sit(seat_link(me))
    expect(page.locator("#dock")).to_be_visible()


def test_a_try_that_does_not_count_says_so(visit: Visit, own: ServerProcess) -> None:
    game = games.own_names()[0]
    begin(own, game, "Ana", "127.0.0.1")
    visitor = visit(own.url)
    page = visitor.open("/daily")
    page.get_by_label("Your name").fill("ana")
    page.get_by_role("button", name=f"Play {games.load(game).title}").click()
    page.wait_for_selector("#main[data-seq]")
    expect(page.locator("#fair .notes")).to_contain_text("does not count")
    expect(visitor.open("/daily").locator(".note")).to_contain_text("does not count")
    other = visit(own.url)
    page = other.sit(seat_link(begin(own, game, "Bo", AWAY)))
    expect(page.locator("#fair .notes")).not_to_contain_text("does not count")
    page.locator("#who .mine .seat").click()
    page.get_by_role("button", name="Let a bot play for me (the match will no longer count)").click()
    expect(page.locator("#fair .notes")).to_contain_text("A bot played for you")


def test_a_vote_against_an_idler(visit: Visit, own: ServerProcess) -> None:
    host = Person(own.url).lay(variant_where(all_at_once, 3), ["me", "open", "open"], name="Ana")
    others = [host.join(name) for name in ("Bo", "Cy")]
    people = [visit(own.url) for _ in range(3)]
    pages: list[Any] = [who.sit(seat_link(person)) for who, person in zip(people, [host, *others], strict=True)]
    for who in (host, others[0]):
        while who.view()["moves"]:
            who.play()
    until(lambda: host.view()["seats"][2]["may_vote"], "Cy counts as idle")
    vote = pages[0].get_by_role("button", name="Vote: let a bot play for Cy")
    vote.click()
    expect(vote).to_be_hidden()
    expect(pages[2].locator(".toast")).to_contain_text("The others are voting")
    expect(pages[1].locator("#log li.vote")).to_have_text("Ana votes to let a bot play for Cy")
    pages[1].get_by_role("button", name="Vote: let a bot play for Cy").click()
    expect(pages[2].locator("#status")).to_contain_text("A bot plays for you.")
    assert host.view()["seats"][2]["bot"] == OPPONENT
    pages[2].get_by_role("button", name="I am back").click()
    expect(pages[2].locator("#back")).to_be_hidden()


def test_two_browsers_type_one_die_once(visit: Visit, own: ServerProcess) -> None:
    """Both see the same die due; the second is told that the table has moved on."""
    host = Person(own.url).lay(variant_where(all_at_once), ["me", "open"], name="Ana", rolls="typed")
    friend, one, two = host.join("Bo"), visit(own.url), visit(own.url)
    two.expects("409")
    first, second = one.sit(seat_link(host)), two.sit(seat_link(friend))
    outcome = second.locator("#dice-due .outcomes button").first
    expect(outcome).to_be_visible()
    held: list[Any] = []
    second.route("**/roll", lambda route: held.append(route))  # on its way while the other one arrives
    outcome.click()
    until(lambda: held or second.wait_for_timeout(50), "it was sent")
    one.press(first.locator("#dice-due .outcomes button").first)
    held[0].continue_()
    expect(second.locator(".toast")).to_contain_text("The table has changed")
    assert sum(entry["kind"] == "chance" for entry in host.view()["log"]) == 1
