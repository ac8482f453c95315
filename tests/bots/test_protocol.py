"""`lamplighter.bots.protocol` and `bots.serve_bot`: programs that play, programs that fail, and our bots as programs."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner
from walks import random_match

import lamplighter
from lamplighter import bots
from lamplighter.bots import Budget, protocol
from lamplighter.bots.arena import Contest, ContestResult, DealPlayer, compete
from lamplighter.bots.protocol import CHANCES, Abandoned, Program, ProgramBot, load_bot, take_faults
from lamplighter.cli import app
from lamplighter.cli.play import start_match
from lamplighter.engine.game import Game
from lamplighter.engine.match import Match
from lamplighter.engine.position import parse_id
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.lab.simulate import simulate

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


def noting(pids: Path, text: str = LOOP) -> str:
    """Return the text of a program that first writes its process id to a file."""
    return text.replace("\nseen =", f"\nimport os\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\nseen =")


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
        ("time.sleep(60)", "did not answer within 0.2 seconds, nor 0.3 seconds after 'stop'"),
        ('print("x" * 2_000_000, flush=True)', "sent a line of more than"),
        (
            'while True: print("info score 1 move a", flush=True); time.sleep(0.002)',
            "did not answer within 0.2 seconds, nor 0.3 seconds after 'stop'",
        ),
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
    assert said in fault, fault and fault.endswith("; greedy plays this match for it")
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


def test_a_second_answer_is_not_taken_for_the_next_move(tmp_path: Path) -> None:
    """Whoever answers just before `stop` comes may answer `stop` too."""
    go = """
        turns = globals().get("turns", 0) + 1
        if turns == 1: sys.stdin.readline()
        print("bestmove a\\nbestmove b" if turns == 1 else "bestmove c", flush=True)"""
    bot = ProgramBot(program(tmp_path, go))
    match = new_match()
    assert [ask(bot, match, 0.1), ask(bot, match, 100)] == ["a", "c"]
    assert bot.faults == []
    bot.close()


def test_a_program_must_be_ready_again_after_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go = 'sys.stdin.readline(); print("bestmove a", flush=True); time.sleep(60)'
    bot = ProgramBot(program(tmp_path, go))
    bot.prepare()
    monkeypatch.setattr(protocol, "ANSWER_SECONDS", 3.0)
    ask(bot, new_match(), 0.1)
    assert "did not answer 'readyok' within 3 seconds" in bot.faults[0]
    bot.close()


@pytest.mark.parametrize(
    ("seconds", "is_stopped"), [(100.0, False), (None, True)], ids=["its own time", "as long as it likes"]
)
def test_the_clock_starts_with_go(
    tmp_path: Path, seconds: float | None, is_stopped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the start of the program nor the limit for those without a clock uses up its time."""
    monkeypatch.setattr(protocol, "THINK_SECONDS", 0.1)
    monkeypatch.setattr(protocol, "GRACE_SECONDS", 60.0)
    seen = tmp_path / "seen"
    path = program(tmp_path, 'time.sleep(0.5); print("bestmove a", flush=True)')
    bot = ProgramBot(f"{path} {seen}")
    budget = Budget(seconds, started=time.monotonic() - 200)
    assert bot.choose(new_match().view(0), budget, np.zeros(4, np.int64)).move == "a"
    bot.close()
    assert bot.faults == [] and ("stop" in seen.read_text().split()) == is_stopped


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
    result = compete(contest, 5)
    assert [len(result.deals[number].faults) for number in range(5)] == [1, 1, 1, 0, 0], "warming up spoils no match"
    summary = result.summary()
    assert all(fault.startswith(f"{path}: ended with code 1: oh") for fault in summary["faults"])
    failing, other = summary["bots"]
    assert (failing["forfeits"], failing["win_rate"], failing["mean"]) == (5, 0.0, None), (
        "a house bot's points are not its own"
    )
    assert (other["forfeits"], other["win_rate"], other["mean"]) == (0, 1.0, None)
    assert [(pair["games"], pair["mean"], pair["ci95"]) for pair in summary["differences"]] == [(0, None, None)]


