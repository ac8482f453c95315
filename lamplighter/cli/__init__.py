"""The command line. Commands are thin: each imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from lamplighter.cli.admin import app as admin
from lamplighter.cli.box import app as box_commands
from lamplighter.errors import CannotStart, LamplighterError

app = typer.Typer(
    name="lamplighter",
    help="Plays, referees, simulates and teaches pencil-and-grid games.",
    epilog="Try: lamplighter play",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(admin)
app.add_typer(box_commands)

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's id, or a whole variant such as GAME?seats=4.")
]
Seats = Annotated[int | None, typer.Option("--seats", "-n", help="How many play.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-D", metavar="NAME=VALUE", help="An option of the game; may be repeated."),
]
VariantOption = Annotated[
    str, typer.Option("--variant", metavar="TEXT", help="Options as a variant writes them: seats=4&NAME=VALUE.")
]
Box = Annotated[
    Path | None, typer.Option("--box", metavar="FILE", help="A component file (TOML) that replaces the box.")
]
Seed = Annotated[str | None, typer.Option("--seed", "-s", help="Repeats the same dice; any word or number.")]
Json = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]


def _variant(game: str, seats: int | None, options: list[str] | None, box: Path | None, variant: str = "") -> str:
    """One variant text from the command line's parts."""
    parts = [] if seats is None else [f"seats={seats}"]
    parts += list(options or [])
    parts += [variant.removeprefix(f"{game}?")] if variant else []
    parts += [] if box is None else [f"box={quote(str(box), safe='/.-_')}"]
    text = game + ("&" if "?" in game and parts else "?" if parts else "") + "&".join(parts)
    if options:
        _refuse_idle(text, [option.partition("=")[0] for option in options])
    return text


def _refuse_idle(variant_text: str, named: list[str]) -> None:
    """Refuse options of the command line that would change nothing. A whole variant text may have them, as records do."""
    from lamplighter import games
    from lamplighter.engine.variant import split_variant
    from lamplighter.errors import BadVariant

    name, pairs = split_variant(variant_text)
    game = games.load(name)
    chosen = {key: game.option(key).parse(value) for key, value in pairs.items() if key != "box"}
    for option in game.idle_options({option.name: option.default for option in game.options} | chosen):
        if option.name in named:
            raise BadVariant(f"option {option.name!r} changes nothing here: it needs {option.needs}")


@app.command(epilog="Example: lamplighter games --json")
def games(json: Json = False) -> None:
    """List the games: ids, titles, seats, options, sources."""
    from lamplighter.cli.show import list_games

    list_games(json)


@app.command(epilog="Example: lamplighter show GAME --seed 7")
def show(
    game: GameArgument,
    seats: Seats = None,
    option: Options = None,
    variant: VariantOption = "",
    box: Box = None,
    seed: Seed = None,
    rules: Annotated[bool, typer.Option("--rules", help="Print the whole rules instead.")] = False,
    box_file: Annotated[bool, typer.Option("--box-file", help="Print the component file, to copy and change.")] = False,
    svg: Annotated[bool, typer.Option("--svg", help="Draw the sheet into a file, GAME.svg.")] = False,
    png: Annotated[bool, typer.Option("--png", help="The same as PNG.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Another name for the picture.")
    ] = None,
    theme: Annotated[
        str, typer.Option("--theme", help="Of the picture: light, dark, contrast, print, colour or low-ink.")
    ] = "light",
    large: Annotated[bool, typer.Option("--large", help="Larger letters in the picture.")] = False,
    panel: Annotated[bool, typer.Option("--panel", help="The score beside the sheet, line by line.")] = False,
    why: Annotated[
        str,
        typer.Option(
            "--why", metavar="LINE", help="Say why this scoring line has its points; a picture lights its cells."
        ),
    ] = "",
) -> None:
    """Show a game: what it is, a random match, a sheet."""
    from lamplighter.cli.show import draw_sheet, show_box, show_game, show_rules

    chosen = _variant(game, seats, option, box, variant)
    if svg or png:
        suffixes = [".svg"] * svg + [".png"] * png
        draw_sheet(chosen, seed, suffixes, out, theme, large, panel, why)
    elif large or panel or theme != "light" or out:
        raise LamplighterError("--theme, --large, --panel and --out go with --svg or --png")
    elif rules:
        show_rules(chosen)
    elif box_file:
        show_box(chosen)
    else:
        show_game(chosen, seed, why)


