"""`Game`: a folder, its options and its modules. Nothing here imports NumPy or Numba, so listing the games is quick.

A game's modules are imported, and checked against `engine.contract`, when they are first asked for.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from lamplighter.errors import BadGame, BadVariant, LamplighterError, shown, suggest

if TYPE_CHECKING:
    from lamplighter.engine.kernels import Kernels, Loops, Rows

Value = bool | int | str


# What an option chooses, in the order in which people are asked
KINDS = {
    "seats": "how many play",
    "edition": "what is in the box",
    "expansion": "what is added to it",
    "setup": "how a match begins",
    "seat": "a seat, such as who begins: numbered from 0 in texts, and for people from 1",
    "rule": "how a rule is read that can be read in two ways",
}


@dataclass(frozen=True)
class Option:
    """One choice a variant leaves open. The first value is the default.

    `title` and `titles` are what people call the option and its values; without them their names are said in words.
    `kind` is one of `KINDS`. `when` names other options and the values with which this one matters; with others it changes
    nothing, and nobody needs to be asked. `ruling` is the number in RULINGS.md that says why there are two readings.
    """

    name: str
    values: tuple[Value, ...]
    help: str
    kind: str = "rule"
    when: Mapping[str, tuple[Value, ...]] = field(default_factory=dict, hash=False)
    title: str = ""
    titles: Mapping[str, str] = field(default_factory=dict, hash=False)
    ruling: str = ""

    @property
    def called(self) -> str:
        """What people call it.

        >>> Option("open_hands", (False, True), "").called
        'Open hands'
        """
        return self.title or self.name.replace("_", " ").capitalize()

    @property
    def default(self) -> Value:
        return self.values[0]

    def applies(self, options: Mapping[str, Value]) -> bool:
        """Return whether this option matters beside these options."""
        return all(options[name] in values for name, values in self.when.items())

    @property
    def needs(self) -> str:
        """With what this option matters, as text; empty if always.

        >>> Option("goals", ("random",), "", when={"edition": ("deluxe", "big")}).needs
        'edition=deluxe or big'
        """
        pairs = [f"{name}={' or '.join(map(format_value, values))}" for name, values in self.when.items()]
        return " and ".join(pairs)

    def label(self, value: Value) -> str:
        """Return a value as people read it.

        >>> Option("first_player", ("random", "0"), "", kind="seat").label("0")
        'player 1'
        >>> Option("edition", ("base", "all-in"), "", titles={"base": "the base game"}).label("base")
        'the base game'
        """
        text = format_value(value)
        if self.kind == "seat" and text.isdecimal():
            return f"player {int(text) + 1}"
        usual = {"true": "yes", "false": "no", "random": "drawn by lot"}
        return self.titles.get(text) or usual.get(text) or text.replace("_", " ").replace("-", " ")

    def parse(self, text: str) -> Value:
        """Return the value that `text` names."""
        for value in self.values:
            if format_value(value) == text.strip().lower():
                return value
        known = [format_value(value) for value in self.values]
        raise BadVariant(f"{self.called} (option {self.name!r}) cannot be {shown(text)}: {suggest(text, known)}")


class SeatsOption(Option):
    """How many play; every game has it."""

    def parse(self, text: str) -> Value:
        if text.strip() not in map(str, self.values):
            low, high = min(self.values), max(self.values)
            count = f"{low}" if low == high else f"{low} to {high}"
            raise BadVariant(f"seats cannot be {shown(text)}: this game is for {count} players")
        return int(text)


def format_value(value: Value) -> str:
    return str(value).lower()


@dataclass(frozen=True)
class Game:
    """The rules of one game, and where its folder is."""

    id: str
    title: str
    package: str  # the import name of the folder
    summary: str  # one sentence that says what a player does
    source: str  # where the rules come from
    seats: tuple[int, int]  # fewest and most
    default_seats: int
    rules_version: int  # goes up when a match could come out differently
    options: tuple[Option, ...] = ()
    minutes: tuple[int, int] = (0, 0)  # that a match takes people, from and to; (0, 0): nobody has said
    age: int = 0  # from which it can be played, in years; 0: nobody has said

    def __post_init__(self) -> None:
        lowest, highest = self.seats
        seats = (self.default_seats, *(n for n in range(lowest, highest + 1) if n != self.default_seats))
        object.__setattr__(self, "options", (SeatsOption("seats", seats, "how many play", "seats"), *self.options))
        for option in self.options:
            if option.kind not in KINDS:
                raise ValueError(f"option {option.name!r} is of no kind that there is: {', '.join(KINDS)}")
            for name, values in option.when.items():
                for value in values:
                    self.option(name).parse(format_value(value))

    @functools.cached_property
    def folder(self) -> Path:
        spec = importlib.util.find_spec(self.package)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(self.package)
        return Path(spec.origin).parent

    def module(self, name: str) -> ModuleType:
        """Return one of the folder's modules, imported on first use."""
        from lamplighter.engine import contract

        if name not in self._modules:
            module = importlib.import_module(f"{self.package}.{name}")
            if name in contract.MODULES:
                contract.check_module(name, module)
                if name == "notation":
                    contract.check_beside(module)
            self._modules[name] = module
        return self._modules[name]

    @functools.cached_property
    def _modules(self) -> dict[str, ModuleType]:
        return {}

    def has(self, name: str) -> bool:
        """Return whether the folder has a module of that name."""
        return importlib.util.find_spec(f"{self.package}.{name}") is not None

    def _need(self, name: str) -> ModuleType:
        from lamplighter.engine.contract import GUIDE, MODULES, check_folder

        if not self.has(name):
            check_folder(self.folder)
            raise BadGame(f"{self.folder} has no {name}.py: {MODULES[name].meaning} {GUIDE} says more")
        return self.module(name)

    @functools.cached_property
    def rules(self) -> Any:
        return self._need("rules")

    @functools.cached_property
    def state(self) -> Any:
        from lamplighter.engine import plain

        module = self._need("state")
        return plain.WithDefaults(module, plain.state(module))

    @functools.cached_property
    def components(self) -> Any:
        from lamplighter.engine import plain

        return self.module("components") if self.has("components") else plain.components(self)

    @functools.cached_property
    def notation(self) -> Any:
        from lamplighter.engine import plain

        return plain.WithDefaults(self.module("notation") if self.has("notation") else None, plain)

    @functools.cached_property
    def texts(self) -> Any:
        """What people read of it: names, what to do now, what others did."""
        from lamplighter.engine import plain

        return plain.WithDefaults(self.module("texts") if self.has("texts") else None, plain)

    @functools.cached_property
    def sheet(self) -> Any:
        from lamplighter.engine import plain

        return self.module("sheet") if self.has("sheet") else plain

    @functools.cached_property
    def kernels(self) -> Kernels:
        """Its kernels on records, for other kernels."""
        from lamplighter.engine.kernels import Kernels

        return Kernels(self)

    @functools.cached_property
    def rows(self) -> Rows:
        """Its kernels on rows of arrays, for calls from Python."""
        from lamplighter.engine.kernels import Rows

        return Rows(self)

    @functools.cached_property
    def loops(self) -> Loops:
        """The loops around its kernels, and the addresses of these."""
        from lamplighter.engine.kernels import Loops

        return Loops(self)

    @property
    def draws_follow_play(self) -> bool:
        """Whether what can come depends on what was played, so that one seed gives different outcomes to two players."""
        return bool(self.state.DRAWS_FOLLOW_PLAY)

    @functools.cached_property
    def has_picture(self) -> bool:
        return self.has("picture")

    @functools.cached_property
    def picture(self) -> ModuleType:
        """The folder's drawn sheet; a game without one is refused with a sentence."""
        if not self.has_picture:
            raise LamplighterError(f"{self.id} has no drawn sheet: a picture.py in its folder would bring one")
        return self.module("picture")

    @functools.cached_property
    def explain(self) -> ModuleType | None:
        """The folder's module that names the cells behind a score; None where a game has none."""
        return self.module("explain") if self.has("explain") else None

    @functools.cached_property
    def evaluate(self) -> Any:
        """The kernel that bots maximise; None where they look at the score."""
        return self.module("evaluate").evaluate if self.has("evaluate") else None

    @property
    def rules_text(self) -> str:
        """The rules; title and summary as long as nobody has written them."""
        path = self.folder / "RULES.md"
        return path.read_text(encoding="utf-8") if path.exists() else f"# {self.title}\n\n{self.summary}\n"

    @property
    def minute_text(self) -> str:
        """The rules in a minute; empty if nobody has written them."""
        path = self.folder / "MINUTE.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def has_lesson(self) -> bool:
        """Whether the folder has a guided first match, for `engine.lesson`."""
        return (self.folder / "lesson.toml").exists()

    @property
    def box_text(self) -> str:
        """The game's own component file, as TOML; empty if it has none."""
        path = self.folder / "box.toml"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def idle_options(self, options: Mapping[str, Value]) -> list[Option]:
        """Return the options that are set, though they change nothing beside the others."""
        return [one for one in self.options if options[one.name] != one.default and not one.applies(options)]

    def option(self, name: str) -> Option:
        for option in self.options:
            if option.name == name:
                return option
        known = [option.name for option in self.options]
        raise BadVariant(f"{self.id} has no option {name!r}: {suggest(name, known)}")
