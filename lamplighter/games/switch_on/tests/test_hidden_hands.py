"""§D, R14: what a seat may believe about other hands, and that a bot in a compiled loop sees none of them."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import numpy as np
import pytest
from walks import random_match

from lamplighter import games
from lamplighter.engine import chance, defaults
from lamplighter.engine.batch import Simulator
from lamplighter.engine.loops import GREEDY
from lamplighter.engine.variant import Variant
from lamplighter.games.switch_on.components.cards import DECK, JOKER, cards_of
from lamplighter.jit import PURE, kernel

GAME = games.load("switch_on")
DRAWS = 300 if PURE else 20_000
# So many standard errors may lie between what came and what should have. With 53 kinds of cards a right draw would fail
# in one of 30,000 choices of the streams, which are fixed: a run that passes always passes.
ERRORS = 5.0


def test_each_unseen_card_is_as_likely_in_another_hand() -> None:
    match = random_match(Variant(GAME, {"seats": 3}), 5, 80)
    state, stream = match.position.state, np.zeros(4, np.int64)
    seen = cards_of(int(state["hands"][0])) + cards_of(int(state["discards"]))
    assert len(seen) > 8 and sum(map(int, state["hand_size"][1:3])) > 4
    found: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for number in range(DRAWS):
        view = match.position.seen_by(0)
        chance.start_stream(11, number, stream)
        view.resample(0, stream)
        for other in (1, 2):
            hand = cards_of(int(view.state["hands"][other]))
            assert len(hand) == state["hand_size"][other]
            found[other - 1].update(hand)
    unseen = Counter({card: 2 if card == JOKER else 1 for card in range(JOKER + 1)}) - Counter(seen)
    assert unseen.total() == DECK - len(seen)
    for other in (1, 2):
        assert set(found[other - 1]) <= set(unseen)
        share = int(state["hand_size"][other]) / unseen.total()
        for card, copies in unseen.items():
            error = (DRAWS * copies * share * (1 - share)) ** 0.5
            assert abs(found[other - 1][card] - DRAWS * copies * share) < ERRORS * error, (other, card)


def test_a_skewed_draw_would_be_noticed() -> None:
    """The bound above rejects a draw that is a tenth too likely."""
    share = 5 / 40
    assert DRAWS * share * 0.1 > ERRORS * (DRAWS * share * (1 - share)) ** 0.5 or PURE


def test_nobody_knows_more_after_a_belief() -> None:
    """The real hands do not matter: two matches that differ in them give the same belief."""
    match = random_match(Variant(GAME, {"seats": 4}), 3, 120)
    beliefs = []
    for hands in (match.position.state["hands"].copy(), np.zeros(4, np.int64)):
        position = match.position.copy()
        position.state["hands"][1:] = hands[1:]
        stream = np.zeros(4, np.int64)
        chance.start_stream(2, 2, stream)
        position.resample(0, stream)
        beliefs.append(position.key)
    assert beliefs[0] == beliefs[1]


SPY = 47  # a place in the room for scoring lines that no game uses


@kernel
def spy(box: Any, state: Any, seat: int, out: Any) -> int:
    """A heuristic that notes whether it can see another hand."""
    for other in range(4):
        if other != seat and state["hands"][other] != 0:
            out[SPY] = 1
    return 0


only_pure = pytest.mark.skipif(not PURE, reason="`make pure` runs the same loop at once; compiling it anew takes long")


def seen_by_a_bot_in_a_loop(**leaks: Any) -> bool:
    """Play a match in the loop with a bot that looks around; `leaks` replace kernels."""
    game = copy.copy(GAME)
    for name in ("kernels", "loops"):
        game.__dict__.pop(name, None)
    vars(game.kernels).update(evaluate=spy, **leaks)
    simulator = Simulator(Variant(game, {"seats": 2}))
    simulator.play_logged(np.full(2, GREEDY, np.int64), 3)
    return bool(simulator._room.lines[SPY])


@only_pure
def test_a_bot_in_a_compiled_loop_sees_no_other_hand() -> None:
    assert not seen_by_a_bot_in_a_loop()


@only_pure
def test_a_loop_that_shows_hands_would_be_noticed() -> None:
    assert seen_by_a_bot_in_a_loop(hide=defaults.all_open)
