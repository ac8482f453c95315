"""What goes in and out of the API, as its description tells it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from lamplighter.web.table import TABLE_ID


class Error(BaseModel):
    """Why something was refused."""

    code: str
    message: str
    rule: str | None = None
    sentence: str | None = None


class Refusal(BaseModel):
    """Every refusal looks like this; a stale move also brings the table as it is now."""

    error: Error
    view: dict[str, Any] | None = None


REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": words}
    for status, words in {
        400: "It cannot be read.",
        403: "Not your seat.",
        404: "No such game, table or seat.",
        409: "Not possible in the current state of the table.",
        410: "Played by rules that the server no longer has.",
        413: "Too large.",
        422: "Refused by a rule.",
        429: "Too many.",
        503: "Not now: the store is out of reach, or there is too much long work.",
    }.items()
}


def gives(media_type: str) -> dict[str, Any]:
    """What an address says of itself that answers with something other than JSON."""
    content: dict[int | str, dict[str, Any]] = {200: {"content": {media_type: {}}, "description": "It."}}
    return {"response_class": Response, "responses": content}


Word = Annotated[str, Field(max_length=200)]
Name = Annotated[str, Field(max_length=80)]
Key = Annotated[str, Field(pattern=r"^[!-~]{1,80}$")]
Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, Field(ge=0, le=63)]
TableId = Annotated[str, Path(pattern=TABLE_ID)]
Moment = Annotated[int | None, Query(ge=0, le=2**31 - 1)]
Theme = Annotated[Literal["light", "dark", "contrast", "print", "low-ink"], Query()]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewTable(Body):
    """What is played, and who sits where: `me`, `open` or `bot:NAME` for each seat."""

    variant: Annotated[str, Field(max_length=400, examples=["connect_four?seats=2"])]
    seats: Annotated[list[Word], Field(max_length=64)] = []
    name: Name = ""
    names: Annotated[list[Name], Field(max_length=64)] = []
    kind: Literal["table", "caller"] = "table"
    rolls: Literal["seeded", "typed"] = "seeded"
    hold: Annotated[
        Literal["short", "long", "done"], Field(description="How long what follows a move waits for a take-back.")
    ] = "short"
    hints: Annotated[bool, Field(description="People may ask for hints.")] = True
    same_dice_as: Annotated[str, Field(pattern=TABLE_ID)] | None = None
    ghost_seat: SeatNumber | None = None


class Join(Body):
    """A name, a seat if it matters which, and a secret of one's own, so that a second try takes the same seat."""

    name: Name
    seat: SeatNumber | None = None
    token: Annotated[str, Field(pattern=r"^([A-Za-z0-9_-]{32,64})?$")] = ""


class ShownToken(Body):
    token: Annotated[str, Field(max_length=100)]


class Move(Body):
    """A move as text, the version of the seat that was seen, and a word that makes a second try harmless.

    Without `done` what follows waits a moment, so that the move can be taken back.
    """

    seat: SeatNumber
    move: Word
    version: Version
    key: Key
    done: bool = True


class TakeBack(Body):
    seat: SeatNumber
    version: Version
    key: Key


class OneSeat(Body):
    seat: SeatNumber


class Reaction(Body):
    """One of the quick words that people can say to each other."""

    seat: SeatNumber
    reaction: Literal["well-played", "wow", "oh-no", "good-luck", "one-moment", "thanks"]


class OneMove(Body):
    seat: SeatNumber
    move: Word


class Question(Body):
    """A move as text, or what was pointed at."""

    seat: SeatNumber
    move: Word = ""
    source: Word = ""
    cell: Word = ""
    orientation: Word = ""


class SeatChange(Body):
    """Exactly one of these."""

    bot: Word | None = None
    person: bool | None = None
    name: Name | None = None


class NextRoll(Body):
    """The version of the outcomes that was seen, and a word that makes a second try harmless."""

    version: Version
    key: Key


class Roll(NextRoll):
    """What was rolled, as text; several with commas between."""

    text: Annotated[str, Field(max_length=1000)]


class Enter(Body):
    """Who played on paper; with `phones` everybody takes a seat and enters their own sheet."""

    names: Annotated[list[Name], Field(max_length=64)] = []
    phones: bool = False


class OneName(Body):
    name: Name = ""


class Link(Body):
    text: Annotated[str, Field(max_length=200)]


class Seated(BaseModel):
    """A seat was taken: the token is its key, and the link has it in the fragment."""

    id: str
    token: str
    seats: list[int]
    url: str


class ServerState(BaseModel):
    """How far compiling has come."""

    compiling: str | None = Field(description="The title of the game that is compiled now; nothing when all is done.")
    ready: int = Field(description="How many games are compiled, while compiling goes on.")
    games: int = Field(description="Of how many.")


class ScoreLine(BaseModel):
    name: str
    title: str  # for people; empty if the variant does not have this line
    points: int


