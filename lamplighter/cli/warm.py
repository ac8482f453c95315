"""`warm`: compile everything once, with a progress bar."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from lamplighter import games, jit
from lamplighter.cli.terminal import console, errors
from lamplighter.cli.warm_cache import SEARCH, is_warm, jobs_of, seconds_of
from lamplighter.engine import chance
from lamplighter.engine.explanation import explain_line
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError

TITLES = {SEARCH: "bots and hints"}


def warm_game(game_id: str) -> None:
    """Compile what people and bots need of a game: its rules, and the kernels that its drawn sheet calls."""
    variant = Variant(games.load(game_id))
    variant.game.loops.rules.load()
    match = variant.match(seed="warm")
    while not match.is_over and len(match.log) < 20:
        match.roll()
        match.play(match.legal_moves(match.waiting[0])[-1], match.waiting[0])
    for line, points in match.score(0).items():
        explain_line(variant, match.position.state, 0, line, points)
    if variant.game.has_picture:
        match.position.svg(0)


def warm_search() -> None:
    """Compile the search, and what bots and dice call from Python."""
    from lamplighter.bots.search.program import PROGRAM

    PROGRAM.load()
    stream = np.zeros(4, np.int64)
    chance.start_stream(1, 0, stream)
    chance.below(6, stream)
    chance.next_word(stream)
    chance.philox(1, 0, 0, stream)


def main(job: str, all_programs: bool) -> None:
    """Compile a game with its simulation, or the search, into the cache; with `all_programs` also what few people ask for."""
    if job == SEARCH:
        warm_search()
        if all_programs:
            from lamplighter.bots import hindsight_kernels
            from lamplighter.bots.search.program import TRAINING

            hindsight_kernels.PROGRAM.load()
            TRAINING.load()
    else:
        warm_game(job)
        loops = games.load(job).loops
        loops.matches.load()
        if all_programs:
            loops.batches.load()


def main_in_background(job: str) -> None:
    """Compile what a server needs of one job: at low priority, until the process that started it ends."""

    def end_with_parent() -> None:
        os.read(0, 1)  # nothing comes but the end
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    os.nice(19)
    if job == SEARCH:
        warm_search()
    else:
        warm_game(job)


def warm_games(wanted: list[str], all_programs: bool) -> None:
    """Compile games, or all of them, and the search, on all cores: the longest job begins first."""
    names = wanted or games.names()
    titles = {name: games.load(name).title for name in names} | TITLES
    if jit.cache_folder() is None:
        console.print("nothing to warm: the cache is off, or its folder cannot be written", soft_wrap=True)
        return
    started, jobs = time.perf_counter(), jobs_of(names)
    if cold := [job for job in jobs if not is_warm(job)]:
        errors.print(
            f"compiling, about {seconds_of(cold) // (os.cpu_count() or 1)} s on this machine's cores", soft_wrap=True
        )
    columns = (TextColumn("{task.description:<38}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    processes = ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn"))
    with Progress(*columns, console=errors, transient=True) as progress, processes:
        task = progress.add_task("compiling", total=len(jobs))
        for done in as_completed(at_work := {processes.submit(main, job, all_programs): job for job in jobs}):
            if done.exception() is not None:
                processes.shutdown(cancel_futures=True)
                raise LamplighterError(f"{titles[at_work[done]]} could not be compiled") from done.exception()
            progress.update(task, advance=1, description=titles[at_work[done]])
    ready = f"{len(names)} {'game' if len(names) == 1 else 'games'} ready in {time.perf_counter() - started:.1f} s"
    console.print(f"{ready} in {jit.cache_root()}", soft_wrap=True)


def clear_cache() -> None:
    root = jit.cache_root()
    console.print(f"{jit.clear_cache()} compiled files removed from {root}", soft_wrap=True)
