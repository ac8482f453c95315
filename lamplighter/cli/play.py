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
from lamplighter.bots.seat import SeatedBot
from lamplighter.cli.records import result_line
from lamplighter.cli.terminal import console, paint, score_table
from lamplighter.engine import record
from lamplighter.engine.match import Match
from lamplighter.errors import IllegalMove, LamplighterError, suggest

HELP = """[bold]a move[/]       what Tab offers; the start of it is enough when it is clear
[bold]moves \\[word][/] list what is legal (with that word in it)
[bold]why MOVE[/]     why a move is refused
[bold]undo[/]         take your last move back, until the next roll
[bold]score[/]        all scoring lines of everybody
[bold]sheet \\[name][/] a sheet again, or somebody else's
[bold]rules \\[§][/]    the rules, or one paragraph
[bold]save FILE[/]    write the match; go on later with lamplighter play --from FILE
[bold]quit[/]         leave; the match is kept"""

COMMANDS = ("moves", "why", "undo", "score", "sheet", "rules", "save", "help", "quit")


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
        bots = _ask("Against bots or people?", [*bots_module.BOTS, "people"], "greedy").replace("people", "none")
    return game.id, seats, bots


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
            match = _cut(match, at)
        return match, _seat_bots(match, bots if bots is not None else match.tags.get("Bots", "none"))
    if at is not None:
        raise LamplighterError("--at goes with --from")
    if variant is None:
        raise LamplighterError("say which game, or --from FILE")
    loaded = lamplighter.load(variant)
    if rolls == "typed" and seed is not None:
        raise LamplighterError("--seed and --rolls typed exclude each other: the dice are yours")
    match = loaded.match(seed=None if rolls == "typed" else seed or "")
    seated = _seat_bots(match, bots if bots is not None else "greedy" if loaded.seats > 1 else "none")
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


def _cut(match: Match, entries: int) -> Match:
    if not 0 <= entries <= len(match.log):
        raise LamplighterError(f"--at {entries}: the record has {len(match.log)} entries")
    shorter = match.variant.match(seed=match.seed, players=match.players)
    shorter.tags = dict(match.tags)
    for entry in match.log[:entries]:
        if entry.kind == "chance":
            shorter.deal(entry.value)
        else:
            shorter.act(entry.seat or 0, entry.value)
        if entry.comment:
            shorter.comment(entry.comment)
    return shorter


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
    return {first + i: bots_module.load(name) for i, name in enumerate(listed) if name != "-"}


# --- playing --------------------------------------------------------------------------------------------------


def play_match(match: Match, bots: dict[int, Bot]) -> None:
    """Play to the end, or until somebody leaves. Nothing is lost: what is not saved is kept."""
    Table(match, bots).run()


