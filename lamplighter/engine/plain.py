"""Defaults for the modules that a game's folder leaves out: a box, a notation and a sheet that any game can use."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from lamplighter.engine.phrase import Phrase
from lamplighter.engine.reading import parse_number
from lamplighter.errors import BadNotation, shown

if TYPE_CHECKING:
    from lamplighter.engine.game import Game
    from lamplighter.engine.variant import State, Variant


class WithDefaults:
    """A module of a game, and a default for each name that it lacks."""

    def __init__(self, module: Any, defaults: Any) -> None:
        self._module, self._defaults = module, defaults

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module if hasattr(self._module, name) else self._defaults, name)
        setattr(self, name, value)  # found without a detour from now on
        return value


# --- components -------------------------------------------------------------------------------------------------


def components(game: Game) -> SimpleNamespace:
    """A box that holds the options: a number, a truth value, or the place of a word among its option's values."""
    kinds = {option.name: np.bool_ if isinstance(option.default, bool) else np.int64 for option in game.options}
    layout = np.dtype(list(kinds.items()))

    def build(file: Any, options: Mapping[str, Any]) -> Any:
        boxes = np.zeros(1, layout)
        for option in game.options:
            value = options[option.name]
            boxes[0][option.name] = option.values.index(value) if isinstance(value, str) else value
        return boxes

    return SimpleNamespace(BOX=layout, build=build, score_lines=lambda file: ("points",))


# --- state ------------------------------------------------------------------------------------------------------


def state(module: Any) -> SimpleNamespace:
    """Sentences from the names of the reasons; nothing left to chance; nothing else to count."""
    refusals = {reason: ("the rules", reason.name.lower().replace("_", " ")) for reason in module.Reason if reason}
    return SimpleNamespace(REFUSALS=refusals, MAX_LEGAL=0, MAX_OUTCOMES=1, FACTS=(), DRAWS_FOLLOW_PLAY=False)


# --- notation ---------------------------------------------------------------------------------------------------


def format_move(variant: Variant, state: State, seat: int, action: int) -> str:
    return str(action)


def parse_move(variant: Variant, state: State, seat: int, text: str) -> int:
    number = parse_number(text)
    if number is None:
        raise BadNotation(f"a move of {variant.game.id} is a number below {variant.action_count}")
    return number


def move_fields(variant: Variant, state: State, seat: int, action: int) -> dict[str, Any]:
    return {"action": action}


def format_outcome(variant: Variant, state: State, outcome: int) -> str:
    return str(outcome)


def outcome_fields(variant: Variant, state: State, outcome: int) -> dict[str, Any]:
    return {"outcome": outcome}


def parse_rolls(variant: Variant, entry: Any) -> list[str]:
    if not isinstance(entry, list) or not all(isinstance(text, str) for text in entry):
        raise BadNotation(f"the rolls of a match are a list of outcomes, each a text, not {shown(entry)}")
    return entry


def format_position(variant: Variant, state: State) -> str:
    return base64.urlsafe_b64encode(state.tobytes()).decode().rstrip("=")


def parse_position(variant: Variant, text: str) -> State:
    """The state of these bytes. They are not looked at: a game that wants that brings a notation."""
    layout = variant.game.state.STATE
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        data = b""
    if len(data) != layout.itemsize:
        raise BadNotation(f"a position of {variant.game.id} is the {layout.itemsize} bytes of its record in base64")
    return np.frombuffer(data, layout)[0]


# --- texts ------------------------------------------------------------------------------------------------------


FINAL: tuple[str, ...] = ()


def say(variant: Variant, text: str) -> str:
    return text


def labels(variant: Variant) -> dict[str, tuple[str, ...]]:
    return {}


def name_line(variant: Variant, state: State, line: str) -> str:
    said: str = variant.game.texts.say(variant, line)
    return said.replace("-", " ").replace("_", " ")


def instruct(variant: Variant, state: State, seat: int) -> Phrase:
    return Phrase("Your turn.")


def question(variant: Variant, state: State, seat: int) -> str:
    return ""


def effects(variant: Variant, before: State, after: State, seat: int) -> list[Phrase]:
    return []


def marks(variant: Variant, before: State, after: State, seat: int) -> list[str]:
    return []


def verdict(variant: Variant, state: State, seat: int) -> str:
    return ""


# --- sheet ------------------------------------------------------------------------------------------------------


def draw_text(variant: Variant, state: State, seat: int) -> list[list[tuple[str, str]]]:
    """List the fields of the record, one a line."""
    return [[(f"{name:<14}", "print"), (str(state[name]).replace("\n", ""), "ink")] for name in state.dtype.names]
