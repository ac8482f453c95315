"""Railroad as pictures: the sheet, where moves are made on it, figures for the booklet, and dice to cut out.

sheet          the whole sheet, played or blank · board, side_panels: its parts
move_targets   where every legal move is made
booklet        figures for the rules
outcomes       a die, by itself
paper          dice and goals to cut out
route_symbols, icons   what all of them draw with
"""

from lamplighter.games.railroad.picture.booklet import figures
from lamplighter.games.railroad.picture.move_targets import flip, targets
from lamplighter.games.railroad.picture.outcomes import draw_outcome
from lamplighter.games.railroad.picture.paper import cutouts
from lamplighter.games.railroad.picture.sheet import draw

__all__ = ["cutouts", "draw", "draw_outcome", "figures", "flip", "targets"]
