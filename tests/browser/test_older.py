"""Tables whose rules have moved on: what people see who open their old links."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import sqlalchemy as sa
from browsing import Visit, seat_link, written
from playwright.sync_api import expect
from serving import Person, ServerProcess, all_at_once, until, variant_where
from sqlalchemy.engine import Connection

from lamplighter.web import admin, db_schema
from lamplighter.web.store import Store


def move_rules_on(server: ServerProcess, person: Person) -> None:
    """Let a table be one of older rules, on a server that runs: what was over is kept before."""
    url = server.settings.database
    subprocess.run([sys.executable, "-m", "lamplighter", "admin", "keep", "--database", url], check=True)

    def job(connection: Connection) -> None:
        connection.execute(sa.update(db_schema.tables).where(db_schema.tables.c.id == person.table).values(rules=0))
        admin.announce(connection)

    store = Store(url)
    store.write(job).result()
    store.close()
    until(lambda: "older" in (answer := person.ask("GET", "")).text and '"older":null' not in answer.text)


def test_a_finished_match_is_shown(visit: Visit, server: ServerProcess, someone: Person) -> None:
    ana = someone.lay(variant_where(all_at_once), name="Ana")
    totals = [seat["total"] for seat in ana.play_on(random.Random(21))["seats"]]
    move_rules_on(server, ana)
    visitor = visit()
    visitor.expects("410")  # the link of a seat is shown to the table, which is asked nothing any more
    page = visitor.go(seat_link(ana))
    over = page.locator("#over")
    expect(over).to_contain_text("version 0 of the rules")
    expect(over).to_contain_text(written(max(totals)))
    expect(page.locator("#paper svg.sheet")).to_be_visible()
    page.locator("#over details.more summary").click()
    expect(over.get_by_role("link", name="Record")).to_be_visible()
    expect(over.get_by_role("link", name="Sheets as PDF")).to_have_count(0)
    expect(over.get_by_role("button", name="Rematch")).to_have_count(0)
    over.get_by_role("button", name="Check the dice").click()
    expect(page.get_by_text("The dice are as promised.")).to_be_visible()
    page.keyboard.press("Escape")
    over.get_by_role("link", name="Replay").click()
    expect(page.get_by_text("version 0 of the rules")).to_be_visible()
    page.get_by_label("Moment of the match").fill("0")
    expect(page.locator("#what")).to_have_text("The start")
    page.wait_for_function("() => [...document.querySelectorAll('#sheets img')].every((one) => one.naturalWidth > 0)")


def test_a_match_that_cannot_go_on_says_why(
    visit: Visit, server: ServerProcess, someone: Person, tmp_path: Path
) -> None:
    ana = someone.lay(variant_where(all_at_once), name="Ana")
    move_rules_on(server, ana)
    visitor = visit()
    visitor.expects("410")
    page = visitor.go(seat_link(ana))
    expect(page.locator(".letter")).to_contain_text("the rules of this game have changed since this match began")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the moves").click()
    download.value.save_as(tmp_path / "match.jsonl")
    head = json.loads((tmp_path / "match.jsonl").read_text().splitlines()[0])
    assert head["tags"]["Seat0"] == "Ana"
