"""A game of one's own, from `new-game` to paper: it is one folder, and no file outside it is touched."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pypdf
import pytest
from browsing import Visitor, totals_shown
from playwright.sync_api import Browser, expect
from serving import HTTP, UNLIMITED, Person, ServerProcess

import lamplighter
from lamplighter.web.settings import Settings

ID, TITLE = "pear_tree_5", "Pear Tree 5"
SQUARES = [f"{row}{col}" for row in "abc" for col in range(3)]
BATCH = f"""
import json
import numpy as np
import lamplighter
from lamplighter.engine.batch import Batch
variant, told = lamplighter.load("{ID}?seats=2"), []
for rows in (1, 64):
    batch, generator, steps = Batch(variant, rows), np.random.default_rng(rows), 0
    batch.reset(seed=7)
    while not batch.done.all():
        assert not batch.step(batch.legal().pick(generator)).any()
        steps += 1
    told.append([rows, steps, batch.results()["total"].shape, int(batch.results()["total"].max())])
print(json.dumps(told))
"""


def package_bytes() -> str:
    """A digest of every file of the package."""
    package, digest = Path(lamplighter.__file__).parent, hashlib.sha256()
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


def run(*arguments: str, given: str = "") -> str:
    """Run Python, as somebody would in a terminal. It must end well."""
    done = subprocess.run(
        [sys.executable, *arguments], input=given, capture_output=True, text=True, encoding="utf-8", timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def words(path: Path) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path, strict=True).pages)


def play_by_clicks(browser: Browser, url: str) -> list[int]:
    """Read the rules of the game, open a table, and play a whole match against a bot. Return the totals."""
    visitor = Visitor(browser, url)
    expect(visitor.open(f"/rules/{ID}").locator("#p4")).to_be_visible()
    page = visitor.open(f"/new/{ID}")
    assert page.evaluate("document.querySelector('img.sample').naturalWidth") > 0, "a text sheet, drawn"
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#paper pre")).to_contain_text("┌───┬───┬───┐")  # it has no picture: the text sheet is shown
    visitor.play_on(random.Random(5))
    totals = totals_shown(visitor)
    visitor.context.close()
    assert visitor.problems == []
    return totals


@pytest.mark.thorough
def test_a_fifth_game(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made, stepped in batches, played in the terminal, printed, and played in the browser."""
    before, folder = package_bytes(), tmp_path / ID
    run("-m", "lamplighter", "new-game", ID, "--into", str(tmp_path))
    monkeypatch.setenv("LAMPLIGHTER_GAMES", str(folder))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))  # where the terminal keeps finished matches
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    written = sorted(path for path in folder.rglob("*") if path.is_file())

    one, many = json.loads(run("-c", BATCH))
    assert one[:3] == [1, 18, [1, 2]]
    assert many[:3] == [64, 18, [64, 2]] and many[3] > 0

    said = run("-m", "lamplighter", "play", ID, "--seats", "1", given="\n".join(SQUARES))
    assert "The end" in said
    (kept,) = (tmp_path / "state").rglob("*.lamp")

    sheets, match = tmp_path / "sheets.pdf", tmp_path / "match.pdf"
    assert "page" in run("-m", "lamplighter", "print", ID, "--rules", "--out", str(sheets))
    assert all(part in words(sheets) for part in (TITLE, "Name", "┌───┬───┬───┐", "§4"))
    run("-m", "lamplighter", "print", "--record", str(kept), "--out", str(match))
    assert all(part in words(match) for part in ("The moves", "└───┴───┴───┘", "columns"))

    settings = Settings(f"sqlite:///{tmp_path}/tables.db", hold=3600, hold_long=3600, **UNLIMITED)
    with closing(ServerProcess(settings)) as server:
        assert ID in [game["id"] for game in Person(server.url).get("/api/games")]
        drawn = HTTP.get(f"{server.url}/api/games/{ID}/sheet.svg", timeout=200)  # which compiles the game
        assert drawn.status_code == 200
        assert len(play_by_clicks(browser, server.url)) == 2

    assert sorted(path for path in folder.rglob("*") if path.is_file()) == written
    assert package_bytes() == before
