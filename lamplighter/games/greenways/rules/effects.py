"""What an action does to the state: a tile is laid, the hand is emptied, the goal may be reached."""

from __future__ import annotations

from lamplighter.games.greenways.rules.laying import green_lines, height, lay_tile, width
from lamplighter.games.greenways.rules.turns import Box, State, begin_round, can_go_on
from lamplighter.jit import kernel


@kernel
def apply(box: Box, state: State, seat: int, action: int) -> None:
    """§2, §3, §11 Lay a tile and put the rest of the hand back (R6); the seat's game may be won or at its end."""
    pictures = int(box["pictures"])
    index, picture = action // pictures, action % pictures
    empty_hand(box, state, seat, int(box["kind"][picture]))
    lay_tile(box, state, seat, index, picture)
    if has_won(box, state, seat):
        state["won"] = int(state["won"]) | 1 << seat
        state["playing"] = int(state["playing"]) & ~(1 << seat)
    elif not can_go_on(box, state, seat):
        state["playing"] = int(state["playing"]) & ~(1 << seat)
    state["waiting"] = int(state["waiting"]) & ~(1 << seat)
    if state["waiting"] == 0:
        begin_round(box, state)


@kernel
def empty_hand(box: Box, state: State, seat: int, laid: int) -> None:
    """§2, R6 One tile leaves the hand for the board, the others for the pile, or for good."""
    for i in range(int(state["held"][seat])):
        kind = int(state["hand"][seat, i]) - 1
        state["hand"][seat, i] = 0
        if kind == laid:
            state["unused"][seat] -= 1
            laid = -1
        elif box["discard"]:
            state["unused"][seat] -= 1
        else:
            state["pile"][seat, kind] += 1
    state["held"][seat] = 0


@kernel
def has_won(box: Box, state: State, seat: int) -> bool:
    """§11 Return whether there are at least 8 rows and 8 columns, gaps allowed, each with a greenway tile."""
    rows, columns = height(state, seat), width(state, seat)
    if rows < int(box["rows"]) or columns < int(box["columns"]):
        return False
    green = green_lines(box, state, seat)
    return green[0] == rows and green[1] == columns
