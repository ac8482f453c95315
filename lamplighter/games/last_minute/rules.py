"""Last Minute Christmas, the rules. Paragraphs are those of RULES.md, rulings (R…) those of RULINGS.md.

Faces and ornaments count from 0 in here: face 2 shows three pips. Text and pictures live elsewhere.
"""

from __future__ import annotations

from typing import Any

from lamplighter.games.last_minute.components import FACES, MAX_SQUARES
from lamplighter.games.last_minute.state import DICE, Reason
from lamplighter.jit import count_bits, first_bit, kernel, list_bits

Box = Any
State = Any
Out = Any  # an int64 array that a kernel fills

ALL_ORNAMENTS = (1 << FACES) - 1
LAST = MAX_SQUARES - 1
SIGN = -1 << LAST  # the set of the last square


@kernel
def setup(box: Box, state: State) -> None:
    """§1, §16 Start with empty sheets. The lot decides who begins unless the variant says so (R12)."""
    state["first"] = box["first_player"]
    state["turn"] = 0 if box["first_player"] < 0 else 1
    state["draws"] = 4 * int(state["turn"])


@kernel
def action_count(box: Box) -> int:
    return FACES * FACES * int(box["squares"])


@kernel
def set_of(square: int) -> int:
    """Return the set of one square."""
    return 1 << square if square < LAST else SIGN


# --- chance ---------------------------------------------------------------------------------------------------


@kernel
def waiting(box: Box, state: State) -> int:
    """§3, §6 Return the active seat while all three dice are on the table; then every passive seat that has not drawn."""
    if state["rolled"] < DICE or is_over(box, state):
        return 0
    if state["taken"] == 0:
        return 1 << active_seat(box, state)
    return ((1 << int(box["seats"])) - 1) & ~int(state["acted"])


@kernel
def active_seat(box: Box, state: State) -> int:
    """§3 Return whose turn it is: the turn passes to the left."""
    return (int(state["first"]) + int(state["turn"]) - 1) % int(box["seats"])


@kernel
def chance_seat(box: Box, state: State) -> int:
    """Dice are for everybody."""
    return -1


@kernel
def outcomes(box: Box, state: State, out: Out, weights: Out) -> int:
    """§4, §16 The seat that begins, then the next die: each as likely as the others."""
    if is_over(box, state):
        return 0
    n = int(box["seats"]) if state["first"] < 0 else FACES
    for outcome in range(n):
        out[outcome] = outcome
        weights[outcome] = 1
    return n


@kernel
def apply_chance(box: Box, state: State, outcome: int) -> None:
    """§4, §16 The lot falls on a seat, or one die is rolled."""
    if state["first"] < 0:
        state["first"] = outcome
        state["turn"] = 1
    else:
        state["dice"][int(state["rolled"])] = outcome + 1
        state["rolled"] += 1
    state["draws"] = 4 * int(state["turn"]) + int(state["rolled"])


# --- legality -------------------------------------------------------------------------------------------------


@kernel
def check(box: Box, state: State, seat: int, action: int) -> Reason:
    """§4–§13 Say why `action` is refused, or `Reason.OK`."""
    if action < 0 or action >= action_count(box):
        return Reason.NO_SUCH_ACTION
    if not (waiting(box, state) >> seat) & 1:
        return Reason.NOT_WAITING
    squares = int(box["squares"])
    face, ornament, square = action // (FACES * squares), action // squares % FACES, action % squares
    if not (shown_faces(state) >> face) & 1:
        return Reason.NO_SUCH_DIE
    rescue = needs_rescue(box, state, seat)
    if not (drawable(box, state, seat) >> ornament) & 1:
        return Reason.TRACK_FULL
    if not rescue and not (payable(box, state, seat, face) >> ornament) & 1:
        return Reason.NOT_ENOUGH_POWER
    if (int(state["decorated"][seat]) >> square) & 1:
        return Reason.SQUARE_TAKEN
    if not (open_squares(box, state, seat) >> square) & 1:
        return Reason.NOT_CONNECTED
    return Reason.OK


