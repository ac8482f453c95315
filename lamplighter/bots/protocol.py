"""Bots in other programs: lines on their standard input and output, in the manner of chess engines.

docs/protocol.md has the lines. `Program` is the driver, for asyncio; `ProgramBot` makes a bot of it. Only the command line starts
programs: `bots.load`, which servers and records use, knows no paths.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import importlib.util
import os
import re
import shlex
import shutil
import signal
import sys
import threading
import time
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import Any, TypeVar

from lamplighter import bots
from lamplighter.bots import Bot, Budget, Choice, Parameter, Stream
from lamplighter.engine.match import View
from lamplighter.errors import BadNotation, LamplighterError, shown

ANSWER_SECONDS = 15.0  # until a program has to say that it is there, or ready
THINK_SECONDS = 120.0  # for a move, where nobody said how long
GRACE_SECONDS = 2.0  # to answer after `stop`
QUIT_SECONDS = 1.0  # to end after `quit`, and again after it was killed
LINE_LIMIT = 1 << 20  # bytes of a line
CHANCES = 3  # matches that a program may spoil before it is not started again
SEPARATOR = " | "  # between moves
HOUSE = "greedy"  # the bot that takes over
IN_FILE = re.compile(r"(?P<path>.+\.py):(?P<name>[A-Za-z_]\w*)(\?(?P<query>.*))?")  # a bot in a Python file
Answer = TypeVar("Answer")


class Fault(Exception):
    """What a program did wrong."""


class Abandoned(Exception):
    """A program was ended while it thought, since nobody wants its move any more."""


def load_bot(text: str) -> Bot:
    """Return a bot by its name, from a Python file, or a program: `greedy`, `./lead.py:Lead?others=2`, `./my_bot --depth 3`."""
    if IN_FILE.fullmatch(text):
        return FileBot(text)
    if "/" in text.partition("?")[0]:
        return ProgramBot(text)
    try:
        return bots.load(text)
    except LamplighterError:
        with contextlib.suppress(OSError, ValueError):  # such as a name that is too long for a file
            if Path(text).is_file():
                raise LamplighterError(
                    f"there is no bot {text!r}: to start the program of that name, write ./{text}"
                ) from None
        raise


class FileBot:
    """A bot that a Python file makes, under the name that loads it again in another process."""

    def __init__(self, text: str) -> None:
        found = IN_FILE.fullmatch(text)
        assert found is not None
        path, name, query = Path(found["path"]), found["name"], found["query"] or ""
        # a name of its own: the file may be called as a module that is loaded already
        spec = importlib.util.spec_from_file_location(f"lamplighter_bot_{path.stem}", path)
        if not path.is_file() or spec is None or spec.loader is None:
            raise LamplighterError(f"there is no file {str(path)!r} to load a bot from")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses look their module up
        try:
            spec.loader.exec_module(module)
            maker = getattr(module, name)
            self._bot = bots.make(text.partition("?")[0], maker, query)
        except LamplighterError:
            raise
        except Exception as error:  # whatever somebody else's file does
            raise LamplighterError(f"the bot {text!r} cannot be made: {type(error).__name__}: {error}") from None
        self.name = text

    def __getattr__(self, name: str) -> Any:
        """Return what the bot itself has: its title, its level, …"""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._bot, name)

    def choose(self, view: View, budget: Budget, stream: Stream) -> Choice:
        return self._bot.choose(view, budget, stream)


def take_faults(bot: Bot) -> list[str]:
    """Return what a program has done wrong since this was last asked."""
    faults: list[str] = getattr(bot, "faults", [])
    taken = [f"{bot.name}: {fault}" for fault in faults]
    faults.clear()
    return taken


def close_programs(seated: Iterable[Bot]) -> None:
    """End the programs among bots."""
    for bot in seated:
        if isinstance(bot, ProgramBot):
            bot.close()


# --- the driver -----------------------------------------------------------------------------------------------


class Program:
    """A running program that plays. What it does wrong is raised as a `Fault`, and then it must be closed."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._said = b""  # the end of what it wrote to its error stream
        self._listening: asyncio.Task[None] | None = None
        self._was_stopped = False  # whether `stop` was sent since the last `go`
        self._is_unwanted = False  # whether somebody ended it, perhaps before it had started
        self.title = command[0]

    async def start(self) -> None:
        """Start it, and wait until it says that it knows the protocol."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LINE_LIMIT,
                start_new_session=True,  # so that it can be ended together with the processes that it starts
            )
        except OSError as error:
            raise Fault(f"cannot be started: {error.strerror}") from None
        _running.add(self)
        self._listening = asyncio.create_task(self._listen())
        if self._is_unwanted:
            self.kill_group()
        await self._send("lamplighter")
        deadline = time.monotonic() + ANSWER_SECONDS
        while (line := await self._line(deadline, "did not answer 'lamplighterok'")) != "lamplighterok":
            if line.startswith("id name "):
                self.title = line.removeprefix("id name ").strip()[:60]

    async def new_game(self, variant: str) -> None:
        """Tell it what is played, and wait until it is ready."""
        await self._send(f"newgame {variant}")
        await self._wait_until_ready()

    async def _wait_until_ready(self) -> None:
        """Ask whether it is ready, and drop what it says before it is."""
        await self._send("isready")
        deadline = time.monotonic() + ANSWER_SECONDS
        while await self._line(deadline, "did not answer 'readyok'") != "readyok":
            pass

    async def choose(self, view: View, budget: Budget) -> Choice:
        """Let it think about what its seat may see. Return its move, which is legal, and what it said about others."""
        seat, position = view.acting_seat, view.position
        await self._send(f"seat {seat}")
        await self._send(f"position {position.id}")
        await self._send(f"text {position.text}")
        await self._send(f"legal {SEPARATOR.join(view.legal_moves)}")
        await self._send("go" if budget.seconds is None else f"go movetime {max(1, round(1000 * budget.seconds))}")
        value, alternatives, legal = None, dict[str, float](), set(view.legal_moves)
        async for line in self._answers(budget):
            word, _, rest = line.partition(" ")
            if word == "info":
                score, move = _read_info(rest)
                if score is not None and move in legal:
                    alternatives[move] = score
                value = value if score is None or move else score
            elif word == "bestmove":
                choice = Choice(_legal(view, rest.strip()), value, tuple(alternatives.items()))
                if self._was_stopped:  # it may have answered before it read `stop`, and then answer that as well
                    await self._wait_until_ready()
                return choice
        raise Fault("ended")  # cannot happen: _answers raises

    async def _answers(self, budget: Budget) -> Any:
        """Yield what it says. When its time is over it is told to stop, and has to answer soon.

        Its time begins now, not with the budget: until now it was perhaps being started.
        """
        limit = THINK_SECONDS if budget.seconds is None else budget.seconds
        started, stop_at = time.monotonic(), None
        self._was_stopped = False
        while True:
            reading, done = asyncio.ensure_future(self._read()), False
            while not done:  # the clock runs also for a program that says something all the time
                done = bool((await asyncio.wait({reading}, timeout=0.02))[0])
                if done and (reading.exception() or reading.result().startswith("bestmove")):
                    break
                now = time.monotonic()
                if stop_at is None and (budget.is_stopped or now - started >= limit):
                    stop_at, self._was_stopped = now, True
                    await self._send("stop")
                if stop_at is not None and now - stop_at > GRACE_SECONDS:
                    reading.cancel()
                    raise Fault(
                        f"did not answer within {min(limit, stop_at - started):.1f} seconds, "
                        f"nor {GRACE_SECONDS:g} seconds after 'stop'"
                    )
            yield reading.result()

    async def close(self) -> None:
        """Ask it to end, and end it if it does not."""
        self._is_unwanted = True
        process = self._process
        if process is None:
            return
        with contextlib.suppress(Fault):
            await self._send("quit")
        # Each wait has a limit: it also waits for the pipes, which a process in another session may hold open.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), QUIT_SECONDS)
        self.kill_group()  # also where it has ended: what it started may be left
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), QUIT_SECONDS)
        if self._listening is not None:
            await asyncio.wait({self._listening}, timeout=QUIT_SECONDS)
            self._listening.cancel()
        _running.discard(self)
        self._process = None

    async def kill(self) -> None:
        """End it at once."""
        self._is_unwanted = True
        self.kill_group()

    def kill_group(self) -> None:
        """End it and the processes that it started, such as the bot that a shell script runs. Any thread may call this."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS: not permitted where all have ended
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:  # Windows
                self._process.kill()

    async def _send(self, line: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            await self._process.stdin.drain()
        except OSError:
            raise await self._ended() from None

    async def _line(self, deadline: float, fault: str) -> str:
        try:
            return await asyncio.wait_for(self._read(), max(0.0, deadline - time.monotonic()))
        except TimeoutError:
            raise Fault(f"{fault} within {ANSWER_SECONDS:g} seconds") from None

    async def _read(self) -> str:
        assert self._process is not None and self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except ValueError:
            raise Fault(f"sent a line of more than {LINE_LIMIT:,} bytes") from None
        if not line:
            raise await self._ended()
        return line.decode(errors="replace").strip()

    async def _ended(self) -> Fault:
        """Say how it ended, with the last line that it wrote to its error stream."""
        assert self._process is not None
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), 1.0)
        if self._listening is not None:
            await asyncio.wait({self._listening}, timeout=0.2)
        last = self._said.decode(errors="replace").strip().rpartition("\n")[2]
        return Fault(f"ended with code {self._process.returncode}" + (f": {last[:200]}" if last else ""))

    async def _listen(self) -> None:
        assert self._process is not None and self._process.stderr is not None
        while part := await self._process.stderr.read(4096):
            self._said = (self._said + part)[-2000:]


