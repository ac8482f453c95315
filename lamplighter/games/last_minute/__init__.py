"""Last Minute Christmas: three dice, one tree each, and ornaments that run out."""

from lamplighter.engine.game import Game, Option

GAME = Game(
    id="last_minute",
    title="Last Minute Christmas",
    package=__name__,
    summary="Take a die, hang its ornament on your tree, and keep neighbours different.",
    source="A free print-and-play rule text whose sheet we reconstructed; the rules say what is given.",
    seats=(2, 5),
    default_seats=4,
    rules_version=1,
    minutes=(15, 30),
    age=8,
    options=(
        Option(
            "connect",
            (8, 4),
            "squares that connect: 8 with diagonals, 4 without",
            title="Squares that connect",
            titles={"8": "with diagonals", "4": "without diagonals"},
            ruling="R5",
        ),
        Option(
            "cross_uses",
            ("face", "drawn"),
            "what passive players cross out: the die's face, or what was drawn",
            title="What the others cross out",
            titles={"face": "what the die shows", "drawn": "what was drawn"},
            ruling="R6",
        ),
        Option(
            "first_player",
            ("random", "0", "1", "2", "3", "4"),
            "who begins: drawn by lot, or this seat",
            "seat",
            title="Who begins",
            ruling="R12",
        ),
        Option("wrap", (False, True), "a change may go round from 6 to 1 and back", title="From 6 to 1", ruling="R9"),
    ),
)
