"""What a game brings: one protocol for each module of its folder, and the check that it is all there.

A member without `@optional` must be there. The rest have defaults, so that a game plays with two files: `state.py` and
`rules.py`. The guide for authors, the template and the messages below all come from these classes.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, TypeVar

from lamplighter.errors import BadGame

GUIDE = "docs/adding-a-game.md"
Member = TypeVar("Member", bound=Callable[..., Any])
Box = Any  # a record of components.BOX: what never changes during a match
State = Any  # a record of state.STATE: what does
Out = Any  # an int64 array that a kernel fills
Variant = Any
File = Any


def optional(default: str) -> Callable[[Member], Member]:
    """Mark a member that a game may leave out; `default` says what happens then."""

    def mark(member: Member) -> Member:
        member.__dict__["default"] = default
        return member

    return mark


class StateModule(Protocol):
    """state.py: the record of a match, and why moves are refused."""

    @property
    def STATE(self) -> Any:
        """The dtype of the record. `turn` and `draws` are among its fields; equal positions have equal bytes."""

    @property
    def Reason(self) -> type[IntEnum]:
        """Why a move is refused: `OK = 0`, `NOT_WAITING`, and one for each rule."""

    @property
    @optional("the names of the reasons, in words")
    def REFUSALS(self) -> Mapping[IntEnum, tuple[str, str]]:
        """The rule and the end of a sentence for each reason but `OK`."""

    @property
    @optional("as many as there are actions")
    def MAX_LEGAL(self) -> int:
        """The most legal actions that a seat can have at once."""

    @property
    @optional("1: nothing is left to chance")
    def MAX_OUTCOMES(self) -> int:
        """The most outcomes that one die, card or tile can have."""

    @property
    @optional("none")
    def FACTS(self) -> tuple[str, ...]:
        """The names of what `facts` counts."""

    @property
    @optional("False")
    def DRAWS_FOLLOW_PLAY(self) -> bool:
        """Whether what can come depends on what was played."""


class RulesModule(Protocol):
    """rules.py, or a package rules/: the kernels. They take records and integers, and never raise."""

    def setup(self, box: Box, state: State) -> None:
        """Fill a fresh record, which comes with zeros in every field."""

    def action_count(self, box: Box) -> int:
        """Return the number of actions; they are numbered from 0."""

    def waiting(self, box: Box, state: State) -> int:
        """Return the seats that must act now, one bit a seat; 0 means chance or the end."""

    def check(self, box: Box, state: State, seat: int, action: int) -> int:
        """Return the `Reason` why an action is refused, or `Reason.OK`. Legality lives here and nowhere else."""

    def apply(self, box: Box, state: State, seat: int, action: int) -> None:
        """Play an action that `check` accepts."""

    def score(self, box: Box, state: State, seat: int, out: Out) -> int:
        """Write every scoring line into `out`, as if the match ended now. Return their sum."""

    @optional("every action that `check` accepts")
    def legal_actions(self, box: Box, state: State, seat: int, out: Out) -> int:
        """Write the actions that `check` accepts into `out`, in ascending order. Return how many there are."""

    @optional("nothing is left to chance")
    def outcomes(self, box: Box, state: State, out: Out, weights: Out) -> int:
        """Write what the next die, card or tile can be, with integer weights. Return how many outcomes there are."""

    @optional("nothing is left to chance")
    def apply_chance(self, box: Box, state: State, outcome: int) -> None:
        """Let one die, card or tile be this, and set `draws` to a number that no other draw of the match has."""

    @optional("-1: everybody")
    def chance_seat(self, box: Box, state: State) -> int:
        """Return whom the next outcome is dealt to; -1 means everybody."""

    @optional("over when nobody waits, if nothing is left to chance")
    def is_over(self, box: Box, state: State) -> bool:
        """Return whether the match has ended."""

    @optional("the total")
    def standing(self, box: Box, state: State, seat: int, total: int) -> int:
        """Return a number that ranks a seat with this total: greater is better, equal ones share the victory."""

    @optional("none")
    def facts(self, box: Box, state: State, seat: int, out: Out) -> int:
        """Write what else is worth counting, as named in `state.FACTS`. Return how many there are."""

    @optional("all is open")
    def hide(self, box: Box, state: State, seat: int) -> None:
        """Blank what a seat (-1: a spectator) may not see."""

    @optional("needed only beside `hide`")
    def resample(self, box: Box, state: State, seat: int, stream: Out) -> None:
        """Fill what `hide` blanked for a seat with a draw from what that seat may still believe."""

    @optional("all is open")
    def hides_draws(self, box: Box) -> bool:
        """Return whether what is dealt to one seat is hidden from the others."""

    @optional("only outcomes make moves final")
    def step(self, box: Box, state: State) -> int:
        """Return a number that changes when all that was played becomes final though no outcome was revealed."""


class ComponentsModule(Protocol):
    """components.py: what is in the box, as tables for the kernels."""

    @property
    def BOX(self) -> Any:
        """The dtype of the record that kernels read."""

    def build(self, file: File, options: Mapping[str, Any]) -> Any:
        """Return the box of a variant, an array of one `BOX` record."""

    def score_lines(self, file: File) -> tuple[str, ...]:
        """Return the names of the scoring lines, in the order of `rules.score`."""

    @optional("nothing is odd")
    def oddities(self, file: File) -> list[tuple[str, tuple[str | int, ...]]]:
        """Return what is odd in a file though it can be played: a sentence, and the path of the value as `fail` takes it."""


class NotationModule(Protocol):
    """notation.py: moves, outcomes and positions as text."""

    @optional("the number of the action")
    def format_move(self, variant: Variant, state: State, seat: int, action: int) -> str:
        """Return a move's text; two legal moves never share one."""

    @optional("the number of the action")
    def parse_move(self, variant: Variant, state: State, seat: int, text: str) -> int:
        """Return the action that a text names, legal or not."""

    @optional("its number")
    def move_fields(self, variant: Variant, state: State, seat: int, action: int) -> dict[str, Any]:
        """Return the parts of a move by name, for programs."""

    @optional("the number of the outcome")
    def format_outcome(self, variant: Variant, state: State, outcome: int) -> str:
        """Return an outcome's text."""

    @optional("its number")
    def outcome_fields(self, variant: Variant, state: State, outcome: int) -> dict[str, Any]:
        """Return the parts of an outcome by name, for programs."""

    @optional("a list of outcomes as text")
    def parse_rolls(self, variant: Variant, entry: Any) -> list[str]:
        """Return the outcomes of a match, in their order, from one entry of a file of rolls (a JSON value)."""

    @optional("the bytes of the record")
    def format_position(self, variant: Variant, state: State) -> str:
        """Return a position's text, without the variant."""

    @optional("the bytes of the record")
    def parse_position(self, variant: Variant, text: str) -> State:
        """Return the state of a position's text, byte by byte."""

    @optional("nothing is told")
    def left_to_draw(self, variant: Variant, state: State, seat: int) -> Any:
        """Return the names of what is left in deck, bag or pile, with their number, where that is public."""


