"""What holds for every game, ours or not: properties of the kernel contract, of texts and of matches."""

from __future__ import annotations

import copy
import functools
import pickle
import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from walks import random_match, random_positions, random_step, variants

import lamplighter
from lamplighter.engine import record
from lamplighter.engine.contract import MODULES
from lamplighter.engine.defaults import SCORE_LINES
from lamplighter.engine.game import Game, format_value
from lamplighter.engine.lesson import LEARNER, read_lesson
from lamplighter.engine.position import Position, parse_id, parse_position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadChance, BadNotation, IllegalMove, NotYourTurn
from lamplighter.jit import PURE, bind

SEEDS = st.integers(0, 2**32)
BOUND = 20_000  # no match of any game has more log entries


def a_variant(game: Game, seed: int) -> Variant:
    return random.Random(seed).choice(variants(game))


def test_folder_is_complete(game: Game) -> None:
    for need in MODULES["rules"].members():
        assert callable(getattr(game.kernels, need.name)), need.name
    assert {"turn", "draws"} <= set(game.state.STATE.names)
    assert game.rules_text.startswith(f"# {game.title}")
    assert set(game.state.REFUSALS) == set(game.state.Reason) - {game.state.Reason.OK}
    assert re.fullmatch(r"[a-z][a-z0-9_]*", game.id)
    assert len(Variant(game).score_lines) <= SCORE_LINES
    reserved = {"bot", "mean", "sd", "quantiles", "min", "max", "win_rate", "lines", "game", "games", "moves", "seats"}
    assert not reserved & set(game.state.FACTS)


def test_state_is_small(game: Game) -> None:
    assert game.state.STATE.itemsize < 2048
    packed = np.dtype([(name, game.state.STATE.fields[name][0]) for name in game.state.STATE.names])
    assert packed.itemsize == game.state.STATE.itemsize, "padding bytes are undefined after a copy"


def test_refusals_name_a_paragraph_of_the_rules(game: Game) -> None:
    for reason, (rule, sentence) in game.state.REFUSALS.items():
        assert f"**{rule}**" in game.rules_text, f"{reason.name} names {rule}, which RULES.md does not have"
        assert sentence and not sentence.endswith(".")


check: Any = None  # the game's own, see `bind`


def _accepted(box: Any, state: Any, seat: int, count: int, out: Any) -> int:
    n = 0
    for action in range(-1, count + 1):
        if 0 + check(box, state, seat, action) == 0:
            out[n] = action
            n += 1
    return n


@functools.cache
def accepted_by_check(game: Game) -> Any:
    """Ask `check` about every action there is: compiled where kernels are, since there are many."""
    return bind(_accepted, check=game.rules.check)


@given(seed=SEEDS)
def test_legal_actions_are_what_check_accepts(game: Game, seed: int) -> None:
    variant = a_variant(game, seed)
    out = np.zeros(variant.action_count + 2, np.int64)
    for position in random_positions(variant, seed, 1 if PURE else 3):
        for seat in range(variant.seats):
            legal = position.legal_actions(seat)
            assert legal == sorted(set(legal))
            assert len(legal) <= variant.max_legal
            assert bool(legal) == (seat in position.waiting), "who waits must have a move, who does not has none"
            n = accepted_by_check(game)(variant.box, position.state, seat, variant.action_count, out)
            assert out[:n].tolist() == legal


@given(seed=SEEDS)
def test_seats_that_do_not_wait_are_told_so(game: Game, seed: int) -> None:
    variant = a_variant(game, seed)
    for position in random_positions(variant, seed, 3):
        for seat in set(range(variant.seats)) - set(position.waiting):
            refusal = position.refusal(seat, 0)
            assert isinstance(refusal, NotYourTurn)
            assert refusal.rule in str(refusal)


@given(seed=SEEDS)
def test_chance_is_well_formed(game: Game, seed: int) -> None:
    variant = a_variant(game, seed)
    rng, match, draws = random.Random(seed), variant.match(typed=True), set()
    while not match.is_over and len(match.log) < 150:
        outcomes, weights = match.position.outcome_numbers()
        assert bool(outcomes) != bool(match.waiting)
        if outcomes:
            assert outcomes == sorted(set(outcomes)) and min(weights) > 0
            assert len(match.position.outcomes()) == len(outcomes), "two outcomes have one text"
            key = (match.position.chance_seat, int(match.position.state["draws"]))
            assert key not in draws, "two draws with one number would always come out alike"
            draws.add(key)
            with pytest.raises(BadChance):
                match.roll("no such outcome")
        random_step(match, rng)


