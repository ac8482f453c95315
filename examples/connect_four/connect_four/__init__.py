"""Connect Four: the smallest complete game, in a package that is not part of Lamplighter."""

from lamplighter.engine.game import Game

GAME = Game(
    id="connect_four",
    title="Connect Four",
    package=__name__,
    summary="Two players drop discs into seven columns; four of a kind in a line win.",
    source="The game by Wexler and Strongin (1974), in our own words.",
    seats=(2, 2),
    default_seats=2,
    rules_version=1,
)
