"""Pictures of every page at three widths, light, dark and in German with large print, to look at: `screens.py FOLDER`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from browsing import LARGE_PRINT, PHONE, Visitor, launch, pages, play_some, seat_link
from playwright.sync_api import Browser, sync_playwright
from serving import UNLIMITED, Person, ServerProcess, closing

from lamplighter import games
from lamplighter.web.settings import Settings

SCREENS = {
    "360": PHONE,
    "768": {"viewport": {"width": 768, "height": 1024}, "has_touch": True},
    "1440": {"viewport": {"width": 1440, "height": 900}},
}
LOOKS = {"light": {}, "dark": {}, "de-large": {"locale": "de"}}  # German has the longest words
MOVES = 9  # so that something stands on the sheets


def shoot(browser: Browser, url: str, addresses: dict[str, str], folder: Path) -> None:
    """A picture of each page as it first shows, and of tables with something chosen."""
    for width, options in SCREENS.items():
        for look, more in LOOKS.items():
            for name, address in addresses.items():
                visitor = Visitor(browser, url, "dark" if look == "dark" else "light", **options, **more)
                if look.endswith("large"):
                    visitor.context.add_init_script(LARGE_PRINT)
                page = visitor.open(address)
                if name.startswith("table"):
                    page.keyboard.press("1")
                page.screenshot(path=folder / f"{width}-{look}-{name}.png", full_page=width == "360")
                visitor.context.close()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        settings = Settings(f"sqlite:///{scratch}/tables.db", hold=3600, **UNLIMITED)
        with closing(ServerProcess(settings), launch(playwright, Path(scratch))) as (server, browser):
            addresses = pages(server.url)
            for game in games.own_names():
                person = Person(server.url).lay(game, name="Ana")
                play_some(person, MOVES)
                addresses[f"table-{game}"] = seat_link(person)
            shoot(browser, server.url, addresses, folder)
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
