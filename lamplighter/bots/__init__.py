"""Who plays when no person does. A bot is a policy that works for every game; the fast loop is in `playout`."""

from __future__ import annotations

from dataclasses import dataclass

from lamplighter.errors import LamplighterError, suggest


@dataclass(frozen=True)
class Bot:
    """A way to choose among legal moves. `policy` is its number in the compiled loop."""

    name: str
    policy: int
    help: str


UNIFORM, GREEDY = 0, 1

BOTS = {
    bot.name: bot
    for bot in (
        Bot("uniform", UNIFORM, "any legal move, each as likely as the others"),
        Bot("greedy", GREEDY, "the move after which it stands best, one thought deep"),
    )
}


def load(name: str) -> Bot:
    """The bot of that name."""
    if name not in BOTS:
        raise LamplighterError(f"there is no bot {name!r}: {suggest(name, BOTS)}")
    return BOTS[name]


def seat_bots(names: str, seats: int) -> list[Bot]:
    """Bots for all seats from `greedy,uniform,…`; one name stands for all seats."""
    bots = [load(name.strip()) for name in names.split(",")]
    if len(bots) == 1:
        return bots * seats
    if len(bots) != seats:
        raise LamplighterError(f"{len(bots)} bots for {seats} seats: name one for all, or one for each")
    return bots
