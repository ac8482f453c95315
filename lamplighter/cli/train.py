"""`train`: fits a value for the search, sweep by sweep, and writes it down after each."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

import lamplighter
from lamplighter.bots.search.fit import Fit, Recipe
from lamplighter.bots.search.learn import Learning, Practice
from lamplighter.bots.search.refine import Drill, Refinement
from lamplighter.bots.search.rivals import Rivalry, Trial
from lamplighter.bots.search.weights import check_weights, folders, read_weights
from lamplighter.cli.terminal import console, errors
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError


def _show(progress: Progress, task: TaskID, part: float) -> None:
    progress.update(task, completed=part)


def train(
    variant_text: str, sweeps: int, matches: int, seed: str, out: Path | None, resume: bool, rolls: int = 0, rivals: int = 0,
    nodes: int = 0, width: int = 2, memory: float = 0.9, epochs: int = 3,
) -> None:  # fmt: skip
    variant = lamplighter.load(variant_text)
    path = out or folders(variant)[0] / f"{_file_name(variant)}.json"
    before = None
    if resume:
        before = read_weights(path)
        check_weights(before, variant, path.name)
    elif path.exists():
        raise LamplighterError(f"{path} is there already: go on with --resume, or name another file with -o")
    manner = f" --matches {matches}" + (f" --rolls {rolls}" if rolls else f" --rivals {rivals}" if rivals else "")
    fit: Fit
    if rivals and (rolls or nodes):
        raise LamplighterError(
            "--rolls, --nodes and --rivals are different ways to fit: --rivals goes with neither of the others"
        )
    if nodes or (before is not None and before.hidden):
        nodes = len(before.hidden[0]) if before is not None and before.hidden else nodes
        rolls = rolls or Practice.rolls
        practice = Practice(rolls=rolls, nodes=nodes, memory=memory, epochs=epochs)
        recipe = Recipe(matches=matches, width=width)
        fit = Learning(variant, before.seed if before else seed, recipe, practice, before)
        manner = (
            f" --matches {matches} --rolls {rolls} --nodes {nodes} --width {width} --memory {memory} --epochs {epochs}"
        )
    elif rivals:
        fit = Rivalry(variant, seed, Recipe(matches=matches), Trial(samples=rivals), before)
    elif rolls == 0:
        fit = Fit(variant, seed, Recipe(matches=matches), before)
    elif before is None:
        raise LamplighterError("--rolls refines weights that are there: fit some without it first, then say --resume")
    else:
        fit = Refinement(variant, before.seed, Recipe(matches=matches), Drill(rolls=rolls), before)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True) as progress:
        for _ in range(sweeps):
            task = progress.add_task(f"sweep {fit.sweeps + 1}", total=1.0)
            missed = fit.sweep(partial(_show, progress, task))
            progress.remove_task(task)
            command = f"lamplighter train {variant.short_text!r}{manner}"
            if before is None:
                command += f" --sweeps {fit.sweeps} --seed {fit.seed}"
            else:
                command = f"{before.command} && {command} --sweeps {fit.sweeps - before.sweeps} --resume"
            try:
                fit.weights(command).save(path)
            except OSError as error:
                raise LamplighterError(f"cannot write {str(path)!r}: {error.strerror}") from None
            console.print(
                f"sweep {fit.sweeps}: played for {fit.mean:.2f} points, misses its targets by {missed:.2f}; saved",
                soft_wrap=True,
            )
    console.print(f"{fit.rows.shape[0]} rows of {fit.rows.shape[1]} weights in {path}", soft_wrap=True)


def _file_name(variant: Variant) -> str:
    """A name for the user's own file: the options that decide, and the box if it is another."""
    from lamplighter.bots.search.weights import box_hash, deciding_options

    parts = list(deciding_options(variant).values())
    return "-".join([*parts, *([box_hash(variant)] if variant.own_box else [])]) or "weights"
