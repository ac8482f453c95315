"""`play`: a match in the terminal, against bots or with friends at one keyboard."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from rich.markup import escape
from rich.text import Text

import lamplighter
from lamplighter import bots as bots_module
from lamplighter import games
from lamplighter.bots import Bot
from lamplighter.bots.protocol import close_programs, load_bot, take_faults
from lamplighter.bots.seat import SeatedBot
from lamplighter.cli.records import hints_line, medal_line, result_line
from lamplighter.cli.terminal import console, line_names, listed, paint, rules_page, score_table
from lamplighter.engine import record
from lamplighter.engine.labels import Labels
from lamplighter.engine.match import Match
from lamplighter.engine.reading import parse_number
from lamplighter.errors import BadNotation, IllegalMove, LamplighterError, suggest

HELP = """[bold]a move[/]       as the sheet labels it; Tab offers the legal ones, and the start is enough when it is clear
[bold]moves \\[word][/] list what is legal (with that word in it)
[bold]why MOVE[/]     why a move is refused
[bold]why LINE[/]     why a scoring line of yours has its points, and from which cells
[bold]hint \\[n][/]     the best moves, and why; worth is what they are compared by
[bold]undo[/]         take your last move back, until the next roll
[bold]score[/]        all scoring lines of everybody
[bold]sheet \\[name][/] a sheet again, or somebody else's
[bold]rules \\[§][/]    the rules, or one paragraph
[bold]save FILE[/]    write the match; go on later with lamplighter play --from FILE
[bold]quit[/]         leave; the match is kept"""

MOST_LISTED = 400
COMMANDS = ("moves", "why", "hint", "undo", "score", "sheet", "rules", "save", "help", "quit")


class Quit(Exception):
    """The player leaves."""


# --- starting -------------------------------------------------------------------------------------------------


def ask_for_game(seats: int | None, bots: str | None) -> tuple[str, int | None, str | None]:
    """Which game, how many players, against whom: asked only where somebody can answer."""
    found = [games.load(name) for name in games.names()]
    if not sys.stdin.isatty():
        raise LamplighterError("say which game: " + ", ".join(game.id for game in found))
    for number, game in enumerate(found, 1):
        console.print(f" [bold yellow]{number}[/] [bold]{game.title}[/] [grey58]{game.summary}[/]")
    known = {str(number): game for number, game in enumerate(found, 1)} | {game.id: game for game in found}
    game = known[_ask("Which game?", list(known), "1")]
    low, high = game.seats
    if seats is None and low < high:
        seats = int(_ask("How many players?", [str(n) for n in range(low, high + 1)], str(game.default_seats)))
    if bots is None and (seats or game.default_seats) > 1:
        bots = _ask(
            "Against bots or people?", [*(bot.name for bot in bots_module.opponents()), "people"], bots_module.OPPONENT
        ).replace("people", "none")
    return game.id, seats, bots


def seats_for(game_text: str, seats: int | None, bots: str | None) -> int | None:
    """Return how many play where nobody said it: who names one bot in a game for one has a seat beside it."""
    name, _, options = game_text.partition("?")
    if seats is not None or bots in (None, "none") or "," in bots or "seats=" in options:
        return seats
    game = games.load(name)
    return 2 if game.default_seats == 1 and game.seats[1] > 1 else None


def _ask(question: str, answers: list[str], default: str) -> str:
    while True:
        shown = escape(f"[{default}]")
        answer = console.input(f"{question} [grey58]({', '.join(answers)})[/] {shown} ").strip() or default
        if answer in answers:
            return answer
        console.print(f"[red]{answer!r}?[/] {suggest(answer, answers)}")


def start_match(
    variant: str | None,
    bots: str | None,
    names: str | None,
    seed: str | None,
    rolls: str,
    path: Path | None,
    at: int | None,
) -> tuple[Match, dict[int, Bot]]:
    """A new match, or a saved one, with the bots in their seats."""
    if rolls not in ("own", "typed"):
        raise LamplighterError(f"--rolls cannot be {rolls!r}: {suggest(rolls, ['own', 'typed'])}")
    if path is not None:
        match = record.read(path)
        if at is not None:
            match = match.branch(at)
        return match, _seat_bots(match, bots) if bots is not None else _bots_of_record(match)
    if at is not None:
        raise LamplighterError("--at goes with --from")
    if variant is None:
        raise LamplighterError("say which game, or --from FILE")
    loaded = lamplighter.load(variant)
    if rolls == "typed" and seed is not None:
        raise LamplighterError("--seed and --rolls typed exclude each other: the dice are yours")
    match = loaded.match(seed or None, typed=rolls == "typed")
    seated = _seat_bots(match, bots if bots is not None else bots_module.OPPONENT if loaded.seats > 1 else "none")
    people = [seat for seat in range(loaded.seats) if seat not in seated]
    given = [name.strip() for name in names.split(",")] if names else []
    if len(given) > len(people):
        raise LamplighterError(f"{len(given)} names for {len(people)} people")
    for seat, name in zip(people, given or (["You"] if len(people) == 1 else []), strict=False):
        match.players[seat] = name
    for seat, bot in seated.items():
        match.players[seat] = f"{bot.name} {seat}"
    match.tags["Bots"] = ",".join(seated[seat].name if seat in seated else "-" for seat in range(loaded.seats))
    return match, seated


def _seat_bots(match: Match, names: str) -> dict[int, Bot]:
    """`none`; one name for all seats but the first; names for the last seats; or a name or `-` for every seat."""
    seats = match.variant.seats
    listed = [name.strip() for name in names.split(",")]
    if names.strip() in ("none", ""):
        return {}
    if len(listed) > seats:
        raise LamplighterError(f"{len(listed)} bots for {seats} seats")
    if len(listed) == 1 and seats > 1:
        listed = listed * (seats - 1)
    first = seats - len(listed)
    return {first + i: load_bot(name) for i, name in enumerate(listed) if name != "-"}


def _bots_of_record(match: Match) -> dict[int, Bot]:
    """The bots that a record names. A program among them is not started: the record may be anybody's."""
    named = match.tags.get("Bots", "none")
    if "/" in named:
        raise LamplighterError(f"the record was played with a program, {named!r}: name it with --bots to start it")
    return _seat_bots(match, named)