_running: set[Program] = set()  # started, and not closed yet


@atexit.register
def _kill_running() -> None:
    """End the programs that nobody closed, such as after a second Ctrl-C: the terminal's signals do not reach them."""
    for program in list(_running):
        program.kill_group()


def _read_info(text: str) -> tuple[float | None, str]:
    """Return the score of an `info` line, and the move it belongs to: `score 12.5 move 5 bell c3`."""
    words = text.split(" ")
    if len(words) < 2 or words[0] != "score":
        return None, ""
    try:
        score = float(words[1])
    except ValueError:
        return None, ""
    return score, " ".join(words[3:]) if words[2:3] == ["move"] else ""


def _legal(view: View, move: str) -> str:
    """Return a move as it is written here; one that is not legal is a fault."""
    try:
        action = view.position.parse_move(view.acting_seat, move)
        refusal = view.position.refusal(view.acting_seat, action)
    except BadNotation as error:
        raise Fault(f"played {shown(move)}: {error}") from None
    if refusal is not None:
        raise Fault(f"played {shown(move)}, which is refused: {refusal.sentence} ({refusal.rule})")
    return view.position.format_move(view.acting_seat, action)


# --- the bot --------------------------------------------------------------------------------------------------


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop of all programs, on a thread of its own."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True, name="programs").start()
    return loop


