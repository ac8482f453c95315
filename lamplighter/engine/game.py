"""`Game`: what a folder must export. Nothing here imports NumPy or Numba, so listing the games is quick.

A game folder's modules are imported when first asked for:

    components   BOX dtype · build(file, options) → box record · score_lines(file)
    state        STATE dtype · Reason · REFUSALS · FACTS · MAX_LEGAL · MAX_OUTCOMES
    rules        the kernels (see `KERNELS`)
    notation     move, outcome and position ↔ text; named fields of moves and outcomes
    sheet        draw_text(variant, state, seat) → lines of spans
    picture      draw(variant, state or None, seat) → Picture · targets · score_cells
                 where wanted figures(variant) and cutouts(variant) for paper; no picture: text only
    evaluate     evaluate(box, state, seat, out) → int; without this module bots look at the score
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from lamplighter.errors import BadVariant, LamplighterError, suggest

Value = bool | int | str

KERNELS = (
    "setup",  # (box, state): a fresh record
    "waiting",  # (box, state) → the seats that must act now, one bit a seat; 0 means chance or the end
    "chance_seat",  # (box, state) → whom the next outcome is dealt to; -1 means everybody
    "outcomes",  # (box, state, out, weights) → n: what the next die, card or tile may be
    "apply_chance",  # (box, state, outcome): one die, card or tile
    "check",  # (box, state, seat, action) → Reason: the only place where legality lives
    "legal_actions",  # (box, state, seat, out) → n, ascending; may be faster than asking `check`, never different
    "apply",  # (box, state, seat, action): draw it
    "is_over",  # (box, state)
    "score",  # (box, state, seat, out) → total: every scoring line in `out`; they sum to the total
    "standing",  # (box, state, seat) → int: greater is better, equal ones share the victory
    "facts",  # (box, state, seat, out) → n: what else is worth counting, named in state.FACTS
    "action_count",  # (box) → actions are numbered below this
)


OPTIONAL_KERNELS = (
    "hide",  # (box, state, seat): blank in a copy what a seat (-1: a spectator) may not see; without it all is open
    "hides_draws",  # (box) → bool: what is dealt to one seat is not for the others; without it all is open
    "step",  # (box, state) → int: changes when all that was played becomes final though no outcome was revealed
)


@dataclass(frozen=True)
class Option:
    """One choice a variant leaves open. The first value is the default."""

    name: str
    values: tuple[Value, ...]
    help: str

    @property
    def default(self) -> Value:
        return self.values[0]

    def parse(self, text: str) -> Value:
        """The value that `text` names."""
        for value in self.values:
            if format_value(value) == text.strip().lower():
                return value
        known = [format_value(value) for value in self.values]
        raise BadVariant(f"option {self.name!r} cannot be {text!r}: {suggest(text, known)}")


class SeatsOption(Option):
    """How many play; every game has it."""

    def parse(self, text: str) -> Value:
        if text.strip() not in map(str, self.values):
            low, high = min(self.values), max(self.values)
            count = f"{low}" if low == high else f"{low} to {high}"
            raise BadVariant(f"seats cannot be {text!r}: this game is for {count} players")
        return int(text)


def format_value(value: Value) -> str:
    return str(value).lower()


@dataclass(frozen=True)
class Game:
    """The rules of one game, and where its folder is."""

    id: str
    title: str
    package: str  # the import name of the folder
    summary: str  # one sentence
    source: str  # where the rules come from
    seats: tuple[int, int]  # fewest and most
    default_seats: int
    rules_version: int  # goes up when a match could come out differently
    options: tuple[Option, ...] = ()

    def __post_init__(self) -> None:
        lowest, highest = self.seats
        seats = (self.default_seats, *(n for n in range(lowest, highest + 1) if n != self.default_seats))
        object.__setattr__(self, "options", (SeatsOption("seats", seats, "how many play"), *self.options))

    @functools.cached_property
    def folder(self) -> Path:
        spec = importlib.util.find_spec(self.package)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(self.package)
        return Path(spec.origin).parent

    def module(self, name: str) -> ModuleType:
        """One of the folder's modules, imported on first use."""
        return importlib.import_module(f"{self.package}.{name}")

    rules = functools.cached_property(lambda self: self.module("rules"))
    state = functools.cached_property(lambda self: self.module("state"))
    notation = functools.cached_property(lambda self: self.module("notation"))
    components = functools.cached_property(lambda self: self.module("components"))
    sheet = functools.cached_property(lambda self: self.module("sheet"))

    @property
    def draws_follow_play(self) -> bool:
        """Whether what can come depends on what was played, so that one seed gives different outcomes to two players."""
        return bool(getattr(self.state, "DRAWS_FOLLOW_PLAY", False))

    @functools.cached_property
    def has_picture(self) -> bool:
        return importlib.util.find_spec(f"{self.package}.picture") is not None

    @functools.cached_property
    def picture(self) -> ModuleType:
        """The folder's drawn sheet; a game without one is refused with a sentence."""
        if not self.has_picture:
            raise LamplighterError(f"{self.id} has no drawn sheet: a picture.py in its folder would bring one")
        return self.module("picture")

    @functools.cached_property
    def evaluate(self) -> Any:
        """The heuristic that bots maximise: the folder's own, or the score."""
        if importlib.util.find_spec(f"{self.package}.evaluate") is None:
            return self.rules.score
        return self.module("evaluate").evaluate

    @property
    def rules_text(self) -> str:
        return (self.folder / "RULES.md").read_text(encoding="utf-8")

    @property
    def box_text(self) -> str:
        """The component file that stands in the box, as TOML; empty if the game has none."""
        path = self.folder / "box.toml"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def option(self, name: str) -> Option:
        for option in self.options:
            if option.name == name:
                return option
        known = [option.name for option in self.options]
        raise BadVariant(f"{self.id} has no option {name!r}: {suggest(name, known)}")
