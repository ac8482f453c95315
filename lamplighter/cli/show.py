"""`games` and `show`: what there is, and what it is like."""

from __future__ import annotations

import json as json_module
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

import lamplighter
from lamplighter import games, svg
from lamplighter.cli.printing import check_name, write
from lamplighter.cli.terminal import console, paint, rules_page, score_table
from lamplighter.engine.game import KINDS, Game, format_value
from lamplighter.errors import LamplighterError, suggest

if TYPE_CHECKING:
    from lamplighter.engine.match import Match
    from lamplighter.engine.variant import Variant


def describe(game: Game) -> dict[str, Any]:
    """Return a game as plain data."""
    return {
        "id": game.id,
        "title": game.title,
        "seats": list(game.seats),
        "default_seats": game.default_seats,
        "summary": game.summary,
        "source": game.source,
        "rules_version": game.rules_version,
        "options": [
            {
                "name": option.name,
                "kind": option.kind,
                "default": option.default,
                "values": list(option.values),
                "when": {name: list(values) for name, values in option.when.items()},
                "help": option.help,
                "ruling": option.ruling,
            }
            for option in game.options
        ],
    }


def list_games(as_json: bool) -> None:
    found = [games.load(name) for name in games.names()]
    if as_json:
        print(json_module.dumps([describe(game) for game in found], indent=2, ensure_ascii=False))
        return
    for game in found:
        low, high = game.seats
        seats = f"{low}–{high} players" if low < high else f"{low} players" if low > 1 else "1 player"
        options = ", ".join(option.name for option in game.options[1:])
        console.print(f"[bold yellow]{game.id}[/]  [bold]{game.title}[/]  {seats}")
        for text, style in (
            (game.summary, ""),
            (f"options: {options}" if options else "", "cyan"),
            (game.source, "grey58"),
        ):
            if text:
                console.print(Padding(Text(text, style), (0, 0, 0, 4)))
        console.print()
    console.print("[grey58]lamplighter show ID[/] shows one, [grey58]lamplighter play ID[/] plays it.")


def rules_summary(game: Game) -> str:
    """Return the opening paragraph of the rules, and what each part is about."""
    text = game.rules_text
    opening = text.split("\n\n")[1].replace("\n", " ")
    parts = re.findall(r"^## (.+)$", text, re.MULTILINE)
    return f"{opening}\n\nThe rules: {' · '.join(parts)}" if parts else opening


def sample_match(variant: Variant, seed: str | None) -> tuple[Match, str]:
    """Return a random match, and the word for `--seed` that shows the same one again."""
    from lamplighter import bots
    from lamplighter.engine import chance
    from lamplighter.lab.simulate import record_match

    chosen = seed or chance.new_seed()
    return record_match(variant, bots.seat_bots("uniform", variant.seats), chosen, 0), chosen


def draw_sheet(
    variant_text: str,
    seed: str | None,
    suffixes: list[str],
    out: Path | None,
    theme: str,
    large: bool,
    panel: bool,
    why: str,
) -> None:
    """The sheet of a random match at its end, as a picture: a file for each of the suffixes."""
    if out is not None and len(suffixes) > 1:
        raise LamplighterError("--out names one file: give --svg or --png beside it, not both")
    if theme not in svg.THEMES:
        raise LamplighterError(f"there is no theme {theme!r}: {suggest(theme, svg.THEMES)}")
    variant = lamplighter.load(variant_text)
    files = [out or Path(f"{variant.game.id}{suffix}") for suffix in suffixes]
    for path, suffix in zip(files, suffixes, strict=True):
        check_name(path, suffix)
    match, seed = sample_match(variant, seed)
    reason = match.position.why_score(why, 0) if why else None
    drawn = match.position.svg(0, why=why, theme=theme, large=large, panel=panel or bool(why))
    for path, suffix in zip(files, suffixes, strict=True):
        if suffix == ".svg":
            content = drawn.encode()
        else:
            from lamplighter.paper import png

            content = png(drawn)
        write(path, content)
        console.print(Text(f"{path}: the sheet of {match.players[0]}, seed {seed}"), soft_wrap=True)
    if reason is not None:
        console.print(Text(str(reason)), soft_wrap=True)


def show_game(variant_text: str, seed: str | None, why: str) -> None:
    """Print what a game is about, a random match, the sheet of its first seat, and why a scoring line has its points."""
    variant = lamplighter.load(variant_text)
    game = variant.game
    match, seed = sample_match(variant, seed)
    reason = match.position.why_score(why, 0) if why else None
    console.print(Panel(Text(rules_summary(game)), title=f"[bold]{game.title}[/]", subtitle=variant.text))
    for kind, meaning in KINDS.items():
        options = [option for option in game.options if option.kind == kind]
        if options:
            console.print(f"[cyan]{kind}[/] [grey58]{meaning}[/]")
        for option in options:
            values = ", ".join(format_value(value) for value in option.values)
            needs = f" [grey58]only with {option.needs}[/]" if option.needs else ""
            ruling = f" ({option.ruling})" if option.ruling else ""
            console.print(f"  [bold]{option.name}[/] {values} [grey58]{option.help}{ruling}[/]{needs}")
    console.print(Text.assemble("\n", ("A random match", "bold"), (f" seed {seed}\n", "grey58")))
    console.print(Text(match.text.partition("\n\n")[2].rstrip()), soft_wrap=True)
    console.print(f"\n[bold]The sheet of {match.players[0]} at its end[/]\n")
    console.print(paint(match.position.draw(0)), crop=console.is_terminal)
    console.print()
    console.print(score_table(match.position, match.players))
    if reason is not None:
        console.print(Text(f"\n{match.players[0]}, {reason}"), soft_wrap=True)


def show_rules(variant_text: str) -> None:
    game = lamplighter.load(variant_text).game
    console.print(rules_page(game.rules_text))


def show_box(variant_text: str) -> None:
    print(lamplighter.load(variant_text).file.text, end="")
