"""A bot in a seat of a match: it sees what its seat may see, and answers with a move."""

from __future__ import annotations

import numpy as np

from lamplighter.bots import Bot, Budget, Choice
from lamplighter.engine import chance
from lamplighter.engine.match import Match
from lamplighter.errors import LamplighterError, shown


class SeatedBot:
    """One bot at one seat. The same match, played from its beginning, gives the same choices.

    In the middle of a turn a bot follows the plan that it has made (`levels.Plans`). One that did not see the turn begin, as
    after a restart, thinks again and may go on differently.
    """

    def __init__(self, bot: Bot, match: Match, seat: int, seed: str = "") -> None:
        """Seat a bot. Its own chance comes from the seed of the match, or from `seed`."""
        self.bot, self.seat = bot, seat
        name = bot.name.replace("/", "\\")  # of a program; no part may have a slash
        stream = chance.derive(seed or match.seed or "typed", "bot", name, str(seat))
        self._key = int.from_bytes(stream[:8], "big", signed=True)

    def choose(self, match: Match, budget: Budget | None = None) -> Choice:
        """Return what it plays now."""
        stream = np.zeros(4, np.int64)
        chance.start_stream(self._key, len(match.log), stream)
        choice = self.bot.choose(match.view(self.seat), budget or Budget(), stream)
        if not isinstance(getattr(choice, "move", None), str):
            raise LamplighterError(
                f"the bot {self.bot.name} returned {shown(choice)}: choose() returns a Choice, whose move is a text"
            )
        return choice
