"""Classes: a teacher opens one and paces it; children join by its code."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field

from lamplighter.web import class_view, i18n
from lamplighter.web.api.auth import download, may_lay, token_of
from lamplighter.web.api.schemas import REFUSALS, Body, Name, gives
from lamplighter.web.boxes import Boxes
from lamplighter.web.class_store import ClassRow
from lamplighter.web.classes import ClassService
from lamplighter.web.middleware import client_of
from lamplighter.web.table import TABLE_ID

router = APIRouter(responses=REFUSALS)
ClassId = Annotated[str, Path(pattern=TABLE_ID)]
PupilNumber = Annotated[int, Path(ge=1, le=10**6)]
Code = Annotated[str, Field(max_length=20, examples=["CDFGHJ"])]


class NewClass(Body):
    """What is played, in groups as large as the variant's seats; who begins a round; who plays for a child that leaves."""

    variant: Annotated[str, Field(max_length=400, examples=["connect_four?seats=2"])]
    pace: Literal["teacher", "timer", "free"] = "teacher"
    minutes: Annotated[float, Field(ge=0.2, le=120, description="Of a round, by the timer.")] = 3
    leaving: Literal["bot", "wait"] = "bot"


class NewChild(Body):
    """The code of the wall, a name, and a secret of one's own; the number, for a child that comes back from another device."""

    code: Code
    name: Name
    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{32,64}$")]
    pin: Annotated[str, Field(pattern=r"^[0-9]{0,8}$")] = ""


class SeenRound(Body):
    """The round that the teacher saw, so that a second press does not begin two."""

    round: Annotated[int, Field(ge=0, le=10**6)]
    anyway: Annotated[bool, Field(description="Go on without the children who have not finished it.")] = False


class Door(Body):
    open: bool


class PupilChange(Body):
    """What is done about a child: another number, a bot, the child again, or out of the class."""

    do: Literal["new-number", "bot", "person", "remove"]


class OpenedClass(BaseModel):
    """A class was opened: the token is the teacher's key, and the link has it in the fragment."""

    id: str
    code: str
    token: str
    url: str


class ChildView(BaseModel):
    """What a child knows of its class."""

    code: str
    title: str
    name: str
    pin: str = Field(description="The number to come back with from another device.")
    phase: Literal["lobby", "play", "ended"]
    match: int
    table: str | None = Field(description="Where it sits; the token opens the seat.")


class PupilView(BaseModel):
    """A child, as the teacher sees it."""

    number: int
    name: str
    pin: str
    table: str | None
    seat: int | None
    group: int | None
    seq: int = Field(description="The last entry of its table: the sheet is a new one when it has grown.")
    turn: int
    total: int | None
    last: int | None = Field(description="What it had in the last match of the class.")
    done: bool = Field(description="It has nothing to do until the next round, or the match is over.")
    over: bool
    here: bool
    gone: bool = Field(description="It has left its table, or never came.")
    bot: bool = Field(description="A bot plays for it.")
    waited: bool = Field(description="It is here and in the middle of the round: the next one waits for it.")
    behind: int = Field(description="Rounds that its table has to play before it is where the class is.")


class ClassView(BaseModel):
    """A class, as the teacher sees it."""

    id: str
    code: str
    game: str
    title: str
    variant: str
    group: int
    drawn: bool
    pace: Literal["teacher", "timer", "free"]
    minutes: float
    leaving: Literal["bot", "wait"]
    door: bool = Field(description="New children may join.")
    phase: Literal["lobby", "play", "ended"]
    match: int
    round: int = Field(description="The last round that may begin.")
    due: float | None = Field(description="When the timer begins the next one.")
    now: float
    most: int
    pupils: list[PupilView]


def classes_of(request: Request) -> ClassService:
    classes: ClassService = request.app.state.classes
    return classes


async def _taught(request: Request, class_id: str) -> ClassRow:
    return await classes_of(request).teaching(class_id, token_of(request))


async def _shown(request: Request, row: ClassRow) -> Response:
    found = await class_view.show(classes_of(request), row, i18n.choose(request))
    return Response(orjson.dumps(found), media_type="application/json", headers={"cache-control": "no-store"})


