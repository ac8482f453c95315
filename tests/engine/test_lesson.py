"""`engine.lesson`: what a lesson file may say, and the mistakes that are refused with the step's number."""

from __future__ import annotations

import re

import pytest

from lamplighter import games
from lamplighter.engine.lesson import Course, Lesson, check_lesson, parse_lesson, read_lesson
from lamplighter.errors import BadGame, IllegalMove, LamplighterError

GAME = games.load("last_minute")
HEAD = 'variant = "last_minute?seats=2&first_player=0"\nnames = ["You", "Ana"]\n'
GOOD = """
[[step]]
say = "Three dice."
happens = [{ roll = "3, 4, 6" }]
point = ["sheet", "c3", "4", "star"]
rule = "§4"

[[step]]
say = "Draw a star."
accept = ["3 star c3", "3 star d*"]
other = [{ moves = ["4 *"], say = "Not the bow." }]
otherwise = "Take the 3."

[[step]]
say = "Ana drew a bow."
happens = [{ seat = 1, play = "4 bow d3" }]
"""


def lesson_of(text: str) -> Lesson:
    lesson = parse_lesson(GAME, HEAD + text)
    check_lesson(lesson)
    return lesson


def test_a_lesson_is_taken_step_by_step() -> None:
    course = lesson_of(GOOD).begin()
    assert course.match.players == ["You", "Ana"] and course.accepted() == []
    course.go_on()
    assert course.accepted() == ["3 star c3", "3 star d2", "3 star d3", "3 star d4"]
    assert course.play("4 bow c3") == "Not the bow."
    assert course.play("6 light c3") == course.play("3 star a3") == "Take the 3."
    with pytest.raises(IllegalMove, match="§4"):
        course.play("5 bell c3")
    assert course.step.number == 2, "nothing has happened"
    assert course.play("3 star c3") == "" and course.is_last
    assert [entry.text for entry in course.match.log] == ["3", "4", "6", "3 star c3", "4 bow d3"]
    course.go_on()
    assert course.step.number == 3, "nothing comes after the last step"


def test_a_course_is_found_again_by_its_moves() -> None:
    lesson = lesson_of(GOOD)
    assert lesson.at(3, ["3 star d2"]).match.log[3].text == "3 star d2"
    for step, moves in ((3, []), (3, ["4 bow c3"]), (2, ["3 star c3"]), (3, ["3 star c3", "4 bow c2"])):
        with pytest.raises(LamplighterError, match=r"the lesson (does not come|comes) to step"):
            lesson.at(step, moves)


@pytest.mark.parametrize("taught", [name for name in games.own_names() if games.load(name).has_lesson])
def test_a_step_that_is_not_there_is_refused(taught: str) -> None:
    """After the last step no move is accepted, so that nobody may be asked to go on from it."""
    lesson = read_lesson(games.load(taught))
    moves, course = [], lesson.begin()
    while not course.is_last:
        if course.step.accept:
            moves.append(next(move for move in course.match.legal_moves(0) if course.step.accepts(move)))
            assert not course.play(moves[-1])
        else:
            course.go_on()
    assert lesson.at(len(lesson.steps), moves).is_last
    for step in (0, len(lesson.steps) + 1, 40):
        with pytest.raises(LamplighterError, match=f"has {len(lesson.steps)} steps"):
            lesson.at(step, moves)


def test_a_step_can_begin_at_another_position() -> None:
    position = "2;0;-;x1/x3/x2x13x1/x3/x5/x7,001000,000000,0,0,1;x1/x3/x5/x14x1/x5/x7,000100,001000,0,0,1"
    course = lesson_of(GOOD + f'\n[[step]]\nsay = "Later."\nposition = "{position}"\n').at(4, ["3 star d2"])
    assert course.match.position.turn == 2 and not course.match.log


