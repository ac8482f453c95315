"""Lessons in the browser: everybody who does as they are told comes to the end; what is refused or not meant is told."""

from __future__ import annotations

from collections.abc import Callable

from browsing import PHONE, Visit, Visitor, each_game, written
from playwright.sync_api import Page, expect

from lamplighter import games
from lamplighter.engine.game import Game
from lamplighter.engine.lesson import LEARNER, Course, Step, read_lesson

GAME = "last_minute"
ORIENTATION = "() => document.querySelector('#paper .ghost')?.closest('[data-orientation]')?.dataset.orientation ?? ''"


def begin(visitor: Visitor, game: Game) -> tuple[Page, Course]:
    """Open a game's lesson; the same lesson beside it says what to do."""
    page = visitor.go(f"/learn/{game.id}")
    expect(page.locator("#main[data-step='1']")).to_be_attached()
    return page, read_lesson(game).begin()


def do(page: Page, course: Course, move: str) -> None:
    """Play a move as people do: take something, turn it, point to its place, and say how to pay if that is asked."""
    variant, position = course.lesson.variant, course.match.position
    shown = variant.game.picture.targets(variant, position.seen_by(LEARNER).state, LEARNER)
    target = next(one for one in shown if move in one.ways())
    if move in variant.game.texts.FINAL:
        page.locator("#done").click()
        return
    take(page, target.source)
    if target.cell:
        spot = page.locator(f'#paper .spot[data-cell="{target.cell}"]')
        spot.hover()
        for _ in range(16):
            if page.evaluate(ORIENTATION) == target.orientation:
                break
            page.keyboard.press("r")
        spot.click()
    elif page.locator("#choices").is_visible():
        words = page.evaluate("(move) => import('/static/i18n.js').then(({ say }) => say(move, {}))", move)
        said = variant.game.texts.say(variant, move)
        page.locator("#choices").get_by_role("button", name=said if said != move else words, exact=True).click()
    ways = page.locator("dialog.choose .ways button")
    if ways.count():
        ways.nth(list(target.ways()).index(move)).click()


def take(page: Page, source: str) -> None:
    """Choose what is to be used, on the sheet or beside it; a die that can become several things in two steps."""
    for name in dict.fromkeys([source.split(" ")[0], source]):
        if page.locator("#main").get_attribute("data-chosen") == source:
            return
        named = f'[data-source="{name}"]'
        offers = page.locator(f"#tray {named}, #paper .source{named}")
        if offers.count():
            offers.first.click()


def one_step(page: Page, course: Course) -> None:
    """Do as the step says."""
    expect(page.locator("#say")).to_have_text(course.step.say)
    if course.step.accept:
        move = course.accepted()[0]
        do(page, course, move)
        assert course.play(move) == ""
    else:
        page.locator("#next").click()
        course.go_on()
    expect(page.locator("#main")).to_have_attribute("data-step", str(course.step.number))


@each_game("last_minute")
def test_everybody_can_take_the_lesson(our_game: Game, visit: Visit) -> None:
    """By clicks on the real sheet, from the home page to the end, where the score and the way to a table are."""
    visitor = visit()
    page = visitor.go("/")
    page.get_by_role("link", name=f"Learn {our_game.title}", exact=True).click()
    page, course = begin(visitor, our_game)
    while not course.is_last:
        one_step(page, course)
    expect(page.locator("#next")).to_be_hidden()
    expect(page.locator("#after a").first).to_have_attribute("href", f"/new/{our_game.id}")
    expect(page.locator("table.score tfoot .points")).to_have_text(written(course.match.totals[LEARNER]))
    page.locator("#play-now").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#dock")).to_be_visible()


def test_a_legal_move_that_is_not_meant_gets_an_answer_and_a_refused_one_its_rule(visit: Visit) -> None:
    """Nothing is played, what is said is read aloud, and one step back is always possible."""
    visitor = visit()
    page, course = begin(visitor, games.load(GAME))
    go_to(page, course, lambda step: bool(step.accept) and step.number > 3)
    first = next(one for one in course.match.legal_moves(LEARNER) if not course.step.accepts(one))
    do(page, course, first)
    expect(page.locator("#reply")).to_have_text(course.step.reply_to(first))
    expect(page.locator("#live")).to_contain_text(course.step.reply_to(first))
    expect(page.locator("#main")).to_have_attribute("data-step", str(course.step.number))
    unlit = page.locator("#paper .cells [data-cell]").last
    unlit.click(force=True)
    expect(page.locator(".bubble")).to_contain_text("§")
    number = course.step.number
    page.locator("#previous").click()
    expect(page.locator("#main")).to_have_attribute("data-step", str(number - 1))
    page.locator("#read-rule").click()
    expect(page.locator("#rules .here")).to_contain_text(course.lesson.steps[number - 2].rule)