@kernel
def shown_faces(state: State) -> int:
    """§4, §6 Return the faces of the dice on the table, as bits."""
    faces = 0
    for die in range(DICE):
        faces |= 1 << int(state["dice"][die])  # bit 0 if there is none
    return faces >> 1


@kernel
def free(box: Box, state: State, seat: int, ornament: int) -> int:
    """§5, §7 Return how many squares of a track are neither circled nor crossed out."""
    return (
        int(box["track_length"][ornament])
        - int(state["circled"][seat, ornament])
        - int(state["crossed"][seat, ornament])
    )


@kernel
def open_tracks(box: Box, state: State, seat: int) -> int:
    """§5, §7 Return the ornaments whose track has a free square, as bits."""
    ornaments = 0
    for ornament in range(FACES):
        ornaments |= int(free(box, state, seat, ornament) > 0) << ornament
    return ornaments


@kernel
def drawable(box: Box, state: State, seat: int) -> int:
    """§9 Return the ornaments that may be drawn, as bits: those whose track has room, or all if every track is full (R8)."""
    ornaments = open_tracks(box, state, seat)
    return ornaments if ornaments != 0 else ALL_ORNAMENTS


@kernel
def payable(box: Box, state: State, seat: int, face: int) -> int:
    """§13 Return the ornaments into which a seat has the powers to turn a face, as bits."""
    return int(box["payable"][face, min(int(state["powers"][seat]), FACES - 1)])


@kernel
def needs_rescue(box: Box, state: State, seat: int) -> bool:
    """§9 Return whether no die, changed or not, gives an ornament with a free square; then any may be drawn."""
    ornaments = 0
    for die in range(DICE):
        if state["dice"][die] > 0:
            ornaments |= payable(box, state, seat, int(state["dice"][die]) - 1)
    return ornaments & open_tracks(box, state, seat) == 0


@kernel
def open_squares(box: Box, state: State, seat: int) -> int:
    """§11 Return where a seat may draw: anywhere on an empty tree, else where it connects, else (R10) any empty square."""
    empty = int(box["tree"]) & ~int(state["decorated"][seat])
    connected = empty & int(state["reach"][seat])
    return connected if connected != 0 else empty


@kernel
def legal_actions(box: Box, state: State, seat: int, out: Out) -> int:
    """§4–§13 Write every action that `check` accepts to `out`, in ascending order. Return how many there are."""
    if not (waiting(box, state) >> seat) & 1:
        return 0
    n = 0
    squares, spaces = int(box["squares"]), open_squares(box, state, seat)
    rescue, room = needs_rescue(box, state, seat), drawable(box, state, seat)
    faces = shown_faces(state)
    while faces != 0:
        face = first_bit(faces)
        faces &= faces - 1
        ornaments = room if rescue else room & payable(box, state, seat, face)
        while ornaments != 0:
            n = list_bits(spaces, (face * FACES + first_bit(ornaments)) * squares, out, n)
            ornaments &= ornaments - 1
    return n


# --- drawing --------------------------------------------------------------------------------------------------


@kernel
def apply(box: Box, state: State, seat: int, action: int) -> None:
    """§4–§7 A seat takes a die, draws and circles; an active seat's die leaves the table and the others cross out."""
    squares = int(box["squares"])
    face, ornament, square = action // (FACES * squares), action // squares % FACES, action % squares
    if needs_rescue(box, state, seat):
        state["rescues"][seat] += 1  # §9 costs no power
    else:
        state["powers"][seat] -= int(box["cost"][face, ornament])  # §13
    draw_ornament(box, state, seat, ornament, square)
    if free(box, state, seat, ornament) > 0:
        state["circled"][seat, ornament] += 1  # §7
    if state["taken"] == 0:
        take_die(state, face)
        cross_out(box, state, seat, ornament if box["cross_drawn"] else face)
    state["acted"] = int(state["acted"]) | 1 << seat
    if int(state["acted"]) == (1 << int(box["seats"])) - 1:
        end_turn(state)


