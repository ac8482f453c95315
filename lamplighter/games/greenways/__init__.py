"""Greenways: draw three tiles, lay one, and let streets and greenways grow into a town of eight by eight."""

from lamplighter.engine.game import Game, Option

GAME = Game(
    id="greenways",
    title="Greenways",
    package=__name__,
    summary="A town of tiles for one: join streets and greenways, end them well, reach eight by eight early.",
    source="A free print-and-play rule text without its tiles; RULES.md marks what is given and what we filled in.",
    seats=(1, 3),
    default_seats=1,
    rules_version=1,
    options=(
        Option(
            "leftover", ("return", "discard"), "tiles of a hand that were not laid: back into the pile, or gone (R6)"
        ),
        Option("intersection_counts_in_A", (True, False), "an intersection is itself a street tile that scores (R9)"),
        Option("longest", ("component", "path"), "the longest greenway: all its tiles, or the longest way in it (R10)"),
    ),
)
