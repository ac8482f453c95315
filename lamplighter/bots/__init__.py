"""Who plays when no person does: what a bot is, and how bots are found.

A bot is an object that chooses a move from what its seat may see. Ours are in `bots.levels` and, for simulations, in
`bots.simple`; an installed package brings more through the entry-point group `lamplighter.bots`: the entry's name is the
bot's name, its value a callable that takes the bot's parameters as keywords and returns the bot.
"""

from __future__ import annotations

import functools
import importlib.metadata
import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import parse_qsl

from lamplighter.errors import LamplighterError, shown, suggest

if TYPE_CHECKING:
    from lamplighter.engine.match import View

GROUP = "lamplighter.bots"
OPPONENT = "medium"  # who sits down where nobody chose another
QUICK = 0.2  # seconds that nobody minds
Stream = Any  # four random words, see `engine.chance.start_stream`


@dataclass(frozen=True)
class Choice:
    """What a bot plays, what it thinks that is worth, and what else it looked at. Values are in points, if there are any."""

    move: str
    value: float | None = None
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(eq=False)
class Budget:
    """How long a bot may think: seconds and simulations (None: as many as it likes), and whether somebody has stopped it.

    The same number of simulations gives the same choice; a number of seconds need not.
    """

    seconds: float | None = None
    simulations: int | None = None
    _stopped: threading.Event = field(default_factory=threading.Event)
    started: float = field(default_factory=time.monotonic)
    waited: float = 0.0  # seconds that do not count, because others had the processor

    def __post_init__(self) -> None:
        if self.simulations is not None and self.simulations < 1:
            raise LamplighterError(
                f"a budget has at least 1 simulation, not {self.simulations}: leave it out for no limit"
            )
        if self.seconds is not None and not self.seconds > 0:
            raise LamplighterError(
                f"a budget has more than 0 seconds, not {self.seconds:g}: leave them out for no limit"
            )

    def stop(self) -> None:
        """Cancel the thinking. Any thread may call this."""
        self._stopped.set()

    @property
    def is_stopped(self) -> bool:
        """Whether somebody has cancelled the thinking."""
        return self._stopped.is_set()

    @property
    def thought(self) -> float:
        """Return the seconds that the bot has thought."""
        return time.monotonic() - self.started - self.waited

    @property
    def is_spent(self) -> bool:
        """Whether the bot must answer now with the best it has."""
        return self._stopped.is_set() or (self.seconds is not None and self.thought >= self.seconds)

    @property
    def seconds_left(self) -> float:
        """How many seconds are left, without end if there is no limit."""
        return math.inf if self.seconds is None else max(self.seconds - self.thought, 0.0)


@dataclass(frozen=True)
class Parameter:
    """One number that a bot can be given, as in `greedy?slips=20`."""

    name: str
    default: int
    lowest: int
    highest: int
    help: str


class Bot(Protocol):
    """A way to choose among legal moves."""

    @property
    def name(self) -> str:
        """The word that loads it, with the parameters that differ from their defaults."""

    @property
    def title(self) -> str:
        """How people call it."""

    @property
    def level(self) -> int:
        """How strong it is: 1 for any legal move; a greater number plays better."""

    @property
    def help(self) -> str:
        """One line on how it plays."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it can be given."""

    @property
    def policy(self) -> int | None:
        """Its number in the compiled loop (`engine.loops`); None if it only plays from Python."""

    @property
    def for_people(self) -> bool:
        """Whether people are offered it as an opponent; the others are for simulations and measurements."""

    def choose(self, view: View, budget: Budget, stream: Stream) -> Choice:
        """Return what it plays. The same view, budget without end, and stream give the same choice."""


# --- finding them ---------------------------------------------------------------------------------------------


Maker = Callable[..., "Bot"]