@given(seed=SEEDS)
def test_matches_end_and_scores_add_up(game: Game, seed: int) -> None:
    variant = a_variant(game, seed)
    match = random_match(variant, seed)
    assert len(match.log) < BOUND
    assert not match.waiting and not match.position.outcomes()
    for seat in range(variant.seats):
        lines = np.zeros(len(variant.score_lines), np.int64)
        assert game.rules.score(variant.box, match.position.state, seat, lines) == lines.sum() == match.totals[seat]
        assert set(match.position.facts(seat)) == set(game.state.FACTS)
    assert match.winners()
    best = max(match.totals)
    assert all(match.totals[seat] == best for seat in match.winners())


@given(seed=SEEDS)
def test_moves_round_trip(game: Game, seed: int) -> None:
    for position in random_positions(a_variant(game, seed), seed, 3):
        for seat in position.waiting:
            actions = position.legal_actions(seat)
            texts = [position.format_move(seat, action) for action in actions]
            assert len(set(texts)) == len(texts)
            for action, text in zip(actions, texts, strict=True):
                assert position.parse_move(seat, text) == action
                assert position.parse_move(seat, f"  {text.upper()}  ") == action
            fields = position.variant.game.notation.move_fields(position.variant, position.state, seat, actions[0])
            assert fields
            with pytest.raises(BadNotation, match="nonsense"):
                position.parse_move(seat, "nonsense of a move")


@given(seed=SEEDS)
def test_positions_round_trip(game: Game, seed: int) -> None:
    variant = a_variant(game, seed)
    for position in random_positions(variant, seed, 4):
        again = parse_position(variant, position.text.partition(";")[2])
        assert again.key == position.key, position.text
        if not variant.own_box:
            assert lamplighter.position(position.text) == position
        assert parse_id(variant, position.id) == position
        assert re.fullmatch(r"[\w-]+", position.id)
    for broken in ("", "nonsense", position.text.partition(";")[2] + ";1"):
        with pytest.raises(BadNotation):
            parse_position(variant, broken)


@given(seed=SEEDS)
def test_records_round_trip(game: Game, seed: int) -> None:
    variant = a_variant(game, seed)
    match = random_match(variant, seed, steps=seed % 60)
    if match.log:
        match.comment("a remark, with (brackets) | and a bar")
    for text in (record.format_record(match), record.format_json_lines(match)):
        again = record.parse_record(text)
        assert again.position.key == match.position.key
        assert again.log == match.log
        assert record.tags(again) == record.tags(match)


@given(seed=SEEDS)
def test_replay_reproduces_the_bytes(game: Game, seed: int) -> None:
    variant = a_variant(game, seed)
    match = random_match(variant, seed, steps=80)
    keys = [variant.start().key, *(position.key for _, position in match.replay())]
    assert keys[-1] == match.position.key
    rows = list(record.replay_rows(match))
    assert [row["text"] for row in rows if row["kind"] != "end"] == [entry.text for entry in match.log]


@given(seed=SEEDS)
def test_copies_share_nothing(game: Game, seed: int) -> None:
    match = random_match(a_variant(game, seed), seed, steps=seed % 40)
    copies = [match.copy(), copy.deepcopy(match), pickle.loads(pickle.dumps(match))]
    before = match.position.key
    for other in copies:
        assert other.position.key == before
        if not other.is_over:
            random_step(other, random.Random(seed))
            assert other.position.key != before
        assert match.position.key == before


@given(seed=SEEDS)
def test_seats_commute(game: Game, seed: int) -> None:
    """Two seats that wait at once may act in either order."""
    for position in random_positions(a_variant(game, seed), seed, 6):
        rng = random.Random(seed)
        for one, two in zip(position.waiting, position.waiting[1:], strict=False):
            first, second = (rng.choice(position.legal_actions(seat)) for seat in (one, two))
            ends = []
            for order in (((one, first), (two, second)), ((two, second), (one, first))):
                end = position.copy()
                for seat, action in order:
                    end.act(seat, action)
                ends.append(end.key)
            assert ends[0] == ends[1]


