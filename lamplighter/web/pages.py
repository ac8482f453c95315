"""The pages as HTML. Each is a shell with what does not change; scripts fill in what does."""

from __future__ import annotations

import asyncio
import functools
import re
from pathlib import Path
from typing import Annotated, Any

import jinja2
from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as Part
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from markupsafe import Markup

from lamplighter import bots, games, svg
from lamplighter.engine.game import KINDS, Game, format_value
from lamplighter.engine.phrase import messages_of, translate
from lamplighter.errors import UnknownGame
from lamplighter.paper import minute
from lamplighter.version import VERSION
from lamplighter.web import i18n
from lamplighter.web.booklets import booklet_of, choices_of
from lamplighter.web.class_store import tidy_code
from lamplighter.web.puzzles import known_day
from lamplighter.web.service import MONTH, today
from lamplighter.web.table import TABLE_ID, load_variant

FOLDER = Path(__file__).parent
THEMES = ("light", "dark", "contrast")
# what a page has around its sheets: the table they lie on, lines between things, quiet text
AROUND = {
    "light": {"table": "#f3ecdd", "line": "#d9cfba", "quiet": "#5d574c"},
    "dark": {"table": "#17181b", "line": "#3c3c43", "quiet": "#b3ada1"},
    "contrast": {"table": "#ffffff", "line": "#000000", "quiet": "#222222"},
}

router = APIRouter(include_in_schema=False)
TableId = Annotated[str, Part(pattern=TABLE_ID)]


# --- pages ----------------------------------------------------------------------------------------------------


@router.get("/")
async def home(request: Request) -> Response:
    own = games.own_names()
    guests = [name for name in games.names() if name not in own]
    compiling = request.app.state.progress.compiling
    listed = [games.load(name) for name in own + guests]
    return page(request, "home.html", games=listed, compiling=compiling, bots=bots.opponents(), usual=bots.OPPONENT)


@router.get("/new/{game}")
async def set_up(request: Request, game: str) -> Response:
    known = _game(game)
    if known is None:
        return await error_page(request, 404)
    settings = request.app.state.settings
    holds = {"short": settings.hold, "long": settings.hold_long, "most": settings.idle}
    shown = {name: f"{seconds:g}" for name, seconds in holds.items()}
    return page(request, "setup.html", holds=shown, **_options(request, known))


def _options(request: Request, known: Game) -> dict[str, Any]:
    """What a form needs to ask for a variant of a game."""
    asked = sorted(known.options[1:], key=lambda option: list(KINDS).index(option.kind))
    when = {
        option.name: {other: [format_value(value) for value in values] for other, values in option.when.items()}
        for option in asked
    }
    rulings = [option for option in asked if option.kind == "rule"]
    choices = [option for option in asked if option.kind != "rule"]
    boxes = request.app.state.boxes.of(known.id)
    return {"game": known, "choices": choices, "rulings": rulings, "when": when, "boxes": boxes}


@router.get("/teach")
async def teach(request: Request, game: str = "") -> Response:
    """Where a teacher opens a class."""
    listed = [games.load(name) for name in games.own_names()]
    known = _game(game) if game else listed[0]
    if known is None:
        return await error_page(request, 404)
    return page(request, "teach.html", games=listed, **_options(request, known))


@router.get("/teach/{table}")
async def classroom(request: Request, table: TableId) -> Response:
    """The teacher's screen."""
    return page(request, "classroom.html", class_id=table)


@router.get("/class")
async def join_class(request: Request) -> Response:
    """Where a child joins a class."""
    return page(request, "class.html", code="")


@router.get("/class/{code}")
async def join_by_code(request: Request, code: Annotated[str, Part(max_length=20)]) -> Response:
    return page(request, "class.html", code=tidy_code(code))


@router.get("/rules/{game}")
async def rules(
    request: Request, game: str, part: bool = False, variant: Annotated[str, Query(max_length=400)] = ""
) -> Response:
    """The rules; what a variant does not use is folded."""
    known = _game(game)
    if known is None:
        return await error_page(request, 404)
    booklet = await asyncio.to_thread(booklet_of, game, variant)
    template = "rules_part.html" if part else "rules.html"
    return page(request, template, game=known, booklet=booklet, choices=choices_of(known), chosen=variant)


@router.get("/games/{game}/minute")
async def minute_page(request: Request, game: str) -> Response:
    """The rules in a minute, where the game has them."""
    known = _game(game)
    if known is None or not known.minute_text:
        return await error_page(request, 404)
    return page(request, "minute.html", game=known, parts=await asyncio.to_thread(minute_parts, game))


@router.get("/learn/{game}")
async def learn(request: Request, game: str) -> Response:
    """A guided first match, where the game has one."""
    known = _game(game)
    if known is None or not known.has_lesson:
        return await error_page(request, 404)
    return page(request, "learn.html", game=known, bot=bots.opponents()[0])


@router.get("/puzzle")
async def puzzle_list(request: Request) -> Response:
    return page(request, "puzzles.html")


@router.get("/puzzle/{game}")
@router.get("/puzzle/{game}/{day}")
async def puzzle(request: Request, game: str, day: str = "") -> Response:
    """The puzzle of a game, today's or that of an earlier day."""
    known = _game(game)
    if known is None:
        return await error_page(request, 404)
    return page(request, "puzzle.html", game=known, day=known_day(day or today()))


@router.get("/daily")
async def daily(request: Request) -> Response:
    return page(request, "daily.html")


