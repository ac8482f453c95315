"""My Game: one die a turn, and a grid of your own whose rows and columns should rise."""

from lamplighter.engine.game import Game, Option

# The id is the folder's name. Raise rules_version whenever a match could come out differently; old records say theirs.
# There is no evaluate.py here: without one, bots look at the score, which is enough for a game this small.
GAME = Game(
    id="my_game",
    title="My Game",
    package=__name__,
    summary="Write the same nine numbers as everybody, each where you like, so that rows and columns rise.",
    source="Made up as a template; its rules are all there is.",
    seats=(1, 6),  # fewest and most; components.SEATS is the room for them
    default_seats=2,
    rules_version=1,
    minutes=(5, 10),  # that a match takes people, from and to
    age=8,
    options=(  # the first value of each is the default
        Option("equal", (False, True), "equal numbers side by side count as rising", ruling="R1"),
        Option("touching", (False, True), "a number must lie beside one written before", ruling="R2"),
    ),
)
