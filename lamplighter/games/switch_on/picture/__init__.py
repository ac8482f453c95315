"""Switch-On as pictures: the sheet, where moves are made on it, and figures for the booklet.

sheet          the whole sheet, played or blank · town, charts: its parts
move_targets   where every legal move is made
booklet        figures for the rules
outcomes       a card, by itself
symbols, cable_symbols   what all of them draw with
"""

from lamplighter.games.switch_on.picture.booklet import figures
from lamplighter.games.switch_on.picture.move_targets import flip, targets
from lamplighter.games.switch_on.picture.outcomes import draw_outcome
from lamplighter.games.switch_on.picture.sheet import draw

__all__ = ["draw", "draw_outcome", "figures", "flip", "targets"]
