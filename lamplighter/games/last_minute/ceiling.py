"""What a seat cannot exceed, once the dice and what the others play are known. `evaluate.py` offers it.

The points of the turns are 1 for each draw and 1 for each pair of neighbours of different kinds, counted when its second square
is drawn. So the tree and the tracks each have a maximum of their own, and they are added up:

- *The tree.* No two neighbours are of one kind, at best. Which squares have the most pairs, and icons, is found row by row.
- *The tracks.* The others play what they played, so it is known which dice are on the table in each turn, and which crosses come.
  With c circles in the end, a track is open only in turns in which the crosses so far leave room for c: none of them is skipped
  before the last circle. So every set of ornaments has at most one circle for each turn in which an open one of them is on the
  table, or in which everything on the table is closed (§9); and one more for each power that is spent, which is a point.
"""

from __future__ import annotations

from lamplighter.games.last_minute.components import FACES, MAX_TURNS
from lamplighter.games.last_minute.rules import Box, Out, State, active_seat, score_turns, shown_faces
from lamplighter.games.last_minute.state import DICE
from lamplighter.jit import count_bits, first_bit, kernel

# In `out`, for each turn from now on: the faces on the table, the ornaments that are open, and those of them that need no power,
# as bits; the crosses on each track when the seat draws; the circles that are tried; and room for the tree.
SHOWN, OPEN, FREE = 0, MAX_TURNS, 2 * MAX_TURNS
CROSSES = 3 * MAX_TURNS
TRIED = CROSSES + FACES * MAX_TURNS
CAPS = TRIED + FACES
TREE = CAPS + FACES

MOST_COLUMNS = 9  # of a tree that is looked at row by row
MOST_TRIED = 1 << 19  # ways to share out circles
NONE = -1_000_000


@kernel
def ceiling(box: Box, state: State, seat: int, dice: Out, plays: Out, out: Out) -> int:
    """§14 Return the sum of what turn boxes, tracks, powers and the icon bonus can be at most."""
    turns = int(box["turns"]) - int(state["turn"]) + 1
    read_turns(box, state, seat, turns, dice, plays, out)
    icons = min(count_bits(int(box["icons"]) & ~int(state["decorated"][seat])), turns)
    powers = int(state["powers"][seat])
    return (
        score_turns(box, state, seat)
        + turns
        + powers
        + most_of_tree(box, state, seat, turns, out[TREE:])
        + most_of_tracks(box, state, seat, turns, powers + icons, out)
    )


@kernel
def read_turns(box: Box, state: State, seat: int, turns: int, dice: Out, plays: Out, out: Out) -> None:
    """§4–§6 Write the faces that the seat can choose in each turn, and how much of its tracks is crossed out by then."""
    seats, squares = int(box["seats"]), int(box["squares"])
    for ornament in range(FACES):
        out[CROSSES + ornament] = state["crossed"][seat, ornament]
    out[SHOWN] = shown_faces(state)
    for later in range(1, turns):
        for ornament in range(FACES):
            out[CROSSES + later * FACES + ornament] = out[CROSSES + (later - 1) * FACES + ornament]
        active = (active_seat(box, state) + later) % seats
        taken = -1
        if active != seat:
            acted = (int(state["acted"]) >> active) & 1  # everybody draws once a turn
            action = int(plays[active, later - acted])
            taken = action // (FACES * squares)
            crossed = action // squares % FACES if box["cross_drawn"] else taken
            out[CROSSES + later * FACES + crossed] += 1
        shown = 0
        for die in range(DICE):
            face = int(dice[DICE * (later - 1) + die])
            if face == taken:
                taken = -1  # one die left the table
            else:
                shown |= 1 << face
        out[SHOWN + later] = shown


# --- the tracks -----------------------------------------------------------------------------------------------


@kernel
def most_of_tracks(box: Box, state: State, seat: int, turns: int, powers: int, out: Out) -> int:
    """§7, §13, §14 Return the most that the tracks can be, less a point for each power that this takes."""
    ways, bound = 1, 0
    for ornament in range(FACES):
        cap = 0
        for turn in range(turns):
            room = int(box["track_length"][ornament]) - int(state["circled"][seat, ornament])
            cap = max(cap, min(turn + 1, room - int(out[CROSSES + turn * FACES + ornament])))
        out[CAPS + ornament] = out[TRIED + ornament] = cap
        ways *= cap + 1
        bound += value_of(box, state, seat, ornament, cap)
    if ways > MOST_TRIED:
        return bound
    best = NONE
    while True:
        circles, value = 0, 0
        for ornament in range(FACES):
            circles += int(out[TRIED + ornament])
            value += value_of(box, state, seat, ornament, int(out[TRIED + ornament]))
        if circles <= turns and value > best:
            needed = powers_needed(box, state, seat, turns, out)
            if needed <= powers:
                best = max(best, value - needed)
        ornament = 0
        while ornament < FACES and out[TRIED + ornament] == 0:
            out[TRIED + ornament] = out[CAPS + ornament]
            ornament += 1
        if ornament == FACES:
            return best
        out[TRIED + ornament] -= 1