class TextsModule(Protocol):
    """texts.py: what people read. A `Phrase` can be said in the languages of the folder's `locale`."""

    @optional("texts are said as they are written")
    def say(self, variant: Variant, text: str) -> str:
        """Return what people call an outcome, a piece, a scoring line, a word of a move or a whole move."""

    @optional("the words themselves")
    def labels(self, variant: Variant) -> Mapping[str, tuple[str, ...]]:
        """Return what sheets show for words of moves and outcomes; a terminal shows the first label, and reads all."""

    @optional("what `say` says")
    def name_line(self, variant: Variant, state: State, line: str) -> str:
        """Return what people call a scoring line; nothing if the variant does not have it."""

    @property
    @optional("there are none")
    def FINAL(self) -> tuple[str, ...]:
        """The moves that end a step, such as `done` or `pass`: people find them on one button."""

    @optional("it is your turn")
    def instruct(self, variant: Variant, state: State, seat: int) -> str:
        """Return one sentence that says what a seat that must act has to do now."""

    @optional("how it is to be done")
    def question(self, variant: Variant, state: State, seat: int) -> str:
        """Return what is asked where several moves lead to one place, such as which card is spent."""

    @optional("nothing is announced")
    def effects(self, variant: Variant, before: State, after: State, seat: int) -> list[str]:
        """Return a sentence for each thing that a move of others did to a seat's sheet."""

    @optional("nothing is marked")
    def marks(self, variant: Variant, before: State, after: State, seat: int) -> list[str]:
        """Return where a move of others changed a seat's sheet: the `data-mark` of what is drawn there."""

    @optional("the score says it all")
    def verdict(self, variant: Variant, state: State, seat: int) -> str:
        """Return a sentence about the end of a match beside a seat's points, such as whether a goal was reached."""


class SheetModule(Protocol):
    """sheet.py: a seat's sheet as text."""

    def draw_text(self, variant: Variant, state: State, seat: int) -> Any:
        """Return the sheet as lines of (text, role) pairs."""


class ExplainModule(Protocol):
    """explain.py: why a score is what it is."""

    def score_cells(self, variant: Variant, state: State, seat: int) -> dict[str, list[str]]:
        """Return the cells behind every scoring line, by the names that moves use."""

    @optional("only cells are named")
    def score_reasons(self, variant: Variant, state: State, seat: int) -> dict[str, str]:
        """Return a sentence for every scoring line."""


