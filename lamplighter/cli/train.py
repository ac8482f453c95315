"""`train`: fits a value for the search, sweep by sweep, and writes it down after each."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

import lamplighter
from lamplighter.bots.search.fit import Fit, Recipe
from lamplighter.bots.search.learn import Learning, Practice
from lamplighter.bots.search.rivals import Rivalry, Trial
from lamplighter.bots.search.weights import BadWeights, Weights, check_weights, folders, read_weights
from lamplighter.cli.terminal import console, errors
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError


def _show(progress: Progress, task: TaskID, part: float) -> None:
    progress.update(task, completed=part)


def train(
    variant_text: str, sweeps: int, matches: int, seed: str, out: Path | None, resume: bool, rolls: int = 0, rivals: int = 0,
    nodes: int = 0, deep: int = 0, **given: Any,
) -> None:  # fmt: skip
    """Fit or learn a value; `given` are fields of `Practice`, for learning by trying."""
    variant = lamplighter.load(variant_text)
    path = out or folders(variant)[0] / f"{_file_name(variant)}.json"
    before = None
    if resume:
        before = read_weights(path)
        check_weights(before, variant, path.name)
    has_net = before is not None and bool(before.hidden)
    if rivals and (rolls or nodes or deep):
        raise LamplighterError(
            "--rivals is another way to fit than --rolls, --nodes and --deep: it goes with none of them"
        )
    if rivals and has_net:
        raise LamplighterError(f"{path.name} has hidden nodes, and --rivals fits a plain sum: leave out --resume")
    if deep and not nodes and not has_net:
        raise LamplighterError("--deep is a second layer of nodes: say with --nodes how many the first one has")
    learns = not rivals and bool(nodes or rolls or has_net)
    if given and not learns:
        names = " and ".join(f"--{name}" for name in given)
        way_out = "leave out what goes with --rolls" if rivals else "say --rolls or --nodes, too"
        raise LamplighterError(f"{names} would change nothing: {way_out}")
    manner: dict[str, object] = {"matches": matches}
    fit: Fit
    if rivals:
        fit = Rivalry(variant, seed, Recipe(matches=matches), Trial(samples=rivals), before)
        manner |= {"rivals": rivals}
    elif learns:
        practice = Practice(matches, rolls=rolls or Practice.rolls, nodes=nodes, deep=deep, **given)
        fit = Learning(variant, seed, practice, before)
        manner |= {name: getattr(practice, name) for name in ("rolls", "width", "memory", "epochs", "nodes", "deep")}
    else:
        fit = Fit(variant, seed, Recipe(matches=matches), before)
    if before is None and path.exists():
        _make_room(path, variant, is_default=out is None)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True) as progress:
        for _ in range(sweeps):
            task = progress.add_task(f"sweep {fit.sweeps + 1}", total=1.0)
            missed = fit.sweep(partial(_show, progress, task))
            progress.remove_task(task)
            try:
                fit.weights(_command(variant, fit, manner, before)).save(path)
            except OSError as error:
                raise LamplighterError(f"cannot write {str(path)!r}: {error.strerror}") from None
            console.print(
                f"sweep {fit.sweeps}: played for {fit.mean:.2f} points, misses its targets by {missed:.2f}; saved",
                soft_wrap=True,
            )
    console.print(f"{fit.rows.shape[0]} rows of {fit.rows.shape[1]} weights in {path}", soft_wrap=True)


def _command(variant: Variant, fit: Fit, manner: dict[str, object], before: Weights | None) -> str:
    """Return what makes these weights, in one's own folder: where a file was written changes nothing in it."""
    sweeps = fit.sweeps - (0 if before is None else before.sweeps)
    words = ["lamplighter", "train", variant.short_text]
    given = {name: value for name, value in manner.items() if value or name == "memory"}
    words += [word for name, value in given.items() for word in (f"--{name}", str(value))]
    words += ["--sweeps", str(sweeps)]
    words += ["--seed", fit.seed] if before is None else ["--resume"]
    return " && ".join([*([] if before is None else [before.command]), shlex.join(words)])


def _make_room(path: Path, variant: Variant, is_default: bool) -> None:
    """Put weights aside that no bot can use. Others are not written over."""
    try:
        check_weights(read_weights(path), variant, path.name)
    except BadWeights as error:
        if is_default:  # what the message about such weights says must work: `lamplighter train GAME`
            path.replace(path.with_suffix(".old"))
            console.print(f"put aside as {path.with_suffix('.old').name}: {error}", soft_wrap=True, markup=False)
            return
    raise LamplighterError(f"{path} is there already: go on with --resume, or name another file with -o")


def _file_name(variant: Variant) -> str:
    """A name for the user's own file: the options that decide, and the box if it is another."""
    from lamplighter.bots.search.weights import box_hash, deciding_options

    parts = list(deciding_options(variant).values())
    return "-".join([*parts, *([box_hash(variant)] if variant.own_box else [])]) or "weights"
