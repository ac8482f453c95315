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

# In samples the other seats play any move: only the dice they take matter to this one, and it takes a quarter of the time.
# `hard` does not know the fitted value, which is worth more than all its samples.
SEARCH = {
    "fitted_for": ("seats",),
    "others": "uniform",
    "rivals": 0.0,
    "hard": {"fitted": False, "candidates": 8, "simulations": 80},
    "expert": {"candidates": 16, "simulations": 2000},
}
LONGEST = 6  # a longer track counts as one with so many squares left
TABLE = (LONGEST + 1) * (LONGEST + 2) // 2  # circles and free squares of such a track


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
    """The total, the tracks, the powers and icons, and what the open squares are beside."""
    total = score(box, state, seat, out)
    n = 1 + TABLE + LONGEST + 21
    for i in range(1, n):
        out[i] = 0
    out[0] = total
    features_of_tracks(box, state, seat, out, 1)
    at = 1 + TABLE + LONGEST
    powers = int(state["powers"][seat])
    missing = count_bits(int(box["icons"])) - icons_covered(box, state, seat)
    spaces = open_squares(box, state, seat)
    out[at] = powers
    out[at + 1] = min(powers, 1)
    out[at + 2] = min(powers, 2)
    out[at + 3] = missing
    out[at + 4] = int(missing == 0)
    out[at + 5] = int(missing == 1)
    out[at + 6] = int(missing == 2)
    out[at + 7] = count_bits(int(box["icons"]) & spaces)
    features_of_squares(box, state, seat, spaces, out, at + 8)
    return n


@kernel
def features_of_tracks(box: Box, state: State, seat: int, out: Out, at: int) -> None:
    """How many tracks have so many circles and so many free squares; and the circles of the first and the last track."""
    for ornament in range(FACES):
        circled = min(int(state["circled"][seat, ornament]), LONGEST)
        room = min(free(box, state, seat, ornament), LONGEST - circled)
        out[at + circled * (2 * LONGEST + 3 - circled) // 2 + room] += 1
        if room > 0 and (ornament == 0 or ornament == FACES - 1):  # powers reach them from one side only
            out[at + TABLE + circled] += 1


@kernel
def features_of_squares(box: Box, state: State, seat: int, spaces: int, out: Out, at: int) -> None:
    """How many ornaments open squares are beside: in all, and for tracks with few, some or many circles."""
    decorated = int(state["decorated"][seat])
    squares = count_bits(spaces)
    rest = spaces
    for _ in range(squares):
        beside = count_bits(int(box["near"][first_bit(rest)]) & decorated)
        out[at] += beside
        out[at + min(beside, 6)] += 1
        rest &= rest - 1
    for ornament in range(FACES):
        if free(box, state, seat, ornament) > 0:
            kind = min(int(state["circled"][seat, ornament]) // 2, 2)
            own = int(state["ornaments"][seat, ornament])
            most = 0
            rest = spaces
            for _ in range(squares):
                near = int(box["near"][first_bit(rest)])
                most = max(most, count_bits(near & decorated & ~own))
                out[at + 10 + kind] += count_bits(near & own)
                rest &= rest - 1
            out[at + 7 + kind] += most
