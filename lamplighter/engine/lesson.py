"""A guided first match, read from `lesson.toml` in a game's folder, and checked move by move before anybody takes it.

A lesson is data: fixed outcomes, what the other seats play, what the learner is told, and which of the learner's moves are
accepted. The learner has seat 0. Terminal and browser go through it with a `Course`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.match import Match
from lamplighter.engine.position import Position
from lamplighter.errors import BadBox, BadGame, LamplighterError, shown, suggest

if TYPE_CHECKING:
    from lamplighter.engine.game import Game
    from lamplighter.engine.variant import Variant

FILE = "lesson.toml"
LEARNER = 0  # the seat
ANY = "*"
PARTS = ("sheet", "dice", "score", "done", "turn", "flip")  # what a step can point at in every game
MOST_STEPS = 40
MOST_POSITIONS = 500  # in which the learner can be at one step, by what they played before


class Event(NamedTuple):
    """Something that happens by itself: an outcome (seat None), or a move of a seat."""

    seat: int | None
    text: str


@dataclass(frozen=True)
class Reply:
    """What is said about moves that are legal, but not what the step is about."""

    moves: tuple[str, ...]
    say: str


@dataclass(frozen=True)
class Step:
    """One step: what happens, what is said, and what the learner may do. Without `accept` the learner reads and goes on."""

    number: int  # from 1
    say: str
    rule: str = ""  # the paragraph of RULES.md, such as §4
    point: tuple[str, ...] = ()  # cells, sources, scoring lines or parts of the page
    position: str = ""  # the match goes on from here, instead of from the step before
    happens: tuple[Event, ...] = ()
    accept: tuple[str, ...] = ()  # moves; a star stands for anything
    other: tuple[Reply, ...] = ()
    otherwise: str = ""  # about all other legal moves

    def accepts(self, move: str) -> bool:
        return _is_among(move, self.accept)

    def reply_to(self, move: str) -> str:
        """Return what is said about a legal move that is not accepted."""
        return next((reply.say for reply in self.other if _is_among(move, reply.moves)), self.otherwise)


def _is_among(move: str, patterns: Iterable[str]) -> bool:
    """Return whether a move is one of these, in which a star stands for anything.

    >>> _is_among("3 star c3", ["4 *", "* star *"]), _is_among("done", ["do"])
    (True, False)
    """
    return any(re.fullmatch(".*".join(map(re.escape, one.split(ANY))), move) for one in patterns)


@dataclass(frozen=True)
class Lesson:
    """A game's lesson: the variant, the names of the seats, and the steps."""

    variant: Variant
    names: tuple[str, ...]
    steps: tuple[Step, ...]

    def begin(self) -> Course:
        """Return the course at the first step."""
        return self.at(1, ())

    def at(self, step: int, moves: Sequence[str]) -> Course:
        """Return the course at a step, after these moves of the learner. Refuse moves that do not lead there."""
        if not 1 <= step <= len(self.steps):
            raise LamplighterError(f"the lesson has {len(self.steps)} steps: there is no step {step}")
        course, left = Course(self), list(moves)
        while course.step.number < step:
            if not course.step.accept:
                course.go_on()
            elif not left or course.play(left.pop(0)):
                raise LamplighterError(f"the lesson does not come to step {step} with these moves")
        if left:
            raise LamplighterError(f"the lesson comes to step {step} before the move {shown(left[0])}")
        return course

    @property
    def texts(self) -> list[str]:
        """Everything that is said, for translators."""
        return [
            text for step in self.steps for text in (step.say, *(one.say for one in step.other), step.otherwise) if text
        ]


