"""What a bot of one thought looks at: the score, and what this move leaves for later."""

from __future__ import annotations

from lamplighter.games.greenways.rules import Box, Out, State, score
from lamplighter.jit import kernel


@kernel
def evaluate(box: Box, state: State, seat: int, out: Out) -> int:
    """The total a seat has now."""
    return score(box, state, seat, out)
