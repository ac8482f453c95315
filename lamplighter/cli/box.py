"""`lamplighter box`: component files of one's own, begun from the game's and checked before anybody plays with them."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lamplighter.errors import BadBox, LamplighterError

if TYPE_CHECKING:
    from lamplighter.engine.box_check import BoxCheck
    from lamplighter.engine.game import Game
    from lamplighter.engine.variant import Variant

app = typer.Typer(
    name="box",
    help="Make and check component files: sheets, tiles and cards of your own.",
    epilog="Example: lamplighter box new GAME",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

HEAD = """\
# A box of your own for {title}.
#
# 1. Give it a title, which people see when they choose it.
# 2. Change what is below; the comments say what each key means and what its limits are. Every key must stay.
# 3. Check it, and look at the sheet:  lamplighter box check {file}
# 4. Play with it:                     lamplighter play {game} --box {file}
#    Print its sheets:                 lamplighter print {game} --box {file}
#    Offer it on a server:             lamplighter serve --boxes FOLDER

"""


@app.command("new", epilog="Example: lamplighter box new GAME --out my_sheet.toml")
def new(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's id.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Where to; default: GAME_box.toml in this folder."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Write over a file that is there.")] = False,
) -> None:
    """Write a component file to change: the game's own, with comments."""
    from lamplighter import games

    target = write_box(games.load(game), out or Path(f"{game}_box.toml"), force)
    typer.echo(f"{target}: what is in the box of {games.load(game).title}, for you to change. Then:")
    typer.echo(f"  lamplighter box check {shlex.quote(str(target))}")


@app.command("check", epilog="Example: lamplighter box check my_sheet.toml")
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A component file (TOML).")],
    game: Annotated[
        str,
        typer.Option("--game", "-g", metavar="GAME", help="Its game, or a whole variant, if the file does not say it."),
    ] = "",
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="PICTURE", help="Draw the blank sheet into this file.")
    ] = None,
    png: Annotated[Path | None, typer.Option("--png", metavar="PICTURE", help="The same as PNG.")] = None,
) -> None:
    """Check a component file and show its sheet.

    The exit code is 1 if the file is refused, and 0 if it can be played, also where something in it is odd.
    """
    if "lamplighter.jit" not in sys.modules:
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # one sheet is drawn sooner than its kernels are compiled
    from lamplighter.cli.printing import check_name
    from lamplighter.cli.terminal import errors

    for path, suffix in ((svg, ".svg"), (png, ".png")):
        if path is not None:
            check_name(path, suffix)
    try:
        found = read(file, game)
    except BadBox as error:
        from rich.markup import escape

        errors.print(f"[bold red]error:[/bold red] {escape(str(error))}", soft_wrap=True)
        raise typer.Exit(1) from None
    report(found, file)
    draw(found.variant, svg, png)


# --- new ------------------------------------------------------------------------------------------------------


def write_box(game: Game, target: Path, force: bool) -> Path:
    """Write a game's own component file with a head that says what to do; never over another file unasked."""
    from lamplighter.cli.printing import check_name, write

    if not game.box_text:
        raise LamplighterError(f"{game.id} has no component file: what it is played with cannot be changed")
    if target.is_dir():
        target = target / f"{game.id}_box.toml"
    check_name(target, ".toml")
    if target.exists() and not force:
        raise LamplighterError(f"{str(target)!r} is there already: name another file with --out, or add --force")
    write(target, box_with_head(game, target).encode())
    return target


def box_with_head(game: Game, target: Path) -> str:
    """Return a game's own component file under a head: steps for its author, its game and a title."""
    from lamplighter.engine.component_file import TITLE_LIMIT, ComponentFile

    own = ComponentFile(game.box_text, f"{game.id}/box.toml")
    file = shlex.quote(str(target)).replace("\n", " ")
    head = HEAD.format(title=game.title, game=game.id, file=file)
    head += "" if own.game else f'game = "{game.id}"\n'
    title = f"My {game.title}"[:TITLE_LIMIT].replace("\\", "").replace('"', "'")
    head += "" if own.title else f'title = "{title}"\n'
    return f"{head}\n{game.box_text}"


# --- check ----------------------------------------------------------------------------------------------------


def read(path: Path, game_text: str) -> BoxCheck:
    """Read a component file for the game that it says, or that the command line says."""
    from lamplighter import games
    from lamplighter.engine.box_check import check_box, game_of
    from lamplighter.engine.variant import read_box, split_variant
    from lamplighter.errors import BadVariant

    name, options = split_variant(game_text)
    known = games.load(name) if name else None  # a wrong name on the command line is no mistake of the file
    if "box" in options:
        raise BadVariant("the file is the box: leave 'box' out of --game")
    file = read_box(str(path))
    if known is None and not file.game:
        raise LamplighterError(
            f'{path} does not say its game: write game = "ID" into its first line, or add --game ID '
            f"({', '.join(games.names())})"
        )
    return check_box(known or game_of(file), file, options)


def report(found: BoxCheck, path: Path) -> None:
    """Say what a file is, what is odd in it, and what its sheet looks like."""
    from rich.text import Text

    from lamplighter.cli.terminal import console, paint

    variant, remarks = found.variant, found.remarks()
    called = f", {variant.file.title!r}" if variant.file.title else ""
    console.print(Text(f"{path}: a box of {variant.game.title}{called}. It can be played."), soft_wrap=True)
    for line, sentence in remarks:
        where = f"line {line}: " if line else ""
        console.print(Text(f"  {where}{sentence}", "yellow"), soft_wrap=True)
    if not remarks:
        console.print("  Nothing in it is odd.", style="grey58")
    console.print()
    console.print(paint(variant.start().draw(0)), crop=console.is_terminal)


def draw(variant: Variant, svg_file: Path | None, png_file: Path | None) -> None:
    """Draw the blank sheet into files."""
    if svg_file is None and png_file is None:
        return
    from lamplighter import svg
    from lamplighter.cli.printing import write
    from lamplighter.paper import png
    from lamplighter.paper.sheet import draw_blank

    title = f"{variant.game.title}, blank sheet"
    drawn = svg.frame(draw_blank(variant), title, str(variant.start().draw(0)))
    if svg_file is not None:
        write(svg_file, drawn.encode())
    if png_file is not None:
        write(png_file, png(drawn))
    for path in filter(None, (svg_file, png_file)):
        typer.echo(f"{path}: {title}")
