"""Last Minute Christmas: three dice, one tree each, and ornaments that run out."""

from lamplighter.engine.game import Game, Option

GAME = Game(
    id="last_minute",
    title="Last Minute Christmas",
    package=__name__,
    summary="Take a die, hang its ornament on your tree, and keep neighbours different.",
    source="A free print-and-play rule text whose sheet we reconstructed; RULES.md marks what is given.",
    seats=(2, 5),
    default_seats=4,
    rules_version=1,
    minutes=(15, 30),
    age=8,
    options=(
        Option(
            "connect",
            (8, 4),
            "squares that connect: 8 with diagonals, 4 without (R5)",
            title="Squares that connect",
            titles={"8": "with diagonals", "4": "without diagonals"},
        ),
        Option(
            "cross_uses",
            ("face", "drawn"),
            "what passive players cross out: the die's face, or what was drawn (R6)",
            title="What the others cross out",
            titles={"face": "what the die shows", "drawn": "what was drawn"},
        ),
        Option(
            "first_player",
            ("random", "0", "1", "2", "3", "4"),
            "who begins: drawn by lot, or this seat (R12)",
            "seat",
            title="Who begins",
        ),
        Option("wrap", (False, True), "a change may go round from 6 to 1 and back (R9)", title="From 6 to 1"),
    ),
)
