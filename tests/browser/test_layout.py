"""Every page and every sheet holds in a wide and in a narrow font: nothing is too wide, cut off, or over something else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import FONTS, Visitor, one_font, pages, play_some, seat_link
from languages import words_of
from playwright.sync_api import Browser, Page
from serving import Person, ServerProcess, all_at_once, variant_where
from walks import random_match, variants

from lamplighter import games, svg
from lamplighter.engine.game import Game
from lamplighter.engine.phrase import NUMBER
from lamplighter.engine.position import Position
from lamplighter.web import i18n

SCREENS = {360: 740, 390: 844, 768: 1024, 1440: 900}  # width: height
OTHERS = [language for language in i18n.languages() if language != i18n.SOURCE]
PRINT = """(large) => {
  localStorage.setItem("lamplighter.large", large);
  document.documentElement.dispatchEvent(new Event("settingschange"));
}"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"

# what is wrong with a page on a screen of this width
SPOILED = """(width) => {
  const name = (one) => `${one.tagName} ${one.id} ${one.className} "${one.textContent.trim().slice(0, 30)}"`;
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const found = [];
  const wide = document.scrollingElement.scrollWidth;
  if (wide > width) found.push(`the page is ${wide} wide`);

  // what is left of a box inside the boxes that cut it off, and which part of the page moves with it
  const ofParents = function* (one) { while ((one = one.parentElement)) yield [one, getComputedStyle(one)]; };
  const visible = (one) => {
    let { left, right, top, bottom } = one.getBoundingClientRect();
    let layer = document.body;
    for (const [parent, style] of ofParents(one)) {
      if (style.overflow !== "visible") {
        const box = parent.getBoundingClientRect();
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      if (["fixed", "sticky"].includes(style.position) && layer === document.body) layer = parent;
    }
    return { one, layer, left, right, top, bottom };
  };

  const buttons = [...document.querySelectorAll("button, a.button, summary")].filter(shown);
  for (const one of buttons)
    if (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
      found.push(`cut off: ${name(one)}`);
  const boxes = buttons.map(visible);
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (a.layer === b.layer && across > 1 && down > 1)
      found.push(`collide: ${name(a.one)} and ${name(b.one)}`);
  }));

  // words that a box cuts off although it neither scrolls nor writes an ellipsis
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (words.nextNode()) {
    const one = words.currentNode.parentElement;
    if (!words.currentNode.data.trim() || !shown(one) || one.closest("svg, .hush, .skip, option, datalist")) continue;
    range.selectNodeContents(words.currentNode);
    const text = range.getBoundingClientRect();
    for (const parent of [one, ...[...ofParents(one)].map(([parent]) => parent)]) {
      const style = getComputedStyle(parent);
      if (style.overflowX === "visible") continue;
      if (style.overflowX !== "hidden" || style.textOverflow === "ellipsis") break; // it scrolls, or says so
      if (style.webkitLineClamp !== "none") break;
      const box = parent.getBoundingClientRect();
      if (text.top < box.bottom && (text.left < box.left - 1 || text.right > box.right + 1))
        found.push(`cut off: ${name(one)} by ${name(parent)}`);
    }
  }
  return found;
}"""


@pytest.fixture(scope="package")
def addresses(server: ServerProcess) -> dict[str, str]:
    """Every kind of page, and for every game its set-up, its rules and a table in play."""
    found = pages(server.url)
    host = Person(server.url).lay(variant_where(all_at_once, 3), ["me", "open", "bot:uniform"], name="Ana")
    host.join("Bo")
    found["table of two people"] = seat_link(host)
    for name in games.own_names():
        person = Person(server.url).lay(name, name="Ana")
        play_some(person, 9)
        found |= {
            f"set up {name}": f"/new/{name}",
            f"rules of {name}": f"/rules/{name}",
            f"table of {name}": seat_link(person),
        }
    return found


def spoiled(page: Page, widths: list[int], prints: list[bool]) -> list[str]:
    """What is wrong with the open page on these screens, in normal or large print."""
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": SCREENS[width]})
        for large in prints:
            page.evaluate(PRINT, large)
            page.evaluate(PAINTED)
            where = f"{width}, {'large' if large else 'normal'} print"
            found += [f"{where}: {fault}" for fault in page.evaluate(SPOILED, width)]
    return found


@pytest.mark.parametrize("font", FONTS)
def test_pages_hold(
    font: str, addresses: dict[str, str], browsers: Callable[[str], Browser], server: ServerProcess
) -> None:
    """Every page, on every screen, in both sizes of print."""
    visitor = Visitor(browsers(font), server.url, has_touch=True)
    found = {name: spoiled(visitor.open(address), list(SCREENS), [False, True]) for name, address in addresses.items()}
    visitor.context.close()
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_pages_hold_in_other_languages(
    language: str, addresses: dict[str, str], browser: Browser, server: ServerProcess
) -> None:
    """Their words are longer: large print of the wide font, on the smallest screen and on a desk. Rules are in English."""
    visitor = Visitor(browser, server.url, locale=language, has_touch=True)
    found = {
        name: spoiled(visitor.open(address), [360, 1440], [True])
        for name, address in addresses.items()
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


def test_a_font_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FONTS, "odd", ("fonts-odd", "Odd-Regular.ttf"))
    with pytest.raises(AssertionError, match="apt-get install fonts-odd"):
        one_font(tmp_path, "odd")


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


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("large", [False, True])
def test_words_stay_on_their_sheet(own_game: Game, large: bool, font: str, browsers: Callable[[str], Browser]) -> None:
    page = browsers(font).new_page(viewport={"width": 800, "height": 600})
    page.set_content(PHONE_SHEETS + "".join(one.svg(0, large=large) for one in some_positions(own_game)))
    found = page.evaluate(SPILLED)
    page.close()
    assert found == []


@pytest.mark.parametrize("language", OTHERS)
def test_translated_words_stay_on_their_sheet(own_game: Game, language: str, browser: Browser) -> None:
    """Their words are longer than the ones that the sheet was drawn for: large print of the wide font."""
    page = browser.new_page(viewport={"width": 800, "height": 600})
    sheets = [one.svg(0, large=True, language=language) for one in some_positions(own_game)]
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