class SeatView(BaseModel):
    """A place at the table."""

    seat: int
    name: str
    kind: Literal["open", "person", "bot"]
    bot: str | None = Field(description="The bot that plays here.")
    level: str = Field(description="What people call the level of that bot.")
    owner: bool = Field(description="A person holds the seat, also while a bot plays for them.")
    waiting: bool = Field(description="It has to act.")
    since: float | None = Field(description="When it began to wait.")
    here: bool = Field(description="Its person gave a sign of life lately.")
    replaceable: bool = Field(description="The asker may let a bot have it.")
    idle: bool = Field(description="Its person has kept the others waiting for long.")
    votes: list[int] = Field(description="The seats that want a bot to play for it.")
    may_vote: bool = Field(description="The asker may vote for that.")
    hinted: bool = Field(description="Its person has looked at hints.")
    total: int
    lines: list[ScoreLine]


class EntryView(BaseModel):
    """An entry of the log."""

    seq: int
    kind: Literal[
        "join",
        "bot",
        "person",
        "name",
        "chance",
        "unroll",
        "move",
        "undo",
        "nudge",
        "vote",
        "hint",
        "rematch",
        "promise",
        "round",
        "told",
    ]
    seat: int | None
    text: str
    at: float
    effects: list[str] = Field(default=[], description="What it did to the sheet of the asker's seat, in sentences.")


class Count(BaseModel):
    name: str
    count: int


class Way(BaseModel):
    """A legal move, and what tells it from those beside it."""

    move: str
    label: str


class Ghost(BaseModel):
    """Somebody who has played these dice: their sheet then is `/api/tables/{table}/sheets/{seat}.svg?seq={seq}`."""

    table: str
    seat: int
    seq: int
    name: str
    total: int
    now: int
    turn: int


class View(BaseModel):
    """The table as the asker may see it. Times are seconds of the server's clock."""

    id: str
    game: str
    title: str
    variant: str
    drawn: bool = Field(description="The game has a drawn sheet.")
    kind: Literal["table", "caller", "entry", "daily", "class"]
    phase: Literal["lobby", "play", "over"]
    seq: int = Field(description="The number of the last entry of the log.")
    now: float
    turn: int
    mine: list[int] = Field(description="The asker's seats.")
    you: int | None = Field(description="The seat that is shown.")
    version: int | None = Field(description="To be sent with a move of this seat.")
    rolls_version: int = Field(description="To be sent with a roll that is typed in, taken back or called.")
    host: bool = Field(description="The asker set up the table.")
    counts: Literal["yes", "again", "bot", "late"] | None = Field(
        description="Whether a daily match is for the board: `yes`, or why not."
    )
    stand_in: str = Field(description="The bot that plays for somebody who is away.")
    seats: list[SeatView]
    waiting: list[int] = Field(description="The seats that have to act.")
    moves: list[str] = Field(description="What the seat may play now.")
    final: str | None = Field(description="The one of these moves that ends the step, such as `done` or `pass`.")
    instruction: str = Field(description="What the seat has to do now, in one sentence.")
    question: str = Field(description="What to ask where moves share a target; empty: how it is to be done.")
    effects: list[str] = Field(description="What others did to the seat's sheet since it last acted.")
    marks: list[str] = Field(description="Where on the sheet they did it: the `data-mark` of what is drawn there.")
    hints: bool = Field(description="Hints can be asked for at this table.")
    can_undo: bool
    held: bool = Field(description="What comes next waits, so that a move can be taken back.")
    paused: Literal["round", "end"] | None = Field(
        description="In a class: the teacher has not begun the next `round`, or has ended the match."
    )
    holding: float | None = Field(description="Until then it waits; null while `held`: until `done`.")
    sheet: str | None = Field(description="The seat's sheet as SVG, with its targets.")
    text: str = Field(description="The seat's sheet as text.")
    flips: dict[str, str] = Field(description="The mirror image of every orientation of a piece.")
    ways: dict[str, list[Way]] = Field(
        description="Moves that share a target, such as those that differ in what is paid, by the move that the target shows."
    )
    secret: bool = Field(description="What is dealt to one seat is hidden from the others.")
    log: list[EntryView] = Field(description="The end of the log.")
    dice: dict[str, str | None] = Field(
        description="How outcomes come: `rolls`, the `hash` that promises them, and `salt` and `seed` when they are told."
    )
    due: list[str] | None = Field(description="What can be typed in now.")
    can_unroll: bool = Field(description="What was typed in last can be taken back.")
    called: list[dict[str, Any]] | None
    again: bool = Field(description="These dice have been played before.")
    follows_play: bool = Field(description="What is drawn depends on what was played.")
    ghost: Ghost | None = Field(description="Whom this table races, as they were when the last turn was done.")
    result: dict[str, list[int]] | None = Field(description="The `winners`, when it is over.")
    verdict: str = Field(
        description="What the game says of the end beside the points, such as whether a goal was reached."
    )
    rematch: str | None = Field(description="The table where it goes on.")
    left: list[Count] | None = Field(description="What is left to draw.")
    faces: list[str] = Field(
        description="The outcomes of this view that have a picture: `/api/tables/{id}/face.svg?text=…`."
    )
    words: dict[str, str] = Field(description="How people say what moves and outcomes write as codes.")


VIEW: dict[int | str, dict[str, Any]] = {200: {"model": View, "description": "The table as it is then."}}
AS_SPECTATOR = {
    "parameters": [
        {
            "name": "as",
            "in": "query",
            "required": False,
            "schema": {"enum": ["spectator"]},
            "description": "Look as a stranger does, whoever asks.",
        }
    ]
}