@app.command(epilog="Example: lamplighter learn GAME")
def learn(game: Annotated[str, typer.Argument(metavar="GAME", help="A game's id.")]) -> None:
    """Learn a game in a guided first match of a few minutes."""
    from lamplighter.cli.learn import teach

    teach(game)


@app.command(epilog="Example: lamplighter puzzle GAME --date 2026-03-04")
def puzzle(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's id.")],
    day: Annotated[str, typer.Option("--date", metavar="DAY", help="Another day's puzzle; today's without.")] = "",
) -> None:
    """Solve the puzzle of the day: the last turn of a match, whose best score is proved."""
    from lamplighter.cli.puzzle import solve

    solve(game, day)


@app.command(epilog="Example: lamplighter medals GAME?seats=1 --games 100")
def medals(
    variants: Annotated[list[str], typer.Argument(metavar="VARIANT…", help="Variants for one seat.")],
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="Matches for each bot.")] = 100,
    seed: Annotated[str, typer.Option("--seed", "-s", help="Repeats the same matches.")] = "1",
    threads: Annotated[int, typer.Option("--threads", "-t", min=1, help="Threads to play on.")] = 1,
) -> None:
    """Measure the medals of a game for one, and print the contents of its medals.toml."""
    from lamplighter.cli.medals import measure_medals

    measure_medals(variants, games, seed, threads)


@app.command(epilog="Example: lamplighter play GAME --seats 3 --bots hard --seed 7")
def play(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game's id or a whole variant; without it you are asked.")
    ] = None,
    seats: Seats = None,
    option: Options = None,
    box: Box = None,
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots",
            "-b",
            help="Bots for the last seats: easy,hard. One name takes all seats but yours; 'none': only people.",
        ),
    ] = None,
    names: Annotated[str | None, typer.Option("--names", help="The people's names, joined with commas.")] = None,
    seed: Seed = None,
    rolls: Annotated[
        str, typer.Option("--rolls", help="'own' rolls for you; 'typed' takes real dice from the table.")
    ] = "own",
    from_file: Annotated[Path | None, typer.Option("--from", metavar="FILE", help="Go on with it.")] = None,
    at: Annotated[int | None, typer.Option("--at", help="With --from: only so many log entries.")] = None,
) -> None:
    """Play in the terminal, against bots or with friends."""
    from lamplighter.cli.play import ask_for_game, play_match, seats_for, start_match

    if from_file is not None and (game or seats or option or box or names or seed or rolls != "own"):
        raise LamplighterError("--from brings its own game, seats, names and dice: give only --bots and --at beside it")
    if from_file is None and game is None:
        game, seats, bots = ask_for_game(seats, bots)
    elif game is not None:
        seats = seats_for(game, seats, bots)
    variant = None if game is None else _variant(game, seats, option, box)
    match, seat_bots = start_match(variant, bots, names, seed, rolls, from_file, at)
    play_match(match, seat_bots)