class Table:
    """The loop around one match."""

    def __init__(self, match: Match, bots: dict[int, Bot]) -> None:
        self.match = match
        self.seated = {seat: SeatedBot(bot, match, seat) for seat, bot in bots.items()}
        self.people = [seat for seat in range(match.variant.seats) if seat not in bots]
        self.saved_length = len(match.log)
        self._read = _reader()
        self._shown = (-1, -1)  # the turn and seat whose sheet was shown last

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
        texts = [entry.text for entry in match.log[start:] if entry.seat is None or entry.seat in self.people]
        if texts:
            console.print(f"[bold cyan]turn {match.position.turn}[/]  [bold yellow]{', '.join(texts)}[/]")

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
        known = list(self.match.position.outcomes())
        whom = self.match.position.chance_seat
        name = f" for {self.match.players[whom]}" if whom is not None else ""
        shown = f"{known[0]} … {known[-1]}" if len(known) > 8 else ", ".join(known)
        answer = self._read(f"roll{name} ({shown}): ", known).strip()
        if answer in COMMANDS or answer.partition(" ")[0] in ("save", "rules", "sheet"):
            self._command(self.people[0] if self.people else 0, answer)
            return
        try:
            self.match.roll(answer)
        except LamplighterError as error:
            console.print(Text(str(error), "red"))

    def _bot(self, seat: int) -> None:
        self.match.act(seat, self.seated[seat].choose(self.match))
        console.print(f"[grey58]{self.match.players[seat]}: {self.match.log[-1].text}[/]")

    def _person(self, seat: int) -> None:
        match = self.match
        if self._shown != (match.position.turn, seat):
            self._shown = (match.position.turn, seat)
            self._sheet(seat)
        legal = match.legal_moves(seat)
        answer = self._read(f"{match.players[seat]}> ", legal).strip()
        if answer:
            self._answer(seat, answer, legal)

    def _answer(self, seat: int, answer: str, legal: list[str]) -> None:
        word = answer.lower().partition(" ")[0]
        if word in COMMANDS:
            self._command(seat, answer)
            return
        starts = [move for move in legal if move.lower().startswith(" ".join(answer.lower().split()))]
        try:
            self.match.play(starts[0] if len(starts) == 1 else answer, seat)
        except IllegalMove as error:
            console.print(Text(f"refused: {error.sentence} ({error.rule})", "red"))
        except LamplighterError as error:
            hint = f"; {len(starts)} moves start so: 'moves {answer}' lists them" if len(starts) > 1 else ""
            console.print(Text(f"{error}{hint}", "red"))

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
        legal = [move for move in self.match.legal_moves(seat) if rest.lower() in move.lower()]
        console.print(f"{len(legal)} legal moves" + (f" with {rest!r}" if rest else ""))
        console.print(Text("   ".join(legal[:400]) + (" …" if len(legal) > 400 else ""), "grey70"))

    def _do_why(self, seat: int, rest: str) -> None:
        refusal = self.match.why(rest, seat)
        if refusal is None:
            console.print(f"{rest} is legal")
        elif isinstance(refusal, IllegalMove):
            console.print(Text(f"{refusal.sentence} ({refusal.rule})"))
            self._do_rules(seat, refusal.rule)

    def _do_undo(self, seat: int, rest: str) -> None:
        """Take back the last move of a person; what bots answered to it goes first."""
        match = self.match
        while match.log and match.log[-1].kind == "move" and match.log[-1].seat in self.seated:
            match.take_back(match.log[-1].seat)
        who = seat if match.log and match.log[-1].seat == seat else match.log[-1].seat if match.log else seat
        console.print(f"taken back: {match.take_back(who if who in self.people else seat)}")
        self._shown = (-1, -1)

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
        if not rest:
            console.print(Text(text))
            return
        rule = rest if rest.startswith("§") else f"§{rest}"
        found = re.search(rf"\*\*{re.escape(rule)}\*\*.*?(?=\n\n|\Z)", text, re.DOTALL)
        console.print(Text(found[0] if found else f"there is no paragraph {rule}", "grey70"))

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
        seen = self.match.view(seat if viewer is None else viewer).position
        console.print(f"\n[bold]{self.match.players[seat]}[/]  {self.match.totals[seat]} points")
        console.print(paint(seen.draw(seat)))

    # --- endings

    def _finish(self) -> None:
        match = self.match
        for seat in self.people or range(match.variant.seats):
            self._sheet(seat)
        console.print("\n[bold]The end[/]")
        console.print(score_table(match.position, match.players))
        console.print(f"[bold yellow]{result_line(match)}[/]")
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


def _reader() -> Callable[[str, list[str]], str]:
    """How lines are read: with completion of what is legal at a terminal, plainly from a pipe."""
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
            for word in [*self.words, *([] if prefix else COMMANDS)]:
                if word.lower().startswith(typed[len(prefix) :]):
                    yield Completion(word, start_position=-len(typed) + len(prefix))

    session: PromptSession[Any] = PromptSession()
    legal = Legal()

    def read(prompt: str, words: list[str]) -> str:
        legal.words = words
        return str(session.prompt(prompt, completer=legal, complete_while_typing=len(words) < 2000))

    return read
