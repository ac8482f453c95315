"""`lamplighter admin`: as whoever runs a server calls it, while servers play on the same database."""

from __future__ import annotations

import contextlib
import io
import json
import random
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import sqlalchemy as sa
from serving import (
    UNLIMITED,
    LocalServer,
    Person,
    Postgres,
    ServerProcess,
    all_at_once,
    apart,
    is_secret,
    new_key,
    one_by_one,
    until,
    variant_where,
)

from lamplighter import games
from lamplighter.cli import main
from lamplighter.engine import record
from lamplighter.web import admin, db_schema
from lamplighter.web.settings import Settings
from lamplighter.web.store import Store, connect, migrate

Start = Callable[..., LocalServer]


def call(*words: str, answer: str = "", code: int = 0) -> str:
    """Run `lamplighter admin …`; what it said, of an error the words of the error."""
    said, wrong = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(wrong),
        mock.patch("sys.argv", ["lamplighter", "admin", *words]),
        mock.patch("sys.stdin", io.StringIO(answer)),
        pytest.raises(SystemExit) as ended,
    ):
        apart(main)
    assert (ended.value.code or 0) == code, said.getvalue() + wrong.getvalue()
    return wrong.getvalue() if code else said.getvalue()


def call_process(*words: str) -> str:
    """The same in a process of its own."""
    program = [sys.executable, "-m", "lamplighter", "admin", *words]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout


def finished(server: Any, name: str = "Ana", kind: Callable[..., bool] = one_by_one) -> Person:
    person = Person(server.url).lay(variant_where(kind), ["me", "bot:uniform"], names=[name])
    person.play_on(random.Random(3))
    return person


def everything(url: str) -> str:
    """All that a database has, as text."""
    engine = connect(url)
    with engine.connect() as connection:
        found = [str(connection.execute(sa.select(table)).all()) for table in db_schema.metadata.sorted_tables]
    engine.dispose()
    return "\n".join(found)


# --- looking ---------------------------------------------------------------------------------------------------


def test_tables_are_listed_and_shown(database: str) -> None:
    server = LocalServer(Settings(database, hold=0.0, **UNLIMITED))
    try:
        over = finished(server)
        going = Person(server.url).lay(variant_where(all_at_once), ["me", "bot:uniform"], names=["Bo"])
        going.play()
        lobby = Person(server.url).lay(variant_where(all_at_once), ["me", "open"], names=["Cy"])
        store = server.app.state.store
        store.write(
            lambda connection: connection.execute(
                sa.update(db_schema.entries).where(db_schema.entries.c.table_id == over.table).values(at=1.0)
            )
        ).result()

        def ids(*options: str) -> set[str]:
            return {row["id"] for row in json.loads(call("list", "--json", *options, "--database", database))}

        assert ids() == {over.table, going.table, lobby.table}
        assert ids("--phase", "finished") == ids("--older-than", "30") == {over.table}
        assert ids("--phase", "running") == {going.table}
        assert ids("--phase", "lobby") == {lobby.table}
        assert ids("--game", over.view()["game"]) == {over.table} | (
            {going.table, lobby.table} if going.view()["game"] == over.view()["game"] else set()
        )
        assert "a phase is" in call("list", "--phase", "asleep", "--database", database, code=2)
        assert going.table in call("list", "--database", database)

        seed = server.table(going.table).row.seed
        shown = call("show", f"{server.url}/t/{going.table}#seat=x", "--database", database)
        assert "Bo (person)" in shown and "running" in shown and "entries" in shown
        assert seed not in shown
        assert seed not in call("show", going.table, "--json", "--database", database)
        assert seed in call("show", going.table, "--secrets", "--database", database)
        assert server.table(over.table).row.seed in call("show", over.table, "--database", database)
        assert "there is no table" in call("show", "nowhere", "--database", database, code=2)
    finally:
        server.close()


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert "there is no database" in call("list", "--database", f"sqlite:///{tmp_path}/folder/none.db", code=2)
    assert list(tmp_path.iterdir()) == []
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE songs (name TEXT)")
    assert "not a database of Lamplighter" in call("list", "--database", f"sqlite:///{tmp_path}/other.db", code=2)


# --- taking out ------------------------------------------------------------------------------------------------