@functools.cache
def _found() -> tuple[Mapping[str, Maker], Mapping[str, str]]:
    """What makes a bot, by name, weakest first: ours, which cannot be replaced, and those of installed packages.

    Also why a bot of a package cannot be used. One broken package does not keep the others from playing.
    """
    from lamplighter.bots import levels, simple

    makers: dict[str, Maker] = {"uniform": simple.Uniform, "greedy": simple.Greedy, **levels.MAKERS}
    ranks = {name: maker().level for name, maker in makers.items()}
    broken: dict[str, str] = {}
    for entry in importlib.metadata.entry_points(group=GROUP):
        if entry.name in ranks:
            continue
        try:
            maker = entry.load()
            ranks[entry.name], makers[entry.name] = maker().level, maker
        except Exception as error:  # whatever a package does when it is imported
            broken[entry.name] = f"{entry.value} fails with {type(error).__name__}: {error}"
    return {name: makers[name] for name in sorted(ranks, key=lambda name: ranks[name])}, broken


def _makers() -> Mapping[str, Maker]:
    return _found()[0]


def names() -> list[str]:
    """Return the names of all bots, weakest first."""
    return list(_makers())


def everyone() -> list[Bot]:
    """Return all bots with their usual parameters, weakest first."""
    return [load(name) for name in names()]


def opponents() -> list[Bot]:
    """Return the bots that people are offered, weakest first."""
    return [bot for bot in everyone() if getattr(bot, "for_people", True)]


def thinks_long(bot: Bot) -> bool:
    """Return whether a bot may think for long, so that others should not wait behind it. One that does not say may."""
    return bot.policy is None and bool(getattr(bot, "seconds", 1.0) > QUICK)


def load(text: str) -> Bot:
    """Return a bot by its name, with its parameters if it has any: `greedy`, `greedy?slips=20`."""
    name, _, query = text.partition("?")
    if name in _found()[1]:
        raise LamplighterError(
            f"the bot {shown(name)} of an installed package cannot be loaded: {_found()[1][name]}; "
            "repair the package, or uninstall it"
        )
    if name not in _makers():
        raise LamplighterError(f"there is no bot {shown(name)}: {suggest(name, names())}")
    return make(name, _makers()[name], query)


def make(name: str, maker: Maker, query: str) -> Bot:
    """Return a bot with the parameters of a query, such as `slips=20`."""
    known = {parameter.name: parameter for parameter in maker().parameters}
    given: dict[str, int] = {}
    for key, value in parse_qsl(query, keep_blank_values=True):
        if key not in known:
            told = suggest(key, known) if known else "it has none"
            raise LamplighterError(f"the bot {name} has no parameter {shown(key)}: {told}")
        low, high = known[key].lowest, known[key].highest
        if not (value.isascii() and value.isdigit() and len(value) < 10 and low <= int(value) <= high):
            raise LamplighterError(f"{key} of the bot {name} is a number from {low} to {high}, not {shown(value)}")
        given[key] = int(value)
    return maker(**given)


def load_for_table(text: str) -> Bot:
    """Return a bot that anybody may seat at a server's table: none that thinks for as long as it is told."""
    name = text.partition("?")[0]
    offered = [bot.name for bot in opponents()]
    if name not in _makers() and name not in _found()[1]:
        raise LamplighterError(f"there is no bot {shown(name)}: {suggest(name, offered)}")
    bot = load(text)
    if not getattr(bot, "for_people", True) and thinks_long(bot):
        raise LamplighterError(f"the bot {shown(name)} is for measurements, not for tables: {', '.join(offered)} are")
    return bot


def seat_bots(texts: str, seats: int, loader: Callable[[str], Bot] = load) -> list[Bot]:
    """Return bots for all seats from `greedy,uniform,…`; one name stands for all seats."""
    bots = [loader(text.strip()) for text in texts.split(",")]
    if len(bots) == 1:
        return bots * seats
    if len(bots) != seats:
        raise LamplighterError(f"{len(bots)} bots for {seats} seats: name one for all, or one for each")
    return bots
