"""The compiled side of a game: its kernels, the same for rows of arrays, and the loops around them.

game.kernels   a function a kernel, on records, for other kernels
game.rows      the same on (boxes, states, row), for calls from Python: several times cheaper
game.loops     the loops of `engine.loops`, compiled against the game's own kernels
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lamplighter.engine import defaults, loops
from lamplighter.engine.contract import MODULES, check_beside, check_folder
from lamplighter.jit import compile_for

if TYPE_CHECKING:
    from lamplighter.engine.game import Game

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
ROWS: dict[int, Function] = {0: loops.row_0, 1: loops.row_1, 2: loops.row_2}
LOOPS = tuple(
    name for name, value in vars(loops).items() if inspect.isfunction(value) and value.__module__ == loops.__name__
)


class Kernels:
    """A game's kernels by name: its own, or the default where it has none."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        check_folder(game.folder)
        check_beside(rules, game.module("state"))
        own = {name: getattr(rules, name) for name in NAMES if hasattr(rules, name)}
        for name in NAMES:  # a default may call those before it
            if name not in own:
                own[name] = compile_for(game.folder, DEFAULTS[name], f"default_{name}", **own)
        self.__dict__.update(own)
        self.evaluate = game.evaluate or own["score"]

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Function: ...


class Rows:
    """A game's kernels for calls from Python: `waiting(boxes, states, row)` instead of `waiting(box, state)`."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Function:
        """Compile one on first use. It is an attribute from then on."""
        if name not in PARAMETERS:
            raise AttributeError(name)
        kernel, folder = getattr(self._game.kernels, name), self._game.folder
        made: Function
        if name == "check":
            made = compile_for(folder, loops.row_check, "row_check", check=kernel)
        elif PARAMETERS[name] == ("box",):
            made = compile_for(folder, loops.box_only, f"box_{name}", on_row=kernel)
        else:
            made = compile_for(folder, ROWS[len(PARAMETERS[name]) - 2], f"row_{name}", on_row=kernel)
        setattr(self, name, made)
        return made


class Loops:
    """The loops of `engine.loops` for one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._made: dict[str, Function] = {}

    def __getattr__(self, name: str) -> Function:
        """Compile one on first use, after those that it calls. It is an attribute from then on."""
        if name not in LOOPS:
            raise AttributeError(name)
        meanings = vars(self._game.kernels) | self._made
        for other in self._called(name):
            meanings[other] = getattr(self, other)
        made: Function = compile_for(self._game.folder, getattr(loops, name), name, **meanings)
        self._made[name] = made
        setattr(self, name, made)
        return made

    @staticmethod
    @functools.cache
    def _called(name: str) -> tuple[str, ...]:
        """The loops that a loop calls."""
        used = getattr(loops, name).__code__.co_names
        return tuple(other for other in LOOPS if other in used and other != name)