@app.command(epilog="Example: lamplighter serve --host 0.0.0.0 --port 8000 --workers 2")
def serve(
    host: Annotated[str, typer.Option("--host", help="0.0.0.0 lets other devices in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", "-p", min=1, max=65535)] = 8000,
    database: Annotated[
        str | None, typer.Option("--database", metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", "-w", min=1, max=64, help="Processes that serve; without it one.")
    ] = None,
    browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    logs: Annotated[str, typer.Option("--logs", help="short, or json for machines.")] = "short",
    boxes: Annotated[
        Path | None,
        typer.Option("--boxes", metavar="DIR", help="Offer the component files (TOML) of this folder for new tables."),
    ] = None,
) -> None:
    """Serve the games: tables for friends, families and bots in the browser."""
    from lamplighter.cli.serve import serve as run

    run(host, port, database, workers, browser, logs, boxes)


@app.command(
    epilog="Example: lamplighter simulate GAME --seats 2 --bots greedy,uniform --games 10000 --seed 1 --threads 2"
)
def simulate(
    game: GameArgument,
    seats: Seats = None,
    option: Options = None,
    box: Box = None,
    bots: Annotated[
        str, typer.Option("--bots", "-b", help="One bot for each seat, joined with commas; one name stands for all.")
    ] = "uniform",
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="How many matches.")] = 1000,
    seed: Annotated[str, typer.Option("--seed", "-s", help="Repeats the same matches; any word or number.")] = "1",
    threads: Annotated[
        int, typer.Option("--threads", "-t", min=1, help="Threads; the result does not depend on it.")
    ] = 1,
    records: Annotated[
        Path | None, typer.Option("--records", "-o", metavar="DIR", help="Write every match to this folder.")
    ] = None,
    json: Json = False,
) -> None:
    """Play whole matches at full speed and sum them up.

    They run inside the kernel; the result has every scoring line of every seat, and speed.
    """
    from lamplighter.cli.simulate import run_simulation

    run_simulation(_variant(game, seats, option, box), bots, games, seed, threads, records, json)


@app.command(epilog="Example: lamplighter arena GAME --bots greedy,uniform --games 200 --seed 1 --threads 2")
def arena(
    game: GameArgument,
    seats: Seats = None,
    option: Options = None,
    box: Box = None,
    bots: Annotated[
        str, typer.Option("--bots", "-b", help="The bots to compare, joined with commas.")
    ] = "greedy,uniform",
    games: Annotated[int | None, typer.Option("--games", "-g", min=1, help="On how many dice; default 100.")] = None,
    seed: Annotated[str, typer.Option("--seed", "-s", help="Repeats the same dice; any word or number.")] = "1",
    rolls: Annotated[
        Path | None, typer.Option("--rolls", metavar="FILE", help="Fixed outcomes instead: a JSON list a match.")
    ] = None,
    against: Annotated[
        str, typer.Option("--against", metavar="BOT", help="Who has the other seats, each bot in one.")
    ] = "",
    movetime: Annotated[
        float | None, typer.Option("--movetime", metavar="SECONDS", help="How long a bot may think about a move.")
    ] = None,
    threads: Annotated[
        int,
        typer.Option(
            "--threads", "-t", min=1, help="Matches at once. Results change only where a bot runs out of time."
        ),
    ] = 1,
    json: Json = False,
) -> None:
    """Compare bots on the same dice: points, wins, time.

    Differences are paired, with their 95 % interval. Ctrl-C ends early with what there is.
    """
    from lamplighter.cli.arena import run_arena

    run_arena(_variant(game, seats, option, box), bots, games, seed, rolls, against, movetime, threads, json)


@app.command(epilog="Example: lamplighter engine greedy")
def engine(bot: Annotated[str, typer.Argument(metavar="BOT", help="A bot's name, with its parameters.")]) -> None:
    """Let a bot speak the engine protocol on standard input and output.

    docs/protocol.md has the lines. They are for programs; try typing: lamplighter.
    """
    from lamplighter.bots import load
    from lamplighter.bots.serve_bot import BotServer

    BotServer(load(bot), sys.stdout).run(sys.stdin)


