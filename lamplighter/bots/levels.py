"""The bots that people play against: four levels in every game, and the search behind them with its numbers open.

`easy` looks one move ahead and misjudges. `medium` plans its turn. `hard` and `expert` also try what may follow, and use
a fitted value where the game has one; `medium` only where the game wants it.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.bots import Bot, Budget, Choice, Parameter, Stream
from lamplighter.engine import chance

if TYPE_CHECKING:
    from lamplighter.bots.search.plan import Habits, Plan
    from lamplighter.bots.search.room import Value
    from lamplighter.engine.match import View
    from lamplighter.engine.variant import Variant

MISTAKE = 0.6  # of an easy bot: how far it misjudges a move, over how far moves differ


@dataclass(eq=False)
class _Within(Budget):
    """A budget that also ends with another one, and waits when that one waits."""

    outer: Budget = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._before = self.outer.waited

    @property
    def thought(self) -> float:
        return super().thought - (self.outer.waited - self._before)

    @property
    def is_spent(self) -> bool:
        return self.outer.is_spent or super().is_spent


@dataclass(frozen=True)
class Level:
    """A level of play. It thinks for a number of simulations; `seconds` is only for slow machines.

    A budget with seconds takes their place, so that busy machines can measure what a level plays. They do not count where
    the budget says how many simulations: the same number must give the same choice.
    """

    name: str
    title: str
    level: int
    help: str
    seconds: float
    parameters: tuple[Parameter, ...] = ()
    policy: int | None = None
    for_people: bool = True

    def choose(self, view: View, budget: Budget, stream: Stream) -> Choice:
        seat = view.acting_seat
        seconds = self.seconds if budget.seconds is None and budget.simulations is None else budget.seconds
        within = _Within(seconds, budget.simulations, outer=budget)
        if self.name == "easy":
            return _misjudge(view, seat, stream)
        habits = habits_of(view.position.variant, self.name)
        if habits.fewer_later:
            habits = replace(habits, simulations=habits.simulations // (1 + _moves_since_chance(view, seat)))
        return _search(self.name, view, seat, habits, within, stream)


def _moves_since_chance(view: View, seat: int) -> int:
    """Return how many moves a seat has made since anything was rolled or drawn: in its turn so far."""
    entries = list(takewhile(lambda entry: entry.kind != "chance", reversed(view.log)))
    return sum(entry.seat == seat for entry in entries)


def habits_of(variant: Variant, level: str) -> Habits:
    """Return how a level searches in a game: its own habits, then what the game says of all levels and of this one."""
    from lamplighter.bots.search.plan import Habits
    from lamplighter.bots.search.program import own_habits

    known = {field.name for field in fields(Habits)}
    if not variant.game.has("evaluate"):
        return replace(Habits(), **PLAIN_HABITS, simulations=PLAIN_SIMULATIONS[level])
    own = own_habits(variant.game)
    given = {name: value for name, value in own.items() if name in known}
    given = {**given, **LEVEL_HABITS.get(level, {}), **own.get(level, {})}
    return replace(Habits(), **given)


def with_value(variant: Variant, habits: Habits) -> tuple[Habits, Value | None]:
    """Return how a search goes with the fitted value, if it is wanted and there is one, or without; and that value."""
    from lamplighter.bots.search.weights import value_for

    value = value_for(variant) if habits.fitted else None
    return habits if value is not None else replace(habits, **habits.unfitted), value


LEVEL_HABITS: dict[str, dict[str, Any]] = {
    "medium": {"simulations": 0, "fitted": False},
    "hard": {"simulations": 100, "candidates": 8},
    "expert": {"simulations": 1500, "candidates": 16},
}
# where a game does not say what a state is worth, only samples tell
PLAIN_HABITS: dict[str, Any] = {"policy": "uniform", "tree": "all", "rivals": 1.0}
PLAIN_SIMULATIONS = {"medium": 100, "hard": 2_000, "expert": 100_000}


def _misjudge(view: View, seat: int, stream: Stream) -> Choice:
    """Look one move ahead, and take moves for better or worse than they are."""
    from lamplighter.bots.search.plan import Habits, Search

    position = view.position
    actions, values = Search(position.variant, Habits()).look_ahead(position.state, seat)
    spread = float(values.std())
    words = np.array([[chance.next_word(stream) for _ in range(4)] for _ in actions])
    mistakes = (words.sum(axis=1) / 2**32 - 2) * 3**0.5
    chosen = int(np.argmax(values + MISTAKE * spread * mistakes))
    return Choice(position.format_move(seat, int(actions[chosen])), float(values[chosen]))


# --- searching ------------------------------------------------------------------------------------------------


def _search(name: str, view: View, seat: int, habits: Habits, budget: Budget, stream: Stream) -> Choice:
    from lamplighter.bots.search.order import can_begin_with
    from lamplighter.bots.search.plan import Search

    position = view.position
    follows = budget.simulations is None
    known = plans.recall(name, view, seat) if follows else None
    if known is not None and position.refusal(seat, known.actions[0]) is None:
        found = [known]
    else:
        habits, value = with_value(position.variant, habits)
        stops = _moves_that_stop(view, seat) if habits.stops else []
        found = Search(position.variant, habits, value).choose(position.state, seat, budget, stream, stops)
    if follows:
        plans.note(name, view, seat, found[0])
    worth = {plan.actions[0]: plan.value for plan in reversed(found)}  # of plans that begin alike the best one counts
    if habits.stops:  # it advises: a move is worth what the best plan is that can begin with it, in whatever order
        for action in worth:
            worth[action] = max(plan.value for plan in found if can_begin_with(position, seat, plan.actions, action))
    first = found[0].actions[0]
    others = sorted(((value, action) for action, value in worth.items() if action != first), reverse=True)
    return Choice(
        position.format_move(seat, first),
        found[0].value,
        tuple((position.format_move(seat, action), value) for value, action in others),
    )


def _moves_that_stop(view: View, seat: int) -> list[int]:
    """Return the legal moves that end a step, such as `done`."""
    position, final = view.position, view.position.variant.game.texts.FINAL
    return [position.parse_move(seat, move) for move in position.legal_moves(seat) if move in final]


class Plans:
    """What is left of plans for turns that have several moves: a bot that has thought once follows its plan.

    A plan is found by the outcomes so far and the seat's own moves, so that moves of others in between do not matter.
    """

    MOST = 512

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rest: OrderedDict[bytes, Plan] = OrderedDict()

    @staticmethod
    def _key(name: str, view: View, seat: int, more: str = "") -> bytes:
        parts = [name, view.position.variant.text, str(seat)]
        parts += [entry.text for entry in view.log if entry.kind == "chance" or entry.seat == seat]
        if more:
            parts.append(more)
        return hashlib.sha256("\n".join(parts).encode()).digest()

    def recall(self, name: str, view: View, seat: int) -> Plan | None:
        with self._lock:
            return self._rest.get(self._key(name, view, seat))

    def note(self, name: str, view: View, seat: int, plan: Plan) -> None:
        """Note what follows the first move of a plan, or forget what followed it in another match."""
        key = self._key(name, view, seat, view.position.format_move(seat, plan.actions[0]))
        with self._lock:
            self._rest.pop(key, None)
            if len(plan.actions) > 1:
                self._rest[key] = replace(plan, actions=plan.actions[1:])
            while len(self._rest) > self.MOST:
                self._rest.popitem(last=False)


plans = Plans()


SIMULATIONS = Parameter(
    "simulations", 0, 1, 10_000_000, "samples each time it thinks; without it as many as the milliseconds allow"
)
MILLISECONDS = Parameter(
    "ms", 0, 1, 3_600_000, "milliseconds each time it thinks; without it as many as the simulations take"
)
CANDIDATES = Parameter("candidates", 0, 0, 4096, "plans that are tried; 0: as many as an expert tries")
BEAM = Parameter("beam", 0, 0, 4096, "states kept in the middle of a turn; 0: as many as an expert keeps")
WEIGHTS = Parameter("fitted", 1, 0, 1, "whether it uses the fitted value, if there is one")
TREE = Parameter(
    "tree", 0, 0, 3, "1: plans; 2: a tree of the seat's own moves; 3: of all seats' moves; 0: as an expert"
)
TREES = {1: "", 2: "own", 3: "all"}
STOPS = Parameter("stops", 0, 0, 1, "whether a move that ends the step, such as done, is always tried")


@dataclass(frozen=True)
class Searcher:
    """The search of the levels with its numbers open, for measurements."""

    simulations: int = 0
    ms: int = 0
    candidates: int = 0
    beam: int = 0
    fitted: int = 1
    tree: int = 0
    stops: int = 0
    title: str = "search"
    level: int = 5
    help: str = "thinks as an expert does, for as many simulations or milliseconds as it is given"
    parameters: tuple[Parameter, ...] = (SIMULATIONS, MILLISECONDS, CANDIDATES, BEAM, WEIGHTS, TREE, STOPS)
    policy: int | None = None
    for_people: bool = False

    @property
    def name(self) -> str:
        given = [
            f"{one.name}={getattr(self, one.name)}" for one in self.parameters if getattr(self, one.name) != one.default
        ]
        return "search" + ("?" + "&".join(given) if given else "")

    def choose(self, view: View, budget: Budget, stream: Stream) -> Choice:
        given = {name: getattr(self, name) for name in ("simulations", "candidates", "beam") if getattr(self, name)}
        seconds = budget.seconds
        if self.ms:
            seconds = self.ms / 1000 if seconds is None else min(self.ms / 1000, seconds)
            given |= {"timed": True} if not self.simulations else {}
            given.setdefault("simulations", 10_000_000)
        if self.tree:
            given["tree"] = TREES[self.tree]
        expert = habits_of(view.position.variant, "expert")
        unfitted = {name: value for name, value in expert.unfitted.items() if name not in given}
        habits = replace(expert, fitted=bool(self.fitted), stops=bool(self.stops), unfitted=unfitted, **given)
        within = _Within(seconds, budget.simulations, outer=budget)
        return _search(self.name, view, view.acting_seat, habits, within, stream)


EASY = Level("easy", "easy", 3, "looks one move ahead and often misjudges what it sees", 0.1)
MEDIUM = Level("medium", "medium", 4, "plans its turn well, and does not think about what comes after", 0.1)
HARD = Level("hard", "hard", 6, "plans its turn and tries what the dice or cards may bring", 0.5)
EXPERT = Level("expert", "expert", 7, "thinks for up to five seconds, as well as it can", 5.0)
MAKERS: dict[str, Callable[..., Bot]] = {
    "easy": lambda: EASY,
    "medium": lambda: MEDIUM,
    "hard": lambda: HARD,
    "expert": lambda: EXPERT,
    "search": Searcher,
}
