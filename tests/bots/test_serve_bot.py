"""`bots.serve_bot`: our bots as programs that others talk to."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time

import pytest

import lamplighter
from lamplighter import bots
from lamplighter.bots import Budget
from lamplighter.bots.serve_bot import BotServer
from lamplighter.engine.game import Game
from lamplighter.engine.match import View
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant


def talk(*lines: str, bot: str = "greedy") -> list[str]:
    out = io.StringIO()
    server = BotServer(bots.load(bot), out)
    for line in lines:  # what was asked before is answered before more is said
        server.run([line])
    return out.getvalue().splitlines()


def test_our_bots_speak_the_protocol(game: Game) -> None:
    match = Variant(game).match(seed="1")
    match.roll()
    seat = match.waiting[0]
    said = talk(
        "lamplighter", "isready", f"newgame {match.variant.text}", f"seat {seat}", f"position {match.position.id}", "go"
    )
    assert said[:3] == ["id name greedy", "lamplighterok", "readyok"]
    assert said[-1].removeprefix("bestmove ") in match.legal_moves(seat)
    text = match.position.text.partition(";")[2]
    assert talk(f"newgame {match.variant.text}", f"seat {seat}", f"position text {text}", "go")[-1] == said[-1]


def test_positions_with_moves() -> None:
    start = lamplighter.load("connect_four").start()
    said = talk("newgame connect_four", f"position {start.id} moves d | a | d | b | d | c", "go movetime 500")
    assert said == ["bestmove d"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["position x"], "info string error: say 'newgame VARIANT' first"),
        (["newgame nosuch"], "info string error: there is no game 'nosuch'"),
        (["newgame connect_four", "go"], "info string error: say 'position ID' first"),
        (["newgame connect_four", "position ÿ"], "is not the id of a position"),
        (["sing"], "info string unknown: 'sing'"),
        (["newgame connect_four", "seat 1", "START", "go"], "bestmove (none)"),
        (["newgame connect_four", "START", "go nodes 5"], "bestmove "),
        (
            ["newgame connect_four", "START", "go nodes 0"],
            "info string error: a budget has at least 1 simulation, not 0",
        ),
        (["newgame connect_four", "START", "go movetime 0"], "info string error: a budget has more than 0 seconds"),
        (["newgame connect_four", "START", "go movetime soon"], "info string error: movetime is a number, not 'soon'"),
    ],
)
def test_what_it_does_not_understand(lines: list[str], said: str) -> None:
    start = f"position {lamplighter.load('connect_four').start().id}"
    assert any(said in line for line in talk(*(start if line == "START" else line for line in lines)))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["position zzzz"], "info string error: say 'position ID' first"),
        (["position START moves z"], "info string error: say 'position ID' first"),
        (["newgame nosuch"], "info string error: say 'position ID' first"),
        (["newgame nosuch", "position START"], "info string error: say 'position ID' first"),
        (["seat x"], None),
        (["seat"], None),
        (["seat x", "position START"], None),
    ],
)
def test_it_does_not_move_in_an_old_position(lines: list[str], said: str | None) -> None:
    """What could not be read leaves nothing behind that `go` would answer for."""
    start = lamplighter.load("connect_four").start().id
    before = ["newgame connect_four", f"position {start}"]
    told = talk(*before, *(line.replace("START", start) for line in lines), "go")
    assert told[0].startswith("info string error: ")
    assert told[-1] == "bestmove (none)" and (said is None or told[-2] == said)
    assert not any(line.startswith("bestmove") for line in told[:-1])


def test_a_seat_is_a_number() -> None:
    assert talk("seat x") == ["info string error: seat is a number from 0, not 'x'"]
    start = lamplighter.load("connect_four").start().id
    assert talk("seat x", "newgame connect_four", "seat 0", f"position {start}", "go")[-1] != "bestmove (none)"


def test_every_go_is_answered() -> None:
    assert talk("go") == ["info string error: say 'position ID' first", "bestmove (none)"]


def test_a_served_bot_does_not_see_what_its_seat_may_not(game: Game) -> None:
    """Whoever sends it a position with all hands open gets the move of somebody who does not see them."""
    shown: list[Position] = []

    class Witness:
        name = "witness"

        def choose(self, view: View, budget: Budget, stream: object) -> bots.Choice:
            shown.append(view.position)
            return bots.Choice(view.legal_moves[0])

    match = Variant(game).match(seed="1")
    match.roll()
    seat, position = match.waiting[0], match.position
    server = BotServer(Witness(), io.StringIO())  # type: ignore[arg-type]
    server.run([f"newgame {match.variant.text}", f"seat {seat}", f"position {position.id}", "go"])
    assert [one.key for one in shown] == [position.seen_by(seat).key]
    assert (shown[0] != position) == match.is_secret


def test_the_engine_ends_with_its_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lamplighter", "engine", "uniform"],
        input="lamplighter\n", capture_output=True, text=True, timeout=120, env=os.environ,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["id name uniform", "lamplighterok"] and done.returncode == 0


def test_a_bot_that_fails_is_told_and_answered_for() -> None:
    class Failing:
        name = "failing"

        def choose(self, view: object, budget: Budget, stream: object) -> bots.Choice:
            raise ZeroDivisionError("no idea")

    out = io.StringIO()
    server = BotServer(Failing(), out)  # type: ignore[arg-type]
    server.run(["newgame connect_four", f"position {lamplighter.load('connect_four').start().id}", "go", "quit"])
    assert out.getvalue().splitlines() == ["info string error: 'no idea'", "bestmove (none)"]


def test_thinking_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        name = "slow"

        def choose(self, view: object, budget: Budget, stream: object) -> bots.Choice:
            while not budget.is_spent:
                time.sleep(0.01)
            return bots.Choice("c")

    out = io.StringIO()
    start = lamplighter.load("connect_four").start().id
    server = BotServer(Slow(), out)  # type: ignore[arg-type]
    server.run(["newgame connect_four", f"position {start}", "go", "isready", "stop", "quit"])
    assert out.getvalue().splitlines() == ["readyok", "bestmove c"]
