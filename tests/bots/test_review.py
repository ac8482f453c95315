"""`lamplighter.bots.review`: what moves give away, from what the seat knew; luck and play; the command and its page."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner
from walks import random_match

import lamplighter
from lamplighter.bots import review as module
from lamplighter.bots.review import Grade, Review, Split, review
from lamplighter.cli import app
from lamplighter.cli.analyse import as_page, say_summary
from lamplighter.engine import chance
from lamplighter.engine.game import Game
from lamplighter.engine.match import Match
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few matches and samples that they are all played, however slow the machine is."""
    monkeypatch.setattr(module, "FRESH", 2)
    monkeypatch.setattr(module, "SAME", 1)
    monkeypatch.setattr(module, "SAMPLES", 30)


def played(moves: str) -> Match:
    match = lamplighter.load("connect_four").match(seed="1", players=["Ana", "<Bo>"])
    for move in moves:
        match.play(move)
    return match


def test_a_missed_victory_is_found() -> None:
    match = played("dadbdca")
    found = review(match, seats=[0], seconds=300)
    by_entry = {grade.entry: grade for grade in found.grades}
    assert found.missing == 0 and {grade.seat for grade in found.grades} == {0}
    missed = by_entry[7]
    assert missed.move == "a" and missed.best == "d" and missed.lost > 0.1 and missed.word not in ("best", "good")
    assert missed in found.turning_points
    assert found.lost(0) >= missed.lost and sum(found.counts(0).values()) == len(by_entry) == 4


def test_the_best_move_gives_nothing_away() -> None:
    found = review(played("dadbdcd"), seats=[0], seconds=300)
    assert found.grades[-1].word == "best" and found.grades[-1].lost == 0
    assert found.grades[-1].best == "d"


def test_every_move_is_judged_from_what_the_seat_knew(game: Game) -> None:
    match = random_match(Variant(game), 4, 40)
    cases = module._cases(match, set(range(match.variant.seats)))
    moves = [number for number, entry in enumerate(match.log, 1) if entry.kind == "move"]
    assert [case.entry for case in cases] == moves
    for case in cases:
        before = match.at(case.entry - 1)
        assert case.view.key == before.seen_by(case.seat).key
        assert before.format_move(case.seat, case.action) == case.text


def test_a_grade_does_not_depend_on_what_is_hidden(game: Game) -> None:
    """What the seat could not see is drawn again, and the grades of its last moves stay the same."""
    match = random_match(Variant(game), 4, 40)
    judge, seen = module.Judge(match.variant), 0
    for case in module._cases(match, set(range(match.variant.seats)))[-2:]:
        before, stream = match.at(case.entry - 1), np.zeros(4, np.int64)
        chance.start_stream(13, case.entry, stream)
        belief = before.seen_by(case.seat)
        belief.resample(case.seat, stream)
        seen += belief.key != before.key
        other = replace(case, view=belief.seen_by(case.seat))
        assert judge.grade(other, 300.0) == judge.grade(case, 300.0)
    assert seen > 0 or not match.is_secret, "something was hidden, and is other now"


def test_average_luck_and_play_are_the_total() -> None:
    match = played("dadbdcd")
    found = review(match, seconds=300)
    for seat, split in enumerate(found.splits):
        assert split is not None
        assert split.average + split.luck + split.play == pytest.approx(split.total) == match.totals[seat]
    assert found.fresh > 0 and found.why_no_split == ""


def test_a_match_that_goes_on_has_no_split() -> None:
    found = review(played("da"), seconds=300)
    assert found.splits == [None, None] and found.why_no_split == "the match is not over"
    assert [grade.entry for grade in found.grades] == [1, 2]


def test_what_cannot_be_reviewed() -> None:
    with pytest.raises(LamplighterError, match="nothing has been played"):
        review(played(""))
    with pytest.raises(LamplighterError, match="there is no seat 2"):
        review(played("d"), seats=[2])


def test_a_review_that_is_stopped_keeps_what_is_done() -> None:
    def stop(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    found = review(played("dadbda"), seconds=300, threads=1, progress=stop)
    assert len(found.grades) == 2 and found.missing == 4


def made() -> Review:
    grades = [
        Grade(1, 1, 0, "d", "d", 0.0, 0.1, 7, "best"),
        Grade(2, 2, 1, "a", "<c>", 4.0, 0.1, 7, "blunder"),
        Grade(3, 3, 0, "e", "f", 1.0, 0.1, 7, "inaccuracy"),
    ]
    splits: list[Split | None] = [Split(10, 8.0, 3.0, -1.0), None]
    return Review("game", ["Ana", "<Bo>"], [10, 5], True, grades, splits, fresh=9)


def test_turning_points_and_sums() -> None:
    found = made()
    assert [grade.entry for grade in found.turning_points] == [2, 3]
    assert found.lost(0) == 1.0 and found.counts(1) == {
        "best": 0, "good": 0, "inaccuracy": 0, "mistake": 0, "blunder": 1,
    }  # fmt: skip
    lines = say_summary(found)
    assert lines[0] == "Turning point, entry 2: <Bo> played a; <c> was 4.0 points better."
    assert "  10 = 8.0 (medium on average, 9 matches) +3.0 luck -1.0 play" in lines


def test_grades_go_by_what_a_match_brings() -> None:
    grade = made().grades[2]
    words = [module._name_grade(Grade(**{**grade.__dict__, "lost": lost}), 100.0).word for lost in (0, 1, 2, 5, 9)]
    assert words == ["best", "good", "inaccuracy", "mistake", "blunder"]


def test_the_page_stands_alone() -> None:
    page = as_page(made())
    assert "&lt;Bo&gt;" in page and "<Bo>" not in page and "&lt;c&gt;" in page
    assert "<script" not in page and "http" not in page and page.count("<tr>") == 4


def test_the_command(tmp_path: Path) -> None:
    record, page = tmp_path / "match.lamp", tmp_path / "page.html"
    played("dadbdcd").save(record)
    runner = CliRunner()
    found = json.loads(runner.invoke(app, ["analyse", str(record), "--seconds", "60", "--json", "--seat", "0"]).stdout)
    assert [move["entry"] for move in found["moves"]] == [1, 3, 5, 7] and found["seats"][0]["total"] == 1
    assert set(found["moves"][0]) == {
        "entry", "turn", "seat", "move", "best", "lost", "error", "choices", "grade",
    }  # fmt: skip
    runner.invoke(app, ["analyse", str(record), "--seconds", "60", "-o", str(page)])
    assert page.read_text().startswith("<!doctype html>")
    for arguments, said in (
        (["-o", "page.pdf"], "the page must be named .html"),
        (["--seconds", "0"], "--seconds is a number"),
        (["--seat", "7"], "there is no seat 7"),
    ):
        refused = runner.invoke(app, ["analyse", str(record), *arguments]).exception
        assert isinstance(refused, LamplighterError) and said in str(refused)


def test_the_library_has_it() -> None:
    assert played("da").review(seconds=60, seats=[1]).grades[0].seat == 1
