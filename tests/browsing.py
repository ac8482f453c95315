"""People with browsers, for tests: who visit pages, sit at tables, and choose and click as people do."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Playwright
from serving import Person, all_at_once, is_secret, until, variant_where

from lamplighter import games

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-quic", "--no-first-run", "--in-process-gpu", "--num-raster-threads=1",
]  # fmt: skip
# fonts as wide and as narrow as texts may meet them, with the Debian package and the files of each
FONTS = {
    "wide": ("fonts-dejavu-core", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    "narrow": ("fonts-yanone-kaffeesatz", "YanoneKaffeesatz-Regular.otf", "YanoneKaffeesatz-Bold.otf"),
}
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
PATIENCE = 60_000  # ms until a test gives something up that should happen at once
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LARGE_PRINT = "localStorage.setItem('lamplighter.large', 'true')"
THEMES = ("light", "dark", "contrast")

# what a table page wants of its player, if anything
WANTED = """() => {
  const shown = (selector) => document.querySelector(selector)?.checkVisibility();
  if (shown("dialog.curtain")) return "curtain";
  if (shown("#over h2")) return "over";
  if (shown("#done") && !shown("#status.mine")) return "done";
  if (shown("#dice-due form")) return "dice";
  if (shown("#dock") && shown("#status.mine")) return "move";
  return null;
}"""


CHOSEN = "#main:not([data-chosen=''])"
# what can be taken, as selectors
OFFERS = """() => {
  const named = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
    .map((one) => `${selector}[data-source="${CSS.escape(one.dataset.source)}"]`);
  const actions = [...document.querySelectorAll("#tray .action")].map((one, i) => `#tray .action >> nth=${i}`);
  const done = document.querySelector("#done").checkVisibility() ? ["#done"] : [];
  return [...new Set([...named("#paper .source"), ...named("#tray .chip")]), ...actions, ...done];
}"""
ORIENTATION = "() => document.querySelector('#paper .ghost')?.closest('[data-orientation]')?.dataset.orientation"
MOMENT = "() => (({ you, version }) => `${you} ${version}`)(document.querySelector('#main').dataset)"


# the scripts of a page have filled it
FILLED = """() => !document.querySelector("[aria-busy], form ol:empty")
  && ["#title", "#challenge"].every((one) => document.querySelector(one)?.textContent !== "…")
  && [...document.images].every((one) => one.complete)"""

PAGES = (
    "home", "set-up", "lobby", "invitation", "table", "hand", "over", "watch", "screen", "replay", "race", "caller",
    "check", "rules", "learn", "daily", "you", "help", "privacy", "missing", "teach", "class", "classroom", "minute",
)  # fmt: skip


def each_game(first: str) -> pytest.MarkDecorator:
    """Run a test with `our_game` in every game of ours: `make test` with the first one, `make test-all` with the others."""
    names = [pytest.param(name, marks=[] if name == first else pytest.mark.thorough) for name in games.own_names()]
    return pytest.mark.parametrize("our_game", names, indirect=True)


class NotInstalled(Exception):
    """A program or a font that a test needs is missing; the message says how to install it."""


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
    caller.call()
    taught = someone.post("/api/classes", variant=variant_where(all_at_once, 1))
    for name in ("Ana", "Hannah-Louise"):
        someone.post("/api/classes/join", code=taught["code"], name=name, token=f"{name:-<40}")
    Person(url, token=taught["token"]).post(f"/api/classes/{taught['id']}/start")
    return {
        "home": "/", "set-up": f"/new/{game}", "lobby": seat_link(waiting), "invitation": f"/t/{waiting.table}",
        "table": seat_link(playing), "hand": seat_link(hand), "over": seat_link(finished),
        "watch": f"/t/{playing.table}/watch", "screen": f"/t/{playing.table}/screen",
        "replay": f"/t/{finished.table}/replay", "race": f"/race/{finished.table}?seat=0", "caller": seat_link(caller),
        "check": f"/t/{finished.table}/check#seat={finished.token}",
        "rules": f"/rules/{game}", "learn": f"/learn/{game}", "daily": "/daily", "you": "/you", "help": "/help",
        "privacy": "/privacy", "missing": "/nothing-here",
        "teach": "/teach", "class": "/class", "classroom": taught["url"],
        # not every game has its rules in a minute
        "minute": next(f"/games/{name}/minute" for name in games.own_names() if games.load(name).minute_text),
    }  # fmt: skip


def pages_of_games(url: str) -> dict[str, str]:
    """Where each of our games is set up, explained and played, with nine moves made."""
    found = {}
    for name in games.own_names():
        person = Person(url).lay(name, name="Ana")
        play_some(person, 9)
        found |= {
            f"set up {name}": f"/new/{name}",
            f"rules of {name}": f"/rules/{name}",
            f"table of {name}": seat_link(person),
        }
    host = Person(url).lay(variant_where(all_at_once, 3), ["me", "open", "bot:uniform"], name="Ana")
    host.join("Bo")
    return found | {"table of two people": seat_link(host)}


def play_some(person: Person, moves: int) -> None:
    """Make so many moves, and wait until it is this person's turn again."""
    rng = random.Random(41)
    for made in range(moves + 1):
        until(lambda: (view := person.view())["moves"] or view["phase"] == "over", "it is the person's turn")
        if made == moves or person.view()["phase"] == "over":
            return
        person.play(rng)


