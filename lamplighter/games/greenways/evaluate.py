"""What the one-ply greedy bot maximises: what the board scores, what it can still become, and how near the goal is.

A long greenway with open ends is worth most. The goal is not hurried: it ends the game, and tiles of the longest greenway
bring more than those left in the pile.
"""

from __future__ import annotations

from lamplighter.games.greenways.ceiling import ceiling as ceiling
from lamplighter.games.greenways.components import A, B, C, D, E
from lamplighter.games.greenways.rules.laying import green_lines, height, usable, width
from lamplighter.games.greenways.rules.networks import count_ends, count_gems, count_tiles, join_sets, next_network
from lamplighter.games.greenways.rules.scoring import score
from lamplighter.games.greenways.rules.turns import Box, Out, State, pile_pictures
from lamplighter.jit import count_bits, kernel

# Worth in hundredths of what a tile of the line scores, a park in those of half of it; while the pile is full, and when it
# is empty. In between it changes evenly. Found by an evolution strategy over about two million solo matches, then rounded.
POINT = 100
STREET_TILE = (145, 90)  # of a street with an intersection
GREENWAY_TILE = (135, 65)  # of a greenway with a park
BARE_TILE = (130, 85)  # of a greenway without one
PARK = (285, 150)
LONGEST_TILE = (245, 115)  # of the longest greenway
LONGEST_END = (545, 135)  # each of the first three open sides of the longest greenway
GREENWAY = (-140, -135)  # a greenway to itself
GREEN_LINE = (-140, -15)  # a row or column with a greenway, up to the goal
MISSING_LINE = (-25, -60)  # a row or column without
EXCESS_LINE = (-95, -55)  # a row or column beyond the goal
USABLE = (50, -5)  # a picture that tiles of the pile have and that fits somewhere
WON = 355  # beside the points


@kernel
def evaluate(box: Box, state: State, seat: int, out: Out) -> int:
    """Return the total of a finished game, or the value of a running one by the table above; times the number of tiles."""
    tiles, unused = int(box["tiles"]), int(state["unused"][seat])
    if (int(state["won"]) >> seat) & 1:
        return tiles * (POINT * score(box, state, seat, out) + WON)
    networks, shape = value_networks(box, state, seat), value_shape(box, state, seat)
    early, late = networks[0] + shape[0], networks[1] + shape[1]
    return unused * (POINT * tiles * int(box["points"][E]) + early) + (tiles - unused) * late


@kernel
def value_networks(box: Box, state: State, seat: int) -> tuple[int, int]:
    """Return the value of streets and greenways, as if the pile were full and as if it were empty."""
    early = late = longest = ends = 0
    points = box["points"]
    street = known = next_network(box, state, seat, 0, (0, 0))
    while count_tiles(street) > 0:
        if count_gems(box, state, seat, 0, street) > 0:
            early += count_tiles(street) * STREET_TILE[0] * int(points[A])
            late += count_tiles(street) * STREET_TILE[1] * int(points[A])
        street = next_network(box, state, seat, 0, known)
        known = join_sets(known, street)
    greenway = known = next_network(box, state, seat, 1, (0, 0))
    while count_tiles(greenway) > 0:
        length, parks = count_tiles(greenway), count_gems(box, state, seat, 1, greenway)
        tile = GREENWAY_TILE if parks > 0 else BARE_TILE
        early += length * tile[0] * int(points[B]) + parks * PARK[0] * int(points[C]) // 2 + GREENWAY[0]
        late += length * tile[1] * int(points[B]) + parks * PARK[1] * int(points[C]) // 2 + GREENWAY[1]
        open_ends = min(count_ends(box, state, seat, 1, greenway), 3)
        if length > longest or (length == longest and open_ends > ends):
            longest, ends = length, open_ends
        greenway = next_network(box, state, seat, 1, known)
        known = join_sets(known, greenway)
    early += (longest * LONGEST_TILE[0] + ends * LONGEST_END[0]) * int(points[D])
    late += (longest * LONGEST_TILE[1] + ends * LONGEST_END[1]) * int(points[D])
    return early, late


@kernel
def value_shape(box: Box, state: State, seat: int) -> tuple[int, int]:
    """Return the value of the way to the goal and of what can be used of the pile, as the same two numbers."""
    rows, columns = green_lines(box, state, seat)
    missing = height(state, seat) - rows + width(state, seat) - columns
    green = min(rows, int(box["rows"])) + min(columns, int(box["columns"]))
    excess = max(height(state, seat) - int(box["rows"]), 0) + max(width(state, seat) - int(box["columns"]), 0)
    open_to = count_bits(usable(box, state, seat) & pile_pictures(box, state, seat))
    early = green * GREEN_LINE[0] + missing * MISSING_LINE[0] + excess * EXCESS_LINE[0] + open_to * USABLE[0]
    late = green * GREEN_LINE[1] + missing * MISSING_LINE[1] + excess * EXCESS_LINE[1] + open_to * USABLE[1]
    return early, late


@kernel
def point(box: Box) -> int:
    """Return how much of `evaluate` is a point."""
    return POINT * int(box["tiles"])


# Few samples need much of a lead over the first choice, many need less.
SEARCH = {
    "gate": 1.0,
    "hard": {"candidates": 3, "simulations": 8},
    "expert": {"candidates": 8, "simulations": 300, "gate": 0.8},
}
