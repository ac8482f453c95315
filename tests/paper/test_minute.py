"""The rules in a minute: four headings, figures by their numbers, one page of paper and one in the browser."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pypdf
import pytest
from serving import UNLIMITED, Person, ServerProcess, until

from lamplighter import games, load
from lamplighter.cli.new_game import write_files
from lamplighter.engine.game import Game
from lamplighter.errors import BadGame, LamplighterError
from lamplighter.paper import PAPERS, Style, minute, page_count, print_minute
from lamplighter.svg import Picture, circle
from lamplighter.web.settings import Settings

TEXT = """# Some Game

## Goal

Fill your grid. **Rising** rows score.

## A turn

1. Roll the die.
2. Write it down.

[figure: 2]

[figure: 1]

## Scoring

[figure: 1]

| rows | points |
|---|---|
| 1 | 2 |

## The end

After the last square (§7).
"""
GAME = next(name for name in games.own_names() if games.load(name).has_picture)


def words(document: bytes) -> str:
    pages = pypdf.PdfReader(io.BytesIO(document), strict=True).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game has the text above, and two figures."""
    monkeypatch.setattr(Game, "minute_text", property(lambda self: TEXT))
    figures = [(f"Figure number {n}.", Picture(40, 30, [circle(20, 15, 5 * n, "ink")])) for n in (1, 2)]
    monkeypatch.setattr(games.load(GAME).picture, "figures", lambda variant: figures, raising=False)


# --- reading --------------------------------------------------------------------------------------------------


def test_the_parts_of_a_text() -> None:
    parts = minute.parse_minute(TEXT, "MINUTE.md")
    assert tuple(part.heading for part in parts) == minute.HEADINGS
    assert [part.figures for part in parts] == [[], [2, 1], [1], []]
    assert [[block["kind"] for block in part.blocks] for part in parts] == [
        ["paragraph"], ["list"], ["table"], ["paragraph"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("## The end", "## Ending", "the headings must be Goal, A turn, Scoring, The end, and are"),
        ("## Scoring", "", "the headings must be"),
        ("## Goal", "## Goal\n\n## Goal", "the headings must be"),
        ("## A turn", "### Dice\n\n## A turn", "the headings must be"),
        ("## Goal", "A game.\n\n## Goal", "nothing may stand before"),
        (TEXT, "", "and are none"),
    ],
)
def test_another_form_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(BadGame, match=said):
        minute.parse_minute(TEXT.replace(old, new, 1), "MINUTE.md")


def test_headings_may_be_of_any_level_and_the_title_is_optional() -> None:
    plain = TEXT.replace("# Some Game\n", "").replace("## ", "# ")
    assert [part.figures for part in minute.parse_minute(plain, "MINUTE.md")] == [[], [2, 1], [1], []]


# --- paper ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("told")
def test_one_page_with_figures() -> None:
    variant = load(GAME)
    for style in (Style(), Style("letter"), Style(low_ink=True), Style(colour=True), Style(large=True)):
        made = print_minute(variant, style)
        assert page_count(made) == 1
        text = words(made)
        assert text.count("Figure number 1.") == 2 and text.count("Figure number 2.") == 1
        assert all(heading in text for heading in minute.HEADINGS) and "in a minute" in text
        assert "[figure" not in text


@pytest.mark.usefixtures("told")
def test_a_figure_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "minute_text", property(lambda self: TEXT.replace("[figure: 2]", "[figure: 3]")))
    with pytest.raises(BadGame, match="there is no figure 3, only 2"):
        print_minute(load(GAME))
    part = minute.Part("Goal", figures=[3, 1])
    own = load(GAME)
    own.own_box = True
    assert [caption for caption, _ in minute.minute_figures(own, part)] == ["Figure number 1."], (
        "other boxes may lack some"
    )


@pytest.mark.usefixtures("told")
def test_a_text_that_is_too_long_for_a_page_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "minute_text", property(lambda self: TEXT + "\n\nAnd so on." * 200))
    with pytest.raises(BadGame, match="does not fit on a page"):
        print_minute(load(GAME))
    assert page_count(print_minute(load(GAME), Style(large=True))) > 1


def test_a_game_without_it_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "minute_text", "")
    with pytest.raises(LamplighterError, match="has no rules in a minute"):
        print_minute(load(GAME))


@pytest.mark.parametrize("name", [name for name in games.own_names() if games.load(name).minute_text])
def test_ours_fit_on_a_page(name: str) -> None:
    for paper in PAPERS:
        assert page_count(print_minute(load(name), Style(paper))) == 1


# --- a folder of one's own, from the command line to the browser ------------------------------------------------

PICTURE = '''"""A sheet that is only a circle, and two figures."""

from lamplighter.svg import Picture, circle, text


def draw(variant, state, seat):
    return Picture(100, 100, [circle(50, 50, 40, "ink"), text(50, 50, "Total")])


def targets(variant, state, seat):
    return []


def figures(variant):
    return [(f"Figure number {n}.", Picture(40, 30, [circle(20, 15, 5 * n, "ink")])) for n in (1, 2)]
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of its own with a picture and a text, named to every process that starts now."""
    made = tmp_path / "minute_game"
    made.mkdir()
    write_files(made.name, made)
    (made / "picture.py").write_text(PICTURE)
    (made / "MINUTE.md").write_text(TEXT)
    monkeypatch.setenv("LAMPLIGHTER_GAMES", str(made))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    return made


def lamplighter(*arguments: str, cwd: Path, expect: int = 0) -> str:
    command = [sys.executable, "-m", "lamplighter", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env={**os.environ, "NO_COLOR": "1"})
    assert done.returncode == expect, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_command(folder: Path, tmp_path: Path) -> None:
    assert "minute_game-minute.pdf: 1 page" in lamplighter("print", folder.name, "--minute", cwd=tmp_path)
    assert "Fill your grid." in words((tmp_path / "minute_game-minute.pdf").read_bytes())
    lamplighter("print", folder.name, "--minute", "--color", "--out", "bright.pdf", cwd=tmp_path)
    said = lamplighter("print", folder.name, "--minute", "--rules", cwd=tmp_path, expect=2)
    assert "one page of its own" in said
    (folder / "MINUTE.md").unlink()
    assert "has no rules in a minute" in lamplighter("print", folder.name, "--minute", cwd=tmp_path, expect=2)


def test_the_page_in_the_browser(folder: Path, tmp_path: Path) -> None:
    with closing(ServerProcess(Settings(f"sqlite:///{tmp_path}/tables.db", **UNLIMITED))) as server:
        someone, address = Person(server.url), f"/games/{folder.name}/minute"
        page = someone.ask("GET", address).text
        assert page.count("<figure>") == 3 and "<strong>Rising</strong>" in page and "[figure" not in page
        ids = re.findall(r' id="([^"]+)"', page)
        assert len(set(ids)) == len(ids) and page.count("Figure number 1.</figcaption>") == 2
        for path in ("/", f"/rules/{folder.name}"):
            assert f'href="{address}"' in someone.ask("GET", path).text
        until(
            lambda: someone.ask("GET", f"/api/games/{folder.name}/minute.pdf").content.startswith(b"%PDF"), "it prints"
        )
        without = [name for name in games.own_names() if not games.load(name).minute_text]
        for name in [*without, "nothing"]:
            assert someone.ask("GET", f"/games/{name}/minute").status_code == 404
            assert someone.ask("GET", f"/api/games/{name}/minute.pdf").status_code in (400, 404)