@app.command(epilog="Example: lamplighter train GAME --sweeps 3 --seed 1 --out weights.json")
def train(
    game: GameArgument,
    seats: Seats = None,
    option: Options = None,
    box: Box = None,
    sweeps: Annotated[int, typer.Option("--sweeps", min=1, help="How often all weights are fitted.")] = 20,
    matches: Annotated[int, typer.Option("--matches", min=10, help="Matches of self-play in a sweep.")] = 600,
    seed: Annotated[str, typer.Option("--seed", "-s", help="Repeats the same fit; any word or number.")] = "1",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where to; default: your own folder of weights.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in the file.")] = False,
    rolls: Annotated[int, typer.Option("--rolls", min=0, max=64, help="Learn by trying states on N next turns.")] = 0,
    nodes: Annotated[
        int, typer.Option("--nodes", min=0, max=128, help="As --rolls, with a net of N hidden nodes beside the sum.")
    ] = 0,
    deep: Annotated[int, typer.Option("--deep", min=0, max=128, help="With --nodes: a second layer of N nodes.")] = 0,
    width: Annotated[int | None, typer.Option("--width", min=1, max=100, help="With --rolls: its beam (2).")] = None,
    memory: Annotated[
        float | None,
        typer.Option("--memory", min=0, max=1, help="With --rolls: how much a sweep counts in the next (0.9)."),
    ] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", min=1, max=100, help="How often to learn them (3).")] = None,
    threads: Annotated[
        int | None, typer.Option("--threads", "-t", min=1, max=256, help="Threads; any number learns the same (1).")
    ] = None,
    rivals: Annotated[
        int, typer.Option("--rivals", min=0, max=1024, help="Fit to rival plans of a turn, each tried on N samples.")
    ] = 0,
) -> None:
    """Fit what states are worth, for the stronger bots.

    After each sweep the weights are saved, so that it can be stopped and resumed.
    """
    from lamplighter.cli.train import train as run

    practice = {"width": width, "memory": memory, "epochs": epochs, "threads": threads}
    given = {name: value for name, value in practice.items() if value is not None}
    run(_variant(game, seats, option, box), sweeps, matches, seed, out, resume, rolls, rivals, nodes, deep, **given)


@app.command(epilog="Example: lamplighter analyse match.lamp -o review.html")
def analyse(
    file: Annotated[Path, typer.Argument(help="A match record, text or JSON lines.")],
    seat: Annotated[int | None, typer.Option("--seat", help="Look at the moves of this seat only; from 0.")] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="How long to think about the whole match.")] = 15.0,
    threads: Annotated[
        int, typer.Option("--threads", "-t", min=0, help="Threads; 0, the default: one for each core.")
    ] = 0,
    json: Json = False,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="PAGE.html", help="Write a page instead.")] = None,
) -> None:
    """Look through a match: what each move gave away, turning points, luck and play."""
    from lamplighter.cli.analyse import analyse_file

    analyse_file(file, seat, seconds, threads, json, out)


@app.command(epilog="Example: lamplighter hindsight match.lamp --seconds 60")
def hindsight(
    file: Annotated[Path, typer.Argument(help="The record of a finished match.")],
    seat: Annotated[int | None, typer.Option("--seat", help="Only this seat; from 0.")] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="How long to look, for each seat.")] = 20.0,
    json: Json = False,
) -> None:
    """Find the best score that the dice of a match allowed, and prove it where that can be done."""
    from lamplighter.cli.hindsight import look_back

    look_back(file, seat, seconds, json)


@app.command(epilog="Example: lamplighter replay match.lamp --json")
def replay(
    file: Annotated[Path, typer.Argument(help="A match record, text or JSON lines.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object per log entry.")] = False,
) -> None:
    """Check a record and replay it, entry by entry."""
    from lamplighter.cli.records import replay_file

    replay_file(file, json)


@app.command(epilog="Example: lamplighter verify match.lamp")
def verify(files: Annotated[list[Path], typer.Argument(help="Match records.")]) -> None:
    """Check records against rules, seed, result and digest."""
    from lamplighter.cli.records import verify_files

    verify_files(files)


