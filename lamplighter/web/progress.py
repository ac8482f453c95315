"""The progress of compiling, for the pages to show, and the number of workers that serve."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Progress:
    """Which game is compiled now, and how many are ready. While a game is compiled, all are played in plain Python."""

    game: str | None = None
    ready: int = 0
    games: int = 0
    serving: int = 1  # workers of this server

    @property
    def compiling(self) -> bool:
        return self.game is not None
