"""The languages of the games: whatever a person can read of a shipped game is translated, and the translations are in order."""

from __future__ import annotations

import importlib
import re
import string
import tomllib
from html import unescape
from pathlib import Path

import pytest
from languages import in_matches, in_source, keys, missing, shared_source, words_of, written_in

import lamplighter
from lamplighter import bots, games
from lamplighter.engine import phrase
from lamplighter.engine.game import Game
from lamplighter.engine.phrase import FOLDER, SHARED, Phrase, Seat, all_of, messages_of, shared_messages, translate

LANGUAGES = ("de", "es", "fr", "it")
TEMPLATE: Game = importlib.import_module("lamplighter.games._template").GAME
EXAMPLE = Path(__file__).parents[1] / "examples" / "connect_four" / "connect_four"
FOLDERS = [SHARED, *(games.load(name).folder / FOLDER for name in games.own_names()), TEMPLATE.folder / FOLDER]
FOLDERS.append(EXAMPLE / FOLDER)


def lacking(asked: set[str], game: Game) -> dict[str, set[str]]:
    """What has no translation, by language."""
    found = {language: missing(asked, messages_of(game, language)) for language in LANGUAGES}
    return {language: texts for language, texts in found.items() if texts}


def test_everything_in_a_games_source_is_translated(own_game: Game) -> None:
    assert lacking(in_source(own_game), own_game) == {}


def test_everything_that_matches_show_is_translated(own_game: Game) -> None:
    """Sheets, as pictures and as text, instructions, names, moves, outcomes, scoring lines and their reasons."""
    assert lacking(in_matches(own_game), own_game) == {}


def test_the_games_to_copy_are_translated() -> None:
    assert lacking(in_source(TEMPLATE) | in_matches(TEMPLATE), TEMPLATE) == {}
    if "connect_four" in games.names():
        example = games.load("connect_four")
        assert lacking(in_source(example) | in_matches(example), example) == {}


def test_what_every_game_says_is_translated(own_game: Game) -> None:
    told = shared_source(Path(phrase.__file__).parent)
    told |= {"it would leave the grid", "it does not fit here", *keys(all_of(["one", "two"])), *keys(Seat(0))} - {
        "one",
        "two",
    }
    assert lacking(told, own_game) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_levels_of_bots_are_translated(language: str) -> None:
    told = {text for bot in bots.opponents() for text in (bot.title, bot.help)}
    assert missing(told, shared_messages(language)) == set()


def test_a_missing_translation_is_found(own_game: Game, tmp_path: Path) -> None:
    """A game that lacks one message, one that lacks a language, and a sentence that is glued together."""
    asked = in_source(own_game)
    for path in (own_game.folder / FOLDER).glob("*.toml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    said = tomllib.loads((tmp_path / "de.toml").read_text(encoding="utf-8"))
    lost = next(key for key in said if key in asked)
    assert missing(asked, {key: text for key, text in said.items() if key != lost} | messages_of_shared("de")) == {lost}
    assert missing(asked, {}) == asked
    for glued in ("Phrase('Choose ' + what, what=what)", "words = f'Choose {what}'; Phrase(words)", "Phrase(words)"):
        with pytest.raises(AssertionError, match="whole sentences"):
            written_in(glued)


def messages_of_shared(language: str) -> dict[str, str]:
    return tomllib.loads((SHARED / f"{language}.toml").read_text(encoding="utf-8"))


def test_words_inside_a_sentence_are_found() -> None:
    phrase_ = Phrase("{who} drew {what}.", who=Seat(2), what=["rail curve", Phrase("{n} lamps", n=3), "b4"])
    assert set(keys([phrase_, "c3 4♥", "turn 3 of 15"])) == {
        "{who} drew {what}.", "player #", "rail curve", "{n} lamps", "turn # of #",
    }  # fmt: skip
    assert written_in("counted(n, 'one', 'several' if n else '{n}', none='none')") == {"one", "several", "none"}
    assert written_in("def f():\n  words = 'yes'\n  if n:\n    words = 'no'\n  return Phrase(words)") == {"yes", "no"}


# --- how they are written -------------------------------------------------------------------------------------


def placeholders(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None) + ["#"] * text.count(
        "#"
    )


def untidy(said_first: str, said: str) -> str:
    """What is wrong with a translation; empty if nothing is."""
    if placeholders(said_first) != placeholders(said):
        return "its placeholders are not those of the source"
    if not said or said != said.strip():
        return "it is empty, or has space around it"
    if "'" in said:
        return "its apostrophe is not ’"
    ends = {".": ".", "?": "?", "!": "!", ":": ":", ",": ","}
    return "it ends otherwise than the source" if ends.get(said_first[-1], "") != ends.get(said[-1], "") else ""


WRITTEN = [folder / f"{language}.toml" for folder in FOLDERS for language in LANGUAGES]


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_translations_are_tidy(path: Path) -> None:
    said = tomllib.loads(path.read_text(encoding="utf-8"))
    assert {key: why for key, text in said.items() if (why := untidy(key, text))} == {}


@pytest.mark.parametrize(
    ("said_first", "said"),
    [
        ("{n} points", "{m} Punkte"),
        ("turn # of #", "Zug #"),
        ("The end.", "Fin"),
        ("left", " links"),
        ("bow", "l'arc"),
    ],
)
def test_an_untidy_translation_is_found(said_first: str, said: str) -> None:
    assert untidy(said_first, said)


def test_all_languages_have_the_same_messages() -> None:
    for folder in FOLDERS:
        said = [set(tomllib.loads((folder / f"{language}.toml").read_text(encoding="utf-8"))) for language in LANGUAGES]
        assert all(one == said[0] for one in said), folder


# --- that they are used ---------------------------------------------------------------------------------------


def test_a_sheet_is_drawn_and_described_in_the_language(own_game: Game) -> None:
    """The words of the picture, its title and its description; what is not text stays as it is."""
    position = lamplighter.load(own_game.id).start()
    drawn, said = position.svg(0), position.svg(0, language="de")
    titles = re.findall("<title id[^>]*>([^<]*)", said)
    assert titles == [f"{own_game.title}, Zug {position.turn}, {position.total(0)} Punkte"]
    assert str(position.draw(0).translate_by(messages_of(own_game, "de"))) in unescape(said)
    assert set(words_of(drawn)) != set(words_of(said)) and drawn.count("<path") == said.count("<path")


def test_a_language_that_a_game_lacks_is_english(own_game: Game) -> None:
    assert translate("points", messages_of(own_game, "tlh")) == "points"
