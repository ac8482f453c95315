"""`print`: which pages, on what paper, into which file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

import lamplighter
from lamplighter.cli.terminal import console
from lamplighter.errors import LamplighterError

if TYPE_CHECKING:
    from lamplighter.engine.variant import Variant
    from lamplighter.paper import Style


def print_to_file(
    variant_text: str, style: Style, copies: int | None, rules: bool, record: Path | None, out: Path | None
) -> None:
    """Print a game, or a match."""
    from lamplighter.engine.record import read
    from lamplighter.paper import print_game, print_match

    if record is not None:
        if variant_text or copies is not None or rules:
            raise LamplighterError(
                "--record prints a match: it goes with --paper, --low-ink, --colour, --large and --out only"
            )
        target = out or Path(f"{record.stem}.pdf")
        check_name(target, ".pdf")
        made = print_match(read(record), style)
    else:
        variant = _need_variant(variant_text)
        target = out or Path(f"{variant.game.id}.pdf")
        check_name(target, ".pdf")
        made = print_game(variant, style, copies, rules)
    _write_pdf(target, made, style)


def print_minute_page(variant_text: str, style: Style, out: Path | None, alone: bool) -> None:
    """Print the rules in a minute, a page of its own."""
    from lamplighter.paper import print_minute

    if not alone:
        raise LamplighterError("--minute prints one page of its own: leave --copies, --rules and --record out")
    variant = _need_variant(variant_text)
    target = out or Path(f"{variant.game.id}-minute.pdf")
    check_name(target, ".pdf")
    _write_pdf(target, print_minute(variant, style), style)


def _need_variant(text: str) -> Variant:
    if not text or text.startswith("?"):
        raise LamplighterError("say which game to print, or a match with --record FILE")
    return lamplighter.load(text)


def _write_pdf(target: Path, made: bytes, style: Style) -> None:
    from lamplighter.paper import page_count

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