def test_matches_are_exported(start: Start, tmp_path: Path) -> None:
    server = start(hold=0.0)
    url = server.app.state.settings.database
    over = finished(server)
    going = Person(server.url).lay(variant_where(all_at_once), ["me", "bot:uniform"], names=["Bo"])
    going.play()
    hidden = Person(server.url).lay(variant_where(is_secret), ["me", "bot:uniform"], names=["Cy"])

    assert call("export", over.table, "--database", url) == over.ask("GET", "record").text
    call("export", going.table, "-o", str(tmp_path / "going.lamp"), "--database", url)
    written = record.read(tmp_path / "going.lamp")
    assert written.seed is None
    assert not written.is_over
    assert record.parse_record(call("export", going.table, "--secrets", "--database", url)).seed is not None
    assert "hands are hidden" in call("export", hidden.table, "--database", url, code=2)
    assert record.parse_record(call("export", hidden.table, "--secrets", "--database", url)).players[0] == "Cy"

    folder = tmp_path / "all"
    said = call("export", "--all", "-o", str(folder), "--database", url)
    assert "2 records" in said
    assert {file.name.split("-", 1)[1] for file in folder.iterdir()} == {f"{over.table}.lamp", f"{going.table}.lamp"}
    call("export", "--all", "--secrets", "-o", str(folder), "--database", url)
    assert len(list(folder.iterdir())) == 3
    assert "say which table" in call("export", "--database", url, code=2)


# --- deleting --------------------------------------------------------------------------------------------------


def test_a_deleted_table_is_gone_from_a_running_server(database: str, caplog: pytest.LogCaptureFixture) -> None:
    server = LocalServer(Settings(database, hold=0.0, **UNLIMITED))
    try:
        person, other = finished(server), finished(server, "Bo")
        listener = person.listen()
        call("keep", "--database", database)
        assert "nothing was changed" in call("delete", person.table, "--database", database, answer="n\n", code=2)
        unknown = call("delete", other.table, "nowhere", "--yes", "--database", database, code=2)
        assert "there is no table" in unknown
        assert person.view() and other.view()
        assert "1 deleted" in call("delete", person.table, "--database", database, answer="y\n")
        until(lambda: person.ask("GET", "").status_code == 404, "the server has noticed")
        until(listener.ended.is_set, "the stream has ended")
        assert "a mistake of the server" not in caplog.text
        assert person.table not in everything(database)
        assert other.view()["phase"] == "over"
        listener.close()
    finally:
        server.close()


# --- forgetting ------------------------------------------------------------------------------------------------


def test_a_person_is_forgotten_while_the_server_runs(database: str) -> None:
    """By name, at a finished table, a running one and a rematch: the server goes on, and never says the name again."""
    server = ServerProcess(Settings(database, hold=0.0, **UNLIMITED))
    try:
        name = "Zyxwvut"
        over = finished(server, name)
        rematch = Person(server.url, over.post("rematch")["id"], over.token, [0])
        going = Person(server.url).lay(variant_where(all_at_once), ["me", "open"], names=[name])
        bo = going.join("Bo")
        going.play()
        before = bo.view()
        said = call("forget", name, "--database", database, answer="y\n")
        assert "forgotten" in said
        assert name not in everything(database)
        for table in (over, rematch, going):
            for path in ("", "?as=spectator"):
                assert name not in table.ask("GET", path).text
        assert over.watcher.view()["seats"][0]["name"] == "Player 1"
        assert name not in over.watcher.ask("GET", "record").text
        assert over.view()["mine"] == going.view()["mine"] == rematch.view()["mine"] == [], "their links open nothing"
        assert bo.view()["seats"][0]["kind"] == "bot"
        assert before["seq"] < bo.view()["seq"]
        view = bo.play_on(random.Random(2))  # a bot plays on for them
        assert view["phase"] == "over"
        assert name not in everything(database)
        assert "nobody was found" in call("forget", name, "--yes", "--database", database, code=2)
    finally:
        server.close()


