"""Connect Four: the smallest complete game, in a package that is not part of Lamplighter."""

from lamplighter.engine.game import Game

GAME = Game(
    id="connect_four",
    title="Connect Four",
    package=__name__,
    summary="Drop discs into seven columns, and be the first with four in a line.",
    source="The game by Wexler and Strongin (1974), in our own words.",
    seats=(2, 2),
    default_seats=2,
    rules_version=1,
    minutes=(5, 10),
    age=6,
)
