"""`warm`: compile everything once, with a progress bar."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from lamplighter import bots, games, jit
from lamplighter.bots import Budget, hindsight
from lamplighter.bots.seat import SeatedBot
from lamplighter.cli.kernels import PASSES, child_environment, compile_command, note_warm
from lamplighter.cli.terminal import console, errors
from lamplighter.engine.batch import Batch, Simulator, match_key
from lamplighter.engine.loops import GREEDY, UNIFORM
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError
from lamplighter.lab.simulate import record_match


def warm_loops(game_id: str) -> None:
    """Whole matches inside the kernel, and batches: what `simulate`, bots and programs use."""
    variant = Variant(games.load(game_id))
    loop = Simulator(variant)
    loop.play_matches(np.full(variant.seats, UNIFORM, np.int64), 1, 0, 1)
    loop.play_logged(np.full(variant.seats, GREEDY, np.int64), match_key(1, 0))
    for rolls in (True, False):
        batch = Batch(variant, 1, rolls=rolls)
        batch.reset(1)
        batch.roll()
        legal = batch.legal()
        batch.legal_bits()
        batch.copy_rows(0, 0)
        batch.step(legal.actions[:1])
        batch.results()
    batch.begin(0, 1)
    batch.play(0, int(batch.actions[0]))


def warm_calls(game_id: str) -> None:
    """A match through the friendly API, which calls each kernel from Python, with a bot of each kind taking turns.

    Also what hints and hindsight use.
    """
    variant = Variant(games.load(game_id))
    match = variant.match(seed="warm")
    seated = [SeatedBot(bot, match, seat) for bot in bots.everyone() for seat in range(variant.seats)]
    while not match.is_over and len(match.log) < 200:
        match.roll()
        for seat in match.waiting[:1]:
            if len(match.log) < 10:
                match.hint(seat, bot="greedy")
            bot = seated[len(match.log) % len(bots.names()) * variant.seats + seat]
            match.play(bot.choose(match, Budget(simulations=4)).move, seat)
    for seat in range(variant.seats):
        match.position.score(seat)
        match.position.facts(seat)
        match.view(seat)
    match.winners()
    hindsight.warm(record_match(variant, bots.seat_bots("uniform", variant.seats), "warm", 0))


def main(what: str, game_id: str) -> None:
    """A further process: one pass of a game."""
    (warm_calls if what == "single moves" else warm_loops)(game_id)


def main_in_background(what: str, game_id: str) -> None:
    """The same in the background of a server: at low priority, until the process that started it ends."""

    def end_with_parent() -> None:
        os.read(0, 1)  # nothing comes but the end
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    os.nice(19)
    main(what, game_id)


def _compile(what: str, name: str) -> None:
    """Do one pass of a game in a process of its own."""
    job = subprocess.run(compile_command(what, name), env=child_environment())
    if job.returncode:
        raise LamplighterError("the kernels could not be compiled; the error is shown above")


def warm_games(wanted: list[str]) -> None:
    names = wanted or games.names()
    titles = {name: games.load(name).title for name in names}
    folder = jit.cache_folder()
    if folder is None:
        console.print("nothing to warm: the cache is off, or its folder cannot be written", soft_wrap=True)
        return
    started = time.perf_counter()
    columns = (TextColumn("{task.description:<38}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True) as progress, ThreadPoolExecutor(os.cpu_count()) as pool:
        task = progress.add_task("compiling", total=len(PASSES) * len(names))
        for what in PASSES:
            progress.update(task, description=what)
            jobs = {pool.submit(_compile, what, name): name for name in names}
            for job in as_completed(jobs):
                job.result()
                progress.update(task, advance=1, description=f"{titles[jobs[job]]}: {what}")
    if not jit.PURE:
        for name in names:
            note_warm(name)
    ready = f"{len(names)} {'game' if len(names) == 1 else 'games'} ready in {time.perf_counter() - started:.1f} s"
    console.print(f"{ready} in {folder.parent}", soft_wrap=True)


def clear_cache() -> None:
    root = jit.cache_root()
    console.print(f"{jit.clear_cache()} compiled files removed from {root}", soft_wrap=True)
