"""Last Minute Christmas as pictures: the sheet, where moves are made on it, and figures for the booklet.

sheet          the whole sheet · plan: where things are on it
move_targets   where every legal move is made
booklet        figures for the rules
outcomes       a die, by itself
ornaments      the six ornaments, which all of them draw with
"""

from lamplighter.games.last_minute.picture.booklet import figures
from lamplighter.games.last_minute.picture.move_targets import targets
from lamplighter.games.last_minute.picture.outcomes import draw_outcome
from lamplighter.games.last_minute.picture.sheet import draw

__all__ = ["draw", "draw_outcome", "figures", "targets"]
