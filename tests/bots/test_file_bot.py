"""A bot from a Python file, named on the command line: `./lead.py:Lead?others=2`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import lamplighter
from lamplighter import bots
from lamplighter.bots.protocol import load_bot
from lamplighter.bots.seat import SeatedBot
from lamplighter.errors import LamplighterError

MIDDLE = """
from dataclasses import dataclass
from lamplighter.bots import Choice, Parameter

@dataclass(frozen=True)
class Middle:
    shift: int = 0
    name: str = "middle"
    title: str = "Middle"
    level: int = 1
    help: str = "plays the move in the middle of the list"
    parameters: tuple = (Parameter("shift", 0, 0, 3, "how far beside it"),)
    policy: None = None

    def choose(self, view, budget, stream):
        moves = view.legal_moves
        return Choice(moves[(len(moves) // 2 + self.shift) % len(moves)])

class Odd(Middle):
    def choose(self, view, budget, stream):
        return view.legal_moves[0]

def fails():
    raise RuntimeError("no licence")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "middle_bot.py"
    path.write_text(MIDDLE)
    return path


def choice_of(text: str) -> str:
    match = lamplighter.load("connect_four").match(seed="1")
    return SeatedBot(load_bot(text), match, 0).choose(match).move


def test_it_plays_with_its_parameters(file: Path) -> None:
    assert choice_of(f"{file}:Middle") == "d" and choice_of(f"{file}:Middle?shift=2") == "f"
    bot = load_bot(f"{file}:Middle?shift=2")
    assert (bot.name, bot.title, bot.level) == (f"{file}:Middle?shift=2", "Middle", 1)


def test_its_file_may_have_the_name_of_a_module(file: Path) -> None:
    other = file.rename(file.with_name("json.py"))
    assert choice_of(f"{other}:Middle") == "d" and json.loads("[1]") == [1] and sys.modules["json"] is json


def test_an_arena_plays_it_in_processes_of_its_own(file: Path) -> None:
    command = [sys.executable, "-m", "lamplighter", "arena", "connect_four", "--games", "4", "--threads", "2", "--json"]
    done = subprocess.run(
        [*command, "--bots", "./middle_bot.py:Middle,uniform"], cwd=file.parent, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(Path(lamplighter.__file__).parent.parent)},
    )  # fmt: skip
    assert [row["name"] for row in json.loads(done.stdout)["bots"]] == ["./middle_bot.py:Middle", "uniform"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("middle_bot.py:Nobody", r"cannot be made: AttributeError: .*'Nobody'"),
        ("middle_bot.py:fails", "cannot be made: RuntimeError: no licence"),
        ("middle_bot.py:Middle?shift=9", "shift of the bot .* is a number from 0 to 3, not '9'"),
        ("middle_bot.py:Middle?colour=1", "has no parameter 'colour'"),
        ("nothing.py:Middle", "there is no file '.*nothing.py' to load a bot from"),
    ],
)
def test_what_is_wrong_is_said(file: Path, name: str, reason: str) -> None:
    with pytest.raises(LamplighterError, match=reason):
        load_bot(str(file.parent / name))


def test_a_bot_that_returns_the_wrong_thing_gets_a_sentence(file: Path) -> None:
    with pytest.raises(LamplighterError, match=r"Odd returned 'a': choose\(\) returns a Choice, whose move is a text"):
        choice_of(f"{file}:Odd")


def test_a_server_loads_no_file(file: Path) -> None:
    with pytest.raises(LamplighterError, match="there is no bot"):
        bots.load_for_table(f"{file}:Middle")
