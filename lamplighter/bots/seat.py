"""A bot in a seat of a match: it sees what its seat may see, and answers with an action."""

from __future__ import annotations

import numpy as np

from lamplighter.bots import Bot
from lamplighter.bots.playout import Player
from lamplighter.engine import chance
from lamplighter.engine.match import Match


class SeatedBot:
    """One bot at one seat. The same match, seat and moment always give the same choice."""

    def __init__(self, bot: Bot, match: Match, seat: int) -> None:
        self.bot, self.seat = bot, seat
        self._player = Player(match.variant)
        self._key = chance.signed(chance.seed_key(f"{match.seed or 'typed'}/{bot.name}/{seat}"))

    def choose(self, match: Match) -> int:
        """The action it plays now."""
        stream = np.zeros(4, np.int64)
        chance.start_stream(self._key, len(match.log), stream)
        seen = match.position.seen_by(self.seat)
        return self._player.choose(self.bot.policy, seen.state, self.seat, stream)
