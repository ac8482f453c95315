"""`bots.rolls`: fixed outcomes for whole matches, from files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lamplighter
from lamplighter.bots.arena import Contest, compete
from lamplighter.bots.rolls import read_rolls
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError


def outcomes_of(variant: Variant, seed: str) -> list[str]:
    match = variant.match(seed=seed)
    match.roll()
    while match.waiting:
        seat = match.waiting[0]
        match.act(seat, match.position.legal_actions(seat)[0])
        match.roll()
    return [entry.text for entry in match.log if entry.kind == "chance"]


def test_rolls_of_every_game(game: Game, tmp_path: Path) -> None:
    variant, path = Variant(game), tmp_path / "rolls.jsonl"
    texts = outcomes_of(variant, "rolls")
    path.write_text("# two matches\n" + json.dumps(texts) + "\n\n" + json.dumps(texts) + "\n")
    if game.draws_follow_play:
        with pytest.raises(LamplighterError, match="depends on what was played"):
            read_rolls(variant, path)
        return
    rolls = read_rolls(variant, path)
    assert [one.texts for one in rolls] == [tuple(texts)] * 2
    match = variant.match(typed=True)
    rolls[0].roll(match)
    assert [entry.text for entry in match.log] == texts[: len(match.log)]
    if texts:
        wrong = {
            json.dumps(texts[:-1]): "line 3: too short",
            json.dumps(["no such face", *texts[1:]]): "line 3, outcome 1: the next outcome can be",
            json.dumps([*texts[:-1], "no such face"]): f"line 3, outcome {len(texts)}: the next outcome can be",
            '{"a": 1}': "line 3: the rolls of a match are a list",
            "[": "line 3: not JSON",
        }
        for line, said in wrong.items():
            path.write_text(f"{json.dumps(texts)}\n\n{line}\n")
            with pytest.raises(LamplighterError) as refused:
                read_rolls(variant, path)
            assert said in str(refused.value)
        with pytest.raises(LamplighterError, match="rolls for 2 matches"):
            compete(
                Contest(variant, ("uniform", "greedy"), rolls=rolls, against="uniform" if variant.seats > 1 else ""), 3
            )


def test_rolls_of_another_game_are_refused(game: Game, tmp_path: Path) -> None:
    """Whatever outcomes a game has, those of the others are refused with their line."""
    if game.draws_follow_play:
        pytest.skip("it takes no files of rolls")
    path = tmp_path / "rolls.jsonl"
    own = outcomes_of(Variant(game), "rolls")
    for name in lamplighter.names():
        texts = outcomes_of(lamplighter.load(name), "rolls")
        if name == game.id or texts == own:  # two games without chance have the same rolls: none
            continue
        path.write_text(f"{json.dumps(texts)}\n")
        with pytest.raises(LamplighterError, match="line 1"):
            read_rolls(Variant(game), path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("\n# nothing\n")
    with pytest.raises(LamplighterError, match="has no rolls"):
        read_rolls(lamplighter.load("connect_four"), tmp_path / "none.jsonl")
