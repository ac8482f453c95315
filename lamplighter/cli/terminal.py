"""How sheets and scores look in a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.markdown import Markdown
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from lamplighter.engine.position import Position
from lamplighter.engine.reading import without_control
from lamplighter.engine.text_sheet import TextSheet

STYLES = {
    "ink": "bold",
    "print": "grey58",
    "lamp": "bold yellow",
    "power": "bold bright_blue",
    "green": "green",
    "error": "bold red",
    "title": "bold cyan",
}


class SafeConsole(Console):
    """A console that shows control characters in a text as marks, whoever wrote it: none reaches the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=without_control(segment.text, "\n"))


console = SafeConsole(highlight=False)
errors = SafeConsole(stderr=True, highlight=False)


def paint(drawing: TextSheet) -> Group:
    """Return a drawing in the terminal's colours. What is too wide for it is cut off: a wrapped sheet cannot be read."""
    text = Text(no_wrap=True, overflow="ignore")
    for i, line in enumerate(drawing.lines):
        if i:
            text.append("\n")
        for part, role in line:
            text.append(part, STYLES[role])
    return Group(text)  # a bare text would lose `no_wrap` when it is printed


def listed(texts: Iterable[str], style: str = "") -> Columns:
    """Return a list that wraps between its texts, never inside one."""
    return Columns([Text(text, style, no_wrap=True) for text in texts], padding=(0, 3, 0, 0))


def rules_page(text: str) -> Markdown:
    """Return rules as a terminal shows them, without the marks of their sources and the paragraph that explains those."""
    paragraphs = [part for part in text.split("\n\n") if not re.search(r"\*\*\[[A-Z]\]\*\*", part)]
    return Markdown(re.sub(r"\[[A-Z]\]\s", "", "\n\n".join(paragraphs)))


def line_names(position: Position) -> dict[str, str]:
    """Return what people call the scoring lines that a variant has."""
    variant = position.variant
    names = {line: variant.game.texts.name_line(variant, position.state, line) for line in variant.score_lines}
    return {line: name for line, name in names.items() if name}


def score_table(position: Position, players: list[str]) -> Table:
    """Return every scoring line of every seat, and the totals."""
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for name in players:
        table.add_column(Text(name), justify="right")
    scores = [position.score(seat) for seat in range(len(players))]
    for line, name in line_names(position).items():
        table.add_row(name, *(str(score[line]) for score in scores), style="grey70")
    table.add_row("total", *map(str, position.totals), style="bold")
    return table
