"""Why a score is what it is, in every game: cells that exist, sentences, pictures that light the same cells.

Each checker has a case that it rejects.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from walks import random_match, random_positions, variants

from lamplighter import games, load
from lamplighter.engine.explanation import score_cells
from lamplighter.engine.game import Game
from lamplighter.engine.position import Position
from lamplighter.errors import LamplighterError

EXPLAINED = [name for name in games.names() if games.load(name).explain is not None]
SILENT = [name for name in games.names() if name not in EXPLAINED]
NOWHERE = {("greenways", "unused")}  # points for what is on no cell: tiles in the pile
SEEDS = st.integers(0, 2**32)


def some_positions(name: str, seed: int) -> Iterator[Position]:
    variant = random.Random(seed).choice(variants(games.load(name)))
    yield from random_positions(variant, seed, 3)


def faults(position: Position, seat: int, cells: dict[str, list[str]]) -> list[str]:
    """What is wrong with the cells behind the scoring lines of a seat."""
    variant, score = position.variant, position.score(seat)
    found = [] if list(cells) == list(score) else [f"lines {list(cells)}"]
    known = None
    if variant.game.has_picture:
        known = variant.game.picture.draw(variant, position.seen_by(seat).state, seat).cells
    for line, listed in cells.items():
        found += [f"{line}: {cell!r} is no cell" for cell in listed if known is not None and cell not in known]
        found += [f"{line}: {cell!r} is no name" for cell in listed if not re.fullmatch(r"\S+", cell)]
        silent = score.get(line, 0) != 0 and not listed and (variant.game.id, line) not in NOWHERE
        found += [f"{line} has {score[line]} points and no cell"] if silent else []
    return found


@pytest.mark.parametrize("name", EXPLAINED)
@given(seed=SEEDS)
def test_lines_with_points_name_cells_of_the_sheet(name: str, seed: int) -> None:
    for position in some_positions(name, seed):
        for seat in range(position.variant.seats):
            assert faults(position, seat, score_cells(position.variant, position.seen_by(seat).state, seat)) == []


def test_wrong_cells_are_noticed() -> None:
    position = random_match(load(EXPLAINED[0]), 3).position
    cells = score_cells(position.variant, position.state, 0)
    line = next(line for line, points in position.score(0).items() if points)
    assert faults(position, 0, cells) == []
    assert faults(position, 0, cells | {line: []}) == [f"{line} has {position.score(0)[line]} points and no cell"]
    assert faults(position, 0, cells | {line: ["z99"]}) == [f"{line}: 'z99' is no cell"]
    assert faults(position, 0, {line: cells[line]}) == [f"lines {[line]}"]


@pytest.mark.parametrize("name", EXPLAINED)
@given(seed=SEEDS)
def test_explanations_have_points_cells_and_a_sentence(name: str, seed: int) -> None:
    for position in some_positions(name, seed):
        for seat in {0, position.variant.seats - 1}:
            cells = score_cells(position.variant, position.seen_by(seat).state, seat)
            for line, points in position.score(seat).items():
                reason = position.why_score(line, seat)
                assert (reason.line, reason.points) == (line, points)
                assert reason.cells == tuple(dict.fromkeys(cells[line]))
                assert re.fullmatch(r"[A-Z0-9].*\.", reason.sentence), "a sentence, from its start to its full stop"
                assert str(reason).startswith(f"{line}: ") and reason.sentence in str(reason)
                assert all(cell in str(reason) for cell in reason.cells)


def lit(drawn: str) -> list[tuple[str | None, ...]]:
    """The places that a drawn sheet lights."""
    rects = ElementTree.fromstring(drawn).iterfind("{*}rect[@class='why']")
    return [tuple(rect.get(side) for side in ("x", "y", "width", "height")) for rect in rects]


@pytest.mark.parametrize("name", [name for name in EXPLAINED if games.load(name).has_picture])
def test_pictures_light_the_same_cells(name: str) -> None:
    for seed in range(3):
        for position in random_positions(load(name), seed, 2):
            for line in position.variant.score_lines:
                drawn = position.svg(0, why=line)
                places = {
                    rect.get("data-cell"): tuple(rect.get(side) for side in ("x", "y", "width", "height"))
                    for rect in ElementTree.fromstring(drawn).iterfind("{*}g[@class='cells']/{*}rect")
                }
                assert set(lit(drawn)) == {places[cell] for cell in position.why_score(line, 0).cells}
            assert lit(position.svg(0)) == []


@pytest.mark.parametrize("name", [name for name in EXPLAINED if hasattr(games.load(name).rules, "hide")])
def test_what_is_hidden_is_never_explained(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game's explain.py gets the state as the seat sees it, however it is asked; and a spectator is told as much."""
    game = games.load(name)
    told: list[tuple[int, bytes]] = []

    def cells(variant: object, state: object, seat: int) -> dict[str, list[str]]:
        told.append((seat, state.tobytes()))  # type: ignore[attr-defined]
        return {}

    positions = [position for seed in range(3) for position in random_positions(load(name), seed, 4)]
    for position in positions:
        for seat in range(position.variant.seats):
            for line in position.variant.score_lines:
                mine, other = position.why_score(line, seat), position.seen_by(None).why_score(line, seat)
                assert mine == other, "nothing that scores here is hidden"
    with monkeypatch.context() as patch:
        patch.setitem(game.__dict__, "explain", SimpleNamespace(score_cells=cells))
        differ = 0
        for position in positions:
            for seat in range(position.variant.seats):
                told.clear()
                position.why_score(position.variant.score_lines[0], seat)
                position.svg(seat, why=position.variant.score_lines[0])
                assert told == [(seat, position.seen_by(seat).key)] * 2
                differ += position.seen_by(seat).key != position.key
        assert differ, "somebody held cards"


@pytest.mark.parametrize("name", SILENT)
def test_a_game_without_explanations_says_so(name: str) -> None:
    position = random_match(load(name), 1).position
    reason = position.why_score(position.variant.score_lines[0], 0)
    assert reason.cells == () and "does not say which cells its points come from" in reason.sentence


def test_unknown_lines_are_refused() -> None:
    with pytest.raises(LamplighterError, match="there is no scoring line 'nosuch'"):
        random_match(load(EXPLAINED[0]), 1).position.why_score("nosuch", 0)


def test_every_own_game_explains_its_score(own_game: Game) -> None:
    assert own_game.explain is not None and own_game.explain.score_reasons is not None
