"""Answers and pages speak the language that is asked for, also in what the games say."""

from __future__ import annotations

from html import escape
from typing import Any

import pytest
from languages import keys, missing, words_of
from serving import LocalServer, Person, good, until
from walks import random_match, variants

from lamplighter import games
from lamplighter.engine.game import Game
from lamplighter.engine.lesson import LEARNER, read_lesson
from lamplighter.engine.phrase import messages_of, translate
from lamplighter.web import i18n
from lamplighter.web.booklets import choices_of

OTHERS = [language for language in i18n.languages() if language != i18n.SOURCE]


def test_the_languages_are_offered() -> None:
    assert i18n.languages() == {
        "en": "English", "de": "Deutsch", "es": "Español", "fr": "Français", "it": "Italiano",
    }  # fmt: skip


def ask(person: Person, language: str, path: str = "", method: str = "GET", body: Any = None) -> Any:
    return good(person.ask(method, path, body, headers={"accept-language": language}))


@pytest.fixture
def seated(own_game: Game, server: LocalServer) -> Person:
    """Somebody whose turn it is."""
    person = Person(server.url).lay(own_game.id, name="Ana")
    until(lambda: person.view()["moves"], "it is the person's turn")
    return person


@pytest.mark.parametrize("language", OTHERS)
def test_bots_name_their_level_in_the_language(language: str, server: LocalServer) -> None:
    game = games.load(next(name for name in games.own_names() if games.load(name).seats[1] > 1))
    person = Person(server.url).lay(f"{game.id}?seats=2", seats=["me", "bot:easy"], name="Ana")
    level = translate("easy", messages_of(game, language))
    seat = ask(person, language)["seats"][1]
    assert level != "easy" and seat["name"].endswith(f" ({level})") and seat["level"] == level
    assert person.view()["seats"][1]["name"].endswith(" (easy)")
    offered = ask(person, language, "/api/bots")
    assert next(bot["title"] for bot in offered if bot["name"] == "easy") == level


@pytest.mark.parametrize("language", OTHERS)
def test_a_table_speaks_the_language(own_game: Game, language: str, seated: Person) -> None:
    """What is to be done, the scoring lines and why they count, the sheet, and why a move is refused."""
    english, said = seated.view(sheet=True), ask(seated, language)
    messages = messages_of(own_game, language)
    assert english["instruction"] and said["instruction"] != english["instruction"]
    assert said["text"].split() != english["text"].split()
    lines = [[line["title"] for line in view["seats"][0]["lines"] if line["title"]] for view in (english, said)]
    assert lines[0] != lines[1] and set(lines[1]) <= set(messages.values())
    assert missing(keys(list(words_of(english["sheet"]))), messages) == set() and said["sheet"] != english["sheet"]
    line = english["seats"][0]["lines"][0]["name"]
    assert ask(seated, language, f"lines/{line}")["sentence"] != ask(seated, "en", f"lines/{line}")["sentence"]
    move = next(
        move for move in other_moves(own_game) if not ask(seated, "en", "explain", "POST", asked(said, move))["legal"]
    )
    sentence = ask(seated, "en", "explain", "POST", asked(said, move))["sentence"]
    assert missing(keys(sentence), messages) == set()
    assert ask(seated, language, "explain", "POST", asked(said, move))["sentence"] == translate(sentence, messages)
    body = asked(said, move) | {"version": said["version"], "key": "refused"}
    refused = seated.refused(422, "POST", "moves?sheet=false", body, headers={"accept-language": language})
    assert refused["sentence"] == translate(sentence, messages) != sentence


def asked(view: dict[str, Any], move: str) -> dict[str, Any]:
    return {"seat": view["you"], "move": move}


def other_moves(game: Game) -> list[str]:
    """Moves of the end of another match: well written, and hardly legal at the beginning."""
    log = random_match(variants(game)[0], 5).log
    return [step.text for step in reversed(log) if step.kind == "move"]


@pytest.mark.parametrize("language", OTHERS)
def test_a_game_is_described_in_the_language(own_game: Game, language: str, server: LocalServer) -> None:
    """In the list of the API, on the page where it is set up, and on its sample sheet."""
    person, messages = Person(server.url), messages_of(own_game, language)
    listed = {game["id"]: game for game in ask(person, language, "/api/games")}[own_game.id]
    assert listed["summary"] == messages[own_game.summary]
    titles = [option["title"] for option in listed["options"]]
    assert titles == [translate(option.called, messages) for option in own_game.options]
    assert not {option["help"] for option in listed["options"]} & {option.help for option in own_game.options}
    page = person.ask("GET", f"/new/{own_game.id}", headers={"accept-language": language}).text
    assert all(escape(title) in page for title in titles[1:]) and escape(messages[own_game.summary]) in page
    sheets = [person.ask("GET", f"/api/games/{own_game.id}/sheet.svg?language={one}").text for one in ("en", language)]
    assert set(words_of(sheets[0])) != set(words_of(sheets[1]))


@pytest.mark.parametrize("language", OTHERS)
def test_a_lesson_speaks_the_language(own_game: Game, language: str, server: LocalServer) -> None:
    """What a step says, and the reply to a move that it does not accept."""
    person, messages = Person(server.url), messages_of(own_game, language)
    lesson, path = read_lesson(own_game), f"/api/learn/{own_game.id}"
    course = lesson.begin()
    assert ask(person, language, path, "POST", {})["say"] == messages[course.step.say]
    while not course.step.otherwise:
        course.go_on()
    move = next(move for move in course.match.legal_moves(LEARNER) if not course.step.accepts(move))
    reply = ask(person, language, path, "POST", {"step": course.step.number, "move": move})["reply"]
    assert reply == messages[course.step.reply_to(move)]


@pytest.mark.parametrize("language", OTHERS)
def test_the_variants_of_the_rules_are_named_in_the_language(language: str, server: LocalServer) -> None:
    game = games.load("railroad")
    page = Person(server.url).ask("GET", "/rules/railroad", headers={"accept-language": language}).text
    for words in choices_of(game).values():
        assert f">{escape(translate(words, messages_of(game, language)))}</a>" in page


def test_an_unknown_language_is_english(server: LocalServer) -> None:
    person, name = Person(server.url), games.own_names()[0]
    asked = [person.ask("GET", f"/api/games/{name}/sheet.svg?language={one}").text for one in ("en", "tlh", "../../x")]
    assert asked[0] == asked[1] == asked[2]