def test_a_bot_that_fails_now_and_then_loses_those_matches_only(tmp_path: Path) -> None:
    """Its points in the others are compared as usual, and so is who has met it there."""
    marks = tmp_path / "started"
    path = program(tmp_path, text=noting(marks))
    contest = Contest(lamplighter.load("connect_four"), (path, "uniform"), loader=load_bot)
    player = DealPlayer(contest)
    whole = player.play(0)
    failing: Any = player._bots[path]
    failing._is_out, failing._spoilt = True, CHANCES
    spoilt = player.play(1)
    player.close()
    assert (whole.forfeits, whole.counts) == ([False, False], [True, True])
    assert (spoilt.forfeits, spoilt.counts, spoilt.shares) == ([True, False], [False, False], [0.0, 1.0])
    result = ContestResult(contest, {0: whole, 1: spoilt})
    rows = result.summary()["bots"]
    assert [row["forfeits"] for row in rows] == [1, 0] and [row["mean"] for row in rows] == whole.totals
    assert result.summary()["differences"][0]["games"] == 1


def test_two_lanes_of_an_arena_have_a_program_each(tmp_path: Path) -> None:
    """The result is that of one lane, every process has its own program, and none is left when all is over."""
    marks = tmp_path / "started"
    path = program(tmp_path, text=noting(marks))
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


def test_threads_of_a_simulation_have_a_program_each(tmp_path: Path) -> None:
    """Each plays whole matches, every match once, and all are ended."""
    seen, pids = tmp_path / "seen", tmp_path / "pids"
    path = program(tmp_path, text=noting(pids))
    seated = [load_bot(f"{path} {seen}"), bots.load("uniform")]
    one, two = (simulate(lamplighter.load("connect_four"), seated, 6, "1", threads).summary() for threads in (1, 2))
    assert one["seats"] == two["seats"] and take_faults(seated[0]) == []
    programs = [int(word) for word in pids.read_text().split()]
    assert len(programs) == 1 + 2 and not any(map(is_running, programs))
    assert seen.read_text().count("newgame") == 2 * 6


def test_what_goes_wrong_in_a_simulation_is_told(tmp_path: Path) -> None:
    seated = [load_bot(program(tmp_path, 'raise SystemExit("oh")')), bots.load("uniform")]
    simulate(lamplighter.load("connect_four"), seated, 6, "1", 2)
    faults = take_faults(seated[0])
    assert 3 <= len(faults) <= 6 and all("ended with code 1: oh" in fault for fault in faults)


SLOW_START = LOOP.replace("\nfor line", "\ntime.sleep(600)\nfor line")
STUBBORN = LOOP.replace('"quit": break', '"quit": time.sleep(600)')


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("simulate", LOOP),
        pytest.param("arena", LOOP, marks=pytest.mark.thorough),
        ("arena -t 2", LOOP),
        pytest.param("simulate", SLOW_START, marks=pytest.mark.thorough),
        ("arena", SLOW_START),
    ],
)
def test_whoever_stops_leaves_no_program_behind(tmp_path: Path, command: str, text: str) -> None:
    """Ctrl-C does not reach a program by itself, neither while it thinks nor while it starts."""
    pids = tmp_path / "pids"
    path = program(tmp_path, "time.sleep(600)", noting(pids, text))
    started = 3 if "-t" in command else 1
    words = [*command.split(), "connect_four", "--bots", f"{path},uniform", "--games", "4"]
    running = subprocess.Popen([sys.executable, "-m", "lamplighter", *words], stderr=subprocess.PIPE, text=True)
    while not pids.exists() or len(pids.read_text().split()) < started:
        time.sleep(0.05)
    time.sleep(0.5)  # now it thinks
    running.send_signal(signal.SIGINT)
    assert "stopped before the first match was over" in running.communicate(timeout=60)[1]
    wait_until_ended(pids)


def wait_until_ended(pids: Path) -> None:
    deadline = time.monotonic() + 60
    while any(map(is_running, map(int, pids.read_text().split()))):
        assert time.monotonic() < deadline, "a program was left behind"
        time.sleep(0.05)


def close_in_time(bot: ProgramBot) -> None:
    """Close a bot, and fail rather than hang if that takes for ever."""
    closing = threading.Thread(target=bot.close, daemon=True)
    closing.start()
    closing.join(60)
    assert not closing.is_alive()


def test_what_a_shell_script_started_is_ended_with_it(tmp_path: Path) -> None:
    pids, script = tmp_path / "pids", tmp_path / "script"
    path = program(tmp_path, text=noting(pids, STUBBORN))
    script.write_text(f"#!/bin/sh\n{path}\nexit 0\n")  # no `exec`: the shell stays, and the bot is its child
    script.chmod(0o755)
    bot = ProgramBot(str(script))
    assert ask(bot, new_match()) == "g"
    close_in_time(bot)
    wait_until_ended(pids)


