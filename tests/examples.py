"""Runs an example file: a worked example of a rulebook as lines of `key: value`. See docs/adding-a-game.md."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import lamplighter
from lamplighter.engine.match import Match
from lamplighter.engine.position import parse_position

HEADER = ("rule", "source", "variant", "position")


class Example:
    """One example file, run line by line. A line that does not hold raises AssertionError with its number."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[tuple[int, str, str]] = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip() and not line.lstrip().startswith("#"):
                key, colon, value = line.partition(":")
                assert colon, f"{path}:{number}: not 'key: value': {line!r}"
                self.lines.append((number, key.strip(), value.strip()))
        self.head = {key: value for _, key, value in self.lines if key in HEADER}
        assert {"rule", "source", "variant"} <= set(self.head), f"{path}: rule, source and variant must be named"

    def run(self) -> int:
        """Run every line; the number of expectations met."""
        variant = lamplighter.load(self.head["variant"])
        start = parse_position(variant, self.head["position"]) if "position" in self.head else None
        match = Match(variant, None, start=start)
        met = 0
        for number, key, value in self.lines:
            if key in HEADER:
                continue
            step: Callable[[Match, str], int] | None = getattr(self, f"_{key}", None)
            assert step is not None, f"{self.path}:{number}: unknown key {key!r}"
            try:
                met += step(match, value)
            except AssertionError as error:
                raise AssertionError(f"{self.path.name}:{number}: {key}: {value}: {error}") from error
        return met

    @staticmethod
    def _seat(value: str) -> tuple[int, str]:
        found = re.fullmatch(r"(\d+):\s*(.*)", value)
        assert found, "write 'seat: …'"
        return int(found[1]), found[2]

    def _roll(self, match: Match, value: str) -> int:
        match.roll(*value.split(","))
        return 0

    def _play(self, match: Match, value: str) -> int:
        seat, move = self._seat(value)
        refusal = match.why(move, seat)
        assert refusal is None, refusal
        match.play(move, seat)
        return 0

    def _allow(self, match: Match, value: str) -> int:
        seat, move = self._seat(value)
        refusal = match.why(move, seat)
        assert refusal is None, refusal
        assert " ".join(move.lower().split()) in [text.lower() for text in match.legal_moves(seat)]
        return 1

    def _refuse(self, match: Match, value: str) -> int:
        move_text, arrow, reason = value.partition("->")
        assert arrow, "write 'seat: move -> REASON'"
        seat, move = self._seat(move_text.strip())
        refusal = match.why(move, seat)
        assert refusal is not None, "the move is legal"
        assert getattr(refusal, "reason", "") == reason.strip(), f"refused as {getattr(refusal, 'reason', '')}"
        return 1

    def _score(self, match: Match, value: str) -> int:
        seat, pairs = self._seat(value)
        lines = match.score(seat)
        for pair in pairs.split():
            name, _, points = pair.partition("=")
            assert lines[name] == int(points), f"{name} is {lines[name]}"
        return 1

    def _total(self, match: Match, value: str) -> int:
        seat, total = self._seat(value)
        assert match.totals[seat] == int(total), f"the total is {match.totals[seat]}"
        return 1

    def _legal(self, match: Match, value: str) -> int:
        seat, count = self._seat(value)
        have = len(match.legal_moves(seat))
        assert have == int(count), f"there are {have}"
        return 1

    def _winners(self, match: Match, value: str) -> int:
        assert match.winners() == [int(seat) for seat in value.split()], f"winners are {match.winners()}"
        return 1

    def _shows(self, match: Match, value: str) -> int:
        assert value in match.position.text, f"the position is {match.position.text}"
        return 1

    def _over(self, match: Match, value: str) -> int:
        assert match.is_over == (value == "true"), f"over: {match.is_over}"
        return 1
