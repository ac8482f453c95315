"""Switch-On: rulings that need no position of their own: the tracks, the order of the seats, the places of decorations."""

from __future__ import annotations

import itertools
import re

import pytest

import lamplighter
from lamplighter import games
from lamplighter.engine.component_file import ComponentFile
from lamplighter.engine.position import Position
from lamplighter.engine.variant import Variant
from lamplighter.errors import BadVariant
from lamplighter.games.switch_on import picture
from lamplighter.games.switch_on.components import names

GAME = games.load("switch_on")
RULES = GAME.rules_text
RULINGS = (GAME.folder / "RULINGS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("limit", ["9", "10"])
def test_track_limit(limit: str) -> None:
    """§16: both tracks may end at 9 instead, and the sheet shows no 10 then."""
    variant = lamplighter.load(f"switch_on?seats=2&first_player=0&track_limit={limit}")
    match = variant.match(seed=1)
    match.roll()
    for _ in range(8):
        match.play("funds")
        for seat in (0, 1):
            match.play(f"raise none {1 - seat}+{seat}", seat)
        for seat in match.waiting if match.position.text.split(";")[3] == "limit" else ():
            match.play(match.legal_moves(seat)[0], seat)
        match.roll()
    assert match.position.state["money"][0] == match.position.state["cable"][1] == int(limit)
    drawn = "".join(map(str, picture.draw(variant, None, 0).symbols[f"track{limit}"]))
    assert (">10<" in drawn) == (limit == "10") and ">9<" in drawn


def test_a_track_cannot_start_beyond_its_end() -> None:
    """§16: an option that ends a track before its start is refused."""
    box = ComponentFile(GAME.box_text.replace("start_money = 2", "start_money = 10"), "my.toml")
    assert Variant(GAME, {}, box).start().state["money"][0] == 10
    with pytest.raises(BadVariant, match="track_limit cannot be 9: on this sheet a track starts at 10"):
        Variant(GAME, {"track_limit": "9"}, box)


def play_in_order(order: tuple[int, ...]) -> Position:
    """One turn of three seats; each does the same whatever the order."""
    match = lamplighter.load("switch_on?seats=3&first_player=0").match(seed="order")
    match.roll()
    match.play("decorate", 0)
    for seat in order:
        match.play(next(move for move in match.legal_moves(seat) if move.startswith("hang wreath")), seat)
        match.play("stop", seat)
    match.roll()
    return match.position


def test_any_order_comes_to_the_same() -> None:
    """§1: in whatever order the seats act, the next turn begins with the same sheets, hands and draws (R19)."""
    found = {play_in_order(order).text for order in itertools.permutations(range(3))}
    assert len(found) == 1 and found.pop().count("wreath:") == 3


def test_places_of_decorations() -> None:
    """§T, §4, §5: on a clean sheet of two seats each decoration goes on the squares of its ground alone (R24)."""
    variant = lamplighter.load("switch_on")
    town = "".join(variant.file.get("map", "rows"))
    state = variant.start().state
    ground = {"bauble": "tT", "wreath": "HPsE.tT", "banner": "E", "reindeer": "s", "sleigh": "s"}
    for decoration, name in enumerate(names(variant.file, "decorations")):
        allowed = {s for s in range(81) if not GAME.rules.check_square(variant.box, state, 0, decoration, s)}
        assert allowed == {square for square, mark in enumerate(town) if mark in ground.get(name, "")}, name


# --- texts ----------------------------------------------------------------------------------------------------


def unruled(rules: str) -> list[str]:
    """Paragraphs with something marked [R] that is not followed by the number of a ruling."""
    parts = re.split(r"\*\*(§\w+)\*\*", rules)
    found = []
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        paragraph = text.split("\n\n")[0]
        for segment in re.findall(r"\[R\]((?:(?!\[[GDR]\]).)*)", paragraph, re.DOTALL):
            found += [] if re.search(r"\(R\d+\b", segment) else [name]
    return found


def test_every_reconstruction_names_its_ruling() -> None:
    assert unruled(RULES) == []
    assert unruled("**§1** [R] this. [G] that (R3).\n\n**§2** [R] so (R1).") == ["§1"]
    cited = set(re.findall(r"\bR\d+\b", RULES))
    assert set(re.findall(r"^## (R\d+)", RULINGS, re.MULTILINE)) == cited - {"R…"}


def test_every_ruling_has_all_its_parts() -> None:
    for ruling in re.split(r"^## ", RULINGS, flags=re.MULTILINE)[1:]:
        assert ruling.split("\n")[0].endswith("?"), ruling
        for part in ("**Ruling**", "**Why**", "**Test**"):
            assert ruling.count(part) == 1, (part, ruling)


def test_what_is_bought_and_what_is_drawn_have_names_of_their_own() -> None:
    """Cable, with a capital, is what is spent; what is drawn is a strand, in the rules, on the sheet and in refusals."""
    names_of_actions = r"Install Light\s+Cable|Buying Light\s+Cable|Light\s+Cable"
    for text in (RULES, *(sentence for _, sentence in GAME.state.REFUSALS.values())):
        plain = re.sub(names_of_actions, "", text)
        assert re.findall(r"\bcables?\b", plain) in ([], ["cable"]), text  # §16 quotes what the source spends
        assert not re.search(r"\bCable (lies|meets|runs)", plain)


def test_the_game_in_a_minute() -> None:
    text = (GAME.folder / "MINUTE.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Goal", "A turn", "Scoring", "The end"]
    assert len(text.split()) <= 190
    figures = picture.figures(lamplighter.load("switch_on"))
    shown = [int(number) for number in re.findall(r"^\[figure: (\d+)\]$", text, re.MULTILINE)]
    assert shown and all(1 <= number <= len(figures) for number in shown)
