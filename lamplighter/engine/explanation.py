"""Why a scoring line has its points. A game says it in its explain.py; here is what people and programs get."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lamplighter.engine.phrase import Phrase
from lamplighter.errors import LamplighterError, shown, suggest
from lamplighter.score_panel import say_points

if TYPE_CHECKING:
    from lamplighter.engine.variant import State, Variant


@dataclass(frozen=True)
class Explanation:
    """A scoring line of a seat: its points, the cells they come from, and a sentence that says how."""

    line: str
    points: int
    cells: tuple[str, ...]  # by their names on the sheet, each once; none where there is nothing to point at
    sentence: str

    def __str__(self) -> str:
        words = [f"{self.line}: {say_points(self.points)}.", self.sentence]
        words += [f"Cells: {' '.join(self.cells)}."] if self.cells else []
        return " ".join(filter(None, words))


def score_cells(variant: Variant, state: State, seat: int) -> dict[str, list[str]]:
    """Return the cells behind every scoring line of a seat; none where a game has no explain.py."""
    explain = variant.game.explain
    if explain is None:
        return {line: [] for line in variant.score_lines}
    found: dict[str, list[str]] = explain.score_cells(variant, state, seat)
    return found


def score_reasons(variant: Variant, state: State, seat: int) -> dict[str, str]:
    """Return a sentence for every scoring line of a seat; none where a game says nothing."""
    return {line: explain_line(variant, state, seat, line, 0).sentence for line in variant.score_lines}


def explain_line(variant: Variant, state: State, seat: int, line: str, points: int) -> Explanation:
    """Explain a scoring line that has these points; refuse a name that is no scoring line."""
    if line not in variant.score_lines:
        raise LamplighterError(f"there is no scoring line {shown(line)}: {suggest(line, variant.score_lines)}")
    explain = variant.game.explain
    if explain is None:
        silent = Phrase("{game} does not say which cells its points come from.", game=variant.game.title)
        return Explanation(line, points, (), silent)
    reasons = getattr(explain, "score_reasons", None)
    sentence = reasons(variant, state, seat).get(line, "") if reasons is not None else ""
    return Explanation(line, points, tuple(dict.fromkeys(score_cells(variant, state, seat).get(line, []))), sentence)
