"""Greenways: draw three tiles, lay one, and let streets and greenways grow into a town of eight by eight."""

from lamplighter.engine.game import Game, Option

GAME = Game(
    id="greenways",
    title="Greenways",
    package=__name__,
    summary="Lay tiles, join streets and greenways, and let a town grow to eight by eight.",
    source="A free print-and-play rule text without its tiles; the rules say what is given and what we filled in.",
    seats=(1, 3),
    default_seats=1,
    rules_version=1,
    minutes=(20, 30),
    age=8,
    options=(
        Option(
            "leftover",
            ("return", "discard"),
            "tiles of a hand that were not laid: back into the pile, or gone",
            title="Tiles that were not laid",
            titles={"return": "go back into the pile", "discard": "are gone"},
            ruling="R6",
        ),
        Option(
            "intersection_counts_in_A",
            (True, False),
            "an intersection is itself a street tile that scores",
            title="Intersections score",
            ruling="R9",
        ),
        Option(
            "longest",
            ("component", "path"),
            "the longest greenway: all its tiles, or the longest way in it",
            title="Longest greenway",
            titles={"component": "all its tiles", "path": "the longest way in it"},
            ruling="R10",
        ),
    ),
)
