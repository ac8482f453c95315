"""`lamplighter.bots.puzzle`: proofs that a slow search over matches confirms, and positions that are no puzzles."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from lamplighter import bots, games
from lamplighter.bots import puzzle as module
from lamplighter.bots.puzzle import Puzzle, Tree, find, make, puzzle_in, rate, read_puzzle, survey, why_not
from lamplighter.engine.game import Game
from lamplighter.engine.match import Match
from lamplighter.engine.variant import Variant
from lamplighter.errors import IllegalMove, LamplighterError
from lamplighter.jit import PURE

DAY = "2026-11-17"
slow = pytest.mark.skipif(PURE, reason="bots think for minutes in plain Python")


def played(game: str, number: int = 0, bot: str = "greedy") -> Match:
    """A match of bots."""
    known = games.load(game)
    variant = Variant(known, {"seats": known.seats[0]})
    return module._play_out(variant.match(seed=f"{game} {number}"), range(variant.seats), bot, "")


def last_turn(match: Match) -> int:
    """Where the moves begin that the last seat made alone."""
    entry = len(match.log)
    while entry and match.log[entry - 1].kind == "move" and match.log[entry - 1].seat == match.log[-1].seat:
        entry -= 1
    return entry


def ends(match: Match, seat: int) -> dict[bytes, int] | None:
    """The totals of all ends, by a plain search over matches; None if one is not reached by this seat alone."""
    if match.is_over:
        return {match.position.key: match.totals[seat]}
    if match.waiting != (seat,):
        return None
    found: dict[bytes, int] = {}
    for move in match.legal_moves(seat):
        after = match.copy()
        after.play(move, seat)
        more = ends(after, seat)
        if more is None:
            return None
        found |= more
    return found


def test_a_plain_search_over_matches_finds_the_same(game: Game) -> None:
    """From the last turn where it is small, else from the last two moves."""
    checked = 0
    for number in range(1 if PURE else 3):
        match = played(game.id, number, "uniform" if PURE else "greedy")  # who thinks takes a minute in plain Python
        seat = match.log[-1].seat
        assert seat is not None
        entry = max(last_turn(match), len(match.log) - 2)
        position = match.at(entry)
        tree, slow = survey(position, seat), ends(Match(match.variant, None, (), position), seat)
        if slow is None:
            assert tree.flaw in ("chance", "turn")
            continue
        checked += 1
        assert not tree.flaw and tree.totals == Counter(slow.values()) and tree.best == max(slow.values())
        for total, lines in tree.lines.items():
            for line in lines[:3]:
                after = position.copy()
                for action in line:
                    after.act(seat, action)
                assert after.is_over and after.total(seat) == total
    assert checked or game.id in ("connect_four", "greenways"), "there a match may always go on"


@slow
@pytest.mark.parametrize("name", ["last_minute", "railroad"])
def test_the_puzzle_of_a_day(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every server makes the same one; its solutions reach the best, and bots that are wrong do not."""
    monkeypatch.setattr(module, "ENOUGH", 1)
    puzzle = make(name, DAY)
    assert puzzle is not None and puzzle == make(name, DAY) == read_puzzle(puzzle.fields())
    assert puzzle.position != getattr(make(name, "2026-11-18"), "position", "")
    for line in puzzle.solutions:
        match = puzzle.after(line)
        assert match.is_over and match.totals[puzzle.seat] == puzzle.best
    assert [one.total for one in puzzle.worths] == sorted({one.total for one in puzzle.worths}, reverse=True)
    for worth in puzzle.worths:
        assert puzzle.after(worth.line).totals[puzzle.seat] == worth.total
    assert puzzle.worths[0].total == puzzle.best >= max(puzzle.rivals.values())
    assert len(puzzle.worths) >= module.FEWEST_SCORES and len(puzzle.solutions) <= module.MOST_BEST
    with pytest.raises(LamplighterError, match="over before the last"):
        puzzle.after([*puzzle.solutions[0], puzzle.solutions[0][-1]])


def a_puzzle(game: str = "last_minute") -> Puzzle:
    """A puzzle from matches of greedy bots, which is quick to make."""
    return next(found for number in range(20) if (found := puzzle_in(played(game, number))) is not None)


