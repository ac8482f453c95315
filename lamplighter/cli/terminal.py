"""How sheets and scores look in a terminal."""

from __future__ import annotations

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from lamplighter.engine.drawing import Drawing
from lamplighter.engine.position import Position

STYLES = {
    "ink": "bold",
    "print": "grey58",
    "lamp": "bold yellow",
    "power": "bold bright_blue",
    "green": "green",
    "error": "bold red",
    "title": "bold cyan",
}

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def paint(drawing: Drawing) -> Group:
    """A drawing in the terminal's colours. What is too wide for the terminal is cut: a wrapped sheet is none."""
    text = Text(no_wrap=True, overflow="ignore")
    for i, line in enumerate(drawing.lines):
        if i:
            text.append("\n")
        for part, role in line:
            text.append(part, STYLES[role])
    return Group(text)  # a bare text would lose `no_wrap` when it is printed


def score_table(position: Position, players: list[str]) -> Table:
    """Every scoring line of every seat, and the totals."""
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for name in players:
        table.add_column(Text(name), justify="right")
    scores = [position.score(seat) for seat in range(len(players))]
    for line in position.variant.score_lines:
        table.add_row(line, *(str(score[line]) for score in scores), style="grey70")
    table.add_row("total", *map(str, position.totals), style="bold")
    return table