@kernel
def value_of(box: Box, state: State, seat: int, ornament: int, more: int) -> int:
    """§14 Return the value of a track with so many more circles."""
    circled = int(state["circled"][seat, ornament]) + more
    return int(box["tracks"][ornament, circled - 1]) if circled > 0 else 0


@kernel
def powers_needed(box: Box, state: State, seat: int, turns: int, out: Out) -> int:
    """§9, §13 Return powers without which the circles that are tried cannot be drawn; a million if they cannot be drawn at all.

    A turn is a rescue if everything on the table is closed: then any open ornament is free.
    """
    for turn in range(turns):
        is_open = 0
        for ornament in range(FACES):
            circles = int(state["circled"][seat, ornament]) + int(out[TRIED + ornament])
            crosses = int(out[CROSSES + turn * FACES + ornament])
            # With this many in the end: may one be drawn now, and can the track be closed by now?
            is_open |= int(circles + crosses <= int(box["track_length"][ornament])) << ornament
            is_open |= int(circles + crosses >= int(box["track_length"][ornament])) << (FACES + ornament)
        shown = int(out[SHOWN + turn])
        rescue = shown & ~(is_open >> FACES) == 0
        out[OPEN + turn] = is_open & ((1 << FACES) - 1)
        out[FREE + turn] = int(out[OPEN + turn]) if rescue else int(out[OPEN + turn]) & shown
    needed = 0
    for ornaments in range(1, 1 << FACES):
        circles, free, possible = 0, 0, 0
        for ornament in range(FACES):
            circles += int(out[TRIED + ornament]) if (ornaments >> ornament) & 1 else 0
        for turn in range(turns):
            free += int(int(out[FREE + turn]) & ornaments != 0)
            possible += int(int(out[OPEN + turn]) & ornaments != 0)
        if circles > possible:
            return -NONE
        needed = max(needed, circles - free)
    return needed


# --- the tree -------------------------------------------------------------------------------------------------


@kernel
def most_of_tree(box: Box, state: State, seat: int, turns: int, room: Out) -> int:
    """§10, §12, §14 Return the most that new pairs of neighbours, powers gained and the icon bonus can be together."""
    decorated, icons = int(state["decorated"][seat]), int(box["icons"])
    if int(box["cols"]) > MOST_COLUMNS:
        # Of the new pairs each new square has at most four with squares before it in the order of reading, if both are new.
        missing = count_bits(icons & ~decorated)
        bonus = int(box["icon_bonus"]) if missing <= turns else 0
        return 4 * turns + sides_of(box, decorated, ~decorated) + min(missing, turns) + bonus
    pairs = sides_of(box, decorated, decorated) // 2
    free = best_squares(box, decorated, decorated, turns, room)
    covered = best_squares(box, decorated, decorated | icons, turns, room) + int(box["icon_bonus"])
    return max(free, covered) - pairs


@kernel
def sides_of(box: Box, squares: int, others: int) -> int:
    """Return how many neighbours among `others` the squares have, added up."""
    found = 0
    for _ in range(count_bits(squares)):
        found += count_bits(int(box["near"][first_bit(squares)]) & others)
        squares &= squares - 1
    return found


@kernel
def best_squares(box: Box, decorated: int, needed: int, turns: int, room: Out) -> int:
    """Return the most pairs of neighbours and new icons, with so many new squares. Those in `needed` must be among them.

    Row by row: for the squares of a row that are decorated in the end, and the number of new ones up to it, `room` has the most.
    """
    width = turns + 1
    half = width << int(box["cols"])
    for i in range(2 * half):
        room[i] = NONE
    room[0] = 0  # above the first row there is nothing
    last, at = 0, 0
    for row in range(int(box["rows"])):
        squares, old, forced, icons = 0, 0, 0, 0
        for col in range(int(box["cols"])):
            square = int(box["square_at"][row, col])
            if square >= 0:
                squares |= 1 << col
                old |= ((decorated >> square) & 1) << col
                forced |= ((needed >> square) & 1) << col
                icons |= ((int(box["icons"]) >> square) & 1) << col
        to = half - at
        mask = squares  # every set of squares of this row, and of the row before it
        while True:
            for n in range(width):
                room[to + mask * width + n] = NONE
            new = count_bits(mask & ~old)
            gain = count_bits(mask & (mask >> 1)) + count_bits(mask & icons & ~old)
            above = last if mask & forced == forced else -1
            while above >= 0:
                pairs = (
                    gain + count_bits(mask & above) + count_bits(mask & (above << 1)) + count_bits(mask & (above >> 1))
                )
                for n in range(new, width):
                    value = int(room[at + above * width + n - new]) + pairs
                    if value > room[to + mask * width + n]:
                        room[to + mask * width + n] = value
                above = (above - 1) & last if above > 0 else -1
            if mask == 0:
                break
            mask = (mask - 1) & squares
        at, last = to, squares
    best = NONE
    for mask in range(1 << int(box["cols"])):
        if mask & ~last == 0:
            best = max(best, int(room[at + mask * width + turns]))
    return best
