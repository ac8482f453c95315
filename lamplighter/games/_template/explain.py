"""Why a score of My Game is what it is: the squares behind every scoring line, and a sentence about it.

`lamplighter show --why`, `why` in the terminal, drawn sheets and the server ask here. Without this file they say that
there is nothing to explain.
"""

from __future__ import annotations

from lamplighter.engine.grid import format_cell
from lamplighter.engine.phrase import Phrase
from lamplighter.engine.variant import State, Variant


def score_cells(variant: Variant, state: State, seat: int) -> dict[str, list[str]]:
    """Return the squares behind every scoring line, by the names that moves use."""
    box, rises, size = variant.box, variant.game.rules.rises, int(variant.box["size"])
    rows = [row for row in range(size) if rises(box, state, seat, row * size, 1)]
    columns = [col for col in range(size) if rises(box, state, seat, col, size)]
    return {
        "rows": [format_cell(row, col) for row in rows for col in range(size)],
        "columns": [format_cell(row, col) for col in columns for row in range(size)],
    }


def score_reasons(variant: Variant, state: State, seat: int) -> dict[str, str]:
    """Return a sentence for every scoring line. You may leave this function out."""
    rules = variant.game.rules
    return {
        "rows": Phrase("Rows that rise: {n} (§5).", n=int(rules.rising_rows(variant.box, state, seat))),
        "columns": Phrase("Columns that rise: {n} (§6).", n=int(rules.rising_columns(variant.box, state, seat))),
    }