class Course:
    """Somebody on the way through a lesson."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.match = self._match(None)
        self.step = lesson.steps[0]
        self._enter()

    def _match(self, start: Position | None) -> Match:
        return Match(self.lesson.variant, None, self.lesson.names, start)

    @property
    def is_last(self) -> bool:
        """Whether nothing comes after this step."""
        return self.step.number == len(self.lesson.steps)

    def go_on(self) -> None:
        """Go to the next step; nothing changes at the last one."""
        if not self.is_last:
            self.step = self.lesson.steps[self.step.number]
            self._enter()

    def play(self, move: str) -> str:
        """Play the learner's move and go on. If it is legal but not accepted, return what to say; nothing has changed.

        An illegal move is refused as in every match.
        """
        action = self.match.position.parse_move(LEARNER, move)
        if (refusal := self.match.position.refusal(LEARNER, action)) is not None:
            raise refusal
        text = self.match.position.format_move(LEARNER, action)
        if not self.step.accepts(text):
            return self.step.reply_to(text)
        self.match.act(LEARNER, action)
        self.go_on()
        return ""

    def accepted(self) -> list[str]:
        """Return the moves that the step accepts, as text."""
        if not self.step.accept or LEARNER not in self.match.waiting:
            return []
        return [move for move in self.match.legal_moves(LEARNER) if self.step.accepts(move)]

    def copy(self) -> Course:
        """Return a course of its own that goes on from here."""
        other = object.__new__(Course)
        other.lesson, other.match, other.step = self.lesson, self.match.copy(), self.step
        return other

    def _enter(self) -> None:
        """Let happen what the step begins with."""
        if self.step.position:
            variant = self.lesson.variant
            self.match = self._match(
                Position(variant, variant.game.notation.parse_position(variant, self.step.position))
            )
        for event in self.step.happens:
            if event.seat is None:
                self.match.roll(event.text)
            else:
                self.match.play(event.text, event.seat)


# --- reading --------------------------------------------------------------------------------------------------


@functools.cache
def read_lesson(game: Game) -> Lesson:
    """Return a game's lesson. Refuse a file with a mistake in it, with the step's number and the reason."""
    if not game.has_lesson:
        raise LamplighterError(f"{game.id} has no lesson: a {FILE} in its folder would bring one")
    lesson = parse_lesson(game, (game.folder / FILE).read_text(encoding="utf-8"))
    check_lesson(lesson)
    return lesson


def parse_lesson(game: Game, text: str) -> Lesson:
    """Return the lesson that a file tells, as far as it can be read without playing it."""
    from lamplighter.engine.variant import parse_variant, split_variant

    try:
        file = ComponentFile(text, FILE)
        file.need_keys(["variant", "step"], ["names"])
        name, pairs = split_variant(file.need_text("variant"))
        if name != game.id:
            file.fail(f"the variant is one of {shown(name)}, but this is the folder of {game.id!r}", "variant")
        variant = parse_variant(game, pairs)
        names = _texts(file, "names") if "names" in file.data else ()
        if len(names) > variant.seats:
            file.fail(f"{len(names)} names for {variant.seats} seats", "names")
        steps = file.need_list(1, MOST_STEPS, "step")
    except LamplighterError as error:
        raise BadGame(f"the lesson of {game.id}: {error}") from None
    return Lesson(variant, names, tuple(_read_step(file, number) for number in range(len(steps))))


def _read_step(file: ComponentFile, index: int) -> Step:
    at = ("step", index)
    keys = ["rule", "point", "position", "happens", "accept", "other", "otherwise"]
    try:
        file.need_keys(["say"], keys, at)
        given = file.need_table(*at)
        rule, position, otherwise = (
            file.need_text(*at, key) if key in given else "" for key in ("rule", "position", "otherwise")
        )
        point, accept = (_texts(file, *at, key) if key in given else () for key in ("point", "accept"))
        happens = [
            event for number in range(_length(file, *at, "happens")) for event in _events(file, *at, "happens", number)
        ]
        other = tuple(_reply(file, *at, "other", number) for number in range(_length(file, *at, "other")))
        say = file.need_text(*at, "say")
        return Step(index + 1, say, rule, point, position, tuple(happens), accept, other, otherwise)
    except BadBox as error:
        raise _refusal(index + 1, f"{error.reason} (line {error.line})") from None


def _length(file: ComponentFile, *path: str | int) -> int:
    """Return how long a list is that may be left out."""
    return len(file.need_list(1, 1000, *path)) if path[-1] in file.need_table(*path[:-1]) else 0


def _texts(file: ComponentFile, *path: str | int) -> tuple[str, ...]:
    return tuple(file.need_text(*path, number) for number in range(len(file.need_list(1, 100, *path))))


def _events(file: ComponentFile, *path: str | int) -> list[Event]:
    """Return what one entry of `happens` says: `{roll = "5, 4"}` or `{seat = 1, play = "4 bow c2"}`."""
    if "roll" in file.need_table(*path):
        file.need_keys(["roll"], at=path)
        return [Event(None, text.strip()) for text in file.need_text(*path, "roll").split(",")]
    file.need_keys(["seat", "play"], at=path)
    return [Event(file.need_int(0, 63, *path, "seat"), file.need_text(*path, "play"))]


def _reply(file: ComponentFile, *path: str | int) -> Reply:
    file.need_keys(["moves", "say"], at=path)
    return Reply(_texts(file, *path, "moves"), file.need_text(*path, "say"))


def _refusal(number: int, reason: object) -> BadGame:
    return BadGame(f"{FILE}, step {number}: {reason}")


# --- checking -------------------------------------------------------------------------------------------------


def check_lesson(lesson: Lesson) -> None:
    """Go through a lesson in every way that it accepts. Refuse the first step that cannot be taken."""
    paragraphs = set(re.findall(r"\*\*(§[\w.]+)\*\*", lesson.variant.game.rules_text))
    try:
        courses = [Course(lesson)]
    except LamplighterError as error:
        raise _refusal(1, error) from None
    for step in lesson.steps:
        if step.rule and step.rule not in paragraphs:
            raise _refusal(step.number, f"RULES.md has no paragraph {step.rule!r}")
        try:
            ways = [way for course in courses for way in _check_step(course)]
        except BadGame:
            raise
        except LamplighterError as error:  # what the next step begins with
            raise _refusal(step.number + 1, error) from None
        courses = list({way.match.position.key: way for way in ways}.values())
        if len(courses) > MOST_POSITIONS:
            raise _refusal(step.number, f"it can be left in more than {MOST_POSITIONS} positions: accept fewer moves")
    if lesson.steps[-1].accept:
        raise _refusal(len(lesson.steps), "the last step asks for a move, and nothing is said after it")


def _check_step(course: Course) -> list[Course]:
    """Return the courses at the next step, by every move that this one accepts. Refuse the step if it has a mistake."""
    step, match = course.step, course.match
    _check_points(course)
    if not step.accept:
        if step.other or step.otherwise:
            raise _refusal(step.number, "it accepts no move, so nothing is said about others")
        after = course.copy()
        after.go_on()
        return [after]
    if LEARNER not in match.waiting:
        raise _refusal(step.number, "it asks for a move, but the learner has nothing to do now")
    legal = match.legal_moves(LEARNER)
    for pattern in step.accept:
        _need_legal(course, pattern, legal)
    rest = [move for move in legal if not step.accepts(move)]
    for pattern in (pattern for reply in step.other for pattern in reply.moves):
        _need_legal(course, pattern, rest)
    unsaid = next((move for move in rest if not step.reply_to(move)), None)
    if unsaid is not None:
        raise _refusal(step.number, f"nothing is said about {unsaid!r}, which is legal: write `otherwise`")
    if step.otherwise and not any(step.reply_to(move) == step.otherwise for move in rest):
        raise _refusal(step.number, "`otherwise` is never said: there is no move left to say it about")
    found: dict[bytes, Course] = {}
    for move in legal:
        if step.accepts(move):
            after = course.copy()
            after.play(move)
            found.setdefault(after.match.position.key, after)
    return list(found.values())


def _need_legal(course: Course, pattern: str, legal: list[str]) -> None:
    """Refuse a pattern that fits none of these moves."""
    if any(_is_among(move, [pattern]) for move in legal):
        return
    number, why = course.step.number, None
    if ANY not in pattern:
        try:
            why = course.match.why(pattern, LEARNER)
        except LamplighterError as error:
            raise _refusal(number, error) from None
    if why is not None:
        raise _refusal(number, f"the move {pattern!r} is not legal: {why.rule} {why.sentence}")
    raise _refusal(number, f"no legal move is {pattern!r}, or it is accepted: {suggest(pattern, legal[:200])}")


def _check_points(course: Course) -> None:
    """Refuse to point at something that the sheet does not show."""
    step, known = course.step, [*PARTS, *course.lesson.variant.score_lines]
    if all(name in known for name in step.point):
        return
    known += sorted(_shown(course.match.position))
    for name in step.point:
        if name not in known:
            raise _refusal(step.number, f"it points at {name!r}, which is not on the sheet: {suggest(name, known)}")


def _shown(position: Position) -> set[str]:
    """Return the names of the cells and sources on the learner's sheet; none where it is not drawn."""
    game = position.variant.game
    if not game.has_picture:
        return set()
    drawn = position.svg(LEARNER, targets=True)
    return {part.partition('"')[0] for word in ("data-cell", "data-source") for part in drawn.split(f'{word}="')[1:]}
