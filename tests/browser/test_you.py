"""The page of one's own: it is filled when a match ends, and nothing of it leaves the browser."""

from __future__ import annotations

import functools
import json
import random
import struct
import time
from pathlib import Path
from typing import Any

from browsing import PHONE, Visit, Visitor, each_game, seat_link, written
from playwright.sync_api import Page, expect
from serving import Person, one_by_one, variant_where

from lamplighter import games, load
from lamplighter.engine.game import Game, format_value
from lamplighter.engine.medals import MEDALS, medal_for, medals_of
from lamplighter.engine.phrase import messages_of, translate

DAY = 86400


@functools.cache
def alone() -> str:
    """Return a game that one person can play."""
    return next(name for name in games.own_names() if games.load(name).seats[0] == 1)


def finish(someone: Person, variant: str) -> Person:
    """A match that is over."""
    person = someone.lay(variant, name="Ana")
    person.play_on(random.Random(5))
    return person


def numbers(page: Page) -> list[int]:
    return [int(text) for text in page.locator("#numbers strong").all_inner_texts()]


def kept(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("JSON.parse(localStorage.getItem('lamplighter.history') ?? '[]')")
    return found


def test_a_match_is_noted_once_when_it_ends(visit: Visit, someone: Person) -> None:
    visitor = visit()
    expect(visitor.open("/you").locator("#none")).to_be_visible()
    for variant in (f"{alone()}?seats=1", variant_where(one_by_one)):
        person = finish(someone, variant)
        for _ in range(2):
            visitor.sit(seat_link(person))
            expect(visitor.page.locator("#over h2")).to_be_visible()
    page = visitor.open("/you")
    view = person.view()
    assert numbers(page)[0] == 2
    row = page.locator("#games tr", has_text=view["title"])
    expect(row.locator("td").nth(2)).to_have_text(written(view["seats"][0]["total"]))
    expect(page.locator("#matches li")).to_have_count(2)
    expect(page.locator("#matches li").first.get_by_role("link", name="Replay")).to_have_attribute(
        "href", f"/t/{person.table}/replay"
    )
    assert "None" not in page.inner_text("#main") and "undefined" not in page.inner_text("#main")


def test_the_table_of_games_fits_a_phone(visit: Visit, someone: Person) -> None:
    """Nothing is scrolled sideways, and every figure has its title beside it."""
    visitor = visit(**PHONE, locale="de")
    for variant in (f"{alone()}?seats=1", variant_where(one_by_one)):
        visitor.sit(seat_link(finish(someone, variant)))
        expect(visitor.page.locator("#over h2")).to_be_visible()
    page = visitor.open("/you")
    assert page.locator(".scroll:has(#games)").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    titles = page.locator("#games thead th").all_text_contents()[1:]
    shown = "(all) => all.map((one) => getComputedStyle(one, '::before').content)"
    assert page.locator("#games tbody tr").first.locator("td").evaluate_all(shown) == [
        f'"{title} "' for title in titles
    ]


def test_who_watches_or_plays_for_several_notes_nothing(visit: Visit, someone: Person) -> None:
    variant = variant_where(one_by_one)
    several = someone.lay(variant, ["me"] * load(variant).seats, names=["Ana", "Bo"][: load(variant).seats])
    several.play_on(random.Random(5))
    visitor = visit()
    for address in (seat_link(several), f"/t/{several.table}/watch"):
        visitor.sit(address)
        expect(visitor.page.locator("#over h2, #others figure").first).to_be_visible()
        assert kept(visitor.page) == []


def test_nothing_of_it_is_sent(visit: Visit, someone: Person) -> None:
    """The page asks for its own parts and what games are called, the same for everybody, and says so."""
    visitor = visit()
    visitor.sit(seat_link(finish(someone, f"{alone()}?seats=1")))
    page, asked = visitor.page, []
    page.goto("about:blank")  # the table asks for nothing any more
    page.on("request", lambda request: asked.append((request.method, request.url, request.post_data)))
    visitor.open("/you")
    expect(page.locator("#matches li")).to_have_count(1)
    assert {method for method, _, _ in asked} == {"GET"}
    table = kept(page)[0]["table"]
    assert [url.partition("/api/")[2] for _, url, _ in asked if "/api/" in url] == ["games"]
    assert not [url for _, url, _ in asked if table in url]
    expect(page.locator(".note")).to_contain_text("Nothing on this page leaves your browser")


def test_variants_have_names_for_people(visit: Visit, someone: Person) -> None:
    """Options are called as on the page that sets a table up, in the language of the page."""
    game = next(game for game in map(games.load, games.own_names()) if any(option.titles for option in game.options))
    options = [option for option in game.options[1:] if len(option.values) > 1 and not option.when]
    variant = f"{game.id}?seats={game.seats[0]}&" + "&".join(
        f"{option.name}={format_value(option.values[-1])}" for option in options
    )
    visitor = visit(locale="de")
    visitor.sit(seat_link(finish(someone, variant)))
    row = visitor.open("/you").locator("#games tr").last
    messages = messages_of(game, "de")
    for option in options:
        value = option.values[-1]
        words = option.called if isinstance(value, bool) else option.label(value)
        expect(row).to_contain_text(translate(words, messages))
        expect(row).not_to_contain_text(option.name)


def test_it_can_be_downloaded_and_deleted(visit: Visit, someone: Person) -> None:
    visitor = visit()
    visitor.sit(seat_link(finish(someone, f"{alone()}?seats=1")))
    page = visitor.open("/you")
    before = kept(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download all of it").click()
    assert json.loads(Path(download.value.path()).read_text())["matches"] == before
    page.get_by_role("button", name="Delete all of it").click()
    page.get_by_role("button", name="Keep it").click()
    assert kept(page) == before
    page.get_by_role("button", name="Delete all of it").click()
    page.locator("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator("#none")).to_be_visible()
    assert kept(page) == []


def size_of(picture: Path) -> tuple[int, int]:
    """The width and height that a PNG says."""
    head = picture.read_bytes()[:24]
    assert head.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", head[16:24])
    return width, height


@each_game("last_minute")
def test_a_sheet_becomes_a_picture(our_game: Game, visit: Visit, someone: Person) -> None:
    """At the end of a match, and later on the page of one's own."""
    visitor = visit()
    page = visitor.sit(seat_link(finish(someone, f"{our_game.id}?seats={our_game.seats[0]}")))
    page.locator("details.more summary").click()
    with page.expect_download() as download:
        page.locator("details.more").get_by_role("button", name="Picture").click()
    width, height = size_of(Path(download.value.path()))
    assert width == 1080 and height > 800
    assert download.value.suggested_filename.endswith(".png")
    visitor.open("/you")
    with page.expect_download() as again:
        page.get_by_role("button", name="Picture of").click()
    assert size_of(Path(again.value.path())) == (width, height)
    assert Path(again.value.path()).stat().st_size > 30_000, "the sheet is drawn on it"


STREAKS: list[tuple[list[int | None], list[int]]] = [
    ([0, 1, 2, 5, 6], [5, 3, 3]),
    ([1, 2, 8, 9, 10, 11], [6, 2, 4]),
    ([2, 3], [2, 0, 2]),
    ([0, 0, 0], [1, 1, 1]),
    ([None, None], [0, 0, 0]),
]


def test_the_days_in_a_row(visit: Visit) -> None:
    """Daily matches that counted: how many days, the row that goes on today or ended yesterday, and the longest one."""
    visitor = visit()
    visitor.open("/you")
    for days_ago, streak in STREAKS:
        note(visitor, [{"day": day} for day in days_ago])
        assert numbers(visitor.page) == [len(days_ago), *streak], days_ago


def note(visitor: Visitor, matches: list[dict[str, Any]]) -> None:
    """Let a browser remember matches that were never played."""
    today, made = int(time.time() // DAY), []
    for place, match in enumerate(matches):
        day = match.get("day")
        date = None if day is None else time.strftime("%Y-%m-%d", time.gmtime((today - day) * DAY))
        usual = {"table": f"t{place}", "seat": 0, "game": "x", "title": "X", "variant": "x?seats=1", "at": time.time()}
        made.append({**usual, "total": 10, "players": 1, "place": 1, "medal": None, **match, "day": date})
    visitor.page.evaluate("(made) => localStorage.setItem('lamplighter.history', JSON.stringify(made))", made)
    visitor.open("/you")


def test_numbers_of_each_variant(visit: Visit) -> None:
    """Matches, average, best and wins are counted for each game and variant."""
    visitor = visit()
    visitor.open("/you")
    two = {"variant": "x?seats=2&edition=big", "players": 2, "title": "Y"}
    note(visitor, [{"total": 7}, {"total": 8}, {"total": 10}, {**two, "place": 2}, {**two, "total": 30}])
    rows = [row.locator("td").all_inner_texts()[:4] for row in visitor.page.locator("#games tbody tr").all()]
    assert rows == [["3", "8.3", "10", "–"], ["2", "20", "30", "1"]]
    expect(visitor.page.locator("#games tbody tr").nth(1)).to_contain_text("2 players, big")


def test_a_match_for_one_gets_a_medal(visit: Visit, someone: Person) -> None:
    """The end says which, and what the next one needs; the page of one's own counts them."""
    person = finish(someone, f"{alone()}?seats=1")
    view = person.view()
    bands, total = view["medals"], view["seats"][0]["total"]
    assert bands == medals_of(load(f"{alone()}?seats=1"))
    visitor = visit()
    page = visitor.sit(seat_link(person))
    missed = next((medal for medal in MEDALS if total < bands[medal]), None)
    expect(page.locator("#over .medal-note")).to_contain_text(f"needs {bands[missed]} points" if missed else "Gold")
    script = "([points, bands]) => import('/static/medals.js').then(({ medalFor }) => medalFor(points, bands))"
    for points in range(bands["bronze"] - 1, bands["gold"] + 2):
        assert page.evaluate(script, [points, bands]) == medal_for(points, bands)
    assert page.evaluate(script, [99, None]) is None
    note(visitor, [{"medal": "gold"}, {"medal": "gold"}, {"medal": "bronze"}, {}])
    expect(page.locator("#games .medal")).to_have_text(["Gold ×2", "Bronze"])


def test_a_match_of_several_has_no_medal(visit: Visit, someone: Person) -> None:
    person = finish(someone, variant_where(one_by_one))
    assert person.view()["medals"] is None
    page = visit().sit(seat_link(person))
    expect(page.locator("#over h2")).to_be_visible()
    expect(page.locator("#over .medal-note")).to_have_count(0)
