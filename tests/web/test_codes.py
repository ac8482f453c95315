"""People read names, never codes: nothing that a view shows is a piece's id, an option's value or a seat counted from 0."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from serving import Person
from walks import variants

from lamplighter.engine.game import Game

# `arch3`, `S2`, `GC`, `three-rails`, `special:x`, `goal1`, `open_hands`, `S-S-`, `none`, `seat 0`, `(R6)`, `RULES.md`;
# squares such as c3 are printed
CODE = re.compile(
    r"\(R\d|\w\.md\b|\b[a-z]{2,}\d+\b|\b[A-Z]\d\b|\b[A-Z]{2,}\b|\b[a-z]+-[a-z]+\b|\w:\w|\w_\w|[SG-]{4}|^none$|\bseat \d"
)
PLAIN = ("four-way", "print-and-play")  # words with a hyphen
MOVES = 20
EDITIONS = ("edition", "expansion")


def codes(text: str) -> list[str]:
    """The codes in something that people read; `§S3` is the address of a rule."""
    text = re.sub(r"§[\w.]+", "", text)
    for word in PLAIN:
        text = text.replace(word, "")
    return CODE.findall(text)


def say(text: str, words: dict[str, str]) -> str:
    """A move or an outcome as the page says it: as a whole, or word by word."""
    return words.get(text) or " ".join(
        words.get(word) or " + ".join(words.get(part, part) for part in word.split("+")) for word in text.split(" ")
    )


def shown(view: dict[str, Any]) -> Iterator[str]:
    """Everything in a view that people read; but not what they may type, and not the sheet in words, which explains it."""
    words = view["words"]
    yield from (view["instruction"], view["question"], *view["effects"])
    yield from (line["title"] for seat in view["seats"] for line in seat["lines"])
    yield from (say(move, words) for move in view["moves"])
    yield from (say(entry["text"], words) for entry in view["log"] if entry["kind"] in ("chance", "move", "undo"))
    yield from (say(way["label"], words) for ways in view["ways"].values() for way in ways)
    yield from (say(row["name"], words) for row in view["left"] or [])
    for named in ("source", "orientation"):
        yield from (say(unescape(one), words) for one in re.findall(f'data-{named}="([^"]+)"', view["sheet"] or ""))
    yield from map(unescape, re.findall(r"<(?:text|tspan|title)[^>]*>([^<]+)<", view["sheet"] or ""))


def editions(game: Game) -> list[str]:
    """A game with its fewest seats, and every edition and expansion of it."""
    texts = [one.text for one in variants(game)]
    return [
        f"{game.id}?seats={game.seats[0]}",
        *(text for text in texts if set(EDITIONS) & set(re.findall(r"(\w+)=", text))),
    ]


def test_no_code_is_shown(own_game: Game, someone: Person) -> None:
    """In a match by chance of every edition, after every move, and in the reasons for the score."""
    for variant in editions(own_game):
        look_for_codes(variant, someone)


def look_for_codes(variant: str, someone: Person) -> None:
    rng = random.Random(7)
    seats = int(re.search(r"seats=(\d)", variant)[1])  # type: ignore[index]
    person = someone.lay(variant, ["me"] * seats)
    for _ in range(MOVES):
        view = person.view(sheet=True)
        if view["phase"] == "over":
            break
        found = {text: codes(text) for text in shown(view) if codes(text)}
        assert found == {}, variant
        if view["moves"]:
            person.move(rng.choice(view["moves"]), view)
        else:
            person.post("done", seat=view["you"])
    lines = [line["name"] for line in view["seats"][0]["lines"] if line["title"]]
    reasons = [person.get(f"lines/{line}", seat=0)["sentence"] for line in lines]
    assert all(reasons) and [text for text in reasons if codes(text)] == []


def test_options_and_their_values_have_names(own_game: Game) -> None:
    for option in own_game.options:
        for said in (option.called, option.help, *map(option.label, option.values)):
            assert codes(str(said)) == [], option.name
    assert codes(f"{own_game.summary} {own_game.source}") == []


def test_options_name_a_ruling_that_there_is(own_game: Game) -> None:
    rulings = re.findall(r"^## (R\d+)", (own_game.folder / "RULINGS.md").read_text(encoding="utf-8"), re.MULTILINE)
    two_readings = [option for option in own_game.options if option.kind == "rule"]
    assert {option.ruling for option in two_readings} <= set(rulings)


@pytest.mark.parametrize(
    "text",
    [
        "arch3",
        "tile S2",
        "GC at 1,4",
        "three-rails",
        "special:overpass",
        "goal1",
        "S-S-",
        "none",
        "seat 0",
        "gone (R6)",
        "see RULES.md",
    ],
)
def test_a_code_is_noticed(text: str) -> None:
    assert codes(text)


@pytest.mark.parametrize(
    "text", ["straight rail on c3", "10♥: 3 cable", "goal A", "light row C", "street, T intersection"]
)
def test_a_name_is_no_code(text: str) -> None:
    assert codes(text) == []