def test_a_name_that_is_written_once_more_is_found(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that has not noticed yet may write the name again; the command looks twice."""
    monkeypatch.setattr(admin, "LOOK", 0.05)
    server = start(hold=0.0)
    store, url = server.app.state.store, server.app.state.settings.database
    over = finished(server, "Zyxwvut")
    admin.forget(store, admin.places_of_name(store, "Zyxwvut"))

    def write_again() -> None:
        until(lambda: "Zyxwvut" not in everything(url), "the first pass is done")
        store.write(
            lambda connection: connection.execute(
                sa.update(db_schema.results).where(db_schema.results.c.table_id == over.table).values(name="Zyxwvut")
            )
        ).result()

    second = finished(server, "Zyxwvut")
    late = threading.Thread(target=write_again)
    late.start()
    call("forget", "Zyxwvut", "--yes", "--database", url)
    late.join()
    assert "Zyxwvut" not in everything(url)
    assert second.view()["mine"] == []


def test_a_seat_link_and_a_browser_are_forgotten(start: Start) -> None:
    server = start(hold=0.0)
    url = server.app.state.settings.database
    ana, other = finished(server, "Zyxwvut"), finished(server, "Zyxwvut")
    link = f"{server.url}/t/{ana.table}#seat={ana.token}"
    call("forget", "--seat-link", link, "--yes", "--database", url)
    assert ana.watcher.view()["seats"][0]["name"] == "Player 1"
    assert other.watcher.view()["seats"][0]["name"] == "Zyxwvut", "somebody else of that name"

    game = games.own_names()[0]
    answer = Person(server.url).ask("POST", f"/api/daily/{game}", {"name": "Dawn"})
    cookies = answer.headers.get_list("set-cookie")
    browser = next(cookie.partition("=")[2].partition(";")[0] for cookie in cookies if cookie.startswith("browser="))
    table = answer.json()["id"]
    call("forget", "--browser", browser, "--yes", "--database", url)
    row = server.app.state.store.table(table)
    assert row.client is None
    assert row.host == ""
    assert "Dawn" not in everything(url)
    assert "say one thing" in call("forget", "Ana", "--browser", "x", "--database", url, code=2)
    assert "private seat link" in call("forget", "--seat-link", f"{server.url}/t/x", "--database", url, code=2)


def test_a_child_of_a_class_is_forgotten_and_a_class_deleted(start: Start) -> None:
    server = start(hold=0.0)
    url = server.app.state.settings.database
    teacher = Person(server.url)
    made = teacher.post("/api/classes", variant=variant_where(all_at_once, 1))
    teacher.token = made["token"]
    child = Person(server.url, token="t" * 40)
    child.post("/api/classes/join", code=made["code"], name="Zyxwvut", token=child.token)
    teacher.post(f"/api/classes/{made['id']}/start")
    child.table = child.get("/api/classes/me", code=made["code"])["table"]
    assert made["code"] in call("classes", "--database", url)
    assert f"class {made['id']}, child 1" in call("forget", "Zyxwvut", "--yes", "--database", url)
    assert "Zyxwvut" not in everything(url)
    assert child.view()["mine"] == []
    child.refused(404, "GET", f"/api/classes/me?code={made['code']}")
    assert "1 table;" in call("delete-class", made["code"], "--yes", "--database", url)
    assert made["id"] not in everything(url) and child.table not in everything(url)
    assert "no class" in call("delete-class", made["code"], "--yes", "--database", url, code=2)


def test_every_column_of_a_table_is_thought_of() -> None:
    """Whoever adds a column says whether it tells something of a person, so that `forget` clears it."""
    harmless = {
        "id",
        "kind",
        "game",
        "variant",
        "rules",
        "seed",
        "salt",
        "promise",
        "source",
        "ghost",
        "day",
        "created",
        "counted",
        "box",
        "shared",
        "hold",
        "hints",
    }
    assert set(db_schema.tables.c.keys()) - harmless - {"host"} == set(admin.PERSONAL)


# --- backups ---------------------------------------------------------------------------------------------------


class Player(threading.Thread):
    """Plays tables without end and notes the key of every move that was acknowledged."""

    def __init__(self, url: str) -> None:
        super().__init__(daemon=True)
        self.url, self.stop = url, threading.Event()
        self.acknowledged: list[tuple[str, str]] = []

    def run(self) -> None:
        choice = random.Random(6)
        while not self.stop.is_set():
            person = Person(self.url).lay(variant_where(all_at_once), ["me", "bot:uniform"], names=["Ana"])
            while not self.stop.is_set() and (view := person.view())["phase"] != "over":
                if view["moves"]:
                    key = new_key()
                    if person.move(choice.choice(view["moves"]), view, key=key).status_code == 200:
                        self.acknowledged.append((person.table, f"{view['you']}:{key}"))


@pytest.mark.thorough
def test_a_backup_of_a_server_that_plays(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """What was acknowledged before it began is in it, and a server goes on from it."""
    server = ServerProcess(Settings(database, hold=0.0, **UNLIMITED))
    file = tmp_path / "backup"
    try:
        going = Person(server.url).lay(variant_where(one_by_one), ["me", "me"], names=["Ana", "Bo"])
        for _ in range(3):
            going.play(random.Random(1))
        over = finished(server)
        players = [Player(server.url) for _ in range(2)]
        for player in players:
            player.start()
        until(lambda: all(len(player.acknowledged) > 20 for player in players), "there are moves")
        before = [pair for player in players for pair in list(player.acknowledged)]
        call_process("backup", str(file), "--database", database)
        after = sum(len(player.acknowledged) for player in players)
        until(lambda: sum(len(player.acknowledged) for player in players) > after + 10, "it plays on")
        for player in players:
            player.stop.set()
            player.join()
        moments = going.view()["seq"], over.view()["log"]
        going.play(random.Random(1))
    finally:
        server.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "exists" in call("backup", str(file), "--database", database, code=2)

    fresh = f"sqlite:///{tmp_path}/new/tables.db"
    if not database.startswith("sqlite"):
        made: Postgres = request.getfixturevalue("postgres")
        fresh = made.new_database()
    call_process("restore", str(file), "--database", fresh)
    store = Store(fresh)
    keys = {(table, row.key) for table in {pair[0] for pair in before} for row in store.entries(table)}
    store.close()
    assert set(before) <= keys
    again = ServerProcess(Settings(fresh, hold=0.0, **UNLIMITED))
    try:
        going.url = over.url = again.url
        assert (going.view()["seq"], over.view()["log"]) == moments
        assert over.get("verify")["ok"]
        going.play_on(random.Random(1))
        assert going.get("verify")["ok"]
    finally:
        again.close()
    say = "say --yes" if fresh.startswith("sqlite") else "not empty"
    assert say in call("restore", str(file), "--database", fresh, code=2)
    call("restore", str(file), "--yes", "--database", fresh)
    store = Store(fresh)
    assert len(store.entries(going.table)) == moments[0]
    store.close()


def test_what_is_no_backup_is_refused(start: Start, tmp_path: Path) -> None:
    server = start()
    url = server.app.state.settings.database
    table = Person(server.url).lay(variant_where(one_by_one), ["me", "me"]).table
    fresh = f"sqlite:///{tmp_path}/fresh.db"
    (tmp_path / "letter").write_text("Dear all,\n" * 20)
    with sqlite3.connect(tmp_path / "songs.db") as other:
        other.execute("CREATE TABLE songs (name TEXT)")
    (tmp_path / "dump").write_bytes(b"PGDMP" + bytes(100))
    for name, words in (
        ("letter", "no backup"),
        ("songs.db", "no backup"),
        ("dump", "PostgreSQL"),
        ("none", "cannot read"),
    ):
        assert words in call("restore", str(tmp_path / name), "--yes", "--database", fresh, code=2)
    assert not (tmp_path / "fresh.db").exists()
    assert "nothing to back up" in call(
        "backup", str(tmp_path / "b"), "--database", f"sqlite:///{tmp_path}/songs.db", code=2
    )
    call("backup", str(tmp_path / "good"), "--database", url)
    cut = (tmp_path / "good").read_bytes()
    (tmp_path / "half").write_bytes(cut[: len(cut) // 2])
    call("restore", str(tmp_path / "half"), "--yes", "--database", fresh, code=2)
    (tmp_path / "rotten").write_bytes(cut[:-4096] + b"\xff" * 4096)
    assert "damaged" in call("restore", str(tmp_path / "rotten"), "--yes", "--database", fresh, code=2)
    assert not (tmp_path / "fresh.db").exists()
    assert table in server.app.state.service.cache


def test_names_that_no_file_can_have_are_sentences(start: Start, tmp_path: Path) -> None:
    url = start().app.state.settings.database
    good, file, folder = tmp_path / "good", tmp_path / "file", f"sqlite:///{tmp_path}"
    call("backup", str(good), "--database", url)
    file.write_text("")
    for code, words in (
        (1, ["export", "--all", "-o", str(file), "--database", url]),
        (1, ["list", "--database", f"sqlite:///{tmp_path}/{'x' * 300}"]),
        (1, ["backup", str(tmp_path / ("x" * 300)), "--database", url]),
        (2, ["list", "--database", folder]),
        (2, ["backup", str(file / "below"), "--database", url]),
        (2, ["backup", str(tmp_path), "--yes", "--database", url]),
        (2, ["backup", "/", "--yes", "--database", url]),
        (2, ["forget", "--seat-link", "http://[x#seat", "--database", url]),
        (2, ["show", "\udcff", "--database", url]),
        (2, ["restore", str(good), "--yes", "--database", folder]),
        (2, ["restore", str(good), "--yes", "--database", "sqlite:///:memory:"]),
    ):
        assert call(*words, code=code).startswith("error: "), words


def test_a_database_that_a_server_plays_on_is_not_replaced(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    migrate(url)
    call("backup", str(tmp_path / "copy"), "--database", url)
    from lamplighter.cli.serve import _alone

    with _alone(url):
        assert "another server uses" in call("restore", str(tmp_path / "copy"), "--yes", "--database", url, code=1)


def test_an_older_backup_is_brought_up_to_date(tmp_path: Path) -> None:
    """A backup from before the newest migrations; until it is restored, other commands say what to do."""
    from alembic import command
    from alembic.config import Config

    url = f"sqlite:///{tmp_path}/old.db"
    config = Config()
    config.set_main_option("script_location", str(Path(db_schema.__file__).parent / "migrations"))
    engine = connect(url)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    assert "has schema 0001" in call("list", "--database", url, code=2)
    call("backup", str(tmp_path / "copy"), "--database", url)
    call("restore", str(tmp_path / "copy"), "--database", f"sqlite:///{tmp_path}/new.db")
    assert call("list", "--database", f"sqlite:///{tmp_path}/new.db") == "0 tables\n"
    assert admin.schema_version(f"sqlite:///{tmp_path}/new.db") == admin.newest_version()