def faults(page: Page, *rules: str) -> list[str]:
    """Return what axe finds serious or critical, by all its rules or by these alone."""
    found = Axe().run(page, options={"runOnly": rules} if rules else None).response["violations"]
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


def launch(playwright: Playwright, folder: Path, font: str = "wide") -> Browser:
    """Start the system's Chromium with one font and an empty home in `folder`, so that no other machine shows other pages.

    With the wide font it is the build without a window, if there is one: the same pages take two thirds of the time. Raise
    `NotInstalled` if there is no Chromium or no such font.
    """
    names = ["chromium", "chromium-browser"]
    if font == "wide":
        names.insert(0, "chromium-headless-shell")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not path:
        raise NotInstalled(f"no Chromium: `apt-get install {names[0]}`, or say where it is with CHROMIUM=/path/to/it")
    surroundings = os.environ | {"HOME": str(folder), "FONTCONFIG_FILE": str(one_font(folder, font))}
    return playwright.chromium.launch(executable_path=path, args=ARGUMENTS, env=surroundings)


def one_font(folder: Path, font: str) -> Path:
    """Write a configuration of fontconfig into `folder` that knows no font but this one, and return its path."""
    package, *names = FONTS[font]
    for name in names:
        found = next((file for place in FONT_FOLDERS for file in Path(place).expanduser().rglob(name)), None)
        if not found:
            raise NotInstalled(f"the {font} font {name} is missing: `apt-get install {package}`")
        (folder / name).symlink_to(found)
    written = folder / "fonts.conf"
    written.write_text(f"<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>")
    return written


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

    def stop_clock(self) -> Page:
        """Let no timer of the open page fire any more, until `page.clock.run_for`; `page.clock.install` comes before it."""
        self.page.clock.pause_at(int(self.page.evaluate("Date.now()")) / 1000 + 1)
        return self.page

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

    def offers(self) -> list[Locator]:
        """Everything that can be taken: on the sheet, beside it, and the button that ends the step; equal dice once."""
        names = self.page.evaluate(OFFERS)
        return [self.page.locator(name).first for name in names]

    def point(self, rng: random.Random) -> None:
        """Take something that is offered, and point to a place where it may go; an action has no place."""
        chosen = rng.choice(self.offers())
        places = chosen.get_attribute("aria-pressed")  # of what goes somewhere
        if places != "true":
            chosen.click()
        if places is not None and self.chosen:
            ways = self.page.locator("#choices:not([hidden]) button, #paper .spot")
            ways.nth(rng.randrange(ways.count())).click()

    def taken(self, by: str = "click") -> Iterator[str]:
        """Take one thing after the other that goes somewhere, by `click` or `tap`; the source of each."""
        for offer in self.offers():
            if (pressed := offer.get_attribute("aria-pressed")) is not None:
                if pressed != "true":
                    getattr(offer, by)()
                yield self.chosen

    @property
    def chosen(self) -> str:
        """The source that is taken and waits for its place; empty if there is none."""
        return self.page.locator("#main").get_attribute("data-chosen") or ""

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


def play_until_free(visitor: Visitor, rng: random.Random) -> None:
    """Play until squares are lit and nothing is chosen yet: the only piece that fits is chosen by itself, and stays so."""
    lit = visitor.page.locator("#paper path.may")
    while visitor.wanted() != "move" or visitor.chosen or not lit.count():
        assert visitor.step(rng) != "over", "no squares were lit"


def totals_shown(visitor: Visitor) -> list[int]:
    """The last line of the comparison at the end."""
    return [number_in(text) for text in visitor.page.locator("#over tfoot td").all_inner_texts()]


Visit = Callable[..., Visitor]


def number_in(text: str) -> int:
    """A number as pages write it: with a minus, not a hyphen."""
    return int(text.replace("−", "-"))


def written(number: int) -> str:
    """How pages write a number."""
    return str(number).replace("-", "−")
