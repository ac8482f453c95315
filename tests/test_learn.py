"""`lamplighter learn`: a lesson in the terminal."""

from __future__ import annotations

from test_cli import run

from lamplighter import games
from lamplighter.engine.lesson import LEARNER, read_lesson

GAME = next(name for name in games.own_names() if games.load(name).seats[0] > 1)


def answers() -> list[str]:
    """What somebody types who does as they are told: Enter, or the first move that is accepted."""
    course, typed = read_lesson(games.load(GAME)).begin(), []
    while not course.is_last:
        typed.append(course.accepted()[0] if course.step.accept else "")
        course.play(typed[-1]) if course.step.accept else course.go_on()
    return [*typed, ""]


def test_a_lesson_is_taken_to_its_end() -> None:
    """With a refused move, a move that is not meant, the commands, and a step back on the way."""
    lesson, typed = read_lesson(games.load(GAME)), answers()
    asked = next(step for step in lesson.steps if step.accept)
    course = lesson.at(asked.number, [])
    legal = course.match.legal_moves(LEARNER)
    other = next(move for move in legal if not asked.accepts(move))
    before = typed[: asked.number - 1]
    detour = ["nonsense", other, "", "moves", "rule", "score", "help", typed[asked.number - 1], "back"]
    shown = run("learn", GAME, given="\n".join([*before, *detour, *typed[asked.number - 1 :]]) + "\n").stdout
    flat = " ".join(shown.split())
    for step in lesson.steps:
        assert " ".join(step.say.split()) in flat, step.number
    assert asked.reply_to(other) in flat
    assert flat.count(asked.say) > 5, "what is asked is said again until it is done"
    assert "cannot read the move" in flat and "type a move, such as the one above" in flat
    assert f"**{asked.rule}**" in shown and all(move in flat for move in legal[:3])
    assert "Enter ends the lesson." in flat
    assert f"lit: {', '.join(asked.point)}" in flat, "what a drawn sheet lights is named"


def test_a_lesson_can_be_left_and_a_game_may_have_none() -> None:
    assert "1/" in run("learn", GAME, given="quit\n").stdout
    assert "1/" in run("learn", GAME, given="").stdout
    assert "connect_four has no lesson" in run("learn", "connect_four", expect=2).stderr
    assert "did you mean" in run("learn", GAME[:-1], expect=2).stderr
