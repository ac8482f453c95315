"""`arena`: the table and the progress bar around bots.arena."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

import lamplighter
from lamplighter.bots.arena import ALONE, TABLE, Contest, compete
from lamplighter.bots.protocol import load_bot
from lamplighter.bots.rolls import read_rolls
from lamplighter.cli.terminal import console, errors
from lamplighter.errors import LamplighterError

GAMES = 100  # matches where nobody said how many
MEANS = {ALONE: "each bot alone on the same dice", TABLE: "all bots at one table, seats rotate"}


def run_arena(
    variant_text: str,
    bot_names: str,
    games: int | None,
    seed: str,
    rolls: Path | None,
    against: str,
    movetime: float | None,
    threads: int,
    as_json: bool,
) -> None:
    variant = lamplighter.load(variant_text)
    names = tuple(load_bot(name.strip()).name for name in bot_names.split(",") if name.strip())
    other = load_bot(against.strip()).name if against else ""
    fixed = () if rolls is None else read_rolls(variant, rolls)
    contest = Contest(variant, names, seed, fixed, other, movetime, load_bot)
    wanted = games or (len(fixed) if fixed else GAMES)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True) as progress:
        task = progress.add_task("playing", total=wanted)
        result = compete(contest, wanted, threads, lambda done: progress.advance(task, done))
    if not result.deals:
        raise LamplighterError("stopped before the first match was over")
    summary = result.summary()
    if len(result.deals) < wanted:
        errors.print(f"stopped early: {len(result.deals)} of {wanted} matches")
    for fault in dict.fromkeys(summary["faults"]):
        often = summary["faults"].count(fault)
        errors.print(Text(fault if often == 1 else f"{fault} ({often} times)", "red"), soft_wrap=True)
    if as_json:
        print(json_module.dumps(summary, indent=2, ensure_ascii=False))
    else:
        _print(summary, "" if rolls is None else str(rolls))
    if any(row["forfeits"] for row in summary["bots"]):
        raise typer.Exit(1)


def _print(summary: dict[str, Any], rolls: str) -> None:
    dice = f"dice of {rolls}" if rolls else f"seed {summary['seed']}"
    matches = "1 match" if summary["games"] == 1 else f"{summary['games']:,} matches"
    console.print(f"[bold]{summary['variant']}[/], {dice}, {matches}", soft_wrap=True)
    mode = MEANS.get(summary["mode"], f"each bot in one seat among copies of {summary['against']}, seats rotate")
    console.print(f"[grey58]{mode}[/]", soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    failed = any(row["forfeits"] for row in summary["bots"])
    for title in (
        "bot",
        "mean",
        "95 % interval",
        "sd",
        "wins",
        "s a move",
        "s a match",
        *(["forfeits"] if failed else []),
    ):
        table.add_column(title, justify="left" if title == "bot" else "right")
    for row in summary["bots"]:
        table.add_row(
            Text(row["name"]),
            "–" if row["mean"] is None else f"{row['mean']:.2f}",
            _say_interval(row["ci95"]),
            f"{row['sd']:.2f}",
            f"{row['win_rate']:.1%}",
            f"{row['seconds_per_move']:.3g}",
            f"{row['seconds_per_game']:.3g}",
            *([str(row["forfeits"])] if failed else []),
        )
    console.print(table)
    for row in summary["bots"]:
        if row["facts"] and row["mean"] is not None:
            counted = ", ".join(f"{name} {mean:.3g}" for name, mean in row["facts"].items())
            console.print(Text(f"{row['name']}: {counted}", "grey58"), soft_wrap=True)
    if failed:
        console.print("Who fails loses the match. Its points are left out of means and differences.", soft_wrap=True)
    for pair in summary["differences"]:
        if pair["mean"] is None:
            console.print(Text(f"{pair['a']} – {pair['b']}: no match in which neither failed"), soft_wrap=True)
            continue
        sure = "" if pair["ci95"] is None or pair["ci95"][0] <= 0 <= pair["ci95"][1] else ", clear"
        console.print(
            Text(f"{pair['a']} – {pair['b']}: {pair['mean']:+.2f} ({_say_interval(pair['ci95'], '+')}{sure})"),
            soft_wrap=True,
        )


def _say_interval(interval: list[float] | None, sign: str = "") -> str:
    return "no interval" if interval is None else f"{interval[0]:{sign}.2f} to {interval[1]:{sign}.2f}"