@kernel
def draw_ornament(box: Box, state: State, seat: int, ornament: int, square: int) -> None:
    """§10, §12 Draw, note the points of the turn, and circle a power on an icon.

    A star beside a bow, a bauble and a bell is worth 1 + 3; a second star beside it would add nothing.
    """
    other = int(state["decorated"][seat]) & ~int(state["ornaments"][seat, ornament])
    points = 1 + count_bits(int(box["near"][square]) & other)
    state["turn_points"][seat, int(state["turn"]) - 1] = points
    if (int(box["icons"]) >> square) & 1 and icons_covered(box, state, seat) < int(box["power_boxes"]):
        state["powers"][seat] += 1
    state["ornaments"][seat, ornament] |= set_of(square)
    state["decorated"][seat] |= set_of(square)
    state["reach"][seat] |= int(box["connects"][square])


@kernel
def take_die(state: State, face: int) -> None:
    """§4 The chosen die leaves the table; the other two stay in their order."""
    state["taken"] = face + 1
    kept = 0
    removed = False
    for die in range(DICE):
        shown = int(state["dice"][die])
        if shown == face + 1 and not removed:
            removed = True
        else:
            state["dice"][kept] = shown
            kept += 1
    state["dice"][DICE - 1] = 0


@kernel
def cross_out(box: Box, state: State, active: int, ornament: int) -> None:
    """§5 Every passive seat crosses out the highest free value of this ornament, before it chooses."""
    for seat in range(int(box["seats"])):
        if seat != active and free(box, state, seat, ornament) > 0:
            state["crossed"][seat, ornament] += 1


@kernel
def end_turn(state: State) -> None:
    """§3 Everybody has drawn: the dice go to the next seat."""
    state["turn"] += 1
    state["rolled"] = 0
    state["taken"] = 0
    state["acted"] = 0
    for die in range(DICE):
        state["dice"][die] = 0
    state["draws"] = 4 * int(state["turn"])


@kernel
def is_over(box: Box, state: State) -> bool:
    """§2 Return whether the last turn is over."""
    return int(state["turn"]) > int(box["turns"])


# --- scoring --------------------------------------------------------------------------------------------------


@kernel
def score_turns(box: Box, state: State, seat: int) -> int:
    """§10, §14 The sum of the turn boxes: 4 and 3 and 5 are 12."""
    total = 0
    for turn in range(int(box["turns"])):
        total += int(state["turn_points"][seat, turn])
    return total


@kernel
def score_ornament(box: Box, state: State, seat: int, ornament: int) -> int:
    """§14 The highest circled value of a track: three circles on 1 3 6 10 15 21 are worth 6."""
    circled = int(state["circled"][seat, ornament])
    return int(box["tracks"][ornament, circled - 1]) if circled > 0 else 0


@kernel
def icons_covered(box: Box, state: State, seat: int) -> int:
    """§12 Return how many icon squares have an ornament on them."""
    return count_bits(int(box["icons"]) & int(state["decorated"][seat]))


@kernel
def score_icons(box: Box, state: State, seat: int) -> int:
    """§14 A bonus for ornaments on all icons: six of six are worth 5, five of six nothing."""
    covered = int(box["icons"]) & int(state["decorated"][seat])
    return int(box["icon_bonus"]) if covered == int(box["icons"]) else 0


@kernel
def score(box: Box, state: State, seat: int, out: Out) -> int:
    """§14 Turn boxes, six ornaments, unused powers (1 each), the icon bonus."""
    out[0] = score_turns(box, state, seat)
    total = int(out[0])
    for ornament in range(FACES):
        out[1 + ornament] = score_ornament(box, state, seat, ornament)
        total += int(out[1 + ornament])
    out[1 + FACES] = int(state["powers"][seat])
    out[2 + FACES] = score_icons(box, state, seat)
    return total + int(out[1 + FACES]) + int(out[2 + FACES])


@kernel
def standing(box: Box, state: State, seat: int, total: int) -> int:
    """§15 The higher total wins, then more unused powers; then the victory is shared."""
    return total * 128 + int(state["powers"][seat])


@kernel
def facts(box: Box, state: State, seat: int, out: Out) -> int:
    """§9, §12 Rescues, closed tracks, icons covered."""
    out[0] = int(state["rescues"][seat])
    out[1] = 0
    for ornament in range(FACES):
        if free(box, state, seat, ornament) == 0:
            out[1] += 1
    out[2] = icons_covered(box, state, seat)
    return 3
