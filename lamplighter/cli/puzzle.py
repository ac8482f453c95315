"""`puzzle`: the puzzle of the day in the terminal."""

from __future__ import annotations

from datetime import UTC, date, datetime

from rich.text import Text

from lamplighter import games
from lamplighter.bots.puzzle import Puzzle, make
from lamplighter.cli.terminal import console, errors, paint, score_table
from lamplighter.engine.match import Match
from lamplighter.errors import IllegalMove, LamplighterError

HELP = """a move    play it; the start of it is enough when it is clear
moves     list the moves that are legal now
undo      take the last move back
score     all scoring lines
answer    this is my answer: all solutions are told
help      this list
quit      leave"""


def solve(game: str, day: str) -> None:
    """Let somebody solve the puzzle of a game and a day. Nothing is kept."""
    chosen = _read_day(day)
    title = games.load(game).title
    with errors.status("making the puzzle: bots play matches, and every end is tried"):
        puzzle = make(game, chosen)
    if puzzle is None:
        console.print(f"{title} has no puzzle on {chosen}: its bots' matches have no last turn that can be proved")
        return
    console.print(f"[bold]{title}[/] [grey58]the puzzle of {chosen}; 'help' lists the commands[/]")
    moves: list[str] = []
    match, shown = puzzle.begin(), ""
    while True:
        shown = _show(puzzle, match, shown)
        try:
            answer = " ".join(console.input(_prompt(puzzle, match)).split())
        except (EOFError, KeyboardInterrupt):
            console.print()
            return
        if answer == "quit":
            return
        if answer == "answer" and match.is_over:
            _tell(puzzle, match)
            return
        if answer == "undo" and moves:
            moves.pop()
            match = puzzle.after(moves)
        elif not _play(puzzle, match, answer, moves):
            _help(puzzle, match, answer)


def _read_day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat() if text else datetime.now(UTC).date().isoformat()
    except ValueError:
        raise LamplighterError(f"a day is written like 2026-03-04, not {text!r}") from None


def _show(puzzle: Puzzle, match: Match, shown: str) -> str:
    """Print the sheet if it has changed. Return it."""
    drawn = match.view(puzzle.seat).position.draw(puzzle.seat)
    if str(drawn) != shown:
        console.print()
        console.print(paint(drawn))
        console.print()
    return str(drawn)


def _prompt(puzzle: Puzzle, match: Match) -> str:
    if match.is_over:
        return f"[grey58]{match.totals[puzzle.seat]} points. Type[/] [bold yellow]answer[/][grey58], or undo:[/] "
    return "[grey58]Best possible: ? points. Find it. Type a move:[/] "


def _play(puzzle: Puzzle, match: Match, answer: str, moves: list[str]) -> bool:
    """Play what was typed if it is a move. Return whether it was one, or a refused one."""
    if match.is_over or answer in ("", "answer", "undo", "moves", "score", "help"):
        return False
    starts = [move for move in match.legal_moves(puzzle.seat) if move.lower().startswith(answer.lower())]
    try:
        match.play(starts[0] if len(starts) == 1 else answer, puzzle.seat)
        moves.append(match.log[-1].text)
    except IllegalMove as error:
        console.print(Text(f"refused: {error.sentence} ({error.rule})", "red"))
    except LamplighterError as error:
        console.print(Text(str(error), "red"))
    return True


def _help(puzzle: Puzzle, match: Match, what: str) -> None:
    if what == "moves":
        legal = [] if match.is_over else match.legal_moves(puzzle.seat)
        console.print(Text("   ".join(legal[:400]) or "none: the match is over", "grey70"))
    elif what == "score":
        console.print(score_table(match.position, match.players))
    elif what == "answer":
        console.print(Text("this is not finished yet: play the turn to its end", "red"))
    elif what == "undo":
        console.print(Text("there is nothing to take back", "red"))
    else:
        console.print(HELP)


def _tell(puzzle: Puzzle, match: Match) -> None:
    """Say how good the answer is, and all that could have been found."""
    total = match.totals[puzzle.seat]
    solved = total == puzzle.best
    console.print(
        Text(f"Solved: {total} points, and no play makes more.", "bold green")
        if solved
        else Text(f"Your answer makes {total} points. The best possible is {puzzle.best}.", "bold yellow")
    )
    for line in puzzle.solutions:
        console.print(Text(f"{puzzle.best}  {', '.join(line)}"), soft_wrap=True)
    for worth in puzzle.worths[1:]:
        ways = "1 way" if worth.ways == 1 else f"{worth.ways} ways"
        console.print(Text(f"{worth.total}  {ways}, such as {', '.join(worth.line)}", "grey58"), soft_wrap=True)
