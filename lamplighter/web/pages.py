"""The pages as HTML. Each is a shell with what does not change; scripts fill in what does."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Annotated, Any

import jinja2
from fastapi import APIRouter, Request, Response
from fastapi import Path as Part
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse

from lamplighter import games, svg
from lamplighter.engine.game import Game
from lamplighter.errors import UnknownGame
from lamplighter.paper import prose
from lamplighter.version import VERSION
from lamplighter.web import texts
from lamplighter.web.table import TABLE_ID

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
    return page(request, "home.html", games=[games.load(name) for name in own + guests])


@router.get("/new/{game}")
async def set_up(request: Request, game: str) -> Response:
    known = _game(game)
    options = [option for option in known.options if option.name != "seats"] if known else []
    return page(request, "setup.html", game=known, options=options) if known else await error_page(request, 404)


@router.get("/rules/{game}")
async def rules(request: Request, game: str, part: bool = False) -> Response:
    known = _game(game)
    if known is None:
        return await error_page(request, 404)
    return page(request, "rules_part.html" if part else "rules.html", game=known, parts=booklet(game))


@router.get("/daily")
async def daily(request: Request) -> Response:
    return page(request, "daily.html")


@router.get("/help")
async def help_page(request: Request) -> Response:
    return page(request, "help.html", version=VERSION)


@router.get("/t/{table}")
async def table_page(request: Request, table: TableId) -> Response:
    return page(request, "table.html", table=table, watching=False)


@router.get("/t/{table}/watch")
async def watch_page(request: Request, table: TableId) -> Response:
    return page(request, "table.html", table=table, watching=True)


@router.get("/t/{table}/{view}")
async def table_view(request: Request, table: TableId, view: str) -> Response:
    """The other ways to look at a table: on a big screen, as a caller, as a replay."""
    if view not in ("screen", "caller", "replay"):
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
    known = language in texts.languages()
    found = texts.script_messages(language) if known else {}
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
def booklet(game: str) -> list[list[prose.Block]]:
    """The blocks of a game's rules and of its rulings, which link to each other."""
    folder = games.load(game).folder
    files = [folder / "RULES.md", folder / "RULINGS.md"]
    return prose.parse(*(file.read_text(encoding="utf-8") for file in files if file.exists()))


def _game(name: str) -> Game | None:
    try:
        return games.load(name)
    except UnknownGame:
        return None


# --- templates ------------------------------------------------------------------------------------------------


def page(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A template in the language of the request."""
    language = texts.choose(request)
    shown = (
        environment(language)
        .get_template(template)
        .render(path=request.url.path, public=public_origin(request), **values)
    )
    headers = {"Content-Language": language, "Vary": "Accept-Language, Cookie"}
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
    made.install_gettext_translations(texts.translations(language), newstyle=True)  # type: ignore[attr-defined]
    made.globals.update(lang=language, languages=texts.languages(), anchor=anchor)
    return made


def anchor(address: str) -> str:
    """The id of a rule's or ruling's place in the booklet.

    >>> anchor("§3.2"), anchor("R6")
    ('p3.2', 'R6')
    """
    return address.replace("§", "p")
