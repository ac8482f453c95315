"""What people read of Greenways."""

from __future__ import annotations

import random

from lamplighter import load
from lamplighter.engine.labels import Labels


def test_why_there_is_only_one_choice_is_said() -> None:
    """In a match by chance: one tile that fits is named, several are left to the player."""
    match, rng, seen = load("greenways").match(seed="5"), random.Random(3), set()
    while not match.is_over:
        if not match.waiting:
            match.roll()
            continue
        moves, said = match.legal_moves(0), match.position.instruct(0)
        tiles = {move.split(" ")[0] for move in moves}
        assert (len(tiles) > 1) == (said == "Choose a tile of your hand and lay it on a lit place.")
        seen.add(said.partition(" (")[0])
        match.play(rng.choice(moves), 0)
    assert "Only one kind of tile in your hand fits" in seen


def test_every_line_has_a_name() -> None:
    variant = load("greenways")
    state = variant.start().state
    names = [variant.game.texts.name_line(variant, state, line) for line in variant.score_lines]
    assert names[-2:] == ["longest greenway", "tiles not laid"]


def test_tiles_are_typed_by_their_names() -> None:
    position = load("greenways").start()
    assert Labels(position.variant).read(position, 0, "street, curve -1,0 S--S") == "SC -1,0 S--S"
