"""What people read of Last Minute Christmas."""

from __future__ import annotations

import pytest

from lamplighter import load
from lamplighter.engine.labels import Labels
from lamplighter.engine.phrase import Phrase


def test_who_took_which_die_and_what_it_crossed_out_is_told() -> None:
    variant = load("last_minute?seats=2&first_player=0")
    position = variant.start()
    for face in ("3", "4", "6"):
        position.roll(face)
    assert position.instruct(0).startswith("Choose a die and hang its ornament")
    before = position.copy()
    position.play("3 star c3", 0)
    said = position.instruct(1)
    assert isinstance(said, Phrase)
    assert said.with_names(["Ana", "Bo"]) == "Ana took the 3: choose one of the other dice and a lit square."
    (told,) = variant.game.texts.effects(variant, before.state, position.state, 1)
    highest = int(variant.box["tracks"][2, int(variant.box["track_length"][2]) - 1])
    assert told.with_names(["Ana", "Bo"]) == f"Ana took the 3: the {highest} of your track (star) is crossed out."
    assert variant.game.texts.effects(variant, before.state, position.state, 0) == []


def test_a_rescue_says_why_everything_is_offered() -> None:
    """§9 All tracks of the dice are full and there is no power."""
    variant = load("last_minute?seats=2&first_player=0")
    position = variant.start()
    for face in ("1", "1", "1"):
        position.roll(face)
    position.state["crossed"][0, 0] = int(variant.box["track_length"][0])
    assert position.instruct(0).startswith("No die gives an ornament that has room on its track")


def test_why_there_is_only_one_choice_is_said() -> None:
    variant = load("last_minute?seats=2&first_player=0")
    same, full = variant.start(), variant.start()
    for face in ("2", "2", "2"):
        same.roll(face)
    assert same.instruct(0) == "All dice on the table show the 2: hang the candy cane on a lit square."
    for face in ("1", "3", "1"):
        full.roll(face)
    full.state["crossed"][0, 0] = int(variant.box["track_length"][0])
    said = "Only the 3 gives an ornament that has room on its track: hang the star on a lit square."
    assert full.instruct(0) == said


@pytest.mark.parametrize("cross_uses", ["face", "drawn"])
def test_what_was_crossed_out_is_named_on_the_drawn_sheet(cross_uses: str) -> None:
    """§5 The sheet of the other seat has a mark of that name, which it did not have before."""
    variant = load(f"last_minute?seats=2&first_player=0&cross_uses={cross_uses}")
    position = variant.start()
    for face in ("3", "4", "6"):
        position.roll(face)
    before = position.copy()
    position.play("3 star c3", 0)
    (mark,) = variant.game.texts.marks(variant, before.state, position.state, 1)
    assert f'data-mark="{mark}"' in position.svg(1) and f'data-mark="{mark}"' not in before.svg(1)
    assert variant.game.texts.marks(variant, before.state, position.state, 0) == []


@pytest.mark.parametrize(
    ("options", "text", "said"),
    [
        ("", "3 star", "star"),
        ("", "2 candy-cane", "candy cane"),
        ("", "1 light", "light: the 1, changed by 5"),
        ("?wrap=true", "1 light", "light: the 1, changed by 1"),
        ("", "9 nothing", "9 nothing"),
        ("", "b2", "row 2, square 1"),
        ("", "6 light f5", "light in row 6, square 6"),
    ],
)
def test_names(options: str, text: str, said: str) -> None:
    variant = load(f"last_minute{options}")
    assert variant.game.texts.say(variant, text) == said


def test_ornaments_are_typed_by_their_names() -> None:
    position = load("last_minute").start()
    assert Labels(position.variant).read(position, 0, "2 candy cane c4") == "2 candy-cane c4"
