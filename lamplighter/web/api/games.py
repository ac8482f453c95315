"""The games there are, their sheets, and the bots."""

from __future__ import annotations

import asyncio
import functools
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from lamplighter import bots, games, jit, svg
from lamplighter.engine.box_check import check_box
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.phrase import SOURCE, messages_of, shared_messages, translate, translate_sheet
from lamplighter.engine.position import Position
from lamplighter.errors import LamplighterError
from lamplighter.web import i18n
from lamplighter.web.api.auth import download
from lamplighter.web.api.schemas import REFUSALS, Theme, gives
from lamplighter.web.boxes import Boxes, OfferedBox
from lamplighter.web.heavy import HeavyWork
from lamplighter.web.middleware import client_of
from lamplighter.web.table import load_variant

router = APIRouter(responses=REFUSALS)


@router.get("/api/games")
def list_games(request: Request, response: Response) -> list[dict[str, Any]]:
    """The games there are, with their options, and the boxes that this server offers for them."""
    response.headers["vary"] = "Accept-Language, Cookie"
    language = i18n.choose(request)
    return [_describe(name, request.app.state.boxes, language) for name in games.names()]


def _describe(name: str, boxes: Boxes, language: str) -> dict[str, Any]:
    game = games.load(name)
    messages = messages_of(game, language)
    options = [
        {
            "name": option.name,
            "kind": option.kind,
            "title": translate(option.called, messages),
            "help": translate(option.help, messages),
            "ruling": option.ruling,
            "values": list(option.values),
            "titles": [translate(option.label(value), messages) for value in option.values],
            "default": option.default,
            "when": {other: list(values) for other, values in option.when.items()},
        }
        for option in game.options
    ]
    return {
        "id": game.id,
        "title": translate(game.title, messages),
        "summary": translate(game.summary, messages),
        "source": translate(game.source, messages),
        "seats": list(game.seats),
        "default_seats": game.default_seats,
        "minutes": list(game.minutes),
        "age": game.age,
        "options": options,
        "boxes": [{"name": box.name, "title": box.title} for box in boxes.of(name)],
        "callable": is_callable(name),
    }


@functools.lru_cache(maxsize=256)
def is_callable(variant_text: str, box: str | None = None) -> bool:
    """Whether a screen can call for people on paper: something is drawn, for all alike, whatever they do with it."""
    variant = load_variant(variant_text, box)
    if variant.game.draws_follow_play:
        return False
    match = variant.match(seed="call")
    match.roll()
    drawn = [step for step in match.log if step.kind == "chance"]
    return bool(drawn) and (len(match.players) == 1 or all(step.seat is None for step in drawn))


@router.get("/api/games/{game}/sheet.svg", **gives("image/svg+xml"))
async def sample_sheet(
    request: Request,
    game: str,
    theme: Theme = "light",
    box: Annotated[str, Query(max_length=200)] = "",
    language: Annotated[str, Query(max_length=20)] = SOURCE,
) -> Response:
    """A sheet in the middle of a match, to look at; with `box` the blank sheet of a box that this server offers."""
    spoken = language if language in i18n.languages() else SOURCE  # each is drawn once and kept
    name = games.load(game).id  # whoever could ask for every variant would keep the threads busy that read the store
    if box:
        drawn = await asyncio.to_thread(_blank, name, request.app.state.boxes.find(name, box), theme, spoken)
    else:
        drawn = await asyncio.to_thread(_sample, name, theme, spoken)
    keep = "no-cache" if jit.PURE or box else "public, max-age=3600"
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": keep})


@functools.lru_cache(maxsize=256)
def _sample(game: str, theme: str, language: str) -> str:
    from lamplighter.paper.sheet import frame_sheet

    return frame_sheet(_sample_position(game), 0, theme, language=language)


@functools.cache
def _sample_position(game: str) -> Position:
    """Return the same position of a game every time, in the middle of a match."""
    from lamplighter.web.session import think

    bot = bots.names()[0] if jit.PURE else bots.OPPONENT  # plain Python is slow: the simplest one will do
    match = load_variant(game).match(seed="sample")
    for _ in range(200):
        match.roll()
        if match.is_over or len([step for step in match.log if step.kind == "move"]) >= 9 * match.variant.seats:
            break
        think_once = match.copy()
        for seat, text in think(think_once, dict.fromkeys(match.waiting, bot), bots.Budget()):
            match.play(text, seat)
    return match.position.seen_by(0)


@functools.lru_cache(maxsize=64)
def _blank(game: str, box: OfferedBox, theme: str, language: str) -> str:
    from lamplighter.paper.sheet import draw_blank

    variant = check_box(games.load(game), ComponentFile(box.text, box.name)).variant
    messages = messages_of(variant.game, language)
    title = f"{translate(variant.game.title, messages)}: {box.title}"
    return translate_sheet(svg.frame(draw_blank(variant), title, "", theme=theme), messages)


def print_blank(variant_text: str, box: str | None) -> bytes:
    from lamplighter.paper.game import print_game

    return print_game(load_variant(variant_text, box))


@router.get("/api/games/{game}/sheets.pdf", **gives("application/pdf"))
async def blank_sheets(request: Request, game: str, variant: Annotated[str, Query(max_length=400)] = "") -> Response:
    """Blank sheets to print."""
    box = request.app.state.boxes.text(variant)
    chosen = load_variant(variant or game, box)
    if chosen.game.id != game:
        raise LamplighterError(f"{variant!r} is not a variant of {game!r}")
    heavy: HeavyWork = request.app.state.heavy
    key = ("blank", chosen.text, box)
    pdf = await heavy.run(key, client_of(request.scope), print_blank, chosen.text, box)
    return Response(pdf, media_type="application/pdf", headers=download(f"{game}.pdf"))


def print_minute_page(game: str) -> bytes:
    from lamplighter.paper.minute import print_minute

    return print_minute(load_variant(game))


@router.get("/api/games/{game}/minute.pdf", **gives("application/pdf"))
async def minute_page(request: Request, game: str) -> Response:
    """The rules in a minute to print: one page."""
    if not games.load(game).minute_text:
        raise LamplighterError(f"{game!r} has no rules in a minute")
    heavy: HeavyWork = request.app.state.heavy
    pdf = await heavy.run(("minute", game), client_of(request.scope), print_minute_page, game)
    return Response(pdf, media_type="application/pdf", headers=download(f"{game}-minute.pdf"))


@router.get("/api/bots")
def all_bots(request: Request) -> list[dict[str, Any]]:
    """Who can sit in for a person."""
    messages = shared_messages(i18n.choose(request))
    return [
        {
            "name": bot.name,
            "title": translate(bot.title, messages),
            "level": bot.level,
            "help": translate(bot.help, messages),
            "usual": bot.name == bots.OPPONENT,
            "parameters": [asdict(parameter) for parameter in bot.parameters],
        }
        for bot in bots.opponents()
    ]
