"""`lamplighter admin`: for whoever runs a server. Commands are thin; `lamplighter.web.admin` does the work."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lamplighter.errors import LamplighterError

if TYPE_CHECKING:
    from lamplighter.web.service import TableService
    from lamplighter.web.store import Store

app = typer.Typer(
    name="admin",
    help="Look after the database of a server: list, export, delete, forget, back up, restore.",
    epilog="Example: lamplighter admin list",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Database = Annotated[
    str | None, typer.Option("--database", metavar="URL", help="As for serve: sqlite:///FILE or postgresql://…")
]
Json = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Secrets = Annotated[bool, typer.Option("--secrets", help="Tell seeds and hidden hands of matches that go on, too.")]


@app.command("list", epilog="Example: lamplighter admin list --phase running --older-than 30")
def list_command(
    game: Annotated[str, typer.Option("--game", "-g", help="Only tables of this game.")] = "",
    phase: Annotated[str, typer.Option("--phase", help="Only lobby, running or finished ones.")] = "",
    older_than: Annotated[
        float | None, typer.Option("--older-than", metavar="DAYS", help="Only those that nobody touched for so long.")
    ] = None,
    json: Json = False,
    database: Database = None,
) -> None:
    """List the tables, the one that was touched last first."""
    with _opened(database) as (admin, service):
        if phase and phase not in admin.PHASES:
            raise LamplighterError(f"a phase is {', '.join(admin.PHASES)}, not {phase!r}")
        found = admin.list_tables(service.store, game, phase, older_than)
    if json:
        _print_json(found)
        return
    for row in found:
        day = f" of {row['day']}" if row["day"] else ""
        typer.echo(
            f"{row['id']:<14} {row['phase']:<9} {_moment(row['touched'])}  {row['entries']:>4} entries  {row['variant']}{day}"
        )
    typer.echo(f"{len(found)} {'table' if len(found) == 1 else 'tables'}")


@app.command(epilog="Example: lamplighter admin show TABLE")
def show(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The id, or the link /t/ID.")],
    with_secrets: Secrets = False,
    json: Json = False,
    database: Database = None,
) -> None:
    """Show a table: what it is, its seats, its log in numbers."""
    with _opened(database) as (admin, service):
        found = admin.describe(service.store, _id(table), with_secrets)
    if json:
        _print_json(found)
        return
    seats = found.pop("seats")
    for name, value in found.items():
        if value is not None:
            typer.echo(f"{name:<8} {_moment(value) if name in ('created', 'touched') else value}")
    for seat in seats:
        who = f"bot {seat['bot']}" if seat["kind"] == "bot" else seat["kind"]
        total = f", {seat['total']} points" if "total" in seat else ""
        typer.echo(f"player {seat['seat'] + 1}   {seat['name']} ({who}{total})")


@app.command(epilog="Example: lamplighter admin export TABLE --out match.lamp")
def export(
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help="The id, or the link /t/ID.")] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Where to; with --all a folder. Else it is printed."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every table, into a folder.")] = False,
    with_secrets: Secrets = False,
    database: Database = None,
) -> None:
    """Write a match, or all of them, as records.

    A match that goes on is written with its dice as they fell; where hands are hidden, only with --secrets.
    """
    from lamplighter.engine.record import write_whole

    if everything == (table is not None) or (everything and out is None):
        raise LamplighterError("say which table, or --all and with -o the folder for them")
    with _opened(database) as (admin, service):
        if table is not None:
            name, text = admin.export(service, _id(table), with_secrets)
            if out is None:
                typer.echo(text, nl=False)
            else:
                write_whole(out, text)
                typer.echo(f"{out} written")
            return
        assert out is not None
        out.mkdir(parents=True, exist_ok=True)
        written, left_out = 0, []
        for row in admin.list_tables(service.store):
            try:
                name, text = admin.export(service, row["id"], with_secrets)
            except LamplighterError as error:
                left_out.append(f"{row['id']}: {error}")
                continue
            write_whole(out / name, text)
            written += 1
    typer.echo(f"{written} records written to {out}")
    for line in left_out:
        typer.echo(f"left out {line}", err=True)


@app.command(epilog="Example: lamplighter admin keep")
def keep(database: Database = None) -> None:
    """Keep all finished matches now, before an upgrade changes their rules.

    A running server does so by itself, little by little.
    """
    with _opened(database) as (admin, service):
        found = dict(admin.keep_matches(service))
    sizes, failed = [size for size in found.values() if size], [name for name, size in found.items() if not size]
    typer.echo(f"{len(sizes)} matches kept, {sum(sizes) / 1e3:.0f} kB")
    if failed:
        typer.echo(f"{len(failed)} cannot be kept, because their logs are damaged: {', '.join(failed)}")


@app.command(epilog="Example: lamplighter admin delete TABLE --yes")
def delete(
    tables: Annotated[list[str], typer.Argument(metavar="TABLE...", help="Ids or links.")],
    yes: Yes = False,
    database: Database = None,
) -> None:
    """Delete tables with everything that belongs to them."""
    with _opened(database) as (admin, service):
        ids = [_id(table) for table in tables]
        for table_id in ids:
            row = admin.describe(service.store, table_id)
            typer.echo(
                f"{table_id}: {row['variant']}, {row['phase']}, {', '.join(seat['name'] for seat in row['seats'])}"
            )
        _confirm(f"Delete {len(ids)} {'table' if len(ids) == 1 else 'tables'} for good?", yes)
        admin.delete(service.store, ids)
        typer.echo(f"{len(ids)} deleted; a server that runs notices within {admin.LOOK:.0f} second")


@app.command(epilog="Example: lamplighter admin classes")
def classes(json: Json = False, database: Database = None) -> None:
    """List the classes, the one that was touched last first."""
    with _opened(database) as (_, service):
        from lamplighter.web import class_admin

        found = class_admin.list_classes(service.store)
    if json:
        _print_json(found)
        return
    for row in found:
        typer.echo(
            f"{row['code']:<8} {row['phase']:<6} {_moment(row['touched'])}  {row['children']:>2} children  {row['variant']}"
        )
    typer.echo(f"{len(found)} {'class' if len(found) == 1 else 'classes'}")


@app.command("delete-class", epilog="Example: lamplighter admin delete-class CDFGHJ --yes")
def delete_class(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The code that children join with.")],
    yes: Yes = False,
    database: Database = None,
) -> None:
    """Delete a class with the names of its children and all its tables."""
    with _opened(database) as (admin, service):
        from lamplighter.web import class_admin

        _confirm(f"Delete the class {code} with all its tables for good?", yes)
        tables = class_admin.delete_class(service.store, code)
        typer.echo(
            f"deleted, with {tables} {'table' if tables == 1 else 'tables'}; "
            f"a server that runs notices within {admin.LOOK:.0f} second"
        )


@app.command(epilog="Example: lamplighter admin forget Ana")
def forget(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The name, exactly as it is shown.")] = None,
    browser: Annotated[
        str, typer.Option("--browser", metavar="TOKEN", help="The value of their cookie 'browser': daily matches.")
    ] = "",
    seat_link: Annotated[
        str, typer.Option("--seat-link", metavar="URL", help="Their private link: that seat, and its rematches.")
    ] = "",
    yes: Yes = False,
    database: Database = None,
) -> None:
    """Delete a person's data: their names become "Player n", their links open nothing any more.

    Moves stay, without a name. A bot plays on where a match is not over.
    """
    if sum(map(bool, (name, browser, seat_link))) != 1:
        raise LamplighterError("say one thing: a name, --browser or --seat-link")
    with _opened(database) as (admin, service):
        from lamplighter.web import class_admin

        def find(store: Store) -> tuple[Any, Any]:
            if browser:
                return admin.places_of_browser(store, browser), []
            if seat_link:
                token = admin.token_of_link(seat_link)
                return admin.places_of_token(store, token), class_admin.children_of_token(store, token)
            return admin.places_of_name(store, name), class_admin.children_of_name(store, name or "")

        places, children = find(service.store)
        if not places and not children:
            raise LamplighterError("nobody was found by that: names count exactly as they are shown")
        for place in places:
            typer.echo(f"table {place.table}, player {place.seat + 1}")
        for child in children:
            typer.echo(f"class {child.class_id}, child {child.number}")
        _confirm(f"Forget who sat at {len(places)} {'seat' if len(places) == 1 else 'seats'}?", yes)
        class_admin.forget_children(service.store, children)  # first, so that no new table gets the name
        admin.forget(service.store, places)
        typer.echo(f"a moment ({admin.MOMENT:.0f} seconds), until every server that runs has noticed …")
        time.sleep(admin.MOMENT)
        # a server may have written the name once more before it noticed: at the end of a match, or for a rematch
        again, _ = find(service.store)
        if again:
            admin.forget(service.store, again)
    typer.echo("forgotten. Backups that were made before still have it")


@app.command(epilog="Example: lamplighter admin backup tables-2026-11-16.db")
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to.")],
    yes: Yes = False,
    database: Database = None,
) -> None:
    """Copy the database into a file, while the server plays on.

    The copy is of one moment. PostgreSQL is copied by its own pg_dump.
    """
    from lamplighter.web import admin

    admin.backup(_address(database), file, yes)
    typer.echo(f"{file} written, {file.stat().st_size / 1e6:.1f} MB. Keep it secret: seeds are in it")


@app.command(epilog="Example: lamplighter admin restore tables-2026-11-16.db --database sqlite:///new.db")
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `admin backup` has made.")],
    yes: Yes = False,
    database: Database = None,
) -> None:
    """Put a backup into an empty database, or with --yes into the place of another one.

    The server has to be stopped. The schema is brought up to date.
    """
    from lamplighter.cli.serve import _alone
    from lamplighter.web import admin

    address = _address(database)
    with _alone(address):
        admin.restore(address, file, yes)
    typer.echo("restored; start the server on it")


def _address(database: str | None) -> str:
    try:
        from lamplighter.web.settings import from_environment
    except ModuleNotFoundError as error:
        raise LamplighterError(f"{error.name} is missing: pip install 'lamplighter[web]'") from None
    return database or from_environment().database


@contextlib.contextmanager
def _opened(database: str | None) -> Iterator[tuple[Any, TableService]]:
    """The functions, and the tables of the database."""
    try:
        from lamplighter.web import admin
    except ModuleNotFoundError as error:
        raise LamplighterError(f"{error.name} is missing: pip install 'lamplighter[web]'") from None
    with admin.opened(_address(database)) as service:
        yield admin, service


def _id(table: str) -> str:
    """A table's id, also out of a link.

    >>> _id("http://localhost:8000/t/AbC-1/replay#seat=x"), _id("AbC-1")
    ('AbC-1', 'AbC-1')
    """
    return table.partition("/t/")[2].split("/")[0].split("#")[0].split("?")[0] if "/t/" in table else table


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))


def _print_json(found: Any) -> None:
    typer.echo(json.dumps(found, ensure_ascii=False, indent=2))


def _confirm(question: str, yes: bool) -> None:
    if not yes and not typer.confirm(question):
        raise LamplighterError("nothing was changed")