@given(seed=SEEDS)
def test_taking_back_restores_the_bytes(game: Game, seed: int) -> None:
    match, rng = random_match(a_variant(game, seed), seed, steps=seed % 80), random.Random(seed)
    while not match.waiting and not match.is_over:
        random_step(match, rng)
    if match.waiting:
        before, length, step = match.position.key, len(match.log), match.position.step
        seat = random.Random(seed).choice(match.waiting)
        match.act(seat, random.Random(seed).choice(match.position.legal_actions(seat)))
        if match.position.step == step:
            match.take_back(seat)
            assert (match.position.key, len(match.log)) == (before, length)


@given(seed=SEEDS)
def test_refused_moves_change_nothing(game: Game, seed: int) -> None:
    for position in random_positions(a_variant(game, seed), seed, 3):
        for seat in range(position.variant.seats):
            legal = set(position.legal_actions(seat))
            tried = random.Random(seed).choices(range(position.variant.action_count), k=5)
            for action in set(tried) - legal:
                before = position.key
                with pytest.raises(IllegalMove):
                    position.act(seat, action)
                assert position.key == before


@given(seed=SEEDS)
def test_views_leave_out_what_is_hidden(game: Game, seed: int) -> None:
    """A seat's own view offers exactly its own moves; a spectator's offers none."""
    match = random_match(a_variant(game, seed), seed, steps=seed % 60)
    for seat in range(match.variant.seats):
        view = match.view(seat)
        assert list(view.legal_moves) == (match.legal_moves(seat) if seat in match.waiting else [])
        assert len(view.log) == len(match.log)
        if view.legal_moves:
            assert view.position.legal_moves(seat) == list(view.legal_moves), "a seat can play from its own view"
    assert match.view(None).legal_moves == ()


def test_drawings_have_known_roles(game: Game) -> None:
    from lamplighter.engine.text_sheet import ROLES

    variant = Variant(game)
    for position in random_positions(variant, 1, 4):
        for seat in range(variant.seats):
            drawing = position.draw(seat)
            assert str(drawing).strip()
            assert {role for line in drawing.lines for _, role in line} <= set(ROLES)
            assert max(len(line) for line in str(drawing).splitlines()) <= 80


def test_variant_text_reloads(game: Game) -> None:
    for variant in variants(game):
        if not variant.own_box:
            assert lamplighter.load(variant.text) == variant
        assert pickle.loads(pickle.dumps(variant)) == variant


def test_options_are_read_in_any_case(game: Game) -> None:
    for option in game.options:
        for value in option.values[:3]:
            text = format_value(value)
            assert {option.parse(text), option.parse(f" {text.upper()} ")} == {value}


def test_positions_compare_by_value(game: Game) -> None:
    start = Variant(game).start()
    assert start == start.copy()
    assert isinstance(start, Position)
    assert start != Variant(game, {"seats": game.seats[1]}).start() or game.seats[1] == game.default_seats


# --- the lesson -----------------------------------------------------------------------------------------------


def test_the_lesson_can_be_taken_to_its_end(own_game: Game) -> None:
    """In every way that it accepts; every text of it is said; every move that is legal, but not accepted, gets an answer."""
    lesson, said, rng = read_lesson(own_game), set(), random.Random(7)
    course, moves = lesson.begin(), []
    while not course.is_last:
        said.add(course.step.say)
        if not course.step.accept:
            course.go_on()
            continue
        legal, before = course.match.legal_moves(LEARNER), course.match.position.key
        for move in (move for move in legal if not course.step.accepts(move)):
            said.add(course.play(move))
        assert course.match.position.key == before
        moves.append(rng.choice(course.accepted()))
        assert course.play(moves[-1]) == ""
    said.add(course.step.say)
    assert said == set(lesson.texts)
    assert course.match.is_over, "the learner sees how a match ends"
    assert lesson.at(len(lesson.steps), moves).match.position == course.match.position
    assert [step.rule for step in lesson.steps if not step.rule] == []
