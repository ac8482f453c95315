"""The other side of the protocol: one of our bots as a program, for whoever speaks it. docs/protocol.md has the lines."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

import numpy as np

import lamplighter
from lamplighter.bots import Bot, Budget
from lamplighter.bots.protocol import SEPARATOR
from lamplighter.engine import chance
from lamplighter.engine.match import View
from lamplighter.engine.position import Position, parse_id, parse_position
from lamplighter.engine.reading import parse_number
from lamplighter.errors import LamplighterError, shown

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

TOLD = 5  # moves of which it tells what they are worth
NO_SEAT = -1  # after a seat that cannot be read: it has no move


def _limit(words: list[str], name: str) -> int | None:
    """Return the number after a word of `go`; None if the word is not there."""
    if name not in words:
        return None
    text = "".join(words[words.index(name) + 1 :][:1])
    number = parse_number(text, 9)
    if number is None:
        raise LamplighterError(f"{name} is a number, not {shown(text)}")
    return number


class BotServer:
    """Answers lines. It thinks on a thread of its own, so that it can be told to stop."""

    def __init__(self, bot: Bot, out: TextIO) -> None:
        self._bot, self._out = bot, out
        self._variant: Variant | None = None
        self._position: Position | None = None
        self._seat: int | None = None
        self._thinking: threading.Thread | None = None
        self._budget = Budget()
        self._lock = threading.Lock()

    def run(self, lines: Iterable[str]) -> None:
        """Answer until `quit` or the end of the input."""
        for line in lines:
            word, _, rest = line.strip().partition(" ")
            if word == "quit":
                break
            try:
                self._answer(word, rest.strip())
            except LamplighterError as error:
                self._say(f"info string error: {error}")
                if word == "go":  # whoever waits for a move must not wait for ever
                    self._say("bestmove (none)")
        self._stop()

    def _answer(self, word: str, rest: str) -> None:
        if word == "lamplighter":
            self._say(f"id name {self._bot.name}")
            self._say("lamplighterok")
        elif word == "isready":
            self._say("readyok")
        elif word == "newgame":
            self._stop()
            self._variant = self._position = self._seat = None  # if the new one is refused, `go` must not use the old
            self._variant = lamplighter.load(rest)
        elif word == "seat":
            self._set_seat(rest)
        elif word == "position":
            self._set_position(rest)
        elif word == "go":
            self._go(rest.split())
        elif word == "stop":
            self._stop()
        elif word not in ("", "text", "legal"):
            self._say(f"info string unknown: {shown(word)}")

    def _set_seat(self, text: str) -> None:
        number = parse_number(text)
        self._seat = NO_SEAT if number is None else number
        if number is None:
            raise LamplighterError(f"seat is a number from 0, not {shown(text)}")

    def _set_position(self, text: str) -> None:
        self._position = None  # if the new one is refused, `go` must not use the old
        if self._variant is None:
            raise LamplighterError("say 'newgame VARIANT' first")
        where, _, moves = text.partition(" moves ")
        kind, _, rest = where.partition(" ")
        position = parse_position(self._variant, rest) if kind == "text" else parse_id(self._variant, where.strip())
        for move in filter(None, (part.strip() for part in moves.split(SEPARATOR.strip()))):
            position.play(move, self._seat if len(position.waiting) > 1 else None)
        self._position = position

    def _go(self, words: list[str]) -> None:
        self._stop()
        position = self._position
        if position is None:
            raise LamplighterError("say 'position ID' first")
        seat = self._seat if self._seat is not None else (*position.waiting, None)[0]
        if seat not in position.waiting:
            self._say("bestmove (none)")
            return
        milliseconds, nodes = _limit(words, "movetime"), _limit(words, "nodes")
        self._budget = Budget(None if milliseconds is None else milliseconds / 1000, nodes)
        self._thinking = threading.Thread(target=self._think, args=(position.seen_by(seat), seat, self._budget))
        self._thinking.start()

    def _think(self, position: Position, seat: int, budget: Budget) -> None:
        stream = np.zeros(4, np.int64)
        key = chance.derive(position.text, "engine", str(seat))
        chance.start_stream(int.from_bytes(key[:8], "big", signed=True), 0, stream)
        try:
            choice = self._bot.choose(View(seat, position, ()), budget, stream)
        except Exception as error:  # whoever waits for a move must not wait for ever, whatever a bot of somebody does
            self._say(f"info string error: {shown(str(error) or type(error).__name__)}")
            self._say("bestmove (none)")
            return
        for move, value in sorted(choice.alternatives, key=lambda pair: -pair[1])[:TOLD]:
            self._say(f"info score {value:.2f} move {move}")
        if choice.value is not None:
            self._say(f"info score {choice.value:.2f}")
        self._say(f"bestmove {choice.move}")

    def _stop(self) -> None:
        """Let it answer with the best it has."""
        self._budget.stop()
        if self._thinking is not None:
            self._thinking.join()
            self._thinking = None

    def _say(self, line: str) -> None:
        with self._lock:
            self._out.write(f"{line}\n")
            self._out.flush()
