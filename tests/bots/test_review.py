"""`lamplighter.bots.review`: what moves give away, from what the seat knew; luck and play; the command and its page."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner
from walks import last_turn, random_match

import lamplighter
from lamplighter import games
from lamplighter.bots import Budget
from lamplighter.bots import review as module
from lamplighter.bots.review import Grade, Review, Split, review
from lamplighter.bots.search.plan import Habits, Plan, Search
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


def test_a_missed_victory_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAMPLES", 96)  # most samples win after the missed one, too
    match = played("dadbdcaed")
    found = review(match, seats=[0], seconds=300)
    by_entry = {grade.entry: grade for grade in found.grades}
    assert found.missing == 0 and {grade.seat for grade in found.grades} == {0}
    missed = by_entry[7]
    assert missed.move == "a" and missed.best == "d" and missed.lost > 0.1 and missed.word not in ("best", "good")
    assert missed in found.turning_points
    assert found.lost(0) >= missed.lost and sum(found.counts(0).values()) == len(by_entry) == 5


def test_the_best_move_gives_nothing_away() -> None:
    found = review(played("dadbdcd"), seats=[0], seconds=300)
    assert found.grades[-1].word == "best" and found.grades[-1].lost == 0
    assert found.grades[-1].best == "d"


def test_a_threat_that_was_not_met_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connect Four does not say what states are worth, so that a tree finds the moves to compare with: `g` is the seventh."""
    monkeypatch.setattr(module, "SAMPLES", 400)  # in most of them the threat is not carried out
    missed = review(played("agagbgf"), seats=[0], seconds=300).grades[-1]
    assert (missed.move, missed.best) == ("f", "g") and missed.word not in ("best", "good")


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


@pytest.mark.parametrize("seed", ["15", "16", "18", "27"])
def test_another_order_of_the_same_marks_gives_nothing_away(seed: str) -> None:
    """Every move of the best last turn that could have come first, with the same sheet at the end, is as good as its first."""
    match = last_turn("railroad", seed)
    judge, start = module.Judge(match.variant), match.position
    best = judge._search.plans(start.state, 0, Budget(), module._stream(start, 1), 1)[0].actions
    end, orders = start.copy(), 0
    for action in best:
        end.apply(0, action)
    for first in best:
        rest = list(best)
        rest.remove(first)
        other = start.copy()
        if any(other.refusal(0, action) is not None or other.apply(0, action) for action in (first, *rest)):
            continue
        assert other == end
        orders += 1
        case = module._Case(len(match.log) + 1, 7, 0, first, start.format_move(0, first), start)
        assert judge.grade(case, 300.0).lost == 0, start.format_move(0, first)  # type: ignore[union-attr]
    assert orders > 1


def grades_of_made_up_results(worths: list[float], samples: int = 48, times: int = 2000) -> list[Grade | None]:
    """Judge the first of seven moves, again and again, by made-up samples: what each is worth, with independent noise of 1."""
    match = played("")
    judge, rng = module.Judge(match.variant), np.random.default_rng(7)
    columns = match.position.legal_actions(0)
    case = module._Case(1, 1, 0, columns[0], match.position.format_move(0, columns[0]), match.position)
    results = (rng.normal(np.array(worths)[:, None], 1.0, (len(worths), samples)) for _ in range(times))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "_plans", lambda *given: [Plan((column,), 0.0) for column in columns])
        patch.setattr(judge, "_sample", lambda *given: (next(results), samples))
        return [judge.grade(case, 1.0) for _ in range(times)]


def test_equal_moves_are_seldom_blamed() -> None:
    grades = grades_of_made_up_results([0.0] * 7)
    assert sum(grade is None or grade.lost > 0 for grade in grades) < 0.035 * len(grades)


def test_a_worse_move_is_found_and_its_loss_not_overstated() -> None:
    lost = [0.0 if grade is None else grade.lost for grade in grades_of_made_up_results([0.0] + 6 * [1.5])]
    assert sum(points > 0 for points in lost) > 0.99 * len(lost)
    assert np.mean(lost) == pytest.approx(1.5, abs=0.05)


