"""The bridge to Typst, the only place that imports it: files in memory go in, PDF or PNG comes out.

Fonts are those that Typst brings along (all free to ship). The system's are only asked for letters which those lack.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from lamplighter import svg
from lamplighter.errors import LamplighterError

FONT = "'Libertinus Serif'"
TEMPLATE = Path(__file__).parent / "document.typ"

# letters that no font of Typst's has: scripts between Cyrillic and Latin Extended Additional, and from CJK upwards
_FOREIGN = re.compile("[\u0530-\u1dff\u2e80-\ufaff\ufe70-\U0010ffff]")

PNG_PAGE = (
    '#set page(width: {width}pt, height: {height}pt, margin: 0pt, fill: none)\n#image("picture.svg", width: 100%)\n'
)


def pdf(data: Mapping[str, Any], pictures: Mapping[str, str]) -> bytes:
    """The document that `data` describes; equal data give equal bytes."""
    files = {"main.typ": TEMPLATE.read_bytes(), "document.json": json.dumps(data, ensure_ascii=False).encode()}
    files |= {name: picture.encode() for name, picture in pictures.items()}
    made = _typst().compile(
        files, format="pdf", ignore_system_fonts=not _FOREIGN.search(files["document.json"].decode())
    )
    assert isinstance(made, bytes)
    return made


def png(picture: str, scale: float = 2.0) -> bytes:
    """An SVG of ours as PNG, `scale` pixels for each of its units."""
    width, height = svg.size(picture)
    page = PNG_PAGE.format(width=width, height=height)
    files = {"main.typ": page.encode(), "picture.svg": with_paper_font(picture).encode()}
    made = _typst().compile(files, format="png", ppi=72 * scale, ignore_system_fonts=not _FOREIGN.search(picture))
    assert isinstance(made, bytes)
    return made


def with_paper_font(picture: str) -> str:
    """An SVG of ours in a font that Typst has, so that it looks the same wherever it is made."""
    return picture.replace(svg.FONT, FONT)


def page_count(document: bytes) -> int:
    """The pages of a PDF that `pdf` made."""
    return len(re.findall(rb"/Type ?/Page\b", document))


def _typst() -> ModuleType:
    try:
        import typst
    except ImportError:
        raise LamplighterError(
            "PDF and PNG need Typst, which is not installed: pip install 'lamplighter[print]'"
        ) from None
    return typst
