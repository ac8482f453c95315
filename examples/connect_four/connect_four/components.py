"""What is in the box: one grid, always the same, so there is nothing to read from a component file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from lamplighter.engine.component_file import ComponentFile
    from lamplighter.engine.game import Value

COLUMNS, ROWS, SEATS = 7, 6, 2  # §1

BOX = np.dtype([("seats", np.int8)])  # a record needs a field; the rules read none


def score_lines(file: ComponentFile) -> tuple[str, ...]:
    """The names of the scoring lines, in the order of `rules.score`."""
    return ("won",)


def build(file: ComponentFile, options: Mapping[str, Value]) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """The box as kernels read it: an array of one record. A file that wants to change the game is refused."""
    file.need_keys([])
    return np.array([(SEATS,)], BOX)
