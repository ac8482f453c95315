"""`warm`: compile everything once, with a progress bar.

Numba files a kernel that is passed to a loop under another name than one that is called, and a process saves only the
name that it met first. So there are three passes, each in a process of its own; then every later start finds both.
"""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from lamplighter import bots, games, jit
from lamplighter.bots.playout import Player, match_key
from lamplighter.bots.seat import SeatedBot
from lamplighter.cli.terminal import console, errors
from lamplighter.engine.variant import Variant
from lamplighter.errors import LamplighterError


def warm_loops(game_id: str) -> None:
    """Whole matches inside the kernel: what `simulate` and bots use."""
    variant = Variant(games.load(game_id))
    player = Player(variant)
    for bot in bots.BOTS.values():
        player.play_many(np.full(variant.seats, bot.policy, np.int64), 1, 0, 1)
    player.play_logged(np.zeros(variant.seats, np.int64), match_key(1, 0))


def warm_calls(game_id: str) -> None:
    """A match through the friendly API, which calls each kernel from Python, with a bot of each kind taking turns."""
    variant = Variant(games.load(game_id))
    match = variant.match(seed="warm")
    seated = [SeatedBot(bot, match, seat) for bot in bots.BOTS.values() for seat in range(variant.seats)]
    while not match.is_over and len(match.log) < 200:
        match.roll()
        for seat in match.waiting[:1]:
            bot = seated[len(match.log) % len(bots.BOTS) * variant.seats + seat]
            match.act(seat, bot.choose(match))
    for seat in range(variant.seats):
        match.position.score(seat)
        match.position.facts(seat)
        match.view(seat)
    match.winners()


def main(what: str, names: list[str]) -> None:
    """A further process: a line is printed for every game that is done."""
    for name in names:
        PASSES[what](name)
        print(name, flush=True)


PASSES = {"whole matches": warm_loops, "single moves": warm_calls, "once more": warm_loops}


def warm_games(wanted: list[str]) -> None:
    names = wanted or games.names()
    titles = {name: games.load(name).title for name in names}
    folder = jit.cache_folder()
    if folder is None:
        console.print("nothing to warm: the cache is off, or its folder cannot be written", soft_wrap=True)
        return
    started = time.perf_counter()
    columns = (TextColumn("{task.description:<38}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    program = "import sys; from lamplighter.cli.warm import main; main(sys.argv[1], sys.argv[2:])"
    with Progress(*columns, console=errors, transient=True) as progress:
        task = progress.add_task("compiling", total=len(PASSES) * len(names))
        for what in PASSES:
            progress.update(task, description=f"{titles[names[0]]}: {what}")
            with subprocess.Popen(
                [sys.executable, "-c", program, what, *names], stdout=subprocess.PIPE, text=True
            ) as job:
                assert job.stdout is not None
                for line in job.stdout:
                    following = names[names.index(line.strip()) + 1 :]
                    progress.update(task, description=f"{titles[following[0]]}: {what}" if following else what)
                    progress.advance(task)
            if job.returncode:
                raise LamplighterError("the kernels could not be compiled; what went wrong stands above")
    ready = f"{len(names)} {'game' if len(names) == 1 else 'games'} ready in {time.perf_counter() - started:.1f} s"
    console.print(f"{ready} in {folder.parent}", soft_wrap=True)


def clear_cache() -> None:
    root = jit.cache_root()
    console.print(f"{jit.clear_cache()} compiled files removed from {root}", soft_wrap=True)