MISTAKES = {  # what is written instead of what, and the refusal
    "a move that is not legal": ('"3 star c3"', '"5 bell c3"', "step 2: the move '5 bell c3' is not legal: §4"),
    "a move that nobody can read": ('"3 star c3"', '"3 stars c3"', "step 2: cannot read the move '3 stars c3'"),
    "a pattern that fits nothing": ('"3 star d*"', '"3 star z*"', "step 2: no legal move is '3 star z*'"),
    "an outcome that cannot come": ("3, 4, 6", "3, 4, 7", "step 1: the next outcome can be 1, 2, 3, 4, 5, 6, not '7'"),
    "an outcome while somebody must act": (
        '{ seat = 1, play = "4 bow d3" }', '{ roll = "1" }', "step 3: no outcome is due: seats [1] must act",
    ),
    "a move of a seat that does not wait": (
        '{ seat = 1, play = "4 bow d3" }', '{ seat = 0, play = "4 bow d3" }', "step 3: illegal move '4 bow d3'",
    ),
    "an illegal move of another seat": ("4 bow d3", "3 star d3", "step 3: illegal move '3 star d3'"),
    "an unknown paragraph": ("§4", "§99", "step 1: RULES.md has no paragraph '§99'"),
    "a move that is asked for when there is none": (
        'say = "Ana drew a bow."', 'say = "x"\naccept = ["*"]', "step 3: it asks for a move, but the learner has nothing to do",
    ),
    "an end with a question": (
        'say = "Ana drew a bow."\nhappens = [{ seat = 1, play = "4 bow d3" }]',
        'say = "x"\naccept = ["*"]\n'
        'happens = [{ seat = 1, play = "4 bow d3" }, { roll = "1, 2, 3" }, { seat = 1, play = "1 bauble c3" }]',
        "step 3: the last step asks for a move",
    ),
    "silence about other moves": ('otherwise = "Take the 3."\n', "", "step 2: nothing is said about '3 star a3'"),
    "a reply to nothing": ('moves = ["4 *"]', 'moves = ["3 star c3"]', "step 2: no legal move is '3 star c3', or it is accepted"),
    "a reply that is never given": ('["3 star c3", "3 star d*"]', '["3 *", "6 *"]', "step 2: `otherwise` is never said"),
    "replies where nothing is asked": ('rule = "§4"', 'otherwise = "x"', "step 1: it accepts no move, so nothing is said"),
    "something that is not on the sheet": ('"c3", "4"', '"z9", "4"', "step 1: it points at 'z9', which is not on the sheet"),
    "a key that nobody reads": ('say = "Three dice."', 'say = "x"\nsays = "y"', "step 1: unknown key 'says': did you mean 'say'"),
    "a step without words": ('say = "Three dice."\n', "", "step 1: step[0].say is missing"),
    "a list that is none": ('point = ["sheet", "c3", "4", "star"]', 'point = "c3"', "step 1: step[0].point must be a list"),
    "an event that is none": ('{ roll = "3, 4, 6" }', '{ rolls = "3" }', "step 1: unknown key 'rolls'"),
    "a position that is none": ('happens = [{ roll = "3, 4, 6" }]', 'position = "x"', "step 1: "),
}  # fmt: skip


@pytest.mark.parametrize("kind", MISTAKES)
def test_a_mistake_is_refused_with_the_number_of_its_step(kind: str) -> None:
    old, new, refusal = MISTAKES[kind]
    assert old in GOOD
    with pytest.raises(BadGame, match=re.escape(refusal)):
        lesson_of(GOOD.replace(old, new, 1))


@pytest.mark.parametrize(
    ("head", "refusal"),
    [
        ('variant = "last_minute?seats=9"\n', "this game is for 2 to 5 players"),
        ('variant = "connect_four"\n', "the variant is one of 'connect_four'"),
        ('variant = "last_minute"\nnames = ["a", "b", "c", "d", "e", "f"]\n', "6 names for"),
        ("variant = 3\n", "variant must be a text"),
        ("", "variant is missing"),
        ("[[step", "not TOML"),
    ],
)
def test_a_mistake_at_the_top_is_refused(head: str, refusal: str) -> None:
    with pytest.raises(BadGame, match=re.escape(refusal)):
        parse_lesson(GAME, head + GOOD)


def test_a_game_without_a_lesson_says_so() -> None:
    other = games.load("connect_four")
    assert not other.has_lesson
    with pytest.raises(LamplighterError, match=r"connect_four has no lesson: a lesson\.toml in its folder"):
        read_lesson(other)


def test_too_many_ways_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lamplighter.engine.lesson.MOST_POSITIONS", 3)
    with pytest.raises(BadGame, match="step 2: it can be left in more than 3 positions"):
        lesson_of(GOOD)


def test_a_copy_goes_its_own_way() -> None:
    course = lesson_of(GOOD).at(2, [])
    other = course.copy()
    assert isinstance(other, Course) and other.play("3 star c3") == ""
    assert (course.step.number, other.step.number) == (2, 3)
    assert len(course.match.log) == 3