# --- playing --------------------------------------------------------------------------------------------------


def play_match(match: Match, bots: dict[int, Bot]) -> None:
    """Play to the end, or until somebody leaves. Nothing is lost: what is not saved is kept."""
    try:
        Table(match, bots).run()
    finally:
        close_programs(bots.values())


class Table:
    """The loop around one match."""

    def __init__(self, match: Match, bots: dict[int, Bot]) -> None:
        self.match = match
        self.seated = {seat: SeatedBot(bot, match, seat) for seat, bot in bots.items()}
        self.people = [seat for seat in range(match.variant.seats) if seat not in bots]
        self.saved_length = len(match.log)
        self.labels = Labels(match.variant)
        self._read = _reader(match.variant.score_lines)
        self._shown = (-1, "")  # the seat whose sheet was shown last, and the sheet
        self._told = False  # whether an example of a move was shown

    def run(self) -> None:
        match = self.match
        game = match.variant.game
        dice = f"seed {match.seed}" if match.seed is not None else "dice from your table"
        console.print(f"[bold]{game.title}[/] [grey58]{match.variant.text}, {dice}; 'help' lists the commands[/]")
        try:
            while not match.is_over:
                if not match.waiting:
                    self._chance()
                elif acting := [seat for seat in match.waiting if seat in self.people]:
                    self._person(acting[0])
                else:
                    self._bot(match.waiting[0])
        except (Quit, EOFError, KeyboardInterrupt):
            self._leave()
            return
        self._finish()

    # --- turns

    def _chance(self) -> None:
        match, start = self.match, len(self.match.log)
        if match.seed is not None:
            if self.people and match.log and sys.stdin.isatty():
                self._between_turns()
                if match.waiting:
                    return
            match.roll()
        else:
            self._typed_roll()
        said = [
            self.labels.say(entry.text, match.players)
            for entry in match.log[start:]
            if entry.seat is None or entry.seat in self.people
        ]
        if said:
            console.print(Text(f"turn {match.position.turn}  ", "bold cyan").append(" · ".join(said), "bold yellow"))

    def _between_turns(self) -> None:
        """Everybody is done: the last moment to take something back."""
        while True:
            answer = self._read("[Enter to go on, or undo] ", []).strip().lower()
            if answer == "":
                return
            self._command(self.people[0], answer)
            if self.match.waiting:
                return

    def _typed_roll(self) -> None:
        match = self.match
        known = [self.labels.say(text, match.players) for text in match.position.outcomes()]
        whom = match.position.chance_seat
        name = f" for {match.players[whom]}" if whom is not None else ""
        shown = f"{known[0]} … {known[-1]}" if len(known) > 8 else "; ".join(known)
        answer = self._read(f"roll{name} ({shown}): ", known).strip()
        if answer in COMMANDS or answer.partition(" ")[0] in ("save", "rules", "sheet"):
            self._command(self.people[0] if self.people else 0, answer)
            return
        try:
            match.roll(*self.labels.read_outcomes(match.position, answer, match.players))
        except LamplighterError as error:
            console.print(Text(str(error), "red"))

    def _bot(self, seat: int) -> None:
        self.match.play(self.seated[seat].choose(self.match).move, seat)
        for fault in take_faults(self.seated[seat].bot):
            console.print(Text(fault, "red"))
        console.print(Text(f"{self.match.players[seat]}: {self.labels.show(self.match.log[-1].text)}", "grey58"))

    def _person(self, seat: int) -> None:
        match = self.match
        if self._shown != (seat, str(match.view(seat).position.draw(seat))):
            self._sheet(seat)
        legal = match.legal_moves(seat)
        shown = [self.labels.show(move) for move in legal]
        if not self._told:
            self._told = True
            console.print(Text(f"Type a move, such as {shown[0]!r}; 'moves' lists all {len(legal)}.", "grey58"))
        answer = self._read(f"{match.players[seat]}> ", list(dict.fromkeys([*shown, *legal]))).strip()
        if answer:
            self._answer(seat, answer, legal)

    def _answer(self, seat: int, answer: str, legal: list[str]) -> None:
        word = answer.lower().partition(" ")[0]
        if word in COMMANDS:
            self._command(seat, answer)
            return
        starts = self.labels.find(answer, legal)
        try:
            move = starts[0] if len(starts) == 1 else self.labels.read(self.match.position, seat, answer)
            self.match.play(move, seat)
        except IllegalMove as error:
            console.print(Text(f"refused: {error.sentence} ({error.rule})", "red"))
        except LamplighterError as error:
            hint = f"; {len(starts)} moves start so: 'moves {answer}' lists them" if len(starts) > 1 else ""
            console.print(Text(f"{error}{hint}", "red"))
        else:
            self._sheet(seat)

    # --- commands

    def _command(self, seat: int, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        action: Callable[[int, str], None] = getattr(self, f"_do_{word.lower()}", self._do_help)
        try:
            action(seat, rest.strip())
        except LamplighterError as error:
            console.print(Text(str(error), "red"))

    def _do_help(self, seat: int, rest: str) -> None:
        console.print(HELP)

    def _do_moves(self, seat: int, rest: str) -> None:
        legal = self.match.legal_moves(seat)
        shown = {self.labels.show(move): move for move in legal}
        wanted = [" ".join(text.lower().split()) for text in (rest, *self.labels.readings(rest))]
        found = [text for text, move in shown.items() if any(w in text.lower() or w in move.lower() for w in wanted)]
        console.print(Text(f"{len(found)} legal moves" + (f" with {rest!r}" if rest else "")))
        console.print(listed(found[:MOST_LISTED], "grey70"))
        if len(found) > MOST_LISTED:
            console.print(Text(f"… and {len(found) - MOST_LISTED} more: 'moves WORD' lists those with a word in them"))

    def _do_why(self, seat: int, rest: str) -> None:
        lines = {name: line for line, name in line_names(self.match.position).items()}
        line = lines.get(rest, rest)
        is_line = line in self.match.variant.score_lines
        if is_line:
            console.print(Text(str(self.match.position.why_score(line, seat))))
        try:
            refusal = self.match.why(self.labels.read(self.match.position, seat, rest), seat)
        except BadNotation:
            if is_line:  # few scoring lines are also the name of a move
                return
            raise
        if refusal is None:
            console.print(Text(f"{rest} is legal"))
        elif isinstance(refusal, IllegalMove):
            console.print(Text(f"{refusal.sentence} ({refusal.rule})"))
            self._do_rules(seat, refusal.rule)

    def _do_hint(self, seat: int, rest: str) -> None:
        """Say what the adviser would play. It sees what this seat sees."""
        count = parse_number(rest, 2) if rest else None
        if rest and not count:
            raise LamplighterError(f"say how many moves: hint 5, not {rest!r}")
        with console.status("thinking"):
            found = self.match.hint(seat, **({"count": count} if count else {}))
        self.match.tags["Hints"] = " ".join(map(str, sorted({seat, *record.hinted_seats(self.match)})))
        for advice in found:
            console.print(
                Text(self.labels.show(advice.move), "bold").append(str(advice).removeprefix(advice.said), "grey70")
            )

    def _do_undo(self, seat: int, rest: str) -> None:
        """Take back the last move of a person; what bots answered to it goes first."""
        match = self.match
        while match.log and match.log[-1].kind == "move" and match.log[-1].seat in self.seated:
            match.take_back(match.log[-1].seat)
        who = seat if match.log and match.log[-1].seat == seat else match.log[-1].seat if match.log else seat
        taken = match.take_back(who if who in self.people else seat)
        console.print(Text(f"taken back: {self.labels.show(taken)}"))

    def _do_score(self, seat: int, rest: str) -> None:
        console.print(score_table(self.match.position, self.match.players))

    def _do_sheet(self, seat: int, rest: str) -> None:
        named = [i for i, name in enumerate(self.match.players) if rest and rest.lower() in (name.lower(), str(i))]
        if rest and not named:
            console.print(Text(f"nobody is called {rest!r}: {suggest(rest, self.match.players)}", "red"))
            return
        self._sheet(named[0] if named else seat, viewer=seat)

    def _do_rules(self, seat: int, rest: str) -> None:
        text = self.match.variant.game.rules_text
        if rest:
            rule = rest if rest.startswith("§") else f"§{rest}"
            found = re.search(rf"\*\*{re.escape(rule)}\*\*.*?(?=\n\n|\Z)", text, re.DOTALL)
            text = found[0] if found else f"there is no paragraph {rule}"
        console.print(rules_page(text))

    def _do_save(self, seat: int, rest: str) -> None:
        if not rest:
            raise LamplighterError("say where: save FILE")
        self.match.save(rest)
        self.saved_length = len(self.match.log)
        console.print(Text(f"saved; go on with: lamplighter play --from {rest}"))

    def _do_quit(self, seat: int, rest: str) -> NoReturn:
        raise Quit

    # --- pictures

    def _sheet(self, seat: int, viewer: int | None = None) -> None:
        drawn = self.match.view(seat if viewer is None else viewer).position.draw(seat)
        if viewer is None:
            self._shown = (seat, str(drawn))
        console.print(f"\n[bold]{escape(self.match.players[seat])}[/]  {self.match.totals[seat]} points")
        console.print(paint(drawn))

    # --- endings

    def _finish(self) -> None:
        match = self.match
        for seat in self.people or range(match.variant.seats):
            self._sheet(seat)
        console.print("\n[bold]The end[/]")
        console.print(score_table(match.position, match.players))
        console.print(Text(result_line(match), "bold yellow"))
        for line in (medal_line(match), hints_line(match)):
            if line and self.people:
                console.print(Text(line))
        self._keep()

    def _leave(self) -> None:
        console.print()
        self._keep()

    def _keep(self) -> None:
        """Write what is not saved yet to the user's own folder, and say how to go on."""
        if len(self.match.log) == self.saved_length:
            return
        import platformdirs

        folder = Path(platformdirs.user_state_dir("lamplighter", appauthor=False))
        path = folder / f"{self.match.variant.game.id}-{time.strftime('%Y%m%d-%H%M%S')}.lamp"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.match.save(path)
        except (OSError, LamplighterError):
            console.print(Text(self.match.text))
            return
        what = "replay" if self.match.is_over else "play --from"
        console.print(Text(f"kept: lamplighter {what} {path}", "grey58"))


# --- reading --------------------------------------------------------------------------------------------------


def _reader(score_lines: tuple[str, ...]) -> Callable[[str, list[str]], str]:
    """Return what reads a line: with completion of what is legal at a terminal, plainly from a pipe."""
    if not sys.stdin.isatty():
        return lambda prompt, words: input(prompt)
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document

    class Legal(Completer):
        def __init__(self) -> None:
            self.words: list[str] = []

        def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
            typed = " ".join(document.text_before_cursor.lower().split(" "))
            prefix = "why " if typed.startswith("why ") else ""
            for word in [*self.words, *(score_lines if prefix else COMMANDS)]:
                if word.lower().startswith(typed[len(prefix) :]):
                    yield Completion(word, start_position=-len(typed) + len(prefix))

    session: PromptSession[Any] = PromptSession()
    legal = Legal()

    def read(prompt: str, words: list[str]) -> str:
        legal.words = words
        return str(session.prompt(prompt, completer=legal, complete_while_typing=len(words) < 2000))

    return read
