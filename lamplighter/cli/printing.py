"""`print`: which pages, on what paper, into which file."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

import lamplighter
from lamplighter.cli.terminal import console
from lamplighter.errors import LamplighterError


def print_to_file(
    variant_text: str,
    copies: int | None,
    paper: str,
    low_ink: bool,
    large: bool,
    rules: bool,
    record: Path | None,
    out: Path | None,
) -> None:
    from lamplighter.engine.record import read
    from lamplighter.paper import Style, page_count, print_game, print_match

    style = Style(paper.lower(), low_ink, large)
    if record is not None:
        if variant_text or copies is not None or rules:
            raise LamplighterError("--record prints a match: it goes with --paper, --low-ink, --large and --out only")
        target = out or Path(f"{record.stem}.pdf")
        check_name(target, ".pdf")
        made = print_match(read(record), style)
    else:
        if not variant_text or variant_text.startswith("?"):
            raise LamplighterError("say which game to print, or a match with --record FILE")
        variant = lamplighter.load(variant_text)
        target = out or Path(f"{variant.game.id}.pdf")
        check_name(target, ".pdf")
        made = print_game(variant, style, copies, rules)
    write(target, made)
    pages = page_count(made)
    size = f"{pages} page{'s' if pages > 1 else ''}, {style.paper}, {len(made) / 1000:,.0f} kB"
    console.print(Text(f"{target}: {size}"), soft_wrap=True)


def check_name(path: Path, suffix: str) -> None:
    """Refuse a name that says another kind of file, before any work is done."""
    if path.suffix.lower() != suffix:
        raise LamplighterError(f"{str(path)!r} should end in {suffix}: that is what is written")


def write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise LamplighterError(f"cannot write {str(path)!r}: {error.strerror}") from None