class PictureModule(Protocol):
    """picture.py, or a package picture/: a seat's sheet as SVG."""

    def draw(self, variant: Variant, state: State | None, seat: int) -> Any:
        """Return the sheet as a `Picture`; the blank sheet where `state` is None."""

    def targets(self, variant: Variant, state: State, seat: int) -> Any:
        """Return a `Target` for each legal move."""

    @optional("the rules have no figures")
    def figures(self, variant: Variant) -> Any:
        """Return the figures of the rules by name."""

    @optional("nothing is cut out")
    def cutouts(self, variant: Variant) -> Any:
        """Return the pieces to cut out."""

    @optional("outcomes are shown as words")
    def draw_outcome(self, variant: Variant, text: str) -> Any:
        """Return a die, card or tile by its text as a small `Picture`; None for any other text."""

    @optional("pieces are turned, but not mirrored")
    def flip(self, orientation: str) -> str:
        """Return the orientation of a piece that is mirrored left to right."""


class EvaluateModule(Protocol):
    """evaluate.py: what bots maximise."""

    def evaluate(self, box: Box, state: State, seat: int, out: Out) -> int:
        """Return how good a state is for a seat. `out` is room for the scoring lines."""

    @optional("1")
    def point(self, box: Box) -> int:
        """Return how much of `evaluate` one point of the score is."""

    @optional("all of them")
    def lane(self, box: Box, state: State, seat: int) -> int:
        """Return which states in the middle of a seat's turn, 0 to 3, a search compares with each other."""

    @optional("the action: no two moves are alike")
    def group(self, box: Box, state: State, seat: int, action: int) -> int:
        """Return a number that moves share which are so alike that a search tries only the best of them."""

    @optional("no value is fitted")
    def features(self, box: Box, state: State, seat: int, out: Out) -> int:
        """Write the numbers that a fitted value weighs. Return how many there are; the first one is the total."""

    @optional("no value is fitted")
    def stage(self, box: Box, state: State, seat: int) -> int:
        """Return how many turns a seat has still to play, in sixteenths of a turn."""

    @optional("-1: not known")
    def ceiling(self, box: Box, state: State, seat: int, dice: Out, plays: Out, out: Out) -> int:
        """Return points that a seat that must act cannot exceed in the end, or -1. `dice` are the outcomes still to come,
        `plays[other]` the moves of the others, in their order; `out` is room for 65,536 numbers."""

    @property
    @optional("as `bots.search.plan.Habits` says")
    def SEARCH(self) -> Mapping[str, Any]:
        """How a search goes about this game, where that differs from its habits."""


@dataclass(frozen=True)
class Need:
    """One member of a module: its name, its parameters (None: it is not a function), and what it is for."""

    name: str
    parameters: tuple[str, ...] | None
    meaning: str
    default: str  # what happens without it; empty if it must be there

    @property
    def text(self) -> str:
        return self.name if self.parameters is None else f"{self.name}({', '.join(self.parameters)})"


@dataclass(frozen=True)
class ModuleNeed:
    """One module of a game, what it is for, and whether a game plays without it."""

    name: str
    protocol: type
    default: str

    @property
    def meaning(self) -> str:
        return (self.protocol.__doc__ or "").partition(": ")[2]

    def members(self) -> Iterator[Need]:
        for name, member in vars(self.protocol).items():
            getter = member.fget if isinstance(member, property) else member
            if name.startswith("_") or not inspect.isfunction(getter):
                continue
            parameters = None if isinstance(member, property) else tuple(inspect.signature(getter).parameters)[1:]
            yield Need(name, parameters, inspect.getdoc(getter) or "", getter.__dict__.get("default", ""))


MODULES = {
    need.name: need
    for need in (
        ModuleNeed("state", StateModule, ""),
        ModuleNeed("rules", RulesModule, ""),
        ModuleNeed(
            "components", ComponentsModule, "the box holds the seats and the options, and there is one scoring line"
        ),
        ModuleNeed("notation", NotationModule, "moves and outcomes are numbers"),
        ModuleNeed("texts", TextsModule, "moves and scoring lines are said as they are written"),
        ModuleNeed("sheet", SheetModule, "the fields of the record are listed"),
        ModuleNeed("explain", ExplainModule, "nothing is explained"),
        ModuleNeed("picture", PictureModule, "there is a text sheet only"),
        ModuleNeed("evaluate", EvaluateModule, "bots look at the score"),
    )
}


BESIDE = {  # who brings the first must bring the others: a default would contradict it, or leave it too little room
    "outcomes": ("apply_chance", "is_over", "MAX_OUTCOMES"),
    "apply_chance": ("outcomes",),
    "facts": ("FACTS",),
    "hide": ("resample",),
    "hides_draws": ("hide",),
    "format_move": ("parse_move",),
    "parse_move": ("format_move",),
    "format_position": ("parse_position",),
    "parse_position": ("format_position",),
}


