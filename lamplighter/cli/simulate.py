"""`simulate`: the table, the progress bar and the folder of records around lab.simulate."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

import lamplighter
from lamplighter import bots
from lamplighter.bots.protocol import load_bot, take_faults
from lamplighter.cli.terminal import console, errors
from lamplighter.engine.match import Match
from lamplighter.errors import LamplighterError
from lamplighter.lab.simulate import QUANTILES, record_match, simulate


def run_simulation(
    variant_text: str, bot_names: str, games: int, seed: str, threads: int, records: Path | None, as_json: bool
) -> None:
    variant = lamplighter.load(variant_text)
    seated = bots.seat_bots(bot_names, variant.seats, load_bot)
    if records is not None:
        _make_folder(records)

    def save(number: int, match: Match) -> None:
        assert records is not None
        match.save(records / f"{variant.game.id}-{number:06d}.lamp")

    is_compiled = all(bot.policy is not None for bot in seated)
    keep = (
        None if records is None or is_compiled else save
    )  # a program, or a bot by the clock, may play otherwise another time
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True) as progress:
        task = progress.add_task("playing", total=games)
        result = simulate(variant, seated, games, seed, threads, lambda done: progress.advance(task, done), keep)
        if not result.games:
            raise LamplighterError("stopped before the first match was over")
        if records is not None and is_compiled:
            task = progress.add_task("writing", total=result.games)
            for number in range(result.games):
                save(number, record_match(variant, seated, seed, number))
                progress.advance(task)
    summary = result.summary()
    for fault in [fault for bot in seated for fault in take_faults(bot)]:
        errors.print(Text(fault, "red"), soft_wrap=True)
    if result.games < games:
        errors.print(f"stopped early: {result.games} of {games} matches")
    if as_json:
        print(json_module.dumps(summary, indent=2, ensure_ascii=False))
    else:
        _print(summary)
    if records is not None:
        errors.print(f"{result.games} records in {records}")


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LamplighterError(f"cannot make the folder {str(path)!r}: {error.strerror}") from None


def _print(summary: dict[str, Any]) -> None:
    seats = summary["seats"]
    table = Table(title=f"{summary['variant']}, seed {summary['seed']}, {summary['games']:,} matches", box=None)
    table.add_column("")
    for seat, row in enumerate(seats):
        table.add_column(f"seat {seat}\n{row['bot']}", justify="right")
    table.add_row("mean", *(f"{row['mean']:.2f}" for row in seats), style="bold")
    table.add_row("sd", *(f"{row['sd']:.2f}" for row in seats))
    for quantile in QUANTILES:
        table.add_row(f"{quantile:.0%} quantile", *(f"{row['quantiles'][f'{quantile:g}']:g}" for row in seats))
    table.add_row("lowest, highest", *(f"{row['min']}, {row['max']}" for row in seats))
    table.add_row("wins", *(f"{row['win_rate']:.1%}" for row in seats), style="bold")
    table.add_section()
    for name in seats[0]["lines"]:
        table.add_row(name, *(f"{row['lines'][name]:.2f}" for row in seats))
    table.add_section()
    known = {"bot", "mean", "sd", "quantiles", "min", "max", "win_rate", "lines"}
    for name in (name for name in seats[0] if name not in known):
        table.add_row(f"({name})", *(f"{row[name]:.2f}" for row in seats), style="grey58")
    console.print(table)
    console.print(
        f"{summary['moves']:,} moves in {summary['seconds']:.2f} s: "
        f"{summary['games_per_second']:,.0f} matches and {summary['moves_per_second']:,.0f} moves a second"
    )