def test_illegal_moves_are_refused() -> None:
    puzzle = a_puzzle()
    match = puzzle.begin()
    die, *_ = match.legal_moves(puzzle.seat)[0].split(" ")
    other = next(face for face in "123456" if not any(m.startswith(face) for m in match.legal_moves(puzzle.seat)))
    with pytest.raises(IllegalMove):
        puzzle.after([match.legal_moves(puzzle.seat)[0].replace(die, other, 1)])


# --- what is no puzzle ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def good() -> tuple[Match, int, int]:
    """A match, the entry where its puzzle begins, and the seat."""
    match = next(one for number in range(20) if puzzle_in(one := played("last_minute", number)) is not None)
    seat = match.log[-1].seat
    assert seat is not None
    return match, last_turn(match), seat


def test_what_goes_on_is_no_puzzle(good: tuple[Match, int, int]) -> None:
    """Not before the last dice, not while others have to act, not for somebody else, and not when all is over."""
    match, entry, seat = good
    assert why_not(match.at(entry), seat, survey(match.at(entry), seat)) == ""
    dice = [number for number, one in enumerate(match.log) if one.kind == "chance"]
    earlier = next(n for n in reversed(range(dice[-4])) if match.log[n].kind == "move" and match.at(n).waiting)
    found = match.at(earlier)
    assert survey(found, found.waiting[0]).flaw in ("chance", "turn")
    first = next(n for n in range(dice[-1] + 1, entry + 1) if match.at(n).waiting)
    assert first < entry and survey(match.at(first), match.at(first).waiting[0]).flaw == "turn", "the last one follows"
    assert survey(match.at(entry), 1 - seat).flaw == "turn"
    assert survey(match.position, seat).flaw == "turn"
    assert puzzle_in(match.branch(entry)) is None, "it ends with dice, or with another seat's move"


def test_chance_before_the_end_is_no_puzzle() -> None:
    match = played("railroad")
    dice = [number for number, one in enumerate(match.log) if one.kind == "chance"]
    middle = next(n for n in range(dice[4], len(match.log)) if match.at(n).waiting)
    assert survey(match.at(middle), 0, 10**6 if not PURE else 2000).flaw == "chance"


def test_each_criterion_rejects(good: tuple[Match, int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    match, entry, seat = good
    position = match.at(entry)
    tree = survey(position, seat)
    assert survey(position, seat, largest=3).flaw == "large"
    few = Tree(dict.fromkeys((1, 2, 3), 1), {3: tree.lines[tree.best]})
    assert why_not(position, seat, few) == "scores"
    many = replace(tree, lines={**tree.lines, tree.best: [line for lines in tree.lines.values() for line in lines]})
    assert why_not(position, seat, many) == "best"
    assert why_not(position, seat, replace(tree, totals={**tree.totals, tree.best: module.LINES + 1})) == "best"
    monkeypatch.setattr(module, "LONGEST", 0)
    assert why_not(position, seat, tree) == "long"


def test_what_depends_on_hidden_cards_is_no_puzzle(
    good: tuple[Match, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No game here has such an end: this one is told that a seat sees something else than there is."""
    match, entry, seat = good
    position = match.at(entry)
    other = match.at(entry - 1)
    monkeypatch.setattr(type(position), "seen_by", lambda self, who: other.copy())
    assert why_not(position, seat, survey(position, seat)) == "hidden"


def test_rating_prefers_what_bots_miss_and_one_solution() -> None:
    puzzle = a_puzzle()
    missed = replace(puzzle, rivals=dict.fromkeys(puzzle.rivals, puzzle.best - 1))
    found = replace(puzzle, rivals=dict.fromkeys(puzzle.rivals, puzzle.best))
    assert rate(missed) > rate(found)
    one, two = (replace(puzzle, solutions=(puzzle.solutions[0],) * count) for count in (1, 2))
    assert rate(one) > rate(two)
    assert module.choose([found, missed, missed]) is missed and module.choose([]) is None
    assert all(bot in bots.names() for bot in (*module.MAKERS, *module.RIVALS))


@slow
def test_a_game_may_have_none() -> None:
    assert find("connect_four", DAY, 0) == [], "its last move wins or does not"
