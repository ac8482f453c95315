"""Paper: blank sheets, cut-out pieces, the rules as a booklet or in a minute, and matches, as PDF; any picture as PNG.

Python says what is on the pages as plain data; `document.typ` says how they look. No text ever becomes Typst source,
so nothing a player is called can break a page.
"""

from lamplighter.paper.document import PAPERS, Style
from lamplighter.paper.game import print_game
from lamplighter.paper.match import print_match
from lamplighter.paper.minute import print_minute
from lamplighter.paper.typeset import page_count, png

__all__ = ["PAPERS", "Style", "page_count", "png", "print_game", "print_match", "print_minute"]
