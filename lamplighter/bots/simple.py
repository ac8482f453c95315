"""The two plain bots: any legal move, and the move that looks best one move ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lamplighter.bots import Budget, Choice, Parameter, Stream
from lamplighter.engine import chance
from lamplighter.engine.loops import GREEDY, UNIFORM

if TYPE_CHECKING:
    from lamplighter.engine.batch import Simulator
    from lamplighter.engine.match import View
    from lamplighter.engine.variant import Variant


@dataclass(frozen=True)
class Uniform:
    """Any legal move, each as likely as the others."""

    name: str = "uniform"
    title: str = "beginner"
    level: int = 1
    help: str = "plays any legal move, each as likely as the others"
    parameters: tuple[Parameter, ...] = ()
    policy: int | None = UNIFORM
    for_people: bool = False

    def choose(self, view: View, budget: Budget, stream: Stream) -> Choice:
        position, seat = view.position, view.acting_seat
        actions = position.legal_actions(seat)
        return Choice(position.format_move(seat, actions[chance.below(len(actions), stream)]))


SLIPS = Parameter("slips", 0, 0, 100, "in how many of 100 moves it plays any legal move")


@dataclass(frozen=True)
class Greedy:
    """The move that leaves it best off, looking one move ahead."""

    slips: int = SLIPS.default
    title: str = "greedy"
    level: int = 2
    help: str = "plays the move that leaves it best off, looking one move ahead"
    parameters: tuple[Parameter, ...] = (SLIPS,)
    for_people: bool = False
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return f"greedy?slips={self.slips}" if self.slips else "greedy"

    @property
    def policy(self) -> int | None:
        return None if self.slips else GREEDY

    def choose(self, view: View, budget: Budget, stream: Stream) -> Choice:
        position, seat = view.position, view.acting_seat
        if self.slips and chance.below(100, stream) < self.slips:
            return Uniform().choose(view, budget, stream)
        action = simulator(position.variant).choose_best(position.state, seat, stream)
        return Choice(position.format_move(seat, action))


def simulator(variant: Variant) -> Simulator:
    """Return a compiled loop for a variant. It is made for one call, since no two threads may share one."""
    from lamplighter.engine.batch import Simulator

    return Simulator(variant)
