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
        409: "Not as the table stands now.",
        413: "Too large.",
        422: "Refused by a rule.",
        429: "Too many.",
    }.items()
}


def gives(media_type: str) -> dict[str, Any]:
    """What an address says of itself that answers with something other than JSON."""
    content: dict[int | str, dict[str, Any]] = {200: {"content": {media_type: {}}, "description": "It."}}
    return {"response_class": Response, "responses": content}


Word = Annotated[str, Field(max_length=200)]
Name = Annotated[str, Field(max_length=80)]
Key = Annotated[str, Field(pattern=r"^[!-~]{1,80}$")]
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
    same_dice_as: Annotated[str, Field(pattern=TABLE_ID)] | None = None
    ghost_seat: SeatNumber | None = None


class Join(Body):
    """A name, a seat if it matters which, and a secret of one's own, so that a second try takes the same seat."""

    name: Name
    seat: SeatNumber | None = None
    token: Annotated[str, Field(pattern=r"^([A-Za-z0-9_-]{32,64})?$")] = ""


class Session(Body):
    token: Annotated[str, Field(max_length=100)]


class Move(Body):
    """A move as text, the version of the seat that was seen, and a word that makes a second try harmless.

    Without `done` what follows waits a moment, so that the move can be taken back.
    """

    seat: SeatNumber
    move: Word
    version: Annotated[int, Field(ge=0, le=2**31 - 1)]
    key: Key
    done: bool = True


class TakeBack(Body):
    seat: SeatNumber
    version: Annotated[int, Field(ge=0, le=2**31 - 1)]
    key: Key


class OneSeat(Body):
    seat: SeatNumber


class Question(Body):
    """A move as text, or what was pointed at."""

    seat: SeatNumber
    move: Word = ""
    source: Word = ""
    cell: Word = ""
    lie: Word = ""


class SeatChange(Body):
    """Exactly one of these."""

    bot: Word | None = None
    person: bool | None = None
    name: Name | None = None


class Roll(Body):
    text: Annotated[str, Field(max_length=1000)]


class Names(Body):
    names: Annotated[list[Name], Field(max_length=64)] = []


class OneName(Body):
    name: Name = ""


class Link(Body):
    text: Annotated[str, Field(max_length=500)]


class Seated(BaseModel):
    """A seat was taken: the token is its key, and the link has it in the fragment."""

    id: str
    token: str
    seats: list[int]
    url: str


class ScoreLine(BaseModel):
    name: str
    points: int


class SeatView(BaseModel):
    """A place at the table."""

    seat: int
    name: str
    kind: Literal["open", "person", "bot"]
    bot: str | None = Field(description="The bot that plays here.")
    owner: bool = Field(description="A person holds the seat, also while a bot plays for them.")
    waiting: bool = Field(description="It has to act.")
    since: float | None = Field(description="When it began to wait.")
    here: bool = Field(description="Its person gave a sign of life lately.")
    replaceable: bool = Field(description="The asker may let a bot have it.")
    total: int
    lines: list[ScoreLine]


class EntryView(BaseModel):
    """An entry of the log."""

    seq: int
    kind: Literal["join", "bot", "person", "name", "chance", "unroll", "move", "undo", "nudge", "rematch"]
    seat: int | None
    text: str
    at: float


class Count(BaseModel):
    name: str
    count: int


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
    kind: Literal["table", "caller", "entry", "daily"]
    phase: Literal["lobby", "play", "over"]
    seq: int = Field(description="The number of the last entry of the log.")
    now: float
    turn: int
    mine: list[int] = Field(description="The asker's seats.")
    you: int | None = Field(description="The seat that is shown.")
    version: int | None = Field(description="To be sent with a move of this seat.")
    host: bool = Field(description="The asker laid the table.")
    seats: list[SeatView]
    waiting: list[int] = Field(description="The seats that have to act.")
    moves: list[str] = Field(description="What the seat may play now.")
    can_undo: bool
    holding: float | None = Field(description="Until then a move can be taken back before it goes on.")
    sheet: str | None = Field(description="The seat's sheet as SVG, with its targets.")
    text: str = Field(description="The seat's sheet as text.")
    flips: dict[str, str] = Field(description="The mirror image of every way in which a piece may lie.")
    secret: bool = Field(description="What is dealt to one seat is hidden from the others.")
    log: list[EntryView] = Field(description="The end of the log.")
    dice: dict[str, str | None] = Field(
        description="How outcomes come: `rolls`, and the `hash` and the `seed` as far as told."
    )
    due: list[str] | None = Field(description="What can be typed in now.")
    can_unroll: bool = Field(description="What was typed in last can be taken back.")
    called: list[dict[str, Any]] | None
    again: bool = Field(description="These dice have been played before.")
    follows_play: bool = Field(description="What is drawn depends on what was played.")
    ghost: Ghost | None = Field(description="Whom this table races, as they were when the last turn was done.")
    result: dict[str, list[int]] | None = Field(description="The `winners`, when it is over.")
    rematch: str | None = Field(description="The table where it goes on.")
    left: list[Count] | None = Field(description="What is left to draw.")
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
