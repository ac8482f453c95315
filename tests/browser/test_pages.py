"""Every page: accessible in every theme, whole on a phone, in several languages, as its reader likes it."""

from __future__ import annotations

import pytest
from browsing import PAGES, PHONE, THEMES, Visit, faults
from measuring import spoiled, too_small
from playwright.sync_api import expect

from lamplighter import games
from lamplighter.web import i18n


def test_every_page_is_listed(addresses: dict[str, str]) -> None:
    """The parameters of the tests below are made before there is a server."""
    assert tuple(addresses) == PAGES


# --- accessibility --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_a_page(name: str, addresses: dict[str, str], visit: Visit) -> None:
    """It has a title and one heading, holds on a phone in both sizes of print, and has no serious accessibility fault."""
    page = visit(**PHONE).open(addresses[name])
    assert page.title().endswith("Lamplighter")
    expect(page.locator("h1:visible")).to_have_count(1)  # a caller's page is filled before it is shown
    for large in (True, False):
        assert spoiled(page, [360], [large]) == []
        assert too_small(page) == []
    assert spoiled(page, [1440], [False]) == []
    assert faults(page) == []


@pytest.mark.thorough
@pytest.mark.parametrize("theme", THEMES[1:])
def test_other_themes_have_enough_contrast(theme: str, addresses: dict[str, str], visit: Visit) -> None:
    """Check contrast alone: the other rules of axe find the same in every theme."""
    visitor = visit(theme=theme)
    for name, address in addresses.items():
        page = visitor.open(address)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert faults(page, "color-contrast") == [], name


