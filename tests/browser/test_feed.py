"""What a page hears: nothing that happens is lost, also not while its stream of events is still opening."""

from __future__ import annotations

from browsing import Visit, seat_link
from playwright.sync_api import Route, expect
from serving import Person, all_at_once, variant_where


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