def test_a_process_that_cannot_be_ended_does_not_hold_us_up(tmp_path: Path) -> None:
    """Here one in a session of its own, which has the pipes of the program."""
    pids = tmp_path / "pids"
    child = "subprocess.Popen(['sleep', '600'], start_new_session=True)"
    start = f"import subprocess\nopen({str(pids)!r}, 'w').write(str({child}.pid))\n"
    bot = ProgramBot(program(tmp_path, text=LOOP.replace("\nseen =", f"\n{start}seen =")))
    assert ask(bot, new_match()) == "g"
    try:
        close_in_time(bot)
    finally:
        os.kill(int(pids.read_text()), signal.SIGKILL)


def test_a_program_is_ended_where_there_are_no_process_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    monkeypatch.delattr(os, "killpg")
    pids = tmp_path / "pids"
    bot = ProgramBot(program(tmp_path, text=noting(pids, STUBBORN)))
    assert ask(bot, new_match()) == "g"
    close_in_time(bot)
    wait_until_ended(pids)


def test_a_program_that_nobody_closed_ends_with_us(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    path = program(tmp_path, text=noting(pids) + "time.sleep(600)\n")  # it ignores the end of its input
    code = f"from lamplighter.bots.protocol import ProgramBot\nProgramBot({path!r}).prepare()"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
    wait_until_ended(pids)


def test_an_abandoned_program_is_not_started_again(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    bot = ProgramBot(program(tmp_path, text=noting(pids)))
    bot.abandon()
    with pytest.raises(Abandoned):
        ask(bot, new_match())
    assert not pids.exists()


def test_a_table_that_is_left_ends_its_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pids = tmp_path / "pids"
    path = program(tmp_path, text=noting(pids))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    left = CliRunner().invoke(app, ["play", "connect_four", "--bots", path, "--seed", "1"], input="d\nquit\n")
    assert left.exit_code == 0 and not is_running(int(pids.read_text()))


def test_a_program_without_its_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = Path(program(tmp_path)).name
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LamplighterError, match=f"write ./{name}"):
        load_bot(name)


def test_commands_take_paths(tmp_path: Path) -> None:
    path, runner = program(tmp_path), CliRunner()
    arena = runner.invoke(app, ["arena", "connect_four", "--bots", f"{path},uniform", "--games", "2", "--json"])
    assert json.loads(arena.stdout)["bots"][0]["name"] == path
    records = tmp_path / "records"
    words = f"simulate connect_four --bots {path},uniform --games 3 --records {records} --json".split()
    seats = json.loads(runner.invoke(app, words).stdout)["seats"]
    kept = [lamplighter.read(str(file)).totals for file in sorted(records.iterdir())]
    assert seats[0]["bot"] == path and len(kept) == 3
    assert np.mean(kept, axis=0) == pytest.approx([seat["mean"] for seat in seats]), "the matches that it sums up"
    match, seated = start_match("connect_four", path, None, "1", "own", None, None)
    assert seated[1].name == path and match.tags["Bots"] == f"-,{path}"


def test_a_file_does_not_take_the_name_of_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("greedy", "mine"):
        Path(name).write_text("")
    assert protocol.load_bot("greedy").name == "greedy"
    with pytest.raises(LamplighterError, match=r"to start the program of that name, write \./mine"):
        protocol.load_bot("mine")
    with pytest.raises(LamplighterError, match="there is no bot"):
        protocol.load_bot("x" * 300)


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


@pytest.mark.parametrize("text", ["/bin/cat 'x", "/bin/cat \\"])
def test_a_command_that_cannot_be_read(text: str) -> None:
    with pytest.raises(LamplighterError, match=r"cannot read the command .*/bin/cat.*: close every quotation mark"):
        load_bot(text)
    told = CliRunner().invoke(app, ["arena", "connect_four", "--bots", f"{text},uniform"])
    assert told.exit_code != 0 and isinstance(told.exception, LamplighterError | SystemExit)


def test_a_served_bot_plays_against_us() -> None:
    """Both sides: our driver, and our bot as a program."""
    bot = ProgramBot(f"{sys.executable} -m lamplighter engine greedy")
    match = new_match()
    for move in "dadbdc":
        match.play(move)
    assert ask(bot, match, 60) == "d" and bot.faults == [] and bot.title == "greedy"
    bot.close()
