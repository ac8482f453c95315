"""Every page and every sheet holds in a wide and in a narrow font: nothing is too wide, cut off, or over something else."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from browsing import FONTS, NotInstalled, Visitor, launch, one_font, pages_of_games
from languages import words_of
from measuring import SCREENS, SPOILED, spoiled
from playwright.sync_api import Browser, Playwright
from serving import ServerProcess
from walks import random_match, variants

from lamplighter import svg
from lamplighter.engine.game import Game
from lamplighter.engine.phrase import NUMBER
from lamplighter.engine.position import Position
from lamplighter.web import i18n

OTHERS = [language for language in i18n.languages() if language != i18n.SOURCE]


@pytest.fixture(scope="module")
def all_addresses(addresses: dict[str, str], server: ServerProcess) -> dict[str, str]:
    """Every kind of page, and for every game its set-up, its rules and a table in play."""
    return addresses | pages_of_games(server.url)


Looks = tuple[list[int], list[bool]]  # widths of screens, and whether the print is large
EVERY_LOOK: Looks = list(SCREENS), [False, True]
LEAST_AND_MOST: Looks = [360, 1440], [False]


@pytest.mark.thorough
@pytest.mark.parametrize(("font", "looks"), [("wide", EVERY_LOOK), ("narrow", LEAST_AND_MOST)], ids=FONTS)
def test_pages_hold(
    font: str,
    looks: Looks,
    all_addresses: dict[str, str],
    browsers: Callable[[str], Browser],
    server: ServerProcess,
) -> None:
    """Every page: in the wide font on every screen in both sizes of print, in the narrow one on the outermost screens."""
    visitor = Visitor(browsers(font), server.url, has_touch=True)
    found = {name: spoiled(visitor.open(address), *looks) for name, address in all_addresses.items()}
    visitor.context.close()
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.thorough
@pytest.mark.parametrize("language", OTHERS)
def test_pages_hold_in_other_languages(
    language: str, all_addresses: dict[str, str], browser: Browser, server: ServerProcess
) -> None:
    """Their words are longer: large print of the wide font, on the smallest screen and on a desk. Rules are in English."""
    visitor = Visitor(browser, server.url, locale=language, has_touch=True)
    found = {
        name: spoiled(visitor.open(address), [360, 1440], [True])
        for name, address in all_addresses.items()
        if "rules" not in name
    }
    visitor.context.close()
    assert {name: faults for name, faults in found.items() if faults} == {}


PLANTED = {
    "the page is 900 wide": "<p style='position: absolute; left: 0; width: 900px'>wide</p>",
    "cut off: BUTTON": "<button style='width: 3rem'>unforgettable</button>",
    "collide: BUTTON": "<button>one</button><button style='margin-left: -9px'>two</button>",
    "cut off: P": "<p style='width: 3rem; overflow: hidden'>unforgettable</p>",
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_spoiled_page_is_noticed(fault: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.set_content(f"{PLANTED[fault]}")
    found = page.evaluate(SPOILED, 360)
    page.close()
    assert len(found) == 1 and found[0].startswith(fault)


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that need a font or a browser that is not there are skipped with the command that installs it."""
    monkeypatch.setitem(FONTS, "odd", ("fonts-odd", "Odd-Regular.ttf"))
    with pytest.raises(NotInstalled, match="apt-get install fonts-odd"):
        one_font(tmp_path, "odd")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    for font, package in (("wide", "chromium-headless-shell"), ("narrow", "chromium")):
        with pytest.raises(NotInstalled, match=f"apt-get install {package}`"):
            launch(cast(Playwright, None), tmp_path, font)


@pytest.mark.thorough
def test_the_fonts_are_wide_and_narrow(browsers: Callable[[str], Browser]) -> None:
    """Each browser has its one font, and no other gets in."""
    widths = {}
    for font in FONTS:
        page = browsers(font).new_page()
        page.set_content("<span style='font: 20px Arial, sans-serif'>The same words in both</span>")
        widths[font] = page.evaluate("document.querySelector('span').getBoundingClientRect().width")
        page.close()
    assert widths["wide"] > 1.4 * widths["narrow"]


