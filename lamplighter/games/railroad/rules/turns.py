"""How a match goes: set-up, whom it waits for, dice and goals, the end."""

from __future__ import annotations

from typing import Any

from lamplighter.games.railroad.components.tables import GOALS, MARKS, MAX_DICE
from lamplighter.jit import inlined_kernel, kernel

Box = Any
State = Any
Out = Any  # an int64 array that a kernel fills
DRAWS_A_ROUND = 16


@kernel
def setup(box: Box, state: State) -> None:
    """§1.1, §1.5, §1.9, §1.10 Start with empty sheets that show the exits, and with the goals that the variant names."""
    for die in range(MAX_DICE):
        state["dice"][die] = -1
    for i in range(GOALS):
        state["goals"][i] = box["goals"][i]
    for seat in range(int(box["seats"])):
        for mark in range(MARKS):
            state["offers"][seat, mark] = box["exit_offers"][mark]
    state["turn"] = 0 if box["draw_goals"] else 1
    state["draws"] = DRAWS_A_ROUND * int(state["turn"])


@kernel
def action_count(box: Box) -> int:
    return int(box["actions"])


@kernel
def waiting(box: Box, state: State) -> int:
    """§2.1, §2.4 When all dice are rolled, return every seat that has not said done in this step."""
    if int(state["rolled"]) < int(box["dice"]):
        return 0
    return ((1 << int(box["seats"])) - 1) & ~int(state["done"])


@kernel
def step(box: Box, state: State) -> int:
    """§2.4 What was drawn is final when everybody is done, though the Power Grid dice are used before the next roll.

    Alone it is final with the round: nobody else acts on it, and the dice were in view all along.
    """
    is_alone = int(box["seats"]) == 1
    return 2 * int(state["turn"]) + (0 if is_alone else int(state["power_step"]))


@kernel
def chance_seat(box: Box, state: State) -> int:
    """§2.1 Dice and goals are for everybody."""
    return -1


@inlined_kernel
def outcomes(box: Box, state: State, out: Out, weights: Out) -> int:
    """§1.2, §1.3, §1.6, §1.7, §4.4 List goals not drawn yet, or faces of the next die; equal faces are one outcome."""
    die = int(state["rolled"]) if state["turn"] > 0 else MAX_DICE
    faces = 0 if is_over(box, state) else int(box["die_faces"][die])
    n = 0
    for i in range(faces):
        face = int(box["die_face"][die, i])
        out[n] = face
        weights[n] = int(box["die_weight"][die, i])
        if die != MAX_DICE or (face != state["goals"][0] and face != state["goals"][1]):
            n += 1
    return n


@kernel
def apply_chance(box: Box, state: State, outcome: int) -> None:
    """§2.1, §4.4 Apply one goal or one die; with the last die every seat may draw."""
    state["draws"] += 1
    if state["turn"] == 0:
        drawn = int(state["draws"])
        state["goals"][drawn - 1] = outcome
        if drawn == GOALS:
            state["turn"] = 1
            state["draws"] = DRAWS_A_ROUND
        return
    rolled = int(state["rolled"])
    state["dice"][rolled] = outcome
    state["rolled"] = rolled + 1
    if rolled + 1 == int(box["dice"]):
        for seat in range(int(box["seats"])):
            state["todo"][seat] = (1 << (int(box["route_dice"]) + int(box["lamp_dice"]))) - 1


@kernel
def is_over(box: Box, state: State) -> bool:
    """§1.9 Return whether the last round is over."""
    return int(state["turn"]) > int(box["rounds"])