@app.command(epilog="Example: lamplighter warm")
def warm(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Only these games.")] = None,
    all_programs: Annotated[bool, typer.Option("--all", help="Also batches, hindsight and training.")] = False,
    clear: Annotated[bool, typer.Option("--clear", help="Empty the cache instead.")] = False,
) -> None:
    """Compile games into the cache, so nobody waits."""
    from lamplighter.cli.warm import clear_cache, warm_games

    if clear:
        clear_cache()
    else:
        warm_games(games or [], all_programs)


@app.command("new-game", epilog="Example: lamplighter new-game ID --into my_games")
def new_game(
    game_id: Annotated[str, typer.Argument(metavar="ID", help="Lower-case letters, digits and underscores.")],
    into: Annotated[
        Path | None, typer.Option("--into", help="The folder to put it in; default: the games of this checkout.")
    ] = None,
) -> None:
    """Start a game of your own from a template that plays.

    The copy passes the shared tests at once; docs/adding-a-game.md says how to go on.
    """
    from lamplighter.cli.new_game import copy_template

    copy_template(game_id, into)


@app.command("print", epilog="Example: lamplighter print GAME --copies 4 --paper a4 --rules --out game.pdf")
def print_command(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game's id or a whole variant; without it, say --record.")
    ] = None,
    seats: Seats = None,
    option: Options = None,
    variant: VariantOption = "",
    box: Box = None,
    copies: Annotated[
        int | None, typer.Option("--copies", "-c", help="How many blank sheets; default: one for each player.")
    ] = None,
    paper: Annotated[str, typer.Option("--paper", help="a4 or letter.")] = "a4",
    low_ink: Annotated[bool, typer.Option("--low-ink", help="Thin lines, little grey.")] = False,
    large: Annotated[bool, typer.Option("--large", help="Large print: one sheet on a page.")] = False,
    colour: Annotated[bool, typer.Option("--colour", "--color", help="In colours, on white paper.")] = False,
    rules: Annotated[bool, typer.Option("--rules", help="With the rules as a booklet.")] = False,
    minute: Annotated[bool, typer.Option("--minute", help="The rules in a minute instead: one page.")] = False,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Print this match instead: sheets, scores, moves.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE.pdf", help="Where to; default: the game's or record's name."),
    ] = None,
) -> None:
    """Make a PDF: blank sheets, pieces, rules, or a match."""
    from lamplighter.cli.printing import print_minute_page, print_to_file
    from lamplighter.paper import Style

    chosen = _variant(game or "", seats, option, box, variant)
    style = Style(paper.lower(), low_ink, large, colour)
    if minute:
        print_minute_page(chosen, style, out, alone=copies is None and not rules and record is None)
    else:
        print_to_file(chosen, style, copies, rules, record, out)


def _version(value: bool) -> None:
    if value:
        from lamplighter import __version__

        typer.echo(f"lamplighter {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Plays, referees, simulates and teaches pencil-and-grid games."""


def main() -> None:
    """Run a command. What a person can mend is a sentence and exit code 2 (1: on the machine), never a traceback."""
    try:
        with _compiling_shown():
            app()
    except LamplighterError as error:
        _say_error(str(error))
        sys.exit(1 if isinstance(error, CannotStart) else 2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:  # a file that is a folder, a name that is too long, a full disk
        _say_error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        sys.exit(1)
    except UnicodeError:
        _say_error("what was typed, or a file's name, has bytes that are no text")
        sys.exit(2)


@contextlib.contextmanager
def _compiling_shown() -> Iterator[None]:
    """Let `jit` say what it compiles, and how long that takes, while the command waits for it."""
    log, handler = logging.getLogger("lamplighter.compile"), logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False
    try:
        yield
    finally:  # a program may call `main` too
        log.removeHandler(handler)
        log.setLevel(logging.NOTSET)
        log.propagate = True


def _say_error(text: str) -> None:
    from rich.console import Console
    from rich.markup import escape

    from lamplighter.engine.reading import without_control

    shown = escape(without_control(text, "\n"))
    Console(stderr=True, soft_wrap=True).print(f"[bold red]error:[/bold red] {shown}", highlight=False)
