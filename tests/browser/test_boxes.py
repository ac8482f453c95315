"""A table with a box of one's own: chosen in the form, laid, and played by clicks."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

from browsing import Visit
from playwright.sync_api import expect
from serving import UNLIMITED, Person, ServerProcess

from lamplighter import games
from lamplighter.web.settings import Settings


def a_box() -> tuple[str, Path]:
    """Return a game and a box that differs from its own: one of those that the shared tests walk."""
    folders = {name: games.load(name).folder / "tests" / "boxes" for name in games.own_names()}
    return next((name, path) for name, folder in folders.items() for path in sorted(folder.glob("*.toml")))


def test_a_box_is_chosen_and_played(visit: Visit, tmp_path: Path) -> None:
    (name, path), folder = a_box(), tmp_path / "boxes"
    folder.mkdir()
    text = f'game = "{name}"\ntitle = "Ours <1>"\n{path.read_text(encoding="utf-8")}'
    (folder / "ours & 1.toml").write_text(text, encoding="utf-8")
    settings = Settings(f"sqlite:///{tmp_path}/tables.db", hold=3600, boxes=str(folder), **UNLIMITED)
    with closing(ServerProcess(settings)) as server:
        ana = visit(server.url)
        page = ana.open(f"/new/{name}")
        before = page.locator(".sample").get_attribute("src")
        page.get_by_label("Your name").fill("Ana")
        page.get_by_label("Box").select_option(label="Ours <1>")
        page.wait_for_function("() => document.querySelector('.sample').src.includes('box=')")
        assert page.locator(".sample").get_attribute("src") != before
        page.wait_for_function("() => document.querySelector('.sample').naturalWidth > 0")
        assert "ours" in (page.locator("#blank-sheets").get_attribute("href") or "")
        page.get_by_role("button", name="Open the table").click()
        page.wait_for_selector("#main[data-seq]")
        expect(page.locator("#title")).to_have_text(f"{games.load(name).title}: Ours <1>")
        assert ana.wanted() == "move"
        ana.move(random.Random(1))
        record = [entry["kind"] for entry in Person(server.url, ana.table).view()["log"]]
        assert "move" in record
