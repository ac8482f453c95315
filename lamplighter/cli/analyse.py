"""`analyse`: a match looked through, as a table, as JSON or as a page."""

from __future__ import annotations

import json as json_module
from html import escape
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from lamplighter.bots.review import Grade, Review, Split, review
from lamplighter.cli.terminal import console, errors
from lamplighter.engine import record
from lamplighter.errors import LamplighterError

COLOURS = {"best": "green", "good": "green", "inaccuracy": "yellow", "mistake": "dark_orange", "blunder": "red"}


def analyse_file(
    path: Path, seat: int | None, seconds: float, threads: int, as_json: bool, page: Path | None
) -> None:  # fmt: skip
    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise LamplighterError(f"the page must be named .html, not {str(page)!r}")
    if not 1 <= seconds <= 3600:
        raise LamplighterError(f"--seconds is a number from 1 to 3600, not {seconds:g}")
    match = record.read(path)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True) as progress:
        task = progress.add_task("thinking", total=None)
        found = review(
            match,
            None if seat is None else [seat],
            seconds,
            threads,
            lambda done, all_moves: progress.update(task, completed=done, total=all_moves),
        )
    if found.missing:
        moves = "1 move was" if found.missing == 1 else f"{found.missing} moves were"
        errors.print(
            f"stopped early: {moves} not looked at" + ("" if found.is_stopped else "; --seconds gives more time")
        )
    if page is not None:
        try:
            page.write_text(as_page(found), encoding="utf-8")
        except OSError as error:
            raise LamplighterError(f"cannot write {str(page)!r}: {error.strerror}") from None
        errors.print(f"written: {page}")
    if as_json:
        print(json_module.dumps(found.fields(), indent=2, ensure_ascii=False))
    elif page is None:
        _print(found)


def _print(found: Review) -> None:
    console.print(f"[bold]{found.variant}[/]")
    table = Table(box=None, pad_edge=False)
    for title in ("entry", "turn", "player", "move", "gave away", "grade", "better"):
        table.add_column(title, justify="right" if title in ("entry", "turn", "gave away") else "left")
    for grade in found.grades:
        table.add_row(
            str(grade.entry),
            str(grade.turn),
            Text(found.players[grade.seat]),
            Text(grade.move),
            f"{grade.lost:.1f}" if grade.lost else "",
            Text(grade.word, COLOURS[grade.word]),
            Text(say_better(grade)),
        )
    console.print(table)
    for line in say_summary(found):
        console.print(Text(line), soft_wrap=True)


def say_summary(found: Review) -> list[str]:
    """The turning points, and the result of each seat: sentences."""
    lines = [say_turning_point(found, grade) for grade in found.turning_points]
    for seat, name in enumerate(found.players):
        split = found.splits[seat] if found.splits else None
        counts = ", ".join(f"{count} {word}" for word, count in found.counts(seat).items() if count)
        if counts:
            lines.append(f"{name}: {found.totals[seat]} points; gave away {found.lost(seat):.1f} ({counts})")
        if split is not None and counts:
            lines.append(f"  {say_split(found, split)}")
    if found.why_no_split:
        lines.append(f"Luck was not measured: {found.why_no_split}.")
    return lines


def say_better(grade: Grade) -> str:
    """What was better: a move, or all moves of a turn, since one of them may be good only together with the others."""
    return ", then ".join(grade.plan)


def say_turning_point(found: Review, grade: Grade) -> str:
    played = f"{found.players[grade.seat]} played {grade.move}"
    return f"Turning point, entry {grade.entry}: {played}; {say_better(grade)} was {grade.lost:.1f} points better."


def say_split(found: Review, split: Split) -> str:
    return (
        f"{split.total} = {split.average:.1f} ({found.reference} on average, {found.fresh} matches) "
        f"{split.luck:+.1f} luck {split.play:+.1f} play"
    )


# --- the page -------------------------------------------------------------------------------------------------

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .25rem .5rem; border-bottom: 1px solid #ddd }
td.number { text-align: right; font-variant-numeric: tabular-nums }
.bar { display: inline-block; height: .7rem; background: #c0392b }
.best, .good { color: #1e7b34 }
.inaccuracy { color: #8a6d00 }
.mistake { color: #b8500a }
.blunder { color: #b00020; font-weight: bold }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #161616 }
  th, td { border-color: #333 }
  .best, .good { color: #6fcf87 }
  .inaccuracy { color: #e0c25c }
  .mistake { color: #f0935a }
  .blunder { color: #ff7b88 }
}
"""


def as_page(found: Review) -> str:
    """The review as a page of its own: no script, and nothing from elsewhere."""
    most = max((grade.lost for grade in found.grades), default=0.0) or 1.0
    rows = []
    for grade in found.grades:
        bar = f'<span class="bar" style="width:{6 * grade.lost / most:.2f}rem"></span>' if grade.lost else ""
        lost = f"{grade.lost:.1f}" if grade.lost else ""
        rows.append(
            f'<tr><td class="number">{grade.entry}</td><td class="number">{grade.turn}</td>'
            f"<td>{escape(found.players[grade.seat])}</td><td>{escape(grade.move)}</td>"
            f'<td class="number">{lost}</td><td>{bar}</td><td class="{grade.word}">{grade.word}</td>'
            f"<td>{escape(say_better(grade))}</td></tr>"
        )
    head = "".join(
        f"<th>{title}</th>" for title in ("Entry", "Turn", "Player", "Move", "Gave away", "", "Grade", "Better")
    )
    summary = "".join(f"<li>{escape(line.strip())}</li>" for line in say_summary(found))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Review of {escape(found.variant)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n<body><h1>Review</h1>'
        f"<p>{escape(found.variant)}</p><ul>{summary}</ul>\n<table><thead><tr>{head}</tr></thead><tbody>\n"
        + "\n".join(rows)
        + "\n</tbody></table></body></html>\n"
    )
