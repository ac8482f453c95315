"""Greenways as pictures: the sheet, where moves are made on it, figures for the booklet, and tiles to cut out.

sheet          the whole sheet · town: the board on it
move_targets   where every legal move is made
booklet        figures for the rules
outcomes       a tile, by itself
paper          the score sheet, and tiles to cut out
symbols        the tiles, which all of them draw with
"""

from lamplighter.games.greenways.picture.booklet import figures
from lamplighter.games.greenways.picture.move_targets import flip, targets
from lamplighter.games.greenways.picture.outcomes import draw_outcome
from lamplighter.games.greenways.picture.paper import cutouts
from lamplighter.games.greenways.picture.sheet import draw

__all__ = ["cutouts", "draw", "draw_outcome", "figures", "flip", "targets"]
