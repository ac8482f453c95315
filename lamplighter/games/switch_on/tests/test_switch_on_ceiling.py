"""Switch-On: what a seat cannot exceed. tests/bots/test_ceiling.py asks what every game's ceiling is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from walks import random_match, variants

from lamplighter import bots, games
from lamplighter.bots import hindsight
from lamplighter.bots.hindsight import ceiling_at
from lamplighter.engine.match import Match
from lamplighter.engine.variant import Variant
from lamplighter.games.switch_on import ceiling as module
from lamplighter.games.switch_on.ceiling import ceiling
from lamplighter.games.switch_on.components.tables import FIRST_RAISE, WORD
from lamplighter.games.switch_on.state import Phase
from lamplighter.jit import PURE
from lamplighter.lab.simulate import record_match

GAME = games.load("switch_on")


def played(bot: str, seats: int, seed: int = 0) -> Match:
    variant = Variant(GAME, {"seats": seats})
    return record_match(variant, bots.seat_bots(bot, seats), str(seed), 0)


def own_moves(match: Match, seat: int) -> list[int]:
    return [i for i, entry in enumerate(match.log) if entry.kind == "move" and entry.seat == seat]


def too_low(match: Match, wrong: bool = False) -> list[tuple[int, int]]:
    """Where the ceiling is below what the seat then had; `wrong`: of a ceiling that knows no turn but Raise Funds."""
    found = []
    for seat in range(match.variant.seats):
        for entry in own_moves(match, seat)[:: 40 if PURE else 1]:
            script, out = (
                hindsight._script_of(match.variant, match.log[entry:], seat),
                np.zeros(hindsight.ROOM, np.int64),
            )
            plays = np.full_like(script.plays, FIRST_RAISE) if wrong else script.plays
            most = ceiling(match.variant.box, match.at(entry).state, seat, script.dice, plays, out)
            if most < match.totals[seat]:
                found.append((seat, entry))
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_move_of_a_match_is_above_the_ceiling(seats: int) -> None:
    """Every moment of a random match and of a greedy one."""
    assert not too_low(random_match(Variant(GAME, {"seats": seats}), seats))
    if not PURE:
        assert not too_low(played("greedy", seats))


@pytest.mark.skipif(PURE, reason="a search takes minutes in plain Python")
def test_no_move_of_strong_play_is_above_the_ceiling() -> None:
    assert not too_low(played("hard", 4))


def test_a_ceiling_that_leaves_out_turns_is_too_low() -> None:
    """The same check finds a bound that forgets decorations and strands."""
    assert too_low(random_match(Variant(GAME, {"seats": 4}), 4), wrong=True)


def test_the_ceiling_is_the_score_when_nothing_can_be_bought() -> None:
    """§N At a seat's last move, if it raises funds, passes or discards then."""
    met = 0
    for seed in range(6):
        match = random_match(Variant(GAME, {"seats": 4}), seed)
        for seat in range(4):
            last = own_moves(match, seat)[-1]
            if int(match.at(last).state["phase"]) in (Phase.FUNDS, Phase.LIMIT):
                met += 1
                assert ceiling_at(match, seat, last) == match.totals[seat]
    assert met >= 4


def test_a_ceiling_needs_the_moves_of_the_others() -> None:
    match = random_match(Variant(GAME), 1)
    entry = own_moves(match, 0)[0]
    script = hindsight._script_of(match.variant, match.log[entry:], 0)
    found = ceiling(
        match.variant.box, match.at(entry).state, 0, script.dice, script.plays[:, :0], np.zeros(hindsight.ROOM, np.int64)
    )  # fmt: skip
    assert found == -1


def test_distances() -> None:
    """§S1 On a clean sheet: three strands to the other end of the bottom row, six to the far corner, none over a tree."""
    match = random_match(Variant(GAME), 1)
    box, state = match.variant.boxes[0], match.at(own_moves(match, 0)[0]).state
    out = np.zeros(hindsight.ROOM, np.int64)
    module.read_shapes(box, state, 0, out)
    module.measure(box, state, 0, out)
    rows = out[module.DISTANCE : module.DISTANCE + 81].reshape(9, 9)
    assert rows[8].tolist() == [1, 1, 1, 1, 2, 2, 2, 3, 3]
    assert rows[0, 8] == 6 and rows[1, 6] == module.FAR


def squares(words: Any) -> set[int]:
    return {square for square in range(2 * WORD) if int(words[square // WORD]) >> square % WORD & 1}


def test_the_steps_of_the_bound() -> None:
    """§8, §S1 With as many strands as were drawn: the bound holds, what gets power is within their distance, and no more squares
    get light than are counted."""
    met = 0
    for number, variant in enumerate(variants(GAME)):
        match = random_match(variant, number)
        if not PURE:
            match = record_match(variant, bots.seat_bots("greedy", variant.seats), str(number), 0)
        box, seat = variant.boxes[0], number % variant.seats
        moves = own_moves(match, seat)
        end = match.position.state
        for entry in (moves[0], moves[len(moves) // 3], moves[len(moves) // 2]):
            state, out = match.at(entry).state, np.zeros(hindsight.ROOM, np.int64)
            script = hindsight._script_of(variant, match.log[entry:], seat)
            assert module.read_turns(box, state, seat, script.plays, out)
            module.read_cards(box, state, seat, script.dice, out)
            module.read_shapes(box, state, seat, out)
            module.measure(box, state, seat, out)
            module.list_pairs(box, out)
            strands = int(end["cable_count"][seat]) - int(state["cable_count"][seat])
            module.read_worth(box, state, seat, strands, out)
            module.list_options(box, state, seat, strands, out)
            module.set_prices(out)
            assert module.lowest_bound(box, state, seat, strands, -1, out) >= module.POINT * match.totals[seat]
            distance = out[module.DISTANCE : module.DISTANCE + 2 * WORD]
            assert all(distance[square] <= strands for square in squares(end["powered"][seat]))
            lit = squares(end["light"][seat]) & squares(end["powered"][seat]) - squares(state["light"][seat])
            brought = strands * int(out[module.LONGEST])
            for level in range(strands):
                beyond = sum(distance[square] > level for square in lit) if level else len(lit)
                assert beyond <= out[module.GIVEN + level] + (0 if level else brought)
                met += 1
    assert met > 20
