"""`medals`: measures how many points a medal should need, as the contents of a game's medals.toml."""

from __future__ import annotations

import math

import numpy as np

import lamplighter
from lamplighter import bots
from lamplighter.cli.terminal import errors
from lamplighter.engine.medals import FILE
from lamplighter.errors import LamplighterError
from lamplighter.lab.simulate import simulate

LEVELS = {
    "bronze": ("easy", 0.25),
    "silver": ("medium", 0.5),
    "gold": ("hard", 0.5),
}  # a bot, and a quantile of its totals


def measure_medals(variants: list[str], games: int, seed: str, threads: int) -> None:
    """Print the file: what each medal needs is a quantile of a bot's totals."""
    named = " ".join(f'"{text}"' for text in variants)
    print(
        "# How many points a medal needs, in matches that are played alone: a quantile of the totals of a bot, rounded up."
    )
    print(f"# {', '.join(f'{medal}: {share:.0%} of {bot}' for medal, (bot, share) in LEVELS.items())}. Made by")
    print(f"# lamplighter medals {named} --games {games} --seed {seed}")
    for text in variants:
        variant = lamplighter.load(text)
        if variant.seats != 1:
            raise LamplighterError(f"{FILE} is for matches that are played alone, and {text} has {variant.seats} seats")
        print(f'\n[[medals]]\nvariant = "{variant.text}"', flush=True)
        for medal, (level, share) in LEVELS.items():
            with errors.status(f"{level} plays {variant.text}"):
                played = simulate(variant, bots.seat_bots(level, 1), games, seed, threads)
            print(f"{medal} = {math.ceil(np.quantile(np.concatenate(played.totals), share))}", flush=True)
