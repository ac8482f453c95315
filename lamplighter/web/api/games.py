"""The games there are, their sheets, and the bots."""

from __future__ import annotations

import asyncio
import functools
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response

from lamplighter import bots
from lamplighter.engine import shelf
from lamplighter.errors import LamplighterError
from lamplighter.web.api.asking import download
from lamplighter.web.api.bodies import REFUSALS, Theme, gives
from lamplighter.web.table import load_variant

router = APIRouter(responses=REFUSALS)
LEVELS = {"uniform": "beginner"}  # a friendlier word for a bot's name; others go by their own


@router.get("/api/games")
def games() -> list[dict[str, Any]]:
    """The games there are, with their options."""
    return [_describe(name) for name in shelf.names()]


def _describe(name: str) -> dict[str, Any]:
    game = shelf.load(name)
    options = [
        {"name": option.name, "help": option.help, "values": list(option.values), "default": option.default}
        for option in game.options
    ]
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "source": game.source,
        "seats": list(game.seats),
        "default_seats": game.default_seats,
        "options": options,
        "callable": is_callable(name),
    }


@functools.lru_cache(maxsize=256)
def is_callable(variant_text: str) -> bool:
    """Whether a screen can call for people on paper: something is drawn, for all alike, whatever they do with it."""
    variant = load_variant(variant_text)
    if variant.game.draws_follow_play:
        return False
    match = variant.match(seed="call")
    match.roll()
    drawn = [entry for entry in match.log if entry.kind == "chance"]
    return bool(drawn) and (len(match.players) == 1 or all(entry.seat is None for entry in drawn))


@router.get("/api/games/{game}/sheet.svg", **gives("image/svg+xml"))
async def sample_sheet(game: str, theme: Theme = "light") -> Response:
    """A sheet in the middle of a match, to look at."""
    drawn = await asyncio.to_thread(_sample, game, theme)
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "public, max-age=3600"})


@functools.lru_cache(maxsize=64)
def _sample(game: str, theme: str) -> str:
    from lamplighter.web.table import think

    match = load_variant(game).match(seed="sample")
    for _ in range(200):
        match.roll()
        if match.is_over or len([entry for entry in match.log if entry.kind == "move"]) >= 9 * match.variant.seats:
            break
        think_once = match.copy()
        for seat, text in think(think_once, dict.fromkeys(match.waiting, "greedy")):
            match.play(text, seat)
    return match.position.seen_by(0).svg(0, theme=theme)


@router.get("/api/games/{game}/sheets.pdf", **gives("application/pdf"))
async def blank_sheets(game: str, variant: Annotated[str, Query(max_length=400)] = "") -> Response:
    """Blank sheets to print."""
    from lamplighter.paper.game import print_game

    chosen = load_variant(variant or game)
    if chosen.game.id != game:
        raise LamplighterError(f"{variant!r} is not a variant of {game!r}")
    pdf = await asyncio.to_thread(print_game, chosen)
    return Response(pdf, media_type="application/pdf", headers=download(f"{game}.pdf"))


@router.get("/api/bots")
def all_bots() -> list[dict[str, str]]:
    """Who can sit in for a person."""
    return [{"name": bot.name, "level": LEVELS.get(bot.name, bot.name), "help": bot.help} for bot in bots.BOTS.values()]