def _run(work: Coroutine[Any, Any, Answer]) -> Answer:
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()


class ProgramBot:
    """A program as a bot. Where it crashes, plays what is refused or does not answer, a house bot takes its seat.

    It gets another chance with the next match, three chances at most.
    """

    level = 1
    help = "a program of your own"
    parameters: tuple[Parameter, ...] = ()
    policy: int | None = None
    for_people = False

    def __init__(self, text: str) -> None:
        try:
            command = shlex.split(text)
        except ValueError as error:
            raise LamplighterError(
                f"cannot read the command {shown(text)} ({str(error).lower()}): close every quotation mark, "
                "and put a backslash before a quotation mark or a backslash that is part of a word"
            ) from None
        if not command or shutil.which(command[0]) is None:
            raise LamplighterError(f"there is no program {shown(text)}: it must be a file that can be executed")
        self.name, self.faults = text, list[str]()
        self._command = command
        self._program: Program | None = None
        self._variant, self._entries = "", 0  # of the match that it plays, as far as it has seen it
        self._spoilt, self._is_out, self._is_abandoned = 0, False, False
        self._lock = threading.Lock()

    @property
    def title(self) -> str:
        return self._program.title if self._program is not None else self.name

    @property
    def has_forfeited(self) -> bool:
        """Return whether the house bot took its seat in the last match that it was asked about."""
        return self._is_out

    def another(self) -> ProgramBot:
        """Return the same program once more, for another thread. What it does wrong is told here."""
        other = ProgramBot(self.name)
        other.faults = self.faults
        return other

    def prepare(self) -> None:
        """Start the program, so that its first move need not wait for that. If it fails now, the first match will tell."""
        with self._lock:
            if self._program is None:
                self._program, self._variant = Program(self._command), ""
                try:
                    _run(self._program.start())
                except Fault:
                    self._end()

    def choose(self, view: View, budget: Budget, stream: Stream) -> Choice:
        with self._lock:
            is_new = view.position.variant.text != self._variant or len(view.log) < self._entries
            if is_new and self._spoilt < CHANCES:
                self._is_out = False
            self._variant, self._entries = view.position.variant.text, len(view.log)
            if not self._is_out:
                try:
                    return _run(self._ask(view, budget, is_new))
                except Fault as fault:
                    if self._is_abandoned:
                        raise Abandoned from None
                    self._hand_over(fault)
        return bots.load(HOUSE).choose(view, budget, stream)

    async def _ask(self, view: View, budget: Budget, is_new: bool) -> Choice:
        if self._program is None:
            self._program, is_new = Program(self._command), True
            if self._is_abandoned:  # asked only now: `abandon` sets it first, and looks for the program then
                raise Fault("was abandoned")
            await self._program.start()
        if is_new:
            await self._program.new_game(self._variant)
        return await self._program.choose(view, budget)

    def _hand_over(self, fault: Fault) -> None:
        self._spoilt += 1
        self._is_out = True
        rest = "this match" if self._spoilt < CHANCES else "all further matches"
        self.faults.append(f"{fault}; {HOUSE} plays {rest} for it")
        self._end()

    def _end(self) -> None:
        if self._program is not None:
            _run(self._program.close())
            self._program = None  # not before: until it has ended, `abandon` must find it

    def abandon(self) -> None:
        """End the program for good, also while it thinks on another thread: its match breaks off."""
        self._is_abandoned = True
        if self._program is not None:
            _run(self._program.kill())

    def close(self) -> None:
        """End the program. It is started again when it is asked for a move."""
        with self._lock:
            self._end()
