"""People with browsers, for tests: who visit pages, sit at tables, and choose and click as people do."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Playwright
from serving import Person, all_at_once, is_secret, until, variant_where

from lamplighter import games

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-quic", "--no-first-run",
]  # fmt: skip
PATIENCE = 30_000  # ms until a test gives something up that should happen at once
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
THEMES = ("light", "dark", "contrast")

# what a table page wants of its player, if anything
WANTED = """() => {
  const shown = (selector) => document.querySelector(selector)?.checkVisibility();
  if (shown("dialog.curtain")) return "curtain";
  if (shown("#over h2")) return "over";
  if (shown("#done")) return "done";
  if (shown("#dice-due form")) return "dice";
  if (shown("#dock") && shown("#status.mine")) return "move";
  return null;
}"""


LIE = "() => document.querySelector('#paper .ghost')?.closest('[data-lie]')?.dataset.lie"
MOMENT = "() => (({ you, version }) => `${you} ${version}`)(document.querySelector('#main').dataset)"


# the scripts of a page have filled it
FILLED = """() => !document.querySelector("[aria-busy], form ol:empty")
  && ["#title", "#challenge"].every((one) => document.querySelector(one)?.textContent !== "…")
  && [...document.images].every((one) => one.complete)"""

PAGES = (
    "home", "set-up", "lobby", "invitation", "table", "hand", "over", "watch", "screen", "replay", "race", "caller",
    "rules", "daily", "help", "missing",
)  # fmt: skip


def pages(url: str) -> dict[str, str]:
    """Where each kind of page is found, with tables in every phase."""
    someone, variant = Person(url), variant_where(all_at_once)
    game = variant.partition("?")[0]
    waiting = someone.lay(variant, ["me", "open"], name="Ana")
    playing, hand, finished = (someone.lay(one, name="Ana") for one in (variant, variant_where(is_secret), variant))
    for person in (playing, hand):
        play_some(person, 4)
    finished.play_on(random.Random(42))
    caller = someone.lay(variant, kind="caller")
    caller.post("call")
    return {
        "home": "/", "set-up": f"/new/{game}", "lobby": seat_link(waiting), "invitation": f"/t/{waiting.table}",
        "table": seat_link(playing), "hand": seat_link(hand), "over": seat_link(finished),
        "watch": f"/t/{playing.table}/watch", "screen": f"/t/{playing.table}/screen",
        "replay": f"/t/{finished.table}/replay", "race": f"/race/{finished.table}?seat=0", "caller": seat_link(caller),
        "rules": f"/rules/{game}", "daily": "/daily", "help": "/help", "missing": "/nothing-here",
    }  # fmt: skip


def play_some(person: Person, moves: int) -> None:
    """Make so many moves, and wait until it is this person's turn again."""
    rng = random.Random(41)
    for made in range(moves + 1):
        until(lambda: (view := person.view())["moves"] or view["phase"] == "over", "it is the person's turn")
        if made == moves or person.view()["phase"] == "over":
            return
        person.play(rng)