@router.get("/you")
async def you(request: Request) -> Response:
    """What this browser remembers of its matches: the server only sends the empty page."""
    return page(request, "you.html")


@router.get("/help")
async def help_page(request: Request) -> Response:
    return page(request, "help.html", version=VERSION)


@router.get("/privacy")
async def privacy(request: Request) -> Response:
    """What this server keeps, with its own numbers."""
    settings = request.app.state.settings
    return page(
        request, "privacy.html", contact=settings.contact, maker_days=MONTH,
        keep_days=f"{settings.keep_days:g}", keep_lobby_days=f"{settings.keep_lobby_days:g}",
    )  # fmt: skip


@router.get("/t/{table}")
async def table_page(request: Request, table: TableId) -> Response:
    return _table(request, table, watching=False)


@router.get("/t/{table}/watch")
async def watch_page(request: Request, table: TableId) -> Response:
    return _table(request, table, watching=True)


def _table(request: Request, table: str, watching: bool) -> Response:
    compiling = request.app.state.progress.compiling
    return page(request, "table.html", table=table, watching=watching, compiling=compiling)


@router.get("/t/{table}/{view}")
async def table_view(request: Request, table: TableId, view: str) -> Response:
    """The other ways to look at a table: on a big screen, as a caller, as a replay, beside a sheet of paper."""
    if view not in ("screen", "caller", "replay", "check"):
        return await error_page(request, 404)
    return page(request, f"{view}.html", table=table)


@router.get("/race/{table}")
async def race(request: Request, table: TableId, seat: int = 0) -> Response:
    return page(request, "race.html", table=table, seat=seat)


# --- what pages need ------------------------------------------------------------------------------------------


@router.get("/sheets.css")
async def sheets_css() -> Response:
    return PlainTextResponse(page_styles(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


@router.get("/messages/{language}.json")
async def messages(language: str) -> Response:
    known = language in i18n.languages()
    found = i18n.script_messages(language) if known else {}
    return JSONResponse(found, 200 if known else 404, headers={"Cache-Control": "max-age=3600"})


@functools.cache
def page_styles() -> str:
    """The colours of every theme as variables, and the style of the sheets that stand in a page."""
    rules = [f'[data-theme="{theme}"]{{{_variables(theme)}}}' for theme in THEMES]
    return "\n".join([*rules, "html{--print-size:1}html[data-large]{--print-size:1.25}", sheet_style()])


def _variables(theme: str) -> str:
    scheme = "dark" if theme == "dark" else "light"
    return f"color-scheme:{scheme};" + "".join(f"--{name}:{colour};" for name, colour in _colours(theme).items())


def _colours(theme: str) -> dict[str, str]:
    return {**svg.THEMES[theme], **AROUND[theme], "on-lamp": svg.on_lamp(theme)}


def sheet_style() -> str:
    """The style of sheets with variables for colours and for the size of print.

    Its rules stand alone: what a `<use>` shows is in a tree of its own, where no rule about its surroundings reaches.
    """
    style = svg.stylesheet("dark")  # no two of its colours are equal
    for name, colour in _colours("dark").items():
        style = style.replace(colour, f"var(--{name})")
    return re.sub(r"(font(?:-size)?:)([\d.]+px)", r"\1calc(\2*var(--print-size))", style)


@functools.cache
def minute_parts(game: str) -> list[tuple[minute.Part, list[tuple[str, Markup]]]]:
    """The parts of a game's rules in a minute, with their figures as SVG."""
    variant, found = load_variant(game), []
    for place, part in enumerate(minute.read_minute(variant.game)):
        drawn = [
            (caption, Markup(svg.frame(picture, caption, "", theme=None, prefix=f"figure-{place}-{number}-")))
            for number, (caption, picture) in enumerate(minute.minute_figures(variant, part))
        ]
        found.append((part, drawn))
    return found


def _game(name: str) -> Game | None:
    try:
        return games.load(name)
    except UnknownGame:
        return None


# --- templates ------------------------------------------------------------------------------------------------


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A template in the language of the request."""
    language = i18n.choose(request)
    shown = (
        environment(language)
        .get_template(template)
        .render(path=request.scope["path"], public=public_origin(request), **values)
    )
    headers = {"Content-Language": language, "Vary": "Accept-Language, Cookie", "Cache-Control": "no-cache"}
    return HTMLResponse(shown, status, headers)


def public_origin(request: Request) -> str:
    """The address that friends need, where the browser's own leads nowhere from their phones; else nothing."""
    alone = request.url.hostname in ("localhost", "127.0.0.1", "::1")
    return request.app.state.settings.public.rstrip("/") if alone else ""


async def error_page(request: Request, status: int, detail: str = "") -> Response:
    """A kind word about what went wrong, and the way home."""
    return page(request, "error.html", status, code=status, detail=detail)


@functools.cache
def environment(language: str) -> jinja2.Environment:
    """Templates in one language."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER / "templates"),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # the i18n extension adds this method when it is loaded, so its type is not known
    made.install_gettext_translations(i18n.translations(language), newstyle=True)  # type: ignore[attr-defined]

    def said(game: Game, text: str | list[str]) -> str:
        """What a game says, in this language; a list with commas."""
        return translate(text, messages_of(game, language))

    made.globals.update(lang=language, languages=i18n.languages(), anchor=anchor, said=said)
    return made


def anchor(address: str) -> str:
    """The id of a rule's or ruling's place in the booklet.

    >>> anchor("§3.2"), anchor("R6")
    ('p3.2', 'R6')
    """
    return address.replace("§", "p")
