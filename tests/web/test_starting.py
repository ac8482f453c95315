"""Whatever keeps a server from starting is said in one sentence: what is wrong, and what to do."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
from dataclasses import fields
from functools import partial
from pathlib import Path
from unittest import mock

import psycopg
import pytest
from commands import run_command
from serving import PATIENCE, Postgres, apart, free_port, run, until

from lamplighter.cli.serve import Greeting
from lamplighter.cli.supervisor import Supervisor
from lamplighter.errors import CannotStart
from lamplighter.web.app import _stop
from lamplighter.web.progress import Progress
from lamplighter.web.settings import VARIABLE, Settings
from lamplighter.web.store import migrate

ROOT = Path(__file__).parents[2]

# The superuser may write anywhere and have any port. So the command runs without these rights: 1 is to write where others
# may not, 10 to have a low port; 24 is the call that gives them up.
AS_ANYBODY = """
import ctypes, os, sys
for right in (1, 10):
    ctypes.CDLL(None).prctl(24, right, 0, 0, 0)
os.execv(sys.executable, [sys.executable, "-m", "lamplighter", "serve", *sys.argv[1:]])
"""


def with_port(arguments: tuple[str, ...]) -> tuple[str, ...]:
    return arguments if "--port" in arguments else (*arguments, "--port", str(free_port()))


def refuse(*arguments: str, code: int = 1, settings: str = "") -> str:
    """Call `lamplighter serve` with what it refuses before it starts a process. Return what it says."""
    call = partial(run_command, "serve", *with_port(arguments), **{VARIABLE: settings})
    with mock.patch.object(Supervisor, "run", side_effect=AssertionError("it starts")):
        done = apart(call)
    assert done.returncode == code, done.stderr
    assert re.fullmatch(r"error: [^\n]+\n", done.stderr), done.stderr
    return done.stderr


def refuse_database(address: str) -> str:
    """Open a database that a server cannot have. Return what it would say."""
    with pytest.raises(CannotStart) as refused:
        migrate(address)
    return str(refused.value)


def refuse_process(*arguments: str, code: int = 1) -> str:
    """Start a server that cannot start, in a process of its own. Return what it says."""
    done = subprocess.run(
        [sys.executable, "-c", AS_ANYBODY, *with_port(arguments)],
        capture_output=True, text=True, timeout=4 * PATIENCE,
        env=os.environ | {VARIABLE: "", "NO_COLOR": "1"},
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert re.fullmatch(r"error: [^\n]+\n", done.stderr), done.stderr
    return done.stderr


def file_address(path: Path) -> str:
    return f"sqlite:///{path}"


# --- databases ------------------------------------------------------------------------------------------------


def test_a_read_only_folder(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    said = refuse_process("--database", file_address(folder / "tables.db"))
    assert f"cannot write in the folder '{folder}'" in said and "--database" in said
    said = refuse_process("--database", file_address(folder / "more" / "tables.db"))
    assert f"cannot make the folder '{folder / 'more'}'" in said and "--database" in said


def test_a_read_only_file(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    path.touch(mode=0o444)
    assert "make the file and its folder writable" in refuse_process("--database", file_address(path))


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ana, " * 200)
    assert "file is not a database" in refuse_process("--database", file_address(path))
    assert path.read_text() == "Dear Ana, " * 200
    assert "writable" in refuse_process("--database", file_address(tmp_path))  # a folder


@pytest.mark.parametrize("address", ["mysql://ana:se:cr@t@localhost/games", "foo", "postgresql://ana:secret@h:x/games"])
def test_an_unknown_address(address: str) -> None:
    said = refuse("--database", address, code=2)
    assert "cannot read the database address" in said and "write sqlite:///FILE or postgresql://USER@HOST/NAME" in said
    assert "secret" not in said and "cr@t" not in said


def test_a_postgresql_that_is_not_there() -> None:
    said = refuse_process("--database", f"postgresql://ana:secret@127.0.0.1:{free_port()}/games")
    assert "refused" in said and "start the database server" in said and "secret" not in said
    assert "check the name of the host" in refuse_database("postgresql://ana@nowhere.invalid/games")


def test_a_postgresql_that_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgresql://ana@127.0.0.1:{silent.getsockname()[1]}/games?connect_timeout=2"
        assert "start the database server, or correct host and port" in refuse_database(address)


@pytest.mark.xdist_group("postgresql")
def test_a_postgresql_that_refuses(postgres: Postgres) -> None:
    where = f"?host={postgres.folder}"
    assert "make it with createdb" in refuse_database(f"postgresql://postgres@/nosuch{where}")
    rules = postgres.folder / "data" / "pg_hba.conf"
    rules.write_text("local all guarded scram-sha-256\n" + rules.read_text())
    name = postgres.new_database().partition("?")[0].rpartition("/")[2]
    with psycopg.connect(f"host={postgres.folder} user=postgres", autocommit=True) as connection:
        connection.execute("CREATE ROLE guarded LOGIN PASSWORD 'right'")
        connection.execute("SELECT pg_reload_conf()")

    def guarded() -> bool:
        try:
            psycopg.connect(f"host={postgres.folder} user=guarded dbname={name} password=wrong").close()
        except psycopg.OperationalError:
            return True
        return False

    until(guarded, "PostgreSQL asks for a password")
    said = refuse_database(f"postgresql://guarded:wrong@/{name}{where}")
    assert "check the user and the password" in said and ":wrong" not in said
    assert "write the password into the address" in refuse_database(f"postgresql://guarded@/{name}{where}")
    assert "let this user make tables there" in refuse_database(f"postgresql://guarded:right@/{name}{where}")


# --- settings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("rate=3", "LAMPLIGHTER_SERVER is not JSON"),
        ("[1, 2]", "LAMPLIGHTER_SERVER is not a JSON object"),
        ('{"tabel_limit": 3}', "there is no setting 'tabel_limit' for LAMPLIGHTER_SERVER: did you mean 'table_limit'"),
        ('{"rate": "40"}', "the setting 'rate' must be a number, not \"40\""),
        ('{"rate": NaN}', "the setting 'rate' must be a number, not NaN"),
        ('{"burst": 1.5}', "the setting 'burst' must be a whole number, not 1.5"),
        ('{"burst": true}', "the setting 'burst' must be a whole number, not true"),
        ('{"warm": 1}', "the setting 'warm' must be true or false, not 1"),
        ('{"public": null}', "the setting 'public' must be a text in quotes, not null"),
        ('{"workers": 0}', "the setting 'workers' must be more than 0, not 0"),
        ('{"hold": -1}', "the setting 'hold' must be at least 0, not -1"),
    ],
)
def test_a_bad_setting(settings: str, said: str) -> None:
    assert said in refuse(code=2, settings=settings)


def test_every_setting_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is added to the settings has a type that is checked, and a default that passes."""
    from lamplighter.errors import LamplighterError
    from lamplighter.web.settings import from_environment

    for field in fields(Settings):
        monkeypatch.setenv(VARIABLE, json.dumps({field.name: field.default}))
        assert getattr(from_environment(), field.name) == field.default
        for wrong in ([], {}):
            monkeypatch.setenv(VARIABLE, json.dumps({field.name: wrong}))
            with pytest.raises(LamplighterError, match=f"the setting '{field.name}' must be"):
                from_environment()


