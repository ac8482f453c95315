"""What goes in and out of the API, as its description tells it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field


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
TABLE_ID = r"^[A-Za-z0-9_-]{1,24}$"
TableId = Annotated[str, Path(pattern=TABLE_ID)]
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
    name: Name
    seat: SeatNumber | None = None


class Session(Body):
    token: Annotated[str, Field(max_length=100)]


class Move(Body):
    """A move as text, the version of the seat that was seen, and a word that makes a second try harmless."""

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
