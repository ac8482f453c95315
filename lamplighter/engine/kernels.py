"""The compiled side of a game: its kernels, the same for rows of arrays, the loops around them, and their addresses.

game.kernels   a function a kernel, on records, for other kernels
game.loops     the loops of `engine.loops` against the game's own kernels, in three programs
game.rows      a function a kernel on (boxes, states, row), for calls from Python
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.engine import defaults, loops
from lamplighter.engine.contract import MODULES, check_beside, check_folder
from lamplighter.jit import PURE, Program, bind

if TYPE_CHECKING:
    from lamplighter.engine.game import Game
    from lamplighter.native import Export

Function = Callable[..., Any]

NAMES = tuple(need.name for need in MODULES["rules"].members())
PARAMETERS = {need.name: need.parameters or () for need in MODULES["rules"].members()}
DEFAULTS: dict[str, Function] = {
    "legal_actions": defaults.checked_actions,
    "outcomes": defaults.no_outcomes,
    "apply_chance": defaults.no_chance,
    "chance_seat": defaults.everybody,
    "is_over": defaults.nothing_left,
    "standing": defaults.most_points,
    "facts": defaults.no_facts,
    "hide": defaults.all_open,
    "resample": defaults.nothing_hidden,
    "hides_draws": defaults.nothing_dealt_in_secret,
    "step": defaults.same_step,
}
ADDED = {
    need.name: need.parameters for need in MODULES["evaluate"].members() if need.parameters
}  # to the rules, for bots
ARRAYS = frozenset(("out", "weights", "stream"))  # parameters that are arrays; the others are integers
MOST_PARAMETERS = 4  # of an export
# the entries of the programs of a game
RULES = ("ask_box", "call_row", "fill_row", "choose_best")
MATCHES = ("play_on", "play_matches")
BATCHES = (
    "begin_row", "play_row", "reset_rows", "step_rows", "roll_rows", "number_rows", "list_rows", "mark_rows", "score_rows",
)  # fmt: skip
NOTHING = np.zeros(0, np.int64)


class Kernels:
    """A game's kernels by name: its own, or the default where it has none."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        check_folder(game.folder)
        check_beside(rules, game.module("state"))
        own = {name: getattr(rules, name) for name in NAMES if hasattr(rules, name)}
        for name in NAMES:  # a default may call those before it
            if name not in own:
                own[name] = bind(DEFAULTS[name], **own)
        self.__dict__.update(own)
        self.evaluate = game.evaluate or own["score"]

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Function: ...


class Loops:
    """The loops of `engine.loops` for a game. Each program is compiled when one of its loops is first used."""

    def __init__(self, game: Game) -> None:
        bound = bind_all(loops, dict(vars(game.kernels)))
        records = {"boxes": game.components.BOX, "states": game.state.STATE}

        def program(name: str, entries: tuple[str, ...], exports: dict[str, Export]) -> Program:
            return Program(
                name, (game.folder,), {entry: bound[entry] for entry in entries}, exports, records, game.title
            )

        # single calls from Python, and an export for each kernel and for what `evaluate.py` adds to them
        self.rules = program(game.id, RULES, {} if PURE else _exports(game))
        self.matches = program(f"{game.id}.matches", MATCHES, {})
        self.batches = program(f"{game.id}.batches", BATCHES, {})


def bind_all(module: ModuleType, meanings: dict[str, Any]) -> dict[str, Any]:
    """Bind all functions of a module, each after those that it calls. Return them with the meanings."""
    own = dict(inspect.getmembers(module, lambda one: inspect.isfunction(one) and one.__module__ == module.__name__))

    def bind_after(name: str) -> None:
        function = own.pop(name)
        for other in function.__code__.co_names:
            if other in own:
                bind_after(other)
        meanings[name] = bind(function, **meanings)

    while own:
        bind_after(next(iter(own)))
    return meanings


def exported(game: Game) -> dict[str, Function]:
    """Return the kernels that other programs may call: those of the rules, what the game brings for bots, and uniform play."""
    added = game.module("evaluate") if game.has("evaluate") else None
    more = {name: getattr(added, name) for name in ADDED if hasattr(added, name)}
    own = {name: getattr(game.kernels, name) for name in NAMES}
    return {**own, "evaluate": game.kernels.evaluate, **more, "play_uniformly": bind(loops.play_uniformly, **own)}


def _exports(game: Game) -> dict[str, Export]:
    from lamplighter.native import Export

    found = {}
    box, state = game.components.BOX, game.state.STATE
    for name, kernel in exported(game).items():
        parameters = PARAMETERS.get(name) or ADDED.get(name) or ("box", "state", "stream", "out")
        if len(parameters) <= MOST_PARAMETERS:
            arrays = tuple(parameter in ARRAYS for parameter in parameters[2:])
            found[name] = Export(kernel, box, state if len(parameters) > 1 else None, arrays)
    return found


class Rows:
    """A game's kernels for calls from Python: `waiting(boxes, states, row)` instead of `waiting(box, state)`."""

    def __init__(self, game: Game) -> None:
        self._rules = game.loops.rules

    def __getattr__(self, name: str) -> Function:
        """Make one on first use. It is an attribute from then on."""
        made: Function
        if name in loops.ON_BOX:
            made = functools.partial(_on_box, self._rules.ask_box, loops.ON_BOX.index(name))
        elif name in loops.ON_ROW:
            made = functools.partial(_on_row, self._rules.call_row, loops.ON_ROW.index(name))
        elif name in loops.FILLING:
            made = functools.partial(_filling, self._rules.fill_row, loops.FILLING.index(name))
        else:
            raise AttributeError(name)
        setattr(self, name, made)
        return made


def _on_box(entry: Function, which: int, boxes: Any) -> Any:
    return entry(boxes, which)


def _on_row(entry: Function, which: int, boxes: Any, states: Any, row: int, one: int = 0, two: int = 0) -> Any:
    return entry(boxes, states, row, which, one, two)


def _filling(entry: Function, which: int, boxes: Any, states: Any, row: int, one: Any, two: Any = NOTHING) -> Any:
    if which == OUTCOMES:
        return entry(boxes, states, row, which, 0, one, two)
    return entry(boxes, states, row, which, one, two, NOTHING)


OUTCOMES = loops.FILLING.index("outcomes")