# --- where it listens -----------------------------------------------------------------------------------------


def test_a_port_that_cannot_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lamplighter.cli.serve.PATIENCE", 0.0)
    database = ("--database", file_address(tmp_path / "tables.db"))
    if int(Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text()) > 1023:  # else anybody may
        said = refuse_process(*database, "--port", "1023")
        assert "port 1023 needs rights that you do not have: choose --port 8000" in said
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} is taken" in refuse(*database, "--port", str(port))


def test_a_host_that_is_not_here(tmp_path: Path) -> None:
    database = ("--database", file_address(tmp_path / "tables.db"))
    said = refuse(*database, "--host", "nowhere.invalid", code=2)
    assert "cannot find the host 'nowhere.invalid'" in said and "--host 127.0.0.1" in said
    assert "this machine does not have the address '192.0.2.1'" in refuse(*database, "--host", "192.0.2.1")


def test_unknown_logs() -> None:
    assert "write --logs short or --logs json" in refuse("--logs", "long", code=2)


# --- what it says when it starts ------------------------------------------------------------------------------


def test_make_play_serves_at_once() -> None:
    """Nothing is compiled first, and who may come in is one word."""
    for word, host in (((), "127.0.0.1"), (("HOST=0.0.0.0",), "0.0.0.0")):
        command = ["make", "--dry-run", "play", *word]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert f"serve --host {host} " in done.stdout and "lamplighter warm" not in done.stdout


def test_it_says_who_can_reach_it(capsys: pytest.CaptureFixture[str]) -> None:
    Greeting("0.0.0.0", 8000, "http://192.0.2.7:8000/", False)(Progress())
    said = capsys.readouterr().err
    assert "Anyone on this network can reach it at http://192.0.2.7:8000/" in said
    assert "To keep it to this machine: make play, or lamplighter serve without --host" in said
    Greeting("127.0.0.1", 8000, "", False)(Progress())
    said = capsys.readouterr().err
    assert "Only this machine can reach it. For phones in your home: make play HOST=0.0.0.0" in said


# --- stopping -------------------------------------------------------------------------------------------------


def test_background_work_that_misses_a_cancellation_is_stopped_all_the_same() -> None:
    missed = 0

    async def stubborn() -> None:
        nonlocal missed
        try:
            await asyncio.sleep(PATIENCE)
        except asyncio.CancelledError:
            missed += 1
        await asyncio.sleep(PATIENCE)

    async def stop_both() -> list[bool]:
        jobs = [asyncio.create_task(stubborn()), asyncio.create_task(asyncio.sleep(PATIENCE))]
        await asyncio.sleep(0)
        await _stop(jobs)
        return [job.cancelled() for job in jobs]

    assert run(asyncio.wait_for(stop_both(), PATIENCE / 2)) == [True, True]
    assert missed == 1
