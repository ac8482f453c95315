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
        self._stop()

    def _answer(self, word: str, rest: str) -> None:
        if word == "lamplighter":
            self._say(f"id name {self._bot.name}")
            self._say("lamplighterok")
        elif word == "isready":
            self._say("readyok")
        elif word == "newgame":
            self._stop()
            self._variant, self._position, self._seat = lamplighter.load(rest), None, None
        elif word == "seat":
            self._seat = parse_number(rest)
        elif word == "position":
            self._set_position(rest)
        elif word == "go":
            self._go(rest.split())
        elif word == "stop":
            self._stop()
        elif word not in ("", "text", "legal"):
            self._say(f"info string unknown: {shown(word)}")

    def _set_position(self, text: str) -> None:
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
        limit = dict(zip(words[::2], words[1::2], strict=False))
        milliseconds, nodes = (parse_number(limit.get(word, ""), 9) for word in ("movetime", "nodes"))
        self._budget = Budget(None if milliseconds is None else milliseconds / 1000, nodes or None)
        self._thinking = threading.Thread(target=self._think, args=(position.seen_by(seat), seat, self._budget))
        self._thinking.start()

    def _think(self, position: Position, seat: int, budget: Budget) -> None:
        stream = np.zeros(4, np.int64)
        key = chance.derive(position.text, "engine", str(seat))
        chance.start_stream(int.from_bytes(key[:8], "big", signed=True), 0, stream)
        choice = self._bot.choose(View(seat, position, ()), budget, stream)
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
