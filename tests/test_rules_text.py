"""What RULES.md, RULINGS.md and MINUTE.md of every game promise a reader. Each checker has a text that it rejects."""

from __future__ import annotations

import re

import pytest

from lamplighter import games
from lamplighter.engine.game import Game
from lamplighter.engine.variant import Variant

MARK = re.compile(r"(?<!\*)\[([GDR])\](?!\*)")  # the legend has them in bold
MINUTE = [name for name in games.own_names() if (games.load(name).folder / "MINUTE.md").exists()]
HEADINGS = ["Goal", "A turn", "Scoring", "The end"]
MOST_WORDS = 190


# --- marks and rulings ----------------------------------------------------------------------------------------


def unfounded(rules: str, rulings: str) -> list[str]:
    """Parts marked [R] that name no ruling, rulings that are named and do not exist, and rulings that nobody names."""
    known = re.findall(r"^## (R\d+)\b", rulings, re.MULTILINE)
    found: list[str] = []
    _, _, body = rules.partition("**§")
    for paragraph in re.split(r"\n\s*\n", rules):
        pieces = MARK.split(paragraph)
        where = " ".join(paragraph.split())[:40]
        for mark, part in zip(pieces[1::2], pieces[2::2], strict=True):
            if mark == "R" and not re.search(r"\bR\d+\b", part):
                found.append(f"no ruling for [R] in {where!r}")
    used = set(re.findall(r"\bR\d+\b", body))  # the opening only says what the numbers are
    found += [f"{number} is no ruling" for number in sorted(used - set(known))]
    return found + [f"no paragraph names {number}" for number in known if number not in used]


def test_what_is_reconstructed_has_a_ruling_and_every_ruling_a_paragraph(own_game: Game) -> None:
    rulings = (own_game.folder / "RULINGS.md").read_text(encoding="utf-8")
    assert unfounded(own_game.rules_text, rulings) == []


def test_a_mark_without_ruling_is_noticed() -> None:
    rulings = "# x\n## R1 a\n\n## R2 b\n\n## R3 c\n"
    rules = "**[R]** is ours (R3).\n\n**§1** [G] a. [R] b\nc (R1). [D] d.\n\n**§2** [R] e. [G] f (R2, R4).\n"
    assert unfounded(rules, rulings) == [
        "no ruling for [R] in '**§2** [R] e. [G] f (R2, R4).'",
        "R4 is no ruling",
        "no paragraph names R3",
    ]
    assert unfounded("**§1** [R] a (R1).\n\n**§2** b (R2, R3).", rulings) == []


# --- in a minute ----------------------------------------------------------------------------------------------


def faults(text: str, figures: int) -> list[str]:
    """What is wrong with a MINUTE.md of a game that has so many figures."""
    found = []
    if re.findall(r"^## (.*)$", text, re.MULTILINE) != HEADINGS:
        found.append(f"the headings must be {', '.join(HEADINGS)}")
    words = len(re.sub(r"^#.*$|\[figure: .*\]", "", text, flags=re.MULTILINE).split())
    if words > MOST_WORDS:
        found.append(f"{words} words")
    for paragraph in re.split(r"\n\s*\n", text):
        if "[figure" in paragraph:
            number = re.fullmatch(r"\[figure: (\d+)\]", paragraph.strip())
            if number is None or not 1 <= int(number[1]) <= figures:
                found.append(f"no figure: {paragraph.strip()!r}")
    return found


@pytest.mark.parametrize("name", MINUTE)
def test_a_game_in_a_minute(name: str) -> None:
    game = games.load(name)
    figures = getattr(game.picture, "figures", None) if game.has_picture else None
    text = (game.folder / "MINUTE.md").read_text(encoding="utf-8")
    assert faults(text, len(figures(Variant(game))) if figures else 0) == []


def test_faults_of_a_minute_are_noticed() -> None:
    good = "# x in a minute\n\n## Goal\n\na\n\n[figure: 1]\n\n## A turn\n\nb\n\n## Scoring\n\nc\n\n## The end\n\nd\n"
    assert faults(good, 1) == []
    assert faults(good, 0) == ["no figure: '[figure: 1]'"]
    assert faults(good.replace("a\n\n[", "a ["), 1) == ["no figure: 'a [figure: 1]'"]
    assert faults(good.replace("Scoring", "Points"), 1) == [f"the headings must be {', '.join(HEADINGS)}"]
    assert faults(good.replace("b", "b " * 190), 1) == ["193 words"]
