"""What a bot of one thought looks at: the score, powers to spend, and neighbours for the ornaments to come."""

from __future__ import annotations

from lamplighter.games.last_minute.rules import Box, Out, State, open_squares, score
from lamplighter.jit import count_bits, first_bit, kernel

# In hundredths of a point; found by trying values over 1,500 matches of four greedy seats.
POINT = 100
POWER = 50  # what a power is worth beyond the point it scores at the end
NEIGHBOUR = 30  # an ornament beside a square where the next one can go


@kernel
def evaluate(box: Box, state: State, seat: int, out: Out) -> int:
    """The total now, and what this move leaves for later ones."""
    value = POINT * score(box, state, seat, out)
    if int(state["turn"]) >= int(box["turns"]):
        return value
    value += POWER * int(state["powers"][seat])
    decorated = int(state["decorated"][seat])
    spaces = open_squares(box, state, seat)
    while spaces:
        value += NEIGHBOUR * count_bits(int(box["near"][first_bit(spaces)]) & decorated)
        spaces &= spaces - 1
    return value
