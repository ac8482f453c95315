"""Kernel and reference, step by step: the same moves, outcomes, scores, for every variant."""

from __future__ import annotations

import importlib.util
import os
import random
import sys
from types import ModuleType
from typing import Any

from walks import random_step, variants

from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant
from lamplighter.jit import BOUNDS_CHECKED, PURE

MATCHES = int(os.environ.get("MATCHES", "1"))  # of each variant; many more before a change of rules is merged


def load_reference(game: Game) -> ModuleType:
    path = game.folder / "tests" / "reference.py"
    spec = importlib.util.spec_from_file_location(f"reference_of_{game.id}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def assert_equal(position: Any, reference: Any, everything: bool) -> None:
    variant = position.variant
    seats = range(variant.seats)
    where = position.text
    assert set(position.waiting) == set(reference.waiting()), where
    assert position.is_over == reference.is_over(), where
    assert position.outcomes() == reference.outcomes(), where
    if position.outcomes():
        assert position.chance_seat == (reference.chance_seat() if hasattr(reference, "chance_seat") else None), where
    for seat in seats:
        assert position.score(seat) == reference.score(seat), (seat, where)
        assert position.facts(seat) == (reference.facts(seat) if hasattr(reference, "facts") else {}), (seat, where)
        if everything or seat in position.waiting:
            assert set(position.legal_moves(seat)) == set(reference.moves(seat)), (seat, where)
    ranks = position.results()["standing"].tolist()
    tuples = [reference.standing(seat) for seat in seats]
    assert sorted(seats, key=lambda seat: ranks[seat]) == sorted(seats, key=lambda seat: tuples[seat]), where
    for one in seats:
        for two in seats:
            assert (ranks[one] == ranks[two]) == (tuples[one] == tuples[two]), where


def walk_together(variant: Variant, module: ModuleType, seed: int) -> int:
    """One random match on both sides; the number of steps."""
    rng, match = random.Random(seed), variant.match(typed=True)
    reference = module.Reference(dict(variant.options), variant.file.data)
    assert_equal(match.position, reference, True)
    while not match.is_over:
        random_step(match, rng)
        entry = match.log[-1]
        if entry.kind == "chance":
            reference.reveal(entry.text)
        else:
            reference.play(entry.seat, entry.text)
        assert_equal(match.position, reference, rng.random() < 0.1)
    return len(match.log)


def test_kernel_equals_reference(own_game: Game) -> None:
    module = load_reference(own_game)
    slow = PURE or BOUNDS_CHECKED
    every = variants(own_game)
    for number, variant in enumerate(random.Random(7).sample(every, min(3, len(every))) if slow else every):
        for seed in range(MATCHES):
            assert walk_together(variant, module, 1000 * seed + number) > 0


def test_a_wrong_kernel_is_noticed(own_game: Game) -> None:
    """The comparison itself must be able to fail: a reference that forgets a score line is told apart."""
    module = load_reference(own_game)

    class Forgetful(module.Reference):  # type: ignore[misc, name-defined]
        def score(self, seat: int) -> dict[str, int]:
            lines: dict[str, int] = super().score(seat)
            return {name: points + 1 for name, points in lines.items()}

    variant = Variant(own_game)
    try:
        assert_equal(variant.start(), Forgetful(dict(variant.options), variant.file.data), True)
    except AssertionError:
        return
    raise AssertionError("a reference with wrong scores passed")
