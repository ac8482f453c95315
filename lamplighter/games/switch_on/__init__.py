"""Switch-On: cards light up a small town, one sheet each, until the deck meets its own discards."""

from lamplighter.engine.game import Game, Option

GAME = Game(
    id="switch_on",
    title="Switch-On",
    package=__name__,
    summary="Play cards to lay light cable from the power house, and decorate a small town for Christmas.",
    source="A damaged free rule text without its sheet; the rules say what is given, derived and reconstructed.",
    seats=(2, 4),
    default_seats=2,
    rules_version=1, minutes=(30, 45), age=10,
    options=(
        Option("open_hands", (False, True), "everybody sees every hand", title="Open hands", ruling="R14"),
        Option("hand_start", ("sheet", 1, 2, 3, 4, 5, 6, 7, 8), "cards dealt to each player; the sheet says 6", "setup",
               title="Cards at the start", titles={"sheet": "as on the sheet"}, ruling="R2"),
        Option("hand_limit", ("sheet", *range(1, 13)), "cards that may be kept after a turn; the sheet says 8",
               title="Cards that may be kept", titles={"sheet": "as on the sheet"}, ruling="R13"),
        Option("first_player", ("random", "0", "1", "2", "3"), "who begins: drawn by lot, or this seat", "seat",
               title="Who begins", ruling="R15"),
        Option("track_limit", ("sheet", "9", "10"), "where the tracks end: as on the sheet, or here",
               title="Tracks end at", titles={"sheet": "as on the sheet"}, ruling="R5"),
        Option("tree_mode", ("labelled", "count"), "trees multiply by their own value, or by how many are near",
               title="Trees multiply by", titles={"labelled": "their own value", "count": "how many are near"}, ruling="R11"),
        Option("unpowered_cable_scores", (True, False), "light cable scores even where no power reaches it",
               title="Strands without power score", ruling="R10"),
    ),
)  # fmt: skip
