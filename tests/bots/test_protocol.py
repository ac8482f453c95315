"""`lamplighter.bots.protocol` and `bots.serve_bot`: programs that play, programs that fail, and our bots as programs."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner
from walks import random_match

import lamplighter
from lamplighter import bots
from lamplighter.bots import Budget, protocol
from lamplighter.bots.arena import Contest, compete
from lamplighter.bots.protocol import Program, ProgramBot, load_bot, take_faults
from lamplighter.cli import app
from lamplighter.cli.play import start_match
from lamplighter.engine.game import Game
from lamplighter.engine.match import Match
from lamplighter.engine.position import parse_id
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "first_engine.py"
HEAD = f"#!{sys.executable}\nimport sys, time\n"
# a program that answers what must be answered, and `{go}` when it has to move
LOOP = (
    HEAD
    + """
seen = open(sys.argv[1], "a") if len(sys.argv) > 1 else None
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if seen: print(line.strip(), file=seen, flush=True)
    if word == "lamplighter": print("id name Tester\\nlamplighterok", flush=True)
    elif word == "isready": print("readyok", flush=True)
    elif word == "legal": legal = rest.split(" | ")
    elif word == "go":
        {go}
    elif word == "quit": break
"""
)


def program(folder: Path, go: str = 'print("bestmove", legal[-1], flush=True)', text: str = LOOP) -> str:
    path = folder / "bot"
    path.write_text(text.replace("{go}", go))
    path.chmod(0o755)
    return str(path)


def new_match(text: str = "connect_four") -> Match:
    match = lamplighter.load(text).match(seed="1")
    match.roll()
    return match


def ask(bot: ProgramBot, match: Match, seconds: float | None = 5.0) -> str:
    return bot.choose(match.view(match.waiting[0]), Budget(seconds), np.zeros(4, np.int64)).move


def test_the_example_plays_every_game(game: Game) -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 40
    variant = Variant(game)
    bot = ProgramBot(f"{sys.executable} {EXAMPLE}")
    try:
        match = variant.match(seed="x")
        match.roll()
        for _ in range(6):
            if not match.waiting:
                break
            match.play(ask(bot, match), match.waiting[0])
            match.roll()
        assert bot.faults == [] and bot.title == "First Engine"
    finally:
        bot.close()


def test_what_a_program_is_told(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    bot = ProgramBot(f"{program(tmp_path)} {seen}")
    match = new_match()
    match.play(ask(bot, match), 0)
    assert ask(bot, match, None) == "g"
    match = new_match()
    ask(bot, match)
    bot.close()
    lines = seen.read_text().splitlines()
    start = match.position
    turn = [
        "seat 0",
        f"position {start.id}",
        f"text {start.text}",
        "legal a | b | c | d | e | f | g",
        "go movetime 5000",
    ]
    assert lines[:8] == ["lamplighter", "newgame connect_four?seats=2", "isready", *turn]
    assert lines[8] == "seat 1" and lines[12:15] == ["go", "newgame connect_four?seats=2", "isready"]
    assert lines[15:] == [*turn, "quit"]


def test_a_program_is_shown_the_view_of_its_seat(game: Game, tmp_path: Path) -> None:
    """The position it gets can be read back, and is that of the seat: what is hidden is blank."""
    match = next(
        match for match in (random_match(Variant(game), 3, entries) for entries in range(30, 0, -1)) if match.waiting
    )
    seat = match.waiting[-1]
    seen = tmp_path / "seen"
    bot = ProgramBot(f"{program(tmp_path)} {seen}")
    bot.choose(match.view(seat), Budget(5), np.zeros(4, np.int64))
    bot.close()
    told = dict(line.split(" ", 1) for line in seen.read_text().splitlines() if " " in line)
    assert parse_id(match.variant, told["position"]).key == match.position.seen_by(seat).key
    assert lamplighter.position(told["text"]).key == match.position.seen_by(seat).key
    assert told["legal"].split(" | ") == match.legal_moves(seat) and int(told["seat"]) == seat
    assert bot.faults == []


def test_what_it_says_about_moves_is_kept(tmp_path: Path) -> None:
    go = 'print("info score 3.5 move a\\ninfo depth 4\\ninfo score x\\ninfo score 2\\nbestmove A", flush=True)'
    bot = ProgramBot(program(tmp_path, go))
    choice = bot.choose(new_match().view(0), Budget(5), np.zeros(4, np.int64))
    bot.close()
    assert (choice.move, choice.value, choice.alternatives) == ("a", 2.0, (("a", 3.5),))


@pytest.mark.parametrize(
    ("go", "said"),
    [
        ('raise SystemExit("no idea")', "ended with code 1: no idea"),
        ('print("bestmove z", flush=True)', "played 'z': cannot read the move"),
        ('print("bestmove", flush=True)', "played ''"),
        ("time.sleep(60)", "did not answer within"),
        ('print("x" * 2_000_000, flush=True)', "sent a line of more than"),
    ],
)
def test_what_goes_wrong_hands_the_seat_to_a_house_bot(
    tmp_path: Path, go: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "GRACE_SECONDS", 0.3)
    bot = ProgramBot(program(tmp_path, go))
    match = new_match()
    for _ in range(2):  # reported once; the house bot has the seat for the rest of the match
        assert ask(bot, match, 0.2) in match.legal_moves()
    (fault,) = take_faults(bot)
    assert said in fault and fault.endswith("; greedy plays this match for it")
    assert take_faults(bot) == []
    bot.close()


def test_a_move_that_a_rule_refuses_is_told_with_the_rule(tmp_path: Path) -> None:
    match = new_match()
    for _ in range(6):
        match.play("d")
    bot = ProgramBot(program(tmp_path, 'print("bestmove d", flush=True)'))
    assert ask(bot, match) != "d"
    assert "'d', which is refused: " in bot.faults[0] and "§" in bot.faults[0]
    bot.close()


def test_a_program_gets_three_chances(tmp_path: Path) -> None:
    marks = tmp_path / "started"
    text = HEAD + f"open({str(marks)!r}, 'a').write('x')\nraise SystemExit(3)\n"
    bot = ProgramBot(program(tmp_path, text=text))
    for _ in range(5):
        match = new_match()
        match.play(ask(bot, match))
        match.play("a")
        ask(bot, match)
    assert marks.read_text() == "xxx"
    assert len(bot.faults) == 3 and bot.faults[-1].endswith("greedy plays all further matches for it")


def test_a_program_that_knows_no_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "ANSWER_SECONDS", 0.3)
    bot = ProgramBot(program(tmp_path, text=HEAD + "time.sleep(60)\n"))
    ask(bot, new_match())
    assert "did not answer 'lamplighterok' within 0.3 seconds" in bot.faults[0]


def test_a_program_is_stopped_when_the_budget_is_spent(tmp_path: Path) -> None:
    go = 'stopped = sys.stdin.readline().strip(); print("bestmove", "c" if stopped == "stop" else "a", flush=True)'
    bot = ProgramBot(program(tmp_path, go))
    budget = Budget()
    threading.Timer(0.2, budget.stop).start()
    assert bot.choose(new_match().view(0), budget, np.zeros(4, np.int64)).move == "c"
    bot.close()


def test_the_driver_for_asyncio() -> None:
    async def play() -> str:
        driver = Program([sys.executable, str(EXAMPLE)])
        await driver.start()
        await driver.new_game("connect_four?seats=2")
        choice = await driver.choose(new_match().view(0), Budget(5))
        await driver.close()
        return choice.move

    with ThreadPoolExecutor(1) as thread:  # where no other test has a loop of its own
        assert thread.submit(asyncio.run, play()).result() in "abcdefg"


def test_an_arena_reports_faults(tmp_path: Path) -> None:
    path = program(tmp_path, 'raise SystemExit("oh")')
    contest = Contest(lamplighter.load("connect_four"), (path, "uniform"), loader=load_bot)
    summary = compete(contest, 4).summary()
    assert summary["games"] == 4 and len(summary["faults"]) == 3
    assert all(fault.startswith(f"{path}: ended with code 1: oh") for fault in summary["faults"])


def test_two_lanes_of_an_arena_have_a_program_each(tmp_path: Path) -> None:
    """The result is that of one lane, every process has its own program, and none is left when all is over."""
    marks = tmp_path / "started"
    start = f"import os\nopen({str(marks)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
    path = program(tmp_path, text=LOOP.replace("\nseen =", f"\n{start}seen ="))
    contest = Contest(lamplighter.load("connect_four"), (path, "uniform"), loader=load_bot)
    one = compete(contest, 6, 1).summary()
    assert len(marks.read_text().split()) == 1
    two = compete(contest, 6, 2).summary()
    assert one["faults"] == two["faults"] == [] and one["differences"] == two["differences"]
    programs = [int(word) for word in marks.read_text().split()]
    assert len(set(programs)) == 1 + 1 + 2, "alone; then the one that warms up, and one for each lane"
    for number in programs:
        while is_running(number):
            time.sleep(0.01)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_commands_take_paths(tmp_path: Path) -> None:
    path, runner = program(tmp_path), CliRunner()
    arena = runner.invoke(app, ["arena", "connect_four", "--bots", f"{path},uniform", "--games", "2", "--json"])
    assert json.loads(arena.stdout)["bots"][0]["name"] == path
    simulated = runner.invoke(app, ["simulate", "connect_four", "--bots", f"{path},uniform", "--games", "2", "--json"])
    assert json.loads(simulated.stdout)["seats"][0]["bot"] == path
    match, seated = start_match("connect_four", path, None, "1", "own", None, None)
    assert seated[1].name == path and match.tags["Bots"] == f"-,{path}"


def test_only_the_command_line_starts_programs(tmp_path: Path) -> None:
    """Not `bots.load`, which servers use, and not a record."""
    path = program(tmp_path)
    with pytest.raises(LamplighterError, match="there is no bot"):
        bots.load(path)
    with pytest.raises(LamplighterError, match="there is no program"):
        load_bot("./nosuch")
    match, _ = start_match("connect_four", path, None, "1", "own", None, None)
    match.save(tmp_path / "match.lamp")
    with pytest.raises(LamplighterError, match="name it with --bots"):
        start_match(None, None, None, None, "own", tmp_path / "match.lamp", None)
    assert start_match(None, "greedy", None, None, "own", tmp_path / "match.lamp", None)[1]


def test_a_served_bot_plays_against_us() -> None:
    """Both sides: our driver, and our bot as a program."""
    bot = ProgramBot(f"{sys.executable} -m lamplighter engine greedy")
    match = new_match()
    for move in "dadbdc":
        match.play(move)
    assert ask(bot, match, 60) == "d" and bot.faults == [] and bot.title == "greedy"
    bot.close()
