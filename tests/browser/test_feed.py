"""What a page hears: nothing that happens is lost, and a dead stream of events is opened anew."""

from __future__ import annotations

import random
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Visit, seat_link
from playwright.sync_api import Page, Request, Response, Route, expect
from serving import UNLIMITED, Person, ServerProcess, all_at_once, until, variant_where

from lamplighter.web.settings import Settings

SILENCE = 40_000  # ms without a sign of life, and a little


def test_what_happens_before_the_stream_opens_is_seen(visit: Visit, someone: Person) -> None:
    """A friend sits down after the first view was shown and before the stream of events is there."""
    host = someone.lay(variant_where(all_at_once), seats=["me", "open"], name="Ana")
    visitor, held = visit(), list[Route]()
    visitor.page.route("**/events", lambda route: held.append(route))
    visitor.sit(seat_link(host))
    expect(visitor.page.locator("#lobby")).to_be_visible()
    while not held:
        visitor.page.wait_for_timeout(20)
    host.join("Bo")
    held[0].continue_()
    expect(visitor.page.locator("#paper svg.sheet")).to_be_visible()


@pytest.fixture
def sleepy(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that a test may stop in its tracks."""
    made = ServerProcess(Settings(f"sqlite:///{tmp_path}/tables.db", **UNLIMITED))
    yield made
    made.process.send_signal(signal.SIGCONT)
    made.close()


@pytest.mark.thorough
def test_a_silent_server_is_asked_again(visit: Visit, sleepy: ServerProcess) -> None:
    """The connection stays open while the server stands still: only its silence tells."""
    host = Person(sleepy.url).lay(variant_where(all_at_once), seats=["me", "open"], name="Ana")
    visitor, streams, answers = visit(sleepy.url), list[Request](), list[Response]()
    page = visitor.page
    page.on("request", lambda request: streams.append(request) if request.url.endswith("/events") else None)
    page.on("response", lambda answer: answers.append(answer) if answer.url.endswith("/events") else None)
    page.clock.install()
    visitor.sit(seat_link(host))
    until(lambda: page.wait_for_timeout(20) or answers, "the stream is open")
    page.clock.run_for(10_000)
    before = len(streams)
    sleepy.process.send_signal(signal.SIGSTOP)
    page.clock.run_for(SILENCE)
    expect(page.locator("#connection")).to_be_visible()
    sleepy.process.send_signal(signal.SIGCONT)
    host.join("Bo")
    until(lambda: page.clock.run_for(1000) or page.locator("#connection").is_hidden(), "the connection is back")
    expect(page.locator("#paper svg.sheet")).to_be_visible()
    assert len(streams) > before


def test_a_device_that_slept_opens_its_stream_anew(visit: Visit, someone: Person) -> None:
    visitor, streams, answers = visit(), list[Request](), list[Response]()
    page = visitor.page
    page.on("request", lambda request: streams.append(request) if request.url.endswith("/events") else None)
    page.on("response", lambda answer: answers.append(answer) if answer.url.endswith("/events") else None)
    page.clock.install()
    visitor.sit(seat_link(someone.lay(variant_where(all_at_once))))
    until(lambda: page.wait_for_timeout(20) or answers, "the stream is open")
    show(page, "hidden")
    page.clock.run_for(25_000)
    before = len(streams)
    show(page, "visible")
    until(lambda: page.clock.run_for(500) or len(streams) > before, "another stream is opened")


def show(page: Page, state: str) -> None:
    """Tell the page that it is now `visible`, or `hidden`."""
    page.evaluate(
        """(state) => {
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


def test_a_crowded_server_is_asked_again_when_it_says(visit: Visit, someone: Person) -> None:
    """A move that was refused for now comes after the wait that was asked for, and counts once."""
    host, visitor, refused = someone.lay(variant_where(all_at_once)), visit(), list[float]()
    visitor.expects("429")
    page = visitor.sit(seat_link(host))
    visitor.wanted()

    def refuse_first(route: Route) -> None:
        refused.append(page.evaluate("performance.now()"))
        if len(refused) > 1:
            route.continue_()
            return
        error = '{"error": {"code": "rate/too-many", "message": "wait"}}'
        route.fulfill(status=429, headers={"retry-after": "1", "content-type": "application/json"}, body=error)

    page.route("**/moves", refuse_first)
    before = visitor.moment()
    page.locator("#typed summary").click()
    page.get_by_label("Move", exact=True).fill(host.view()["moves"][0])
    page.keyboard.press("Enter")
    visitor.await_change(before)
    assert len(refused) == 2
    assert refused[1] - refused[0] >= 1000
    assert len([entry for entry in host.view()["log"] if entry["kind"] == "move" and entry["seat"] == 0]) == 1


@pytest.mark.thorough
def test_a_store_in_trouble_is_said_and_waited_for(visit: Visit, sleepy: ServerProcess) -> None:
    """A move is sent again by itself until it can be written; meanwhile the page says why nothing happens."""
    host = Person(sleepy.url).lay(variant_where(all_at_once), seats=["me", "me"], name="Ana")
    visitor = visit(sleepy.url)
    visitor.expects("503")
    page = visitor.page
    visitor.sit(seat_link(host))
    expect(page.locator("#paper svg.sheet")).to_be_visible()
    expect(page.locator("#trouble")).to_be_hidden()
    before = resource.prlimit(sleepy.process.pid, resource.RLIMIT_FSIZE)
    # no file of the server can grow, as on a full disk
    resource.prlimit(sleepy.process.pid, resource.RLIMIT_FSIZE, (1, before[1]))
    if visitor.wanted() == "curtain":
        page.locator("dialog.curtain button").click()
    visitor.point(random.Random(3))
    expect(page.locator("#trouble")).to_be_visible()
    assert not any(entry["kind"] == "move" for entry in host.view()["log"])
    resource.prlimit(sleepy.process.pid, resource.RLIMIT_FSIZE, before)
    expect(page.locator("#trouble")).to_be_hidden()
    until(lambda: any(entry["kind"] == "move" for entry in host.view()["log"]), "the move is there")
    assert sum(entry["kind"] == "move" for entry in host.view()["log"]) == 1