def test_what_a_step_is_about_is_lit(visit: Visit) -> None:
    """The square and the die that a move needs, and the scoring line with its points."""
    page, course = begin(visit(), games.load(GAME))
    go_to(page, course, lambda step: bool(step.accept))
    die, cell = course.step.point
    lit = page.locator("#paper .lit")
    expect(lit).to_have_count(1)
    square = page.locator(f'#paper .cells [data-cell="{cell}"]')
    assert [lit.get_attribute(side) for side in "xy"] == [square.get_attribute(side) for side in "xy"]
    expect(page.locator(f'#paper [data-source="{die}"].pointed')).to_have_count(1)
    go_to(page, course, lambda step: bool(set(step.point) & set(course.lesson.variant.score_lines)))
    (line,) = course.step.point
    expect(page.locator("#worths strong")).to_have_text(written(course.match.score(LEARNER)[line]))


def test_a_lesson_by_keys_alone(visit: Visit) -> None:
    """Tab and Enter reach everything, and what a step says is read aloud."""
    page, course = begin(visit(), games.load(GAME))
    for _ in range(2):
        expect(page.locator("#live")).to_contain_text(course.step.say)
        page.locator("#next").focus()
        page.keyboard.press("Enter")
        course.go_on()
        expect(page.locator("#say")).to_have_text(course.step.say)
    die, cell = course.step.point
    page.locator(f'#paper .source[data-source="{die}"]').focus()
    page.keyboard.press("Enter")
    page.locator(f'#paper .spot[data-cell="{cell}"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_have_attribute("data-step", str(course.step.number + 1))


def test_a_lesson_by_touch(visit: Visit) -> None:
    """Two taps draw, and neither the dock nor anything else covers what a step is about."""
    page, course = begin(visit(**PHONE), games.load(GAME))
    while not course.step.accept:
        page.locator("#next").tap()
        course.go_on()
        expect(page.locator("#say")).to_have_text(course.step.say)
    die, cell = course.step.point
    assert page.locator("#paper .lit").evaluate(
        "(lit) => lit.getBoundingClientRect().bottom <= document.querySelector('#dock').getBoundingClientRect().top"
    )
    page.locator(f'#paper .source[data-source="{die}"]').tap()
    spot = page.locator(f'#paper .spot[data-cell="{cell}"]')
    spot.tap()
    expect(page.locator("#paper .ghost")).to_have_count(1)
    spot.tap()
    expect(page.locator("#main")).to_have_attribute("data-step", str(course.step.number + 1))


def go_to(page: Page, course: Course, wanted: Callable[[Step], bool]) -> None:
    """Do as the lesson says until such a step."""
    while not wanted(course.step):
        one_step(page, course)


def test_a_lesson_survives_a_reload(visit: Visit) -> None:
    """It goes on at its step, one can still go back, and it can be begun again; nonsense that was kept does no harm."""
    visitor = visit()
    page, course = begin(visitor, games.load(GAME))
    go_to(page, course, lambda step: bool(step.accept) and step.number > 3)
    one_step(page, course)
    step = str(course.step.number)
    page.reload()
    expect(page.locator("#main")).to_have_attribute("data-step", step)
    expect(page.locator("#say")).to_have_text(course.step.say)
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#main")).to_have_attribute("data-step", str(course.step.number - 1))
    page.reload()
    page.get_by_role("button", name="From the start").click()
    expect(page.locator("#main")).to_have_attribute("data-step", "1")
    visitor.expects("400")
    page.evaluate(
        '(game) => localStorage.setItem(`lamplighter.learn.${game}`, \'{"step": 9, "moves": ["x"], "steps": []}\')',
        GAME,
    )
    page.reload()
    expect(page.locator("#main")).to_have_attribute("data-step", "1")