def table(name: str) -> str:
    """Return the members of a module as a table in Markdown, as the guide shows them: what must be there comes first."""
    rows = ["| member | what it is | without it |", "|---|---|---|"]
    for need in sorted(MODULES[name].members(), key=lambda need: bool(need.default)):
        meaning = " ".join(need.meaning.split())
        rows.append(f"| `{need.text}` | {meaning} | {need.default or '**must be there**'} |")
    return "\n".join(rows) + "\n"


def check_module(name: str, module: ModuleType) -> None:
    """Refuse a game's module that lacks what the contract asks for, or has a hook under a wrong name."""
    needs = {need.name: need for need in MODULES[name].members()}
    file = module.__file__ or module.__name__
    for need in needs.values():
        if not hasattr(module, need.name):
            if not need.default:
                raise BadGame(
                    f"{file} has no {need.text}{_alike(need.name, module, needs)}. {need.meaning} "
                    f"{GUIDE} says more under '{name}.py'"
                )
            continue
        _check_parameters(file, need, getattr(module, need.name), name)
    missing = [need for need in needs.values() if need.default and not hasattr(module, need.name)]
    for own, is_function in _own_names(module):
        alike = [need.name for need in missing if (need.parameters is not None) == is_function]
        if own not in needs and (close := difflib.get_close_matches(own, alike, 1, 0.85)):
            raise BadGame(f"{file} has {own!r}, which nothing reads: is it meant to be {needs[close[0]].text}?")
    if name == "state":
        _check_state(file, module)


def check_folder(folder: Path) -> None:
    """Refuse a file that is named almost like a module that the folder lacks: nothing would read it."""
    found = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    for own in sorted(found - set(MODULES)):
        if close := difflib.get_close_matches(own, set(MODULES) - found, 1, 0.85):
            raise BadGame(f"{folder / own}.py is read by nothing: is it meant to be {close[0]}.py? {GUIDE} says more")


def check_beside(*modules: ModuleType) -> None:
    """Refuse modules that have one member without another that belongs to it."""
    needs = {need.name: (home, need) for home, module in MODULES.items() for need in module.members()}
    given = {name for name in needs if any(hasattr(module, name) for module in modules)}
    for name in (name for name in BESIDE if name in given):
        for other in (other for other in BESIDE[name] if other not in given):
            home, need = needs[other]
            raise BadGame(
                f"{modules[0].__file__} has {name}, so {home}.py must have {need.text}. {need.meaning} "
                f"{GUIDE} says more under '{home}.py'"
            )


def _alike(name: str, module: ModuleType, needs: Mapping[str, Need]) -> str:
    spare = [own for own in vars(module) if not own.startswith("_") and own not in needs]
    close = difflib.get_close_matches(name, spare, 1, 0.7)
    return f"; it has {close[0]!r}: is that the one?" if close else ""


def _own_names(module: ModuleType) -> Iterator[tuple[str, bool]]:
    """Yield the names that a module gives to functions and constants, and whether it is a function."""
    for name, value in vars(module).items():
        function = getattr(value, "py_func", value)
        if name.startswith("_"):
            continue
        if inspect.isfunction(function) and function.__module__.startswith(module.__name__):
            yield name, True
        elif name.isupper():
            yield name, False


def _check_parameters(file: str, need: Need, member: Any, name: str) -> None:
    function = getattr(member, "py_func", member)
    if need.parameters is None or not inspect.isfunction(function):
        return
    given = list(inspect.signature(function).parameters.values())
    fewest = sum(parameter.default is parameter.empty for parameter in given)
    if not fewest <= len(need.parameters) <= len(given):
        found = ", ".join(parameter.name for parameter in given)
        raise BadGame(f"{file}: {need.name}({found}) must be {need.text}. {GUIDE} says more under '{name}.py'")


def _check_state(file: str, module: ModuleType) -> None:
    fields = module.STATE.names or ()
    for field in ("turn", "draws"):
        if field not in fields:
            raise BadGame(f"{file}: STATE has no field {field!r}. {GUIDE} says more under 'state.py'")
    names = {reason.name: int(reason) for reason in module.Reason}
    if names.get("OK") != 0 or "NOT_WAITING" not in names:
        raise BadGame(f"{file}: Reason needs OK = 0 and NOT_WAITING. {GUIDE} says more under 'state.py'")
    unsaid = [reason.name for reason in module.Reason if reason and reason not in getattr(module, "REFUSALS", {reason})]
    if unsaid:
        raise BadGame(f"{file}: REFUSALS has no sentence for {unsaid[0]}. {GUIDE} says more under 'state.py'")


def never_ends(variant: str, limit: int) -> BadGame:
    """Return the refusal of a game whose match does not end."""
    return BadGame(
        f"a match of {variant} has not ended after {limit:,} entries: "
        "in its rules, `waiting` and `outcomes` must both return 0 at the end"
    )
