"""The kernels of the search, compiled against those of one game and what its `evaluate.py` adds."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lamplighter.bots.search import kernels, samples, tree
from lamplighter.jit import compile_for

if TYPE_CHECKING:
    from lamplighter.engine.game import Game

Function = Callable[..., Any]
MODULES = (kernels, samples, tree)
SOURCES = tuple(
    Path(str(module.__file__)) for module in MODULES
)  # with a game's folder, all that compiled code comes from
OWN: dict[str, Function] = {
    name: value
    for module in MODULES
    for name, value in vars(module).items()
    if inspect.isfunction(value) and value.__module__ == module.__name__
}


def one(box: Any) -> int:
    return 1


def same_lane(box: Any, state: Any, seat: int) -> int:
    return 0


def own_group(box: Any, state: Any, seat: int, action: int) -> int:
    return action


def no_features(box: Any, state: Any, seat: int, out: Any) -> int:
    return 0


def no_stage(box: Any, state: Any, seat: int) -> int:
    return 0


DEFAULTS: dict[str, Function] = {
    "point": one, "lane": same_lane, "group": own_group, "features": no_features, "stage": no_stage,
}  # fmt: skip


class Compiled:
    """The functions of `MODULES` for one game, each compiled when it is first asked for."""

    def __init__(self, game: Game) -> None:
        self._game = game
        added = game.module("evaluate") if game.has("evaluate") else None
        self._meanings: dict[str, Any] = dict(vars(game.kernels))
        for name, default in DEFAULTS.items():
            own = getattr(added, name, None)
            self._meanings[name] = own or compile_for(game.folder, default, f"search_default_{name}", *SOURCES)
        self._meanings["HAS_GROUPS"] = hasattr(added, "group")
        self._meanings["HAS_STAGE"] = hasattr(added, "stage")
        self._meanings["HAS_FEATURES"] = self.has_features = hasattr(added, "features")
        self.habits: dict[str, Any] = dict(getattr(added, "SEARCH", {}))
        self._meanings["ORDER_FREE"] = bool(self.habits.get("order_free", False))

    def __getattr__(self, name: str) -> Function:
        if name not in OWN:
            raise AttributeError(name)
        for other in _called(name):
            self._meanings[other] = getattr(self, other)
        made = compile_for(self._game.folder, OWN[name], f"search_{name}", *SOURCES, **self._meanings)
        setattr(self, name, made)
        return made


@functools.cache
def _called(name: str) -> tuple[str, ...]:
    """The functions that a function calls."""
    used = OWN[name].__code__.co_names
    return tuple(other for other in OWN if other in used and other != name)


_made: dict[str, Compiled] = {}


def compiled(game: Game) -> Compiled:
    """Return the search of a game. It is made once."""
    if game.package not in _made or _made[game.package]._game is not game:
        _made[game.package] = Compiled(game)
    return _made[game.package]
