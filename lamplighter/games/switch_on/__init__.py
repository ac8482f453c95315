"""Switch-On: cards light up a small town, one sheet each, until the deck meets its own discards."""

from lamplighter.engine.game import Game, Option

GAME = Game(
    id="switch_on",
    title="Switch-On",
    package=__name__,
    summary="Flip-and-write with hands of cards: lay light cable from the power house, decorate a town for Christmas.",
    source="A damaged free rule text without its sheet; RULES.md marks what is given, derived and reconstructed.",
    seats=(2, 4),
    default_seats=2,
    rules_version=1,
    options=(
        Option("open_hands", (False, True), "everybody sees every hand (R14)"),
        Option("hand_start", (6, 1, 2, 3, 4, 5, 7, 8), "cards dealt to each player (R2)"),
        Option("hand_limit", (8, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12), "cards that may be kept after a turn (R13)"),
        Option("first_player", ("random", "0", "1", "2", "3"), "who begins: drawn by lot, or this seat (R15)"),
        Option("tree_mode", ("labelled", "count"), "trees multiply by their own value, or by how many are near (R11)"),
        Option("unpowered_cable_scores", (True, False), "light cable scores even where no power reaches it (R10)"),
    ),
)
