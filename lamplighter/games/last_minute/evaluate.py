"""What the one-ply greedy bot maximises: the score, powers to spend, and neighbours for the ornaments to come."""

from __future__ import annotations

from lamplighter.games.last_minute.ceiling import ceiling as ceiling
from lamplighter.games.last_minute.components import FACES
from lamplighter.games.last_minute.rules import Box, Out, State, free, icons_covered, open_squares, score
from lamplighter.jit import count_bits, first_bit, kernel

# In hundredths of a point; found by trying values over 1,500 matches of four greedy seats.
POINT = 100
POWER = 50  # what a power is worth beyond the point it scores at the end
NEIGHBOUR = 30  # an ornament beside a square where the next one can go


@kernel
def evaluate(box: Box, state: State, seat: int, out: Out) -> int:
    """Return the total now and the value of what is left for later moves, in hundredths of a point."""
    value = POINT * score(box, state, seat, out)
    if int(state["turn"]) >= int(box["turns"]):
        return value
    value += POWER * int(state["powers"][seat])
    decorated = int(state["decorated"][seat])
    spaces = open_squares(box, state, seat)
    for _ in range(count_bits(spaces)):
        value += NEIGHBOUR * count_bits(int(box["near"][first_bit(spaces)]) & decorated)
        spaces &= spaces - 1
    return value


# --- for a search ---------------------------------------------------------------------------------------------

SEARCH = {
    "fitted_for": ("seats",),
    "hard": {"candidates": 8, "simulations": 60},
    "expert": {"candidates": 32, "simulations": 1000},
}
MOST_CIRCLED, MOST_FREE = 7, 4  # a track with more of either counts as one with so many


@kernel
def point(box: Box) -> int:
    """Return how much of `evaluate` is a point."""
    return POINT


@kernel
def stage(box: Box, state: State, seat: int) -> int:
    """Turns still to play, in sixteenths."""
    left = int(box["turns"]) - int(state["turn"])
    return 16 * (left if (int(state["acted"]) >> seat) & 1 else left + 1)


@kernel
def features(box: Box, state: State, seat: int, out: Out) -> int:
    """The total; how many tracks have so many circles and so many free squares; powers, icons, and the open squares."""
    total = score(box, state, seat, out)
    n = 1 + MOST_CIRCLED * MOST_FREE
    for i in range(1, n + 8):
        out[i] = 0
    out[0] = total
    for ornament in range(FACES):
        circled = min(int(state["circled"][seat, ornament]), MOST_CIRCLED - 1)
        out[1 + circled * MOST_FREE + min(free(box, state, seat, ornament), MOST_FREE - 1)] += 1
    decorated = int(state["decorated"][seat])
    spaces = open_squares(box, state, seat)
    out[n] = int(state["powers"][seat])
    out[n + 1] = icons_covered(box, state, seat)
    out[n + 2] = count_bits(int(box["icons"]) & spaces)
    for _ in range(count_bits(spaces)):
        beside = count_bits(int(box["near"][first_bit(spaces)]) & decorated)
        out[n + 3] += beside
        out[n + 4] = max(int(out[n + 4]), beside)
        out[n + 5] += int(beside == 2)
        out[n + 6] += int(beside == 3)
        out[n + 7] += int(beside > 3)
        spaces &= spaces - 1
    return n + 8
