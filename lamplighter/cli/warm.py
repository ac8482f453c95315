"""`warm`: compile everything once, with a progress bar."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from lamplighter import bots, games, jit
from lamplighter.bots.playout import Player
from lamplighter.cli.terminal import console, errors
from lamplighter.engine.variant import Variant


def steps(game_id: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """What to run so that every kernel of a game is compiled, as named steps."""
    game = games.load(game_id)
    variant = Variant(game)

    def by_hand() -> None:
        """A match through the friendly API, which calls each kernel from Python."""
        match = variant.match(seed="warm")
        while not match.is_over and len(match.log) < 200:
            match.roll()
            for seat in match.waiting[:1]:
                match.act(seat, match.position.legal_actions(seat)[0])
        for seat in range(variant.seats):
            match.position.score(seat)
            match.position.facts(seat)
            match.view(seat)
        match.winners()

    def in_the_loop() -> None:
        for bot in bots.BOTS.values():
            Player(variant).play_many(np.full(variant.seats, bot.policy, np.int64), 1, 0, 1)

    # The loops come first: Numba files a kernel that is passed to a loop under another name than one that is called,
    # and finds it again on every start only if it was compiled for the loop first.
    yield "bots", in_the_loop
    yield "rules", by_hand
    yield "records", lambda: Player(variant).play_logged(np.zeros(variant.seats, np.int64), 1)


def warm_games(wanted: list[str]) -> None:
    names = wanted or games.names()
    for name in names:
        games.load(name)
    started = time.perf_counter()
    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True) as progress:
        work = [(name, *step) for name in names for step in steps(name)]
        task = progress.add_task("compiling", total=len(work))
        for name, what, run in work:
            progress.update(task, description=f"{games.load(name).title}: {what}")
            run()
            progress.advance(task)
    folder = jit.cache_folder()
    where = f"in {folder}" if folder else "(nothing could be cached: no cache folder can be written)"
    console.print(f"{len(names)} games ready in {time.perf_counter() - started:.1f} s {where}", soft_wrap=True)


def clear_cache() -> None:
    root = jit.cache_root()
    console.print(f"{jit.clear_cache()} compiled files removed from {root}", soft_wrap=True)