def launch(playwright: Playwright) -> Browser:
    """The system's Chromium. Without one there is nothing to test, and that is a failure."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert path, "no Chromium: `apt-get install chromium`, or say where it is with CHROMIUM=/path/to/it"
    return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)


class Visitor:
    """Somebody with a browser of their own. Whatever goes wrong in their pages is noted in `problems`."""

    def __init__(self, browser: Browser, url: str, theme: str = "", **options: Any) -> None:
        looks = {"base_url": url, "reduced_motion": "reduce", "locale": "en"} | options
        self.context = browser.new_context(**looks)
        self.context.set_default_timeout(PATIENCE)
        if theme:
            self.context.add_init_script(f"localStorage.setItem('lamplighter.theme', '\"{theme}\"')")
        self.problems: list[str] = []
        self._meant: list[str] = []
        self.page = self.new_page()

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self._note(f"page error: {error}"))
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _note(self, problem: str) -> None:
        if not any(meant in problem for meant in self._meant):
            self.problems.append(problem)

    def expects(self, words: str) -> None:
        """A message with these words is no problem: the test brings it about."""
        self._meant.append(words)

    # --- at a table -------------------------------------------------------------------------------------------

    def go(self, path: str) -> Page:
        self.page.goto(path)
        return self.page

    def open(self, path: str) -> Page:
        """Open a page and wait until its scripts have filled it."""
        if path == "/nothing-here":
            self.expects("404")
        self.go(path).wait_for_function(FILLED)
        return self.page

    def sit(self, path: str) -> Page:
        """Open a table's page and wait until it shows the table."""
        self.go(path)
        self.page.wait_for_selector("#main[data-seq]")
        return self.page

    @property
    def table(self) -> str:
        """The id of the table whose page is open."""
        return urlsplit(self.page.url).path.split("/")[2]

    def wanted(self) -> str:
        """What the page wants next: a move, done, dice, a curtain to be lifted; or `over`."""
        return str(self.page.wait_for_function(WANTED, timeout=PATIENCE).json_value())

    def moment(self) -> str:
        """Which seat is shown and how far it is."""
        return str(self.page.evaluate(MOMENT))

    def await_change(self, before: str) -> None:
        """Wait until another moment is shown."""
        self.page.wait_for_function(f"(before) => ({MOMENT})() !== before", arg=before, timeout=PATIENCE)

    def move(self, rng: random.Random) -> None:
        """One move by clicks: take something, point to a place, say how to pay where that is asked."""
        before = self.moment()
        self.point(rng)
        ways = self.page.locator("dialog.choose .ways button")
        if count := ways.count():
            ways.nth(rng.randrange(count)).click()
        self.await_change(before)

    def point(self, rng: random.Random) -> None:
        """Take something that is offered, and point to a place where it may go; an action has no place."""
        offers = self.page.locator("#tray button")
        kinds = self.page.evaluate("[...document.querySelectorAll('#tray button')].map((one) => one.className)")
        offer = rng.randrange(len(kinds))
        chosen = offers.nth(offer)
        if chosen.get_attribute("aria-pressed") != "true":
            chosen.click()
        if "chip" in kinds[offer]:
            places = self.page.locator("#choices:not([hidden]) button, #paper .spot")
            places.nth(rng.randrange(places.count())).click()

    def step(self, rng: random.Random) -> str:
        """Do whatever the page wants next, and say what that was."""
        match wanted := self.wanted():
            case "move":
                self.move(rng)
            case "done":
                self.press(self.page.locator("#done"))
            case "dice":
                self.give_dice(rng)
            case "curtain":
                self.page.locator("dialog.curtain button").click()
        return wanted

    def give_dice(self, rng: random.Random) -> None:
        """Type in one of the outcomes that can come, by its button."""
        outcomes = self.page.locator("#dice-due .outcomes button")
        self.press(outcomes.nth(rng.randrange(outcomes.count())))

    def press(self, button: Locator) -> None:
        """Press a button, and wait until something has happened at the table."""
        before = self.page.locator("#main").get_attribute("data-seq")
        button.click()
        self.page.wait_for_function("(before) => document.querySelector('#main').dataset.seq !== before", arg=before)

    def play_on(self, rng: random.Random) -> None:
        """Play by clicks until the match is over."""
        while self.step(rng) != "over":
            pass


def seat_link(person: Person) -> str:
    """The address of somebody's own seat."""
    return f"/t/{person.table}#seat={person.token}"


def sit_where_a_roll_waits(visitor: Visitor, someone: Person, rng: random.Random) -> str:
    """Play some game of ours until the next roll only waits for "done"; the sheet in words before the last move.

    Not every game comes there: in some a turn ends with a move of its own.
    """
    for name in games.own_names():
        sheet = ""
        visitor.sit(seat_link(someone.lay(name)))
        for _ in range(10):
            if visitor.wanted() == "done":
                return sheet
            sheet = visitor.page.locator("#words pre").text_content() or ""
            visitor.move(rng)
    raise AssertionError("no roll waited")


def totals_shown(visitor: Visitor) -> list[int]:
    """The last line of the comparison at the end."""
    return [int(text) for text in visitor.page.locator("#over tfoot td").all_inner_texts()]


Visit = Callable[..., Visitor]
