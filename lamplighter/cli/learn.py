"""`learn`: a game's guided first match in the terminal."""

from __future__ import annotations

import re

from rich.text import Text

from lamplighter import games
from lamplighter.cli.terminal import console, paint, score_table
from lamplighter.engine.lesson import LEARNER, PARTS, Course, read_lesson
from lamplighter.errors import IllegalMove, LamplighterError

HELP = """Enter     go on, where nothing is asked
a move    where one is asked; the start of it is enough when it is clear
moves     list the moves that are legal now
rule      the paragraph of the rules behind this step
score     all scoring lines
back      one step back
quit      leave"""


def teach(game: str) -> None:
    """Go through a game's lesson, step by step, until its end or until the learner leaves."""
    course = read_lesson(games.load(game)).begin()
    console.print(f"[bold]{course.lesson.variant.game.title}[/] [grey58]a first match; 'help' lists the commands[/]")
    moves: list[str] = []  # that the learner has played
    shown = ""
    while True:
        shown = _show(course, shown)
        try:
            answer = " ".join(console.input(_prompt(course)).split())
        except (EOFError, KeyboardInterrupt):
            console.print()
            return
        if answer == "quit" or (course.is_last and not answer):
            return
        if answer == "back":
            course = _back(course, moves)
        elif answer in ("help", "moves", "rule", "score"):
            _tell(course, answer)
        elif course.step.accept and answer:
            _play(course, answer, moves)
        elif not course.step.accept and not answer:
            course.go_on()
        else:
            hint = "type a move, such as the one above" if course.step.accept else "press Enter to go on"
            console.print(f"[red]{hint}; 'help' lists the commands[/]")


def _show(course: Course, shown: str) -> str:
    """Print what is new on the sheet, and what the step says. Return the sheet."""
    step, match = course.step, course.match
    seen = match.view(LEARNER).position
    sheet = str(seen.draw(LEARNER))
    if sheet != shown:
        console.print()
        console.print(paint(seen.draw(LEARNER)))
    console.print()
    console.print(Text(f"{step.number}/{len(course.lesson.steps)}  ", "bold cyan").append(step.say, "default"))
    lit = [name for name in step.point if name not in (*PARTS, *match.variant.score_lines)]
    if lit:
        console.print(Text(f"lit: {', '.join(lit)}", "yellow"))
    return sheet


def _prompt(course: Course) -> str:
    if course.step.accept:
        return f"[grey58]type a move, such as[/] [bold yellow]{course.accepted()[0]}[/][grey58]:[/] "
    return "[grey58]Enter ends the lesson.[/] " if course.is_last else "[grey58]Enter to go on.[/] "


def _play(course: Course, answer: str, moves: list[str]) -> None:
    starts = [move for move in course.match.legal_moves(LEARNER) if move.lower().startswith(answer.lower())]
    move = starts[0] if len(starts) == 1 else answer
    try:
        said = course.play(move)
    except IllegalMove as error:
        console.print(Text(f"refused: {error.sentence} ({error.rule})", "red"))
    except LamplighterError as error:
        console.print(Text(str(error), "red"))
    else:
        if said:
            console.print(Text(said, "yellow"))
        else:
            moves.append(move)


def _back(course: Course, moves: list[str]) -> Course:
    """Return the course one step earlier."""
    number = max(1, course.step.number - 1)
    if moves and number < course.step.number and course.lesson.steps[number - 1].accept:
        moves.pop()
    return course.lesson.at(number, moves)


def _tell(course: Course, what: str) -> None:
    match = course.match
    if what == "help":
        console.print(HELP)
    elif what == "moves":
        console.print(
            Text("   ".join(match.legal_moves(LEARNER)[:400]) if LEARNER in match.waiting else "none", "grey70")
        )
    elif what == "score":
        console.print(score_table(match.position, match.players))
    else:
        rule = re.escape(course.step.rule)
        found = re.search(rf"\*\*{rule}\*\*.*?(?=\n\n|\Z)", match.variant.game.rules_text, re.DOTALL) if rule else None
        console.print(Text(found[0] if found else "this step is about no single paragraph", "grey70"))
