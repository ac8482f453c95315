"""Boxes that a server offers: chosen by name at a new table, kept with it, and nothing else of the disk can be named."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from serving import UNLIMITED, LocalServer, Person, ServerProcess, all_at_once, run, until, variant_where

from lamplighter import games
from lamplighter.cli.serve import _tell_boxes
from lamplighter.engine.record import parse_record
from lamplighter.errors import BadVariant, CannotStart
from lamplighter.web.boxes import NAME_LIMIT, Boxes
from lamplighter.web.kept import bare_record, keep
from lamplighter.web.settings import Settings
from lamplighter.web.store import migrate
from lamplighter.web.table import load_variant

VARIANT = variant_where(all_at_once)  # a game whose outcomes can be called for people on paper
GAME = VARIANT.partition("?")[0]
OTHER = next(name for name in games.own_names() if name != GAME)
OWN = [
    path for name in games.own_names() for path in sorted((games.load(name).folder / "tests" / "boxes").glob("*.toml"))
]
NAME = "ours & more.toml"
CHOSEN = f"{VARIANT}&box=ours%20%26%20more.toml"


def write_box(folder: Path, name: str, game: str, title: str = "") -> Path:
    """Write a game's own component file as a box of that name."""
    folder.mkdir(exist_ok=True)
    head = f'game = "{game}"\n' + (f'title = "{title}"\n' if title else "")
    path = folder / name
    path.write_text(head + games.load(game).box_text, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two good boxes of one game, one of another, and some that are left out."""
    made = tmp_path / "boxes"
    write_box(made, NAME, GAME, "<Ours>")
    write_box(made, "plain.toml", GAME)
    write_box(made, "third.toml", OTHER)
    write_box(tmp_path, "outside.toml", GAME)
    return made


def bad_files(folder: Path) -> list[str]:
    """Put files into a folder that cannot be offered; their names in order."""
    good = games.load(GAME).box_text
    (folder / "a_binary.toml").write_bytes(b"\xff\xfe\x00")
    (folder / "b_chess.toml").write_text('game = "chess"\n')
    (folder / "c_mute.toml").write_text(good, encoding="utf-8")
    (folder / "d_more.toml").write_text(f'game = "{GAME}"\n{good}\n[more]\n', encoding="utf-8")
    (folder / "e_not.toml").write_text("game = \n\n")
    (folder / f"f{'x' * NAME_LIMIT}.toml").write_text(f'game = "{GAME}"\n{good}', encoding="utf-8")
    return sorted(path.name for path in folder.iterdir() if path.name[1] in "_x")


# --- reading the folder ---------------------------------------------------------------------------------------


def test_the_files_of_a_folder_are_offered_by_title_or_name(folder: Path) -> None:
    (folder / "notes.txt").write_text("not a box")
    (folder / "nothing.toml").mkdir()
    os.mkfifo(folder / "pipe.toml")
    boxes = Boxes(str(folder))
    assert boxes.problems == []
    assert [(box.name, box.title) for box in boxes.of(GAME)] == [(NAME, "<Ours>"), ("plain.toml", "plain")]
    assert [box.title for box in boxes.of(OTHER)] == ["third"]
    assert len(boxes) == 3 and len(Boxes()) == 0


def test_boxes_with_one_title_are_told_apart(folder: Path) -> None:
    write_box(folder, "again.toml", GAME, "<Ours>")
    assert [box.title for box in Boxes(str(folder)).of(GAME)] == ["<Ours> (again.toml)", f"<Ours> ({NAME})", "plain"]


def test_bad_files_are_named_in_a_line_each_and_left_out(folder: Path) -> None:
    bad = bad_files(folder)
    boxes = Boxes(str(folder))
    assert len(bad) == len(boxes.problems) == 6 and len(boxes) == 3
    for name, problem in zip(bad, boxes.problems, strict=True):
        assert name in problem and "\n" not in problem
    assert "line" in boxes.problems[3]


def test_a_mistake_in_a_games_loader_leaves_only_the_file_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(file: Any, options: Any) -> Any:
        raise KeyError("oops")

    monkeypatch.setattr(games.load(OTHER).components, "build", build)
    boxes = Boxes(str(folder))
    assert boxes.problems == [f"{folder / 'third.toml'}: cannot be used: KeyError"]
    assert len(boxes) == 2


def test_a_server_says_what_it_offers_and_what_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad_files(folder)
    assert _tell_boxes(str(folder)) == str(folder)
    said = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in said] == ["  not offered"] * 6 + [f"  3 boxes are offered from {folder}"]
    with pytest.raises(CannotStart, match="no such folder"):
        _tell_boxes(str(folder / "nowhere"))


@pytest.mark.parametrize(
    "name",
    ["../outside.toml", "/etc/passwd", "outside.toml", "boxes/plain.toml", "./plain.toml", "third.toml", "plain"],
)
def test_only_what_was_read_can_be_named(folder: Path, name: str) -> None:
    boxes = Boxes(str(folder))
    with pytest.raises(BadVariant, match="no box"):
        boxes.find(GAME, name)
    with pytest.raises(BadVariant, match="no box"):
        boxes.text(f"{VARIANT}&box={name}")
    assert boxes.text(VARIANT) is None
    with pytest.raises(BadVariant, match="offers no boxes"):
        Boxes().text(CHOSEN)


# --- at a table -----------------------------------------------------------------------------------------------


@pytest.fixture
def someone(start: Callable[..., LocalServer], folder: Path) -> Person:
    """Somebody at a server that offers boxes."""
    return Person(start(boxes=str(folder)).url)


def test_the_form_and_the_api_offer_boxes(someone: Person) -> None:
    described = {one["id"]: one["boxes"] for one in someone.get("/api/games")}
    assert described[GAME] == [{"name": NAME, "title": "<Ours>"}, {"name": "plain.toml", "title": "plain"}]
    form = someone.ask("GET", f"/new/{GAME}").text
    assert "&lt;Ours&gt;" in form and "<Ours>" not in form
    without = next(name for name in games.names() if not described[name])
    assert 'data-option="box"' not in someone.ask("GET", f"/new/{without}").text


def test_a_sheet_of_a_box_can_be_seen_and_printed(someone: Person) -> None:
    drawn = someone.ask("GET", f"/api/games/{GAME}/sheet.svg", params={"box": NAME})
    assert drawn.status_code == 200 and "&lt;Ours&gt;" in drawn.text
    printed = someone.ask("GET", f"/api/games/{GAME}/sheets.pdf", params={"variant": CHOSEN})
    assert printed.content.startswith(b"%PDF")
    for query in ("box=../outside.toml", "box=%2Fetc%2Fpasswd"):
        someone.refused(400, "GET", f"/api/games/{GAME}/sheet.svg?{query}")
        someone.refused(400, "GET", f"/api/games/{GAME}/sheets.pdf?variant={GAME}%3F{query}")


def test_a_table_with_a_box_outlives_the_file(start: Callable[..., LocalServer], folder: Path, tmp_path: Path) -> None:
    server = start(boxes=str(folder), hold=0)
    ana = Person(server.url).lay(CHOSEN, name="Ana")
    text = (folder / NAME).read_text(encoding="utf-8")
    ana.play()
    server.close()
    (folder / NAME).unlink()
    server = start(boxes=str(folder), hold=0)
    ana.url = server.url
    view = ana.view()
    assert view["title"] == f"{games.load(GAME).title}: <Ours>"
    assert view["variant"] == CHOSEN
    ana.refused(400, "POST", "/api/tables", {"variant": CHOSEN})
    assert ana.play_on(random.Random(3))["phase"] == "over"
    record = parse_record(ana.ask("GET", "record").text)
    assert record.variant.file.text == text and record.variant.text == CHOSEN
    assert ana.get("verify")["ok"]
    assert ana.ask("GET", "record.pdf").content.startswith(b"%PDF")
    again = Person(ana.url, ana.post("rematch")["id"], ana.token, ana.seats)
    raced = ana.lay(CHOSEN, name="Bo", same_dice_as=ana.table, ghost_seat=0)
    for person in (again, raced):
        assert person.view()["title"] == view["title"] and server.table(person.table).variant.file.text == text
    run(keep(server.service, ana.table))
    row, _, entries = server.service.store.whole(ana.table)
    head = json.loads(bare_record(row, entries, True).splitlines()[0])
    assert head["tags"]["Box"] == text, "also where only its moves can be had"


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_every_box_that_is_walked_can_be_played_at_a_table(
    start: Callable[..., LocalServer], tmp_path: Path, path: Path
) -> None:
    game = path.parents[2].name
    (tmp_path / "boxes").mkdir()
    (tmp_path / "boxes" / path.name).write_text(
        f'game = "{game}"\n{path.read_text(encoding="utf-8")}', encoding="utf-8"
    )
    someone, seats = Person(start(boxes=str(tmp_path / "boxes"), hold=0).url), games.load(game).default_seats
    plan = ["me", *["bot:uniform"] * (seats - 1)]
    ana = someone.lay(f"{game}?seats={seats}&box={path.name}", plan, name="Ana")
    for _ in range(3):
        until(lambda: ana.view()["moves"] or ana.view()["phase"] == "over", "it is Ana's turn")
        ana.play(random.Random(1))
    assert ana.view(sheet=True)["sheet"].startswith("<svg")


def test_a_table_for_paper_with_a_box(someone: Person) -> None:
    caller = someone.lay(CHOSEN, kind="caller")
    caller.call()
    entered = Person(someone.url, caller.post("enter", names=["Ana"])["id"])
    assert entered.view()["variant"] == CHOSEN


def test_a_box_that_is_not_for_so_many_is_refused_with_its_reason(someone: Person) -> None:
    most = games.load(GAME).seats[1]
    error = someone.refused(400, "POST", "/api/tables", {"variant": f"{GAME}?seats={most + 1}&box=plain.toml"})
    assert "seats cannot be" in error["message"]


def test_a_server_without_boxes_takes_none(start: Callable[..., LocalServer]) -> None:
    someone = Person(start().url)
    assert "box" in someone.refused(400, "POST", "/api/tables", {"variant": CHOSEN})["message"]
    assert someone.lay(f"{VARIANT}&box=").view()["variant"] == VARIANT


def test_every_worker_knows_the_boxes(folder: Path, tmp_path: Path) -> None:
    server = ServerProcess(Settings(f"sqlite:///{tmp_path}/tables.db", boxes=str(folder), **UNLIMITED))
    try:
        assert Person(server.url).lay(CHOSEN).view()["variant"] == CHOSEN
    finally:
        server.close()


def test_tables_with_boxes_are_kept_by_either_database(database: str, folder: Path) -> None:
    migrate(database)
    server = LocalServer(Settings(database, boxes=str(folder), **UNLIMITED))
    try:
        ana = Person(server.url).lay(CHOSEN)
        server.forget(ana.table)
        assert ana.view()["variant"] == CHOSEN
    finally:
        server.close()


def test_the_text_of_a_box_has_to_come_with_its_variant() -> None:
    with pytest.raises(BadVariant):
        load_variant(CHOSEN)
    assert load_variant(CHOSEN, games.load(GAME).box_text).text == CHOSEN
