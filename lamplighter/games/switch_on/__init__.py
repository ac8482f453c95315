"""Switch-On: cards light up a small town, one sheet each, until the deck meets its own discards."""

from lamplighter.engine.game import Game, Option

GAME = Game(
    id="switch_on",
    title="Switch-On",
    package=__name__,
    summary="Play cards to lay light cable from the power house, and decorate a small town for Christmas.",
    source="A damaged free rule text without its sheet; RULES.md marks what is given, derived and reconstructed.",
    seats=(2, 4),
    default_seats=2,
    rules_version=1, minutes=(30, 45), age=10,
    options=(
        Option("open_hands", (False, True), "everybody sees every hand (R14)", title="Open hands"),
        Option(
            "hand_start",
            ("sheet", 1, 2, 3, 4, 5, 6, 7, 8),
            "cards dealt to each player; the sheet says 6 (R2)",
            "setup",
            title="Cards at the start",
            titles={"sheet": "as on the sheet"},
        ),
        Option(
            "hand_limit",
            ("sheet", *range(1, 13)),
            "cards that may be kept after a turn; the sheet says 8 (R13)",
            title="Cards that may be kept",
            titles={"sheet": "as on the sheet"},
        ),
        Option(
            "first_player",
            ("random", "0", "1", "2", "3"),
            "who begins: drawn by lot, or this seat (R15)",
            "seat",
            title="Who begins",
        ),
        Option(
            "track_limit",
            ("sheet", "9", "10"),
            "where the tracks end: as on the sheet, or here (R5)",
            title="Tracks end at",
            titles={"sheet": "as on the sheet"},
        ),
        Option(
            "tree_mode",
            ("labelled", "count"),
            "trees multiply by their own value, or by how many are near (R11)",
            title="Trees multiply by",
            titles={"labelled": "their own value", "count": "how many are near"},
        ),
        Option(
            "unpowered_cable_scores",
            (True, False),
            "light cable scores even where no power reaches it (R10)",
            title="Strands without power score",
        ),
    ),
)  # fmt: skip
