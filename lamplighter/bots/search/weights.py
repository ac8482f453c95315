"""Fitted values: their files, and which of them may be used.

A file names the game, the version of its rules, the options and the box it was made for, the command that made it, and a
row of weights for each number of turns left: one for each feature, then one for each hidden node, then a constant. Files
are in the folder of the game, or in the user's own folder, where `lamplighter train` puts them.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lamplighter.bots.search.room import Value
from lamplighter.engine.game import format_value
from lamplighter.errors import LamplighterError

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant

log = logging.getLogger("lamplighter.bots")
LARGEST = 1_000_000  # bytes of a file
# of what a file says about itself
KINDS = {
    "game": str, "rules_version": int, "options": dict, "box": str, "features": int, "sweeps": int, "seed": str, "command": str,
}  # fmt: skip


class BadWeights(LamplighterError):
    """Weights that cannot be read, or that were made for something else."""


@dataclass(frozen=True)
class Weights:
    """A fitted value."""

    game: str
    rules_version: int
    options: dict[str, str]  # those that matter
    box: str  # a hash of the component file
    features: int
    sweeps: int
    seed: str
    command: str  # what makes it again
    rows: tuple[tuple[float, ...], ...]
    hidden: tuple[tuple[float, ...], ...] = ()  # of hidden nodes: for each feature, then constants
    deep: tuple[tuple[float, ...], ...] = ()  # of a second layer of them: for each node of the first, then constants

    @property
    def value(self) -> Value:
        """The weights as kernels take them."""
        hidden = np.array(self.hidden, np.float64) if self.hidden else np.zeros((self.features + 1, 0))
        deep = np.array(self.deep, np.float64) if self.deep else np.zeros((hidden.shape[1] + 1, 0))
        return Value(np.array(self.rows, np.float64), hidden, deep)

    def save(self, path: Path) -> None:
        body = asdict(self)
        tables = "".join(f',\n  "{name}": [\n    {_lines(body.pop(name))}\n  ]' for name in ("rows", "hidden", "deep"))
        head = json.dumps(body, indent=2)[:-2]
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")  # what is there stays whole until all is written
        try:
            new.write_text(f"{head}{tables}\n}}\n", encoding="utf-8")
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)


def _lines(rows: tuple[tuple[float, ...], ...]) -> str:
    """Return rows of numbers as JSON, one on each line."""
    return ",\n    ".join(json.dumps([float(f"{weight:.6g}") for weight in row]) for row in rows)


def read_weights(path: Path) -> Weights:
    """Return the weights in a file."""
    try:
        if path.stat().st_size > LARGEST:
            raise BadWeights(f"{path.name} is larger than {LARGEST:,} bytes")
        body = json.loads(path.read_text(encoding="utf-8"))
        rows = tuple(tuple(float(weight) for weight in row) for row in body.pop("rows"))
        hidden, deep = (
            tuple(tuple(float(weight) for weight in row) for row in body.pop(name, ())) for name in ("hidden", "deep")
        )
        found = Weights(**body, rows=rows, hidden=hidden, deep=deep)
        if not rows or not all(isinstance(getattr(found, name), kind) for name, kind in KINDS.items()):
            raise ValueError
        value = found.value
        nodes, more = value.hidden.shape[1], value.deep.shape[1]
        sound = value.rows.shape[1] == found.features + nodes + more + 1
        sound = sound and len(value.hidden) == found.features + 1 and len(value.deep) == nodes + 1
        if not sound or not all(np.isfinite(part).all() for part in value):
            raise ValueError
    except OSError as error:
        raise BadWeights(f"{path.name} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError, RecursionError):
        raise BadWeights(f"{path.name} is not a file of weights: make it again with lamplighter train") from None
    return found


# --- which of them --------------------------------------------------------------------------------------------


def deciding_options(variant: Variant) -> dict[str, str]:
    """Return the options that a fitted value depends on, as the game says; else all but the number of seats."""
    from lamplighter.bots.search.program import own_habits

    names = own_habits(variant.game).get("fitted_for")
    if names is None:
        names = [option.name for option in variant.game.options if option.name != "seats"]
    return {name: format_value(variant.options[name]) for name in names}


def box_hash(variant: Variant) -> str:
    """Return a name for what is in the box, whatever the comments of its file say."""
    return hashlib.sha256(json.dumps(variant.file.data, sort_keys=True).encode()).hexdigest()[:16]


def train_command(variant: Variant) -> str:
    """Return the command that makes weights for a variant."""
    return f"lamplighter train {variant.short_text!r}"


def folders(variant: Variant) -> list[Path]:
    """Return where weights may be: the user's own come first."""
    import platformdirs

    own = Path(platformdirs.user_data_dir("lamplighter", appauthor=False)) / "weights" / variant.game.id
    return [own, variant.game.folder / "weights"]


def check_weights(found: Weights, variant: Variant, name: str) -> None:
    """Refuse weights of another game, of other rules, or of another box."""
    again = f"make new ones with {train_command(variant)}"
    if found.game != variant.game.id:
        raise BadWeights(f"{name} has weights for {found.game}, not for {variant.game.id}: {again}")
    if found.rules_version != variant.game.rules_version:
        raise BadWeights(
            f"{name} was made for version {found.rules_version} of the rules, and these are version "
            f"{variant.game.rules_version}: {again}"
        )
    if found.options != deciding_options(variant):
        raise BadWeights(f"{name} was made for other options, {found.options}: {again}")
    if found.box != box_hash(variant):
        raise BadWeights(f"{name} was made for another box: {again}")
    if found.features != count_features(variant):
        raise BadWeights(
            f"{name} was made from {found.features} features, and there are {count_features(variant)}: {again}"
        )


def count_features(variant: Variant) -> int:
    """Return how many features the states of a variant have."""
    from lamplighter.bots.search.plan import FEATURES
    from lamplighter.bots.search.program import PROGRAM
    from lamplighter.engine.table import make_table, new_rows

    states, words = new_rows(variant, 1)
    states[0] = variant.start().state
    return int(PROGRAM.count_features(make_table(variant), words, np.zeros(FEATURES, np.int64)))


def find_weights(variant: Variant, where: list[Path] | None = None) -> Weights | None:
    """Return the weights that fit a variant; None if there are none.

    If none fit, those that would but for rules or box are refused, and files that cannot be read.
    """
    refused: BadWeights | None = None
    for folder in folders(variant) if where is None else where:
        for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
            try:
                found = read_weights(path)
                if found.game != variant.game.id or found.options != deciding_options(variant):
                    continue
                check_weights(found, variant, path.name)
            except BadWeights as error:
                refused = error
                continue
            return found
    if refused is not None:
        raise refused
    return None


@functools.lru_cache(maxsize=64)
def value_for(variant: Variant) -> Value | None:
    """Return the fitted value of a variant, with rows by stage; None, and a line in the log, where none may be used."""
    from lamplighter.bots.search.plan import by_stage
    from lamplighter.bots.search.program import has_features

    if not has_features(variant.game):
        return None
    try:
        found = find_weights(variant)
    except BadWeights as error:
        log.warning("%s; until then the bots search without a fitted value", error)
        return None
    return None if found is None else found.value._replace(rows=by_stage(found.value.rows))