def test_a_move_needs_two_samples_to_choose_by_and_two_to_measure() -> None:
    assert grades_of_made_up_results([0.0] * 7, samples=3, times=1) == [None]
    assert grades_of_made_up_results([0.0] * 7, samples=4, times=1) != [None]


def split(match: Match) -> Review:
    found = Review(match.variant.text, list(match.players), match.totals, match.is_over)
    module._split_result(match, found, 300.0)
    return found


def test_average_luck_and_play_are_the_total() -> None:
    match = random_match(lamplighter.load("last_minute?seats=2"), 4)
    found = split(match)
    for seat, part in enumerate(found.splits):
        assert part is not None
        assert part.average + part.luck + part.play == pytest.approx(part.total) == match.totals[seat]
    assert found.fresh > 0 and found.why_no_split == ""


def test_luck_is_not_measured_where_draws_follow_play() -> None:
    """Another player of the same seed gets other tiles. What a match brings is known all the same."""
    name = next(name for name in games.own_names() if games.load(name).draws_follow_play)
    match = lamplighter.load(name).match(seed="1")
    rng = random.Random(1)
    match.roll()
    while match.waiting:
        match.act(match.waiting[0], rng.choice(match.position.legal_actions(match.waiting[0])))
        match.roll()
    found = split(match)
    assert found.splits == [None] * match.variant.seats
    assert "another player would not get the same draws" in found.why_no_split
    assert found.fresh > 0 and module._scale(found) == np.mean(found.averages)


def test_there_is_no_luck_without_chance() -> None:
    found = split(played("dadbdcd"))
    assert found.splits == [None, None] and "luck had no part in it" in found.why_no_split
    assert found.fresh > 0 and module._scale(found) == 1, "a victory is one point, so a lost one is a blunder"


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
        Grade(1, 1, 0, "d", "d", 0.0, 0.1, 7),
        Grade(2, 2, 1, "a", "<c>", 4.0, 0.1, 7, ("<c>", "d"), "blunder"),
        Grade(3, 3, 0, "e", "f", 1.0, 0.1, 7, ("f",), "inaccuracy"),
    ]
    splits: list[Split | None] = [Split(10, 8.0, 3.0, -1.0), None]
    return Review("game", ["Ana", "<Bo>"], [10, 5], True, grades, splits, fresh=9)


def test_a_good_move_is_no_turning_point() -> None:
    found = made()
    found.grades.append(Grade(4, 4, 1, "b", "c", 0.5, 0.1, 7, ("c",), "good"))
    assert [grade.entry for grade in found.turning_points] == [2, 3]


def test_turning_points_and_sums() -> None:
    found = made()
    assert [grade.entry for grade in found.turning_points] == [2, 3]
    assert found.lost(0) == 1.0 and found.counts(1) == {
        "best": 0, "good": 0, "inaccuracy": 0, "mistake": 0, "blunder": 1,
    }  # fmt: skip
    lines = say_summary(found)
    assert lines[0] == "Turning point, entry 2: <Bo> played a; <c>, then d was 4.0 points better."
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
        "entry", "turn", "seat", "move", "best", "plan", "lost", "error", "choices", "grade",
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


def test_a_better_turn_is_told_with_all_its_marks(own_game: Game) -> None:
    """Played one after the other, they are legal, and the first of them is the better move."""
    match = Variant(own_game).match(seed="marks")
    match.roll()
    position = match.position
    seat = position.waiting[0]
    stream = np.zeros(4, np.int64)
    chance.start_stream(7, 1, stream)
    (plan,) = Search(position.variant, Habits(beam=1)).plans(position.state, seat, Budget(), stream, 1)
    said = module._say_plan(position, seat, plan)
    assert len(said) == len(plan.actions)
    after = position.copy()
    for move, action in zip(said, plan.actions, strict=True):
        assert after.parse_move(seat, move) == action
        after.play(move, seat)


def test_ctrl_c_before_the_first_move_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def press(match: Match) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_warm_up", press)
    found = module.review(played("dadbdcd"))
    assert (found.is_stopped, found.missing, found.grades) == (True, 7, [])