def test_what_opens_over_the_table_is_accessible(addresses: dict[str, str], visit: Visit) -> None:
    """Dialogs, the rules beside the sheet, a chosen piece with its places."""
    visitor = visit()
    page = visitor.sit(addresses["table"])
    visitor.wanted()
    page.keyboard.press("1")
    assert faults(page) == []
    for opener in ("Settings", "Invite and watch"):
        page.get_by_role("button", name=opener).click()
        assert faults(page) == [], opener
        page.keyboard.press("Escape")
    page.locator("#who button.seat").last.click()
    expect(page.locator("dialog.one-seat")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Rules", exact=True).click()
    expect(page.locator("#rules .rule").first).to_be_visible()
    assert faults(page) == []


def test_a_planted_fault_is_found(visit: Visit) -> None:
    page = visit().open("/help")
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [fault.partition(":")[0] for fault in faults(page)] == ["button-name"]


def test_a_table_that_is_not_there_is_said(visit: Visit) -> None:
    visitor = visit()
    visitor.expects("404")
    for view in ("", "/watch", "/screen", "/replay", "/caller"):
        page = visitor.go(f"/t/nobody{view}")
        expect(page.get_by_text("there is no table").or_(page.get_by_text("no table")).first).to_be_visible()


def test_a_server_that_fails_is_said(addresses: dict[str, str], visit: Visit) -> None:
    """Where a page needs something more: the rules beside the sheet, the bots of a table to set up."""
    visitor = visit()
    visitor.expects("500")
    error = {"error": {"code": "server/mistake", "message": "planted words"}}
    for address in ("**/rules/*part=1", "**/api/bots", "**/verify"):
        visitor.page.route(address, lambda route: route.fulfill(status=500, json=error))
    page = visitor.sit(addresses["table"])
    page.get_by_role("button", name="Rules", exact=True).click()
    expect(page.locator("#rules .problem")).to_contain_text("planted words")
    page = visitor.go(addresses["set-up"])
    expect(page.locator("#setup .problem")).to_contain_text("planted words")
    page = visitor.sit(addresses["over"])
    page.locator("#over details.more summary").click()
    page.get_by_role("button", name="Check the dice").click()
    expect(page.locator(".toast")).to_contain_text("planted words")


# --- setting a table up ---------------------------------------------------------------------------------------


def test_only_options_that_matter_are_asked_for(visit: Visit) -> None:
    """An option comes and goes with what it needs, and a table is laid without one that is hidden."""
    game = next(game for game in map(games.load, games.own_names()) if any(option.when for option in game.options))
    option = next(option for option in game.options if option.when and "seats" not in option.when)
    page = visit().open(f"/new/{game.id}")
    field = page.locator(f'[data-option="{option.name}"]')
    expect(field).to_be_hidden()
    for needed, values in option.when.items():
        page.locator(f'[data-option="{needed}"]').select_option(str(values[0]).lower())
    page.locator("#setup details").first.evaluate("(details) => (details.open = true)")
    expect(field).to_be_visible()
    for needed in option.when:
        page.locator(f'[data-option="{needed}"]').select_option(index=0)
    expect(field).to_be_hidden()
    page.get_by_label("Your name").fill("Ana")
    with page.expect_request(lambda request: request.url.endswith("/api/tables")) as sent:
        page.get_by_role("button", name="Open the table").click()
    variant = (sent.value.post_data_json or {})["variant"]
    assert option.name not in variant and f"{next(iter(option.when))}=" in variant


def test_people_are_counted_from_one(visit: Visit) -> None:
    """Who begins is a player of the table, from 1; the variant's text counts seats from 0, as before."""
    game = next(game for game in map(games.load, games.own_names()) if any(one.kind == "seat" for one in game.options))
    option = next(option for option in game.options if option.kind == "seat")
    page = visit().open(f"/new/{game.id}")
    choice = page.locator(f'[data-option="{option.name}"]')
    names = choice.evaluate("(select) => [...select.options].filter((one) => !one.disabled).map((one) => one.label)")
    seats = page.locator("#setup .seats li").count()
    assert names[1:] == [f"Player {number + 1}" for number in range(seats)]
    choice.select_option(label=f"Player {seats}")
    page.get_by_role("button", name="Remove a player").click()
    if page.locator("#setup .seats li").count() < seats:  # the player who would begin is gone
        expect(choice).to_have_value(str(option.default))
    choice.select_option(label="Player 1")
    page.get_by_label("Your name").fill("Ana")
    with page.expect_request(lambda request: request.url.endswith("/api/tables")) as sent:
        page.get_by_role("button", name="Open the table").click()
    assert f"{option.name}=0" in (sent.value.post_data_json or {})["variant"]


def test_what_is_too_small_for_a_thumb_is_noticed(visit: Visit) -> None:
    page = visit(**PHONE).open("/help")
    page.evaluate("""() => {
      const small = document.createElement("button");
      Object.assign(small.style, { minHeight: "20px", height: "20px" });
      document.querySelector("main").append(small);
    }""")
    assert len(too_small(page)) == 1


# --- as its reader likes it -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "language",
    [
        pytest.param(language, marks=[] if language == "de" else pytest.mark.thorough)
        for language in i18n.languages()
        if language != i18n.SOURCE
    ],
)
def test_pages_speak_the_language_of_the_browser(language: str, addresses: dict[str, str], visit: Visit) -> None:
    """What stands in the templates, and what scripts write."""
    visitor, known = visit(locale=language), i18n.translations(language)
    page = visitor.open("/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert known.gettext("Play") != "Play"
    expect(page.locator("[data-play]").first).to_have_text(known.gettext("Play"))
    page = visitor.open(addresses["over"])
    assert known.gettext("Replay") != "Replay"
    expect(page.get_by_role("link", name=known.gettext("Replay"), exact=True)).to_be_visible()


def test_the_language_is_chosen_and_kept(visit: Visit) -> None:
    page = visit().open("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.goto("/help")
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_theme_and_print_are_kept(visit: Visit) -> None:
    page = visit().open("/")
    before = page.evaluate("getComputedStyle(document.body).fontSize")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("High contrast").check()
    page.get_by_label("Large print").check()
    page.keyboard.press("Escape")
    for _ in range(2):
        expect(page.locator("html")).to_have_attribute("data-theme", "contrast")
        assert float(page.evaluate("getComputedStyle(document.body).fontSize")[:-2]) > float(before[:-2])
        page.reload()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_of_the_device(scheme: str, visit: Visit) -> None:
    page = visit(color_scheme=scheme).open("/")
    expect(page.locator("html")).to_have_attribute("data-theme", scheme)


# counts what begins to move: it may have ended before it is looked at
COUNT_MOVES = """() => {
  window.moves = 0;
  for (const kind of ["animationstart", "transitionrun"]) document.addEventListener(kind, () => (window.moves += 1), true);
}"""
FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_for_who_wants_it_calm(motion: str, visit: Visit) -> None:
    page = visit(reduced_motion=motion).open("/")
    page.evaluate(FRAME)
    page.evaluate(COUNT_MOVES)
    page.get_by_role("button", name="Settings").click()
    expect(page.locator("#settings")).to_be_visible()
    page.evaluate(FRAME)
    assert (page.evaluate("window.moves") > 0) == (motion == "no-preference")