@router.post("/api/classes", status_code=201, response_model=OpenedClass)
async def open_class(request: Request, wanted: NewClass) -> Response:
    """Open a class."""
    await may_lay(request)
    boxes: Boxes = request.app.state.boxes
    box = boxes.text(wanted.variant)
    row, token = await classes_of(request).create(wanted.variant, box, wanted.pace, wanted.minutes, wanted.leaving)
    made = OpenedClass(id=row.id, code=row.code, token=token, url=f"/teach/{row.id}#teacher={token}")
    return JSONResponse(made.model_dump(), 201)


@router.post("/api/classes/join", response_model=ChildView)
async def join_class(request: Request, wanted: NewChild) -> Response:
    """Join a class by its code, or come back to it from another device."""
    classes = classes_of(request)
    client = client_of(request.scope)
    await classes.join(wanted.code, wanted.name, wanted.token, wanted.pin, client, partial(may_lay, request))
    return await _child(request, wanted.code, wanted.token)


@router.get("/api/classes/me", response_model=ChildView)
async def my_class(request: Request, code: Annotated[str, Query(max_length=20)]) -> Response:
    """What a child knows of its class, by its token: above all the table where it sits."""
    return await _child(request, code, token_of(request))


async def _child(request: Request, code: str, token: str) -> Response:
    client = client_of(request.scope)
    row, pupil, place = await classes_of(request).pupil(code, token, client, partial(may_lay, request))
    told = {
        "code": row.code,
        "title": class_view.title_of(row, i18n.choose(request)),
        "name": pupil.name,
        "pin": pupil.pin,
        "phase": row.phase,
        "match": row.match,
        "table": None if place is None else place.table_id,
    }
    return JSONResponse(told, headers={"cache-control": "no-store"})


@router.get("/api/classes/{class_id}", response_model=ClassView)
async def view_class(request: Request, class_id: ClassId) -> Response:
    """The class, for its teacher."""
    row = await _taught(request, class_id)
    if row.phase != "lobby":
        await classes_of(request).tend(row)
    return await _shown(request, row)


@router.post("/api/classes/{class_id}/start", response_model=ClassView)
async def start_match(request: Request, class_id: ClassId) -> Response:
    """Begin the first match, or the next one with the same children."""
    row = await _taught(request, class_id)
    return await _shown(request, await classes_of(request).start(row, partial(may_lay, request)))


@router.post("/api/classes/{class_id}/next", response_model=ClassView)
async def next_round(request: Request, class_id: ClassId, seen: SeenRound) -> Response:
    """Let the next round begin."""
    row = await _taught(request, class_id)
    return await _shown(request, await classes_of(request).next_round(row, seen.round, seen.anyway))


@router.post("/api/classes/{class_id}/end", response_model=ClassView)
async def end_match(request: Request, class_id: ClassId) -> Response:
    """End the match: what everybody has now is the result."""
    row = await _taught(request, class_id)
    return await _shown(request, await classes_of(request).end(row))


@router.post("/api/classes/{class_id}/door", response_model=ClassView)
async def set_door(request: Request, class_id: ClassId, wanted: Door) -> Response:
    """Let new children join, or nobody else."""
    row = await _taught(request, class_id)
    return await _shown(request, await classes_of(request).set_door(row, wanted.open))


@router.post("/api/classes/{class_id}/pupils/{number}", response_model=ClassView)
async def change_pupil(request: Request, class_id: ClassId, number: PupilNumber, wanted: PupilChange) -> Response:
    """Do something about one child."""
    row, classes = await _taught(request, class_id), classes_of(request)
    await classes.known_pupil(row, number)
    if wanted.do == "new-number":
        await classes.new_pin(row, number)
    elif wanted.do == "remove":
        await classes.remove(row, number)
    else:
        await classes.stand_in(row, number, wanted.do == "bot")
    return await _shown(request, row)


@router.get("/api/classes/{class_id}/results.csv", **gives("text/csv"))
async def results_csv(request: Request, class_id: ClassId) -> Response:
    """The results of all matches that have ended, for a spreadsheet."""
    row, classes = await _taught(request, class_id), classes_of(request)
    pupils, places = await asyncio.to_thread(classes.store.everybody, row.id)
    language = i18n.choose(request)
    text = await asyncio.to_thread(lambda: class_view.as_csv(class_view.results(pupils, places), language))
    return Response(text, media_type="text/csv; charset=utf-8", headers=download(f"class-{row.code}.csv"))
