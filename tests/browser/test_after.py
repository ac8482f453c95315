"""After a match, and matches that follow from others: replay, downloads, fair dice, rematch, races, the daily one."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pypdf
import pytest
from browsing import Visit, Visitor, number_in, seat_link, written
from playwright.sync_api import Route, expect
from serving import Person, all_at_once, until, variant_where

from lamplighter import games


@pytest.fixture
def played(someone: Person) -> Person:
    """Ana, who has finished a match against a bot."""
    person = someone.lay(variant_where(all_at_once), name="Ana")
    person.play_on(random.Random(21))
    return person


def totals_of_replay(visitor: Visitor) -> list[int]:
    return [number_in(text) for text in visitor.page.locator("#sheets figcaption strong").all_inner_texts()]


def test_replay(visit: Visit, played: Person) -> None:
    """The slider, the arrow keys and the buttons go through the match; sheets and totals follow."""
    visitor = visit()
    page = visitor.go(f"/t/{played.table}/replay")
    steps = played.get("replay")["steps"]
    slider, picture = page.get_by_label("Moment of the match"), page.locator("#sheets img").first
    expect(slider).to_have_value(str(len(steps)))
    assert totals_of_replay(visitor) == steps[-1]["totals"]
    last = picture.get_attribute("src")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator("#what")).to_have_text("The start")
    expect(picture).not_to_have_attribute("src", last or "")
    middle = len(steps) // 2
    slider.fill(str(middle))
    assert totals_of_replay(visitor) == steps[middle - 1]["totals"]
    slider.blur()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value(str(middle + 1))
    assert totals_of_replay(visitor) == steps[middle]["totals"]
    page.get_by_role("button", name="One step back").click()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(middle - 1))
    page.wait_for_function("() => [...document.querySelectorAll('#sheets img')].every((one) => one.naturalWidth > 0)")
    expect(page.locator("#curve polyline")).to_have_count(2)
    page.get_by_role("button", name="Play").click()
    expect(slider).not_to_have_value(str(middle - 1))
    page.get_by_role("button", name="Pause").click()


def test_the_replay_says_why_at_any_moment(visit: Visit, played: Person) -> None:
    """The cells behind a line are lit on the sheet of that moment."""
    page = visit().go(f"/t/{played.table}/replay")
    steps, slider = played.get("replay")["steps"], page.get_by_label("Moment of the match")
    expect(slider).to_have_value(str(len(steps)))
    figure, middle = page.locator("#sheets figure").first, len(steps) // 2
    titles = {line["name"]: line["title"] for line in played.view()["seats"][0]["lines"] if line["title"]}
    lines = list(titles)
    cells = {
        at: {line: len(played.get(f"lines/{line}", seat=0, seq=at)["cells"]) for line in lines}
        for at in (middle, len(steps))
    }
    line = max(lines, key=lambda one: abs(cells[len(steps)][one] - cells[middle][one]))
    figure.locator("summary").click()
    figure.get_by_role("button", name=f"Why: {titles[line]}", exact=True).click()
    for at in (len(steps), middle):
        slider.fill(str(at))
        expect(figure.locator(".glow .lit")).to_have_count(cells[at][line])
    assert cells[middle][line] != cells[len(steps)][line]


def test_a_dragged_slider_asks_for_one_moment_at_a_time(visit: Visit, played: Person) -> None:
    """Of the moments passed meanwhile only the last is asked for; a picture that fails is asked for again."""
    visitor, held = visit(), list[Route]()
    visitor.expects("503")
    page = visitor.go(f"/t/{played.table}/replay")
    steps, slider = len(played.get("replay")["steps"]), page.get_by_label("Moment of the match")
    expect(slider).to_have_value(str(steps))
    page.wait_for_function("() => [...document.querySelectorAll('#sheets img')].every((one) => one.naturalWidth > 0)")
    page.route("**/sheets/*.svg*", lambda route: held.append(route))
    for at in range(1, steps - 1):
        slider.fill(str(at))
    until(lambda: page.wait_for_timeout(20) or len(held) == 2, "the first moment is asked for")
    assert all("seq=1&" in route.request.url for route in held)
    held[0].fulfill(status=503)
    held[1].continue_()
    page.unroute("**/sheets/*.svg*")
    last = f"seq={steps - 2}&"
    page.wait_for_function(
        "(last) => [...document.querySelectorAll('#sheets img')].every((one) => one.src.includes(last) && one.naturalWidth > 0)",
        arg=last,
    )


def test_a_picture_that_fails_comes_later(visit: Visit, played: Person) -> None:
    visitor, failed = visit(), list[str]()
    visitor.expects("503")

    def fail_once(route: Route) -> None:
        if route.request.url in failed:
            route.continue_()
        else:
            failed.append(route.request.url)
            route.fulfill(status=503)

    visitor.page.route("**/sheets/*.svg*", fail_once)
    page = visitor.go(f"/t/{played.table}/replay")
    page.wait_for_function("""() => {
      const images = [...document.querySelectorAll("#sheets img")];
      return images.length === 2 && images.every((one) => one.naturalWidth > 0);
    }""")
    assert len(failed) == 2


def test_no_replay_before_the_end(visit: Visit, someone: Person) -> None:
    visitor = visit()
    visitor.expects("409")
    page = visitor.go(f"/t/{someone.lay(variant_where(all_at_once)).table}/replay")
    expect(page.get_by_role("alert")).to_contain_text("when the match is over")


def download(visitor: Visitor, name: str, folder: Path) -> Path:
    with visitor.page.expect_download() as caught:
        visitor.page.get_by_role("link", name=name, exact=True).click()
    path = folder / caught.value.suggested_filename
    caught.value.save_as(path)
    return path


def test_downloads(visit: Visit, played: Person, tmp_path: Path) -> None:
    """The record passes `lamplighter verify`; the sheets are a PDF."""
    visitor = visit()
    visitor.sit(seat_link(played)).locator("#over details.more summary").click()
    record = download(visitor, "Record", tmp_path)
    verified = subprocess.run([sys.executable, "-m", "lamplighter", "verify", record], capture_output=True, text=True)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    sheets = pypdf.PdfReader(io.BytesIO(download(visitor, "Sheets as PDF", tmp_path).read_bytes()))
    assert len(sheets.pages) >= 2
    assert "Ana" in "".join(page.extract_text() for page in sheets.pages)


def test_fair_dice(visit: Visit, someone: Person) -> None:
    """The hash that was shown at the start is that of salt and seed told at the end; browser and terminal agree."""
    person = someone.lay(variant_where(all_at_once), name="Ana")
    visitor = visit()
    page = visitor.sit(seat_link(person))
    promise = person.view()["dice"]["hash"]
    expect(page.locator("#fair")).to_contain_text(promise)
    person.play_on(random.Random(22))
    page.locator("#over details.more summary").click()
    page.get_by_role("button", name="Check the dice").click()
    dialog = page.get_by_role("dialog", name="Check the dice")
    expect(dialog).to_contain_text("The dice are as promised.")
    expect(dialog).to_contain_text(promise)
    told = person.view()["dice"]
    expect(dialog).to_contain_text(told["seed"])
    shown = dialog.locator(".command").inner_text()  # what people are told to type in a terminal
    assert (
        subprocess.run(["sh", "-c", shown], capture_output=True, text=True, check=True).stdout.strip().endswith(promise)
    )
    expect(dialog.locator(".checks .good")).to_have_count(5)
    expect(dialog.locator(".checks .bad")).to_have_count(0)
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('.hash.'))") == []  # it has served


def test_the_end_is_counted_line_by_line(visit: Visit, someone: Person) -> None:
    """With motion the score is counted, and that can be skipped."""
    person = someone.lay(variant_where(all_at_once), name="Ana")
    visitor = visit(reduced_motion="no-preference")
    visitor.page.clock.install()
    visitor.sit(seat_link(person))
    page = visitor.stop_clock()  # else the count may be over before it is looked at
    person.play_on(random.Random(23))
    expect(page.locator("#ceremony .counting strong")).to_be_visible()
    page.get_by_role("button", name="Skip").click()
    page.clock.run_for(100)
    expect(page.locator("#over h2")).to_be_visible()
    expect(page.locator("#ceremony")).to_be_hidden()


def test_rematch_by_one_click(visit: Visit, someone: Person) -> None:
    """Both arrive at the new table, each at their own seat."""
    host = someone.lay(variant_where(all_at_once), ["me", "open"], name="Ana")
    friend = host.join("Bo")
    while host.view()["phase"] != "over":
        for person in (host, friend):
            if person.view()["moves"]:
                person.play()
    ana, bo = visit(), visit()
    ana.sit(seat_link(host))
    bo.sit(seat_link(friend))
    ana.page.get_by_role("button", name="Rematch").click()
    ana.page.wait_for_url(lambda url: host.table not in url)
    bo.page.get_by_role("button", name="To the rematch").click()
    bo.page.wait_for_url(lambda url: host.table not in url)
    assert ana.table == bo.table
    for one, seat in ((ana, "0"), (bo, "1")):
        expect(one.page.locator("#main")).to_have_attribute("data-you", seat)
        expect(one.page.locator("body")).to_have_attribute("data-phase", "play")


def test_a_race_with_the_same_dice(visit: Visit, played: Person) -> None:
    """A friend gets the link, the same dice, and sees how the other one stood."""
    ana, bo = visit(), visit()
    page = ana.sit(seat_link(played))
    page.locator("#over details.more summary").click()
    page.get_by_role("button", name="Send these dice to a friend").click()
    link = page.get_by_label("Link", exact=True).input_value()
    total = played.view()["seats"][0]["total"]
    page = bo.go(link)
    expect(page.locator("#challenge")).to_contain_text(f"Ana scored {written(total)} in")
    page.get_by_label("Your name").fill("Bo")
    page.get_by_role("button", name="Race").click()
    page.wait_for_selector("#main[data-seq]")
    expect(page.locator(".ghost-line")).to_contain_text("Ana had")
    expect(page.locator("#fair .note")).to_contain_text("played before")
    page.locator(".ghost-line summary").click()
    page.wait_for_function("() => document.querySelector('.ghost-line img').naturalWidth > 0")
    racer = Person(played.url, bo.table, urlsplit(page.url).fragment.partition("=")[2])
    first = [step["text"] for step in played.get("replay")["steps"] if step["kind"] == "chance"]
    mine = [entry["text"] for entry in racer.view()["log"] if entry["kind"] == "chance"]
    assert mine == first[: len(mine)]
    racer.play_on(random.Random(24))
    expect(page.locator(".ghost-line")).to_contain_text(f"Ana scored {written(total)} with these dice.")


def test_draws_that_follow_play_are_announced(visit: Visit, someone: Person) -> None:
    """Where what comes depends on what was played, a race says that its dice are the same only for who plays alike."""
    name = next(name for name in games.own_names() if games.load(name).draws_follow_play)
    person = someone.lay(name, name="Ana")
    person.play_on(random.Random(26))
    visitor = visit()
    page = visitor.open(f"/race/{person.table}?seat=0")
    expect(page.locator(".note")).to_contain_text("make the same moves")
    page.get_by_label("Your name").fill("Bo")
    page.get_by_role("button", name="Race").click()
    page.wait_for_selector("#main[data-seq]")
    expect(page.locator("#fair")).to_contain_text("make the same moves")
    expect(visitor.open("/daily").get_by_text("make the same moves").first).to_be_visible()


def test_the_same_dice_again(visit: Visit, played: Person) -> None:
    visitor = visit()
    page = visitor.sit(seat_link(played))
    page.locator("#over details.more summary").click()
    page.get_by_role("link", name="Play these dice again").click()
    page.get_by_label("Your name").fill("Ana")
    page.get_by_role("button", name="Race").click()
    page.wait_for_selector("#main[data-seq]")
    assert visitor.table != played.table
    assert visitor.wanted() == "move"


def test_daily(visit: Visit, someone: Person) -> None:
    """One try a day; the board tells the score, to others too."""
    ana, title = visit(), games.load(games.own_names()[0]).title
    page = ana.go("/daily")
    page.get_by_label("Your name").fill("Ana of the day")
    page.get_by_role("button", name=f"Play {title}").click()
    page.wait_for_selector("#main[data-seq]")
    player = Person(someone.url, ana.table, urlsplit(page.url).fragment.partition("=")[2])
    total = player.play_on(random.Random(25))["seats"][0]["total"]
    for visitor in (ana, visit()):
        row = visitor.go("/daily").locator(".board li").filter(has_text="Ana of the day")
        expect(row).to_contain_text(written(total))
        place = visitor.page.get_by_text("Your place:")
        expect(place).to_have_count(1 if visitor is ana else 0)
    ana.page.get_by_role("listitem").filter(has=ana.page.get_by_role("heading", name=title)).get_by_role(
        "button"
    ).click()
    ana.page.wait_for_selector("#main[data-seq]")
    assert ana.table == player.table


def test_the_end_says_your_place_first_and_fits_a_phone(visit: Visit, played: Person) -> None:
    """The place or the victory is the heading; two main buttons; nothing sticks out of the window."""
    view = played.view()
    page = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).sit(seat_link(played))
    won = 0 in view["result"]["winners"]
    expect(page.locator("#over h2")).to_contain_text(written(view["seats"][0]["total"]) if won else "You are in place")
    expect(page.locator("#over")).not_to_contain_text("{")
    expect(page.locator("#over .main").get_by_text(re.compile("Rematch|Replay"))).to_have_count(2)
    expect(page.locator("#over .buttons:visible")).to_have_count(1)
    script = "(one) => one.getBoundingClientRect().right <= innerWidth && one.scrollWidth <= one.clientWidth"
    assert page.locator("#over .scroll").evaluate(script)