# --- sheets ---------------------------------------------------------------------------------------------------

# words that leave their sheet, or stand on other words; what `<use>` shows is put in its place, for no box can be had inside
SPILLED = """() => [...document.querySelectorAll("svg.sheet")].flatMap((sheet) => {
  for (let use; (use = sheet.querySelector("use")); ) {
    const put = document.createElementNS(sheet.namespaceURI, "g");
    const [x, y] = [use.getAttribute("x") ?? 0, use.getAttribute("y") ?? 0];
    put.setAttribute("transform", `${use.getAttribute("transform") ?? ""} translate(${x} ${y})`);
    put.append(...sheet.querySelector(use.getAttribute("href")).cloneNode(true).childNodes);
    use.replaceWith(put);
  }
  const paper = sheet.getBoundingClientRect();
  const words = [...sheet.querySelectorAll("text")].filter((one) => one.checkVisibility() && !one.closest("defs"))
    .map((one) => [one.textContent, one.getBoundingClientRect()]);
  const found = words.filter(([, box]) => box.left < paper.left - 1 || box.right > paper.right + 1)
    .map(([text]) => `outside: ${text}`);
  words.forEach(([one, a], i) => words.slice(i + 1).forEach(([other, b]) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    // half a line's height is the room between lines
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) - Math.max(a.height, b.height) / 2;
    if (across > 1 && down > 0) found.push(`collide: ${one} and ${other}`);
  }));
  return found;
})"""


EVERY = 7  # entries of a match between two moments that are looked at, after the first few
PHONE_SHEETS = "<style>svg.sheet { width: 340px; height: auto }</style>"  # where letters are small, they are wider


@functools.cache
def some_positions(game: Game) -> list[Position]:
    """Moments of a match of every variant whose sheet has another size: whenever there are words that were not there before."""
    sizes = {svg.size(variant.start().svg(0)): variant for variant in reversed(variants(game))}
    found = []
    for variant in sizes.values():
        match, seen = random_match(variant, 1, 300), set[str]()
        moments = [number for number in range(1, len(match.log) + 1) if number < EVERY or not number % EVERY]
        for position in [*map(match.at, moments), match.position]:
            words = {NUMBER.sub("#", word) for word in words_of(position.svg(0))}
            if words - seen:
                found.append(position)
            seen |= words
    return found


WIDEST = (True, "wide", i18n.SOURCE)
# large print of the wide font first; other languages have longer words than the ones that the sheet was drawn for
PRINTS = [
    WIDEST,
    *((large, font, i18n.SOURCE) for large in (True, False) for font in FONTS if (large, font) != WIDEST[:2]),
    *((True, "wide", language) for language in OTHERS),
]


@pytest.mark.parametrize(
    ("large", "font", "language"),
    [pytest.param(*one, marks=[] if one == WIDEST else pytest.mark.thorough) for one in PRINTS],
)
def test_words_stay_on_their_sheet(
    own_game: Game, large: bool, font: str, language: str, browsers: Callable[[str], Browser]
) -> None:
    page = browsers(font).new_page(viewport={"width": 800, "height": 600})
    sheets = [one.svg(0, large=large, language=language) for one in some_positions(own_game)]
    page.set_content(PHONE_SHEETS + "".join(sheets))
    found = page.evaluate(SPILLED)
    page.close()
    assert found == []


def test_words_that_spill_are_noticed(browser: Browser) -> None:
    words = [
        svg.text(10, 20, "one", "ts"),
        svg.text(20, 22, "two", "ts"),
        svg.use("far", 60, 0),
        svg.text(10, 40, "three", "ts"),
    ]
    sheet = svg.frame(svg.Picture(90, 60, words, {"far": [svg.text(10, 40, "four", "ts")]}), "t", "d")
    page = browser.new_page()
    page.set_content(sheet)
    found = page.evaluate(SPILLED)
    page.close()
    assert found == ["outside: four", "collide: one and two"]
