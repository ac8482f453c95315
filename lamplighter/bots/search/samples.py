"""Samples, inside a game's kernels: what may follow a plan, and what values are fitted to.

A *sample* plays on from the end of a plan with dice of
its own, the same for all plans, and tells what the seat has in the end. Nothing here knows what is hidden: every sample fills it
in again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lamplighter.bots.search.beam import KEPT, LANES, TRIES, lead, play_beam, play_best
from lamplighter.bots.search.room import Beam, Desk
from lamplighter.engine import chance
from lamplighter.engine.table import (
    STAGE,
    apply,
    apply_chance,
    features,
    legal_actions,
    outcomes,
    play_uniformly,
    resample,
    stage,
    waiting,
)  # fmt: skip
from lamplighter.jit import FloatRows, IntRows, Ints, Table, Words, copy_row, first_bit, kernel

Array = Any

STEP_LIMIT = 20_000
STRATA = 6  # draws after a plan that are spread evenly over the samples; later ones come from a key
MOST_ROLLS = 64  # that samples go through in turn
UNIFORM, BEST = 0, 1  # how seats play on in a sample: any move, or the best one for as wide a beam as wanted


class Manner(NamedTuple):
    """How a sample is played."""

    policy: int  # UNIFORM or BEST
    width: int  # of the beam inside a turn
    turns: int  # of the seat that thinks, until its worth is estimated; 0: to the end
    rivals: float  # how much the points of the best other seat count against a seat's own
    noise: float  # in points: by how much worths are mistaken
    others: int = BEST  # how the seats play that do not think, where the policy is BEST
    rolls: int = (
        0  # that may follow the plan, if they are so few that samples go through all of them in turn; 0: too many
    )


# --- chance -----------------------------------------------------------------------------------------------------


@kernel
def spread(key: int, sample: int, draw: int, words: Array) -> float:
    """Return a number from 0 to 1 for a draw of a sample. Over the samples these numbers are spread evenly.

    They are multiples of the powers of a root of x^7 = x + 1, which fill six dimensions evenly, from a start by the key.
    """
    chance.philox(key, draw, 0x737072, words)
    turn = 1.0
    for _ in range(draw + 1):
        turn /= 1.1127756842787055
    at = words[0] / 4294967296.0 + turn * (sample + 1)
    return float(at - int(at))


@kernel
def list_next(game: Table, world: Words, desk: Desk) -> int:
    """Write what may happen next in world[0] on the desk. Return the sum of its weights; 0 if the match is over."""
    total = 0
    for i in range(outcomes(game, world, 0, desk.actions, desk.weights)):
        total += int(desk.weights[i])
    return total


@kernel
def apply_part(game: Table, world: Words, total: int, part: float, desk: Desk) -> float:
    """Let one outcome on the desk happen in world[0]: `part`, from 0 to 1, says how far down the list it is, by weight.

    Return how far `part` is through that outcome, again from 0 to 1: it can choose the next one.
    """
    part *= total
    rest = min(int(part), total - 1)
    part -= rest
    index = 0
    while rest >= int(desk.weights[index]):
        rest -= int(desk.weights[index])
        index += 1
    apply_chance(game, world, 0, int(desk.actions[index]))
    return float(part)


@kernel
def draw_next(game: Table, world: Words, key: int, sample: int, draw: int, desk: Desk) -> bool:
    """Let the next outcome happen in world[0]. Return False if there is none: the match is over."""
    if draw < STRATA:
        total = list_next(game, world, desk)
        if total > 0:
            apply_part(game, world, total, spread(key, sample, draw, desk.words), desk)
        return bool(total > 0)
    n = outcomes(game, world, 0, desk.actions, desk.weights)
    if n > 0:
        index = chance.pick(desk.weights, n, key ^ (sample << 20), draw, desk.words)
        apply_chance(game, world, 0, int(desk.actions[index]))
    return bool(n > 0)


@kernel
def roll_number(game: Table, world: Words, number: int, rolls: int, desk: Desk) -> int:
    """Let everything happen in world[0] until somebody must act: roll `number` of so many that are equally likely.

    Return how many there are, counted by weight; only if that is `rolls` does each number stand for one of them.
    """
    part, passed = (number + 0.5) / rolls, 1
    while waiting(game, world, 0) == 0 and passed <= MOST_ROLLS:
        total = list_next(game, world, desk)
        if total == 0:
            break
        passed *= total
        part = apply_part(game, world, total, part, desk)
    return passed


@kernel
def count_rolls(game: Table, roots: Words, world: Words, seat: int, moves: Ints, most: int, desk: Desk) -> int:
    """Return how many rolls may follow a plan, counted by weight; 0 if they are more than `most` or not all alike."""
    most, rolls, number = min(most, MOST_ROLLS), 1, -1
    while number < rolls:  # the first time it counts, then it looks whether there are as many, whatever comes first
        copy_row(world, 0, roots, 0)
        resample(game, world, 0, seat, desk.words[4:8])
        for i in range(len(moves)):
            apply(game, world, 0, seat, int(moves[i]))
        found = roll_number(game, world, max(number, 0), rolls, desk)
        if found > most or (number >= 0 and found != rolls):
            return 0
        rolls = found
        number += 1
    return rolls if rolls > 1 else 0


@kernel
def play_seat(game: Table, beam: Beam, world: Words, who: int, thinks: bool, manner: Manner, desk: Desk) -> None:
    """Play for a seat in world[0] as `manner` says: one move, or a turn if the beam is wider than 1."""
    if manner.policy == UNIFORM or (not thinks and manner.others == UNIFORM):
        n = legal_actions(game, world, 0, who, desk.actions)
        apply(game, world, 0, who, int(desk.actions[chance.below(n, desk.words[4:8])]))
    elif manner.width == 1:
        play_best(game, beam, world, who, desk)
    else:
        play_beam(game, beam, world, who, manner.width, 1, manner.noise, desk)


@kernel
def play_sample(
    game: Table, beam: Beam, world: Words, seat: int, seats: int, key: int, sample: int, draws: int, manner: Manner, desk: Desk
) -> float:  # fmt: skip
    """Play on in world[0] as `manner` says, after so many draws. Return what the seat has then, in points.

    The stream of the desk has begun.
    """
    turns, has_stage = 0, game[STAGE] != 0
    first = stage(game, world, 0, seat)
    at_once = manner.policy == UNIFORM and manner.turns == 0  # nobody has to look at the moves one by one
    if manner.rolls > 0:
        roll_number(game, world, sample % manner.rolls, manner.rolls, desk)
    for _ in range(STEP_LIMIT):
        if at_once:
            play_uniformly(game, world, 0, desk.words[4:8], desk.actions)
        mask = 0 if at_once else waiting(game, world, 0)
        if mask == 0:
            if not draw_next(game, world, key, sample, draws, desk):
                break
            draws += 1
            continue
        who = first_bit(mask)
        play_seat(game, beam, world, who, who == seat, manner, desk)
        if who == seat and manner.turns > 0 and (waiting(game, world, 0) >> seat) & 1 == 0:
            turns = (first - stage(game, world, 0, seat)) >> 4 if has_stage else turns + 1
            if turns >= manner.turns:
                break
    return float(lead(game, world, 0, seat, seats, manner.rivals, desk))


@kernel
def try_plans(
    game: Table, roots: Words, beam: Beam, world: Words, seat: int, seats: int, plans: IntRows, lengths: Ints,
    alive: Ints, first: int, last: int, most: int, key: int, manner: Manner, results: FloatRows, desk: Desk,
) -> int:  # fmt: skip
    """Play samples of the plans in `alive`; number i of `first` to `last` is plan i % n of sample i // n.

    roots[0] is what the seat sees. Stop after `most` tried moves, and return the next number.
    """
    n = len(alive)
    before = beam.counts[TRIES]
    for number in range(first, last):
        if beam.counts[TRIES] - before >= most:
            return number
        sample, plan = number // n, int(alive[number % n])
        copy_row(world, 0, roots, 0)
        chance.start_stream(key, sample, desk.words[4:8])
        resample(game, world, 0, seat, desk.words[4:8])
        for i in range(int(lengths[plan])):
            apply(game, world, 0, seat, int(plans[plan, i]))
        results[plan, sample] = play_sample(game, beam, world, seat, seats, key, sample, 0, manner, desk)
        if manner.policy == UNIFORM:
            beam.counts[TRIES] += 8
    return last


# --- what a value is fitted to ----------------------------------------------------------------------------------


@kernel
def note_match(
    game: Table, beam: Beam, world: Words, seats: int, key: int, sample: int, manner: Manner, plans: int, rivals: int,
    notes: Words, whose: Ints, desk: Desk,
) -> int:  # fmt: skip
    """Play a match from the state in world[0] and note the state after each turn, and whose it was. Return how many.

    After each come up to `rivals` states to which any others of the best `plans` for the turn lead.
    """
    draws = 0
    noted = 0
    chance.start_stream(key, sample, desk.words[4:8])
    for _ in range(STEP_LIMIT):
        mask = waiting(game, world, 0)
        if mask == 0:
            if not draw_next(game, world, key, sample, STRATA + draws, desk):
                break
            draws += 1
            continue
        who = first_bit(mask)
        best = play_beam(game, beam, world, who, manner.width, plans, manner.noise, desk)
        if (waiting(game, world, 0) >> who) & 1 == 0 and noted < len(notes):
            copy_row(notes, noted, world, 0)
            whose[noted] = who
            noted += 1
            for _ in range(min(rivals, len(notes) - noted)):
                slot = 1 + 2 * LANES * beam.counts[KEPT] + chance.below(beam.counts[2 * LANES], desk.words[4:8])
                if slot != best and (waiting(game, beam.states, slot) >> who) & 1 == 0:
                    copy_row(notes, noted, beam.states, slot)
                    whose[noted] = who
                    noted += 1
    return noted


@kernel
def note_features(game: Table, notes: Words, whose: Ints, numbers: FloatRows, stages: Ints, desk: Desk) -> int:
    """Write the features and the stage of each note. Return how many features there are."""
    n = 0
    for i in range(len(notes)):
        n = int(features(game, notes, i, int(whose[i]), desk.numbers))
        stages[i] = stage(game, notes, i, int(whose[i]))
        for j in range(n):
            numbers[i, j] = desk.numbers[j]
    return n
