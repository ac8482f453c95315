"""Random walks through any game, and the variants that are worth walking."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import lamplighter
from lamplighter import bots
from lamplighter.bots.seat import SeatedBot
from lamplighter.engine import chance
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.game import Game
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant, parse_variant, split_variant
from lamplighter.errors import BadVariant


def first_at_once(names: Sequence[str]) -> list[object]:
    """Parameters for a costly test: the first name for `make test`, the others for `make test-all`."""
    return [*names[:1], *(pytest.param(name, marks=pytest.mark.thorough) for name in names[1:])]


@functools.cache
def variants(game: Game) -> tuple[Variant, ...]:
    """Fewest, usual and most seats; values of every option once; every component file kept for tests.

    Of an option with many values the default, the next and the last are taken.
    """
    found = []
    for option in game.options:
        few = option.name == "seats" or len(option.values) <= 4
        for value in option.values if few else (*option.values[:2], option.values[-1]):
            if option.name != "seats" or value in (game.seats[0], game.default_seats, game.seats[1]):
                found.append({option.name: value})
    made: dict[str, Variant] = {}
    for options in found:
        for seats in (game.default_seats, game.seats[1]):
            try:
                variant = Variant(game, {"seats": seats, **options})
            except BadVariant:
                continue  # such as a first player who has no seat
            made.setdefault(variant.text, variant)
            break
    listed = game.folder / "tests" / "variants.txt"  # combinations that matter, one a line
    for line in listed.read_text(encoding="utf-8").splitlines() if listed.exists() else []:
        if line.strip() and not line.startswith("#"):
            made.setdefault(line.strip(), parse_variant(game, split_variant(line)[1]))
    for path in sorted((game.folder / "tests" / "boxes").glob("*.toml")):
        box = ComponentFile(path.read_text(encoding="utf-8"), path.name)
        made[path.name] = Variant(game, {}, box)
    return tuple(made.values())


def random_step(match: Match, rng: random.Random) -> None:
    """One outcome, or one move of any seat that waits."""
    position = match.position
    if match.waiting:
        seat = rng.choice(match.waiting)
        match.act(seat, rng.choice(position.legal_actions(seat)))
    else:
        outcomes, weights = position.outcome_numbers()
        match.apply_outcome(rng.choices(outcomes, weights)[0])


def random_match(variant: Variant, seed: int, steps: int | None = None) -> Match:
    """A match of so many random steps, or to its end. Its outcomes are not the seed's, so it counts as typed."""
    rng, match = random.Random(seed), variant.match(typed=True)
    while not match.is_over and (steps is None or len(match.log) < steps):
        random_step(match, rng)
    return match


def random_positions(variant: Variant, seed: int, count: int) -> Iterator[Position]:
    """Positions spread over one random match, the first and the last among them."""
    match = random_match(variant, seed)
    keep = {0, len(match.log) - 1, *random.Random(seed).sample(range(len(match.log)), min(count, len(match.log)))}
    for i, (_, position) in enumerate(match.replay()):
        if i in keep:
            yield position.copy()


def last_turn(name: str, seed: str) -> Match:
    """A match of one-ply bots for one, before the first move after its last outcome."""
    match = lamplighter.load(f"{name}?seats=1").match(seed=seed)
    match.roll()
    while match.waiting:
        match.play(SeatedBot(bots.load("greedy"), match, 0).choose(match).move)
        match.roll()
    return match.branch(1 + max(i for i, entry in enumerate(match.log) if entry.kind == "chance"))


def new_stream(number: int = 0) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """A stream of random words that is always the same."""
    stream = np.zeros(4, np.int64)
    chance.start_stream(7, number, stream)
    return stream


def waiting_position(variant: Variant, moves: int = 0) -> Position:
    """A position in which somebody must act, some moves into a match."""
    match = variant.match(seed="search")
    match.roll()
    for _ in range(moves):
        match.play(match.legal_moves(match.waiting[0])[0], match.waiting[0])
        match.roll()
    return match.position
